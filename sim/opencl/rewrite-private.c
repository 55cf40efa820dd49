/* SPDX-License-Identifier: MIT
 *
 * rewrite-private.c: private variables in checked code whose bytes may be read before
 * they are written. The machine is told where each of these begins to live, and their
 * accesses stay in memory, with hooks:
 *
 *     %5 = alloca [4 x float]
 *     …
 *     call void @llvm.lifetime.start(i64 16, i8* %7)
 *     call void @weiri_cl_private(%weiri.item, site, %5, i64 4, i64 4)
 *
 * A variable of which an address is taken may be written and read anywhere, so that it
 * is one of them. For another one, which is loaded and stored as a whole, the paths
 * through its function are searched for a load that no store comes before. Most have
 * none and become registers. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

struct variable {
    char *name; /* "%5" */
    char *type;
    size_t bytes;
    guint index;      /* among those of the function */
    const char *node; /* its metadata; borrowed. NULL: it is not of the source */
    bool addressed;
    bool told_to_begin; /* the front end says where */
    bool read_early;    /* there may be a load before any store */
    bool watched;       /* and so its accesses are seen */
};

/* What a block does with a variable that has no address. */
enum action { BEGINS, IS_STORED, IS_LOADED };

struct step {
    enum action action;
    struct variable *variable;
};

struct block {
    GArray *steps;   /* of struct step */
    GPtrArray *next; /* labels: "%12" */
    bool *unwritten; /* by variable: it may be, where the block begins */
};

/* A function while it is searched. */
struct search {
    const struct weiri_ir_tables *tables;
    GPtrArray *variables; /* of struct variable */
    GHashTable *by_name;  /* "%5", and what is a cast of it: struct variable */
    GHashTable *blocks;   /* "%12": struct block */
    struct block *block;  /* of the line at hand */
};

static void free_variable(void *data)
{
    struct variable *variable = data;
    g_free(variable->name);
    g_free(variable->type);
    g_free(variable);
}

static void free_block(void *data)
{
    struct block *block = data;
    g_array_unref(block->steps);
    g_ptr_array_unref(block->next);
    g_free(block->unwritten);
    g_free(block);
}

/* ---- What a line does with variables ---------------------------------------- */

static char *name_at(const char *at)
{
    return g_strndup(at, (gsize)(weiri_ir_name_end(at) - at));
}

static struct block *begin_block(struct search *search, char *label)
{
    search->block = g_new0(struct block, 1);
    search->block->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
    search->block->next = g_ptr_array_new_with_free_func(g_free);
    g_hash_table_insert(search->blocks, label, search->block);
    return search->block;
}

static void add_step(struct search *search, enum action action,
                     struct variable *variable)
{
    struct step step = { action, variable };
    g_array_append_val(search->block->steps, step);
}

static size_t bytes_of(const struct search *search, const char *type)
{
    const char *end = weiri_ir_type_end(type);
    char *text = g_strndup(type, end != NULL ? (gsize)(end - type) : 0);
    size_t bytes = 0, alignment;
    (void)weiri_ir_layout(search->tables, text, &bytes, &alignment);
    g_free(text);
    return bytes;
}

/* "  %5 = alloca [4 x float], align 4" */
static void note_variable(struct search *search, const char *name, const char *type)
{
    const char *end = weiri_ir_type_end(type);
    struct variable *variable = g_new0(struct variable, 1);
    variable->name = name_at(name);
    variable->type = g_strndup(type, end != NULL ? (gsize)(end - type) : 0);
    variable->bytes = bytes_of(search, type);
    variable->index = search->variables->len;
    g_ptr_array_add(search->variables, variable);
    g_hash_table_insert(search->by_name, name_at(name), variable);
}

