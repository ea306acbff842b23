/* SPDX-License-Identifier: Apache-2.0
 *
 * What history readers hand over: tests, runs and trials as flat records. Every file is read into a history
 * of its own, so that files are read in parallel and can be kept in an index; they are then joined in the
 * order of the files.
 */
#ifndef RECKON_TREND_HISTORY_H
#define RECKON_TREND_HISTORY_H

#include <reckon/trend.h>

#include "strings.h"

/* Texts are numbers of the history's strings. */
struct history_test {
    uint32_t name, unit, attributes;
    uint32_t next; /* the next test of the same name and attributes but another unit; RECKON_NONE */
    bool lower_is_better;
};
struct history_run {
    double ts;
    uint32_t label, family; /* family 0: none */
};
struct history_trial {
    double value;
    uint32_t test, run, status; /* status 0: usable */
};

struct trend_indexed; /* index.h */

struct trend_history {
    struct reckon_history base; /* what readers see */
    struct trend_strings strings;
    struct history_test *tests;
    struct history_run *runs;
    struct history_trial *trials;
    size_t ntests, tests_cap, nruns, runs_cap, ntrials, trials_cap;
    uint32_t *first_of; /* by number of the text of name and attributes in `keys`: its first test */
    size_t first_cap;
    struct trend_strings keys;
    uint32_t left_out; /* why the file has nothing for a trend, a clause after its name; 0: it has */
    /* of the file being read into it; NULL without an index */
    struct trend_indexed *indexed;
};

void trend_history_init(struct trend_history *h);
void trend_history_free(struct trend_history *h);
/* Adds all of `from` after what is there. */
void trend_history_join(struct trend_history *h, const struct trend_history *from);

static inline const char *trend_history_text(const struct trend_history *h, uint32_t number) {
    return trend_strings_at(&h->strings, number);
}

/* Reads every file behind the paths (directories expanded) into h, after what is there, in parallel.
 * Directories keep an index beside their files. 0, or -1 after an error. (read.c) */
int trend_read(struct reckon *r, const char *const *paths, size_t count, struct trend_history *h);

#endif
