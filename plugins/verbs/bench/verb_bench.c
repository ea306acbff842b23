/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon bench`: the console of a network benchmark. Tells the nodes what to do, watches them, and writes
 * down what they measured so that reckon can read it.
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "bench.h"
#include "files.h"
#include "../bench_common/message.h"

#define PACKET_HEADERS 28u        /* IPv4 and UDP */
#define STREAM_PIECE (128u << 10) /* bulk: bytes of a message where none is lost */
#define IDLE_RATE 50              /* messages a second and pair of an idle floor */

static const char *const launchers[] = {"pdsh", "ssh", NULL};
static const char *const arrivals[] = {"even", "poisson", NULL};

static const struct reckon_option options[] = {
    {.name = "clients",
     .type = RECKON_TEXT,
     .value_name = "HOST,...",
     .help = "who sends: name[=addr[:port]], where their nodes listen",
     .group = "inputs"},
    {.name = "servers",
     .type = RECKON_TEXT,
     .value_name = "HOST,...",
     .help = "who answers",
     .group = "inputs"},
    {.name = "transport",
     .type = RECKON_TEXT,
     .value_name = "NAME",
     .initial = "udp",
     .help = "how test messages travel",
     .group = "inputs"},
    {.name = "key-file",
     .type = RECKON_PATH,
     .value_name = "FILE",
     .help = "32 bytes that console and nodes share; without it only loopback",
     .group = "inputs",
     .env = "KEY_FILE"},
    {.name = "size",
     .type = RECKON_WHOLE,
     .value_name = "BYTES",
     .unit = "bytes",
     .min = 1,
     .max = 4294967295.0,
     .help = "of a message, or of a buffer (default: 64, bulk: 1048576)",
     .group = "inputs"},
    {.name = "reply-size",
     .type = RECKON_WHOLE,
     .value_name = "BYTES",
     .initial = "64",
     .unit = "bytes",
     .min = HEAD_SIZE,
     .max = 4294967295.0,
     .help = "ping: of an answer",
     .group = "inputs"},
    {.name = "concurrency",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "1",
     .min = 1,
     .max = 65536,
     .help = "messages or buffers of each pair that are under way at once",
     .group = "inputs"},
    {.name = "count",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .min = 1,
     .max = 1e15,
     .help = "messages of each pair; with --time, whichever ends first",
     .group = "inputs"},
    {.name = "time",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .unit = "seconds",
     .max = 3e7,
     .above = true,
     .help = "how long the test runs (default: 10, or until --count)",
     .group = "inputs"},
    {.name = "rate",
     .type = RECKON_NUMBER,
     .value_name = "N",
     .unit = "messages/s",
     .max = 1e9,
     .above = true,
     .help = "paced: messages a second of each pair (default: as fast as it goes)",
     .group = "inputs"},
    {.name = "arrivals",
     .type = RECKON_CHOICE,
     .value_name = "HOW",
     .choices = arrivals,
     .initial = "even",
     .help = "with --rate: gaps of a pair's messages that are even, or random as of independent senders",
     .group = "inputs"},
    {.name = "timeout",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "1",
     .unit = "seconds",
     .max = 600,
     .above = true,
     .help = "what has not been answered by then is lost",
     .group = "inputs"},
    {.name = "trial",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "1",
     .unit = "seconds",
     .max = 86400,
     .above = true,
     .help = "mrr: length of a trial",
     .group = "inputs"},
    {.name = "trials",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "10",
     .min = 1,
     .max = PLAN_MOST_TRIALS,
     .help = "mrr: how many",
     .group = "inputs"},
    {.name = "check",
     .type = RECKON_FLAG,
     .help = "bulk: compare what comes back with what was sent",
     .group = "inputs"},
    {.name = "buffers",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "0",
     .max = 1e6,
     .help = "bulk: of each server and worker; 0: enough for all its clients",
     .group = "inputs"},
    {.name = "window",
     .type = RECKON_WHOLE,
     .value_name = "BYTES",
     .initial = "65536",
     .unit = "bytes",
     .min = 1,
     .max = 4294967295.0,
     .help = "bulk over datagrams: bytes of a buffer under way at once",
     .group = "inputs"},
    {.name = "workers",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "1",
     .min = 1,
     .max = PLAN_MOST_WORKERS,
     .help = "threads of each node",
     .group = "inputs"},
    {.name = "interval",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "1",
     .unit = "seconds",
     .min = 0.1,
     .max = 10,
     .help = "how often nodes are asked what they have counted",
     .group = "inputs"},
    {.name = "node-timeout",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "5",
     .unit = "seconds",
     .min = 1,
     .max = 600,
     .help = "a node that does not answer for so long is lost, the others go on",
     .group = "inputs"},
    {.name = "connect-timeout",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "10",
     .unit = "seconds",
     .min = 0.1,
     .max = 600,
     .help = "how long to wait for a node to be there",
     .group = "inputs"},
    {.name = "launch",
     .type = RECKON_CHOICE,
     .value_name = "HOW",
     .choices = launchers,
     .help = "start the nodes through pdsh or ssh; hosts that fail are named",
     .group = "inputs"},
    {.name = "launch-program",
     .type = RECKON_TEXT,
     .value_name = "PATH",
     .initial = "reckon",
     .help = "with --launch: the program on the hosts",
     .group = "inputs"},
    {.name = "out",
     .type = RECKON_PATH,
     .value_name = "DIR",
     .help = "write what was measured into this new folder",
     .group = "output"},
    {.name = "idle-out",
     .type = RECKON_PATH,
     .value_name = "DIR",
     .help = "ping over udp on an idle fabric: write it for reckon --idle",
     .group = "output"},
    {.name = "live",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .unit = "seconds",
     .max = 86400,
     .above = true,
     .help = "print the sums of all nodes every S seconds",
     .group = "output"},
    {.name = "parsable",
     .type = RECKON_FLAG,
     .help = "end with a line for scripts, key=value",
     .group = "output"},
    {.type = RECKON_OPTION_END},
};

/* ---- options that do not go together ---- */

static int check(struct reckon *r) {
    const char *test = reckon_argument(r, 0);
    if (!test || reckon_argument(r, 1) || drill_named(test) == DRILLS)
        return reckon_error(r, NULL, 0, "bench takes one TEST: ping, bulk or mrr");
    enum drill drill = drill_named(test);
    const struct {
        const char *option;
        bool fits;
        const char *why;
    } rules[] = {
        {"reply-size", drill == DRILL_PING, "belongs to ping"},
        {"trial", drill == DRILL_MRR, "belongs to mrr"},
        {"trials", drill == DRILL_MRR, "belongs to mrr"},
        {"check", drill == DRILL_BULK, "belongs to bulk"},
        {"buffers", drill == DRILL_BULK, "belongs to bulk"},
        {"window", drill == DRILL_BULK, "belongs to bulk"},
        {"count", drill != DRILL_MRR, "does not belong to mrr, which takes --trial and --trials"},
        {"time", drill != DRILL_MRR, "does not belong to mrr, which takes --trial and --trials"},
        {"concurrency", drill != DRILL_MRR, "does not belong to mrr, which waits for no answer"},
        {"arrivals", reckon_option_given(r, "rate"), "needs --rate"},
        {"idle-out", drill == DRILL_PING && !strcmp(reckon_option_text(r, "transport"), "udp"),
         "needs a ping over udp"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (reckon_option_given(r, rules[i].option) && !rules[i].fits)
            return reckon_error(r, NULL, 0, "--%s %s", rules[i].option, rules[i].why);
    if (!reckon_option_text(r, "clients") || !reckon_option_text(r, "servers"))
        return reckon_error(r, NULL, 0, "bench needs --clients and --servers");
    return 0;
}

/* ---- the plan ---- */

static uint64_t ns_of(const struct reckon *r, const char *option) {
    double s = reckon_option_number(r, option);
    return reckon_blank(s) ? 0 : (uint64_t)(s * 1e9 + 0.5);
}

static uint64_t whole(const struct reckon *r, const char *option) {
    double x = reckon_option_number(r, option);
    return reckon_blank(x) ? 0 : (uint64_t)x;
}

static const char *list_of_transports(struct reckon *r) {
    const char *list = "";
    for (size_t i = 0; reckon_transport_at(r, i); i++)
        list = reckon_text(r, "%s%s%s", list, *list ? ", " : "", reckon_transport_at(r, i));
    return list;
}

static uint32_t least(uint64_t a, uint64_t b) {
    return (uint32_t)(a < b ? a : b);
}

/* A piece fills a packet where pieces may be lost; a window is no more than the buffer. */
static void plan_bulk(struct bench *b) {
    struct plan *p = &b->plan;
    uint32_t packet = (uint32_t)b->mtu - PACKET_HEADERS - HEAD_SIZE;
    bool stream = b->transport->stream;
    p->chunk = least(p->size, stream ? STREAM_PIECE : packet);
    p->window = stream ? p->size : least(p->size, whole(b->r, "window"));
    p->window = p->window < p->chunk ? p->chunk : p->window;
    p->buffers = (uint32_t)whole(b->r, "buffers");
    p->check = reckon_flag(b->r, "check");
}

static int make_plan(struct bench *b) {
    struct reckon *r = b->r;
    struct plan *p = &b->plan;
    const char *transport = reckon_option_text(r, "transport");
    b->transport = reckon_transport_named(r, transport);
    if (!b->transport || strlen(transport) >= sizeof p->transport)
        return reckon_error(r, NULL, 0, "--transport %s: there is none of that name, but %s",
                            reckon_printable(r, transport), list_of_transports(r));
    strcpy(p->transport, transport);
    p->drill = drill_named(reckon_argument(r, 0));
    bool bulk = p->drill == DRILL_BULK, mrr = p->drill == DRILL_MRR;
    p->size = reckon_option_given(r, "size") ? (uint32_t)whole(r, "size") : bulk ? 1u << 20 : 64;
    p->reply = p->drill == DRILL_PING ? (uint32_t)whole(r, "reply-size") : 0;
    p->concurrency = (uint32_t)whole(r, "concurrency");
    p->workers = (uint32_t)whole(r, "workers");
    p->count = whole(r, "count");
    p->time = ns_of(r, "time");
    if (!mrr && !p->time && !p->count)
        p->time = 10 * SECOND;
    p->rate = (uint64_t)(reckon_option_given(r, "rate") ? reckon_option_number(r, "rate") * 1000 + 0.5
                         : b->idle_out                  ? IDLE_RATE * 1000
                                                        : 0);
    p->poisson = !strcmp(reckon_option_text(r, "arrivals"), "poisson");
    p->timeout = ns_of(r, "timeout");
    p->trial = mrr ? ns_of(r, "trial") : 0;
    p->trials = mrr ? (uint32_t)whole(r, "trials") : 0;
    p->pause = mrr ? SECOND / 5 : 0;
    seal_random(p->secret, sizeof p->secret);
    if (reckon_option_given(r, "rate") && !p->rate)
        return reckon_error(r, NULL, 0, "--rate is below a thousandth");
    if (bulk)
        plan_bulk(b);
    const struct limits none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    p->npairs = 1; /* for this check alone */
    const char *why = plan_refusal(p, &none, b->transport->largest);
    p->npairs = 0;
    return why ? reckon_error(r, NULL, 0, "%s", why) : 0;
}

bool bench_is_mx(const struct bench *b) {
    uint32_t packet = (uint32_t)b->mtu - PACKET_HEADERS;
    return b->plan.drill != DRILL_BULK && !strcmp(b->plan.transport, "udp") && b->plan.size <= packet &&
           b->plan.reply <= packet;
}

/* ---- the console ---- */

static int prepare(struct bench *b) {
    struct reckon *r = b->r;
    const char *why;
    b->out = reckon_option_text(r, "out");
    b->idle_out = reckon_option_text(r, "idle-out");
    b->label = reckon_option_text(r, "run");
    b->launch = reckon_option_text(r, "launch");
    b->program = reckon_option_text(r, "launch-program");
    b->key_file = reckon_option_text(r, "key-file");
    b->live = reckon_option_number(r, "live");
    b->mtu = reckon_option_number(r, "mtu");
    b->interval = ns_of(r, "interval");
    b->node_timeout = ns_of(r, "node-timeout");
    b->connect_timeout = ns_of(r, "connect-timeout");
    b->has_key = b->key_file;
    if (seal_library())
        return reckon_error(r, NULL, 0, "libsodium does not work here");
    if (key_read(&b->key, b->key_file, &why))
        return reckon_error(r, b->key_file, 0, "%s", why);
    if (bench_hosts(b, reckon_option_text(r, "clients"), reckon_option_text(r, "servers")) || make_plan(b))
        return -1;
    if (b->live > 0 && (double)b->interval / 1e9 > b->live)
        b->interval = ns_of(r, "live") < SECOND / 10 ? SECOND / 10 : ns_of(r, "live");
    return (b->out && check_folder_empty(r, "out", b->out)) ||
                   (b->idle_out && check_folder_empty(r, "idle-out", b->idle_out)) ||
                   (b->out && make_folder(r, b->out))
               ? -1
               : 0;
}

/* A node takes a descriptor, and a host's report another. */
static void raise_descriptors(void) {
    struct rlimit most;
    if (!getrlimit(RLIMIT_NOFILE, &most)) {
        most.rlim_cur = most.rlim_max;
        setrlimit(RLIMIT_NOFILE, &most);
    }
}

static void catch_signals(struct bench *b) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ending, NULL);
    b->signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int run(struct bench *b) {
    const struct result *results[5];
    size_t n = 0;
    if (b->live > 0)
        results[n++] = &result_live;
    if (b->out) {
        results[n++] = bench_is_mx(b) ? &result_mx : &result_iperf;
        results[n++] = &result_samples;
        results[n++] = &result_summary;
    }
    if (b->idle_out)
        results[n++] = &result_idle;
    bench_connect(b);
    int rc = bench_run(b, results, n);
    if (rc)
        return rc;
    bench_report(b);
    if (reckon_flag(b->r, "parsable"))
        bench_parsable(b);
    struct totals t;
    bench_totals(b, &t);
    return t.nodes_lost || t.pairs_lost ? 1 : 0;
}

static int bench(struct reckon *r) {
    struct bench *b = reckon_alloc(r, sizeof *b);
    b->r = r;
    raise_descriptors();
    catch_signals(b);
    int rc = -1;
    if (!prepare(b) && !bench_launch(b))
        rc = run(b);
    bench_free(b);
    close(b->signals);
    return rc;
}

RECKON_PLUGIN(verb, bench) = {
    .name = "bench",
    .summary = "measure a network with the nodes that run on its hosts",
    .uses = (const char *const[]){"mtu", "run", NULL},
    .options = options,
    .check = check,
    .verb = {.usage = "reckon bench ping|bulk|mrr --clients HOST,... --servers HOST,... [options]",
             .arguments = true,
             .main = bench},
};
