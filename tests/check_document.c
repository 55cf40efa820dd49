/* SPDX-License-Identifier: MIT
 *
 * check_document.c: findings as a page of HTML and as SARIF, from values made by hand.
 * The page is well formed, loads nothing, shows what it was given, and nothing of what
 * it was given is markup. The properties that SARIF requires exist. */
#include "support.h"

#include "show/document.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

/* ---- Values ------------------------------------------------------------------ */

static const char source[] = "/* one */\n"
                             "KERNEL\n"
                             "{\n"
                             "    before(\"<&>\");\n"
                             "    a[lid] = 1;\n"
                             "    after(); /* ]]> */\n"
                             "    sum += a[lid + 1];\n"
                             "}\n";

static const struct weir_frame way[] = {
    { "inner", "race.c", 4 },
    { "kernel k", "race.c", 2 },
};

static const struct weir_party parties[] = {
    { .state = WEIR_STATE_RUNNING,
      .items = "3",
      .item = { 3, 0, 0 },
      .file = "race.c",
      .function = "k__body",
      .line = 5,
      .source = "a[lid] = 1;",
      .phase = 2,
      .access = WEIR_ACCESS_WRITE },
    { .state = WEIR_STATE_RUNNING,
      .items = "12",
      .item = { 12, 0, 0 },
      .file = "race.c",
      .function = "deep",
      .line = 7,
      .source = "sum += a[lid + 1];",
      .phase = 2,
      .n_path = 2,
      .path = way,
      .access = WEIR_ACCESS_ATOMIC_LOAD,
      .order = "acquire",
      .scope = "work_group" },
};

static struct weir_finding race(void)
{
    return (struct weir_finding){ .kind = WEIR_FINDING_MIXED_ATOMIC,
                                  .kernel = "k",
                                  .message = "mixed atomic in kernel 'k'\nmore of it",
                                  .space = "global",
                                  .object = "a",
                                  .why = "nothing orders them",
                                  .fix = "make both atomic",
                                  .count = 5,
                                  .n_parties = 2,
                                  .parties = parties };
}

static struct weiri_document *document_new(void)
{
    struct weiri_document *document = g_new0(struct weiri_document, 1);
    document->command = "weir check";
    document->subject = g_strdup("./program 29");
    document->totals = g_strdup("4 runs of ./program: some");
    document->findings
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_document_finding));
    document->notes = g_ptr_array_new_with_free_func(g_free);
    document->gone = g_ptr_array_new_with_free_func(g_free);
    return document;
}

static struct weiri_document_finding *add(struct weiri_document *document,
                                          const struct weir_finding *finding)
{
    struct weiri_document_finding found = { .finding = *finding,
                                            .shown = "in 2 of 4 runs",
                                            .again = "weir check -- ./program 29" };
    g_array_append_val(document->findings, found);
    return &g_array_index(document->findings, struct weiri_document_finding,
                          document->findings->len - 1);
}

static void document_free(struct weiri_document *document)
{
    g_array_unref(document->findings);
    g_ptr_array_unref(document->notes);
    g_ptr_array_unref(document->gone);
    g_free((char *)document->subject);
    g_free((char *)document->totals);
    g_free(document);
}
typedef struct weiri_document weiri_document;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weiri_document, document_free)

/* In a folder of its own with the source of the findings, or without. */
static char *folder;
static char *home;

static void enter_folder(void)
{
    home = g_get_current_dir();
    folder = g_dir_make_tmp("weir-document-XXXXXX", NULL);
    ck_assert(folder != NULL && g_chdir(folder) == 0);
    ck_assert(g_file_set_contents("race.c", source, -1, NULL));
}

static void leave_folder(void)
{
    g_remove("race.c");
    ck_assert(g_chdir(home) == 0);
    g_rmdir(folder);
    g_clear_pointer(&folder, g_free);
    g_clear_pointer(&home, g_free);
}

/* ---- The page ---------------------------------------------------------------- */

CASE("page");

