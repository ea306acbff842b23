/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts every human report has (report_common.h).
 */
#include "report_common.h"

#include <string.h>

#define TITLE 12 /* the column of a finding's title, and that of its sentence */
#define SENTENCE 28

void report_headline(const struct report *to, const char *text) {
    report_wrapped(to, 0, 10, reckon_text(to->r, "reckon -- %s", text));
}

void report_verdict(const struct report *to) {
    const char *rule, *text;
    enum reckon_severity severity;
    if (!reckon_verdict(to->r, &rule, &severity, &text))
        return;
    reckon_put(to->w, "\n");
    report_labelled(to, "VERDICT", 11, text);
}

/* ---- findings ---- */

static enum reckon_severity least_shown(const struct reckon *r) {
    const char *word = reckon_option_text(r, "min-severity");
    return !strcmp(word, "critical") ? RECKON_CRITICAL : !strcmp(word, "warn") ? RECKON_WARN : RECKON_INFO;
}

/* The i-th finding as far as it is at least this severe; they come most severe first. */
static const struct reckon_finding *finding(const struct reckon *r, size_t i, enum reckon_severity least) {
    const struct reckon_finding *f = i < reckon_finding_count(r) ? reckon_finding_at(r, i) : NULL;
    return f && reckon_finding_severity(f) >= least ? f : NULL;
}

static void one_finding(const struct report *to, const struct reckon_finding *f) {
    static const enum report_colour colours[] = {
        [RECKON_INFO] = REPORT_BLUE, [RECKON_WARN] = REPORT_YELLOW, [RECKON_CRITICAL] = REPORT_RED};
    enum reckon_severity severity = reckon_finding_severity(f);
    const char *word = reckon_severity_word(severity), *title = reckon_finding_title(f);
    size_t at = TITLE + report_widest(to, SENTENCE - TITLE - 1, title) + 1;
    reckon_put(to->w, "  ");
    report_coloured(to, colours[severity], word);
    report_blanks(to, TITLE - 2 - strlen(word));
    report_left(to, title, at - TITLE);
    report_wrapped(
        to, at, SENTENCE,
        reckon_text(to->r, "%s%s", reckon_finding_known(f) ? "(known) " : "", reckon_finding_detail(f)));
}

void report_findings(const struct report *to) {
    enum reckon_severity least = least_shown(to->r);
    const struct reckon_finding *f;
    for (size_t i = 0; (f = finding(to->r, i, least)); i++) {
        if (!i)
            reckon_put(to->w, "\n");
        one_finding(to, f);
    }
}

/* ---- facts and lists ---- */

void report_notes(const struct report *to) {
    const char *note;
    for (size_t i = 0; (note = reckon_note_at(to->r, i)); i++)
        report_labelled(to, "NOTE", REPORT_FACTS, note);
}

void report_assumed(const struct report *to) {
    const char *assumed;
    for (size_t i = 0; (assumed = reckon_assumption_at(to->r, i)); i++) {
        if (!i)
            report_heading(to, "ASSUMED");
        report_bullet(to, assumed);
    }
}

static bool said(const char *const *steps, size_t n, const char *step) {
    for (size_t i = 0; i < n; i++)
        if (!strcmp(steps[i], step))
            return true;
    return false;
}

size_t report_steps(const struct reckon *r, enum reckon_severity least, const char *steps[REPORT_STEPS]) {
    const struct reckon_finding *f;
    size_t n = 0;
    for (size_t i = 0; n < REPORT_STEPS && (f = finding(r, i, least)); i++) {
        const char *step = reckon_finding_fix(f);
        if (*step && !said(steps, n, step))
            steps[n++] = step;
    }
    return n;
}

void report_next_steps(const struct report *to, bool info) {
    enum reckon_severity least = least_shown(to->r), floor = info ? RECKON_INFO : RECKON_WARN;
    const char *steps[REPORT_STEPS];
    size_t n = report_steps(to->r, least > floor ? least : floor, steps);
    if (n)
        report_heading(to, "WHAT TO DO NEXT");
    for (size_t i = 0; i < n; i++)
        report_bullet(to, steps[i]);
}

void report_skipped(const struct report *to) {
    const char *rule;
    if (!reckon_flag(to->r, "all"))
        return;
    for (size_t i = 0; (rule = reckon_skipped_rule(to->r, i)); i++) {
        if (!i)
            report_heading(to, "RULES SKIPPED");
        report_bullet(to, reckon_text(to->r, "%s: %s", rule, reckon_skipped_reason(to->r, i)));
    }
}
