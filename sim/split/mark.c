/* SPDX-License-Identifier: MIT
 *
 * mark.c: see mark.h.
 *
 * A stop becomes
 *
 *     call weiri_split_tell(group, site, op)     or, of a soft stop, weiri_split_soft()
 *     how = coro.suspend()
 *     br how == 0, NEXT, LEAVE
 *
 * and the branch is marked, since flow.c reads the parts between stops from it.
 *
 * A value that is needed after a stop is kept in the item's frame, unless LLVM computes
 * it again there. Two kinds of values are helped: members of the arguments and of the
 * shape, which do not change, are loaded again at each use; and the result of a
 * division or a choice is frozen, so that LLVM keeps it. It would compute it again
 * after each stop, in every iteration of a loop there. */
#include "config.h"

#include "split/mark.h"

#include "split/metadata.h"

#include <string.h>

struct marker {
    struct llvm_module *module;
    struct llvm_value *function;
    struct llvm_builder *builder;
    struct llvm_block *leave;
};

unsigned weiri_mark_resumed(void)
{
    return weiri_metadata_kind("weiri.resumed");
}

/* ---- Values that are loaded again ----------------------------------------- */

/* Facts about each value of the body, before it changes. */
struct again {
    const struct weiri_ir *ir;
    const struct weiri_loops *loops;
    bool *fixed;   /* an address in the arguments or the shape */
    bool *loads;   /* loads from there */
    bool *crosses; /* LLVM needs its operands after a stop, if it computes it again */
};

static bool is_fixed(const struct again *again, struct llvm_value *value)
{
    uint32_t number = weiri_ir_number(again->ir, value);
    return number == WEIRI_IR_NONE || again->fixed[number];
}

static void find_fixed(struct again *again)
{
    const struct weiri_ir *ir = again->ir;
    again->fixed[WEIRI_SPLIT_ARGS] = again->fixed[WEIRI_SPLIT_SHAPE_OF] = true;
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        struct llvm_value *value = ir->value[i];
        enum weiri_ir_kind kind = weiri_ir_kind(value);
        if (kind == WEIRI_IR_LOAD) {
            uint32_t address = weiri_ir_number(ir, weiri_ir_address(value));
            again->loads[i] = address != WEIRI_IR_NONE && again->fixed[address];
        } else if (kind == WEIRI_IR_ADDRESS) {
            int n = llvm.GetNumOperands(value);
            again->fixed[i] = true;
            for (int k = 0; k < n; k++) {
                again->fixed[i] &= is_fixed(again, llvm.GetOperand(value, (unsigned)k));
            }
        }
    }
}

/* Whether LLVM computes such a value again, rather than keep it in the frame. */
static bool is_cheap(struct llvm_value *value)
{
    switch (llvm.GetInstructionOpcode(value)) {
    case LLVM_LOAD:
    case LLVM_CALL:
    case LLVM_ATOMIC_RMW:
    case LLVM_CMPXCHG:
    case LLVM_FREEZE:
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_UREM:
    case LLVM_SREM:
    case LLVM_SELECT:
        return false;
    default:
        return true;
    }
}

static bool is_computed_again(const struct again *again, uint32_t number)
{
    return again->crosses[number] && is_cheap(again->ir->value[number]);
}

static void find_crossing(struct again *again)
{
    const struct weiri_ir *ir = again->ir;
    uint32_t n_stops = 0;
    g_autofree uint32_t *before = g_new0(uint32_t, ir->n_values);
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        const struct weiri_ir_block *block = &ir->blocks[ir->block_of[i]];
        bool ends = again->loops->ends[ir->block_of[i]] && i + 1 == block->end;
        before[i] = n_stops + ends;
        n_stops += weiri_ir_calls(ir->value[i], "weiri_split_stop");
    }
    for (uint32_t i = ir->n_values; i-- > ir->n_params;) {
        struct llvm_value *value = ir->value[i];
        bool moves
            = weiri_ir_kind(value) == WEIRI_IR_PHI || is_computed_again(again, i);
        int n = llvm.GetNumOperands(value);
        for (int k = 0; k < n; k++) {
            uint32_t at = weiri_ir_number(ir, llvm.GetOperand(value, (unsigned)k));
            if (at != WEIRI_IR_NONE && at >= ir->n_params) {
                again->crosses[at] |= moves || ir->block_of[at] != ir->block_of[i]
                    || before[at] != before[i];
            }
        }
    }
}

