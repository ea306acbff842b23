/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as readers hand them over: checked, names turned into numbers, put where they belong. What cannot
 * be used is counted with its first example and never stops a run.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../triage_common/hash.h"
#include "../triage_common/tuple.h"
#include "analyzer.h"

#define LATEST_TS 1e11    /* seconds; later ones are no times */
#define REORDER_AFTER 1.0 /* seconds; timeouts are written down half a second late anyway */
#define MOST_AHEAD 131072u

static struct analyzer *of(struct reckon_records *records) {
    return (struct analyzer *)records;
}

void count_odd(struct analyzer *a, enum odd kind, uint64_t n, const char *fmt, ...) {
    struct oddity *o = &a->odd[kind];
    if (n && !o->count) {
        va_list ap;
        va_start(ap, fmt);
        const char *what = reckon_vtext(a->r, fmt, ap);
        va_end(ap);
        o->example = !a->file  ? what
                     : a->line ? reckon_text(a->r, "%s:%lu: %s", a->file, a->line, what)
                               : reckon_text(a->r, "%s: %s", a->file, what);
    }
    o->count += n;
}

void say_odd(struct analyzer *a) {
    static const char *const what[ODDS] = {
        [ODD_MALFORMED] = "left out as malformed",
        [ODD_STRANGER] = "left out because the layout does not have what they name",
        [ODD_COPY] = "left out as copies of records that were there before",
        [ODD_REORDERED] = "older than the newest of the same agent by over a second, and read in their place",
        [ODD_LATE] = "left out because they came after their period was judged",
        [ODD_AHEAD] = "left out because they are periods ahead of the rest",
        [ODD_LONG] = "with a time of over 4.29 s, which counts as 4.29 s",
        [ODD_FUTURE_QPN] =
            "carried a QPN that was registered only later, so their clocks are apart; not taken for stale",
    };
    for (int k = 0; k < ODDS; k++)
        if (a->odd[k].count)
            reckon_note(a->r, "%s %s (the first: %s)", reckon_count(a->r, a->odd[k].count, "record"), what[k],
                        a->odd[k].example);
}

static void at(struct reckon_records *records, const char *file, unsigned long line) {
    of(records)->file = file;
    of(records)->line = line;
}

/* ---- probes ---- */

static bool list_of(const char *text, uint8_t *list) {
    static const char *const names[LISTS] = {"tor-mesh", "inter-tor", "service"};
    for (unsigned i = 0; i < LISTS; i++)
        if (!strcmp(text, names[i])) {
            *list = (uint8_t)i;
            return true;
        }
    return false;
}

/* A time in ns as kept: unknown when it is blank or negative. What is too long to be kept is slow all the
 * same. */
static uint32_t nanoseconds(double ns) {
    return !(ns >= 0) ? UNMEASURED : ns < (double)LONGEST ? (uint32_t)ns : LONGEST;
}

static uint32_t qpn_of(double qpn) {
    return qpn >= 0 && qpn < (double)UNMEASURED ? (uint32_t)qpn : UNMEASURED;
}

/* What makes two records the same record. */
static uint64_t record_hash(const struct analyzer *a, const struct probe *p, double ts) {
    struct {
        uint64_t tuple;
        double ts;
        uint32_t prober, target, qpn, network, responder, delay, list, failed;
    } key = {p->tuple,   ts,           p->prober, p->target, p->qpn,
             p->network, p->responder, p->delay,  p->list,   p->failed};
    return hash_bytes(&key, sizeof key, a->routes.seed);
}

static bool usable_ts(struct analyzer *a, double ts) {
    if (ts >= 0 && ts < LATEST_TS)
        return true;
    count_odd(a, ODD_MALFORMED, 1, "no usable ts");
    return false;
}

/* An RNIC by its name, or by its address, which is all an agent may know of a job's peer. */
static uint32_t rnic_named(struct analyzer *a, const char *name) {
    uint32_t rnic = topology_rnic(&a->topo, name, strlen(name));
    const char *owner = rnic == RECKON_NONE ? topology_owner(&a->topo, name) : NULL;
    if (owner)
        rnic = topology_rnic(&a->topo, owner, strlen(owner));
    if (rnic == RECKON_NONE)
        count_odd(a, ODD_STRANGER, 1, "RNIC %s", name);
    return rnic;
}

/* When a host was first and last heard of. */
static void host_seen(struct analyzer *a, uint32_t host, double ts) {
    struct host_state *h = &a->hosts[host];
    if (!(h->first_seen <= ts))
        h->first_seen = ts;
    if (!(h->last_seen >= ts))
        h->last_seen = ts;
}

