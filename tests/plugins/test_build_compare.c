/* SPDX-License-Identifier: Apache-2.0
 *
 * Two builds: the four results of the per-patch job, with bits worked by hand, and which trials are held
 * together.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "../../plugins/verbs/compare/builds.h"
#include "../core/sandbox.h"

void suite_build_compare(void);

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-6)

static const struct trend_options usual = {.bits = 12};

static void add(struct build_test *t, int side, const double *values, size_t n) {
    t->values[side] = (double *)(uintptr_t)values; /* only read */
    for (size_t i = 0; i < n; i++)
        trend_stats_add(&t->stats[side], values[i]);
    t->stats[side].count = n;
}

static struct build_test judge(const double *parent, const double *current, bool lower) {
    struct build_test t = {.lower_is_better = lower};
    add(&t, RECKON_PARENT, parent, 5);
    add(&t, RECKON_CURRENT, current, 5);
    build_judge(&t, &usual);
    return t;
}

static const double alike[] = {1000, 1000, 1000, 1000, 1000}, less[] = {900, 900, 900, 900, 900},
                    noisy[] = {1000, 1010, 990, 1005, 995}, near[] = {998, 1008, 992, 1003, 994};

/* Five times 1000, then five times 900, m = 8191.
 *   parent:   log2(30) + 13 + [1 + log2(1 - 1/8193)] + sphere, with lnΓ(2) = 0:
 *             (0.693147181 + 2 · 1.144729886 + 1.5 · 1.609437912) / ln 2 = 7.785884:
 *             4.906891 + 13 + 0.999824 + 7.785884 = 26.692599
 *   current:  its mean costs log2(N) - log2(820.1) with N = 8191 + 8191²/2 = 33554431.5
 * (test_mdl.c), 15.320344, and the rest as before: 4.906891 + 15.320344 + 0.999824 + 7.785884 = 29.012943
 *   combined: mean 950, deviation 50 = 409.55 units: log2(110) + 13 + log2(410.55 · 411.55) + log2(1 -
 * 1/8193), and the sphere (12.601035469 + 8 · 6.017498) / ln 2 = 87.630765: 6.781360 + 13 + 17.366338 -
 * 0.000176 + 87.630765 = 124.778286 */
static void regression(void) {
    struct build_test t = judge(alike, less, false);
    CU_ASSERT_EQUAL(t.result, RECKON_TREND_REGRESSION);
    CU_ASSERT_DOUBLE_EQUAL(t.bits[RECKON_PARENT], 26.692599, 2e-6);
    CU_ASSERT_DOUBLE_EQUAL(t.bits[RECKON_CURRENT], 29.012943, 2e-6);
    CU_ASSERT_DOUBLE_EQUAL(t.bits[RECKON_COMBINED], 124.778286, 2e-6);
    NEAR(t.stats[RECKON_COMBINED].mean, 950);
    NEAR(trend_stats_stdev(&t.stats[RECKON_COMBINED]), 50);
}

static void progression(void) {
    CU_ASSERT_EQUAL(judge(less, alike, false).result, RECKON_TREND_PROGRESSION);
    CU_ASSERT_EQUAL(judge(less, alike, true).result, RECKON_TREND_REGRESSION); /* latency */
    CU_ASSERT_EQUAL(judge(alike, less, true).result, RECKON_TREND_PROGRESSION);
}

static void normal(void) {
    CU_ASSERT_EQUAL(judge(noisy, near, false).result, RECKON_TREND_NORMAL);
    CU_ASSERT_EQUAL(judge(alike, alike, false).result, RECKON_TREND_NORMAL);
    static const double zeros[5];
    struct build_test t = judge(zeros, zeros, false);
    CU_ASSERT_EQUAL(t.result, RECKON_TREND_NORMAL);
    CU_ASSERT(isfinite(t.bits[RECKON_CURRENT]));
}

