/* SPDX-License-Identifier: Apache-2.0
 *
 * The findings as CSV, one a row, in the header other tools of the kind share.
 */
#ifndef RECKON_FINDINGS_CSV_H
#define RECKON_FINDINGS_CSV_H

#include <reckon/plugin.h>

/* host,ts,rule_id,severity,title,detail,fix; ts without its fraction, blank when unknown. Without a finding one row says
 * that nothing is wrong. */
void findings_csv(struct reckon *r, struct reckon_writer *w, double ts);

#endif
