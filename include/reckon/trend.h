/* SPDX-License-Identifier: Apache-2.0
 *
 * Trends over many runs: the role "history" for readers, and the subjects "trend" and "compare" for rules and
 * outputs.
 *
 * These belong to the verbs, not to the core, and have a number of their own: RECKON_TREND_VERSION grows when
 * something here changes its meaning; additions keep it. What a module is given starts with that number and
 * with a table of functions; call it through the functions below. Structures begin with their size: set .size
 * before the call.
 *
 * Times are seconds since 1970. A figure that does not exist is blank (NaN). Strings live until the program
 * ends.
 */
#ifndef RECKON_TREND_H
#define RECKON_TREND_H

#include <reckon/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RECKON_TREND_VERSION 1u

/* ---- the role "history": what a context reader's `into` is ---- */

/* A test: what is measured again and again, and becomes one series. */
struct reckon_history_test {
    size_t size;
    const char *name; /* "host/a1-01" */
    const char *unit; /* "pps", "%", "us"; NULL: not known here, whatever the others say */
    bool lower_is_better;
    const char *attributes; /* lines KEY=VALUE ("testbed=2n-icx\ncores=1"): tests of one name but other
                               attributes are different tests, and tables are split by them; NULL: none */
};

/* A run: one point in time at which tests were measured. */
struct reckon_history_run {
    size_t size;
    double ts;          /* finite; a run without a time is not kept */
    const char *label;  /* how people call it; NULL: none */
    const char *family; /* NULL: values of one test at one time are trials of one run, whichever call made it.
                           Else a run of its own, of which every test is expected that any run of the same
                           family has: those it does not name are missing in it */
};

struct reckon_history;
struct reckon_history_api {
    size_t size;
    bool (*known)(struct reckon_history *h, const char *view);
    uint32_t (*test)(struct reckon_history *h, const struct reckon_history_test *test);
    uint32_t (*run)(struct reckon_history *h, const struct reckon_history_run *run);
    void (*trial)(struct reckon_history *h, uint32_t test, uint32_t run, double value, const char *status);
    void (*leave_out)(struct reckon_history *h, const char *why);
};
struct reckon_history {
    size_t size;
    unsigned version; /* RECKON_TREND_VERSION */
    const struct reckon_history_api *api;
};

/* A reader of large files calls this first. True: what this file holds is known from the index of its
 * directory and was taken from there; return 0. `view` says what of the file is taken, as options ask;
 * another view is read anew. Without this call a file is read every time. */
static inline bool reckon_history_known(struct reckon_history *h, const char *view) {
    return h->api->known(h, view);
}
/* This file is of the reader's format but has nothing for a trend: why, as a clause that goes on after its
 * name ("does not say when its run was"). One note is made of all files that are left out alike. */
static inline void reckon_history_leave_out(struct reckon_history *h, const char *why) {
    h->api->leave_out(h, why);
}
/* Numbers for a test and for a run, for reckon_history_trial(). The same test gives the same number. */
static inline uint32_t reckon_history_test(struct reckon_history *h, const struct reckon_history_test *test) {
    return h->api->test(h, test);
}
static inline uint32_t reckon_history_run(struct reckon_history *h, const struct reckon_history_run *run) {
    return h->api->run(h, run);
}
/* One measured value. Trials of one test and run are averaged, in the order in which they come. Failed: a
 * blank or negative value, or a status that is not NULL, "" or "OK" (in any case). */
static inline void reckon_history_trial(struct reckon_history *h, uint32_t test, uint32_t run, double value,
                                        const char *status) {
    h->api->trial(h, test, run, value, status);
}

/* ---- words of both subjects ---- */

enum reckon_trend_comment {
    RECKON_TREND_NORMAL = 0,
    RECKON_TREND_REGRESSION,
    RECKON_TREND_PROGRESSION,
    RECKON_TREND_FAILED, /* of results alone */
};
/* "normal", "regression", "progression", "failed". */
static inline const char *reckon_trend_word(enum reckon_trend_comment comment) {
    static const char *const word[] = {"normal", "regression", "progression", "failed"};
    return word[comment];
}

/* ---- the subject "trend" ---- */

/* A test over all runs. Indices of tests are by name, as bytes, then attributes. */
struct reckon_trend_test {
    size_t size;
    const char *name, *unit; /* unit "" when not known */
    bool lower_is_better;
    double bits;    /* of the whole description; blank: no sample */
    size_t runs;    /* entries: samples, and runs that failed or are missing */
    size_t samples; /* of them, those that have a value */
    size_t groups;
    double trend;            /* mean of the last group; blank: no sample */
    size_t trend_runs;       /* samples in it */
    double long_term_change; /* (trend − reference) / reference, as a share (0.1: ten percent); blank: no
                                reference */
    enum reckon_trend_comment result; /* NORMAL, PROGRESSION: pass; REGRESSION, FAILED: fail */
    size_t regressions, progressions;
    size_t recent_regressions, recent_progressions; /* within --days of the newest run */
    size_t recent_failures; /* failed or missing runs within --failed-days of the newest run */
    size_t last_failure;    /* the run of the last of them all; SIZE_MAX: none */
};

