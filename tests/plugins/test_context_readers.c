/* SPDX-License-Identifier: Apache-2.0
 *
 * The small context readers: netmesh, speeds, names, known (formats.md), and that each tells its own files.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "../../core/findings.h"
#include "../../core/findings_state.h"
#include "../fabric.h"
#include "../scratch.h"

void suite_context_readers(void);

#define NETMESH context_netmesh_LTX_reckon_plugin
#define SPEEDS context_speeds_LTX_reckon_plugin
#define NAMES context_names_LTX_reckon_plugin
#define KNOWN context_known_LTX_reckon_plugin

static struct scratch scratch;

/* ---- speeds ---- */

/* Whether the file gives the host that speed (blank: unusable) and text; raw NULL: it does not name the host.
 */
static bool speed(const char *text, const char *host, double mbps, const char *raw) {
    struct reckon *r = scratch_start(&scratch);
    struct reckon_speeds *s = speeds_new(r);
    double found = RECKON_BLANK;
    const char *as = NULL;
    bool ok = scratch_read(&scratch, &SPEEDS, text, s) == 0;
    ok = ok && speeds_find(s, host, &found, &as) == (raw != NULL);
    ok = ok && (found == mbps || (reckon_blank(found) && reckon_blank(mbps))) && (!raw || !strcmp(as, raw));
    if (!ok)
        fprintf(stderr, "'%s' gives %s %g '%s' %s\n", text, host, found, as ? as : "-",
                session_error(r) ? session_error(r) : "");
    speeds_free(s);
    scratch_end(&scratch);
    return ok;
}

static void speeds_without_header(void) {
    CU_ASSERT(speed("# host Mb/s\n\na1 10000\na2   25000  \n", "a2", 25000, "25000"));
    CU_ASSERT(speed("a1,10000\n", "a1", 10000, "10000"));
    CU_ASSERT(speed("a1\t10000\r\n", "a1", 10000, "10000"));
    CU_ASSERT(speed("a 1\teth0, left\t 10000 \n", "a 1", 10000,
                    "10000")); /* tabs before commas before blanks; last cell */
    CU_ASSERT(speed("a1 100\na1 10000\n", "a1", 10000, "10000")); /* the last row */
    CU_ASSERT(speed("a1 10000\na1 -1\n", "a1", BLANK, "-1"));
    CU_ASSERT(speed("a1 unknown\n", "a1", BLANK, "unknown"));
    CU_ASSERT(speed("a1 10G\n", "a1", BLANK, "10G"));
    CU_ASSERT(speed("a1,\n", "a1", BLANK, ""));
    CU_ASSERT(speed("a1\na2 5\n", "a1", BLANK, NULL)); /* too short */
    CU_ASSERT(speed("a1 10000\n#a1 5\n  # a1 6\n", "a1", 10000, "10000"));
}

static void speeds_with_header(void) {
    CU_ASSERT(speed("ts\tHost\tSpeed\n900\ta1\t100\n950\ta1\t10000\n", "a1", 10000, "10000"));
    CU_ASSERT(speed("host,speed_gbps,note\na1,9.2,x\n", "a1", 9200, "9.2"));
    CU_ASSERT(speed("host,gbps,speed,mbps\na1,1,2,3\n", "a1", 3, "3")); /* mbps before speed before gbps */
    CU_ASSERT(speed("speed_mbps mbps host\n7 8 a1\n", "a1", 7, "7"));
    CU_ASSERT(speed("gbps,host,speed_gbps\n1,a1,2\n", "a1", 2000, "2"));
    CU_ASSERT(speed("host,note,mbps\na1,10\na2,x,20\n", "a1", BLANK, NULL)); /* too short for its column */
    CU_ASSERT(speed("host,note,mbps\na1,10\na2,x,20\n", "a2", 20, "20"));
    CU_ASSERT(speed("host,mbps\n", "a1", BLANK, NULL));
}

