#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab.py [--repeat N] [--write FILE] [SCENARIO...] -- the whole product on a fabric of known truth.

Builds a fabric of network namespaces (tests/lab/fabric), measures it with `reckon bench`, hands what was written to
`reckon`, and judges the verdict against what was built. With --write the table goes into FILE between its markers. Needs
root, iproute2 and nftables; the program is $RECKON. The exit status is 1 when a verdict was wrong, and 77 where there are
no namespaces.
"""
import argparse
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FABRIC = os.path.join(HERE, "fabric")
PREFIX = "rk%d" % os.getpid()  # of the namespaces' names
RECKON = os.path.abspath(os.environ.get("RECKON", "./reckon"))
RACKS = "r01:a1,a2 r02:b1,b2 r03:c1,c2"
HOSTS = ("a1", "a2", "b1", "b2", "c1", "c2")
NIC, UPLINK = 20, 40  # Mb/s, as tbf counts a frame: 14 bytes and the IP packet
SIZE, REPLY = 1400, 64  # bytes of a ping's messages
DATA_PORT = 7200
# reckon counts 24 bytes more a frame than tbf (preamble, FCS, gap): what is declared is the shaped rate in its terms
WIRE = (SIZE + 66 + REPLY + 66) / (SIZE + 42 + REPLY + 42)
WIRE_TCP = 1538 / 1514
PER_FLOW = NIC * 1e6 / 8 / (SIZE + 42 + REPLY + 42) / 5  # requests/s of each of a host's five flows on a full NIC


def fabric(*args):
    return subprocess.run([FABRIC, *map(str, args)], check=True, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "FABRIC": PREFIX}).stdout


def layout(lab, wire=WIRE):
    path = os.path.join(lab.folder, "lab.dc")
    with open(path, "w", encoding="ascii") as f:
        f.write("dc lab nic_gbps=%.6f uplink_gbps=%.6f\n" % (NIC * wire / 1000, lab.uplink * wire / 1000))
        for rack in RACKS.split():
            name, hosts = rack.split(":")
            f.write("  rack %s\n" % name + "".join("    node %s\n" % h for h in hosts.split(",")))
    return path


def first_in_line():
    """Hosts share this machine with whatever else runs on it: they come first, as if each had cores of its own."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


