/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading options from the command line (getopt_long) and the environment, and checking every value before
 * any file is opened.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* ---- one value ---- */

/* "at least 68", "above 0 and at most 100": the bounds in words. */
static const char *bounds_text(struct reckon *r, const struct reckon_option *o) {
    char low[RECKON_NUMBER_SIZE], high[RECKON_NUMBER_SIZE];
    const char *from =
        reckon_text(r, "%s %s", o->above ? "above" : "at least", reckon_number_text(o->min, low));
    if (isinf(o->max))
        return from;
    return reckon_text(r, "%s and at most %s", from, reckon_number_text(o->max, high));
}

static int check_number(struct reckon *r, struct setting *o, const char *value) {
    const struct reckon_option *s = &o->spec;
    double x = reckon_number(value, strlen(value));
    bool whole = s->type == RECKON_WHOLE;
    if (reckon_blank(x) || (whole && x != floor(x)))
        return reckon_error(r, NULL, 0, "%s: '%s' is not a %s", o->from, reckon_printable(r, value),
                            whole ? "whole number" : "number");
    if (!option_takes(s, x))
        return reckon_error(r, NULL, 0, "%s: %s must be %s", o->from, reckon_printable(r, value),
                            bounds_text(r, s));
    o->number = x;
    return 0;
}

static int check_choice(struct reckon *r, const struct setting *o, const char *value) {
    char *all = reckon_strdup(r, "");
    for (const char *const *c = o->spec.choices; *c; c++) {
        if (!strcmp(*c, value))
            return 0;
        all = reckon_text(r, "%s%s%s", all, *all ? ", " : "", *c);
    }
    return reckon_error(r, NULL, 0, "%s: '%s' is none of %s", o->from, reckon_printable(r, value), all);
}

static int check_value(struct reckon *r, struct setting *o, const char *value) {
    switch (o->spec.type) {
    case RECKON_NUMBER:
    case RECKON_WHOLE:
        return check_number(r, o, value);
    case RECKON_CHOICE:
        return check_choice(r, o, value);
    case RECKON_FLAG:
        return 0;
    default:
        return *value ? 0 : reckon_error(r, NULL, 0, "%s: must not be empty", o->from);
    }
}

static int set(struct reckon *r, struct setting *o, const char *value, const char *from) {
    bool many = o->spec.type == RECKON_PATHS || o->spec.type == RECKON_LIST;
    o->given = true;
    o->from = from;
    if (!value)
        return 0;
    if (!many)
        o->values.count = 0;
    strings_add(&o->values, value);
    return check_value(r, o, value);
}

/* ---- the command line ---- */

static int unknown(struct reckon *r, const char *word) {
    const char *best = NULL;
    size_t least = 4;
    for (size_t i = 0; i < r->options->count; i++) {
        const char *name = r->options->at[i].spec.name;
        size_t d = reckon_distance(word + 2, name);
        if (d < least && d < strlen(name)) {
            least = d;
            best = name;
        }
    }
    if (best)
        return reckon_error(r, NULL, 0, "unknown option %s; did you mean --%s?", reckon_printable(r, word),
                            best);
    return reckon_error(r, NULL, 0, "unknown option %s; --help lists them", reckon_printable(r, word));
}

/* Abbreviations are refused: a module added next year must not change what a script says today. */
static int check_names(struct reckon *r, int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--"); i++) {
        if (strncmp(argv[i], "--", 2))
            continue;
        char *name = reckon_strndup(r, argv[i] + 2, strcspn(argv[i] + 2, "="));
        if (!option_named(r, name))
            return unknown(r, argv[i]);
    }
    return 0;
}

static bool looks_like_option(const char *word) {
    return word[0] == '-' && word[1] == '-';
}

/* A word that is no option belongs to the list or the optional path before it, else it is a plain argument.
 */
static int plain_word(struct reckon *r, struct setting **open, const char *word) {
    struct setting *o = *open;
    if (!o && !*word)
        return reckon_error(r, NULL, 0, "an argument must not be empty");
    if (!o) {
        strings_add(&r->options->arguments, word);
        return 0;
    }
    if (o->spec.type == RECKON_OPTIONAL_PATH)
        *open = NULL;
    return set(r, o, word, o->from);
}

