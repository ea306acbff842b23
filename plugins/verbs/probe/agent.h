/* SPDX-License-Identifier: Apache-2.0
 *
 * The Agent's own state, shared by the files of this folder: what it knows of others (numbers.c), what it
 * writes down (book.c), the job's connections (service.c), and its stations (station.c), one a list and one
 * that answers, each a thread with sockets of its own.
 */
#ifndef PROBE_AGENT_H
#define PROBE_AGENT_H

#include <pthread.h>
#include <reckon/plugin.h>
#include <stdatomic.h>

#include "../triage_common/pinglist.h"
#include "../triage_common/record.h"
#include "../triage_common/strmap.h"
#include "../triage_common/tail.h"
#include "socket.h"

#define TIMEOUT_NS 500000000LL /* a reply later than this is none */
#define UPLOAD_EVERY 5.0       /* seconds */

int64_t monotonic_ns(void);
int64_t realtime_ns(void);

/* ---- numbers.c: the queue pair numbers of everybody, from the agents' records ---- */

struct numbers {
    struct reckon_records records; /* must be first: what the files are read into */
    struct strmap by_rnic;         /* to an index into the others */
    _Atomic uint32_t *qpn; /* 0: unknown; fixed room, so that threads may read while the main thread adds */
    double *ts;
    uint32_t count, most;
    struct tail *tails;
    size_t ntails;
};
void numbers_init(struct numbers *n, struct reckon *r, uint32_t most);
void numbers_follow(struct numbers *n, const char *path);
/* Reads what the files have got since. */
void numbers_read(struct numbers *n);
/* The place of an RNIC's number, made when it has none; RECKON_NONE when there is no room. Main thread alone.
 */
uint32_t numbers_place(struct numbers *n, const char *rnic);
void numbers_free(struct numbers *n);

/* ---- book.c: records, kept until the next upload ---- */

struct book {
    pthread_mutex_t lock;
    char *text;
    size_t length;
    uint64_t records, lost; /* lost: no room, or not written */
    int records_fd, agents_fd;
    const char *records_path, *agents_path;
    const char *failed; /* the path that could not be written last, and why (errno); NULL: none ever */
    int why;
    const char *host, *rnic;
    uint32_t qpn;
};
/* Opens both files for appending, with their headers when they are empty. */
int book_open(struct book *b, struct reckon *r, const char *records, const char *agents);
void book_add(struct book *b, const char *line, size_t length);
/* Writes the records out, and an agent's record of the event. 0, or -1 when one of them could not be written
 * (`failed`, `why`). */
int book_upload(struct book *b, const char *event);
/* Those that could not be written are lost now. */
void book_close(struct book *b);

/* ---- whom to answer ---- */

struct peers {
    pthread_mutex_t lock;
    struct sockaddr_storage *at; /* sorted by bytes */
    size_t count;
};
/* Takes over the array. */
void peers_set(struct peers *p, struct sockaddr_storage *at, size_t count);
bool peers_know(struct peers *p, const struct sockaddr_storage *a);
void peers_free(struct peers *p);

/* ---- station.c ---- */

struct agent {
    struct reckon *r;
    const char *rnic;
    uint32_t qpn;
    struct numbers numbers;
    struct book book;
    struct peers peers;
    double service_gap; /* seconds between two service probes */
    _Atomic uint64_t sent, answered, refused, strangers, busy_ports;
};

struct station;
/* A thread that sends the rows' probes (of one list) and answers on their source ports; rows of another RNIC
 * and those whose ends cannot be resolved are left out. NULL after an error. */
struct station *station_list(struct agent *a, const struct pinglist *rows, enum ping_list list);
/* A socket on the address to answer on; -1 after an error. Nothing is answered before station_answer(). */
int station_bind(struct reckon *r, const struct sockaddr_storage *address, socklen_t length);
/* A thread that answers on the socket, which becomes its own. NULL after an error. */
struct station *station_answer(struct agent *a, int fd);
/* Ends the thread; what is on its way is dropped. NULL is ignored. */
void station_end(struct station *s);

/* The address of one end of a tuple, by the resolver when it is a name. */
bool resolve(const char *end, uint16_t port, struct sockaddr_storage *out, socklen_t *length);

/* ---- service.c ---- */

/* The connections of a process as rows of the service list, TCP and UDP, those from a loopback left out. */
int service_of_process(double pid, struct pinglist *out);

#endif
