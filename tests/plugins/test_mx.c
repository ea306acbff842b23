/* SPDX-License-Identifier: Apache-2.0
 *
 * Run reader mx: which rows become what, and which files are refused.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "../reading.h"

#define HEADER                                                                                               \
    "ts,host,dir,peer,size,rep_size,target_pps,pps,mbps,rep_pps,rep_mbps,loss_pct,rtt_avg_us,rtt_p50_us,"    \
    "rtt_p99_us,"                                                                                            \
    "rtt_max_us,cpu_pct,cpu_max_pct,agent_cpu_pct,workers,layer\n"

static struct reckon_comparison *read_text(struct reading *x, const char *text) {
    return reading_run(x, &run_mx_LTX_reckon_plugin, reading_file(x, "a.csv", text), 60);
}

static void reads_a_flow(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c =
        read_text(&x, HEADER "5,a,tx,b,1434,34,2000,1999.5,1,1998.25,1,0.625,99,96,384,631,,,,,\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    const struct flow *f = &c->flows[0];
    CU_ASSERT_EQUAL(f->demand, 2000);
    CU_ASSERT_EQUAL(f->sent, 1999.5);
    CU_ASSERT_EQUAL(f->achieved, 1998.25);
    CU_ASSERT_EQUAL(f->loss, 0.625);
    CU_ASSERT_EQUAL(f->rtt_p50, 96);
    CU_ASSERT_EQUAL(f->rtt_p99, 384);
    CU_ASSERT_EQUAL(c->shapes[f->shape].size, 1434);
    CU_ASSERT_EQUAL(c->shapes[f->shape].reply, 34);
    CU_ASSERT_STRING_EQUAL(c->source, "mx");
    CU_ASSERT_EQUAL(c->sharing, RECKON_SHARE_LAYER);
    CU_ASSERT_PTR_NULL(c->mode);
    CU_ASSERT(reckon_blank(host_named(c, "a")->cpu_core));
    reading_end(&x);
}

static void tells_rows_apart(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c = read_text(
        &x, HEADER
        "5,a,tx,b,1434,34,,100,,100,,,,,,,,99,99,,\n" /* CPU figures count on dir=host alone */
        "5,a,tx,b,1434,34,,-1,,200,,,,,,,,,,,\n"      /* no drain row: what it received counts */
        "5,a,tx,b,1434,34,,,,900,,,,,,,,,,,\n"        /* a drain row */
        "5,a,tx,drained,1434,34,,nan,,900,,,,,,,,,,,\n"
        "5,a,tx,*,1434,34,,900,,900,,,,,,,,,,,\n" /* no flows: no peer */
        "5,a,tx,,1434,34,,900,,900,,,,,,,,,,,\n"
        "5,r,rx,nobody,1434,34,,900,,900,,,,,,,,,,,\n" /* r reported; whom it heard is not said by that */
        "5,q,TX,nobody,1434,34,,900,,900,,,,,,,,,,,\n" /* dir is taken as written */
        "5,h,host,*,1434,34,,900,,900,,,,,,,25,30.5,20,4,\n"
        "x,u,tx,nobody,1434,34,,900,,900,,,,,,,,,,,\n" /* no ts, no host: no row */
        "5,,tx,nobody,1434,34,,900,,900,,,,,,,,,,,\n"
        "5,a,tx,nobody,1434,34,,900,,900\n"); /* short: half-written */
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    CU_ASSERT_EQUAL(c->flows[0].sent, 100);
    CU_ASSERT_EQUAL(c->flows[0].samples, 1);
    CU_ASSERT_EQUAL(c->flows[0].achieved, 150); /* (100 + 200) / 2 */
    CU_ASSERT_EQUAL(c->nhosts, 6);              /* a b drained h q r */
    CU_ASSERT(host_named(c, "r")->reported && host_named(c, "q")->reported && host_named(c, "h")->reported);
    CU_ASSERT(!host_named(c, "drained")->reported && !host_named(c, "b")->reported);
    CU_ASSERT_EQUAL(host_named(c, "h")->cpu_core, 30.5);
    CU_ASSERT_EQUAL(host_named(c, "h")->cpu_agent, 20);
    CU_ASSERT(reckon_blank(host_named(c, "a")->cpu_core));
    CU_ASSERT_EQUAL(reading_notes(&x), 2);
    CU_ASSERT(reading_noted(&x, "a.csv: 1 row with fewer cells than the header left out"));
    CU_ASSERT(reading_noted(&x, "a.csv: 2 rows without a usable ts or a host left out"));
    reading_end(&x);
}

/* Columns in another order, a layer with blanks around, a name in quotes with a comma and blanks that belong
 * to it. */
