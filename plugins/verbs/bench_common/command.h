/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands and answers between console and node. A message is one byte that says what it is, then its own
 * fields; an answer is the command's byte + 128, or COMMAND_REFUSED and the reason.
 *
 *   INIT       a plan                                      -> the address of each worker
 *   START      ns until it begins, each pair's peer        -> nothing
 *   STATUS     enum status                                 -> a report
 *   STOP       nothing: send no more test messages         -> nothing
 *   STOP       for each pair: what its client offered      -> nothing; the books are closed
 *   STOP_DONE  nothing: forget the peers                   -> nothing
 */
#ifndef RECKON_BENCH_COMMAND_H
#define RECKON_BENCH_COMMAND_H

#include "histogram.h"
#include "plan.h"

enum command {
    COMMAND_INIT = 1,
    COMMAND_START,
    COMMAND_STATUS,
    COMMAND_STOP,
    COMMAND_STOP_DONE,
    COMMAND_ANSWER = 128,
    COMMAND_REFUSED = 255,
};

enum status {
    STATUS_ALL,    /* counts, and what was measured since the last such STATUS */
    STATUS_COUNTS, /* counts alone */
    STATUS_TRIALS, /* and what each trial of mrr saw, once the books are closed */
};

/* What one side of a pair has counted since START. */
struct tally {
    uint64_t total;   /* client: messages or transfers it began; server: those that reached it, and from the
                         closing of   the books on also those that never did */
    uint64_t failed;  /* of them, lost, timed out, or discarded */
    uint64_t bad;     /* messages that made no sense; bulk with --check: buffers that came back changed */
    uint64_t arrived; /* messages or transfers that came: replies at a client, requests at a server */
    uint64_t late;    /* replies after their timeout, or twice; in none of the others */
    uint64_t sent_bytes, received_bytes; /* whole messages; bulk: buffers transferred */
    uint64_t first, last; /* ns since START: the first message, the last that was answered or came; 0: none */
    uint64_t shortened;   /* with the books closed: those of `failed` that never reached this server */
};
/* Adds what `other` counted; times become the earliest and the latest. */
void tally_merge(struct tally *into, const struct tally *other);

/* What a pair's client measured. */
struct pair_report {
    struct tally tally;
    bool lost;            /* the transport lost the peer */
    uint32_t error;       /* errno of that */
    struct sample rtt;    /* since START, ns */
    struct sample recent; /* since the last STATUS */
    double p50, p99;      /* ns; blank: none */
    double recent_p50, recent_p99;
};

/* One trial of a pair. */
struct trial_report {
    uint64_t count; /* sent by a client, arrived at a server */
    uint64_t span;  /* ns from the first to the last of them */
};

struct report {
    uint32_t state;        /* enum node_state */
    bool sending;          /* some client here may still send */
    bool drained;          /* nothing that it sent is waited for any more */
    uint64_t active;       /* ns of sending so far */
    uint64_t strangers;    /* messages of nobody announced */
    double busiest_worker; /* percent of a core since the last STATUS; blank: unknown */
    double busiest_core, busiest_softirq;
    struct histogram recent; /* RTT of all pairs since the last STATUS */
    uint32_t npairs, ntrials;
    struct pair_report *pairs;   /* as many as the plan has; free() */
    struct trial_report *trials; /* ntrials for each pair; free(); NULL unless asked for */
};
void report_free(struct report *r);

void put_report(struct bytes *to, const struct report *r);
/* False when the bytes hold no report of `pairs` pairs: nothing is left to free then. */
bool get_report(struct reader *from, struct report *r, uint32_t pairs);

#endif
