/* SPDX-License-Identifier: MIT
 *
 * kernels.c: the description of a kernel, and the function by which its entries call
 * it:
 *
 *     weiri_k_NAME__cl(item, arguments)
 *
 * reads the arguments from their block, whose layout is decided here, and calls the
 * kernel. In checked code it is a function of its own, without hooks.
 *
 * A group that runs without stacks has a block of its own. The arguments are followed
 * by the addresses of the group's arrays of local memory, which
 *
 *     weiri_k_NAME__keep(block)
 *
 * puts there: items read them as they read arguments. A kernel that another function
 * calls, or that is linked with others, has no such block: its items ask for each
 * array. */
#include "config.h"

#include "opencl-cc/kernels.h"

#include <string.h>

/* The alignment of all blocks: allocators give it. */
enum { BLOCK_ALIGNMENT = 16 };

enum { SPIR_KERNEL = 76 }; /* a calling convention */

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

/* The type of a struct that is passed by a pointer to it, or NULL. */
static struct llvm_type *by_value(struct weiri_clc *clc, struct llvm_value *function,
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
    struct llvm_type *value = by_value(clc, function, i);
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
    alignment = MIN(alignment, BLOCK_ALIGNMENT);
    to->offset = (*at + alignment - 1) / alignment * alignment;
    *at = to->offset + bytes;
}

