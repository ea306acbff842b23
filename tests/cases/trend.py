#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trend.py [RECKON [NAME...]] -- end-to-end cases of `reckon trend` and `reckon compare`.

Each case is a function below: it writes a small history into an empty folder, runs the program there, and checks what
comes out against figures worked by hand. Without an argument the program is $RECKON. trend/golden holds series whose groups and bits are given; trend/year.py makes
the year of nightly reckonings whose planted changes must be found.
"""
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "trend"))
import year  # noqa: E402

DAY = 86400
HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[31m"
RECKON = ""


def run(*args, status=0, cwd=None):
    """The program's standard output and standard error; its status must be as said."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("RECKON_") or k == "RECKON_PLUGIN_PATH"}
    r = subprocess.run([RECKON, *args], capture_output=True, cwd=cwd, env=env, timeout=300, check=False)
    out, err = r.stdout.decode("utf-8", "replace"), r.stderr.decode("utf-8", "replace")
    assert r.returncode == status, "status %d, not %d: %s%s" % (r.returncode, status, err[:500], out[-500:])
    return out, err


def trend(*args, status=0):
    return json.loads(run("trend", *args, "--json", status=status)[0])


def tests(report):
    return {t["test"]: t for t in report["tests"]}


def boundaries(test):
    out, at = [], 0
    for g in test["groups"][:-1]:
        at += g["size"]
        out.append(at)
    return out


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text)


def series(path, columns, rows):
    write(path, ",".join(columns) + "\n" + "".join(",".join(str(c) for c in r) + "\n" for r in rows))


def steps(name, sizes, start=0):
    """Rows ts,test,value, a day apart: so many of each value."""
    values = [v for n, v in sizes for _ in range(n)]
    return [(start + i * DAY, name, v) for i, v in enumerate(values)]


# ---- groups ----


def case_golden(_):
    names = sorted(glob.glob(os.path.join(HERE, "trend", "golden", "*.csv")))
    assert len(names) == 40
    for path in names:
        with open(path[:-4] + ".json", encoding="utf-8") as f:
            want = json.load(f)
        got = trend(path)["tests"][0]
        assert [g["size"] for g in got["groups"]] == [g["size"] for g in want["groups"]], path
        assert abs(got["bits"] - want["bits"]) <= 1e-6 * max(1, want["bits"] / 1000), path
        for a, b in zip(got["groups"], want["groups"]):
            assert a["comment"] == b["comment"], path
            assert math.isclose(a["mean"], b["mean"], rel_tol=1e-9), path
            assert math.isclose(a["stdev"], b["stdev"], rel_tol=1e-6, abs_tol=1e-9 * max(1, abs(b["mean"]))), path


def case_worked_by_hand(_):
    series("one.csv", ["ts", "test", "value"], steps("t", [(1, 1234.5)]))
    assert abs(trend("one.csv")["tests"][0]["bits"] - 14) < 1e-9  # log2(2) + log2(2^13)
    series("flat.csv", ["ts", "test", "value"], steps("t", [(10, 1000)]))
    assert [g["size"] for g in trend("flat.csv")["tests"][0]["groups"]] == [10]
    series("step.csv", ["ts", "test", "value"], steps("t", [(10, 1000), (10, 900)]))
    t = trend("step.csv")["tests"][0]
    assert [(g["size"], g["mean"], g["comment"]) for g in t["groups"]] == [(10, 1000, "normal"), (10, 900, "regression")]
    assert [s["comment"] for s in t["samples"]] == ["normal"] * 10 + ["regression"] + ["normal"] * 9
    assert (t["trend"], t["runs"], t["result"], t["reason"]) == (900, 10, "Pass", "Normal")
    assert abs(t["long_term_change"] + 0.1) < 1e-12  # (900 - 1000) / 1000
    assert (t["regressions"], t["recent_regressions"], t["progressions"]) == (1, 1, 0)
    lower = trend("step.csv", "--lower-is-better")["tests"][0]
    assert [g["comment"] for g in lower["groups"]] == ["normal", "progression"]
    assert abs(trend("one.csv", "--bits", "10")["tests"][0]["bits"] - 12) < 1e-9  # log2(2) + log2(2^11)
    assert abs(trend("one.csv", "--unit", "411.5")["tests"][0]["bits"] - 3) < 1e-9  # three units: log2(2) + log2(3 + 1)
    zero = "zero.csv"
    series(zero, ["ts", "test", "value"], steps("t", [(5, 0)]))
    assert [g["size"] for g in trend(zero)["tests"][0]["groups"]] == [5]


def case_speed(_):
    """1,000 samples of one test take less than 0.1 s of a processor, the program's start included."""
    series("s.csv", ["ts", "test", "value"], steps("t", [(500, 1000), (500, 990)]))
    before = os.times().children_user
    run("trend", "s.csv", "--csv")
    spent = os.times().children_user - before
    with open(RECKON, "rb") as f:
        watched = b"__asan" in f.read()  # sanitizers take their time
    assert spent < (2 if watched else 0.1), spent


# ---- results, findings, exit status ----


def rows_of_results(last):
    return steps("t", [(4, 1000), (4, 1001), (4, 1000), (1, last)])


