#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""triage, pinglist and probe end to end, as $RECKON: outputs, --follow against whole files, lines that make no sense,
growing files judged in time, and agents on the loopback that answer those they probe and nobody else. A minute.

    triage.py            with SIM, the simulator's program, in the environment (default: tests/triage_sim)
"""
import csv, json, os, random, shutil, signal, socket, struct, subprocess, sys, tempfile, time
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from measured import ahead  # noqa: E402

RECKON = os.path.abspath(os.environ.get("RECKON", "./reckon"))
SIM = os.path.abspath(os.environ.get("SIM", "tests/triage_sim"))
SIZE = ["3", "2", "2", "2"]
failures = []


def check(what, ok, detail=""):
    if not ok:
        failures.append(what)
        print(f"FAIL: {what} {detail}")


def reckon(*args, **more):
    return subprocess.run([RECKON, *args], text=True, capture_output=True, timeout=120, **more)


def read(path):
    with open(path) as f:
        return f.read()


def simulate(count, mix, seed="5"):
    """The records of some faults as a list of lines, and the layout beside them."""
    with open("sim.dc", "w") as f:
        subprocess.run([SIM, "layout", *SIZE], stdout=f, check=True)
    out = subprocess.run([SIM, "faults", *SIZE, seed, str(count), "truth.csv", mix], capture_output=True, check=True, text=True)
    return out.stdout.splitlines(keepends=True)


HEADERS = {"probes": "ts,list,prober,target,tuple,qpn,status,app_rtt_ns,nic_rtt_ns,responder_ns",
           "agents": "ts,host,rnic,qpn,event", "paths": "tuple,leg,links"}


def as_files(lines):
    for kind, header in HEADERS.items():
        with open(kind + ".csv", "w") as f:
            f.write(header + "\n")
            f.writelines(line[len(kind) + 1:] for line in lines if line.startswith(kind + ","))


FILES = ["--probes", "probes.csv", "--agents", "agents.csv", "--paths", "paths.csv"]


def names(path):
    return [(p["rule_id"], p["name"], p["start"], p["end"], p["timeouts"]) for p in json.loads(read(path))["problems"]]


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.count, self.open = {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1


def outputs(lines):
    as_files(lines)
    run = reckon("triage", "sim.dc", *FILES, "--json", "a.json", "--csv", "a.csv", "--html", "a.html", "--all")
    check("files are judged", run.returncode == 0, run.stderr)
    whole = json.loads(read("a.json"))
    check("the report has findings and periods", "PERIODS" in run.stdout and "VERDICT" in run.stdout)
    check("json begins with meta and verdict", list(whole)[:2] == ["meta", "verdict"] and whole["meta"]["mode"] == "triage")
    rows = list(csv.DictReader(read("a.csv").splitlines()))
    check("csv has the findings", [r["rule_id"] for r in rows] == [f["rule_id"] for f in whole["findings"]])
    page = Page(read("a.html"))
    check("html has five series and every problem", page.count.get("path") == 5
          and page.count.get("rect") == len(whole["problems"]), page.count)
    check("every fault is named", {p["name"] for p in whole["problems"]} >= {f["name"] for f in csv.DictReader(read("truth.csv").splitlines())})
    reckon("triage", "sim.dc", *FILES, "--json", "b.json")
    check("two reckonings are the same bytes", read("a.json") == read("b.json"))
    shuffled = lines[:]
    random.Random(1).shuffle(shuffled)
    as_files(shuffled + shuffled[:5000])
    reckon("triage", "sim.dc", *FILES, "--json", "c.json")
    check("neither order nor copies change a problem", names("c.json") == names("a.json"))
    check("both are said", "copies" in str(json.loads(read("c.json"))["meta"]["notes"]))
    run = reckon("triage", "sim.dc", "--follow", "--json", "d.json", input="".join(lines))
    check("following gives the same problems", names("d.json") == names("a.json"))
    check("and says them as they come", run.stdout.count(" begins ") + run.stdout.count(" perhaps ") > 0)
    catch_up(lines)
    run = reckon("triage", "sim.dc", *FILES, "--exit-code", "--only", "HOST_DOWN")
    check("--only and --exit-code", run.returncode == 10 and "RNIC problem" not in run.stdout, run.stdout)


def followed(*args):
    """What --follow makes of files that do not grow: it is ended once it has nothing left to do."""
    p = subprocess.Popen([RECKON, "triage", "sim.dc", *args, "--follow", "--json", "f.json"], stdout=subprocess.DEVNULL)
    if os.path.exists("f.json"):
        os.remove("f.json")
    spent, still = None, 0
    while still < 5:
        time.sleep(0.2)
        now = read(f"/proc/{p.pid}/stat").split()[13:15]
        spent, still = now, still + 1 if now == spent else 0
    p.terminate()
    p.wait(30)
    return json.loads(read("f.json"))


def catch_up(lines):
    """Files that hold records already are judged as without --follow: a small file is not read to its end before large ones, a
    file of each RNIC is no other than one of all, and after a pause of all agents nobody is ahead of the rest."""
    def no_pause(line):
        return line.startswith("paths,") or not 1700000130 <= float(line.split(",", 2)[1]) < 1700000350
    for what, some in (("all", lines), ("with a pause", [line for line in lines if no_pause(line)])):
        as_files(some)
        reckon("triage", "sim.dc", *FILES, "--json", "p.json")
        whole = json.loads(read("p.json"))
        shutil.rmtree("by-rnic", ignore_errors=True)
        os.mkdir("by-rnic")
        for line in read("probes.csv").splitlines(keepends=True)[1:]:
            path = "by-rnic/" + line.split(",")[2].replace("/", "-") + ".csv"
            with open(path, "a") as f:
                f.write(line if f.tell() else HEADERS["probes"] + "\n" + line)
        for files in (FILES, ["--probes", "by-rnic", *FILES[2:]]):
            result = followed(*files)
            check(f"{what}: following {files[1]} leaves nothing out", result["meta"]["probes"] == whole["meta"]["probes"]
                  and "left out" not in str(result["meta"]["notes"]), result["meta"])
            check(f"{what}: following {files[1]} finds the same",
                  result["problems"] == whole["problems"] and result["periods"] == whole["periods"])


def the_job(lines):
    """A dead cable, a job on it or off it, and the job's metric: the classes, the exit status and what the verdict begins with."""
    fault = next(csv.DictReader(read("truth.csv").splitlines()))
    start, spine = float(fault["start"]), fault["name"].split("-")[0]
    ways = [line.rstrip("\n").split(",") for line in lines if line.startswith("paths,")]
    on = {w[1] for w in ways if f">{spine} " in w[3] and fault["name"].split("-")[1] in w[3].replace(">", " ").split()}
    off = {w[1] for w in ways if f">{spine} " not in w[3]} - on
    as_files(lines)
    for what, tuples, during, status, rule, impact in (
            ("P0", on, 60, 20, "SWITCH_PROBLEM", "P0"), ("P1", on, 97, 10, "SWITCH_PROBLEM", "P1"),
            ("P2", off, 97, 0, "SWITCH_PROBLEM", "P2"), ("innocent", off, 60, 0, "NETWORK_INNOCENT", "P2")):
        with open("job.csv", "w") as f:
            f.write("tuple\n" + sorted(tuples)[0] + "\n")
        with open("rate.csv", "w") as f:
            f.write("ts,value\n")
            for i in range(170):  # before the fault 100, within it and to the end of its last period less
                f.write(f"{1700000000 + i}.5,{during if start <= 1700000000 + i < start + 40 else 100}\n")
        run = reckon("triage", "sim.dc", *FILES, "--job", "job.csv", "--job-metric", "rate.csv", "--json", "j.json", "--exit-code")
        result = json.loads(read("j.json"))
        named = [p for p in result["problems"] if p["rule_id"] == "SWITCH_PROBLEM"]
        check(f"{what}: the exit status", run.returncode == status, run.returncode)
        check(f"{what}: the periods' class", what != "innocent" or "P2, innocent\n" in run.stdout, run.stdout)
        check(f"{what}: the verdict", result["verdict"]["rule_id"] == rule, result["verdict"])
        check(f"{what}: the impact", [p["name"] for p in named] == [fault["name"]] and named[0]["class"] == impact, named)


