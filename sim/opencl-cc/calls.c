/* SPDX-License-Identifier: MIT
 *
 * calls.c: calls. One of a function of the program passes the item on; one of a builtin
 * of the machine becomes one of a C function, whose type says how arguments are to be
 * passed; printf() gets its arguments in one block, with their types as a text.
 * Builtins of libclc and intrinsics of LLVM stay. */
#include "config.h"

#include "opencl-cc/clc.h"

#include <string.h>

#include "opencl/compile/mangled.h"

/* ---- The table ------------------------------------------------------------ */

/* Flags of a row, which ask for arguments: see builtins.def. */
enum { ITEM = 1, SITE = 2, SPACE = 4, BYTES = 8, COUNT = 16, TYPES = 32, NONE = -1 };

static const struct row {
    const char *name, *target;
    int flags;
    int typed;
} rows[] = {
#define X(name, target, flags, typed) { #name, "weiri_cl_" #target, flags, typed },
#include "opencl/device/builtins.def"
#undef X
};

static const struct row *find_row(const char *name)
{
    static GHashTable *by_name;
    if (by_name == NULL) {
        by_name = g_hash_table_new(g_str_hash, g_str_equal);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
            g_hash_table_insert(by_name, (void *)rows[i].name, (void *)&rows[i]);
        }
    }
    return g_hash_table_lookup(by_name, name);
}

/* ---- Constants ------------------------------------------------------------ */

static struct llvm_value *private_constant(struct weiri_clc *clc,
                                           struct llvm_value *value, const char *name,
                                           unsigned alignment)
{
    struct llvm_value *global = llvm.AddGlobal(clc->module, llvm.TypeOf(value), name);
    llvm.SetInitializer(global, value);
    llvm.SetGlobalConstant(global, 1);
    llvm.SetLinkage(global, LLVM_PRIVATE);
    llvm.SetAlignment(global, alignment);
    return global;
}

struct llvm_value *weiri_clc_text(struct weiri_clc *clc, const char *text)
{
    if (text == NULL) {
        return llvm.ConstNull(weiri_ir_pointer());
    }
    struct llvm_value *known = g_hash_table_lookup(clc->texts, text);
    if (known == NULL) {
        struct llvm_value *value = llvm.ConstStringInContext(weiri_ir_context(), text,
                                                             (unsigned)strlen(text), 0);
        known = private_constant(clc, value, "weiri.text", 1);
        g_hash_table_insert(clc->texts, g_strdup(text), known);
    }
    return weiri_ir_as(clc->builder, known, weiri_ir_pointer());
}

struct llvm_value *weiri_clc_site(struct weiri_clc *clc, const char *file,
                                  unsigned line, const char *name)
{
    struct llvm_value *members[]
        = { weiri_clc_text(clc, file), weiri_clc_text(clc, clc->name),
            weiri_ir_constant(32, line), weiri_clc_text(clc, name) };
    struct llvm_value *value = llvm.ConstStructInContext(weiri_ir_context(), members,
                                                         G_N_ELEMENTS(members), 0);
    return weiri_ir_as(clc->builder, private_constant(clc, value, "weiri.site", 8),
                       weiri_ir_pointer());
}

/* ---- Calls of C functions ------------------------------------------------- */

static bool is_pointer(struct llvm_type *type)
{
    return llvm.GetTypeKind(type) == LLVM_POINTER;
}

static bool is_integer(struct llvm_type *type)
{
    return llvm.GetTypeKind(type) == LLVM_INTEGER;
}

static unsigned elements_of(struct llvm_type *type)
{
    return llvm.GetTypeKind(type) == LLVM_VECTOR ? llvm.GetVectorSize(type) : 0;
}

/* The first @n elements of a vector, or more: the others have no value. */
static struct llvm_value *resized(struct llvm_builder *builder,
                                  struct llvm_value *value, unsigned n)
{
    unsigned have = elements_of(llvm.TypeOf(value));
    g_autofree struct llvm_value **mask = g_new(struct llvm_value *, n);
    for (unsigned i = 0; i < n; i++) {
        mask[i] = i < have ? weiri_ir_constant(32, i) : llvm.GetUndef(weiri_ir_int(32));
    }
    return llvm.BuildShuffleVector(builder, value, llvm.GetUndef(llvm.TypeOf(value)),
                                   llvm.ConstVector(mask, n), "");
}

