/* SPDX-License-Identifier: MIT
 *
 * rewrite-call.c: calls. One of a function of the program passes the item on; one of a
 * builtin of the machine becomes one of a C function; printf() gets its arguments in
 * one structure, with their types as a text. Builtins of libclc and intrinsics of LLVM
 * stay.
 */
#include "config.h"

#include "opencl/mangled.h"
#include "opencl/rewriter.h"

#include <string.h>

/* ---- The table ------------------------------------------------------------- */

/* What a row asks for: see builtins.def. */
enum { ITEM = 1, SITE = 2, SPACE = 4, BYTES = 8, COUNT = 16, TYPES = 32, NONE = -1 };

static const struct row {
    const char *name, *target;
    int flags;
    int typed;
} rows[] = {
#define X(name, target, flags, typed) { #name, "weiri_cl_" #target, flags, typed },
#include "opencl/builtins.def"
#undef X
};

static const struct row *find_row(const char *name)
{
    static GHashTable *by_name;
    if (g_once_init_enter(&by_name)) {
        GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
            g_hash_table_insert(table, (void *)rows[i].name, (void *)&rows[i]);
        }
        g_once_init_leave(&by_name, table);
    }
    return g_hash_table_lookup(by_name, name);
}

/* ---- Builtins of the machine -------------------------------------------- */

/* "f32x4", "image2d_array_depth", "sampler"; an enumeration is a number. */
static void add_type_name(GString *out, const struct weiri_mangled_type *type)
{
    static const char *const ways[] = { "_ro", "_wo", "_rw" };
    g_string_append_c(out, '_');
    if (type->scalar[0] != '\0') {
        g_string_append(out, type->scalar);
        if (type->elements > 1) {
            g_string_append_printf(out, "x%u", type->elements);
        }
        return;
    }
    if (!g_str_has_prefix(type->name, "ocl_")) {
        g_string_append(out, "i32");
        return;
    }
    g_string_append(out, type->name + strlen("ocl_"));
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        if (g_str_has_suffix(out->str, ways[i])) {
            g_string_truncate(out, out->len - strlen(ways[i]));
        }
    }
}

/* The name of the C function. */
static char *target_of(const struct row *row, const struct weiri_mangled *mangled)
{
    GString *name = g_string_new(row->target);
    if ((row->flags & COUNT) != 0) {
        g_string_append_printf(name, "_%u", mangled->n);
    }
    for (uint32_t i = 0; (row->flags & TYPES) != 0 && i < mangled->n; i++) {
        add_type_name(name, &mangled->types[i]);
    }
    if (row->typed != NONE && (uint32_t)row->typed < mangled->n) {
        add_type_name(name, &mangled->types[row->typed]);
    }
    return g_string_free(name, FALSE);
}

/* The size of what the first argument points to: a vector of 3 elements has room for
 * 4. */
static size_t pointee_bytes(const struct weiri_mangled *mangled)
{
    const struct weiri_mangled_type *type = &mangled->types[0];
    bool known = type->scalar[0] != '\0';
    size_t bytes = known ? g_ascii_strtoull(type->scalar + 1, NULL, 10) / 8 : 8;
    return bytes * (type->elements == 3 ? 4 : MAX(type->elements, 1));
}

/* The memory that the first argument points to, as builtins.def has it. */
static unsigned pointee_space(const struct weiri_mangled *mangled)
{
    const struct weiri_mangled_type *type = &mangled->types[0];
    bool global = type->space == 1 || type->space == 2;
    return !type->pointer ? 0 : type->space == 3 ? 1 : global ? 2 : 0;
}

static char *site_of(struct weiri_rewriter *rewriter, const char *line)
{
    char *file = NULL;
    unsigned number = 0;
    weiri_rewriter_place(rewriter, line, &file, &number);
    char *site = weiri_rewriter_site(rewriter, file != NULL ? file : "?", number, NULL);
    g_free(file);
    return site;
}

static void add_argument(GArray *operands, const char *type, const char *value)
{
    struct weiri_ir_operand operand = { g_strdup(type), g_strdup(""), g_strdup(value) };
    g_array_append_val(operands, operand);
}

static void add_number(GArray *operands, const char *type, size_t number)
{
    char *text = g_strdup_printf("%zu", number);
    add_argument(operands, type, text);
    g_free(text);
}

