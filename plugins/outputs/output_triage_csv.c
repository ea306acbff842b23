/* SPDX-License-Identifier: Apache-2.0
 *
 * --csv of a triage: the findings in the header every reckon shares. The timestamp is the end of the last
 * period.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

static void row(struct reckon_writer *w, double ts, const char *const cell[6]) {
    for (size_t i = 0; i < 6; i++) {
        if (i)
            reckon_put(w, ",");
        reckon_put_cell(w, cell[i]);
        if (!i) {
            reckon_put(w, ",");
            reckon_put_fixed(w, trunc(ts), 0);
        }
    }
    reckon_put(w, "\n");
}

static int write_csv(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_triage *t = subject;
    reckon_put(w, "host,ts,rule_id,severity,title,detail,fix\n");
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        row(w, t->last,
            (const char *const[]){reckon_finding_host(f), reckon_finding_rule(f),
                                  reckon_severity_word(reckon_finding_severity(f)), reckon_finding_title(f),
                                  reckon_finding_detail(f), reckon_finding_fix(f)});
    }
    if (!reckon_finding_count(r))
        row(w, t->last, (const char *const[]){"*", "OK", "INFO", "nothing wrong", "no rule fired", ""});
    return 0;
}

RECKON_PLUGIN(output, triage_csv) = {
    .name = "triage_csv",
    .summary = "the findings of a triage as CSV, one a row",
    .verbs = "triage",
    .output = {.on = "triage", .option = "csv", .write = write_csv},
};
