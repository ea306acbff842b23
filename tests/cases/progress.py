#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/cases/progress.py [RECKON] -- progress is shown on a terminal alone, and gone when done.

The run is read from a FIFO that is fed slowly, so that it takes over a second on any machine.
"""
import os
import pty
import subprocess
import sys
import tempfile
import threading
import time

HEADER = "ts,host,dir,peer,size,rep_size,target_pps,pps,rep_pps\n"


def feed(path):
    with open(path, "w") as f:
        f.write(HEADER)
        for i in range(30):
            f.write("".join(f"100,a,tx,b{k},1434,34,,100,100\n" for k in range(3000)))
            f.flush()
            time.sleep(0.07)


def read_terminal(fd):
    got = b""
    try:
        while chunk := os.read(fd, 65536):
            got += chunk
    except OSError:  # the other side is closed
        pass
    return got


def run(program, folder, options, terminal, env=None):
    """What the program writes to stderr, on a terminal or a pipe."""
    fifo = os.path.join(folder, "run.csv")
    os.mkfifo(fifo)
    feeder = threading.Thread(target=feed, args=(fifo,), daemon=True)
    feeder.start()
    master, slave = pty.openpty()
    command = [program, "--nic-gbps", "10", "--mx", fifo, "--csv", os.devnull, *options]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave if terminal else subprocess.PIPE,
                             env={**os.environ, **(env or {})})
    os.close(slave)
    said = read_terminal(master) if terminal else child.communicate()[1]
    child.wait()
    os.close(master)
    feeder.join()
    os.unlink(fifo)
    return said


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["RECKON"])
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        said = run(program, folder, [], True)
        if b"reading " not in said:
            bad.append(f"no progress on a terminal: {said!r}")
        if said and not said.endswith(b"\r\x1b[K"):
            bad.append(f"the line is not gone at the end: {said[-80:]!r}")
        for what, options, terminal, env in (("in a pipe", [], False, None), ("with --quiet", ["--quiet"], True, None),
                                             ("with NO_PROGRESS", [], True, {"NO_PROGRESS": "1"})):
            said = run(program, folder, options, terminal, env)
            if said:
                bad.append(f"something is shown {what}: {said!r}")
    for why in bad:
        print("FAIL", why)
    print(f"{5 - len(bad)} passed, {len(bad)} failed")
    sys.exit(bool(bad))


main()
