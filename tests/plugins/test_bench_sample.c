/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of the network benchmark: samples of one value, of ten, merged; and the histogram behind
 * percentiles.
 */
#include <CUnit/CUnit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../plugins/verbs/bench_common/histogram.h"

void suite_bench_sample(void);

/* ---- samples ---- */

static void of_no_value(void) {
    struct sample s = {0};
    CU_ASSERT_EQUAL(s.count, 0);
    CU_ASSERT(isnan(sample_mean(&s)));
    CU_ASSERT(isnan(sample_deviation(&s)));
}

static void of_one_value(void) {
    struct sample s = {0};
    sample_add(&s, 4711);
    CU_ASSERT_EQUAL(s.count, 1);
    CU_ASSERT_EQUAL(s.min, 4711);
    CU_ASSERT_EQUAL(s.max, 4711);
    CU_ASSERT_EQUAL(sample_mean(&s), 4711);
    CU_ASSERT(isnan(sample_deviation(&s))); /* one value does not tell how far values lie apart */
}

/* 1…10: sum 55, squares 385; 385 − 55²/10 = 82.5; √(82.5 / 9) = 3.027650354097492. */
static void of_ten_values(void) {
    static const uint64_t values[] = {7, 1, 10, 3, 9, 2, 8, 4, 6, 5};
    struct sample s = {0};
    for (size_t i = 0; i < 10; i++)
        sample_add(&s, values[i]);
    CU_ASSERT_EQUAL(s.count, 10);
    CU_ASSERT_EQUAL(s.min, 1);
    CU_ASSERT_EQUAL(s.max, 10);
    CU_ASSERT_EQUAL(sample_mean(&s), 5.5);
    CU_ASSERT_DOUBLE_EQUAL(sample_deviation(&s), 3.027650354097492, 1e-15);
}

static bool same(const struct sample *a, const struct sample *b) {
    return a->count == b->count && a->min == b->min && a->max == b->max && a->sum == b->sum &&
           a->squares == b->squares;
}

/* However values are shared out, the merged sample is the one of them all. */
static void merged(void) {
    struct sample all = {0}, parts[3] = {{0}}, sum = {0};
    uint64_t x = 1;
    for (size_t i = 0; i < 1000; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        sample_add(&all, x >> 30);
        sample_add(&parts[i % 2], x >> 30); /* the third stays empty */
    }
    for (size_t i = 0; i < 3; i++)
        sample_merge(&sum, &parts[2 - i]);
    CU_ASSERT(same(&sum, &all));
    CU_ASSERT_EQUAL(sample_mean(&sum), sample_mean(&all));
    CU_ASSERT_EQUAL(sample_deviation(&sum), sample_deviation(&all));
}

/* Far from zero nothing cancels: 10¹² + {1, 2, 3} lie exactly 1 apart. */
static void far_from_zero(void) {
    struct sample s = {0}, equal = {0};
    for (uint64_t i = 1; i <= 3; i++)
        sample_add(&s, 1000000000000u + i);
    CU_ASSERT_EQUAL(sample_mean(&s), 1000000000002.0);
    CU_ASSERT_EQUAL(sample_deviation(&s), 1);
    for (size_t i = 0; i < 7; i++)
        sample_add(&equal, 1000000000003u);
    CU_ASSERT_EQUAL(sample_deviation(&equal), 0);
}

/* 2⁴⁰ values, each the largest there is; what is larger counts as that. */
static void largest(void) {
    struct sample s = {0};
    sample_add(&s, UINT64_MAX);
    CU_ASSERT_EQUAL(s.max, SAMPLE_LARGEST);
    for (unsigned i = 0; i < 40; i++) {
        struct sample copy = s;
        sample_merge(&s, &copy);
    }
    CU_ASSERT_EQUAL(s.count, UINT64_C(1) << 40);
    CU_ASSERT_EQUAL(sample_mean(&s), (double)SAMPLE_LARGEST);
    CU_ASSERT_EQUAL(sample_deviation(&s), 0);
}

/* ---- the histogram ---- */

