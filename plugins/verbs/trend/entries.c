/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of a test in time order: trials of one run become one entry, and runs of the test's families that
 * do not name it become missing ones.
 */
#include <stdlib.h>
#include <string.h>

#include "series.h"

/* Where a trial belongs: its time, then its run where that is one of its own (equal times keep the order as
 * read). */
struct key {
    double ts;
    uint32_t own, trial;
};

static struct key key_of(const struct trend_history *h, uint32_t trial) {
    uint32_t run = h->trials[trial].run;
    return (struct key){h->runs[run].ts, h->runs[run].family ? run : 0, trial};
}

static int by_key(const void *left, const void *right) {
    const struct key *a = left, *b = right;
    if (a->ts != b->ts)
        return a->ts < b->ts ? -1 : 1;
    if (a->own != b->own)
        return a->own < b->own ? -1 : 1;
    return a->trial < b->trial ? -1 : a->trial > b->trial;
}

/* Brings the trials of a test into time order. */
static struct key *sorted_keys(const struct trend_analysis *a, uint32_t *order, size_t n) {
    struct key *keys = reckon_resize(NULL, n, sizeof *keys);
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        keys[i] = key_of(a->history, order[i]);
        sorted = sorted && (i == 0 || by_key(&keys[i - 1], &keys[i]) < 0);
    }
    if (!sorted)
        qsort(keys, n, sizeof *keys, by_key);
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].trial;
    return keys;
}

/* Mean and deviation of the usable trials. The label is that of the last trial. */
static void finish(const struct trend_analysis *a, struct trend_entry *e) {
    struct trend_stats stats = {0};
    for (uint32_t i = e->first; i < e->first + e->trials; i++) {
        const struct history_trial *t = &a->history->trials[a->order[i]];
        if (t->status)
            e->failed++;
        else
            trend_stats_add(&stats, t->value);
        e->run = t->run;
    }
    e->state = stats.count > 0 ? RECKON_TREND_MEASURED : RECKON_TREND_RUN_FAILED;
    e->value = stats.count > 0 ? stats.mean : RECKON_BLANK;
    e->stdev = stats.count > 0 ? trend_stats_stdev(&stats) : RECKON_BLANK;
}

static void add(struct trend_series *s, size_t *cap, struct trend_entry e) {
    s->entries = reckon_grow(s->entries, s->nentries, cap, sizeof *s->entries);
    s->entries[s->nentries++] = e;
}

/* ---- missing runs ---- */

static int by_time(const void *left, const void *right) {
    const struct trend_entry *a = left, *b = right;
    if (a->ts != b->ts)
        return a->ts < b->ts ? -1 : 1;
    return a->run < b->run ? -1 : a->run > b->run;
}

/* Adds the runs of the family that whole[at] belongs to which this test is not in, from the test's first run
 * on. */
static void add_missing(const struct trend_analysis *a, struct trend_series *s, size_t *cap, size_t at,
                        unsigned char *seen, double first_ts) {
    uint32_t family = a->history->runs[a->whole[at]].family;
    while (at > 0 && a->history->runs[a->whole[at - 1]].family == family)
        at--;
    for (; at < a->nwhole && a->history->runs[a->whole[at]].family == family; at++) {
        double ts = a->history->runs[a->whole[at]].ts;
        if (!seen[at] && ts >= first_ts)
            add(s, cap,
                (struct trend_entry){.ts = ts,
                                     .value = RECKON_BLANK,
                                     .stdev = RECKON_BLANK,
                                     .run = a->whole[at],
                                     .group = RECKON_NONE,
                                     .state = RECKON_TREND_RUN_MISSING});
        seen[at] = 1;
    }
}

static void missing(const struct trend_analysis *a, struct trend_series *s, size_t *cap) {
    size_t own = s->nentries;
    unsigned char *seen = reckon_resize(NULL, a->nwhole, 1);
    memset(seen, 0, a->nwhole);
    for (size_t i = 0; i < own; i++)
        if (a->place[s->entries[i].run] != RECKON_NONE)
            seen[a->place[s->entries[i].run]] = 2;
    for (size_t i = 0; i < own; i++) { /* a family is done once: then all its runs are marked 1 */
        uint32_t place = a->place[s->entries[i].run];
        if (place != RECKON_NONE && seen[place] == 2)
            add_missing(a, s, cap, place, seen, s->entries[0].ts);
    }
    free(seen);
    if (s->nentries > own)
        qsort(s->entries, s->nentries, sizeof *s->entries, by_time);
}

void trend_entries(const struct trend_analysis *a, struct trend_series *s) {
    uint32_t first = a->first[s->test];
    size_t n = a->first[s->test + 1] - first, cap = 0;
    struct key *keys = sorted_keys(a, a->order + first, n);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && keys[i].ts == keys[i - 1].ts && keys[i].own == keys[i - 1].own)
            s->entries[s->nentries - 1].trials++;
        else
            add(s, &cap,
                (struct trend_entry){
                    .ts = keys[i].ts, .first = first + (uint32_t)i, .trials = 1, .group = RECKON_NONE});
    }
    free(keys);
    for (size_t i = 0; i < s->nentries; i++)
        finish(a, &s->entries[i]);
    if (a->nwhole > 0)
        missing(a, s, &cap);
    for (size_t i = 0; i < s->nentries; i++)
        s->nsamples += s->entries[i].state == RECKON_TREND_MEASURED;
}
