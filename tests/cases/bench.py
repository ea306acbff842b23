#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench.py [RECKON [NAME...]] -- end-to-end cases of `reckon node` and `reckon bench`, over loopback.

Each case is a function below: it starts nodes, runs the console, and checks what both sides counted, what was written,
and what is said when something goes wrong. Without an argument the program is $RECKON. A proxy between console and node
counts the commands, so that a node can be killed, or its answers spoilt, at each of them.
"""
import contextlib
import csv
import glob
import json
import os
import re
import signal
import socket
import stat
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback

RECKON = ""
GREETING = 72  # bytes, each way, before commands begin


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RECKON_") or k == "RECKON_PLUGIN_PATH"}
    env.update(more)
    return env


def run(*args, status=0, env=None, timeout=60):
    """The program's standard output and standard error; its status must be as said (None: whatever it is)."""
    r = subprocess.run([RECKON, *args], capture_output=True, text=True, env=env or environment(), timeout=timeout,
                       check=False)
    assert status is None or r.returncode == status, "status %d, not %d: %s%s" % (r.returncode, status, r.stderr[-800:],
                                                                               r.stdout[-500:])
    return r.stdout, r.stderr


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Node:
    """A node on loopback; ends with the with block."""

    def __init__(self, *args):
        self.port = free_port()
        self.process = subprocess.Popen([RECKON, "node", "--listen", "127.0.0.1:%d" % self.port, *args],
                                        stderr=subprocess.PIPE, text=True, env=environment())
        self.said = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.wait_for("listening")

    def read(self):
        for line in self.process.stderr:
            self.said.append(line)

    def wait_for(self, text, seconds=60):
        until = time.time() + seconds
        while not any(text in line for line in self.said):
            assert time.time() < until, "the node never said %r, but %r" % (text, self.said)
            time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        assert self.process.wait(10) is not None

    def alive(self):
        return self.process.poll() is None


def at(name, port):
    return "%s=127.0.0.1:%d" % (name, port)


def bench(test, a, b, *args, status=0, **more):
    """A test with client a and server b (ports); the parsable line as a dict, and what was said."""
    out, err = run("bench", test, "--clients", at("a", a), "--servers", at("b", b), "--parsable", *args, status=status,
                   **more)
    last = out.strip().splitlines()[-1] if out.strip() else ""
    figures = dict(word.split("=", 1) for word in last.split()[1:]) if last.startswith("reckon-bench ") else {}
    return figures, out, err


def whole(figures, key):
    return int(figures[key])


def agree(figures):
    for what in ("total", "failed", "bad"):
        assert figures[what] == figures["server_" + what], figures


@contextlib.contextmanager
def two_nodes(*args):
    with Node(*args) as a, Node(*args) as b:
        yield a, b


# ---- the drills


def ping(folder):
    for transport in ("udp", "tcp"):
        with two_nodes() as (a, b):
            f, out, _ = bench("ping", a.port, b.port, "--transport", transport, "--count", "2000", "--concurrency", "4")
            assert whole(f, "total") == whole(f, "arrived") == 2000, f
            assert f["failed"] == f["bad"] == "0"
            agree(f)
            assert 0 < float(f["rtt_min_us"]) <= float(f["rtt_mean_us"]) <= float(f["rtt_max_us"]), f
            assert float(f["rtt_min_us"]) <= float(f["rtt_p50_us"]) <= float(f["rtt_p99_us"]) <= float(f["rtt_max_us"]), f
            assert "clients  total 2000" in out and "servers  total 2000" in out


def bulk(folder):
    for transport in ("udp", "tcp"):
        with two_nodes() as (a, b):
            f, _, _ = bench("bulk", a.port, b.port, "--transport", transport, "--count", "30", "--check", "--size", "200001",
                            "--concurrency", "3", "--timeout", "10")
            assert whole(f, "total") == whole(f, "arrived") == 30, f
            assert f["failed"] == f["bad"] == "0"
            agree(f)
            assert float(f["rtt_min_us"]) <= float(f["rtt_p50_us"]) <= float(f["rtt_p99_us"]) <= float(f["rtt_max_us"]), f
            assert float(f["mbps_to_servers"]) > 0 and float(f["mbps_to_clients"]) > 0


def one_node(folder):
    """A node tests itself."""
    with Node() as n:
        for test, more in (("ping", ["--count", "500"]), ("bulk", ["--count", "10", "--check"])):
            for transport in ("udp", "tcp"):
                f, _, _ = bench_self(test, n.port, "--transport", transport, "--timeout", "10", *more)
                assert f["total"] == f["server_total"] == more[1] and f["failed"] == f["bad"] == "0", f


