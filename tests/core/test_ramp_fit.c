/* SPDX-License-Identifier: Apache-2.0
 *
 * The ramp's model. The first figures are those printed in the users' own example: steps of 20, 40, 60, 80 kpps and an
 * unpaced one, a ceiling of 70, and p99 = 40 + 10·u/(1−u).
 */
#include <CUnit/CUnit.h>

#include "../../core/ramp_fit.h"
#include "sandbox.h"

#define BLANK RECKON_BLANK
#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9 * fmax(1, fabs((double)(b))))

static struct ramp_point at(double x, double y, double p99) {
    return (struct ramp_point){.exists = true, .x = x, .y = y, .p99 = p99};
}

/* Fits with labels "s1", "s2"…, --keep-up 98 and --bloat 4. */
static struct ramp_fit fitted(struct reckon *r, const struct ramp_point *points, size_t n) {
    static const char *const labels[] = {"s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    struct ramp_fit fit;
    ramp_fit(r, points, labels, n, 0.98, 4, &fit);
    return fit;
}

/* 20, 40 and 60 of 70 are u = 2/7, 4/7, 6/7: u/(1−u) = 0.4, 4/3, 6, so p99 = 44, 53.33, 100. The knee: 40 + 10 g = 160
 * at g = 12, 70 × 12/13 = 64.615. Each step left out is predicted exactly by the other four. */
static void users_example(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(20e3, 20e3, 44), at(40e3, 40e3, 40 + 40. / 3), at(60e3, 60e3, 100),
                                        at(80e3, 70e3, 800), at(BLANK, 70e3, 800)};
    struct ramp_fit fit = fitted(r, points, 5);
    const struct reckon_fit *f = &fit.is;
    CU_ASSERT_TRUE(f->reached);
    CU_ASSERT_EQUAL(f->steps, 5);
    CU_ASSERT_EQUAL(f->ceiling, 70e3);
    CU_ASSERT_STRING_EQUAL(f->ceiling_step, "s5"); /* of two equal ones the label that is greater as text */
    CU_ASSERT_EQUAL(f->sustained, 60e3);
    CU_ASSERT_EQUAL(f->first_short, 80e3);
    CU_ASSERT_EQUAL(f->kept_max, 80e3);
    CU_ASSERT_EQUAL(f->at_ceiling, 2);
    CU_ASSERT_EQUAL(f->curve_points, 3);
    NEAR(f->r0_us, 40);
    NEAR(f->b_us, 10);
    CU_ASSERT(f->rms_us < 1e-9);
    NEAR(f->p99_base_us, 40);
    NEAR(f->knee, 70e3 * 12 / 13);
    CU_ASSERT_EQUAL(f->check, RECKON_VALIDATED);
    CU_ASSERT_EQUAL(f->check_delivered, RECKON_VALIDATED);
    CU_ASSERT_EQUAL(f->check_p99, RECKON_VALIDATED);
    CU_ASSERT_EQUAL(f->loo_steps, 5);
    CU_ASSERT(f->loo_delivered_pct < 1e-9 && f->loo_p99_pct < 1e-9);
    CU_ASSERT_EQUAL(f->erratic_count + f->beyond_count, 0);
    session_end(r);
}

/* Asked 35 of 70: u = 1/2, 40 + 10. At 69.5 the curve has run off, at 90 the ceiling is all there is. */
static void predictions(void) {
    struct reckon_fit f = {.reached = true, .ceiling = 70, .r0_us = 40, .b_us = 10, .kept_max = 80};
    double y, p99;
    ramp_predict(&f, 35, &y, &p99);
    CU_ASSERT_EQUAL(y, 35);
    NEAR(p99, 50);
    ramp_predict(&f, 69.5, &y, &p99);
    CU_ASSERT_EQUAL(y, 69.5);
    CU_ASSERT(reckon_blank(p99));
    ramp_predict(&f, 90, &y, &p99);
    CU_ASSERT_EQUAL(y, 70);
    CU_ASSERT(reckon_blank(p99));
    f = (struct reckon_fit){.reached = false, .ceiling = 30, .r0_us = BLANK, .kept_max = 30};
    ramp_predict(&f, 30, &y, &p99);
    CU_ASSERT_EQUAL(y, 30);
    ramp_predict(&f, 31, &y, &p99);
    CU_ASSERT(reckon_blank(y) && reckon_blank(p99));
}

