/* SPDX-License-Identifier: Apache-2.0
 *
 * Expectations without a run (<reckon/plan.h>): the main path's steps over flows that a verb made up.
 */
#include <reckon/plan.h>

#include "compare.h"
#include "samples.h"

struct reckon_sink *reckon_sink_new(struct reckon *r) {
    return sink_new(r, "");
}

void reckon_sink_free(struct reckon_sink *sink) {
    sink_free(sink);
}

static bool keep_all(void *user, size_t i, const struct record *record) {
    (void)user;
    (void)i;
    (void)record;
    return true;
}

int reckon_expect_again(struct reckon_comparison *c) {
    for (uint32_t i = 0; i < c->nflows; i++)
        c->flows[i].flags = 0; /* where its MTU came from */
    if (hardware_build(c, NULL, NULL))
        return -1;
    model_solve(c, false);
    evidence_gather(c, 0);
    compare_hosts(c, 0, 0);
    return 0;
}

struct reckon_comparison *reckon_expect(struct reckon *r, const char *source, struct reckon_sink *sink) {
    const struct reckon_plugin reader = {.name = reckon_strdup(r, source),
                                         .run = {.workload = RECKON_REQUEST_REPLY}};
    struct reckon_comparison *c = run_assemble_kept(r, &reader, &sink, 1, keep_all, NULL);
    if (!reckon_expect_again(c))
        return c;
    run_free(c);
    return NULL;
}

void reckon_expect_free(struct reckon_comparison *c) {
    if (c)
        run_free(c);
}

void reckon_expect_assume(struct reckon_comparison *c) {
    assume_model(c);
}
