/* SPDX-License-Identifier: MIT
 *
 * clone.c: see clone.h.
 *
 * A scalar copy runs one item, past soft stops, to the next stop of the source. In a
 * copy for all items at once, the part ends at soft stops, too; code that only scalar
 * passes need is left out; and a member that is the same in all items, or has a stride,
 * is computed from item 0's.
 *
 * The arguments and the shape do not change while the entry runs, which has copies of
 * them. Their members are loaded from the copies, so that they stay in registers. An
 * address in them is an address of the original, which is valid after the entry has
 * returned.
 *
 * Metadata is kept only if it says something about its own instruction alone. A scope
 * of aliases, for example, holds within one call of the body, and a loop over items
 * makes several. */
#include "config.h"

#include "split/clone.h"

#include "split/metadata.h"

#include <string.h>

void weiri_clone_init(struct weiri_clone *clone, const struct weiri_flow *flow)
{
    *clone = (struct weiri_clone){
        .flow = flow,
        .builder = llvm.CreateBuilderInContext(weiri_ir_context()),
        .bases = g_new0(struct llvm_value *, flow->n_fields),
        .shared = g_new0(struct llvm_value *, flow->n_fields),
        .values = g_hash_table_new(NULL, NULL),
        .copies = g_hash_table_new(NULL, NULL),
        .blocks = g_hash_table_new(NULL, NULL),
        .arrays = g_ptr_array_new(),
        .results = g_ptr_array_new(),
    };
}

void weiri_clone_clear(struct weiri_clone *clone)
{
    llvm.DisposeBuilder(clone->builder);
    g_free(clone->bases);
    g_free(clone->shared);
    g_hash_table_unref(clone->values);
    g_hash_table_unref(clone->copies);
    g_hash_table_unref(clone->blocks);
    g_ptr_array_free(clone->arrays, TRUE);
    g_ptr_array_free(clone->results, TRUE);
}

void weiri_clone_at(struct weiri_clone *clone, struct llvm_block *block)
{
    llvm.PositionBuilderAtEnd(clone->builder, block);
    llvm.SetCurrentDebugLocation2(clone->builder, NULL);
}

/* ---- The frame ------------------------------------------------------------ */

void weiri_clone_bases(struct weiri_clone *clone)
{
    for (uint32_t f = 0; f < clone->flow->n_fields; f++) {
        const struct weiri_flow_member *field = &clone->flow->fields[f];
        if (field->used && field->saves == 0) {
            struct llvm_value *bytes
                = llvm.BuildBinOp(clone->builder, LLVM_MUL, clone->capacity,
                                  weiri_ir_constant(64, field->offset), "");
            clone->bases[f] = llvm.BuildGEP2(clone->builder, weiri_ir_int(8),
                                             clone->frames, &bytes, 1, "");
        }
    }
}

struct llvm_value *weiri_clone_address(struct weiri_clone *clone, uint32_t f,
                                       struct llvm_value *item)
{
    const struct weiri_flow_member *field = &clone->flow->fields[f];
    struct llvm_type *pointer = llvm.PointerType(field->type, 0);
    if (weiri_ir_is_scalar(field->type)) {
        struct llvm_value *base = weiri_ir_as(clone->builder, clone->bases[f], pointer);
        return llvm.BuildInBoundsGEP2(clone->builder, field->type, base, &item, 1, "");
    }
    struct llvm_value *bytes = llvm.BuildBinOp(clone->builder, LLVM_MUL, item,
                                               weiri_ir_constant(64, field->bytes), "");
    struct llvm_value *address = llvm.BuildInBoundsGEP2(clone->builder, weiri_ir_int(8),
                                                        clone->bases[f], &bytes, 1, "");
    return weiri_ir_as(clone->builder, address, pointer);
}

/* A variable that the compiler keeps in memory is reached by other addresses, too, with
 * types of their own. */
void weiri_clone_note(const struct weiri_clone *clone, struct llvm_value *access,
                      uint32_t f)
{
    unsigned tbaa = weiri_metadata_kind("tbaa");
    if (f != WEIRI_IR_NONE && !clone->flow->fields[f].escapes
        && llvm.GetMetadata(access, tbaa) == NULL) {
        llvm.SetMetadata(access, tbaa, clone->tag);
    }
    if (clone->access != NULL) {
        llvm.SetMetadata(access, weiri_metadata_kind("llvm.access.group"),
                         clone->access);
    }
}

