/* SPDX-License-Identifier: MIT
 *
 * sarif.c: findings for tools that review code. A finding is a result whose first party
 * is its location and whose others are related locations; the calls that led to each
 * party are a thread flow, outermost first, as SARIF orders by time.
 *
 * Follows: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0",
 * 2020; comments name its clauses. */
#include "config.h"

#include "finding/identity.h"
#include "report/report.h"
#include "show/document.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* The meaning of a kind, for a reader who sees it for the first time. */
struct rule {
    enum weir_finding_kind kind;
    const char *brief;
    const char *full;
    const char *help; /* how to fix it */
    const char *read; /* a document with more about it */
};

#define RULE(kind, brief, full, help, read)                                            \
    {                                                                                  \
        WEIR_FINDING_##kind, brief, full, help, read                                   \
    }

static const struct rule rules[] = {
    RULE(DATA_RACE, "Data race",
         "Two items access the same memory, one of them writes, and nothing orders the "
         "two.",
         "Put a barrier of the group between them that orders this memory; between "
         "groups, make both accesses atomic, or launch twice.",
         "Weir's race-detection.md"),
    RULE(SCOPE_RACE, "Scope race",
         "Synchronisation between two items is of a scope that does not include both.",
         "Give the operations, and the fences next to them, a scope that includes "
         "both.",
         "Weir's race-detection.md"),
    RULE(BARRIER_DIVERGENCE, "Barrier divergence",
         "Some items of a group wait at a barrier or collective that other items never "
         "reach.",
         "Move the barrier to a place that all items of the group reach: out of the "
         "branch, or before the return.",
         "Weir's divergence.md"),
    RULE(OUT_OF_BOUNDS, "Access out of bounds",
         "An access is outside the memory that it is meant for.",
         "Compare the index with the number of elements, or make the memory larger.",
         "weir-check(1)"),
    RULE(
        USE_AFTER_FREE, "Use after free", "Memory is accessed after it was freed.",
        "Free it after the last launch that uses it; local memory ends with its group.",
        "weir-check(1)"),
    RULE(UNINITIALIZED_READ, "Uninitialised read",
         "A value that was never written decides what the kernel does.",
         "Write the memory before it is read, on the host or in the kernel.",
         "weir-check(1)"),
    RULE(MISALIGNED, "Misaligned access",
         "An address is not a multiple of the alignment of its type.",
         "Allocate memory of the type with which it is accessed, and use no offsets in "
         "bytes.",
         "weir-check(1)"),
    RULE(MIXED_ATOMIC, "Atomic and plain access",
         "An atomic and a plain access to the same memory are not ordered.",
         "Make both atomic, or order them as two plain accesses.",
         "Weir's race-detection.md"),
    RULE(DEADLOCK, "Deadlock", "Items wait for each other and never go on.",
         "Break the cycle; do not wait for a group that may not have started.",
         "Weir's schedules.md"),
    RULE(LIVELOCK, "Livelock", "An item spins on memory that no item will write.",
         "Write the value that the item waits for, in every order of items.",
         "Weir's schedules.md"),
    RULE(FAULT, "Fault", "The processor refused an instruction of the kernel.",
         "Look at the pointer or the divisor in the named line.", "weir-check(1)"),
    RULE(STACK_OVERFLOW, "Stack overflow", "An item needs more stack than it has.",
         "Make arrays smaller or recursion less deep, or give --stack-bytes.",
         "weir-check(1)"),
    RULE(ASSERTION, "Failed assertion", "An assertion of the kernel does not hold.",
         "Follow the schedule that shows it, with weir replay or in a debugger.",
         "Weir's debugging.md"),
    RULE(WRONG_RESULT, "Wrong result",
         "The result of the kernel differs from the result of a plain loop.",
         "Follow the schedule that shows it, with weir replay.", "weir-check(1)"),
    RULE(LOCAL_MEMORY, "Misused local memory",
         "Local arrays do not fit, or items of a group ask for different arrays.",
         "Ask for arrays of the same size in all items, within the device's limit.",
         "Weir's devices.md"),
    RULE(UNSUPPORTED, "Not supported by the device",
         "The device does not offer an operation, order or scope.",
         "Use what the device offers, or choose another one.", "Weir's devices.md"),
    RULE(API_ERROR, "Wrong call of OpenCL",
         "A call of OpenCL fails because of its arguments, or of the calls before it.",
         "Correct the call that the message names.", "Weir's opencl.md"),
};

