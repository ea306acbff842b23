/* SPDX-License-Identifier: Apache-2.0
 *
 * Two builds test by test: trials of the parent, then of the current one, as two groups or as one.
 */
#ifndef RECKON_COMPARE_BUILDS_H
#define RECKON_COMPARE_BUILDS_H

#include "../trend/series.h"

struct build_test {
    const char *name, *unit, *status;
    bool lower_is_better, coarse; /* coarse: the largest trial is below two units */
    double *values[2];            /* usable trials, in the order measured */
    size_t failed[2];
    struct trend_stats stats[3]; /* by enum reckon_build */
    double bits[3];
    enum reckon_trend_comment result;
};

struct builds {
    struct reckon_builds base;
    struct reckon *r;
    struct build_test *tests; /* by name */
    size_t count, cap;
};

/* Compares what both histories have; what only one has becomes a note. 0, or -1 after an error. Free it in
 * any case. */
int builds_compare(struct reckon *r, struct builds *b, struct trend_history *parent,
                   struct trend_history *current, const struct trend_options *options);
void builds_free(struct builds *b);

/* Fills stats, bits and result of a test that has its values. */
void build_judge(struct build_test *t, const struct trend_options *options);

#endif
