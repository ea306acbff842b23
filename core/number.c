/* SPDX-License-Identifier: Apache-2.0
 *
 * Decimal text to doubles and back: correctly rounded both ways, the same in every locale, and fast for what
 * files really hold. What the exact fast paths cannot do, the C library does in the "C" locale.
 */
#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

#define MANTISSA_BITS 52
#define EXACT_DIGITS 19 /* a decimal number of 19 digits fits 64 bits */
#define EXACT_POWER 22  /* 10^22 is the largest power of ten that is a double */
#define EXACT_WHOLE (UINT64_C(1) << 53)

static const double power_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Makes this thread's locale "C", which the library keeps ready; returns what it was, for uselocale(). */
static locale_t plain_locale(void) {
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

/* ---- reading ---- */

/* A number as written: digits × 10^power. `digits` is whole only while `count` stays within EXACT_DIGITS. */
struct decimal {
    uint64_t digits;
    size_t count; /* significant digits */
    int64_t power;
    bool negative;
};

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* Takes the digits at s into d; returns the first byte that is none. */
static inline const char *take_digits(struct decimal *d, const char *s, const char *end) {
    if (!d->count)
        while (s < end && *s == '0')
            s++;
    const char *first = s;
    uint64_t digits = d->digits;
    for (; s < end && is_digit(*s); s++)
        digits = digits * 10 + (uint64_t)(*s - '0');
    d->digits = digits;
    d->count += (size_t)(s - first);
    return s;
}

/* Reads the exponent, which a file may write with a million digits. False when it does not reach the end. */
static bool read_exponent(const char *s, const char *end, int64_t *exponent) {
    bool negative = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+'))
        s++;
    const char *first = s;
    int64_t power = 0;
    for (; s < end && is_digit(*s); s++)
        if (power < INT64_MAX / 100)
            power = power * 10 + (*s - '0');
    *exponent = negative ? -power : power;
    return s > first && s == end;
}

/* Whether s…end is a decimal number and nothing else. */
static inline bool parse(struct decimal *d, const char *s, const char *end) {
    d->negative = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+'))
        s++;
    const char *whole = s;
    s = take_digits(d, s, end);
    bool any = s > whole;
    if (s < end && *s == '.') {
        const char *fraction = ++s;
        s = take_digits(d, s, end);
        any = any || s > fraction;
        d->power = -(int64_t)(s - fraction);
    }
    if (s == end || !any)
        return any;
    int64_t exponent;
    if ((*s != 'e' && *s != 'E') || !read_exponent(s + 1, end, &exponent))
        return false;
    d->power += exponent;
    return true;
}

static double library_number(const char *s, size_t n) {
    char room[128], *copy = n < sizeof room ? room : reckon_resize(NULL, n + 1, 1);
    memcpy(copy, s, n);
    copy[n] = '\0';
    locale_t before = plain_locale();
    double x = strtod(copy, NULL);
    uselocale(before);
    if (copy != room)
        free(copy);
    return isfinite(x) ? x : RECKON_BLANK;
}

double reckon_number(const char *s, size_t n) {
    const char *end = s + n;
    while (s < end && is_blank(*s))
        s++;
    while (end > s && is_blank(end[-1]))
        end--;
    struct decimal d = {0};
    if (!parse(&d, s, end))
        return RECKON_BLANK;
    /* Both operands are exact, so the one operation rounds correctly (Clinger 1990). */
    bool exact = FLT_EVAL_METHOD == 0 && d.count <= EXACT_DIGITS && d.digits <= EXACT_WHOLE &&
                 d.power >= -EXACT_POWER && d.power <= EXACT_POWER;
    if (!exact)
        return library_number(s, (size_t)(end - s));
    double x = (double)(int64_t)d.digits;
    x = d.power < 0 ? x / power_of_ten[-d.power] : x * power_of_ten[d.power];
    return d.negative ? -x : x;
}

/* ---- writing ---- */

/* The bits of |x|: m × 2^-shift. */
struct binary {
    uint64_t m;
    int shift;
};

static struct binary split(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS & 0x7ff);
    uint64_t m = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    if (exponent)
        m |= UINT64_C(1) << MANTISSA_BITS;
    return (struct binary){m, 1075 - (exponent ? exponent : 1)};
}

static size_t put_whole(uint64_t n, char *buf) {
    char digits[20];
    size_t i = sizeof digits;
    do
        digits[--i] = (char)('0' + n % 10);
    while (n /= 10);
    memcpy(buf, digits + i, sizeof digits - i);
    return sizeof digits - i;
}

/* snprintf of one double. */
static size_t library_text(char *buf, size_t size, const char *fmt, int precision, double x) {
    locale_t before = plain_locale();
    int n = snprintf(buf, size, fmt, precision, x);
    uselocale(before);
    return (size_t)n;
}

