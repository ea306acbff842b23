/* SPDX-License-Identifier: Apache-2.0
 *
 * --links: every link of a run or a plan, one a row: what it carries, what it should, and how many flows it
 * limits. Capacities and loads are bits/s, those of kind pps packets/s; a blank cell is not known.
 */
#include <reckon/plan.h>
#include <reckon/plugin.h>

#include <string.h>

#include "../shared/links.h"

static void figure(struct reckon_writer *w, double x) {
    reckon_put(w, ",");
    reckon_put_fixed(w, x, 3);
}

static void row(const struct reckon_comparison *c, struct reckon_writer *w, uint32_t l) {
    reckon_printf(w, "%s,", link_kind_word(c, l));
    reckon_put_cell(w, link_owner(c, l));
    reckon_put(w, reckon_link_out(c, l) ? ",out" : ",in");
    figure(w, reckon_link_capacity(c, l));
    figure(w, reckon_link_expected_load(c, l));
    figure(w, reckon_link_load(c, l));
    figure(w, link_expected_pct(c, l));
    figure(w, reckon_link_utilisation(c, l));
    reckon_printf(w, ",%u,%u\n", reckon_link_flows(c, l), reckon_link_limited(c, l));
}

static int write_links(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_plan *plan = strcmp(reckon_subject(r), "plan") ? NULL : subject;
    const struct reckon_comparison *c = !plan ? subject : plan->then ? plan->then : plan->now;
    struct link_list all = link_list(r, c);
    reckon_put(w, "kind,owner,way,capacity,expected_load,achieved_load,expected_pct,achieved_pct,flows,"
                  "limited_flows\n");
    for (uint32_t i = 0; i < all.count && !reckon_write_failed(w); i++)
        row(c, w, all.at[i]);
    return 0;
}

RECKON_PLUGIN(output, links) = {
    .name = "links",
    .summary = "every link as CSV: capacity, expected and achieved load, flows",
    .output = {.on = "run plan", .write = write_links},
};
