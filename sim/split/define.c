/* SPDX-License-Identifier: MIT
 *
 * define.c: see define.h.
 *
 * Each part becomes a function for one item, and, where it is plain, one with a loop
 * over the items of the group, whose iterations are declared to be independent: between
 * two stops, items are, unless they race. weir-machinery-split.h declares the functions
 * that choose among them. Frames lie across each other: word after word, each for all
 * items in a row. */
#include "config.h"

#include "split/define.h"

#include "split/clone.h"
#include "split/metadata.h"

#include <string.h>

/* ---- Functions ------------------------------------------------------------ */

static void add_attribute(struct llvm_value *function, const char *name)
{
    unsigned kind = weiri_ir_attribute(name);
    llvm.AddAttributeAtIndex(function, LLVM_FUNCTION,
                             llvm.CreateEnumAttribute(weiri_ir_context(), kind, 0));
}

static void remove_attribute(struct llvm_value *function, const char *name)
{
    llvm.RemoveEnumAttributeAtIndex(function, LLVM_FUNCTION, weiri_ir_attribute(name));
}

/* Attributes that the compiler was asked for hold for a part, too; attributes that it
 * has found out about the body may not. */
static void copy_attributes(struct llvm_value *to, struct llvm_value *from)
{
    static const char *const kept[] = { "nounwind",
                                        "uwtable",
                                        "ssp",
                                        "sspstrong",
                                        "sspreq",
                                        "strictfp",
                                        "null_pointer_is_valid",
                                        "mustprogress",
                                        "optsize",
                                        "minsize" };
    unsigned n = llvm.GetAttributeCountAtIndex(from, LLVM_FUNCTION);
    g_autofree struct llvm_attribute **list = g_new(struct llvm_attribute *, n + 1);
    llvm.GetAttributesAtIndex(from, LLVM_FUNCTION, list);
    for (unsigned i = 0; i < n; i++) {
        bool keep = llvm.IsStringAttribute(list[i]);
        for (size_t k = 0; !keep && k < G_N_ELEMENTS(kept); k++) {
            keep = llvm.IsEnumAttribute(list[i])
                && llvm.GetEnumAttributeKind(list[i]) == weiri_ir_attribute(kept[k]);
        }
        if (keep) {
            llvm.AddAttributeAtIndex(to, LLVM_FUNCTION, list[i]);
        }
    }
}

static void set_inlined(struct llvm_value *function)
{
    /* a declaration's place in the source, which a definition cannot have */
    llvm.GlobalEraseMetadata(function, weiri_metadata_kind("dbg"));
    llvm.SetVisibility(function, 0);
    llvm.SetLinkage(function, LLVM_INTERNAL);
    llvm.SetComdat(function, NULL);
    remove_attribute(function, "noinline");
    remove_attribute(function, "optnone");
    add_attribute(function, "alwaysinline");
}

struct definer {
    struct llvm_module *module;
    struct weiri_kernel *kernel;
    struct weiri_flow *flow;
    struct llvm_value *tag;
    struct llvm_value **scalar; /* of each part: a function for one item */
    struct llvm_value **loops;  /* of each part: one for all items, or NULL */
};

static struct llvm_type *type_of(const struct definer *definer, uint32_t parameter)
{
    return llvm.TypeOf(llvm.GetParam(definer->kernel->item, parameter));
}

static struct llvm_value *new_function(const struct definer *definer, const char *what,
                                       uint32_t p, struct llvm_type *result,
                                       struct llvm_type **types, unsigned n)
{
    g_autofree char *name
        = g_strdup_printf("%s__split_%s.%u", definer->kernel->name, what, p);
    struct llvm_value *function = llvm.AddFunction(
        definer->module, name, llvm.FunctionType(result, types, n, 0));
    copy_attributes(function, definer->flow->ir->function);
    set_inlined(function);
    return function;
}

static struct llvm_block *new_block(struct llvm_value *function)
{
    return llvm.AppendBasicBlockInContext(weiri_ir_context(), function, "");
}

