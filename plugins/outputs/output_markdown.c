/* SPDX-License-Identifier: Apache-2.0
 *
 * --markdown: the reckoning for a ticket: verdict, findings, the worst hosts and flows of a run or the lowest
 * ceilings of a ramp, and the next steps as boxes to tick. Names from other people's files cannot become
 * markup.
 */
#include <string.h>

#include <reckon/plugin.h>

#include "../shared/ramp_text.h"
#include "../shared/report_common.h"
#include "../shared/worst.h"

struct page {
    struct reckon *r;
    struct reckon_writer *w;
};

/* ---- text ---- */

/* The length of the code span that begins here, its backticks included; 0 when none does. */
static size_t code_span(const char *s) {
    if (*s != '`' || s[1] == '`')
        return 0;
    for (size_t i = 1; s[i]; i++) {
        size_t ticks = strspn(s + i, "`");
        if (ticks == 1)
            return i + 1;
        i += ticks ? ticks - 1 : 0;
    }
    return 0;
}

/* Text with what Markdown would take for markup escaped; `code` leaves code spans as they are, as our own
 * sentences have them. */
static void put_escaped(const struct page *p, const char *text, bool code) {
    for (const char *s = reckon_printable(p->r, text); *s;) {
        size_t span = code ? code_span(s) : 0, plain = strcspn(s, "\\`*_[]<>|~&$");
        if (span) {
            reckon_put_bytes(p->w, s, span);
            s += span;
            continue;
        }
        reckon_put_bytes(p->w, s, plain);
        s += plain;
        if (*s && !(code && code_span(s))) {
            reckon_put(p->w, "\\");
            reckon_put_bytes(p->w, s++, 1);
        }
    }
}

static void put_name(const struct page *p, const char *text) {
    put_escaped(p, text, false);
}

/* A sentence of ours: its dashes and brackets are harmless, a name's in it might not be. */
static void put_sentence(const struct page *p, const char *text) {
    put_escaped(p, text, true);
}

static void heading(const struct page *p, const char *text) {
    reckon_printf(p->w, "\n## %s\n\n", text);
}

/* A row of a table from cells, ended by NULL. */
static void row(const struct page *p, const char *const *cells) {
    for (; *cells; cells++) {
        reckon_put(p->w, "| ");
        put_name(p, *cells);
        reckon_put(p->w, " ");
    }
    reckon_put(p->w, "|\n");
}

#define ROW(p, ...) row(p, (const char *const[]){__VA_ARGS__, NULL})

/* ---- what every subject has ---- */

static void verdict(const struct page *p) {
    const char *rule, *text;
    enum reckon_severity severity;
    if (!reckon_verdict(p->r, &rule, &severity, &text))
        return;
    reckon_put(p->w, "\n**Verdict:** ");
    put_sentence(p, text);
    reckon_put(p->w, "\n");
}

static void findings(const struct page *p) {
    if (!reckon_finding_count(p->r))
        return;
    heading(p, "Findings");
    for (size_t i = 0; i < reckon_finding_count(p->r); i++) {
        const struct reckon_finding *f = reckon_finding_at(p->r, i);
        reckon_printf(p->w, "- **%s** %s%s: ", reckon_severity_word(reckon_finding_severity(f)),
                      reckon_finding_title(f), reckon_finding_known(f) ? " (known)" : "");
        put_sentence(p, reckon_finding_detail(f));
        reckon_put(p->w, "\n");
    }
}

static void list(const struct page *p, const char *title, const char *(*at)(const struct reckon *, size_t)) {
    const char *text;
    for (size_t i = 0; (text = at(p->r, i)); i++) {
        if (!i)
            heading(p, title);
        reckon_put(p->w, "- ");
        put_sentence(p, text);
        reckon_put(p->w, "\n");
    }
}

static void next_steps(const struct page *p, enum reckon_severity least) {
    const char *steps[REPORT_STEPS];
    size_t n = report_steps(p->r, least, steps);
    if (n)
        heading(p, "What to do next");
    for (size_t i = 0; i < n; i++) {
        reckon_put(p->w, "- [ ] ");
        put_sentence(p, steps[i]);
        reckon_put(p->w, "\n");
    }
}

/* ---- a run ---- */

static void host_table(const struct page *p, const struct reckon_comparison *c, double top) {
    struct worst worst = worst_new(p->r, top, reckon_host_count(c));
    const char *unit = reckon_run_unit(c);
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        worst_offer(&worst, reckon_host_efficiency(c, h), h);
    worst_sort(&worst);
    if (!worst.count)
        return;
    heading(p, "Hosts, worst first");
    reckon_put(p->w, "| host | expected | achieved | median | limit |\n| --- | ---: | ---: | ---: | --- |\n");
    for (size_t i = 0; i < worst.count; i++) {
        uint32_t h = worst.at[i].index;
        const char *limit = reckon_limit_text(p->r, c, reckon_host_limit(c, h), reckon_host_limit_link(c, h));
        ROW(p, reckon_host_name(c, h), reckon_rate(p->r, reckon_host_expected(c, h), unit),
            reckon_rate(p->r, reckon_host_achieved(c, h), unit),
            reckon_percent(p->r, reckon_host_efficiency(c, h)), *limit ? limit : "-");
    }
}

