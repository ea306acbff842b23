/* SPDX-License-Identifier: Apache-2.0
 *
 * --json of a triage: meta and verdict first, then findings, periods, problems and skipped rules, their keys
 * sorted.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/json_common.h"
#include "../shared/triage_text.h"

static cJSON *meta(struct reckon *r, const struct reckon_triage *t) {
    cJSON *o = cJSON_CreateObject();
    json_text(r, o, "tool", "reckon");
    json_text(r, o, "version", reckon_version());
    json_whole(o, "ts", t->last);
    json_text(r, o, "mode", "triage");
    json_text(r, o, "layout", t->layout);
    json_number(o, "period", t->period);
    json_number(o, "first", t->first);
    json_number(o, "last", t->last);
    json_number(o, "hosts", t->hosts);
    json_number(o, "rnics", t->rnics);
    json_number(o, "tors", t->tors);
    json_number(o, "spines", t->spines);
    json_number(o, "probes", (double)t->probes);
    json_number(o, "timeouts", (double)t->timeouts);
    json_number(o, "untraced", (double)t->untraced);
    json_number(o, "slow_periods", t->slow_periods);
    json_number(o, "innocent_periods", t->innocent_periods);
    json_bool(o, "network_innocent", t->innocent_periods > 0 && t->innocent_periods == t->slow_periods);
    cJSON_AddItemToObject(o, "notes", json_notes(r));
    return o;
}

static cJSON *percentiles(const struct reckon_percentiles *p) {
    cJSON *o = cJSON_CreateObject();
    json_number(o, "count", (double)p->count);
    json_number(o, "p50", p->p50);
    json_number(o, "p90", p->p90);
    json_number(o, "p99", p->p99);
    json_number(o, "p999", p->p999);
    return o;
}

static cJSON *view(const struct reckon_triage_view *v) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "network_rtt_us", percentiles(&v->network));
    json_number(o, "other_drop_pct", v->other_pct);
    cJSON_AddItemToObject(o, "prober_delay_us", percentiles(&v->prober));
    json_number(o, "probes", (double)v->probes);
    cJSON_AddItemToObject(o, "responder_delay_us", percentiles(&v->responder));
    json_number(o, "rnic_drop_pct", v->rnic_pct);
    json_number(o, "switch_drop_pct", v->switch_pct);
    json_number(o, "timeouts", (double)v->timeouts);
    return o;
}

static cJSON *period(struct reckon *r, const struct reckon_triage_period *p) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "cluster", view(&p->cluster));
    json_number(o, "end", p->end);
    json_bool(o, "innocent", p->innocent);
    cJSON_AddItemToObject(o, "job", view(&p->job));
    json_number(o, "metric", p->metric);
    json_number(o, "metric_before", p->metric_before);
    json_bool(o, "slow", p->slow);
    json_number(o, "start", p->start);
    json_number(o, "untraced", (double)p->untraced);
    json_word(r, o, "worst", reckon_impact_word(p->worst));
    return o;
}

static cJSON *problem(struct reckon *r, const struct reckon_triage_problem *p) {
    cJSON *o = cJSON_CreateObject();
    json_word(r, o, "class", reckon_impact_word(p->impact));
    json_number(o, "end", p->end);
    json_number(o, "limit_us", p->limit);
    json_number(o, "loss_pct", p->loss);
    json_text(r, o, "measure", p->measure);
    json_number(o, "metric_before", p->metric_before);
    json_number(o, "metric_during", p->metric_during);
    json_text(r, o, "name", p->name);
    json_bool(o, "on_job", p->on_job);
    json_bool(o, "ongoing", p->ongoing);
    json_number(o, "p99_us", p->p99);
    json_number(o, "periods", p->periods);
    json_number(o, "probes", (double)p->probes);
    json_bool(o, "provisional", p->provisional);
    json_text(r, o, "rule_id", triage_rule(p->kind));
    json_number(o, "start", p->start);
    json_text(r, o, "tied", p->tied);
    json_number(o, "timeouts", (double)p->timeouts);
    json_number(o, "votes", (double)p->votes);
    return o;
}

static int write_json(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_triage *t = subject;
    struct json_document d;
    json_begin(&d, r, w);
    json_value(&d, "meta", meta(r, t));
    json_verdict(&d);
    json_findings(&d);
    json_open(&d, "periods", '[');
    for (size_t i = 0; i < t->nperiods; i++)
        json_value(&d, NULL, period(r, t->periods[i]));
    json_close(&d, ']');
    json_open(&d, "problems", '[');
    for (size_t i = 0; i < t->nproblems; i++)
        json_value(&d, NULL, problem(r, t->problems[i]));
    json_close(&d, ']');
    json_skipped(&d);
    json_end(&d);
    return 0;
}

RECKON_PLUGIN(output, triage_json) = {
    .name = "triage_json",
    .summary = "everything a triage found, as JSON",
    .verbs = "triage",
    .output = {.on = "triage", .option = "json", .write = write_json},
};
