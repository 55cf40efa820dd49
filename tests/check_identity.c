/* SPDX-License-Identifier: MIT
 *
 * check_identity.c: which findings are one defect. The same defect under another
 * schedule is the same finding, a defect that differs in a field that counts is another
 * one, and all that ask get the same answer: the joining of runs, the member "key" of
 * JSON, the fingerprint of SARIF, and a baseline. */
#include "support.h"

#include "finding/identity.h"
#include "report/report.h"
#include "show/baseline.h"
#include "show/document.h"

#include <json-glib/json-glib.h>

/* For g_autoptr(). */
typedef struct weiri_baseline weiri_baseline;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weiri_baseline, weiri_baseline_free)

CASE("same");

static const struct weir_frame frame = { "add", "src/tree.c", 30 };
static const struct weir_party reads = { .state = WEIR_STATE_RUNNING,
                                         .items = "1",
                                         .item = { 1, 0, 0 },
                                         .file = "src/tree.c",
                                         .function = "tree_sum__body",
                                         .line = 12,
                                         .source = "a[i] += a[i + n];",
                                         .access = WEIR_ACCESS_READ };
static const struct weir_party writes = { .state = WEIR_STATE_RUNNING,
                                          .items = "3",
                                          .item = { 3, 0, 0 },
                                          .file = "src/tree.c",
                                          .function = "tree_sum__body",
                                          .line = 14,
                                          .source = "a[i] = 0;",
                                          .access = WEIR_ACCESS_WRITE };

/* A finding with room for its parties. */
struct sample {
    struct weir_finding finding;
    struct weir_party parties[2];
};

static void set_up(struct sample *sample)
{
    sample->parties[0] = reads;
    sample->parties[1] = writes;
    sample->finding = (struct weir_finding){ .kind = WEIR_FINDING_DATA_RACE,
                                             .kernel = "tree_sum",
                                             .message = "data race",
                                             .space = "local",
                                             .object = "local array of src/tree.c:8",
                                             .count = 1,
                                             .n_parties = 2,
                                             .parties = sample->parties };
}

/* Changes of a finding, and the levels at which it is the same one afterwards. */
enum { NONE, FROM_TEXT, FROM_PLACES, FROM_CALLS };

#define CHANGE(name, ...)                                                              \
    static void name(struct sample *sample)                                            \
    {                                                                                  \
        __VA_ARGS__;                                                                   \
    }

CHANGE(nothing, (void)sample)
CHANGE(other_items, sample->parties[0].items = "60"; sample->parties[0].item[0] = 60;
       sample->parties[1].group[1] = 7; sample->parties[1].groups = "7-9")
CHANGE(other_words, sample->finding.message = "a race"; sample->finding.why = "so";
       sample->finding.count = 77; sample->finding.index = 5;
       sample->parties[0].phase = 2)
CHANGE(other_way, sample->parties[0].n_path = 1; sample->parties[0].path = &frame)
CHANGE(other_function, sample->parties[0].function = "add")
CHANGE(other_order, sample->parties[0].order = "acquire")
CHANGE(other_scope, sample->parties[0].scope = "device")
CHANGE(other_line_same_text, sample->parties[0].line = 13)
CHANGE(other_folder, sample->parties[0].file = "/elsewhere/tree.c")
CHANGE(other_array_line, sample->finding.object = "local array of src/tree.c:9")
CHANGE(note, sample->finding.note = true)
CHANGE(other_text, sample->parties[1].line = 15;
       sample->parties[1].source = "a[i] = 1;")
CHANGE(other_file, sample->parties[1].file = "src/other.c")
CHANGE(other_access, sample->parties[1].access = WEIR_ACCESS_READ_WRITE)
CHANGE(other_kind, sample->finding.kind = WEIR_FINDING_SCOPE_RACE)
CHANGE(other_kernel, sample->finding.kernel = "other")
CHANGE(other_object, sample->finding.object = "scratch")
CHANGE(named_as_the_file, sample->finding.object = "tree.c")
CHANGE(one_party, sample->finding.n_parties = 1)

static const struct change {
    const char *name;
    void (*change)(struct sample *sample);
    int same;
} changes[] = {
#define ROW(name, same)                                                                \
    {                                                                                  \
#name, name, same                                                              \
    }
    ROW(nothing, FROM_CALLS),
    ROW(other_items, FROM_CALLS),
    ROW(other_words, FROM_CALLS),
    ROW(other_way, FROM_PLACES),
    ROW(other_function, FROM_PLACES),
    ROW(other_order, FROM_PLACES),
    ROW(other_scope, FROM_PLACES),
    ROW(other_line_same_text, FROM_TEXT),
    ROW(other_folder, FROM_TEXT),
    ROW(other_array_line, FROM_TEXT),
    ROW(note, FROM_TEXT),
    ROW(other_text, NONE),
    ROW(other_file, NONE),
    ROW(other_access, NONE),
    ROW(other_kind, NONE),
    ROW(other_kernel, NONE),
    ROW(other_object, NONE),
    ROW(named_as_the_file, NONE),
    ROW(one_party, NONE),
#undef ROW
};

