/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of parallel paths (coverage.h). R-Pingmesh's Equation 1 alternates in sign and cancels for large
 * N, so the chance is worked out from the number of paths hit so far: with j of n hit, the next draw stays at
 * j with chance j/n and goes to j + 1 with (n - j)/n. Only positive terms are multiplied and added.
 */
#include "coverage.h"

#include <math.h>
#include <stdlib.h>

#include <reckon/base.h>

/* p[j]: the chance that j of n paths are hit; one more draw. */
static void draw(double *p, uint32_t n) {
    for (uint32_t j = n; j > 0; j--)
        p[j] = p[j] * ((double)j / n) + p[j - 1] * ((double)(n - j + 1) / n);
    p[0] = 0;
}

/* From the smallest term up, so that none is lost. */
static double missed(const double *p, uint32_t n) {
    double sum = 0;
    for (uint32_t j = 0; j < n; j++)
        sum += p[j];
    return sum;
}

static double *undrawn(uint32_t n) {
    double *p = reckon_resize(NULL, n + (size_t)1, sizeof *p);
    for (uint32_t j = 1; j <= n; j++)
        p[j] = 0;
    p[0] = 1;
    return p;
}

double coverage_miss(uint32_t n, uint32_t k) {
    double *p = undrawn(n);
    for (uint32_t i = 0; i < k; i++)
        draw(p, n);
    double miss = missed(p, n);
    free(p);
    return miss;
}

uint32_t coverage_tuples(uint32_t n, double coverage) {
    double *p = undrawn(n);
    uint32_t k = 0;
    while (missed(p, n) > 1 - coverage) {
        draw(p, n);
        k++;
    }
    free(p);
    return k;
}

uint32_t coverage_fewest(uint32_t n, uint32_t tuples, double coverage) {
    double q = 1.0 / n, below = 0;
    for (uint32_t c = 0; c < tuples; c++) {
        double log_term = lgamma(tuples + 1.0) - lgamma(c + 1.0) - lgamma(tuples - c + 1.0) + c * log(q) +
                          (tuples - c) * log1p(-q);
        below += n == 1 ? 0 : exp(log_term);
        if (below > 1 - coverage)
            return c ? c : 1;
    }
    return tuples ? tuples : 1;
}
