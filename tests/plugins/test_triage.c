/* SPDX-License-Identifier: Apache-2.0
 *
 * Each kind of fault on the toy fabric (tests/triage_toy.h) with its impact; and charging, several faults at
 * once, ties, busy hosts over several periods.
 *
 * Counts per period, by hand: 200 ToR-mesh probes to every RNIC and 200 from it; 20 probes on each of 48
 * inter-ToR tuples, of which 2 × 2 × 2 = 8 go over a given cable between a ToR and a switch (two tuples an
 * ordered pair, two pairs each way); 4 start and 4 end at a given RNIC; 100 probes on each of the job's two.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "../triage_toy.h"

void suite_triage(void);

static struct toy toy;

static const struct reckon_triage_problem *problem(enum reckon_trouble kind, const char *name) {
    return toy_problem(&toy, kind, name);
}

/* Period 0 is quiet, period 1 has the fault, period 2 is quiet; the job's metric is 100, and `during` in
 * period 1. */
static void run(bool (*lost)(const struct toy_probe *p), double during) {
    toy_job(&toy);
    toy.service = true;
    for (int period = 0; period < 3; period++) {
        toy.lost = period == 1 ? lost : NULL;
        toy_metric(&toy, period, period == 1 ? during : 100);
        toy_period(&toy, period);
    }
    toy_judge(&toy);
}

static double begins(int period) {
    return TOY_BEGIN + period * TOY_PERIOD;
}

/* ---- one fault at a time ---- */

static void nothing(void) {
    toy_start(&toy);
    run(NULL, 100);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 0);
    CU_ASSERT_EQUAL(toy.subject.nperiods, 3);
    CU_ASSERT_EQUAL(toy.subject.probes, 3 * (12 * 200 + 48 * 20 + 2 * 100));
    CU_ASSERT_EQUAL(toy.subject.timeouts, 0);
    CU_ASSERT_DOUBLE_EQUAL(toy.subject.periods[1]->cluster.network.p99, 20, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(toy.subject.periods[1]->cluster.responder.p50, 10, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(toy.subject.periods[1]->cluster.prober.p999, 5, 1e-9);
    CU_ASSERT_EQUAL(toy.subject.periods[1]->job.network.count, 200);
    toy_end(&toy);
}

static bool to_h2(const struct toy_probe *p) {
    return toy_host(p->target) == 2;
}

/* 200 ToR-mesh probes less those of H2's own RNICs to each other, 400 - 2 × 67 or 66, and 8 inter-ToR tuples
 * end there. */
static void host_down(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.lost = to_h2;
    toy.skipped = 2;
    toy_period(&toy, 1);
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_HOST_DOWN, "H2");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_NONE);
    CU_ASSERT_EQUAL(p->start, begins(1));
    CU_ASSERT_EQUAL(p->timeouts, toy.subject.timeouts);
    CU_ASSERT_TRUE(p->ongoing);
    CU_ASSERT_EQUAL(toy.subject.periods[1]->cluster.switch_pct, 0);
    toy_end(&toy);
}

static bool to_h2_late(const struct toy_probe *p) {
    return to_h2(p) && p->at >= 12;
}
static bool to_h2_early(const struct toy_probe *p) {
    return to_h2(p) && p->at < 8;
}

/* H2 dies 12 s into period 1 and is back 8 s into period 3: 400 ToR-mesh probes to it, of which those that
 * H2's own RNICs do not send, 8 of 20 and 8 of 20 s of them, are lost in these two. Its RNICs are not named.
 */
static void host_down_between(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.lost = to_h2_late;
    toy_period_uploads(&toy, 1, 2, 0, 12);
    toy.lost = to_h2;
    toy.skipped = 2;
    toy_period(&toy, 2);
    toy.skipped = 0;
    toy.lost = to_h2_early;
    toy_period_uploads(&toy, 3, 2, 8, 20);
    toy.lost = NULL;
    toy_period(&toy, 4);
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_HOST_DOWN, "H2");
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->start, begins(1));
    CU_ASSERT_EQUAL(p->periods, 3);
    CU_ASSERT_EQUAL(p->timeouts, toy.subject.timeouts);
    toy_end(&toy);
}

