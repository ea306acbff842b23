/* SPDX-License-Identifier: Apache-2.0
 *
 * The paths a file had before it is traced anew: found by tuple and leg, the last of several; no file and
 * another table have none.
 */
#include <CUnit/CUnit.h>
#include <unistd.h>

#include "../../plugins/verbs/paths/before.h"
#include "../scratch.h"

void suite_paths(void);

static struct scratch scratch;

static int read_text(struct before *b, const char *text) {
    const char *path = scratch_file(&scratch, text);
    int rc = before_read(b, &scratch.session, path);
    unlink(path);
    return rc;
}

static void legs(void) {
    struct before b;
    scratch_start(&scratch);
    CU_ASSERT_EQUAL_FATAL(read_text(&b, "tuple,leg,links\n"
                                        "a:1>b:2,probe,h1/0>t1 t1>h2/0\n"
                                        "a:1>b:2,ack,h2/0>t1 t1>h1/0\n"
                                        "a:2>b:2,probe,\n"
                                        "a:2>b:2,sideways,x>y\n"
                                        "a:1>b:2,probe,h1/0>t9 t9>h2/0\n"),
                          0);
    CU_ASSERT_STRING_EQUAL(before_links(&b, "a:1>b:2", false), "h1/0>t9 t9>h2/0");
    CU_ASSERT_STRING_EQUAL(before_links(&b, "a:1>b:2", true), "h2/0>t1 t1>h1/0");
    CU_ASSERT_PTR_NULL(before_links(&b, "a:2>b:2", false));
    CU_ASSERT_PTR_NULL(before_links(&b, "a:2>b:2", true));
    CU_ASSERT_PTR_NULL(before_links(&b, "", false));
    before_free(&b);
    scratch_end(&scratch);
}

static void no_file(void) {
    struct before b;
    scratch_start(&scratch);
    static const char *const none[] = {NULL, "/tmp/reckon-no-such-file", "/dev/null"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        CU_ASSERT_EQUAL(before_read(&b, &scratch.session, none[i]), 0);
        CU_ASSERT_PTR_NULL(before_links(&b, "a:1>b:2", false));
        before_free(&b);
    }
    CU_ASSERT_EQUAL(read_text(&b, ""), 0);
    before_free(&b);
    CU_ASSERT_EQUAL(read_text(&b, "ts,value\n1,2\n"), 0);
    CU_ASSERT_PTR_NULL(before_links(&b, "1", false));
    before_free(&b);
    scratch_end(&scratch);
}

void suite_paths(void) {
    CU_pSuite s = CU_add_suite("paths", NULL, NULL);
    CU_add_test(s, "legs of before", legs);
    CU_add_test(s, "no file", no_file);
}
