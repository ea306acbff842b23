/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a client file of `iperf3 -J`, versions 3.1 to 3.19: totals from the receiving side, intervals as
 * the client saw them. A file that ends too early is a failed test, not an error: iperf3 writes at the very
 * end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../shared/json_memory.h"
#include "iperf3.h"

#define LARGEST ((size_t)1 << 28)
#define MEGABIT 1e6
#define THREADED_SINCE 16 /* 3.16 gave every stream a thread of its own */

static const cJSON *member(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* A figure, which is never negative; blank when it is not there. */
static double figure(const cJSON *object, const char *key) {
    const cJSON *item = member(object, key);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= 0 ? item->valuedouble
                                                                                         : RECKON_BLANK;
}

static double figure_or(const cJSON *object, const char *key, double otherwise) {
    double x = figure(object, key);
    return reckon_blank(x) ? otherwise : x;
}

static const char *text(struct reckon *r, const cJSON *object, const char *key) {
    const cJSON *item = member(object, key);
    return cJSON_IsString(item) && *item->valuestring ? reckon_strdup(r, item->valuestring) : NULL;
}

/* Bits per second, as Mb/s. */
static double rate(const cJSON *sum) {
    double bits = figure(sum, "bits_per_second");
    if (reckon_blank(bits))
        bits = figure(sum, "bytes") * 8 / figure(sum, "seconds");
    return isfinite(bits) ? bits / MEGABIT : RECKON_BLANK;
}

/* ---- one way of the test ---- */

/* "sum_received" with the ending that the second way of --bidir has. */
static const cJSON *sum_of(const cJSON *end, const char *what, bool second) {
    char key[40];
    snprintf(key, sizeof key, "%s%s", what, second ? "_bidir_reverse" : "");
    return member(end, key);
}

static void read_intervals(const cJSON *intervals, bool second, struct iperf3_leg *leg) {
    const cJSON *interval;
    size_t cap = 0;
    cJSON_ArrayForEach(interval, intervals) {
        const cJSON *sum = sum_of(interval, "sum", second);
        struct iperf3_interval x = {figure(sum, "start"), figure(sum, "end"), figure(sum, "bytes")};
        if (cJSON_IsTrue(member(sum, "omitted")) || !(x.end > x.start) || reckon_blank(x.bytes))
            continue;
        leg->intervals = reckon_grow(leg->intervals, leg->nintervals, &cap, sizeof *leg->intervals);
        leg->intervals[leg->nintervals++] = x;
    }
}

/* A TCP sender counts what it writes, and at first writes ahead of the network until its buffers are full;
 * what was still in them at the end is what never arrived. As far as the first interval shows it as more than
 * what came later, it is taken out of there, so that the other intervals need not pay for it. */
static void take_out_buffered(struct iperf3_leg *leg, double sent, double received) {
    double bytes = 0, seconds = 0;
    for (size_t i = 1; i < leg->nintervals; i++) {
        bytes += leg->intervals[i].bytes;
        seconds += leg->intervals[i].end - leg->intervals[i].start;
    }
    if (!(seconds > 0) || !(sent > received))
        return;
    struct iperf3_interval *first = &leg->intervals[0];
    double ahead = first->bytes - bytes / seconds * (first->end - first->start);
    ahead = fmin(fmax(ahead, 0), sent - received);
    first->bytes -= ahead;
    leg->arrived = received / (sent - ahead);
}

/* Totals as versions before 3.10 wrote them for UDP: what was sent, and the share that was lost. */
static void read_old_sum(const cJSON *sum, struct iperf3_leg *leg) {
    leg->loss = figure(sum, "lost_percent");
    leg->sent_mbps = rate(sum);
    leg->arrived = 1 - leg->loss / 100;
    leg->mbps = leg->sent_mbps * leg->arrived;
}

static bool read_leg(const cJSON *json, bool udp, bool second, bool back, struct iperf3_leg *leg) {
    const cJSON *end = member(json, "end");
    const cJSON *received = sum_of(end, "sum_received", second), *sent = sum_of(end, "sum_sent", second);
    leg->back = back;
    leg->loss = leg->arrived = leg->mbps = leg->sent_mbps = RECKON_BLANK;
    if (received) {
        leg->mbps = rate(received);
        leg->sent_mbps = rate(sent);
        leg->arrived = figure(received, "bytes") / figure(sent, "bytes");
        leg->loss = figure(received, "lost_percent");
    } else {
        read_old_sum(sum_of(end, "sum", second), leg);
    }
    read_intervals(member(json, "intervals"), second, leg);
    if (!udp && !back)
        take_out_buffered(leg, figure(sent, "bytes"), figure(received, "bytes"));
    return !reckon_blank(leg->mbps);
}

/* ---- the test ---- */

/* The lower of -b and --fq-rate, which are per stream; 0 is no limit. */
static double demand_of(const cJSON *settings) {
    static const char *const keys[] = {"target_bitrate", "fqrate"};
    double least = RECKON_BLANK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        double bits = figure(settings, keys[i]);
        if (bits > 0 && !(least <= bits))
            least = bits;
    }
    return least * figure_or(settings, "num_streams", 1) / MEGABIT;
}

