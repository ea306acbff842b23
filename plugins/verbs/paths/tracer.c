/* SPDX-License-Identifier: Apache-2.0
 *
 * Path tracing as a small state machine a leg (tracer.h): send one packet of a TTL, wait for who answers, go
 * on with the next TTL, until the other end has it.
 */
#include "tracer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "raw.h"

#define AT_ONCE 32      /* legs that are traced side by side */
#define SILENT_HOPS 4   /* hops in a row without an answer after which a leg is given up */
#define MOST_SOURCES 64 /* addresses of this host that tuples leave from */

/* A raw socket for one address of this host. */
struct source {
    struct sockaddr_storage address;
    int fd; /* -1: the address is not this host's */
};

struct tracer {
    struct reckon *r;
    const struct tracing *how;
    struct trace *traces;
    size_t count, next; /* next: the first that has not begun */
    struct trace *going[AT_ONCE];
    struct source sources[MOST_SOURCES];
    size_t nsources;
    int icmp[2]; /* IPv4, IPv6; -1: none */
    uint64_t seq;
    int64_t may_send; /* ns: when the rate lets the next packet go */
};

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- sources ---- */

static const struct source *source_of(struct tracer *t, const struct sockaddr_storage *address,
                                      socklen_t length) {
    for (size_t i = 0; i < t->nsources; i++)
        if (address_same(&t->sources[i].address, address))
            return &t->sources[i];
    if (t->nsources == MOST_SOURCES)
        return NULL;
    struct source *s = &t->sources[t->nsources++];
    *s = (struct source){*address, raw_udp(address, length)};
    return s;
}

static int family_index(int family) {
    return family == AF_INET6;
}

/* ---- one leg ---- */

static void finish(struct tracer *t, struct trace *x, enum trace_end end) {
    x->end = end;
    for (size_t i = 0; i < AT_ONCE; i++)
        if (t->going[i] == x)
            t->going[i] = NULL;
}

/* Sends the packet of the current TTL: from here, or a request to send one from there. */
static void send_one(struct tracer *t, struct trace *x, int64_t now) {
    struct sockaddr_storage src, dst;
    socklen_t length;
    struct wire w = {.kind = x->back ? WIRE_ASK : WIRE_TRACE, .ttl = x->ttl, .seq = x->seq = t->seq++};
    x->deadline = now + (int64_t)(t->how->wait_ms * 1e6);
    t->may_send = (t->may_send > now ? t->may_send : now) + (int64_t)(1e9 / t->how->rate);
    if (!address_parse(x->ping->tuple.src, x->ping->tuple.sport, &src, &length) ||
        !address_parse(x->ping->tuple.dst, x->ping->tuple.dport, &dst, &length) ||
        src.ss_family != dst.ss_family) {
        finish(t, x, TRACE_NOT_SENT);
        return;
    }
    const struct source *s = source_of(t, &src, length);
    if (!s || s->fd < 0)
        finish(t, x, TRACE_NOT_SENT);
    else
        raw_send(s->fd, &src, &dst, &w, x->back ? 0 : x->ttl, &x->checksum);
}

/* The hop of the current TTL is known (or stays unknown): on to the next. */
static void next_hop(struct tracer *t, struct trace *x, const struct sockaddr_storage *hop, int64_t now) {
    uint32_t silent = 0;
    if (hop)
        x->hop[x->hops] = *hop;
    x->hops++;
    while (silent < x->hops && x->hop[x->hops - 1 - silent].ss_family == 0)
        silent++;
    if (x->hops == MOST_HOPS || silent == SILENT_HOPS) {
        finish(t, x, TRACE_LOST);
        return;
    }
    x->ttl++;
    x->attempt = 0;
    send_one(t, x, now);
}

static void no_answer(struct tracer *t, struct trace *x, int64_t now) {
    if (++x->attempt < ATTEMPTS)
        send_one(t, x, now);
    else
        next_hop(t, x, NULL, now);
}

/* ---- what comes in ---- */

static struct trace *by_seq(const struct tracer *t, uint64_t seq) {
    for (size_t i = 0; i < AT_ONCE; i++)
        if (t->going[i] && t->going[i]->seq == seq)
            return t->going[i];
    return NULL;
}

