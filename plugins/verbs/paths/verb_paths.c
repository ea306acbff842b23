/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon paths`: traces every tuple of a host's list, the probe's way and the ack's, and writes the links
 * down: tuple,leg,links.
 */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../triage_common/interface.h"
#include "../triage_common/notes.h"
#include "../triage_common/topology.h"
#include "before.h"
#include "tracer.h"

static const struct reckon_option options[] = {
    {.name = "list",
     .type = RECKON_PATHS,
     .value_name = "FILE...",
     .help = "the host's probe list, and the job's tuples (tuple) where there are any",
     .group = "inputs"},
    {.name = "rate",
     .type = RECKON_NUMBER,
     .value_name = "PPS",
     .initial = "100",
     .unit = "packets/s",
     .min = 0.1,
     .max = 1e6,
     .help = "packets a second at most; switches answer few",
     .group = "inputs"},
    {.name = "wait",
     .type = RECKON_NUMBER,
     .value_name = "MS",
     .initial = "500",
     .unit = "ms",
     .min = 1,
     .max = 60000,
     .help = "how long an answer may take",
     .group = "inputs"},
    {.name = "out",
     .type = RECKON_PATH,
     .value_name = "FILE",
     .help = "where the paths go, whole or not at all (default: standard output); legs that do not arrive "
             "keep what it has",
     .group = "output"},
    {.type = RECKON_OPTION_END},
};

struct naming {
    struct reckon *r;
    const struct topology *topo; /* NULL: no layout */
    struct strmap asked;         /* addresses the resolver was asked about, to an index into answers */
    const char **answers;
    size_t nanswers, cap;
};

/* The resolver's name for the address, else the address itself. */
static const char *ask_resolver(struct naming *n, const struct sockaddr_storage *a, const char *text) {
    char host[NI_MAXHOST];
    uint32_t at = strmap_add(&n->asked, text, strlen(text), (uint32_t)n->nanswers, NULL);
    if (at < n->nanswers)
        return n->answers[at];
    bool known =
        !getnameinfo((const struct sockaddr *)a, address_length(a), host, sizeof host, NULL, 0, NI_NAMEREQD);
    n->answers = reckon_grow(n->answers, n->nanswers, &n->cap, sizeof *n->answers);
    return n->answers[n->nanswers++] = reckon_strdup(n->r, known ? host : text);
}

/* Who has the address: in the layout, else by the resolver, else the address itself. */
static const char *name_of(struct naming *n, const struct sockaddr_storage *a) {
    char text[TUPLE_END];
    const char *owner = n->topo ? topology_owner(n->topo, address_text(a, text)) : NULL;
    return owner ? owner : ask_resolver(n, a, address_text(a, text));
}

static const char *end_name(const struct naming *n, const char *name, const char *address) {
    const char *owner = n->topo ? topology_owner(n->topo, address) : NULL;
    return *name ? name : owner ? owner : address;
}

/* Below one ToR that routes nothing no hop answers; the layout tells what is between. */
static const char *tor_between(const struct naming *n, const char *a, const char *b) {
    uint32_t x = n->topo ? topology_rnic(n->topo, a, strlen(a)) : RECKON_NONE;
    uint32_t y = n->topo ? topology_rnic(n->topo, b, strlen(b)) : RECKON_NONE;
    if (x == RECKON_NONE || y == RECKON_NONE)
        return NULL;
    uint32_t tor = n->topo->hosts[n->topo->rnics[x].host].tor;
    return tor != RECKON_NONE && tor == n->topo->hosts[n->topo->rnics[y].host].tor ? n->topo->tors[tor].name
                                                                                   : NULL;
}

static const char *add_link(struct reckon *r, const char *links, const char *from, const char *to) {
    return from && to ? reckon_text(r, "%s%s%s>%s", links, *links ? " " : "", from, to) : links;
}

/* The links in order; a hop that did not answer leaves out the two it is an end of. */
static const char *links_of(struct naming *n, const struct trace *x) {
    const struct tuple *t = &x->ping->tuple;
    const char *prober = end_name(n, x->ping->prober, t->src), *target = end_name(n, x->ping->target, t->dst);
    const char *from = x->back ? target : prober, *last = x->back ? prober : target, *links = "";
    const char *between = x->hops ? NULL : tor_between(n, from, last);
    for (uint32_t i = 0; i < x->hops; i++) {
        const char *hop = x->hop[i].ss_family ? name_of(n, &x->hop[i]) : NULL;
        links = add_link(n->r, links, from, hop);
        from = hop;
    }
    if (between) {
        links = add_link(n->r, links, from, between);
        from = between;
    }
    return add_link(n->r, links, from, last);
}

struct counts {
    size_t traced, lost, not_sent, silent, kept;
};

static void count_leg(struct counts *c, const struct trace *x) {
    c->traced += x->end == TRACE_ARRIVED;
    c->lost += x->end == TRACE_LOST;
    c->not_sent += x->end == TRACE_NOT_SENT;
    for (uint32_t i = 0; x->end == TRACE_ARRIVED && i < x->hops; i++)
        c->silent += !x->hop[i].ss_family;
}

/* A leg that did not arrive keeps the way it had in the file before. */
static void write_leg(struct naming *n, struct reckon_writer *w, const struct trace *x,
                      const struct before *before, struct counts *c) {
    char buf[TUPLE_TEXT];
    const char *tuple = tuple_text(&x->ping->tuple, buf);
    const char *links = x->end == TRACE_ARRIVED ? links_of(n, x) : before_links(before, tuple, x->back);
    count_leg(c, x);
    c->kept += links && x->end != TRACE_ARRIVED;
    if (!links)
        return;
    reckon_put_cell(w, tuple);
    reckon_put(w, x->back ? ",ack," : ",probe,");
    reckon_put_cell(w, links);
    reckon_put(w, "\n");
}

static int write_paths(struct naming *n, const struct trace *traces, size_t count,
                       const struct before *before) {
    struct counts c = {0};
    struct reckon_writer *w = reckon_create(n->r, reckon_option_text(n->r, "out"));
    if (!w)
        return -1;
    reckon_put(w, "tuple,leg,links\n");
    for (size_t i = 0; i < count; i++)
        write_leg(n, w, &traces[i], before, &c);
    if (reckon_commit(w))
        return -1;
    fprintf(stderr,
            "reckon: %zu of %zu legs traced; %zu never arrived, %zu could not be sent from here, %zu hops "
            "did not answer",
            c.traced, count, c.lost, c.not_sent, c.silent);
    if (c.kept)
        fprintf(stderr, "; %zu kept as they were traced before", c.kept);
    fprintf(stderr, "\n");
    return 0;
}

static int check(struct reckon *r) {
    if (!reckon_option_count(r, "list"))
        return reckon_error(r, NULL, 0, "paths needs --list");
    if (reckon_argument(r, 0) && reckon_argument(r, 1))
        return reckon_error(r, NULL, 0, "paths takes one LAYOUT");
    return 0;
}

static int paths(struct reckon *r) {
    struct topology topo;
    struct pinglist list = {0};
    struct naming n = {.r = r};
    struct before before;
    struct tracing how = {reckon_option_number(r, "rate"), reckon_option_number(r, "wait")};
    const char *out = reckon_option_text(r, "out");
    size_t said = 0;
    if (out && reckon_check_target(r, "out", out))
        return -1;
    strmap_init(&n.asked, r);
    if (reckon_argument(r, 0)) {
        if (reckon_read_layout(r, reckon_argument(r, 0)) || topology_build(r, &topo))
            return -1;
        n.topo = &topo;
    }
    for (size_t i = 0; i < reckon_option_count(r, "list"); i++)
        if (pinglist_read(r, reckon_option_at(r, "list", i), &list))
            return -1;
    notes_print(r, &said);
    struct trace *traces = reckon_alloc(r, 2 * list.count * sizeof *traces + 1);
    for (size_t i = 0; i < 2 * list.count; i++)
        traces[i] = (struct trace){.ping = &list.at[i / 2], .back = i % 2};
    int rc = before_read(&before, r, reckon_option_text(r, "out"));
    if (!rc)
        rc = trace_all(r, traces, 2 * list.count, &how) || write_paths(&n, traces, 2 * list.count, &before)
                 ? -1
                 : 0;
    before_free(&before);
    pinglist_free(&list);
    strmap_free(&n.asked);
    free(n.answers);
    if (n.topo)
        topology_free(&topo);
    return rc;
}

RECKON_PLUGIN(verb, paths) = {
    .name = "paths",
    .summary = "trace the tuples of a probe list, both ways",
    .options = options,
    .check = check,
    .verb = {.usage = "reckon paths [LAYOUT] --list FILE... [options]", .arguments = true, .main = paths},
};
