/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans on the wire, and what of a plan a node refuses.
 */
#include <stdlib.h>
#include <string.h>

#include <reckon/base.h>

#include "message.h"
#include "plan.h"

static const char *const names[DRILLS] = {"ping", "bulk", "mrr"};

const char *drill_name(enum drill drill) {
    return names[drill];
}

enum drill drill_named(const char *name) {
    int d = 0;
    while (d < DRILLS && strcmp(name, names[d]))
        d++;
    return (enum drill)d;
}

/* The numbers of a plan, in their order on the wire. */
static const struct {
    size_t at, width;
} fields[] = {
#define FIELD(name)                                                                                          \
    { offsetof(struct plan, name), sizeof(((struct plan *)0)->name) }
    FIELD(size),    FIELD(reply),   FIELD(concurrency), FIELD(chunk),  FIELD(window),
    FIELD(buffers), FIELD(workers), FIELD(count),       FIELD(time),   FIELD(rate),
    FIELD(timeout), FIELD(trial),   FIELD(pause),       FIELD(trials),
#undef FIELD
};
#define FIELDS (sizeof fields / sizeof *fields)

void put_plan(struct bytes *to, const struct plan *p) {
    put_number(to, (uint64_t)p->drill, 1);
    put_number(to, p->check, 1);
    put_number(to, p->poisson, 1);
    put_text(to, p->transport);
    for (size_t i = 0; i < FIELDS; i++) {
        const char *at = (const char *)p + fields[i].at;
        put_number(to,
                   fields[i].width == 4 ? *(const uint32_t *)(const void *)at
                                        : *(const uint64_t *)(const void *)at,
                   fields[i].width);
    }
    put_raw(to, p->secret, sizeof p->secret);
    put_number(to, p->npairs, 4);
    for (uint32_t i = 0; i < p->npairs; i++) {
        put_number(to, p->pairs[i].client, 1);
        put_number(to, p->pairs[i].there, 4);
    }
}

static bool get_pairs(struct reader *from, struct plan *p, uint64_t most) {
    uint64_t n = get_number(from, 4);
    if (from->bad || n > most || n > from->left / 5) /* none is shorter than that */
        return false;
    p->pairs = reckon_resize(NULL, n + 1, sizeof *p->pairs);
    p->npairs = (uint32_t)n;
    for (uint32_t i = 0; i < p->npairs; i++) {
        uint64_t client = get_number(from, 1);
        from->bad |= client > 1;
        p->pairs[i].client = client;
        p->pairs[i].there = (uint32_t)get_number(from, 4);
    }
    if (reader_done(from))
        return true;
    free(p->pairs);
    p->pairs = NULL;
    return false;
}

bool get_plan(struct reader *from, struct plan *p, uint64_t most) {
    *p = (struct plan){.npairs = 0};
    uint64_t drill = get_number(from, 1), check = get_number(from, 1), poisson = get_number(from, 1);
    get_text(from, p->transport, sizeof p->transport);
    for (size_t i = 0; i < FIELDS; i++) {
        char *at = (char *)p + fields[i].at;
        uint64_t value = get_number(from, fields[i].width);
        if (fields[i].width == 4)
            *(uint32_t *)(void *)at = (uint32_t)value;
        else
            *(uint64_t *)(void *)at = value;
    }
    get_raw(from, p->secret, sizeof p->secret);
    if (drill >= DRILLS || check > 1 || poisson > 1)
        return false;
    p->drill = (enum drill)drill;
    p->check = check;
    p->poisson = poisson;
    return get_pairs(from, p, most);
}

uint64_t plan_span(const struct plan *p) {
    return p->drill == DRILL_MRR ? p->trials * (p->trial + p->pause) : p->time;
}

/* Bounds that hold whatever the limits are, so that no arithmetic on a plan overflows. */
static const char *out_of_bounds(const struct plan *p) {
    const uint64_t day = UINT64_C(86400000000000);
    bool bulk = p->drill == DRILL_BULK, mrr = p->drill == DRILL_MRR;
    const struct {
        bool wrong;
        const char *why;
    } bounds[] = {
        {!bulk && p->size < HEAD_SIZE, "a message is shorter than its head of 40 bytes"},
        {!p->size, "a buffer is empty"},
        {p->drill == DRILL_PING && p->reply < HEAD_SIZE, "a reply is shorter than its head of 40 bytes"},
        {!p->concurrency || p->concurrency > 65536, "the concurrency is not from 1 to 65536"},
        {!p->workers || p->workers > PLAN_MOST_WORKERS, "the workers are not from 1 to 64"},
        {!p->timeout || p->timeout > PLAN_LONGEST_TIMEOUT, "the timeout is not above 0 and at most 600 s"},
        {p->time > 400 * day, "the time is over 400 days"},
        {p->rate > UINT64_C(1000000000000), "the rate is over 10^9 a second"},
        {mrr && (!p->trial || p->trial > day || p->pause > day), "a trial is not above 0 and at most a day"},
        {mrr && (!p->trials || p->trials > PLAN_MOST_TRIALS), "the trials are not from 1 to 1000"},
        {bulk && (!p->chunk || p->chunk > p->size), "a piece is larger than its buffer, or empty"},
        {bulk && p->window < p->chunk, "the window is smaller than a piece"},
        {!p->npairs, "no peer is named"},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (bounds[i].wrong)
            return bounds[i].why;
    return NULL;
}

const char *plan_refusal(const struct plan *p, const struct limits *l, uint64_t largest) {
    const char *why = out_of_bounds(p);
    uint64_t message = p->drill == DRILL_BULK ? (uint64_t)p->chunk + HEAD_SIZE : p->size;
    if (why)
        return why;
    if (p->size > l->size || p->reply > l->size)
        return "a message or buffer is larger than this node allows (--max-size)";
    if (message > largest || p->reply > largest)
        return "a message is larger than the transport can carry";
    if (p->npairs > l->flows)
        return "it has more flows than this node allows (--max-flows)";
    if (plan_span(p) > l->time)
        return "it takes longer than this node allows (--max-time)";
    return NULL;
}
