/* SPDX-License-Identifier: MIT
 *
 * flow.c: see flow.h. Here is the shape of K__split_item.resume():
 *
 *     entry:           index = load frame.index; switch index, N: resume.N ...
 *     resume.N:        leads to the branch that mark.c has marked
 *     ...
 *     a stop:          weiri_split_tell(...) or weiri_split_soft()
 *                      store M, frame.index
 *                      leads to the branch after stop M
 *
 * Members of the frame are addressed by getelementptr from the parameter. A function of
 * another shape is refused: the kernel keeps its stacks. */
#include "config.h"

#include "split/flow.h"

#include "split/mark.h"

#include <string.h>

/* ---- The frame ------------------------------------------------------------ */

static bool is_member(const struct weiri_flow *flow, struct llvm_value *value)
{
    return llvm.GetInstructionOpcode(value) == LLVM_GEP
        && llvm.GetOperand(value, 0) == flow->frame && llvm.GetNumOperands(value) == 3
        && llvm.GetGEPSourceElementType(value) == flow->frame_type
        && llvm.IsAConstantInt(llvm.GetOperand(value, 2)) != NULL;
}

/* The type whose members the function addresses from the frame. */
static struct llvm_type *find_frame_type(const struct weiri_flow *flow)
{
    for (uint32_t i = flow->ir->n_params; i < flow->ir->n_values; i++) {
        struct llvm_value *value = flow->ir->value[i];
        if (llvm.GetInstructionOpcode(value) == LLVM_GEP
            && llvm.GetOperand(value, 0) == flow->frame
            && llvm.GetNumOperands(value) == 3
            && llvm.GetTypeKind(llvm.GetGEPSourceElementType(value)) == LLVM_STRUCT) {
            return llvm.GetGEPSourceElementType(value);
        }
    }
    return NULL;
}

static uint32_t field_of(const struct weiri_flow *flow, struct llvm_value *address)
{
    uint32_t number = weiri_ir_number(flow->ir, address);
    return number == WEIRI_IR_NONE ? WEIRI_IR_NONE : flow->field_of[number];
}

bool weiri_flow_field(const struct weiri_flow *flow, struct llvm_value *access,
                      uint32_t *field)
{
    int opcode = llvm.GetInstructionOpcode(access);
    if (opcode != LLVM_LOAD && opcode != LLVM_STORE) {
        return false;
    }
    *field = field_of(flow, weiri_ir_address(access));
    return *field != WEIRI_IR_NONE;
}

/* Sets what is known of the fields from their uses. */
static void note_uses(struct weiri_flow *flow, uint32_t number)
{
    struct llvm_value *value = flow->ir->value[number];
    uint32_t f;
    bool ordinary = weiri_ir_kind(value) == WEIRI_IR_STORE;
    bool access = weiri_flow_field(flow, value, &f);
    int n = llvm.GetNumOperands(value);
    for (int i = 0; i < n; i++) {
        uint32_t used = field_of(flow, llvm.GetOperand(value, (unsigned)i));
        if (used == WEIRI_IR_NONE) {
            continue;
        }
        bool stores = ordinary && i == 1;
        bool loads = access && llvm.GetInstructionOpcode(value) == LLVM_LOAD;
        flow->fields[used].escapes |= !stores && !loads;
        if (access && i == 1) {
            g_array_append_val(flow->fields[used].stores, number);
        }
    }
}

static bool read_frame(struct weiri_flow *flow)
{
    const struct weiri_ir *ir = flow->ir;
    flow->frame_type = find_frame_type(flow);
    if (flow->frame_type == NULL) {
        return false;
    }
    flow->n_fields = llvm.CountStructElementTypes(flow->frame_type);
    flow->fields = g_new0(struct weiri_flow_member, flow->n_fields);
    for (uint32_t f = 0; f < flow->n_fields; f++) {
        flow->fields[f].type = llvm.StructGetTypeAtIndex(flow->frame_type, f);
        flow->fields[f].stores = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    memset(flow->field_of, 0xff, ir->n_values * sizeof(uint32_t));
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        if (is_member(flow, ir->value[i])) {
            flow->field_of[i]
                = (uint32_t)llvm.ConstIntGetZExtValue(llvm.GetOperand(ir->value[i], 2));
            flow->fields[flow->field_of[i]].used = true;
        }
    }
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        note_uses(flow, i);
    }
    return true;
}

