/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport `udp`: a message is a datagram. One socket for all peers, messages by the batch; a datagram from
 * an address that was not announced is counted and forgotten.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <reckon/plugin.h>
#include <reckon/transport.h>

#define BATCH 64u
#define LARGEST 65507u          /* bytes of payload in the largest IPv4 datagram */
#define BUFFER (8 << 20)        /* bytes asked of the kernel for what has come and was not read yet */
#define TICK UINT64_C(10000000) /* ns a blocking receive lasts at most */
#define STREAK 4u               /* receives that got all they asked for, before one asks for more */

struct peer {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    };
    socklen_t length;
};

struct reckon_endpoint {
    int fd;
    bool full; /* the socket took no more */
    size_t head, largest, npeers, most;
    const struct reckon_transport_events *events;
    struct reckon_transport_counts counts;
    struct peer *peers;
    uint32_t *slots, mask; /* peers by address: number + 1, open addressing */
    unsigned char *heads, *bodies;
    unsigned asking, streak; /* datagrams asked for at once */
    struct mmsghdr in[BATCH], out[BATCH];
    struct iovec in_parts[BATCH][2], out_parts[BATCH][2];
    struct peer from[BATCH];
};

/* ---- peers by address ---- */

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static uint32_t hash_of(const struct peer *p) {
    uint64_t half[2] = {0, 0}, port;
    if (p->any.sa_family == AF_INET) {
        half[0] = p->v4.sin_addr.s_addr;
        port = p->v4.sin_port;
    } else {
        memcpy(half, &p->v6.sin6_addr, sizeof half);
        port = p->v6.sin6_port;
    }
    return (uint32_t)mix(half[0] ^ mix(half[1] ^ port << 40));
}

static bool same(const struct peer *a, const struct peer *b) {
    if (a->any.sa_family != b->any.sa_family)
        return false;
    if (a->any.sa_family == AF_INET)
        return a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr && a->v4.sin_port == b->v4.sin_port;
    return !memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof a->v6.sin6_addr) &&
           a->v6.sin6_port == b->v6.sin6_port;
}

/* Where the peer stands in the table, or would. */
static uint32_t *slot_of(const struct reckon_endpoint *e, const struct peer *p) {
    uint32_t at = hash_of(p) & e->mask;
    while (e->slots[at] && !same(&e->peers[e->slots[at] - 1], p))
        at = (at + 1) & e->mask;
    return &e->slots[at];
}

static uint32_t add(struct reckon_endpoint *e, const struct reckon_transport_peer *peer) {
    struct peer p = {.length = peer->length};
    if (peer->length > sizeof p.v6 ||
        (peer->address->sa_family != AF_INET && peer->address->sa_family != AF_INET6)) {
        errno = EAFNOSUPPORT;
        return RECKON_NONE;
    }
    memcpy(&p.any, peer->address, peer->length);
    uint32_t *slot = slot_of(e, &p);
    if (!*slot) {
        if (e->npeers == e->most) {
            errno = ENOSPC;
            return RECKON_NONE;
        }
        e->peers[e->npeers++] = p;
        *slot = (uint32_t)e->npeers;
    }
    return *slot - 1;
}

/* ---- open and close ---- */

static size_t table_size(size_t peers) {
    size_t n = 16;
    while (n < 2 * peers)
        n *= 2;
    return n;
}

static size_t memory(const struct reckon_transport_setup *setup) {
    return sizeof(struct reckon_endpoint) + BATCH * setup->largest + setup->peers * sizeof(struct peer) +
           table_size(setup->peers) * sizeof(uint32_t);
}

static void close_endpoint(struct reckon_endpoint *e) {
    if (e->fd >= 0)
        close(e->fd);
    free(e->peers);
    free(e->slots);
    free(e->heads);
    free(e->bodies);
    free(e);
}

static int open_socket(const struct reckon_transport_setup *setup) {
    int size = BUFFER, fd = socket(setup->address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct timeval tick = {.tv_usec = TICK / 1000};
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size)) /* root alone may pass the limit */
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof tick) &&
        !bind(fd, setup->address, setup->length))
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static void lay_out(struct reckon_endpoint *e) {
    size_t body = e->largest - e->head;
    for (size_t i = 0; i < BATCH; i++) {
        e->in_parts[i][0] = (struct iovec){e->heads + i * e->head, e->head};
        e->in_parts[i][1] = (struct iovec){e->bodies + i * body, body};
        e->in[i].msg_hdr =
            (struct msghdr){.msg_name = &e->from[i].any, .msg_iov = e->in_parts[i], .msg_iovlen = 2};
        e->out[i].msg_hdr = (struct msghdr){.msg_iov = e->out_parts[i], .msg_iovlen = 2};
    }
}

static struct reckon_endpoint *open_endpoint(const struct reckon_transport_setup *setup) {
    struct reckon_endpoint *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    size_t table = table_size(setup->peers);
    *e = (struct reckon_endpoint){.fd = open_socket(setup), .head = setup->head, .largest = setup->largest};
    e->events = setup->events;
    e->most = setup->peers;
    e->mask = (uint32_t)table - 1;
    e->asking = 1;
    e->counts.size = sizeof e->counts;
    e->peers = calloc(setup->peers + 1, sizeof *e->peers);
    e->slots = calloc(table, sizeof *e->slots);
    e->heads = calloc(BATCH, setup->head);
    e->bodies = calloc(BATCH, setup->largest - setup->head + 1);
    if (e->fd >= 0 && e->peers && e->slots && e->heads && e->bodies) {
        lay_out(e);
        return e;
    }
    int error = e->fd >= 0 ? ENOMEM : errno;
    close_endpoint(e);
    errno = error;
    return NULL;
}

