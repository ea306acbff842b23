/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for people: hostile names, their width, and the units of the report.
 */
#include <locale.h>

#include <CUnit/CUnit.h>

#include "sandbox.h"

static struct reckon *r;

static int begin(void) {
    r = session_begin(0);
    return 0;
}

static int end(void) {
    session_end(r);
    return 0;
}

static void test_printable(void) {
    const char *plain = "wr01r03u05 Grüße 東京 שלום \xf0\x9f\x98\x80";
    CU_ASSERT_PTR_EQUAL(reckon_printable(r, plain), plain);
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, ""), "");
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, "a\x1b[31mb"), "a\\x1b[31mb");
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, "a\nb\tc\x7f\x01"), "a\\x0ab\\x09c\\x7f\\x01");
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, "\xff\xfe"), "\\xff\\xfe");
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, "caf\xe9"), "caf\\xe9"); /* Latin-1 */
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, "\xc2\x9b"
                                               "31m"),
                           "\\xc2\\x9b31m"); /* CSI in one character */
    CU_ASSERT_STRING_EQUAL(reckon_printable(r, "a\xe2\x80\xae"
                                               "b"),
                           "a\\xe2\\x80\\xae"
                           "b"); /* right-to-left override */
}

static void test_utf8(void) {
    const char *controls = "a\x1b\n";
    CU_ASSERT_PTR_EQUAL(reckon_utf8(r, controls), controls); /* JSON escapes them itself */
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"\xc3", "\\xc3"},          /* cut off */
        {"\xe2\x82", "\\xe2\\x82"}, /* cut off, two bytes */
        {"\xe2\x82z", "\\xe2\\x82z"},
        {"\xc0\xaf", "\\xc0\\xaf"}, /* overlong '/' */
        {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
        {"\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* half a surrogate pair */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* past U+10FFFF */
        {"\x80", "\\x80"},
        {"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
        {"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\xc2\x80", NULL}, /* the edges of what is allowed */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_STRING_EQUAL(reckon_utf8(r, cases[i].bytes),
                               cases[i].text ? cases[i].text : cases[i].bytes);
}

static const struct {
    const char *text;
    size_t columns;
} widths[] = {
    {"", 0},
    {"host01", 6},
    {"Grüße", 5},
    {"東京", 4},
    {"서울", 4},
    {"ｗｉｄｅ", 8},
    {"שלום", 4},
    {"e\xcc\x81", 1},        /* e and a combining accent */
    {"\xf0\x9f\x98\x80", 2}, /* a face */
    {"a\xe2\x80\x8d"
     "b",
     2}, /* a zero-width joiner */
    {"a\x1b[31m", 9},
    {"caf\xe9", 7},
    {"\xc2\x9b", 8},
    {"\n\t", 8}, /* as wide as \xNN, which is shown instead */
};

static void expect_widths(void) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (reckon_columns(widths[i].text) != widths[i].columns)
            CU_FAIL(widths[i].text);
}

static void test_columns(void) {
    expect_widths();
    setlocale(LC_ALL, "C.UTF-8");
    expect_widths();
    setlocale(LC_ALL, "C");
    expect_widths();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) /* where no UTF-8 locale is installed */
        if (text_columns(widths[i].text, false) != widths[i].columns)
            CU_FAIL(widths[i].text);
}

static void test_rates(void) {
    static const struct {
        double rate;
        const char *unit, *text;
    } cases[] = {
        {640, "pps", "640 pps"},           {2e6, "pps", "2.00 Mpps"},
        {97656.25, "pps", "97.66 kpps"},   {999, "pps", "999 pps"},
        {1000, "pps", "1.00 kpps"},        {4690000, "pps", "4.69 Mpps"},
        {1.5e9, "pps", "1.50 Gpps"},       {0, "pps", "0 pps"},
        {640, "Mb/s", "640 Mb/s"},         {1250, "Mb/s", "1.25 Gb/s"},
        {23500, "Mb/s", "23.50 Gb/s"},     {999.4, "Mb/s", "999 Mb/s"},
        {RECKON_BLANK, "pps", "-"},        {RECKON_BLANK, "Mb/s", "-"},
        {12345.6, "msg/s", "12346 msg/s"}, {-2500, "pps", "-2.50 kpps"},
        {2.5e13, "pps", "25000.00 Gpps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_STRING_EQUAL(reckon_rate(r, cases[i].rate, cases[i].unit), cases[i].text);
}

static void test_times(void) {
    CU_ASSERT_STRING_EQUAL(reckon_time(r, 44), "44 us");
    CU_ASSERT_STRING_EQUAL(reckon_time(r, 44.4), "44 us");
    CU_ASSERT_STRING_EQUAL(reckon_time(r, 12300), "12.30 ms");
    CU_ASSERT_STRING_EQUAL(reckon_time(r, 1000), "1.00 ms");
    CU_ASSERT_STRING_EQUAL(reckon_time(r, 0), "0 us");
    CU_ASSERT_STRING_EQUAL(reckon_time(r, RECKON_BLANK), "-");
    CU_ASSERT_STRING_EQUAL(reckon_percent(r, 97.6), "98%");
    CU_ASSERT_STRING_EQUAL(reckon_percent(r, 0), "0%");
    CU_ASSERT_STRING_EQUAL(reckon_percent(r, RECKON_BLANK), "-");
}

/* In the year 2023; seconds have less than 12 digits until the year 5138. */
static void test_time_units(void) {
    double per_second = 0;
    CU_ASSERT_PTR_NULL(reckon_time_unit(1700000000, &per_second));
    CU_ASSERT_PTR_NULL(reckon_time_unit(99999999999.0, &per_second));
    CU_ASSERT_PTR_NULL(reckon_time_unit(RECKON_BLANK, &per_second));
    CU_ASSERT_EQUAL(per_second, 0);
    CU_ASSERT_STRING_EQUAL(reckon_time_unit(1700000000e3, &per_second), "milliseconds");
    CU_ASSERT_EQUAL(per_second, 1e3);
    CU_ASSERT_STRING_EQUAL(reckon_time_unit(1700000000e6, &per_second), "microseconds");
    CU_ASSERT_EQUAL(per_second, 1e6);
    CU_ASSERT_STRING_EQUAL(reckon_time_unit(1700000000e9, NULL), "nanoseconds");
}

static void test_counts(void) {
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 1, "rack"), "1 rack");
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 2, "rack"), "2 racks");
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 0, "host"), "0 hosts");
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 3, "box"), "3 boxes");
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 3, "bus"), "3 buses");
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 1, "switch"), "1 switch");
    CU_ASSERT_STRING_EQUAL(reckon_count(r, 2, "switch"), "2 switches");
}

void suite_text(void) {
    CU_pSuite s = CU_add_suite("text", begin, end);
    CU_add_test(s, "names on a terminal", test_printable);
    CU_add_test(s, "names in JSON", test_utf8);
    CU_add_test(s, "columns", test_columns);
    CU_add_test(s, "rates", test_rates);
    CU_add_test(s, "times and shares", test_times);
    CU_add_test(s, "units of time", test_time_units);
    CU_add_test(s, "counts", test_counts);
}
