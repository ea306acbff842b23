/* SPDX-License-Identifier: Apache-2.0
 *
 * The console's commands, one function each, in a table with the step of the node's state machine.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <reckon/plugin.h>

#include "mrr.h"
#include "session.h"

/* ---- the end ---- */

void session_end(struct session *s) {
    for (uint32_t i = 0; s->workers && i < s->plan.workers; i++)
        worker_close(&s->workers[i]);
    for (uint32_t i = 0; s->meters && i < s->plan.npairs; i++)
        free(s->meters[i]);
    free(s->workers);
    free(s->meters);
    free(s->offered);
    free(s->cpu_of_worker);
    free(s->plan.pairs);
    s->workers = NULL;
    s->meters = NULL;
    s->offered = s->cpu_of_worker = NULL;
    s->plan = (struct plan){.npairs = 0};
    s->state = NODE_IDLE;
    malloc_trim(0); /* the host is the operator's, not ours, until the next test */
}

/* ---- INIT ---- */

static const char *make_workers(struct session *s, const struct address *at) {
    const struct plan *p = &s->plan;
    s->meters = calloc((size_t)p->npairs + 1, sizeof(struct meter *));
    s->offered = calloc((size_t)p->npairs + 1, sizeof *s->offered);
    s->cpu_of_worker = calloc(p->workers, sizeof *s->cpu_of_worker);
    s->workers = calloc(p->workers, sizeof *s->workers);
    if (!s->meters || !s->offered || !s->cpu_of_worker || !s->workers)
        return "there is no memory for it";
    for (uint32_t i = 0; i < p->npairs; i++)
        if (p->pairs[i].client && drill_ops_of(p->drill)->measures &&
            !(s->meters[i] = calloc(1, sizeof(struct meter))))
            return "there is no memory for it";
    const struct address *data = s->data.length ? &s->data : at;
    uint16_t port = s->data.length ? bench_address_port(&s->data) : 0;
    for (uint32_t i = 0; i < p->workers; i++) {
        struct address own = *data;
        bench_address_set_port(&own, (uint16_t)(port ? port + i : 0));
        const char *why = worker_open(&s->workers[i], p, s->transport, &own, i);
        if (why) {
            s->plan.workers = i + 1; /* those that worker_close() may be called for */
            return why;
        }
    }
    return NULL;
}

static const char *do_init(struct session *s, struct reader *m, const struct address *at,
                           struct bytes *answer) {
    if (!get_plan(m, &s->plan, s->limits.flows))
        return "INIT holds no plan, or one of more flows than this node allows (--max-flows)";
    s->transport = reckon_transport_named(s->r, s->plan.transport);
    if (!s->transport)
        return "this node has no such transport";
    const char *why = plan_refusal(&s->plan, &s->limits, s->transport->largest);
    if (!why && worker_memory(&s->plan, s->transport) > s->limits.memory)
        why = "it takes more memory than this node allows (--max-memory)";
    if (!why)
        why = make_workers(s, at);
    for (uint32_t i = 0; !why && i < s->plan.workers; i++) {
        struct address own = {.length = sizeof own.v6};
        if (s->transport->address(s->workers[i].endpoint, &own.any, &own.length))
            why = "its endpoint has no address";
        else
            put_address(answer, &own);
    }
    return why;
}

/* ---- START, STOP ---- */

static const char *do_start(struct session *s, struct reader *m, const struct address *at,
                            struct bytes *answer) {
    (void)at, (void)answer;
    uint64_t lead = get_number(m, 8);
    for (uint32_t i = 0; i < s->plan.npairs; i++)
        get_address(m, &s->plan.pairs[i].peer);
    if (!reader_done(m) || lead > LONGEST_LEAD)
        return "START does not fit the plan";
    for (uint32_t i = 0; i < s->plan.npairs; i++)
        if (!bench_address_is_one_host(&s->plan.pairs[i].peer))
            return "a peer is no single host";
    uint64_t start = clock_ns() + lead;
    const char *why = NULL;
    for (uint32_t i = 0; !why && i < s->plan.workers; i++)
        why = worker_start(&s->workers[i], start);
    double ignored;
    cpu_ask(&s->cpu, &ignored, &ignored);
    s->last_status = clock_ns();
    return why;
}

