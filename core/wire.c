/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic on the wire: what a flow puts on each link it crosses, and how links and limits are called.
 * The overheads are those of the tools that measured: 66 bytes a UDP packet over Ethernet (preamble and SFD
 * 8, MAC 14, FCS 4, gap 12, IPv4 20, UDP 8); 38 around a TCP segment's MTU, of which 52 are IPv4, TCP and its
 * timestamps.
 */
#include <string.h>

#include "wire.h"

#define UDP_OVERHEAD 66.0
#define TCP_FRAMING 38.0
#define TCP_HEADERS 52.0
#define MEGABIT 1e6

void shape_fill(struct shape *s, enum reckon_workload workload) {
    s->backward = s->packets_backward = 0;
    if (workload == RECKON_REQUEST_REPLY) {
        s->forward = (s->size + UDP_OVERHEAD) * 8;
        s->backward = (s->reply + UDP_OVERHEAD) * 8;
        s->packets_forward = s->packets_backward = 1;
    } else if (workload == RECKON_TCP) {
        s->forward = MEGABIT * (s->mtu + TCP_FRAMING) / (s->mtu - TCP_HEADERS);
        s->packets_forward = MEGABIT / (8 * (s->mtu - TCP_HEADERS));
    } else {
        s->forward = MEGABIT * (s->size + UDP_OVERHEAD) / s->size;
        s->packets_forward = MEGABIT / (8 * s->size);
    }
}

/* ---- what a flow crosses ---- */

struct crossing {
    uint32_t *link;
    double *coefficient;
    size_t count;
};

static void cross(struct crossing *x, uint32_t link, double coefficient) {
    x->link[x->count] = link;
    x->coefficient[x->count++] = coefficient;
}

/* One direction of a flow: out of one end, through the uplinks of the groups it leaves and enters, into the
 * other. */
static void leg(const struct reckon_comparison *c, struct crossing *x, uint32_t from, uint32_t to,
                double bits, double packets) {
    const struct host *a = &c->hosts[from], *b = &c->hosts[to];
    if (bits > 0) {
        cross(x, host_link(from, NIC_OUT), bits);
        cross(x, host_link(to, NIC_IN), bits);
    }
    if (packets > 0) {
        cross(x, host_link(from, PPS_OUT), packets);
        cross(x, host_link(to, PPS_IN), packets);
    }
    for (uint32_t t = 0; bits > 0 && t < c->ntiers; t++)
        if (a->group[t] != b->group[t] && a->group[t] != RECKON_NONE && b->group[t] != RECKON_NONE) {
            cross(x, group_link(c, a->group[t], UPLINK_OUT), bits);
            cross(x, group_link(c, b->group[t], UPLINK_IN), bits);
        }
}

/* Adds up the terms on one link. */
static void merge(struct crossing *x) {
    size_t n = 0;
    for (size_t i = 0; i < x->count; i++) {
        size_t k = 0;
        while (k < n && x->link[k] != x->link[i])
            k++;
        x->link[k] = x->link[i];
        x->coefficient[k] = k < n ? x->coefficient[k] + x->coefficient[i] : x->coefficient[i];
        n += k == n;
    }
    x->count = n;
}

size_t flow_links(const struct reckon_comparison *c, const struct flow *f, uint32_t *link,
                  double *coefficient) {
    const struct shape *s = &c->shapes[f->shape];
    struct crossing x = {link, coefficient, 0};
    leg(c, &x, f->src, f->dst, s->forward, s->packets_forward);
    leg(c, &x, f->dst, f->src, s->backward, s->packets_backward);
    if (f->src == f->dst) /* two ends that differ share no link, nor do two groups */
        merge(&x);
    return x.count;
}

/* ---- names ---- */

