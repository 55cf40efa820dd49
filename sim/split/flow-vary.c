/* SPDX-License-Identifier: MIT
 *
 * flow-vary.c: which values may differ between items that have made the same stops.
 *
 * By data flow from the items' ids, and from branches that part them. The analysis is
 * optimistic: values that it has not reached do not count, until none is left that can
 * be known. The result of an instruction is uniform only if weiri_ir_kind() states on
 * what it depends: results of atomics, of volatile loads, and of loads from memory that
 * some item may write differ always.
 *
 * A member of the frame holds one value of the body, and is stored where that is
 * computed. If items compute it at different times, some phi that it depends on is
 * where they part or meet. Any other store is to a variable that the compiler keeps in
 * memory, and the address of such a variable escapes.
 *
 * Two items part at a branch whose condition differs, and meet again at its
 * post-dominator among the ways from the part's start to the stop that both make. */
#include "config.h"

#include "split/flow.h"

#include <string.h>

/* The ways from the start of part @p to the block @stop, with which the part stops. */
struct ways {
    uint32_t stop;
    bool *has;      /* of each block: items may pass it */
    uint32_t *next; /* of each block: where they meet again after it; or NONE */
};

struct vary {
    struct weiri_flow *flow;
    const struct weiri_ir *ir;
    GArray *ways;
    bool *apart;  /* of each block: not all items run it, or not equally often */
    bool *joins;  /* of each block: they meet there */
    bool *is_run; /* of each block: some part runs it */
    bool *parted; /* of each block: its branch parts items */
    bool *known;  /* of each value: the analysis has reached it */
    bool *stored; /* of each field: to a store of it */
};

/* ---- Where items part and meet -------------------------------------------- */

/* Adds the blocks from which @b is reached, in post-order from it. */
static void go_back(const struct vary *vary, uint32_t p, struct ways *ways, uint32_t b,
                    GArray *order, uint32_t *number)
{
    const struct weiri_ir_block *block = &vary->ir->blocks[b];
    ways->has[b] = true;
    for (uint32_t k = 0; k < block->n_before; k++) {
        uint32_t from = block->before[k];
        if (vary->flow->parts[p].in[from] && vary->flow->stop_of[from] == WEIRI_IR_NONE
            && !ways->has[from]) {
            go_back(vary, p, ways, from, order, number);
        }
    }
    number[b] = order->len;
    g_array_append_val(order, b);
}

static uint32_t common(const struct ways *ways, const uint32_t *number, uint32_t one,
                       uint32_t other)
{
    while (one != other) {
        if (number[one] < number[other]) {
            one = ways->next[one];
        } else {
            other = ways->next[other];
        }
    }
    return one;
}

static uint32_t meets_at(const struct vary *vary, const struct ways *ways,
                         const uint32_t *number, uint32_t b)
{
    uint32_t meets = WEIRI_IR_NONE;
    for (uint32_t k = 0; k < vary->ir->blocks[b].n_next; k++) {
        uint32_t to = vary->ir->blocks[b].next[k];
        if (ways->has[to] && ways->next[to] != WEIRI_IR_NONE) {
            meets = meets == WEIRI_IR_NONE ? to : common(ways, number, meets, to);
        }
    }
    return meets;
}

static void find_ways(struct vary *vary, uint32_t p, uint32_t stop)
{
    uint32_t n = vary->ir->n_blocks;
    struct ways ways = { stop, g_new0(bool, n), g_new(uint32_t, n) };
    g_autofree uint32_t *number = g_new0(uint32_t, n);
    GArray *order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    memset(ways.next, 0xff, n * sizeof(uint32_t));
    go_back(vary, p, &ways, stop, order, number);
    ways.next[stop] = stop;
    bool changed = true;
    while (changed) {
        changed = false;
        for (guint i = order->len - 1; i-- > 0;) { /* all but the stop, the last one */
            uint32_t b = g_array_index(order, uint32_t, i);
            uint32_t meets = meets_at(vary, &ways, number, b);
            changed |= meets != ways.next[b];
            ways.next[b] = meets;
        }
    }
    g_array_free(order, TRUE);
    g_array_append_val(vary->ways, ways);
}

