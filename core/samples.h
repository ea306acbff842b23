/* SPDX-License-Identifier: Apache-2.0
 *
 * The sample store: what run readers hand over, kept compactly per file, and read back record by record.
 * Assembling a run (assemble.c) and cutting a ramp into steps both read it through cursors. Not installed.
 */
#ifndef RECKON_CORE_SAMPLES_H
#define RECKON_CORE_SAMPLES_H

#include "model.h"

/* The names of all sinks of a run, after --names, each with one number. Freed when the last user leaves:
 * every finished sink is one, and whoever made it. */
struct sample_names {
    pthread_mutex_t lock;
    size_t users;
    struct names hosts, layers, words; /* words: status and error of failed tests */
};

/* One sample read back. */
struct record {
    double ts;                     /* blank: none */
    double figure[RECKON_FIGURES]; /* of the bits set in `present` alone; the others hold anything */
    uint32_t present;
    uint32_t host, peer, layer; /* numbers in sample_names; RECKON_NONE: no peer, no layer */
    enum reckon_sample_kind kind;
    size_t number; /* of the record within its sink, from 0 */
};

struct failed_record {
    uint32_t source, target, status, error; /* numbers in sample_names; RECKON_NONE for none */
};

/* What a reader says about the whole run. */
struct run_facts {
    enum reckon_sharing sharing;   /* 0: not said */
    enum reckon_workload workload; /* 0: not said */
    const char *mode, *run_id;
    bool add_up, loose_times;
};

struct sample_chunk;

/* How the record before reads, so that the next one need only say what differs. */
struct sample_state {
    double ts;
    double figure[RECKON_FIGURES];
    uint32_t host, peer, layer;
    uint32_t known; /* bit f: figure[f] has been said in this chunk */
    bool begun;     /* ts, host, peer and layer have */
};

struct reckon_sink {
    struct reckon *r;
    const char *path;
    uint32_t argument; /* which of the paths given it belongs to, from 0 */
    double window;     /* older records, counted from this file's newest, may be dropped; 0: none may */
    double newest;     /* ts; blank: none */
    size_t count;      /* records kept */
    struct run_facts facts;
    /* The sink's own numbering of names, while it is filled; then own number -> number in `shared`. */
    struct names hosts, layers, words;
    uint32_t *host_of, *layer_of;
    struct sample_names *shared; /* NULL until sink_finish() */
    struct failed_record *failed;
    size_t nfailed, failed_cap;
    struct sample_chunk *first, *last;
    struct sample_state state;
};

struct sample_names *sample_names_new(void);
void sample_names_leave(struct sample_names *names);
/* Ends filling a sink: its names become those of `shared`, its memory shrinks to what it holds. Safe from any
 * thread. */
void sink_finish(struct reckon_sink *s, struct sample_names *shared);
/* Finishes every sink that is not yet, with one sample_names; all that are finished must share one already.
 * It lives until the last of them is freed; NULL without any sink. */
struct sample_names *sinks_finish(struct reckon_sink **sinks, size_t count);

/* Reads a finished sink's records in the order they were handed over:
 *     struct sample_cursor c;
 *     for (cursor_start(&c, sink); cursor_next(&c);) … c.record … */
struct sample_cursor {
    struct record record;
    const struct reckon_sink *sink;
    const struct sample_chunk *chunk;
    size_t at; /* in the chunk */
    struct sample_state state;
};
void cursor_start(struct sample_cursor *c, const struct reckon_sink *s);
bool cursor_next(struct sample_cursor *c);

/* ---- assembling a run from some of the records (assemble.c) ---- */

/* True when the record of sinks[i] belongs to the run. Asked several times for one record: the answer must
 * not change. */
typedef bool record_keep(void *user, size_t i, const struct record *record);

/* A run of just those records that `keep` keeps: no window, no clock rule, no note; the sinks are not
 * consumed, so that several runs can be cut from them. A run without any record has no host. run_free() it.
 */
struct reckon_comparison *run_assemble_kept(struct reckon *r, const struct reckon_plugin *reader,
                                            struct reckon_sink **sinks, size_t nsinks, record_keep *keep,
                                            void *user);

#endif