def case_pass_and_fail(_):
    """What passes and fails: prolonged passes, lower fails, higher passes; and a failed last run fails."""
    for last, result, reason, status, rules in [
        (1000, "Pass", "Normal", 0, []),
        (500, "Fail", "Regression", 20, [("TREND_REGRESSION", "CRITICAL")]),
        (2000, "Pass", "Progression", 0, [("TREND_PROGRESSION", "INFO")]),
        ("", "Fail", "Failed", 10, [("TREND_FAILED", "WARN")]),
    ]:
        series("r.csv", ["ts", "test", "value"], rows_of_results(last))
        got = trend("r.csv", "--exit-code", status=status)
        t = got["tests"][0]
        assert (t["result"], t["reason"]) == (result, reason), t
        assert [(f["rule_id"], f["severity"]) for f in got["findings"]] == rules, got["findings"]
        assert got["skipped"] == [] and got["meta"]["tool"] == "reckon"
        run("trend", "r.csv")  # without --exit-code the status says only that there was something to judge


def case_recent(_):
    """A regression 21 days before the newest run is still a warning, one more day is not."""
    for back, findings in [(21, ["WARN"]), (22, [])]:
        series("r.csv", ["ts", "test", "value"], steps("t", [(30, 1000), (back + 1, 900)]))
        got = trend("r.csv", "--exit-code", status=10 if findings else 0)
        assert [f["severity"] for f in got["findings"]] == findings
    assert trend("r.csv", "--days", "22")["findings"][0]["host"] == "t"


def case_known(_):
    """A known regression stays in the report but out of the exit status, until its date (the newest run is day 12)."""
    series("r.csv", ["ts", "test", "value"], rows_of_results(500))
    write("known", "TREND_REGRESSION t 1970-01-13\n")
    got = trend("r.csv", "--known", "known", "--exit-code", status=0)
    assert got["findings"][0]["known"] and got["verdict"]["text"].startswith("Nothing new. Performance became worse: t fell")
    assert "  (known) t: from 1000" in run("trend", "r.csv", "--known", "known", "--alert")[0]
    write("known", "TREND_REGRESSION t 1970-01-12\n")
    trend("r.csv", "--known", "known", "--exit-code", status=20)
    past = "the known fault TREND_REGRESSION of t is past its date and counts again"
    assert past in " ".join(run("trend", "r.csv", "--known", "known")[0].split())
    for still in ("t", "*", "t 1970-01-13"):  # another line still covers it
        write("known", "TREND_REGRESSION t 1970-01-12\nTREND_REGRESSION %s\n" % still)
        text = run("trend", "r.csv", "--known", "known", "--exit-code", status=0)[0]
        assert past not in " ".join(text.split()), still
    write("known", "TREND_REGRESION t\nTREND_REGRESSION *\nHOST_SHORT t\nWRONG t\n")
    text = " ".join(run("trend", "r.csv", "--known", "known")[0].split())
    assert "known:1: there is no rule TREND_REGRESION; did you mean TREND_REGRESSION?" in text, text
    assert "known:4: there is no rule WRONG; --rules lists them" in text and text.count("there is no rule") == 2, text


def case_known_quoted(_):
    """A test whose name has blanks is named in double quotes."""
    series("r.csv", ["ts", "test", "value"], [[row[0], "my test ndr", *row[2:]] for row in rows_of_results(500)])
    write("known", "TREND_REGRESSION \"my test ndr\" 1970-01-13\n")
    got = trend("r.csv", "--known", "known", "--exit-code", status=0)
    assert got["findings"][0]["known"] and got["findings"][0]["host"] == "my test ndr", got["findings"]


def case_verdict(_):
    """The verdict is the worst finding, whatever the names' order, and claims nothing that nobody looked for."""
    rows = steps("a", [(20, 1000), (10, 900)]) + steps("b", [(29, 1000), (1, 500)]) + steps("c", [(29, 7), (1, "")])
    series("v.csv", ["ts", "test", "value"], rows)
    verdict = trend("v.csv")["verdict"]
    assert verdict["severity"] == "CRITICAL" and ": b fell from 1000" in verdict["text"], verdict
    assert verdict["text"].endswith("; and 2 more findings."), verdict
    assert trend("v.csv", "--only", "TREND_FAILED")["verdict"]["text"].startswith("A test has no value in its last run: c ")
    text = trend("v.csv", "--only", "TREND_PROGRESSION")["verdict"]["text"]
    assert text == "The rules that were asked found no fault within 21 days; others were left out.", text


def case_retired(_):
    """What a test ended with is no news once it has not been run for three weeks, or --days."""
    for runs, news in [(22, True), (23, False)]:  # the newest run of all is day 42: 21 and 22 days later
        ends = 43 - runs
        series("r.csv", ["ts", "test", "value"], steps("here", [(43, 1000)]) + steps("fell", [(ends, 1000), (1, 500)])
               + steps("broke", [(ends, 1000), (1, "")]))
        got = trend("r.csv", "--exit-code", status=20 if news else 0)
        assert [f["host"] for f in got["findings"]] == (["fell", "broke"] if news else []), got["findings"]
        notes = ["1 test, not run for weeks, ended with a regression, which is no finding: fell",
                 "1 test, not run for weeks, ended without a value, which is no finding: broke"]
        assert got["meta"]["notes"] == ([] if news else notes), got["meta"]["notes"]
        assert ("Nothing new" in run("trend", "r.csv", "--alert")[0]) != news
        assert tests(got)["fell"]["reason"] == "Regression" and tests(got)["broke"]["reason"] == "Failed"
        assert run("trend", "r.csv", "--days", "30", "--alert")[0].count("fell:") == 1