static bool to_a3(const struct toy_probe *p) {
    return p->target == 2;
}

static void stale_qpn(void) {
    toy_start(&toy);
    toy.a.records.agent(&toy.a.records, begins(1), "H2", "0", 555, "register"); /* probes go on with 102 */
    run(to_a3, 100);
    const struct reckon_triage_problem *p = problem(RECKON_STALE_QPN, "H2/0");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_EQUAL(p->timeouts, 200 + 4 * 20);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_NONE);
    toy_end(&toy);
}

static bool at_a3(const struct toy_probe *p) {
    return p->prober == 2 || p->target == 2;
}

/* Its neighbours lose a third of the probes to them as well, and are not named. */
static void dead_rnic(void) {
    toy_start(&toy);
    run(at_a3, 60);
    const struct reckon_triage_problem *p = problem(RECKON_RNIC_PROBLEM, "H2/0");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_DOUBLE_EQUAL(p->loss, 100, 1e-9);
    CU_ASSERT_EQUAL(p->timeouts, 200 + 200 + 8 * 20);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_P2); /* the job is on H1 and H3 */
    CU_ASSERT_EQUAL(p->periods, 1);
    CU_ASSERT_FALSE(p->ongoing);
    toy_end(&toy);
}

static bool at_a2(const struct toy_probe *p) {
    return p->prober == 1 || p->target == 1;
}

static void dead_rnic_of_the_job(void) {
    const struct {
        double metric;
        enum reckon_impact impact;
    } cases[] = {
        {60, RECKON_IMPACT_P0}, {89, RECKON_IMPACT_P0}, {90, RECKON_IMPACT_P1}, {95, RECKON_IMPACT_P1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toy_start(&toy);
        run(at_a2, cases[i].metric);
        const struct reckon_triage_problem *p = problem(RECKON_RNIC_PROBLEM, "H1/1");
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_EQUAL(p->impact, cases[i].impact);
        CU_ASSERT_EQUAL(p->metric_before, 100);
        CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
        toy_end(&toy);
    }
}

static bool over_a_s3(const struct toy_probe *p) {
    return toy_over(p, 'A', 3);
}

/* Eight inter-ToR tuples and the job's flow: 8 × 20 + 100 votes; B-S3 gets 4 × 20 + 100, C-S3 4 × 20. */
static void dead_cable(void) {
    toy_start(&toy);
    run(over_a_s3, 60);
    const struct reckon_triage_problem *p = problem(RECKON_SWITCH_PROBLEM, "A-S3");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_EQUAL(p->votes, 260);
    CU_ASSERT_EQUAL(p->probes, 260);
    CU_ASSERT_DOUBLE_EQUAL(p->loss, 100, 1e-9);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_P0);
    CU_ASSERT_PTR_NULL(p->tied);
    CU_ASSERT_DOUBLE_EQUAL(toy.subject.periods[1]->cluster.switch_pct, 100 * 260.0 / 3560, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(toy.subject.periods[1]->job.switch_pct, 50, 1e-9);
    CU_ASSERT_FALSE(toy.subject.periods[1]->innocent);
    toy_end(&toy);
}

/* How many of the tuples with a failing probe have the cable on their way. */
static unsigned failing_paths(const char *cable) {
    static bool seen[4096];
    uint32_t cables[2 * LONGEST_ROUTE];
    const struct tally *t = toy.a.pending;
    unsigned n = 0;
    memset(seen, 0, sizeof seen);
    CU_ASSERT_FATAL(toy.a.routes.count < sizeof seen);
    for (size_t i = 0; i < t->ntimeouts; i++) {
        uint32_t route = t->timeouts[i].route;
        uint32_t count = seen[route] ? 0 : routes_cables(&toy.a.routes, route, cables);
        seen[route] = true;
        for (uint32_t k = 0; k < count; k++)
            n += !strcmp(toy.a.cables.at[cables[k]].name, cable);
    }
    return n;
}

/* Two tuples a switch and ordered pair of ToRs: a dead A-S3 fails 8 paths, and of these B-S3 and C-S3 are on
 * 4 each. */
static void paths_of_a_dead_cable(void) {
    toy_start(&toy);
    toy.lost = over_a_s3;
    toy_period(&toy, 0);
    CU_ASSERT_TRUE(judge_next(&toy.a));
    CU_ASSERT_EQUAL(failing_paths("A-S3"), 8);
    CU_ASSERT_EQUAL(failing_paths("B-S3"), 4);
    CU_ASSERT_EQUAL(failing_paths("C-S3"), 4);
    CU_ASSERT_EQUAL(failing_paths("A-S1"), 0);
    toy_judge(&toy);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    toy_end(&toy);
}

static bool over_c_s2(const struct toy_probe *p) {
    return toy_over(p, 'C', 2);
}

/* Off the job's paths, so the slow job is not the network's doing. */
static void dead_cable_off_the_job(void) {
    toy_start(&toy);
    run(over_c_s2, 60);
    const struct reckon_triage_problem *p = problem(RECKON_SWITCH_PROBLEM, "C-S2");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->votes, 160);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_P2);
    CU_ASSERT_EQUAL(toy.subject.slow_periods, 1);
    CU_ASSERT_EQUAL(toy.subject.innocent_periods, 1);
    CU_ASSERT_TRUE(toy.subject.periods[1]->innocent);
    toy_end(&toy);
}

