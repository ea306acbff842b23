/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a run: every file of the paths given into a sink of its own, in parallel. What comes out is in
 * order of the files, whichever thread was first.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "io.h"
#include "modules.h"
#include "paths.h"
#include "samples.h"

struct reading {
    struct reckon *r;
    const struct reckon_plugin *reader;
    const struct module *module; /* to be blamed for a crash */
    double window;
    struct strings files;
    uint32_t *argument; /* per file: which path it comes from */
    struct sample_names *names;
    struct reckon_sink **sinks;
    size_t nsinks;
};

/* What a reader of whole paths needs to tell one of its formats from another. */
int reckon_peek(struct reckon_input *in, struct reckon_head *head) {
    return input_head(in, head);
}

static int list_files(struct reading *x, const char *const *paths, size_t count) {
    const char *suffix = x->reader->run.suffix;
    struct strings suffixes = {.at = &suffix, .count = suffix ? 1 : 0};
    return paths_files(x->r, paths, count, &suffixes, &x->files, &x->argument);
}

static const struct module *module_of(const struct reckon *r, const struct reckon_plugin *reader) {
    for (size_t i = 0; r->modules && i < r->modules->count; i++)
        if (r->modules->at[i].plugin == reader)
            return &r->modules->at[i];
    return NULL;
}

static void add_sink(struct reading *x, const char *path, uint32_t argument) {
    struct reckon_sink *s = sink_new(x->r, path);
    s->window = x->window;
    s->argument = argument;
    x->sinks[x->nsinks++] = s;
}

static int read_file(void *user, size_t i) {
    struct reading *x = user;
    struct reckon_input *in = reckon_open(x->r, x->files.at[i]);
    if (!in)
        return -1;
    const struct module *before = module_enter(x->module);
    int rc = module_answer(x->r, x->module, x->reader->run.read(x->r, in, x->sinks[i]));
    module_leave(before);
    reckon_close(in);
    sink_finish(x->sinks[i], x->names);
    return rc;
}

/* How much there is to read; 0 when one is a pipe or the like. */
static uint64_t bytes_of(const struct strings *files) {
    uint64_t all = 0;
    struct stat st;
    for (size_t i = 0; i < files->count; i++) {
        if (stat(files->at[i], &st) || !S_ISREG(st.st_mode))
            return 0;
        all += (uint64_t)st.st_size;
    }
    return all;
}

/* Whose rows are missing nobody can tell: a host whose file is still empty is then one that never reported.
 */
static void note_empty(const struct reading *x) {
    const char *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < x->nsinks; i++)
        if (!x->sinks[i]->count && !x->sinks[i]->nfailed) {
            first = first ? first : x->files.at[i];
            n++;
        }
    if (n == 1)
        reckon_note(x->r, "%s holds no row that can be used", reckon_printable(x->r, first));
    else if (n)
        reckon_note(x->r, "%zu files hold no row that can be used (%s is the first)", n,
                    reckon_printable(x->r, first));
}

static int read_files(struct reading *x) {
    for (size_t i = 0; i < x->files.count; i++)
        add_sink(x, x->files.at[i], x->argument[i]);
    int rc = reckon_parallel(x->r, x->files.count, read_file, x);
    if (!rc)
        note_empty(x);
    return rc;
}

static int read_together(struct reading *x) {
    add_sink(x, x->files.count ? x->files.at[0] : "", 0);
    const struct module *before = module_enter(x->module);
    int rc = module_answer(x->r, x->module,
                           x->reader->run.read_all(x->r, x->files.at, x->files.count, x->sinks[0]));
    module_leave(before);
    sink_finish(x->sinks[0], x->names);
    return rc;
}

int run_read_window(struct reckon *r, const struct reckon_plugin *reader, const char *const *paths,
                    size_t count, double window, struct reckon_sink ***sinks, size_t *nsinks) {
    struct reading x = {.r = r, .reader = reader, .module = module_of(r, reader), .window = window};
    int rc = list_files(&x, paths, count);
    if (!rc) {
        x.names = sample_names_new();
        x.sinks = reckon_resize(NULL, x.files.count + 1, sizeof *x.sinks);
        progress_expect(bytes_of(&x.files));
        rc = reader->run.read_all ? read_together(&x) : read_files(&x);
        sample_names_leave(x.names);
    }
    if (rc) {
        for (size_t i = 0; i < x.nsinks; i++)
            sink_free(x.sinks[i]);
        free(x.sinks);
        x.sinks = NULL;
        x.nsinks = 0;
    }
    free(x.files.at);
    free(x.argument);
    *sinks = x.sinks;
    *nsinks = x.nsinks;
    return rc;
}

int run_read(struct reckon *r, const struct reckon_plugin *reader, const char *const *paths, size_t count,
             struct reckon_sink ***sinks, size_t *nsinks) {
    return run_read_window(r, reader, paths, count, 0, sinks, nsinks);
}