static uint64_t whole_part(struct binary b) {
    return b.shift < 64 ? b.m >> b.shift : 0;
}

/* Shortest text of a number with a fraction, 1e-4 <= x < 1e15: digits are taken until what is left is less
 * than half the distance to the next double (Steele and White 1990), all in whole numbers. (Powers of two,
 * whose neighbours are not equally far, have at most ten digits here and end before that matters.) */
static size_t shortest_fraction(struct binary b, char *buf) {
    int shift = b.shift + 1; /* everything doubled, so that half a unit of m is whole */
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): x >= 1e-4, so at most 67 */
    unsigned __int128 one = (unsigned __int128)1 << shift, half = 1;
    unsigned __int128 rest = ((unsigned __int128)b.m << 1) & (one - 1);
    size_t n = put_whole(whole_part(b), buf);
    buf[n++] = '.';
    for (;;) {
        rest *= 10;
        half *= 10;
        char digit = (char)('0' + (int)(rest >> shift));
        rest &= one - 1;
        bool low = rest < half;
        bool high = rest + half > one;
        if (low || high) {
            bool up = low && high ? rest * 2 > one : high;
            buf[n++] = (char)(digit + up);
            return n;
        }
        buf[n++] = digit;
    }
}

/* Any finite number, by trying: 15 digits always survive, 17 always suffice; a denormal may need but one. */
static size_t shortest_tried(double x, char *buf) {
    int precision = fabs(x) < DBL_MIN ? 1 : DBL_DIG;
    for (;; precision++) {
        size_t n = library_text(buf, RECKON_NUMBER_SIZE, "%.*g", precision, x);
        if (precision >= 17 || reckon_number(buf, n) == x)
            return n;
    }
}

/* The text of x, not terminated: its length. */
static size_t shortest(double x, char *buf) {
    double size = fabs(x);
    bool whole = size < 1e15 && size == (double)(uint64_t)size;
    if (!whole && (size < 1e-4 || size >= 1e15))
        return shortest_tried(x, buf);
    size_t sign = signbit(x) ? 1 : 0;
    *buf = '-';
    return sign + (whole ? put_whole((uint64_t)size, buf + sign) : shortest_fraction(split(x), buf + sign));
}

char *reckon_number_text(double x, char *buf) {
    buf[shortest(x, buf)] = '\0';
    return buf;
}

/* x with decimals for a fraction that fits: rounds to nearest, a tie to the even digit, as printf does. */
static size_t fixed_fraction(struct binary b, int decimals, uint64_t scale, char *buf) {
    unsigned __int128 one = (unsigned __int128)1 << b.shift;
    unsigned __int128 scaled = (unsigned __int128)(b.m & (uint64_t)(one - 1)) * scale;
    unsigned __int128 rest = scaled & (one - 1);
    uint64_t whole = whole_part(b), fraction = (uint64_t)(scaled >> b.shift);
    bool odd = (decimals ? fraction : whole) & 1;
    fraction += rest * 2 > one || (rest * 2 == one && odd);
    if (fraction == scale) {
        fraction = 0;
        whole++;
    }
    size_t n = put_whole(whole, buf);
    if (!decimals)
        return n;
    buf[n++] = '.';
    for (int i = decimals - 1; i >= 0; i--) {
        buf[n + (size_t)i] = (char)('0' + fraction % 10);
        fraction /= 10;
    }
    return n + (size_t)decimals;
}

/* Whether there is anything but zeros in the text: else it carries no sign. */
static bool all_zero(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] >= '1' && s[i] <= '9')
            return false;
    return true;
}

size_t number_fixed(double x, int decimals, char *buf) {
    static const uint64_t scales[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    decimals = decimals < 0 ? 0 : decimals > FIXED_DECIMALS_MAX ? FIXED_DECIMALS_MAX : decimals;
    struct binary b = split(x);
    if (b.shift > 100)
        b = (struct binary){0, 0}; /* zero, and what rounds to it with any of the scales */
    char *text = buf + 1;          /* room for the sign */
    size_t n;
    if (b.shift >= 0 && (size_t)decimals < sizeof scales / sizeof *scales)
        n = fixed_fraction(b, decimals, scales[decimals], text);
    else
        n = library_text(text, FIXED_SIZE - 1, "%.*f", decimals, fabs(x));
    if (x < 0 && !all_zero(text, n)) {
        *buf = '-';
        n++;
    } else {
        memmove(buf, text, n);
    }
    buf[n] = '\0';
    return n;
}

const char *reckon_fixed(struct reckon *r, double x, int decimals) {
    char buf[FIXED_SIZE];
    return isfinite(x) ? reckon_strndup(r, buf, number_fixed(x, decimals, buf)) : "";
}
