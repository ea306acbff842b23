/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon plan LAYOUT`: what the fabric should deliver, before anyone runs anything; what a change of it
 * would do, and which changes would do something. doc/plan.md has the whole.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plan.h"

static const struct reckon_option options[] = {
    {.name = "pattern",
     .type = RECKON_TEXT,
     .value_name = "P",
     .initial = "all-to-all",
     .group = "inputs",
     .help = "who sends to whom: all-to-all, ring, incast:HOST, permutation:SEED, file:MATRIX"},
    {.name = "size",
     .type = RECKON_WHOLE,
     .value_name = "B",
     .initial = "1434",
     .unit = "bytes",
     .min = 1,
     .max = 65507,
     .group = "inputs",
     .help = "payload of a request"},
    {.name = "reply",
     .type = RECKON_WHOLE,
     .value_name = "B",
     .initial = "34",
     .unit = "bytes",
     .max = 65507,
     .group = "inputs",
     .help = "payload of its reply"},
    {.name = "tcp",
     .type = RECKON_FLAG,
     .group = "inputs",
     .help = "TCP goodput in Mb/s, cut to --mtu, instead of requests and replies"},
    {.name = "target",
     .type = RECKON_NUMBER,
     .value_name = "RATE",
     .unit = "requests/s or Mb/s",
     .max = HUGE_VAL,
     .above = true,
     .group = "inputs",
     .help = "what every flow asks for; without it, as much as it can get"},
    {.name = "what-if",
     .type = RECKON_LIST,
     .value_name = "CHANGE",
     .group = "inputs",
     .help = "before and after a change of the layout: 'rack=r02 uplinks=4' (repeatable)"},
    {.name = "upgrade",
     .type = RECKON_FLAG,
     .group = "output",
     .help = "which changes of what limits a flow would add most"},
    {.type = RECKON_OPTION_END},
};

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino && S_ISREG(x.st_mode);
}

/* The matrix is part of --pattern, so that the core does not know it as an input. */
static int check_targets(struct reckon *r, const char *matrix) {
    static const char *const outputs[] = {"html", "json", "links"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        size_t n = reckon_option_given(r, outputs[i]) ? reckon_option_count(r, outputs[i]) : 0;
        if (n && same_file(matrix, reckon_option_at(r, outputs[i], n - 1)))
            return reckon_error(r, matrix, 0, "--%s would overwrite an input of this plan", outputs[i]);
    }
    return 0;
}

static int check(struct reckon *r) {
    bool file = !strncmp(reckon_option_text(r, "pattern"), "file:", 5);
    if (reckon_argument(r, 1))
        return reckon_error(r, NULL, 0, "plan takes one LAYOUT");
    if (!reckon_argument(r, 0) && !reckon_option_text(r, "layout"))
        return reckon_error(r, NULL, 0, "plan needs a LAYOUT");
    if (reckon_flag(r, "tcp") && (reckon_option_given(r, "size") || reckon_option_given(r, "reply")))
        return reckon_error(
            r, NULL, 0, "--size and --reply are those of requests and replies; with --tcp there are none");
    if (file && reckon_option_given(r, "target"))
        return reckon_error(r, NULL, 0, "--target: the matrix says what each flow asks for");
    return file ? check_targets(r, reckon_option_text(r, "pattern") + 5) : 0;
}

/* ---- notes ---- */

static void note_unknown_hosts(struct reckon *r, const struct reckon_comparison *c) {
    size_t n = 0;
    uint32_t first = 0;
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (!reckon_host_in_layout(c, h) && !n++)
            first = h;
    if (n)
        reckon_note(r, "%s of the matrix %s not in the layout: %s%s", reckon_count(r, n, "host"),
                    n > 1 ? "are" : "is", reckon_host_name(c, first), n > 1 ? " and others" : "");
}

static void note_speeds(struct reckon *r, const struct reckon_comparison *c) {
    size_t n = 0;
    uint32_t first = 0;
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (reckon_blank(reckon_host_nic_gbps(c, h)) && !n++)
            first = h;
    if (n)
        reckon_note(r,
                    "%s no NIC speed (%s%s), so that nothing is expected of %s flows: declare nic_gbps=, or "
                    "give --nic-gbps",
                    reckon_text(r, n > 1 ? "%s have" : "%s has", reckon_count(r, n, "host")),
                    reckon_host_name(c, first), n > 1 ? " and others" : "", n > 1 ? "their" : "its");
}

static void note_problems(struct reckon *r, const struct reckon_comparison *c) {
    for (size_t i = 0; i < reckon_problem_count(c); i++) {
        struct reckon_problem p = {.size = sizeof p};
        reckon_problem_at(c, i, &p);
        if (p.kind == RECKON_NAME_SHARED)
            reckon_note(r, "%u elements of the layout are named %s: the one at %s is used", p.count, p.name,
                        p.path);
        else
            reckon_note(r, "%s declares %s=%s%s: treated as not declared", p.name, p.key, p.value,
                        p.kind == RECKON_BAD_VALUE ? ", which is no usable number" : " without uplink_gbps");
    }
}

/* A single flow stays on one member of a group's uplinks, which are modelled as one pipe. */
static void note_members(struct reckon *r, const struct reckon_comparison *c) {
    size_t n = 0;
    uint32_t first = 0;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        if (reckon_flow_over_uplink(c, f) != RECKON_NONE && !n++)
            first = f;
    if (n)
        reckon_note(r,
                    "%s more than one uplink carries (%s -> %s): the uplinks are modelled as one pipe, so "
                    "such a flow "
                    "needs several members or streams",
                    reckon_text(r, n > 1 ? "%s expect" : "%s expects", reckon_count(r, n, "flow")),
                    reckon_host_name(c, reckon_flow_src(c, first)),
                    reckon_host_name(c, reckon_flow_dst(c, first)));
}

static void note_all(struct reckon *r, const struct reckon_comparison *c) {
    note_unknown_hosts(r, c);
    note_speeds(r, c);
    note_problems(r, c);
    note_members(r, c);
}

/* ---- the plan ---- */

static const char *describe(struct reckon *r, const struct plan_traffic *t, const char *pattern) {
    char size[RECKON_NUMBER_SIZE], reply[RECKON_NUMBER_SIZE];
    const char *what = "TCP";
    if (!t->tcp)
        what = reckon_text(r, "%s B requests, %s B replies", reckon_number_text(t->size, size),
                           reckon_number_text(t->reply, reply));
    if (!strncmp(reckon_option_text(r, "pattern"), "file:", 5))
        return reckon_text(r, "%s, %s", pattern, what);
    return reckon_text(
        r, "%s, %s, %s", pattern, what,
        reckon_blank(t->target)
            ? "unpaced"
            : reckon_text(r, "%s asked of every flow", reckon_rate(r, t->target, t->tcp ? "Mb/s" : "pps")));
}

static int make_flows(struct reckon *r, struct reckon_plan *plan, struct reckon_sink *sink) {
    struct plan_traffic t = {.tcp = reckon_flag(r, "tcp"),
                             .size = reckon_option_number(r, "size"),
                             .reply = reckon_option_number(r, "reply"),
                             .target = reckon_option_number(r, "target"),
                             .size_given = reckon_option_given(r, "size"),
                             .reply_given = reckon_option_given(r, "reply")};
    struct plan_hosts hosts;
    const char *pattern = NULL;
    reckon_sink_workload(sink, t.tcp ? RECKON_TCP : RECKON_REQUEST_REPLY);
    if (plan_hosts(r, &hosts) || plan_pattern(r, plan->pattern, &hosts, &t, sink, &pattern))
        return -1;
    plan->target = t.target;
    plan->describe = describe(r, &t, pattern);
    return 0;
}

/* With every --what-if at once; NULL in *then without one. */
static int what_if(struct reckon *r, struct reckon_plan *plan, struct reckon_sink *sink,
                   struct reckon_comparison **then) {
    const char **changes;
    plan->nchanges = reckon_option_count(r, "what-if");
    plan->changes = changes = reckon_alloc(r, (plan->nchanges + 1) * sizeof *changes);
    int rc = 0;
    for (size_t i = 0; i < plan->nchanges && !rc; i++) {
        changes[i] = reckon_option_at(r, "what-if", i);
        rc = plan_what_if(r, changes[i]);
    }
    if (!rc && plan->nchanges) {
        plan->then = *then = reckon_expect(r, "plan", sink);
        rc = *then ? 0 : -1;
    }
    reckon_override_end(r);
    return rc;
}

static int work(struct reckon *r, struct reckon_sink *sink, struct reckon_comparison **now,
                struct reckon_comparison **then) {
    struct reckon_plan plan = {.size = sizeof plan,
                               .version = RECKON_PLAN_VERSION,
                               .pattern = reckon_option_text(r, "pattern"),
                               .asked_upgrades = reckon_flag(r, "upgrade")};
    if (make_flows(r, &plan, sink))
        return -1;
    plan.now = *now = reckon_expect(r, "plan", sink);
    if (!*now || what_if(r, &plan, sink, then))
        return -1;
    note_all(r, *now);
    reckon_expect_assume(*now);
    if (plan.asked_upgrades && plan_upgrades(r, sink, &plan))
        return -1;
    if (reckon_write_outputs(r, "plan", &plan))
        return -1;
    for (uint32_t h = 0; h < reckon_host_count(*now); h++)
        if (!reckon_blank(reckon_host_expected(*now, h)))
            return 0;
    return 1;
}

static int plan_main(struct reckon *r) {
    const char *layout = reckon_argument(r, 0) ? reckon_argument(r, 0) : reckon_option_text(r, "layout");
    struct reckon_comparison *now = NULL, *then = NULL;
    if (reckon_check_outputs(r) || reckon_read_layout(r, layout))
        return -1;
    struct reckon_sink *sink = reckon_sink_new(r);
    int status = work(r, sink, &now, &then);
    reckon_expect_free(then);
    reckon_expect_free(now);
    reckon_sink_free(sink);
    return status;
}

RECKON_PLUGIN(verb, plan) = {
    .name = "plan",
    .summary = "what a fabric should deliver before anyone runs anything, and what a change would do",
    .uses = (const char *const[]){"layout", "nic-gbps", "group-kind", "mtu", "run", NULL},
    .options = options,
    .check = check,
    .verb = {.usage = "reckon plan LAYOUT [options]",
             .subject = "plan",
             .subject_version = RECKON_PLAN_VERSION,
             .arguments = true,
             .main = plan_main},
};
