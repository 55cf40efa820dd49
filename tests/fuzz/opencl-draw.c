/* SPDX-License-Identifier: MIT
 *
 * opencl-draw.c: draws random kernels in OpenCL C, for opencl.sh.
 *
 *   opencl-draw SEED KERNELS [ONLY [WITHOUT]]
 *
 * Prints a program with so many kernels; before each is a line for opencl-run.c, which
 * has its name and its launch. ONLY prints the one with that number, from 0; WITHOUT
 * leaves out statements of it: "3,7". A number that can be left out is in a comment
 * before its statement. The same arguments print the same bytes.
 *
 * The kernels have one answer, by construction; the idea is that of CLSmith (Lidbury,
 * Lascu, Chong, Donaldson: Many-Core Compiler Fuzzing, PLDI 2015):
 *
 *   - Integers wrap, in unsigned types; divisors are not 0 or -1; floating point is
 *     one rounding of finite numbers. Each expression has the type it is drawn for.
 *   - An item writes what is its own, and exchanges values with others by permutations
 *     between two barriers; what it owns becomes another's at a barrier. Words of all
 *     items are changed by atomics of one kind, whose order does not matter, and whose
 *     results are not used.
 *   - Only statements in GROUP context, which all items of a group run, have a barrier.
 *     Their conditions are made of values that are the same in all items.
 *
 * Features that OpenCL C 1.2 lacks are in macros that 1.2 defines differently:
 * functions of groups, generic pointers, atomics with an order. So a platform of 1.2 is
 * a peer.
 *
 * The file is long because it is one grammar: expressions, then the statements of an
 * item and of a group, then functions and kernels. */
#include <string.h>

#include "draw.h"

enum context { ITEM, GROUP };

/* Elements of an array that expressions read; a power of two. */
enum { ELEMENTS = 16 };

enum { MOST = 40, MOST_ITEMS = 32, SLICES = 4, COUNTERS = 8, IN_BYTES = 8192 };

struct type {
    unsigned base; /* index of bases[]: odd ones are unsigned */
    unsigned width;
};

static const char *const bases[]
    = { "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong" };
static const unsigned widths[] = { 1, 2, 3, 4, 8, 16 };

struct var {
    char name[24];
    struct type type;
    bool is_plain; /* its address can be taken, and it is not a member of a union */
};

struct array {
    char name[16];
    unsigned base;
    bool writable;
    const char *space;
};

/* What an expression can name. */
struct scope {
    struct var vars[MOST];
    unsigned n_vars;
    struct array arrays[MOST];
    unsigned n_arrays;
    bool is_kernel;
};

struct function {
    struct type result, values[2];
    struct type pointed; /* of the variable that the third parameter points to */
    struct array array;  /* the fourth parameter */
    bool has_pointer, has_array;
};

struct record {
    struct type members[5];
    unsigned n;
};

/* A function of the group, group_KIND_OP_TYPE(). */
struct meeting {
    unsigned base;
    const char *kind, *operation;
};

enum { FUNCTIONS = 4, RECORDS = 2, TABLES = 3, PALETTE = 5, MEETINGS = 3 };

static struct type palette[PALETTE];
static struct function functions[FUNCTIONS];
static unsigned n_functions; /* that can be called */
static struct record records[RECORDS];
static struct array tables[TABLES];
static const char *const table_names[] = { "t0", "t1", "t2" };
static const char *const operations[]
    = { "add", "sub", "min", "max", "or", "xor", "and", "inc" };
static struct scope items, uniforms; /* of a kernel, or of a function */
static struct scope *scope;          /* the one that expressions are made of */
static struct {
    unsigned dim, groups[3], local[3], offset[3], n;
} shape;
static struct type exchanged[3]; /* elements of the local arrays l0, l1, … */
static unsigned n_exchanged;
static struct meeting meetings[MEETINGS];
static bool has_record_array, has_own;
static bool has_slice[SLICES];
static unsigned n_loops, n_group_loops; /* in each other */

/* ---- Types --------------------------------------------------------------- */

static struct type type_of(unsigned base, unsigned width)
{
    return (struct type){ .base = base, .width = width };
}

static struct type any_type(void)
{
    return chance(70) ? palette[below(PALETTE)] : type_of(below(8), widths[below(6)]);
}

static bool same(struct type a, struct type b)
{
    return a.base == b.base && a.width == b.width;
}

static bool is_signed(struct type type)
{
    return type.base % 2 == 0;
}

static unsigned element_bytes(struct type type)
{
    return 1u << type.base / 2;
}

static unsigned type_bytes(struct type type)
{
    return element_bytes(type) * (type.width == 3 ? 4 : type.width);
}

static struct type to_signed(struct type type)
{
    return type_of(type.base & ~1u, type.width);
}

static struct type to_unsigned(struct type type)
{
    return type_of(type.base | 1u, type.width);
}

/* Its name, in one of some buffers. */
static const char *name(struct type type)
{
    static char names[8][16];
    static unsigned next;
    char *text = names[next++ % 8];
    snprintf(text, sizeof(names[0]), type.width == 1 ? "%s" : "%s%u", bases[type.base],
             type.width);
    return text;
}

