/* SPDX-License-Identifier: MIT
 *
 * validate.c: whether a JSON file is as a JSON Schema says.
 *
 *     json-validate SCHEMA FILE
 *
 * It knows the keywords of draft 2020-12 in the table below, and refuses a schema with
 * any other, so that nothing passes because it was not looked at. The status is 0, or 1
 * after a line for each violation, or 2 where a file cannot be read. */
#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static JsonObject *schemas; /* the root, where references begin */

static bool check(JsonObject *schema, JsonNode *node, const char *place, bool verbose);

static bool violated(bool verbose, const char *place, const char *what)
{
    if (verbose) {
        printf("%s: %s\n", place[0] != '\0' ? place : "the document", what);
    }
    return false;
}

/* The elements of an array that @test is true of, as it is asked in turn. */
static bool any_is(JsonNode *list, bool (*test)(JsonNode *element, JsonNode *node),
                   JsonNode *node)
{
    if (!JSON_NODE_HOLDS_ARRAY(list)) {
        return test(list, node);
    }
    JsonArray *array = json_node_get_array(list);
    for (guint i = 0; i < json_array_get_length(array); i++) {
        if (test(json_array_get_element(array, i), node)) {
            return true;
        }
    }
    return false;
}

static bool is_integer(JsonNode *node)
{
    return JSON_NODE_HOLDS_VALUE(node)
        && json_node_get_value_type(node) == G_TYPE_INT64;
}

static bool is_of_type(JsonNode *type, JsonNode *node)
{
    GType value
        = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node) : G_TYPE_NONE;
    const char *name = json_node_get_string(type);
    return strcmp(name, "object") == 0 ? JSON_NODE_HOLDS_OBJECT(node)
        : strcmp(name, "array") == 0   ? JSON_NODE_HOLDS_ARRAY(node)
        : strcmp(name, "null") == 0    ? JSON_NODE_HOLDS_NULL(node)
        : strcmp(name, "string") == 0  ? value == G_TYPE_STRING
        : strcmp(name, "boolean") == 0 ? value == G_TYPE_BOOLEAN
        : strcmp(name, "integer") == 0 ? value == G_TYPE_INT64
                                       : false;
}

static bool is_equal(JsonNode *element, JsonNode *node)
{
    return json_node_equal(element, node);
}

/* ---- Keywords -------------------------------------------------------------------- */

static bool check_type(JsonNode *keyword, JsonNode *node, const char *place,
                       bool verbose)
{
    return any_is(keyword, is_of_type, node)
        || violated(verbose, place, "of another type");
}

static bool check_enum(JsonNode *keyword, JsonNode *node, const char *place,
                       bool verbose)
{
    return any_is(keyword, is_equal, node)
        || violated(verbose, place, "not in the enum");
}

static bool check_const(JsonNode *keyword, JsonNode *node, const char *place,
                        bool verbose)
{
    return json_node_equal(keyword, node)
        || violated(verbose, place, "another constant");
}

static bool check_minimum(JsonNode *keyword, JsonNode *node, const char *place,
                          bool verbose)
{
    return !is_integer(node) || json_node_get_int(node) >= json_node_get_int(keyword)
        || violated(verbose, place, "below the minimum");
}

static bool check_length(JsonNode *keyword, JsonNode *node, const char *place,
                         bool verbose, int sign)
{
    if (!JSON_NODE_HOLDS_ARRAY(node)) {
        return true;
    }
    gint64 more = (gint64)json_array_get_length(json_node_get_array(node))
        - json_node_get_int(keyword);
    return more * sign >= 0 || violated(verbose, place, "of another length");
}

static bool check_min_items(JsonNode *keyword, JsonNode *node, const char *place,
                            bool verbose)
{
    return check_length(keyword, node, place, verbose, 1);
}

static bool check_max_items(JsonNode *keyword, JsonNode *node, const char *place,
                            bool verbose)
{
    return check_length(keyword, node, place, verbose, -1);
}

static bool check_items(JsonNode *keyword, JsonNode *node, const char *place,
                        bool verbose)
{
    bool sound = true;
    JsonArray *array = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
        g_autofree char *at = g_strdup_printf("%s[%u]", place, i);
        sound = check(json_node_get_object(keyword), json_array_get_element(array, i),
                      at, verbose)
            && sound;
    }
    return sound;
}

static bool check_required(JsonNode *keyword, JsonNode *node, const char *place,
                           bool verbose)
{
    bool sound = true;
    JsonArray *names = json_node_get_array(keyword);
    for (guint i = 0; JSON_NODE_HOLDS_OBJECT(node) && i < json_array_get_length(names);
         i++) {
        const char *name = json_array_get_string_element(names, i);
        g_autofree char *what = g_strdup_printf("lacks %s", name);
        sound = (json_object_has_member(json_node_get_object(node), name)
                 || violated(verbose, place, what))
            && sound;
    }
    return sound;
}

