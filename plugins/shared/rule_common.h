/* SPDX-License-Identifier: Apache-2.0
 *
 * What the built-in rules share: holding a host or a group against the others, the flows of one end, and the
 * turns of phrase that several findings use. Linked into each rule, not installed.
 */
#ifndef RECKON_RULE_COMMON_H
#define RECKON_RULE_COMMON_H

#include <reckon/plugin.h>

/* ---- the subject ---- */

/* The comparison a declaration rule reads: the run itself, or the hardware of a ramp. */
struct reckon_comparison *rule_hardware(const struct reckon *r, void *subject);

/* ---- a figure of the unexplained hosts, as it stood when the rule began ---- */

typedef double rule_host_figure(const struct reckon_comparison *c, uint32_t h);

struct rule_field {
    const struct reckon_comparison *c;
    uint32_t count;   /* unexplained hosts that have the figure */
    uint32_t *host;   /* these, lowest figure first, then by name */
    double *figure;   /* theirs */
    uint32_t *place;  /* per host of the run: where it stands in host[]; RECKON_NONE */
    uint32_t *first;  /* per group: where its members begin in member[]; one more at the end */
    uint32_t *member; /* places in host[], ascending within a group */
};

struct rule_field *rule_field(struct reckon *r, const struct reckon_comparison *c, rule_host_figure *figure);
/* The same of figures given per host. */
struct rule_field *rule_field_of(struct reckon *r, const struct reckon_comparison *c, const double *figure);
/* The median of all; blank when there is none. */
double rule_field_median(const struct rule_field *f);
/* What a host of the field is held against: the median of its mates in the innermost group where it has any,
 * else of all others; blank when there is nobody else. *group: that group, RECKON_NONE for all others. */
double rule_reference(const struct rule_field *f, uint32_t h, uint32_t *group);
/* The median of the hosts that are not in group g. */
double rule_outside(const struct rule_field *f, uint32_t g);

/* The median of a figure over these hosts, leaving blanks out. */
double rule_median_of(const struct reckon_comparison *c, rule_host_figure *figure, const uint32_t *hosts,
                      size_t n);

/* ---- compared flows by their ends ---- */

struct rule_index {
    uint32_t *first; /* per host or group: where its flows begin in flow[]; one more at the end */
    uint32_t *flow;
};

/* The compared flows of each host, once each. Give it back to rule_index_free(). */
struct rule_index rule_index_hosts(const struct reckon_comparison *c);
void rule_index_free(struct rule_index *index);

/* Judges the suspect groups of every tier, innermost first, in order of path, each with the compared flows it
 * is an end of. Groups of one tier share no host, so all of a tier are suspected before the first is judged.
 */
void rule_each_group(struct reckon *r, const struct reckon_comparison *c,
                     bool (*suspect)(void *user, uint32_t g),
                     void (*judge)(void *user, uint32_t g, const struct rule_index *touching), void *user);

/* A flow that is evidence: compared, and both ends unexplained by now. */
bool rule_live(const struct reckon_comparison *c, uint32_t f);
/* The tally of all live flows. */
struct reckon_tally rule_tally_all(const struct reckon_comparison *c, double shorts_below);
/* Counts one more flow of that efficiency. */
void rule_tally(struct reckon_tally *t, double efficiency, double shorts_below);

/* Medians of a figure over a group's live flows that cross its boundary, and over those inside; blank for
 * none. */
struct rule_sides {
    double crossing, inside;
};
struct rule_sides rule_sides(const struct reckon_comparison *c, const struct rule_index *index, uint32_t g,
                             double (*figure)(const struct reckon_comparison *c, uint32_t f));
/* Whether the flow's ends are in different groups of that tier. */
bool rule_crosses(const struct reckon_comparison *c, uint32_t f, uint32_t tier);
/* "crossing flows are at 40%, flows inside it at 98%", without a side that has none; `points`: they are
 * changes, "moved by -40 points". */
const char *rule_sides_text(struct reckon *r, struct rule_sides s, bool points);

/* What a finding adds whose short flows all expect more than one uplink carries. */
#define RULE_ONE_UPLINK                                                                                      \
    "; but each of its short flows expects more than one uplink carries, and a single flow stays on one"

/* ---- phrases; arena text ---- */

/* "a1, a2, a3, a4, a5, a6 and 4 more". */
#define RULE_NAMES 6
const char *rule_names(struct reckon *r, const struct reckon_comparison *c, const uint32_t *hosts, size_t n);
/* "a1 -> b2", with its layer where it has one. */
const char *rule_flow(struct reckon *r, const struct reckon_comparison *c, uint32_t f);
/* What stopped a flow: "r02 uplinks out". */
const char *rule_limit(struct reckon *r, const struct reckon_comparison *c, uint32_t f);
/* "the rest of r02", or "the other hosts" for RECKON_NONE. */
const char *rule_others(struct reckon *r, const struct reckon_comparison *c, uint32_t group);
/* "; it was 98% in run tue", of several hosts their median; "" without a baseline that compared one of them.
 */
const char *rule_then(struct reckon *r, const struct reckon_comparison *c, const uint32_t *hosts, size_t n);
/* Why the rules on a baseline cannot be asked; NULL when they can. */
const char *rule_no_baseline(const struct reckon_comparison *c);
/* The name of a host as one word of a shell command; "HOST" for one that a shell would take apart. */
const char *rule_word(const char *name);

#endif
