/* SPDX-License-Identifier: MIT
 *
 * kernels.c: the function by which the entries of a kernel call it,
 *
 *     weiri_k_SYMBOL__cl(item, arguments)
 *
 * reads the arguments from their block; the entries themselves, by
 * opencl-cc/template.c; and the table that a constructor hands to the runtime. The
 * block is
 *
 *     head        struct weiri_cuda_head
 *     addresses   of shared variables, in the block that a group has of its own, where
 *                 weiri_k_SYMBOL__keep(arguments) puts them
 *     parameters  of the kernel, 16 bytes apart or more */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

#include "opencl-cc/back.h"
#include "opencl-cc/template.h"

/* ---- K__cl ----------------------------------------------------------------- */

static struct llvm_value *in_block(struct weiri_cuda_code *code,
                                   struct llvm_value *block, size_t offset)
{
    struct llvm_value *place = weiri_ir_constant(64, offset);
    block = weiri_ir_as(code->builder, block, weiri_ir_pointer());
    return llvm.BuildGEP2(code->builder, weiri_ir_int(8), block, &place, 1, "");
}

/* An object that the callee may change is copied. */
static struct llvm_value *copy_of(struct weiri_cuda_code *code,
                                  struct llvm_value *address, size_t bytes)
{
    struct llvm_type *type = llvm.ArrayType(weiri_ir_int(8), (unsigned)bytes);
    struct llvm_value *copy = llvm.BuildAlloca(code->builder, type, "");
    llvm.SetAlignment(copy, 16);
    struct llvm_value *from
        = weiri_ir_as(code->builder, address, llvm.PointerType(type, 0));
    struct llvm_value *load = llvm.BuildLoad2(code->builder, type, from, "");
    llvm.SetAlignment(load, 1);
    llvm.SetAlignment(llvm.BuildStore(code->builder, load, copy), 16);
    return copy;
}

static struct llvm_value *argument(struct weiri_cuda_code *code,
                                   const struct weiri_cuda_entry *entry, unsigned a,
                                   struct llvm_value *block)
{
    const struct weiri_cuda_argument *of = &entry->arguments[a];
    const struct weiri_cuda_size *parameter = &entry->parameters[of->parameter];
    struct llvm_type *type = llvm.TypeOf(llvm.GetParam(entry->function, a + 1));
    struct llvm_value *at = in_block(code, block, parameter->offset + of->offset);
    if (of->by_address) {
        return weiri_ir_as(code->builder, copy_of(code, at, parameter->bytes), type);
    }
    at = weiri_ir_as(code->builder, at, llvm.PointerType(type, 0));
    struct llvm_value *load = llvm.BuildLoad2(code->builder, type, at, "");
    llvm.SetAlignment(load, 8);
    return load;
}

static struct llvm_value *declare_like(struct weiri_cuda_code *code,
                                       const struct weiri_cuda_entry *entry,
                                       const char *part)
{
    g_autofree char *from = g_strconcat(WEIRI_TEMPLATE, part, NULL);
    g_autofree char *to = g_strconcat("weiri_k_", entry->symbol, part, NULL);
    struct llvm_value *like = llvm.GetNamedFunction(code->module, from);
    struct llvm_value *made = like == NULL
        ? NULL
        : llvm.AddFunction(code->module, to, llvm.GlobalGetValueType(like));
    if (made != NULL) {
        llvm.SetLinkage(made, LLVM_INTERNAL);
        llvm.PositionBuilderAtEnd(
            code->builder,
            llvm.AppendBasicBlockInContext(weiri_ir_context(), made, ""));
        llvm.SetCurrentDebugLocation2(code->builder, NULL);
    }
    return made;
}

static void add_caller(struct weiri_cuda_code *code, struct weiri_cuda_entry *entry)
{
    struct llvm_value *function = declare_like(code, entry, "__cl");
    unsigned n = entry->n_arguments;
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    weiri_back_add_attribute(
        function, code->mode == WEIRI_CUDA_CHECKED ? "noinline" : "alwaysinline");
    list[0] = weiri_ir_as(code->builder, llvm.GetParam(function, 0), code->item_type);
    for (unsigned a = 0; a < n; a++) {
        list[a + 1] = argument(code, entry, a, llvm.GetParam(function, 1));
    }
    struct llvm_value *call
        = llvm.BuildCall2(code->builder, llvm.GlobalGetValueType(entry->function),
                          entry->function, list, n + 1, "");
    for (int i = 1; i <= (int)n + 1; i++) {
        struct llvm_attribute *attribute = llvm.GetEnumAttributeAtIndex(
            entry->function, i, weiri_ir_attribute("byval"));
        if (attribute != NULL) {
            llvm.AddCallSiteAttribute(call, i, attribute);
        }
    }
    llvm.BuildRetVoid(code->builder);
}

