/* SPDX-License-Identifier: Apache-2.0
 *
 * --json for a run: the whole reckoning as one object, `meta` first, then the verdict, the rest by key.
 * Streamed: one record is in memory at a time.
 */
#include <reckon/plugin.h>

#include "../shared/baseline_sums.h"
#include "../shared/json_common.h"
#include "../shared/json_hardware.h"
#include "../shared/links.h"

static void meta(struct json_document *d, const struct reckon_comparison *c) {
    struct reckon *r = d->r;
    const struct reckon_layout *layout = reckon_layout(r);
    cJSON *o = cJSON_CreateObject();
    json_text(r, o, "describe", reckon_run_describe(c));
    json_number(o, "fail_pct", reckon_option_number(r, "fail"));
    json_text(r, o, "label", reckon_option_text(r, "run"));
    json_text(r, o, "layout", layout ? reckon_layout_path(layout) : NULL);
    json_text(r, o, "mode", reckon_run_mode(c));
    cJSON_AddItemToObjectCS(o, "notes", json_notes(r));
    json_text(r, o, "run", reckon_run_id(c));
    json_number(o, "short_pct", reckon_option_number(r, "short"));
    json_text(r, o, "source", reckon_run_source(c));
    json_text(r, o, "tool", "reckon");
    json_whole(o, "ts", reckon_run_last_ts(c));
    json_text(r, o, "unit", reckon_run_unit(c));
    json_text(r, o, "version", reckon_version());
    json_number(o, "window", reckon_run_window(c));
    json_value(d, "meta", o);
}

/* ---- the baseline ---- */

static cJSON *hosts_that(struct reckon *r, const struct reckon_comparison *c, double drop,
                         bool (*moved)(const struct reckon_comparison *, uint32_t, double)) {
    cJSON *names = cJSON_CreateArray();
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (moved(c, h, drop))
            json_push_text(r, names, reckon_host_name(c, h));
    return names;
}

static bool nic_changed(const struct reckon_comparison *c, uint32_t h, double drop) {
    (void)drop;
    return reckon_host_nic_changed(c, h);
}

static void baseline(struct json_document *d, const struct reckon_comparison *c) {
    struct reckon *r = d->r;
    if (!reckon_has_baseline(c)) {
        json_value(d, "baseline", cJSON_CreateNull());
        return;
    }
    double drop = reckon_option_number(r, "drop");
    struct baseline_sums s = baseline_sums(c, drop);
    cJSON *o = cJSON_CreateObject();
    json_text(r, o, "describe", reckon_baseline_describe(c));
    json_number(o, "drop_pts", drop);
    cJSON_AddItemToObjectCS(o, "fell", hosts_that(r, c, drop, baseline_fell));
    json_number(o, "hosts_in_both", s.both);
    json_text(r, o, "label", reckon_baseline_label(c));
    json_number(o, "median_now_pct", s.now);
    json_number(o, "median_then_pct", s.then);
    cJSON_AddItemToObjectCS(o, "nic_changed", hosts_that(r, c, drop, nic_changed));
    cJSON_AddItemToObjectCS(o, "not_in_this_run", json_missing(r, c));
    json_text(r, o, "path", reckon_baseline_path(c));
    cJSON_AddItemToObjectCS(o, "rose", hosts_that(r, c, drop, baseline_rose));
    json_text(r, o, "since", reckon_baseline_since(c));
    json_whole(o, "ts", reckon_baseline_ts(c));
    json_text(r, o, "unit", reckon_baseline_unit(c));
    json_number(o, "unreadable_values", (double)reckon_baseline_unreadable_count(c));
    json_value(d, "baseline", o);
}

/* ---- flows ---- */

struct flows {
    struct reckon *r;
    const struct reckon_comparison *c;
    const char **hosts; /* names, made ready once and not for every flow */
    const char **links; /* the same, of those met so far */
};

static const char *dst(const struct flows *all, uint32_t f) {
    return all->hosts[reckon_flow_dst(all->c, f)];
}

static const char *src(const struct flows *all, uint32_t f) {
    return all->hosts[reckon_flow_src(all->c, f)];
}

static const char *layer(const struct flows *all, uint32_t f) {
    const char *name = reckon_flow_layer(all->c, f);
    return name ? reckon_utf8(all->r, name) : NULL;
}

static const char *limit(const struct flows *all, uint32_t f) {
    const char *word = reckon_limit_word(reckon_flow_limit(all->c, f));
    return *word ? word : NULL;
}

static const char *limit_on(const struct flows *all, uint32_t f) {
    uint32_t l = reckon_flow_limit_link(all->c, f);
    if (l == RECKON_NONE)
        return "";
    if (!all->links[l])
        all->links[l] = reckon_utf8(all->r, reckon_link_name(all->r, all->c, l));
    return all->links[l];
}

static const char *mtu_from(const struct flows *all, uint32_t f) {
    return reckon_flow_mtu_from(all->c, f);
}

static const char *unit(const struct flows *all, uint32_t f) {
    (void)f;
    return reckon_run_unit(all->c);
}

