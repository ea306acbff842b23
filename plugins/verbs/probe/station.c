/* SPDX-License-Identifier: Apache-2.0
 *
 * A station: one thread with sockets of its own, which sends the probes of one list, answers those that come
 * in, and helps others to trace the way back. Everything it needs exists before the first packet.
 *
 * Six instants of a probe (R-Pingmesh's Figure 4): t1, t6 are the thread's own, t2 and t5 when the probe left
 * and ACK1 arrived here, t3 and t4 when they arrived and left there; ACK2 brings t4 - t3.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"

#define EVENTS 32
#define MOST_PACKETS 64 /* of a socket before the others have their turn */
#define PENDING 1024u   /* answers and traces whose timestamp or fate is not known yet */
#define BURST 2.0       /* probes a row may send at once when the thread was late */

/* ---- what a station holds ---- */

struct row {
    char tuple[TUPLE_TEXT];
    const char *target;
    struct sockaddr_storage to;
    uint32_t socket, number; /* number: place of the target's queue pair number */
    int64_t gap, next;       /* ns between probes; when the next is due */
};

/* A probe on its way. */
struct flight {
    bool open;
    uint64_t seq;
    uint32_t row, qpn;
    int64_t sent_ts, t1, t6; /* t1, t6 on the thread's clock; sent_ts is t1 by the calendar */
    struct stamp t2, t5;
    int64_t responder; /* t4 - t3; -1: not known yet */
};

/* An answer waiting for the time it left, or a trace for its end. */
struct pending {
    enum wire_kind kind; /* WIRE_ACK1, WIRE_TRACE */
    uint8_t ttl;
    uint64_t seq;
    struct sockaddr_storage from;
    struct stamp arrived;
};

struct station {
    struct agent *agent;
    enum ping_list list;
    pthread_t thread;
    int epoll, stop;
    int *sockets;
    uint32_t nsockets;
    struct row *rows;
    uint32_t nrows;
    uint32_t *heap; /* rows, the one that is due next first */
    bool in_turn;   /* service: one row after the other, not each at its own rate */
    uint32_t turn;
    int64_t turn_next;
    struct flight *flights; /* by seq */
    uint64_t nflights;      /* a power of two */
    uint64_t first, next;   /* seqs on their way: first…next-1 */
    struct pending *pending;
    char *names; /* of the targets */
};

