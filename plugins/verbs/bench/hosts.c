/* SPDX-License-Identifier: Apache-2.0
 *
 * Who takes part: --clients and --servers as lists of name[=addr[:port]], and the pairs they make.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MOST_NODES 10000u
#define MOST_DUOS 4000000u

/* Names become file names and cells of tables. */
static bool is_good_name(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (iscntrl((unsigned char)s[i]) || isspace((unsigned char)s[i]) || strchr("/\\\"'#,", s[i]))
            return false;
    return n && n < 200 && *s != '.' && *s != '-';
}

static int check_against(struct bench *b, const struct bench_node *fresh, const char *option) {
    char text[ADDRESS_TEXT];
    for (uint32_t i = 0; i < b->nnodes; i++)
        if (bench_address_same(&b->nodes[i].at, &fresh->at))
            return reckon_error(b->r, NULL, 0, "--%s: %s and %s are both at %s", option, b->nodes[i].name,
                                fresh->name, bench_address_text(&fresh->at, text));
    return 0;
}

/* The node of that name, made when it is new. RECKON_NONE after an error. */
static uint32_t node_named(struct bench *b, const char *word, size_t n, const char *option, size_t *cap) {
    const char *equals = memchr(word, '=', n), *why;
    size_t length = equals ? (size_t)(equals - word) : n;
    struct bench_node fresh = {.name = reckon_strndup(b->r, word, length)};
    const char *at = equals ? reckon_strndup(b->r, equals + 1, n - length - 1) : fresh.name;
    if (!equals) /* addr:port alone: the name is the address */
        fresh.name = reckon_strndup(b->r, word, strcspn(fresh.name, ":"));
    if (!is_good_name(fresh.name, strlen(fresh.name))) {
        reckon_error(b->r, NULL, 0, "--%s: '%s' is no host: name[=addr[:port]]", option,
                     reckon_printable(b->r, reckon_strndup(b->r, word, n)));
        return RECKON_NONE;
    }
    uint32_t i = 0;
    while (i < b->nnodes && strcmp(b->nodes[i].name, fresh.name))
        i++;
    if (i < b->nnodes && !equals && !strchr(at, ':'))
        return i; /* named before, with its address */
    if (bench_address_parse(&fresh.at, at, &why)) {
        reckon_error(b->r, NULL, 0, "--%s: %s: %s: %s", option, fresh.name, reckon_printable(b->r, at), why);
        return RECKON_NONE;
    }
    bench_address_plain(&fresh.at);
    if (i < b->nnodes) {
        if (bench_address_same(&b->nodes[i].at, &fresh.at))
            return i;
        reckon_error(b->r, NULL, 0, "--%s: %s has two addresses", option, fresh.name);
        return RECKON_NONE;
    }
    if (b->nnodes == MOST_NODES || check_against(b, &fresh, option)) {
        if (b->nnodes == MOST_NODES)
            reckon_error(b->r, NULL, 0, "more than %u nodes", MOST_NODES);
        return RECKON_NONE;
    }
    fresh.busiest_core = fresh.busiest_softirq = fresh.busiest_worker = RECKON_BLANK;
    b->nodes = reckon_grow(b->nodes, b->nnodes, cap, sizeof *b->nodes);
    b->nodes[b->nnodes] = fresh;
    return b->nnodes++;
}

static int read_list(struct bench *b, const char *list, const char *option, bool clients, size_t *cap) {
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n) {
            uint32_t i = node_named(b, list, n, option, cap);
            if (i == RECKON_NONE)
                return -1;
            b->nodes[i].client |= clients;
            b->nodes[i].server |= !clients;
        }
        list += n + (list[n] == ',');
    }
    return 0;
}

static uint32_t count_of(const struct bench *b, bool clients) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->nnodes; i++)
        n += clients ? b->nodes[i].client : b->nodes[i].server;
    return n;
}

/* Every client with every server but itself; a node that is the only one of both tests itself. */
static int make_duos(struct bench *b) {
    uint32_t clients = count_of(b, true), servers = count_of(b, false);
    bool self = b->nnodes == 1;
    if ((uint64_t)clients * servers > MOST_DUOS)
        return reckon_error(b->r, NULL, 0, "%u clients and %u servers are too many pairs", clients, servers);
    b->duos = reckon_resize(NULL, (size_t)clients * servers + 1, sizeof *b->duos);
    for (uint32_t c = 0; c < b->nnodes; c++)
        for (uint32_t s = 0; b->nodes[c].client && s < b->nnodes; s++)
            if (b->nodes[s].server && (c != s || self))
                b->duos[b->nduos++] = (struct duo){.client = c, .server = s};
    return b->nduos
               ? 0
               : reckon_error(b->r, NULL, 0, "there is no pair: --clients and --servers name no two hosts");
}

int bench_hosts(struct bench *b, const char *clients, const char *servers) {
    size_t cap = 0;
    if (read_list(b, clients, "clients", true, &cap) || read_list(b, servers, "servers", false, &cap))
        return -1;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        if (!bench_address_is_one_host(&b->nodes[i].at))
            return reckon_error(b->r, NULL, 0, "%s is at no single host's address", b->nodes[i].name);
        if (!b->has_key && !bench_address_is_loopback(&b->nodes[i].at))
            return reckon_error(b->r, NULL, 0, "%s is beyond loopback: its node wants the --key-file",
                                b->nodes[i].name);
    }
    return make_duos(b);
}

void bench_free(struct bench *b) {
    for (uint32_t i = 0; i < b->nnodes; i++)
        channel_close(&b->nodes[i].channel, "the test is over");
    launch_end(b);
    for (uint32_t i = 0; i < b->nnodes; i++) {
        struct bench_node *n = &b->nodes[i];
        channel_free(&n->channel);
        report_free(&n->now);
        free(n->then);
        free(n->duos);
    }
    free(b->nodes);
    free(b->duos);
}
