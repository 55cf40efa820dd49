/* SPDX-License-Identifier: MIT
 *
 * template.c: the entries of each kernel.
 *
 * weir-kernel.h defines entries by macros. opencl/device/entries.c has one kernel that
 * stands for any, weiri_k_0, which is compiled with the builtins, once for all
 * programs; so has cuda/device/entries.c. Each kernel K gets a copy of all that this
 * name begins: weiri_k_0__fast() becomes weiri_k_K__fast(). Where kernels differ, the
 * template has numbers that no code has by chance: for the bytes of the arguments, and
 * the line. Variables of the type of the arguments are arrays of as many bytes. */
#include "config.h"

#include "opencl-cc/template.h"

#include "split/ir.h"

#include <string.h>

/* As entries.c has them. */
enum { ARGS_BYTES = 48112, LINE = 48113, OWN_BYTES = 48114 };

enum { C11 = 28 }; /* a language of debug information */

/* A kernel whose entries are made. */
struct copy {
    struct llvm_module *module;
    const struct weiri_template_kernel *kernel;
    struct llvm_builder *builder;
    GHashTable *values; /* of the template -> of the kernel */
    struct llvm_metadata *location;
};

static const char *name_of(struct llvm_value *global)
{
    size_t length;
    return llvm.GetValueName2(global, &length);
}

static bool is_template(struct llvm_value *global)
{
    return g_str_has_prefix(name_of(global), WEIRI_TEMPLATE);
}

static char *renamed(const struct copy *copy, struct llvm_value *global)
{
    return g_strconcat("weiri_k_", copy->kernel->symbol,
                       name_of(global) + strlen(WEIRI_TEMPLATE), NULL);
}

/* ---- Constants ------------------------------------------------------------ */

struct llvm_value *weiri_template_pointer(struct llvm_builder *builder,
                                          struct llvm_value *global)
{
    return weiri_ir_as(builder, global, weiri_ir_pointer());
}

struct llvm_value *weiri_template_constant(struct llvm_module *module,
                                           struct llvm_value *value, const char *name)
{
    struct llvm_value *global = llvm.AddGlobal(module, llvm.TypeOf(value), name);
    llvm.SetInitializer(global, value);
    llvm.SetGlobalConstant(global, 1);
    llvm.SetLinkage(global, LLVM_PRIVATE);
    return global;
}

/* A string constant, as i8 *; null of NULL. */
struct llvm_value *weiri_template_text(struct llvm_module *module,
                                       struct llvm_builder *builder, const char *text)
{
    if (text == NULL) {
        return llvm.ConstNull(weiri_ir_pointer());
    }
    struct llvm_value *value = llvm.ConstStringInContext(weiri_ir_context(), text,
                                                         (unsigned)strlen(text), 0);
    return weiri_template_pointer(builder,
                                  weiri_template_constant(module, value, "weiri.text"));
}

static struct llvm_value *number_of(const struct copy *copy, struct llvm_value *number)
{
    const struct weiri_template_kernel *kernel = copy->kernel;
    uint64_t value = llvm.ConstIntGetZExtValue(number);
    uint64_t made = value == ARGS_BYTES ? kernel->args_bytes
        : value == LINE                 ? kernel->line
        : value == OWN_BYTES            ? kernel->own_bytes
                                        : value;
    return made == value ? number : llvm.ConstInt(llvm.TypeOf(number), made, 0);
}

static struct llvm_value *global_of(struct copy *copy, struct llvm_value *global);

