/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on many things at once, with a result that does not depend on timing: what each piece says is kept
 * apart and taken in order, and after a failure exactly the pieces before it are sure to have been done.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "guard.h"

struct work {
    int (*fn)(void *user, size_t i);
    void *user;
    struct task *tasks;          /* one for each piece */
    atomic_size_t next;          /* the first piece nobody has taken */
    atomic_size_t failed;        /* the first piece that failed; how many there are for none */
    const struct module *module; /* whose work it is */
};

static void note_failure(struct work *w, size_t i) {
    size_t first = atomic_load(&w->failed);
    while (i < first && !atomic_compare_exchange_weak(&w->failed, &first, i))
        ;
}

/* Takes pieces in order until there are none, or the next one comes after a failure. */
static void take_pieces(struct work *w) {
    struct task *outer = current_task;
    size_t i;
    while ((i = atomic_fetch_add(&w->next, 1)) < atomic_load(&w->failed)) {
        current_task = &w->tasks[i];
        if (w->fn(w->user, i) != 0)
            note_failure(w, i);
    }
    current_task = outer;
}

static void *other_thread(void *work) {
    const struct work *w = work;
    void *stack = guard_thread();
    module_enter(w->module);
    take_pieces(work);
    guard_thread_end(stack);
    return NULL;
}

/* The processors this program may run on. */
static size_t cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (size_t)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than the set holds */
    return online > 0 ? (size_t)online : 1;
}

static size_t jobs(const struct reckon *r) {
    return reckon_option_given(r, "jobs") ? (size_t)reckon_option_number(r, "jobs") : cores();
}

/* This thread works too; a thread that cannot be had only makes it slower. */
static void run(struct work *w, size_t threads) {
    pthread_t *thread = reckon_resize(NULL, threads, sizeof *thread);
    size_t started = 0;
    while (started + 1 < threads && pthread_create(&thread[started], NULL, other_thread, w) == 0)
        started++;
    take_pieces(w);
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

int reckon_parallel(struct reckon *r, size_t n, int (*fn)(void *user, size_t i), void *user) {
    struct work w = {.fn = fn, .user = user, .tasks = reckon_resize(NULL, n, sizeof *w.tasks)};
    w.module = module_running();
    for (size_t i = 0; i < n; i++)
        w.tasks[i] = (struct task){0};
    atomic_init(&w.next, 0);
    atomic_init(&w.failed, n);
    size_t threads = jobs(r);
    run(&w, threads < n ? threads : n);
    size_t failed = atomic_load(&w.failed);
    for (size_t i = 0; i < n; i++) {
        if (i <= failed)
            task_merge(r, &w.tasks[i]);
        else
            free(w.tasks[i].notes.at); /* whether it was done at all depends on timing */
    }
    free(w.tasks);
    return failed < n ? -1 : 0;
}
