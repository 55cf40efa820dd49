/* SPDX-License-Identifier: MIT
 *
 * baseline.c: see baseline.h. A finding of the document is read by the table of fields
 * that has written it, and known by its fingerprint. */
#include "config.h"

#include "show/baseline.h"

#include "finding/identity.h"
#include "show/record-read.h"

#include <json-glib/json-glib.h>

/* A finding as the baseline has it. */
struct known {
    char *key;
    char *kernel;
    char *text;
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
    g_free(known->text);
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
                "%s: %s: give a file with the output of 'weir check "
                "--json'",
                name, what);
    return false;
}

/* A member that is an array, or NULL. */
static JsonArray *array_of(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node)
                                                       : NULL;
}

/* The line for a finding that is gone. Returns: (transfer full) */
static char *text_of(const struct weir_finding *finding)
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
    known->text = text_of(finding);
    g_ptr_array_add(baseline->findings, known);
    g_hash_table_insert(baseline->by_key, known->key, known);
}

/* A finding, and those that are reported under it. Returns: whether it was one */
static bool read_finding(struct weiri_baseline *baseline, JsonNode *node)
{
    struct weir_finding finding = { 0 };
    struct weiri_store *store = weiri_store_new();
    bool sound = JSON_NODE_HOLDS_OBJECT(node)
        && weiri_finding_read(store, json_node_get_object(node), &finding);
    if (sound) {
        finding.kernel = finding.kernel != NULL ? finding.kernel : "";
        add(baseline, &finding);
        JsonArray *under = array_of(json_node_get_object(node), "same_cause");
        for (guint i = 0; under != NULL && i < json_array_get_length(under); i++) {
            sound = read_finding(baseline, json_array_get_element(under, i)) && sound;
        }
    }
    weiri_store_free(store);
    return sound;
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
        if (!read_finding(baseline, json_array_get_element(findings, i))) {
            return refuse(name, error, "findings[%u] is not of a known form", i);
        }
    }
    return true;
}

static bool read_document(struct weiri_baseline *baseline, JsonNode *root,
                          const char *name, GError **error)
{
    if (!JSON_NODE_HOLDS_ARRAY(root)) {
        return read_verdict(baseline, root, name, error);
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
    g_autofree char *why = NULL;
    g_autoptr(JsonNode) root = weiri_json_read(text, bytes, &why);
    struct weiri_baseline *baseline = g_new0(struct weiri_baseline, 1);
    baseline->findings = g_ptr_array_new_with_free_func(free_known);
    baseline->by_key = g_hash_table_new(g_str_hash, g_str_equal);
    bool sound = root != NULL ? read_document(baseline, root, name, error)
                              : refuse(name, error, "%s", why);
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
    return known->seen ? NULL : known->text;
}