def case_coarse_unit(_):
    """A unit as large as the samples makes noise look like change, which a note says."""
    series("u.csv", ["ts", "test", "value"], steps("t", [(5, 1000), (5, 1001)]))
    assert trend("u.csv", "--unit", "500")["meta"]["notes"] == []
    notes = trend("u.csv", "--unit", "501")["meta"]["notes"]  # 1001 is less than twice that
    assert notes == ["--unit 501 is too coarse for t: the largest sample is less than two of it, and noise looks like change"]
    both = ["--parent", "u.csv", "--current", "u.csv", "--json", "--unit"]
    assert json.loads(run("compare", *both, "501", status=0)[0])["meta"]["notes"] == notes


def case_statuses(_):
    run("trend", status=2)
    run("trend", "missing.csv", status=2)
    run("trend", "r.csv", "--bits", "0", status=2)
    write("other.csv", "a,b\n1,2\n")
    run("trend", "other.csv", status=2)
    series("r.csv", ["ts", "test", "value"], [(1, "t", "")])
    got = trend("r.csv", status=1)  # nothing could be judged
    assert got["tests"][0]["trend"] is None and got["tests"][0]["samples"][0]["status"] == "no value"


# ---- readers ----


def case_samples(_):
    write("s.csv", "label,ts,value,test,status\n"
                   "b,200,20,t,OK\n"
                   "a,100,10,t,\n"
                   "a,100,,t,TIMEOUT\n"
                   "a,100,14,t,ok\n"
                   "c,300,7,t,FAIL\n"
                   "d,400,-1,t,\n"
                   "e,,5,t,\n"
                   "f,500,5,,\n")
    got = trend("s.csv", status=0)
    t = got["tests"][0]
    assert [(s["ts"], s["value"], s["trials"], s["label"], s["status"]) for s in t["samples"]] == [
        (100, 12, [10, 14], "a", "OK"), (200, 20, [20], "b", "OK"), (300, None, [], "c", "FAIL"),
        (400, None, [], "d", "negative value")], t["samples"]
    assert t["samples"][0]["stdev"] == 2
    assert any("2 rows without a usable ts or test left out" in n for n in got["meta"]["notes"])
    os.mkdir("dir")
    os.rename("s.csv", "dir/s.csv")
    series("dir/u.csv", ["ts", "test", "value", "unit"], [(50, "t", 1, "pps")])
    t = trend("dir")["tests"]
    assert len(t) == 1 and t[0]["unit"] == "pps" and [s["ts"] for s in t[0]["samples"]] == [50, 100, 200, 300, 400]


def reckoning(path, ts, hosts, label=None, flows=(), **meta):
    keys = ["efficiency_pct", "achieved", "expected", "added_rtt_us"]
    doc = {"meta": {"tool": "reckon", "version": "1.0.0", "ts": ts, "source": "mx", "unit": "pps", "label": label,
                    "layout": "/x/floor.dc", **meta},
           "findings": [], "flows": [dict(zip(["src", "dst", "layer", "efficiency_pct"], f)) for f in flows],
           "hosts": [{"host": h, **dict(zip(keys, v))} for h, v in hosts.items()]}
    write(path, json.dumps(doc))


def case_reckonings(_):
    os.mkdir("h")
    reckoning("h/1.json", 100, {"a": (90, 900, 1000, 5), "b": (80, 800, 1000, None)}, "mon",
              [("a", "b", None, 91), ("b", "a", "red", 81)])
    reckoning("h/2.json", 200, {"a": (92, 920, 1000, 6), "b": (None, None, None, None)}, "tue")
    reckoning("h/3.json", 300, {"b": (82, 820, 1000, -1), "c": (70, 700, 1000, 3)})
    t = tests(trend("h"))
    assert sorted(t) == ["fleet", "host/a", "host/b", "host/c"]
    assert [s["value"] for s in t["fleet"]["samples"]] == [85, 92, 76]  # medians of those that have one
    assert t["fleet"]["unit"] == "%"
    assert [(s["value"], s["status"], s["label"]) for s in t["host/b"]["samples"]] == [
        (80, "OK", "mon"), (None, "missing", "tue"), (82, "OK", "")]
    assert [s["status"] for s in t["host/a"]["samples"]] == ["OK", "OK", "missing"]
    assert t["host/a"]["reason"] == "Failed" and t["host/b"]["reason"] == "Normal"
    assert len(t["host/c"]["samples"]) == 1  # not missing before it was there
    rtt = tests(trend("h", "--metric", "added_rtt"))
    assert rtt["host/a"]["unit"] == "us" and rtt["host/a"]["lower_is_better"]
    assert "host/b" not in rtt  # never a value; -1 is none
    assert tests(trend("h", "--metric", "achieved"))["host/a"]["unit"] == "pps"
    flows = tests(trend("h", "--per", "flow"))
    assert [s["value"] for s in flows["flow/b->a red"]["samples"]] == [81, None, None] and "flow/a->b" in flows
    # a file that comes twice is one run
    os.symlink("3.json", "h/latest.json")
    for _ in range(2):
        assert len(tests(trend("h", "h/1.json", "h"))["fleet"]["samples"]) == 3
    os.remove("h/latest.json")
    # other fabrics' runs are not runs in which a host of this one is missing
    reckoning("h/4.json", 400, {"z": (50, 1, 2, None)}, layout="/y/other.dc")
    assert len(tests(trend("h"))["host/c"]["samples"]) == 1
    write("h/5.json", '{"meta":{"tool":"reckon","mode":"ramp","ts":1},"steps":[]}')
    reckoning("h/6.json", None, {"a": (1, 1, 1, 1)})
    notes = trend("h")["meta"]["notes"]
    assert any("5.json is not the reckoning of one run" in n for n in notes), notes
    assert any("6.json does not say when its run was" in n for n in notes), notes
    assert trend("h")["meta"]["notes"] == notes  # said every time, index or not
    reckoning("h/8.json", None, {"a": (1, 1, 1, 1)})
    assert trend("h")["meta"]["notes"] == [
        "h/5.json is not the reckoning of one run and was left out",
        "h/6.json does not say when its run was and was left out, like 1 more file"]
    write("h/7.json", '{"meta":{"tool":"reckon","ts":1},"hosts":[{"host":"a"')
    assert "7.json:1: the reckoning breaks off" in run("trend", "h", status=2)[1]


