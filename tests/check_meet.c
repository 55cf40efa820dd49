/* SPDX-License-Identifier: MIT
 *
 * check_meet.c: who meets at the barriers of a table of instructions, and who waits for
 * ever. Each row has its nearest neighbour: the same entries with another end. */
#include "litmus_support.h"

#include "litmus/meet.h"

enum { MOST_ENTRIES = 16 };

/* Entries as a text, "0.0 1.0 2.1!": those of a thread in its order; the thread, which
 * of its barriers it is, and `!` if it hangs there. @numbers: of them, a digit each. */
static uint32_t read_entries(const struct weiri_litmus *test, const char *text,
                             const char *numbers, struct weiri_litmus_entry *entries)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    uint32_t n = *text == '\0' ? 0 : g_strv_length(words);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t thread = (uint32_t)(words[i][0] - '0');
        const struct weiri_litmus_instruction *at
            = test->threads[thread].code->instructions;
        for (int left = words[i][2] - '0';; at++) {
            if (at->op == WEIRI_LITMUS_OP_BARRIER && left-- == 0) {
                break;
            }
        }
        entries[i] = (struct weiri_litmus_entry){ .thread = thread,
                                                  .at = at,
                                                  .number = numbers[i] - '0',
                                                  .hangs = words[i][3] == '!' };
    }
    return n;
}

/* All choices that are consistent: for each a word, with 1 for an entry that gives. */
static char *choices(const struct weiri_litmus *test, const char *text,
                     const char *numbers)
{
    struct weiri_litmus_entry entries[MOST_ENTRIES];
    bool gives[MOST_ENTRIES];
    uint32_t n = read_entries(test, text, numbers, entries);
    GString *said = g_string_new(NULL);
    for (uint64_t choice = 0;; choice++) {
        enum weiri_litmus_meeting meeting
            = weiri_litmus_meet(test, entries, n, choice, gives);
        if (meeting == WEIRI_LITMUS_NO_CHOICE) {
            break;
        }
        ck_assert_uint_lt(choice, 1000);
        for (uint32_t i = 0; meeting == WEIRI_LITMUS_MEETS && i < n; i++) {
            g_string_append_printf(said, "%s%d", i == 0 && said->len > 0 ? " " : "",
                                   gives[i]);
        }
    }
    return g_string_free(said, FALSE);
}

#define TWO "PTX t\n{}\nP0@cta 0,gpu 0|P1@cta 0,gpu 0;\n"
#define APART "PTX t\n{}\nP0@cta 0,gpu 0|P1@cta 1,gpu 0;\n"
#define THREE "PTX t\n{}\nP0@cta 0,gpu 0|P1@cta 0,gpu 0|P2@cta 0,gpu 0;\n"
#define CLUSTERED "PTX t\n{}\nP0@cta 0,cluster 0,gpu 0|P1@cta 1,cluster 0,gpu 0;\n"
#define VULKAN "VULKAN t\n{}\nP0@sg 0,wg 0,qf 0|P1@sg 1,wg 0,qf 0|P2@sg 0,wg 1,qf 0;\n"

