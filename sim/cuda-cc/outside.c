/* SPDX-License-Identifier: MIT
 *
 * outside.c: functions of the device that are called by a pointer, or by other objects.
 * One address stands for the fast form and the checked one:
 *
 *     define float @weir.f(float %x)                      in the fast entries' object
 *         checked launch?  call @weir.checked.f(item, %x)   of the checked entries'
 *                          call @weir.item.f(item, %x)
 *
 * The item is the one that runs here. A kernel that calls such a function, or one that
 * is not known, has no entry without stacks: an item could wait there. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <dlfcn.h>
#include <string.h>

enum { HIDDEN = 1 };
enum { ITEM_BYTES = 512 }; /* of struct weiri_cuda_self, or more */

/* ---- Which functions ------------------------------------------------------- */

static bool is_kernel(const struct weiri_cuda_code *code, struct llvm_value *with)
{
    for (guint i = 0; i < code->entries->len; i++) {
        const struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        if (entry->function == with) {
            return true;
        }
    }
    return false;
}

static bool is_exported(struct llvm_value *function)
{
    int linkage = llvm.GetLinkage(function);
    return linkage == LLVM_EXTERNAL || linkage == LLVM_WEAK_ANY
        || linkage == LLVM_WEAK_ODR;
}

/* ---- The function without item --------------------------------------------- */

struct way {
    struct weiri_cuda_code *code;
    struct llvm_value *to; /* the new function */
    struct llvm_value *item;
};

/* Calls a form of the function, and returns what it returns. */
static void forward(const struct way *way, struct llvm_value *form,
                    struct llvm_value *like)
{
    struct llvm_builder *builder = way->code->builder;
    unsigned n = llvm.CountParams(way->to);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    struct llvm_type *type = llvm.GlobalGetValueType(form);
    list[0] = weiri_ir_as(builder, way->item, way->code->item_type);
    for (unsigned i = 0; i < n; i++) {
        list[i + 1] = llvm.GetParam(way->to, i);
    }
    struct llvm_value *call = llvm.BuildCall2(builder, type, form, list, n + 1, "");
    for (int i = 0; i <= (int)n; i++) {
        unsigned count = llvm.GetAttributeCountAtIndex(like, i);
        g_autofree struct llvm_attribute **all
            = g_new(struct llvm_attribute *, count + 1);
        llvm.GetAttributesAtIndex(like, i, all);
        for (unsigned k = 0; k < count; k++) {
            llvm.AddCallSiteAttribute(call, i >= 1 ? i + 1 : i, all[k]);
        }
    }
    if (llvm.GetReturnType(type) == llvm.VoidTypeInContext(weiri_ir_context())) {
        llvm.BuildRetVoid(builder);
    } else {
        llvm.BuildRet(builder, call);
    }
}

static struct llvm_value *named(struct weiri_cuda_code *code, const char *name,
                                struct llvm_type *type)
{
    struct llvm_value *known = llvm.GetNamedFunction(code->module, name);
    return known != NULL ? known : llvm.AddFunction(code->module, name, type);
}

/* "weir.checked.f", with the number of the translation unit if only it knows f. */
static char *name_of(const struct weiri_cuda_code *code, const char *part,
                     const char *name, bool exported)
{
    return exported ? g_strconcat("weir.", part, name, NULL)
                    : g_strconcat("weir.", part, code->id, ".", name, NULL);
}

static void fill(struct weiri_cuda_code *code, struct llvm_value *to,
                 struct llvm_value *fast, struct llvm_value *checked,
                 struct llvm_value *like)
{
    struct llvm_context *context = weiri_ir_context();
    struct llvm_builder *builder = code->builder;
    struct llvm_type *pointer = weiri_ir_pointer(), *bit = weiri_ir_int(1);
    struct llvm_type *asks = llvm.FunctionType(weiri_ir_int(32), &pointer, 1, 0);
    struct llvm_block *start = llvm.AppendBasicBlockInContext(context, to, "");
    struct llvm_block *is_checked = llvm.AppendBasicBlockInContext(context, to, "");
    struct llvm_block *is_fast = llvm.AppendBasicBlockInContext(context, to, "");
    llvm.PositionBuilderAtEnd(builder, start);
    llvm.SetCurrentDebugLocation2(builder, NULL);
    struct llvm_value *item
        = llvm.BuildAlloca(builder, llvm.ArrayType(weiri_ir_int(8), ITEM_BYTES), "");
    llvm.SetAlignment(item, 16);
    item = weiri_ir_as(builder, item, pointer);
    struct llvm_value *answer = llvm.BuildCall2(
        builder, asks, named(code, "weiri_cuda_item", asks), &item, 1, "");
    (void)bit;
    llvm.BuildCondBr(
        builder, llvm.BuildICmp(builder, LLVM_NE, answer, weiri_ir_constant(32, 0), ""),
        is_checked, is_fast);
    const struct way way = { code, to, item };
    llvm.PositionBuilderAtEnd(builder, is_checked);
    forward(&way, checked, like);
    llvm.PositionBuilderAtEnd(builder, is_fast);
    forward(&way, fast, like);
}