/* No element runs or loads anything, and no identifier is given twice. */
static void see_element(GMarkupParseContext *context, const char *name,
                        const char **names, const char **values, void *data,
                        GError **error)
{
    (void)context;
    (void)error;
    GHashTable *ids = data;
    static const char *const allowed[]
        = { "html", "head",    "meta",    "title", "style",  "body", "header",
            "main", "footer",  "article", "h1",    "h2",     "h3",   "p",
            "ul",   "ol",      "li",      "a",     "span",   "div",  "b",
            "code", "pre",     "figure",  "dl",    "dt",     "dd",   "section",
            "svg",  "details", "summary", "line",  "circle", "text", "figcaption",
            "wbr",  NULL };
    ck_assert_msg(g_strv_contains(allowed, name), "<%s>", name);
    for (size_t i = 0; names[i] != NULL; i++) {
        ck_assert_msg(!g_str_has_prefix(names[i], "on"), "%s=", names[i]);
        ck_assert_msg(strcmp(names[i], "src") != 0, "%s=", names[i]);
        ck_assert_msg(strcmp(names[i], "href") != 0 || values[i][0] == '#', "%s",
                      values[i]);
        if (strcmp(names[i], "id") == 0) {
            ck_assert_msg(g_hash_table_add(ids, g_strdup(values[i])), "id %s is twice",
                          values[i]);
        }
    }
}

/* Returns: (transfer full): the page, after a look at its form */
static char *page_of(const struct weiri_document *document)
{
    GString *page = g_string_new(NULL);
    weiri_html_add(page, document);
    ck_assert(g_str_has_prefix(page->str, "<!DOCTYPE html>\n"));
    ck_assert(g_utf8_validate(page->str, (gssize)page->len, NULL));
    ck_assert_msg(strstr(page->str, "http") == NULL, "the page names a resource");
    ck_assert_msg(strstr(page->str, "url(") == NULL, "the style names a resource");
    ck_assert_msg(strstr(page->str, "@import") == NULL, "the style names a resource");
    static const GMarkupParser parser = { .start_element = see_element };
    g_autoptr(GHashTable) ids
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GMarkupParseContext *context = g_markup_parse_context_new(
        &parser, G_MARKUP_PREFIX_ERROR_POSITION, ids, NULL);
    GError *error = NULL;
    bool sound
        = g_markup_parse_context_parse(context, page->str, (gssize)page->len, &error)
        && g_markup_parse_context_end_parse(context, &error);
    ck_assert_msg(sound, "%s", error != NULL ? error->message : "no error");
    g_markup_parse_context_free(context);
    return g_string_free(page, FALSE);
}

/* A page is too long for the message of a test. */
static void expect_shown(const char *page, const char *part)
{
    ck_assert_msg(strstr(page, part) != NULL, "'%s' is not there", part);
}

static void expect_nothing_of(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "'%s' is there", part);
}

TEST(a_race_is_shown_with_its_source_parties_and_picture)
{
    enter_folder();
    struct weiri_document *document = document_new();
    struct weir_finding finding = race();
    add(document, &finding);
    g_autofree char *page = page_of(document);
    static const char *const parts[] = {
        "<title>weir check: ./program 29</title>",
        "1 finding<",
        "1 × mixed-atomic</a>",
        "mixed atomic in kernel ",
        "more of it",
        "4</span>    before(&quot;&lt;&amp;&gt;&quot;);",
        "line site c0\"><span class=\"no\">5</span>    a[lid] = 1;",
        "line site c1\"><span class=\"no\">7</span>    sum += a[lid + 1];",
        ">1</span> write by item 3<",
        ">2</span> atomic load, acquire, work_group by item 12<",
        "called from inner at race.c:4",
        "called from kernel k at race.c:2",
        "nothing orders them",
        "make both atomic",
        "weir check -- ./program 29",
        "Seen 5 times in 2 of 4 runs",
        "<svg class=\"picture\"",
        "class=\"p-race\"",
        ">phases 0–1</text>",
        ">phase 2</text>",
        ">0–2</text>",
        ">4–11</text>",
        ">12</text>",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        expect_shown(page, parts[i]);
    }
    /* Both sites are in one excerpt. */
    expect_nothing_of(strstr(page, "<figure>") + 1, "<figure>");
    document_free(document);
    leave_folder();
}

