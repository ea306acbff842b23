/* SPDX-License-Identifier: Apache-2.0
 *
 * A node at its post. One thread here serves all connections; a few at a time, and those that do not prove
 * that they have the key soon have to go.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "node.h"

#define CALLERS 16u
#define SECOND UINT64_C(1000000000)
#define TO_PROVE (5 * SECOND) /* until a caller has to have proved that it has the key */
#define SILENCE (30 * SECOND) /* a console that says nothing for so long is gone */

struct caller {
    struct channel channel;
    struct address from;
    uint64_t heard; /* when it last said something genuine */
};

struct node {
    const struct node_settings *set;
    int listener, signals;
    struct caller *callers[CALLERS]; /* NULL: none */
    struct caller *owner;            /* whose test is here */
    struct session session;
    struct bytes answer;
    uint64_t last_refusal; /* when a stranger was last mentioned */
    unsigned tests;        /* that ended */
};

static void say(const struct node *n, const char *fmt, ...) RECKON_PRINTF(2, 3);
static void say(const struct node *n, const char *fmt, ...) {
    va_list ap;
    if (n->set->quiet)
        return;
    va_start(ap, fmt);
    fputs("reckon node: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}

/* ---- callers ---- */

static void end_test(struct node *n) {
    session_end(&n->session);
    n->owner = NULL;
    n->tests++;
}

static void drop(struct node *n, unsigned i, uint64_t now) {
    struct caller *c = n->callers[i];
    char text[ADDRESS_TEXT];
    if (n->owner == c) {
        say(n, "%s is gone (%s): its test ends", bench_address_text(&c->from, text), c->channel.why);
        end_test(n);
    } else if (!c->heard && now - n->last_refusal > SECOND) { /* a flood of them is worth a line a second */
        say(n, "%s refused: %s", bench_address_text(&c->from, text), c->channel.why);
        n->last_refusal = now;
    }
    channel_free(&c->channel);
    free(c);
    n->callers[i] = NULL;
}

/* A free place; if need be, that of the caller who has owed proof of the key longest. CALLERS when all have
 * given it. */
static unsigned place_for_caller(struct node *n, uint64_t now) {
    unsigned worst = CALLERS;
    for (unsigned i = 0; i < CALLERS; i++) {
        const struct caller *c = n->callers[i], *w = worst < CALLERS ? n->callers[worst] : NULL;
        if (!c)
            return i;
        if (c->heard)
            continue;
        bool greeted = c->channel.state == CHANNEL_OPEN, w_greeted = w && w->channel.state == CHANNEL_OPEN;
        if (!w || greeted < w_greeted || (greeted == w_greeted && c->channel.opened < w->channel.opened))
            worst = i;
    }
    if (worst < CALLERS) {
        channel_close(&n->callers[worst]->channel, "others came, and it had not proved that it has the key");
        drop(n, worst, now);
    }
    return worst;
}

static void welcome(struct node *n, uint64_t now) {
    struct address from = {.length = sizeof from.v6};
    int fd = accept4(n->listener, &from.any, &from.length, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    unsigned i = place_for_caller(n, now);
    struct caller *c = i < CALLERS ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        close(fd);
        return;
    }
    bench_address_plain(&from);
    channel_accept(&c->channel, fd, n->set->key, now);
    c->from = from;
    n->callers[i] = c;
}

static struct address own_address(const struct caller *c) {
    struct address at = {.length = sizeof at.v6};
    if (getsockname(c->channel.fd, &at.any, &at.length))
        at.length = 0;
    bench_address_plain(&at);
    return at;
}

/* Somebody else's test is here: says whose. STOP_DONE and all else of a second console are refused as well.
 */
static void refuse_second(struct node *n) {
    char text[ADDRESS_TEXT], why[128];
    snprintf(why, sizeof why, "a test of the console at %s is running here",
             bench_address_text(&n->owner->from, text));
    n->answer.count = 0;
    put_number(&n->answer, COMMAND_REFUSED, 1);
    put_text(&n->answer, why);
}

static void follow(struct node *n, struct caller *c, int before) {
    char text[ADDRESS_TEXT];
    const struct session *s = &n->session;
    if (before == NODE_IDLE && s->state == NODE_READY) {
        n->owner = c;
        say(n, "%s over %s for the console at %s, %u flow%s", drill_name(s->plan.drill), s->plan.transport,
            bench_address_text(&c->from, text), s->plan.npairs, s->plan.npairs == 1 ? "" : "s");
    } else if (before != NODE_IDLE && s->state == NODE_IDLE) {
        say(n, "the test is over");
        end_test(n);
    }
}

static void serve(struct node *n, struct caller *c, uint64_t now) {
    struct reader message;
    channel_work(&c->channel);
    while (channel_next(&c->channel, &message)) {
        struct address at = own_address(c);
        int before = n->session.state;
        c->heard = now;
        if (n->owner && n->owner != c) {
            refuse_second(n);
        } else {
            session_command(&n->session, &message, &at, &n->answer);
            follow(n, c, before);
        }
        channel_send(&c->channel, &n->answer);
    }
}

static void lose_patience(struct node *n, uint64_t now) {
    for (unsigned i = 0; i < CALLERS; i++) {
        struct caller *c = n->callers[i];
        if (!c)
            continue;
        if (!c->heard && now - c->channel.opened > TO_PROVE)
            channel_close(&c->channel, "it did not prove in time that it has the key");
        else if (c->heard && now - c->heard > SILENCE)
            channel_close(&c->channel, "it was silent for 30 s");
        if (c->channel.state == CHANNEL_CLOSED)
            drop(n, i, now);
    }
}

/* ---- the loop ---- */

/* With --once: the console that commanded a test has gone, or none ever came. */
static bool finished(const struct node *n, uint64_t began, uint64_t now) {
    if (!n->set->once)
        return false;
    for (unsigned i = 0; i < CALLERS; i++)
        if (n->callers[i] && n->callers[i]->heard)
            return false;
    return n->tests || (n->set->wait && now - began > n->set->wait);
}

static bool turn(struct node *n) {
    struct pollfd fds[2 + CALLERS] = {{.fd = n->signals, .events = POLLIN},
                                      {.fd = n->listener, .events = POLLIN}};
    for (unsigned i = 0; i < CALLERS; i++)
        fds[2 + i] = n->callers[i] ? (struct pollfd){.fd = n->callers[i]->channel.fd,
                                                     .events = channel_events(&n->callers[i]->channel)}
                                   : (struct pollfd){.fd = -1};
    poll(fds, 2 + CALLERS, 500);
    uint64_t now = clock_ns();
    for (unsigned i = 0; i < CALLERS; i++)
        if (n->callers[i] && fds[2 + i].revents)
            serve(n, n->callers[i], now);
    lose_patience(n, now);
    if (fds[1].revents)
        welcome(n, now);
    return !fds[0].revents;
}

static int open_listener(struct reckon *r, const struct address *at) {
    char text[ADDRESS_TEXT];
    int one = 1, fd = socket(at->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd >= 0 && !bind(fd, &at->any, at->length) && !listen(fd, 64))
        return fd;
    reckon_error(r, NULL, 0, "cannot listen on %s: %s", bench_address_text(at, text), strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int node_run(struct reckon *r, const struct node_settings *settings) {
    struct node n = {.set = settings,
                     .session = {.r = r, .limits = settings->limits, .data = settings->data}};
    char text[ADDRESS_TEXT];
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    n.listener = open_listener(r, &settings->listen);
    if (n.listener < 0)
        return -1;
    pthread_sigmask(SIG_BLOCK, &ending, NULL); /* the workers inherit it */
    n.signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    say(&n, "listening on %s", bench_address_text(&settings->listen, text));
    uint64_t began = clock_ns();
    while (turn(&n) && !finished(&n, began, clock_ns()))
        ;
    for (unsigned i = 0; i < CALLERS; i++)
        if (n.callers[i]) {
            channel_close(&n.callers[i]->channel, "this node ends");
            drop(&n, i, clock_ns());
        }
    session_end(&n.session);
    free(n.answer.at);
    close(n.listener);
    close(n.signals);
    return settings->once && !n.tests ? 1 : 0;
}
