/* SPDX-License-Identifier: MIT
 *
 * ir.c: see ir.h. The kind of an instruction follows from its opcode and, for a call,
 * from the name of the function: two lists name the intrinsics that only compute and
 * those that do nothing. Everything else is unknown, so that a new instruction of a
 * later LLVM makes code slower and never wrong.
 *
 * Numbers go to parameters first and then to instructions in the order of text. A
 * branch that leads only one way, on a constant or after a stop, has one edge. */
#include "config.h"

#include "split/ir.h"

#include <string.h>

static struct llvm_context *context;

void weiri_ir_use(struct llvm_context *of)
{
    context = of;
}

struct llvm_context *weiri_ir_context(void)
{
    return context;
}

/* ---- Types and constants -------------------------------------------------- */

struct llvm_type *weiri_ir_int(unsigned bits)
{
    return llvm.IntTypeInContext(context, bits);
}

struct llvm_type *weiri_ir_pointer(void)
{
    return llvm.PointerType(weiri_ir_int(8), 0);
}

struct llvm_value *weiri_ir_constant(unsigned bits, uint64_t value)
{
    return llvm.ConstInt(weiri_ir_int(bits), value, 0);
}

struct llvm_value *weiri_ir_as(struct llvm_builder *builder, struct llvm_value *value,
                               struct llvm_type *type)
{
    return llvm.TypeOf(value) == type
        ? value
        : llvm.BuildCast(builder, LLVM_BITCAST, value, type, "");
}

uint64_t weiri_ir_bytes(struct llvm_type *type)
{
    uint64_t n = 1;
    if (llvm.GetTypeKind(type) == LLVM_VECTOR) {
        n = llvm.GetVectorSize(type);
        type = llvm.GetElementType(type);
    }
    switch (llvm.GetTypeKind(type)) {
    case LLVM_INTEGER:
        return (n * llvm.GetIntTypeWidth(type) + 7) / 8;
    case LLVM_HALF:
    case LLVM_BFLOAT:
        return 2 * n;
    case LLVM_FLOAT:
        return 4 * n;
    case LLVM_DOUBLE:
        return 8 * n;
    case LLVM_X86_FP80:
        return 10 * n;
    case LLVM_FP128:
        return 16 * n;
    default:
        return 0;
    }
}

bool weiri_ir_is_scalar(struct llvm_type *type)
{
    int kind = llvm.GetTypeKind(type);
    return kind == LLVM_INTEGER || kind == LLVM_FLOAT || kind == LLVM_DOUBLE
        || kind == LLVM_POINTER;
}

/* ---- What an instruction does --------------------------------------------- */

/* Intrinsics whose result depends on their arguments alone, up to the next dot. */
static const char *const pure[] = {
    "umin",    "umax", "smin",   "smax",      "abs",        "fabs",        "fma",
    "fmuladd", "sqrt", "ctpop",  "ctlz",      "cttz",       "bswap",       "bitreverse",
    "fshl",    "fshr", "minnum", "maxnum",    "copysign",   "floor",       "ceil",
    "trunc",   "rint", "round",  "nearbyint", "is.fpclass", "is.constant",
};

/* Intrinsics that do nothing when they run. */
static const char *const notes[]
    = { "dbg", "lifetime", "assume", "experimental.noalias.scope.decl" };

/* Whether @name is "llvm." and a word of the list. */
static bool is_among(const char *name, const char *const *words, size_t n)
{
    if (!g_str_has_prefix(name, "llvm.")) {
        return false;
    }
    name += strlen("llvm.");
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(name, words[i], length) == 0
            && (name[length] == '.' || name[length] == '\0')) {
            return true;
        }
    }
    return false;
}

unsigned weiri_ir_attribute(const char *name)
{
    return llvm.GetEnumAttributeKindForName(name, strlen(name));
}

const char *weiri_ir_callee(struct llvm_value *instruction)
{
    if (llvm.GetInstructionOpcode(instruction) != LLVM_CALL) {
        return "";
    }
    struct llvm_value *callee = llvm.GetCalledValue(instruction);
    size_t length;
    return llvm.IsAFunction(callee) != NULL ? llvm.GetValueName2(callee, &length) : "";
}

bool weiri_ir_calls(struct llvm_value *instruction, const char *name)
{
    return strcmp(weiri_ir_callee(instruction), name) == 0;
}

static const char *const of_group[]
    = { "weiri_cl_array", "weiri_cl_fixed", "weiri_cuda_array", "weiri_cuda_fixed" };

/* weiri_split_array(group, k, count, element_bytes, site): the items of a group get the
 * same array where its number and site are constants. */
