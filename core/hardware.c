/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware of a run: what the layout declares of its hosts and of their groups, what --nic-gbps and
 * --speeds say, and the capacities that follow. A declaration that cannot be used becomes a problem and
 * counts as not made.
 */
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "wire.h"

#define GIGA 1e9
#define MEGA 1e6
#define MTU_LEAST 68.0
#define MTU_MOST 65535.0

/* A host below a group, before the groups have their numbers. */
struct member {
    uint32_t tier, element, host;
};

struct hardware {
    struct reckon_comparison *c;
    const struct reckon_layout *layout; /* NULL: none */
    struct member *members;
    size_t nmembers, members_cap, problems_cap;
};

/* ---- declarations ---- */

static void problem(struct hardware *w, struct reckon_problem p) {
    struct reckon_comparison *c = w->c;
    p.size = sizeof p;
    c->problems = reckon_grow(c->problems, c->nproblems, &w->problems_cap, sizeof *c->problems);
    c->problems[c->nproblems++] = p;
}

/* What an element declares, and where. */
struct declared {
    const char *key, *value; /* value NULL: nothing */
    uint32_t from;
    double number; /* blank: nothing that can be used */
};

static void declaration_problem(struct hardware *w, uint32_t element, const struct declared *d,
                                enum reckon_problem_kind kind) {
    problem(w, (struct reckon_problem){
                   .kind = kind,
                   .name = reckon_element_name(w->layout, element),
                   .path = reckon_element_path(w->layout, element),
                   .key = d->key,
                   .value = d->value,
                   .line = reckon_element_line(w->layout, d->from),
               });
}

/* Reads the value as a positive number between the bounds; else a problem. */
static void judge(struct hardware *w, uint32_t element, struct declared *d, double least, double most) {
    d->number = RECKON_BLANK;
    if (!d->value)
        return;
    double x = reckon_number(d->value, strlen(d->value));
    if (x > 0 && x >= least && x <= most)
        d->number = x;
    else
        declaration_problem(w, element, d, RECKON_BAD_VALUE);
}

static double of_host(struct hardware *w, uint32_t element, const char *key, double least, double most) {
    struct declared d = {.key = key};
    d.value = reckon_element_get(w->layout, element, key, &d.from);
    judge(w, element, &d, least, most);
    return d.number;
}

/* ---- hosts ---- */

static void find_host(struct hardware *w, struct host *h) {
    uint32_t several = 0;
    h->element = w->layout ? reckon_element_named(w->layout, h->name, &several) : RECKON_NONE;
    h->in_layout = h->element != RECKON_NONE;
    if (several > 1)
        problem(w, (struct reckon_problem){
                       .kind = RECKON_NAME_SHARED,
                       .name = h->name,
                       .path = reckon_element_path(w->layout, h->element),
                       .count = several,
                       .line = reckon_element_line(w->layout, h->element),
                   });
}

static void declared_host(struct hardware *w, struct host *h) {
    h->layout_gbps = h->nic_mpps = h->mtu = RECKON_BLANK;
    if (!h->in_layout)
        return;
    h->layout_gbps = of_host(w, h->element, "nic_gbps", 0, HUGE_VAL);
    h->nic_mpps = of_host(w, h->element, "nic_mpps", 0, HUGE_VAL);
    h->mtu = trunc(of_host(w, h->element, "mtu", MTU_LEAST, MTU_MOST));
}

/* The speed in the model: what the link says of itself, else what was written down, else the flag. */
static void choose_speed(struct host *h, const struct reckon_speeds *speeds, double flag_gbps) {
    double mbps = RECKON_BLANK;
    h->measured_raw = NULL;
    if (speeds)
        speeds_find(speeds, h->name, &mbps, &h->measured_raw);
    h->measured_gbps = mbps / 1000;
    h->flag_gbps = flag_gbps;
    const struct {
        double gbps;
        const char *source;
    } choice[] = {{h->measured_gbps, "measured"}, {h->layout_gbps, "layout"}, {flag_gbps, "flag"}};
    h->nic_gbps = RECKON_BLANK;
    h->nic_source = NULL;
    for (size_t i = 0; i < sizeof choice / sizeof *choice && reckon_blank(h->nic_gbps); i++)
        if (!reckon_blank(choice[i].gbps)) {
            h->nic_gbps = choice[i].gbps;
            h->nic_source = choice[i].source;
        }
}

