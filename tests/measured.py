#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tests that measure share: putting what was measured into doc/triage.md, between that test's marks, and running ahead of
others.

    measured.py TEST <TEXT      TEST as the marks have it: tests/lab_triage.sh
"""
import os, shutil, subprocess, sys

DOC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../doc/triage.md")


def write(test, text):
    mark, end = f"<!-- measured: {test} -->", "<!-- end -->"
    with open(DOC, encoding="utf-8") as f:
        head, rest = f.read().split(mark)
    with open(DOC, "w", encoding="utf-8") as f:
        f.write(f"{head}{mark}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}")


def ahead():
    """What lets a program run ahead of whatever else this machine does, where that is allowed."""
    words = ["chrt", "-r", "1"]
    return words if shutil.which("chrt") and not subprocess.run([*words, "true"], stderr=subprocess.DEVNULL).returncode else []


if __name__ == "__main__":
    write(sys.argv[1], sys.stdin.read().strip())
