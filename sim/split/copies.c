/* SPDX-License-Identifier: MIT
 *
 * copies.c: see copies.h. One walk over the instructions of each function, before LLVM
 * optimises, since the optimiser turns copies of structures into plain loads and stores
 * and forgets their types. Types are remembered from the casts and member accesses
 * before a copy, as the copy itself has only addresses of bytes. */
#include "config.h"

#include "split/copies.h"

#include "split/ir.h"
#include "split/parts.h"

#include <string.h>

/* Types ask for this at least where the hook is to know. */
enum { LEAST_ALIGNMENT = 8 };

/* The structure that a pointer is for. */
struct object {
    struct llvm_value *pointer;
    const char *name; /* of its type; NULL where pointers have none */
};

struct copies {
    struct llvm_module *module;
    struct llvm_builder *builder;
    GHashTable *own;     /* addresses of variables of the function */
    GHashTable *objects; /* of pointers to the first member: struct object */
};

/* ---- Hooks ---------------------------------------------------------------- */

static struct llvm_value *function(const struct copies *copies, const char *name,
                                   struct llvm_type *type)
{
    struct llvm_value *known = llvm.GetNamedFunction(copies->module, name);
    return known != NULL ? known : llvm.AddFunction(copies->module, name, type);
}

static void add_attribute(struct llvm_value *function, const char *name, uint64_t value)
{
    unsigned kind = weiri_ir_attribute(name);
    if (kind != 0) {
        llvm.AddAttributeAtIndex(
            function, LLVM_FUNCTION,
            llvm.CreateEnumAttribute(weiri_ir_context(), kind, value));
    }
}

/* The hook changes nothing that the program can see. */
static void add_effects(struct llvm_value *hook)
{
    static const char older[] = "inaccessiblememonly";
    enum { INACCESSIBLE_READ_AND_WRITTEN = 3 << 2 };
    add_attribute(hook, "nounwind", 0);
    if (weiri_ir_attribute(older) != 0) {
        add_attribute(hook, older, 0);
    } else {
        add_attribute(hook, "memory", INACCESSIBLE_READ_AND_WRITTEN);
    }
}

/* As in the source: "struct.S.12" is S. One without a name of its own is "struct". */
static char *source_name(const char *name)
{
    if (name != NULL
        && (g_str_has_prefix(name, "struct.") || g_str_has_prefix(name, "union."))) {
        name = strchr(name, '.') + 1;
    }
    size_t n = name == NULL ? 0 : strcspn(name, ".");
    bool plain = n > 0 && !g_ascii_isdigit(*name) && strncmp(name, "anon", n) != 0;
    for (size_t i = 0; i < n; i++) {
        plain = plain && (g_ascii_isalnum(name[i]) || name[i] == '_');
    }
    bool numbered = plain
        && (name[n] == '\0'
            || strspn(name + n + 1, "0123456789") == strlen(name + n + 1));
    return numbered ? g_strndup(name, n) : g_strdup("struct");
}

/* The type's name in quotes, as a value. */
static struct llvm_value *text_of(const struct copies *copies, const char *type)
{
    g_autofree char *own = source_name(type);
    g_autofree char *name = g_strconcat("weiri_type.", own, NULL);
    struct llvm_value *text = llvm.GetNamedGlobal(copies->module, name);
    if (text == NULL) {
        g_autofree char *quoted = g_strdup_printf("'%s'", own);
        struct llvm_value *bytes = llvm.ConstStringInContext(
            weiri_ir_context(), quoted, (unsigned)strlen(quoted), 0);
        text = llvm.AddGlobal(copies->module, llvm.TypeOf(bytes), name);
        llvm.SetInitializer(text, bytes);
        llvm.SetGlobalConstant(text, 1);
        llvm.SetUnnamedAddress(text, LLVM_UNNAMED);
        llvm.SetLinkage(text, LLVM_PRIVATE);
    }
    return weiri_ir_as(copies->builder, text, weiri_ir_pointer());
}

static bool is_own(const struct copies *copies, struct llvm_value *pointer)
{
    return g_hash_table_contains(copies->own, pointer);
}

/* @pointer: a parameter or an instruction, or there is nothing to be checked */
static void check(const struct copies *copies, struct llvm_value *before,
                  struct llvm_value *pointer, const char *type, uint64_t alignment,
                  struct llvm_value *bytes, bool writes)
{
    struct llvm_type *address = weiri_ir_pointer(), *word = weiri_ir_int(64);
    if (llvm.IsConstant(pointer) || is_own(copies, pointer)
        || alignment < LEAST_ALIGNMENT) {
        return;
    }
    struct llvm_type *parameters[] = { address, word, word, address, weiri_ir_int(32) };
    struct llvm_type *signature
        = llvm.FunctionType(llvm.VoidTypeInContext(weiri_ir_context()), parameters,
                            G_N_ELEMENTS(parameters), 0);
    struct llvm_value *hook = llvm.GetNamedFunction(copies->module, "weiri_hook_copy");
    if (hook == NULL) {
        hook = function(copies, "weiri_hook_copy", signature);
        add_effects(hook);
    }
    llvm.PositionBuilderBefore(copies->builder, before);
    struct llvm_value *arguments[]
        = { weiri_ir_as(copies->builder, pointer, address),
            weiri_ir_constant(64, alignment), bytes, text_of(copies, type),
            weiri_ir_constant(32, writes) };
    llvm.BuildCall2(copies->builder, signature, hook, arguments,
                    G_N_ELEMENTS(arguments), "");
}

