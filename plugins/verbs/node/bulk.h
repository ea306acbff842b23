/* SPDX-License-Identifier: Apache-2.0
 *
 * Drill `bulk`: the client offers a buffer; the server pulls it, and pushes it back into another one. A
 * transfer is the same record on both sides: bytes that go out, bytes that come in, and small messages around
 * them. Whoever takes in bytes grants them first, a window at a time where a transport may lose some.
 */
#ifndef RECKON_NODE_BULK_H
#define RECKON_NODE_BULK_H

#include "../bench_common/states.h"
#include "flights.h"

/* Small messages a transfer wants to send; each a bit. */
enum wanted { WANTS_OFFER = 1, WANTS_GRANT = 2, WANTS_DONE = 4 };

struct transfer {
    struct flight flight; /* first */
    int state;            /* of the client's or the server's machine */
    uint64_t number;      /* of the transfer, from 0 in each pair */
    uint32_t pair, slot;  /* the pair's place; which of the client's buffer pairs it is */
    uint32_t next_free;   /* in the list of those not in use */
    uint32_t next[2];     /* in the queues of its pair */
    bool queued[2];
    unsigned wants;
    uint32_t sent, allowed;     /* bytes out, of them granted by the other side */
    uint32_t received, granted; /* bytes in */
    unsigned char *out, *in;    /* a server's are one */
    uint64_t *pieces;           /* which pieces have come, a bit each */
};

/* A pair sends small messages first, and then bytes, of the transfer that began first: were they mixed, all
 * transfers would end at once, and one direction idle while the other works. */
enum { QUEUE_SMALL, QUEUE_BYTES, QUEUES };

struct queue {
    uint32_t first, last;
};

/* What bulk keeps of a pair. */
struct bulk_pair {
    struct queue queues[QUEUES];
    uint32_t free;     /* client: its unused buffer pairs */
    uint32_t base;     /* client: its first transfer; server: its first place in .by_slot and .refusals */
    uint32_t refusals; /* server: how many wait to go */
};

struct refusal {
    uint64_t number;
    uint32_t slot;
};

struct bulk {
    struct flights flights; /* of transfers */
    struct transfer *transfers;
    uint32_t ntransfers;
    uint32_t free;           /* server: its unused buffers */
    uint32_t npieces, words; /* of a transfer; words of its bit map */
    unsigned char *buffers;
    uint64_t *pieces;
    struct bulk_pair *pairs;
    uint32_t *by_slot; /* server: the transfer of each slot of each client; NOBODY */
    struct refusal *refused;
};

static inline struct bulk *bulk_of(const struct worker *w) {
    return w->own;
}
static inline uint32_t index_of(const struct bulk *g, const struct transfer *t) {
    return (uint32_t)(t - g->transfers);
}

/* The transfer has a small message to send; it may have bytes to send; it has nothing any more. */
void transfer_wants(struct worker *w, struct transfer *t, unsigned wanted);
void transfer_sends(struct worker *w, struct transfer *t);
void transfer_unqueue(struct worker *w, struct transfer *t);
/* Takes it in hand: nothing sent, nothing received. */
void transfer_begin(struct worker *w, struct transfer *t, uint64_t now);
/* Steps its machine; nothing happens when that is forbidden (false). */
bool transfer_step(const struct machine *m, struct transfer *t, int event);
/* How many more bytes of the buffer may be on their way to us, as of now; grants them. True when that is
 * news. */
bool transfer_grants(const struct worker *w, struct transfer *t);

/* Client. */
void bulk_client_begin(struct worker *w, struct pair *p, uint64_t now); /* what may begin */
void bulk_client_taken(struct worker *w, struct pair *p, struct transfer *t, const struct head *h);
void bulk_client_whole(struct worker *w, struct pair *p, struct transfer *t,
                       uint64_t when); /* it is all back */
void bulk_client_fail(struct worker *w, struct pair *p, struct transfer *t);
/* Server. */
void bulk_server_offer(struct worker *w, struct pair *p, const struct head *h, uint64_t when);
void bulk_server_whole(struct worker *w, struct pair *p, struct transfer *t); /* it is all here */
void bulk_server_done(struct worker *w, struct pair *p,
                      struct transfer *t); /* it is all back at the client */
void bulk_server_fail(struct worker *w, struct pair *p, struct transfer *t);

#endif
