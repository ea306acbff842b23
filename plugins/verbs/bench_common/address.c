/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of nodes.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "address.h"

/* Splits "HOST", "HOST:PORT", "[HOST]:PORT"; a text of several colons without brackets is an IPv6 address. */
static int split(const char *text, char *host, size_t size, char *port, size_t port_size) {
    const char *from = text, *to, *colon = strrchr(text, ':');
    if (*text == '[') {
        from++;
        if (!(to = strchr(text, ']')) || (to[1] && to[1] != ':'))
            return -1;
        colon = to[1] ? to + 1 : NULL;
    } else {
        if (colon && strchr(text, ':') != colon)
            colon = NULL;
        to = colon ? colon : text + strlen(text);
    }
    int h = snprintf(host, size, "%.*s", (int)(to - from), from);
    int p = snprintf(port, port_size, "%s", colon ? colon + 1 : BENCH_PORT);
    return h > 0 && (size_t)h < size && p > 0 && (size_t)p < port_size &&
                   strspn(port, "0123456789") == (size_t)p
               ? 0
               : -1;
}

bool bench_address_has_port(const char *text) {
    const char *colon = strrchr(text, ':');
    return *text == '[' ? strstr(text, "]:") != NULL : colon && strchr(text, ':') == colon;
}

int bench_address_parse(struct address *a, const char *text, const char **why) {
    char host[256], port[8];
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    *a = (struct address){.length = 0};
    *why = "it is not ADDRESS[:PORT]";
    if (split(text, host, sizeof host, port, sizeof port))
        return -1;
    unsigned number = 0;
    if (sscanf(port, "%6u", &number) != 1 || !number || number > 65535) {
        *why = "its port is not from 1 to 65535";
        return -1;
    }
    int rc = getaddrinfo(host, port, &hints, &found);
    if (rc) {
        *why = gai_strerror(rc);
        return -1;
    }
    if (found->ai_addrlen <= sizeof a->v6) {
        memcpy(&a->any, found->ai_addr, found->ai_addrlen);
        a->length = found->ai_addrlen;
    }
    freeaddrinfo(found);
    return a->length ? 0 : -1;
}

const char *bench_address_text(const struct address *a, char text[ADDRESS_TEXT]) {
    char host[INET6_ADDRSTRLEN] = "?";
    bool six = a->any.sa_family == AF_INET6;
    if (a->length)
        inet_ntop(a->any.sa_family, six ? (const void *)&a->v6.sin6_addr : &a->v4.sin_addr, host,
                  sizeof host);
    snprintf(text, ADDRESS_TEXT, six ? "[%s]:%u" : "%s:%u", host, (unsigned)bench_address_port(a));
    return text;
}

void bench_address_plain(struct address *a) {
    if (a->any.sa_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&a->v6.sin6_addr))
        return;
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = a->v6.sin6_port};
    memcpy(&four.sin_addr, &a->v6.sin6_addr.s6_addr[12], 4);
    a->v4 = four;
    a->length = sizeof four;
}

uint16_t bench_address_port(const struct address *a) {
    return ntohs(a->any.sa_family == AF_INET6 ? a->v6.sin6_port : a->v4.sin_port);
}

void bench_address_set_port(struct address *a, uint16_t port) {
    if (a->any.sa_family == AF_INET6)
        a->v6.sin6_port = htons(port);
    else
        a->v4.sin_port = htons(port);
}

bool bench_address_is_loopback(const struct address *a) {
    if (a->any.sa_family == AF_INET)
        return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
    const struct in6_addr *six = &a->v6.sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127);
}

bool bench_address_is_one_host(const struct address *a) {
    if (a->any.sa_family == AF_INET6)
        return !IN6_IS_ADDR_MULTICAST(&a->v6.sin6_addr) && !IN6_IS_ADDR_UNSPECIFIED(&a->v6.sin6_addr);
    uint32_t four = ntohl(a->v4.sin_addr.s_addr);
    return four >> 24 != 0 && four >> 28 < 14;
}

bool bench_address_same(const struct address *a, const struct address *b) {
    if (a->any.sa_family != b->any.sa_family || bench_address_port(a) != bench_address_port(b))
        return false;
    return a->any.sa_family == AF_INET6 ? !memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof a->v6.sin6_addr)
                                        : a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr;
}

void put_address(struct bytes *to, const struct address *a) {
    bool six = a->any.sa_family == AF_INET6;
    put_number(to, six ? 6 : 4, 1);
    put_raw(to, six ? (const void *)&a->v6.sin6_addr : &a->v4.sin_addr, six ? 16 : 4);
    put_number(to, bench_address_port(a), 2);
}

void get_address(struct reader *from, struct address *a) {
    uint64_t family = get_number(from, 1);
    *a = (struct address){.length = 0};
    if (family == 6) {
        a->v6.sin6_family = AF_INET6;
        get_raw(from, &a->v6.sin6_addr, 16);
        a->length = sizeof a->v6;
    } else if (family == 4) {
        a->v4.sin_family = AF_INET;
        get_raw(from, &a->v4.sin_addr, 4);
        a->length = sizeof a->v4;
    } else {
        from->bad = true;
        return;
    }
    bench_address_set_port(a, (uint16_t)get_number(from, 2));
}
