/* SPDX-License-Identifier: Apache-2.0
 *
 * From records to flows: batches of senders in order of their names, whose records are sorted by counting and
 * averaged. A flow's values are sorted before they are added up, so that no mean depends on the order of rows
 * or files.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"

#define BATCH ((size_t)1 << 15) /* records sorted at once, unless one sender has more */
#define FLOW_FIGURES 8          /* DEMAND to REPLY_SIZE */
#define AVERAGED RECKON_SIZE    /* those before SIZE are means */
#define INSERTION 24            /* up to so many values are sorted by insertion */
_Static_assert(RECKON_DEMAND == 0 && RECKON_REPLY_SIZE == FLOW_FIGURES - 1,
               "the figures of a flow come first");

struct row {
    double ts, figure[FLOW_FIGURES];
    uint32_t src, dst, layer, present;
};

struct batch {
    struct assembly *a;
    uint32_t low, high; /* senders, high excluded */
    struct row *rows;
    size_t nrows, cap;
    uint32_t *order, *spare; /* of the rows */
    uint32_t *places;        /* counting; one per host or layer */
    double *values;          /* of one figure of one flow */
    size_t flows_cap, shapes_cap;
    struct names sizes; /* (size, reply) as bytes; its number is the shape's */
    uint32_t last_shape;
};

/* ---- means ---- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_values(double *v, size_t n) {
    if (n > INSERTION) {
        qsort(v, n, sizeof *v, by_value);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        double x = v[i];
        size_t k = i;
        for (; k && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

/* Plain addition, as the other tools have it; of values in order, so that no order of rows can change it, and
 * from the smallest on, which loses least. */
static double sum_of(const double *v, size_t n, double share) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] * share;
    return sum;
}

double mean_of(double *v, size_t n) {
    if (!n)
        return RECKON_BLANK;
    sort_values(v, n);
    double sum = sum_of(v, n, 1);
    return isfinite(sum) ? sum / (double)n : sum_of(v, n, 1 / (double)n);
}

/* Rates of one flow measured side by side; blank when they overflow. */
static double total_of(double *v, size_t n) {
    sort_values(v, n);
    double sum = sum_of(v, n, 1);
    return n && isfinite(sum) ? sum : RECKON_BLANK;
}

/* ---- collecting and sorting a batch ---- */

static void push(struct batch *b, const struct record *rec, uint32_t src) {
    struct assembly *a = b->a;
    b->rows = reckon_grow(b->rows, b->nrows, &b->cap, sizeof *b->rows);
    struct row *row = &b->rows[b->nrows++];
    memcpy(row->figure, rec->figure, sizeof row->figure);
    row->present = rec->present;
    row->ts = reckon_blank(rec->ts) ? -INFINITY : rec->ts;
    row->src = src - b->low;
    row->dst = a->rank[rec->peer];
    row->layer = rec->layer == RECKON_NONE ? 0 : a->layer_rank[rec->layer];
}

static void collect(struct batch *b, size_t i) {
    struct assembly *a = b->a;
    struct sample_cursor c;
    for (cursor_start(&c, a->sinks[i]); cursor_next(&c);) {
        if (c.record.kind != RECKON_SAMPLE_FLOW || !counts(a, i, &c.record))
            continue;
        uint32_t src = a->rank[c.record.host];
        if (src >= b->low && src < b->high)
            push(b, &c.record, src);
    }
}

static uint32_t key_of(const struct row *row, size_t offset) {
    uint32_t key;
    memcpy(&key, (const char *)row + offset, sizeof key);
    return key;
}

/* Sorts the order by one of the numbers of a row, keeping what was sorted before among equals. */
static void sort_by(struct batch *b, size_t offset, uint32_t keys) {
    memset(b->places, 0, keys * sizeof *b->places);
    for (size_t i = 0; i < b->nrows; i++)
        b->places[key_of(&b->rows[i], offset)]++;
    for (uint32_t k = 0, before = 0; k < keys; k++) {
        uint32_t n = b->places[k];
        b->places[k] = before;
        before += n;
    }
    for (size_t i = 0; i < b->nrows; i++)
        b->spare[b->places[key_of(&b->rows[b->order[i]], offset)]++] = b->order[i];
    uint32_t *sorted = b->spare;
    b->spare = b->order;
    b->order = sorted;
}

