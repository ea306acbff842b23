/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the graphs of a trend go: their directory and one file name per test (trend_graph.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "trend_graph.h"

#define NAME 120 /* bytes of a test's name that are kept */

const char *trend_directory(struct reckon *r, const char *option) {
    const char *path = reckon_output_path(r);
    struct stat st;
    if (!path) {
        reckon_error(r, NULL, 0, "--%s needs a directory to write to", option);
        return NULL;
    }
    if (mkdir(path, 0777) && errno != EEXIST) {
        reckon_error(r, path, 0, "cannot be made: %s", strerror(errno));
        return NULL;
    }
    if (stat(path, &st) || !S_ISDIR(st.st_mode)) {
        reckon_error(r, path, 0, "is no directory");
        return NULL;
    }
    return path;
}

/* Only what every file system and URL takes as it is. */
static const char *slug(struct reckon *r, const char *name) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
    char *text = reckon_strndup(r, name, strnlen(name, NAME));
    for (char *c = text; *(c += strspn(c, plain));)
        *c = '_';
    if (*text == '.') /* no hidden files */
        *text = '_';
    return strcasecmp(text, "index") ? text : "index_"; /* the page of all tests has that name */
}

struct named {
    const char *text;
    size_t test;
};

static int by_text(const void *left, const void *right) {
    const struct named *a = left, *b = right;
    int by = strcasecmp(a->text, b->text);
    return by ? by : a->test < b->test ? -1 : a->test > b->test;
}

const char **trend_file_names(struct reckon *r, const struct reckon_trend *t) {
    size_t n = reckon_trend_tests(t), same = 1;
    const char **names = reckon_alloc(r, (n + 1) * sizeof *names);
    struct named *all = reckon_resize(NULL, n, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        struct reckon_trend_test test;
        reckon_trend_test(t, i, &test);
        all[i] = (struct named){slug(r, test.name), i};
    }
    if (n > 0)
        qsort(all, n, sizeof *all, by_text);
    for (size_t i = 0; i < n; i++) {
        same = i > 0 && !strcasecmp(all[i].text, all[i - 1].text) ? same + 1 : 1;
        names[all[i].test] = same > 1 ? reckon_text(r, "%s~%zu", all[i].text, same) : all[i].text;
    }
    free(all);
    return names;
}
