/* SPDX-License-Identifier: Apache-2.0
 *
 * The connection between console and node: greetings, then whole sealed messages. It never blocks: the owner
 * polls its socket and calls channel_work(). What comes from somebody without the key is bounded by the size
 * of a greeting.
 */
#ifndef RECKON_BENCH_CHANNEL_H
#define RECKON_BENCH_CHANNEL_H

#include "address.h"
#include "seal.h"

#define CHANNEL_LARGEST ((size_t)16 << 20) /* bytes of a sealed message */

enum channel_state {
    CHANNEL_CLOSED = 0, /* .why says why */
    CHANNEL_CONNECTING, /* of the console's side */
    CHANNEL_GREETING,   /* the other side's greeting has not come yet */
    CHANNEL_OPEN,
};

struct channel {
    int fd;
    enum channel_state state;
    bool console; /* this is the console's side */
    const struct key *key;
    unsigned char greeting[GREETING_SIZE]; /* the console's */
    struct seal seal_in, seal_out;
    struct bytes in, out;
    size_t in_at, out_at; /* what of them is done with */
    uint64_t opened;      /* when it began, ns */
    char why[128];
};

/* Takes over a connected socket, as the node. The key must live as long. */
void channel_accept(struct channel *c, int fd, const struct key *key, uint64_t now);
/* Begins to connect, as the console. */
void channel_connect(struct channel *c, const struct address *to, const struct key *key, uint64_t now);
void channel_close(struct channel *c, const char *why);
/* Frees what a closed channel holds. */
void channel_free(struct channel *c);

/* What to poll its socket for. */
short channel_events(const struct channel *c);
/* Reads and writes what can be; may close it. */
void channel_work(struct channel *c);
/* The next whole message, valid until the next call of anything here; false when there is none yet. */
bool channel_next(struct channel *c, struct reader *message);
/* Seals a message and sends it, or as much as goes now. */
void channel_send(struct channel *c, const struct bytes *message);

#endif
