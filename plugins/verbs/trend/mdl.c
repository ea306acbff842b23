/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of a series by minimum description length. The search keeps, for every position, the partition whose
 * last group starts there: quadratic in the samples, constant work per step, no allocation inside it.
 */
#include "mdl.h"

#include <math.h>
#include <stdlib.h>

#include <reckon/base.h>

void trend_stats_add(struct trend_stats *s, double value) {
    double off = value - s->mean;
    s->count++;
    s->mean += off / (double)s->count;
    s->m2 += off * (value - s->mean);
}

void trend_stats_merge(struct trend_stats *s, const struct trend_stats *other) {
    if (other->count == 0)
        return;
    double n = (double)s->count, k = (double)other->count, off = other->mean - s->mean;
    s->count += other->count;
    s->mean += off * k / (n + k);
    s->m2 += other->m2 + off * off * n * k / (n + k);
}

double trend_stats_stdev(const struct trend_stats *s) {
    return s->count > 0 ? sqrt(s->m2 / (double)s->count) : 0;
}

/* Size of the group, and the part of the sphere's surface that its radius has no say in. */
static double bits_of_size(size_t size) {
    double n = (double)size, bits = log2(n * (n + 1));
    if (size < 2)
        return bits;
    int sign; /* lgamma() would share its sign between threads */
    double sphere = M_LN2 + (n - 1) / 2 * log(M_PI) - lgamma_r((n - 1) / 2, &sign) + (n - 2) / 2 * log(n);
    return bits + sphere / M_LN2;
}

struct trend_scale trend_scale_new(double largest, size_t count, double bits, double unit) {
    struct trend_scale s = {.unit = unit, .count = count};
    if (unit <= 0)
        s.unit = largest / (exp2(bits + 1) - 1);
    if (s.unit <= 0) /* all samples are 0, or as good as */
        s.unit = 1;
    s.max = largest / s.unit;
    s.first_bits = log2(s.max + 1);
    s.range_bits = log2(1 - 1 / (s.max + 2));
    s.size_bits = reckon_resize(NULL, count + 1, sizeof *s.size_bits);
    s.size_bits[0] = 0;
    for (size_t i = 1; i <= count; i++)
        s.size_bits[i] = bits_of_size(i);
    return s;
}

void trend_scale_free(struct trend_scale *scale) {
    free(scale->size_bits);
    scale->size_bits = NULL;
}

/* Bits of N, what a later group's mean is weighed against; `before` in units. All samples 0: there is nothing
 * to weigh. */
static double mean_range_bits(const struct trend_scale *scale, double before) {
    double n = before * before - (before - 1) * scale->max + scale->max * scale->max / 2;
    return n > 0 ? log2(n) : 0;
}

/* The same as trend_group_bits() with what stays equal within a search worked out before. */
static double group_bits(const struct trend_scale *scale, const struct trend_stats *g, double before,
                         double range) {
    double bits = scale->size_bits[g->count];
    if (reckon_blank(before))
        bits += scale->first_bits;
    else
        bits += range - log2(fabs(g->mean / scale->unit - before) + 1);
    if (g->count < 2)
        return bits;
    double spread = sqrt(g->m2 / (double)g->count) / scale->unit;
    double radius = log2(spread + 1);
    return bits + radius + log2(spread + 2) + scale->range_bits + ((double)g->count - 2) * radius;
}

double trend_group_bits(const struct trend_scale *scale, const struct trend_stats *group, double before) {
    before /= scale->unit;
    return group_bits(scale, group, before, reckon_blank(before) ? 0 : mean_range_bits(scale, before));
}

/* The partition whose last group starts at this sample. */
struct open {
    struct trend_stats last;
    size_t from;   /* where the group before starts */
    double base;   /* bits of everything before */
    double before; /* mean of the group before in units; blank: none */
    double range;  /* mean_range_bits() of it */
};

/* Adds sample i to every open partition and opens the one that starts a group at it. Returns the best one's
 * start and leaves its bits in *best; `chosen` is the best for the samples before. */
static size_t step(const struct trend_scale *scale, struct open *open, size_t i, double value, size_t chosen,
                   double *best) {
    struct open *new = &open[i];
    *new = (struct open){.from = chosen, .base = *best, .before = RECKON_BLANK};
    if (i > 0) {
        new->before = open[chosen].last.mean / scale->unit;
        new->range = mean_range_bits(scale, new->before);
    }
    trend_stats_add(&new->last, value);
    *best = new->base + group_bits(scale, &new->last, new->before, new->range);
    chosen = i;
    for (size_t k = 0; k < i; k++) {
        trend_stats_add(&open[k].last, value);
        double bits = open[k].base + group_bits(scale, &open[k].last, open[k].before, open[k].range);
        if (bits < *best) {
            *best = bits;
            chosen = k;
        }
    }
    return chosen;
}

static struct trend_group group_of(const double *values, size_t first, size_t size) {
    struct trend_group g = {.first = first};
    for (size_t i = first; i < first + size; i++)
        trend_stats_add(&g.stats, values[i]);
    return g;
}

static bool all_equal(const double *values, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

/* Leaves in open[] the way back through the cheapest partition, and returns the start of its last group. */
static size_t search(const struct trend_scale *scale, struct open *open, const double *values, size_t n) {
    size_t chosen = 0;
    double best = 0;
    if (all_equal(values, n)) /* one group by definition: with a coarse unit the bits would not say so */
        return 0;
    for (size_t i = 0; i < n; i++)
        chosen = step(scale, open, i, values[i], chosen, &best);
    return chosen;
}

struct trend_group *trend_partition(const struct trend_scale *scale, const double *values, size_t n,
                                    size_t *count, double *bits) {
    struct open *open = reckon_resize(NULL, n, sizeof *open);
    size_t last = search(scale, open, values, n), k = 1;
    for (size_t at = last; at > 0; at = open[at].from)
        k++;
    struct trend_group *groups = reckon_resize(NULL, k, sizeof *groups);
    *count = k;
    for (size_t at = last, end = n; k-- > 0; end = at, at = open[at].from)
        groups[k] = group_of(values, at, end - at);
    free(open);
    *bits = 0;
    for (k = 0; k < *count; k++) {
        groups[k].bits =
            trend_group_bits(scale, &groups[k].stats, k > 0 ? groups[k - 1].stats.mean : RECKON_BLANK);
        *bits += groups[k].bits;
    }
    return groups;
}
