/* SPDX-License-Identifier: Apache-2.0
 *
 * History from the result files of FD.io CSIT ("UTI", *.info.json): one file is one run of one test. MRR
 * gives a series of trials; NDRPDR the two rates and the latency at half the PDR, which is better when it is
 * lower.
 */
#include <reckon/trend.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../shared/json_read.h"

#define LIMIT ((size_t)256 << 20) /* bytes of one file */
#define STATUS 100                /* bytes of a failure's message that are kept */

struct reading {
    struct reckon *r;
    struct reckon_history *h;
    const char *path;
    const char *job, *build; /* as the folders on the path name them; NULL: they do not */
    cJSON *doc;
    const char *attributes;
    uint32_t run;
};

static int recognise(const struct reckon_head *head) {
    bool own = *head->data == '{' && strstr(head->data, "\"test_id\"");
    return !own ? 0 : strstr(head->data, "\"start_time\"") ? 90 : 50;
}

static const char *text_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* A member far inside: the keys from the outside, NULL-terminated. */
static const cJSON *inside(const cJSON *object, const char *const *keys) {
    for (; object && *keys; keys++)
        object = cJSON_GetObjectItemCaseSensitive(object, *keys);
    return object;
}

/* ---- when ---- */

/* Exactly n digits. */
static bool digits(const char **at, int n, int *value) {
    for (*value = 0; n > 0; n--, (*at)++) {
        if (!isdigit((unsigned char)**at))
            return false;
        *value = 10 * *value + (**at - '0');
    }
    return true;
}

/* Seconds of an offset "+01:00" or "-0330"; 0 for "Z" and none, blank for one that there is not. */
static double offset(const char *at) {
    int hours, minutes, sign = *at == '-' ? -1 : 1;
    if (*at++ != '+' && sign > 0)
        return 0;
    if (!digits(&at, 2, &hours))
        return 0;
    at += *at == ':';
    if (!digits(&at, 2, &minutes))
        return 0;
    return hours < 24 && minutes < 60 ? sign * (60 * hours + minutes) * 60 : RECKON_BLANK;
}

/* Whether there is such a day and time, a leap second included. */
static bool exists(const struct tm *tm) {
    struct tm day = {.tm_year = tm->tm_year, .tm_mon = tm->tm_mon, .tm_mday = tm->tm_mday};
    timegm(&day); /* turns 31 February into a day of March */
    return day.tm_mon == tm->tm_mon && day.tm_mday == tm->tm_mday && tm->tm_hour < 24 && tm->tm_min < 60 &&
           tm->tm_sec <= 60;
}

/* "2022-01-15T13:07:33.25Z" and the older "20220115 13:07:33.250" as seconds since 1970; blank for
 * neither, and for a day or time that there is not. */
static double time_of(const char *at) {
    struct tm tm = {0};
    double fraction = 0;
    if (!digits(&at, 4, &tm.tm_year))
        return RECKON_BLANK;
    at += *at == '-';
    if (!digits(&at, 2, &tm.tm_mon))
        return RECKON_BLANK;
    at += *at == '-';
    if (!digits(&at, 2, &tm.tm_mday) || (*at != 'T' && *at != ' ') || !digits((at++, &at), 2, &tm.tm_hour) ||
        *at++ != ':' || !digits(&at, 2, &tm.tm_min) || *at++ != ':' || !digits(&at, 2, &tm.tm_sec))
        return RECKON_BLANK;
    if (*at == '.') {
        size_t n = 1 + strspn(at + 1, "0123456789");
        fraction = reckon_number(at, n);
        at += n;
    }
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    if (!exists(&tm))
        return RECKON_BLANK;
    return (double)timegm(&tm) + (reckon_blank(fraction) ? 0 : fraction) - offset(at);
}

static double start_of(const cJSON *doc) {
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(doc, "start_time");
    if (cJSON_IsNumber(start))
        return start->valuedouble;
    return cJSON_IsString(start) ? time_of(start->valuestring) : RECKON_BLANK;
}

/* ---- where: what the names of test and job say ---- */

/* The next word of a name, cut at '-', '.', '/' and blanks; NULL at the end. */
static const char *word(const char **at, size_t *length) {
    *at += strspn(*at, "-./ ");
    const char *begin = *at;
    *length = strcspn(begin, "-./ ");
    *at += *length;
    return *length ? begin : NULL;
}

/* What the path says: the folder whose name begins with "csit-" is the job, a number in it the build. The
 * same wherever the program was started. */
static void look_at_path(struct reading *in) {
    char *real = realpath(in->path, NULL);
    const char *at = real ? real : in->path;
    for (size_t n; *at && !in->job; at += n + (at[n] == '/')) {
        n = strcspn(at, "/");
        if (strncmp(at, "csit-", 5) || !at[n])
            continue;
        in->job = reckon_strndup(in->r, at, n);
        size_t k = strspn(at + n + 1, "0123456789");
        if (k && at[n + 1 + k] == '/')
            in->build = reckon_strndup(in->r, at + n + 1, k);
    }
    free(real);
}

