/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs every unit test, or the suites named on the command line. tests/suites.h is made from the list in tests/tests.am.
 */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#define SUITE(name) void suite_##name(void);
#include "suites.h"
#undef SUITE

static const struct {
    const char *name;
    void (*add)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.h"
#undef SUITE
};

static int wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return 1;
    return argc < 2;
}

int main(int argc, char **argv) {
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (wanted(suites[i].name, argc, argv))
            suites[i].add();
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
