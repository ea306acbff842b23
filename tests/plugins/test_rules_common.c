/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules share: medians of mates, of others and of a group's surroundings, of flows across and inside
 * a boundary, and the phrases. Every figure is worked by hand, or by a sort of what is left, which is another
 * way than the rules go.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../../plugins/shared/rule_common.h"
#include "../fabric.h"

void suite_rules_common(void);

struct scratch {
    struct reckon session;
    struct reckon_comparison *c;
};

static void start(struct scratch *s) {
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->session.lock, NULL);
    s->c = fabric_new(&s->session, RECKON_REQUEST_REPLY, RECKON_SHARE_LAYER);
    fabric_shape(s->c, 1434, 34);
}

static void finish(struct scratch *s) {
    fabric_free(s->c);
    arena_free(&s->session.arena);
}

static uint32_t host(struct scratch *s, const char *name, double efficiency, uint32_t rack, uint32_t pod) {
    uint32_t h = fabric_host(s->c, name, 10, BLANK, rack, pod);
    s->c->hosts[h].efficiency = efficiency;
    return h;
}

/* A flow that reaches `efficiency` percent of an expectation of 100. */
static void flow(struct scratch *s, uint32_t src, uint32_t dst, double efficiency) {
    fabric_flow(s->c, src, dst, 0, 0, BLANK, efficiency)->expected = 100;
}

/* r01: a1 90, a2 80, a3 70; r02: b1 50, and b2 20 which is explained; no rack: z 60. */
static void holds_a_host_against_its_mates(void) {
    struct scratch s;
    uint32_t group;
    start(&s);
    uint32_t r01 = fabric_group(s.c, 0, "T/r01", BLANK, BLANK),
             r02 = fabric_group(s.c, 0, "T/r02", BLANK, BLANK);
    uint32_t a1 = host(&s, "a1", 90, r01, NONE), a2 = host(&s, "a2", 80, r01, NONE);
    uint32_t a3 = host(&s, "a3", 70, r01, NONE), b1 = host(&s, "b1", 50, r02, NONE);
    uint32_t b2 = host(&s, "b2", 20, r02, NONE), z = host(&s, "z", 60, NONE, NONE);
    host(&s, "zz", BLANK, r01, NONE); /* not compared */
    s.c->hosts[b2].explained = true;
    fabric_ready(s.c);
    struct rule_field *f = rule_field(&s.session, s.c, reckon_host_efficiency);
    CU_ASSERT_EQUAL(f->count, 5);
    CU_ASSERT(f->host[0] == b1 && f->host[1] == z && f->host[2] == a3 && f->host[3] == a2 &&
              f->host[4] == a1);
    CU_ASSERT_EQUAL(rule_field_median(f), 70);                       /* 50 60 70 80 90 */
    CU_ASSERT(rule_reference(f, a1, &group) == 75 && group == r01);  /* 70 80 */
    CU_ASSERT(rule_reference(f, a2, &group) == 80 && group == r01);  /* 70 90 */
    CU_ASSERT(rule_reference(f, a3, &group) == 85 && group == r01);  /* 80 90 */
    CU_ASSERT(rule_reference(f, b1, &group) == 75 && group == NONE); /* b2 is explained: 60 70 80 90 */
    CU_ASSERT(rule_reference(f, z, &group) == 75 && group == NONE);  /* 50 70 80 90 */
    CU_ASSERT_EQUAL(rule_outside(f, r01), 55);                       /* 50 60 */
    CU_ASSERT_EQUAL(rule_outside(f, r02), 75);                       /* 60 70 80 90 */
    finish(&s);
}

/* Alone in its rack, but not in its pod: the pod's others are its mates. */
static void takes_the_innermost_group_with_mates(void) {
    struct scratch s;
    uint32_t group;
    start(&s);
    uint32_t r1 = fabric_group(s.c, 0, "P/r1", BLANK, BLANK), r2 = fabric_group(s.c, 0, "P/r2", BLANK, BLANK);
    uint32_t pod = fabric_group(s.c, 1, "P", BLANK, BLANK);
    uint32_t a = host(&s, "a", 10, r1, pod), b = host(&s, "b", 20, r2, pod), c = host(&s, "c", 30, r2, pod);
    host(&s, "d", 90, NONE, NONE);
    fabric_ready(s.c);
    struct rule_field *f = rule_field(&s.session, s.c, reckon_host_efficiency);
    CU_ASSERT(rule_reference(f, a, &group) == 25 && group == pod);
    CU_ASSERT(rule_reference(f, b, &group) == 30 && group == r2);
    CU_ASSERT(rule_reference(f, c, &group) == 20 && group == r2);
    CU_ASSERT_EQUAL(rule_outside(f, pod), 90);
    finish(&s);
}

