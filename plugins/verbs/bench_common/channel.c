/* SPDX-License-Identifier: Apache-2.0
 *
 * The connection between console and node, non-blocking.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <reckon/base.h>

#include "channel.h"

void channel_close(struct channel *c, const char *why) {
    if (c->state == CHANNEL_CLOSED)
        return;
    close(c->fd);
    c->fd = -1;
    c->state = CHANNEL_CLOSED;
    snprintf(c->why, sizeof c->why, "%s", why);
}

void channel_free(struct channel *c) {
    free(c->in.at);
    free(c->out.at);
    c->in = c->out = (struct bytes){0};
}

static void set_up(int fd) {
    int one = 1, idle = 10, interval = 5, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void channel_accept(struct channel *c, int fd, const struct key *key, uint64_t now) {
    *c = (struct channel){.fd = fd, .state = CHANNEL_GREETING, .key = key, .opened = now};
    set_up(fd);
}

void channel_connect(struct channel *c, const struct address *to, const struct key *key, uint64_t now) {
    int fd = socket(to->any.sa_family, SOCK_STREAM, 0);
    *c = (struct channel){.fd = fd, .state = CHANNEL_CONNECTING, .console = true, .key = key, .opened = now};
    if (fd >= 0)
        set_up(fd);
    if (fd < 0 || (connect(fd, &to->any, to->length) && errno != EINPROGRESS)) {
        const char *why = strerror(errno);
        if (fd >= 0) {
            channel_close(c, why);
        } else {
            c->state = CHANNEL_CLOSED;
            snprintf(c->why, sizeof c->why, "%s", why);
        }
    }
}

short channel_events(const struct channel *c) {
    if (c->state == CHANNEL_CLOSED)
        return 0;
    bool writes = c->state == CHANNEL_CONNECTING || c->out_at < c->out.count;
    return (short)(writes ? POLLIN | POLLOUT : POLLIN);
}

/* ---- bytes ---- */

static void flush(struct channel *c) {
    while (c->state > CHANNEL_CONNECTING && c->out_at < c->out.count) {
        ssize_t n = send(c->fd, c->out.at + c->out_at, c->out.count - c->out_at, MSG_NOSIGNAL);
        if (n > 0)
            c->out_at += (size_t)n;
        else if (n < 0 && errno == EINTR)
            continue;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        else
            channel_close(c, strerror(errno));
    }
    if (c->out_at == c->out.count)
        c->out_at = c->out.count = 0;
}

/* Room for what may come next: no more than the rest of a greeting until the greeting was good. */
static size_t room(const struct channel *c) {
    if (c->state == CHANNEL_OPEN)
        return (size_t)64 << 10;
    size_t have = c->in.count - c->in_at;
    return have < GREETING_SIZE ? GREETING_SIZE - have : 0;
}

static void take_in(struct channel *c) {
    unsigned char block[64 << 10];
    if (c->in_at) { /* what was read is gone */
        memmove(c->in.at, c->in.at + c->in_at, c->in.count - c->in_at);
        c->in.count -= c->in_at;
        c->in_at = 0;
    }
    size_t most = room(c);
    ssize_t n = most ? recv(c->fd, block, most, 0) : 0;
    if (n > 0)
        put_raw(&c->in, block, (size_t)n);
    else if (n == 0 && most)
        channel_close(c, c->state == CHANNEL_GREETING && c->console
                             ? "it hung up on the greeting: another key, or no reckon node"
                             : "it hung up");
    else if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        channel_close(c, strerror(errno));
}

/* ---- greetings ---- */

static void connected(struct channel *c) {
    int error = 0;
    socklen_t n = sizeof error;
    struct sockaddr_storage peer;
    if (!getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &n) && !error &&
        getpeername(c->fd, (struct sockaddr *)&peer, &(socklen_t){sizeof peer}))
        return; /* not yet */
    if (error) {
        channel_close(c, strerror(error));
        return;
    }
    c->state = CHANNEL_GREETING;
    greeting_make(c->greeting, c->key);
    put_raw(&c->out, c->greeting, GREETING_SIZE);
}

static void greeted(struct channel *c) {
    unsigned char answer[GREETING_SIZE];
    if (c->in.count - c->in_at < GREETING_SIZE)
        return;
    const unsigned char *theirs = c->in.at + c->in_at;
    if (!greeting_is_genuine(theirs, c->console ? c->greeting : NULL, c->key)) {
        channel_close(c, "it does not have the key");
        return;
    }
    if (c->console) {
        seal_agree(&c->seal_out, &c->seal_in, c->greeting, theirs, c->key);
    } else {
        greeting_answer(answer, theirs, c->key);
        seal_agree(&c->seal_in, &c->seal_out, theirs, answer, c->key);
        put_raw(&c->out, answer, GREETING_SIZE);
    }
    if (c->console && greeting_version(theirs) != PROTOCOL_VERSION) {
        channel_close(c, "it speaks another version of the protocol");
        return;
    }
    c->in_at += GREETING_SIZE;
    c->state = CHANNEL_OPEN;
}

void channel_work(struct channel *c) {
    if (c->state == CHANNEL_CONNECTING)
        connected(c);
    flush(c);
    if (c->state > CHANNEL_CONNECTING)
        take_in(c);
    if (c->state == CHANNEL_GREETING)
        greeted(c);
    flush(c);
}

/* ---- messages ---- */

bool channel_next(struct channel *c, struct reader *message) {
    if (c->state != CHANNEL_OPEN || c->in.count - c->in_at < 4)
        return false;
    struct reader head = {.at = c->in.at + c->in_at, .left = 4};
    size_t n = (size_t)get_number(&head, 4);
    if (n > CHANNEL_LARGEST) {
        channel_close(c, "it sent a message that is too long");
        return false;
    }
    if (c->in.count - c->in_at - 4 < n)
        return false;
    unsigned char *text = c->in.at + c->in_at + 4;
    ptrdiff_t length = seal_open(&c->seal_in, text, n);
    if (length < 0) {
        channel_close(c, "it sent a message that is not genuine");
        return false;
    }
    c->in_at += 4 + n;
    *message = (struct reader){.at = text, .left = (size_t)length};
    return true;
}

void channel_send(struct channel *c, const struct bytes *message) {
    if (c->state != CHANNEL_OPEN)
        return;
    seal_put(&c->seal_out, &c->out, message->at, message->count);
    flush(c);
}
