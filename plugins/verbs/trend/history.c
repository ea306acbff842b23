/* SPDX-License-Identifier: Apache-2.0
 *
 * The target of the role "history": keeps what readers hand over, and joins the histories of several files.
 */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "index.h"

/* ---- what readers call ---- */

static struct trend_history *own(struct reckon_history *h) {
    return (struct trend_history *)h; /* base is its first member */
}

static bool known(struct reckon_history *base, const char *view) {
    struct trend_history *h = own(base);
    return h->indexed && trend_index_take(h->indexed, view, h);
}

/* The number that stands for name and attributes together. A name may hold any byte, so its length goes
 * first. */
static uint32_t key_of(struct trend_history *h, const struct reckon_history_test *t) {
    size_t n = strlen(t->name), k = t->attributes ? strlen(t->attributes) : 0, room = n + k + 24;
    char *text = reckon_resize(NULL, room, 1);
    snprintf(text, room, "%zu %s%s", n, t->name, k ? t->attributes : "");
    uint32_t key = trend_strings_add(&h->keys, text);
    free(text);
    return key;
}

/* The test of this chain that a unit belongs to: its own, or one of which it is not known yet; 0 goes with
 * any. */
static uint32_t of_unit(struct trend_history *h, uint32_t test, uint32_t unit) {
    for (; test != RECKON_NONE; test = h->tests[test].next) {
        if (unit == 0 || h->tests[test].unit == unit)
            return test;
        if (h->tests[test].unit == 0) {
            h->tests[test].unit = unit;
            return test;
        }
    }
    return RECKON_NONE;
}

static uint32_t *first_of(struct trend_history *h, uint32_t key) {
    while (key >= h->first_cap) {
        size_t old = h->first_cap;
        h->first_of = reckon_grow(h->first_of, old, &h->first_cap, sizeof *h->first_of);
        memset(h->first_of + old, 0xff, (h->first_cap - old) * sizeof *h->first_of);
    }
    return &h->first_of[key];
}

static uint32_t test(struct reckon_history *base, const struct reckon_history_test *t) {
    struct trend_history *h = own(base);
    uint32_t key = key_of(h, t), unit = trend_strings_add(&h->strings, t->unit);
    uint32_t *first = first_of(h, key), found = of_unit(h, *first, unit);
    if (found != RECKON_NONE)
        return found;
    h->tests = reckon_grow(h->tests, h->ntests, &h->tests_cap, sizeof *h->tests);
    h->tests[h->ntests] = (struct history_test){
        .name = trend_strings_add(&h->strings, t->name),
        .unit = unit,
        .attributes = trend_strings_add(&h->strings, t->attributes),
        .next = *first,
        .lower_is_better = t->lower_is_better,
    };
    *first = (uint32_t)h->ntests;
    return (uint32_t)h->ntests++;
}

static uint32_t run(struct reckon_history *base, const struct reckon_history_run *new) {
    struct trend_history *h = own(base);
    struct history_run it = {.ts = new->ts,
                             .label = trend_strings_add(&h->strings, new->label),
                             .family = trend_strings_add(&h->strings, new->family)};
    if (!isfinite(it.ts))
        return RECKON_NONE;
    const struct history_run *last = h->nruns ? &h->runs[h->nruns - 1] : NULL;
    if (last && it.family == 0 && last->family == 0 && last->ts == it.ts && last->label == it.label)
        return (uint32_t)h->nruns - 1;
    h->runs = reckon_grow(h->runs, h->nruns, &h->runs_cap, sizeof *h->runs);
    h->runs[h->nruns] = it;
    return (uint32_t)h->nruns++;
}

static void trial(struct reckon_history *base, uint32_t of_test, uint32_t of_run, double value,
                  const char *status) {
    struct trend_history *h = own(base);
    struct history_trial it = {.value = value, .test = of_test, .run = of_run};
    if (of_test >= h->ntests || of_run >= h->nruns)
        return;
    if (status && *status && strcasecmp(status, "ok"))
        it.status = trend_strings_add(&h->strings, status);
    else if (!isfinite(value) || value < 0)
        it.status = trend_strings_add(&h->strings, value < 0 ? "negative value" : "no value");
    h->trials = reckon_grow(h->trials, h->ntrials, &h->trials_cap, sizeof *h->trials);
    h->trials[h->ntrials++] = it;
}

static void leave_out(struct reckon_history *base, const char *why) {
    own(base)->left_out = trend_strings_add(&own(base)->strings, why);
}

static const struct reckon_history_api api = {
    .size = sizeof api, .known = known, .test = test, .run = run, .trial = trial, .leave_out = leave_out};

/* ---- a history as a whole ---- */

void trend_history_init(struct trend_history *h) {
    *h = (struct trend_history){
        .base = {.size = sizeof h->base, .version = RECKON_TREND_VERSION, .api = &api}};
}

void trend_history_free(struct trend_history *h) {
    trend_strings_free(&h->strings);
    trend_strings_free(&h->keys);
    free(h->first_of);
    free(h->tests);
    free(h->runs);
    free(h->trials);
    trend_history_init(h);
}

void trend_history_join(struct trend_history *h, const struct trend_history *from) {
    uint32_t *tests = reckon_resize(NULL, from->ntests, sizeof *tests);
    uint32_t *runs = reckon_resize(NULL, from->nruns, sizeof *runs);
    for (size_t i = 0; i < from->ntests; i++) {
        const struct history_test *t = &from->tests[i];
        tests[i] = test(&h->base,
                        &(struct reckon_history_test){.size = sizeof(struct reckon_history_test),
                                                      .name = trend_history_text(from, t->name),
                                                      .unit = trend_history_text(from, t->unit),
                                                      .attributes = trend_history_text(from, t->attributes),
                                                      .lower_is_better = t->lower_is_better});
    }
    for (size_t i = 0; i < from->nruns; i++) {
        const struct history_run *t = &from->runs[i];
        runs[i] = run(&h->base, &(struct reckon_history_run){.size = sizeof(struct reckon_history_run),
                                                             .ts = t->ts,
                                                             .label = trend_history_text(from, t->label),
                                                             .family = trend_history_text(from, t->family)});
    }
    for (size_t i = 0; i < from->ntrials; i++) {
        const struct history_trial *t = &from->trials[i];
        trial(&h->base, tests[t->test], runs[t->run], t->value, trend_history_text(from, t->status));
    }
    free(tests);
    free(runs);
}
