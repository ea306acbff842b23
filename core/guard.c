/* SPDX-License-Identifier: Apache-2.0
 *
 * Which module's code runs on this thread, so that a crash or a call of exit() in there is blamed on it by
 * name before the program dies, and no half-written file stays. Sanitizers report crashes better, so they are
 * left to it.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Of the handler; it also serves where the thread's own is used up. */
#define STACK_SIZE ((size_t)64 * 1024)
/* Threads that may call exit() at once: each call takes one handler, and without one it would end us. */
#define EXITS 64

static _Thread_local const struct module *running;

const struct module *module_enter(const struct module *m) {
    const struct module *before = running;
    running = m;
    return before;
}

void module_leave(const struct module *before) {
    running = before;
}

const struct module *module_running(void) {
    return running;
}

int module_answer(struct reckon *r, const struct module *m, int rc) {
    if (rc && m) /* what it said itself came first and counts */
        reckon_error(r, m->file, 0, "the %s %s returned %d without an error", kind_word(m->kind),
                     m->plugin->name, rc);
    return rc;
}

/* ---- saying who, with nothing but write() ---- */

static void say(const char *text) {
    ssize_t done = write(STDERR_FILENO, text, strlen(text));
    (void)done; /* there is nothing left to do about it */
}

static void blame(const struct module *m, const char *what) {
    say("reckon: the module ");
    say(m->stem);
    say(" (");
    say(m->file);
    say(") ");
    say(what);
    say("\n");
}

static const char *crash_word(int sig) {
    switch (sig) {
    case SIGSEGV:
        return "crashed: it used memory that is not there (SIGSEGV)";
    case SIGBUS:
        return "crashed: it used memory that cannot be read (SIGBUS)";
    case SIGFPE:
        return "crashed: an impossible division (SIGFPE)";
    case SIGILL:
        return "crashed: an instruction this machine does not have (SIGILL)";
    default:
        return "gave up (SIGABRT)";
    }
}

/* Several threads of one module often fail at once; the first speaks and ends them all, the others wait for
 * it. */
static void first_or_never(void) {
    static atomic_flag dying = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&dying))
        pause();
}

static void on_crash(int sig) {
    first_or_never();
    if (running)
        blame(running, crash_word(sig));
    unlink_temporaries();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* A module that ends the program skips what is to be written; that must not pass for success. */
static void on_exit_call(void) {
    if (!running)
        return;
    first_or_never();
    blame(running, "called exit(); nothing more is written");
    unlink_temporaries();
    _exit(2);
}

/* ---- setting up ---- */

void guard_begin(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction act = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    for (int i = 0; i < EXITS; i++)
        atexit(on_exit_call);
    if (SANITIZED)
        return;
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &act, NULL);
}

void *guard_thread(void) {
    if (SANITIZED)
        return NULL;
    stack_t stack = {.ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE};
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
    return stack.ss_sp;
}

void guard_thread_end(void *stack) {
    stack_t off = {.ss_flags = SS_DISABLE};
    if (stack)
        sigaltstack(&off, NULL);
    free(stack);
}
