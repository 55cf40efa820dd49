/* SPDX-License-Identifier: MIT
 *
 * rewrite-kernel.c: what is known of a kernel, and the function by which C calls it:
 *
 *     weiri_k_NAME__cl(item, arguments)
 *
 * reads the arguments from their block, whose layout is decided here, and calls the
 * kernel. In checked code it is a function of its own, without hooks.
 *
 * A group that runs without stacks has a block of its own. Behind the arguments are the
 * addresses of the group's arrays of local memory, which
 *
 *     weiri_k_NAME__keep(block)
 *
 * puts there: items read them as they read arguments. A kernel that another function
 * calls, or that is linked with others, has no such block: its items ask for each
 * array. */
#include "config.h"

#include "opencl/members.h"
#include "opencl/rewriter.h"

#include <string.h>

/* Blocks are aligned so, whatever is in them: it is what allocators give. */
enum { BLOCK_ALIGNMENT = 16 };

/* ---- Metadata of kernels ------------------------------------------------ */

/* The strings of !{!"int*", !"float4"}. */
static GPtrArray *strings_of(const char *node)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    const char *at = node != NULL ? strchr(node, '{') : NULL;
    while (at != NULL && (at = strstr(at, "!\"")) != NULL) {
        const char *end = strchr(at + 2, '"');
        if (end == NULL) {
            break;
        }
        g_ptr_array_add(list, g_strndup(at + 2, (gsize)(end - at - 2)));
        at = end + 1;
    }
    return list;
}

/* The numbers of !{i32 1, i32 0}, at most @n. Returns: how many */
static size_t numbers_of(const char *node, size_t *numbers, size_t n)
{
    size_t count = 0;
    const char *at = node;
    while (at != NULL && count < n && (at = strstr(at, "i32 ")) != NULL) {
        at += strlen("i32 ");
        numbers[count++] = g_ascii_strtoull(at, NULL, 10);
    }
    return count;
}

static const char *string_at(GPtrArray *list, guint index, const char *otherwise)
{
    return index < list->len ? g_ptr_array_index(list, index) : otherwise;
}

/* Size of "float4" or "int __attribute__((ext_vector_type(3)))"; 0 of other types. */
static size_t bytes_of_name(const char *name)
{
    static const struct {
        const char *name;
        size_t bytes;
    } words[]
        = { { "char", 1 },           { "uchar", 1 },        { "short", 2 },
            { "ushort", 2 },         { "int", 4 },          { "uint", 4 },
            { "long", 8 },           { "ulong", 8 },        { "half", 2 },
            { "float", 4 },          { "double", 8 },       { "unsigned char", 1 },
            { "unsigned short", 2 }, { "unsigned int", 4 }, { "unsigned long", 8 } };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        size_t length = strlen(words[i].name);
        if (strncmp(name, words[i].name, length) != 0) {
            continue;
        }
        const char *rest = name + length;
        const char *in = strstr(rest, "ext_vector_type(");
        rest = in != NULL ? in + strlen("ext_vector_type(") : rest;
        if (*rest == '\0') {
            return words[i].bytes;
        }
        size_t n = g_ascii_strtoull(rest, NULL, 10);
        if (n > 0) {
            return words[i].bytes * (n == 3 ? 4 : n);
        }
    }
    return 0;
}

/* The size of what a pointer parameter points to, from the debug information. */
static size_t bytes_of_pointee(const struct weiri_ir_tables *tables,
                               const char *subprogram, guint index)
{
    const char *types
        = weiri_ir_node(tables, weiri_ir_node(tables, subprogram, "type"), "types");
    const char *open = types != NULL ? strchr(types, '{') : NULL;
    if (open == NULL) {
        return 0;
    }
    GPtrArray *list = weiri_ir_list(open + 1, weiri_ir_skip(open) - 1);
    const char *type = index + 1 < list->len
        ? g_hash_table_lookup(tables->metadata, g_ptr_array_index(list, index + 1))
        : NULL;
    bool through = false;
    for (int i = 0; i < 20 && type != NULL; i++) { /* typedefs and qualifiers */
        char *size = weiri_ir_field(type, "size");
        bool pointer = strstr(type, "DW_TAG_pointer_type") != NULL;
        size_t bits = size != NULL ? g_ascii_strtoull(size, NULL, 10) : 0;
        g_free(size);
        if (through && bits > 0) {
            g_ptr_array_unref(list);
            return bits / 8;
        }
        through |= pointer;
        type = weiri_ir_node(tables, type, "baseType");
    }
    g_ptr_array_unref(list);
    return 0;
}

