/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a page that stands alone: style, script and data in one file that asks for nothing. Its data
 * are JSON in a <script> that no text of a stranger can end; its own script is the only one the browser may
 * run, by its hash.
 */
#ifndef RECKON_PAGE_H
#define RECKON_PAGE_H

#include "../../shared/json_write.h"

enum page_kind { PAGE_RUN, PAGE_RAMP, PAGE_PLAN };

struct page {
    enum page_kind kind;
    struct json_document data; /* members of the data's outermost object go here */
};

/* Writes all that stands before the data. `title` and `text` (for a reader without scripts) are escaped. */
void page_begin(struct page *p, struct reckon *r, struct reckon_writer *w, enum page_kind kind,
                const char *title, const char *text);
/* Writes all that stands behind them. */
void page_end(struct page *p);

/* ---- numbers of rows, which are JSON arrays: "[1,null,2.5]" ---- */

/* A figure in the shortest text that reads back, or with no more digits than any reader is shown. Blank:
 * null. */
void page_push(cJSON *row, double x);
void page_push_short(cJSON *row, double x);
/* An index; RECKON_NONE: -1. */
void page_push_index(cJSON *row, uint32_t i);

/* ---- the data of a comparison (page_data.c, page_floor.c, page_matrix.c) ---- */

/* What is shown of it: a run's own figures, or a plan's. */
struct page_view {
    const struct reckon_comparison *c,
        *before;    /* before: of a plan with a change, what was expected without it */
    double highest; /* of a plan without one, the highest expectation; else blank */
};
/* What a flow is coloured by, in percent: its efficiency; in a plan what the change makes of it; without one
 * its share of the highest. Blank: not known. */
double page_flow_share(const struct page_view *v, uint32_t f);

/* "tiers", "hosts", "groups", "links". */
void page_hardware(struct json_document *d, const struct page_view *v);
void page_floor(struct json_document *d, const struct reckon_comparison *c);
/* "flows": the worst `PAGE_FLOWS` of them, "rest": the others summed up, "histogram" of all, "layers". */
#define PAGE_FLOWS 5000
void page_flows(struct json_document *d, const struct page_view *v);
void page_matrix(struct json_document *d, const struct page_view *v);

#endif