static void clear_argument(void *data)
{
    struct weiri_ir_operand *operand = data;
    g_free(operand->type);
    g_free(operand->attributes);
    g_free(operand->value);
}

static GArray *arguments_new(struct weiri_rewriter *rewriter, int flags,
                             const char *line)
{
    GArray *arguments = g_array_new(FALSE, FALSE, sizeof(struct weiri_ir_operand));
    g_array_set_clear_func(arguments, clear_argument);
    if ((flags & ITEM) != 0) {
        add_argument(arguments, weiri_rewriter_item(rewriter), "%weiri.item");
    }
    if ((flags & SITE) != 0) {
        char *site = site_of(rewriter, line);
        char *value = strrchr(site, ' ');
        *value = '\0';
        add_argument(arguments, site, value + 1);
        g_free(site);
    }
    return arguments;
}

static void miss(struct weiri_rewriter *rewriter, const struct weiri_mangled *mangled)
{
    char *words = weiri_mangled_words(mangled);
    g_ptr_array_add(rewriter->missing, words);
}

static bool add_builtin(struct weiri_rewriter *rewriter,
                        const struct weiri_ir_call *call, const char *line,
                        const char *place)
{
    struct weiri_mangled mangled;
    if (g_str_has_prefix(call->callee, "@__to_")) { /* which is not mangled */
        mangled = (struct weiri_mangled){ 0 };
        g_strlcpy(mangled.name, call->callee + 1, sizeof(mangled.name));
    } else if (!weiri_mangled_parse(call->callee, &mangled)) {
        return false;
    }
    const struct row *row = find_row(mangled.name);
    if (row == NULL) {
        return false;
    }
    GArray *arguments = arguments_new(rewriter, row->flags, line);
    if ((row->flags & SPACE) != 0) {
        add_number(arguments, "i32", pointee_space(&mangled));
    }
    if ((row->flags & BYTES) != 0) {
        add_number(arguments, "i64", pointee_bytes(&mangled));
    }
    for (guint i = 0; i < call->operands->len; i++) {
        const struct weiri_ir_operand *operand
            = &g_array_index(call->operands, struct weiri_ir_operand, i);
        add_argument(arguments, operand->type, operand->value);
    }
    char *target = target_of(row, &mangled);
    if (!weiri_rewriter_call_c(rewriter, rewriter->body, target, call->result,
                               call->type,
                               (const struct weiri_ir_operand *)(void *)arguments->data,
                               arguments->len, place)) {
        miss(rewriter, &mangled);
    }
    g_free(target);
    g_array_unref(arguments);
    return true;
}

/* ---- printf ---------------------------------------------------------------- */

/* "<2 x float>": the number of elements; 0 where it is no vector. */
static unsigned vector_size(const char *type)
{
    return type[0] == '<' && type[1] != '{'
        ? (unsigned)g_ascii_strtoull(type + 1, NULL, 10)
        : 0;
}

static bool is_pointer(const char *type)
{
    return strcmp(type, "ptr") == 0 || g_str_has_suffix(type, "*");
}

/* "i32", "4xf32", "p": the type of an argument, for the C function. */
static void add_type(GString *text, const char *type)
{
    static const struct {
        const char *name, *code;
    } words[] = { { "half", "f16" }, { "float", "f32" }, { "double", "f64" } };
    unsigned n = vector_size(type);
    char *element = g_strdup(type);
    if (n > 0) {
        g_free(element);
        element = g_strdup(strstr(type, " x ") + 3);
        element[strlen(element) - 1] = '\0';
        g_string_append_printf(text, "%ux", n);
    }
    const char *code = is_pointer(element) ? "p" : element;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        code = strcmp(words[i].name, element) == 0 ? words[i].code : code;
    }
    g_string_append(text, code);
    g_free(element);
}

/* Stores the arguments behind the format one after another, each aligned to its size.
 * Returns: the pointer to the first, or "null"; their types are in @types */
