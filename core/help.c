/* SPDX-License-Identifier: Apache-2.0
 *
 * --help: built from what is loaded.
 */
#include <stdlib.h>
#include <string.h>

#include "help.h"

const char *const option_groups[] = {"inputs", "judgement", "output", "about", NULL};

static const char *usage_of(const struct reckon *r) {
    const struct module *m = module_named(r, RECKON_KIND_verb, r->options->verb);
    if (m)
        return m->plugin->verb.usage ? m->plugin->verb.usage : m->plugin->name;
    return "reckon [LAYOUT] RUN [options]";
}

const char *option_group(const struct setting *o) {
    for (size_t g = 0; o->spec.group && option_groups[g]; g++)
        if (!strcmp(o->spec.group, option_groups[g]))
            return option_groups[g];
    return o->role == OPTION_OUTPUT ? "output" : "judgement";
}

const char *option_heading(struct reckon *r, const struct setting *o) {
    const char *value = o->spec.value_name ? o->spec.value_name : "VALUE";
    if (o->spec.type == RECKON_FLAG)
        return reckon_text(r, "--%s", o->spec.name);
    if (o->spec.type == RECKON_OPTIONAL_PATH)
        return reckon_text(r, "--%s [%s]", o->spec.name, value);
    return reckon_text(r, "--%s %s", o->spec.name, value);
}

/* "[90; RECKON_SHORT]": default and variable. */
static const char *defaults(struct reckon *r, const struct setting *o) {
    const char *initial = o->spec.initial;
    if (!initial && !o->spec.env)
        return "";
    return reckon_text(r, " [%s%s%s%s]", initial ? initial : "", initial && o->spec.env ? "; " : "",
                       o->spec.env ? "RECKON_" : "", o->spec.env ? o->spec.env : "");
}

static const char *choices(struct reckon *r, const struct setting *o) {
    const char *all = "";
    for (const char *const *c = o->spec.choices; o->spec.type == RECKON_CHOICE && *c; c++)
        all = reckon_text(r, "%s%s%s", all, *all ? ", " : ": ", *c);
    return all;
}

#define WIDTH 78
#define COLUMN 30

void print_wrapped(const char *text, size_t column, size_t indent) {
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, " "), wide;
        char *word = strndup(text, n);
        if (!word)
            out_of_memory();
        wide = reckon_columns(word);
        if (!first && column + 1 + wide > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        fputs(word, stdout);
        free(word);
        column += wide;
        text += n + strspn(text + n, " ");
    }
    putchar('\n');
}

static void print_option(const char *head, const char *text) {
    printf("  %-*s", COLUMN - 2, head);
    if (strlen(head) > COLUMN - 3)
        printf("\n%*s", COLUMN, "");
    print_wrapped(text, COLUMN, COLUMN);
}

static void print_group(struct reckon *r, const char *group) {
    bool any = false;
    for (size_t i = 0; i < r->options->count; i++) {
        const struct setting *o = &r->options->at[i];
        if (strcmp(option_group(o), group))
            continue;
        if (!any)
            printf("\n%s\n", group);
        any = true;
        print_option(option_heading(r, o), reckon_text(r, "%s%s%s", o->spec.help ? o->spec.help : "",
                                                       choices(r, o), defaults(r, o)));
    }
}

static void print_verbs(const struct reckon *r) {
    const struct module *m;
    if (strcmp(r->options->verb, "run") || !module_of_kind(r, RECKON_KIND_verb, 0))
        return;
    printf("\nverbs (reckon VERB --help says more)\n");
    for (size_t i = 0; (m = module_of_kind(r, RECKON_KIND_verb, i)); i++)
        print_option(m->plugin->name, m->plugin->summary);
}

void print_help(struct reckon *r) {
    const struct module *m = module_named(r, RECKON_KIND_verb, r->options->verb);
    printf("usage: %s\n\n", usage_of(r));
    print_wrapped(
        m ? m->plugin->summary
          : "What should this run have reached on the hardware that was built, and where did it fall short?",
        0, 0);
    for (size_t g = 0; option_groups[g]; g++)
        print_group(r, option_groups[g]);
    print_verbs(r);
}