static double samples(const struct reckon_comparison *c, uint32_t f) {
    return reckon_flow_samples(c, f);
}

/* Sorted by key; each is a figure or a text. */
static const struct column {
    const char *key;
    double (*figure)(const struct reckon_comparison *c, uint32_t f);
    const char *(*text)(const struct flows *all, uint32_t f);
} columns[] = {
    {"achieved", reckon_flow_achieved, NULL},
    {"added_rtt_us", reckon_flow_added_rtt, NULL},
    {"baseline_efficiency_pct", reckon_flow_then, NULL},
    {"change_pts", reckon_flow_change, NULL},
    {"demand", reckon_flow_demand, NULL},
    {"dst", NULL, dst},
    {"efficiency_pct", reckon_flow_efficiency, NULL},
    {"expected", reckon_flow_expected, NULL},
    {"idle_rtt_p50_us", reckon_flow_idle_p50, NULL},
    {"layer", NULL, layer},
    {"limit", NULL, limit},
    {"limit_on", NULL, limit_on},
    {"loss_pct", reckon_flow_loss, NULL},
    {"mtu", reckon_flow_mtu, NULL},
    {"mtu_from", NULL, mtu_from},
    {"rtt_p50_us", reckon_flow_rtt_p50, NULL},
    {"samples", samples, NULL},
    {"sent", reckon_flow_sent, NULL},
    {"src", NULL, src},
    {"unit", NULL, unit},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static struct json_record *flow_record(void) {
    const char *keys[COLUMNS + 1] = {NULL};
    for (size_t i = 0; i < COLUMNS; i++)
        keys[i] = columns[i].key;
    return json_record_new(keys);
}

static struct flows flow_names(struct reckon *r, const struct reckon_comparison *c) {
    struct flows all = {.r = r, .c = c};
    all.hosts = reckon_alloc(r, (reckon_host_count(c) + 1u) * sizeof *all.hosts);
    all.links = reckon_alloc(r, (reckon_link_count(c) + 1u) * sizeof *all.links);
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        all.hosts[h] = reckon_utf8(r, reckon_host_name(c, h));
    return all;
}

static void flows(struct json_document *d, const struct reckon_comparison *c) {
    struct flows all = flow_names(d->r, c);
    struct json_record *record = flow_record();
    json_open(d, "flows", '[');
    for (uint32_t f = 0; f < reckon_flow_count(c) && !reckon_write_failed(d->w); f++) {
        reckon_progress(d->r, "writing --json", (double)f / (double)reckon_flow_count(c));
        for (size_t i = 0; i < COLUMNS; i++) {
            if (columns[i].figure)
                json_record_number(record, i, columns[i].figure(c, f));
            else
                json_record_text(record, i, columns[i].text(&all, f));
        }
        json_record_put(d, record);
    }
    json_close(d, ']');
    json_record_free(record);
}

/* ---- hosts ---- */

static void host(struct json_document *d, const struct reckon_comparison *c, uint32_t h) {
    struct reckon *r = d->r;
    cJSON *o = cJSON_CreateObject();
    json_number(o, "achieved", reckon_host_achieved(c, h));
    json_number(o, "added_rtt_us", reckon_host_added_rtt(c, h));
    json_number(o, "baseline_efficiency_pct", reckon_host_then(c, h));
    json_number(o, "change_pts", reckon_host_change(c, h));
    json_number(o, "compared_flows", reckon_host_compared(c, h));
    json_number(o, "efficiency_pct", reckon_host_efficiency(c, h));
    json_number(o, "expected", reckon_host_expected(c, h));
    json_text(r, o, "host", reckon_host_name(c, h));
    json_word(r, o, "limit", reckon_limit_word(reckon_host_limit(c, h)));
    json_text(r, o, "limit_on", reckon_link_name(r, c, reckon_host_limit_link(c, h)));
    json_bool(o, "reported", reckon_host_reported(c, h));
    json_number(o, "short_flows", reckon_host_short(c, h));
    json_word(r, o, "verdict", reckon_verdict_word(reckon_host_verdict(c, h)));
    json_value(d, NULL, o);
}

static void hosts(struct json_document *d, const struct reckon_comparison *c) {
    json_open(d, "hosts", '[');
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        host(d, c, h);
    json_close(d, ']');
}

static int write_json(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_comparison *c = subject;
    struct json_document d;
    json_begin(&d, r, w);
    meta(&d, c);
    json_verdict(&d);
    json_value(&d, "assumptions", json_assumptions(r));
    baseline(&d, c);
    json_findings(&d);
    flows(&d, c);
    json_hardware(&d, c);
    hosts(&d, c);
    json_links(&d, c);
    json_skipped(&d);
    json_end(&d);
    return 0;
}

RECKON_PLUGIN(output, json) = {
    .name = "json",
    .summary = "everything as JSON: hosts, flows, links, hardware, findings (a later run's --baseline)",
    .uses = (const char *const[]){"short", "fail", "drop", "run", "group-kind", NULL},
    .output = {.on = "run", .write = write_json},
};
