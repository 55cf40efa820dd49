/* SPDX-License-Identifier: MIT
 *
 * parts.c: see parts.h. An assignment is a load of the whole, a change, and a store of
 * the whole:
 *
 *     %11 = load <4 x float>, ptr %7
 *     %12 = insertelement <4 x float> %11, float %10, i64 0
 *     store <4 x float> %12, ptr %7
 *
 * A read is a load of the whole with one use, which takes elements of it:
 *
 *     %11 = load <4 x float>, ptr %7
 *     %12 = extractelement <4 x float> %11, i64 0
 *
 * The instructions of an assignment follow each other, so that nothing is accessed
 * between them, and no other one uses the values in the middle. Between a load and its
 * use the index may be made, but nothing is written. Any other form stays as it is: the
 * source has an access of the whole there. */
#include "config.h"

#include "split/parts.h"

#include "split/ir.h"

#include <string.h>

/* The bits of all elements. */
#define EVERY(n) (((uint64_t)1 << (n)) - 1)

enum { MOST_ELEMENTS = 16 };

static unsigned n_uses(struct llvm_value *value)
{
    unsigned n = 0;
    for (struct llvm_use *use = llvm.GetFirstUse(value); use != NULL;
         use = llvm.GetNextUse(use)) {
        n++;
    }
    return n;
}

static bool is_opcode(struct llvm_value *value, int opcode)
{
    return llvm.GetInstructionOpcode(value) == opcode;
}

/* The elements that the mask of a shuffle takes, as bits: of the places that get one of
 * the second vector, or of the first vector's elements. @n: elements of a vector */
static uint64_t masked(struct llvm_value *shuffle, unsigned n, bool second)
{
    uint64_t taken = 0;
    for (int i = 0; i < llvm.GetNumMaskElements(shuffle) && i < MOST_ELEMENTS; i++) {
        int from = llvm.GetMaskValue(shuffle, (unsigned)i);
        if (from >= 0 && (second ? (unsigned)from >= n : (unsigned)from < n)) {
            taken |= (uint64_t)1 << (second ? i : from);
        }
    }
    return taken;
}

/* The elements of @place of a vector of @n. @index: (out): of one that is not known */
static uint64_t element_at(struct llvm_value *place, unsigned n,
                           struct llvm_value **index)
{
    if (llvm.IsAConstantInt(place) == NULL) {
        *index = place;
        return EVERY(n);
    }
    uint64_t at = llvm.ConstIntGetZExtValue(place);
    return at < n ? (uint64_t)1 << at : 0;
}

/* The elements that an instruction between the load and the store takes from another
 * value than the loaded one. */
static uint64_t elements_taken(struct llvm_value *instruction, unsigned n,
                               struct llvm_value *loaded, struct llvm_value **index)
{
    struct llvm_value *first = llvm.GetOperand(instruction, 0);
    *index = NULL;
    if (is_opcode(instruction, LLVM_INSERT_ELEMENT)) {
        return first == loaded ? element_at(llvm.GetOperand(instruction, 2), n, index)
                               : 0;
    }
    return first == loaded ? masked(instruction, n, true) : EVERY(n);
}

/* Whether it is a load of a vector as a whole. */
static bool is_vector(struct llvm_value *load, unsigned *n)
{
    if (!is_opcode(load, LLVM_LOAD) || llvm.GetOrdering(load) != 0) {
        return false;
    }
    struct llvm_type *type = llvm.TypeOf(load);
    if (llvm.GetTypeKind(type) != LLVM_VECTOR) {
        return false;
    }
    *n = llvm.GetVectorSize(type);
    struct llvm_type *element = llvm.GetElementType(type);
    /* Elements of one bit share bytes. */
    return *n <= MOST_ELEMENTS
        && (llvm.GetTypeKind(element) != LLVM_INTEGER
            || llvm.GetIntTypeWidth(element) > 1);
}

bool weiri_parts_of_assignment(struct llvm_value *load, struct weiri_parts *parts)
{
    *parts = (struct weiri_parts){ .load = load };
    if (!is_vector(load, &parts->n) || n_uses(load) > 1) {
        return false;
    }
    struct llvm_value *made = NULL, *v = load;
    for (int i = 0; i < 3 && (v = llvm.GetNextInstruction(v)) != NULL; i++) {
        if (is_opcode(v, LLVM_INSERT_ELEMENT) || is_opcode(v, LLVM_SHUFFLE_VECTOR)) {
            made = v;
            if (n_uses(v) != 1) {
                return false;
            }
            parts->elements = elements_taken(v, parts->n, load, &parts->index);
            continue;
        }
        parts->store = v;
        parts->all = parts->index == NULL && parts->elements == EVERY(parts->n);
        return made != NULL && parts->elements != 0 && is_opcode(v, LLVM_STORE)
            && llvm.GetOrdering(v) == 0 && llvm.GetOperand(v, 0) == made
            && llvm.GetOperand(v, 1) == llvm.GetOperand(load, 0)
            && llvm.TypeOf(made) == llvm.TypeOf(load);
    }
    return false;
}