/* A router that quotes nothing but headers: the checksum tells which packet it was. */
static struct trace *by_checksum(const struct tracer *t, const struct raw_packet *p) {
    char src[TUPLE_END], dst[TUPLE_END];
    for (size_t i = 0; i < AT_ONCE; i++) {
        const struct trace *x = t->going[i];
        if (x && !x->back && x->checksum == p->checksum && x->ping->tuple.sport == address_port(&p->src) &&
            x->ping->tuple.dport == address_port(&p->dst) &&
            !strcmp(x->ping->tuple.src, address_text(&p->src, src)) &&
            !strcmp(x->ping->tuple.dst, address_text(&p->dst, dst)))
            return t->going[i];
    }
    return NULL;
}

static void got_icmp(struct tracer *t, const struct raw_packet *p, int64_t now) {
    struct trace *x = p->quoted ? by_seq(t, p->wire.seq) : by_checksum(t, p);
    if (!x || x->back)
        return;
    if (p->unreachable)
        finish(t, x, TRACE_ARRIVED); /* nobody answers there, but that is the end */
    else
        next_hop(t, x, &p->from, now);
}

static void got_udp(struct tracer *t, const struct raw_packet *p, int64_t now) {
    struct trace *x = by_seq(t, p->wire.seq);
    if (!x || p->wire.ttl != x->ttl)
        return;
    if (p->wire.kind == (x->back ? WIRE_TRACE : WIRE_ECHO))
        finish(t, x, TRACE_ARRIVED);
    else if (x->back && p->wire.kind == WIRE_HOP)
        next_hop(t, x, &p->wire.address, now);
}

static void receive(struct tracer *t, int wait_ms) {
    struct pollfd fds[MOST_SOURCES + 2];
    struct raw_packet p;
    nfds_t n = 0;
    for (size_t i = 0; i < t->nsources; i++)
        fds[n++] = (struct pollfd){.fd = t->sources[i].fd, .events = POLLIN};
    for (int i = 0; i < 2; i++)
        fds[n++] = (struct pollfd){.fd = t->icmp[i], .events = POLLIN};
    if (poll(fds, n, wait_ms) <= 0)
        return;
    for (size_t i = 0; i < t->nsources; i++)
        while (fds[i].revents && raw_receive_udp(t->sources[i].fd, t->sources[i].address.ss_family, &p))
            got_udp(t, &p, now_ns());
    for (int i = 0; i < 2; i++)
        while (fds[t->nsources + (size_t)i].revents &&
               raw_receive_icmp(t->icmp[i], i ? AF_INET6 : AF_INET, &p))
            got_icmp(t, &p, now_ns());
}

/* ---- all of them ---- */

static void begin_more(struct tracer *t, int64_t now) {
    for (size_t i = 0; i < AT_ONCE && t->next < t->count && t->may_send <= now; i++)
        if (!t->going[i]) {
            t->going[i] = &t->traces[t->next++];
            t->going[i]->ttl = 1;
            send_one(t, t->going[i], now);
        }
}

static bool any_going(const struct tracer *t) {
    for (size_t i = 0; i < AT_ONCE; i++)
        if (t->going[i])
            return true;
    return t->next < t->count;
}

static void time_out(struct tracer *t, int64_t now) {
    for (size_t i = 0; i < AT_ONCE; i++)
        if (t->going[i] && t->going[i]->deadline <= now)
            no_answer(t, t->going[i], now);
}

static int open_icmp(struct tracer *t) {
    for (int i = 0; i < 2; i++)
        t->icmp[i] = raw_icmp(i ? AF_INET6 : AF_INET);
    if (t->icmp[family_index(AF_INET)] < 0)
        return reckon_error(t->r, NULL, 0, "paths needs raw sockets (root, or CAP_NET_RAW): %s",
                            strerror(errno));
    return 0;
}

int trace_all(struct reckon *r, struct trace *traces, size_t count, const struct tracing *how) {
    struct tracer *t = reckon_alloc(r, sizeof *t);
    *t = (struct tracer){.r = r, .how = how, .traces = traces, .count = count};
    if (open_icmp(t))
        return -1;
    if (getrandom(&t->seq, sizeof t->seq, 0) != (ssize_t)sizeof t->seq)
        t->seq = (uint64_t)now_ns();
    while (any_going(t)) {
        begin_more(t, now_ns());
        receive(t, 5);
        time_out(t, now_ns());
        reckon_progress(r, "tracing", (double)t->next / (double)count);
    }
    for (size_t i = 0; i < t->nsources; i++)
        if (t->sources[i].fd >= 0)
            close(t->sources[i].fd);
    for (int i = 0; i < 2; i++)
        if (t->icmp[i] >= 0)
            close(t->icmp[i]);
    return 0;
}
