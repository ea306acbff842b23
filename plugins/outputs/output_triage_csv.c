/* SPDX-License-Identifier: Apache-2.0
 *
 * --csv of a triage: the findings. The timestamp is the end of the last period.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/findings_csv.h"

static int write_csv(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_triage *t = subject;
    findings_csv(r, w, t->last);
    return 0;
}

RECKON_PLUGIN(output, triage_csv) = {
    .name = "triage_csv",
    .summary = "the findings of a triage as CSV, one a row",
    .verbs = "triage",
    .output = {.on = "triage", .option = "csv", .write = write_csv},
};