/* Loads @load again, before @where. */
static struct llvm_value *load_again(struct marker *marker, struct llvm_value *load,
                                     struct llvm_value *where)
{
    struct llvm_value *copy = llvm.InstructionClone(load);
    llvm.PositionBuilderBefore(marker->builder, where);
    llvm.InsertIntoBuilder(marker->builder, copy);
    return copy;
}

static bool is_loaded_again(const struct again *again, struct llvm_value *value)
{
    uint32_t number = weiri_ir_number(again->ir, value);
    return number != WEIRI_IR_NONE && again->loads[number];
}

static void load_for_use(struct marker *marker, const struct again *again,
                         struct llvm_value *user)
{
    int n = llvm.GetNumOperands(user);
    for (int i = 0; i < n; i++) {
        struct llvm_value *value = llvm.GetOperand(user, (unsigned)i);
        if (!is_loaded_again(again, value)) {
            continue;
        }
        struct llvm_value *copy = load_again(marker, value, user);
        for (int k = i; k < n; k++) {
            if (llvm.GetOperand(user, (unsigned)k) == value) {
                llvm.SetOperand(user, (unsigned)k, copy);
            }
        }
    }
}

/* Two ways from one block bring the same value. @known: at the end of a block */
static void load_for_phi(struct marker *marker, const struct again *again,
                         GHashTable *known, struct llvm_value *phi)
{
    for (unsigned i = 0; i < llvm.CountIncoming(phi); i++) {
        struct llvm_value *value = llvm.GetIncomingValue(phi, i);
        struct llvm_block *block = llvm.GetIncomingBlock(phi, i);
        if (!is_loaded_again(again, value)) {
            continue;
        }
        g_autofree char *key = g_strdup_printf("%p %p", (void *)block, (void *)value);
        struct llvm_value *copy = g_hash_table_lookup(known, key);
        if (copy == NULL) {
            copy = load_again(marker, value, llvm.GetBasicBlockTerminator(block));
            g_hash_table_insert(known, g_steal_pointer(&key), copy);
        }
        llvm.SetOperand(phi, i, copy);
    }
}

static void load_all_again(struct marker *marker, const struct weiri_loops *loops)
{
    const struct weiri_ir *ir = loops->ir;
    struct again again = { .ir = ir,
                           .loops = loops,
                           .fixed = g_new0(bool, ir->n_values),
                           .loads = g_new0(bool, ir->n_values),
                           .crosses = g_new0(bool, ir->n_values) };
    g_autoptr(GHashTable) known
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    find_fixed(&again);
    find_crossing(&again);
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        enum weiri_ir_kind kind = weiri_ir_kind(ir->value[i]);
        if (kind == WEIRI_IR_PHI) {
            load_for_phi(marker, &again, known, ir->value[i]);
        } else if (kind != WEIRI_IR_NOTE && !is_computed_again(&again, i)) {
            load_for_use(marker, &again, ir->value[i]);
        }
    }
    g_free(again.fixed);
    g_free(again.loads);
    g_free(again.crosses);
}

/* Freezes the result of a division or a choice. */
static void keep(struct marker *marker, struct llvm_value *value)
{
    switch (llvm.GetInstructionOpcode(value)) {
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_UREM:
    case LLVM_SREM:
    case LLVM_SELECT:
        break;
    default:
        return;
    }
    if (!weiri_ir_is_scalar(llvm.TypeOf(value))) {
        return;
    }
    llvm.PositionBuilderBefore(marker->builder, llvm.GetNextInstruction(value));
    struct llvm_value *kept
        = llvm.BuildFreeze(marker->builder, llvm.ConstNull(llvm.TypeOf(value)), "");
    if (llvm.IsAInstruction(kept) == NULL) {
        return;
    }
    llvm.ReplaceAllUsesWith(value, kept);
    llvm.SetOperand(kept, 0, value);
}

