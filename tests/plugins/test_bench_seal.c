/* SPDX-License-Identifier: Apache-2.0
 *
 * Who may command a node: keys, greetings, sealed messages, and the connection between console and node with
 * somebody in the middle who records, alters, replays and guesses.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../plugins/verbs/bench_common/channel.h"

void suite_bench_seal(void);

static struct key key_of(unsigned char byte) {
    struct key k;
    memset(&k, byte, sizeof k);
    return k;
}

/* ---- key files ---- */

static int read_key_of(size_t size, mode_t mode, struct key *key, const char **why) {
    char path[] = "/tmp/reckon-key-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    for (size_t i = 0; i < size; i++)
        CU_ASSERT_EQUAL(write(fd, &(unsigned char){(unsigned char)i}, 1), 1);
    fchmod(fd, mode);
    close(fd);
    int rc = key_read(key, path, why);
    unlink(path);
    return rc;
}

static void key_files(void) {
    struct key key;
    const char *why = NULL;
    CU_ASSERT_EQUAL(seal_library(), 0);
    CU_ASSERT_EQUAL(read_key_of(32, 0600, &key, &why), 0);
    CU_ASSERT_EQUAL(key.at[31], 31);
    CU_ASSERT_EQUAL(read_key_of(32, 0400, &key, &why), 0);
    CU_ASSERT_EQUAL(read_key_of(31, 0600, &key, &why), -1);
    CU_ASSERT_EQUAL(read_key_of(33, 0600, &key, &why), -1);
    CU_ASSERT_EQUAL(read_key_of(0, 0600, &key, &why), -1);
    CU_ASSERT_EQUAL(read_key_of(32, 0640, &key, &why), -1);
    CU_ASSERT_EQUAL(read_key_of(32, 0604, &key, &why), -1);
    CU_ASSERT_EQUAL(key_read(&key, "/tmp/no such key", &why), -1);
    CU_ASSERT_STRING_EQUAL(why, "No such file or directory");
    CU_ASSERT_EQUAL(key_read(&key, "/tmp", &why), -1);
    CU_ASSERT_EQUAL(key_read(&key, NULL, &why), 0); /* no file: the key that everybody knows */
}

/* ---- greetings ---- */

