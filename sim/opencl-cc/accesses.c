/* SPDX-License-Identifier: MIT
 *
 * accesses.c: accesses in checked code. Those of the source stay all, and each has a
 * hook: they are volatile, which optimisation respects; and vectors are accessed in
 * parts that hooks have sizes for. Before a vector is accessed the machine is asked
 * whether its address is a multiple of the vector's size. Private variables that are
 * accessed as a whole, and not watched, are left out: they become registers. */
#include "config.h"

#include "opencl-cc/clc.h"

#include <string.h>

/* The widest access that has a hook, in bytes. */
enum { WIDEST = 16 };

/* The greatest alignment that hooks of aligned accesses ask for, in bytes. */
#define MOST_ALIGNMENT 8u

static bool is_store(struct llvm_value *access)
{
    return llvm.GetInstructionOpcode(access) == LLVM_STORE;
}

struct llvm_value *weiri_clc_uncast(struct llvm_value *address)
{
    while (llvm.IsAInstruction(address) != NULL
           && llvm.GetInstructionOpcode(address) == LLVM_BITCAST) {
        address = llvm.GetOperand(address, 0);
    }
    return address;
}

bool weiri_clc_is_own_variable(const struct weiri_clc *clc, struct llvm_value *address)
{
    address = weiri_clc_uncast(address);
    return llvm.IsAInstruction(address) != NULL
        && llvm.GetInstructionOpcode(address) == LLVM_ALLOCA
        && !g_hash_table_contains(clc->watched, address);
}

/* 'int4', in quotes as the compilers have the names of types. */
static char *vector_text(struct llvm_type *type)
{
    struct llvm_type *element = llvm.GetElementType(type);
    const char *name = "?";
    switch (llvm.GetTypeKind(element)) {
    case LLVM_HALF:
        name = "half";
        break;
    case LLVM_FLOAT:
        name = "float";
        break;
    case LLVM_DOUBLE:
        name = "double";
        break;
    case LLVM_INTEGER: {
        unsigned bits = llvm.GetIntTypeWidth(element);
        name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
        break;
    }
    default:
        break;
    }
    return g_strdup_printf("'%s%u'", name, llvm.GetVectorSize(type));
}

/* clang has no check of the alignment of pointers to address spaces. A type of less
 * alignment (packed, aligned(4)) shows by the alignment of the access. */
void weiri_clc_check_alignment(struct weiri_clc *clc, struct llvm_value *access,
                               size_t hooked)
{
    struct llvm_type *type = weiri_ir_accessed(access);
    size_t bytes = weiri_clc_bytes(clc, type);
    if (llvm.GetTypeKind(type) != LLVM_VECTOR || bytes <= hooked
        || llvm.GetAlignment(access) < bytes) {
        return;
    }
    g_autofree char *name = vector_text(type);
    struct llvm_value *arguments[]
        = { weiri_ir_address(access), weiri_ir_constant(64, bytes),
            weiri_clc_text(clc, name), weiri_ir_constant(32, is_store(access)) };
    if (weiri_clc_call_c(clc, clc->builder, "weiri_cl_aligned", NULL, arguments,
                         G_N_ELEMENTS(arguments))
        == NULL) {
        weiri_clc_miss(clc, "weiri_cl_aligned()");
    }
}

/* ---- Vectors in parts ----------------------------------------------------- */

/* Elements @first to @first + @count - 1 of @value. */
static struct llvm_value *part_of(struct weiri_clc *clc, struct llvm_value *value,
                                  struct llvm_type *part, unsigned first,
                                  unsigned count)
{
    struct llvm_value *made = llvm.GetUndef(part);
    for (unsigned i = 0; i < count; i++) {
        struct llvm_value *one = llvm.BuildExtractElement(
            clc->builder, value, weiri_ir_constant(32, first + i), "");
        made = count == 1 ? one
                          : llvm.BuildInsertElement(clc->builder, made, one,
                                                    weiri_ir_constant(32, i), "");
    }
    return made;
}

