/* SPDX-License-Identifier: Apache-2.0
 *
 * A ramp in words, the same in every output.
 */
#ifndef RECKON_RAMP_TEXT_H
#define RECKON_RAMP_TEXT_H

#include <reckon/plugin.h>

/* "ramp of 5 steps, 6 hosts, mx 1434 B requests, 34 B replies". Arena text. */
const char *ramp_describe(struct reckon *r, const struct reckon_ramp *ramp);
/* What a host's ceiling is due to: "not reached", "test host CPU (agent 30%, core 96%)", "-" without
 * hardware, else "45% of its hardware, b1 NIC 10 Gb/s out". Arena text. */
const char *ramp_limit_text(struct reckon *r, const struct reckon_ramp *ramp, uint32_t h,
                            const struct reckon_fit *fit);
/* The newest second of its last step; blank without time. */
double ramp_last_ts(const struct reckon_ramp *ramp);

#endif
