/* SPDX-License-Identifier: MIT
 *
 * ir.c: see ir.h. The text is regular enough for brackets to be matched, and for words
 * to be read from left to right; what is not understood is left as it is. */
#include "config.h"

#include "opencl/ir.h"

#include <string.h>

/* ---- Words and brackets ---------------------------------------------------- */

static const char *string_end(const char *at)
{
    const char *end = strchr(at + 1, '"'); /* quotes inside are \22 */
    return end != NULL ? end + 1 : at + strlen(at);
}

const char *weiri_ir_skip(const char *at)
{
    if (*at == '"') {
        return string_end(at);
    }
    if (*at == '\0' || strchr("([{<", *at) == NULL) {
        return *at != '\0' ? at + 1 : at;
    }
    at++;
    while (*at != '\0' && strchr(")]}>", *at) == NULL) {
        at = weiri_ir_skip(at);
    }
    return *at != '\0' ? at + 1 : at;
}

const char *weiri_ir_find(const char *at, const char *end, const char *set)
{
    while (at < end && *at != '\0') {
        if (strchr(set, *at) != NULL) {
            return at;
        }
        at = weiri_ir_skip(at);
    }
    return NULL;
}

static bool is_name(char c)
{
    return g_ascii_isalnum(c) || (c != '\0' && strchr("-$._", c) != NULL);
}

const char *weiri_ir_name_end(const char *at)
{
    at++;
    if (*at == '"') {
        return string_end(at);
    }
    while (*at != '\0' && is_name(*at)) {
        at++;
    }
    return at;
}

static const char *blanks_end(const char *at)
{
    while (*at == ' ') {
        at++;
    }
    return at;
}

static const char *word_end(const char *at)
{
    while (*at != '\0' && (is_name(*at))) {
        at++;
    }
    return at;
}

static bool is_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_name(at[length]);
}

GPtrArray *weiri_ir_list(const char *at, const char *end)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    while (at < end) {
        const char *comma = weiri_ir_find(at, end, ",");
        const char *stop = comma != NULL ? comma : end;
        char *text = g_strstrip(g_strndup(at, (gsize)(stop - at)));
        if (*text != '\0' || comma != NULL) {
            g_ptr_array_add(list, text);
        } else {
            g_free(text);
        }
        at = stop + 1;
    }
    return list;
}

const char *weiri_ir_type_end(const char *at)
{
    static const char *const words[] = { "void", "half",  "bfloat",   "float", "double",
                                         "ptr",  "label", "metadata", "token" };
    if (*at == '%') {
        at = weiri_ir_name_end(at);
    } else if (*at == '<' || *at == '[' || *at == '{') {
        at = weiri_ir_skip(at);
    } else if (*at == 'i' && g_ascii_isdigit(at[1])) {
        at = word_end(at);
    } else {
        const char *end = NULL;
        for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
            end = is_word(at, words[i]) ? at + strlen(words[i]) : end;
        }
        if (end == NULL) {
            return NULL;
        }
        at = end;
    }
    for (;;) {
        if (*at == '*') {
            at++;
        } else if (at[0] == ' ' && at[1] == '(') {
            at = weiri_ir_skip(at + 1);
        } else {
            return at;
        }
    }
}

/* ---- What is of SPIR-V alone ----------------------------------------------- */

/* The words of @at that are dropped: their length with the blank behind, or 0. */
static size_t dropped(const char *at)
{
    static const char *const words[] = { "spir_func ", "spir_kernel " };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_str_has_prefix(at, words[i])) {
            return strlen(words[i]);
        }
    }
    return 0;
}

/* A name of an intrinsic, less the numbers of address spaces: p3i8 becomes p0i8. */
static void add_intrinsic(GString *out, const char *at, const char *end)
{
    while (at < end) {
        g_string_append_c(out, *at);
        if (at[0] == '.' && at[1] == 'p' && g_ascii_isdigit(at[2])) {
            g_string_append(out, "p0");
            at += 2;
            while (g_ascii_isdigit(*at)) {
                at++;
            }
        } else {
            at++;
        }
    }
}

