/* SPDX-License-Identifier: Apache-2.0
 *
 * The sample store. A record says only what differs from the one before it in its chunk, and a figure of up
 * to three decimals takes four bytes, so that millions of rows fit in memory; every value reads back exactly
 * as it came.
 */
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define FIRST_CHUNK 1024u
#define LARGEST_CHUNK 65536u
#define LARGEST_RECORD (sizeof(uint32_t) * 4 + sizeof(double) * (1 + RECKON_FIGURES))

struct sample_chunk {
    struct sample_chunk *next;
    double newest; /* ts; blank: no record has one */
    bool timeless; /* some record has no ts */
    size_t count;  /* records */
    size_t used, size;
    unsigned char data[];
};

/* A record begins with 32 bits: two for each figure, two for the kind, and what else follows. */
enum { ABSENT, SAME, THOUSANDTHS, DOUBLE };
enum { PEER_NONE, PEER_SAME, PEER_NEXT, PEER_NEW };
#define KIND_SHIFT (2 * RECKON_FIGURES)
#define TS_NEW (1u << (KIND_SHIFT + 2))
#define HOST_NEW (1u << (KIND_SHIFT + 3))
#define LAYER_NEW (1u << (KIND_SHIFT + 4))
#define PEER_SHIFT (KIND_SHIFT + 5)
_Static_assert(PEER_SHIFT + 2 <= 32, "the head of a record holds 32 bits");

/* ---- sinks ---- */

struct reckon_sink *sink_new(struct reckon *r, const char *path) {
    struct reckon_sink *s = reckon_resize(NULL, 1, sizeof *s);
    *s = (struct reckon_sink){.r = r, .path = path, .newest = RECKON_BLANK};
    return s;
}

void sample_names_leave(struct sample_names *names) {
    pthread_mutex_lock(&names->lock);
    bool last = !--names->users;
    pthread_mutex_unlock(&names->lock);
    if (!last)
        return;
    names_free(&names->hosts);
    names_free(&names->layers);
    names_free(&names->words);
    pthread_mutex_destroy(&names->lock);
    free(names);
}