static void add_var(struct scope *to, struct type type, bool is_plain,
                    const char *format, unsigned i, unsigned j)
{
    if (to->n_vars < MOST) {
        struct var *var = &to->vars[to->n_vars++];
        var->type = type;
        var->is_plain = is_plain;
        /* The format is one of this file. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(var->name, sizeof(var->name), format, i, j);
#pragma GCC diagnostic pop
    }
}

/* ---- Expressions --------------------------------------------------------- */

static void expression(struct type type, unsigned deep);

/* An unsigned number below @n, which is a power of two. */
static void put_index(unsigned n)
{
    struct type type = type_of(below(8), 1);
    put("((uint)");
    expression(type, 1);
    put(" & %u)", n - 1);
}

static void put_number(unsigned base)
{
    static const uint64_t numbers[] = { 0,
                                        1,
                                        2,
                                        3,
                                        7,
                                        8,
                                        31,
                                        0x7f,
                                        0x80,
                                        0xff,
                                        0x7fff,
                                        0x8000,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        INT64_MAX,
                                        (uint64_t)INT64_MAX + 1 };
    uint64_t number = numbers[below(sizeof(numbers) / sizeof(*numbers))];
    switch (below(4)) {
    case 0:
        number = (uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX);
        break;
    case 1:
        number = ~number;
    }
    unsigned bits = 8u << base / 2;
    put("(%s)0x%llx%s", bases[base],
        (unsigned long long)(bits == 64 ? number : number & ((1ull << bits) - 1)),
        bits == 64 ? "ul" : "");
}

static void put_literal(struct type type)
{
    put("((%s)(", name(type));
    for (unsigned i = 0; i < type.width; i++) {
        put("%s", i > 0 ? ", " : "");
        put_number(type.base);
    }
    put("))");
}

/* A vector of scalars and vectors. */
static void put_parts(struct type type, unsigned deep)
{
    put("((%s)(", name(type));
    for (unsigned n = type.width; n > 0;) {
        unsigned width = widths[below(5)];
        width = width <= n ? width : 1;
        put("%s", n < type.width ? ", " : "");
        expression(type_of(type.base, width), deep);
        n -= width;
    }
    put("))");
}

/* Components of a variable: any of them, in any order. */
static void put_swizzle(struct type type)
{
    const struct var *vectors[MOST];
    unsigned n = 0;
    for (unsigned i = 0; i < scope->n_vars; i++) {
        const struct var *var = &scope->vars[i];
        if (var->type.base == type.base && var->type.width > 1) {
            vectors[n++] = var;
        }
    }
    if (n == 0) {
        put_literal(type);
        return;
    }
    const struct var *var = vectors[below(n)];
    if (var->type.width == 2 * type.width && chance(50)) {
        static const char *const halves[] = { "lo", "hi", "even", "odd" };
        put("%s.%s", var->name, halves[below(4)]);
        return;
    }
    put("%s.s", var->name);
    for (unsigned i = 0; i < type.width; i++) {
        put("%x", below(var->type.width));
    }
}

static bool put_variable(struct type type)
{
    unsigned first = below(scope->n_vars + 1);
    for (unsigned i = 0; i < scope->n_vars; i++) {
        const struct var *var = &scope->vars[(first + i) % scope->n_vars];
        if (same(var->type, type)) {
            put("%s", var->name);
            return true;
        }
    }
    return false;
}

static bool put_element(struct type type)
{
    unsigned first = below(scope->n_arrays + 1);
    for (unsigned i = 0; i < scope->n_arrays; i++) {
        const struct array *array = &scope->arrays[(first + i) % scope->n_arrays];
        if (array->base != type.base) {
            continue;
        }
        if (type.width == 1) {
            put("%s[", array->name);
            put_index(ELEMENTS);
            put("]");
        } else {
            put("vload%u(", type.width);
            put_index(ELEMENTS / (type.width == 3 ? 4 : type.width));
            put(", %s)", array->name);
        }
        return true;
    }
    return false;
}

/* What the launch says, which need not be the same in all items. */
static void put_id(unsigned base)
{
    static const char *const ids[]
        = { "get_group_id",      "get_num_groups", "get_local_size", "get_global_size",
            "get_global_offset", "get_local_id",   "get_global_id" };
    if (!scope->is_kernel) {
        put_number(base);
        return;
    }
    put("((%s)%s(%u))", bases[base], ids[below(scope == &uniforms ? 5 : 7)], below(3));
}

/* For another variable, if none has the type. */
static void put_converted(struct type type)
{
    for (unsigned i = 0; i < 8; i++) {
        const struct var *var = &scope->vars[below(scope->n_vars)];
        if (var->type.width == type.width) {
            put("convert_%s%s(%s)", name(type), chance(40) ? "_sat" : "", var->name);
            return;
        }
    }
    put_swizzle(type);
}

/* A constant of the program. */
static bool put_constant(struct type type)
{
    for (unsigned i = 0; i < records[0].n; i++) {
        if (same(records[0].members[i], type)) {
            put("cr.m%u", i);
            return true;
        }
    }
    for (unsigned i = 0; i < PALETTE; i++) {
        if (same(palette[i], type)) {
            put("c%u", i);
            return true;
        }
    }
    return false;
}

static void leaf(struct type type)
{
    switch (below(9)) {
    case 0:
        put_literal(type);
        return;
    case 1:
        put_swizzle(type);
        return;
    case 2:
        if (put_element(type)) {
            return;
        }
        break;
    case 3:
        if (type.width == 1) {
            put_id(type.base);
            return;
        }
        break;
    case 4:
        if (put_constant(type)) {
            return;
        }
    }
    if (!put_variable(type)) {
        put_converted(type);
    }
}

/* f(e, e, …) of one type. */
static void call(const char *function, struct type type, unsigned n, unsigned deep)
{
    put("%s(", function);
    for (unsigned i = 0; i < n; i++) {
        put("%s", i > 0 ? ", " : "");
        expression(type, deep);
    }
    put(")");
}

/* a OP b, which wraps. */
static void wrapping(struct type type, unsigned deep)
{
    static const char operators[] = "+-*";
    char operator= operators[below(3)];
    struct type wide = type;
    if (type.width == 1) {
        wide = type_of(type.base < 6 ? 5 : 7, 1);
    }
    wide = to_unsigned(wide);
    const char *cast = type.width == 1 ? "(" : "as_";
    const char *end = type.width == 1 ? ")" : "";
    put("(%s%s%s(%s%s%s(", cast, name(type), end, cast, name(wide), end);
    expression(type, deep);
    put(") %c %s%s%s(", operator, cast, name(wide), end);
    expression(type, deep);
    put(")))");
}

static void bitwise(struct type type, unsigned deep)
{
    static const char operators[] = "&|^";
    put("((%s)(", name(type));
    if (chance(20)) {
        put("~");
        expression(type, deep);
    } else {
        expression(type, deep);
        put(" %c ", operators[below(3)]);
        expression(type, deep);
    }
    put("))");
}

static void shift(struct type type, unsigned deep)
{
    put("((%s)(", name(type));
    expression(type, deep);
    put(chance(50) ? " << " : " >> ");
    expression(chance(70) ? type : type_of(type.base, 1), deep);
    put("))");
}

static void division(struct type type, unsigned deep)
{
    put("((%s)(", name(type));
    expression(type, deep);
    put(chance(50) ? " / " : " %% ");
    /* 3 to 63, or the opposite; of unsigned types any odd number */
    bool is_negative = is_signed(type) && chance(40);
    put(is_negative ? "-(" : "(");
    expression(type, deep);
    put(is_signed(type) ? " & (%s)62 | (%s)3)))" : " | (%s)1)))", name(type),
        name(type));
}

static void comparison(struct type type, unsigned deep)
{
    static const char *const operators[] = { "<", "<=", ">", ">=", "==", "!=" };
    struct type of = type_of(type.base ^ below(2), type.width);
    if (type.width == 1) {
        of = any_type();
        of.width = 1;
        put("((%s)(", name(type));
    } else {
        put("as_%s((", name(type));
    }
    unsigned kind = below(8);
    if (kind == 0) {
        put("!");
        expression(of, deep);
    } else {
        expression(of, deep);
        put(" %s ", kind == 1 ? "&&" : kind == 2 ? "||" : operators[below(6)]);
        expression(of, deep);
    }
    put("))");
}

static void choice(struct type type, unsigned deep)
{
    if (type.width > 1 && chance(15)) {
        put("((");
        expression(type_of(below(8), 1), deep);
        put(" & 1) ? ");
        expression(type, deep);
        put(" : ");
        expression(type, deep);
        put(")");
        return;
    }
    /* C promotes the small ones. */
    put("((%s)(", name(type));
    expression(type.width == 1 ? type_of(below(8), 1) : to_signed(type), deep);
    put(" ? ");
    expression(type, deep);
    put(" : ");
    expression(type, deep);
    put("))");
}

static void selection(struct type type, unsigned deep)
{
    put("select(");
    expression(type, deep);
    put(", ");
    expression(type, deep);
    put(", ");
    expression(type_of(type.base ^ below(2), type.width), deep);
    put(")");
}

static void conversion(struct type type, unsigned deep)
{
    struct type from = type_of(below(8), type.width);
    put("convert_%s%s(", name(type), chance(60) ? "_sat" : "");
    expression(from, deep);
    put(")");
}

/* The bits of something else that has as many. */
static void reinterpretation(struct type type, unsigned deep)
{
    struct type from = type_of(type.base ^ 1, type.width);
    for (unsigned i = 0; i < 6 && type.width != 3; i++) {
        struct type any = type_of(below(8), widths[below(6)]);
        if (any.width != 3 && type_bytes(any) == type_bytes(type)) {
            from = any;
            break;
        }
    }
    put("as_%s(", name(type));
    expression(from, deep);
    put(")");
}

/* To floating point and back: each step is rounded once. */
static void rounded(struct type type, unsigned deep)
{
    static const char *const modes[] = { "", "_rte", "_rtz", "_rtp", "_rtn" };
    static const char *const functions_of_one[]
        = { "floor", "ceil", "trunc", "rint", "fabs", "round" };
    static const char *const functions_of_two[] = { "fmin", "fmax", "copysign" };
    char real[16];
    snprintf(real, sizeof(real), type.width == 1 ? "%s" : "%s%u",
             chance(60) ? "float" : "double", type.width);
    put("convert_%s_sat%s(", name(type), modes[below(5)]);
    unsigned kind = below(5);
    struct type from = type_of(below(8), type.width);
    if (kind == 0) {
        put("%s(convert_%s(", functions_of_one[below(6)], real);
        expression(from, deep);
        put(") * 0.375f)");
    } else if (kind == 1) {
        put("%s(convert_%s(", functions_of_two[below(3)], real);
        expression(from, deep);
        put("), convert_%s(", real);
        expression(from, deep);
        put("))");
    } else {
        static const char operators[] = "+-*";
        put("convert_%s(", real);
        expression(from, deep);
        put(") %c convert_%s(", operators[below(3)], real);
        expression(from, deep);
        put(")");
    }
    put(")");
}

static void shuffled(struct type type, unsigned deep)
{
    static const unsigned even[] = { 2, 4, 8, 16 };
    struct type from = type_of(type.base, even[below(4)]);
    bool two = chance(50);
    put(two ? "shuffle2(" : "shuffle(");
    expression(from, deep);
    put(", ");
    if (two) {
        expression(from, deep);
        put(", ");
    }
    expression(to_unsigned(type), deep);
    put(")");
}

/* Builtins of integers. */
static void builtin(struct type type, unsigned deep)
{
    static const char *const of_two[]
        = { "min", "max", "hadd", "rhadd", "add_sat", "sub_sat", "mul_hi", "rotate" };
    static const char *const of_three[] = { "bitselect", "mad_hi", "mad_sat" };
    switch (below(12)) {
    case 0:
        call(chance(50) ? "clz" : "popcount", type, 1, deep);
        return;
    case 1:
        call(of_three[below(3)], type, 3, deep);
        return;
    case 2:
        if (!is_signed(type)) {
            struct type from = type_of(type.base ^ below(2), type.width);
            if (chance(40)) {
                call("abs", from, 1, deep);
                return;
            }
            /* PoCL's of constants is 0 where the difference does not fit the type. */
            const char *half = is_signed(from) ? " >> 1" : "";
            put("abs_diff((%s)(", name(from));
            expression(from, deep);
            put("%s), (%s)(", half, name(from));
            expression(from, deep);
            put("%s))", half);
            return;
        }
        break;
    case 3:
        put("clamp(");
        expression(type, deep);
        put(", ");
        /* 0 to 62, then 63 or more: of a char 127, too */
        put("(%s)(", name(type));
        expression(type, deep);
        put(" & (%s)62), (%s)(", name(type), name(type));
        expression(type, deep);
        put(" & (%s)127 | (%s)63))", name(type), name(type));
        return;
    case 4:
        if (type.base >= 2) {
            struct type half = type_of(type.base - 2, type.width);
            put("upsample(");
            expression(half, deep);
            put(", ");
            expression(to_unsigned(half), deep);
            put(")");
            return;
        }
        break;
    case 5:
        if (type.base == 4 || type.base == 5) {
            const char *mask = is_signed(type) ? "0x7fff" : "0xffffu";
            bool sum = is_signed(type) ? false : chance(50);
            put(sum ? "mad24(" : "mul24(");
            expression(type, deep);
            put(" & (%s)%s, ", name(type), mask);
            expression(type, deep);
            put(" & (%s)%s", name(type), mask);
            if (sum) {
                put(", ");
                expression(type, deep);
            }
            put(")");
            return;
        }
        break;
    case 6:
        if (type.width == 1) {
            put("((%s)%s(", name(type), chance(50) ? "any" : "all");
            struct type of = to_signed(any_type());
            expression(of, deep);
            put("))");
            return;
        }
        if (type.width != 3) {
            shuffled(type, deep);
            return;
        }
        break;
    case 7:
        if (type.width > 1) {
            put("%s(", chance(50) ? "min" : "max");
            expression(type, deep);
            put(", ");
            expression(type_of(type.base, 1), deep);
            put(")");
            return;
        }
    }
    call(of_two[below(8)], type, 2, deep);
}

static void expression(struct type type, unsigned deep)
{
    if (deep == 0) {
        leaf(type);
        return;
    }
    deep--;
    switch (below(14)) {
    case 0:
    case 1:
        wrapping(type, deep);
        return;
    case 2:
        bitwise(type, deep);
        return;
    case 3:
        shift(type, deep);
        return;
    case 4:
        division(type, deep);
        return;
    case 5:
        comparison(type, deep);
        return;
    case 6:
        choice(type, deep);
        return;
    case 7:
        selection(type, deep);
        return;
    case 8:
        conversion(type, deep);
        return;
    case 9:
        if (type.width > 1) {
            put_parts(type, deep);
        } else {
            conversion(type, deep);
        }
        return;
    case 10:
        reinterpretation(type, deep);
        return;
    case 11:
        if (chance(40)) {
            rounded(type, deep);
            return;
        }
        /* fallthrough */
    default:
        builtin(type, deep);
    }
}

static void condition(unsigned deep)
{
    struct type type = any_type();
    put("((");
    if (type.width > 1) {
        put("%s(", chance(50) ? "any" : "all");
        expression(to_signed(type), deep);
        put(")");
    } else {
        expression(type, deep);
    }
    put(" & 1) == %u)", below(2));
}

/* ---- Statements of an item ------------------------------------------------ */

static void statements(enum context context, unsigned most);

static const struct var *any_var(void)
{
    return &scope->vars[below(scope->n_vars)];
}

static void assign(void)
{
    static const char *const operators[] = { "", "", "", "^", "|", "&" };
    const struct var *var = any_var();
    bool is_even = var->type.width > 1 && var->type.width != 3;
    begin_line();
    if (is_even && chance(10)) {
        static const char *const halves[] = { "lo", "hi", "even", "odd" };
        put("%s.%s = ", var->name, halves[below(4)]);
        expression(type_of(var->type.base, var->type.width / 2), 2);
    } else if (is_even && var->is_plain && chance(10)) {
        put("((%s *)&%s)[", bases[var->type.base], var->name);
        put_index(var->type.width);
        put("] = ");
        expression(type_of(var->type.base, 1), 2);
    } else if (var->type.width > 1 && chance(25)) {
        /* Some components, each once. */
        unsigned width = var->type.width, first = below(width);
        unsigned n = width > 2 && width != 3 && chance(50) ? 2 : 1;
        put("%s.s%x", var->name, first);
        if (n == 2) {
            put("%x", (first + 1 + below(width - 1)) % width);
        }
        put(" = ");
        expression(type_of(var->type.base, n), 2);
    } else {
        put("%s %s= ", var->name, operators[below(6)]);
        expression(var->type, 1 + below(3));
    }
    put(";\n");
}

static const struct array *any_array(void)
{
    for (unsigned i = 0; i < 8 && scope->n_arrays > 0; i++) {
        const struct array *array = &scope->arrays[below(scope->n_arrays)];
        if (array->writable) {
            return array;
        }
    }
    return NULL;
}

/* On memory that is the item's alone: what they return is known. */
static void own_atomic(const struct array *array)
{
    struct type type = type_of(array->base, 1);
    static const char *const own[]
        = { "add", "sub", "xchg", "min", "max", "and", "or", "xor", "cmpxchg" };
    unsigned kind = below(9);
    begin_line();
    const struct var *var = any_var();
    put("%s ^= (%s)atomic_%s(&%s[", var->name, name(var->type), own[kind], array->name);
    put_index(ELEMENTS);
    put("], ");
    expression(type, 1);
    if (kind == 8) {
        put(", ");
        expression(type, 1);
    }
    put(");\n");
}

static void store(void)
{
    const struct array *array = any_array();
    if (array == NULL) {
        assign();
        return;
    }
    bool is_word = array->base == 4 || array->base == 5;
    if (is_word && strcmp(array->space, "private") != 0 && chance(40)) {
        own_atomic(array);
        return;
    }
    begin_line();
    struct type type = type_of(array->base, widths[below(6)]);
    if (type.width == 1) {
        put("%s[", array->name);
        put_index(ELEMENTS);
        put("] = ");
        expression(type, 2);
        put(";\n");
    } else {
        put("vstore%u(", type.width);
        expression(type, 2);
        put(", ");
        put_index(ELEMENTS / (type.width == 3 ? 4 : type.width));
        put(", %s);\n", array->name);
    }
}

/* A word of the range, each of one kind of atomic. */
static void count(void)
{
    if (!scope->is_kernel) {
        assign();
        return;
    }
    unsigned k = below(COUNTERS + 2);
    begin_line();
    if (k >= COUNTERS) {
        bool is_sum = k == COUNTERS;
        put("atom_%s((global ulong *)(counters + %u) + %u, ", is_sum ? "add" : "max",
            COUNTERS, k - COUNTERS);
        expression(type_of(7, 1), 2);
        put(");\n");
        return;
    }
    if (strcmp(operations[k], "inc") != 0 && chance(50)) {
        put("COUNT(%s, global, uint, &counters[%u], ", operations[k], k);
        expression(type_of(5, 1), 2);
        put(");\n");
        return;
    }
    put("atomic_%s(&counters[%u]", operations[k], k);
    if (strcmp(operations[k], "inc") != 0) {
        put(", ");
        expression(type_of(5, 1), 2);
    }
    put(");\n");
}

static void item_if(void)
{
    begin_line();
    put("if ");
    condition(2);
    put(" {\n");
    indent++;
    statements(ITEM, 3);
    indent--;
    if (chance(50)) {
        LINE("} else {");
        indent++;
        statements(ITEM, 3);
        indent--;
    }
    LINE("}");
}

static void leave_loop(void)
{
    begin_line();
    put("if ");
    condition(1);
    put(" { %s; }\n", chance(50) ? "break" : "continue");
}

static void loop(void)
{
    unsigned i = n_names++;
    bool is_for = chance(70);
    begin_line();
    put(is_for ? "for (uint i%u = 0; i%u <= " : "{ uint i%u = 0, e%u = ", i, i);
    put_index(4);
    if (is_for) {
        put("; i%u++) {\n", i);
    } else {
        put("; do {\n");
    }
    /* Statements may assign to a variable: they see a copy of the counter. */
    unsigned copy = n_names++, n_vars = scope->n_vars;
    indent++;
    n_loops++;
    LINE("uint i%u = i%u;", copy, i);
    add_var(scope, type_of(5, 1), true, "i%u", copy, 0);
    if (chance(30)) {
        leave_loop();
    }
    statements(ITEM, 3);
    scope->n_vars = n_vars;
    n_loops--;
    indent--;
    if (is_for) {
        LINE("}");
    } else {
        LINE("} while (i%u++ < e%u); }", i, i);
    }
}

static void item_switch(void)
{
    begin_line();
    put("switch (");
    put_index(4);
    put(") {\n");
    for (unsigned i = 0; i < 3; i++) {
        if (i == 2) {
            LINE("default:");
        } else {
            LINE("case %u:", i);
        }
        indent++;
        statements(ITEM, 2);
        if (i == 2 || chance(70)) {
            LINE("break;");
        }
        indent--;
    }
    LINE("}");
}

/* A call needs a variable and an array of the right types. */
static void call_function(void)
{
    if (n_functions == 0) {
        assign();
        return;
    }
    unsigned which = below(n_functions);
    const struct function *f = &functions[which];
    const struct var *pointed = NULL;
    const struct array *array = NULL;
    for (unsigned i = 0; i < scope->n_vars && pointed == NULL; i++) {
        const struct var *var = &scope->vars[(which + i) % scope->n_vars];
        pointed = var->is_plain && same(var->type, f->pointed) ? var : NULL;
    }
    for (unsigned i = 0; i < scope->n_arrays && array == NULL; i++) {
        const struct array *one = &scope->arrays[(which + i) % scope->n_arrays];
        bool fits
            = one->base == f->array.base && strcmp(one->space, f->array.space) == 0;
        array = fits ? one : NULL;
    }
    if ((f->has_pointer && pointed == NULL) || (f->has_array && array == NULL)) {
        assign();
        return;
    }
    /* The result is stored after the call. */
    unsigned result = n_names++;
    begin_line();
    put("%s r%u = f%u(", name(f->result), result, which);
    expression(f->values[0], 1);
    put(", ");
    expression(f->values[1], 1);
    if (f->has_pointer) {
        put(", &%s", pointed->name);
    }
    if (f->has_array) {
        put(", %s", array->name);
    }
    put(");\n");
    const struct var *var = any_var();
    if (var->type.width == f->result.width) {
        LINE("%s ^= convert_%s(r%u);", var->name, name(var->type), result);
    } else {
        LINE("%s ^= (%s)r%u%s;", var->name, name(type_of(var->type.base, 1)), result,
             f->result.width > 1 ? ".s1" : "");
    }
}

/* Structs by pointer and by value. */
static void turn_record(void)
{
    unsigned which = below(RECORDS);
    if (!scope->is_kernel) {
        assign();
    } else if (chance(20)) {
        LINE("%s;", chance(50) ? "s0 = s1.in" : "s1.in = s0");
    } else {
        begin_line();
        put("s%u = turn_r%u(&a%u[", which, which, which);
        put_index(2);
        put("], %s);\n", which == 0 && chance(30) ? "s1.in" : which == 0 ? "s0" : "s1");
    }
}

/* One function for memories of all kinds. */
static void mix(void)
{
    const struct array *first = any_array(), *second = any_array();
    unsigned table = 0;
    while (table < TABLES && first != NULL && tables[table].base != first->base) {
        table++;
    }
    if (first == NULL || table == TABLES) {
        assign();
        return;
    }
    const struct var *var = any_var();
    begin_line();
    put("%s ^= (%s)", var->name, name(type_of(var->type.base, 1)));
    if (second != NULL && second != first && second->base == first->base) {
        put("EITHER(mix_%s, %s, ", bases[first->base], bases[first->base]);
        condition(1);
        put(", %s, %s, ", first->name, second->name);
    } else {
        put("mix_%s(%s, ", bases[first->base], first->name);
    }
    put_index(ELEMENTS);
    put(");\n");
}

static void item_statement(bool flat)
{
    switch (below(flat ? 13 : 18)) {
    case 0:
    case 1:
        store();
        return;
    case 2:
        count();
        return;
    case 3:
        begin_line();
        put("{\n");
        indent++;
        call_function();
        indent--;
        LINE("}");
        return;
    case 4:
        turn_record();
        return;
    case 5:
        mix();
        return;
    case 6:
        if (n_loops > 0) {
            leave_loop();
            return;
        }
        break;
    case 13:
    case 14:
        item_if();
        return;
    case 15:
    case 16:
        loop();
        return;
    case 17:
        item_switch();
        return;
    }
    assign();
}

/* ---- Statements of a group ------------------------------------------------ */

static void barrier(bool global)
{
    LINE("barrier(%s);",
         global && chance(50) ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
             : global         ? "CLK_GLOBAL_MEM_FENCE"
                              : "CLK_LOCAL_MEM_FENCE");
}

/* An item, other for each: a permutation. */
static void put_other(void)
{
    unsigned factor = 1 + below(shape.n);
    unsigned a = factor, b = shape.n;
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    switch (below(4)) {
    case 0:
        put("n - 1 - lid");
        return;
    case 1:
        put("lid");
        return;
    case 2:
        put("(lid + %u) %% n", below(40));
        return;
    default:
        put("(lid * %u + %u) %% n", a == 1 ? factor : 1, below(40));
    }
}

static const struct var *var_of(struct type type)
{
    unsigned first = below(items.n_vars);
    for (unsigned i = 0; i < items.n_vars; i++) {
        const struct var *var = &items.vars[(first + i) % items.n_vars];
        if (same(var->type, type)) {
            return var;
        }
    }
    return NULL;
}

/* "v ^= ", or what the type needs instead of it. take_end() ends the line. */
static void take(struct type type)
{
    const struct var *var = var_of(type);
    begin_line();
    if (var != NULL) {
        put("%s ^= ", var->name);
    } else {
        put("taken ^= (ulong)(");
    }
}

static void take_end(struct type type)
{
    if (var_of(type) != NULL) {
        put(";\n");
    } else {
        put("%s);\n", type.width > 1 ? ".s1" : "");
    }
}

static void exchange(void)
{
    bool global = chance(25);
    if (n_exchanged == 0 && !global) {
        return;
    }
    unsigned which = global ? 0 : below(n_exchanged);
    struct type type = global ? palette[0] : exchanged[which];
    if (!global && chance(30)) {
        take(type);
        put("meet_%s(l%u, ", name(type), which);
        put_other();
        put(", ");
        put_other();
        put(", ");
        expression(type, 2);
        put(")");
        take_end(type);
        return;
    }
    char array[8];
    snprintf(array, sizeof(array), global ? "shared" : "l%u", which);
    begin_line();
    put("%s[", array);
    put_other();
    put("] = ");
    expression(type, 2);
    put(";\n");
    barrier(global);
    take(type);
    put("%s[", array);
    if (chance(30)) {
        put("(uint)");
        expression(type_of(below(8), 1), 1);
        put(" %% n");
    } else {
        put_other();
    }
    put("]");
    take_end(type);
    barrier(global);
}

static void exchange_records(void)
{
    if (!has_record_array) {
        exchange();
        return;
    }
    begin_line();
    put("records[");
    put_other();
    put("] = s0;\n");
    barrier(false);
    begin_line();
    put("s0 = records[");
    put_other();
    put("];\n");
    barrier(false);
}

static void tree(void)
{
    for (unsigned i = 0; i < n_exchanged; i++) {
        if (is_signed(exchanged[i])) {
            continue;
        }
        begin_line();
        put("l%u[lid] = ", i);
        expression(exchanged[i], 2);
        put(";\n");
        LINE("for (uint s = %u; s > 0; s /= 2) {", MOST_ITEMS / 2);
        indent++;
        barrier(false);
        LINE("if (lid < s && lid + s < n) { l%u[lid] += l%u[lid + s]; }", i, i);
        indent--;
        LINE("}");
        barrier(false);
        take(exchanged[i]);
        put("l%u[0]", i);
        take_end(exchanged[i]);
        barrier(false);
        return;
    }
    exchange();
}

static void count_locally(void)
{
    const char *operation = operations[below(8)];
    bool is_int = chance(50);
    LINE("if (lid == %u) {", below(shape.n));
    indent++;
    for (unsigned i = 0; i < 4; i++) {
        begin_line();
        put("%s[%u] = ", is_int ? "signed_counts" : "counts", i);
        put_number(is_int ? 4 : 5);
        put(";\n");
    }
    indent--;
    LINE("}");
    barrier(false);
    begin_line();
    bool some = chance(40);
    if (some) {
        put("if ");
        condition(1);
        put(" { ");
    }
    put("atomic_%s(&%s[", operation, is_int ? "signed_counts" : "counts");
    put_index(4);
    put("]");
    if (strcmp(operation, "inc") != 0) {
        put(", ");
        expression(type_of(is_int ? 4 : 5, 1), 2);
    }
    put(");%s\n", some ? " }" : "");
    barrier(false);
    LINE("taken ^= (ulong)%s[(lid + %u) & 3] << %u;",
         is_int ? "signed_counts" : "counts", below(4), below(32));
    barrier(false);
}

/* What items own is others' from now on. */
static void hand_over(void)
{
    LINE("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    if (has_own && chance(80)) {
        begin_line();
        put("o = own + (");
        put_other();
        put(") * %u;\n", ELEMENTS);
    }
    for (unsigned i = 0; i < SLICES; i++) {
        if (has_slice[i] && chance(80)) {
            begin_line();
            put("g%u = SLICE(g%u, ", i, i);
            put_other();
            put(", %u);\n", i);
        }
    }
}

static void meet(void)
{
    const struct meeting *m = &meetings[below(MEETINGS)];
    struct type type = type_of(m->base, 1);
    const char *word = bases[m->base];
    take(type);
    switch (below(4)) {
    case 0:
        put("group_broadcast_%s((local %s *)meeting, lid, %u, ", word, word,
            below(shape.n));
        break;
    case 1:
        put("(%s)group_%s((local int *)meeting, lid, n, (int)", word,
            chance(50) ? "any" : "all");
        break;
    default:
        put("group_%s_%s_%s((local %s *)meeting, lid, n, ", m->kind, m->operation, word,
            word);
    }
    expression(type, 2);
    put(")");
    take_end(type);
}

static void copy(void)
{
    if (n_exchanged == 0) {
        return;
    }
    unsigned which = below(n_exchanged);
    struct type type = exchanged[which];
    const char *const word = name(type);
    unsigned e = n_names++;
    unsigned stride = chance(30) ? 1 + below(2) : 0, most = IN_BYTES / type_bytes(type);
    if (stride > 0) {
        LINE("event_t e%u = async_work_group_strided_copy(l%u, (global const %s *)in + "
             "%u, n, %u, 0);",
             e, which, word, below(most - MOST_ITEMS * stride + 1), stride);
    } else {
        LINE("event_t e%u = async_work_group_copy(l%u, (global const %s *)in + %u, n, "
             "0);",
             e, which, word, below(most - MOST_ITEMS + 1));
    }
    LINE("wait_group_events(1, &e%u);", e);
    barrier(false);
    take(type);
    put("l%u[", which);
    put_other();
    put("]");
    take_end(type);
    barrier(false);
}

static void assign_uniform(void)
{
    scope = &uniforms;
    /* The first is n: it is not assigned to. */
    const struct var *var = &uniforms.vars[1 + below(2)];
    begin_line();
    put("%s = ", var->name);
    expression(var->type, 2);
    put(";\n");
    scope = &items;
}

static void uniform_block(bool is_loop)
{
    scope = &uniforms;
    if (!is_loop) {
        begin_line();
        put("if ");
        condition(2);
        put(" {\n");
        scope = &items;
        indent++;
        statements(GROUP, 3);
        indent--;
        if (chance(50)) {
            LINE("} else {");
            indent++;
            statements(GROUP, 3);
            indent--;
        }
        LINE("}");
        return;
    }
    unsigned i = n_names++;
    begin_line();
    put("for (uint i%u = 0; i%u <= ", i, i);
    put_index(4);
    put("; i%u++) {\n", i);
    scope = &items;
    indent++;
    if (chance(30)) {
        begin_line();
        put("if (i%u == (", i);
        scope = &uniforms;
        put_index(8);
        scope = &items;
        put(")) { %s; }\n", chance(50) ? "break" : "continue");
    }
    n_group_loops++;
    statements(GROUP, 3);
    n_group_loops--;
    indent--;
    LINE("}");
}

static void put_hash(void);

static void uniform_return(void)
{
    begin_line();
    put("if ((");
    scope = &uniforms;
    put_index(16);
    scope = &items;
    put(") == %u) {\n", below(16));
    indent++;
    put_hash();
    LINE("return;");
    indent--;
    LINE("}");
}

static void group_statement(bool flat)
{
    switch (below(flat ? 16 : 21)) {
    case 0:
        assign_uniform();
        return;
    case 1:
    case 2:
    case 3:
        exchange();
        return;
    case 4:
        exchange_records();
        return;
    case 5:
        tree();
        return;
    case 6:
        count_locally();
        return;
    case 7:
        begin_line();
        put("{\n");
        indent++;
        copy();
        indent--;
        LINE("}");
        return;
    case 8:
        hand_over();
        return;
    case 9:
    case 10:
        meet();
        return;
    case 16:
    case 17:
        uniform_block(false);
        return;
    case 18:
    case 19:
        uniform_block(true);
        return;
    case 20:
        /* On PoCL a group that returns from a loop with barriers never ends. */
        if (depth > 1 && n_group_loops == 0) {
            uniform_return();
            return;
        }
        /* fallthrough */
    default:
        item_statement(flat);
    }
}

static void statements(enum context context, unsigned most)
{
    unsigned n = 1 + below(most);
    depth++;
    for (unsigned i = 0; i < n && left > 0; i++) {
        left--;
        unsigned id = n_statements++;
        LINE("/* %u */", id);
        muted += without[id];
        if (context == GROUP) {
            group_statement(depth > 3);
        } else {
            item_statement(depth > 3);
        }
        muted -= without[id];
    }
    depth--;
}

/* ---- Declarations --------------------------------------------------------- */

static void add_array(const char *array_name, unsigned base, bool writable,
                      const char *space)
{
    struct array *array = &items.arrays[items.n_arrays++];
    *array = (struct array){ .base = base, .writable = writable, .space = space };
    snprintf(array->name, sizeof(array->name), "%s", array_name);
}

static void declare_variables(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct type type = any_type();
        begin_line();
        put("%s v%u = ", name(type), i);
        if (chance(50)) {
            put("(%s)(lid * %uu + %uu);\n", name(type_of(type.base, 1)), below(1000),
                below(1000));
        } else {
            put_literal(type);
            put(";\n");
        }
        add_var(&items, type, true, "v%u", i, 0);
    }
}

static void declare_private_array(unsigned i)
{
    unsigned base = palette[below(PALETTE)].base;
    char array[16];
    snprintf(array, sizeof(array), "p%u", i);
    begin_line();
    put("%s %s[%u] = { ", bases[base], array, ELEMENTS);
    for (unsigned j = 0; j < ELEMENTS; j++) {
        put_number(base);
        put(", ");
    }
    put("};\n");
    add_array(array, base, true, "private");
}

static void declare_record(unsigned which, const char *record)
{
    const struct record *r = &records[which];
    LINE("struct r%u %s;", which, record);
    for (unsigned i = 0; i < r->n; i++) {
        begin_line();
        put("%s.m%u = ", record, i);
        put_literal(r->members[i]);
        put(";\n");
    }
}

static void declare_records(void)
{
    declare_record(0, "s0");
    declare_record(1, "s1");
    for (unsigned which = 0; which < 2; which++) {
        for (unsigned i = 0; i < records[which].n; i++) {
            add_var(&items, records[which].members[i], true, "s%u.m%u", which, i);
        }
    }
    LINE("s1.in = s0;");
    add_var(&items, records[0].members[0], true, "s1.in.m%u", 0, 0);
    LINE("struct r0 a0[2] = { s0, s0 };");
    LINE("struct r1 a1[2] = { s1, s1 };");
    LINE("union pun pun;");
    LINE("pun.l = lid * 0x0123456789abcdeful;");
    add_var(&items, type_of(7, 1), false, "pun.l", 0, 0);
    add_var(&items, type_of(1, 8), false, "pun.b", 0, 0);
    add_var(&items, type_of(2, 4), false, "pun.h", 0, 0);
    add_var(&items, type_of(5, 1), false, "pun.w[1]", 0, 0);
}

/* Local and global memory, own or shared. */
static void declare_memory(void)
{
    n_exchanged = 0;
    LINE("local uint counts[4];");
    LINE("local int signed_counts[4];");
    for (unsigned i = below(4); i > 0; i--) {
        struct type type = palette[1 + below(PALETTE - 1)];
        exchanged[n_exchanged] = type;
        LINE("local %s l%u[%u];", name(type), n_exchanged++, MOST_ITEMS);
    }
    has_record_array = chance(30);
    if (has_record_array) {
        LINE("local struct r0 records[%u];", MOST_ITEMS);
    }
    has_own = chance(40);
    if (has_own) {
        unsigned base = chance(50) ? 4 + below(2) : below(8);
        LINE("local %s own[%u];", bases[base], MOST_ITEMS * ELEMENTS);
        LINE("local %s *o = own + lid * %u;", bases[base], ELEMENTS);
        LINE("for (uint i = 0; i < %u; i++) { o[i] = (%s)(i * %u + lid); }", ELEMENTS,
             bases[base], below(999));
        add_array("o", base, true, "local");
    }
    memset(has_slice, 0, sizeof(has_slice));
    for (unsigned i = below(SLICES); i > 0; i--) {
        unsigned base = chance(40) ? 4 + below(2) : below(8);
        char array[16];
        snprintf(array, sizeof(array), "g%u", i);
        LINE("global %s *%s = SLICE(%s, lid, %u);", bases[base], array, array, i);
        has_slice[i] = true;
        add_array(array, base, true, "global");
    }
    LINE("global %s *shared = (global %s *)(everyone + group * n * 128);",
         name(palette[0]), name(palette[0]));
}

static void put_hash(void)
{
    LINE("ulong hash = hash_in(taken, gid);");
    for (unsigned i = 0; i < items.n_vars; i++) {
        const struct var *var = &items.vars[i];
        begin_line();
        for (unsigned j = 0; j < var->type.width; j++) {
            put("hash = hash_in(hash, (ulong)%s", var->name);
            if (var->type.width > 1) {
                put(".s%x", j);
            }
            put("); ");
        }
        put("\n");
    }
    for (unsigned i = 0; i < items.n_arrays; i++) {
        const struct array *array = &items.arrays[i];
        if (array->writable) {
            LINE(
                "for (uint i = 0; i < %u; i++) { hash = hash_in(hash, (ulong)%s[i]); }",
                ELEMENTS, array->name);
        }
    }
    LINE("out[gid] = hash;");
}

static void put_function(unsigned which)
{
    static const char *const spaces[] = { "private", "local", "global", "constant" };
    struct function *f = &functions[which];
    memset(&items, 0, sizeof(items));
    f->result = any_type();
    f->values[0] = any_type();
    f->values[1] = any_type();
    f->pointed = palette[below(PALETTE)];
    f->has_pointer = chance(60);
    f->has_array = chance(70);
    f->array = tables[below(TABLES)];
    unsigned space = below(4);
    f->array.space = spaces[space];
    if (space < 3 && chance(50)) {
        f->array.base = 4 + below(2);
    }
    put("%s f%u(%s a, %s b", name(f->result), which, name(f->values[0]),
        name(f->values[1]));
    add_var(&items, f->values[0], true, "a", 0, 0);
    add_var(&items, f->values[1], true, "b", 0, 0);
    if (f->has_pointer) {
        put(", %s *q", name(f->pointed));
        add_var(&items, f->pointed, false, "(*q)", 0, 0);
    }
    if (f->has_array) {
        put(", %s %s *p", spaces[space], bases[f->array.base]);
        add_array("p", f->array.base, space != 3, spaces[space]);
    }
    put(")\n{\n");
    indent = 1;
    LINE("const uint lid = %u;", below(99));
    declare_variables(1 + below(3));
    for (unsigned i = 0; i < TABLES; i++) {
        add_array(table_names[i], tables[i].base, false, "constant");
    }
    scope = &items;
    depth = 1;
    left = 2 + below(5);
    n_functions = which;
    statements(ITEM, 5);
    depth = 0;
    if (chance(30)) {
        begin_line();
        put("if ");
        condition(1);
        put(" { return ");
        expression(f->result, 1);
        put("; }\n");
    }
    begin_line();
    put("return ");
    expression(f->result, 2);
    put(";\n}\n\n");
    n_functions = which + 1;
}

/* What every program begins with. */
static const char preamble[]
    = "#pragma OPENCL FP_CONTRACT OFF\n"
      "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n\n"
      "#define SLICE(p, item, i) \\\n"
      "    ((__typeof__(p))(slices + ((group * n + (item)) * 4 + (i)) * 128))\n"
      "#if __OPENCL_C_VERSION__ >= 200\n"
      "#define COUNT(op, space, T, p, value) \\\n"
      "    atomic_fetch_##op##_explicit((volatile space atomic_##T *)(p), value, \\\n"
      "                                 memory_order_relaxed, memory_scope_device)\n"
      "#define EITHER(f, T, c, a, b, i) f((c) ? (T *)(a) : (T *)(b), i)\n"
      "#define SPACES(X) X()\n"
      "#define MEETING(T, kind, op, step, first, end) \\\n"
      "    T group_##kind##_##op##_##T(local T *p, uint lid, uint n, T value) \\\n"
      "    { \\\n"
      "        return work_group_##kind##_##op(value); \\\n"
      "    }\n"
      "#define BROADCAST(T) \\\n"
      "    T group_broadcast_##T(local T *p, uint lid, uint k, T value) \\\n"
      "    { \\\n"
      "        size_t x = get_local_size(0), y = get_local_size(1); \\\n"
      "        return work_group_broadcast(value, k % x, k / x % y, k / x / y); \\\n"
      "    }\n"
      "#define group_any(p, lid, n, value) (work_group_any(value) != 0)\n"
      "#define group_all(p, lid, n, value) (work_group_all(value) != 0)\n"
      "#else\n"
      "#define COUNT(op, space, T, p, value) atomic_##op(p, value)\n"
      "#define EITHER(f, T, c, a, b, i) ((c) ? f(a, i) : f(b, i))\n"
      "#define SPACES(X) X(private) X(local) X(global)\n"
      "#define MEETING(T, kind, op, step, first, end) \\\n"
      "    T group_##kind##_##op##_##T(local T *p, uint lid, uint n, T value) \\\n"
      "    { \\\n"
      "        p[lid] = value; \\\n"
      "        barrier(CLK_LOCAL_MEM_FENCE); \\\n"
      "        T result = first; \\\n"
      "        for (uint i = 0; i < end; i++) { \\\n"
      "            result = step(result, p[i]); \\\n"
      "        } \\\n"
      "        barrier(CLK_LOCAL_MEM_FENCE); \\\n"
      "        return result; \\\n"
      "    }\n"
      "#define BROADCAST(T) \\\n"
      "    T group_broadcast_##T(local T *p, uint lid, uint k, T value) \\\n"
      "    { \\\n"
      "        p[lid] = value; \\\n"
      "        barrier(CLK_LOCAL_MEM_FENCE); \\\n"
      "        value = p[k]; \\\n"
      "        barrier(CLK_LOCAL_MEM_FENCE); \\\n"
      "        return value; \\\n"
      "    }\n"
      "#define OR(a, b) ((a) != 0 || (b) != 0)\n"
      "#define AND(a, b) ((a) != 0 && (b) != 0)\n"
      "#define group_any group_reduce_or_int\n"
      "#define group_all group_reduce_and_int\n"
      "MEETING(int, reduce, or, OR, 0, n)\n"
      "MEETING(int, reduce, and, AND, 1, n)\n"
      "#endif\n"
      "#define SUM(a, b) ((ulong)(a) + (ulong)(b))\n\n";

static void put_constants(void)
{
    for (unsigned i = 0; i < PALETTE; i++) {
        put("constant %s c%u = ", name(palette[i]), i);
        put_literal(palette[i]);
        put(";\n");
    }
    put("constant struct r0 cr = { ");
    for (unsigned i = 0; i < records[0].n; i++) {
        put_literal(records[0].members[i]);
        put(", ");
    }
    put("};\n\n");
}

/* For elements of each table's type. */
static void put_mixes(void)
{
    for (unsigned i = 0; i < TABLES; i++) {
        bool again = false;
        for (unsigned j = 0; j < i; j++) {
            again |= tables[j].base == tables[i].base;
        }
        if (again) {
            continue;
        }
        const char *word = bases[tables[i].base];
        put("#define MIX(space) \\\n");
        put("    %s __attribute__((overloadable)) mix_%s(space %s *p, uint i) \\\n",
            word, word, word);
        put("    { \\\n        p[i] ^= p[(i + %u) & %u] >> 1; \\\n", below(ELEMENTS),
            ELEMENTS - 1);
        put("        return p[i]; \\\n    }\nSPACES(MIX)\n#undef MIX\n\n");
    }
}

static void put_meetings(void)
{
    static const char *const kinds[] = { "reduce", "scan_inclusive", "scan_exclusive" };
    static const char *const ends[] = { "n", "lid + 1", "lid" };
    static const char *const called[] = { "add", "min", "max" };
    static const char *const steps[] = { "SUM", "min", "max" };
    static const char *const greatest[]
        = { "INT_MAX", "UINT_MAX", "LONG_MAX", "ULONG_MAX" };
    static const char *const least[] = { "INT_MIN", "0", "LONG_MIN", "0" };
    unsigned first_type = below(4);
    for (unsigned i = 0; i < MEETINGS; i++) {
        unsigned type = (first_type + i) % 4, kind = below(3), operation = below(3);
        const char *firsts[] = { "0", greatest[type], least[type] };
        meetings[i] = (struct meeting){ 4 + type, kinds[kind], called[operation] };
        put("MEETING(%s, %s, %s, %s, %s, %s)\n", bases[4 + type], kinds[kind],
            called[operation], steps[operation], firsts[operation], ends[kind]);
        put("BROADCAST(%s)\n", bases[4 + type]);
    }
    put("\n");
}

/* What kernels share: types, tables, and functions. */
static void put_program(void)
{
    put("%s", preamble);
    put("union pun {\n    ulong l;\n    uchar8 b;\n    short4 h;\n");
    put("    uint w[2];\n};\n\n");
    put("ulong hash_in(ulong hash, ulong bits)\n{\n");
    put("    hash = (hash ^ bits) * 0x9e3779b97f4a7c15ul;\n");
    put("    return hash ^ hash >> 29;\n}\n\n");
    for (unsigned i = 0; i < PALETTE; i++) {
        /* Small vectors are more frequent than large ones. */
        unsigned largest = chance(30) ? 6 : 4;
        palette[i] = type_of(below(8), widths[below(largest)]);
    }
    for (unsigned i = 0; i < RECORDS; i++) {
        records[i].n = 2 + below(4);
        put("struct r%u {\n", i);
        for (unsigned j = 0; j < records[i].n; j++) {
            records[i].members[j] = any_type();
            put("    %s m%u;\n", name(records[i].members[j]), j);
        }
        put(i == 1 ? "    struct r0 in;\n};\n\n" : "};\n\n");
    }
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned member = below(records[i].n);
        put("struct r%u turn_r%u(struct r%u *p, struct r%u value)\n{\n", i, i, i, i);
        put("    struct r%u old = *p;\n    *p = value;\n", i);
        put("    p->m%u = ~value.m%u;\n    return old;\n}\n\n", member, member);
    }
    put_constants();
    for (unsigned i = 0; i < TABLES; i++) {
        tables[i] = (struct array){ .base = palette[below(PALETTE)].base,
                                    .space = "constant" };
        put("constant %s %s[%u] = { ", bases[tables[i].base], table_names[i], ELEMENTS);
        for (unsigned j = 0; j < ELEMENTS; j++) {
            put_number(tables[i].base);
            put(", ");
        }
        put("};\n\n");
    }
    for (unsigned i = 1; i < PALETTE; i++) {
        bool again = false;
        for (unsigned j = 1; j < i; j++) {
            again |= same(palette[i], palette[j]);
        }
        if (again) {
            continue;
        }
        const char *word = name(palette[i]);
        put("%s meet_%s(local %s *p, uint mine, uint yours, %s value)\n{\n", word, word,
            word, word);
        put("    p[mine] = value;\n    barrier(CLK_LOCAL_MEM_FENCE);\n");
        put("    value = p[yours];\n    barrier(CLK_LOCAL_MEM_FENCE);\n");
        put("    return value;\n}\n\n");
    }
    put_mixes();
    put_meetings();
    n_statements = MOST_STATEMENTS / 2; /* of functions: numbers of their own */
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        put_function(i);
    }
}

