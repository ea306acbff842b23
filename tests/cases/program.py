# SPDX-License-Identifier: Apache-2.0
"""The program under test in an empty folder of its own, for end-to-end scripts whose parts are functions of a Bench."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXTURES = os.path.join(ROOT, "fixtures")


class Bench:
    def __init__(self, reckon, folder):
        self.reckon, self.folder, self.wrong = reckon, folder, []

    def expect(self, true, what):
        if not true:
            self.wrong.append(what)
        return true

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as f:
            f.write(data)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as f:
            return f.read()

    def run(self, *args, stdin=b"", env=None):
        """(exit status, standard output, standard error)."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("RECKON_")}
        r = subprocess.run([self.reckon, *args], cwd=self.folder, env={**clean, **(env or {})}, input=stdin,
                           capture_output=True, timeout=120, check=False)
        return r.returncode, r.stdout.decode("utf-8", "replace"), r.stderr.decode("utf-8", "replace")

    def start(self, *args, **how):
        """Standard output of a run that must end in status 0."""
        status, out, err = self.run(*args, **how)
        self.expect(status == 0, "%s: status %d, %s" % (" ".join(args), status, err[:300]))
        return out

    def json(self, *args, **how):
        """The JSON of a run; its report goes nowhere."""
        out = self.start(*args, "--json", **how)
        return json.loads(out) if out else {}

    def refuse(self, pieces, *args, **how):
        """A run that must end in status 2 with one line that holds each of the pieces."""
        status, _, err = self.run(*args, **how)
        self.expect(status == 2 and err.count("\n") == 1 and all(p in err for p in pieces),
                    "%s: status %d, %s" % (" ".join(args), status, err[:300]))


def main(name, doc, *parts):
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RECKON")
    if not program:
        sys.exit(doc)
    wrong = []
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            b = Bench(os.path.abspath(program), folder)
            try:
                part(b)
            except (OSError, ValueError, LookupError) as x:
                b.wrong.append("could not go on: %r" % x)
            wrong += ["%s: %s" % (part.__name__, w) for w in b.wrong]
    print("\n".join("FAIL " + w for w in wrong) or "%s: %d parts passed" % (name, len(parts)))
    sys.exit(bool(wrong))
