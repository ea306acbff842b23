/* SPDX-License-Identifier: Apache-2.0
 *
 * What the steps of assembling a run share: window.c decides which records count, assemble.c numbers the
 * hosts and layers, assemble_flows.c makes the flows, assemble_notes.c says what was left out. Not installed.
 */
#ifndef RECKON_CORE_ASSEMBLE_H
#define RECKON_CORE_ASSEMBLE_H

#include "samples.h"

/* What is known of one file. */
struct file {
    double cut;         /* older records do not count */
    double ahead;       /* seconds its clock is ahead; 0: it is not */
    size_t kept;        /* records that count */
    uint32_t low, high; /* the hosts that reported in it lie between; low > high: none did */
};

struct assembly {
    struct reckon *r;
    struct reckon_comparison *c;
    struct reckon_sink **sinks; /* NULL where one has been consumed */
    size_t nsinks;
    bool whole;        /* a run of its own: with window, notes, and sinks to consume */
    record_keep *keep; /* else those records alone */
    void *user;
    const struct sample_names *names;
    struct file *files;   /* per sink */
    uint32_t *rank;       /* per name: host of the run, RECKON_NONE when it took no part */
    uint32_t *layer_rank; /* per name: layer of the run */
    uint32_t *rows;       /* per host: flow records that count */
    bool add_up;
    /* for notes */
    uint32_t sizeless; /* flows left out because their packet size is unknown */
    bool *resized;     /* per host: a flow it sends changed its packet size */
    uint32_t *reports; /* per host: files it reported in */
};

static inline bool counts(const struct assembly *a, size_t i, const struct record *rec) {
    if (a->keep)
        return a->keep(a->user, i, rec);
    return !(rec->ts < a->files[i].cut); /* one without a time counts always */
}

/* Sets where the window ends, and for every file its cut and whether its clock is wrong. (window.c) */
void assemble_window(struct assembly *a);
/* The mean of n values, whatever their order (it sorts them); blank for none. (assemble_flows.c) */
double mean_of(double *v, size_t n);
/* Makes the flows, sorted, and counts those left out. Frees sinks as it goes when the run is whole. */
void assemble_flows(struct assembly *a);
/* Says what was left out or looks wrong. Before the sinks are consumed, and after the flows are made. */
void note_files(struct assembly *a);
void note_hosts(struct assembly *a);

#endif
