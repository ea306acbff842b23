/* SPDX-License-Identifier: Apache-2.0
 *
 * Idle floor from netmesh's reports: one row a probed pair and interval. Only whole-pair UDP rows that were
 * sent
 * (`dir=tx`, blank `flow`) count; an MTU only when the probe confirmed it.
 */
#include <string.h>

#include <reckon/plugin.h>

enum { TS, HOST, DIR, PEER, PROBE, FLOW, RTT_P50, JITTER, PATH_MTU, MTU_STATE, REP_SIZE };
static const char *const columns[] = {"ts",         "host",      "dir",      "peer",      "probe",    "flow",
                                      "rtt_p50_us", "jitter_us", "path_mtu", "mtu_state", "rep_size", NULL};

struct reading {
    struct reckon *r;
    const char *path;
    struct reckon_idle *idle;
    size_t unusable; /* rows that do not say between whom */
};

static int header(void *user, const bool *present) {
    static const int marks[] = {PROBE, RTT_P50, JITTER};
    struct reading *x = user;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!present[marks[i]])
            return reckon_wrong_format(x->r, x->path, "not a netmesh report: it has no %s column",
                                       columns[marks[i]]);
    if (present[REP_SIZE])
        return reckon_wrong_format(x->r, x->path, "not a netmesh report: it has a rep_size column");
    return 0;
}

static bool is(const struct reckon_row *row, size_t column, const char *text) {
    return !strcmp(reckon_cell(row, column), text);
}

static bool blank(const struct reckon_row *row, size_t column) {
    const char *cell = reckon_cell(row, column);
    return !cell[strspn(cell, " \t")];
}

static int row(void *user, const struct reckon_row *row) {
    struct reading *x = user;
    if (!is(row, DIR, "tx") || !blank(row, FLOW) || !(blank(row, PROBE) || is(row, PROBE, "udp")))
        return 0;
    if (blank(row, HOST) || blank(row, PEER)) {
        x->unusable++;
        return 0;
    }
    bool confirmed = is(row, MTU_STATE, "confirmed") || is(row, MTU_STATE, "cached");
    reckon_idle_add(x->idle, reckon_cell_number(row, TS), reckon_cell(row, HOST), reckon_cell(row, PEER),
                    reckon_cell_number(row, RTT_P50),
                    confirmed ? reckon_cell_number(row, PATH_MTU) : RECKON_BLANK);
    return 0;
}

static int read_idle(struct reckon *r, struct reckon_input *in, void *into) {
    struct reading x = {.r = r, .path = reckon_input_path(in), .idle = into};
    const struct reckon_table table = {
        .size = sizeof table, .columns = columns, .header = header, .row = row, .user = &x};
    if (reckon_read_table(r, in, &table, NULL))
        return -1;
    if (x.unusable)
        reckon_note(r, "%s: %s without a host or a peer left out", reckon_printable(r, x.path),
                    reckon_count(r, x.unusable, "row"));
    return 0;
}

static int recognise(const struct reckon_head *head) {
    static const char *const marks[] = {"probe", "rtt_p50_us", "jitter_us", NULL};
    static const char *const others[] = {"rep_size", NULL};
    return reckon_head_has_columns(head, marks) && !reckon_head_has_columns(head, others) ? 95 : 0;
}

RECKON_PLUGIN(context, netmesh) = {
    .name = "netmesh",
    .summary = "the idle floor from netmesh's reports",
    .context = {.role = "idle",
                .many = true,
                .suffix = ".csv",
                .help = "round trips of the idle fabric, for queueing and for the MTU of iperf's flows",
                .fallback = true,
                .recognise = recognise,
                .read = read_idle},
};
