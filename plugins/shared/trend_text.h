/* SPDX-License-Identifier: Apache-2.0
 *
 * Words and figures that the rules and outputs of trends share, and the lists they are made of. Arena text
 * throughout.
 */
#ifndef SHARED_TREND_TEXT_H
#define SHARED_TREND_TEXT_H

#include <reckon/trend.h>

/* A value with four digits: "12.49 Mpps", "98.03%", "431.0 us", "1.250 Gb/s"; "-" when blank. */
const char *trend_value(struct reckon *r, double x, const char *unit);
/* The same scale for a whole axis: what to divide by, and the unit it then is in ("Mpps"). */
double trend_axis(struct reckon *r, double largest, const char *unit, const char **shown);
/* A share as "+1.2%", "-6.0%"; "-" when blank. */
const char *trend_share(struct reckon *r, double share);
/* "2024-03-01 02:00" in UTC; the bare number for a time no calendar has. */
const char *trend_date(struct reckon *r, double ts);
/* "2024-03-01". */
const char *trend_day(struct reckon *r, double ts);
/* How a run is called: "run nightly-12 (2024-03-01 02:00)", "the run of 2024-03-01 02:00". */
const char *trend_run_name(struct reckon *r, const struct reckon_trend_run *run);
/* "Pass" or "Fail", and "Normal", "Regression", "Progression", "Failed". */
const char *trend_result(enum reckon_trend_comment result);
const char *trend_reason(enum reckon_trend_comment result);
/* " {testbed 2n-icx, cores 1}": what tells tests of one name apart, with a blank before; "" for none. */
const char *trend_attributes(struct reckon *r, const struct reckon_trend *t, size_t test);

/* Whether nobody runs a test any more: its last run is older than three weeks, and than --days, before the
 * newest of the history. What it ended with is no news. True for a test without runs. */
bool trend_retired(const struct reckon *r, const struct reckon_trend *t, size_t test);
/* A note about tests that ended badly and are retired: how many, how they ended ("with a regression"), and
 * one of them. None for 0. */
void trend_note_retired(struct reckon *r, size_t count, const char *how, const char *one);

/* ---- changes: a group that starts lower or higher than the one before ends ---- */

struct trend_change {
    size_t test, group;
    struct reckon_trend_run run;  /* that starts it */
    struct reckon_trend_run last; /* the one with a value before it */
    double before, after;         /* means of the groups */
    bool newest;                  /* the test's last run started it */
};
/* A test's group as a change; false when it is none. */
bool trend_change_at(const struct reckon_trend *t, size_t test, size_t group, struct trend_change *out);
/* Every change of that kind (NORMAL: of both) since that time, newest first, then by test. Arena array. */
struct trend_change *trend_changes(struct reckon *r, const struct reckon_trend *t,
                                   enum reckon_trend_comment kind, double since, size_t *count);
/* "from 98.00% to 92.10% (-6.0%)", "from 0.000 to 5.000". */
const char *trend_change_text(struct reckon *r, const struct trend_change *c, const char *unit);

/* ---- order ---- */

/* Test indices, worst long-term change first (for a test where lower is better the largest), blank last, then
 * by name. */
size_t *trend_worst_first(struct reckon *r, const struct reckon_trend *t);

#endif