static void begin_clone(struct weiri_clone *clone, const struct definer *definer,
                        struct llvm_value *function, uint32_t p)
{
    weiri_clone_init(clone, definer->flow);
    clone->function = function;
    clone->part = p;
    clone->tag = definer->tag;
    clone->frames = llvm.GetParam(function, 0);
    clone->capacity = llvm.GetParam(function, 1);
    clone->parameters[WEIRI_SPLIT_GROUP] = llvm.GetParam(function, 2);
    clone->parameters[WEIRI_SPLIT_ARGS] = llvm.GetParam(function, 3);
    clone->parameters[WEIRI_SPLIT_SHAPE_OF] = llvm.GetParam(function, 4);
}

/* frames, capacity, group, args, shape, i, x, y, z, args_copy, shape_copy */
static void define_scalar(struct definer *definer, uint32_t p)
{
    struct llvm_type *types[] = { weiri_ir_pointer(),
                                  weiri_ir_int(64),
                                  type_of(definer, WEIRI_SPLIT_GROUP),
                                  type_of(definer, WEIRI_SPLIT_ARGS),
                                  type_of(definer, WEIRI_SPLIT_SHAPE_OF),
                                  weiri_ir_int(64),
                                  weiri_ir_int(64),
                                  weiri_ir_int(64),
                                  weiri_ir_int(64),
                                  type_of(definer, WEIRI_SPLIT_ARGS),
                                  type_of(definer, WEIRI_SPLIT_SHAPE_OF) };
    struct llvm_value *function
        = new_function(definer, "part", p, llvm.VoidTypeInContext(weiri_ir_context()),
                       types, G_N_ELEMENTS(types));
    struct weiri_clone clone;
    begin_clone(&clone, definer, function, p);
    for (uint32_t i = WEIRI_SPLIT_I; i <= WEIRI_SPLIT_Z; i++) {
        clone.parameters[i] = llvm.GetParam(function, i + 1);
    }
    clone.args_copy = llvm.GetParam(function, 9);
    clone.shape_copy = llvm.GetParam(function, 10);
    clone.entry = new_block(function);
    clone.stopped = new_block(function);
    weiri_clone_at(&clone, clone.stopped);
    llvm.BuildRetVoid(clone.builder);
    weiri_clone_at(&clone, clone.entry);
    weiri_clone_bases(&clone);
    struct llvm_block *first = weiri_clone_part(&clone);
    weiri_clone_at(&clone, clone.entry);
    llvm.BuildBr(clone.builder, first);
    weiri_clone_clear(&clone);
    definer->scalar[p] = function;
}

/* ---- Loops over items ----------------------------------------------------- */

/* Loads what all items share. */
static void load_shared(struct weiri_clone *clone)
{
    const struct weiri_ir *ir = clone->flow->ir;
    const struct weiri_part *part = &clone->flow->parts[clone->part];
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        uint32_t f;
        if (!part->in[ir->block_of[i]]
            || !weiri_flow_is_shared(clone->flow, clone->part, i)
            || !weiri_flow_field(clone->flow, ir->value[i], &f)
            || clone->shared[f] != NULL) {
            continue;
        }
        struct llvm_type *type = clone->flow->fields[f].type;
        struct llvm_value *base
            = weiri_ir_as(clone->builder, clone->bases[f], llvm.PointerType(type, 0));
        clone->shared[f] = llvm.BuildLoad2(clone->builder, type, base, "");
        weiri_clone_note(clone, clone->shared[f], f);
    }
}

static struct llvm_value *phi32(struct llvm_builder *builder, uint32_t first,
                                struct llvm_block *from)
{
    struct llvm_value *value = weiri_ir_constant(32, first);
    struct llvm_value *phi = llvm.BuildPhi(builder, weiri_ir_int(32), "");
    llvm.AddIncoming(phi, &value, &from, 1);
    return phi;
}

