/* SPDX-License-Identifier: Apache-2.0
 *
 * The program in one session: finds the modules, reads the options of the verb, lets it work, and says on
 * stderr why it could not. Apart from the process, so that tests can run it many times in one.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "findings.h"
#include "help.h"
#include "main_run.h"
#include "options.h"
#include "program.h"

/* What was printed must have got there. A reader that has had enough is no failure. */
static int end_output(int status) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    if (errno == EPIPE || (poll(&out, 1, 0) == 1 && out.revents & POLLERR))
        return status;
    fprintf(stderr, "reckon: standard output: cannot be written%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return 2;
}

int print_version(void) {
    puts("reckon " RECKON_VERSION);
    return end_output(0);
}

/* ---- what must be known before the modules are there ---- */

/* The value of an option at argv[*i]: after '=', or the next word. */
static const char *early_value(char **argv, int argc, int *i, const char *name) {
    size_t n = strlen(name);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): of argc words none is missing */
    if (strncmp(argv[*i], name, n))
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (argv[*i][n] || *i + 1 >= argc)
        return NULL;
    return argv[++*i];
}

/* Takes up the options that say where modules are. Returns where the first other word is. */
static int early_options(int argc, char **argv, struct module_search *search) {
    int first = 0;
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        int at = i;
        const char *value;
        if (!strcmp(argv[i], "--strict-plugins"))
            search->strict = true;
        else if ((value = early_value(argv, argc, &i, "--plugin-dir")))
            strings_add(&search->dirs, value);
        else if ((value = early_value(argv, argc, &i, "--replace")))
            strings_add(&search->replace, value);
        else if (!first)
            first = at;
    }
    return first ? first : argc;
}

/* The verb, when the word is one: it is taken out of the words. */
static const char *take_verb(const struct reckon *r, int *argc, char **argv, int at) {
    if (at >= *argc || !module_named(r, RECKON_KIND_verb, argv[at]))
        return "run";
    const char *verb = argv[at];
    memmove(argv + at, argv + at + 1, (size_t)(*argc - at) * sizeof *argv); /* with the NULL at the end */
    --*argc;
    return verb;
}

/* ---- the program ---- */

static int run_verb(struct reckon *r) {
    const struct module *m = module_named(r, RECKON_KIND_verb, r->verb);
    if (!m)
        return main_run(r);
    const struct module *before = module_enter(m);
    int status = m->plugin->verb.main(r);
    module_leave(before);
    return status < 0 ? module_answer(r, m, status) : status; /* else it is the exit status */
}

int program_prepare(struct reckon *r, int argc, char **argv, const struct preloaded *preloaded) {
    struct module_search search = {.preloaded = preloaded};
    int first = early_options(argc, argv, &search);
    int rc = r->modules ? 0 : modules_load(r, &search);
    free(search.dirs.at);
    free(search.replace.at);
    if (rc)
        return -1;
    r->verb = take_verb(r, &argc, argv, first);
    return options_collect(r, r->verb) || options_parse(r, argc, argv) ? -1 : 0;
}

static int work(struct reckon *r) {
    if (option_named(r, "help")->given) {
        print_help(r);
        return 0;
    }
    if (option_named(r, "version")->given) {
        puts("reckon " RECKON_VERSION);
        return 0;
    }
    if (reckon_option_given(r, "rules") || reckon_option_given(r, "explain")) {
        if (rules_check_names(r))
            return -1;
        print_rules(r, reckon_option_text(r, "explain"));
        return 0;
    }
    return run_verb(r);
}

/* One line on stderr; a file in another reader's format is told where it belongs. */
static void say_error(struct reckon *r) {
    const struct task *t = &r->task;
    const char *hint = t->misfit && r->options ? modules_who_reads(r, t->misfit, t->misfit_reader) : NULL;
    fprintf(stderr, "reckon: %s", t->error ? t->error : "an unknown error");
    if (hint)
        fprintf(stderr, "; %s reads it", hint);
    fputc('\n', stderr);
}

int program_run(struct reckon *r) {
    int status = session_error(r) ? -1 : work(r);
    progress_end();
    if (status < 0) {
        say_error(r);
        status = 2;
    }
    unlink_temporaries();
    return end_output(status);
}