/* Whether the line loads or stores the whole of the variable @name. */
static bool is_whole(const struct search *search, const char *line, const char *name,
                     const struct variable *variable, enum action *action)
{
    struct weiri_ir_access access;
    if (!weiri_ir_access_parse(line, &access)) {
        return false;
    }
    bool whole = strcmp(access.pointer, name) == 0 && g_strcmp0(access.value, name) != 0
        && bytes_of(search, access.type) == variable->bytes;
    *action = access.result != NULL ? IS_LOADED : IS_STORED;
    weiri_ir_access_clear(&access);
    return whole;
}

/* How the line uses the variable whose @name is at @at. */
static void note_use(struct search *search, const char *line, const char *at,
                     const char *name, struct variable *variable)
{
    enum action action;
    if (strstr(line, "dbg.declare(") != NULL || strstr(line, "#dbg_declare(") != NULL) {
        char *node = name_at(strchr(at, '!'));
        variable->node = g_hash_table_lookup(search->tables->metadata, node);
        g_free(node);
    } else if (strstr(line, "@llvm.lifetime.start") != NULL) {
        variable->told_to_begin = true;
        add_step(search, BEGINS, variable);
    } else if (strstr(line, "@llvm.lifetime.end") != NULL) {
        /* A variable that begins again is unwritten then. */
    } else if (is_whole(search, line, name, variable, &action)) {
        add_step(search, action, variable);
    } else {
        variable->addressed = true;
    }
}

/* ---- What a function does with variables ------------------------------------ */

/* "  %6 = bitcast [4 x float]* %5 to i8*": another name of the variable. */
static bool note_cast(struct search *search, const char *result, const char *rest)
{
    const char *of = strchr(rest, '%'), *to = strstr(rest, " to ");
    while (g_str_has_prefix(rest, "bitcast ") && of != NULL && of < to) {
        char *name = name_at(of);
        struct variable *variable = g_hash_table_lookup(search->by_name, name);
        g_free(name);
        if (variable != NULL) {
            g_hash_table_insert(search->by_name, name_at(result), variable);
            return true;
        }
        of = strchr(of + 1, '%');
    }
    return false;
}

/* "12:    ; preds = %4" begins a block. */
static bool note_block(struct search *search, const char *line)
{
    const char *end = *line == '"' ? weiri_ir_skip(line) : line + strcspn(line, ": ");
    if (*line == ' ' || *end != ':') {
        return false;
    }
    begin_block(search, g_strdup_printf("%%%.*s", (int)(end - line), line));
    return true;
}

static void note_line(struct search *search, const char *line)
{
    const char *word = line + strspn(line, " "), *end = weiri_ir_name_end(word);
    const char *rest = g_str_has_prefix(end, " = ") ? end + 3 : NULL;
    if (note_block(search, line)) {
        return;
    }
    if (*word == '%' && rest != NULL && g_str_has_prefix(rest, "alloca ")) {
        note_variable(search, word, rest + strlen("alloca "));
        return;
    }
    if (*word == '%' && rest != NULL && note_cast(search, word, rest)) {
        return;
    }
    for (const char *at = strchr(line, '%'); at != NULL; at = strchr(at + 1, '%')) {
        char *name = name_at(at);
        struct variable *variable = g_hash_table_lookup(search->by_name, name);
        if (variable != NULL) {
            note_use(search, line, at, name, variable);
        }
        if (at - line > 6 && strncmp(at - 6, "label ", 6) == 0) {
            g_ptr_array_add(search->block->next, name);
        } else {
            g_free(name);
        }
    }
}

/* Takes note of an assignment to elements of a variable. Returns: its lines, or 0 */
static guint note_parts(struct search *search, char **lines)
{
    struct weiri_rewriter_parts parts;
    if (!weiri_rewriter_parts_find(lines, &parts)) {
        return 0;
    }
    struct variable *variable
        = g_hash_table_lookup(search->by_name, parts.load.pointer);
    bool takes
        = variable != NULL && bytes_of(search, parts.load.type) == variable->bytes;
    if (takes && parts.all) {
        add_step(search, IS_STORED, variable);
    }
    weiri_rewriter_parts_clear(&parts);
    return takes ? parts.n_lines : 0;
}

