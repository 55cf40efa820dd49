/* SPDX-License-Identifier: MIT
 *
 * parts.c: elements of a vector in OpenCL C, in all address spaces but the private one:
 * see split/parts.h. In checked code, accesses of them are volatile, so that LLVM makes
 * none of several. Vectors of private memory stay whole where they become registers. */
#include "config.h"

#include "opencl-cc/clc.h"

/* Hooks of an element ask for its own alignment. */
static void check_alignment(struct weiri_clc *clc, struct llvm_value *access)
{
    struct llvm_type *element = llvm.GetElementType(weiri_ir_accessed(access));
    if (clc->checked) {
        llvm.SetCurrentDebugLocation2(clc->builder,
                                      llvm.InstructionGetDebugLoc(access));
        weiri_clc_check_alignment(clc, access, weiri_clc_bytes(clc, element));
        llvm.SetCurrentDebugLocation2(clc->builder, NULL);
    }
}

static void forget(struct weiri_clc *clc, const struct weiri_parts *parts)
{
    g_ptr_array_remove(clc->accesses, parts->load);
    if (parts->store != NULL) {
        g_ptr_array_remove(clc->accesses, parts->store);
    }
}

/* Whether elements of the vector are accessed apart from the others: items see such
 * accesses in all address spaces but the private one. In checked code, an access has
 * hooks or is of a private variable that becomes registers. */
static bool is_apart(const struct weiri_clc *clc, struct llvm_value *load)
{
    return clc->checked ? !weiri_clc_is_own_variable(clc, llvm.GetOperand(load, 0))
                        : g_hash_table_contains(clc->shared, load);
}

static void divide(struct weiri_clc *clc, struct llvm_value *load)
{
    struct weiri_parts parts;
    bool is_volatile = clc->checked || llvm.GetVolatile(load);
    if (weiri_parts_of_assignment(load, &parts)) {
        forget(clc, &parts);
        llvm.PositionBuilderBefore(clc->builder, parts.store);
        check_alignment(clc, parts.store);
        weiri_parts_assign(clc->builder, &parts, is_volatile);
    } else if (clc->checked && weiri_parts_of_read(load, &parts)) {
        forget(clc, &parts);
        llvm.PositionBuilderBefore(clc->builder, parts.use);
        check_alignment(clc, load);
        weiri_parts_read(clc->builder, &parts, is_volatile);
    }
}

void weiri_clc_parts(struct weiri_clc *clc)
{
    g_autoptr(GPtrArray) loads = g_ptr_array_new();
    llvm.SetCurrentDebugLocation2(clc->builder, NULL);
    for (guint i = 0; i < clc->accesses->len; i++) {
        struct llvm_value *access = g_ptr_array_index(clc->accesses, i);
        if (llvm.GetInstructionOpcode(access) == LLVM_LOAD && is_apart(clc, access)) {
            g_ptr_array_add(loads, access);
        }
    }
    for (guint i = 0; i < loads->len; i++) {
        divide(clc, g_ptr_array_index(loads, i));
    }
}
