/* SPDX-License-Identifier: Apache-2.0
 *
 * --follow: records are read as they come, and a period is judged once it is over and --grace has gone by, by
 * the records' own time; where they are live and nothing more is waiting, by the clock.
 */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer.h"
#include "../triage_common/tail.h"

#define MOST_AT_ONCE 262144u  /* bytes read from one source before the others have their turn */
#define LEAST_AT_ONCE 16384u  /* the same, of a source among very many */
#define MOST_WAITING 16777216 /* bytes that all sources together hold ready */
#define STEP 1.0              /* seconds by the records that are read between two looks at what is due */
#define IDLE_MS 200           /* how often growing files are looked at */

struct following {
    struct analyzer *a;
    struct tail *tails;
    size_t ntails, cap;
    double next_scan; /* seconds by the clock: when directories are looked at again */
    int signals;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- sources ---- */

static void add_source(struct following *f, const char *path, enum record_kind kind) {
    for (size_t i = 0; i < f->ntails; i++)
        if (!strcmp(f->tails[i].path, path))
            return;
    f->tails = reckon_grow(f->tails, f->ntails, &f->cap, sizeof *f->tails);
    tail_init(&f->tails[f->ntails++], path, kind);
}

/* Files as they are, there or not; directories as the files in them now. */
static int add_path(struct following *f, const char *role, const char *path, enum record_kind kind) {
    struct stat st;
    const char **files;
    size_t n;
    if (!strcmp(path, "-") || stat(path, &st) || !S_ISDIR(st.st_mode)) {
        add_source(f, path, kind);
        return 0;
    }
    if (reckon_role_files(f->a->r, role, path, &files, &n))
        return -1;
    for (size_t i = 0; i < n; i++)
        add_source(f, files[i], kind);
    return 0;
}

static int add_sources(struct following *f) {
    static const char *const roles[RECORD_KINDS] = {"probes", "agents", "paths", "job", "job-metric"};
    for (int k = 0; k < RECORD_KINDS; k++)
        for (size_t i = 0; i < reckon_option_count(f->a->r, roles[k]); i++)
            if (add_path(f, roles[k], reckon_option_at(f->a->r, roles[k], i), (enum record_kind)k))
                return -1;
    if (!f->ntails)
        add_source(f, "-", RECORD_PROBE);
    return 0;
}

static size_t share_of(const struct following *f) {
    size_t share = MOST_WAITING / f->ntails;
    return share > MOST_AT_ONCE ? MOST_AT_ONCE : share < LEAST_AT_ONCE ? LEAST_AT_ONCE : share;
}

/* Gives every source something to hand over where there is something. The earliest ts that any of them hands
 * over next; infinity when all of them wait for more. */
static double fill(struct following *f, size_t *got) {
    double slowest = (double)INFINITY;
    for (size_t i = 0; i < f->ntails; i++) {
        struct tail *t = &f->tails[i];
        *got += tail_fill(t, share_of(f));
        if (!t->waiting)
            slowest = fmin(slowest, tail_next(t));
    }
    return slowest;
}

/* Sources are read side by side, whatever their sizes: none is read on while it is far ahead of the slowest
 * one that still has something. Returns how far that one had come, which nothing may be judged beyond. */
static double pump(struct following *f, size_t *got) {
    *got = 0;
    double slowest = fill(f, got);
    for (size_t i = 0; i < f->ntails; i++)
        if (!f->tails[i].waiting)
            *got += tail_take(&f->tails[i], &f->a->records, slowest + STEP);
    f->a->records.at(&f->a->records, NULL, 0);
    return slowest;
}

/* ---- time ---- */

/* Judges every period that is over; `slowest`: how far all sources have come that are not read up; `idle`:
 * nothing more is waiting. */
static void judge_due(struct following *f, double slowest, bool idle) {
    struct analyzer *a = f->a;
    double time = fmin(agents_time(a), slowest), clock = now();
    bool live = idle && fabs(clock - time) < 2 * a->set.period + a->set.grace;
    while (a->nopen) {
        double due = (double)(a->open[0]->index + 1) * a->set.period + a->set.grace;
        if (!(time >= due) && !(live && clock >= due))
            break;
        judge_next(a);
    }
    ahead_admit(a);
}

/* ---- the loop ---- */

static int catch_signals(sigset_t *old) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, old);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Waits until standard input has something or a while has passed. True when a signal asks for the end. */
static bool rest(struct following *f, bool idle) {
    struct pollfd p[2] = {{.fd = f->signals, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    for (size_t i = 0; i < f->ntails; i++)
        if (!strcmp(f->tails[i].path, "-") && !f->tails[i].ended)
            p[1].fd = STDIN_FILENO;
    poll(p, 2, idle ? IDLE_MS : 0);
    struct signalfd_siginfo taken;
    return p[0].revents && read(f->signals, &taken, sizeof taken) > 0;
}

/* Only standard input was read, and it has ended. */
static bool at_end(const struct following *f) {
    for (size_t i = 0; i < f->ntails; i++)
        if (!f->tails[i].ended || !f->tails[i].waiting)
            return false;
    return true;
}

static int run(struct following *f) {
    while (!at_end(f)) {
        size_t got;
        double slowest = pump(f, &got);
        judge_due(f, slowest, !got);
        if (now() >= f->next_scan) {
            if (add_sources(f))
                return -1;
            f->next_scan = now() + UPLOAD_EVERY;
        }
        if (rest(f, !got))
            break;
    }
    while (judge_next(f->a))
        continue;
    return 0;
}

static void say_lines(const struct following *f) {
    for (size_t i = 0; i < f->ntails; i++)
        if (f->tails[i].odd)
            reckon_note(f->a->r, "%s: %s left out: cells are missing, or it is led by no known kind",
                        f->tails[i].path, reckon_count(f->a->r, f->tails[i].odd, "line"));
}

int follow(struct analyzer *a) {
    struct following f = {.a = a};
    sigset_t old;
    f.signals = catch_signals(&old);
    int rc = add_sources(&f) || run(&f) ? -1 : 0;
    say_lines(&f);
    for (size_t i = 0; i < f.ntails; i++)
        tail_close(&f.tails[i]);
    free(f.tails);
    close(f.signals);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return rc;
}
