/* SPDX-License-Identifier: MIT
 *
 * rewrite.c: see rewrite.h. The module is read twice: for what it declares, and line by
 * line. Every function that it defines gets the item as its first parameter, whose name
 * is %weiri.item: named values do not change the numbers of the others. Names of
 * functions and variables get a prefix that no C name has, "cl.", so that a program may
 * call its own what it likes: main, free, weiri_barrier.
 *
 * In code that is not checked all functions are inlined, so that a barrier in one is a
 * stop of the kernel. Checked code keeps them: reports show the calls. */
#include "config.h"

#include "opencl/rewrite.h"
#include "opencl/rewriter.h"

#include <string.h>

/* ---- What the module declares ---------------------------------------------- */

static bool is_metadata(const char *line)
{
    return line[0] == '!' && (g_ascii_isdigit(line[1]));
}

/* The name that a line defines, with its sigil, and what is behind " = ". */
static const char *defined(const char *line, char **name)
{
    const char *end = weiri_ir_name_end(line);
    if (!g_str_has_prefix(end, " = ")) {
        return NULL;
    }
    *name = g_strndup(line, (gsize)(end - line));
    return end + 3;
}

static unsigned space_in(const char *line)
{
    static const char space[] = "addrspace(";
    const char *at = strstr(line, space), *quote = strchr(line, '"');
    return at != NULL && (quote == NULL || at < quote)
        ? (unsigned)g_ascii_strtoull(at + strlen(space), NULL, 10)
        : 0;
}

static bool has_word(const char *text, const char *end, const char *word)
{
    const char *at = strstr(text, word);
    return at != NULL && at < end;
}

/* "@f" gets its prefix, and "@s" of another source's that has it as a static name. */
static char *prefixed(const struct weiri_rewriter *rewriter, const char *name,
                      bool is_static)
{
    char *prefix = is_static && rewriter->number > 0
        ? g_strdup_printf("cl%u.", rewriter->number)
        : g_strdup("cl.");
    char *renamed = name[1] == '"' ? g_strdup_printf("@\"%s%s", prefix, name + 2)
                                   : g_strdup_printf("@%s%s", prefix, name + 1);
    g_free(prefix);
    return renamed;
}

/* A variable: its line as the front end wrote it. */
static void note_global(struct weiri_rewriter *rewriter, const char *line)
{
    char *name = NULL;
    const char *rest = defined(line, &name);
    if (rest == NULL) {
        return;
    }
    const char *kind = rest;
    while (*kind != '\0' && !g_str_has_prefix(kind, "global ")
           && !g_str_has_prefix(kind, "constant ")) {
        kind = *kind == '"' || *kind == '(' ? weiri_ir_skip(kind) : kind + 1;
    }
    if (*kind == '\0') {
        g_free(name);
        return;
    }
    bool is_static
        = has_word(rest, kind, "internal") || has_word(rest, kind, "private");
    bool is_private = has_word(rest, kind, "private ");
    bool is_constant = g_str_has_prefix(kind, "constant ");
    char *plain = weiri_ir_plain(strchr(kind, ' ') + 1);
    const char *end = weiri_ir_type_end(plain);
    struct weiri_rewriter_global *global = g_new0(struct weiri_rewriter_global, 1);
    global->type = g_strndup(plain, (gsize)(end != NULL ? end - plain : 0));
    global->space = space_in(rest);
    global->hides = global->space == 3
        || (rewriter->checked && is_constant && !is_private && global->space == 2);
    const char *dot = strrchr(name, '.');
    const char *node = weiri_ir_node(
        &rewriter->tables, weiri_ir_attached(&rewriter->tables, line, "dbg"), "var");
    global->name = weiri_ir_field(node, "name");
    if (global->name == NULL) {
        global->name = g_strdup(dot != NULL ? dot + 1 : name + 1);
    }
    char *number = weiri_ir_field(node, "line");
    global->line = number != NULL ? (unsigned)g_ascii_strtoull(number, NULL, 10) : 0;
    g_free(number);
    global->file
        = weiri_ir_field(weiri_ir_node(&rewriter->tables, node, "file"), "filename");
    global->file = global->file != NULL ? global->file : g_strdup("?");
    size_t alignment;
    (void)weiri_ir_layout(&rewriter->tables, global->type, &global->bytes, &alignment);
    global->element_bytes = weiri_rewriter_element_bytes(rewriter, global->type);
    g_free(plain);
    if (!g_str_has_prefix(name, "@llvm.")) {
        g_hash_table_insert(rewriter->renamed, g_strdup(name),
                            prefixed(rewriter, name, is_static));
    }
    g_hash_table_insert(rewriter->globals, name, global);
}

