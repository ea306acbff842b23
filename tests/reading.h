/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs for tests: files written into a folder of their own and read by a module linked into the test program,
 * or samples handed to sinks by hand.
 */
#ifndef TESTS_READING_H
#define TESTS_READING_H

#include "../core/samples.h"
#include "scratch.h"

#define BLANK RECKON_BLANK

struct reading {
    struct scratch scratch;
    struct setting mode; /* --iperf-mode */
    const char *mode_text;
    char folder[32];
    struct reckon *r;
    struct reckon_comparison *run; /* of the last reading_*() that made one */
};

void reading_start(struct reading *x);
void reading_mode(struct reading *x, const char *mode);
/* A file of the folder: its path, valid until the end. */
const char *reading_file(struct reading *x, const char *name, const char *text);
/* Reads and assembles a path; NULL after an error. */
struct reckon_comparison *reading_run(struct reading *x, const struct reckon_module *reader, const char *path,
                                      double window);
/* Assembles sinks that were filled by hand. */
struct reckon_comparison *reading_assemble(struct reading *x, const struct reckon_plugin *reader,
                                           struct reckon_sink **sinks, size_t n, double window);
/* Frees the run, the folder and the session. */
void reading_end(struct reading *x);

/* How many notes there are, and whether one holds the piece of text. */
size_t reading_notes(const struct reading *x);
bool reading_noted(const struct reading *x, const char *piece);
/* The flow, or NULL; layer NULL for none. */
const struct flow *flow_named(const struct reckon_comparison *c, const char *src, const char *dst,
                              const char *layer);
const struct host *host_named(const struct reckon_comparison *c, const char *name);

extern const struct reckon_module run_mx_LTX_reckon_plugin, run_iperf_LTX_reckon_plugin;

#endif
