/* SPDX-License-Identifier: Apache-2.0
 *
 * Role `paths`: traced paths of the tuples, as plain CSV for `reckon triage`.
 */
#include <reckon/plugin.h>

#include "../verbs/triage_common/record.h"

static int recognise(const struct reckon_head *head) {
    return record_recognise(head, RECORD_PATH);
}

static int read_records(struct reckon *r, struct reckon_input *in, void *into) {
    return record_read(r, in, into, RECORD_PATH);
}

RECKON_PLUGIN(context, paths) = {
    .name = "paths",
    .summary = "traced paths of the tuples",
    .verbs = "triage",
    .context =
        {
            .role = "paths",
            .many = true,
            .suffix = ".csv",
            .help = "traced paths (tuple,leg,links)",
            .value_name = "PATH",
            .fallback = true,
            .recognise = recognise,
            .read = read_records,
        },
};
