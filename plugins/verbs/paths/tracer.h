/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracing the two legs of a tuple with the tuple's own ports: the probe's from here with growing TTL, the
 * ack's by the agent at the far end, which is asked for one packet of each TTL. Raw sockets, so that no agent
 * here has to give up its ports.
 */
#ifndef PATHS_TRACER_H
#define PATHS_TRACER_H

#include <reckon/plugin.h>

#include "../triage_common/pinglist.h"

#define MOST_HOPS 30
#define ATTEMPTS 3 /* packets of one TTL that may stay without an answer */

enum trace_end {
    TRACE_GOING = 0,
    TRACE_ARRIVED,  /* the other end was reached */
    TRACE_LOST,     /* it never was */
    TRACE_NOT_SENT, /* it could not be sent from here */
};

/* One leg of one tuple. */
struct trace {
    const struct ping *ping;
    bool back;                              /* the ack's leg */
    struct sockaddr_storage hop[MOST_HOPS]; /* family 0: that hop did not answer */
    uint32_t hops;
    enum trace_end end;
    /* while it goes on */
    uint8_t ttl, attempt;
    uint64_t seq;
    uint16_t checksum; /* of the packet sent last: what a router quotes tells it from earlier ones */
    int64_t deadline;  /* ns; 0: not begun */
};

struct tracing {
    double rate;    /* packets/s at most */
    double wait_ms; /* for an answer */
};
/* Traces them all, several at a time. 0, or -1 after an error (no raw sockets). */
int trace_all(struct reckon *r, struct trace *traces, size_t count, const struct tracing *how);

#endif
