/* SPDX-License-Identifier: MIT
 *
 * types.c: types, constants and variables of a source, as the machine has them: with
 * one address space.
 *
 * Local memory is not a place of the module but a value, which the start of a function
 * asks for. References to it may be inside of constant expressions; these become
 * instructions at the start, from the inside to the outside. In checked code this holds
 * for constant memory, too, whose reads would have no hooks.
 *
 * Names of functions and variables get a prefix that no C name has, "cl.", so that a
 * program may call its own what it likes: main, free, weiri_barrier. */
#include "config.h"

#include "opencl-cc/clc.h"

#include <string.h>

enum { FOR_CODE, FOR_VARIABLES }; /* places of globals */

enum { HIDDEN = 1 };       /* a visibility */
enum { TARGET_TYPE = 20 }; /* "spirv.Image" and its like, from LLVM 16 on */
enum { UNNAMED_ADDRESS = 2 };

/* ---- Types ---------------------------------------------------------------- */

static bool is_opaque(struct llvm_type *pointer)
{
    return llvm.PointerTypeIsOpaque != NULL && llvm.PointerTypeIsOpaque(pointer);
}

/* Whether the type has a pointer to another address space in it. */
static bool has_space(struct llvm_type *type, GHashTable *seen)
{
    int kind = llvm.GetTypeKind(type);
    if (kind == LLVM_POINTER) {
        return llvm.GetPointerAddressSpace(type) != 0
            || (!is_opaque(type) && has_space(llvm.GetElementType(type), seen));
    }
    if (kind == LLVM_ARRAY || kind == LLVM_VECTOR) {
        return has_space(llvm.GetElementType(type), seen);
    }
    if (kind == TARGET_TYPE) {
        return true;
    }
    if (kind == LLVM_FUNCTION_TYPE) {
        return true;
    }
    if (kind != LLVM_STRUCT || !g_hash_table_add(seen, type)) {
        return false;
    }
    unsigned n = llvm.CountStructElementTypes(type);
    for (unsigned i = 0; i < n; i++) {
        if (has_space(llvm.StructGetTypeAtIndex(type, i), seen)) {
            return true;
        }
    }
    return false;
}

static struct llvm_type *struct_type(struct weiri_clc *clc, struct llvm_type *type)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    if (!has_space(type, seen)) {
        return type;
    }
    unsigned n = llvm.CountStructElementTypes(type);
    int packed = llvm.IsPackedStruct(type);
    const char *name = llvm.GetStructName(type);
    struct llvm_type *made
        = name != NULL ? llvm.StructCreateNamed(weiri_ir_context(), name) : NULL;
    if (made != NULL) { /* which may refer to itself */
        g_hash_table_insert(clc->types, type, made);
    }
    g_autofree struct llvm_type **members = g_new(struct llvm_type *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        members[i] = weiri_clc_type(clc, llvm.StructGetTypeAtIndex(type, i));
    }
    if (made == NULL) {
        return llvm.StructTypeInContext(weiri_ir_context(), members, n, packed);
    }
    llvm.StructSetBody(made, members, n, packed);
    return made;
}

static struct llvm_type *function_type(struct weiri_clc *clc, struct llvm_type *type)
{
    unsigned n = llvm.CountParamTypes(type);
    g_autofree struct llvm_type **of = g_new(struct llvm_type *, n + 1);
    llvm.GetParamTypes(type, of);
    for (unsigned i = 0; i < n; i++) {
        of[i] = weiri_clc_type(clc, of[i]);
    }
    return llvm.FunctionType(weiri_clc_type(clc, llvm.GetReturnType(type)), of, n,
                             llvm.IsFunctionVarArg(type));
}

static struct llvm_type *make_type(struct weiri_clc *clc, struct llvm_type *type)
{
    switch (llvm.GetTypeKind(type)) {
    case LLVM_POINTER:
        return is_opaque(type)
            ? weiri_ir_pointer()
            : llvm.PointerType(weiri_clc_type(clc, llvm.GetElementType(type)), 0);
    case LLVM_ARRAY:
        return llvm.ArrayType(weiri_clc_type(clc, llvm.GetElementType(type)),
                              llvm.GetArrayLength(type));
    case LLVM_VECTOR:
        return llvm.VectorType(weiri_clc_type(clc, llvm.GetElementType(type)),
                               llvm.GetVectorSize(type));
    case LLVM_STRUCT:
        return struct_type(clc, type);
    case LLVM_FUNCTION_TYPE:
        return function_type(clc, type);
    case TARGET_TYPE:
        return weiri_ir_pointer();
    default:
        return type;
    }
}