bool weiri_clone_uses_stack(struct llvm_value *value)
{
    if (weiri_ir_kind(value) == WEIRI_IR_NOTE) {
        return false;
    }
    int n = llvm.GetNumOperands(value);
    for (int i = 0; i < n; i++) {
        struct llvm_value *operand = llvm.GetOperand(value, (unsigned)i);
        while (llvm.IsAInstruction(operand) != NULL
               && weiri_ir_kind(operand) == WEIRI_IR_ADDRESS) {
            operand = llvm.GetOperand(operand, 0);
        }
        if (llvm.IsAInstruction(operand) != NULL
            && llvm.GetInstructionOpcode(operand) == LLVM_ALLOCA) {
            return true;
        }
    }
    return false;
}

/* ---- Values --------------------------------------------------------------- */

static struct llvm_value *mapped(const struct weiri_clone *clone,
                                 struct llvm_value *value)
{
    struct llvm_value *to = g_hash_table_lookup(clone->values, value);
    return to != NULL ? to : value;
}

static void map(struct weiri_clone *clone, struct llvm_value *from,
                struct llvm_value *to)
{
    g_hash_table_insert(clone->values, from, to);
}

/* Metadata that holds of each copy of an instruction by itself. */
static bool is_kept(unsigned kind, bool together)
{
    static const char *const kept[] = { "dbg",
                                        "tbaa",
                                        "tbaa.struct",
                                        "prof",
                                        "fpmath",
                                        "range",
                                        "nonnull",
                                        "dereferenceable",
                                        "align",
                                        "noundef",
                                        "unpredictable",
                                        "srcloc",
                                        "dereferenceable_or_null",
                                        "weiri.turn" };
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
        if (kind == weiri_metadata_kind(kept[i])) {
            return true;
        }
    }
    return !together && kind == weiri_metadata_kind("llvm.loop");
}

static void clean_metadata(const struct weiri_clone *clone, struct llvm_value *value)
{
    size_t n;
    struct llvm_entries *entries
        = llvm.InstructionGetAllMetadataOtherThanDebugLoc(value, &n);
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = llvm.ValueMetadataEntriesGetKind(entries, i);
        if (!is_kept(kind, clone->together)) {
            llvm.SetMetadata(value, kind, NULL);
        }
    }
    llvm.DisposeValueMetadataEntries(entries);
}

static struct llvm_value *copy(struct weiri_clone *clone, struct llvm_value *value)
{
    struct llvm_value *to = llvm.InstructionClone(value);
    llvm.InsertIntoBuilder(clone->builder, to);
    clean_metadata(clone, to);
    int n = llvm.GetNumOperands(to);
    for (int i = 0; i < n; i++) {
        struct llvm_value *operand = llvm.GetOperand(to, (unsigned)i);
        llvm.SetOperand(to, (unsigned)i, mapped(clone, operand));
    }
    return to;
}

static struct llvm_value *copied(const struct weiri_clone *clone,
                                 struct llvm_value *value)
{
    return g_hash_table_lookup(clone->copies, value);
}

/* An address in the arguments or the shape is one in their copies, too. */
static void copy_address(struct weiri_clone *clone, struct llvm_value *value)
{
    int n = llvm.GetNumOperands(value);
    bool any = false;
    for (int i = 0; i < n; i++) {
        any |= copied(clone, llvm.GetOperand(value, (unsigned)i)) != NULL;
    }
    map(clone, value, copy(clone, value));
    if (any) {
        struct llvm_value *to = copy(clone, value);
        for (int i = 0; i < n; i++) {
            struct llvm_value *other
                = copied(clone, llvm.GetOperand(value, (unsigned)i));
            if (other != NULL) {
                llvm.SetOperand(to, (unsigned)i, other);
            }
        }
        g_hash_table_insert(clone->copies, value, to);
    }
}

static void load_parameter(struct weiri_clone *clone, struct llvm_value *load,
                           uint32_t saves)
{
    struct llvm_value *to = clone->parameters[saves];
    map(clone, load, to);
    if (saves == WEIRI_SPLIT_ARGS || saves == WEIRI_SPLIT_SHAPE_OF) {
        g_hash_table_insert(clone->copies, load,
                            saves == WEIRI_SPLIT_ARGS ? clone->args_copy
                                                      : clone->shape_copy);
    }
}