static void go_apart(struct vary *vary, const struct ways *ways, bool *seen, uint32_t b,
                     uint32_t until)
{
    if (b == until || seen[b] || !ways->has[b]) {
        return;
    }
    seen[b] = vary->apart[b] = true;
    for (uint32_t k = 0; k < vary->ir->blocks[b].n_next; k++) {
        go_apart(vary, ways, seen, vary->ir->blocks[b].next[k], until);
    }
}

/* Marks the blocks that not all items of a part may run, or not equally often, because
 * of the branch at the end of block @b. Items that stop elsewhere do not count. */
static void part_ways(struct vary *vary, uint32_t b)
{
    const struct weiri_ir_block *block = &vary->ir->blocks[b];
    for (guint i = 0; i < vary->ways->len; i++) {
        const struct ways *ways = &g_array_index(vary->ways, struct ways, i);
        uint32_t n = 0;
        for (uint32_t k = 0; k < block->n_next; k++) {
            n += ways->has[block->next[k]];
        }
        if (b == ways->stop || !ways->has[b] || n < 2) {
            continue;
        }
        g_autofree bool *seen = g_new0(bool, vary->ir->n_blocks);
        uint32_t until = ways->next[b];
        if (until != WEIRI_IR_NONE) {
            vary->joins[until] = true;
        }
        for (uint32_t k = 0; k < block->n_next; k++) {
            go_apart(vary, ways, seen, block->next[k], until);
        }
    }
}

/* ---- Values --------------------------------------------------------------- */

static bool is_ahead(const struct vary *vary, struct llvm_value *value)
{
    uint32_t number = weiri_ir_number(vary->ir, value);
    return number != WEIRI_IR_NONE && !vary->known[number];
}

static bool waits_for_more(const struct vary *vary, struct llvm_value *value)
{
    uint32_t f;
    if (weiri_flow_field(vary->flow, value, &f)) {
        const struct weiri_flow_member *field = &vary->flow->fields[f];
        return field->saves == 0 && field->stride == 0 && field->stores->len > 0
            && !vary->stored[f];
    }
    int n = weiri_ir_kind(value) == WEIRI_IR_PHI ? 0 : llvm.GetNumOperands(value);
    for (int i = 0; i < n; i++) {
        if (is_ahead(vary, llvm.GetOperand(value, (unsigned)i))) {
            return true;
        }
    }
    return false;
}

/* Values that meet at a block in joins[] are phis in apart[], of blocks that LLVM makes
 * for each way to it; this does not rely on that. */
static int64_t stride_of_phi(const struct vary *vary, uint32_t number)
{
    struct llvm_value *phi = vary->ir->value[number];
    uint32_t b = vary->ir->block_of[number];
    if (vary->apart[b] || vary->joins[b]) {
        return WEIRI_STRIDE_NONE;
    }
    bool any = false;
    int64_t found = 0;
    for (unsigned i = 0; i < llvm.CountIncoming(phi); i++) {
        uint32_t from = weiri_ir_block(vary->ir, llvm.GetIncomingBlock(phi, i));
        struct llvm_value *value = llvm.GetIncomingValue(phi, i);
        if (!vary->is_run[from] || vary->flow->stop_of[from] != WEIRI_IR_NONE
            || is_ahead(vary, value)) {
            continue;
        }
        int64_t c = weiri_stride_of(&vary->flow->strides, value);
        if (c == WEIRI_STRIDE_NONE || (any && c != found)) {
            return WEIRI_STRIDE_NONE;
        }
        any = true;
        found = c;
    }
    return found;
}

