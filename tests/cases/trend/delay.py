#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""delay.py RECKON -- how soon a change is seen, by its size: the table of doc/trend.md.

For every size 200 series with 1 % of Gaussian noise fall by that much at run 180. They are judged as they stood one run
after the fall, two runs after it, and so on: the delay is the first time that a group begins within three runs of the
fall. And 1,000 series of 365 runs without any change count what is found where nothing is.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

SIZES = [1, 2, 3, 4, 5, 7, 10]
SERIES, AT, NOISE = 200, 180, 0.01
AFTER = list(range(1, 21)) + [30, 40, 60, 90, 185]


def groups(reckon, series, runs):
    """{name: [first sample of every group but the first]}."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write("ts,test,value\n")
        for name, values in series.items():
            f.writelines("%d,%s,%r\n" % (1700000000 + 86400 * i, name, v) for i, v in enumerate(values[:runs]))
        f.flush()
        out = subprocess.run([reckon, "trend", f.name, "--json"], capture_output=True, check=True).stdout
    found = {}
    for t in json.loads(out)["tests"]:
        at, starts = 0, []
        for g in t["groups"][:-1]:
            at += g["size"]
            starts.append(at)
        found[t["test"]] = starts
    return found


def falling(rng, size):
    return {"%d-%d" % (size, i): [(1 - size / 100 * (k >= AT)) * (1 + rng.gauss(0, NOISE)) for k in range(AT + max(AFTER))]
            for i in range(SERIES)}


def text(n):
    return "not seen" if n is None else str(n)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    reckon, rng = os.path.abspath(sys.argv[1]), random.Random(7)
    series = {s: falling(rng, s) for s in SIZES}
    everything = {n: v for s in series.values() for n, v in s.items()}
    delay = dict.fromkeys(everything)
    for after in AFTER:
        for name, starts in groups(reckon, everything, AT + after).items():
            if delay[name] is None and any(abs(b - AT) <= 3 for b in starts):
                delay[name] = after
    print("| change | noise | seen after, median | 9 of 10 | 99 of 100 | within three runs | within half a year |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for size in SIZES:
        all_of_it = sorted((delay[n] for n in series[size]), key=lambda d: (d is None, d))
        print("| -%d%% | 1%% | %s | %s | %s | %.1f%% | %.1f%% |" % (
            size, text(all_of_it[SERIES // 2 - 1]), text(all_of_it[SERIES * 9 // 10 - 1]), text(all_of_it[SERIES * 99 // 100 - 1]),
            100 * sum(d is not None and d <= 3 for d in all_of_it) / SERIES, 100 * sum(d is not None for d in all_of_it) / SERIES))
    flat = groups(reckon, {"flat-%d" % i: [1 + rng.gauss(0, NOISE) for _ in range(365)] for i in range(1000)}, 365)
    print("\n%d of %d series without a change were cut." % (sum(bool(b) for b in flat.values()), len(flat)))


if __name__ == "__main__":
    main()