static int64_t clock_ns(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t monotonic_ns(void) {
    return clock_ns(CLOCK_MONOTONIC);
}

int64_t realtime_ns(void) {
    return clock_ns(CLOCK_REALTIME);
}

/* ---- records ---- */

static bool in_time(const struct flight *f) {
    int64_t took = stamp_between(&f->t2, &f->t5);
    if (took < 0)
        took = f->t6 - f->t1;
    return f->t6 && took <= TIMEOUT_NS;
}

/* A figure of a record; "" when it is not known. */
static const char *figure(bool known, int64_t x, char buf[24]) {
    if (known)
        snprintf(buf, 24, "%" PRId64, x);
    else
        buf[0] = '\0';
    return buf;
}

static void write_down(struct station *s, struct flight *f) {
    const struct row *row = &s->rows[f->row];
    char line[768], qpn[24], app[24], nic[24], responder[24];
    bool ok = in_time(f);
    int64_t nic_rtt = stamp_between(&f->t2, &f->t5);
    int n = snprintf(
        line, sizeof line, "%" PRId64 ".%06" PRId64 ",%s,%s,%s,%s,%s,%s,%s,%s,%s\n", f->sent_ts / 1000000000,
        f->sent_ts % 1000000000 / 1000, ping_list_word(s->list), s->agent->rnic, row->target, row->tuple,
        figure(f->qpn != 0, f->qpn, qpn), ok ? "ok" : "timeout", figure(ok, f->t6 - f->t1, app),
        figure(ok && nic_rtt >= 0, nic_rtt, nic), figure(ok && f->responder >= 0, f->responder, responder));
    if (n > 0 && (size_t)n < sizeof line)
        book_add(&s->agent->book, line, (size_t)n);
    f->open = false;
}

/* ---- probing ---- */

static bool report(struct station *s, int fd);

static struct flight *flight_of(struct station *s, uint64_t seq) {
    struct flight *f = &s->flights[seq & (s->nflights - 1)];
    return f->open && f->seq == seq ? f : NULL;
}

static void send_probe(struct station *s, uint32_t index) {
    const struct row *row = &s->rows[index];
    struct flight *f = &s->flights[s->next & (s->nflights - 1)];
    if (f->open)
        return; /* more on their way than the rates allow: the clock jumped */
    uint32_t qpn = row->number == RECKON_NONE ? 0 : atomic_load(&s->agent->numbers.qpn[row->number]);
    struct wire w = {.kind = WIRE_PROBE, .qpn = qpn, .seq = s->next};
    *f = (struct flight){.open = true, .seq = s->next, .row = index, .qpn = qpn, .responder = -1};
    f->sent_ts = realtime_ns();
    f->t1 = monotonic_ns();
    s->next++;
    udp_send(s->sockets[row->socket], &row->to, &w, 0, true); /* one that did not leave times out */
    atomic_fetch_add(&s->agent->sent, 1);
    while (!f->t2.kernel && report(s, s->sockets[row->socket])) /* mostly it is there already */
        continue;
}

/* Whether the oldest probe on its way has waited long enough. */
static bool overdue(struct station *s, int64_t now) {
    while (s->first < s->next && !flight_of(s, s->first))
        s->first++;
    return s->first < s->next && now - flight_of(s, s->first)->t1 >= TIMEOUT_NS;
}

/* Probes that got no answer in time. Packets that waited in a socket then have been read before. */
static void expire(struct station *s, int64_t now) {
    for (; s->first < s->next; s->first++) {
        struct flight *f = flight_of(s, s->first);
        if (f && now - f->t1 < TIMEOUT_NS)
            return;
        if (f)
            write_down(s, f);
    }
}

/* ---- when the next is due: a token bucket a row ---- */

static void sift(struct station *s, uint32_t i) {
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= s->nrows)
            return;
        if (child + 1 < s->nrows && s->rows[s->heap[child + 1]].next < s->rows[s->heap[child]].next)
            child++;
        if (s->rows[s->heap[i]].next <= s->rows[s->heap[child]].next)
            return;
        uint32_t swap = s->heap[i];
        s->heap[i] = s->heap[child];
        s->heap[child] = swap;
        i = child;
    }
}

/* A token every gap, and never more than BURST of them. */
static int64_t next_token(int64_t next, int64_t gap, int64_t now) {
    int64_t oldest = now - (int64_t)(BURST * (double)gap);
    return (next > oldest ? next : oldest) + gap;
}

/* Sends what is due. When the next will be. */
static int64_t send_due(struct station *s, int64_t now) {
    if (!s->nrows)
        return INT64_MAX;
    while (s->in_turn && s->turn_next <= now) {
        send_probe(s, s->turn++ % s->nrows);
        s->turn_next = next_token(s->turn_next, s->rows[0].gap, now);
    }
    while (!s->in_turn && s->rows[s->heap[0]].next <= now) {
        struct row *row = &s->rows[s->heap[0]];
        send_probe(s, s->heap[0]);
        row->next = next_token(row->next, row->gap, now);
        sift(s, 0);
    }
    return s->in_turn ? s->turn_next : s->rows[s->heap[0]].next;
}

/* ---- answering ---- */

static struct pending *pending_of(struct station *s, uint64_t seq) {
    return &s->pending[(seq ^ seq >> 32) % PENDING];
}

static bool same_peer(const struct sockaddr_storage *a, const struct sockaddr_storage *b) {
    return address_same(a, b) && address_port(a) == address_port(b);
}

/* ACK1 at once; ACK2 as soon as its leaving is known, which for the kernel's stamps is now. */
static void answer(struct station *s, int fd, const struct packet *p) {
    struct wire ack = {.kind = WIRE_ACK1, .seq = p->wire.seq, .qpn = p->wire.qpn};
    if (p->wire.qpn && p->wire.qpn != s->agent->qpn) {
        atomic_fetch_add(&s->agent->refused, 1);
        return; /* for a queue pair that is gone */
    }
    struct pending *q = pending_of(s, p->wire.seq);
    *q = (struct pending){.kind = WIRE_ACK1, .seq = p->wire.seq, .from = p->from, .arrived = p->stamp};
    udp_send(fd, &p->from, &ack, 0, true);
    atomic_fetch_add(&s->agent->answered, 1);
    while (q->kind == WIRE_ACK1 && report(s, fd))
        continue;
}

