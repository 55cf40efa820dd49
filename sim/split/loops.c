/* SPDX-License-Identifier: MIT
 *
 * loops.c: see loops.h.
 *
 * Some loops get stops that are *soft*: scalar passes run past them. An innermost loop
 * does if its items read neighbouring elements, as on a GPU, and nothing in it hinders
 * vectors. Then a pass runs one iteration of all items, in the order of memory, in
 * place of all iterations of one item, which strides through it. One stop is at the end
 * of the body, and one where each way out leads, so that the code after the loop is
 * another part. A loop with barriers gets soft stops of the second kind, where the part
 * that follows it is not plain.
 *
 * A soft stop changes no result: the analysis may guess. */
#include "config.h"

#include "split/loops.h"

#include "split/kernels.h"
#include "split/stride.h"

#include <string.h>

struct finder {
    struct weiri_loops *loops;
    const struct weiri_ir *ir;
    struct llvm_layout *layout;
    struct weiri_strides strides;
    int64_t *reach; /* of each address: how many bytes neighbours are apart; or NONE */
    uint32_t *back; /* of each block: the header that it leads back to */
    uint32_t *n_latches; /* of each block: of the loops that it is the header of */
    bool *passed;        /* of each block, in a walk */
    GPtrArray *taken;    /* (element-type bool*): the blocks of loops that got stops */
};

static struct llvm_value *value_at(const struct finder *finder, uint32_t number)
{
    return finder->ir->value[number];
}

/* ---- Strides -------------------------------------------------------------- */

static int64_t stride_of_phi(const struct finder *finder, struct llvm_value *phi)
{
    int64_t found = 0;
    for (unsigned i = 0; i < llvm.CountIncoming(phi); i++) {
        int64_t c = weiri_stride_of(&finder->strides, llvm.GetIncomingValue(phi, i));
        if (c != 0 && found != 0 && c != found) {
            return WEIRI_STRIDE_NONE;
        }
        found = c == 0 ? found : c;
    }
    return found;
}

/* Sets reach[] of the result, and whether it is constant. */
static int64_t stride_of_address(struct finder *finder, uint32_t number)
{
    struct llvm_value *address = value_at(finder, number);
    struct weiri_strides *strides = &finder->strides;
    int n = llvm.GetNumOperands(address);
    for (int i = 0; i < n; i++) {
        strides->constant[number]
            |= weiri_stride_constant(strides, llvm.GetOperand(address, (unsigned)i));
    }
    if (!weiri_stride_varies(strides, address)) {
        finder->reach[number] = 0;
        return 0;
    }
    finder->reach[number] = WEIRI_STRIDE_NONE;
    if (llvm.GetInstructionOpcode(address) == LLVM_GEP && n == 2
        && weiri_stride_of(strides, llvm.GetOperand(address, 0)) == 0) {
        int64_t c = weiri_stride_of(strides, llvm.GetOperand(address, 1));
        struct llvm_type *type = llvm.GetGEPSourceElementType(address);
        if (c != WEIRI_STRIDE_NONE && weiri_ir_is_scalar(type)) {
            finder->reach[number]
                = c * (int64_t)llvm.ABISizeOfType(finder->layout, type);
        }
    }
    return WEIRI_STRIDE_NONE;
}

static int64_t stride_of(struct finder *finder, uint32_t number)
{
    struct llvm_value *value = value_at(finder, number);
    const struct weiri_strides *strides = &finder->strides;
    switch (weiri_ir_kind(value)) {
    case WEIRI_IR_LOAD:
        return weiri_stride_constant(strides, weiri_ir_address(value))
            ? 0
            : WEIRI_STRIDE_NONE;
    case WEIRI_IR_PHI:
        return stride_of_phi(finder, value);
    case WEIRI_IR_ADDRESS:
        return stride_of_address(finder, number);
    case WEIRI_IR_ARRAY:
        return 0;
    case WEIRI_IR_GROUP:
        return weiri_stride_varies(strides, value) ? WEIRI_STRIDE_NONE : 0;
    case WEIRI_IR_COMPUTES:
        return weiri_stride_of_result(strides, value);
    default:
        return WEIRI_STRIDE_NONE;
    }
}

static bool has_result(struct llvm_value *value)
{
    return llvm.TypeOf(value) != llvm.VoidTypeInContext(weiri_ir_context());
}

