/* SPDX-License-Identifier: Apache-2.0
 *
 * --csv: the findings, one a row, in the header other tools of the kind share. The timestamp is the run's
 * own, so two reckonings of one run are the same bytes.
 */
#include <reckon/plugin.h>

#include <math.h>
#include <string.h>

#include "../shared/ramp_text.h"

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
    double ts = strcmp(reckon_subject(r), "ramp") ? reckon_run_last_ts(subject) : ramp_last_ts(subject);
    reckon_put(w, "host,ts,rule_id,severity,title,detail,fix\n");
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        row(w, ts,
            (const char *const[]){reckon_finding_host(f), reckon_finding_rule(f),
                                  reckon_severity_word(reckon_finding_severity(f)), reckon_finding_title(f),
                                  reckon_finding_detail(f), reckon_finding_fix(f)});
    }
    if (!reckon_finding_count(r))
        row(w, ts, (const char *const[]){"*", "OK", "INFO", "nothing wrong", "no rule fired", ""});
    return 0;
}

RECKON_PLUGIN(output, csv) = {
    .name = "csv",
    .summary = "the findings as CSV, one a row",
    .output = {.on = "run ramp", .write = write_csv},
};
