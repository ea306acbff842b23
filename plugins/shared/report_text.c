/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrapping, padding and colour of the human reports (report_text.h).
 */
#include "report_text.h"

#include <string.h>

static const char *const escape[] = {
    [REPORT_PLAIN] = "",          [REPORT_BOLD] = "\033[1m",  [REPORT_RED] = "\033[1;31m",
    [REPORT_YELLOW] = "\033[33m", [REPORT_BLUE] = "\033[34m",
};

void report_coloured(const struct report *to, enum report_colour colour, const char *text) {
    bool on = colour != REPORT_PLAIN && reckon_wants_colour(to->w);
    if (on)
        reckon_put(to->w, escape[colour]);
    reckon_put(to->w, reckon_printable(to->r, text));
    if (on)
        reckon_put(to->w, "\033[0m");
}

void report_blanks(const struct report *to, size_t n) {
    static const char blanks[] = "                                ";
    for (; n >= sizeof blanks - 1; n -= sizeof blanks - 1)
        reckon_put(to->w, blanks);
    reckon_put_bytes(to->w, blanks, n);
}

static size_t missing(size_t width, const char *text) {
    size_t columns = reckon_columns(text);
    return columns < width ? width - columns : 0;
}

void report_left(const struct report *to, const char *text, size_t width) {
    text = reckon_printable(to->r, text);
    reckon_put(to->w, text);
    report_blanks(to, missing(width, text));
}

void report_right(const struct report *to, const char *text, size_t width) {
    text = reckon_printable(to->r, text);
    report_blanks(to, missing(width, text));
    reckon_put(to->w, text);
}

/* Columns of the first n bytes, which end between characters. */
static size_t columns_of(struct reckon *r, const char *word, size_t n) {
    char small[128];
    if (n >= sizeof small)
        return reckon_columns(reckon_strndup(r, word, n));
    memcpy(small, word, n);
    small[n] = '\0';
    return reckon_columns(small);
}

void report_wrapped(const struct report *to, size_t at, size_t hang, const char *text) {
    bool first = true; /* on its line */
    for (text = reckon_printable(to->r, text); *text;) {
        size_t n = strcspn(text, " "), wide = columns_of(to->r, text, n);
        if (!first && at + 1 + wide > REPORT_WIDTH) {
            reckon_put(to->w, "\n");
            report_blanks(to, hang);
            at = hang;
            first = true;
        }
        if (!first)
            reckon_put(to->w, " ");
        reckon_put_bytes(to->w, text, n);
        at += wide + !first;
        first = false;
        text += n + strspn(text + n, " ");
    }
    reckon_put(to->w, "\n");
}

void report_labelled(const struct report *to, const char *label, size_t hang, const char *text) {
    reckon_put(to->w, "  ");
    report_coloured(to, REPORT_BOLD, label);
    report_blanks(to, missing(hang - 2, label));
    report_wrapped(to, hang, hang, text);
}

void report_heading(const struct report *to, const char *text) {
    reckon_put(to->w, "\n  ");
    report_coloured(to, REPORT_BOLD, text);
    reckon_put(to->w, "\n");
}

void report_bullet(const struct report *to, const char *text) {
    reckon_put(to->w, "    * ");
    report_wrapped(to, 6, 6, text);
}

size_t report_widest(const struct report *to, size_t width, const char *text) {
    size_t columns = reckon_columns(reckon_printable(to->r, text));
    return columns > width ? columns : width;
}

const char *report_names(struct reckon *r, size_t count, size_t shown,
                         const char *(*at)(const void *user, size_t i), const void *user) {
    const char *text = "";
    size_t n = count < shown ? count : shown;
    for (size_t i = 0; i < n; i++)
        text = reckon_text(r, "%s%s%s", text, i ? ", " : "", at(user, i));
    return count > n ? reckon_text(r, "%s and %zu more", text, count - n) : text;
}
