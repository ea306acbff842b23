/* SPDX-License-Identifier: Apache-2.0
 *
 * The file .reckon-index in a directory of a history: what readers took from each file, as long as the file
 * is the same. It only saves time: without it, or with a stale, foreign or damaged one, the files themselves
 * are read.
 */
#ifndef RECKON_TREND_INDEX_H
#define RECKON_TREND_INDEX_H

#include <stdint.h>
#include <sys/stat.h>

#include "history.h"

struct index_entry;

struct trend_index {
    const char *path;            /* of the index file */
    char *bytes;                 /* as it was read; NULL: none */
    struct index_entry *entries; /* sorted by name, then view */
    size_t count, cap;
};

/* A file of the directory while it is read. */
struct trend_indexed {
    const struct trend_index *index;
    const char *name; /* within the directory */
    struct stat stat; /* before it was read */
    char *view;       /* the one the reader asked for; NULL: it never asked */
    bool taken;       /* it was in the index */
    char *body;       /* what was read from it instead */
    size_t length;
};

/* Reads the index of a directory. A damaged one is noted and left aside. */
void trend_index_open(struct reckon *r, struct trend_index *index, const char *directory);
/* Prepares for reading the file at `path`, all but its .index; false when it cannot be indexed. */
bool trend_index_file(struct trend_indexed *file, const char *path);
/* Fills h from the index, if it has this view of the file as it is now. */
bool trend_index_take(struct trend_indexed *file, const char *view, struct trend_history *h);
/* Keeps what was read from a file for the next index. */
void trend_index_keep(struct trend_indexed *file, const struct trend_history *h);
/* Writes the index anew if these files, all of the directory in order of name, changed it. A directory that
 * cannot be written to goes without. */
void trend_index_write(struct reckon *r, const struct trend_index *index, const struct trend_indexed *files,
                       size_t count);
/* Frees what the index and its files hold. */
void trend_index_free(struct trend_index *index, struct trend_indexed *files, size_t count);

#endif
