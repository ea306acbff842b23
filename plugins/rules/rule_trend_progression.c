/* SPDX-License-Identifier: Apache-2.0
 *
 * TREND_PROGRESSION: a group of runs that is better than the one before began lately.
 */
#include "../shared/trend_text.h"

#define DAY 86400.0

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_trend *t = subject;
    double first, last;
    size_t count;
    reckon_trend_span(t, &first, &last);
    const struct trend_change *changes =
        trend_changes(r, t, RECKON_TREND_PROGRESSION, last - reckon_option_number(r, "days") * DAY, &count);
    for (size_t i = 0; i < count; i++) {
        struct reckon_trend_test test;
        reckon_trend_test(t, changes[i].test, &test);
        reckon_find(r, RECKON_INFO, test.name, "%s%s %s %s in %s", test.name,
                    trend_attributes(r, t, changes[i].test), test.lower_is_better ? "fell" : "rose",
                    trend_change_text(r, &changes[i], test.unit), trend_run_name(r, &changes[i].run));
    }
    return 0;
}

RECKON_PLUGIN(rule, trend_progression) = {
    .name = "TREND_PROGRESSION",
    .summary = "a test became better within --days",
    .rule =
        {
            .title = "progression",
            .why = "A group of runs that is better than the one before, found as TREND_REGRESSION finds "
                   "worse ones. "
                   "It is worth knowing: the trend is higher from now on, and so is what later runs are held "
                   "against.",
            .lead = "Performance became better",
            .rank = 7200,
            .on = "trend",
            .evaluate = evaluate,
        },
};