/* The member of the item, computed from item 0's. */
static struct llvm_value *make_shared(struct weiri_clone *clone, uint32_t f)
{
    const struct weiri_flow_member *field = &clone->flow->fields[f];
    if (field->stride == 0) {
        return clone->shared[f];
    }
    struct llvm_builder *builder = clone->builder;
    struct llvm_value *i = clone->parameters[WEIRI_SPLIT_I];
    if (llvm.TypeOf(i) != field->type) {
        i = llvm.BuildCast(builder, LLVM_TRUNC, i, field->type, "");
    }
    struct llvm_value *by
        = llvm.ConstInt(field->type, (unsigned long long)field->stride, 1);
    return llvm.BuildBinOp(builder, LLVM_ADD, clone->shared[f],
                           llvm.BuildBinOp(builder, LLVM_MUL, i, by, ""), "");
}

static void copy_load(struct weiri_clone *clone, uint32_t number)
{
    const struct weiri_flow *flow = clone->flow;
    struct llvm_value *load = flow->ir->value[number];
    uint32_t f = WEIRI_IR_NONE;
    bool of_frame = weiri_flow_field(flow, load, &f);
    if (of_frame && flow->fields[f].saves != 0) {
        load_parameter(clone, load, flow->fields[f].saves);
        return;
    }
    if (of_frame && clone->together
        && weiri_flow_is_shared(flow, clone->part, number)) {
        map(clone, load, make_shared(clone, f));
        return;
    }
    struct llvm_value *to = copy(clone, load);
    struct llvm_value *other = copied(clone, weiri_ir_address(load));
    if (other != NULL) {
        llvm.SetOperand(to, 0, other);
    }
    weiri_clone_note(clone, to, of_frame ? f : WEIRI_IR_NONE);
    map(clone, load, to);
}

/* ---- Instructions --------------------------------------------------------- */

static bool is_stop_store(const struct weiri_clone *clone, struct llvm_value *value)
{
    uint32_t f;
    return llvm.GetInstructionOpcode(value) == LLVM_STORE
        && weiri_flow_field(clone->flow, value, &f) && f == clone->flow->index;
}

static void copy_store(struct weiri_clone *clone, struct llvm_value *store)
{
    uint32_t f = WEIRI_IR_NONE;
    if (llvm.GetOperand(store, 0) == clone->flow->frame) {
        return; /* for debuggers */
    }
    struct llvm_value *to = copy(clone, store);
    (void)weiri_flow_field(clone->flow, store, &f);
    weiri_clone_note(clone, to, f);
}

static void copy_call(struct weiri_clone *clone, struct llvm_value *call)
{
    enum weiri_ir_kind kind = weiri_ir_kind(call);
    /* A loop over items has no variables on the stack, whose lives notes may state. */
    if (kind == WEIRI_IR_SOFT
        || (clone->together && (kind == WEIRI_IR_TELL || kind == WEIRI_IR_NOTE))) {
        return;
    }
    const char *name = weiri_ir_callee(call);
    if (g_str_has_prefix(name, "llvm.dbg.")
        || g_str_has_prefix(name, "llvm.experimental.noalias.scope.decl")) {
        return;
    }
    for (guint i = 0; i < clone->arrays->len; i++) {
        if (g_ptr_array_index(clone->arrays, i) == call) {
            map(clone, call, g_ptr_array_index(clone->results, i));
            return;
        }
    }
    struct llvm_value *to = copy(clone, call);
    llvm.SetTailCall(to, 0);
    map(clone, call, to);
}

static void copy_instruction(struct weiri_clone *clone, uint32_t number)
{
    struct llvm_value *value = clone->flow->ir->value[number];
    uint32_t f = clone->flow->field_of[number];
    if (f != WEIRI_IR_NONE) {
        if (clone->flow->fields[f].saves == 0) {
            struct llvm_value *address
                = weiri_clone_address(clone, f, clone->parameters[WEIRI_SPLIT_I]);
            map(clone, value, weiri_ir_as(clone->builder, address, llvm.TypeOf(value)));
        }
        return;
    }
    switch (llvm.GetInstructionOpcode(value)) {
    case LLVM_PHI:
        map(clone, value, llvm.BuildPhi(clone->builder, llvm.TypeOf(value), ""));
        break;
    case LLVM_LOAD:
        copy_load(clone, number);
        break;
    case LLVM_STORE:
        copy_store(clone, value);
        break;
    case LLVM_CALL:
        copy_call(clone, value);
        break;
    case LLVM_GEP:
    case LLVM_BITCAST:
        copy_address(clone, value);
        break;
    default:
        map(clone, value, copy(clone, value));
        break;
    }
}

