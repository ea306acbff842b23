/* SPDX-License-Identifier: Apache-2.0
 *
 * From a history to judged series: trials and runs, failed and missing ones, the table of what passes and
 * fails, and the index of a directory.
 */
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "../../plugins/verbs/trend/index.h"
#include "../../plugins/verbs/trend/series.h"
#include "../core/sandbox.h"

void suite_history(void);

#define DAY 86400.0

static const struct trend_options usual = {.bits = 12, .week_runs = 10, .days = 21, .failed_days = 7};

/* ---- a history and what becomes of it ---- */

struct fixture {
    struct reckon *r;
    struct trend_history h;
    struct trend_analysis a;
};

static void begin(struct fixture *f) {
    f->r = session_begin(1);
    f->a = (struct trend_analysis){0};
    trend_history_init(&f->h);
}

static void end(struct fixture *f) {
    trend_analysis_free(&f->a);
    trend_history_free(&f->h);
    session_end(f->r);
}

static uint32_t test_of(struct trend_history *h, const char *name, const char *unit, const char *attributes) {
    return reckon_history_test(&h->base,
                               &(struct reckon_history_test){.size = sizeof(struct reckon_history_test),
                                                             .name = name,
                                                             .unit = unit,
                                                             .attributes = attributes});
}

static uint32_t run_of(struct trend_history *h, double ts, const char *label, const char *family) {
    return reckon_history_run(
        &h->base, &(struct reckon_history_run){sizeof(struct reckon_history_run), ts, label, family});
}

static void put(struct trend_history *h, const char *name, double ts, double value, const char *status) {
    reckon_history_trial(&h->base, test_of(h, name, NULL, NULL), run_of(h, ts, NULL, NULL), value, status);
}

static void analyse(struct fixture *f, const struct trend_options *options) {
    CU_ASSERT_EQUAL_FATAL(trend_analyse(f->r, &f->a, &f->h, options), 0);
}

static struct reckon_trend_test test_at(const struct fixture *f, size_t i) {
    struct reckon_trend_test t;
    reckon_trend_test(&f->a.base, i, &t);
    return t;
}

static struct reckon_trend_run run_at(const struct fixture *f, size_t i, size_t run) {
    struct reckon_trend_run t;
    reckon_trend_run(&f->a.base, i, run, &t);
    return t;
}

/* ---- tests and runs ---- */

static void identity(void) {
    struct fixture f;
    begin(&f);
    struct trend_history *h = &f.h;
    uint32_t unknown = test_of(h, "t", NULL, NULL);
    CU_ASSERT_EQUAL(test_of(h, "t", "pps", NULL), unknown); /* the unit becomes known */
    CU_ASSERT_EQUAL(test_of(h, "t", NULL, NULL), unknown);
    CU_ASSERT_NOT_EQUAL(test_of(h, "t", "Mb/s", NULL), unknown);
    CU_ASSERT_NOT_EQUAL(test_of(h, "t", "pps", "cores=1"), unknown);
    CU_ASSERT_EQUAL(test_of(h, "t", "pps", "cores=1"), test_of(h, "t", NULL, "cores=1"));
    CU_ASSERT_NOT_EQUAL(test_of(h, "t\na=1", NULL, "b=1"), test_of(h, "t", NULL, "a=1\nb=1"));
    uint32_t run = run_of(h, 100, "a", NULL);
    CU_ASSERT_EQUAL(run_of(h, 100, "a", NULL), run);
    CU_ASSERT_NOT_EQUAL(run_of(h, 100, "a", "family"), run);
    CU_ASSERT_EQUAL(run_of(h, RECKON_BLANK, "a", NULL), RECKON_NONE);
    reckon_history_trial(&h->base, unknown, RECKON_NONE, 1, NULL); /* nothing to keep it under */
    CU_ASSERT_EQUAL(h->ntrials, 0);
    end(&f);
}

