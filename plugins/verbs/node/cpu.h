/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the machine's cores and a test's worker threads were since they were last asked about.
 */
#ifndef RECKON_NODE_CPU_H
#define RECKON_NODE_CPU_H

#include <stddef.h>
#include <stdint.h>

#define CPU_MOST 1024u /* cores that are looked at */

struct cpu_core {
    uint64_t busy, softirq, all; /* ticks since boot */
};

struct cpu {
    struct cpu_core cores[CPU_MOST];
};

/* Percent of the busiest core, and of the core busiest with software interrupts, since the last call; blank
 * when there was none, or the kernel does not say. */
void cpu_ask(struct cpu *c, double *busiest, double *softirq);

#endif
