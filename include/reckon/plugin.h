/* SPDX-License-Identifier: Apache-2.0
 *
 * The plugin interface: one exported description per module.
 *
 *     #include <reckon/plugin.h>
 *
 *     static int evaluate(struct reckon *r, void *subject) { … }
 *
 *     RECKON_PLUGIN(rule, host_short) = {
 *         .name = "HOST_SHORT",
 *         .summary = "a host below --short while its rack is not",
 *         .uses = (const char *const[]){"short", "fail", NULL},
 *         .rule = {.title = "host short", .why = "…", .lead = "…", .rank = 800, .on = "run", .evaluate = evaluate},
 *     };
 *
 * The module file is KIND_NAME, here rule_host_short.so. A module holds no other symbol that is not static.
 */
#ifndef RECKON_PLUGIN_H
#define RECKON_PLUGIN_H

#include <reckon/base.h>
#include <reckon/comparison.h>
#include <reckon/context.h>
#include <reckon/finding.h>
#include <reckon/input.h>
#include <reckon/layout.h>
#include <reckon/option.h>
#include <reckon/output.h>
#include <reckon/ramp.h>
#include <reckon/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The interface's number: a module built against another is refused. Additions keep it; public structs carry their
 * size so that older modules go on working. */
#define RECKON_ABI 1u

enum reckon_kind {
    RECKON_KIND_layout = 1,
    RECKON_KIND_run,
    RECKON_KIND_context,
    RECKON_KIND_rule,
    RECKON_KIND_output,
    RECKON_KIND_verb,
    RECKON_KIND_transport,
};

/* `recognise` answers how sure it is that the file is its own, 0 (not at all) to 100. */
typedef int reckon_recognise(const struct reckon_head *head);

struct reckon_layout_reader {
    reckon_recognise *recognise;
    int (*read)(struct reckon *r, struct reckon_input *in, struct reckon_layout *layout);
    bool fallback; /* reads what nobody recognises, for the sake of its error message */
};

struct reckon_run_reader {
    enum reckon_workload workload;
    bool many;          /* --NAME PATH... : files and directories mixed; else --NAME PATH, one */
    bool series;        /* its samples carry ts and can be cut into a ramp */
    const char *suffix; /* which files of a directory are read, ".csv"; NULL: directories go to `read` as they are */
    reckon_recognise *recognise;
    /* Reads one file into its sink; called from several threads, each with its own input and sink. */
    int (*read)(struct reckon *r, struct reckon_input *in, struct reckon_sink *sink);
    /* Instead of `read`: reads all paths at once (directories as given when .suffix is NULL, else expanded). */
    int (*read_all)(struct reckon *r, const char *const *paths, size_t count, struct reckon_sink *sink);
};

struct reckon_context_reader {
    const char *role;   /* "speeds": fills --speeds */
    bool many;          /* --ROLE PATH..., directories expanded by suffix; else one FILE */
    const char *suffix; /* ".csv" */
    const char *help;   /* the option's line in --help */
    const char *value_name; /* "FILE"; NULL for the usual */
    const char *env;    /* environment variable of the option, without RECKON_; NULL for none */
    bool positional;    /* the role's paths are the verb's plain arguments */
    bool fallback;      /* reads what nobody recognises, for the sake of its error message */
    reckon_recognise *recognise;
    int (*read)(struct reckon *r, struct reckon_input *in, void *into);
};

struct reckon_rule {
    const char *title; /* "host short" */
    const char *why;   /* its reasoning, for --rules and --explain: full sentences */
    const char *lead;  /* opens the verdict when its finding is the first: "The shortfall is on a host, not the fabric" */
    int rank;          /* order; built-in rules are multiples of 100 */
    const char *on;    /* the subjects it judges, separated by blanks: "run", "run ramp" */
    /* `subject` is what `on` names: struct reckon_comparison for "run", struct reckon_ramp for "ramp"; a rule on
     * several asks reckon_subject(). Return 0 (quiet, fired or skipped), -1 after an error. */
    int (*evaluate)(struct reckon *r, void *subject);
};

struct reckon_output_writer {
    const char *on;     /* the subjects it can write, separated by blanks */
    const char *option; /* its option, when not the module's name: "json" */
    bool console;       /* written to standard output when no other output goes there; has no option of its own */
    bool directory;     /* its PATH is a directory it fills itself; `w` is NULL, the path is reckon_output_path() */
    int (*write)(struct reckon *r, const void *subject, struct reckon_writer *w);
};

struct reckon_verb {
    const char *usage;   /* "reckon trend HISTORY... [options]" */
    const char *subject; /* the subject it evaluates; NULL for none */
    unsigned subject_version;
    bool arguments;      /* takes plain arguments (reckon_argument) beside a positional role's */
    /* Options are parsed. Returns the exit status; -1 after an error stands for 2. */
    int (*main)(struct reckon *r);
};