static const char *job_of(const struct reading *in) {
    const char *job = text_of(in->doc, "job");
    return job ? job : in->job;
}

static const char *build_of(const struct reading *in) {
    const cJSON *build = cJSON_GetObjectItemCaseSensitive(in->doc, "build");
    if (cJSON_IsString(build))
        return build->valuestring;
    return cJSON_IsNumber(build) ? reckon_fixed(in->r, build->valuedouble, 0) : in->build;
}

/* "2n-icx", "3na-spr" in a job's name: the word "2n" or "3na" and the one after it. */
static const char *testbed_of(struct reckon *r, const char *job) {
    size_t n, k;
    for (const char *at = job, *w; (w = word(&at, &n));)
        if ((n == 2 || (n == 3 && islower((unsigned char)w[2]))) && isdigit((unsigned char)w[0]) &&
            w[1] == 'n') {
            const char *next = at, *arch = word(&next, &k);
            return arch ? reckon_text(r, "%.*s-%.*s", (int)n, w, (int)(k < 40 ? k : 40), arch) : NULL;
        }
    return NULL;
}

/* "x710" of the word "10ge2p1x710": what stands behind speed, ports and slots. */
static const char *nic_of(struct reckon *r, const char *test) {
    size_t n;
    for (const char *at = test, *w; (w = word(&at, &n));) {
        size_t speed = strspn(w, "0123456789"), ports;
        if (!speed || strncmp(w + speed, "ge", 2))
            continue;
        ports = speed + 2 + strspn(w + speed + 2, "0123456789");
        if (w[ports] == 'p' && isdigit((unsigned char)w[ports + 1]) && ports + 2 < n)
            return reckon_strndup(r, w + ports + 2, n - ports - 2);
    }
    return NULL;
}

/* "2" of the word "2c" or "4t2c". */
static const char *cores_of(struct reckon *r, const char *test) {
    size_t n;
    for (const char *at = test, *w; (w = word(&at, &n));) {
        size_t k = strspn(w, "0123456789");
        if (k && w[k] == 't') {
            w += k + 1;
            n -= k + 1;
            k = strspn(w, "0123456789");
        }
        if (k && k + 1 == n && w[k] == 'c')
            return reckon_strndup(r, w, k);
    }
    return NULL;
}

static void add_attribute(struct reading *in, const char *key, const char *value) {
    if (value)
        in->attributes =
            reckon_text(in->r, "%s%s%s=%s", in->attributes, *in->attributes ? "\n" : "", key, value);
}

/* The version that was tested: a text, or a list of texts or of objects that have one. */
static const char *version_of(struct reading *in) {
    const char *version = text_of(in->doc, "dut_version"), *all = "";
    const cJSON *duts = cJSON_GetObjectItemCaseSensitive(in->doc, "duts"), *dut;
    if (version || cJSON_IsString(duts))
        return version ? version : duts->valuestring;
    cJSON_ArrayForEach(dut, duts) {
        const char *one = cJSON_IsString(dut) ? dut->valuestring : text_of(dut, "dut_version");
        if (!one)
            one = text_of(dut, "version");
        if (one)
            all = reckon_text(in->r, "%s%s%s", all, *all ? ", " : "", one);
    }
    return all;
}

static const char *label_of(struct reading *in, const char *job) {
    const char *version = version_of(in), *build = build_of(in);
    if (!job)
        return version;
    return reckon_text(in->r, "%s%s%s%s%s", version, *version ? ", " : "", job, build ? " #" : "",
                       build ? build : "");
}

/* ---- what was measured ---- */

static uint32_t test_of(struct reading *in, const char *suffix, const char *unit, bool lower) {
    const char *id = text_of(in->doc, "test_id");
    return reckon_history_test(
        in->h, &(struct reckon_history_test){.size = sizeof(struct reckon_history_test),
                                             .name = *suffix ? reckon_text(in->r, "%s %s", id, suffix) : id,
                                             .unit = unit,
                                             .attributes = in->attributes,
                                             .lower_is_better = lower});
}

struct figure {
    const char *suffix, *unit;
    bool lower, many; /* many: a list of trials */
    bool optional;    /* not every test measures it */
    const char *const *value, *const *unit_at;
};

static const struct figure mrr[] = {
    {.suffix = "",
     .unit = "pps",
     .many = true,
     .value = (const char *const[]){"receive_rate", "rate", "values", NULL},
     .unit_at = (const char *const[]){"receive_rate", "rate", "unit", NULL}},
    {0},
};
static const struct figure ndrpdr[] = {
    {.suffix = "ndr",
     .unit = "pps",
     .value = (const char *const[]){"ndr", "lower", "rate", "value", NULL},
     .unit_at = (const char *const[]){"ndr", "lower", "rate", "unit", NULL}},
    {.suffix = "pdr",
     .unit = "pps",
     .value = (const char *const[]){"pdr", "lower", "rate", "value", NULL},
     .unit_at = (const char *const[]){"pdr", "lower", "rate", "unit", NULL}},
    {.suffix = "latency-pdr50",
     .unit = "us",
     .lower = true,
     .optional = true,
     .value = (const char *const[]){"latency_forward", "pdr_50", "avg", NULL},
     .unit_at = (const char *const[]){"latency_forward", "pdr_50", "unit", NULL}},
    {0},
};

