/* SPDX-License-Identifier: MIT
 *
 * shared.c: a shared variable is an array of the group's local memory. Each function
 * that uses one asks for its address at its start:
 *
 *     %s = call ptr @weiri_cu_shared(item, site, count, element_bytes, slot)
 *
 * and expressions that had the variable's address become instructions. The dynamic
 * shared memory of a launch is a builtin, weiri_cu_dynamic(item, site): all variables
 * that are declared so have the same address.
 *
 * The same replaces a managed variable, by a load of its address: variables.c. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

/* Replaces uses of the shared variables in a function. */
struct place {
    struct weiri_cuda_code *code;
    struct llvm_value *function;
    char *name;          /* of the function, for sites */
    GHashTable *address; /* a global: its address in this function */
    GHashTable
        *concerns; /* constants that are known to have a variable: itself; or not:
                             the function, which stands for none */
};

static struct weiri_cuda_shared *shared_of(const struct weiri_cuda_code *code,
                                           struct llvm_value *global)
{
    for (guint i = 0; i < code->shared->len; i++) {
        struct weiri_cuda_shared *shared = g_ptr_array_index(code->shared, i);
        if (shared->global == global) {
            return shared;
        }
    }
    return NULL;
}

/* Whether a constant has the address of a shared variable in it. */
static bool concerns(struct place *place, struct llvm_value *constant)
{
    if (llvm.IsAGlobalVariable(constant) != NULL) {
        return shared_of(place->code, constant) != NULL;
    }
    if (llvm.IsAFunction(constant) != NULL || !llvm.IsConstant(constant)) {
        return false;
    }
    void *known = g_hash_table_lookup(place->concerns, constant);
    if (known != NULL) {
        return known == constant;
    }
    bool found = false;
    unsigned n = (unsigned)llvm.GetNumOperands(constant);
    for (unsigned i = 0; i < n && !found; i++) {
        found = concerns(place, llvm.GetOperand(constant, i));
    }
    g_hash_table_insert(place->concerns, constant, found ? constant : place->function);
    return found;
}

/* ---- Addresses ------------------------------------------------------------- */

/* The first variable in dynamic shared memory: all others are the same array. */
static struct weiri_cuda_shared *first_dynamic(const struct weiri_cuda_code *code)
{
    guint i = 0;
    while (((struct weiri_cuda_shared *)g_ptr_array_index(code->shared, i))->count
           > 0) {
        i++;
    }
    return g_ptr_array_index(code->shared, i);
}

/* The site is the variable's: the machine knows the array by it. */
static struct llvm_value *ask(struct place *place, struct weiri_cuda_shared *of)
{
    struct weiri_cuda_code *code = place->code;
    if (of->pointer != NULL) {
        return llvm.BuildLoad2(code->builder, llvm.TypeOf(of->global), of->pointer, "");
    }
    struct weiri_cuda_shared *shared = of->count == 0 ? first_dynamic(code) : of;
    if (shared->site == NULL) {
        shared->site = weiri_cuda_site(code, shared->file, place->name, shared->line,
                                       shared->name);
    }
    struct llvm_value *list[] = { llvm.GetParam(place->function, 0), shared->site,
                                  weiri_ir_constant(64, shared->count),
                                  weiri_ir_constant(64, shared->element_bytes),
                                  weiri_ir_constant(64, shared->slot) };
    if (shared->count == 0) {
        list[2] = list[3];
        return weiri_cuda_call(code, "weiri_cu_dynamic", llvm.TypeOf(of->global), list,
                               3);
    }
    return weiri_cuda_call(code, "weiri_cu_shared", llvm.TypeOf(shared->global), list,
                           G_N_ELEMENTS(list));
}

/* At the start of the function, after its variables. */
static struct llvm_value *address_of(struct place *place, struct llvm_value *global)
{
    struct llvm_value *known = g_hash_table_lookup(place->address, global);
    if (known == NULL) {
        struct llvm_builder *builder = place->code->builder;
        struct llvm_block *first = llvm.GetFirstBasicBlock(place->function);
        struct llvm_value *before = llvm.GetFirstInstruction(first);
        while (llvm.GetInstructionOpcode(before) == LLVM_ALLOCA) {
            before = llvm.GetNextInstruction(before);
        }
        llvm.PositionBuilderBefore(builder, before);
        llvm.SetCurrentDebugLocation2(builder, NULL);
        known = ask(place, shared_of(place->code, global));
        known = known != NULL ? known : llvm.GetUndef(llvm.TypeOf(global));
        g_hash_table_insert(place->address, global, known);
    }
    return known;
}

