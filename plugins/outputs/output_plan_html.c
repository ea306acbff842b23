/* SPDX-License-Identifier: Apache-2.0
 *
 * --html for a plan: what the fabric should deliver, to be looked at: the sentence, what a change would do,
 * bottlenecks, the floor, the matrix, tables. doc/page.md describes it.
 */
#include <reckon/plan.h>
#include <reckon/plugin.h>

#include "../shared/json_common.h"
#include "../shared/links.h"
#include "../shared/plan_common.h"
#include "html/page.h"

/* The lines between less, the same and more, in percent of before. */
#define LESS 99.95
#define MORE 100.05

static void meta(struct json_document *d, const struct reckon_plan *plan, double highest) {
    struct reckon *r = d->r;
    cJSON *o = cJSON_CreateObject(), *changes = cJSON_CreateArray();
    for (size_t i = 0; i < plan->nchanges; i++)
        json_push_text(r, changes, plan->changes[i]);
    json_number(o, "above", MORE);
    json_bool(o, "changed", plan->then);
    cJSON_AddItemToObjectCS(o, "changes", changes);
    json_text(r, o, "describe", plan->describe);
    json_number(o, "fail", 0);
    json_bool(o, "full", !plan->then);
    json_number(o, "highest", highest);
    json_text(r, o, "kind", "plan");
    json_text(r, o, "label", reckon_option_text(r, "run"));
    json_text(r, o, "layout", reckon_layout_path(reckon_layout(r)));
    json_number(o, "short", LESS);
    json_text(r, o, "unit", reckon_run_unit(plan->now));
    json_text(r, o, "version", reckon_version());
    json_value(d, "meta", o);
}

/* ---- one of the two sides ---- */

static cJSON *classes(struct reckon *r, const struct reckon_comparison *c) {
    size_t count;
    const struct plan_class *all = plan_classes(r, c, &count);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON *row = cJSON_CreateArray();
        json_push_text(r, row, all[i].where);
        page_push_index(row, all[i].flows);
        page_push(row, all[i].lowest);
        page_push(row, all[i].highest);
        page_push(row, all[i].total);
        json_push_text(r, row, reckon_limit_word(all[i].limit));
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

/* Those that fill at one level together, named by the first few. */
#define NAMES 4
#define LINES 40

static cJSON *bottlenecks(struct reckon *r, const struct reckon_comparison *c) {
    size_t count, n, lines = 0;
    const struct plan_bottleneck *all = plan_bottlenecks(r, c, &count);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count && lines < LINES; i += n, lines++) {
        cJSON *row = cJSON_CreateArray(), *names = cJSON_CreateArray();
        n = plan_like(c, all, count, i);
        for (size_t k = i; k < i + n && k < i + NAMES; k++)
            json_push_text(r, names, link_text(r, c, all[k].link));
        page_push(row, all[i].level);
        page_push(row, (double)n);
        cJSON_AddItemToArray(row, names);
        page_push_index(row, reckon_link_limited(c, all[i].link));
        json_push_text(r, row, link_rate(r, c, all[i].link, reckon_link_capacity(c, all[i].link)));
        cJSON_AddItemToArray(list, row);
    }
    return list;
}

static void side(struct json_document *d, const char *key, const struct reckon_comparison *c) {
    struct plan_totals t = plan_totals(c);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObjectCS(o, "bottlenecks", bottlenecks(d->r, c));
    cJSON_AddItemToObjectCS(o, "classes", classes(d->r, c));
    json_number(o, "expected", t.expected);
    json_number(o, "flows", t.flows);
    json_number(o, "highest", t.highest);
    json_number(o, "lowest", t.lowest);
    json_text(d->r, o, "text", plan_sentence(d->r, c));
    json_number(o, "total", t.total);
    json_value(d, key, o);
}

static void upgrades(struct json_document *d, const struct reckon_plan *plan) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < plan->nupgrades && i < LINES; i++) {
        const struct reckon_upgrade *u = plan->upgrades[i];
        cJSON *row = cJSON_CreateArray();
        json_push_text(d->r, row, u->change);
        page_push(row, u->total);
        page_push(row, u->added_total);
        page_push(row, u->worst);
        page_push(row, u->added_worst);
        cJSON_AddItemToArray(list, row);
    }
    json_value(d, "upgrades", plan->asked_upgrades ? list : cJSON_CreateNull());
    if (!plan->asked_upgrades)
        cJSON_Delete(list);
}

static int write_html(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_plan *plan = subject;
    const struct reckon_comparison *c = plan->then ? plan->then : plan->now;
    const struct page_view view = {.c = c,
                                   .before = plan->then ? plan->now : NULL,
                                   .highest = plan->then ? RECKON_BLANK : plan_totals(c).highest};
    struct page p;
    page_begin(&p, r, w, PAGE_PLAN, reckon_text(r, "plan, %s", plan->describe), plan_sentence(r, c));
    meta(&p.data, plan, view.highest);
    side(&p.data, "now", plan->now);
    if (plan->then)
        side(&p.data, "then", plan->then);
    upgrades(&p.data, plan);
    json_value(&p.data, "notes", json_notes(r));
    json_value(&p.data, "assumptions", json_assumptions(r));
    page_hardware(&p.data, &view);
    page_floor(&p.data, c);
    page_flows(&p.data, &view);
    page_matrix(&p.data, &view);
    page_end(&p);
    return 0;
}

RECKON_PLUGIN(output, plan_html) = {
    .name = "plan_html",
    .summary = "a page to look at: what is expected, floor, matrix, tables; one file that needs nothing else",
    .uses = (const char *const[]){"run", NULL},
    .output = {.on = "plan", .option = "html", .write = write_html},
};
