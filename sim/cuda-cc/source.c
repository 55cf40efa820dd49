/* SPDX-License-Identifier: MIT
 *
 * source.c: kernels, their parameters and variables, as clang's front end writes them
 * for this machine. Nothing in a function says that it is a kernel; Weir's header
 * annotates it, and shared variables:
 *
 *     @llvm.global.annotations = [{ @kernel, "weir_kernel", file, line, arguments }]
 *
 * The front end passes an object as a host would: in registers, in one or two parts,
 * or in memory. It stores each part in a variable of the parameter, which debug
 * information names in the order of the source; so the parts of a parameter are known
 * by these stores. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

#include "cuda/device/head.h"
#include "split/stackless.h"

/* ---- Values ---------------------------------------------------------------- */

const char *weiri_cuda_name(struct llvm_value *global)
{
    size_t length;
    return llvm.GetValueName2(global, &length);
}

void weiri_cuda_rename(struct llvm_value *global, const char *name)
{
    llvm.SetValueName2(global, name, strlen(name));
}

struct llvm_value *weiri_cuda_uncast(struct llvm_value *value)
{
    for (;;) {
        bool constant = llvm.IsAConstantExpr(value) != NULL;
        int opcode = constant                    ? llvm.GetConstOpcode(value)
            : llvm.IsAInstruction(value) != NULL ? llvm.GetInstructionOpcode(value)
                                                 : 0;
        if (opcode != LLVM_BITCAST && opcode != LLVM_GEP
            && opcode != LLVM_ADDRSPACE_CAST) {
            return value;
        }
        value = llvm.GetOperand(value, 0);
    }
}

/* ---- Parameters of kernels ------------------------------------------------- */

/* What the debug information of a kernel's parameters is attached to: variables or
 * arguments, in the order of the source. */
static GPtrArray *storages_of(struct llvm_value *function, unsigned n)
{
    GPtrArray *list = g_ptr_array_new();
    struct llvm_block *first = llvm.GetFirstBasicBlock(function);
    for (struct llvm_value *v = llvm.GetFirstInstruction(first);
         v != NULL && list->len < n; v = llvm.GetNextInstruction(v)) {
        if (!weiri_ir_calls(v, "llvm.dbg.declare")) {
            continue;
        }
        struct llvm_value *of = NULL;
        if (llvm.GetMDNodeNumOperands(llvm.GetOperand(v, 0)) == 1) {
            llvm.GetMDNodeOperands(llvm.GetOperand(v, 0), &of);
        }
        g_ptr_array_add(list, of);
    }
    return list;
}

static bool is_argument(struct llvm_value *value)
{
    return value != NULL && llvm.IsAArgument(value) != NULL;
}

/* The variable in which the start of the function stores a part, or %NULL. */
static struct llvm_value *stored_in(struct llvm_value *argument)
{
    for (struct llvm_use *use = llvm.GetFirstUse(argument); use != NULL;
         use = llvm.GetNextUse(use)) {
        struct llvm_value *user = llvm.GetUser(use);
        if (llvm.IsAInstruction(user) != NULL
            && llvm.GetInstructionOpcode(user) == LLVM_STORE
            && llvm.GetOperand(user, 0) == argument) {
            return weiri_cuda_uncast(llvm.GetOperand(user, 1));
        }
        /* A bool or a small number may be made narrower first. */
        if (llvm.IsAInstruction(user) != NULL
            && (llvm.GetInstructionOpcode(user) == LLVM_ZEXT
                || llvm.GetInstructionOpcode(user) == LLVM_TRUNC
                || llvm.GetInstructionOpcode(user) == LLVM_BITCAST)) {
            struct llvm_value *variable = stored_in(user);
            if (variable != NULL) {
                return variable;
            }
        }
    }
    return NULL;
}

/* The variable that another one, of a form that fits registers, is copied to; or the
 * variable itself. */