static void trace_back(struct station *s, int fd, const struct packet *p) {
    struct wire trace = {.kind = WIRE_TRACE, .seq = p->wire.seq, .ttl = p->wire.ttl};
    *pending_of(s, p->wire.seq) =
        (struct pending){.kind = WIRE_TRACE, .seq = p->wire.seq, .ttl = p->wire.ttl, .from = p->from};
    udp_send(fd, &p->from, &trace, p->wire.ttl, false);
}

static void got_ack(struct station *s, int fd, const struct packet *p) {
    struct flight *f = flight_of(s, p->wire.seq);
    if (!f || address_port(&p->from) != address_port(&s->rows[f->row].to) ||
        !address_same(&p->from, &s->rows[f->row].to))
        return;
    if (p->wire.kind == WIRE_ACK1 && !f->t6) {
        f->t6 = monotonic_ns();
        f->t5 = p->stamp;
    } else if (p->wire.kind == WIRE_ACK2)
        f->responder = (int64_t)p->wire.value;
    if (!f->t6 || f->responder < 0)
        return;
    while ((!f->t2.kernel || (f->t5.nic && !f->t2.nic)) && report(s, fd)) /* when it left, if not known yet */
        continue;
    write_down(s, f);
}

static void got(struct station *s, int fd, const struct packet *p) {
    bool asks = p->wire.kind == WIRE_PROBE || p->wire.kind == WIRE_TRACE || p->wire.kind == WIRE_ASK;
    if (asks && !peers_know(&s->agent->peers, &p->from)) {
        atomic_fetch_add(&s->agent->strangers, 1);
        return;
    }
    if (p->wire.kind == WIRE_PROBE)
        answer(s, fd, p);
    else if (p->wire.kind == WIRE_ACK1 || p->wire.kind == WIRE_ACK2)
        got_ack(s, fd, p);
    else if (p->wire.kind == WIRE_ASK && p->wire.ttl)
        trace_back(s, fd, p);
    else if (p->wire.kind == WIRE_TRACE)
        udp_send(fd, &p->from, &(struct wire){.kind = WIRE_ECHO, .seq = p->wire.seq, .ttl = p->wire.ttl}, 0,
                 false);
}

/* A trace died on its way: whoever asked for it is told where. A router may quote too little to know its seq;
 * then the peer it was sent to tells. */
static void trace_died(struct station *s, int fd, const struct packet *p) {
    struct pending *q = NULL;
    if (p->wire.kind)
        q = pending_of(s, p->wire.seq);
    for (uint32_t i = 0; !p->wire.kind && !q && i < PENDING; i++)
        if (s->pending[i].kind == WIRE_TRACE && same_peer(&s->pending[i].from, &p->from))
            q = &s->pending[i];
    if (!q || q->kind != WIRE_TRACE || !same_peer(&q->from, &p->from))
        return;
    struct wire hop = {.kind = WIRE_HOP, .seq = q->seq, .ttl = q->ttl, .address = p->where};
    q->kind = 0;
    udp_send(fd, &p->from, &hop, 0, false);
}

static void ack_left(struct station *s, int fd, const struct packet *p) {
    struct pending *q = pending_of(s, p->wire.seq);
    if (q->kind != WIRE_ACK1 || q->seq != p->wire.seq)
        return;
    int64_t took = stamp_between(&q->arrived, &p->stamp);
    struct wire ack = {.kind = WIRE_ACK2, .seq = q->seq, .value = took > 0 ? (uint64_t)took : 0};
    q->kind = 0;
    udp_send(fd, &q->from, &ack, 0, false);
}

/* What the kernel reports about one packet that was sent; false when there is no more. */
static bool report(struct station *s, int fd) {
    struct packet p;
    if (!udp_error(fd, &p))
        return false;
    if (p.died)
        trace_died(s, fd, &p);
    else if (p.wire.kind == WIRE_PROBE) {
        struct flight *f = flight_of(s, p.wire.seq);
        if (f && !f->t2.kernel)
            f->t2 = p.stamp;
        else if (f && p.stamp.nic)
            f->t2.nic = p.stamp.nic;
    } else if (p.wire.kind == WIRE_ACK1)
        ack_left(s, fd, &p);
    return true;
}

