/* SPDX-License-Identifier: MIT
 *
 * volatile.c: volatile accesses.
 *
 * In checked code, loads that wait for another thread:
 *
 *     while (*(volatile int *)flag == 0)
 *         ;
 *
 * A volatile access orders nothing and no update is atomic by it, so that two of them
 * may be a race. But one that is repeated until its value changes is how a flag is
 * read: it becomes a relaxed load at system scope, which PTX says that it is.
 *
 * A load waits if what it loads decides whether a loop is left whose blocks do nothing
 * else than load something volatile: they load, compute, write the function's own
 * variables, and call what neither writes nor waits. So the first look at a flag,
 * before the loop, counts as well; and loads of a loop that counts do not.
 *
 * In the other code, the threads of a block take turns at the other accesses: each
 * makes one, and then the next thread does. Code for older GPUs has no __syncwarp()
 * where one thread of a warp reads what another has written:
 *
 *     v[t] += v[t + 16];
 *     v[t] += v[t + 8];
 *
 * It is wrong by PTX, and weir check says so; but a GPU's threads mostly advance
 * together there, and so do these. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

enum { RELAXED = 0, SYSTEM = 4 }; /* as memory_order and memory_scope have them */
enum { MOST_BLOCKS = 64 };        /* of a loop that waits */

/* ---- Polls ------------------------------------------------------------------ */

static bool is_quiet_call(struct llvm_value *call)
{
    static const char *const names[] = { "llvm.",
                                         "call.weiri_cu_fence",
                                         "call.weiri_cu_sleep",
                                         "call.weiri_cu_thread",
                                         "call.weiri_cu_block",
                                         "call.weiri_cu_lane",
                                         "call.weiri_cu_load_",
                                         "call.weiri_cu_clock" };
    const char *callee = weiri_ir_callee(call);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_has_prefix(callee, names[i])) {
            return !g_str_has_prefix(callee, "llvm.mem");
        }
    }
    return false;
}

static bool is_quiet(struct llvm_block *block)
{
    for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != NULL;
         v = llvm.GetNextInstruction(v)) {
        int opcode = llvm.GetInstructionOpcode(v);
        if (opcode == LLVM_CALL ? !is_quiet_call(v)
                : opcode == LLVM_STORE
                ? llvm.GetVolatile(v)
                    || llvm.IsAInstruction(weiri_cuda_uncast(llvm.GetOperand(v, 1)))
                        == NULL
                    || llvm.GetInstructionOpcode(
                           weiri_cuda_uncast(llvm.GetOperand(v, 1)))
                        != LLVM_ALLOCA
                : opcode == LLVM_CMPXCHG || opcode == LLVM_ATOMIC_RMW) {
            return false;
        }
    }
    return true;
}

static bool leads_to(struct llvm_block *from, struct llvm_block *to, GHashTable *or_to)
{
    struct llvm_value *end = llvm.GetBasicBlockTerminator(from);
    bool leads = false;
    for (unsigned k = 0; k < llvm.GetNumSuccessors(end) && !leads; k++) {
        struct llvm_block *next = llvm.GetSuccessor(end, k);
        leads = next == to || g_hash_table_contains(or_to, next);
    }
    return leads;
}

/* The blocks of the loops of quiet blocks that the block is in. Returns: (transfer
 * full): of struct llvm_block, without a value; empty if it is in none */
