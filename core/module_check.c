/* SPDX-License-Identifier: Apache-2.0
 *
 * <reckon/modules.h>: telling about modules, and everything that is wrong with one.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include <reckon/modules.h>

#include "module_file.h"
#include "modules.h"
#include "options.h"
#include "readers.h"

/* ---- telling ---- */

static void tell(const struct module *m, struct reckon_module_info *info) {
    static const char *const states[] = {"loaded", "shadowed", "refused"};
    struct reckon_module_info full = {
        .size = info->size < sizeof full ? info->size : sizeof full,
        .kind = kind_word(m->kind),
        .name = m->plugin && m->plugin->name ? m->plugin->name : m->stem,
        .version = m->plugin ? (m->plugin->version ? m->plugin->version : reckon_version()) : NULL,
        .summary = m->plugin ? m->plugin->summary : NULL,
        .abi = m->abi,
        .file = m->file,
        .state = states[m->state],
        .why = m->why,
    };
    memcpy(info, &full, full.size);
}

bool reckon_module_at(const struct reckon *r, size_t i, struct reckon_module_info *info) {
    if (i >= r->modules->count)
        return false;
    tell(&r->modules->at[i], info);
    return true;
}

/* ---- judging one ---- */

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

static void check_option(const struct judgement *j, const struct reckon_option *o) {
    if (!o->help)
        complain(j, false, "the option --%s has no .help; users read it in --help and the manual", o->name);
    if (o->type == RECKON_CHOICE && (!o->choices || !*o->choices))
        complain(j, true, "the option --%s is a choice without .choices", o->name);
    for (size_t i = 0; i < j->r->modules->count; i++) {
        const struct module *other = &j->r->modules->at[i];
        if (other->state != MODULE_LOADED || is_same(other, j->m))
            continue;
        for (const struct reckon_option *p = other->plugin->options; p && p->type != RECKON_OPTION_END; p++)
            if (!strcmp(o->name, p->name) && o->type != p->type && modules_share_verb(j->r, j->m, other))
                complain(j, true, "the option --%s is declared by the %s %s too, as another type; rename it", o->name,
                         kind_word(other->kind), other->plugin->name);
    }
}

static void check_options(const struct judgement *j) {
    for (const struct reckon_option *o = j->m->plugin->options; o && o->type != RECKON_OPTION_END; o++) {
        if (!o->name || !*o->name)
            complain(j, true, "an option has no .name");
        else
            check_option(j, o);
    }
}

static void check_rule(const struct judgement *j) {
    const struct reckon_rule *rule = &j->m->plugin->rule;
    if (rule->why && strlen(rule->why) < 40)
        complain(j, false, "the rule has no reasoning worth the name in .why: --explain shows it to whoever asks why");
    if (!rule->lead || !*rule->lead)
        complain(j, false, "the rule has no .lead, which opens the verdict when its finding is the first");
    for (size_t i = 0; i < j->r->modules->count; i++) {
        const struct module *other = &j->r->modules->at[i];
        if (other->state == MODULE_LOADED && other->kind == RECKON_KIND_rule && !is_same(other, j->m) &&
            other->plugin->rule.rank == rule->rank)
            complain(j, false, "its rank %d is also that of %s; multiples of 100 are the built-in rules'", rule->rank,
                     other->plugin->name);
    }
}

/* A sample's file is named after the module that reads it: run_mx.csv. */
static bool sample_of(const char *sample, const char *stem) {
    size_t n = strlen(stem);
    return !strncmp(sample, stem, n) && (sample[n] == '.' || sample[n] == '-');
}

static void check_sample(const struct judgement *j, const char *dir, const char *name) {
    struct reckon_head head;
    struct reckon_input *in = reckon_open(j->r, reckon_text(j->r, "%s/%s", dir, name));
    const struct module *owner = NULL;
    if (in && !input_head(in, &head)) {
        for (size_t i = 0; i < j->r->modules->count; i++)
            if (j->r->modules->at[i].state == MODULE_LOADED && sample_of(name, j->r->modules->at[i].stem))
                owner = &j->r->modules->at[i];
        if (owner && !is_same(owner, j->m) && module_score(owner, &head) > 0 &&
            module_score(j->m, &head) >= module_score(owner, &head))
            complain(j, true, "its .recognise claims a file of the %s %s: %d against %d for the sample %s",
                     kind_word(owner->kind), owner->plugin->name, module_score(j->m, &head), module_score(owner, &head),
                     name);
    }
    reckon_close(in);
}

static void check_reader(const struct judgement *j) {
    const char *dir = samples_folder(j->r);
    DIR *d = dir ? opendir(dir) : NULL;
    if (!d) {
        complain(j, false, "the samples that readers are held against are not installed");
        return;
    }
    for (struct dirent *e; (e = readdir(d));)
        if (*e->d_name != '.')
            check_sample(j, dir, e->d_name);
    closedir(d);
}

void reckon_module_check(struct reckon *r, const char *file, struct reckon_module_info *info,
                         void (*problem)(void *user, bool grave, const char *text), void *user) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    struct module *m = reckon_alloc(r, sizeof *m);
    struct judgement j = {r, m, problem, user};
    /* the dynamic linker looks a bare name up elsewhere */
    module_open(r, m, slash ? file : reckon_text(r, "./%s", file), reckon_strndup(r, base, strcspn(base, ".")));
    tell(m, info);
    if (m->state == MODULE_REFUSED)
        complain(&j, true, "%s", m->why);
    if (!m->plugin)
        return;
    for (const char *lacks = NULL; (lacks = module_lacks(m->kind, m->plugin, lacks));)
        complain(&j, true, "its description has no %s", lacks);
    if (m->state == MODULE_REFUSED)
        return;
    const struct module *before = module_enter(m);
    check_options(&j);
    if (m->kind == RECKON_KIND_rule)
        check_rule(&j);
    if (m->kind == RECKON_KIND_run || m->kind == RECKON_KIND_context || m->kind == RECKON_KIND_layout)
        check_reader(&j);
    module_leave(before);
}
