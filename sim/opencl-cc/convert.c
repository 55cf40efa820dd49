/* SPDX-License-Identifier: MIT
 *
 * convert.c: the functions of a source, an instruction at a time. One whose types stay
 * as they are is cloned, with all that it has; one with another type is made anew. An
 * instruction that is not known is refused.
 *
 * Every function of the program gets the item as its first parameter. In code that is
 * not checked all are inlined, so that a barrier in one is a stop of the kernel.
 * Checked code keeps them: reports show the calls.
 *
 * Blocks that nothing leads to are left out. The others come in an order in which a
 * value is made before it is used. */
#include "config.h"

#include "opencl-cc/back.h"
#include "opencl-cc/clc.h"

#include <stdarg.h>
#include <string.h>

void weiri_clc_miss(struct weiri_clc *clc, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_ptr_array_add(clc->missing, g_strdup_vprintf(format, values));
    va_end(values);
}

/* ---- Attributes ----------------------------------------------------------- */

/* Those that say how SPIR-V is to be made, or what stops inlining. */
static const char *const dropped[] = { "convergent",
                                       "noinline",
                                       "optnone",
                                       "frame-pointer",
                                       "min-legal-vector-width",
                                       "uniform-work-group-size",
                                       "stack-protector-buffer-size" };

static bool is_dropped(struct llvm_attribute *attribute)
{
    unsigned length;
    bool text = llvm.IsStringAttribute(attribute);
    for (size_t i = 0; i < G_N_ELEMENTS(dropped); i++) {
        unsigned kind = weiri_ir_attribute(dropped[i]);
        if (text ? kind == 0
                    && strcmp(llvm.GetStringAttributeKind(attribute, &length),
                              dropped[i])
                        == 0
                 : kind != 0 && llvm.GetEnumAttributeKind(attribute) == kind) {
            return true;
        }
    }
    return false;
}

/* The other attributes of a returned value may belong to SPIR-V's calls. */
static bool is_kept_of_result(struct llvm_attribute *attribute)
{
    static const char *const kept[] = { "signext", "zeroext", "noundef", "noalias" };
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
        if (!llvm.IsStringAttribute(attribute)
            && llvm.GetEnumAttributeKind(attribute) == weiri_ir_attribute(kept[i])) {
            return true;
        }
    }
    return false;
}

static void copy_at(struct weiri_clc *clc, struct llvm_value *from,
                    struct llvm_value *to, bool call, int index, int to_index)
{
    unsigned n = call ? llvm.GetCallSiteAttributeCount(from, index)
                      : llvm.GetAttributeCountAtIndex(from, index);
    g_autofree struct llvm_attribute **list = g_new(struct llvm_attribute *, n + 1);
    if (n > 0) {
        (call ? llvm.GetCallSiteAttributes : llvm.GetAttributesAtIndex)(from, index,
                                                                        list);
    }
    for (unsigned i = 0; i < n; i++) {
        struct llvm_attribute *attribute = list[i];
        if (is_dropped(attribute) || (index == 0 && !is_kept_of_result(attribute))) {
            continue;
        }
        if (llvm.IsTypeAttribute(attribute)) {
            attribute = llvm.CreateTypeAttribute(
                weiri_ir_context(), llvm.GetEnumAttributeKind(attribute),
                weiri_clc_type(clc, llvm.GetTypeAttributeValue(attribute)));
        }
        (call ? llvm.AddCallSiteAttribute : llvm.AddAttributeAtIndex)(to, to_index,
                                                                      attribute);
    }
}

void weiri_clc_copy_attributes(struct weiri_clc *clc, struct llvm_value *from,
                               struct llvm_value *to, bool call, int shift)
{
    int n = (int)(call ? llvm.GetNumArgOperands(from) : llvm.CountParams(from));
    copy_at(clc, from, to, call, LLVM_FUNCTION, LLVM_FUNCTION);
    copy_at(clc, from, to, call, 0, 0);
    for (int i = 1; i <= n; i++) {
        copy_at(clc, from, to, call, i, i + shift);
    }
}

