# SPDX-License-Identifier: Apache-2.0
"""What the tests of the plugin kit share: building tiny modules with the kit's own flags, and running reckon with them."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

RUN = """ts,host,dir,peer,size,rep_size,target_pps,pps,rep_pps
1000,a,tx,b,1434,34,1000,1000,990
1000,b,tx,a,1434,34,1000,1000,990
"""

RULE = """#include <reckon/plugin.h>
static int evaluate(struct reckon *r, void *subject) { (void)r; (void)subject; %(body)s return 0; }
static const struct reckon_option options[] = { %(options)s {.type = RECKON_OPTION_END} };
RECKON_PLUGIN(rule, %(ident)s) = {.name = "%(name)s", .summary = "a test", .options = options, .rule = {
    .title = "test", .why = "%(why)s", .lead = "A test", .rank = %(rank)d, .on = "run", .evaluate = evaluate}};
"""
WHY = "A rule of a test, whose reasoning is long enough to be one."


class Failed(Exception):
    """A test failed: what was expected and what came."""


class Kit:
    """One program under test, and a folder for what the tests make."""

    def __init__(self, reckon):
        self.reckon = os.path.abspath(reckon)
        self.build = os.path.dirname(self.reckon)
        self.dir = tempfile.mkdtemp(prefix="reckon-kit-")
        os.chmod(self.dir, 0o755)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("RECKON")}
        self.env["PKG_CONFIG_PATH"] = os.path.join(self.build, "kit")
        self.cc = os.environ.get("CC", "cc").split()
        self.cflags = self.pkg("--cflags")
        self.libs = self.pkg("--libs")
        self.run_csv = self.write("run.csv", RUN)
        self.sanitized = b"__asan_init" in open(self.reckon, "rb").read()

    def close(self):
        shutil.rmtree(self.dir)

    def pkg(self, what):
        return subprocess.check_output(["pkg-config", what, "reckon"], env=self.env, text=True).split()

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def folder(self, name):
        """A new, empty folder for modules."""
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path, 0o755)
        return path

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def module(self, folder, stem, source, *flags):
        """Builds folder/stem.so by what reckon.pc says."""
        c = self.write("source/%s.c" % stem, source)
        so = os.path.join(folder, stem + ".so")
        subprocess.check_call(self.cc + self.cflags + ["-O0", "-w", "-o", so, c] + self.libs + list(flags))
        os.chmod(so, 0o644)
        return so

    def rule(self, folder, name, body="", options="", why=WHY, rank=1550, stem=None):
        ident = name.lower()
        source = RULE % {"ident": ident, "name": name, "body": body, "options": options, "why": why, "rank": rank}
        return self.module(folder, stem or "rule_" + ident, source)

    def run(self, *args, env=None, program=None):
        """Status (negative: the signal), standard output, standard error."""
        p = subprocess.run([program or self.reckon, *args], env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=120)
        return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")

    def reckoned(self, *args, **more):
        """A run that everybody can compare, as CSV."""
        return self.run("--nic-gbps", "10", "--mx", self.run_csv, "--csv", *args, **more)


def expect(condition, what, *shown):
    if not condition:
        raise Failed(what + "".join("\n    | " + line for s in shown for line in str(s).rstrip("\n").split("\n")))


def call(kit, *words, cwd=None, **env):
    # a make that calls this test must not tell the ones below what to do
    clean = {k: v for k, v in kit.env.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "DESTDIR")}
    clean.pop("PKG_CONFIG_PATH", None)
    p = subprocess.run(words, cwd=cwd, env={**clean, **env}, capture_output=True, text=True)
    if p.returncode:
        raise Failed("%s ended with %d\n%s%s" % (" ".join(words), p.returncode, p.stdout[-3000:], p.stderr[-3000:]))
    return p.stdout


def files(folder):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)


def install(kit):
    """Stages an installed tree. Returns its root, the program and the folder of reckon.pc."""
    stage = kit.path("stage")
    call(kit, "make", "install", "DESTDIR=" + stage, cwd=kit.build)
    return stage, find(stage, "/bin/reckon"), os.path.dirname(find(stage, "/reckon.pc"))


def find(folder, end):
    return [f for f in files(folder) if f.endswith(end)][0]


def uninstall(kit, stage):
    call(kit, "make", "uninstall", "DESTDIR=" + stage, cwd=kit.build)
    expect(not files(stage), "make uninstall must leave nothing", *files(stage))


def main(tests):
    """Runs the tests (functions of a Kit); a test may return why it was left out."""
    kit = Kit(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RECKON", "./reckon"))
    only = sys.argv[2:]
    failed = passed = 0
    try:
        for test in tests:
            name = test.__name__
            if only and name not in only:
                continue
            try:
                why = test(kit)
                passed += why is None
                if why:
                    print("left out: %s: %s" % (name, why))
            except (Failed, subprocess.SubprocessError, OSError, KeyError, ValueError) as e:
                failed += 1
                print("FAIL %s: %s" % (name, e))
    finally:
        kit.close()
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


SIGNALS = {name: int(getattr(signal, "SIG" + name)) for name in ("SEGV", "BUS", "FPE", "ILL", "ABRT")}