/* The end of the loop: where each item has stopped is kept in its frame. */
static void end_loop(struct weiri_clone *clone, struct llvm_block *loop,
                     struct llvm_value *i, struct llvm_value *any,
                     struct llvm_value *all, struct llvm_value *n)
{
    struct llvm_builder *builder = clone->builder;
    struct llvm_block *done = new_block(clone->function);
    weiri_clone_at(clone, clone->stopped);
    struct llvm_value *address = weiri_clone_address(clone, clone->flow->index,
                                                     clone->parameters[WEIRI_SPLIT_I]);
    weiri_clone_note(clone, llvm.BuildStore(builder, clone->place, address),
                     clone->flow->index);
    any = llvm.BuildBinOp(builder, LLVM_OR, any, clone->place, "");
    all = llvm.BuildBinOp(builder, LLVM_AND, all, clone->place, "");
    struct llvm_value *next
        = llvm.BuildNUWAdd(builder, i, weiri_ir_constant(32, 1), "");
    struct llvm_value *more = llvm.BuildICmp(builder, LLVM_ULT, next, n, "");
    struct llvm_value *branch = llvm.BuildCondBr(builder, more, loop, done);
    llvm.SetMetadata(branch, weiri_metadata_kind("llvm.loop"),
                     weiri_metadata_loop(clone->access));
    struct llvm_value *values[] = { next, any, all };
    struct llvm_value *phi = llvm.GetFirstInstruction(loop);
    for (size_t k = 0; k < 3; k++) {
        llvm.AddIncoming(phi, &values[k], &clone->stopped, 1);
        phi = llvm.GetNextInstruction(phi);
    }
    weiri_clone_at(clone, done);
    struct llvm_type *wide = weiri_ir_int(64);
    struct llvm_value *low = llvm.BuildCast(builder, LLVM_ZEXT, all, wide, "");
    struct llvm_value *high = llvm.BuildCast(builder, LLVM_ZEXT, any, wide, "");
    high = llvm.BuildBinOp(builder, LLVM_SHL, high, weiri_ir_constant(64, 32), "");
    llvm.BuildRet(builder, llvm.BuildBinOp(builder, LLVM_OR, high, low, ""));
}

/* frames, capacity, group, args, shape, args_copy, shape_copy, items */
static void define_loop(struct definer *definer, uint32_t p)
{
    struct llvm_type *types[] = { weiri_ir_pointer(),
                                  weiri_ir_int(64),
                                  type_of(definer, WEIRI_SPLIT_GROUP),
                                  type_of(definer, WEIRI_SPLIT_ARGS),
                                  type_of(definer, WEIRI_SPLIT_SHAPE_OF),
                                  type_of(definer, WEIRI_SPLIT_ARGS),
                                  type_of(definer, WEIRI_SPLIT_SHAPE_OF),
                                  weiri_ir_int(64) };
    struct llvm_value *function = new_function(definer, "loop", p, weiri_ir_int(64),
                                               types, G_N_ELEMENTS(types));
    struct weiri_clone clone;
    begin_clone(&clone, definer, function, p);
    struct llvm_builder *builder = clone.builder;
    clone.together = true;
    clone.args_copy = llvm.GetParam(function, 5);
    clone.shape_copy = llvm.GetParam(function, 6);
    clone.parameters[WEIRI_SPLIT_Y] = weiri_ir_constant(64, 0); /* of one dimension */
    clone.parameters[WEIRI_SPLIT_Z] = weiri_ir_constant(64, 0);

    struct llvm_block *entry = new_block(function), *loop = new_block(function);
    weiri_clone_at(&clone, entry);
    weiri_clone_bases(&clone);
    load_shared(&clone);
    weiri_clone_hoist(definer->flow, p, &clone);
    struct llvm_value *n = llvm.BuildCast(
        builder, LLVM_TRUNC, llvm.GetParam(function, 7), weiri_ir_int(32), "");
    llvm.BuildBr(builder, loop);

    weiri_clone_at(&clone, loop);
    struct llvm_value *i = phi32(builder, 0, entry), *any = phi32(builder, 0, entry),
                      *all = phi32(builder, UINT32_MAX, entry);
    struct llvm_value *id = llvm.BuildCast(builder, LLVM_ZEXT, i, weiri_ir_int(64), "");
    clone.parameters[WEIRI_SPLIT_I] = clone.parameters[WEIRI_SPLIT_X] = id;
    clone.entry = loop;
    clone.access = weiri_metadata_access_group();
    clone.stopped = new_block(function);
    weiri_clone_at(&clone, clone.stopped);
    clone.place = llvm.BuildPhi(builder, weiri_ir_int(32), "");
    struct llvm_block *first = weiri_clone_part(&clone);
    weiri_clone_at(&clone, loop);
    llvm.BuildBr(builder, first);
    end_loop(&clone, loop, i, any, all, n);
    weiri_clone_clear(&clone);
    definer->loops[p] = function;
}

