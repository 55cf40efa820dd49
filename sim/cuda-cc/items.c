/* SPDX-License-Identifier: MIT
 *
 * items.c: each function of the source gets one more parameter, the item that runs it:
 *
 *     define float @f(float %x)      becomes      define float @f(ptr %item, float %x)
 *
 * and a call of a builtin that Weir's header has declared becomes one of the template's
 * function, with the item and the place in the source:
 *
 *     call i32 @weiri_cu_thread(i32 0)      call i32 @weiri_cu_thread(item, site, 0)
 *
 * A function keeps its name without the item only where its address is taken, or where
 * another object may call it: outside.c. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

#include "opencl-cc/template.h"

/* ---- Attributes ------------------------------------------------------------ */

/* allocsize names a parameter by its number, which another parameter before it makes
 * wrong; operator new has it. */
static bool is_numbered(struct llvm_attribute *attribute)
{
    return llvm.IsEnumAttribute(attribute) != 0
        && llvm.GetEnumAttributeKind(attribute) == weiri_ir_attribute("allocsize");
}

void weiri_cuda_copy_attributes(struct llvm_value *from, struct llvm_value *to,
                                int shift)
{
    for (int i = LLVM_FUNCTION; i <= (int)llvm.CountParams(from); i++) {
        unsigned n = llvm.GetAttributeCountAtIndex(from, i);
        g_autofree struct llvm_attribute **list = g_new(struct llvm_attribute *, n + 1);
        llvm.GetAttributesAtIndex(from, i, list);
        for (unsigned k = 0; k < n; k++) {
            if (!is_numbered(list[k])) {
                llvm.AddAttributeAtIndex(to, i >= 1 ? i + shift : i, list[k]);
            }
        }
    }
}

void weiri_cuda_copy_call_attributes(struct llvm_value *from, struct llvm_value *to,
                                     int shift)
{
    for (int i = LLVM_FUNCTION; i <= (int)llvm.GetNumArgOperands(from); i++) {
        unsigned n = llvm.GetCallSiteAttributeCount(from, i);
        g_autofree struct llvm_attribute **list = g_new(struct llvm_attribute *, n + 1);
        llvm.GetCallSiteAttributes(from, i, list);
        for (unsigned k = 0; k < n; k++) {
            if (!is_numbered(list[k])) {
                llvm.AddCallSiteAttribute(to, i >= 1 ? i + shift : i, list[k]);
            }
        }
    }
}

/* ---- Calls of the template's functions ------------------------------------- */

struct llvm_value *weiri_cuda_site(struct weiri_cuda_code *code, const char *file,
                                   const char *function, unsigned line,
                                   const char *name)
{
    struct llvm_module *module = code->module;
    struct llvm_value *members[]
        = { weiri_template_text(module, code->builder, file != NULL ? file : "?"),
            weiri_template_text(module, code->builder, function),
            weiri_ir_constant(32, line),
            weiri_template_text(module, code->builder, name) };
    struct llvm_value *value = llvm.ConstStructInContext(weiri_ir_context(), members,
                                                         G_N_ELEMENTS(members), 0);
    struct llvm_value *site = weiri_template_constant(module, value, "weiri.site");
    llvm.SetAlignment(site, 8);
    return weiri_template_pointer(code->builder, site);
}

/* The value as one of another type of the same form. */
static struct llvm_value *fit(struct weiri_cuda_code *code, struct llvm_value *value,
                              struct llvm_type *type)
{
    struct llvm_type *from = llvm.TypeOf(value);
    if (from == type) {
        return value;
    }
    if (llvm.GetTypeKind(from) == LLVM_POINTER
        && llvm.GetTypeKind(type) == LLVM_POINTER) {
        return weiri_ir_as(code->builder, value, type);
    }
    return NULL;
}

static void miss(struct weiri_cuda_code *code, const char *name, const char *why)
{
    g_ptr_array_add(code->missing, g_strdup_printf("%s: %s", name, why));
}

