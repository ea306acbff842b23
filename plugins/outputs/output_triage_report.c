/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads about a triage: the verdict, the findings, what they rest on, and the periods that lost
 * most.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include <inttypes.h>

#include "../shared/report_common.h"
#include "../shared/triage_text.h"
#include "../shared/worst.h"

static void headline(const struct report *to, const struct reckon_triage *t) {
    struct reckon *r = to->r;
    report_headline(to, reckon_text(r, "triage of %s, %s, %s; %s of %g s, %" PRIu64 " probes",
                                    reckon_count(r, t->hosts, "host"), reckon_count(r, t->rnics, "RNIC"),
                                    reckon_count(r, t->tors, "ToR"), reckon_count(r, t->nperiods, "period"),
                                    t->period, t->probes));
}

static void fabric(const struct report *to, const struct reckon_triage *t) {
    struct reckon *r = to->r;
    char first[TRIAGE_WHEN], last[TRIAGE_WHEN];
    report_labelled(to, "FABRIC", REPORT_FACTS,
                    reckon_text(r, "%s under %s and %s, from %s", reckon_count(r, t->rnics, "RNIC"),
                                reckon_count(r, t->tors, "ToR"), reckon_count(r, t->spines, "spine"),
                                t->layout));
    if (!t->nperiods)
        return;
    report_labelled(to, "PROBED", REPORT_FACTS,
                    reckon_text(r, "%s to %s; %" PRIu64 " of %" PRIu64 " probes timed out",
                                triage_when(t->first, first), triage_when(t->last, last), t->timeouts,
                                t->probes));
    report_labelled(
        to, "JOB", REPORT_FACTS,
        !t->has_job ? "nothing says which connections it has; every problem is off its paths"
        : !t->job_placed
            ? reckon_text(
                  r,
                  "no path of its %s was traced; of problems, only those of the RNICs at its ends are on it",
                  reckon_count(r, t->job_tuples, "tuple"))
        : !t->has_metric
            ? "its connections are known, its metric is not: no P0 can be told"
            : reckon_text(r,
                          "slow (its metric down by more than %g%%) in %s; in %u of them nothing on its "
                          "paths was wrong",
                          t->job_threshold, reckon_count(r, t->slow_periods, "period"), t->innocent_periods));
}

/* ---- PERIODS ---- */

static const char *share(struct reckon *r, double pct) {
    return reckon_blank(pct) ? "-" : reckon_text(r, "%s%%", reckon_fixed(r, pct, 2));
}

static void period_row(const struct report *to, const struct reckon_triage_period *p) {
    struct reckon *r = to->r;
    const struct reckon_triage_view *v = &p->cluster;
    char when[TRIAGE_WHEN];
    const char *cells[] = {share(r, v->rnic_pct),          share(r, v->switch_pct),
                           share(r, v->other_pct),         reckon_time(r, v->network.p50),
                           reckon_time(r, v->network.p99), reckon_time(r, v->responder.p99)};
    report_blanks(to, 4);
    report_left(to, triage_when(p->start, when), 20);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        report_right(to, cells[i], i < 3 ? 8 : 10);
    report_blanks(to, 2);
    const char *class = reckon_impact_word(p->worst);
    reckon_printf(to->w, "%s%s%s\n", class, *class && p->innocent ? ", " : "", p->innocent ? "innocent" : "");
}

static void periods(const struct report *to, const struct reckon_triage *t) {
    struct worst worst = worst_new(to->r, reckon_option_number(to->r, "top"), (uint32_t)t->nperiods);
    for (uint32_t i = 0; i < t->nperiods; i++) {
        const struct reckon_triage_view *v = &t->periods[i]->cluster;
        if (v->timeouts || t->periods[i]->slow)
            worst_offer(&worst, -(v->rnic_pct + v->switch_pct + v->other_pct), i);
    }
    worst_sort(&worst);
    if (!worst.count)
        return;
    report_heading(to, "PERIODS, those that lost most first");
    reckon_put(to->w, "    period              "
                      "    RNIC  switch   other   RTT P50   RTT P99 delay P99  worst\n");
    for (size_t i = 0; i < worst.count; i++)
        period_row(to, t->periods[worst.at[i].index]);
}

static int write_report(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct report to = {r, w};
    headline(&to, subject);
    report_verdict(&to);
    report_findings(&to);
    if (!reckon_flag(r, "quiet")) {
        reckon_put(w, "\n");
        fabric(&to, subject);
        report_notes(&to);
        periods(&to, subject);
    }
    report_skipped(&to);
    report_next_steps(&to, true);
    return 0;
}

RECKON_PLUGIN(output, triage_report) = {
    .name = "triage_report",
    .summary = "the report of a triage",
    .verbs = "triage",
    .uses = (const char *const[]){"top", "quiet", NULL},
    .options = (const struct reckon_option[]){REPORT_OPTIONS},
    .output = {.on = "triage", .console = true, .write = write_report},
};