/* ---- Blocks --------------------------------------------------------------- */

static struct llvm_block *block_of(const struct weiri_clone *clone, uint32_t b)
{
    return g_hash_table_lookup(clone->blocks, clone->flow->ir->blocks[b].ref);
}

/* The item stops, and part @p comes next; 0: it has returned. */
static void stop(struct weiri_clone *clone, uint32_t p)
{
    struct llvm_value *next = weiri_ir_constant(32, p);
    if (clone->place != NULL) {
        llvm.AddIncoming(clone->place, &next, &clone->here, 1);
    }
    llvm.BuildBr(clone->builder, clone->stopped);
}

/* Ends the copy of block @b. */
static void copy_end(struct weiri_clone *clone, uint32_t b)
{
    const struct weiri_ir *ir = clone->flow->ir;
    struct llvm_value *last = ir->value[ir->blocks[b].end - 1];
    if (ir->blocks[b].n_next == 1) {
        struct llvm_value *to
            = llvm.BuildBr(clone->builder, block_of(clone, ir->blocks[b].next[0]));
        struct llvm_value *loop
            = llvm.GetMetadata(last, weiri_metadata_kind("llvm.loop"));
        if (loop != NULL && !clone->together) {
            llvm.SetMetadata(to, weiri_metadata_kind("llvm.loop"), loop);
        }
        llvm.InstructionSetDebugLoc(to, llvm.InstructionGetDebugLoc(last));
    } else if (llvm.GetInstructionOpcode(last) == LLVM_RET) {
        stop(clone, 0);
    } else {
        struct llvm_value *to = copy(clone, last);
        for (unsigned i = 0; i < llvm.GetNumSuccessors(to); i++) {
            uint32_t next = weiri_ir_block(ir, llvm.GetSuccessor(last, i));
            llvm.SetSuccessor(to, i, block_of(clone, next));
        }
    }
}

/* A copy runs past this stop. */
static bool runs_past(const struct weiri_clone *clone, uint32_t b)
{
    uint32_t p = clone->flow->stop_of[b];
    return p == WEIRI_IR_NONE || (!clone->together && clone->flow->stops[p].soft);
}

static void copy_block(struct weiri_clone *clone, uint32_t b)
{
    const struct weiri_ir_block *block = &clone->flow->ir->blocks[b];
    clone->here = block_of(clone, b);
    weiri_clone_at(clone, clone->here);
    for (uint32_t i = block->first; i + 1 < block->end; i++) {
        struct llvm_value *value = clone->flow->ir->value[i];
        if (!is_stop_store(clone, value)) {
            copy_instruction(clone, i);
        } else if (!runs_past(clone, b)) {
            uint32_t p = clone->flow->stop_of[b];
            if (!clone->together) {
                struct llvm_value *store = llvm.BuildStore(
                    clone->builder, weiri_ir_constant(32, p),
                    weiri_clone_address(clone, clone->flow->index,
                                        clone->parameters[WEIRI_SPLIT_I]));
                weiri_clone_note(clone, store, clone->flow->index);
            }
            stop(clone, p);
            return;
        }
    }
    copy_end(clone, b);
}

/* Adds the blocks that the copy has, each after all that it follows, but for loops. */
static void order_blocks(const struct weiri_clone *clone, bool *seen, uint32_t b,
                         GArray *order)
{
    const struct weiri_ir_block *block = &clone->flow->ir->blocks[b];
    seen[b] = true;
    for (uint32_t k = 0; runs_past(clone, b) && k < block->n_next; k++) {
        if (!seen[block->next[k]]) {
            order_blocks(clone, seen, block->next[k], order);
        }
    }
    g_array_prepend_val(order, b);
}

/* Whether the copy has the way by which incoming value @k of a phi in block @b comes. A
 * branch of which one way is left has one for several. */
