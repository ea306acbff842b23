/* SPDX-License-Identifier: Apache-2.0
 *
 * Run reader `iperf`: runs of iperf_orchestrator, as a directory with iperf_results.csv, that file, or an
 * export-overlay file. How the tests were driven says which of them shared the fabric, so nothing is read
 * without knowing it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <reckon/plugin.h>

#include "../shared/iperf_mode.h"

#define LARGEST_OVERLAY ((size_t)1 << 30)
#define LARGEST_MODE_FILE 4096u

/* ---- modes ---- */

/* The mode a run says it was driven in, and where it says so. */
struct said {
    const char *mode; /* NULL: it says nothing */
    const char *path;
    unsigned long line;
};

/* Settles on the mode the run at `path` says, else --iperf-mode. */
static int settle_mode(struct reckon *r, struct reckon_sink *sink, const char *path,
                       const struct said *said) {
    const char *option = reckon_option_from(r, "iperf-mode");
    const char *asked = reckon_option_text(r, "iperf-mode");
    if (!said->mode && !asked)
        return reckon_error(r, path, 0,
                            "it does not say how the tests were driven: give --iperf-mode " IPERF_MODES);
    if (said->mode && asked && strcmp(said->mode, asked))
        return reckon_error(r, said->path, said->line, "the run says its mode was '%s', but %s says '%s'",
                            reckon_printable(r, said->mode), option, reckon_printable(r, asked));
    const struct iperf_mode *mode = said->mode ? iperf_mode_named(r, said->path, said->line, said->mode)
                                               : iperf_mode_named(r, option, 0, asked);
    if (!mode)
        return -1;
    bool parallel = mode->sharing == RECKON_SHARE_ALL;
    reckon_sink_sharing(sink, mode->sharing, mode->name);
    reckon_sink_add_up(sink, parallel);
    reckon_sink_loose_times(sink, parallel); /* neither form says when each test ran */
    return 0;
}

/* ---- samples ---- */

static void hand_over(struct reckon_sink *sink, enum reckon_sample_kind kind, const char *host,
                      const char *peer, enum reckon_figure figure, double value, double demand) {
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.kind = kind;
    s.host = host;
    s.peer = peer;
    s.figure[figure] = value;
    s.figure[RECKON_DEMAND] = demand;
    reckon_sink_sample(sink, &s);
}

static void took_part(struct reckon_sink *sink, enum reckon_sample_kind kind, const char *host) {
    hand_over(sink, kind, host, NULL, RECKON_ACHIEVED, RECKON_BLANK, RECKON_BLANK);
}

/* ---- iperf_results.csv ---- */

enum { SOURCE, TARGET, STATUS, MBPS, ERROR, COLUMNS };

static const char *const columns[] = {
    [SOURCE] = "source", [TARGET] = "target", [STATUS] = "status",
    [MBPS] = "mbps",     [ERROR] = "error",   [COLUMNS] = NULL,
};

struct results {
    struct reckon *r;
    struct reckon_sink *sink;
    const char *path;
    size_t tests;    /* successful ones */
    size_t unusable; /* rows that do not say whose test they are */
};

static int check_header(void *user, const bool *present) {
    const struct results *x = user;
    for (size_t i = SOURCE; i <= MBPS; i++)
        if (!present[i])
            return reckon_wrong_format(x->r, x->path, "not an iperf_results.csv: it has no %s column",
                                       columns[i]);
    return 0;
}

static int take_row(void *user, const struct reckon_row *row) {
    struct results *x = user;
    const char *source = reckon_cell(row, SOURCE), *target = reckon_cell(row, TARGET);
    const char *status = reckon_cell(row, STATUS), *error = reckon_cell(row, ERROR);
    double mbps = reckon_cell_number(row, MBPS);
    if (!*source || !*target) {
        x->unusable++;
        return 0;
    }
    if (!strcasecmp(status, "ok") && !reckon_blank(mbps)) {
        hand_over(x->sink, RECKON_SAMPLE_FLOW, source, target, RECKON_ACHIEVED, mbps, RECKON_BLANK);
        x->tests++;
        return 0;
    }
    reckon_sink_failed(x->sink, source, target, *status ? status : "?", *error ? error : NULL);
    took_part(x->sink, RECKON_SAMPLE_PEER, target);
    return 0;
}

