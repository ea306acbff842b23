/* SPDX-License-Identifier: Apache-2.0
 *
 * A ramp in words (ramp_text.h).
 */
#include "ramp_text.h"

#include "trimmed.h"

const char *ramp_describe(struct reckon *r, const struct reckon_ramp *ramp) {
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    const char *text =
        reckon_text(r, "ramp of %s, %s, %s", reckon_count(r, reckon_step_count(ramp), "step"),
                    reckon_count(r, reckon_host_count(hardware), "host"), reckon_run_source(hardware));
    if (reckon_blank(reckon_ramp_size(ramp)))
        return text;
    return reckon_text(r, "%s %s B requests, %s B replies", text, trimmed(r, reckon_ramp_size(ramp), 0),
                       trimmed(r, reckon_ramp_reply_size(ramp), 0));
}

const char *ramp_limit_text(struct reckon *r, const struct reckon_ramp *ramp, uint32_t h,
                            const struct reckon_fit *fit) {
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    enum reckon_limit limit = reckon_host_limit(hardware, h);
    if (!fit->reached)
        return "not reached";
    if (fit->cpu_bound)
        return reckon_text(r, "test host CPU (agent %s, core %s)", reckon_percent(r, fit->cpu_agent),
                           reckon_percent(r, fit->cpu_core));
    if (reckon_blank(fit->hardware))
        return "-";
    const char *share =
        reckon_text(r, "%s of its hardware", reckon_percent(r, fit->ceiling / fit->hardware * 100));
    if (limit != RECKON_LIMIT_NIC && limit != RECKON_LIMIT_NIC_PPS && limit != RECKON_LIMIT_UPLINK)
        return share;
    return reckon_text(r, "%s, %s", share,
                       reckon_limit_text(r, hardware, limit, reckon_host_limit_link(hardware, h)));
}

double ramp_last_ts(const struct reckon_ramp *ramp) {
    double last = RECKON_BLANK;
    for (size_t i = 0; i < reckon_step_count(ramp); i++)
        last = fmax(last, reckon_step_last_ts(ramp, i)); /* a blank is passed over */
    return last;
}
