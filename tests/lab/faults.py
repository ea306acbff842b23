#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py [CASE...] -- what takes a network to go wrong: partitions in the middle of a test, and strangers on the wire.

Each case is a function below. A stranger has a namespace, and so a wire, of its own: everything that arrives on it is
captured, and of what it was not told about the test no byte may be. $RECKON, root and exit status as for lab.py.
"""
import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback

import lab

RACKS = "r01:a,b r02:c r03:stranger"


# ---- a test that something happens to


def disturbed(fabric, out, test, *args, disturb):
    """Runs a test from a to b and c, with disturb() after two seconds of it; its summary and what the console said."""
    command = fabric.console(test, *args, "--time", "6", "--live", "1", "--node-timeout", "2", "--out", out, clients=("a",),
                             servers=("b", "c"))
    console = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(2):
        line = console.stdout.readline()
        assert " nodes  sent " in line, line + console.stderr.read()
    disturb()
    _, err = console.communicate(timeout=120)
    with open(os.path.join(out, "summary.json"), encoding="utf-8") as f:
        summary = json.load(f)
    return {p["server"]: p for p in summary["pairs"]}, err, console.returncode


def whole(pair):
    c, s = pair["client_side"], pair["server_side"]
    assert pair["lost"] is None and c["total"] == s["total"] and c["failed"] == s["failed"] == 0 and c["total"] > 5, pair


def works(fabric):
    """All three measure again, sooner or later."""
    until = time.monotonic() + 90
    while True:
        r = subprocess.run(fabric.console("ping", "--count", "5", clients=("a",), servers=("b", "c")), capture_output=True, text=True,
                           check=False, timeout=60)
        if r.returncode == 0 and "total 10  failed 0" in r.stdout:
            return
        assert time.monotonic() < until, r.stderr + r.stdout
        time.sleep(1)


def links_of_data(fabric, folder):
    """c's link for test messages goes down; commands still reach it. What was sent to it has failed, on both sides."""
    ping, bulk = ("--rate", "200", "--concurrency", "200"), ("--rate", "20", "--size", "20000", "--concurrency", "20")
    for i, (test, transport, more) in enumerate((("ping", "udp", ping), ("ping", "tcp", ping), ("bulk", "udp", bulk), ("bulk", "tcp", bulk))):
        pairs, err, status = disturbed(fabric, os.path.join(folder, str(i)), test, "--transport", transport, "--timeout", "0.5", *more,
                                       disturb=lambda: lab.fabric("link", "c", "down"))
        lab.fabric("link", "c", "up")
        assert status in (0, 1) and "b" not in err, err
        whole(pairs["b"])
        c, s = pairs["c"]["client_side"], pairs["c"]["server_side"]
        assert c["failed"] > 5 and c["arrived"] > 0 and c["total"] == s["total"], pairs["c"]
        works(fabric)


def link_of_commands(fabric, folder):
    """c cannot be reached by the console any more: it is named, and what b measured stands."""
    pairs, err, status = disturbed(fabric, os.path.join(folder, "out"), "ping", "--rate", "200", "--concurrency", "200", "--timeout", "0.5",
                                   disturb=lambda: lab.fabric("mgmt", "c", "down"))
    lab.fabric("mgmt", "c", "up")
    assert status == 1 and "node c (" in err and "has not answered" in err, err
    whole(pairs["b"])
    assert "c: it has not answered" in pairs["c"]["lost"], pairs["c"]
    works(fabric)


def both_links(fabric, folder):
    def cut():
        lab.fabric("link", "c", "down")
        lab.fabric("mgmt", "c", "down")

    pairs, err, status = disturbed(fabric, os.path.join(folder, "out"), "bulk", "--transport", "tcp", "--size", "20000", "--rate", "20",
                                   "--timeout", "0.5", disturb=cut)
    lab.fabric("link", "c", "up")
    lab.fabric("mgmt", "c", "up")
    assert status == 1 and "node c (" in err, err
    whole(pairs["b"])
    assert pairs["c"]["lost"] and pairs["c"]["client_side"]["failed"] > 0, pairs["c"]
    works(fabric)


# ---- strangers: this script again, in a namespace of its own


def bytes_for_strangers(packet, hosts):
    """Bytes of UDP or TCP that a captured frame brings from one of these addresses; None when it is no such frame."""
    if struct.unpack_from("!H", packet, 12)[0] != 0x0800 or socket.inet_ntoa(packet[26:30]) not in hosts:
        return None
    ip = packet[14:14 + struct.unpack_from("!H", packet, 16)[0]]
    rest = ip[(ip[0] & 15) * 4:]
    if ip[9] == socket.IPPROTO_UDP:
        return len(rest) - 8
    return len(rest) - (rest[12] >> 4) * 4 if ip[9] == socket.IPPROTO_TCP else None


