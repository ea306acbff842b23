/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for people: names from other people's files made safe to show, how wide they are, and rates and times
 * in the units people read. None of it depends on the locale the program runs in.
 */
#include <locale.h>
#include <string.h>
#include <wchar.h>

#include "io.h"

/* ---- UTF-8 ---- */

size_t utf8_next(const char *s, uint32_t *code) {
    /* of a sequence that long: no shorter one would do */
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)s;
    size_t n = *b < 0x80 ? 1 : *b < 0xc0 ? 0 : *b < 0xe0 ? 2 : *b < 0xf0 ? 3 : *b < 0xf8 ? 4 : 0;
    uint32_t c = n == 1 ? *b : n ? *b & (0x7fu >> n) : 0;
    for (size_t i = 1; i < n; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3f);
    }
    if (!n || c < least[n] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff)
        return 0;
    *code = c;
    return n;
}

bool is_control(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* Copies s, the bytes of what may not pass as \xNN; NULL `to` only counts. Returns the length. */
static size_t escape(const char *s, bool controls_too, char *to) {
    static const char hex[] = "0123456789abcdef";
    size_t length = 0;
    while (*s) {
        uint32_t c;
        size_t n = utf8_next(s, &c);
        bool pass = n && !(controls_too && is_control(c));
        for (n = n ? n : 1; n; n--, s++) {
            unsigned char byte = (unsigned char)*s;
            if (to && pass)
                to[length] = *s;
            else if (to)
                memcpy(to + length, (char[]){'\\', 'x', hex[byte >> 4], hex[byte & 15]}, 4);
            length += pass ? 1 : 4;
        }
    }
    return length;
}

static const char *escaped(struct reckon *r, const char *s, bool controls_too) {
    size_t length = escape(s, controls_too, NULL);
    if (length == strlen(s))
        return s;
    char *text = reckon_alloc(r, length + 1);
    escape(s, controls_too, text);
    return text;
}

const char *reckon_printable(struct reckon *r, const char *s) {
    return escaped(r, s, true);
}

const char *reckon_utf8(struct reckon *r, const char *s) {
    return escaped(r, s, false);
}

/* ---- columns ---- */

struct range {
    uint32_t first, last;
    int columns;
};

/* The C library knows every character, but only in a UTF-8 locale. Where none is installed these must do:
 * accents, joiners and variation selectors; Hangul, CJK, full-width forms and pictures. In order. */
static const struct range widths[] = {
    {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05c7, 0},   {0x0610, 0x061a, 0},
    {0x064b, 0x065f, 0},   {0x1100, 0x115f, 2},   {0x1ab0, 0x1ace, 0},   {0x1dc0, 0x1dff, 0},
    {0x200b, 0x200f, 0},   {0x2060, 0x2064, 0},   {0x20d0, 0x20f0, 0},   {0x2e80, 0x303e, 2},
    {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},
    {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},   {0xfeff, 0xfeff, 0},   {0xff01, 0xff60, 2},
    {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
};

static size_t own_width(uint32_t c) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (c <= widths[i].last)
            return c >= widths[i].first ? (size_t)widths[i].columns : 1;
    return 1;
}

/* As reckon_printable() would show it: four columns for a byte that may not pass. */
size_t text_columns(const char *s, bool library) {
    size_t columns = 0;
    while (*s) {
        uint32_t c;
        size_t n = utf8_next(s, &c);
        if (!n || is_control(c)) {
            n = n ? n : 1;
            columns += 4 * n;
        } else if (library) {
            int width = wcwidth((wchar_t)c);
            columns += width < 0 ? 1 : (size_t)width; /* a character newer than the library */
        } else {
            columns += own_width(c);
        }
        s += n;
    }
    return columns;
}

static bool is_ascii(const char *s) {
    while (*s && (unsigned char)*s < 0x80)
        s++;
    return !*s;
}

size_t reckon_columns(const char *s) {
    if (is_ascii(s))
        return text_columns(s, false);
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8)
        return text_columns(s, false);
    locale_t before = uselocale(utf8);
    size_t columns = text_columns(s, true);
    uselocale(before);
    freelocale(utf8);
    return columns;
}

/* ---- rates and times ---- */

struct scale {
    double from; /* in the base unit: used from here up */
    const char *unit;
};

/* Two decimals in the largest unit that fits, whole in the base unit. */
static const char *scaled(struct reckon *r, double x, const struct scale *scales, const char *base) {
    if (!isfinite(x))
        return "-";
    for (; scales->unit; scales++)
        if (fabs(x) >= scales->from)
            return reckon_text(r, "%s %s", reckon_fixed(r, x / scales->from, 2), scales->unit);
    return reckon_text(r, "%s %s", reckon_fixed(r, x, 0), base);
}

const char *reckon_rate(struct reckon *r, double rate, const char *unit) {
    static const struct scale packets[] = {{1e9, "Gpps"}, {1e6, "Mpps"}, {1e3, "kpps"}, {0, NULL}};
    static const struct scale bits[] = {{1e3, "Gb/s"}, {0, NULL}};
    static const struct scale none[] = {{0, NULL}};
    return scaled(r, rate, !strcmp(unit, "pps") ? packets : !strcmp(unit, "Mb/s") ? bits : none, unit);
}

const char *reckon_time(struct reckon *r, double us) {
    static const struct scale times[] = {{1e3, "ms"}, {0, NULL}};
    return scaled(r, us, times, "us");
}

const char *reckon_time_unit(double ts, double *per_second) {
    static const struct {
        double from;
        const char *name;
        double per_second;
    } units[] = {{1e17, "nanoseconds", 1e9}, {1e14, "microseconds", 1e6}, {1e11, "milliseconds", 1e3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ts >= units[i].from) {
            if (per_second)
                *per_second = units[i].per_second;
            return units[i].name;
        }
    return NULL;
}

const char *reckon_percent(struct reckon *r, double pct) {
    return isfinite(pct) ? reckon_text(r, "%s%%", reckon_fixed(r, pct, 0)) : "-";
}

const char *reckon_count(struct reckon *r, size_t n, const char *noun) {
    size_t length = strlen(noun);
    bool hissing = length && strchr("xsh", noun[length - 1]);
    return reckon_text(r, "%zu %s%s", n, noun, n == 1 ? "" : hissing ? "es" : "s");
}
