/* SPDX-License-Identifier: Apache-2.0
 *
 * Probe lists, one CSV a host: list,prober,target,tuple,rate_pps. Written by the Controller, read by it
 * again, by the agents and by path tracing.
 */
#ifndef TRIAGE_PINGLIST_H
#define TRIAGE_PINGLIST_H

#include <reckon/plugin.h>

#include "tuple.h"

#define PING_PORT 4791          /* RoCE's, so that probes take the paths of RoCE */
#define PING_FIRST_SOURCE 49152 /* source ports are drawn from here up, as RoCE draws them */
#define PING_SOURCES 16384

enum ping_list { PING_TOR_MESH, PING_INTER_TOR, PING_SERVICE, PING_LISTS };
const char *ping_list_word(enum ping_list list);

/* One row. */
struct ping {
    enum ping_list list;
    const char *prober, *target;
    struct tuple tuple;
    double rate; /* probes/s; blank: the list's own (service) */
};
struct pinglist {
    struct ping *at;
    size_t count, cap;
    bool owned; /* its strings are its own: pinglist_free() frees them */
};

/* Reads a list, or the tuples of a service (a file with the column tuple alone). Rows that make no sense are
 * left out, which becomes a note. 0, or -1 after an error: it cannot be read, has no column tuple, or has
 * rows and not one that makes sense. */
int pinglist_read(struct reckon *r, const char *path, struct pinglist *list);
void pinglist_free(struct pinglist *list);

#endif
