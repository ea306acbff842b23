/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs: what a run reader hands over. A reader passes on samples in any order; the core owns the window, the means,
 * the exclusion of idle rows and the cutting of ramps, so every reader gets them for nothing.
 */
#ifndef RECKON_RUN_H
#define RECKON_RUN_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a flow's rate means and what it puts on the wire (the model's arithmetic is doc/model.md). */
enum reckon_workload {
    RECKON_REQUEST_REPLY = 1, /* unit "pps": UDP requests/s of SIZE bytes, each answered by REPLY_SIZE bytes */
    RECKON_TCP,               /* unit "Mb/s": TCP goodput */
    RECKON_UDP,               /* unit "Mb/s": UDP goodput in datagrams of SIZE bytes */
};

/* Which flows shared the fabric while they were measured. */
enum reckon_sharing {
    RECKON_SHARE_LAYER = 1, /* all of one layer (flows without layer: all of them) */
    RECKON_SHARE_ALL,       /* all */
    RECKON_SHARE_SOURCE,    /* those of one sender */
    RECKON_SHARE_NONE,      /* none */
};

/* Figures of a sample. In a flow's record they are means over the window of the values that are there; negative
 * values are skipped like blanks, except LOSS. SIZE and REPLY_SIZE are the last usable value. */
enum reckon_figure {
    RECKON_DEMAND,     /* the target, in the run's unit; blank: unpaced */
    RECKON_SENT,       /* rate sent */
    RECKON_ACHIEVED,   /* rate received: what is judged */
    RECKON_LOSS,       /* percent, may be negative */
    RECKON_RTT_P50,    /* us */
    RECKON_RTT_P99,    /* us */
    RECKON_SIZE,       /* bytes of payload, > 0 */
    RECKON_REPLY_SIZE, /* bytes of payload, >= 0 */
    RECKON_CPU_CORE,   /* host: busiest core, percent */
    RECKON_CPU_AGENT,  /* host: busiest worker of the test program, percent of a core */
    RECKON_CPU_PEAK,   /* host: peak CPU, percent */
    RECKON_CPU_SOFTIRQ,/* host: softirq of one core, percent */
    RECKON_FIGURES
};

enum reckon_sample_kind {
    RECKON_SAMPLE_FLOW = 1, /* host sent to peer: host reported, both took part, and the flow exists */
    RECKON_SAMPLE_HOST,     /* figures of the host itself: it took part and reported */
    RECKON_SAMPLE_SEEN,     /* no figure: host took part and reported, peer (if any) took part */
    RECKON_SAMPLE_PEER,     /* host is named by others: it took part, nothing more */
};

struct reckon_sample {
    size_t size; /* sizeof(struct reckon_sample) */
    enum reckon_sample_kind kind;
    double ts;         /* blank: the run has no time, and the window does not apply */
    const char *host;  /* as written; --names is applied by the core */
    const char *peer;  /* NULL for none */
    const char *layer; /* NULL or "": none */
    double figure[RECKON_FIGURES];
};

/* Clears a sample: every figure blank, every name NULL. */
static inline void reckon_sample_init(struct reckon_sample *s) {
    s->size = sizeof *s;
    s->kind = RECKON_SAMPLE_FLOW;
    s->ts = RECKON_BLANK;
    s->host = s->peer = s->layer = NULL;
    for (int i = 0; i < RECKON_FIGURES; i++)
        s->figure[i] = RECKON_BLANK;
}

/* Where a reader puts what it reads. One per file when files are read in parallel; not shared between threads. */
struct reckon_sink;

/* Hands over one sample. The names are copied. */
void reckon_sink_sample(struct reckon_sink *s, const struct reckon_sample *sample);
/* A test that failed and left no figure. Its source took part; whether its target did is for a RECKON_SAMPLE_PEER to
 * say. Any of target, status, error may be NULL. */
void reckon_sink_failed(struct reckon_sink *s, const char *source, const char *target, const char *status,
                        const char *error);
/* Facts about the whole run; the last call counts. The name of the mode is shown and kept, e.g. "parallel". */
void reckon_sink_sharing(struct reckon_sink *s, enum reckon_sharing sharing, const char *mode);
/* What the run's rates mean, when it is not what the reader's description says. */
void reckon_sink_workload(struct reckon_sink *s, enum reckon_workload workload);
/* The run's own id, e.g. iperf's. */
void reckon_sink_run_id(struct reckon_sink *s, const char *id);
/* Several samples of one flow add up (rates and demand; other figures are still averaged) instead of being averaged. */
void reckon_sink_add_up(struct reckon_sink *s, bool add_up);
/* The averages of this run's tests were taken over intervals that need not coincide, so the loads of a link may add
 * up to more than it carried at any time. Raises ABOVE_HARDWARE's line from 105 to 120 percent. */
void reckon_sink_loose_times(struct reckon_sink *s, bool loose);

/* Applies --names to a name from a run (readers need it only when they must compare names across files). */
const char *reckon_layout_name(struct reckon *r, const char *measured);

#ifdef __cplusplus
}
#endif
#endif
