/* SPDX-License-Identifier: MIT
 *
 * module.c: a shared object of kernels that is loaded, by the table that weir-opencl-cc
 * puts into it. An object with checked entries stays loaded: findings have its sites,
 * and symbols of its code are looked up after the launch. One with fast entries alone
 * is unloaded with its module, since a process that builds thousands of programs would
 * meet the system's limit of mappings. It stays, too, where the process has looked up a
 * symbol: the results are kept by address, and the next object could have the same. */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "base/statics.h"
#include "opencl/compile/mangled.h"
#include "opencl/opencl.h"
#include "report/symbol.h"
#include "weir-kernel.h"

struct weiri_cl_module {
    char *path;
    void *object;                          /* of dlopen(); NULL: it stays loaded */
    const struct weiri_cl_kernel *kernels; /* in the object */
    size_t n;
    struct loaded *loaded;
};

/* A file that is or was loaded. Its variables are loaded once: one module has them
 * at a time, and they are initialised again for the next. */
struct loaded {
    char *variables; /* in the object, @bytes of them */
    size_t bytes;
    char *initial; /* a copy, from before any launch */
    bool taken;    /* by a module; guarded by the mutex */
};

static GMutex mutex;
static GHashTable *all; /* by path: struct loaded; guarded by the mutex */

bool weiri_cl_module_is_taken(const char *path)
{
    g_mutex_lock(&mutex);
    const struct loaded *loaded = all != NULL ? g_hash_table_lookup(all, path) : NULL;
    bool taken = loaded != NULL && loaded->bytes > 0 && loaded->taken;
    g_mutex_unlock(&mutex);
    return taken;
}

/* Takes the variables of the object for a module. */
static struct loaded *take(const char *path, void *object)
{
    char *const *bounds = dlsym(object, "weiri_cl_variables");
    g_mutex_lock(&mutex);
    if (all == NULL) {
        all = g_hash_table_new(g_str_hash, g_str_equal);
    }
    struct loaded *loaded = g_hash_table_lookup(all, path);
    if (loaded == NULL) {
        loaded = g_new0(struct loaded, 1);
        g_hash_table_insert(all, g_strdup(path), loaded);
    }
    if (bounds != NULL && loaded->variables != bounds[0]) { /* it is loaded afresh */
        loaded->variables = bounds[0];
        loaded->bytes = (size_t)(bounds[1] - bounds[0]);
        g_free(loaded->initial);
        loaded->initial = g_memdup2(loaded->variables, loaded->bytes);
    } else if (loaded->bytes > 0) {
        memcpy(loaded->variables, loaded->initial, loaded->bytes);
    }
    loaded->taken = true;
    g_mutex_unlock(&mutex);
    return loaded;
}

static void give_back(struct loaded *loaded)
{
    g_mutex_lock(&mutex);
    loaded->taken = false;
    g_mutex_unlock(&mutex);
}

/* The function of the program that a message of the loader names: "undefined symbol:
 * _Z3sinDv5_f", as the source has it; (transfer full), or NULL. */
static char *undefined(const char *message)
{
    static const char before[] = "undefined symbol: ";
    const char *at = strstr(message, before);
    if (at == NULL) {
        return NULL;
    }
    at += strlen(before);
    char *symbol = g_strndup(at, strcspn(at, " \n("));
    const char *name = g_str_has_prefix(symbol, "cl.") ? symbol + 3 : symbol;
    struct weiri_mangled mangled;
    char *words = weiri_mangled_parse(name, &mangled) ? weiri_mangled_words(&mangled)
                                                      : g_strconcat(name, "()", NULL);
    g_free(symbol);
    return words;
}

struct weiri_cl_module *weiri_cl_module_load(const char *path, bool stays,
                                             GError **error)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        const char *message = dlerror();
        char *function = undefined(message);
        if (function != NULL) {
            g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_LINK,
                        "%s is declared and called, but nothing defines it", function);
        } else {
            g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                        "cannot load %s: %s", path, message);
        }
        g_free(function);
        return NULL;
    }
    const struct weiri_cl_kernel *kernels = dlsym(object, "weiri_cl_kernels");
    const char *version = dlsym(object, "weiri_cl_version");
    if (kernels == NULL || version == NULL || strcmp(version, PACKAGE_VERSION) != 0) {
        g_set_error(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER,
                    "%s was not built by Weir " PACKAGE_VERSION, path);
        dlclose(object);
        return NULL;
    }
    struct weiri_cl_module *module = g_new0(struct weiri_cl_module, 1);
    module->path = g_strdup(path);
    module->object = stays ? NULL : object;
    weiri_statics_include(kernels);
    module->kernels = kernels;
    module->loaded = take(path, object);
    while (kernels[module->n].name != NULL) {
        module->n++;
    }
    return module;
}

size_t weiri_cl_fixed(const size_t *number)
{
    return *number;
}

void *weiri_cl_array(const void *site, size_t count, size_t element_bytes)
{
    return weiri_local_array_at(count, element_bytes, site);
}

void weiri_cl_module_free(struct weiri_cl_module *module)
{
    if (module != NULL) {
        give_back(module->loaded);
        if (module->object != NULL && !weiri_symbol_used()) {
            weiri_statics_exclude(module->kernels);
            dlclose(module->object);
        }
        g_free(module->path);
        g_free(module);
    }
}

size_t weiri_cl_module_variables(const struct weiri_cl_module *module)
{
    return module->loaded->bytes;
}

const char *weiri_cl_module_path(const struct weiri_cl_module *module)
{
    return module->path;
}

const struct weiri_cl_kernel *weiri_cl_module_kernels(
    const struct weiri_cl_module *module, size_t *n)
{
    *n = module->n;
    return module->kernels;
}

const struct weiri_cl_kernel *weiri_cl_module_kernel(
    const struct weiri_cl_module *module, const char *name)
{
    for (size_t i = 0; i < module->n; i++) {
        if (strcmp(module->kernels[i].name, name) == 0) {
            return &module->kernels[i];
        }
    }
    return NULL;
}
