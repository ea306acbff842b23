/* SPDX-License-Identifier: Apache-2.0
 *
 * Run reader `iperf3`: client files of `iperf3 -J`, one per directed pair. Their times say how the tests were
 * driven; where all ran side by side, every flow's rate is what it got while they all did, so that staggered
 * starts do not add up to more than a link carries.
 */
#include <stdlib.h>
#include <string.h>

#include <reckon/plugin.h>

#include "../shared/iperf_mode.h"
#include "iperf3/iperf3.h"

#define IP_UDP_HEADERS 28 /* bytes */

struct run {
    struct reckon *r;
    struct reckon_sink *sink;
    const char *const *paths;
    struct iperf3_test *tests; /* one per path */
    size_t count;
    const struct iperf3_test **passed; /* in order of time */
    size_t npassed;
    bool timed; /* every passed test says when it ran */
    enum reckon_sharing sharing;
    double from, to; /* the span rates are of; from >= to: each its own test */
};

/* ---- reading ---- */

static int read_one(void *user, size_t i) {
    struct run *x = user;
    return iperf3_read(x->r, x->paths[i], &x->tests[i]);
}

static int name_ends(struct run *x) {
    const char *pattern = reckon_option_text(x->r, "iperf3-pattern");
    size_t by_address = 0;
    for (size_t i = 0; i < x->count; i++) {
        struct iperf3_test *t = &x->tests[i];
        if (iperf3_name_ends(x->r, pattern, t))
            return -1;
        if (!t->status && !t->client)
            return reckon_error(x->r, t->path, 0,
                                "its name does not fit '%s' and it holds no address: whose test it is?",
                                reckon_printable(x->r, pattern));
        by_address += t->by_address && t->client && strcmp(t->path, "-") != 0;
    }
    if (by_address)
        reckon_note(x->r,
                    "%s not fit --iperf3-pattern '%s', so that hosts are called by their addresses there, "
                    "which --names "
                    "can turn into names",
                    by_address == 1 ? "the name of 1 file does"
                                    : reckon_text(x->r, "the names of %zu files do", by_address),
                    reckon_printable(x->r, pattern));
    return 0;
}

static int by_time(const void *a, const void *b) {
    const struct iperf3_test *x = *(const struct iperf3_test *const *)a,
                             *y = *(const struct iperf3_test *const *)b;
    int order = (x->begun > y->begun) - (x->begun < y->begun);
    return order ? order : strcmp(x->path, y->path);
}

static int pick_passed(struct run *x) {
    x->passed = reckon_resize(NULL, x->count + 1, sizeof(struct iperf3_test *));
    x->timed = true;
    for (size_t i = 0; i < x->count; i++) {
        const struct iperf3_test *t = &x->tests[i];
        if (t->status)
            continue;
        x->passed[x->npassed++] = t;
        x->timed = x->timed && !reckon_blank(t->begun) && !reckon_blank(t->end);
        if (t->udp != x->passed[0]->udp)
            return reckon_error(x->r, t->path, 0,
                                "it is a test of %s while %s is one of %s: the two share a link in other "
                                "ways, so reckon one of them at a time",
                                t->udp ? "UDP" : "TCP", x->passed[0]->path, t->udp ? "TCP" : "UDP");
    }
    if (!x->npassed)
        return reckon_error(x->r, x->paths[0], 0, "%s no successful test",
                            x->count > 1 ? reckon_text(x->r, "in %zu files there is", x->count) : "it holds");
    qsort(x->passed, x->npassed, sizeof *x->passed, by_time);
    return 0;
}

/* ---- senders ---- */

struct sender {
    const char *name;
    struct iperf3_test *test;
};

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct sender *)a)->name, ((const struct sender *)b)->name);
}

static void number_senders(struct run *x) {
    struct sender *all = reckon_resize(NULL, x->count + 1, sizeof *all);
    size_t n = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < x->count; i++) {
        struct iperf3_test *t = &x->tests[i];
        t->sender = RECKON_NONE;
        if (t->legs == 1)
            all[n++] = (struct sender){reckon_layout_name(x->r, iperf3_source(t, &t->leg[0])), t};
    }
    qsort(all, n, sizeof *all, by_name);
    for (size_t i = 0; i < n; i++) {
        number += i && strcmp(all[i].name, all[i - 1].name);
        all[i].test->sender = number;
    }
    free(all);
}

/* ---- how they were driven ---- */

static const char *pair_text(struct reckon *r, const struct iperf3_test *const *pair) {
    return reckon_text(r, "%s and %s", reckon_printable(r, pair[0]->path),
                       reckon_printable(r, pair[1]->path));
}

/* "A and B ran side by side, C and D did not". */
static const char *evidence(struct reckon *r, const struct iperf3_times *times) {
    const char *text = "";
    if (times->together[0])
        text = reckon_text(r, "%s ran side by side", pair_text(r, times->together));
    if (times->apart[0])
        text = reckon_text(r, "%s%s%s did not", text, *text ? ", " : "", pair_text(r, times->apart));
    return *text ? text : "one test alone";
}

