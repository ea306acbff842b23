/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon pinglist`: the Controller. Writes the probe lists of every host of a layout, one CSV a host, each
 * whole or not at all; doc/triage.md has the method.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../triage_common/notes.h"
#include "draw.h"

static const struct reckon_option options[] = {
    {.name = "out",
     .type = RECKON_PATH,
     .value_name = "DIR",
     .help = "where the lists go, and where the old ones are",
     .group = "output"},
    {.name = "paths",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "0",
     .min = 0,
     .max = 1024,
     .help = "parallel paths between two ToRs (0: as many as the layout has spines)",
     .group = "inputs"},
    {.name = "coverage",
     .type = RECKON_NUMBER,
     .value_name = "P",
     .initial = "0.99",
     .min = 0.5,
     .max = 0.999999,
     .help = "the chance with which the tuples of two ToRs hit every path",
     .group = "inputs"},
    {.name = "rotate",
     .type = RECKON_WHOLE,
     .value_name = "HOUR",
     .min = 0,
     .max = 1e9,
     .help = "keep the lists in DIR, but replace 20 percent of their tuples; HOUR chooses which",
     .group = "inputs"},
    {.name = "every",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .unit = "seconds",
     .min = 1,
     .max = 86400,
     .help = "stay, and build the lists again so often, rotating them every hour",
     .group = "inputs"},
    {.name = "seed",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "1",
     .min = 0,
     .max = 9007199254740992.0,
     .help = "other seeds draw other source ports",
     .group = "inputs"},
    {.name = "port",
     .type = RECKON_WHOLE,
     .value_name = "PORT",
     .initial = "4791",
     .min = 1,
     .max = 49151,
     .help = "the port the agents answer on",
     .group = "inputs"},
    {.type = RECKON_OPTION_END},
};

static const char *path_of(struct reckon *r, const char *dir, const char *host) {
    return reckon_text(r, "%s/%s.csv", dir, host);
}

static int check_names(struct reckon *r, const struct topology *t) {
    for (uint32_t h = 0; h < t->nhosts; h++)
        if (strchr(t->hosts[h].name, '/') || t->hosts[h].name[0] == '.' || !t->hosts[h].name[0])
            return reckon_error(r, reckon_layout_path(reckon_layout(r)), 0,
                                "the host name %s cannot be a file's name",
                                reckon_printable(r, t->hosts[h].name));
    return 0;
}

/* No list may take the layout's place; before the first one is written. */
static int check_targets(struct reckon *r, const struct topology *t, const char *dir) {
    int rc = 0;
    for (uint32_t h = 0; h < t->nhosts && !rc; h++)
        rc = reckon_check_target(r, "out", path_of(r, dir, t->hosts[h].name));
    return rc;
}

static int write_list(struct reckon *r, const char *path, const struct pinglist *list) {
    char tuple[TUPLE_TEXT];
    struct reckon_writer *w = reckon_create(r, path);
    if (!w)
        return -1;
    reckon_put(w, "list,prober,target,tuple,rate_pps\n");
    for (size_t i = 0; i < list->count; i++) {
        const struct ping *x = &list->at[i];
        const char *const cells[] = {ping_list_word(x->list), x->prober, x->target,
                                     tuple_text(&x->tuple, tuple)};
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
            reckon_put_cell(w, cells[c]);
            reckon_put(w, ",");
        }
        reckon_put_number(w, x->rate);
        reckon_put(w, "\n");
    }
    return reckon_commit(w);
}

/* One host's list: the old one's tuples are kept where there is one and `keep` says so. */
static int one_host(struct reckon *r, struct plan *plan, uint32_t host, const char *dir, bool keep,
                    struct pinglist *out) {
    const char *path = path_of(r, dir, plan->topo->hosts[host].name);
    struct pinglist old = {0};
    bool has_old = keep && !access(path, R_OK);
    int rc = has_old ? pinglist_read(r, path, &old) : 0;
    if (!rc) {
        draw_host(plan, host, has_old ? &old : NULL, out);
        rc = write_list(r, path, out);
    }
    pinglist_free(&old);
    return rc;
}

static bool has_address(const struct topology_rnic *n) {
    struct sockaddr_storage a;
    socklen_t length;
    return n->address && address_parse(n->address, 0, &a, &length);
}

static void say_nameless(struct reckon *r, const struct topology *t) {
    size_t nameless = 0;
    uint32_t first = 0;
    for (uint32_t i = t->nrnics; i-- > 0;)
        if (!has_address(&t->rnics[i])) {
            nameless++;
            first = i;
        }
    if (nameless)
        reckon_note(r,
                    "no address in addr= of the layout for %s (the first: %s%s%s); their tuples carry names, "
                    "which the agents "
                    "ask the resolver about",
                    reckon_count(r, nameless, "RNIC"), reckon_printable(r, t->rnics[first].name),
                    t->rnics[first].address ? ", which has " : "",
                    t->rnics[first].address ? reckon_printable(r, t->rnics[first].address) : "");
}

static void say_left_out(struct reckon *r, const struct plan *p) {
    if (p->ntors > 1 && !p->npaths)
        reckon_note(r,
                    "no inter-ToR list: the layout has no spine (role=spine) to count the paths between its "
                    "%s by; --paths says how many there are",
                    reckon_count(r, p->ntors, "ToR"));
    if (p->apart)
        reckon_note(
            r, "%s left out, since one end has an IPv4 and the other an IPv6 address (the first: %s to %s)",
            reckon_count(r, p->apart, "tuple"), reckon_printable(r, p->apart_a),
            reckon_printable(r, p->apart_b));
}

static void say(struct reckon *r, const struct plan *p, const char *dir, uint64_t rows) {
    size_t said = 0;
    say_nameless(r, p->topo);
    say_left_out(r, p);
    printf("%s: lists of %s, %s", dir, reckon_count(r, p->topo->nhosts, "host"),
           reckon_count(r, rows, "tuple"));
    if (p->ntuples)
        printf("; %s cover %s between two ToRs, %.3g probes/s each", reckon_count(r, p->ntuples, "tuple"),
               reckon_count(r, p->npaths, "path"), p->inter_rate);
    printf("\n");
    notes_print(r, &said);
}

/* All lists, once. */
static int build(struct reckon *r, bool keep, bool rotate, double hour) {
    const char *dir = reckon_option_text(r, "out");
    struct topology topo;
    struct pinglist list = {0};
    uint64_t rows = 0;
    if (reckon_read_layout(r, reckon_argument(r, 0)) || topology_build(r, &topo) || check_names(r, &topo) ||
        check_targets(r, &topo, dir))
        return -1;
    struct plan plan = {.topo = &topo,
                        .coverage = reckon_option_number(r, "coverage"),
                        .seed = (uint64_t)reckon_option_number(r, "seed"),
                        .port = (uint16_t)reckon_option_number(r, "port"),
                        .rotate = rotate,
                        .hour = hour};
    plan_fill(&plan, (uint32_t)reckon_option_number(r, "paths"));
    int rc = mkdir(dir, 0777) && errno != EEXIST
                 ? reckon_error(r, dir, 0, "it cannot be made: %s", strerror(errno))
                 : 0;
    for (uint32_t h = 0; h < topo.nhosts && !rc; h++) {
        rc = one_host(r, &plan, h, dir, keep, &list);
        rows += list.count;
    }
    if (!rc)
        say(r, &plan, dir, rows);
    pinglist_free(&list);
    plan_free(&plan);
    topology_free(&topo);
    return rc;
}

/* Stays: each build is a process of its own, so that nothing piles up. The first one keeps what is in DIR. */
static int build_again_and_again(struct reckon *r, double every) {
    double last_hour = RECKON_BLANK;
    for (;;) {
        double hour = floor((double)time(NULL) / 3600);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            int rc = build(r, true, !reckon_blank(last_hour) && hour != last_hour, hour);
            if (rc)
                fprintf(stderr,
                        "reckon: the lists could not be built; the old ones stay, because of this:\n");
            return rc; /* and the program says why, as without --every */
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return reckon_error(r, NULL, 0, "--every: %s", strerror(errno));
        last_hour = hour;
        struct timespec rest = {.tv_sec = (time_t)every, .tv_nsec = (long)((every - floor(every)) * 1e9)};
        nanosleep(&rest, NULL);
    }
}

static int check(struct reckon *r) {
    if (!reckon_argument(r, 0) || reckon_argument(r, 1))
        return reckon_error(r, NULL, 0, "pinglist takes one LAYOUT");
    if (!reckon_option_text(r, "out"))
        return reckon_error(r, NULL, 0, "pinglist needs --out DIR");
    return 0;
}

static int pinglist(struct reckon *r) {
    double hour = reckon_option_number(r, "rotate"), every = reckon_option_number(r, "every");
    if (!reckon_blank(every))
        return build_again_and_again(r, every);
    return build(r, !reckon_blank(hour), !reckon_blank(hour), hour);
}

RECKON_PLUGIN(verb, pinglist) = {
    .name = "pinglist",
    .summary = "who probes whom: the probe lists of a fabric's agents",
    .options = options,
    .check = check,
    .verb = {.usage = "reckon pinglist LAYOUT --out DIR [options]", .arguments = true, .main = pinglist},
};