/* Operations of debug information that name an address space. */
static const char *skip_space_operations(const char *at, GString *out)
{
    static const char first[] = "DW_OP_constu, ", rest[] = ", DW_OP_swap, DW_OP_xderef";
    if (!g_str_has_prefix(at, first)) {
        return at;
    }
    const char *number = word_end(at + strlen(first));
    if (!g_str_has_prefix(number, rest)) {
        return at;
    }
    at = number + strlen(rest);
    if (g_str_has_prefix(at, ", ")) {
        return at + 2;
    }
    if (out->len >= 2 && strcmp(out->str + out->len - 2, ", ") == 0) {
        g_string_truncate(out, out->len - 2);
    }
    return at;
}

char *weiri_ir_plain(const char *line)
{
    static const char space[] = " addrspace(", cast[] = "addrspacecast",
                      target[] = "target(\"spirv.";
    GString *out = g_string_sized_new(strlen(line));
    for (const char *at = line; *at != '\0';) {
        const char *end = at;
        if (*at == '"') {
            end = string_end(at);
        } else if (g_str_has_prefix(at, space)) {
            at = weiri_ir_skip(at + strlen(space) - 1);
            continue;
        } else if (g_str_has_prefix(at, "@llvm.")) {
            end = weiri_ir_name_end(at);
            add_intrinsic(out, at, end);
            at = end;
            continue;
        } else if (*at == '@' || *at == '%' || *at == '!') {
            end = weiri_ir_name_end(at);
        } else if (is_word(at, cast)) {
            g_string_append(out, "bitcast");
            at += strlen(cast);
            continue;
        } else if (g_str_has_prefix(at, target)) {
            g_string_append(out, "ptr");
            at = weiri_ir_skip(at + strlen("target"));
            continue;
        } else if (dropped(at) > 0) {
            at += dropped(at);
            continue;
        } else if (*at == 'D' && skip_space_operations(at, out) != at) {
            at = skip_space_operations(at, out);
            continue;
        } else if (is_name(*at)) {
            end = word_end(at);
        } else {
            end = at + 1;
        }
        g_string_append_len(out, at, end - at);
        at = end;
    }
    return g_string_free(out, FALSE);
}

/* ---- Calls ----------------------------------------------------------------- */

/* The end of the attributes of an operand or of a result. */
static const char *attributes_end(const char *at)
{
    static const char *const words[] = {
        "noundef",   "signext",         "zeroext",
        "inreg",     "byval",           "byref",
        "sret",      "noalias",         "nonnull",
        "nocapture", "readonly",        "readnone",
        "writeonly", "returned",        "immarg",
        "nofree",    "captures",        "range",
        "nofpclass", "dereferenceable", "dereferenceable_or_null",
        "align",     "initializes",     "noext",
        "writable",  "dead_on_unwind",
    };
    for (;;) {
        bool found = false;
        for (size_t i = 0; i < G_N_ELEMENTS(words) && !found; i++) {
            found = is_word(at, words[i]);
        }
        if (!found) {
            return at;
        }
        bool aligns = is_word(at, "align") && at[5] == ' ';
        at = word_end(at);
        if (*at == '(') {
            at = weiri_ir_skip(at);
        } else if (aligns) {
            at = word_end(blanks_end(at));
        }
        at = blanks_end(at);
    }
}

static bool add_operand(GArray *operands, const char *text)
{
    const char *end = weiri_ir_type_end(text);
    if (end == NULL) {
        return false;
    }
    const char *from = blanks_end(end), *to = attributes_end(from);
    struct weiri_ir_operand operand
        = { g_strndup(text, (gsize)(end - text)),
            g_strchomp(g_strndup(from, (gsize)(to - from))), g_strdup(to) };
    g_array_append_val(operands, operand);
    return true;
}

static void clear_operand(void *data)
{
    struct weiri_ir_operand *operand = data;
    g_free(operand->type);
    g_free(operand->attributes);
    g_free(operand->value);
}

void weiri_ir_call_clear(struct weiri_ir_call *call)
{
    g_free(call->result);
    g_free(call->type);
    g_free(call->callee);
    if (call->operands != NULL) {
        g_array_unref(call->operands);
    }
    *call = (struct weiri_ir_call){ 0 };
}

