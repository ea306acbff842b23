/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon probe`: the Agent of one RNIC. Probes what its host's list says, answers those it probes, and
 * writes down what it saw, until SIGTERM; doc/triage.md has the records.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../triage_common/notes.h"
#include "agent.h"

#define MOST_NUMBERS 65536u /* RNICs whose queue pair numbers are kept */

static const struct reckon_option options[] = {
    {.name = "rnic",
     .type = RECKON_TEXT,
     .value_name = "HOST/i",
     .help = "the RNIC this agent is for",
     .group = "inputs"},
    {.name = "list",
     .type = RECKON_PATH,
     .value_name = "FILE",
     .help = "the host's probe list; read again when it changes",
     .group = "inputs"},
    {.name = "agents",
     .type = RECKON_PATHS,
     .value_name = "PATH...",
     .help = "agent records: this agent's go into the first, the targets' QPNs are read from all",
     .group = "inputs"},
    {.name = "service",
     .type = RECKON_PATH,
     .value_name = "FILE",
     .help = "the job's tuples on this host (tuple); read again when it changes",
     .group = "inputs"},
    {.name = "service-pid",
     .type = RECKON_WHOLE,
     .value_name = "PID",
     .min = 1,
     .max = 4194304,
     .help = "take the job's tuples from the connections of a process",
     .group = "inputs"},
    {.name = "service-every",
     .type = RECKON_NUMBER,
     .value_name = "MS",
     .initial = "10",
     .unit = "ms",
     .min = 1,
     .max = 60000,
     .help = "time between two service probes",
     .group = "inputs"},
    {.name = "address",
     .type = RECKON_TEXT,
     .value_name = "ADDR",
     .help = "the RNIC's address, when its list does not tell",
     .group = "inputs"},
    {.name = "port",
     .type = RECKON_WHOLE,
     .value_name = "PORT",
     .initial = "4791",
     .min = 1,
     .max = 65535,
     .help = "the port to answer on",
     .group = "inputs"},
    {.name = "out",
     .type = RECKON_PATH,
     .value_name = "FILE",
     .help = "where the probe records are appended",
     .group = "output"},
    {.type = RECKON_OPTION_END},
};

/* A file that is looked at again and again. */
struct watched {
    const char *path; /* NULL: none */
    struct timespec changed;
    off_t size;
    ino_t inode;
};

/* Everything the main thread looks after. */
struct probing {
    struct agent agent;
    const char *host;
    struct watched list, service;
    double service_pid;   /* blank: none */
    struct pinglist rows; /* of the list */
    struct pinglist job;  /* of the service */
    struct station *answering, *stations[PING_LISTS];
    size_t said;  /* notes */
    bool running; /* it registered, and the stations are there */
    bool failing; /* the last upload could not be written, and that was said */
};

static bool has_changed(struct watched *w) {
    struct stat st;
    if (!w->path || stat(w->path, &st))
        return false;
    bool same = w->size == st.st_size && w->inode == st.st_ino && w->changed.tv_sec == st.st_mtim.tv_sec &&
                w->changed.tv_nsec == st.st_mtim.tv_nsec;
    w->size = st.st_size;
    w->inode = st.st_ino;
    w->changed = st.st_mtim;
    return !same;
}

/* ---- lists ---- */

static bool same_rows(const struct pinglist *a, const struct pinglist *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct ping *x = &a->at[i], *y = &b->at[i];
        bool rate =
            (x->rate <= y->rate && x->rate >= y->rate) || (reckon_blank(x->rate) && reckon_blank(y->rate));
        same = rate && x->list == y->list && x->tuple.sport == y->tuple.sport &&
               x->tuple.dport == y->tuple.dport && !strcmp(x->tuple.src, y->tuple.src) &&
               !strcmp(x->tuple.dst, y->tuple.dst) && !strcmp(x->prober, y->prober) &&
               !strcmp(x->target, y->target);
    }
    return same;
}

/* The far ends of all lists of this host are who may probe it. */
static void set_peers(struct probing *p) {
    size_t n = 0;
    struct sockaddr_storage *at = reckon_resize(NULL, p->rows.count + p->job.count + 1, sizeof *at);
    socklen_t length;
    for (size_t i = 0; i < p->rows.count; i++)
        n += resolve(p->rows.at[i].tuple.dst, 0, &at[n], &length);
    for (size_t i = 0; i < p->job.count; i++)
        n += resolve(p->job.at[i].tuple.dst, 0, &at[n], &length);
    peers_set(&p->agent.peers, at, n);
}

static int restart(struct probing *p, enum ping_list list, const struct pinglist *rows) {
    station_end(p->stations[list]);
    p->stations[list] = station_list(&p->agent, rows, list);
    return p->stations[list] ? 0 : -1;
}

static int start_list(struct probing *p) {
    return restart(p, PING_TOR_MESH, &p->rows) || restart(p, PING_INTER_TOR, &p->rows) ? -1 : 0;
}

/* Reads the list; the stations start anew when it says something else than before. */
static int read_list(struct probing *p) {
    struct pinglist rows = {0};
    if (pinglist_read(p->agent.r, p->list.path, &rows)) {
        pinglist_free(&rows);
        return -1;
    }
    if (p->rows.count && same_rows(&rows, &p->rows)) {
        pinglist_free(&rows);
        return 0;
    }
    notes_print(p->agent.r, &p->said);
    pinglist_free(&p->rows);
    p->rows = rows;
    set_peers(p);
    return p->running ? start_list(p) : 0;
}

/* The RNIC that has the address on our list; the address itself when none has. */
static const char *target_of(const struct probing *p, const char *address) {
    for (size_t i = 0; i < p->rows.count; i++)
        if (!strcmp(p->rows.at[i].tuple.dst, address))
            return p->rows.at[i].target;
    return address;
}

static const char *own_address(const struct probing *p) {
    for (size_t i = 0; i < p->rows.count; i++)
        if (!strcmp(p->rows.at[i].prober, p->agent.rnic))
            return p->rows.at[i].tuple.src;
    return reckon_option_text(p->agent.r, "address");
}

/* The job's tuples that leave from this RNIC. */
static int set_service(struct probing *p, struct pinglist *job) {
    const char *own = own_address(p);
    struct pinglist mine = {0};
    for (size_t i = 0; i < job->count; i++) {
        struct ping x = job->at[i];
        if (!own || strcmp(x.tuple.src, own))
            continue;
        x.prober = p->agent.rnic;
        x.target = target_of(p, x.tuple.dst);
        mine.at = reckon_grow(mine.at, mine.count, &mine.cap, sizeof *mine.at);
        mine.at[mine.count++] = x;
    }
    int rc = restart(p, PING_SERVICE, &mine);
    pinglist_free(&mine);
    pinglist_free(&p->job);
    p->job = *job;
    set_peers(p);
    return rc;
}

static int read_service(struct probing *p) {
    struct pinglist job = {0};
    if (pinglist_read(p->agent.r, p->service.path, &job)) {
        pinglist_free(&job);
        return -1;
    }
    notes_print(p->agent.r, &p->said);
    return set_service(p, &job);
}

static void read_process(struct probing *p) {
    struct pinglist job = {0};
    service_of_process(p->service_pid, &job);
    if (same_rows(&job, &p->job))
        pinglist_free(&job);
    else
        set_service(p, &job);
}

/* ---- life ---- */

static void begin(struct probing *p, struct reckon *r) {
    struct agent *a = &p->agent;
    a->r = r;
    a->rnic = reckon_option_text(r, "rnic");
    a->service_gap = reckon_option_number(r, "service-every") / 1000;
    if (getrandom(&a->qpn, sizeof a->qpn, 0) != (ssize_t)sizeof a->qpn)
        a->qpn = (uint32_t)realtime_ns();
    a->qpn = (a->qpn & 0xFFFFFF) | 1; /* 24 bits, as InfiniBand has them; never 0 */
    pthread_mutex_init(&a->peers.lock, NULL);
    p->host = reckon_strndup(r, a->rnic, strcspn(a->rnic, "/"));
    p->list.path = reckon_option_text(r, "list");
    p->service.path = reckon_option_text(r, "service");
    p->service_pid = reckon_option_number(r, "service-pid");
    numbers_init(&a->numbers, r, MOST_NUMBERS);
    for (size_t i = 0; i < reckon_option_count(r, "agents"); i++)
        numbers_follow(&a->numbers, reckon_option_at(r, "agents", i));
    a->book.host = p->host;
    a->book.rnic = a->rnic;
    a->book.qpn = a->qpn;
}

/* The socket to answer on; -1 after an error. */
static int bind_own(struct probing *p) {
    struct reckon *r = p->agent.r;
    struct sockaddr_storage address;
    socklen_t length;
    const char *own = own_address(p);
    if (!own)
        return reckon_error(r, p->list.path, 0,
                            "it has no tuple of %s, so its address is unknown; give --address",
                            p->agent.rnic);
    if (!resolve(own, (uint16_t)reckon_option_number(r, "port"), &address, &length))
        return reckon_error(r, NULL, 0, "%s is no address and the resolver does not know it", own);
    return station_bind(r, &address, length);
}

/* What may fail comes first: an agent that cannot run must not register, or its number would take the place
 * of that of one that runs. The registration comes before the first answer, so that nobody is refused without
 * having been able to know. */
static int start(struct probing *p) {
    struct agent *a = &p->agent;
    has_changed(&p->list);
    int fd = read_list(p) ? -1 : bind_own(p);
    if (fd < 0)
        return -1;
    int rc = book_open(&a->book, a->r, reckon_option_text(a->r, "out"), reckon_option_at(a->r, "agents", 0));
    if (!rc && book_upload(&a->book, "register"))
        rc = reckon_error(a->r, a->book.failed, 0, "%s", strerror(a->book.why));
    if (rc) {
        close(fd);
        return -1;
    }
    numbers_read(&a->numbers);
    p->answering = station_answer(a, fd);
    if (!p->answering || start_list(p))
        return -1;
    p->running = true;
    return 0;
}

/* A disk that is full may have room later; what waits until then is said once. */
static void upload(struct probing *p) {
    struct book *b = &p->agent.book;
    bool failing = book_upload(b, "upload");
    if (failing && !p->failing)
        fprintf(stderr, "reckon: %s: it cannot be written now, and its records wait: %s\n", b->failed,
                strerror(b->why));
    p->failing = failing;
}

/* Once a second, and every five seconds. A file that cannot be read now may be there the next time. */
static void look_after(struct probing *p, bool uploads) {
    if (has_changed(&p->list) && read_list(p))
        fprintf(stderr, "reckon: %s cannot be read again; the old list stays\n", p->list.path);
    if (has_changed(&p->service) && read_service(p))
        fprintf(stderr, "reckon: %s cannot be read; the service's tuples stay\n", p->service.path);
    if (!uploads)
        return;
    numbers_read(&p->agent.numbers);
    upload(p);
    if (!reckon_blank(p->service_pid))
        read_process(p);
}

/* Until a signal asks for the end. */
static void live(struct probing *p, const sigset_t *signals) {
    double next = (double)monotonic_ns() / 1e9 + UPLOAD_EVERY;
    for (;;) {
        int sig = sigtimedwait(signals, NULL, &(struct timespec){.tv_sec = 1});
        if (sig > 0)
            return;
        double now = (double)monotonic_ns() / 1e9;
        bool uploads = now >= next;
        if (uploads)
            next = fmax(next + UPLOAD_EVERY, now);
        look_after(p, uploads);
    }
}

static void end(struct probing *p) {
    struct agent *a = &p->agent;
    struct rusage u;
    for (int i = 0; i < PING_LISTS; i++)
        station_end(p->stations[i]);
    station_end(p->answering);
    if (p->running)
        book_upload(&a->book, "upload");
    book_close(&a->book);
    getrusage(RUSAGE_SELF, &u);
    if (a->sent || a->answered)
        fprintf(stderr,
                "reckon: %s sent %llu probes, answered %llu; refused %llu with an old QPN, ignored %llu "
                "packets of strangers; "
                "%llu source ports were taken, %llu records lost; %.2f s of CPU, %ld kB\n",
                a->rnic, (unsigned long long)a->sent, (unsigned long long)a->answered,
                (unsigned long long)a->refused, (unsigned long long)a->strangers,
                (unsigned long long)a->busy_ports, (unsigned long long)a->book.lost,
                (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6,
                u.ru_maxrss);
    numbers_free(&a->numbers);
    peers_free(&a->peers);
    pinglist_free(&p->rows);
    pinglist_free(&p->job);
}

/* The records are no input, nor is the file this agent registers in but for being read as one of --agents. */
static int check_files(struct reckon *r) {
    return reckon_check_target(r, "out", reckon_option_text(r, "out")) ||
                   reckon_check_target(r, "agents", reckon_option_at(r, "agents", 0))
               ? -1
               : 0;
}

static int probe(struct reckon *r) {
    struct probing p = {.agent.book = {.records_fd = -1, .agents_fd = -1}};
    struct rlimit files;
    sigset_t signals, old;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &old);
    if (!getrlimit(RLIMIT_NOFILE, &files)) { /* a socket for every source port */
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    begin(&p, r);
    int rc = check_files(r) ? -1 : start(&p);
    if (!rc) {
        look_after(&p, true);
        live(&p, &signals);
    }
    end(&p);
    if (!rc && p.agent.book.failed && p.agent.book.lost)
        rc = reckon_error(r, p.agent.book.failed, 0, "%s lost, since it could not be written: %s",
                          reckon_count(r, p.agent.book.lost, "record"), strerror(p.agent.book.why));
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return rc;
}

static int check(struct reckon *r) {
    static const char *const needed[] = {"rnic", "list", "out"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!reckon_option_text(r, needed[i]))
            return reckon_error(r, NULL, 0, "probe needs --%s", needed[i]);
    if (!reckon_option_count(r, "agents"))
        return reckon_error(r, NULL, 0, "probe needs --agents");
    const char *slash = strchr(reckon_option_text(r, "rnic"), '/');
    if (!slash || slash == reckon_option_text(r, "rnic"))
        return reckon_error(r, NULL, 0, "--rnic: an RNIC is HOST/i, like h1/0");
    return 0;
}

RECKON_PLUGIN(verb, probe) = {
    .name = "probe",
    .summary = "the agent of one RNIC: probe, answer, write down",
    .options = options,
    .check = check,
    .verb = {.usage = "reckon probe --rnic HOST/i --list FILE --agents FILE... --out FILE [options]",
             .main = probe},
};
