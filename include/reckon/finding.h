/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: what rules say, and what outputs and the exit status are made of.
 */
#ifndef RECKON_FINDING_H
#define RECKON_FINDING_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum reckon_severity { RECKON_INFO = 0, RECKON_WARN, RECKON_CRITICAL };
/* "INFO", "WARN", "CRITICAL". */
const char *reckon_severity_word(enum reckon_severity severity);

struct reckon_finding;

/* ---- for rules, while they are evaluated ---- */

/* Adds a finding of the rule being evaluated about `host` (NULL or "*": no single host). The text is a
 * sentence with its figures, no full stop at the end. Returns it for reckon_fix(). */
struct reckon_finding *reckon_find(struct reckon *r, enum reckon_severity severity, const char *host,
                                   const char *fmt, ...) RECKON_PRINTF(4, 5);
/* What to do next: one or more full sentences. */
void reckon_fix(struct reckon *r, struct reckon_finding *f, const char *fmt, ...) RECKON_PRINTF(3, 4);
/* The rule could not be asked: why, as a clause ("no --speeds was given"). Return right after it. */
void reckon_skip(struct reckon *r, const char *fmt, ...) RECKON_PRINTF(2, 3);
/* Sets the closing sentence of the run; for the rule VERDICT. `rule` NULL: no rule's finding is behind it. */
void reckon_set_verdict(struct reckon *r, const char *rule, enum reckon_severity severity, const char *fmt,
                        ...) RECKON_PRINTF(4, 5);

/* ---- for outputs (and VERDICT): by severity, then rule order, then host (as bytes) ---- */

size_t reckon_finding_count(const struct reckon *r);
const struct reckon_finding *reckon_finding_at(const struct reckon *r, size_t i);
const char *reckon_finding_rule(const struct reckon_finding *f);
const char *reckon_finding_title(const struct reckon_finding *f); /* the rule's title */
/* The rule's lead sentence for the verdict. */
const char *reckon_finding_lead(const struct reckon_finding *f);
enum reckon_severity reckon_finding_severity(const struct reckon_finding *f);
const char *reckon_finding_host(const struct reckon_finding *f); /* "*" for no single host */
const char *reckon_finding_detail(const struct reckon_finding *f);
const char *reckon_finding_fix(const struct reckon_finding *f); /* "" for none */
bool reckon_finding_known(const struct reckon_finding *f);      /* named by --known: out of the exit status */

/* Rules that were skipped, in rule order: NULL past the end. */
const char *reckon_skipped_rule(const struct reckon *r, size_t i);
const char *reckon_skipped_reason(const struct reckon *r, size_t i);

/* The verdict; false (and nothing set) when no rule set one. *rule may come back NULL. */
bool reckon_verdict(const struct reckon *r, const char **rule, enum reckon_severity *severity,
                    const char **text);

/* The rules that judge the subject (NULL: any), in order, for outputs that list them all (junit): NULL past
 * the end. */
const char *reckon_rule_at(const struct reckon *r, const char *subject, size_t i, const char **title);

#ifdef __cplusplus
}
#endif
#endif