/* The same, but the job's only tuple was never traced (and then one of two was not): nobody can tell that
 * C-S2 is off its paths. */
static void innocent_of_unknown_paths(void) {
    for (uint32_t traced = 0; traced < 2; traced++) {
        toy_start(&toy);
        if (traced)
            toy_job(&toy);
        toy.a.records.job(&toy.a.records, "H1/0:9>H3/0:9");
        for (int period = 0; period < 3; period++) {
            toy.lost = period == 1 ? over_c_s2 : NULL;
            toy_metric(&toy, period, period == 1 ? 60 : 100);
            toy_period(&toy, period);
        }
        toy_judge(&toy);
        job_say(&toy.a);
        CU_ASSERT_EQUAL(toy.subject.slow_periods, 1);
        CU_ASSERT_EQUAL(toy.subject.innocent_periods, traced);
        CU_ASSERT_EQUAL(toy.subject.periods[1]->innocent, traced);
        CU_ASSERT_TRUE(toy.subject.has_job);
        CU_ASSERT_EQUAL(toy.subject.job_placed, traced);
        CU_ASSERT_EQUAL(toy.subject.job_tuples, traced ? 3 : 1);
        CU_ASSERT_EQUAL(toy.subject.job_untraced, 1);
        CU_ASSERT_STRING_EQUAL(reckon_note_at(toy.a.r, 0),
                               traced
                                   ? "no path of 1 of the job's 3 tuples was traced, so a problem on it may "
                                     "be taken for one off the job"
                                   : "no path of 1 of the job's 1 tuple was traced, so a problem on it may "
                                     "be taken for one off the job");
        toy_end(&toy);
    }
}

/* H1's CPU is busy: of the probes to it two in five are lost, the other answers take 30 times as long. */
static bool late_h1(const struct toy_probe *p) {
    return toy_host(p->target) == 1 && p->number % 5 < 2;
}

static double slow_h1(const struct toy_probe *p) {
    return toy_host(p->target) == 1 ? 300000 : 10000;
}

