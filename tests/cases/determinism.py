#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/cases/determinism.py [RECKON] -- one run, however it is read: the same bytes.

Whatever the number of threads, the order of rows, the split into files and their order, every output must be the same.
"""
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUTS = ("--json", "--flows", "--overlay", "--csv", "--links")


def reckon(program, folder, reports, *more):
    """The bytes of every output."""
    got = {}
    for option in OUTPUTS:
        run = subprocess.run([program, "floor.dc", "--mx", *reports, option, *more], cwd=folder, capture_output=True)
        if run.returncode:
            sys.exit(f"{option} ended with {run.returncode}: {run.stderr.decode()}")
        got[option] = run.stdout
    return got


def shuffle(folder, rnd):
    """The same rows in another order, dealt out to files of other names."""
    rows = []
    for name in sorted(os.listdir(f"{folder}/reports")):
        with open(f"{folder}/reports/{name}") as f:
            header, *body = f.read().splitlines()
        rows += [(name, row) for row in body]
    rnd.shuffle(rows)
    os.mkdir(f"{folder}/shuffled")
    for name, row in rows:
        path = f"{folder}/shuffled/{name[::-1].replace('vsc.', '')}.csv"
        new = not os.path.exists(path)
        with open(path, "a") as f:
            f.write((header + "\n" if new else "") + row + "\n")


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["RECKON"])
    gen = os.path.join(HERE, "..", "bench", "gen")
    bad = passed = 0
    for kind in (["--demands", "skewed", "--speeds", "--pods"], ["--layers", "5"]):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, gen, folder, "--racks", "12", "--hosts", "5", "--peers", "20", "--intervals",
                            "3", *kind], check=True, stdout=subprocess.DEVNULL)
            shuffle(folder, random.Random(1))
            tiers = ["--group-kind", "rack,pod"] if "--pods" in kind else []
            want = reckon(program, folder, ["reports"], "--jobs", "1", *tiers)
            split = sorted(f"shuffled/{n}" for n in os.listdir(f"{folder}/shuffled"))
            for what, reports, more in (("2 threads", ["reports"], ["--jobs", "2"]), ("7 threads", ["reports"], ["--jobs", "7"]),
                                        ("rows shuffled", ["shuffled"], []), ("files reversed", split[::-1], [])):
                got = reckon(program, folder, reports, *more, *tiers)
                for option in OUTPUTS:
                    same = got[option] == want[option]
                    passed, bad = passed + same, bad + (not same)
                    if not same:
                        print(f"FAIL {' '.join(kind)}, {what}: {option} differs")
    print(f"{passed} passed, {bad} failed")
    sys.exit(bool(bad))


main()
