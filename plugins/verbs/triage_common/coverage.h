/* SPDX-License-Identifier: Apache-2.0
 *
 * How many random tuples it takes to hit every one of N parallel paths, and how evenly they fall.
 */
#ifndef TRIAGE_COVERAGE_H
#define TRIAGE_COVERAGE_H

#include <stdint.h>

#define COVERAGE_MAX_PATHS 4096u

/* The chance that k uniform draws leave at least one of n paths unhit. */
double coverage_miss(uint32_t n, uint32_t k);
/* The smallest k with coverage_miss(n, k) <= 1 - coverage; n in 1…COVERAGE_MAX_PATHS, coverage in (0, 1). */
uint32_t coverage_tuples(uint32_t n, double coverage);
/* How many of `tuples` draws a path gets at least with the chance `coverage`; never less than 1. */
uint32_t coverage_fewest(uint32_t n, uint32_t tuples, double coverage);

#endif
