/* SPDX-License-Identifier: MIT
 *
 * check_report.c: findings as text for people and as JSON, from values made by hand:
 * what is known is printed once, what is not known is "-" or null. */
#include "support.h"

#include "report/report.h"

#include <json-glib/json-glib.h>

/* ---- Values ------------------------------------------------------------------ */

static const struct weir_frame way[] = {
    { "sweep", "tree.c", 52 },
    { "kernel tree_sum", "tree.c", 60 },
};

static const struct weir_party diverged[] = {
    { .state = WEIR_STATE_WAITING,
      .items = "0-4",
      .group = { 3, 0, 0 },
      .file = "tree.c",
      .function = "tree_sum__body",
      .line = 41,
      .source = "weir_barrier(item, WEIR_LOCAL);",
      .operation = "weir_barrier",
      .phase = 2 },
    { .state = WEIR_STATE_RETURNED,
      .items = "5",
      .item = { 5, 0, 0 },
      .group = { 3, 0, 0 },
      .file = "long-name.c",
      .line = 133,
      .source = "return;",
      .phase = 2 },
};

static struct weir_finding divergence(void)
{
    return (struct weir_finding){
        .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = "tree_sum",
        .message = "barrier divergence in kernel 'tree_sum', group (3,0,0)",
        .form = "exited item",
        .parted = "tree.c:32",
        .count = 1,
        .n_parties = 2,
        .parties = diverged,
    };
}

static struct weir_finding finding_of(const struct weir_party *parties, size_t n)
{
    return (struct weir_finding){
        .kind = WEIR_FINDING_DEADLOCK,
        .kernel = "k",
        .message = "deadlock in kernel 'k'",
        .count = 1,
        .n_parties = n,
        .parties = parties,
    };
}

/* ---- Text -------------------------------------------------------------------- */

CASE("text");

static void expect_text(const struct weir_finding *finding, const char *again,
                        const char *expected)
{
    g_autoptr(GString) text = g_string_new("before\n");
    weiri_report_add_finding_text(text, finding, again);
    ck_assert_str_eq(text->str + strlen("before\n"), expected);
}

TEST(parties_stand_in_columns_with_their_source)
{
    struct weir_finding finding = divergence();
    expect_text(
        &finding, NULL,
        "barrier divergence in kernel 'tree_sum', group (3,0,0)\n"
        "  items 0-4  waiting   tree.c:41        weir_barrier(item, WEIR_LOCAL);\n"
        "  item 5     returned  long-name.c:133  return;\n"
        "  they parted after tree.c:32\n");
}

TEST(count_and_the_way_to_see_it_again_come_last)
{
    struct weir_finding finding = divergence();
    finding.n_parties = 0;
    finding.count = 12;
    expect_text(&finding, "weir check tree_sum --seed 42",
                "barrier divergence in kernel 'tree_sum', group (3,0,0)\n"
                "  they parted after tree.c:32\n"
                "  this is the first of 12 such groups\n"
                "  again: weir check tree_sum --seed 42\n");
}

TEST(a_note_is_introduced_as_one)
{
    struct weir_finding finding = divergence();
    finding.note = true;
    finding.n_parties = 0;
    finding.parted = NULL;
    expect_text(&finding, NULL,
                "note: barrier divergence in kernel 'tree_sum', group (3,0,0)\n");
}

TEST(the_operation_stands_where_the_source_is_not_known)
{
    const struct weir_party parties[] = {
        { .state = WEIR_STATE_WAITING,
          .items = "0",
          .operation = "weir_barrier",
          .file = "a.c" },
        { .state = WEIR_STATE_WAITING, .items = "1", .operation = "any", .source = "" },
        { .items = "2" },
    };
    struct weir_finding finding = finding_of(parties, 3);
    expect_text(&finding, NULL,
                "deadlock in kernel 'k'\n"
                "  item 0  waiting  a.c  weir_barrier\n"
                "  item 1  waiting  -    any\n"
                "  item 2  -        -    -\n");
}

TEST(columns_are_of_characters_and_not_of_bytes)
{
    const struct weir_party parties[] = {
        { .state = WEIR_STATE_WAITING,
          .items = "0",
          .file = "é.c",
          .line = 1,
          .source = "x" },
        { .state = WEIR_STATE_WAITING,
          .items = "1",
          .file = "ab.c",
          .line = 1,
          .source = "y" },
    };
    struct weir_finding finding = finding_of(parties, 2);
    expect_text(&finding, NULL,
                "deadlock in kernel 'k'\n"
                "  item 0  waiting  é.c:1   x\n"
                "  item 1  waiting  ab.c:1  y\n");
}