/* Trials 10, 14 and a failed one at 200: mean 12, deviation 2. Read out of order, and from two calls. */
static void trials_of_a_run(void) {
    struct fixture f;
    begin(&f);
    put(&f.h, "t", 300, 20, NULL);
    put(&f.h, "t", 200, 10, "OK");
    put(&f.h, "other", 200, 1, NULL);
    put(&f.h, "t", 200, RECKON_BLANK, NULL);
    put(&f.h, "t", 200, 14, "ok");
    analyse(&f, &usual);
    CU_ASSERT_EQUAL_FATAL(reckon_trend_tests(&f.a.base), 2);
    CU_ASSERT_STRING_EQUAL(test_at(&f, 0).name, "other"); /* by name */
    CU_ASSERT_EQUAL_FATAL(test_at(&f, 1).runs, 2);
    struct reckon_trend_run run = run_at(&f, 1, 0);
    CU_ASSERT_EQUAL(run.ts, 200);
    CU_ASSERT_EQUAL(run.value, 12);
    CU_ASSERT_EQUAL(run.stdev, 2);
    CU_ASSERT_EQUAL(run.trials, 2);
    CU_ASSERT_EQUAL(run.failed, 1);
    CU_ASSERT_EQUAL(reckon_trend_trial(&f.a.base, 1, 0, 1), 14);
    CU_ASSERT(reckon_blank(reckon_trend_trial(&f.a.base, 1, 0, 2)));
    double first, last;
    CU_ASSERT_EQUAL(reckon_trend_span(&f.a.base, &first, &last), 2);
    CU_ASSERT(first == 200 && last == 300);
    end(&f);
}

static void never_samples(void) {
    struct fixture f;
    begin(&f);
    put(&f.h, "t", 100, 5, NULL);
    put(&f.h, "t", 200, -5, NULL);
    put(&f.h, "t", 300, RECKON_BLANK, NULL);
    put(&f.h, "t", 400, 5, "TIMEOUT");
    put(&f.h, "t", 500, HUGE_VAL, NULL);
    put(&f.h, "t", 600, 0, NULL); /* zero is a value */
    analyse(&f, &usual);
    CU_ASSERT_EQUAL(test_at(&f, 0).runs, 6);
    CU_ASSERT_EQUAL(test_at(&f, 0).samples, 2);
    CU_ASSERT_STRING_EQUAL(run_at(&f, 0, 3).status, "TIMEOUT");
    CU_ASSERT_EQUAL(run_at(&f, 0, 1).state, RECKON_TREND_RUN_FAILED);
    CU_ASSERT_EQUAL(run_at(&f, 0, 5).state, RECKON_TREND_MEASURED);
    end(&f);
}

/* Runs of one time that are runs of their own stay apart, in the order read. */
static void equal_times(void) {
    struct fixture f;
    begin(&f);
    uint32_t test = test_of(&f.h, "t", NULL, NULL);
    for (int i = 0; i < 3; i++)
        reckon_history_trial(&f.h.base, test, run_of(&f.h, 100, NULL, "floor"), 30 - 10 * i, NULL);
    analyse(&f, &usual);
    CU_ASSERT_EQUAL_FATAL(test_at(&f, 0).runs, 3);
    CU_ASSERT(run_at(&f, 0, 0).value == 30 && run_at(&f, 0, 1).value == 20 && run_at(&f, 0, 2).value == 10);
    end(&f);
}

/* Family "x": runs at 1, 2, 3, 4; host a in 1 and 3, host b from 2 on, host c in the other family alone. */
static void missing(void) {
    struct fixture f;
    begin(&f);
    uint32_t a = test_of(&f.h, "a", NULL, NULL), b = test_of(&f.h, "b", NULL, NULL),
             c = test_of(&f.h, "c", NULL, NULL);
    for (int ts = 1; ts <= 4; ts++) {
        uint32_t run = run_of(&f.h, ts, NULL, "x");
        if (ts % 2)
            reckon_history_trial(&f.h.base, a, run, 1, NULL);
        if (ts >= 2)
            reckon_history_trial(&f.h.base, b, run, 1, NULL);
    }
    reckon_history_trial(&f.h.base, c, run_of(&f.h, 1, NULL, "y"), 1, NULL);
    analyse(&f, &usual);
    CU_ASSERT_EQUAL_FATAL(test_at(&f, 0).runs, 4);
    CU_ASSERT_EQUAL(run_at(&f, 0, 1).state, RECKON_TREND_RUN_MISSING);
    CU_ASSERT_STRING_EQUAL(run_at(&f, 0, 3).status, "missing");
    CU_ASSERT_EQUAL(test_at(&f, 0).result, RECKON_TREND_FAILED); /* it is not in the last run */
    CU_ASSERT_EQUAL(test_at(&f, 0).recent_failures, 2);
    CU_ASSERT_EQUAL(test_at(&f, 0).last_failure, 3);
    CU_ASSERT_EQUAL(test_at(&f, 1).runs, 3); /* not missing before its first run */
    CU_ASSERT_EQUAL(test_at(&f, 1).result, RECKON_TREND_NORMAL);
    CU_ASSERT_EQUAL(test_at(&f, 2).runs, 1);
    end(&f);
}

