/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run and its baseline have in common, in figures: how many hosts, their medians, and who fell or
 * rose.
 */
#ifndef RECKON_BASELINE_SUMS_H
#define RECKON_BASELINE_SUMS_H

#include <reckon/plugin.h>

struct baseline_sums {
    uint32_t both;        /* hosts compared in both runs */
    double then, now;     /* their median efficiency, percent; blank for none */
    uint32_t fell, rose;  /* of them by `drop` points or more */
    uint32_t nic_changed; /* hosts modelled at another NIC speed */
    size_t missing;       /* hosts of the baseline that are not in this run */
};

struct baseline_sums baseline_sums(const struct reckon_comparison *c, double drop);
/* Whether the host fell, or rose, by `drop` points or more. */
bool baseline_fell(const struct reckon_comparison *c, uint32_t h, double drop);
bool baseline_rose(const struct reckon_comparison *c, uint32_t h, double drop);

#endif
