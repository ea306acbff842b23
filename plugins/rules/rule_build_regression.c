/* SPDX-License-Identifier: Apache-2.0
 *
 * BUILD_REGRESSION: the current build is worse than its parent.
 */
#include "../shared/trend_text.h"

static int evaluate(struct reckon *r, void *subject) {
    for (size_t i = 0; i < reckon_builds_tests(subject); i++) {
        struct reckon_build_test t;
        reckon_build_test(subject, i, &t);
        if (t.result != RECKON_TREND_REGRESSION)
            continue;
        struct reckon_finding *f = reckon_find(
            r, RECKON_CRITICAL, t.name,
            "%s went from %s to %s (%s); two groups describe its %zu trials in %.1f bits less", t.name,
            trend_value(r, t.mean[RECKON_PARENT], t.unit), trend_value(r, t.mean[RECKON_CURRENT], t.unit),
            trend_share(r, t.change), t.count[RECKON_COMBINED],
            t.bits[RECKON_COMBINED] - t.bits[RECKON_PARENT] - t.bits[RECKON_CURRENT]);
        reckon_fix(r, f,
                   "Measure both builds once more with more trials; if it stays, the change is at fault.");
    }
    return 0;
}

RECKON_PLUGIN(rule, build_regression) = {
    .name = "BUILD_REGRESSION",
    .summary = "the current build is worse than its parent",
    .rule =
        {
            .title = "regression",
            .why = "The trials of both builds are described as one group and as two, in bits. When two are "
                   "shorter, "
                   "the builds differ by more than their noise; when the current one is the worse, it is a "
                   "regression.",
            .lead = "The change made it worse",
            .rank = 7400,
            .on = "compare",
            .evaluate = evaluate,
        },
};
