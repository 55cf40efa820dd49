/* SPDX-License-Identifier: MIT
 *
 * baseline.c: see baseline.h. JSON becomes findings of which only those members are
 * set that a key is made of, so that there is one way to make keys.
 *
 * json-glib reads arrays within arrays by calling itself, so how deep they go is looked
 * at before. */
#include "config.h"

#include "report/baseline.h"

#include "exec/finding-identity.h"
#include "exec/finding-names.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* A document of weir check is six levels deep. */
enum { MOST_DEEP = 32 };

/* A finding as the baseline has it. */
struct known {
    char *key;
    char *kernel;
    char *told;
    bool seen;
};

struct weiri_baseline {
    GPtrArray *findings; /* of struct known; owned */
    GHashTable *by_key;  /* the same by @key */
};

static void free_known(void *data)
{
    struct known *known = data;
    g_free(known->key);
    g_free(known->kernel);
    g_free(known->told);
    g_free(known);
}

/* ---- Reading --------------------------------------------------------------------- */

static bool refuse(const char *name, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Returns: false */
static bool refuse(const char *name, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                "%s: %s: give a file that 'weir check --json' has printed", name, what);
    return false;
}

/* What json-glib reads although it is no JSON, comments and other quotation marks, is
 * refused, so that it is clear which brackets are in a text. */
static bool is_readable(const char *text, size_t bytes)
{
    bool quoted = false;
    int depth = 0;
    for (size_t i = 0; i < bytes; i++) {
        char c = text[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        if (depth > MOST_DEEP || c == '/' || c == '\'' || c == '#') {
            return false;
        }
    }
    return true;
}

/* A member's text, or NULL where it is none; borrowed from @object. */
static const char *text_of(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node)
            && json_node_get_value_type(node) == G_TYPE_STRING
        ? json_node_get_string(node)
        : NULL;
}

static int64_t number_of(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node)
            && json_node_get_value_type(node) == G_TYPE_INT64
        ? json_node_get_int(node)
        : 0;
}

static bool truth_of(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node)
        && json_node_get_value_type(node) == G_TYPE_BOOLEAN
        && json_node_get_boolean(node);
}

/* A member that is an array, or NULL. */
static JsonArray *array_of(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node)
                                                       : NULL;
}

/* An element that is an object, or NULL. */
static JsonObject *object_at(JsonArray *array, guint index)
{
    JsonNode *node = json_array_get_element(array, index);
    return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static void read_party(JsonObject *from, struct weir_party *party)
{
    int64_t line = number_of(from, "line");
    party->state = weiri_finding_state_named(text_of(from, "state"));
    party->file = text_of(from, "file");
    party->function = text_of(from, "function");
    party->line = line > 0 && line <= G_MAXUINT32 ? (uint32_t)line : 0;
    party->source = text_of(from, "source");
    party->operation = text_of(from, "operation");
    party->access = weiri_finding_access_named(text_of(from, "access"));
}

/* As the finding is told where it is gone. Returns: (transfer full) */
static char *told_of(const struct weir_finding *finding)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%s in kernel '%s'",
                           weir_finding_kind_name(finding->kind), finding->kernel);
    for (size_t i = 0; i < finding->n_parties; i++) {
        const struct weir_party *party = &finding->parties[i];
        if (party->file != NULL) {
            g_string_append_printf(text, ", %s:%u", party->file, party->line);
        }
    }
    return g_string_free(text, FALSE);
}

static void add(struct weiri_baseline *baseline, const struct weir_finding *finding)
{
    g_autofree char *key = weiri_finding_fingerprint(finding);
    if (finding->note || g_hash_table_contains(baseline->by_key, key)) {
        return;
    }
    struct known *known = g_new0(struct known, 1);
    known->key = g_steal_pointer(&key);
    known->kernel = g_strdup(finding->kernel);
    known->told = told_of(finding);
    g_ptr_array_add(baseline->findings, known);
    g_hash_table_insert(baseline->by_key, known->key, known);
}

