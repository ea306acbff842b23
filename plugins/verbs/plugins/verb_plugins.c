/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon plugins`: which modules there are and what became of each; a skeleton for a new one; everything
 * that is wrong with one.
 */
#include <stdio.h>
#include <string.h>

#include "plugins.h"

#define GRAVE 20 /* the status when a module cannot be used */

/* ---- check FILE ---- */

struct complaints {
    struct reckon *r;
    size_t grave, other;
};

static void complaint(void *user, bool grave, const char *text) {
    struct complaints *c = user;
    c->grave += grave;
    c->other += !grave;
    printf("  %s  %s\n", grave ? "wrong" : "note ", reckon_printable(c->r, text));
    fflush(stdout); /* what was said stays said when the module crashes next */
}

static int check(struct reckon *r, const char *file) {
    struct reckon_module_info m = {.size = sizeof m};
    struct complaints c = {r, 0, 0};
    printf("%s\n", reckon_printable(r, file));
    fflush(stdout);
    reckon_module_check(r, file, &m, complaint, &c);
    printf("  %s %s, ABI %u: ", m.kind, reckon_printable(r, m.name), m.abi);
    if (c.grave)
        printf("%s, it cannot be used like this\n", reckon_count(r, c.grave, "fault"));
    else if (c.other)
        printf("it can be used; %s\n", reckon_count(r, c.other, "note"));
    else
        printf("nothing is wrong with it\n");
    return c.grave ? GRAVE : 0;
}

/* ---- the verb ---- */

static int list(struct reckon *r, void (*write)(struct reckon *r, struct reckon_writer *w),
                const char *path) {
    struct reckon_writer *w = reckon_create(r, path);
    if (!w)
        return -1;
    write(r, w);
    return reckon_commit(w);
}

static bool is_verb(struct reckon *r, const char *name) {
    struct reckon_module_info m = {.size = sizeof m};
    bool found = !strcmp(name, "run");
    for (size_t i = 0; !found && reckon_module_at(r, i, &m); i++)
        found = !strcmp(m.kind, "verb") && !strcmp(m.name, name) && !strcmp(m.state, "loaded");
    return found;
}

static int list_options(struct reckon *r, const char *verb) {
    if (verb && !is_verb(r, verb))
        return reckon_error(r, NULL, 0, "plugins options: there is no verb %s; `run` is the main command",
                            reckon_printable(r, verb));
    struct reckon_writer *w = reckon_create(r, NULL);
    if (!w)
        return -1;
    plugins_options(r, verb, w);
    return reckon_commit(w);
}

static int plugins_main(struct reckon *r) {
    const char *what = reckon_argument(r, 0), *first = what ? reckon_argument(r, 1) : NULL;
    const char *second = first ? reckon_argument(r, 2) : NULL, *third = second ? reckon_argument(r, 3) : NULL;
    const char *path = reckon_option_text(r, "json");
    if (!what)
        return reckon_option_given(r, "json") ? list(r, plugins_json, path) : list(r, plugins_table, NULL);
    if (!strcmp(what, "new") && second && !(third && reckon_argument(r, 4)))
        return plugins_new(r, first, second, third);
    if (!strcmp(what, "check") && first && !second)
        return check(r, first);
    if (!strcmp(what, "options") && !second)
        return list_options(r, first);
    return reckon_error(r, NULL, 0,
                        "plugins: say `plugins`, `plugins new KIND NAME [DIR]`, `plugins check FILE` or "
                        "`plugins options [VERB]`");
}

RECKON_PLUGIN(verb, plugins) = {
    .name = "plugins",
    .summary = "the modules and what became of each; `new`: a skeleton of one; `check`: what is wrong with one "
               "(status 20 when it cannot be used); `options`: every option, for manuals",
    .options =
        (const struct reckon_option[]){
            {.name = "json",
             .type = RECKON_OPTIONAL_PATH,
             .value_name = "PATH",
             .group = "output",
             .help = "the table as JSON"},
            {.type = RECKON_OPTION_END},
        },
    .verb =
        {
            .usage = "reckon plugins [--json [PATH]]\n"
                     "       reckon plugins new KIND NAME [DIR]\n"
                     "       reckon plugins check FILE\n"
                     "       reckon plugins options [VERB]",
            .arguments = true,
            .main = plugins_main,
        },
};
