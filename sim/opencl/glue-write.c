/* SPDX-License-Identifier: MIT
 *
 * glue-write.c: see glue-write.h. Besides the kernels, the file has a table of them,
 * which module.c finds by its name. */
#include "config.h"

#include "opencl/glue-write.h"

#include "opencl/rewrite.h"

/* A string literal; NULL as NULL. */
static void add_literal(GString *out, const char *text)
{
    char *escaped = text != NULL ? g_strescape(text, NULL) : NULL;
    if (escaped == NULL) {
        g_string_append(out, "NULL");
    } else {
        g_string_append_printf(out, "\"%s\"", escaped);
    }
    g_free(escaped);
}

static void add_sizes(GString *out, const size_t sizes[3])
{
    g_string_append_printf(out, "{ %zu, %zu, %zu }", sizes[0], sizes[1], sizes[2]);
}

static void add_kernel(GString *out, const struct weiri_rewrite_kernel *about)
{
    const struct weiri_cl_kernel *kernel = &about->kernel;
    const char *name = kernel->name;
    g_string_append_printf(out, "\n#define weiri_k_%s__name \"%s\"\n", name, name);
    g_string_append_printf(out, "#define weiri_k_%s__file ", name);
    add_literal(out, about->file);
    g_string_append_printf(out, "\n#define weiri_k_%s__line %u\n", name, about->line);
    if (about->keeps) {
        g_string_append_printf(out,
                               "#define weiri_k_%s__own_bytes %zu\n"
                               "void weiri_k_%s__keep(const void *block);\n",
                               name, kernel->args_bytes, name);
    } else {
        g_string_append_printf(out,
                               "#define weiri_k_%s__own_bytes 0\n"
                               "#define weiri_k_%s__keep(block) (void)(block)\n",
                               name, name);
    }
    g_string_append_printf(
        out,
        "struct weiri_k_%s__args {\n    _Alignas(16) unsigned char bytes[%zu];\n};\n"
        "void weiri_k_%s__cl(struct weir_item *item, const void *block);\n"
        "WEIRI_CL_MAY_LACK(weiri_k_%s)\n"
        "WEIR_KERNEL(weiri_k_%s, struct weiri_k_%s__args)\n"
        "{\n    weiri_k_%s__cl(item, WEIRI_CL_BLOCK(item, args));\n}\n",
        name, kernel->args_bytes, name, name, name, name, name);
}

static void add_scalars(GString *out, const struct weiri_cl_kernel *kernel, size_t i)
{
    const struct weiri_cl_parameter *parameter = &kernel->parameters[i];
    if (parameter->n_scalars == 0) {
        return;
    }
    g_string_append_printf(
        out, "static const struct weiri_cl_scalar weiri_k_%s__scalars_%zu[] = {",
        kernel->name, i);
    for (size_t k = 0; k < parameter->n_scalars; k++) {
        const struct weiri_cl_scalar *scalar = &parameter->scalars[k];
        g_string_append_printf(out, " { %u, %u, %u },", scalar->offset, scalar->bytes,
                               scalar->floating);
    }
    g_string_append(out, " };\n");
}

static void add_parameters(GString *out, const struct weiri_cl_kernel *kernel)
{
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        add_scalars(out, kernel, i);
    }
    g_string_append_printf(
        out, "static const struct weiri_cl_parameter weiri_k_%s__parameters[] = {\n",
        kernel->name);
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        const struct weiri_cl_parameter *parameter = &kernel->parameters[i];
        const char *texts[]
            = { parameter->name, parameter->type_name, parameter->base_type_name,
                parameter->access, parameter->qualifiers };
        g_string_append(out, "    { ");
        for (size_t j = 0; j < G_N_ELEMENTS(texts); j++) {
            add_literal(out, texts[j]);
            g_string_append(out, ", ");
        }
        g_string_append_printf(out, "%d, %zu, %zu, %zu, %zu", (int)parameter->kind,
                               parameter->offset, parameter->bytes,
                               parameter->alignment, parameter->pointee_bytes);
        if (parameter->n_scalars > 0) {
            g_string_append_printf(out, ", weiri_k_%s__scalars_%zu, %zu", kernel->name,
                                   i, parameter->n_scalars);
        }
        g_string_append(out, " },\n");
    }
    g_string_append(out, "    { 0 },\n};\n");
}

static void add_row(GString *out, const struct weiri_cl_kernel *kernel)
{
    g_string_append_printf(
        out, "    { \"%s\", &weiri_k_%s, %zu, %zu, weiri_k_%s__parameters, ",
        kernel->name, kernel->name, kernel->args_bytes, kernel->n_parameters,
        kernel->name);
    add_sizes(out, kernel->required_local);
    g_string_append(out, ", ");
    add_sizes(out, kernel->hinted_local);
    g_string_append(out, ", ");
    add_literal(out, kernel->vector_hint);
    g_string_append(out, ", ");
    add_literal(out, kernel->attributes);
    g_string_append_printf(out, ", %zu, %zu, %d },\n", kernel->local_bytes,
                           kernel->private_bytes, kernel->uneven);
}

char *weiri_glue_write(const GArray *kernels, const char *version)
{
    GString *out = g_string_new("#include \"glue.inc\"\n");
    for (guint i = 0; i < kernels->len; i++) {
        add_kernel(out, &g_array_index(kernels, struct weiri_rewrite_kernel, i));
    }
    g_string_append(out, "\n#if WEIRI_CL_TABLE\n");
    for (guint i = 0; i < kernels->len; i++) {
        add_parameters(out,
                       &g_array_index(kernels, struct weiri_rewrite_kernel, i).kernel);
    }
    g_string_append(out, "const struct weiri_cl_kernel weiri_cl_kernels[] = {\n");
    for (guint i = 0; i < kernels->len; i++) {
        add_row(out, &g_array_index(kernels, struct weiri_rewrite_kernel, i).kernel);
    }
    /* Before the variables of the sources, which are linked later: a symbol of the
     * linker's at their start would hide the name of the first. */
    g_string_append(out,
                    "    { 0 },\n};\n"
                    "static __attribute__((section(\"weiri_cl_globals\"), used,\n"
                    "    aligned(16))) char first[16];\n"
                    "extern __attribute__((visibility(\"hidden\"))) char\n"
                    "    __stop_weiri_cl_globals[];\n"
                    "char *const weiri_cl_variables[]\n"
                    "    = { first + sizeof(first), __stop_weiri_cl_globals };\n"
                    "const char weiri_cl_version[] = ");
    add_literal(out, version);
    g_string_append(out, ";\n#endif\n");
    return g_string_free(out, FALSE);
}