/* ---- Small parts ----------------------------------------------------------------- */

/* A message or a multiformatMessageString (3.11, 3.12). */
static void add_message(JsonBuilder *builder, const char *name, const char *text)
{
    weiri_json_object(builder, name);
    weiri_json_text(builder, "text", text);
    json_builder_end_object(builder);
}

/* An artifactLocation (3.4). */
static void add_file(JsonBuilder *builder, const char *file)
{
    g_autofree char *here = g_get_current_dir();
    g_autofree char *whole = g_canonicalize_filename(file, here);
    g_autofree char *folder = g_strconcat(here, "/", NULL);
    bool below = g_str_has_prefix(whole, folder);
    g_autofree char *uri = below
        ? g_uri_escape_string(whole + strlen(folder), "/", FALSE)
        : g_filename_to_uri(whole, NULL, NULL);
    weiri_json_object(builder, "artifactLocation");
    weiri_json_text(builder, "uri", uri != NULL ? uri : "");
    if (below) {
        weiri_json_text(builder, "uriBaseId", "SRCROOT");
    }
    json_builder_end_object(builder);
}

/* Members of a location (3.28). A line without columns is a region of whole lines
 * (3.30.2). */
static void add_place(JsonBuilder *builder, const char *file, uint32_t line,
                      const char *source, const char *function)
{
    if (file != NULL) {
        weiri_json_object(builder, "physicalLocation");
        add_file(builder, file);
        if (line > 0) {
            weiri_json_object(builder, "region");
            weiri_json_int(builder, "startLine", line);
            if (source != NULL) {
                add_message(builder, "snippet", source);
            }
            json_builder_end_object(builder);
        }
        json_builder_end_object(builder);
    }
    if (function != NULL) {
        weiri_json_array(builder, "logicalLocations");
        json_builder_begin_object(builder);
        weiri_json_text(builder, "name", function);
        weiri_json_text(builder, "kind", "function");
        json_builder_end_object(builder);
        json_builder_end_array(builder);
    }
}

/* ---- Parties --------------------------------------------------------------------- */

/* "write by item 3 of group (0,0,0)". */
static char *party_text(const struct weir_party *party)
{
    g_autofree char *act = weiri_report_act_text(party, "seen");
    g_autofree char *who = weiri_report_items_text(party, true);
    return g_strdup_printf("%s: %s", act, who);
}

static void add_party(JsonBuilder *builder, const struct weir_finding *finding,
                      const struct weir_party *party)
{
    add_place(builder, party->file, party->line, party->source,
              weiri_finding_function(finding, party));
    g_autofree char *text = party_text(party);
    add_message(builder, "message", text);
}

