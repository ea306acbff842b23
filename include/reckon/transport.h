/* SPDX-License-Identifier: Apache-2.0
 *
 * Transports: how test messages of `reckon node` travel. A module of the kind "transport" describes one:
 *
 *     static const struct reckon_transport transport = {.size = sizeof transport, .largest = 65507, .open =
 * …, …}; RECKON_PLUGIN(transport, udp) = {.name = "udp", .summary = "…", .transport = &transport};
 *
 * `--transport udp` then names it. An endpoint belongs to one thread; nothing here takes a lock. Everything
 * it needs exists when connect() returns: from then on it neither allocates nor opens anything, and it never
 * answers or reads for longer than it must a peer that was not added.
 */
#ifndef RECKON_TRANSPORT_H
#define RECKON_TRANSPORT_H

#include <sys/socket.h>

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RECKON_TRANSPORT_SECRET 16 /* bytes that all peers of a test know, and nobody else */

/* What happens at an endpoint. All are called from within connect() and wait(), lost() also from within
 * send(), on the endpoint's thread. */
struct reckon_transport_events {
    size_t size;
    void *user;
    /* A message of a peer begins: its first bytes (as many as setup.head) are here, `body` more are to come.
     * Returns where those go, `body` bytes that stay valid until the endpoint is closed; NULL: they are
     * dropped. */
    void *(*place)(void *user, uint32_t peer, const void *head, size_t body);
    /* It is here as a whole. `head` is valid during the call. `when` is the monotonic clock in ns as it was
     * read from the transport. A message shorter than a head, or longer than setup.largest, is no message: it
     * is counted. */
    void (*received)(void *user, uint32_t peer, const void *head, size_t body, uint64_t when);
    /* The peer, or RECKON_NONE for all, takes messages again after RECKON_BUSY. */
    void (*writable)(void *user, uint32_t peer);
    /* The peer is gone for good; error is an errno. Of a stream alone. */
    void (*lost)(void *user, uint32_t peer, int error);
};

struct reckon_transport_setup {
    size_t size;
    const struct sockaddr *address; /* where to receive; port 0: a free one */
    socklen_t length;
    const unsigned char *secret; /* RECKON_TRANSPORT_SECRET bytes */
    size_t head;                 /* bytes at the start of each message that are looked at first */
    size_t largest;              /* bytes of the largest message, head included */
    size_t peers;                /* how many will be added, at most */
    const struct reckon_transport_events *events;
};

struct reckon_transport_peer {
    size_t size;
    const struct sockaddr *address; /* where it receives */
    socklen_t length;
    uint32_t name; /* a stream: what both sides call this connection */
    bool opens;    /* a stream: this side opens the connection; else the peer does */
};

enum reckon_sent {
    RECKON_TAKEN = 0, /* it is on its way; the body must stay as it is until the endpoint is closed or the
                         peer answers */
    RECKON_BUSY,      /* no room now: try again once writable() was called */
    RECKON_GONE,      /* the peer is lost, or such a message cannot be sent to it */
};

struct reckon_message {
    uint32_t peer;    /* as add() numbered it */
    const void *head; /* setup.head bytes, no longer needed after send() */
    const void *body;
    size_t body_size;
    enum reckon_sent sent; /* what became of it */
};

struct reckon_transport_counts {
    size_t size;
    uint64_t strangers; /* messages or connections of nobody that was added */
    uint64_t malformed; /* messages of peers that were too short or too long */
};

struct reckon_endpoint;

struct reckon_transport {
    size_t size;
    bool stream;    /* messages arrive in order and whole, or the peer is lost; else each may be lost or come
                       twice */
    size_t largest; /* bytes of the largest message it can carry */
    /* Bytes that open() would take for such a setup. */
    size_t (*memory)(const struct reckon_transport_setup *setup);
    /* The setup's events must stay valid. NULL on failure, with errno. */
    struct reckon_endpoint *(*open)(const struct reckon_transport_setup *setup);
    /* Where the endpoint receives, its port filled in. 0, or -1 with errno. */
    int (*address)(const struct reckon_endpoint *e, struct sockaddr *address, socklen_t *length);
    /* Announces a peer. Its number, the same for the same peer; RECKON_NONE on failure, with errno. */
    uint32_t (*add)(struct reckon_endpoint *e, const struct reckon_transport_peer *peer);
    /* Once all are added: opens what must be open, until the monotonic clock (ns) says `until`, or half a second has
     * passed where that is later. Peers that cannot be reached by then are lost (events.lost). NULL: there is nothing to
     * open. */
    void (*connect)(struct reckon_endpoint *e, uint64_t until);
    /* Sends what goes without waiting; messages to one peer go in order. */
    void (*send)(struct reckon_endpoint *e, struct reckon_message *messages, size_t count);
    /* Waits at most ns nanoseconds for something to happen and handles it, a bounded piece of work. 0: does
     * not wait. A wait of 10 ms and more may end after 10 ms. */
    void (*wait)(struct reckon_endpoint *e, uint64_t ns);
    void (*counts)(const struct reckon_endpoint *e, struct reckon_transport_counts *counts);
    void (*close)(struct reckon_endpoint *e);
};

#ifdef __cplusplus
}
#endif
#endif