TEST(source_that_is_gone_or_has_changed_is_not_guessed)
{
    enter_folder();
    struct weiri_document *document = document_new();
    struct weir_finding finding = race();
    add(document, &finding);
    ck_assert(
        g_file_set_contents("race.c", "1\n2\n3\n4\nanother\n6\nmore\n", -1, NULL));
    char *page = page_of(document);
    expect_nothing_of(page, "another");
    expect_shown(page, "<span class=\"no\">5</span>a[lid] = 1;");
    expect_shown(page, "<span class=\"no\">7</span>sum += a[lid + 1];");
    g_free(page);
    g_remove("race.c");
    page = page_of(document);
    expect_shown(page, "<span class=\"no\">5</span>a[lid] = 1;");
    g_free(page);
    document_free(document);
    leave_folder();
}

TEST(a_divergence_is_drawn_with_the_barrier_that_is_missed)
{
    const struct weir_party diverged[] = {
        { .state = WEIR_STATE_WAITING,
          .items = "0-3,8",
          .phase = 1,
          .source = "weir_barrier" },
        { .state = WEIR_STATE_RETURNED, .items = "4-7", .phase = 0 },
    };
    struct weir_finding finding = race();
    finding.kind = WEIR_FINDING_BARRIER_DIVERGENCE;
    finding.parted = "race.c:3";
    finding.parties = diverged;
    g_autoptr(weiri_document) document = document_new();
    add(document, &finding)->local = 64;
    g_autofree char *page = page_of(document);
    expect_shown(page, "class=\"p-bar p-missed\"");
    expect_shown(page, "</b> items 0-3,<wbr/>8 of group (0,0,0)<");
    expect_shown(page, ">waits</text>");
    expect_shown(page, ">returned</text>");
    expect_shown(page, ">0–3</text>");
    expect_shown(page, ">9–63</text>");
    expect_shown(page, "race.c:3");
    expect_nothing_of(page, "class=\"p-race\"");
}

/* How often a part is in a page. */
static size_t count_of(const char *page, const char *part)
{
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

TEST(no_item_is_drawn_that_does_not_exist)
{
    static const struct {
        size_t local;
        size_t n_columns;
        const char *last;
    } cases[] = {
        { 0, 2, ">1</text>" }, /* how many there are is not known */
        { 2, 2, ">1</text>" },
        { 3, 3, ">2</text>" },
        { 64, 3, ">2–63</text>" },
    };
    struct weir_party two[2] = { parties[0], parties[1] };
    two[0].items = "0";
    two[1].items = "1";
    struct weir_finding finding = race();
    finding.parties = two;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(weiri_document) document = document_new();
        add(document, &finding)->local = cases[i].local;
        g_autofree char *page = page_of(document);
        ck_assert_uint_eq(count_of(page, "\"p-item\""), cases[i].n_columns);
        expect_shown(page, cases[i].last);
        expect_nothing_of(page, "…");
    }
}

/* If there are too many items to draw, the middle ones are one column. No two marks are
 * at one place, where the upper one would hide the other. */
TEST(parties_in_one_column_stand_side_by_side)
{
    g_autoptr(GString) even = g_string_new("0"), odd = g_string_new("1");
    for (int i = 2; i < 64; i += 2) {
        g_string_append_printf(even, ",%d", i);
        g_string_append_printf(odd, ",%d", i + 1);
    }
    const struct weir_party diverged[] = {
        { .state = WEIR_STATE_WAITING, .items = even->str },
        { .state = WEIR_STATE_RETURNED, .items = odd->str },
    };
    struct weir_finding finding = race();
    finding.kind = WEIR_FINDING_BARRIER_DIVERGENCE;
    finding.parties = diverged;
    g_autoptr(weiri_document) document = document_new();
    add(document, &finding)->local = 64;
    g_autofree char *page = page_of(document);
    expect_shown(page, ">11–61</text>");
    g_autoptr(GHashTable) places
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, "<circle ")) != NULL; at++, n++) {
        const char *place = strstr(at, " cx=");
        ck_assert_msg(
            g_hash_table_add(places,
                             g_strndup(place, (size_t)(strstr(place, " r=") - place))),
            "two marks are at one place");
    }
    ck_assert_uint_eq(n, 15);
}