void weiri_clc_copy_metadata(struct llvm_value *from, struct llvm_value *to)
{
    size_t n;
    struct llvm_entries *entries
        = llvm.InstructionGetAllMetadataOtherThanDebugLoc(from, &n);
    for (unsigned i = 0; i < n; i++) {
        llvm.SetMetadata(
            to, llvm.ValueMetadataEntriesGetKind(entries, i),
            llvm.MetadataAsValue(weiri_ir_context(),
                                 llvm.ValueMetadataEntriesGetMetadata(entries, i)));
    }
    llvm.DisposeValueMetadataEntries(entries);
}

/* ---- Instructions --------------------------------------------------------- */

static struct llvm_value *operand(struct weiri_clc *clc, struct llvm_value *of,
                                  unsigned i)
{
    struct llvm_value *value = weiri_clc_value(clc, llvm.GetOperand(of, i));
    if (value == NULL) {
        weiri_clc_miss(clc, "constant of this form in '%s'", clc->name);
        value = llvm.GetUndef(weiri_clc_type(clc, llvm.TypeOf(llvm.GetOperand(of, i))));
    }
    return value;
}

/* An operand that is an address, as a pointer to @type. */
static struct llvm_value *address(struct weiri_clc *clc, struct llvm_value *of,
                                  unsigned i)
{
    struct llvm_value *value = operand(clc, of, i);
    return weiri_ir_as(clc->builder, value,
                       weiri_clc_type(clc, llvm.TypeOf(llvm.GetOperand(of, i))));
}

static struct llvm_value *copy(struct weiri_clc *clc, struct llvm_value *of)
{
    struct llvm_value *made = llvm.InstructionClone(of);
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    for (unsigned i = 0; i < n; i++) {
        struct llvm_value *value = llvm.GetOperand(of, i);
        if (!llvm.ValueIsBasicBlock(value)) {
            llvm.SetOperand(made, i, address(clc, of, i));
        }
    }
    llvm.InsertIntoBuilder(clc->builder, made);
    llvm.InstructionSetDebugLoc(made, llvm.InstructionGetDebugLoc(of));
    return made;
}

static struct llvm_value *convert_gep(struct weiri_clc *clc, struct llvm_value *of)
{
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    g_autofree struct llvm_value **o = g_new(struct llvm_value *, n);
    for (unsigned i = 0; i < n; i++) {
        o[i] = address(clc, of, i);
    }
    struct llvm_type *type = weiri_clc_type(clc, llvm.GetGEPSourceElementType(of));
    return llvm.IsInBounds(of)
        ? llvm.BuildInBoundsGEP2(clc->builder, type, o[0], o + 1, n - 1, "")
        : llvm.BuildGEP2(clc->builder, type, o[0], o + 1, n - 1, "");
}

static struct llvm_value *convert_load(struct weiri_clc *clc, struct llvm_value *of)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(of));
    struct llvm_value *load
        = llvm.BuildLoad2(clc->builder, type, address(clc, of, 0), "");
    llvm.SetAlignment(load, llvm.GetAlignment(of));
    llvm.SetVolatile(load, llvm.GetVolatile(of));
    llvm.SetOrdering(load, llvm.GetOrdering(of));
    weiri_clc_copy_metadata(of, load);
    return load;
}

/* Its values come at the end, when all are known. */
static struct llvm_value *convert_phi(struct weiri_clc *clc, struct llvm_value *of)
{
    return llvm.BuildPhi(clc->builder, weiri_clc_type(clc, llvm.TypeOf(of)), "");
}

