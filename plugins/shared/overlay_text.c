/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the viewer's results format (overlay_text.h).
 */
#include "overlay_text.h"

#include <string.h>

const char *overlay_quote(struct reckon *r, const char *s) {
    s = reckon_printable(r, s);
    if (!s[strcspn(s, " ,\"'")])
        return s;
    char *inside = reckon_strdup(r, s);
    for (char *p = inside; (p = strchr(p, '"')); p++)
        *p = '\'';
    return reckon_text(r, "\"%s\"", inside);
}

struct overlay overlay_new(struct reckon *r, struct reckon_writer *w) {
    const char *label = reckon_option_text(r, "run");
    return (struct overlay){.r = r,
                            .w = w,
                            .prefix = reckon_printable(r, reckon_option_text(r, "prefix")),
                            .run = label ? reckon_text(r, "\trun=%s", overlay_quote(r, label)) : NULL};
}

void overlay_comment(const struct overlay *o, const char *text) {
    reckon_printf(o->w, "# %s\n", reckon_printable(o->r, text));
}

void overlay_signature(const struct overlay *o) {
    reckon_printf(o->w, "# reckon %s\n", reckon_version());
}

void overlay_context(const struct overlay *o) {
    const struct reckon_layout *layout = reckon_layout(o->r);
    const char *assumed;
    overlay_comment(o, layout ? reckon_text(o->r, "layout %s", reckon_layout_path(layout)) : "no layout");
    for (size_t i = 0; (assumed = reckon_assumption_at(o->r, i)); i++)
        overlay_comment(o, reckon_text(o->r, "assumed: %s", assumed));
}

void overlay_test(const struct overlay *o, const struct overlay_test *t) {
    reckon_printf(o->w, "!test\t%s%s\t%s\tlabel=%s\n", o->prefix, t->name, t->keys,
                  overlay_quote(o->r, t->label));
}

void overlay_sample(const struct overlay *o, const char *test, const char *target) {
    reckon_put(o->w, o->prefix);
    reckon_put(o->w, test);
    reckon_put(o->w, "\t");
    reckon_put(o->w, reckon_printable(o->r, target));
    reckon_put(o->w, "\t");
}

void overlay_key_quoted(const struct overlay *o, const char *key, const char *value) {
    if (!value || !*value)
        return;
    reckon_put(o->w, "\t");
    reckon_put(o->w, key);
    reckon_put(o->w, "=");
    reckon_put(o->w, value);
}

void overlay_key(const struct overlay *o, const char *key, const char *value) {
    overlay_key_quoted(o, key, value ? overlay_quote(o->r, value) : NULL);
}

void overlay_key_figure(const struct overlay *o, const char *key, double x, int decimals) {
    if (reckon_blank(x))
        return;
    reckon_put(o->w, "\t");
    reckon_put(o->w, key);
    reckon_put(o->w, "=");
    reckon_put_fixed(o->w, x, decimals);
}

void overlay_end(const struct overlay *o) {
    if (o->run)
        reckon_put(o->w, o->run);
    reckon_put(o->w, "\n");
}
