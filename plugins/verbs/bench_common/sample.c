/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of a sample of times. Every sum is a whole number of up to 120 bits; only what is asked for is
 * rounded.
 */
#include <math.h>

#include "sample.h"

void sample_add(struct sample *s, uint64_t value) {
    uint64_t v = value < SAMPLE_LARGEST ? value : SAMPLE_LARGEST;
    if (!s->count || v < s->min)
        s->min = v;
    if (v > s->max)
        s->max = v;
    s->count++;
    s->sum += v;
    s->squares += (unsigned __int128)v * v;
}

void sample_merge(struct sample *into, const struct sample *other) {
    if (!other->count)
        return;
    if (!into->count || other->min < into->min)
        into->min = other->min;
    if (other->max > into->max)
        into->max = other->max;
    into->count += other->count;
    into->sum += other->sum;
    into->squares += other->squares;
}

double sample_mean(const struct sample *s) {
    return s->count ? (double)((long double)s->sum / (long double)s->count) : (double)NAN;
}

/* The sum of squared distances from the mean is squares - sum²/n. With sum = q n + rest, sum²/n is
 * sum q + q rest + rest²/n: whole numbers that fit, and a last term that alone is rounded. */
double sample_deviation(const struct sample *s) {
    if (s->count < 2)
        return (double)NAN;
    unsigned __int128 q = s->sum / s->count, rest = s->sum % s->count;
    unsigned __int128 whole = s->squares - s->sum * q - q * rest;
    long double distances = (long double)whole - (long double)(rest * rest) / (long double)s->count;
    return distances > 0 ? (double)sqrtl(distances / (long double)(s->count - 1)) : 0;
}
