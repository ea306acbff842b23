/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of nodes: as people write them, as the kernel takes them, and as they travel.
 */
#ifndef RECKON_BENCH_ADDRESS_H
#define RECKON_BENCH_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "wire.h"

#define BENCH_PORT "7125" /* where nodes listen when nothing else is said */

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    };
    socklen_t length; /* 0: none */
};

/* "10.0.0.1", "10.0.0.1:7125", "[fe80::1]:7125", "::1", "node7:7125": the port is BENCH_PORT when not given.
 * 0, or -1 with the reason in *why. */
int bench_address_parse(struct address *a, const char *text, const char **why);
/* Whether such a text names a port. */
bool bench_address_has_port(const char *text);
#define ADDRESS_TEXT 64
/* "10.0.0.1:7125", "[::1]:7125"; returns text. */
const char *bench_address_text(const struct address *a, char text[ADDRESS_TEXT]);
/* An IPv4 address in IPv6 clothes ("::ffff:10.0.0.1") as what it is. */
void bench_address_plain(struct address *a);
uint16_t bench_address_port(const struct address *a);
void bench_address_set_port(struct address *a, uint16_t port);
bool bench_address_is_loopback(const struct address *a);
bool bench_address_is_one_host(const struct address *a); /* neither multicast, nor broadcast, nor "any" */
bool bench_address_same(const struct address *a, const struct address *b); /* port included */

void put_address(struct bytes *to, const struct address *a);
void get_address(struct reader *from, struct address *a);

#endif
