/* SPDX-License-Identifier: Apache-2.0
 *
 * --svg DIR for a trend: one picture per test.
 */
#include "../shared/trend_graph.h"

static int write_svg(struct reckon *r, const void *subject, struct reckon_writer *none) {
    const struct reckon_trend *t = subject;
    const char *directory = trend_directory(r, "svg");
    (void)none;
    if (!directory)
        return -1;
    const char **names = trend_file_names(r, t);
    for (size_t i = 0; i < reckon_trend_tests(t); i++) {
        struct reckon_writer *w = reckon_create(r, reckon_text(r, "%s/%s.svg", directory, names[i]));
        if (!w)
            return -1;
        trend_put_graph(r, w, t, i, false);
        if (reckon_commit(w))
            return -1;
        reckon_progress(r, "graphs", (double)(i + 1) / (double)reckon_trend_tests(t));
    }
    return 0;
}

RECKON_PLUGIN(output, trend_svg) = {
    .name = "trend_svg",
    .summary = "one picture per test, in a directory",
    .output = {.on = "trend", .option = "svg", .directory = true, .write = write_svg},
};
