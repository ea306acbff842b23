/* SPDX-License-Identifier: Apache-2.0
 *
 * The HARDWARE lines of a report: how fast the hosts are and who said so, and what each kind of group
 * declares; and what limits a host.
 */
#ifndef RECKON_REPORT_HARDWARE_H
#define RECKON_REPORT_HARDWARE_H

#include "report_common.h"

void report_hardware(const struct report *to, const struct reckon_comparison *c);
/* Ends a host's row: two blanks, what limits most of its flows ("-" where nothing is known to), a line break.
 */
void report_host_limit(const struct report *to, const struct reckon_comparison *c, uint32_t h);

#endif
