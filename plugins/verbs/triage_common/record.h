/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain CSV records of triage: their columns, and handing a row over to the Analyzer. Shared by the
 * readers of whole files and by --follow.
 */
#ifndef TRIAGE_RECORD_H
#define TRIAGE_RECORD_H

#include <reckon/input.h>
#include <reckon/triage.h>

enum record_kind { RECORD_PROBE, RECORD_AGENT, RECORD_PATH, RECORD_JOB, RECORD_METRIC, RECORD_KINDS };

#define RECORD_MOST_COLUMNS 10

/* The columns of a kind in their order, NULL-terminated. */
const char *const *record_columns(enum record_kind kind);
/* The kind of a word ("probes", "probe", "job-metric"…); RECORD_KINDS for none. */
enum record_kind record_kind_named(const char *word);
/* How sure it is that the head is of that kind, for a reader's `recognise`. */
int record_recognise(const struct reckon_head *head, enum record_kind kind);
/* Says where the records that follow come from (reckon_records.at). */
void record_at(struct reckon_records *records, const char *file, unsigned long line);
/* Hands a row of cells over, unless the receiver takes none of the kind (NULL). Returns its ts; blank when it
 * has none. */
double record_deliver(struct reckon_records *records, enum record_kind kind, const char *const *cells);
/* Reads a whole file of the kind. */
int record_read(struct reckon *r, struct reckon_input *in, struct reckon_records *records,
                enum record_kind kind);
/* A cell as a number, exactly as reckon_number() reads it, and faster for the usual ones. */
double record_number(const char *cell);

#endif
