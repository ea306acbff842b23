/* SPDX-License-Identifier: Apache-2.0
 *
 * The transports themselves: messages there and back, large ones in parts, and strangers, who get no byte.
 */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <reckon/plugin.h>
#include <reckon/transport.h>

void suite_bench_transport(void);

extern const struct reckon_module transport_udp_LTX_reckon_plugin, transport_tcp_LTX_reckon_plugin;
#define UDP (transport_udp_LTX_reckon_plugin.plugin->transport)
#define TCP (transport_tcp_LTX_reckon_plugin.plugin->transport)

#define HEAD 8u
static const unsigned char secret[RECKON_TRANSPORT_SECRET] = "0123456789abcde";

/* ---- an endpoint that notes what happens to it ---- */

struct end {
    const struct reckon_transport *transport;
    struct reckon_endpoint *endpoint;
    struct reckon_transport_events events;
    struct sockaddr_in at;
    unsigned messages, bytes, writable, lost;
    int error;
    unsigned char *body; /* where bodies go; NULL: nowhere */
    size_t last_body;
    char last_head[HEAD + 1];
};

static void *place(void *user, uint32_t peer, const void *head, size_t body) {
    struct end *e = user;
    (void)peer, (void)head, (void)body;
    return e->body;
}

static void received(void *user, uint32_t peer, const void *head, size_t body, uint64_t when) {
    struct end *e = user;
    (void)peer;
    CU_ASSERT(when > 0);
    memcpy(e->last_head, head, HEAD);
    e->last_body = body;
    e->messages++;
    e->bytes += (unsigned)body;
}

static void writable(void *user, uint32_t peer) {
    struct end *e = user;
    (void)peer;
    e->writable++;
}

static void lost(void *user, uint32_t peer, int error) {
    struct end *e = user;
    (void)peer;
    e->lost++;
    e->error = error;
}

static struct end *new_end(const struct reckon_transport *transport, size_t largest) {
    struct end *e = calloc(1, sizeof *e);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct reckon_transport_setup setup = {.size = sizeof setup,
                                           .address = (struct sockaddr *)&at,
                                           .length = sizeof at,
                                           .secret = secret,
                                           .head = HEAD,
                                           .largest = largest,
                                           .peers = 4,
                                           .events = &e->events};
    e->transport = transport;
    e->events = (struct reckon_transport_events){.size = sizeof e->events,
                                                 .user = e,
                                                 .place = place,
                                                 .received = received,
                                                 .writable = writable,
                                                 .lost = lost};
    CU_ASSERT(transport->memory(&setup) > 0);
    e->endpoint = transport->open(&setup);
    CU_ASSERT_PTR_NOT_NULL_FATAL(e->endpoint);
    socklen_t length = sizeof e->at;
    CU_ASSERT_EQUAL(transport->address(e->endpoint, (struct sockaddr *)&e->at, &length), 0);
    return e;
}

static void free_end(struct end *e) {
    e->transport->close(e->endpoint);
    free(e->body);
    free(e);
}