/* @whole with the elements of a part in their places. */
static struct llvm_value *with_part(struct weiri_clc *clc, struct llvm_value *whole,
                                    struct llvm_value *part, unsigned first,
                                    unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct llvm_value *one = count == 1
            ? part
            : llvm.BuildExtractElement(clc->builder, part, weiri_ir_constant(32, i),
                                       "");
        whole = llvm.BuildInsertElement(clc->builder, whole, one,
                                        weiri_ir_constant(32, first + i), "");
    }
    return whole;
}

static unsigned part_alignment(struct llvm_value *access, size_t offset)
{
    unsigned alignment = MIN(llvm.GetAlignment(access), MOST_ALIGNMENT);
    while (offset % alignment != 0) {
        alignment /= 2;
    }
    return alignment;
}

/* Accesses a vector that no hook has the size of in parts, before @access. Returns: the
 * value that is loaded */
static struct llvm_value *add_parts(struct weiri_clc *clc, struct llvm_value *access)
{
    struct llvm_type *type = weiri_ir_accessed(access);
    struct llvm_type *element = llvm.GetElementType(type);
    unsigned n = llvm.GetVectorSize(type);
    size_t bytes = weiri_clc_bytes(clc, element);
    struct llvm_value *base = weiri_ir_as(clc->builder, weiri_ir_address(access),
                                          llvm.PointerType(element, 0));
    struct llvm_value *whole = llvm.GetUndef(type);
    for (unsigned first = 0, count; first < n; first += count) {
        count = 1;
        while (count * 2 <= n - first && count * 2 * bytes <= WIDEST) {
            count *= 2;
        }
        struct llvm_type *part = count == 1 ? element : llvm.VectorType(element, count);
        struct llvm_value *place = weiri_ir_constant(64, first);
        struct llvm_value *at
            = llvm.BuildGEP2(clc->builder, element, base, &place, 1, "");
        at = weiri_ir_as(clc->builder, at, llvm.PointerType(part, 0));
        struct llvm_value *made;
        if (is_store(access)) {
            struct llvm_value *value
                = part_of(clc, llvm.GetOperand(access, 0), part, first, count);
            made = llvm.BuildStore(clc->builder, value, at);
        } else {
            made = llvm.BuildLoad2(clc->builder, part, at, "");
            whole = with_part(clc, whole, made, first, count);
        }
        llvm.SetAlignment(made, part_alignment(access, first * bytes));
        llvm.SetVolatile(made, 1);
    }
    return whole;
}

static bool needs_parts(const struct weiri_clc *clc, struct llvm_value *access)
{
    struct llvm_type *type = weiri_ir_accessed(access);
    if (llvm.GetTypeKind(type) != LLVM_VECTOR) {
        return false;
    }
    unsigned n = llvm.GetVectorSize(type);
    size_t bytes = weiri_clc_bytes(clc, llvm.GetElementType(type));
    return n * bytes > WIDEST || (n & (n - 1)) != 0;
}

void weiri_clc_accesses(struct weiri_clc *clc)
{
    for (guint i = 0; i < clc->accesses->len; i++) {
        struct llvm_value *access = g_ptr_array_index(clc->accesses, i);
        if (weiri_clc_is_own_variable(clc, weiri_ir_address(access))) {
            continue;
        }
        llvm.PositionBuilderBefore(clc->builder, access);
        llvm.SetCurrentDebugLocation2(clc->builder,
                                      llvm.InstructionGetDebugLoc(access));
        weiri_clc_check_alignment(clc, access, MOST_ALIGNMENT);
        if (needs_parts(clc, access)) {
            struct llvm_value *whole = add_parts(clc, access);
            if (!is_store(access)) {
                llvm.ReplaceAllUsesWith(access, whole);
            }
            llvm.InstructionEraseFromParent(access);
        } else {
            /* Instructions that fault at addresses of less alignment come before their
             * finding is complete. */
            llvm.SetVolatile(access, 1);
            llvm.SetAlignment(access, MIN(llvm.GetAlignment(access), MOST_ALIGNMENT));
        }
    }
}