struct llvm_value *weiri_cuda_call(struct weiri_cuda_code *code, const char *name,
                                   struct llvm_type *result,
                                   struct llvm_value **arguments, unsigned n)
{
    struct llvm_value *function = llvm.GetNamedFunction(code->module, name);
    if (function == NULL || llvm.IsDeclaration(function)) {
        miss(code, name, "Weir has no such builtin");
        return NULL;
    }
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    bool fits = llvm.CountParams(function) == n;
    for (unsigned i = 0; fits && i < n; i++) {
        list[i] = fit(code, arguments[i], llvm.TypeOf(llvm.GetParam(function, i)));
        fits = list[i] != NULL;
    }
    struct llvm_type *type = llvm.GlobalGetValueType(function);
    struct llvm_value *call
        = fits ? llvm.BuildCall2(code->builder, type, function, list, n, "") : NULL;
    bool none = result == NULL || result == llvm.VoidTypeInContext(weiri_ir_context());
    struct llvm_value *made = call == NULL || none ? call : fit(code, call, result);
    if (made == NULL) {
        miss(code, name, "the header and the builtin differ in types");
    }
    return made;
}

/* ---- Functions ------------------------------------------------------------- */

static struct llvm_value *declare_with_item(struct weiri_cuda_code *code,
                                            struct llvm_value *from)
{
    struct llvm_type *type = llvm.GlobalGetValueType(from);
    unsigned n = llvm.CountParamTypes(type);
    g_autofree struct llvm_type **types = g_new(struct llvm_type *, n + 1);
    types[0] = code->item_type;
    llvm.GetParamTypes(type, types + 1);
    struct llvm_type *with = llvm.FunctionType(llvm.GetReturnType(type), types, n + 1,
                                               llvm.IsFunctionVarArg(type));
    g_autofree char *name = g_strconcat("weir.item.", weiri_cuda_name(from), NULL);
    struct llvm_value *to = llvm.AddFunction(code->module, name, with);
    weiri_cuda_copy_attributes(from, to, 1);
    llvm.SetLinkage(to, LLVM_INTERNAL);
    return to;
}

/* Moves the body. The function that is left is only declared. LLVM 19 cannot move a
 * block to before one of another function. */
static void move_body(struct llvm_value *from, struct llvm_value *to)
{
    struct llvm_block *block;
    while ((block = llvm.GetFirstBasicBlock(from)) != NULL) {
        llvm.RemoveBasicBlockFromParent(block);
        llvm.AppendExistingBasicBlock(to, block);
    }
    for (unsigned i = 0; i < llvm.CountParams(from); i++) {
        llvm.ReplaceAllUsesWith(llvm.GetParam(from, i), llvm.GetParam(to, i + 1));
    }
    struct llvm_metadata *subprogram = llvm.GetSubprogram(from);
    if (subprogram != NULL) {
        llvm.GlobalEraseMetadata(
            from, llvm.GetMDKindIDInContext(weiri_ir_context(), "dbg", strlen("dbg")));
        llvm.SetSubprogram(to, subprogram);
    }
}

/* ---- Calls of the source --------------------------------------------------- */

struct caller {
    struct weiri_cuda_code *code;
    struct llvm_value *item;
    char *name; /* for sites: "K__body" of kernel K */
};

static void replace(struct llvm_value *call, struct llvm_value *by)
{
    if (by != NULL && llvm.GetFirstUse(call) != NULL) {
        llvm.ReplaceAllUsesWith(call, by);
    }
    if (by == NULL && llvm.GetFirstUse(call) != NULL) {
        llvm.ReplaceAllUsesWith(call, llvm.GetUndef(llvm.TypeOf(call)));
    }
    llvm.InstructionEraseFromParent(call);
}

static void at(struct caller *caller, struct llvm_value *call)
{
    llvm.PositionBuilderBefore(caller->code->builder, call);
    llvm.SetCurrentDebugLocation2(caller->code->builder,
                                  llvm.InstructionGetDebugLoc(call));
}

/* Some builtins have no form for items without stacks. */
static bool lacks(const struct weiri_cuda_code *code, const char *name)
{
    struct llvm_value *function = llvm.GetNamedFunction(code->module, name);
    return code->mode == WEIRI_CUDA_STACKLESS
        && (function == NULL || llvm.IsDeclaration(function));
}

/* A call of a function that is not known: so the kernel keeps its stacks. */
static struct llvm_value *call_nothing(struct weiri_cuda_code *code,
                                       struct llvm_value *call, const char *builtin)
{
    struct llvm_type *type = llvm.FunctionType(llvm.TypeOf(call), NULL, 0, 0);
    g_autofree char *name = g_strconcat("weir.lacks.", builtin, NULL);
    struct llvm_value *function = llvm.GetNamedFunction(code->module, name);
    if (function == NULL) {
        function = llvm.AddFunction(code->module, name, type);
    }
    return llvm.BuildCall2(code->builder, type, function, NULL, 0, "");
}