/* ---- Paths -------------------------------------------------------------- */

/* Goes through a block with what may be unwritten, which it changes. */
static void pass_block(const struct block *block, bool *unwritten)
{
    for (guint i = 0; i < block->steps->len; i++) {
        const struct step *step = &g_array_index(block->steps, struct step, i);
        struct variable *variable = step->variable;
        variable->read_early |= step->action == IS_LOADED && unwritten[variable->index];
        if (step->action != IS_LOADED) {
            unwritten[variable->index] = step->action == BEGINS;
        }
    }
}

/* Adds what may be unwritten at the end of one block to what may be so at the start of
 * the next. Returns: whether that is new */
static bool join(struct block *next, const bool *unwritten, guint n)
{
    bool fresh = next->unwritten == NULL;
    if (fresh) {
        next->unwritten = g_new0(bool, n);
    }
    for (guint i = 0; i < n; i++) {
        fresh |= unwritten[i] && !next->unwritten[i];
        next->unwritten[i] |= unwritten[i];
    }
    return fresh;
}

/* Follows all paths from the block where the function begins. */
static void follow_paths(struct search *search, struct block *first)
{
    guint n = search->variables->len;
    bool *unwritten = g_new(bool, n);
    GPtrArray *open = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        unwritten[i] = true;
    }
    join(first, unwritten, n);
    g_ptr_array_add(open, first);
    while (open->len > 0) {
        const struct block *block = g_ptr_array_steal_index_fast(open, open->len - 1);
        memcpy(unwritten, block->unwritten, n * sizeof(*unwritten));
        pass_block(block, unwritten);
        for (guint i = 0; i < block->next->len; i++) {
            struct block *next = g_hash_table_lookup(search->blocks,
                                                     g_ptr_array_index(block->next, i));
            if (next != NULL && join(next, unwritten, n)) {
                g_ptr_array_add(open, next);
            }
        }
    }
    g_ptr_array_unref(open);
    g_free(unwritten);
}

/* ---- The variables of a function ---------------------------------------- */

/* Whether its accesses are to be seen. Parameters are written by the call. */
static bool is_to_be_watched(const struct variable *variable)
{
    char *parameter = weiri_ir_field(variable->node, "arg");
    bool is_parameter = parameter != NULL;
    g_free(parameter);
    return !is_parameter && variable->node != NULL && variable->bytes > 0
        && (variable->addressed || variable->read_early);
}

void weiri_rewriter_find_private(struct weiri_rewriter *rewriter, char **lines)
{
    struct search search
        = { .tables = &rewriter->tables,
            .variables = g_ptr_array_new_with_free_func(free_variable),
            .by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
            .blocks
            = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_block) };
    struct block *first = begin_block(&search, g_strdup("%"));
    while (*lines != NULL && strcmp(*lines, "}") != 0) {
        guint n = note_parts(&search, lines);
        if (n == 0) {
            char *plain = weiri_ir_plain(*lines);
            note_line(&search, plain);
            g_free(plain);
            n = 1;
        }
        lines += n;
    }
    follow_paths(&search, first);
    for (guint i = 0; i < search.variables->len; i++) {
        struct variable *variable = g_ptr_array_index(search.variables, i);
        variable->watched = is_to_be_watched(variable);
    }
    rewriter->variables = search.variables;
    rewriter->variable_names = search.by_name;
    g_hash_table_unref(search.blocks);
}

void weiri_rewriter_forget_private(struct weiri_rewriter *rewriter)
{
    g_clear_pointer(&rewriter->variable_names, g_hash_table_unref);
    g_clear_pointer(&rewriter->variables, g_ptr_array_unref);
}

bool weiri_rewriter_watches(const struct weiri_rewriter *rewriter, const char *name)
{
    const struct variable *variable = rewriter->variable_names != NULL
        ? g_hash_table_lookup(rewriter->variable_names, name)
        : NULL;
    return variable != NULL && variable->watched;
}

