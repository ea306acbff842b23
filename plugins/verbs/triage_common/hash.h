/* SPDX-License-Identifier: Apache-2.0
 *
 * A fast hash of bytes for tables filled from other people's files: seeded at random for every run, so that
 * nobody can write names that collide. No result depends on it.
 */
#ifndef TRIAGE_HASH_H
#define TRIAGE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A fresh seed from the kernel (from the clock where it has none). */
uint64_t hash_seed(void);

/* Both halves of the 128-bit product, folded: every bit of x and y reaches every bit of the result. */
static inline uint64_t hash_mix(uint64_t x, uint64_t y) {
    __extension__ unsigned __int128 p = (unsigned __int128)x * y;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed) {
    const unsigned char *p = bytes;
    uint64_t h = seed ^ (0x9E3779B97F4A7C15u * (n + 1)), word;
    for (; n >= 8; p += 8, n -= 8) {
        memcpy(&word, p, 8);
        h = hash_mix(h ^ word, 0xBF58476D1CE4E5B9u);
    }
    word = 0;
    memcpy(&word, p, n);
    h = hash_mix(h ^ word, 0x94D049BB133111EBu);
    return hash_mix(h ^ (h >> 29), 0x9E3779B97F4A7C15u);
}

#endif
