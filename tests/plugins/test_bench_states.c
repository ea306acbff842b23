/* SPDX-License-Identifier: Apache-2.0
 *
 * The state machines of the network benchmark: every edge of the seed (seeds/network-benchmark.txt, "state
 * transitions") by name, and that there is no other.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdbool.h>
#include <string.h>

#include "../../plugins/verbs/bench_common/states.h"

void suite_bench_states(void);

struct edge {
    const char *from, *event, *to;
};

static bool listed(const struct edge *edges, size_t n, const char *from, const char *event, const char *to) {
    for (size_t i = 0; i < n; i++)
        if (!strcmp(edges[i].from, from) && !strcmp(edges[i].event, event))
            return to && !strcmp(edges[i].to, to);
    return !to; /* not listed: it must be forbidden */
}

/* Every state with every event: the listed step, or none. */
static void check(const struct machine *m, const struct edge *edges, size_t n) {
    size_t allowed = 0;
    for (int s = 0; s < m->states; s++)
        for (int e = 0; e < m->events; e++) {
            int next = machine_next(m, s, e);
            bool right =
                listed(edges, n, m->state[s], m->event[e], next == FORBIDDEN ? NULL : m->state[next]);
            if (!right)
                printf("%s: %s on %s\n", m->name, m->state[s], m->event[e]);
            CU_ASSERT(right);
            allowed += next != FORBIDDEN;
        }
    CU_ASSERT_EQUAL(allowed, n);
}
#define CHECK(machine, edges) check(&(machine), (edges), sizeof(edges) / sizeof *(edges))

static void client(void) {
    static const struct edge edges[] = {
        {"UNUSED", "queue", "QUEUED"},          {"QUEUED", "describe", "BD_SENT"},
        {"QUEUED", "no send buffer", "FAILED"}, {"QUEUED", "no receive buffer", "FAILED1"},
        {"QUEUED", "no descriptor", "FAILED2"}, {"BD_SENT", "done", "CB_LEFT2"},
        {"CB_LEFT2", "done", "CB_LEFT1"},       {"CB_LEFT1", "done", "TRANSFERRED"},
        {"BD_SENT", "error", "FAILED2"},        {"CB_LEFT2", "error", "FAILED1"},
        {"CB_LEFT1", "error", "FAILED"},        {"FAILED2", "done", "FAILED1"},
        {"FAILED2", "error", "FAILED1"},        {"FAILED1", "done", "FAILED"},
        {"FAILED1", "error", "FAILED"},         {"TRANSFERRED", "release", "UNUSED"},
        {"FAILED", "release", "UNUSED"},
    };
    CHECK(bulk_client_machine, edges);
    CU_ASSERT_STRING_EQUAL(bulk_client_machine.state[bulk_client_machine.initial], "UNUSED");
    CU_ASSERT_STRING_EQUAL(bulk_client_machine.state[bulk_client_machine.starts], "QUEUED");
    CU_ASSERT_STRING_EQUAL(bulk_client_machine.state[bulk_client_machine.finishes], "TRANSFERRED");
}

static void server(void) {
    static const struct edge edges[] = {
        {"UNUSED", "descriptor", "BD_RECEIVED"}, {"BD_RECEIVED", "nonsense", "BADMSG"},
        {"BD_RECEIVED", "pull", "RECEIVING"},    {"RECEIVING", "pulled", "SENDING"},
        {"RECEIVING", "error", "FAILED"},        {"SENDING", "pushed", "TRANSFERRED"},
        {"SENDING", "error", "FAILED"},          {"TRANSFERRED", "release", "UNUSED"},
        {"FAILED", "release", "UNUSED"},         {"BADMSG", "release", "UNUSED"},
    };
    CHECK(bulk_server_machine, edges);
    CU_ASSERT_STRING_EQUAL(bulk_server_machine.state[bulk_server_machine.initial], "UNUSED");
    CU_ASSERT_STRING_EQUAL(bulk_server_machine.state[bulk_server_machine.starts], "RECEIVING");
    CU_ASSERT_STRING_EQUAL(bulk_server_machine.state[bulk_server_machine.finishes], "TRANSFERRED");
}

/* STATUS is answered until STOP_DONE; whatever happens, a console that is gone leaves an idle node. */
static void node(void) {
    static const struct edge edges[] = {
        {"idle", "INIT", "ready"},        {"ready", "START", "running"},
        {"running", "STATUS", "running"}, {"running", "STOP", "stopped"},
        {"stopped", "STATUS", "stopped"}, {"stopped", "STOP with totals", "closed"},
        {"closed", "STATUS", "closed"},   {"ready", "STOP_DONE", "idle"},
        {"running", "STOP_DONE", "idle"}, {"stopped", "STOP_DONE", "idle"},
        {"closed", "STOP_DONE", "idle"},  {"idle", "hang-up", "idle"},
        {"ready", "hang-up", "idle"},     {"running", "hang-up", "idle"},
        {"stopped", "hang-up", "idle"},   {"closed", "hang-up", "idle"},
    };
    CHECK(node_machine, edges);
}

void suite_bench_states(void) {
    CU_pSuite s = CU_add_suite("bench: state machines", NULL, NULL);
    CU_add_test(s, "bulk client, edge by edge", client);
    CU_add_test(s, "bulk server, edge by edge", server);
    CU_add_test(s, "node, edge by edge", node);
}
