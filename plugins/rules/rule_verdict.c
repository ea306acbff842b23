/* SPDX-License-Identifier: Apache-2.0
 *
 * VERDICT: the closing sentence. The first fault found, with its rule's lead; else what can be said without
 * one. Never a finding, and it decides nothing that another rule has not found.
 */
#include "../shared/baseline_sums.h"
#include "../shared/rule_common.h"

#include <string.h>

/* The first CRITICAL or WARN finding: one that is not known yet, else a known one; NULL for none. */
static const struct reckon_finding *first_fault(const struct reckon *r) {
    const struct reckon_finding *known = NULL;
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        if (reckon_finding_severity(f) < RECKON_WARN)
            continue;
        if (!reckon_finding_known(f))
            return f;
        if (!known)
            known = f;
    }
    return known;
}

static void say_fault(struct reckon *r, const struct reckon_finding *f) {
    reckon_set_verdict(r, reckon_finding_rule(f), reckon_finding_severity(f), "%s%s: %s.",
                       reckon_finding_known(f) ? "Nothing new. " : "", reckon_finding_lead(f),
                       reckon_finding_detail(f));
}

/* Against a baseline: "; none fell by 5 points or more since run tue". */
static const char *since(struct reckon *r, const struct reckon_comparison *c) {
    double drop = reckon_option_number(r, "drop");
    if (!reckon_has_baseline(c))
        return "";
    struct baseline_sums sums = baseline_sums(c, drop);
    if (sums.both == 0)
        return reckon_text(r, "; none of them can be compared with %s", reckon_baseline_since(c));
    return reckon_text(r, "; %s fell by %g points or more since %s",
                       sums.fell ? reckon_count(r, sums.fell, "host") : "none", drop,
                       reckon_baseline_since(c));
}

/* "Every host", or "Each of the 4 hosts that could be compared (2 could not)". */
static const char *whoever(struct reckon *r, size_t compared, size_t hosts) {
    if (compared == hosts)
        return "Every host";
    if (compared == 1)
        return reckon_text(r, "The only host that could be compared (%zu could not)", hosts - compared);
    return reckon_text(r, "Each of the %zu hosts that could be compared (%zu could not)", compared,
                       hosts - compared);
}

static void say_run(struct reckon *r, const struct reckon_comparison *c) {
    double shorts = reckon_option_number(r, "short");
    uint32_t hosts = reckon_host_count(c);
    double *eff = reckon_alloc(r, (hosts + (size_t)1) * sizeof *eff);
    size_t n = 0, below = 0;
    for (uint32_t h = 0; h < hosts; h++) {
        double x = reckon_host_efficiency(c, h);
        if (reckon_blank(x))
            continue;
        eff[n++] = x;
        below += x < shorts;
    }
    const char *median = reckon_percent(r, reckon_median(eff, n));
    if (n == 0)
        reckon_set_verdict(r, NULL, RECKON_INFO,
                           "Nothing could be compared: no flow has both a measurement and an expectation.");
    else if (below)
        reckon_set_verdict(
            r, NULL, RECKON_INFO,
            "No part of the fabric stands out: the median host is at %s of what its hardware allows, and "
            "the links carried their share. %zu of %zu hosts reached less than %g%%, because flows split "
            "the links unevenly; a longer, sequential or paced run would tell more%s.",
            median, below, n, shorts, since(r, c));
    else
        reckon_set_verdict(r, NULL, RECKON_INFO,
                           "%s reaches %g%% or more of what its hardware allows, the median %s%s.",
                           whoever(r, n, hosts), shorts, median, since(r, c));
}

static void say_ramp(struct reckon *r, const struct reckon_ramp *ramp) {
    struct reckon_fit fit = {.size = sizeof fit};
    if (!reckon_fit(ramp, RECKON_NONE, &fit)) {
        reckon_set_verdict(r, NULL, RECKON_INFO, "The ramp shows no fault, and has no ceiling to be told.");
        return;
    }
    const char *ceiling = reckon_rate(r, fit.ceiling, "pps");
    const char *hardware =
        reckon_blank(fit.hardware) || !(fit.hardware > 0)
            ? ""
            : reckon_text(r, ", %.0f%% of what the hardware allows", 100 * fit.ceiling / fit.hardware);
    if (fit.reached)
        reckon_set_verdict(
            r, NULL, RECKON_INFO,
            "The ramp shows no fault: the fleet's ceiling is %s per flow, reached at step %s%s.", ceiling,
            fit.ceiling_step, hardware);
    else
        reckon_set_verdict(
            r, NULL, RECKON_INFO,
            "The ramp shows no fault and no ceiling: every step kept up, so the fleet carries at least %s "
            "per flow (step %s)%s.",
            ceiling, fit.ceiling_step, hardware);
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_finding *f = first_fault(r);
    if (f)
        say_fault(r, f);
    else if (strcmp(reckon_subject(r), "ramp") == 0)
        say_ramp(r, subject);
    else
        say_run(r, subject);
    return 0;
}

RECKON_PLUGIN(rule, verdict) = {
    .name = "VERDICT",
    .summary = "the closing sentence",
    .uses = (const char *const[]){"short", "drop", NULL},
    .rule =
        {
            .title = "verdict",
            .why = "One sentence that can be acted on: the first critical or warning finding, opened by what "
                   "its rule makes of it. Findings are ordered by severity, then by rule, and the rules by "
                   "what explains what, so the first is the cause to look at first; a fault that is already "
                   "known gives way to one that is not. Without such a finding it says how the median host "
                   "did, and whether any host is below --short although no part stands out: then flows split "
                   "the links unevenly, and a longer, sequential or paced run would tell more. Against a "
                   "baseline it adds whether any host fell. It is never a finding itself and changes no exit "
                   "status.",
            .lead = "",
            .rank = 10000,
            .on = "run ramp",
            .evaluate = evaluate,
        },
};
