/* SPDX-License-Identifier: Apache-2.0
 *
 * Which outputs are wanted, where they go, and calling their modules. An output never overwrites what is
 * being read.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "options.h"

static const char *target_of(const struct setting *o) {
    const char *path = o->values.count ? o->values.at[o->values.count - 1] : "-";
    return strcmp(path, "-") ? path : NULL;
}

/* The setting of an output that was asked for; NULL otherwise. */
static const struct setting *asked(const struct reckon *r, const struct module *m) {
    const struct setting *o = m->plugin->output.console ? NULL : option_named(r, output_option(m));
    return o && o->given && o->role == OPTION_OUTPUT ? o : NULL;
}

/* ---- targets that are inputs ---- */

static bool is_file(const struct stat *st, const struct stat *target) {
    return st->st_dev == target->st_dev && st->st_ino == target->st_ino;
}

static bool same_file(const char *path, const struct stat *target) {
    struct stat st;
    return !stat(path, &st) && is_file(&st, target);
}

static bool input_holds(struct reckon *r, const char *path, const struct stat *target) {
    struct stat st;
    if (strcmp(path, "-") ? stat(path, &st) : fstat(STDIN_FILENO, &st))
        return false;
    if (!S_ISDIR(st.st_mode))
        return is_file(&st, target);
    DIR *d = opendir(path);
    bool found = false;
    if (!d && errno == ENOMEM)
        out_of_memory();
    for (struct dirent *e; d && !found && (e = readdir(d));)
        found = (e->d_type != DT_REG || e->d_ino == target->st_ino) && /* a link has a number of its own */
                same_file(reckon_text(r, "%s/%s", path, e->d_name), target);
    if (d)
        closedir(d);
    return found;
}

/* The first input that is, or lies in a directory with, the target of an option. */
static const char *input_that_is(struct reckon *r, const char *option, const struct stat *target) {
    for (size_t i = 0; i < r->options->count; i++) {
        const struct setting *o = &r->options->at[i];
        if (o->role == OPTION_OUTPUT || !strcmp(o->spec.name, option) ||
            (o->spec.type != RECKON_PATH && o->spec.type != RECKON_PATHS))
            continue;
        for (size_t v = 0; v < o->values.count; v++)
            if (input_holds(r, o->values.at[v], target))
                return o->values.at[v];
    }
    for (size_t i = 0; i < r->options->arguments.count; i++)
        if (input_holds(r, r->options->arguments.at[i], target))
            return r->options->arguments.at[i];
    return NULL;
}

int reckon_check_target(struct reckon *r, const char *option, const char *path) {
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return 0;
    const char *input = input_that_is(r, option, &st);
    if (!input)
        return 0;
    return reckon_error(r, path, 0, "--%s would overwrite an input of this run (%s)", option,
                        reckon_printable(r, input));
}

/* Whether two paths at which nothing is yet have one name in one folder. */
static bool same_place(struct reckon *r, const char *a, const char *b) {
    const char *at[] = {write_target(r, a), write_target(r, b)}, *name[2], *folder[2];
    struct stat st;
    for (int i = 0; i < 2; i++) {
        if (!at[i])
            return false;
        const char *slash = strrchr(at[i], '/');
        name[i] = slash ? slash + 1 : at[i];
        folder[i] = slash ? reckon_text(r, "%.*s", (int)(name[i] - at[i]), at[i]) : ".";
    }
    return !strcmp(name[0], name[1]) && !stat(folder[0], &st) && same_file(folder[1], &st);
}

static bool same_target(struct reckon *r, const char *a, const char *b) {
    struct stat st;
    if (!strcmp(a, b))
        return true;
    return stat(a, &st) ? same_place(r, a, b) : S_ISREG(st.st_mode) && same_file(b, &st);
}

int reckon_check_outputs(struct reckon *r) {
    const struct setting *to_stdout = NULL;
    for (size_t i = 0; i < r->options->count; i++) {
        const struct setting *o = &r->options->at[i];
        if (o->role != OPTION_OUTPUT || !o->given)
            continue;
        const char *path = target_of(o);
        if (!path && to_stdout)
            return reckon_error(r, NULL, 0,
                                "--%s and --%s cannot both go to standard output; give one a path",
                                to_stdout->spec.name, o->spec.name);
        if (!path)
            to_stdout = o;
        else if (reckon_check_target(r, o->spec.name, path))
            return -1;
        for (size_t k = 0; path && k < i; k++) {
            const struct setting *p = &r->options->at[k];
            if (p->role == OPTION_OUTPUT && p->given && target_of(p) && same_target(r, target_of(p), path))
                return reckon_error(r, path, 0, "--%s and --%s would write the same file", p->spec.name,
                                    o->spec.name);
        }
    }
    return 0;
}

/* ---- writing ---- */

static int write_one(struct reckon *r, const struct module *m, const char *path, const void *data) {
    const struct module *before = module_enter(m);
    int rc = -1;
    r->output_path = path;
    struct reckon_writer *w = m->plugin->output.directory ? NULL : reckon_create(r, path);
    if (w || m->plugin->output.directory)
        rc = module_answer(r, m, m->plugin->output.write(r, data, w));
    if (w && rc)
        reckon_abandon(w);
    else if (w)
        rc = reckon_commit(w);
    module_leave(before);
    return rc;
}

int reckon_write_outputs(struct reckon *r, const char *subject, const void *data) {
    const char *outer = r->subject;
    const struct module *m, *console = NULL;
    bool taken = false;
    int rc = 0;
    r->subject = subject;
    for (size_t i = 0; !rc && (m = module_of_kind(r, RECKON_KIND_output, i)); i++) {
        if (!has_word(m->plugin->output.on, subject))
            continue;
        if (m->plugin->output.console)
            console = m;
        const struct setting *o = asked(r, m);
        if (!o)
            continue;
        taken = taken || (!target_of(o) && !m->plugin->output.directory);
        rc = write_one(r, m, target_of(o), data);
    }
    progress_end();
    if (!rc && console && !taken)
        rc = write_one(r, console, NULL, data);
    r->subject = outer;
    return rc;
}
