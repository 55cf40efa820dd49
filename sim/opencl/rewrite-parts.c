/* SPDX-License-Identifier: MIT
 *
 * rewrite-parts.c: elements of a vector. Each is a memory location of its own, but the
 * front end assigns to one by a load of the whole, a change, and a store of the whole:
 *
 *     %11 = load <4 x float>, <4 x float>* %7
 *     %12 = insertelement <4 x float> %11, float %10, i64 0
 *     store <4 x float> %12, <4 x float>* %7
 *
 * Elements that another item assigns to in between would be written back. So the
 * elements alone are stored, in all entries. In checked code elements alone are read,
 * too, where a load of the whole has one use, which takes elements of it:
 *
 *     %11 = load <4 x float>, <4 x float>* %7
 *     %12 = extractelement <4 x float> %11, i64 0
 *
 * The lines of an assignment follow each other, so that nothing is accessed between
 * them, and no other line uses the values in the middle. Between a load and its use the
 * index may be made, but nothing is written. Any other form stays as it is: the source
 * has an access of the whole there. Vectors of private memory stay whole where they
 * become registers. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* The bits of all elements. */
#define EVERY(n) (((uint64_t)1 << (n)) - 1)

/* How often the rest of the function, from @lines on, names the value. */
static guint n_uses(char **lines, const char *value)
{
    guint n = 0;
    size_t length = strlen(value);
    for (; *lines != NULL && strcmp(*lines, "}") != 0; lines++) {
        for (const char *at = strstr(*lines, value); at != NULL;
             at = strstr(at + 1, value)) {
            n += weiri_ir_name_end(at) == at + length;
        }
    }
    return n;
}

/* The elements that a mask "<i32 4, i32 1, i32 5, i32 undef>" takes, as bits: of the
 * places that get one of the second vector, or of the first vector's elements. */
static uint64_t masked(const char *mask, size_t n, bool second)
{
    uint64_t taken = 0;
    GPtrArray *list = weiri_ir_list(mask + 1, weiri_ir_skip(mask) - 1);
    for (guint i = 0; i < list->len; i++) {
        const char *index = strchr(g_ptr_array_index(list, i), ' ');
        if (index == NULL || !g_ascii_isdigit(index[1])) {
            continue; /* undef */
        }
        uint64_t from = g_ascii_strtoull(index + 1, NULL, 10);
        if (second ? from >= n : from < n) {
            taken |= (uint64_t)1 << (second ? i : from);
        }
    }
    g_ptr_array_unref(list);
    return taken;
}

/* What an instruction between the load and the store takes from another value than
 * @loaded: "insertelement T %3, float %2, i64 1", or
 * "shufflevector T %3, T %4, <4 x i32> <i32 4, i32 1, i32 5, i32 undef>". Where a value
 * is the index, as in "insertelement T %3, float %2, i32 %5", *@index is "i32 %5". */
static uint64_t elements_taken(const char *instruction, size_t n, const char *loaded,
                               char **index)
{
    const char *operands = strchr(instruction, ' ');
    GPtrArray *list = weiri_ir_list(operands + 1, operands + strlen(operands));
    uint64_t taken = 0;
    const char *first = list->len == 3 ? g_ptr_array_index(list, 0) : "";
    const char *last = list->len == 3 ? g_ptr_array_index(list, 2) : "";
    const char *end = weiri_ir_type_end(first), *value = weiri_ir_type_end(last);
    if (end == NULL || value == NULL || *value != ' ') {
        /* another form */
    } else if (g_str_has_prefix(instruction, "insertelement ")) {
        char *stop;
        uint64_t at = g_ascii_strtoull(value + 1, &stop, 10);
        if (strcmp(end + 1, loaded) != 0) {
            /* a change of another vector */
        } else if (value[1] == '%') {
            *index = g_strdup(last);
            taken = EVERY(n);
        } else if (stop > value + 1 && at < n) {
            taken = (uint64_t)1 << at;
        }
    } else if (strcmp(end + 1, loaded) != 0) {
        taken = EVERY(n);
    } else if (value[1] == '<') {
        taken = masked(value + 1, n, true);
    }
    g_ptr_array_unref(list);
    return taken;
}

void weiri_rewriter_parts_clear(struct weiri_rewriter_parts *parts)
{
    weiri_ir_access_clear(&parts->load);
    weiri_ir_access_clear(&parts->store);
    g_clear_pointer(&parts->index, g_free);
    g_clear_pointer(&parts->used, g_free);
}