/* @from: the function without a body; @with: the one with the item */
static void make_outside(struct weiri_cuda_code *code, struct llvm_value *from,
                         struct llvm_value *with)
{
    bool exported = llvm.GetLinkage(from) != LLVM_INTERNAL;
    int linkage = exported && !is_exported(from) ? LLVM_WEAK_ODR
        : exported                               ? llvm.GetLinkage(from)
                                                 : LLVM_EXTERNAL;
    g_autofree char *name = name_of(code, "", weiri_cuda_name(from), exported);
    g_autofree char *other = name_of(code, "checked.", weiri_cuda_name(from), exported);
    struct llvm_value *to
        = llvm.AddFunction(code->module, name, llvm.GlobalGetValueType(from));
    weiri_cuda_copy_attributes(from, to, 0);
    llvm.RemoveEnumAttributeAtIndex(to, LLVM_FUNCTION,
                                    weiri_ir_attribute("alwaysinline"));
    llvm.ReplaceAllUsesWith(from, to);
    if (code->mode == WEIRI_CUDA_FAST) {
        struct llvm_value *checked
            = llvm.AddFunction(code->module, other, llvm.GlobalGetValueType(with));
        weiri_cuda_copy_attributes(from, checked, 1);
        llvm.SetVisibility(checked, exported ? 0 : HIDDEN);
        llvm.SetLinkage(checked, LLVM_EXTERNAL_WEAK); /* without hooks there is none */
        fill(code, to, with, checked, from);
        llvm.SetLinkage(to, linkage);
    } else if (code->mode == WEIRI_CUDA_CHECKED) {
        weiri_cuda_rename(with, other);
        llvm.SetLinkage(with, linkage);
        llvm.SetVisibility(with, exported ? 0 : HIDDEN);
    }
    llvm.SetVisibility(to, exported ? 0 : HIDDEN);
}

/* ---- Functions of other objects -------------------------------------------- */

/* Whether a name is one of the C library, libm or the compiler's library. */
static bool is_of_system(const char *name)
{
    static const char *const files[] = { "libm.so.6", "libc.so.6", "libgcc_s.so.1" };
    static const char *const prefixes[]
        = { "weiri_",        "llvm.",  "__tsan_", "__ubsan_", "__sanitizer_",
            "_ZSt",          "_ZNSt",  "_ZNKSt",  "_Zn",      "_Zd",
            "_ZN9__gnu_cxx", "__cxa_", "__gxx",   "call." };
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(name, prefixes[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        void *library = dlopen(files[i], RTLD_LAZY | RTLD_LOCAL);
        if (library != NULL && dlsym(library, name) != NULL) {
            return true;
        }
    }
    return false;
}

void weiri_cuda_outside(struct weiri_cuda_code *code)
{
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *from = g_ptr_array_index(code->functions, i);
        struct llvm_value *with = g_hash_table_lookup(code->with_item, from);
        if (!is_kernel(code, with)
            && (llvm.GetFirstUse(from) != NULL || is_exported(from))) {
            make_outside(code, from, with);
        }
    }
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *from = g_ptr_array_index(code->functions, i);
        if (llvm.GetFirstUse(from) != NULL) { /* the address of a kernel */
            llvm.ReplaceAllUsesWith(from, llvm.ConstNull(llvm.TypeOf(from)));
        }
        llvm.DeleteFunction(from);
    }
    for (struct llvm_value *f = llvm.GetFirstFunction(code->module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        const char *name = weiri_cuda_name(f);
        if (llvm.IsDeclaration(f) && !g_str_has_prefix(name, "weir.")
            && !is_of_system(name)) {
            g_autofree char *other = g_strconcat("weir.", name, NULL);
            weiri_cuda_rename(f, other);
        }
    }
}

/* ---- Kernels with stacks --------------------------------------------------- */

/* Whether all code that a function leads to is known. */
static bool is_known(struct llvm_value *function, GHashTable *seen)
{
    if (!g_hash_table_add(seen, function)) {
        return true;
    }
    const char *name = weiri_cuda_name(function);
    if (llvm.IsDeclaration(function)) {
        return !g_str_has_prefix(name, "weir.");
    }
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (llvm.GetInstructionOpcode(v) != LLVM_CALL) {
                continue;
            }
            struct llvm_value *callee = weiri_cuda_uncast(llvm.GetCalledValue(v));
            bool assembly = llvm.IsAInlineAsm(callee) != NULL;
            if (!assembly
                && (llvm.IsAFunction(callee) == NULL || !is_known(callee, seen))) {
                return false;
            }
        }
    }
    return true;
}

void weiri_cuda_find_stacks(struct weiri_cuda_code *code)
{
    for (guint i = 0; i < code->entries->len; i++) {
        struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
        entry->stacks = !is_known(entry->function, seen);
    }
}
