/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a history into steps. A host changes where the set of targets it sends at does; every host's k-th change is
 * the fleet's k-th, so that a reload which reaches the fleet in waves is one change and not many.
 */
#include <stdlib.h>
#include <string.h>

#include "ramp_cut.h"

#define SILENCE 3 /* intervals */

/* One interval of one host: a timestamp at which it sent, and the set of its targets there. */
struct interval {
    double ts;
    uint32_t host;
    uint32_t k; /* how many changes the host has seen by now */
    size_t first, count; /* its targets */
    bool change; /* this is where it came to be at k */
};

struct ramp_cut {
    double *targets; /* of all intervals; infinity: unpaced */
    struct interval *at; /* by ts, then host */
    size_t n;
    uint32_t hosts; /* one more than the largest number */
    double gap;     /* the usual time between a host's intervals, s */
    size_t steps;
    double *begin;  /* per step: the last host's change; step 0: -infinity */
    double *leave;  /* per step: the first host's change into the next one; the last step: infinity */
    double *start;  /* per (step, host): its first interval there, blank unless it has a second */
};

/* ---- gathering the intervals ---- */

struct sent {
    double ts, target;
    uint32_t host;
};

/* Targets are compared as %g shows them: six digits. */
static double as_shown(double target) {
    char text[32];
    if (reckon_blank(target))
        return INFINITY;
    snprintf(text, sizeof text, "%g", target);
    return reckon_number(text, strlen(text));
}