/* The name and the operation of "  %12 = insertelement …", or NULL for another line. */
static char *made_by(char *line, const char **operation)
{
    const char *word = line + strspn(line, " "), *end = weiri_ir_name_end(word);
    char *place = strstr(line, ", !dbg ");
    if (*word != '%' || !g_str_has_prefix(end, " = ")) {
        return NULL;
    }
    if (place != NULL) {
        *place = '\0';
    }
    *operation = end + 3;
    return g_strndup(word, (gsize)(end - word));
}

/* Whether the access, whose line is @line, is that of a vector as a whole. */
static bool is_vector(const char *line, struct weiri_ir_access *access, size_t *n)
{
    char *plain = weiri_ir_plain(line), *element = NULL;
    bool is = weiri_ir_access_parse(plain, access);
    g_free(plain);
    if (!is) {
        return false;
    }
    *n = weiri_ir_elements(access->type, &element);
    /* Elements of one bit share bytes. */
    is = *n > 0 && *n <= 16 && g_strcmp0(element, "i1") != 0;
    g_free(element);
    if (!is) {
        weiri_ir_access_clear(access);
    }
    return is;
}

/* Goes on from the load, of which *@parts knows, to its store. */
static bool find_store(char **lines, struct weiri_rewriter_parts *parts)
{
    char *made = NULL; /* the value of the line before */
    bool goes_on = true, found = false, once = true;
    for (guint i = 1; goes_on && lines[i] != NULL && i < 4; i++) {
        char *line = weiri_ir_plain(lines[i]);
        const char *operation = "";
        char *name = made_by(line, &operation);
        goes_on = g_str_has_prefix(operation, "insertelement ")
            || g_str_has_prefix(operation, "shufflevector ");
        if (goes_on) {
            g_free(made);
            made = g_steal_pointer(&name);
            once = once && n_uses(lines + i, made) == 2;
            g_clear_pointer(&parts->index, g_free);
            parts->elements = elements_taken(operation, parts->n, parts->load.result,
                                             &parts->index);
        } else if (made != NULL && parts->elements != 0 && once
                   && weiri_ir_access_parse(line, &parts->store)) {
            found = g_strcmp0(parts->store.value, made) == 0
                && strcmp(parts->store.pointer, parts->load.pointer) == 0
                && strcmp(parts->store.type, parts->load.type) == 0
                && n_uses(lines, parts->load.result) <= 2;
        }
        parts->n_lines = i + 1;
        g_free(name);
        g_free(line);
    }
    g_free(made);
    return found;
}

bool weiri_rewriter_parts_find(char **lines, struct weiri_rewriter_parts *parts)
{
    *parts = (struct weiri_rewriter_parts){ 0 };
    if (strstr(*lines, " = load ") == NULL
        || !is_vector(*lines, &parts->load, &parts->n)) {
        return false;
    }
    if (!find_store(lines, parts)) {
        weiri_rewriter_parts_clear(parts);
        return false;
    }
    parts->all = parts->index == NULL && parts->elements == EVERY(parts->n);
    return true;
}

/* What "extractelement T %3, i64 1" or "shufflevector T %3, T poison, <…>" takes. */
static void note_taken(const char *operation, struct weiri_rewriter_parts *parts)
{
    const char *operands = strchr(operation, ' ');
    GPtrArray *list = weiri_ir_list(operands + 1, operands + strlen(operands));
    const char *last = g_ptr_array_index(list, list->len - 1);
    const char *value = weiri_ir_type_end(last);
    if (value == NULL || *value != ' ') {
        /* another form */
    } else if (g_str_has_prefix(operation, "shufflevector ")) {
        parts->elements = value[1] == '<' ? masked(value + 1, parts->n, false) : 1;
    } else if (value[1] == '%') {
        parts->index = g_strdup(last);
        parts->elements = EVERY(parts->n);
    } else {
        uint64_t at = g_ascii_strtoull(value + 1, NULL, 10);
        parts->elements = at < parts->n ? (uint64_t)1 << at : 0;
    }
    g_ptr_array_unref(list);
}

/* Whether a line between a load and its use may as well stand before the load: it
 * changes no memory, and orders nothing. The index of an element is made there. */