/* A trial that failed fails the test, even where the others regressed. */
static void failed(void) {
    struct build_test t = {.failed = {0, 1}};
    add(&t, RECKON_PARENT, alike, 5);
    add(&t, RECKON_CURRENT, less, 5);
    build_judge(&t, &usual);
    CU_ASSERT_EQUAL(t.result, RECKON_TREND_FAILED);
    CU_ASSERT_FALSE(reckon_blank(t.bits[RECKON_COMBINED]));
    struct build_test none = {.failed = {0, 5}};
    add(&none, RECKON_PARENT, alike, 5);
    build_judge(&none, &usual);
    CU_ASSERT_EQUAL(none.result, RECKON_TREND_FAILED);
    CU_ASSERT(reckon_blank(none.bits[RECKON_PARENT]));
}

/* ---- from histories ---- */

static void put(struct trend_history *h, const char *name, const char *unit, double ts, double value,
                const char *status) {
    uint32_t test = reckon_history_test(
        &h->base, &(struct reckon_history_test){sizeof(struct reckon_history_test), name, unit, false, NULL});
    uint32_t run = reckon_history_run(
        &h->base, &(struct reckon_history_run){sizeof(struct reckon_history_run), ts, NULL, NULL});
    reckon_history_trial(&h->base, test, run, value, status);
}

static void from_histories(void) {
    struct reckon *r = session_begin(1);
    struct trend_history parent, current;
    struct builds b;
    struct reckon_build_test t;
    trend_history_init(&parent);
    trend_history_init(&current);
    put(&parent, "b", NULL, 20, 3, NULL); /* measured order is by time, then as read */
    put(&parent, "b", NULL, 10, 1, NULL);
    put(&parent, "b", NULL, 20, 2, "ok");
    put(&parent, "only-then", "pps", 10, 1, NULL);
    put(&current, "b", "pps", 30, 4, NULL); /* its unit goes with one that is not known */
    put(&current, "b", "pps", 30, 5, "TIMEOUT");
    put(&current, "b", "pps", 30, 6, NULL);
    put(&current, "a", "pps", 30, 6, NULL);
    CU_ASSERT_EQUAL(builds_compare(r, &b, &parent, &current, &usual), 0);
    CU_ASSERT_EQUAL_FATAL(reckon_builds_tests(&b.base), 1);
    reckon_build_test(&b.base, 0, &t);
    CU_ASSERT_STRING_EQUAL(t.name, "b");
    CU_ASSERT_STRING_EQUAL(t.unit, "pps");
    CU_ASSERT_EQUAL(t.result, RECKON_TREND_FAILED);
    CU_ASSERT_EQUAL(t.failed[RECKON_CURRENT], 1);
    CU_ASSERT_STRING_EQUAL(t.status, "TIMEOUT");
    CU_ASSERT_EQUAL(t.count[RECKON_COMBINED], 5);
    static const double measured[] = {1, 3, 2};
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(reckon_build_trial(&b.base, 0, RECKON_PARENT, i), measured[i]);
    CU_ASSERT_EQUAL(reckon_build_trial(&b.base, 0, RECKON_COMBINED, 4), 6);
    CU_ASSERT_DOUBLE_EQUAL(t.change, 1.5, 1e-12); /* (5 − 2) / 2 */
    CU_ASSERT_PTR_NOT_NULL(reckon_note_at(r, 1)); /* one for either side */
    CU_ASSERT_PTR_NULL(reckon_note_at(r, 2));
    builds_free(&b);
    trend_history_free(&parent);
    trend_history_free(&current);
    session_end(r);
}

void suite_build_compare(void) {
    CU_pSuite suite = CU_add_suite("build_compare", NULL, NULL);
    CU_add_test(suite, "regression, bits by hand", regression);
    CU_add_test(suite, "progression", progression);
    CU_add_test(suite, "normal", normal);
    CU_add_test(suite, "failed", failed);
    CU_add_test(suite, "from two histories", from_histories);
}