static bool is_known_array(struct llvm_value *call)
{
    return llvm.GetNumArgOperands(call) == 5
        && llvm.IsAConstantInt(llvm.GetOperand(call, 1)) != NULL
        && llvm.IsConstant(llvm.GetOperand(call, 4));
}

static enum weiri_ir_kind kind_of_call(struct llvm_value *call)
{
    const char *name = weiri_ir_callee(call);
    if (is_among(name, notes, G_N_ELEMENTS(notes))) {
        return WEIRI_IR_NOTE;
    }
    if (is_among(name, pure, G_N_ELEMENTS(pure))) {
        return WEIRI_IR_COMPUTES;
    }
    if (strcmp(name, "weiri_split_array") == 0) {
        return is_known_array(call) ? WEIRI_IR_ARRAY : WEIRI_IR_UNKNOWN;
    }
    if (is_among(name, of_group, G_N_ELEMENTS(of_group))) {
        return WEIRI_IR_GROUP;
    }
    return strcmp(name, "weiri_split_tell") == 0 ? WEIRI_IR_TELL
        : strcmp(name, "weiri_split_soft") == 0  ? WEIRI_IR_SOFT
                                                 : WEIRI_IR_UNKNOWN;
}

static bool is_ordinary(struct llvm_value *access)
{
    return !llvm.GetVolatile(access) && llvm.GetOrdering(access) == 0;
}

enum weiri_ir_kind weiri_ir_kind(struct llvm_value *instruction)
{
    switch ((enum llvm_opcode)llvm.GetInstructionOpcode(instruction)) {
    case LLVM_ADD:
    case LLVM_FADD:
    case LLVM_SUB:
    case LLVM_FSUB:
    case LLVM_MUL:
    case LLVM_FMUL:
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_FDIV:
    case LLVM_UREM:
    case LLVM_SREM:
    case LLVM_FREM:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT:
    case LLVM_FPTOUI:
    case LLVM_FPTOSI:
    case LLVM_UITOFP:
    case LLVM_SITOFP:
    case LLVM_FPTRUNC:
    case LLVM_FPEXT:
    case LLVM_PTRTOINT:
    case LLVM_INTTOPTR:
    case LLVM_ICMP:
    case LLVM_FCMP:
    case LLVM_SELECT:
    case LLVM_EXTRACT_ELEMENT:
    case LLVM_INSERT_ELEMENT:
    case LLVM_SHUFFLE_VECTOR:
    case LLVM_EXTRACT_VALUE:
    case LLVM_INSERT_VALUE:
    case LLVM_FNEG:
    case LLVM_FREEZE:
        return WEIRI_IR_COMPUTES;
    case LLVM_GEP:
    case LLVM_BITCAST:
        return WEIRI_IR_ADDRESS;
    case LLVM_LOAD:
        return is_ordinary(instruction) ? WEIRI_IR_LOAD : WEIRI_IR_UNKNOWN;
    case LLVM_STORE:
        return is_ordinary(instruction) ? WEIRI_IR_STORE : WEIRI_IR_UNKNOWN;
    case LLVM_PHI:
        return WEIRI_IR_PHI;
    case LLVM_BR:
    case LLVM_SWITCH:
    case LLVM_RET:
        return WEIRI_IR_LEADS;
    case LLVM_CALL:
        return kind_of_call(instruction);
    case LLVM_ALLOCA:
    case LLVM_FENCE:
    case LLVM_CMPXCHG:
    case LLVM_ATOMIC_RMW:
    case LLVM_ADDRSPACE_CAST:
    case LLVM_UNREACHABLE:
        return WEIRI_IR_UNKNOWN;
    }
    return WEIRI_IR_UNKNOWN; /* of a later LLVM */
}

bool weiri_ir_is_plain(enum weiri_ir_kind kind)
{
    return kind != WEIRI_IR_UNKNOWN;
}

struct llvm_value *weiri_ir_address(struct llvm_value *access)
{
    bool store = llvm.GetInstructionOpcode(access) == LLVM_STORE;
    return llvm.GetOperand(access, store ? 1 : 0);
}

struct llvm_type *weiri_ir_accessed(struct llvm_value *access)
{
    bool store = llvm.GetInstructionOpcode(access) == LLVM_STORE;
    return llvm.TypeOf(store ? llvm.GetOperand(access, 0) : access);
}

/* ---- Numbers and ways ----------------------------------------------------- */

/* The only block that follows in any run: where @block leads is known. NULL: there are
 *  several, or none */
