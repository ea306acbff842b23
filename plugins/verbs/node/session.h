/* SPDX-License-Identifier: Apache-2.0
 *
 * A test on a node, from INIT to STOP_DONE: takes the console's commands and answers them.
 */
#ifndef RECKON_NODE_SESSION_H
#define RECKON_NODE_SESSION_H

#include "../bench_common/states.h"
#include "cpu.h"
#include "worker.h"

#define LONGEST_LEAD UINT64_C(30000000000) /* ns from START to the beginning */

struct session {
    struct reckon *r;
    struct limits limits;
    struct address
        data;  /* where test messages come, port 0: any free one; none: where the console reaches it */
    int state; /* enum node_state */
    struct plan plan;
    const struct reckon_transport *transport;
    struct worker *workers;
    struct meter **meters; /* of each pair since START; NULL where nothing is measured */
    uint64_t *offered;     /* what each pair's client says it offered, once the books are closed */
    struct cpu cpu;
    uint64_t *cpu_of_worker; /* ns of processor time at the last STATUS */
    uint64_t last_status;
};

/* Carries out a command and makes its answer. `at` is this node's address as the console reaches it. */
void session_command(struct session *s, struct reader *message, const struct address *at,
                     struct bytes *answer);
/* Stops everything and forgets everybody. */
void session_end(struct session *s);

#endif