/* The value as one of another type; NULL if it has none. */
static struct llvm_value *fit(struct llvm_builder *builder, struct llvm_value *value,
                              struct llvm_type *to)
{
    struct llvm_type *from = llvm.TypeOf(value);
    if (from == to) {
        return value;
    }
    if (is_pointer(from) && is_pointer(to)) {
        return weiri_ir_as(builder, value, to);
    }
    if (is_pointer(from) && is_integer(to)) {
        return llvm.BuildCast(builder, LLVM_PTRTOINT, value, to, "");
    }
    if (is_integer(from) && is_pointer(to)) {
        return llvm.BuildCast(builder, LLVM_INTTOPTR, value, to, "");
    }
    unsigned have = elements_of(from), want = elements_of(to);
    return have > 0 && want > 0 && llvm.GetElementType(from) == llvm.GetElementType(to)
        ? resized(builder, value, want)
        : NULL;
}

/* A call of a function with hooks has the attributes of its parameters. */
static void attribute_call(struct llvm_value *function, struct llvm_value *call,
                           unsigned n)
{
    for (int i = 0; i <= (int)n; i++) {
        unsigned count = llvm.GetAttributeCountAtIndex(function, i);
        g_autofree struct llvm_attribute **list
            = g_new(struct llvm_attribute *, count + 1);
        llvm.GetAttributesAtIndex(function, i, list);
        for (unsigned k = 0; k < count; k++) {
            llvm.AddCallSiteAttribute(call, i, list[k]);
        }
    }
}

struct llvm_value *weiri_clc_call_c(struct weiri_clc *clc, struct llvm_builder *builder,
                                    const char *target, struct llvm_type *type,
                                    struct llvm_value **arguments, unsigned n)
{
    struct llvm_value *function = llvm.GetNamedFunction(clc->module, target);
    if (function == NULL || llvm.IsDeclaration(function)
        || llvm.CountParams(function) != n) {
        return NULL;
    }
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        list[i] = fit(builder, arguments[i], llvm.TypeOf(llvm.GetParam(function, i)));
        if (list[i] == NULL) {
            return NULL;
        }
    }
    struct llvm_type *own = llvm.GlobalGetValueType(function);
    struct llvm_value *call = llvm.BuildCall2(builder, own, function, list, n, "");
    attribute_call(function, call, n);
    bool nothing = type == NULL
        || llvm.GetReturnType(own) == llvm.VoidTypeInContext(weiri_ir_context());
    return nothing ? call : fit(builder, call, type);
}

struct llvm_value *weiri_clc_call_named(struct weiri_clc *clc, const char *name,
                                        struct llvm_type *result,
                                        struct llvm_value **arguments, unsigned n)
{
    g_autofree struct llvm_type **types = g_new(struct llvm_type *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        types[i] = llvm.TypeOf(arguments[i]);
    }
    struct llvm_type *type = llvm.FunctionType(result, types, n, 0);
    struct llvm_value *function = llvm.GetNamedFunction(clc->module, name);
    if (function == NULL) {
        function = llvm.AddFunction(clc->module, name, type);
    }
    struct llvm_value *callee
        = weiri_ir_as(clc->builder, function, llvm.PointerType(type, 0));
    return llvm.BuildCall2(clc->builder, type, callee, arguments, n, "");
}

/* ---- Builtins of the machine ---------------------------------------------- */

/* "f32x4", "image2d_array_depth", "sampler"; an enumeration is a number. */
static void add_type_name(GString *out, const struct weiri_mangled_type *type)
{
    static const char *const ways[] = { "_ro", "_wo", "_rw" };
    g_string_append_c(out, '_');
    if (type->scalar[0] != '\0') {
        g_string_append(out, type->scalar);
        if (type->elements > 1) {
            g_string_append_printf(out, "x%u", type->elements);
        }
        return;
    }
    if (!g_str_has_prefix(type->name, "ocl_")) {
        g_string_append(out, "i32");
        return;
    }
    g_string_append(out, type->name + strlen("ocl_"));
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        if (g_str_has_suffix(out->str, ways[i])) {
            g_string_truncate(out, out->len - strlen(ways[i]));
        }
    }
}