static bool is_builtin_name(const char *name)
{
    return g_str_has_prefix(name, "@_Z") || g_str_has_prefix(name, "@llvm.")
        || g_str_has_prefix(name, "@__") || strcmp(name, "@printf") == 0;
}

static void note_function(struct weiri_rewriter *rewriter, const char *line)
{
    bool defines = g_str_has_prefix(line, "define ");
    char *plain = weiri_ir_plain(line);
    struct weiri_ir_call header;
    if (weiri_ir_header_parse(plain, &header)) {
        if (defines || !is_builtin_name(header.callee)) {
            bool is_static = has_word(plain, header.name, " internal ");
            char *renamed = prefixed(rewriter, header.callee, is_static);
            g_hash_table_add(rewriter->functions, g_strdup(renamed));
            g_hash_table_insert(rewriter->renamed, g_strdup(header.callee), renamed);
        }
        weiri_ir_call_clear(&header);
    }
    g_free(plain);
}

static void note_call(struct weiri_rewriter *rewriter, const char *line)
{
    const char *call = strstr(line, "call "),
               *name = call != NULL ? strchr(call, '@') : NULL;
    if (name != NULL) {
        g_hash_table_add(rewriter->called,
                         g_strndup(name, (gsize)(weiri_ir_name_end(name) - name)));
    }
}

static void note_metadata(struct weiri_rewriter *rewriter, char **lines)
{
    for (char **line = lines; *line != NULL; line++) {
        char *name = NULL;
        if (is_metadata(*line) || (*line)[0] == '%') {
            const char *rest = defined(*line, &name);
            if (rest != NULL && (*line)[0] == '!') {
                g_hash_table_insert(rewriter->tables.metadata, name, g_strdup(rest));
            } else if (rest != NULL) {
                char *plain = weiri_ir_plain(rest);
                const char *type = g_str_has_prefix(plain, "type ") ? plain + 5 : plain;
                g_hash_table_insert(rewriter->tables.types, name, g_strdup(type));
                g_free(plain);
            }
        }
    }
}

/* Whether pointers are `ptr`: they are so in the builtins, too, and the module itself
 * may have none. */
static bool is_opaque(GHashTable *prototypes)
{
    GHashTableIter each;
    void *header;
    g_hash_table_iter_init(&each, prototypes);
    while (g_hash_table_iter_next(&each, NULL, &header)) {
        const GArray *operands = ((const struct weiri_ir_call *)header)->operands;
        for (guint i = 0; i < operands->len; i++) {
            if (strcmp(g_array_index(operands, struct weiri_ir_operand, i).type, "ptr")
                == 0) {
                return true;
            }
        }
    }
    return false;
}

static void note(struct weiri_rewriter *rewriter, char **lines)
{
    note_metadata(rewriter, lines);
    for (char **line = lines; *line != NULL; line++) {
        if ((*line)[0] == '@') {
            note_global(rewriter, *line);
        } else if (g_str_has_prefix(*line, "define ")
                   || g_str_has_prefix(*line, "declare ")) {
            note_function(rewriter, *line);
        } else {
            note_call(rewriter, *line);
        }
    }
}

/* ---- Functions ---------------------------------------------------------- */

static bool is_kernel(const char *line)
{
    return strstr(line, "spir_kernel ") != NULL
        || strstr(line, " !kernel_arg_") != NULL;
}

