/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: kept as the rules give them, ordered by severity, rule and host; and the verdict.
 */
#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "findings_state.h"

static struct findings *state(const struct reckon *r) {
    return r->findings;
}

const char *reckon_severity_word(enum reckon_severity severity) {
    static const char *const words[] = {"INFO", "WARN", "CRITICAL"};
    return words[severity];
}

struct reckon_finding *reckon_find(struct reckon *r, enum reckon_severity severity, const char *host, const char *fmt,
                                   ...) {
    struct findings *all = state(r);
    struct reckon_finding *f = reckon_alloc(r, sizeof *f);
    va_list ap;
    va_start(ap, fmt);
    f->detail = reckon_vtext(r, fmt, ap);
    va_end(ap);
    f->rule = all->rule->plugin;
    f->order = all->order;
    f->severity = severity;
    f->host = reckon_strdup(r, host ? host : "*");
    f->fix = "";
    f->known = is_known(all->known, f->rule->name, f->host, all->now);
    all->at = reckon_grow(all->at, all->count, &all->cap, sizeof *all->at);
    all->at[all->count++] = f;
    return f;
}

void reckon_fix(struct reckon *r, struct reckon_finding *f, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    f->fix = reckon_vtext(r, fmt, ap);
    va_end(ap);
}

void reckon_skip(struct reckon *r, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    findings_skip(r, state(r)->rule->plugin->name, reckon_vtext(r, fmt, ap));
    va_end(ap);
}

void findings_skip(struct reckon *r, const char *rule, const char *reason) {
    struct findings *all = state(r);
    all->skipped = reckon_grow(all->skipped, all->nskipped, &all->skipped_cap, sizeof *all->skipped);
    all->skipped[all->nskipped++] = (struct skipped){rule, reason};
}

void reckon_set_verdict(struct reckon *r, const char *rule, enum reckon_severity severity, const char *fmt, ...) {
    struct findings *all = state(r);
    va_list ap;
    va_start(ap, fmt);
    all->verdict = reckon_vtext(r, fmt, ap);
    va_end(ap);
    all->verdict_rule = rule;
    all->verdict_severity = severity;
}

static int finding_order(const void *a, const void *b) {
    const struct reckon_finding *x = *(struct reckon_finding *const *)a, *y = *(struct reckon_finding *const *)b;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    int c = strcmp(x->host, y->host);
    return c ? c : strcmp(x->detail, y->detail);
}

void findings_sort(struct reckon *r) {
    struct findings *all = state(r);
    if (all->count)
        qsort(all->at, all->count, sizeof *all->at, finding_order);
}

/* ---- reading them ---- */

size_t reckon_finding_count(const struct reckon *r) {
    return state(r)->count;
}

const struct reckon_finding *reckon_finding_at(const struct reckon *r, size_t i) {
    return i < state(r)->count ? state(r)->at[i] : NULL;
}

const char *reckon_finding_rule(const struct reckon_finding *f) {
    return f->rule->name;
}

const char *reckon_finding_title(const struct reckon_finding *f) {
    return f->rule->rule.title;
}

const char *reckon_finding_lead(const struct reckon_finding *f) {
    return f->rule->rule.lead ? f->rule->rule.lead : "";
}

enum reckon_severity reckon_finding_severity(const struct reckon_finding *f) {
    return f->severity;
}

const char *reckon_finding_host(const struct reckon_finding *f) {
    return f->host;
}

const char *reckon_finding_detail(const struct reckon_finding *f) {
    return f->detail;
}

const char *reckon_finding_fix(const struct reckon_finding *f) {
    return f->fix;
}

bool reckon_finding_known(const struct reckon_finding *f) {
    return f->known;
}

const char *reckon_skipped_rule(const struct reckon *r, size_t i) {
    return i < state(r)->nskipped ? state(r)->skipped[i].rule : NULL;
}

const char *reckon_skipped_reason(const struct reckon *r, size_t i) {
    return i < state(r)->nskipped ? state(r)->skipped[i].reason : NULL;
}

bool reckon_verdict(const struct reckon *r, const char **rule, enum reckon_severity *severity, const char **text) {
    const struct findings *all = state(r);
    if (!all->verdict)
        return false;
    *rule = all->verdict_rule;
    *severity = all->verdict_severity;
    *text = all->verdict;
    return true;
}

int reckon_exit_status(const struct reckon *r, bool compared) {
    static const int status[] = {0, 10, 20};
    enum reckon_severity worst = RECKON_INFO;
    if (!compared)
        return 1;
    for (size_t i = 0; i < state(r)->count; i++)
        if (!state(r)->at[i]->known && state(r)->at[i]->severity > worst)
            worst = state(r)->at[i]->severity;
    return reckon_option_given(r, "exit-code") ? status[worst] : 0;
}
