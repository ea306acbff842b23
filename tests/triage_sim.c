/* SPDX-License-Identifier: Apache-2.0
 *
 * A Clos of given size that probes itself, with faults, as records for `reckon triage --follow`: the truth
 * goes into a file beside them. ECMP is a hash of the tuple, the ack's of the reversed one. Everything
 * follows from the seed.
 *
 * triage_sim layout TORS HOSTS RNICS SPINES: the layout, on standard output
 *
 * triage_sim faults TORS HOSTS RNICS SPINES SEED COUNT TRUTH [MIX]: COUNT faults, one after the other
 *
 * triage_sim stream TORS HOSTS RNICS SPINES SEED SECONDS TRUTH: a dead cable for a minute in every ten
 *
 * triage_sim live TORS HOSTS RNICS SPINES SEED SECONDS TRUTH: the same, in real time from now on
 *
 * HOSTS a ToR, RNICS a host. Records are led by their kind, in the order in which agents would upload them.
 * Each fault has a slot of six periods of 20 s: it begins somewhere in the second and lasts 30 s (a busy host
 * 2 to 15), so that the slot ends after what was charged. MIX names the faults to draw from (all).
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BEGIN 1700000000 /* of what does not happen now */
#define PERIOD 20
#define SLOT (6 * PERIOD)
#define WARM (2 * PERIOD) /* before the first slot */
#define UPLOAD 5
#define TIMEOUT 500000000u

enum list { MESH, INTER, LISTS };
static const char *const list_words[LISTS] = {"tor-mesh", "inter-tor"};

struct tuple {
    uint32_t prober, target;
    uint8_t list, up, back; /* spine of the probe, of the ack; 255: none */
    float rate, due;
    char *text; /* ",list,prober,target,tuple," */
    uint64_t hash;
};

enum kind {
    DEAD_CABLE,
    LOSSY_CABLE,
    DEAD_RNIC,
    LOSSY_RNIC,
    FLAPPING_RNIC,
    SPINE_TUPLES,
    BUSY_HOST,
    RESTART,
    HOST_DOWN,
    TWO_CABLES,
    RNIC_AND_CABLE,
    TWO_RNICS,
    BUSY_AND_CABLE,
    KINDS
};
static const char *const kind_words[KINDS] = {"dead-cable",    "lossy-cable",  "dead-rnic",      "lossy-rnic",
                                              "flapping-rnic", "spine-tuples", "busy-host",      "restart",
                                              "host-down",     "two-cables",   "rnic-and-cable", "two-rnics",
                                              "busy-and-cable"};

struct fault {
    enum kind kind; /* a single one */
    double start, end;
    uint32_t a, b;   /* cable: ToR and spine; RNIC; host; spine */
    double loss;     /* share */
    double down, up; /* flapping: seconds; restart: how long it is away */
    uint32_t old_qpn;
};

struct sim {
    uint32_t tors, hosts, rnics, spines; /* hosts a ToR, RNICs a host */
    uint32_t nhosts, nrnics;
    uint64_t seed, state;
    struct tuple *tuples; /* by prober */
    size_t ntuples;
    size_t *first;             /* per RNIC: its first tuple; one more at the end */
    uint32_t *qpn, *known_qpn; /* what the RNIC has, what its probers carry */
    double *changed, *learn;   /* per RNIC: since when it has its number, and when its probers learn it */
    double *clock;             /* per host: how far it is off */
    double *next_upload;       /* per host */
    struct fault now[2];
    size_t nnow;
    FILE *truth;
    double begin; /* a multiple of PERIOD */
    bool live;
};

/* ---- chance ---- */

static uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint64_t draw(struct sim *s) {
    return mix(s->state++);
}

/* In [0, 1). */
static double chance(struct sim *s) {
    return (double)(draw(s) >> 11) / 9007199254740992.0;
}

static double between(struct sim *s, double low, double high) {
    return low + (high - low) * chance(s);
}

