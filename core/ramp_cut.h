/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a history into the steps of a ramp: which step a sample belongs to, if any. Not installed.
 */
#ifndef RECKON_CORE_RAMP_CUT_H
#define RECKON_CORE_RAMP_CUT_H

#include "samples.h"

#define NO_STEP SIZE_MAX

struct ramp_cut;

/* Cuts the records of these finished sinks (one path of --ramp). */
struct ramp_cut *ramp_cut(struct reckon *r, struct reckon_sink **sinks, size_t count);
void ramp_cut_free(struct ramp_cut *cut);
/* How many steps there are; some may hold no flow. */
size_t ramp_cut_steps(const struct ramp_cut *cut);
/* The step of a record; NO_STEP when it is left out. */
size_t ramp_cut_step(const struct ramp_cut *cut, const struct record *record);
/* "20000 pps", "max" or "2 rates". */
const char *ramp_cut_label(struct reckon *r, const struct ramp_cut *cut, size_t step);

#endif