/* ---- Expressions ----------------------------------------------------------- */

static struct llvm_value *made_of(struct place *place, struct llvm_value *constant,
                                  struct llvm_value *before);

static struct llvm_value *expression(struct place *place, struct llvm_value *of,
                                     struct llvm_value *before)
{
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    g_autofree struct llvm_value **o = g_new(struct llvm_value *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        o[i] = made_of(place, llvm.GetOperand(of, i), before);
    }
    struct llvm_builder *builder = place->code->builder;
    llvm.PositionBuilderBefore(builder, before);
    llvm.SetCurrentDebugLocation2(builder, llvm.InstructionGetDebugLoc(before));
    int opcode = llvm.GetConstOpcode(of);
    if (opcode == LLVM_GEP) {
        return llvm.BuildGEP2(builder, llvm.GetGEPSourceElementType(of), o[0], o + 1,
                              n - 1, "");
    }
    if (opcode == LLVM_ICMP) {
        return llvm.BuildICmp(builder, llvm.GetICmpPredicate(of), o[0], o[1], "");
    }
    return n == 1 ? llvm.BuildCast(builder, opcode, o[0], llvm.TypeOf(of), "")
                  : llvm.BuildBinOp(builder, opcode, o[0], o[1], "");
}

/* The value of a constant that may have the address of a shared variable in it, made
 * before an instruction. */
static struct llvm_value *made_of(struct place *place, struct llvm_value *constant,
                                  struct llvm_value *before)
{
    if (!llvm.IsConstant(constant) || !concerns(place, constant)) {
        return constant;
    }
    if (llvm.IsAGlobalVariable(constant) != NULL) {
        return address_of(place, constant);
    }
    if (llvm.IsAConstantExpr(constant) != NULL) {
        return expression(place, constant, before);
    }
    g_error("a constant aggregate has the address of a shared or managed variable");
}

/* Where the value of operand @i is to be made: for a phi, at the end of the block that
 * it comes from. */
static struct llvm_value *place_of(struct llvm_value *user, unsigned i)
{
    return llvm.GetInstructionOpcode(user) == LLVM_PHI
        ? llvm.GetBasicBlockTerminator(llvm.GetIncomingBlock(user, i))
        : user;
}

/* What a phi already has from the block that operand @i comes from, or %NULL. */
static struct llvm_value *same_in_phi(struct llvm_value *user, unsigned i)
{
    bool phi = llvm.GetInstructionOpcode(user) == LLVM_PHI;
    for (unsigned k = 0; phi && k < i; k++) {
        if (llvm.GetIncomingBlock(user, k) == llvm.GetIncomingBlock(user, i)) {
            return llvm.GetOperand(user, k);
        }
    }
    return NULL;
}

static void replace_in(struct place *place, struct llvm_value *user)
{
    if (g_str_has_prefix(weiri_ir_callee(user), "llvm.dbg.")) {
        return;
    }
    unsigned n = (unsigned)llvm.GetNumOperands(user);
    for (unsigned i = 0; i < n; i++) {
        struct llvm_value *operand = llvm.GetOperand(user, i);
        if (!llvm.ValueIsBasicBlock(operand) && llvm.IsConstant(operand)
            && concerns(place, operand)) {
            struct llvm_value *made = same_in_phi(user, i);
            llvm.SetOperand(user, i,
                            made != NULL ? made
                                         : made_of(place, operand, place_of(user, i)));
        }
    }
}

static void place_in(struct weiri_cuda_code *code, struct llvm_value *function)
{
    struct place place = { code, function, weiri_cuda_function_name(function),
                           g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            replace_in(&place, v);
        }
    }
    g_hash_table_unref(place.address);
    g_hash_table_unref(place.concerns);
    g_free(place.name);
}

void weiri_cuda_place_shared(struct weiri_cuda_code *code)
{
    for (guint i = 0; code->shared->len > 0 && i < code->functions->len; i++) {
        place_in(code,
                 g_hash_table_lookup(code->with_item,
                                     g_ptr_array_index(code->functions, i)));
    }
    for (guint i = 0; i < code->shared->len; i++) {
        const struct weiri_cuda_shared *shared = g_ptr_array_index(code->shared, i);
        if (shared->pointer == NULL && !llvm.IsDeclaration(shared->global)) {
            llvm.SetLinkage(shared->global, LLVM_INTERNAL);
            llvm.SetComdat(shared->global, NULL);
        }
    }
}
