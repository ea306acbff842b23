/* SPDX-License-Identifier: Apache-2.0
 *
 * A histogram of times from 0 ns to 18 minutes, as in HDR histograms: 64 buckets for every power of two, so
 * that a percentile is off by less than 0.8 % whatever its size. Adding is O(1); histograms merge exactly.
 */
#ifndef RECKON_BENCH_HISTOGRAM_H
#define RECKON_BENCH_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "sample.h"
#include "wire.h"

#define HISTOGRAM_SUB ((size_t)64) /* buckets of a power of two */
#define HISTOGRAM_BUCKETS 2240u    /* SAMPLE_LARGEST falls into the last */

struct histogram {
    uint64_t count;
    uint64_t bucket[HISTOGRAM_BUCKETS];
};

/* Values up to 127 have a bucket of their own; from there on the seven leading bits choose it. */
static inline size_t histogram_index(uint64_t value) {
    uint64_t v = value < SAMPLE_LARGEST ? value : SAMPLE_LARGEST;
    unsigned shift = v < 2 * HISTOGRAM_SUB ? 0 : 57u - (unsigned)__builtin_clzll(v);
    return shift * HISTOGRAM_SUB + (size_t)(v >> shift);
}
static inline void histogram_add(struct histogram *h, uint64_t value) {
    h->count++;
    h->bucket[histogram_index(value)]++;
}
void histogram_merge(struct histogram *into, const struct histogram *other);
/* The middle of the bucket that holds the value of rank ⌈share · count⌉ (at least the first); NaN when empty.
 */
double histogram_percentile(const struct histogram *h, double share);
/* The same, never beyond the least and the largest value: of `s`, the sample of the values in `h`. */
double histogram_within(const struct histogram *h, const struct sample *s, double share);

/* The buckets that are not empty, as bytes, and back: adds them to `h`. The reader turns bad on anything
 * else. */
void histogram_put(struct bytes *to, const struct histogram *h);
void histogram_get(struct reader *from, struct histogram *h);

#endif
