/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules about a ramp share. Linked into each, not installed.
 */
#ifndef RECKON_RAMP_COMMON_H
#define RECKON_RAMP_COMMON_H

#include <reckon/plugin.h>

/* The fleet's fit, and a host's (false: it has no model). */
struct reckon_fit ramp_fleet(const struct reckon_ramp *ramp);
bool ramp_host(const struct reckon_ramp *ramp, uint32_t h, struct reckon_fit *fit);
/* Per host of the hardware comparison: its ceiling per flow; blank for a host without a model. Arena memory. */
double *ramp_ceilings(struct reckon *r, const struct reckon_ramp *ramp);
/* "97.66 kpps". */
const char *ramp_rate(struct reckon *r, double pps);
/* Skips the rule being evaluated unless the fleet reached a ceiling; true when it did. */
bool ramp_has_ceiling(struct reckon *r, const struct reckon_ramp *ramp);
/* How many hosts reached a ceiling, and how many of them ran out of CPU there. */
uint32_t ramp_reached(const struct reckon_ramp *ramp, uint32_t *cpu_bound);
/* Whether the fleet's ceiling is that of the test hosts: at least half of those that reached one ran out of CPU. */
bool ramp_cpu_is_the_ceiling(const struct reckon_ramp *ramp);

#endif
