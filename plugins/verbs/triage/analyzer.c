/* SPDX-License-Identifier: Apache-2.0
 *
 * The Analyzer's beginning and end: everything it holds is made here and freed here.
 */
#include <stdlib.h>

#include "analyzer.h"

int analyzer_start(struct analyzer *a, struct reckon *r, const struct settings *set, bool follow) {
    *a = (struct analyzer){.r = r, .set = *set, .last_judged = INT64_MIN};
    if (topology_build(r, &a->topo))
        return -1;
    records_init(a);
    cables_init(&a->cables, &a->topo);
    routes_init(&a->routes);
    strmap_init(&a->texts, r);
    tracker_init(a);
    a->follow = follow;
    a->most_open = 3 + (size_t)(a->set.grace / a->set.period);
    a->hosts = reckon_alloc(r, a->topo.nhosts * sizeof *a->hosts);
    a->rnics = reckon_alloc(r, a->topo.nrnics * sizeof *a->rnics);
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        a->hosts[h].first_seen = a->hosts[h].last_seen = RECKON_BLANK;
    for (uint32_t n = 0; n < a->topo.nrnics; n++)
        a->rnics[n].newest = a->rnics[n].newest_event = a->rnics[n].charged_until = RECKON_BLANK;
    return 0;
}

void analyzer_finish(struct analyzer *a) {
    for (uint32_t h = 0; a->hosts && h < a->topo.nhosts; h++)
        free(a->hosts[h].uploads.at);
    for (uint32_t n = 0; a->rnics && n < a->topo.nrnics; n++)
        free(a->rnics[n].registered.at);
    if (a->pending)
        free(a->pending->figures);
    tally_free(a->pending);
    tally_free(a->resting);
    periods_free(a);
    if (a->tracker)
        tracker_free(a);
    strmap_free(&a->texts);
    routes_free(&a->routes);
    cables_free(&a->cables);
    topology_free(&a->topo);
    free(a->ahead);
    free(a->metric.at);
    free(a->values);
    free(a->keys);
    free(a->offsets);
}