static void join_groups(struct hardware *w, uint32_t host) {
    struct host *h = &w->c->hosts[host];
    for (uint32_t t = 0; t < MAX_TIERS; t++)
        h->group[t] = RECKON_NONE;
    for (uint32_t t = 0; h->in_layout && t < w->c->ntiers; t++) {
        uint32_t element = reckon_element_above(w->layout, h->element, w->c->tier_kind[t]);
        if (element == RECKON_NONE)
            continue;
        w->members = reckon_grow(w->members, w->nmembers, &w->members_cap, sizeof *w->members);
        w->members[w->nmembers++] = (struct member){t, element, host};
    }
}

static void build_hosts(struct hardware *w, const struct reckon_speeds *speeds) {
    double flag_gbps = reckon_option_number(w->c->r, "nic-gbps");
    for (uint32_t i = 0; i < w->c->nhosts; i++) {
        struct host *h = &w->c->hosts[i];
        find_host(w, h);
        declared_host(w, h);
        choose_speed(h, speeds, flag_gbps);
        join_groups(w, i);
    }
    w->c->has_speeds = speeds != NULL;
}

/* ---- groups ---- */

/* "rack" or "rack,pod", innermost first. */
static int tier_kinds(struct reckon_comparison *c) {
    const char *p = reckon_option_text(c->r, "group-kind");
    c->ntiers = 0;
    for (bool more = true; more;) {
        size_t n = strcspn(p, ","), lead = strspn(p, " \t");
        more = p[n] == ',';
        lead = lead < n ? lead : n;
        size_t end = n;
        while (end > lead && (p[end - 1] == ' ' || p[end - 1] == '\t'))
            end--;
        if (c->ntiers == MAX_TIERS)
            return reckon_error(c->r, NULL, 0, "--group-kind: at most %d kinds", MAX_TIERS);
        c->tier_kind[c->ntiers++] = reckon_strndup(c->r, p + lead, end - lead);
        p += n + more;
    }
    return 0;
}

static int by_place(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->tier != y->tier)
        return x->tier < y->tier ? -1 : 1;
    if (x->element != y->element)
        return x->element < y->element ? -1 : 1;
    return x->host < y->host ? -1 : x->host > y->host;
}