struct llvm_type *weiri_clc_type(struct weiri_clc *clc, struct llvm_type *type)
{
    struct llvm_type *known = g_hash_table_lookup(clc->types, type);
    if (known == NULL) {
        known = make_type(clc, type);
        g_hash_table_insert(clc->types, type, known);
    }
    return known;
}

size_t weiri_clc_bytes(const struct weiri_clc *clc, struct llvm_type *type)
{
    int kind = llvm.GetTypeKind(type);
    bool sized = kind != LLVM_FUNCTION_TYPE
        && !(kind == LLVM_STRUCT && llvm.IsOpaqueStruct(type));
    return sized ? llvm.ABISizeOfType(clc->layout, type) : 0;
}

size_t weiri_clc_element_bytes(const struct weiri_clc *clc, struct llvm_type *type)
{
    while (llvm.GetTypeKind(type) == LLVM_ARRAY) {
        type = llvm.GetElementType(type);
    }
    return MAX(weiri_clc_bytes(clc, type), 1);
}

/* ---- Functions ------------------------------------------------------------ */

static const char *name_of(struct llvm_value *global)
{
    size_t length;
    return llvm.GetValueName2(global, &length);
}

/* "cl.f", or for a static name where there are several sources "cl1.f". */
static char *prefixed(const struct weiri_clc *clc, struct llvm_value *global)
{
    int linkage = llvm.GetLinkage(global);
    bool is_static = linkage == LLVM_INTERNAL || linkage == LLVM_PRIVATE;
    return is_static && !clc->alone
        ? g_strdup_printf("cl%u.%s", clc->number, name_of(global))
        : g_strconcat("cl.", name_of(global), NULL);
}

static bool is_builtin_name(const char *name)
{
    return g_str_has_prefix(name, "_Z") || g_str_has_prefix(name, "llvm.")
        || g_str_has_prefix(name, "__") || strcmp(name, "printf") == 0;
}

bool weiri_clc_is_own(struct llvm_value *function)
{
    return !llvm.IsDeclaration(function) || !is_builtin_name(name_of(function));
}

/* The name of an intrinsic, less the numbers of address spaces: p3i8 becomes p0i8. */
static char *plain_name(const char *name)
{
    GString *out = g_string_new(NULL);
    bool intrinsic = g_str_has_prefix(name, "llvm.");
    while (*name != '\0') {
        bool pointer
            = intrinsic && name[0] == '.' && name[1] == 'p' && g_ascii_isdigit(name[2]);
        g_string_append_c(out, *name++);
        if (pointer) {
            g_string_append(out, "p0");
            for (name++; g_ascii_isdigit(*name); name++) {}
        }
    }
    return g_string_free(out, FALSE);
}

/* The item comes first. */
static struct llvm_type *type_with_item(struct weiri_clc *clc, struct llvm_type *type)
{
    unsigned n = llvm.CountParamTypes(type);
    g_autofree struct llvm_type **of = g_new(struct llvm_type *, n + 1);
    llvm.GetParamTypes(type, of + 1);
    of[0] = weiri_ir_pointer();
    for (unsigned i = 1; i <= n; i++) {
        of[i] = weiri_clc_type(clc, of[i]);
    }
    return llvm.FunctionType(weiri_clc_type(clc, llvm.GetReturnType(type)), of, n + 1,
                             llvm.IsFunctionVarArg(type));
}

struct llvm_value *weiri_clc_function(struct weiri_clc *clc, struct llvm_value *of)
{
    bool own = weiri_clc_is_own(of);
    g_autofree char *name = own ? prefixed(clc, of) : plain_name(name_of(of));
    struct llvm_value *known = llvm.GetNamedFunction(clc->module, name);
    if (known == NULL) {
        struct llvm_type *type = llvm.GlobalGetValueType(of);
        known = llvm.AddFunction(clc->module, name,
                                 own ? type_with_item(clc, type)
                                     : weiri_clc_type(clc, type));
    }
    return known;
}

/* ---- Constants ------------------------------------------------------------ */

static struct llvm_value *constant(struct weiri_clc *clc, struct llvm_value *of,
                                   int place);

