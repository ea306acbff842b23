/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparing two builds: the same encoding as in trends decides whether all trials are one group or two.
 */
#include "builds.h"

#include <stdlib.h>
#include <string.h>

/* ---- judging ---- */

static double largest(const struct build_test *t) {
    double most = 0;
    for (int side = RECKON_PARENT; side <= RECKON_CURRENT; side++)
        for (size_t i = 0; i < t->stats[side].count; i++)
            most = t->values[side][i] > most ? t->values[side][i] : most;
    return most;
}

/* One group or two? Equal descriptions, and trials that are all equal, are one. */
static enum reckon_trend_comment decide(const struct build_test *t) {
    const struct trend_stats *parent = &t->stats[RECKON_PARENT], *current = &t->stats[RECKON_CURRENT];
    bool two = t->bits[RECKON_PARENT] + t->bits[RECKON_CURRENT] < t->bits[RECKON_COMBINED];
    if (!two || t->stats[RECKON_COMBINED].m2 == 0)
        return RECKON_TREND_NORMAL;
    bool worse = t->lower_is_better ? current->mean > parent->mean : current->mean < parent->mean;
    return worse ? RECKON_TREND_REGRESSION : RECKON_TREND_PROGRESSION;
}

void build_judge(struct build_test *t, const struct trend_options *options) {
    const struct trend_stats *parent = &t->stats[RECKON_PARENT], *current = &t->stats[RECKON_CURRENT];
    struct trend_stats *all = &t->stats[RECKON_COMBINED];
    *all = *parent;
    trend_stats_merge(all, current);
    t->result = RECKON_TREND_FAILED;
    t->bits[RECKON_PARENT] = t->bits[RECKON_CURRENT] = t->bits[RECKON_COMBINED] = RECKON_BLANK;
    if (parent->count == 0 || current->count == 0)
        return;
    struct trend_scale scale = trend_scale_new(largest(t), all->count, options->bits, options->unit);
    t->coarse = trend_scale_coarse(&scale);
    t->bits[RECKON_PARENT] = trend_group_bits(&scale, parent, RECKON_BLANK);
    t->bits[RECKON_CURRENT] = trend_group_bits(&scale, current, parent->mean);
    t->bits[RECKON_COMBINED] = trend_group_bits(&scale, all, RECKON_BLANK);
    trend_scale_free(&scale);
    if (t->failed[RECKON_PARENT] == 0 && t->failed[RECKON_CURRENT] == 0)
        t->result = decide(t);
}

/* ---- gathering ---- */

/* The trials of a series in the order measured. */
static void take_side(struct build_test *t, int side, const struct trend_analysis *a,
                      struct trend_series *s) {
    uint32_t from = a->first[s->test], to = a->first[s->test + 1];
    trend_entries(a, s); /* brings them into time order */
    t->values[side] = reckon_resize(NULL, to - from, sizeof *t->values[side]);
    for (uint32_t i = from; i < to; i++) {
        const struct history_trial *trial = &a->history->trials[a->order[i]];
        if (!trial->status) {
            t->values[side][t->stats[side].count] = trial->value;
            trend_stats_add(&t->stats[side], trial->value);
        } else if (t->failed[side]++ == 0 && !t->status)
            t->status = trend_history_text(a->history, trial->status);
    }
}