static uint32_t one_of(struct sim *s, uint32_t n) {
    return (uint32_t)(draw(s) % n);
}

/* ---- names ---- */

static uint32_t host_of(const struct sim *s, uint32_t rnic) {
    return rnic / s->rnics;
}
static uint32_t tor_of(const struct sim *s, uint32_t rnic) {
    return host_of(s, rnic) / s->hosts;
}

static int print_rnic(char *buf, size_t size, const struct sim *s, uint32_t rnic) {
    return snprintf(buf, size, "h%u/%u", host_of(s, rnic), rnic % s->rnics);
}

static void print_layout(const struct sim *s) {
    printf("dc sim\n");
    for (uint32_t i = 0; i < s->spines; i++)
        printf("  node s%u role=spine\n", i);
    for (uint32_t t = 0; t < s->tors; t++) {
        printf("  rack r%u rnics=%u\n    node t%u role=tor\n", t, s->rnics, t);
        for (uint32_t h = 0; h < s->hosts; h++)
            printf("    node h%u role=server\n", t * s->hosts + h);
    }
}

/* ---- tuples ---- */

static void add_tuple(struct sim *s, size_t *cap, uint32_t prober, uint32_t target, enum list list,
                      double rate, uint32_t port) {
    char a[32], b[32], tuple[128], text[256];
    if (s->ntuples == *cap)
        s->tuples = realloc(s->tuples, (*cap = *cap ? 2 * *cap : 1024) * sizeof *s->tuples);
    struct tuple *t = &s->tuples[s->ntuples++];
    *t = (struct tuple){.prober = prober,
                        .target = target,
                        .list = (uint8_t)list,
                        .up = 255,
                        .back = 255,
                        .rate = (float)rate};
    print_rnic(a, sizeof a, s, prober);
    print_rnic(b, sizeof b, s, target);
    snprintf(tuple, sizeof tuple, "10.%u.%u.%u:%u>10.%u.%u.%u:4791", prober >> 16, prober >> 8 & 255,
             prober & 255, port, target >> 16, target >> 8 & 255, target & 255);
    snprintf(text, sizeof text, ",%s,%s,%s,%s,", list_words[list], a, b, tuple);
    t->text = strdup(text);
    t->hash = mix((uint64_t)prober << 40 ^ (uint64_t)target << 16 ^ port ^ s->seed << 7);
    t->due = (float)(t->hash % 1000) / 1000;
    if (list == INTER) {
        t->up = (uint8_t)(mix(t->hash) % s->spines);
        t->back = (uint8_t)(mix(t->hash ^ 0xABCDEF) % s->spines);
    }
}

/* The Controller's numbers for P = 0.99. */
static uint32_t tuples_for(uint32_t spines) {
    return spines <= 2 ? 8 : spines <= 4 ? 21 : spines <= 8 ? 51 : 115;
}

static void make_tuples(struct sim *s) {
    uint32_t per_tor = s->hosts * s->rnics, k = tuples_for(s->spines);
    double leaving = k * (s->tors - 1.0), mean = leaving / s->spines;
    double rate = 10.5 / fmax(1, mean - 3.5 * sqrt(mean)); /* more than 10 a second on nearly every cable */
    size_t cap = 0;
    s->first = calloc(s->nrnics + 1u, sizeof *s->first);
    for (uint32_t a = 0; a < s->nrnics; a++) {
        uint32_t tor = tor_of(s, a);
        s->first[a] = s->ntuples;
        for (uint32_t i = 0; i < per_tor; i++)
            if (tor * per_tor + i != a)
                add_tuple(s, &cap, a, tor * per_tor + i, MESH, 10.0 / (per_tor - 1),
                          49152 + (uint32_t)(mix(a * 977u + i) % 16384));
        for (uint32_t other = 0; other < s->tors; other++)
            for (uint32_t i = 0; other != tor && i < k; i++)
                if ((other * k + i) % per_tor == a % per_tor)
                    add_tuple(s, &cap, a, other * per_tor + (tor * k + i) % per_tor, INTER, rate,
                              49152 + (uint32_t)(mix(((uint64_t)a << 32) + other * 1009u + i) % 16384));
    }
    s->first[s->nrnics] = s->ntuples;
}

