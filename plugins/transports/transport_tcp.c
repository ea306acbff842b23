/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport `tcp`: messages on streams, one connection for each pair, each message behind its length in four
 * bytes. Who opens a connection says the test's secret and the pair's name first; the other side says nothing
 * before that.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <reckon/plugin.h>
#include <reckon/transport.h>

#define BATCH 64u
#define PREFIX 4u                            /* the length before a message */
#define HELLO (RECKON_TRANSPORT_SECRET + 4u) /* secret, name */
#define LARGEST ((size_t)64 << 20)
#define GUESTS 64u                     /* connections that have not said hello yet */
#define PATIENCE UINT64_C(2000000000)  /* ns until such a one is sent away */
#define LEAST_TIME UINT64_C(500000000) /* ns that connecting is given, whatever the clock says */
#define ROUNDS 8                       /* reads of one connection before the others have their turn */
#define UNSENT (256 << 10)             /* bytes in the kernel that are not on their way yet */
#define READ_MOST ((size_t)64 << 10)
#define READ_LEAST ((size_t)16 << 10)

enum link_state { LINK_WAITING, LINK_CONNECTING, LINK_OPEN, LINK_LOST };

struct link {
    int fd;
    enum link_state state;
    struct reckon_transport_peer peer; /* without its address */
    struct sockaddr_storage address;
    /* read so far: bytes not looked at yet, and the message whose body is under way */
    unsigned char *in, *head;
    size_t have;
    unsigned char *body; /* where it goes on; NULL: dropped */
    size_t body_size, body_left;
    /* a message that went only in part */
    unsigned char *rest;
    size_t rest_at, rest_left, tail_left;
    const unsigned char *tail;
};

struct guest {
    int fd; /* -1: none */
    uint64_t since;
    size_t have;
    unsigned char hello[HELLO];
};

struct reckon_endpoint {
    int listener, epoll;
    size_t head, largest, nlinks, most, in_size;
    const struct reckon_transport_events *events;
    struct reckon_transport_counts counts;
    unsigned char secret[RECKON_TRANSPORT_SECRET];
    struct sockaddr_storage own;
    socklen_t own_length;
    struct link *links;
    unsigned char *memory, *out_heads; /* of all links; of a batch */
    struct guest guests[GUESTS];
};

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void put4(unsigned char *to, uint64_t x) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(x >> 8 * i);
}

