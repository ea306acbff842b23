/* SPDX-License-Identifier: Apache-2.0
 *
 * --csv for trends and compared builds: the findings, one a row, in the columns that runs have. The host is
 * the test.
 */
#include <math.h>
#include <string.h>

#include "../shared/trend_text.h"

static void row(struct reckon_writer *w, double ts, const char *host, const char *const *cells) {
    reckon_put_cell(w, host);
    reckon_put(w, ",");
    reckon_put_fixed(w, trunc(ts), 0);
    for (; *cells; cells++) {
        reckon_put(w, ",");
        reckon_put_cell(w, *cells);
    }
    reckon_put(w, "\n");
}

static int write_csv(struct reckon *r, const void *subject, struct reckon_writer *w) {
    double first, ts = RECKON_BLANK;
    if (!strcmp(reckon_subject(r), "trend"))
        reckon_trend_span(subject, &first, &ts);
    reckon_put(w, "host,ts,rule_id,severity,title,detail,fix\n");
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        row(w, ts, reckon_finding_host(f),
            (const char *const[]){reckon_finding_rule(f), reckon_severity_word(reckon_finding_severity(f)),
                                  reckon_finding_title(f), reckon_finding_detail(f), reckon_finding_fix(f),
                                  NULL});
    }
    if (reckon_finding_count(r) == 0)
        row(w, ts, "*", (const char *const[]){"OK", "INFO", "nothing wrong", "no rule fired", "", NULL});
    return 0;
}

RECKON_PLUGIN(output, trend_csv) = {
    .name = "trend_csv",
    .summary = "the findings as CSV, one a row",
    .output = {.on = "trend compare", .option = "csv", .write = write_csv},
};