/* The code before the first stop only saves the parameters. */
static void read_saved(struct weiri_flow *flow)
{
    struct llvm_value *item = flow->kernel->item;
    for (struct llvm_block *block = llvm.GetFirstBasicBlock(item); block != NULL;
         block = llvm.GetNextBasicBlock(block)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            struct llvm_value *to = llvm.GetInstructionOpcode(v) == LLVM_STORE
                ? llvm.GetOperand(v, 1)
                : NULL;
            if (to == NULL || llvm.IsAInstruction(to) == NULL
                || llvm.GetInstructionOpcode(to) != LLVM_GEP
                || llvm.GetGEPSourceElementType(to) != flow->frame_type) {
                continue;
            }
            uint64_t f = llvm.ConstIntGetZExtValue(llvm.GetOperand(to, 2));
            for (uint32_t i = 1; i < WEIRI_SPLIT_N_PARAMETERS; i++) {
                if (llvm.GetOperand(v, 0) == llvm.GetParam(item, i)) {
                    flow->fields[f].saves = i;
                }
            }
        }
    }
}

/* Items share the memory of frames, member by member, so each use of the frame must be
 * a use of one member. */
static bool uses_are_known(const struct weiri_flow *flow)
{
    const struct weiri_ir *ir = flow->ir;
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        struct llvm_value *value = ir->value[i];
        int n = llvm.GetNumOperands(value);
        for (int k = 0; k < n; k++) {
            if (llvm.GetOperand(value, (unsigned)k) == flow->frame
                && flow->field_of[i] == WEIRI_IR_NONE
                && !(llvm.GetInstructionOpcode(value) == LLVM_STORE && k == 0)
                && llvm.GetInstructionOpcode(value) != LLVM_BITCAST
                && weiri_ir_kind(value) != WEIRI_IR_NOTE) {
                return false;
            }
        }
        uint32_t f;
        if (weiri_flow_field(flow, value, &f)
            && llvm.GetInstructionOpcode(value) == LLVM_LOAD) {
            const struct weiri_flow_member *field = &flow->fields[f];
            if (!field->is_index && field->saves == 0 && field->stores->len == 0
                && !field->escapes) {
                return false;
            }
        }
    }
    return true;
}

static uint64_t round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Word after word, each for all items in a row. Structures and vectors may be aligned
 * more than their type says. */
static void place_fields(struct weiri_flow *flow)
{
    struct llvm_layout *layout = llvm.GetModuleDataLayout(flow->module);
    for (uint32_t f = 0; f < flow->n_fields; f++) {
        struct weiri_flow_member *field = &flow->fields[f];
        if (!field->used || field->saves != 0) {
            continue;
        }
        if (field->is_index) {
            field->type = weiri_ir_int(32);
        }
        int kind = llvm.GetTypeKind(field->type);
        bool simple = kind != LLVM_STRUCT && kind != LLVM_ARRAY && kind != LLVM_VECTOR
            && kind != LLVM_SCALABLE_VECTOR;
        field->bytes = llvm.ABISizeOfType(layout, field->type);
        field->bytes = simple ? field->bytes : round_up(field->bytes, flow->alignment);
        field->offset = flow->frame_bytes;
        flow->frame_bytes += field->bytes;
    }
}

/* ---- Stops ---------------------------------------------------------------- */

/* Follows blocks that only lead on, to the branch after a stop. @first: where in the
 * block to begin */
