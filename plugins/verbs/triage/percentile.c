/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics of many small whole numbers, and bringing values together by key, both in linear time.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

static int value_order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t middle_of(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Hoare's selection; values that keep splitting badly are sorted, so that nobody can make it slow. */
uint32_t select_nth(uint32_t *v, size_t n, size_t k) {
    size_t low = 0, high = n;
    for (int rounds = 0; high - low > 16; rounds++) {
        if (rounds == 100) {
            qsort(v + low, high - low, sizeof *v, value_order);
            return v[k];
        }
        uint32_t pivot = middle_of(v[low], v[low + (high - low) / 2], v[high - 1]);
        size_t i = low, j = high - 1;
        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            uint32_t swap = v[i];
            v[i++] = v[j];
            v[j--] = swap;
        }
        size_t split = j + (v[j] <= pivot); /* values before it are at most the pivot, the rest at least */
        if (k < split)
            high = split;
        else
            low = split;
    }
    qsort(v + low, high - low, sizeof *v, value_order);
    return v[k];
}

size_t percentile_rank(size_t n, uint32_t permille) {
    size_t rank = (n / 1000) * permille + ((n % 1000) * permille + 999) / 1000;
    return rank ? rank - 1 : 0;
}

void scratch_reserve(struct analyzer *a, size_t n, size_t nkeys) {
    if (n > a->values_cap)
        a->values = reckon_resize(a->values, a->values_cap = n + n / 4, sizeof *a->values);
    if (n > a->keys_cap)
        a->keys = reckon_resize(a->keys, a->keys_cap = n + n / 4, sizeof *a->keys);
    if (nkeys + 2 > a->offsets_cap)
        a->offsets = reckon_resize(a->offsets, a->offsets_cap = nkeys + 2, sizeof *a->offsets);
}

void group_values(struct analyzer *a, const uint32_t *in, size_t n, uint32_t nkeys) {
    uint32_t *offset = a->offsets;
    memset(offset, 0, (nkeys + (size_t)2) * sizeof *offset);
    for (size_t i = 0; i < n; i++)
        offset[a->keys[i] + 2]++;
    for (uint32_t k = 0; k < nkeys; k++)
        offset[k + 2] += offset[k + 1];
    for (size_t i = 0; i < n; i++)
        a->values[offset[a->keys[i] + 1]++] = in[i];
}