static void one_trial(struct reading *in, uint32_t test, const cJSON *value, const char *status) {
    reckon_history_trial(in->h, test, in->run, cJSON_IsNumber(value) ? value->valuedouble : RECKON_BLANK,
                         status);
}

static void take(struct reading *in, const cJSON *result, const struct figure *f, const char *status) {
    const cJSON *unit = inside(result, f->unit_at), *value = inside(result, f->value), *trial;
    if (f->optional && !status && !value)
        return;
    uint32_t test = test_of(in, f->suffix,
                            cJSON_IsString(unit) ? unit->valuestring
                            : status             ? NULL
                                                 : f->unit,
                            f->lower);
    if (status || !f->many || !cJSON_IsArray(value) || !value->child) {
        one_trial(in, test, value, status);
        return;
    }
    cJSON_ArrayForEach(trial, value) one_trial(in, test, trial, NULL);
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    return n >= k && !strcmp(text + n - k, end);
}

static bool known_type(const char *type) {
    return type && *type && strcmp(type, "unknown");
}

/* The figures of this kind of test; NULL for one of another kind. A result that never came is of unknown
 * type: then the test says its kind, or its name does. */
static const struct figure *figures_of(const struct reading *in, const cJSON *result) {
    const char *type = text_of(result, "type"), *id = text_of(in->doc, "test_id");
    if (!known_type(type))
        type = text_of(in->doc, "test_type");
    if (!known_type(type))
        type = ends_with(id, "mrr") ? "mrr" : ends_with(id, "ndrpdr") ? "ndrpdr" : "";
    return !strcmp(type, "mrr") ? mrr : !strcmp(type, "ndrpdr") ? ndrpdr : NULL;
}

/* Why the test failed: the first line of its message; NULL when it passed. */
static const char *failure_of(struct reading *in) {
    const cJSON *passed = cJSON_GetObjectItemCaseSensitive(in->doc, "passed");
    const char *message = text_of(in->doc, "message");
    if (!cJSON_IsFalse(passed))
        return NULL;
    size_t n = message ? strcspn(message, "\r\n") : 0;
    return n ? reckon_strndup(in->r, message, n < STATUS ? n : STATUS) : "FAIL";
}

static void read_result(struct reading *in) {
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(in->doc, "result");
    const char *id = text_of(in->doc, "test_id"), *job = job_of(in);
    double start = start_of(in->doc);
    const struct figure *figures = id ? figures_of(in, result) : NULL;
    const char *lacking = !id                   ? "does not name its test"
                          : reckon_blank(start) ? "does not say when its test started"
                          : !figures ? "is of a kind of test that has no trend here (mrr and ndrpdr have)"
                                     : NULL;
    if (lacking) {
        reckon_history_leave_out(in->h, lacking);
        return;
    }
    add_attribute(in, "testbed", job ? testbed_of(in->r, job) : NULL);
    add_attribute(in, "nic", nic_of(in->r, id));
    add_attribute(in, "cores", cores_of(in->r, id));
    in->run = reckon_history_run(
        in->h, &(struct reckon_history_run){
                   .size = sizeof(struct reckon_history_run), .ts = start, .label = label_of(in, job)});
    const char *status = failure_of(in);
    for (const struct figure *f = figures; f->suffix; f++)
        take(in, result, f, status);
}

/* ---- the file ---- */

static int read(struct reckon *r, struct reckon_input *in, void *into) {
    struct reading reading = {.r = r, .h = into, .path = reckon_input_path(in), .attributes = ""};
    size_t length;
    look_at_path(&reading);
    if (reckon_history_known(into, reckon_text(r, "csit %s %s", reading.job ? reading.job : "",
                                               reading.build ? reading.build : "")))
        return 0;
    char *text = reckon_read_all(in, LIMIT, &length);
    if (!text)
        return -1;
    reading.doc = json_read(r, reading.path, text, length);
    free(text);
    if (!reading.doc)
        return -1;
    read_result(&reading);
    cJSON_Delete(reading.doc);
    return 0;
}

RECKON_PLUGIN(context, csit) = {
    .name = "csit",
    .summary = "history from FD.io CSIT result files (*.info.json): mrr and ndrpdr",
    .verbs = "trend compare",
    .context = {.role = "history",
                .many = true,
                .positional = true,
                .suffix = ".json",
                .recognise = recognise,
                .read = read},
};
