/* SPDX-License-Identifier: Apache-2.0
 *
 * --junit: what continuous integration reads. A suite per rule, in it a case per host: a WARN or CRITICAL
 * finding fails it, a known one or a rule that could not be asked skips it. A subject whose hosts are unknown
 * has the cases that findings name. It follows the schemas of Ant and of Jenkins, which want a time and a
 * machine even where there is none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <reckon/plugin.h>
#include <reckon/trend.h>

#include "../shared/ramp_text.h"

#define LAST_SECOND 253402300799.0 /* of the year 9999 */

struct junit {
    struct reckon *r;
    struct reckon_writer *w;
    const struct reckon_comparison *hosts;  /* NULL: unknown */
    const struct reckon_finding **findings; /* by rule, host, then severity */
    size_t count;
    char timestamp[24];
    unsigned long suites;
};

/* ---- XML ---- */

/* What stands for the beginning of the text where XML may not hold it, or not as it is, and how much of it
 * that replaces; NULL when it may. */
static const char *escaped(const char *s, char hex[8], size_t *replaces) {
    static const struct {
        const char *text, *as;
    } table[] = {{"&", "&amp;"},
                 {"<", "&lt;"},
                 {">", "&gt;"},
                 {"\"", "&quot;"},
                 {"\t", "&#9;"},
                 {"\n", "&#10;"},
                 {"\r", "&#13;"},
                 {"\xef\xbf\xbe", "\\xef\\xbf\\xbe"},
                 {"\xef\xbf\xbf", "\\xef\\xbf\\xbf"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        *replaces = strlen(table[i].text);
        if (!strncmp(s, table[i].text, *replaces))
            return table[i].as;
    }
    *replaces = 1;
    if ((unsigned char)*s >= 0x20)
        return NULL;
    snprintf(hex, 8, "\\x%02x", *s);
    return hex;
}

static void put_text(const struct junit *x, const char *s) {
    char hex[8];
    for (s = reckon_shown(x->w, s); *s;) {
        const char *start = s, *as = NULL;
        size_t replaces = 0;
        while (*s && !(as = escaped(s, hex, &replaces)))
            s++;
        reckon_put_bytes(x->w, start, (size_t)(s - start));
        if (!*s)
            return;
        reckon_put(x->w, as);
        s += replaces;
    }
}

/* ` name="value"`. */
static void put_attribute(const struct junit *x, const char *name, const char *value) {
    reckon_printf(x->w, " %s=\"", name);
    put_text(x, value);
    reckon_put(x->w, "\"");
}

static void put_property(const struct junit *x, const char *name, const char *value) {
    if (!value)
        return;
    reckon_put(x->w, "<property");
    put_attribute(x, "name", name);
    put_attribute(x, "value", value);
    reckon_put(x->w, "/>");
}

/* ---- what a case comes to ---- */

enum outcome { PASSED, FAILED, SKIPPED };

struct suite {
    const char *rule, *skipped; /* why; NULL: it was asked */
    const struct reckon_finding *const *findings;
    size_t nfindings;
    size_t tests, of[SKIPPED + 1];
};

static enum outcome outcome_of(const struct reckon_finding *f) {
    if (!f || reckon_finding_severity(f) == RECKON_INFO)
        return PASSED;
    return reckon_finding_known(f) ? SKIPPED : FAILED;
}

/* Called for every case of a suite: its host, and its findings (none: NULL), the worst first. */
typedef void take_case(struct junit *x, struct suite *s, const char *host,
                       const struct reckon_finding *const *f, size_t n);

static void count_case(struct junit *x, struct suite *s, const char *host,
                       const struct reckon_finding *const *f, size_t n) {
    (void)x;
    (void)host;
    s->tests++;
    s->of[s->skipped ? SKIPPED : outcome_of(n ? f[0] : NULL)]++;
}

static void put_skipped(const struct junit *x, const char *message) {
    reckon_put(x->w, "<skipped");
    put_attribute(x, "message", message);
    reckon_put(x->w, "/>");
}

static void put_failure(const struct junit *x, const struct reckon_finding *const *f, size_t n) {
    reckon_put(x->w, "<failure");
    put_attribute(x, "type", reckon_severity_word(reckon_finding_severity(f[0])));
    put_attribute(x, "message", reckon_finding_detail(f[0]));
    reckon_put(x->w, ">");
    for (size_t i = 0; i < n; i++) {
        put_text(x, reckon_finding_detail(f[i]));
        reckon_put(x->w, "\n");
        put_text(x, reckon_finding_fix(f[i]));
        reckon_put(x->w, *reckon_finding_fix(f[i]) ? "\n" : "");
    }
    reckon_put(x->w, "</failure>");
}

static void put_case(struct junit *x, struct suite *s, const char *host,
                     const struct reckon_finding *const *f, size_t n) {
    reckon_put(x->w, "  <testcase");
    put_attribute(x, "classname", reckon_text(x->r, "reckon.%s", s->rule));
    put_attribute(x, "name", host);
    reckon_put(x->w, " time=\"0\">");
    enum outcome o = outcome_of(n ? f[0] : NULL);
    if (s->skipped)
        put_skipped(x, s->skipped);
    else if (o == SKIPPED)
        put_skipped(x, reckon_text(x->r, "known: %s", reckon_finding_detail(f[0])));
    else if (o == FAILED)
        put_failure(x, f, n);
    reckon_put(x->w, "</testcase>\n");
}

/* ---- the cases of a suite ---- */

/* How many findings from the first on are about the same host. */
static size_t same_host(const struct reckon_finding *const *f, size_t n) {
    size_t k = 1;
    while (k < n && !strcmp(reckon_finding_host(f[k]), reckon_finding_host(f[0])))
        k++;
    return k;
}

/* Every host of the subject and whatever else findings are about, in order of name. */
static void for_each_case(struct junit *x, struct suite *s, take_case *take) {
    uint32_t h = 0, hosts = x->hosts && !s->skipped ? reckon_host_count(x->hosts) : 0;
    size_t f = 0;
    if (!hosts && !s->nfindings)
        take(x, s, "*", NULL, 0);
    while (h < hosts || f < s->nfindings) {
        const char *host = h < hosts ? reckon_host_name(x->hosts, h) : NULL;
        const char *found = f < s->nfindings ? reckon_finding_host(s->findings[f]) : NULL;
        int order = !host ? 1 : !found ? -1 : strcmp(host, found);
        size_t n = order < 0 ? 0 : same_host(s->findings + f, s->nfindings - f);
        take(x, s, order < 0 ? host : found, n ? s->findings + f : NULL, n);
        h += order <= 0;
        f += n;
    }
}

/* ---- suites ---- */

static const char *skipped_reason(const struct reckon *r, const char *rule) {
    const char *name;
    for (size_t i = 0; (name = reckon_skipped_rule(r, i)); i++)
        if (!strcmp(name, rule))
            return reckon_skipped_reason(r, i);
    return NULL;
}

static void put_properties(const struct junit *x, const char *title) {
    const char *rule = NULL, *text = NULL;
    enum reckon_severity severity;
    reckon_put(x->w, "  <properties>");
    put_property(x, "title", title);
    if (x->suites == 1 && reckon_verdict(x->r, &rule, &severity, &text))
        put_property(x, "verdict", text);
    put_property(x, "reckon", reckon_version());
    reckon_put(x->w, "</properties>\n");
}

/* What passes and is worth saying all the same. */
static void put_infos(const struct junit *x, const struct suite *s) {
    reckon_put(x->w, "  <system-out>");
    for (size_t i = 0; i < s->nfindings; i++)
        if (reckon_finding_severity(s->findings[i]) == RECKON_INFO) {
            put_text(x, reckon_text(x->r, "%s: %s", reckon_finding_host(s->findings[i]),
                                    reckon_finding_detail(s->findings[i])));
            reckon_put(x->w, "\n");
        }
    reckon_put(x->w, "</system-out>\n  <system-err/>\n");
}

static void put_suite(struct junit *x, struct suite *s, const char *title) {
    for_each_case(x, s, count_case);
    reckon_put(x->w, " <testsuite");
    put_attribute(x, "name", s->rule);
    put_attribute(x, "package", reckon_text(x->r, "reckon.%s", reckon_subject(x->r)));
    reckon_printf(
        x->w,
        " id=\"%lu\" timestamp=\"%s\" hostname=\"localhost\" tests=\"%zu\" failures=\"%zu\" errors=\"0\"",
        x->suites++, x->timestamp, s->tests, s->of[FAILED]);
    reckon_printf(x->w, " skipped=\"%zu\" time=\"0\">\n", s->of[SKIPPED]);
    put_properties(x, title);
    for_each_case(x, s, put_case);
    put_infos(x, s);
    reckon_put(x->w, " </testsuite>\n");
}

/* A rule that only speaks the verdict finds nothing on its own: its sentence is a property of the first
 * suite. */
static bool speaks_verdict(const char *rule) {
    static const char end[] = "VERDICT";
    size_t n = strlen(rule);
    return n >= sizeof end - 1 && !strcmp(rule + n - (sizeof end - 1), end);
}

static void put_suites(struct junit *x) {
    const char *rule, *title;
    for (size_t i = 0; (rule = reckon_rule_at(x->r, reckon_subject(x->r), i, &title)); i++) {
        struct suite s = {.rule = rule, .skipped = skipped_reason(x->r, rule)};
        size_t from = 0;
        while (from < x->count && strcmp(reckon_finding_rule(x->findings[from]), rule))
            from++;
        s.findings = x->findings + from;
        while (from + s.nfindings < x->count && !strcmp(reckon_finding_rule(s.findings[s.nfindings]), rule))
            s.nfindings++;
        if (!speaks_verdict(rule))
            put_suite(x, &s, title);
    }
}

/* ---- the document ---- */

static int by_rule_and_host(const void *a, const void *b) {
    const struct reckon_finding *x = *(const struct reckon_finding *const *)a,
                                *y = *(const struct reckon_finding *const *)b;
    int order = strcmp(reckon_finding_rule(x), reckon_finding_rule(y));
    if (!order)
        order = strcmp(reckon_finding_host(x), reckon_finding_host(y));
    if (!order) /* what fails the case is its first */
        order = (outcome_of(y) == FAILED) - (outcome_of(x) == FAILED);
    if (!order)
        order = (int)reckon_finding_severity(y) - (int)reckon_finding_severity(x);
    return order ? order : strcmp(reckon_finding_detail(x), reckon_finding_detail(y));
}

static void set_timestamp(struct junit *x, double ts) {
    struct tm day;
    time_t seconds = ts > 0 && ts <= LAST_SECOND ? (time_t)ts : 0;
    strftime(x->timestamp, sizeof x->timestamp, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &day));
}

