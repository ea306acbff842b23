/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a page (page.h). Style and scripts are the files beside this one, made into strings when the
 * program is built.
 */
#include "page.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

static const char style[] =
#include "plugins/outputs/html/page.css.inc"
    ;
static const char base[] =
#include "plugins/outputs/html/base.js.inc"
    ;
static const char model[] =
#include "plugins/outputs/html/model.js.inc"
    ;
static const char parts[] =
#include "plugins/outputs/html/parts.js.inc"
    ;
static const char table[] =
#include "plugins/outputs/html/table.js.inc"
    ;
static const char floor_plan[] =
#include "plugins/outputs/html/floor.js.inc"
    ;
static const char matrix[] =
#include "plugins/outputs/html/matrix.js.inc"
    ;
static const char chart[] =
#include "plugins/outputs/html/chart.js.inc"
    ;
static const char run[] =
#include "plugins/outputs/html/run.js.inc"
    ;
static const char ramp[] =
#include "plugins/outputs/html/ramp.js.inc"
    ;
static const char plan[] =
#include "plugins/outputs/html/plan.js.inc"
    ;

/* What each kind of page runs, in order. */
#define PARTS 9
static const char *const scripts[][PARTS] = {
    [PAGE_RUN] = {base, model, parts, table, floor_plan, matrix, chart, run},
    [PAGE_RAMP] = {base, model, parts, table, chart, ramp},
    [PAGE_PLAN] = {base, model, parts, table, floor_plan, matrix, chart, plan},
};

/* ---- text of strangers ---- */

static void put_escaped(struct reckon_writer *w, const char *s) {
    static const struct {
        char byte;
        const char *text;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (; *s; s++) {
        const char *text = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
            text = *s == escapes[i].byte ? escapes[i].text : text;
        if (text)
            reckon_put(w, text);
        else
            reckon_put_bytes(w, s, 1);
    }
}

/* ---- what the browser may run ---- */

/* " 'sha256-…'" of texts put together. */
static void put_hash(struct reckon_writer *w, const char *const *texts) {
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char text[sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)];
    crypto_hash_sha256_init(&state);
    for (; *texts; texts++)
        crypto_hash_sha256_update(&state, (const unsigned char *)*texts, strlen(*texts));
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2base64(text, sizeof text, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    reckon_printf(w, " 'sha256-%s'", text);
}

static void put_policy(struct reckon_writer *w, enum page_kind kind) {
    reckon_put(w, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src");
    put_hash(w, (const char *const[]){style, NULL});
    reckon_put(w, "; script-src");
    put_hash(w, scripts[kind]);
    reckon_put(w, "; base-uri 'none'; form-action 'none'\">\n");
}

void page_begin(struct page *p, struct reckon *r, struct reckon_writer *w, enum page_kind kind,
                const char *title, const char *text) {
    p->kind = kind;
    reckon_put(w, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(w, kind);
    reckon_put(w, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    put_escaped(w, reckon_utf8(r, title));
    reckon_printf(w, "</title>\n<style>%s</style>\n</head>\n<body>\n<noscript><p>", style);
    put_escaped(w, reckon_utf8(r, text));
    reckon_put(w, "</p><p>The rest of this page is drawn by its script.</p></noscript>\n"
                  "<script type=\"application/json\" id=\"data\">");
    json_begin(&p->data, r, w);
    p->data.page = true;
}

void page_end(struct page *p) {
    struct reckon_writer *w = p->data.w;
    json_end(&p->data);
    reckon_put(w, "</script>\n<script>");
    for (const char *const *text = scripts[p->kind]; *text; text++)
        reckon_put(w, *text);
    reckon_put(w, "</script>\n</body>\n</html>\n");
}

/* ---- numbers of rows ---- */

void page_push(cJSON *row, double x) {
    char text[RECKON_NUMBER_SIZE];
    cJSON_AddItemToArray(row,
                         isfinite(x) ? cJSON_CreateRaw(reckon_number_text(x, text)) : cJSON_CreateNull());
}

void page_push_short(cJSON *row, double x) {
    char text[RECKON_NUMBER_SIZE], *point;
    snprintf(text, sizeof text, "%.7g", x);
    point = strchr(text, ','); /* whatever locale a program sets that borrows this */
    if (point)
        *point = '.';
    cJSON_AddItemToArray(row, isfinite(x) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

void page_push_index(cJSON *row, uint32_t i) {
    cJSON_AddItemToArray(row, i == RECKON_NONE ? cJSON_CreateRaw("-1") : cJSON_CreateNumber(i));
}
