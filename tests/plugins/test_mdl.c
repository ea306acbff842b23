/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups by minimum description length: the examples worked by hand in doc/trend.md, and the search against
 * one that follows its description word by word, without shortcuts.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "../../include/reckon/base.h"
#include "../../plugins/verbs/trend/mdl.h"

void suite_mdl(void);

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9)

static void cut(const double *values, size_t n, double unit, const size_t *sizes, size_t count) {
    double largest = 0, bits, sum = 0;
    size_t got;
    for (size_t i = 0; i < n; i++)
        largest = values[i] > largest ? values[i] : largest;
    struct trend_scale scale = trend_scale_new(largest, n, 12, unit);
    struct trend_group *groups = trend_partition(&scale, values, n, &got, &bits);
    CU_ASSERT_EQUAL_FATAL(got, count);
    for (size_t i = 0; i < got; i++) {
        CU_ASSERT_EQUAL(groups[i].stats.count, sizes[i]);
        sum += groups[i].bits;
    }
    NEAR(sum, bits);
    free(groups);
    trend_scale_free(&scale);
}

/* log2(1·2) + log2(8191 + 1) = 1 + 13. */
static void one_sample(void) {
    double value = 1234.5, bits;
    size_t count;
    struct trend_scale scale = trend_scale_new(value, 1, 12, 0);
    struct trend_group *groups = trend_partition(&scale, &value, 1, &count, &bits);
    CU_ASSERT_EQUAL(count, 1);
    NEAR(bits, 14);
    CU_ASSERT_EQUAL(groups[0].stats.mean, value);
    free(groups);
    trend_scale_free(&scale);
}

/* Ten times 1000: m = 8191. Size log2(110) = 6.781359713525; mean 13; deviation 0: log2(1·2) + log2(1 −
 * 1/8193) = 1 − 0.000176096; sphere, with lnΓ(4.5) = ln(105 √π / 16) = 2.453736570842: (0.693147180560 + 4.5
 * · 1.144729885849 − 2.453736570842 + 4 · 2.302585092994) / ln 2 = 18.179451380. */
static void ten_alike(void) {
    double values[10], bits;
    size_t count;
    for (size_t i = 0; i < 10; i++)
        values[i] = 1000;
    struct trend_scale scale = trend_scale_new(1000, 10, 12, 0);
    struct trend_group *groups = trend_partition(&scale, values, 10, &count, &bits);
    CU_ASSERT_EQUAL(count, 1);
    CU_ASSERT_DOUBLE_EQUAL(bits, 6.781359713525 + 13 + 1 - 0.000176096 + 18.179451380, 1e-6);
    CU_ASSERT_EQUAL(trend_stats_stdev(&groups[0].stats), 0);
    free(groups);
    trend_scale_free(&scale);
}

static void a_step(void) {
    double values[20];
    for (size_t i = 0; i < 20; i++)
        values[i] = i < 10 ? 1000 : 900;
    cut(values, 20, 0, (const size_t[]){10, 10}, 2);
    for (size_t i = 0; i < 20; i++) /* one percent of noise does not hide it, and is not taken for more */
        values[i] += i % 2 ? 10 : -10;
    cut(values, 20, 0, (const size_t[]){10, 10}, 2);
}

/* A second group of one sample 900 after ten of 1000, b = 8191 and a = 7371.9 units. N = b² − (b − 1) b +
 * b²/2 = 33554431.5 (= 8191 + 8191²/2), |a − b| + 1 = 820.1: log2(1·2) + log2(33554431.5 / 820.1) = 1
 * + 15.320425. */
static void later_mean(void) {
    struct trend_scale scale = trend_scale_new(1000, 1, 12, 0);
    struct trend_stats s = {0};
    trend_stats_add(&s, 900);
    CU_ASSERT_DOUBLE_EQUAL(trend_group_bits(&scale, &s, 1000), 1 + log2((8191 + 8191.0 * 8191 / 2) / 820.1),
                           1e-9);
    trend_scale_free(&scale);
}

/* All-equal series are one group by definition, whatever the unit; with zeros alone the unit is 1. */
static void all_equal(void) {
    double values[7] = {0};
    cut(values, 7, 0, (const size_t[]){7}, 1);
    for (size_t i = 0; i < 7; i++)
        values[i] = 5;
    cut(values, 7, 10, (const size_t[]){7}, 1); /* m = 1/2: groups of one would cost fewer bits */
}

