/* SPDX-License-Identifier: MIT
 *
 * debug.c: names, files, lines and types, from debug information. Its nodes are lists
 * of operands to the C API, in the order that LLVM has them since version 3.9:
 *
 *     scopes       file
 *     subprograms  file, scope, name, name of the symbol, type
 *     variables    scope, name, file, type
 *     types        file, scope, name, type that it is made of, elements
 *
 * It does not tell the tags of types; here they follow from sizes and members. */
#include "config.h"

#include "opencl-cc/clc.h"

#include <string.h>

#include "opencl/device/arguments.h"

/* Kinds of metadata: numbers of LLVM's interface. */
enum {
    SUBRANGE = 9,
    ENUMERATOR = 10,
    BASIC_TYPE = 11,
    DERIVED_TYPE = 12,
    COMPOSITE_TYPE = 13,
};

enum { VECTOR_FLAG = 1 << 11 };

/* Places of operands. */
enum {
    NAME_OF_VARIABLE = 1,
    NAME = 2,
    TYPES = 3,
    BASE = 3,
    TYPE_OF_VARIABLE = 3,
    TYPE_OF_SUBPROGRAM = 4,
    ELEMENTS = 4,
};

/* A type that contains itself, or a list that never ends, does not come from OpenCL
 * C. */
enum { MOST_DEPTH = 32, MOST_SCALARS = 4096 };

struct llvm_value *weiri_clc_operand(struct llvm_value *node, unsigned i)
{
    if (node == NULL || llvm.IsAMDNode(node) == NULL) {
        return NULL;
    }
    unsigned n = llvm.GetMDNodeNumOperands(node);
    if (i >= n) {
        return NULL;
    }
    g_autofree struct llvm_value **operands = g_new(struct llvm_value *, n);
    llvm.GetMDNodeOperands(node, operands);
    return operands[i];
}

char *weiri_clc_string(struct llvm_value *node, unsigned i)
{
    struct llvm_value *operand = weiri_clc_operand(node, i);
    unsigned length;
    const char *text = operand != NULL && llvm.IsAMDString(operand) != NULL
        ? llvm.GetMDString(operand, &length)
        : NULL;
    return text != NULL ? g_strndup(text, length) : NULL;
}

static struct llvm_value *as_value(struct llvm_metadata *metadata)
{
    return metadata != NULL ? llvm.MetadataAsValue(weiri_ir_context(), metadata) : NULL;
}

static int kind_of(struct llvm_value *node)
{
    return llvm.GetMetadataKind(llvm.ValueAsMetadata(node));
}

struct llvm_value *weiri_clc_attached(struct llvm_value *global, const char *kind)
{
    unsigned wanted
        = llvm.GetMDKindIDInContext(weiri_ir_context(), kind, (unsigned)strlen(kind));
    size_t n;
    struct llvm_entries *entries = llvm.GlobalCopyAllMetadata(global, &n);
    struct llvm_metadata *found = NULL;
    for (unsigned i = 0; i < n && found == NULL; i++) {
        if (llvm.ValueMetadataEntriesGetKind(entries, i) == wanted) {
            found = llvm.ValueMetadataEntriesGetMetadata(entries, i);
        }
    }
    llvm.DisposeValueMetadataEntries(entries);
    return as_value(found);
}

char *weiri_clc_file(struct llvm_metadata *file)
{
    unsigned length = 0;
    const char *text = file != NULL ? llvm.DIFileGetFilename(file, &length) : NULL;
    return text != NULL ? g_strndup(text, length) : NULL;
}

/* If an absolute path shares leading folders with the current folder, clang keeps these
 * apart from the rest of the path. */
char *weiri_clc_path(struct llvm_metadata *file)
{
    char *name = weiri_clc_file(file);
    unsigned length = 0;
    const char *text = file != NULL ? llvm.DIFileGetDirectory(file, &length) : NULL;
    g_autofree char *folder = text != NULL ? g_strndup(text, length) : NULL;
    g_autofree char *current = g_get_current_dir();
    if (name != NULL && folder != NULL && *folder != '\0' && !g_path_is_absolute(name)
        && g_str_has_prefix(current, folder) && strcmp(current, folder) != 0) {
        char *path = g_build_filename(folder, name, NULL);
        g_free(name);
        name = path;
    }
    return name;
}

void weiri_clc_place(struct llvm_value *instruction, char **file, unsigned *line)
{
    struct llvm_metadata *location = llvm.InstructionGetDebugLoc(instruction);
    *file = NULL;
    *line = 0;
    if (location != NULL) {
        *line = llvm.DILocationGetLine(location);
        *file = weiri_clc_path(llvm.DIScopeGetFile(llvm.DILocationGetScope(location)));
    }
}

char *weiri_clc_variable_name(struct llvm_metadata *variable)
{
    return weiri_clc_string(as_value(variable), NAME_OF_VARIABLE);
}

char *weiri_clc_subprogram_name(struct llvm_metadata *subprogram)
{
    return weiri_clc_string(as_value(subprogram), NAME);
}

struct llvm_value *weiri_clc_parameter_type(struct llvm_metadata *subprogram,
                                            unsigned index)
{
    struct llvm_value *type
        = weiri_clc_operand(as_value(subprogram), TYPE_OF_SUBPROGRAM);
    /* The first one is what the function returns. */
    return weiri_clc_operand(weiri_clc_operand(type, TYPES), index + 1);
}