static int sent_order(const void *a, const void *b) {
    const struct sent *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

static struct sent *gather(struct reckon_sink **sinks, size_t count, size_t *n) {
    struct sent *all = NULL;
    size_t cap = 0;
    *n = 0;
    for (size_t i = 0; i < count; i++) {
        struct sample_cursor c;
        double last = RECKON_BLANK, shown = RECKON_BLANK;
        for (cursor_start(&c, sinks[i]); cursor_next(&c);) {
            const struct record *rec = &c.record;
            if (rec->kind != RECKON_SAMPLE_FLOW || reckon_blank(rec->ts))
                continue;
            double target = rec->present >> RECKON_DEMAND & 1 ? rec->figure[RECKON_DEMAND] : RECKON_BLANK;
            if (!(target == last)) { /* rows of one interval ask the same: no need to print it again */
                last = target;
                shown = as_shown(target);
            }
            all = reckon_grow(all, *n, &cap, sizeof *all);
            all[(*n)++] = (struct sent){rec->ts, shown, rec->host};
        }
    }
    if (*n)
        qsort(all, *n, sizeof *all, sent_order);
    return all;
}

static void make_intervals(struct ramp_cut *cut, const struct sent *all, size_t n) {
    size_t cap = 0, ntargets = 0;
    cut->targets = reckon_resize(NULL, n, sizeof *cut->targets);
    for (size_t i = 0; i < n; i++) {
        const struct sent *s = &all[i];
        bool fresh = !i || s->ts != all[i - 1].ts || s->host != all[i - 1].host;
        if (fresh) {
            cut->at = reckon_grow(cut->at, cut->n, &cap, sizeof *cut->at);
            cut->at[cut->n++] = (struct interval){.ts = s->ts, .host = s->host, .first = ntargets};
        }
        if (fresh || s->target != all[i - 1].target) {
            cut->targets[ntargets++] = s->target;
            cut->at[cut->n - 1].count++;
        }
        cut->hosts = s->host + 1 > cut->hosts ? s->host + 1 : cut->hosts;
    }
}

static double usual_gap(const struct ramp_cut *cut) {
    double *gaps = reckon_resize(NULL, cut->n, sizeof *gaps);
    double *last = reckon_resize(NULL, cut->hosts, sizeof *last);
    size_t n = 0;
    for (uint32_t h = 0; h < cut->hosts; h++)
        last[h] = RECKON_BLANK;
    for (size_t i = 0; i < cut->n; i++) {
        const struct interval *v = &cut->at[i];
        if (!reckon_blank(last[v->host]))
            gaps[n++] = v->ts - last[v->host];
        last[v->host] = v->ts;
    }
    double gap = n ? reckon_median(gaps, n) : 1;
    free(gaps);
    free(last);
    return gap;
}

/* ---- counting every host's changes ---- */

struct counter {
    const struct ramp_cut *cut;
    const struct interval **last; /* per host */
    uint32_t highest;             /* k any host has reached */
    uint32_t floor;               /* k every host is lifted to: the fleet was silent */
};

static bool same_targets(const struct ramp_cut *cut, const struct interval *a, const struct interval *b) {
    return a->count == b->count &&
           !memcmp(cut->targets + a->first, cut->targets + b->first, a->count * sizeof *cut->targets);
}

/* A host that was away, or starts late, joins where the others are by now. */
static bool was_away(const struct counter *c, const struct interval *v) {
    const struct interval *before = c->last[v->host];
    return !before || v->ts - before->ts > SILENCE * c->cut->gap;
}

static void count_one(struct counter *c, struct interval *v) {
    const struct interval *before = c->last[v->host];
    uint32_t own = before ? before->k : 0;
    bool differs = before && !same_targets(c->cut, before, v);
    uint32_t joins = was_away(c, v) && c->highest > c->floor ? c->highest : c->floor;
    if (own < joins)
        v->k = joins;
    else
        v->k = own + differs;
    v->change = v->k != own;
}

static void remember(struct counter *c, struct interval *v) {
    c->last[v->host] = v;
    c->highest = v->k > c->highest ? v->k : c->highest;
}

/* All intervals of one timestamp: those who were there first, so that who returns now knows how far they are. */
static void count_moment(struct counter *c, struct interval *v, size_t n) {
    for (int away = 0; away < 2; away++) {
        for (size_t i = 0; i < n; i++)
            if (was_away(c, &v[i]) == (bool)away)
                count_one(c, &v[i]);
        for (size_t i = 0; i < n && !away; i++)
            if (!was_away(c, &v[i]))
                c->highest = v[i].k > c->highest ? v[i].k : c->highest;
    }
    for (size_t i = 0; i < n; i++)
        remember(c, &v[i]);
}

static uint32_t count_changes(struct ramp_cut *cut) {
    struct counter c = {.cut = cut, .last = reckon_resize(NULL, cut->hosts, sizeof *c.last)};
    memset(c.last, 0, cut->hosts * sizeof *c.last);
    for (size_t i = 0, n; i < cut->n; i += n) {
        for (n = 1; i + n < cut->n && cut->at[i + n].ts == cut->at[i].ts; n++)
            ;
        if (i && cut->at[i].ts - cut->at[i - 1].ts > SILENCE * cut->gap)
            c.floor = c.highest + 1;
        count_moment(&c, &cut->at[i], n);
    }
    free(c.last);
    return c.highest;
}

/* ---- steps ---- */

static void bound_steps(struct ramp_cut *cut) {
    for (size_t s = 0; s < cut->steps; s++) {
        cut->begin[s] = -INFINITY;
        cut->leave[s] = INFINITY;
    }
    for (size_t i = 0; i < cut->n; i++) {
        const struct interval *v = &cut->at[i];
        if (!v->change)
            continue;
        cut->begin[v->k] = fmax(cut->begin[v->k], v->ts);
        cut->leave[v->k - 1] = fmin(cut->leave[v->k - 1], v->ts);
    }
}

/* The step of a moment; NO_STEP while a change is under way. */
static size_t step_at(const struct ramp_cut *cut, double ts) {
    size_t s = 0;
    while (s + 1 < cut->steps && ts >= cut->begin[s + 1])
        s++;
    return ts >= cut->leave[s] ? NO_STEP : s;
}

static void find_starts(struct ramp_cut *cut) {
    size_t cells = cut->steps * cut->hosts;
    double *second = reckon_resize(NULL, cells, sizeof *second);
    cut->start = reckon_resize(NULL, cells, sizeof *cut->start);
    for (size_t i = 0; i < cells; i++)
        cut->start[i] = second[i] = RECKON_BLANK;
    for (size_t i = 0; i < cut->n; i++) {
        size_t s = step_at(cut, cut->at[i].ts);
        if (s == NO_STEP)
            continue;
        size_t cell = s * cut->hosts + cut->at[i].host;
        double *which = reckon_blank(cut->start[cell]) ? &cut->start[cell] : &second[cell];
        if (reckon_blank(*which))
            *which = cut->at[i].ts;
    }
    for (size_t i = 0; i < cells; i++)
        if (reckon_blank(second[i]))
            cut->start[i] = RECKON_BLANK;
    free(second);
}

struct ramp_cut *ramp_cut(struct reckon *r, struct reckon_sink **sinks, size_t count) {
    struct ramp_cut *cut = reckon_alloc(r, sizeof *cut);
    size_t n;
    struct sent *all = gather(sinks, count, &n);
    make_intervals(cut, all, n);
    free(all);
    cut->gap = cut->n ? usual_gap(cut) : 1;
    cut->steps = cut->n ? (size_t)count_changes(cut) + 1 : 0;
    cut->begin = reckon_resize(NULL, cut->steps, sizeof *cut->begin);
    cut->leave = reckon_resize(NULL, cut->steps, sizeof *cut->leave);
    bound_steps(cut);
    find_starts(cut);
    return cut;
}

void ramp_cut_free(struct ramp_cut *cut) {
    free(cut->targets);
    free(cut->at);
    free(cut->begin);
    free(cut->leave);
    free(cut->start);
}

size_t ramp_cut_steps(const struct ramp_cut *cut) {
    return cut->steps;
}

size_t ramp_cut_step(const struct ramp_cut *cut, const struct record *record) {
    if (reckon_blank(record->ts) || !cut->steps)
        return NO_STEP;
    size_t s = step_at(cut, record->ts);
    if (s == NO_STEP || record->host >= cut->hosts)
        return s;
    return cut->start[s * cut->hosts + record->host] == record->ts ? NO_STEP : s;
}

static bool kept(const struct ramp_cut *cut, const struct interval *v, size_t step) {
    return step_at(cut, v->ts) == step && cut->start[step * cut->hosts + v->host] != v->ts;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

const char *ramp_cut_label(struct reckon *r, const struct ramp_cut *cut, size_t step) {
    double *seen = NULL;
    size_t n = 0, cap = 0, distinct = 0;
    for (size_t i = 0; i < cut->n; i++)
        for (size_t t = 0; kept(cut, &cut->at[i], step) && t < cut->at[i].count; t++) {
            seen = reckon_grow(seen, n, &cap, sizeof *seen);
            seen[n++] = cut->targets[cut->at[i].first + t];
        }
    if (n)
        qsort(seen, n, sizeof *seen, by_value);
    for (size_t i = 0; i < n; i++)
        distinct += !i || seen[i] != seen[i - 1];
    const char *label = distinct > 1      ? reckon_text(r, "%zu rates", distinct)
                        : n && seen[0] < INFINITY ? reckon_text(r, "%g pps", seen[0])
                                                  : "max";
    free(seen);
    return label;
}
