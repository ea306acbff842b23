/* SPDX-License-Identifier: Apache-2.0
 *
 * The report a person reads, for a run: verdict and findings first, then what they rest on, the worst hosts
 * and flows, and what to do next.
 */
#include <reckon/plugin.h>

#include <stdlib.h>
#include <string.h>

#include "../shared/baseline_sums.h"
#include "../shared/links.h"
#include "../shared/report_hardware.h"
#include "../shared/run_totals.h"
#include "../shared/trimmed.h"
#include "../shared/worst.h"

#define NAMES 6 /* how many hosts a sentence names */

static void headline(const struct report *to, const struct reckon_comparison *c) {
    report_headline(to,
                    reckon_text(to->r, "%s, %s, %s", reckon_count(to->r, reckon_host_count(c), "host"),
                                reckon_count(to->r, reckon_flow_count(c), "flow"), reckon_run_describe(c)));
}

/* ---- EXPECTED ---- */

static void expected(const struct report *to, const struct reckon_comparison *c) {
    struct reckon *r = to->r;
    struct run_totals t = run_totals(c);
    const char *unit = reckon_run_unit(c);
    const char *text =
        reckon_text(r, "%u of %s compared", t.compared, reckon_count(r, reckon_flow_count(c), "flow"));
    const char *share_of = reckon_percent(r, t.achieved / t.expected * 100);
    if (t.compared && t.together)
        text = reckon_text(r, "%s; expected %s, achieved %s (%s)", text, reckon_rate(r, t.expected, unit),
                           reckon_rate(r, t.achieved, unit), share_of);
    else if (t.compared)
        text = reckon_text(r, "%s; achieved %s of expected, rate-weighted", text, share_of);
    if (t.compared)
        text = reckon_text(r, "%s; median host %s", text, reckon_percent(r, run_median_host(c)));
    report_labelled(to, "EXPECTED", REPORT_FACTS, text);
}

/* ---- BASELINE ---- */

static const char *missing_name(const void *c, size_t i) {
    return reckon_baseline_missing(c, i);
}

/* Hosts modelled at another speed, in the order of names_changed(). */
struct changed {
    const struct reckon_comparison *c;
    uint32_t host[NAMES];
};

static const char *changed_name(const void *user, size_t i) {
    const struct changed *list = user;
    return reckon_host_name(list->c, list->host[i]);
}

static const char *names_changed(struct reckon *r, const struct reckon_comparison *c, uint32_t count) {
    struct changed list = {.c = c};
    for (uint32_t h = 0, n = 0; h < reckon_host_count(c) && n < NAMES; h++)
        if (reckon_host_nic_changed(c, h))
            list.host[n++] = h;
    return report_names(r, count, NAMES, changed_name, &list);
}

static void baseline(const struct report *to, const struct reckon_comparison *c) {
    struct reckon *r = to->r;
    if (!reckon_has_baseline(c))
        return;
    double drop = reckon_option_number(r, "drop");
    struct baseline_sums s = baseline_sums(c, drop);
    const char *text = reckon_text(
        r, "%s (%s): %s in both, median %s then and %s now; %u fell and %u rose by %s points or more",
        reckon_baseline_since(c), reckon_baseline_path(c), reckon_count(r, s.both, "host"),
        reckon_percent(r, s.then), reckon_percent(r, s.now), s.fell, s.rose, trimmed(r, drop, 3));
    if (s.missing)
        text = reckon_text(r, "%s; not in this run: %s", text,
                           report_names(r, s.missing, NAMES, missing_name, c));
    if (s.nic_changed)
        text = reckon_text(r, "%s; modelled at another NIC speed than then: %s", text,
                           names_changed(r, c, s.nic_changed));
    if (reckon_baseline_unreadable_count(c))
        text = reckon_text(r, "%s; %s in it could not be read", text,
                           reckon_count(r, reckon_baseline_unreadable_count(c), "value"));
    report_labelled(to, "BASELINE", REPORT_FACTS, text);
}

/* ---- HOSTS, LINKS and FLOWS ---- */

static void host_row(const struct report *to, const struct reckon_comparison *c, uint32_t h, size_t width) {
    const char *unit = reckon_run_unit(c);
    report_blanks(to, 4);
    report_left(to, reckon_host_name(c, h), width);
    report_right(to, reckon_rate(to->r, reckon_host_expected(c, h), unit), 14);
    report_right(to, reckon_rate(to->r, reckon_host_achieved(c, h), unit), 14);
    report_right(to, reckon_percent(to->r, reckon_host_efficiency(c, h)), 8);
    report_host_limit(to, c, h);
}

static void hosts(const struct report *to, const struct reckon_comparison *c, double top) {
    struct worst worst = worst_new(to->r, top, reckon_host_count(c));
    size_t width = strlen("host");
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        worst_offer(&worst, reckon_host_efficiency(c, h), h);
    worst_sort(&worst);
    if (!worst.count)
        return;
    for (size_t i = 0; i < worst.count; i++)
        width = report_widest(to, width, reckon_host_name(c, worst.at[i].index));
    report_heading(to, "HOSTS, worst first");
    report_blanks(to, 4);
    report_left(to, "host", width);
    reckon_put(to->w, "      expected      achieved  median  limit\n");
    for (size_t i = 0; i < worst.count; i++)
        host_row(to, c, worst.at[i].index, width);
}

