/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts every JSON document has (json_common.h).
 */
#include "json_common.h"

void json_verdict(struct json_document *d) {
    const char *rule = NULL, *text = NULL;
    enum reckon_severity severity;
    if (!reckon_verdict(d->r, &rule, &severity, &text)) {
        json_value(d, "verdict", cJSON_CreateNull());
        return;
    }
    cJSON *o = cJSON_CreateObject();
    json_text(d->r, o, "rule_id", rule);
    json_text(d->r, o, "severity", reckon_severity_word(severity));
    json_text(d->r, o, "text", text);
    json_value(d, "verdict", o);
}

void json_findings(struct json_document *d) {
    json_open(d, "findings", '[');
    for (size_t i = 0; i < reckon_finding_count(d->r); i++) {
        const struct reckon_finding *f = reckon_finding_at(d->r, i);
        cJSON *o = cJSON_CreateObject();
        json_text(d->r, o, "detail", reckon_finding_detail(f));
        json_text(d->r, o, "fix", reckon_finding_fix(f));
        json_text(d->r, o, "host", reckon_finding_host(f));
        if (reckon_finding_known(f))
            json_bool(o, "known", true);
        json_text(d->r, o, "rule_id", reckon_finding_rule(f));
        json_text(d->r, o, "severity", reckon_severity_word(reckon_finding_severity(f)));
        json_text(d->r, o, "title", reckon_finding_title(f));
        json_value(d, NULL, o);
    }
    json_close(d, ']');
}

void json_skipped(struct json_document *d) {
    json_open(d, "skipped", '[');
    const char *rule;
    for (size_t i = 0; (rule = reckon_skipped_rule(d->r, i)); i++) {
        cJSON *o = cJSON_CreateObject();
        json_text(d->r, o, "reason", reckon_skipped_reason(d->r, i));
        json_text(d->r, o, "rule_id", rule);
        json_value(d, NULL, o);
    }
    json_close(d, ']');
}

static cJSON *sentences(struct reckon *r, const char *(*at)(const struct reckon *, size_t)) {
    cJSON *all = cJSON_CreateArray();
    const char *text;
    for (size_t i = 0; (text = at(r, i)); i++)
        json_push_text(r, all, text);
    return all;
}

cJSON *json_notes(struct reckon *r) {
    return sentences(r, reckon_note_at);
}

cJSON *json_assumptions(struct reckon *r) {
    return sentences(r, reckon_assumption_at);
}

cJSON *json_missing(struct reckon *r, const struct reckon_comparison *c) {
    cJSON *names = cJSON_CreateArray();
    const char *name;
    for (size_t i = 0; (name = reckon_baseline_missing(c, i)); i++)
        json_push_text(r, names, name);
    return names;
}