static void print_leg(const struct sim *s, const struct tuple *t, bool back) {
    char a[32], b[32];
    uint32_t from = back ? t->target : t->prober, to = back ? t->prober : t->target;
    uint32_t spine = back ? t->back : t->up;
    const char *tuple = strrchr(t->text, ',');
    while (tuple[-1] != ',')
        tuple--;
    print_rnic(a, sizeof a, s, from);
    print_rnic(b, sizeof b, s, to);
    printf("paths,%.*s,%s,", (int)(strrchr(t->text, ',') - tuple), tuple, back ? "ack" : "probe");
    if (t->list == MESH)
        printf("%s>t%u t%u>%s\n", a, tor_of(s, from), tor_of(s, to), b);
    else
        printf("%s>t%u t%u>s%u s%u>t%u t%u>%s\n", a, tor_of(s, from), tor_of(s, from), spine, spine, tor_of(s, to),
               tor_of(s, to), b);
}

/* ---- faults at work ---- */

static bool active(const struct fault *f, double at) {
    return at >= f->start && at < f->end;
}

static bool over_cable(const struct sim *s, const struct tuple *t, const struct fault *f) {
    bool touches = tor_of(s, t->prober) == f->a || tor_of(s, t->target) == f->a;
    return t->list == INTER && touches && (t->up == f->b || t->back == f->b);
}

/* How many of the probe's two legs go over the cable. */
static int legs_over(const struct tuple *t, const struct fault *f) {
    return (t->up == f->b) + (t->back == f->b);
}

static bool at_rnic(const struct tuple *t, const struct fault *f) {
    return t->prober == f->a || t->target == f->a;
}

static bool drops(struct sim *s, double loss, int times) {
    while (times-- > 0)
        if (chance(s) < loss)
            return true;
    return false;
}

/* Whether the probe is lost, or answered late: *responder, ns. */
static bool lost_to(struct sim *s, const struct fault *f, const struct tuple *t, double at,
                    uint32_t *responder) {
    if (!active(f, at))
        return false;
    switch (f->kind) {
    case DEAD_CABLE:
    case LOSSY_CABLE:
        return over_cable(s, t, f) && drops(s, f->loss, legs_over(t, f));
    case DEAD_RNIC:
    case LOSSY_RNIC:
        return at_rnic(t, f) && drops(s, f->loss, 2);
    case FLAPPING_RNIC:
        return at_rnic(t, f) && fmod(at - f->start, f->down + f->up) < f->down;
    case SPINE_TUPLES: /* the same tuples always, either way */
        return t->list == INTER && ((t->up == f->a && (double)(mix(t->hash ^ 1) % 1000) < 1000 * f->loss) ||
                                    (t->back == f->a && (double)(mix(t->hash ^ 2) % 1000) < 1000 * f->loss));
    case BUSY_HOST:
        if (host_of(s, t->target) != f->a)
            return false;
        *responder = (uint32_t)between(s, 1e6, 4.9e8);
        return chance(s) < f->loss;
    case RESTART: /* its agent is away for a moment */
        return t->target == f->a && at < f->start + f->down;
    case HOST_DOWN:
        return host_of(s, t->target) == f->a;
    default:
        return false;
    }
}

/* ---- records ---- */

static char *put_number(char *at, uint64_t x) {
    char digits[24];
    int n = 0;
    do
        digits[n++] = (char)('0' + x % 10);
    while (x /= 10);
    while (n)
        *at++ = digits[--n];
    return at;
}

static char *put_text(char *at, const char *text) {
    size_t n = strlen(text);
    memcpy(at, text, n);
    return at + n;
}

