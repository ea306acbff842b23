/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel work: everything is done once, and what is said comes in the order of the pieces whatever the
 * threads do.
 */
#include <stdatomic.h>

#include <CUnit/CUnit.h>

#include "sandbox.h"

#define PIECES 200

struct job {
    struct reckon *r;
    atomic_int done[PIECES];
    size_t fails_from; /* pieces from here on fail, every third of them */
};

/* Early pieces take longest, so that threads finish in another order. */
static int piece(void *user, size_t i) {
    struct job *job = user;
    usleep((useconds_t)(i % 7 == 0 ? 300 : 0));
    atomic_fetch_add(&job->done[i], 1);
    if (i % 2)
        reckon_note(job->r, "note %zu", i);
    if (i >= job->fails_from && i % 3 == 0)
        return reckon_error(job->r, "file", i, "piece %zu failed", i);
    return 0;
}

static void check_all_done(size_t jobs) {
    struct reckon *r = session_begin(jobs);
    struct job job = {.r = r, .fails_from = PIECES};
    CU_ASSERT(reckon_parallel(r, PIECES, piece, &job) == 0);
    for (size_t i = 0; i < PIECES; i++)
        CU_ASSERT(atomic_load(&job.done[i]) == 1);
    for (size_t i = 0; i < PIECES / 2; i++) {
        char want[32];
        snprintf(want, sizeof want, "note %zu", 2 * i + 1);
        CU_ASSERT_STRING_EQUAL(reckon_note_at(r, i), want);
    }
    CU_ASSERT(!session_error(r) && !current_task);
    session_end(r);
}

static void test_order(void) {
    check_all_done(0);
    check_all_done(1);
    check_all_done(3);
    check_all_done(16);
}

/* The first failure in order of the pieces counts: 51, the first from 50 on that is a multiple of 3. Notes of
 * the pieces after it are left out, whether or not they were done. */
static void check_failure(size_t jobs) {
    struct reckon *r = session_begin(jobs);
    struct job job = {.r = r, .fails_from = 50};
    CU_ASSERT(reckon_parallel(r, PIECES, piece, &job) == -1);
    CU_ASSERT_STRING_EQUAL(session_error(r), "file:51: piece 51 failed");
    for (size_t i = 0; i <= 51; i++)
        CU_ASSERT(atomic_load(&job.done[i]) == 1);
    CU_ASSERT(reckon_note_at(r, 25) && !strcmp(reckon_note_at(r, 25), "note 51"));
    CU_ASSERT_PTR_NULL(reckon_note_at(r, 26));
    session_end(r);
}

static void test_failure(void) {
    check_failure(1);
    for (int i = 0; i < 20; i++)
        check_failure(8);
}

static void test_nothing(void) {
    struct reckon *r = session_begin(4);
    CU_ASSERT(reckon_parallel(r, 0, piece, NULL) == 0);
    session_end(r);
}

static int outer_piece(void *user, size_t i) {
    struct job inner = {.r = user, .fails_from = PIECES};
    reckon_note(user, "before %zu", i);
    int status = reckon_parallel(user, 4, piece, &inner);
    reckon_note(user, "after %zu", i);
    return status;
}

static void test_nested(void) {
    static const char *const want[] = {"before 0", "note 1", "note 3", "after 0",
                                       "before 1", "note 1", "note 3", "after 1"};
    struct reckon *r = session_begin(4);
    CU_ASSERT(reckon_parallel(r, 2, outer_piece, r) == 0);
    for (size_t i = 0; i < 8; i++)
        CU_ASSERT_STRING_EQUAL(reckon_note_at(r, i), want[i]);
    session_end(r);
}

void suite_parallel(void) {
    CU_pSuite s = CU_add_suite("parallel", NULL, NULL);
    CU_add_test(s, "all done, notes in order", test_order);
    CU_add_test(s, "the first failure in order", test_failure);
    CU_add_test(s, "nothing to do", test_nothing);
    CU_add_test(s, "one inside the other", test_nested);
}
