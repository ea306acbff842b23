/* SPDX-License-Identifier: Apache-2.0
 *
 * From samples to a run: which hosts took part, how they are numbered, what the whole run says of itself, and
 * its flows. Names are numbers from here on, hosts and layers in byte order of their names.
 */
#include <stdlib.h>
#include <string.h>

#include "assemble.h"

enum { TOOK_PART = 1, REPORTED = 2 };

struct reporter {
    size_t file;
    uint32_t name;
};

struct cpu_value {
    uint32_t host, figure;
    double value;
};

/* What one pass over the records finds; by name where a host has no number yet. */
struct census {
    unsigned char *did;
    uint32_t *rows, *last_file; /* of a reporter: the file it was last seen in, + 1 */
    bool *layer_used;
    struct reporter *reporters; /* file by file, each host once a file */
    size_t nreporters, reporters_cap;
    struct cpu_value *cpu;
    size_t ncpu, cpu_cap;
};

/* ---- what the run says of itself ---- */

static void take_facts(struct assembly *a, const struct reckon_plugin *reader) {
    struct reckon_comparison *c = a->c;
    c->source = reader->name;
    c->workload = reader->run.workload;
    c->sharing = RECKON_SHARE_LAYER;
    for (size_t i = 0; i < a->nsinks; i++) {
        const struct run_facts *f = &a->sinks[i]->facts;
        if (f->workload)
            c->workload = f->workload;
        if (f->sharing) {
            c->sharing = f->sharing;
            c->mode = f->mode;
        }
        if (f->run_id)
            c->run_id = f->run_id;
        a->add_up = a->add_up || f->add_up;
        c->loose_times = c->loose_times || f->loose_times;
    }
    c->unit = c->workload == RECKON_REQUEST_REPLY ? "pps" : "Mb/s";
}

/* ---- the census ---- */

static void census_start(struct census *k, const struct sample_names *names) {
    size_t hosts = names->hosts.count + 1u, layers = names->layers.count + 1u;
    *k = (struct census){
        .did = reckon_resize(NULL, hosts, sizeof *k->did),
        .rows = reckon_resize(NULL, hosts, sizeof *k->rows),
        .last_file = reckon_resize(NULL, hosts, sizeof *k->last_file),
        .layer_used = reckon_resize(NULL, layers, sizeof *k->layer_used),
    };
    memset(k->did, 0, hosts * sizeof *k->did);
    memset(k->rows, 0, hosts * sizeof *k->rows);
    memset(k->last_file, 0, hosts * sizeof *k->last_file);
    memset(k->layer_used, 0, layers * sizeof *k->layer_used);
}

static void census_end(struct census *k) {
    free(k->did);
    free(k->rows);
    free(k->last_file);
    free(k->layer_used);
    free(k->reporters);
    free(k->cpu);
}

static void note_reporter(struct census *k, size_t file, uint32_t name) {
    if (k->last_file[name] == file + 1)
        return;
    k->last_file[name] = (uint32_t)file + 1;
    k->did[name] |= TOOK_PART | REPORTED;
    k->reporters = reckon_grow(k->reporters, k->nreporters, &k->reporters_cap, sizeof *k->reporters);
    k->reporters[k->nreporters++] = (struct reporter){file, name};
}

static void take_cpu(struct census *k, const struct record *rec) {
    static const uint32_t any = (1u << RECKON_FIGURES) - (1u << RECKON_CPU_CORE);
    for (uint32_t f = RECKON_CPU_CORE; rec->present & any && f < RECKON_FIGURES; f++)
        if (rec->present & 1u << f && rec->figure[f] >= 0) {
            k->cpu = reckon_grow(k->cpu, k->ncpu, &k->cpu_cap, sizeof *k->cpu);
            k->cpu[k->ncpu++] = (struct cpu_value){rec->host, f, rec->figure[f]};
        }
}

static void take_ts(struct reckon_comparison *c, double ts) {
    if (reckon_blank(ts))
        return;
    if (!(c->first_ts <= ts))
        c->first_ts = ts;
    if (!(c->last_ts >= ts))
        c->last_ts = ts;
}

static void count_record(struct assembly *a, struct census *k, size_t file, const struct record *rec) {
    a->files[file].kept++;
    take_ts(a->c, rec->ts);
    if (rec->kind == RECKON_SAMPLE_PEER)
        k->did[rec->host] |= TOOK_PART;
    else
        note_reporter(k, file, rec->host);
    if (rec->peer != RECKON_NONE)
        k->did[rec->peer] |= TOOK_PART;
    if (rec->kind == RECKON_SAMPLE_FLOW) {
        k->rows[rec->host]++;
        if (rec->layer != RECKON_NONE)
            k->layer_used[rec->layer] = true;
    }
    take_cpu(k, rec);
}

