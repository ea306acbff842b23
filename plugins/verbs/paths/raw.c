/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw sockets (raw.h). The headers of UDP are made and read here, those of IP by the kernel.
 */
#include "raw.h"

#include <errno.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <string.h>
#include <unistd.h>

#include "../triage_common/interface.h"

#define FILTER 1 /* ICMP_FILTER of <linux/icmp.h>, which does not go with <net/if.h> */
#define UDP_HEADER 8
#define ICMP_HEADER 8
#define LARGEST 1500

/* ---- opening ---- */

int raw_udp(const struct sockaddr_storage *address, socklen_t length) {
    struct sockaddr_storage portless = *address;
    int checksum_at = 6,
        fd = socket(address->ss_family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
    if (fd < 0)
        return -1;
    if (address->ss_family == AF_INET)
        ((struct sockaddr_in *)&portless)->sin_port = 0;
    else
        ((struct sockaddr_in6 *)&portless)->sin6_port = 0;
    bind_to_interface(fd, address);
    if ((address->ss_family == AF_INET6 &&
         setsockopt(fd, IPPROTO_IPV6, IPV6_CHECKSUM, &checksum_at, sizeof checksum_at)) ||
        bind(fd, (const struct sockaddr *)&portless, length)) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

int raw_icmp(int family) {
    int fd = socket(family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC,
                    family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6);
    if (fd >= 0 && family == AF_INET) { /* a set bit keeps that type out */
        uint32_t out = ~((1u << ICMP_TIME_EXCEEDED) | (1u << ICMP_DEST_UNREACH));
        setsockopt(fd, SOL_RAW, FILTER, &out, sizeof out);
    }
    return fd;
}

/* ---- sending ---- */

static uint32_t sum16(const unsigned char *p, size_t n, uint32_t sum) {
    for (; n > 1; p += 2, n -= 2)
        sum += (uint32_t)(p[0] << 8 | p[1]);
    return n ? sum + (uint32_t)(p[0] << 8) : sum;
}

/* The Internet checksum of a UDP packet and its pseudo-header (RFC 768). */
static uint16_t udp_checksum(const struct sockaddr_storage *src, const struct sockaddr_storage *dst,
                             const unsigned char *udp, size_t n) {
    uint32_t sum = IPPROTO_UDP + (uint32_t)n;
    sum = sum16((const unsigned char *)&((const struct sockaddr_in *)src)->sin_addr, 4, sum);
    sum = sum16((const unsigned char *)&((const struct sockaddr_in *)dst)->sin_addr, 4, sum);
    sum = sum16(udp, n, sum);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint16_t)(sum == 0xFFFF ? sum : ~sum);
}

static void put16(unsigned char *at, uint16_t x) {
    at[0] = (unsigned char)(x >> 8);
    at[1] = (unsigned char)x;
}

static uint16_t get16(const unsigned char *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

bool raw_send(int fd, const struct sockaddr_storage *src, const struct sockaddr_storage *dst,
              const struct wire *w, uint8_t ttl, uint16_t *checksum) {
    unsigned char udp[UDP_HEADER + WIRE_SIZE] = {0};
    struct sockaddr_storage to = *dst;
    bool v4 = dst->ss_family == AF_INET;
    int hops = ttl ? ttl : 64;
    put16(udp, address_port(src));
    put16(udp + 2, address_port(dst));
    put16(udp + 4, sizeof udp);
    wire_put(w, udp + UDP_HEADER);
    *checksum = v4 ? udp_checksum(src, dst, udp, sizeof udp) : 0;
    put16(udp + 6, *checksum);
    if (setsockopt(fd, v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TTL : IPV6_UNICAST_HOPS, &hops, sizeof hops))
        return false;
    if (!v4)
        ((struct sockaddr_in6 *)&to)->sin6_port = 0; /* a raw socket has no ports to send to */
    return sendto(fd, udp, sizeof udp, 0, (const struct sockaddr *)&to, address_length(dst)) ==
           (ssize_t)sizeof udp;
}

/* ---- receiving ---- */

static void set_end(struct sockaddr_storage *a, int family, const unsigned char *address, uint16_t port) {
    memset(a, 0, sizeof *a);
    a->ss_family = (sa_family_t)family;
    if (family == AF_INET) {
        memcpy(&((struct sockaddr_in *)a)->sin_addr, address, 4);
        ((struct sockaddr_in *)a)->sin_port = htons(port);
    } else {
        memcpy(&((struct sockaddr_in6 *)a)->sin6_addr, address, 16);
        ((struct sockaddr_in6 *)a)->sin6_port = htons(port);
    }
}

/* Skips an IP header whose packet carries UDP, noting the ends; 0 when it does not, or is cut short. */
static size_t ip_header(const unsigned char *buf, size_t n, int family, struct raw_packet *p) {
    size_t header = family == AF_INET ? (size_t)(buf[0] & 15) * 4 : sizeof(struct ip6_hdr);
    if (n < header + UDP_HEADER || header < 20 || buf[family == AF_INET ? 9 : 6] != IPPROTO_UDP)
        return 0;
    const unsigned char *src = buf + (family == AF_INET ? 12 : 8), *udp = buf + header;
    set_end(&p->src, family, src, get16(udp));
    set_end(&p->dst, family, src + (family == AF_INET ? 4 : 16), get16(udp + 2));
    p->checksum = get16(udp + 6);
    return header + UDP_HEADER;
}

bool raw_receive_udp(int fd, int family, struct raw_packet *p) {
    unsigned char buf[LARGEST];
    socklen_t length;
    ssize_t n;
    while (memset(p, 0, sizeof *p), length = sizeof p->from,
           (n = recvfrom(fd, buf, sizeof buf, 0, (struct sockaddr *)&p->from, &length)) >= 0) {
        size_t payload =
            family == AF_INET ? (n >= 20 ? ip_header(buf, (size_t)n, family, p) : 0) : UDP_HEADER;
        if (!payload || (size_t)n < payload || !wire_get(&p->wire, buf + payload, (size_t)n - payload))
            continue;
        if (family == AF_INET6) { /* the kernel keeps the IP header */
            p->src = p->from;
            ((struct sockaddr_in6 *)&p->src)->sin6_port = htons(get16(buf));
            p->dst.ss_family = AF_INET6;
            ((struct sockaddr_in6 *)&p->dst)->sin6_port = htons(get16(buf + 2));
        }
        p->quoted = true;
        return true;
    }
    return false;
}

/* Whether the ICMP message tells of a TTL that ran out, or (*unreachable) of a port nobody listens on. */
static bool tells(const unsigned char *icmp, int family, bool *unreachable) {
    if (family == AF_INET) {
        *unreachable = icmp[0] == ICMP_DEST_UNREACH && icmp[1] == ICMP_PORT_UNREACH;
        return *unreachable || icmp[0] == ICMP_TIME_EXCEEDED;
    }
    *unreachable = icmp[0] == ICMP6_DST_UNREACH && icmp[1] == ICMP6_DST_UNREACH_NOPORT;
    return *unreachable || icmp[0] == ICMP6_TIME_EXCEEDED;
}

bool raw_receive_icmp(int fd, int family, struct raw_packet *p) {
    unsigned char buf[LARGEST];
    socklen_t length;
    ssize_t n;
    while (memset(p, 0, sizeof *p), length = sizeof p->from,
           (n = recvfrom(fd, buf, sizeof buf, 0, (struct sockaddr *)&p->from, &length)) >= 0) {
        size_t outer = family == AF_INET ? (n > 0 ? (size_t)(buf[0] & 15) * 4 : 0) : 0;
        size_t inner = outer + ICMP_HEADER;
        if ((size_t)n < inner + 20 || !tells(buf + outer, family, &p->unreachable))
            continue;
        size_t payload = ip_header(buf + inner, (size_t)n - inner, family, p);
        if (!payload)
            continue;
        p->icmp = true;
        p->quoted = wire_get(&p->wire, buf + inner + payload, (size_t)n - inner - payload);
        return true;
    }
    return false;
}
