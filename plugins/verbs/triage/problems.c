/* SPDX-License-Identifier: Apache-2.0
 *
 * From what single periods found to problems with a start and an end, graded by what the job felt; and the
 * subject that rules and outputs read.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../shared/triage_text.h"
#include "analyzer.h"

#define MOST_PROBLEMS 20000u /* kept while following; the oldest give way */
#define MOST_FIGURES 4320u   /* periods kept while following: a day of 20 s */

/* A problem as it grows. */
struct tracked {
    struct reckon_triage_problem public; /* must be first */
    uint32_t subject;
    int64_t last; /* its latest period */
    int64_t seen; /* the latest period tracker_ended() met it in */
};

struct tracker {
    struct tracked **all;
    size_t count, cap;
    struct tracked **open; /* of the last period entered, by kind, subject, measure */
    size_t nopen;
    int64_t last; /* the last period entered; INT64_MIN: none */
    double first, end;
    uint64_t dropped;
    uint64_t unprobed;     /* periods without a probe between others */
    double first_unprobed; /* when the first of them began */
    uint32_t slow, innocent;
    struct reckon_triage subject;
};

void tracker_init(struct analyzer *a) {
    a->tracker = reckon_resize(NULL, 1, sizeof *a->tracker);
    *a->tracker = (struct tracker){.last = INT64_MIN, .first = RECKON_BLANK, .end = RECKON_BLANK};
}

void tracker_free(struct analyzer *a) {
    for (size_t i = 0; i < a->tracker->count; i++)
        free(a->tracker->all[i]);
    free(a->tracker->all);
    free(a->tracker->open);
    free(a->tracker);
    for (size_t i = 0; i < a->nfigures; i++)
        free((void *)(uintptr_t)a->figures[i]);
    free(a->figures);
}

/* ---- one period ---- */

static int key_order(enum reckon_trouble k1, uint32_t s1, const char *m1, enum reckon_trouble k2, uint32_t s2,
                     const char *m2) {
    if (k1 != k2)
        return k1 < k2 ? -1 : 1;
    if (s1 != s2)
        return s1 < s2 ? -1 : 1;
    return strcmp(m1 ? m1 : "", m2 ? m2 : "");
}

static int found_order(const void *a, const void *b) {
    const struct found *x = a, *y = b;
    return key_order(x->kind, x->subject, x->measure, y->kind, y->subject, y->measure);
}