static uint32_t get4(const unsigned char *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* ---- epoll: what an event is about ---- */

enum { ABOUT_LISTENER, ABOUT_GUEST, ABOUT_LINK };

static int watch(struct reckon_endpoint *e, int op, int fd, uint32_t events, uint64_t about, uint64_t index) {
    struct epoll_event ev = {.events = events, .data.u64 = about << 32 | index};
    return epoll_ctl(e->epoll, op, fd, &ev);
}

static void watch_link(struct reckon_endpoint *e, int op, struct link *l, uint32_t events) {
    watch(e, op, l->fd, events, ABOUT_LINK, (uint64_t)(l - e->links));
}

static void lose(struct reckon_endpoint *e, struct link *l, int error) {
    if (l->state == LINK_LOST)
        return;
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
    l->state = LINK_LOST;
    l->rest_left = l->tail_left = 0;
    e->events->lost(e->events->user, (uint32_t)(l - e->links), error);
}

/* ---- open and close ---- */

/* Small messages at once; and of large ones no more in the kernel than it needs, since what is in there
 * cannot be overtaken. */
static void set_up(int fd) {
    int one = 1, unsent = UNSENT;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

static size_t in_size(size_t peers) {
    return peers > 64 ? READ_LEAST : READ_MOST;
}

static size_t link_memory(const struct reckon_transport_setup *setup) {
    return in_size(setup->peers) + setup->head + PREFIX + setup->head;
}

static size_t memory(const struct reckon_transport_setup *setup) {
    return sizeof(struct reckon_endpoint) + setup->peers * (sizeof(struct link) + link_memory(setup)) +
           BATCH * (PREFIX + setup->head);
}

static void close_endpoint(struct reckon_endpoint *e) {
    for (size_t i = 0; e->links && i < e->nlinks; i++)
        if (e->links[i].fd >= 0)
            close(e->links[i].fd);
    for (size_t i = 0; i < GUESTS; i++)
        if (e->guests[i].fd >= 0)
            close(e->guests[i].fd);
    if (e->listener >= 0)
        close(e->listener);
    if (e->epoll >= 0)
        close(e->epoll);
    free(e->links);
    free(e->memory);
    free(e->out_heads);
    free(e);
}

static int open_listener(const struct reckon_transport_setup *setup) {
    int fd = socket(setup->address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (!bind(fd, setup->address, setup->length) && !listen(fd, (int)setup->peers + 16))
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static struct reckon_endpoint *open_endpoint(const struct reckon_transport_setup *setup) {
    struct reckon_endpoint *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    for (size_t i = 0; i < GUESTS; i++)
        e->guests[i].fd = -1;
    e->head = setup->head;
    e->largest = setup->largest;
    e->events = setup->events;
    e->most = setup->peers;
    e->in_size = in_size(setup->peers);
    e->counts.size = sizeof e->counts;
    e->own_length = setup->length;
    memcpy(&e->own, setup->address, setup->length < sizeof e->own ? setup->length : sizeof e->own);
    memcpy(e->secret, setup->secret, sizeof e->secret);
    e->links = calloc(setup->peers + 1, sizeof *e->links);
    e->memory = calloc(setup->peers + 1, link_memory(setup));
    e->out_heads = calloc(BATCH, PREFIX + setup->head);
    e->epoll = epoll_create1(EPOLL_CLOEXEC);
    e->listener = open_listener(setup);
    if (e->links && e->memory && e->out_heads && e->epoll >= 0 && e->listener >= 0 &&
        !watch(e, EPOLL_CTL_ADD, e->listener, EPOLLIN, ABOUT_LISTENER, 0))
        return e;
    int error = errno;
    close_endpoint(e);
    errno = error;
    return NULL;
}

static int address(const struct reckon_endpoint *e, struct sockaddr *to, socklen_t *length) {
    return getsockname(e->listener, to, length);
}

static uint32_t add(struct reckon_endpoint *e, const struct reckon_transport_peer *peer) {
    if (e->nlinks == e->most || peer->length > sizeof(struct sockaddr_storage)) {
        errno = ENOSPC;
        return RECKON_NONE;
    }
    struct link *l = &e->links[e->nlinks];
    unsigned char *memory_of = e->memory + e->nlinks * (e->in_size + e->head + PREFIX + e->head);
    *l = (struct link){.fd = -1, .peer = *peer, .in = memory_of};
    memcpy(&l->address, peer->address, peer->length);
    l->head = l->in + e->in_size;
    l->rest = l->head + e->head;
    return (uint32_t)e->nlinks++;
}

static void counts(const struct reckon_endpoint *e, struct reckon_transport_counts *to) {
    size_t size = to->size < sizeof e->counts ? to->size : sizeof e->counts;
    memcpy(to, &e->counts, size);
    to->size = size;
}

/* ---- connecting, as the side that opens ---- */

static void begin_opening(struct reckon_endpoint *e, struct link *l) {
    struct sockaddr_storage from = e->own;
    int one = 1;
    if (from.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)(void *)&from)->sin6_port = 0;
    else
        ((struct sockaddr_in *)(void *)&from)->sin_port = 0;
    l->fd = socket(from.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    l->state = LINK_CONNECTING;
    if (l->fd < 0) {
        lose(e, l, errno);
        return;
    }
    set_up(l->fd);
    setsockopt(l->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    if (bind(l->fd, (struct sockaddr *)&from, e->own_length) ||
        (connect(l->fd, (struct sockaddr *)&l->address, l->peer.length) && errno != EINPROGRESS)) {
        lose(e, l, errno);
        return;
    }
    watch_link(e, EPOLL_CTL_ADD, l, EPOLLOUT);
}

static void finish_opening(struct reckon_endpoint *e, struct link *l) {
    int error = 0;
    socklen_t n = sizeof error;
    unsigned char hello[HELLO];
    getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &n);
    memcpy(hello, e->secret, sizeof e->secret);
    put4(hello + sizeof e->secret, l->peer.name);
    if (!error && send(l->fd, hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello)
        error = errno;
    if (error) {
        lose(e, l, error);
        return;
    }
    l->state = LINK_OPEN;
    watch_link(e, EPOLL_CTL_MOD, l, EPOLLIN);
}

/* ---- connecting, as the side that is called ---- */

static bool same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b) {
    if (a->ss_family != b->ss_family)
        return false;
    const struct sockaddr_in6 *x = (const void *)a, *y = (const void *)b;
    if (a->ss_family == AF_INET6)
        return !memcmp(&x->sin6_addr, &y->sin6_addr, sizeof x->sin6_addr);
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the kernel filled them in */
    return ((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr ==
           ((const struct sockaddr_in *)(const void *)b)->sin_addr.s_addr;
}

/* The link such a caller would be; NULL when nobody is expected from there (any name: RECKON_NONE). */
static struct link *expected(struct reckon_endpoint *e, const struct sockaddr_storage *from, uint32_t name) {
    for (size_t i = 0; i < e->nlinks; i++) {
        struct link *l = &e->links[i];
        if (l->state == LINK_WAITING && !l->peer.opens && (name == RECKON_NONE || l->peer.name == name) &&
            same_host(&l->address, from))
            return l;
    }
    return NULL;
}

static void send_away(struct reckon_endpoint *e, struct guest *g) {
    close(g->fd);
    g->fd = -1;
    e->counts.strangers++;
}

/* A free place, if need be that of the guest who has kept silent longest. */
static struct guest *place_for_guest(struct reckon_endpoint *e) {
    struct guest *oldest = e->guests;
    for (size_t i = 0; i < GUESTS; i++) {
        if (e->guests[i].fd < 0)
            return &e->guests[i];
        if (e->guests[i].since < oldest->since)
            oldest = &e->guests[i];
    }
    send_away(e, oldest);
    return oldest;
}

static void answer_door(struct reckon_endpoint *e) {
    for (unsigned i = 0; i < BATCH; i++) {
        struct sockaddr_storage from = {0};
        socklen_t n = sizeof from;
        int fd = accept4(e->listener, (struct sockaddr *)&from, &n, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        if (!expected(e, &from, RECKON_NONE)) {
            close(fd);
            e->counts.strangers++;
            continue;
        }
        set_up(fd);
        struct guest *g = place_for_guest(e);
        *g = (struct guest){.fd = fd, .since = now()};
        watch(e, EPOLL_CTL_ADD, fd, EPOLLIN, ABOUT_GUEST, (uint64_t)(g - e->guests));
    }
}

static void hear_guest(struct reckon_endpoint *e, struct guest *g) {
    if (g->fd < 0)
        return;
    ssize_t n = recv(g->fd, g->hello + g->have, HELLO - g->have, 0);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    g->have += n > 0 ? (size_t)n : 0;
    if (n > 0 && g->have < HELLO)
        return;
    struct sockaddr_storage from = {0};
    struct link *l = NULL;
    if (n > 0 && !memcmp(g->hello, e->secret, sizeof e->secret) &&
        !getpeername(g->fd, (struct sockaddr *)&from, &(socklen_t){sizeof from}))
        l = expected(e, &from, get4(g->hello + sizeof e->secret));
    if (!l) {
        send_away(e, g);
        return;
    }
    l->fd = g->fd;
    l->state = LINK_OPEN;
    g->fd = -1;
    watch_link(e, EPOLL_CTL_MOD, l, EPOLLIN);
}

/* ---- sending ---- */

/* Sends what is left of a message that went in part. True when nothing is left. */
static bool flush_rest(struct reckon_endpoint *e, struct link *l) {
    while (l->rest_left || l->tail_left) {
        struct iovec parts[2] = {{l->rest + l->rest_at, l->rest_left},
                                 {(void *)(uintptr_t)l->tail, l->tail_left}};
        struct msghdr m = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t n = sendmsg(l->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
                lose(e, l, errno);
            return false;
        }
        size_t of_rest = (size_t)n < l->rest_left ? (size_t)n : l->rest_left;
        l->rest_at += of_rest;
        l->rest_left -= of_rest;
        l->tail += (size_t)n - of_rest;
        l->tail_left -= (size_t)n - of_rest;
    }
    return true;
}

static void keep_rest(struct reckon_endpoint *e, struct link *l, const struct reckon_message *m,
                      const unsigned char *head, size_t gone) {
    size_t heads = PREFIX + e->head, of_head = gone < heads ? gone : heads;
    memcpy(l->rest, head + of_head, heads - of_head);
    l->rest_at = 0;
    l->rest_left = heads - of_head;
    l->tail = (const unsigned char *)m->body + (gone - of_head);
    l->tail_left = m->body_size - (gone - of_head);
}

/* Says what became of messages of which `gone` bytes went. */
static void settle(struct reckon_endpoint *e, struct link *l, struct reckon_message *messages, size_t count,
                   size_t gone) {
    bool blocked = false;
    for (size_t i = 0; i < count; i++) {
        size_t whole = PREFIX + e->head + messages[i].body_size;
        messages[i].sent = blocked || !gone ? RECKON_BUSY : RECKON_TAKEN;
        if (!blocked && gone && gone < whole)
            keep_rest(e, l, &messages[i], e->out_heads + i * (PREFIX + e->head), gone);
        blocked |= gone < whole;
        gone -= gone < whole ? gone : whole;
    }
    if (blocked)
        watch_link(e, EPOLL_CTL_MOD, l, EPOLLIN | EPOLLOUT);
}

static void send_run(struct reckon_endpoint *e, struct reckon_message *messages, size_t count) {
    struct link *l = &e->links[messages[0].peer];
    struct iovec parts[2 * BATCH];
    struct msghdr m = {.msg_iov = parts, .msg_iovlen = 2 * count};
    bool open = l->state == LINK_OPEN;
    for (size_t i = 0; i < count; i++) {
        unsigned char *head = e->out_heads + i * (PREFIX + e->head);
        messages[i].sent = open ? RECKON_BUSY : RECKON_GONE;
        put4(head, e->head + messages[i].body_size);
        memcpy(head + PREFIX, messages[i].head, e->head);
        parts[2 * i] = (struct iovec){head, PREFIX + e->head};
        parts[2 * i + 1] = (struct iovec){(void *)(uintptr_t)messages[i].body, messages[i].body_size};
    }
    if (!open || l->rest_left || l->tail_left)
        return;
    ssize_t n = sendmsg(l->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n >= 0 || errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
        settle(e, l, messages, count, n > 0 ? (size_t)n : 0);
        return;
    }
    lose(e, l, errno);
    for (size_t i = 0; i < count; i++)
        messages[i].sent = RECKON_GONE;
}

static void send_messages(struct reckon_endpoint *e, struct reckon_message *messages, size_t count) {
    for (size_t at = 0, n; at < count; at += n) {
        for (n = 1; n < BATCH && at + n < count && messages[at + n].peer == messages[at].peer; n++)
            ;
        send_run(e, messages + at, n);
    }
}

/* ---- receiving ---- */

static void finish_body(struct reckon_endpoint *e, struct link *l, uint64_t when) {
    e->events->received(e->events->user, (uint32_t)(l - e->links), l->head, l->body_size, when);
    l->body_size = 0;
}

/* Looks at the bytes that are here, message by message. -1 when they are none. */
static int take_messages(struct reckon_endpoint *e, struct link *l, uint64_t when) {
    size_t at = 0, heads = PREFIX + e->head;
    while (l->have - at >= heads) {
        size_t length = get4(l->in + at), body = length - e->head;
        if (length < e->head || length > e->largest) {
            e->counts.malformed++;
            return -1;
        }
        memcpy(l->head, l->in + at + PREFIX, e->head);
        at += heads;
        size_t here = l->have - at < body ? l->have - at : body;
        l->body = body ? e->events->place(e->events->user, (uint32_t)(l - e->links), l->head, body) : NULL;
        if (l->body) {
            memcpy(l->body, l->in + at, here);
            l->body += here;
        }
        at += here;
        l->body_size = body;
        l->body_left = body - here;
        if (l->body_left)
            break;
        finish_body(e, l, when);
    }
    memmove(l->in, l->in + at, l->have - at);
    l->have -= at;
    return 0;
}

/* One read: the rest of a body goes where it belongs, what follows it into the buffer. 1: there may be more.
 */
static int read_once(struct reckon_endpoint *e, struct link *l) {
    bool placed = l->body_left && l->body;
    size_t room = e->in_size - l->have;
    if (l->body_left && !l->body && room > l->body_left)
        room = l->body_left; /* dropped: through the buffer */
    struct iovec parts[2] = {{l->body, placed ? l->body_left : 0}, {l->in + l->have, room}};
    size_t asked = parts[0].iov_len + room;
    ssize_t n = readv(l->fd, parts, 2);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            lose(e, l, n == 0 ? ECONNRESET : errno);
        return 0;
    }
    uint64_t when = now();
    size_t came = (size_t)n, of_body = l->body_left < came ? l->body_left : came;
    if (l->body_left) {
        l->body_left -= of_body;
        l->body = l->body ? l->body + of_body : NULL;
        came -= of_body;
        if (!l->body_left)
            finish_body(e, l, when);
    }
    l->have += came;
    if (!l->body_left && take_messages(e, l, when)) {
        lose(e, l, EPROTO);
        return 0;
    }
    return (size_t)n == asked;
}

/* ---- events ---- */

static void handle_link(struct reckon_endpoint *e, struct link *l, uint32_t events) {
    if (l->state == LINK_CONNECTING) {
        finish_opening(e, l);
        return;
    }
    if (l->state == LINK_OPEN && events & EPOLLOUT && flush_rest(e, l)) {
        watch_link(e, EPOLL_CTL_MOD, l, EPOLLIN);
        e->events->writable(e->events->user, (uint32_t)(l - e->links));
    }
    for (int i = 0; l->state == LINK_OPEN && events & (EPOLLIN | EPOLLHUP | EPOLLERR) && i < ROUNDS; i++)
        if (!read_once(e, l))
            return;
}

/* epoll_pwait2(), which kernels before 5.11 do not have, nor valgrind. */
static int wait_events(int epoll, struct epoll_event events[BATCH], uint64_t ns) {
    struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    int n = epoll_pwait2(epoll, events, BATCH, &t, NULL);
    if (n >= 0 || errno != ENOSYS)
        return n;
    struct pollfd any = {.fd = epoll, .events = POLLIN};
    return ppoll(&any, 1, &t, NULL) > 0 ? epoll_wait(epoll, events, BATCH, 0) : 0;
}

static void wait_for(struct reckon_endpoint *e, uint64_t ns) {
    struct epoll_event events[BATCH];
    int n = wait_events(e->epoll, events, ns);
    for (int i = 0; i < n; i++) {
        uint32_t index = (uint32_t)events[i].data.u64;
        if (events[i].data.u64 >> 32 == ABOUT_LINK)
            handle_link(e, &e->links[index], events[i].events);
        else if (events[i].data.u64 >> 32 == ABOUT_GUEST)
            hear_guest(e, &e->guests[index]);
        else
            answer_door(e);
    }
}

/* ---- the time before the test ---- */

static bool all_open(const struct reckon_endpoint *e) {
    size_t i = 0;
    while (i < e->nlinks && e->links[i].state != LINK_WAITING && e->links[i].state != LINK_CONNECTING)
        i++;
    return i == e->nlinks;
}

static void lose_patience(struct reckon_endpoint *e, uint64_t at) {
    for (size_t i = 0; i < GUESTS; i++)
        if (e->guests[i].fd >= 0 && at - e->guests[i].since > PATIENCE)
            send_away(e, &e->guests[i]);
}

static void connect_all(struct reckon_endpoint *e, uint64_t until) {
    uint64_t at = now();
    if (until < at + LEAST_TIME) /* a thread that was late itself must not take it out on its peers */
        until = at + LEAST_TIME;
    for (size_t i = 0; i < e->nlinks; i++)
        if (e->links[i].peer.opens)
            begin_opening(e, &e->links[i]);
    while (!all_open(e) && (at = now()) < until) {
        lose_patience(e, at);
        wait_for(e, until - at < 10000000 ? until - at : 10000000);
    }
    for (size_t i = 0; i < e->nlinks; i++)
        if (e->links[i].state != LINK_OPEN)
            lose(e, &e->links[i], ETIMEDOUT);
    for (size_t i = 0; i < GUESTS; i++)
        if (e->guests[i].fd >= 0)
            send_away(e, &e->guests[i]);
    close(e->listener);
    e->listener = -1;
}

static const struct reckon_transport transport = {
    .size = sizeof transport,
    .stream = true,
    .largest = LARGEST,
    .memory = memory,
    .open = open_endpoint,
    .address = address,
    .add = add,
    .connect = connect_all,
    .send = send_messages,
    .wait = wait_for,
    .counts = counts,
    .close = close_endpoint,
};

RECKON_PLUGIN(transport, tcp) = {
    .name = "tcp",
    .summary = "test messages on TCP connections, one for each pair",
    .transport = &transport,
};