static void find_strides(struct finder *finder)
{
    struct weiri_strides *strides = &finder->strides;
    strides->constant[WEIRI_SPLIT_ARGS] = strides->constant[WEIRI_SPLIT_SHAPE_OF]
        = true;
    for (uint32_t i = WEIRI_SPLIT_I; i <= WEIRI_SPLIT_Z; i++) {
        strides->is_id[i] = i <= WEIRI_SPLIT_X;
        strides->of[i] = i <= WEIRI_SPLIT_X ? 1 : WEIRI_STRIDE_NONE;
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = finder->ir->n_params; i < finder->ir->n_values; i++) {
            if (has_result(value_at(finder, i))
                && strides->of[i] != WEIRI_STRIDE_NONE) {
                changed |= weiri_stride_set(strides, i, stride_of(finder, i));
            }
        }
    }
}

/* ---- Kinds ---------------------------------------------------------------- */

static bool is_stop(struct llvm_value *value)
{
    return weiri_ir_calls(value, "weiri_split_stop");
}

/* Names of calls that become a stop, or leave the body. */
static bool is_end(struct llvm_value *value)
{
    return is_stop(value) || weiri_ir_calls(value, "weiri_split_leave");
}

static bool is_of_split(struct llvm_value *value)
{
    return g_str_has_prefix(weiri_ir_callee(value), "weiri_split_");
}

static bool is_plain(const struct finder *finder, struct llvm_value *value)
{
    enum weiri_ir_kind kind = weiri_ir_kind(value);
    return weiri_ir_is_plain(kind)
        && !((kind == WEIRI_IR_ARRAY || kind == WEIRI_IR_GROUP)
             && weiri_stride_varies(&finder->strides, value));
}

/* ---- Loops ---------------------------------------------------------------- */

/* Sets back[b] to h where b -> h closes a loop. */
static void visit(struct finder *finder, uint8_t *colour, uint32_t b)
{
    const struct weiri_ir_block *block = &finder->ir->blocks[b];
    colour[b] = 1;
    for (uint32_t k = 0; k < block->n_next; k++) {
        uint32_t to = block->next[k];
        if (colour[to] == 0) {
            visit(finder, colour, to);
        } else if (colour[to] == 1) {
            finder->back[b] = to;
        }
    }
    colour[b] = 2;
}

/* Adds the blocks of the loop from @h to @b. */
static void collect(const struct weiri_ir *ir, bool *in, uint32_t b, uint32_t h)
{
    in[b] = true;
    for (uint32_t k = 0; b != h && k < ir->blocks[b].n_before; k++) {
        if (!in[ir->blocks[b].before[k]]) {
            collect(ir, in, ir->blocks[b].before[k], h);
        }
    }
}

static bool *blocks_of(const struct finder *finder, uint32_t b, uint32_t h)
{
    bool *in = g_new0(bool, finder->ir->n_blocks);
    collect(finder->ir, in, b, h);
    return in;
}

static void forget_passed(struct finder *finder)
{
    memset(finder->passed, 0, finder->ir->n_blocks * sizeof(bool));
}

/* Whether the loop with header @outer has block @h in it. */
static bool is_around(const struct finder *finder, uint32_t outer, uint32_t h)
{
    bool *in = g_new0(bool, finder->ir->n_blocks);
    for (uint32_t b = 0; b < finder->ir->n_blocks; b++) {
        if (finder->back[b] == outer) {
            collect(finder->ir, in, b, outer);
        }
    }
    bool found = in[h];
    g_free(in);
    return found;
}

/* Whether all that items do from block @b to their next stop is plain. */
static bool is_plain_behind(struct finder *finder, uint32_t b)
{
    const struct weiri_ir_block *block = &finder->ir->blocks[b];
    if (finder->passed[b]) {
        return true;
    }
    finder->passed[b] = true;
    for (uint32_t i = block->first; i < block->end; i++) {
        struct llvm_value *value = value_at(finder, i);
        if (is_end(value)) {
            return true;
        }
        if (!is_plain(finder, value) && !is_of_split(value)) {
            return false;
        }
    }
    for (uint32_t k = 0; k < block->n_next; k++) {
        if (!is_plain_behind(finder, block->next[k])) {
            return false;
        }
    }
    return true;
}

/* Whether all that items do between a stop and the end of block @b, which is before
 * loop
 * @h, is plain: else a scalar pass would run the loop. */
