/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose test a file is: from its name by a pattern such as "{src}-{dst}.json", else from the addresses. Host
 * names may hold the pattern's own characters, so a name can fit in several ways; the layout then decides.
 */
#include <string.h>

#include "iperf3.h"

#define LONGEST 512u /* of a name that is compared with the pattern */

enum { SRC, DST, ANY, WILD };
static const char *const wild[WILD] = {[SRC] = "{src}", [DST] = "{dst}", [ANY] = "*"};

struct span {
    const char *s;
    size_t n;
};

struct search {
    struct reckon *r;
    struct span part[WILD];
    const char *name[2]; /* the reading that counts */
    size_t ways, known;  /* how many there are, and how many name hosts of the layout */
};

/* Which placeholder begins here; WILD: none. */
static int wild_at(const char *pattern) {
    int w = 0;
    while (w < WILD && strncmp(pattern, wild[w], strlen(wild[w])))
        w++;
    return w;
}

int iperf3_check_pattern(struct reckon *r, const char *from, const char *pattern) {
    int count[WILD] = {0}, before = WILD;
    for (const char *p = pattern; *p;) {
        int w = wild_at(p);
        if (w < WILD && before < WILD)
            return reckon_error(r, NULL, 0, "%s: %s and %s need something between them", from, wild[before],
                                wild[w]);
        before = w;
        p += w < WILD ? strlen(wild[w]) : 1;
        if (w < WILD)
            count[w]++;
    }
    if (count[SRC] != 1 || count[DST] != 1 || count[ANY] > 1)
        return reckon_error(r, NULL, 0, "%s: '%s' must hold {src} and {dst} once each, and * at most once",
                            from, reckon_printable(r, pattern));
    return 0;
}

/* ---- reading a name ---- */

static bool in_layout(struct reckon *r, const char *name) {
    const struct reckon_layout *l = reckon_layout(r);
    return l && reckon_element_named(l, reckon_layout_name(r, name), NULL) != RECKON_NONE;
}

static void found(struct search *x) {
    const char *name[2];
    for (int i = SRC; i <= DST; i++)
        name[i] = reckon_strndup(x->r, x->part[i].s, x->part[i].n);
    bool known = in_layout(x->r, name[SRC]) && in_layout(x->r, name[DST]);
    if (!x->ways++ || (known && !x->known)) {
        x->name[SRC] = name[SRC];
        x->name[DST] = name[DST];
    }
    x->known += known;
}

/* Tries every way in which the rest of the name fits the rest of the pattern. */
static void match(struct search *x, const char *pattern, const char *s) {
    int w;
    while (*pattern && (w = wild_at(pattern)) == WILD)
        if (*pattern++ != *s++)
            return;
    if (!*pattern) {
        if (!*s)
            found(x);
        return;
    }
    size_t most = strcspn(s, "/");
    for (size_t n = w == ANY ? 0 : 1; n <= most; n++) {
        x->part[w] = (struct span){s, n};
        match(x, pattern + strlen(wild[w]), s + n);
    }
}

/* As many components of the path's end as the pattern has, without .gz. */
static const char *tail_of(struct reckon *r, const char *path, const char *pattern) {
    size_t slashes = 0, n = strlen(path);
    for (; *pattern; pattern++)
        slashes += *pattern == '/';
    const char *from = path + n;
    while (from > path && (from[-1] != '/' || slashes-- > 0))
        from--;
    n = strlen(from);
    if (n > 3 && !strcmp(from + n - 3, ".gz"))
        n -= 3;
    return reckon_strndup(r, from, n);
}

/* ---- the ends of a test ---- */

static bool named(struct reckon *r, const char *address) {
    return address && strcmp(reckon_layout_name(r, address), address) != 0;
}

int iperf3_name_ends(struct reckon *r, const char *pattern, struct iperf3_test *t) {
    struct search x = {.r = r};
    const char *tail = tail_of(r, t->path, pattern);
    if (strlen(tail) <= LONGEST)
        match(&x, pattern, tail);
    if (x.known == 1 || x.ways == 1) {
        t->client = x.name[SRC];
        t->server = x.name[DST];
    } else if (!x.ways || (named(r, t->client_address) && named(r, t->server_address))) {
        t->by_address = !named(r, t->client_address) || !named(r, t->server_address);
        t->client = t->server_address ? t->client_address : NULL;
        t->server = t->client_address ? t->server_address : NULL;
    } else {
        return reckon_error(
            r, t->path, 0,
            "its name fits '%s' in %zu ways: a layout that names the hosts, --names for their addresses "
            "or another --iperf3-pattern tells them apart",
            reckon_printable(r, pattern), x.ways);
    }
    return 0;
}

const char *iperf3_source(const struct iperf3_test *t, const struct iperf3_leg *leg) {
    return leg->back ? t->server : t->client;
}

const char *iperf3_target(const struct iperf3_test *t, const struct iperf3_leg *leg) {
    return leg->back ? t->client : t->server;
}