def hostile_names(lines):
    """Names of links that would colour a terminal, turn text around or end an element stay names in the page."""
    spine = next(csv.DictReader(read("truth.csv").splitlines()))["name"].split("-")[0]
    as_files([line.replace(spine, spine + "\x1b[31m\u202e<b") if line.startswith("paths,") else line for line in lines])
    reckon("triage", "sim.dc", *FILES, "--html", "h.html")
    page = read("h.html")
    check("hostile names are shown as they are", "\x1b" not in page and "\u202e" not in page and "<b" not in page
          and page.count(spine + "\\x1b[31m\\xe2\\x80\\xae&lt;b") >= 3, page[-600:])
    as_files(lines)


def not_probed(lines):
    """What was not probed is said: hosts without any record, periods without a probe. A time of 5 s is no less slow than one
    of 4 s."""
    paused = []
    for line in lines:
        kind, ts = line.split(",", 2)[:2]
        if kind == "paths" or not 1700000030 <= float(ts) < 1700000095:  # nothing is left of the periods from 40 and 60
            paused.append(line)
    as_files(paused)
    with open("more.dc", "w") as f:
        f.write(read("sim.dc") + "  rack x\n    node tx role=tor\n    node x[1..7] role=server\n")
    reckon("triage", "more.dc", *FILES, "--json", "n.json")
    notes = json.loads(read("n.json"))["meta"]["notes"]
    check("hosts that took no part are named", any(x.startswith("7 hosts of the layout took no part, ")
                                                   and x.endswith(": x1, x2, x3, x4, x5 and 2 more") for x in notes), notes)
    check("periods without a probe are said",
          any("no probe in 2 periods among those judged (the first from 2023-11-14T22:14:00Z)" in x for x in notes), notes)
    as_files(lines)
    reckon("triage", "sim.dc", *FILES, "--json", "n.json")
    check("what was probed is not", not json.loads(read("n.json"))["meta"]["notes"], read("n.json")[:900])
    for seconds, limit in ((4, 4000.1e3), (5, 4294.967294e3)):
        slow = []
        for line in lines:
            c = line.split(",")
            if c[0] == "probes" and c[3] == "h1/0" and 1700000040 <= float(c[1]) < 1700000060 and c[8]:
                c[8] = str(int(c[8]) + seconds * 1000000000)
            slow.append(",".join(c))
        as_files(slow)
        reckon("triage", "sim.dc", *FILES, "--json", "n.json")
        result = json.loads(read("n.json"))
        found = [p for p in result["problems"] if p["rule_id"] == "HOST_SLOW"]
        check(f"a delay of {seconds} s is slow",
              [p["name"] for p in found] == ["h1"] and abs(found[0]["p99_us"] - limit) < 100, found)
        notes = str(result["meta"]["notes"])
        check(f"a delay of {seconds} s: what is cut is said", ("with a time of over 4.29 s" in notes) == (seconds == 5), notes)
    as_files(lines)


