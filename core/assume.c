/* SPDX-License-Identifier: Apache-2.0
 *
 * What the model takes for granted about this run, said every time: an expectation is only as good as that.
 */
#include "compare.h"
#include "wire.h"

#define NAMES_MOST 6

static void assume_fabric(const struct reckon_comparison *c) {
    if (!reckon_layout(c->r)) {
        reckon_assume(c->r, "there is no layout: the fabric between the NICs is taken as non-blocking");
        return;
    }
    if (!c->ngroups) {
        reckon_assume(c->r,
                      "no host of the run is in a %s: the fabric between the NICs is taken as non-blocking",
                      reckon_option_text(c->r, "group-kind"));
        return;
    }
    reckon_assume(c->r, "the layers above the %s are taken as non-blocking", c->tier_kind[c->ntiers - 1]);
}

/* The groups of a tier that declare no uplinks: "r01, r02"; the first few. *n: how many there are. */
static const char *without_uplinks(const struct reckon_comparison *c, uint32_t tier, size_t *n) {
    const char *names = "";
    *n = 0;
    for (uint32_t g = 0; g < c->ngroups; g++)
        if (c->groups[g].tier == tier && reckon_blank(c->groups[g].uplink_gbps) && ++*n <= NAMES_MOST)
            names = reckon_text(c->r, "%s%s%s", names, *names ? ", " : "", c->groups[g].label);
    return *n > NAMES_MOST ? reckon_text(c->r, "%s and %zu more", names, *n - NAMES_MOST) : names;
}

static void assume_uplinks(const struct reckon_comparison *c) {
    for (uint32_t t = 0; t < c->ntiers; t++) {
        size_t n;
        const char *names = without_uplinks(c, t, &n);
        if (n)
            reckon_assume(
                c->r,
                "%s declare%s no uplinks (%s) and %s limited by %s NICs alone: what is expected across "
                "%s is an upper bound",
                reckon_count(c->r, n, c->tier_kind[t]), n == 1 ? "s" : "", names, n == 1 ? "is" : "are",
                n == 1 ? "its" : "their", n == 1 ? "its boundary" : "their boundaries");
    }
}

/* A group's uplinks are modelled as one pipe, but a single flow hashes onto one member. */
static void assume_members(const struct reckon_comparison *c) {
    size_t count = 0;
    uint32_t of = 0;
    const struct flow *first = NULL;
    for (uint32_t i = 0; c->ngroups && i < c->nflows; i++) {
        const struct flow *f = &c->flows[i];
        uint32_t group = reckon_blank(flow_efficiency(f)) ? RECKON_NONE : reckon_flow_over_uplink(c, i);
        if (group == RECKON_NONE)
            continue;
        if (!first) {
            first = f;
            of = group;
        }
        count++;
    }
    if (!count)
        return;
    reckon_assume(
        c->r,
        "%s between groups expect%s more than one uplink carries (%s -> %s: more than the %s Gb/s of one "
        "of %s's): the uplinks are modelled as one pipe, so such a flow needs several members or streams",
        reckon_count(c->r, count, "flow"), count == 1 ? "s" : "", c->hosts[first->src].name,
        c->hosts[first->dst].name, speed_text(c->r, c->groups[of].uplink_gbps), c->groups[of].label);
}

static void assume_mtu(const struct reckon_comparison *c) {
    size_t count = 0;
    double mtu = RECKON_BLANK;
    for (uint32_t i = 0; i < c->nflows; i++)
        if (c->flows[i].flags & FLOW_MTU_DEFAULT) {
            mtu = c->shapes[c->flows[i].shape].mtu;
            count++;
        }
    if (count)
        reckon_assume(c->r,
                      "the MTU of %s is taken as %s (--mtu): neither the layout nor an idle floor gives it",
                      reckon_count(c->r, count, "flow"), reckon_fixed(c->r, mtu, 0));
}

static void assume_sharing(const struct reckon_comparison *c) {
    static const char *const what[] = {
        [RECKON_SHARE_SOURCE] = "one sender's tests shared the fabric at a time",
        [RECKON_SHARE_NONE] = "every test had the fabric to itself",
    };
    if (c->sharing == RECKON_SHARE_LAYER && c->nlayers > 2)
        reckon_assume(c->r, "only one layer is on the wire at a time: flows share capacity within theirs");
    else if (c->sharing == RECKON_SHARE_ALL && c->mode)
        reckon_assume(c->r, "the mode is %s: all tests shared the fabric all the time", c->mode);
    else if (c->sharing > RECKON_SHARE_ALL)
        reckon_assume(c->r, "the mode is %s: %s", c->mode ? c->mode : "not named", what[c->sharing]);
}

void assume_model(struct reckon_comparison *c) {
    assume_fabric(c);
    assume_uplinks(c);
    assume_members(c);
    assume_mtu(c);
    assume_sharing(c);
    if (c->workload == RECKON_TCP)
        reckon_assume(c->r, "TCP acknowledgements are not counted");
}
