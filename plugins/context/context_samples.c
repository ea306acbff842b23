/* SPDX-License-Identifier: Apache-2.0
 *
 * History from CSV: `ts,test,value[,status][,label][,unit]`, a row a trial. Rows of one test and ts are
 * trials of one run. No index is kept: a table is read about as fast.
 */
#include <reckon/trend.h>

enum { TS, TEST, VALUE, STATUS, LABEL, UNIT };

struct reading {
    struct reckon *r;
    struct reckon_history *h;
    size_t left_out;
};

static int recognise(const struct reckon_head *head) {
    return reckon_head_has_columns(head, (const char *const[]){"ts", "test", "value", NULL}) ? 90 : 0;
}

static int row(void *user, const struct reckon_row *cells) {
    struct reading *in = user;
    struct reckon_history_run run = {
        .size = sizeof run, .ts = reckon_cell_number(cells, TS), .label = reckon_cell(cells, LABEL)};
    struct reckon_history_test test = {
        .size = sizeof test, .name = reckon_cell(cells, TEST), .unit = reckon_cell(cells, UNIT)};
    if (reckon_blank(run.ts) || !*test.name) {
        in->left_out++;
        return 0;
    }
    reckon_history_trial(in->h, reckon_history_test(in->h, &test), reckon_history_run(in->h, &run),
                         reckon_cell_number(cells, VALUE), reckon_cell(cells, STATUS));
    return 0;
}

static int read(struct reckon *r, struct reckon_input *in, void *into) {
    struct reading reading = {.r = r, .h = into};
    struct reckon_table table = {
        .size = sizeof table,
        .columns = (const char *const[]){"ts", "test", "value", "status", "label", "unit", NULL},
        .row = row,
        .user = &reading,
    };
    if (reckon_read_table(r, in, &table, NULL))
        return -1;
    if (reading.left_out > 0)
        reckon_note(r, "%s: %s without a usable ts or test left out",
                    reckon_printable(r, reckon_input_path(in)), reckon_count(r, reading.left_out, "row"));
    return 0;
}

RECKON_PLUGIN(context, samples) = {
    .name = "samples",
    .summary = "history from CSV: ts,test,value and perhaps status, label, unit",
    .verbs = "trend compare",
    .context = {.role = "history",
                .many = true,
                .positional = true,
                .suffix = ".csv",
                .recognise = recognise,
                .read = read},
};