/* ---- what passes and fails: normal, regression, progression; and failed ---- */

static void series(struct fixture *f, const char *name, size_t n, double last) {
    for (size_t i = 0; i < n; i++)
        put(&f->h, name, (double)i * DAY, i + 1 < n ? 1000 + (double)(i % 3) : last, NULL);
}

static void pass_and_fail(void) {
    struct fixture f;
    begin(&f);
    series(&f, "a", 12, 1001); /* prolongs its group */
    series(&f, "b", 12, 500);  /* starts a lower one */
    series(&f, "c", 12, 2000); /* starts a higher one */
    series(&f, "d", 12, RECKON_BLANK);
    analyse(&f, &usual);
    CU_ASSERT_EQUAL(test_at(&f, 0).result, RECKON_TREND_NORMAL);
    CU_ASSERT_EQUAL(test_at(&f, 1).result, RECKON_TREND_REGRESSION);
    CU_ASSERT_EQUAL(test_at(&f, 2).result, RECKON_TREND_PROGRESSION);
    CU_ASSERT_EQUAL(test_at(&f, 3).result, RECKON_TREND_FAILED);
    CU_ASSERT_EQUAL(test_at(&f, 1).trend, 500);
    CU_ASSERT_EQUAL(test_at(&f, 1).trend_runs, 1);
    CU_ASSERT_EQUAL(run_at(&f, 1, 11).comment, RECKON_TREND_REGRESSION);
    CU_ASSERT_EQUAL(run_at(&f, 1, 10).comment, RECKON_TREND_NORMAL);
    trend_analysis_free(&f.a);
    struct trend_options lower = usual;
    lower.lower_is_better = true;
    analyse(&f, &lower);
    CU_ASSERT_EQUAL(test_at(&f, 1).result, RECKON_TREND_PROGRESSION);
    CU_ASSERT_EQUAL(test_at(&f, 2).result, RECKON_TREND_REGRESSION);
    end(&f);
}

/* A drop on day 8 and a rise on day 20 of 30 (day 29 the last): 21 days ago is day 8, which still counts. */
static void recent(void) {
    struct fixture f;
    begin(&f);
    for (int day = 0; day < 30; day++)
        put(&f.h, "t", day * DAY, day < 8 ? 1000 : day < 20 ? 700 : 900, NULL);
    analyse(&f, &usual);
    struct reckon_trend_test t = test_at(&f, 0);
    CU_ASSERT_EQUAL(t.groups, 3);
    CU_ASSERT(t.regressions == 1 && t.recent_regressions == 1 && t.progressions == 1 &&
              t.recent_progressions == 1);
    CU_ASSERT_EQUAL(t.trend_runs, 10);
    CU_ASSERT_DOUBLE_EQUAL(t.long_term_change, -0.1, 1e-12); /* (900 − 1000) / 1000 */
    struct reckon_trend_group g;
    reckon_trend_group(&f.a.base, 0, 1, &g);
    CU_ASSERT(g.first == 8 && g.first_ts == 8 * DAY && g.count == 12 && g.mean == 700);
    trend_analysis_free(&f.a);
    struct trend_options less = usual;
    less.days = 20;
    analyse(&f, &less);
    CU_ASSERT_EQUAL(test_at(&f, 0).recent_regressions, 0);
    end(&f);
}

static void attributes(void) {
    struct fixture f;
    const char *key, *value;
    begin(&f);
    reckon_history_trial(&f.h.base, test_of(&f.h, "t", NULL, "testbed=2n-icx\ncores=1\nodd"),
                         run_of(&f.h, 1, NULL, NULL), 1, NULL);
    analyse(&f, &usual);
    CU_ASSERT(reckon_trend_attribute(&f.a.base, 0, 1, &key, &value) && !strcmp(key, "cores") &&
              !strcmp(value, "1"));
    CU_ASSERT(reckon_trend_attribute(&f.a.base, 0, 2, &key, &value) && !strcmp(key, "odd") &&
              !strcmp(value, ""));
    CU_ASSERT_FALSE(reckon_trend_attribute(&f.a.base, 0, 3, &key, &value));
    end(&f);
}

/* ---- the index ---- */

static char folder[64];

static void put_all(struct trend_history *h) {
    uint32_t run = run_of(h, 100.5, "nightly", "floor");
    reckon_history_trial(&h->base, test_of(h, "a", "%", "cores=1"), run, 98.5, NULL);
    reckon_history_trial(&h->base, test_of(h, "b", NULL, NULL), run, 1, "TIMEOUT");
}

