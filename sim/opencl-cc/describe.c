/* SPDX-License-Identifier: MIT
 *
 * describe.c: the description of a kernel, from its metadata: its parameters, each with
 * its place in the block of arguments, and its attributes. */
#include "config.h"

#include "opencl-cc/kernels.h"

#include <string.h>

/* ---- Metadata of kernels -------------------------------------------------- */

static char *string_at(struct llvm_value *list, unsigned i, const char *otherwise)
{
    char *text = weiri_clc_string(list, i);
    return text != NULL ? text : g_strdup(otherwise);
}

static size_t number_at(struct llvm_value *list, unsigned i)
{
    struct llvm_value *number = weiri_clc_operand(list, i);
    return number != NULL && llvm.IsAConstantInt(number) != NULL
        ? llvm.ConstIntGetZExtValue(number)
        : 0;
}

/* Size of "float4" or "int __attribute__((ext_vector_type(3)))"; 0 of other types. */
static size_t bytes_of_name(const char *name)
{
    static const struct {
        const char *name;
        size_t bytes;
    } words[]
        = { { "char", 1 },           { "uchar", 1 },        { "short", 2 },
            { "ushort", 2 },         { "int", 4 },          { "uint", 4 },
            { "long", 8 },           { "ulong", 8 },        { "half", 2 },
            { "float", 4 },          { "double", 8 },       { "unsigned char", 1 },
            { "unsigned short", 2 }, { "unsigned int", 4 }, { "unsigned long", 8 } };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        size_t length = strlen(words[i].name);
        if (strncmp(name, words[i].name, length) != 0) {
            continue;
        }
        const char *rest = name + length;
        const char *in = strstr(rest, "ext_vector_type(");
        rest = in != NULL ? in + strlen("ext_vector_type(") : rest;
        if (*rest == '\0') {
            return words[i].bytes;
        }
        size_t n = g_ascii_strtoull(rest, NULL, 10);
        if (n > 0) {
            return words[i].bytes * (n == 3 ? 4 : n);
        }
    }
    return 0;
}

/* ---- Parameters ----------------------------------------------------------- */

static enum weiri_cl_kind kind_of(struct llvm_type *type, const char *base,
                                  const char *qualifiers, size_t space)
{
    if (strcmp(base, "sampler_t") == 0) {
        return WEIRI_CL_SAMPLER;
    }
    if (strstr(qualifiers, "pipe") != NULL) {
        return WEIRI_CL_PIPE;
    }
    if (g_str_has_prefix(base, "image") && g_str_has_suffix(base, "_t")) {
        return WEIRI_CL_IMAGE;
    }
    if (strcmp(base, "queue_t") == 0) {
        return WEIRI_CL_QUEUE;
    }
    if (llvm.GetTypeKind(type) != LLVM_POINTER) {
        return WEIRI_CL_VALUE;
    }
    return space == WEIRI_CLC_LOCAL   ? WEIRI_CL_LOCAL
        : space == WEIRI_CLC_CONSTANT ? WEIRI_CL_CONSTANT
                                      : WEIRI_CL_GLOBAL;
}

struct llvm_type *weiri_clc_by_value(struct weiri_clc *clc, struct llvm_value *function,
                                     unsigned i)
{
    unsigned kind = weiri_ir_attribute("byval");
    struct llvm_attribute *attribute
        = llvm.GetEnumAttributeAtIndex(function, (int)i + 1, kind);
    return attribute != NULL
        ? weiri_clc_type(clc, llvm.GetTypeAttributeValue(attribute))
        : NULL;
}

/* Lists of metadata for all parameters. */
struct named {
    struct llvm_value *types, *bases, *names, *access, *qualifiers, *spaces;
};

static void describe_pointer(struct weiri_cl_parameter *to,
                             struct llvm_metadata *subprogram, unsigned i)
{
    g_autofree char *of
        = g_strndup(to->base_type_name, strcspn(to->base_type_name, "*"));
    to->alignment = to->pointee_bytes = bytes_of_name(of);
    if (to->pointee_bytes == 0) {
        to->alignment = 1;
        to->pointee_bytes = subprogram != NULL
            ? weiri_clc_pointee_bytes(weiri_clc_parameter_type(subprogram, i))
            : 0;
    }
}

