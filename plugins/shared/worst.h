/* SPDX-License-Identifier: Apache-2.0
 *
 * The worst few of very many: keeps the k smallest keys it is offered, in O(log k) each, ties to the smaller
 * index.
 */
#ifndef RECKON_WORST_H
#define RECKON_WORST_H

#include <reckon/base.h>

struct worst {
    size_t count, room;
    struct worst_entry {
        double key;
        uint32_t index;
    } * at; /* a heap with the least bad on top, until worst_sort() */
};

/* Room for the `top` worst (a number as an option gives it) of at most `count`. Memory of the session. */
struct worst worst_new(struct reckon *r, double top, uint32_t count);
/* Offers one; a blank key is passed over. */
void worst_offer(struct worst *w, double key, uint32_t index);
/* Puts what was kept in order, the worst first. */
void worst_sort(struct worst *w);

#endif
