/* SPDX-License-Identifier: Apache-2.0
 *
 * A test's graph as SVG (trend_graph.h). Plain shapes with classes; the colours come from the style around
 * them.
 */
#include "trend_graph.h"

#include <string.h>

#define WIDTH 960
#define HEIGHT 380
#define LEFT 92
#define RIGHT 20
#define TOP 40
#define BOTTOM 48
#define DAY 86400.0
#define TICKS 6
#define MOST 20000 /* runs that are drawn: more make a page that no browser opens */

void trend_put_escaped(struct reckon *r, struct reckon_writer *w, const char *text) {
    text = reckon_printable(r, text);
    while (*text) {
        size_t n = strcspn(text, "&<>\"'");
        reckon_put_bytes(w, text, n);
        text += n;
        if (*text)
            reckon_printf(w, "&#%d;", *text++);
    }
}

void trend_put_style(struct reckon_writer *w) {
    reckon_put(
        w, ":root{--paper:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d8dee4;--dot:#0a58ca;--mean:#1b1f24;"
           "--bad:#c1121f;--good:#116329;--gone:#8a5a00}\n"
           "@media "
           "(prefers-color-scheme:dark){:root{--paper:#12161c;--ink:#e6edf3;--soft:#9aa4af;--rule:#30363d;"
           "--dot:#6cb6ff;--mean:#e6edf3;--bad:#ff7b72;--good:#56d364;--gone:#e3b341}}\n"
           ".graph{font:12px system-ui,sans-serif;background:var(--paper)}\n"
           ".graph text{fill:var(--soft)}.graph .name{fill:var(--ink);font-size:14px;font-weight:600}\n"
           ".graph .rule{stroke:var(--rule)}.graph .mean{stroke:var(--mean);stroke-width:1.5;fill:none}\n"
           ".graph .run{fill:var(--dot);stroke:var(--paper);stroke-width:.5}\n"
           ".graph .run:focus,.graph .gone:focus{outline:2px solid var(--ink);outline-offset:2px}\n"
           ".graph .gone{stroke:var(--gone);stroke-width:1.5;fill:none}\n"
           ".graph .regression{stroke:var(--bad);stroke-width:2;fill:none}\n"
           ".graph .progression{stroke:var(--good);stroke-width:2;fill:none}\n"
           ".graph text.regression{fill:var(--bad);stroke:none}"
           ".graph text.progression{fill:var(--good);stroke:none}\n");
}

/* ---- scales ---- */

struct plot {
    struct reckon *r;
    struct reckon_writer *w;
    const struct reckon_trend *t;
    size_t index;
    size_t from; /* the first run that is drawn */
    bool page;
    struct reckon_trend_test test;
    double first, last; /* times */
    double low, high;   /* values */
    double divisor;     /* from values to what the axis shows */
    const char *unit;   /* of the axis */
};

static double x_of(const struct plot *p, double ts) {
    double share = p->last > p->first ? (ts - p->first) / (p->last - p->first) : 0.5;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plot *p, double value) {
    double share = p->high > p->low ? (value - p->low) / (p->high - p->low) : 0.5;
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static void measure(struct plot *p) {
    struct reckon_trend_run run;
    reckon_trend_test(p->t, p->index, &p->test);
    p->low = HUGE_VAL;
    p->high = 0;
    p->from = p->test.runs > MOST ? p->test.runs - MOST : 0;
    for (size_t i = p->from; i < p->test.runs; i++) {
        reckon_trend_run(p->t, p->index, i, &run);
        p->first = i == p->from ? run.ts : p->first;
        p->last = run.ts;
        if (run.state != RECKON_TREND_MEASURED)
            continue;
        p->low = run.value < p->low ? run.value : p->low;
        p->high = run.value > p->high ? run.value : p->high;
    }
    if (p->low > p->high)
        p->low = p->high;
    p->divisor = trend_axis(p->r, p->high, p->test.unit, &p->unit);
    bool differ = p->high - p->low > p->high * 1e-9; /* not by the last bits alone */
    double room = differ ? (p->high - p->low) * 0.12 : p->high > 0 ? p->high * 0.05 : 1;
    p->low = p->low > room ? p->low - room : 0;
    p->high += room;
}

/* 1, 2 or 5 times a power of ten: a step that makes about TICKS ticks. */
static double step_of(double range) {
    double power = pow(10, floor(log10(range / TICKS))), share = range / TICKS / power;
    return power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1);
}

