/* SPDX-License-Identifier: Apache-2.0
 *
 * The modules as a table for people and as JSON, and the options of the verbs for whoever makes manuals of
 * them.
 */
#include <stdlib.h>
#include <string.h>

#include "plugins.h"

/* ---- the table ---- */

enum { COLUMNS = 7 };

struct line {
    const char *cell[COLUMNS];
};

static struct line line_of(struct reckon *r, const struct reckon_module_info *m) {
    return (struct line){{m->kind, reckon_printable(r, m->name), m->version ? m->version : "-",
                          m->abi ? reckon_text(r, "%u", m->abi) : "-", reckon_printable(r, m->file), m->state,
                          m->why ? reckon_printable(r, m->why) : ""}};
}

static void put_line(struct reckon_writer *w, const struct line *l, const size_t width[COLUMNS]) {
    size_t last = COLUMNS;
    while (last && !*l->cell[last - 1])
        last--;
    for (size_t i = 0; i < last; i++) {
        reckon_put(w, l->cell[i]);
        if (i + 1 < last)
            reckon_printf(w, "%*s", (int)(width[i] - reckon_columns(l->cell[i]) + 2), "");
    }
    reckon_put(w, "\n");
}

void plugins_table(struct reckon *r, struct reckon_writer *w) {
    struct line *lines = NULL;
    size_t n = 0, cap = 0, width[COLUMNS] = {0};
    struct reckon_module_info m = {.size = sizeof m};
    lines = reckon_grow(lines, n, &cap, sizeof *lines);
    lines[n++] = (struct line){{"KIND", "NAME", "VERSION", "ABI", "FILE", "STATE", "WHY"}};
    for (size_t i = 0; reckon_module_at(r, i, &m); i++) {
        lines = reckon_grow(lines, n, &cap, sizeof *lines);
        lines[n++] = line_of(r, &m);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < COLUMNS; k++)
            if (width[k] < reckon_columns(lines[i].cell[k]))
                width[k] = reckon_columns(lines[i].cell[k]);
    for (size_t i = 0; i < n; i++)
        put_line(w, &lines[i], width);
    free(lines);
}

/* ---- JSON ---- */

static void put_member(struct reckon_writer *w, const char *name, const char *text) {
    reckon_printf(w, "\"%s\": ", name);
    if (text)
        reckon_put_json(w, text);
    else
        reckon_put(w, "null");
}

void plugins_json(struct reckon *r, struct reckon_writer *w) {
    struct reckon_module_info m = {.size = sizeof m};
    reckon_put(w, "{");
    put_member(w, "tool", "reckon");
    reckon_put(w, ", ");
    put_member(w, "version", reckon_version());
    reckon_printf(w, ", \"abi\": %u, \"modules\": [", RECKON_ABI);
    for (size_t i = 0; reckon_module_at(r, i, &m); i++) {
        const struct {
            const char *name, *text;
        } members[] = {{"kind", m.kind}, {"name", m.name},   {"version", m.version}, {"summary", m.summary},
                       {"file", m.file}, {"state", m.state}, {"why", m.why}};
        reckon_put(w, i ? ",\n  {" : "\n  {");
        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            put_member(w, members[k].name, members[k].text);
            reckon_put(w, ", ");
        }
        if (m.abi)
            reckon_printf(w, "\"abi\": %u}", m.abi);
        else
            reckon_put(w, "\"abi\": null}");
    }
    reckon_put(w, "\n]}\n");
}

/* ---- options ---- */

static const char *type_word(enum reckon_option_type type) {
    static const char *const words[] = {"end",    "flag", "number", "whole",         "text",
                                        "choice", "path", "paths",  "optional-path", "list"};
    return (size_t)type < sizeof words / sizeof *words ? words[type] : "?";
}

/* "rack,pod" of a choice's values; "68..65535" of a number's bounds, an open end left out; "" for neither. */
static const char *bounds(struct reckon *r, const struct reckon_option *o) {
    char low[RECKON_NUMBER_SIZE], high[RECKON_NUMBER_SIZE];
    const char *all = "";
    for (const char *const *c = o->type == RECKON_CHOICE ? o->choices : NULL; c && *c; c++)
        all = reckon_text(r, "%s%s%s", all, *all ? "," : "", *c);
    if ((o->type != RECKON_NUMBER && o->type != RECKON_WHOLE) || (o->min == 0 && o->max == 0 && !o->above))
        return all;
    return reckon_text(r, "%s%s..%s", o->above ? ">" : "", reckon_number_text(o->min, low),
                       isinf(o->max) ? "" : reckon_number_text(o->max, high));
}

static void put_options(struct reckon *r, const char *verb, bool lead, struct reckon_writer *w) {
    struct reckon_option_info o = {.size = sizeof o};
    for (size_t i = 0; reckon_verb_option_at(r, verb, i, &o); i++) {
        const char *const fields[] = {o.group,
                                      o.heading,
                                      type_word(o.option->type),
                                      o.option->initial,
                                      bounds(r, o.option),
                                      o.option->unit,
                                      o.option->env ? reckon_text(r, "RECKON_%s", o.option->env) : NULL,
                                      o.owner,
                                      o.option->help};
        if (lead)
            reckon_printf(w, "%s\t", verb);
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            reckon_printf(w, "%s%s", k ? "\t" : "", fields[k] ? fields[k] : "");
        reckon_put(w, "\n");
    }
}

void plugins_options(struct reckon *r, const char *verb, struct reckon_writer *w) {
    struct reckon_module_info m = {.size = sizeof m};
    if (verb) {
        put_options(r, verb, false, w);
        return;
    }
    put_options(r, "run", true, w);
    for (size_t i = 0; reckon_module_at(r, i, &m); i++)
        if (!strcmp(m.kind, "verb") && !strcmp(m.state, "loaded"))
            put_options(r, m.name, true, w);
}
