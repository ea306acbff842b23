/* SPDX-License-Identifier: Apache-2.0
 *
 * Who may command a node: whoever has its key. A greeting each way proves the key and agrees on keys for this
 * connection alone; then every command and answer is sealed with a number that never comes twice. A recorded
 * connection is worth nothing: the node's part of the keys is another one the next time.
 */
#ifndef RECKON_BENCH_SEAL_H
#define RECKON_BENCH_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

#define KEY_SIZE 32u
#define GREETING_SIZE 72u /* magic 4, version 1, zero 3, nonce 32, proof 32 */
#define SEAL_EXTRA 16u    /* bytes that sealing adds */
#define PROTOCOL_VERSION 1u

struct key {
    unsigned char at[KEY_SIZE];
};
/* The key in a file of exactly 32 bytes that nobody but its owner may read or write; without a file (NULL) a
 * key everybody knows, which is why a node then listens on loopback alone. 0, or -1 with the reason in *why.
 */
int key_read(struct key *key, const char *path, const char **why);
/* 0; -1 when libsodium cannot be had. Call before anything else here. */
int seal_library(void);
/* n unpredictable bytes. */
void seal_random(void *to, size_t n);

/* One direction of a connection. */
struct seal {
    unsigned char key[KEY_SIZE];
    uint64_t number; /* of the next message */
};

/* The console greets with a fresh nonce; the node answers with its own. */
void greeting_make(unsigned char greeting[GREETING_SIZE], const struct key *key);
void greeting_answer(unsigned char answer[GREETING_SIZE], const unsigned char greeting[GREETING_SIZE],
                     const struct key *key);
/* Whether the bytes are a greeting (an answer to `to`, when that is not NULL) by somebody who has the key. */
bool greeting_is_genuine(const unsigned char greeting[GREETING_SIZE], const unsigned char *to,
                         const struct key *key);
unsigned greeting_version(const unsigned char greeting[GREETING_SIZE]);
/* The keys of both directions. */
void seal_agree(struct seal *to_node, struct seal *to_console, const unsigned char greeting[GREETING_SIZE],
                const unsigned char answer[GREETING_SIZE], const struct key *key);

/* Adds length and sealed text to `to`. */
void seal_put(struct seal *s, struct bytes *to, const void *text, size_t n);
/* Opens n sealed bytes (without the length before them) in place: the length of the text, or -1 when they are
 * not what the other side sealed as its next message. */
ptrdiff_t seal_open(struct seal *s, unsigned char *text, size_t n);

#endif