static void reads_by_name(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c =
        read_text(&x, "\xef\xbb\xbflayer,more,peer,host,rep_pps,pps,target_pps,rep_size,size,dir,ts\r\n"
                      " 2\t,?,\"b, c\",\" a\",1,1,,34,1434,tx,5\r\n"
                      "2,?,\"b, c\",\" a\",2,2,,34,1434,tx,6\r\n"
                      ",?,\"b, c\",\" a\",4,4,,34,1434,tx,6\r\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(flow_named(c, " a", "b, c", "2"));
    CU_ASSERT_EQUAL(flow_named(c, " a", "b, c", "2")->sent, 1.5);
    CU_ASSERT_EQUAL(flow_named(c, " a", "b, c", NULL)->sent, 4);
    CU_ASSERT(reckon_blank(flow_named(c, " a", "b, c", NULL)->loss)); /* a column that is not there */
    reading_end(&x);
}

static void refuses_other_files(void) {
    struct reading x;
    reading_start(&x);
    CU_ASSERT_PTR_NULL(read_text(&x, "ts,host,dir,peer,size,rep_size,target_pps,pps\n1,a,tx,b,1,1,1,1\n"));
    CU_ASSERT(scratch_error(&x.scratch, "not an mx report: it has no rep_pps column"));
    CU_ASSERT_PTR_NULL(read_text(&x, "ts,host,dir,peer,probe,size,target_pps,rtt_p50_us,jitter_us\n"));
    CU_ASSERT_STRING_EQUAL(x.r->task.misfit, reckon_text(x.r, "%s/a.csv", x.folder)); /* others are asked */
    CU_ASSERT(scratch_error(&x.scratch, "not an mx report but netmesh's"));
    CU_ASSERT_PTR_NULL(read_text(&x, HEADER));
    CU_ASSERT(scratch_error(&x.scratch, "a.csv: it holds no row"));
    CU_ASSERT_PTR_NULL(read_text(&x, ""));
    CU_ASSERT(scratch_error(&x.scratch, "a.csv: it holds no row"));
    CU_ASSERT_PTR_NULL(reading_run(&x, &run_mx_LTX_reckon_plugin, "no-such-folder", 60));
    CU_ASSERT(scratch_error(&x.scratch, "no-such-folder: "));
    reading_end(&x);
}

static void reads_a_directory(void) {
    struct reading x;
    reading_start(&x);
    CU_ASSERT_PTR_NULL(reading_run(&x, &run_mx_LTX_reckon_plugin, x.folder, 60));
    CU_ASSERT(scratch_error(&x.scratch, ".csv"));
    reading_file(&x, "b.csv", HEADER "105,b,tx,a,1434,34,,2,,2,,,,,,,,,,,\n");
    reading_file(&x, "a.csv", HEADER "100,a,tx,b,1434,34,,1,,1,,,,,,,,,,,\n");
    reading_file(&x, "empty.csv", ""); /* without a header: skipped */
    reading_file(&x, "notes.txt", "not read");
    const struct reckon_comparison *c = reading_run(&x, &run_mx_LTX_reckon_plugin, x.folder, 4);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 1); /* a's row is 5 s old */
    CU_ASSERT(!host_named(c, "a")->reported);
    CU_ASSERT_EQUAL(reading_notes(&x), 2);
    CU_ASSERT(reading_noted(&x, "empty.csv holds no row that can be used"));
    CU_ASSERT(reading_noted(&x, "a is left out: its report stopped 5.0 s before the end"));
    c = reading_run(&x, &run_mx_LTX_reckon_plugin, x.folder, 5);
    CU_ASSERT_EQUAL(c->nflows, 2);
    reading_end(&x);
}

/* Hosts whose clock writes other timestamps, and one whose file has a header alone, are missing: that is
 * said. */
static void notes_files_without_rows(void) {
    struct reading x;
    reading_start(&x);
    reading_file(&x, "a.csv", HEADER "100,a,tx,b,1434,34,,1,,1,,,,,,,,,,,\n");
    reading_file(&x, "b.csv", HEADER "2026-01-05T10:00:00Z,b,tx,a,1434,34,,1,,1,,,,,,,,,,,\n");
    reading_file(&x, "c.csv", HEADER);
    const struct reckon_comparison *c = reading_run(&x, &run_mx_LTX_reckon_plugin, x.folder, 4);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 1);
    CU_ASSERT_EQUAL(reading_notes(&x), 2);
    CU_ASSERT(reading_noted(&x, "b.csv: 1 row without a usable ts or a host left out"));
    CU_ASSERT(reading_noted(&x, "2 files hold no row that can be used ("));
    CU_ASSERT(reading_noted(&x, "b.csv is the first)"));
    reading_end(&x);
}

static void recognises(void) {
    const struct reckon_plugin *mx = run_mx_LTX_reckon_plugin.plugin;
    struct reckon_head head = {sizeof head, "f", HEADER, sizeof HEADER - 1, true};
    CU_ASSERT(mx->run.recognise(&head) > 50);
    head.data = "ts,host,probe,rtt_p50_us,jitter_us,target_pps\n";
    head.length = strlen(head.data);
    CU_ASSERT_EQUAL(mx->run.recognise(&head), 0);
    CU_ASSERT(mx->run.series);
}

void suite_mx(void) {
    CU_pSuite s = CU_add_suite("mx", NULL, NULL);
    CU_add_test(s, "reads a flow", reads_a_flow);
    CU_add_test(s, "tells rows apart", tells_rows_apart);
    CU_add_test(s, "reads by name", reads_by_name);
    CU_add_test(s, "refuses other files", refuses_other_files);
    CU_add_test(s, "reads a directory", reads_a_directory);
    CU_add_test(s, "notes files without rows", notes_files_without_rows);
    CU_add_test(s, "recognises", recognises);
}