MX = "ts,host,dir,peer,size,rep_size,target_pps,pps,rep_pps"
FLOOR = """dc T
  room h1 nic_gbps=10
    rack r01
      node a[1..2]
    rack r02
      node b[1..2]
"""


def case_real_reckonings(_):
    """Ten nights at 980 of 1,000 requests/s, then b2's flows at 450: what --json says of them, over time."""
    hosts = ["a1", "a2", "b1", "b2"]
    write("floor.dc", FLOOR)
    os.mkdir("h")
    for night in range(13):
        rows = [MX] + ["%d,%s,tx,%s,1434,34,1000,1000,%d" % (night * DAY, a, b, 450 if night >= 10 and "b2" in (a, b) else 980)
                       for a in hosts for b in hosts if a != b]
        write("run.csv", "\n".join(rows) + "\n")
        run("floor.dc", "--mx", "run.csv", "--json", "h/%02d.json" % night, "--run", "night-%d" % night)
    t = tests(trend("h"))
    assert sorted(t) == ["fleet"] + ["host/" + h for h in hosts]
    assert boundaries(t["host/b2"]) == [10] and boundaries(t["host/a1"]) == []
    assert [round(g["mean"], 6) for g in t["host/b2"]["groups"]] == [98, 45]
    assert t["host/b2"]["samples"][10]["label"] == "night-10" and t["host/b2"]["samples"][10]["ts"] == 10 * DAY
    assert boundaries(tests(trend("h", "--per", "flow"))["flow/a1->b2"]) == [10]


def case_index(_):
    os.mkdir("h")
    for i in range(5):
        reckoning("h/%d.json" % i, 100 * i, {"a": (90 + i, 1, 1, 1)})
    first, _ = run("trend", "h", "--json")
    assert os.path.exists("h/.reckon-index")
    before = os.stat("h/.reckon-index").st_mtime_ns
    assert run("trend", "h", "--json")[0] == first
    assert os.stat("h/.reckon-index").st_mtime_ns == before  # nothing to write
    with open("h/.reckon-index", "r+b") as f:
        f.seek(200)
        f.write(b"XXXX")
    damaged = json.loads(run("trend", "h", "--json")[0])
    assert "is damaged" in damaged["meta"]["notes"][0] and damaged["tests"] == json.loads(first)["tests"]
    assert run("trend", "h", "--json")[0] == first
    os.remove("h/.reckon-index")
    assert run("trend", "h", "--json")[0] == first
    reckoning("h/9.json", 900, {"a": (10, 1, 1, 1)})
    assert tests(trend("h"))["host/a"]["samples"][-1]["value"] == 10
    os.remove("h/9.json")
    assert run("trend", "h", "--json")[0] == first
    assert sorted(os.listdir("h")) == [".reckon-index"] + ["%d.json" % i for i in range(5)]
    os.remove("h/.reckon-index")
    if os.geteuid() != 0:  # root may write anywhere
        os.chmod("h", 0o555)
        assert run("trend", "h", "--json") == (first, "")
        os.chmod("h", 0o755)
    assert run("trend", *sorted(glob.glob("h/*.json")), "--json")[0] == first  # files alone: no index
    assert not os.path.exists("h/.reckon-index")


def csit(path, test, start, result, passed=True, **more):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write(path, json.dumps({"version": "1.5.0", "test_id": test, "start_time": start, "passed": passed, "result": result,
                            "telemetry": ["x{} [1]"] * 3, **more}))