/* The name of the private variable that a call is about, or %NULL. */
static const char *variable_name(const struct weiri_cuda_code *code,
                                 struct llvm_value *call)
{
    return llvm.GetNumArgOperands(call) == 0
        ? NULL
        : g_hash_table_lookup(code->private_names,
                              weiri_cuda_uncast(llvm.GetOperand(call, 0)));
}

static void call_builtin(struct caller *caller, struct llvm_value *call,
                         const char *name)
{
    unsigned n = llvm.GetNumArgOperands(call);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 2);
    g_autofree char *file = NULL, *called = NULL;
    unsigned line;
    at(caller, call);
    weiri_cuda_place(caller->code, call, &file, &line, &called);
    const char *variable = variable_name(caller->code, call);
    list[0] = caller->item;
    list[1] = weiri_cuda_site(caller->code, file, caller->name, line,
                              variable != NULL ? variable : called);
    for (unsigned i = 0; i < n; i++) {
        list[i + 2] = llvm.GetOperand(call, i);
    }
    replace(call,
            lacks(caller->code, name)
                ? call_nothing(caller->code, call, name)
                : weiri_cuda_call(caller->code, name, llvm.TypeOf(call), list, n + 2));
}

static void call_own(struct caller *caller, struct llvm_value *call,
                     struct llvm_value *to)
{
    unsigned n = llvm.GetNumArgOperands(call);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    at(caller, call);
    list[0] = caller->item;
    for (unsigned i = 0; i < n; i++) {
        list[i + 1] = llvm.GetOperand(call, i);
    }
    struct llvm_value *made = llvm.BuildCall2(
        caller->code->builder, llvm.GlobalGetValueType(to), to, list, n + 1, "");
    weiri_cuda_copy_call_attributes(call, made, 1);
    replace(call, made);
}

static void rewrite_call(struct caller *caller, struct llvm_value *call)
{
    static const char prefix[] = "call.";
    struct llvm_value *callee = weiri_cuda_uncast(llvm.GetCalledValue(call));
    if (llvm.IsAFunction(callee) == NULL) {
        return;
    }
    const char *name = weiri_cuda_name(callee);
    struct llvm_value *own = g_hash_table_lookup(caller->code->with_item, callee);
    if (g_str_has_prefix(name, "call.weiri_cu_")) {
        call_builtin(caller, call, name + strlen(prefix));
    } else if (own != NULL && callee == llvm.GetCalledValue(call)) {
        call_own(caller, call, own);
    }
}

static const struct weiri_cuda_entry *kernel_of(const struct weiri_cuda_code *code,
                                                struct llvm_value *function)
{
    for (guint i = 0; i < code->entries->len; i++) {
        const struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        if (entry->function == function) {
            return entry;
        }
    }
    return NULL;
}

static char *site_name(const struct weiri_cuda_code *code, struct llvm_value *function)
{
    const struct weiri_cuda_entry *entry = kernel_of(code, function);
    return entry != NULL ? g_strconcat(entry->name, "__body", NULL)
                         : weiri_cuda_function_name(function);
}

static void rewrite_calls(struct weiri_cuda_code *code, struct llvm_value *function)
{
    struct caller caller
        = { code, llvm.GetParam(function, 0), site_name(code, function) };
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        struct llvm_value *next;
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL; v = next) {
            next = llvm.GetNextInstruction(v);
            if (llvm.GetInstructionOpcode(v) == LLVM_CALL) {
                rewrite_call(&caller, v);
            }
        }
    }
    g_free(caller.name);
}

void weiri_cuda_add_items(struct weiri_cuda_code *code)
{
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *from = g_ptr_array_index(code->functions, i);
        struct llvm_value *to = declare_with_item(code, from);
        move_body(from, to);
        g_hash_table_insert(code->with_item, from, to);
    }
    for (guint i = 0; i < code->entries->len; i++) {
        struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        entry->function = g_hash_table_lookup(code->with_item, entry->function);
    }
    for (guint i = 0; i < code->functions->len; i++) {
        rewrite_calls(code,
                      g_hash_table_lookup(code->with_item,
                                          g_ptr_array_index(code->functions, i)));
    }
}
