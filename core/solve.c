/* SPDX-License-Identifier: Apache-2.0
 *
 * Max-min fair shares by events: all flows rise together, and the next thing to happen is a demand reached or
 * a link filled. Links wait in a heap by the level at which they fill, which never falls as flows stop, so
 * that an entry that is out of date is only looked at when it comes first; demands wait in a sorted list. A
 * link that fills finds its flows through the ends they have in common with it. Near O(F log L) time, some
 * twenty bytes a flow.
 *
 * Events happen in the exact order of their levels, and what is taken from a link is kept to twice a double's
 * digits: the tolerances of the model decide only what a stopped flow is charged to, never its rate.
 */
#include <stdlib.h>

#include "demands.h"
#include "problems.h"
#include "solver.h"
#include "wire.h"

#define TARGET_TOLERANCE 1e-9 /* a demand this near above the level is reached */
#define FULL_TOLERANCE 1e-9   /* a link is full with this share of its capacity left */
#define SAME_LEVEL 1e-12      /* levels this near are one event */

static void add_scaled_sum(struct sum *s, struct sum a, struct sum b) {
    sum_add_scaled(s, a.hi, b);
    sum_add_scaled(s, a.lo, b);
}

/* ---- the heap of links ---- */

/* The level at which the link fills if nothing else stops: what is left over what rises, to twice a double's
 * digits. */
static struct sum fill_level(const struct solver *s, const struct pipe *p) {
    struct sum left = sum_normal(p->left), rising = sum_normal(p->rising);
    double q = left.hi / rising.hi;
    if (!isfinite(q))
        return (struct sum){INFINITY, 0};
    double rest = fma(-q, rising.hi, left.hi) + (left.lo - q * rising.lo);
    struct sum level = sum_normal((struct sum){q, rest / rising.hi});
    return level.hi < s->level.hi ? s->level : level;
}

static void sift_down(struct solver *s, uint32_t i) {
    struct due moved = s->due[i];
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= s->ndue)
            break;
        if (child + 1 < s->ndue && s->due[child + 1].level < s->due[child].level)
            child++;
        if (s->due[child].level >= moved.level)
            break;
        s->due[i] = s->due[child];
        i = child;
    }
    s->due[i] = moved;
}

static void drop_first(struct solver *s) {
    s->due[0] = s->due[--s->ndue];
    if (s->ndue)
        sift_down(s, 0);
}

static void make_heap(struct solver *s) {
    s->ndue = 0;
    for (uint32_t k = 0; k < s->nlinks; k++)
        s->due[s->ndue++] = (struct due){fill_level(s, &s->pipe[s->link[k]]).hi, s->link[k]};
    for (uint32_t i = s->ndue / 2; i-- > 0;)
        sift_down(s, i);
}

/* The link that fills next and its level; RECKON_NONE when none ever does. */
static uint32_t next_link(struct solver *s, struct sum *level) {
    while (s->ndue) {
        struct due *first = &s->due[0];
        const struct pipe *p = &s->pipe[first->link];
        if (!p->terms) {
            drop_first(s);
            continue;
        }
        *level = fill_level(s, p);
        if (level->hi <= first->level)
            return isfinite(level->hi) ? first->link : RECKON_NONE;
        first->level = level->hi;
        sift_down(s, 0);
    }
    return RECKON_NONE;
}

/* ---- stopping flows ---- */

/* Whether the link has no more than a trace of its capacity left at this level. */
static inline bool is_full(struct solver *s, uint32_t link) {
    struct pipe *p = &s->pipe[link];
    if (p->step != s->step) {
        struct sum slack = p->left;
        struct sum taken = {-p->rising.hi, -p->rising.lo};
        add_scaled_sum(&slack, taken, s->level);
        p->step = s->step;
        p->full = p->filling || sum_value(slack) <= FULL_TOLERANCE * p->capacity;
    }
    return p->full;
}

/* The link a stopped flow is charged to, as far as it has been found. */
struct charge {
    uint32_t link;
    double coefficient;
};

/* Whether a full link comes before what was found: a larger coefficient, else out before in, else its name.
 */
static inline bool comes_before(const struct solver *s, uint32_t link, double coefficient,
                                const struct charge *best) {
    if (coefficient != best->coefficient)
        return coefficient > best->coefficient;
    if (coefficient == 0)
        return false;
    if (link_out(link) != link_out(best->link))
        return link_out(link);
    return link_order(s->c, link, best->link) < 0;
}

static inline void consider(struct solver *s, struct charge *best, uint32_t link, double coefficient) {
    if (comes_before(s, link, coefficient, best) && is_full(s, link))
        *best = (struct charge){link, coefficient};
}

