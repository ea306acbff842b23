/* SPDX-License-Identifier: Apache-2.0
 *
 * The records behind <reckon/finding.h>. Not installed.
 */
#ifndef RECKON_CORE_FINDINGS_STATE_H
#define RECKON_CORE_FINDINGS_STATE_H

#include "modules.h"

struct reckon_finding {
    const struct reckon_plugin *rule;
    size_t order; /* of the rule */
    enum reckon_severity severity;
    const char *host, *detail, *fix;
    bool known;
};

struct skipped {
    const char *rule, *reason;
};

struct findings {
    struct reckon_finding **at;
    size_t count, cap;
    struct skipped *skipped;
    size_t nskipped, skipped_cap;
    const char *verdict, *verdict_rule;
    enum reckon_severity verdict_severity;
    const struct module *rule; /* being evaluated */
    size_t order;              /* its place */
    const struct reckon_known *known;
    double now;
};

void findings_skip(struct reckon *r, const char *rule, const char *reason);
void findings_sort(struct reckon *r);
bool is_known(const struct reckon_known *known, const char *rule, const char *host, double now);

#endif