/* The job's metric falls meanwhile. */
static void run_busy(bool check, int periods) {
    toy_start(&toy);
    toy_job(&toy);
    toy.a.set.busy_check = check;
    for (int period = 0; period < periods + 2; period++) {
        bool busy = period > 0 && period <= periods;
        toy.lost = busy ? late_h1 : NULL;
        toy.responder_ns = busy ? slow_h1 : NULL;
        toy_metric(&toy, period, busy ? 60 : 100);
        toy_period(&toy, period);
    }
    toy_judge(&toy);
}

/* The paper's first version: a false RNIC report, and of the worst class, since the job is on H1. */
static void busy_unchecked(void) {
    run_busy(false, 1);
    const struct reckon_triage_problem *p = problem(RECKON_RNIC_PROBLEM, "H1/0"),
                                       *q = problem(RECKON_RNIC_PROBLEM, "H1/1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_P0);
    CU_ASSERT_EQUAL(q->impact, RECKON_IMPACT_P0);
    CU_ASSERT_EQUAL(toy.subject.innocent_periods, 0);
    CU_ASSERT_PTR_NULL(problem(RECKON_HOST_BUSY, "H1"));
    toy_end(&toy);
}

static void busy_checked(void) {
    run_busy(true, 1);
    const struct reckon_triage_problem *p = problem(RECKON_HOST_BUSY, "H1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_EQUAL(p->timeouts, toy.subject.timeouts);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_NONE);
    CU_ASSERT_FALSE(p->provisional);
    CU_ASSERT_TRUE(toy.subject.periods[1]->innocent); /* slow, and not by the network */
    toy_end(&toy);
}

/* ---- more about busy hosts ---- */

/* What is still there in the next period is no passing business: the first period is judged again. */
static void busy_too_long(void) {
    run_busy(true, 2);
    const struct reckon_triage_problem *p = problem(RECKON_RNIC_PROBLEM, "H1/0"),
                                       *q = problem(RECKON_HOST_BUSY, "H1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->start, begins(1));
    CU_ASSERT_EQUAL(p->periods, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q); /* its second period was the last */
    CU_ASSERT_EQUAL(q->start, begins(2));
    toy_end(&toy);
}

/* The records end before the next period: it stays provisional. */
static void busy_at_the_end(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.lost = late_h1;
    toy.responder_ns = slow_h1;
    toy_period(&toy, 1);
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_HOST_BUSY, "H1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_TRUE(p->provisional);
    toy_end(&toy);
}

/* Both RNICs of H1 lose probes together, but its answers come in time: not a busy host. */
static void prompt_is_not_busy(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.lost = late_h1;
    toy_period(&toy, 1);
    toy.lost = NULL;
    toy_period(&toy, 2);
    toy_judge(&toy);
    CU_ASSERT_PTR_NULL(problem(RECKON_HOST_BUSY, "H1"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_RNIC_PROBLEM, "H1/0"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_RNIC_PROBLEM, "H1/1"));
    toy_end(&toy);
}

/* From 15 s into period 1 to 5 s into period 2: shorter than a period, wherever the boundary falls. */
static bool late_end(const struct toy_probe *p) {
    return late_h1(p) && p->at >= 15;
}
static bool late_begin(const struct toy_probe *p) {
    return late_h1(p) && p->at < 5;
}

static void busy_over_the_boundary(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.responder_ns = slow_h1;
    toy.lost = late_end;
    toy_period(&toy, 1);
    toy.lost = late_begin;
    toy_period(&toy, 2);
    toy.responder_ns = NULL;
    toy.lost = NULL;
    toy_period(&toy, 3);
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_HOST_BUSY, "H1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->periods, 2);
    CU_ASSERT_PTR_NULL(problem(RECKON_RNIC_PROBLEM, "H1/0"));
    CU_ASSERT_PTR_NULL(problem(RECKON_SWITCH_PROBLEM, "H1/0-A"));
    toy_end(&toy);
}

/* H2/0 is dead, so its own probes to both RNICs of H1 are lost, while H1 happens to answer late: that is no
 * busy host. */
static void bad_prober_is_not_busy(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.lost = at_a3;
    toy.responder_ns = slow_h1;
    toy_period(&toy, 1);
    toy.lost = NULL;
    toy.responder_ns = NULL;
    toy_period(&toy, 2);
    toy_judge(&toy);
    CU_ASSERT_PTR_NULL(problem(RECKON_HOST_BUSY, "H1"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_RNIC_PROBLEM, "H2/0"));
    toy_end(&toy);
}

static bool late_h1_or_a_s3(const struct toy_probe *p) {
    return late_h1(p) || over_a_s3(p);
}

/* A dead cable goes on losing probes to H1 in the next period; above the ToR, so H1 was busy all the same. */
static void busy_beside_a_cable(void) {
    toy_start(&toy);
    for (int period = 0; period < 4; period++) {
        toy.lost = period == 1 ? late_h1_or_a_s3 : period == 2 ? over_a_s3 : NULL;
        toy.responder_ns = period == 1 ? slow_h1 : NULL;
        toy_period(&toy, period);
    }
    toy_judge(&toy);
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_HOST_BUSY, "H1"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_SWITCH_PROBLEM, "A-S3"));
    CU_ASSERT_EQUAL(toy.subject.nproblems, 2);
    toy_end(&toy);
}

/* ---- RNICs ---- */

/* One probe in 25 of RNIC H2/0: below the limit, so the vote has it, at its port. */
static bool flapping_a3(const struct toy_probe *p) {
    return at_a3(p) && p->number % 25 == 3;
}

static void below_the_limit(void) {
    toy_start(&toy);
    run(flapping_a3, 100);
    CU_ASSERT_PTR_NULL(problem(RECKON_RNIC_PROBLEM, "H2/0"));
    const struct reckon_triage_problem *p = problem(RECKON_SWITCH_PROBLEM, "H2/0-A");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->impact, RECKON_IMPACT_P2);
    toy_end(&toy);
}

