/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking the loaded rules: evaluating them on a subject, listing and explaining them.
 */
#include <string.h>

#include "findings.h"
#include "findings_state.h"
#include "help.h"
#include "options.h"

static const struct module *rule_module(const struct reckon *r, size_t i) {
    return module_of_kind(r, RECKON_KIND_rule, i);
}

static bool listed(const struct reckon *r, const char *option, const char *name) {
    for (size_t i = 0; i < reckon_option_count(r, option); i++)
        if (!strcmp(reckon_option_at(r, option, i), name))
            return true;
    return false;
}

/* The closing sentence is not one of the rules that --only chooses among. */
static bool speaks_last(const struct reckon_plugin *p) {
    return p->rule.rank >= 10000;
}

/* Why the user left the rule out; NULL when it is to run. */
static const char *left_out(const struct reckon *r, const struct reckon_plugin *p) {
    if (listed(r, "skip", p->name))
        return "left out by --skip";
    if (reckon_option_count(r, "only") && !listed(r, "only", p->name) && !speaks_last(p))
        return "left out by --only";
    return NULL;
}

static int evaluate_one(struct reckon *r, const struct module *m, size_t order, void *data) {
    const char *why = left_out(r, m->plugin);
    if (why) {
        findings_skip(r, m->plugin->name, why);
        return 0;
    }
    if (speaks_last(m->plugin))
        findings_sort(r); /* it reads what the others found */
    r->findings->rule = m;
    r->findings->order = order;
    const struct module *before = module_enter(m);
    int rc = module_answer(r, m, m->plugin->rule.evaluate(r, data));
    module_leave(before);
    return rc;
}

int reckon_evaluate(struct reckon *r, const char *subject, void *data) {
    const char *outer = r->subject;
    r->subject = subject;
    int rc = 0;
    const struct module *m;
    for (size_t i = 0; !rc && (m = rule_module(r, i)); i++)
        if (has_word(m->plugin->rule.on, subject))
            rc = evaluate_one(r, m, i, data);
    findings_sort(r);
    r->subject = outer;
    return rc;
}

const char *reckon_rule_at(const struct reckon *r, const char *subject, size_t i, const char **title) {
    const struct module *m;
    for (size_t k = 0; (m = rule_module(r, k)); k++) {
        if ((subject && !has_word(m->plugin->rule.on, subject)) || i--)
            continue;
        if (title)
            *title = m->plugin->rule.title;
        return m->plugin->name;
    }
    return NULL;
}

int rules_check_names(struct reckon *r) {
    static const char *const options[] = {"only", "skip"};
    const char *explain = reckon_option_text(r, "explain");
    if (explain && !module_named(r, RECKON_KIND_rule, explain))
        return reckon_error(r, NULL, 0, "--explain: there is no rule %s; --rules lists them",
                            reckon_printable(r, explain));
    for (size_t o = 0; o < 2; o++)
        for (size_t i = 0; i < reckon_option_count(r, options[o]); i++)
            if (!module_named(r, RECKON_KIND_rule, reckon_option_at(r, options[o], i)))
                return reckon_error(r, NULL, 0, "--%s: there is no rule %s; --rules lists them", options[o],
                                    reckon_printable(r, reckon_option_at(r, options[o], i)));
    return 0;
}

void print_rules(struct reckon *r, const char *only) {
    const struct module *m;
    bool first = true;
    for (size_t i = 0; (m = rule_module(r, i)); i++) {
        const struct reckon_plugin *p = m->plugin;
        bool shown = only ? !strcmp(only, p->name) : module_of_verb(r, m, r->options->verb);
        if (!shown)
            continue;
        printf("%s%s -- %s\n", first ? "" : "\n", p->name, p->rule.title);
        printf("    ");
        print_wrapped(p->rule.why, 4, 4);
        first = false;
    }
}