static bool is_plain_before(struct finder *finder, uint32_t b, uint32_t h)
{
    const struct weiri_ir_block *block = &finder->ir->blocks[b];
    if (finder->passed[b]) {
        return true;
    }
    finder->passed[b] = true;
    for (guint k = 0; k < finder->taken->len; k++) {
        if (((bool *)g_ptr_array_index(finder->taken, k))[b]) {
            return true; /* a stop follows it */
        }
    }
    if (finder->n_latches[b] > 0 && !is_around(finder, b, h)) {
        return false;
    }
    for (uint32_t i = block->first; i < block->end; i++) {
        struct llvm_value *value = value_at(finder, i);
        if (is_stop(value)) {
            return true;
        }
        if (!is_plain(finder, value) && !is_of_split(value)) {
            return false;
        }
    }
    for (uint32_t k = 0; k < block->n_before; k++) {
        if (!is_plain_before(finder, block->before[k], h)) {
            return false;
        }
    }
    return true;
}

/* Whether an access is of one address for all items, or of neighbouring elements.
 * Sets @useful of the second kind. */
static bool is_dense(const struct finder *finder, struct llvm_value *access,
                     bool *useful)
{
    struct llvm_value *address = weiri_ir_address(access);
    if (weiri_stride_of(&finder->strides, address) == 0) {
        return true;
    }
    uint32_t number = weiri_ir_number(finder->ir, address);
    uint64_t bytes = llvm.ABISizeOfType(finder->layout, weiri_ir_accessed(access));
    *useful = number >= finder->ir->n_params && finder->reach[number] == (int64_t)bytes;
    return *useful;
}

/* Whether items are to take turns in the loop with header @h. */
static bool is_good_loop(struct finder *finder, const bool *in, uint32_t h)
{
    bool useful = false;
    for (uint32_t i = finder->ir->n_params; i < finder->ir->n_values; i++) {
        uint32_t b = finder->ir->block_of[i];
        if (!in[b]) {
            continue;
        }
        struct llvm_value *value = value_at(finder, i);
        enum weiri_ir_kind kind = weiri_ir_kind(value);
        if ((b != h && finder->n_latches[b] > 0) || !is_plain(finder, value)
            || is_of_split(value)
            || (kind == WEIRI_IR_LEADS
                && llvm.GetInstructionOpcode(value) != LLVM_BR)) {
            return false;
        }
        if ((kind == WEIRI_IR_LOAD || kind == WEIRI_IR_STORE)
            && !is_dense(finder, value, &useful)) {
            return false;
        }
    }
    if (!useful) {
        return false;
    }
    forget_passed(finder);
    const struct weiri_ir_block *header = &finder->ir->blocks[h];
    for (uint32_t k = 0; k < header->n_before; k++) {
        if (!in[header->before[k]] && !is_plain_before(finder, header->before[k], h)) {
            return false;
        }
    }
    return true;
}

/* ---- Stops ---------------------------------------------------------------- */

/* Cuts at the blocks that follow @from and are not in it, if not all that follows is
 * plain. @but: blocks of a loop that gets stops itself, or NULL */
static void cut_after(struct finder *finder, const bool *from, const bool *but)
{
    const struct weiri_ir *ir = finder->ir;
    for (uint32_t b = 0; b < ir->n_blocks; b++) {
        for (uint32_t k = 0; from[b] && k < ir->blocks[b].n_next; k++) {
            uint32_t to = ir->blocks[b].next[k];
            forget_passed(finder);
            if (!from[to] && (but == NULL || !but[to])
                && !is_plain_behind(finder, to)) {
                finder->loops->starts[to] = true;
            }
        }
    }
}

/* A loop with barriers. */
static void cut_behind_barriers(struct finder *finder, uint32_t b)
{
    g_autofree bool *in = blocks_of(finder, b, finder->back[b]);
    bool waits = false;
    for (uint32_t i = finder->ir->n_params; i < finder->ir->n_values && !waits; i++) {
        waits = in[finder->ir->block_of[i]] && is_stop(value_at(finder, i));
    }
    if (waits) {
        cut_after(finder, in, NULL);
    }
}