static bool same_at(enum weiri_identity level, const struct weir_finding *a,
                    const struct weir_finding *b)
{
    return weiri_finding_compare(a, b, level) == 0;
}

static bool same_key(const struct weir_finding *a, const struct weir_finding *b)
{
    g_autofree char *key = weiri_finding_key(a), *other = weiri_finding_key(b);
    return strcmp(key, other) == 0;
}

TEST_EACH(what_counts_and_only_that_makes_another_finding, G_N_ELEMENTS(changes))
{
    const struct change *change = &changes[_i];
    struct sample sample, other;
    set_up(&sample);
    set_up(&other);
    change->change(&other);
    const struct weir_finding *a = &sample.finding, *b = &other.finding;
    for (int i = 0; i < 2; i++) {
        enum weiri_identity level
            = i == 0 ? WEIRI_IDENTITY_CALLS : WEIRI_IDENTITY_PLACES;
        int needed = i == 0 ? FROM_CALLS : FROM_PLACES;
        ck_assert_msg((weiri_finding_compare(a, b, level) == 0)
                          == (change->same >= needed),
                      "%s, level %d", change->name, i);
        ck_assert_int_eq(weiri_finding_compare(a, b, level) > 0,
                         weiri_finding_compare(b, a, level) < 0);
    }
    ck_assert_msg(same_key(a, b) == (change->same >= FROM_TEXT), "%s", change->name);
}

TEST(a_race_is_the_same_whichever_access_came_first)
{
    struct sample first, second;
    set_up(&first);
    set_up(&second);
    second.parties[0] = writes;
    second.parties[1] = reads;
    ck_assert(same_key(&first.finding, &second.finding));
    weiri_finding_order_parties(&first.finding, first.parties);
    weiri_finding_order_parties(&second.finding, second.parties);
    ck_assert(same_at(WEIRI_IDENTITY_CALLS, &first.finding, &second.finding));
    ck_assert_int_eq(second.parties[0].line, 12);
}

TEST(a_race_at_one_place_is_in_the_order_of_its_items)
{
    struct sample sample;
    set_up(&sample);
    sample.parties[0] = sample.parties[1];
    sample.parties[0].item[0] = 9;
    weiri_finding_order_parties(&sample.finding, sample.parties);
    ck_assert_uint_eq(sample.parties[0].item[0], 3);
    sample.finding.kind = WEIR_FINDING_BARRIER_DIVERGENCE; /* its order has a meaning */
    sample.parties[0].item[0] = 9;
    weiri_finding_order_parties(&sample.finding, sample.parties);
    ck_assert_uint_eq(sample.parties[0].item[0], 9);
}

/* Two functions of a program without debug information. */
TEST(where_no_line_is_known_the_function_counts)
{
    struct sample first, second;
    set_up(&first);
    set_up(&second);
    for (size_t i = 0; i < 2; i++) {
        first.parties[i].file = second.parties[i].file = NULL;
        first.parties[i].source = second.parties[i].source = NULL;
        first.parties[i].line = second.parties[i].line = 0;
    }
    second.parties[0].function = "kernel tree_sum"; /* the same by another name */
    ck_assert(same_at(WEIRI_IDENTITY_PLACES, &first.finding, &second.finding));
    ck_assert(same_key(&first.finding, &second.finding));
    second.parties[0].function = "helper";
    ck_assert(!same_at(WEIRI_IDENTITY_PLACES, &first.finding, &second.finding));
    ck_assert(!same_key(&first.finding, &second.finding));
}

TEST(what_spins_is_known_by_what_it_waits_for)
{
    struct sample first, second;
    set_up(&first);
    first.finding.kind = WEIR_FINDING_LIVELOCK;
    first.finding.space = first.finding.object = NULL;
    first.finding.n_parties = 1;
    first.parties[0].state = WEIR_STATE_SPINNING;
    first.parties[0].object = "flag";
    second = first;
    second.finding.parties = second.parties;
    ck_assert(same_key(&first.finding, &second.finding));
    second.parties[0].object = "lock";
    ck_assert(!same_key(&first.finding, &second.finding));
    ck_assert(!same_at(WEIRI_IDENTITY_PLACES, &first.finding, &second.finding));
}

/* ---- All that ask ---------------------------------------------------------------- */

CASE("all");

