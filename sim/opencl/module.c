/* SPDX-License-Identifier: MIT
 *
 * module.c: a shared object of kernels that is loaded, by the table that glue-write.c
 * puts into it. An object with checked entries stays loaded: findings have its sites,
 * and symbols of its code are looked up after the launch. One with fast entries alone
 * is unloaded with its module, since a process that builds thousands of programs would
 * meet the system's limit of mappings. It stays, too, where the process has looked up a
 * symbol: the results are kept by address, and the next object could have the same. */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "exec/statics.h"
#include "opencl/mangled.h"
#include "opencl/opencl.h"
#include "report/symbol.h"
#include "weir-kernel.h"

struct weiri_cl_module {
    char *path;
    void *object;                          /* of dlopen(); NULL: it stays loaded */
    const struct weiri_cl_kernel *kernels; /* in the object */
    size_t n;
};

/* What of a message of the loader names a function of the program: "undefined symbol:
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
        if (module->object != NULL && !weiri_symbol_used()) {
            weiri_statics_exclude(module->kernels);
            dlclose(module->object);
        }
        g_free(module->path);
        g_free(module);
    }
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