TEST(the_calls_on_the_way_stand_under_their_party)
{
    const struct weir_frame poor[] = { { "sweep", NULL, 0 } };
    struct weir_party parties[2] = { diverged[0], diverged[1] };
    parties[0].n_path = G_N_ELEMENTS(way);
    parties[0].path = way;
    parties[1].n_path = G_N_ELEMENTS(poor);
    parties[1].path = poor;
    struct weir_finding finding = divergence();
    finding.parties = parties;
    expect_text(
        &finding, NULL,
        "barrier divergence in kernel 'tree_sum', group (3,0,0)\n"
        "  items 0-4  waiting   tree.c:41        weir_barrier(item, WEIR_LOCAL);\n"
        "    called from sweep at tree.c:52\n"
        "    called from kernel tree_sum at tree.c:60\n"
        "  item 5     returned  long-name.c:133  return;\n"
        "    called from sweep\n"
        "  they parted after tree.c:32\n");
}

static const char load[] = "while (weir_atomic_load(flag) == 0) {";

TEST(a_party_that_spins_says_on_what_and_who_wrote_it)
{
    struct weir_party party = {
        .state = WEIR_STATE_SPINNING,
        .items = "3",
        .file = "tree.c",
        .line = 9,
        .source = load,
        .object = "flag",
        .index = 7,
        .value = "0",
    };
    struct weir_finding finding = finding_of(&party, 1);
#define HEAD                                                                           \
    "deadlock in kernel 'k'\n"                                                         \
    "  item 3  spinning  tree.c:9  while (weir_atomic_load(flag) == 0) {\n"
    expect_text(
        &finding, NULL,
        HEAD "    on flag[7], which holds 0; no item has written it in this launch\n");
    party.writer = "item 3 of group (0,0,0), weir_atomic_store at tree.c:20";
    expect_text(&finding, NULL,
                HEAD "    on flag[7], which holds 0; written last by item 3 of group "
                     "(0,0,0), weir_atomic_store at tree.c:20\n");
    party.object = "local array of tree.c:5";
    party.writer = NULL;
    expect_text(&finding, NULL,
                HEAD "    on element 7 of the local array of tree.c:5, which holds 0; "
                     "no item has written it in this launch\n");
    party.object = NULL;
    expect_text(&finding, NULL,
                HEAD
                "    on memory that has no name, which holds 0; no item has written "
                "it in this launch\n");
    party.value = NULL; /* nothing is known */
    expect_text(&finding, NULL, HEAD);
#undef HEAD
}

TEST(groups_are_named_where_there_are_several)
{
    const struct weir_party parties[] = {
        { .state = WEIR_STATE_SPINNING,
          .items = "0",
          .groups = "0-3,5",
          .file = "a.c" },
        { .state = WEIR_STATE_WAITING,
          .items = "1-7",
          .group = { 2, 1, 0 },
          .file = "a.c" },
        { .state = WEIR_STATE_NOT_STARTED, .items = "0-7", .groups = "9" },
        { .state = WEIR_STATE_NOT_STARTED, .groups = "10-11" },
    };
    struct weir_finding finding = finding_of(parties, 4);
    expect_text(&finding, NULL,
                "deadlock in kernel 'k'\n"
                "  item 0 of groups 0-3,5      spinning     a.c  -\n"
                "  items 1-7 of group (2,1,0)  waiting      a.c  -\n"
                "  items 0-7 of group 9        not started  -    -\n"
                "  groups 10-11                not started  -    -\n");
}

TEST(one_party_may_be_of_several_groups)
{
    const struct weir_party party = {
        .state = WEIR_STATE_WAITING, .items = "0", .groups = "0-1", .object = "flag"
    };
    struct weir_finding finding = finding_of(&party, 1);
    expect_text(&finding, NULL,
                "deadlock in kernel 'k'\n"
                "  item 0 of groups 0-1  waiting  -  -\n");
}

TEST(two_groups_of_one_party_each_are_several)
{
    const struct weir_party parties[] = {
        { .state = WEIR_STATE_WAITING, .items = "0" },
        { .state = WEIR_STATE_WAITING, .items = "0", .group = { 0, 1, 0 } },
    };
    struct weir_finding finding = finding_of(parties, 2);
    expect_text(&finding, NULL,
                "deadlock in kernel 'k'\n"
                "  item 0 of group (0,0,0)  waiting  -  -\n"
                "  item 0 of group (0,1,0)  waiting  -  -\n");
}