/* Sets is_id[] and constant[] of the result. */
static int64_t stride_of_load(struct vary *vary, uint32_t number)
{
    struct llvm_value *load = vary->ir->value[number];
    struct weiri_strides *strides = &vary->flow->strides;
    uint32_t f;
    if (!weiri_flow_field(vary->flow, load, &f)) {
        struct llvm_value *address = weiri_ir_address(load);
        return weiri_stride_constant(strides, address)
                && weiri_stride_of(strides, address) == 0
            ? 0
            : WEIRI_STRIDE_NONE;
    }
    uint32_t saves = vary->flow->fields[f].saves;
    strides->is_id[number] = saves == WEIRI_SPLIT_I || saves == WEIRI_SPLIT_X;
    strides->constant[number]
        = saves == WEIRI_SPLIT_ARGS || saves == WEIRI_SPLIT_SHAPE_OF;
    return vary->flow->fields[f].stride;
}

static int64_t stride_of(struct vary *vary, uint32_t number)
{
    struct llvm_value *value = vary->ir->value[number];
    struct weiri_strides *strides = &vary->flow->strides;
    bool varies = weiri_stride_varies(strides, value);
    int64_t of_group = varies ? WEIRI_STRIDE_NONE : 0;
    switch (weiri_ir_kind(value)) {
    case WEIRI_IR_LOAD:
        return stride_of_load(vary, number);
    case WEIRI_IR_PHI:
        return stride_of_phi(vary, number);
    case WEIRI_IR_ADDRESS: {
        int n = llvm.GetNumOperands(value);
        for (int i = 0; i < n; i++) {
            strides->constant[number]
                |= weiri_stride_constant(strides, llvm.GetOperand(value, (unsigned)i));
        }
        return varies ? WEIRI_STRIDE_NONE : 0;
    }
    case WEIRI_IR_ARRAY:
    case WEIRI_IR_GROUP:
        return of_group;
    case WEIRI_IR_COMPUTES:
        return weiri_stride_of_result(strides, value);
    default:
        return WEIRI_STRIDE_NONE;
    }
}

/* ---- Members -------------------------------------------------------------- */

/* The stride of a member is the stride of all values that are stored there. Sets
 * stored[]. */
static bool vary_field(struct vary *vary, uint32_t f)
{
    const struct weiri_ir *ir = vary->ir;
    struct weiri_flow_member *field = &vary->flow->fields[f];
    bool any = false;
    int64_t found = 0;
    for (guint i = 0; i < field->stores->len; i++) {
        struct llvm_value *store = ir->value[g_array_index(field->stores, uint32_t, i)];
        if (is_ahead(vary, llvm.GetOperand(store, 0))) {
            continue;
        }
        int64_t c = weiri_stride_of(&vary->flow->strides, llvm.GetOperand(store, 0));
        found = !any || c == found ? c : WEIRI_STRIDE_NONE;
        if (c != 0
            && llvm.GetTypeKind(llvm.TypeOf(llvm.GetOperand(store, 0)))
                != LLVM_INTEGER) {
            found = WEIRI_STRIDE_NONE;
        }
        any = true;
        if (found == WEIRI_STRIDE_NONE) {
            break;
        }
    }
    bool changed = any && !vary->stored[f];
    vary->stored[f] |= any;
    if (any && found != field->stride) {
        field->stride = field->stride == 0 ? found : WEIRI_STRIDE_NONE;
        changed = true;
    }
    return changed;
}

static bool vary_fields(struct vary *vary)
{
    bool changed = false;
    for (uint32_t f = 0; f < vary->flow->n_fields; f++) {
        struct weiri_flow_member *field = &vary->flow->fields[f];
        if (field->used && !field->is_index && field->saves == 0
            && field->stride != WEIRI_STRIDE_NONE) {
            changed |= vary_field(vary, f);
        }
    }
    return changed;
}

/* ---- The whole ------------------------------------------------------------ */