static bool commutes(const char *operation)
{
    static const char words[]
        = " load sext zext trunc add sub mul and or xor shl lshr ashr icmp ptrtoint "
          "getelementptr bitcast extractelement insertelement shufflevector ";
    const char *end = strchr(operation, ' ');
    char *word = g_strdup_printf(" %.*s ", (int)(end != NULL ? end - operation : 0),
                                 operation);
    bool known = strstr(words, word) != NULL;
    g_free(word);
    return known && !g_str_has_prefix(operation, "load volatile ")
        && !g_str_has_prefix(operation, "load atomic ");
}

/* Whether a line without a value is of clang's own check of the index. */
static bool is_of_check(const char *line)
{
    return *line != ' ' || strstr(line, "!nosanitize ") != NULL;
}

/* The vector whose elements an instruction takes, or NULL. */
static char *taken_of(const char *operation)
{
    if (!g_str_has_prefix(operation, "extractelement ")
        && !g_str_has_prefix(operation, "shufflevector ")) {
        return NULL;
    }
    const char *end = weiri_ir_type_end(strchr(operation, ' ') + 1);
    return end != NULL && end[0] == ' ' && end[1] == '%'
        ? g_strndup(end + 1, (gsize)(weiri_ir_name_end(end + 1) - end - 1))
        : NULL;
}

/* Whether the operation makes three elements of the four that a vector of three is
 * loaded as. */
static bool is_narrow(const char *operation)
{
    static const char mask[] = "<3 x i32> <i32 0, i32 1, i32 2>";
    return g_str_has_prefix(operation, "shufflevector <4 x ")
        && g_str_has_suffix(operation, mask);
}

/* Goes on from the load, of which *@parts knows, to the line that uses it. */
static void find_use(char **lines, struct weiri_rewriter_parts *parts)
{
    bool goes_on = n_uses(lines, parts->used) == 2;
    for (guint i = 1; goes_on && lines[i] != NULL; i++) {
        const char *operation = "";
        char *line = weiri_ir_plain(lines[i]), *name = made_by(line, &operation);
        char *of = name != NULL ? taken_of(operation) : NULL;
        if (g_strcmp0(of, parts->used) != 0) {
            goes_on = name != NULL ? commutes(operation) : is_of_check(lines[i]);
        } else if (!parts->narrow && is_narrow(operation)
                   && n_uses(lines + i, name) == 2) {
            parts->narrow = true;
            g_free(parts->used);
            parts->used = g_strdup(name);
        } else {
            note_taken(operation, parts);
            goes_on = false;
        }
        g_free(of);
        g_free(name);
        g_free(line);
    }
}

static bool find_read(char **lines, struct weiri_rewriter_parts *parts)
{
    *parts = (struct weiri_rewriter_parts){ .n_lines = 1 };
    if (strstr(*lines, " = load ") == NULL
        || !is_vector(*lines, &parts->load, &parts->n)) {
        return false;
    }
    parts->used = g_strdup(parts->load.result);
    find_use(lines, parts);
    if (parts->elements == 0 && parts->narrow) { /* the fourth is padding */
        g_free(parts->used);
        parts->used = g_strdup(parts->load.result);
        parts->narrow = false;
        parts->elements = EVERY(3);
    }
    parts->all = parts->index == NULL && parts->elements == EVERY(parts->n);
    if (parts->elements == 0 || parts->all) {
        weiri_rewriter_parts_clear(parts);
        return false;
    }
    return true;
}

/* The vector whose elements the line takes, or NULL. */
static char *used_by(const char *line)
{
    if (strstr(line, " = extractelement ") == NULL
        && strstr(line, " = shufflevector ") == NULL) {
        return NULL;
    }
    const char *operation = "";
    char *plain = weiri_ir_plain(line), *name = made_by(plain, &operation);
    char *of = name != NULL ? taken_of(operation) : NULL;
    g_free(name);
    g_free(plain);
    return of;
}

/* ---- Accesses of elements --------------------------------------------------- */

/* What all accesses of elements of one vector have in common. */
struct elements {
    char *type; /* of an element */
    size_t bytes;
    char *pointer; /* of the vector; with names of the result */
    unsigned alignment;
    const char *is_volatile;
};

