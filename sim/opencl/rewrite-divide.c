/* SPDX-License-Identifier: MIT
 *
 * rewrite-divide.c: divisions of integers. In OpenCL C a division by zero, or of the
 * least integer by -1, has an unspecified value and no exception ([CL30C] 6.4.1); the
 * processor has one, and to LLVM it is undefined. So such a divisor becomes 1:
 *
 *     %3 = sdiv i32 %1, %2     %zero = icmp eq i32 %2, 0
 *                              %d = select i1 %zero, i32 1, i32 %2
 *                              %3 = sdiv i32 %1, %d
 *
 * Divisors that are constants, as most are, stay as they are. */
#include "config.h"

#include "opencl/rewriter.h"

#include <string.h>

/* A division, with the parts of its line. */
struct division {
    bool is_signed;
    char *type;
    char *dividend;
    char *divisor;
    unsigned bits;     /* of a number */
    unsigned elements; /* of a vector; or 0 */
    const char *head;  /* up to the divisor: "  %3 = sdiv i32 %1, " */
    size_t head_bytes;
    const char *tail; /* behind it */
};

static void clear(struct division *division)
{
    g_free(division->type);
    g_free(division->dividend);
    g_free(division->divisor);
}

/* Behind the operand at @at, which is a number, a value, or a vector of constants. */
static const char *operand_end(const char *at)
{
    const char *end = strchr("%@", *at) != NULL ? weiri_ir_name_end(at)
        : *at == '<'                            ? weiri_ir_skip(at)
                                                : at + strcspn(at, ", \n");
    return end;
}

static bool parse_type(const char *type, struct division *division)
{
    if (type[0] == '<') {
        char *end;
        division->elements = (unsigned)g_ascii_strtoull(type + 1, &end, 10);
        if (!g_str_has_prefix(end, " x ")) {
            return false;
        }
        type = end + strlen(" x ");
    }
    division->bits
        = type[0] == 'i' ? (unsigned)g_ascii_strtoull(type + 1, NULL, 10) : 0;
    return division->bits > 1 && division->bits <= 64;
}

static bool parse(const char *line, struct division *division)
{
    static const char *const words[]
        = { " = sdiv ", " = udiv ", " = srem ", " = urem " };
    const char *at = NULL;
    *division = (struct division){ .head = line };
    for (size_t i = 0; i < G_N_ELEMENTS(words) && at == NULL; i++) {
        at = strstr(line, words[i]);
        division->is_signed = words[i][3] == 's';
        at = at != NULL ? at + strlen(words[i]) : NULL;
    }
    const char *end = at != NULL ? weiri_ir_type_end(at) : NULL;
    if (end == NULL || *end != ' ') {
        return false;
    }
    division->type = g_strndup(at, (gsize)(end - at));
    at = end + 1;
    end = operand_end(at);
    division->dividend = g_strndup(at, (gsize)(end - at));
    if (!parse_type(division->type, division) || !g_str_has_prefix(end, ", ")) {
        clear(division);
        return false;
    }
    at = end + strlen(", ");
    division->head_bytes = (size_t)(at - line);
    division->tail = operand_end(at);
    division->divisor = g_strndup(at, (gsize)(division->tail - at));
    return true;
}

/* A constant that needs no care. */
static bool is_harmless(const char *divisor)
{
    return g_ascii_isdigit(divisor[0]) && strcmp(divisor, "0") != 0;
}

/* The number, or a vector of it: "<i32 1, i32 1>". */
static char *constant(const struct division *division, const char *number)
{
    if (division->elements == 0) {
        return g_strdup(number);
    }
    GString *text = g_string_new("<");
    for (unsigned i = 0; i < division->elements; i++) {
        g_string_append_printf(text, "%si%u %s", i > 0 ? ", " : "", division->bits,
                               number);
    }
    g_string_append_c(text, '>');
    return g_string_free(text, FALSE);
}

/* Adds "%v = icmp eq …". */
static void add_comparison(struct weiri_rewriter *rewriter,
                           const struct division *division, const char *name,
                           const char *suffix, const char *value, const char *number)
{
    g_autofree char *other = constant(division, number);
    g_string_append_printf(rewriter->body, "  %s.%s = icmp eq %s %s, %s\n", name,
                           suffix, division->type, value, other);
}

static void add_divisor(struct weiri_rewriter *rewriter,
                        const struct division *division, const char *name)
{
    g_autofree char *one = constant(division, "1");
    g_autofree char *least = g_strdup_printf("%" G_GINT64_FORMAT,
                                             -((gint64)1 << (division->bits - 2)) * 2);
    g_autofree char *bit = division->elements > 0
        ? g_strdup_printf("<%u x i1>", division->elements)
        : g_strdup("i1");
    add_comparison(rewriter, division, name, "z", division->divisor, "0");
    if (division->is_signed) {
        add_comparison(rewriter, division, name, "m", division->divisor, "-1");
        add_comparison(rewriter, division, name, "l", division->dividend, least);
        g_string_append_printf(rewriter->body,
                               "  %s.b = and %s %s.m, %s.l\n"
                               "  %s.o = or %s %s.z, %s.b\n",
                               name, bit, name, name, name, bit, name, name);
    }
    g_string_append_printf(rewriter->body, "  %s = select %s %s.%s, %s %s, %s %s\n",
                           name, bit, name, division->is_signed ? "o" : "z",
                           division->type, one, division->type, division->divisor);
}

bool weiri_rewriter_divide(struct weiri_rewriter *rewriter, const char *line)
{
    struct division division;
    if (!parse(line, &division)) {
        return false;
    }
    bool harmless = is_harmless(division.divisor);
    if (!harmless) {
        g_autofree char *name = weiri_rewriter_value(rewriter);
        add_divisor(rewriter, &division, name);
        g_string_append_printf(rewriter->body, "%.*s%s%s\n", (int)division.head_bytes,
                               division.head, name, division.tail);
    }
    clear(&division);
    return !harmless;
}