enum reckon_link_kind reckon_link_kind(const struct reckon_comparison *c, uint32_t l) {
    if (link_host(c, l) == RECKON_NONE)
        return RECKON_LINK_UPLINK;
    return l % HOST_LINKS < PPS_OUT ? RECKON_LINK_NIC : RECKON_LINK_PPS;
}

enum reckon_limit link_limit(const struct reckon_comparison *c, uint32_t link) {
    static const enum reckon_limit word[] = {[RECKON_LINK_NIC] = RECKON_LIMIT_NIC,
                                             [RECKON_LINK_PPS] = RECKON_LIMIT_NIC_PPS,
                                             [RECKON_LINK_UPLINK] = RECKON_LIMIT_UPLINK};
    return word[reckon_link_kind(c, link)];
}

/* Where the owner stands by name among those of its kind: hosts are sorted by theirs. */
static uint32_t owner_rank(const struct reckon_comparison *c, uint32_t l) {
    uint32_t group = link_group(c, l);
    return group == RECKON_NONE ? link_host(c, l) : c->groups[group].rank;
}

int link_order(const struct reckon_comparison *c, uint32_t a, uint32_t b) {
    enum reckon_link_kind ka = reckon_link_kind(c, a), kb = reckon_link_kind(c, b);
    if (ka != kb)
        return ka < kb ? -1 : 1;
    uint32_t ra = owner_rank(c, a), rb = owner_rank(c, b);
    if (ra != rb)
        return ra < rb ? -1 : 1;
    return (int)link_out(a) - (int)link_out(b); /* "in" before "out" */
}

static const char *const kind_word[] = {"nic", "pps", "uplink"};
static const char *const limit_word[] = {"", "TARGET", "NIC", "NIC_PPS", "UPLINK", "UNBOUNDED", "UNMODELLED"};
static const char *const limit_text[] = {
    [RECKON_LIMIT_TARGET] = "its target",
    [RECKON_LIMIT_UNBOUNDED] = "nothing declared",
    [RECKON_LIMIT_UNMODELLED] = "not modelled",
};
static const char *const verdict_word[] = {"", "OK", "WARN", "FAIL", "NO-DATA", "UNMODELLED"};

const char *reckon_limit_word(enum reckon_limit limit) {
    return limit_word[limit];
}

const char *reckon_verdict_word(enum reckon_verdict verdict) {
    return verdict_word[verdict];
}

const char *reckon_link_name(struct reckon *r, const struct reckon_comparison *c, uint32_t l) {
    if (l == RECKON_NONE)
        return "";
    uint32_t h = link_host(c, l);
    const char *owner = h == RECKON_NONE ? c->groups[link_group(c, l)].path : c->hosts[h].name;
    return reckon_text(r, "%s:%s:%s", kind_word[reckon_link_kind(c, l)], owner, link_out(l) ? "out" : "in");
}

const char *speed_text(struct reckon *r, double gbps) {
    const char *text = reckon_fixed(r, gbps, 2);
    size_t n = strlen(text);
    while (n && text[n - 1] == '0')
        n--;
    if (n && text[n - 1] == '.')
        n--;
    return reckon_text(r, "%.*s", (int)n, text);
}

const char *reckon_limit_text(struct reckon *r, const struct reckon_comparison *c, enum reckon_limit limit,
                              uint32_t l) {
    if (l == RECKON_NONE)
        return limit < sizeof limit_text / sizeof *limit_text && limit_text[limit] ? limit_text[limit] : "";
    const char *way = link_out(l) ? "out" : "in";
    uint32_t h = link_host(c, l);
    if (h == RECKON_NONE)
        return reckon_text(r, "%s uplinks %s", c->groups[link_group(c, l)].label, way);
    if (reckon_link_kind(c, l) == RECKON_LINK_PPS)
        return reckon_text(r, "%s NIC packet rate %s", c->hosts[h].name, way);
    return reckon_text(r, "%s NIC %s Gb/s %s", c->hosts[h].name, speed_text(r, c->hosts[h].nic_gbps), way);
}