/* The first line of a definition: linkage and conventions are replaced. */
static char *opening(struct weiri_rewriter *rewriter,
                     const struct weiri_ir_call *header, const char *line,
                     bool is_static)
{
    char *name = prefixed(rewriter, header->callee, is_static);
    const char *type = line + strlen("define ");
    /* Attributes of the result stand before its type; linkage before them. */
    GString *out = g_string_new("define ");
    g_string_append(out, is_static ? "internal " : "hidden ");
    static const char *const kept[] = { "signext", "zeroext", "noundef", "noalias" };
    char *before = g_strndup(type, (gsize)(header->name - type));
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
        char *word = g_strdup_printf("%s ", kept[i]);
        if (strstr(before, word) != NULL) {
            g_string_append(out, word);
        }
        g_free(word);
    }
    g_string_append_printf(out, "%s %s(%s %%weiri.item%s%.*s", header->type, name,
                           weiri_rewriter_item(rewriter),
                           header->operands->len > 0 ? ", " : "",
                           (int)(header->close - header->open - 1), header->open + 1);
    g_string_append(
        out, rewriter->checked ? " sanitize_thread \"no-builtins\"" : " alwaysinline");
    const char *number = strstr(header->close, " #");
    if (number != NULL) {
        g_string_append_printf(out, " %.*s",
                               (int)(weiri_ir_name_end(number + 1) - number - 1),
                               number + 1);
    }
    const char *place = strstr(header->close, " !dbg ");
    if (place != NULL) {
        g_string_append_printf(
            out, " %.*s", (int)(weiri_ir_name_end(place + 6) - place - 1), place + 1);
    }
    g_string_append(out, " {\n");
    g_free(before);
    g_free(name);
    return g_string_free(out, FALSE);
}

static void begin_function(struct weiri_rewriter *rewriter, const char *line,
                           const struct weiri_ir_call *header)
{
    rewriter->entry = g_string_new(NULL);
    rewriter->body = g_string_new(NULL);
    rewriter->hoisted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    rewriter->own = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    rewriter->late = weiri_rewriter_parts_table();
    rewriter->subprogram = weiri_ir_attached(&rewriter->tables, line, "dbg");
    rewriter->private_bytes = rewriter->local_bytes = rewriter->slot = 0;
    rewriter->keeps = g_string_new(NULL);
    char *name = weiri_ir_field(rewriter->subprogram, "name");
    if (name == NULL) {
        name = g_strdup(header->callee + 1);
    }
    rewriter->function
        = is_kernel(line) ? g_strconcat(name, "__body", NULL) : g_strdup(name);
    g_free(name);
}

static void end_function(struct weiri_rewriter *rewriter)
{
    g_string_free(rewriter->entry, TRUE);
    g_string_free(rewriter->body, TRUE);
    g_hash_table_unref(rewriter->hoisted);
    g_hash_table_unref(rewriter->own);
    g_hash_table_unref(rewriter->late);
    g_string_free(rewriter->keeps, TRUE);
    weiri_rewriter_forget_private(rewriter);
    g_clear_pointer(&rewriter->function, g_free);
    rewriter->entry = rewriter->body = NULL;
    rewriter->hoisted = rewriter->own = rewriter->late = NULL;
}

static void add_line(struct weiri_rewriter *rewriter, const char *plain)
{
    char *line = weiri_rewriter_names(rewriter, plain);
    if (!weiri_rewriter_call(rewriter, line)
        && !weiri_rewriter_divide(rewriter, line)) {
        weiri_rewriter_add_access(rewriter, line);
    }
    weiri_rewriter_begin_private(rewriter, line);
    g_free(line);
}