def one_message(folder):
    """One message alone has no rate."""
    with two_nodes() as (a, b):
        for transport in ("udp", "tcp"):
            out = os.path.join(folder, transport)
            f, text, _ = bench("ping", a.port, b.port, "--transport", transport, "--count", "1", "--out", out)
            assert f["total"] == f["arrived"] == f["server_arrived"] == "1", f
            assert f["rate"] == f["mbps_to_servers"] == f["mbps_to_clients"] == f["rtt_stdev_us"] == "", f
            assert f["rtt_min_us"] == f["rtt_p50_us"] == f["rtt_p99_us"] == f["rtt_max_us"] != "", f
            assert "2 nodes, 1 pair, 64 B" in text and "rate     - answered/s" in text, text
            assert "goodput  - Mb/s to servers, - Mb/s to clients" in text and "stdev -" in text, text
            pair = json.load(open(os.path.join(out, "summary.json")))["pairs"][0]
            assert pair["rate"] is pair["mbps_to_server"] is pair["mbps_to_client"] is None, pair
        assert "one message alone has no rate" in open(os.path.join(out, "overlay.tsv")).read()
        rows = [r for r in csv.DictReader(open(os.path.join(folder, "udp", "reports", "a.csv"))) if r["dir"] == "tx"]
        assert [r["pps"] + r["rep_pps"] for r in rows] == [""] and float(rows[0]["rtt_p50_us"]) > 0, rows
        f, _, _ = bench("bulk", a.port, b.port, "--transport", "tcp", "--count", "1")
        assert f["rate"] == "" and float(f["mbps_to_servers"]) > 0, f


def bench_self(test, port, *args):
    out, _ = run("bench", test, "--clients", at("a", port), "--servers", "a", "--parsable", *args)
    return dict(w.split("=", 1) for w in out.strip().splitlines()[-1].split()[1:]), out, None


def time_is_up(folder):
    """Both sides report the same totals when the time limit ends the test."""
    with two_nodes() as (a, b):
        for test in ("ping", "bulk"):
            for transport in ("udp", "tcp"):
                f, _, _ = bench(test, a.port, b.port, "--transport", transport, "--time", "1", "--concurrency", "16",
                                "--timeout", "10", *(["--size", "100000"] if test == "bulk" else []))
                assert whole(f, "total") > 10, f
                agree(f)
                assert f["arrived"] == f["server_arrived"], f


def data_address(folder):
    """Test messages on another address than commands, and on ports that were chosen."""
    a_port, b_port = free_port(), free_port()
    with Node("--data", "127.0.0.2:%d" % a_port) as a, Node("--data", "127.0.0.3") as b:
        for transport in ("udp", "tcp"):
            f, _, _ = bench("ping", a.port, b.port, "--transport", transport, "--count", "100")
            assert f["arrived"] == f["server_arrived"] == "100", f
    with Node("--data", "127.0.0.2:%d" % b_port) as a, Node() as b:
        console = subprocess.Popen([RECKON, "bench", "ping", "--clients", at("b", b.port), "--servers", at("a", a.port), "--time",
                                    "1.5", "--rate", "50"], stdout=subprocess.DEVNULL, env=environment())
        a.wait_for("ping over udp")
        assert data_port_of(a.process.pid) == b_port
        assert console.wait(20) == 0


def count_and_time(folder):
    """Whichever ends first."""
    with two_nodes() as (a, b):
        began = time.time()
        f, _, _ = bench("ping", a.port, b.port, "--count", "10", "--time", "20")
        assert time.time() - began < 20 and f["total"] == "10", f
        f, _, _ = bench("ping", a.port, b.port, "--count", "1000000000", "--time", "1", "--rate", "100")
        assert 60 <= whole(f, "total") <= 100, f


def mrr(folder):
    with two_nodes() as (a, b):
        for transport in ("udp", "tcp"):
            out = os.path.join(folder, transport)
            f, text, _ = bench("mrr", a.port, b.port, "--transport", transport, "--trial", "0.5", "--trials", "4", "--out", out)
            summary = json.load(open(os.path.join(out, "summary.json")))
            trials = summary["pairs"][0]["trials"]
            assert len(trials) == 4 and all(t["arrived"] > 0 for t in trials)
            assert sum(t["sent"] for t in trials) == whole(f, "total")
            assert sum(t["arrived"] for t in trials) == whole(f, "server_arrived")
            assert max(t["rate"] for t in trials) <= float(f["rate"]) * 1.001
            agree_totals(summary)
            rows = list(csv.DictReader(open(os.path.join(out, "samples.csv"))))
            assert len(rows) == 8 and len({r["ts"] for r in rows}) == 1
            trend = json.loads(run("trend", os.path.join(out, "samples.csv"), "--json")[0])
            tests = {t["test"]: t for t in trend["tests"]}
            assert sorted(tests) == ["mrr/%s/64/a->b" % transport, "mrr/%s/64/all" % transport], sorted(tests)
            rates = [t["rate"] for t in trials]
            sample = tests["mrr/%s/64/a->b" % transport]["samples"][0]
            assert abs(sample["value"] - sum(rates) / 4) < 0.01, sample


def agree_totals(summary):
    c, s = summary["totals"]["clients"], summary["totals"]["servers"]
    assert c["total"] == s["total"], summary["totals"]