def job_unknown():
    """A slow job whose path nobody traced: the network is not called innocent, and why is said."""
    with open("job.csv", "w") as f:
        f.write("tuple\n1.2.3.4:1>5.6.7.8:2\n")
    with open("rate.csv", "w") as f:
        f.write("ts,value\n")
        f.writelines(f"{t},{50 if 1700000080 <= t < 1700000120 else 100}\n" for t in range(1700000000, 1700000202, 2))
    reckon("triage", "sim.dc", *FILES, "--job", "job.csv", "--job-metric", "rate.csv", "--json", "j.json")
    result = json.loads(read("j.json"))
    skipped = {s["rule_id"]: s["reason"] for s in result["skipped"]}
    check("a job without a traced path: nobody is innocent",
          "no path of the job's 1 tuple was traced" in skipped.get("NETWORK_INNOCENT", "")
          and result["verdict"]["rule_id"] != "NETWORK_INNOCENT" and not result["meta"]["network_innocent"], result["verdict"])
    notes = str(result["meta"]["notes"])
    check("a job without a traced path is said", "no path of 1 of the job's 1 tuple" in notes, notes)


def nonsense(lines):
    """Records with bytes changed, cut and doubled: counted, never fatal."""
    chance = random.Random(7)
    spoiled = []
    for line in lines[:200] + chance.sample(lines, 20000):
        data = bytearray(line.encode())
        for _ in range(chance.choice([0, 0, 1, 3, 30])):
            where = chance.randrange(len(data) + 1)
            data[where:where + chance.choice([0, 1, 1, 5])] = bytes([chance.choice(b',"\n\0\xff9-.>:/e') for _ in range(chance.choice([0, 1, 2]))])
        spoiled.append(bytes(data))
    spoiled += [b"probes," + b"9" * 100000 + b"\n", b"probes,1e308,,,,,,,,,\n", b"paths,a:1>b:2,probe," + b"A>B " * 5000 + b"\n", b'probes,"', b"\n" * 10]
    run = subprocess.run([RECKON, "triage", "sim.dc", "--follow", "--json", "n.json"], input=b"".join(spoiled), capture_output=True, timeout=120)
    check("nonsense does not stop it", run.returncode in (0, 1), run.stderr)
    notes = str(json.loads(read("n.json"))["meta"]["notes"])
    check("nonsense is counted", "malformed" in notes and "left out" in notes, notes)