/* Rewrites the function that begins at @lines. Returns: its last line */
static char **add_function(struct weiri_rewriter *rewriter, char **lines, GString *out,
                           GArray *kernels)
{
    char *plain = weiri_ir_plain(*lines);
    char **line = lines;
    struct weiri_ir_call header;
    if (!weiri_ir_header_parse(plain, &header)) {
        g_ptr_array_add(rewriter->missing, g_strdup(*lines));
        g_free(plain);
        return line;
    }
    begin_function(rewriter, *lines, &header);
    struct weiri_rewrite_kernel about = { 0 };
    if (is_kernel(*lines)) {
        weiri_rewriter_begin_kernel(rewriter, &header, *lines, &about);
    }
    bool is_static = has_word(plain, header.name, " internal ");
    char *first = opening(rewriter, &header, plain, is_static);
    if (rewriter->checked) {
        weiri_rewriter_find_private(rewriter, line + 1);
    }
    for (line++; *line != NULL && strcmp(*line, "}") != 0;) {
        guint n = weiri_rewriter_parts(rewriter, line);
        if (n == 0) {
            char *text = weiri_ir_plain(*line);
            add_line(rewriter, text);
            g_free(text);
            n = 1;
        }
        line += n;
    }
    g_string_append_printf(out, "\n%s", first);
    g_string_append_len(out, rewriter->entry->str, (gssize)rewriter->entry->len);
    g_string_append_len(out, rewriter->body->str, (gssize)rewriter->body->len);
    g_string_append(out, "}\n");
    if (is_kernel(*lines)) {
        weiri_rewriter_end_kernel(rewriter, &header, &about, kernels);
    }
    end_function(rewriter);
    weiri_ir_call_clear(&header);
    g_free(first);
    g_free(plain);
    return *line != NULL ? line : line - 1;
}

/* ---- The module ------------------------------------------------------------ */

/* Attributes that say how SPIR-V is to be made, or what stops inlining. */
static void add_attributes(GString *out, const char *line)
{
    static const char *const dropped[] = { "convergent",
                                           "noinline",
                                           "optnone",
                                           "\"frame-pointer\"",
                                           "\"min-legal-vector-width\"",
                                           "\"uniform-work-group-size\"",
                                           "\"stack-protector-buffer-size\"" };
    const char *open = strchr(line, '{');
    g_string_append_len(out, line, open - line + 1);
    g_string_append(out, " nounwind"); /* a list without attributes is an error */
    char **words = g_strsplit(open + 1, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        bool drop = **word == '\0';
        for (size_t i = 0; i < G_N_ELEMENTS(dropped); i++) {
            size_t length = strlen(dropped[i]);
            drop |= strncmp(*word, dropped[i], length) == 0
                && ((*word)[length] == '\0' || (*word)[length] == '=');
        }
        if (!drop) {
            g_string_append_printf(out, " %s", *word);
        }
    }
    g_string_append_c(out, '\n');
    g_strfreev(words);
}

/* A declaration: of a builtin that the machine defines, none is left to be declared. */
static void add_declaration(struct weiri_rewriter *rewriter, const char *plain)
{
    struct weiri_ir_call header;
    if (!weiri_ir_header_parse(plain, &header)) {
        return;
    }
    const char *renamed = g_hash_table_lookup(rewriter->renamed, header.callee);
    GString *line = g_string_new(NULL);
    g_string_printf(line, "declare %s %s(", header.type,
                    renamed != NULL ? renamed : header.callee);
    bool item = renamed != NULL && g_hash_table_contains(rewriter->functions, renamed);
    if (item) {
        g_string_append(line, weiri_rewriter_item(rewriter));
    }
    g_string_append_printf(line, "%s%.*s", item && header.operands->len > 0 ? ", " : "",
                           (int)(header.close - header.open - 1), header.open + 1);
    if (g_str_has_prefix(header.callee, "@llvm.")) {
        const char *number = strstr(header.close, " #");
        if (number != NULL) {
            g_string_append(line, number);
        }
    }
    weiri_rewriter_declare(rewriter, line->str);
    g_string_free(line, TRUE);
    weiri_ir_call_clear(&header);
}

/* All variables in global memory are in one section: module.c has its bounds. @kind:
 * "global i32 0, align 4, …" in the line @line */
static void add_definition(GString *variables, const char *line, const char *equals,
                           const char *kind)
{
    const char *rest = g_strrstr(kind, ", align ");
    size_t before = rest != NULL ? (size_t)(rest - kind) : strlen(kind);
    g_string_append_printf(
        variables, "%.*s = hidden %.*s, section \"weiri_cl_globals\"%s\n",
        (int)(equals - line), line, (int)before, kind, rest != NULL ? rest : "");
}