/* One run of a test, in time order. */
enum reckon_trend_state { RECKON_TREND_MEASURED = 0, RECKON_TREND_RUN_FAILED, RECKON_TREND_RUN_MISSING };
struct reckon_trend_run {
    size_t size;
    double ts;
    const char *label; /* "" for none */
    enum reckon_trend_state state;
    const char *status; /* "OK", what a failed run said of itself ("failed" when nothing), "missing" */
    size_t trials;      /* usable ones */
    size_t failed;      /* trials that failed */
    double value;       /* mean of the usable trials; blank: failed or missing */
    double stdev;       /* their population standard deviation */
    size_t group;       /* SIZE_MAX: none */
    enum reckon_trend_comment comment; /* REGRESSION, PROGRESSION: it starts such a group */
};

struct reckon_trend_group {
    size_t size;
    size_t first; /* the run that starts it */
    double first_ts;
    size_t count; /* samples */
    double mean, stdev, bits;
    enum reckon_trend_comment comment;
};

struct reckon_trend;
struct reckon_trend_api {
    size_t size;
    size_t (*tests)(const struct reckon_trend *t);
    void (*test)(const struct reckon_trend *t, size_t test, struct reckon_trend_test *out);
    void (*run)(const struct reckon_trend *t, size_t test, size_t run, struct reckon_trend_run *out);
    double (*trial)(const struct reckon_trend *t, size_t test, size_t run, size_t i);
    void (*group)(const struct reckon_trend *t, size_t test, size_t group, struct reckon_trend_group *out);
    bool (*attribute)(const struct reckon_trend *t, size_t test, size_t i, const char **key,
                      const char **value);
    size_t (*span)(const struct reckon_trend *t, double *first_ts, double *last_ts);
};
struct reckon_trend {
    size_t size;
    unsigned version; /* RECKON_TREND_VERSION */
    const struct reckon_trend_api *api;
};

static inline size_t reckon_trend_tests(const struct reckon_trend *t) {
    return t->api->tests(t);
}
static inline void reckon_trend_test(const struct reckon_trend *t, size_t test,
                                     struct reckon_trend_test *out) {
    out->size = sizeof *out;
    t->api->test(t, test, out);
}
static inline void reckon_trend_run(const struct reckon_trend *t, size_t test, size_t run,
                                    struct reckon_trend_run *out) {
    out->size = sizeof *out;
    t->api->run(t, test, run, out);
}
/* The i-th usable trial of a run, in the order measured. */
static inline double reckon_trend_trial(const struct reckon_trend *t, size_t test, size_t run, size_t i) {
    return t->api->trial(t, test, run, i);
}
static inline void reckon_trend_group(const struct reckon_trend *t, size_t test, size_t group,
                                      struct reckon_trend_group *out) {
    out->size = sizeof *out;
    t->api->group(t, test, group, out);
}
/* The i-th attribute of a test; false past the end. */
static inline bool reckon_trend_attribute(const struct reckon_trend *t, size_t test, size_t i,
                                          const char **key, const char **value) {
    return t->api->attribute(t, test, i, key, value);
}
/* How many different times were measured at, the first and the last of them. */
static inline size_t reckon_trend_span(const struct reckon_trend *t, double *first_ts, double *last_ts) {
    return t->api->span(t, first_ts, last_ts);
}

/* ---- the subject "compare": two builds ---- */

enum reckon_build { RECKON_PARENT = 0, RECKON_CURRENT, RECKON_COMBINED };

/* A test of both builds, by name as bytes, then attributes. */
struct reckon_build_test {
    size_t size;
    const char *name, *unit; /* unit "" when not known */
    bool lower_is_better;
    enum reckon_trend_comment result;  /* FAILED when a trial failed, whatever the others say */
    size_t failed[2];                  /* trials, by enum reckon_build */
    const char *status;                /* of the first failed trial; NULL: none */
    size_t count[3];                   /* usable trials */
    double mean[3], stdev[3], bits[3]; /* blank: no usable trial on one of the sides */
    double change; /* of the mean, as a share of the parent's; blank: that is 0 or unknown */
};

struct reckon_builds;
struct reckon_builds_api {
    size_t size;
    size_t (*tests)(const struct reckon_builds *b);
    void (*test)(const struct reckon_builds *b, size_t test, struct reckon_build_test *out);
    double (*trial)(const struct reckon_builds *b, size_t test, enum reckon_build side, size_t i);
};
struct reckon_builds {
    size_t size;
    unsigned version; /* RECKON_TREND_VERSION */
    const struct reckon_builds_api *api;
};

static inline size_t reckon_builds_tests(const struct reckon_builds *b) {
    return b->api->tests(b);
}
static inline void reckon_build_test(const struct reckon_builds *b, size_t test,
                                     struct reckon_build_test *out) {
    out->size = sizeof *out;
    b->api->test(b, test, out);
}
/* The i-th usable trial of a side, in the order measured. */
static inline double reckon_build_trial(const struct reckon_builds *b, size_t test, enum reckon_build side,
                                        size_t i) {
    return b->api->trial(b, test, side, i);
}

#ifdef __cplusplus
}
#endif
#endif
