/* SPDX-License-Identifier: MIT
 *
 * private.c: in checked code, arrays that are a thread's own. The machine is told where
 * each begins to live, so that it knows the bytes that nothing has written, and where
 * the array ends. The call takes the array's address: so LLVM keeps it in memory, and
 * gives its accesses hooks. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

#include "opencl-cc/clc.h"

struct array {
    struct llvm_value *alloca;
    struct llvm_value *declare; /* the note of its debug information */
    size_t count, element_bytes;
};

static bool is_number(struct llvm_type *type)
{
    switch (llvm.GetTypeKind(type)) {
    case LLVM_HALF:
    case LLVM_FLOAT:
    case LLVM_DOUBLE:
    case LLVM_INTEGER:
    case LLVM_POINTER:
        return true;
    default:
        return false;
    }
}

/* Whether a note is about an array of numbers. */
static bool find_array(const struct weiri_cuda_code *code, struct llvm_value *note,
                       struct array *array)
{
    struct llvm_value *of = NULL;
    if (llvm.GetMDNodeNumOperands(llvm.GetOperand(note, 0)) == 1) {
        llvm.GetMDNodeOperands(llvm.GetOperand(note, 0), &of);
    }
    if (of == NULL || llvm.IsAInstruction(of) == NULL
        || llvm.GetInstructionOpcode(of) != LLVM_ALLOCA) {
        return false;
    }
    struct llvm_type *type = llvm.GetAllocatedType(of), *element = type;
    while (llvm.GetTypeKind(element) == LLVM_ARRAY) {
        element = llvm.GetElementType(element);
    }
    if (element == type || !is_number(element)) {
        return false;
    }
    array->alloca = of;
    array->declare = note;
    array->element_bytes = llvm.ABISizeOfType(code->layout, element);
    array->count = llvm.ABISizeOfType(code->layout, type) / array->element_bytes;
    return true;
}

static void watch(struct weiri_cuda_code *code, const struct array *array)
{
    static const char name[] = "call.weiri_cu_private";
    struct llvm_type *types[]
        = { weiri_ir_pointer(), weiri_ir_int(64), weiri_ir_int(64) };
    struct llvm_type *type = llvm.FunctionType(
        llvm.VoidTypeInContext(weiri_ir_context()), types, G_N_ELEMENTS(types), 0);
    struct llvm_value *function = llvm.GetNamedFunction(code->module, name);
    if (function == NULL) {
        function = llvm.AddFunction(code->module, name, type);
    }
    llvm.PositionBuilderBefore(code->builder, array->declare);
    llvm.SetCurrentDebugLocation2(code->builder,
                                  llvm.InstructionGetDebugLoc(array->declare));
    struct llvm_value *list[]
        = { weiri_ir_as(code->builder, array->alloca, weiri_ir_pointer()),
            weiri_ir_constant(64, array->count),
            weiri_ir_constant(64, array->element_bytes) };
    (void)llvm.BuildCall2(code->builder, type, function, list, G_N_ELEMENTS(list), "");
    g_hash_table_insert(code->private_names, array->alloca,
                        weiri_clc_variable_name(
                            llvm.ValueAsMetadata(llvm.GetOperand(array->declare, 1))));
}

void weiri_cuda_watch_private(struct weiri_cuda_code *code)
{
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *f = g_ptr_array_index(code->functions, i);
        for (struct llvm_block *b = llvm.GetFirstBasicBlock(f); b != NULL;
             b = llvm.GetNextBasicBlock(b)) {
            struct llvm_value *next;
            for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
                 v = next) {
                struct array array;
                next = llvm.GetNextInstruction(v);
                if (weiri_ir_calls(v, "llvm.dbg.declare")
                    && find_array(code, v, &array)) {
                    watch(code, &array);
                }
            }
        }
    }
}
