/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of a series by minimum description length: what a group costs in bits, and the cheapest way to cut a
 * series into consecutive groups. Pure arithmetic; the formulas are explained in doc/trend.md. Shared by
 * trend and compare.
 */
#ifndef RECKON_TREND_MDL_H
#define RECKON_TREND_MDL_H

#include <stdbool.h>
#include <stddef.h>

/* Mean and sum of squared deviations of what was added so far (Welford). Starts as all zero. */
struct trend_stats {
    size_t count;
    double mean, m2;
};
void trend_stats_add(struct trend_stats *s, double value);
/* Adds the values of `other`, as if one by one. */
void trend_stats_merge(struct trend_stats *s, const struct trend_stats *other);
/* Population standard deviation; 0 when empty. */
double trend_stats_stdev(const struct trend_stats *s);

/* What the sizes of numbers are measured against. */
struct trend_scale {
    double unit;       /* smallest difference that counts, in the values' own unit */
    double max;        /* the largest sample, in units */
    double first_bits; /* what the mean of a first group costs */
    double range_bits; /* the part of a deviation's cost that is the same for every group */
    double *size_bits; /* by group size, 0..count: all that depends on the size alone */
    size_t count;
};

/* For series of up to `count` samples with the largest of them `largest`; `unit` 0: from `bits` significant
 * bits. Free with trend_scale_free(). */
struct trend_scale trend_scale_new(double largest, size_t count, double bits, double unit);
void trend_scale_free(struct trend_scale *scale);
/* The unit is so large against the samples that a group of its own costs next to nothing: noise is cut as
 * well. */
static inline bool trend_scale_coarse(const struct trend_scale *scale) {
    return scale->max > 0 && scale->max < 2;
}

/* Bits of one group. `before` is the mean of the group before it (in the values' unit), blank for the
 * first. */
double trend_group_bits(const struct trend_scale *scale, const struct trend_stats *group, double before);

struct trend_group {
    size_t first; /* its first sample */
    struct trend_stats stats;
    double bits;
};

/* The cheapest partition of values[0..n-1]: its groups in order (free() them), their number in *count and the
 * bits of all in *bits. n > 0; values are finite and not negative. */
struct trend_group *trend_partition(const struct trend_scale *scale, const double *values, size_t n,
                                    size_t *count, double *bits);

#endif