static void greetings(void) {
    struct key ours = key_of(1), theirs = key_of(2);
    unsigned char hello[GREETING_SIZE], other[GREETING_SIZE], answer[GREETING_SIZE];
    greeting_make(hello, &ours);
    greeting_make(other, &ours);
    CU_ASSERT_NOT_EQUAL(memcmp(hello, other, GREETING_SIZE), 0); /* fresh every time */
    CU_ASSERT(greeting_is_genuine(hello, NULL, &ours));
    CU_ASSERT_FALSE(greeting_is_genuine(hello, NULL, &theirs));
    greeting_answer(answer, hello, &ours);
    CU_ASSERT(greeting_is_genuine(answer, hello, &ours));
    CU_ASSERT_FALSE(greeting_is_genuine(answer, other, &ours)); /* an answer to another greeting */
    CU_ASSERT_FALSE(greeting_is_genuine(answer, NULL, &ours));  /* is no greeting itself */
    CU_ASSERT_FALSE(greeting_is_genuine(hello, hello, &ours));  /* nor is a greeting its own answer */
    for (size_t bit = 0; bit < 8 * GREETING_SIZE; bit++) {
        hello[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CU_ASSERT_FALSE(greeting_is_genuine(hello, NULL, &ours));
        hello[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

/* ---- sealed messages ---- */

struct line { /* two directions with agreed keys, as console and node have them */
    struct seal console_out, console_in, node_in, node_out;
};

static struct line line_of(const struct key *key) {
    struct line l;
    unsigned char hello[GREETING_SIZE], answer[GREETING_SIZE];
    greeting_make(hello, key);
    greeting_answer(answer, hello, key);
    seal_agree(&l.console_out, &l.console_in, hello, answer, key);
    seal_agree(&l.node_in, &l.node_out, hello, answer, key);
    return l;
}

/* Opens a copy: the text's length, or -1. */
static ptrdiff_t opened(struct seal *s, const struct bytes *sealed) {
    unsigned char text[256];
    memcpy(text, sealed->at + 4, sealed->count - 4);
    return seal_open(s, text, sealed->count - 4);
}

static struct bytes sealed(struct seal *s, const char *text) {
    struct bytes b = {0};
    seal_put(s, &b, text, strlen(text));
    return b;
}

static void messages(void) {
    struct key key = key_of(7);
    struct line l = line_of(&key);
    struct bytes first = sealed(&l.console_out, "first"), second = sealed(&l.console_out, "second"),
                 empty = sealed(&l.console_out, "");
    CU_ASSERT_EQUAL(first.count, 4 + 5 + SEAL_EXTRA);
    CU_ASSERT_PTR_NULL(memmem(first.at, first.count, "first", 5)); /* not readable on the way */
    CU_ASSERT_EQUAL(opened(&l.node_in, &first), 5);
    CU_ASSERT_EQUAL(opened(&l.node_in, &second), 6);
    CU_ASSERT_EQUAL(opened(&l.node_in, &empty), 0);
    free(first.at);
    free(second.at);
    free(empty.at);
}

static void forgeries(void) {
    struct key key = key_of(7);
    struct line l = line_of(&key), later = line_of(&key);
    struct bytes first = sealed(&l.console_out, "first"), second = sealed(&l.console_out, "second");
    struct seal fresh = l.node_in;
    CU_ASSERT_EQUAL(opened(&fresh, &second), -1); /* out of order */
    fresh = l.node_in;
    CU_ASSERT_EQUAL(opened(&fresh, &first), 5);
    CU_ASSERT_EQUAL(opened(&fresh, &first), -1); /* a second time */
    fresh = l.console_in;
    CU_ASSERT_EQUAL(opened(&fresh, &first), -1); /* back to where it came from */
    fresh = later.node_in;
    CU_ASSERT_EQUAL(opened(&fresh, &first), -1); /* in another connection with the same key */
    for (size_t bit = 0; bit < 8 * (first.count - 4); bit++) {
        fresh = l.node_in;
        first.at[4 + bit / 8] ^= (unsigned char)(1 << bit % 8);
        CU_ASSERT_EQUAL(opened(&fresh, &first), -1);
        first.at[4 + bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    fresh = l.node_in;
    first.count--;
    CU_ASSERT_EQUAL(opened(&fresh, &first), -1); /* cut off */
    first.count = 4 + SEAL_EXTRA - 1;
    CU_ASSERT_EQUAL(opened(&fresh, &first), -1);
    free(first.at);
    free(second.at);
}

/* ---- the connection ---- */

struct ends {
    int listener;
    struct channel console, node;
    struct key console_key, node_key;
};

static void meet(struct ends *e, unsigned char console_key, unsigned char node_key) {
    struct address at = {.length = sizeof at.v4};
    *e = (struct ends){.console_key = key_of(console_key), .node_key = key_of(node_key)};
    at.v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    e->listener = socket(AF_INET, SOCK_STREAM, 0);
    CU_ASSERT_EQUAL_FATAL(bind(e->listener, &at.any, at.length), 0);
    CU_ASSERT_EQUAL_FATAL(listen(e->listener, 1), 0);
    getsockname(e->listener, &at.any, &at.length);
    channel_connect(&e->console, &at, &e->console_key, 0);
    channel_accept(&e->node, accept(e->listener, NULL, NULL), &e->node_key, 0);
}

static void part(struct ends *e) {
    channel_close(&e->console, "over");
    channel_close(&e->node, "over");
    channel_free(&e->console);
    channel_free(&e->node);
    close(e->listener);
}

/* Gives both sides a few turns. */
static void turns(struct ends *e, int n) {
    for (int i = 0; i < n; i++) {
        struct pollfd fds[2] = {{.fd = e->console.fd, .events = channel_events(&e->console)},
                                {.fd = e->node.fd, .events = channel_events(&e->node)}};
        poll(fds, 2, 20);
        if (fds[0].revents && e->console.state)
            channel_work(&e->console);
        if (fds[1].revents && e->node.state)
            channel_work(&e->node);
    }
}

static void say(struct channel *c, const char *text) {
    struct bytes b = {0};
    put_raw(&b, text, strlen(text));
    channel_send(c, &b);
    free(b.at);
}

static bool hears(struct channel *c, const char *text) {
    struct reader r;
    return channel_next(c, &r) && r.left == strlen(text) && !memcmp(r.at, text, r.left);
}

static void conversation(void) {
    struct ends e;
    meet(&e, 1, 1);
    turns(&e, 8);
    CU_ASSERT_EQUAL(e.console.state, CHANNEL_OPEN);
    CU_ASSERT_EQUAL(e.node.state, CHANNEL_OPEN);
    say(&e.console, "INIT");
    say(&e.console, "START");
    turns(&e, 4);
    CU_ASSERT(hears(&e.node, "INIT"));
    CU_ASSERT(hears(&e.node, "START"));
    CU_ASSERT_FALSE(hears(&e.node, ""));
    say(&e.node, "yes");
    turns(&e, 4);
    CU_ASSERT(hears(&e.console, "yes"));
    part(&e);
}

/* More than a socket takes at once, both ways. */
static void large_messages(void) {
    struct ends e;
    struct reader r;
    bool came = false;
    struct bytes large = {.at = malloc(3 << 20), .count = 3 << 20, .cap = 3 << 20};
    memset(large.at, 'x', large.count);
    meet(&e, 1, 1);
    turns(&e, 8);
    channel_send(&e.console, &large);
    for (int i = 0; i < 2000 && !came; i++) {
        turns(&e, 1);
        came = channel_next(&e.node, &r);
    }
    CU_ASSERT(came && r.left == large.count && r.at[large.count - 1] == 'x');
    free(large.at);
    part(&e);
}

/* A node that hears the wrong key, or noise, says nothing at all. */
static void wrong_key(void) {
    struct ends e;
    meet(&e, 1, 2);
    turns(&e, 8);
    CU_ASSERT_EQUAL(e.node.state, CHANNEL_CLOSED);
    CU_ASSERT_EQUAL(e.console.state, CHANNEL_CLOSED);
    CU_ASSERT_EQUAL(e.console.in.count, 0);
    part(&e);
}

/* Sends raw bytes to a node and says how many come back before it hangs up or falls silent. */
static ssize_t reply_to(const void *bytes, size_t n, bool *hung_up) {
    struct key key = key_of(1);
    struct channel node;
    int pair[2];
    char back[4096];
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    channel_accept(&node, pair[1], &key, 0);
    CU_ASSERT_EQUAL(send(pair[0], bytes, n, MSG_NOSIGNAL), (ssize_t)n);
    for (int i = 0; i < 4 && node.state; i++)
        channel_work(&node);
    struct reader r;
    CU_ASSERT_FALSE(channel_next(&node, &r)); /* never a command */
    *hung_up = node.state == CHANNEL_CLOSED;
    ssize_t came = recv(pair[0], back, sizeof back, MSG_DONTWAIT);
    channel_close(&node, "over");
    channel_free(&node);
    close(pair[0]);
    return came > 0 ? came : 0;
}

static void noise(void) {
    unsigned char bytes[4096];
    bool hung_up;
    memset(bytes, 'A', sizeof bytes);
    CU_ASSERT_EQUAL(reply_to(bytes, 10, &hung_up), 0); /* too little to judge: silence */
    CU_ASSERT_FALSE(hung_up);
    CU_ASSERT_EQUAL(reply_to(bytes, sizeof bytes, &hung_up), 0);
    CU_ASSERT(hung_up);
    CU_ASSERT_EQUAL(
        reply_to("GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: something that talks a lot, or so\r\n\r\n", 74,
                 &hung_up),
        0);
    CU_ASSERT(hung_up);
}

/* What a console said to a node once, said to it again: the greeting is good, but no command is. */
static void replay(void) {
    struct key key = key_of(1);
    struct bytes recorded = {0};
    unsigned char hello[GREETING_SIZE], answer[GREETING_SIZE];
    struct seal to_node, to_console;
    bool hung_up;
    greeting_make(hello, &key);
    greeting_answer(answer, hello, &key);
    seal_agree(&to_node, &to_console, hello, answer, &key);
    put_raw(&recorded, hello, sizeof hello);
    seal_put(&to_node, &recorded, "\x01INIT", 5);
    CU_ASSERT_EQUAL(reply_to(recorded.at, recorded.count, &hung_up), GREETING_SIZE);
    CU_ASSERT(hung_up);
    free(recorded.at);
}

/* A length beyond all bounds ends the connection before anything is allocated for it. */
static void too_long(void) {
    struct ends e;
    meet(&e, 1, 1);
    turns(&e, 8);
    CU_ASSERT_EQUAL(send(e.console.fd, "\xff\xff\xff\x7f", 4, 0), 4);
    turns(&e, 3);
    struct reader r;
    CU_ASSERT_FALSE(channel_next(&e.node, &r));
    CU_ASSERT_EQUAL(e.node.state, CHANNEL_CLOSED);
    part(&e);
}

static void nobody_there(void) {
    struct address at = {.length = sizeof at.v4};
    struct key key = key_of(1);
    struct channel c;
    at.v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    at.v4.sin_port = htons(1);
    channel_connect(&c, &at, &key, 0);
    for (int i = 0; i < 10 && c.state; i++) {
        poll(&(struct pollfd){.fd = c.fd, .events = channel_events(&c)}, 1, 100);
        channel_work(&c);
    }
    CU_ASSERT_EQUAL(c.state, CHANNEL_CLOSED);
    CU_ASSERT_STRING_EQUAL(c.why, "Connection refused");
    channel_free(&c);
}

void suite_bench_seal(void) {
    CU_pSuite s = CU_add_suite("bench: keys and connections", NULL, NULL);
    CU_add_test(s, "key files", key_files);
    CU_add_test(s, "greetings", greetings);
    CU_add_test(s, "sealed messages", messages);
    CU_add_test(s, "forged, altered, replayed ones", forgeries);
    CU_add_test(s, "a conversation", conversation);
    CU_add_test(s, "large messages", large_messages);
    CU_add_test(s, "the wrong key", wrong_key);
    CU_add_test(s, "noise", noise);
    CU_add_test(s, "a recorded connection", replay);
    CU_add_test(s, "a length beyond all bounds", too_long);
    CU_add_test(s, "nobody there", nobody_there);
}