static const struct {
    const char *text, *entries, *numbers;
    const char *choices; /* "": the entries are not consistent */
} rows[] = {
    /* All that name an instance must be reached. */
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0 1.0", "00", "11" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0! 1.0!", "00", "" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0! 1.0", "00", "" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0!", "0", "0" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0", "0", "" },
    { TWO "bar.cta.sync 0|bar.cta.sync 1;", "0.0 1.0", "00", "11" },
    { TWO "bar.cta.sync 0|bar.cta.sync 1;", "0.0! 1.0", "00", "" },
    { TWO "bar.cta.sync 0|st x, 1;", "0.0", "0", "1" },
    { APART "bar.cta.sync 0|bar.cta.sync 0;", "0.0", "0", "1" },
    { APART "bar.cta.sync 0|bar.cta.sync 0;", "0.0!", "0", "" },
    /* An arrival gives, and goes on at once; but not if others never come. */
    { TWO "bar.cta.arrive 0|bar.cta.sync 0;", "0.0 1.0", "00", "11" },
    { TWO "bar.cta.arrive 0|bar.cta.sync 0;", "0.0!", "0", "0" },
    { TWO "bar.cta.arrive 0|bar.cta.sync 0;", "0.0", "0", "" },
    { TWO "bar.cta.arrive 0|bar.cta.sync 1;bar.cta.sync 1|bar.cta.sync 0;",
      "0.0 0.1 1.0 1.1", "0000", "1111" },
    /* Threads that wait for each other hang. */
    { TWO "bar.cta.sync 0|bar.cta.sync 1;bar.cta.sync 1|bar.cta.sync 0;",
      "0.0 0.1 1.0 1.1", "0000", "" },
    { TWO "bar.cta.sync 0|bar.cta.sync 1;bar.cta.sync 1|bar.cta.sync 0;", "0.0! 1.0!",
      "00", "00" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;bar.cta.sync 1|;", "0.0! 0.1!", "00", "" },
    { TWO "bar.cta.sync 0|;bar.cta.sync 0|;", "0.0!", "0", "0" },
    { TWO "bar.cta.sync 0|;bar.cta.sync 0|;", "0.0 0.1", "00", "" },
    { TWO "bar.cta.sync 0|;bar.cta.sync 1|;", "0.0 0.1", "00", "11" },
    /* Numbers. */
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, r0;", "0.0 1.0", "11", "11" },
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, r0;", "0.0! 1.0!", "11", "" },
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, r0;", "0.0 1.0", "12", "11" },
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, r0;", "0.0!", "1", "0" },
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, 2;", "0.0", "1", "1" },
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, 1;", "0.0", "1", "" },
    { TWO "bar.cta.sync 0, r0|bar.cta.sync 0, 1;", "0.0!", "1", "0" },
    { TWO "bar.cta.sync 0, 1|bar.cta.sync 0;", "0.0", "1", "1" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0, 1;", "0.0", "0", "" },
    /* Quorums: some of those that have come give, and all go on. */
    { THREE "bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2;",
      "0.0 1.0 2.0", "111", "110 101 011" },
    { THREE "bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2;",
      "0.0 1.0", "11", "11" },
    { THREE "bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2;",
      "0.0! 1.0!", "11", "" },
    { THREE "bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2;", "0.0!",
      "1", "0" },
    { THREE "bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2|bar.cta.sync 0, 1, 2;", "0.0",
      "1", "" },
    { THREE "bar.cta.sync 0, 1, 4|bar.cta.sync 0, 1, 4|bar.cta.sync 0, 1, 4;",
      "0.0! 1.0! 2.0!", "111", "000" },
    { THREE "bar.cta.sync 0, r0, 2|bar.cta.sync 0, r0, 2|bar.cta.sync 0, r0, 2;",
      "0.0 1.0! 2.0", "121", "101" },
    { THREE "bar.cta.sync 0, 1, 1|bar.cta.sync 0, 1, 1|bar.cta.sync 1;"
            "| |bar.cta.sync 0, 1, 1;",
      "0.0 1.0 2.0 2.1", "1101", "1010 0110 0011" },
    { TWO "bar.cta.arrive 0, 1, 2|bar.cta.sync 0, 1, 2;", "0.0 1.0", "11", "11" },
    /* A giver that the one which waits for it must free first cannot be chosen. */
    { TWO "bar.cta.sync 0, 1, 1|bar.cta.sync 1;bar.cta.sync 1|bar.cta.sync 0, 1, 1;",
      "0.0 0.1 1.0 1.1", "1001", "1110" },
    /* Another round of a loop is another instance. */
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0 0.0 1.0 1.0", "0000", "1111" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0 0.0! 1.0", "000", "101" },
    { TWO "bar.cta.sync 0|bar.cta.sync 0;", "0.0 0.0 1.0", "000", "" },
    /* Clusters: arrivals give, and waits take. */
    { CLUSTERED "barrier.cluster.arrive 0|barrier.cluster.arrive 0;"
                "barrier.cluster.wait 0|barrier.cluster.wait 0;",
      "0.0 0.1 1.0 1.1", "0000", "1010" },
    { CLUSTERED "barrier.cluster.arrive 0|barrier.cluster.arrive 0;"
                "barrier.cluster.wait 0|barrier.cluster.wait 0;",
      "0.0 0.1 1.0", "000", "101" },
    { CLUSTERED "barrier.cluster.wait 0|barrier.cluster.arrive 0;", "0.0!", "0", "0" },
    { CLUSTERED "bar.cta.sync 0|barrier.cluster.arrive 0;", "0.0", "0", "1" },
    /* Vulkan: the work-group, or the scope that `exec` states. */
    { VULKAN "cbar.wg 0|cbar.wg 0|cbar.wg 0;", "0.0 1.0", "00", "11" },
    { VULKAN "cbar.wg 0|cbar.wg 0|cbar.wg 0;", "0.0", "0", "" },
    { VULKAN "cbar.exec.sg.wg 0|cbar.exec.sg.wg 0|;", "0.0", "0", "1" },
    { VULKAN "cbar.exec.dv.wg 0|cbar.exec.dv.wg 0|cbar.exec.dv.wg 0;", "0.0 1.0", "00",
      "" },
    { VULKAN "cbar.exec.qf.wg 0|cbar.exec.qf.wg 0|cbar.exec.qf.wg 0;", "0.0 1.0 2.0",
      "000", "111" },
};

CASE("meet");

TEST(exactly_those_hang_whose_barrier_is_not_complete)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(weiri_litmus) test = litmus_read(rows[i].text, rows[i].text);
        g_autofree char *said = choices(test, rows[i].entries, rows[i].numbers);
        EXPECT(strcmp(said, rows[i].choices) == 0, "%s%s: '%s', not '%s'", rows[i].text,
               rows[i].entries, said, rows[i].choices);
    }
}

