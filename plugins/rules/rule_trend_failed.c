/* SPDX-License-Identifier: Apache-2.0
 *
 * TREND_FAILED: the last run of a test left no value.
 */
#include "../shared/trend_text.h"

static void say(struct reckon *r, const struct reckon_trend *t, size_t i,
                const struct reckon_trend_test *test) {
    struct reckon_trend_run run;
    reckon_trend_run(t, i, test->runs - 1, &run);
    bool missing = run.state == RECKON_TREND_RUN_MISSING;
    const char *status = missing ? "" : reckon_text(r, ", status %s", run.status);
    const char *others = test->recent_failures < 2
                             ? ""
                             : reckon_text(r, "; %zu runs without a value within %g days",
                                           test->recent_failures, reckon_option_number(r, "failed-days"));
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, test->name, "%s%s %s %s%s%s", test->name, trend_attributes(r, t, i),
                    missing ? "is missing in" : "failed in", trend_run_name(r, &run), status, others);
    reckon_fix(r, f, "%s",
               missing ? "See in that run's own report why it has no value there."
                       : "See in that run's own log why the test failed.");
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_trend *t = subject;
    size_t retired = 0;
    const char *one = NULL;
    for (size_t i = 0; i < reckon_trend_tests(t); i++) {
        struct reckon_trend_test test;
        reckon_trend_test(t, i, &test);
        if (test.result != RECKON_TREND_FAILED || test.runs == 0)
            continue;
        if (trend_retired(r, t, i))
            one = retired++ ? one : test.name;
        else
            say(r, t, i, &test);
    }
    trend_note_retired(r, retired, "without a value", one);
    return 0;
}

RECKON_PLUGIN(rule, trend_failed) = {
    .name = "TREND_FAILED",
    .summary = "the last run of a test has no value",
    .rule =
        {
            .title = "failed",
            .why = "A run that failed, or that does not name a test it should have had, has no value to "
                   "judge: it is "
                   "listed and never counted as zero. When it is the last one, nobody knows how the test "
                   "does now.",
            .lead = "A test has no value in its last run",
            .rank = 7100,
            .on = "trend",
            .evaluate = evaluate,
        },
};