static void note_order(struct analyzer *a, double *newest, const char *name, double ts) {
    if (ts < *newest - REORDER_AFTER)
        count_odd(a, ODD_REORDERED, 1, "%s %.3f s behind", name, *newest - ts);
    else if (!(*newest >= ts))
        *newest = ts;
}

static void times(struct probe *p, const struct reckon_probe *in) {
    double network = in->nic_rtt_ns - in->responder_ns, delay = in->app_rtt_ns - in->nic_rtt_ns;
    p->network = nanoseconds(network);
    p->responder = nanoseconds(in->responder_ns);
    p->delay = nanoseconds(delay);
}

static bool too_long(const struct probe *p) {
    return p->network == LONGEST || p->responder == LONGEST || p->delay == LONGEST;
}

/* Now rather than when the period is judged, which must not take long. */
static void find_route(struct analyzer *a, struct probe *p) {
    uint32_t route = routes_find(&a->routes, p->tuple);
    if (route == RECKON_NONE)
        return;
    a->routes.at[route].used = a->routes.round;
    p->route = route;
    p->traced = true;
}

/* It was counted as ahead; one that is late is not kept. */
static void keep_ahead(struct analyzer *a, const struct probe *p, int64_t period, uint64_t record) {
    if (!a->follow || period <= a->last_judged || a->nahead == MOST_AHEAD)
        return;
    a->ahead = reckon_grow(a->ahead, a->nahead, &a->ahead_cap, sizeof *a->ahead);
    a->ahead[a->nahead++] = (struct ahead){*p, period, record};
}

static bool is_ahead(const struct analyzer *a, int64_t period, int64_t reached) {
    return period > reached || (a->nopen && period >= a->open[0]->index + (int64_t)a->most_open);
}

void ahead_admit(struct analyzer *a) {
    size_t n = a->nahead, kept = 0;
    double time = n ? floor(agents_time(a) / a->set.period) : 0;
    for (size_t i = 0; i < n; i++) {
        const struct ahead x = a->ahead[i];
        if (is_ahead(a, x.period, (int64_t)time + 1)) {
            a->ahead[kept++] = x;
            continue;
        }
        a->odd[ODD_AHEAD].count--;
        struct period *into = period_at(a, x.period);
        if (into && !period_add(into, &x.probe, x.record))
            count_odd(a, ODD_COPY, 1, "of the period from %.0f", (double)x.period * a->set.period);
    }
    a->nahead = kept;
}

static void probe(struct reckon_records *records, const struct reckon_probe *in) {
    struct analyzer *a = of(records);
    struct probe p = {.qpn = qpn_of(in->qpn), .failed = !strcmp(in->status, "timeout")};
    if (!usable_ts(a, in->ts))
        return;
    if (!list_of(in->list, &p.list) || (!p.failed && strcmp(in->status, "ok")) || !in->tuple[0]) {
        count_odd(a, ODD_MALFORMED, 1, "a probe of list \"%s\", tuple \"%s\", status \"%s\"", in->list,
                  in->tuple, in->status);
        return;
    }
    p.prober = rnic_named(a, in->prober);
    if (p.prober == RECKON_NONE || (p.target = rnic_named(a, in->target)) == RECKON_NONE)
        return;
    p.tuple = routes_hash(&a->routes, in->tuple, strlen(in->tuple));
    times(&p, in);
    if (too_long(&p))
        count_odd(a, ODD_LONG, 1, "%s to %s at %.6f", in->prober, in->target, in->ts);
    double number = floor(in->ts / a->set.period);
    p.at = (uint32_t)((in->ts - number * a->set.period) * 1e6);
    host_seen(a, a->topo.rnics[p.prober].host, in->ts);
    a->hosts[a->topo.rnics[p.target].host].probed = true;
    struct period *into = period_at(a, (int64_t)number);
    if (into) /* else it is not read in its place */
        note_order(a, &a->rnics[p.prober].newest, in->prober, in->ts);
    uint64_t record = record_hash(a, &p, in->ts);
    find_route(a, &p);
    if (!into)
        keep_ahead(a, &p, (int64_t)number, record);
    else if (!period_add(into, &p, record))
        count_odd(a, ODD_COPY, 1, "%s to %s at %.6f", in->prober, in->target, in->ts);
}

/* ---- agents ---- */