def in_time(lines):
    """Growing files, in real time: what is found is said within a second of the grace."""
    period, grace = 2, 1
    begin = (int(time.time()) // period + 1) * period
    moved = []
    for line in lines:
        kind, rest = line.split(",", 1)
        if kind == "paths":
            moved.append((0, line))
        else:
            ts, rest = rest.split(",", 1)
            at = float(ts) - 1700000000 - 40  # without the warm-up, ten times as fast
            if at >= 0:
                moved.append((at / 10, f"{kind},{begin + at / 10:.6f},{rest}"))
            elif "register" in rest:
                moved.append((0, f"{kind},{begin - 100:.6f},{rest}"))
    moved.sort()
    for kind, header in HEADERS.items():
        with open("grow-" + kind, "w") as f:
            f.write(header + "\n")
    follower = subprocess.Popen([RECKON, "triage", "sim.dc", "--probes", "grow-probes", "--agents", "grow-agents", "--paths", "grow-paths",
                                 "--follow", "--period", str(period), "--silent", str(period), "--grace", str(grace), "--json", "g.json"],
                                stdout=open("grow.out", "w"))
    files = {kind: open("grow-" + kind, "a") for kind in HEADERS}
    seen, latest = 0, 0.0
    for at, line in moved:
        wait = begin + at - time.time()
        if wait > 0:
            for f in files.values():
                f.flush()
            time.sleep(max(wait, 0.05))
        kind, rest = line.split(",", 1)
        files[kind].write(rest)
        said = read("grow.out").splitlines() if wait > 0 else []
        for text in said[seen:]:
            start = time.mktime(time.strptime(text[:20], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
            latest = max(latest, time.time() - (start + period + grace))
        seen = max(seen, len(said))
        if at > 12:
            break
    follower.send_signal(signal.SIGTERM)
    check("SIGTERM ends it well", follower.wait(30) == 0)
    check("growing files are judged as they grow", seen > 0)
    crowd = max(1, os.getloadavg()[0] / os.cpu_count())  # others who want the same cores
    check("within a second of the grace", latest < crowd + 0.3, latest)  # 0.3: how often this looks


# ---- agents

WIRE = struct.Struct(">IBBHIQQB16x5x")


def wire(kind, qpn=0, seq=1):
    return WIRE.pack(0x524B5031, kind, 0, 0, qpn, seq, 0, 0)


def ask(port, qpn, source):
    """Whether an agent answers a probe sent from an address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind((source, 0))
        s.settimeout(0.5)
        s.sendto(wire(1, qpn), ("127.0.0.11", port))
        try:
            return len(s.recv(200))
        except socket.timeout:
            return 0


def failing_agents(port):
    """What cannot run registers nothing: the port is another's, the list is not there or not its own, the record of it cannot
    be written."""
    before = read("lo-agents").count("register"), sorted(os.listdir("."))
    for what, rnic, path, book in (("in use", "h2/0", "lists/h2.csv", "lo-agents"),
                                   ("No such file", "h2/0", "lists/none.csv", "lo-agents"),
                                   ("no tuple of h3/0", "h3/0", "lists/h2.csv", "lo-agents"),
                                   ("No space", "h9/0", "lists/h2.csv", "/dev/full")):
        full = book == "/dev/full"
        run = reckon("probe", "--rnic", rnic, "--list", path, "--agents", book, "--out", "lo-full" if full else "lo-failing",
                     "--port", str(port), *(["--address", "127.0.0.22"] if full else []))
        check(f"an agent does not start: {what}", run.returncode == 2 and what in run.stderr and run.stderr.count("\n") == 1,
              run.stderr)
    after = read("lo-agents").count("register"), sorted(set(os.listdir(".")) - {"lo-full"})
    check("and leaves nothing behind", after == before, (before, after))


def agents():
    with open("lo.dc", "w") as f:
        f.write("rack A\n  node A role=tor\n  node h1 role=server rnics=2 addr=127.0.0.11,127.0.0.12\n"
                "  node h2 role=server addr=127.0.0.13\n")
    port = 20000 + os.getpid() % 20000
    run = reckon("pinglist", "lo.dc", "--out", "lists", "--port", str(port))
    check("lists are written", run.returncode == 0 and sorted(os.listdir("lists")) == ["h1.csv", "h2.csv"], run.stderr)
    with open("named.dc", "w") as f:
        f.write("rack [A,B]\n  node t role=tor\n  node h role=server name=h{rack} rnics=2 addr=10.{rack}.0.1,10.1.0.2\n")
    run = reckon("pinglist", "named.dc", "--out", "named")
    check("an addr= that is no address is said", "for 2 RNICs (the first: hA/0, which has 10.A.0.1)" in run.stderr, run.stderr)
    with open("service.csv", "w") as f:
        f.write(f"tuple\n127.0.0.11:50001>127.0.0.13:{port}\n")
    running = {}
    for rnic in ("h1/0", "h1/1", "h2/0"):
        name = rnic.replace("/", "-")
        more = ["--service", "service.csv"] if rnic == "h1/0" else []
        running[rnic] = subprocess.Popen([*ahead(), RECKON, "probe", "--rnic", rnic, "--list", f"lists/{rnic[:2]}.csv", "--agents", "lo-agents",
                                          "--out", f"lo-{name}", "--port", str(port), *more], stderr=subprocess.PIPE, text=True)
    with open("h8.csv", "w") as f:
        f.write(f"list,prober,target,tuple,rate_pps\ntor-mesh,h8/0,h2/0,127.0.0.18:50002>127.0.0.13:{port},10\n")
    full = subprocess.Popen([RECKON, "probe", "--rnic", "h8/0", "--list", "h8.csv", "--agents", "full-agents", "--port", str(port),
                             "--out", "/dev/full"], stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    failing_agents(port)
    time.sleep(5.5)
    full.terminate()
    said = full.communicate(timeout=20)[1]
    check("records that cannot be written are lost, and that is an error",
          full.returncode == 2 and said.count("No space left on device") == 2
          and " 0 records lost" not in said and "reckon: /dev/full: " in said, said)
    events = list(csv.DictReader(read("lo-agents").splitlines()))
    numbers = {e["rnic"]: int(e["qpn"]) for e in events if e["event"] == "register"}
    check("every agent registered", set(numbers) == set(running))
    check("a stranger is not answered", ask(port, numbers["h1/0"], "127.0.0.99") == 0)
    check("a peer is answered, by 50 bytes", ask(port, numbers["h1/0"], "127.0.0.13") == 50)
    check("an old number is refused", ask(port, numbers["h1/0"] ^ 2, "127.0.0.13") == 0)
    for p in running.values():
        p.terminate()
    said = {rnic: p.communicate(timeout=20)[1] for rnic, p in running.items()}
    check("SIGTERM ends agents well", all(p.returncode == 0 for p in running.values()), said)
    probes = {rnic: list(csv.DictReader(read("lo-" + rnic.replace("/", "-")).splitlines())) for rnic in running}
    mesh = [p for p in probes["h2/0"] if p["list"] == "tor-mesh"]
    service = [p for p in probes["h1/0"] if p["list"] == "service"]
    check("ten ToR-mesh probes a second", 50 <= len(mesh) <= 90, len(mesh))
    check("a service probe every 10 ms", 400 <= len(service) <= 850, len(service))
    late = [p for p in mesh[5:] + service[50:] if p["status"] != "ok"]
    check("they are answered", len(late) <= len(mesh + service) / 20, len(late))
    good = [p for p in mesh + service if p["status"] == "ok" and p["responder_ns"]]
    rtt = sorted(int(p["nic_rtt_ns"]) - int(p["responder_ns"]) for p in good)
    check("the network's time is between nothing and the program's", good and rtt[0] >= 0
          and all(int(p["nic_rtt_ns"]) <= int(p["app_rtt_ns"]) for p in good), rtt[:3])
    check("they upload every five seconds", sum(e["event"] == "upload" and e["rnic"] == "h2/0" for e in events) >= 2)
    run = reckon("triage", "lo.dc", "--probes", *("lo-" + r.replace("/", "-") for r in running), "--agents", "lo-agents", "--paths", "paths.csv")
    check("and triage reads what they wrote", run.returncode == 0 and "RNIC problem" not in run.stdout, run.stdout)


def left_out():
    """What a fabric has no lists for is said: two ToRs without a spine, and pairs of an IPv4 and an IPv6 address."""
    host = "  node {0} role=tor\n  node h{0} role=server rnics=3 addr=10.0.{0}.1,10.0.{0}.2,{1}\n"
    for name, text, said in (
            ("spineless", "".join(f"rack {x}\n" + host.format(x, f"10.0.{x}.3") for x in (1, 2)),
             "NOTE no inter-ToR list: the layout has no spine (role=spine) to count the paths between its 2 ToRs by"),
            ("one-tor", "rack 1\n" + host.format(1, "10.0.1.3"), None),
            ("mixed", "rack 1\n" + host.format(1, "::1"),
             "NOTE 4 tuples left out, since one end has an IPv4 and the other an IPv6 address (the first: h1/0 to h1/2)")):
        with open(name + ".dc", "w") as f:
            f.write(text)
        run = reckon("pinglist", name + ".dc", "--out", name)
        check(f"{name}: what is left out is said", run.returncode == 0
              and (said in run.stderr if said else not run.stderr), run.stderr)
        rows = list(csv.DictReader(read(name + "/h1.csv").splitlines()))
        # of three RNICs each probes the two others; h1/2 reaches none when it alone has IPv6
        check(f"{name}: ten probes a second in all", [(r["prober"], r["target"], r["rate_pps"]) for r in rows] == (
            [("h1/0", "h1/1", "10"), ("h1/1", "h1/0", "10")] if name == "mixed" else
            [(f"h1/{a}", f"h1/{b}", "5") for a in range(3) for b in range(3) if a != b]), rows)
        check(f"{name}: one host is a host", name == "spineless" or "lists of 1 host, " in run.stdout, run.stdout)


def overwriting():
    """No verb writes over what it reads, whichever name it goes by."""
    os.makedirs("over", exist_ok=True)
    layout = "rack A\n  node A role=tor\n  node z role=server addr=127.0.0.31\n  node h role=server addr=127.0.0.32\n"
    probes = "list,prober,target,tuple,rate_pps\ntor-mesh,h/0,z/0,127.0.0.32:50000>127.0.0.31:4791,1\n"
    texts = {"over/lo.dc": layout, "over/h.list": probes, "over/h.csv": layout,
             "over/job.csv": "tuple\n127.0.0.32:1>127.0.0.31:2\n"}
    for path, text in texts.items():
        with open(path, "w") as f:
            f.write(text)
    if not os.path.exists("over/same"):
        os.symlink("h.list", "over/same")
    agent = ["probe", "--rnic", "h/0", "--list", "over/h.list", "--service", "over/job.csv"]
    tracer = ["paths", "over/lo.dc", "--list", "over/h.list"]
    for args in ([*tracer, "--out", "over/h.list"], [*tracer, "--out", "over/same"], [*tracer, "--out", "over/lo.dc"],
                 ["pinglist", "over/h.csv", "--out", "over"],
                 [*agent, "--agents", "over/h.list", "--out", "over/o"], [*agent, "--agents", "over/a", "--out", "over/h.list"],
                 [*agent, "--agents", "over/a", "--out", "over/job.csv"],
                 [*agent, "--agents", "over/lo.dc", "over/same", "--out", "over/lo.dc"]):
        run = reckon(*args)
        check(f"does not overwrite: {args}", run.returncode == 2 and run.stderr.count("\n") == 1
              and "would overwrite an input of this run" in run.stderr, run.stderr)
    check("nothing was overwritten", all(read(path) == text for path, text in texts.items()))
    check("nothing was written", sorted(os.listdir("over")) == ["h.csv", "h.list", "job.csv", "lo.dc", "same"], os.listdir("over"))


def list_rows():
    """Rows of a probe list that are no probes: a file of them is an error that names where, some among others are counted."""
    good, head = "tor-mesh,z/0,h/0,127.0.0.31:50000>127.0.0.32:4791,5\n", "list,prober,target,tuple,rate_pps\n"
    os.makedirs("rows", exist_ok=True)
    with open("rows/lo.dc", "w") as f:
        f.write("rack A\n  node A role=tor\n  node z role=server addr=127.0.0.31\n  node h role=server addr=127.0.0.32\n")
    strange, without_rate, broken = good.replace("tor", "tar"), good.replace(",5\n", ",0\n"), good.replace(">", "<")
    for text, status, said in (("rubbish,is,here\na,b,c\n", 2, "rows/z.csv:1: it is no probe list: the header has no column tuple"),
                               (head + strange + broken, 2, "rows/z.csv:2: no row of it is a probe"),
                               (head + good + without_rate + strange, 0,
                                "NOTE rows/z.csv: 2 rows left out as malformed (the first: line 3)"),
                               (head + good, 0, None), (head, 0, None), ("", 0, None)):
        with open("rows/z.csv", "w") as f:
            f.write(text)
        for args in (["pinglist", "rows/lo.dc", "--out", "rows", "--rotate", "8"],
                     ["probe", "--rnic", "q/0", "--list", "rows/z.csv", "--agents", "rows/a", "--out", "rows/o"]):
            if args[0] == "pinglist":
                shutil.copy("rows/z.csv", "rows/old")
            run = reckon(*args)
            fine = said in run.stderr if said else "malformed" not in run.stderr and "no probe" not in run.stderr
            check(f"a list of {text!r}: {args[0]}", fine and run.returncode == (status if args[0] == "pinglist" else 2), run.stderr)
            shutil.copy("rows/old", "rows/z.csv")
    with open("rows/z.csv", "w") as f:
        f.write("a,b\n1,2\n")
    staying = subprocess.Popen([RECKON, "pinglist", "rows/lo.dc", "--out", "rows", "--every", "1"], stderr=subprocess.PIPE,
                               text=True)
    lines = [staying.stderr.readline() for _ in range(4)]
    staying.terminate()
    staying.wait(20)
    check("--every says why the lists could not be built", all("the old ones stay" in x for x in lines[::2]) and
          all(x.startswith("reckon: rows/z.csv:1: ") for x in lines[1::2]), lines)


def refusals():
    for args in (["triage"], ["triage", "sim.dc"], ["pinglist", "sim.dc"], ["probe"], ["paths"], ["probe", "--rnic", "h1", "--list", "x", "--agents", "y", "--out", "z"],
                 ["triage", "sim.dc", *FILES, "--period", "0"], ["pinglist", "sim.dc", "--out", "l", "--paths", "2000"],
                 ["triage", "sim.dc", "--probes", "truth.csv", "--agents", "agents.csv", "--paths", "missing.csv"]):
        run = reckon(*args)
        check(f"refused: {args}", run.returncode == 2 and run.stderr.startswith("reckon:"), run.stderr)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    stream = simulate(4, "dead-rnic dead-cable host-down busy-host")
    outputs(stream)
    cable = simulate(1, "dead-cable")
    the_job(cable)
    hostile_names(cable)
    not_probed(cable)
    job_unknown()
    nonsense(stream)
    as_files(stream)
    refusals()
    left_out()
    overwriting()
    list_rows()
    agents()
    in_time(simulate(1, "dead-cable"))
    os.chdir("/")
print(f"triage: {len(failures)} failures")
sys.exit(1 if failures else 0)