static int read_results(struct reckon *r, struct reckon_input *in, struct reckon_sink *sink,
                        const struct said *said) {
    struct results x = {.r = r, .sink = sink, .path = reckon_input_path(in)};
    struct reckon_table table = {
        .size = sizeof table, .columns = columns, .header = check_header, .row = take_row, .user = &x};
    if (reckon_read_table(r, in, &table, NULL))
        return -1;
    if (!x.tests)
        return reckon_error(r, x.path, 0, "it holds no successful test");
    if (x.unusable)
        reckon_note(r, "%s: %s without a source or a target left out", reckon_printable(r, x.path),
                    reckon_count(r, x.unusable, "row"));
    reckon_note(
        r, "iperf_results.csv does not hold the target rate of iperf3's -b: every flow is taken as unpaced");
    return settle_mode(r, sink, x.path, said);
}

/* ---- export-overlay: lines ---- */

enum test { OUT, STATUS_OF, STATE, CPU_PEAK, CPU_SOFTIRQ, TESTS };

static const char *const tests[] = {"mbps_out", "status", "state", "cpu_peak",
                                    "cpu_softirq"}; /* after iperf_ */

struct line {
    enum test test;
    const char *target, *value, *peer, *run, *status, *error; /* NULL for a key that is not there */
};

/* What a "# run ID, mode MODE" comment opens. */
struct heading {
    const char *run, *mode;
    unsigned long line;
    double target; /* Mb/s per flow */
};

struct overlay {
    char *text;
    struct line *lines;
    size_t nlines, lines_cap;
    struct heading *headings;
    size_t nheadings, headings_cap;
    unsigned long line;      /* being read */
    unsigned long open_line; /* the first sample with a quote that its line does not close; 0: none */
    size_t open_quotes;
};

