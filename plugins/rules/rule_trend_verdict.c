/* SPDX-License-Identifier: Apache-2.0
 *
 * TREND_VERDICT: the closing sentence of a trend. The worst regression or failure, else that there is none.
 */
#include "../shared/trend_text.h"

/* CRITICAL and WARN findings, as far as they are known or not: how many, and the worst. */
static size_t faults(const struct reckon *r, bool known, const struct reckon_finding **worst) {
    size_t count = 0;
    for (size_t i = reckon_finding_count(r); i-- > 0;) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        if (reckon_finding_severity(f) < RECKON_WARN || reckon_finding_known(f) != known)
            continue;
        *worst = f; /* they come most severe first */
        count++;
    }
    return count;
}

static void say_fault(struct reckon *r, const struct reckon_finding *f, size_t others) {
    reckon_set_verdict(r, reckon_finding_rule(f), reckon_finding_severity(f), "%s%s: %s%s.",
                       reckon_finding_known(f) ? "Nothing new. " : "", reckon_finding_lead(f),
                       reckon_finding_detail(f),
                       others ? reckon_text(r, "; and %s", reckon_count(r, others, "more finding")) : "");
}

static void say_none(struct reckon *r, const struct reckon_trend *t) {
    double days = reckon_option_number(r, "days");
    if (reckon_trend_tests(t) == 0)
        reckon_set_verdict(r, NULL, RECKON_INFO,
                           "The history holds no test; nothing within %g days can be judged.", days);
    else if (reckon_skipped_rule(r, 0))
        reckon_set_verdict(r, NULL, RECKON_INFO,
                           "The rules that were asked found no fault within %g days; others were left out.",
                           days);
    else
        reckon_set_verdict(r, NULL, RECKON_INFO,
                           "No test became worse within %g days, and the last run left none without a value.",
                           days);
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_finding *worst = NULL;
    size_t count = faults(r, false, &worst);
    if (count == 0)
        count = faults(r, true, &worst);
    if (worst)
        say_fault(r, worst, count - 1);
    else
        say_none(r, subject);
    return 0;
}

RECKON_PLUGIN(rule, trend_verdict) = {
    .name = "TREND_VERDICT",
    .summary = "the closing sentence of a trend",
    .rule =
        {
            .title = "verdict",
            .why = "The worst critical or warning finding, opened by what its rule makes of it, and how many "
                   "more "
                   "there are; without one, that nothing became worse. It is never a finding itself.",
            .lead = "",
            .rank = 10000,
            .on = "trend",
            .evaluate = evaluate,
        },
};
