/* SPDX-License-Identifier: MIT
 *
 * list.c: see list.h. A kernel is shown with its parameters as the source declares
 * them, each beside the --arg that it takes, and with a line to type:
 *
 *     sum.cl:tree
 *       global const int *in  --arg 'int[N]'
 *       local int *part       --arg 'local[BYTES]'
 *       weir check sum.cl:tree --global N --arg 'int[N]' --arg 'local[BYTES]'
 *
 * A pipe or a queue has no such form: a program makes one. */
#include "config.h"

#include "opencl/run/list.h"

#include <string.h>

#include "opencl/compile/tools.h"
#include "opencl/run/spec.h"

/* ---- Text ------------------------------------------------------------------------ */

static const char *space_of(const struct weiri_cl_parameter *p)
{
    switch (p->kind) {
    case WEIRI_CL_GLOBAL:
        return "global ";
    case WEIRI_CL_CONSTANT:
        return "constant ";
    case WEIRI_CL_LOCAL:
        return "local ";
    default:
        return "";
    }
}

char *weiri_cl_list_declaration(const struct weiri_cl_parameter *p)
{
    /* clang counts `constant` as const. Restrict is a promise, and no help here. */
    bool is_const
        = p->kind != WEIRI_CL_CONSTANT && strstr(p->qualifiers, "const") != NULL;
    bool is_volatile = strstr(p->qualifiers, "volatile") != NULL;
    bool accessed = strcmp(p->access, "none") != 0;
    size_t length = strcspn(p->type_name, "*");
    return g_strdup_printf("%s%s%s%s%s%.*s %s%s", space_of(p), is_const ? "const " : "",
                           is_volatile ? "volatile " : "", accessed ? p->access : "",
                           accessed ? " " : "", (int)length, p->type_name,
                           p->type_name + length, p->name);
}

static bool has_form(const struct weiri_cl_parameter *p)
{
    return p->kind != WEIRI_CL_PIPE && p->kind != WEIRI_CL_QUEUE;
}

static bool requires_local(const struct weiri_cl_kernel *kernel)
{
    return kernel->required_local[0] != 0;
}

/* " --global N,N --local 8,8" of as many dimensions as the kernel requires. */
static void add_sizes(GString *out, const struct weiri_cl_kernel *kernel,
                      const char *global, const char *local)
{
    const size_t *required = kernel->required_local;
    int n = requires_local(kernel) ? (required[2] > 1       ? 3
                                          : required[1] > 1 ? 2
                                                            : 1)
                                   : 1;
    g_string_append(out, " --global ");
    for (int i = 0; global == NULL && i < n; i++) {
        g_string_append(out, i == 0 ? "N" : ",N");
    }
    g_string_append(out, global != NULL ? global : "");
    if (local != NULL) {
        g_string_append_printf(out, " --local %s", local);
    } else if (global == NULL && requires_local(kernel)) {
        for (int i = 0; i < n; i++) {
            g_string_append_printf(out, "%s%zu", i == 0 ? " --local " : ",",
                                   required[i]);
        }
    }
}

char *weiri_cl_list_line(const char *file, const struct weiri_cl_kernel *kernel,
                         const char *global, const char *local)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s:%s", file, kernel->name);
    add_sizes(out, kernel, global, local);
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        g_autofree char *example = weiri_cl_spec_example(&kernel->parameters[i]);
        g_string_append_printf(out, " --arg '%s'", example);
    }
    return g_string_free(out, FALSE);
}

static void add_kernel(GString *out, const char *file,
                       const struct weiri_cl_kernel *kernel)
{
    g_string_append_printf(out, "%s:%s\n", file, kernel->name);
    GPtrArray *declarations = g_ptr_array_new_with_free_func(g_free);
    size_t widest = 0;
    bool all = true;
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        char *declaration = weiri_cl_list_declaration(&kernel->parameters[i]);
        g_ptr_array_add(declarations, declaration);
        widest = MAX(widest, strlen(declaration));
    }
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        const struct weiri_cl_parameter *p = &kernel->parameters[i];
        g_autofree char *example = weiri_cl_spec_example(p);
        g_string_append_printf(out, "  %-*s  ", (int)widest,
                               (char *)g_ptr_array_index(declarations, i));
        if (has_form(p)) {
            g_string_append_printf(out, "--arg '%s'\n", example);
        } else {
            g_string_append(out, "made by a program\n");
        }
        all = all && has_form(p);
    }
    g_ptr_array_unref(declarations);
    if (requires_local(kernel)) {
        g_string_append_printf(out, "  groups of %zu,%zu,%zu items\n",
                               kernel->required_local[0], kernel->required_local[1],
                               kernel->required_local[2]);
    }
    if (kernel->local_bytes > 0) {
        g_string_append_printf(out, "  %zu bytes of local memory\n",
                               kernel->local_bytes);
    }
    g_autofree char *line = weiri_cl_list_line(file, kernel, NULL, NULL);
    g_string_append_printf(out, "  %s%s\n",
                           all ? "weir check " : "weir check -- ./program",
                           all ? line : "");
}

/* ---- JSON ------------------------------------------------------------------------ */

