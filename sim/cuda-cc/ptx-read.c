/* SPDX-License-Identifier: MIT
 *
 * ptx-read.c: PTX as a C++ source has it in an asm statement: text to statements.
 *
 *     { .reg .pred p; setp.ne.b32 p, %1, 0; @p bra L; ... L: }
 *
 * Any text is read to its end or to the first mistake.
 *
 * Follows: PTX ISA 8.5, 4.2 to 4.5 and 5.1. */
#include "config.h"

#include "cuda-cc/ptx.h"

#include <stdlib.h>
#include <string.h>

/* More than any source has: so no text makes the reader's own stack deep. */
enum { MOST_DEPTH = 32, MOST_REGISTERS = 4096 };

struct reader {
    const char *at;
    struct weiri_ptx_text *text;
    unsigned block, depth;
};

/* ---- Characters ------------------------------------------------------------ */

static void fail(struct reader *reader, const char *what)
{
    if (reader->text->error == NULL) {
        g_autofree char *near = g_strndup(reader->at, 24);
        g_strdelimit(near, "\n\r\t\002", ' ');
        g_strdelimit(near, "\001", '%');
        g_autofree char *valid = g_str_to_ascii(near, "C");
        reader->text->error = *reader->at == '\0'
            ? g_strdup_printf("PTX: %s at the end of the text", what)
            : g_strdup_printf("PTX: %s at '%s'", what, valid);
    }
}

static bool has_failed(const struct reader *reader)
{
    return reader->text->error != NULL;
}

static void skip_space(struct reader *reader)
{
    for (;;) {
        if (g_ascii_isspace(*reader->at)) {
            reader->at++;
        } else if (g_str_has_prefix(reader->at, "//")) {
            reader->at += strcspn(reader->at, "\n");
        } else if (g_str_has_prefix(reader->at, "/*")) {
            const char *end = strstr(reader->at + 2, "*/");
            reader->at = end != NULL ? end + 2 : reader->at + strlen(reader->at);
        } else {
            return;
        }
    }
}

static bool take(struct reader *reader, char c)
{
    skip_space(reader);
    if (*reader->at != c) {
        return false;
    }
    reader->at++;
    return true;
}

static void expect(struct reader *reader, char c)
{
    if (!take(reader, c)) {
        const char what[] = { '\'', c,   '\'', ' ', 'i', 's', ' ', 'm',
                              'i',  's', 's',  'i', 'n', 'g', '\0' };
        fail(reader, what);
    }
}

static bool is_letter(char c)
{
    return g_ascii_isalpha(c) || c == '_' || c == '$' || c == '%';
}