static uint32_t add(struct end *e, const struct sockaddr_in *at, uint32_t name, bool opens) {
    struct reckon_transport_peer peer = {.size = sizeof peer,
                                         .address = (const struct sockaddr *)at,
                                         .length = sizeof *at,
                                         .name = name,
                                         .opens = opens};
    return e->transport->add(e->endpoint, &peer);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Gives both turns until the second has n messages, two seconds at most. */
static void until_messages(struct end *a, struct end *b, unsigned n) {
    for (uint64_t until = now() + 2000000000u; b->messages < n && now() < until;) {
        a->transport->wait(a->endpoint, 0);
        b->transport->wait(b->endpoint, 1000000);
    }
    CU_ASSERT_EQUAL(b->messages, n);
}

static enum reckon_sent send_one(struct end *e, uint32_t peer, const char *head, const void *body,
                                 size_t size) {
    struct reckon_message m = {.peer = peer, .head = head, .body = body, .body_size = size};
    e->transport->send(e->endpoint, &m, 1);
    return m.sent;
}

/* ---- udp ---- */

static void datagrams(void) {
    struct end *a = new_end(UDP, 2000), *b = new_end(UDP, 2000);
    b->body = calloc(1, 2000);
    uint32_t to_b = add(a, &b->at, 0, true), to_a = add(b, &a->at, 0, false);
    CU_ASSERT_EQUAL(add(a, &b->at, 7, true), to_b); /* the same address is the same peer */
    CU_ASSERT_PTR_NULL(UDP->connect);
    CU_ASSERT_EQUAL(send_one(a, to_b, "headhead", "body", 4), RECKON_TAKEN);
    until_messages(a, b, 1);
    CU_ASSERT_STRING_EQUAL(b->last_head, "headhead");
    CU_ASSERT_NSTRING_EQUAL(b->body, "body", 4);
    CU_ASSERT_EQUAL(send_one(b, to_a, "HEADHEAD", "", 0), RECKON_TAKEN); /* no body at all */
    until_messages(b, a, 1);
    CU_ASSERT_EQUAL(a->last_body, 0);
    free_end(a);
    free_end(b);
}

/* A batch of more than one call's worth. */
static void many_datagrams(void) {
    struct end *a = new_end(UDP, 100), *b = new_end(UDP, 100);
    uint32_t to_b = add(a, &b->at, 0, true);
    add(b, &a->at, 0, false);
    struct reckon_message m[150];
    for (size_t i = 0; i < 150; i++)
        m[i] = (struct reckon_message){.peer = to_b, .head = "headhead", .body = "bodybody", .body_size = 8};
    UDP->send(a->endpoint, m, 150);
    for (size_t i = 0; i < 150; i++)
        CU_ASSERT_EQUAL(m[i].sent, RECKON_TAKEN);
    until_messages(a, b, 150);
    CU_ASSERT_EQUAL(b->bytes, 1200);
    free_end(a);
    free_end(b);
}

static void strange_datagrams(void) {
    struct end *a = new_end(UDP, 100), *b = new_end(UDP, 100), *stranger = new_end(UDP, 4000);
    uint32_t to_b = add(a, &b->at, 0, true), unasked = add(stranger, &b->at, 0, true);
    static const char large[3000];
    add(b, &a->at, 0, false);
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(send_one(stranger, unasked, "headhead", "x", 1), RECKON_TAKEN);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CU_ASSERT_EQUAL(sendto(fd, "", 0, 0, (struct sockaddr *)&b->at, sizeof b->at),
                    0); /* empty, of a stranger */
    close(fd);
    CU_ASSERT_EQUAL(send_one(a, to_b, "headhead", large, 500), RECKON_TAKEN); /* of a peer, but too long */
    CU_ASSERT_EQUAL(send_one(a, to_b, "headhead", "y", 1), RECKON_TAKEN);
    until_messages(a, b, 1);
    struct reckon_transport_counts counts = {.size = sizeof counts};
    UDP->counts(b->endpoint, &counts);
    CU_ASSERT_EQUAL(counts.strangers, 11);
    CU_ASSERT_EQUAL(counts.malformed, 1);
    stranger->transport->wait(stranger->endpoint, 20000000);
    UDP->counts(stranger->endpoint, &counts);
    CU_ASSERT_EQUAL(stranger->messages, 0); /* it got nothing back */
    free_end(a);
    free_end(b);
    free_end(stranger);
}

static void impossible_datagram(void) {
    struct end *a = new_end(UDP, 100);
    struct sockaddr_in nowhere = a->at;
    nowhere.sin_port = 0;
    CU_ASSERT_EQUAL(send_one(a, add(a, &nowhere, 0, true), "headhead", "", 0), RECKON_GONE);
    free_end(a);
}

/* ---- tcp ---- */

static void *connect_end(void *user) {
    struct end *e = user;
    e->transport->connect(e->endpoint, now() + 1000000000u);
    return NULL;
}

/* Two ends with one connection between them, which a opens. */
static void meet(struct end *a, struct end *b) {
    pthread_t thread;
    add(a, &b->at, 5, true);
    add(b, &a->at, 5, false);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, connect_end, b), 0);
    connect_end(a);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(a->lost + b->lost, 0);
}