static struct llvm_builder *builder_of(struct weiri_clc *clc, int place)
{
    static struct llvm_builder *nowhere; /* which has constants alone */
    if (place == FOR_CODE && clc->start != NULL) {
        return clc->start;
    }
    if (nowhere == NULL) {
        nowhere = llvm.CreateBuilderInContext(weiri_ir_context());
    }
    return nowhere;
}

static struct llvm_value *of_elements(struct weiri_clc *clc, struct llvm_value *of,
                                      int place)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(of));
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    g_autofree struct llvm_value **elements = g_new(struct llvm_value *, n + 1);
    bool known = true, constants = true;
    for (unsigned i = 0; i < n; i++) {
        elements[i] = constant(clc, llvm.GetOperand(of, i), place);
        known = known && elements[i] != NULL;
        constants = constants && known && llvm.IsConstant(elements[i]);
    }
    if (!known || (!constants && place != FOR_CODE)) {
        return NULL;
    }
    bool vector = llvm.GetTypeKind(type) == LLVM_VECTOR;
    if (!constants) {
        struct llvm_value *whole = llvm.GetUndef(type);
        for (unsigned i = 0; i < n; i++) {
            whole = vector
                ? llvm.BuildInsertElement(clc->start, whole, elements[i],
                                          weiri_ir_constant(32, i), "")
                : llvm.BuildInsertValue(clc->start, whole, elements[i], i, "");
        }
        return whole;
    }
    if (vector) {
        return llvm.ConstVector(elements, n);
    }
    if (llvm.GetTypeKind(type) == LLVM_ARRAY) {
        return llvm.ConstArray(llvm.GetElementType(type), elements, n);
    }
    return llvm.GetStructName(type) != NULL
        ? llvm.ConstNamedStruct(type, elements, n)
        : llvm.ConstStructInContext(weiri_ir_context(), elements, n,
                                    llvm.IsPackedStruct(type));
}

static struct llvm_value *of_expression(struct weiri_clc *clc, struct llvm_value *of,
                                        int place)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(of));
    struct llvm_builder *builder = builder_of(clc, place);
    unsigned n = (unsigned)llvm.GetNumOperands(of);
    g_autofree struct llvm_value **o = g_new(struct llvm_value *, n + 1);
    for (unsigned i = 0; i < n; i++) {
        o[i] = constant(clc, llvm.GetOperand(of, i), place);
        if (o[i] == NULL) {
            return NULL;
        }
    }
    int opcode = llvm.GetConstOpcode(of);
    switch (opcode) {
    case LLVM_GEP: {
        struct llvm_type *element
            = weiri_clc_type(clc, llvm.GetGEPSourceElementType(of));
        if (!is_opaque(llvm.TypeOf(o[0]))) {
            o[0] = weiri_ir_as(builder, o[0], llvm.PointerType(element, 0));
        }
        return llvm.IsInBounds(of)
            ? llvm.BuildInBoundsGEP2(builder, element, o[0], o + 1, n - 1, "")
            : llvm.BuildGEP2(builder, element, o[0], o + 1, n - 1, "");
    }
    case LLVM_BITCAST:
    case LLVM_ADDRSPACE_CAST:
        return weiri_ir_as(builder, o[0], type);
    case LLVM_PTRTOINT:
    case LLVM_INTTOPTR:
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT:
    case LLVM_FPTOUI:
    case LLVM_FPTOSI:
    case LLVM_UITOFP:
    case LLVM_SITOFP:
    case LLVM_FPTRUNC:
    case LLVM_FPEXT:
        return llvm.BuildCast(builder, opcode, o[0], type, "");
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_UREM:
    case LLVM_SREM: {
        struct llvm_builder *before = clc->builder;
        clc->builder = builder;
        o[1] = weiri_clc_divisor(clc, opcode, o[0], o[1]);
        clc->builder = before;
        return llvm.BuildBinOp(builder, opcode, o[0], o[1], "");
    }
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_MUL:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_FADD:
    case LLVM_FSUB:
    case LLVM_FMUL:
    case LLVM_FDIV:
    case LLVM_FREM:
        return llvm.BuildBinOp(builder, opcode, o[0], o[1], "");
    case LLVM_FNEG:
        return llvm.BuildFNeg(builder, o[0], "");
    case LLVM_ICMP:
        return llvm.BuildICmp(builder, llvm.GetICmpPredicate(of), o[0], o[1], "");
    case LLVM_FCMP:
        return llvm.BuildFCmp(builder, llvm.GetFCmpPredicate(of), o[0], o[1], "");
    case LLVM_EXTRACT_ELEMENT:
        return llvm.BuildExtractElement(builder, o[0], o[1], "");
    case LLVM_INSERT_ELEMENT:
        return llvm.BuildInsertElement(builder, o[0], o[1], o[2], "");
    case LLVM_SELECT:
        return llvm.BuildSelect(builder, o[0], o[1], o[2], "");
    default:
        return NULL;
    }
}

