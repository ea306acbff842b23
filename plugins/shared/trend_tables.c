/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a trend's tables, split by --split (trend_tables.h).
 */
#include "trend_tables.h"

#include <stdlib.h>
#include <string.h>

#define DAY 86400.0

/* The value of one attribute; NULL for none. */
static const char *attribute(const struct reckon_trend *t, size_t test, const char *wanted, size_t length) {
    const char *key, *value;
    for (size_t i = 0; reckon_trend_attribute(t, test, i, &key, &value); i++)
        if (strlen(key) == length && !memcmp(key, wanted, length))
            return value;
    return NULL;
}

static const char *part_of(struct reckon *r, const struct reckon_trend *t, size_t test) {
    const char *keys = reckon_option_text(r, "split"), *part = "";
    for (size_t n; *keys; keys += n + (keys[n] == ',')) {
        n = strcspn(keys, ",");
        const char *value = attribute(t, test, keys, n);
        if (value)
            part = reckon_text(r, "%s%s%.*s %s", part, *part ? ", " : "", (int)n, keys, value);
    }
    return part;
}

static int by_bytes(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Says which part every row belongs to, and lists the parts. */
static void split(struct reckon *r, const struct reckon_trend *t, struct trend_rows *all) {
    all->parts = reckon_alloc(r, (all->count + 1) * sizeof *all->parts);
    for (size_t i = 0; i < all->count; i++)
        all->parts[i] = all->rows[i].part = part_of(r, t, all->rows[i].test);
    if (all->count > 0)
        qsort(all->parts, all->count, sizeof *all->parts, by_bytes);
    for (size_t i = 0; i < all->count; i++)
        if (all->nparts == 0 || strcmp(all->parts[all->nparts - 1], all->parts[i]))
            all->parts[all->nparts++] = all->parts[i];
}

static struct trend_rows rows_for(struct reckon *r, size_t most) {
    return (struct trend_rows){.rows = reckon_alloc(r, (most + 1) * sizeof(struct trend_row))};
}

struct trend_rows trend_dashboard(struct reckon *r, const struct reckon_trend *t) {
    struct trend_rows all = rows_for(r, reckon_trend_tests(t));
    const size_t *order = trend_worst_first(r, t);
    for (; all.count < reckon_trend_tests(t); all.count++)
        all.rows[all.count].test = order[all.count];
    split(r, t, &all);
    return all;
}

struct trend_rows trend_failures(struct reckon *r, const struct reckon_trend *t) {
    struct trend_rows all = rows_for(r, reckon_trend_tests(t));
    for (int earlier = 0; earlier < 2; earlier++)
        for (size_t i = 0; i < reckon_trend_tests(t); i++) {
            struct reckon_trend_test test;
            reckon_trend_test(t, i, &test);
            bool last = test.result == RECKON_TREND_FAILED && test.runs > 0;
            if (earlier ? !last && test.recent_failures > 0 : last)
                all.rows[all.count++].test = i;
        }
    split(r, t, &all);
    return all;
}

struct trend_rows trend_recent(struct reckon *r, const struct reckon_trend *t) {
    double first, last;
    size_t count;
    reckon_trend_span(t, &first, &last);
    const struct trend_change *changes =
        trend_changes(r, t, RECKON_TREND_NORMAL, last - reckon_option_number(r, "days") * DAY, &count);
    struct trend_rows all = rows_for(r, count);
    for (; all.count < count; all.count++)
        all.rows[all.count] =
            (struct trend_row){.test = changes[all.count].test, .change = &changes[all.count]};
    split(r, t, &all);
    return all;
}