static inline void consider_leg(struct solver *s, struct charge *best, uint32_t from, uint32_t to,
                                double bits, double packets) {
    consider(s, best, host_link(from, NIC_OUT), bits);
    for (uint32_t t = 0, n = s->c->ntiers; t < n; t++) {
        uint32_t a = s->group[from * n + t], b = s->group[to * n + t];
        if (!crosses(a, b))
            continue;
        consider(s, best, group_link(s->c, a, UPLINK_OUT), bits);
        consider(s, best, group_link(s->c, b, UPLINK_IN), bits);
    }
    consider(s, best, host_link(to, NIC_IN), bits);
    if (s->packets) {
        consider(s, best, host_link(from, PPS_OUT), packets);
        consider(s, best, host_link(to, PPS_IN), packets);
    }
}

static inline uint32_t charged_link(struct solver *s, const struct flow *f) {
    const struct shape *w = &s->c->shapes[f->shape];
    struct charge best = {RECKON_NONE, 0};
    consider_leg(s, &best, f->src, f->dst, w->forward, w->packets_forward);
    if (fmax(w->backward, w->packets_backward) >= best.coefficient)
        consider_leg(s, &best, f->dst, f->src, w->backward, w->packets_backward);
    return best.link;
}

static inline void stop(struct solver *s, uint32_t flow, enum reckon_limit limit, uint32_t link,
                        double rate) {
    struct flow *f = &s->c->flows[flow];
    s->stopped[flow / 64] |= (uint64_t)1 << flow % 64;
    s->rising--;
    if (!s->modelled[f->src] || !s->modelled[f->dst]) {
        limit = RECKON_LIMIT_UNMODELLED; /* it took part, but a bound is not an expectation */
        link = RECKON_NONE;
        rate = RECKON_BLANK;
    }
    f->expected = rate;
    f->limit = (uint8_t)limit;
    f->limit_link = link;
}

/* Stops a flow on a link that fills at this level. */
static void stop_full(struct solver *s, uint32_t flow) {
    const struct flow *f = &s->c->flows[flow];
    double level = s->level.hi;
    if (!s->unpaced && f->demand - level <= TARGET_TOLERANCE * (f->demand > 1 ? f->demand : 1)) {
        bool same = f->demand - level <= SAME_LEVEL * f->demand;
        stop(s, flow, RECKON_LIMIT_TARGET, RECKON_NONE, same ? f->demand : level);
        return;
    }
    uint32_t link = charged_link(s, f);
    stop(s, flow, link_limit(s->c, link), link, level);
}

/* Many stopped at this level: takes the rest of them out of the list and works the links out afresh from
 * those that still rise, which is cheaper than taking each off its links, and as exact. */
static void start_again(struct solver *s) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->nlist; k++)
        if (!has_stopped(s, s->list[k]))
            s->list[n++] = s->list[k];
    s->nlist = n;
    s->indexed = false;
    for (uint32_t k = 0; k < s->nlinks; k++) {
        struct pipe *p = &s->pipe[s->link[k]];
        struct sum taken = {-p->rising.hi, -p->rising.lo};
        add_scaled_sum(&p->left, taken, s->level);
        p->rising = (struct sum){0, 0};
        p->terms = 0;
    }
    solver_raise(s, false);
    for (uint32_t k = 0; k < s->nlinks; k++) {
        struct pipe *p = &s->pipe[s->link[k]];
        add_scaled_sum(&p->left, p->rising, s->level);
    }
    make_heap(s);
}

/* ---- demands ---- */

static uint32_t paced_flow(const struct solver *s, uint32_t k) {
    return (uint32_t)s->paced[k];
}

/* The lowest demand of a flow that still rises; infinite for none. */
static double next_demand(struct solver *s) {
    while (s->next_paced < s->npaced && has_stopped(s, paced_flow(s, s->next_paced)))
        s->next_paced++;
    return s->next_paced < s->npaced ? s->c->flows[paced_flow(s, s->next_paced)].demand : INFINITY;
}

/* Stops the flows that ask for exactly `demand`. */
static void reach_demand(struct solver *s, double demand) {
    const struct flow *flows = s->c->flows;
    uint32_t end = s->next_paced, n = 0;
    for (; end < s->npaced && flows[paced_flow(s, end)].demand <= demand; end++)
        n += !has_stopped(s, paced_flow(s, end));
    s->level = (struct sum){demand, 0};
    bool many = n >= s->nlist / 2;
    for (uint32_t k = s->next_paced; k < end; k++) {
        uint32_t flow = paced_flow(s, k);
        if (has_stopped(s, flow))
            continue;
        stop(s, flow, RECKON_LIMIT_TARGET, RECKON_NONE, demand);
        if (!many)
            solver_release(s, flow, s->level);
    }
    s->next_paced = end;
    if (many && s->rising)
        start_again(s);
}

/* ---- links that fill ---- */