/* Dead in period 1; what it loses in the minute from there is charged to it, what it loses later votes. */
static void charged_for_a_minute(void) {
    toy_start(&toy);
    for (int period = 0; period < 6; period++) {
        toy.lost = period == 1 ? at_a3 : period > 1 ? flapping_a3 : NULL;
        toy_period(&toy, period);
    }
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_RNIC_PROBLEM, "H2/0"),
                                       *q = problem(RECKON_SWITCH_PROBLEM, "H2/0-A");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->periods, 3); /* from 20 to 80 s */
    CU_ASSERT_EQUAL(p->end, begins(4));
    CU_ASSERT_PTR_NOT_NULL_FATAL(q);
    CU_ASSERT_EQUAL(q->start, begins(4));
    toy_end(&toy);
}

static bool at_a3_and_a_s3(const struct toy_probe *p) {
    return at_a3(p) || over_a_s3(p);
}

static void rnic_and_cable(void) {
    toy_start(&toy);
    run(at_a3_and_a_s3, 100);
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_RNIC_PROBLEM, "H2/0"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_SWITCH_PROBLEM, "A-S3"));
    CU_ASSERT_EQUAL(toy.subject.nproblems, 2);
    toy_end(&toy);
}

static bool at_a1_and_a3(const struct toy_probe *p) {
    return at_a3(p) || p->prober == 0 || p->target == 0;
}

static void two_rnics(void) {
    toy_start(&toy);
    run(at_a1_and_a3, 100);
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_RNIC_PROBLEM, "H2/0"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_RNIC_PROBLEM, "H1/0"));
    CU_ASSERT_EQUAL(toy.subject.nproblems, 2);
    toy_end(&toy);
}

/* ---- ties, by hand: two RNICs under one ToR, who have only each other to probe ---- */

static const char pair_layout[] = "rack A\n node A role=tor\n node H role=server rnics=2\n";

struct charged {
    char names[64];
};

static void note_charged(void *user, uint32_t rnic, uint64_t bad, uint64_t of, uint64_t charged, bool job) {
    struct charged *c = user;
    (void)bad, (void)of, (void)charged, (void)job;
    strcat(c->names, rnic ? "1" : "0");
}

