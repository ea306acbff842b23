/* SPDX-License-Identifier: Apache-2.0
 *
 * UDP sockets that tell when their packets left and arrived: the kernel's timestamps, or the NIC's where it
 * has them.
 */
#ifndef PROBE_SOCKET_H
#define PROBE_SOCKET_H

#include "../triage_common/wire.h"

/* An instant on the kernel's clock and, where there is one, on the NIC's; ns, 0: unknown. */
struct stamp {
    int64_t kernel, nic;
};

/* later - earlier in ns on one clock, the NIC's if both have it; negative when neither clock has both. */
int64_t stamp_between(const struct stamp *earlier, const struct stamp *later);

struct packet {
    struct wire wire;
    struct sockaddr_storage from;  /* an error: where the packet was sent to */
    struct stamp stamp;            /* when it arrived, or (an error) left */
    bool died;                     /* an error: an ICMP message came back */
    struct sockaddr_storage where; /* and who sent that */
};

/* A socket bound to the address, on the interface that has it (the loopback aside). -1 with errno. */
int udp_open(const struct sockaddr_storage *address, socklen_t length);
/* Sends; ttl 0: the usual; `stamped`: its leaving is reported by udp_error(). False when it did not leave. */
bool udp_send(int fd, const struct sockaddr_storage *to, const struct wire *w, uint8_t ttl, bool stamped);
/* The next packet of ours, or the next report about one that was sent; false when there is none waiting. */
bool udp_receive(int fd, struct packet *p);
bool udp_error(int fd, struct packet *p);

#endif
