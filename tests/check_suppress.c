/* SPDX-License-Identifier: MIT
 *
 * check_suppress.c: what a file of suppressions covers and what it does not, what its
 * comments say, and what is refused, with the line. */
#include "support.h"

#include "show/suppress.h"

/* For g_autoptr(). */
typedef struct weiri_suppressions weiri_suppressions;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weiri_suppressions, weiri_suppress_free)

static const struct weir_frame way[] = { { "log_line", "util/log.c", 9 } };

static const struct weir_party parties[] = {
    { .file = "src/tree.c",
      .function = "tree_sum__body",
      .line = 12,
      .access = WEIR_ACCESS_WRITE },
    { .file = "src/util/text.c",
      .function = "append",
      .n_path = 1,
      .path = way,
      .access = WEIR_ACCESS_READ },
};

static const struct weir_finding race = {
    .kind = WEIR_FINDING_DATA_RACE,
    .kernel = "tree_sum",
    .message = "data race",
    .object = "local array of src/tree.c:8",
    .n_parties = 2,
    .parties = parties,
};

/* Reads @text, which must be sound. Returns: (transfer full) */
static struct weiri_suppressions *read_text(const char *text)
{
    struct weiri_suppressions *list = weiri_suppress_new();
    GError *error = NULL;
    bool sound = weiri_suppress_add(list, text, strlen(text), "races.supp", &error);
    ck_assert_msg(sound, "'%s': %s", text, error != NULL ? error->message : "no error");
    return list;
}

static bool covers(const char *text, const struct weir_finding *finding)
{
    g_autoptr(weiri_suppressions) list = read_text(text);
    bool covered = weiri_suppress_find(list, finding) != NULL;
    return covered;
}

CASE("entries");

TEST(an_entry_covers_what_all_of_its_words_match)
{
    static const char *const covering[] = {
        "data-race",
        "*-race kernel=tree_sum",
        "* kernel=tree_sum",
        "data-rac? kernel=tree*",
        "data-race kernel=*_sum object=\"local array of *\"",
        "data-race \"object=local array of src/tree.c:8\"",
        "data-race function=tree_sum",
        "data-race function=append",
        "data-race function=log_*",
        "data-race file=tree.c",
        "data-race file=src/tree.c",
        "data-race file=text.c",
        "\t data-race\tkernel=tree_sum   # why not\r",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(covering); i++) {
        ck_assert_msg(covers(covering[i], &race), "'%s' does not", covering[i]);
    }
}

TEST(an_entry_leaves_its_neighbours_alone)
{
    static const char *const others[] = {
        "scope-race",
        "data-race kernel=tree",
        "data-race kernel=tree_sum object=other",
        "data-race function=tree_sum file=other.c",
        "data-race function=log_line kernel=other",
        "data-race file=ree.c",
        "data-race function=tree_sum__body",
        "data-race kernel=tree_sum?",
        "",
        "# data-race",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        ck_assert_msg(!covers(others[i], &race), "'%s' does", others[i]);
    }
    struct weir_finding poor = race;
    poor.object = NULL;
    poor.n_parties = 0;
    ck_assert(!covers("data-race object=a*", &poor));
    ck_assert(!covers("data-race function=?*", &poor));
    ck_assert(covers("data-race kernel=t*", &poor));
}

TEST(an_item_that_spins_is_covered_by_what_it_waits_for)
{
    const struct weir_party spins = { .state = WEIR_STATE_SPINNING, .object = "flag" };
    const struct weir_finding livelock = { .kind = WEIR_FINDING_LIVELOCK,
                                           .kernel = "k",
                                           .message = "",
                                           .n_parties = 1,
                                           .parties = &spins };
    ck_assert(covers("livelock object=flag", &livelock));
    ck_assert(!covers("livelock object=flags", &livelock));
}