/* `to0` and `to1` of 200 probes each way are lost, and `inter0`, `inter1` of 100 inter-ToR probes with them
 * as an end. */
static struct charged charge(uint32_t to0, uint32_t to1, uint32_t inter0, uint32_t inter1) {
    static struct event events[600];
    struct charged result = {""};
    struct scratch scratch;
    struct topology topo;
    size_t n = 0;
    memset(events, 0, sizeof events);
    CU_ASSERT_EQUAL_FATAL((scratch_start(&scratch), scratch_layout(&scratch, pair_layout)), 0);
    CU_ASSERT_EQUAL_FATAL(topology_build(&scratch.session, &topo), 0);
    for (uint32_t i = 0; i < to0; i++)
        events[n++] = (struct event){.prober = 1, .target = 0, .list = TOR_MESH};
    for (uint32_t i = 0; i < to1; i++)
        events[n++] = (struct event){.prober = 0, .target = 1, .list = TOR_MESH};
    for (uint32_t i = 0; i < inter0 + inter1; i++) /* the other end is left out: it is under another ToR */
        events[n++] = (struct event){.prober = i >= inter0, .target = i >= inter0, .list = INTER_TOR};
    charge_rnics(&(struct charge){.topo = &topo,
                                  .events = events,
                                  .nevents = n,
                                  .cause = CAUSE_RNIC,
                                  .mesh_to = (const uint32_t[]){200, 200},
                                  .inter_at = (const uint32_t[]){100, 100},
                                  .limit = 10,
                                  .report = note_charged,
                                  .user = &result});
    topology_free(&topo);
    scratch_end(&scratch);
    return result;
}

static void ties(void) {
    CU_ASSERT_STRING_EQUAL(charge(200, 200, 50, 0).names, "0"); /* the one whose inter-ToR probes fail too */
    CU_ASSERT_STRING_EQUAL(charge(200, 200, 0, 50).names, "1");
    CU_ASSERT_STRING_EQUAL(charge(200, 200, 0, 0).names, "01"); /* nothing tells: both */
    CU_ASSERT_STRING_EQUAL(charge(200, 200, 50, 50).names, "01");
    CU_ASSERT_STRING_EQUAL(charge(100, 94, 0, 20).names,
                           "1"); /* 50% and 47% of 200 are alike: standard error 5% */
    CU_ASSERT_STRING_EQUAL(charge(100, 94, 0, 0).names, "0");  /* and then the higher one */
    CU_ASSERT_STRING_EQUAL(charge(120, 60, 0, 20).names, "0"); /* 60% and 30% are not alike */
}

/* "More than": 20 of 200 are not, 21 are; and once the first is charged, its own probes are gone. */
static void limit(void) {
    CU_ASSERT_STRING_EQUAL(charge(20, 0, 0, 0).names, "");
    CU_ASSERT_STRING_EQUAL(charge(21, 0, 0, 0).names, "0");
    CU_ASSERT_STRING_EQUAL(charge(100, 21, 0, 0).names, "0");
}

/* ---- cables ---- */

static bool over_a_s3_or_b_s1(const struct toy_probe *p) {
    return toy_over(p, 'A', 3) || toy_over(p, 'B', 1);
}

/* The first vote takes its 160 (and 100 of the job's) away; the other's 160 (and 100) are left. */
static void two_cables(void) {
    toy_start(&toy);
    run(over_a_s3_or_b_s1, 100);
    const struct reckon_triage_problem *p = problem(RECKON_SWITCH_PROBLEM, "A-S3"),
                                       *q = problem(RECKON_SWITCH_PROBLEM, "B-S1");
    CU_ASSERT_EQUAL(toy.subject.nproblems, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q);
    CU_ASSERT_EQUAL(p->votes, 260);
    CU_ASSERT_EQUAL(q->votes, 260);
    CU_ASSERT_PTR_NULL(p->tied); /* as many votes, but no probe in common */
    toy_end(&toy);
}