static struct llvm_value *convert_alloca(struct weiri_clc *clc, struct llvm_value *of)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.GetAllocatedType(of));
    struct llvm_value *made = llvm.BuildAlloca(clc->frame, type, "");
    llvm.SetAlignment(made, llvm.GetAlignment(of));
    clc->private_bytes += weiri_clc_bytes(clc, type);
    if (llvm.IsAConstantInt(llvm.GetOperand(of, 0)) == NULL
        || llvm.ConstIntGetZExtValue(llvm.GetOperand(of, 0)) != 1) {
        weiri_clc_miss(clc, "array of variable length in '%s'", clc->name);
    }
    return made;
}

static struct llvm_value *convert_extract(struct weiri_clc *clc, struct llvm_value *of)
{
    struct llvm_value *value = operand(clc, of, 0);
    for (unsigned i = 0; i < llvm.GetNumIndices(of); i++) {
        value = llvm.BuildExtractValue(clc->builder, value, llvm.GetIndices(of)[i], "");
    }
    return value;
}

static struct llvm_value *convert_branch(struct weiri_clc *clc, struct llvm_value *of,
                                         GHashTable *blocks)
{
    struct llvm_value *made = copy(clc, of);
    for (unsigned i = 0; i < llvm.GetNumSuccessors(of); i++) {
        llvm.SetSuccessor(made, i,
                          g_hash_table_lookup(blocks, llvm.GetSuccessor(of, i)));
    }
    return made;
}

static struct llvm_value *refuse(struct weiri_clc *clc, struct llvm_value *of)
{
    weiri_clc_miss(clc, "instruction %d, which '%s' has,",
                   llvm.GetInstructionOpcode(of), clc->name);
    return llvm.GetUndef(weiri_clc_type(clc, llvm.TypeOf(of)));
}

/* Remembers an access of the source. */
static struct llvm_value *note_access(struct weiri_clc *clc, struct llvm_value *of,
                                      struct llvm_value *made)
{
    if (llvm.GetOrdering(of) == 0) {
        g_ptr_array_add(clc->accesses, made);
        if (llvm.GetPointerAddressSpace(llvm.TypeOf(weiri_ir_address(of)))
            != WEIRI_CLC_PRIVATE) {
            g_hash_table_add(clc->shared, made);
        }
    }
    return made;
}

static struct llvm_value *convert(struct weiri_clc *clc, struct llvm_value *of,
                                  GHashTable *blocks)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(of));
    bool same = type == llvm.TypeOf(of);
    int opcode = llvm.GetInstructionOpcode(of);
    switch ((enum llvm_opcode)opcode) {
    case LLVM_PHI:
        return convert_phi(clc, of);
    case LLVM_ALLOCA:
        return convert_alloca(clc, of);
    case LLVM_GEP:
        return convert_gep(clc, of);
    case LLVM_CALL:
        return weiri_clc_call(clc, of);
    case LLVM_BITCAST:
    case LLVM_ADDRSPACE_CAST:
        return weiri_ir_as(clc->builder, operand(clc, of, 0), type);
    case LLVM_INTTOPTR:
        return llvm.BuildCast(clc->builder, opcode, operand(clc, of, 0), type, "");
    case LLVM_LOAD:
        return note_access(clc, of, same ? copy(clc, of) : convert_load(clc, of));
    case LLVM_STORE:
        return note_access(clc, of, copy(clc, of));
    case LLVM_EXTRACT_VALUE:
        return same ? copy(clc, of) : convert_extract(clc, of);
    case LLVM_SELECT:
        return same ? copy(clc, of)
                    : llvm.BuildSelect(clc->builder, operand(clc, of, 0),
                                       operand(clc, of, 1), operand(clc, of, 2), "");
    case LLVM_BR:
    case LLVM_SWITCH:
        return convert_branch(clc, of, blocks);
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_UREM:
    case LLVM_SREM: {
        struct llvm_value *divisor
            = weiri_clc_divisor(clc, opcode, operand(clc, of, 0), operand(clc, of, 1));
        struct llvm_value *made = copy(clc, of);
        llvm.SetOperand(made, 1, divisor);
        return made;
    }
    case LLVM_RET:
    case LLVM_UNREACHABLE:
    case LLVM_ADD:
    case LLVM_FADD:
    case LLVM_SUB:
    case LLVM_FSUB:
    case LLVM_MUL:
    case LLVM_FMUL:
    case LLVM_FDIV:
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
    case LLVM_ICMP:
    case LLVM_FCMP:
    case LLVM_EXTRACT_ELEMENT:
    case LLVM_INSERT_ELEMENT:
    case LLVM_SHUFFLE_VECTOR:
    case LLVM_INSERT_VALUE:
    case LLVM_FENCE:
    case LLVM_CMPXCHG:
    case LLVM_ATOMIC_RMW:
    case LLVM_FNEG:
    case LLVM_FREEZE:
        return same ? copy(clc, of) : refuse(clc, of);
    }
    return refuse(clc, of); /* of a later LLVM */
}