static size_t round_up(size_t bytes)
{
    return (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
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
    kernel->args_bytes = round_up(at);
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

bool weiri_clc_is_kernel(struct llvm_value *function)
{
    return llvm.GetFunctionCallConv(function) == SPIR_KERNEL
        || weiri_clc_attached(function, "kernel_arg_type") != NULL;
}

/* ---- Local memory --------------------------------------------------------- */

/* The work of K__keep() for an array. */
static void add_keep(struct weiri_clc *clc, struct llvm_value **arguments,
                     const struct weiri_clc_local *local)
{
    struct llvm_value *place = weiri_ir_constant(64, clc->slot);
    struct llvm_value *block = weiri_ir_as(clc->keep, clc->kept, weiri_ir_pointer());
    struct llvm_value *list[]
        = { llvm.BuildGEP2(clc->keep, weiri_ir_int(8), block, &place, 1, ""),
            arguments[1], local->kept_count, arguments[3] };
    (void)weiri_clc_call_c(clc, clc->keep, "weiri_cl_keep", NULL, list,
                           G_N_ELEMENTS(list));
}

struct llvm_value *weiri_clc_local(struct weiri_clc *clc, struct llvm_builder *builder,
                                   const struct weiri_clc_local *local)
{
    struct llvm_value *arguments[]
        = { clc->item, weiri_clc_site(clc, local->file, local->line, local->name),
            local->count, weiri_ir_constant(64, local->element_bytes),
            weiri_ir_constant(64, clc->slot) };
    struct llvm_value *made
        = weiri_clc_call_c(clc, builder, "weiri_cl_local", local->type, arguments,
                           G_N_ELEMENTS(arguments));
    if (made == NULL) {
        weiri_clc_miss(clc, "weiri_cl_local()");
        made = llvm.GetUndef(local->type);
    }
    if (clc->slot != 0) {
        add_keep(clc, arguments, local);
        clc->slot += sizeof(void *);
    }
    return made;
}

/* ---- K__cl ---------------------------------------------------------------- */

/* Loads what is at @offset of a block. */
static struct llvm_value *load_from(struct llvm_builder *builder,
                                    struct llvm_value *block, size_t offset,
                                    struct llvm_type *type, unsigned alignment)
{
    struct llvm_value *place = weiri_ir_constant(64, offset);
    block = weiri_ir_as(builder, block, weiri_ir_pointer());
    struct llvm_value *at
        = llvm.BuildGEP2(builder, weiri_ir_int(8), block, &place, 1, "");
    at = weiri_ir_as(builder, at, llvm.PointerType(type, 0));
    struct llvm_value *load = llvm.BuildLoad2(builder, type, at, "");
    llvm.SetAlignment(load, alignment);
    return load;
}

/* The number of elements of an array of local memory that is an argument. */
static struct llvm_value *count_of(struct llvm_builder *builder,
                                   struct llvm_value *block, size_t offset,
                                   size_t element_bytes)
{
    struct llvm_value *bytes
        = load_from(builder, block, offset, weiri_ir_int(64), sizeof(uint64_t));
    return llvm.BuildBinOp(builder, LLVM_UDIV, bytes,
                           weiri_ir_constant(64, element_bytes), "");
}

/* Parameter @i, of @type. */
static struct llvm_value *argument(struct weiri_clc *clc, struct llvm_builder *builder,
                                   struct llvm_value *block,
                                   struct weiri_clc_kernel *kernel,
                                   struct llvm_value *source, unsigned i,
                                   struct llvm_type *type)
{
    const struct weiri_cl_parameter *of = &kernel->kernel.parameters[i];
    struct llvm_type *value = by_value(clc, source, i);
    if (of->kind == WEIRI_CL_LOCAL) {
        size_t each = MAX(of->pointee_bytes, 1);
        struct weiri_clc_local local
            = { .file = kernel->file,
                .name = of->name,
                .line = kernel->line,
                .count = count_of(builder, block, of->offset, each),
                .kept_count = clc->slot != 0
                    ? count_of(clc->keep, clc->kept, of->offset, each)
                    : NULL,
                .element_bytes = each,
                .type = type };
        return weiri_clc_local(clc, builder, &local);
    }
    if (of->kind == WEIRI_CL_SAMPLER) {
        struct llvm_value *number
            = load_from(builder, block, of->offset, weiri_ir_int(64), sizeof(uint64_t));
        return llvm.BuildCast(builder, LLVM_INTTOPTR, number, type, "");
    }
    struct llvm_type *loaded = value != NULL ? value : type;
    unsigned alignment
        = MIN(llvm.ABIAlignmentOfType(clc->layout, loaded), BLOCK_ALIGNMENT);
    struct llvm_value *load = load_from(builder, block, of->offset, loaded, alignment);
    if (value == NULL) {
        return load;
    }
    /* The callee may ask for more alignment than the block has. A variable is at the
     * very start: after a call that is inlined it would be in another block, where no
     * frame has a place for it. */
    struct llvm_block *start = llvm.GetInstructionParent(load);
    llvm.PositionBuilderBefore(builder, llvm.GetFirstInstruction(start));
    struct llvm_value *copy = llvm.BuildAlloca(builder, value, "");
    llvm.PositionBuilderAtEnd(builder, start);
    llvm.SetAlignment(copy, 128);
    llvm.SetAlignment(llvm.BuildStore(builder, load, copy), 128);
    return copy;
}

/* A function of the template, for this kernel; NULL: the template has none. */
static struct llvm_value *add_function(struct weiri_clc *clc, const char *kernel,
                                       const char *part)
{
    g_autofree char *from = g_strconcat(WEIRI_CLC_TEMPLATE, part, NULL);
    g_autofree char *to = g_strconcat("weiri_k_", kernel, part, NULL);
    struct llvm_value *like = llvm.GetNamedFunction(clc->module, from);
    return like != NULL
        ? llvm.AddFunction(clc->module, to, llvm.GlobalGetValueType(like))
        : NULL;
}

static struct llvm_builder *begin_body(struct llvm_value *function)
{
    struct llvm_builder *builder = llvm.CreateBuilderInContext(weiri_ir_context());
    llvm.PositionBuilderAtEnd(
        builder, llvm.AppendBasicBlockInContext(weiri_ir_context(), function, ""));
    return builder;
}

static void add_entry(struct weiri_clc *clc, struct weiri_clc_kernel *kernel,
                      struct llvm_value *source)
{
    struct llvm_value *entry = kernel->entry, *item = clc->item;
    struct llvm_builder *builder = begin_body(entry);
    unsigned n = llvm.CountParams(source);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    weiri_clc_add_attribute(entry, clc->checked ? "noinline" : "alwaysinline");
    clc->item = llvm.GetParam(entry, 0);
    for (unsigned i = 0; i <= n; i++) {
        struct llvm_type *type = llvm.TypeOf(llvm.GetParam(clc->function, i));
        list[i] = i == 0 ? clc->item
                         : argument(clc, builder, llvm.GetParam(entry, 1), kernel,
                                    source, i - 1, type);
        list[i] = weiri_ir_as(builder, list[i], type);
    }
    struct llvm_value *call
        = llvm.BuildCall2(builder, llvm.GlobalGetValueType(clc->function),
                          clc->function, list, n + 1, "");
    unsigned kind = weiri_ir_attribute("byval");
    for (int i = 1; i <= (int)n + 1; i++) {
        struct llvm_attribute *attribute
            = llvm.GetEnumAttributeAtIndex(clc->function, i, kind);
        if (attribute != NULL) {
            llvm.AddCallSiteAttribute(call, i, attribute);
        }
    }
    llvm.BuildRetVoid(builder);
    llvm.DisposeBuilder(builder);
    clc->item = item;
}

struct weiri_clc_kernel *weiri_clc_kernel_begin(struct weiri_clc *clc,
                                                struct llvm_value *source)
{
    struct weiri_clc_kernel *kernel = g_new0(struct weiri_clc_kernel, 1);
    struct llvm_metadata *subprogram = llvm.GetSubprogram(source);
    size_t length;
    kernel->kernel.name = g_strdup(llvm.GetValueName2(source, &length));
    kernel->line = subprogram != NULL ? llvm.DISubprogramGetLine(subprogram) : 0;
    kernel->file
        = subprogram != NULL ? weiri_clc_file(llvm.DIScopeGetFile(subprogram)) : NULL;
    kernel->file = kernel->file != NULL ? kernel->file : g_strdup("?");
    read_parameters(clc, source, &kernel->kernel);
    read_attributes(source, &kernel->kernel);
    kernel->kernel.uneven = is_uneven(source);
    kernel->entry = add_function(clc, kernel->kernel.name, "__cl");
    kernel->keep = add_function(clc, kernel->kernel.name, "__keep");
    if (kernel->keep != NULL) {
        weiri_clc_add_attribute(kernel->keep, "alwaysinline");
        clc->keep = begin_body(kernel->keep);
        clc->kept = llvm.GetParam(kernel->keep, 0);
        if (clc->alone && !g_hash_table_contains(clc->called, source)) {
            clc->slot = kernel->kernel.args_bytes;
        }
    }
    return kernel;
}

void weiri_clc_kernel_end(struct weiri_clc *clc, struct weiri_clc_kernel *kernel,
                          struct llvm_value *source)
{
    if (kernel->entry == NULL) {
        weiri_clc_miss(clc, "entry of a kernel");
        return;
    }
    add_entry(clc, kernel, source);
    kernel->keeps = clc->slot > kernel->kernel.args_bytes;
    if (kernel->keep != NULL) {
        llvm.BuildRetVoid(clc->keep);
        llvm.DisposeBuilder(clc->keep);
    }
    if (kernel->keeps) {
        kernel->kernel.args_bytes = round_up(clc->slot);
    }
    kernel->kernel.local_bytes = clc->local_bytes;
    kernel->kernel.private_bytes = clc->private_bytes;
    g_ptr_array_add(clc->kernels, kernel);
}