class Lab:
    """A fabric with a node on every host."""

    def __init__(self, folder, *changes, racks=RACKS, nic=NIC, uplink=UPLINK):
        self.folder, self.runs, self.uplink = folder, 0, uplink
        self.key = os.path.join(folder, "key")
        with open(os.open(self.key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as f:
            f.write(os.urandom(32))
        lines = [line.split() for line in fabric("up", racks, nic, uplink, *changes).splitlines()]
        self.hosts = {name: mgmt for name, _, mgmt in lines}
        self.data = {name: data for name, data, _ in lines}
        self.nodes = {name: self.start(name) for name in self.hosts}
        time.sleep(1 + 0.05 * len(lines))

    def start(self, name):
        return subprocess.Popen(["ip", "netns", "exec", PREFIX + "-" + name, RECKON, "node", "--quiet", "--listen",
                                 self.hosts[name], "--data", "%s:%d" % (self.data[name], DATA_PORT), "--key-file", self.key, "--max-flows", "100000"],
                                preexec_fn=first_in_line)

    def end(self):
        for node in self.nodes.values():
            node.send_signal(signal.SIGTERM)
        for node in self.nodes.values():
            node.wait(20)
        fabric("down")

    def hosts_option(self, names=None):
        return ",".join("%s=%s" % (n, self.hosts[n]) for n in names or self.hosts)

    def console(self, *args, clients=None, servers=None):
        return ["ip", "netns", "exec", PREFIX + "-core", RECKON, "bench", *map(str, args), "--key-file", self.key, "--clients",
                self.hosts_option(clients), "--servers", self.hosts_option(servers)]

    def bench(self, *args, status=0):
        """Runs a test; where its results are."""
        self.runs += 1
        out = os.path.join(self.folder, "run%d" % self.runs)
        r = subprocess.run(self.console(*args, "--out", out), capture_output=True, text=True, timeout=300, check=False)
        assert r.returncode == status, "bench ended with %d: %s" % (r.returncode, r.stderr)
        return out

    def ping(self, *args):
        return os.path.join(self.bench("ping", "--size", SIZE, "--reply-size", REPLY, *args), "reports")


def reckon(*args):
    # all hosts are one machine here: how busy its cores are says nothing about any of them
    skip = ("--skip", "CPU_BOUND", "--skip", "RAMP_CPU")
    r = subprocess.run([RECKON, *args, *skip, "--json"], capture_output=True, text=True, timeout=120, check=False)
    assert r.returncode == 0, "reckon ended with %d: %s" % (r.returncode, r.stderr)
    return json.loads(r.stdout)


def raised(report):
    """What it found that matters."""
    return sorted((f["rule_id"], f["severity"], f["host"]) for f in report["findings"] if f["severity"] != "INFO")


def only(report, rule, severities, hosts, text=""):
    """Exactly one finding that matters, and that one. The reason why not, or None."""
    found = raised(report)
    if len(found) != 1:
        return "found %s" % (found or "nothing")
    said = [f for f in report["findings"] if f["severity"] != "INFO"][0]
    right = said["rule_id"] == rule and said["severity"] in severities and said["host"] in hosts
    return None if right and text in json.dumps(said) else "found %s" % json.dumps(said)


# ---- scenarios: how the fabric is built, and a function that measures once and says what is wrong (None: right)

LOADED = ("--concurrency", "12", "--time", "5")


def closed_loop(lab):
    return reckon(layout(lab), "--mx", lab.ping(*LOADED))


def healthy(lab):
    found = raised(closed_loop(lab))
    return "found %s" % found if found else None


def slow_nic(lab):
    return only(closed_loop(lab), "HOST_SHORT", ("CRITICAL",), ("b2",))


def slow_uplink(lab):
    return only(closed_loop(lab), "GROUP_SHORT", ("CRITICAL", "WARN"), ("*",), "r02")


def all_slow(lab):
    return only(closed_loop(lab), "FLEET_SHORT", ("CRITICAL",), ("*",))


def lossy_path(lab):
    report = reckon(layout(lab), "--mx", lab.ping("--rate", "150", "--concurrency", "64", "--time", "6", "--timeout", "0.5"))
    return only(report, "LOSS_BELOW_CAPACITY", ("WARN",), ("a1", "c1"))


STEPS = (0.4, 0.6, 0.75, 0.85, 0.93, 1.1, 1.25)  # of what a full NIC gives a flow


def ramp(lab):
    steps = [lab.ping("--rate", "%.0f" % (share * PER_FLOW), "--arrivals", "poisson", "--concurrency", "32", "--time", "8")
             for share in STEPS]
    report = reckon(layout(lab), "--ramp", *steps)
    fit = report["model"]["fleet"]
    ceiling, knee = fit["ceiling"], fit["knee"]
    if not ceiling or abs(ceiling / PER_FLOW - 1) > 0.1:
        return "ceiling %s, shaped %.0f" % (ceiling, PER_FLOW)
    return None if knee and 0 < knee < ceiling else "knee %s of ceiling %s" % (knee, ceiling)


def queueing(lab):
    idle = os.path.join(lab.folder, "idle%d" % lab.runs)
    subprocess.run(lab.console("ping", "--rate", "20", "--time", "3", "--idle-out", idle), check=True, capture_output=True, timeout=60)
    report = reckon(layout(lab), "--mx", lab.ping("--rate", "150", "--concurrency", "8", "--time", "6"), "--idle", idle)
    return only(report, "QUEUEING", ("WARN",), tuple(lab.hosts))


def bulk_tcp(lab):
    out = lab.bench("bulk", "--transport", "tcp", "--size", "65536", "--concurrency", "8", "--time", "10", "--timeout", "8")
    return reckon(layout(lab, WIRE_TCP), "--iperf", os.path.join(out, "overlay.tsv"))


def healthy_tcp(lab):
    found = raised(bulk_tcp(lab))
    return "found %s" % found if found else None


def slow_nic_tcp(lab):
    return only(bulk_tcp(lab), "HOST_SHORT", ("CRITICAL", "WARN"), ("b2",))


SCENARIOS = {
    "healthy": ("everything as declared", healthy, (), {}),
    "slow_nic": ("b2's NIC at a third", slow_nic, ("b2=%.2f" % (NIC / 3),), {}),
    "slow_uplink": ("r02's uplink at half", slow_uplink, ("rack:r02=%d" % (UPLINK / 4),), {"uplink": UPLINK / 2}),
    "all_slow": ("all NICs at 40 %", all_slow, tuple("%s=%g" % (h, NIC * 0.4) for h in HOSTS), {}),
    "lossy_path": ("5 % of a1 to c1 lost", lossy_path, (), {}),
    "ramp": ("a ramp from 40 to 125 % of the NICs", ramp, (), {}),
    "queueing": ("r02's uplink just too slow for paced flows, and deep", queueing, ("rack:r02=14.4",), {}),
    "healthy_tcp": ("everything as declared, bulk over tcp", healthy_tcp, (), {}),
    "slow_nic_tcp": ("b2's NIC at a third, bulk over tcp", slow_nic_tcp, ("b2=%.2f" % (NIC / 3),), {}),
}
RIGHT = {
    "healthy": "nothing found that matters",
    "slow_nic": "`HOST_SHORT` on b2, CRITICAL, and nothing else",
    "slow_uplink": "`GROUP_SHORT` on r02, and nothing else",
    "all_slow": "`FLEET_SHORT`, CRITICAL, and nothing else",
    "lossy_path": "`LOSS_BELOW_CAPACITY` on that path, and nothing else",
    "ramp": "ceiling within 10 % of the shaped rate, the knee below it",
    "queueing": "`QUEUEING` (with `--idle` from the bench's own idle probe), and nothing else",
    "healthy_tcp": "nothing found that matters",
    "slow_nic_tcp": "`HOST_SHORT` on b2, and nothing else",
    "trend": "every pair of b2 regressed with the first run on the slow NIC",
}


def play(name, repeat, root):
    """How often the verdict was right, and what was said when it was not."""
    _, measure, changes, build = SCENARIOS[name]
    folder = os.path.join(root, name)
    os.mkdir(folder)
    lab, right, wrong = Lab(folder, *changes, **build), 0, []
    lossy = name == "lossy_path"
    try:
        if lossy:
            fabric("lossy", "a1", "c1", 5)
        for _ in range(repeat):
            try:
                why = measure(lab)
            except AssertionError as e:
                why = str(e)
            right += why is None
            wrong += [why] if why else []
            print("  %-12s %s" % (name, why or "right"), flush=True)
    finally:
        lab.end()
    return right, wrong


def trend(root):
    """The healthy runs, then those with the slow NIC, as one history."""
    history = os.path.join(root, "history")
    os.mkdir(history)
    first = None
    for scenario in ("healthy", "slow_nic"):
        for path in sorted(glob.glob(os.path.join(root, scenario, "run*", "samples.csv")), key=os.path.getmtime):
            shutil.copy(path, os.path.join(history, "%s-%s.csv" % (scenario, os.path.basename(os.path.dirname(path)))))
            if scenario == "slow_nic" and first is None:
                with open(path, encoding="utf-8") as f:
                    first = float(f.read().splitlines()[1].split(",")[0])
    r = subprocess.run([RECKON, "trend", history, "--json"], capture_output=True, text=True, timeout=120, check=False)
    assert r.returncode == 0, r.stderr
    right, wrong = 0, []
    for t in json.loads(r.stdout)["tests"]:
        if "b2" not in t["test"]:
            continue
        drops = [g["first_ts"] for g in t["groups"] if g["comment"] == "regression"]
        good = any(abs(ts - first) < 0.01 for ts in drops)
        right += good
        wrong += [] if good else ["%s: %s" % (t["test"], t["groups"])]
    return right, wrong


def write_table(path, mark, head, rows):
    """Puts the table between the marks of that name."""
    begin, end = "<!-- begin %s -->" % mark, "<!-- end %s -->" % mark
    table = ["| " + " | ".join(map(str, row)) + " |" for row in (head, ("---",) * len(head), *rows)]
    with open(path, encoding="utf-8") as f:
        before, _, rest = f.read().partition(begin)
    with open(path, "w", encoding="utf-8") as f:
        f.write("%s%s\n%s\n%s%s" % (before, begin, "\n".join(table), end, rest.partition(end)[2]))


def possible():
    """Whether there can be a lab here; else ends with why not."""
    why = None if os.geteuid() == 0 else "network namespaces need root"
    for tool in ("ip", "tc", "nft"):
        why = why or (None if shutil.which(tool) else "there is no %s here" % tool)
    if not why and subprocess.run(["ip", "netns", "add", PREFIX + "-try"], capture_output=True, check=False).returncode:
        why = "this machine allows no network namespaces"
    if why:
        print("SKIP: %s" % why)
        sys.exit(77)
    subprocess.run(["ip", "netns", "del", PREFIX + "-try"], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--write")
    parser.add_argument("--keep", help="keep what was measured in this folder")
    parser.add_argument("scenarios", nargs="*")
    options = parser.parse_args()
    possible()
    root = options.keep or tempfile.mkdtemp(prefix="reckon-lab-")
    os.makedirs(root, exist_ok=True)
    rows, wrong = [], []
    try:
        for name in options.scenarios or SCENARIOS:
            right, why = play(name, options.repeat, root)
            rows.append((SCENARIOS[name][0], RIGHT[name], right, options.repeat))
            wrong += ["%s: %s" % (name, w) for w in why]
        if not options.scenarios:
            right, why = trend(root)
            rows.append(("the healthy runs, then those with b2's NIC at a third, as a history", RIGHT["trend"], right, right + len(why)))
            wrong += ["trend: %s" % w for w in why]
    finally:
        fabric("down")
        if not options.keep:
            shutil.rmtree(root)
    if options.write:
        write_table(options.write, "verdicts", ("fabric", "right verdict", "right"),
                    [(fabric_is, verdict, "%d of %d" % (right, times)) for fabric_is, verdict, right, times in rows])
    for row in rows:
        print("%-60s %d of %d" % (row[0], row[2], row[3]))
    for line in wrong:
        print("WRONG", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