/* ---- parts ---- */

static void value_axis(const struct plot *p) {
    double low = p->low / p->divisor, high = p->high / p->divisor, step = step_of(high - low);
    double first = ceil(low / step);
    int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (int i = 0; i < 4 * TICKS && (first + i) * step <= high; i++) {
        double at = (first + i) * step, y = y_of(p, at * p->divisor);
        reckon_printf(p->w, "<path class=\"rule\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH - RIGHT);
        reckon_printf(p->w, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4,
                      reckon_fixed(p->r, at, decimals < 9 ? decimals : 9));
    }
    reckon_printf(p->w, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, TOP - 10);
    trend_put_escaped(p->r, p->w, p->unit);
    reckon_put(p->w, "</text>\n");
}

/* A tick every so many days: at most twelve, each labelled MMDD. */
static void time_axis(const struct plot *p) {
    double days = (p->last - p->first) / DAY, step = DAY * ceil(days / 12), from = ceil(p->first / DAY) * DAY;
    if (!(days >= 1))
        from = p->first, step = DAY;
    for (int i = 0; i <= 12 && from + i * step <= p->last; i++) {
        const char *day = trend_day(p->r, from + i * step);
        double x = x_of(p, from + i * step);
        reckon_printf(p->w, "<path class=\"rule\" d=\"M%.1f %dV%d\"/>", x, HEIGHT - BOTTOM,
                      HEIGHT - BOTTOM + 5);
        reckon_printf(p->w, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, HEIGHT - BOTTOM + 19);
        if (strlen(day) == 10)
            reckon_printf(p->w, "%.2s%.2s", day + 5, day + 8);
        else
            trend_put_escaped(p->r, p->w, day);
        reckon_put(p->w, "</text>\n");
    }
}

static void legend(const struct plot *p) {
    if (p->from > 0)
        reckon_printf(p->w, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">the newest %d of %zu runs</text>\n",
                      WIDTH - RIGHT, HEIGHT - 8, MOST, p->test.runs);
    reckon_printf(
        p->w,
        "<text x=\"%d\" y=\"%d\">dot: a run; line: mean of its group</text>"
        "<circle class=\"regression\" cx=\"%d\" cy=\"%d\" r=\"6\"/><text x=\"%d\" y=\"%d\">regression "
        "(\xe2\x96\xbc)</text>"
        "<circle class=\"progression\" cx=\"%d\" cy=\"%d\" r=\"6\"/><text x=\"%d\" y=\"%d\">progression "
        "(\xe2\x96\xb2)</text>"
        "<path class=\"gone\" d=\"M%d %dl8 8m0 -8l-8 8\"/><text x=\"%d\" y=\"%d\">no value</text>\n",
        LEFT, HEIGHT - 8, LEFT + 232, HEIGHT - 12, LEFT + 244, HEIGHT - 8, LEFT + 352, HEIGHT - 12,
        LEFT + 364, HEIGHT - 8, LEFT + 474, HEIGHT - 16, LEFT + 488, HEIGHT - 8);
}

static void means(const struct plot *p) {
    struct reckon_trend_run run;
    if (p->test.groups == 0)
        return;
    reckon_put(p->w, "<path class=\"mean\" d=\"");
    for (size_t i = 0; i < p->test.groups; i++) {
        struct reckon_trend_group g;
        reckon_trend_group(p->t, p->index, i, &g);
        double x = x_of(p, fmax(g.first_ts, p->first));
        reckon_printf(p->w, i == 0 ? "M%.1f %.1f" : "H%.1fV%.1f", x, y_of(p, g.mean));
    }
    reckon_trend_run(p->t, p->index, p->test.runs - 1, &run);
    reckon_printf(p->w, "H%.1f\"/>\n", x_of(p, run.ts));
}

static const char *label(const struct plot *p, const struct reckon_trend_run *run) {
    struct reckon *r = p->r;
    const char *unit = p->test.unit, *attributes = trend_attributes(r, p->t, p->index);
    const char *run_label = *run->label ? reckon_text(r, "; run %s", run->label) : "";
    if (run->state != RECKON_TREND_MEASURED)
        return reckon_text(r, "%s UTC; %s%s%s", trend_date(r, run->ts), run->status, run_label, attributes);
    struct reckon_trend_group g = {.mean = RECKON_BLANK};
    if (run->group != SIZE_MAX)
        reckon_trend_group(p->t, p->index, run->group, &g);
    return reckon_text(r, "%s UTC; value %s; trend %s; standard deviation %s of %s%s%s%s%s",
                       trend_date(r, run->ts), trend_value(r, run->value, unit), trend_value(r, g.mean, unit),
                       trend_value(r, run->stdev, unit), reckon_count(r, run->trials, "trial"),
                       run->comment ? "; starts a " : "", run->comment ? reckon_trend_word(run->comment) : "",
                       run_label, attributes);
}

/* Ends an element that shows a run with its label. */
static void put_label(const struct plot *p, const char *element, const struct reckon_trend_run *run,
                      bool first) {
    if (p->page)
        reckon_printf(p->w, " role=\"img\" tabindex=\"%d\" aria-label=\"", first ? 0 : -1);
    else
        reckon_put(p->w, "><title>");
    trend_put_escaped(p->r, p->w, label(p, run));
    if (p->page)
        reckon_put(p->w, "\"/>\n");
    else
        reckon_printf(p->w, "</title></%s>\n", element);
}

/* The circle around a run that starts something, with a sign that needs no colour. */
static void mark(const struct plot *p, double x, double y, const struct reckon_trend_run *run) {
    const char *word = reckon_trend_word(run->comment);
    bool worse = run->comment == RECKON_TREND_REGRESSION;
    reckon_printf(p->w, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"8\"/>", word, x, y);
    reckon_printf(p->w, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", word,
                  x, worse ? y + 22 : y - 12, worse ? "\xe2\x96\xbc" : "\xe2\x96\xb2");
}

static void runs(const struct plot *p) {
    for (size_t i = p->from; i < p->test.runs; i++) {
        struct reckon_trend_run run;
        reckon_trend_run(p->t, p->index, i, &run);
        double x = x_of(p, run.ts);
        if (run.state != RECKON_TREND_MEASURED) {
            reckon_printf(p->w, "<path class=\"gone\" d=\"M%.1f %dl8 8m0 -8l-8 8\"", x - 4,
                          HEIGHT - BOTTOM - 12);
            put_label(p, "path", &run, i == p->from);
            continue;
        }
        double y = y_of(p, run.value);
        if (run.comment != RECKON_TREND_NORMAL)
            mark(p, x, y, &run);
        reckon_printf(p->w, "<circle class=\"run\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"", x, y);
        put_label(p, "circle", &run, i == p->from);
    }
}

void trend_put_graph(struct reckon *r, struct reckon_writer *w, const struct reckon_trend *t, size_t test,
                     bool page) {
    struct plot p = {.r = r, .w = w, .t = t, .index = test, .page = page};
    measure(&p);
    reckon_printf(w, "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"%s>\n",
                  WIDTH, HEIGHT, page ? " role=\"group\" aria-label=\"graph of the runs\"" : "");
    if (!page) {
        reckon_put(w, "<style>\n");
        trend_put_style(w);
        reckon_put(w, "</style>\n");
        reckon_printf(w, "<rect width=\"%d\" height=\"%d\" style=\"fill:var(--paper)\"/>\n", WIDTH, HEIGHT);
        reckon_printf(w, "<text class=\"name\" x=\"%d\" y=\"20\">", LEFT);
        trend_put_escaped(r, w, p.test.name);
        reckon_put(w, "</text>\n");
    }
    value_axis(&p);
    time_axis(&p);
    means(&p);
    runs(&p);
    legend(&p);
    reckon_put(w, "</svg>\n");
}