static void sort_rows(struct batch *b) {
    const struct reckon_comparison *c = b->a->c;
    if (b->nrows > UINT32_MAX)
        out_of_memory();
    b->order = reckon_resize(b->order, b->nrows, sizeof *b->order);
    b->spare = reckon_resize(b->spare, b->nrows, sizeof *b->spare);
    for (size_t i = 0; i < b->nrows; i++)
        b->order[i] = (uint32_t)i;
    if (c->nlayers > 1)
        sort_by(b, offsetof(struct row, layer), c->nlayers);
    sort_by(b, offsetof(struct row, dst), c->nhosts);
    sort_by(b, offsetof(struct row, src), b->high - b->low);
}

/* ---- one flow ---- */

static bool usable(const struct row *row, int f) {
    double x = row->figure[f];
    return row->present & 1u << f && (x >= 0 || f == RECKON_LOSS) && (x > 0 || f != RECKON_SIZE);
}

/* The value of a figure in the latest row that has it, the larger of two at one time. */
static double last_of(const struct batch *b, const uint32_t *order, size_t n, int f) {
    const struct row *last = NULL;
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &b->rows[order[i]];
        if (!usable(row, f))
            continue;
        changed = changed || (last && row->figure[f] != last->figure[f]);
        if (!last || row->ts > last->ts || (row->ts == last->ts && row->figure[f] > last->figure[f]))
            last = row;
    }
    if (changed)
        b->a->resized[b->low + b->rows[order[0]].src] = true;
    return last ? last->figure[f] : RECKON_BLANK;
}

/* The mean of a figure; rates of a run whose samples add up, their sum. *n: how many values there were. */
static double figure_of(const struct batch *b, const uint32_t *order, size_t rows, int f, uint32_t *n) {
    uint32_t k = 0;
    for (size_t i = 0; i < rows; i++) {
        const struct row *row = &b->rows[order[i]];
        if (usable(row, f))
            b->values[k++] = row->figure[f];
    }
    *n = k;
    bool rate = f == RECKON_DEMAND || f == RECKON_SENT || f == RECKON_ACHIEVED;
    if (b->a->add_up && rate)
        return total_of(b->values, k);
    double mean = mean_of(b->values, k);
    /* a target that never changed is that target to the last bit, however often it was read: steps of a ramp
     * compare */
    return f == RECKON_DEMAND && k && b->values[0] == b->values[k - 1] ? b->values[0] : mean;
}

/* The shape of a packet size, old or new. */
static uint32_t shape_of(struct batch *b, double size, double reply) {
    struct reckon_comparison *c = b->a->c;
    double pair[2] = {size, reckon_blank(reply) ? -1 : reply};
    if (c->nshapes) {
        const struct shape *last = &c->shapes[b->last_shape];
        if (last->size == size &&
            (last->reply == reply || (reckon_blank(last->reply) && reckon_blank(reply))))
            return b->last_shape;
    }
    b->last_shape = names_add(&b->sizes, (const char *)pair, sizeof pair);
    if (b->last_shape == c->nshapes) {
        c->shapes = reckon_grow(c->shapes, c->nshapes, &b->shapes_cap, sizeof *c->shapes);
        c->shapes[c->nshapes++] = (struct shape){.size = size, .reply = reply, .mtu = RECKON_BLANK};
    }
    return b->last_shape;
}

/* What the packets of the flow are; false when the workload needs a size that is not known. */
static bool find_shape(struct batch *b, const uint32_t *order, size_t n, uint32_t *shape) {
    enum reckon_workload workload = b->a->c->workload;
    *shape = 0;
    if (workload == RECKON_TCP)
        return true;
    double size = last_of(b, order, n, RECKON_SIZE), reply = RECKON_BLANK;
    if (workload == RECKON_REQUEST_REPLY)
        reply = last_of(b, order, n, RECKON_REPLY_SIZE);
    if (reckon_blank(size) || (workload == RECKON_REQUEST_REPLY && reckon_blank(reply)))
        return false;
    *shape = shape_of(b, size, reply);
    return true;
}