static const char *order_all(struct session *s, enum order order, bool with_meters) {
    for (uint32_t i = 0; i < s->plan.workers; i++)
        if (!worker_ask(&s->workers[i], order, with_meters))
            return "a worker does not answer";
    return NULL;
}

static const char *do_stop(struct session *s, struct reader *m, const struct address *at,
                           struct bytes *answer) {
    (void)at, (void)answer;
    enum order order = ORDER_STOP;
    if (m->left) {
        for (uint32_t i = 0; i < s->plan.npairs; i++)
            s->offered[i] = get_varint(m);
        if (!reader_done(m))
            return "STOP does not fit the plan";
        order = ORDER_CLOSE;
    }
    return order_all(s, order, false);
}

static const char *do_stop_done(struct session *s, struct reader *m, const struct address *at,
                                struct bytes *answer) {
    (void)m, (void)at, (void)answer;
    session_end(s);
    return NULL;
}

/* ---- STATUS ---- */

/* With the books closed, what a client offered and this server never saw counts as total and failed here too.
 */
static void shorten(struct tally *t, uint64_t offered) {
    if (offered > t->total) {
        t->shortened = offered - t->total;
        t->total += t->shortened;
        t->failed += t->shortened;
    }
}

/* What was measured since the last STATUS is reported, kept, and its place made free for the worker's next
 * turn. */
static void report_meters(struct session *s, uint32_t i, struct meter *fresh, struct report *to) {
    struct pair_report *out = &to->pairs[i];
    struct meter *all = s->meters[i];
    sample_merge(&all->sample, &fresh->sample);
    histogram_merge(&all->histogram, &fresh->histogram);
    out->rtt = all->sample;
    out->recent = fresh->sample;
    out->p50 = histogram_within(&all->histogram, &all->sample, 0.5);
    out->p99 = histogram_within(&all->histogram, &all->sample, 0.99);
    out->recent_p50 = histogram_within(&fresh->histogram, &fresh->sample, 0.5);
    out->recent_p99 = histogram_within(&fresh->histogram, &fresh->sample, 0.99);
    histogram_merge(&to->recent, &fresh->histogram);
    memset(fresh, 0, sizeof *fresh);
}

static void report_pair(struct session *s, uint32_t i, bool with_meters, struct report *to) {
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a plan without workers is refused */
    struct worker *w = &s->workers[i % s->plan.workers];
    const struct pair *p = pair_at(w, i / s->plan.workers);
    const struct pair_view *view = &w->views[i / s->plan.workers];
    struct pair_report *out = &to->pairs[i];
    *out = (struct pair_report){.tally = view->tally, .lost = view->lost, .error = (uint32_t)view->error};
    if (s->state == NODE_CLOSED && !p->client)
        shorten(&out->tally, s->offered[i]);
    if (p->meters && with_meters)
        report_meters(s, i, &p->meters[w->published], to);
}

