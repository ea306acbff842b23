/* SPDX-License-Identifier: Apache-2.0
 *
 * What the outputs are made of: wrapped text and columns, the viewer's quoting, JSON values, the worst few,
 * the plot. Texts are worked by hand as the comments say.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../core/options.h"
#include "../../plugins/shared/json_common.h"
#include "../../plugins/shared/overlay_text.h"
#include "../../plugins/shared/report_text.h"
#include "../../plugins/shared/text_plot.h"
#include "../../plugins/shared/trimmed.h"
#include "../../plugins/shared/worst.h"

void suite_outputs(void);

/* A session without options, and a report that goes to a file. */
struct scratch {
    struct options options;
    struct reckon session;
    struct report to;
    char path[64];
};

static void start(struct scratch *s) {
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->session.lock, NULL);
    s->session.options = &s->options;
    strcpy(s->path, "test_outputs.XXXXXX");
    close(mkstemp(s->path));
    s->to = (struct report){&s->session, reckon_create(&s->session, s->path)};
    if (!s->to.w)
        abort();
}

/* What was written, exactly; and the end of the session. */
static bool wrote(struct scratch *s, const char *expected) {
    char text[4096];
    bool done = reckon_commit(s->to.w) == 0;
    FILE *f = fopen(s->path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    unlink(s->path);
    arena_free(&s->session.arena);
    bool same = done && !strcmp(text, expected);
    if (!same)
        fprintf(stderr, "expected:\n%s\nwritten:\n%s\n", expected, text);
    return same;
}

/* ---- text ---- */

static void wraps_words(void) {
    struct scratch s;
    start(&s);
    report_labelled(&s.to, "VERDICT", 11,
                    "The shortfall is on a host, not the fabric: b2 reaches 45% of what its hardware allows "
                    "(median of its "
                    "flows; limit r02 uplinks out) while the rest of r02 is at 98%.");
    report_labelled(&s.to, "EXPECTED", 13,
                    "30 of 30 flows compared; expected 4.69 Mpps, achieved 3.77 Mpps (80%); median host 98%");
    report_bullet(
        &s.to,
        "The fault is on b2 or its link, not the fabric: `why-slow --ssh b2` for the box, `during` around "
        "a rerun for what limited it, and `ethtool -S` on its NIC for errors and drops -- then the "
        "cable or optic.");
    CU_ASSERT(wrote(&s, "  VERDICT  The shortfall is on a host, not the fabric: b2 reaches 45% of what\n"
                        "           its hardware allows (median of its flows; limit r02 uplinks out)\n"
                        "           while the rest of r02 is at 98%.\n"
                        "  EXPECTED   30 of 30 flows compared; expected 4.69 Mpps, achieved 3.77 Mpps\n"
                        "             (80%); median host 98%\n"
                        "    * The fault is on b2 or its link, not the fabric: `why-slow --ssh b2` for\n"
                        "      the box, `during` around a rerun for what limited it, and `ethtool -S`\n"
                        "      on its NIC for errors and drops -- then the cable or optic.\n"));
}

/* 78 columns are used to the last: 72 letters after an indent of 6 fit, one more does not and stands alone.
 * Runs of blanks are one. */
static void wraps_at_78_columns(void) {
    char fits[200] = "a  ", over[200] = "a  ";
    struct scratch s;
    memset(fits + 3, 'x', 70);
    memset(over + 3, 'x', 71);
    strcat(fits, " b");
    strcat(over, " b");
    start(&s);
    report_bullet(&s.to, fits);
    report_bullet(&s.to, over);
    char expected[400], x[80] = "";
    memset(x, 'x', 71);
    snprintf(expected, sizeof expected, "    * a %.70s\n      b\n    * a\n      %.71s\n      b\n", x, x);
    /* 71 letters and " b" are 6 + 71 + 2 = 79 columns */
    CU_ASSERT(wrote(&s, expected));
}

/* Two characters of two columns each; a combining accent of none; an escape byte shown as four. */
static void keeps_columns_of_any_script(void) {
    struct scratch s;
    start(&s);
    report_left(&s.to, "日本", 6);
    report_left(&s.to, "e\xcc\x81", 3);
    report_right(&s.to, "\033x", 8);
    report_left(&s.to, "longer than that", 4);
    reckon_put(s.to.w, "|");
    CU_ASSERT(wrote(&s, "日本  e\xcc\x81     \\x1bxlonger than that|"));
}

/* Wide characters count twice when a line is filled: 6 + 34 × 2 = 74, and another word of 3 with its blank
 * is 78. */
static void wraps_wide_characters(void) {
    char text[300] = "", expected[400];
    struct scratch s;
    for (int i = 0; i < 34; i++)
        strcat(text, "本");
    snprintf(expected, sizeof expected, "    * %s abc\n      d\n", text);
    strcat(text, " abc d");
    start(&s);
    report_bullet(&s.to, text);
    CU_ASSERT(wrote(&s, expected));
}

static const char *letter(const void *user, size_t i) {
    return ((const char *const *)user)[i];
}

static void names_a_few(void) {
    static const char *const all[] = {"a", "b", "c", "d"};
    struct scratch s;
    start(&s);
    CU_ASSERT_STRING_EQUAL(report_names(&s.session, 4, 2, letter, all), "a, b and 2 more");
    CU_ASSERT_STRING_EQUAL(report_names(&s.session, 2, 2, letter, all), "a, b");
    CU_ASSERT_STRING_EQUAL(report_names(&s.session, 0, 2, letter, all), "");
    CU_ASSERT(wrote(&s, ""));
}

static void trims_figures(void) {
    struct scratch s;
    start(&s);
    CU_ASSERT_STRING_EQUAL(trimmed(&s.session, 10, 3), "10");
    CU_ASSERT_STRING_EQUAL(trimmed(&s.session, 100, 0), "100");
    CU_ASSERT_STRING_EQUAL(trimmed(&s.session, 2.5, 3), "2.5");
    CU_ASSERT_STRING_EQUAL(trimmed(&s.session, 0.0004, 3), "0");
    CU_ASSERT_STRING_EQUAL(trimmed(&s.session, RECKON_BLANK, 3), "");
    CU_ASSERT(wrote(&s, ""));
}

/* ---- the viewer's format ---- */

static void quotes_for_the_viewer(void) {
    struct scratch s;
    start(&s);
    CU_ASSERT_STRING_EQUAL(overlay_quote(&s.session, "plain"), "plain");
    CU_ASSERT_STRING_EQUAL(overlay_quote(&s.session, "r01 uplinks out"), "\"r01 uplinks out\"");
    CU_ASSERT_STRING_EQUAL(overlay_quote(&s.session, "a,b"), "\"a,b\"");
    CU_ASSERT_STRING_EQUAL(overlay_quote(&s.session, "a\"b\"c"), "\"a'b'c\"");
    CU_ASSERT_STRING_EQUAL(overlay_quote(&s.session, "a\tb\nc"), "a\\x09b\\x0ac");
    CU_ASSERT_STRING_EQUAL(overlay_quote(&s.session, "\xff"), "\\xff");
    CU_ASSERT(wrote(&s, ""));
}

static void samples_stay_on_their_line(void) {
    struct scratch s;
    start(&s);
    struct overlay o = {.r = &s.session, .w = s.to.w, .prefix = "hw_", .run = "\trun=\"tue night\""};
    overlay_comment(&o, "a\nb");
    overlay_sample(&o, "change", "ho\tst");
    reckon_put_fixed(o.w, -8, 1);
    overlay_key(&o, "layer", NULL);
    overlay_key(&o, "limit", "");
    overlay_key(&o, "peer", "a b");
    overlay_key_figure(&o, "then", 99, 1);
    overlay_key_figure(&o, "unknown", RECKON_BLANK, 1);
    overlay_end(&o);
    overlay_test(&o, &(struct overlay_test){"change", "unit=points\thigher=good", "Since the baseline"});
    CU_ASSERT(wrote(&s, "# a\\x0ab\n"
                        "hw_change\tho\\x09st\t-8.0\tpeer=\"a b\"\tthen=99.0\trun=\"tue night\"\n"
                        "!test\thw_change\tunit=points\thigher=good\tlabel=\"Since the baseline\"\n"));
}

/* ---- JSON ---- */

static void writes_json_values(void) {
    struct scratch s;
    struct json_document d;
    start(&s);
    json_begin(&d, &s.session, s.to.w);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "tenth", 0.1);
    json_number(o, "whole", 97656.25);
    json_number(o, "blank", RECKON_BLANK);
    json_number(o, "infinite", HUGE_VAL);
    json_whole(o, "ts", 1010.9);
    json_whole(o, "no_ts", RECKON_BLANK);
    json_bool(o, "yes", true);
    json_text(&s.session, o, "text", "q\" \\ \n \xc3\xa9 \xff");
    json_text(&s.session, o, "none", NULL);
    json_text(&s.session, o, "empty", "");
    json_word(&s.session, o, "no_word", "");
    json_value(&d, "o", o);
    json_open(&d, "list", '[');
    json_close(&d, ']');
    json_open(&d, "a\"b", '{');
    json_value(&d, "x", cJSON_CreateNull());
    json_value(&d, "y", cJSON_CreateNull());
    json_close(&d, '}');
    json_end(&d);
    CU_ASSERT(
        wrote(&s, "{\n\"o\": {\"tenth\":0.1,\"whole\":97656.25,\"blank\":null,\"infinite\":null,\"ts\":1010,"
                  "\"no_ts\":null,\"yes\":true,\"text\":\"q\\\" \\\\ \\n \xc3\xa9 \\\\xff\",\"none\":null,"
                  "\"empty\":\"\",\"no_word\":null},\n\"list\": [],\n\"a\\\"b\": {\n\"x\": null,\n\"y\": "
                  "null\n}\n}\n"));
}