static struct llvm_block *only_next(struct llvm_value *terminator, unsigned resumed)
{
    int opcode = llvm.GetInstructionOpcode(terminator);
    unsigned n = llvm.GetNumSuccessors(terminator);
    if (n == 0) {
        return NULL;
    }
    if (opcode == LLVM_BR && n == 2) {
        if (llvm.GetMetadata(terminator, resumed) != NULL) {
            return llvm.GetSuccessor(terminator, 0);
        }
        struct llvm_value *condition
            = llvm.IsAConstantInt(llvm.GetOperand(terminator, 0));
        if (condition != NULL) {
            bool first = llvm.ConstIntGetZExtValue(condition) != 0;
            return llvm.GetSuccessor(terminator, first ? 0 : 1);
        }
    }
    struct llvm_block *only = llvm.GetSuccessor(terminator, 0);
    for (unsigned i = 1; i < n; i++) {
        if (llvm.GetSuccessor(terminator, i) != only) {
            return NULL;
        }
    }
    return only;
}

uint32_t weiri_ir_number(const struct weiri_ir *ir, const void *value)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(ir->numbers, value)) - 1;
}

uint32_t weiri_ir_block(const struct weiri_ir *ir, const struct llvm_block *block)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(ir->block_numbers, block)) - 1;
}

static void give_number(struct weiri_ir *ir, void *of, uint32_t number)
{
    g_hash_table_insert(ir->numbers, of, GUINT_TO_POINTER(number + 1));
}

static void add_way(struct weiri_ir *ir, uint32_t from, struct llvm_block *ref)
{
    struct weiri_ir_block *block = &ir->blocks[from];
    uint32_t to = weiri_ir_block(ir, ref);
    for (uint32_t k = 0; k < block->n_next; k++) {
        if (block->next[k] == to) {
            return;
        }
    }
    block->next = g_renew(uint32_t, block->next, block->n_next + 1);
    block->next[block->n_next++] = to;
    block = &ir->blocks[to];
    block->before = g_renew(uint32_t, block->before, block->n_before + 1);
    block->before[block->n_before++] = from;
}

static void add_ways(struct weiri_ir *ir, uint32_t from, unsigned resumed)
{
    struct llvm_value *last = llvm.GetBasicBlockTerminator(ir->blocks[from].ref);
    struct llvm_block *only = only_next(last, resumed);
    if (only != NULL) {
        add_way(ir, from, only);
        return;
    }
    for (unsigned i = 0; i < llvm.GetNumSuccessors(last); i++) {
        add_way(ir, from, llvm.GetSuccessor(last, i));
    }
}

struct weiri_ir *weiri_ir_new(struct llvm_value *function, unsigned resumed)
{
    struct weiri_ir *ir = g_new0(struct weiri_ir, 1);
    GPtrArray *values = g_ptr_array_new();
    GArray *blocks = g_array_new(FALSE, TRUE, sizeof(struct weiri_ir_block));
    GArray *block_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    ir->function = function;
    ir->numbers = g_hash_table_new(NULL, NULL);
    ir->block_numbers = g_hash_table_new(NULL, NULL);
    ir->n_params = llvm.CountParams(function);
    for (uint32_t i = 0; i < ir->n_params; i++) {
        uint32_t none = WEIRI_IR_NONE;
        g_ptr_array_add(values, llvm.GetParam(function, i));
        g_array_append_val(block_of, none);
        give_number(ir, llvm.GetParam(function, i), i);
    }
    for (struct llvm_block *ref = llvm.GetFirstBasicBlock(function); ref != NULL;
         ref = llvm.GetNextBasicBlock(ref)) {
        struct weiri_ir_block block = { .ref = ref, .first = values->len };
        for (struct llvm_value *v = llvm.GetFirstInstruction(ref); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            give_number(ir, v, values->len);
            g_ptr_array_add(values, v);
            g_array_append_val(block_of, blocks->len);
        }
        block.end = values->len;
        g_hash_table_insert(ir->block_numbers, ref, GUINT_TO_POINTER(blocks->len + 1));
        g_array_append_val(blocks, block);
    }
    ir->n_values = values->len;
    ir->value = (struct llvm_value **)g_ptr_array_free(values, FALSE);
    ir->n_blocks = blocks->len;
    ir->blocks = (struct weiri_ir_block *)(void *)g_array_free(blocks, FALSE);
    ir->block_of = (uint32_t *)(void *)g_array_free(block_of, FALSE);
    for (uint32_t b = 0; b < ir->n_blocks; b++) {
        add_ways(ir, b, resumed);
    }
    return ir;
}

void weiri_ir_free(struct weiri_ir *ir)
{
    for (uint32_t b = 0; b < ir->n_blocks; b++) {
        g_free(ir->blocks[b].next);
        g_free(ir->blocks[b].before);
    }
    g_hash_table_unref(ir->numbers);
    g_hash_table_unref(ir->block_numbers);
    g_free(ir->blocks);
    g_free(ir->block_of);
    g_free(ir->value);
    g_free(ir);
}
