/* SPDX-License-Identifier: Apache-2.0
 *
 * The session: memory for plugins, the first error, and the notes and assumptions every output shows.
 * Work done in parallel keeps its errors and notes in tasks, so that what is said never depends on timing.
 */
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "modules.h"
#include "session.h"

_Thread_local struct task *current_task;

static struct task *task_of(struct reckon *r) {
    return current_task ? current_task : &r->task;
}

void *reckon_alloc(struct reckon *r, size_t size) {
    pthread_mutex_lock(&r->lock);
    void *p = arena_alloc(&r->arena, size);
    pthread_mutex_unlock(&r->lock);
    return p;
}

char *reckon_strndup(struct reckon *r, const char *s, size_t n) {
    size_t length = strnlen(s, n);
    char *copy = reckon_alloc(r, length + 1);
    memcpy(copy, s, length);
    return copy;
}

char *reckon_strdup(struct reckon *r, const char *s) {
    return reckon_strndup(r, s, strlen(s));
}

char *reckon_vtext(struct reckon *r, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    size_t size = n < 0 ? 1 : (size_t)n + 1;
    char *text = reckon_alloc(r, size);
    vsnprintf(text, size, fmt, again);
    va_end(again);
    return text;
}

char *reckon_text(struct reckon *r, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    char *text = reckon_vtext(r, fmt, ap);
    va_end(ap);
    return text;
}

void *reckon_resize(void *p, size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        out_of_memory();
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q)
        out_of_memory();
    return q;
}

void *reckon_grow(void *p, size_t n, size_t *cap, size_t size) {
    if (n < *cap)
        return p;
    *cap = *cap ? *cap * 2 : 16;
    return reckon_resize(p, *cap, size);
}

void strings_add(struct strings *s, const char *text) {
    s->at = reckon_grow(s->at, s->count, &s->cap, sizeof *s->at);
    s->at[s->count++] = text;
}

/* "FILE:LINE: why", with what is missing left out. */
static const char *located(struct reckon *r, const char *file, unsigned long line, const char *why) {
    if (!file)
        return why;
    if (!strcmp(file, "-"))
        file = "standard input";
    file = reckon_printable(r, file);
    return line ? reckon_text(r, "%s:%lu: %s", file, line, why) : reckon_text(r, "%s: %s", file, why);
}

static int keep_error(struct reckon *r, const char *file, unsigned long line, const char *misfit,
                      const char *why) {
    struct task *t = task_of(r);
    if (!t->error) {
        t->error = located(r, file, line, why);
        t->misfit = misfit ? reckon_strdup(r, misfit) : NULL;
        t->misfit_reader = module_running();
    }
    return -1;
}

int reckon_error(struct reckon *r, const char *file, unsigned long line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    keep_error(r, file, line, NULL, reckon_vtext(r, fmt, ap));
    va_end(ap);
    return -1;
}

int reckon_wrong_format(struct reckon *r, const char *file, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    keep_error(r, file, 0, file, reckon_vtext(r, fmt, ap));
    va_end(ap);
    return -1;
}

void reckon_note(struct reckon *r, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    strings_add(&task_of(r)->notes, reckon_vtext(r, fmt, ap));
    va_end(ap);
}

void reckon_assume(struct reckon *r, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    strings_add(&r->assumptions, reckon_vtext(r, fmt, ap));
    va_end(ap);
}

const char *reckon_note_at(const struct reckon *r, size_t i) {
    return i < r->task.notes.count ? r->task.notes.at[i] : NULL;
}

const char *reckon_assumption_at(const struct reckon *r, size_t i) {
    return i < r->assumptions.count ? r->assumptions.at[i] : NULL;
}

void task_merge(struct reckon *r, struct task *t) {
    struct task *into = task_of(r);
    if (t->error && !into->error) {
        into->error = t->error;
        into->misfit = t->misfit;
        into->misfit_reader = t->misfit_reader;
    }
    for (size_t i = 0; i < t->notes.count; i++)
        strings_add(&into->notes, t->notes.at[i]);
    free(t->notes.at);
    *t = (struct task){0};
}

const char *session_error(const struct reckon *r) {
    return r->task.error;
}

const char *reckon_version(void) {
    return RECKON_VERSION;
}

const char *reckon_subject(const struct reckon *r) {
    return r->subject;
}

const char *reckon_output_path(const struct reckon *r) {
    return r->output_path;
}