/* A variable in global memory is declared here, and defined in the other module. */
static void add_variable(struct weiri_rewriter *rewriter, const char *line,
                         const char *plain, GString *out, GString *variables)
{
    char *name = NULL;
    const char *rest = defined(plain, &name);
    struct weiri_rewriter_global *global
        = rest != NULL ? g_hash_table_lookup(rewriter->globals, name) : NULL;
    char *renamed = weiri_rewriter_names(rewriter, plain);
    if (global == NULL || (global->space == 0 && strstr(line, "llvm.") != NULL)) {
        g_free(name);
        g_free(renamed);
        return;
    }
    const char *equals = strstr(renamed, " = ");
    const char *kind = strstr(equals, "global ");
    bool external = strstr(equals, " external ") != NULL;
    if (global->space == 3) {
        /* a value at the start of its kernel */
    } else if (g_str_has_prefix(equals, " = private ")) { /* strings, and clang's own */
        g_string_append_printf(out, "%s\n", renamed);
        g_string_append_printf(variables, "%s\n", renamed);
    } else if (global->space == 1 && kind != NULL && external) {
        g_string_append_printf(out, "%s\n", renamed);
    } else if (global->space == 1 && kind != NULL) {
        g_string_append_printf(out, "%.*s = external hidden global %s\n",
                               (int)(equals - renamed), renamed, global->type);
        add_definition(variables, renamed, equals, kind);
    } else {
        const char *constant = strstr(equals, "constant ");
        const char *what
            = constant != NULL && (kind == NULL || constant < kind) ? constant : kind;
        g_string_append_printf(out, "%.*s = internal %s\n", (int)(equals - renamed),
                               renamed, what);
        g_string_append_printf(variables, "%.*s = internal %s\n",
                               (int)(equals - renamed), renamed, what);
    }
    g_free(name);
    g_free(renamed);
}

/* Whether a line of the module's end belongs to the result: metadata, but for the flags
 * of SPIR-V. */
static void add_named_metadata(const struct weiri_rewriter *rewriter, GString *out,
                               const char *line)
{
    if (g_str_has_prefix(line, "!llvm.dbg.cu")) {
        g_string_append_printf(out, "%s\n", line);
    } else if (g_str_has_prefix(line, "!llvm.module.flags")) {
        GHashTableIter iter;
        void *id, *node;
        g_hash_table_iter_init(&iter, rewriter->tables.metadata);
        while (g_hash_table_iter_next(&iter, &id, &node)) {
            if (strstr(node, "\"Debug Info Version\"") != NULL) {
                g_string_append_printf(out, "!llvm.module.flags = !{%s}\n",
                                       (const char *)id);
            }
        }
    }
}

static void free_global(void *data)
{
    struct weiri_rewriter_global *global = data;
    g_free(global->type);
    g_free(global->name);
    g_free(global->file);
    g_free(global);
}

static void rewriter_init(struct weiri_rewriter *rewriter, GHashTable *prototypes,
                          bool checked, unsigned number, bool alone)
{
    *rewriter = (struct weiri_rewriter){
        .tables = { g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free) },
        .prototypes = prototypes,
        .checked = checked,
        .number = number,
        .alone = alone,
        .renamed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .called = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .globals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_global),
        .declared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .tail = g_string_new(NULL),
        .missing = g_ptr_array_new_with_free_func(g_free),
    };
}

static void rewriter_clear(struct weiri_rewriter *rewriter)
{
    g_hash_table_unref(rewriter->tables.metadata);
    g_hash_table_unref(rewriter->tables.types);
    g_hash_table_unref(rewriter->renamed);
    g_hash_table_unref(rewriter->functions);
    g_hash_table_unref(rewriter->called);
    g_hash_table_unref(rewriter->globals);
    g_hash_table_unref(rewriter->declared);
    g_hash_table_unref(rewriter->texts);
    g_string_free(rewriter->tail, TRUE);
}

static void free_prototype(void *data)
{
    weiri_ir_call_clear(data);
    g_free(data);
}