/* ---- Stops ---------------------------------------------------------------- */

static struct llvm_value *call(struct marker *marker, struct llvm_value *function,
                               struct llvm_value **arguments, unsigned n)
{
    return llvm.BuildCall2(marker->builder, llvm.GlobalGetValueType(function), function,
                           arguments, n, "");
}

static struct llvm_value *intrinsic(struct marker *marker, const char *name)
{
    return llvm.GetIntrinsicDeclaration(
        marker->module, llvm.LookupIntrinsicID(name, strlen(name)), NULL, 0);
}

static struct llvm_value *no_token(void)
{
    return llvm.ConstNull(llvm.TokenTypeInContext(weiri_ir_context()));
}

/* Moves all of the block that is before @from into a new block, to which all ways to
 * the block lead: so phis in blocks that follow keep the name of theirs. Returns: that
 * block, which has no end yet */
static struct llvm_block *split_before(struct marker *marker, struct llvm_value *from)
{
    struct llvm_block *block = llvm.GetInstructionParent(from);
    struct llvm_block *head
        = llvm.InsertBasicBlockInContext(weiri_ir_context(), block, "");
    GPtrArray *ways = g_ptr_array_new();
    for (struct llvm_use *use = llvm.GetFirstUse(llvm.BasicBlockAsValue(block));
         use != NULL; use = llvm.GetNextUse(use)) {
        g_ptr_array_add(ways, llvm.GetUser(use));
    }
    for (guint i = 0; i < ways->len; i++) {
        struct llvm_value *way = g_ptr_array_index(ways, i);
        for (unsigned k = 0; k < llvm.GetNumSuccessors(way); k++) {
            if (llvm.GetSuccessor(way, k) == block) {
                llvm.SetSuccessor(way, k, head);
            }
        }
    }
    g_ptr_array_free(ways, TRUE);
    llvm.PositionBuilderAtEnd(marker->builder, head);
    llvm.SetCurrentDebugLocation2(marker->builder, NULL); /* or all get that one */
    for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != from;) {
        struct llvm_value *next = llvm.GetNextInstruction(v);
        llvm.InstructionRemoveFromParent(v);
        llvm.InsertIntoBuilder(marker->builder, v);
        v = next;
    }
    return head;
}

/* Ends a block, after which @on runs when the item is resumed. */
static void suspend(struct marker *marker, struct llvm_block *block,
                    struct llvm_block *on)
{
    struct llvm_value *arguments[] = { no_token(), weiri_ir_constant(1, 0) };
    llvm.PositionBuilderAtEnd(marker->builder, block);
    struct llvm_value *how
        = call(marker, intrinsic(marker, "llvm.coro.suspend"), arguments, 2);
    struct llvm_value *resumed
        = llvm.BuildICmp(marker->builder, LLVM_EQ, how, weiri_ir_constant(8, 0), "");
    struct llvm_value *branch
        = llvm.BuildCondBr(marker->builder, resumed, on, marker->leave);
    struct llvm_metadata *mark = llvm.MDNodeInContext2(weiri_ir_context(), NULL, 0);
    llvm.SetMetadata(branch, weiri_mark_resumed(),
                     llvm.MetadataAsValue(weiri_ir_context(), mark));
}

static struct llvm_value *soft_marker(struct marker *marker)
{
    struct llvm_value *found
        = llvm.GetNamedFunction(marker->module, "weiri_split_soft");
    return found != NULL
        ? found
        : llvm.AddFunction(
            marker->module, "weiri_split_soft",
            llvm.FunctionType(llvm.VoidTypeInContext(weiri_ir_context()), NULL, 0, 0));
}

