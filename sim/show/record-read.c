/* SPDX-License-Identifier: MIT
 *
 * record-read.c: see record-read.h. The tables of record.h say where in a struct the
 * value of a member goes. */
#include "config.h"

#include "show/record-read.h"

#include "deterministic/trace.h"
#include "finding/kinds.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* A document of weir check is six levels deep. */
enum { MOST_DEEP = 32 };

/* ---- JSON ------------------------------------------------------------------------ */

/* Refuses text that json-glib reads although it is not JSON: comments and other
 * quotation marks, so that it is clear which brackets are in a text, and a second
 * value. */
static bool is_readable(const char *text, size_t bytes)
{
    bool quoted = false, ended = false;
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
        if (depth > MOST_DEEP || (ended && !g_ascii_isspace(c)) || c == '/' || c == '\''
            || c == '#') {
            return false;
        }
        ended = ended || (depth == 0 && (c == ']' || c == '}'));
    }
    return true;
}

JsonNode *weiri_json_read(const char *text, size_t bytes, char **why)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) reason = NULL;
    *why = NULL;
    if (bytes > G_MAXSSIZE || !is_readable(text, bytes)) {
        *why = g_strdup("it is not JSON, or nested too deeply");
    } else if (!g_utf8_validate(text, (gssize)bytes, NULL)) {
        *why = g_strdup("it is not text in UTF-8");
    } else if (!json_parser_load_from_data(parser, text, (gssize)bytes, &reason)) {
        const char *message = reason->message;
        message += g_str_has_prefix(message, "<data>:") ? strlen("<data>:") : 0;
        *why = g_strdup_printf("it is not JSON: %s", message);
    } else if (json_parser_get_root(parser) == NULL) {
        *why = g_strdup("it is empty");
    }
    return *why == NULL ? json_parser_steal_root(parser) : NULL;
}

/* ---- Values ---------------------------------------------------------------------- */

struct weiri_store {
    GStringChunk *strings;
    GPtrArray *lists; /* owned */
};

struct weiri_store *weiri_store_new(void)
{
    struct weiri_store *store = g_new(struct weiri_store, 1);
    store->strings = g_string_chunk_new(4096);
    store->lists = g_ptr_array_new_with_free_func(g_free);
    return store;
}

void weiri_store_free(struct weiri_store *store)
{
    g_string_chunk_free(store->strings);
    g_ptr_array_unref(store->lists);
    g_free(store);
}

static bool read_text(struct weiri_store *store, JsonNode *node, const char **to)
{
    bool sound = JSON_NODE_HOLDS_VALUE(node)
        && json_node_get_value_type(node) == G_TYPE_STRING;
    if (sound) {
        *to = g_string_chunk_insert_const(store->strings, json_node_get_string(node));
    }
    return sound;
}

static bool read_truth(JsonNode *node, bool *to)
{
    bool sound = JSON_NODE_HOLDS_VALUE(node)
        && json_node_get_value_type(node) == G_TYPE_BOOLEAN;
    *to = sound && json_node_get_boolean(node);
    return sound;
}

static bool read_number(JsonNode *node, int64_t least, int64_t *to)
{
    bool sound
        = JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_INT64;
    *to = sound ? json_node_get_int(node) : 0;
    return sound && *to >= least;
}

static bool read_place(JsonNode *node, size_t place[3])
{
    JsonArray *array = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    bool sound = array != NULL && json_array_get_length(array) == 3;
    for (guint dim = 0; sound && dim < 3; dim++) {
        int64_t number;
        sound = read_number(json_array_get_element(array, dim), INT64_MIN, &number);
        place[dim] = (size_t)number;
    }
    return sound;
}

/* Enumerations, by their names. */
static bool read_name(enum weiri_field_type type, const char *name, void *to)
{
    int kind = type == WEIRI_FIELD_KIND ? weiri_finding_kind_named(name) : 0;
    if (type == WEIRI_FIELD_STATE) {
        *(enum weir_state *)to = weiri_finding_state_named(name);
    } else if (type == WEIRI_FIELD_ACCESS) {
        *(enum weir_access *)to = weiri_finding_access_named(name);
    } else if (kind >= 0) {
        *(enum weir_finding_kind *)to = (enum weir_finding_kind)kind;
    }
    return kind >= 0;
}

static bool read_object(struct weiri_store *store, const struct weiri_field *fields,
                        JsonObject *object, void *to);

static bool read_list(struct weiri_store *store, const struct weiri_field *field,
                      JsonNode *node, char *to)
{
    if (!JSON_NODE_HOLDS_ARRAY(node)) {
        return false;
    }
    JsonArray *array = json_node_get_array(node);
    guint n = json_array_get_length(array);
    char *list = g_malloc0_n(MAX(n, 1), field->bytes);
    g_ptr_array_add(store->lists, list);
    bool sound = true;
    for (guint i = 0; sound && i < n; i++) {
        JsonNode *element = json_array_get_element(array, i);
        sound = JSON_NODE_HOLDS_OBJECT(element)
            && read_object(store, field->fields, json_node_get_object(element),
                           list + i * field->bytes);
    }
    *(const void **)(void *)(to + field->offset) = list;
    *(size_t *)(void *)(to + field->beside) = n;
    return sound;
}

