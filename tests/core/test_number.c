/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers: what a cell may hold (the formats' general rules), a million random doubles there and back against
 * the C library, fixed decimals against printf, and medians.
 */
#include <float.h>
#include <locale.h>

#include <CUnit/CUnit.h>

#include "sandbox.h"

static double number(const char *s) {
    return reckon_number(s, strlen(s));
}

/* The same bits: tells 0 from -0. */
static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* A fixed sequence (xorshift64*, Vigna 2016). */
static uint64_t draw(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void test_numbers(void) {
    static const struct {
        const char *text;
        double x;
    } cases[] = {
        {"12", 12},
        {"5.", 5},
        {".5", 0.5},
        {"+1", 1},
        {" 1 ", 1},
        {"\t7\r\n", 7},
        {"-3", -3},
        {"0", 0},
        {"-0", -0.0},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"25e-1", 2.5},
        {"0.1", 0.1},
        {"1842.1", 1842.1},
        {"00012", 12},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"1e-22", 1e-22},
        {"0e999999", 0},
        {"1e-400", 0},
        {"-1e-400", -0.0},
        {"5e-324", 5e-324},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"1.7976931348623157e308", DBL_MAX},
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1 is a tie: the even one */
        {"9007199254740993.0000000000000000000000001", 9007199254740994.0}, /* just above the tie */
        {"18446744073709551616", 18446744073709551616.0}, /* 2^64: its digits do not fit 64 bits */
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"0.30000000000000004", 0.30000000000000004},
        {"0.000000000000000000000000000000000000001234", 1.234e-39},
        {"1786741765", 1786741765},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!same(number(cases[i].text), cases[i].x))
            CU_FAIL(cases[i].text);
}

static void test_not_numbers(void) {
    static const char *const cases[] = {
        "",      " ",        "0x10",  "nan",     "inf",  "-inf",
        "1e999", "-1e999",   "12abc", "lots",    ".",    "+",
        "-",     "e5",       ".e5",   "1e",      "1e+",  "1 2",
        "1,5",   "1_000",    "--1",   "+-1",     "1..2", "1.2.3",
        "1e5.0", "infinity", "0x",    "\u00a01", "1f",   "1e99999999999999999999999999"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!reckon_blank(number(cases[i])))
            CU_FAIL(cases[i]);
    CU_ASSERT(reckon_blank(reckon_number("1\0", 2))); /* a NUL is no digit either */
    CU_ASSERT(reckon_number("123", 2) == 12);         /* never past its end */
}

/* A number behind so many zeros after the point, times a power of ten. */
static double after_zeros(size_t zeros, const char *rest) {
    char *s = malloc(zeros + 64);
    memset(s, '0', zeros + 2);
    s[1] = '.';
    strcpy(s + zeros + 2, rest);
    double x = number(s);
    free(s);
    return x;
}

static void test_long_numbers(void) {
    CU_ASSERT(after_zeros(100000, "25e100001") == 2.5);
    /* ten times the zeros: far too large, whatever an exponent that is not read to its end would say */
    CU_ASSERT(reckon_blank(after_zeros(999, "1e10000")));
    CU_ASSERT(reckon_blank(after_zeros(9999, "1e100000")));
    CU_ASSERT(reckon_blank(after_zeros(99999, "1e1000000")));
    char s[5000];
    memset(s, '9', 4000);
    s[4000] = '\0';
    CU_ASSERT(reckon_blank(number(s)));
    strcpy(s + 4000, "e-4000");
    CU_ASSERT(number(s) == 1);
}

static void check_round_trip(double x) {
    char text[RECKON_NUMBER_SIZE], library[64];
    reckon_number_text(x, text);
    if (!same(strtod(text, NULL), x) || !same(number(text), x))
        CU_FAIL(text);
    snprintf(library, sizeof library, "%.17g", x);
    if (!same(number(library), x))
        CU_FAIL(library);
}

/* The significant digits of a text, without the zeros that only place the point. */
static size_t digits_of(const char *text) {
    size_t n = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '0')
            zeros += n > 0;
        else if (*text >= '1' && *text <= '9') {
            n += zeros + 1;
            zeros = 0;
        }
    }
    return n;
}

static bool is_shortest(double x) {
    char text[RECKON_NUMBER_SIZE], shorter[64];
    size_t digits = digits_of(reckon_number_text(x, text));
    if (digits < 2)
        return true;
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, x); /* the nearest with one digit less */
    return strtod(shorter, NULL) != x;
}

static void test_million(void) {
    uint64_t state = 20260801;
    for (int i = 0; i < 1000000; i++) {
        double x = from_bits(draw(&state));
        if (!isfinite(x))
            continue;
        check_round_trip(x);
        if (i % 16 == 0 && !is_shortest(x))
            CU_FAIL("longer than needed");
    }
}

/* Rates and percentages as runs really have them: what the fast paths are for. */
static void test_usual(void) {
    uint64_t state = 7;
    for (int i = 0; i < 300000; i++) {
        double x = (double)(draw(&state) >> 11) * 0x1p-53 * 1e6; /* many digits */
        check_round_trip(x);
        double short_one = floor(x) / 1000; /* few */
        check_round_trip(short_one);
        check_round_trip(-x / 1e9);
        if (!is_shortest(x) || !is_shortest(short_one) || !is_shortest(x / 1e7))
            CU_FAIL("longer than needed");
        char text[64];
        snprintf(text, sizeof text, "%.*f", i % 7, x);
        if (!same(number(text), strtod(text, NULL)))
            CU_FAIL(text);
    }
}

