/* SPDX-License-Identifier: Apache-2.0
 *
 * The test console: which nodes and pairs take part, what they said last, and who writes it down.
 */
#ifndef RECKON_BENCH_BENCH_H
#define RECKON_BENCH_BENCH_H

#include <sys/types.h>

#include <reckon/plugin.h>
#include <reckon/transport.h>

#include "../bench_common/channel.h"
#include "../bench_common/command.h"
#include "../bench_common/states.h"

#define SECOND UINT64_C(1000000000)

/* A pair: a client that sends to a server. */
struct duo {
    uint32_t client, server;       /* nodes */
    uint32_t at_client, at_server; /* its number in their plans; RECKON_NONE while it is in none */
    const char *lost;              /* why it was not measured to the end; NULL */
};

struct bench_node {
    const char *name;
    struct address at;
    bool client, server;
    struct channel channel;
    const char *lost; /* why it is out of the test; NULL */
    bool done;        /* it has forgotten the test, as it should: it may hang up */
    pid_t launched;   /* the process that launches it; 0: none */
    /* what it was asked and has not answered */
    bool wanted;
    int asked;   /* enum command; 0: nothing */
    bool peeked; /* of a STATUS: for counts alone */
    uint64_t since;
    /* its part */
    struct address data[PLAN_MOST_WORKERS]; /* where its workers take test messages */
    uint32_t npairs;
    uint32_t *duos;           /* the pairs of its plan, in their order */
    bool reported;            /* since they were last looked at */
    struct report now;        /* what it said last */
    struct pair_report *then; /* what it had said when an interval last ended */
    uint64_t then_active;
    double busiest_core, busiest_softirq, busiest_worker; /* the most of all intervals */
};

struct bench;

/* Somebody who writes results down. Any function may be NULL; each returns -1 after an error. */
struct result {
    /* The nodes are ready. What `own` is set to, in the session's memory, comes back with every call. */
    int (*begin)(struct bench *b, void **own);
    /* Node n has reported, at `ts`, after `seconds` more of sending. */
    int (*interval)(struct bench *b, void *own, uint32_t n, double ts, double seconds);
    /* The test is over, and all that the nodes counted is here. */
    int (*end)(struct bench *b, void *own);
};

struct bench {
    struct reckon *r;
    struct plan plan; /* what all nodes are told; no pairs */
    const struct reckon_transport *transport;
    struct key key;
    bool has_key;
    struct bench_node *nodes;
    uint32_t nnodes;
    struct duo *duos;
    uint32_t nduos;
    const char *out, *idle_out, *label, *launch, *program, *key_file;
    double live;       /* seconds; blank: no */
    uint64_t interval; /* ns */
    uint64_t node_timeout, connect_timeout;
    double mtu;
    int signals; /* a signalfd */
    bool interrupted;
    bool peeking;            /* STATUS asks for counts alone */
    bool ending;             /* STOP_DONE ends it for good */
    double started;          /* seconds since 1970 */
    uint64_t zero;           /* monotonic ns of the beginning */
    struct histogram recent; /* RTTs of all nodes, since the last live line */
    struct histogram all;    /* since the beginning */
};

uint64_t bench_clock(void);
double bench_date(void);
/* Whether results go into mx's columns: udp messages that fit into one packet each, with one answer each. */
bool bench_is_mx(const struct bench *b);

/* ---- hosts.c: who takes part ---- */

/* Reads --clients and --servers into nodes and pairs. */
int bench_hosts(struct bench *b, const char *clients, const char *servers);
void bench_free(struct bench *b);

/* ---- console.c: talking to nodes ---- */

/* The node is out. Its pairs are lost. */
void node_lost(struct bench *b, struct bench_node *n, const char *fmt, ...) RECKON_PRINTF(3, 4);
/* Connects to all; those that cannot be reached in time are lost. */
void bench_connect(struct bench *b);
/* Gives all nodes that are not lost a command, as `make` puts it together, and waits until all have answered,
 * or until the clock says `until`; with `must` those that have not answered by then are lost. */
void bench_ask(struct bench *b, enum command command,
               void (*make)(struct bench *b, struct bench_node *n, struct bytes *to), uint64_t until,
               bool must);
/* Waits so long, listening to nodes and signals. */
void bench_pause(struct bench *b, uint64_t until);
uint32_t nodes_left(const struct bench *b);

/* ---- phases.c: a test from INIT to STOP_DONE ---- */

int bench_run(struct bench *b, const struct result *const *results, size_t nresults);

/* ---- launch.c ---- */

/* Starts the nodes' programs with --launch. */
int bench_launch(struct bench *b);
/* Notices that a launching program has ended, and names its host. */
void launch_watch(struct bench *b);
/* Waits for what was launched, and ends what does not end. */
void launch_end(struct bench *b);

/* ---- figures.c: sums and differences ---- */

/* Whether number k of node n is its pair's client: a node that tests itself has the pair twice. */
bool duo_is_client(const struct bench *b, const struct bench_node *n, uint32_t k);
/* The other node of its pair k. */
const struct bench_node *duo_peer(const struct bench *b, const struct bench_node *n, uint32_t k);

/* What a pair's client or server said last; NULL when its node has said nothing. */
const struct pair_report *duo_client(const struct bench *b, const struct duo *d);
const struct pair_report *duo_server(const struct bench *b, const struct duo *d);
/* What was counted between `then` and `now`; without times. */
struct tally tally_since(const struct tally *now, const struct tally *then);
/* What it counted since the interval before; false when there is nothing new. */
bool pair_since(const struct bench_node *n, uint32_t pair, struct tally *since);
/* Whether both its nodes take part and have answered the last question: else what it did since the answer
 * before is not measured, whatever one of them counts. */
bool duo_heard(const struct bench *b, const struct duo *d);
/* Sums over the pairs that were measured to the end. */
struct totals {
    struct tally clients, servers; /* nothing when there is no such pair */
    struct sample rtt;             /* of every answer of any pair */
    uint32_t pairs_lost, nodes_lost, pairs_whole;
};
void bench_totals(const struct bench *b, struct totals *t);
/* Seconds from a pair's first message to its last, on that side; blank for none. */
double tally_seconds(const struct tally *t);
/* Messages answered (bulk: transfers), or frames received, a second: over all intervals. Blank for less than
 * two, and for a pair that was lost: nobody knows how long it worked. */
double duo_rate(const struct bench *b, const struct duo *d);
/* Mb/s of test messages that arrived, to the server and to the client. Blank for none, for one single
 * message, and for a pair that was lost; a single transfer of bulk has a bandwidth. */
double duo_mbps(const struct bench *b, const struct duo *d, bool to_server);
/* mrr: how many trials every client that is left has ended: not those that the test's end cut short, nor
 * those that never began. */
uint32_t bench_trials(const struct bench *b);
/* mrr: frames a second that arrived in a trial; blank when it cannot be known. And how many were sent and
 * arrived. */
double duo_trial(const struct bench *b, const struct duo *d, uint32_t trial, uint64_t *sent,
                 uint64_t *arrived);
/* Nanoseconds in microseconds. */
static inline double bench_us(double ns) {
    return ns / 1000;
}

/* ---- report.c: what is said at the end ---- */

void bench_report(const struct bench *b);
void bench_parsable(const struct bench *b);

/* ---- who writes results down ---- */

extern const struct result result_mx, result_iperf, result_idle, result_summary, result_samples, result_live;

#endif
