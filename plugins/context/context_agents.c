/* SPDX-License-Identifier: Apache-2.0
 *
 * Role `agents`: what the agents registered and when they uploaded, as plain CSV for `reckon triage`.
 */
#include <reckon/plugin.h>

#include "../verbs/triage_common/record.h"

static int recognise(const struct reckon_head *head) {
    return record_recognise(head, RECORD_AGENT);
}

static int read_records(struct reckon *r, struct reckon_input *in, void *into) {
    return record_read(r, in, into, RECORD_AGENT);
}

RECKON_PLUGIN(context, agents) = {
    .name = "agents",
    .summary = "what the agents registered and when they uploaded",
    .verbs = "triage",
    .context =
        {
            .role = "agents",
            .many = true,
            .suffix = ".csv",
            .help = "agent records (ts,host,rnic,qpn,event)",
            .value_name = "PATH",
            .fallback = true,
            .recognise = recognise,
            .read = read_records,
        },
};
