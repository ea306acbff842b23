/* SPDX-License-Identifier: Apache-2.0
 *
 * Id specs of `dc` layouts: what u[01..20], [A..H], [web|db], R[1..4,7..10] or 1..4 stand for, one id after
 * the other.
 */
#ifndef RECKON_DC_SPEC_H
#define RECKON_DC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text that grows; always ends in NUL once something was put. */
struct dc_text {
    char *s;
    size_t n, cap;
};
void dc_put(struct dc_text *t, const char *s, size_t n);

struct dc_segment;
struct dc_part;

struct dc_spec {
    struct dc_segment *segments;
    struct dc_part *parts;
    size_t nsegments, segments_cap, nparts, parts_cap;
    uint64_t count;        /* of ids; held at one more than a layout may have elements */
    const char *why, *bad; /* after a parse that failed: a phrase, and the text it is about */
    size_t nbad;
};

/* Whether the text is more than an id that stands as it is. */
bool dc_is_spec(const char *text);
/* Parses a spec again or for the first time (a zeroed struct); the text must stay. When it is not `filled`,
 * brackets that hold placeholders count as one id. 0, or -1 with .why and .bad set. */
int dc_spec_parse(struct dc_spec *s, const char *text, bool filled);
/* Writes the id it stands at to `t`, and moves on to the next; after the last comes the first. */
void dc_spec_next(struct dc_spec *s, struct dc_text *t);
void dc_spec_free(struct dc_spec *s);

#endif