/* The name of the C function. */
static char *target_of(const struct row *row, const struct weiri_mangled *mangled)
{
    GString *name = g_string_new(row->target);
    if ((row->flags & COUNT) != 0) {
        g_string_append_printf(name, "_%u", mangled->n);
    }
    for (uint32_t i = 0; (row->flags & TYPES) != 0 && i < mangled->n; i++) {
        add_type_name(name, &mangled->types[i]);
    }
    if (row->typed != NONE && (uint32_t)row->typed < mangled->n) {
        add_type_name(name, &mangled->types[row->typed]);
    }
    return g_string_free(name, FALSE);
}

/* The size of what the first argument points to: a vector of 3 elements has room for
 * 4. */
static size_t pointee_bytes(const struct weiri_mangled *mangled)
{
    const struct weiri_mangled_type *type = &mangled->types[0];
    bool known = type->scalar[0] != '\0';
    size_t bytes = known ? g_ascii_strtoull(type->scalar + 1, NULL, 10) / 8 : 8;
    return bytes * (type->elements == 3 ? 4 : MAX(type->elements, 1));
}

/* The memory that the first argument points to, as builtins.def has it. */
static unsigned pointee_space(const struct weiri_mangled *mangled)
{
    const struct weiri_mangled_type *type = &mangled->types[0];
    bool global = type->space == 1 || type->space == 2;
    return !type->pointer ? 0 : type->space == 3 ? 1 : global ? 2 : 0;
}

static struct llvm_value *site_of(struct weiri_clc *clc, struct llvm_value *call)
{
    g_autofree char *file = NULL;
    unsigned line;
    weiri_clc_place(call, &file, &line);
    return weiri_clc_site(clc, file != NULL ? file : "?", line, NULL);
}

/* The arguments of the C function that come before the call's own. */
static GPtrArray *first_arguments(struct weiri_clc *clc, int flags,
                                  struct llvm_value *call)
{
    GPtrArray *list = g_ptr_array_new();
    if ((flags & ITEM) != 0) {
        g_ptr_array_add(list, clc->item);
    }
    if ((flags & SITE) != 0) {
        g_ptr_array_add(list, site_of(clc, call));
    }
    return list;
}

/* Whether the name is of a builtin of the machine. @made: (out): its result */
static bool add_machine(struct weiri_clc *clc, struct llvm_value *call,
                        const char *name, struct llvm_value **arguments, unsigned n,
                        struct llvm_value **made)
{
    struct weiri_mangled mangled;
    if (g_str_has_prefix(name, "__to_")) { /* which is not mangled */
        mangled = (struct weiri_mangled){ 0 };
        g_strlcpy(mangled.name, name, sizeof(mangled.name));
    } else if (!weiri_mangled_parse(name, &mangled)) {
        return false;
    }
    const struct row *row = find_row(mangled.name);
    if (row == NULL) {
        return false;
    }
    g_autoptr(GPtrArray) list = first_arguments(clc, row->flags, call);
    if ((row->flags & SPACE) != 0) {
        g_ptr_array_add(list, weiri_ir_constant(32, pointee_space(&mangled)));
    }
    if ((row->flags & BYTES) != 0) {
        g_ptr_array_add(list, weiri_ir_constant(64, pointee_bytes(&mangled)));
    }
    for (unsigned i = 0; i < n; i++) {
        g_ptr_array_add(list, arguments[i]);
    }
    g_autofree char *target = target_of(row, &mangled);
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(call));
    *made = weiri_clc_call_c(clc, clc->builder, target, type,
                             (struct llvm_value **)list->pdata, list->len);
    if (*made == NULL) {
        g_ptr_array_add(clc->missing, weiri_mangled_words(&mangled));
    }
    return true;
}

/* ---- printf --------------------------------------------------------------- */

/* "i32", "4xf32", "p": the type of an argument, for the C function. */
static void add_type(GString *text, struct llvm_type *type)
{
    unsigned n = elements_of(type);
    if (n > 0) {
        g_string_append_printf(text, "%ux", n);
        type = llvm.GetElementType(type);
    }
    switch (llvm.GetTypeKind(type)) {
    case LLVM_HALF:
        g_string_append(text, "f16");
        break;
    case LLVM_FLOAT:
        g_string_append(text, "f32");
        break;
    case LLVM_DOUBLE:
        g_string_append(text, "f64");
        break;
    case LLVM_INTEGER:
        g_string_append_printf(text, "i%u", llvm.GetIntTypeWidth(type));
        break;
    default:
        g_string_append_c(text, 'p');
        break;
    }
}

/* Stores the arguments that follow the format side by side, each aligned to its size.
 * Returns: the pointer to the first, or null; their types are in @types */