struct reckon_transport; /* <reckon/transport.h> */

struct reckon_plugin {
    const char *name;              /* as users write it; lower-case in the file's name */
    const char *version;           /* NULL: reckon's own */
    const char *summary;           /* one line, no full stop */
    const char *const *uses;       /* options of the core it reads, NULL-terminated; NULL for none */
    const struct reckon_option *options; /* its own, ended by RECKON_OPTION_END; NULL for none */
    const char *verbs;             /* the verbs these belong to, separated by blanks; NULL: "run", a verb's: itself */
    int (*check)(struct reckon *r);/* a check across options, after parsing; NULL for none */
    union {
        struct reckon_layout_reader layout;
        struct reckon_run_reader run;
        struct reckon_context_reader context;
        struct reckon_rule rule;
        struct reckon_output_writer output;
        struct reckon_verb verb;
        const struct reckon_transport *transport;
    };
};

/* What is exported: lets the core judge a module before it reads its description. */
struct reckon_module {
    size_t size;
    unsigned abi;
    enum reckon_kind kind;
    size_t plugin_size;
    const struct reckon_plugin *plugin;
};

#if defined __GNUC__
#define RECKON_EXPORT __attribute__((visibility("default")))
#else
#define RECKON_EXPORT
#endif

#ifdef RECKON_PRELOADED /* linked into the program: libltdl finds KIND_NAME_LTX_reckon_plugin */
#define RECKON_SYMBOL(kind, ident) kind##_##ident##_LTX_reckon_plugin
#else
#define RECKON_SYMBOL(kind, ident) reckon_plugin
#endif

#ifdef __cplusplus /* which cannot announce a constant of one file */
#define RECKON_ANNOUNCED extern
#define RECKON_DEFINED
#else
#define RECKON_ANNOUNCED static
#define RECKON_DEFINED static
#endif

#define RECKON_PLUGIN(kind_, ident)                                                                                  \
    RECKON_ANNOUNCED const struct reckon_plugin kind_##_##ident;                                                     \
    extern RECKON_EXPORT const struct reckon_module RECKON_SYMBOL(kind_, ident);                                     \
    const struct reckon_module RECKON_SYMBOL(kind_, ident) = {sizeof(struct reckon_module), RECKON_ABI,              \
                                                              RECKON_KIND_##kind_, sizeof(struct reckon_plugin),     \
                                                              &kind_##_##ident};                                     \
    RECKON_DEFINED const struct reckon_plugin kind_##_##ident

/* ---- for verbs (and modules on several subjects) ---- */

/* The name of the subject being judged or written: "run". */
const char *reckon_subject(const struct reckon *r);
/* The i-th plain argument; NULL past the end. */
const char *reckon_argument(const struct reckon *r, size_t i);
/* The transport of that name; NULL for none. And the name of the i-th one; NULL past the end. */
const struct reckon_transport *reckon_transport_named(const struct reckon *r, const char *name);
const char *reckon_transport_at(const struct reckon *r, size_t i);
/* The path given to the output being written (a directory one). */
const char *reckon_output_path(const struct reckon *r);
/* Reads every file of a role's option, each by the reader that recognises it; *files (may be NULL): how many. */
int reckon_read_role(struct reckon *r, const char *role, void *into, size_t *files);
/* The files a path means to the role's readers: itself, or a directory's files of their suffixes, in byte order of
 * name. For a verb that reads a role file by file. */
int reckon_role_files(struct reckon *r, const char *role, const char *path, const char ***files, size_t *count);
/* Reads one file by the role's readers. */
int reckon_read_role_file(struct reckon *r, const char *role, const char *path, void *into);
/* Reads the layout at `path` by the reader that recognises it, and makes it the session's. */
int reckon_read_layout(struct reckon *r, const char *path);
/* Refuses output targets that are inputs, and two outputs to standard output; call before reading. */
int reckon_check_outputs(struct reckon *r);
/* Refuses a file that a verb writes itself when it is an input: a plain argument, the value of another option that takes a
 * path, or a file of a directory among them. `option` (without dashes) is the one `path` comes from. 0, or -1 after the
 * error; a file that is not there yet is no input. */
int reckon_check_target(struct reckon *r, const char *option, const char *path);
/* Runs every rule on the subject in order of rank. */
int reckon_evaluate(struct reckon *r, const char *subject, void *data);
/* Writes every output that was asked for, and the console one where none goes to standard output. */
int reckon_write_outputs(struct reckon *r, const char *subject, const void *data);
/* The exit status: 0, or with --exit-code 10 for a WARN, 20 for a CRITICAL that is not known; 1 when not `compared`. */
int reckon_exit_status(const struct reckon *r, bool compared);

#ifdef __cplusplus
}
#endif
#endif
