/* SPDX-License-Identifier: Apache-2.0
 *
 * --prometheus: a file for node_exporter's textfile collector. Per host what it could have had and got, and
 * the verdict on it; every finding; of a ramp, the ceilings. What was not measured has no sample.
 */
#include <string.h>

#include <reckon/plugin.h>

#include "../shared/ramp_text.h"

struct metrics {
    struct reckon *r;
    struct reckon_writer *w;
    const char *run; /* --run; NULL: none */
};

/* ---- the format ---- */

static void family(const struct metrics *m, const char *name, const char *help) {
    reckon_printf(m->w, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void put_label_value(const struct metrics *m, const char *s) {
    for (s = reckon_shown(m->w, s); *s; s++) {
        if (*s == '\\' || *s == '"')
            reckon_put(m->w, "\\");
        if (*s == '\n')
            reckon_put(m->w, "\\n");
        else
            reckon_put_bytes(m->w, s, 1);
    }
}

/* One sample. `labels` are names and values by turns, ended by NULL; nothing is written for a blank value. */
static void sample(const struct metrics *m, const char *name, const char *const *labels, double value) {
    const char *before = "{";
    if (!isfinite(value))
        return;
    reckon_put(m->w, name);
    for (; *labels; labels += 2, before = ",") {
        reckon_printf(m->w, "%s%s=\"", before, labels[0]);
        put_label_value(m, labels[1]);
        reckon_put(m->w, "\"");
    }
    if (m->run) {
        reckon_printf(m->w, "%srun=\"", before);
        put_label_value(m, m->run);
        reckon_put(m->w, "\"");
        before = ",";
    }
    reckon_put(m->w, *before == ',' ? "} " : " ");
    reckon_put_number(m->w, value);
    reckon_put(m->w, "\n");
}

#define LABELS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_LABELS ((const char *const[]){NULL})

static void single(const struct metrics *m, const char *name, const char *help, double value) {
    if (reckon_blank(value))
        return;
    family(m, name, help);
    sample(m, name, NO_LABELS, value);
}

/* ---- hosts of a run ---- */

static double efficiency_ratio(const struct reckon_comparison *c, uint32_t h) {
    return reckon_host_efficiency(c, h) / 100;
}

static double added_rtt_seconds(const struct reckon_comparison *c, uint32_t h) {
    return reckon_host_added_rtt(c, h) / 1e6;
}

static double short_flows(const struct reckon_comparison *c, uint32_t h) {
    return reckon_host_compared(c, h) ? reckon_host_short(c, h) : RECKON_BLANK;
}

static double reported(const struct reckon_comparison *c, uint32_t h) {
    return reckon_host_reported(c, h);
}

static const struct host_family {
    const char *name, *help;
    double (*value)(const struct reckon_comparison *c, uint32_t h);
    bool rate; /* in the run's unit */
} host_families[] = {
    {"reckon_host_efficiency_ratio", "Median of achieved by expected over the flows of the host.",
     efficiency_ratio, false},
    {"reckon_host_expected_rate", "What the flows the host sends could have had, together.",
     reckon_host_expected, true},
    {"reckon_host_achieved_rate", "What they got.", reckon_host_achieved, true},
    {"reckon_host_short_flows", "Flows of the host below --short.", short_flows, false},
    {"reckon_host_added_rtt_seconds", "The largest RTT added to the idle one on a flow the host sends.",
     added_rtt_seconds, false},
    {"reckon_host_reported", "Whether the host's report is there.", reported, false},
};

static void host_family(const struct metrics *m, const struct reckon_comparison *c,
                        const struct host_family *f) {
    bool any = false;
    for (uint32_t h = 0; h < reckon_host_count(c); h++) {
        double value = f->value(c, h);
        if (!isfinite(value))
            continue;
        if (!any)
            family(m, f->name, f->help);
        any = true;
        const char *host = reckon_host_name(c, h);
        sample(m, f->name, f->rate ? LABELS("host", host, "unit", reckon_run_unit(c)) : LABELS("host", host),
               value);
    }
}

static void host_verdicts(const struct metrics *m, const struct reckon_comparison *c) {
    family(m, "reckon_host_verdict", "1 for the verdict on the host.");
    for (uint32_t h = 0; h < reckon_host_count(c); h++) {
        const char *word = reckon_verdict_word(reckon_host_verdict(c, h));
        if (*word)
            sample(m, "reckon_host_verdict", LABELS("host", reckon_host_name(c, h), "verdict", word), 1);
    }
}

static void run_metrics(const struct metrics *m, const struct reckon_comparison *c) {
    single(m, "reckon_run_timestamp_seconds", "The end of the run.", reckon_run_last_ts(c));
    for (size_t i = 0; i < sizeof host_families / sizeof *host_families; i++)
        host_family(m, c, &host_families[i]);
    host_verdicts(m, c);
}

/* ---- a ramp ---- */

static void ramp_metrics(const struct metrics *m, const struct reckon_ramp *ramp) {
    static const char ceiling[] = "reckon_host_ceiling_rate";
    const struct reckon_comparison *hosts = reckon_ramp_hardware_of(ramp);
    struct reckon_fit f = {.size = sizeof f};
    single(m, "reckon_run_timestamp_seconds", "The end of the ramp.", ramp_last_ts(ramp));
    if (reckon_fit(ramp, RECKON_NONE, &f)) {
        single(m, "reckon_fleet_ceiling_rate", "The most a flow of the fleet was delivered, requests/s.",
               f.ceiling);
        single(m, "reckon_fleet_ceiling_reached", "Whether some step asked for more than it got.", f.reached);
        single(m, "reckon_fleet_knee_rate", "The rate per flow at which p99 leaves its floor, requests/s.",
               f.knee);
    }
    family(m, ceiling, "The most a flow of the host was delivered, requests/s.");
    for (uint32_t h = 0; h < reckon_host_count(hosts); h++)
        if (reckon_fit(ramp, h, &f))
            sample(m, ceiling, LABELS("host", reckon_host_name(hosts, h)), f.ceiling_per_flow);
}

/* ---- findings and the verdict ---- */

static bool alike(const struct reckon_finding *a, const struct reckon_finding *b) {
    return reckon_finding_severity(a) == reckon_finding_severity(b) &&
           !strcmp(reckon_finding_rule(a), reckon_finding_rule(b)) &&
           !strcmp(reckon_finding_host(a), reckon_finding_host(b)) &&
           reckon_finding_known(a) == reckon_finding_known(b);
}

static const char *known_word(bool known) {
    return known ? "true" : "false";
}

/* How many there are of each severity: also where there are none, for a query that waits for one. */
static void finding_counts(const struct metrics *m) {
    static const char name[] = "reckon_findings";
    size_t count[RECKON_CRITICAL + 1][2] = {{0}};
    for (size_t i = 0; i < reckon_finding_count(m->r); i++) {
        const struct reckon_finding *f = reckon_finding_at(m->r, i);
        count[reckon_finding_severity(f)][reckon_finding_known(f)]++;
    }
    family(m, name, "Findings by severity.");
    for (int s = RECKON_INFO; s <= RECKON_CRITICAL; s++)
        for (int known = 0; known < 2; known++)
            sample(
                m, name,
                LABELS("severity", reckon_severity_word((enum reckon_severity)s), "known", known_word(known)),
                (double)count[s][known]);
}

static void findings(const struct metrics *m) {
    static const char name[] = "reckon_finding";
    size_t n = reckon_finding_count(m->r);
    if (n)
        family(m, name, "Findings of a rule about a host, * where they are about no single one.");
    for (size_t i = 0, end; i < n; i = end) {
        const struct reckon_finding *f = reckon_finding_at(m->r, i);
        for (end = i + 1; end < n && alike(f, reckon_finding_at(m->r, end)); end++)
            ;
        sample(m, name,
               LABELS("rule", reckon_finding_rule(f), "host", reckon_finding_host(f), "severity",
                      reckon_severity_word(reckon_finding_severity(f)), "known",
                      known_word(reckon_finding_known(f))),
               (double)(end - i));
    }
}

static void verdict(const struct metrics *m) {
    static const char name[] = "reckon_verdict";
    const char *rule = NULL, *text;
    enum reckon_severity severity;
    if (!reckon_verdict(m->r, &rule, &severity, &text))
        return;
    family(
        m, name,
        "The rule behind the verdict, none when nothing is wrong: 0 for INFO, 1 for WARN, 2 for CRITICAL.");
    sample(m, name, LABELS("rule", rule ? rule : ""), severity);
}

static int write_metrics(struct reckon *r, const void *subject, struct reckon_writer *w) {
    struct metrics m = {r, w, reckon_option_text(r, "run")};
    family(&m, "reckon_info", "The program that wrote this.");
    sample(&m, "reckon_info", LABELS("version", reckon_version()), 1);
    if (strcmp(reckon_subject(r), "ramp"))
        run_metrics(&m, subject);
    else
        ramp_metrics(&m, subject);
    finding_counts(&m);
    findings(&m);
    verdict(&m);
    return 0;
}

RECKON_PLUGIN(output, prometheus) = {
    .name = "prometheus",
    .summary = "hosts and findings as metrics for node_exporter's textfile collector",
    .uses = (const char *const[]){"run", NULL},
    .output = {.on = "run ramp", .write = write_metrics},
};
