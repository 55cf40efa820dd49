/* SPDX-License-Identifier: MIT
 *
 * modules.c: kernels and variables of the program. Two sides register them: the
 * constructor of each object of weir-nvcc hands over a table of its device code, and
 * the host's code, which clang has made, registers its stubs and its variables by their
 * symbols. Constructors run in any order, so the two are joined when a launch or a copy
 * asks for the first time. */
#include "config.h"

#include "weir-kernel.h"

#include "cuda/runtime.h"

#include <string.h>

/* A file of the host's code. */
struct unit {
    const char *id; /* of its module */
};

/* What clang hands to __cudaRegisterFatBinary(). */
struct wrapper {
    int magic, version;
    const char *id;
    void *unused;
};

/* A registered symbol. */
struct host_symbol {
    const char *id, *symbol;
    void **managed; /* of a managed variable: the host's pointer to it */
    size_t bytes;
};

static GMutex mutex;          /* guards what follows */
static GPtrArray *modules;    /* of struct weiri_cuda_module */
static GHashTable *stubs;     /* the stub: struct host_symbol; owned */
static GHashTable *variables; /* the host's variable: struct host_symbol; owned */
static GHashTable *functions; /* the row: struct weiri_cuda_function; owned */

static const struct weiri_cuda_variable *variable_in(
    const struct weiri_cuda_module *module, const char *symbol)
{
    for (const struct weiri_cuda_variable *row = module->variables;
         row != NULL && row->symbol != NULL; row++) {
        if (strcmp(row->symbol, symbol) == 0
            || (row->name != NULL && strcmp(row->name, symbol) == 0)) {
            return row;
        }
    }
    return NULL;
}

static const struct weiri_cuda_variable *find_variable(const char *id,
                                                       const char *symbol)
{
    guint n = modules != NULL ? modules->len : 0;
    const struct weiri_cuda_variable *found = NULL;
    for (int any = 0; any < 2 && found == NULL; any++) {
        for (guint i = 0; i < n && found == NULL; i++) {
            const struct weiri_cuda_module *module = g_ptr_array_index(modules, i);
            if (any || g_strcmp0(module->id, id) == 0) {
                found = variable_in(module, symbol);
            }
        }
    }
    return found;
}

/* A managed variable is the host's, once that is registered, before or after its
 * module. It has its first value then: clang registers variables after what it
 * initialises itself, so code before main() sees and leaves nothing there. */
static void join_one(void *host, void *value, void *data)
{
    const struct host_symbol *symbol = value;
    const struct weiri_cuda_variable *row = find_variable(symbol->id, symbol->symbol);
    (void)data;
    if (row != NULL && row->managed != NULL && *row->managed == NULL) {
        memcpy(host, row->address, row->bytes);
        *row->managed = host;
    }
}

static void join_all(void)
{
    if (variables != NULL) {
        g_hash_table_foreach(variables, join_one, NULL);
    }
}

void weiri_cuda_add_module(const struct weiri_cuda_module *module)
{
    g_mutex_lock(&mutex);
    if (modules == NULL) {
        modules = g_ptr_array_new();
    }
    g_ptr_array_add(modules, (void *)(uintptr_t)module);
    join_all();
    g_mutex_unlock(&mutex);
}

/* ---- The host's side ------------------------------------------------------- */

void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct wrapper *found = wrapper;
    struct unit *unit = g_new(struct unit, 1);
    unit->id = found->id;
    return (void **)(void *)unit;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* Calls may follow from destructors: the symbols stay. */
void __cudaUnregisterFatBinary(void **handle)
{
    g_free(handle);
}

static void add_symbol(GHashTable **table, void **handle, const void *key,
                       const char *symbol, void **managed, size_t bytes)
{
    const struct unit *unit = (const void *)handle;
    struct host_symbol *added = g_new(struct host_symbol, 1);
    *added = (struct host_symbol){ unit != NULL ? unit->id : NULL, symbol, managed,
                                   bytes };
    g_mutex_lock(&mutex);
    if (*table == NULL) {
        *table = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    }
    g_hash_table_insert(*table, (void *)(uintptr_t)key, added);
    g_mutex_unlock(&mutex);
}

void __cudaRegisterFunction(void **handle, const char *stub, char *symbol,
                            const char *name, int most_threads, uint3 *thread,
                            uint3 *block_index, dim3 *block, dim3 *grid, int *warp)
{
    (void)name;
    (void)most_threads;
    (void)thread;
    (void)block_index;
    (void)block;
    (void)grid;
    (void)warp;
    add_symbol(&stubs, handle, stub, symbol, NULL, 0);
}

void __cudaRegisterVar(void **handle, char *variable, char *symbol, const char *name,
                       int external, size_t bytes, int constant, int global)
{
    (void)symbol;
    (void)external;
    (void)constant;
    (void)global;
    add_symbol(&variables, handle, variable, name, NULL, bytes);
    g_mutex_lock(&mutex);
    join_all();
    g_mutex_unlock(&mutex);
}

void __cudaRegisterManagedVar(void **handle, void **variable, char *symbol,
                              const char *name, int external, size_t bytes,
                              int constant, int global)
{
    (void)symbol;
    (void)external;
    (void)constant;
    (void)global;
    add_symbol(&variables, handle, variable, name, variable, bytes);
}

/* ---- Kernels --------------------------------------------------------------- */

static const struct weiri_cuda_kernel *kernel_in(const struct weiri_cuda_module *module,
                                                 const char *symbol)
{
    for (const struct weiri_cuda_kernel *row = module->kernels;
         row != NULL && row->symbol != NULL; row++) {
        if (strcmp(row->symbol, symbol) == 0) {
            return row;
        }
    }
    return NULL;
}

