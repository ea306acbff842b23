/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys, greetings and sealed messages, through libsodium: keyed BLAKE2b for the proofs and the keys of a
 * connection, ChaCha20-Poly1305 with a counter for the messages.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "seal.h"

#define CLEAR 40u /* bytes of a greeting before its proof */

_Static_assert(KEY_SIZE == crypto_aead_chacha20poly1305_ietf_KEYBYTES, "key");
_Static_assert(SEAL_EXTRA == crypto_aead_chacha20poly1305_ietf_ABYTES, "tag");

int seal_library(void) {
    return sodium_init() < 0 ? -1 : 0;
}

void seal_random(void *to, size_t n) {
    randombytes_buf(to, n);
}

int key_read(struct key *key, const char *path, const char **why) {
    struct stat st;
    unsigned char more;
    memset(key, 0, sizeof *key);
    if (!path)
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    *why = strerror(errno);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st))
        *why = strerror(errno);
    else if (!S_ISREG(st.st_mode))
        *why = "it is no regular file";
    else if (st.st_mode & 077)
        *why = "others than its owner may read or write it: chmod 600";
    else if (read(fd, key->at, KEY_SIZE) != (ssize_t)KEY_SIZE || read(fd, &more, 1) != 0)
        *why = "a key is exactly 32 bytes: head -c 32 /dev/urandom makes one";
    else
        *why = NULL;
    close(fd);
    return *why ? -1 : 0;
}

/* ---- greetings ---- */

static void prove(unsigned char proof[32], const unsigned char *greeting, const unsigned char *to,
                  const struct key *key) {
    crypto_generichash_state h;
    crypto_generichash_init(&h, key->at, KEY_SIZE, 32);
    crypto_generichash_update(&h, (const unsigned char *)(to ? "answer" : "hello!"), 6);
    crypto_generichash_update(&h, greeting, CLEAR);
    if (to)
        crypto_generichash_update(&h, to, GREETING_SIZE);
    crypto_generichash_final(&h, proof, 32);
}

static void greet(unsigned char *greeting, const unsigned char *to, const struct key *key) {
    static const unsigned char start[8] = {'R', 'K', 'N', 'B', PROTOCOL_VERSION};
    memcpy(greeting, start, sizeof start);
    randombytes_buf(greeting + 8, 32);
    prove(greeting + CLEAR, greeting, to, key);
}

void greeting_make(unsigned char greeting[GREETING_SIZE], const struct key *key) {
    greet(greeting, NULL, key);
}

void greeting_answer(unsigned char answer[GREETING_SIZE], const unsigned char greeting[GREETING_SIZE],
                     const struct key *key) {
    greet(answer, greeting, key);
}

bool greeting_is_genuine(const unsigned char greeting[GREETING_SIZE], const unsigned char *to,
                         const struct key *key) {
    unsigned char proof[32];
    prove(proof, greeting, to, key);
    return !memcmp(greeting, "RKNB", 4) && !sodium_memcmp(proof, greeting + CLEAR, sizeof proof);
}

unsigned greeting_version(const unsigned char greeting[GREETING_SIZE]) {
    return greeting[4];
}

void seal_agree(struct seal *to_node, struct seal *to_console, const unsigned char greeting[GREETING_SIZE],
                const unsigned char answer[GREETING_SIZE], const struct key *key) {
    unsigned char both[2 * KEY_SIZE];
    crypto_generichash_state h;
    crypto_generichash_init(&h, key->at, KEY_SIZE, sizeof both);
    crypto_generichash_update(&h, (const unsigned char *)"keys", 4);
    crypto_generichash_update(&h, greeting, GREETING_SIZE);
    crypto_generichash_update(&h, answer, GREETING_SIZE);
    crypto_generichash_final(&h, both, sizeof both);
    *to_node = (struct seal){.number = 0};
    *to_console = (struct seal){.number = 0};
    memcpy(to_node->key, both, KEY_SIZE);
    memcpy(to_console->key, both + KEY_SIZE, KEY_SIZE);
    sodium_memzero(both, sizeof both);
}

/* ---- messages ---- */

static void nonce_of(struct seal *s, unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES]) {
    uint64_t number = s->number++;
    memset(nonce, 0, crypto_aead_chacha20poly1305_ietf_NPUBBYTES);
    for (size_t i = 0; i < 8; i++)
        nonce[4 + i] = (unsigned char)(number >> (8 * i));
}

void seal_put(struct seal *s, struct bytes *to, const void *text, size_t n) {
    unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    put_number(to, n + SEAL_EXTRA, 4);
    size_t start = to->count;
    put_raw(to, text, n);
    put_raw(to, (const unsigned char[SEAL_EXTRA]){0}, SEAL_EXTRA); /* room for the tag */
    nonce_of(s, nonce);
    crypto_aead_chacha20poly1305_ietf_encrypt(to->at + start, NULL, to->at + start, n, NULL, 0, NULL, nonce,
                                              s->key);
}

ptrdiff_t seal_open(struct seal *s, unsigned char *text, size_t n) {
    unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    if (n < SEAL_EXTRA)
        return -1;
    nonce_of(s, nonce);
    if (crypto_aead_chacha20poly1305_ietf_decrypt(text, NULL, NULL, text, n, NULL, 0, nonce, s->key))
        return -1;
    return (ptrdiff_t)(n - SEAL_EXTRA);
}
