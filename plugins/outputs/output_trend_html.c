/* SPDX-License-Identifier: Apache-2.0
 *
 * --html DIR for a trend: a page per test with its graph, and an index that can be searched. Every page
 * stands alone: it opens from disk and asks for nothing else.
 */
#include <string.h>

#include "../shared/trend_graph.h"
#include "../shared/trend_tables.h"

static const char style[] =
    "body{font:15px/1.5 "
    "system-ui,sans-serif;background:var(--paper);color:var(--ink);max-width:1100px;margin:0 auto;"
    "padding:1rem}\n"
    "h1{font-size:1.3rem;overflow-wrap:anywhere}a{color:var(--dot)}"
    ".note{color:var(--soft);overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;width:100%;margin:1rem "
    "0}caption{text-align:left;font-weight:600;padding:.3rem 0}\n"
    "th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid "
    "var(--rule);font-variant-numeric:tabular-nums;"
    "white-space:nowrap}\n"
    "th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere}\n"
    "td:first-child{min-width:9rem}.wide{overflow-x:auto}@media(max-width:900px){td{white-space:normal}}\n"
    "th{white-space:normal;color:var(--soft);font-weight:600}.fail{color:var(--bad);font-weight:600}\n"
    ".graph{width:100%;height:auto;border:1px solid var(--rule)}\n"
    "#label{position:fixed;pointer-events:none;max-width:24rem;padding:.4rem .6rem;background:var(--ink);"
    "color:var(--paper);font-size:13px;border-radius:4px;white-space:pre-line;overflow-wrap:anywhere}\n"
    "#search{font:inherit;width:100%;padding:.4rem;background:var(--paper);color:var(--ink);border:1px solid "
    "var(--soft)}\n"
    "@media print{#search,nav{display:none}}\n";

/* Labels on hover and focus; the arrow keys walk along the runs. */
static const char graph_script[] =
    "const label=document.getElementById('label'),runs=[...document.querySelectorAll('.graph "
    "[aria-label][tabindex]')];\n"
    "function show(run){const "
    "box=run.getBoundingClientRect();label.textContent=run.getAttribute('aria-label')"
    ".split('; ').join('\\n');label.hidden=false;\n"
    "const x=Math.min(box.right+10,innerWidth-label.offsetWidth-8),y=box.top-label.offsetHeight-8;\n"
    "label.style.left=Math.max(8,x)+'px';label.style.top=(y<8?box.bottom+10:y)+'px'}\n"
    "function hide(){label.hidden=true}\n"
    "runs.forEach((run,i)=>{run.addEventListener('pointerenter',()=>show(run));run.addEventListener('"
    "pointerleave',hide);"
    "run.addEventListener('focus',()=>show(run));run.addEventListener('blur',hide);\n"
    "run.addEventListener('keydown',event=>{const "
    "to={ArrowRight:i+1,ArrowLeft:i-1,Home:0,End:runs.length-1}[event.key];\n"
    "if(event.key==='Escape')hide();if(to===undefined||!runs[to])return;event.preventDefault();run.tabIndex=-"
    "1;"
    "runs[to].tabIndex=0;runs[to].focus()})})\n";

/* The index: rows whose text holds every word that is typed. */
static const char index_script[] =
    "const search=document.getElementById('search'),count=document.getElementById('count'),"
    "rows=[...document.querySelectorAll('tbody tr')].map(row=>[row,row.textContent.toLowerCase()]);\n"
    "search.addEventListener('input',()=>{const words=search.value.toLowerCase().split(/\\s+/);let shown=0;\n"
    "for(const [row,text] of rows){row.hidden=!words.every(word=>text.includes(word));shown+=!row.hidden}\n"
    "count.textContent=shown+' of '+rows.length+' rows'})\n";

/* ---- parts of a page ---- */

struct page {
    struct reckon *r;
    struct reckon_writer *w;
    const struct reckon_trend *t;
    const char **names; /* of files, by test */
};

static void begin(const struct page *p, const char *title) {
    reckon_put(p->w, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src "
                     "'unsafe-inline';script-src 'unsafe-inline'\">\n<title>");
    trend_put_escaped(p->r, p->w, title);
    reckon_put(p->w, "</title>\n<style>\n");
    trend_put_style(p->w);
    reckon_printf(p->w, "%s</style>\n<main>\n<h1>", style);
    trend_put_escaped(p->r, p->w, title);
    reckon_put(p->w, "</h1>\n");
}

static void end(const struct page *p, const char *script) {
    reckon_printf(p->w, "</main>\n<script>\n%s</script>\n</html>\n", script);
}

static void cell(const struct page *p, const char *text) {
    reckon_put(p->w, "<td>");
    trend_put_escaped(p->r, p->w, text);
    reckon_put(p->w, "</td>");
}

