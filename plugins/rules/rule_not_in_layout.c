/* SPDX-License-Identifier: Apache-2.0
 *
 * NOT_IN_LAYOUT: measured hosts that the layout does not name, each with the layout's name it was probably
 * meant to be, when one is near. Only names that no host of the run has are offered.
 */
#include "../shared/rule_common.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_EDITS 2

/* How many edits apart two names may be and still be one name: one in four letters, at most two. */
static size_t edits_allowed(size_t length) {
    return length / 4 < MOST_EDITS ? length / 4 : MOST_EDITS;
}

/* How far two names are: 0 when only a domain or the case differs, else the letters that differ; more than
 * `most` when that is all there is to know. */
static size_t distance(const char *a, const char *b, size_t most) {
    size_t n = strlen(a), m = strlen(b), a_host = strcspn(a, "."), b_host = strcspn(b, ".");
    bool one_domain = (a_host == n) != (b_host == m);
    if (one_domain && a_host == b_host && a_host > 0 && strncasecmp(a, b, a_host) == 0)
        return 0;
    if (n == m && strcasecmp(a, b) == 0)
        return 0;
    return n > m + most || m > n + most ? most + 1 : reckon_distance(a, b);
}

/* The nearest name of the layout that no host of the run has; NULL when none is near, or several are equally
 * so. */
static const char *nearest(const struct reckon_comparison *c, const struct reckon_layout *l,
                           const char *name) {
    size_t best = edits_allowed(strlen(name)) + 1;
    const char *found = NULL;
    for (uint32_t e = 0; e < reckon_element_count(l); e++) {
        const char *other = reckon_element_name(l, e);
        size_t d = distance(name, other, best);
        if (d > best || (d == best && !found) || (found && strcmp(found, other) == 0))
            continue;
        if (reckon_host_named(c, other) != RECKON_NONE)
            continue;
        found = d < best ? other : NULL;
        best = d;
    }
    return found;
}

/* "b1.example.com (did you mean b1?), x9 and 3 more". */
static const char *list(struct reckon *r, const struct reckon_comparison *c, const struct reckon_layout *l,
                        const uint32_t *hosts, size_t n, bool *near) {
    const char *text = "";
    for (size_t i = 0; i < n && i < RULE_NAMES; i++) {
        const char *name = reckon_host_name(c, hosts[i]), *meant = nearest(c, l, name);
        *near = *near || meant;
        text = reckon_text(r, "%s%s%s%s%s%s", text, i ? ", " : "", name, meant ? " (did you mean " : "",
                           meant ? meant : "", meant ? "?)" : "");
    }
    return n > RULE_NAMES ? reckon_text(r, "%s and %zu more", text, n - RULE_NAMES) : text;
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = rule_hardware(r, subject);
    const struct reckon_layout *l = reckon_layout(r);
    if (!l) {
        reckon_skip(r, "there is no layout");
        return 0;
    }
    uint32_t *absent = reckon_resize(NULL, reckon_host_count(c) + (size_t)1, sizeof *absent);
    size_t n = 0;
    bool near = false;
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (!reckon_host_in_layout(c, h))
            absent[n++] = h;
    if (n) {
        struct reckon_finding *f =
            reckon_find(r, RECKON_WARN, NULL, "%s of the run %s not in %s: %s", reckon_count(r, n, "host"),
                        n == 1 ? "is" : "are", reckon_layout_path(l), list(r, c, l, absent, n, &near));
        reckon_fix(
            r, f, "%s",
            near ? "Map the run's names onto the layout's with `--names FILE`, one `measured layout` pair a "
                   "line."
                 : "Add the missing hosts to the layout, or map their names onto it with `--names FILE`.");
    }
    free(absent);
    return 0;
}

RECKON_PLUGIN(rule, not_in_layout) = {
    .name = "NOT_IN_LAYOUT",
    .summary = "a measured host the layout does not name",
    .rule =
        {
            .title = "not in layout",
            .why = "A host the layout does not name has no place: no rack whose uplinks its flows share, no "
                   "mates to be held against, and a speed only when --nic-gbps or --speeds gives one. Its "
                   "flows are graded too kindly or not at all, so it is a warning that names the hosts. "
                   "Most often the run used other names than the layout. When exactly one free name of the "
                   "layout differs only by its domain or by upper and lower case, or by one letter in four "
                   "and at most two, it is offered.",
            .lead = "The layout does not describe all of the run",
            .rank = 400,
            .on = "run ramp",
            .evaluate = evaluate,
        },
};