/* ---- Parts for all items -------------------------------------------------- */

static bool is_plain(const struct weiri_flow *flow, uint32_t p)
{
    const struct weiri_ir *ir = flow->ir;
    const struct weiri_part *part = &flow->parts[p];
    if (part->loops) {
        return false;
    }
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        uint32_t b = ir->block_of[i];
        if (!part->in[b]) {
            continue;
        }
        struct llvm_value *value = ir->value[i];
        enum weiri_ir_kind kind = weiri_ir_kind(value);
        bool group = kind == WEIRI_IR_ARRAY || kind == WEIRI_IR_GROUP;
        uint32_t stop = flow->stop_of[b];
        if (!weiri_ir_is_plain(kind) || weiri_clone_uses_stack(value)
            || (group && weiri_stride_varies(&flow->strides, value))
            || (kind == WEIRI_IR_ARRAY && !part->straight[b])
            || (stop != WEIRI_IR_NONE && !flow->stops[stop].soft
                && !flow->stops[stop].known)) {
            return false;
        }
    }
    return weiri_clone_hoist(flow, p, NULL);
}

/* ---- What K__stackless() calls -------------------------------------------- */

static bool begin_function(struct weiri_clone *clone, const struct definer *definer,
                           struct llvm_value *function)
{
    if (function == NULL) {
        return false; /* it is not called */
    }
    set_inlined(function);
    weiri_clone_init(clone, definer->flow);
    clone->tag = definer->tag;
    clone->function = function;
    weiri_clone_at(clone, new_block(function));
    return true;
}

static struct llvm_value *call(struct llvm_builder *builder,
                               struct llvm_value *function,
                               struct llvm_value **arguments, unsigned n)
{
    return llvm.BuildCall2(builder, llvm.GlobalGetValueType(function), function,
                           arguments, n, "");
}

/* A choice by the last parameter: for part p the result of functions[p]. */
static void define_choice(const struct definer *definer, struct llvm_value *function,
                          struct llvm_value **functions)
{
    struct weiri_clone clone;
    if (!begin_function(&clone, definer, function)) {
        return;
    }
    struct llvm_builder *builder = clone.builder;
    unsigned n = llvm.CountParams(function) - 1;
    g_autofree struct llvm_value **arguments = g_new(struct llvm_value *, n);
    struct llvm_block *other = new_block(function);
    bool returns = llvm.GetReturnType(llvm.GlobalGetValueType(function))
        != llvm.VoidTypeInContext(weiri_ir_context());
    struct llvm_value *choice = llvm.BuildSwitch(builder, llvm.GetParam(function, n),
                                                 other, definer->flow->n_parts);
    for (unsigned i = 0; i < n; i++) {
        arguments[i] = llvm.GetParam(function, i);
    }
    for (uint32_t p = 0; p < definer->flow->n_parts; p++) {
        if (functions[p] != NULL) {
            struct llvm_block *block = new_block(function);
            llvm.AddCase(choice, weiri_ir_constant(32, p), block);
            weiri_clone_at(&clone, block);
            struct llvm_value *result = call(builder, functions[p], arguments, n);
            if (returns) {
                llvm.BuildRet(builder, result);
            } else {
                llvm.BuildRetVoid(builder);
            }
        }
    }
    weiri_clone_at(&clone, other);
    if (returns) {
        llvm.BuildRet(builder, weiri_ir_constant(64, UINT64_MAX));
    } else {
        llvm.BuildUnreachable(builder);
    }
    weiri_clone_clear(&clone);
}

static void define_number(const struct definer *definer, struct llvm_value *function,
                          unsigned bits, uint64_t number)
{
    struct weiri_clone clone;
    if (begin_function(&clone, definer, function)) {
        llvm.BuildRet(clone.builder, weiri_ir_constant(bits, number));
        weiri_clone_clear(&clone);
    }
}

