/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the reading, writing and text layer share with the rest of the core. Not installed.
 */
#ifndef RECKON_CORE_IO_H
#define RECKON_CORE_IO_H

#include "session.h"

/* The beginning of an input, for `recognise`, without consuming it: to be asked before anything is read. The
 * data belongs to the input. 0, or -1 after an error. (input.c) */
int input_head(struct reckon_input *in, struct reckon_head *head);
/* The next bytes without a copy, at least one; valid until the next call. How many, 0 at the end, -1 after an
 * error. */
ptrdiff_t input_block(struct reckon_input *in, const char **data);
/* The session it was opened for. */
struct reckon *input_session(const struct reckon_input *in);

/* Where writing to the path leads: symlinks count even when nothing is at their end. Arena text, or the path; NULL
 * with errno. (writer.c) */
const char *write_target(struct reckon *r, const char *path);

/* The room number_fixed() needs: the digits of 1e308, a sign, a point and the decimals. */
#define FIXED_DECIMALS_MAX 40
#define FIXED_SIZE (312 + FIXED_DECIMALS_MAX)
/* x, which must be finite, with 0…FIXED_DECIMALS_MAX decimals into `buf` of FIXED_SIZE bytes: how many. What
 * rounds to zero carries no sign. NUL-terminated. (number.c) */
size_t number_fixed(double x, int decimals, char *buf);

/* The bytes of the UTF-8 character at s (NUL-terminated text), 1…4, and its code; 0 for none. (text.c) */
size_t utf8_next(const char *s, uint32_t *code);
/* What a terminal would obey instead of show: controls, and the marks that reorder or break the line. (text.c) */
bool is_control(uint32_t c);
/* How many columns s takes, by the C library (in a UTF-8 locale) or by reckon's own table. (text.c) */
size_t text_columns(const char *s, bool library);

#endif
