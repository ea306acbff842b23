/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms of times: merging, percentiles, and their form on the wire (steps between used buckets, and
 * counts).
 */
#include <math.h>

#include "histogram.h"

void histogram_merge(struct histogram *into, const struct histogram *other) {
    if (!other->count)
        return;
    into->count += other->count;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->bucket[i] += other->bucket[i];
}

static double middle_of(size_t index) {
    size_t shift = index < 2 * HISTOGRAM_SUB ? 0 : index / HISTOGRAM_SUB - 1;
    uint64_t lowest = (uint64_t)(index - shift * HISTOGRAM_SUB) << shift;
    return (double)lowest + (double)((UINT64_C(1) << shift) - 1) / 2;
}

double histogram_percentile(const struct histogram *h, double share) {
    if (!h->count)
        return (double)NAN;
    double rank = ceil(share * (double)h->count);
    uint64_t seen = 0, wanted = rank < 1 ? 1 : (uint64_t)rank;
    if (wanted > h->count)
        wanted = h->count;
    size_t i = 0;
    while ((seen += h->bucket[i]) < wanted)
        i++;
    return middle_of(i);
}

double histogram_within(const struct histogram *h, const struct sample *s, double share) {
    double x = histogram_percentile(h, share);
    if (!s->count || isnan(x))
        return x;
    return fmin(fmax(x, (double)s->min), (double)s->max);
}

void histogram_put(struct bytes *to, const struct histogram *h) {
    size_t used = 0, last = 0;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        used += h->bucket[i] != 0;
    put_varint(to, used);
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        if (h->bucket[i]) {
            put_varint(to, i - last);
            put_varint(to, h->bucket[i]);
            last = i;
        }
}

void histogram_get(struct reader *from, struct histogram *h) {
    uint64_t used = get_varint(from), at = 0;
    for (uint64_t k = 0; k < used && !from->bad; k++) {
        uint64_t step = get_varint(from), count = get_varint(from);
        if (step >= HISTOGRAM_BUCKETS || (at += step) >= HISTOGRAM_BUCKETS || (k && !step) || !count ||
            count > UINT64_MAX - h->count) {
            from->bad = true;
            return;
        }
        if (!from->bad) {
            h->bucket[at] += count;
            h->count += count;
        }
    }
}