TEST(entries_count_and_name_their_lines_and_reasons)
{
    g_autoptr(weiri_suppressions) list = read_text("# The bins are approximate\n"
                                                   "# on purpose.\n"
                                                   "data-race kernel=other\n"
                                                   "data-race kernel=tree_* # torn\n"
                                                   "data-race\n"
                                                   "\n"
                                                   "livelock\n"
                                                   "# New.\n"
                                                   "fault");
    static const struct {
        size_t line;
        const char *reason;
        size_t n_findings;
    } expected[] = {
        { 3, "The bins are approximate on purpose.", 0 },
        { 4, "torn", 2 },
        { 5, "The bins are approximate on purpose.", 0 },
        { 7, NULL, 0 },
        { 9, "New.", 0 },
    };
    const struct weiri_suppression *found = weiri_suppress_find(list, &race);
    ck_assert_ptr_eq(found, weiri_suppress_find(list, &race));
    ck_assert_ptr_eq(found, weiri_suppress_entry(list, 1));
    ck_assert_uint_eq(weiri_suppress_n(list), G_N_ELEMENTS(expected));
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        const struct weiri_suppression *entry = weiri_suppress_entry(list, i);
        ck_assert_str_eq(entry->file, "races.supp");
        ck_assert_uint_eq(entry->line, expected[i].line);
        ck_assert_msg(g_strcmp0(entry->reason, expected[i].reason) == 0,
                      "entry %zu: '%s'", i, entry->reason);
        ck_assert_uint_eq(entry->n_findings, expected[i].n_findings);
    }
}

CASE("malformed");

TEST(what_is_malformed_is_refused_with_its_line)
{
    static const struct {
        const char *line;
        const char *said;
    } wrong[] = {
        { "data-rce",
          "races.supp:2: unknown kind of finding 'data-rce': the kinds are data-race" },
        { "data-race kernal=x", "'kernal=x'" },
        { "data-race kernel", "'kernel'" },
        { "data-race kernel=", "kernel= has no pattern" },
        { "data-race kernel=\"\"", "kernel= has no pattern" },
        { "data-race kernel=a kernel=b", "kernel= is given twice" },
        { "data-race object=\"a b", "quotation mark" },
        { "\"data-race", "quotation mark" },
        { "*", "suppresses everything" },
        { "** kernel=* object=**", "suppresses everything" },
        { "data-race kernel=caf\xe9", "UTF-8" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(weiri_suppressions) list = weiri_suppress_new();
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strdup_printf("fault\n%s\nlivelock\n", wrong[i].line);
        ck_assert(!weiri_suppress_add(list, text, strlen(text), "races.supp", &error));
        ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_INPUT));
        expect_contains(error->message, wrong[i].said);
        expect_contains(error->message, "races.supp:2: ");
        ck_assert_ptr_null(strchr(error->message, '\n'));
        ck_assert_uint_eq(weiri_suppress_n(list), 1);
    }
}

TEST(a_zero_byte_is_refused)
{
    static const char text[] = "data-race\0kernel=x\n";
    g_autoptr(weiri_suppressions) list = weiri_suppress_new();
    g_autoptr(GError) error = NULL;
    ck_assert(!weiri_suppress_add(list, text, sizeof(text) - 1, "f", &error));
    expect_contains(error->message, "f:1: ");
}

TEST(any_bytes_are_entries_or_an_error)
{
    static const char right[]
        = "# Why.\ndata-race kernel=a* object=\"b c\" # w\n\n*-race "
          "function=f file=t?.c\n";
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(20000, 400); i++) {
        char text[sizeof(right)];
        memcpy(text, right, sizeof(right));
        for (size_t k = random_between(&seed, 1, 6); k > 0; k--) {
            text[random_between(&seed, 0, sizeof(text) - 2)] = i % 2 == 0
                ? (char)random_next(&seed)
                : "#\"=* \n?-\t"[random_between(&seed, 0, 8)];
        }
        g_autoptr(weiri_suppressions) list = weiri_suppress_new();
        GError *error = NULL;
        bool sound
            = weiri_suppress_add(list, text, random_between(&seed, 0, 60), "f", &error);
        ck_assert(sound == (error == NULL));
        (void)weiri_suppress_find(list, &race);
        g_clear_error(&error);
    }
}

CASE("entries");

/* Without an empty line between, each comment begins a reason of its own. */
TEST(a_comment_below_an_entry_begins_another_reason)
{
    g_autoptr(weiri_suppressions) list = read_text("# The bins.\n"
                                                   "data-race kernel=bins\n"
                                                   "# The tree.\n"
                                                   "data-race kernel=tree\n");
    ck_assert_str_eq(weiri_suppress_entry(list, 0)->reason, "The bins.");
    ck_assert_str_eq(weiri_suppress_entry(list, 1)->reason, "The tree.");
}

MAIN("suppress")