static struct llvm_value *copied_to(struct llvm_value *variable)
{
    struct llvm_block *first = variable != NULL && !is_argument(variable)
        ? llvm.GetInstructionParent(variable)
        : NULL;
    for (struct llvm_value *v = first != NULL ? llvm.GetFirstInstruction(first) : NULL;
         v != NULL; v = llvm.GetNextInstruction(v)) {
        if (g_str_has_prefix(weiri_ir_callee(v), "llvm.memcpy")
            && weiri_cuda_uncast(llvm.GetOperand(v, 1)) == variable) {
            return weiri_cuda_uncast(llvm.GetOperand(v, 0));
        }
    }
    return variable;
}

struct reading {
    struct weiri_cuda_code *code;
    struct weiri_cuda_entry *entry;
    GPtrArray *storages;
};

static bool is_pointer(struct llvm_type *type)
{
    return llvm.GetTypeKind(type) == LLVM_POINTER;
}

/* Whether parameter @i is an object that the caller keeps: its variable is the address
 * of it. */
static bool is_by_reference(const struct reading *reading, unsigned i)
{
    struct llvm_value *storage = g_ptr_array_index(reading->storages, i);
    return is_argument(storage)
        || (is_pointer(llvm.GetAllocatedType(storage))
            && weiri_cuda_parameter_is_class(reading->entry->function, i));
}

static size_t bytes_of(const struct reading *reading, unsigned i)
{
    struct llvm_value *storage = g_ptr_array_index(reading->storages, i);
    return is_by_reference(reading, i)
        ? weiri_cuda_parameter_bytes(reading->entry->function, i)
        : llvm.ABISizeOfType(reading->code->layout, llvm.GetAllocatedType(storage));
}

/* The parameter with that storage; as many as there are: none. */
static unsigned parameter_at(const struct reading *reading, struct llvm_value *storage)
{
    unsigned i = 0;
    while (i < reading->entry->n_parameters
           && (storage == NULL || g_ptr_array_index(reading->storages, i) != storage)) {
        i++;
    }
    return i;
}

/* Fills in argument @a, the next part of a parameter of which @parts have come. */
static bool read_argument(const struct reading *reading, unsigned a, unsigned *parts)
{
    enum { PART = 8 }; /* bytes of a register: where the second part is */
    struct llvm_value *argument = llvm.GetParam(reading->entry->function, a);
    struct llvm_value *variable = stored_in(argument);
    struct llvm_value *const places[] = { argument, variable, copied_to(variable) };
    unsigned n = reading->entry->n_parameters, i = n;
    for (size_t k = 0; k < G_N_ELEMENTS(places) && i == n; k++) {
        i = parameter_at(reading, places[k]);
    }
    if (i < n) {
        reading->entry->arguments[a]
            = (struct weiri_cuda_argument){ i, PART * parts[i]++,
                                            is_by_reference(reading, i) };
    }
    return i < n;
}

static bool read_parameters(const struct reading *reading)
{
    struct weiri_cuda_entry *entry = reading->entry;
    if (reading->storages->len != entry->n_parameters) {
        return false;
    }
    for (unsigned i = 0; i < entry->n_parameters; i++) {
        struct llvm_value *storage = g_ptr_array_index(reading->storages, i);
        bool known = is_argument(storage)
            || (storage != NULL && llvm.IsAInstruction(storage) != NULL
                && llvm.GetInstructionOpcode(storage) == LLVM_ALLOCA);
        if (!known || bytes_of(reading, i) == 0) {
            return false;
        }
        entry->parameters[i].bytes = bytes_of(reading, i);
    }
    g_autofree unsigned *parts = g_new0(unsigned, entry->n_parameters + 1);
    for (unsigned a = 0; a < entry->n_arguments; a++) {
        if (!read_argument(reading, a, parts)) {
            return false;
        }
    }
    return true;
}

