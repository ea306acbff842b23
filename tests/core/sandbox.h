/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of the core need again and again: a session without modules, and files in a folder that goes
 * away.
 */
#ifndef TESTS_SANDBOX_H
#define TESTS_SANDBOX_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../core/io.h"
#include "../../core/options.h"

/* A session in which no option is declared, or only --jobs (0: none). */
static inline struct reckon *session_begin(size_t jobs) {
    struct reckon *r = calloc(1, sizeof *r);
    r->options = calloc(1, sizeof *r->options);
    if (jobs) {
        r->options->at = calloc(1, sizeof *r->options->at);
        *r->options->at = (struct setting){
            .spec = {.name = "jobs", .type = RECKON_WHOLE}, .given = true, .number = (double)jobs};
        r->options->count = 1;
    }
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

static inline void session_end(struct reckon *r) {
    pthread_mutex_destroy(&r->lock);
    arena_free(&r->arena);
    free(r->task.notes.at);
    free(r->assumptions.at);
    free(r->options->at);
    free(r->options);
    free(r);
}

/* An empty folder; its path stays in `path` (of 64 bytes). */
static inline char *folder_begin(char *path) {
    strcpy(path, "/tmp/reckon-test-XXXXXX");
    return mkdtemp(path);
}

/* How many entries the folder has, hidden ones included. */
static inline size_t folder_count(const char *path) {
    size_t n = 0;
    DIR *d = opendir(path);
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

static inline void folder_end(const char *path) {
    char name[512];
    DIR *d = opendir(path);
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            remove(name);
    }
    closedir(d);
    rmdir(path);
}

/* The path of a file in the folder, valid until the next call. */
static inline const char *in_folder(const char *folder, const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void file_write(const char *path, const void *data, size_t n) {
    FILE *f = fopen(path, "w");
    fwrite(data, 1, n, f);
    fclose(f);
}

/* What the file holds, NUL-terminated; "" when there is none. free() it. */
static inline char *file_read(const char *path) {
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen(path, "r");
    if (f) {
        size_t n = fread(text, 1, (1 << 20) - 1, f);
        text[n] = '\0';
        fclose(f);
    }
    return text;
}

#endif
