#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""year.py DIR [--hosts N] [--runs N] [--flows] [--seed S] -- a year of nightly reckonings with planted changes.

Writes one file a night, as `reckon --json` does, as far as trends read them: every host's efficiency (with --flows every
flow's, and the host's is the median of those it is an end of) with 1 % of Gaussian noise, and five changes, each of one
host or flow on one night. DIR/../planted.json says which: {test: [run, share]}.
"""
import argparse
import json
import os
import random
import statistics

START = 1704067200  # 2024-01-01 00:00 UTC
DAY = 86400
NOISE = 0.01
SHARES = [-0.02, 0.04, -0.05, -0.07, -0.10]
WHEN = [0.25, 0.4, 0.55, 0.7, 0.85]  # of the year


def plan(names, runs):
    """The planted changes: five of the names, far apart, at five times."""
    picked = [names[(2 * i + 1) * len(names) // 10] for i in range(5)]
    return {n: [int(w * runs), s] for n, w, s in zip(picked, WHEN, SHARES)}


def series(rng, names, runs, planted):
    """{name: [value of each run]}."""
    out = {}
    for n in names:
        level = rng.uniform(85, 99)
        at, share = planted.get(n, (runs, 0))
        out[n] = [level * (1 + share * (k >= at)) * (1 + rng.gauss(0, NOISE)) for k in range(runs)]
    return out


def reckoning(k, hosts, flows):
    return {
        "meta": {"label": "night-%03d" % k, "layout": "floor.dc", "source": "mx", "tool": "reckon", "ts": START + k * DAY,
                 "unit": "pps", "version": "1.0.0"},
        "verdict": None,
        "findings": [],
        "flows": [{"dst": b, "efficiency_pct": v[k], "layer": None, "src": a} for (a, b), v in flows.items()],
        "hosts": [{"achieved": v[k] * 1000, "added_rtt_us": None, "efficiency_pct": v[k], "expected": 100000.0, "host": h}
                  for h, v in hosts.items()],
    }


def write(folder, hosts=200, runs=365, flows=False, seed=1):
    """Writes the year; what was planted, by test."""
    rng = random.Random(seed)
    names = ["h%03d" % i for i in range(hosts)]
    if flows:
        pairs = [(a, b) for a in names for b in names if a != b]
        planted = plan(pairs, runs)
        by_flow = series(rng, pairs, runs, planted)
        by_host = {h: [statistics.median(v[k] for p, v in by_flow.items() if h in p) for k in range(runs)] for h in names}
        truth = {"flow/%s->%s" % p: c for p, c in planted.items()}
    else:
        planted = plan(names, runs)
        by_flow, by_host = {}, series(rng, names, runs, planted)
        truth = {"host/" + h: c for h, c in planted.items()}
    os.makedirs(folder, exist_ok=True)
    for k in range(runs):
        with open(os.path.join(folder, "night-%03d.json" % k), "w", encoding="utf-8") as f:
            json.dump(reckoning(k, by_host, by_flow), f)
    return truth


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("dir")
    p.add_argument("--hosts", type=int, default=200)
    p.add_argument("--runs", type=int, default=365)
    p.add_argument("--flows", action="store_true")
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    truth = write(o.dir, o.hosts, o.runs, o.flows, o.seed)
    with open(os.path.join(o.dir, "..", "planted.json"), "w", encoding="utf-8") as f:
        json.dump(truth, f, indent=1)


if __name__ == "__main__":
    main()
