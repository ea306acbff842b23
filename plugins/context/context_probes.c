/* SPDX-License-Identifier: Apache-2.0
 *
 * Role `probes`: probes of every agent, as plain CSV for `reckon triage`.
 */
#include <reckon/plugin.h>

#include "../verbs/triage_common/record.h"

static int recognise(const struct reckon_head *head) {
    return record_recognise(head, RECORD_PROBE);
}

static int read_records(struct reckon *r, struct reckon_input *in, void *into) {
    return record_read(r, in, into, RECORD_PROBE);
}

RECKON_PLUGIN(context, probes) = {
    .name = "probes",
    .summary = "probes of every agent",
    .verbs = "triage",
    .context =
        {
            .role = "probes",
            .many = true,
            .suffix = ".csv",
            .help = "probe records of the agents (ts,list,prober,target,tuple,qpn,status,...)",
            .value_name = "PATH",
            .fallback = true,
            .recognise = recognise,
            .read = read_records,
        },
};