static struct llvm_value *constant_of(struct copy *copy, struct llvm_value *of)
{
    if (llvm.IsAFunction(of) != NULL || llvm.IsAGlobalVariable(of) != NULL) {
        return is_template(of) ? global_of(copy, of) : of;
    }
    if (llvm.IsAConstantInt(of) != NULL) {
        return llvm.GetIntTypeWidth(llvm.TypeOf(of)) <= 64 ? number_of(copy, of) : of;
    }
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    if (n == 0) {
        return of;
    }
    g_autofree struct llvm_value **o = g_new(struct llvm_value *, n);
    bool same = true;
    for (unsigned i = 0; i < n; i++) {
        o[i] = constant_of(copy, llvm.GetOperand(of, i));
        same = same && o[i] == llvm.GetOperand(of, i);
    }
    if (same) {
        return of;
    }
    struct llvm_type *type = llvm.TypeOf(of);
    if (llvm.IsAConstantStruct(of) != NULL) {
        return llvm.GetStructName(type) != NULL
            ? llvm.ConstNamedStruct(type, o, n)
            : llvm.ConstStructInContext(weiri_ir_context(), o, n,
                                        llvm.IsPackedStruct(type));
    }
    if (llvm.IsAConstantExpr(of) != NULL && llvm.GetConstOpcode(of) == LLVM_GEP) {
        struct llvm_type *element = llvm.GetGEPSourceElementType(of);
        o[0] = weiri_ir_as(copy->builder, o[0], llvm.TypeOf(llvm.GetOperand(of, 0)));
        return llvm.BuildGEP2(copy->builder, element, o[0], o + 1, n - 1, "");
    }
    if (llvm.IsAConstantExpr(of) != NULL && llvm.GetConstOpcode(of) == LLVM_BITCAST) {
        return weiri_ir_as(copy->builder, o[0], type);
    }
    g_error("the template of entries has a constant of an unknown form");
}

/* ---- Functions and variables ---------------------------------------------- */

static struct llvm_value *global_of(struct copy *copy, struct llvm_value *global)
{
    struct llvm_value *known = g_hash_table_lookup(copy->values, global);
    if (known != NULL) {
        return known;
    }
    const char *part = name_of(global) + strlen(WEIRI_TEMPLATE);
    g_autofree char *name = renamed(copy, global);
    struct llvm_type *type = llvm.GlobalGetValueType(global);
    if (strcmp(part, "__name") == 0 || strcmp(part, "__file") == 0) {
        known = weiri_template_text(copy->module, copy->builder,
                                    part[2] == 'n' ? copy->kernel->name
                                                   : copy->kernel->file);
        known = weiri_ir_as(copy->builder, known, llvm.TypeOf(global));
    } else if (llvm.IsAFunction(global) != NULL) {
        known = llvm.GetNamedFunction(copy->module, name);
    }
    if (known == NULL) {
        known = llvm.IsAFunction(global) != NULL
            ? llvm.AddFunction(copy->module, name, type)
            : llvm.AddGlobal(copy->module, type, name);
        llvm.SetLinkage(known, llvm.GetLinkage(global));
        llvm.SetVisibility(known, llvm.GetVisibility(global));
    }
    g_hash_table_insert(copy->values, global, known);
    return known;
}

static struct llvm_value *value_of(struct copy *copy, struct llvm_value *of)
{
    if (llvm.IsConstant(of)) {
        return constant_of(copy, of);
    }
    struct llvm_value *known = g_hash_table_lookup(copy->values, of);
    return known != NULL ? known : of;
}

static void copy_attributes(struct llvm_value *from, struct llvm_value *to)
{
    for (int i = LLVM_FUNCTION; i <= (int)llvm.CountParams(from); i++) {
        unsigned n = llvm.GetAttributeCountAtIndex(from, i);
        g_autofree struct llvm_attribute **list = g_new(struct llvm_attribute *, n + 1);
        if (n > 0) {
            llvm.GetAttributesAtIndex(from, i, list);
        }
        for (unsigned k = 0; k < n; k++) {
            llvm.AddAttributeAtIndex(to, i, list[k]);
        }
    }
}

