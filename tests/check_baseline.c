/* SPDX-License-Identifier: MIT
 *
 * check_baseline.c: a finding is recognised in a former output of --json wherever edits
 * have moved it, and a different one is not; other files are refused. */
#include "support.h"

#include "report/report.h"
#include "show/baseline.h"

#include <json-glib/json-glib.h>

/* For g_autoptr(). */
typedef struct weiri_baseline weiri_baseline;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weiri_baseline, weiri_baseline_free)

static const struct weir_party parties[] = {
    { .state = WEIR_STATE_RUNNING,
      .items = "1",
      .file = "src/tree.c",
      .function = "tree_sum__body",
      .line = 12,
      .source = "a[i] += a[i + n]; /* \"{[' */",
      .access = WEIR_ACCESS_READ },
    { .state = WEIR_STATE_RUNNING,
      .items = "3",
      .file = "src/tree.c",
      .function = "tree_sum__body",
      .line = 14,
      .source = "a[i] = 0;",
      .access = WEIR_ACCESS_WRITE },
};

static struct weir_finding finding_of(const struct weir_party *some)
{
    return (struct weir_finding){ .kind = WEIR_FINDING_DATA_RACE,
                                  .kernel = "tree_sum",
                                  .message = "data race",
                                  .object = "local array of src/tree.c:8",
                                  .count = 1,
                                  .n_parties = 2,
                                  .parties = some };
}

/* As the command prints it. Returns: (transfer full) */
static char *json_of(const struct weir_finding *findings, size_t n)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "findings");
    json_builder_begin_array(builder);
    for (size_t i = 0; i < n; i++) {
        weiri_report_add_finding(builder, &findings[i]);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    return json_to_string(root, TRUE);
}

static struct weiri_baseline *parse(const char *text)
{
    GError *error = NULL;
    struct weiri_baseline *baseline
        = weiri_baseline_parse(text, strlen(text), "base.json", &error);
    ck_assert_msg(baseline != NULL, "%s", error != NULL ? error->message : "no error");
    return baseline;
}

static bool has(const struct weir_finding *before, const struct weir_finding *after)
{
    g_autofree char *text = json_of(before, 1);
    g_autoptr(weiri_baseline) baseline = parse(text);
    bool had = weiri_baseline_has(baseline, after);
    const char *kernel;
    ck_assert((weiri_baseline_gone(baseline, 0, &kernel) == NULL) == had);
    ck_assert_str_eq(kernel, "tree_sum");
    return had;
}

CASE("same");

TEST(a_finding_is_recognised_wherever_edits_have_moved_it)
{
    struct weir_finding before = finding_of(parties);
    ck_assert(has(&before, &before));
    struct weir_party moved[2] = { parties[1], parties[0] };
    moved[0].line = 140;
    moved[1].line = 7;
    moved[0].file = moved[1].file = "/elsewhere/tree.c";
    moved[0].items = "60";
    struct weir_finding after = finding_of(moved);
    after.object = "local array of /elsewhere/tree.c:80";
    after.index = 5;
    after.count = 77;
    after.message = "another";
    ck_assert(has(&before, &after));
}

TEST(a_finding_that_differs_is_new)
{
    const struct weir_finding before = finding_of(parties);
    struct weir_party others[2] = { parties[0], parties[1] };
    struct weir_finding after = finding_of(others);
    ck_assert(has(&before, &after));
    others[1].source = "a[i] = 1;";
    ck_assert(!has(&before, &after));
    others[1] = parties[1];
    others[1].access = WEIR_ACCESS_READ_WRITE;
    ck_assert(!has(&before, &after));
    others[1] = parties[1];
    others[1].file = "src/other.c";
    ck_assert(!has(&before, &after));
    others[1] = parties[1];
    after.kind = WEIR_FINDING_SCOPE_RACE;
    ck_assert(!has(&before, &after));
    after = finding_of(others);
    after.kernel = "other";
    ck_assert(!has(&before, &after));
    after = finding_of(others);
    after.object = "scratch";
    ck_assert(!has(&before, &after));
    after = finding_of(others);
    after.n_parties = 1;
    ck_assert(!has(&before, &after));
}

