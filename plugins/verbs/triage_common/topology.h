/* SPDX-License-Identifier: Apache-2.0
 *
 * The probed fabric as the layout declares it: hosts (role=server) with their RNICs HOST/0, HOST/1…, the ToR
 * of each (the role=tor element of its rack), the spines, and the addresses of all of them.
 */
#ifndef TRIAGE_TOPOLOGY_H
#define TRIAGE_TOPOLOGY_H

#include <reckon/base.h>

#include "strmap.h"

struct topology_host {
    const char *name;
    uint32_t first, count; /* its RNICs */
    uint32_t tor;          /* RECKON_NONE: no ToR in its rack */
};

struct topology_rnic {
    const char *name;
    const char *address; /* NULL: none declared */
    uint32_t host;
};

struct topology_tor {
    const char *name;
    uint32_t *rnics; /* those under it, in order */
    uint32_t count;
};

struct topology {
    struct reckon *r;
    struct topology_host *hosts;
    struct topology_rnic *rnics;
    struct topology_tor *tors;
    const char **spines;
    uint32_t nhosts, nrnics, ntors, nspines;
    struct strmap rnic_by_name, host_by_name;
    struct strmap by_address; /* to an index into `owners` */
    const char **owners;
    uint32_t nowners;
};

/* Reads the session's layout. 0, or -1 after an error (no layout, no host in it). What is odd becomes a note.
 */
int topology_build(struct reckon *r, struct topology *t);
void topology_free(struct topology *t);

/* RECKON_NONE for none. The RNIC of a host with one RNIC may go by the host's name. */
uint32_t topology_rnic(const struct topology *t, const char *name, size_t length);
uint32_t topology_host(const struct topology *t, const char *name);
/* The RNIC or switch that declares the address; NULL for none. */
const char *topology_owner(const struct topology *t, const char *address);

/* The name of the cable between two ends: an RNIC first, else sorted, "A-S3". False when it does not fit into
 * `size` bytes of buf. */
bool topology_cable(const struct topology *t, const char *a, size_t na, const char *b, size_t nb, char *buf,
                    size_t size);

#endif
