/* SPDX-License-Identifier: Apache-2.0
 *
 * NETWORK_INNOCENT: the job was slow and nothing on its paths was wrong, so the network is not to blame.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

/* The innocent period in which the metric fell furthest. */
static const struct reckon_triage_period *furthest(const struct reckon_triage *t) {
    const struct reckon_triage_period *worst = NULL;
    for (size_t i = 0; i < t->nperiods; i++) {
        const struct reckon_triage_period *p = t->periods[i];
        if (p->innocent && (!worst || p->metric / p->metric_before < worst->metric / worst->metric_before))
            worst = p;
    }
    return worst;
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_triage *t = subject;
    const struct reckon_triage_period *worst = furthest(t);
    char when[TRIAGE_WHEN];
    if (!t->has_metric)
        reckon_skip(r, "no --job-metric says how fast the job went");
    else if (!t->has_job)
        reckon_skip(r, "neither --job nor a service probe says where the job's paths are");
    else if (!t->job_placed)
        reckon_skip(r, "no path of the job's %s was traced, so nothing tells whether a problem is on them",
                    reckon_count(r, t->job_tuples, "tuple"));
    else if (worst) {
        struct reckon_finding *f = reckon_find(
            r, RECKON_INFO, NULL,
            "the job was slow in %s without a P0 or P1 problem; its metric fell by up to %.0f%%, to %g from "
            "%g at %s",
            reckon_count(r, t->innocent_periods, "period"), 100 * (1 - worst->metric / worst->metric_before),
            worst->metric, worst->metric_before, triage_when(worst->start, when));
        reckon_fix(r, f, "Look at the job itself: its hosts, its data and its code.");
    }
    return 0;
}

RECKON_PLUGIN(rule, network_innocent) = {
    .name = "NETWORK_INNOCENT",
    .summary = "a slow job without a fault on its paths",
    .verbs = "triage",
    .rule =
        {
            .title = "network innocent",
            .why = "A problem that slows the job lies on the job's paths. When the job's metric fell by more "
                   "than "
                   "--job-threshold percent of its median before, and no problem of that period is on its "
                   "paths (no P0 "
                   "and no P1), the network is not the cause, and saying so is half the answer.",
            .lead = "The network is innocent",
            .rank = 2900,
            .on = "triage",
            .evaluate = evaluate,
        },
};