TEST(numbers_are_those_of_the_parties_and_no_order_in_time)
{
    struct weir_party two[2] = { parties[0], parties[1] };
    two[1].group[0] = 1;
    struct weir_finding finding = race();
    finding.parties = two;
    g_autoptr(weiri_document) document = document_new();
    add(document, &finding);
    g_autofree char *page = page_of(document);
    expect_shown(page, ">1</span> write by item 3 of group (0,0,0)<");
    expect_shown(
        page,
        ">2</span> atomic load, acquire, work_group by item 12 of group (1,0,0)<");
    expect_nothing_of(page, "first:");
    expect_nothing_of(page, "second:");
}

TEST(groups_are_drawn_beside_each_other_and_many_items_are_folded)
{
    struct weir_party two[2] = { parties[0], parties[1] };
    two[1].group[0] = 7;
    two[1].phase = UINT64_MAX;
    two[1].items = "18446744073709551614";
    struct weir_finding finding = race();
    finding.parties = two;
    g_autoptr(weiri_document) document = document_new();
    add(document, &finding);
    g_autoptr(GString) many = g_string_new("0");
    for (int i = 2; i < 2000; i += 2) {
        g_string_append_printf(many, ",%d", i);
    }
    const struct weir_party diverged[] = {
        { .state = WEIR_STATE_WAITING, .items = many->str },
        { .state = WEIR_STATE_RETURNED, .items = "nonsense" },
        { .state = WEIR_STATE_RETURNED, .items = "5-2,,-" },
        { .state = WEIR_STATE_RETURNED },
    };
    struct weir_finding divergence = race();
    divergence.kind = WEIR_FINDING_BARRIER_DIVERGENCE;
    divergence.parties = diverged;
    divergence.n_parties = G_N_ELEMENTS(diverged);
    add(document, &divergence);
    g_autofree char *page = page_of(document);
    expect_shown(page, ">group (0,0,0)</text>");
    expect_shown(page, ">group (7,0,0)</text>");
    ck_assert_uint_lt(count_of(page, "\"p-item\""), 40);
}

TEST(hostile_text_is_no_markup)
{
    static const char hostile[] = "</pre></style><script>alert(\"x\")</script><img "
                                  "src=x onerror='y'> &amp; ]]> \x01\x1b[0m caf\xe9";
    const struct weir_frame frame = { hostile, hostile, 3 };
    const struct weir_party party = { .state = WEIR_STATE_RUNNING,
                                      .items = hostile,
                                      .file = hostile,
                                      .function = hostile,
                                      .line = 1,
                                      .source = hostile,
                                      .operation = hostile,
                                      .n_path = 1,
                                      .path = &frame,
                                      .access = WEIR_ACCESS_READ,
                                      .order = hostile,
                                      .scope = hostile,
                                      .object = hostile,
                                      .value = hostile,
                                      .writer = hostile };
    const struct weir_party both[] = { party, party };
    struct weir_finding finding = race();
    finding.kernel = finding.message = finding.parted = finding.object = finding.why
        = finding.fix = hostile;
    finding.parties = both;
    struct weiri_suppression entry = { hostile, 1, hostile, 1 };
    g_autoptr(weiri_document) document = document_new();
    struct weiri_document_finding *found = add(document, &finding);
    found->shown = found->again = hostile;
    found->suppression = &entry;
    found = add(document, &finding);
    found->known = true;
    add(document, &finding);
    g_free((char *)document->subject);
    g_free((char *)document->totals);
    document->subject = g_strdup(hostile);
    document->totals = g_strdup(hostile);
    document->incomplete = hostile;
    g_ptr_array_add(document->notes, g_strdup(hostile));
    g_ptr_array_add(document->gone, g_strdup(hostile));
    g_autofree char *page = page_of(document);
    expect_nothing_of(page, "<script");
    expect_nothing_of(page, "<img");
    expect_nothing_of(page, "\x1b");
    g_autofree char *sarif = weiri_sarif_to_text(document);
    ck_assert(g_utf8_validate(sarif, -1, NULL));
}

TEST(the_verdict_says_clean_only_where_it_is)
{
    g_autoptr(weiri_document) document = document_new();
    char *page = page_of(document);
    expect_shown(page, "pill good\">no findings");
    g_free(page);
    document->incomplete = "the time limit was reached";
    page = page_of(document);
    expect_nothing_of(page, "no findings");
    expect_shown(page, "incomplete</span>");
    g_free(page);
    document->incomplete = NULL;
    document->silent = true;
    page = page_of(document);
    expect_nothing_of(page, "no findings");
    expect_shown(page, "nothing was launched");
    g_free(page);
    document->silent = false;
    document->failure = "ended with status 3";
    page = page_of(document);
    expect_nothing_of(page, "no findings");
    expect_shown(page, "ended with status 3");
    g_free(page);
}