static const char *attributes(struct reckon *r, const struct trend_analysis *a,
                              const struct history_test *test) {
    const char *text = trend_history_text(a->history, test->attributes);
    char *copy = reckon_strdup(r, text);
    for (char *c = copy; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return *copy ? reckon_text(r, " {%s}", copy) : "";
}

static const struct history_test *test_of(const struct trend_analysis *a, size_t i) {
    return &a->history->tests[a->series[i].test];
}

/* A test of both sides. */
static void add(struct builds *b, struct trend_analysis *parent, size_t p, struct trend_analysis *current,
                size_t c) {
    const struct history_test *then = test_of(parent, p), *now = test_of(current, c);
    b->tests = reckon_grow(b->tests, b->count, &b->cap, sizeof *b->tests);
    struct build_test *t = &b->tests[b->count++];
    *t = (struct build_test){
        .name = reckon_text(b->r, "%s%s", trend_history_text(parent->history, then->name),
                            attributes(b->r, parent, then)),
        .unit = then->unit ? trend_history_text(parent->history, then->unit)
                           : trend_history_text(current->history, now->unit),
        .lower_is_better = then->lower_is_better || now->lower_is_better || parent->options.lower_is_better,
    };
    take_side(t, RECKON_PARENT, parent, &parent->series[p]);
    take_side(t, RECKON_CURRENT, current, &current->series[c]);
    build_judge(t, &parent->options);
}

/* Tests of two sides in order; 0: the same. A unit that one side does not know goes with any. */
static int order(const struct trend_analysis *a, size_t i, const struct trend_analysis *b, size_t k) {
    const struct history_test *x = test_of(a, i), *y = test_of(b, k);
    int by = strcmp(trend_history_text(a->history, x->name), trend_history_text(b->history, y->name));
    if (!by)
        by = strcmp(trend_history_text(a->history, x->attributes),
                    trend_history_text(b->history, y->attributes));
    if (by || x->unit == 0 || y->unit == 0)
        return by;
    return strcmp(trend_history_text(a->history, x->unit), trend_history_text(b->history, y->unit));
}

/* Tests of one side alone: how many, and the first. */
struct alone {
    size_t count;
    const char *first;
};

static void count_alone(struct alone *alone, const struct trend_analysis *a, size_t i) {
    if (alone->count++ == 0)
        alone->first = trend_history_text(a->history, test_of(a, i)->name);
}

static void say_alone(struct reckon *r, const struct alone *alone, const char *side) {
    if (alone->count > 0)
        reckon_note(r, "%s of the %s build alone cannot be compared: %s%s",
                    reckon_count(r, alone->count, "test"), side, reckon_printable(r, alone->first),
                    alone->count > 1 ? " and others" : "");
}

static void match(struct builds *b, struct trend_analysis *parent, struct trend_analysis *current) {
    struct alone old = {0}, new = {0};
    size_t p = 0, c = 0;
    while (p < parent->count && c < current->count) {
        int by = order(parent, p, current, c);
        if (by == 0)
            add(b, parent, p++, current, c++);
        else if (by < 0)
            count_alone(&old, parent, p++);
        else
            count_alone(&new, current, c++);
    }
    while (p < parent->count)
        count_alone(&old, parent, p++);
    while (c < current->count)
        count_alone(&new, current, c++);
    say_alone(b->r, &old, "parent");
    say_alone(b->r, &new, "current");
}

static void say_coarse(const struct builds *b, double unit) {
    size_t count = 0;
    const char *name = NULL;
    for (size_t i = b->count; i-- > 0;)
        if (b->tests[i].coarse) {
            name = b->tests[i].name;
            count++;
        }
    trend_note_coarse(b->r, unit, count, name);
}

/* ---- the subject ---- */

static const struct builds *own(const struct reckon_builds *b) {
    return (const struct builds *)b; /* base is its first member */
}

static size_t tests(const struct reckon_builds *b) {
    return own(b)->count;
}

static void test(const struct reckon_builds *b, size_t i, struct reckon_build_test *out) {
    const struct build_test *t = &own(b)->tests[i];
    double parent = t->stats[RECKON_PARENT].mean;
    bool both = t->stats[RECKON_PARENT].count > 0 && t->stats[RECKON_CURRENT].count > 0;
    struct reckon_build_test full = {
        .size = out->size,
        .name = t->name,
        .unit = t->unit,
        .lower_is_better = t->lower_is_better,
        .result = t->result,
        .failed = {t->failed[RECKON_PARENT], t->failed[RECKON_CURRENT]},
        .status = t->status,
        .change = both && parent > 0 ? (t->stats[RECKON_CURRENT].mean - parent) / parent : RECKON_BLANK,
    };
    for (int side = RECKON_PARENT; side <= RECKON_COMBINED; side++) {
        const struct trend_stats *s = &t->stats[side];
        full.count[side] = s->count;
        full.mean[side] = s->count > 0 ? s->mean : RECKON_BLANK;
        full.stdev[side] = s->count > 0 ? trend_stats_stdev(s) : RECKON_BLANK;
        full.bits[side] = t->bits[side];
    }
    memcpy(out, &full, out->size < sizeof full ? out->size : sizeof full);
}

static double trial(const struct reckon_builds *b, size_t i, enum reckon_build side, size_t k) {
    const struct build_test *t = &own(b)->tests[i];
    size_t parents = t->stats[RECKON_PARENT].count;
    if (side == RECKON_COMBINED)
        return k < parents ? t->values[RECKON_PARENT][k] : t->values[RECKON_CURRENT][k - parents];
    return t->values[side][k];
}

static const struct reckon_builds_api api = {
    .size = sizeof api, .tests = tests, .test = test, .trial = trial};

int builds_compare(struct reckon *r, struct builds *b, struct trend_history *parent,
                   struct trend_history *current, const struct trend_options *options) {
    struct trend_analysis then = {0}, now = {0};
    *b = (struct builds){.base = {.size = sizeof b->base, .version = RECKON_TREND_VERSION, .api = &api},
                         .r = r};
    int rc = trend_arrange(r, &then, parent, options);
    if (!rc)
        rc = trend_arrange(r, &now, current, options);
    if (!rc)
        match(b, &then, &now);
    if (!rc && options->unit > 0)
        say_coarse(b, options->unit);
    trend_analysis_free(&then);
    trend_analysis_free(&now);
    return rc;
}

void builds_free(struct builds *b) {
    for (size_t i = 0; i < b->count; i++) {
        free(b->tests[i].values[RECKON_PARENT]);
        free(b->tests[i].values[RECKON_CURRENT]);
    }
    free(b->tests);
}
