/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a JSON document that every subject has: verdict, findings, skipped rules, notes, assumptions.
 */
#ifndef RECKON_JSON_COMMON_H
#define RECKON_JSON_COMMON_H

#include "json_write.h"

/* "verdict": {rule_id, severity, text}, or null. */
void json_verdict(struct json_document *d);
/* "findings": [{detail, fix, host, known, rule_id, severity, title}]; `known` only where it is true. */
void json_findings(struct json_document *d);
/* "skipped": [{reason, rule_id}]. */
void json_skipped(struct json_document *d);
/* A fresh array of the notes or the assumptions. */
cJSON *json_notes(struct reckon *r);
cJSON *json_assumptions(struct reckon *r);
/* A fresh array of the names that the baseline has and the run has not. */
cJSON *json_missing(struct reckon *r, const struct reckon_comparison *c);

#endif
