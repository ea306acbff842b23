/* SPDX-License-Identifier: Apache-2.0
 *
 * The paths a file had before it is written anew: a leg that a fault keeps from arriving is still wanted, as
 * the way its probes take, or took.
 */
#ifndef PATHS_BEFORE_H
#define PATHS_BEFORE_H

#include <reckon/plugin.h>

#include "../triage_common/strmap.h"

struct before {
    struct reckon *r;
    struct strmap legs; /* to an index into links */
    const char **links;
    size_t count, cap;
};

/* Reads the file; one that is not there, or is empty or no regular file (NULL: standard output), has none. 0,
 * or -1 after an error. Free it in either case. */
int before_read(struct before *b, struct reckon *r, const char *path);
/* The links of a leg; NULL when the file did not have it. */
const char *before_links(const struct before *b, const char *tuple, bool back);
void before_free(struct before *b);

#endif
