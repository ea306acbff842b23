/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of parallel paths: known numbers, the paper's sum where it can still be added up, and large N.
 */
#include <CUnit/CUnit.h>
#include <math.h>

#include "../../plugins/verbs/triage_common/coverage.h"

void suite_coverage(void);

/* For P = 0.99: the paper's sum in exact rationals (Python's integers). */
static void the_numbers(void) {
    static const uint32_t cases[][2] = {{1, 1},      {2, 8},      {4, 21},      {8, 51},
                                        {16, 115},   {32, 255},   {64, 557},    {128, 1206},
                                        {256, 2593}, {512, 5544}, {1024, 11803}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(coverage_tuples(cases[i][0], 0.99), cases[i][1]);
}

/* R-Pingmesh's Equation 1: over i from 1, alternating, C(N, i) (1 - i/N)^k; exact enough while N is small. */
static double the_sum(uint32_t n, uint32_t k) {
    double sum = 0, choose = 1;
    for (uint32_t i = 1; i <= n; i++) {
        choose = choose * (n - i + 1) / i;
        sum += (i % 2 ? 1 : -1) * choose * pow(1 - (double)i / n, k);
    }
    return sum;
}

static void like_the_sum(void) {
    for (uint32_t n = 1; n <= 12; n++)
        for (uint32_t k = n; k <= 12 * n; k += 5)
            CU_ASSERT_DOUBLE_EQUAL(coverage_miss(n, k), the_sum(n, k), 1e-12 + 1e-9 * the_sum(n, k));
    /* two paths, k draws: all on the first or all on the second, 2 / 2^k */
    CU_ASSERT_DOUBLE_EQUAL(coverage_miss(2, 8), 0.0078125, 1e-18);
    CU_ASSERT_DOUBLE_EQUAL(coverage_miss(2, 7), 0.015625, 1e-18);
    /* three paths, three draws: hit all in 3!/27 */
    CU_ASSERT_DOUBLE_EQUAL(coverage_miss(3, 3), 1 - 6.0 / 27, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(coverage_miss(5, 4), 1, 1e-15);
}

/* Far from anything a double could cancel: the first term N (1 - 1/N)^k alone, less half its square, brackets
 * the miss. */
static void large(void) {
    uint32_t n = 1024, k = coverage_tuples(n, 0.99);
    double first = n * pow(1 - 1.0 / n, k), before = n * pow(1 - 1.0 / n, k - 1);
    CU_ASSERT(coverage_miss(n, k) <= 0.01 && coverage_miss(n, k - 1) > 0.01);
    CU_ASSERT(coverage_miss(n, k) < first && coverage_miss(n, k) > first - first * first / 2);
    CU_ASSERT(coverage_miss(n, k - 1) < before);
    CU_ASSERT(coverage_tuples(n, 0.999999) > k);
    CU_ASSERT(coverage_miss(1024, 60000) > 0 && coverage_miss(1024, 60000) < 1e-22); /* 1024 e^-58.6 */
}

/* The first `terms` terms of that sum: by Bonferroni, no less than the sum when they are odd in number,
 * and no more when they are even. */
static double first_terms(uint32_t n, uint32_t k, uint32_t terms) {
    double sum = 0, choose = 1;
    for (uint32_t i = 1; i <= terms && i <= n; i++) {
        choose = choose * (n - i + 1) / i;
        sum += (i % 2 ? 1 : -1) * choose * exp(k * log1p(-(double)i / n));
    }
    return sum;
}

/* k draws are enough and k - 1 are not, for N that are no powers of two as well. */
static void brackets(void) {
    for (uint32_t n = 10; n <= 1024; n += n < 100 ? 1 : 77) {
        uint32_t k = coverage_tuples(n, 0.99);
        CU_ASSERT(first_terms(n, k, 7) <= 0.01);
        CU_ASSERT(first_terms(n, k - 1, 8) > 0.01);
    }
}

/* Binomial with 8 draws, chance 1/2: P[0] = 1/256 ≤ 0.01, P[0 or 1] = 9/256 > 0.01, so at least 1 with 99%.
 */
static void fewest(void) {
    CU_ASSERT_EQUAL(coverage_fewest(2, 8, 0.99), 1);
    CU_ASSERT_EQUAL(coverage_fewest(2, 8, 0.96), 2); /* and at least 2 with 96.5% */
    CU_ASSERT_EQUAL(coverage_fewest(1, 5, 0.99), 5);
    CU_ASSERT_EQUAL(coverage_fewest(4, 1, 0.99), 1);
}

void suite_coverage(void) {
    CU_pSuite s = CU_add_suite("coverage", NULL, NULL);
    CU_add_test(s, "known numbers", the_numbers);
    CU_add_test(s, "the paper's sum", like_the_sum);
    CU_add_test(s, "1024 paths", large);
    CU_add_test(s, "enough and no more", brackets);
    CU_add_test(s, "fewest draws of a path", fewest);
}