/* iperf3 gives the CPU time of the whole process; its busiest thread has at least its share of it. */
static double threads_of(const cJSON *start) {
    const cJSON *version = member(start, "version");
    unsigned minor = 0;
    int streams = cJSON_GetArraySize(member(start, "connected"));
    if (cJSON_IsString(version))
        sscanf(version->valuestring, "iperf 3.%3u", &minor);
    return minor >= THREADED_SINCE && streams > 1 ? streams : 1;
}

static void read_times(const cJSON *start, const cJSON *end, struct iperf3_test *t) {
    const cJSON *settings = member(start, "test_start");
    const cJSON *sum = member(end, "sum_sent") ? member(end, "sum_sent") : member(end, "sum");
    t->begun = figure(member(start, "timestamp"), "timesecs");
    t->start = t->begun + figure_or(settings, "omit", 0);
    t->end = t->start + figure_or(sum, "seconds", figure(settings, "duration"));
}

/* An IPv4 address as IPv6 sockets show it, without their prefix. */
static const char *plain_address(const char *address) {
    return address && !strncmp(address, "::ffff:", 7) && strchr(address, '.') ? address + 7 : address;
}

static void read_addresses(struct reckon *r, const cJSON *start, struct iperf3_test *t) {
    const cJSON *first = cJSON_GetArrayItem(member(start, "connected"), 0);
    t->client_address = plain_address(text(r, first, "local_host"));
    t->server_address = plain_address(text(r, first, "remote_host"));
}

static int fail(struct iperf3_test *t, const char *status, const char *error) {
    t->legs = 0;
    t->status = status;
    t->error = error;
    return 0;
}

static int read_protocol(struct reckon *r, const cJSON *settings, struct iperf3_test *t) {
    const char *protocol = text(r, settings, "protocol");
    t->udp = protocol && !strcmp(protocol, "UDP");
    if (!protocol || (strcmp(protocol, "TCP") && !t->udp))
        return reckon_error(r, t->path, 0, "its protocol is %s; only TCP and UDP can be reckoned",
                            protocol ? reckon_printable(r, protocol) : "not named");
    if (t->udp)
        t->size = figure(settings, "blksize");
    return 0;
}

static int read_test(struct reckon *r, const cJSON *json, struct iperf3_test *t) {
    const cJSON *start = member(json, "start"), *end = member(json, "end");
    const cJSON *settings = member(start, "test_start"), *cpu = member(end, "cpu_utilization_percent");
    bool back = figure(settings, "reverse") > 0;
    if (!cJSON_IsObject(start) && !text(r, json, "error"))
        return reckon_wrong_format(r, t->path, "not a file of iperf3 -J: it has no \"start\"");
    if (member(start, "accepted_connection"))
        return reckon_error(r, t->path, 0, "this is a server's file: give those of the clients");
    read_addresses(r, start, t);
    if (text(r, json, "error"))
        return fail(t, "ERROR", text(r, json, "error"));
    if (read_protocol(r, settings, t))
        return -1;
    if (!read_leg(json, t->udp, false, back, &t->leg[t->legs++]))
        return fail(t, "NO-SUMMARY", "the test has no summary of what was received");
    if (sum_of(end, "sum_received", true) || sum_of(end, "sum", true))
        t->legs += read_leg(json, t->udp, true, !back, &t->leg[1]);
    read_times(start, end, t);
    t->demand_mbps = demand_of(settings);
    t->client_cpu = figure(cpu, "host_total") / threads_of(start);
    t->server_cpu = figure(cpu, "remote_total") / threads_of(start);
    return 0;
}

/* ---- the file ---- */

/* Whether text that is no JSON is what is left of a test: its beginning, or the message of one that had no
 * -J. */
static int read_wreck(struct reckon *r, const char *s, struct iperf3_test *t) {
    static const char said[] = "iperf3: ";
    const char *first = s + strspn(s, " \t\r\n");
    if (!*first)
        return fail(t, "EMPTY", "the file is empty");
    if (!strncmp(first, said, sizeof said - 1))
        return fail(t, "ERROR",
                    reckon_strndup(r, first + sizeof said - 1, strcspn(first, "\r\n") - (sizeof said - 1)));
    if (*first == '{' && strstr(first, "\"start\""))
        return fail(t, "CUT-OFF", "the file ends too early");
    return reckon_wrong_format(r, t->path, "not a file of iperf3 -J");
}

int iperf3_read(struct reckon *r, const char *path, struct iperf3_test *t) {
    struct reckon_input *in = reckon_open(r, path);
    size_t length;
    const char *rest = NULL;
    char *s = in ? reckon_read_all(in, LARGEST, &length) : NULL;
    int rc = -1;
    *t = (struct iperf3_test){.path = path};
    t->demand_mbps = t->size = t->client_cpu = t->server_cpu = RECKON_BLANK;
    reckon_close(in);
    if (!s)
        return -1;
    cJSON *json = cJSON_ParseWithLengthOpts(s, length + 1, &rest, false);
    if (!json)
        rc = read_wreck(r, s, t);
    else if (rest[strspn(rest, " \t\r\n")])
        rc = reckon_error(r, path, 0, "more than one JSON document is in it: one file is one test");
    else
        rc = read_test(r, json, t);
    cJSON_Delete(json);
    free(s);
    return rc;
}

int iperf3_recognise(const struct reckon_head *head) {
    const char *first = head->data + strspn(head->data, " \t\r\n");
    return *first == '{' && strstr(first, "\"start\"") && strstr(first, "\"iperf 3.") ? 90 : 0;
}