/* ---- Functions ------------------------------------------------------------ */

enum { HIDDEN = 1 }; /* a visibility */

static void visit(struct llvm_block *block, GHashTable *seen, GPtrArray *order)
{
    /* Depth first without recursion: a block and the next of its ways. */
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_autoptr(GArray) ways = g_array_new(FALSE, FALSE, sizeof(unsigned));
    unsigned none = 0;
    g_hash_table_add(seen, block);
    g_ptr_array_add(stack, block);
    g_array_append_val(ways, none);
    while (stack->len > 0) {
        struct llvm_block *top = g_ptr_array_index(stack, stack->len - 1);
        struct llvm_value *end = llvm.GetBasicBlockTerminator(top);
        unsigned *way = &g_array_index(ways, unsigned, ways->len - 1);
        if (*way == llvm.GetNumSuccessors(end)) {
            g_ptr_array_insert(order, 0, top);
            g_ptr_array_set_size(stack, (int)stack->len - 1);
            g_array_set_size(ways, ways->len - 1);
            continue;
        }
        struct llvm_block *next = llvm.GetSuccessor(end, (*way)++);
        if (g_hash_table_add(seen, next)) {
            g_ptr_array_add(stack, next);
            g_array_append_val(ways, none);
        }
    }
}

static void fill_phis(struct weiri_clc *clc, struct llvm_block *block,
                      GHashTable *blocks)
{
    for (struct llvm_value *v = llvm.GetFirstInstruction(block);
         v != NULL && llvm.GetInstructionOpcode(v) == LLVM_PHI;
         v = llvm.GetNextInstruction(v)) {
        struct llvm_value *made = g_hash_table_lookup(clc->values, v);
        for (unsigned i = 0; i < llvm.CountIncoming(v); i++) {
            struct llvm_block *from
                = g_hash_table_lookup(blocks, llvm.GetIncomingBlock(v, i));
            struct llvm_value *value = from != NULL
                ? weiri_clc_value(clc, llvm.GetIncomingValue(v, i))
                : NULL;
            if (value != NULL) {
                llvm.PositionBuilderBefore(clc->builder,
                                           llvm.GetBasicBlockTerminator(from));
                value = weiri_ir_as(clc->builder, value, llvm.TypeOf(made));
                llvm.AddIncoming(made, &value, &from, 1);
            } else if (from != NULL) {
                weiri_clc_miss(clc, "constant of this form in '%s'", clc->name);
            }
        }
    }
}