static void describe(struct weiri_clc *clc, struct weiri_cl_parameter *to,
                     struct llvm_value *function, const struct named *named, unsigned i,
                     size_t *at)
{
    struct llvm_metadata *subprogram = llvm.GetSubprogram(function);
    struct llvm_type *value = weiri_clc_by_value(clc, function, i);
    struct llvm_type *type
        = weiri_clc_type(clc, llvm.TypeOf(llvm.GetParam(function, i)));
    g_autofree char *unnamed = g_strdup_printf("argument %u", i);
    *to = (struct weiri_cl_parameter){
        .name = string_at(named->names, i, unnamed),
        .type_name = string_at(named->types, i, "?"),
        .base_type_name = string_at(named->bases, i, "?"),
        .access = string_at(named->access, i, "none"),
        .qualifiers = string_at(named->qualifiers, i, ""),
        .bytes = sizeof(void *),
        .alignment = sizeof(void *),
    };
    to->kind = value != NULL ? WEIRI_CL_VALUE
                             : kind_of(type, to->base_type_name, to->qualifiers,
                                       number_at(named->spaces, i));
    size_t bytes = sizeof(void *), alignment = sizeof(void *);
    if (to->kind == WEIRI_CL_VALUE) {
        type = value != NULL ? value : type;
        to->bytes = bytes = weiri_clc_bytes(clc, type);
        to->alignment = alignment = llvm.ABIAlignmentOfType(clc->layout, type);
        GArray *scalars = weiri_clc_members(
            subprogram != NULL ? weiri_clc_parameter_type(subprogram, i) : NULL);
        to->n_scalars = scalars->len;
        to->scalars
            = (const struct weiri_cl_scalar *)(void *)g_array_free(scalars, FALSE);
    } else if (to->kind == WEIRI_CL_GLOBAL || to->kind == WEIRI_CL_CONSTANT
               || to->kind == WEIRI_CL_LOCAL) {
        describe_pointer(to, subprogram, i);
    }
    alignment = MIN(alignment, WEIRI_CLC_BLOCK_ALIGNMENT);
    to->offset = (*at + alignment - 1) / alignment * alignment;
    *at = to->offset + bytes;
}

static void read_parameters(struct weiri_clc *clc, struct llvm_value *function,
                            struct weiri_cl_kernel *kernel)
{
    struct named named = {
        weiri_clc_attached(function, "kernel_arg_type"),
        weiri_clc_attached(function, "kernel_arg_base_type"),
        weiri_clc_attached(function, "kernel_arg_name"),
        weiri_clc_attached(function, "kernel_arg_access_qual"),
        weiri_clc_attached(function, "kernel_arg_type_qual"),
        weiri_clc_attached(function, "kernel_arg_addr_space"),
    };
    unsigned n = llvm.CountParams(function);
    size_t at = sizeof(struct weiri_cl_launch);
    struct weiri_cl_parameter *parameters = g_new0(struct weiri_cl_parameter, n + 1);
    for (unsigned i = 0; i < n; i++) {
        describe(clc, &parameters[i], function, &named, i, &at);
    }
    kernel->parameters = parameters;
    kernel->n_parameters = n;
    kernel->args_bytes = weiri_clc_round_up(at);
}

/* "float4" of a value of that type and a number, which says whether integers have a
 * sign; (transfer full), or NULL. */
static char *hint_of(struct llvm_value *node)
{
    static const char *const words[][2] = { { "uchar", "char" },
                                            { "ushort", "short" },
                                            { "uint", "int" },
                                            { "ulong", "long" } };
    struct llvm_value *value = weiri_clc_operand(node, 0);
    if (value == NULL) {
        return NULL;
    }
    struct llvm_type *type = llvm.TypeOf(value);
    bool vector = llvm.GetTypeKind(type) == LLVM_VECTOR;
    unsigned n = vector ? llvm.GetVectorSize(type) : 1;
    type = vector ? llvm.GetElementType(type) : type;
    int kind = llvm.GetTypeKind(type);
    const char *word = kind == LLVM_HALF ? "half"
        : kind == LLVM_FLOAT             ? "float"
        : kind == LLVM_DOUBLE            ? "double"
                                         : NULL;
    if (kind == LLVM_INTEGER) {
        unsigned bits = llvm.GetIntTypeWidth(type);
        unsigned row = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
        word = words[row][number_at(node, 1) == 1];
    }
    return word == NULL ? NULL
        : n > 1         ? g_strdup_printf("%s%u", word, n)
                        : g_strdup(word);
}

static void read_attributes(struct llvm_value *function, struct weiri_cl_kernel *kernel)
{
    GString *text = g_string_new(NULL);
    struct {
        const char *name;
        size_t *to;
    } sizes[] = { { "reqd_work_group_size", kernel->required_local },
                  { "work_group_size_hint", kernel->hinted_local } };
    kernel->vector_hint = hint_of(weiri_clc_attached(function, "vec_type_hint"));
    if (kernel->vector_hint != NULL) {
        g_string_append_printf(text, "vec_type_hint(%s)", kernel->vector_hint);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        struct llvm_value *node = weiri_clc_attached(function, sizes[i].name);
        if (weiri_clc_operand(node, 2) != NULL) {
            for (unsigned k = 0; k < 3; k++) {
                sizes[i].to[k] = number_at(node, k);
            }
            g_string_append_printf(text, "%s%s(%zu,%zu,%zu)", text->len > 0 ? " " : "",
                                   sizes[i].name, sizes[i].to[0], sizes[i].to[1],
                                   sizes[i].to[2]);
        }
    }
    kernel->attributes = g_string_free(text, FALSE);
}

static bool is_uneven(struct llvm_value *function)
{
    static const char name[] = "uniform-work-group-size";
    struct llvm_attribute *attribute = llvm.GetStringAttributeAtIndex(
        function, LLVM_FUNCTION, name, (unsigned)strlen(name));
    unsigned length;
    return attribute != NULL
        && strcmp(llvm.GetStringAttributeValue(attribute, &length), "false") == 0;
}

void weiri_clc_describe(struct weiri_clc *clc, struct llvm_value *function,
                        struct weiri_cl_kernel *kernel)
{
    read_parameters(clc, function, kernel);
    read_attributes(function, kernel);
    kernel->uneven = is_uneven(function);
}
