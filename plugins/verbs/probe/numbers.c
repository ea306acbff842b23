/* SPDX-License-Identifier: Apache-2.0
 *
 * What queue pair number each RNIC has now: the last one registered in the agents' records, which are read as
 * they grow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"

uint32_t numbers_place(struct numbers *n, const char *rnic) {
    uint32_t at = strmap_get(&n->by_rnic, rnic, strlen(rnic));
    if (at != RECKON_NONE || n->count == n->most)
        return at;
    strmap_add(&n->by_rnic, rnic, strlen(rnic), n->count, NULL);
    n->ts[n->count] = RECKON_BLANK;
    return n->count++;
}

static void agent(struct reckon_records *records, double ts, const char *host, const char *rnic, double qpn,
                  const char *event) {
    struct numbers *n = (struct numbers *)records;
    char name[512];
    if (strcmp(event, "register") || !(qpn >= 1 && qpn < UINT32_MAX) || reckon_blank(ts))
        return;
    if (strchr(rnic, '/'))
        snprintf(name, sizeof name, "%s", rnic);
    else
        snprintf(name, sizeof name, "%s/%s", host, rnic);
    uint32_t at = numbers_place(n, name);
    if (at == RECKON_NONE || ts < n->ts[at])
        return;
    n->ts[at] = ts;
    atomic_store(&n->qpn[at], (uint32_t)qpn);
}

void numbers_init(struct numbers *n, struct reckon *r, uint32_t most) {
    *n = (struct numbers){
        .records = {.size = sizeof n->records, .version = RECKON_TRIAGE_VERSION, .agent = agent},
        .most = most};
    strmap_init(&n->by_rnic, r);
    n->qpn = reckon_resize(NULL, most, sizeof *n->qpn);
    n->ts = reckon_resize(NULL, most, sizeof *n->ts);
    for (uint32_t i = 0; i < most; i++)
        atomic_init(&n->qpn[i], 0);
}

void numbers_follow(struct numbers *n, const char *path) {
    n->tails = reckon_resize(n->tails, n->ntails + 1, sizeof *n->tails);
    tail_init(&n->tails[n->ntails++], path, RECORD_AGENT);
}

void numbers_read(struct numbers *n) {
    for (size_t i = 0; i < n->ntails; i++)
        while (tail_read(&n->tails[i], &n->records, 65536))
            continue;
}

void numbers_free(struct numbers *n) {
    for (size_t i = 0; i < n->ntails; i++)
        tail_close(&n->tails[i]);
    free(n->tails);
    strmap_free(&n->by_rnic);
    free(n->qpn);
    free(n->ts);
}