static void welford(void) {
    struct trend_stats all = {0}, left = {0}, right = {0}, none = {0};
    const double v[] = {2, 4, 4, 4, 5, 5, 7, 9}; /* mean 5, deviation 2 */
    for (size_t i = 0; i < 8; i++) {
        trend_stats_add(&all, v[i]);
        trend_stats_add(i < 3 ? &left : &right, v[i]);
    }
    NEAR(all.mean, 5);
    NEAR(trend_stats_stdev(&all), 2);
    trend_stats_merge(&left, &right);
    trend_stats_merge(&left, &none);
    CU_ASSERT_EQUAL(left.count, 8);
    NEAR(left.mean, 5);
    NEAR(left.m2, all.m2);
    trend_stats_merge(&none, &right); /* into an empty one */
    NEAR(none.mean, right.mean);
    CU_ASSERT_EQUAL(trend_stats_stdev(&(struct trend_stats){0}), 0);
}

/* ---- the search, word by word ---- */

static double plain_bits(const double *v, size_t from, size_t to, double before, double m, double u) {
    double n = (double)(to - from), a = 0, s = 0, bits = log2(n * (n + 1));
    for (size_t i = from; i < to; i++)
        a += v[i] / u / n;
    for (size_t i = from; i < to; i++)
        s += (v[i] / u - a) * (v[i] / u - a) / n;
    s = sqrt(s);
    bits += reckon_blank(before)
                ? log2(m + 1)
                : -log2((fabs(a - before) + 1) / (before * before - (before - 1) * m + m * m / 2));
    if (n < 2)
        return bits;
    bits += log2((s + 1) * (s + 2)) + log2(1 - 1 / (m + 2));
    return bits + (log(2) + (n - 1) / 2 * log(M_PI) - lgamma((n - 1) / 2) + (n - 2) * log(s + 1) +
                   (n - 2) / 2 * log(n)) /
                      log(2);
}

#define MOST 60

static double plain_mean(const double *v, size_t from, size_t to, double u) {
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += v[i] / u;
    return sum / (double)(to - from);
}

/* For every start of a last group the cuts before it, fixed when the search got there. Returns the cuts of
 * the best. */
static size_t plain_search(const double *v, size_t n, double m, double u, size_t *best) {
    static size_t cuts[MOST][MOST], ncuts[MOST];
    double base[MOST], before[MOST], least = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < n; i++) {
        ncuts[i] = 0;
        before[i] = RECKON_BLANK;
        base[i] = least;
        if (i > 0) {
            for (; ncuts[i] < ncuts[chosen]; ncuts[i]++)
                cuts[i][ncuts[i]] = cuts[chosen][ncuts[i]];
            cuts[i][ncuts[i]++] = i;
            before[i] = plain_mean(v, chosen, i, u);
        }
        least = base[i] + plain_bits(v, i, i + 1, before[i], m, u);
        chosen = i;
        for (size_t k = 0; k < i; k++) {
            double bits = base[k] + plain_bits(v, k, i + 1, before[k], m, u);
            if (bits < least) {
                least = bits;
                chosen = k;
            }
        }
    }
    for (size_t i = 0; i < ncuts[chosen]; i++)
        best[i] = cuts[chosen][i];
    return ncuts[chosen];
}

static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (1 << 24) - 0.5;
}

static void against_plain(void) {
    uint64_t state = 42;
    size_t several = 0;
    for (int round = 0; round < 200; round++) {
        double v[MOST], m = 0, bits;
        size_t n = 1 + (size_t)round % MOST, cuts[MOST], count;
        for (size_t i = 0; i < n; i++) {
            v[i] = 1000 + 20 * noise(&state) - (i > n / 3 ? 60 : 0) + (i > n / 2 ? 300 : 0);
            m = v[i] > m ? v[i] : m;
        }
        struct trend_scale scale = trend_scale_new(m, n, 12, 0);
        struct trend_group *groups = trend_partition(&scale, v, n, &count, &bits);
        CU_ASSERT_EQUAL_FATAL(count, 1 + plain_search(v, n, scale.max, scale.unit, cuts));
        for (size_t i = 1; i < count; i++)
            CU_ASSERT_EQUAL(groups[i].first, cuts[i - 1]);
        several += count > 2;
        free(groups);
        trend_scale_free(&scale);
    }
    CU_ASSERT(several > 100); /* the test would mean little otherwise */
}

void suite_mdl(void) {
    CU_pSuite suite = CU_add_suite("mdl", NULL, NULL);
    CU_add_test(suite, "one sample", one_sample);
    CU_add_test(suite, "ten alike", ten_alike);
    CU_add_test(suite, "a step", a_step);
    CU_add_test(suite, "the mean of a later group", later_mean);
    CU_add_test(suite, "all equal", all_equal);
    CU_add_test(suite, "Welford, one by one and merged", welford);
    CU_add_test(suite, "the search against its description", against_plain);
}
