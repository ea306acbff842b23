/* SPDX-License-Identifier: Apache-2.0
 *
 * Small bar plots in text (text_plot.h).
 */
#include "text_plot.h"

#include <string.h>

#define OPEN 4 /* columns at the right that a point without x takes, with its distance */

struct glyphs {
    const char *eighth[9], *faint, *side, *corner, *floor;
};

static const struct glyphs unicode = {{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "░", "│", "└", "─"};
static const struct glyphs ascii = {{" ", ":", ":", ":", "#", "#", "#", "#", "#"}, ".", "|", "+", "-"};

double plot_widest(const struct plot_point *points, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, points[i].x); /* a blank is passed over */
    return most;
}

double plot_highest(const struct plot_point *points, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fmax(points[i].y, points[i].target));
    return most;
}

/* The column of x, when the axis ends at `most`. */
static int place(double x, double most, bool open) {
    int last = PLOT_COLUMNS - 1 - (open ? OPEN : 0);
    if (reckon_blank(x))
        return PLOT_COLUMNS - 1;
    return most > 0 ? (int)lround(x / most * last) : 0;
}

/* Bars are two columns wide where none touches the next one. */
static int bar_width(const struct plot_point *points, size_t n, double most, bool open) {
    int taken[PLOT_COLUMNS] = {0};
    for (size_t i = 0; i < n; i++)
        taken[place(points[i].x, most, open)] = 1;
    for (int i = 2, last = -3; i < PLOT_COLUMNS; i++) {
        if (!taken[i])
            continue;
        if (i - last < 3)
            return 1;
        last = i;
    }
    return taken[0] || taken[1] ? 1 : 2;
}

struct plot plot_new(const struct plot_point *points, size_t n, const char *top, const char *right) {
    struct plot p = {.top = top, .right = right};
    double widest = plot_widest(points, n), highest = plot_highest(points, n);
    for (int i = 0; i < PLOT_COLUMNS; i++)
        p.bar[i] = p.faint[i] = RECKON_BLANK;
    for (size_t i = 0; i < n; i++)
        p.open |= reckon_blank(points[i].x);
    int width = bar_width(points, n, widest, p.open);
    for (size_t i = 0; i < n && highest > 0; i++) {
        int at = place(points[i].x, widest, p.open);
        for (int k = at; k > at - width; k--) {
            p.bar[k] = fmax(p.bar[k], points[i].y / highest);
            p.faint[k] = fmax(p.faint[k], points[i].target / highest);
        }
    }
    return p;
}

/* How much of a row, counted from the bottom, a height fills, in eighths. */
static int eighths(double height, int row) {
    double level = round((height * PLOT_ROWS - row) * 8);
    if (!(height > 0)) /* a blank too */
        return 0;
    return (int)fmin(8, fmax(level, row ? 0 : 1));
}

static void bars(char *text, const struct plot *p, int row, const struct glyphs *g) {
    for (int i = 0; i < PLOT_COLUMNS; i++) {
        int filled = eighths(p->bar[i], row);
        bool faint = !filled && eighths(p->faint[i], row) >= 4;
        strcat(text, faint ? g->faint : g->eighth[filled]);
    }
}

static const char *without_end(struct reckon *r, const char *text) {
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ')
        n--;
    return reckon_strndup(r, text, n);
}

static const struct glyphs *glyphs(const struct report *to) {
    return reckon_wants_unicode(to->w) ? &unicode : &ascii;
}

const char *plot_faint(const struct report *to) {
    return glyphs(to)->faint;
}

const char *plot_line(const struct report *to, const struct plot *p, int line) {
    const struct glyphs *g = glyphs(to);
    char cells[PLOT_COLUMNS * sizeof "█"] = "";
    if (line < PLOT_ROWS) {
        bars(cells, p, PLOT_ROWS - 1 - line, g);
        const char *scale = line == 0 ? p->top : line == PLOT_ROWS - 1 ? "0" : "";
        return without_end(to->r, reckon_text(to->r, "%11s %s%s", scale, g->side, cells));
    }
    if (line > PLOT_ROWS) {
        int room = PLOT_COLUMNS - 1 - (p->open ? OPEN : 0);
        return reckon_text(to->r, "%14s%*s%s", "0", room, p->right, p->open ? " max" : "");
    }
    for (int i = 0; i < PLOT_COLUMNS; i++)
        strcat(cells, g->floor);
    return reckon_text(to->r, "%12s%s%s", "", g->corner, cells);
}
