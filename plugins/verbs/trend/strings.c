/* SPDX-License-Identifier: Apache-2.0
 *
 * Interning of names: open addressing over one block of text.
 */
#include "strings.h"

#include <stdlib.h>
#include <string.h>

#include <reckon/base.h>

static size_t hash(const char *text) {
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        h = (h ^ *c) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds the text, or the empty one where it belongs. */
static uint32_t *find(const struct trend_strings *s, const char *text) {
    size_t i = hash(text) & (s->slots - 1);
    while (s->slot[i] && strcmp(s->text + s->at[s->slot[i] - 1], text))
        i = (i + 1) & (s->slots - 1);
    return &s->slot[i];
}

static void rehash(struct trend_strings *s) {
    free(s->slot);
    s->slots = s->slots ? 2 * s->slots : 64;
    s->slot = reckon_resize(NULL, s->slots, sizeof *s->slot);
    memset(s->slot, 0, s->slots * sizeof *s->slot);
    for (size_t i = 0; i < s->count; i++)
        *find(s, s->text + s->at[i]) = (uint32_t)i + 1;
}

static uint32_t append(struct trend_strings *s, const char *text) {
    size_t n = strlen(text) + 1;
    while (s->cap - s->length < n)
        s->text = reckon_grow(s->text, s->cap, &s->cap, 1);
    memcpy(s->text + s->length, text, n);
    s->at = reckon_grow(s->at, s->count, &s->at_cap, sizeof *s->at);
    s->at[s->count] = s->length;
    s->length += n;
    return (uint32_t)s->count++;
}

uint32_t trend_strings_add(struct trend_strings *s, const char *text) {
    if (s->count == 0)
        append(s, "");
    if (!text || !*text)
        return 0;
    if (2 * (s->count + 1) > s->slots)
        rehash(s);
    uint32_t *slot = find(s, text);
    if (!*slot)
        *slot = append(s, text) + 1;
    return *slot - 1;
}

const char *trend_strings_at(const struct trend_strings *s, uint32_t number) {
    return number < s->count ? s->text + s->at[number] : "";
}

void trend_strings_free(struct trend_strings *s) {
    free(s->text);
    free(s->at);
    free(s->slot);
    *s = (struct trend_strings){0};
}
