/* SPDX-License-Identifier: Apache-2.0
 *
 * What the last trend is held against. Pure arithmetic on a series of samples in time order.
 */
#ifndef RECKON_TREND_COMPLIANCE_H
#define RECKON_TREND_COMPLIANCE_H

#include <stdbool.h>
#include <stddef.h>

/* The best trend from three months ago (180 days or 180 runs, whichever is nearer) to a week (`week` runs)
 * ago, both ends included. A shorter history: its earliest; one so sparse that three months are nearer than a
 * week's runs: the trend a week's runs ago. trend[i] is the mean of sample i's group; n > 0. Best is the
 * largest, with `lower` the smallest. */
double trend_reference(const double *ts, const double *trend, size_t n, size_t week, bool lower);

/* (last trend − reference) / reference; 0 when both are 0, blank when only the reference is. */
double trend_long_term_change(const double *ts, const double *trend, size_t n, size_t week, bool lower);

#endif