static void add_related(JsonBuilder *builder, const struct weir_finding *finding)
{
    weiri_json_array(builder, "relatedLocations");
    for (size_t i = 1; i < finding->n_parties; i++) {
        json_builder_begin_object(builder);
        weiri_json_int(builder, "id", i);
        add_party(builder, finding, &finding->parties[i]);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* A threadFlow (3.37) of the calls to a party: a frame holds the place of the call. */
static void add_flow(JsonBuilder *builder, const struct weir_finding *finding,
                     const struct weir_party *party)
{
    json_builder_begin_object(builder);
    g_autofree char *text = party_text(party);
    add_message(builder, "message", text);
    weiri_json_array(builder, "locations");
    for (size_t i = party->n_path; i > 0; i--) {
        const struct weir_frame *frame = &party->path[i - 1];
        json_builder_begin_object(builder);
        weiri_json_int(builder, "nestingLevel", (party->n_path - i));
        weiri_json_object(builder, "location");
        add_place(builder, frame->file, frame->line, NULL, frame->function);
        json_builder_end_object(builder);
        json_builder_end_object(builder);
    }
    json_builder_begin_object(builder);
    weiri_json_int(builder, "nestingLevel", party->n_path);
    weiri_json_object(builder, "location");
    add_party(builder, finding, party);
    json_builder_end_object(builder);
    json_builder_end_object(builder);
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

static void add_flows(JsonBuilder *builder, const struct weir_finding *finding)
{
    bool any = false;
    for (size_t i = 0; i < finding->n_parties; i++) {
        any = any || finding->parties[i].n_path > 0;
    }
    if (!any) {
        return;
    }
    weiri_json_array(builder, "codeFlows");
    json_builder_begin_object(builder);
    weiri_json_array(builder, "threadFlows");
    for (size_t i = 0; i < finding->n_parties; i++) {
        add_flow(builder, finding, &finding->parties[i]);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    json_builder_end_array(builder);
}

/* ---- Results --------------------------------------------------------------------- */

/* The message, and below it what a reader of a review wants to know, too. */
static char *result_text(const struct weiri_document_finding *found)
{
    const struct weir_finding *finding = &found->finding;
    GString *text = g_string_new(finding->message);
    if (finding->why != NULL) {
        g_string_append_printf(text, "\nWhy: %s", finding->why);
    }
    if (finding->fix != NULL) {
        g_string_append_printf(text, "\nFix: %s", finding->fix);
    }
    g_string_append_printf(text, "\nSeen %s.\nAgain: %s", found->shown, found->again);
    return g_string_free(text, FALSE);
}

/* 3.27.17: stable where a finding is the same one. */
static void add_fingerprint(JsonBuilder *builder, const struct weir_finding *finding)
{
    g_autofree char *sum = weiri_finding_fingerprint(finding);
    weiri_json_object(builder, "partialFingerprints");
    weiri_json_text(builder, "weirFinding/v1", sum);
    json_builder_end_object(builder);
}

/* 3.35. */
static void add_suppressions(JsonBuilder *builder,
                             const struct weiri_document_finding *found)
{
    weiri_json_array(builder, "suppressions");
    if (found->suppression != NULL) {
        g_autofree char *by = g_strdup_printf("%s:%zu", found->suppression->file,
                                              found->suppression->line);
        json_builder_begin_object(builder);
        weiri_json_text(builder, "kind", "external");
        weiri_json_text(builder, "justification",
                        found->suppression->reason != NULL ? found->suppression->reason
                                                           : by);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* 3.55 to 3.57: one artifactChange for each replacement, all of which are one fix. */
static void add_fixes(JsonBuilder *builder, const struct weiri_document_finding *found)
{
    if (found->changes == NULL) {
        return;
    }
    weiri_json_array(builder, "fixes");
    json_builder_begin_object(builder);
    add_message(builder, "description", found->finding.fix);
    weiri_json_array(builder, "artifactChanges");
    for (guint i = 0; i < found->changes->len; i++) {
        const struct weiri_document_change *change
            = &g_array_index(found->changes, struct weiri_document_change, i);
        json_builder_begin_object(builder);
        add_file(builder, change->file);
        weiri_json_array(builder, "replacements");
        json_builder_begin_object(builder);
        weiri_json_object(builder, "deletedRegion");
        weiri_json_int(builder, "byteOffset", change->begin);
        weiri_json_int(builder, "byteLength", change->end - change->begin);
        json_builder_end_object(builder);
        add_message(builder, "insertedContent", change->text);
        json_builder_end_object(builder);
        json_builder_end_array(builder);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    json_builder_end_array(builder);
}

static size_t rule_of(enum weir_finding_kind kind)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (rules[i].kind == kind) {
            return i;
        }
    }
    g_return_val_if_reached(0);
}

static void add_result(JsonBuilder *builder, const struct weiri_document_finding *found,
                       bool compared)
{
    const struct weir_finding *finding = &found->finding;
    g_autofree char *text = result_text(found);
    json_builder_begin_object(builder);
    weiri_json_text(builder, "ruleId", weir_finding_kind_name(finding->kind));
    weiri_json_int(builder, "ruleIndex", rule_of(finding->kind));
    weiri_json_text(builder, "level", finding->note ? "note" : "error");
    add_message(builder, "message", text);
    weiri_json_array(builder, "locations");
    if (finding->n_parties > 0) {
        json_builder_begin_object(builder);
        add_party(builder, finding, &finding->parties[0]);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    add_related(builder, finding);
    add_flows(builder, finding);
    add_fingerprint(builder, finding);
    add_suppressions(builder, found);
    add_fixes(builder, found);
    if (compared && !finding->note) {
        weiri_json_text(builder, "baselineState", found->known ? "unchanged" : "new");
    }
    if (finding->count > 0) {
        weiri_json_int(builder, "occurrenceCount", finding->count);
    }
    json_builder_end_object(builder);
}

/* ---- The run --------------------------------------------------------------------- */

static void add_rules(JsonBuilder *builder)
{
    weiri_json_array(builder, "rules");
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "id", weir_finding_kind_name(rules[i].kind));
        add_message(builder, "shortDescription", rules[i].brief);
        add_message(builder, "fullDescription", rules[i].full);
        g_autofree char *help
            = g_strdup_printf("%s See %s.", rules[i].help, rules[i].read);
        add_message(builder, "help", help);
        weiri_json_object(builder, "defaultConfiguration");
        weiri_json_text(builder, "level", "error");
        json_builder_end_object(builder);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* 3.19.17: where to read about the tool: the address of a home page that configure was
 * told, or the README that is installed. Returns: (transfer full): or NULL */
static char *information_uri(void)
{
    static const char readme[] = WEIRI_DOCDIR "/README.md";
    if (WEIRI_URL[0] != '\0') {
        return g_strdup(WEIRI_URL);
    }
    return g_file_test(readme, G_FILE_TEST_EXISTS)
        ? g_filename_to_uri(readme, NULL, NULL)
        : NULL;
}

static void add_tool(JsonBuilder *builder)
{
    g_autofree char *about = information_uri();
    weiri_json_object(builder, "tool");
    weiri_json_object(builder, "driver");
    weiri_json_text(builder, "name", "weir check");
    weiri_json_text(builder, "version", PACKAGE_VERSION);
    if (about != NULL) {
        weiri_json_text(builder, "informationUri", about);
    }
    add_rules(builder);
    json_builder_end_object(builder);
    json_builder_end_object(builder);
}

/* 3.20: notes are notifications, and so is why not everything was done. */
static void add_invocation(JsonBuilder *builder, const struct weiri_document *document)
{
    weiri_json_array(builder, "invocations");
    json_builder_begin_object(builder);
    weiri_json_bool(builder, "executionSuccessful",
                    document->incomplete == NULL && document->failure == NULL);
    weiri_json_array(builder, "toolExecutionNotifications");
    for (guint i = 0; i < document->notes->len; i++) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "level", "note");
        add_message(builder, "message", g_ptr_array_index(document->notes, i));
        json_builder_end_object(builder);
    }
    const char *const reasons[] = { document->incomplete, document->failure };
    for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
        if (reasons[i] != NULL) {
            json_builder_begin_object(builder);
            weiri_json_text(builder, "level", "error");
            add_message(builder, "message", reasons[i]);
            json_builder_end_object(builder);
        }
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    json_builder_end_array(builder);
}

char *weiri_sarif_to_text(const struct weiri_document *document)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_object(builder);
    weiri_json_text(builder, "$schema",
                    "https://json.schemastore.org/sarif-2.1.0.json");
    weiri_json_text(builder, "version", "2.1.0");
    weiri_json_array(builder, "runs");
    json_builder_begin_object(builder);
    add_tool(builder);
    weiri_json_object(builder, "originalUriBaseIds");
    weiri_json_object(builder, "SRCROOT");
    add_message(builder, "description", "The folder in which weir check ran.");
    json_builder_end_object(builder);
    json_builder_end_object(builder);
    add_invocation(builder, document);
    weiri_json_array(builder, "results");
    for (guint i = 0; i < document->findings->len; i++) {
        add_result(builder,
                   &g_array_index(document->findings, struct weiri_document_finding, i),
                   document->compared);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    return weiri_json_take(builder);
}
