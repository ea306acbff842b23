/* SPDX-License-Identifier: Apache-2.0
 *
 * --csv: the findings, one a row, in the header other tools of the kind share. The timestamp is the run's
 * own, so two reckonings of one run are the same bytes.
 */
#include <reckon/plugin.h>

#include <string.h>

#include "../shared/findings_csv.h"
#include "../shared/ramp_text.h"

static int write_csv(struct reckon *r, const void *subject, struct reckon_writer *w) {
    bool ramp = !strcmp(reckon_subject(r), "ramp");
    findings_csv(r, w, ramp ? ramp_last_ts(subject) : reckon_run_last_ts(subject));
    return 0;
}

RECKON_PLUGIN(output, csv) = {
    .name = "csv",
    .summary = "the findings as CSV, one a row",
    .output = {.on = "run ramp", .write = write_csv},
};