/* Copies the blocks. @marks: instructions of variables: their debug information */
static void convert_body(struct weiri_clc *clc, struct llvm_value *from)
{
    g_autoptr(GHashTable) blocks = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    visit(llvm.GetFirstBasicBlock(from), blocks, order);
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(from); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        if (g_hash_table_contains(blocks, b)) {
            g_hash_table_insert(
                blocks, b,
                llvm.AppendBasicBlockInContext(weiri_ir_context(), clc->function, ""));
        }
    }
    struct llvm_block *entry
        = g_hash_table_lookup(blocks, llvm.GetFirstBasicBlock(from));
    llvm.PositionBuilderAtEnd(clc->builder, entry);
    struct llvm_value *marks[2];
    struct llvm_builder *before[] = { clc->frame, clc->start };
    for (unsigned i = 0; i < G_N_ELEMENTS(marks); i++) {
        marks[i] = llvm.BuildAlloca(clc->builder, weiri_ir_int(8), "");
        llvm.PositionBuilderBefore(before[i], marks[i]);
    }
    for (guint i = 0; i < order->len; i++) {
        struct llvm_block *block = g_ptr_array_index(order, i);
        llvm.PositionBuilderAtEnd(clc->builder, g_hash_table_lookup(blocks, block));
        for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            llvm.SetCurrentDebugLocation2(clc->builder, llvm.InstructionGetDebugLoc(v));
            struct llvm_value *made = convert(clc, v, blocks);
            if (made != NULL) {
                g_hash_table_insert(clc->values, v, made);
            }
        }
    }
    llvm.SetCurrentDebugLocation2(clc->builder, NULL);
    for (guint i = 0; i < order->len; i++) {
        fill_phis(clc, g_ptr_array_index(order, i), blocks);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(marks); i++) {
        llvm.InstructionEraseFromParent(marks[i]);
    }
}

static struct llvm_value *header(struct weiri_clc *clc, struct llvm_value *from)
{
    struct llvm_value *made = weiri_clc_function(clc, from);
    int linkage = llvm.GetLinkage(from);
    weiri_clc_copy_attributes(clc, from, made, false, 1);
    weiri_back_add_attribute(made, "nounwind");
    if (clc->checked) {
        weiri_back_add_attribute(made, "sanitize_thread");
        weiri_back_add_attribute(made, "no-builtins");
    } else {
        weiri_back_add_attribute(made, "alwaysinline");
    }
    if (linkage == LLVM_INTERNAL || linkage == LLVM_PRIVATE) {
        llvm.SetLinkage(made, LLVM_INTERNAL);
    } else {
        llvm.SetVisibility(made, HIDDEN);
    }
    struct llvm_metadata *subprogram = llvm.GetSubprogram(from);
    if (subprogram != NULL) {
        llvm.SetSubprogram(made, subprogram);
    }
    return made;
}

static void begin(struct weiri_clc *clc, struct llvm_value *from)
{
    struct llvm_metadata *subprogram = llvm.GetSubprogram(from);
    g_autofree char *name
        = subprogram != NULL ? weiri_clc_subprogram_name(subprogram) : NULL;
    size_t length;
    name = name != NULL ? name : g_strdup(llvm.GetValueName2(from, &length));
    clc->name = weiri_clc_is_kernel(from) ? g_strconcat(name, "__body", NULL)
                                          : g_strdup(name);
    clc->values = g_hash_table_new(NULL, NULL);
    clc->shared = g_hash_table_new(NULL, NULL);
    clc->watched = g_hash_table_new(NULL, NULL);
    clc->accesses = g_ptr_array_new();
    clc->builder = llvm.CreateBuilderInContext(weiri_ir_context());
    clc->frame = llvm.CreateBuilderInContext(weiri_ir_context());
    clc->start = llvm.CreateBuilderInContext(weiri_ir_context());
    clc->private_bytes = clc->local_bytes = clc->slot = 0;
    clc->function = header(clc, from);
    clc->item = llvm.GetParam(clc->function, 0);
    for (unsigned i = 0; i < llvm.CountParams(from); i++) {
        g_hash_table_insert(clc->values, llvm.GetParam(from, i),
                            llvm.GetParam(clc->function, i + 1));
    }
}