static struct llvm_value *store_arguments(struct weiri_clc *clc,
                                          struct llvm_value **arguments, unsigned n,
                                          GString *types)
{
    g_autofree size_t *places = g_new(size_t, n + 1);
    size_t total = 0;
    for (unsigned i = 1; i < n; i++) {
        struct llvm_type *type = llvm.TypeOf(arguments[i]);
        size_t bytes = weiri_clc_bytes(clc, type),
               alignment = llvm.ABIAlignmentOfType(clc->layout, type);
        g_string_append(types, types->len > 0 ? " " : "");
        add_type(types, type);
        places[i] = (total + alignment - 1) / alignment * alignment;
        total = places[i] + bytes;
    }
    if (total == 0) {
        return llvm.ConstNull(weiri_ir_pointer());
    }
    struct llvm_value *block = llvm.BuildAlloca(
        clc->frame, llvm.ArrayType(weiri_ir_int(8), (unsigned)total), "");
    llvm.SetAlignment(block, 128);
    block = weiri_ir_as(clc->start, block, weiri_ir_pointer());
    for (unsigned i = 1; i < n; i++) {
        struct llvm_type *type = llvm.TypeOf(arguments[i]);
        struct llvm_value *place = weiri_ir_constant(64, places[i]);
        struct llvm_value *to
            = llvm.BuildGEP2(clc->builder, weiri_ir_int(8), block, &place, 1, "");
        struct llvm_value *store
            = llvm.BuildStore(clc->builder, arguments[i],
                              weiri_ir_as(clc->builder, to, llvm.PointerType(type, 0)));
        llvm.SetAlignment(store, llvm.ABIAlignmentOfType(clc->layout, type));
    }
    return block;
}

static struct llvm_value *add_printf(struct weiri_clc *clc, struct llvm_value *call,
                                     struct llvm_value **arguments, unsigned n)
{
    g_autoptr(GString) types = g_string_new(NULL);
    struct llvm_value *block = store_arguments(clc, arguments, n, types);
    g_autoptr(GPtrArray) list = first_arguments(clc, ITEM | SITE, call);
    g_ptr_array_add(list, arguments[0]);
    g_ptr_array_add(list, block);
    g_ptr_array_add(list, weiri_clc_text(clc, types->str));
    struct llvm_value *made
        = weiri_clc_call_c(clc, clc->builder, "weiri_cl_printf", llvm.TypeOf(call),
                           (struct llvm_value **)list->pdata, list->len);
    if (made == NULL) {
        weiri_clc_miss(clc, "printf()");
    }
    return made;
}

/* ---- Calls ---------------------------------------------------------------- */

/* A debugger's note: the expression of the source speaks of address spaces. */
static struct llvm_value *add_note(struct weiri_clc *clc, struct llvm_value *call)
{
    struct llvm_value *of = NULL;
    if (llvm.GetMDNodeNumOperands(llvm.GetOperand(call, 0)) == 1) {
        llvm.GetMDNodeOperands(llvm.GetOperand(call, 0), &of);
    }
    struct llvm_value *value = of != NULL ? g_hash_table_lookup(clc->values, of) : NULL;
    if (value == NULL) {
        return NULL;
    }
    struct llvm_value *operands[]
        = { llvm.MetadataAsValue(weiri_ir_context(), llvm.ValueAsMetadata(value)),
            llvm.GetOperand(call, 1),
            llvm.MetadataAsValue(weiri_ir_context(), clc->no_expression) };
    struct llvm_value *function = weiri_clc_function(clc, llvm.GetCalledValue(call));
    return llvm.BuildCall2(clc->builder, llvm.GlobalGetValueType(function), function,
                           operands, G_N_ELEMENTS(operands), "");
}

/* A function of the program: the item is its first parameter. Another source may call
 * it with other types of pointers. */
