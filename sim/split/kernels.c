/* SPDX-License-Identifier: MIT
 *
 * kernels.c: see kernels.h.
 *
 * In C a part is called K__PART. In C++ it is a member kernel__PART of a class
 * weiri::split_entries<F>, so that its symbol is _ZN5weiri13split_entriesI...E, the
 * length of the member's name, and that name; F, which may itself have such a name in
 * it, is the kernel. */
#include "config.h"

#include "split/kernels.h"

#include <string.h>

static const char mangled[] = "_ZN5weiri13split_entriesI";
static const char member[] = "kernel__";

/* Sets @length to the length of the kernel's own part of a symbol. Returns: the name of
 * the part, of @n letters, or NULL */
static const char *part_of(const char *symbol, size_t *length, size_t *n)
{
    if (g_str_has_prefix(symbol, mangled)) {
        /* The last one is the member; those before it are in F. */
        const char *last = NULL;
        for (const char *at = strstr(symbol, member); at != NULL;
             at = strstr(at + 1, member)) {
            last = g_ascii_isdigit(at[-1]) ? at : last;
        }
        if (last == NULL) {
            return NULL;
        }
        const char *digits = last;
        while (g_ascii_isdigit(digits[-1])) {
            digits--;
        }
        *length = (size_t)(digits - symbol);
        size_t whole = (size_t)g_ascii_strtoull(digits, NULL, 10);
        if (whole > strlen(last)) {
            return NULL;
        }
        *n = whole - strlen(member);
        return last + strlen(member);
    }
    const char *dot = strchr(symbol, '.');
    size_t end = dot != NULL ? (size_t)(dot - symbol) : strlen(symbol);
    for (size_t at = end; at > 2; at--) {
        if (memcmp(symbol + at - 2, "__", 2) == 0) {
            *length = at - 2;
            *n = end - at;
            return symbol + at;
        }
    }
    return NULL;
}

static bool is_part(const char *part, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(part, name, n) == 0;
}

static struct weiri_kernel *kernel_of(GHashTable *kernels, const char *symbol,
                                      size_t length)
{
    g_autofree char *own = g_strndup(symbol, length);
    return g_hash_table_lookup(kernels, own);
}

static void add_kernel(GHashTable *kernels, GPtrArray *list, const char *symbol,
                       size_t length)
{
    char *own = g_strndup(symbol, length);
    struct weiri_kernel *kernel = g_new0(struct weiri_kernel, 1);
    kernel->name = g_str_has_prefix(own, mangled) ? g_strdup_printf("weir%u", list->len)
                                                  : g_strdup(own);
    kernel->called = own;
    g_hash_table_insert(kernels, own, kernel);
    g_ptr_array_add(list, kernel);
}

static void add_part(GHashTable *kernels, struct llvm_value *global)
{
    size_t length, n, of_name;
    const char *symbol = llvm.GetValueName2(global, &of_name);
    const char *part = part_of(symbol, &length, &n);
    struct weiri_kernel *kernel
        = part == NULL ? NULL : kernel_of(kernels, symbol, length);
    if (kernel == NULL || strchr(symbol, '.') != NULL) {
        return;
    }
#define WEIRI_SET(field, text)                                                         \
    if (is_part(part, n, text)) {                                                      \
        kernel->field = global;                                                        \
    }
    WEIRI_SPLIT_PARTS(WEIRI_SET)
#undef WEIRI_SET
}

static void free_kernel(void *data)
{
    struct weiri_kernel *kernel = data;
    g_free(kernel->name);
    g_free(kernel->called);
    g_free(kernel);
}

GPtrArray *weiri_kernels_find(struct llvm_module *module)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(free_kernel);
    g_autoptr(GHashTable) kernels = g_hash_table_new(g_str_hash, g_str_equal);
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        size_t length, n, of_name;
        const char *symbol = llvm.GetValueName2(f, &of_name);
        const char *part = part_of(symbol, &length, &n);
        if (!llvm.IsDeclaration(f) && part != NULL && is_part(part, n, "split_item")
            && strchr(symbol, '.') == NULL) {
            add_kernel(kernels, list, symbol, length);
        }
    }
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        add_part(kernels, f);
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        add_part(kernels, g);
    }
    return list;
}

/* @global: K__PART of the kernel, or a form of it, whose name has more after a dot */
static void rename_part(GPtrArray *kernels, struct llvm_value *global)
{
    size_t length, n, of_name;
    const char *symbol = llvm.GetValueName2(global, &of_name);
    const char *part = part_of(symbol, &length, &n);
    const char *form = strchr(symbol + (part == NULL ? 0 : part - symbol), '.');
    for (guint i = 0; part != NULL && i < kernels->len; i++) {
        struct weiri_kernel *kernel = g_ptr_array_index(kernels, i);
        if (strlen(kernel->called) == length
            && memcmp(kernel->called, symbol, length) == 0) {
            g_autofree char *name = g_strdup_printf("%s__%.*s%s", kernel->name, (int)n,
                                                    part, form == NULL ? "" : form);
            llvm.SetValueName2(global, name, strlen(name));
            return;
        }
    }
}

void weiri_kernels_rename(struct llvm_module *module, GPtrArray *kernels)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        rename_part(kernels, f);
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        rename_part(kernels, g);
    }
    for (struct llvm_value *i = llvm.GetFirstGlobalIFunc(module); i != NULL;
         i = llvm.GetNextGlobalIFunc(i)) {
        rename_part(kernels, i);
    }
}

bool weiri_kernel_has(const struct weiri_kernel *kernel, const char *function,
                      const char *part)
{
    size_t length, n;
    const char *found = part_of(function, &length, &n);
    return found != NULL && is_part(found, n, part) && strlen(kernel->name) == length
        && memcmp(kernel->name, function, length) == 0;
}