static bool add_entry(struct weiri_cuda_code *code, struct llvm_value *function)
{
    struct weiri_cuda_entry *entry = g_new0(struct weiri_cuda_entry, 1);
    entry->function = function;
    entry->symbol = g_strdup(weiri_cuda_name(function));
    entry->name = weiri_cuda_function_name(function);
    entry->name = entry->name != NULL ? entry->name : g_strdup(entry->symbol);
    weiri_cuda_function_place(function, &entry->file, &entry->line);
    entry->file = entry->file != NULL ? entry->file : g_strdup("?");
    entry->n_arguments = llvm.CountParams(function);
    entry->arguments = g_new0(struct weiri_cuda_argument, entry->n_arguments + 1);
    entry->n_parameters = weiri_cuda_n_parameters(function);
    entry->parameters = g_new0(struct weiri_cuda_size, entry->n_parameters + 1);
    g_ptr_array_add(code->entries, entry);
    g_autoptr(GPtrArray) storages = storages_of(function, entry->n_parameters);
    const struct reading reading = { code, entry, storages };
    if (!read_parameters(&reading)) {
        g_autofree char *why = g_strdup_printf(
            "%s:%u: the parameters of kernel '%s' cannot be told from clang's code: "
            "report this source, or try another version of clang",
            entry->file, entry->line, entry->name);
        weiri_split_say(why);
        return false;
    }
    return true;
}

/* ---- Annotations ----------------------------------------------------------- */

/* The text of a string constant. */
static char *text_at(struct llvm_value *address)
{
    struct llvm_value *global = weiri_cuda_uncast(address);
    size_t length;
    struct llvm_value *value
        = llvm.IsAGlobalVariable(global) != NULL ? llvm.GetInitializer(global) : NULL;
    const char *text = value != NULL && llvm.IsConstantString(value)
        ? llvm.GetAsString(value, &length)
        : NULL;
    return text != NULL ? g_strndup(text, length) : NULL;
}

/* The number at @index among the arguments of an annotation, or 0. */
static uint64_t number_at(struct llvm_value *address, unsigned index)
{
    struct llvm_value *global = weiri_cuda_uncast(address);
    struct llvm_value *value
        = llvm.IsAGlobalVariable(global) != NULL ? llvm.GetInitializer(global) : NULL;
    struct llvm_value *number
        = value != NULL && (unsigned)llvm.GetNumOperands(value) > index
        ? llvm.GetOperand(value, index)
        : NULL;
    return number != NULL && llvm.IsAConstantInt(number) != NULL
        ? llvm.ConstIntGetZExtValue(number)
        : 0;
}

static void add_shared(struct weiri_cuda_code *code, struct llvm_value *global)
{
    struct llvm_type *type = llvm.GlobalGetValueType(global), *element = type;
    struct weiri_cuda_shared *shared = g_new0(struct weiri_cuda_shared, 1);
    shared->global = global;
    weiri_cuda_describe_global(global, &shared->name, &shared->file, &shared->line);
    shared->name
        = shared->name != NULL ? shared->name : g_strdup(weiri_cuda_name(global));
    while (llvm.GetTypeKind(element) == LLVM_ARRAY) {
        element = llvm.GetElementType(element);
    }
    shared->element_bytes = MAX(llvm.ABISizeOfType(code->layout, element), 1);
    shared->count = llvm.ABISizeOfType(code->layout, type) / shared->element_bytes;
    g_ptr_array_add(code->shared, shared);
}

static struct weiri_cuda_entry *entry_of(struct weiri_cuda_code *code,
                                         struct llvm_value *function)
{
    for (guint i = 0; i < code->entries->len; i++) {
        struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        if (entry->function == function) {
            return entry;
        }
    }
    return NULL;
}

static void read_bounds(struct weiri_cuda_code *code, struct llvm_value *row)
{
    struct weiri_cuda_entry *entry
        = entry_of(code, weiri_cuda_uncast(llvm.GetOperand(row, 0)));
    if (entry != NULL && llvm.GetNumOperands(row) > 4) {
        entry->max_threads = number_at(llvm.GetOperand(row, 4), 0);
    }
}

static void read_cluster(struct weiri_cuda_code *code, struct llvm_value *row)
{
    struct weiri_cuda_entry *entry
        = entry_of(code, weiri_cuda_uncast(llvm.GetOperand(row, 0)));
    for (unsigned i = 0; entry != NULL && llvm.GetNumOperands(row) > 4 && i < 3; i++) {
        entry->cluster[i] = number_at(llvm.GetOperand(row, 4), i);
    }
}