/* ---- Variables ------------------------------------------------------------ */

static unsigned space_of(struct llvm_value *variable)
{
    return llvm.GetPointerAddressSpace(llvm.TypeOf(variable));
}

static bool hides(const struct weiri_clc *clc, struct llvm_value *variable)
{
    return space_of(variable) == WEIRI_CLC_LOCAL
        || (clc->checked && space_of(variable) == WEIRI_CLC_CONSTANT
            && llvm.IsGlobalConstant(variable)
            && llvm.GetLinkage(variable) != LLVM_PRIVATE);
}

static void set_initializer(struct weiri_clc *clc, struct llvm_value *from,
                            struct llvm_value *to, int place)
{
    struct llvm_value *value = constant(clc, llvm.GetInitializer(from), place);
    if (value == NULL || !llvm.IsConstant(value)) {
        weiri_clc_miss(clc, "initializer of '%s'", name_of(from));
    } else {
        llvm.SetInitializer(to, value);
    }
}

/* All variables in global memory are in one section: module.c of the library has its
 * bounds. The code has declarations of them. */
static struct llvm_value *variable(struct weiri_clc *clc, struct llvm_value *of,
                                   int place)
{
    struct llvm_value *known = g_hash_table_lookup(clc->globals[place], of);
    if (known != NULL) {
        return known;
    }
    struct llvm_module *module = place == FOR_CODE ? clc->module : clc->variables;
    struct llvm_type *type = weiri_clc_type(clc, llvm.GlobalGetValueType(of));
    g_autofree char *name = prefixed(clc, of);
    bool shared = space_of(of) == WEIRI_CLC_GLOBAL && !llvm.IsGlobalConstant(of)
        && llvm.GetLinkage(of) != LLVM_PRIVATE;
    bool external = llvm.IsDeclaration(of);
    if (shared || external) {
        known = llvm.GetNamedGlobal(module, name);
        known = known != NULL ? weiri_ir_as(builder_of(clc, FOR_VARIABLES), known,
                                            llvm.PointerType(type, 0))
                              : NULL;
    }
    bool defines = known == NULL || (place == FOR_VARIABLES && !external);
    if (known == NULL) {
        known = llvm.AddGlobal(module, type, name);
    }
    g_hash_table_insert(clc->globals[place], of, known);
    if (!defines || llvm.IsAGlobalVariable(known) == NULL) {
        return known;
    }
    llvm.SetAlignment(known, llvm.GetAlignment(of));
    if (shared || external) {
        llvm.SetVisibility(known, HIDDEN);
        if (place == FOR_VARIABLES && !external) {
            llvm.SetSection(known, "weiri_cl_globals");
            weiri_clc_describe_variable(clc, of, known);
            set_initializer(clc, of, known, place);
        }
        return known;
    }
    llvm.SetGlobalConstant(known, llvm.IsGlobalConstant(of));
    bool private = llvm.GetLinkage(of) == LLVM_PRIVATE;
    llvm.SetLinkage(known, private ? LLVM_PRIVATE : LLVM_INTERNAL);
    if (private) {
        llvm.SetUnnamedAddress(known, UNNAMED_ADDRESS);
    }
    set_initializer(clc, of, known, place);
    return known;
}

bool weiri_clc_is_variable(struct llvm_value *global)
{
    return space_of(global) == WEIRI_CLC_GLOBAL && !llvm.IsDeclaration(global)
        && llvm.GetLinkage(global) != LLVM_PRIVATE && !llvm.IsGlobalConstant(global)
        && !g_str_has_prefix(name_of(global), "llvm.");
}

void weiri_clc_define_variables(struct weiri_clc *clc)
{
    for (struct llvm_value *g = llvm.GetFirstGlobal(clc->source); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (weiri_clc_is_variable(g)) {
            (void)variable(clc, g, FOR_VARIABLES);
        }
    }
}