static void test_texts(void) {
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        {12, "12"},
        {0.1, "0.1"},
        {0, "0"},
        {-0.0, "-0"},
        {-2.5, "-2.5"},
        {100000, "100000"},
        {97656.25, "97656.25"},
        {1e300, "1e+300"},
        {5e-324, "5e-324"},
        {0.5, "0.5"},
        {0.25, "0.25"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1786741765, "1786741765"},
        {9007199254740993.0, "9007199254740992"},
        {5e-5, "5e-05"},
        {0.0001, "0.0001"},
        {999999999999999.9, "999999999999999.9"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {9.5, "9.5"},
        {9.99999999999999822, "9.999999999999998"},
    };
    char text[RECKON_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_STRING_EQUAL(reckon_number_text(cases[i].x, text), cases[i].text);
}

/* Against printf, which rounds the exact value, ties to even; only the sign of what rounds to zero is
 * dropped. */
static void check_fixed(double x, int decimals) {
    char text[FIXED_SIZE], library[FIXED_SIZE];
    size_t n = number_fixed(x, decimals, text);
    snprintf(library, sizeof library, "%.*f", decimals, x);
    const char *want = library;
    if (*want == '-' && !want[strspn(want, "-0.")])
        want++;
    if (n != strlen(text) || strcmp(text, want) != 0)
        CU_FAIL(library);
}

static void test_fixed(void) {
    static const double edges[] = {0,
                                   -0.0,
                                   0.5,
                                   1.5,
                                   2.5,
                                   -0.4,
                                   -0.5,
                                   0.125,
                                   0.375,
                                   0.0005,
                                   0.9995,
                                   999.9995,
                                   99.95,
                                   1e15,
                                   4503599627370496.5,
                                   9007199254740993.0,
                                   1e22,
                                   DBL_MAX,
                                   DBL_MIN,
                                   5e-324,
                                   1e-15};
    uint64_t state = 3;
    for (int decimals = 0; decimals <= 9; decimals++) {
        for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
            check_fixed(edges[i], decimals);
        for (int i = 0; i < 20000; i++) {
            uint64_t bits = draw(&state);
            double x = (double)(bits >> 11) * 0x1p-53;
            check_fixed(x * 1e5, decimals);
            check_fixed(-x, decimals);
            check_fixed(floor(x * 1e6) / 8, decimals); /* many exact ties */
            double any = from_bits(bits);
            if (isfinite(any))
                check_fixed(any, decimals);
        }
    }
    struct reckon *r = session_begin(0);
    CU_ASSERT_STRING_EQUAL(reckon_fixed(r, 2.675, 2), "2.67"); /* the double is below 2.675 */
    CU_ASSERT_STRING_EQUAL(reckon_fixed(r, 97.5, 0), "98");    /* a tie: the even one */
    CU_ASSERT_STRING_EQUAL(reckon_fixed(r, 96.5, 0), "96");
    CU_ASSERT_STRING_EQUAL(reckon_fixed(r, -0.04, 1), "0.0");
    CU_ASSERT_STRING_EQUAL(reckon_fixed(r, RECKON_BLANK, 3), "");
    session_end(r);
}

/* Where a locale with a decimal comma is installed, it must not matter; elsewhere this shows little. */
static void test_locale(void) {
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    for (size_t i = 0; i < sizeof commas / sizeof *commas && !setlocale(LC_NUMERIC, commas[i]); i++)
        ;
    char text[RECKON_NUMBER_SIZE], fixed[FIXED_SIZE];
    CU_ASSERT(number("1.5e300") == 1.5e300);
    CU_ASSERT(reckon_blank(number("1,5")));
    CU_ASSERT_STRING_EQUAL(reckon_number_text(1.5e300, text), "1.5e+300");
    number_fixed(0.0009765625, 10, fixed);
    CU_ASSERT_STRING_EQUAL(fixed, "0.0009765625");
    setlocale(LC_NUMERIC, "C");
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_median(void) {
    double one[] = {7}, two[] = {4, 1}, odd[] = {9, 1, 5}, even[] = {4, 1, 3, 2}, huge[] = {DBL_MAX, DBL_MAX};
    double blanks[] = {RECKON_BLANK, 3, RECKON_BLANK, 1, 2};
    CU_ASSERT(reckon_blank(reckon_median(NULL, 0)));
    CU_ASSERT(reckon_median(one, 1) == 7);
    CU_ASSERT(reckon_median(two, 2) == 2.5);
    CU_ASSERT(reckon_median(odd, 3) == 5);
    CU_ASSERT(reckon_median(even, 4) == 2.5);
    CU_ASSERT(reckon_median(huge, 2) == DBL_MAX);
    CU_ASSERT(reckon_median(blanks, 5) == 2);
    uint64_t state = 11;
    for (size_t n = 1; n < 300; n++) {
        double v[300], sorted[300];
        for (size_t i = 0; i < n; i++)
            v[i] = sorted[i] = (double)(draw(&state) % (n % 3 ? 5 : 1000)); /* many equal ones */
        qsort(sorted, n, sizeof *sorted, compare);
        double want = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        if (reckon_median(v, n) != want)
            CU_FAIL("not the middle");
    }
}

void suite_number(void) {
    CU_pSuite s = CU_add_suite("number", NULL, NULL);
    CU_add_test(s, "what a number is", test_numbers);
    CU_add_test(s, "what none is", test_not_numbers);
    CU_add_test(s, "numbers of many digits", test_long_numbers);
    CU_add_test(s, "a million doubles there and back", test_million);
    CU_add_test(s, "the numbers of runs there and back", test_usual);
    CU_add_test(s, "shortest texts", test_texts);
    CU_add_test(s, "fixed decimals", test_fixed);
    CU_add_test(s, "another locale's comma", test_locale);
    CU_add_test(s, "medians", test_median);
}
