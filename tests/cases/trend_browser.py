#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trend_browser.py [RECKON] -- the pages of `reckon trend --html` ($RECKON) in a headless Chromium; 77 where there is none.

A page is opened from disk with one script added that acts as a person would (points, tabs, presses keys, types) and
writes down what it then sees; the checks below read that from the page's DOM.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HOSTILE = "</script><img src=x onerror=alert(1)>"
FIRST = """<script>window.seen={errors:[],alerts:0};addEventListener('error',e=>seen.errors.push(e.message||e.target.tagName),true);
window.alert=()=>seen.alerts++;</script>"""
LAST = """<script>addEventListener('load',()=>{try{%s}catch(e){seen.errors.push(String(e))}
seen.requests=performance.getEntriesByType('resource').length;
const out=document.createElement('pre');out.id='seen';out.textContent=JSON.stringify(seen);document.body.append(out)})</script>"""

GRAPH = """
const label=document.getElementById('label'),runs=[...document.querySelectorAll('.graph [aria-label][tabindex]')];
const state=()=>label.hidden?null:label.textContent;
const key=k=>document.activeElement.dispatchEvent(new KeyboardEvent('keydown',{key:k,bubbles:true}));
seen.runs=runs.length;seen.stops=runs.filter(r=>r.tabIndex===0).length;seen.before=state();
runs[2].dispatchEvent(new PointerEvent('pointerenter'));seen.hover=state();
const box=label.getBoundingClientRect();seen.inside=box.left>=0&&box.right<=innerWidth&&box.top>=0&&box.bottom<=innerHeight;
runs[2].dispatchEvent(new PointerEvent('pointerleave'));seen.left=state();
runs[0].focus();seen.focus=state();key('ArrowRight');seen.next=state();key('End');seen.end=state();key('Escape');seen.escape=state();
seen.images=document.images.length;seen.heading=document.querySelector('h1').textContent;
seen.circles=document.querySelectorAll('circle.regression').length;seen.wide=document.documentElement.scrollWidth>innerWidth;
"""
INDEX = """
const search=document.getElementById('search');const shown=()=>[...document.querySelectorAll('tbody tr')].filter(r=>!r.hidden).length;
seen.all=shown();search.value='QUIET normal';search.dispatchEvent(new Event('input'));seen.found=shown();
seen.count=document.getElementById('count').textContent;
seen.label=document.querySelector('label[for=search]')!==null;seen.images=document.images.length;
seen.links=[...document.querySelectorAll('a')].map(a=>a.getAttribute('href'));seen.text=document.body.textContent;
"""


def browser():
    return next((p for p in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if p), None)


def visit(chromium, path, script):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path + ".test.html", "w", encoding="utf-8") as f:
        f.write(text.replace("<title>", FIRST + "<title>", 1).replace("</html>", LAST % script + "</html>"))
    with tempfile.TemporaryDirectory() as profile:
        r = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--user-data-dir=" + profile, "--window-size=1280,800", "--virtual-time-budget=2000", "--dump-dom",
             "file://" + os.path.abspath(path) + ".test.html"], capture_output=True, timeout=120, check=False)
    seen = re.search(r'<pre id="seen">(.*?)</pre>', r.stdout.decode("utf-8", "replace"), re.S)
    assert seen, "the page did not come up: " + r.stderr.decode("utf-8", "replace")[-500:]
    seen = json.loads(html.unescape(seen.group(1)))
    assert not seen["errors"] and not seen["alerts"] and not seen["requests"], seen
    return seen


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RECKON")
    if not program:
        sys.exit(__doc__)
    chromium = browser()
    if not chromium:
        print("no Chromium here: the pages were not tried")
        sys.exit(77)
    reckon = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        with open("s.csv", "w", encoding="utf-8") as f:
            f.write("ts,test,value,label,status\n")
            for night in range(20):
                f.write('%d,"%s",%d,"%s",\n' % (night * 86400, HOSTILE, 1000 if night < 12 else 800, HOSTILE))
                f.write("%d,quiet,%d,night-%d,%s\n" % (night * 86400, 1000 + night % 2, night, "TIMEOUT" if night == 5 else ""))
        subprocess.run([reckon, "trend", "s.csv", "--html", "pages", "--alert", os.devnull], capture_output=True, check=True)
        page = next(n for n in os.listdir("pages") if "script" in n)
        seen = visit(chromium, "pages/" + page, GRAPH)
        assert seen["runs"] == 20 and seen["stops"] == 1 and seen["before"] is None, seen
        assert seen["hover"].startswith("1970-01-03 00:00 UTC\nvalue 1000\ntrend 1000\n"), seen["hover"]
        assert HOSTILE in seen["hover"] and seen["inside"] and seen["left"] is None, seen
        assert seen["focus"].startswith("1970-01-01") and seen["next"].startswith("1970-01-02"), seen
        assert seen["end"].startswith("1970-01-20") and seen["escape"] is None, seen
        assert seen["images"] == 0 and seen["heading"] == HOSTILE and seen["circles"] == 2, seen  # one is the legend's
        assert not seen["wide"], "the page is wider than the window"
        assert "TIMEOUT" in visit(chromium, "pages/quiet.html", GRAPH.replace("runs[2]", "runs[5]"))["hover"]
        seen = visit(chromium, "pages/index.html", INDEX)
        assert seen["all"] == 3 and seen["found"] == 1 and seen["count"] == "1 of 3 rows", seen
        assert seen["label"] and seen["images"] == 0 and HOSTILE in seen["text"], seen
        assert all(os.path.exists("pages/" + link) for link in seen["links"]), seen["links"]
    print("the pages of a trend hold in %s" % os.path.basename(chromium))


if __name__ == "__main__":
    main()
