/* SPDX-License-Identifier: Apache-2.0
 *
 * Putting a verb's options together: the core's, the modules' own, and those that follow from what a module
 * is (a run reader's --NAME, a context reader's --ROLE, an output's --NAME).
 */
#include <stdlib.h>
#include <string.h>

#include "core_options.h"
#include "options.h"

struct setting *option_named(const struct reckon *r, const char *name) {
    for (size_t i = 0; i < r->options->count; i++)
        if (!strcmp(r->options->at[i].spec.name, name))
            return &r->options->at[i];
    return NULL;
}

/* ---- which modules belong to a verb ---- */

static const char *verbs_of(const struct module *m) {
    const struct reckon_plugin *p = m->plugin;
    return p->verbs ? p->verbs : m->kind == RECKON_KIND_verb ? p->name : "run";
}

const char *subjects_of(const struct reckon *r, const char *verb) {
    if (!strcmp(verb, "run"))
        return "run ramp";
    const struct module *m = module_named(r, RECKON_KIND_verb, verb);
    return m ? m->plugin->verb.subject : NULL;
}

/* Whether a module takes part in a verb at all. */
bool module_of_verb(const struct reckon *r, const struct module *m, const char *verb) {
    const char *subjects = subjects_of(r, verb);
    if (m->kind == RECKON_KIND_rule && !m->plugin->verbs)
        return share_words(m->plugin->rule.on, subjects);
    if (m->kind == RECKON_KIND_output && !m->plugin->verbs)
        return share_words(m->plugin->output.on, subjects);
    return has_word(verbs_of(m), verb);
}

/* ---- collecting ---- */

static const char *option_label(struct reckon *r, const struct module *m) {
    return reckon_text(r, "%s %s", kind_word(m->kind), m->plugin->name);
}

const char *output_option(const struct module *m) {
    return m->plugin->output.option ? m->plugin->output.option : m->plugin->name;
}

/* Adds one, or lets two modules share it. Returns why it cannot be; NULL when all is well. */
static const char *add(struct reckon *r, const struct reckon_option *spec, enum option_role role,
                       const struct module *m) {
    struct options *all = r->options;
    const char *on = role == OPTION_OUTPUT ? m->plugin->output.on : NULL;
    struct setting *old = option_named(r, spec->name);
    if (old && (old->spec.type != spec->type || old->role != role))
        return reckon_text(r,
                           "its option --%s is also one of %s, as a different thing; rename one of the two",
                           spec->name, old->owner);
    if (old && share_words(old->on, on))
        return reckon_text(r, "it writes --%s, and so does %s; give it another .output.option", spec->name,
                           old->owner);
    if (old) {
        old->on = on ? reckon_text(r, "%s %s", old->on, on) : NULL;
        return NULL;
    }
    all->at = reckon_grow(all->at, all->count, &all->cap, sizeof *all->at);
    all->at[all->count++] = (struct setting){.spec = *spec,
                                             .owner = m ? option_label(r, m) : "reckon",
                                             .role = role,
                                             .on = on,
                                             .module = m,
                                             .number = RECKON_BLANK};
    return NULL;
}

static const char *role_path(const struct reckon_context_reader *c) {
    return c->value_name ? c->value_name : c->many ? "PATH..." : "FILE";
}

static const char *add_own(struct reckon *r, const struct module *m) {
    const char *why = NULL;
    for (const struct reckon_option *o = m->plugin->options; o && o->type != RECKON_OPTION_END && !why; o++) {
        why = option_fault(r, o);
        if (!why)
            why = add(r, o, OPTION_PLAIN, m);
    }
    return why;
}

/* The option that follows from what the module is. */
static const char *add_implied(struct reckon *r, const struct module *m) {
    const struct reckon_plugin *p = m->plugin;
    struct reckon_option o = {.help = p->summary};
    if (m->kind == RECKON_KIND_run) {
        o.name = p->name;
        o.type = p->run.many ? RECKON_PATHS : RECKON_PATH;
        o.value_name = p->run.many ? "PATH..." : "PATH";
        o.group = "inputs";
        return add(r, &o, OPTION_RUN, m);
    }
    if (m->kind == RECKON_KIND_context && !p->context.positional) {
        o.name = p->context.role;
        o.type = p->context.many ? RECKON_PATHS : RECKON_PATH;
        o.value_name = role_path(&p->context);
        o.help = p->context.help ? p->context.help : p->summary;
        o.env = p->context.env;
        o.group = "inputs";
        return add(r, &o, OPTION_ROLE, m);
    }
    if (m->kind == RECKON_KIND_output && !p->output.console) {
        o.name = output_option(m);
        o.type = RECKON_OPTIONAL_PATH;
        o.value_name = p->output.directory ? "DIR" : "PATH";
        o.group = "output";
        return add(r, &o, OPTION_OUTPUT, m);
    }
    return NULL;
}

