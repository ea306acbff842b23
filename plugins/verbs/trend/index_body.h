/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of an index: a growing buffer, a cursor that never leaves its range, and a history in that form.
 */
#ifndef RECKON_TREND_INDEX_BODY_H
#define RECKON_TREND_INDEX_BODY_H

#include "history.h"

struct index_buffer {
    char *at;
    size_t length, cap;
};
void index_put(struct index_buffer *b, const void *data, size_t n);

struct index_cursor {
    const char *at, *end;
    bool bad; /* it should have read beyond the end */
};
/* Copies the next n bytes, or zeroes and says bad. */
void index_get(struct index_cursor *c, void *data, size_t n);
/* The next NUL-terminated text; "" and bad at the end. */
const char *index_get_text(struct index_cursor *c);

void index_put_history(struct index_buffer *b, const struct trend_history *h);
/* Fills an empty history; false, and an undefined history, when the bytes make none. */
bool index_get_history(struct index_cursor *c, struct trend_history *h);

#endif