static bool check_any_of(JsonNode *keyword, JsonNode *node, const char *place,
                         bool verbose)
{
    JsonArray *array = json_node_get_array(keyword);
    for (guint i = 0; i < json_array_get_length(array); i++) {
        if (check(json_array_get_object_element(array, i), node, place, false)) {
            return true;
        }
    }
    /* The types show which alternative was meant: prints why each one does not fit. */
    for (guint i = 0; verbose && i < json_array_get_length(array); i++) {
        check(json_array_get_object_element(array, i), node, place, true);
    }
    return violated(verbose, place, "of none of the alternatives");
}

static bool check_ref(JsonNode *keyword, JsonNode *node, const char *place,
                      bool verbose)
{
    static const char prefix[] = "#/$defs/";
    const char *name = json_node_get_string(keyword);
    JsonObject *parts = json_object_get_object_member(schemas, "$defs");
    if (!g_str_has_prefix(name, prefix)
        || !json_object_has_member(parts, name + strlen(prefix))) {
        g_error("the schema has no %s", name);
    }
    return check(json_object_get_object_member(parts, name + strlen(prefix)), node,
                 place, verbose);
}

/* These two want to know of each other. */
static bool check_members(JsonObject *schema, JsonNode *node, const char *place,
                          bool verbose)
{
    if (!JSON_NODE_HOLDS_OBJECT(node)) {
        return true;
    }
    JsonObject *properties = json_object_has_member(schema, "properties")
        ? json_object_get_object_member(schema, "properties")
        : NULL;
    bool closed = json_object_has_member(schema, "additionalProperties")
        && !json_object_get_boolean_member(schema, "additionalProperties");
    bool sound = true;
    g_autoptr(GList) names = json_object_get_members(json_node_get_object(node));
    for (GList *at = names; at != NULL; at = at->next) {
        const char *name = at->data;
        g_autofree char *inner = g_strdup_printf("%s.%s", place, name);
        if (properties != NULL && json_object_has_member(properties, name)) {
            sound = check(json_object_get_object_member(properties, name),
                          json_object_get_member(json_node_get_object(node), name),
                          inner, verbose)
                && sound;
        } else if (closed) {
            sound = violated(verbose, inner, "not in the schema");
        }
    }
    return sound;
}

static const struct {
    const char *name;
    bool (*check)(JsonNode *keyword, JsonNode *node, const char *place, bool verbose);
} keywords[] = {
    { "type", check_type },
    { "enum", check_enum },
    { "const", check_const },
    { "minimum", check_minimum },
    { "minItems", check_min_items },
    { "maxItems", check_max_items },
    { "items", check_items },
    { "required", check_required },
    { "anyOf", check_any_of },
    { "$ref", check_ref },
    { "properties", NULL },           /* of check_members() */
    { "additionalProperties", NULL }, /* likewise */
    { "$schema", NULL },              /* the rest says nothing of documents */
    { "$id", NULL },
    { "$defs", NULL },
    { "title", NULL },
    { "description", NULL },
};

static bool check(JsonObject *schema, JsonNode *node, const char *place, bool verbose)
{
    bool sound = check_members(schema, node, place, verbose);
    g_autoptr(GList) names = json_object_get_members(schema);
    for (GList *at = names; at != NULL; at = at->next) {
        size_t i = 0;
        while (i < G_N_ELEMENTS(keywords) && strcmp(keywords[i].name, at->data) != 0) {
            i++;
        }
        if (i == G_N_ELEMENTS(keywords)) {
            g_error("the schema has %s, which is not known here", (char *)at->data);
        }
        if (keywords[i].check != NULL) {
            sound = keywords[i].check(json_object_get_member(schema, at->data), node,
                                      place, verbose)
                && sound;
        }
    }
    return sound;
}

/* Returns: (transfer full): or NULL after a line */
static JsonParser *parse(const char *path)
{
    JsonParser *parser = json_parser_new();
    g_autoptr(GError) error = NULL;
    if (!json_parser_load_from_file(parser, path, &error)
        || json_parser_get_root(parser) == NULL) {
        fprintf(stderr, "%s: %s\n", path, error != NULL ? error->message : "empty");
        g_clear_object(&parser);
    }
    return parser;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: json-validate SCHEMA FILE\n", stderr);
        return 2;
    }
    g_autoptr(JsonParser) schema = parse(argv[1]);
    g_autoptr(JsonParser) document = parse(argv[2]);
    if (schema == NULL || document == NULL) {
        return 2;
    }
    schemas = json_node_get_object(json_parser_get_root(schema));
    return check(schemas, json_parser_get_root(document), "", true) ? 0 : 1;
}
