/* SPDX-License-Identifier: Apache-2.0
 *
 * A session for tests that read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scratch.h"

struct reckon *scratch_start(struct scratch *s) {
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->session.lock, NULL);
    s->session.options = &s->options;
    s->session.modules = &s->modules;
    s->options.verb = s->session.verb = "run";
    s->options.at = s->settings;
    s->options.count = s->options.cap = 3;
    s->settings[0] = (struct setting){.spec = {.name = "group-kind", .type = RECKON_TEXT}};
    s->settings[1] =
        (struct setting){.spec = {.name = "nic-gbps", .type = RECKON_NUMBER}, .number = RECKON_BLANK};
    s->settings[2] = (struct setting){.spec = {.name = "mtu", .type = RECKON_NUMBER}, .number = 1500};
    scratch_group_kind(s, "rack");
    return &s->session;
}

void scratch_group_kind(struct scratch *s, const char *kinds) {
    s->group_kind = kinds;
    s->settings[0].values = (struct strings){&s->group_kind, 1, 1};
}

void scratch_nic_gbps(struct scratch *s, double gbps) {
    s->settings[1].number = gbps;
}

void scratch_end(struct scratch *s) {
    layout_free(s->session.layout);
    names_map_free(s->session.names);
    free(s->session.task.notes.at);
    arena_free(&s->session.arena);
}

const char *scratch_file(struct scratch *s, const char *text) {
    strcpy(s->path, "scratch.XXXXXX");
    int fd = mkstemp(s->path);
    size_t n = strlen(text);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n || close(fd))
        abort();
    return s->path;
}

int scratch_read(struct scratch *s, const struct reckon_module *m, const char *text, void *into) {
    scratch_file(s, text);
    struct reckon_input *in = reckon_open(&s->session, s->path);
    int rc = !in                             ? -1
             : m->kind == RECKON_KIND_layout ? m->plugin->layout.read(&s->session, in, into)
                                             : m->plugin->context.read(&s->session, in, into);
    reckon_close(in);
    unlink(s->path);
    return rc;
}

int scratch_recognise(const struct reckon_module *m, const char *text) {
    struct reckon_head head = {sizeof head, "scratch", text, strlen(text), true};
    return m->kind == RECKON_KIND_layout ? m->plugin->layout.recognise(&head)
                                         : m->plugin->context.recognise(&head);
}

int scratch_layout(struct scratch *s, const char *text) {
    s->session.layout = layout_new(&s->session, "floor.dc");
    return scratch_read(s, &layout_dc_LTX_reckon_plugin, text, s->session.layout);
}

bool scratch_error(struct scratch *s, const char *piece) {
    const char *error = session_error(&s->session);
    bool found = error && strstr(error, piece);
    if (!found)
        fprintf(stderr, "expected an error with '%s', not '%s'\n", piece, error ? error : "none");
    s->session.task.error = NULL;
    return found;
}