/* A document of one finding, as the command prints it. */
static JsonNode *json_of(const struct weir_finding *finding)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "findings");
    json_builder_begin_array(builder);
    weiri_report_add_finding(builder, finding);
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    return json_builder_get_root(builder);
}

/* The only text at @path. Returns: (transfer full) */
static char *text_at(JsonNode *root, const char *path)
{
    g_autoptr(JsonNode) found = json_path_query(path, root, NULL);
    return g_strdup(json_array_get_string_element(json_node_get_array(found), 0));
}

static char *json_key(const struct weir_finding *finding)
{
    g_autoptr(JsonNode) root = json_of(finding);
    return text_at(root, "$.findings[0].key");
}

static char *sarif_key(const struct weir_finding *finding)
{
    struct weiri_document_finding found
        = { .finding = *finding, .shown = "once", .again = "again" };
    struct weiri_document document = { .subject = "tree_sum", .totals = "1 run" };
    document.findings = g_array_new(FALSE, FALSE, sizeof(found));
    g_array_append_val(document.findings, found);
    document.notes = g_ptr_array_new();
    document.gone = g_ptr_array_new();
    g_autofree char *text = weiri_sarif_to_text(&document);
    g_autoptr(JsonNode) root = json_from_string(text, NULL);
    g_array_unref(document.findings);
    g_ptr_array_unref(document.notes);
    g_ptr_array_unref(document.gone);
    return text_at(root, "$.runs[0].results[0].partialFingerprints['weirFinding/v1']");
}

static bool baseline_has(const struct weir_finding *before,
                         const struct weir_finding *after)
{
    g_autoptr(JsonNode) root = json_of(before);
    g_autofree char *text = json_to_string(root, FALSE);
    g_autoptr(weiri_baseline) baseline
        = weiri_baseline_parse(text, strlen(text), "base.json", NULL);
    ck_assert_ptr_nonnull(baseline);
    bool has = weiri_baseline_has(baseline, after);
    return has;
}

TEST(all_that_ask_agree)
{
    struct sample samples[G_N_ELEMENTS(changes)];
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        set_up(&samples[i]);
        changes[i].change(&samples[i]);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        const struct weir_finding *a = &samples[i].finding;
        g_autofree char *json = json_key(a), *sarif = sarif_key(a);
        ck_assert_str_eq(json, sarif);
        for (size_t k = 0; k < G_N_ELEMENTS(changes); k++) {
            const struct weir_finding *b = &samples[k].finding;
            g_autofree char *other = json_key(b);
            bool same = strcmp(json, other) == 0;
            ck_assert_int_eq(same, same_key(a, b));
            if (!a->note) { /* a baseline is of defects */
                ck_assert_int_eq(same, baseline_has(a, b));
            }
            bool joined = weiri_finding_compare(a, b, WEIRI_IDENTITY_PLACES) == 0;
            bool one = weiri_finding_compare(a, b, WEIRI_IDENTITY_CALLS) == 0;
            ck_assert_msg(!one || joined, "%s, %s", changes[i].name, changes[k].name);
            ck_assert_msg(!joined || same, "%s, %s", changes[i].name, changes[k].name);
        }
    }
}

/* The key of a finding from before findings had one in JSON: recognised by members,
 * and by SARIF under the same name. */
TEST(a_key_stays_as_older_files_have_it)
{
    struct sample sample;
    set_up(&sample);
    g_autofree char *key = weiri_finding_key(&sample.finding);
    ck_assert_str_eq(key,
                     "data-race\ntree_sum\nlocal array of tree.c\n"
                     "tree.c\ta[i] += a[i + n];\tread\ntree.c\ta[i] = 0;\twrite");
    static const char old[]
        = "{\"findings\": [{\"kind\": \"data-race\", \"kernel\": \"tree_sum\","
          " \"note\": false, \"object\": \"local array of tree.c:3\", \"sites\": ["
          "{\"state\": \"running\", \"file\": \"tree.c\", \"function\": \"tree_sum\","
          " \"line\": 4, \"source\": \"a[i] = 0;\", \"operation\": null,"
          " \"access\": \"write\"},"
          "{\"state\": \"running\", \"file\": \"tree.c\", \"function\": \"tree_sum\","
          " \"line\": 2, \"source\": \"a[i] += a[i + n];\", \"operation\": null,"
          " \"access\": \"read\"}]}]}";
    g_autoptr(weiri_baseline) baseline
        = weiri_baseline_parse(old, strlen(old), "old.json", NULL);
    ck_assert_ptr_nonnull(baseline);
    ck_assert(weiri_baseline_has(baseline, &sample.finding));
    sample.parties[0].source = "a[i] += a[i];";
    ck_assert(!weiri_baseline_has(baseline, &sample.finding));
}

MAIN("identity")
