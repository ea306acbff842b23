/* SPDX-License-Identifier: Apache-2.0
 *
 * A transport within the process whose faults the test decides: what becomes of each message, one by one.
 */
#ifndef TESTS_BENCH_PIPE_H
#define TESTS_BENCH_PIPE_H

#include <reckon/transport.h>

#include "../../plugins/verbs/bench_common/message.h"

enum fate { FATE_DELIVER, FATE_DROP, FATE_TWICE, FATE_BUSY, FATE_GARBLE, FATE_HOLD };

/* Called for every message under one lock, with its head and how many came before. FATE_HOLD: it comes after
 * the next. */
typedef enum fate fate_of_message(void *user, const struct head *h, unsigned nth);

extern const struct reckon_transport pipe_transport;

/* A new test: no endpoint is open, nothing was sent. fate NULL: all are delivered. */
void pipe_begin(fate_of_message *fate, void *user);
/* Puts bytes of the test's own into the endpoint on that port, as if they came from the one on `from`. */
void pipe_inject(unsigned port, unsigned from, const struct head *h, const void *body, size_t size);
/* How often somebody was told that the endpoint is busy, and did not wait until it is writable. */
unsigned pipe_impatient(void);
/* True when all that was sent has been taken in. */
bool pipe_is_empty(void);

#endif
