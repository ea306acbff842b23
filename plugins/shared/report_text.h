/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of the human reports: wrapped at 78 columns with hanging indents, columns that stay in line whatever
 * the names' length and script, colour where the terminal wants it. Strangers' text is made printable on its
 * way.
 */
#ifndef RECKON_REPORT_TEXT_H
#define RECKON_REPORT_TEXT_H

#include <reckon/plugin.h>

#define REPORT_WIDTH 78

/* Where a report goes. */
struct report {
    struct reckon *r;
    struct reckon_writer *w;
};

enum report_colour { REPORT_PLAIN, REPORT_BOLD, REPORT_RED, REPORT_YELLOW, REPORT_BLUE };

/* `text` in the colour, when colour is wanted. No padding, made printable. */
void report_coloured(const struct report *to, enum report_colour colour, const char *text);
/* Blanks. */
void report_blanks(const struct report *to, size_t n);
/* `text` in `width` columns (more when it is wider): at the left, or at the right. */
void report_left(const struct report *to, const char *text, size_t width);
void report_right(const struct report *to, const char *text, size_t width);
/* A text that begins at column `at` (what stands before it is written), wrapped; further lines begin at
 * `hang`. Ends the line. A word that is wider than a line stands on its own. */
void report_wrapped(const struct report *to, size_t at, size_t hang, const char *text);
/* "  LABEL    text" with the text at column `hang`. */
void report_labelled(const struct report *to, const char *label, size_t hang, const char *text);
/* A line of its own, after an empty one: "  HOSTS, worst first". */
void report_heading(const struct report *to, const char *text);
/* "    * text". */
void report_bullet(const struct report *to, const char *text);
/* The larger of `width` and the columns `text` takes when printed. */
size_t report_widest(const struct report *to, size_t width, const char *text);

/* "a, b and 3 more": up to `shown` of the `count` names that `at` gives. Arena text. */
const char *report_names(struct reckon *r, size_t count, size_t shown,
                         const char *(*at)(const void *user, size_t i), const void *user);

#endif