static GHashTable *quiet_loops(struct llvm_block *block)
{
    g_autoptr(GPtrArray) reached = g_ptr_array_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    GHashTable *loops = g_hash_table_new(NULL, NULL);
    g_ptr_array_add(reached, is_quiet(block) ? block : NULL);
    for (guint i = 0; i < reached->len && i < MOST_BLOCKS && reached->pdata[0] != NULL;
         i++) {
        struct llvm_value *end
            = llvm.GetBasicBlockTerminator(g_ptr_array_index(reached, i));
        for (unsigned k = 0; k < llvm.GetNumSuccessors(end); k++) {
            struct llvm_block *next = llvm.GetSuccessor(end, k);
            if (next != block && g_hash_table_add(seen, next) && is_quiet(next)) {
                g_ptr_array_add(reached, next);
            }
        }
    }
    bool more = reached->pdata[0] != NULL;
    while (more) {
        more = false;
        for (guint i = 0; i < reached->len; i++) {
            struct llvm_block *one = g_ptr_array_index(reached, i);
            more |= !g_hash_table_contains(loops, one) && leads_to(one, block, loops)
                && g_hash_table_add(loops, one);
        }
    }
    return loops;
}

/* Adds the loads of a function's own variable. */
static void add_loads(struct llvm_value *variable, GPtrArray *values)
{
    for (struct llvm_use *use = llvm.GetFirstUse(variable); use != NULL;
         use = llvm.GetNextUse(use)) {
        struct llvm_value *user = llvm.GetUser(use);
        if (llvm.GetInstructionOpcode(user) == LLVM_LOAD) {
            g_ptr_array_add(values, user);
        }
    }
}

static bool is_volatile_load(struct llvm_value *v)
{
    return llvm.GetInstructionOpcode(v) == LLVM_LOAD && llvm.GetVolatile(v);
}

static bool has_volatile_load(struct llvm_block *block)
{
    bool has = false;
    for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != NULL && !has;
         v = llvm.GetNextInstruction(v)) {
        has = is_volatile_load(v);
    }
    return has;
}

/* Whether the instruction is a branch that may end a loop which waits. */
static bool ends_wait(struct llvm_value *branch)
{
    int opcode = llvm.GetInstructionOpcode(branch);
    if (opcode != LLVM_BR && opcode != LLVM_SWITCH) {
        return false;
    }
    g_autoptr(GHashTable) loops = quiet_loops(llvm.GetInstructionParent(branch));
    GHashTableIter each;
    gpointer block;
    bool leaves = false, loads = false;
    for (unsigned k = 0; k < llvm.GetNumSuccessors(branch); k++) {
        leaves |= !g_hash_table_contains(loops, llvm.GetSuccessor(branch, k));
    }
    g_hash_table_iter_init(&each, loops);
    while (leaves && g_hash_table_iter_next(&each, &block, NULL)) {
        loads |= has_volatile_load(block);
    }
    return leaves && loads;
}

/* Whether it depends on the value how long a loop waits. */
static bool decides(struct llvm_value *value)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_ptr_array_add(values, value);
    for (guint i = 0; i < values->len; i++) {
        struct llvm_value *one = g_ptr_array_index(values, i);
        if (!g_hash_table_add(seen, one)) {
            continue;
        }
        for (struct llvm_use *use = llvm.GetFirstUse(one); use != NULL;
             use = llvm.GetNextUse(use)) {
            struct llvm_value *user = llvm.GetUser(use);
            int opcode = llvm.GetInstructionOpcode(user);
            if (ends_wait(user)) {
                return true;
            }
            if (opcode == LLVM_STORE && llvm.GetOperand(user, 0) == one) {
                add_loads(llvm.GetOperand(user, 1), values);
            } else if (opcode != LLVM_STORE) {
                g_ptr_array_add(values, user);
            }
        }
    }
    return false;
}

/* The ending of the builtin that loads the type: "u32" or "f64"; or %NULL. */
static const char *suffix_of(struct llvm_type *type)
{
    switch (llvm.GetTypeKind(type)) {
    case LLVM_FLOAT:
        return "f32";
    case LLVM_DOUBLE:
        return "f64";
    case LLVM_INTEGER:
        return llvm.GetIntTypeWidth(type) == 32 ? "u32"
            : llvm.GetIntTypeWidth(type) == 64  ? "u64"
                                                : NULL;
    default:
        return NULL;
    }
}

