/* SPDX-License-Identifier: Apache-2.0
 *
 * The long-term change of a trend: its reference from three months to a week ago, and every edge of that.
 */
#include <CUnit/CUnit.h>

#include "../../plugins/verbs/trend/compliance.h"

#include "../../include/reckon/base.h"

void suite_compliance(void);

#define MOST 400
#define DAY 86400.0

static double ts[MOST], trend[MOST];

/* n runs, so many days apart, all at 100 but for those that a test sets. */
static void runs(size_t n, double days) {
    for (size_t i = 0; i < n; i++) {
        ts[i] = 1700000000 + (double)i * days * DAY;
        trend[i] = 100;
    }
}

static double reference(size_t n) {
    return trend_reference(ts, trend, n, 10, false);
}

/* 30 runs: the last is 29; a week ago is run 19, and run 20 is too new to be held against. */
static void a_week_is_ten_runs(void) {
    runs(30, 1);
    trend[20] = 200;
    CU_ASSERT_EQUAL(reference(30), 100);
    trend[19] = 150;
    CU_ASSERT_EQUAL(reference(30), 150); /* the end is included */
    CU_ASSERT_EQUAL(trend_reference(ts, trend, 30, 9, false), 200);
}

/* Half a day apart, 180 runs are nearer than 180 days: run 299 − 180 = 119 is the first. */
static void three_months_by_runs(void) {
    runs(300, 0.5);
    trend[118] = 200;
    CU_ASSERT_EQUAL(reference(300), 100);
    trend[119] = 150;
    CU_ASSERT_EQUAL(reference(300), 150);
}

/* Four days apart, 180 days are 45 runs: run 99 − 45 = 54 is the first, exactly 180 days ago. */
static void three_months_by_days(void) {
    runs(100, 4);
    trend[53] = 200;
    CU_ASSERT_EQUAL(reference(100), 100);
    trend[54] = 150;
    CU_ASSERT_EQUAL(reference(100), 150);
}

/* One run a day: both lines are the same run, 199 − 180 = 19. */
static void three_months_tie(void) {
    runs(200, 1);
    trend[18] = 200;
    CU_ASSERT_EQUAL(reference(200), 100);
    trend[19] = 150;
    CU_ASSERT_EQUAL(reference(200), 150);
}

static void shorter_than_a_week(void) {
    runs(10, 1);
    trend[0] = 80;
    trend[5] = 300;
    CU_ASSERT_EQUAL(reference(10), 80); /* the earliest alone */
    CU_ASSERT_EQUAL(reference(1), 80);
    runs(11, 1);
    trend[0] = 80;
    trend[1] = 300;
    CU_ASSERT_EQUAL(reference(11), 80); /* a week ago is the earliest */
}

static void shorter_than_three_months(void) {
    runs(40, 1);
    trend[0] = 130;
    CU_ASSERT_EQUAL(reference(40), 130);
}

/* Monthly: a week's ten runs are 300 days, and no run lies between. */
static void sparse(void) {
    runs(20, 30);
    trend[9] = 120;
    trend[14] = 200;
    CU_ASSERT_EQUAL(reference(20), 120);
}

static void lower_is_better(void) {
    runs(30, 1);
    trend[5] = 150;
    trend[7] = 60;
    CU_ASSERT_EQUAL(trend_reference(ts, trend, 30, 10, true), 60);
    CU_ASSERT_DOUBLE_EQUAL(trend_long_term_change(ts, trend, 30, 10, true), 40.0 / 60, 1e-15);
}

/* Why the seed takes the largest: after a step up within the week the change is positive; when performance
 * was better before the week, it is negative though the last step was up. */
static void signs(void) {
    runs(30, 1);
    for (size_t i = 25; i < 30; i++)
        trend[i] = 110;
    CU_ASSERT_DOUBLE_EQUAL(trend_long_term_change(ts, trend, 30, 10, false), 0.1, 1e-15);
    trend[3] = 125;
    CU_ASSERT_DOUBLE_EQUAL(trend_long_term_change(ts, trend, 30, 10, false), -0.12, 1e-15);
}

static void zero_reference(void) {
    runs(30, 1);
    for (size_t i = 0; i < 30; i++)
        trend[i] = 0;
    CU_ASSERT_EQUAL(trend_long_term_change(ts, trend, 30, 10, false), 0);
    trend[29] = 1;
    CU_ASSERT(reckon_blank(trend_long_term_change(ts, trend, 30, 10, false)));
}

void suite_compliance(void) {
    CU_pSuite suite = CU_add_suite("compliance", NULL, NULL);
    CU_add_test(suite, "a week is ten runs", a_week_is_ten_runs);
    CU_add_test(suite, "three months: 180 runs", three_months_by_runs);
    CU_add_test(suite, "three months: 180 days", three_months_by_days);
    CU_add_test(suite, "three months: both alike", three_months_tie);
    CU_add_test(suite, "shorter than a week", shorter_than_a_week);
    CU_add_test(suite, "shorter than three months", shorter_than_three_months);
    CU_add_test(suite, "three months nearer than a week's runs", sparse);
    CU_add_test(suite, "lower is better", lower_is_better);
    CU_add_test(suite, "signs", signs);
    CU_add_test(suite, "a reference of zero", zero_reference);
}
