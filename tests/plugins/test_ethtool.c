/* SPDX-License-Identifier: Apache-2.0
 *
 * Context reader ethtool: whose output it is, the speed, and links without one. The text is what ethtool 6.1
 * prints.
 */
#include <string.h>

#include <CUnit/CUnit.h>

#include "../reading.h"

extern const struct reckon_module context_ethtool_LTX_reckon_plugin;

#define PRINTED(speed)                                                                                       \
    "Settings for eth0:\n\tSupported ports: [ FIBRE ]\n\tSupported link modes:   10000baseT/Full\n"          \
    "\tAdvertised link modes:  10000baseT/Full\n\tSpeed: " speed                                             \
    "\n\tDuplex: Full\n\tPort: FIBRE\n\tLink detected: yes\n"

/* Reads a file of this name; the speed of the host it gives, -1 when the host is not in it. */
static double speed_in(struct reading *x, const char *file, const char *text, const char *host,
                       const char **raw) {
    struct reckon_speeds *speeds = speeds_new(x->r);
    struct reckon_input *in = reckon_open(x->r, reading_file(x, file, text));
    double mbps = -1;
    CU_ASSERT_EQUAL(context_ethtool_LTX_reckon_plugin.plugin->context.read(x->r, in, speeds), 0);
    reckon_close(in);
    speeds_find(speeds, host, &mbps, raw);
    speeds_free(speeds);
    return mbps;
}

static void reads_a_file_per_host(void) {
    struct reading x;
    const char *raw = "";
    reading_start(&x);
    CU_ASSERT_EQUAL(speed_in(&x, "a1.ethtool", PRINTED("25000Mb/s"), "a1", &raw), 25000);
    CU_ASSERT_STRING_EQUAL(raw, "25000Mb/s");
    CU_ASSERT_EQUAL(speed_in(&x, "b.dom.ain.txt", PRINTED("100Mb/s "), "b.dom.ain", &raw), 100);
    CU_ASSERT(reckon_blank(speed_in(&x, "a1.ethtool", PRINTED("Unknown!"), "a1", &raw)));
    CU_ASSERT_STRING_EQUAL(raw, "Unknown!");
    CU_ASSERT(
        reckon_blank(speed_in(&x, "a1.ethtool", "Settings for v0:\n\tLink detected: yes\n", "a1", &raw)));
    CU_ASSERT_STRING_EQUAL(raw, "none");
    CU_ASSERT_EQUAL(reading_notes(&x), 0);
    CU_ASSERT_EQUAL(speed_in(&x, "a1.ethtool", "", "a1", &raw), -1); /* it could not be asked */
    CU_ASSERT(reading_noted(&x, "a1.ethtool says nothing about a link"));
    reading_end(&x);
}

/* pdsh mixes the lines of hosts; of several links the last counts. */
static void reads_many_hosts(void) {
    static const char text[] =
        "a: Settings for eth0:\nb: Settings for eth0:\nb: \tSpeed: 1000Mb/s\na: \tSpeed: 10000Mb/s\n"
        "c: Settings for eth0:\nb: \tDuplex: Full\nb: Settings for eth1:\nb: \tSpeed: 40000Mb/s\n";
    struct reading x;
    const char *raw;
    reading_start(&x);
    CU_ASSERT_EQUAL(speed_in(&x, "all", text, "a", &raw), 10000);
    CU_ASSERT_EQUAL(speed_in(&x, "all", text, "b", &raw), 40000);
    CU_ASSERT(reckon_blank(speed_in(&x, "all", text, "c", &raw)));
    CU_ASSERT_EQUAL(speed_in(&x, "all", text, "all", &raw), -1);
    CU_ASSERT_EQUAL(speed_in(&x, "d", "Top Speed: 9Mb/s\nSpeed\n", "d", &raw), -1); /* another key */
    reading_end(&x);
}

/* The bare output of one host in a file that is not named after it, and a loop that put the host before the
 * first line alone: nobody knows whose the rest is. */
static void refuses_what_is_nobodys(void) {
    static const struct {
        const char *file, *text, *said;
    } cases[] = {
        {"speeds", PRINTED("1000Mb/s"), "speeds:1: the output of ethtool does not say whose it is"},
        {"eth0.out", "\n\tSpeed: 1000Mb/s\n", "eth0.out:2: "},
        {"all.txt", "a: Settings for eth0:\n\tSpeed: 1000Mb/s\n", "all.txt:2: "},
        {"speeds.gz", ": Settings for eth0:\n", "speeds.gz:1: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading x;
        reading_start(&x);
        struct reckon_speeds *speeds = speeds_new(x.r);
        struct reckon_input *in = reckon_open(x.r, reading_file(&x, cases[i].file, cases[i].text));
        CU_ASSERT_EQUAL(context_ethtool_LTX_reckon_plugin.plugin->context.read(x.r, in, speeds), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(session_error(x.r), cases[i].said));
        CU_ASSERT_PTR_NOT_NULL(strstr(session_error(x.r), "'HOST: ' before each line"));
        reckon_close(in);
        speeds_free(speeds);
        reading_end(&x);
    }
}

static void recognises(void) {
    CU_ASSERT_EQUAL(scratch_recognise(&context_ethtool_LTX_reckon_plugin, PRINTED("1Mb/s")), 90);
    CU_ASSERT_EQUAL(scratch_recognise(&context_ethtool_LTX_reckon_plugin, "a1 25000\n"), 0);
    CU_ASSERT(scratch_recognise(&context_ethtool_LTX_reckon_plugin, "a1: \tSpeed: 1000Mb/s\n") > 30);
    CU_ASSERT(scratch_recognise(&context_ethtool_LTX_reckon_plugin, "\tSpeed: 1000Mb/s\n") > 30);
    CU_ASSERT_EQUAL(scratch_recognise(&context_ethtool_LTX_reckon_plugin, "host,Top Speed:\na1,5\n"), 0);
    struct reckon_head head = {sizeof head, "run/a1.ethtool.gz", "", 0, true};
    CU_ASSERT(context_ethtool_LTX_reckon_plugin.plugin->context.recognise(&head) >
              30); /* before a table's guess */
}

void suite_ethtool(void) {
    CU_pSuite s = CU_add_suite("ethtool", NULL, NULL);
    CU_add_test(s, "reads a file per host", reads_a_file_per_host);
    CU_add_test(s, "reads many hosts", reads_many_hosts);
    CU_add_test(s, "refuses what is nobody's", refuses_what_is_nobodys);
    CU_add_test(s, "recognises", recognises);
}