/* A variable of the type of the arguments has their bytes. */
static struct llvm_value *copy_alloca(struct copy *copy, struct llvm_value *of)
{
    struct llvm_type *type = llvm.GetAllocatedType(of);
    const char *name
        = llvm.GetTypeKind(type) == LLVM_STRUCT ? llvm.GetStructName(type) : NULL;
    static const char args[] = "struct." WEIRI_TEMPLATE "__args";
    if (name == NULL || strcmp(name, args) != 0) {
        return NULL;
    }
    struct llvm_type *bytes
        = llvm.ArrayType(weiri_ir_int(8), (unsigned)copy->kernel->args_bytes);
    struct llvm_value *made = llvm.BuildAlloca(copy->builder, bytes, "");
    llvm.SetAlignment(made, llvm.GetAlignment(of));
    return weiri_ir_as(copy->builder, made, llvm.TypeOf(of));
}

static struct llvm_value *copy_instruction(struct copy *copy, struct llvm_value *of)
{
    int opcode = llvm.GetInstructionOpcode(of);
    struct llvm_value *made = opcode == LLVM_ALLOCA ? copy_alloca(copy, of)
        : opcode == LLVM_PHI ? llvm.BuildPhi(copy->builder, llvm.TypeOf(of), "")
                             : NULL;
    if (made != NULL) {
        return made;
    }
    made = llvm.InstructionClone(of);
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    for (unsigned i = 0; i < n; i++) {
        struct llvm_value *value = llvm.GetOperand(of, i);
        if (!llvm.ValueIsBasicBlock(value)) {
            llvm.SetOperand(made, i, value_of(copy, value));
        }
    }
    bool leads = llvm.GetBasicBlockTerminator(llvm.GetInstructionParent(of)) == of;
    for (unsigned i = 0; leads && i < llvm.GetNumSuccessors(of); i++) {
        llvm.SetSuccessor(made, i,
                          g_hash_table_lookup(copy->values, llvm.GetSuccessor(of, i)));
    }
    llvm.InsertIntoBuilder(copy->builder, made);
    llvm.InstructionSetDebugLoc(made, copy->location);
    return made;
}

static void fill_phi(struct copy *copy, struct llvm_value *of)
{
    struct llvm_value *made = g_hash_table_lookup(copy->values, of);
    for (unsigned i = 0; i < llvm.CountIncoming(of); i++) {
        struct llvm_value *value = value_of(copy, llvm.GetIncomingValue(of, i));
        struct llvm_block *block
            = g_hash_table_lookup(copy->values, llvm.GetIncomingBlock(of, i));
        llvm.AddIncoming(made, &value, &block, 1);
    }
}

/* The template has its blocks in an order in which a value is made before it is used,
 * but for phis. */
static void copy_body(struct copy *copy, struct llvm_value *from, struct llvm_value *to)
{
    for (unsigned i = 0; i < llvm.CountParams(from); i++) {
        g_hash_table_insert(copy->values, llvm.GetParam(from, i), llvm.GetParam(to, i));
    }
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(from); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        g_hash_table_insert(copy->values, b,
                            llvm.AppendBasicBlockInContext(weiri_ir_context(), to, ""));
    }
    GPtrArray *phis = g_ptr_array_new();
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(from); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        llvm.PositionBuilderAtEnd(copy->builder, g_hash_table_lookup(copy->values, b));
        llvm.SetCurrentDebugLocation2(copy->builder, copy->location);
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (g_str_has_prefix(weiri_ir_callee(v), "llvm.dbg.")) {
                continue;
            }
            g_hash_table_insert(copy->values, v, copy_instruction(copy, v));
            if (llvm.GetInstructionOpcode(v) == LLVM_PHI) {
                g_ptr_array_add(phis, v);
            }
        }
    }
    for (guint i = 0; i < phis->len; i++) {
        fill_phi(copy, g_ptr_array_index(phis, i));
    }
    g_ptr_array_unref(phis);
}

/* ---- Debug information ---------------------------------------------------- */

/* Debug information of the machine's code: files of the kernels, and their lines. */
struct debug {
    struct llvm_debug *builder;
    struct llvm_metadata *type;
};

static struct llvm_metadata *file_of(struct debug *debug, const char *path)
{
    return llvm.DIBuilderCreateFile(debug->builder, path, strlen(path), "", 0);
}

