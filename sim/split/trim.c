/* SPDX-License-Identifier: MIT
 *
 * trim.c: see trim.h.
 *
 * The stackless entries of a source are an object of their own, which is added to the
 * whole source's object. Variables with external linkage stay in the whole source's
 * object. Functions are doubled, so that they become parts of the entries. A static
 * variable that is written would be two, so kernels that use one are refused. That
 * holds also if only the kernels write it, or only other code: LLVM, which sees the
 * kernels alone, would take the store for one whose value nothing reads, or the value
 * for known. */
#include "config.h"

#include "split/trim.h"

#include <string.h>

static bool is_kept(GPtrArray *kernels, const struct llvm_value *global)
{
    for (guint i = 0; i < kernels->len; i++) {
        if (((struct weiri_kernel *)g_ptr_array_index(kernels, i))->form == global) {
            return true;
        }
    }
    return false;
}

static void make_internal(struct llvm_value *global)
{
    llvm.SetVisibility(global, 0);
    llvm.SetLinkage(global, LLVM_INTERNAL);
}

/* Another definition may be the one that counts. */
static bool is_weak(int linkage)
{
    return linkage == LLVM_WEAK_ANY || linkage == LLVM_LINK_ONCE_ANY;
}

/* Weir's own, of which calls are still to be made. */
static bool is_wanted(GPtrArray *kernels, const struct llvm_value *function)
{
    for (guint i = 0; i < kernels->len; i++) {
        if (((struct weiri_kernel *)g_ptr_array_index(kernels, i))->item == function) {
            return true;
        }
    }
    return false;
}

static void trim_functions(struct llvm_module *module, GPtrArray *kernels)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        int linkage = llvm.GetLinkage(f);
        if (llvm.IsDeclaration(f) || linkage == LLVM_AVAILABLE_EXTERNALLY
            || is_weak(linkage)) {
            continue;
        }
        llvm.SetComdat(f, NULL);
        if (is_wanted(kernels, f)) {
            llvm.SetLinkage(f, LLVM_EXTERNAL);
        } else {
            make_internal(f);
        }
    }
    for (struct llvm_value *a = llvm.GetFirstGlobalAlias(module); a != NULL;
         a = llvm.GetNextGlobalAlias(a)) {
        if (!is_weak(llvm.GetLinkage(a))) {
            make_internal(a);
        }
    }
    for (struct llvm_value *i = llvm.GetFirstGlobalIFunc(module); i != NULL;
         i = llvm.GetNextGlobalIFunc(i)) {
        make_internal(i);
    }
}

/* Code that runs at a program's start runs once: the whole source has it. */
static void delete_lists(struct llvm_module *module)
{
    static const char *const lists[] = { "llvm.global_ctors", "llvm.global_dtors",
                                         "llvm.used", "llvm.compiler.used" };
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        struct llvm_value *list = llvm.GetNamedGlobal(module, lists[i]);
        if (list != NULL) {
            llvm.DeleteGlobal(list);
        }
    }
}

void weiri_trim(struct llvm_module *module, GPtrArray *kernels)
{
    delete_lists(module);
    trim_functions(module, kernels);
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (llvm.IsDeclaration(g)) {
            continue;
        }
        int linkage = llvm.GetLinkage(g);
        if (is_kept(kernels, g)) {
            llvm.SetComdat(g, NULL);
            llvm.SetVisibility(g, 0);
            llvm.SetLinkage(g, LLVM_EXTERNAL);
        } else if (linkage == LLVM_EXTERNAL || linkage == LLVM_COMMON) {
            llvm.SetComdat(g, NULL);
            llvm.SetLinkage(g, LLVM_AVAILABLE_EXTERNALLY);
        }
    }
}

/* Weir's own variables and the variables of the compiler's instrumentation do not
 * count. */
static bool matters(const char *name)
{
    static const char *const but[]
        = { "weiri_", "_ZGV", "__gcov", "__llvm", "__prof", "__sancov" };
    for (size_t i = 0; i < G_N_ELEMENTS(but); i++) {
        if (g_str_has_prefix(name, but[i])) {
            return false;
        }
    }
    return true;
}

/* A name without the number that the compiler has added. */
static char *source_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool number = dot != NULL && dot[1] != '\0';
    for (const char *c = dot; number && *++c != '\0';) {
        number = g_ascii_isdigit(*c);
    }
    return number ? g_strndup(name, (gsize)(dot - name)) : g_strdup(name);
}

/* A variable of the source that one file alone knows, and that may be written. */
static bool is_static(struct llvm_value *global)
{
    int linkage = llvm.GetLinkage(global);
    size_t length;
    return !llvm.IsDeclaration(global) && !llvm.IsGlobalConstant(global)
        && (linkage == LLVM_INTERNAL || linkage == LLVM_PRIVATE)
        && matters(llvm.GetValueName2(global, &length));
}

GPtrArray *weiri_trim_keep_statics(struct llvm_module *module)
{
    GPtrArray *kept = g_ptr_array_new();
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (is_static(g)) {
            size_t length;
            g_ptr_array_add(kept, g_strdup(llvm.GetValueName2(g, &length)));
            llvm.SetLinkage(g, LLVM_EXTERNAL);
        }
    }
    return kept;
}

void weiri_trim_free_statics(struct llvm_module *module, GPtrArray *kept)
{
    for (guint i = 0; i < kept->len; i++) {
        struct llvm_value *g = llvm.GetNamedGlobal(module, g_ptr_array_index(kept, i));
        if (g != NULL) {
            make_internal(g);
        }
        g_free(g_ptr_array_index(kept, i));
    }
    g_ptr_array_unref(kept);
}

char *weiri_trim_statics(struct llvm_module *module, unsigned *n)
{
    GString *names = g_string_new(NULL);
    *n = 0;
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (is_static(g)) {
            size_t length;
            g_autofree char *name = source_name(llvm.GetValueName2(g, &length));
            g_string_append_printf(names, "%s'%s'", names->len == 0 ? "" : ", ", name);
            (*n)++;
        }
    }
    return g_string_free(names, names->len == 0);
}