/* From behind "call", "define" or "declare": words, a type, a name, a list. */
static bool parse(const char *at, struct weiri_ir_call *call)
{
    const char *end;
    at = attributes_end(blanks_end(at));
    while ((end = weiri_ir_type_end(at)) == NULL) {
        if (*at == '!') { /* "declare !dbg !3 …" */
            end = weiri_ir_name_end(at);
        } else {
            end = word_end(at);
            if (end == at || *end == '\0') {
                return false;
            }
            end = *end == '(' ? weiri_ir_skip(end) : end;
        }
        at = attributes_end(blanks_end(end));
    }
    /* "i32 (i8*, ...)" is the type of a function. */
    const char *list = at;
    while (list < end && *list != '(') {
        list = weiri_ir_skip(list);
    }
    call->variadic
        = list < end && strstr(list, "...") != NULL && strstr(list, "...") < end;
    call->type = g_strchomp(g_strndup(at, (gsize)(list - at)));
    at = blanks_end(end);
    if (*at != '@' && *at != '%') {
        return false;
    }
    call->name = at;
    end = weiri_ir_name_end(at);
    if (*end != '(') {
        return false;
    }
    call->callee = g_strndup(at, (gsize)(end - at));
    call->open = end;
    call->close = weiri_ir_skip(end);
    call->operands = g_array_new(FALSE, FALSE, sizeof(struct weiri_ir_operand));
    g_array_set_clear_func(call->operands, clear_operand);
    GPtrArray *list_of = weiri_ir_list(call->open + 1, call->close - 1);
    bool known = true;
    for (guint i = 0; i < list_of->len; i++) {
        const char *text = g_ptr_array_index(list_of, i);
        if (strcmp(text, "...") == 0) {
            call->variadic = true;
        } else {
            known = add_operand(call->operands, text) && known;
        }
    }
    g_ptr_array_unref(list_of);
    return known;
}

static bool parsed(const char *at, struct weiri_ir_call *call)
{
    if (parse(at, call)) {
        return true;
    }
    weiri_ir_call_clear(call);
    return false;
}

bool weiri_ir_call_parse(const char *line, struct weiri_ir_call *call)
{
    *call = (struct weiri_ir_call){ 0 };
    const char *at = blanks_end(line);
    char *result = NULL;
    if (*at == '%') {
        const char *end = weiri_ir_name_end(at);
        if (!g_str_has_prefix(end, " = ")) {
            return false;
        }
        result = g_strndup(at, (gsize)(end - at));
        at = end + 3;
    }
    static const char *const before[] = { "tail ", "musttail ", "notail " };
    for (size_t i = 0; i < G_N_ELEMENTS(before); i++) {
        at += g_str_has_prefix(at, before[i]) ? strlen(before[i]) : 0;
    }
    if (!g_str_has_prefix(at, "call ") || !parsed(at + 5, call)) {
        g_free(result);
        return false;
    }
    call->result = result;
    return true;
}

bool weiri_ir_header_parse(const char *line, struct weiri_ir_call *header)
{
    *header = (struct weiri_ir_call){ 0 };
    const char *at = word_end(line);
    return parsed(at, header);
}

/* ---- Metadata -------------------------------------------------------------- */

char *weiri_ir_field(const char *node, const char *key)
{
    const char *at = node != NULL ? strchr(node, '(') : NULL;
    if (at == NULL) {
        return NULL;
    }
    const char *end = weiri_ir_skip(at) - 1;
    size_t length = strlen(key);
    for (at++; at < end;) {
        at = blanks_end(at);
        const char *comma = weiri_ir_find(at, end, ",");
        const char *stop = comma != NULL ? comma : end;
        if (strncmp(at, key, length) == 0 && at[length] == ':') {
            at = blanks_end(at + length + 1);
            char *value = g_strndup(at, (gsize)(stop - at));
            size_t n = strlen(value);
            if (n >= 2 && value[0] == '"') {
                value[n - 1] = '\0';
                memmove(value, value + 1, n - 1);
            }
            return value;
        }
        at = stop + 1;
    }
    return NULL;
}

const char *weiri_ir_node(const struct weiri_ir_tables *tables, const char *node,
                          const char *key)
{
    char *id = weiri_ir_field(node, key);
    const char *found = id != NULL ? g_hash_table_lookup(tables->metadata, id) : NULL;
    g_free(id);
    return found;
}