/* ---- K__keep --------------------------------------------------------------- */

/* Whether code of the function, or of one that it calls, asks for the variable. */
static bool uses(struct llvm_value *function, const struct weiri_cuda_shared *shared,
                 GHashTable *seen)
{
    if (llvm.IsAFunction(function) == NULL || !g_hash_table_add(seen, function)) {
        return false;
    }
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (llvm.GetInstructionOpcode(v) != LLVM_CALL) {
                continue;
            }
            if (weiri_ir_calls(v, "weiri_cu_shared")
                && llvm.ConstIntGetZExtValue(llvm.GetOperand(v, 4)) == shared->slot) {
                return true;
            }
            if (uses(llvm.GetCalledValue(v), shared, seen)) {
                return true;
            }
        }
    }
    return false;
}

static void keep(struct weiri_cuda_code *code, struct llvm_value *function,
                 const struct weiri_cuda_shared *shared)
{
    struct llvm_value *list[]
        = { in_block(code, llvm.GetParam(function, 0), shared->slot), shared->site,
            weiri_ir_constant(64, shared->count),
            weiri_ir_constant(64, shared->element_bytes) };
    (void)weiri_cuda_call(code, "weiri_cu_keep", NULL, list, G_N_ELEMENTS(list));
}

/* The variables that a kernel may use: a group has memory for these. */
static void add_keep(struct weiri_cuda_code *code, struct weiri_cuda_entry *entry)
{
    struct llvm_value *function = declare_like(code, entry, "__keep");
    if (function != NULL) {
        weiri_back_add_attribute(function, "alwaysinline");
    }
    for (guint i = 0; i < code->shared->len; i++) {
        const struct weiri_cuda_shared *shared = g_ptr_array_index(code->shared, i);
        g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
        if (shared->count == 0 || shared->site == NULL
            || !uses(entry->function, shared, seen)) {
            continue;
        }
        entry->shared_bytes += shared->count * shared->element_bytes;
        if (function != NULL) {
            keep(code, function, shared);
        }
    }
    if (function != NULL) {
        llvm.BuildRetVoid(code->builder);
    }
}

/* ---- The table ------------------------------------------------------------- */

static struct llvm_value *record(struct llvm_value **members, unsigned n)
{
    return llvm.ConstStructInContext(weiri_ir_context(), members, n, 0);
}

static struct llvm_value *size_of(uint64_t size)
{
    return weiri_ir_constant(64, size);
}

static struct llvm_value *text_of(struct weiri_cuda_code *code, const char *text)
{
    return weiri_template_text(code->module, code->builder, text);
}

/* A list of records, which are alike, and a row of zeros. */
static struct llvm_value *list_of(struct weiri_cuda_code *code, GPtrArray *records,
                                  size_t members)
{
    struct llvm_type *type = records->len > 0
        ? llvm.TypeOf(g_ptr_array_index(records, 0))
        : llvm.ArrayType(weiri_ir_int(64), (unsigned)members);
    g_ptr_array_add(records, llvm.ConstNull(type));
    struct llvm_value *value
        = llvm.ConstArray(type, (struct llvm_value **)records->pdata, records->len);
    struct llvm_value *made
        = weiri_template_constant(code->module, value, "weiri.table");
    llvm.SetAlignment(made, 8);
    return weiri_template_pointer(code->builder, made);
}

static struct llvm_value *parameters_of(struct weiri_cuda_code *code,
                                        const struct weiri_cuda_entry *entry)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (unsigned i = 0; i < entry->n_parameters; i++) {
        struct llvm_value *members[] = { size_of(entry->parameters[i].offset),
                                         size_of(entry->parameters[i].bytes) };
        g_ptr_array_add(list, record(members, G_N_ELEMENTS(members)));
    }
    return list_of(code, list, 2);
}