static int take_asked(struct run *x, const struct iperf_mode *mode, const struct iperf3_times *times) {
    if (!mode)
        return -1;
    x->sharing = mode->sharing;
    if (x->npassed > 1 && x->timed && times->sharing != mode->sharing)
        reckon_note(x->r, "%s says %s, but by their times the tests %s%s (%s)",
                    reckon_option_from(x->r, "iperf-mode"), mode->name,
                    times->sharing ? "were driven " : "fit no mode",
                    times->sharing ? iperf_mode_sharing(times->sharing)->name : "", evidence(x->r, times));
    return 0;
}

/* Tests so short that whole seconds cannot tell whether they met. */
static void note_brief(const struct run *x) {
    size_t brief = 0;
    for (size_t i = 0; i < x->npassed; i++)
        brief += x->passed[i]->end - x->passed[i]->begun <= 1.5;
    if (brief && x->npassed > 1 && x->sharing != RECKON_SHARE_ALL)
        reckon_note(
            x->r,
            "%s lasted 1.5 s or less: iperf3 dates them by the second, so that they are taken as run one "
            "after the other unless --iperf-mode says otherwise",
            reckon_count(x->r, brief, "test"));
}

static int settle_mode(struct run *x) {
    const char *asked = reckon_option_text(x->r, "iperf-mode");
    struct iperf3_times times = {0};
    if (x->timed)
        iperf3_judge_times(x->passed, x->npassed, &times);
    if (asked)
        return take_asked(x, iperf_mode_named(x->r, reckon_option_from(x->r, "iperf-mode"), 0, asked),
                          &times);
    if (!x->timed)
        return reckon_error(x->r, x->passed[0]->path, 0,
                            "not every test says when it ran: give --iperf-mode " IPERF_MODES);
    if (!times.sharing)
        return reckon_error(x->r, NULL, 0,
                            "by their times the tests were driven in no one way: %s; if that is the clocks' "
                            "fault, give --iperf-mode " IPERF_MODES,
                            evidence(x->r, &times));
    x->sharing = times.sharing;
    note_brief(x);
    return 0;
}

/* Finds the span in which all ran; where it is too short, rates are those of the whole tests. */
static void settle_window(struct run *x) {
    x->from = x->to = 0;
    if (x->sharing != RECKON_SHARE_ALL)
        return;
    double from = 0, to = 0,
           shortest = x->timed ? iperf3_window(x->passed, x->npassed, &from, &to) : RECKON_BLANK;
    bool enough = to - from >= shortest / 2 && to > from;
    reckon_sink_loose_times(x->sink, !enough);
    if (enough) {
        x->from = from;
        x->to = to;
        reckon_note(x->r, "rates are those of the %s s in which all %zu tests ran",
                    reckon_fixed(x->r, to - from, 1), x->npassed);
    } else {
        reckon_note(x->r,
                    "the tests ran all together for only %s s, less than half a test: rates are the averages "
                    "of whole "
                    "tests, which may add up to more than a link carried at any time",
                    reckon_fixed(x->r, to > from ? to - from : 0, 1));
    }
}

/* ---- handing over ---- */

static void hand_leg(const struct run *x, const struct iperf3_test *t, const struct iperf3_leg *leg) {
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.host = iperf3_source(t, leg);
    s.peer = iperf3_target(t, leg);
    s.figure[RECKON_ACHIEVED] = leg->mbps;
    s.figure[RECKON_SENT] = leg->sent_mbps;
    if (x->from < x->to)
        s.figure[RECKON_ACHIEVED] = iperf3_rate_in(t, leg, x->from, x->to, &s.figure[RECKON_SENT]);
    s.figure[RECKON_DEMAND] = t->demand_mbps;
    s.figure[RECKON_LOSS] = leg->loss;
    s.figure[RECKON_SIZE] = t->size;
    reckon_sink_sample(x->sink, &s);
}

static void hand_word(struct reckon_sink *sink, enum reckon_sample_kind kind, const char *host, double cpu) {
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.kind = kind;
    s.host = host;
    s.figure[RECKON_CPU_AGENT] = cpu;
    reckon_sink_sample(sink, &s);
}

static void hand_failed(const struct run *x, const struct iperf3_test *t) {
    if (!t->client) {
        reckon_note(x->r, "%s is a failed test of hosts unknown: %s", reckon_printable(x->r, t->path),
                    reckon_printable(x->r, t->error));
        return;
    }
    reckon_sink_failed(x->sink, t->client, t->server, t->status, t->error);
    hand_word(x->sink, RECKON_SAMPLE_PEER, t->server, RECKON_BLANK);
}