static void make_atomic(struct weiri_cuda_code *code, struct llvm_value *load)
{
    struct llvm_type *type = llvm.TypeOf(load);
    struct llvm_type *types[]
        = { weiri_ir_pointer(), weiri_ir_int(32), weiri_ir_int(32) };
    g_autofree char *name = g_strconcat("call.weiri_cu_load_", suffix_of(type), NULL);
    struct llvm_value *known = llvm.GetNamedFunction(code->module, name);
    struct llvm_type *called = known != NULL
        ? llvm.GlobalGetValueType(known)
        : llvm.FunctionType(type, types, G_N_ELEMENTS(types), 0);
    if (known == NULL) {
        known = llvm.AddFunction(code->module, name, called);
    }
    llvm.PositionBuilderBefore(code->builder, load);
    llvm.SetCurrentDebugLocation2(code->builder, llvm.InstructionGetDebugLoc(load));
    struct llvm_value *list[]
        = { weiri_ir_as(code->builder, llvm.GetOperand(load, 0),
                        llvm.TypeOf(llvm.GetParam(known, 0))),
            weiri_ir_constant(32, RELAXED), weiri_ir_constant(32, SYSTEM) };
    llvm.ReplaceAllUsesWith(
        load,
        llvm.BuildCall2(code->builder, called, known, list, G_N_ELEMENTS(list), ""));
    llvm.InstructionEraseFromParent(load);
}

/* ---- All of them ----------------------------------------------------------- */

/* Adds the functions' instructions for which @is_one is true. */
static void find(const struct weiri_cuda_code *code,
                 bool (*is_one)(struct llvm_value *), GPtrArray *found)
{
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *f = g_ptr_array_index(code->functions, i);
        for (struct llvm_block *b = llvm.GetFirstBasicBlock(f); b != NULL;
             b = llvm.GetNextBasicBlock(b)) {
            for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
                 v = llvm.GetNextInstruction(v)) {
                if (is_one(v)) {
                    g_ptr_array_add(found, v);
                }
            }
        }
    }
}

static bool is_poll(struct llvm_value *v)
{
    return is_volatile_load(v) && suffix_of(llvm.TypeOf(v)) != NULL && decides(v);
}

void weiri_cuda_find_polls(struct weiri_cuda_code *code)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    find(code, is_poll, found);
    for (guint i = 0; i < found->len; i++) {
        make_atomic(code, g_ptr_array_index(found, i));
    }
}

/* ---- Turns ------------------------------------------------------------------ */

/* No other thread uses a variable of the function itself. */
static bool takes_turn(struct llvm_value *v)
{
    int opcode = llvm.GetInstructionOpcode(v);
    if ((opcode != LLVM_LOAD && opcode != LLVM_STORE) || !llvm.GetVolatile(v)) {
        return false;
    }
    struct llvm_value *of
        = weiri_cuda_uncast(llvm.GetOperand(v, opcode == LLVM_LOAD ? 0 : 1));
    return !(llvm.IsAInstruction(of) != NULL
             && llvm.GetInstructionOpcode(of) == LLVM_ALLOCA)
        && !is_poll(v);
}

void weiri_cuda_add_turns(struct weiri_cuda_code *code)
{
    static const char name[] = "call.weiri_cu_turn";
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    find(code, takes_turn, found);
    if (found->len == 0) {
        return;
    }
    struct llvm_type *called
        = llvm.FunctionType(llvm.VoidTypeInContext(weiri_ir_context()), NULL, 0, 0);
    struct llvm_value *turn = llvm.AddFunction(code->module, name, called);
    for (guint i = 0; i < found->len; i++) {
        struct llvm_value *v = g_ptr_array_index(found, i);
        llvm.PositionBuilderBefore(code->builder, v);
        llvm.SetCurrentDebugLocation2(code->builder, llvm.InstructionGetDebugLoc(v));
        (void)llvm.BuildCall2(code->builder, called, turn, NULL, 0, "");
    }
}