static enum test test_of(const char *name) {
    int t = 0;
    if (!strncmp(name, "iperf_", 6))
        name += 6;
    while (t < TESTS && strcmp(name, tests[t]))
        t++;
    return (enum test)t;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The next cell of a tab-separated line, ended in place; NULL when there is none. */
static char *next_cell(char **rest) {
    char *cell = *rest, *tab = cell ? strchr(cell, '\t') : NULL;
    *rest = tab ? tab + 1 : NULL;
    if (tab)
        *tab = '\0';
    return cell;
}

/* The next word as a shell would split it, unquoted in place; NULL when there is none or a comment begins.
 * Behind one whose quote is not closed *rest is NULL. */
static char *next_word(char **rest) {
    char *from = *rest, *word, *to, quote = '\0';
    if (!from)
        return NULL;
    while (*from == ' ')
        from++;
    if (!*from || *from == '#')
        return NULL;
    for (word = to = from; *from && (quote || *from != ' '); from++) {
        if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? '\0' : *from;
        else if (*from == '\\' && quote != '\'' && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    }
    *rest = quote ? NULL : *from ? from + 1 : from;
    *to = '\0';
    return word;
}

/* A value in double quotes, without them. */
static const char *unquoted(char *value) {
    size_t n = strlen(value);
    if (n < 2 || value[0] != '"' || value[n - 1] != '"')
        return value;
    value[n - 1] = '\0';
    return value + 1;
}

static void take_key(struct line *l, char *cell, bool tabs) {
    char *equals = strchr(cell, '=');
    if (!equals)
        return;
    const struct {
        const char *key;
        const char **to;
    } keys[] = {{"peer", &l->peer},
                {"run", &l->run},
                {"status", &l->status},
                {"error", &l->error},
                {"err", &l->error}};
    *equals = '\0';
    const char *value = tabs ? unquoted(equals + 1) : equals + 1;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(cell, keys[i].key) && *value)
            *keys[i].to = value;
}

/* "# run ID, mode MODE", "# … -b target … (N Mb/s per flow)". */
static void take_comment(struct overlay *o, char *comment) {
    static const char run[] = "run ", mode[] = ", mode ", target[] = "-b target",
                      per_flow[] = " Mb/s per flow)";
    comment += strspn(comment, "# \t");
    char *m = strstr(comment, mode), *end;
    if (!strncmp(comment, run, sizeof run - 1) && m) {
        *m = '\0';
        m += sizeof mode - 1;
        m[strcspn(m, " \t,;")] = '\0';
        o->headings = reckon_grow(o->headings, o->nheadings, &o->headings_cap, sizeof *o->headings);
        o->headings[o->nheadings++] = (struct heading){
            .run = comment + sizeof run - 1, .mode = *m ? m : NULL, .line = o->line, .target = RECKON_BLANK};
    } else if (o->nheadings && strstr(comment, target) && (end = strstr(comment, per_flow))) {
        char *number = end;
        while (number > comment && number[-1] != '(')
            number--;
        double mbps = reckon_number(number, (size_t)(end - number));
        if (mbps > 0) /* iperf3's -b 0 is no limit */
            o->headings[o->nheadings - 1].target = mbps;
    }
}

static void take_line(struct overlay *o, char *text) {
    char *start = text + strspn(text, " \t");
    if (*start == '#') {
        take_comment(o, start);
        return;
    }
    bool tabs = strchr(text, '\t');
    char *(*next)(char **) = tabs ? next_cell : next_word;
    char *cell = next(&text);
    if (!cell || *cell == '!')
        return;
    struct line l = {.test = test_of(cell)};
    char *value;
    if (l.test == TESTS)
        return;
    l.target = next(&text);
    value = l.target ? next(&text) : NULL;
    while (value && (cell = next(&text)))
        take_key(&l, cell, tabs);
    if (!tabs && !text) {
        o->open_line = o->open_line ? o->open_line : o->line;
        o->open_quotes++;
    }
    if (!value || !*l.target)
        return;
    l.value = tabs ? unquoted(value) : value;
    o->lines = reckon_grow(o->lines, o->nlines, &o->lines_cap, sizeof *o->lines);
    o->lines[o->nlines++] = l;
}

static void split_lines(struct overlay *o) {
    for (char *line = o->text, *next; line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line[n] ? line + n + 1 : NULL;
        if (n && line[n - 1] == '\r')
            n--;
        line[n] = '\0';
        o->line++;
        take_line(o, line);
    }
}

/* ---- export-overlay: the last run ---- */

struct appearance {
    const char *run;
    size_t at;
};

static int by_run(const void *a, const void *b) {
    const struct appearance *x = a, *y = b;
    int order = strcmp(x->run, y->run);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The run that appears last for the first time; NULL when no sample names one. *runs: how many there are. */
static const char *last_run(const struct overlay *o, size_t *runs) {
    struct appearance *list = NULL, last = {NULL, 0};
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < o->nlines; i++) {
        const char *run = o->lines[i].run;
        if (!run || (n && !strcmp(run, list[n - 1].run)))
            continue;
        list = reckon_grow(list, n, &cap, sizeof *list);
        list[n++] = (struct appearance){run, i};
    }
    if (n)
        qsort(list, n, sizeof *list, by_run);
    *runs = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || strcmp(list[i].run, list[i - 1].run)) {
            ++*runs;
            if (!last.run || list[i].at > last.at)
                last = list[i];
        }
    free(list);
    return last.run;
}

/* The heading of a run; the last one when no sample names its run. */
static struct heading heading_of(const struct overlay *o, const char *run) {
    for (size_t i = o->nheadings; i > 0; i--)
        if (!run || !strcmp(o->headings[i - 1].run, run))
            return o->headings[i - 1];
    return (struct heading){.run = run, .target = RECKON_BLANK};
}

/* True when the sample is a test of a directed pair. */
static bool take_sample(struct reckon_sink *sink, const struct line *l, double target) {
    double value = reckon_number(l->value, strlen(l->value));
    switch (l->test) {
    case OUT:
        if (!l->peer || reckon_blank(value))
            return false;
        hand_over(sink, RECKON_SAMPLE_FLOW, l->target, l->peer, RECKON_ACHIEVED, value, target);
        return true;
    case STATUS_OF:
        if (strcasecmp(l->value, "ok"))
            reckon_sink_failed(sink, l->target, l->peer,
                               l->status   ? l->status
                               : *l->value ? l->value
                                           : "?",
                               l->error);
        return false;
    case STATE:
        took_part(sink, strcasecmp(l->value, "no-data") ? RECKON_SAMPLE_SEEN : RECKON_SAMPLE_PEER, l->target);
        return false;
    default:
        if (reckon_blank(value))
            return false;
        hand_over(sink, RECKON_SAMPLE_HOST, l->target, NULL,
                  l->test == CPU_PEAK ? RECKON_CPU_PEAK : RECKON_CPU_SOFTIRQ, value, RECKON_BLANK);
        return false;
    }
}

