/* SPDX-License-Identifier: Apache-2.0
 *
 * The main command: one run, or a ramp of runs, reckoned against its hardware. The data's way, top to bottom.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "findings.h"
#include "main_run.h"
#include "model.h"
#include "options.h"
#include "ramp.h"

struct inputs {
    const struct setting *run; /* the run reader's option, or --ramp */
    bool ramp;
    const char *layout;
};

/* ---- what was asked for ---- */

/* The verb that a word of a letter or two's difference was meant for; NULL for none. */
static const char *nearest_verb(const struct reckon *r, const char *word) {
    const struct module *m;
    const char *best = NULL;
    size_t least = 3;
    for (size_t i = 0; word && (m = module_of_kind(r, RECKON_KIND_verb, i)); i++) {
        size_t d = reckon_distance(word, m->plugin->name);
        if (d < least && d + 1 < strlen(word)) {
            least = d;
            best = m->plugin->name;
        }
    }
    return best;
}

static int find_run(struct reckon *r, struct inputs *in) {
    for (size_t i = 0; i < r->options->count; i++) {
        const struct setting *o = &r->options->at[i];
        bool ramp = !strcmp(o->spec.name, "ramp");
        if (!o->given || !(o->role == OPTION_RUN || ramp))
            continue;
        if (in->run)
            return reckon_error(r, NULL, 0, "--%s and --%s are two runs; give one", in->run->spec.name,
                                o->spec.name);
        in->run = o;
        in->ramp = ramp;
    }
    if (in->run)
        return 0;
    char *all = reckon_strdup(r, "");
    const struct module *m;
    for (size_t i = 0; (m = module_of_kind(r, RECKON_KIND_run, i)); i++)
        all = reckon_text(r, "%s--%s, ", all, m->plugin->name);
    const char *verb = nearest_verb(r, reckon_argument(r, 0));
    if (verb)
        return reckon_error(r, NULL, 0, "no run was given, and there is no verb %s; did you mean %s?",
                            reckon_printable(r, reckon_argument(r, 0)), verb);
    return reckon_error(r, NULL, 0, "no run was given: one of %s--ramp; --help shows how", all);
}

static int find_layout(struct reckon *r, struct inputs *in) {
    const char *argument = reckon_argument(r, 0);
    const struct setting *option = option_named(r, "layout");
    if (reckon_argument(r, 1))
        return reckon_error(r, NULL, 0, "only one LAYOUT is possible, but there are %s and %s",
                            reckon_printable(r, argument), reckon_printable(r, reckon_argument(r, 1)));
    in->layout = reckon_option_text(r, "layout");
    bool by_option =
        in->layout && !strncmp(option->from, "--", 2); /* a variable is only what is meant without either */
    if (argument && by_option && strcmp(argument, in->layout))
        return reckon_error(r, NULL, 0, "the layout is %s by argument but %s by %s",
                            reckon_printable(r, argument), reckon_printable(r, in->layout), option->from);
    if (argument)
        in->layout = argument;
    return 0;
}