static void take_census(struct assembly *a, struct census *k) {
    struct sample_cursor c;
    for (size_t i = 0; i < a->nsinks; i++) {
        for (cursor_start(&c, a->sinks[i]); cursor_next(&c);)
            if (counts(a, i, &c.record))
                count_record(a, k, i, &c.record);
        for (size_t f = 0; f < a->sinks[i]->nfailed; f++)
            k->did[a->sinks[i]->failed[f].source] |= TOOK_PART;
    }
}

/* ---- numbering ---- */

struct numbered {
    const char *text;
    uint32_t name;
};

static int by_text(const void *a, const void *b) {
    return strcmp(((const struct numbered *)a)->text, ((const struct numbered *)b)->text);
}

/* Ranks the names that are marked, in byte order, from `first` on; the others get RECKON_NONE. The texts in
 * order go to *texts (session memory, *texts[0…first) NULL). Returns the number after the last. */
static uint32_t rank_names(struct reckon *r, const struct names *names, const unsigned char *marked,
                           uint32_t first, uint32_t *rank, const char ***texts) {
    struct numbered *list = reckon_resize(NULL, names->count + 1u, sizeof *list);
    uint32_t n = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        rank[i] = RECKON_NONE;
        if (marked[i])
            list[n++] = (struct numbered){names->text[i], i};
    }
    qsort(list, n, sizeof *list, by_text);
    *texts = reckon_alloc(r, (first + (size_t)n + 1) * sizeof **texts);
    for (uint32_t i = 0; i < n; i++) {
        rank[list[i].name] = first + i;
        (*texts)[first + i] = reckon_strdup(r, list[i].text);
    }
    free(list);
    return first + n;
}

static const struct host no_host = {
    .element = RECKON_NONE,
    .layout_gbps = RECKON_BLANK,
    .flag_gbps = RECKON_BLANK,
    .measured_gbps = RECKON_BLANK,
    .nic_gbps = RECKON_BLANK,
    .nic_mpps = RECKON_BLANK,
    .mtu = RECKON_BLANK,
    .cpu_core = RECKON_BLANK,
    .cpu_agent = RECKON_BLANK,
    .cpu_peak = RECKON_BLANK,
    .cpu_softirq = RECKON_BLANK,
    .expected = RECKON_BLANK,
    .achieved = RECKON_BLANK,
    .efficiency = RECKON_BLANK,
    .added_rtt = RECKON_BLANK,
    .limit_link = RECKON_NONE,
    .then = RECKON_BLANK,
    .nic_then = RECKON_BLANK,
};

static void number_hosts(struct assembly *a, const struct census *k) {
    struct reckon_comparison *c = a->c;
    uint32_t names = a->names->hosts.count;
    const char **texts;
    c->nhosts = rank_names(a->r, &a->names->hosts, k->did, 0, a->rank, &texts);
    c->hosts = reckon_alloc(a->r, (c->nhosts + 1u) * sizeof *c->hosts);
    a->rows = reckon_resize(NULL, c->nhosts + 1u, sizeof *a->rows);
    for (uint32_t i = 0; i < names; i++) {
        uint32_t h = a->rank[i];
        if (h == RECKON_NONE)
            continue;
        c->hosts[h] = no_host;
        for (size_t t = 0; t < MAX_TIERS; t++)
            c->hosts[h].group[t] = RECKON_NONE;
        c->hosts[h].name = texts[h];
        c->hosts[h].reported = k->did[i] & REPORTED;
        a->rows[h] = k->rows[i];
    }
}

static void number_layers(struct assembly *a, const struct census *k) {
    _Static_assert(sizeof(bool) == 1, "marks are bytes");
    a->c->nlayers = rank_names(a->r, &a->names->layers, (const unsigned char *)k->layer_used, 1,
                               a->layer_rank, &a->c->layers);
}

/* Which hosts reported in which file. */
static void place_reporters(struct assembly *a, const struct census *k) {
    a->reports = reckon_resize(NULL, a->c->nhosts + 1u, sizeof *a->reports);
    memset(a->reports, 0, (a->c->nhosts + 1u) * sizeof *a->reports);
    for (size_t i = 0; i < k->nreporters; i++) {
        struct file *f = &a->files[k->reporters[i].file];
        uint32_t h = a->rank[k->reporters[i].name];
        a->reports[h]++;
        f->low = h < f->low ? h : f->low;
        f->high = h > f->high ? h : f->high;
    }
}

