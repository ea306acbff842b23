/* SPDX-License-Identifier: Apache-2.0
 *
 * --html for a ramp: what was asked and delivered, the p99 with its fitted curve, ceiling, knee and
 * prediction, and every host in small. doc/page.md describes it.
 */
#include <reckon/plugin.h>

#include "../shared/json_common.h"
#include "../shared/ramp_text.h"
#include "html/page.h"

static void meta(struct json_document *d, const struct reckon_ramp *ramp) {
    struct reckon *r = d->r;
    const struct reckon_layout *layout = reckon_layout(r);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "above", 105);
    json_number(o, "bloat", reckon_option_number(r, "bloat"));
    json_text(r, o, "describe", ramp_describe(r, ramp));
    json_number(o, "fail", reckon_option_number(r, "fail"));
    json_number(o, "keep_up", reckon_option_number(r, "keep-up"));
    json_text(r, o, "kind", "ramp");
    json_text(r, o, "label", reckon_option_text(r, "run"));
    json_text(r, o, "layout", layout ? reckon_layout_path(layout) : NULL);
    json_number(o, "short", reckon_option_number(r, "short"));
    json_number(o, "ts", ramp_last_ts(ramp));
    json_text(r, o, "unit", reckon_run_unit(reckon_ramp_hardware_of(ramp)));
    json_text(r, o, "version", reckon_version());
    json_value(d, "meta", o);
}

static void steps(struct json_document *d, const struct reckon_ramp *ramp) {
    json_open(d, "steps", '[');
    for (size_t i = 0; i < reckon_step_count(ramp); i++) {
        cJSON *row = cJSON_CreateArray();
        json_push_text(d->r, row, reckon_step_label(ramp, i));
        page_push(row, reckon_step_flows(ramp, i));
        page_push(row, reckon_step_asked(ramp, i));
        page_push(row, reckon_step_delivered(ramp, i));
        page_push(row, reckon_step_p99(ramp, i));
        json_value(d, NULL, row);
    }
    json_close(d, ']');
}

/* [step, asked, delivered, p99] of every step it has a point in. */
static cJSON *points(const struct reckon_ramp *ramp, uint32_t h) {
    cJSON *all = cJSON_CreateArray();
    double asked, delivered, p99;
    for (size_t i = 0; i < reckon_step_count(ramp); i++) {
        if (!reckon_fit_point(ramp, h, i, &asked, &delivered, &p99))
            continue;
        cJSON *row = cJSON_CreateArray();
        page_push(row, (double)i);
        page_push_short(row, asked);
        page_push_short(row, delivered);
        page_push_short(row, p99);
        cJSON_AddItemToArray(all, row);
    }
    return all;
}

/* The fleet's fit (RECKON_NONE; figures per flow) or a host's (totals). NULL without one. */
static cJSON *fit(struct reckon *r, const struct reckon_ramp *ramp, uint32_t h) {
    struct reckon_fit f = {.size = sizeof f};
    double delivered = RECKON_BLANK, p99 = RECKON_BLANK;
    if (!reckon_fit(ramp, h, &f))
        return NULL;
    reckon_predicted(ramp, h, &delivered, &p99);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "b", f.b_us);
    json_number(o, "base", f.p99_base_us);
    json_number(o, "ceiling", f.ceiling);
    json_text(r, o, "ceiling_step", f.ceiling_step);
    json_text(r, o, "check", reckon_check_word(f.check));
    json_number(o, "first_short", f.first_short);
    json_number(o, "flows", h == RECKON_NONE ? 1 : f.flows);
    json_number(o, "hardware", f.hardware);
    json_number(o, "host", h == RECKON_NONE ? -1.0 : h);
    json_number(o, "knee", f.knee);
    json_text(r, o, "limit", h == RECKON_NONE ? NULL : ramp_limit_text(r, ramp, h, &f));
    json_number(o, "loo_delivered", f.loo_delivered_pct);
    json_number(o, "loo_p99", f.loo_p99_pct);
    cJSON_AddItemToObjectCS(o, "points", points(ramp, h));
    json_number(o, "predicted", delivered);
    json_number(o, "predicted_p99", p99);
    json_number(o, "r0", f.r0_us);
    json_bool(o, "reached", f.reached);
    json_number(o, "sustained", f.sustained);
    return o;
}

static void fits(struct json_document *d, const struct reckon_ramp *ramp) {
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    cJSON *fleet = fit(d->r, ramp, RECKON_NONE);
    double rate = RECKON_BLANK;
    reckon_has_prediction(ramp, &rate);
    cJSON *predict = cJSON_CreateObject();
    json_number(predict, "rate", rate);
    json_value(d, "prediction", predict);
    json_value(d, "fleet", fleet ? fleet : cJSON_CreateNull());
    json_open(d, "fits", '[');
    for (uint32_t h = 0; h < reckon_host_count(hardware); h++) {
        cJSON *o = fit(d->r, ramp, h);
        if (o)
            json_value(d, NULL, o);
    }
    json_close(d, ']');
}

static int write_html(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_ramp *ramp = subject;
    const struct page_view view = {.c = reckon_ramp_hardware_of(ramp), .highest = RECKON_BLANK};
    const char *rule, *text = "", *label = reckon_option_text(r, "run");
    enum reckon_severity severity;
    struct page p;
    reckon_verdict(r, &rule, &severity, &text);
    page_begin(&p, r, w, PAGE_RAMP,
               reckon_text(r, "%s, %s", label ? label : "reckon", ramp_describe(r, ramp)), text);
    meta(&p.data, ramp);
    json_verdict(&p.data);
    json_findings(&p.data);
    json_skipped(&p.data);
    json_value(&p.data, "notes", json_notes(r));
    json_value(&p.data, "assumptions", json_assumptions(r));
    steps(&p.data, ramp);
    fits(&p.data, ramp);
    page_hardware(&p.data, &view);
    page_end(&p);
    return 0;
}

RECKON_PLUGIN(output, ramp_html) = {
    .name = "ramp_html",
    .summary = "a page to look at: verdict, floor, matrix, tables; one file that needs nothing else",
    .uses = (const char *const[]){"short", "fail", "bloat", "keep-up", "run", NULL},
    .output = {.on = "ramp", .option = "html", .write = write_html},
};