def every_pair(folder):
    """Three hosts, each with each, each with several workers: every pair counts for itself."""
    out = os.path.join(folder, "out")
    with Node() as a, Node() as b, Node() as c:
        hosts = ",".join(at(n, x.port) for n, x in zip("abc", (a, b, c)))
        run("bench", "ping", "--clients", hosts, "--servers", "a,b,c", "--count", "300", "--workers", "2", "--out", out)
    pairs = json.load(open(os.path.join(out, "summary.json")))["pairs"]
    assert sorted((p["client"], p["server"]) for p in pairs) == [(x, y) for x in "abc" for y in "abc" if x != y]
    for p in pairs:
        assert p["client_side"]["total"] == p["server_side"]["total"] == p["rtt_us"]["count"] == 300, p


# ---- results that reckon reads


def results_mx(folder):
    out = os.path.join(folder, "out")
    with two_nodes() as (a, b):
        run("bench", "ping", "--clients", at("a", a.port) + "," + at("b", b.port), "--servers", "a,b", "--rate", "200", "--time",
            "3", "--concurrency", "8", "--size", "200", "--reply-size", "100", "--out", out)
    rows = [r for r in csv.DictReader(open(os.path.join(out, "reports", "a.csv"))) if r["dir"] == "tx"]
    assert len(rows) == 3 and all(r["peer"] == "b" and r["target_pps"] == "200.000" for r in rows), rows
    rates = [float(r["rep_pps"]) for r in rows]
    assert 120 < statistics.median(rates) < 230, rows
    report = json.loads(run("--nic-gbps", "1", "--mx", os.path.join(out, "reports"), "--json")[0])
    flows = {(f["src"], f["dst"]): f for f in report["flows"]}
    assert sorted(flows) == [("a", "b"), ("b", "a")]
    for f in flows.values():
        assert f["expected"] == 200 and f["efficiency_pct"] > 60, f
    assert abs(flows["a", "b"]["achieved"] - sum(rates) / 3) < 0.001, (flows, rates)
    assert report["meta"]["unit"] == "pps" and "200 B requests, 100 B replies" in report["meta"]["describe"]


def results_iperf(folder):
    with two_nodes() as (a, b):
        for i, (test, more) in enumerate((("bulk", ["--transport", "tcp"]), ("ping", ["--transport", "tcp"]), ("bulk", []))):
            out = os.path.join(folder, str(i))
            f, _, _ = bench(test, a.port, b.port, "--time", "2.5", "--timeout", "10", "--out", out, *more)
            report = json.loads(run("--nic-gbps", "1000", "--iperf", os.path.join(out, "overlay.tsv"), "--json")[0])
            flows = {(x["src"], x["dst"]): x["achieved"] for x in report["flows"]}
            assert sorted(flows) == [("a", "b"), ("b", "a")], flows
            assert abs(flows["a", "b"] - float(f["mbps_to_servers"])) < 0.001 * flows["a", "b"] + 0.001
            runs = set(re.findall(r"^# run (\S+), mode parallel", open(os.path.join(out, "intervals.tsv")).read(), re.M))
            assert len(runs) in (2, 3), runs


def results_idle(folder):
    idle, out = os.path.join(folder, "idle"), os.path.join(folder, "out")
    with two_nodes() as (a, b):
        bench("ping", a.port, b.port, "--time", "2", "--idle-out", idle)
        time.sleep(1.1)
        bench("ping", a.port, b.port, "--time", "1", "--concurrency", "4", "--out", out)
    rows = list(csv.DictReader(open(os.path.join(idle, "a.csv"))))
    assert len(rows) == 2 and all(35 <= int(r["sent"]) <= 55 for r in rows), rows  # 50 a second
    report = json.loads(run("--nic-gbps", "1000", "--mx", os.path.join(out, "reports"), "--idle", idle, "--json")[0])
    assert report["flows"][0]["idle_rtt_p50_us"] > 0, report["flows"][0]
    assert not os.path.exists(os.path.join(idle, "b.csv"))  # it was no client


def live(folder):
    with two_nodes() as (a, b):
        _, out, _ = bench("ping", a.port, b.port, "--time", "3", "--live", "1", "--rate", "100")
        lines = [line for line in out.splitlines() if re.match(r" +\d+\.\d s  2 nodes  sent ", line)]
        assert len(lines) == 3, out
        for line in lines:
            assert re.search(r"sent \d+/s  arrived \d+/s .* failed 0  bad 0  rtt p50 [\d.]+ us  p99 [\d.]+ us$", line), line


# ---- what is refused