void weiri_clc_describe_variable(struct weiri_clc *clc, struct llvm_value *from,
                                 struct llvm_value *to)
{
    struct llvm_value *node = weiri_clc_attached(from, "dbg");
    if (node == NULL) {
        return;
    }
    struct llvm_metadata *about
        = llvm.DIGlobalVariableExpressionGetVariable(llvm.ValueAsMetadata(node));
    g_autofree char *name = weiri_clc_variable_name(about);
    struct llvm_value *type = weiri_clc_operand(as_value(about), TYPE_OF_VARIABLE);
    struct llvm_metadata *file = llvm.DIVariableGetFile(about);
    if (name == NULL || type == NULL || file == NULL) {
        return;
    }
    struct llvm_metadata *made = llvm.DIBuilderCreateGlobalVariableExpression(
        clc->variables_debug, file, name, strlen(name), "", 0, file,
        llvm.DIVariableGetLine(about), llvm.ValueAsMetadata(type), 0,
        clc->no_expression, NULL, 0);
    llvm.GlobalSetMetadata(
        to, llvm.GetMDKindIDInContext(weiri_ir_context(), "dbg", strlen("dbg")), made);
}

static uint64_t bits_of(struct llvm_value *type)
{
    return llvm.DITypeGetSizeInBits(llvm.ValueAsMetadata(type));
}

size_t weiri_clc_pointee_bytes(struct llvm_value *type)
{
    bool through = false;
    for (int i = 0; i < 20 && type != NULL && kind_of(type) >= BASIC_TYPE
         && kind_of(type) <= COMPOSITE_TYPE;
         i++) {
        uint64_t bits = bits_of(type);
        if (through && bits > 0) {
            return bits / 8;
        }
        /* Typedefs and qualifiers have no size. */
        through |= kind_of(type) == DERIVED_TYPE && bits > 0;
        type = kind_of(type) == BASIC_TYPE ? NULL : weiri_clc_operand(type, BASE);
    }
    return 0;
}

/* ---- Members: see weiri_clc_members() ------------------------------------- */

static void add_type(GArray *scalars, struct llvm_value *type, uint64_t offset,
                     int depth);

static uint64_t count_of(struct llvm_value *range)
{
    struct llvm_value *count = weiri_clc_operand(range, 0);
    return count != NULL && llvm.IsAConstantInt(count) != NULL
        ? llvm.ConstIntGetZExtValue(count)
        : 0;
}

static void add_array(GArray *scalars, struct llvm_value *type,
                      struct llvm_value *ranges, uint64_t offset, int depth)
{
    uint64_t n = 1;
    for (unsigned i = 0; weiri_clc_operand(ranges, i) != NULL; i++) {
        n *= count_of(weiri_clc_operand(ranges, i));
    }
    /* A vector of three has the size of four. */
    bool vector = (llvm.DITypeGetFlags(llvm.ValueAsMetadata(type)) & VECTOR_FLAG) != 0;
    uint64_t bits = bits_of(type), room = vector && n == 3 ? 4 : n;
    for (uint64_t i = 0; i < n && scalars->len < MOST_SCALARS; i++) {
        add_type(scalars, weiri_clc_operand(type, BASE),
                 offset + i * (bits / MAX(room, 1)), depth + 1);
    }
}

/* Members that begin where the first one does belong to a union. */
static void add_members(GArray *scalars, struct llvm_value *members, uint64_t offset,
                        int depth)
{
    guint before = scalars->len;
    for (unsigned i = 0;; i++) {
        struct llvm_value *member = weiri_clc_operand(members, i);
        if (member == NULL) {
            return;
        }
        uint64_t at = llvm.DITypeGetOffsetInBits(llvm.ValueAsMetadata(member));
        if (at > 0 || scalars->len == before) {
            add_type(scalars, weiri_clc_operand(member, BASE), offset + at, depth + 1);
        }
    }
}

static bool is_float(struct llvm_value *type)
{
    g_autofree char *name = weiri_clc_string(type, NAME);
    return g_strcmp0(name, "float") == 0 || g_strcmp0(name, "double") == 0
        || g_strcmp0(name, "half") == 0;
}

static void add_scalar(GArray *scalars, struct llvm_value *type, uint64_t offset)
{
    struct weiri_cl_scalar scalar
        = { (uint32_t)(offset / 8), (uint8_t)(bits_of(type) / 8), is_float(type) };
    g_array_append_val(scalars, scalar);
}

/* @offset: in bits */
static void add_type(GArray *scalars, struct llvm_value *type, uint64_t offset,
                     int depth)
{
    if (type == NULL || depth > MOST_DEPTH || scalars->len >= MOST_SCALARS) {
        return;
    }
    int kind = kind_of(type);
    if (kind == BASIC_TYPE) {
        add_scalar(scalars, type, offset);
    } else if (kind == DERIVED_TYPE) { /* typedefs and qualifiers; and pointers */
        add_type(scalars, weiri_clc_operand(type, BASE), offset, depth + 1);
    } else if (kind == COMPOSITE_TYPE) {
        struct llvm_value *list = weiri_clc_operand(type, ELEMENTS);
        struct llvm_value *first = weiri_clc_operand(list, 0);
        if (first == NULL) {
            return;
        }
        if (kind_of(first) == SUBRANGE) {
            add_array(scalars, type, list, offset, depth);
        } else if (kind_of(first) == ENUMERATOR) {
            add_scalar(scalars, type, offset);
        } else {
            add_members(scalars, list, offset, depth);
        }
    }
}

/* Debug information has them without padding; types of the IR have not. In a union, the
 * first member counts. */
GArray *weiri_clc_members(struct llvm_value *type)
{
    GArray *scalars = g_array_new(FALSE, FALSE, sizeof(struct weiri_cl_scalar));
    add_type(scalars, type, 0, 0);
    return scalars;
}
