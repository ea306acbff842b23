/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading files: plain, gzip-compressed or standard input, by blocks, and CSV tables by header name.
 */
#ifndef RECKON_INPUT_H
#define RECKON_INPUT_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The beginning of a file, for `recognise`: at most 64 KiB, decompressed, byte-order mark removed,
 * NUL-terminated. */
struct reckon_head {
    size_t size; /* of this struct */
    const char *path;
    const char *data;
    size_t length;
    bool whole; /* the file is no longer than this */
};

/* True when the first non-empty line of the head, split at commas, holds all of the NULL-terminated columns.
 */
bool reckon_head_has_columns(const struct reckon_head *head, const char *const *columns);

struct reckon_input;

/* Opens a file ("-": standard input); a directory or a missing file is an error naming it. NULL after an
 * error. */
struct reckon_input *reckon_open(struct reckon *r, const char *path);
void reckon_close(struct reckon_input *in);
/* The path as the user gave it. */
const char *reckon_input_path(const struct reckon_input *in);
/* The beginning of an opened input, before anything is read from it: to tell formats apart. It is still read
 * later; the data belongs to the input. 0, or -1 after an error. */
int reckon_peek(struct reckon_input *in, struct reckon_head *head);
/* The next bytes, at most n: how many, 0 at the end, -1 after an error (which is reported). */
ptrdiff_t reckon_read(struct reckon_input *in, void *buf, size_t n);
/* The next line without its line end (LF or CRLF): 1, 0 at the end, -1 after an error. *line is valid until
 * the next call and NUL-terminated; *number counts from 1. A line over 64 MiB is an error, and so is one with
 * a NUL byte. */
int reckon_read_line(struct reckon_input *in, char **line, size_t *length, unsigned long *number);
/* The whole rest, NUL-terminated, at most `limit` bytes (more is an error). free() it. NULL after an error.
 */
char *reckon_read_all(struct reckon_input *in, size_t limit, size_t *length);

/* ---- CSV (RFC 4180), read by header name ---- */

struct reckon_row; /* one row, valid during the callback */

struct reckon_table {
    size_t size; /* sizeof(struct reckon_table) */
    const char *const
        *columns;   /* the names wanted, NULL-terminated; a column the file lacks is a column of blanks */
    char delimiter; /* 0: comma */
    /* Called once with the header: present[i] tells whether columns[i] exists. Return -1 after an error to
     * stop. May be NULL. Not called for a file without any row. */
    int (*header)(void *user, const bool *present);
    /* Called for every complete row. Return -1 after an error to stop. */
    int (*row)(void *user, const struct reckon_row *row);
    void *user;
};

/* Reads a table. Rows with fewer cells than the header are skipped and counted in one note per file, those
 * with a NUL byte in a wanted cell in another. A quote open at the end is an error naming the line it opened
 * on. 0, or -1 after an error. *rows (may be NULL): rows delivered. */
int reckon_read_table(struct reckon *r, struct reckon_input *in, const struct reckon_table *table,
                      size_t *rows);

/* A cell by its place in .columns, as written (blanks included), NUL-terminated; "" when the column is
 * missing. */
const char *reckon_cell(const struct reckon_row *row, size_t column);
/* Its length in bytes. */
size_t reckon_cell_length(const struct reckon_row *row, size_t column);
/* The cell as a number; blank when it is not one. */
double reckon_cell_number(const struct reckon_row *row, size_t column);
/* The line the row begins on, from 1. */
unsigned long reckon_row_line(const struct reckon_row *row);

#ifdef __cplusplus
}
#endif
#endif