static bool leads_to_branch(const struct weiri_flow *flow, struct llvm_value *first)
{
    unsigned resumed = weiri_mark_resumed();
    for (uint32_t n = 0; n < flow->ir->n_blocks; n++) {
        struct llvm_value *v = first;
        for (; llvm.GetNextInstruction(v) != NULL; v = llvm.GetNextInstruction(v)) {
            if (weiri_ir_kind(v) != WEIRI_IR_COMPUTES
                && weiri_ir_kind(v) != WEIRI_IR_PHI
                && weiri_ir_kind(v) != WEIRI_IR_NOTE) {
                return false;
            }
        }
        if (llvm.GetInstructionOpcode(v) != LLVM_BR) {
            return false;
        }
        if (llvm.GetMetadata(v, resumed) != NULL) {
            return true;
        }
        if (llvm.GetNumSuccessors(v) != 1) {
            return false;
        }
        first = llvm.GetFirstInstruction(llvm.GetSuccessor(v, 0));
    }
    return false;
}

/* The call before value @i that says where the items stop: in its block, or in blocks
 * that only lead there. */
static struct llvm_value *find_tell(const struct weiri_flow *flow, uint32_t i)
{
    const struct weiri_ir *ir = flow->ir;
    uint32_t b = ir->block_of[i];
    for (uint32_t n = 0; n < ir->n_blocks; n++) {
        while (i > ir->blocks[b].first) {
            struct llvm_value *value = ir->value[--i];
            enum weiri_ir_kind kind = weiri_ir_kind(value);
            if (kind == WEIRI_IR_TELL || kind == WEIRI_IR_SOFT) {
                return value;
            }
            if (kind == WEIRI_IR_UNKNOWN) {
                return NULL;
            }
        }
        if (ir->blocks[b].n_before != 1
            || ir->blocks[ir->blocks[b].before[0]].n_next != 1) {
            return NULL;
        }
        b = ir->blocks[b].before[0];
        i = ir->blocks[b].end;
    }
    return NULL;
}

static bool read_stop(struct weiri_flow *flow, uint32_t i, uint64_t number)
{
    struct llvm_value *store = flow->ir->value[i];
    struct llvm_value *tell = find_tell(flow, i);
    if (number >= flow->n_parts || tell == NULL
        || !leads_to_branch(flow, llvm.GetNextInstruction(store))) {
        return false;
    }
    flow->stop_of[flow->ir->block_of[i]] = (uint32_t)number;
    struct weiri_flow_stop *stop = &flow->stops[number];
    bool soft = weiri_ir_kind(tell) == WEIRI_IR_SOFT;
    struct llvm_value *site = soft ? NULL : llvm.GetOperand(tell, 1);
    struct llvm_value *op = soft ? NULL : llvm.GetOperand(tell, 2);
    bool known = !soft && llvm.IsConstant(site) && llvm.IsAConstantInt(op) != NULL;
    if (stop->seen) { /* of copies of one stop */
        if (stop->soft != soft) {
            return false;
        }
        stop->known &= known && stop->site == site && stop->op == op;
        return true;
    }
    *stop = (struct weiri_flow_stop){
        .soft = soft, .known = known, .seen = true, .site = site, .op = op
    };
    return true;
}

/* The entry leads to it. */
static struct llvm_value *find_switch(struct weiri_flow *flow)
{
    uint32_t b = 0, f;
    for (uint32_t n = 0; n < flow->ir->n_blocks; n++) {
        struct llvm_value *last = llvm.GetBasicBlockTerminator(flow->ir->blocks[b].ref);
        if (llvm.GetInstructionOpcode(last) == LLVM_SWITCH) {
            struct llvm_value *of = llvm.GetOperand(last, 0);
            flow->choice = b;
            return llvm.IsAInstruction(of) != NULL && weiri_ir_kind(of) == WEIRI_IR_LOAD
                    && weiri_flow_field(flow, of, &f)
                ? last
                : NULL;
        }
        if (flow->ir->blocks[b].n_next != 1) {
            return NULL;
        }
        b = flow->ir->blocks[b].next[0];
    }
    return NULL;
}

