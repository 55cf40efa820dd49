/* SPDX-License-Identifier: MIT
 *
 * entries.c: the entries of each kernel (template.c), and the table of kernels that the
 * library reads. */
#include "config.h"

#include "opencl-cc/kernels.h"
#include "opencl-cc/template.h"

/* ---- The table ------------------------------------------------------------ */

struct table {
    struct llvm_module *module;
    struct llvm_builder *builder;
};

static struct llvm_value *record(struct llvm_value **members, unsigned n)
{
    return llvm.ConstStructInContext(weiri_ir_context(), members, n, 0);
}

static struct llvm_value *size_of(size_t size)
{
    return weiri_ir_constant(64, size);
}

/* An array of records, which are alike; null if it is empty. */
static struct llvm_value *array_of(const struct table *table, GPtrArray *records)
{
    if (records->len == 0) {
        return llvm.ConstNull(weiri_ir_pointer());
    }
    struct llvm_value **list = (struct llvm_value **)records->pdata;
    struct llvm_value *value
        = llvm.ConstArray(llvm.TypeOf(list[0]), list, records->len);
    struct llvm_value *made
        = weiri_template_constant(table->module, value, "weiri.table");
    llvm.SetAlignment(made, 8);
    return weiri_template_pointer(table->builder, made);
}

static struct llvm_value *scalars_of(const struct table *table,
                                     const struct weiri_cl_parameter *parameter)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (size_t i = 0; i < parameter->n_scalars; i++) {
        const struct weiri_cl_scalar *of = &parameter->scalars[i];
        struct llvm_value *members[]
            = { weiri_ir_constant(32, of->offset), weiri_ir_constant(8, of->bytes),
                weiri_ir_constant(8, of->floating) };
        g_ptr_array_add(list, record(members, G_N_ELEMENTS(members)));
    }
    return array_of(table, list);
}

static struct llvm_value *parameters_of(const struct table *table,
                                        const struct weiri_cl_kernel *kernel)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        const struct weiri_cl_parameter *of = &kernel->parameters[i];
        const char *texts[] = { of->name, of->type_name, of->base_type_name, of->access,
                                of->qualifiers };
        struct llvm_value *members[12];
        for (size_t k = 0; k < G_N_ELEMENTS(texts); k++) {
            members[k] = weiri_template_text(table->module, table->builder, texts[k]);
        }
        members[5] = weiri_ir_constant(32, of->kind);
        members[6] = size_of(of->offset);
        members[7] = size_of(of->bytes);
        members[8] = size_of(of->alignment);
        members[9] = size_of(of->pointee_bytes);
        members[10] = scalars_of(table, of);
        members[11] = size_of(of->n_scalars);
        g_ptr_array_add(list, record(members, G_N_ELEMENTS(members)));
    }
    return array_of(table, list);
}

static struct llvm_value *sizes_of(const size_t sizes[3])
{
    struct llvm_value *list[]
        = { size_of(sizes[0]), size_of(sizes[1]), size_of(sizes[2]) };
    return llvm.ConstArray(weiri_ir_int(64), list, 3);
}

static struct llvm_value *row_of(const struct table *table,
                                 const struct weiri_cl_kernel *kernel)
{
    g_autofree char *symbol = g_strconcat("weiri_k_", kernel->name, NULL);
    struct llvm_value *members[] = {
        weiri_template_text(table->module, table->builder, kernel->name),
        weiri_template_pointer(table->builder,
                               llvm.GetNamedGlobal(table->module, symbol)),
        size_of(kernel->args_bytes),
        size_of(kernel->n_parameters),
        parameters_of(table, kernel),
        sizes_of(kernel->required_local),
        sizes_of(kernel->hinted_local),
        weiri_template_text(table->module, table->builder, kernel->vector_hint),
        weiri_template_text(table->module, table->builder, kernel->attributes),
        size_of(kernel->local_bytes),
        size_of(kernel->private_bytes),
        weiri_ir_constant(32, (uint64_t)kernel->uneven),
    };
    return record(members, G_N_ELEMENTS(members));
}

/* As struct weiri_cl_kernel and its like are laid out, with a row of zeros at the end.
 */
static void add_table(const struct table *table, GPtrArray *kernels)
{
    static const struct weiri_cl_kernel none;
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    struct llvm_value *last = NULL;
    for (guint i = 0; i < kernels->len; i++) {
        const struct weiri_clc_kernel *kernel = g_ptr_array_index(kernels, i);
        last = row_of(table, &kernel->kernel);
        g_ptr_array_add(rows, last);
    }
    struct llvm_type *type;
    if (last == NULL) {
        type = llvm.ArrayType(weiri_ir_int(8), sizeof(none));
        g_ptr_array_add(rows, llvm.ConstNull(type));
    } else {
        type = llvm.TypeOf(last);
        g_ptr_array_add(rows, llvm.ConstNull(type));
    }
    struct llvm_value *value
        = llvm.ConstArray(type, (struct llvm_value **)rows->pdata, rows->len);
    struct llvm_value *made
        = llvm.AddGlobal(table->module, llvm.TypeOf(value), "weiri_cl_kernels");
    llvm.SetInitializer(made, value);
    llvm.SetGlobalConstant(made, 1);
    llvm.SetAlignment(made, 8);
}

/* The table is where the template has a version. */
void weiri_clc_entries(struct llvm_module *module, GPtrArray *kernels)
{
    g_autofree struct weiri_template_kernel *list
        = g_new0(struct weiri_template_kernel, kernels->len + 1);
    for (guint i = 0; i < kernels->len; i++) {
        const struct weiri_clc_kernel *kernel = g_ptr_array_index(kernels, i);
        size_t bytes = kernel->kernel.args_bytes;
        list[i]
            = (struct weiri_template_kernel){ .symbol = kernel->kernel.name,
                                              .name = kernel->kernel.name,
                                              .file = kernel->file,
                                              .line = kernel->line,
                                              .args_bytes = bytes,
                                              .own_bytes = kernel->keeps ? bytes : 0 };
    }
    weiri_template_entries(module, list, kernels->len);
    if (llvm.GetNamedGlobal(module, "weiri_cl_version") != NULL) {
        struct llvm_builder *builder = llvm.CreateBuilderInContext(weiri_ir_context());
        const struct table table = { module, builder };
        add_table(&table, kernels);
        llvm.DisposeBuilder(builder);
    }
}
