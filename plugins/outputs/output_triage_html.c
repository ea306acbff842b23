/* SPDX-License-Identifier: Apache-2.0
 *
 * --html of a triage: five stacked series over time (the job's metric, network RTT, processing delay, drops
 * the job's own probes saw, drops the cluster's saw), with the problems marked across them. One page that
 * stands alone.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include <inttypes.h>
#include <string.h>

#include "../shared/triage_text.h"

#define WIDTH 1000.0
#define LEFT 70.0 /* of the plots: room for the scale */
#define HEIGHT 110.0
#define GAP 34.0
#define TOP 24.0

struct line {
    const char *name, *class;
    double (*value)(const struct reckon_triage_period *p);
};
struct plot {
    const char *title;
    const char *(*text)(struct reckon *r, double x);
    struct line lines[4];
};

/* ---- what is drawn ---- */

static double metric_of(const struct reckon_triage_period *p) {
    return p->metric;
}
/* The job's own probes where it has any, else the cluster's. */
static const struct reckon_triage_view *times_of(const struct reckon_triage_period *p) {
    return p->job.network.count ? &p->job : &p->cluster;
}
static double rtt_p50(const struct reckon_triage_period *p) {
    return times_of(p)->network.p50;
}
static double rtt_p99(const struct reckon_triage_period *p) {
    return times_of(p)->network.p99;
}
static double rtt_p999(const struct reckon_triage_period *p) {
    return times_of(p)->network.p999;
}
static double delay_p50(const struct reckon_triage_period *p) {
    return times_of(p)->responder.p50;
}
static double delay_p99(const struct reckon_triage_period *p) {
    return times_of(p)->responder.p99;
}
static double prober_p99(const struct reckon_triage_period *p) {
    return times_of(p)->prober.p99;
}
static double job_rnic(const struct reckon_triage_period *p) {
    return p->job.rnic_pct;
}
static double job_switch(const struct reckon_triage_period *p) {
    return p->job.switch_pct;
}
static double job_other(const struct reckon_triage_period *p) {
    return p->job.other_pct;
}
static double cluster_rnic(const struct reckon_triage_period *p) {
    return p->cluster.rnic_pct;
}
static double cluster_switch(const struct reckon_triage_period *p) {
    return p->cluster.switch_pct;
}
static double cluster_other(const struct reckon_triage_period *p) {
    return p->cluster.other_pct;
}

static const char *plain(struct reckon *r, double x) {
    return reckon_text(r, "%.4g", x);
}
static const char *percent(struct reckon *r, double x) {
    return reckon_text(r, "%.3g%%", x);
}

static const struct plot plots[] = {
    {"Job metric", plain, {{"median of the period", "a", metric_of}}},
    {"Network RTT", reckon_time, {{"P50", "a", rtt_p50}, {"P99", "b", rtt_p99}, {"P99.9", "c", rtt_p999}}},
    {"Processing delay",
     reckon_time,
     {{"responder P50", "a", delay_p50}, {"responder P99", "b", delay_p99}, {"prober P99", "c", prober_p99}}},
    {"Drops, the job's own probes",
     percent,
     {{"switch", "b", job_switch}, {"RNIC", "c", job_rnic}, {"not the network", "a", job_other}}},
    {"Drops, all probes",
     percent,
     {{"switch", "b", cluster_switch}, {"RNIC", "c", cluster_rnic}, {"not the network", "a", cluster_other}}},
};
#define PLOTS (sizeof plots / sizeof *plots)

/* ---- page ---- */

