/* SPDX-License-Identifier: Apache-2.0
 *
 * The reckon program: what the process needs, around the one session it runs.
 */
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "findings_state.h"
#include "guard.h"
#include "program.h"

/* ---- signals: no half-written file stays ---- */

static void on_signal(int sig) {
    unlink_temporaries();
    signal(sig, SIG_DFL);
    raise(sig);
}

static void catch_signals(void) {
    struct sigaction act = {.sa_handler = on_signal};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    if (argc == 2 && !strcmp(argv[1], "--version"))
        return print_version();
    static struct findings findings;
    static struct reckon session = {.lock = PTHREAD_MUTEX_INITIALIZER, .findings = &findings};
    session.program = argv[0];
    catch_signals();
    guard_begin();
    void *stack = guard_thread();
    program_prepare(&session, argc, argv, preloaded_modules());
    int status = program_run(&session);
    guard_thread_end(stack);
    return status; /* the session's memory goes with the process */
}