static int refuse_with_ramp(struct reckon *r) {
    static const char *const alone[] = {"baseline", "idle"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (reckon_option_given(r, alone[i]))
            return reckon_error(r, NULL, 0, "--%s is for one run and cannot be used with --ramp", alone[i]);
    return 0;
}

/* An output that no module writes for what is being reckoned must not be left out without a word. */
static int check_outputs(struct reckon *r, const char *subject) {
    for (size_t i = 0; i < r->options->count; i++) {
        const struct setting *o = &r->options->at[i];
        if (o->given && o->role == OPTION_OUTPUT && !has_word(o->on, subject))
            return reckon_error(r, NULL, 0, "--%s is %s", o->spec.name,
                                !strcmp(subject, "ramp") ? "for one run and cannot be used with --ramp"
                                                         : "for a ramp; give --ramp");
    }
    return reckon_check_outputs(r);
}

/* Whether the kind of n bytes at p is also one of those before it. */
static bool named_before(const char *all, const char *p, size_t n) {
    for (const char *q = all; q < p; q += strcspn(q, ",") + 1)
        if (strcspn(q, ",") == n && !strncmp(q, p, n))
            return true;
    return false;
}

static int check_group_kinds(struct reckon *r) {
    const char *all = reckon_option_text(r, "group-kind"), *p = all;
    size_t kinds = 0;
    for (bool more = true; more; kinds++) {
        size_t n = strcspn(p, ",");
        if (strspn(p, " ") >= n)
            return reckon_error(r, NULL, 0, "--group-kind: '%s' has an empty kind", reckon_printable(r, all));
        if (named_before(all, p, n))
            return reckon_error(r, NULL, 0, "--group-kind: '%s' names a kind twice",
                                reckon_printable(r, all));
        more = p[n] == ',';
        p += n + more;
    }
    if (kinds > MAX_TIERS)
        return reckon_error(r, NULL, 0, "--group-kind: at most %d kinds", MAX_TIERS);
    return 0;
}

static int check_inputs(struct reckon *r, struct inputs *in) {
    if (rules_check_names(r) || find_run(r, in) || find_layout(r, in) || check_group_kinds(r))
        return -1;
    if (in->ramp && refuse_with_ramp(r))
        return -1;
    if (!in->ramp && reckon_option_given(r, "predict"))
        return reckon_error(r, NULL, 0, "--predict asks a ramp's model; give --ramp");
    return check_outputs(r, in->ramp ? "ramp" : "run");
}

/* ---- reading ---- */

struct context {
    struct reckon_speeds *speeds;
    struct reckon_idle *idle;
    struct reckon_baseline *baseline;
    struct reckon_known *known;
};

/* The name of the reader that fills a role, for outputs that say where a figure came from. */
static const char *role_reader(const struct reckon *r, const char *role) {
    const struct module *m;
    for (size_t i = 0; (m = module_of_kind(r, RECKON_KIND_context, i)); i++)
        if (!strcmp(m->plugin->context.role, role))
            return m->plugin->name;
    return role;
}

static int read_context(struct reckon *r, const struct inputs *in, struct context *x) {
    *x = (struct context){0};
    r->names = names_map_new(r);
    if (reckon_read_role(r, "names", r->names, NULL))
        return -1;
    if (in->layout && reckon_read_layout(r, in->layout))
        return -1;
    if (reckon_option_given(r, "speeds") && reckon_read_role(r, "speeds", x->speeds = speeds_new(r), NULL))
        return -1;
    if (reckon_option_given(r, "baseline")) {
        x->baseline = baseline_new(r, reckon_option_text(r, "baseline"));
        if (reckon_read_role(r, "baseline", x->baseline, NULL))
            return -1;
    }
    x->known = known_new(r);
    return reckon_read_role(r, "known", x->known, NULL);
}

static int read_idle(struct reckon *r, struct context *x) {
    if (!reckon_option_given(r, "idle"))
        return 0;
    x->idle = idle_new(r, role_reader(r, "idle"));
    return reckon_read_role(r, "idle", x->idle, NULL);
}

/* ---- one run ---- */

static struct reckon_comparison *read_run(struct reckon *r, const struct inputs *in) {
    const struct setting *o = in->run;
    struct reckon_sink **sinks;
    size_t n;
    double window = reckon_option_number(r, "window");
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a run it has ended in find_run() */
    const struct module *before = module_enter(o->module);
    int rc = run_read_window(r, o->module->plugin, o->values.at, o->values.count, window, &sinks, &n);
    module_leave(before);
    if (rc)
        return NULL;
    stage_done(r, "reading");
    struct reckon_comparison *c = run_assemble(r, o->module->plugin, sinks, n, window);
    free(sinks);
    stage_done(r, "assembling");
    return c;
}

/* The time the reckoning is held against: the run's own, so that two reckonings of one run are alike. */
static double now_for(const struct reckon_comparison *c) {
    return reckon_blank(c->last_ts) ? (double)time(NULL) : c->last_ts;
}

static int reckon_one(struct reckon *r, const struct inputs *in, struct context *x) {
    struct reckon_comparison *c = read_run(r, in);
    if (!c || read_idle(r, x) || (x->baseline && baseline_check(r, x->baseline, c->unit)))
        return -1;
    if (x->idle)
        idle_apply(x->idle, c);
    if (hardware_build(c, x->speeds, x->idle))
        return -1;
    if (x->speeds)
        speeds_note_strangers(x->speeds, c);
    model_solve(c, false);
    stage_done(r, "solving");
    if (x->baseline)
        baseline_apply(c, x->baseline);
    compare(c);
    assume_model(c);
    stage_done(r, "comparing");
    known_use(r, x->known, now_for(c));
    if (reckon_evaluate(r, "run", c))
        return -1;
    stage_done(r, "judging");
    if (reckon_write_outputs(r, "run", c))
        return -1;
    stage_done(r, "writing");
    bool compared = anything_compared(c);
    if (!compared)
        fprintf(stderr, "reckon: nothing could be compared: %s\n", nothing_compared(c));
    run_free(c);
    return reckon_exit_status(r, compared);
}

int main_run(struct reckon *r) {
    struct inputs in = {0};
    struct context x;
    if (check_inputs(r, &in) || read_context(r, &in, &x))
        return -1;
    stage_done(r, "context");
    return in.ramp ? ramp_main(r, in.run->values.at, in.run->values.count, x.speeds, x.known)
                   : reckon_one(r, &in, &x);
}