/* ---- SARIF ------------------------------------------------------------------- */

CASE("sarif");

static JsonObject *member(JsonObject *object, const char *name)
{
    ck_assert_msg(json_object_has_member(object, name), "no %s", name);
    return json_object_get_object_member(object, name);
}

static JsonObject *element(JsonObject *object, const char *name, guint index)
{
    ck_assert_msg(json_object_has_member(object, name), "no %s", name);
    JsonArray *array = json_object_get_array_member(object, name);
    ck_assert_uint_lt(index, json_array_get_length(array));
    return json_array_get_object_element(array, index);
}

static guint length(JsonObject *object, const char *name)
{
    return json_array_get_length(json_object_get_array_member(object, name));
}

/* The one run. */
static JsonObject *sarif_of(const struct weiri_document *document, JsonParser *parser)
{
    g_autofree char *text = weiri_sarif_to_text(document);
    ck_assert(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    ck_assert_str_eq(json_object_get_string_member(root, "version"), "2.1.0");
    ck_assert_uint_eq(length(root, "runs"), 1);
    return element(root, "runs", 0);
}

static void expect_place(JsonObject *location, const char *uri, gint64 line)
{
    JsonObject *physical = member(location, "physicalLocation");
    JsonObject *file = member(physical, "artifactLocation");
    ck_assert_str_eq(json_object_get_string_member(file, "uri"), uri);
    JsonObject *region = member(physical, "region");
    ck_assert_int_eq(json_object_get_int_member(region, "startLine"), line);
    ck_assert(!json_object_has_member(region, "startColumn"));
}

TEST(sarif_has_a_rule_for_every_kind)
{
    g_autoptr(weiri_document) document = document_new();
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *driver = member(member(sarif_of(document, parser), "tool"), "driver");
    static const char *const kinds[] = {
#define X(name, text) text,
        WEIR_FINDING_KINDS(X)
#undef X
    };
    ck_assert_uint_eq(length(driver, "rules"), G_N_ELEMENTS(kinds));
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        JsonObject *rule = element(driver, "rules", i);
        ck_assert_str_eq(json_object_get_string_member(rule, "id"), kinds[i]);
        ck_assert(json_object_has_member(member(rule, "shortDescription"), "text"));
        ck_assert(json_object_has_member(member(rule, "fullDescription"), "text"));
        ck_assert(json_object_has_member(member(rule, "help"), "text"));
        ck_assert(!json_object_has_member(rule, "helpUri"));
    }
}