def case_csit(_):
    job = "c/csit-vpp-perf-mrr-daily-master-2n-icx"
    mrr = "vpp.perf.ip4.2n1l-10ge2p1x710-ethip4-ip4base-mrr.64b-4t2c-ethip4-ip4base-mrr"
    ndr = "vpp.perf.ip4.2n1l-100ge2p1cx556a-ethip4-ip4base-ndrpdr.64b-1c-ethip4-ip4base-ndrpdr"
    for i in range(12):
        rates = [1e7 + 1000 * k for k in range(10)]
        csit("%s/%d/a.info.json" % (job, 100 + i), mrr, "2024-01-%02dT02:00:00.0Z" % (i + 1),
             {"type": "mrr", "receive_rate": {"rate": {"unit": "pps", "values": rates}}}, dut_version="24.0-rc%d" % i)
    csit(job + "/112/a.info.json", mrr, "2024-01-13T03:00:00+01:00", {}, False, message="no links\nTraceback", duts=["24.1"])
    for i in range(3):
        csit("c/csit-vpp-perf-ndrpdr-weekly-master-3n-snr/%d/b.info.json" % i, ndr, "202401%02d 02:00:00.500" % (i + 1),
             {"type": "ndrpdr", "ndr": {"lower": {"rate": {"unit": "pps", "value": 2e7}}},
              "pdr": {"lower": {"rate": {"unit": "pps", "value": 2.1e7}}},
              "latency_forward": {"pdr_50": {"avg": 11 + i, "unit": "us"}}})
    csit("c/x/c.info.json", "a-soak", "2024-01-01T00:00:00Z", {"type": "soak"})
    paths = sorted(glob.glob("c/*/*/*.json")) + ["c/x/c.info.json"]
    got = trend(*paths)
    assert any("c.info.json is of a kind of test that has no trend here" in n for n in got["meta"]["notes"])
    t = tests(got)
    assert sorted(t) == [ndr + " latency-pdr50", ndr + " ndr", ndr + " pdr", mrr]
    m = t[mrr]
    assert m["attributes"] == {"cores": "2", "nic": "x710", "testbed": "2n-icx"} and m["unit"] == "pps"
    assert m["samples"][0]["ts"] == 1704074400 and len(m["samples"][0]["trials"]) == 10
    assert m["samples"][0]["value"] == 1e7 + 4500
    assert m["samples"][0]["label"] == "24.0-rc0, csit-vpp-perf-mrr-daily-master-2n-icx #100"
    assert (m["samples"][12]["ts"], m["samples"][12]["status"], m["reason"]) == (1705111200, "no links", "Failed")
    assert t[ndr + " ndr"]["trend"] == 2e7 and t[ndr + " pdr"]["trend"] == 2.1e7
    latency = t[ndr + " latency-pdr50"]
    assert latency["lower_is_better"] and latency["unit"] == "us" and latency["samples"][0]["ts"] == 1704074400.5
    assert latency["attributes"] == {"cores": "1", "nic": "cx556a", "testbed": "3n-snr"}
    report, _ = run("trend", *paths)
    assert "testbed 2n-icx, cores 2" in report and "testbed 3n-snr, cores 1" in report
    assert "testbed" not in run("trend", *paths, "--split", "nic")[0].split("WHAT TO DO")[0].split("DASHBOARD")[1]


def case_csit_times(_):
    """A start that is no date is none: the file is left out. 2024-02-29T00:00:00Z is 1709164800."""
    result = {"type": "mrr", "receive_rate": {"rate": {"unit": "pps", "values": [5]}}}
    for start, ts in [("2024-02-29T00:00:00Z", 1709164800), ("2024-02-28T23:59:60Z", 1709164800),
                      ("2024-02-29T23:59:59-00:00", 1709251199), ("2024-02-29T02:30:00+0230", 1709164800),
                      ("2022-13-45T99:99:99Z", None), ("2023-02-29T00:00:00Z", None), ("2024-00-10T00:00:00Z", None),
                      ("2024-01-00T00:00:00Z", None), ("2024-04-31T00:00:00Z", None), ("2024-01-01T24:00:00Z", None),
                      ("2024-01-01T00:60:00Z", None), ("2024-01-01T00:00:61Z", None), ("2024-01-01T00:00:00+24:00", None)]:
        csit("d/x.info.json", "x-mrr", start, result)
        got = trend("d/x.info.json", status=1 if ts is None else 0)
        if ts is None:
            assert any("does not say when its test started and was left out" in n for n in got["meta"]["notes"]), (start, got)
        else:
            assert got["tests"][0]["samples"][0]["ts"] == ts, (start, got["tests"])


def case_units_of_time(_):
    """Times in milli-, micro- and nanoseconds are told; those in seconds are not."""
    for factor, word in ((1, None), (1000, "milliseconds"), (10**6, "microseconds"), (10**9, "nanoseconds")):
        series("u.csv", ["ts", "test", "value"], [[(1700000000 + i) * factor, "t", 100] for i in range(3)])
        series("s.csv", ["ts", "test", "value"], [[1700000000, "s", 100]])
        notes = trend("u.csv", "s.csv")["meta"]["notes"]
        want = "the timestamps of 1 file look like %s (%d in u.csv)" % (word, 1700000002 * factor)
        assert any(want in n for n in notes) if word else notes == [], (factor, notes)


