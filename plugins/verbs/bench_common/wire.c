/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as they travel: writing into a growing buffer, reading from a bounded one.
 */
#include <string.h>

#include <reckon/base.h>

#include "wire.h"

void put_raw(struct bytes *b, const void *data, size_t n) {
    if (n > b->cap - b->count) {
        size_t cap = b->cap ? b->cap : 256;
        while (n > cap - b->count && cap <= SIZE_MAX / 2)
            cap *= 2;
        b->at = reckon_resize(b->at, cap, 1);
        b->cap = cap;
    }
    if (n)
        memcpy(b->at + b->count, data, n);
    b->count += n;
}

void put_number(struct bytes *b, uint64_t value, size_t width) {
    unsigned char text[8];
    for (size_t i = 0; i < width; i++)
        text[i] = (unsigned char)(value >> (8 * i));
    put_raw(b, text, width);
}

void put_varint(struct bytes *b, uint64_t value) {
    unsigned char text[10];
    size_t n = 0;
    for (; value > 127; value >>= 7)
        text[n++] = (unsigned char)(value | 128);
    text[n++] = (unsigned char)value;
    put_raw(b, text, n);
}

void put_text(struct bytes *b, const char *text) {
    size_t n = strnlen(text, UINT16_MAX);
    put_number(b, n, 2);
    put_raw(b, text, n);
}

void get_raw(struct reader *r, void *data, size_t n) {
    if (r->bad || n > r->left) {
        r->bad = true;
        memset(data, 0, n);
        return;
    }
    memcpy(data, r->at, n);
    r->at += n;
    r->left -= n;
}

uint64_t get_number(struct reader *r, size_t width) {
    unsigned char text[8] = {0};
    uint64_t value = 0;
    get_raw(r, text, width);
    for (size_t i = width; i-- > 0;)
        value = value << 8 | text[i];
    return value;
}

uint64_t get_varint(struct reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = get_number(r, 1), bits = byte & 127;
        if (bits << shift >> shift != bits)
            break; /* more than 64 bits */
        value |= bits << shift;
        if (byte < 128)
            return r->bad ? 0 : value;
    }
    r->bad = true;
    return 0;
}

void get_text(struct reader *r, char *text, size_t size) {
    size_t n = (size_t)get_number(r, 2);
    *text = '\0';
    if (n >= size || n > r->left || memchr(r->at, 0, n))
        r->bad = true;
    if (r->bad)
        return;
    get_raw(r, text, n);
    text[n] = '\0';
}

bool reader_done(const struct reader *r) {
    return !r->bad && !r->left;
}
