/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a human report that every subject has: headline, verdict, findings, notes, assumptions, next
 * steps.
 */
#ifndef RECKON_REPORT_COMMON_H
#define RECKON_REPORT_COMMON_H

#include "report_text.h"

/* What every module that writes a report declares, and what it uses of the core's. */
#define REPORT_OPTIONS                                                                                       \
    {.name = "min-severity",                                                                                 \
     .type = RECKON_CHOICE,                                                                                  \
     .value_name = "LEVEL",                                                                                  \
     .initial = "info",                                                                                      \
     .help = "hide lesser findings from the report: info, warn or critical",                                 \
     .group = "output",                                                                                      \
     .env = "MIN_SEVERITY",                                                                                  \
     .choices = (const char *const[]){"info", "warn", "critical", NULL}},                                    \
        {.name = "all",                                                                                      \
         .type = RECKON_FLAG,                                                                                \
         .help = "add the rules that were skipped, and why",                                                 \
         .group = "output"},                                                                                 \
    {                                                                                                        \
        .type = RECKON_OPTION_END                                                                            \
    }

/* Where the text of HARDWARE, EXPECTED, NOTE and BASELINE lines begins. */
#define REPORT_FACTS 13

/* "reckon -- text". */
void report_headline(const struct report *to, const char *text);
void report_verdict(const struct report *to);
/* The findings that --min-severity lets through. */
void report_findings(const struct report *to);
/* One NOTE line each. */
void report_notes(const struct report *to);
void report_assumed(const struct report *to);
/* The different next steps of findings at least this severe, the most severe first: how many. */
#define REPORT_STEPS 4
size_t report_steps(const struct reckon *r, enum reckon_severity least, const char *steps[REPORT_STEPS]);
/* At most four different next steps of the shown CRITICAL and WARN findings; with `info`, of INFO ones after
 * them. */
void report_next_steps(const struct report *to, bool info);
/* With --all: the rules that were skipped, and why. */
void report_skipped(const struct report *to);

#endif
