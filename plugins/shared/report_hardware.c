/* SPDX-License-Identifier: Apache-2.0
 *
 * The HARDWARE lines (report_hardware.h).
 */
#include "report_hardware.h"

#include <stdlib.h>
#include <string.h>

#include "trimmed.h"

#define KINDS 4 /* different speeds, or uplinks, that are told one by one */

/* A speed, or uplinks of a speed; how many have it. */
struct kind {
    double speed, uplinks;
    uint32_t count;
};

static int by_speed(const void *pa, const void *pb) {
    const struct kind *a = pa, *b = pb;
    int order = (a->speed > b->speed) - (a->speed < b->speed);
    return order ? order : (a->uplinks > b->uplinks) - (a->uplinks < b->uplinks);
}

/* Sorts n of them and puts equal ones together; returns how many are different. */
static size_t tally(struct kind *kinds, size_t n) {
    size_t different = 0;
    qsort(kinds, n, sizeof *kinds, by_speed);
    for (size_t i = 0; i < n; i++) {
        if (different && !by_speed(&kinds[different - 1], &kinds[i]))
            kinds[different - 1].count++;
        else
            kinds[different++] = kinds[i];
    }
    return different;
}

static const char *join(struct reckon *r, const char *list, const char *item) {
    return *list ? reckon_text(r, "%s, %s", list, item) : item;
}

static const char *others(struct reckon *r, const char *list, size_t different) {
    return different > KINDS ? reckon_text(r, "%s and %zu other speeds", list, different - KINDS) : list;
}

/* ---- hosts ---- */

static const char *speeds(struct reckon *r, const struct reckon_comparison *c) {
    uint32_t n = reckon_host_count(c), known = 0;
    struct kind *kinds = reckon_resize(NULL, n + 1u, sizeof *kinds);
    for (uint32_t h = 0; h < n; h++)
        if (!reckon_blank(reckon_host_nic_gbps(c, h)))
            kinds[known++] = (struct kind){.speed = reckon_host_nic_gbps(c, h), .count = 1};
    size_t different = tally(kinds, known);
    const char *list = "";
    for (size_t i = 0; i < different && i < KINDS; i++) {
        const char *gbps = trimmed(r, kinds[i].speed, 3);
        list = join(r, list,
                    i ? reckon_text(r, "%u at %s Gb/s", kinds[i].count, gbps)
                      : reckon_text(r, "%s at %s Gb/s", reckon_count(r, kinds[i].count, "host"), gbps));
    }
    free(kinds);
    list = others(r, list, different);
    if (known == n)
        return list;
    return join(r, list,
                known ? reckon_text(r, "%u without a NIC speed", n - known)
                      : reckon_text(r, "%s without a NIC speed", reckon_count(r, n, "host")));
}

static const char *sources(struct reckon *r, const struct reckon_comparison *c) {
    static const struct {
        const char *word, *said;
    } source[] = {{"layout", "from the layout"}, {"measured", "measured"}, {"flag", "from --nic-gbps"}};
    const char *list = "";
    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        uint32_t n = 0;
        for (uint32_t h = 0; h < reckon_host_count(c); h++) {
            const char *word = reckon_host_nic_source(c, h);
            n += word && !strcmp(word, source[i].word);
        }
        if (n)
            list = join(r, list, reckon_text(r, "%u %s", n, source[i].said));
    }
    return *list ? reckon_text(r, ": NIC speed %s", list) : "";
}

/* ---- groups ---- */

static const char *uplinks(struct reckon *r, const struct kind *kinds, size_t different) {
    const char *list = "";
    for (size_t i = 0; i < different && i < KINDS; i++) {
        const char *one =
            reckon_text(r, "%s x %s Gb/s", trimmed(r, kinds[i].uplinks, 3), trimmed(r, kinds[i].speed, 3));
        list = join(r, list, different > 1 ? reckon_text(r, "%u of %s", kinds[i].count, one) : one);
    }
    return others(r, list, different);
}

/* "3 racks: 3 declare uplinks (1 x 10 Gb/s)"; NULL when the run has none of that kind. */
static const char *groups(struct reckon *r, const struct reckon_comparison *c, uint32_t tier) {
    uint32_t n = 0, declared = 0;
    struct kind *kinds = reckon_resize(NULL, reckon_group_count(c) + 1u, sizeof *kinds);
    for (uint32_t g = 0; g < reckon_group_count(c); g++) {
        if (reckon_group_tier(c, g) != tier)
            continue;
        n++;
        if (!reckon_blank(reckon_group_uplinks(c, g)))
            kinds[declared++] = (struct kind){reckon_group_uplink_gbps(c, g), reckon_group_uplinks(c, g), 1};
    }
    const char *count = reckon_count(r, n, reckon_tier_kind(c, tier)), *text = NULL;
    if (n && !declared)
        text = reckon_text(r, "%s: none declares uplinks", count);
    else if (n)
        text = reckon_text(r, "%s: %u %s uplinks (%s)", count, declared,
                           declared == 1 ? "declares" : "declare", uplinks(r, kinds, tally(kinds, declared)));
    free(kinds);
    return text;
}

void report_hardware(const struct report *to, const struct reckon_comparison *c) {
    report_labelled(to, "HARDWARE", REPORT_FACTS,
                    reckon_text(to->r, "%s%s", speeds(to->r, c), sources(to->r, c)));
    for (uint32_t tier = 0; tier < reckon_tier_count(c); tier++) {
        const char *text = groups(to->r, c, tier);
        if (text)
            report_labelled(to, "", REPORT_FACTS, text);
    }
}

/* ---- a host's row ---- */

void report_host_limit(const struct report *to, const struct reckon_comparison *c, uint32_t h) {
    enum reckon_limit limit = reckon_host_limit(c, h);
    const char *text =
        limit == RECKON_LIMIT_NONE ? "-" : reckon_limit_text(to->r, c, limit, reckon_host_limit_link(c, h));
    report_blanks(to, 2);
    report_left(to, text, 0);
    reckon_put(to->w, "\n");
}
