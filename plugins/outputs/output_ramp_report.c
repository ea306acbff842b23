/* SPDX-License-Identifier: Apache-2.0
 *
 * The report a person reads, for a ramp: verdict and findings, the steps, the model of the fleet and how it
 * was checked, a small plot, what it predicts, and the hosts that saturate first.
 */
#include <reckon/plugin.h>

#include <stdlib.h>
#include <string.h>

#include "../shared/ramp_text.h"
#include "../shared/report_hardware.h"
#include "../shared/text_plot.h"
#include "../shared/trimmed.h"
#include "../shared/worst.h"

#define NAMES 6        /* how many hosts a sentence names */
#define MODEL 15       /* where the text of MODEL lines begins */
#define FALLS_SHORT 98 /* percent of what was asked */

static const char *rate(struct reckon *r, double x) {
    return reckon_rate(r, x, "pps");
}

/* "    ceiling    text". */
static void fact(const struct report *to, const char *name, const char *text) {
    report_blanks(to, 4);
    report_left(to, name, MODEL - 4);
    report_wrapped(to, MODEL, MODEL, text);
}

/* ---- STEPS ---- */

static void steps(const struct report *to, const struct reckon_ramp *ramp) {
    struct reckon *r = to->r;
    size_t width = strlen("step");
    for (size_t i = 0; i < reckon_step_count(ramp); i++)
        width = report_widest(to, width, reckon_step_label(ramp, i));
    report_heading(to, "STEPS, per flow");
    report_blanks(to, 4);
    report_left(to, "step", width);
    reckon_put(to->w, "         asked     delivered  kept up       p99\n");
    for (size_t i = 0; i < reckon_step_count(ramp); i++) {
        double asked = reckon_step_asked(ramp, i), delivered = reckon_step_delivered(ramp, i);
        report_blanks(to, 4);
        report_left(to, reckon_step_label(ramp, i), width);
        report_right(to, rate(r, asked), 14);
        report_right(to, rate(r, delivered), 14);
        report_right(to, reckon_percent(r, delivered / asked * 100), 9);
        report_right(to, reckon_time(r, reckon_step_p99(ramp, i)), 10);
        reckon_put(to->w, "\n");
    }
}

/* ---- MODEL ---- */

static void ceiling(const struct report *to, const struct reckon_fit *f) {
    struct reckon *r = to->r;
    const char *text =
        f->reached ? reckon_text(r, "%s, at step %s", rate(r, f->ceiling), f->ceiling_step)
                   : reckon_text(r, "%s or more: no step asked for more than it got", rate(r, f->ceiling));
    if (!reckon_blank(f->hardware))
        text = reckon_text(r, "%s; the hardware allows %s (%s)", text, rate(r, f->hardware),
                           reckon_percent(r, f->ceiling / f->hardware * 100));
    fact(to, "ceiling", text);
}

static void sustains(const struct report *to, const struct reckon_fit *f) {
    struct reckon *r = to->r;
    const char *text = reckon_blank(f->sustained) ? "no rate that was asked" : rate(r, f->sustained);
    if (!reckon_blank(f->first_short))
        text = reckon_text(r, "%s; first falls short at %s", text, rate(r, f->first_short));
    else if (f->reached)
        text = reckon_text(r, "%s; falls short unpaced", text);
    fact(to, "sustains", text);
}

static void latency(const struct report *to, const struct reckon_fit *f) {
    struct reckon *r = to->r;
    const char *points = reckon_count(r, f->curve_points, "step");
    if (!reckon_blank(f->rms_us))
        points = reckon_text(r, "%s, rms %s", points, reckon_time(r, f->rms_us));
    if (!f->reached)
        fact(to, "p99", "no curve without a ceiling");
    else if (reckon_blank(f->b_us))
        fact(to, "p99", "no curve: it takes two steps at different rates that kept up below the ceiling");
    else
        fact(to, "p99",
             reckon_text(r, "%s + %s x u/(1-u), u = delivered / ceiling (%s)", reckon_time(r, f->r0_us),
                         reckon_time(r, f->b_us), points));
    if (!reckon_blank(f->knee))
        fact(to, "knee",
             reckon_text(r, "p99 reaches %sx at %s, %s of the ceiling",
                         trimmed(r, reckon_option_number(r, "bloat"), 2), rate(r, f->knee),
                         reckon_percent(r, f->knee / f->ceiling * 100)));
}