/* The paper's single vote sees one of them. */
static void two_cables_one_vote(void) {
    toy_start(&toy);
    toy.a.set.max_suspects = 1;
    run(over_a_s3_or_b_s1, 100);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    toy_end(&toy);
}

/* All of S3's cables: 8 tuples each, every one of them failing: nothing tells them apart. (No service probes
 * here.) */
static bool over_s3(const struct toy_probe *p) {
    return p->spine == 3;
}

static void dead_switch(void) {
    toy_start(&toy);
    toy.lost = over_s3;
    toy_period(&toy, 0);
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_SWITCH_PROBLEM, "A-S3");
    CU_ASSERT_EQUAL(toy.subject.nproblems, 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->votes, 160);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->tied);
    CU_ASSERT(!strcmp(p->tied, "B-S3, C-S3") || !strcmp(p->tied, "C-S3, B-S3"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_SWITCH_PROBLEM, "B-S3"));
    CU_ASSERT_PTR_NOT_NULL(problem(RECKON_SWITCH_PROBLEM, "C-S3"));
    toy_end(&toy);
}

/* One lost probe of one tuple and another of another name nobody. */
static bool strays(const struct toy_probe *p) {
    return p->list == INTER_TOR && p->number == 7 && p->spine == 2 && p->prober < 4 && p->target < 8;
}

static void too_few_votes(void) {
    toy_start(&toy);
    run(strays, 100);
    CU_ASSERT_EQUAL(toy.subject.timeouts, 2);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 0);
    toy_end(&toy);
}

/* A path nobody traced cannot vote, and is counted. */
static void untraced(void) {
    toy_start(&toy);
    struct reckon_probe x = {.size = sizeof x,
                             .list = "inter-tor",
                             .prober = "H1/0",
                             .target = "H3/0",
                             .tuple = "x:1>y:2",
                             .qpn = toy.qpn[4],
                             .status = "timeout",
                             .app_rtt_ns = RECKON_BLANK,
                             .nic_rtt_ns = RECKON_BLANK,
                             .responder_ns = RECKON_BLANK};
    toy_period(&toy, 0);
    for (int i = 0; i < 5; i++) {
        x.ts = begins(0) + i;
        toy.a.records.probe(&toy.a.records, &x);
    }
    toy_judge(&toy);
    CU_ASSERT_EQUAL(toy.subject.untraced, 5);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 0);
    toy_end(&toy);
}

/* ---- periods ---- */

/* Three periods in a row are one problem, a fourth after a gap is another. */
static void one_problem(void) {
    toy_start(&toy);
    for (int period = 0; period < 6; period++) {
        toy.lost = (period > 0 && period < 4) || period == 5 ? over_c_s2 : NULL;
        toy_period(&toy, period);
    }
    toy_judge(&toy);
    CU_ASSERT_EQUAL_FATAL(toy.subject.nproblems, 2);
    CU_ASSERT_EQUAL(toy.subject.problems[0]->start, begins(1));
    CU_ASSERT_EQUAL(toy.subject.problems[0]->end, begins(4));
    CU_ASSERT_EQUAL(toy.subject.problems[0]->periods, 3);
    CU_ASSERT_EQUAL(toy.subject.problems[1]->start, begins(5));
    CU_ASSERT_TRUE(toy.subject.problems[1]->ongoing);
    toy_end(&toy);
}

/* A period without any record tells nothing, so what is there before and after it are two problems. */
static void a_gap(void) {
    toy_start(&toy);
    toy.lost = over_c_s2;
    toy_period(&toy, 0);
    toy_period(&toy, 2);
    toy_judge(&toy);
    CU_ASSERT_EQUAL(toy.subject.nperiods, 2);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 2);
    toy_end(&toy);
}

/* ---- times ---- */