/* ---- Reads ---------------------------------------------------------------- */

/* Whether an instruction between a load and its use may as well stand before the load:
 * it changes no memory, and orders nothing. The index of an element is made there, and
 * clang's own check of it. */
static bool commutes(struct llvm_value *v)
{
    switch ((enum llvm_opcode)llvm.GetInstructionOpcode(v)) {
    case LLVM_LOAD:
        return llvm.GetOrdering(v) == 0 && !llvm.GetVolatile(v);
    case LLVM_SEXT:
    case LLVM_ZEXT:
    case LLVM_TRUNC:
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_MUL:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_ICMP:
    case LLVM_PTRTOINT:
    case LLVM_GEP:
    case LLVM_BITCAST:
    case LLVM_EXTRACT_ELEMENT:
    case LLVM_INSERT_ELEMENT:
    case LLVM_SHUFFLE_VECTOR:
        return true;
    case LLVM_BR:
    case LLVM_CALL:
        return llvm.TypeOf(v) == llvm.VoidTypeInContext(weiri_ir_context())
            && llvm.GetMetadata(
                   v,
                   llvm.GetMDKindIDInContext(weiri_ir_context(), "nosanitize",
                                             (unsigned)strlen("nosanitize")))
            != NULL;
    default:
        return false;
    }
}

/* Whether it makes three elements of the four that a vector of three is loaded as. */
static bool is_narrow(struct llvm_value *v)
{
    return is_opcode(v, LLVM_SHUFFLE_VECTOR) && llvm.GetNumMaskElements(v) == 3
        && llvm.GetVectorSize(llvm.TypeOf(llvm.GetOperand(v, 0))) == 4
        && llvm.GetMaskValue(v, 0) == 0 && llvm.GetMaskValue(v, 1) == 1
        && llvm.GetMaskValue(v, 2) == 2;
}

/* The next instruction of the function, in the order of its blocks. */
static struct llvm_value *next_of(struct llvm_value *v)
{
    struct llvm_value *next = llvm.GetNextInstruction(v);
    struct llvm_block *block = llvm.GetInstructionParent(v);
    while (next == NULL && (block = llvm.GetNextBasicBlock(block)) != NULL) {
        next = llvm.GetFirstInstruction(block);
    }
    return next;
}

/* The elements of the vector @used that @use takes. */
static void note_taken(struct llvm_value *use, struct llvm_value *used,
                       struct weiri_parts *parts)
{
    unsigned n = llvm.GetVectorSize(llvm.TypeOf(used));
    parts->use = use;
    parts->elements = is_opcode(use, LLVM_SHUFFLE_VECTOR)
        ? masked(use, n, false)
        : element_at(llvm.GetOperand(use, 1), n, &parts->index);
}

/* Goes on from the load to the instruction that takes elements. */
static void find_use(struct weiri_parts *parts)
{
    struct llvm_value *used = parts->load;
    if (n_uses(used) != 1) {
        return;
    }
    for (struct llvm_value *v = next_of(parts->load); v != NULL; v = next_of(v)) {
        bool takes
            = (is_opcode(v, LLVM_EXTRACT_ELEMENT) || is_opcode(v, LLVM_SHUFFLE_VECTOR))
            && llvm.GetOperand(v, 0) == used;
        if (takes && parts->narrow == NULL && is_narrow(v) && n_uses(v) == 1) {
            parts->narrow = used = v;
        } else if (takes) {
            note_taken(v, used, parts);
            return;
        } else if (!commutes(v)) {
            return;
        }
    }
}

bool weiri_parts_of_read(struct llvm_value *load, struct weiri_parts *parts)
{
    *parts = (struct weiri_parts){ .load = load };
    if (!is_vector(load, &parts->n)) {
        return false;
    }
    find_use(parts);
    if (parts->elements == 0 && parts->narrow != NULL) { /* the fourth is padding */
        parts->use = parts->narrow;
        parts->narrow = NULL;
        parts->elements = EVERY(3);
    }
    return parts->elements != 0
        && (parts->index != NULL || parts->elements != EVERY(parts->n));
}

/* ---- Accesses of elements ------------------------------------------------- */

/* The places of the elements, as operands. */
static GPtrArray *places_of(const struct weiri_parts *parts)
{
    GPtrArray *places = g_ptr_array_new();
    if (parts->index != NULL) {
        g_ptr_array_add(places, parts->index);
        return places;
    }
    for (unsigned i = 0; i < parts->n; i++) {
        if ((parts->elements >> i & 1) != 0) {
            g_ptr_array_add(places, weiri_ir_constant(64, i));
        }
    }
    return places;
}