def case_failed_trials(_):
    """A trial that failed beside good ones is in no mean, and is told."""
    csit("d/x.info.json", "x-mrr", "2024-01-01T00:00:00Z", {"type": "mrr", "receive_rate": {"rate": {"unit": "pps", "values":
         ["1e6", None, 2e6]}}})
    got = trend("d/x.info.json")
    assert got["tests"][0]["samples"][0]["trials"] == [2000000], got["tests"]
    assert got["meta"]["notes"] == ["2 trials of 1 run failed and are left out of the mean of those beside them (x-mrr)"], got["meta"]
    series("f.csv", ["ts", "test", "value", "status"], [[1, "a", 5, "OK"], [1, "a", "", "FAIL"], [2, "a", 5, "OK"], [2, "b", "", "FAIL"],
                                                        [3, "c", 7, ""], [3, "c", -1, ""]])
    notes = trend("f.csv")["meta"]["notes"]
    assert notes == ["2 trials of 2 runs failed and are left out of the mean of those beside them (a first)"], notes


def case_split_words(_):
    """A word of --split that no test has is told, with those they have."""
    csit("csit-x-2n-icx/1/x.info.json", "a.2n1l-10ge2p1x710-2t1c-mrr", "2024-01-01T00:00:00Z",
         {"type": "mrr", "receive_rate": {"rate": {"unit": "pps", "values": [5]}}})
    series("s.csv", ["ts", "test", "value"], [[1704067200, "plain", 5]])
    both = "csit-x-2n-icx/1/x.info.json", "s.csv"
    for args, want in (([], []), (["--split", "nic,cores"], []),
                       (["--split", "nic,typo"], ["--split typo: no test has that attribute; they have testbed, nic, cores"])):
        assert trend(*both, *args)["meta"]["notes"] == want, args
    assert trend("s.csv", "--split", "nic")["meta"]["notes"] == ["--split nic: no test has that attribute; they have none"]


def case_junit(_):
    """Its time is the newest run's, day 12."""
    series("r.csv", ["ts", "test", "value"], rows_of_results(500))
    run("trend", "r.csv", "--junit", "j.xml")
    with open("j.xml", encoding="utf-8") as f:
        stamps = set(re.findall('timestamp="([^"]*)"', f.read()))
    assert stamps == {"1970-01-13T00:00:00"}, stamps


def case_empty_directory(_):
    os.mkdir("empty")
    err = run("trend", "empty", status=2)[1]
    assert err == "reckon: empty: the directory holds no *.json or *.csv file\n", err


def case_csit_as_it_comes(_):
    """What real archives hold: results that never came, tests without latency, testbeds of several kinds."""
    job = "a/csit-vpp-perf-ndrpdr-weekly-master-3na-spr"
    mrr, ndr = "x.64b-2t1c-y-mrr", "x.64b-2t1c-y-ndrpdr"
    for i in range(3):
        csit("%s/%d/m.info.json" % (job, i), mrr, "2024-01-0%dT02:00:00Z" % (i + 1),
             {"type": "mrr", "receive_rate": {"rate": {"unit": "pps", "values": [5, 6]}}})
        csit("%s/%d/n.info.json" % (job, i), ndr, "2024-01-0%dT03:00:00Z" % (i + 1),
             {"type": "ndrpdr", "ndr": {"lower": {"rate": {"unit": "cps", "value": 7}}},
              "pdr": {"lower": {"rate": {"unit": "cps", "value": 8}}}})
    csit(job + "/3/m.info.json", mrr, "2024-01-04T02:00:00Z", {"type": "unknown"}, False, test_type="mrr", message="no link")
    csit(job + "/4/m.info.json", mrr, "2024-01-05T02:00:00Z", {"type": "mrr", "receive_rate": {"rate": {"values": []}}})
    builds = [job + "/%d" % i for i in range(5)]
    t = tests(trend(*builds))
    assert sorted(t) == [mrr, ndr + " ndr", ndr + " pdr"], sorted(t)  # no latency was measured
    assert [s["status"] for s in t[mrr]["samples"]] == ["OK"] * 3 + ["no link", "no value"], t[mrr]["samples"]
    assert t[mrr]["attributes"] == {"cores": "1", "testbed": "3na-spr"}
    os.chdir(job + "/1")  # job and build are those of the path from the root, and the index does not know better
    for _ in range(2):
        inside = tests(trend("."))[mrr]
        assert inside["attributes"]["testbed"] == "3na-spr" and inside["samples"][0]["label"].endswith("3na-spr #1")
    os.rename("../../" + os.path.basename(job), "../../csit-vpp-perf-ndrpdr-weekly-master-2n-icx")
    assert tests(trend("."))[mrr]["attributes"]["testbed"] == "2n-icx"


# ---- outputs ----