/* A p99 that falls with the load: no queue is read into it; the floor is the mean, (90 + 60 + 30)/3. */
static void falling_p99(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(20, 20, 90), at(40, 40, 60), at(60, 60, 30), at(80, 70, 30)};
    struct ramp_fit fit = fitted(r, points, 4);
    CU_ASSERT_EQUAL(fit.is.b_us, 0);
    NEAR(fit.is.r0_us, 60);
    NEAR(fit.is.rms_us, sqrt(600)); /* off by 30, 0, −30: √(1800/3) */
    CU_ASSERT(reckon_blank(fit.is.knee));
    session_end(r);
}

/* Of a ceiling of 100: 50 and 75 are g = 1 and 3. p99 = 10 and 90 would need a floor of −30, so it is 0 and
 * b = (1·10 + 3·90)/(1 + 9) = 28. The base is then the p99 of the lowest step, 10: g = (40 − 0)/28 = 10/7, and the
 * knee 100 × 10/17. */
static void negative_floor(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(50, 50, 10), at(75, 75, 90), at(120, 100, 500), at(130, 100, 500)};
    struct ramp_fit fit = fitted(r, points, 4);
    CU_ASSERT_EQUAL(fit.is.r0_us, 0);
    NEAR(fit.is.b_us, 28);
    CU_ASSERT_EQUAL(fit.is.p99_base_us, 10);
    NEAR(fit.is.knee, 1000. / 17);
    CU_ASSERT(reckon_blank(fit.is.rms_us)); /* two points */
    session_end(r);
}

/* All points at one load leave the slope open: no curve. */
static void one_load(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(50, 50, 10), at(50, 50, 12), at(120, 100, 500)};
    struct ramp_fit fit = fitted(r, points, 3);
    CU_ASSERT(reckon_blank(fit.is.r0_us) && reckon_blank(fit.is.b_us));
    CU_ASSERT_EQUAL(fit.is.curve_points, 0);
    session_end(r);
}

/* Steps of 10, 20 and 30 keep up, 60 gives 40 and 80 gives 80: without the last the rest predict 40 for it, 50% off. */
static void delivered_fails(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(10, 10, BLANK), at(20, 20, BLANK), at(30, 30, BLANK), at(60, 40, BLANK),
                                        at(100, 80, BLANK)};
    struct ramp_fit fit = fitted(r, points, 5);
    CU_ASSERT_EQUAL(fit.is.check, RECKON_CHECK_FAILED);
    CU_ASSERT_EQUAL(fit.is.check_delivered, RECKON_CHECK_FAILED);
    CU_ASSERT_EQUAL(fit.is.check_p99, RECKON_UNCHECKED);
    NEAR(fit.is.loo_delivered_pct, 50);
    session_end(r);
}

/* The rates fit exactly; p99s of 50, 300, 60 at g = 2/5, 4/3, 6 lie on no curve. Worst is the third left out: 50 and 300
 * would need a negative floor, so b = (2/5·50 + 4/3·300) / (4/25 + 16/9) = 420·225/436 and 6b is predicted for 60. */
static void p99_alone_fails(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(20, 20, 50), at(40, 40, 300), at(60, 60, 60), at(80, 70, 800),
                                        at(BLANK, 70, 800)};
    struct ramp_fit fit = fitted(r, points, 5);
    CU_ASSERT_EQUAL(fit.is.check_delivered, RECKON_VALIDATED);
    CU_ASSERT_EQUAL(fit.is.check_p99, RECKON_CHECK_FAILED);
    CU_ASSERT_EQUAL(fit.is.check, RECKON_CHECK_FAILED);
    NEAR(fit.is.loo_p99_pct, (6 * 420. * 225 / 436 / 60 - 1) * 100);
    session_end(r);
}