static struct llvm_value *address_of(struct llvm_builder *builder,
                                     struct llvm_value *access,
                                     struct llvm_value *place)
{
    struct llvm_value *places[] = { weiri_ir_constant(64, 0), place };
    return llvm.BuildGEP2(builder, weiri_ir_accessed(access), weiri_ir_address(access),
                          places, 2, "");
}

/* An access of one element, like the access of the whole. */
static void like(struct llvm_value *made, struct llvm_value *access, bool is_volatile)
{
    uint64_t bytes = weiri_ir_bytes(weiri_ir_accessed(made));
    llvm.SetAlignment(made, (unsigned)MIN(llvm.GetAlignment(access), MAX(bytes, 1)));
    llvm.SetVolatile(made, is_volatile);
    llvm.InstructionSetDebugLoc(made, llvm.InstructionGetDebugLoc(access));
}

void weiri_parts_assign(struct llvm_builder *builder, const struct weiri_parts *parts,
                        bool is_volatile)
{
    struct llvm_value *store = parts->store;
    llvm.PositionBuilderBefore(builder, store);
    g_autoptr(GPtrArray) places = places_of(parts);
    for (guint i = 0; i < places->len; i++) {
        struct llvm_value *place = g_ptr_array_index(places, i);
        struct llvm_value *one
            = llvm.BuildExtractElement(builder, llvm.GetOperand(store, 0), place, "");
        struct llvm_value *made
            = llvm.BuildStore(builder, one, address_of(builder, store, place));
        like(made, store, is_volatile);
    }
    llvm.InstructionEraseFromParent(store);
    llvm.ReplaceAllUsesWith(parts->load, llvm.GetUndef(llvm.TypeOf(parts->load)));
    llvm.InstructionEraseFromParent(parts->load);
}

void weiri_parts_read(struct llvm_builder *builder, const struct weiri_parts *parts,
                      bool is_volatile)
{
    struct llvm_value *load = parts->load;
    struct llvm_type *type = llvm.TypeOf(load);
    struct llvm_value *whole = llvm.GetUndef(type);
    llvm.PositionBuilderBefore(builder, parts->use);
    g_autoptr(GPtrArray) places = places_of(parts);
    for (guint i = 0; i < places->len; i++) {
        struct llvm_value *place = g_ptr_array_index(places, i);
        struct llvm_value *made = llvm.BuildLoad2(builder, llvm.GetElementType(type),
                                                  address_of(builder, load, place), "");
        like(made, load, is_volatile);
        whole = llvm.BuildInsertElement(builder, whole, made, place, "");
    }
    if (parts->narrow != NULL) {
        struct llvm_value *mask[]
            = { weiri_ir_constant(32, 0), weiri_ir_constant(32, 1),
                weiri_ir_constant(32, 2) };
        whole = llvm.BuildShuffleVector(builder, whole, llvm.GetUndef(type),
                                        llvm.ConstVector(mask, 3), "");
    }
    llvm.SetOperand(parts->use, 0, whole);
    if (parts->narrow != NULL) {
        llvm.InstructionEraseFromParent(parts->narrow);
    }
    llvm.ReplaceAllUsesWith(load, llvm.GetUndef(type));
    llvm.InstructionEraseFromParent(load);
}

/* ---- Functions in C --------------------------------------------------------- */

/* Whether the address is in a variable of the function, or in an argument by value. */
static bool is_private(struct llvm_value *address)
{
    while (llvm.IsAInstruction(address) != NULL
           && (is_opcode(address, LLVM_GEP) || is_opcode(address, LLVM_BITCAST))) {
        address = llvm.GetOperand(address, 0);
    }
    return llvm.IsAInstruction(address) != NULL && is_opcode(address, LLVM_ALLOCA);
}

static void divide(struct llvm_builder *builder, struct llvm_value *load, bool reads)
{
    struct weiri_parts parts;
    bool is_volatile = llvm.GetVolatile(load);
    if (weiri_parts_of_assignment(load, &parts)) {
        weiri_parts_assign(builder, &parts, is_volatile);
    } else if (reads && weiri_parts_of_read(load, &parts)) {
        weiri_parts_read(builder, &parts, is_volatile);
    }
}

void weiri_parts_divide(struct llvm_value *function, bool reads)
{
    g_autoptr(GPtrArray) loads = g_ptr_array_new();
    struct llvm_builder *builder = llvm.CreateBuilderInContext(weiri_ir_context());
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *i = llvm.GetFirstInstruction(b); i != NULL;
             i = llvm.GetNextInstruction(i)) {
            if (is_opcode(i, LLVM_LOAD) && !is_private(weiri_ir_address(i))) {
                g_ptr_array_add(loads, i);
            }
        }
    }
    for (guint i = 0; i < loads->len; i++) {
        divide(builder, g_ptr_array_index(loads, i), reads);
    }
    llvm.DisposeBuilder(builder);
}

void weiri_parts_divide_all(struct llvm_module *module)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        weiri_parts_divide(f, false);
    }
}
