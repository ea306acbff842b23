/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets of agents as bytes (wire.h): magic 4, kind 1, ttl 1, version 2, qpn 4, seq 8, value 8, family 1,
 * address 16, zeros to the end; all in network order.
 */
#include "wire.h"

#include <netinet/in.h>
#include <string.h>

#define MAGIC 0x524B5031u /* "RKP1" */
#define HEAD 20

static void put(unsigned char *at, uint64_t x, int bytes) {
    for (int i = bytes - 1; i >= 0; i--, x >>= 8)
        at[i] = (unsigned char)x;
}

static uint64_t get(const unsigned char *at, int bytes) {
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++)
        x = x << 8 | at[i];
    return x;
}

void wire_put(const struct wire *w, unsigned char buf[WIRE_SIZE]) {
    memset(buf, 0, WIRE_SIZE);
    put(buf, MAGIC, 4);
    buf[4] = (unsigned char)w->kind;
    buf[5] = w->ttl;
    put(buf + 8, w->qpn, 4);
    put(buf + 12, w->seq, 8);
    put(buf + 20, w->value, 8);
    if (w->address.ss_family == AF_INET) {
        buf[28] = 4;
        memcpy(buf + 29, &((const struct sockaddr_in *)&w->address)->sin_addr, 4);
    } else if (w->address.ss_family == AF_INET6) {
        buf[28] = 6;
        memcpy(buf + 29, &((const struct sockaddr_in6 *)&w->address)->sin6_addr, 16);
    }
}

bool wire_get(struct wire *w, const unsigned char *buf, size_t n) {
    if (n < HEAD || get(buf, 4) != MAGIC || buf[4] == 0 || buf[4] >= WIRE_KINDS)
        return false;
    *w = (struct wire){.kind = (enum wire_kind)buf[4], .ttl = buf[5]};
    w->qpn = (uint32_t)get(buf + 8, 4);
    w->seq = get(buf + 12, 8);
    if (n < WIRE_SIZE)
        return true;
    w->value = get(buf + 20, 8);
    if (buf[28] == 4) {
        w->address.ss_family = AF_INET;
        memcpy(&((struct sockaddr_in *)&w->address)->sin_addr, buf + 29, 4);
    } else if (buf[28] == 6) {
        w->address.ss_family = AF_INET6;
        memcpy(&((struct sockaddr_in6 *)&w->address)->sin6_addr, buf + 29, 16);
    }
    return true;
}
