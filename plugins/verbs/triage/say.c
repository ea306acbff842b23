/* SPDX-License-Identifier: Apache-2.0
 *
 * While following: one line on standard output for each trouble that begins, ends or is taken back.
 */
#include <stdio.h>

#include "../../shared/triage_text.h"
#include "analyzer.h"

static void line(const struct analyzer *a, double ts, const char *change, const struct found *f,
                 const char *class, const char *text) {
    char when[TRIAGE_WHEN];
    printf("%s %-9s %-2s %s %s%s%s\n", triage_when(ts, when), change, class, triage_rule(f->kind),
           reckon_printable(a->r, found_name(a, f)), *text ? ": " : "", reckon_printable(a->r, text));
}

static void say_begins(struct analyzer *a, const struct tally *t, const struct found *f, const char *change) {
    char seen[TRIAGE_SENTENCE];
    enum reckon_impact class = tracker_class(a, t, f);
    struct reckon_triage_problem p = {.kind = f->kind,
                                      .impact = class,
                                      .timeouts = f->timeouts,
                                      .probes = f->probes,
                                      .votes = f->votes,
                                      .loss = f->loss,
                                      .p99 = f->p99,
                                      .limit = f->limit,
                                      .measure = f->measure,
                                      .tied = f->tied,
                                      .provisional = f->provisional};
    line(a, t->start, change, f, reckon_impact_word(class), triage_seen(&p, seen));
}

static bool listed(const struct founds *list, const struct found *f) {
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].kind == f->kind && list->at[i].subject == f->subject)
            return true;
    return false;
}

/* One list's news; returns the worst class in it. */
static enum reckon_impact say_list(struct analyzer *a, const struct tally *t, const struct founds *list) {
    enum reckon_impact worst = RECKON_IMPACT_NONE;
    for (size_t i = 0; i < list->count; i++) {
        const struct found *f = &list->at[i];
        enum reckon_impact class = tracker_class(a, t, f);
        worst = class > worst ? class : worst;
        if (tracker_is_new(a, t, f))
            say_begins(a, t, f, f->provisional ? "perhaps" : "begins");
    }
    return worst;
}

static void say_end(void *user, const struct tally *t, const struct found *f) {
    line(user, t->start, "over", f, "", "");
}

void say_period(struct analyzer *a, const struct tally *t) {
    enum reckon_impact found = say_list(a, t, &t->found), slow = say_list(a, t, &t->slow);
    char when[TRIAGE_WHEN];
    tracker_ended(a, t, say_end, a);
    if (t->figures->slow && job_placed(a) && found < RECKON_IMPACT_P1 && slow < RECKON_IMPACT_P1)
        printf("%s innocent     NETWORK_INNOCENT the job's metric fell from %g to %g, and nothing on its "
               "paths is "
               "wrong\n",
               triage_when(t->start, when), t->figures->metric_before, t->figures->metric);
    fflush(stdout);
}

void say_withdrawn(struct analyzer *a, const struct tally *t, const struct founds *old) {
    for (size_t i = 0; i < old->count; i++)
        if (!listed(&t->found, &old->at[i]))
            line(a, t->start, "withdrawn", &old->at[i], "", "");
    for (size_t i = 0; i < t->found.count; i++)
        if (!listed(old, &t->found.at[i]))
            say_begins(a, t, &t->found.at[i], "begins");
}
