/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings as CSV (findings_csv.h).
 */
#include "findings_csv.h"

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

void findings_csv(struct reckon *r, struct reckon_writer *w, double ts) {
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
}