static inline bool crosses_filling(const struct solver *s, const struct flow *f) {
    if (s->host_stops[f->src] & SENT || s->host_stops[f->dst] & RECEIVED)
        return true;
    for (uint32_t t = 0, n = s->c->ntiers; t < n; t++) {
        uint32_t from = s->group[f->src * n + t], to = s->group[f->dst * n + t];
        if (crosses(from, to) && (s->group_stops[from] & SENT || s->group_stops[to] & RECEIVED))
            return true;
    }
    return false;
}

/* Marks a link as filling, or no longer, and the flows of its owner that cross it. */
static void mark_filling(struct solver *s, uint32_t link, bool filling) {
    uint32_t host = link_host(s->c, link);
    uint8_t *stops = host == RECKON_NONE ? &s->group_stops[link_group(s->c, link)] : &s->host_stops[host];
    uint8_t which = s->two_way ? SENT | RECEIVED : link_out(link) ? SENT : RECEIVED;
    s->pipe[link].filling = filling;
    *stops = filling ? *stops | which : 0;
}

/* Forgets which flows belong to which host. */
static void clear_index(struct solver *s) {
    for (uint32_t k = 0; k < s->nhosts; k++) {
        s->ends[s->host[k]] = (struct ends){0, 0, 0, 0};
        for (uint32_t t = 0, n = s->c->ntiers; t < n; t++)
            if (s->group[s->host[k] * n + t] != RECKON_NONE)
                s->first_host[s->group[s->host[k] * n + t]] = RECKON_NONE;
    }
    s->nhosts = 0;
    s->indexed = false;
}

static void note_host(struct solver *s, uint32_t host) {
    const struct ends *e = &s->ends[host];
    if (e->out_n || e->in_n)
        return;
    s->host[s->nhosts++] = host;
    for (uint32_t t = 0, n = s->c->ntiers; t < n; t++) {
        uint32_t group = s->group[host * n + t];
        if (group == RECKON_NONE)
            continue;
        s->next_host[host * n + t] = s->first_host[group];
        s->first_host[group] = host;
    }
}

/* Finds the flows of each host in the list, and the hosts of each group. */
static void make_index(struct solver *s) {
    clear_index(s);
    for (uint32_t k = 0; k < s->nlist; k++) {
        const struct flow *f = &s->c->flows[s->list[k]];
        note_host(s, f->src);
        if (!s->ends[f->src].out_n++)
            s->ends[f->src].out_at = k;
        note_host(s, f->dst);
        s->ends[f->dst].in_n++;
    }
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->nhosts; k++) {
        struct ends *e = &s->ends[s->host[k]];
        e->in_at = at;
        at += e->in_n;
        e->in_n = 0;
    }
    for (uint32_t k = 0; k < s->nlist; k++) {
        struct ends *e = &s->ends[s->c->flows[s->list[k]].dst];
        s->in[e->in_at + e->in_n++] = s->list[k];
    }
    s->indexed = true;
}

/* Stops the flow if it crosses a filling link. */
static void try_flow(struct solver *s, uint32_t flow) {
    if (has_stopped(s, flow) || !crosses_filling(s, &s->c->flows[flow]))
        return;
    stop_full(s, flow);
    solver_release(s, flow, s->level);
}

/* Stops the flows of a host that cross a filling link, for the sake of one. */
static void stop_flows_of(struct solver *s, uint32_t host, const struct pipe *link) {
    const struct ends e = s->ends[host];
    for (uint32_t k = 0; k < e.out_n && link->terms; k++)
        try_flow(s, s->list[e.out_at + k]);
    for (uint32_t k = 0; k < e.in_n && link->terms; k++)
        try_flow(s, s->in[e.in_at + k]);
}

static void stop_flows_on(struct solver *s, uint32_t link) {
    const struct pipe *p = &s->pipe[link];
    uint32_t group = link_group(s->c, link);
    if (group == RECKON_NONE) {
        stop_flows_of(s, link_host(s->c, link), p);
        return;
    }
    uint32_t tier = s->c->groups[group].tier;
    for (uint32_t h = s->first_host[group]; h != RECKON_NONE && p->terms;
         h = s->next_host[h * s->c->ntiers + tier])
        stop_flows_of(s, h, p);
}

/* Takes every link that fills at this level off the heap. Returns how many terms rise on them. */
static uint64_t gather_filling(struct solver *s) {
    double same = s->level.hi * (1 + SAME_LEVEL);
    uint64_t terms = 0;
    struct sum level;
    s->nfilling = 0;
    for (uint32_t link; (link = next_link(s, &level)) != RECKON_NONE && level.hi <= same; drop_first(s)) {
        s->filling[s->nfilling++] = link;
        mark_filling(s, link, true);
        terms += s->pipe[link].terms;
    }
    return terms;
}