static void streams(void) {
    struct end *a = new_end(TCP, 2000), *b = new_end(TCP, 2000);
    b->body = calloc(1, 2000);
    meet(a, b);
    CU_ASSERT_EQUAL(send_one(a, 0, "headhead", "body", 4), RECKON_TAKEN);
    CU_ASSERT_EQUAL(send_one(a, 0, "HEADHEAD", "", 0), RECKON_TAKEN);
    until_messages(a, b, 2);
    CU_ASSERT_STRING_EQUAL(b->last_head, "HEADHEAD");
    CU_ASSERT_NSTRING_EQUAL(b->body, "body", 4);
    CU_ASSERT_EQUAL(send_one(b, 0, "backback", "x", 1), RECKON_TAKEN);
    until_messages(b, a, 1);
    CU_ASSERT_STRING_EQUAL(a->last_head, "backback");
    free_end(a);
    free_end(b);
}

/* 8 MiB each: they go in parts, refused while one is on its way, and nothing of them is lost or changed. */
static void large_messages(void) {
    const size_t size = 8 << 20;
    struct end *a = new_end(TCP, size + HEAD), *b = new_end(TCP, size + HEAD);
    unsigned char *body = malloc(size);
    unsigned busy = 0, taken = 0;
    for (size_t i = 0; i < size; i++)
        body[i] = (unsigned char)(i * 7 >> 3);
    b->body = calloc(1, size);
    meet(a, b);
    for (uint64_t until = now() + 60000000000u; b->messages < 5 && now() < until;) {
        enum reckon_sent sent = taken < 5 ? send_one(a, 0, "headhead", body, size) : RECKON_BUSY;
        taken += sent == RECKON_TAKEN;
        busy += sent == RECKON_BUSY;
        a->transport->wait(a->endpoint, 0);
        b->transport->wait(b->endpoint, 0);
    }
    CU_ASSERT_EQUAL(b->messages, 5);
    CU_ASSERT_EQUAL(taken, 5);
    CU_ASSERT(busy > 0 && a->writable > 0);
    CU_ASSERT_EQUAL(memcmp(b->body, body, size), 0);
    free(body);
    free_end(a);
    free_end(b);
}

static void dropped_bodies(void) {
    const size_t size = 300000;
    struct end *a = new_end(TCP, size + HEAD), *b = new_end(TCP, size + HEAD); /* b has no place for them */
    char *body = calloc(1, size);
    unsigned taken = 0;
    meet(a, b);
    for (uint64_t until = now() + 2000000000u; b->messages < 10 && now() < until;) {
        taken += taken < 10 && send_one(a, 0, "headhead", body, size) == RECKON_TAKEN;
        a->transport->wait(a->endpoint, 0);
        b->transport->wait(b->endpoint, 0);
    }
    CU_ASSERT_EQUAL(b->messages, 10);
    CU_ASSERT_EQUAL(b->bytes, 3000000);
    free(body);
    free_end(a);
    free_end(b);
}

/* What a caller that says `hello` hears before it is sent away: nothing. */
static ssize_t call(const struct sockaddr_in *at, const void *hello, size_t n, struct end *e) {
    char back[64];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CU_ASSERT_EQUAL(connect(fd, (const struct sockaddr *)at, sizeof *at), 0);
    if (n)
        CU_ASSERT_EQUAL(send(fd, hello, n, MSG_NOSIGNAL), (ssize_t)n);
    for (int i = 0; i < 5; i++)
        e->transport->wait(e->endpoint, 2000000);
    ssize_t came = recv(fd, back, sizeof back, MSG_DONTWAIT);
    close(fd);
    return came > 0 ? came : 0;
}

