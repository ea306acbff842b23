/* SPDX-License-Identifier: Apache-2.0
 *
 * Troubles of a probed fabric as sentences and words, the same in the report, the files and while following.
 */
#ifndef RECKON_TRIAGE_TEXT_H
#define RECKON_TRIAGE_TEXT_H

#include <reckon/finding.h>
#include <reckon/triage.h>

#define TRIAGE_WHEN 40
#define TRIAGE_SENTENCE 1536

/* The id of the rule that reports the trouble ("RNIC_PROBLEM"), and the trouble in plain words ("RNIC
 * problem"). */
const char *triage_rule(enum reckon_trouble kind);
const char *triage_words(enum reckon_trouble kind);
/* A time as text in UTC, "2026-03-01T12:00:20Z"; `buf` of TRIAGE_WHEN bytes. Returns buf. */
char *triage_when(double ts, char *buf);
/* What was seen of the problem, with its figures, without its name, class and times; `buf` of TRIAGE_SENTENCE
 * bytes. Returns buf. */
char *triage_seen(const struct reckon_triage_problem *p, char *buf);
/* Adds a finding about each problem of the kind, as severe as `severity` says, with the next step (NULL:
 * none). */
void triage_find(struct reckon *r, const struct reckon_triage *t, enum reckon_trouble kind,
                 enum reckon_severity (*severity)(const struct reckon_triage_problem *p), const char *fix);
/* By its class: P0 is critical, P1 a warning, P2 for information. */
enum reckon_severity triage_by_impact(const struct reckon_triage_problem *p);
/* A whole sentence: name, what was seen, when, and what it means to the job. Arena text. */
const char *triage_sentence(struct reckon *r, const struct reckon_triage_problem *p);

#endif