/* ---- the thread ---- */

/* What one round of waiting, for at most `timeout` ms, brings: at most so many packets of each socket. How
 * many sockets had any; -1 when the thread is to end. */
static int read_sockets(struct station *s, int timeout, unsigned packets) {
    struct epoll_event events[EVENTS];
    struct packet p;
    int n = epoll_wait(s->epoll, events, EVENTS, timeout);
    for (int i = 0; i < n; i++) {
        int fd = events[i].data.fd;
        if (fd == s->stop)
            return -1;
        while (events[i].events & EPOLLERR && report(s, fd))
            continue;
        for (unsigned k = 0; k < packets && udp_receive(fd, &p); k++)
            got(s, fd, &p);
    }
    return n < 0 ? 0 : n;
}

/* Everything that waits in the sockets. False when the thread is to end. */
static bool read_all(struct station *s) {
    int n = 1;
    for (uint32_t round = 0; n > 0 && round <= s->nsockets; round++) /* no flood holds it for ever */
        n = read_sockets(s, 0, MOST_PACKETS);
    return n >= 0;
}

static int wait_ms(const struct station *s, int64_t due, int64_t now) {
    const struct flight *f = &s->flights[s->first & (s->nflights - 1)];
    if (s->first < s->next && f->open && f->t1 + TIMEOUT_NS < due)
        due = f->t1 + TIMEOUT_NS;
    int64_t ms = due == INT64_MAX ? 1000 : (due - now + 999999) / 1000000;
    return ms < 0 ? 0 : ms > 1000 ? 1000 : (int)ms;
}

static void *work(void *user) {
    struct station *s = user;
    for (;;) {
        int64_t due = send_due(s, monotonic_ns());
        if (read_sockets(s, wait_ms(s, due, monotonic_ns()), 1) < 0)
            return NULL;
        int64_t now = monotonic_ns();
        if (!overdue(s, now))
            continue;
        if (!read_all(s))
            return NULL;
        expire(s, now);
    }
}

/* ---- making one ---- */

static bool add_socket(struct station *s, int fd) {
    struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e))
        return false;
    s->sockets = reckon_resize(s->sockets, s->nsockets + (size_t)1, sizeof *s->sockets);
    s->sockets[s->nsockets++] = fd;
    return true;
}

static struct station *fresh(struct agent *a) {
    struct station *s = reckon_resize(NULL, 1, sizeof *s);
    *s = (struct station){.agent = a, .epoll = epoll_create1(EPOLL_CLOEXEC), .stop = eventfd(0, EFD_CLOEXEC)};
    struct epoll_event e = {.events = EPOLLIN, .data.fd = s->stop};
    epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->stop, &e);
    s->pending = reckon_resize(NULL, PENDING, sizeof *s->pending);
    memset(s->pending, 0, PENDING * sizeof *s->pending);
    if (getrandom(&s->next, sizeof s->next, 0) != (ssize_t)sizeof s->next)
        s->next = (uint64_t)realtime_ns();
    s->next >>= 1; /* far from the end of the numbers */
    s->first = s->next;
    return s;
}

/* Room for all probes that may be on their way: twice what the rates send within a timeout. */
static void make_room(struct station *s) {
    double rate = 0;
    for (uint32_t i = 0; i < s->nrows; i++)
        rate += 1e9 / (double)s->rows[i].gap;
    if (s->in_turn)
        rate /= s->nrows ? s->nrows : 1;
    for (s->nflights = 64; (double)s->nflights < rate && s->nflights < 65536;)
        s->nflights *= 2;
    s->flights = reckon_resize(NULL, s->nflights, sizeof *s->flights);
    memset(s->flights, 0, s->nflights * sizeof *s->flights);
}

static void station_free(struct station *s) {
    for (uint32_t i = 0; i < s->nsockets; i++)
        close(s->sockets[i]);
    close(s->stop);
    close(s->epoll);
    free(s->sockets);
    free(s->rows);
    free(s->heap);
    free(s->flights);
    free(s->pending);
    free(s->names);
    free(s);
}

