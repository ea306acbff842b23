/* SPDX-License-Identifier: Apache-2.0
 *
 * Small bar plots in text: a bar a point, placed by its x and as high as its y; above it, faintly, what it
 * might have reached. Unicode blocks where the terminal shows them, else ASCII.
 */
#ifndef RECKON_TEXT_PLOT_H
#define RECKON_TEXT_PLOT_H

#include "report_text.h"

#define PLOT_ROWS 7
#define PLOT_COLUMNS 22
#define PLOT_LINES (PLOT_ROWS + 2) /* with the axis, and what its ends mean */
#define PLOT_WIDTH (PLOT_COLUMNS + 13)

/* A point: x blank stands right of all others; y blank is no bar; `target` is the faint part's height (blank:
 * none). */
struct plot_point {
    double x, y, target;
};

struct plot {
    double bar[PLOT_COLUMNS], faint[PLOT_COLUMNS]; /* heights, 0…1; blank: none */
    const char *top, *right; /* what the full height and the right end of the axis mean */
    bool open;               /* a point without x stands at the right end */
};

/* The largest x, or height, of n points; 0 when there is none. */
double plot_widest(const struct plot_point *points, size_t n);
double plot_highest(const struct plot_point *points, size_t n);
struct plot plot_new(const struct plot_point *points, size_t n, const char *top, const char *right);
/* The mark of the faint part. */
const char *plot_faint(const struct report *to);
/* One of its PLOT_LINES lines, without blanks at its end. Arena text. */
const char *plot_line(const struct report *to, const struct plot *p, int line);

#endif