/* @from may be NULL. Returns: whether it was a finding */
static bool read_finding(struct weiri_baseline *baseline, JsonObject *from)
{
    struct weir_finding finding = { 0 };
    JsonArray *sites = from != NULL ? array_of(from, "sites") : NULL;
    int kind = from != NULL ? weiri_finding_kind_named(text_of(from, "kind")) : -1;
    if (sites == NULL || kind < 0) {
        return false;
    }
    finding.kind = (enum weir_finding_kind)kind;
    finding.kernel = text_of(from, "kernel");
    finding.kernel = finding.kernel != NULL ? finding.kernel : "";
    finding.object = text_of(from, "object");
    finding.note = truth_of(from, "note");
    finding.n_parties = json_array_get_length(sites);
    g_autofree struct weir_party *parties
        = g_new0(struct weir_party, MAX(finding.n_parties, 1));
    finding.parties = parties;
    for (guint i = 0; i < finding.n_parties; i++) {
        JsonObject *party = object_at(sites, i);
        if (party == NULL) {
            return false;
        }
        read_party(party, &parties[i]);
    }
    add(baseline, &finding);
    return true;
}

/* The document of one kernel or program. */
static bool read_verdict(struct weiri_baseline *baseline, JsonNode *node,
                         const char *name, GError **error)
{
    JsonArray *findings = JSON_NODE_HOLDS_OBJECT(node)
        ? array_of(json_node_get_object(node), "findings")
        : NULL;
    if (findings == NULL) {
        return refuse(name, error, "it has no array 'findings'");
    }
    for (guint i = 0; i < json_array_get_length(findings); i++) {
        if (!read_finding(baseline, object_at(findings, i))) {
            return refuse(name, error, "findings[%u] is not of a known form", i);
        }
    }
    return true;
}

static bool read_document(struct weiri_baseline *baseline, JsonNode *root,
                          const char *name, GError **error)
{
    if (root == NULL || !JSON_NODE_HOLDS_ARRAY(root)) {
        return root != NULL ? read_verdict(baseline, root, name, error)
                            : refuse(name, error, "it is empty");
    }
    JsonArray *array = json_node_get_array(root);
    for (guint i = 0; i < json_array_get_length(array); i++) {
        if (!read_verdict(baseline, json_array_get_element(array, i), name, error)) {
            return false;
        }
    }
    return true;
}

struct weiri_baseline *weiri_baseline_parse(const char *text, size_t bytes,
                                            const char *name, GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) reason = NULL;
    struct weiri_baseline *baseline = g_new0(struct weiri_baseline, 1);
    baseline->findings = g_ptr_array_new_with_free_func(free_known);
    baseline->by_key = g_hash_table_new(g_str_hash, g_str_equal);
    bool sound = false;
    if (bytes > G_MAXSSIZE || !is_readable(text, bytes)) {
        refuse(name, error, "it is no JSON, or nested too deeply");
    } else if (!g_utf8_validate(text, (gssize)bytes, NULL)) {
        refuse(name, error, "it is not text in UTF-8");
    } else if (!json_parser_load_from_data(parser, text, (gssize)bytes, &reason)) {
        const char *message = reason->message;
        message += g_str_has_prefix(message, "<data>:") ? strlen("<data>:") : 0;
        refuse(name, error, "it is no JSON: %s", message);
    } else {
        sound = read_document(baseline, json_parser_get_root(parser), name, error);
    }
    if (!sound) {
        g_clear_pointer(&baseline, weiri_baseline_free);
    }
    return baseline;
}

/* ---- Asking ---------------------------------------------------------------------- */

void weiri_baseline_free(struct weiri_baseline *baseline)
{
    if (baseline != NULL) {
        g_hash_table_unref(baseline->by_key);
        g_ptr_array_unref(baseline->findings);
        g_free(baseline);
    }
}

bool weiri_baseline_has(struct weiri_baseline *baseline,
                        const struct weir_finding *finding)
{
    g_autofree char *key = weiri_finding_fingerprint(finding);
    struct known *known = g_hash_table_lookup(baseline->by_key, key);
    if (known != NULL) {
        known->seen = true;
    }
    return known != NULL;
}

size_t weiri_baseline_n(const struct weiri_baseline *baseline)
{
    return baseline->findings->len;
}

const char *weiri_baseline_gone(const struct weiri_baseline *baseline, size_t index,
                                const char **kernel)
{
    const struct known *known = g_ptr_array_index(baseline->findings, index);
    *kernel = known->kernel;
    return known->seen ? NULL : known->told;
}