static char *put_time(char *at, double ts) {
    uint64_t us = (uint64_t)(ts * 1e6 + 0.5), rest = us % 1000000;
    at = put_number(at, us / 1000000);
    *at++ = '.';
    for (uint64_t d = 100000; d; d /= 10)
        *at++ = (char)('0' + rest / d % 10);
    return at;
}

static void emit_probe(struct sim *s, const struct tuple *t, double at) {
    char line[512], *p = line;
    uint32_t responder = 8000 + (uint32_t)(draw(s) % 4000), network, delay;
    bool lost = drops(s, 1e-6, 2);
    uint32_t qpn = at >= s->learn[t->target] ? s->qpn[t->target] : s->known_qpn[t->target];
    for (size_t i = 0; i < s->nnow; i++)
        lost |= lost_to(s, &s->now[i], t, at, &responder);
    lost |= at >= s->changed[t->target] && qpn != s->qpn[t->target];
    network = (t->list == MESH ? 6000u : 12000u) + (uint32_t)(draw(s) % 6000);
    delay = 3000 + (uint32_t)(draw(s) % 3000);
    p = put_text(p, "probes,");
    p = put_time(p, at + s->clock[host_of(s, t->prober)]);
    p = put_text(p, t->text);
    p = put_number(p, qpn);
    if (lost)
        p = put_text(p, ",timeout,,,\n");
    else {
        p = put_text(p, ",ok,");
        p = put_number(p, network + responder + delay);
        *p++ = ',';
        p = put_number(p, network + responder);
        *p++ = ',';
        p = put_number(p, responder);
        *p++ = '\n';
    }
    fwrite(line, 1, (size_t)(p - line), stdout);
}

static bool host_is(const struct sim *s, uint32_t host, enum kind kind, double at) {
    for (size_t i = 0; i < s->nnow; i++)
        if (s->now[i].kind == kind && s->now[i].a == host && active(&s->now[i], at))
            return true;
    return false;
}

/* One second of a host's probes. A host that is down sends none, a busy one a few. */
static void second(struct sim *s, uint32_t host, double at) {
    bool down = host_is(s, host, HOST_DOWN, at), busy = host_is(s, host, BUSY_HOST, at);
    for (size_t i = s->first[host * s->rnics]; i < s->first[(host + 1) * s->rnics]; i++) {
        struct tuple *t = &s->tuples[i];
        for (t->due += t->rate; t->due >= 1; t->due -= 1)
            if (!down && !(busy && draw(s) % 4))
                emit_probe(s, t, at + chance(s));
    }
}

static void register_rnic(struct sim *s, uint32_t rnic, double at) {
    char name[32];
    print_rnic(name, sizeof name, s, rnic);
    printf("agents,%.6f,h%u,%s,%u,register\n", at + s->clock[host_of(s, rnic)], host_of(s, rnic), name,
           s->qpn[rnic]);
}

/* Five seconds of everything, in order of the hosts; a busy host uploads when it is no longer busy. */
static void window(struct sim *s, double at) {
    for (uint32_t h = 0; h < s->nhosts; h++) {
        for (int i = 0; i < UPLOAD; i++)
            second(s, h, at + i);
        double upload = s->next_upload[h];
        for (size_t i = 0; i < s->nnow; i++)
            if (s->now[i].kind == BUSY_HOST && s->now[i].a == h && active(&s->now[i], upload))
                upload = s->now[i].end + chance(s) * 0.2;
        if (upload < at + UPLOAD) {
            if (!host_is(s, h, HOST_DOWN, upload))
                printf("agents,%.6f,h%u,0,,upload\n", upload + s->clock[h], h);
            s->next_upload[h] += UPLOAD;
        }
    }
}

/* ---- choosing faults ---- */

