/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon triage`: is the network to blame for what the job feels, and which RNIC or which cable? Reads the
 * records of probing agents and judges them period by period; doc/triage.md has the method.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

static const struct reckon_option options[] = {
    {.name = "period",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "20",
     .unit = "seconds",
     .min = 1,
     .max = 3600,
     .help = "length of a period; periods begin at multiples of it since 1970",
     .group = "judgement",
     .env = "PERIOD"},
    {.name = "silent",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "20",
     .unit = "seconds",
     .min = 1,
     .max = 86400,
     .help = "a host that uploaded nothing for so long is down",
     .group = "judgement"},
    {.name = "no-busy-check",
     .type = RECKON_FLAG,
     .help = "take timeouts of busy hosts for RNIC problems, as the paper's first version did",
     .group = "judgement"},
    {.name = "busy-factor",
     .type = RECKON_NUMBER,
     .value_name = "F",
     .initial = "10",
     .min = 1,
     .max = 1e6,
     .help = "an answer is late beyond so many times the host's usual delay",
     .group = "judgement"},
    {.name = "rnic-loss",
     .type = RECKON_NUMBER,
     .value_name = "PCT",
     .initial = "10",
     .unit = "percent",
     .min = 0,
     .max = 100,
     .help = "an RNIC is a problem beyond this loss of the ToR-mesh probes to it",
     .group = "judgement"},
    {.name = "charge",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "60",
     .unit = "seconds",
     .min = 0,
     .max = 86400,
     .help = "how long an RNIC's timeouts stay charged to it",
     .group = "judgement"},
    {.name = "min-votes",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "3",
     .min = 1,
     .max = 1e6,
     .help = "fewest failing probes that name a cable",
     .group = "judgement"},
    {.name = "max-suspects",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "0",
     .min = 0,
     .max = 1e6,
     .help = "stop voting after so many rounds (0: when votes run out)",
     .group = "judgement"},
    {.name = "job-threshold",
     .type = RECKON_NUMBER,
     .value_name = "PCT",
     .initial = "10",
     .unit = "percent",
     .min = 0,
     .max = 100,
     .help = "the job is slow when its metric fell by more than this",
     .group = "judgement"},
    {.name = "rtt-factor",
     .type = RECKON_NUMBER,
     .value_name = "F",
     .initial = "10",
     .min = 1,
     .max = 1e6,
     .help = "a P99 stands out beyond so many times the median of its kind",
     .group = "judgement"},
    {.name = "follow",
     .type = RECKON_FLAG,
     .help = "keep reading: growing files, or standard input with lines led by their kind",
     .group = "inputs"},
    {.name = "grace",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "6",
     .unit = "seconds",
     .min = 0,
     .max = 3600,
     .help = "with --follow: how long after its end a period is judged",
     .group = "judgement"},
    {.type = RECKON_OPTION_END},
};

static struct settings settings_of(const struct reckon *r) {
    return (struct settings){.period = reckon_option_number(r, "period"),
                             .silent = reckon_option_number(r, "silent"),
                             .busy_factor = reckon_option_number(r, "busy-factor"),
                             .rnic_loss = reckon_option_number(r, "rnic-loss"),
                             .charge = reckon_option_number(r, "charge"),
                             .job_threshold = reckon_option_number(r, "job-threshold"),
                             .rtt_factor = reckon_option_number(r, "rtt-factor"),
                             .grace = reckon_option_number(r, "grace"),
                             .min_votes = (uint32_t)reckon_option_number(r, "min-votes"),
                             .max_suspects = (uint32_t)reckon_option_number(r, "max-suspects"),
                             .busy_check = !reckon_flag(r, "no-busy-check")};
}

/* Whole files: everything is read, then judged in order of time. */
static int judge_files(struct analyzer *a) {
    static const char *const roles[] = {"paths", "agents", "job", "job-metric", "probes"};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (reckon_read_role(a->r, roles[i], &a->records, NULL))
            return -1;
    size_t periods = a->nopen, done = 0;
    while (judge_next(a))
        reckon_progress(a->r, "judging", (double)++done / (double)periods);
    return 0;
}

static int report(struct analyzer *a) {
    struct reckon *r = a->r;
    judge_end(a);
    job_mark(a);
    const struct reckon_triage *subject = tracker_subject(a);
    say_odd(a);
    job_say(a);
    if (subject->nperiods)
        agents_say(a);
    if (subject->untraced)
        reckon_note(r, "%s without a traced path could not vote",
                    reckon_count(r, subject->untraced, "failing probe"));
    if (reckon_evaluate(r, "triage", (void *)(uintptr_t)subject) ||
        reckon_write_outputs(r, "triage", subject))
        return -1;
    return reckon_exit_status(r, subject->nperiods > 0);
}

static int check(struct reckon *r) {
    static const char *const needed[] = {"probes", "agents", "paths"};
    for (size_t i = 0; !reckon_flag(r, "follow") && i < sizeof needed / sizeof *needed; i++)
        if (!reckon_option_count(r, needed[i]))
            return reckon_error(r, NULL, 0, "triage needs --probes, --agents and --paths; --%s is missing",
                                needed[i]);
    if (!reckon_argument(r, 0) || reckon_argument(r, 1))
        return reckon_error(r, NULL, 0, "triage takes one LAYOUT");
    return 0;
}

static int triage(struct reckon *r) {
    struct analyzer a;
    int rc = -1;
    if (reckon_check_outputs(r) || reckon_read_layout(r, reckon_argument(r, 0)))
        return -1;
    struct settings set = settings_of(r);
    if (!analyzer_start(&a, r, &set, reckon_flag(r, "follow")) && !(a.follow ? follow(&a) : judge_files(&a)))
        rc = report(&a);
    analyzer_finish(&a);
    return rc;
}

RECKON_PLUGIN(verb, triage) = {
    .name = "triage",
    .summary = "is the network to blame, and which RNIC or cable",
    .options = options,
    .check = check,
    .verb = {.usage = "reckon triage LAYOUT --probes PATH... --agents PATH... --paths PATH... [options]",
             .subject = "triage",
             .subject_version = RECKON_TRIAGE_VERSION,
             .arguments = true,
             .main = triage},
};