static struct llvm_value *add_own(struct weiri_clc *clc, struct llvm_value *call,
                                  struct llvm_value *of, struct llvm_value **arguments,
                                  unsigned n)
{
    struct llvm_value *function = weiri_clc_function(clc, of);
    struct llvm_type *type = llvm.GlobalGetValueType(function);
    g_autofree struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    if (llvm.CountParams(function) != n + 1) {
        size_t length;
        weiri_clc_miss(clc, "'%s' with as many arguments",
                       llvm.GetValueName2(of, &length));
        return NULL;
    }
    for (unsigned i = 0; i <= n; i++) {
        list[i] = fit(clc->builder, i == 0 ? clc->item : arguments[i - 1],
                      llvm.TypeOf(llvm.GetParam(function, i)));
        if (list[i] == NULL) {
            size_t length;
            weiri_clc_miss(clc, "'%s'", llvm.GetValueName2(of, &length));
            return NULL;
        }
    }
    struct llvm_value *made
        = llvm.BuildCall2(clc->builder, type, function, list, n + 1, "");
    weiri_clc_copy_attributes(clc, call, made, true, 1);
    struct llvm_type *result = weiri_clc_type(clc, llvm.TypeOf(call));
    return fit(clc->builder, made, result);
}

static void drop_attributes(struct llvm_value *call)
{
    static const char *const words[] = { "convergent", "noinline" };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        llvm.RemoveCallSiteEnumAttribute(call, LLVM_FUNCTION,
                                         weiri_ir_attribute(words[i]));
    }
}

/* A call of a function that stays: clones keep what the C API does not tell. */
static struct llvm_value *add_plain(struct weiri_clc *clc, struct llvm_value *call,
                                    struct llvm_value *callee,
                                    struct llvm_value **arguments, unsigned n)
{
    struct llvm_type *from = llvm.GetCalledFunctionType(call),
                     *type = weiri_clc_type(clc, from);
    struct llvm_value *made;
    callee = weiri_ir_as(clc->builder, callee, llvm.PointerType(type, 0));
    if (from == type) {
        made = llvm.InstructionClone(call);
        for (unsigned i = 0; i < n; i++) {
            llvm.SetOperand(made, i, arguments[i]);
        }
        llvm.SetOperand(made, (unsigned)llvm.GetNumOperands(made) - 1, callee);
        llvm.InsertIntoBuilder(clc->builder, made);
        llvm.InstructionSetDebugLoc(made, llvm.InstructionGetDebugLoc(call));
        drop_attributes(made);
    } else {
        made = llvm.BuildCall2(clc->builder, type, callee, arguments, n, "");
        weiri_clc_copy_attributes(clc, call, made, true, 0);
        weiri_clc_copy_metadata(call, made);
    }
    llvm.SetInstructionCallConv(made, 0);
    return made;
}

/* The arguments; NULL: one is of a form that is not known. */
static struct llvm_value **arguments_of(struct weiri_clc *clc, struct llvm_value *call,
                                        unsigned n)
{
    struct llvm_value **list = g_new(struct llvm_value *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        struct llvm_value *of = llvm.GetOperand(call, i);
        struct llvm_value *value = weiri_clc_value(clc, of);
        if (value == NULL) {
            g_free(list);
            return NULL;
        }
        struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(of));
        list[i] = llvm.TypeOf(value) == type ? value
                                             : weiri_ir_as(clc->builder, value, type);
    }
    return list;
}

struct llvm_value *weiri_clc_call(struct weiri_clc *clc, struct llvm_value *call)
{
    struct llvm_value *of = llvm.GetCalledValue(call), *made = NULL;
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(call));
    bool nothing = type == llvm.VoidTypeInContext(weiri_ir_context());
    bool known = llvm.IsAFunction(of) != NULL;
    size_t length;
    const char *name = known ? llvm.GetValueName2(of, &length) : "";
    if (g_str_has_prefix(name, "llvm.dbg.")) {
        return add_note(clc, call);
    }
    unsigned n = llvm.GetNumArgOperands(call);
    g_autofree struct llvm_value **arguments = arguments_of(clc, call, n);
    if (arguments == NULL || (!known && llvm.IsConstant(of))) {
        weiri_clc_miss(clc, "call of this form in '%s'", clc->name);
    } else if (!known) {
        made = add_plain(clc, call, of, arguments, n);
    } else if (weiri_clc_is_own(of)) {
        made = add_own(clc, call, of, arguments, n);
    } else if (strcmp(name, "printf") == 0 && n > 0) {
        made = add_printf(clc, call, arguments, n);
    } else if (!add_machine(clc, call, name, arguments, n, &made)) {
        made = weiri_clc_builtin(clc, call, name, arguments, n);
        if (made == NULL) {
            made = add_plain(clc, call, weiri_clc_function(clc, of), arguments, n);
        }
    }
    return made != NULL || nothing ? made : llvm.GetUndef(type);
}
