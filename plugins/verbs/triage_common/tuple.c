/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuples and addresses as text (tuple.h).
 */
#include "tuple.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static bool port_parse(const char *s, size_t n, uint16_t *port) {
    uint32_t x = 0;
    if (n == 0 || n > 5)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        x = 10 * x + (uint32_t)(s[i] - '0');
    }
    *port = (uint16_t)x;
    return x <= UINT16_MAX;
}

/* "address:port" of n bytes; the port follows the last colon. */
static bool end_parse(const char *s, size_t n, char *address, uint16_t *port) {
    size_t colon = n;
    while (colon > 0 && s[colon - 1] != ':')
        colon--;
    if (colon == 0 || !port_parse(s + colon, n - colon, port))
        return false;
    size_t length = colon - 1;
    if (length >= 2 && s[0] == '[' && s[length - 1] == ']') {
        s++;
        length -= 2;
    }
    if (length == 0 || length >= TUPLE_END)
        return false;
    memcpy(address, s, length);
    address[length] = '\0';
    return true;
}

bool tuple_parse(struct tuple *t, const char *text) {
    const char *arrow = strchr(text, '>');
    return arrow && end_parse(text, (size_t)(arrow - text), t->src, &t->sport) &&
           end_parse(arrow + 1, strlen(arrow + 1), t->dst, &t->dport);
}

char *tuple_text(const struct tuple *t, char *buf) {
    bool v6 = strchr(t->src, ':') || strchr(t->dst, ':');
    snprintf(buf, TUPLE_TEXT, v6 ? "[%s]:%u>[%s]:%u" : "%s:%u>%s:%u", t->src, t->sport, t->dst, t->dport);
    return buf;
}

struct tuple tuple_reversed(const struct tuple *t) {
    struct tuple back = {.sport = t->dport, .dport = t->sport};
    memcpy(back.src, t->dst, sizeof back.src);
    memcpy(back.dst, t->src, sizeof back.dst);
    return back;
}

bool address_parse(const char *text, uint16_t port, struct sockaddr_storage *out, socklen_t *length) {
    struct sockaddr_in *in = (struct sockaddr_in *)out;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)out;
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        *length = sizeof *in;
        return true;
    }
    if (inet_pton(AF_INET6, text, &in6->sin6_addr) == 1) {
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons(port);
        *length = sizeof *in6;
        return true;
    }
    return false;
}

const char *address_text(const struct sockaddr_storage *a, char *buf) {
    const void *bytes = a->ss_family == AF_INET ? (const void *)&((const struct sockaddr_in *)a)->sin_addr
                                                : (const void *)&((const struct sockaddr_in6 *)a)->sin6_addr;
    if (!inet_ntop(a->ss_family, bytes, buf, TUPLE_END))
        buf[0] = '\0';
    return buf;
}

const char *address_usual(const char *text, char *buf) {
    struct sockaddr_storage a;
    socklen_t length;
    return address_parse(text, 0, &a, &length) ? address_text(&a, buf) : text;
}

uint16_t address_port(const struct sockaddr_storage *a) {
    return ntohs(a->ss_family == AF_INET ? ((const struct sockaddr_in *)a)->sin_port
                                         : ((const struct sockaddr_in6 *)a)->sin6_port);
}

bool address_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b) {
    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
               ((const struct sockaddr_in *)b)->sin_addr.s_addr;
    return !memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr, &((const struct sockaddr_in6 *)b)->sin6_addr,
                   sizeof(struct in6_addr));
}