static bool read_value(struct weiri_store *store, const struct weiri_field *field,
                       JsonNode *node, char *to)
{
    void *value = to + field->offset;
    const char *name = NULL;
    int64_t line;
    switch (field->type) {
    case WEIRI_FIELD_TEXT:
    case WEIRI_FIELD_FUNCTION:
        return read_text(store, node, value);
    case WEIRI_FIELD_TRUTH:
        return read_truth(node, value);
    case WEIRI_FIELD_NUMBER:
        return read_number(node, INT64_MIN, value);
    case WEIRI_FIELD_LINE:
        if (!read_number(node, 0, &line) || line > INT32_MAX) {
            return false;
        }
        *(uint32_t *)value = (uint32_t)line;
        return true;
    case WEIRI_FIELD_PLACE:
        return read_place(node, value);
    case WEIRI_FIELD_KIND:
    case WEIRI_FIELD_STATE:
    case WEIRI_FIELD_ACCESS:
        return read_text(store, node, &name) && read_name(field->type, name, value);
    case WEIRI_FIELD_LIST:
        return read_list(store, field, node, to);
    }
    return false;
}

/* A member that is missing or null leaves zero; but a kind must be there. */
static bool read_object(struct weiri_store *store, const struct weiri_field *fields,
                        JsonObject *object, void *to)
{
    bool sound = true;
    for (const struct weiri_field *field = fields; sound && field->name != NULL;
         field++) {
        JsonNode *node = json_object_get_member(object, field->name);
        bool there = node != NULL && !JSON_NODE_HOLDS_NULL(node);
        sound = there ? read_value(store, field, node, to)
                      : field->type != WEIRI_FIELD_KIND;
    }
    return sound;
}

bool weiri_finding_read(struct weiri_store *store, JsonObject *object,
                        struct weir_finding *finding)
{
    JsonNode *sites = json_object_get_member(object, "sites");
    return sites != NULL && JSON_NODE_HOLDS_ARRAY(sites)
        && read_object(store, weiri_finding_fields, object, finding);
}

bool weiri_fields_read(struct weiri_store *store, const struct weiri_field *fields,
                       const char *text, size_t bytes, void *to)
{
    g_autofree char *why = NULL;
    g_autoptr(JsonNode) root = weiri_json_read(text, bytes, &why);
    return root != NULL && JSON_NODE_HOLDS_OBJECT(root)
        && read_object(store, fields, json_node_get_object(root), to);
}

/* ---- Records --------------------------------------------------------------------- */

/* A record as it is kept. */
struct kept {
    struct weiri_launch_record public;
    struct weiri_store *store;
    struct weir_schedule *recorded; /* or NULL */
};

static void free_kept(void *data)
{
    struct kept *kept = data;
    if (kept != NULL) {
        weir_schedule_free(kept->recorded);
        weiri_store_free(kept->store);
        g_free(kept);
    }
}

GPtrArray *weiri_records_new(void)
{
    return g_ptr_array_new_with_free_func(free_kept);
}

/* Whether the record has the members that other code relies on. */
static bool is_whole(const struct weiri_launch_record *record)
{
    bool whole = record->kernel != NULL
        && record->made == (!record->begins && !record->aside && record->error == NULL);
    for (size_t i = 0; i < record->n_findings; i++) {
        whole = whole && record->findings[i].kernel != NULL
            && record->findings[i].message != NULL;
    }
    return whole;
}

/* Returns: (transfer full): or NULL with @why set */
static struct kept *read_line(const char *line, size_t bytes, char **why)
{
    g_autoptr(JsonNode) root = weiri_json_read(line, bytes, why);
    if (root == NULL) {
        return NULL;
    }
    struct kept *kept = g_new0(struct kept, 1);
    struct weiri_launch_record *record = &kept->public;
    g_autoptr(GError) error = NULL;
    kept->store = weiri_store_new();
    if (!JSON_NODE_HOLDS_OBJECT(root)
        || !read_object(kept->store, weiri_record_fields, json_node_get_object(root),
                        record)
        || !is_whole(record)) {
        *why = g_strdup("it is not of a known form");
    } else if (record->recorded != NULL) {
        kept->recorded = weiri_trace_parse(record->recorded, strlen(record->recorded),
                                           "its schedule", &error);
        *why = kept->recorded == NULL ? g_strdup(error->message) : NULL;
    }
    if (*why != NULL) {
        g_clear_pointer(&kept, free_kept);
    }
    return kept;
}

bool weiri_records_read(const char *text, size_t bytes, GPtrArray *records,
                        GError **error)
{
    size_t number = 1;
    for (const char *line = text, *end = text + bytes; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        g_autofree char *why = NULL;
        struct kept *kept
            = newline != NULL ? read_line(line, (size_t)(newline - line), &why) : NULL;
        if (kept == NULL) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                        "line %zu of the reports of launches: %s", number,
                        why != NULL ? why : "it was cut short");
            return false;
        }
        g_ptr_array_add(records, kept);
        line = newline + 1;
    }
    return true;
}

void weiri_record_take_schedule(struct weiri_launch_record *record,
                                struct weir_schedule *schedule)
{
    struct kept *kept = (struct kept *)record; /* its first member */
    if (kept->recorded != NULL) {
        weiri_trace_move(kept->recorded, schedule);
    }
    g_clear_pointer(&kept->recorded, weir_schedule_free);
    record->recorded = NULL;
}
