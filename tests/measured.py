#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what a test measured into doc/triage.md, between that test's marks.

    measured.py TEST <TEXT      TEST as the marks have it: tests/lab_triage.sh
"""
import os, sys

DOC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../doc/triage.md")


def write(test, text):
    mark, end = f"<!-- measured: {test} -->", "<!-- end -->"
    with open(DOC, encoding="utf-8") as f:
        head, rest = f.read().split(mark)
    with open(DOC, "w", encoding="utf-8") as f:
        f.write(f"{head}{mark}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}")


if __name__ == "__main__":
    write(sys.argv[1], sys.stdin.read().strip())
