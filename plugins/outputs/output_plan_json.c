/* SPDX-License-Identifier: Apache-2.0
 *
 * --json for a plan: everything that is expected, as one object, `meta` first, the rest by key. Where there
 * is a
 * --what-if, what is expected after it stands beside, under keys that end in _after.
 */
#include <reckon/plan.h>
#include <reckon/plugin.h>

#include "../shared/json_common.h"
#include "../shared/json_hardware.h"
#include "../shared/links.h"
#include "../shared/plan_common.h"

static void meta(struct json_document *d, const struct reckon_plan *plan) {
    struct reckon *r = d->r;
    cJSON *o = cJSON_CreateObject();
    json_text(r, o, "describe", plan->describe);
    json_text(r, o, "label", reckon_option_text(r, "run"));
    json_text(r, o, "layout", reckon_layout_path(reckon_layout(r)));
    json_text(r, o, "mode", "plan");
    cJSON_AddItemToObjectCS(o, "notes", json_notes(r));
    json_text(r, o, "pattern", plan->pattern);
    json_number(o, "target", plan->target);
    json_text(r, o, "text", plan_sentence(r, plan->now));
    json_text(r, o, "tool", "reckon");
    json_text(r, o, "unit", reckon_run_unit(plan->now));
    json_text(r, o, "version", reckon_version());
    json_value(d, "meta", o);
}

/* ---- summaries of one side ---- */

static cJSON *totals(const struct reckon_comparison *c) {
    struct plan_totals t = plan_totals(c);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "at_target", t.at_target);
    json_number(o, "expected", t.total);
    json_number(o, "flows", t.flows);
    json_number(o, "flows_expected", t.expected);
    json_number(o, "highest", t.highest);
    json_number(o, "lowest", t.lowest);
    return o;
}

