/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of triage as CSV (record.h).
 */
#include "record.h"

#include <string.h>

struct form {
    const char *word, *alternative; /* what leads a line on standard input */
    const char *columns[RECORD_MOST_COLUMNS + 1];
    const char *needed[4];  /* what a file of the kind must have */
    const char *foreign[3]; /* and must not */
};

static const struct form forms[RECORD_KINDS] = {
    [RECORD_PROBE] = {"probes",
                      "probe",
                      {"ts", "list", "prober", "target", "tuple", "qpn", "status", "app_rtt_ns", "nic_rtt_ns",
                       "responder_ns"},
                      {"prober", "target", "status"},
                      {0}},
    [RECORD_AGENT] = {"agents", "agent", {"ts", "host", "rnic", "qpn", "event"}, {"host", "event"}, {0}},
    [RECORD_PATH] = {"paths", "path", {"tuple", "leg", "links"}, {"tuple", "leg", "links"}, {0}},
    [RECORD_JOB] = {"job", "jobs", {"tuple"}, {"tuple"}, {"leg", "status"}},
    [RECORD_METRIC] = {"job-metric", "metric", {"ts", "value"}, {"ts", "value"}, {0}},
};

const char *const *record_columns(enum record_kind kind) {
    return forms[kind].columns;
}

enum record_kind record_kind_named(const char *word) {
    enum record_kind k = RECORD_PROBE;
    while (k < RECORD_KINDS && strcmp(word, forms[k].word) && strcmp(word, forms[k].alternative))
        k++;
    return k;
}

int record_recognise(const struct reckon_head *head, enum record_kind kind) {
    if (!reckon_head_has_columns(head, forms[kind].needed))
        return 0;
    for (int i = 0; i < 2 && forms[kind].foreign[i]; i++)
        if (reckon_head_has_columns(head, (const char *const[]){forms[kind].foreign[i], NULL}))
            return 0;
    return 80;
}

/* Digits and at most one point, fifteen digits in all: a whole number below 2^53 over a power of ten that is
 * exact too, so the quotient is correctly rounded. */
double record_number(const char *cell) {
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits = 0;
    size_t n = 0, point = 0;
    const char *s = cell;
    for (; (*s >= '0' && *s <= '9') || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = n + 1;
            continue;
        }
        digits = 10 * digits + (uint64_t)(*s - '0');
        if (++n > 15)
            break;
    }
    if (*s || !n || n > 15)
        return reckon_number(cell, strlen(cell));
    return (double)digits / tens[point ? n - (point - 1) : 0];
}

static double deliver_probe(struct reckon_records *records, const char *const *c) {
    struct reckon_probe p = {.size = sizeof p,
                             .ts = record_number(c[0]),
                             .list = c[1],
                             .prober = c[2],
                             .target = c[3],
                             .tuple = c[4],
                             .qpn = record_number(c[5]),
                             .status = c[6],
                             .app_rtt_ns = record_number(c[7]),
                             .nic_rtt_ns = record_number(c[8]),
                             .responder_ns = record_number(c[9])};
    records->probe(records, &p);
    return p.ts;
}

double record_deliver(struct reckon_records *records, enum record_kind kind, const char *const *c) {
    double ts = kind == RECORD_PATH || kind == RECORD_JOB ? RECKON_BLANK : record_number(c[0]);
    if (kind == RECORD_PROBE && records->probe)
        return deliver_probe(records, c);
    if (kind == RECORD_AGENT && records->agent)
        records->agent(records, ts, c[1], c[2], record_number(c[3]), c[4]);
    if (kind == RECORD_PATH && records->path)
        records->path(records, c[0], c[1], c[2]);
    if (kind == RECORD_JOB && records->job)
        records->job(records, c[0]);
    if (kind == RECORD_METRIC && records->metric)
        records->metric(records, ts, record_number(c[1]));
    return ts;
}

void record_at(struct reckon_records *records, const char *file, unsigned long line) {
    if (records->at)
        records->at(records, file, line);
}

/* ---- whole files ---- */

struct reading {
    struct reckon_records *records;
    enum record_kind kind;
    const char *path;
};

static int row(void *user, const struct reckon_row *row) {
    const struct reading *x = user;
    const char *cells[RECORD_MOST_COLUMNS];
    size_t n = 0;
    for (; forms[x->kind].columns[n]; n++)
        cells[n] = reckon_cell(row, n);
    while (n < RECORD_MOST_COLUMNS)
        cells[n++] = "";
    record_at(x->records, x->path, reckon_row_line(row));
    record_deliver(x->records, x->kind, cells);
    return 0;
}

int record_read(struct reckon *r, struct reckon_input *in, struct reckon_records *records,
                enum record_kind kind) {
    struct reading x = {records, kind, reckon_input_path(in)};
    struct reckon_table table = {
        .size = sizeof table, .columns = forms[kind].columns, .row = row, .user = &x};
    int rc = reckon_read_table(r, in, &table, NULL);
    record_at(records, NULL, 0);
    return rc;
}
