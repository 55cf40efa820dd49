/* SPDX-License-Identifier: MIT
 *
 * opencl-text.c: see opencl-text.h. Regular expressions over the text of one function:
 * a wrong guess is a change that does not compile, or that the trial refuses. */
#include "config.h"

#include "repair/opencl-text.h"

#include "repair/kernel-names.h"

#include <string.h>

/* Returns: (transfer full) */
static char *flags_of(const char *space)
{
    const char *const flags[] = { "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE" };
    return g_strcmp0(space, "local") == 0 ? g_strdup(flags[0])
        : g_strcmp0(space, "global") == 0 ? g_strdup(flags[1])
                                          : g_strjoin(" | ", flags[0], flags[1], NULL);
}

char *weiri_opencl_barrier(const struct weiri_source *source, const char *space)
{
    /* Both names are of OpenCL C 2.0 and later; the source states which it prefers. */
    bool longer = strstr(weiri_source_text(source, NULL), "work_group_barrier") != NULL;
    g_autofree char *flags = flags_of(space);
    return g_strdup_printf("%s(%s)", longer ? "work_group_barrier" : "barrier", flags);
}

/* ---- Atomics --------------------------------------------------------------------- */

/* The atomic types for the types of the language; the last ones cannot be added. */
static const struct {
    const char *type, *atomic;
    enum { WORD, LONG_WORD, REAL } kind;
} types[] = {
    { "int", "atomic_int", WORD },
    { "uint", "atomic_uint", WORD },
    { "unsigned", "atomic_uint", WORD },
    { "unsigned int", "atomic_uint", WORD },
    { "signed int", "atomic_int", WORD },
    { "long", "atomic_long", LONG_WORD },
    { "ulong", "atomic_ulong", LONG_WORD },
    { "unsigned long", "atomic_ulong", LONG_WORD },
    { "size_t", "atomic_size_t", LONG_WORD },
    { "float", "atomic_float", REAL },
    { "double", "atomic_double", REAL },
};

/* A pointer to what the expression names. Returns: (transfer full) */
static char *pointer_to(const char *lvalue)
{
    char *pointer = weiri_names_match("^\\*\\s*([A-Za-z_]\\w*(?:(?:->|\\.)\\w+)*)$",
                                      NULL, lvalue);
    return pointer != NULL ? pointer : g_strconcat("&", lvalue, NULL);
}

static bool states_orders(const struct weiri_opencl_atomic *atomic)
{
    return atomic->version >= 200
        || strstr(weiri_source_text(atomic->source, NULL), "memory_order_") != NULL;
}

/* The same as a pointer to an atomic type. Returns: (transfer full): or NULL where the
 * type is not known; @real: (out): it is a floating one */
static char *atomic_pointer(const struct weiri_opencl_atomic *atomic,
                            const char *lvalue, bool *real)
{
    const char *text = weiri_source_text(atomic->source, NULL);
    g_autofree char *type
        = weiri_names_type_of(atomic->source, atomic->function, lvalue);
    g_autofree char *pointer = pointer_to(lvalue);
    *real = false;
    if (type != NULL && g_str_has_prefix(type, "atomic_")) {
        return g_steal_pointer(&pointer);
    }
    bool underscored = g_regex_match_simple("\\b__(?:global|local)\\b", text, 0, 0);
    for (size_t i = 0; type != NULL && i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].type, type) == 0) {
            *real = types[i].kind == REAL;
            return g_strdup_printf("(volatile %s%s %s *)%s", underscored ? "__" : "",
                                   g_strcmp0(atomic->space, "local") == 0 ? "local"
                                                                          : "global",
                                   types[i].atomic, pointer);
        }
    }
    return NULL;
}

char *weiri_opencl_update(const struct weiri_opencl_atomic *atomic, const char *lvalue,
                          const char *name, const char *value)
{
    g_autofree char *type
        = weiri_names_type_of(atomic->source, atomic->function, lvalue);
    bool step = value == NULL || *value == '\0';
    bool real;
    g_autofree char *typed = atomic_pointer(atomic, lvalue, &real);
    if (real) {
        return NULL;
    }
    if (typed != NULL && states_orders(atomic)) {
        return g_strdup_printf(
            "atomic_fetch_%s_explicit(%s, %s, memory_order_%s, memory_scope_%s)", name,
            typed, step ? "1" : value, atomic->order, atomic->scope);
    }
    const char *prefix = "atomic";
    for (size_t i = 0; type != NULL && i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].type, type) == 0 && types[i].kind == LONG_WORD) {
            prefix = "atom";
        }
    }
    g_autofree char *pointer = pointer_to(lvalue);
    return step
        ? g_strdup_printf("%s_%s(%s)", prefix, *name == 'a' ? "inc" : "dec", pointer)
        : g_strdup_printf("%s_%s(%s, %s)", prefix, name, pointer, value);
}

char *weiri_opencl_load(const struct weiri_opencl_atomic *atomic, const char *lvalue)
{
    bool real;
    g_autofree char *typed = atomic_pointer(atomic, lvalue, &real);
    if (typed != NULL && states_orders(atomic)) {
        return g_strdup_printf(
            "atomic_load_explicit(%s, memory_order_%s, memory_scope_%s)", typed,
            atomic->order, atomic->scope);
    }
    g_autofree char *pointer = pointer_to(lvalue);
    return real ? NULL : g_strdup_printf("atomic_or(%s, 0)", pointer);
}

char *weiri_opencl_fence(const char *order, const char *scope, const char *space)
{
    g_autofree char *flags = flags_of(space);
    return g_strdup_printf(
        "atomic_work_item_fence(%s, memory_order_%s, memory_scope_%s)", flags, order,
        scope);
}

/* ---- Calls ----------------------------------------------------------------------- */

char *weiri_opencl_type_of(const struct weiri_source *source, uint32_t function,
                           const struct weiri_call *call)
{
    g_autofree char *name = weiri_text_of(source, call->name);
    if (g_str_has_suffix(name, "_any") || g_str_has_suffix(name, "_all")) {
        return g_strdup("int");
    }
    g_autofree char *value = call->n_arguments > 0
        ? weiri_text_of(source, call->arguments[0])
        : g_strdup("");
    char *type = weiri_names_type_of(source, function, value);
    return type != NULL ? type : g_strdup_printf("__typeof__(%s)", value);
}
