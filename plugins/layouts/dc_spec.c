/* SPDX-License-Identifier: Apache-2.0
 *
 * Id specs of `dc` layouts. A spec is a row of parts, literals and brackets; a bracket holds segments, words
 * and ranges. Ids are counted through like an odometer, the last part fastest, so that none is kept; counts
 * never overflow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <reckon/layout.h>

#include "dc_spec.h"

#define DIGITS_MAX 18

enum segment_kind { WORD, NUMBERS, LETTERS };

/* What stands between commas (or bars) of a bracket: a word, or a range that counts from `from` by `step`. */
struct dc_segment {
    enum segment_kind kind;
    bool down;
    int width;           /* NUMBERS: zero padding */
    uint64_t from, step; /* a number, or a code point */
    uint64_t count;
    const char *word;
    size_t length;
};

/* A literal or a bracket, and where the odometer stands in it. */
struct dc_part {
    size_t first, count; /* segments */
    size_t at;
    uint64_t offset; /* in segment `at` */
};

/* The marks of the first byte of a character of 1 to 4 bytes. */
static const unsigned char utf8_lead[] = {0, 0x00, 0xc0, 0xe0, 0xf0};

void dc_put(struct dc_text *t, const char *s, size_t n) {
    while (t->cap - t->n <= n)
        t->s = reckon_grow(t->s, t->cap, &t->cap, 1);
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}

static int bad(struct dc_spec *s, const char *text, size_t n, const char *why) {
    s->bad = text;
    s->nbad = n;
    s->why = why;
    return -1;
}

/* ---- parsing ---- */

static void add_segment(struct dc_spec *s, const char *word, size_t length) {
    s->segments = reckon_grow(s->segments, s->nsegments, &s->segments_cap, sizeof *s->segments);
    s->segments[s->nsegments++] =
        (struct dc_segment){.kind = WORD, .count = 1, .word = word, .length = length};
    s->parts[s->nparts - 1].count++;
}

static void add_part(struct dc_spec *s) {
    s->parts = reckon_grow(s->parts, s->nparts, &s->parts_cap, sizeof *s->parts);
    s->parts[s->nparts++] = (struct dc_part){.first = s->nsegments, .at = s->nsegments};
}

/* A number of at most DIGITS_MAX digits; false for anything else. */
static bool digits(const char *s, size_t n, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        *value = n <= DIGITS_MAX ? *value * 10 + (uint64_t)(s[i] - '0') : 0;
    }
    return n && n <= DIGITS_MAX;
}

/* The code point when s is a single UTF-8 character; false for anything else. */
static bool letter(const char *s, size_t n, uint64_t *value) {
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    if (n < 1 || n > 4 || ((unsigned char)*s & (unsigned char)~mask[n]) != utf8_lead[n])
        return false;
    *value = (unsigned char)*s & mask[n];
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return false;
        *value = *value << 6 | ((unsigned char)s[i] & 0x3f);
    }
    return true;
}

/* Cuts "x2" off the end of a range; 1 when there is none. False for a step of 0. */
static bool range_step(const char *s, size_t *n, uint64_t *step) {
    size_t k = *n;
    while (k > 0 && s[k - 1] >= '0' && s[k - 1] <= '9')
        k--;
    *step = 1;
    if (k < 2 || k == *n || s[k - 1] != 'x')
        return true;
    if (!digits(s + k, *n - k, step))
        *step = UINT64_MAX; /* too long a number to step twice */
    *n = k - 1;
    return *step > 0;
}

/* How wide a zero-padded end is; 0 for one without padding. */
static int padding(const char *s, size_t n) {
    return n > 1 && *s == '0' ? (int)n : 0;
}

/* Makes a segment that holds ".." a range. */
static int parse_range(struct dc_spec *s, struct dc_segment *g, size_t dots) {
    const char *low = g->word, *high = g->word + dots + 2;
    size_t nlow = dots, nhigh = g->length - dots - 2;
    uint64_t to;
    if (!range_step(high, &nhigh, &g->step))
        return bad(s, g->word, g->length, "has a step of 0");
    if (digits(low, nlow, &g->from) && digits(high, nhigh, &to)) {
        g->kind = NUMBERS;
        g->width = padding(low, nlow) > padding(high, nhigh) ? padding(low, nlow) : padding(high, nhigh);
    } else if (letter(low, nlow, &g->from) && letter(high, nhigh, &to)) {
        g->kind = LETTERS;
    } else {
        return bad(s, g->word, g->length,
                   "is no range: its ends must be two numbers or two single characters");
    }
    g->down = to < g->from;
    g->count = (g->down ? g->from - to : to - g->from) / g->step + 1;
    return 0;
}