/* Sets the parts and stops. */
static bool read_parts(struct weiri_flow *flow)
{
    const struct weiri_ir *ir = flow->ir;
    struct llvm_value *choice = find_switch(flow);
    if (choice == NULL) {
        return false;
    }
    flow->index = field_of(flow, weiri_ir_address(llvm.GetOperand(choice, 0)));
    flow->fields[flow->index].is_index = true;
    /* its operands: the value, the default, and two of each case */
    flow->n_parts = (uint32_t)llvm.GetNumOperands(choice) / 2 - 1;
    flow->parts = g_new0(struct weiri_part, flow->n_parts);
    flow->stops = g_new0(struct weiri_flow_stop, flow->n_parts);
    for (uint32_t p = 0; p < flow->n_parts; p++) {
        flow->parts[p].start = WEIRI_IR_NONE;
    }
    for (uint32_t k = 0; k < flow->n_parts; k++) {
        uint64_t p = llvm.ConstIntGetZExtValue(llvm.GetOperand(choice, 2 + 2 * k));
        struct llvm_block *start = llvm.GetSuccessor(choice, k + 1);
        if (p >= flow->n_parts || flow->parts[p].start != WEIRI_IR_NONE
            || !leads_to_branch(flow, llvm.GetFirstInstruction(start))) {
            return false;
        }
        flow->parts[p].start = weiri_ir_block(ir, start);
    }
    memset(flow->stop_of, 0xff, ir->n_blocks * sizeof(uint32_t));
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        uint32_t f;
        if (llvm.GetInstructionOpcode(ir->value[i]) == LLVM_STORE
            && weiri_flow_field(flow, ir->value[i], &f) && f == flow->index) {
            struct llvm_value *number
                = llvm.IsAConstantInt(llvm.GetOperand(ir->value[i], 0));
            if (number == NULL
                || !read_stop(flow, i, llvm.ConstIntGetZExtValue(number))) {
                return false;
            }
        }
    }
    return true;
}

/* Sets the blocks that a part may run. Returns: whether there is a loop */
static bool walk(const struct weiri_flow *flow, bool *in, uint8_t *state, uint32_t b)
{
    const struct weiri_ir_block *block = &flow->ir->blocks[b];
    bool loops = false;
    in[b] = true;
    state[b] = 1;
    for (uint32_t k = 0; flow->stop_of[b] == WEIRI_IR_NONE && k < block->n_next; k++) {
        uint32_t to = block->next[k];
        if (state[to] == 0) {
            loops |= walk(flow, in, state, to);
        } else {
            loops |= state[to] == 1;
        }
    }
    state[b] = 2;
    return loops;
}

static void walk_parts(struct weiri_flow *flow)
{
    uint32_t n = flow->ir->n_blocks;
    for (uint32_t p = 0; p < flow->n_parts; p++) {
        struct weiri_part *part = &flow->parts[p];
        g_autofree uint8_t *state = g_new0(uint8_t, n);
        part->in = g_new0(bool, n);
        part->straight = g_new0(bool, n);
        part->loops = walk(flow, part->in, state, part->start);
        uint32_t b = part->start;
        while (!part->straight[b]) {
            part->straight[b] = true;
            const struct weiri_ir_block *block = &flow->ir->blocks[b];
            if (flow->stop_of[b] != WEIRI_IR_NONE || block->n_next != 1) {
                break;
            }
            b = block->next[0];
        }
    }
}

/* ---- What a part reads for all items -------------------------------------- */

/* Whether value @m can run before value @l in one part. */
static bool comes_before(const struct weiri_flow *flow, uint32_t m, uint32_t l)
{
    uint32_t from = flow->ir->block_of[m], to = flow->ir->block_of[l];
    if (from == to) {
        return m < l;
    }
    g_autofree bool *in = g_new0(bool, flow->ir->n_blocks);
    g_autofree uint8_t *state = g_new0(uint8_t, flow->ir->n_blocks);
    walk(flow, in, state, from);
    return in[to];
}