static void knows_when_there_is_nobody_else(void) {
    struct scratch s;
    uint32_t group;
    start(&s);
    uint32_t r = fabric_group(s.c, 0, "r", BLANK, BLANK), a = host(&s, "a", 10, r, NONE);
    fabric_ready(s.c);
    struct rule_field *f = rule_field(&s.session, s.c, reckon_host_efficiency);
    CU_ASSERT(reckon_blank(rule_reference(f, a, &group)) && group == NONE);
    CU_ASSERT(reckon_blank(rule_outside(f, r)));
    s.c->hosts[a].explained = true;
    f = rule_field(&s.session, s.c, reckon_host_efficiency);
    CU_ASSERT(f->count == 0 && reckon_blank(rule_field_median(f)));
    finish(&s);
}

/* The median of the figures of the hosts that `in` chooses, by sorting them. */
static double median_by_sorting(const struct reckon_comparison *c,
                                bool (*in)(const struct host *, const void *), const void *key) {
    double v[64];
    size_t n = 0;
    for (uint32_t h = 0; h < c->nhosts; h++)
        if (in(&c->hosts[h], key))
            v[n++] = c->hosts[h].efficiency;
    return reckon_median(v, n);
}

static bool other_of_group(const struct host *h, const void *key) {
    const struct host *self = key;
    return h != self && h->group[0] == self->group[0];
}

static bool outside_of(const struct host *h, const void *key) {
    return h->group[0] != *(const uint32_t *)key;
}

/* 60 hosts with equal figures among them, in 7 racks of all sizes. */
static void agrees_with_sorting(void) {
    struct scratch s;
    char names[60][sizeof "h-2147483648"];
    uint32_t seed = 1, group;
    start(&s);
    static const char *const paths[] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6"};
    for (int g = 0; g < 7; g++)
        fabric_group(s.c, 0, paths[g], BLANK, BLANK);
    for (int i = 0; i < 60; i++) {
        snprintf(names[i], sizeof names[i], "h%02d", i);
        seed = seed * 1664525u + 1013904223u;
        host(&s, names[i], (seed >> 16) % 40, (seed >> 8) % 7, NONE);
    }
    fabric_ready(s.c);
    struct rule_field *f = rule_field(&s.session, s.c, reckon_host_efficiency);
    for (uint32_t h = 0; h < 60; h++) {
        double x = rule_reference(f, h, &group);
        CU_ASSERT(group != NONE && x == median_by_sorting(s.c, other_of_group, &s.c->hosts[h]));
    }
    for (uint32_t g = 0; g < 7; g++)
        CU_ASSERT_EQUAL(rule_outside(f, g), median_by_sorting(s.c, outside_of, &g));
    finish(&s);
}

/* r01 holds a and b, c is elsewhere, d explained. Across: a>c 10, c>b 30, c>a 80: 30. Inside: a>b 50, b>a
 * 60: 55. c>c touches no member, a>d is out. */
static struct rule_sides seen;
static uint32_t judged[4], judgements;

static bool suspect(void *user, uint32_t g) {
    (void)user;
    return g == 0;
}

static void judge(void *user, uint32_t g, const struct rule_index *touching) {
    const struct reckon_comparison *c = user;
    judged[judgements++ & 3] = touching->first[g + 1] - touching->first[g];
    seen = rule_sides(c, touching, g, reckon_flow_efficiency);
}

static void tells_across_from_inside(void) {
    struct scratch s;
    start(&s);
    uint32_t r01 = fabric_group(s.c, 0, "r01", BLANK, BLANK), r02 = fabric_group(s.c, 0, "r02", BLANK, BLANK);
    uint32_t a = host(&s, "a", 50, r01, NONE), b = host(&s, "b", 50, r01, NONE),
             c = host(&s, "c", 50, r02, NONE);
    uint32_t d = host(&s, "d", 50, NONE, NONE);
    s.c->hosts[d].explained = true;
    flow(&s, a, c, 10);
    flow(&s, c, b, 30);
    flow(&s, c, a, 80);
    flow(&s, a, b, 50);
    flow(&s, b, a, 60);
    flow(&s, c, c, 99);
    flow(&s, a, d, 1);
    fabric_flow(s.c, b, c, 0, 0, BLANK, BLANK)->expected = 100; /* not measured */
    fabric_ready(s.c);
    judgements = 0;
    rule_each_group(&s.session, s.c, suspect, judge, s.c);
    CU_ASSERT(judgements == 1 && judged[0] == 6); /* with a>d, which is compared, once each */
    CU_ASSERT(seen.crossing == 30 && seen.inside == 55);
    struct reckon_tally all = rule_tally_all(s.c, 50);
    CU_ASSERT(all.compared == 6 && all.shorts == 2); /* 10 and 30 */
    struct rule_index touching = rule_index_hosts(s.c);
    CU_ASSERT_EQUAL(touching.first[c + 1] - touching.first[c], 4); /* a>c c>b c>a c>c, the last once */
    rule_index_free(&touching);
    CU_ASSERT_STRING_EQUAL(rule_sides_text(&s.session, seen, false),
                           "flows crossing its boundary are at 30%, flows inside it are at 55%");
    seen.crossing = BLANK;
    CU_ASSERT_STRING_EQUAL(rule_sides_text(&s.session, seen, true), "flows inside it moved by +55 points");
    finish(&s);
}

