/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing files and pipes of records, read as far as they are there.
 */
#ifndef TRIAGE_TAIL_H
#define TRIAGE_TAIL_H

#include <reckon/plugin.h>

#include "record.h"

struct tail {
    const char *path; /* "-": standard input, whose lines are led by their kind */
    enum record_kind kind;
    int fd; /* -1: not there yet, or closed for good */
    uint64_t inode;
    char *buf;
    size_t at, length, cap; /* what is not handed over yet lies from `at` to `length` */
    unsigned long line;
    bool skipping;                   /* within a line that is too long */
    bool headed;                     /* column[] is known */
    int column[RECORD_MOST_COLUMNS]; /* cell of the file that holds each column, -1: none */
    bool waiting;                    /* no whole line is here, and there was none at the last look */
    bool ended;                      /* standard input has come to its end */
    uint64_t odd;                    /* lines that made no sense */
};

void tail_init(struct tail *t, const char *path, enum record_kind kind);
void tail_close(struct tail *t);
/* Reads at most `most` bytes unless whole lines are here already; how many there were. A file that was
 * replaced or cut is read from its beginning. */
size_t tail_fill(struct tail *t, size_t most);
/* The ts of the line to be handed over next: the earlier one of two, since one alone may have it wrong; minus
 * infinity when it has none. `t` must not be waiting. */
double tail_next(const struct tail *t);
/* Hands over the lines that are here, as far as two that are both later than `upto` seconds. How many. */
size_t tail_take(struct tail *t, struct reckon_records *records, double upto);
/* Fills and hands over whatever is here; how many bytes were read. */
size_t tail_read(struct tail *t, struct reckon_records *records, size_t most);

#endif