def refusals(folder):
    full = os.path.join(folder, "full")
    os.mkdir(full)
    open(os.path.join(full, "x"), "w").close()
    pair = ["--clients", "a=127.0.0.1:1", "--servers", "b=127.0.0.1:2"]
    for args, why in (
        ([], "one TEST"),
        (["walk", *pair], "one TEST"),
        (["ping"], "--clients and --servers"),
        (["ping", *pair, "--transport", "pigeon"], "there is none of that name, but tcp, udp"),
        (["ping", *pair, "--size", "39"], "shorter than its head"),
        (["ping", *pair, "--reply-size", "39"], "--reply-size"),
        (["ping", *pair, "--size", "65508"], "larger than the transport can carry"),
        (["ping", *pair, "--trials", "3"], "belongs to mrr"),
        (["ping", *pair, "--arrivals", "poisson"], "--arrivals needs --rate"),
        (["mrr", *pair, "--time", "3"], "--trial and --trials"),
        (["mrr", *pair, "--concurrency", "3"], "waits for no answer"),
        (["bulk", *pair, "--idle-out", "x"], "needs a ping over udp"),
        (["ping", *pair, "--transport", "tcp", "--idle-out", "x"], "needs a ping over udp"),
        (["ping", *pair, "--out", full], "holds files already"),
        (["ping", *pair, "--concurrency", "0"], "--concurrency"),
        (["ping", "--clients", "a=127.0.0.1:1", "--servers", "a"], None),  # itself: fine, but nobody is there
        (["ping", "--clients", "a=127.0.0.1:1", "--servers", "b=127.0.0.1:1"], "are both at 127.0.0.1:1"),
        (["ping", "--clients", "a=127.0.0.1:1", "--servers", "a=127.0.0.1:2"], "two addresses"),
        (["ping", "--clients", "a/b=127.0.0.1:1", "--servers", "c=127.0.0.1:2"], "is no host"),
        (["ping", "--clients", "../x=127.0.0.1:1", "--servers", "c=127.0.0.1:2"], "is no host"),
        (["ping", "--clients", "a=127.0.0.1:99999", "--servers", "c=127.0.0.1:2"], "port is not from 1 to 65535"),
        (["ping", "--clients", "a=192.0.2.1", "--servers", "c=127.0.0.1:2"], "beyond loopback"),
        (["ping", "--clients", "a=224.0.0.1", "--servers", "c=127.0.0.1:2"], "no single host"),
    ):
        _, err = run("bench", *args, status=2)
        assert why is None or why in err, (args, err)
        assert err.count("\n") == 1 or why is None, err
    for args, why in (
        (["--listen", "0.0.0.0"], "loopback only"),
        (["--listen", "192.0.2.1:1"], "loopback only"),
        (["--data", "192.0.2.1"], "loopback only"),
        (["--data", "0.0.0.0"], "no single host"),
        (["--listen", "127.0.0.1:0"], "port is not from 1"),
        (["--key-file", os.path.join(folder, "none")], "No such file"),
        (["extra"], "takes no argument"),
    ):
        _, err = run("node", *args, status=2)
        assert why in err, (args, err)


def limits(folder):
    """A node checks what it is asked for before it uses it; the console says which node, and why."""
    with Node("--max-flows", "1", "--max-size", "1", "--max-time", "5", "--max-memory", "8") as n, Node() as m:
        for args, why in ((["ping", "--time", "6"], "longer than this node allows"),
                          (["bulk", "--size", "2000000", "--count", "1"], "larger than this node allows"),
                          (["bulk", "--concurrency", "64", "--count", "1"], "more memory than this node allows")):
            _, _, err = bench(args[0], n.port, m.port, *args[1:], status=2)
            assert "node a" in err and why in err, err
        f, _, _ = bench("ping", n.port, m.port, "--count", "5")  # and goes on
        assert f["total"] == "5"
        out, err = run("bench", "ping", "--clients", at("a", n.port) + "," + at("b", m.port), "--servers", "a,b", "--count", "5",
                       status=2)
        assert "more flows than this node allows" in err, err


# ---- keys


def make_key(folder, name, byte):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(bytes([byte]) * 32)
    os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)
    return path


def keys(folder):
    right, wrong = make_key(folder, "right", 1), make_key(folder, "wrong", 2)
    with two_nodes("--key-file", right) as (a, b):
        f, _, _ = bench("ping", a.port, b.port, "--key-file", right, "--count", "10")
        assert f["total"] == "10"
        for args in (["--key-file", wrong], []):
            _, _, err = bench("ping", a.port, b.port, "--count", "10", *args, status=2)
            assert "node a" in err and "another key" in err, err
        f, _, _ = bench("ping", a.port, b.port, "--key-file", right, "--count", "10")
        assert f["total"] == "10"
    os.chmod(right, 0o644)
    _, err = run("node", "--key-file", right, status=2)
    assert "chmod 600" in err, err


# ---- a proxy between console and node


class Proxy:
    """Passes on what console and node say; calls command(k) before the console's k-th command goes on (from 1), and may
    change what the node says: spoil(k) gives the bytes to flip in its k-th answer."""

    def __init__(self, port, command=None, spoil=None):
        self.to, self.command, self.spoil = port, command, spoil
        self.recorded = b""
        self.commands = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                console = self.listener.accept()[0]
                node = socket.create_connection(("127.0.0.1", self.to))
                threading.Thread(target=self.pump, args=(console, node, True), daemon=True).start()
                threading.Thread(target=self.pump, args=(node, console, False), daemon=True).start()

    def pump(self, source, to, commands):
        count, buffer = 0, b""
        with contextlib.suppress(OSError):
            buffer = self.read(source, GREETING)
            to.sendall(buffer)
            self.recorded += buffer if commands else b""
            while True:
                head = self.read(source, 4)
                text = self.read(source, struct.unpack("<I", head)[0])
                count += 1
                if commands:
                    self.recorded += head + text
                    self.commands = count
                    if self.command:
                        self.command(count)
                elif self.spoil and self.spoil(count):
                    text = bytes([text[0] ^ 0x55]) + text[1:]
                to.sendall(head + text)
        for s in (source, to):
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def read(source, n):
        data = b""
        while len(data) < n:
            more = source.recv(n - len(data))
            if not more:
                raise OSError("closed")
            data += more
        return data