static const char style[] =
    ":root{color-scheme:light "
    "dark;--paper:#fff;--ink:#1b1b1b;--soft:#6b6b6b;--rule:#d8d8d8;--a:#31688e;--b:#c1440e;"
    "--c:#7a5195;--p0:#c1272d33;--p1:#e69f0033;--p2:#31688e22;--none:#88888822}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#161616;--ink:#eee;--soft:#a0a0a0;--rule:#3a3a3a;--a:#"
    "7fb8e0;"
    "--b:#ff9a6b;--c:#c9a4e0}}\n"
    "body{font:15px/1.5 "
    "system-ui,sans-serif;background:var(--paper);color:var(--ink);max-width:1100px;margin:0 auto;"
    "padding:1rem}\nh1{font-size:1.3rem}svg{width:100%;height:auto}svg text{fill:var(--ink);font-size:12px}\n"
    "svg .soft{fill:var(--soft)}svg .axis{stroke:var(--rule)}svg polyline{fill:none;stroke-width:1.5}\n"
    "svg .a{stroke:var(--a)}svg .b{stroke:var(--b)}svg .c{stroke:var(--c)}svg circle.a{fill:var(--a)}"
    "svg circle.b{fill:var(--b)}svg circle.c{fill:var(--c)}svg tspan.a{fill:var(--a);stroke:none}"
    "svg tspan.b{fill:var(--b);stroke:none}svg tspan.c{fill:var(--c);stroke:none}\n"
    ".P0{fill:var(--p0)}.P1{fill:var(--p1)}.P2{fill:var(--p2)}.none{fill:var(--none)}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .6rem;vertical-align:top;"
    "border-bottom:1px solid var(--rule);overflow-wrap:anywhere}th{color:var(--soft)}\n";

struct page {
    struct reckon *r;
    struct reckon_writer *w;
    const struct reckon_triage *t;
};

static void escaped(const struct page *p, const char *text) {
    for (const char *s = reckon_printable(p->r, text); *s; s++) {
        if (*s == '<')
            reckon_put(p->w, "&lt;");
        else if (*s == '&')
            reckon_put(p->w, "&amp;");
        else if (*s == '"')
            reckon_put(p->w, "&quot;");
        else
            reckon_put_bytes(p->w, s, 1);
    }
}

static double x_of(const struct page *p, double ts) {
    double span = p->t->last - p->t->first;
    return LEFT + (WIDTH - LEFT) * (span > 0 ? (ts - p->t->first) / span : 0);
}

static double middle_x(const struct page *p, const struct reckon_triage_period *period) {
    return x_of(p, (period->start + period->end) / 2);
}

static double top_of(size_t plot) {
    return TOP + (double)plot * (HEIGHT + GAP);
}

/* The largest value any line of the plot reaches; 0 when there is none. */
static double largest(const struct page *p, const struct plot *plot) {
    double most = 0;
    for (size_t l = 0; l < 4 && plot->lines[l].name; l++)
        for (size_t i = 0; i < p->t->nperiods; i++) {
            double y = plot->lines[l].value(p->t->periods[i]);
            most = y > most ? y : most;
        }
    return most;
}

static bool follows(const struct reckon_triage *t, size_t i) {
    return i > 0 && t->periods[i]->start <= t->periods[i - 1]->end;
}

/* One line; it breaks where periods or values are missing, and a lone value is a dot. */
static void draw_line(const struct page *p, const struct line *line, double top, double most) {
    const struct reckon_triage *t = p->t;
    for (size_t i = 0; i < t->nperiods;) {
        size_t from = i;
        for (; i < t->nperiods && !reckon_blank(line->value(t->periods[i])) && (i == from || follows(t, i));
             i++) {
            double y = top + HEIGHT * (1 - line->value(t->periods[i]) / most);
            if (i == from)
                reckon_printf(p->w,
                              "<circle class=\"%s\" r=\"1.5\" cx=\"%.1f\" cy=\"%.1f\"/><polyline "
                              "class=\"%s\" points=\"",
                              line->class, middle_x(p, t->periods[i]), y, line->class);
            reckon_printf(p->w, "%.1f,%.1f ", middle_x(p, t->periods[i]), y);
        }
        if (i == from)
            i++;
        else
            reckon_put(p->w, "\"/>\n");
    }
}

static void draw_plot(const struct page *p, size_t index) {
    const struct plot *plot = &plots[index];
    double top = top_of(index), most = largest(p, plot);
    reckon_printf(p->w, "<text x=\"%g\" y=\"%.1f\">%s", LEFT, top - 8, plot->title);
    for (size_t l = 0; l < 4 && plot->lines[l].name; l++)
        reckon_printf(p->w, "<tspan class=\"%s\" dx=\"12\">%s</tspan>", plot->lines[l].class,
                      plot->lines[l].name);
    reckon_printf(p->w, "</text>\n<path class=\"axis\" d=\"M%g %.1fH%gM%g %.1fH%g\"/>\n", LEFT, top, WIDTH,
                  LEFT, top + HEIGHT, WIDTH);
    reckon_printf(p->w, "<text class=\"soft\" text-anchor=\"end\" x=\"%g\" y=\"%.1f\">%s</text>", LEFT - 6,
                  top + 10, most > 0 ? plot->text(p->r, most) : "none");
    reckon_printf(p->w, "<text class=\"soft\" text-anchor=\"end\" x=\"%g\" y=\"%.1f\">0</text>\n", LEFT - 6,
                  top + HEIGHT);
    for (size_t l = 0; most > 0 && l < 4 && plot->lines[l].name; l++)
        draw_line(p, &plot->lines[l], top, most);
}

