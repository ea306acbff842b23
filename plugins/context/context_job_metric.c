/* SPDX-License-Identifier: Apache-2.0
 *
 * Role `job-metric`: how fast the job goes, over time, as plain CSV for `reckon triage`.
 */
#include <reckon/plugin.h>

#include "../verbs/triage_common/record.h"

static int recognise(const struct reckon_head *head) {
    return record_recognise(head, RECORD_METRIC);
}

static int read_records(struct reckon *r, struct reckon_input *in, void *into) {
    return record_read(r, in, into, RECORD_METRIC);
}

RECKON_PLUGIN(context, job_metric) = {
    .name = "job-metric",
    .summary = "how fast the job goes, over time",
    .verbs = "triage",
    .context =
        {
            .role = "job-metric",
            .many = false,
            .suffix = ".csv",
            .help = "the job's metric over time (ts,value)",
            .value_name = "FILE",
            .fallback = true,
            .recognise = recognise,
            .read = read_records,
        },
};