/* All of a module's options, or none of them. */
static const char *add_module(struct reckon *r, const struct module *m) {
    size_t before = r->options->count;
    const char *why = add_implied(r, m);
    if (!why)
        why = add_own(r, m);
    if (why)
        r->options->count = before;
    return why;
}

static bool used_by_verb(const struct reckon *r, const char *name, const char *verb) {
    for (size_t i = 0; i < r->modules->count; i++) {
        const struct module *m = &r->modules->at[i];
        if (m->state != MODULE_LOADED || !module_of_verb(r, m, verb))
            continue;
        for (const char *const *u = m->plugin->uses; u && *u; u++)
            if (!strcmp(*u, name))
                return true;
    }
    return false;
}

/* Whether a rule judges what the verb looks at. */
static bool judged(const struct reckon *r, const char *verb) {
    const struct module *m;
    for (size_t i = 0; (m = module_of_kind(r, RECKON_KIND_rule, i)); i++)
        if (module_of_verb(r, m, verb))
            return true;
    return false;
}

static bool core_option_of(const struct reckon *r, const struct core_option *o, const char *verb) {
    bool main_command = !strcmp(verb, "run");
    switch (o->scope) {
    case OPTION_ALWAYS:
        return true;
    case OPTION_JUDGING:
        return judged(r, verb);
    case OPTION_RUN_ONLY:
        return main_command;
    case OPTION_ON_USE:
        return main_command || used_by_verb(r, o->spec.name, verb);
    }
    return false;
}

static int add_modules(struct reckon *r, const char *verb, bool built_in) {
    for (size_t i = 0; i < r->modules->count; i++) {
        struct module *m = &r->modules->at[i];
        if (m->state != MODULE_LOADED || m->built_in != built_in || !module_of_verb(r, m, verb))
            continue;
        const char *why = add_module(r, m);
        if (why && module_refuse(r, m, why))
            return -1;
    }
    return 0;
}

int options_collect(struct reckon *r, const char *verb) {
    r->options = reckon_alloc(r, sizeof *r->options);
    r->options->verb = verb;
    for (const struct core_option *o = core_options(); o->spec.type != RECKON_OPTION_END; o++)
        if (core_option_of(r, o, verb))
            add(r, &o->spec, OPTION_PLAIN, NULL);
    return add_modules(r, verb, true) || add_modules(r, verb, false) ? -1 : 0;
}

/* What it would take the place of is out of its way meanwhile. */
const char *options_conflict(struct reckon *r, const struct module *m, const char *verb) {
    struct options *outer = r->options;
    struct module *same = module_loaded(r, m->kind, m->plugin->name);
    const char *why = NULL;
    if (same)
        same->state = MODULE_SHADOWED;
    if (module_of_verb(r, m, verb) && !options_collect(r, verb))
        why = add_module(r, m);
    if (same)
        same->state = MODULE_LOADED;
    r->options = outer;
    return why;
}

/* ---- reading values ---- */

static const struct setting *must(const struct reckon *r, const char *name) {
    const struct setting *o = option_named(r, name);
    if (!o) {
        const struct module *m = module_running();
        const char *who =
            m ? reckon_text((struct reckon *)r, "the module %s (%s)", m->stem, m->file) : "a module";
        fprintf(stderr, "reckon: %s asked for the option --%s, which no module of this verb declares\n", who,
                name);
        unlink_temporaries();
        module_enter(NULL); /* this is all there is to say about its end */
        exit(2);
    }
    return o;
}

static const char *last_value(const struct setting *o) {
    return o->values.count ? o->values.at[o->values.count - 1] : o->spec.initial;
}

bool reckon_flag(const struct reckon *r, const char *name) {
    return must(r, name)->given;
}

double reckon_option_number(const struct reckon *r, const char *name) {
    return must(r, name)->number;
}

const char *reckon_option_text(const struct reckon *r, const char *name) {
    return last_value(must(r, name));
}

size_t reckon_option_count(const struct reckon *r, const char *name) {
    return must(r, name)->values.count;
}

const char *reckon_option_at(const struct reckon *r, const char *name, size_t i) {
    const struct setting *o = must(r, name);
    return i < o->values.count ? o->values.at[i] : NULL;
}

const char *reckon_option_from(struct reckon *r, const char *name) {
    const struct setting *o = must(r, name);
    return o->from ? o->from : reckon_text(r, "--%s", name);
}

bool reckon_option_given(const struct reckon *r, const char *name) {
    const struct setting *o = option_named(r, name);
    return o && o->given;
}

const char *reckon_argument(const struct reckon *r, size_t i) {
    return i < r->options->arguments.count ? r->options->arguments.at[i] : NULL;
}