static const char *class_of(const struct reckon_triage_problem *x) {
    return x->impact == RECKON_IMPACT_NONE ? "none" : reckon_impact_word(x->impact);
}

/* Every problem is a band across all plots. */
static void draw_problems(const struct page *p) {
    for (size_t i = 0; i < p->t->nproblems; i++) {
        const struct reckon_triage_problem *x = p->t->problems[i];
        double from = x_of(p, x->start), to = x_of(p, x->end);
        reckon_printf(p->w, "<rect class=\"%s\" x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%.1f\"><title>",
                      class_of(x), from, TOP, to - from > 1 ? to - from : 1, top_of(PLOTS) - GAP - TOP);
        escaped(p, triage_words(x->kind));
        reckon_put(p->w, " ");
        escaped(p, triage_sentence(p->r, x));
        reckon_put(p->w, "</title></rect>\n");
    }
}

static void draw_time(const struct page *p) {
    char when[TRIAGE_WHEN];
    double y = top_of(PLOTS) - GAP + 16;
    reckon_printf(p->w, "<text class=\"soft\" x=\"%g\" y=\"%.1f\">%s</text>", LEFT, y,
                  triage_when(p->t->first, when));
    reckon_printf(p->w, "<text class=\"soft\" text-anchor=\"end\" x=\"%g\" y=\"%.1f\">%s</text>\n", WIDTH, y,
                  triage_when(p->t->last, when));
}

static void table(const struct page *p) {
    char start[TRIAGE_WHEN], seen[TRIAGE_SENTENCE];
    reckon_put(p->w, "<table><thead><tr><th scope=\"col\">Begins</th><th scope=\"col\">Class</th><th "
                     "scope=\"col\">Problem</th><th scope=\"col\">Name</th><th scope=\"col\">Periods</th><th "
                     "scope=\"col\">Seen</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->t->nproblems; i++) {
        const struct reckon_triage_problem *x = p->t->problems[i];
        reckon_printf(p->w, "<tr><td>%s</td><td>%s</td><td>%s</td><td>", triage_when(x->start, start),
                      reckon_impact_word(x->impact), triage_words(x->kind));
        escaped(p, x->name);
        reckon_printf(p->w, "</td><td>%u</td><td>", x->periods);
        escaped(p, triage_seen(x, seen));
        reckon_put(p->w, "</td></tr>\n");
    }
    reckon_put(p->w, "</tbody></table>\n");
}

static void verdict(const struct page *p) {
    const char *rule, *text;
    enum reckon_severity severity;
    if (!reckon_verdict(p->r, &rule, &severity, &text))
        return;
    reckon_put(p->w, "<p>");
    escaped(p, text);
    reckon_put(p->w, "</p>\n");
}

static int write_html(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct page p = {r, w, subject};
    reckon_printf(
        w,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none';style-src "
        "'unsafe-inline'\">\n<title>Triage</title>\n<style>\n%s</style>\n"
        "<main>\n<h1>Triage of %u RNICs, %zu periods</h1>\n",
        style, p.t->rnics, p.t->nperiods);
    verdict(&p);
    if (p.t->nperiods) {
        reckon_printf(w, "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"five series over time\">\n",
                      WIDTH, top_of(PLOTS) - GAP + 24);
        draw_problems(&p);
        for (size_t i = 0; i < PLOTS; i++)
            draw_plot(&p, i);
        draw_time(&p);
        reckon_put(w, "</svg>\n");
    }
    if (p.t->nproblems)
        table(&p);
    reckon_put(w, "</main>\n</html>\n");
    return 0;
}

RECKON_PLUGIN(output, triage_html) = {
    .name = "triage_html",
    .summary = "a triage as one page: five series over time with the problems marked",
    .verbs = "triage",
    .output = {.on = "triage", .option = "html", .write = write_html},
};