static bool same(const struct trend_history *a, const struct trend_history *b) {
    bool equal = a->ntests == b->ntests && a->nruns == b->nruns && a->ntrials == b->ntrials;
    for (size_t i = 0; equal && i < a->ntrials; i++) {
        const struct history_trial *x = &a->trials[i], *y = &b->trials[i];
        equal = x->value == y->value && a->runs[x->run].ts == b->runs[y->run].ts &&
                !strcmp(trend_history_text(a, x->status), trend_history_text(b, y->status)) &&
                !strcmp(trend_history_text(a, a->tests[x->test].name),
                        trend_history_text(b, b->tests[y->test].name)) &&
                !strcmp(trend_history_text(a, a->tests[x->test].attributes),
                        trend_history_text(b, b->tests[y->test].attributes)) &&
                !strcmp(trend_history_text(a, a->runs[x->run].label),
                        trend_history_text(b, b->runs[y->run].label)) &&
                !strcmp(trend_history_text(a, a->runs[x->run].family),
                        trend_history_text(b, b->runs[y->run].family));
    }
    return equal;
}

/* Reads the folder's first file, or both, as a reader of that view would; how many of them the index knew. */
static size_t visit(struct reckon *r, const char *view, bool both) {
    static const char *const names[] = {"a.json", "b.json"};
    struct trend_index index;
    struct trend_indexed files[2];
    size_t taken = 0, n = 0;
    trend_index_open(r, &index, folder);
    for (int i = 0; i < (both ? 2 : 1); i++) {
        struct trend_history h, expected;
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        trend_history_init(&h);
        trend_history_init(&expected);
        put_all(&expected);
        CU_ASSERT_FATAL(trend_index_file(&files[n], path));
        files[n].name = names[i]; /* the path goes */
        files[n].index = &index;
        h.indexed = &files[n++];
        if (reckon_history_known(&h.base, view))
            taken++;
        else
            put_all(&h);
        CU_ASSERT(same(&h, &expected));
        trend_index_keep(&files[n - 1], &h);
        trend_history_free(&h);
        trend_history_free(&expected);
    }
    trend_index_write(r, &index, files, n);
    trend_index_free(&index, files, n);
    return taken;
}

static struct reckon *index_begin(void) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder_begin(folder));
    file_write(in_folder(folder, "a.json"), "aaa", 3);
    file_write(in_folder(folder, "b.json"), "bbb", 3);
    return session_begin(1);
}

static void index_end(struct reckon *r) {
    folder_end(folder);
    session_end(r);
}

static void index_is_kept(void) {
    struct reckon *r = index_begin();
    CU_ASSERT_EQUAL(visit(r, "v", true), 0);
    CU_ASSERT_EQUAL(folder_count(folder), 3); /* the index, and nothing left over */
    CU_ASSERT_EQUAL(visit(r, "v", true), 2);
    CU_ASSERT_EQUAL(visit(r, "w", true), 0); /* another view of the same files … */
    CU_ASSERT_EQUAL(visit(r, "v", true), 2); /* … beside the first */
    CU_ASSERT_EQUAL(visit(r, "w", true), 2);
    CU_ASSERT_PTR_NULL(reckon_note_at(r, 0));
    index_end(r);
}

static void index_goes_stale(void) {
    struct reckon *r = index_begin();
    visit(r, "v", true);
    file_write(in_folder(folder, "a.json"), "aaaa", 4);
    CU_ASSERT_EQUAL(visit(r, "v", true), 1);
    CU_ASSERT_EQUAL(visit(r, "v", true), 2);
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    utimensat(AT_FDCWD, in_folder(folder, "a.json"), old, 0); /* the same size, another time */
    CU_ASSERT_EQUAL(visit(r, "v", true), 1);
    CU_ASSERT_EQUAL(visit(r, "v", true), 2);
    usleep(20000);                                      /* past the clock tick of files' times */
    file_write(in_folder(folder, "a.json"), "bbbb", 4); /* other bytes behind the same size and time */
    utimensat(AT_FDCWD, in_folder(folder, "a.json"), old, 0);
    CU_ASSERT_EQUAL(visit(r, "v", true), 1);
    struct stat before, after;
    CU_ASSERT_EQUAL(stat(in_folder(folder, ".reckon-index"), &before), 0);
    remove(in_folder(folder, "b.json"));
    visit(r, "v", false);
    CU_ASSERT_EQUAL(visit(r, "v", false), 1);
    CU_ASSERT_EQUAL(stat(in_folder(folder, ".reckon-index"), &after), 0);
    CU_ASSERT(after.st_size < before.st_size);
    file_write(in_folder(folder, "b.json"), "bbb", 3);
    CU_ASSERT_EQUAL(visit(r, "v", true), 1); /* what was said of the lost file is gone */
    index_end(r);
}

