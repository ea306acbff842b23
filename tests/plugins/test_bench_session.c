/* SPDX-License-Identifier: Apache-2.0
 *
 * A node under a console's command: the order of commands, what it refuses, a whole test on one node with
 * itself.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../core/modules.h"
#include "../../plugins/verbs/node/session.h"

void suite_bench_session(void);

extern const struct reckon_module transport_udp_LTX_reckon_plugin;

#define MS UINT64_C(1000000)

/* ---- a node, with one transport ---- */

struct post {
    struct reckon r;
    struct modules modules;
    struct module module;
    struct session session;
    struct bytes answer;
    struct address at;
    struct plan_pair pairs[2];
};

static struct post *new_post(void) {
    struct post *p = calloc(1, sizeof *p);
    p->module = (struct module){.state = MODULE_LOADED,
                                .kind = RECKON_KIND_transport,
                                .plugin = transport_udp_LTX_reckon_plugin.plugin};
    p->modules = (struct modules){.at = &p->module, .count = 1};
    p->r.modules = &p->modules;
    p->session.r = &p->r;
    p->session.limits = (struct limits){.size = 1 << 20, .flows = 4, .memory = 64 << 20, .time = 60000 * MS};
    p->at = (struct address){.v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
                             .length = sizeof p->at.v4};
    return p;
}

static void free_post(struct post *p) {
    session_end(&p->session);
    free(p->answer.at);
    free(p);
}

/* Gives a command: true when it was not refused. The answer's fields are left in *fields. */
static bool command(struct post *p, enum command c, const struct bytes *text, struct reader *fields) {
    struct bytes message = {0};
    put_number(&message, c, 1);
    if (text)
        put_raw(&message, text->at, text->count);
    struct reader r = {.at = message.at, .left = message.count};
    session_command(&p->session, &r, &p->at, &p->answer);
    free(message.at);
    struct reader answer = {.at = p->answer.at, .left = p->answer.count};
    uint64_t byte = get_number(&answer, 1);
    if (fields)
        *fields = answer;
    CU_ASSERT(byte == (uint64_t)(c | COMMAND_ANSWER) || byte == COMMAND_REFUSED);
    return byte != COMMAND_REFUSED;
}

/* The node with itself: pair 0 is the client of pair 1. */
static struct plan own_plan(struct post *p) {
    struct plan plan = {
        .drill = DRILL_PING, .transport = "udp", .size = 64, .reply = 64, .concurrency = 4, .workers = 1};
    plan.timeout = 500 * MS;
    plan.count = 100;
    plan.npairs = 2;
    plan.pairs = p->pairs;
    p->pairs[0] = (struct plan_pair){.client = true, .there = 1};
    p->pairs[1] = (struct plan_pair){.there = 0};
    return plan;
}

static bool init(struct post *p, const struct plan *plan, struct reader *fields) {
    struct bytes text = {0};
    put_plan(&text, plan);
    bool taken = command(p, COMMAND_INIT, &text, fields);
    free(text.at);
    return taken;
}

static bool start(struct post *p, uint64_t lead, const struct address *peer, size_t peers) {
    struct bytes text = {0};
    put_number(&text, lead, 8);
    for (size_t i = 0; i < peers; i++)
        put_address(&text, peer);
    bool taken = command(p, COMMAND_START, &text, NULL);
    free(text.at);
    return taken;
}

static bool status(struct post *p, struct report *report) {
    struct reader fields;
    struct bytes text = {0};
    put_number(&text, 0, 1);
    bool taken = command(p, COMMAND_STATUS, &text, &fields);
    free(text.at);
    return taken && get_report(&fields, report, 2);
}

/* ---- tests ---- */

static void whole_test(void) {
    struct post *p = new_post();
    struct plan plan = own_plan(p);
    struct report *r = calloc(1, sizeof *r);
    struct reader fields;
    CU_ASSERT_FATAL(init(p, &plan, &fields));
    struct address own;
    get_address(&fields, &own);
    CU_ASSERT(bench_address_port(&own) != 0 && bench_address_is_loopback(&own) && reader_done(&fields));
    CU_ASSERT_FATAL(start(p, 20 * MS, &own, 2));
    bool sending = true;
    for (int i = 0; i < 500 && sending; i++) {
        usleep(10000);
        CU_ASSERT_FATAL(status(p, r));
        CU_ASSERT_EQUAL(r->state, NODE_RUNNING);
        sending = r->sending || !r->drained;
        report_free(r);
    }
    CU_ASSERT_FALSE(sending);
    CU_ASSERT(command(p, COMMAND_STOP, NULL, NULL));
    CU_ASSERT_FATAL(status(p, r)); /* still answers */
    CU_ASSERT_EQUAL(r->state, NODE_STOPPED);
    CU_ASSERT_EQUAL(r->pairs[0].tally.total, 100);
    CU_ASSERT_EQUAL(r->pairs[0].rtt.count, 100);
    CU_ASSERT_EQUAL(r->pairs[1].tally.total, 100);
    CU_ASSERT(r->pairs[0].p50 > 0 && r->pairs[0].p99 >= r->pairs[0].p50);
    report_free(r);
    struct bytes totals = {0}; /* the client offered three more than ever came */
    put_varint(&totals, 0);
    put_varint(&totals, 103);
    CU_ASSERT(command(p, COMMAND_STOP, &totals, NULL));
    CU_ASSERT_FATAL(status(p, r));
    CU_ASSERT_EQUAL(r->state, NODE_CLOSED);
    CU_ASSERT_EQUAL(r->pairs[0].tally.total, 100);
    CU_ASSERT_EQUAL(r->pairs[1].tally.total, 103);
    CU_ASSERT_EQUAL(r->pairs[1].tally.failed, 3);
    CU_ASSERT_EQUAL(r->pairs[1].tally.shortened, 3);
    report_free(r);
    CU_ASSERT(command(p, COMMAND_STOP_DONE, NULL, NULL));
    CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);
    CU_ASSERT_FALSE(status(p, r));   /* all is forgotten */
    CU_ASSERT(init(p, &plan, NULL)); /* and another may begin */
    free(totals.at);
    free(r);
    free_post(p);
}

