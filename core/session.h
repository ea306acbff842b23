/* SPDX-License-Identifier: Apache-2.0
 *
 * What the core's own files share about the session: memory, errors by task, and the registries. Not
 * installed.
 */
#ifndef RECKON_CORE_SESSION_H
#define RECKON_CORE_SESSION_H

#include <pthread.h>
#include <stdio.h>

#include <reckon/plugin.h>

/* ---- arena: many small blocks, freed at once ---- */

struct arena_block;
struct arena {
    struct arena_block *last;
    size_t used;  /* in the last block */
    size_t total; /* bytes held */
};
void *arena_alloc(struct arena *a, size_t size); /* zeroed, 16-byte aligned; never NULL */
char *arena_strndup(struct arena *a, const char *s, size_t n);
void arena_free(struct arena *a);

/* ---- interning: one number per distinct text, in order of first appearance ---- */

struct names {
    struct arena arena;
    const char **text; /* by number */
    uint32_t count;
    size_t cap;
    uint32_t *slot; /* open addressing, number + 1 */
    uint32_t slots; /* a power of two, or 0 */
};
uint32_t names_add(struct names *n, const char *s, size_t length);        /* its number, new or old */
uint32_t names_find(const struct names *n, const char *s, size_t length); /* RECKON_NONE for none */
void names_free(struct names *n);

/* Ends the program like a failed allocation does: one line, no temporaries left, status 2. */
_Noreturn void out_of_memory(void);
/* Removes the temporaries of files being written; safe in a signal handler. (writer.c) */
void unlink_temporaries(void);

/* ---- tasks: errors and notes of work done in parallel, kept in order ---- */

struct module; /* modules.h */
struct strings {
    const char **at;
    size_t count, cap;
};
struct task {
    const char *error;                  /* the first; NULL for none */
    const char *misfit;                 /* the path whose format was wrong, for the hint; NULL */
    const struct module *misfit_reader; /* who said so; NULL */
    struct strings notes;
};
/* The task of this thread; the session's own when NULL. */
extern _Thread_local struct task *current_task;
/* Takes over a task's error and notes into the current one. Frees what the task holds. */
void task_merge(struct reckon *r, struct task *t);

struct modules;  /* module.h */
struct options;  /* options.h */
struct findings; /* findings.h */

struct reckon {
    pthread_mutex_t lock; /* arena, notes */
    struct arena arena;
    struct task task; /* of the main thread */
    struct strings assumptions;
    struct modules *modules;
    struct options *options;
    struct findings *findings;
    struct reckon_layout *layout;
    struct reckon_names *names;
    const char *verb;    /* "run" */
    const char *subject; /* being judged or written */
    const char *output_path;
    const char *program; /* argv[0] */
    bool quiet, verbose; /* as the options say, for progress and stage times */
    bool stdin_taken;    /* somebody reads standard input */
};

void strings_add(struct strings *s, const char *text);

/* The message of the first error, or NULL. */
const char *session_error(const struct reckon *r);
/* With --verbose: says on stderr how long the stage took since the last call, and the memory in use. */
void stage_done(struct reckon *r, const char *stage);
/* Progress of reading: how many bytes there are to read in all (0: unknown), and that n more were read. */
void progress_expect(uint64_t bytes);
void progress_count(const struct reckon *r, size_t n);
/* Ends the progress line. */
void progress_end(void);

#endif
