/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads about two compared builds: per test the trials as measured and sorted, the difference
 * of the means, the groups with their bits, which description is shorter, and the result. What failed or
 * regressed is named first: there may be hundreds of tests.
 */
#include <stdlib.h>

#include "../shared/report_common.h"
#include "../shared/trend_text.h"

#define FACTS 23 /* the column where a line's figures begin */

static int by_value(const void *left, const void *right) {
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void values(const struct report *to, const char *label, const double *v, size_t n) {
    char text[RECKON_NUMBER_SIZE];
    const char *list = n > 0 ? "" : "none";
    for (size_t i = 0; i < n; i++)
        list = reckon_text(to->r, "%s%s%s", list, i ? ", " : "", reckon_number_text(v[i], text));
    report_labelled(to, label, FACTS, list);
}

/* The trials of a side in the order measured, and sorted, so that the least and the largest are seen. */
static void trials(const struct report *to, const struct reckon_builds *b, size_t test,
                   enum reckon_build side, size_t n) {
    double *v = reckon_alloc(to->r, (n + 1) * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = reckon_build_trial(b, test, side, i);
    values(to, side == RECKON_PARENT ? "parent, measured" : "current, measured", v, n);
    qsort(v, n, sizeof *v, by_value);
    values(to, side == RECKON_PARENT ? "parent, sorted" : "current, sorted", v, n);
}

static void group(const struct report *to, const char *label, const struct reckon_build_test *t,
                  enum reckon_build side) {
    if (reckon_blank(t->mean[side]))
        return;
    const char *bits = reckon_blank(t->bits[side]) ? "" : reckon_text(to->r, ", %.3f bits", t->bits[side]);
    report_labelled(to, label, FACTS,
                    reckon_text(to->r, "size %zu, mean %.10g, deviation %.6g%s", t->count[side],
                                t->mean[side], t->stdev[side], bits));
}

static void lengths(const struct report *to, const struct reckon_build_test *t) {
    double saved = t->bits[RECKON_COMBINED] - t->bits[RECKON_PARENT] - t->bits[RECKON_CURRENT];
    if (reckon_blank(saved))
        return;
    report_labelled(
        to, "description", FACTS,
        reckon_text(to->r, "%s by %.3f bits",
                    saved > 0 ? "two groups are shorter than one" : "one group is shorter than two",
                    fabs(saved)));
}

static void failures(const struct report *to, const struct reckon_build_test *t) {
    if (t->status)
        report_labelled(to, "failed trials", FACTS,
                        reckon_text(to->r, "parent %zu, current %zu; first status %s",
                                    t->failed[RECKON_PARENT], t->failed[RECKON_CURRENT], t->status));
}

static void one(const struct report *to, const struct reckon_builds *b, size_t i) {
    struct reckon_build_test t;
    reckon_build_test(b, i, &t);
    report_heading(to, reckon_text(to->r, "TEST %zu  %s%s%s", i, t.name, *t.unit ? ", " : "", t.unit));
    trials(to, b, i, RECKON_PARENT, t.count[RECKON_PARENT]);
    trials(to, b, i, RECKON_CURRENT, t.count[RECKON_CURRENT]);
    if (!reckon_blank(t.change))
        report_labelled(to, "difference of means", FACTS,
                        reckon_text(to->r, "%+.6g%% of the parent's", 100 * t.change));
    group(to, "parent", &t, RECKON_PARENT);
    group(to, "current", &t, RECKON_CURRENT);
    group(to, "combined", &t, RECKON_COMBINED);
    lengths(to, &t);
    failures(to, &t);
    report_labelled(to, "result", FACTS, reckon_trend_word(t.result));
}

static void summary(const struct report *to, const struct reckon_builds *b) {
    size_t counts[4] = {0};
    for (size_t i = 0; i < reckon_builds_tests(b); i++) {
        struct reckon_build_test t;
        reckon_build_test(b, i, &t);
        counts[t.result]++;
    }
    report_headline(to, reckon_text(to->r, "two builds, %s: %zu failed, %s, %s, %zu normal",
                                    reckon_count(to->r, reckon_builds_tests(b), "test"),
                                    counts[RECKON_TREND_FAILED],
                                    reckon_count(to->r, counts[RECKON_TREND_REGRESSION], "regression"),
                                    reckon_count(to->r, counts[RECKON_TREND_PROGRESSION], "progression"),
                                    counts[RECKON_TREND_NORMAL]));
}

static int write_report(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct report to = {.r = r, .w = w};
    summary(&to, subject);
    report_notes(&to);
    report_findings(&to);
    for (size_t i = 0; !reckon_flag(r, "quiet") && i < reckon_builds_tests(subject); i++)
        one(&to, subject, i);
    report_skipped(&to);
    return 0;
}

RECKON_PLUGIN(output, compare_report) = {
    .name = "compare_report",
    .summary = "what a person reads about two builds",
    .options = (const struct reckon_option[]){REPORT_OPTIONS},
    .output = {.on = "compare", .console = true, .write = write_report},
};