static void say_truth(const struct sim *s, const struct fault *f, unsigned slot, const char *whole) {
    char name[64];
    if (f->kind == DEAD_CABLE || f->kind == LOSSY_CABLE)
        snprintf(name, sizeof name, "s%u-t%u", f->b, f->a);
    else if (f->kind == DEAD_RNIC || f->kind == LOSSY_RNIC || f->kind == FLAPPING_RNIC || f->kind == RESTART)
        print_rnic(name, sizeof name, s, f->a);
    else
        snprintf(name, sizeof name, "%c%u", f->kind == SPINE_TUPLES ? 's' : 'h', f->a);
    fprintf(s->truth, "%u,%s,%s,%s,%.6f,%.6f,%.6f\n", slot, whole, kind_words[f->kind], name, f->start,
            f->end, f->loss);
}

/* A fault of a single kind, beginning at `start`. */
static struct fault single(struct sim *s, enum kind kind, double start) {
    struct fault f = {.kind = kind, .start = start, .end = start + 30, .loss = 1};
    if (kind == LOSSY_CABLE || kind == LOSSY_RNIC)
        f.loss = pow(10, between(s, -3, 0)); /* 0.1 to 100 percent */
    if (kind == DEAD_CABLE || kind == LOSSY_CABLE) {
        f.a = one_of(s, s->tors);
        f.b = one_of(s, s->spines);
    } else if (kind == SPINE_TUPLES) {
        f.a = one_of(s, s->spines);
        f.loss = between(s, 0.05, 0.5);
    } else if (kind == BUSY_HOST || kind == HOST_DOWN)
        f.a = one_of(s, s->nhosts);
    else
        f.a = one_of(s, s->nrnics);
    if (kind == FLAPPING_RNIC) {
        f.down = between(s, 0.2, 2);
        f.up = between(s, 0.5, 4);
    }
    if (kind == RESTART)
        f.down = between(s, 0.2, 3);
    if (kind == BUSY_HOST) {
        f.end = start + between(s, 2, 15);
        f.loss = between(s, 0.3, 0.9);
    }
    return f;
}

static void set_faults(struct sim *s, enum kind kind, double start, unsigned slot) {
    static const enum kind pairs[KINDS][2] = {[TWO_CABLES] = {DEAD_CABLE, DEAD_CABLE},
                                              [RNIC_AND_CABLE] = {DEAD_RNIC, DEAD_CABLE},
                                              [TWO_RNICS] = {DEAD_RNIC, DEAD_RNIC},
                                              [BUSY_AND_CABLE] = {BUSY_HOST, DEAD_CABLE}};
    s->nnow = kind >= TWO_CABLES ? 2 : 1;
    do
        for (size_t i = 0; i < s->nnow; i++)
            s->now[i] = single(s, kind >= TWO_CABLES ? pairs[kind][i] : kind, start);
    while (s->nnow == 2 && s->now[0].kind == s->now[1].kind && s->now[0].a == s->now[1].a &&
           s->now[0].b == s->now[1].b);
    for (size_t i = 0; i < s->nnow; i++)
        say_truth(s, &s->now[i], slot, kind_words[kind]);
}

/* An agent restarts: it is away for up to three seconds and comes back with a new number, which its probers
 * learn within five seconds more. */
static void restart(struct sim *s, double at) {
    struct fault *f = &s->now[0];
    double back = f->start + f->down;
    if (!s->nnow || f->kind != RESTART || back < at || back >= at + UPLOAD)
        return;
    s->known_qpn[f->a] = s->qpn[f->a];
    s->qpn[f->a] = 1000000 + (uint32_t)(draw(s) % 1000000);
    s->changed[f->a] = back;
    s->learn[f->a] = back + between(s, 1, 5);
    register_rnic(s, f->a, back);
}

static enum kind drawn_kind(struct sim *s, const char *mix_words) {
    for (;;) {
        enum kind k = (enum kind)one_of(s, KINDS);
        if (!mix_words || strstr(mix_words, kind_words[k]))
            return k;
    }
}

/* ---- runs ---- */

