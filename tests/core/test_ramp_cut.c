/* SPDX-License-Identifier: Apache-2.0
 *
 * Histories cut into steps, drawn as one line a host: a digit is the rate it is told in that interval, `m`
 * unpaced, `.` nothing sent. What comes out is drawn below it: the step of each interval, `-` where it is
 * left out. All follows from two rules: a change is left out from the first host's to the last host's, and
 * then each host's first interval.
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "../../core/ramp_cut.h"
#include "../reading.h"

#define INTERVAL 5.0 /* seconds */
#define HOSTS 3

struct line {
    const char *told, *step;
};

struct history {
    struct reading x;
    struct reckon_sink *sinks[HOSTS];
    size_t hosts;
    struct ramp_cut *cut;
};

static void draw_host(struct reckon_sink *s, const char *name, const char *told) {
    for (size_t i = 0; told[i]; i++) {
        struct reckon_sample sample;
        reckon_sample_init(&sample);
        sample.ts = 1000 + INTERVAL * (double)i;
        sample.host = name;
        sample.peer = "z";
        sample.figure[RECKON_SENT] = 1;
        if (told[i] != 'm')
            sample.figure[RECKON_DEMAND] = 1000.0 * (told[i] - '0');
        if (told[i] != '.')
            reckon_sink_sample(s, &sample);
    }
}

static void start(struct history *h, const struct line *lines) {
    static const char *const names[HOSTS] = {"a", "b", "c"};
    reading_start(&h->x);
    for (h->hosts = 0; h->hosts < HOSTS && lines[h->hosts].told; h->hosts++) {
        h->sinks[h->hosts] = sink_new(h->x.r, names[h->hosts]);
        draw_host(h->sinks[h->hosts], names[h->hosts], lines[h->hosts].told);
    }
    sinks_finish(h->sinks, h->hosts);
    h->cut = ramp_cut(h->x.r, h->sinks, h->hosts);
}

static void end(struct history *h) {
    ramp_cut_free(h->cut);
    for (size_t i = 0; i < h->hosts; i++)
        sink_free(h->sinks[i]);
    reading_end(&h->x);
}

/* The steps of a host's intervals, drawn. */
static void steps_of(const struct history *h, size_t host, char *out) {
    struct sample_cursor c;
    for (cursor_start(&c, h->sinks[host]); cursor_next(&c);) {
        size_t at = (size_t)((c.record.ts - 1000) / INTERVAL), step = ramp_cut_step(h->cut, &c.record);
        out[at] = step == NO_STEP ? '-' : (char)('0' + step);
    }
}

static void expect(const struct line *lines, size_t steps) {
    struct history h;
    start(&h, lines);
    CU_ASSERT_EQUAL(ramp_cut_steps(h.cut), steps);
    for (size_t i = 0; i < h.hosts; i++) {
        char got[64] = "";
        memset(got, '.', strlen(lines[i].told));
        steps_of(&h, i, got);
        CU_ASSERT_STRING_EQUAL(got, lines[i].step);
    }
    end(&h);
}
#define EXPECT(steps, ...) expect((const struct line[HOSTS + 1]){__VA_ARGS__}, steps)

static void waves(void) {
    EXPECT(2, {"111222", "-00-11"}, {"111222", "-00-11"});
    /* a changes at the fourth interval, b two later: the two between are left out, and then each one's first
     */
    EXPECT(2, {"11122222", "-00---11"}, {"11111222", "-00---11"});
    /* an interval of its own in a step is not left out when it is the only one */
    EXPECT(3, {"111233", "-001-2"});
}

static void one_silent(void) {
    EXPECT(3, {"1111222233333", "-000-111-2222"}, {"1111....33333", "-000....-2222"});
    /* back in the midst of a step, it is that step's last to change */
    EXPECT(3, {"1111222233333", "-000-111---22"}, {"1111......333", "-000......-22"});
    /* nobody changed meanwhile, and it asks for the same: no change */
    EXPECT(1, {"1111111111", "-000000000"}, {"111.....11", "-00.....00"});
    /* nobody changed meanwhile, but it asks for something else: its own first change */
    EXPECT(2, {"1111111111222", "-0000000---11"}, {"111.....22222", "-00.....---11"});
}

static void late_start(void) {
    EXPECT(2, {"1111222", "-000-11"}, {"..11222", "..-0-11"});
    EXPECT(3, {"111122223333", "-000---1-222"}, {"......223333", "......-1-222"});
}

static void all_silent(void) {
    EXPECT(2, {"111....111", "-00....-11"}, {"111....111", "-00....-11"});
    /* three intervals without a row are no more than that */
    EXPECT(1, {"111..111", "-00..000"}, {"111..111", "-00..000"});
    EXPECT(2, {"111....111", "-00....--1"}, {"111.....11", "-00.....-1"});
    /* who starts after the silence stands where the others are by then, not where the silence left them */
    EXPECT(3, {"111....111222", "-00....-11--2"}, {"111....111222", "-00....-11--2"},
           {"...........22", "...........-2"});
}

static void labels(void) {
    struct history h;
    start(&h, (const struct line[HOSTS + 1]){{"111mmm222", NULL}, {"111mmm333", NULL}});
    CU_ASSERT_EQUAL_FATAL(ramp_cut_steps(h.cut), 3);
    CU_ASSERT_STRING_EQUAL(ramp_cut_label(h.x.r, h.cut, 0), "1000 pps");
    CU_ASSERT_STRING_EQUAL(ramp_cut_label(h.x.r, h.cut, 1), "max");
    CU_ASSERT_STRING_EQUAL(ramp_cut_label(h.x.r, h.cut, 2), "2 rates");
    end(&h);
}

void suite_ramp_cut(void) {
    CU_pSuite s = CU_add_suite("ramp cut", NULL, NULL);
    CU_add_test(s, "a change that reaches the hosts in waves", waves);
    CU_add_test(s, "a host that is silent", one_silent);
    CU_add_test(s, "a host that starts late", late_start);
    CU_add_test(s, "a silence of the whole fleet", all_silent);
    CU_add_test(s, "labels", labels);
}