TEST(a_scope_includes_threads_on_all_wider_levels)
{
    static const struct {
        int scope;
        const char *ptx, *vulkan; /* by thread: whether P0's scope includes it */
    } scopes[] = {
        { memory_scope_work_item, "10000", "10000" },
        { memory_scope_sub_group, "10000", "11000" },
        { memory_scope_work_group, "11000", "11100" },
        { WEIRI_SCOPE_CLUSTER, "11100", "11110" },
        { memory_scope_device, "11110", "11111" },
        { memory_scope_system, "11111", "11111" },
    };
    g_autoptr(weiri_litmus) ptx
        = litmus_read("PTX t\n{}\nP0@cta 0,cluster 0,gpu 0|P1@cta 0,cluster 0,gpu 0|"
                      "P2@cta 1,cluster 0,gpu 0|P3@cta 0,cluster 1,gpu 0|"
                      "P4@cta 0,cluster 0,gpu 1;",
                      "ptx");
    g_autoptr(weiri_litmus) vulkan
        = litmus_read("VULKAN t\n{}\nP0@sg 0,wg 0,qf 0|P1@sg 0,wg 0,qf 0|"
                      "P2@sg 1,wg 0,qf 0|P3@sg 0,wg 1,qf 0|P4@sg 0,wg 0,qf 1;",
                      "vulkan");
    for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
        for (uint32_t t = 0; t < 5; t++) {
            memory_scope scope = (memory_scope)scopes[i].scope;
            EXPECT(weiri_litmus_in_scope(ptx, scope, 0, t) == (scopes[i].ptx[t] == '1'),
                   "PTX: %d, P%u", scope, t);
            EXPECT(weiri_litmus_in_scope(vulkan, scope, 0, t)
                       == (scopes[i].vulkan[t] == '1'),
                   "Vulkan: %d, P%u", scope, t);
        }
    }
}

TEST(without_entries_there_is_one_choice)
{
    g_autoptr(weiri_litmus) test = litmus_read(TWO "bar.cta.sync 0|;", "t");
    ck_assert_int_eq(weiri_litmus_meet(test, NULL, 0, 0, NULL), WEIRI_LITMUS_MEETS);
    ck_assert_int_eq(weiri_litmus_meet(test, NULL, 0, 1, NULL), WEIRI_LITMUS_NO_CHOICE);
}

MAIN("meet")