static double slow_a3(const struct toy_probe *p) {
    return at_a3(p) ? 900000 : 20000;
}
static double slow_c_s2(const struct toy_probe *p) {
    return over_c_s2(p) && p->number % 4 == 0 ? 900000 : 20000;
}
static double slow_h4(const struct toy_probe *p) {
    return toy_host(p->target) == 4 && p->number % 10 == 0 ? 150000 : 10000;
}

static void times(void) {
    toy_start(&toy);
    toy.network_ns = slow_a3;
    toy_period(&toy, 0);
    toy.network_ns = slow_c_s2;
    toy_period(&toy, 1);
    toy.network_ns = NULL;
    toy.responder_ns = slow_h4;
    toy_period(&toy, 2);
    toy_judge(&toy);
    const struct reckon_triage_problem *p = problem(RECKON_RTT_HIGH, "H2/0"),
                                       *q = problem(RECKON_RTT_HIGH, "C-S2"),
                                       *h = problem(RECKON_HOST_SLOW, "H4");
    CU_ASSERT_EQUAL(toy.subject.nproblems, 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q);
    CU_ASSERT_PTR_NOT_NULL_FATAL(h);
    CU_ASSERT_DOUBLE_EQUAL(p->p99, 900, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p->limit, 200, 1e-9); /* ten times the 20 us of the others */
    CU_ASSERT_DOUBLE_EQUAL(q->p99, 900, 1e-9);
    CU_ASSERT_EQUAL(q->votes, 8 * 5);
    CU_ASSERT_DOUBLE_EQUAL(h->p99, 150, 1e-9);
    CU_ASSERT_STRING_EQUAL(h->measure, "responder delay");
    toy_end(&toy);
}

void suite_triage(void) {
    CU_pSuite s = CU_add_suite("triage", NULL, NULL);
    CU_add_test(s, "a quiet fabric", nothing);
    CU_add_test(s, "host down", host_down);
    CU_add_test(s, "host down between periods", host_down_between);
    CU_add_test(s, "stale QPN", stale_qpn);
    CU_add_test(s, "dead RNIC off the job", dead_rnic);
    CU_add_test(s, "dead RNIC of the job", dead_rnic_of_the_job);
    CU_add_test(s, "dead cable", dead_cable);
    CU_add_test(s, "paths of a dead cable", paths_of_a_dead_cable);
    CU_add_test(s, "dead cable off the job, network innocent", dead_cable_off_the_job);
    CU_add_test(s, "nobody is innocent on unknown paths", innocent_of_unknown_paths);
    CU_add_test(s, "busy host, check off", busy_unchecked);
    CU_add_test(s, "busy host, check on", busy_checked);
    CU_add_test(s, "busy for too long", busy_too_long);
    CU_add_test(s, "busy at the end", busy_at_the_end);
    CU_add_test(s, "prompt answers are not busy", prompt_is_not_busy);
    CU_add_test(s, "busy over a boundary", busy_over_the_boundary);
    CU_add_test(s, "a bad prober", bad_prober_is_not_busy);
    CU_add_test(s, "busy beside a dead cable", busy_beside_a_cable);
    CU_add_test(s, "an RNIC below the limit", below_the_limit);
    CU_add_test(s, "charged for a minute", charged_for_a_minute);
    CU_add_test(s, "RNIC and cable", rnic_and_cable);
    CU_add_test(s, "two RNICs", two_rnics);
    CU_add_test(s, "ties of RNICs", ties);
    CU_add_test(s, "the limit of an RNIC", limit);
    CU_add_test(s, "two cables", two_cables);
    CU_add_test(s, "two cables, one vote", two_cables_one_vote);
    CU_add_test(s, "dead switch", dead_switch);
    CU_add_test(s, "too few votes", too_few_votes);
    CU_add_test(s, "untraced", untraced);
    CU_add_test(s, "consecutive periods", one_problem);
    CU_add_test(s, "a gap in the records", a_gap);
    CU_add_test(s, "times", times);
}
