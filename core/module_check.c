/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging one module file in full: everything that is wrong with it, for whoever writes it.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include <reckon/modules.h>

#include "module_file.h"
#include "modules.h"
#include "options.h"
#include "readers.h"

struct judgement {
    struct reckon *r;
    const struct module *m;
    void (*problem)(void *user, bool grave, const char *text);
    void *user;
};

static void complain(const struct judgement *j, bool grave, const char *fmt, ...) RECKON_PRINTF(3, 4);
static void complain(const struct judgement *j, bool grave, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    j->problem(j->user, grave, reckon_vtext(j->r, fmt, ap));
    va_end(ap);
}

static bool is_same(const struct module *a, const struct module *b) {
    return a->kind == b->kind && !strcmp(a->plugin->name, b->plugin->name);
}

static void check_conflicts(const struct judgement *j, const char *verb) {
    const char *why = options_conflict(j->r, j->m, verb);
    if (why)
        complain(j, true, "%s", why);
}

/* Each option by itself. Whether all can be used. */
static bool check_options(const struct judgement *j) {
    bool usable = true;
    for (const struct reckon_option *o = j->m->plugin->options; o && o->type != RECKON_OPTION_END; o++) {
        const char *fault = option_fault(j->r, o), *oddity = fault ? NULL : option_oddity(j->r, o);
        if (fault || oddity)
            complain(j, fault, "%s", fault ? fault : oddity);
        usable = usable && !fault;
    }
    return usable;
}

static void check_all_conflicts(const struct judgement *j) {
    const struct module *verb;
    check_conflicts(j, "run");
    for (size_t i = 0; (verb = module_of_kind(j->r, RECKON_KIND_verb, i)); i++)
        check_conflicts(j, verb->plugin->name);
}

/* A subject is the main command's, or that of a verb that is here. */
static void check_subjects(const struct judgement *j, const char *field, const char *on) {
    const struct module *verb;
    bool found = share_words(on, subjects_of(j->r, "run"));
    for (size_t i = 0; !found && (verb = module_of_kind(j->r, RECKON_KIND_verb, i)); i++)
        found = share_words(on, verb->plugin->verb.subject);
    if (!found)
        complain(j, true, "its %s, '%s', names no subject of any verb that is here: it would never be asked",
                 field, reckon_printable(j->r, on));
}

static void check_workload(const struct judgement *j) {
    int workload = (int)j->m->plugin->run.workload;
    if (workload < RECKON_REQUEST_REPLY || workload > RECKON_UDP)
        complain(j, true, "its .run.workload, %d, is none that reckon knows", workload);
}

static void check_rule(const struct judgement *j) {
    const struct reckon_rule *rule = &j->m->plugin->rule;
    if (rule->why && strlen(rule->why) < 40)
        complain(j, false,
                 "the rule has no reasoning worth the name in .why: --explain shows it to whoever asks why");
    check_subjects(j, ".rule.on", rule->on);
    if (rule->rank < 10000 && (!rule->lead || !*rule->lead)) /* the last word has none before it */
        complain(j, false, "the rule has no .lead, which opens the verdict when its finding is the first");
    for (size_t i = 0; i < j->r->modules->count; i++) {
        const struct module *other = &j->r->modules->at[i];
        if (other->state == MODULE_LOADED && other->kind == RECKON_KIND_rule && !is_same(other, j->m) &&
            other->plugin->rule.rank == rule->rank && share_words(other->plugin->rule.on, rule->on))
            complain(j, false, "its rank %d is also that of %s; multiples of 100 are the built-in rules'",
                     rule->rank, other->plugin->name);
    }
}

/* ---- readers, held against the samples of the others ---- */

/* A sample's file is named after the module that reads it: KIND_NAME.csv. */
static bool sample_of(const char *sample, const char *stem) {
    size_t n = strlen(stem);
    return !strncmp(sample, stem, n) && (sample[n] == '.' || sample[n] == '-');
}

