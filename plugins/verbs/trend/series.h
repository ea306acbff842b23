/* SPDX-License-Identifier: Apache-2.0
 *
 * A test's series: its runs in time order with the means of their trials, cut into groups, and judged.
 */
#ifndef RECKON_TREND_SERIES_H
#define RECKON_TREND_SERIES_H

#include "history.h"
#include "mdl.h"

/* The longest series that is cut into groups: the search is quadratic, and this is 27 years of two runs a
 * day. */
#define TREND_SERIES_MAX 20000

struct trend_options {
    double bits, unit; /* significant bits; the unit itself, 0: from the bits */
    bool lower_is_better;
    size_t week_runs;
    double days, failed_days;
};

/* One run of the test. Trials are places in the history, through `order`. */
struct trend_entry {
    double ts, value, stdev;
    uint32_t run;           /* of the history: its label */
    uint32_t first, trials; /* its trials in order[], failed ones included */
    uint32_t failed;
    uint32_t group;  /* RECKON_NONE: none */
    uint8_t state;   /* enum reckon_trend_state */
    uint8_t comment; /* enum reckon_trend_comment */
};

struct trend_series {
    uint32_t test; /* of the history */
    bool lower_is_better;
    struct trend_entry *entries;
    size_t nentries, nsamples;
    size_t *sample; /* the entries that are grouped, in order */
    size_t nsample;
    struct trend_group *groups;
    enum reckon_trend_comment *comments; /* of the groups */
    size_t ngroups;
    double bits, change;
    bool coarse; /* the largest sample is below two units */
    enum reckon_trend_comment result;
    size_t counts[4], recent[4]; /* by enum reckon_trend_comment; [FAILED]: failed and missing runs */
    size_t last_failure;         /* SIZE_MAX: none */
};

/* All series of a history; what the subject "trend" shows. */
struct trend_analysis {
    struct reckon_trend base;
    struct reckon *r;
    const struct trend_history *history;
    struct trend_options options;
    uint32_t *order; /* trials by test, in each by time then as read */
    uint32_t *first; /* by test: where its trials begin in order[]; one more at the end */
    uint32_t *whole; /* runs of a family, by family, then time */
    uint32_t *place; /* by run: where it is in whole[]; RECKON_NONE */
    size_t nwhole;
    struct trend_series *series; /* by name */
    size_t count;
    size_t times; /* different ones */
    double first_ts, last_ts;
};

/* Sorts the trials by test and lists the series, without entries, groups or missing runs. 0, or -1 after an
 * error. */
int trend_arrange(struct reckon *r, struct trend_analysis *a, struct trend_history *h,
                  const struct trend_options *options);
/* The same, and works everything out, in parallel over the tests. 0, or -1 after an error. Free it in any
 * case. */
int trend_analyse(struct reckon *r, struct trend_analysis *a, struct trend_history *h,
                  const struct trend_options *options);
void trend_analysis_free(struct trend_analysis *a);

/* A note about tests whose unit is too coarse, `count` of them, the first called `name`. None for 0. */
void trend_note_coarse(struct reckon *r, double unit, size_t count, const char *name);
/* The runs of the i-th series with their values: fills entries. (entries.c) */
void trend_entries(const struct trend_analysis *a, struct trend_series *s);
/* Cuts, comments and judges a series that has its entries. (series.c) */
void trend_judge(const struct trend_analysis *a, struct trend_series *s);
/* The accessors of the subject. (subject.c) */
extern const struct reckon_trend_api trend_api;

#endif