static double busiest_worker(struct session *s, uint64_t span) {
    double most = RECKON_BLANK;
    for (uint32_t i = 0; i < s->plan.workers; i++) {
        clockid_t clock;
        struct timespec t;
        if (pthread_getcpuclockid(s->workers[i].thread, &clock) || clock_gettime(clock, &t))
            continue;
        uint64_t used = (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
        double share = span ? 100 * (double)(used - s->cpu_of_worker[i]) / (double)span : RECKON_BLANK;
        s->cpu_of_worker[i] = used;
        most = reckon_blank(most) || share > most ? share : most;
    }
    return most;
}

/* How busy the machine and the workers were since the last STATUS that asked for it. */
static void report_load(struct session *s, bool wanted, struct report *to) {
    uint64_t now = clock_ns();
    to->busiest_worker = to->busiest_core = to->busiest_softirq = RECKON_BLANK;
    if (!wanted)
        return;
    to->busiest_worker = busiest_worker(s, now - s->last_status);
    cpu_ask(&s->cpu, &to->busiest_core, &to->busiest_softirq);
    s->last_status = now;
}

static void report_trials(const struct session *s, struct report *to) {
    to->ntrials = s->plan.trials;
    to->trials = reckon_resize(NULL, (size_t)to->npairs * to->ntrials + 1, sizeof *to->trials);
    for (uint32_t i = 0; i < to->npairs; i++)
        for (uint32_t k = 0; k < to->ntrials; k++)
            to->trials[(size_t)i * to->ntrials + k] =
                mrr_trial(&s->workers[i % s->plan.workers], i / s->plan.workers, k);
}

static const char *do_status(struct session *s, struct reader *m, const struct address *at,
                             struct bytes *answer) {
    (void)at;
    uint64_t what = get_number(m, 1);
    bool with_trials = what == STATUS_TRIALS && s->plan.drill == DRILL_MRR && s->state == NODE_CLOSED;
    if (!reader_done(m) || what > STATUS_TRIALS)
        return "STATUS is not one byte that says what is wanted";
    const char *why = order_all(s, ORDER_NONE, what != STATUS_COUNTS);
    if (why)
        return why;
    struct report *out = reckon_resize(NULL, 1, sizeof *out);
    *out = (struct report){.state = (uint32_t)s->state, .drained = true, .npairs = s->plan.npairs};
    out->pairs = reckon_resize(NULL, (size_t)out->npairs + 1, sizeof *out->pairs);
    for (uint32_t i = 0; i < s->plan.workers; i++) {
        const struct worker *w = &s->workers[i];
        out->sending |= w->view_sending;
        out->drained &= w->view_drained;
        out->strangers += w->view_strangers;
        out->active = w->view_active > out->active ? w->view_active : out->active;
    }
    for (uint32_t i = 0; i < out->npairs; i++)
        report_pair(s, i, what != STATUS_COUNTS, out);
    report_load(s, what != STATUS_COUNTS, out);
    if (with_trials)
        report_trials(s, out);
    put_report(answer, out);
    report_free(out);
    free(out);
    return NULL;
}

/* ---- all of them ---- */

static const struct {
    enum command command;
    enum node_event event;
    const char *(*act)(struct session *s, struct reader *m, const struct address *at, struct bytes *answer);
} commands[] = {
    {COMMAND_INIT, NODE_INIT, do_init},
    {COMMAND_START, NODE_START, do_start},
    {COMMAND_STATUS, NODE_STATUS, do_status},
    {COMMAND_STOP, NODE_STOP, do_stop},
    {COMMAND_STOP_DONE, NODE_STOP_DONE, do_stop_done},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void refuse(struct bytes *answer, const char *why) {
    answer->count = 0;
    put_number(answer, COMMAND_REFUSED, 1);
    put_text(answer, why);
}

void session_command(struct session *s, struct reader *message, const struct address *at,
                     struct bytes *answer) {
    uint64_t byte = get_number(message, 1);
    size_t i = 0;
    while (i < COMMANDS && (uint64_t)commands[i].command != byte)
        i++;
    if (i == COMMANDS) {
        refuse(answer, "no such command");
        return;
    }
    int event = commands[i].event == NODE_STOP && message->left ? NODE_CLOSE : (int)commands[i].event;
    int next = machine_next(&node_machine, s->state, event);
    if (next == FORBIDDEN) {
        char text[128];
        snprintf(text, sizeof text, "%s is not possible while the node is %s", node_machine.event[event],
                 node_machine.state[s->state]);
        refuse(answer, text);
        return;
    }
    answer->count = 0;
    put_number(answer, byte | COMMAND_ANSWER, 1);
    const char *why = commands[i].act(s, message, at, answer);
    if (!why) {
        s->state = next;
        return;
    }
    char kept[128]; /* the reason may live in what ends now */
    snprintf(kept, sizeof kept, "%s", why);
    if (s->state == NODE_IDLE || event == NODE_START)
        session_end(s);
    refuse(answer, kept);
}
