/* SPDX-License-Identifier: Apache-2.0
 *
 * --html for a run: one page that stands alone. It shows what the other outputs say, so that it can be looked
 * at: the verdict and what to do, the floor, the matrix of flows, tables, the hardware. doc/page.md describes
 * it.
 */
#include <reckon/plugin.h>

#include "../shared/baseline_sums.h"
#include "../shared/json_common.h"
#include "../shared/run_totals.h"
#include "html/page.h"

static void meta(struct json_document *d, const struct reckon_comparison *c) {
    struct reckon *r = d->r;
    const struct reckon_layout *layout = reckon_layout(r);
    cJSON *o = cJSON_CreateObject();
    json_text(r, o, "describe", reckon_run_describe(c));
    json_number(o, "above", 105); /* as ABOVE_HARDWARE and a host's verdict have it */
    json_number(o, "drop", reckon_option_number(r, "drop"));
    json_number(o, "fail", reckon_option_number(r, "fail"));
    json_bool(o, "idle", reckon_has_idle(c));
    json_text(r, o, "kind", "run");
    json_text(r, o, "label", reckon_option_text(r, "run"));
    json_text(r, o, "layout", layout ? reckon_layout_path(layout) : NULL);
    json_number(o, "short", reckon_option_number(r, "short"));
    json_number(o, "ts", reckon_run_last_ts(c));
    json_text(r, o, "unit", reckon_run_unit(c));
    json_text(r, o, "version", reckon_version());
    json_value(d, "meta", o);
}

static void totals(struct json_document *d, const struct reckon_comparison *c) {
    struct run_totals t = run_totals(c);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "achieved", t.achieved);
    json_number(o, "compared", t.compared);
    json_number(o, "expected", t.expected);
    json_number(o, "flows", reckon_flow_count(c));
    json_number(o, "median", run_median_host(c));
    json_bool(o, "together", t.together);
    json_value(d, "totals", o);
}

static void baseline(struct json_document *d, const struct reckon_comparison *c) {
    struct reckon *r = d->r;
    if (!reckon_has_baseline(c)) {
        json_value(d, "baseline", cJSON_CreateNull());
        return;
    }
    struct baseline_sums s = baseline_sums(c, reckon_option_number(r, "drop"));
    cJSON *o = cJSON_CreateObject();
    json_number(o, "both", s.both);
    json_number(o, "fell", s.fell);
    cJSON_AddItemToObjectCS(o, "missing", json_missing(r, c));
    json_number(o, "nic_changed", s.nic_changed);
    json_number(o, "now", s.now);
    json_text(r, o, "path", reckon_baseline_path(c));
    json_number(o, "rose", s.rose);
    json_text(r, o, "since", reckon_baseline_since(c));
    json_number(o, "then", s.then);
    json_value(d, "baseline", o);
}

static int write_html(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_comparison *c = subject;
    const struct page_view view = {.c = c, .highest = RECKON_BLANK};
    const char *rule, *text = "", *label = reckon_option_text(r, "run");
    enum reckon_severity severity;
    struct page p;
    reckon_verdict(r, &rule, &severity, &text);
    page_begin(&p, r, w, PAGE_RUN, reckon_text(r, "%s, %s", label ? label : "reckon", reckon_run_describe(c)),
               text);
    meta(&p.data, c);
    json_verdict(&p.data);
    json_findings(&p.data);
    json_skipped(&p.data);
    json_value(&p.data, "notes", json_notes(r));
    json_value(&p.data, "assumptions", json_assumptions(r));
    totals(&p.data, c);
    baseline(&p.data, c);
    page_hardware(&p.data, &view);
    page_floor(&p.data, c);
    page_flows(&p.data, &view);
    page_matrix(&p.data, &view);
    page_end(&p);
    return 0;
}

RECKON_PLUGIN(output, html) = {
    .name = "html",
    .summary = "a page to look at: verdict, floor, matrix, tables; one file that needs nothing else",
    .uses = (const char *const[]){"short", "fail", "drop", "run", NULL},
    .output = {.on = "run", .write = write_html},
};
