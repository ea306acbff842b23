/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of an index. Numbers are in the machine's own form (the file's head says which); every count and
 * number that is read is checked, since anybody may have written the file.
 */
#include "index_body.h"

#include <stdlib.h>
#include <string.h>

void index_put(struct index_buffer *b, const void *data, size_t n) {
    while (b->cap - b->length < n)
        b->at = reckon_grow(b->at, b->cap, &b->cap, 1);
    if (n > 0)
        memcpy(b->at + b->length, data, n);
    b->length += n;
}

void index_get(struct index_cursor *c, void *data, size_t n) {
    if (c->bad || (size_t)(c->end - c->at) < n) {
        c->bad = true;
        memset(data, 0, n);
        return;
    }
    memcpy(data, c->at, n);
    c->at += n;
}

const char *index_get_text(struct index_cursor *c) {
    const char *text = c->at, *nul = c->bad ? NULL : memchr(c->at, '\0', (size_t)(c->end - c->at));
    if (!nul) {
        c->bad = true;
        return "";
    }
    c->at = nul + 1;
    return text;
}

/* ---- a history ---- */

static void put_count(struct index_buffer *b, size_t n) {
    uint64_t count = n;
    index_put(b, &count, sizeof count);
}

void index_put_history(struct index_buffer *b, const struct trend_history *h) {
    put_count(b, h->strings.count);
    for (size_t i = 0; i < h->strings.count; i++) {
        const char *text = trend_history_text(h, (uint32_t)i);
        index_put(b, text, strlen(text) + 1);
    }
    put_count(b, h->ntests);
    for (size_t i = 0; i < h->ntests; i++) {
        const struct history_test *t = &h->tests[i];
        uint32_t record[] = {t->name, t->unit, t->attributes, t->lower_is_better};
        index_put(b, record, sizeof record);
    }
    put_count(b, h->nruns);
    for (size_t i = 0; i < h->nruns; i++) {
        uint32_t record[] = {h->runs[i].label, h->runs[i].family};
        index_put(b, &h->runs[i].ts, sizeof h->runs[i].ts);
        index_put(b, record, sizeof record);
    }
    put_count(b, h->ntrials);
    for (size_t i = 0; i < h->ntrials; i++) {
        uint32_t record[] = {h->trials[i].test, h->trials[i].run, h->trials[i].status};
        index_put(b, &h->trials[i].value, sizeof h->trials[i].value);
        index_put(b, record, sizeof record);
    }
    index_put(b, &h->left_out, sizeof h->left_out);
}

/* A count of records of at least `least` bytes each: what is left must be able to hold them. */
static size_t get_count(struct index_cursor *c, size_t least) {
    uint64_t count;
    index_get(c, &count, sizeof count);
    if (count > (uint64_t)(c->end - c->at) / least)
        c->bad = true;
    return c->bad ? 0 : (size_t)count;
}

/* The numbers of a record are below these limits, or the cursor is bad. */
static void get_record(struct index_cursor *c, uint32_t *record, const size_t *limit, size_t n) {
    index_get(c, record, n * sizeof *record);
    for (size_t i = 0; i < n; i++)
        if (record[i] >= limit[i]) {
            c->bad = true;
            record[i] = 0;
        }
}

static void get_tests(struct index_cursor *c, struct trend_history *h, const char *const *texts,
                      size_t ntexts) {
    size_t count = get_count(c, 4 * sizeof(uint32_t)), limit[] = {ntexts, ntexts, ntexts, 2};
    for (size_t i = 0; i < count && !c->bad; i++) {
        uint32_t f[4];
        get_record(c, f, limit, 4);
        if (!c->bad)
            c->bad = reckon_history_test(
                         &h->base, &(struct reckon_history_test){.size = sizeof(struct reckon_history_test),
                                                                 .name = texts[f[0]],
                                                                 .unit = texts[f[1]],
                                                                 .attributes = texts[f[2]],
                                                                 .lower_is_better = f[3]}) != i;
    }
}

static void get_runs(struct index_cursor *c, struct trend_history *h, const char *const *texts,
                     size_t ntexts) {
    size_t count = get_count(c, sizeof(double) + 2 * sizeof(uint32_t)), limit[] = {ntexts, ntexts};
    for (size_t i = 0; i < count && !c->bad; i++) {
        struct reckon_history_run run = {.size = sizeof run};
        uint32_t f[2];
        index_get(c, &run.ts, sizeof run.ts);
        get_record(c, f, limit, 2);
        if (c->bad)
            return;
        run.label = texts[f[0]];
        run.family = f[1] ? texts[f[1]] : NULL;
        c->bad = reckon_history_run(&h->base, &run) != i;
    }
}

static void get_trials(struct index_cursor *c, struct trend_history *h, const char *const *texts,
                       size_t ntexts) {
    size_t count = get_count(c, sizeof(double) + 3 * sizeof(uint32_t)),
           limit[] = {h->ntests, h->nruns, ntexts};
    for (size_t i = 0; i < count && !c->bad; i++) {
        double value;
        uint32_t f[3];
        index_get(c, &value, sizeof value);
        get_record(c, f, limit, 3);
        if (!c->bad)
            reckon_history_trial(&h->base, f[0], f[1], value, texts[f[2]]);
    }
}

static void get_left_out(struct index_cursor *c, struct trend_history *h, const char *const *texts,
                         size_t ntexts) {
    uint32_t why;
    size_t limit = ntexts > 0 ? ntexts : 1;
    get_record(c, &why, &limit, 1);
    if (!c->bad && why)
        reckon_history_leave_out(&h->base, texts[why]);
}

bool index_get_history(struct index_cursor *c, struct trend_history *h) {
    size_t ntexts = get_count(c, 1);
    const char **texts = reckon_resize(NULL, ntexts + 1, sizeof *texts);
    for (size_t i = 0; i < ntexts; i++)
        texts[i] = index_get_text(c);
    get_tests(c, h, texts, ntexts);
    get_runs(c, h, texts, ntexts);
    get_trials(c, h, texts, ntexts);
    get_left_out(c, h, texts, ntexts);
    free(texts);
    return !c->bad;
}