/* ": all 3 tests failed (a -> b: refused)"; "" when none is said to have. */
static const char *failures_text(struct reckon *r, const struct overlay *o, const char *run) {
    const struct line *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < o->nlines; i++) {
        const struct line *l = &o->lines[i];
        if (l->test != STATUS_OF || !strcasecmp(l->value, "ok") || (l->run && strcmp(l->run, run)))
            continue;
        first = first ? first : l;
        n++;
    }
    if (!n)
        return "";
    return reckon_text(
        r, ": %s failed (%s -> %s: %s)", n == 1 ? "its one test" : reckon_text(r, "all %zu tests", n),
        reckon_printable(r, first->target), reckon_printable(r, first->peer ? first->peer : "?"),
        reckon_printable(r, first->error ? first->error : first->value));
}

static int no_test(struct reckon *r, const char *path, const struct overlay *o, const char *run) {
    size_t outbound = 0, with_peer = 0;
    const char *failures = failures_text(r, o, run);
    for (size_t i = 0; i < o->nlines; i++)
        if (o->lines[i].test == OUT) {
            outbound++;
            with_peer += o->lines[i].peer != NULL;
        }
    if (o->open_line)
        return reckon_error(r, path, o->open_line, "a quote is opened here and not closed on this line");
    if (!outbound && !*failures)
        return reckon_wrong_format(r, path, "not an export-overlay file: it has no iperf_mbps_out sample");
    if (outbound && !with_peer)
        return reckon_error(
            r, path, 0,
            "it was reduced to one median per host (--overlay-reduce), so that which flow was which is "
            "lost: export it again without");
    return reckon_error(r, path, 0, "%s%s holds no successful test%s", run ? "its last run " : "it",
                        run ? reckon_printable(r, run) : "", failures);
}

static int take_run(struct reckon *r, struct reckon_sink *sink, const char *path, const struct overlay *o) {
    size_t runs, flows = 0;
    const char *run = last_run(o, &runs);
    struct heading h = heading_of(o, run);
    for (size_t i = 0; i < o->nlines; i++)
        if (!o->lines[i].run || !strcmp(o->lines[i].run, run))
            flows += take_sample(sink, &o->lines[i], h.target);
    if (!flows)
        return no_test(r, path, o, run);
    if (o->open_quotes)
        reckon_note(r, "%s: on %s a quote is not closed and takes in the rest (the first is line %lu)",
                    reckon_printable(r, path), reckon_count(r, o->open_quotes, "line"), o->open_line);
    if (runs > 1)
        reckon_note(r, "%s holds %zu runs, one after the other: only the last, %s, is read", path, runs, run);
    reckon_sink_run_id(sink, h.run);
    return settle_mode(r, sink, path, &(struct said){h.mode, path, h.line});
}

/* Empties the lines that hold a NUL byte, which would end the text: how many. */
static size_t empty_cut_lines(char *text, size_t length) {
    size_t lines = 0;
    for (char *end = text + length, *nul; (nul = memchr(text, '\0', (size_t)(end - text))); lines++) {
        char *newline = memchr(nul, '\n', (size_t)(end - nul)), *start = nul;
        while (start > text && start[-1] != '\n')
            start--;
        newline = newline ? newline : end;
        memset(start, ' ', (size_t)(newline - start));
        text = newline;
    }
    return lines;
}