/* Requests of 12000 bits: 833333 a second are one uplink of 10 Gb/s. */
static void knows_flows_wider_than_an_uplink(void) {
    struct scratch s;
    start(&s);
    uint32_t r01 = fabric_group(s.c, 0, "r01", 4, 10), r02 = fabric_group(s.c, 0, "r02", BLANK, BLANK);
    uint32_t a = host(&s, "a", 50, r01, NONE), b = host(&s, "b", 50, r02, NONE),
             c = host(&s, "c", 50, r01, NONE);
    fabric_flow(s.c, a, b, 0, 0, BLANK, 1)->expected = 833334;
    fabric_flow(s.c, a, c, 0, 0, BLANK, 1)->expected = 2e6; /* stays in its rack */
    fabric_flow(s.c, b, a, 0, 0, BLANK, 1)->expected = 10e9 / 12000;
    fabric_flow(s.c, b, c, 0, 0, BLANK, 1)->expected = 833334; /* into r01 */
    fabric_ready(s.c);
    CU_ASSERT_EQUAL(reckon_flow_over_uplink(s.c, 0), r01);
    CU_ASSERT_EQUAL(reckon_flow_over_uplink(s.c, 1), NONE);
    CU_ASSERT_EQUAL(reckon_flow_over_uplink(s.c, 2), NONE);
    CU_ASSERT_EQUAL(reckon_flow_over_uplink(s.c, 3), r01);
    finish(&s);
}

static void names_six_and_counts_the_rest(void) {
    struct scratch s;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    uint32_t all[8];
    start(&s);
    for (uint32_t i = 0; i < 8; i++)
        all[i] = host(&s, names[i], 1, NONE, NONE);
    fabric_ready(s.c);
    CU_ASSERT_STRING_EQUAL(rule_names(&s.session, s.c, all, 1), "a");
    CU_ASSERT_STRING_EQUAL(rule_names(&s.session, s.c, all, 6), "a, b, c, d, e, f");
    CU_ASSERT_STRING_EQUAL(rule_names(&s.session, s.c, all, 8), "a, b, c, d, e, f and 2 more");
    CU_ASSERT_STRING_EQUAL(rule_others(&s.session, s.c, NONE), "the other hosts");
    finish(&s);
}

/* A name goes into a command line that people paste. */
static void lets_no_shell_take_a_name_apart(void) {
    CU_ASSERT_STRING_EQUAL(rule_word("wr01r03u05.example.com"), "wr01r03u05.example.com");
    CU_ASSERT_STRING_EQUAL(rule_word("b2;reboot"), "HOST");
    CU_ASSERT_STRING_EQUAL(rule_word("$(reboot)"), "HOST");
    CU_ASSERT_STRING_EQUAL(rule_word("-oProxyCommand=x"), "HOST");
    CU_ASSERT_STRING_EQUAL(rule_word(""), "HOST");
}

void suite_rules_common(void) {
    CU_pSuite s = CU_add_suite("what rules share", NULL, NULL);
    CU_add_test(s, "a host against its mates", holds_a_host_against_its_mates);
    CU_add_test(s, "the innermost group with mates", takes_the_innermost_group_with_mates);
    CU_add_test(s, "nobody else", knows_when_there_is_nobody_else);
    CU_add_test(s, "medians as by sorting", agrees_with_sorting);
    CU_add_test(s, "across and inside", tells_across_from_inside);
    CU_add_test(s, "wider than one uplink", knows_flows_wider_than_an_uplink);
    CU_add_test(s, "six names", names_six_and_counts_the_rest);
    CU_add_test(s, "names in commands", lets_no_shell_take_a_name_apart);
}
