/* SPDX-License-Identifier: Apache-2.0
 *
 * The reckon program: what the process needs, around the one session it runs.
 */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "findings_state.h"
#include "guard.h"
#include "program.h"

/* ---- signals: no half-written file stays ---- */

static void on_signal(int sig) {
    unlink_temporaries();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* A signal that whoever started us had ignored (nohup, a shell's background job) stays ignored. */
static void catch_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = on_signal}, old;
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &act, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* A standard stream that was closed must not become some file that is opened next: it is taken by one that
 * can be neither read nor written as that stream. */
static void hold_standard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(2);
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    hold_standard_streams();
    catch_signals();
    if (argc == 2 && !strcmp(argv[1], "--version"))
        return print_version();
    static struct findings findings;
    static struct reckon session = {.lock = PTHREAD_MUTEX_INITIALIZER, .findings = &findings};
    session.program = argv[0];
    guard_begin();
    void *stack = guard_thread();
    program_prepare(&session, argc, argv, preloaded_modules());
    int status = program_run(&session);
    guard_thread_end(stack);
    return status; /* the session's memory goes with the process */
}
