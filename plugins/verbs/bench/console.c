/* SPDX-License-Identifier: Apache-2.0
 *
 * Talking to all nodes at once: one thread, one poll. A node that is slow holds up nobody; one that is silent
 * for too long is out.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define RETRY (SECOND / 5) /* between two attempts to reach a node that is being launched */

uint64_t bench_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

double bench_date(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

uint32_t nodes_left(const struct bench *b) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < b->nnodes; i++)
        left += !b->nodes[i].lost;
    return left;
}

void node_lost(struct bench *b, struct bench_node *n, const char *fmt, ...) {
    va_list ap;
    if (n->lost)
        return;
    va_start(ap, fmt);
    n->lost = reckon_vtext(b->r, fmt, ap);
    va_end(ap);
    n->asked = 0;
    n->wanted = false;
    channel_close(&n->channel, n->lost);
    uint32_t index = (uint32_t)(n - b->nodes);
    for (uint32_t i = 0; i < b->nduos; i++)
        if (!b->duos[i].lost && (b->duos[i].client == index || b->duos[i].server == index))
            b->duos[i].lost = reckon_text(b->r, "%s: %s", n->name, n->lost);
    char text[ADDRESS_TEXT];
    fprintf(stderr, "reckon bench: node %s (%s) is lost: %s\n", n->name, bench_address_text(&n->at, text),
            n->lost);
}

/* ---- answers ---- */

static const char *const command_names[] = {"", "INIT", "START", "STATUS", "STOP", "STOP_DONE"};

static void take_addresses(struct bench *b, struct bench_node *n, struct reader *from) {
    for (uint32_t i = 0; i < b->plan.workers; i++)
        get_address(from, &n->data[i]);
    if (!reader_done(from))
        node_lost(b, n, "its answer to INIT makes no sense");
}

static void take_report(struct bench *b, struct bench_node *n, struct reader *from) {
    struct report *fresh = reckon_resize(NULL, 1, sizeof *fresh);
    if (get_report(from, fresh, n->npairs)) {
        report_free(&n->now);
        n->now = *fresh;
        n->reported |= !n->peeked;
        histogram_merge(&b->recent, &fresh->recent);
        histogram_merge(&b->all, &fresh->recent);
    } else {
        node_lost(b, n, "its answer to STATUS makes no sense");
    }
    free(fresh);
}

static void take_answer(struct bench *b, struct bench_node *n, struct reader *from) {
    uint64_t byte = get_number(from, 1);
    int asked = n->asked;
    n->asked = 0;
    if (byte == COMMAND_REFUSED) {
        char why[256];
        get_text(from, why, sizeof why);
        node_lost(b, n, "it refuses %s: %s", command_names[asked], reckon_printable(b->r, why));
    } else if (!asked || byte != (uint64_t)(asked | COMMAND_ANSWER)) {
        node_lost(b, n, "it answers what it was not asked");
    } else if (asked == COMMAND_INIT) {
        take_addresses(b, n, from);
    } else if (asked == COMMAND_STATUS) {
        take_report(b, n, from);
    } else if (asked == COMMAND_STOP_DONE) {
        n->done = b->ending;
    }
}

static void hear(struct bench *b, struct bench_node *n) {
    struct reader message;
    channel_work(&n->channel);
    while (!n->lost && channel_next(&n->channel, &message))
        take_answer(b, n, &message);
    if (!n->lost && !n->done && n->channel.state == CHANNEL_CLOSED)
        node_lost(b, n, "%s", n->channel.why);
}

/* ---- waiting ---- */

/* Listens to the nodes until one has said something, or until the clock says so. `reach`: nodes may still be
 * on their way up, and are not lost when they hang up. */
