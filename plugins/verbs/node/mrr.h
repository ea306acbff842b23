/* SPDX-License-Identifier: Apache-2.0
 *
 * What a trial of drill mrr saw, for reports: of a pair by its place at the worker, once the books are
 * closed.
 */
#ifndef RECKON_NODE_MRR_H
#define RECKON_NODE_MRR_H

#include "worker.h"

struct trial_report mrr_trial(const struct worker *w, uint32_t place, uint32_t trial);

#endif