/* Looks in the module with @id first, then in all. Called with the lock held. */
static const struct weiri_cuda_kernel *find_kernel(const char *id, const char *symbol)
{
    guint n = modules != NULL ? modules->len : 0;
    const struct weiri_cuda_kernel *found = NULL;
    for (int any = 0; any < 2 && found == NULL; any++) {
        for (guint i = 0; i < n && found == NULL; i++) {
            const struct weiri_cuda_module *module = g_ptr_array_index(modules, i);
            if (any || g_strcmp0(module->id, id) == 0) {
                found = kernel_in(module, symbol);
            }
        }
    }
    return found;
}

static struct weiri_cuda_function *function_for(const struct weiri_cuda_kernel *row)
{
    if (row == NULL) {
        return NULL;
    }
    if (functions == NULL) {
        functions = g_hash_table_new(NULL, NULL);
    }
    struct weiri_cuda_function *function = g_hash_table_lookup(functions, row);
    if (function == NULL) {
        function = g_new(struct weiri_cuda_function, 1);
        *function = (struct weiri_cuda_function){ row, SIZE_MAX };
        g_hash_table_insert(functions, (void *)(uintptr_t)row, function);
    }
    return function;
}

struct weiri_cuda_function *weiri_cuda_function_of(const void *stub)
{
    g_mutex_lock(&mutex);
    const struct host_symbol *symbol
        = stubs != NULL ? g_hash_table_lookup(stubs, stub) : NULL;
    const struct weiri_cuda_kernel *row
        = symbol != NULL ? find_kernel(symbol->id, symbol->symbol) : NULL;
    struct weiri_cuda_function *function = function_for(row);
    g_mutex_unlock(&mutex);
    return function;
}

struct weiri_cuda_function *weiri_cuda_function_named(const char *name)
{
    g_mutex_lock(&mutex);
    const struct weiri_cuda_kernel *row = find_kernel(NULL, name);
    for (guint i = 0; modules != NULL && row == NULL && i < modules->len; i++) {
        const struct weiri_cuda_module *module = g_ptr_array_index(modules, i);
        for (const struct weiri_cuda_kernel *one = module->kernels;
             one != NULL && one->symbol != NULL && row == NULL; one++) {
            row = strcmp(one->kernel->name, name) == 0 ? one : NULL;
        }
    }
    struct weiri_cuda_function *function = function_for(row);
    g_mutex_unlock(&mutex);
    return function;
}

/* ---- Variables ------------------------------------------------------------- */

const struct weiri_cuda_variable *weiri_cuda_variable_of(const void *host)
{
    g_mutex_lock(&mutex);
    const struct host_symbol *symbol
        = variables != NULL ? g_hash_table_lookup(variables, host) : NULL;
    const struct weiri_cuda_variable *row
        = symbol != NULL ? find_variable(symbol->id, symbol->symbol) : NULL;
    g_mutex_unlock(&mutex);
    return row;
}

const struct weiri_cuda_variable *weiri_cuda_variable_named(const char *name)
{
    g_mutex_lock(&mutex);
    const struct weiri_cuda_variable *row = find_variable(NULL, name);
    g_mutex_unlock(&mutex);
    return row;
}

/* The row for which @wanted holds. */
static const struct weiri_cuda_variable *each_variable(
    bool (*wanted)(const struct weiri_cuda_variable *row, const void *data),
    const void *data)
{
    const struct weiri_cuda_variable *found = NULL;
    g_mutex_lock(&mutex);
    for (guint i = 0; modules != NULL && found == NULL && i < modules->len; i++) {
        const struct weiri_cuda_module *module = g_ptr_array_index(modules, i);
        for (const struct weiri_cuda_variable *row = module->variables;
             row != NULL && row->symbol != NULL && found == NULL; row++) {
            found = wanted(row, data) ? row : NULL;
        }
    }
    g_mutex_unlock(&mutex);
    return found;
}

void *weiri_cuda_variable_address(const struct weiri_cuda_variable *row)
{
    return row->managed != NULL && *row->managed != NULL ? *row->managed : row->address;
}

static bool has_address(const struct weiri_cuda_variable *row, const void *address)
{
    return (uintptr_t)address - (uintptr_t)weiri_cuda_variable_address(row)
        < row->bytes;
}

const struct weiri_cuda_variable *weiri_cuda_variable_at(const void *address)
{
    return each_variable(has_address, address);
}

static bool add_static(const struct weiri_cuda_variable *row, const void *data)
{
    (void)data;
    if (row->managed != NULL && *row->managed == NULL) {
        *row->managed = row->address; /* no code of the host uses it */
    }
    weiri_host_commands_static(weiri_cuda_variable_address(row), row->bytes);
    return false;
}

/* A managed variable is memory that the host has a pointer to; the same memory is the
 * device's variable. */
static void begin_managed(void *key, void *value, void *data)
{
    (void)key;
    (void)data;
    const struct host_symbol *symbol = value;
    if (symbol->managed != NULL && *symbol->managed == NULL) {
        const struct weiri_cuda_variable *row
            = find_variable(symbol->id, symbol->symbol);
        *symbol->managed = row != NULL ? weiri_cuda_variable_address(row) : NULL;
    }
}

void weiri_cuda_modules_begin(void)
{
    g_mutex_lock(&mutex);
    if (variables != NULL) {
        g_hash_table_foreach(variables, begin_managed, NULL);
    }
    g_mutex_unlock(&mutex);
    (void)each_variable(add_static, NULL);
}