/* Every cut and every changed byte is seen, said once, and mended. */
static void index_is_damaged(void) {
    struct reckon *r = index_begin();
    char path[512];
    visit(r, "v", true);
    strcpy(path, in_folder(folder, ".reckon-index"));
    struct stat st;
    CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
    size_t n = (size_t)st.st_size, notes = 0;
    char *bytes = malloc(n), *changed = malloc(n);
    FILE *f = fopen(path, "r");
    CU_ASSERT_EQUAL(fread(bytes, 1, n, f), n);
    fclose(f);
    for (size_t i = 0; i < n; i++) {
        memcpy(changed, bytes, n);
        changed[i] ^= 0x40;
        file_write(path, changed, n);
        CU_ASSERT_EQUAL(visit(r, "v", true), 0);
        CU_ASSERT_EQUAL(visit(r, "v", true), 2);
        file_write(path, bytes, i);
        CU_ASSERT_EQUAL(visit(r, "v", true), 0);
    }
    while (reckon_note_at(r, notes))
        notes++;
    /* a cut at 0 leaves an empty file, which is none; another format, machine or release (24 bytes) is no
     * damage */
    CU_ASSERT_EQUAL(notes, 2 * n - 1 - 24);
    free(bytes);
    free(changed);
    index_end(r);
}

static void index_may_be_impossible(void) {
    struct reckon *r = index_begin();
    CU_ASSERT_EQUAL(mkdir(in_folder(folder, ".reckon-index"), 0777), 0); /* in the way */
    CU_ASSERT_EQUAL(visit(r, "v", true), 0);
    CU_ASSERT_EQUAL(visit(r, "v", true), 0);
    CU_ASSERT_EQUAL(folder_count(folder), 3);
    CU_ASSERT_PTR_NULL(reckon_note_at(r, 0));
    index_end(r);
}

/* A pipe that nobody writes to is not waited for. */
static void index_is_a_pipe(void) {
    struct reckon *r = index_begin();
    CU_ASSERT_EQUAL(mkfifo(in_folder(folder, ".reckon-index"), 0666), 0);
    alarm(20);
    CU_ASSERT_EQUAL(visit(r, "v", true), 0);
    alarm(0);
    CU_ASSERT_EQUAL(visit(r, "v", true), 2); /* its place is taken */
    index_end(r);
}

/* Why a file has nothing for a trend is said every time, but found out once. */
static void index_keeps_what_is_left_out(void) {
    struct reckon *r = index_begin();
    for (int again = 0; again < 2; again++) {
        struct trend_index index;
        struct trend_indexed file;
        struct trend_history h;
        trend_history_init(&h);
        trend_index_open(r, &index, folder);
        CU_ASSERT_FATAL(trend_index_file(&file, in_folder(folder, "a.json")));
        file.name = "a.json";
        file.index = &index;
        h.indexed = &file;
        CU_ASSERT_EQUAL(reckon_history_known(&h.base, "v"), again > 0);
        if (!again)
            reckon_history_leave_out(&h.base, "says nothing");
        CU_ASSERT_STRING_EQUAL(trend_history_text(&h, h.left_out), "says nothing");
        trend_index_keep(&file, &h);
        trend_index_write(r, &index, &file, 1);
        trend_index_free(&index, &file, 1);
        trend_history_free(&h);
    }
    index_end(r);
}

void suite_history(void) {
    CU_pSuite suite = CU_add_suite("history", NULL, NULL);
    CU_add_test(suite, "what makes a test and a run", identity);
    CU_add_test(suite, "trials of a run", trials_of_a_run);
    CU_add_test(suite, "what is never a sample", never_samples);
    CU_add_test(suite, "equal times", equal_times);
    CU_add_test(suite, "missing runs", missing);
    CU_add_test(suite, "pass and fail", pass_and_fail);
    CU_add_test(suite, "recent changes", recent);
    CU_add_test(suite, "attributes", attributes);
    CU_add_test(suite, "index: kept", index_is_kept);
    CU_add_test(suite, "index: stale", index_goes_stale);
    CU_add_test(suite, "index: damaged", index_is_damaged);
    CU_add_test(suite, "index: impossible", index_may_be_impossible);
    CU_add_test(suite, "index: a pipe", index_is_a_pipe);
    CU_add_test(suite, "index: left out", index_keeps_what_is_left_out);
}
