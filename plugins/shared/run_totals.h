/* SPDX-License-Identifier: Apache-2.0
 *
 * A run summed up, the same in every output.
 */
#ifndef RECKON_RUN_TOTALS_H
#define RECKON_RUN_TOTALS_H

#include <reckon/plugin.h>

struct run_totals {
    uint32_t compared, first; /* first: a compared flow */
    double expected, achieved;
    bool together; /* all compared flows shared the fabric, so that their rates add up */
};

struct run_totals run_totals(const struct reckon_comparison *c);
/* The median of the hosts' efficiencies; blank when none has one. */
double run_median_host(const struct reckon_comparison *c);

#endif