static int address(const struct reckon_endpoint *e, struct sockaddr *to, socklen_t *length) {
    return getsockname(e->fd, to, length);
}

static void counts(const struct reckon_endpoint *e, struct reckon_transport_counts *to) {
    size_t size = to->size < sizeof e->counts ? to->size : sizeof e->counts;
    memcpy(to, &e->counts, size);
    to->size = size;
}

/* ---- sending ---- */

/* What an errno says about one message. A full queue of the device (ENOBUFS) is the network's loss, like any
 * later on. */
static enum reckon_sent verdict_of(int error) {
    if (error == EAGAIN || error == EWOULDBLOCK)
        return RECKON_BUSY;
    return error == ENOBUFS || error == ECONNREFUSED ? RECKON_TAKEN : RECKON_GONE;
}

static void fill(struct reckon_endpoint *e, size_t i, const struct reckon_message *m) {
    struct peer *to = &e->peers[m->peer];
    e->out_parts[i][0] = (struct iovec){(void *)(uintptr_t)m->head, e->head};
    e->out_parts[i][1] = (struct iovec){(void *)(uintptr_t)m->body, m->body_size};
    e->out[i].msg_hdr.msg_name = &to->any;
    e->out[i].msg_hdr.msg_namelen = to->length;
}

static void send_messages(struct reckon_endpoint *e, struct reckon_message *messages, size_t count) {
    size_t at = 0;
    while (at < count) {
        size_t n = count - at < BATCH ? count - at : BATCH;
        for (size_t i = 0; i < n; i++)
            fill(e, i, &messages[at + i]);
        int sent = sendmmsg(e->fd, e->out, (unsigned)n, MSG_DONTWAIT);
        for (int i = 0; i < sent; i++)
            messages[at++].sent = RECKON_TAKEN;
        if (sent >= 0 || errno == EINTR)
            continue; /* after fewer than asked for, the next call says why */
        enum reckon_sent verdict = verdict_of(errno);
        if (verdict != RECKON_BUSY) {
            messages[at++].sent = verdict;
            continue;
        }
        e->full = true;
        while (at < count)
            messages[at++].sent = RECKON_BUSY;
    }
}

/* ---- receiving ---- */

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void deliver(struct reckon_endpoint *e, size_t i, uint64_t when) {
    const struct mmsghdr *m = &e->in[i];
    uint32_t peer = *slot_of(e, &e->from[i]);
    if (!peer) {
        e->counts.strangers++;
    } else if (m->msg_len < e->head || m->msg_hdr.msg_flags & MSG_TRUNC) {
        e->counts.malformed++;
    } else {
        const void *head = e->in_parts[i][0].iov_base;
        size_t body = m->msg_len - e->head;
        void *to = body ? e->events->place(e->events->user, peer - 1, head, body) : NULL;
        if (to)
            memcpy(to, e->in_parts[i][1].iov_base, body);
        e->events->received(e->events->user, peer - 1, head, body, when);
    }
}

/* To look for a datagram that has not come costs as much as taking one that has: as many are asked for as
 * lately came at once. */
static void learn(struct reckon_endpoint *e, unsigned came) {
    if (came < e->asking) {
        e->streak = 0;
        e->asking = came <= e->asking / 2 && e->asking > 1 ? e->asking / 2 : e->asking;
    } else if (++e->streak == STREAK) {
        e->streak = 0;
        e->asking = e->asking < BATCH ? 2 * e->asking : BATCH;
    }
}

/* True when something came. */
static bool receive(struct reckon_endpoint *e, int flags) {
    for (size_t i = 0; i < e->asking; i++)
        e->in[i].msg_hdr.msg_namelen = sizeof e->from[i].v6;
    int n = recvmmsg(e->fd, e->in, e->asking, flags, NULL);
    uint64_t when = n > 0 ? now() : 0;
    for (int i = 0; i < n; i++)
        deliver(e, (size_t)i, when);
    learn(e, n > 0 ? (unsigned)n : 0);
    return n > 0;
}

/* A long wait is one blocking call; a short one, or one for room to send, needs poll's finer clock. */
static void wait_for(struct reckon_endpoint *e, uint64_t ns) {
    if (ns >= TICK && !e->full) {
        receive(e, MSG_WAITFORONE);
        return;
    }
    bool came = receive(e, MSG_DONTWAIT);
    if (!e->full && (came || !ns))
        return;
    struct pollfd fd = {.fd = e->fd, .events = (short)(e->full ? POLLIN | POLLOUT : POLLIN)};
    struct timespec t = {.tv_nsec = came ? 0 : (long)(ns < TICK ? ns : TICK)};
    if (ppoll(&fd, 1, &t, NULL) <= 0)
        return;
    if (fd.revents & POLLIN)
        receive(e, MSG_DONTWAIT);
    if (e->full && fd.revents & POLLOUT) {
        e->full = false;
        e->events->writable(e->events->user, RECKON_NONE);
    }
}

static const struct reckon_transport transport = {
    .size = sizeof transport,
    .largest = LARGEST,
    .memory = memory,
    .open = open_endpoint,
    .address = address,
    .add = add,
    .send = send_messages,
    .wait = wait_for,
    .counts = counts,
    .close = close_endpoint,
};

RECKON_PLUGIN(transport, udp) = {
    .name = "udp",
    .summary = "test messages as UDP datagrams",
    .transport = &transport,
};
