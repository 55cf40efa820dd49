/* SPDX-License-Identifier: MIT
 *
 * kernels.c: the function by which the entries of a kernel call it:
 *
 *     weiri_k_NAME__cl(item, arguments)
 *
 * reads the arguments from their block, whose layout describe.c has decided, and calls
 * the kernel. In checked code it is a function of its own, without hooks.
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

#include "opencl-cc/back.h"
#include "opencl-cc/kernels.h"
#include "opencl-cc/template.h"

#include <string.h>

enum { SPIR_KERNEL = 76 }; /* a calling convention */

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
    struct llvm_type *value = weiri_clc_by_value(clc, source, i);
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
        = MIN(llvm.ABIAlignmentOfType(clc->layout, loaded), WEIRI_CLC_BLOCK_ALIGNMENT);
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
    g_autofree char *from = g_strconcat(WEIRI_TEMPLATE, part, NULL);
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
    weiri_back_add_attribute(entry, clc->checked ? "noinline" : "alwaysinline");
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
    weiri_clc_describe(clc, source, &kernel->kernel);
    kernel->entry = add_function(clc, kernel->kernel.name, "__cl");
    kernel->keep = add_function(clc, kernel->kernel.name, "__keep");
    if (kernel->keep != NULL) {
        weiri_back_add_attribute(kernel->keep, "alwaysinline");
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
        kernel->kernel.args_bytes = weiri_clc_round_up(clc->slot);
    }
    kernel->kernel.local_bytes = clc->local_bytes;
    kernel->kernel.private_bytes = clc->private_bytes;
    g_ptr_array_add(clc->kernels, kernel);
}