static char *store_arguments(struct weiri_rewriter *rewriter,
                             const struct weiri_ir_call *call, GString *types)
{
    const char *bytes_type = weiri_rewriter_bytes(rewriter);
    size_t total = 0;
    char *block = weiri_rewriter_value(rewriter);
    for (guint i = 1; i < call->operands->len; i++) {
        const struct weiri_ir_operand *operand
            = &g_array_index(call->operands, struct weiri_ir_operand, i);
        size_t bytes = 0, alignment = 1;
        if (!weiri_ir_layout(&rewriter->tables, operand->type, &bytes, &alignment)) {
            continue;
        }
        g_string_append(types, types->len > 0 ? " " : "");
        add_type(types, operand->type);
        total = (total + alignment - 1) / alignment * alignment;
        char *at = weiri_rewriter_value(rewriter),
             *to = weiri_rewriter_pointer(rewriter, operand->type);
        g_string_append_printf(rewriter->body,
                               "  %s.b = getelementptr i8, %s %s, i64 %zu\n"
                               "  %s = bitcast %s %s.b to %s\n"
                               "  store %s %s, %s %s, align %zu\n",
                               at, bytes_type, block, total, at, bytes_type, at, to,
                               operand->type, operand->value, to, at, alignment);
        g_free(at);
        g_free(to);
        total += bytes;
    }
    if (total == 0) {
        g_free(block);
        return g_strdup("null");
    }
    g_string_append_printf(rewriter->entry,
                           "  %s.a = alloca [%zu x i8], align 128\n"
                           "  %s = bitcast %s %s.a to %s\n",
                           block, total, block, rewriter->opaque ? "ptr" : "", block,
                           bytes_type);
    if (!rewriter->opaque) { /* the type of the variable is longer */
        char *wrong = g_strdup_printf("bitcast  %s.a to", block);
        char *right = g_strdup_printf("bitcast [%zu x i8]* %s.a to", total, block);
        g_string_replace(rewriter->entry, wrong, right, 0);
        g_free(wrong);
        g_free(right);
    }
    return block;
}

static bool add_printf(struct weiri_rewriter *rewriter,
                       const struct weiri_ir_call *call, const char *line,
                       const char *place)
{
    if (strcmp(call->callee, "@printf") != 0 || call->operands->len == 0) {
        return false;
    }
    const struct weiri_ir_operand *format
        = &g_array_index(call->operands, struct weiri_ir_operand, 0);
    GString *types = g_string_new(NULL);
    char *block = store_arguments(rewriter, call, types);
    GArray *arguments = arguments_new(rewriter, ITEM | SITE, line);
    add_argument(arguments, format->type, format->value);
    add_argument(arguments, weiri_rewriter_bytes(rewriter), block);
    char *text = weiri_rewriter_text(rewriter, types->str);
    const char *bytes = weiri_rewriter_bytes(rewriter);
    add_argument(arguments, bytes, text + strlen(bytes) + 1);
    if (!weiri_rewriter_call_c(rewriter, rewriter->body, "weiri_cl_printf",
                               call->result, call->type,
                               (const struct weiri_ir_operand *)(void *)arguments->data,
                               arguments->len, place)) {
        g_ptr_array_add(rewriter->missing, g_strdup("printf()"));
    }
    g_free(text);
    g_free(block);
    g_array_unref(arguments);
    g_string_free(types, TRUE);
    return true;
}

/* ---- Calls -------------------------------------------------------------- */

/* A function of the program: the item is its first parameter. */
static bool add_own(struct weiri_rewriter *rewriter, const struct weiri_ir_call *call,
                    const char *line)
{
    if (!g_hash_table_contains(rewriter->functions, call->callee)) {
        return false;
    }
    const char *item = weiri_rewriter_item(rewriter);
    /* What follows may be the number of attributes: they are of SPIR-V's function. */
    g_string_append_printf(rewriter->body, "%.*s(%s %%weiri.item%s%s\n",
                           (int)(call->open - line), line, item,
                           call->close - call->open > 2 ? ", " : "", call->open + 1);
    return true;
}

bool weiri_rewriter_call(struct weiri_rewriter *rewriter, const char *line)
{
    struct weiri_ir_call call;
    if (strstr(line, "call ") == NULL || !weiri_ir_call_parse(line, &call)) {
        return false;
    }
    const char *at = g_strrstr(line, ", !dbg ");
    char *place = at == NULL
        ? g_strdup("")
        : g_strndup(at, (gsize)(weiri_ir_name_end(at + strlen(", !dbg ")) - at));
    bool done = add_own(rewriter, &call, line)
        || add_builtin(rewriter, &call, line, place)
        || add_printf(rewriter, &call, line, place)
        || weiri_rewriter_builtin(rewriter, &call, place);
    if (!done) {
        g_string_append_printf(rewriter->body, "%s\n", line);
    }
    g_free(place);
    weiri_ir_call_clear(&call);
    return true;
}
