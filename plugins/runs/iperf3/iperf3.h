/* SPDX-License-Identifier: Apache-2.0
 *
 * One client file of `iperf3 -J` as the run reader sees it, and what it asks about it: whose test it was, and
 * when it ran beside the others.
 */
#ifndef RECKON_IPERF3_H
#define RECKON_IPERF3_H

#include <reckon/plugin.h>

/* What passed between two moments, in seconds from the beginning of the measurement. */
struct iperf3_interval {
    double start, end, bytes;
};

/* One way of a test: all its streams together. */
struct iperf3_leg {
    bool back;                         /* server to client: -R, or the second of --bidir */
    double mbps;                       /* goodput: what the receiver got, over the whole test */
    double sent_mbps;                  /* what the sender sent */
    double arrived;                    /* bytes received of those sent: 1 for all; blank: unknown */
    double loss;                       /* percent; UDP alone */
    struct iperf3_interval *intervals; /* as the client counted them: sent, or received when .back */
    size_t nintervals;
};

struct iperf3_test {
    const char *path;
    const char *client, *server;                 /* host names; NULL: unknown */
    const char *client_address, *server_address; /* NULL: never connected */
    const char *status, *error;                  /* of a failed test; status NULL: it passed */
    bool by_address; /* its name fits no pattern, and no --names has its addresses */
    bool udp;
    double begun, start, end;      /* s since 1970: traffic, the measurement (after --omit), the end */
    double demand_mbps;            /* of all streams one way; blank: unpaced */
    double size;                   /* bytes of a datagram; UDP alone */
    double client_cpu, server_cpu; /* of one of iperf3's threads, percent of a core */
    struct iperf3_leg leg[2];
    size_t legs;     /* 2 for --bidir, 0 when it failed */
    uint32_t sender; /* the same number for the same sender; RECKON_NONE when both ends send */
};

/* ---- test_file.c ---- */

/* Reads a client file. One that is no such file is an error; a test that failed, or whose file is empty or
 * cut off, is none: it has a .status. Safe from any thread. */
int iperf3_read(struct reckon *r, const char *path, struct iperf3_test *test);
int iperf3_recognise(const struct reckon_head *head);

/* ---- names.c ---- */

#define IPERF3_PATTERN "{src}-{dst}.json"

/* 0, or -1 after an error that says what is wrong with the pattern, which came by `from`. */
int iperf3_check_pattern(struct reckon *r, const char *from, const char *pattern);
/* Sets .client and .server from the file's name, else from the addresses; neither when there are none. -1
 * after an error: the name can be read in several ways. */
int iperf3_name_ends(struct reckon *r, const char *pattern, struct iperf3_test *test);
/* The host that sends a leg, and the one that receives it. */
const char *iperf3_source(const struct iperf3_test *test, const struct iperf3_leg *leg);
const char *iperf3_target(const struct iperf3_test *test, const struct iperf3_leg *leg);

/* ---- times.c ---- */

struct iperf3_times {
    enum reckon_sharing sharing; /* 0: the times fit no mode */
    /* Two tests that ran side by side, and two that did not; NULL: there are none. Where the times fit no
     * mode, the two that rule out the last one it could have been. */
    const struct iperf3_test *together[2], *apart[2];
};

/* What the times of n passed tests, in order of .begun, say about how they were driven. */
void iperf3_judge_times(const struct iperf3_test *const *tests, size_t n, struct iperf3_times *times);
/* The span in which all of them were measured, and the shortest test's length; *from >= *to: there is none.
 */
double iperf3_window(const struct iperf3_test *const *tests, size_t n, double *from, double *to);
/* Goodput of a leg over that span, Mb/s; *sent_mbps likewise. The whole test's where its intervals do not
 * reach into it. */
double iperf3_rate_in(const struct iperf3_test *test, const struct iperf3_leg *leg, double from, double to,
                      double *sent_mbps);

#endif