static void link_cell(const struct page *p, size_t test, const char *name) {
    reckon_printf(p->w, "<tr><td><a href=\"%s.html\">", p->names[test]);
    trend_put_escaped(p->r, p->w, name);
    reckon_put(p->w, "</a>");
    trend_put_escaped(p->r, p->w, trend_attributes(p->r, p->t, test));
    reckon_put(p->w, "</td>");
}

static void table(const struct page *p, const char *caption, const char *const *columns) {
    reckon_put(p->w, "<div class=\"wide\"><table><caption>");
    trend_put_escaped(p->r, p->w, caption);
    reckon_put(p->w, "</caption>\n<thead><tr>");
    for (; *columns; columns++)
        reckon_printf(p->w, "<th scope=\"col\">%s</th>", *columns);
    reckon_put(p->w, "</tr></thead>\n<tbody>\n");
}

static void end_table(const struct page *p) {
    reckon_put(p->w, "</tbody></table></div>\n");
}

static void counts_cell(const struct page *p, size_t all, size_t recent) {
    reckon_printf(p->w, "<td>%zu (%zu)</td>", all, recent);
}

static void compliance_cells(const struct page *p, const struct reckon_trend_test *test) {
    cell(p, trend_value(p->r, test->trend, test->unit));
    reckon_printf(p->w, "<td>%zu</td>", test->trend_runs);
    cell(p, trend_share(p->r, test->long_term_change));
    counts_cell(p, test->regressions, test->recent_regressions);
    counts_cell(p, test->progressions, test->recent_progressions);
    const char *result = trend_result(test->result);
    reckon_printf(p->w, "<td%s>%s, %s</td></tr>\n", !strcmp(result, "Fail") ? " class=\"fail\"" : "", result,
                  trend_reason(test->result));
}

#define COMPLIANCE                                                                                           \
    "Trend", "Runs", "Long-Term Change", "Regressions (recent)", "Progressions (recent)", "Result"

/* ---- a test's page ---- */

static void group_table(const struct page *p, size_t test, const struct reckon_trend_test *it) {
    table(p, "Groups", (const char *const[]){"From", "Runs", "Mean", "Standard deviation", "Change", NULL});
    for (size_t i = 0; i < it->groups; i++) {
        struct reckon_trend_group g;
        reckon_trend_group(p->t, test, i, &g);
        reckon_put(p->w, "<tr>");
        cell(p, trend_date(p->r, g.first_ts));
        reckon_printf(p->w, "<td>%zu</td>", g.count);
        cell(p, trend_value(p->r, g.mean, it->unit));
        cell(p, trend_value(p->r, g.stdev, it->unit));
        reckon_printf(p->w, "<td%s>%s</td></tr>\n",
                      g.comment == RECKON_TREND_REGRESSION ? " class=\"fail\"" : "",
                      i > 0 ? reckon_trend_word(g.comment) : "");
    }
    end_table(p);
}

static void test_page(const struct page *p, size_t test) {
    struct reckon_trend_test it;
    reckon_trend_test(p->t, test, &it);
    begin(p, reckon_text(p->r, "%s%s", it.name, trend_attributes(p->r, p->t, test)));
    reckon_put(p->w, "<nav><a href=\"index.html\">all tests</a></nav>\n");
    table(p, "Compliance", (const char *const[]){COMPLIANCE, NULL});
    reckon_put(p->w, "<tr>");
    compliance_cells(p, &it);
    end_table(p);
    trend_put_graph(p->r, p->w, p->t, test, true);
    reckon_put(
        p->w,
        "<div id=\"label\" role=\"status\" hidden></div>\n"
        "<p>Point at a run, or go to the graph with the Tab key and along it with the arrow keys.</p>\n");
    group_table(p, test, &it);
    end(p, graph_script);
}

/* ---- the index ---- */

static void dashboard(const struct page *p) {
    struct trend_rows all = trend_dashboard(p->r, p->t);
    for (size_t k = 0; k < all.nparts; k++) {
        const char *part = all.parts[k];
        table(p,
              *part ? reckon_text(p->r, "Dashboard, worst long-term change first; %s", part)
                    : "Dashboard, worst long-term change first",
              (const char *const[]){"Test", COMPLIANCE, NULL});
        for (size_t i = 0; i < all.count; i++) {
            struct reckon_trend_test test;
            if (strcmp(all.rows[i].part, part))
                continue;
            reckon_trend_test(p->t, all.rows[i].test, &test);
            link_cell(p, all.rows[i].test, test.name);
            compliance_cells(p, &test);
        }
        end_table(p);
    }
}

