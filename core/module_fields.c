/* SPDX-License-Identifier: Apache-2.0
 *
 * Which fields of a description its kind cannot do without.
 */
#include <string.h>

#include "modules.h"

enum need { TEXT, CALL, NUMBER };

static const struct field {
    enum reckon_kind kind; /* 0: every kind */
    const char *name;
    size_t at, instead; /* instead: another field that will do; 0 for none */
    enum need need;
} fields[] = {
#define AT(member) offsetof(struct reckon_plugin, member)
    {0, ".name", AT(name), 0, TEXT},
    {0, ".summary", AT(summary), 0, TEXT},
    {RECKON_KIND_layout, ".layout.recognise", AT(layout.recognise), 0, CALL},
    {RECKON_KIND_layout, ".layout.read", AT(layout.read), 0, CALL},
    {RECKON_KIND_run, ".run.workload", AT(run.workload), 0, NUMBER},
    {RECKON_KIND_run, ".run.recognise", AT(run.recognise), 0, CALL},
    {RECKON_KIND_run, ".run.read", AT(run.read), AT(run.read_all), CALL},
    {RECKON_KIND_context, ".context.role", AT(context.role), 0, TEXT},
    {RECKON_KIND_context, ".context.recognise", AT(context.recognise), 0, CALL},
    {RECKON_KIND_context, ".context.read", AT(context.read), 0, CALL},
    {RECKON_KIND_rule, ".rule.title", AT(rule.title), 0, TEXT},
    {RECKON_KIND_rule, ".rule.why", AT(rule.why), 0, TEXT},
    {RECKON_KIND_rule, ".rule.on", AT(rule.on), 0, TEXT},
    {RECKON_KIND_rule, ".rule.evaluate", AT(rule.evaluate), 0, CALL},
    {RECKON_KIND_output, ".output.on", AT(output.on), 0, TEXT},
    {RECKON_KIND_output, ".output.write", AT(output.write), 0, CALL},
    {RECKON_KIND_verb, ".verb.main", AT(verb.main), 0, CALL},
    {RECKON_KIND_transport, ".transport", AT(transport), 0, CALL},
#undef AT
};

/* Whether the field holds anything: pointers to data and to functions, and numbers, are all zero when they were left out. */
static bool filled(const struct reckon_plugin *p, size_t at, enum need need) {
    static const char nothing[sizeof(void (*)(void))];
    const char *value = (const char *)p + at;
    if (need == NUMBER)
        return memcmp(value, nothing, sizeof(int)) != 0;
    if (!memcmp(value, nothing, sizeof(void *)))
        return false;
    const char *text;
    memcpy(&text, value, sizeof text);
    return need != TEXT || *text;
}

const char *module_lacks(enum reckon_kind kind, const struct reckon_plugin *p, const char *after) {
    bool on = !after;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct field *f = &fields[i];
        if (on && (!f->kind || f->kind == kind) && !filled(p, f->at, f->need) &&
            !(f->instead && filled(p, f->instead, f->need)))
            return f->name;
        on = on || f->name == after;
    }
    return NULL;
}
