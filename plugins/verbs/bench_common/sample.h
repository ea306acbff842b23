/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of a sample of times, in nanoseconds. Kept as whole numbers, so that adding is O(1) and merging
 * two samples gives exactly what one sample of all their values would have given.
 */
#ifndef RECKON_BENCH_SAMPLE_H
#define RECKON_BENCH_SAMPLE_H

#include <stdint.h>

/* Larger values count as this one: 18 minutes. With it no sum of 2^40 values can overflow. */
#define SAMPLE_LARGEST ((UINT64_C(1) << 40) - 1)

struct sample {
    uint64_t count, min, max; /* min and max are 0 while the count is */
    unsigned __int128 sum, squares;
};

void sample_add(struct sample *s, uint64_t value);
void sample_merge(struct sample *into, const struct sample *other);
/* Nanoseconds; NaN when the sample is too small to have one: mean from one value on, the deviation from two.
 */
double sample_mean(const struct sample *s);
double sample_deviation(const struct sample *s); /* of a sample: divided by n - 1 */

#endif