static void add_flow(struct batch *b, const uint32_t *order, size_t n) {
    struct reckon_comparison *c = b->a->c;
    const struct row *row = &b->rows[order[0]];
    double figure[AVERAGED];
    uint32_t values[AVERAGED], shape;
    for (int f = 0; f < AVERAGED; f++)
        figure[f] = figure_of(b, order, n, f, &values[f]);
    if (figure[RECKON_DEMAND] == 0)
        return; /* it asked for nothing */
    if (!find_shape(b, order, n, &shape)) {
        b->a->sizeless++;
        return;
    }
    if (c->nflows == UINT32_MAX)
        out_of_memory();
    c->flows = reckon_grow(c->flows, c->nflows, &b->flows_cap, sizeof *c->flows);
    c->flows[c->nflows++] = (struct flow){
        .src = b->low + row->src,
        .dst = row->dst,
        .layer = row->layer,
        .samples = values[c->workload == RECKON_REQUEST_REPLY ? RECKON_SENT : RECKON_ACHIEVED],
        .shape = shape,
        .limit_link = RECKON_NONE,
        .demand = figure[RECKON_DEMAND],
        .sent = figure[RECKON_SENT],
        .achieved = figure[RECKON_ACHIEVED],
        .expected = RECKON_BLANK,
        .loss = figure[RECKON_LOSS],
        .rtt_p50 = figure[RECKON_RTT_P50],
        .rtt_p99 = figure[RECKON_RTT_P99],
    };
}

/* ---- all of them ---- */

static bool one_flow(const struct row *a, const struct row *b) {
    return a->src == b->src && a->dst == b->dst && a->layer == b->layer;
}

static void add_flows(struct batch *b) {
    b->values = reckon_resize(b->values, b->nrows, sizeof *b->values);
    for (size_t i = 0, end; i < b->nrows; i = end) {
        for (end = i + 1; end < b->nrows; end++)
            if (!one_flow(&b->rows[b->order[i]], &b->rows[b->order[end]]))
                break;
        add_flow(b, b->order + i, end - i);
    }
}

/* The next senders, as many as make a batch: how many records they have. */
static size_t next_batch(struct batch *b) {
    const struct assembly *a = b->a;
    size_t rows = 0;
    b->low = b->high;
    while (b->high < a->c->nhosts && (!rows || rows + a->rows[b->high] <= BATCH))
        rows += a->rows[b->high++];
    return rows;
}

static bool holds_any(const struct batch *b, const struct file *f) {
    return f->low <= f->high && f->low < b->high && f->high >= b->low;
}

/* Frees the sinks that no later batch needs, and gives their memory back while the flows still grow. */
static void consume(const struct batch *b) {
    struct assembly *a = b->a;
    size_t freed = 0;
    for (size_t i = 0; a->whole && i < a->nsinks; i++)
        if (a->sinks[i] && (a->files[i].low > a->files[i].high || a->files[i].high < b->high)) {
            freed += a->sinks[i]->count;
            sink_free(a->sinks[i]);
            a->sinks[i] = NULL;
        }
    if (freed >= BATCH / 2)
        malloc_trim(0);
}

static void keep_shapes(struct reckon_comparison *c) {
    struct shape *kept = reckon_alloc(c->r, (c->nshapes ? c->nshapes : 1) * sizeof *kept);
    if (c->nshapes)
        memcpy(kept, c->shapes, c->nshapes * sizeof *kept);
    free(c->shapes);
    c->shapes = kept;
}

void assemble_flows(struct assembly *a) {
    struct reckon_comparison *c = a->c;
    struct batch b = {.a = a};
    uint32_t keys = c->nhosts > c->nlayers ? c->nhosts : c->nlayers;
    b.places = reckon_resize(NULL, keys, sizeof *b.places);
    while (b.high < c->nhosts) {
        if (next_batch(&b)) {
            b.nrows = 0;
            for (size_t i = 0; i < a->nsinks; i++)
                if (holds_any(&b, &a->files[i]))
                    collect(&b, i);
            sort_rows(&b);
            add_flows(&b);
        }
        consume(&b);
    }
    if (c->nflows)
        c->flows = reckon_resize(c->flows, c->nflows, sizeof *c->flows);
    keep_shapes(c);
    names_free(&b.sizes);
    free(b.rows);
    free(b.order);
    free(b.spare);
    free(b.places);
    free(b.values);
    if (c->nflows >= BATCH)
        malloc_trim(0); /* what solving takes should not come on top of this */
}