static void elements_init(struct weiri_rewriter *rewriter,
                          const struct weiri_ir_access *access, const char *line,
                          struct elements *elements)
{
    size_t alignment;
    (void)weiri_ir_elements(access->type, &elements->type);
    (void)weiri_ir_layout(&rewriter->tables, elements->type, &elements->bytes,
                          &alignment);
    elements->pointer = weiri_rewriter_names(rewriter, access->pointer);
    elements->alignment = MIN(access->alignment, (unsigned)elements->bytes);
    elements->is_volatile
        = rewriter->checked || strstr(line, " volatile <") != NULL ? "volatile " : "";
}

/* The indices of the elements as operands: "i64 1", "i64 3". */
static GPtrArray *indices_of(const struct weiri_rewriter_parts *parts)
{
    GPtrArray *indices = g_ptr_array_new_with_free_func(g_free);
    if (parts->index != NULL) {
        g_ptr_array_add(indices, g_strdup(parts->index));
    }
    for (guint i = 0; parts->index == NULL && i < parts->n; i++) {
        if ((parts->elements >> i & 1) != 0) {
            g_ptr_array_add(indices, g_strdup_printf("i64 %u", i));
        }
    }
    return indices;
}

static void elements_clear(struct elements *elements)
{
    g_free(elements->type);
    g_free(elements->pointer);
}

/* Adds the address of the element that @index names, "i64 3": @id with ".p". */
static void add_address(struct weiri_rewriter *rewriter,
                        const struct elements *elements,
                        const struct weiri_ir_access *access, const char *id,
                        const char *index)
{
    g_string_append_printf(
        rewriter->body, "  %s.p = getelementptr %s, %s %s, i64 0, %s\n", id,
        access->type, access->pointer_type, elements->pointer, index);
}

/* Stores one element of the value that is to be stored whole. */
static void add_store(struct weiri_rewriter *rewriter, const struct elements *elements,
                      const struct weiri_ir_access *store, const char *index)
{
    char *id = weiri_rewriter_value(rewriter),
         *to = weiri_rewriter_pointer(rewriter, elements->type);
    g_string_append_printf(rewriter->body, "  %s.e = extractelement %s %s, %s\n", id,
                           store->type, store->value, index);
    add_address(rewriter, elements, store, id, index);
    g_string_append_printf(rewriter->body, "  store %s%s %s.e, %s %s.p, align %u%s\n",
                           elements->is_volatile, elements->type, id, to, id,
                           elements->alignment, store->place);
    g_free(id);
    g_free(to);
}

/* Loads one element, and returns the name of its value. */
static char *add_load(struct weiri_rewriter *rewriter, const struct elements *elements,
                      const struct weiri_ir_access *load, const char *index)
{
    char *id = weiri_rewriter_value(rewriter),
         *from = weiri_rewriter_pointer(rewriter, elements->type);
    add_address(rewriter, elements, load, id, index);
    g_string_append_printf(rewriter->body, "  %s.e = load %s%s, %s %s.p, align %u%s\n",
                           id, elements->is_volatile, elements->type, from, id,
                           elements->alignment, load->place);
    g_free(from);
    char *name = g_strconcat(id, ".e", NULL);
    g_free(id);
    return name;
}

static void add_assignment(struct weiri_rewriter *rewriter, char **lines,
                           const struct weiri_rewriter_parts *parts)
{
    struct elements elements = { 0 };
    elements_init(rewriter, &parts->store, *lines, &elements);
    if (rewriter->checked) {
        weiri_rewriter_add_alignment(rewriter, &parts->store, elements.pointer,
                                     elements.bytes);
    }
    for (guint i = 1; i + 1 < parts->n_lines; i++) {
        char *between = weiri_ir_plain(lines[i]),
             *line = weiri_rewriter_names(rewriter, between);
        g_string_append_printf(rewriter->body, "%s\n", line);
        g_free(line);
        g_free(between);
    }
    GPtrArray *indices = indices_of(parts);
    for (guint i = 0; i < indices->len; i++) {
        add_store(rewriter, &elements, &parts->store, g_ptr_array_index(indices, i));
    }
    g_ptr_array_unref(indices);
    elements_clear(&elements);
}