static void fill_links(struct solver *s, struct sum level) {
    s->level = level;
    bool many = gather_filling(s) >= s->nlist;
    if (many) {
        for (uint32_t k = 0; k < s->nlist; k++)
            if (!has_stopped(s, s->list[k]) && crosses_filling(s, &s->c->flows[s->list[k]]))
                stop_full(s, s->list[k]);
    } else {
        if (!s->indexed)
            make_index(s);
        for (uint32_t k = 0; k < s->nfilling; k++)
            stop_flows_on(s, s->filling[k]);
    }
    for (uint32_t k = 0; k < s->nfilling; k++)
        mark_filling(s, s->filling[k], false);
    if (many && s->rising)
        start_again(s);
}

/* ---- a problem, and all of them ---- */

static void solve_problem(struct solver *s, uint32_t *list, uint32_t count) {
    s->list = list;
    s->nlist = s->rising = count;
    s->level = (struct sum){0, 0};
    s->npaced = s->next_paced = 0;
    solver_raise(s, !s->unpaced);
    if (s->npaced)
        demands_sort(s->c->flows, s->paced, s->npaced);
    for (uint32_t k = 0; k < s->nlinks; k++)
        s->pipe[s->link[k]].left = (struct sum){s->pipe[s->link[k]].capacity, 0};
    make_heap(s);
    while (s->rising) {
        struct sum level;
        s->step++;
        double demand = next_demand(s);
        uint32_t link = next_link(s, &level);
        if (link == RECKON_NONE && isinf(demand))
            break;
        if (link == RECKON_NONE || demand <= level.hi)
            reach_demand(s, demand);
        else
            fill_links(s, level);
    }
    for (uint32_t k = 0; s->rising && k < s->nlist; k++)
        if (!has_stopped(s, s->list[k]))
            stop(s, s->list[k], RECKON_LIMIT_UNBOUNDED, RECKON_NONE, RECKON_BLANK);
    for (uint32_t k = 0; k < s->nlinks; k++) {
        s->pipe[s->link[k]].rising = (struct sum){0, 0};
        s->pipe[s->link[k]].terms = 0;
    }
    clear_index(s);
}

static void *array(size_t n, size_t size) {
    void *p = calloc(n ? n : 1, size); /* pages that are never used cost nothing */
    if (!p)
        out_of_memory();
    return p;
}

static void solver_open(struct solver *s, struct reckon_comparison *c) {
    s->pipe = array(c->nlinks, sizeof *s->pipe);
    uint32_t limiting = 0;
    for (uint32_t l = 0; l < c->nlinks; l++) {
        bool limits = isfinite(c->links[l].capacity);
        s->pipe[l].capacity = limits ? c->links[l].capacity : RECKON_BLANK;
        s->packets = s->packets || (limits && reckon_link_kind(c, l) == RECKON_LINK_PPS);
        limiting += limits;
    }
    s->two_way = c->workload == RECKON_REQUEST_REPLY;
    s->link = array(limiting, sizeof *s->link);
    s->due = array(limiting, sizeof *s->due);
    s->filling = array(limiting, sizeof *s->filling);
    s->stopped = array(c->nflows / 64 + 1, sizeof *s->stopped);
    s->in = array(c->nflows, sizeof *s->in);
    s->modelled = array(c->nhosts, sizeof *s->modelled);
    s->host_stops = array(c->nhosts, 1);
    s->group_stops = array(c->ngroups, 1);
    s->ends = array(c->nhosts, sizeof *s->ends);
    s->host = array(c->nhosts, sizeof *s->host);
    s->group = array((size_t)c->ntiers * c->nhosts, sizeof *s->group);
    s->next_host = array((size_t)c->ntiers * c->nhosts, sizeof *s->next_host);
    s->first_host = array(c->ngroups, sizeof *s->first_host);
    for (uint32_t g = 0; g < c->ngroups; g++)
        s->first_host[g] = RECKON_NONE;
    for (uint32_t h = 0; h < c->nhosts; h++) {
        s->modelled[h] = !reckon_blank(c->hosts[h].nic_gbps);
        for (uint32_t t = 0; t < c->ntiers; t++)
            s->group[h * c->ntiers + t] = c->hosts[h].group[t];
    }
}

static void solver_close(struct solver *s) {
    void *const all[] = {s->pipe,  s->link, s->due,      s->filling,    s->stopped,
                         s->paced, s->in,   s->modelled, s->host_stops, s->group_stops,
                         s->ends,  s->host, s->group,    s->next_host,  s->first_host};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

void model_solve(struct reckon_comparison *c, bool unpaced) {
    struct solver s = {.c = c, .unpaced = unpaced};
    solver_open(&s, c);
    uint32_t *order = problems_order(c);
    for (uint32_t from = 0, end; from < c->nflows; from = end) {
        end = problem_end(c, order, from);
        solve_problem(&s, order + from, end - from);
    }
    free(order);
    solver_close(&s);
}
