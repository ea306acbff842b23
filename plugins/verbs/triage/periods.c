/* SPDX-License-Identifier: Apache-2.0
 *
 * Periods that are still open: probes wait here, in any order, until nothing more is expected.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

/* Where the period is, or would stand, among the open ones. */
static size_t place_of(const struct analyzer *a, int64_t index) {
    size_t low = 0, high = a->nopen;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->open[middle]->index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct period *fresh(struct analyzer *a, int64_t index) {
    struct period *p = a->spare;
    a->spare = NULL;
    if (!p) {
        p = reckon_resize(NULL, 1, sizeof *p);
        memset(p, 0, sizeof *p);
    }
    p->index = index;
    p->nprobes = p->nseen = 0;
    if (p->seen_slots)
        memset(p->seen, 0, p->seen_slots * sizeof *p->seen);
    return p;
}

/* Whether a new period may be opened: a stranger's clock must not open any number of them. */
static bool room(struct analyzer *a, int64_t index) {
    if (index <= a->last_judged) {
        count_odd(a, ODD_LATE, 1, "of the period from %.0f", (double)index * a->set.period);
        return false;
    }
    bool ahead = a->follow && a->nopen && index >= a->open[0]->index + (int64_t)a->most_open;
    if (ahead || a->nopen >= MOST_PERIODS) {
        count_odd(a, ODD_AHEAD, 1, "of the period from %.0f", (double)index * a->set.period);
        return false;
    }
    return true;
}

struct period *period_at(struct analyzer *a, int64_t index) {
    if (a->nopen && a->open[a->nopen - 1]->index == index)
        return a->open[a->nopen - 1];
    size_t at = place_of(a, index);
    if (at < a->nopen && a->open[at]->index == index)
        return a->open[at];
    if (!room(a, index))
        return NULL;
    a->open = reckon_grow(a->open, a->nopen, &a->open_cap, sizeof *a->open);
    memmove(a->open + at + 1, a->open + at, (a->nopen - at) * sizeof *a->open);
    a->nopen++;
    return a->open[at] = fresh(a, index);
}

/* ---- knowing copies ---- */

static size_t seen_slot(const struct period *p, uint64_t record) {
    size_t i = record & (p->seen_slots - 1);
    while (p->seen[i] && p->seen[i] != record)
        i = (i + 1) & (p->seen_slots - 1);
    return i;
}

static void widen_seen(struct period *p) {
    uint64_t *old = p->seen;
    size_t slots = p->seen_slots;
    p->seen_slots = slots ? 2 * slots : 1024;
    p->seen = reckon_resize(NULL, p->seen_slots, sizeof *p->seen);
    memset(p->seen, 0, p->seen_slots * sizeof *p->seen);
    for (size_t i = 0; i < slots; i++)
        if (old[i])
            p->seen[seen_slot(p, old[i])] = old[i];
    free(old);
}

bool period_add(struct period *p, const struct probe *probe, uint64_t record) {
    record += !record; /* 0 marks a free slot */
    if (2 * (p->nseen + 1) > p->seen_slots)
        widen_seen(p);
    size_t i = seen_slot(p, record);
    if (p->seen[i])
        return false;
    p->seen[i] = record;
    p->nseen++;
    p->probes = reckon_grow(p->probes, p->nprobes, &p->cap, sizeof *p->probes);
    p->probes[p->nprobes++] = *probe;
    return true;
}

struct period *period_take(struct analyzer *a) {
    if (!a->nopen)
        return NULL;
    struct period *p = a->open[0];
    memmove(a->open, a->open + 1, --a->nopen * sizeof *a->open);
    return p;
}

static void free_period(struct period *p) {
    if (!p)
        return;
    free(p->probes);
    free(p->seen);
    free(p);
}

void period_done(struct analyzer *a, struct period *p) {
    if (a->follow && !a->spare)
        a->spare = p;
    else
        free_period(p);
}

void periods_free(struct analyzer *a) {
    for (size_t i = 0; i < a->nopen; i++)
        free_period(a->open[i]);
    free_period(a->spare);
    free(a->open);
}