def count_commands():
    """How many commands a short test is made of."""
    with two_nodes() as (a, b):
        proxy = Proxy(b.port)
        bench("ping", a.port, proxy.port, "--time", "0.5", "--rate", "100")
        return proxy.commands


# ---- faults


def node_killed(folder):
    """In each state: at each of a test's commands the server's node dies. The loss is named, and nothing hangs."""
    commands = count_commands()
    assert commands >= 7, commands  # INIT, START, STATUS…, STOP, STATUS, STOP, STATUS, STOP_DONE
    for test, transport in (("ping", "udp"), ("bulk", "tcp")):
        for k in range(1, commands + 1):
            kill_at(k, test, transport, os.path.join(folder, "%s%d" % (test, k)))


def kill_at(k, test, transport, out):
    with Node() as a, Node() as b, Node() as c:
        proxy = Proxy(c.port, command=lambda n: n == k and (c.process.kill(), c.process.wait()))
        text, err = run("bench", test, "--transport", transport, "--clients", at("a", a.port), "--servers",
                        at("b", b.port) + "," + at("c", proxy.port), "--time", "0.5", "--rate", "100", "--timeout", "0.3", "--out", out,
                        *(["--size", "10000"] if test == "bulk" else []), status=1)
        assert "node c (127.0.0.1:%d) is lost" % proxy.port in err, err
        pairs = {p["server"]: p for p in json.load(open(os.path.join(out, "summary.json")))["pairs"]}
        assert pairs["b"]["lost"] is None and "c" in pairs["c"]["lost"], pairs
        good = pairs["b"]
        assert good["client_side"]["total"] == good["server_side"]["total"] >= good["rtt_us"]["count"] > 0, good
        assert test == "bulk" or good["rtt_us"]["count"] == good["client_side"]["total"], good
        assert "lost: c" in text, text
        assert a.alive() and b.alive()
        f, _, _ = bench("ping", a.port, b.port, "--count", "5")  # both are ready for the next
        assert f["total"] == "5"


def node_gone_before(folder):
    """A node that is not there, and a program that is no node."""
    listener = socket.create_server(("127.0.0.1", 0))

    def babble():
        with contextlib.suppress(OSError):
            while True:
                s = listener.accept()[0]
                s.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 10)

    threading.Thread(target=babble, daemon=True).start()
    with two_nodes() as (a, b):
        for port in (free_port(), listener.getsockname()[1]):
            _, err = run("bench", "ping", "--clients", at("a", a.port), "--servers",
                         at("b", b.port) + "," + at("c", port), "--count", "20", status=1)
            assert "node c" in err, err
    listener.close()


def node_silent(folder):
    """A node that stops answering is named after --node-timeout; the others go on meanwhile."""
    out = os.path.join(folder, "out")
    with Node() as a, Node() as b, Node() as c:
        console = subprocess.Popen([RECKON, "bench", "ping", "--clients", at("a", a.port), "--servers",
                                    at("b", b.port) + "," + at("c", c.port), "--time", "5", "--rate", "100", "--timeout", "0.2",
                                    "--node-timeout", "1.5", "--concurrency", "50", "--out", out], stderr=subprocess.PIPE, text=True,
                                   stdout=subprocess.DEVNULL, env=environment())
        c.wait_for("ping over udp")
        time.sleep(1.5)
        c.process.send_signal(signal.SIGSTOP)
        _, err = console.communicate(timeout=30)
        assert console.returncode == 1 and "it has not answered STATUS for 1.5 s" in err, err
        pairs = {p["server"]: p for p in json.load(open(os.path.join(out, "summary.json")))["pairs"]}
        assert pairs["b"]["client_side"]["failed"] == 0 and pairs["b"]["client_side"]["total"] > 400, pairs["b"]
        assert pairs["c"]["lost"] and pairs["c"]["client_side"]["failed"] > 100, pairs["c"]
        rows = [(v, s) for t, v, s in rows_of(out) if t.endswith("a->c")]  # while it was silent nothing was measured
        assert rows[-1] == ("", "FAIL") and all(float(v) > 0 for v, s in rows[:-1]), rows


def spoilt_answers(folder):
    """A node whose answers are spoilt on the way, at each of them."""
    for k in range(1, count_commands() + 1):
        with Node() as a, Node() as b, Node() as c:
            proxy = Proxy(c.port, spoil=lambda n, k=k: n == k)
            _, err = run("bench", "ping", "--clients", at("a", a.port), "--servers",
                         at("b", b.port) + "," + at("c", proxy.port), "--time", "0.5", "--rate", "100", "--timeout", "0.3", status=1)
            assert "node c" in err and "not genuine" in err, err
            until = time.time() + 60  # its test ends with the connection, or with STOP_DONE, whose answer is spoilt last
            while not any("is gone" in line or "is over" in line for line in c.said):
                assert time.time() < until, c.said
                time.sleep(0.01)
            assert c.alive()