static void stop_softly(struct marker *marker, struct llvm_value *before)
{
    struct llvm_block *on = llvm.GetInstructionParent(before);
    struct llvm_block *head = split_before(marker, before);
    llvm.PositionBuilderAtEnd(marker->builder, head);
    call(marker, soft_marker(marker), NULL, 0);
    suspend(marker, head, on);
}

/* Comparisons with what a stop returns, 0, are known. */
static void fold_uses(struct llvm_value *stop)
{
    GPtrArray *users = g_ptr_array_new();
    for (struct llvm_use *use = llvm.GetFirstUse(stop); use != NULL;
         use = llvm.GetNextUse(use)) {
        g_ptr_array_add(users, llvm.GetUser(use));
    }
    for (guint i = 0; i < users->len; i++) {
        struct llvm_value *user = g_ptr_array_index(users, i);
        struct llvm_value *other = llvm.GetInstructionOpcode(user) == LLVM_ICMP
            ? llvm.IsAConstantInt(llvm.GetOperand(user, 1))
            : NULL;
        int predicate = other != NULL ? llvm.GetICmpPredicate(user) : 0;
        if (predicate == LLVM_EQ || predicate == LLVM_NE) {
            bool equal = llvm.ConstIntGetZExtValue(other) == 0;
            llvm.ReplaceAllUsesWith(
                user, weiri_ir_constant(1, equal == (predicate == LLVM_EQ)));
            llvm.InstructionEraseFromParent(user);
        }
    }
    g_ptr_array_free(users, TRUE);
}

static void stop(struct marker *marker, struct llvm_value *at)
{
    struct llvm_block *on = llvm.GetInstructionParent(at);
    struct llvm_value *arguments[3];
    for (unsigned i = 0; i < 3; i++) {
        arguments[i] = llvm.GetOperand(at, i);
    }
    struct llvm_block *head = split_before(marker, at);
    llvm.PositionBuilderAtEnd(marker->builder, head);
    struct llvm_value *tell = llvm.GetNamedFunction(marker->module, "weiri_split_tell");
    struct llvm_value *told = call(marker, tell, arguments, 3);
    llvm.InstructionSetDebugLoc(told, llvm.InstructionGetDebugLoc(at));
    suspend(marker, head, on);
    fold_uses(at);
    llvm.ReplaceAllUsesWith(at, weiri_ir_constant(32, 0));
    llvm.InstructionEraseFromParent(at);
}

/* The block leaves at @from, in place of all that follows. */
static void leave_at(struct marker *marker, struct llvm_value *from)
{
    llvm.PositionBuilderBefore(marker->builder, from);
    llvm.BuildBr(marker->builder, marker->leave);
    while (from != NULL) {
        struct llvm_value *next = llvm.GetNextInstruction(from);
        llvm.InstructionEraseFromParent(from);
        from = next;
    }
}

static void begin(struct marker *marker, struct llvm_value *at)
{
    struct llvm_value *null = llvm.ConstNull(weiri_ir_pointer());
    struct llvm_value *id[] = { weiri_ir_constant(32, 0), null, null, null };
    llvm.PositionBuilderBefore(marker->builder, at);
    struct llvm_value *token = call(marker, intrinsic(marker, "llvm.coro.id"), id, 4);
    struct llvm_value *handle[] = { token, llvm.GetOperand(at, 0) };
    call(marker, intrinsic(marker, "llvm.coro.begin"), handle, 2);
    llvm.InstructionEraseFromParent(at);
}

static void write_leave(struct marker *marker)
{
    struct llvm_value *end = intrinsic(marker, "llvm.coro.end");
    struct llvm_value *arguments[]
        = { llvm.ConstNull(weiri_ir_pointer()), weiri_ir_constant(1, 0), no_token() };
    llvm.PositionBuilderAtEnd(marker->builder, marker->leave);
    /* LLVM 17 and later have the results as a token, too. */
    call(marker, end, arguments, llvm.CountParamTypes(llvm.GlobalGetValueType(end)));
    llvm.BuildRetVoid(marker->builder);
}