/* A variable of a kernel in local memory. */
static struct llvm_value *ask_for_local(struct weiri_clc *clc, struct llvm_value *of)
{
    struct llvm_type *type = weiri_clc_type(clc, llvm.GlobalGetValueType(of));
    struct llvm_value *node = weiri_clc_attached(of, "dbg");
    struct llvm_metadata *about = node != NULL
        ? llvm.DIGlobalVariableExpressionGetVariable(llvm.ValueAsMetadata(node))
        : NULL;
    g_autofree char *name = about != NULL ? weiri_clc_variable_name(about) : NULL;
    g_autofree char *file
        = about != NULL ? weiri_clc_file(llvm.DIVariableGetFile(about)) : NULL;
    const char *dot = strrchr(name_of(of), '.');
    size_t bytes = weiri_clc_bytes(clc, type),
           each = weiri_clc_element_bytes(clc, type);
    struct weiri_clc_local local = {
        .file = file != NULL ? file : "?",
        .line = about != NULL ? llvm.DIVariableGetLine(about) : 0,
        .name = name != NULL ? name
            : dot != NULL    ? dot + 1
                             : name_of(of),
        .count = weiri_ir_constant(64, bytes / each),
        .element_bytes = each,
        .type = llvm.PointerType(type, 0),
    };
    local.kept_count = local.count;
    clc->local_bytes += bytes;
    return weiri_clc_local(clc, clc->start, &local);
}

/* The address of a constant, which optimisation does not see. */
static struct llvm_value *ask_for_constant(struct weiri_clc *clc, struct llvm_value *of)
{
    static const char constraints[] = "=r,0";
    struct llvm_value *known = variable(clc, of, FOR_CODE);
    struct llvm_type *bytes = weiri_ir_pointer(), *type = llvm.TypeOf(known);
    struct llvm_type *function = llvm.FunctionType(bytes, &bytes, 1, 0);
    struct llvm_value *code = llvm.GetInlineAsm(function, "", 0, constraints,
                                                strlen(constraints), 0, 0, 0, 0);
    struct llvm_value *from = weiri_ir_as(clc->start, known, bytes);
    return weiri_ir_as(clc->start,
                       llvm.BuildCall2(clc->start, function, code, &from, 1, ""), type);
}

/* ---- Any of them ---------------------------------------------------------- */

static struct llvm_value *make_constant(struct weiri_clc *clc, struct llvm_value *of,
                                        int place)
{
    if (llvm.IsAFunction(of) != NULL) {
        return weiri_clc_function(clc, of);
    }
    if (llvm.IsAGlobalVariable(of) != NULL) {
        if (!hides(clc, of)) {
            return variable(clc, of, place);
        }
        if (place == FOR_CODE && clc->start != NULL) {
            return space_of(of) == WEIRI_CLC_LOCAL ? ask_for_local(clc, of)
                                                   : ask_for_constant(clc, of);
        }
        return space_of(of) == WEIRI_CLC_LOCAL ? NULL : variable(clc, of, place);
    }
    struct llvm_type *type = weiri_clc_type(clc, llvm.TypeOf(of));
    if (llvm.IsUndef(of)) {
        return type == llvm.TypeOf(of) ? of : llvm.GetUndef(type);
    }
    if (llvm.IsNull(of)) {
        return type == llvm.TypeOf(of) ? of : llvm.ConstNull(type);
    }
    if (llvm.IsAConstantStruct(of) != NULL || llvm.IsAConstantArray(of) != NULL
        || llvm.IsAConstantVector(of) != NULL) {
        return of_elements(clc, of, place);
    }
    if (llvm.IsAConstantExpr(of) != NULL) {
        return of_expression(clc, of, place);
    }
    return type == llvm.TypeOf(of) ? of : NULL;
}

static struct llvm_value *constant(struct weiri_clc *clc, struct llvm_value *of,
                                   int place)
{
    bool keeps = place == FOR_CODE && clc->values != NULL;
    struct llvm_value *known = keeps ? g_hash_table_lookup(clc->values, of) : NULL;
    if (known == NULL) {
        known = make_constant(clc, of, place);
        if (keeps && known != NULL) {
            g_hash_table_insert(clc->values, of, known);
        }
    }
    return known;
}

struct llvm_value *weiri_clc_value(struct weiri_clc *clc, struct llvm_value *value)
{
    if (llvm.IsConstant(value)) {
        return constant(clc, value, FOR_CODE);
    }
    struct llvm_value *known = g_hash_table_lookup(clc->values, value);
    return known != NULL ? known : value; /* metadata, and assembly */
}