static void begin(struct sim *s) {
    make_tuples(s);
    s->qpn = calloc(s->nrnics, sizeof *s->qpn);
    s->known_qpn = calloc(s->nrnics, sizeof *s->known_qpn);
    s->learn = calloc(s->nrnics, sizeof *s->learn);
    s->changed = calloc(s->nrnics, sizeof *s->changed);
    s->clock = calloc(s->nhosts, sizeof *s->clock);
    s->next_upload = calloc(s->nhosts, sizeof *s->next_upload);
    for (uint32_t h = 0; h < s->nhosts; h++) {
        s->clock[h] = between(s, -0.5, 0.5);
        s->next_upload[h] = s->begin + between(s, 0, UPLOAD);
    }
    for (uint32_t n = 0; n < s->nrnics; n++) {
        s->qpn[n] = 1000 + n;
        register_rnic(s, n, s->begin - 100);
    }
    for (size_t i = 0; i < s->ntuples; i++) {
        print_leg(s, &s->tuples[i], false);
        print_leg(s, &s->tuples[i], true);
    }
    fprintf(s->truth, "slot,fault,kind,name,start,end,loss\n");
}

static void run_faults(struct sim *s, unsigned count, const char *mix_words) {
    double at = s->begin;
    for (; at < s->begin + WARM; at += UPLOAD)
        window(s, at);
    for (unsigned slot = 0; slot < count; slot++) {
        double start = at;
        set_faults(s, drawn_kind(s, mix_words), start + PERIOD + between(s, 0, PERIOD), slot);
        for (; at < start + SLOT; at += UPLOAD) {
            restart(s, at);
            window(s, at);
        }
        s->nnow = 0;
    }
    for (int i = 0; i < 3; i++, at += UPLOAD)
        window(s, at);
}

/* Until the clock says so; what was written is on its way. */
static void wait_until(double ts) {
    struct timespec until = {.tv_sec = (time_t)ts, .tv_nsec = (long)((ts - floor(ts)) * 1e9)};
    fflush(stdout);
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
}

static void run_stream(struct sim *s, double seconds) {
    unsigned slot = 0;
    for (double at = s->begin; at < s->begin + seconds; at += UPLOAD) {
        if (fmod(at - s->begin, 600) >= (s->live ? 40 : 300) && !s->nnow) {
            set_faults(s, DEAD_CABLE, at, slot++);
            s->now[0].end = at + 60;
        }
        if (fmod(at - s->begin, 600) < 20)
            s->nnow = 0;
        if (s->live)
            wait_until(at + UPLOAD);
        window(s, at);
    }
}

int main(int argc, char **argv) {
    static struct sim s;
    for (int i = 2; i < 5 && argc > i; i++)
        if (atoi(argv[i]) < 1)
            argc = 0;
    if (argc < 6) {
        fprintf(stderr,
                "usage: triage_sim layout|faults|stream|live TORS HOSTS RNICS SPINES [SEED COUNT|SECONDS "
                "TRUTH [MIX]]\n");
        return 2;
    }
    s.tors = (uint32_t)atoi(argv[2]);
    s.hosts = (uint32_t)atoi(argv[3]);
    s.rnics = (uint32_t)atoi(argv[4]);
    s.spines = (uint32_t)atoi(argv[5]);
    s.nhosts = s.tors * s.hosts;
    s.nrnics = s.nhosts * s.rnics;
    if (!strcmp(argv[1], "layout")) {
        print_layout(&s);
        return 0;
    }
    if (argc < 9 || !(s.truth = fopen(argv[8], "w")))
        return 2;
    s.state = s.seed = mix(strtoull(argv[6], NULL, 10));
    static char buffer[1 << 20];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    s.live = !strcmp(argv[1], "live");
    s.begin = s.live ? ceil(((double)time(NULL) + PERIOD) / PERIOD) * PERIOD : BEGIN;
    begin(&s);
    if (!strcmp(argv[1], "faults"))
        run_faults(&s, (unsigned)atoi(argv[7]), argc > 9 ? argv[9] : NULL);
    else
        run_stream(&s, atof(argv[7]));
    fclose(s.truth);
    return fflush(stdout) ? 1 : 0;
}