/* ---- Accesses ---------------------------------------------------------------- */

static const struct weir_party racing[] = {
    { .state = WEIR_STATE_RUNNING,
      .items = "3",
      .item = { 3, 0, 0 },
      .file = "tree.c",
      .function = "tree_sum__body",
      .line = 12,
      .source = "scratch[lid] += scratch[lid + stride];",
      .access = WEIR_ACCESS_WRITE },
    { .state = WEIR_STATE_RUNNING,
      .items = "1",
      .item = { 1, 0, 0 },
      .file = "tree.c",
      .line = 9,
      .source = "x = scratch[lid];",
      .n_path = G_N_ELEMENTS(way),
      .path = way,
      .access = WEIR_ACCESS_READ },
};

static struct weir_finding race(void)
{
    struct weir_finding finding = finding_of(racing, 2);
    finding.kind = WEIR_FINDING_DATA_RACE;
    finding.message = "data race in kernel 'tree_sum', group (0,0,0): local array of "
                      "tree.c:8[3]";
    finding.space = "local";
    finding.object = "local array of tree.c:8";
    finding.index = 3;
    finding.why = "no barrier lies between the two";
    finding.fix = "weir_barrier(item, WEIR_LOCAL) between them";
    finding.count = 240;
    return finding;
}

#define RACE_HEAD                                                                      \
    "data race in kernel 'tree_sum', group (0,0,0): local array of tree.c:8[3]\n"      \
    "  write  item 3  tree.c:12  scratch[lid] += scratch[lid + stride];\n"             \
    "  read   item 1  tree.c:9   x = scratch[lid];\n"                                  \
    "    called from sweep at tree.c:52\n"                                             \
    "    called from kernel tree_sum at tree.c:60\n"

TEST(a_race_is_reported_with_both_accesses_reason_and_fix)
{
    struct weir_finding finding = race();
    expect_text(&finding, "weir check tree_sum",
                RACE_HEAD "  why    no barrier lies between the two\n"
                          "  fix    weir_barrier(item, WEIR_LOCAL) between them\n"
                          "  seen 240 times\n"
                          "  again: weir check tree_sum\n");
    finding.why = finding.fix = NULL;
    finding.count = 1;
    expect_text(&finding, NULL, RACE_HEAD);
}

TEST(an_atomic_access_has_its_order_and_scope)
{
    struct weir_party parties[2] = { racing[0], racing[1] };
    parties[0].access = WEIR_ACCESS_ATOMIC_FETCH_ADD;
    parties[0].order = "acq_rel";
    parties[0].scope = "device";
    parties[1].group[0] = 2;
    parties[1].n_path = 0;
    struct weir_finding finding = race();
    finding.parties = parties;
    finding.message = "scope race";
    finding.count = 1;
    expect_text(
        &finding, NULL,
        "scope race\n"
        "  atomic fetch_add, acq_rel, device  item 3 of group (0,0,0)  tree.c:12"
        "  scratch[lid] += scratch[lid + stride];\n"
        "  read                               item 1 of group (2,0,0)  tree.c:9 "
        "  x = scratch[lid];\n"
        "  why   no barrier lies between the two\n"
        "  fix   weir_barrier(item, WEIR_LOCAL) between them\n");
}

TEST(one_access_out_of_bounds_is_reported_like_two)
{
    struct weir_finding finding = race();
    finding.n_parties = 1;
    finding.message = "access out of bounds";
    finding.why = finding.fix = NULL;
    finding.count = 2;
    expect_text(&finding, NULL,
                "access out of bounds\n"
                "  write  item 3  tree.c:12  scratch[lid] += scratch[lid + stride];\n"
                "  seen 2 times\n");
}

/* ---- JSON -------------------------------------------------------------------- */

CASE("json");

/* The one finding of an array. Returns: the object, which lives until the next call */
static JsonObject *json_of(const struct weir_finding *finding)
{
    static JsonNode *root;
    g_clear_pointer(&root, json_node_unref);
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_array(builder);
    weiri_report_add_finding(builder, finding);
    json_builder_end_array(builder);
    root = json_builder_get_root(builder);
    JsonArray *array = json_node_get_array(root);
    ck_assert_uint_eq(json_array_get_length(array), 1);
    return json_array_get_object_element(array, 0);
}