/* Buckets follow each other without a gap, and none is wider than 1/64 of what it holds. */
static void buckets(void) {
    size_t last = 0;
    uint64_t first_of_bucket = 0;
    bool gap = false, wide = false;
    for (uint64_t v = 1; v < (UINT64_C(1) << 20); v++) {
        size_t i = histogram_index(v);
        gap |= i != last && i != last + 1;
        first_of_bucket = i != last ? v : first_of_bucket;
        wide |= v >= 128 && 64 * (v - first_of_bucket) >= first_of_bucket;
        last = i;
    }
    CU_ASSERT_FALSE(gap);
    CU_ASSERT_FALSE(wide);
    CU_ASSERT_EQUAL(histogram_index(127), 127);
    CU_ASSERT_EQUAL(histogram_index(128), 128);
    CU_ASSERT_EQUAL(histogram_index(129), 128);
    CU_ASSERT_EQUAL(histogram_index(SAMPLE_LARGEST), HISTOGRAM_BUCKETS - 1);
    CU_ASSERT_EQUAL(histogram_index(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static struct histogram *new_histogram(void) {
    return calloc(1, sizeof(struct histogram));
}

/* 1…100, each once: the value of rank ⌈p · 100⌉. */
static void percentiles(void) {
    struct histogram *h = new_histogram();
    CU_ASSERT(isnan(histogram_percentile(h, 0.5)));
    for (uint64_t v = 1; v <= 100; v++)
        histogram_add(h, v);
    CU_ASSERT_EQUAL(histogram_percentile(h, 0.5), 50);
    CU_ASSERT_EQUAL(histogram_percentile(h, 0.99), 99);
    CU_ASSERT_EQUAL(histogram_percentile(h, 0.991), 100);
    CU_ASSERT_EQUAL(histogram_percentile(h, 0), 1);
    CU_ASSERT_EQUAL(histogram_percentile(h, 1), 100);
    free(h);
}

/* A percentile of any size is within one percent. */
static void accuracy(void) {
    for (unsigned power = 7; power < 40; power++)
        for (uint64_t step = 0; step < 8; step++) {
            struct histogram *h = new_histogram();
            uint64_t v = (UINT64_C(1) << power) + ((UINT64_C(1) << power) * step / 8) + step;
            histogram_add(h, v < SAMPLE_LARGEST ? v : SAMPLE_LARGEST);
            CU_ASSERT(fabs(histogram_percentile(h, 0.5) / (double)v - 1) <= 0.01);
            free(h);
        }
}

/* 1000 and 1007 ns are the ends of one bucket, whose middle is 1003.5. */
static void never_beyond_the_extremes(void) {
    struct histogram *h = new_histogram(), *low = new_histogram();
    struct sample s = {0};
    CU_ASSERT(isnan(histogram_within(h, &s, 0.5)));
    histogram_add(low, 1000);
    sample_add(&s, 1000);
    CU_ASSERT_EQUAL(histogram_within(low, &s, 0.5), 1000);
    histogram_add(low, 1007);
    sample_add(&s, 1007);
    CU_ASSERT_EQUAL(histogram_within(low, &s, 0.5), 1003.5);
    s = (struct sample){0};
    histogram_add(h, 1007);
    sample_add(&s, 1007);
    CU_ASSERT_EQUAL(histogram_within(h, &s, 0.99), 1007);
    free(h);
    free(low);
}

static void merging(void) {
    struct histogram *all = new_histogram(), *a = new_histogram(), *b = new_histogram();
    for (uint64_t v = 1; v < 100000; v += 7) {
        histogram_add(all, v * v);
        histogram_add(v % 2 ? a : b, v * v);
    }
    histogram_merge(a, b);
    CU_ASSERT_EQUAL(memcmp(a, all, sizeof *a), 0);
    free(all);
    free(a);
    free(b);
}

/* ---- on the wire ---- */

static void there_and_back(void) {
    struct histogram *h = new_histogram(), *back = new_histogram();
    struct bytes text = {0};
    histogram_add(h, 0);
    for (uint64_t v = 1; v < 1000000; v = v * 3 + 1)
        histogram_add(h, v);
    histogram_add(h, SAMPLE_LARGEST);
    histogram_put(&text, h);
    struct reader from = {.at = text.at, .left = text.count};
    histogram_get(&from, back);
    CU_ASSERT(reader_done(&from));
    CU_ASSERT_EQUAL(memcmp(h, back, sizeof *h), 0);
    for (size_t n = 0; n < text.count; n++) { /* cut off anywhere it is none */
        from = (struct reader){.at = text.at, .left = n};
        memset(back, 0, sizeof *back);
        histogram_get(&from, back);
        CU_ASSERT(from.bad);
    }
    free(text.at);
    free(h);
    free(back);
}

static bool takes(const unsigned char *text, size_t n) {
    struct histogram *h = new_histogram();
    struct reader from = {.at = text, .left = n};
    histogram_get(&from, h);
    bool good = reader_done(&from);
    free(h);
    return good;
}

static void nonsense(void) {
    static const unsigned char good[] = {2, 5, 1, 3, 9}, zero_step[] = {2, 5, 1, 0, 9},
                               empty_bucket[] = {1, 5, 0}, beyond[] = {1, 0xc0, 0x11, 1},
                               far[] = {2, 0xbf, 0x11, 1, 1, 1},
                               endless[] = {0xff, 0xff, 0xff, 0xff, 0x7f, 0, 1};
    /* a count that would overflow the sum: 2⁶⁴ − 1, then 1 */
    static const unsigned char overflow[] = {2,    5,    0xff, 0xff, 0xff, 0xff, 0xff,
                                             0xff, 0xff, 0xff, 0xff, 0x01, 1,    1};
    CU_ASSERT(takes(good, sizeof good));
    CU_ASSERT_FALSE(takes(zero_step, sizeof zero_step));
    CU_ASSERT_FALSE(takes(empty_bucket, sizeof empty_bucket));
    CU_ASSERT_FALSE(takes(beyond, sizeof beyond)); /* bucket 2240 */
    CU_ASSERT_FALSE(takes(far, sizeof far));       /* bucket 2239, and one more */
    CU_ASSERT_FALSE(takes(endless, sizeof endless));
    CU_ASSERT_FALSE(takes(overflow, sizeof overflow));
}

void suite_bench_sample(void) {
    CU_pSuite s = CU_add_suite("bench: statistics", NULL, NULL);
    CU_add_test(s, "a sample of no value", of_no_value);
    CU_add_test(s, "a sample of one value", of_one_value);
    CU_add_test(s, "a sample of ten values", of_ten_values);
    CU_add_test(s, "samples merged are the sample of all", merged);
    CU_add_test(s, "far from zero", far_from_zero);
    CU_add_test(s, "the largest there can be", largest);
    CU_add_test(s, "buckets without gaps", buckets);
    CU_add_test(s, "percentiles", percentiles);
    CU_add_test(s, "accuracy of percentiles", accuracy);
    CU_add_test(s, "a percentile is never beyond the extremes", never_beyond_the_extremes);
    CU_add_test(s, "histograms merge", merging);
    CU_add_test(s, "a histogram there and back", there_and_back);
    CU_add_test(s, "nonsense is no histogram", nonsense);
}
