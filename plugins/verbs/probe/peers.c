/* SPDX-License-Identifier: Apache-2.0
 *
 * Whom an agent answers: the far ends of its own host's lists, and nobody else, so that it is no reflector.
 */
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"

/* By family and address; ports do not count. */
static int address_order(const void *a, const void *b) {
    const struct sockaddr_storage *x = a, *y = b;
    if (x->ss_family != y->ss_family)
        return x->ss_family < y->ss_family ? -1 : 1;
    if (x->ss_family == AF_INET)
        return memcmp(&((const struct sockaddr_in *)x)->sin_addr, &((const struct sockaddr_in *)y)->sin_addr,
                      4);
    return memcmp(&((const struct sockaddr_in6 *)x)->sin6_addr, &((const struct sockaddr_in6 *)y)->sin6_addr,
                  16);
}

void peers_set(struct peers *p, struct sockaddr_storage *at, size_t count) {
    if (count)
        qsort(at, count, sizeof *at, address_order);
    pthread_mutex_lock(&p->lock);
    free(p->at);
    p->at = at;
    p->count = count;
    pthread_mutex_unlock(&p->lock);
}

bool peers_know(struct peers *p, const struct sockaddr_storage *a) {
    pthread_mutex_lock(&p->lock);
    bool known = p->count && bsearch(a, p->at, p->count, sizeof *p->at, address_order);
    pthread_mutex_unlock(&p->lock);
    return known;
}

void peers_free(struct peers *p) {
    free(p->at);
}

bool resolve(const char *end, uint16_t port, struct sockaddr_storage *out, socklen_t *length) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *found;
    if (address_parse(end, port, out, length))
        return true;
    if (getaddrinfo(end, NULL, &hints, &found))
        return false;
    char text[TUPLE_END];
    struct sockaddr_storage first = {0};
    memcpy(&first, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return address_parse(address_text(&first, text), port, out, length);
}