/* A record is written anew with what was set last, and grows past its first buffer. */
static void writes_json_records(void) {
    static const char *const keys[] = {"name", "rate", "loss", NULL};
    struct scratch s;
    struct json_document d;
    char longer[3001], expected[3400];
    memset(longer, 'n', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    start(&s);
    json_begin(&d, &s.session, s.to.w);
    json_open(&d, "all", '[');
    struct json_record *record = json_record_new(keys);
    json_record_text(record, 0, "a1");
    json_record_number(record, 1, 1e300);
    json_record_put(&d, record);
    json_record_text(record, 0, longer);
    json_record_number(record, 1, RECKON_BLANK);
    json_record_number(record, 2, -0.25);
    json_record_put(&d, record);
    json_record_text(record, 0, NULL);
    json_record_put(&d, record);
    json_record_free(record);
    json_close(&d, ']');
    json_end(&d);
    snprintf(expected, sizeof expected,
             "{\n\"all\": "
             "[\n{\"name\":\"a1\",\"rate\":1e+300,\"loss\":null},\n{\"name\":\"%s\",\"rate\":null,\"loss\":-"
             "0.25},\n"
             "{\"name\":null,\"rate\":null,\"loss\":-0.25}\n]\n}\n",
             longer);
    CU_ASSERT(wrote(&s, expected));
}

/* ---- the worst few ---- */

static void keeps_the_worst(void) {
    static const double keys[] = {50, 10, (double)NAN, 30, 10, 90, 20, 30};
    struct scratch s;
    start(&s);
    struct worst few = worst_new(&s.session, 4, 8), all = worst_new(&s.session, 1e12, 8),
                 none = worst_new(&s.session, 0, 8);
    for (uint32_t i = 0; i < 8; i++) {
        worst_offer(&few, keys[i], i);
        worst_offer(&all, keys[i], i);
        worst_offer(&none, keys[i], i);
    }
    worst_sort(&few);
    worst_sort(&all);
    worst_sort(&none);
    CU_ASSERT_EQUAL_FATAL(few.count, 4); /* 10 (1), 10 (4), 20 (6), and of the two 30 the first (3) */
    CU_ASSERT_EQUAL(few.at[0].index, 1);
    CU_ASSERT_EQUAL(few.at[1].index, 4);
    CU_ASSERT_EQUAL(few.at[2].index, 6);
    CU_ASSERT_EQUAL(few.at[3].index, 3);
    CU_ASSERT_EQUAL_FATAL(all.count, 7); /* all but the blank */
    CU_ASSERT_EQUAL(all.at[4].index, 7);
    CU_ASSERT_EQUAL(all.at[6].index, 5);
    CU_ASSERT_EQUAL(none.count, 0);
    CU_ASSERT(wrote(&s, ""));
}

/* 0…100 in the order 0, 37, 74, 10…: 37 × 71 = 26 × 101 + 1, so key k is at 71 k modulo 101. */
static void keeps_the_worst_of_many(void) {
    struct scratch s;
    start(&s);
    struct worst w = worst_new(&s.session, 20, 101);
    for (uint32_t i = 0; i < 101; i++)
        worst_offer(&w, i * 37 % 101, i);
    worst_sort(&w);
    CU_ASSERT_EQUAL_FATAL(w.count, 20);
    for (uint32_t k = 0; k < 20; k++)
        CU_ASSERT_EQUAL(w.at[k].index, 71 * k % 101);
    CU_ASSERT(wrote(&s, ""));
}

/* ---- the plot ---- */

/* A ramp of five steps. The axis runs to 80 k over the 17 columns 0…17 left of the unpaced step's, so that
 * 20, 40, 60 and 80 k end in columns round(17 / 4) = 4, round(8.5) = 9, round(12.75) = 13 and 17; bars are
 * two wide. The height is what was asked at most, 80 k, over 7 rows of 8 eighths: 20 k is 14 eighths (1 row
 * and 6), 40 k 28 (3 and 4), 60 k 42 (5 and 2), 70 k 49 (6 and 1). In ASCII a row is : below half, # from
 * there up. */
static void plots_a_ramp(void) {
    static const struct plot_point points[] = {{20e3, 20e3, 20e3},
                                               {40e3, 40e3, 40e3},
                                               {60e3, 60e3, 60e3},
                                               {80e3, 70e3, 80e3},
                                               {(double)NAN, 70e3, (double)NAN}};
    static const char *const lines[PLOT_LINES] = {
        " 80.00 kpps |                ::  ::", "            |            ::  ##  ##",
        "            |            ##  ##  ##", "            |        ##  ##  ##  ##",
        "            |        ##  ##  ##  ##", "            |   ##   ##  ##  ##  ##",
        "          0 |   ##   ##  ##  ##  ##", "            +----------------------",
        "             0       80.00 kpps max",
    };
    struct scratch s;
    start(&s);
    CU_ASSERT_EQUAL(plot_widest(points, 5), 80e3);
    CU_ASSERT_EQUAL(plot_highest(points, 5), 80e3);
    struct plot p = plot_new(points, 5, "80.00 kpps", "80.00 kpps");
    for (int i = 0; i < PLOT_LINES; i++)
        CU_ASSERT_STRING_EQUAL(plot_line(&s.to, &p, i), lines[i]);
    CU_ASSERT(wrote(&s, ""));
}

/* Nothing measured, or all at one place: no bar, or one of full height; what was missed is faint. */
static void plots_little(void) {
    static const struct plot_point nothing[] = {{(double)NAN, (double)NAN, (double)NAN}}, one[] = {{5, 1, 2}};
    struct scratch s;
    start(&s);
    struct plot empty = plot_new(nothing, 1, "-", "-"), single = plot_new(one, 1, "2", "5");
    CU_ASSERT_STRING_EQUAL(plot_line(&s.to, &empty, 0), "          - |");
    CU_ASSERT_STRING_EQUAL(plot_line(&s.to, &single, 0), "          2 |                    ..");
    CU_ASSERT_STRING_EQUAL(plot_line(&s.to, &single, PLOT_ROWS - 1), "          0 |                    ##");
    CU_ASSERT(wrote(&s, ""));
}

/* Ends of bars: 10, 40, 70 and 100 in columns round(2.1), round(8.4), round(14.7) and 21. 56 eighths high, so
 * that y counts eighths: a bar of a tenth is still seen; a faint part shows from half a row up. */
static void plots_small_heights(void) {
    static const struct plot_point points[] = {
        {10, 0.1, (double)NAN}, {40, 8, 11}, {70, 8, 12}, {100, 56, 56}};
    struct scratch s;
    start(&s);
    struct plot p = plot_new(points, 4, "56", "100");
    CU_ASSERT_STRING_EQUAL(plot_line(&s.to, &p, PLOT_ROWS - 2), "            |              ..    ##");
    CU_ASSERT_STRING_EQUAL(plot_line(&s.to, &p, PLOT_ROWS - 1), "          0 | ::    ##     ##    ##");
    CU_ASSERT(wrote(&s, ""));
}

void suite_outputs(void) {
    CU_pSuite suite = CU_add_suite("outputs", NULL, NULL);
    CU_add_test(suite, "text wraps between words", wraps_words);
    CU_add_test(suite, "text wraps at 78 columns", wraps_at_78_columns);
    CU_add_test(suite, "wide characters wrap", wraps_wide_characters);
    CU_add_test(suite, "columns hold in any script", keeps_columns_of_any_script);
    CU_add_test(suite, "a few of many names", names_a_few);
    CU_add_test(suite, "figures without zeros", trims_figures);
    CU_add_test(suite, "overlay quoting", quotes_for_the_viewer);
    CU_add_test(suite, "overlay samples keep to one line", samples_stay_on_their_line);
    CU_add_test(suite, "JSON values", writes_json_values);
    CU_add_test(suite, "JSON records", writes_json_records);
    CU_add_test(suite, "the worst few", keeps_the_worst);
    CU_add_test(suite, "the worst of many", keeps_the_worst_of_many);
    CU_add_test(suite, "the plot of a ramp of five steps", plots_a_ramp);
    CU_add_test(suite, "a plot of little", plots_little);
    CU_add_test(suite, "small heights in a plot", plots_small_heights);
}