static void strange_callers(void) {
    struct end *b = new_end(TCP, 100);
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
                       elsewhere = from;
    unsigned char hello[RECKON_TRANSPORT_SECRET + 4] = {0};
    elsewhere.sin_addr.s_addr = htonl(0x7f000009u); /* 127.0.0.9 */
    add(b, &elsewhere, 5, false);
    memcpy(hello, secret, sizeof secret);
    hello[RECKON_TRANSPORT_SECRET] = 5;
    CU_ASSERT_EQUAL(call(&b->at, hello, sizeof hello, b), 0); /* from an address nobody announced */
    add(b, &from, 6, false);
    CU_ASSERT_EQUAL(call(&b->at, hello, sizeof hello, b), 0); /* the name is of another peer */
    hello[RECKON_TRANSPORT_SECRET] = 6;
    hello[0] ^= 1;
    CU_ASSERT_EQUAL(call(&b->at, hello, sizeof hello, b), 0); /* the secret is wrong */
    CU_ASSERT_EQUAL(call(&b->at, hello, 3, b), 0);            /* says too little, and hangs up */
    struct reckon_transport_counts counts = {.size = sizeof counts};
    for (int i = 0; i < 5; i++)
        b->transport->wait(b->endpoint, 2000000);
    TCP->counts(b->endpoint, &counts);
    CU_ASSERT_EQUAL(counts.strangers, 4);
    CU_ASSERT_EQUAL(b->messages, 0);
    free_end(b);
}

/* A peer that turns to nonsense after a good hello is lost, without a word. */
static void nonsense_on_a_stream(void) {
    struct end *b = new_end(TCP, 100);
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    unsigned char hello[RECKON_TRANSPORT_SECRET + 4 + 12] = {0};
    add(b, &from, 6, false);
    memcpy(hello, secret, sizeof secret);
    hello[RECKON_TRANSPORT_SECRET] = 6;
    memset(hello + RECKON_TRANSPORT_SECRET + 4, 0xff, 12); /* a message of 4 GiB */
    CU_ASSERT_EQUAL(call(&b->at, hello, sizeof hello, b), 0);
    for (int i = 0; i < 5; i++)
        b->transport->wait(b->endpoint, 2000000);
    CU_ASSERT_EQUAL(b->lost, 1);
    CU_ASSERT_EQUAL(b->error, EPROTO);
    CU_ASSERT_EQUAL(send_one(b, 0, "headhead", "", 0), RECKON_GONE);
    free_end(b);
}

static void nobody_comes(void) {
    struct end *b = new_end(TCP, 100);
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    add(b, &from, 6, false);
    uint64_t began = now();
    TCP->connect(b->endpoint, began); /* late already: it is given half a second all the same */
    CU_ASSERT(now() - began >= 500000000 && now() - began < 3000000000);
    CU_ASSERT_EQUAL(b->lost, 1);
    CU_ASSERT_EQUAL(b->error, ETIMEDOUT);
    int fd = socket(AF_INET, SOCK_STREAM, 0); /* and from then on nobody can */
    CU_ASSERT_EQUAL(connect(fd, (const struct sockaddr *)&b->at, sizeof b->at), -1);
    close(fd);
    free_end(b);
}

void suite_bench_transport(void) {
    CU_pSuite s = CU_add_suite("bench: transports", NULL, NULL);
    CU_add_test(s, "datagrams", datagrams);
    CU_add_test(s, "many datagrams", many_datagrams);
    CU_add_test(s, "datagrams of strangers", strange_datagrams);
    CU_add_test(s, "a datagram that cannot be sent", impossible_datagram);
    CU_add_test(s, "messages on a stream", streams);
    CU_add_test(s, "large messages, in parts", large_messages);
    CU_add_test(s, "bodies without a place", dropped_bodies);
    CU_add_test(s, "strange callers", strange_callers);
    CU_add_test(s, "nonsense on a stream", nonsense_on_a_stream);
    CU_add_test(s, "nobody comes", nobody_comes);
}