TEST(what_spins_and_what_has_no_source_is_recognised)
{
    const struct weir_party spins = { .state = WEIR_STATE_SPINNING,
                                      .file = "caf\xe9.c",
                                      .function = "tree_sum__body",
                                      .line = 3,
                                      .object = "flag",
                                      .index = 2 };
    struct weir_finding livelock = finding_of(&spins);
    livelock.kind = WEIR_FINDING_LIVELOCK;
    livelock.object = NULL;
    livelock.n_parties = 1;
    ck_assert(has(&livelock, &livelock));
}

TEST(a_finding_not_seen_again_is_gone_with_its_places)
{
    struct weir_finding findings[3]
        = { finding_of(parties), finding_of(parties), finding_of(parties) };
    findings[1].note = true; /* no defect: nobody misses it */
    findings[1].kernel = "quiet";
    findings[2].kernel = "other";
    g_autofree char *text = json_of(findings, 3);
    g_autofree char *several = g_strdup_printf("[%s, {\"findings\": []}]", text);
    g_autoptr(weiri_baseline) baseline = parse(several);
    ck_assert_uint_eq(weiri_baseline_n(baseline), 2);
    ck_assert(weiri_baseline_has(baseline, &findings[0]));
    const char *kernel;
    ck_assert_ptr_null(weiri_baseline_gone(baseline, 0, &kernel));
    ck_assert_str_eq(weiri_baseline_gone(baseline, 1, &kernel),
                     "data-race in kernel 'other', src/tree.c:12, src/tree.c:14");
    ck_assert_str_eq(kernel, "other");
}

static void expect_refused(const char *text, size_t bytes)
{
    g_autoptr(GError) error = NULL;
    struct weiri_baseline *baseline
        = weiri_baseline_parse(text, bytes, "base.json", &error);
    ck_assert_msg(baseline == NULL, "'%.40s' is a baseline", text);
    ck_assert(g_error_matches(error, WEIR_ERROR, WEIR_ERROR_INPUT));
    ck_assert_msg(g_str_has_prefix(error->message, "base.json: "), "%s",
                  error->message);
    ck_assert_ptr_null(strchr(error->message, '\n'));
}

CASE("malformed");

TEST(whatever_is_no_output_of_the_command_is_refused)
{
    static const char *const wrong[] = {
        "",
        "{",
        "nonsense",
        "null",
        "5",
        "\"findings\"",
        "{}",
        "[5]",
        "[[]]",
        "{\"findings\": 5}",
        "{\"findings\": {}}",
        "{\"findings\": [5]}",
        "{\"findings\": [{}]}",
        "{\"findings\": [{\"kind\": \"data-race\"}]}",
        "{\"findings\": [{\"kind\": 5, \"sites\": []}]}",
        "{\"findings\": [{\"kind\": \"data-rce\", \"sites\": []}]}",
        "{\"findings\": [{\"kind\": \"data-race\", \"sites\": [5]}]}",
        "{\"findings\": []} // and a comment",
        "{'findings': []}",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        expect_refused(wrong[i], strlen(wrong[i]));
    }
    expect_refused("{\"findings\": [\xff]}", 16);
    expect_refused("{}\0", 3);
    enum { DEEP = 1000000 };
    g_autofree char *deep = g_strnfill(DEEP, '[');
    expect_refused(deep, DEEP);
    memcpy(deep, "/*\"*/", 5); /* what looks like a text must not hide them */
    expect_refused(deep, DEEP);
    memcpy(deep, "['\"',", 5);
    expect_refused(deep, DEEP);
}

TEST(any_bytes_are_a_baseline_or_an_error)
{
    struct weir_finding before = finding_of(parties);
    g_autofree char *right = json_of(&before, 1);
    size_t n = strlen(right);
    g_autofree char *text = g_malloc(n);
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(5000, 100); i++) {
        memcpy(text, right, n);
        for (size_t k = random_between(&seed, 1, 4); k > 0; k--) {
            text[random_between(&seed, 0, n - 1)] = i % 2 == 0
                ? (char)random_next(&seed)
                : "[]{}\",:0\\"[random_between(&seed, 0, 8)];
        }
        GError *error = NULL;
        g_autoptr(weiri_baseline) baseline = weiri_baseline_parse(
            text, i % 3 == 0 ? random_between(&seed, 0, n) : n, "f", &error);
        ck_assert((baseline == NULL) == (error != NULL));
        if (baseline != NULL) {
            (void)weiri_baseline_has(baseline, &before);
        }
        g_clear_error(&error);
    }
}

MAIN("baseline")