/* Every command in every state in which the table forbids it: refused, and nothing changes. */
static void out_of_order(void) {
    static const struct {
        enum command command;
        enum node_event event;
    } commands[] = {{COMMAND_INIT, NODE_INIT},
                    {COMMAND_START, NODE_START},
                    {COMMAND_STATUS, NODE_STATUS},
                    {COMMAND_STOP, NODE_STOP},
                    {COMMAND_STOP_DONE, NODE_STOP_DONE}};
    struct post *p = new_post();
    struct plan plan = own_plan(p);
    struct bytes totals = {0};
    put_varint(&totals, 0);
    put_varint(&totals, 0);
    for (int state = NODE_IDLE; state <= NODE_CLOSED; state++) {
        CU_ASSERT_EQUAL(p->session.state, state);
        for (size_t i = 0; i < 5; i++)
            if (machine_next(&node_machine, state, (int)commands[i].event) == FORBIDDEN) {
                CU_ASSERT_FALSE(command(p, commands[i].command, NULL, NULL));
                CU_ASSERT_EQUAL(p->session.state, state);
            }
        if (state != NODE_STOPPED)
            CU_ASSERT_FALSE(command(p, COMMAND_STOP, &totals, NULL));
        bool stepped = state == NODE_IDLE      ? init(p, &plan, NULL)
                       : state == NODE_READY   ? start(p, 0, &p->at, 2)
                       : state == NODE_RUNNING ? command(p, COMMAND_STOP, NULL, NULL)
                       : state == NODE_STOPPED ? command(p, COMMAND_STOP, &totals, NULL)
                                               : true;
        CU_ASSERT_FATAL(stepped);
    }
    CU_ASSERT_FALSE(command(p, (enum command)77, NULL, NULL));
    free(totals.at);
    free_post(p);
}

static void refused(void) {
    struct post *p = new_post();
    struct bytes noise = {0};
#define REFUSED(change)                                                                                      \
    do {                                                                                                     \
        struct plan plan = own_plan(p);                                                                      \
        change;                                                                                              \
        CU_ASSERT_FALSE(init(p, &plan, NULL));                                                               \
        CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);                                                        \
        CU_ASSERT_PTR_NULL(p->session.workers);                                                              \
    } while (0)
    REFUSED(strcpy(plan.transport, "carrier-pigeon"));
    REFUSED(plan.size = (1 << 20) + 1);
    REFUSED(plan.time = 61000 * MS);
    REFUSED(p->session.limits.flows = 1);
    p->session.limits.flows = 4;
    REFUSED(p->session.limits.memory = 1 << 16);
    p->session.limits.memory = 64 << 20;
    REFUSED(plan.drill = DRILL_BULK; plan.size = 1 << 20; plan.chunk = plan.window = 1400;
            plan.concurrency = 65536);
    REFUSED(p->at.v4.sin_addr.s_addr = htonl(0x01020304u)); /* not an address of this machine */
#undef REFUSED
    put_raw(&noise, "noise", 5);
    CU_ASSERT_FALSE(command(p, COMMAND_INIT, &noise, NULL));
    CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);
    free(noise.at);
    free_post(p);
}

/* A START that does not fit leaves nothing behind. */
static void bad_starts(void) {
    struct post *p = new_post();
    struct plan plan = own_plan(p);
    CU_ASSERT(init(p, &plan, NULL));
    CU_ASSERT_FALSE(start(p, 0, &p->at, 1)); /* an address for each of two pairs */
    CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);
    CU_ASSERT(init(p, &plan, NULL));
    CU_ASSERT_FALSE(start(p, LONGEST_LEAD + 1, &p->at, 2));
    CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);
    CU_ASSERT_PTR_NULL(p->session.workers);
    struct address group = p->at;
    group.v4.sin_addr.s_addr = htonl(0xe0000001u); /* 224.0.0.1 is no peer */
    CU_ASSERT(init(p, &plan, NULL));
    CU_ASSERT_FALSE(start(p, 0, &group, 2));
    CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);
    free_post(p);
}

/* The console goes away in any state: nothing is left, and no thread hangs. */
static void console_gone(void) {
    for (int state = NODE_IDLE; state <= NODE_STOPPED; state++) {
        struct post *p = new_post();
        struct plan plan = own_plan(p);
        plan.count = 0;
        if (state >= NODE_READY)
            CU_ASSERT(init(p, &plan, NULL));
        if (state >= NODE_RUNNING)
            CU_ASSERT(start(p, 0, &p->at, 2));
        if (state >= NODE_STOPPED)
            CU_ASSERT(command(p, COMMAND_STOP, NULL, NULL));
        session_end(&p->session);
        CU_ASSERT_EQUAL(p->session.state, NODE_IDLE);
        free_post(p);
    }
}

void suite_bench_session(void) {
    CU_pSuite s = CU_add_suite("bench: a node under command", NULL, NULL);
    CU_add_test(s, "a whole test, with itself", whole_test);
    CU_add_test(s, "commands out of order", out_of_order);
    CU_add_test(s, "what is refused", refused);
    CU_add_test(s, "a START that does not fit", bad_starts);
    CU_add_test(s, "the console goes away", console_gone);
}
