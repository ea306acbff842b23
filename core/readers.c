/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing the reader of a file by its content: every reader that may is shown the file's beginning, the
 * surest reads it. A tie is refused; when nobody knows the file, the fallback reader says what is wrong with
 * it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"
#include "paths.h"
#include "readers.h"

static const char *role_of(const struct module *m) {
    return m->kind == RECKON_KIND_context ? m->plugin->context.role : kind_word(m->kind);
}

static reckon_recognise *recogniser(const struct module *m) {
    switch (m->kind) {
    case RECKON_KIND_layout:
        return m->plugin->layout.recognise;
    case RECKON_KIND_run:
        return m->plugin->run.recognise;
    case RECKON_KIND_context:
        return m->plugin->context.recognise;
    default:
        return NULL;
    }
}

static bool is_fallback(const struct module *m) {
    return m->kind == RECKON_KIND_layout ? m->plugin->layout.fallback : m->plugin->context.fallback;
}

int module_score(const struct module *m, const struct reckon_head *head) {
    const struct module *before = module_enter(m);
    int s = recogniser(m)(head);
    module_leave(before);
    return s;
}

const struct module *reader_for(struct reckon *r, enum reckon_kind kind, const char *role,
                                const struct reckon_head *head) {
    const struct module *best = NULL, *tied = NULL, *fallback = NULL, *m;
    int most = 0;
    for (size_t i = 0; (m = module_of_kind(r, kind, i)); i++) {
        if (strcmp(role_of(m), role))
            continue;
        int s = module_score(m, head);
        if (is_fallback(m))
            fallback = m;
        if (s > most || (s == most && s > 0)) {
            tied = s == most ? best : NULL;
            best = m;
            most = s;
        }
    }
    if (tied) {
        reckon_error(r, head->path, 0, "both %s and %s would read it; remove one of the two modules",
                     tied->plugin->name, best->plugin->name);
        return NULL;
    }
    if (!best && !fallback)
        reckon_error(r, head->path, 0, "no loaded module reads it");
    return best ? best : fallback;
}

/* The option a reader hangs on: "--idle", or "LAYOUT". */
static const char *option_of(struct reckon *r, const struct module *m) {
    if (m->kind == RECKON_KIND_layout)
        return "LAYOUT, which stands before the options,";
    return reckon_text(r, "--%s", m->kind == RECKON_KIND_run ? m->plugin->name : m->plugin->context.role);
}

const char *modules_who_reads(struct reckon *r, const char *path, const struct module *but) {
    const char *tried = but && recogniser(but) ? option_of(r, but) : "";
    const struct module *best = NULL;
    struct reckon_head head;
    struct stat st; /* a pipe is at its end already, and opening one may wait for ever */
    int most = 40;  /* a guess must not send anybody the wrong way */
    struct task *outer = current_task, quiet = {0};
    current_task = &quiet;
    struct reckon_input *in = !stat(path, &st) && S_ISREG(st.st_mode) ? reckon_open(r, path) : NULL;
    if (in && !input_head(in, &head)) {
        for (size_t i = 0; i < r->modules->count; i++) {
            const struct module *m = &r->modules->at[i];
            if (m->state != MODULE_LOADED || !recogniser(m) || !module_of_verb(r, m, r->options->verb))
                continue;
            int s = module_score(m, &head);
            if (s > most && strcmp(option_of(r, m), tried)) {
                best = m;
                most = s;
            }
        }
    }
    reckon_close(in);
    current_task = outer;
    free(quiet.notes.at);
    return best ? option_of(r, best) : NULL;
}

/* ---- the layout ---- */

int reckon_read_layout(struct reckon *r, const char *path) {
    struct reckon_head head;
    struct reckon_input *in = reckon_open(r, path);
    int rc = -1;
    if (!in || input_head(in, &head))
        goto out;
    const struct module *m = reader_for(r, RECKON_KIND_layout, "layout", &head);
    if (!m)
        goto out;
    struct reckon_layout *l = layout_new(r, path);
    const struct module *before = module_enter(m);
    rc = module_answer(r, m, m->plugin->layout.read(r, in, l));
    module_leave(before);
    if (!rc && !reckon_element_count(l))
        rc = reckon_error(r, path, 0, "the layout describes nothing");
    r->layout = l;
out:
    reckon_close(in);
    return rc;
}

/* ---- roles ---- */

int reckon_read_role_file(struct reckon *r, const char *role, const char *path, void *into) {
    struct reckon_head head;
    struct reckon_input *in = reckon_open(r, path);
    int rc = -1;
    if (!in || input_head(in, &head))
        goto out;
    const struct module *m = reader_for(r, RECKON_KIND_context, role, &head);
    if (!m)
        goto out;
    const struct module *before = module_enter(m);
    rc = module_answer(r, m, m->plugin->context.read(r, in, into));
    module_leave(before);
out:
    reckon_close(in);
    return rc;
}

/* The suffixes of the role's readers, and whether its paths are the plain arguments. */
static bool role_suffixes(struct reckon *r, const char *role, struct strings *suffixes) {
    bool positional = false;
    const struct module *m;
    for (size_t i = 0; (m = module_of_kind(r, RECKON_KIND_context, i)); i++)
        if (!strcmp(m->plugin->context.role, role)) {
            positional = positional || m->plugin->context.positional;
            if (m->plugin->context.suffix)
                strings_add(suffixes, m->plugin->context.suffix);
        }
    return positional;
}

int reckon_role_files(struct reckon *r, const char *role, const char *path, const char ***files,
                      size_t *count) {
    struct strings suffixes = {0}, list = {0};
    role_suffixes(r, role, &suffixes);
    int rc = path_files(r, path, &suffixes, &list);
    *files = reckon_alloc(r, list.count * sizeof **files);
    for (size_t i = 0; i < list.count; i++)
        (*files)[i] = list.at[i];
    *count = list.count;
    free(suffixes.at);
    free(list.at);
    return rc;
}

/* The files behind a role's option or the plain arguments, directories expanded by the readers' suffixes. */
static int role_files(struct reckon *r, const char *role, struct strings *files) {
    struct strings suffixes = {0}, given = {0};
    if (role_suffixes(r, role, &suffixes))
        for (const char *a; (a = reckon_argument(r, given.count));)
            strings_add(&given, a);
    else if (option_named(r, role))
        for (size_t i = 0; i < reckon_option_count(r, role); i++)
            strings_add(&given, reckon_option_at(r, role, i));
    int rc = paths_files(r, given.at, given.count, &suffixes, files, NULL);
    free(suffixes.at);
    free(given.at);
    return rc;
}

int reckon_read_role(struct reckon *r, const char *role, void *into, size_t *files) {
    struct strings list = {0};
    int rc = role_files(r, role, &list);
    for (size_t i = 0; i < list.count && !rc; i++)
        rc = reckon_read_role_file(r, role, list.at[i], into);
    if (files)
        *files = list.count;
    free(list.at);
    return rc;
}
