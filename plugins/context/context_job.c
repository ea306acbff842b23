/* SPDX-License-Identifier: Apache-2.0
 *
 * Role `job`: the connections of the job, as plain CSV for `reckon triage`.
 */
#include <reckon/plugin.h>

#include "../verbs/triage_common/record.h"

static int recognise(const struct reckon_head *head) {
    return record_recognise(head, RECORD_JOB);
}

static int read_records(struct reckon *r, struct reckon_input *in, void *into) {
    return record_read(r, in, into, RECORD_JOB);
}

RECKON_PLUGIN(context, job) = {
    .name = "job",
    .summary = "the connections of the job",
    .verbs = "triage",
    .context =
        {
            .role = "job",
            .many = false,
            .suffix = ".csv",
            .help = "the job's own connections (tuple)",
            .value_name = "FILE",
            .fallback = true,
            .recognise = recognise,
            .read = read_records,
        },
};
