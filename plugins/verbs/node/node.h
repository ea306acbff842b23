/* SPDX-License-Identifier: Apache-2.0
 *
 * A node at its post: listens for consoles, obeys the one whose test is running, and goes on whatever happens
 * to it.
 */
#ifndef RECKON_NODE_NODE_H
#define RECKON_NODE_NODE_H

#include "../bench_common/channel.h"
#include "session.h"

struct node_settings {
    struct address listen, data; /* data: as in a session */
    const struct key *key;
    struct limits limits;
    bool once;     /* ends after one test */
    uint64_t wait; /* with once: ns it waits for one; 0: for ever */
    bool quiet;
};

/* Until SIGINT or SIGTERM, or the end of the one test. The exit status; -1 after an error. */
int node_run(struct reckon *r, const struct node_settings *settings);

#endif
