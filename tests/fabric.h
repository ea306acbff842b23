/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons put together by hand, for tests and benchmarks of the model: hosts, groups and flows one call
 * each, then fabric_ready(). Hosts are added in order of their names, groups in order of (tier, path), layers
 * of their names.
 */
#ifndef TESTS_FABRIC_H
#define TESTS_FABRIC_H

#include "../core/model.h"

#define NONE RECKON_NONE
#define BLANK RECKON_BLANK

struct reckon_comparison *fabric_new(struct reckon *r, enum reckon_workload workload,
                                     enum reckon_sharing sharing);
/* Its label is the last component of the path. Blank uplinks: none declared. */
uint32_t fabric_group(struct reckon_comparison *c, uint32_t tier, const char *path, double uplinks,
                      double gbps);
/* gbps, mpps blank: not declared; inner, outer: its groups of tier 0 and 1. It has reported. */
uint32_t fabric_host(struct reckon_comparison *c, const char *name, double gbps, double mpps, uint32_t inner,
                     uint32_t outer);
/* Request and reply bytes; or the MTU; or the datagram. */
uint32_t fabric_shape(struct reckon_comparison *c, double size, double reply);
uint32_t fabric_layer(struct reckon_comparison *c, const char *name);
/* Layer 0: none. The flow's record, valid until the next one is added. */
struct flow *fabric_flow(struct reckon_comparison *c, uint32_t src, uint32_t dst, uint32_t layer,
                         uint32_t shape, double demand, double achieved);
/* One flow from every host to every other, all alike. */
void fabric_all_to_all(struct reckon_comparison *c, uint32_t shape, double demand, double achieved);
/* Sorts the flows and makes the links. */
void fabric_ready(struct reckon_comparison *c);
void fabric_free(struct reckon_comparison *c);

#endif
