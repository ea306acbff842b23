/* SPDX-License-Identifier: Apache-2.0
 *
 * One number per distinct text, in order of first appearance; number 0 is "".
 */
#ifndef RECKON_TREND_STRINGS_H
#define RECKON_TREND_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct trend_strings {
    char *text; /* all of them, NUL-terminated, one after the other */
    size_t length, cap;
    size_t *at; /* by number: where it begins */
    size_t count, at_cap;
    uint32_t *slot; /* open addressing: number + 1, 0 for empty */
    size_t slots;   /* a power of two, or 0 */
};

/* NULL counts as "". */
uint32_t trend_strings_add(struct trend_strings *s, const char *text);
/* Valid until the next one is added. */
const char *trend_strings_at(const struct trend_strings *s, uint32_t number);
void trend_strings_free(struct trend_strings *s);

#endif
