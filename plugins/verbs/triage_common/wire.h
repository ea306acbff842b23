/* SPDX-License-Identifier: Apache-2.0
 *
 * What agents and path tracing send each other over UDP: 50 bytes, whatever the kind, so that no answer is
 * larger than its question.
 */
#ifndef TRIAGE_WIRE_H
#define TRIAGE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define WIRE_SIZE 50

enum wire_kind {
    WIRE_PROBE = 1, /* answer me: seq, qpn */
    WIRE_ACK1,      /* I do, at once: the same seq */
    WIRE_ACK2,      /* and this is how long I took: value, ns */
    WIRE_TRACE,     /* sent with a short TTL; whoever gets it sends WIRE_ECHO */
    WIRE_ECHO,      /* your trace of that seq and ttl arrived */
    WIRE_ASK,       /* send me a WIRE_TRACE of that ttl, and tell me where it died */
    WIRE_HOP,       /* it died there: address */
    WIRE_KINDS
};

struct wire {
    enum wire_kind kind;
    uint8_t ttl;
    uint32_t qpn;
    uint64_t seq;
    uint64_t value;
    struct sockaddr_storage address; /* of WIRE_HOP; family 0: none */
};

void wire_put(const struct wire *w, unsigned char buf[WIRE_SIZE]);
/* False when the bytes are no packet of ours. A packet that was cut short (as routers quote it) may still
 * tell its kind, ttl, qpn and seq: 20 bytes do. */
bool wire_get(struct wire *w, const unsigned char *buf, size_t n);

#endif