/* The size of what an index counts: elements of an array; of a vector those of which
 * none is padding. */
static size_t element_bytes(const struct weiri_rewriter *rewriter,
                            const struct variable *variable)
{
    const char *element = strstr(variable->type, " x ");
    if (variable->type[0] != '<' || element == NULL
        || g_str_has_prefix(variable->type, "<3 ")) {
        return weiri_rewriter_element_bytes(rewriter, variable->type);
    }
    char *type = g_strndup(element + 3, strlen(element + 3) - 1);
    size_t bytes = weiri_rewriter_element_bytes(rewriter, type);
    g_free(type);
    return bytes;
}

/* The constant that says which bytes of an element are members, or null: all are. */
static char *members_text(struct weiri_rewriter *rewriter,
                          const struct variable *variable, size_t bytes)
{
    char *map = g_malloc(variable->bytes + 1);
    memset(map, '.', variable->bytes);
    weiri_ir_mark_members(&rewriter->tables, variable->type, map);
    map[bytes] = '\0'; /* the elements are the same */
    char *text = weiri_rewriter_text(rewriter, strchr(map, '.') != NULL ? map : NULL);
    g_free(map);
    return text;
}

static void add_begin(struct weiri_rewriter *rewriter, const char *name,
                      const struct variable *variable)
{
    const char *bytes = weiri_rewriter_bytes(rewriter);
    char *pointer = weiri_rewriter_pointer(rewriter, variable->type);
    char *address = weiri_rewriter_value(rewriter);
    char *text = weiri_ir_field(variable->node, "name");
    char *line = weiri_ir_field(variable->node, "line");
    char *file = weiri_ir_field(
        weiri_ir_node(&rewriter->tables, variable->node, "file"), "filename");
    char *site = weiri_rewriter_site(
        rewriter, file != NULL ? file : "?",
        line != NULL ? (unsigned)g_ascii_strtoull(line, NULL, 10) : 0, text);
    char *space = strrchr(site, ' ');
    size_t each = element_bytes(rewriter, variable);
    char *members = members_text(rewriter, variable, each);
    char *count = g_strdup_printf("%zu", variable->bytes / each),
         *size = g_strdup_printf("%zu", each);
    *space = '\0';
    const struct weiri_ir_operand operands[]
        = { { (char *)weiri_rewriter_item(rewriter), (char *)"",
              (char *)"%weiri.item" },
            { site, (char *)"", space + 1 },
            { (char *)bytes, (char *)"", address },
            { (char *)"i64", (char *)"", count },
            { (char *)"i64", (char *)"", size },
            { (char *)bytes, (char *)"", strchr(members, ' ') + 1 } };
    g_string_append_printf(rewriter->body, "  %s = bitcast %s %s to %s\n", address,
                           pointer, name, bytes);
    if (!weiri_rewriter_call_c(rewriter, rewriter->body, "weiri_cl_private", NULL,
                               "void", operands, G_N_ELEMENTS(operands), "")) {
        g_ptr_array_add(rewriter->missing, g_strdup("weiri_cl_private()"));
    }
    g_free(members);
    g_free(count);
    g_free(size);
    g_free(site);
    g_free(file);
    g_free(line);
    g_free(text);
    g_free(address);
    g_free(pointer);
}

void weiri_rewriter_begin_private(struct weiri_rewriter *rewriter, const char *line)
{
    bool begins = strstr(line, "@llvm.lifetime.start") != NULL;
    if (rewriter->variable_names == NULL
        || (!begins && strstr(line, " = alloca ") == NULL)) {
        return;
    }
    for (const char *at = strchr(line, '%'); at != NULL; at = strchr(at + 1, '%')) {
        char *name = name_at(at);
        const struct variable *variable
            = g_hash_table_lookup(rewriter->variable_names, name);
        if (variable != NULL && variable->watched
            && begins == variable->told_to_begin) {
            add_begin(rewriter, variable->name, variable);
        }
        g_free(name);
    }
}
