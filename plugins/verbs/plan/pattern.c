/* SPDX-License-Identifier: Apache-2.0
 *
 * Who sends to whom (plan.h).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

struct pattern {
    struct reckon *r;
    const char *name, *argument; /* "incast", "b1"; argument NULL: none */
    const struct plan_hosts *hosts;
    struct plan_traffic *traffic;
    struct reckon_sink *sink;
    const char *describe;
};

void plan_flow(struct reckon_sink *sink, const struct plan_traffic *traffic, const char *src, const char *dst,
               double target) {
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.host = src;
    s.peer = dst;
    s.figure[RECKON_DEMAND] = target;
    if (!traffic->tcp) {
        s.figure[RECKON_SIZE] = traffic->size;
        s.figure[RECKON_REPLY_SIZE] = traffic->reply;
    }
    reckon_sink_sample(sink, &s);
}

static void flow(const struct pattern *p, uint32_t src, uint32_t dst) {
    plan_flow(p->sink, p->traffic, p->hosts->names[src], p->hosts->names[dst], p->traffic->target);
}

static int all_to_all(struct pattern *p) {
    uint64_t n = p->hosts->count;
    if (n * (n - 1) > PLAN_FLOWS)
        return reckon_error(p->r, NULL, 0,
                            "--pattern all-to-all: %" PRIu64 " hosts are %" PRIu64
                            " flows, and more than %u are not "
                            "worked out; plan a part, or take permutation:SEED",
                            n, n * (n - 1), PLAN_FLOWS);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (a != b)
                flow(p, a, b);
    return 0;
}

static int ring(struct pattern *p) {
    for (uint32_t a = 0; a < p->hosts->count; a++)
        flow(p, a, (a + 1) % p->hosts->count);
    return 0;
}

static int incast(struct pattern *p) {
    uint32_t to = 0;
    while (to < p->hosts->count && strcmp(p->hosts->names[to], p->argument))
        to++;
    if (to == p->hosts->count)
        return reckon_error(p->r, NULL, 0, "--pattern incast:%s: the layout has no host of that name",
                            reckon_printable(p->r, p->argument));
    p->describe = reckon_text(p->r, "incast to %s", p->argument);
    for (uint32_t a = 0; a < p->hosts->count; a++)
        if (a != to)
            flow(p, a, to);
    return 0;
}

/* The next number of splitmix64 (Steele, Lea and Flood, 2014), below `bound`. */
static uint32_t draw(uint64_t *state, uint32_t bound) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) % bound);
}

/* Every host sends to one other and receives from one: Sattolo's shuffle, which leaves none in its place. */
static int permutation(struct pattern *p) {
    double seed = reckon_number(p->argument, strlen(p->argument));
    uint32_t n = p->hosts->count;
    if (!(seed >= 0 && seed <= 9007199254740992.0 && seed == trunc(seed)))
        return reckon_error(p->r, NULL, 0, "--pattern permutation:%s: the seed is no whole number",
                            reckon_printable(p->r, p->argument));
    uint64_t state = (uint64_t)seed;
    uint32_t *to = reckon_alloc(p->r, n * sizeof *to);
    for (uint32_t a = 0; a < n; a++)
        to[a] = a;
    for (uint32_t a = n - 1; a > 0; a--) {
        uint32_t b = draw(&state, a), kept = to[a];
        to[a] = to[b];
        to[b] = kept;
    }
    p->describe = reckon_text(p->r, "permutation of seed %s", p->argument);
    for (uint32_t a = 0; a < n; a++)
        flow(p, a, to[a]);
    return 0;
}

static int file(struct pattern *p) {
    p->describe = reckon_text(p->r, "the matrix of %s", p->argument);
    return plan_matrix(p->r, p->argument, p->traffic, p->sink);
}

static const struct {
    const char *name, *argument;
    int (*make)(struct pattern *p);
} patterns[] = {{"all-to-all", NULL, all_to_all},
                {"ring", NULL, ring},
                {"incast", "HOST", incast},
                {"permutation", "SEED", permutation},
                {"file", "MATRIX", file}};

/* Every host takes part and is there, whether or not it sends. */
static void add_hosts(const struct pattern *p) {
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.kind = RECKON_SAMPLE_SEEN;
    for (uint32_t h = 0; h < p->hosts->count; h++) {
        s.host = p->hosts->names[h];
        reckon_sink_sample(p->sink, &s);
    }
}

int plan_pattern(struct reckon *r, const char *text, const struct plan_hosts *hosts,
                 struct plan_traffic *traffic, struct reckon_sink *sink, const char **describe) {
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    struct pattern p = {r,   reckon_strndup(r, text, length), colon ? colon + 1 : NULL, hosts, traffic, sink,
                        NULL};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (strcmp(patterns[i].name, p.name))
            continue;
        if (patterns[i].argument ? !p.argument || !*p.argument : p.argument != NULL)
            return reckon_error(r, NULL, 0, "--pattern %s: it is %s%s%s", reckon_printable(r, text), p.name,
                                patterns[i].argument ? ":" : "",
                                patterns[i].argument ? patterns[i].argument : "");
        if (hosts->count < 2 && patterns[i].make != file)
            return reckon_error(r, reckon_layout_path(reckon_layout(r)), 0,
                                "%s needs two hosts, the layout has one", p.name);
        p.describe = p.name;
        add_hosts(&p);
        int rc = patterns[i].make(&p);
        *describe = p.describe;
        return rc;
    }
    return reckon_error(r, NULL, 0,
                        "--pattern %s: it is all-to-all, ring, incast:HOST, permutation:SEED or file:MATRIX",
                        reckon_printable(r, text));
}