static void link_row(const struct report *to, const struct reckon_comparison *c, uint32_t l, size_t width) {
    struct reckon *r = to->r;
    report_blanks(to, 4);
    report_left(to, link_text(r, c, l), width);
    report_right(to, link_rate(r, c, l, reckon_link_capacity(c, l)), 12);
    report_right(to, link_rate(r, c, l, reckon_link_expected_load(c, l)), 12);
    report_right(to, reckon_percent(r, link_expected_pct(c, l)), 5);
    report_right(to, link_rate(r, c, l, reckon_link_load(c, l)), 12);
    report_right(to, reckon_percent(r, reckon_link_utilisation(c, l)), 5);
    report_right(to, reckon_text(r, "%u", reckon_link_flows(c, l)), 7);
    report_right(to, reckon_text(r, "%u", reckon_link_limited(c, l)), 8);
    reckon_put(to->w, "\n");
}

static void links(const struct report *to, const struct reckon_comparison *c, double top) {
    struct link_list full = link_fullest(to->r, c, false, top);
    size_t width = strlen("link");
    if (!full.count)
        return;
    for (uint32_t i = 0; i < full.count; i++)
        width = report_widest(to, width, link_text(to->r, c, full.at[i]));
    report_heading(to, "LINKS, fullest first");
    report_blanks(to, 4);
    report_left(to, "link", width);
    reckon_put(to->w, "    capacity    expected         achieved         flows  limits\n");
    for (uint32_t i = 0; i < full.count; i++)
        link_row(to, c, full.at[i], width);
}

static const char *flow_name(struct reckon *r, const struct reckon_comparison *c, uint32_t f) {
    const char *layer = reckon_flow_layer(c, f);
    return reckon_text(r, "%s -> %s%s%s", reckon_host_name(c, reckon_flow_src(c, f)),
                       reckon_host_name(c, reckon_flow_dst(c, f)), layer ? ", layer " : "",
                       layer ? layer : "");
}

static const char *loss(struct reckon *r, double pct) {
    return reckon_blank(pct) ? "-" : reckon_text(r, "%s%%", reckon_fixed(r, pct, 1));
}

static void flow_row(const struct report *to, const struct reckon_comparison *c, uint32_t f, size_t width) {
    const char *unit = reckon_run_unit(c);
    report_blanks(to, 4);
    report_left(to, flow_name(to->r, c, f), width);
    report_right(to, reckon_rate(to->r, reckon_flow_expected(c, f), unit), 14);
    report_right(to, reckon_rate(to->r, reckon_flow_achieved(c, f), unit), 14);
    report_right(to, reckon_percent(to->r, reckon_flow_efficiency(c, f)), 7);
    report_right(to, loss(to->r, reckon_flow_loss(c, f)), 8);
    report_right(to, reckon_time(to->r, reckon_flow_added_rtt(c, f)), 10);
    report_blanks(to, 2);
    report_left(to, reckon_limit_text(to->r, c, reckon_flow_limit(c, f), reckon_flow_limit_link(c, f)), 0);
    reckon_put(to->w, "\n");
}

static void flows(const struct report *to, const struct reckon_comparison *c, double top) {
    struct worst worst = worst_new(to->r, top, reckon_flow_count(c));
    size_t width = strlen("flow");
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        worst_offer(&worst, reckon_flow_efficiency(c, f), f);
    worst_sort(&worst);
    if (!worst.count)
        return;
    for (size_t i = 0; i < worst.count; i++)
        width = report_widest(to, width, flow_name(to->r, c, worst.at[i].index));
    report_heading(to, "FLOWS, worst first");
    report_blanks(to, 4);
    report_left(to, "flow", width);
    reckon_put(to->w, "      expected      achieved    eff    loss      +rtt  limit\n");
    for (size_t i = 0; i < worst.count; i++)
        flow_row(to, c, worst.at[i].index, width);
}

static void evidence(const struct report *to, const struct reckon_comparison *c) {
    double top = reckon_option_number(to->r, "top");
    reckon_put(to->w, "\n");
    report_hardware(to, c);
    expected(to, c);
    report_notes(to);
    baseline(to, c);
    hosts(to, c, top);
    links(to, c, top);
    flows(to, c, top);
    report_assumed(to);
}

static int write_report(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct report to = {r, w};
    headline(&to, subject);
    report_verdict(&to);
    report_findings(&to);
    if (!reckon_flag(r, "quiet"))
        evidence(&to, subject);
    report_skipped(&to);
    report_next_steps(&to, false);
    return 0;
}

RECKON_PLUGIN(output, report) = {
    .name = "report",
    .summary = "the report a person reads",
    .uses = (const char *const[]){"top", "drop", "quiet", NULL},
    .options = (const struct reckon_option[]){REPORT_OPTIONS},
    .output = {.on = "run", .console = true, .write = write_report},
};
