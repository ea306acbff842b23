/* SPDX-License-Identifier: Apache-2.0
 *
 * A bounded heap of the worst (worst.h).
 */
#include "worst.h"

#include <stdlib.h>

struct worst worst_new(struct reckon *r, double top, uint32_t count) {
    struct worst w = {.room = top < count ? (size_t)top : count};
    w.at = reckon_alloc(r, (w.room + 1) * sizeof *w.at);
    return w;
}

/* Whether a stands behind b: it is less bad. */
static bool behind(const struct worst_entry *a, const struct worst_entry *b) {
    return a->key > b->key || (!(a->key < b->key) && a->index > b->index);
}

static void swap(struct worst_entry *a, struct worst_entry *b) {
    struct worst_entry t = *a;
    *a = *b;
    *b = t;
}

static void sift_up(struct worst_entry *at, size_t i) {
    for (; i && behind(&at[i], &at[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&at[i], &at[(i - 1) / 2]);
}

static void sift_down(struct worst_entry *at, size_t count) {
    for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && behind(&at[child + 1], &at[child]))
            child++;
        if (!behind(&at[child], &at[i]))
            return;
        swap(&at[child], &at[i]);
    }
}

void worst_offer(struct worst *w, double key, uint32_t index) {
    struct worst_entry e = {key, index};
    if (reckon_blank(key) || !w->room)
        return;
    if (w->count < w->room) {
        w->at[w->count] = e;
        sift_up(w->at, w->count++);
    } else if (behind(&w->at[0], &e)) {
        w->at[0] = e;
        sift_down(w->at, w->count);
    }
}

static int by_key(const void *a, const void *b) {
    return behind(a, b) ? 1 : -1;
}

void worst_sort(struct worst *w) {
    qsort(w->at, w->count, sizeof *w->at, by_key);
}