const char *weiri_ir_attached(const struct weiri_ir_tables *tables, const char *line,
                              const char *key)
{
    char *word = g_strdup_printf("!%s !", key);
    const char *at = g_strrstr(line, word);
    const char *found = NULL;
    if (at != NULL) {
        at += strlen(word) - 1;
        char *id = g_strndup(at, (gsize)(weiri_ir_name_end(at) - at));
        found = g_hash_table_lookup(tables->metadata, id);
        g_free(id);
    }
    g_free(word);
    return found;
}

/* ---- Loads and stores ------------------------------------------------------- */

void weiri_ir_access_clear(struct weiri_ir_access *access)
{
    g_free(access->result);
    g_free(access->type);
    g_free(access->value);
    g_free(access->pointer_type);
    g_free(access->pointer);
    g_free(access->place);
}

static char *place_in(const char *line)
{
    const char *at = g_strrstr(line, ", !dbg ");
    return at == NULL
        ? g_strdup("")
        : g_strndup(at, (gsize)(weiri_ir_name_end(at + strlen(", !dbg ")) - at));
}

/* Splits "i32* %2": the value is behind the type. */
static bool split_operand(const char *text, char **type, char **value)
{
    const char *end = weiri_ir_type_end(text);
    if (end == NULL || *end != ' ') {
        return false;
    }
    *type = g_strndup(text, (gsize)(end - text));
    *value = g_strdup(end + 1);
    return true;
}

bool weiri_ir_access_parse(const char *line, struct weiri_ir_access *access)
{
    *access = (struct weiri_ir_access){ 0 };
    const char *at = line + strspn(line, " "), *load = strstr(at, " = load ");
    bool stores = g_str_has_prefix(at, "store ");
    if (!stores && (*at != '%' || load == NULL)) {
        return false;
    }
    const char *operands = stores ? at + strlen("store ") : load + strlen(" = load ");
    if (g_str_has_prefix(operands, "volatile ")) {
        operands += strlen("volatile ");
    }
    if (g_str_has_prefix(operands, "atomic ")) {
        return false;
    }
    GPtrArray *parts = weiri_ir_list(operands, line + strlen(line));
    bool known = parts->len >= 2
        && split_operand(g_ptr_array_index(parts, 1), &access->pointer_type,
                         &access->pointer);
    if (known && stores) {
        known
            = split_operand(g_ptr_array_index(parts, 0), &access->type, &access->value);
    } else if (known) {
        access->result = g_strndup(at, (gsize)(load - at));
        access->type = g_strdup(g_ptr_array_index(parts, 0));
    }
    access->alignment = 1;
    if (known && parts->len > 2
        && g_str_has_prefix(g_ptr_array_index(parts, 2), "align ")) {
        const char *text = g_ptr_array_index(parts, 2);
        access->alignment
            = (unsigned)g_ascii_strtoull(text + strlen("align "), NULL, 10);
    }
    access->place = place_in(line);
    g_ptr_array_unref(parts);
    if (!known) {
        weiri_ir_access_clear(access);
    }
    return known;
}

size_t weiri_ir_elements(const char *type, char **element)
{
    char *by;
    if (type[0] != '<' || type[1] == '{') {
        return 0;
    }
    size_t n = g_ascii_strtoull(type + 1, &by, 10);
    if (!g_str_has_prefix(by, " x ")) {
        return 0;
    }
    *element = g_strndup(by + 3, strlen(by + 3) - 1);
    return n;
}

/* ---- Sizes -------------------------------------------------------------- */

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static bool layout_of_struct(const struct weiri_ir_tables *tables, const char *list,
                             const char *end, bool packed, size_t *bytes,
                             size_t *alignment)
{
    GPtrArray *members = weiri_ir_list(list, end);
    bool known = true;
    *bytes = 0;
    *alignment = 1;
    for (guint i = 0; i < members->len && known; i++) {
        size_t size = 0, align = 1;
        known = weiri_ir_layout(tables, g_ptr_array_index(members, i), &size, &align);
        align = packed ? 1 : align;
        *bytes = round_up(*bytes, align) + size;
        *alignment = MAX(*alignment, align);
    }
    *bytes = round_up(*bytes, *alignment);
    g_ptr_array_unref(members);
    return known;
}

