/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress and stage times, on stderr. One line that is rewritten, on a terminal alone, once work has taken a
 * second; gone when done. There is one terminal however many sessions, so its state belongs to the program.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "io.h"

#define PATIENCE 1.0 /* seconds before anything is shown */
#define REDRAW 0.1   /* seconds between two lines */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows but `next` */
static _Atomic double next_draw;                         /* seconds of the monotonic clock; 0: not begun */
static double began;
static char current_stage[64];
static bool drawn;

static _Atomic uint64_t bytes_expected, bytes_read; /* of the files being read; expected 0: unknown */
static double last_stage; /* when the last stage was done; at first, when the program began */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((constructor)) static void begin_clock(void) {
    last_stage = now();
}

static bool is_wanted(const struct reckon *r) {
    const char *refused = getenv("NO_PROGRESS");
    return !r->quiet && !(refused && *refused) && isatty(STDERR_FILENO) == 1;
}

static void say(const char *text, size_t n) {
    ssize_t written = write(STDERR_FILENO, text, n);
    (void)written; /* it is only progress */
}

static void erase(void) {
    static const char line[] = "\r\033[K";
    if (drawn)
        say(line, sizeof line - 1);
    drawn = false;
}

/* "reading 40%, 8.1%/s, 7 s left"; of how much there is no telling: "reading 12 MB, 3.4 MB/s". */
static void draw(const char *stage, double share, double bytes, double elapsed) {
    char line[128];
    double rate = share * 100 / elapsed;
    int n = reckon_blank(share) ? snprintf(line, sizeof line, "\r\033[K%s %.0f MB, %.3g MB/s", stage, bytes / 1e6,
                                           bytes / 1e6 / elapsed)
                                : snprintf(line, sizeof line, "\r\033[K%s %.0f%%, %.3g%%/s, %.0f s left", stage,
                                           share * 100, rate, (1 - share) * 100 / rate);
    if (n > 0 && (size_t)n < sizeof line)
        say(line, (size_t)n);
    drawn = true;
}

/* A stage begins: patience starts anew, unless there is a line to replace. */
static void begin_stage(const struct reckon *r, const char *stage, double at) {
    began = at;
    snprintf(current_stage, sizeof current_stage, "%s", stage);
    atomic_store(&next_draw, is_wanted(r) ? at + (drawn ? REDRAW : PATIENCE) : HUGE_VAL);
}

static void report(const struct reckon *r, const char *stage, double share, double bytes) {
    double next = atomic_load_explicit(&next_draw, memory_order_relaxed);
    if (next == HUGE_VAL)
        return;
    double at = now();
    if ((next != 0 && at < next) || pthread_mutex_trylock(&lock) != 0)
        return; /* another thread is just about to say it */
    if (next == 0 || strncmp(stage, current_stage, sizeof current_stage - 1) != 0) {
        begin_stage(r, stage, at);
    } else if (!(share <= 0)) {
        draw(stage, share > 1 ? 1 : share, bytes, at - began);
        atomic_store(&next_draw, at + REDRAW);
    }
    pthread_mutex_unlock(&lock);
}

void reckon_progress(struct reckon *r, const char *stage, double share) {
    report(r, stage, share, 0);
}

void progress_expect(uint64_t bytes) {
    atomic_store(&bytes_expected, bytes);
    atomic_store(&bytes_read, 0);
}

void progress_count(const struct reckon *r, size_t n) {
    uint64_t done = atomic_fetch_add(&bytes_read, n) + n, all = atomic_load(&bytes_expected);
    report(r, "reading", all ? (double)done / (double)all : RECKON_BLANK, (double)done);
}

void progress_end(void) {
    pthread_mutex_lock(&lock);
    erase();
    *current_stage = '\0';
    atomic_store(&next_draw, 0);
    pthread_mutex_unlock(&lock);
}

/* Bytes of memory in use: what is resident now, or where that is unknown the most that ever was. */
static double memory_held(void) {
    char line[128]; /* the size, what is resident, and more, in pages */
    FILE *f = fopen("/proc/self/statm", "re");
    unsigned long pages = f && fgets(line, sizeof line, f) ? strtoul(strchrnul(line, ' '), NULL, 10) : 0;
    if (f)
        fclose(f);
    struct rusage use;
    if (pages)
        return (double)pages * (double)sysconf(_SC_PAGESIZE);
    return getrusage(RUSAGE_SELF, &use) == 0 ? (double)use.ru_maxrss * 1024 : 0;
}

void stage_done(struct reckon *r, const char *stage) {
    progress_end();
    double at = now();
    if (r->verbose)
        fprintf(stderr, "reckon: %s %.2f s, %.0f MB\n", stage, at - last_stage, memory_held() / 1e6);
    last_stage = at;
}