static void beyond(const struct report *to, const struct reckon_ramp *ramp) {
    const char *label, *text = "";
    double delivered;
    for (size_t i = 0; (label = reckon_fit_beyond(ramp, RECKON_NONE, i, &delivered)); i++)
        text = reckon_text(to->r, "%s%sstep %s delivered %s", text, i ? ", " : "", label,
                           rate(to->r, delivered));
    if (*text)
        fact(to, "beyond it", text);
}

static void checked(const struct report *to, const struct reckon_fit *f) {
    static const char *const why[] = {
        [RECKON_CHECKED] = "",
        [RECKON_NO_CEILING] = "no ceiling was reached",
        [RECKON_FEW_STEPS] = "fewer than three steps",
        [RECKON_ONE_SHORT_STEP] = "only one step fell short, and nothing else tells where the ceiling is"};
    struct reckon *r = to->r;
    if (f->check == RECKON_UNCHECKED) {
        fact(to, "checked",
             f->unchecked_why ? reckon_text(r, "unchecked: %s", why[f->unchecked_why]) : "unchecked");
        return;
    }
    const char *delivered = reckon_text(r, "delivered within %s", reckon_percent(r, f->loo_delivered_pct)),
               *p99;
    if (f->check_p99 == RECKON_UNCHECKED)
        p99 = reckon_text(r, " -- %s; p99 unchecked", reckon_check_word(f->check_delivered));
    else if (f->check_p99 == f->check_delivered)
        p99 = reckon_text(r, ", p99 within %s -- %s", reckon_percent(r, f->loo_p99_pct),
                          reckon_check_word(f->check_p99));
    else
        p99 = reckon_text(r, " -- %s; p99 within %s -- %s", reckon_check_word(f->check_delivered),
                          reckon_percent(r, f->loo_p99_pct), reckon_check_word(f->check_p99));
    fact(to, "checked",
         reckon_text(r, "each step left out and predicted from the others: %s%s", delivered, p99));
}

static void model(const struct report *to, const struct reckon_ramp *ramp) {
    struct reckon_fit f = {.size = sizeof f};
    if (!reckon_fit(ramp, RECKON_NONE, &f))
        return;
    report_heading(to, "MODEL, the fleet per flow");
    ceiling(to, &f);
    sustains(to, &f);
    beyond(to, ramp);
    latency(to, &f);
    checked(to, &f);
}

/* ---- the plot ---- */

static void plots(const struct report *to, const struct reckon_ramp *ramp) {
    size_t n = reckon_step_count(ramp);
    struct plot_point *rates = reckon_alloc(to->r, (n + 1) * sizeof *rates);
    struct plot_point *times = reckon_alloc(to->r, (n + 1) * sizeof *times);
    for (size_t i = 0; i < n; i++) {
        double asked = reckon_step_asked(ramp, i);
        rates[i] = (struct plot_point){asked, reckon_step_delivered(ramp, i), asked};
        times[i] = (struct plot_point){asked, reckon_step_p99(ramp, i), RECKON_BLANK};
    }
    const char *most = rate(to->r, plot_widest(rates, n));
    struct plot delivered = plot_new(rates, n, rate(to->r, plot_highest(rates, n)), most);
    struct plot p99 = plot_new(times, n, reckon_time(to->r, plot_highest(times, n)), most);
    const char *title = reckon_text(to->r, "  delivered (%s: asked in vain)", plot_faint(to));
    bool timed = plot_highest(times, n) > 0; /* else nothing was measured, and nothing is drawn */
    report_heading(to, "AGAINST WHAT WAS ASKED");
    for (int line = -1; line < PLOT_LINES; line++) {
        report_blanks(to, 4);
        report_left(to, line < 0 ? title : plot_line(to, &delivered, line), timed ? PLOT_WIDTH + 1 : 0);
        if (timed)
            report_left(to, line < 0 ? "        p99" : plot_line(to, &p99, line), 0);
        reckon_put(to->w, "\n");
    }
}

/* ---- PREDICTION ---- */

/* What to say beside a figure whose check did not validate it. */
static const char *doubt(enum reckon_check check) {
    return check == RECKON_CHECK_FAILED ? " (from a model that failed its check)"
           : check == RECKON_UNCHECKED  ? " (from a model that was never checked)"
                                        : "";
}