static struct llvm_value *kernels_of(struct weiri_cuda_code *code)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < code->entries->len; i++) {
        const struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        g_autofree char *name = g_strconcat("weiri_k_", entry->symbol, NULL);
        struct llvm_value *members[]
            = { text_of(code, entry->symbol),
                weiri_template_pointer(code->builder,
                                       llvm.GetNamedGlobal(code->module, name)),
                size_of(entry->args_bytes),
                size_of(entry->n_parameters),
                parameters_of(code, entry),
                size_of(entry->shared_bytes),
                size_of(entry->max_threads),
                size_of(entry->cluster[0]),
                size_of(entry->cluster[1]),
                size_of(entry->cluster[2]) };
        g_ptr_array_add(list, record(members, G_N_ELEMENTS(members)));
    }
    return list_of(code, list, 10);
}

static struct llvm_value *variables_of(struct weiri_cuda_code *code)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < code->variables->len; i++) {
        const struct weiri_cuda_variable_of *of = g_ptr_array_index(code->variables, i);
        if (llvm.IsDeclaration(of->global)) {
            continue;
        }
        struct llvm_value *members[]
            = { text_of(code, of->symbol),
                weiri_template_pointer(code->builder, of->global),
                size_of(of->bytes),
                text_of(code, of->name),
                text_of(code, of->file),
                size_of(of->line),
                of->pointer != NULL ? weiri_template_pointer(code->builder, of->pointer)
                                    : llvm.ConstNull(weiri_ir_pointer()) };
        g_ptr_array_add(list, record(members, G_N_ELEMENTS(members)));
    }
    return list_of(code, list, 7);
}

/* A constructor of the object hands the table to the runtime. */
static void add_constructor(struct weiri_cuda_code *code, struct llvm_value *table)
{
    struct llvm_type *nothing = llvm.VoidTypeInContext(weiri_ir_context()),
                     *pointer = weiri_ir_pointer();
    struct llvm_type *hands = llvm.FunctionType(nothing, &pointer, 1, 0);
    struct llvm_type *type = llvm.FunctionType(nothing, NULL, 0, 0);
    struct llvm_value *to
        = llvm.AddFunction(code->module, "weiri_cuda_add_module", hands);
    struct llvm_value *made = llvm.AddFunction(code->module, "weiri.module", type);
    llvm.SetLinkage(made, LLVM_INTERNAL);
    llvm.PositionBuilderAtEnd(
        code->builder, llvm.AppendBasicBlockInContext(weiri_ir_context(), made, ""));
    llvm.SetCurrentDebugLocation2(code->builder, NULL);
    struct llvm_value *argument = weiri_template_pointer(code->builder, table);
    (void)llvm.BuildCall2(code->builder, hands, to, &argument, 1, "");
    llvm.BuildRetVoid(code->builder);
    struct llvm_value *array = llvm.ConstArray(llvm.TypeOf(made), &made, 1);
    struct llvm_value *first
        = weiri_template_constant(code->module, array, "weiri.constructor");
    llvm.SetSection(first, ".init_array");
    struct llvm_value *held = weiri_template_pointer(code->builder, first);
    struct llvm_value *used
        = llvm.AddGlobal(code->module, llvm.ArrayType(pointer, 1), "llvm.used");
    llvm.SetInitializer(used, llvm.ConstArray(pointer, &held, 1));
    llvm.SetLinkage(used, LLVM_APPENDING);
    llvm.SetSection(used, "llvm.metadata");
}

static void add_table(struct weiri_cuda_code *code)
{
    struct llvm_value *members[]
        = { text_of(code, code->id), kernels_of(code), variables_of(code) };
    struct llvm_value *table = weiri_template_constant(
        code->module, record(members, G_N_ELEMENTS(members)), "weiri.table");
    llvm.SetAlignment(table, 8);
    add_constructor(code, table);
}

/* ---- All kernels ----------------------------------------------------------- */

void weiri_cuda_make_entries(struct weiri_cuda_code *code)
{
    g_autofree struct weiri_template_kernel *list
        = g_new0(struct weiri_template_kernel, code->entries->len + 1);
    size_t n = 0;
    for (guint i = 0; i < code->entries->len; i++) {
        struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        if (code->mode == WEIRI_CUDA_STACKLESS && entry->stacks) {
            continue;
        }
        add_caller(code, entry);
        add_keep(code, entry);
        list[n++] = (struct weiri_template_kernel){ .symbol = entry->symbol,
                                                    .name = entry->name,
                                                    .file = entry->file,
                                                    .line = entry->line,
                                                    .args_bytes = entry->args_bytes,
                                                    .own_bytes = entry->args_bytes };
    }
    weiri_template_entries(code->module, list, n);
    if (code->mode == WEIRI_CUDA_FAST) {
        add_table(code);
    }
}
