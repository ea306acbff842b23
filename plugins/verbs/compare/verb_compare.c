/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon compare --parent PATH... --current PATH...`: did this change make it slower? Ends with 20 when a
 * test failed or regressed, so that a job can stand on it.
 */
#include "../trend/trend_options.h"
#include "builds.h"

#include <stdio.h>

#define REGRESSED 20

static int read_side(struct reckon *r, const char *option, struct trend_history *h) {
    size_t count = reckon_option_count(r, option);
    if (count == 0)
        return reckon_error(r, NULL, 0, "compare needs both --parent PATH... and --current PATH...");
    const char **paths = reckon_alloc(r, count * sizeof *paths);
    for (size_t i = 0; i < count; i++)
        paths[i] = reckon_option_at(r, option, i);
    return trend_read(r, paths, count, h);
}

static int status_of(const struct builds *b) {
    for (size_t i = 0; i < b->count; i++)
        if (b->tests[i].result == RECKON_TREND_REGRESSION || b->tests[i].result == RECKON_TREND_FAILED)
            return REGRESSED;
    if (b->count == 0)
        fprintf(stderr, "reckon: no test is in both builds\n");
    return b->count == 0;
}

static int compare(struct reckon *r, struct trend_history *parent, struct trend_history *current) {
    double unit = reckon_option_number(r, "unit");
    struct trend_options options = {.bits = reckon_option_number(r, "bits"),
                                    .unit = reckon_blank(unit) ? 0 : unit,
                                    .lower_is_better = reckon_flag(r, "lower-is-better")};
    struct builds b;
    int rc = builds_compare(r, &b, parent, current, &options);
    if (!rc)
        rc = reckon_evaluate(r, "compare", &b.base);
    if (!rc)
        rc = reckon_write_outputs(r, "compare", &b.base);
    if (!rc)
        rc = status_of(&b);
    builds_free(&b);
    return rc;
}

static int compare_main(struct reckon *r) {
    struct trend_history parent, current;
    if (reckon_argument(r, 0))
        return reckon_error(r, NULL, 0,
                            "compare takes no plain argument: say --parent PATH... and --current PATH...");
    if (reckon_check_outputs(r))
        return -1;
    trend_history_init(&parent);
    trend_history_init(&current);
    int rc = read_side(r, "parent", &parent);
    if (!rc)
        rc = read_side(r, "current", &current);
    if (!rc)
        rc = compare(r, &parent, &current);
    trend_history_free(&parent);
    trend_history_free(&current);
    return rc;
}

RECKON_PLUGIN(verb, compare) = {
    .name = "compare",
    .summary = "whether one build is slower than the one before",
    .options =
        (const struct reckon_option[]){
            {.name = "parent",
             .type = RECKON_PATHS,
             .value_name = "PATH...",
             .group = "inputs",
             .help = "trials of the build before the change"},
            {.name = "current",
             .type = RECKON_PATHS,
             .value_name = "PATH...",
             .group = "inputs",
             .help = "trials of the build with the change"},
            TREND_CODING_OPTIONS,
            {.type = RECKON_OPTION_END},
        },
    .verb = {.usage = "reckon compare --parent PATH... --current PATH... [options]",
             .subject = "compare",
             .subject_version = RECKON_TREND_VERSION,
             .main = compare_main},
};
