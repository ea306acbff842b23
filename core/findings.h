/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings, skipped rules, known faults and the verdict of a session. Not installed.
 */
#ifndef RECKON_CORE_FINDINGS_H
#define RECKON_CORE_FINDINGS_H

#include "session.h"

/* The known faults of --known; time against which their dates are held: the run's, else now. */
struct reckon_known *known_new(struct reckon *r);
void known_use(struct reckon *r, struct reckon_known *known, double now);

/* Checks that every rule named by --only, --skip and --explain exists. */
int rules_check_names(struct reckon *r);
/* --rules, --explain: on stdout. */
void print_rules(struct reckon *r, const char *only);

#endif
