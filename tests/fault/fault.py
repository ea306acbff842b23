# SPDX-License-Identifier: Apache-2.0
"""What the tests of faults share: small whole runs (the fuzz targets' cases), the shim that makes calls go wrong
(preload.c), and what must hold whatever went wrong."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

# Programs inherit which signals are ignored, and a shell that started this in the background ignores some.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = os.path.join(os.path.dirname(HERE), "fuzz", "targets")
FULL = bool(os.environ.get("FULL"))
OLD = b"what was there before\n"

# Outputs of each kind of run, added to what a case asks for. A directory ends with a slash.
OUTPUTS = {
    "run": {"--json": "r.json", "--csv": "r.csv", "--flows": "r.flows", "--overlay": "r.tsv", "--links": "r.links"},
    "ramp": {"--json": "r.json", "--csv": "r.csv", "--overlay": "r.tsv"},
    "trend": {"--json": "r.json", "--csv": "r.csv", "--alert": "r.txt", "--html": "pages/", "--svg": "graphs/"},
    "triage": {"--json": "r.json", "--csv": "r.csv", "--html": "r.html"},
    "plan": {"--json": "r.json", "--html": "r.html"},
    "compare": {"--json": "r.json"},
    "pinglist": {"--out": "lists/"},
}
if FULL:
    OUTPUTS["run"].update({"--html": "r.html", "--markdown": "r.md", "--junit": "r.xml", "--prometheus": "r.prom"})


def target(name):
    """The words and the files of a fuzz target."""
    with open(os.path.join(TARGETS, name + ".case"), encoding="utf-8") as f:
        head, *parts = re.split(r"^== (.*)\n", f.read(), flags=re.M)
    return head[len("args: "):].split(), dict(zip(parts[0::2], (p.encode() for p in parts[1::2])))


class Case:
    """A small run in a folder of its own, and how it goes when nothing is wrong: that of a fuzz target, or any other."""

    def __init__(self, suite, name, kind, outputs=None, made=None):
        self.suite, self.name, self.kind = suite, name, kind
        words, self.files = made or target(name)
        keep = words[:words.index("--json")] if "--json" in words else words
        self.outputs = OUTPUTS[kind] if outputs is None else outputs
        self.args = keep + ["--jobs", "1"] * (kind in ("run", "ramp"))
        for option, path in self.outputs.items():
            self.args += [option, path.rstrip("/")]
        self.good = self.run()
        if self.good.status not in (0, 1):
            sys.exit("%s cannot be run: %s" % (name, self.good.stderr.decode(errors="replace")))

    def run(self, fault=None, old=False, prepare=None, **how):
        """Runs the case once; `fault` is FAULT's value; with `old`, every output file exists before."""
        with tempfile.TemporaryDirectory(dir=self.suite.dir) as folder:
            for name, data in self.files.items():
                put(os.path.join(folder, name), data)
            for path in self.outputs.values():
                if old and not path.endswith("/"):
                    put(os.path.join(folder, path), OLD)
            if prepare:
                prepare(folder)
            return self.suite.run(self.args, folder, fault, set(self.files), **how)


CLOS = b"""dc T
  spine s1 role=spine
  rack t1 nic_gbps=10 uplinks=1 uplink_gbps=10
    node tor1 role=tor
    node a role=server addr=192.0.2.1
    node b role=server addr=192.0.2.2
  rack t2 nic_gbps=10
    node tor2 role=tor
    node c role=server addr=192.0.2.3
"""


def others(suite):
    """What verbs without a reader of their own write."""
    return [Case(suite, verb, verb, made=([verb, "floor.dc"], {"floor.dc": CLOS})) for verb in ("plan", "pinglist")]


class Result:
    def __init__(self, process, stdout, stderr, files, fired):
        self.status, self.stdout, self.stderr, self.files, self.fired = process, stdout, stderr, files, fired


class Suite:
    """One program under test, the shim, and what failed so far."""

    def __init__(self):
        program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RECKON")
        if not program:
            sys.exit("usage: %s RECKON" % sys.argv[0])
        self.reckon = os.path.abspath(program)
        self.dir = tempfile.mkdtemp(prefix="reckon-fault-")
        self.shim = os.path.join(self.dir, "preload.so")
        self.tried, self.failed = 0, 0
        subprocess.run(os.environ.get("CC", "cc").split() + ["-O1", "-shared", "-fPIC", "-o", self.shim,
                                                              os.path.join(HERE, "preload.c")], check=True)

    def run(self, args, folder, fault=None, inputs=(), **how):
        env = {k: v for k, v in os.environ.items() if not k.startswith("RECKON")}
        fired = os.path.join(self.dir, "fired")
        if fault:
            env.update(LD_PRELOAD=self.shim, FAULT=fault, FAULT_FIRED=fired)
        how.setdefault("stdout", subprocess.PIPE)
        p = subprocess.run([self.reckon] + args, cwd=folder, env=env, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                           timeout=120, check=False, **how)
        files = {}
        for path in glob.glob(folder + "/**", recursive=True) + glob.glob(folder + "/**/.*", recursive=True):
            name = os.path.relpath(path, folder)
            if os.path.isfile(path) and name not in inputs:
                files[name] = read(path)
        happened = os.path.exists(fired)
        if happened:
            os.unlink(fired)
        self.tried += 1
        return Result(p.returncode, p.stdout or b"", p.stderr, files, happened)

    def check(self, right, what):
        if not right:
            self.failed += 1
            if self.failed <= 50:
                print("FAIL " + what)
        return right

    def end(self):
        shutil.rmtree(self.dir)
        print("%d runs, %d failures" % (self.tried, self.failed))
        sys.exit(self.failed > 0 or self.tried == 0)


def put(path, data):
    with open(path, "wb") as f:
        f.write(data)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def one_line(stderr):
    """Exactly one line, and one of ours."""
    return re.fullmatch(rb"reckon: [^\n]+\n", stderr) is not None


def intact(suite, case, result, what, old):
    """Every file is what it was or what it should become, and nothing else is there."""
    for name, data in sorted(result.files.items()):
        good = case.good.files.get(name)
        suite.check(good is not None, "%s: left %s behind" % (what, name))
        suite.check(good is None or data == good or (old and data == OLD),
                    "%s: %s is neither the old file nor the new one (%d bytes)" % (what, name, len(data)))
    for path in case.outputs.values():
        if old and not path.endswith("/"):
            suite.check(path in result.files, "%s: %s is gone" % (what, path))