/* ---- CPU figures ---- */

static int by_host_figure(const void *a, const void *b) {
    const struct cpu_value *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return (x->figure > y->figure) - (x->figure < y->figure);
}

static double *cpu_figure(struct host *h, uint32_t figure) {
    double *const field[] = {&h->cpu_core, &h->cpu_agent, &h->cpu_peak, &h->cpu_softirq};
    return field[figure - RECKON_CPU_CORE];
}

static void average_cpu(struct assembly *a, struct census *k) {
    double *values = reckon_resize(NULL, k->ncpu + 1, sizeof *values);
    if (k->ncpu)
        qsort(k->cpu, k->ncpu, sizeof *k->cpu, by_host_figure);
    for (size_t i = 0, n; i < k->ncpu; i += n) {
        for (n = 0; i + n < k->ncpu && !by_host_figure(&k->cpu[i], &k->cpu[i + n]); n++)
            values[n] = k->cpu[i + n].value;
        *cpu_figure(&a->c->hosts[a->rank[k->cpu[i].host]], k->cpu[i].figure) = mean_of(values, n);
    }
    free(values);
}

/* ---- failed tests ---- */

static int by_failure(const void *a, const void *b) {
    const struct failed_test *x = a, *y = b;
    int order = strcmp(x->source, y->source);
    order = order ? order : strcmp(x->target, y->target);
    order = order ? order : strcmp(x->status, y->status);
    if (order || !x->error || !y->error)
        return order ? order : !x->error - !y->error;
    return strcmp(x->error, y->error);
}

static bool one_failure(const struct failed_test *x, const struct failed_test *y) {
    return !strcmp(x->source, y->source) && !strcmp(x->target, y->target) && !strcmp(x->status, y->status);
}

static const char *text_of(const struct names *names, uint32_t number, const char *none) {
    return number == RECKON_NONE ? none : names->text[number];
}

/* The distinct ones by (source, target, status), sorted. */
static void take_failures(struct assembly *a) {
    struct reckon_comparison *c = a->c;
    struct failed_test *all = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < a->nsinks; i++)
        for (size_t k = 0; k < a->sinks[i]->nfailed; k++) {
            const struct failed_record *f = &a->sinks[i]->failed[k];
            all = reckon_grow(all, n, &cap, sizeof *all);
            all[n++] = (struct failed_test){
                a->names->hosts.text[f->source],
                text_of(&a->names->hosts, f->target, ""),
                text_of(&a->names->words, f->status, "?"),
                text_of(&a->names->words, f->error, NULL),
            };
        }
    if (n)
        qsort(all, n, sizeof *all, by_failure);
    c->failed = reckon_alloc(a->r, (n + 1) * sizeof *c->failed);
    for (size_t i = 0; i < n; i++)
        if (!i || !one_failure(&all[i], &all[i - 1]))
            c->failed[c->nfailed++] = (struct failed_test){
                reckon_strdup(a->r, all[i].source),
                reckon_strdup(a->r, all[i].target),
                reckon_strdup(a->r, all[i].status),
                all[i].error ? reckon_strdup(a->r, all[i].error) : NULL,
            };
    free(all);
}

/* ---- how it is described ---- */

/* "1434 B", "64 to 1434 B". */
static const char *bytes_text(struct reckon *r, double least, double most) {
    char a[RECKON_NUMBER_SIZE], b[RECKON_NUMBER_SIZE];
    reckon_number_text(least, a);
    return least == most ? reckon_text(r, "%s B", a)
                         : reckon_text(r, "%s to %s B", a, reckon_number_text(most, b));
}

static const char *sizes_text(const struct reckon_comparison *c) {
    if (!c->nshapes || c->workload == RECKON_TCP)
        return "";
    struct shape least = c->shapes[0], most = least;
    for (uint32_t i = 1; i < c->nshapes; i++) {
        const struct shape *s = &c->shapes[i];
        least.size = fmin(least.size, s->size);
        least.reply = fmin(least.reply, s->reply);
        most.size = fmax(most.size, s->size);
        most.reply = fmax(most.reply, s->reply);
    }
    const char *size = bytes_text(c->r, least.size, most.size);
    if (c->workload == RECKON_UDP)
        return reckon_text(c->r, ", %s datagrams", size);
    return reckon_text(c->r, ", %s requests, %s replies", size, bytes_text(c->r, least.reply, most.reply));
}

