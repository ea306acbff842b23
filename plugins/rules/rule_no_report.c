/* SPDX-License-Identifier: Apache-2.0
 *
 * NO_REPORT: hosts that took part and wrote nothing, and tests that failed. What is missing cannot be graded,
 * and the flows towards such a host prove nothing about the others.
 */
#include "../shared/rule_common.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void silent_hosts(struct reckon *r, struct reckon_comparison *c, bool ramp) {
    uint32_t *silent = reckon_resize(NULL, reckon_host_count(c) + (size_t)1, sizeof *silent);
    size_t n = 0;
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (!reckon_host_reported(c, h))
            silent[n++] = h;
    if (n) {
        struct reckon_finding *f =
            reckon_find(r, RECKON_CRITICAL, NULL, "%s %s: %s", reckon_count(r, n, "host"),
                        !ramp    ? "took part and never reported"
                        : n == 1 ? "was silent in a step it should have sent in"
                                 : "were silent in steps they should have sent in",
                        rule_names(r, c, silent, n));
        reckon_fix(r, f,
                   "See whether %s can be reached, whether the test program ran there, and whether its "
                   "report could be written and collected (disk, permissions, the collecting step); then "
                   "run again.",
                   n == 1 ? "it" : "they");
    }
    for (size_t i = 0; i < n; i++)
        reckon_explain_host(c, silent[i]);
    free(silent);
}

static void failed_tests(struct reckon *r, const struct reckon_comparison *c) {
    size_t n = reckon_failed_count(c);
    const char *source, *target, *status, *error;
    if (n == 0)
        return;
    reckon_failed_at(c, 0, &source, &target, &status, &error);
    if (strcasecmp(status, "ok") == 0)
        status = "OK, but without a rate";
    struct reckon_finding *f = reckon_find(
        r, RECKON_WARN, NULL, "%s failed and left no figure; the first is %s -> %s: %s%s%s",
        reckon_count(r, n, "test"), source, target, status, error && *error ? ", " : "", error ? error : "");
    reckon_fix(r, f,
               "Run the failed tests again by hand: a refused connection is a server that is not "
               "listening, a timeout a firewall or a route. Until they pass, nothing is known about these "
               "pairs.");
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_comparison *c = rule_hardware(r, subject);
    silent_hosts(r, c, strcmp(reckon_subject(r), "ramp") == 0);
    failed_tests(r, c);
    return 0;
}

RECKON_PLUGIN(rule, no_report) = {
    .name = "NO_REPORT",
    .summary = "a host of the run wrote nothing, or a test failed",
    .rule =
        {
            .title = "never reported",
            .why = "A host that others sent to or that was meant to send, and that reported nothing, has no "
                   "rate: not a rate of zero. Its absence is a fault of its own (the host, the test "
                   "program, or the collection), so it is critical, and later rules do not judge the host a "
                   "second time. A test that failed leaves no figure either; the flow is missing from every "
                   "median, which makes a run look better than it was, so failed tests are a warning with "
                   "the first one named. In a ramp a host counts as silent when it is missing from any step "
                   "it should have sent in.",
            .lead = "The run is not complete",
            .rank = 200,
            .on = "run ramp",
            .evaluate = evaluate,
        },
};
