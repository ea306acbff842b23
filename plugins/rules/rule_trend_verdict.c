/* SPDX-License-Identifier: Apache-2.0
 *
 * TREND_VERDICT: the closing sentence of a trend. The first regression or failure, else that there is none.
 */
#include "../shared/trend_text.h"

static void say_fault(struct reckon *r, const struct reckon_finding *f, size_t others) {
    reckon_set_verdict(r, reckon_finding_rule(f), reckon_finding_severity(f), "%s: %s%s.",
                       reckon_finding_lead(f), reckon_finding_detail(f),
                       others ? reckon_text(r, "; and %s more", reckon_count(r, others, "finding")) : "");
}

static int evaluate(struct reckon *r, void *subject) {
    size_t faults = 0;
    const struct reckon_finding *first = NULL;
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        if (reckon_finding_severity(f) < RECKON_WARN || reckon_finding_known(f))
            continue;
        first = first ? first : f;
        faults++;
    }
    if (first) {
        say_fault(r, first, faults - 1);
        return 0;
    }
    size_t tests = reckon_trend_tests(subject);
    reckon_set_verdict(
        r, NULL, RECKON_INFO,
        tests ? "No test became worse within %g days, and the last run left none without a value."
              : "The history holds no test; nothing within %g days can be judged.",
        reckon_option_number(r, "days"));
    return 0;
}

RECKON_PLUGIN(rule, trend_verdict) = {
    .name = "TREND_VERDICT",
    .summary = "the closing sentence of a trend",
    .rule =
        {
            .title = "verdict",
            .why = "The first critical or warning finding, opened by what its rule makes of it, and how many "
                   "more "
                   "there are; without one, that nothing became worse. It is never a finding itself.",
            .lead = "",
            .rank = 9900,
            .on = "trend",
            .evaluate = evaluate,
        },
};
