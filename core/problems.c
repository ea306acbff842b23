/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting flows into problems by counting: linear, and stable, so that the flows of one sender stay together.
 */
#include <stdlib.h>

#include "problems.h"

/* Flows share the fabric when they have this in common. */
static uint32_t problem_of(const struct reckon_comparison *c, uint32_t flow) {
    return c->sharing == RECKON_SHARE_LAYER ? c->flows[flow].layer : c->flows[flow].src;
}

static bool one_problem(const struct reckon_comparison *c) {
    return c->sharing == RECKON_SHARE_ALL || (c->sharing == RECKON_SHARE_LAYER && c->nlayers < 2);
}

uint32_t *problems_order(const struct reckon_comparison *c) {
    uint32_t *order = reckon_resize(NULL, c->nflows, sizeof *order);
    if (c->sharing != RECKON_SHARE_LAYER || one_problem(c)) { /* flows are sorted by sender already */
        for (uint32_t i = 0; i < c->nflows; i++)
            order[i] = i;
        return order;
    }
    uint32_t *at = calloc(c->nlayers, sizeof *at), sum = 0;
    if (!at)
        out_of_memory();
    for (uint32_t i = 0; i < c->nflows; i++)
        at[c->flows[i].layer]++;
    for (uint32_t k = 0; k < c->nlayers; k++) {
        uint32_t count = at[k];
        at[k] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < c->nflows; i++)
        order[at[c->flows[i].layer]++] = i;
    free(at);
    return order;
}

uint32_t problem_end(const struct reckon_comparison *c, const uint32_t *order, uint32_t from) {
    if (c->sharing == RECKON_SHARE_NONE)
        return from + 1;
    if (one_problem(c))
        return c->nflows;
    uint32_t key = problem_of(c, order[from]), low = from + 1, high = c->nflows;
    while (low < high) { /* everything before low belongs to the problem, nothing from high on */
        uint32_t middle = low + (high - low) / 2;
        if (problem_of(c, order[middle]) == key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