/* ---- Parameters ------------------------------------------------------------ */

static enum weiri_cl_kind kind_of(const char *type, const char *base,
                                  const char *qualifiers, size_t space)
{
    if (strcmp(base, "sampler_t") == 0) {
        return WEIRI_CL_SAMPLER;
    }
    if (strstr(qualifiers, "pipe") != NULL) {
        return WEIRI_CL_PIPE;
    }
    if (g_str_has_prefix(base, "image") && g_str_has_suffix(base, "_t")) {
        return WEIRI_CL_IMAGE;
    }
    if (strcmp(base, "queue_t") == 0) {
        return WEIRI_CL_QUEUE;
    }
    if (strcmp(type, "ptr") != 0 && !g_str_has_suffix(type, "*")) {
        return WEIRI_CL_VALUE;
    }
    return space == 3 ? WEIRI_CL_LOCAL
        : space == 2  ? WEIRI_CL_CONSTANT
                      : WEIRI_CL_GLOBAL;
}

/* "%struct.S" of byval(%struct.S), and else of the type; (transfer full). */
static char *value_type(const struct weiri_ir_operand *operand)
{
    static const char by[] = "byval(";
    const char *at = strstr(operand->attributes, by);
    if (at == NULL) {
        return g_strdup(operand->type);
    }
    at += strlen(by);
    return g_strndup(at, (gsize)(weiri_ir_type_end(at) - at));
}

/* The strings that metadata has for all parameters. */
struct named {
    GPtrArray *types, *bases, *names, *access, *qualifiers;
    size_t spaces[256];
};

static void describe(struct weiri_rewriter *rewriter, struct weiri_cl_parameter *to,
                     const struct weiri_ir_operand *operand, const struct named *named,
                     guint index, size_t *at)
{
    char *type = value_type(operand), *unnamed = g_strdup_printf("argument %u", index);
    *to = (struct weiri_cl_parameter){
        .name = g_strdup(string_at(named->names, index, unnamed)),
        .type_name = g_strdup(string_at(named->types, index, type)),
        .base_type_name = g_strdup(string_at(named->bases, index, type)),
        .access = g_strdup(string_at(named->access, index, "none")),
        .qualifiers = g_strdup(string_at(named->qualifiers, index, "")),
        .bytes = sizeof(void *),
        .alignment = sizeof(void *),
    };
    bool by_value = strstr(operand->attributes, "byval(") != NULL;
    to->kind = by_value ? WEIRI_CL_VALUE
                        : kind_of(operand->type, to->base_type_name, to->qualifiers,
                                  index < 256 ? named->spaces[index] : 0);
    size_t bytes = sizeof(void *), alignment = sizeof(void *);
    if (to->kind == WEIRI_CL_VALUE) {
        (void)weiri_ir_layout(&rewriter->tables, type, &bytes, &alignment);
        to->bytes = bytes;
        to->alignment = alignment;
        GArray *scalars
            = weiri_cl_members(&rewriter->tables, rewriter->subprogram, index);
        to->n_scalars = scalars->len;
        to->scalars
            = (const struct weiri_cl_scalar *)(void *)g_array_free(scalars, FALSE);
    } else if (to->kind == WEIRI_CL_GLOBAL || to->kind == WEIRI_CL_CONSTANT
               || to->kind == WEIRI_CL_LOCAL) {
        char *of = g_strndup(to->base_type_name, strcspn(to->base_type_name, "*"));
        to->alignment = to->pointee_bytes = bytes_of_name(of);
        if (to->pointee_bytes == 0) {
            to->alignment = 1;
            to->pointee_bytes
                = bytes_of_pointee(&rewriter->tables, rewriter->subprogram, index);
        }
        g_free(of);
    }
    alignment = MIN(alignment, BLOCK_ALIGNMENT);
    *at = (*at + alignment - 1) / alignment * alignment;
    to->offset = *at;
    *at += bytes;
    g_free(type);
    g_free(unnamed);
}