void sink_free(struct reckon_sink *s) {
    if (!s)
        return;
    for (struct sample_chunk *c = s->first, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    names_free(&s->hosts);
    names_free(&s->layers);
    names_free(&s->words);
    free(s->host_of);
    free(s->layer_of);
    free(s->failed);
    if (s->shared)
        sample_names_leave(s->shared);
    free(s);
}

void reckon_sink_sharing(struct reckon_sink *s, enum reckon_sharing sharing, const char *mode) {
    s->facts.sharing = sharing;
    s->facts.mode = mode ? reckon_strdup(s->r, mode) : NULL;
}

void reckon_sink_workload(struct reckon_sink *s, enum reckon_workload workload) {
    s->facts.workload = workload;
}

void reckon_sink_run_id(struct reckon_sink *s, const char *id) {
    s->facts.run_id = id ? reckon_strdup(s->r, id) : NULL;
}

void reckon_sink_add_up(struct reckon_sink *s, bool add_up) {
    s->facts.add_up = add_up;
}

void reckon_sink_loose_times(struct reckon_sink *s, bool loose) {
    s->facts.loose_times = loose;
}

/* ---- names ---- */

/* The number of a name; readers repeat the last one or go through the same order again, so `guess` is tried
 * first. */
static uint32_t number_of(struct names *names, const char *name, uint32_t guess) {
    if (guess < names->count && !strcmp(names->text[guess], name))
        return guess;
    return names_add(names, name, strlen(name));
}

static uint32_t number_or_none(struct names *names, const char *name) {
    return name && *name ? names_add(names, name, strlen(name)) : RECKON_NONE;
}

void reckon_sink_failed(struct reckon_sink *s, const char *source, const char *target, const char *status,
                        const char *error) {
    if (!source || !*source)
        return;
    s->failed = reckon_grow(s->failed, s->nfailed, &s->failed_cap, sizeof *s->failed);
    s->failed[s->nfailed++] = (struct failed_record){
        number_or_none(&s->hosts, source),
        number_or_none(&s->hosts, target),
        number_or_none(&s->words, status),
        number_or_none(&s->words, error),
    };
}

/* ---- writing ---- */

static bool before_window(const struct reckon_sink *s, double ts) {
    return s->window > 0 && ts < s->newest - s->window; /* false for a blank */
}

/* Chunks that have fallen out of the window for good. */
static void drop_old(struct reckon_sink *s) {
    for (struct sample_chunk *c; (c = s->first) && !c->timeless && before_window(s, c->newest);) {
        s->first = c->next;
        s->count -= c->count;
        free(c);
    }
    if (!s->first)
        s->last = NULL;
}

static struct sample_chunk *chunk_with_room(struct reckon_sink *s) {
    struct sample_chunk *last = s->last;
    if (last && last->size - last->used >= LARGEST_RECORD)
        return last;
    size_t size = last && last->size < LARGEST_CHUNK ? last->size * 2 : last ? LARGEST_CHUNK : FIRST_CHUNK;
    drop_old(s);
    struct sample_chunk *c = reckon_resize(NULL, 1, sizeof *c + size);
    *c = (struct sample_chunk){.newest = RECKON_BLANK, .size = size};
    if (s->last)
        s->last->next = c;
    else
        s->first = c;
    s->state.known = 0;
    s->state.begun = false;
    return s->last = c;
}

static unsigned char *put(unsigned char *at, const void *value, size_t size) {
    memcpy(at, value, size);
    return at + size;
}

static unsigned char *put_number(unsigned char *at, uint32_t number) {
    return put(at, &number, sizeof number);
}

/* Whether x is a whole number of thousandths that divides back to exactly x. Negative zero becomes zero, so
 * that no sum of zeros depends on their order. */
static bool thousandths(double x, uint32_t *k) {
    if (!(x >= 0 && x < 4294967.0))
        return false;
    *k = (uint32_t)(x * 1000 + 0.5);
    return (double)*k / 1000 == x;
}

static bool same_ts(double a, double b) {
    return a == b || (reckon_blank(a) && reckon_blank(b));
}

static unsigned char *put_figure(struct sample_state *st, unsigned char *at, int f, double x,
                                 uint32_t *head) {
    uint32_t code, k;
    bool known = st->known & 1u << f;
    if (known && x == st->figure[f]) {
        code = SAME;
    } else if (thousandths(x, &k)) {
        code = THOUSANDTHS;
        at = put_number(at, k);
    } else {
        code = DOUBLE;
        at = put(at, &x, sizeof x);
    }
    st->figure[f] = x;
    st->known |= 1u << f;
    *head |= code << 2 * f;
    return at;
}

/* Who, when and where, as far as it differs from the record before. */
static unsigned char *put_ends(struct sample_state *st, unsigned char *at, const struct record *rec,
                               uint32_t *head) {
    if (!st->begun || !same_ts(rec->ts, st->ts)) {
        *head |= TS_NEW;
        at = put(at, &rec->ts, sizeof rec->ts);
    }
    if (!st->begun || rec->host != st->host) {
        *head |= HOST_NEW;
        at = put_number(at, rec->host);
    }
    if (!st->begun || rec->layer != st->layer) {
        *head |= LAYER_NEW;
        at = put_number(at, rec->layer);
    }
    uint32_t code = PEER_NEW;
    if (rec->peer == RECKON_NONE)
        code = PEER_NONE;
    else if (st->begun && rec->peer == st->peer)
        code = PEER_SAME;
    else if (st->begun && rec->peer == st->peer + 1)
        code = PEER_NEXT;
    else
        at = put_number(at, rec->peer);
    *head |= code << PEER_SHIFT;
    st->ts = rec->ts;
    st->host = rec->host;
    st->layer = rec->layer;
    if (rec->peer != RECKON_NONE || !st->begun)
        st->peer = rec->peer; /* a chunk begins as if RECKON_NONE had gone before: the next is 0 */
    st->begun = true;
    return at;
}

static void write_record(struct reckon_sink *s, const struct record *rec) {
    struct sample_chunk *c = chunk_with_room(s);
    unsigned char *head_at = c->data + c->used, *at = head_at + sizeof(uint32_t);
    uint32_t head = (uint32_t)(rec->kind - RECKON_SAMPLE_FLOW) << KIND_SHIFT;
    at = put_ends(&s->state, at, rec, &head);
    for (int f = 0; f < RECKON_FIGURES; f++)
        if (rec->present & 1u << f)
            at = put_figure(&s->state, at, f, rec->figure[f], &head);
    put_number(head_at, head);
    c->used = (size_t)(at - c->data);
    c->count++;
    s->count++;
    if (reckon_blank(rec->ts))
        c->timeless = true;
    else if (!(c->newest >= rec->ts))
        c->newest = rec->ts;
}

/* The figures that are finite, as many as the reader's reckon_sample has. */
static void take_figures(struct record *rec, const struct reckon_sample *sample) {
    size_t room = sample->size - offsetof(struct reckon_sample, figure);
    size_t given = sample->size < offsetof(struct reckon_sample, figure) ? 0 : room / sizeof(double);
    for (size_t f = 0; f < given && f < RECKON_FIGURES; f++)
        if (isfinite(sample->figure[f])) {
            rec->present |= 1u << f;
            rec->figure[f] = sample->figure[f];
        }
}

void reckon_sink_sample(struct reckon_sink *s, const struct reckon_sample *sample) {
    struct record rec = {.kind = sample->kind, .peer = RECKON_NONE, .layer = RECKON_NONE};
    bool known = rec.kind >= RECKON_SAMPLE_FLOW && rec.kind <= RECKON_SAMPLE_PEER;
    rec.ts = isfinite(sample->ts) ? sample->ts : RECKON_BLANK;
    if (!known || !sample->host || !*sample->host || before_window(s, rec.ts))
        return;
    const struct sample_state *st = &s->state;
    rec.host = number_of(&s->hosts, sample->host, st->host);
    if (sample->peer && *sample->peer)
        rec.peer = number_of(&s->hosts, sample->peer, st->peer + 1);
    if (sample->layer && *sample->layer)
        rec.layer = number_of(&s->layers, sample->layer, st->layer);
    if (rec.kind == RECKON_SAMPLE_FLOW && rec.peer == RECKON_NONE)
        rec.kind = RECKON_SAMPLE_SEEN;
    if (rec.kind == RECKON_SAMPLE_FLOW || rec.kind == RECKON_SAMPLE_HOST)
        take_figures(&rec, sample);
    if (!(s->newest >= rec.ts) && !reckon_blank(rec.ts))
        s->newest = rec.ts;
    write_record(s, &rec);
}

/* ---- finishing ---- */

struct sample_names *sample_names_new(void) {
    struct sample_names *n = reckon_resize(NULL, 1, sizeof *n);
    *n = (struct sample_names){.users = 1};
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

/* The shared number of each of a sink's names; frees its own table. */
static uint32_t *fold(struct reckon *r, struct names *own, struct names *shared, bool hosts) {
    uint32_t *of = own->count ? reckon_resize(NULL, own->count, sizeof *of) : NULL;
    for (uint32_t i = 0; i < own->count; i++) {
        const char *name = hosts ? reckon_layout_name(r, own->text[i]) : own->text[i];
        of[i] = names_add(shared, name, strlen(name));
    }
    names_free(own);
    return of;
}

static uint32_t shared_number(const uint32_t *of, uint32_t number) {
    return number == RECKON_NONE ? RECKON_NONE : of[number];
}

static void shrink_last(struct reckon_sink *s) {
    struct sample_chunk **link = &s->first;
    if (!s->last)
        return;
    while (*link != s->last)
        link = &(*link)->next;
    *link = s->last = reckon_resize(s->last, 1, sizeof *s->last + s->last->used);
    s->last->size = s->last->used;
}

void sink_finish(struct reckon_sink *s, struct sample_names *shared) {
    drop_old(s);
    shrink_last(s);
    pthread_mutex_lock(&shared->lock);
    s->host_of = fold(s->r, &s->hosts, &shared->hosts, true);
    s->layer_of = fold(s->r, &s->layers, &shared->layers, false);
    uint32_t *word_of = fold(s->r, &s->words, &shared->words, false);
    shared->users++;
    pthread_mutex_unlock(&shared->lock);
    s->shared = shared;
    for (size_t i = 0; i < s->nfailed; i++) {
        struct failed_record *f = &s->failed[i];
        f->source = shared_number(s->host_of, f->source);
        f->target = shared_number(s->host_of, f->target);
        f->status = shared_number(word_of, f->status);
        f->error = shared_number(word_of, f->error);
    }
    free(word_of);
}

struct sample_names *sinks_finish(struct reckon_sink **sinks, size_t count) {
    struct sample_names *names = NULL;
    for (size_t i = 0; i < count && !names; i++)
        names = sinks[i]->shared;
    if (names)
        names->users++;
    else
        names = sample_names_new();
    for (size_t i = 0; i < count; i++)
        if (!sinks[i]->shared)
            sink_finish(sinks[i], names);
    sample_names_leave(names);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the sinks keep it */
    return count ? names : NULL;
}

/* ---- reading back ---- */

void cursor_start(struct sample_cursor *c, const struct reckon_sink *s) {
    c->sink = s;
    c->chunk = s->first;
    c->at = 0;
    c->record.number = SIZE_MAX; /* the first is 0 */
}

static size_t get(const struct sample_chunk *chunk, size_t at, void *value, size_t size) {
    memcpy(value, chunk->data + at, size);
    return at + size;
}

static void get_ends(struct sample_cursor *c, uint32_t head) {
    struct sample_state *st = &c->state;
    const struct sample_chunk *chunk = c->chunk;
    if (head & TS_NEW)
        c->at = get(chunk, c->at, &st->ts, sizeof st->ts);
    if (head & HOST_NEW)
        c->at = get(chunk, c->at, &st->host, sizeof st->host);
    if (head & LAYER_NEW)
        c->at = get(chunk, c->at, &st->layer, sizeof st->layer);
    uint32_t code = head >> PEER_SHIFT & 3;
    if (code == PEER_NEW)
        c->at = get(chunk, c->at, &st->peer, sizeof st->peer);
    else if (code == PEER_NEXT)
        st->peer++;
    c->record.ts = st->ts;
    c->record.host = c->sink->host_of[st->host];
    c->record.peer = code == PEER_NONE ? RECKON_NONE : c->sink->host_of[st->peer];
    c->record.layer = shared_number(c->sink->layer_of, st->layer);
}

static void get_figure(struct sample_cursor *c, int f, uint32_t code) {
    double *x = &c->record.figure[f];
    uint32_t k;
    if (code == THOUSANDTHS) {
        c->at = get(c->chunk, c->at, &k, sizeof k);
        *x = (double)k / 1000;
    } else if (code == DOUBLE) {
        c->at = get(c->chunk, c->at, x, sizeof *x);
    }
    c->record.present |= 1u << f; /* SAME: it still stands there */
}

bool cursor_next(struct sample_cursor *c) {
    while (c->chunk && c->at == c->chunk->used) {
        c->chunk = c->chunk->next;
        c->at = 0;
    }
    if (!c->chunk)
        return false;
    if (c->at == 0)
        c->state.peer = RECKON_NONE;
    uint32_t head;
    c->at = get(c->chunk, c->at, &head, sizeof head);
    c->record.kind = RECKON_SAMPLE_FLOW + (head >> KIND_SHIFT & 3);
    c->record.present = 0;
    c->record.number++;
    get_ends(c, head);
    for (int f = 0; f < RECKON_FIGURES; f++, head >>= 2)
        if (head & 3)
            get_figure(c, f, head & 3);
    return true;
}