static int one_option(struct reckon *r, struct setting *o, const char *value, struct setting **open) {
    bool path = o->spec.type == RECKON_PATH || o->spec.type == RECKON_PATHS;
    const char *from = reckon_text(r, "--%s", o->spec.name);
    if (path && value && looks_like_option(value))
        return reckon_error(r, NULL, 0, "%s needs a %s", from, o->spec.value_name);
    *open = o->spec.type == RECKON_PATHS || (o->spec.type == RECKON_OPTIONAL_PATH && !value) ? o : NULL;
    return set(r, o, value, from);
}

static int argument_need(enum reckon_option_type type) {
    return type == RECKON_FLAG            ? no_argument
           : type == RECKON_OPTIONAL_PATH ? optional_argument
                                          : required_argument;
}

static struct option *getopt_table(struct reckon *r) {
    size_t n = r->options->count;
    struct option *table = reckon_alloc(r, (n + 1) * sizeof *table);
    for (size_t i = 0; i < n; i++)
        table[i] =
            (struct option){r->options->at[i].spec.name, argument_need(r->options->at[i].spec.type), NULL, 0};
    return table;
}

static int read_words(struct reckon *r, int argc, char **argv) {
    struct option *table = getopt_table(r);
    struct setting *open = NULL;
    int c, index = 0;
    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, "-:h", table, &index)) != -1) {
        if (c == 0 && one_option(r, &r->options->at[index], optarg, &open))
            return -1;
        if (c == 1 && plain_word(r, &open, optarg))
            return -1;
        if (c == 'h')
            option_named(r, "help")->given = true;
        if (c == ':')
            return reckon_error(r, NULL, 0, "%s needs a value", argv[optind - 1]);
        if (c == '?')
            return reckon_error(r, NULL, 0, "unknown or misused option %s; --help lists them",
                                reckon_printable(r, argv[optind - 1]));
    }
    for (; optind < argc; optind++) /* after -- */
        strings_add(&r->options->arguments, argv[optind]);
    return 0;
}

/* ---- environment and defaults ---- */

static int read_environment(struct reckon *r) {
    for (size_t i = 0; i < r->options->count; i++) {
        struct setting *o = &r->options->at[i];
        if (!o->spec.env || o->given)
            continue;
        const char *name = reckon_text(r, "RECKON_%s", o->spec.env);
        const char *value = getenv(name);
        if (value && *value && set(r, o, value, name))
            return -1;
    }
    return 0;
}

static int fill_defaults(struct reckon *r) {
    for (size_t i = 0; i < r->options->count; i++) {
        struct setting *o = &r->options->at[i];
        if (o->given || !o->spec.initial)
            continue;
        o->from = reckon_text(r, "--%s", o->spec.name);
        if (check_value(r, o, o->spec.initial))
            return -1;
    }
    return 0;
}

static int check_paths(struct reckon *r) {
    for (size_t i = 0; i < r->options->count; i++) {
        const struct setting *o = &r->options->at[i];
        if (o->given && o->spec.type == RECKON_PATHS && !o->values.count)
            return reckon_error(r, NULL, 0, "%s needs at least one path", o->from);
    }
    return 0;
}

/* What depends on two options at once; the modules' own checks come after. */
static int check_across(struct reckon *r) {
    if (option_named(r, "short") && option_named(r, "fail") &&
        reckon_option_number(r, "fail") > reckon_option_number(r, "short"))
        return reckon_error(r, NULL, 0, "--fail %g must not be above --short %g",
                            reckon_option_number(r, "fail"), reckon_option_number(r, "short"));
    for (size_t i = 0; i < r->modules->count; i++) {
        const struct module *m = &r->modules->at[i];
        if (m->state == MODULE_LOADED && m->plugin->check && module_of_verb(r, m, r->options->verb)) {
            const struct module *before = module_enter(m);
            int rc = module_answer(r, m, m->plugin->check(r));
            module_leave(before);
            if (rc)
                return -1;
        }
    }
    return 0;
}

/* Whether it is only asked what there is: then nothing need fit together. */
static bool only_asked(const struct reckon *r) {
    static const char *const about[] = {"help", "version", "rules", "explain"};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (reckon_option_given(r, about[i]))
            return true;
    return false;
}

int options_parse(struct reckon *r, int argc, char **argv) {
    if (check_names(r, argc, argv) || read_words(r, argc, argv))
        return -1;
    if (option_named(r, "help")->given)
        return 0;
    if (read_environment(r) || fill_defaults(r) || check_paths(r) || (!only_asked(r) && check_across(r)))
        return -1;
    r->quiet = reckon_flag(r, "quiet");
    r->verbose = reckon_flag(r, "verbose");
    return 0;
}