/* One annotation; @last: of those that are about a kernel that is known. */
static bool read_annotation(struct weiri_cuda_code *code, struct llvm_value *row,
                            bool last)
{
    struct llvm_value *of = weiri_cuda_uncast(llvm.GetOperand(row, 0));
    g_autofree char *text = text_at(llvm.GetOperand(row, 1));
    if (last) {
        if (g_strcmp0(text, "weir_launch_bounds") == 0) {
            read_bounds(code, row);
        } else if (g_strcmp0(text, "weir_cluster_dims") == 0) {
            read_cluster(code, row);
        }
    } else if (g_strcmp0(text, "weir_shared") == 0
               && llvm.IsAGlobalVariable(of) != NULL) {
        add_shared(code, of);
    } else if (g_strcmp0(text, "weir_managed") == 0
               && !g_hash_table_contains(code->managed, of)) {
        g_hash_table_insert(code->managed, of, weiri_cuda_managed_pointer(code, of));
    } else if (g_strcmp0(text, "weir_kernel") == 0 && llvm.IsAFunction(of) != NULL
               && !llvm.IsDeclaration(of) && entry_of(code, of) == NULL) {
        return add_entry(code, of);
    }
    return true;
}

static bool read_annotations(struct weiri_cuda_code *code)
{
    struct llvm_value *all
        = llvm.GetNamedGlobal(code->module, "llvm.global.annotations");
    struct llvm_value *list = all != NULL ? llvm.GetInitializer(all) : NULL;
    unsigned n = list != NULL ? (unsigned)llvm.GetNumOperands(list) : 0;
    for (unsigned i = 0; i < 2 * n; i++) {
        if (!read_annotation(code, llvm.GetOperand(list, i % n), i >= n)) {
            return false;
        }
    }
    if (all != NULL) {
        llvm.DeleteGlobal(all);
    }
    return true;
}

/* ---- Variables ------------------------------------------------------------- */

/* A declaration of an array without a size is the dynamic shared memory of a launch. */
static bool is_dynamic(struct llvm_value *global)
{
    struct llvm_type *type = llvm.GlobalGetValueType(global);
    return llvm.IsDeclaration(global) && llvm.GetTypeKind(type) == LLVM_ARRAY
        && llvm.GetArrayLength(type) == 0;
}

static bool is_shared(const struct weiri_cuda_code *code, struct llvm_value *global)
{
    for (guint i = 0; i < code->shared->len; i++) {
        const struct weiri_cuda_shared *shared = g_ptr_array_index(code->shared, i);
        if (shared->global == global) {
            return true;
        }
    }
    return false;
}

static void add_variable(struct weiri_cuda_code *code, struct llvm_value *global)
{
    struct weiri_cuda_variable_of *variable = g_new0(struct weiri_cuda_variable_of, 1);
    variable->global = global;
    variable->symbol = g_strdup(weiri_cuda_name(global));
    variable->pointer = g_hash_table_lookup(code->managed, global);
    variable->bytes = llvm.ABISizeOfType(code->layout, llvm.GlobalGetValueType(global));
    weiri_cuda_describe_global(global, &variable->name, &variable->file,
                               &variable->line);
    g_ptr_array_add(code->variables, variable);
}

static void add_managed(struct weiri_cuda_code *code, struct llvm_value *global)
{
    struct weiri_cuda_shared *shared = g_new0(struct weiri_cuda_shared, 1);
    shared->global = global;
    shared->pointer = g_hash_table_lookup(code->managed, global);
    shared->count = 1;
    g_ptr_array_add(code->shared, shared);
}

static void read_variables(struct weiri_cuda_code *code)
{
    static const char *const lists[] = { "llvm.used", "llvm.compiler.used" };
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        struct llvm_value *list = llvm.GetNamedGlobal(code->module, lists[i]);
        if (list != NULL) {
            llvm.DeleteGlobal(list);
        }
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(code->module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (g_hash_table_contains(code->managed, g)) {
            add_variable(code, g);
            add_managed(code, g);
        } else if (is_dynamic(g)) {
            add_shared(code, g);
        } else if (!is_shared(code, g) && llvm.GetLinkage(g) != LLVM_PRIVATE
                   && !g_str_has_prefix(weiri_cuda_name(g), "llvm.")
                   && !g_str_has_prefix(weiri_cuda_name(g), WEIRI_CUDA_MANAGED)) {
            add_variable(code, g);
        }
    }
}