static bool leads_to(const struct weiri_ir *ir, struct llvm_value *phi, unsigned k,
                     uint32_t from, uint32_t b)
{
    const struct weiri_ir_block *block = &ir->blocks[from];
    if (block->n_next == 1) {
        for (unsigned i = 0; i < k; i++) {
            if (llvm.GetIncomingBlock(phi, i) == block->ref) {
                return false;
            }
        }
    }
    for (uint32_t n = 0; n < block->n_next; n++) {
        if (block->next[n] == b) {
            return true;
        }
    }
    return false;
}

static void fill_phis(struct weiri_clone *clone, const bool *seen, uint32_t b)
{
    const struct weiri_ir *ir = clone->flow->ir;
    for (uint32_t i = ir->blocks[b].first; i < ir->blocks[b].end; i++) {
        struct llvm_value *phi = ir->value[i];
        if (weiri_ir_kind(phi) != WEIRI_IR_PHI) {
            break;
        }
        struct llvm_value *to = mapped(clone, phi);
        for (unsigned k = 0; k < llvm.CountIncoming(phi); k++) {
            uint32_t from = weiri_ir_block(ir, llvm.GetIncomingBlock(phi, k));
            if (!seen[from] || !runs_past(clone, from)
                || !leads_to(ir, phi, k, from, b)) {
                continue;
            }
            struct llvm_value *value = mapped(clone, llvm.GetIncomingValue(phi, k));
            struct llvm_block *block = block_of(clone, from);
            llvm.AddIncoming(to, &value, &block, 1);
        }
    }
}

/* The blocks before the choice of a part have the addresses of variables: on the stack,
 * which a part for all items does not use, or in the frame. */
static void copy_entry(struct weiri_clone *clone)
{
    const struct weiri_ir *ir = clone->flow->ir;
    weiri_clone_at(clone, clone->entry);
    for (uint32_t b = 0; ir->blocks[b].n_next > 0; b = ir->blocks[b].next[0]) {
        for (uint32_t i = ir->blocks[b].first; i + 1 < ir->blocks[b].end; i++) {
            uint32_t f;
            bool index = weiri_flow_field(clone->flow, ir->value[i], &f)
                && f == clone->flow->index;
            bool stack = llvm.GetInstructionOpcode(ir->value[i]) == LLVM_ALLOCA
                || weiri_clone_uses_stack(ir->value[i]);
            if (!index && !(stack && clone->together)) {
                copy_instruction(clone, i);
            }
        }
        if (ir->blocks[b].n_next > 1 || b == clone->flow->choice) {
            break;
        }
    }
}

struct llvm_block *weiri_clone_part(struct weiri_clone *clone)
{
    const struct weiri_ir *ir = clone->flow->ir;
    GArray *order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autofree bool *seen = g_new0(bool, ir->n_blocks);
    uint32_t start = clone->flow->parts[clone->part].start;
    order_blocks(clone, seen, start, order);
    map(clone, clone->flow->frame, clone->frames);
    copy_entry(clone);
    for (guint i = 0; i < order->len; i++) {
        struct llvm_block *block
            = llvm.AppendBasicBlockInContext(weiri_ir_context(), clone->function, "");
        g_hash_table_insert(clone->blocks,
                            ir->blocks[g_array_index(order, uint32_t, i)].ref, block);
    }
    for (guint i = 0; i < order->len; i++) {
        copy_block(clone, g_array_index(order, uint32_t, i));
    }
    for (guint i = 0; i < order->len; i++) {
        fill_phis(clone, seen, g_array_index(order, uint32_t, i));
    }
    g_array_free(order, TRUE);
    return block_of(clone, start);
}

/* ---- Arrays --------------------------------------------------------------- */

/* Values that each item computes before any branch, as far as they are known before the
 * loop. */
struct hoist {
    const struct weiri_flow *flow;
    uint32_t part;
    struct weiri_clone *clone; /* NULL: nothing is written */
    bool *known;
};

static bool operands_are_known(const struct hoist *hoist, struct llvm_value *value)
{
    int n = llvm.GetNumOperands(value);
    for (int i = 0; i < n; i++) {
        uint32_t number
            = weiri_ir_number(hoist->flow->ir, llvm.GetOperand(value, (unsigned)i));
        if (number != WEIRI_IR_NONE && !hoist->known[number]) {
            return false;
        }
    }
    return true;
}