def stranger(seconds, targets):
    """Sends as fast as it can, and captures meanwhile; prints what it sent and what came back."""
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    wire.setblocking(False)
    print("ready", flush=True)
    hosts = {address for _, address, _ in targets}
    messages = [b"", b"\x01", b"\x00" * 40, b"\xff" * 64, os.urandom(1400)]
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    until, sent, frames, came, held = time.monotonic() + seconds, 0, 0, 0, []
    while time.monotonic() < until:
        for protocol, address, port in targets:
            with contextlib.suppress(OSError):
                if protocol == "udp":
                    for m in messages * 8:
                        udp.sendto(m, (address, port))
                        sent += 1
                elif protocol == "tcp":
                    sent += 1
                    s = socket.create_connection((address, port), 1)
                    held = held[-50:] + [s]
                    s.sendall(messages[sent % len(messages)])
        with contextlib.suppress(BlockingIOError):
            while True:
                n = bytes_for_strangers(wire.recv(2048), hosts)
                frames += n is not None
                came += n or 0
    print(json.dumps({"sent": sent, "frames": frames, "bytes": came}))


def alien(host, seconds, targets):
    """This script's stranger() on a host, once it captures."""
    p = subprocess.Popen(["ip", "netns", "exec", lab.PREFIX + "-" + host, sys.executable, os.path.abspath(__file__), "stranger",
                          str(seconds), json.dumps(targets)], stdout=subprocess.PIPE, text=True)
    assert p.stdout.readline() == "ready\n"
    return p


def unannounced(fabric, folder):
    """Whoever was not announced gets no byte, whatever it sends to the ports of test messages, before, while and after
    there is a test; and the test goes on."""
    for transport in ("udp", "tcp"):
        out = os.path.join(folder, transport)
        targets = [(transport, fabric.data[h], lab.DATA_PORT) for h in "abc"]
        one = alien("stranger", 9, targets)
        time.sleep(1)
        subprocess.run(fabric.console("ping", "--transport", transport, "--rate", "100", "--concurrency", "100", "--time", "5", "--out", out,
                                      clients=("a",), servers=("b", "c")), check=True, capture_output=True, timeout=60)
        saw = json.loads(one.communicate(timeout=60)[0])
        assert saw["sent"] > 100 and saw["bytes"] == 0 and (transport == "tcp" or saw["frames"] == 0), saw
        with open(os.path.join(out, "summary.json"), encoding="utf-8") as f:
            summary = json.load(f)
        for p in summary["pairs"]:
            c, s = p["client_side"], p["server_side"]
            assert p["lost"] is None and c["total"] == s["total"] and c["failed"] <= c["total"] // 20, p
        # it did get through: to the nodes, or, where they only listen until all peers are there, to their kernels
        reached = saw["frames"] if transport == "tcp" else min(n["strangers"] for n in summary["nodes"])
        assert reached > 0, summary["nodes"]
        print("    %s: sent %d, captured %d frames with %d bytes" % (transport, saw["sent"], saw["frames"], saw["bytes"]))


def capture_works(fabric, folder):
    """The same capture sees what a node answers to an announced peer."""
    del folder
    wire = alien("a", 6, [(None, fabric.data["b"], 0)])
    subprocess.run(fabric.console("ping", "--count", "20", "--reply-size", "100", clients=("a",), servers=("b",)), check=True,
                   capture_output=True, timeout=60)
    saw = json.loads(wire.communicate(timeout=60)[0])
    assert saw["frames"] == 20 and saw["bytes"] == 2000, saw


CASES = [links_of_data, link_of_commands, both_links, unannounced, capture_works]


def main():
    if sys.argv[1:2] == ["stranger"]:
        stranger(float(sys.argv[2]), json.loads(sys.argv[3]))
        return 0
    lab.possible()
    root, failed = tempfile.mkdtemp(prefix="reckon-faults-"), 0
    fabric = lab.Lab(root, racks=RACKS, nic=0, uplink=0)
    try:
        for case in CASES:
            if sys.argv[1:] and case.__name__ not in sys.argv[1:]:
                continue
            folder = os.path.join(root, case.__name__)
            os.mkdir(folder)
            result = "ok"
            try:
                case(fabric, folder)
            except Exception:  # pylint: disable=broad-except
                traceback.print_exc()
                failed, result = 1, "FAILED"
            print("  %-18s %s" % (case.__name__, result), flush=True)
            if any(n.poll() is not None for n in fabric.nodes.values()):
                print("  a node has ended")
                return 1
    finally:
        lab.fabric("down")
        shutil.rmtree(root)
    return failed


if __name__ == "__main__":
    sys.exit(main())
