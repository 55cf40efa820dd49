/* SPDX-License-Identifier: MIT
 *
 * exercise-finding.c: the findings of a verdict, from `weir check --json` and `weir
 * explore --json`, and the size at which the explorer has found them. An exercise is
 * explored at several sizes. A finding that appears at several sizes is one finding,
 * shown at the smallest size, which has the shortest executions. */
#include "config.h"

#include "exercise/exercise.h"

const char *weiri_exercise_member(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node)
                                                       : NULL;
}

/* "LOCALxGROUPS" or "LOCALxGROUPS/N": the number of items. */
static uint64_t items_of(const char *size)
{
    char *end;
    uint64_t local = g_ascii_strtoull(size, &end, 10);
    return *end == 'x' ? local * g_ascii_strtoull(end + 1, NULL, 10) : local;
}

static bool is_same_text(JsonObject *a, JsonObject *b, const char *name)
{
    return g_strcmp0(weiri_exercise_member(a, name), weiri_exercise_member(b, name))
        == 0;
}

static JsonArray *sites_of(JsonObject *finding)
{
    JsonNode *sites = json_object_get_member(finding, "sites");
    return sites != NULL && JSON_NODE_HOLDS_ARRAY(sites) ? json_node_get_array(sites)
                                                         : NULL;
}

/* Whether two findings are the same at two sizes: of the same lines. */
static bool is_same_finding(JsonObject *a, JsonObject *b)
{
    JsonArray *one = sites_of(a), *other = sites_of(b);
    guint n = one != NULL ? json_array_get_length(one) : 0;
    bool same = is_same_text(a, b, "kind") && is_same_text(a, b, "kernel")
        && n == (other != NULL ? json_array_get_length(other) : 0);
    for (guint i = 0; i < n && same; i++) {
        JsonObject *site = json_array_get_object_element(one, i);
        JsonObject *of_other = json_array_get_object_element(other, i);
        same = is_same_text(site, of_other, "state")
            && is_same_text(site, of_other, "access")
            && is_same_text(site, of_other, "file")
            && json_node_equal(json_object_get_member(site, "line"),
                               json_object_get_member(of_other, "line"));
    }
    return same;
}

void weiri_exercise_take_finding(JsonArray *findings, JsonObject *finding,
                                 const char *size)
{
    for (guint i = 0; size != NULL && i < json_array_get_length(findings); i++) {
        JsonObject *there = json_array_get_object_element(findings, i);
        const char *its_size = weiri_exercise_member(there, "size");
        if (its_size == NULL || !is_same_finding(there, finding)) {
            continue;
        }
        if (items_of(its_size) <= items_of(size)) {
            return;
        }
        json_array_remove_element(findings, i);
        break;
    }
    if (size != NULL) {
        json_object_set_string_member(finding, "size", size);
    }
    json_array_add_object_element(findings, json_object_ref(finding));
}

/* "items 0-4 of group (3,0,0)"; the place; the line of the source. */
static void add_place(GString *out, JsonObject *place)
{
    const char *what = weiri_exercise_member(place, "access");
    const char *file = weiri_exercise_member(place, "file");
    JsonArray *group = json_object_get_array_member(place, "group");
    what = what != NULL ? what : weiri_exercise_member(place, "state");
    g_string_append_printf(out, "  %s  item %s", what != NULL ? what : "",
                           weiri_exercise_member(place, "items"));
    if (group != NULL && json_array_get_length(group) == 3) {
        g_string_append_printf(out, " of group %" G_GINT64_FORMAT,
                               json_array_get_int_element(group, 0));
    }
    if (file != NULL) {
        const char *source = weiri_exercise_member(place, "source");
        JsonNode *line = json_object_get_member(place, "line");
        g_string_append_printf(
            out, "  %s:%" G_GINT64_FORMAT "  %s", file,
            line != NULL && JSON_NODE_HOLDS_VALUE(line) ? json_node_get_int(line) : 0,
            source != NULL ? source : "");
    }
    g_string_append_c(out, '\n');
}

void weiri_exercise_add_finding(GString *out, JsonObject *finding)
{
    const char *why = weiri_exercise_member(finding, "why");
    const char *size = weiri_exercise_member(finding, "size");
    g_string_append_printf(out, "%s%s%s\n", weiri_exercise_member(finding, "message"),
                           size != NULL ? ", at size " : "", size != NULL ? size : "");
    JsonNode *sites = json_object_get_member(finding, "sites");
    for (guint i = 0; sites != NULL && JSON_NODE_HOLDS_ARRAY(sites)
         && i < json_array_get_length(json_node_get_array(sites));
         i++) {
        add_place(out, json_array_get_object_element(json_node_get_array(sites), i));
    }
    if (why != NULL) {
        g_string_append_printf(out, "  why  %s\n", why);
    }
}

void weiri_exercise_json_finding(JsonBuilder *builder, JsonObject *finding)
{
    static const char *const members[]
        = { "kind", "message", "why", "size", "kernel", "object", "index", "sites" };
    json_builder_begin_object(builder);
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        JsonNode *node = json_object_get_member(finding, members[i]);
        if (node != NULL) {
            json_builder_set_member_name(builder, members[i]);
            json_builder_add_value(builder, json_node_copy(node));
        }
    }
    json_builder_end_object(builder);
}
