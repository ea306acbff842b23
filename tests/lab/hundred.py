#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hundred.py [--write FILE] -- a hundred nodes in namespaces of their own, and one console.

Every host pings every other: 9,900 flows. Checked are the live line of every second, with all nodes in it; the end, by
SIGINT, after which both sides of every pair have counted the same; and the memory of console and nodes, which must not
grow while the test runs, and at a node be given back after it. $RECKON, root and exit status as for lab.py.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import lab

RACKS = " ".join("r%02d:%s" % (r, ",".join("h%02d" % (10 * r + h) for h in range(10))) for r in range(10))
SECONDS = 40
SETTLED = 20  # by then the files' buffers at the console, of 256 KiB for each node, have been full once
LIVE = re.compile(r" *([\d.]+) s  (\d+) nodes  sent (\d+)/s  arrived (\d+)/s .* failed (\d+)  bad (\d+)")


def memory(pid, what="VmRSS"):
    """MB."""
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        return int(re.search(what + r":\s+(\d+) kB", f.read())[1]) / 1024


def watch(fabric, out):
    """The test from start to stop: its live lines, and the memory of the console and of all nodes, each second."""
    command = fabric.console("ping", "--rate", "1", "--time", "600", "--live", "1", "--out", out)
    console = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lab.first_in_line)
    lines, grown = [], []
    while len(lines) < SECONDS:
        line = console.stdout.readline()
        assert line, "the console ended early: %s" % console.stderr.read()
        if LIVE.match(line):
            lines.append(tuple(map(float, LIVE.match(line).groups())))
            grown.append((memory(console.pid), sum(memory(n.pid) for n in fabric.nodes.values())))
    peak = memory(console.pid, "VmHWM")
    console.send_signal(signal.SIGINT)
    _, err = console.communicate(timeout=120)
    assert console.returncode == 0 and not err, "the console ended with %d: %s" % (console.returncode, err)
    return lines, grown, peak


def judge(lines, grown, before, after, summary):
    """Complaints."""
    wrong = []
    if any(nodes != 100 for _, nodes, *_ in lines):
        wrong.append("nodes: %s" % [int(n[1]) for n in lines])
    gaps = [b[0] - a[0] for a, b in zip(lines, lines[1:])]
    if max(gaps) >= 2:
        wrong.append("live lines that came %s s after the one before" % max(gaps))
    for who, i in (("console", 0), ("nodes", 1)):
        if grown[-1][i] > 1.02 * grown[SETTLED - 1][i]:
            wrong.append("the %s grew from %.1f to %.1f MB" % (who, grown[SETTLED - 1][i], grown[-1][i]))
    if after > before + (grown[-1][1] - before) / 10:
        wrong.append("the nodes had %.1f MB before, %.1f while it ran, %.1f after" % (before, grown[-1][1], after))
    for p in summary["pairs"]:
        c, s = p["client_side"], p["server_side"]
        if p["lost"] or c["total"] != s["total"] or not c["total"]:
            wrong.append("%s -> %s: %s" % (p["client"], p["server"], p))
    return wrong


def play(root):
    fabric = lab.Lab(root, racks=RACKS, nic=0, uplink=0)
    out = os.path.join(root, "out")
    try:
        before = sum(memory(n.pid) for n in fabric.nodes.values())
        lines, grown, peak = watch(fabric, out)
        time.sleep(1)
        after = sum(memory(n.pid) for n in fabric.nodes.values())
        with open(os.path.join(out, "summary.json"), encoding="utf-8") as f:
            summary = json.load(f)
        wrong = judge(lines, grown, before, after, summary)
        totals = summary["totals"]["clients"]
        rows = [("flows measured", len(summary["pairs"])),
                ("live lines, a second apart", len(lines)),
                ("messages of both sides", "%d, %d" % (totals["total"], summary["totals"]["servers"]["total"])),
                ("console's memory: after %d s, after %d s, at most" % (SETTLED, SECONDS),
                 "%.1f, %.1f, %.1f MB" % (grown[SETTLED - 1][0], grown[-1][0], peak)),
                ("a node's memory: before, after %d s, after %d s, and after the test" % (SETTLED, SECONDS),
                 "%.1f, %.1f, %.1f, %.1f MB" % tuple(x / 100 for x in (before, grown[SETTLED - 1][1], grown[-1][1], after)))]
        return rows, wrong
    finally:
        fabric.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write")
    options = parser.parse_args()
    lab.possible()
    root = tempfile.mkdtemp(prefix="reckon-hundred-")
    try:
        rows, wrong = play(root)
    finally:
        lab.fabric("down")
        shutil.rmtree(root)
    if options.write:
        lab.write_table(options.write, "hundred", ("100 nodes, one console", ""), rows)
    for row in rows:
        print("%-70s %s" % row)
    for line in wrong:
        print("WRONG", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
