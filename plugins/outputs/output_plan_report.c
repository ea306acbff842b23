/* SPDX-License-Identifier: Apache-2.0
 *
 * The report a person reads, for a plan: what the fabric carries and what stops it, first in a sentence, then
 * by class of flows, link and host; with --what-if before and after.
 */
#include <reckon/plan.h>
#include <reckon/plugin.h>

#include <inttypes.h>
#include <string.h>

#include "../shared/links.h"
#include "../shared/plan_common.h"
#include "../shared/report_hardware.h"
#include "../shared/worst.h"

#define NAMES 4 /* how many links a line names */

/* What is written about one of the two comparisons. */
struct side {
    const struct report *to;
    const struct reckon_comparison *c;
    const char *unit, *heading; /* "", " after the change" */
};

static const char *rate(const struct side *s, double x) {
    return reckon_rate(s->to->r, x, s->unit);
}

static const char *range(const struct side *s, double lowest, double highest) {
    if (reckon_blank(lowest) || highest - lowest <= 1e-9 * highest)
        return rate(s, lowest);
    return reckon_text(s->to->r, "%s to %s", rate(s, lowest), rate(s, highest));
}

/* ---- classes of flows ---- */

static void classes(const struct side *s) {
    struct reckon *r = s->to->r;
    size_t count, where = strlen("class"), each = strlen("each");
    const struct plan_class *all = plan_classes(r, s->c, &count);
    for (size_t i = 0; i < count; i++) {
        where = report_widest(s->to, where, all[i].where);
        each = report_widest(s->to, each, range(s, all[i].lowest, all[i].highest));
    }
    report_heading(s->to, reckon_text(r, "FLOWS%s, by class", s->heading));
    report_blanks(s->to, 4);
    report_left(s->to, "class", where);
    report_right(s->to, "flows", 8);
    report_right(s->to, "each", each + 2);
    report_right(s->to, "in all", 14);
    reckon_put(s->to->w, "  limit\n");
    for (size_t i = 0; i < count; i++) {
        report_blanks(s->to, 4);
        report_left(s->to, all[i].where, where);
        report_right(s->to, reckon_text(r, "%" PRIu32, all[i].flows), 8);
        report_right(s->to, range(s, all[i].lowest, all[i].highest), each + 2);
        report_right(s->to, rate(s, all[i].total), 14);
        reckon_printf(s->to->w, "  %s\n", reckon_limit_word(all[i].limit));
    }
}

/* ---- bottlenecks ---- */

struct names {
    const struct side *s;
    const struct plan_bottleneck *at;
};

static const char *link_at(const void *user, size_t i) {
    const struct names *n = user;
    return link_text(n->s->to->r, n->s->c, n->at[i].link);
}

static void bottlenecks(const struct side *s, double top) {
    struct reckon *r = s->to->r;
    size_t count, n, line = 0;
    const struct plan_bottleneck *all = plan_bottlenecks(r, s->c, &count);
    for (size_t i = 0; i < count && (double)line < top; i += n, line++) {
        uint32_t l = all[i].link;
        n = plan_like(s->c, all, count, i);
        if (!i)
            report_heading(s->to, reckon_text(r, "BOTTLENECKS%s, in the order they fill", s->heading));
        const char *flows = reckon_count(r, reckon_link_limited(s->c, l), "flow");
        report_bullet(s->to, reckon_text(r, "%s each: %s hold%s %s%s (%s%s)", rate(s, all[i].level),
                                         report_names(r, n, NAMES, link_at, &(struct names){s, all + i}),
                                         n > 1 ? "" : "s", flows, n > 1 ? " each" : "",
                                         link_rate(r, s->c, l, reckon_link_capacity(s->c, l)),
                                         n > 1 ? " each" : ""));
    }
}

/* ---- links and hosts ---- */

static void link_row(const struct side *s, uint32_t l, size_t width) {
    struct reckon *r = s->to->r;
    report_blanks(s->to, 4);
    report_left(s->to, link_text(r, s->c, l), width);
    report_right(s->to, link_rate(r, s->c, l, reckon_link_capacity(s->c, l)), 12);
    report_right(s->to, link_rate(r, s->c, l, reckon_link_expected_load(s->c, l)), 12);
    report_right(s->to, reckon_percent(r, link_expected_pct(s->c, l)), 5);
    report_right(s->to, reckon_text(r, "%" PRIu32, reckon_link_flows(s->c, l)), 9);
    report_right(s->to, reckon_text(r, "%" PRIu32, reckon_link_limited(s->c, l)), 8);
    reckon_put(s->to->w, "\n");
}

static void links(const struct side *s, double top) {
    struct link_list full = link_fullest(s->to->r, s->c, true, top);
    size_t width = strlen("link");
    if (!full.count)
        return;
    for (uint32_t i = 0; i < full.count; i++)
        width = report_widest(s->to, width, link_text(s->to->r, s->c, full.at[i]));
    report_heading(s->to, reckon_text(s->to->r, "LINKS%s, fullest first", s->heading));
    report_blanks(s->to, 4);
    report_left(s->to, "link", width);
    reckon_put(s->to->w, "    capacity    expected         flows  limits\n");
    for (uint32_t i = 0; i < full.count; i++)
        link_row(s, full.at[i], width);
}