static struct llvm_value *arrays_function(const struct weiri_flow *flow,
                                          struct llvm_value *call)
{
    struct llvm_value *found
        = llvm.GetNamedFunction(flow->module, "weiri_split_arrays");
    return found != NULL
        ? found
        : llvm.AddFunction(flow->module, "weiri_split_arrays",
                           llvm.GlobalGetValueType(llvm.GetCalledValue(call)));
}

static void hoist_array(struct weiri_clone *clone, struct llvm_value *call)
{
    struct llvm_value *arguments[5];
    for (unsigned i = 0; i < 5; i++) {
        arguments[i] = mapped(clone, llvm.GetOperand(call, i));
    }
    struct llvm_value *arrays = arrays_function(clone->flow, call);
    struct llvm_value *result = llvm.BuildCall2(
        clone->builder, llvm.GlobalGetValueType(arrays), arrays, arguments, 5, "");
    llvm.InstructionSetDebugLoc(result, llvm.InstructionGetDebugLoc(call));
    g_ptr_array_add(clone->arrays, call);
    g_ptr_array_add(clone->results, result);
    map(clone, call, result);
}

/* A load of the frame: of a parameter, or of a member that all items share. */
static void hoist_member(struct hoist *hoist, uint32_t number, uint32_t f)
{
    struct llvm_value *load = hoist->flow->ir->value[number];
    uint32_t saves = hoist->flow->fields[f].saves;
    hoist->known[number]
        = saves != 0 || weiri_flow_is_shared(hoist->flow, hoist->part, number);
    if (hoist->known[number] && hoist->clone != NULL) {
        if (saves != 0) {
            load_parameter(hoist->clone, load, saves);
        } else {
            map(hoist->clone, load, hoist->clone->shared[f]);
        }
    }
}

static void hoist_value(struct hoist *hoist, uint32_t number)
{
    struct llvm_value *value = hoist->flow->ir->value[number];
    struct weiri_clone *clone = hoist->clone;
    enum weiri_ir_kind kind = weiri_ir_kind(value);
    uint32_t f;
    if (weiri_flow_field(hoist->flow, value, &f)) {
        if (kind == WEIRI_IR_LOAD) {
            hoist_member(hoist, number, f);
        }
        return;
    }
    bool pure = kind == WEIRI_IR_LOAD || kind == WEIRI_IR_ADDRESS
        || kind == WEIRI_IR_ARRAY
        || (kind == WEIRI_IR_COMPUTES && llvm.GetInstructionOpcode(value) != LLVM_CALL);
    if (!pure || !operands_are_known(hoist, value)) {
        return;
    }
    hoist->known[number] = true;
    if (clone == NULL) {
        return;
    }
    if (kind == WEIRI_IR_ARRAY) {
        hoist_array(clone, value);
    } else if (kind == WEIRI_IR_ADDRESS) {
        copy_address(clone, value);
    } else {
        struct llvm_value *to = copy(clone, value);
        struct llvm_value *other
            = kind == WEIRI_IR_LOAD ? copied(clone, weiri_ir_address(value)) : NULL;
        if (other != NULL) {
            llvm.SetOperand(to, 0, other);
        }
        map(clone, value, to);
    }
}

bool weiri_clone_hoist(const struct weiri_flow *flow, uint32_t part,
                       struct weiri_clone *clone)
{
    const struct weiri_ir *ir = flow->ir;
    g_autofree bool *known = g_new0(bool, ir->n_values);
    struct hoist hoist = { flow, part, clone, known };
    uint32_t end = 0;
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        if (flow->parts[part].in[ir->block_of[i]]
            && weiri_ir_kind(ir->value[i]) == WEIRI_IR_ARRAY) {
            end = i + 1;
        }
    }
    for (uint32_t i = ir->n_params; i < end; i++) {
        struct llvm_value *value = ir->value[i];
        bool array = weiri_ir_kind(value) == WEIRI_IR_ARRAY;
        if (!flow->parts[part].in[ir->block_of[i]]) {
            continue;
        }
        if (flow->parts[part].straight[ir->block_of[i]]
            && weiri_stride_of(&flow->strides, value) == 0) {
            hoist_value(&hoist, i);
        }
        if (array && !known[i]) {
            return false;
        }
    }
    if (clone != NULL) { /* the copy of the part makes its own */
        g_hash_table_remove_all(clone->values);
        g_hash_table_remove_all(clone->copies);
    }
    return true;
}