/* What was open in the period before; NULL when the found is new. */
static struct tracked *continued(const struct tracker *k, const struct tally *t, const struct found *f) {
    size_t low = 0, high = t->index == k->last + 1 ? k->nopen : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct tracked *x = k->open[middle];
        int c = key_order(x->public.kind, x->subject, x->public.measure, f->kind, f->subject, f->measure);
        if (c == 0)
            return k->open[middle];
        if (c < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool graded(enum reckon_trouble kind) {
    return kind == RECKON_RNIC_PROBLEM || kind == RECKON_SWITCH_PROBLEM || kind == RECKON_RTT_HIGH;
}

static enum reckon_impact class_of(const struct analyzer *a, const struct tally *t, const struct found *f,
                                   const struct tracked *before) {
    double was = before ? before->public.metric_before : t->figures->metric_before;
    if (!graded(f->kind))
        return RECKON_IMPACT_NONE;
    if (!f->on_job)
        return RECKON_IMPACT_P2;
    return metric_fell(a, was, t->figures->metric) ? RECKON_IMPACT_P0 : RECKON_IMPACT_P1;
}

enum reckon_impact tracker_class(struct analyzer *a, const struct tally *t, const struct found *f) {
    return class_of(a, t, f, continued(a->tracker, t, f));
}

bool tracker_is_new(const struct analyzer *a, const struct tally *t, const struct found *f) {
    return !continued(a->tracker, t, f);
}

static void mark_seen(const struct tracker *k, const struct tally *t, const struct founds *list) {
    for (size_t i = 0; i < list->count; i++) {
        struct tracked *x = continued(k, t, &list->at[i]);
        if (x)
            x->seen = t->index;
    }
}

void tracker_ended(const struct analyzer *a, const struct tally *t,
                   void (*say)(void *user, const struct tally *t, const struct found *f), void *user) {
    const struct tracker *k = a->tracker;
    mark_seen(k, t, &t->found);
    mark_seen(k, t, &t->slow);
    for (size_t i = 0; i < k->nopen; i++)
        if (k->open[i]->seen != t->index)
            say(user, t, &(struct found){.kind = k->open[i]->public.kind, .subject = k->open[i]->subject});
}

static struct tracked *begin(struct analyzer *a, const struct tally *t, const struct found *f) {
    struct tracker *k = a->tracker;
    struct tracked *x = reckon_resize(NULL, 1, sizeof *x);
    *x = (struct tracked){.subject = f->subject,
                          .seen = INT64_MIN,
                          .public = {.size = sizeof x->public,
                                     .kind = f->kind,
                                     .name = found_name(a, f),
                                     .measure = f->measure,
                                     .start = t->start,
                                     .loss = RECKON_BLANK,
                                     .p99 = RECKON_BLANK,
                                     .limit = RECKON_BLANK,
                                     .metric_before = t->figures->metric_before,
                                     .metric_during = RECKON_BLANK}};
    k->all = reckon_grow(k->all, k->count, &k->cap, sizeof *k->all);
    return k->all[k->count++] = x;
}

/* The larger one; blank is less than anything. */
static double larger(double x, double y) {
    return x >= y || reckon_blank(y) ? x : y;
}
static double smaller(double x, double y) {
    return x <= y || reckon_blank(y) ? x : y;
}

static void extend(struct tracked *x, const struct tally *t, const struct found *f,
                   enum reckon_impact class) {
    struct reckon_triage_problem *p = &x->public;
    x->last = t->index;
    p->end = t->end;
    p->periods++;
    p->impact = class > p->impact ? class : p->impact;
    p->on_job |= f->on_job;
    p->provisional = f->provisional;
    p->timeouts += f->timeouts;
    p->probes += f->probes;
    p->votes = f->votes > p->votes ? f->votes : p->votes;
    p->loss = larger(p->loss, f->loss);
    if (larger(p->p99, f->p99) == f->p99)
        p->limit = f->limit;
    p->p99 = larger(p->p99, f->p99);
    p->tied = f->tied;
    p->metric_during = smaller(p->metric_during, t->figures->metric);
}

/* While following, what is long over gives way. */
static void drop_old(struct tracker *k) {
    size_t drop = k->count / 4, kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (drop && k->all[i]->last != k->last) {
            free(k->all[i]);
            drop--;
            k->dropped++;
        } else
            k->all[kept++] = k->all[i];
    }
    k->count = kept;
}

static void keep_figures(struct analyzer *a, struct tally *t) {
    if (a->follow && a->nfigures == MOST_FIGURES) {
        free((void *)(uintptr_t)a->figures[0]);
        memmove(a->figures, a->figures + 1, --a->nfigures * sizeof *a->figures);
    }
    a->figures = reckon_grow(a->figures, a->nfigures, &a->figures_cap, sizeof *a->figures);
    a->figures[a->nfigures++] = t->figures;
}

static void enter_figures(struct analyzer *a, struct tally *t, enum reckon_impact worst) {
    struct tracker *k = a->tracker;
    t->figures->worst = worst;
    t->figures->innocent = t->figures->slow && worst < RECKON_IMPACT_P1 && job_placed(a);
    k->slow += t->figures->slow;
    k->innocent += t->figures->innocent;
    a->nuntraced += t->figures->untraced;
    if (reckon_blank(k->first))
        k->first = t->start;
    else if (t->start - k->end > a->set.period / 2) {
        k->first_unprobed = k->unprobed ? k->first_unprobed : k->end;
        k->unprobed += (uint64_t)round((t->start - k->end) / a->set.period);
    }
    k->end = t->end;
    keep_figures(a, t);
}

void tracker_enter(struct analyzer *a, struct tally *t) {
    struct tracker *k = a->tracker;
    enum reckon_impact worst = RECKON_IMPACT_NONE;
    size_t n = t->found.count + t->slow.count;
    struct found *all = reckon_resize(NULL, n + 1, sizeof *all);
    struct tracked **open = reckon_resize(NULL, n + 1, sizeof *open);
    for (size_t i = 0; i < n; i++)
        all[i] = i < t->found.count ? t->found.at[i] : t->slow.at[i - t->found.count];
    qsort(all, n, sizeof *all, found_order);
    for (size_t i = 0; i < n; i++) {
        struct tracked *x = continued(k, t, &all[i]);
        enum reckon_impact class = class_of(a, t, &all[i], x);
        worst = class > worst ? class : worst;
        open[i] = x ? x : begin(a, t, &all[i]);
        extend(open[i], t, &all[i], class);
    }
    free(all);
    free(k->open);
    k->open = open;
    k->nopen = n;
    k->last = t->index;
    if (a->follow && k->count > MOST_PROBLEMS)
        drop_old(k);
    enter_figures(a, t, worst);
}

/* ---- the subject ---- */

static int problem_order(const void *a, const void *b) {
    const struct reckon_triage_problem *x = *(const struct reckon_triage_problem *const *)a,
                                       *y = *(const struct reckon_triage_problem *const *)b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int c = strcmp(x->name, y->name);
    return c ? c : strcmp(x->measure ? x->measure : "", y->measure ? y->measure : "");
}

/* The subject's view of the problems, for as long as the session lives. */
static void list_problems(struct analyzer *a) {
    struct tracker *k = a->tracker;
    const struct reckon_triage_problem **list = reckon_alloc(a->r, (k->count + 1) * sizeof *list);
    for (size_t i = 0; i < k->count; i++) {
        k->all[i]->public.ongoing = k->all[i]->last == k->last;
        list[i] = &k->all[i]->public;
    }
    if (k->count)
        qsort(list, k->count, sizeof *list, problem_order);
    k->subject.problems = list;
    k->subject.nproblems = k->count;
}

const struct reckon_triage *tracker_subject(struct analyzer *a) {
    struct tracker *k = a->tracker;
    char when[TRIAGE_WHEN];
    k->subject = (struct reckon_triage){.size = sizeof k->subject,
                                        .version = RECKON_TRIAGE_VERSION,
                                        .layout = reckon_layout_path(reckon_layout(a->r)),
                                        .hosts = a->topo.nhosts,
                                        .rnics = a->topo.nrnics,
                                        .tors = a->topo.ntors,
                                        .spines = a->topo.nspines,
                                        .period = a->set.period,
                                        .first = k->first,
                                        .last = k->end,
                                        .probes = a->nprobes,
                                        .timeouts = a->ntimeouts,
                                        .untraced = a->nuntraced,
                                        .has_job = a->njob || a->nservice,
                                        .has_metric = a->metric.count > 0,
                                        .job_threshold = a->set.job_threshold,
                                        .slow_periods = k->slow,
                                        .innocent_periods = k->innocent,
                                        .periods = a->figures,
                                        .nperiods = a->nfigures,
                                        .job_tuples = a->njob,
                                        .job_untraced = a->njob - a->njob_traced,
                                        .job_placed = job_placed(a)};
    list_problems(a);
    if (k->unprobed)
        reckon_note(a->r,
                    "no probe in %s among those judged (the first from %s); what goes on through them is two "
                    "problems, one before and one after",
                    reckon_count(a->r, k->unprobed, "period"), triage_when(k->first_unprobed, when));
    if (k->dropped)
        reckon_note(a->r, "%s ended long ago and are no longer listed",
                    reckon_count(a->r, k->dropped, "earlier problem"));
    return &k->subject;
}