static void host_row(const struct report *to, const struct reckon_plan *plan, uint32_t h, size_t width) {
    const struct reckon_comparison *c = plan->then ? plan->then : plan->now;
    const char *unit = reckon_run_unit(c);
    report_blanks(to, 4);
    report_left(to, reckon_host_name(c, h), width);
    report_right(to, reckon_rate(to->r, reckon_host_expected(plan->now, h), unit), 14);
    if (plan->then) {
        report_right(to, reckon_rate(to->r, reckon_host_expected(c, h), unit), 14);
        report_right(to, plan_change(to->r, reckon_host_expected(plan->now, h), reckon_host_expected(c, h)),
                     11);
    }
    report_host_limit(to, c, h);
}

/* What a host sends, the least first; with a change by what is left after it. */
static void hosts(const struct report *to, const struct reckon_plan *plan, double top) {
    const struct reckon_comparison *c = plan->then ? plan->then : plan->now;
    struct worst least = worst_new(to->r, top, reckon_host_count(c));
    size_t width = strlen("host");
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        worst_offer(&least, reckon_host_expected(c, h), h);
    worst_sort(&least);
    if (!least.count)
        return;
    for (size_t i = 0; i < least.count; i++)
        width = report_widest(to, width, reckon_host_name(c, least.at[i].index));
    report_heading(to, "HOSTS, what each can send, least first");
    report_blanks(to, 4);
    report_left(to, "host", width);
    reckon_put(to->w, plan->then ? "        before         after     change  limit after\n"
                                 : "      expected  limit\n");
    for (size_t i = 0; i < least.count; i++)
        host_row(to, plan, least.at[i].index, width);
}

/* ---- before and after, upgrades ---- */

static void change_row(const struct report *to, const struct reckon_plan *plan, const char *what,
                       double before, double after) {
    const char *unit = reckon_run_unit(plan->now);
    report_blanks(to, 4);
    report_left(to, what, 12);
    report_right(to, reckon_rate(to->r, before, unit), 14);
    report_right(to, reckon_rate(to->r, after, unit), 14);
    report_right(to, plan_change(to->r, before, after), 12);
    reckon_put(to->w, "\n");
}

static void what_if(const struct report *to, const struct reckon_plan *plan) {
    if (!plan->then)
        return;
    struct plan_totals before = plan_totals(plan->now), after = plan_totals(plan->then);
    report_heading(to, "WHAT IF");
    for (size_t i = 0; i < plan->nchanges; i++)
        report_bullet(to, plan->changes[i]);
    reckon_put(to->w, "                        before         after      change\n");
    change_row(to, plan, "in all", before.total, after.total);
    change_row(to, plan, "lowest flow", before.lowest, after.lowest);
    change_row(to, plan, "highest flow", before.highest, after.highest);
}

/* "58.59 kpps more", "nothing". */
static const char *gain(struct reckon *r, double x, const char *unit) {
    if (x == 0)
        return "nothing";
    return reckon_text(r, "%s %s", reckon_rate(r, fabs(x), unit), x > 0 ? "more" : "less");
}

static void upgrades(const struct report *to, const struct reckon_plan *plan, double top) {
    const char *unit = reckon_run_unit(plan->now);
    if (!plan->asked_upgrades)
        return;
    report_heading(to, "UPGRADES, what adds most first");
    if (!plan->nupgrades)
        report_bullet(to, "no change of uplinks or of NIC speeds adds anything");
    for (size_t i = 0; i < plan->nupgrades && (double)i < top; i++) {
        const struct reckon_upgrade *u = plan->upgrades[i];
        report_bullet(to, reckon_text(to->r, "%s: %s in all (%s), %s to the lowest flow (%s)", u->change,
                                      gain(to->r, u->added_total, unit),
                                      plan_change(to->r, u->total - u->added_total, u->total),
                                      gain(to->r, u->added_worst, unit),
                                      plan_change(to->r, u->worst - u->added_worst, u->worst)));
    }
}

/* ---- the report ---- */

static void details(const struct report *to, const struct reckon_plan *plan) {
    double top = reckon_option_number(to->r, "top");
    const char *unit = reckon_run_unit(plan->now);
    reckon_put(to->w, "\n");
    report_hardware(to, plan->now);
    report_notes(to);
    const struct side before = {to, plan->now, unit, plan->then ? " before" : ""};
    const struct side after = {to, plan->then, unit, " after"};
    classes(&before);
    bottlenecks(&before, top);
    if (plan->then) {
        classes(&after);
        bottlenecks(&after, top);
    }
    links(plan->then ? &after : &before, top);
    hosts(to, plan, top);
}

static const char *sentence(struct reckon *r, const struct reckon_comparison *c) {
    return reckon_text(r, "%s.", plan_sentence(r, c));
}

static int write_report(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_plan *plan = subject;
    struct report to = {r, w};
    report_headline(&to, reckon_text(r, "plan for %s, %s, %s",
                                     reckon_count(r, reckon_host_count(plan->now), "host"),
                                     reckon_count(r, reckon_flow_count(plan->now), "flow"), plan->describe));
    reckon_put(w, "\n");
    report_labelled(&to, plan->then ? "BEFORE" : "EXPECTED", REPORT_FACTS, sentence(r, plan->now));
    if (plan->then)
        report_labelled(&to, "AFTER", REPORT_FACTS, sentence(r, plan->then));
    what_if(&to, plan);
    upgrades(&to, plan, reckon_option_number(r, "top"));
    if (!reckon_flag(r, "quiet")) {
        details(&to, plan);
        report_assumed(&to);
    }
    return 0;
}

RECKON_PLUGIN(output, plan_report) = {
    .name = "plan_report",
    .summary = "the report a person reads",
    .uses = (const char *const[]){"top", "quiet", NULL},
    .output = {.on = "plan", .console = true, .write = write_report},
};