static void define_place(const struct definer *definer)
{
    struct weiri_clone clone;
    struct llvm_value *function = definer->kernel->place;
    if (begin_function(&clone, definer, function)) {
        clone.frames = llvm.GetParam(function, 0);
        clone.capacity = llvm.GetParam(function, 1);
        weiri_clone_bases(&clone);
        struct llvm_value *address = weiri_clone_address(&clone, definer->flow->index,
                                                         llvm.GetParam(function, 2));
        struct llvm_value *place
            = llvm.BuildLoad2(clone.builder, weiri_ir_int(32), address, "");
        weiri_clone_note(&clone, place, definer->flow->index);
        llvm.BuildRet(clone.builder, place);
        weiri_clone_clear(&clone);
    }
}

static void tell(struct weiri_clone *clone, struct llvm_value *function,
                 struct llvm_value *site, struct llvm_value *op)
{
    struct llvm_value *arguments[] = { llvm.GetParam(clone->function, 0), site, op };
    call(clone->builder, function, arguments, 3);
    llvm.BuildRetVoid(clone->builder);
}

static void define_stop(const struct definer *definer)
{
    struct weiri_clone clone;
    struct llvm_value *function = definer->kernel->stop;
    struct llvm_value *told
        = llvm.GetNamedFunction(definer->module, "weiri_split_tell");
    if (!begin_function(&clone, definer, function)) {
        return;
    }
    remove_attribute(function, "alwaysinline");
    struct llvm_block *returned = new_block(function);
    struct llvm_value *choice = llvm.BuildSwitch(
        clone.builder, llvm.GetParam(function, 1), returned, definer->flow->n_parts);
    for (uint32_t p = 1; p < definer->flow->n_parts; p++) {
        const struct weiri_flow_stop *stop = &definer->flow->stops[p];
        if (stop->seen && stop->known) {
            struct llvm_block *block = new_block(function);
            llvm.AddCase(choice, weiri_ir_constant(32, p), block);
            weiri_clone_at(&clone, block);
            tell(&clone, told, stop->site, stop->op);
        }
    }
    weiri_clone_at(&clone, returned);
    struct llvm_type *site = llvm.TypeOf(llvm.GetParam(told, 1));
    tell(&clone, told, llvm.ConstNull(site), weiri_ir_constant(64, 0));
    weiri_clone_clear(&clone);
}

static void define_is_soft(const struct definer *definer)
{
    struct weiri_clone clone;
    struct llvm_value *function = definer->kernel->is_soft;
    if (!begin_function(&clone, definer, function)) {
        return;
    }
    struct llvm_block *yes = new_block(function), *no = new_block(function);
    struct llvm_value *choice = llvm.BuildSwitch(
        clone.builder, llvm.GetParam(function, 0), no, definer->flow->n_parts);
    for (uint32_t p = 1; p < definer->flow->n_parts; p++) {
        if (definer->flow->stops[p].soft) {
            llvm.AddCase(choice, weiri_ir_constant(32, p), yes);
        }
    }
    weiri_clone_at(&clone, yes);
    llvm.BuildRet(clone.builder, weiri_ir_constant(32, 1));
    weiri_clone_at(&clone, no);
    llvm.BuildRet(clone.builder, weiri_ir_constant(32, 0));
    weiri_clone_clear(&clone);
}

/* A function that is never called: code that calls it goes. */
static struct llvm_value *never_function(const struct definer *definer)
{
    struct llvm_value *function
        = llvm.GetNamedFunction(definer->module, "weiri.split.never");
    if (function == NULL) {
        struct llvm_builder *builder = llvm.CreateBuilderInContext(weiri_ir_context());
        struct llvm_type *type
            = llvm.FunctionType(llvm.VoidTypeInContext(weiri_ir_context()), NULL, 0, 0);
        function = llvm.AddFunction(definer->module, "weiri.split.never", type);
        copy_attributes(function, definer->flow->ir->function);
        set_inlined(function);
        llvm.PositionBuilderAtEnd(builder, new_block(function));
        llvm.BuildUnreachable(builder);
        llvm.DisposeBuilder(builder);
    }
    return function;
}

/* Calls of K__split_resume() with a known part become calls of that part, if there is
 * one. */