static int read_overlay(struct reckon *r, struct reckon_input *in, struct reckon_sink *sink) {
    struct overlay o = {0};
    size_t length;
    int rc = -1;
    o.text = reckon_read_all(in, LARGEST_OVERLAY, &length);
    if (o.text) {
        size_t cut = empty_cut_lines(o.text, length);
        if (cut)
            reckon_note(r, "%s: %s with a NUL byte left out", reckon_printable(r, reckon_input_path(in)),
                        reckon_count(r, cut, "line"));
        split_lines(&o);
        rc = take_run(r, sink, reckon_input_path(in), &o);
    }
    free(o.text);
    free(o.lines);
    free(o.headings);
    return rc;
}

/* ---- which of the forms it is ---- */

static const char *first_line(const struct reckon_head *head) {
    const char *s = head->data;
    while (*s == '\n' || *s == '\r' || is_blank(*s))
        s++;
    return s;
}

static bool is_results(const struct reckon_head *head) {
    return !strncasecmp(first_line(head), "timestamp,", 10);
}

static int read_file(struct reckon *r, const char *path, struct reckon_sink *sink) {
    struct reckon_head head;
    struct reckon_input *in = reckon_open(r, path);
    int rc = -1;
    if (in && !reckon_peek(in, &head))
        rc = is_results(&head) ? read_results(r, in, sink, &(struct said){.mode = NULL}) : read_overlay(r, in, sink);
    reckon_close(in);
    return rc;
}

/* The word in a run's .run_mode, which need not exist. */
static int read_mode(struct reckon *r, const char *path, struct said *said) {
    static const char blanks[] = " \t\r\n";
    struct stat st;
    size_t length;
    *said = (struct said){.path = path, .line = 1};
    if (stat(path, &st))
        return 0;
    struct reckon_input *in = reckon_open(r, path);
    char *text = in ? reckon_read_all(in, LARGEST_MODE_FILE, &length) : NULL;
    reckon_close(in);
    if (!text)
        return -1;
    const char *word = text + strspn(text, blanks), *end = word + strcspn(word, blanks);
    for (const char *s = text; s < word; s++)
        said->line += *s == '\n';
    int rc = end + strspn(end, blanks) < text + length
                 ? reckon_error(r, path, said->line, "expected one word, how the tests were driven")
                 : 0;
    if (*word)
        said->mode = reckon_strndup(r, word, (size_t)(end - word));
    free(text);
    return rc;
}

static int read_directory(struct reckon *r, const char *path, struct reckon_sink *sink) {
    const char *results = reckon_text(r, "%s/iperf_results.csv", path);
    struct said said;
    struct stat st;
    if (stat(results, &st))
        return reckon_error(r, path, 0, "the directory holds no iperf_results.csv");
    if (read_mode(r, reckon_text(r, "%s/.run_mode", path), &said))
        return -1;
    struct reckon_input *in = reckon_open(r, results);
    int rc = in ? read_results(r, in, sink, &said) : -1;
    reckon_close(in);
    return rc;
}

static int read_run(struct reckon *r, const char *const *paths, size_t count, struct reckon_sink *sink) {
    struct stat st;
    (void)count; /* --iperf takes one path */
    bool directory = strcmp(paths[0], "-") && !stat(paths[0], &st) && S_ISDIR(st.st_mode);
    return directory ? read_directory(r, paths[0], sink) : read_file(r, paths[0], sink);
}

static int recognise(const struct reckon_head *head) {
    static const char *const marking[] = {"source", "target", "status", "mbps", NULL};
    if (is_results(head)) /* without its columns it is less than a guess that others are told about */
        return reckon_head_has_columns(head, marking) ? 90 : 30;
    const char *s = first_line(head);
    if (!strncmp(s, "# iperf-orchestrator", 20))
        return 90;
    for (; s; s = strchr(s, '\n')) {
        s += *s == '\n';
        s += strncmp(s, "iperf_", 6) ? 0 : 6;
        if (!strncmp(s, "mbps_out", 8) && is_blank(s[8]))
            return 70;
    }
    return 0;
}

static const struct reckon_option options[] = {
    IPERF_MODE_OPTION,
    {.type = RECKON_OPTION_END},
};

RECKON_PLUGIN(run, iperf) = {
    .name = "iperf",
    .summary = "a run of iperf_orchestrator: its directory, iperf_results.csv or export-overlay file",
    .options = options,
    .check = iperf_mode_check,
    .run = {.workload = RECKON_TCP, .recognise = recognise, .read_all = read_run},
};
