/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a comparison. Not installed.
 */
#ifndef RECKON_CORE_COMPARE_H
#define RECKON_CORE_COMPARE_H

#include "model.h"

/* What a flow got in percent of what it could have had; blank unless it has both. */
static inline double flow_efficiency(const struct flow *f) {
    return f->expected > 0 ? f->achieved / f->expected * 100 : RECKON_BLANK;
}

/* Loaded less idle p50, microseconds; blank unless both were measured. */
static inline double flow_added_rtt(const struct reckon_comparison *c, uint32_t flow) {
    return c->idle_p50 ? c->flows[flow].rtt_p50 - c->idle_p50[flow] : RECKON_BLANK;
}

/* Loads of the links, problem by problem, and which short flows were outcompeted. (evidence.c) */
void evidence_gather(struct reckon_comparison *c, double short_pct);
/* Figures and verdicts of every host. (compare.c) */
void compare_hosts(struct reckon_comparison *c, double short_pct, double fail_pct);

#endif