static const char *short_hosts(struct reckon *r, const struct reckon_ramp *ramp, double asked) {
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    const char *text = "";
    size_t n = 0;
    for (uint32_t h = 0; h < reckon_host_count(hardware); h++) {
        struct reckon_fit f = {.size = sizeof f};
        double delivered, p99;
        if (!reckon_fit(ramp, h, &f) || !reckon_predicted(ramp, h, &delivered, &p99) ||
            !(delivered < asked * f.flows * FALLS_SHORT / 100))
            continue;
        if (n++ < NAMES)
            text = reckon_text(r, "%s%s%s (%s)", text, n > 1 ? ", " : "", reckon_host_name(hardware, h),
                               rate(r, delivered / f.flows));
    }
    return n > NAMES ? reckon_text(r, "%s and %zu more", text, n - NAMES) : text;
}

static void prediction(const struct report *to, const struct reckon_ramp *ramp) {
    struct reckon *r = to->r;
    struct reckon_fit f = {.size = sizeof f};
    double asked, delivered = RECKON_BLANK, p99 = RECKON_BLANK;
    if (!reckon_has_prediction(ramp, &asked) || !reckon_fit(ramp, RECKON_NONE, &f))
        return;
    reckon_predicted(ramp, RECKON_NONE, &delivered, &p99);
    report_heading(to, reckon_text(r, "PREDICTION, at %s asked per flow", rate(r, asked)));
    fact(to, "delivered",
         reckon_blank(delivered)
             ? "not predicted: no step asked for as much, and none tells where the ceiling is"
             : reckon_text(r, "%s%s", rate(r, delivered), doubt(f.check_delivered)));
    fact(to, "p99",
         !reckon_blank(p99)     ? reckon_text(r, "%s%s", reckon_time(r, p99), doubt(f.check_p99))
         : reckon_blank(f.b_us) ? "not predicted: the model has no curve"
                                : "not predicted: too close to the ceiling, where the curve runs off");
    const char *names = short_hosts(r, ramp, asked);
    if (*names)
        fact(to, "fall short", names);
}

/* ---- HOSTS ---- */

static void host_row(const struct report *to, const struct reckon_ramp *ramp, uint32_t h, size_t width) {
    struct reckon *r = to->r;
    struct reckon_fit f = {.size = sizeof f};
    reckon_fit(ramp, h, &f);
    report_blanks(to, 4);
    report_left(to, reckon_host_name(reckon_ramp_hardware_of(ramp), h), width);
    report_right(to, rate(r, f.ceiling_per_flow), 14);
    report_right(to, rate(r, f.sustained / f.flows), 14);
    report_right(to, rate(r, f.knee / f.flows), 14);
    report_blanks(to, 2);
    report_left(to, reckon_check_word(f.check), 11);
    report_left(to, ramp_limit_text(r, ramp, h, &f), 0);
    reckon_put(to->w, "\n");
}

static void hosts(const struct report *to, const struct reckon_ramp *ramp) {
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    struct worst worst = worst_new(to->r, reckon_option_number(to->r, "top"), reckon_host_count(hardware));
    struct reckon_fit f = {.size = sizeof f};
    size_t width = strlen("host");
    for (uint32_t h = 0; h < reckon_host_count(hardware); h++)
        if (reckon_fit(ramp, h, &f))
            worst_offer(&worst, f.ceiling_per_flow, h);
    worst_sort(&worst);
    if (!worst.count)
        return;
    for (size_t i = 0; i < worst.count; i++)
        width = report_widest(to, width, reckon_host_name(hardware, worst.at[i].index));
    report_heading(to, "HOSTS per flow, lowest ceiling first");
    report_blanks(to, 4);
    report_left(to, "host", width);
    reckon_put(to->w, "       ceiling      sustains          knee  check      limit\n");
    for (size_t i = 0; i < worst.count; i++)
        host_row(to, ramp, worst.at[i].index, width);
}

static void evidence(const struct report *to, const struct reckon_ramp *ramp) {
    steps(to, ramp);
    model(to, ramp);
    plots(to, ramp);
    prediction(to, ramp);
    hosts(to, ramp);
    reckon_put(to->w, "\n");
    report_hardware(to, reckon_ramp_hardware_of(ramp));
    report_notes(to);
    report_assumed(to);
}

static int write_report(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct report to = {r, w};
    report_headline(&to, ramp_describe(r, subject));
    report_verdict(&to);
    report_findings(&to);
    if (!reckon_flag(r, "quiet"))
        evidence(&to, subject);
    report_skipped(&to);
    report_next_steps(&to, true);
    return 0;
}

RECKON_PLUGIN(output, ramp_report) = {
    .name = "ramp_report",
    .summary = "the report a person reads, for a ramp",
    .uses = (const char *const[]){"top", "bloat", "quiet", NULL},
    .options = (const struct reckon_option[]){REPORT_OPTIONS},
    .output = {.on = "ramp", .console = true, .write = write_report},
};
