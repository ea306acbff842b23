/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a trend, as rows: which tests or changes, in which order, and split by which attributes.
 */
#ifndef SHARED_TREND_TABLES_H
#define SHARED_TREND_TABLES_H

#include "trend_text.h"

struct trend_row {
    size_t test;
    const struct trend_change *change; /* NULL: the row is about the test */
    const char *part;                  /* what it is split by: "testbed 2n-icx, cores 1", "" for nothing */
};

struct trend_rows {
    struct trend_row *rows; /* arena array, in order within each part */
    size_t count;
    const char **parts; /* the different ones, as bytes */
    size_t nparts;
};

/* Every test, worst long-term change first. */
struct trend_rows trend_dashboard(struct reckon *r, const struct reckon_trend *t);
/* Tests that failed in their last run, then those that failed within --failed-days, by name. */
struct trend_rows trend_failures(struct reckon *r, const struct reckon_trend *t);
/* Regressions and progressions within --days, newest first. */
struct trend_rows trend_recent(struct reckon *r, const struct reckon_trend *t);

#endif