/* ---- Kernels -------------------------------------------------------------- */

static void draw_shape(void)
{
    shape.dim = chance(40) ? 1 : 2 + below(2);
    shape.n = 1;
    for (unsigned d = 0; d < 3; d++) {
        static const unsigned most[3][3]
            = { { MOST_ITEMS, 1, 1 }, { 8, 4, 1 }, { 4, 4, 2 } };
        shape.local[d] = 1 + below(most[shape.dim - 1][d]);
        shape.groups[d] = d < shape.dim ? 1 + below(shape.dim == 3 ? 2 : 3) : 1;
        shape.offset[d] = d < shape.dim && chance(30) ? below(100) : 0;
        shape.n *= shape.local[d];
    }
    if (shape.dim == 3) {
        shape.groups[2] = 1;
    } else if (shape.dim == 2) {
        shape.groups[1] = 1;
    }
}

static void kernel(unsigned number)
{
    memset(&items, 0, sizeof(items));
    memset(&uniforms, 0, sizeof(uniforms));
    n_names = n_statements = depth = 0;
    left = 6 + below(16);
    draw_shape();
    put("// launch k%u %u", number, shape.dim);
    for (unsigned d = 0; d < 3; d++) {
        put(" %u %u %u", shape.groups[d] * shape.local[d], shape.local[d],
            shape.offset[d]);
    }
    put("\nkernel void k%u(global const uint *in, global ulong *out, ", number);
    put("global uint *counters,\n    global uchar *slices, global uchar *everyone, ");
    put("uint u, long2 w,\n    local ulong *meeting)\n{\n");
    indent = 1;
    LINE("const uint n = get_local_size(0) * get_local_size(1) * get_local_size(2);");
    LINE("const uint lid = (get_local_id(2) * get_local_size(1) + get_local_id(1))");
    LINE("    * get_local_size(0) + get_local_id(0);");
    LINE("const uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1))");
    LINE("    * get_num_groups(0) + get_group_id(0);");
    LINE("const uint gid = group * n + lid;");
    LINE("ulong taken = 0;");
    add_var(&uniforms, type_of(5, 1), false, "n", 0, 0);
    add_var(&uniforms, type_of(5, 1), false, "u", 0, 0);
    add_var(&uniforms, type_of(6, 2), false, "w", 0, 0);
    uniforms.is_kernel = items.is_kernel = true;
    declare_variables(3 + below(6));
    declare_memory();
    declare_records();
    for (unsigned i = below(3); i > 0; i--) {
        declare_private_array(i);
    }
    for (unsigned i = 0; i < TABLES; i++) {
        add_array(table_names[i], tables[i].base, false, "constant");
    }
    uniforms.arrays[uniforms.n_arrays++] = items.arrays[items.n_arrays - 1];
    scope = &items;
    barrier(true);
    while (left > 0) {
        statements(GROUP, 6);
    }
    put_hash();
    put("}\n\n");
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: opencl-draw SEED KERNELS [ONLY [WITHOUT]]\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 0);
    unsigned n = (unsigned)strtoul(argv[2], NULL, 0);
    unsigned only = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : n;
    read_without(argc > 4 ? argv[4] : "");
    printf("// opencl-draw");
    for (int i = 1; i < argc; i++) {
        printf(" %s", argv[i]);
    }
    printf("\n");
    state = seed * 1000003;
    put_program();
    for (unsigned i = 0; i < n; i++) {
        state = seed * 1000003 + 1 + i;
        muted = only < n && i != only;
        kernel(i);
    }
    return 0;
}