struct llvm_debug *weiri_template_debug(struct llvm_module *module, const char *name)
{
    static const char producer[] = "Weir";
    struct llvm_debug *builder = llvm.CreateDIBuilder(module);
    struct llvm_metadata *file
        = llvm.DIBuilderCreateFile(builder, name, strlen(name), "", 0);
    (void)llvm.DIBuilderCreateCompileUnit(builder, C11, file, producer,
                                          strlen(producer), 1, "", 0, 0, "", 0, 1, 0, 1,
                                          0, "", 0, "", 0);
    return builder;
}

static void debug_init(struct debug *debug, struct llvm_module *module)
{
    debug->builder = weiri_template_debug(module, "entries");
    debug->type = llvm.DIBuilderCreateSubroutineType(
        debug->builder, file_of(debug, "entries"), NULL, 0, 0);
}

/* A function of a kernel is at the line of the kernel. */
static void describe(struct copy *copy, struct debug *debug, struct llvm_value *made)
{
    const char *name = name_of(made);
    unsigned line = copy->kernel->line;
    struct llvm_metadata *file = file_of(debug, copy->kernel->file);
    struct llvm_metadata *subprogram
        = llvm.DIBuilderCreateFunction(debug->builder, file, name, strlen(name), "", 0,
                                       file, line, debug->type, 1, 1, line, 0, 1);
    llvm.SetSubprogram(made, subprogram);
    copy->location = llvm.DIBuilderCreateDebugLocation(weiri_ir_context(), line, 0,
                                                       subprogram, NULL);
}

/* ---- Copies --------------------------------------------------------------- */

static void copy_all(struct copy *copy, struct debug *debug, GPtrArray *parts)
{
    for (guint i = 0; i < parts->len; i++) {
        struct llvm_value *of = g_ptr_array_index(parts, i);
        struct llvm_value *made = global_of(copy, of);
        if (llvm.IsDeclaration(of)) {
            continue;
        }
        if (llvm.IsAFunction(of) != NULL) {
            copy_attributes(of, made);
            describe(copy, debug, made);
            copy_body(copy, of, made);
        } else {
            llvm.SetInitializer(made, constant_of(copy, llvm.GetInitializer(of)));
            llvm.SetGlobalConstant(made, llvm.IsGlobalConstant(of));
            llvm.SetAlignment(made, llvm.GetAlignment(of));
        }
    }
}

/* All that belongs to the template. */
static GPtrArray *parts_of(struct llvm_module *module)
{
    GPtrArray *parts = g_ptr_array_new();
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (is_template(f)) {
            g_ptr_array_add(parts, f);
        }
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (is_template(g)) {
            g_ptr_array_add(parts, g);
        }
    }
    return parts;
}

/* ---- All kernels ---------------------------------------------------------- */

void weiri_template_entries(struct llvm_module *module,
                            const struct weiri_template_kernel *kernels, size_t n)
{
    struct llvm_builder *builder = llvm.CreateBuilderInContext(weiri_ir_context());
    g_autoptr(GPtrArray) parts = parts_of(module);
    struct debug debug;
    debug_init(&debug, module);
    for (size_t i = 0; i < n; i++) {
        struct copy copy = { .module = module,
                             .kernel = &kernels[i],
                             .builder = builder,
                             .values = g_hash_table_new(NULL, NULL) };
        copy_all(&copy, &debug, parts);
        g_hash_table_unref(copy.values);
    }
    llvm.DIBuilderFinalize(debug.builder);
    llvm.DisposeDIBuilder(debug.builder);
    /* The template itself goes with what nothing refers to. */
    for (guint i = 0; i < parts->len; i++) {
        struct llvm_value *of = g_ptr_array_index(parts, i);
        if (!llvm.IsDeclaration(of)) {
            llvm.SetVisibility(of, 0);
            llvm.SetLinkage(of, LLVM_INTERNAL);
        }
    }
    llvm.DisposeBuilder(builder);
}
