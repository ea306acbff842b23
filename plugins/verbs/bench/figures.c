/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums and differences of what the nodes counted.
 */
#include "bench.h"

bool duo_is_client(const struct bench *b, const struct bench_node *n, uint32_t k) {
    const struct duo *d = &b->duos[n->duos[k]];
    return &b->nodes[d->client] == n && d->at_client == k;
}

const struct bench_node *duo_peer(const struct bench *b, const struct bench_node *n, uint32_t k) {
    const struct duo *d = &b->duos[n->duos[k]];
    return &b->nodes[duo_is_client(b, n, k) ? d->server : d->client];
}

static const struct pair_report *side(const struct bench_node *n, uint32_t pair) {
    return n->now.pairs && pair < n->now.npairs ? &n->now.pairs[pair] : NULL;
}

const struct pair_report *duo_client(const struct bench *b, const struct duo *d) {
    return side(&b->nodes[d->client], d->at_client);
}

const struct pair_report *duo_server(const struct bench *b, const struct duo *d) {
    return side(&b->nodes[d->server], d->at_server);
}

static uint64_t grown(uint64_t now, uint64_t then) {
    return now > then ? now - then : 0;
}

struct tally tally_since(const struct tally *now, const struct tally *then) {
    return (struct tally){.total = grown(now->total, then->total),
                          .failed = grown(now->failed, then->failed),
                          .bad = grown(now->bad, then->bad),
                          .arrived = grown(now->arrived, then->arrived),
                          .sent_bytes = grown(now->sent_bytes, then->sent_bytes),
                          .received_bytes = grown(now->received_bytes, then->received_bytes)};
}

bool pair_since(const struct bench_node *n, uint32_t pair, struct tally *since) {
    *since = tally_since(&n->now.pairs[pair].tally, &n->then[pair].tally);
    return since->total || since->failed || since->arrived || since->sent_bytes || since->received_bytes;
}

static bool is_silent(const struct bench_node *n) {
    return n->wanted || n->asked;
}

bool duo_heard(const struct bench *b, const struct duo *d) {
    return !d->lost && !is_silent(&b->nodes[d->client]) && !is_silent(&b->nodes[d->server]);
}

void bench_totals(const struct bench *b, struct totals *t) {
    *t = (struct totals){.pairs_lost = 0};
    for (uint32_t i = 0; i < b->nnodes; i++)
        t->nodes_lost += b->nodes[i].lost != NULL;
    for (uint32_t i = 0; i < b->nduos; i++) {
        const struct pair_report *c = duo_client(b, &b->duos[i]), *s = duo_server(b, &b->duos[i]);
        if (c)
            sample_merge(&t->rtt, &c->rtt);
        if (b->duos[i].lost) {
            t->pairs_lost++;
        } else if (c && s) {
            t->pairs_whole++;
            tally_merge(&t->clients, &c->tally);
            tally_merge(&t->servers, &s->tally);
        }
    }
}

double tally_seconds(const struct tally *t) {
    return t->last > t->first ? (double)(t->last - t->first) / 1e9 : RECKON_BLANK;
}

double duo_rate(const struct bench *b, const struct duo *d) {
    const struct pair_report *c = duo_client(b, d);
    return !d->lost && c && c->tally.arrived > 1 ? (double)c->tally.arrived / tally_seconds(&c->tally)
                                                 : RECKON_BLANK;
}

double duo_mbps(const struct bench *b, const struct duo *d, bool to_server) {
    const struct pair_report *p = to_server ? duo_server(b, d) : duo_client(b, d);
    if (d->lost || !p || (b->plan.drill != DRILL_BULK && p->tally.arrived == 1))
        return RECKON_BLANK;
    return (double)p->tally.received_bytes * 8 / 1e6 / tally_seconds(&p->tally);
}

static struct trial_report trial_of(const struct bench_node *n, uint32_t pair, uint32_t trial) {
    return n->now.trials[(size_t)pair * n->now.ntrials + trial];
}

uint32_t bench_trials(const struct bench *b) {
    uint64_t every = b->plan.trial + b->plan.pause;
    uint32_t ended = b->plan.trials;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        const struct bench_node *n = &b->nodes[i];
        while (n->client && !n->lost && ended && n->now.active < (ended - 1) * every + b->plan.trial)
            ended--;
    }
    return ended;
}

/* Over the trial's own time, or the time in which its frames came when that is longer: queues that run dry
 * afterwards do not make a link faster than it is. */
double duo_trial(const struct bench *b, const struct duo *d, uint32_t trial, uint64_t *sent,
                 uint64_t *arrived) {
    const struct bench_node *c = &b->nodes[d->client], *s = &b->nodes[d->server];
    *sent = *arrived = 0;
    if (d->lost || !c->now.trials || !s->now.trials || trial >= c->now.ntrials || trial >= s->now.ntrials)
        return RECKON_BLANK;
    struct trial_report there = trial_of(s, d->at_server, trial);
    *sent = trial_of(c, d->at_client, trial).count;
    *arrived = there.count;
    uint64_t span = there.span > b->plan.trial ? there.span : b->plan.trial;
    return (double)there.count * 1e9 / (double)span;
}
