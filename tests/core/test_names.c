/* SPDX-License-Identifier: Apache-2.0
 *
 * Interning and arenas: numbers in order of first appearance, texts that stay where they are.
 */
#include <CUnit/CUnit.h>

#include "sandbox.h"

static uint32_t add(struct names *n, const char *s) {
    return names_add(n, s, strlen(s));
}

static void test_numbers(void) {
    struct names n = {0};
    CU_ASSERT(names_find(&n, "a", 1) == RECKON_NONE);
    CU_ASSERT(add(&n, "a") == 0);
    CU_ASSERT(add(&n, "b") == 1);
    CU_ASSERT(add(&n, "a") == 0);
    CU_ASSERT(add(&n, "") == 2);
    CU_ASSERT(names_add(&n, "abc", 2) == 3); /* only its first two bytes */
    CU_ASSERT_STRING_EQUAL(n.text[3], "ab");
    CU_ASSERT(n.count == 4);
    CU_ASSERT(names_find(&n, "ab", 2) == 3);
    CU_ASSERT(names_find(&n, "abc", 3) == RECKON_NONE);
    CU_ASSERT(names_find(&n, "", 0) == 2);
    names_free(&n);
    CU_ASSERT(n.count == 0 && names_find(&n, "a", 1) == RECKON_NONE);
    names_free(&n);
}

/* What differs only in length, in zeros at the end, in case, or past the eighth byte is another name. */
static void test_alike(void) {
    static const struct {
        const char *s;
        size_t n;
    } cases[] = {{"", 0},
                 {"\0", 1},
                 {"\0\0", 2},
                 {"a", 1},
                 {"a\0", 2},
                 {"A", 1},
                 {"12345678", 8},
                 {"12345678\0", 9},
                 {"123456789", 9},
                 {"1234567812345678", 16},
                 {"12345678123456789", 17},
                 {"123456780", 9},
                 {"12345670", 8}};
    struct names n = {0};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT(names_add(&n, cases[i].s, cases[i].n) == i);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT(names_find(&n, cases[i].s, cases[i].n) == i);
    names_free(&n);
}

static void test_many(void) {
    struct names n = {0};
    char name[32];
    const char *first = NULL;
    for (uint32_t i = 0; i < 200000; i++) {
        snprintf(name, sizeof name, "r%03uu%02u.example", i / 100, i % 100);
        if (add(&n, name) != i)
            CU_FAIL("not a new number");
        first = first ? first : n.text[0];
    }
    for (uint32_t i = 0; i < 200000; i++) {
        snprintf(name, sizeof name, "r%03uu%02u.example", i / 100, i % 100);
        if (names_find(&n, name, strlen(name)) != i || strcmp(n.text[i], name) != 0)
            CU_FAIL("not found");
    }
    CU_ASSERT_PTR_EQUAL(n.text[0], first); /* texts do not move */
    names_free(&n);
}

static void test_arena(void) {
    struct arena a = {0};
    char *kept[2000];
    for (size_t i = 0; i < 2000; i++) {
        size_t size = i * i % 5000 + (i % 500 == 0 ? 3000000 : 0);
        kept[i] = arena_alloc(&a, size);
        CU_ASSERT((uintptr_t)kept[i] % 16 == 0);
        for (size_t k = 0; k < size; k += 97)
            if (kept[i][k])
                CU_FAIL("not zeroed");
        memset(kept[i], (int)(i % 100 + 1), size);
    }
    for (size_t i = 0; i < 2000; i++) {
        size_t size = i * i % 5000;
        if (size && (kept[i][0] != (char)(i % 100 + 1) || kept[i][size - 1] != (char)(i % 100 + 1)))
            CU_FAIL("overwritten");
    }
    CU_ASSERT(a.total > 4 * 3000000 &&
              a.total < 25000000); /* 2000 × 2.5 kB, four large ones, and little waste */
    CU_ASSERT_STRING_EQUAL(arena_strndup(&a, "abc", 2), "ab");
    CU_ASSERT_STRING_EQUAL(arena_strndup(&a, "abc", 9), "abc");
    arena_free(&a);
    CU_ASSERT(a.total == 0);
    struct arena small = {0};
    arena_alloc(&small, 10);
    CU_ASSERT(small.total < 2048); /* one for each of 100,000 files must cost little */
    arena_free(&small);
}

void suite_names(void) {
    CU_pSuite s = CU_add_suite("names", NULL, NULL);
    CU_add_test(s, "numbers in order of appearance", test_numbers);
    CU_add_test(s, "names that are nearly alike", test_alike);
    CU_add_test(s, "many names", test_many);
    CU_add_test(s, "arenas", test_arena);
}
