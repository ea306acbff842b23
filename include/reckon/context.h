/* SPDX-License-Identifier: Apache-2.0
 *
 * Context: what a run is read against. A context reader names the role it fills; each role has its own target
 * that the reader's `read` is given as `into`:
 *
 *   role       option              into
 *   idle       --idle PATH...      struct reckon_idle *
 *   speeds     --speeds FILE       struct reckon_speeds *
 *   names      --names FILE        struct reckon_names *
 *   baseline   --baseline FILE     struct reckon_baseline *
 *   known      --known FILE        struct reckon_known *
 *
 * A verb registers further roles with targets of its own (<reckon/trend.h>, <reckon/triage.h>).
 */
#ifndef RECKON_CONTEXT_H
#define RECKON_CONTEXT_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reckon_idle;
struct reckon_speeds;
struct reckon_names;
struct reckon_baseline;
struct reckon_known;

/* One idle measurement of the directed pair: p50 RTT in us (blank: none) and a confirmed path MTU in bytes
 * (blank: none). A blank ts is never left out. The core leaves out and counts what lies inside the measured
 * run, and keeps the median RTT and the last MTU (outside 68…65535: ignored) of each pair. */
void reckon_idle_add(struct reckon_idle *idle, double ts, const char *host, const char *peer,
                     double rtt_p50_us, double path_mtu);

/* The link speed the host reports, Mb/s (blank, zero or negative: it reports none), with the cell's own text.
 * The last call for a host counts. */
void reckon_speeds_add(struct reckon_speeds *speeds, const char *host, double mbps, const char *raw);

/* `measured` in any run file is `layout` in the layout; the last call for a name counts. The other layout
 * name it had before, for an error; NULL when it had none. */
const char *reckon_names_add(struct reckon_names *names, const char *measured, const char *layout);

/* An earlier reckoning. Texts may be NULL, ts blank. `describe` is how that run was described. */
void reckon_baseline_about(struct reckon_baseline *b, const char *label, double ts, const char *unit,
                           const char *describe);
/* A host's efficiency then, percent (blank: it was not compared), and the NIC speed its model used (blank:
 * none). */
void reckon_baseline_host(struct reckon_baseline *b, const char *host, double efficiency_pct);
void reckon_baseline_nic(struct reckon_baseline *b, const char *host, double nic_gbps);
void reckon_baseline_flow(struct reckon_baseline *b, const char *src, const char *dst, const char *layer,
                          double efficiency_pct);
/* Counts a value that could not be used. */
void reckon_baseline_unreadable(struct reckon_baseline *b);

/* A known fault: findings of `rule` about `host` ("*": any) stay in the report, marked, but out of the exit
 * status, until `until` (seconds since 1970, the day's end; blank: for ever). */
void reckon_known_add(struct reckon_known *known, const char *rule, const char *host, double until);
/* For a verb whose name is among those of the module `known`: reads --known, if it was given, before the
 * rules are asked. `now` is what its dates are held against. 0, or -1 after an error. */
int reckon_read_known(struct reckon *r, double now);

#ifdef __cplusplus
}
#endif
#endif
