/* SPDX-License-Identifier: Apache-2.0
 *
 * The options the core itself declares: those that several modules need, and those of the framework.
 */
#include "core_options.h"

#define INPUTS "inputs"
#define JUDGE "judgement"
#define OUTPUT "output"
#define ABOUT "about"

static const struct core_option table[] = {
    {{.name = "layout", .type = RECKON_PATH, .value_name = "FILE", .env = "LAYOUT", .group = INPUTS,
      .help = "the layout that says what was built (or as the first argument)"}, OPTION_ON_USE},
    {{.name = "nic-gbps", .type = RECKON_NUMBER, .value_name = "G", .env = "NIC_GBPS", .group = INPUTS, .unit = "Gb/s",
      .max = HUGE_VAL, .above = true, .help = "NIC speed of hosts the layout gives none"}, OPTION_ON_USE},
    {{.name = "group-kind", .type = RECKON_TEXT, .value_name = "KIND[,KIND...]", .env = "GROUP_KIND", .group = INPUTS,
      .initial = "rack", .help = "layout kinds whose uplinks count, innermost first"}, OPTION_ON_USE},
    {{.name = "ramp", .type = RECKON_PATHS, .value_name = "PATH...", .group = INPUTS,
      .help = "fit a model to a run whose rate steps up: one history, or a folder per step"}, OPTION_RUN_ONLY},
    {{.name = "jobs", .type = RECKON_WHOLE, .value_name = "N", .group = INPUTS, .min = 1, .max = 4096,
      .help = "how many threads read files (default: the cores)"}, OPTION_ALWAYS},
    {{.name = "window", .type = RECKON_WHOLE, .value_name = "S", .env = "WINDOW", .group = JUDGE, .initial = "60",
      .unit = "seconds", .max = HUGE_VAL, .help = "average the last S seconds; 0: everything"}, OPTION_RUN_ONLY},
    {{.name = "short", .type = RECKON_NUMBER, .value_name = "PCT", .env = "SHORT", .group = JUDGE, .initial = "90",
      .unit = "percent", .max = HUGE_VAL, .help = "below this share of its expectation something is short"},
     OPTION_ON_USE},
    {{.name = "fail", .type = RECKON_NUMBER, .value_name = "PCT", .env = "FAIL", .group = JUDGE, .initial = "50",
      .unit = "percent", .max = HUGE_VAL, .help = "below this share it has failed"}, OPTION_ON_USE},
    {{.name = "bloat", .type = RECKON_NUMBER, .value_name = "F", .env = "BLOAT", .group = JUDGE, .initial = "4",
      .max = HUGE_VAL, .help = "a loaded RTT this many times the idle one is a queue"}, OPTION_ON_USE},
    {{.name = "mtu", .type = RECKON_WHOLE, .value_name = "N", .env = "MTU", .group = JUDGE, .initial = "1500",
      .unit = "bytes", .min = 68, .max = 65535, .help = "MTU of TCP flows that nothing else gives one"}, OPTION_ON_USE},
    {{.name = "drop", .type = RECKON_NUMBER, .value_name = "PTS", .env = "DROP", .group = JUDGE, .initial = "5",
      .unit = "points", .max = HUGE_VAL, .above = true, .help = "a fall since the baseline that counts"},
     OPTION_ON_USE},
    {{.name = "keep-up", .type = RECKON_NUMBER, .value_name = "PCT", .env = "KEEP_UP", .group = JUDGE, .initial = "98",
      .unit = "percent", .max = 100, .above = true, .help = "a ramp's step keeps up at this share of what it asked"},
     OPTION_RUN_ONLY},
    {{.name = "predict", .type = RECKON_NUMBER, .value_name = "PPS", .env = "PREDICT", .group = JUDGE,
      .unit = "requests/s per flow", .max = HUGE_VAL, .above = true, .help = "ask a ramp's model about this rate"},
     OPTION_RUN_ONLY},
    {{.name = "only", .type = RECKON_LIST, .value_name = "RULE", .group = JUDGE, .help = "run this rule alone (repeatable)"},
     OPTION_JUDGING},
    {{.name = "skip", .type = RECKON_LIST, .value_name = "RULE", .group = JUDGE, .help = "leave this rule out (repeatable)"},
     OPTION_JUDGING},
    {{.name = "top", .type = RECKON_WHOLE, .value_name = "N", .env = "TOP", .group = OUTPUT, .initial = "10",
      .max = HUGE_VAL, .help = "rows in the report's tables; 0: none"}, OPTION_ON_USE},
    {{.name = "run", .type = RECKON_TEXT, .value_name = "LABEL", .env = "RUN", .group = OUTPUT,
      .help = "names this run in files kept for later"}, OPTION_ON_USE},
    {{.name = "quiet", .type = RECKON_FLAG, .group = OUTPUT, .help = "headline, verdict, findings and next steps only"},
     OPTION_ALWAYS},
    {{.name = "exit-code", .type = RECKON_FLAG, .group = OUTPUT, .help = "exit 10 for a warning, 20 for a critical finding"},
     OPTION_JUDGING},
    {{.name = "no-color", .type = RECKON_FLAG, .group = OUTPUT, .help = "no colour on a terminal"}, OPTION_ALWAYS},
    {{.name = "verbose", .type = RECKON_FLAG, .group = OUTPUT, .help = "say on stderr how long each stage took"},
     OPTION_ALWAYS},
    {{.name = "rules", .type = RECKON_FLAG, .group = ABOUT, .help = "list the rules with their reasoning"},
     OPTION_JUDGING},
    {{.name = "explain", .type = RECKON_TEXT, .value_name = "RULE", .group = ABOUT, .help = "the reasoning of one rule"},
     OPTION_JUDGING},
    {{.name = "help", .type = RECKON_FLAG, .group = ABOUT, .help = "this text"}, OPTION_ALWAYS},
    {{.name = "version", .type = RECKON_FLAG, .group = ABOUT, .help = "the version"}, OPTION_ALWAYS},
    {{.name = "plugin-dir", .type = RECKON_LIST, .value_name = "DIR", .group = ABOUT,
      .help = "load modules from DIR first (repeatable)"}, OPTION_ALWAYS},
    {{.name = "replace", .type = RECKON_LIST, .value_name = "KIND:NAME", .group = ABOUT,
      .help = "a module that hides another of this kind and name is meant to"}, OPTION_ALWAYS},
    {{.name = "strict-plugins", .type = RECKON_FLAG, .group = ABOUT, .help = "a module that cannot be loaded is an error"},
     OPTION_ALWAYS},
    {{.type = RECKON_OPTION_END}, OPTION_ALWAYS},
};

const struct core_option *core_options(void) {
    return table;
}
