/* SPDX-License-Identifier: Apache-2.0
 *
 * Flows in order of what they ask for. Not installed.
 */
#ifndef RECKON_CORE_DEMANDS_H
#define RECKON_CORE_DEMANDS_H

#include "model.h"

/* A flow with the leading 32 bits of its demand (a positive double sorts like its bits) above its index. */
static inline uint64_t demand_item(double demand, uint32_t flow) {
    union {
        double value;
        uint64_t bits;
    } d = {.value = demand};
    return d.bits >> 32 << 32 | flow;
}

/* Sorts n items, ascending by demand, then by flow. Linear for demands that differ in their first six digits.
 */
void demands_sort(const struct flow *flows, uint64_t *item, uint32_t n);

#endif