static void hand_over(const struct run *x) {
    for (size_t i = 0; i < x->count; i++) {
        const struct iperf3_test *t = &x->tests[i];
        if (t->status) {
            hand_failed(x, t);
            continue;
        }
        for (size_t k = 0; k < t->legs; k++)
            hand_leg(x, t, &t->leg[k]);
        hand_word(x->sink, RECKON_SAMPLE_SEEN, t->client, RECKON_BLANK);
    }
}

/* ---- CPU ---- */

struct load {
    const char *host;
    double cpu;   /* -1: unknown */
    bool reports; /* the test shows that the host reported */
};

static int by_host_and_cpu(const void *a, const void *b) {
    const struct load *x = a, *y = b;
    int order = strcmp(x->host, y->host);
    return order ? order : (x->cpu < y->cpu) - (x->cpu > y->cpu);
}

static struct load load_of(struct reckon *r, const char *host, double cpu, bool reports) {
    return (struct load){reckon_layout_name(r, host), reckon_blank(cpu) ? -1 : cpu, reports};
}

/* What iperf3 took of a core on one host: the busiest of tests that ran at once, else each, for the core to
 * average. A host of which only others tell has not reported, and such a figure would say it had. */
static void hand_loads(const struct run *x, const struct load *load, size_t n) {
    bool reports = false;
    for (size_t i = 0; i < n; i++)
        reports = reports || load[i].reports;
    for (size_t i = 0; reports && i < n && load[i].cpu >= 0; i++) {
        hand_word(x->sink, RECKON_SAMPLE_HOST, load[i].host, load[i].cpu);
        if (x->sharing == RECKON_SHARE_ALL)
            return;
    }
}

static void hand_cpu(const struct run *x) {
    struct load *all = reckon_resize(NULL, 2 * x->npassed + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < x->npassed; i++) {
        const struct iperf3_test *t = x->passed[i];
        all[n++] = load_of(x->r, t->client, t->client_cpu, true);
        all[n++] = load_of(x->r, t->server, t->server_cpu, t->leg[0].back || t->legs > 1);
    }
    qsort(all, n, sizeof *all, by_host_and_cpu);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !strcmp(all[i].host, all[end].host); end++)
            ;
        hand_loads(x, all + i, end - i);
    }
    free(all);
}

/* ---- the run ---- */

static void assume_fragments(const struct run *x) {
    double largest = 0, mtu = reckon_option_number(x->r, "mtu");
    for (size_t i = 0; i < x->npassed; i++)
        largest = fmax(largest, x->passed[i]->size);
    if (largest + IP_UDP_HEADERS > mtu)
        reckon_assume(
            x->r,
            "datagrams of %.0f B do not fit packets of %.0f B (--mtu): the headers of their fragments are "
            "not counted",
            largest, mtu);
}

static int take_run(struct run *x) {
    if (name_ends(x) || pick_passed(x))
        return -1;
    number_senders(x);
    if (settle_mode(x))
        return -1;
    settle_window(x);
    reckon_sink_workload(x->sink, x->passed[0]->udp ? RECKON_UDP : RECKON_TCP);
    reckon_sink_sharing(x->sink, x->sharing, iperf_mode_sharing(x->sharing)->name);
    reckon_sink_add_up(x->sink, x->sharing == RECKON_SHARE_ALL);
    hand_over(x);
    hand_cpu(x);
    assume_fragments(x);
    return 0;
}

static int read_run(struct reckon *r, const char *const *paths, size_t count, struct reckon_sink *sink) {
    struct run x = {.r = r, .sink = sink, .paths = paths, .count = count};
    x.tests = reckon_alloc(r, count * sizeof *x.tests);
    int rc = reckon_parallel(r, count, read_one, &x);
    if (!rc)
        rc = take_run(&x);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 2; k++)
            free(x.tests[i].leg[k].intervals);
    free(x.passed);
    return rc;
}

static int check_options(struct reckon *r) {
    return iperf3_check_pattern(r, reckon_option_from(r, "iperf3-pattern"),
                                reckon_option_text(r, "iperf3-pattern")) ||
                   iperf_mode_check(r)
               ? -1
               : 0;
}

static const struct reckon_option options[] = {
    {.name = "iperf3-pattern",
     .type = RECKON_TEXT,
     .value_name = "PATTERN",
     .initial = IPERF3_PATTERN,
     .help = "how iperf3's files are named: {src} the client, {dst} the server, * anything",
     .group = "inputs",
     .env = "IPERF3_PATTERN"},
    IPERF_MODE_OPTION,
    {.type = RECKON_OPTION_END},
};

RECKON_PLUGIN(run, iperf3) = {
    .name = "iperf3",
    .summary = "client files of iperf3 -J, or the directory they are in",
    .uses = (const char *const[]){"mtu", NULL},
    .options = options,
    .check = check_options,
    .run = {.workload = RECKON_TCP,
            .many = true,
            .suffix = ".json",
            .recognise = iperf3_recognise,
            .read_all = read_run},
};