static void call_parts(const struct definer *definer)
{
    struct llvm_value *resume = definer->kernel->resume;
    GPtrArray *calls = g_ptr_array_new();
    for (struct llvm_use *use = resume == NULL ? NULL : llvm.GetFirstUse(resume);
         use != NULL; use = llvm.GetNextUse(use)) {
        g_ptr_array_add(calls, llvm.GetUser(use));
    }
    struct llvm_builder *builder = llvm.CreateBuilderInContext(weiri_ir_context());
    for (guint i = 0; i < calls->len; i++) {
        struct llvm_value *at = g_ptr_array_index(calls, i);
        if (llvm.IsAInstruction(at) == NULL
            || llvm.GetInstructionOpcode(at) != LLVM_CALL
            || llvm.GetCalledValue(at) != resume) {
            continue;
        }
        struct llvm_value *arguments[12];
        unsigned n = llvm.GetNumArgOperands(at);
        for (unsigned k = 0; k < n; k++) {
            arguments[k] = llvm.GetOperand(at, k);
        }
        struct llvm_value *place = llvm.IsAConstantInt(arguments[n - 1]);
        uint64_t p = place == NULL ? 0 : llvm.ConstIntGetZExtValue(place);
        if (place != NULL) {
            bool any = p < definer->flow->n_parts;
            llvm.PositionBuilderBefore(builder, at);
            struct llvm_value *to = any
                ? call(builder, definer->scalar[p], arguments, n - 1)
                : call(builder, never_function(definer), NULL, 0);
            llvm.InstructionSetDebugLoc(to, llvm.InstructionGetDebugLoc(at));
            llvm.InstructionEraseFromParent(at);
        }
    }
    llvm.DisposeBuilder(builder);
    g_ptr_array_free(calls, TRUE);
}

static void report(const struct definer *definer)
{
    struct weiri_kernel *kernel = definer->kernel;
    kernel->n_parts = definer->flow->n_parts;
    kernel->n_soft = kernel->n_stops = kernel->n_together = 0;
    for (uint32_t p = 0; p < definer->flow->n_parts; p++) {
        kernel->n_soft += definer->flow->stops[p].soft;
        kernel->n_stops += p > 0 && !definer->flow->stops[p].soft;
        kernel->n_together += definer->flow->parts[p].together;
    }
}

static void define_all(struct definer *definer)
{
    struct weiri_kernel *kernel = definer->kernel;
    struct weiri_flow *flow = definer->flow;
    bool waits = false;
    for (uint32_t p = 0; p < flow->n_parts; p++) {
        waits |= p > 0 && !flow->stops[p].soft;
        flow->parts[p].together = is_plain(flow, p);
        define_scalar(definer, p);
        if (flow->parts[p].together) {
            define_loop(definer, p);
        }
    }
    call_parts(definer);
    define_choice(definer, kernel->resume, definer->scalar);
    define_choice(definer, kernel->vector, definer->loops);
    define_number(definer, kernel->bytes, 64, flow->frame_bytes);
    define_number(definer, kernel->waits, 32, waits);
    define_place(definer);
    define_stop(definer);
    define_is_soft(definer);
    report(definer);
}

const char *weiri_define(struct llvm_module *module, struct weiri_kernel *kernel)
{
    const char *why;
    struct definer definer = { .module = module, .kernel = kernel };
    definer.flow = weiri_flow_new(module, kernel, &why);
    if (definer.flow == NULL) {
        return why;
    }
    definer.tag = weiri_metadata_frame_tag(definer.flow->ir->function);
    definer.scalar = g_new0(struct llvm_value *, definer.flow->n_parts);
    definer.loops = g_new0(struct llvm_value *, definer.flow->n_parts);
    define_all(&definer);
    g_free(definer.scalar);
    g_free(definer.loops);
    weiri_flow_free(definer.flow);
    llvm.SetLinkage(kernel->item, LLVM_INTERNAL); /* nothing is left that calls it */
    return NULL;
}

void weiri_define_end(struct llvm_module *module)
{
    static const char *const inlined[] = { "weiri_split_tell", "weiri_split_array" };
    for (size_t i = 0; i < G_N_ELEMENTS(inlined); i++) {
        struct llvm_value *function = llvm.GetNamedFunction(module, inlined[i]);
        if (function != NULL && !llvm.IsDeclaration(function)) {
            set_inlined(function);
            add_attribute(function, "nounwind");
        }
    }
}