static void listen_once(struct bench *b, uint64_t until, bool reach) {
    struct pollfd *fds = reckon_resize(NULL, b->nnodes + 1, sizeof *fds);
    for (uint32_t i = 0; i < b->nnodes; i++) {
        const struct channel *c = &b->nodes[i].channel;
        bool open = c->state != CHANNEL_CLOSED;
        fds[i] = (struct pollfd){.fd = open ? c->fd : -1, .events = open ? channel_events(c) : 0};
    }
    fds[b->nnodes] = (struct pollfd){.fd = b->signals, .events = POLLIN};
    uint64_t now = bench_clock(), left = until > now ? until - now : 0;
    struct timespec t = {.tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND)};
    if (ppoll(fds, b->nnodes + 1, &t, NULL) > 0) {
        for (uint32_t i = 0; i < b->nnodes; i++)
            if (fds[i].revents && !reach)
                hear(b, &b->nodes[i]);
            else if (fds[i].revents)
                channel_work(&b->nodes[i].channel);
        struct signalfd_siginfo said;
        if (fds[b->nnodes].revents && read(b->signals, &said, sizeof said) > 0)
            b->interrupted = true;
    }
    free(fds);
}

void bench_pause(struct bench *b, uint64_t until) {
    while (bench_clock() < until && !b->interrupted)
        listen_once(b, until, false);
}

static void lose_silent(struct bench *b) {
    uint64_t now = bench_clock();
    for (uint32_t i = 0; i < b->nnodes; i++) {
        struct bench_node *n = &b->nodes[i];
        if (!n->lost && n->asked && now - n->since > b->node_timeout)
            node_lost(b, n, "it has not answered %s for %.3g s", command_names[n->asked],
                      (double)b->node_timeout / (double)SECOND);
    }
}

/* ---- asking ---- */

static bool ask_ready(struct bench *b, enum command command,
                      void (*make)(struct bench *b, struct bench_node *n, struct bytes *to)) {
    bool open = false;
    struct bytes message = {0};
    for (uint32_t i = 0; i < b->nnodes; i++) {
        struct bench_node *n = &b->nodes[i];
        if (!n->lost && n->wanted && !n->asked) {
            message.count = 0;
            put_number(&message, command, 1);
            if (make)
                make(b, n, &message);
            n->asked = (int)command;
            n->peeked = b->peeking;
            n->since = bench_clock();
            n->wanted = false;
            channel_send(&n->channel, &message);
        }
        open |= !n->lost && (n->wanted || n->asked);
    }
    free(message.at);
    return open;
}

void bench_ask(struct bench *b, enum command command,
               void (*make)(struct bench *b, struct bench_node *n, struct bytes *to), uint64_t until,
               bool must) {
    for (uint32_t i = 0; i < b->nnodes; i++)
        b->nodes[i].wanted = !b->nodes[i].lost;
    while (ask_ready(b, command, make) && bench_clock() < until) {
        uint64_t soon = bench_clock() + SECOND / 4;
        listen_once(b, soon < until ? soon : until, false);
        lose_silent(b);
    }
    for (uint32_t i = 0; must && i < b->nnodes; i++)
        if (!b->nodes[i].lost && (b->nodes[i].wanted || b->nodes[i].asked))
            node_lost(b, &b->nodes[i], "it has not answered %s in time", command_names[command]);
}

/* ---- connecting ---- */

/* True while some node is neither reached nor given up. */
static bool still_reaching(struct bench *b, uint64_t until) {
    bool reaching = false;
    uint64_t now = bench_clock();
    for (uint32_t i = 0; i < b->nnodes; i++) {
        struct bench_node *n = &b->nodes[i];
        if (n->lost || n->channel.state == CHANNEL_OPEN)
            continue;
        if (n->channel.state == CHANNEL_CLOSED && (!b->launch || now >= until))
            node_lost(b, n, "%s", n->channel.why);
        else if (n->channel.state == CHANNEL_CLOSED && now - n->channel.opened > RETRY)
            channel_connect(&n->channel, &n->at, &b->key, now);
        else if (now >= until)
            node_lost(b, n, "it did not answer within %.3g s", (double)b->connect_timeout / (double)SECOND);
        reaching |= !n->lost;
    }
    return reaching;
}

void bench_connect(struct bench *b) {
    uint64_t until = bench_clock() + b->connect_timeout;
    for (uint32_t i = 0; i < b->nnodes; i++)
        channel_connect(&b->nodes[i].channel, &b->nodes[i].at, &b->key, bench_clock());
    while (!b->interrupted && still_reaching(b, until)) {
        listen_once(b, bench_clock() + SECOND / 20, true);
        launch_watch(b);
    }
}
