/* SPDX-License-Identifier: MIT
 *
 * members.c: the numbers that a struct is made of, for arguments that are written as
 * {1,0.5,3}. Debug information has them without padding; types of the IR have not. Of a
 * union, the first member counts. */
#include "config.h"

#include "opencl/members.h"

#include <string.h>

/* A type that contains itself, or a list that never ends, is none of OpenCL C. */
enum { MOST_DEPTH = 32, MOST_SCALARS = 4096 };

struct walk {
    const struct weiri_ir_tables *tables;
    GArray *scalars;
};

static uint64_t number_of(const char *node, const char *key, uint64_t otherwise)
{
    char *text = weiri_ir_field(node, key);
    uint64_t number = text != NULL ? g_ascii_strtoull(text, NULL, 10) : otherwise;
    g_free(text);
    return number;
}

/* The names of the nodes of "elements: !5", "!5 = !{!6}". Returns: (transfer full) */
static GPtrArray *elements_of(const struct walk *walk, const char *node)
{
    const char *list = weiri_ir_node(walk->tables, node, "elements");
    const char *open = list != NULL ? strchr(list, '{') : NULL;
    return open != NULL ? weiri_ir_list(open + 1, weiri_ir_skip(open) - 1)
                        : g_ptr_array_new();
}

static const char *node_at(const struct walk *walk, const GPtrArray *names, guint i)
{
    return g_hash_table_lookup(walk->tables->metadata, g_ptr_array_index(names, i));
}

static void add_type(struct walk *walk, const char *type, uint64_t offset, int depth);

static void add_array(struct walk *walk, const char *type, uint64_t offset, int depth)
{
    const char *of = weiri_ir_node(walk->tables, type, "baseType");
    GPtrArray *ranges = elements_of(walk, type);
    uint64_t n = 1;
    for (guint i = 0; i < ranges->len; i++) {
        const char *range = node_at(walk, ranges, i);
        n *= range != NULL ? number_of(range, "count", 0) : 0;
    }
    g_ptr_array_unref(ranges);
    /* A vector of three has the size of four. */
    bool vector = strstr(type, "DIFlagVector") != NULL;
    uint64_t bits = number_of(type, "size", 0), room = vector && n == 3 ? 4 : n;
    for (uint64_t i = 0; i < n && walk->scalars->len < MOST_SCALARS; i++) {
        add_type(walk, of, offset + i * (bits / MAX(room, 1)), depth + 1);
    }
}

static void add_members(struct walk *walk, const char *type, uint64_t offset, int depth)
{
    GPtrArray *members = elements_of(walk, type);
    bool one = strstr(type, "DW_TAG_union_type") != NULL;
    for (guint i = 0; i < members->len && (i == 0 || !one); i++) {
        const char *member = node_at(walk, members, i);
        if (member != NULL) {
            add_type(walk, weiri_ir_node(walk->tables, member, "baseType"),
                     offset + number_of(member, "offset", 0), depth + 1);
        }
    }
    g_ptr_array_unref(members);
}

/* @offset: in bits */
static void add_type(struct walk *walk, const char *type, uint64_t offset, int depth)
{
    if (type == NULL || depth > MOST_DEPTH || walk->scalars->len >= MOST_SCALARS) {
        return;
    }
    if (strstr(type, "DW_TAG_array_type") != NULL) {
        add_array(walk, type, offset, depth);
    } else if (strstr(type, "DW_TAG_structure_type") != NULL
               || strstr(type, "DW_TAG_union_type") != NULL) {
        add_members(walk, type, offset, depth);
    } else if (g_str_has_prefix(type, "!DIBasicType")
               || strstr(type, "DW_TAG_enumeration_type") != NULL) {
        struct weiri_cl_scalar scalar
            = { (uint32_t)(offset / 8), (uint8_t)(number_of(type, "size", 8) / 8),
                strstr(type, "DW_ATE_float") != NULL };
        g_array_append_val(walk->scalars, scalar);
    } else { /* typedefs and qualifiers */
        add_type(walk, weiri_ir_node(walk->tables, type, "baseType"), offset,
                 depth + 1);
    }
}

GArray *weiri_cl_members(const struct weiri_ir_tables *tables, const char *subprogram,
                         guint index)
{
    struct walk walk
        = { tables, g_array_new(FALSE, FALSE, sizeof(struct weiri_cl_scalar)) };
    const char *types
        = weiri_ir_node(tables, weiri_ir_node(tables, subprogram, "type"), "types");
    const char *open = types != NULL ? strchr(types, '{') : NULL;
    if (open != NULL) { /* the first one is what the function returns */
        GPtrArray *list = weiri_ir_list(open + 1, weiri_ir_skip(open) - 1);
        if (index + 1 < list->len) {
            add_type(&walk, node_at(&walk, list, index + 1), 0, 0);
        }
        g_ptr_array_unref(list);
    }
    return walk.scalars;
}
