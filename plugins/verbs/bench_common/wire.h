/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as they travel: numbers little-endian, texts with their length before them. A reader never reads past
 * the end: from the first thing that is not there it is bad, and everything it gives is 0 or "".
 */
#ifndef RECKON_BENCH_WIRE_H
#define RECKON_BENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes { /* grows; free bytes.at */
    unsigned char *at;
    size_t count, cap;
};
void put_raw(struct bytes *b, const void *data, size_t n);
void put_number(struct bytes *b, uint64_t value, size_t width); /* the lowest `width` bytes */
void put_varint(struct bytes *b, uint64_t value);               /* seven bits a byte */
void put_text(struct bytes *b, const char *text);               /* at most 65535 bytes of it */

struct reader {
    const unsigned char *at;
    size_t left;
    bool bad;
};
void get_raw(struct reader *r, void *data, size_t n);
uint64_t get_number(struct reader *r, size_t width);
uint64_t get_varint(struct reader *r);
/* Into `text` of `size` bytes; bad when it does not fit, or holds a NUL. */
void get_text(struct reader *r, char *text, size_t size);
/* True when everything was there and nothing is left. */
bool reader_done(const struct reader *r);

#endif