static int write_junit(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct junit x = {.r = r, .w = w, .count = reckon_finding_count(r)};
    bool run = !strcmp(reckon_subject(r), "run"), ramp = !strcmp(reckon_subject(r), "ramp");
    bool trend = !strcmp(reckon_subject(r), "trend");
    double first_ts, last_ts = run    ? reckon_run_last_ts(subject)
                               : ramp ? ramp_last_ts(subject)
                                      : RECKON_BLANK;
    if (trend)
        reckon_trend_span(subject, &first_ts, &last_ts);
    x.hosts = run ? subject : ramp ? reckon_ramp_hardware_of(subject) : NULL;
    set_timestamp(&x, last_ts);
    x.findings = reckon_resize(NULL, x.count + 1, sizeof(const struct reckon_finding *));
    for (size_t i = 0; i < x.count; i++)
        x.findings[i] = reckon_finding_at(r, i);
    qsort(x.findings, x.count, sizeof *x.findings, by_rule_and_host);
    reckon_put(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    put_suites(&x);
    reckon_put(w, "</testsuites>\n");
    free(x.findings);
    return 0;
}

RECKON_PLUGIN(output, junit) = {
    .name = "junit",
    .summary = "the rules and hosts as JUnit test cases, for continuous integration",
    .output = {.on = "run ramp trend compare triage", .write = write_junit},
};