static void check_range(const struct copies *copies, struct llvm_value *access,
                        uint64_t bytes)
{
    struct llvm_value *pointer = weiri_ir_address(access);
    bool writes = llvm.GetInstructionOpcode(access) == LLVM_STORE;
    struct llvm_type *parameters[] = { weiri_ir_pointer(), weiri_ir_int(64) };
    struct llvm_type *signature = llvm.FunctionType(
        llvm.VoidTypeInContext(weiri_ir_context()), parameters, 2, 0);
    struct llvm_value *hook = function(
        copies, writes ? "__tsan_write_range" : "__tsan_read_range", signature);
    llvm.PositionBuilderBefore(copies->builder, access);
    struct llvm_value *arguments[]
        = { weiri_ir_as(copies->builder, pointer, weiri_ir_pointer()),
            weiri_ir_constant(64, bytes) };
    llvm.BuildCall2(copies->builder, signature, hook, arguments, 2, "");
}

/* ---- What instructions do ------------------------------------------------- */

static bool has_hook(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

static bool is_zero(struct llvm_value *value)
{
    return llvm.IsAConstantInt(value) != NULL && llvm.ConstIntGetZExtValue(value) == 0;
}

static bool is_opaque(struct llvm_type *pointer)
{
    return llvm.PointerTypeIsOpaque != NULL && llvm.PointerTypeIsOpaque(pointer);
}

static void remember(struct copies *copies, struct llvm_value *of,
                     struct llvm_value *pointer, const char *name)
{
    struct object *object = g_new(struct object, 1);
    *object = (struct object){ pointer, name };
    g_hash_table_insert(copies->objects, of, object);
}

/* A cast of a pointer to a structure that has a name. */
static void note_cast(struct copies *copies, struct llvm_value *cast)
{
    struct llvm_value *from = llvm.GetOperand(cast, 0);
    struct llvm_type *type = llvm.TypeOf(from);
    if (is_own(copies, from)) {
        g_hash_table_add(copies->own, cast);
    }
    if (llvm.GetTypeKind(type) == LLVM_POINTER && !is_opaque(type)) {
        struct llvm_type *to = llvm.GetElementType(type);
        const char *name
            = llvm.GetTypeKind(to) == LLVM_STRUCT ? llvm.GetStructName(to) : NULL;
        if (name != NULL) {
            remember(copies, cast, from, name);
        }
    }
}

/* The first of the parts of a structure that registers take: its type has no name. */
static void note_member(struct copies *copies, struct llvm_value *address)
{
    struct llvm_value *from = llvm.GetOperand(address, 0);
    struct llvm_type *type = llvm.GetGEPSourceElementType(address);
    if (is_own(copies, from)) {
        g_hash_table_add(copies->own, address);
    }
    if (llvm.GetTypeKind(type) != LLVM_STRUCT || llvm.GetStructName(type) != NULL
        || llvm.GetNumOperands(address) < 3 || !is_zero(llvm.GetOperand(address, 1))
        || !is_zero(llvm.GetOperand(address, 2))) {
        return;
    }
    const struct object *object = g_hash_table_lookup(copies->objects, from);
    if (object != NULL) {
        remember(copies, address, object->pointer, object->name);
    } else if (is_opaque(llvm.TypeOf(from))) {
        remember(copies, address, from, NULL);
    }
}

/* The address @offset bytes after a pointer. */
static struct llvm_value *advance(const struct copies *copies,
                                  struct llvm_value *pointer, uint64_t offset)
{
    struct llvm_value *index = weiri_ir_constant(64, offset);
    struct llvm_value *bytes
        = weiri_ir_as(copies->builder, pointer, weiri_ir_pointer());
    return offset == 0 ? bytes
                       : llvm.BuildInBoundsGEP2(copies->builder, weiri_ir_int(8), bytes,
                                                &index, 1, "");
}

/* Makes copies of sizes that hooks have of a copy between a variable of the function
 * and other memory. Optimised, the variable is a value in a register, as a structure is
 * that a call returns, and the copy would be one access of an odd size without a hook.
 * Returns: whether it does: the call is to be removed */
static bool divide(const struct copies *copies, struct llvm_value *call)
{
    enum { MOST_BYTES = 16, VOLATILE = 3 }; /* the former in registers */
    struct llvm_value *to = llvm.GetOperand(call, 0), *from = llvm.GetOperand(call, 1);
    struct llvm_value *size = llvm.GetOperand(call, 2);
    uint64_t bytes
        = llvm.IsAConstantInt(size) == NULL ? 0 : llvm.ConstIntGetZExtValue(size);
    if (is_own(copies, to) == is_own(copies, from) || bytes == 0 || bytes > MOST_BYTES
        || has_hook(bytes) || !is_zero(llvm.GetOperand(call, VOLATILE))) {
        return false;
    }
    llvm.PositionBuilderBefore(copies->builder, call);
    uint64_t part = MOST_BYTES;
    for (uint64_t at = 0; at < bytes; at += part) {
        while (part > bytes - at) {
            part /= 2;
        }
        (void)llvm.BuildMemCpy(copies->builder, advance(copies, to, at), 1,
                               advance(copies, from, at), 1,
                               weiri_ir_constant(64, part));
    }
    return true;
}

/* Returns: whether the call is to be removed */
static bool see_call(struct copies *copies, struct llvm_value *call)
{
    const char *callee = weiri_ir_callee(call);
    bool sets = g_str_has_prefix(callee, "llvm.memset.");
    bool copy = g_str_has_prefix(callee, "llvm.memcpy.");
    if (!sets && !copy && !g_str_has_prefix(callee, "llvm.memmove.")) {
        return false;
    }
    unsigned kind = weiri_ir_attribute("align");
    for (unsigned i = 0; i < (sets ? 1 : 2); i++) {
        struct llvm_attribute *align
            = llvm.GetCallSiteEnumAttribute(call, (int)i + 1, kind);
        struct llvm_value *pointer = llvm.GetOperand(call, i);
        const struct object *object = g_hash_table_lookup(copies->objects, pointer);
        if (align != NULL) {
            check(copies, call, pointer, object == NULL ? NULL : object->name,
                  llvm.GetEnumAttributeValue(align), llvm.GetOperand(call, 2), i == 0);
        }
    }
    return copy && divide(copies, call);
}

static void see_access(struct copies *copies, struct llvm_value *access)
{
    struct llvm_value *address = weiri_ir_address(access);
    const struct object *object = g_hash_table_lookup(copies->objects, address);
    uint64_t alignment = llvm.GetAlignment(access);
    if (object != NULL) {
        check(copies, access, object->pointer, object->name, alignment,
              weiri_ir_constant(64, alignment),
              llvm.GetInstructionOpcode(access) == LLVM_STORE);
    }
    uint64_t bytes = weiri_ir_bytes(weiri_ir_accessed(access));
    if (bytes != 0 && !has_hook(bytes) && llvm.GetOrdering(access) == LLVM_NOT_ATOMIC
        && llvm.GetPointerAddressSpace(llvm.TypeOf(address)) == 0
        && !is_own(copies, address)
        && (!llvm.IsConstant(address) || llvm.IsAGlobalVariable(address) != NULL)) {
        check_range(copies, access, bytes);
    }
}

/* Returns: whether the instruction is to be removed */
static bool see(struct copies *copies, struct llvm_value *instruction)
{
    switch (llvm.GetInstructionOpcode(instruction)) {
    case LLVM_ALLOCA:
        g_hash_table_add(copies->own, instruction);
        break;
    case LLVM_BITCAST:
        note_cast(copies, instruction);
        break;
    case LLVM_GEP:
        note_member(copies, instruction);
        break;
    case LLVM_CALL:
        return see_call(copies, instruction);
    case LLVM_LOAD:
    case LLVM_STORE:
        see_access(copies, instruction);
        break;
    default:
        break;
    }
    return false;
}

/* ---- The module ----------------------------------------------------------- */

/* Whether a function is a checked entry of a kernel, in C. */
static bool is_machine(struct llvm_value *function)
{
    size_t length;
    const char *name = llvm.GetValueName2(function, &length);
    return g_str_has_suffix(name, "__checked")
        || g_str_has_suffix(name, "__checked_item");
}

void weiri_copies(struct llvm_module *module)
{
    struct copies copies
        = { .module = module,
            .builder = llvm.CreateBuilderInContext(weiri_ir_context()) };
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!is_machine(f)) {
            weiri_parts_divide(f, true);
        }
        copies.own = g_hash_table_new(NULL, NULL);
        copies.objects = g_hash_table_new_full(NULL, NULL, NULL, g_free);
        for (struct llvm_block *b = is_machine(f) ? NULL : llvm.GetFirstBasicBlock(f);
             b != NULL; b = llvm.GetNextBasicBlock(b)) {
            for (struct llvm_value *i = llvm.GetFirstInstruction(b), *next; i != NULL;
                 i = next) {
                bool gone = see(&copies, i);
                next = llvm.GetNextInstruction(i);
                if (gone) {
                    llvm.InstructionEraseFromParent(i);
                }
            }
        }
        g_hash_table_unref(copies.own);
        g_hash_table_unref(copies.objects);
    }
    llvm.DisposeBuilder(copies.builder);
}