static void find_loops(struct finder *finder)
{
    for (uint32_t b = 0; b < finder->ir->n_blocks; b++) {
        uint32_t h = finder->back[b];
        if (h == WEIRI_IR_NONE) {
            continue;
        }
        bool *in = blocks_of(finder, b, h);
        if (finder->n_latches[h] == 1 && is_good_loop(finder, in, h)) {
            /* A way that leads past the loop is another part, too. */
            g_autofree bool *ahead
                = g_memdup2(finder->passed, finder->ir->n_blocks * sizeof(bool));
            cut_after(finder, ahead, in);
            finder->loops->ends[b] = true;
            finder->loops->n_loops++;
            g_ptr_array_add(finder->taken, in);
        } else {
            g_free(in);
        }
        cut_behind_barriers(finder, b);
    }
    /* Where ways out of the loops lead. */
    for (guint n = 0; n < finder->taken->len; n++) {
        const bool *in = g_ptr_array_index(finder->taken, n);
        for (uint32_t b = 0; b < finder->ir->n_blocks; b++) {
            const struct weiri_ir_block *block = &finder->ir->blocks[b];
            for (uint32_t k = 0; in[b] && k < block->n_next; k++) {
                finder->loops->starts[block->next[k]] |= !in[block->next[k]];
            }
        }
    }
    for (uint32_t b = 0; b < finder->ir->n_blocks; b++) {
        finder->loops->n_soft
            += (uint32_t)(finder->loops->starts[b] + finder->loops->ends[b]);
    }
}

/* A frame has a place for each variable whose size is known when the body begins. And a
 * stack that is put back after a stop would be another one. */
static bool grows_stack(const struct weiri_ir *ir, uint32_t i)
{
    struct llvm_value *value = ir->value[i];
    if (llvm.GetInstructionOpcode(value) == LLVM_ALLOCA) {
        return ir->block_of[i] != 0 || !llvm.IsConstant(llvm.GetOperand(value, 0));
    }
    return g_str_has_prefix(weiri_ir_callee(value), "llvm.stacksave");
}

/* Stops of a body that is split. The time of LLVM's passes grows faster than their
 * number: 256 take some 15 s. One stop is the start. */
enum { MOST_STOPS = 256 };

/* Counts stops. Returns: something that keeps the body from being split, or NULL: ways
 * that an exception takes are more than the parts here; and arrays that are found by
 * their place are found on the item's stack. */
static const char *look_through(struct weiri_loops *loops)
{
    for (uint32_t i = loops->ir->n_params; i < loops->ir->n_values; i++) {
        struct llvm_value *value = loops->ir->value[i];
        loops->n_stops += is_stop(value);
        if (weiri_ir_calls(value, "weiri_local_array_at")) {
            return "an array that is found by its place";
        }
        if (grows_stack(loops->ir, i)) {
            return "an array of variable length";
        }
    }
    for (uint32_t b = 0; b < loops->ir->n_blocks; b++) {
        int opcode = llvm.GetInstructionOpcode(
            llvm.GetBasicBlockTerminator(loops->ir->blocks[b].ref));
        if (opcode != LLVM_BR && opcode != LLVM_SWITCH && opcode != LLVM_RET
            && opcode != LLVM_UNREACHABLE) {
            return "exceptions or computed jumps";
        }
    }
    return loops->n_stops > MOST_STOPS ? "more than 255 places where they wait" : NULL;
}

struct weiri_loops *weiri_loops_find(const struct weiri_ir *ir,
                                     struct llvm_layout *layout)
{
    struct weiri_loops *loops = g_new0(struct weiri_loops, 1);
    *loops = (struct weiri_loops){ .ir = ir,
                                   .ends = g_new0(bool, ir->n_blocks),
                                   .starts = g_new0(bool, ir->n_blocks) };
    loops->why = look_through(loops);
    if (loops->why != NULL) {
        return loops;
    }
    struct finder finder = { .loops = loops,
                             .ir = ir,
                             .layout = layout,
                             .reach = g_new0(int64_t, ir->n_values),
                             .back = g_new(uint32_t, ir->n_blocks),
                             .n_latches = g_new0(uint32_t, ir->n_blocks),
                             .passed = g_new0(bool, ir->n_blocks),
                             .taken = g_ptr_array_new_with_free_func(g_free) };
    g_autofree uint8_t *colour = g_new0(uint8_t, ir->n_blocks);
    memset(finder.back, 0xff, ir->n_blocks * sizeof(uint32_t));
    visit(&finder, colour, 0);
    for (uint32_t b = 0; b < ir->n_blocks; b++) {
        if (finder.back[b] != WEIRI_IR_NONE) {
            finder.n_latches[finder.back[b]]++;
        }
    }
    weiri_strides_init(&finder.strides, ir);
    finder.strides.lenient = true;
    find_strides(&finder);
    find_loops(&finder);
    weiri_strides_clear(&finder.strides);
    g_ptr_array_free(finder.taken, TRUE);
    g_free(finder.reach);
    g_free(finder.back);
    g_free(finder.n_latches);
    g_free(finder.passed);
    return loops;
}

void weiri_loops_free(struct weiri_loops *loops)
{
    g_free(loops->ends);
    g_free(loops->starts);
    g_free(loops);
}