def replayed(folder):
    """A recorded test, said to the same node again: nothing happens."""
    key = make_key(folder, "key", 9)
    with two_nodes("--key-file", key) as (a, b):
        proxy = Proxy(b.port)
        bench("ping", a.port, proxy.port, "--count", "5", "--key-file", key)
        tests = len([line for line in b.said if "ping over udp" in line])
        assert tests == 1 and len(proxy.recorded) > 300
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", b.port)) as s:
                s.sendall(proxy.recorded)
                s.settimeout(5)
                said = b""
                with contextlib.suppress(OSError):
                    while True:
                        more = s.recv(4096)
                        if not more:
                            break
                        said += more
                assert len(said) <= GREETING, len(said)
        assert len([line for line in b.said if "ping over udp" in line]) == tests
        f, _, _ = bench("ping", a.port, b.port, "--count", "5", "--key-file", key)
        assert f["total"] == "5"


def second_console(folder):
    with two_nodes() as (a, b):
        first = subprocess.Popen([RECKON, "bench", "ping", "--clients", at("a", a.port), "--servers", at("b", b.port), "--time", "3",
                                  "--rate", "200", "--parsable"], stdout=subprocess.PIPE, text=True, env=environment())
        b.wait_for("ping over udp")
        _, _, err = bench("ping", a.port, b.port, "--count", "5", status=2)
        assert "a test of the console at 127.0.0.1:" in err and "is running here" in err, err
        out, _ = first.communicate(timeout=30)
        f = dict(w.split("=", 1) for w in out.strip().splitlines()[-1].split()[1:])
        assert first.returncode == 0 and f["failed"] == "0" and whole(f, "total") > 400, out
        agree(f)