/* The names of the members, in order. */
static void expect_members(JsonObject *object, const char *expected)
{
    g_autoptr(GString) names = g_string_new(NULL);
    GList *members = json_object_get_members(object);
    for (GList *at = members; at != NULL; at = at->next) {
        g_string_append_printf(names, "%s%s", names->len > 0 ? " " : "",
                               (const char *)at->data);
    }
    g_list_free(members);
    ck_assert_str_eq(names->str, expected);
}

static void expect_string(JsonObject *object, const char *member, const char *expected)
{
    if (expected == NULL) {
        ck_assert_msg(json_object_get_null_member(object, member), "%s is not null",
                      member);
    } else {
        ck_assert_str_eq(json_object_get_string_member(object, member), expected);
    }
}

TEST(a_finding_is_an_object_of_the_members_of_the_contract)
{
    struct weir_party parties[2] = { diverged[0], diverged[1] };
    parties[0].n_path = G_N_ELEMENTS(way);
    parties[0].path = way;
    struct weir_finding finding = divergence();
    finding.parties = parties;
    finding.count = 12;
    JsonObject *object = json_of(&finding);
    expect_members(object,
                   "key kind kernel count message note form parted space object "
                   "index why fix remedy first second sites");
    expect_string(object, "kind", "barrier-divergence");
    expect_string(object, "kernel", "tree_sum");
    expect_string(object, "message", finding.message);
    expect_string(object, "form", "exited item");
    expect_string(object, "parted", "tree.c:32");
    expect_string(object, "space", NULL);
    expect_string(object, "object", NULL);
    expect_string(object, "index", NULL);
    ck_assert(!json_object_get_boolean_member(object, "note"));
    ck_assert_int_eq(json_object_get_int_member(object, "count"), 12);

    JsonArray *sites = json_object_get_array_member(object, "sites");
    ck_assert_uint_eq(json_array_get_length(sites), 2);
    JsonObject *first = json_object_get_object_member(object, "first");
    ck_assert(json_object_equal(first, json_array_get_object_element(sites, 0)));
    ck_assert(json_object_equal(json_object_get_object_member(object, "second"),
                                json_array_get_object_element(sites, 1)));
    expect_members(first,
                   "state items item group groups file function line source "
                   "operation phase path access order scope object index value writer");
    expect_string(first, "state", "waiting");
    expect_string(first, "items", "0-4");
    expect_string(first, "groups", NULL);
    expect_string(first, "file", "tree.c");
    expect_string(first, "function", "tree_sum");
    expect_string(first, "source", "weir_barrier(item, WEIR_LOCAL);");
    expect_string(first, "operation", "weir_barrier");
    expect_string(first, "object", NULL);
    expect_string(first, "index", NULL);
    expect_string(first, "value", NULL);
    expect_string(first, "writer", NULL);
    ck_assert_int_eq(json_object_get_int_member(first, "line"), 41);
    ck_assert_int_eq(json_object_get_int_member(first, "phase"), 2);
    JsonArray *group = json_object_get_array_member(first, "group");
    ck_assert_uint_eq(json_array_get_length(group), 3);
    ck_assert_int_eq(json_array_get_int_element(group, 0), 3);
    JsonArray *path = json_object_get_array_member(first, "path");
    ck_assert_uint_eq(json_array_get_length(path), 2);
    JsonObject *frame = json_array_get_object_element(path, 0);
    expect_members(frame, "function file line");
    expect_string(frame, "function", "sweep");
    expect_string(frame, "file", "tree.c");
    ck_assert_int_eq(json_object_get_int_member(frame, "line"), 52);
    JsonObject *second = json_object_get_object_member(object, "second");
    ck_assert_uint_eq(
        json_array_get_length(json_object_get_array_member(second, "path")), 0);
}

TEST(the_object_of_a_finding_is_that_of_its_first_party_that_spins)
{
    struct weir_party parties[] = {
        { .state = WEIR_STATE_WAITING, .items = "0" },
        { .state = WEIR_STATE_SPINNING,
          .items = "1",
          .groups = "0-3",
          .object = "flag",
          .index = 7,
          .value = "-1",
          .space = "global",
          .writer = "item 3" },
        { .state = WEIR_STATE_SPINNING, .items = "2", .object = "other" },
    };
    struct weir_finding finding = finding_of(parties, 3);
    JsonObject *object = json_of(&finding);
    expect_string(object, "space", "global");
    expect_string(object, "object", "flag");
    ck_assert_int_eq(json_object_get_int_member(object, "index"), 7);
    JsonObject *second = json_object_get_object_member(object, "second");
    expect_string(second, "groups", "0-3");
    expect_string(second, "object", "flag");
    ck_assert_int_eq(json_object_get_int_member(second, "index"), 7);
    expect_string(second, "value", "-1");
    expect_string(second, "writer", "item 3");
    expect_string(second, "line", NULL);

    parties[1].object = "local array of tree.c:5";
    parties[1].space = "local";
    object = json_of(&finding);
    expect_string(object, "space", "local");
    expect_string(object, "object", "local array of tree.c:5");
}

