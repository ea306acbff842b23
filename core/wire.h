/* SPDX-License-Identifier: Apache-2.0
 *
 * How links are numbered, and what one leg of a flow crosses. Not installed.
 */
#ifndef RECKON_CORE_WIRE_H
#define RECKON_CORE_WIRE_H

#include "model.h"

enum { NIC_OUT, NIC_IN, PPS_OUT, PPS_IN, HOST_LINKS };
enum { UPLINK_OUT, UPLINK_IN, GROUP_LINKS };

static inline uint32_t host_link(uint32_t host, uint32_t which) {
    return HOST_LINKS * host + which;
}

static inline uint32_t group_link(const struct reckon_comparison *c, uint32_t group, uint32_t which) {
    return HOST_LINKS * c->nhosts + GROUP_LINKS * group + which;
}

/* The host a link belongs to; RECKON_NONE for an uplink. */
static inline uint32_t link_host(const struct reckon_comparison *c, uint32_t link) {
    return link < HOST_LINKS * c->nhosts ? link / HOST_LINKS : RECKON_NONE;
}

/* The group whose uplink a link is; RECKON_NONE for a host's. */
static inline uint32_t link_group(const struct reckon_comparison *c, uint32_t link) {
    return link < HOST_LINKS * c->nhosts ? RECKON_NONE : (link - HOST_LINKS * c->nhosts) / GROUP_LINKS;
}

/* Both numberings have the way out at even places. */
static inline bool link_out(uint32_t link) {
    return link % 2 == 0;
}

/* The word for a flow that the link stopped. (wire.c) */
enum reckon_limit link_limit(const struct reckon_comparison *c, uint32_t link);
/* A speed with up to two decimals: "10", "2.5". (wire.c) */
const char *speed_text(struct reckon *r, double gbps);

#endif