bool weiri_ir_layout(const struct weiri_ir_tables *tables, const char *type,
                     size_t *bytes, size_t *alignment)
{
    size_t length = strlen(type);
    if (length == 0) {
        return false;
    }
    if (type[length - 1] == '*' || strcmp(type, "ptr") == 0) {
        *bytes = *alignment = sizeof(void *);
        return true;
    }
    if (type[0] == '%') {
        const char *text = g_hash_table_lookup(tables->types, type);
        return text != NULL && weiri_ir_layout(tables, text, bytes, alignment);
    }
    if (type[0] == '{') {
        return layout_of_struct(tables, type + 1, type + length - 1, false, bytes,
                                alignment);
    }
    if (type[0] == '<' && type[1] == '{') {
        return layout_of_struct(tables, type + 2, type + length - 2, true, bytes,
                                alignment);
    }
    if (type[0] == '[' || type[0] == '<') { /* "[4 x i32]", "<4 x i32>" */
        char *by;
        size_t count = g_ascii_strtoull(type + 1, &by, 10), each, align;
        if (!g_str_has_prefix(by, " x ")) {
            return false;
        }
        char *of = g_strndup(by + 3, (gsize)(type + length - 1 - (by + 3)));
        bool known = weiri_ir_layout(tables, of, &each, &align);
        g_free(of);
        if (type[0] == '<') { /* a vector has the size of the next power of two */
            size_t places = 1;
            while (places < count) {
                places *= 2;
            }
            *bytes = *alignment = places * (known ? each : 0);
        } else {
            *bytes = known ? count * each : 0;
            *alignment = known ? align : 1;
        }
        return known;
    }
    static const struct {
        const char *name;
        size_t bytes;
    } words[] = { { "i1", 1 },  { "i8", 1 },   { "i16", 2 },   { "i32", 4 },
                  { "i64", 8 }, { "half", 2 }, { "float", 4 }, { "double", 8 } };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(type, words[i].name) == 0) {
            *bytes = *alignment = words[i].bytes;
            return true;
        }
    }
    return false;
}

static void mark_struct(const struct weiri_ir_tables *tables, const char *list,
                        const char *end, bool packed, char *map)
{
    GPtrArray *members = weiri_ir_list(list, end);
    size_t offset = 0;
    for (guint i = 0; i < members->len; i++) {
        const char *type = g_ptr_array_index(members, i);
        size_t bytes = 0, alignment = 1;
        (void)weiri_ir_layout(tables, type, &bytes, &alignment);
        offset = round_up(offset, packed ? 1 : alignment);
        weiri_ir_mark_members(tables, type, map + offset);
        offset += bytes;
    }
    g_ptr_array_unref(members);
}

void weiri_ir_mark_members(const struct weiri_ir_tables *tables, const char *type,
                           char *map)
{
    size_t length = strlen(type), bytes = 0, alignment;
    const char *text = type[0] == '%' ? g_hash_table_lookup(tables->types, type) : NULL;
    if (g_str_has_prefix(type, "%union.")
        || !weiri_ir_layout(tables, type, &bytes, &alignment)) {
        return; /* of which member the bytes are is not known */
    }
    if (text != NULL) {
        weiri_ir_mark_members(tables, text, map);
    } else if (type[0] == '{') {
        mark_struct(tables, type + 1, type + length - 1, false, map);
    } else if (type[0] == '<' && type[1] == '{') {
        mark_struct(tables, type + 2, type + length - 2, true, map);
    } else if ((type[0] == '[' || type[0] == '<') && type[length - 1] != '*') {
        char *by;
        size_t count = g_ascii_strtoull(type + 1, &by, 10);
        char *of = g_strndup(by + 3, (gsize)(type + length - 1 - (by + 3)));
        size_t each = 0;
        (void)weiri_ir_layout(tables, of, &each, &alignment);
        for (size_t i = 0; i < count; i++) {
            weiri_ir_mark_members(tables, of, map + i * each);
        }
        g_free(of);
    } else {
        memset(map, 'x', bytes);
    }
}