static void failures(const struct page *p) {
    struct trend_rows all = trend_failures(p->r, p->t);
    if (all.count > 0)
        table(p,
              reckon_text(p->r, "Failed tests: in their last run, or within %g days",
                          reckon_option_number(p->r, "failed-days")),
              (const char *const[]){"Test", "Last run", "Fails", "Last failure", "Run", NULL});
    for (size_t i = 0; i < all.count; i++) {
        struct reckon_trend_test test;
        struct reckon_trend_run last, failure;
        reckon_trend_test(p->t, all.rows[i].test, &test);
        reckon_trend_run(p->t, all.rows[i].test, test.runs - 1, &last);
        reckon_trend_run(p->t, all.rows[i].test, test.last_failure, &failure);
        link_cell(p, all.rows[i].test, test.name);
        cell(p, last.status);
        reckon_printf(p->w, "<td>%zu</td>", test.recent_failures);
        cell(p, trend_date(p->r, failure.ts));
        cell(p, failure.label);
        reckon_put(p->w, "</tr>\n");
    }
    if (all.count > 0)
        end_table(p);
}

static void recent(const struct page *p) {
    struct trend_rows all = trend_recent(p->r, p->t);
    if (all.count > 0)
        table(p,
              reckon_text(p->r, "Regressions and progressions within %g days",
                          reckon_option_number(p->r, "days")),
              (const char *const[]){"Test", "Since", "Change", "Values", "Run", NULL});
    for (size_t i = 0; i < all.count; i++) {
        const struct trend_change *c = all.rows[i].change;
        struct reckon_trend_test test;
        reckon_trend_test(p->t, c->test, &test);
        link_cell(p, c->test, test.name);
        cell(p, trend_date(p->r, c->run.ts));
        cell(p, reckon_trend_word(c->run.comment));
        cell(p, trend_change_text(p->r, c, test.unit));
        cell(p, c->run.label);
        reckon_put(p->w, "</tr>\n");
    }
    if (all.count > 0)
        end_table(p);
}

static void verdict_and_notes(const struct page *p) {
    const char *rule, *text;
    enum reckon_severity severity;
    if (reckon_verdict(p->r, &rule, &severity, &text)) {
        reckon_put(p->w, "<p><strong>");
        trend_put_escaped(p->r, p->w, text);
        reckon_put(p->w, "</strong></p>\n");
    }
    for (size_t i = 0; (text = reckon_note_at(p->r, i)); i++) {
        reckon_put(p->w, "<p class=\"note\">Note: ");
        trend_put_escaped(p->r, p->w, text);
        reckon_put(p->w, "</p>\n");
    }
}

static void index_page(const struct page *p) {
    double first, last;
    size_t runs = reckon_trend_span(p->t, &first, &last);
    begin(p, "Trend");
    reckon_printf(p->w, "<p>%s over %s", reckon_count(p->r, reckon_trend_tests(p->t), "test"),
                  reckon_count(p->r, runs, "run"));
    if (runs > 0)
        reckon_printf(p->w, ", %s to %s UTC", trend_date(p->r, first), trend_date(p->r, last));
    reckon_printf(p->w, "; reckon %s</p>\n", reckon_version());
    verdict_and_notes(p);
    reckon_put(
        p->w,
        "<p><label for=\"search\">Search in all tables</label> <span id=\"count\" role=\"status\"></span>"
        "<input id=\"search\" type=\"search\"></p>\n");
    recent(p);
    failures(p);
    dashboard(p);
    end(p, index_script);
}

/* Writes one page by its name. */
static int put_page(struct page *p, const char *directory, const char *name, size_t test) {
    p->w = reckon_create(p->r, reckon_text(p->r, "%s/%s.html", directory, name));
    if (!p->w)
        return -1;
    if (test == SIZE_MAX)
        index_page(p);
    else
        test_page(p, test);
    return reckon_commit(p->w);
}

static int write_html(struct reckon *r, const void *subject, struct reckon_writer *none) {
    struct page p = {.r = r, .t = subject};
    const char *directory = trend_directory(r, "html");
    (void)none;
    if (!directory)
        return -1;
    size_t n = reckon_trend_tests(p.t);
    p.names = trend_file_names(r, p.t);
    for (size_t i = 0; i < n; i++) {
        if (put_page(&p, directory, p.names[i], i))
            return -1;
        reckon_progress(r, "pages", (double)(i + 1) / (double)n);
    }
    return put_page(&p, directory, "index", SIZE_MAX);
}

RECKON_PLUGIN(output, trend_html) = {
    .name = "trend_html",
    .summary = "a page per test with its graph, and an index, in a directory",
    .output = {.on = "trend", .option = "html", .directory = true, .write = write_html},
};
