/* SPDX-License-Identifier: Apache-2.0
 *
 * The datacenter viewer's results format: `test TAB target TAB value [TAB key=value]...`, one sample a line.
 * Names from strangers cannot break a line: control bytes are written as \xNN.
 */
#ifndef RECKON_OVERLAY_TEXT_H
#define RECKON_OVERLAY_TEXT_H

#include <reckon/plugin.h>

/* What every module that writes an overlay declares. */
#define OVERLAY_OPTIONS                                                                                      \
    {.name = "prefix",                                                                                       \
     .type = RECKON_TEXT,                                                                                    \
     .value_name = "P",                                                                                      \
     .initial = "reckon_",                                                                                   \
     .help = "what the overlay's test names begin with",                                                     \
     .group = "output",                                                                                      \
     .env = "PREFIX"},                                                                                       \
    {                                                                                                        \
        .type = RECKON_OPTION_END                                                                            \
    }

struct overlay {
    struct reckon *r;
    struct reckon_writer *w;
    const char *prefix; /* of every test's name; printable */
    const char *run;    /* "run=LABEL" of every sample, ready to write; NULL for none */
};

/* With the prefix and label the options say. */
struct overlay overlay_new(struct reckon *r, struct reckon_writer *w);
/* A value as `key=value` holds it: printable, and quoted when it holds a blank, comma or quote. Arena text,
 * or s. */
const char *overlay_quote(struct reckon *r, const char *s);

/* "# text" on one line. */
void overlay_comment(const struct overlay *o, const char *text);
/* The first comment: which program wrote it. */
void overlay_signature(const struct overlay *o);
/* The layout (or that there is none) and what was assumed, as comments. */
void overlay_context(const struct overlay *o);

/* A test and how the viewer shows it: its keys are written as they stand ("unit=%\thigher=good"), then its
 * label. */
struct overlay_test {
    const char *name;
    const char *keys;
    const char *label;
};
void overlay_test(const struct overlay *o, const struct overlay_test *t);

/* A sample: opened, its value put to o->w, its key=values in order of their keys, closed. */
void overlay_sample(const struct overlay *o, const char *test, const char *target);
void overlay_key(const struct overlay *o, const char *key, const char *value); /* NULL or "": left out */
void overlay_key_quoted(const struct overlay *o, const char *key, const char *value); /* quoted before */
void overlay_key_figure(const struct overlay *o, const char *key, double x, int decimals);
void overlay_end(const struct overlay *o);

#endif