TEST(a_race_has_its_memory_its_reason_and_its_accesses)
{
    struct weir_party parties[2] = { racing[0], racing[1] };
    parties[1].access = WEIR_ACCESS_ATOMIC_LOAD;
    parties[1].order = "acquire";
    parties[1].scope = "device";
    struct weir_finding finding = race();
    finding.parties = parties;
    finding.index = -2;
    JsonObject *object = json_of(&finding);
    expect_string(object, "space", "local");
    expect_string(object, "object", "local array of tree.c:8");
    ck_assert_int_eq(json_object_get_int_member(object, "index"), -2);
    expect_string(object, "why", finding.why);
    expect_string(object, "fix", finding.fix);
    expect_string(object, "remedy", finding.fix);
    JsonObject *first = json_object_get_object_member(object, "first");
    expect_string(first, "access", "write");
    expect_string(first, "order", NULL);
    JsonObject *second = json_object_get_object_member(object, "second");
    expect_string(second, "access", "atomic load");
    expect_string(second, "order", "acquire");
    expect_string(second, "scope", "device");
    finding.object = NULL; /* memory without a name has no element of that name */
    object = json_of(&finding);
    expect_string(object, "space", "local");
    expect_string(object, "object", NULL);
    expect_string(object, "index", NULL);
}

TEST(what_is_not_known_is_null)
{
    const struct weir_party party = { .items = "0" };
    struct weir_finding finding = finding_of(&party, 1);
    finding.note = true;
    JsonObject *object = json_of(&finding);
    ck_assert(json_object_get_boolean_member(object, "note"));
    static const char *const nulls[] = { "form", "parted", "space",  "object", "index",
                                         "why",  "fix",    "remedy", "second" };
    for (size_t i = 0; i < G_N_ELEMENTS(nulls); i++) {
        expect_string(object, nulls[i], NULL);
    }
    JsonObject *first = json_object_get_object_member(object, "first");
    static const char *const party_nulls[]
        = { "state",  "groups", "file",  "function", "line",  "source", "operation",
            "access", "order",  "scope", "object",   "index", "value",  "writer" };
    for (size_t i = 0; i < G_N_ELEMENTS(party_nulls); i++) {
        expect_string(first, party_nulls[i], NULL);
    }
}

TEST(members_may_stand_beside_those_of_the_caller)
{
    struct weir_finding finding = divergence();
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "seed");
    json_builder_add_int_value(builder, 42);
    weiri_report_add_finding_members(builder, &finding);
    json_builder_set_member_name(builder, "launch");
    json_builder_add_int_value(builder, 1);
    json_builder_end_object(builder);
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    expect_members(
        json_node_get_object(root),
        "seed key kind kernel count message note form parted space object index "
        "why fix remedy first second sites launch");
    g_object_unref(builder);
}

/* The name of the party's function in the JSON of a finding of kernel 'k'. */
static void expect_function(const char *function, const char *expected)
{
    const struct weir_party party
        = { .state = WEIR_STATE_WAITING, .function = function };
    struct weir_finding finding = finding_of(&party, 1);
    expect_string(json_object_get_object_member(json_of(&finding), "first"), "function",
                  expected);
}

TEST(json_names_the_body_of_a_kernel_after_the_kernel)
{
    expect_function("k__body", "k");
    expect_function("kernel k", "k");
    expect_function("k", "k");
    expect_function("helper", "helper");
    expect_function("k__body_of_mine", "k__body_of_mine");
    expect_function("ok__body", "ok__body");
    expect_function(NULL, NULL);
}

TEST(json_is_utf8_whatever_a_file_is_called)
{
    const struct weir_party party = { .items = "0", .file = "caf\xe9.c", .line = 1 };
    struct weir_finding finding = finding_of(&party, 1);
    g_autoptr(JsonNode) root = json_node_new(JSON_NODE_OBJECT);
    json_node_set_object(root, json_of(&finding));
    g_autofree char *text = json_to_string(root, FALSE);
    ck_assert(g_utf8_validate(text, -1, NULL));
    expect_contains(text, "caf");
}

MAIN("report")