static size_t round_up(size_t bytes)
{
    return (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

static void read_parameters(struct weiri_rewriter *rewriter,
                            const struct weiri_ir_call *header, const char *line,
                            struct weiri_cl_kernel *kernel)
{
    const struct weiri_ir_tables *tables = &rewriter->tables;
    struct named named = {
        strings_of(weiri_ir_attached(tables, line, "kernel_arg_type")),
        strings_of(weiri_ir_attached(tables, line, "kernel_arg_base_type")),
        strings_of(weiri_ir_attached(tables, line, "kernel_arg_name")),
        strings_of(weiri_ir_attached(tables, line, "kernel_arg_access_qual")),
        strings_of(weiri_ir_attached(tables, line, "kernel_arg_type_qual")),
        { 0 },
    };
    (void)numbers_of(weiri_ir_attached(tables, line, "kernel_arg_addr_space"),
                     named.spaces, G_N_ELEMENTS(named.spaces));
    size_t n = header->operands->len, at = sizeof(struct weiri_cl_launch);
    struct weiri_cl_parameter *parameters = g_new0(struct weiri_cl_parameter, n + 1);
    for (guint i = 0; i < n; i++) {
        describe(rewriter, &parameters[i],
                 &g_array_index(header->operands, struct weiri_ir_operand, i), &named,
                 i, &at);
    }
    kernel->parameters = parameters;
    kernel->n_parameters = n;
    kernel->args_bytes = round_up(at);
    g_ptr_array_unref(named.types);
    g_ptr_array_unref(named.bases);
    g_ptr_array_unref(named.names);
    g_ptr_array_unref(named.access);
    g_ptr_array_unref(named.qualifiers);
}

/* "float4" of !{<4 x float> undef, i32 0}, whose number says whether integers have a
 * sign; (transfer full), or NULL. */
static char *hint_of(const char *node)
{
    static const struct {
        const char *type, *with_sign, *without;
    } words[] = { { "i8", "char", "uchar" },       { "i16", "short", "ushort" },
                  { "i32", "int", "uint" },        { "i64", "long", "ulong" },
                  { "half", "half", "half" },      { "float", "float", "float" },
                  { "double", "double", "double" } };
    const char *at = node != NULL ? strchr(node, '{') : NULL;
    if (at == NULL) {
        return NULL;
    }
    at++;
    size_t n = 0;
    const char *element = at;
    if (*at == '<') {
        n = g_ascii_strtoull(at + 1, NULL, 10);
        element = strstr(at, " x ");
        element = element != NULL ? element + 3 : at;
    }
    bool has_sign = strstr(node, "i32 1}") != NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        size_t length = strlen(words[i].type);
        if (strncmp(element, words[i].type, length) == 0
            && strchr(" >", element[length]) != NULL) {
            const char *word = has_sign ? words[i].with_sign : words[i].without;
            return n > 1 ? g_strdup_printf("%s%zu", word, n) : g_strdup(word);
        }
    }
    return NULL;
}

static void read_attributes(struct weiri_rewriter *rewriter, const char *line,
                            struct weiri_cl_kernel *kernel)
{
    const struct weiri_ir_tables *tables = &rewriter->tables;
    GString *text = g_string_new(NULL);
    struct {
        const char *name;
        size_t *to;
    } sizes[] = { { "reqd_work_group_size", kernel->required_local },
                  { "work_group_size_hint", kernel->hinted_local } };
    kernel->vector_hint = hint_of(weiri_ir_attached(tables, line, "vec_type_hint"));
    if (kernel->vector_hint != NULL) {
        g_string_append_printf(text, "vec_type_hint(%s)", kernel->vector_hint);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if (numbers_of(weiri_ir_attached(tables, line, sizes[i].name), sizes[i].to, 3)
            == 3) {
            g_string_append_printf(text, "%s%s(%zu,%zu,%zu)", text->len > 0 ? " " : "",
                                   sizes[i].name, sizes[i].to[0], sizes[i].to[1],
                                   sizes[i].to[2]);
        }
    }
    kernel->attributes = g_string_free(text, FALSE);
}

/* ---- Local memory --------------------------------------------------------- */

/* In the function that this is the body of, %arguments is the block. */
static void add_keep(struct weiri_rewriter *rewriter, struct weiri_ir_operand *operands,
                     size_t n)
{
    const char *bytes = weiri_rewriter_bytes(rewriter);
    char *to = g_strdup_printf("%%s%zu", rewriter->slot);
    g_string_append_printf(rewriter->keeps,
                           "  %s = getelementptr i8, %s %%arguments, i64 %zu\n", to,
                           bytes, rewriter->slot);
    operands[0] = (struct weiri_ir_operand){ (char *)bytes, (char *)"", to };
    (void)weiri_rewriter_call_c(rewriter, rewriter->keeps, "weiri_cl_keep", NULL,
                                "void", operands, n, "");
    g_free(to);
}

void weiri_rewriter_local(struct weiri_rewriter *rewriter, GString *code,
                          const struct weiri_rewriter_local *local)
{
    char *site = weiri_rewriter_site(rewriter, local->file, local->line, local->name);
    char *space = strrchr(site, ' ');
    char *element = g_strdup_printf("%zu", local->element_bytes),
         *slot = g_strdup_printf("%zu", rewriter->slot);
    *space = '\0';
    struct weiri_ir_operand operands[] = {
        { (char *)weiri_rewriter_item(rewriter), (char *)"", (char *)"%weiri.item" },
        { site, (char *)"", space + 1 },
        { (char *)"i64", (char *)"", (char *)local->count },
        { (char *)"i64", (char *)"", element },
        { (char *)"i64", (char *)"", slot },
    };
    if (!weiri_rewriter_call_c(rewriter, code, "weiri_cl_local", local->result,
                               local->type, operands, G_N_ELEMENTS(operands), "")) {
        g_ptr_array_add(rewriter->missing, g_strdup("weiri_cl_local()"));
    }
    if (rewriter->slot != 0) {
        add_keep(rewriter, operands, G_N_ELEMENTS(operands) - 1);
        rewriter->slot += sizeof(void *);
    }
    g_free(site);
    g_free(element);
    g_free(slot);
}

/* ---- K__cl -------------------------------------------------------------- */

/* Adds what loads parameter @i, and the operand to @list. */
static void pass(struct weiri_rewriter *rewriter, GString *code, GString *list,
                 const struct weiri_ir_operand *operand,
                 const struct weiri_rewrite_kernel *about, guint i)
{
    const struct weiri_cl_parameter *parameter = &about->kernel.parameters[i];
    const char *bytes = weiri_rewriter_bytes(rewriter);
    char *type = value_type(operand);
    bool by_value = strstr(operand->attributes, "byval(") != NULL;
    bool local = parameter->kind == WEIRI_CL_LOCAL;
    bool number = local || parameter->kind == WEIRI_CL_SAMPLER;
    char *load = number ? g_strdup("i64") : g_strdup(type);
    char *pointer = weiri_rewriter_pointer(rewriter, load);
    size_t size, alignment = 1;
    (void)weiri_ir_layout(&rewriter->tables, load, &size, &alignment);
    alignment = MIN(alignment, BLOCK_ALIGNMENT);
    gsize start = code->len;
    g_string_append_printf(code,
                           "  %%a%u = getelementptr i8, %s %%arguments, i64 %zu\n"
                           "  %%p%u = bitcast %s %%a%u to %s\n",
                           i, bytes, parameter->offset, i, bytes, i, pointer);
    if (by_value) { /* the callee may ask for more alignment than the block has */
        g_string_append_printf(code,
                               "  %%v%u = alloca %s, align 128\n"
                               "  %%w%u = load %s, %s %%p%u, align %zu\n"
                               "  store %s %%w%u, %s %%v%u, align 128\n",
                               i, type, i, load, pointer, i, alignment, load, i,
                               pointer, i);
    } else {
        g_string_append_printf(code, "  %%%s%u = load %s, %s %%p%u, align %zu\n",
                               number ? "n" : "v", i, load, pointer, i, alignment);
    }
    if (parameter->kind == WEIRI_CL_SAMPLER) {
        g_string_append_printf(code, "  %%v%u = inttoptr i64 %%n%u to %s\n", i, i,
                               type);
    } else if (local) {
        char *count = g_strdup_printf("%%c%u", i),
             *result = g_strdup_printf("%%v%u", i);
        struct weiri_rewriter_local array = { about->file,
                                              about->line,
                                              parameter->name,
                                              count,
                                              MAX(parameter->pointee_bytes, 1),
                                              result,
                                              type };
        g_string_append_printf(code, "  %%c%u = udiv i64 %%n%u, %zu\n", i, i,
                               array.element_bytes);
        if (rewriter->slot != 0) { /* the count is needed there, too */
            g_string_append(rewriter->keeps, code->str + start);
        }
        weiri_rewriter_local(rewriter, code, &array);
        g_free(count);
        g_free(result);
    }
    g_string_append_printf(list, ", %s %s %%v%u", operand->type, operand->attributes,
                           i);
    g_free(type);
    g_free(load);
    g_free(pointer);
}

static void add_entry(struct weiri_rewriter *rewriter,
                      const struct weiri_ir_call *header,
                      struct weiri_rewrite_kernel *about)
{
    GString *code = g_string_new(NULL), *list = g_string_new(NULL);
    const char *item = weiri_rewriter_item(rewriter);
    for (guint i = 0; i < header->operands->len; i++) {
        pass(rewriter, code, list,
             &g_array_index(header->operands, struct weiri_ir_operand, i), about, i);
    }
    about->keeps = rewriter->keeps->len > 0;
    char *entry = g_strdup_printf("weiri_k_%s", about->kernel.name);
    g_string_append_printf(
        rewriter->tail,
        "define void @%s__cl(%s %%weiri.item, %s %%arguments) %s {\n%s"
        "  call void @cl.%s(%s %%weiri.item%s)\n  ret void\n}\n",
        entry, item, weiri_rewriter_bytes(rewriter),
        rewriter->checked ? "noinline" : "alwaysinline", code->str, about->kernel.name,
        item, list->str);
    if (about->keeps) {
        g_string_append_printf(rewriter->tail,
                               "define void @%s__keep(%s %%arguments) alwaysinline {\n"
                               "%s  ret void\n}\n",
                               entry, weiri_rewriter_bytes(rewriter),
                               rewriter->keeps->str);
    }
    g_free(entry);
    g_string_free(code, TRUE);
    g_string_free(list, TRUE);
}

void weiri_rewriter_begin_kernel(struct weiri_rewriter *rewriter,
                                 const struct weiri_ir_call *header, const char *line,
                                 struct weiri_rewrite_kernel *about)
{
    const struct weiri_ir_tables *tables = &rewriter->tables;
    about->kernel.name = g_strdup(header->callee + 1);
    char *number = weiri_ir_field(rewriter->subprogram, "line");
    about->line = number != NULL ? (unsigned)g_ascii_strtoull(number, NULL, 10) : 0;
    g_free(number);
    about->file = weiri_ir_field(weiri_ir_node(tables, rewriter->subprogram, "file"),
                                 "filename");
    about->file = about->file != NULL ? about->file : g_strdup("?");
    read_parameters(rewriter, header, line, &about->kernel);
    read_attributes(rewriter, line, &about->kernel);
    if (!rewriter->checked && rewriter->alone
        && !g_hash_table_contains(rewriter->called, header->callee)) {
        rewriter->slot = about->kernel.args_bytes;
    }
}

void weiri_rewriter_end_kernel(struct weiri_rewriter *rewriter,
                               const struct weiri_ir_call *header,
                               struct weiri_rewrite_kernel *about, GArray *kernels)
{
    add_entry(rewriter, header, about);
    if (about->keeps) {
        about->kernel.args_bytes = round_up(rewriter->slot);
    }
    about->kernel.local_bytes = rewriter->local_bytes;
    about->kernel.private_bytes = rewriter->private_bytes;
    g_array_append_val(kernels, *about);
}