static bool has_stride(const struct weiri_flow_member *field)
{
    if (!weiri_ir_is_scalar(field->type)) {
        return false;
    }
    if (field->stride == 0) {
        return true;
    }
    unsigned bits = llvm.GetTypeKind(field->type) == LLVM_INTEGER
        ? llvm.GetIntTypeWidth(field->type)
        : 0;
    return field->stride != WEIRI_STRIDE_NONE
        && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

bool weiri_flow_is_shared(const struct weiri_flow *flow, uint32_t p, uint32_t load)
{
    const struct weiri_ir *ir = flow->ir;
    uint32_t f;
    if (weiri_ir_kind(ir->value[load]) != WEIRI_IR_LOAD
        || !weiri_flow_field(flow, ir->value[load], &f)) {
        return false;
    }
    const struct weiri_flow_member *field = &flow->fields[f];
    if (field->is_index || field->saves != 0 || field->escapes || !has_stride(field)
        || llvm.TypeOf(ir->value[load]) != field->type) {
        return false;
    }
    for (guint k = 0; k < field->stores->len; k++) {
        uint32_t m = g_array_index(field->stores, uint32_t, k);
        if (flow->parts[p].in[ir->block_of[m]] && comes_before(flow, m, load)) {
            return false;
        }
    }
    return true;
}

/* ---- The whole ------------------------------------------------------------ */

static const char *read_all(struct weiri_flow *flow)
{
    if (!read_frame(flow)) {
        return "a coroutine without a frame";
    }
    read_saved(flow);
    if (!read_parts(flow)) {
        return "a coroutine with stops of another kind";
    }
    if (!uses_are_known(flow)) {
        return "a coroutine with a frame of another kind";
    }
    place_fields(flow);
    walk_parts(flow);
    return NULL;
}

struct weiri_flow *weiri_flow_new(struct llvm_module *module,
                                  struct weiri_kernel *kernel, const char **why)
{
    size_t length;
    g_autofree char *name
        = g_strconcat(llvm.GetValueName2(kernel->item, &length), ".resume", NULL);
    struct llvm_value *resume = llvm.GetNamedFunction(module, name);
    if (resume == NULL || llvm.CountParams(resume) != 1) {
        *why = "no coroutine";
        return NULL;
    }
    struct weiri_flow *flow = g_new0(struct weiri_flow, 1);
    flow->module = module;
    flow->kernel = kernel;
    flow->ir = weiri_ir_new(resume, weiri_mark_resumed());
    flow->frame = llvm.GetParam(resume, 0);
    flow->field_of = g_new(uint32_t, flow->ir->n_values);
    flow->stop_of = g_new(uint32_t, flow->ir->n_blocks);
    struct llvm_attribute *align
        = llvm.GetEnumAttributeAtIndex(resume, 1, weiri_ir_attribute("align"));
    flow->alignment = align == NULL ? 16 : (uint32_t)llvm.GetEnumAttributeValue(align);
    weiri_strides_init(&flow->strides, flow->ir);
    *why = read_all(flow);
    if (*why != NULL) {
        weiri_flow_free(flow);
        return NULL;
    }
    weiri_flow_vary(flow);
    return flow;
}

void weiri_flow_free(struct weiri_flow *flow)
{
    for (uint32_t p = 0; p < flow->n_parts; p++) {
        g_free(flow->parts[p].in);
        g_free(flow->parts[p].straight);
    }
    for (uint32_t f = 0; f < flow->n_fields; f++) {
        g_array_free(flow->fields[f].stores, TRUE);
    }
    weiri_strides_clear(&flow->strides);
    weiri_ir_free(flow->ir);
    g_free(flow->parts);
    g_free(flow->stops);
    g_free(flow->fields);
    g_free(flow->field_of);
    g_free(flow->stop_of);
    g_free(flow);
}
