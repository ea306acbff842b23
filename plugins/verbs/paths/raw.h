/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw sockets for path tracing: UDP packets of any ports, and the ICMP messages about them.
 */
#ifndef PATHS_RAW_H
#define PATHS_RAW_H

#include "../triage_common/tuple.h"
#include "../triage_common/wire.h"

/* What came in. */
struct raw_packet {
    struct sockaddr_storage src,
        dst;                      /* of the UDP packet, or of the one an ICMP message quotes; with ports */
    struct sockaddr_storage from; /* who sent the ICMP message */
    bool icmp, unreachable;       /* unreachable: the port at the end, not a TTL that ran out */
    bool quoted;                  /* wire is there */
    struct wire wire;
    uint16_t checksum; /* of an ICMP message's quoted packet */
};

/* For UDP from the address, and what comes to it; -1 with errno. */
int raw_udp(const struct sockaddr_storage *address, socklen_t length);
/* For ICMP messages of the family. */
int raw_icmp(int family);
/* Sends; ttl 0: the usual. *checksum: the packet's, 0 for IPv6, whose checksum is the kernel's. */
bool raw_send(int fd, const struct sockaddr_storage *src, const struct sockaddr_storage *dst,
              const struct wire *w, uint8_t ttl, uint16_t *checksum);
/* The next packet that is ours; false when none waits. */
bool raw_receive_udp(int fd, int family, struct raw_packet *p);
bool raw_receive_icmp(int fd, int family, struct raw_packet *p);

#endif