/* The RNIC's full name, which may be written as its number alone. */
static const char *agent_rnic(const char *host, const char *rnic, char *buf, size_t size) {
    if (strchr(rnic, '/') || (size_t)snprintf(buf, size, "%s/%s", host, rnic) >= size)
        return rnic;
    return buf;
}

static void agent(struct reckon_records *records, double ts, const char *host, const char *rnic, double qpn,
                  const char *event) {
    struct analyzer *a = of(records);
    char buf[512];
    bool registers = !strcmp(event, "register");
    if (!usable_ts(a, ts))
        return;
    if ((!registers && strcmp(event, "upload")) || (registers && qpn_of(qpn) == UNMEASURED)) {
        count_odd(a, ODD_MALFORMED, 1, "an agent's event \"%s\"%s", event, registers ? " without a QPN" : "");
        return;
    }
    uint32_t h = topology_host(&a->topo, host);
    if (h == RECKON_NONE) {
        count_odd(a, ODD_STRANGER, 1, "host %s", host);
        return;
    }
    host_seen(a, h, ts);
    const char *name = agent_rnic(host, rnic, buf, sizeof buf);
    uint32_t n = registers ? rnic_named(a, name) : topology_rnic(&a->topo, name, strlen(name));
    if (n != RECKON_NONE)
        note_order(a, &a->rnics[n].newest_event, name, ts);
    if (!registers)
        agents_upload(a, h, hash_bytes(name, strlen(name), a->routes.seed), ts);
    else if (n != RECKON_NONE)
        agents_register(a, n, ts, qpn_of(qpn));
}

/* ---- paths, the job and its metric ---- */

static void path(struct reckon_records *records, const char *tuple, const char *leg, const char *links) {
    struct analyzer *a = of(records);
    uint32_t cables[LONGEST_ROUTE], n = 0;
    bool ack = !strcmp(leg, "ack");
    if (!tuple[0] || (!ack && strcmp(leg, "probe"))) {
        count_odd(a, ODD_MALFORMED, 1, "a path of tuple \"%s\", leg \"%s\"", tuple, leg);
        return;
    }
    for (const char *s = links + strspn(links, " "); *s; s += strspn(s, " ")) {
        size_t length = strcspn(s, " ");
        uint32_t cable = n < LONGEST_ROUTE ? cables_add(&a->cables, s, length) : RECKON_NONE;
        if (cable == RECKON_NONE) {
            count_odd(a, ODD_MALFORMED, 1, "a path with the link \"%.*s\"",
                      (int)(length < 200 ? length : 200), s);
            return;
        }
        cables[n++] = cable;
        s += length;
    }
    if (!n) {
        count_odd(a, ODD_MALFORMED, 1, "a path without a link");
        return;
    }
    uint32_t route = routes_add(&a->routes, routes_hash(&a->routes, tuple, strlen(tuple)));
    routes_trace(&a->routes, route, ack ? LEG_ACK : LEG_PROBE, cables, n);
    a->job_changed = true;
}

/* Marks the RNIC at one end of a job's tuple, by its address or its name. */
static void job_end(struct analyzer *a, const char *end) {
    const char *owner = topology_owner(&a->topo, end);
    uint32_t rnic = topology_rnic(&a->topo, owner ? owner : end, strlen(owner ? owner : end));
    if (rnic != RECKON_NONE)
        a->rnics[rnic].on_job = true;
}

static void job(struct reckon_records *records, const char *tuple) {
    struct analyzer *a = of(records);
    struct tuple t;
    if (!tuple_parse(&t, tuple)) {
        count_odd(a, ODD_MALFORMED, 1, "a job's tuple \"%s\"", tuple);
        return;
    }
    uint32_t route = routes_add(&a->routes, routes_hash(&a->routes, tuple, strlen(tuple)));
    a->njob += !a->routes.at[route].job;
    a->routes.at[route].job = true;
    a->job_changed = true;
    job_end(a, t.src);
    job_end(a, t.dst);
}

static void metric(struct reckon_records *records, double ts, double value) {
    struct analyzer *a = of(records);
    if (!usable_ts(a, ts))
        return;
    if (reckon_blank(value))
        count_odd(a, ODD_MALFORMED, 1, "a job metric without a value");
    else
        metric_add(a, ts, value);
}

void records_init(struct analyzer *a) {
    a->records = (struct reckon_records){.size = sizeof a->records,
                                         .version = RECKON_TRIAGE_VERSION,
                                         .probe = probe,
                                         .agent = agent,
                                         .path = path,
                                         .job = job,
                                         .metric = metric,
                                         .at = at};
}