static const char *describe(const struct assembly *a) {
    const struct reckon_comparison *c = a->c;
    char seconds[RECKON_NUMBER_SIZE];
    const char *window = "";
    if (a->whole && c->window > 0)
        window = reckon_text(a->r, ", last %ss", reckon_number_text(c->window, seconds));
    else if (a->whole && c->window == 0)
        window = ", all of it";
    return reckon_text(a->r, "%s run%s%s%s%s", c->source, c->mode ? ", " : "", c->mode ? c->mode : "",
                       sizes_text(c), window);
}

/* ---- assembling ---- */

static void assemble(struct assembly *a, const struct reckon_plugin *reader) {
    struct census k;
    size_t hosts = a->names->hosts.count + 1u, layers = a->names->layers.count + 1u;
    a->rank = reckon_resize(NULL, hosts, sizeof *a->rank);
    a->layer_rank = reckon_resize(NULL, layers, sizeof *a->layer_rank);
    take_facts(a, reader);
    if (a->whole)
        assemble_window(a);
    census_start(&k, a->names);
    take_census(a, &k);
    number_hosts(a, &k);
    number_layers(a, &k);
    place_reporters(a, &k);
    average_cpu(a, &k);
    census_end(&k);
    take_failures(a);
    a->resized = reckon_resize(NULL, a->c->nhosts + 1u, sizeof *a->resized);
    memset(a->resized, 0, (a->c->nhosts + 1u) * sizeof *a->resized);
    if (a->whole)
        note_files(a);
    assemble_flows(a);
    if (a->whole)
        note_hosts(a);
    a->c->describe = describe(a);
}

static struct reckon_comparison *assembly_run(struct assembly *a, const struct reckon_plugin *reader,
                                              double window) {
    struct reckon_comparison *c = a->c = reckon_alloc(a->r, sizeof *c);
    c->r = a->r;
    c->first_ts = c->last_ts = c->window_end = RECKON_BLANK;
    c->window = window;
    a->files = reckon_resize(NULL, a->nsinks, sizeof *a->files);
    for (size_t i = 0; i < a->nsinks; i++)
        a->files[i] = (struct file){.low = RECKON_NONE, .high = 0};
    assemble(a, reader);
    free(a->files);
    free(a->rank);
    free(a->layer_rank);
    free(a->rows);
    free(a->resized);
    free(a->reports);
    return c;
}

static int no_row(struct reckon *r, struct reckon_sink **sinks, size_t nsinks) {
    if (nsinks == 1)
        return reckon_error(r, sinks[0]->path, 0, "it holds no row that can be used");
    return reckon_error(r, nsinks ? sinks[0]->path : NULL, 0,
                        "none of the %zu files holds a row that can be used", nsinks);
}

/* The names of the sinks, kept while the sinks are freed one by one. */
static struct sample_names *hold_names(struct reckon_sink **sinks, size_t nsinks) {
    struct sample_names *names = sinks_finish(sinks, nsinks);
    if (!names)
        return sample_names_new();
    names->users++;
    return names;
}

struct reckon_comparison *run_assemble(struct reckon *r, const struct reckon_plugin *reader,
                                       struct reckon_sink **sinks, size_t nsinks, double window) {
    struct reckon_comparison *c = NULL;
    size_t records = 0;
    for (size_t i = 0; i < nsinks; i++)
        records += sinks[i]->count + sinks[i]->nfailed;
    if (records) {
        struct sample_names *names = hold_names(sinks, nsinks);
        struct assembly a = {.r = r, .sinks = sinks, .nsinks = nsinks, .whole = true, .names = names};
        c = assembly_run(&a, reader, window);
        sample_names_leave(names);
    } else {
        no_row(r, sinks, nsinks);
    }
    for (size_t i = 0; i < nsinks; i++) {
        sink_free(sinks[i]);
        sinks[i] = NULL;
    }
    return c;
}

struct reckon_comparison *run_assemble_kept(struct reckon *r, const struct reckon_plugin *reader,
                                            struct reckon_sink **sinks, size_t nsinks, record_keep *keep,
                                            void *user) {
    struct sample_names *names = hold_names(sinks, nsinks);
    struct assembly a = {
        .r = r, .sinks = sinks, .nsinks = nsinks, .names = names, .keep = keep, .user = user};
    struct reckon_comparison *c = assembly_run(&a, reader, RECKON_BLANK);
    sample_names_leave(names);
    return c;
}

void run_free(struct reckon_comparison *c) {
    free(c->flows);
    c->flows = NULL;
    c->nflows = 0;
}
