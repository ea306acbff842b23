/* SPDX-License-Identifier: Apache-2.0
 *
 * --launch: `reckon node --once` on every host, through ssh or pdsh as they are installed. Each host is a
 * process of its own here, so that one that fails can be named.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* In single quotes, for the shell at the other end. */
static const char *quoted(struct reckon *r, const char *s) {
    size_t n = strlen(s), at = 0;
    char *out = reckon_alloc(r, 4 * n + 3);
    out[at++] = '\'';
    for (; *s; s++) {
        if (*s == '\'') {
            memcpy(out + at, "'\\''", 4);
            at += 4;
        } else {
            out[at++] = *s;
        }
    }
    out[at] = '\'';
    return out;
}

static const char *remote_command(struct bench *b, const struct bench_node *n) {
    char text[ADDRESS_TEXT];
    const char *key = b->key_file ? reckon_text(b->r, " --key-file %s", quoted(b->r, b->key_file)) : "";
    return reckon_text(b->r, "%s node --once --wait 60 --quiet --listen %s%s", quoted(b->r, b->program),
                       quoted(b->r, bench_address_text(&n->at, text)), key);
}

static int launch_one(struct bench *b, struct bench_node *n) {
    char text[ADDRESS_TEXT];
    const char *host = bench_address_text(&n->at, text);
    char *bare = reckon_strndup(b->r, *host == '[' ? host + 1 : host,
                                *host == '[' ? strcspn(host, "]") - 1 : strcspn(host, ":"));
    const char *command = remote_command(b, n);
    const char *ssh[] = {"ssh", "-o", "BatchMode=yes", "--", bare, command, NULL};
    const char *pdsh[] = {"pdsh", "-N", "-S", "-w", bare, command, NULL};
    const char *const *words = strcmp(b->launch, "pdsh") ? ssh : pdsh;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, &none);
    int error = posix_spawnp(&n->launched, words[0], &files, &how, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (!error)
        return 0;
    n->launched = 0;
    return reckon_error(b->r, NULL, 0, "--launch %s: %s cannot be run: %s", b->launch, words[0],
                        strerror(error));
}

int bench_launch(struct bench *b) {
    for (uint32_t i = 0; b->launch && i < b->nnodes; i++)
        if (launch_one(b, &b->nodes[i]))
            return -1;
    return 0;
}

static bool has_ended(struct bench_node *n, int *status) {
    if (!n->launched || waitpid(n->launched, status, WNOHANG) != n->launched)
        return false;
    n->launched = 0;
    return true;
}

void launch_watch(struct bench *b) {
    for (uint32_t i = 0; i < b->nnodes; i++) {
        int status;
        struct bench_node *n = &b->nodes[i];
        if (!has_ended(n, &status) || n->channel.state == CHANNEL_OPEN)
            continue;
        if (WIFEXITED(status))
            node_lost(b, n, "%s ended with status %d", b->launch, WEXITSTATUS(status));
        else
            node_lost(b, n, "%s was ended by signal %d", b->launch, WTERMSIG(status));
    }
}

static bool some_left(struct bench *b) {
    bool left = false;
    int status;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        has_ended(&b->nodes[i], &status);
        left |= b->nodes[i].launched != 0;
    }
    return left;
}

void launch_end(struct bench *b) {
    static const int signals[] = {0, SIGTERM,
                                  SIGKILL}; /* nodes end by themselves when the console hangs up */
    for (size_t k = 0; b->launch && k < sizeof signals / sizeof *signals; k++) {
        for (uint32_t i = 0; signals[k] && i < b->nnodes; i++)
            if (b->nodes[i].launched)
                kill(b->nodes[i].launched, signals[k]);
        for (uint64_t until = bench_clock() + 3 * SECOND; some_left(b) && bench_clock() < until;)
            usleep(20000);
    }
}