def console_killed(folder):
    """The console dies at some moment of a test: the nodes end it and are ready for the next."""
    with two_nodes() as (a, b):
        for n, delay in enumerate((0.05, 0.4, 0.8, 1.5)):
            console = subprocess.Popen([RECKON, "bench", "ping", "--clients", at("a", a.port), "--servers", at("b", b.port), "--time",
                                        "20"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            time.sleep(delay)
            console.kill()
            console.wait()
            f, _, _ = bench("ping", a.port, b.port, "--count", "5")
            assert f["total"] == "5", (n, f)


def interrupted(folder):
    """SIGINT ends the test as its time would: the results are whole."""
    out = os.path.join(folder, "out")
    with two_nodes() as (a, b):
        console = subprocess.Popen([RECKON, "bench", "ping", "--clients", at("a", a.port), "--servers", at("b", b.port), "--time",
                                    "60", "--rate", "100", "--out", out], stdout=subprocess.DEVNULL, env=environment())
        b.wait_for("ping over udp")
        time.sleep(2)
        console.send_signal(signal.SIGINT)
        assert console.wait(10) == 0
        summary = json.load(open(os.path.join(out, "summary.json")))
        agree_totals(summary)
        assert 50 < summary["totals"]["clients"]["total"] < 500
        assert glob.glob(os.path.join(out, "reports", "*.csv"))


def rows_of(out, name="samples.csv"):
    """The test, value and status of each row of a samples file."""
    return [(r["test"], r["value"], r["status"]) for r in csv.DictReader(open(os.path.join(out, name)))]


def interrupted_trials(folder):
    """A trial that SIGINT cut short, and those that never began, are in no file."""
    with two_nodes() as (a, b):
        for seconds, most in ((2.2, 3), (0.3, 0)):  # trials of 0.5 s, 0.2 s apart
            out = os.path.join(folder, str(most))
            console = subprocess.Popen([RECKON, "bench", "mrr", "--clients", at("a", a.port), "--servers", at("b", b.port),
                                        "--trials", "8", "--trial", ".5", "--rate", "1000", "--parsable", "--out", out],
                                       stdout=subprocess.PIPE, text=True, env=environment())
            until = time.time() + 60
            while not os.path.exists(os.path.join(out, "reports")):
                assert time.time() < until
                time.sleep(0.01)
            time.sleep(0.2 + seconds)
            console.send_signal(signal.SIGINT)
            text = console.communicate(timeout=20)[0]
            assert console.returncode == 0, text
            pair = json.load(open(os.path.join(out, "summary.json")))["pairs"][0]
            ended = len(pair["trials"])
            assert ended <= most and (not most or ended), pair
            rows = rows_of(out)
            assert len(rows) == 2 * ended and all(s == "OK" and 300 < float(v) <= 1001 for _, v, s in rows), rows
            flows = [r for r in csv.DictReader(open(os.path.join(out, "reports", "a.csv"))) if r["dir"] == "tx"]
            assert len(flows) == ended and all(float(r["pps"]) > 300 for r in flows), flows
            assert "in the best of %d trial" % ended in text and "of 8 that were asked for" in text, text
            assert most or ("rate     - frames/s" in text and " rate= " in text), text


def lost_console(test, nodes, out, *args):
    """A test between a and b that loses b while it is on, a second and more after it began."""
    a, b = nodes
    console = subprocess.Popen([RECKON, "bench", test, "--clients", at("a", a.port), "--servers", at("b", b.port), "--parsable",
                                "--live", ".5", "--interval", ".5", "--timeout", ".3", "--out", out, *args],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    b.wait_for("%s over" % test)
    time.sleep(2)
    b.process.kill()
    text, err = console.communicate(timeout=30)
    assert console.returncode == 1 and "node b" in err, err
    last = dict(word.split("=", 1) for word in text.strip().splitlines()[-1].split()[1:])
    return text, last, json.load(open(os.path.join(out, "summary.json")))


def lost_is_blank(folder):
    """What was not measured for want of a server is blank, and never 0."""
    for test, more, names in (("ping", ["--time", "4", "--rate", "200"], ["a->b"]),
                              ("bulk", ["--time", "4", "--size", "10000"], ["a->b/to-client", "a->b/to-server"]),
                              ("mrr", ["--trials", "4", "--trial", ".8", "--rate", "200"], ["a->b", "all"])):
        out = os.path.join(folder, test)
        with two_nodes() as nodes:
            text, f, summary = lost_console(test, nodes, out, *more)
        assert "clients  total -  failed -" in text and "servers  total -  failed -" in text, text
        assert "goodput  - Mb/s to servers, - Mb/s to clients" in text and "1 pair was lost" in text, text
        live = [line for line in text.splitlines() if re.match(r" +\d+\.\d s  1 node  ", line)]
        assert live and all("sent -  arrived -  - Mb/s out  - Mb/s back" in line for line in live), text
        for key in ("total", "failed", "bad", "arrived", "rate", "mbps_to_servers", "mbps_to_clients"):
            assert f[key] == "" and f.get("server_" + key, "") == "", (key, f)
        assert summary["totals"]["clients"] is summary["totals"]["servers"] is None, summary["totals"]
        pair = summary["pairs"][0]
        assert pair["rate"] is pair["mbps_to_server"] is pair["mbps_to_client"] is None, pair
        assert all(t == {"sent": None, "arrived": None, "rate": None} for t in pair.get("trials", [])), pair
        rows = rows_of(out)
        assert all((s == "OK" and float(v) > 0) or (s == "FAIL" and v == "") for _, v, s in rows), rows
        tests = sorted({t for t, _, _ in rows})
        assert [t.split("/", 3)[3] for t in tests] == names, rows
        if test == "mrr":
            assert rows == [("mrr/udp/64/a->b", "", "FAIL"), ("mrr/udp/64/all", "", "FAIL")] * 4, rows
            continue
        for name in tests:
            statuses = [s for t, _, s in rows if t == name]
            assert statuses[0] == "OK" and statuses.count("FAIL") == 1 and statuses[-1] == "FAIL", rows
    _, err = run("--nic-gbps", "10", "--iperf", os.path.join(folder, "bulk", "overlay.tsv"), status=2)
    assert "holds no successful test: its one test failed (a -> b: b: it hung up)" in err and "reads it" not in err, err
    flows = [r for r in csv.DictReader(open(os.path.join(folder, "ping", "reports", "a.csv")))]
    assert all(float(r["pps"]) > 0 for r in flows if r["dir"] == "tx"), flows
    assert flows[-1]["dir"] == "host" and flows[-1]["pps"] == "", flows[-1]
    assert rows_of(os.path.join(folder, "ping"), "samples-rtt.csv")[-1][1:] == ("", "FAIL")


def lost_beside_whole(folder):
    """Sums are of the pairs measured to the end; a pair whose node never came has no figures at all."""
    with two_nodes() as (a, b):
        for test, more in (("ping", ["--count", "200"]), ("mrr", ["--trials", "2", "--trial", ".3", "--rate", "500"])):
            out = os.path.join(folder, test)
            text, _ = run("bench", test, "--clients", at("a", a.port) + "," + at("c", free_port()), "--servers", at("b", b.port),
                          "--parsable", "--out", out, *more, status=1)
            f = dict(word.split("=", 1) for word in text.strip().splitlines()[-1].split()[1:])
            summary = json.load(open(os.path.join(out, "summary.json")))
            pairs = {p["client"]: p for p in summary["pairs"]}
            assert "1 pair was lost; sums are of the 1 measured to the end" in text, text
            assert f["total"] == f["server_total"] == str(pairs["a"]["client_side"]["total"]) and float(f["rate"]) > 0, f
            agree_totals(summary)
            assert pairs["c"]["client_side"] is pairs["c"]["server_side"] is pairs["c"]["rtt_us"] is None, pairs["c"]
            nodes = {n["name"]: n for n in summary["nodes"]}
            assert nodes["c"]["as_client"] is nodes["c"]["as_server"] is nodes["c"]["strangers"] is None, nodes["c"]
            rows = rows_of(out)
            assert all(v == "" and s == "FAIL" for t, v, s in rows if "c->b" in t or t.endswith("all")), rows
            assert all(float(v) > 0 and s == "OK" for t, v, s in rows if "a->b" in t), rows


def data_port_of(pid):
    """The udp port of a node's worker."""
    sockets = {re.sub(r"\D", "", os.readlink(f)) for f in glob.glob("/proc/%d/fd/*" % pid)
               if os.readlink(f).startswith("socket:")}
    for line in open("/proc/net/udp").read().splitlines()[1:]:
        cells = line.split()
        if cells[9] in sockets:
            return int(cells[1].split(":")[1], 16)
    raise AssertionError("no udp socket")


def strangers(folder):
    """Packets of nobody announced, as fast as they go: counted, never answered, and the test is not disturbed."""
    out = os.path.join(folder, "out")
    with two_nodes("--max-time", "20") as (a, b):
        console = subprocess.Popen([RECKON, "bench", "ping", "--clients", at("a", a.port), "--servers", at("b", b.port), "--time", "3",
                                    "--rate", "100", "--concurrency", "32", "--out", out], stdout=subprocess.DEVNULL, env=environment())
        b.wait_for("ping over udp")
        time.sleep(0.3)
        stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        stranger.connect(("127.0.0.1", data_port_of(b.process.pid)))
        until, sent = time.time() + 2, 0
        while time.time() < until:
            for size in (0, 40, 64, 1400):
                with contextlib.suppress(OSError):
                    stranger.send(b"\x01" * size)
                    sent += 1
        stranger.setblocking(False)
        try:
            raise AssertionError("it was answered: %r" % stranger.recv(100))
        except BlockingIOError:
            pass
        assert console.wait(20) == 0
        summary = json.load(open(os.path.join(out, "summary.json")))
        b_node = [n for n in summary["nodes"] if n["name"] == "b"][0]
        assert b_node["strangers"] > sent // 2, (b_node["strangers"], sent)
        totals = summary["totals"]
        assert totals["clients"]["failed"] <= totals["clients"]["total"] // 10, totals
        agree_totals(summary)


def callers(folder):
    """Connections that prove nothing, as fast as they come: the console still gets through."""
    with two_nodes() as (a, b):
        stop = threading.Event()

        def nag():
            held = []
            while not stop.is_set():
                with contextlib.suppress(OSError):
                    s = socket.create_connection(("127.0.0.1", b.port), timeout=1)
                    s.sendall(b"x" * 10)
                    held.append(s)
                if len(held) > 100:
                    for s in held:
                        s.close()
                    held = []

        threads = [threading.Thread(target=nag, daemon=True) for _ in range(2)]
        for t in threads:
            t.start()
        try:
            f, _, _ = bench("ping", a.port, b.port, "--time", "1.5", "--rate", "100")
            assert whole(f, "total") > 30 and f["failed"] == "0", f
        finally:
            stop.set()
            for t in threads:
                t.join()


# ---- launching


FAKE_SSH = """#!/bin/sh
# ssh -o BatchMode=yes -- HOST COMMAND: runs it here; 127.0.0.3 is a host that cannot be reached
while [ "$1" != -- ]; do shift; done
[ "$2" = 127.0.0.3 ] && { echo "ssh: connect to host $2: No route to host" >&2; exit 255; }
exec sh -c "$3"
"""
FAKE_PDSH = """#!/bin/sh
# pdsh -N -S -w HOST COMMAND
exec sh -c "$5"
"""


def launched(folder):
    for name, text in (("ssh", FAKE_SSH), ("pdsh", FAKE_PDSH)):
        path = os.path.join(folder, name)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, 0o755)
    env = environment(PATH=folder + ":" + os.environ["PATH"])
    key = make_key(folder, "it's a key", 3)
    for how in ("ssh", "pdsh"):
        hosts = [free_port() for _ in range(2)]
        f, _, err = bench("ping", *hosts, "--launch", how, "--launch-program", RECKON, "--key-file", key, "--count", "50", env=env)
        assert f["total"] == "50", (f, err)
        for port in hosts:  # nothing is left behind
            with contextlib.suppress(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
                raise AssertionError("a launched node is still there")
    out, err = run("bench", "ping", "--clients", at("a", free_port()), "--servers",
                   at("b", free_port()) + ",c=127.0.0.3:7125", "--launch", "ssh", "--launch-program", RECKON, "--count", "50",
                   status=1, env=env)
    assert "node c (127.0.0.3:7125) is lost: ssh ended with status 255" in err, err
    assert "arrived 50" in out, out


CASES = [ping, bulk, one_node, time_is_up, data_address, count_and_time, mrr, one_message, every_pair, results_mx, results_iperf, results_idle, live,
         refusals, limits, keys, node_killed, node_gone_before, node_silent, spoilt_answers, replayed, second_console,
         console_killed, interrupted,
         interrupted_trials, lost_is_blank, lost_beside_whole, strangers, callers, launched]


def main():
    global RECKON
    RECKON = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["RECKON"])
    wanted, failed = sys.argv[2:], 0
    for case in CASES:
        if wanted and case.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            began = time.time()
            try:
                case(folder)
                result = "ok"
            except Exception:  # pylint: disable=broad-except
                traceback.print_exc()
                failed += 1
                result = "FAILED"
            print("%-18s %s (%.1f s)" % (case.__name__, result, time.time() - began), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