static enum reckon_unchecked why(struct reckon *r, const struct ramp_point *points, size_t n) {
    struct ramp_fit fit = fitted(r, points, n);
    CU_ASSERT_EQUAL(fit.is.check, RECKON_UNCHECKED);
    CU_ASSERT_EQUAL(fit.is.check_delivered, RECKON_UNCHECKED);
    return fit.is.unchecked_why;
}

static void unchecked(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point kept[] = {at(10, 10, 5), at(20, 20, 5), at(30, 30, 5)};
    CU_ASSERT_EQUAL(why(r, kept, 3), RECKON_NO_CEILING);
    const struct ramp_point two[] = {at(20, 20, 5), at(90, 70, 5)};
    CU_ASSERT_EQUAL(why(r, two, 2), RECKON_FEW_STEPS);
    const struct ramp_point one_short[] = {at(20, 20, 5), at(40, 40, 5), at(60, 60, 5), at(BLANK, 70, 5)};
    CU_ASSERT_EQUAL(why(r, one_short, 4), RECKON_ONE_SHORT_STEP);
    session_end(r);
}

/* 40 falls short (30 of it, 75%), 60 keeps up: 25 points above a short step at a lower rate. */
static void erratic(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(20, 20, 5), at(40, 30, 5), at(60, 60, 5), at(80, 65, 5)};
    struct ramp_fit fit = fitted(r, points, 4);
    CU_ASSERT_EQUAL_FATAL(fit.is.erratic_count, 1);
    CU_ASSERT_EQUAL(fit.erratic[0], 2);
    CU_ASSERT_EQUAL(fit.is.sustained, 20);
    CU_ASSERT_EQUAL(fit.is.first_short, 40);
    session_end(r);
}

/* A hair below the line (97.9%) beside one above it (98.5%) is noise: less than 2 points. */
static void noise_on_the_line(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(100, 97.9, 5), at(200, 197, 5), at(400, 300, 5)};
    CU_ASSERT_EQUAL(fitted(r, points, 3).is.erratic_count, 0);
    session_end(r);
}

/* Past the ceiling at 80 (70): 100 delivers 35, the unpaced one 40. Both are listed, the lowest first. */
static void beyond(void) {
    struct reckon *r = session_begin(0);
    const struct ramp_point points[] = {at(60, 60, 5), at(80, 70, 5), at(BLANK, 40, 5), at(100, 35, 5)};
    struct ramp_fit fit = fitted(r, points, 4);
    CU_ASSERT_EQUAL_FATAL(fit.is.beyond_count, 2);
    CU_ASSERT_EQUAL(fit.beyond[0], 3);
    CU_ASSERT_EQUAL(fit.beyond[1], 2);
    CU_ASSERT_EQUAL(fit.is.at_ceiling, 1);
    session_end(r);
}

void suite_ramp_fit(void);
void suite_ramp_fit(void) {
    CU_pSuite s = CU_add_suite("ramp fit", NULL, NULL);
    CU_add_test(s, "the users' own example", users_example);
    CU_add_test(s, "predictions below, near and above the ceiling", predictions);
    CU_add_test(s, "a p99 that falls", falling_p99);
    CU_add_test(s, "a floor that would be negative", negative_floor);
    CU_add_test(s, "one load alone", one_load);
    CU_add_test(s, "check failed by the rate", delivered_fails);
    CU_add_test(s, "check failed by the p99 alone", p99_alone_fails);
    CU_add_test(s, "unchecked, for each reason", unchecked);
    CU_add_test(s, "steps that disagree", erratic);
    CU_add_test(s, "noise on the line", noise_on_the_line);
    CU_add_test(s, "beyond the ceiling", beyond);
}