static bool is_of_name(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* A name, with "." and "::" too if @dotted; NULL: there is none. */
static char *read_word(struct reader *reader, bool dotted)
{
    const char *start = reader->at, *at = start;
    if (!is_letter(*at) && !(dotted && *at == '.')) {
        return NULL;
    }
    at++;
    while (is_of_name(*at) || (dotted && (*at == '.' || *at == ':'))) {
        at++;
    }
    reader->at = at;
    return g_strndup(start, (size_t)(at - start));
}

/* ---- Numbers --------------------------------------------------------------- */

static struct weiri_ptx_operand *new_operand(enum weiri_ptx_kind kind)
{
    struct weiri_ptx_operand *operand = g_new0(struct weiri_ptx_operand, 1);
    operand->kind = kind;
    return operand;
}

static void free_operand(void *data)
{
    struct weiri_ptx_operand *operand = data;
    if (operand != NULL) {
        g_free(operand->name);
        g_clear_pointer(&operand->parts, g_ptr_array_unref);
        g_free(operand);
    }
}

static GPtrArray *new_parts(void)
{
    return g_ptr_array_new_with_free_func(free_operand);
}

/* 0f and 8 digits, 0d and 16: the bits of a number. */
static bool read_bits(struct reader *reader, struct weiri_ptx_operand *operand)
{
    char form = g_ascii_tolower(reader->at[0] != '\0' ? reader->at[1] : '\0');
    size_t n = form == 'f' ? 8 : 16, have = 0;
    if (reader->at[0] != '0' || (form != 'f' && form != 'd')) {
        return false;
    }
    uint64_t bits = 0;
    while (g_ascii_isxdigit(reader->at[2 + have]) && have < n) {
        bits = bits << 4 | (uint64_t)g_ascii_xdigit_value(reader->at[2 + have++]);
    }
    if (have != n || is_of_name(reader->at[2 + n])) {
        fail(reader,
             form == 'f' ? "0f needs 8 hexadecimal digits"
                         : "0d needs 16 hexadecimal digits");
    }
    reader->at += 2 + have;
    operand->kind = form == 'f' ? WEIRI_PTX_FLOAT : WEIRI_PTX_DOUBLE;
    operand->bits = bits;
    return true;
}

static void read_integer(struct reader *reader, struct weiri_ptx_operand *operand)
{
    const char *at = reader->at;
    bool binary = at[0] == '0' && g_ascii_tolower(at[1]) == 'b';
    bool hex = at[0] == '0' && g_ascii_tolower(at[1]) == 'x';
    char *end;
    at += binary ? 2 : 0;
    operand->bits = g_ascii_strtoull(at, &end,
                                     binary             ? 2
                                         : hex          ? 16
                                         : at[0] == '0' ? 8
                                                        : 10);
    bool none = end == at || (binary && !g_ascii_isdigit(*at));
    reader->at = end + (*end == 'U' && !none);
    if (none || is_of_name(*reader->at)) {
        fail(reader, "a number is expected");
    }
}

static bool is_decimal(const char *at)
{
    size_t n = strspn(at, "0123456789");
    return at[n] == '.' && g_ascii_isdigit(at[n + 1]);
}

static void read_number(struct reader *reader, struct weiri_ptx_operand *operand)
{
    operand->kind = WEIRI_PTX_NUMBER;
    if (is_decimal(reader->at)) {
        char *end;
        double value = g_ascii_strtod(reader->at, &end);
        reader->at = end;
        operand->kind = WEIRI_PTX_DOUBLE;
        memcpy(&operand->bits, &value, sizeof(value));
    } else if (!read_bits(reader, operand)) {
        read_integer(reader, operand);
    }
}

/* ---- Operands -------------------------------------------------------------- */

static void read_argument(struct reader *reader, struct weiri_ptx_operand *operand)
{
    char *end;
    operand->kind = WEIRI_PTX_ARGUMENT;
    operand->bits = g_ascii_strtoull(reader->at + 1, &end, 10);
    reader->at = end + (*end == WEIRI_PTX_CLOSE);
}

static void read_name(struct reader *reader, struct weiri_ptx_operand *operand)
{
    bool special = *reader->at == '%';
    char *word = read_word(reader, special);
    if (word == NULL) {
        fail(reader, "an operand is expected");
    } else if (strcmp(word, "_") == 0) {
        operand->kind = WEIRI_PTX_SINK;
        g_free(word);
    } else {
        operand->kind = special ? WEIRI_PTX_SPECIAL : WEIRI_PTX_NAME;
        operand->name = word;
    }
}

static struct weiri_ptx_operand *read_simple(struct reader *reader)
{
    struct weiri_ptx_operand *operand = new_operand(WEIRI_PTX_NAME);
    while (take(reader, '-') || take(reader, '!')) {
        operand->negative = !operand->negative;
    }
    (void)(take(reader, '+'));
    skip_space(reader);
    if (*reader->at == WEIRI_PTX_OPEN) {
        read_argument(reader, operand);
    } else if (g_ascii_isdigit(*reader->at)) {
        read_number(reader, operand);
    } else {
        read_name(reader, operand);
    }
    return operand;
}

/* "[a]", "[a+16]", "[16]", "[a+b]"; the sum of all numbers is one. */
static void read_address(struct reader *reader, struct weiri_ptx_operand *address)
{
    address->parts = new_parts();
    do {
        struct weiri_ptx_operand *part = read_simple(reader);
        if (part->kind == WEIRI_PTX_NUMBER) {
            address->bits += part->negative ? -part->bits : part->bits;
            free_operand(part);
        } else if (address->parts->len < 2 && !part->negative) {
            g_ptr_array_add(address->parts, part);
        } else {
            fail(reader, "an address has a base and an offset");
            free_operand(part);
        }
        skip_space(reader);
    } while (!has_failed(reader) && (take(reader, '+') || *reader->at == '-'));
    expect(reader, ']');
}

static struct weiri_ptx_operand *read_operand(struct reader *reader);

static void read_vector(struct reader *reader, struct weiri_ptx_operand *vector)
{
    vector->parts = new_parts();
    do {
        g_ptr_array_add(vector->parts, read_operand(reader));
    } while (!has_failed(reader) && take(reader, ','));
    expect(reader, '}');
}

static struct weiri_ptx_operand *read_pair(struct reader *reader,
                                           struct weiri_ptx_operand *first)
{
    struct weiri_ptx_operand *pair = new_operand(WEIRI_PTX_PAIR);
    pair->parts = new_parts();
    g_ptr_array_add(pair->parts, first);
    g_ptr_array_add(pair->parts, read_simple(reader));
    return pair;
}

static struct weiri_ptx_operand *read_operand(struct reader *reader)
{
    struct weiri_ptx_operand *operand = new_operand(WEIRI_PTX_AT);
    if (++reader->depth > MOST_DEPTH) {
        fail(reader, "too many '{'");
    } else if (take(reader, '[')) {
        read_address(reader, operand);
    } else if (take(reader, '{')) {
        operand->kind = WEIRI_PTX_VECTOR;
        read_vector(reader, operand);
    } else {
        free_operand(operand);
        operand = read_simple(reader);
    }
    reader->depth--;
    return !has_failed(reader) && take(reader, '|') ? read_pair(reader, operand)
                                                    : operand;
}

/* ---- Statements ------------------------------------------------------------ */

static void free_statement(void *data)
{
    struct weiri_ptx_statement *statement = data;
    g_free(statement->name);
    g_free(statement->type);
    free_operand(statement->guard);
    g_clear_pointer(&statement->operands, g_ptr_array_unref);
    g_free(statement);
}

static struct weiri_ptx_statement *add(struct reader *reader, enum weiri_ptx_form form,
                                       char *name)
{
    struct weiri_ptx_statement *statement = g_new0(struct weiri_ptx_statement, 1);
    statement->form = form;
    statement->name = name;
    statement->block = reader->block;
    g_ptr_array_add(reader->text->statements, statement);
    return statement;
}

static void add_register(struct reader *reader, char *name, const char *type)
{
    if (reader->text->statements->len > MOST_REGISTERS) {
        fail(reader, "too many registers");
    }
    add(reader, WEIRI_PTX_REGISTER, name)->type = g_strdup(type);
}

/* "r" or "r<4>", which is r0 to r3. */
static void read_register(struct reader *reader, const char *type)
{
    skip_space(reader);
    g_autofree char *name = read_word(reader, false);
    if (name == NULL) {
        fail(reader, "the name of a register is expected");
    } else if (take(reader, '<')) {
        struct weiri_ptx_operand n = { 0 };
        skip_space(reader);
        read_integer(reader, &n);
        expect(reader, '>');
        for (uint64_t i = 0; i < n.bits && !has_failed(reader); i++) {
            add_register(reader, g_strdup_printf("%s%" G_GUINT64_FORMAT, name, i),
                         type);
        }
    } else {
        add_register(reader, g_steal_pointer(&name), type);
    }
}

/* The rest of ".reg .b32 a, b;". */
static void read_registers(struct reader *reader)
{
    skip_space(reader);
    g_autofree char *type = *reader->at == '.' ? read_word(reader, true) : NULL;
    if (type == NULL) {
        fail(reader, "the type of a register is expected");
        return;
    }
    do {
        read_register(reader, type + 1);
    } while (!has_failed(reader) && take(reader, ','));
    expect(reader, ';');
}

static void read_instruction(struct reader *reader, char *name,
                             struct weiri_ptx_operand *guard)
{
    struct weiri_ptx_statement *statement = add(reader, WEIRI_PTX_INSTRUCTION, name);
    statement->guard = guard;
    statement->operands = new_parts();
    if (take(reader, ';')) {
        return;
    }
    do {
        g_ptr_array_add(statement->operands, read_operand(reader));
    } while (!has_failed(reader) && take(reader, ','));
    expect(reader, ';');
}

static void open_block(struct reader *reader)
{
    g_array_append_val(reader->text->outer, reader->block);
    reader->block = reader->text->outer->len - 1;
}

static void close_block(struct reader *reader)
{
    if (reader->block == 0) {
        reader->at--;
        fail(reader, "a '}' without its '{'");
        return;
    }
    reader->block = g_array_index(reader->text->outer, unsigned, reader->block);
}

static bool read_label(struct reader *reader)
{
    const char *start = reader->at;
    char *word = read_word(reader, false);
    skip_space(reader);
    if (word != NULL && reader->at[0] == ':' && reader->at[1] != ':') {
        reader->at++;
        add(reader, WEIRI_PTX_LABEL, word);
        return true;
    }
    g_free(word);
    reader->at = start;
    return false;
}

static void read_statement(struct reader *reader)
{
    struct weiri_ptx_operand *guard = NULL;
    if (take(reader, ';')) {
        return;
    }
    if (take(reader, '{')) {
        open_block(reader);
        return;
    }
    if (take(reader, '}')) {
        close_block(reader);
        return;
    }
    if (take(reader, '@')) {
        guard = read_simple(reader);
    } else if (read_label(reader)) {
        return;
    }
    skip_space(reader);
    char *name = has_failed(reader) ? NULL : read_word(reader, true);
    if (name != NULL && guard == NULL && strcmp(name, ".reg") == 0) {
        g_free(name);
        read_registers(reader);
    } else if (name != NULL && name[0] != '.') {
        read_instruction(reader, name, guard);
    } else {
        fail(reader,
             name != NULL ? "a directive that Weir does not know"
                          : "an instruction is expected");
        g_free(name);
        free_operand(guard);
    }
}

struct weiri_ptx_text *weiri_ptx_read(const char *text)
{
    struct weiri_ptx_text *made = g_new0(struct weiri_ptx_text, 1);
    const unsigned outermost = 0;
    struct reader reader = { text, made, 0, 0 };
    made->statements = g_ptr_array_new_with_free_func(free_statement);
    made->outer = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(made->outer, outermost);
    skip_space(&reader);
    while (*reader.at != '\0' && !has_failed(&reader)) {
        read_statement(&reader);
        skip_space(&reader);
    }
    if (reader.block != 0) {
        fail(&reader, "'}' is missing");
    }
    return made;
}

void weiri_ptx_free(struct weiri_ptx_text *text)
{
    g_ptr_array_unref(text->statements);
    g_array_unref(text->outer);
    g_free(text->error);
    g_free(text);
}
