/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums that keep what rounding drops, so that adding and taking away a million figures in any order agrees
 * far beyond a double's own sixteen digits. A value is hi + lo, lo being what hi could not hold (Knuth's
 * two-sum, Ogita, Rump and Oishi's compensated sums). Needs IEEE arithmetic: never compile it with
 * -ffast-math.
 */
#ifndef RECKON_CORE_SUM_H
#define RECKON_CORE_SUM_H

#include <math.h>

struct sum {
    double hi, lo;
};

static inline void sum_add(struct sum *s, double x) {
    double t = s->hi + x, b = t - s->hi;
    s->lo += (s->hi - (t - b)) + (x - b);
    s->hi = t;
}

/* Adds a × b, with the product's own rounding error. */
static inline void sum_add_product(struct sum *s, double a, double b) {
    double p = a * b;
    sum_add(s, p);
    s->lo += fma(a, b, -p);
}

/* Adds a × b of a value in two parts. */
static inline void sum_add_scaled(struct sum *s, double a, struct sum b) {
    sum_add_product(s, a, b.hi);
    s->lo += a * b.lo;
}

/* The same value with lo below the last digit of hi. */
static inline struct sum sum_normal(struct sum s) {
    double t = s.hi + s.lo, b = t - s.hi;
    return (struct sum){t, (s.hi - (t - b)) + (s.lo - b)};
}

/* The nearest double; an overflow stays infinite. */
static inline double sum_value(struct sum s) {
    return isfinite(s.hi) ? s.hi + s.lo : s.hi;
}

#endif