static void speeds_refused(void) {
    static const struct {
        const char *text, *piece;
    } bad[] = {{"", "no speed"}, {"# none\n\n", "no speed"}, {"host,rate\na1,5\n", "no column speed_mbps"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct reckon_speeds *s = speeds_new(scratch_start(&scratch));
        CU_ASSERT_EQUAL(scratch_read(&scratch, &SPEEDS, bad[i].text, s), -1);
        CU_ASSERT(scratch_error(&scratch, bad[i].piece));
        speeds_free(s);
        scratch_end(&scratch);
    }
}

/* ---- names ---- */

static void names(void) {
    struct reckon *r = scratch_start(&scratch);
    r->names = names_map_new(r);
    CU_ASSERT_EQUAL(
        scratch_read(&scratch, &NAMES, "# measured layout\n\n m-a1\ta1   # alias\nm#2 a2\n", r->names), 0);
    CU_ASSERT_STRING_EQUAL(reckon_layout_name(r, "m-a1"), "a1");
    CU_ASSERT_STRING_EQUAL(reckon_layout_name(r, "m#2"), "a2"); /* a comment begins a word */
    CU_ASSERT_EQUAL(scratch_read(&scratch, &NAMES, "a b\n\na b c\n", r->names), -1);
    CU_ASSERT(scratch_error(&scratch, ":3: "));
    CU_ASSERT_EQUAL(scratch_read(&scratch, &NAMES, "alone\n", r->names), -1);
    CU_ASSERT(scratch_error(&scratch, ":1: "));
    scratch_end(&scratch);
}

/* ---- known ---- */

/* 2026-01-31 23:59:59 UTC is 1769903999 (date -u -d '2026-01-31 23:59:59' +%s). */
static void known(void) {
    static struct scratch kept; /* what is known lasts until the program ends, here as there */
    struct reckon *r = scratch_start(&kept);
    struct reckon_known *k = known_new(r);
    CU_ASSERT_EQUAL(scratch_read(&kept, &KNOWN,
                                 "# ticket 12\nHOST_SHORT b2 2026-01-31\nNO_REPORT,*\n\nCOLLAPSE , a1 # x\n",
                                 k),
                    0);
    CU_ASSERT(is_known(k, "HOST_SHORT", "b2", 1769903999));
    CU_ASSERT_FALSE(is_known(k, "HOST_SHORT", "b2", 1769904000));
    CU_ASSERT_FALSE(is_known(k, "HOST_SHORT", "b1", 0));
    CU_ASSERT(is_known(k, "NO_REPORT", "anything", 1e12));
    CU_ASSERT(is_known(k, "COLLAPSE", "a1", 1e12));
    static const char *const bad[] = {"HOST_SHORT\n",     "HOST_SHORT a 2026-01-31 x\n",
                                      "R a 2026-02-30\n", "R a 2026-1-31\n",
                                      "R a 31.01.2026\n", "R a 2026-13-01\n",
                                      "R a 2026-01-00\n", "R a -026-01-01\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(scratch_read(&kept, &KNOWN, bad[i], k), -1);
        CU_ASSERT(scratch_error(&kept, ":1: "));
    }
    CU_ASSERT_EQUAL(scratch_read(&kept, &KNOWN, "LEAP a 2028-02-29\n", k), 0);
    CU_ASSERT_EQUAL(scratch_read(&kept, &KNOWN,
                                 "TREND_REGRESSION \"my test ndr\" 2026-01-31 # x\n"
                                 "\"TREND_FAILED\",\"a, #1 \"\"b\"\"\"\nTREND_FAILED \"c\"# x\n",
                                 k),
                    0);
    CU_ASSERT(is_known(k, "TREND_REGRESSION", "my test ndr", 1769903999));
    CU_ASSERT_FALSE(is_known(k, "TREND_REGRESSION", "my test ndr", 1769904000));
    CU_ASSERT(is_known(k, "TREND_FAILED", "a, #1 \"b\"", 1e12));
    CU_ASSERT(is_known(k, "TREND_FAILED", "c", 1e12));
    CU_ASSERT_EQUAL(scratch_read(&kept, &KNOWN, "TREND_FAILED \"my test\nR a\n", k), -1);
    CU_ASSERT(scratch_error(&kept, ":1: a double quote has no end"));
    CU_ASSERT_EQUAL(scratch_read(&kept, &KNOWN, "TREND_FAILED my test ndr\n", k), -1);
    CU_ASSERT(scratch_error(&kept, "found 4 words; a name with blanks goes into double quotes"));
    CU_ASSERT(scratch_recognise(&KNOWN, "TREND_FAILED \"my test\" 2026-01-31\n") > 0);
    CU_ASSERT_EQUAL(scratch_recognise(&KNOWN, "TREND_FAILED \"my test 2026-01-31\n"), 0);
}

/* ---- netmesh ---- */

#define NETMESH_HEADER "ts,host,dir,peer,probe,rtt_p50_us,jitter_us,path_mtu,mtu_state,flow\n"

static void netmesh(void) {
    struct reckon *r = scratch_start(&scratch);
    struct reckon_comparison *c = fabric_new(r, RECKON_TCP, RECKON_SHARE_ALL);
    struct reckon_idle *idle = idle_new(r, "netmesh");
    uint32_t a = fabric_host(c, "a", 10, BLANK, NONE, NONE), b = fabric_host(c, "b", 10, BLANK, NONE, NONE);
    fabric_flow(c, a, b, 0, fabric_shape(c, 1500, 0), BLANK, BLANK);
    fabric_flow(c, b, a, 0, 0, BLANK, BLANK);
    CU_ASSERT_EQUAL(scratch_read(&scratch, &NETMESH,
                                 NETMESH_HEADER
                                 "1,a,tx,b,udp,40,3,9000,confirmed,\n"        /* counts */
                                 "2,a,tx,b,,60,3,1500,guessed,\n"             /* counts, without its MTU */
                                 "3,a,tx,b,udp,1000,3,1500,confirmed,40001\n" /* a per-port breakdown */
                                 "4,a,tx,b,tcp,1000,3,1500,confirmed,\n"
                                 "5,a,rx,b,udp,1000,3,1500,confirmed,\n"
                                 "6,,tx,b,udp,1000,3,1500,confirmed,\n"
                                 "7,b,tx,a,udp,,3,8000,cached, \n", /* no RTT, but an MTU; blank flow */
                                 idle),
                    0);
    CU_ASSERT_EQUAL_FATAL(scratch.session.task.notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(scratch.session.task.notes.at[0], ": 1 row without a host or a peer left out"));
    idle_apply(idle, c);
    CU_ASSERT_EQUAL(c->idle_p50[0], 50);
    CU_ASSERT(reckon_blank(c->idle_p50[1]));
    CU_ASSERT_EQUAL(idle_mtu(idle, a, b), 9000);
    CU_ASSERT_EQUAL(idle_mtu(idle, b, a), 8000);
    CU_ASSERT_EQUAL(scratch_read(&scratch, &NETMESH,
                                 "ts,host,dir,peer,size,rep_size,target_pps,pps\n1,a,tx,b,1,1,1,1\n", idle),
                    -1);
    CU_ASSERT_PTR_NOT_NULL(scratch.session.task.misfit);
    CU_ASSERT(scratch_error(&scratch, "not a netmesh report"));
    c->idle_p50 = NULL; /* the session's */
    fabric_free(c);
    scratch_end(&scratch);
}

/* ---- whose file it is ---- */

static void each_knows_its_own(void) {
    static const struct reckon_module *const readers[] = {&NETMESH, &SPEEDS, &NAMES, &KNOWN};
    static const struct {
        const char *text;
        int score[4]; /* of those readers */
    } files[] = {
        {NETMESH_HEADER "1,a,tx,b,udp,40,3,9000,confirmed,\n", {95, 0, 0, 0}},
        {"ts,host,dir,peer,size,rep_size,target_pps,pps,mbps,rep_pps\n1,a,tx,b,1,1,1,1,1,1\n", {0, 0, 0, 0}},
        {"a1 10000\na2 25000\n", {0, 20, 0, 0}},
        {"a1,10000\n", {0, 20, 0, 0}},
        {"ts\thost\tspeed\n900\ta1\t100\n", {0, 30, 0, 0}},
        {"host,rate\na1,5\n", {0, 0, 0, 0}},
        {"# x\nm-a1 a1 # alias\nm-a2 a2\n", {0, 0, 15, 0}},
        {"HOST_SHORT b2 2026-01-31\nNO_REPORT *\n", {0, 0, 0, 25}},
        {"{\"meta\": {}}\n", {0, 0, 0, 0}},
        {"", {0, 0, 0, 0}},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (size_t k = 0; k < 4; k++) {
            int score = scratch_recognise(readers[k], files[f].text);
            if (score != files[f].score[k])
                fprintf(stderr, "reader %zu gives %d for '%s'\n", k, score, files[f].text);
            CU_ASSERT_EQUAL(score, files[f].score[k]);
        }
}

void suite_context_readers(void) {
    CU_pSuite s = CU_add_suite("context_readers", NULL, NULL);
    CU_ADD_TEST(s, speeds_without_header);
    CU_ADD_TEST(s, speeds_with_header);
    CU_ADD_TEST(s, speeds_refused);
    CU_ADD_TEST(s, names);
    CU_ADD_TEST(s, known);
    CU_ADD_TEST(s, netmesh);
    CU_ADD_TEST(s, each_knows_its_own);
}