static struct station *start(struct station *s) {
    make_room(s);
    int why = pthread_create(&s->thread, NULL, work, s);
    if (!why)
        return s;
    reckon_error(s->agent->r, NULL, 0, "a thread cannot be started: %s", strerror(why));
    station_free(s);
    return NULL;
}

/* The socket of a source port, opened for the first row that has it; RECKON_NONE when it cannot be. */
static uint32_t socket_of(struct station *s, uint16_t *ports, const struct sockaddr_storage *from,
                          socklen_t length) {
    uint16_t port = address_port(from);
    for (uint32_t i = 0; i < s->nsockets; i++)
        if (ports[i] == port)
            return i;
    int fd = udp_open(from, length);
    if (fd < 0 || !add_socket(s, fd)) {
        if (fd >= 0)
            close(fd);
        atomic_fetch_add(&s->agent->busy_ports, 1);
        return RECKON_NONE;
    }
    ports[s->nsockets - 1] = port;
    return s->nsockets - 1;
}

static void add_row(struct station *s, uint16_t *ports, const struct ping *x, char **names) {
    struct sockaddr_storage from;
    socklen_t from_length, to_length;
    struct row *row = &s->rows[s->nrows];
    if (!resolve(x->tuple.src, x->tuple.sport, &from, &from_length) ||
        !resolve(x->tuple.dst, x->tuple.dport, &row->to, &to_length) || from.ss_family != row->to.ss_family)
        return;
    row->socket = socket_of(s, ports, &from, from_length);
    if (row->socket == RECKON_NONE)
        return;
    tuple_text(&x->tuple, row->tuple);
    row->target = strcpy(*names, x->target);
    *names += strlen(x->target) + 1;
    row->number = numbers_place(&s->agent->numbers, row->target);
    row->gap = (int64_t)(s->in_turn ? s->agent->service_gap * 1e9 : 1e9 / x->rate);
    row->next = monotonic_ns() + row->gap * (s->nrows * 617 % 1000) / 1000; /* not all at once */
    s->heap[s->nrows] = s->nrows;
    s->nrows++;
}

struct station *station_list(struct agent *a, const struct pinglist *rows, enum ping_list list) {
    struct station *s = fresh(a);
    size_t n = 0, text = 0;
    s->list = list;
    s->in_turn = list == PING_SERVICE;
    for (size_t i = 0; i < rows->count; i++) {
        n++;
        text += strlen(rows->at[i].target) + 1;
    }
    s->rows = reckon_resize(NULL, n + 1, sizeof *s->rows);
    s->heap = reckon_resize(NULL, n + 1, sizeof *s->heap);
    s->names = reckon_resize(NULL, text + 1, 1);
    uint16_t *ports = reckon_resize(NULL, n + 1, sizeof *ports);
    char *names = s->names;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->at[i].list == list && !strcmp(rows->at[i].prober, a->rnic))
            add_row(s, ports, &rows->at[i], &names);
    free(ports);
    for (uint32_t i = s->nrows / 2; i-- > 0;)
        sift(s, i);
    s->turn_next = monotonic_ns();
    return start(s);
}

int station_bind(struct reckon *r, const struct sockaddr_storage *address, socklen_t length) {
    char text[TUPLE_END];
    int fd = udp_open(address, length);
    return fd >= 0 ? fd
                   : reckon_error(r, NULL, 0, "%s port %u cannot be answered on: %s",
                                  address_text(address, text), address_port(address), strerror(errno));
}

struct station *station_answer(struct agent *a, int fd) {
    struct station *s = fresh(a);
    if (add_socket(s, fd))
        return start(s);
    reckon_error(a->r, NULL, 0, "a socket cannot be waited for: %s", strerror(errno));
    close(fd);
    station_free(s);
    return NULL;
}

void station_end(struct station *s) {
    if (!s)
        return;
    uint64_t one = 1;
    while (write(s->stop, &one, sizeof one) != (ssize_t)sizeof one && errno == EINTR)
        continue;
    pthread_join(s->thread, NULL);
    station_free(s);
}