static void replace_calls(struct marker *marker, GPtrArray *values)
{
    for (guint i = 0; i < values->len; i++) {
        struct llvm_value *value = g_ptr_array_index(values, i);
        if (weiri_ir_calls(value, "weiri_split_stop")) {
            stop(marker, value);
        } else if (weiri_ir_calls(value, "weiri_split_begin")) {
            begin(marker, value);
        } else if (weiri_ir_calls(value, "weiri_split_leave")
                   || llvm.GetInstructionOpcode(value) == LLVM_RET) {
            leave_at(marker, value);
        }
    }
}

static bool is_replaced(struct llvm_value *value)
{
    return weiri_ir_calls(value, "weiri_split_stop")
        || weiri_ir_calls(value, "weiri_split_begin")
        || weiri_ir_calls(value, "weiri_split_leave")
        || llvm.GetInstructionOpcode(value) == LLVM_RET;
}

static void set_attributes(struct llvm_value *function)
{
    static const char coroutine[] = "presplitcoroutine";
    unsigned kind = weiri_ir_attribute(coroutine);
    struct llvm_context *context = weiri_ir_context();
    llvm.AddAttributeAtIndex(
        function, LLVM_FUNCTION,
        kind != 0 ? llvm.CreateEnumAttribute(context, kind, 0)
                  : llvm.CreateStringAttribute(context, "coroutine.presplit",
                                               strlen("coroutine.presplit"), "0", 1));
    /* A body that does not end is noreturn, but its parts return at their stops. */
    llvm.RemoveEnumAttributeAtIndex(function, LLVM_FUNCTION,
                                    weiri_ir_attribute("noreturn"));
}

static struct llvm_value *first_after_phis(struct llvm_block *block)
{
    struct llvm_value *v = llvm.GetFirstInstruction(block);
    while (llvm.GetInstructionOpcode(v) == LLVM_PHI) {
        v = llvm.GetNextInstruction(v);
    }
    return v;
}

void weiri_mark_without_notes(struct weiri_kernel *kernel)
{
    llvm.GlobalEraseMetadata(kernel->item, weiri_metadata_kind("dbg"));
    for (struct llvm_block *block = llvm.GetFirstBasicBlock(kernel->item);
         block != NULL; block = llvm.GetNextBasicBlock(block)) {
        struct llvm_value *next;
        for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != NULL;
             v = next) {
            next = llvm.GetNextInstruction(v);
            if (g_str_has_prefix(weiri_ir_callee(v), "llvm.dbg.")) {
                llvm.InstructionEraseFromParent(v);
            }
        }
    }
}

void weiri_mark(struct llvm_module *module, struct weiri_kernel *kernel,
                const struct weiri_loops *loops)
{
    const struct weiri_ir *ir = loops->ir;
    struct marker marker
        = { .module = module,
            .function = kernel->item,
            .builder = llvm.CreateBuilderInContext(weiri_ir_context()) };
    GPtrArray *calls = g_ptr_array_new();
    marker.leave = llvm.AppendBasicBlockInContext(weiri_ir_context(), kernel->item,
                                                  "weiri.leave");
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        if (is_replaced(ir->value[i])) {
            g_ptr_array_add(calls, ir->value[i]);
        }
    }
    load_all_again(&marker, loops);
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        keep(&marker, ir->value[i]);
    }
    for (uint32_t b = 0; b < ir->n_blocks; b++) {
        if (loops->starts[b]) {
            stop_softly(&marker, first_after_phis(ir->blocks[b].ref));
        }
        if (loops->ends[b]) {
            stop_softly(&marker, llvm.GetBasicBlockTerminator(ir->blocks[b].ref));
        }
    }
    replace_calls(&marker, calls);
    write_leave(&marker);
    set_attributes(kernel->item);
    llvm.DisposeBuilder(marker.builder);
    g_ptr_array_free(calls, TRUE);
}
