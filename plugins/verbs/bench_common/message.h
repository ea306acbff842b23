/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of every test message, 40 bytes, little-endian. A message of --size 64 has a body of 24.
 */
#ifndef RECKON_BENCH_MESSAGE_H
#define RECKON_BENCH_MESSAGE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "plan.h"

#define HEAD_SIZE 40u

enum message_kind {
    MESSAGE_REQUEST = 1, /* ping: stamp is when it was sent */
    MESSAGE_REPLY,       /* ping: the request's slot, number and stamp */
    MESSAGE_FRAME,       /* mrr */
    MESSAGE_OFFER,       /* bulk, to the server: a buffer of stamp bytes waits to be pulled */
    MESSAGE_GRANT,       /* bulk: the other side may send the buffer up to byte stamp */
    MESSAGE_DATA,        /* bulk: bytes of the buffer from stamp on */
    MESSAGE_DONE,        /* bulk, to the server: all of it is back */
    MESSAGE_REFUSED,     /* bulk, to the client: no buffer for it, or nonsense */
};

struct head {
    unsigned char secret[8]; /* the first half of the test's */
    uint8_t kind, zero;
    uint16_t trial;  /* mrr */
    uint32_t pair;   /* its number at the receiver */
    uint32_t slot;   /* which of the pair's messages or buffers under way */
    uint32_t length; /* of the whole message */
    uint64_t number; /* of the message or transfer, from 0 */
    uint64_t stamp;
};
_Static_assert(sizeof(struct head) == HEAD_SIZE, "no padding");

/* To and from the wire: the same bytes either way; nothing on a little-endian machine. */
static inline void head_swap(struct head *h) {
    h->trial = htole16(h->trial);
    h->pair = htole32(h->pair);
    h->slot = htole32(h->slot);
    h->length = htole32(h->length);
    h->number = htole64(h->number);
    h->stamp = htole64(h->stamp);
}

#endif
