/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting demands: by their leading bits in three counting passes, then exactly within those that share them.
 */
#include <stdlib.h>

#include "demands.h"

#define SMALL 512u /* below it a comparison sort is faster than clearing the counters */
#define DIGIT 11u
#define DIGITS (1u << DIGIT)

static int by_item(const void *pa, const void *pb) {
    uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;
    return a < b ? -1 : a > b;
}

/* One stable counting pass over the digit at `shift`. */
static void counting_pass(const uint64_t *from, uint64_t *to, uint32_t n, unsigned shift) {
    uint32_t at[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        at[from[i] >> shift & (DIGITS - 1)]++;
    for (uint32_t d = 0; d < DIGITS; d++) {
        uint32_t count = at[d];
        at[d] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[at[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_leading(uint64_t *item, uint32_t n) {
    if (n < SMALL) {
        qsort(item, n, sizeof *item, by_item);
        return;
    }
    uint64_t *other = reckon_resize(NULL, n, sizeof *other);
    counting_pass(item, other, n, 32);
    counting_pass(other, item, n, 32 + DIGIT);
    counting_pass(item, other, n, 32 + 2 * DIGIT);
    for (uint32_t i = 0; i < n; i++)
        item[i] = other[i];
    free(other);
}

struct exact {
    double demand;
    uint64_t item;
};

static int by_demand(const void *pa, const void *pb) {
    const struct exact *a = pa, *b = pb;
    if (a->demand != b->demand)
        return a->demand < b->demand ? -1 : 1;
    return by_item(&a->item, &b->item);
}

/* Sorts items that share their leading bits, unless they are in order as most are: alone, or all the same
 * demand. */
static void sort_exactly(const struct flow *flows, uint64_t *item, uint32_t n) {
    uint32_t i = 1;
    while (i < n && flows[(uint32_t)item[i - 1]].demand <= flows[(uint32_t)item[i]].demand)
        i++;
    if (i >= n)
        return;
    struct exact *exact = reckon_resize(NULL, n, sizeof *exact);
    for (i = 0; i < n; i++)
        exact[i] = (struct exact){flows[(uint32_t)item[i]].demand, item[i]};
    qsort(exact, n, sizeof *exact, by_demand);
    for (i = 0; i < n; i++)
        item[i] = exact[i].item;
    free(exact);
}

void demands_sort(const struct flow *flows, uint64_t *item, uint32_t n) {
    sort_leading(item, n);
    for (uint32_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && item[to] >> 32 == item[from] >> 32; to++)
            ;
        sort_exactly(flows, item + from, to - from);
    }
}