static int parse_segment(struct dc_spec *s, const char *word, size_t n) {
    size_t dots = 0;
    add_segment(s, word, n);
    while (dots + 1 < n && (word[dots] != '.' || word[dots + 1] != '.'))
        dots++;
    return dots + 1 < n ? parse_range(s, &s->segments[s->nsegments - 1], dots) : 0;
}

/* What stands in a bracket, or a range without one. */
static int parse_bracket(struct dc_spec *s, const char *body, size_t n, bool filled) {
    bool alternatives = memchr(body, '|', n);
    add_part(s);
    if (memchr(body, '[', n))
        return bad(s, body, n, "is a bracket in a bracket");
    if (!filled && memchr(body, '{', n)) {
        add_segment(s, body, n);
        return 0;
    }
    for (size_t i = 0, k; i <= n; i = k + 1) {
        const char *end = memchr(body + i, alternatives ? '|' : ',', n - i);
        k = end ? (size_t)(end - body) : n;
        if (alternatives)
            add_segment(s, body + i, k - i);
        else if (k == i)
            return bad(s, body, n, "has an empty part, which expands to nothing");
        else if (parse_segment(s, body + i, k - i))
            return -1;
    }
    return 0;
}

static int parse_parts(struct dc_spec *s, const char *text, bool filled) {
    while (*text) {
        size_t literal = strcspn(text, "[");
        if (literal) {
            add_part(s);
            add_segment(s, text, literal);
            text += literal;
            continue;
        }
        const char *end = strchr(text, ']');
        if (!end)
            return bad(s, text, strlen(text), "is a bracket that is not closed");
        if (parse_bracket(s, text + 1, (size_t)(end - text - 1), filled))
            return -1;
        text = end + 1;
    }
    return 0;
}

static uint64_t capped(uint64_t n) {
    return n <= RECKON_LAYOUT_MAX ? n : RECKON_LAYOUT_MAX + 1ull;
}

static void count_ids(struct dc_spec *s) {
    s->count = 1;
    for (size_t p = 0; p < s->nparts; p++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < s->parts[p].count; i++)
            sum = capped(sum + capped(s->segments[s->parts[p].first + i].count));
        s->count = capped(s->count * sum);
    }
}

bool dc_is_spec(const char *text) {
    return strchr(text, '[') || strstr(text, "..");
}

int dc_spec_parse(struct dc_spec *s, const char *text, bool filled) {
    s->nsegments = s->nparts = 0;
    int rc = strchr(text, '[') || !strstr(text, "..") ? parse_parts(s, text, filled)
                                                      : parse_bracket(s, text, strlen(text), filled);
    if (!rc)
        count_ids(s);
    return rc;
}

void dc_spec_free(struct dc_spec *s) {
    free(s->segments);
    free(s->parts);
}

/* ---- counting through ---- */

static void put_code_point(struct dc_text *t, uint64_t c) {
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    char out[4];
    for (size_t i = n; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(utf8_lead[n] | c);
    dc_put(t, out, n);
}

static void put_segment(struct dc_text *t, const struct dc_segment *g, uint64_t i) {
    uint64_t value = g->down ? g->from - i * g->step : g->from + i * g->step;
    char number[32];
    if (g->kind == WORD)
        dc_put(t, g->word, g->length);
    else if (g->kind == LETTERS)
        put_code_point(t, value);
    else
        dc_put(t, number,
               (size_t)snprintf(number, sizeof number, "%0*llu", g->width, (unsigned long long)value));
}

void dc_spec_next(struct dc_spec *s, struct dc_text *t) {
    t->n = 0;
    dc_put(t, "", 0);
    for (size_t p = 0; p < s->nparts; p++)
        put_segment(t, &s->segments[s->parts[p].at], s->parts[p].offset);
    for (size_t p = s->nparts; p-- > 0;) {
        struct dc_part *part = &s->parts[p];
        if (++part->offset < s->segments[part->at].count)
            return;
        part->offset = 0;
        if (++part->at < part->first + part->count)
            return;
        part->at = part->first;
    }
}
