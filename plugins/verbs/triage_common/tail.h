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
    size_t length, cap;
    unsigned long line;
    bool skipping;                   /* within a line that is too long */
    bool headed;                     /* column[] is known */
    int column[RECORD_MOST_COLUMNS]; /* cell of the file that holds each column, -1: none */
    double newest;                   /* the newest ts it gave; blank: none */
    bool waiting;                    /* nothing more to read at the last look */
    bool ended;                      /* standard input has come to its end */
    uint64_t odd;                    /* lines that made no sense */
};

void tail_init(struct tail *t, const char *path, enum record_kind kind);
void tail_close(struct tail *t);
/* Reads at most `most` bytes and hands the complete lines over. How many bytes there were; a file that was
 * replaced or cut is read from its beginning. */
size_t tail_read(struct tail *t, struct reckon_records *records, size_t most);

#endif