/* Where each shared variable's address is in a group's own block of arguments. */
static void place_slots(struct weiri_cuda_code *code)
{
    size_t at = weiri_cuda_round_up(sizeof(struct weiri_cuda_head), 16);
    for (guint i = 0; i < code->shared->len; i++) {
        struct weiri_cuda_shared *shared = g_ptr_array_index(code->shared, i);
        shared->slot = at;
        at += shared->pointer == NULL ? sizeof(void *) : 0;
    }
    for (guint i = 0; i < code->entries->len; i++) {
        struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        size_t offset = weiri_cuda_round_up(at, 16);
        for (unsigned k = 0; k < entry->n_parameters; k++) {
            entry->parameters[k].offset = offset;
            offset = weiri_cuda_round_up(offset + entry->parameters[k].bytes, 16);
        }
        entry->args_bytes = offset;
    }
}

static bool is_entry(const struct weiri_cuda_code *code, struct llvm_value *function)
{
    for (guint i = 0; i < code->entries->len; i++) {
        const struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        if (entry->function == function) {
            return true;
        }
    }
    return false;
}

/* Without -rdc, functions and variables of the device are those of this object: two
 * sources may have the same names. A managed one has the name of the host's
 * variable. */
static void hide_names(struct weiri_cuda_code *code)
{
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *f = g_ptr_array_index(code->functions, i);
        if (llvm.GetLinkage(f) == LLVM_EXTERNAL && !is_entry(code, f)) {
            llvm.SetLinkage(f, LLVM_INTERNAL);
        }
    }
    for (guint i = 0; i < code->variables->len; i++) {
        const struct weiri_cuda_variable_of *variable
            = g_ptr_array_index(code->variables, i);
        if (!llvm.IsDeclaration(variable->global) && variable->pointer == NULL) {
            llvm.SetComdat(variable->global, NULL);
            llvm.SetVisibility(variable->global, 0);
            llvm.SetLinkage(variable->global, LLVM_INTERNAL);
        }
    }
}

bool weiri_cuda_read(struct weiri_cuda_code *code)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(code->module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f)) {
            g_ptr_array_add(code->functions, f);
        }
    }
    if (!read_annotations(code)) {
        return false;
    }
    read_variables(code);
    place_slots(code);
    if (!code->relocatable) {
        hide_names(code);
    }
    return true;
}

/* ---- Calls ----------------------------------------------------------------- */

void weiri_cuda_rename_calls(struct weiri_cuda_code *code)
{
    static const char *const names[]
        = { "printf", "vprintf", "puts",   "putchar",      "malloc",
            "free",   "abort",   "calloc", "__assert_fail" };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct llvm_value *f = llvm.GetNamedFunction(code->module, names[i]);
        if (f != NULL && llvm.IsDeclaration(f)) {
            g_autofree char *name = g_strconcat("weiri_cuda_", names[i], NULL);
            weiri_cuda_rename(f, name);
        }
    }
    for (struct llvm_value *f = llvm.GetFirstFunction(code->module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (llvm.IsDeclaration(f)
            && g_str_has_prefix(weiri_cuda_name(f), "weiri_cu_")) {
            g_autofree char *name = g_strconcat("call.", weiri_cuda_name(f), NULL);
            weiri_cuda_rename(f, name);
        }
    }
}

bool weiri_cuda_is_kernel(const struct weiri_cuda_code *code,
                          const struct llvm_value *function)
{
    bool is = false;
    for (guint i = 0; i < code->entries->len; i++) {
        const struct weiri_cuda_entry *entry = g_ptr_array_index(code->entries, i);
        is |= entry->function == function;
    }
    return is;
}