TEST(a_result_has_its_places_its_calls_and_its_fingerprint)
{
    struct weir_party two[2] = { parties[0], parties[1] };
    two[1].file = "/usr/no such/r%c#.c";
    struct weir_finding finding = race(), note = race();
    finding.parties = two;
    note.note = true;
    struct weiri_suppression entry = { "races.supp", 4, "on purpose", 1 };
    g_autoptr(weiri_document) document = document_new();
    document->compared = true;
    add(document, &finding)->known = true;
    add(document, &note)->suppression = &entry;
    finding.n_parties = 0;
    add(document, &finding);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *run = sarif_of(document, parser);
    ck_assert(json_object_has_member(member(run, "originalUriBaseIds"), "SRCROOT"));
    JsonObject *first = element(run, "results", 0),
               *second = element(run, "results", 1);
    ck_assert_str_eq(json_object_get_string_member(first, "ruleId"), "mixed-atomic");
    ck_assert_str_eq(json_object_get_string_member(first, "level"), "error");
    ck_assert_str_eq(json_object_get_string_member(second, "level"), "note");
    ck_assert_str_eq(json_object_get_string_member(first, "baselineState"),
                     "unchanged");
    JsonObject *rules = member(member(run, "tool"), "driver");
    JsonObject *rule = element(rules, "rules",
                               (guint)json_object_get_int_member(first, "ruleIndex"));
    ck_assert_str_eq(json_object_get_string_member(rule, "id"), "mixed-atomic");
    const char *text = json_object_get_string_member(member(first, "message"), "text");
    expect_contains(text, "nothing orders them");
    expect_contains(text, "make both atomic");
    expect_contains(text, "weir check -- ./program 29");

    expect_place(element(first, "locations", 0), "race.c", 5);
    ck_assert_str_eq(
        json_object_get_string_member(
            member(member(element(first, "locations", 0), "physicalLocation"),
                   "artifactLocation"),
            "uriBaseId"),
        "SRCROOT");
    expect_place(element(first, "relatedLocations", 0),
                 "file:///usr/no%20such/r%25c%23.c", 7);
    JsonObject *flow = element(element(first, "codeFlows", 0), "threadFlows", 1);
    ck_assert_uint_eq(length(flow, "locations"), 3);
    expect_place(member(element(flow, "locations", 0), "location"), "race.c", 2);
    expect_place(member(element(flow, "locations", 1), "location"), "race.c", 4);
    ck_assert_uint_eq(strlen(json_object_get_string_member(
                          member(first, "partialFingerprints"), "weirFinding/v1")),
                      64);
    ck_assert_uint_eq(length(first, "suppressions"), 0);
    ck_assert_str_eq(json_object_get_string_member(element(second, "suppressions", 0),
                                                   "justification"),
                     "on purpose");
    JsonObject *third = element(run, "results", 2);
    ck_assert_uint_eq(length(third, "locations"), 0);
    ck_assert(!json_object_has_member(third, "codeFlows"));
}

TEST(what_is_not_complete_is_no_success_in_sarif)
{
    g_autoptr(weiri_document) document = document_new();
    g_ptr_array_add(document->notes, g_strdup("a note"));
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *invocation = element(sarif_of(document, parser), "invocations", 0);
    ck_assert(json_object_get_boolean_member(invocation, "executionSuccessful"));
    ck_assert_uint_eq(length(invocation, "toolExecutionNotifications"), 1);
    document->incomplete = "the time limit was reached";
    invocation = element(sarif_of(document, parser), "invocations", 0);
    ck_assert(!json_object_get_boolean_member(invocation, "executionSuccessful"));
    ck_assert_uint_eq(length(invocation, "toolExecutionNotifications"), 2);
    document->incomplete = NULL;
    document->failure = "ended with status 3";
    invocation = element(sarif_of(document, parser), "invocations", 0);
    ck_assert(!json_object_get_boolean_member(invocation, "executionSuccessful"));
}

TEST(a_file_beside_the_folder_is_not_below_it)
{
    g_autofree char *here = g_get_current_dir();
    g_autofree char *beside = g_strconcat(here, "2/race.c", NULL);
    g_autofree char *uri = g_strconcat("file://", here, "2/race.c", NULL);
    struct weir_party two[2] = { parties[0], parties[1] };
    two[0].file = beside;
    struct weir_finding finding = race();
    finding.parties = two;
    g_autoptr(weiri_document) document = document_new();
    add(document, &finding);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *result = element(sarif_of(document, parser), "results", 0);
    expect_place(element(result, "locations", 0), uri, 5);
}

TEST(a_note_is_neither_new_nor_unchanged)
{
    struct weir_finding note = race(), finding = race();
    note.note = true;
    g_autoptr(weiri_document) document = document_new();
    document->compared = true;
    add(document, &note);
    add(document, &finding);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *run = sarif_of(document, parser);
    ck_assert(!json_object_has_member(element(run, "results", 0), "baselineState"));
    ck_assert_str_eq(
        json_object_get_string_member(element(run, "results", 1), "baselineState"),
        "new");
}

CASE("page");

TEST(a_kind_leads_to_its_first_finding)
{
    struct weir_finding divergence = race(), finding = race();
    divergence.kind = WEIR_FINDING_BARRIER_DIVERGENCE;
    g_autoptr(weiri_document) document = document_new();
    add(document, &divergence);
    add(document, &finding);
    add(document, &finding);
    g_autofree char *page = page_of(document);
    expect_shown(page, "href=\"#f1\">2 × mixed-atomic<");
    expect_shown(page, "href=\"#f0\">1 × barrier-divergence<");
}

MAIN("document")