static bool vary_values(struct vary *vary)
{
    const struct weiri_ir *ir = vary->ir;
    struct weiri_strides *strides = &vary->flow->strides;
    bool changed = false;
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        struct llvm_value *value = ir->value[i];
        uint32_t b = ir->block_of[i];
        if (i + 1 == ir->blocks[b].end) {
            if (ir->blocks[b].n_next > 1 && !vary->parted[b]
                && weiri_stride_of(strides, llvm.GetOperand(value, 0)) != 0) {
                vary->parted[b] = true;
                part_ways(vary, b);
                changed = true;
            }
            continue;
        }
        if (strides->of[i] == WEIRI_STRIDE_NONE || waits_for_more(vary, value)) {
            continue;
        }
        changed |= !vary->known[i];
        vary->known[i] = true;
        changed |= weiri_stride_set(strides, i, stride_of(vary, i));
    }
    return changed;
}

/* Values that the analysis has not reached depend on themselves alone, or on a member
 * that is never stored. */
static bool give_up_on_rest(struct vary *vary)
{
    const struct weiri_ir *ir = vary->ir;
    bool changed = false;
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        if (!vary->known[i]) {
            vary->known[i] = true;
            vary->flow->strides.of[i] = WEIRI_STRIDE_NONE;
            changed = true;
        }
    }
    return changed;
}

static void begin(struct vary *vary)
{
    struct weiri_flow *flow = vary->flow;
    for (uint32_t i = 0; i < flow->ir->n_params; i++) {
        vary->known[i] = true;
        flow->strides.of[i] = WEIRI_STRIDE_NONE;
    }
    for (uint32_t i = flow->ir->n_params; i < flow->ir->n_values; i++) {
        if (flow->field_of[i]
            != WEIRI_IR_NONE) { /* each item has an address of its own */
            vary->known[i] = true;
            flow->strides.of[i] = WEIRI_STRIDE_NONE;
        }
    }
    for (uint32_t f = 0; f < flow->n_fields; f++) {
        struct weiri_flow_member *field = &flow->fields[f];
        bool id = field->saves == WEIRI_SPLIT_I || field->saves == WEIRI_SPLIT_X;
        field->stride = id                                      ? 1
            : field->used && field->escapes && !field->is_index ? WEIRI_STRIDE_NONE
                                                                : 0;
    }
    for (uint32_t p = 0; p < flow->n_parts; p++) {
        for (uint32_t b = 0; b < flow->ir->n_blocks; b++) {
            vary->is_run[b] |= flow->parts[p].in[b];
            if (flow->parts[p].in[b] && flow->stop_of[b] != WEIRI_IR_NONE) {
                find_ways(vary, p, b);
            }
        }
    }
}

void weiri_flow_vary(struct weiri_flow *flow)
{
    uint32_t n = flow->ir->n_blocks;
    struct vary vary = { .flow = flow,
                         .ir = flow->ir,
                         .ways = g_array_new(FALSE, FALSE, sizeof(struct ways)),
                         .apart = g_new0(bool, n),
                         .joins = g_new0(bool, n),
                         .is_run = g_new0(bool, n),
                         .parted = g_new0(bool, n),
                         .known = g_new0(bool, flow->ir->n_values),
                         .stored = g_new0(bool, flow->n_fields) };
    begin(&vary);
    bool changed = true;
    while (changed) {
        changed = vary_fields(&vary);
        changed |= vary_values(&vary);
        changed = changed || give_up_on_rest(&vary);
    }
    for (guint i = 0; i < vary.ways->len; i++) {
        g_free(g_array_index(vary.ways, struct ways, i).has);
        g_free(g_array_index(vary.ways, struct ways, i).next);
    }
    g_array_free(vary.ways, TRUE);
    g_free(vary.apart);
    g_free(vary.joins);
    g_free(vary.is_run);
    g_free(vary.parted);
    g_free(vary.known);
    g_free(vary.stored);
}
