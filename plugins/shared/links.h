/* SPDX-License-Identifier: Apache-2.0
 *
 * The links of a comparison as outputs list them: which, in what order, and in what words.
 */
#ifndef RECKON_LINKS_H
#define RECKON_LINKS_H

#include <reckon/plugin.h>

#include "json_write.h"

struct link_list {
    uint32_t count;
    uint32_t *at;
};

/* By kind (nic, pps, uplink), owner, way (in, out). A packet rate that nobody declared is left out; a NIC or
 * uplink without a capacity is there, for its load. Memory of the session. */
struct link_list link_list(struct reckon *r, const struct reckon_comparison *c);

/* Those that flows cross and that have a capacity, the fullest first, by what was achieved (of a run) or
 * expected (of a plan), those of which that is not known last; of those that are equally full the one that
 * limits most flows. At most `top` (a number as an option gives it). */
struct link_list link_fullest(struct reckon *r, const struct reckon_comparison *c, bool expected, double top);

/* "nic", "pps", "uplink". */
const char *link_kind_word(const struct reckon_comparison *c, uint32_t l);
/* The host's name or the group's path. */
const char *link_owner(const struct reckon_comparison *c, uint32_t l);
/* "b2 NIC out", "b2 packet rate out", "r02 uplinks out". Arena text. */
const char *link_text(struct reckon *r, const struct reckon_comparison *c, uint32_t l);
/* A capacity or load as people read it: "9.80 Gb/s", "1.25 Mpps"; "-" when blank. Arena text. */
const char *link_rate(struct reckon *r, const struct reckon_comparison *c, uint32_t l, double x);
/* What flows are expected to put on it, in percent of its capacity; blank without either. */
double link_expected_pct(const struct reckon_comparison *c, uint32_t l);

/* "links": [{achieved_load, achieved_pct, capacity, expected_load, expected_pct, flows, kind, limited_flows,
 * owner, unit, way}] as the next member of a document. */
void json_links(struct json_document *d, const struct reckon_comparison *c);

#endif
