/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs for tests.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reading.h"

void reading_start(struct reading *x) {
    memset(x, 0, sizeof *x);
    x->r = scratch_start(&x->scratch);
    x->mode = (struct setting){.spec = {.name = "iperf-mode", .type = RECKON_TEXT}};
    x->scratch.options.at = &x->mode;
    x->scratch.options.count = x->scratch.options.cap = 1;
    strcpy(x->folder, "reading.XXXXXX");
    if (!mkdtemp(x->folder))
        abort();
}

void reading_mode(struct reading *x, const char *mode) {
    x->mode_text = mode;
    x->mode.values = (struct strings){&x->mode_text, 1, 1};
}

const char *reading_file(struct reading *x, const char *name, const char *text) {
    const char *path = reckon_text(x->r, "%s/%s", x->folder, name);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        abort();
    return path;
}

static void forget_run(struct reading *x) {
    if (x->run)
        run_free(x->run);
    x->run = NULL;
}

struct reckon_comparison *reading_assemble(struct reading *x, const struct reckon_plugin *reader,
                                           struct reckon_sink **sinks, size_t n, double window) {
    forget_run(x);
    return x->run = run_assemble(x->r, reader, sinks, n, window);
}

struct reckon_comparison *reading_run(struct reading *x, const struct reckon_module *reader, const char *path,
                                      double window) {
    struct reckon_sink **sinks;
    size_t n;
    forget_run(x);
    if (run_read_window(x->r, reader->plugin, &path, 1, window, &sinks, &n))
        return NULL;
    reading_assemble(x, reader->plugin, sinks, n, window);
    free(sinks);
    return x->run;
}

void reading_end(struct reading *x) {
    DIR *d = opendir(x->folder);
    forget_run(x);
    for (struct dirent *e; d && (e = readdir(d));)
        unlink(reckon_text(x->r, "%s/%s", x->folder, e->d_name));
    if (d)
        closedir(d);
    rmdir(x->folder);
    scratch_end(&x->scratch);
}

size_t reading_notes(const struct reading *x) {
    return x->r->task.notes.count;
}

bool reading_noted(const struct reading *x, const char *piece) {
    for (size_t i = 0; i < x->r->task.notes.count; i++)
        if (strstr(x->r->task.notes.at[i], piece))
            return true;
    return false;
}

const struct host *host_named(const struct reckon_comparison *c, const char *name) {
    for (uint32_t h = 0; h < c->nhosts; h++)
        if (!strcmp(c->hosts[h].name, name))
            return &c->hosts[h];
    return NULL;
}

const struct flow *flow_named(const struct reckon_comparison *c, const char *src, const char *dst,
                              const char *layer) {
    for (uint32_t i = 0; i < c->nflows; i++) {
        const struct flow *f = &c->flows[i];
        const char *in = c->layers[f->layer];
        if (!strcmp(c->hosts[f->src].name, src) && !strcmp(c->hosts[f->dst].name, dst) &&
            !strcmp(in ? in : "", layer ? layer : ""))
            return f;
    }
    return NULL;
}