static void add_json(GString *out, const char *text)
{
    g_string_append_c(out, '"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            g_string_append_printf(out, "\\%c", c);
        } else if (c < ' ') {
            g_string_append_printf(out, "\\u%04x", c);
        } else {
            g_string_append_c(out, (char)c);
        }
    }
    g_string_append_c(out, '"');
}

static void add_member(GString *out, const char *name, const char *text)
{
    g_string_append_printf(out, "\"%s\": ", name);
    if (text != NULL) {
        add_json(out, text);
    } else {
        g_string_append(out, "null");
    }
}

/* {kernel, file, parameters: [{name, declaration, type, arg}], local, local_bytes} */
static void add_json_kernel(GString *out, const char *file,
                            const struct weiri_cl_kernel *kernel)
{
    g_string_append(out, "  { ");
    add_member(out, "kernel", kernel->name);
    g_string_append(out, ", ");
    add_member(out, "file", file);
    g_string_append(out, ",\n    \"parameters\": [");
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        const struct weiri_cl_parameter *p = &kernel->parameters[i];
        g_autofree char *declaration = weiri_cl_list_declaration(p);
        g_autofree char *example = weiri_cl_spec_example(p);
        g_string_append(out, i == 0 ? "\n      { " : ",\n      { ");
        add_member(out, "name", p->name);
        g_string_append(out, ", ");
        add_member(out, "declaration", declaration);
        g_string_append(out, ", ");
        add_member(out, "type", p->type_name);
        g_string_append(out, ", ");
        add_member(out, "arg", has_form(p) ? example : NULL);
        g_string_append(out, " }");
    }
    g_string_append(out, "],\n    \"local\": ");
    if (requires_local(kernel)) {
        g_string_append_printf(out, "[%zu, %zu, %zu]", kernel->required_local[0],
                               kernel->required_local[1], kernel->required_local[2]);
    } else {
        g_string_append(out, "null");
    }
    g_string_append_printf(out, ", \"local_bytes\": %zu }", kernel->local_bytes);
}

char *weiri_cl_list_kernels(const char *file, const struct weiri_cl_kernel *kernels,
                            size_t n, bool json)
{
    GString *out = g_string_new(json ? "[\n" : NULL);
    for (size_t i = 0; i < n; i++) {
        if (json) {
            add_json_kernel(out, file, &kernels[i]);
            g_string_append(out, i + 1 < n ? ",\n" : "\n");
        } else {
            g_string_append(out, i > 0 ? "\n" : "");
            add_kernel(out, file, &kernels[i]);
        }
    }
    g_string_append(out, json ? "]\n" : "");
    return g_string_free(out, FALSE);
}

/* ---- What compiles kernels ------------------------------------------------------- */

/* "clang 14.0.6"; or %NULL. */
static char *compiler_version(const char *clang)
{
    const char *words[] = { clang, "-dumpversion", NULL };
    g_autofree char *text = NULL;
    int status;
    if (!g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                      NULL, &text, NULL, &status, NULL)
        || status != 0) {
        return NULL;
    }
    return g_strdup_printf("clang %s", g_strstrip(text));
}

/* "name  word" in the first line, and the other words below it; or a list of JSON. */
static void add_words(GString *out, const char *name, const char *words, bool json)
{
    g_auto(GStrv) each = g_strsplit(words, " ", -1);
    if (json) {
        g_string_append_printf(out, ",\n  \"%s\": [", name);
    }
    for (size_t i = 0; each[i] != NULL; i++) {
        if (json) {
            g_string_append(out, i > 0 ? ", " : "");
            add_json(out, each[i]);
        } else {
            g_string_append_printf(out, "%-11s %s\n", i == 0 ? name : "", each[i]);
        }
    }
    g_string_append(out, json ? "]" : "");
}

char *weiri_cl_list_about(const struct weiri_cl_facts *facts, bool json, GError **error)
{
    struct weiri_cl_tools tools;
    if (!weiri_cl_tools_find(&tools, error)) {
        return NULL;
    }
    g_autofree char *version = compiler_version(tools.clang);
    const struct {
        const char *name, *value;
    } rows[] = {
        { "compiler", tools.clang },  { "version", version },
        { "libclc", tools.libclc },   { "weir_cl_cc", tools.cc },
        { "builtins", tools.data },   { "cache", tools.cache },
        { "platform", "OpenCL 3.0" }, { "default", "CL1.2" },
    };
    GString *out = g_string_new(json ? "{\n" : NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (json) {
            g_string_append(out, i > 0 ? ",\n  " : "  ");
            add_member(out, rows[i].name, rows[i].value);
        } else {
            g_string_append_printf(out, "%-11s %s\n", rows[i].name,
                                   rows[i].value != NULL ? rows[i].value : "none");
        }
    }
    add_words(out, "standards", "CL1.0 CL1.1 CL1.2 CL2.0 CL3.0", json);
    add_words(out, "extensions", facts->extensions, json);
    add_words(out, "features", facts->features, json);
    g_string_append(out, json ? "\n}\n" : "");
    weiri_cl_tools_clear(&tools);
    return g_string_free(out, FALSE);
}
