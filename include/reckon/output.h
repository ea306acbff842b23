/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing: a buffered target that is whole or not there at all. An output module gets one from the core; a verb that
 * writes files of its own opens them here.
 */
#ifndef RECKON_OUTPUT_H
#define RECKON_OUTPUT_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reckon_writer;

/* Opens PATH for writing ("-" or NULL: standard output). A regular file is written to a temporary beside it and
 * renamed by reckon_commit(); a FIFO or device is written directly; a symlink is followed; the mode is the old
 * file's, else the umask's. NULL after an error. */
struct reckon_writer *reckon_create(struct reckon *r, const char *path);
/* Writes what is left and puts the file in place. Frees the writer. 0, or -1 after an error (the old file stays). */
int reckon_commit(struct reckon_writer *w);
/* Drops it: the old file stays, the temporary goes. NULL is ignored. */
void reckon_abandon(struct reckon_writer *w);

/* Errors are kept and reported by reckon_commit(), so that these need no check. */
void reckon_put(struct reckon_writer *w, const char *text);
void reckon_put_bytes(struct reckon_writer *w, const void *data, size_t n);
void reckon_printf(struct reckon_writer *w, const char *fmt, ...) RECKON_PRINTF(2, 3);
/* x in the shortest text that reads back exactly; nothing when blank, or when it grew past every number. */
void reckon_put_number(struct reckon_writer *w, double x);
/* x with fixed decimals; nothing likewise. */
void reckon_put_fixed(struct reckon_writer *w, double x, int decimals);
/* A CSV cell, quoted when RFC 4180 wants it; as reckon_printable() has it when it ends at a terminal, else to the byte.
 * Separators are the caller's. */
void reckon_put_cell(struct reckon_writer *w, const char *text);
/* Text as a JSON string, with its quotes; controls and what reorders lines as \uNNNN. */
void reckon_put_json(struct reckon_writer *w, const char *text);
/* A value that is JSON text already (RFC 8259); what a terminal would obey is escaped when it ends at one. */
void reckon_put_json_value(struct reckon_writer *w, const char *json);
/* A name as text that must be UTF-8 may hold it: reckon_utf8(), or reckon_printable() when it ends at a terminal. */
const char *reckon_shown(const struct reckon_writer *w, const char *s);
/* True when it ends at a terminal; whether colour is wanted there (NO_COLOR, --no-color); its width (80 if unknown);
 * and whether it shows UTF-8. */
bool reckon_to_terminal(const struct reckon_writer *w);
bool reckon_wants_colour(const struct reckon_writer *w);
size_t reckon_terminal_width(const struct reckon_writer *w);
bool reckon_wants_unicode(const struct reckon_writer *w);
/* True once something could not be written (an output may stop early). */
bool reckon_write_failed(const struct reckon_writer *w);

#ifdef __cplusplus
}
#endif
#endif