static int by_tier_and_path(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    if (x->tier != y->tier)
        return x->tier < y->tier ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Makes the groups of the run's hosts, numbers them, and tells the hosts. */
static void build_groups(struct hardware *w) {
    struct reckon_comparison *c = w->c;
    const struct member *m = w->members;
    if (w->nmembers)
        qsort(w->members, w->nmembers, sizeof *w->members, by_place);
    c->groups = reckon_alloc(c->r, (w->nmembers + 1) * sizeof *c->groups);
    uint32_t *hosts = reckon_alloc(c->r, (w->nmembers + 1) * sizeof *hosts);
    c->ngroups = 0;
    for (size_t i = 0; i < w->nmembers; i++) {
        if (!i || m[i].tier != m[i - 1].tier || m[i].element != m[i - 1].element)
            c->groups[c->ngroups++] = (struct group){.tier = m[i].tier,
                                                     .element = m[i].element,
                                                     .path = reckon_element_path(w->layout, m[i].element),
                                                     .hosts = hosts + i};
        hosts[i] = m[i].host;
        c->groups[c->ngroups - 1].size++;
    }
    if (c->ngroups)
        qsort(c->groups, c->ngroups, sizeof *c->groups, by_tier_and_path);
    for (uint32_t g = 0; g < c->ngroups; g++)
        for (uint32_t i = 0; i < c->groups[g].size; i++)
            c->hosts[c->groups[g].hosts[i]].group[c->groups[g].tier] = g;
}

static int by_path(const void *a, const void *b) {
    return strcmp((*(const struct group *const *)a)->path, (*(const struct group *const *)b)->path);
}

/* A path read backwards, its '/' before every other byte, so that paths with whole components in common at
 * their ends are neighbours. */
static int by_tail(const void *a, const void *b) {
    const char *x = (*(const struct group *const *)a)->path, *y = (*(const struct group *const *)b)->path;
    size_t m = strlen(x), n = strlen(y);
    while (m && n && x[m - 1] == y[n - 1])
        m--, n--;
    int p = m ? x[m - 1] == '/' ? 1 : 2 + (unsigned char)x[m - 1] : 0;
    int q = n ? y[n - 1] == '/' ? 1 : 2 + (unsigned char)y[n - 1] : 0;
    return p - q;
}

/* How many bytes of a path its tail takes that `other` has not: whole components, all of it at most. */
static size_t tail_apart(const char *path, const struct group *other) {
    size_t m = strlen(path), n = other ? strlen(other->path) : 0, k = 0, shared = 0;
    while (other && k < m && k < n && path[m - 1 - k] == other->path[n - 1 - k]) {
        k++;
        if ((k == m || path[m - 1 - k] == '/') && (k == n || other->path[n - 1 - k] == '/'))
            shared = k;
    }
    size_t tail = shared == m ? m : shared + (shared > 0);
    for (bool first = true; tail < m && (first || path[m - 1 - tail] != '/'); first = false)
        tail++;
    return tail;
}

/* Every group's rank by path, and its label: the shortest tail of its path that no other group has. */
static void name_groups(struct reckon_comparison *c) {
    struct group **order = reckon_resize(NULL, c->ngroups + 1u, sizeof *order);
    for (uint32_t g = 0; g < c->ngroups; g++)
        order[g] = &c->groups[g];
    qsort(order, c->ngroups, sizeof *order, by_path);
    for (uint32_t i = 0; i < c->ngroups; i++)
        order[i]->rank = i;
    qsort(order, c->ngroups, sizeof *order, by_tail);
    for (uint32_t i = 0; i < c->ngroups; i++) {
        const char *path = order[i]->path;
        size_t before = tail_apart(path, i ? order[i - 1] : NULL);
        size_t after = tail_apart(path, i + 1 < c->ngroups ? order[i + 1] : NULL);
        order[i]->label = path + strlen(path) - (before > after ? before : after);
    }
    free(order);
}

static bool is_tier(const struct reckon_comparison *c, const char *kind) {
    for (uint32_t t = 0; t < c->ntiers; t++)
        if (!strcmp(c->tier_kind[t], kind))
            return true;
    return false;
}

/* What counts as declared for a group. With one kind, its own or what it inherits. With several, an element
 * of one of them declares for itself alone, and any other for the innermost groups below it. */
static struct declared of_group(const struct hardware *w, const struct group *g, const char *key) {
    struct declared d = {.key = key};
    if (w->c->ntiers == 1) {
        d.value = reckon_element_get(w->layout, g->element, key, &d.from);
        return d;
    }
    for (uint32_t e = g->element; e != RECKON_NONE; e = reckon_element_parent(w->layout, e)) {
        if (e != g->element && (g->tier || is_tier(w->c, reckon_element_kind(w->layout, e))))
            continue;
        d.value = reckon_element_own(w->layout, e, key);
        d.from = e;
        if (d.value)
            break;
    }
    return d;
}

static void declared_group(struct hardware *w, struct group *g) {
    struct declared speed = of_group(w, g, "uplink_gbps"), count = of_group(w, g, "uplinks");
    g->uplinks = g->uplink_gbps = RECKON_BLANK;
    judge(w, g->element, &speed, 0, HUGE_VAL);
    judge(w, g->element, &count, 0, HUGE_VAL);
    if (!reckon_blank(count.number) && reckon_blank(speed.number))
        declaration_problem(w, g->element, &count, RECKON_UPLINKS_NO_SPEED);
    if (reckon_blank(speed.number) || (count.value && reckon_blank(count.number)))
        return;
    g->uplinks = count.value ? count.number : 1;
    g->uplink_gbps = speed.number;
}

/* ---- links ---- */

/* A capacity beyond all numbers limits nothing. */
static void both_ways(struct reckon_comparison *c, uint32_t link, double capacity) {
    if (!isfinite(capacity))
        capacity = RECKON_BLANK;
    c->links[link].capacity = c->links[link + 1].capacity = capacity;
}

static int build_links(struct reckon_comparison *c) {
    uint64_t links = (uint64_t)HOST_LINKS * c->nhosts + (uint64_t)GROUP_LINKS * c->ngroups;
    if (links >= RECKON_NONE)
        return reckon_error(c->r, NULL, 0, "%u hosts are too many", c->nhosts);
    c->nlinks = (uint32_t)links;
    c->links = reckon_alloc(c->r, (c->nlinks + 1u) * sizeof *c->links);
    for (uint32_t h = 0; h < c->nhosts; h++) {
        both_ways(c, host_link(h, NIC_OUT), c->hosts[h].nic_gbps * GIGA);
        both_ways(c, host_link(h, PPS_OUT), c->hosts[h].nic_mpps * MEGA);
    }
    for (uint32_t g = 0; g < c->ngroups; g++)
        both_ways(c, group_link(c, g, UPLINK_OUT), c->groups[g].uplinks * c->groups[g].uplink_gbps * GIGA);
    return 0;
}

/* ---- MTUs and shapes ---- */

/* The MTU of a TCP flow: the smaller of its ends' own, else what the idle floor confirmed, else --mtu. */
static double flow_mtu(const struct reckon_comparison *c, const struct flow *f,
                       const struct reckon_idle *idle, double otherwise, uint8_t *flag) {
    double mtu = fmin(c->hosts[f->src].mtu, c->hosts[f->dst].mtu); /* of a blank and a number, the number */
    *flag = FLOW_MTU_LAYOUT;
    if (!reckon_blank(mtu))
        return mtu;
    *flag = FLOW_MTU_IDLE;
    mtu = idle ? idle_mtu(idle, f->src, f->dst) : RECKON_BLANK;
    if (!reckon_blank(mtu))
        return mtu;
    *flag = FLOW_MTU_DEFAULT;
    return otherwise;
}

/* One shape for every MTU there is. */
static void shapes_by_mtu(struct reckon_comparison *c, const struct reckon_idle *idle) {
    size_t places = (size_t)MTU_MOST + 1, n = 0;
    uint32_t *shape = reckon_resize(NULL, places, sizeof *shape);
    double *mtu = reckon_resize(NULL, places, sizeof *mtu),
           otherwise = trunc(reckon_option_number(c->r, "mtu"));
    memset(shape, 0xff, places * sizeof *shape);
    for (uint32_t i = 0; i < c->nflows; i++) {
        uint8_t flag;
        double m = flow_mtu(c, &c->flows[i], idle, otherwise, &flag);
        uint32_t *known = &shape[(size_t)m];
        if (*known == RECKON_NONE) {
            mtu[n] = m;
            *known = (uint32_t)n++;
        }
        c->flows[i].shape = *known;
        c->flows[i].flags |= flag;
    }
    c->nshapes = (uint32_t)n;
    c->shapes = reckon_alloc(c->r, (n + 1) * sizeof *c->shapes);
    for (size_t i = 0; i < n; i++)
        c->shapes[i] = (struct shape){.size = RECKON_BLANK, .reply = RECKON_BLANK, .mtu = mtu[i]};
    free(shape);
    free(mtu);
}

/* ---- all of it ---- */

struct placed {
    struct reckon_problem problem;
    size_t found;
};

static int by_name(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    int order = strcmp(x->problem.name, y->problem.name);
    return order ? order : x->found < y->found ? -1 : x->found > y->found;
}

/* By name; those of one name stay as they were found. */
static void sort_problems(struct reckon_comparison *c) {
    struct placed *p = reckon_resize(NULL, c->nproblems, sizeof *p);
    for (size_t i = 0; i < c->nproblems; i++)
        p[i] = (struct placed){c->problems[i], i};
    if (c->nproblems)
        qsort(p, c->nproblems, sizeof *p, by_name);
    free(c->problems);
    c->problems = reckon_alloc(c->r, (c->nproblems + 1) * sizeof *c->problems);
    for (size_t i = 0; i < c->nproblems; i++)
        c->problems[i] = p[i].problem;
    free(p);
}

int hardware_build(struct reckon_comparison *c, const struct reckon_speeds *speeds,
                   const struct reckon_idle *idle) {
    struct hardware w = {.c = c, .layout = reckon_layout(c->r)};
    c->problems = NULL;
    c->nproblems = 0;
    if (tier_kinds(c))
        return -1;
    build_hosts(&w, speeds);
    build_groups(&w);
    name_groups(c);
    for (uint32_t g = 0; g < c->ngroups; g++)
        declared_group(&w, &c->groups[g]);
    sort_problems(c);
    free(w.members);
    if (c->workload == RECKON_TCP)
        shapes_by_mtu(c, idle);
    for (uint32_t i = 0; i < c->nshapes; i++)
        shape_fill(&c->shapes[i], c->workload);
    return build_links(c);
}
