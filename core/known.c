/* SPDX-License-Identifier: Apache-2.0
 *
 * Known faults: findings that stay in the report, marked, but out of the exit status until their date.
 */
#include <string.h>

#include "findings.h"
#include "findings_state.h"

struct known_fault {
    const char *rule, *host;
    double until; /* blank: for ever */
};

struct reckon_known {
    struct reckon *r;
    struct known_fault *at;
    size_t count, cap;
};

struct reckon_known *known_new(struct reckon *r) {
    struct reckon_known *k = reckon_alloc(r, sizeof *k);
    k->r = r;
    return k;
}

void reckon_known_add(struct reckon_known *k, const char *rule, const char *host, double until) {
    k->at = reckon_grow(k->at, k->count, &k->cap, sizeof *k->at);
    k->at[k->count++] = (struct known_fault){reckon_strdup(k->r, rule), reckon_strdup(k->r, host), until};
}

static bool over(const struct known_fault *f, double now) {
    return !reckon_blank(f->until) && now > f->until;
}

void known_use(struct reckon *r, struct reckon_known *known, double now) {
    r->findings->known = known;
    r->findings->now = now;
    for (size_t i = 0; i < known->count; i++)
        if (over(&known->at[i], now) && !is_known(known, known->at[i].rule, known->at[i].host, now))
            reckon_note(r, "the known fault %s of %s is past its date and counts again", known->at[i].rule,
                        known->at[i].host);
}

int reckon_read_known(struct reckon *r, double now) {
    struct reckon_known *known = known_new(r);
    if (reckon_read_role(r, "known", known, NULL))
        return -1;
    known_use(r, known, now);
    return 0;
}

bool is_known(const struct reckon_known *known, const char *rule, const char *host, double now) {
    for (size_t i = 0; known && i < known->count; i++) {
        const struct known_fault *f = &known->at[i];
        if (!strcmp(f->rule, rule) && (!strcmp(f->host, "*") || !strcmp(f->host, host)) && !over(f, now))
            return true;
    }
    return false;
}
