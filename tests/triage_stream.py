#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`reckon triage --follow` over the stream of a 10,000-RNIC fabric: faster than real time on one core, in constant memory,
and, as it happens, each period judged within a second of its grace.

    triage_stream.py [SECONDS] [--write]

with the programs as $RECKON and $SIM. SECONDS of stream as fast as it goes (an hour with $FULL set, which also writes
doc/triage.md), then two minutes in real time.
"""
import argparse, datetime, os, re, subprocess, sys, tempfile, time

import measured

SIZE = ["157", "8", "8", "8"]  # 10,048 RNICs
GRACE, PERIOD = 6, 20
failures = []


def check(what, ok, detail=""):
    if not ok:
        failures.append(what)
        print(f"FAIL: {what} {detail}")


def start(reckon, sim, mode, seconds, folder, out, before=()):
    feed = subprocess.Popen([*before, sim, mode, *SIZE, "1", str(seconds), os.path.join(folder, "truth.csv")], stdout=subprocess.PIPE)
    judge = subprocess.Popen([*before, reckon, "triage", os.path.join(folder, "sim.dc"), "--follow", "--json", os.path.join(folder, "out.json")],
                             stdin=feed.stdout, stdout=out, text=True)
    feed.stdout.close()
    return feed, judge


def used(pid):
    """Seconds of CPU, and kB resident."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") // 1024


def fast(reckon, sim, seconds, folder):
    feed, judge = start(reckon, sim, "stream", seconds, folder, subprocess.DEVNULL)
    memory, cpu = [], 0
    began = time.time()
    while judge.poll() is None:
        try:
            cpu, kb = used(judge.pid)
            memory.append((cpu, kb))
        except OSError:
            pass
        time.sleep(0.5)
    took = time.time() - began
    check("the stream is judged to its end", judge.returncode == 0 and feed.wait() == 0)
    warm = [kb for c, kb in memory if c > 0.5 * cpu]  # after the paths and the first periods
    check("faster than real time", cpu < seconds, f"{cpu:.0f} s of CPU for {seconds} s")
    check("constant memory", warm and max(warm) < 1.05 * warm[0], f"{warm[:1]} to {max(warm, default=0)} kB")
    return f"{seconds} s of stream in {cpu:.0f} s of CPU ({took:.0f} s by the clock, beside the simulator), at most {max(warm) / 1000:.0f} MB, " \
           f"{100 * (max(warm) / warm[0] - 1):.1f} % more at the end than half-way"


def live(reckon, sim, folder):
    feed, judge = start(reckon, sim, "live", 120, folder, subprocess.PIPE, measured.ahead())
    latest, lines = 0.0, 0
    for line in judge.stdout:
        m = re.match(r"(\S+Z) +(begins|perhaps|over) ", line)
        if not m or feed.poll() is not None:  # at the end of the records everything is judged at once
            continue
        begin = datetime.datetime.strptime(m[1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc).timestamp()
        latest, lines = max(latest, time.time() - (begin + PERIOD + GRACE)), lines + 1
    judge.wait()
    check("the dead cable is said as it happens", lines >= 1)
    crowd = max(1, os.getloadavg()[0] / os.cpu_count())  # others who want the same cores
    check("within a second of the grace", latest < crowd, f"{latest:.2f} s")
    return f"live, a period's judgement is printed at most {latest:.2f} s after its grace"


def main():
    full = bool(os.environ.get("FULL"))
    p = argparse.ArgumentParser()
    p.add_argument("seconds", type=int, nargs="?", default=3600 if full else 120)
    p.add_argument("--write", action="store_true", default=full)
    o = p.parse_args()
    reckon, sim = (os.path.abspath(os.environ.get(k, v)) for k, v in (("RECKON", "./reckon"), ("SIM", "tests/triage_sim")))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "sim.dc"), "w") as f:
            subprocess.run([sim, "layout", *SIZE], stdout=f, check=True)
        said = [fast(reckon, sim, o.seconds, folder), live(reckon, sim, folder)]
    text = "10,048 RNICs, 1.88 million tuples, 115,000 records a second: " + "; ".join(said) + "."
    print(text)
    if o.write:
        measured.write("tests/triage_stream.py", text)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
