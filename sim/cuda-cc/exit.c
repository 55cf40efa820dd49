/* SPDX-License-Identifier: MIT
 *
 * exit.c: PTX's exit, which ends the thread from any depth of calls.
 *
 * All functions that may exit are inlined into their kernels, so that an exit is a
 * return of the kernel: each entry knows it, and so do barriers, schedules and hooks.
 *
 *     __device__ void leave() { asm volatile("exit;"); }
 *     __global__ void k() { f(); leave(); g(); }       becomes  { f(); return; }
 *
 * A function that cannot be inlined everywhere cannot exit: one that is called by a
 * pointer, from other objects or by itself. That is an error of the source.
 *
 * An exit is a call of a function without a body, and code that is not reached. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <stdio.h>

static const char exit_name[] = "weir.exit";

struct llvm_value *weiri_cuda_exit(struct weiri_cuda_code *code)
{
    struct llvm_value *function = llvm.GetNamedFunction(code->module, exit_name);
    return function != NULL
        ? function
        : llvm.AddFunction(
            code->module, exit_name,
            llvm.FunctionType(llvm.VoidTypeInContext(weiri_ir_context()), NULL, 0, 0));
}

/* The function in which the value is called; %NULL if it is used otherwise. */
static struct llvm_value *caller_of(struct llvm_value *user, struct llvm_value *value)
{
    return llvm.IsAInstruction(user) != NULL
            && llvm.GetInstructionOpcode(user) == LLVM_CALL
            && llvm.GetCalledValue(user) == value
        ? llvm.GetBasicBlockParent(llvm.GetInstructionParent(user))
        : NULL;
}

/* The entries are made of the same source: one of them says it. */
static bool refuse(const struct weiri_cuda_code *code, struct llvm_value *function,
                   const char *why)
{
    g_autofree char *file = NULL, *name = weiri_cuda_function_name(function);
    unsigned line;
    weiri_cuda_function_place(function, &file, &line);
    if (code->mode == WEIRI_CUDA_FAST) {
        fprintf(stderr,
                "%s:%u: error: PTX's exit ends the thread in '%s', which is called %s: "
                "return from the kernel instead\n",
                file != NULL ? file : "?", line,
                name != NULL ? name : weiri_cuda_name(function), why);
    }
    return false;
}

static void demand_inlining(struct llvm_value *function)
{
    static const char *const against[] = { "noinline", "optnone" };
    for (size_t i = 0; i < G_N_ELEMENTS(against); i++) {
        llvm.RemoveEnumAttributeAtIndex(function, LLVM_FUNCTION,
                                        weiri_ir_attribute(against[i]));
    }
    llvm.AddAttributeAtIndex(
        function, LLVM_FUNCTION,
        llvm.CreateEnumAttribute(weiri_ir_context(), weiri_ir_attribute("alwaysinline"),
                                 0));
}

/* Adds the callers of a function that may exit. */
static bool add_callers(struct weiri_cuda_code *code, struct llvm_value *function,
                        GPtrArray *found)
{
    for (struct llvm_use *use = llvm.GetFirstUse(function); use != NULL;
         use = llvm.GetNextUse(use)) {
        struct llvm_value *caller = caller_of(llvm.GetUser(use), function);
        if (caller == NULL) {
            return refuse(code, function, "by a pointer");
        }
        if (!weiri_cuda_is_kernel(code, caller)
            && g_hash_table_add(code->exits, g_strdup(weiri_cuda_name(caller)))) {
            g_ptr_array_add(found, caller);
            demand_inlining(caller);
        }
    }
    return true;
}

bool weiri_cuda_find_exits(struct weiri_cuda_code *code)
{
    struct llvm_value *marker = llvm.GetNamedFunction(code->module, exit_name);
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    bool can = marker == NULL || add_callers(code, marker, found);
    for (guint i = 0; i < found->len && can; i++) {
        struct llvm_value *function = g_ptr_array_index(found, i);
        can = add_callers(code, function, found);
        if (can && code->relocatable && llvm.GetLinkage(function) == LLVM_EXTERNAL) {
            can = refuse(code, function, "from other objects");
        }
    }
    return can;
}

/* A kernel returns where it exits. Other functions that exit are not called any more,
 * since they were inlined. */
static void make_exit(const struct weiri_cuda_code *code, struct llvm_value *call)
{
    struct llvm_block *block = llvm.GetInstructionParent(call);
    if (weiri_cuda_is_kernel(code, llvm.GetBasicBlockParent(block))) {
        struct llvm_value *end = llvm.GetBasicBlockTerminator(block);
        llvm.PositionBuilderBefore(code->builder, end);
        llvm.SetCurrentDebugLocation2(code->builder, llvm.InstructionGetDebugLoc(call));
        (void)llvm.BuildRetVoid(code->builder);
        llvm.InstructionEraseFromParent(end);
    }
    llvm.InstructionEraseFromParent(call);
}

bool weiri_cuda_make_exits(struct weiri_cuda_code *code)
{
    struct llvm_value *marker = llvm.GetNamedFunction(code->module, exit_name);
    GHashTableIter iter;
    gpointer name;
    g_hash_table_iter_init(&iter, code->exits);
    while (g_hash_table_iter_next(&iter, &name, NULL)) {
        struct llvm_value *function = llvm.GetNamedFunction(code->module, name);
        if (function != NULL && llvm.GetFirstUse(function) != NULL) {
            return refuse(code, function, "by itself");
        }
    }
    while (marker != NULL && llvm.GetFirstUse(marker) != NULL) {
        make_exit(code, llvm.GetUser(llvm.GetFirstUse(marker)));
    }
    if (marker != NULL) {
        llvm.DeleteFunction(marker);
    }
    return true;
}