static cJSON *classes(struct reckon *r, const struct reckon_comparison *c) {
    size_t count;
    const struct plan_class *all = plan_classes(r, c, &count);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON *o = cJSON_CreateObject();
        json_text(r, o, "class", all[i].where);
        json_number(o, "expected", all[i].total);
        json_number(o, "flows", all[i].flows);
        json_number(o, "highest", all[i].highest);
        json_word(r, o, "limit", reckon_limit_word(all[i].limit));
        json_number(o, "lowest", all[i].lowest);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static cJSON *bottlenecks(struct reckon *r, const struct reckon_comparison *c) {
    size_t count;
    const struct plan_bottleneck *all = plan_bottlenecks(r, c, &count);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON *o = cJSON_CreateObject();
        json_number(o, "capacity", reckon_link_capacity(c, all[i].link));
        json_number(o, "level", all[i].level);
        json_number(o, "limited_flows", reckon_link_limited(c, all[i].link));
        json_text(r, o, "link", reckon_link_name(r, c, all[i].link));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static void what_if(struct json_document *d, const struct reckon_plan *plan) {
    if (!plan->then) {
        json_value(d, "what_if", cJSON_CreateNull());
        return;
    }
    cJSON *changes = cJSON_CreateArray();
    for (size_t i = 0; i < plan->nchanges; i++)
        json_push_text(d->r, changes, plan->changes[i]);
    json_open(d, "what_if", '{');
    json_value(d, "bottlenecks", bottlenecks(d->r, plan->then));
    json_value(d, "changes", changes);
    json_value(d, "classes", classes(d->r, plan->then));
    json_links(d, plan->then);
    json_value(d, "text", cJSON_CreateString(reckon_utf8(d->r, plan_sentence(d->r, plan->then))));
    json_value(d, "total", totals(plan->then));
    json_close(d, '}');
}

static void upgrades(struct json_document *d, const struct reckon_plan *plan) {
    if (!plan->asked_upgrades) {
        json_value(d, "upgrades", cJSON_CreateNull());
        return;
    }
    json_open(d, "upgrades", '[');
    for (size_t i = 0; i < plan->nupgrades; i++) {
        const struct reckon_upgrade *u = plan->upgrades[i];
        cJSON *o = cJSON_CreateObject();
        json_number(o, "added_lowest", u->added_worst);
        json_number(o, "added_total", u->added_total);
        json_text(d->r, o, "change", u->change);
        json_number(o, "elements", u->elements);
        json_number(o, "expected", u->total);
        json_number(o, "lowest", u->worst);
        json_value(d, NULL, o);
    }
    json_close(d, ']');
}

/* ---- hosts and flows ---- */

static void host(struct json_document *d, const struct reckon_plan *plan, uint32_t h) {
    struct reckon *r = d->r;
    const struct reckon_comparison *c = plan->now, *then = plan->then;
    cJSON *o = cJSON_CreateObject();
    json_number(o, "expected", reckon_host_expected(c, h));
    if (then)
        json_number(o, "expected_after", reckon_host_expected(then, h));
    json_text(r, o, "host", reckon_host_name(c, h));
    json_word(r, o, "limit", reckon_limit_word(reckon_host_limit(c, h)));
    if (then)
        json_word(r, o, "limit_after", reckon_limit_word(reckon_host_limit(then, h)));
    json_text(r, o, "limit_on", reckon_link_name(r, c, reckon_host_limit_link(c, h)));
    if (then)
        json_text(r, o, "limit_on_after", reckon_link_name(r, then, reckon_host_limit_link(then, h)));
    json_value(d, NULL, o);
}

static void hosts(struct json_document *d, const struct reckon_plan *plan) {
    json_open(d, "hosts", '[');
    for (uint32_t h = 0; h < reckon_host_count(plan->now); h++)
        host(d, plan, h);
    json_close(d, ']');
}

enum { DEMAND, DST, EXPECTED, LIMIT, LIMIT_ON, SRC, UNIT, EXPECTED_AFTER, LIMIT_AFTER, LIMIT_ON_AFTER };

/* The names of hosts and links made ready once, not for every flow. */
struct names {
    const char **hosts, **links;
};

static struct names names_of(struct reckon *r, const struct reckon_comparison *c) {
    struct names n = {reckon_alloc(r, (reckon_host_count(c) + (size_t)1) * sizeof *n.hosts),
                      reckon_alloc(r, (reckon_link_count(c) + (size_t)1) * sizeof *n.links)};
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        n.hosts[h] = reckon_utf8(r, reckon_host_name(c, h));
    return n;
}

static const char *link_on(struct reckon *r, const struct reckon_comparison *c, const struct names *n,
                           uint32_t l) {
    if (l == RECKON_NONE)
        return "";
    if (!n->links[l])
        n->links[l] = reckon_utf8(r, reckon_link_name(r, c, l));
    return n->links[l];
}

static void expectation(struct json_document *d, struct json_record *record, const struct names *n,
                        const struct reckon_comparison *c, uint32_t f, const size_t place[3]) {
    const char *limit = reckon_limit_word(reckon_flow_limit(c, f));
    json_record_number(record, place[0], reckon_flow_expected(c, f));
    json_record_text(record, place[1], *limit ? limit : NULL);
    json_record_text(record, place[2], link_on(d->r, c, n, reckon_flow_limit_link(c, f)));
}

static void flows(struct json_document *d, const struct reckon_plan *plan) {
    /* with a change its keys stand between the others: each enumerator's place in the sorted order */
    static const char *const keys[] = {"demand", "dst", "expected", "limit", "limit_on", "src", "unit", NULL};
    static const char *const both[] = {"demand", "dst",         "expected", "expected_after",
                                       "limit",  "limit_after", "limit_on", "limit_on_after",
                                       "src",    "unit",        NULL};
    static const size_t alone[] = {0, 1, 2, 3, 4, 5, 6, 0, 0, 0}, beside[] = {0, 1, 2, 4, 6, 8, 9, 3, 5, 7};
    const struct reckon_comparison *c = plan->now;
    const size_t *at = plan->then ? beside : alone;
    struct names n = names_of(d->r, c);
    struct json_record *record = json_record_new(plan->then ? both : keys);
    json_open(d, "flows", '[');
    for (uint32_t f = 0; f < reckon_flow_count(c) && !reckon_write_failed(d->w); f++) {
        json_record_number(record, at[DEMAND], reckon_flow_demand(c, f));
        json_record_text(record, at[DST], n.hosts[reckon_flow_dst(c, f)]);
        json_record_text(record, at[SRC], n.hosts[reckon_flow_src(c, f)]);
        json_record_text(record, at[UNIT], reckon_run_unit(c));
        expectation(d, record, &n, c, f, (const size_t[]){at[EXPECTED], at[LIMIT], at[LIMIT_ON]});
        if (plan->then)
            expectation(d, record, &n, plan->then, f,
                        (const size_t[]){at[EXPECTED_AFTER], at[LIMIT_AFTER], at[LIMIT_ON_AFTER]});
        json_record_put(d, record);
    }
    json_close(d, ']');
    json_record_free(record);
}

static int write_json(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_plan *plan = subject;
    struct json_document d;
    json_begin(&d, r, w);
    meta(&d, plan);
    json_value(&d, "assumptions", json_assumptions(r));
    json_value(&d, "bottlenecks", bottlenecks(r, plan->now));
    json_value(&d, "classes", classes(r, plan->now));
    flows(&d, plan);
    json_hardware(&d, plan->now);
    hosts(&d, plan);
    json_links(&d, plan->now);
    json_value(&d, "total", totals(plan->now));
    upgrades(&d, plan);
    what_if(&d, plan);
    json_end(&d);
    return 0;
}

RECKON_PLUGIN(output, plan_json) = {
    .name = "plan_json",
    .summary = "everything expected as JSON: classes, hosts, flows, links, bottlenecks, upgrades",
    .uses = (const char *const[]){"run", "group-kind", NULL},
    .output = {.on = "plan", .option = "json", .write = write_json},
};
