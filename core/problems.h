/* SPDX-License-Identifier: Apache-2.0
 *
 * Problems: the sets of flows that shared the fabric while they were measured. Each is solved and accounted
 * for alone. Not installed.
 */
#ifndef RECKON_CORE_PROBLEMS_H
#define RECKON_CORE_PROBLEMS_H

#include "model.h"

/* All flows, problem by problem, in order of their index within each. free() it. */
uint32_t *problems_order(const struct reckon_comparison *c);
/* Where the problem that begins at order[from] ends. */
uint32_t problem_end(const struct reckon_comparison *c, const uint32_t *order, uint32_t from);

#endif