static void flow_table(const struct page *p, const struct reckon_comparison *c, double top) {
    struct worst worst = worst_new(p->r, top, reckon_flow_count(c));
    const char *unit = reckon_run_unit(c);
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        worst_offer(&worst, reckon_flow_efficiency(c, f), f);
    worst_sort(&worst);
    if (!worst.count)
        return;
    heading(p, "Flows, worst first");
    reckon_put(p->w, "| from | to | layer | expected | achieved | efficiency | limit |\n"
                     "| --- | --- | --- | ---: | ---: | ---: | --- |\n");
    for (size_t i = 0; i < worst.count; i++) {
        uint32_t f = worst.at[i].index;
        const char *layer = reckon_flow_layer(c, f);
        ROW(p, reckon_host_name(c, reckon_flow_src(c, f)), reckon_host_name(c, reckon_flow_dst(c, f)),
            layer ? layer : "-", reckon_rate(p->r, reckon_flow_expected(c, f), unit),
            reckon_rate(p->r, reckon_flow_achieved(c, f), unit),
            reckon_percent(p->r, reckon_flow_efficiency(c, f)),
            reckon_limit_text(p->r, c, reckon_flow_limit(c, f), reckon_flow_limit_link(c, f)));
    }
}

static const char *run_headline(struct reckon *r, const struct reckon_comparison *c) {
    return reckon_text(r, "%s, %s, %s", reckon_count(r, reckon_host_count(c), "host"),
                       reckon_count(r, reckon_flow_count(c), "flow"), reckon_run_describe(c));
}

/* ---- a ramp ---- */

static void step_table(const struct page *p, const struct reckon_ramp *ramp) {
    heading(p, "Steps, per flow");
    reckon_put(p->w, "| step | asked | delivered | p99 |\n| --- | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < reckon_step_count(ramp); i++)
        ROW(p, reckon_step_label(ramp, i), reckon_rate(p->r, reckon_step_asked(ramp, i), "pps"),
            reckon_rate(p->r, reckon_step_delivered(ramp, i), "pps"),
            reckon_time(p->r, reckon_step_p99(ramp, i)));
}

static void ceiling_table(const struct page *p, const struct reckon_ramp *ramp, double top) {
    const struct reckon_comparison *hosts = reckon_ramp_hardware_of(ramp);
    struct worst worst = worst_new(p->r, top, reckon_host_count(hosts));
    struct reckon_fit f = {.size = sizeof f};
    for (uint32_t h = 0; h < reckon_host_count(hosts); h++)
        if (reckon_fit(ramp, h, &f))
            worst_offer(&worst, f.ceiling_per_flow, h);
    worst_sort(&worst);
    if (!worst.count)
        return;
    heading(p, "Hosts, lowest ceiling first");
    reckon_put(p->w, "| host | ceiling per flow | limit |\n| --- | ---: | --- |\n");
    for (size_t i = 0; i < worst.count; i++) {
        uint32_t h = worst.at[i].index;
        reckon_fit(ramp, h, &f);
        ROW(p, reckon_host_name(hosts, h), reckon_rate(p->r, f.ceiling_per_flow, "pps"),
            ramp_limit_text(p->r, ramp, h, &f));
    }
}

/* ---- the page ---- */

static int write_page(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct page p = {r, w};
    bool ramp = !strcmp(reckon_subject(r), "ramp");
    double top = reckon_option_number(r, "top");
    reckon_put(w, "# reckon: ");
    put_name(&p, ramp ? ramp_describe(r, subject) : run_headline(r, subject));
    reckon_put(w, "\n");
    verdict(&p);
    findings(&p);
    next_steps(&p, ramp ? RECKON_INFO : RECKON_WARN);
    if (ramp) {
        step_table(&p, subject);
        ceiling_table(&p, subject, top);
    } else {
        host_table(&p, subject, top);
        flow_table(&p, subject, top);
    }
    list(&p, "Notes", reckon_note_at);
    list(&p, "Assumed", reckon_assumption_at);
    return 0;
}

RECKON_PLUGIN(output, markdown) = {
    .name = "markdown",
    .summary = "the reckoning as Markdown, for a ticket",
    .uses = (const char *const[]){"top", NULL},
    .output = {.on = "run ramp", .write = write_page},
};
