/* SPDX-License-Identifier: Apache-2.0
 *
 * Run reader `mx`: the reports of matrix_orchestrator, one CSV per host. Every row becomes a sample; which of
 * them count is the core's business.
 */
#include <stdlib.h>
#include <string.h>

#include <reckon/plugin.h>

enum {
    TS,
    HOST,
    DIR,
    PEER,
    SIZE,
    REP_SIZE,
    TARGET_PPS,
    PPS,
    REP_PPS,
    LOSS_PCT,
    RTT_P50,
    RTT_P99,
    CPU_MAX,
    AGENT_CPU,
    LAYER,
    PROBE,
    JITTER,
    COLUMNS
};

static const char *const columns[] = {
    [TS] = "ts",
    [HOST] = "host",
    [DIR] = "dir",
    [PEER] = "peer",
    [SIZE] = "size",
    [REP_SIZE] = "rep_size",
    [TARGET_PPS] = "target_pps",
    [PPS] = "pps",
    [REP_PPS] = "rep_pps",
    [LOSS_PCT] = "loss_pct",
    [RTT_P50] = "rtt_p50_us",
    [RTT_P99] = "rtt_p99_us",
    [CPU_MAX] = "cpu_max_pct",
    [AGENT_CPU] = "agent_cpu_pct",
    [LAYER] = "layer",
    [PROBE] = "probe",
    [JITTER] = "jitter_us",
    [COLUMNS] = NULL,
};

static const int marks[] = {REP_SIZE, TARGET_PPS, REP_PPS};

struct figure_column {
    enum reckon_figure figure;
    int column;
};

static const struct figure_column of_flow[] = {
    {RECKON_DEMAND, TARGET_PPS}, {RECKON_SENT, PPS},
    {RECKON_ACHIEVED, REP_PPS},  {RECKON_LOSS, LOSS_PCT},
    {RECKON_RTT_P50, RTT_P50},   {RECKON_RTT_P99, RTT_P99},
    {RECKON_SIZE, SIZE},         {RECKON_REPLY_SIZE, REP_SIZE},
};

static const struct figure_column of_host[] = {
    {RECKON_CPU_CORE, CPU_MAX},
    {RECKON_CPU_AGENT, AGENT_CPU},
};

struct file {
    struct reckon *r;
    struct reckon_sink *sink;
    const char *path;
    char *layer; /* trimmed copy */
    size_t layer_room;
    size_t unusable; /* rows that do not say when or whose they are */
};

static int check_header(void *user, const bool *present) {
    const struct file *f = user;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!present[marks[i]]) {
            bool netmesh = !present[REP_SIZE] && present[PROBE] && present[RTT_P50] && present[JITTER];
            return reckon_wrong_format(f->r, f->path, "%s: it has no %s column",
                                       netmesh ? "not an mx report but netmesh's" : "not an mx report",
                                       columns[marks[i]]);
        }
    return 0;
}

static void take(struct reckon_sample *s, const struct reckon_row *row, const struct figure_column *of,
                 size_t n) {
    for (size_t i = 0; i < n; i++)
        s->figure[of[i].figure] = reckon_cell_number(row, (size_t)of[i].column);
}

static const char *trimmed_layer(struct file *f, const struct reckon_row *row) {
    static const char blanks[] = " \t\r\n\v\f";
    const char *cell = reckon_cell(row, LAYER);
    cell += strspn(cell, blanks);
    size_t n = strlen(cell);
    while (n && strchr(blanks, cell[n - 1]))
        n--;
    if (!cell[n])
        return cell;
    while (n >= f->layer_room)
        f->layer = reckon_grow(f->layer, f->layer_room, &f->layer_room, 1);
    memcpy(f->layer, cell, n);
    f->layer[n] = '\0';
    return f->layer;
}

/* A tx row: a flow when it has a peer and says how much was sent; while draining, the peer still took part.
 */
static void take_tx(struct file *f, struct reckon_sample *s, const struct reckon_row *row) {
    const char *peer = reckon_cell(row, PEER);
    if (!*peer || !strcmp(peer, "*"))
        return;
    s->peer = peer;
    take(s, row, of_flow, sizeof of_flow / sizeof *of_flow);
    if (reckon_blank(s->figure[RECKON_SENT]))
        return;
    s->kind = RECKON_SAMPLE_FLOW;
    s->layer = trimmed_layer(f, row);
}

static int take_row(void *user, const struct reckon_row *row) {
    struct file *f = user;
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.ts = reckon_cell_number(row, TS);
    s.host = reckon_cell(row, HOST);
    if (reckon_blank(s.ts) || !*s.host) {
        f->unusable++;
        return 0;
    }
    const char *dir = reckon_cell(row, DIR);
    s.kind = RECKON_SAMPLE_SEEN;
    if (!strcmp(dir, "tx")) {
        take_tx(f, &s, row);
    } else if (!strcmp(dir, "host")) {
        s.kind = RECKON_SAMPLE_HOST;
        take(&s, row, of_host, sizeof of_host / sizeof *of_host);
    }
    reckon_sink_sample(f->sink, &s);
    return 0;
}

static int read_report(struct reckon *r, struct reckon_input *in, struct reckon_sink *sink) {
    struct file f = {.r = r, .sink = sink, .path = reckon_input_path(in)};
    struct reckon_table table = {
        .size = sizeof table, .columns = columns, .header = check_header, .row = take_row, .user = &f};
    int rc = reckon_read_table(r, in, &table, NULL);
    free(f.layer);
    if (!rc && f.unusable)
        reckon_note(r, "%s: %s without a usable ts or a host left out", reckon_printable(r, f.path),
                    reckon_count(r, f.unusable, "row"));
    return rc;
}

static int recognise(const struct reckon_head *head) {
    static const char *const marking[] = {"rep_size", "target_pps", "rep_pps", NULL};
    return reckon_head_has_columns(head, marking) ? 90 : 0;
}

RECKON_PLUGIN(run, mx) = {
    .name = "mx",
    .summary = "reports of matrix_orchestrator: CSV files, or the directory they are in",
    .run =
        {
            .workload = RECKON_REQUEST_REPLY,
            .many = true,
            .series = true,
            .suffix = ".csv",
            .recognise = recognise,
            .read = read_report,
        },
};