GHashTable *weiri_rewrite_prototypes(const char *builtins)
{
    GHashTable *prototypes
        = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_prototype);
    for (const char *at = builtins; at != NULL && *at != '\0';) {
        const char *end = strchr(at, '\n');
        if (g_str_has_prefix(at, "define ") && end != NULL) {
            char *line = g_strndup(at, (gsize)(end - at));
            struct weiri_ir_call *header = g_new(struct weiri_ir_call, 1);
            if (weiri_ir_header_parse(line, header)) {
                g_hash_table_insert(prototypes, g_strdup(header->callee + 1), header);
            } else {
                g_free(header);
            }
            g_free(line);
        }
        at = end != NULL ? end + 1 : NULL;
    }
    return prototypes;
}

/* The lines of one module, each to the part of the result where it belongs. */
static void add_module(struct weiri_rewriter *rewriter, char **lines,
                       struct weiri_rewrite *result)
{
    GString *out = g_string_new(NULL), *variables = g_string_new(NULL);
    GString *end = g_string_new("\n");
    const char *bytes = weiri_rewriter_bytes(rewriter);
    g_string_printf(out, "%%weiri.site = type { %s, %s, i32, %s }\n", bytes, bytes,
                    bytes);
    weiri_rewriter_declare(rewriter, "%struct.weir_item = type opaque");
    for (char **line = lines; *line != NULL; line++) {
        char *plain = weiri_ir_plain(*line);
        if ((*line)[0] == '%') {
            if (strstr(plain, "%struct.weir_item =") == NULL) {
                g_string_append_printf(out, "%s\n", plain);
                g_string_append_printf(variables, "%s\n", plain);
            }
        } else if ((*line)[0] == '@') {
            add_variable(rewriter, *line, plain, out, variables);
        } else if (g_str_has_prefix(*line, "define ")) {
            line = add_function(rewriter, line, out, result->kernels);
        } else if (g_str_has_prefix(*line, "declare ")) {
            add_declaration(rewriter, plain);
        } else if (g_str_has_prefix(*line, "attributes ")) {
            add_attributes(end, plain);
        } else if (is_metadata(*line)) {
            g_string_append_printf(end, "%s\n", plain);
            g_string_append_printf(variables, "%s\n", plain);
        } else if ((*line)[0] == '!') {
            add_named_metadata(rewriter, end, *line);
            add_named_metadata(rewriter, variables, *line);
        }
        g_free(plain);
    }
    g_string_append_len(out, rewriter->tail->str, (gssize)rewriter->tail->len);
    g_string_append_len(out, end->str, (gssize)end->len);
    bool has = strstr(variables->str, " = hidden ") != NULL;
    result->text = g_string_free(out, FALSE);
    result->variables = g_string_free(variables, !has);
    g_string_free(end, TRUE);
}

struct weiri_rewrite *weiri_rewrite_new(const char *ir, GHashTable *prototypes,
                                        bool checked, unsigned number, bool alone)
{
    struct weiri_rewriter rewriter;
    struct weiri_rewrite *result = g_new0(struct weiri_rewrite, 1);
    char **lines = g_strsplit(ir, "\n", -1);
    rewriter_init(&rewriter, prototypes, checked, number, alone);
    rewriter.opaque = is_opaque(prototypes);
    note(&rewriter, lines);
    result->kernels = g_array_new(FALSE, FALSE, sizeof(struct weiri_rewrite_kernel));
    add_module(&rewriter, lines, result);
    bool uneven = strstr(ir, "\"uniform-work-group-size\"=\"false\"") != NULL;
    for (guint i = 0; i < result->kernels->len; i++) {
        g_array_index(result->kernels, struct weiri_rewrite_kernel, i).kernel.uneven
            = uneven;
    }
    result->missing = rewriter.missing;
    rewriter_clear(&rewriter);
    g_strfreev(lines);
    return result;
}

void weiri_rewrite_free(struct weiri_rewrite *rewrite)
{
    if (rewrite == NULL) {
        return;
    }
    g_free(rewrite->text);
    g_free(rewrite->variables);
    g_array_unref(rewrite->kernels);
    g_ptr_array_unref(rewrite->missing);
    g_free(rewrite);
}