static void end(struct weiri_clc *clc)
{
    g_clear_pointer(&clc->name, g_free);
    g_clear_pointer(&clc->values, g_hash_table_unref);
    g_clear_pointer(&clc->shared, g_hash_table_unref);
    g_clear_pointer(&clc->watched, g_hash_table_unref);
    g_clear_pointer(&clc->accesses, g_ptr_array_unref);
    llvm.DisposeBuilder(clc->builder);
    llvm.DisposeBuilder(clc->frame);
    llvm.DisposeBuilder(clc->start);
    clc->builder = clc->frame = clc->start = NULL;
}

/* Debug information of variables: of allocas of the module. */
static GHashTable *nodes_of(struct weiri_clc *clc, struct llvm_value *from)
{
    GHashTable *nodes = g_hash_table_new(NULL, NULL);
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(from); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (!weiri_ir_calls(v, "llvm.dbg.declare")) {
                continue;
            }
            struct llvm_value *of = NULL;
            if (llvm.GetMDNodeNumOperands(llvm.GetOperand(v, 0)) == 1) {
                llvm.GetMDNodeOperands(llvm.GetOperand(v, 0), &of);
            }
            void *made = of != NULL ? g_hash_table_lookup(clc->values, of) : NULL;
            if (made != NULL) {
                g_hash_table_insert(nodes, made,
                                    llvm.ValueAsMetadata(llvm.GetOperand(v, 1)));
            }
        }
    }
    return nodes;
}

/* Whether no source before defines something of that name for all to see. */
static bool note_definition(struct weiri_clc *clc, struct llvm_value *from)
{
    if (llvm.GetLinkage(from) != LLVM_EXTERNAL) {
        return true;
    }
    size_t length;
    const char *name = llvm.GetValueName2(from, &length);
    unsigned first = GPOINTER_TO_UINT(g_hash_table_lookup(clc->defined, name));
    if (first == 0) {
        g_hash_table_insert(clc->defined, g_strdup(name),
                            GUINT_TO_POINTER(clc->number + 1));
        return true;
    }
    weiri_clc_miss(clc, "%u %s", first - 1, name);
    return false;
}

/* Another source may have defined an inline function of that name: the first counts. */
static void convert_function(struct weiri_clc *clc, struct llvm_value *from)
{
    if (!note_definition(clc, from)
        || !llvm.IsDeclaration(weiri_clc_function(clc, from))) {
        return;
    }
    begin(clc, from);
    struct weiri_clc_kernel *kernel
        = weiri_clc_is_kernel(from) ? weiri_clc_kernel_begin(clc, from) : NULL;
    convert_body(clc, from);
    if (clc->checked) {
        g_autoptr(GHashTable) nodes = nodes_of(clc, from);
        weiri_clc_find_private(clc, nodes);
    }
    weiri_clc_parts(clc);
    if (clc->checked) {
        weiri_clc_accesses(clc);
    }
    if (kernel != NULL) {
        weiri_clc_kernel_end(clc, kernel, from);
    }
    end(clc);
}

static void note_calls(struct weiri_clc *clc, struct llvm_value *function)
{
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (llvm.GetInstructionOpcode(v) == LLVM_CALL) {
                g_hash_table_add(clc->called, llvm.GetCalledValue(v));
            }
        }
    }
}

void weiri_clc_convert(struct weiri_clc *clc)
{
    clc->called = g_hash_table_new(NULL, NULL);
    for (struct llvm_value *g = llvm.GetFirstGlobal(clc->source); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (weiri_clc_is_variable(g)) {
            (void)note_definition(clc, g);
        }
    }
    for (struct llvm_value *f = llvm.GetFirstFunction(clc->source); f != NULL;
         f = llvm.GetNextFunction(f)) {
        note_calls(clc, f);
    }
    for (struct llvm_value *f = llvm.GetFirstFunction(clc->source); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f)) {
            convert_function(clc, f);
        }
    }
    g_hash_table_unref(clc->called);
}