static const struct module *owner_of(const struct reckon *r, const char *sample) {
    for (size_t i = 0; i < r->modules->count; i++)
        if (r->modules->at[i].state == MODULE_LOADED && sample_of(sample, r->modules->at[i].stem))
            return &r->modules->at[i];
    return NULL;
}

/* Whether the same option asks both of them. */
static bool compete(const struct module *a, const struct module *b) {
    if (a->kind != b->kind)
        return false;
    return a->kind != RECKON_KIND_context || !strcmp(a->plugin->context.role, b->plugin->context.role);
}

static void check_claim(const struct judgement *j, const struct module *owner, const struct reckon_head *head,
                        const char *sample) {
    int own = module_score(owner, head), its = module_score(j->m, head);
    if (is_same(owner, j->m)) {
        if (its <= 0)
            complain(j, true, "its .recognise does not know the sample %s, which is its own", sample);
    } else if (its > 0 && (compete(owner, j->m) ? its >= own : its > own)) {
        complain(j, compete(owner, j->m),
                 "its .recognise claims a file of the %s %s: %d against %d for the sample %s",
                 kind_word(owner->kind), owner->plugin->name, its, own, sample);
    }
}

static void check_sample(const struct judgement *j, const char *dir, const char *name) {
    const struct module *owner = owner_of(j->r, name);
    struct reckon_head head;
    struct reckon_input *in = owner ? reckon_open(j->r, reckon_text(j->r, "%s/%s", dir, name)) : NULL;
    if (in && !input_head(in, &head))
        check_claim(j, owner, &head, name);
    reckon_close(in);
}

static int not_hidden(const struct dirent *e) {
    return *e->d_name != '.';
}

static void check_reader(const struct judgement *j) {
    const char *dir = samples_folder(j->r);
    struct dirent **names = NULL;
    int n = dir ? scandir(dir, &names, not_hidden, alphasort) : 0;
    if (n <= 0)
        complain(j, false, "the samples that readers are held against are not installed");
    for (int i = 0; i < n; i++) {
        check_sample(j, dir, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

/* ---- one module ---- */

/* A description that has all its fields, and perhaps options that can be used. */
static void check_use(const struct judgement *j, bool options) {
    const struct module *m = j->m;
    if (options) /* the rest would only say it again */
        check_all_conflicts(j);
    if (m->kind == RECKON_KIND_rule)
        check_rule(j);
    if (m->kind == RECKON_KIND_output)
        check_subjects(j, ".output.on", m->plugin->output.on);
    if (m->kind == RECKON_KIND_run)
        check_workload(j);
    if (m->kind == RECKON_KIND_run || m->kind == RECKON_KIND_context || m->kind == RECKON_KIND_layout)
        check_reader(j);
}

static const char *folder_of(struct reckon *r, const char *file) {
    const char *slash = strrchr(file, '/');
    return slash == file ? "/" : reckon_strndup(r, file, (size_t)(slash - file));
}

void reckon_module_check(struct reckon *r, const char *file, struct reckon_module_info *info,
                         void (*problem)(void *user, bool grave, const char *text), void *user) {
    struct module *m = reckon_alloc(r, sizeof *m);
    struct judgement j = {r, m, problem, user};
    if (!strchr(file, '/')) /* the dynamic linker looks a bare name up elsewhere */
        file = reckon_text(r, "./%s", file);
    const char *base = strrchr(file, '/') + 1;
    module_open(r, m, file, reckon_strndup(r, base, strcspn(base, ".")),
                unsafe_folder(r, folder_of(r, file)));
    module_tell(m, info);
    const char *lacks = m->plugin ? module_lacks(m->kind, m->plugin, NULL) : NULL;
    if (m->state == MODULE_REFUSED && !lacks) /* else it is refused for the first that it lacks */
        complain(&j, true, "%s", m->why);
    for (; lacks; lacks = module_lacks(m->kind, m->plugin, lacks))
        complain(&j, true, "its description has no %s", lacks);
    if (!m->plugin)
        return;
    const struct module *before = module_enter(m);
    bool usable = check_options(&j);
    if (m->state != MODULE_REFUSED)
        check_use(&j, usable);
    module_leave(before);
}
