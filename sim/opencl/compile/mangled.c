/* SPDX-License-Identifier: MIT
 *
 * mangled.c: see mangled.h. The part of the Itanium ABI that OpenCL C has: numbers,
 * vectors (Dv4_f), pointers with qualifiers (PU3AS1VKi, PU8CLglobali), names with their
 * length (9ocl_event), and substitutions (S_, S0_), which count every type but numbers
 * and what is qualified alone. */
#include "config.h"

#include "opencl/compile/mangled.h"

#include <string.h>

enum { MOST_SUBSTITUTIONS = 24 };

struct reader {
    const char *at;
    struct weiri_mangled_type known[MOST_SUBSTITUTIONS];
    uint32_t n_known;
};

static const struct {
    const char *code, *scalar, *word;
} scalars[] = {
    { "c", "i8", "char" },   { "a", "i8", "char" },    { "h", "u8", "uchar" },
    { "s", "i16", "short" }, { "t", "u16", "ushort" }, { "i", "i32", "int" },
    { "j", "u32", "uint" },  { "l", "i64", "long" },   { "m", "u64", "ulong" },
    { "x", "i64", "long" },  { "y", "u64", "ulong" },  { "b", "u8", "bool" },
    { "f", "f32", "float" }, { "d", "f64", "double" }, { "Dh", "f16", "half" },
};

static void remember(struct reader *reader, const struct weiri_mangled_type *type)
{
    if (reader->n_known < MOST_SUBSTITUTIONS) {
        reader->known[reader->n_known++] = *type;
    }
}

static uint32_t number(struct reader *reader)
{
    uint32_t n = 0;
    while (g_ascii_isdigit(*reader->at)) {
        n = n * 10 + (uint32_t)(*reader->at++ - '0');
        if (n > 1000) {
            return 0;
        }
    }
    return n;
}

/* Copies a name that its length precedes. */
static bool read_name(struct reader *reader, char *name, size_t room)
{
    uint32_t length = number(reader);
    if (length == 0 || length >= room || strlen(reader->at) < length) {
        return false;
    }
    memcpy(name, reader->at, length);
    name[length] = '\0';
    reader->at += length;
    return true;
}