static char *add_read(struct weiri_rewriter *rewriter,
                      const struct weiri_rewriter_parts *parts)
{
    const struct weiri_ir_access *load = &parts->load;
    struct elements elements = { 0 };
    elements_init(rewriter, load, "", &elements);
    weiri_rewriter_add_alignment(rewriter, load, elements.pointer, elements.bytes);
    char *whole = g_strdup("undef");
    GPtrArray *indices = indices_of(parts);
    for (guint i = 0; i < indices->len; i++) {
        const char *index = g_ptr_array_index(indices, i);
        char *one = add_load(rewriter, &elements, load, index);
        char *next = g_strconcat(one, ".w", NULL);
        g_string_append_printf(rewriter->body,
                               "  %s = insertelement %s %s, %s %s, %s\n", next,
                               load->type, whole, elements.type, one, index);
        g_free(one);
        g_free(whole);
        whole = next;
    }
    g_ptr_array_unref(indices);
    if (parts->narrow) {
        char *next = weiri_rewriter_value(rewriter);
        g_string_append_printf(rewriter->body,
                               "  %s = shufflevector %s %s, %s undef, <3 x i32> "
                               "<i32 0, i32 1, i32 2>\n",
                               next, load->type, whole, load->type);
        g_free(whole);
        whole = next;
    }
    elements_clear(&elements);
    return whole;
}

/* ---- Lines ------------------------------------------------------------------ */

static void free_parts(void *data)
{
    weiri_rewriter_parts_clear(data);
    g_free(data);
}

/* By the name of a value, "%3": struct weiri_rewriter_parts that are read before the
 * line that uses it. */
GHashTable *weiri_rewriter_parts_table(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_parts);
}

/* Whether elements of the vector at @pointer are accessed apart from the others: items
 * see those of all address spaces but the private one. In checked code, an access has
 * hooks or is of a private variable that becomes registers. */
static bool is_apart(const struct weiri_rewriter *rewriter, const char *line,
                     const char *pointer)
{
    return rewriter->checked ? !g_hash_table_contains(rewriter->own, pointer)
                             : strstr(line, "addrspace(") != NULL;
}

/* Adds a value in place of that which is loaded: unnamed values have numbers in the
 * order of their lines. */
static void add_undefined(struct weiri_rewriter *rewriter,
                          const struct weiri_ir_access *load)
{
    g_string_append_printf(rewriter->body, "  %s = bitcast %s undef to %s\n",
                           load->result, load->type, load->type);
}

static guint assign(struct weiri_rewriter *rewriter, char **lines)
{
    struct weiri_rewriter_parts parts;
    if (!weiri_rewriter_parts_find(lines, &parts)) {
        return 0;
    }
    bool apart = is_apart(rewriter, *lines, parts.load.pointer);
    if (apart) {
        add_undefined(rewriter, &parts.load);
        add_assignment(rewriter, lines, &parts);
    }
    guint n = apart ? parts.n_lines : 0;
    weiri_rewriter_parts_clear(&parts);
    return n;
}

/* Leaves a load to the line that uses its elements. */
static guint leave(struct weiri_rewriter *rewriter, char **lines)
{
    struct weiri_rewriter_parts parts;
    if (!find_read(lines, &parts)) {
        return 0;
    }
    if (!is_apart(rewriter, *lines, parts.load.pointer)) {
        weiri_rewriter_parts_clear(&parts);
        return 0;
    }
    add_undefined(rewriter, &parts.load);
    g_hash_table_insert(rewriter->late, g_strdup(parts.used),
                        g_memdup2(&parts, sizeof(parts)));
    return 1;
}

/* Adds the line that uses elements of the value @used, which come before it. */
static void use(struct weiri_rewriter *rewriter, const char *line, const char *used,
                const struct weiri_rewriter_parts *parts)
{
    char *plain = weiri_ir_plain(line), *value = add_read(rewriter, parts);
    const char *at = strchr(strstr(plain, " = ") + 3, '%');
    g_string_append_printf(rewriter->body, "%.*s%s%s\n", (int)(at - plain), plain,
                           value, at + strlen(used));
    g_free(value);
    g_free(plain);
}

guint weiri_rewriter_parts(struct weiri_rewriter *rewriter, char **lines)
{
    guint n = assign(rewriter, lines);
    if (n > 0 || !rewriter->checked) {
        return n;
    }
    char *used = used_by(*lines);
    const struct weiri_rewriter_parts *late
        = used != NULL ? g_hash_table_lookup(rewriter->late, used) : NULL;
    if (late != NULL) {
        use(rewriter, *lines, used, late);
        n = 1;
    } else {
        n = leave(rewriter, lines);
    }
    g_free(used);
    return n;
}