def mixed(path):
    """A regression, a failure, a progression and a hostile name, all new in the last run; and one quiet test."""
    rows = []
    for name, last in [("quiet", 1000), (HOSTILE, 500), ("rose", 2000), ("broke", "")]:
        for ts, _, value in rows_of_results(last):
            rows.append((ts, '"%s"' % name, value, "TIMEOUT" if value == "" else "", "night-%d" % (ts // DAY)))
    series(path, ["ts", "test", "value", "status", "label"], rows)


def case_report(_):
    mixed("m.csv")
    out, _ = run("trend", "m.csv")
    assert "\x1b" not in out and "</script><img src=x onerror=alert(1)>\\x1b[31m" in out
    assert re.search(r"\n    broke +failed +1  1970-01-13 00:00  night-12, TIMEOUT\n", out), out
    for piece in ["trend of 4 tests over 13 runs", "VERDICT", "DASHBOARD, worst long-term change first", "-50.0%",
                  "FAILED TESTS", "TIMEOUT", "REGRESSIONS AND PROGRESSIONS within 21 days", "night-12", "WHAT TO DO NEXT"]:
        assert piece in out, piece
    board = out.split("DASHBOARD")[1].split("FAILED")[0]
    assert board.index("-50.0%") < board.index("quiet") < board.index("rose")  # worst first
    assert "DASHBOARD" not in run("trend", "m.csv", "--quiet")[0]
    assert "and 3 more" in run("trend", "m.csv", "--top", "1")[0]


def case_alert(_):
    mixed("m.csv")
    out, _ = run("trend", "m.csv", "--alert")
    assert out.startswith("reckon trend: 4 tests over 13 runs, last 1970-01-13 00:00 UTC\n")
    assert re.search(r"Regressions\n  </script>.*: from 1000\b.* to 500.0 \(-50\.0%\) in run night-12", out), out
    assert re.search(r"Failed tests\n  broke: TIMEOUT in run night-12 .*, 1 within 7 days", out), out
    assert re.search(r"Progressions\n  rose: from 1000 to 2000 \(\+99\.9%\)", out), out
    assert "quiet" not in out and "\x1b" not in out
    series("q.csv", ["ts", "test", "value"], steps("t", [(5, 1000)]))
    assert "Nothing new in the last run." in run("trend", "q.csv", "--alert")[0]


def case_csv(_):
    mixed("m.csv")
    out, _ = run("trend", "m.csv", "--csv")
    lines = out.split("\n")
    assert lines[0] == "host,ts,rule_id,severity,title,detail,fix"
    assert lines[1].startswith("</script><img src=x onerror=alert(1)>\x1b[31m,%d,TREND_REGRESSION,CRITICAL,regression," % (12 * DAY))
    assert [l.split(",")[2] for l in lines[1:4]] == ["TREND_REGRESSION", "TREND_FAILED", "TREND_PROGRESSION"]


def case_graphs(_):
    mixed("m.csv")
    run("trend", "m.csv", "--svg", "svg", "--html", "html")
    assert len(os.listdir("svg")) == 4 and len(os.listdir("html")) == 5
    for path in glob.glob("svg/*.svg"):
        xml.etree.ElementTree.parse(path)
    for path in glob.glob("html/*.html") + glob.glob("svg/*.svg"):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        assert "<img" not in text and "\x1b" not in text, path
        assert set(re.findall(r"https?://[^\"' ]*", text)) <= {"http://www.w3.org/2000/svg"}, path
        assert not re.search(r"""(src|href)=["'](?!index\.html|[A-Za-z0-9._~-]+\.html)""", text), path
    with open("svg/rose.svg", encoding="utf-8") as f:
        rose = f.read()
    assert rose.count('<circle class="run"') == 13 and '<circle class="progression"' in rose
    assert "1970-01-13 00:00 UTC; value 2000; trend 2000" in rose and "run night-12" in rose
    assert ">0101<" in rose
    # trials whose mean differs in the last bit: an axis that no step can walk
    series("bit.csv", ["ts", "test", "value"], [(1, "bit", 0.3), (2, "bit", 0.1 + 0.2)])
    run("trend", "bit.csv", "--svg", "svg")
    with open("svg/bit.svg", encoding="utf-8") as f:
        ticks = re.findall(r'text-anchor="end">([0-9.]+)<', f.read())
    assert 3 <= len(set(ticks)) == len(ticks) <= 8 and "0.30" in ticks, ticks
    write("long.csv", "ts,test,value\n" + "".join("%d,long,%d\n" % (i * DAY, 1000 + i % 2) for i in range(20003)))
    run("trend", "long.csv", "--svg", "svg")
    with open("svg/long.svg", encoding="utf-8") as f:
        text = f.read()
    assert text.count('<circle class="run"') == 20000 and "the newest 20000 of 20003 runs" in text
    series("gone.csv", ["ts", "test", "value"], steps("fell", [(9, 1000), (1, 500)]) + [(99 * DAY, "here", 1)])
    run("trend", "gone.csv", "--html", "gone")
    with open("gone/index.html", encoding="utf-8") as f:
        assert "Note: 1 test, not run for weeks, ended with a regression" in f.read()
    run("trend", "m.csv", "--html", status=2)
    write("file", "")
    run("trend", "m.csv", "--html", "file", status=2)
    series("same.csv", ["ts", "test", "value"], [(1, n, 1) for n in ["a/b", "a_b", "A/b", "index", "." * 300]])
    run("trend", "same.csv", "--html", "same")
    names = [n.lower() for n in os.listdir("same")]
    assert len(names) == 6 == len(set(names)), names


def case_same_for_any_jobs(_):
    mixed("m.csv")
    os.mkdir("h")
    for i in range(100):
        reckoning("h/%02d.json" % i, 100 * (i % 7), {"a": (90 + i % 3, 1, 1, 1), "b": (80, 1, 1, 1)}, "run %d" % i)
    for history in ["m.csv", "h"]:
        one = run("trend", history, "--json", "--jobs", "1")[0]
        assert one == run("trend", history, "--json", "--jobs", "4")[0]


# ---- compare ----


def trials(path, values, name="t"):
    series(path, ["ts", "test", "value", "status"], [(100, name, v, "FAIL" if v == "" else "") for v in values])


def case_compare(_):
    """The per-patch job's four ends, with its console output."""
    base = [1000, 1010, 990, 1005, 995]
    for current, result, status in [
        ([998, 1008, 992, 1003, 994], "normal", 0),
        ([900, 909, 891, 904, 896], "regression", 20),
        ([1100, 1111, 1089, 1105, 1095], "progression", 0),
        ([1000, 1010, 990, "", 995], "failed", 20),
    ]:
        trials("p.csv", base)
        trials("c.csv", current)
        out, _ = run("compare", "--parent", "p.csv", "--current", "c.csv", status=status)
        assert "TEST 0  t" in out
        assert re.search(r"parent, measured +1000, 1010, 990, 1005, 995\n", out), out
        assert re.search(r"parent, sorted +990, 995, 1000, 1005, 1010\n", out), out
        assert re.search(r"current, sorted +%s\n" % ", ".join(str(v) for v in sorted(v for v in current if v != "")), out)
        assert re.search(r"result +%s\n" % result, out), out
        flat = re.sub(r"\s+", " ", out)
        assert "parent size 5, mean 1000, deviation 7.07107, " in flat and "combined size" in flat
        if result == "regression":
            assert "difference of means -10% of the parent's" in flat and "two groups are shorter than one by" in flat
        if result == "normal":
            assert "difference of means -0.1% of the parent's" in flat and "one group is shorter than two by" in flat
        if result == "failed":
            assert "failed trials parent 0, current 1; first status FAIL" in flat
        got = json.loads(run("compare", "--parent", "p.csv", "--current", "c.csv", "--json", status=status)[0])["tests"][0]
        assert got["result"] == result and got["parent"]["values"] == base
        assert abs(got["bits_saved"] - (got["combined"]["bits"] - got["parent"]["bits"] - got["current"]["bits"])) < 1e-9
        quiet, _ = run("compare", "--parent", "p.csv", "--current", "c.csv", "--quiet", status=status)
        assert "TEST 0" not in quiet and ("CRITICAL" in quiet) == (status == 20), quiet
        assert not status or re.search(r"CRITICAL +%s +t " % result, quiet), quiet  # what failed is named first
    trials("worse.csv", [900, 909, 891, 904, 896])
    run("compare", "--parent", "p.csv", "--current", "worse.csv", "--lower-is-better", status=0)


def case_compare_ends(_):
    trials("p.csv", [1, 2])
    trials("q.csv", [1, 2], "other")
    assert "no test is in both builds" in run("compare", "--parent", "p.csv", "--current", "q.csv", status=1)[1]
    run("compare", "--parent", "p.csv", status=2)
    run("compare", "p.csv", status=2)
    run("compare", "--parent", "p.csv", "--current", "missing.csv", status=2)
    os.mkdir("d")
    trials("d/1.csv", [1000, 1010])
    trials("d/2.csv", [990, 1005, 995])
    got = json.loads(run("compare", "--parent", "d", "--current", "d", "--json")[0])["tests"][0]
    assert got["parent"]["values"] == [1000, 1010, 990, 1005, 995] and got["result"] == "normal"
    series("l.csv", ["ts", "test", "value"], [(1, "only", 1)])
    report = json.loads(run("compare", "--parent", "p.csv", "l.csv", "--current", "p.csv", "--json")[0])
    assert "1 test of the parent build alone" in report["meta"]["notes"][0]


# ---- the year ----


def within_three(found, planted):
    assert sorted(found) == sorted(planted), "boundaries of %s, planted in %s" % (sorted(found), sorted(planted))
    for name, at in found.items():
        assert len(at) == 1 and abs(at[0] - planted[name][0]) <= 3, "%s: %s, planted %s" % (name, at, planted[name])


def check_year(args, *options):
    planted = year.write("h", **args)
    report = tests(trend("h", *options))
    within_three({n: boundaries(t) for n, t in report.items() if len(t["groups"]) > 1}, planted)
    files = sorted(glob.glob("h/*.json"))
    for name, (at, share) in planted.items():  # seen within three runs of happening
        if abs(share) < 0.05:
            continue
        seen = tests(trend(*files[: at + 3], *options))[name]
        assert [b for b in boundaries(seen) if abs(b - at) <= 3], "%s %g at %d: %s" % (name, share, at, boundaries(seen))


def case_year_of_hosts(_):
    check_year({"hosts": 200, "runs": 365})


def case_year_of_flows(_):
    check_year({"hosts": 20, "runs": 365, "flows": True}, "--per", "flow")


def main():
    global RECKON
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RECKON")
    if not program:
        sys.exit(__doc__)
    RECKON = os.path.abspath(program)
    cases = {n[5:]: f for n, f in globals().items() if n.startswith("case_")}
    bad = 0
    for name in sys.argv[2:] or cases:
        with tempfile.TemporaryDirectory() as tmp:
            os.chdir(tmp)
            try:
                cases[name](tmp)
            except Exception:  # pylint: disable=broad-except
                bad += 1
                print("FAIL %s: %s" % (name, traceback.format_exc()))
            os.chdir("/")
    print("%d trend cases passed, %d failed" % (len(sys.argv[2:] or cases) - bad, bad))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