/* "AS3" or "CLlocal": its number, or of another qualifier -1. */
static int space_of(const char *name)
{
    static const char *const words[]
        = { "CLprivate", "CLglobal", "CLconstant", "CLlocal", "CLgeneric" };
    if (g_str_has_prefix(name, "AS")) {
        return (int)g_ascii_strtoll(name + 2, NULL, 10);
    }
    for (int i = 0; i < (int)G_N_ELEMENTS(words); i++) {
        if (strcmp(name, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_type(struct reader *reader, struct weiri_mangled_type *type);

static bool read_qualified(struct reader *reader, struct weiri_mangled_type *type)
{
    int space = -1;
    bool qualified = false;
    for (;; qualified = true) {
        if (*reader->at == 'U') {
            char name[64];
            reader->at++;
            if (!read_name(reader, name, sizeof(name))) {
                return false;
            }
            space = space_of(name) >= 0 ? space_of(name) : space;
            if (strcmp(name, "_Atomic") == 0) { /* a type of its own, to count */
                if (!read_type(reader, type)) {
                    return false;
                }
                remember(reader, type);
                type->space = space >= 0 ? (uint32_t)space : 0;
                if (qualified) {
                    remember(reader, type);
                }
                return true;
            }
        } else if (*reader->at != '\0' && strchr("VKr", *reader->at) != NULL) {
            reader->at++;
        } else {
            break;
        }
    }
    if (!read_type(reader, type)) {
        return false;
    }
    type->space = space >= 0 ? (uint32_t)space : type->space;
    if (qualified) {
        remember(reader, type);
    }
    return true;
}

static bool read_vector(struct reader *reader, struct weiri_mangled_type *type)
{
    reader->at += 2;
    uint32_t elements = number(reader);
    if (elements == 0 || *reader->at++ != '_' || !read_type(reader, type)) {
        return false;
    }
    type->elements = elements;
    remember(reader, type);
    return true;
}

static bool read_substitution(struct reader *reader, struct weiri_mangled_type *type)
{
    reader->at++;
    uint32_t index = 0;
    if (*reader->at != '_') {
        for (; g_ascii_isalnum(*reader->at); reader->at++) {
            char c = *reader->at;
            index
                = index * 36 + (uint32_t)(g_ascii_isdigit(c) ? c - '0' : 10 + c - 'A');
        }
        index++;
    }
    if (*reader->at++ != '_' || index >= reader->n_known) {
        return false;
    }
    *type = reader->known[index];
    return true;
}

static bool read_type(struct reader *reader, struct weiri_mangled_type *type)
{
    *type = (struct weiri_mangled_type){ 0 };
    char c = *reader->at;
    if (c == 'P') {
        reader->at++;
        if (!read_qualified(reader, type)) {
            return false;
        }
        type->pointer = true;
        remember(reader, type);
        return true;
    }
    if (c == 'U' || c == 'V' || c == 'K' || c == 'r') {
        return read_qualified(reader, type);
    }
    if (g_str_has_prefix(reader->at, "Dv")) {
        return read_vector(reader, type);
    }
    if (c == 'S') {
        return read_substitution(reader, type);
    }
    if (g_ascii_isdigit(c)) {
        if (!read_name(reader, type->name, sizeof(type->name))) {
            return false;
        }
        remember(reader, type);
        return true;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(scalars); i++) {
        if (g_str_has_prefix(reader->at, scalars[i].code)) {
            reader->at += strlen(scalars[i].code);
            g_strlcpy(type->scalar, scalars[i].scalar, sizeof(type->scalar));
            type->elements = 1;
            return true;
        }
    }
    if (c == 'v') {
        reader->at++;
        g_strlcpy(type->name, "void", sizeof(type->name));
        return true;
    }
    return false;
}

bool weiri_mangled_parse(const char *symbol, struct weiri_mangled *mangled)
{
    *mangled = (struct weiri_mangled){ 0 };
    symbol += *symbol == '@';
    if (!g_str_has_prefix(symbol, "_Z") || !g_ascii_isdigit(symbol[2])) {
        return false;
    }
    struct reader reader = { .at = symbol + 2 };
    if (!read_name(&reader, mangled->name, sizeof(mangled->name))) {
        return false;
    }
    if (strcmp(reader.at, "v") == 0) {
        return true;
    }
    while (mangled->n < WEIRI_MANGLED_PARAMETERS && *reader.at != '\0'
           && read_type(&reader, &mangled->types[mangled->n])) {
        mangled->n++;
    }
    return true;
}

char *weiri_mangled_private(const char *symbol)
{
    GString *name = g_string_new(NULL);
    while (*symbol != '\0') {
        if (symbol[0] == 'P' && symbol[1] == 'U') {
            struct reader reader = { .at = symbol + 2 };
            char qualifier[64];
            if (read_name(&reader, qualifier, sizeof(qualifier))
                && space_of(qualifier) >= 0) {
                g_string_append_c(name, 'P');
                symbol = reader.at;
                continue;
            }
        }
        g_string_append_c(name, *symbol++);
    }
    return g_string_free(name, FALSE);
}

static void add_words(GString *out, const struct weiri_mangled_type *type)
{
    static const char *const spaces[]
        = { "private ", "global ", "constant ", "local ", "" };
    if (type->pointer && type->space < G_N_ELEMENTS(spaces)) {
        g_string_append(out, spaces[type->space]);
    }
    const char *word = type->name;
    for (size_t i = 0; i < G_N_ELEMENTS(scalars); i++) {
        if (strcmp(scalars[i].scalar, type->scalar) == 0) {
            word = scalars[i].word;
            break;
        }
    }
    g_string_append(out, g_str_has_prefix(word, "ocl_") ? word + 4 : word);
    if (type->elements > 1) {
        g_string_append_printf(out, "%u", type->elements);
    }
    if (type->pointer) {
        g_string_append(out, "*");
    }
}

char *weiri_mangled_words(const struct weiri_mangled *mangled)
{
    GString *out = g_string_new(mangled->name);
    g_string_append_c(out, '(');
    for (uint32_t i = 0; i < mangled->n; i++) {
        g_string_append(out, i > 0 ? ", " : "");
        add_words(out, &mangled->types[i]);
    }
    g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}
