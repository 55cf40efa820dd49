/* SPDX-License-Identifier: MIT
 *
 * stackless-draw.c: draws random kernels, for stackless.sh.
 *
 *   stackless-draw SEED KERNELS [ONLY [WITHOUT]]
 *
 * Prints a C file with so many kernels and their table. ONLY prints the one with that
 * number, from 0; WITHOUT leaves out statements of it: "3,7". A number that can be left
 * out is in a comment before its statement. The same arguments print the same bytes.
 *
 * The kernels have no races, by construction. Each array has a *mode*, which says what
 * items may do to it until the next barrier. Only what all items of a group run, that
 * is, statements in *group* context, can have a barrier, and change modes. What a loop
 * or a branch in that context changes is changed back at its end, so that a statement
 * can be left out as a whole. The contexts:
 *
 *   ITEM       branches and loops by values that differ between items
 *   SUB_GROUP  all items of a sub-group are here
 *   GROUP      all items of the group are here
 *
 * One kernel in eight is wrong: some of its items do not reach a barrier, or the like.
 *
 * The file is long because it is one grammar: expressions, then the statements of an
 * item, of a sub-group and of a group, then kernels. */
#include <string.h>

#include "draw.h"

enum context { ITEM, SUB_GROUP, GROUP };

enum mode {
    OWN,    /* items read and write their own elements */
    SHARED, /* items read all elements */
    NEAR,   /* items read those of their sub-group */
    FIRST,  /* counters: item 0 writes */
    COUNTS, /* counters: atomics add */
};

enum { BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, N_TYPES };
static const char *const type_names[]
    = { "bool",     "int8_t",  "uint8_t",  "int16_t", "uint16_t", "int32_t",
        "uint32_t", "int64_t", "uint64_t", "float",   "double" };
static const unsigned type_bytes[] = { 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };

struct array {
    char name[16];
    unsigned type;
    unsigned per_item; /* elements */
    bool blocked;      /* an item's elements lie in a row */
    bool global;
    bool counters;      /* four of them, for all items */
    unsigned operation; /* of the atomics */
    enum mode mode;
};

struct scalar {
    char name[16];
    unsigned type;
};

enum { MOST = 24, MOST_ITEMS = 300, LOCAL_BYTES = 60000, COLUMN = 8 };

static struct array arrays[MOST];
static unsigned n_arrays;
static struct scalar vars[MOST], uniforms[MOST];
static unsigned n_vars, n_uniforms;
static unsigned times; /* that the innermost statement of group context runs */
static unsigned bytes; /* of local arrays */
static bool has_q, has_pack, has_pun, has_aligned, has_pointer, has_four;

/* ---- Expressions --------------------------------------------------------- */

static void integer(unsigned deep);
static void real(unsigned deep);
static void condition(unsigned deep);
static void uniform(unsigned deep);

static void put_element(const struct array *a, const char *item, unsigned j, bool any)
{
    /* @any: the element j of the item, else one that is computed */
    put("%s[", a->name);
    if (a->blocked) {
        put("(size_t)%s * %u + ", item, a->per_item);
    } else {
        put("%s + (size_t)n * ", item);
    }
    if (any && a->per_item > 1) {
        put("((");
        integer(1);
        put(") %% %u)]", a->per_item);
    } else {
        put("%u]", j);
    }
}

static void put_own(const struct array *a)
{
    put_element(a, "lid", below(a->per_item), chance(40));
}

/* Some element that items may read. */
static void put_read(const struct array *a)
{
    if (a->counters) {
        put("%s[(", a->name);
        integer(1);
        put(") & 3]");
        return;
    }
    if (a->mode == OWN) {
        put_own(a);
        return;
    }
    if (a->mode == NEAR) {
        put_element(
            a, chance(50) ? "(sub + (slid + 1) % width)" : "(sub + width - 1 - slid)",
            below(a->per_item), false);
        return;
    }
    switch (below(4)) {
    case 0:
        put("%s[(", a->name);
        integer(1);
        put(") %% (n * %u)]", a->per_item);
        break;
    case 1:
        put_element(a, "(n - 1 - lid)", below(a->per_item), false);
        break;
    case 2:
        put("%s[", a->name);
        uniform(1);
        put(" %% (n * %u)]", a->per_item);
        break;
    default:
        put("%s[(lid + %u) %% (n * %u)]", a->name, 1 + below(40), a->per_item);
    }
}

static bool is_readable(const struct array *a)
{
    return a->mode != FIRST && a->mode != COUNTS;
}

/* @name, of @type, as a uint32_t */
static void put_word(const char *name, unsigned type)
{
    if (type == F32 || type == F64) {
        put("(uint32_t)(int32_t)%s", name);
    } else if (type == I64 || type == U64) {
        put(chance(30) ? "(uint32_t)((uint64_t)%s >> 32)" : "(uint32_t)%s", name);
    } else {
        put("(uint32_t)%s", name);
    }
}

/* A uint32_t that all items of the group have. */
static void uniform(unsigned deep)
{
    if (deep == 0 || chance(30)) {
        switch (below(5)) {
        case 0:
            put("%uu", below(64));
            break;
        case 1:
            put("args->uniform[%u]", below(4));
            break;
        case 2:
            put("group");
            break;
        case 3:
            put("n");
            break;
        default:
            if (n_uniforms > 0) {
                const struct scalar *u = &uniforms[below(n_uniforms)];
                put_word(u->name, u->type);
            } else {
                put("args->in[%u]", below(64));
            }
        }
        return;
    }
    static const char *const operators[] = { "+", "-", "*", "^", "&", "|" };
    put("(");
    uniform(deep - 1);
    put(" %s ", operators[below(6)]);
    uniform(deep - 1);
    put(")");
}

static void atom(void)
{
    switch (below(12)) {
    case 0:
        put("%uu", below(1000));
        return;
    case 1:
        put("lid");
        return;
    case 2:
        put("(uint32_t)gid");
        return;
    case 3:
        put("slid");
        return;
    case 4:
        uniform(0);
        return;
    case 5:
        if (has_pointer) {
            put("*pointer");
            return;
        }
        break;
    case 6:
        if (has_pack) {
            static const char *const members[]
                = { "(uint32_t)pack.a", "pack.b", "(uint32_t)pack.c",
                    "(uint32_t)(int32_t)pack.d", "(uint32_t)pack.e[1]" };
            put("%s", members[below(5)]);
            return;
        }
        break;
    case 7:
        if (has_pun) {
            static const char *const members[]
                = { "pun.w[0]", "pun.w[1]", "(uint32_t)(pun.q >> 16)",
                    "(uint32_t)pun.b[3]" };
            put("%s", members[below(4)]);
            return;
        }
        break;
    case 8:
        if (has_four) {
            put("vec[%u]", below(4));
            return;
        }
        break;
    case 9:
        put("args->in[%u]", below(64));
        return;
    }
    const struct scalar *v = &vars[below(n_vars)];
    put_word(v->name, v->type);
}

static void read_array(void)
{
    const struct array *a = n_arrays > 0 ? &arrays[below(n_arrays)] : NULL;
    if (a == NULL || !is_readable(a)) {
        atom();
    } else if (a->type == F32 || a->type == F64) {
        put("(uint32_t)(int32_t)");
        put_read(a);
    } else {
        put("(uint32_t)");
        put_read(a);
    }
}

/* A uint32_t. */
static void integer(unsigned deep)
{
    static const char *const operators[] = { "+", "-", "*", "^", "&", "|", "+", "^" };
    if (deep == 0) {
        atom();
        return;
    }
    deep--;
    switch (below(14)) {
    case 0:
    case 1:
        atom();
        break;
    case 2:
    case 3:
        read_array();
        break;
    case 4:
        put("(");
        condition(deep);
        put(" ? ");
        integer(deep);
        put(" : ");
        integer(deep);
        put(")");
        break;
    case 5:
        put("(");
        integer(deep);
        put(chance(50) ? " >> (" : " << (");
        integer(deep);
        put(" & %u))", chance(50) ? 31 : 7);
        break;
    case 6:
        put("(");
        integer(deep);
        put(chance(50) ? " / (" : " %% (");
        integer(deep);
        put(" | 1))");
        break;
    case 7:
        if (has_q) {
            put("q[(");
            integer(deep);
            put(") & 7]");
        } else {
            put("args->in[(");
            integer(deep);
            put(") & 63]");
        }
        break;
    case 8:
        if (has_aligned) {
            put("(uint32_t)aligned[(");
            integer(deep);
            put(") & 3]");
        } else {
            atom();
        }
        break;
    case 9:
        put("(uint32_t)(((uint64_t)");
        integer(deep);
        put(" * ");
        integer(deep);
        put(") >> %u)", 8 + below(40));
        break;
    default:
        put("(");
        integer(deep);
        put(" %s ", operators[below(8)]);
        integer(deep);
        put(")");
    }
}

static void condition(unsigned deep)
{
    if (deep > 0) {
        deep--;
    }
    switch (below(8)) {
    case 0:
        put("lid %% %u == %u", 2 + below(5), below(2));
        break;
    case 1:
        put("lid < ");
        uniform(0);
        break;
    case 2:
        put("((");
        integer(deep);
        put(") & %u) != 0", 1 + below(7));
        break;
    case 3:
        put("(int32_t)");
        integer(deep);
        put(" < (int32_t)");
        integer(deep);
        break;
    case 4:
        put("(");
        condition(deep);
        put(chance(50) ? ") && (" : ") || (");
        condition(deep);
        put(")");
        break;
    case 5:
        real(deep);
        put(" < ");
        real(deep);
        break;
    default:
        integer(deep);
        put(chance(50) ? " < " : " > ");
        integer(deep);
    }
}

/* A double. */
static void real(unsigned deep)
{
    if (deep == 0 || chance(20)) {
        for (unsigned i = 0; i < n_vars; i++) {
            const struct scalar *v = &vars[below(n_vars)];
            if (v->type == F32 || v->type == F64) {
                put("(double)%s", v->name);
                return;
            }
        }
        put("(double)(int32_t)(");
        integer(deep);
        put(" & 0xffff)");
        return;
    }
    deep--;
    switch (below(5)) {
    case 0:
        put("(");
        real(deep);
        put(" * 0.375)");
        break;
    case 1:
        put("(");
        real(deep);
        put(" / (1.0 + (double)(int32_t)(");
        integer(deep);
        put(" & 15)))");
        break;
    case 2:
        put("(");
        condition(deep);
        put(" ? ");
        real(deep);
        put(" : ");
        real(deep);
        put(")");
        break;
    default:
        put("(");
        real(deep);
        put(chance(50) ? " + " : " - ");
        real(deep);
        put(")");
    }
}

/* A value that is converted to @type. */
static void value(unsigned type, unsigned deep)
{
    if (type == BOOL) {
        put("(");
        condition(deep);
        put(")");
    } else if (type == F32 || type == F64) {
        put("(%s)bound(", type_names[type]);
        real(deep);
        put(")");
    } else if (type == I64 || type == U64) {
        put("(%s)(((uint64_t)", type_names[type]);
        integer(deep);
        put(chance(50) ? " << %u) ^ " : " * %uu) + ", 1 + below(31));
        integer(deep);
        put(")");
    } else {
        put("(%s)(", type_names[type]);
        integer(deep);
        put(")");
    }
}

/* ---- Modes --------------------------------------------------------------- */

static void put_barrier(void)
{
    static const char *const barriers[]
        = { "weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL);",
            "weir_group_barrier(item);",
            "weir_group_barrier_scope(item, memory_scope_device);",
            "weir_barrier(item, WEIR_GLOBAL | WEIR_LOCAL);" };
    bool global = false;
    for (unsigned i = 0; i < n_arrays; i++) {
        global |= arrays[i].global;
    }
    if (!global && chance(70)) {
        LINE("weir_barrier(item, WEIR_LOCAL);");
    } else {
        LINE("%s", barriers[below(4)]);
    }
}

static void draw_modes(void)
{
    for (unsigned i = 0; i < n_arrays; i++) {
        struct array *a = &arrays[i];
        if (chance(70)) {
            a->mode = a->counters ? (chance(60) ? COUNTS : SHARED)
                                  : (chance(45) ? OWN : SHARED);
        } else if (a->mode == NEAR) {
            a->mode = SHARED;
        }
    }
}

static void barrier(void)
{
    put_barrier();
    draw_modes();
}

static void save_modes(enum mode *modes)
{
    for (unsigned i = 0; i < n_arrays; i++) {
        modes[i] = arrays[i].mode;
    }
}

/* Returns: whether the first @n arrays have the modes that they had */
static bool has_modes(const enum mode *modes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (modes[i] != arrays[i].mode) {
            return false;
        }
    }
    return true;
}

/* Back to @modes, of the first @n arrays; the others end here. */
static void restore_modes(const enum mode *modes, unsigned n, enum context context)
{
    n_arrays = n;
    if (has_modes(modes, n)) {
        return;
    }
    if (context == GROUP) {
        put_barrier();
    } else {
        LINE("weir_sub_group_barrier(item);");
    }
    for (unsigned i = 0; i < n; i++) {
        arrays[i].mode = modes[i];
    }
}

/* ---- Statements of an item ----------------------------------------------- */

static void statements(enum context context, unsigned most);

static void new_name(char *name, char letter)
{
    snprintf(name, 16, "%c%u", letter, n_names++);
}

static void assign(void)
{
    const struct scalar *v = &vars[below(n_vars)];
    begin_line();
    if (chance(30) && v->type >= I8 && v->type <= U32) {
        put("%s = (%s)((uint32_t)%s %s ", v->name, type_names[v->type], v->name,
            chance(50) ? "+" : "^");
        integer(2);
        put(");\n");
        return;
    }
    put("%s = ", v->name);
    value(v->type, 3);
    put(";\n");
}

static void assign_aggregate(void)
{
    begin_line();
    switch (below(8)) {
    case 0:
        if (has_q) {
            put("q[(");
            integer(1);
            put(") & 7] = ");
            integer(2);
            put(";\n");
            return;
        }
        break;
    case 1:
        if (has_pack) {
            static const char *const members[] = { "a", "b", "c", "d", "e[2]" };
            static const unsigned types[] = { U8, U32, I64, F32, U16 };
            unsigned i = below(5);
            put("pack.%s = ", members[i]);
            value(types[i], 2);
            put(";\n");
            return;
        }
        break;
    case 2:
        if (has_pack) {
            put(chance(50) ? "other = pack;\n" : "pack = other;\n");
            return;
        }
        break;
    case 3:
        if (has_pun) {
            put(chance(50) ? "pun.w[1] = " : "pun.b[2] = (uint8_t)");
            integer(2);
            put(";\n");
            return;
        }
        break;
    case 4:
        if (has_aligned) {
            put("aligned[(");
            integer(1);
            put(") & 3] = ");
            integer(2);
            put(";\n");
            return;
        }
        break;
    case 5:
        if (has_pointer) {
            put("*pointer = ");
            integer(2);
            put(";\n");
            return;
        }
        break;
    case 6:
        if (has_pointer) {
            put("pointer = ");
            condition(1);
            put(" ? &x : %s;\n", has_q ? "&q[lid & 7]" : "&y");
            return;
        }
        break;
    default:
        if (has_four) {
            put("vec = vec * (four){ 3, 5, lid, 7 } + ");
            integer(1);
            put(";\n");
            return;
        }
    }
    put(chance(30) ? "swap(&x, &y);\n" : "x = x * 3 + y;\n");
}

static void write_array(void)
{
    const struct array *a = &arrays[below(n_arrays)];
    if (a->mode == COUNTS) {
        static const char *const operations[] = { "add", "xor", "or", "max", "min" };
        begin_line();
        put("weir_atomic_fetch_%s_explicit(&%s[", operations[a->operation], a->name);
        integer(1);
        put(" & 3], ");
        integer(2);
        put(", memory_order_relaxed, memory_scope_work_group);\n");
    } else if (a->mode == OWN) {
        begin_line();
        put_own(a);
        put(" = ");
        value(a->type, 3);
        put(";\n");
    } else {
        assign();
    }
}

static void call(void)
{
    begin_line();
    switch (below(4)) {
    case 0:
        if (has_q) {
            put("stir(q);\n");
            return;
        }
        /* fallthrough */
    case 1:
        put("x = far(x, ");
        integer(1);
        put(");\n");
        break;
    case 2:
        put("weir_atomic_fetch_add_explicit(&args->counters[lid & 7], ");
        integer(1);
        put(", memory_order_relaxed, memory_scope_device);\n");
        break;
    default:
        put("swap(&x, %s);\n", has_q ? "&q[lid & 7]" : "&y");
    }
}

/* A variable, or a small array, that no stop is crossed with. */
static void block(void)
{
    unsigned id = n_names++;
    LINE("{");
    indent++;
    begin_line();
    put("uint32_t t%u[4] = { ", id);
    integer(1);
    put(", ");
    integer(1);
    put(" };\n");
    begin_line();
    put("t%u[(", id);
    integer(1);
    put(") & 3] += ");
    integer(2);
    put(";\n");
    statements(ITEM, 2);
    begin_line();
    put("x ^= t%u[(", id);
    integer(1);
    put(") & 3];\n");
    indent--;
    LINE("}");
}

static void varying_if(void)
{
    begin_line();
    put("if (");
    condition(2);
    put(") {\n");
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

static void varying_switch(void)
{
    unsigned n = 2 + below(5);
    begin_line();
    put("switch (");
    integer(2);
    put(" %% %u) {\n", n + below(3));
    for (unsigned i = 0; i < n; i++) {
        LINE("case %u:", i);
        indent++;
        statements(ITEM, 1);
        if (chance(70)) {
            LINE("break;");
        }
        indent--;
    }
    LINE("default:;");
    LINE("}");
}

static void varying_loop(void)
{
    unsigned id = n_names++;
    begin_line();
    put("for (uint32_t k%u = 0; k%u < ((", id, id);
    integer(2);
    put(") & 7) + %u; k%u++) {\n", below(2), id);
    indent++;
    LINE("if (k%u > 9) { break; }", id);
    statements(ITEM, 2);
    if (chance(40)) {
        begin_line();
        put("if (");
        condition(1);
        put(") { %s; }\n", chance(70) ? "break" : "continue");
        statements(ITEM, 1);
    }
    LINE("x += k%u;", id);
    indent--;
    LINE("}");
}

static void put_many(unsigned most)
{
    if (chance(50)) {
        put("%u", 1 + below(most));
    } else {
        put("((");
        if (chance(50)) {
            uniform(1);
        } else {
            integer(1);
        }
        put(") %% %u)", most + 1);
    }
}

/* A loop in which items read, and perhaps write, elements that are neighbours. */
static void neighbours(void)
{
    unsigned id = n_names++;
    bool strides = chance(40), real_sum = chance(30);
    const struct scalar *v = &vars[below(n_vars)];
    LINE("{");
    indent++;
    LINE(real_sum ? "float sum%u = 0;" : "uint32_t sum%u = lid;", id);
    begin_line();
    if (strides) {
        put("for (%s k%u = lid; k%u < n * ", chance(50) ? "uint32_t" : "size_t", id,
            id);
        put_many(COLUMN);
        put("; k%u += n) {\n", id);
    } else {
        put("for (%s k%u = %u; k%u < ", chance(50) ? "uint32_t" : "size_t", id,
            below(2), id);
        put_many(COLUMN);
        put("; k%u++) {\n", id);
    }
    indent++;
    char at[64];
    snprintf(at, sizeof(at), strides ? "k%u" : "k%u * n + lid", id);
    if (chance(20)) {
        begin_line();
        put("if (");
        condition(1);
        put(") { %s; }\n", chance(60) ? "break" : "continue");
    }
    if (real_sum) {
        LINE("sum%u = sum%u * 0.5f + args->reals[%s];", id, id, at);
    } else {
        LINE("sum%u = sum%u * 3 + args->wide[%s + %u];", id, id, at, below(3));
    }
    if (chance(30)) {
        begin_line();
        put("args->columns[(size_t)group * n * %u + %s] %s ", COLUMN, at,
            chance(50) ? "=" : "+=");
        integer(1);
        put(";\n");
    }
    if (chance(20)) {
        assign();
    }
    indent--;
    LINE("}");
    if (v->type == F32 || v->type == F64) {
        LINE("%s = (%s)bound((double)(int32_t)sum%u);", v->name, type_names[v->type],
             id);
    } else {
        LINE("%s = (%s)%ssum%u;", v->name, type_names[v->type],
             real_sum ? "(int32_t)" : "", id);
    }
    indent--;
    LINE("}");
}

static void item_statement(bool flat)
{
    switch (below(flat ? 16 : 24)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        assign();
        break;
    case 6:
    case 7:
    case 8:
        assign_aggregate();
        break;
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
        write_array();
        break;
    case 15:
        call();
        break;
    case 16:
        block();
        break;
    case 17:
    case 18:
    case 19:
        varying_if();
        break;
    case 20:
        varying_switch();
        break;
    case 21:
    case 22:
        neighbours();
        break;
    default:
        varying_loop();
    }
}

/* ---- Statements of a sub-group -------------------------------------------- */

/* A condition that all items of a sub-group agree on. */
static void sub_group_condition(void)
{
    switch (below(3)) {
    case 0:
        put("(weir_sub_group_id(item) & 1) == %u", below(2));
        break;
    case 1:
        put("weir_sub_group_id(item) < ");
        uniform(0);
        break;
    default:
        put("weir_sub_group_any(item, ");
        condition(1);
        put(")");
    }
}

static void sub_group_value(void)
{
    static const char *const functions[]
        = { "reduce_add", "reduce_min", "reduce_max", "inclusive_scan_add",
            "exclusive_scan_add" };
    const struct scalar *v = &vars[below(n_vars)];
    begin_line();
    put("%s = (%s)", v->name, type_names[v->type]);
    if (v->type == F32 || v->type == F64) {
        put("bound(weir_sub_group_reduce_max(item, ");
        value(v->type, 2);
        put("));\n");
        return;
    }
    switch (below(5)) {
    case 0:
    case 1:
        put("weir_sub_group_shuffle(item, ");
        value(chance(50) ? U64 : U32, 2);
        put(", ");
        integer(1);
        put(" %% width);\n");
        break;
    case 2:
        put("weir_sub_group_broadcast(item, ");
        integer(2);
        put(", 0);\n");
        break;
    case 3:
        put("weir_sub_group_%s(item, ", chance(50) ? "any" : "all");
        condition(2);
        put(");\n");
        break;
    default:
        put("weir_sub_group_%s(item, ", functions[below(5)]);
        value(chance(50) ? U32 : I64, 2);
        put(");\n");
    }
}

static void sub_group_barrier(void)
{
    LINE("weir_sub_group_barrier(item);");
    for (unsigned i = 0; i < n_arrays; i++) {
        if (arrays[i].mode == OWN && !arrays[i].global && chance(60)) {
            arrays[i].mode = NEAR;
        } else if (arrays[i].mode == NEAR && chance(60)) {
            arrays[i].mode = OWN;
        }
    }
}

static void sub_group_branch(void)
{
    enum mode modes[MOST];
    unsigned n = n_arrays, id = n_names++;
    save_modes(modes);
    bool loop = chance(50);
    begin_line();
    if (loop) {
        put("for (uint32_t k%u = 0; k%u < %s; k%u++) {\n", id, id,
            chance(50) ? "1 + weir_sub_group_id(item) % 3"
                       : "(group + weir_sub_group_id(item)) & 3",
            id);
    } else {
        put("if (");
        sub_group_condition();
        put(") {\n");
    }
    indent++;
    statements(SUB_GROUP, 3);
    restore_modes(modes, n, SUB_GROUP);
    if (loop && chance(30)) {
        begin_line();
        put("if (");
        sub_group_condition();
        put(") { %s; }\n", chance(70) ? "break" : "continue");
        statements(SUB_GROUP, 2);
        restore_modes(modes, n, SUB_GROUP);
    }
    indent--;
    LINE("}");
}

/* ---- Statements of a group ------------------------------------------------ */

static void group_value(void)
{
    static const char *const functions[]
        = { "reduce_add", "reduce_min", "reduce_max", "inclusive_scan_add",
            "exclusive_scan_add" };
    bool to_uniform = n_uniforms > 0 && chance(50);
    const struct scalar *v
        = to_uniform ? &uniforms[below(n_uniforms)] : &vars[below(n_vars)];
    begin_line();
    if (to_uniform && v->name[0] != 'u') {
        put("x ^= ");
    } else {
        put("%s = (%s)", v->name, type_names[v->type]);
    }
    if (v->type == F32 || v->type == F64) {
        put("bound(weir_group_reduce_add(item, ");
        value(v->type, 2);
        put("));\n");
        return;
    }
    switch (below(4)) {
    case 0:
        put("weir_group_broadcast(item, ");
        value(chance(50) ? U32 : U64, 2);
        put(", ");
        if (chance(50)) {
            put("0");
        } else {
            uniform(1);
            put(" %% n");
        }
        put(");\n");
        break;
    case 1:
        put("weir_group_%s(item, ", chance(50) ? "any" : "none");
        condition(2);
        put(");\n");
        break;
    default:
        put("weir_group_%s(item, ", functions[below(to_uniform ? 3 : 5)]);
        value(chance(50) ? U32 : I64, 2);
        put(");\n");
    }
}

static void declare_array(const char *at_start)
{
    unsigned type = chance(40) ? U32 : below(N_TYPES), per_item = 1 + below(2);
    unsigned size = MOST_ITEMS * per_item * type_bytes[type] + 64;
    if (n_arrays + 1 >= MOST || bytes + size * times > LOCAL_BYTES) {
        return;
    }
    bytes += size * times;
    struct array a = { .type = type, .per_item = per_item, .blocked = chance(50) };
    new_name(a.name, 'a');
    LINE("%s *%s = weir_local_array(item, %s, n * %u);%s", type_names[type], a.name,
         type_names[type], per_item, at_start);
    for (unsigned i = 0; i < per_item; i++) {
        begin_line();
        put_element(&a, "lid", i, false);
        put(" = ");
        value(type, 1);
        put(";\n");
    }
    arrays[n_arrays++] = a;
}

static void assign_uniform(void)
{
    if (n_uniforms == 0) {
        assign();
        return;
    }
    const struct scalar *u = &uniforms[below(n_uniforms)];
    begin_line();
    if (u->name[0] == 'u') {
        put("%s = (%s)", u->name, type_names[u->type]);
        uniform(2);
        put(";\n");
    } else {
        put("x ^= ");
        uniform(2);
        put(";\n");
    }
}

static void uniform_if(void)
{
    enum mode modes[MOST];
    unsigned n = n_arrays;
    save_modes(modes);
    begin_line();
    put("if ((");
    uniform(2);
    put(") & %u) {\n", 1 + below(3));
    indent++;
    statements(GROUP, 3);
    restore_modes(modes, n, GROUP);
    indent--;
    if (chance(50)) {
        LINE("} else {");
        indent++;
        statements(GROUP, 3);
        restore_modes(modes, n, GROUP);
        indent--;
    }
    LINE("}");
}

/* A loop with barriers, or a part of one after the last barrier. */
static void uniform_loop(void)
{
    enum mode modes[MOST];
    unsigned n = n_arrays, id = n_names++, was = times, n_were = n_uniforms;
    unsigned trips = 1 + below(4);
    save_modes(modes);
    times *= trips;
    begin_line();
    if (chance(60)) {
        put("for (uint32_t k%u = 0; k%u < %u; k%u++) {\n", id, id, trips, id);
    } else {
        put("for (uint32_t k%u = 0; k%u < (", id, id);
        uniform(1);
        put(") %% %u; k%u++) {\n", trips + 1, id);
    }
    if (n_uniforms < MOST) {
        struct scalar *k = &uniforms[n_uniforms++];
        snprintf(k->name, sizeof(k->name), "k%u", id);
        k->type = U32;
    }
    indent++;
    statements(GROUP, 4);
    if (chance(30)) {
        restore_modes(modes, n, GROUP);
        begin_line();
        put("if ((");
        uniform(1);
        put(") & %u) { %s; }\n", 1 + below(3), chance(70) ? "break" : "continue");
        statements(GROUP, 2);
    }
    restore_modes(modes, n, GROUP);
    if (chance(30)) {
        begin_line();
        put("if (");
        condition(1);
        put(") { continue; }\n");
        statements(ITEM, 2);
    }
    indent--;
    LINE("}");
    times = was;
    n_uniforms = n_were;
}

/* One barrier, which items come to from loops inside each other: some have left the
 * inner one, and some have not. */
static void one_barrier(void)
{
    unsigned id = n_names++;
    LINE("uint32_t k%u = 0, o%u = 0;", id, id);
    LINE("for (;;) {");
    indent++;
    LINE("o%u%s;", id, chance(50) ? "++" : " += n");
    statements(ITEM, 1);
    LINE("for (;;) {");
    indent++;
    put_barrier();
    LINE("if (++k%u > %u) { goto out%u; }", id, 2 + below(4), id);
    statements(ITEM, 1);
    begin_line();
    put("if (");
    condition(1);
    put(") { break; }\n");
    statements(ITEM, 1);
    indent--;
    LINE("}");
    statements(ITEM, 1);
    indent--;
    LINE("}");
    LINE("out%u:", id);
    LINE("x ^= o%u;", id);
}

/* A barrier in some rounds of a loop, which items leave in others. */
static void rare_barrier(void)
{
    enum mode modes[MOST];
    unsigned id = n_names++, at = below(4), n = n_arrays;
    save_modes(modes);
    LINE("uint32_t k%u;", id);
    LINE("for (k%u = 0; k%u < %u; k%u++) {", id, id, at + 1 + below(6), id);
    indent++;
    LINE("if (k%u == %u) {", id, at);
    indent++;
    statements(GROUP, 1);
    barrier();
    statements(GROUP, 1);
    restore_modes(modes, n, GROUP);
    indent--;
    LINE("}");
    statements(ITEM, 2);
    begin_line();
    put("if (k%u >= %u && (", id, at);
    condition(1);
    put(")) { break; }\n");
    indent--;
    LINE("}");
    LINE("x += k%u;", id);
}

static void tree(void)
{
    struct array *a = &arrays[below(n_arrays)];
    if (a->counters || a->per_item > 1 || a->type == BOOL) {
        barrier();
        return;
    }
    unsigned id = n_names++;
    put_barrier();
    a->mode = OWN;
    LINE("for (uint32_t k%u = %u; k%u > 0; k%u /= 2) {", id, 256 >> below(6), id, id);
    indent++;
    begin_line();
    put("if (lid < k%u && lid + k%u < n) { ", id, id);
    if (a->type == F32 || a->type == F64) {
        put("%s[lid] = (%s)bound((double)%s[lid] + (double)%s[lid + k%u]);", a->name,
            type_names[a->type], a->name, a->name, id);
    } else {
        put("%s[lid] = (%s)((uint64_t)%s[lid] + (uint64_t)%s[lid + k%u]);", a->name,
            type_names[a->type], a->name, a->name, id);
    }
    put(" }\n");
    if (chance(30)) {
        assign();
    }
    put_barrier();
    indent--;
    LINE("}");
    draw_modes();
}

static void call_that_waits(void)
{
    const struct array *a = &arrays[below(n_arrays)];
    if (a->counters || a->type != U32 || a->mode != OWN) {
        group_value();
        return;
    }
    const char *scale = a->blocked && a->per_item == 2 ? " * 2" : "";
    begin_line();
    put("x += %s(item, %s, (size_t)lid%s, (size_t)((lid + %u) %% n)%s, ",
        chance(50) ? "meet" : "meet_here", a->name, scale, 1 + below(9), scale);
    integer(1);
    put(");\n");
}

static void put_hash(void)
{
    LINE("uint64_t hash = gid;");
    for (unsigned i = 0; i < n_vars; i++) {
        bool is_real = vars[i].type == F32 || vars[i].type == F64;
        LINE("hash = hash_in(hash, %s%s%s);", is_real ? "bits_of(" : "(uint64_t)",
             vars[i].name, is_real ? ")" : "");
    }
    for (unsigned i = 0; i < n_uniforms; i++) {
        LINE("hash = hash_in(hash, (uint64_t)%s);", uniforms[i].name);
    }
    for (unsigned i = 0; i < n_arrays; i++) {
        const struct array *a = &arrays[i];
        if (a->mode == OWN) {
            begin_line();
            put("hash = hash_in(hash, bits_of((double)");
            put_element(a, "lid", a->per_item - 1, false);
            put("));\n");
        }
    }
    if (has_q) {
        LINE("for (int i = 0; i < 8; i++) { hash = hash_in(hash, q[i]); }");
    }
    if (has_pack) {
        LINE("hash = hash_pack(hash_pack(hash, pack), other);");
    }
    if (has_pun) {
        LINE("hash = hash_in(hash, pun.q);");
    }
    if (has_aligned) {
        LINE("hash = hash_in(hash, (uintptr_t)aligned & 31);");
        LINE("hash = hash_in(hash, aligned[0] ^ aligned[3]);");
    }
    if (has_pointer) {
        LINE("hash = hash_in(hash, *pointer);");
    }
    if (has_four) {
        LINE("hash = hash_in(hash, vec[0] ^ (uint64_t)vec[3] << 32);");
    }
    LINE("args->out[gid] = hash;");
}

static void uniform_return(void)
{
    begin_line();
    put("if (((");
    uniform(2);
    put(") & 15) == %u) {\n", below(16));
    indent++;
    put_hash();
    LINE("return;");
    indent--;
    LINE("}");
}

/* What changes modes or declares something cannot be left out. */
static void group_statement(unsigned id, bool flat)
{
    unsigned kind = below(flat ? 12 : 23);
    switch (kind) {
    case 1:
    case 2:
        barrier();
        return;
    case 18:
        tree();
        return;
    case 21:
        declare_array(" /* not at the start */");
        return;
    case 11:
    case 10:
        if (flat || kind == 11) {
            sub_group_barrier();
            return;
        }
    }
    muted += without[id];
    switch (kind) {
    case 0:
        assign_uniform();
        break;
    case 3:
        group_value();
        break;
    case 12:
        uniform_if();
        break;
    case 13:
    case 14:
    case 15:
        uniform_loop();
        break;
    case 16:
        one_barrier();
        break;
    case 17:
        rare_barrier();
        break;
    case 19:
        call_that_waits();
        break;
    case 20:
        sub_group_branch();
        break;
    case 22:
        if (chance(30)) {
            uniform_return();
            break;
        }
        /* fallthrough */
    case 4:
        sub_group_value();
        break;
    default:
        item_statement(flat);
    }
    muted -= without[id];
}

static void sub_group_statement(unsigned id, bool flat)
{
    unsigned kind = below(flat ? 8 : 10);
    if (kind == 2) {
        sub_group_barrier();
        return;
    }
    muted += without[id];
    switch (kind) {
    case 0:
    case 1:
        sub_group_value();
        break;
    case 8:
        sub_group_branch();
        break;
    default:
        item_statement(flat);
    }
    muted -= without[id];
}

static void statements(enum context context, unsigned most)
{
    unsigned n = 1 + below(most);
    depth++;
    for (unsigned i = 0; i < n && left > 0; i++) {
        left--;
        unsigned id = n_statements++;
        bool flat = depth > 4;
        LINE("/* %u */", id);
        if (context == GROUP) {
            group_statement(id, flat);
        } else if (context == SUB_GROUP) {
            sub_group_statement(id, flat);
        } else {
            muted += without[id];
            item_statement(flat);
            muted -= without[id];
        }
    }
    depth--;
}

/* ---- Kernels -------------------------------------------------------------- */

/* What only some items of a group do. */
static void some_items(void)
{
    if (chance(30)) {
        condition(2);
    } else {
        put("lid %% %u == %u", 2 + below(9), below(2));
    }
}

static void mistake(void)
{
    unsigned kind = below(10);
    LINE("/* wrong */");
    begin_line();
    switch (kind) {
    case 0:
    case 1:
        put("if (");
        some_items();
        put(") {\n");
        indent++;
        put_barrier();
        indent--;
        if (kind == 1) {
            LINE("} else {");
            indent++;
            put_barrier();
            indent--;
        }
        LINE("}");
        break;
    case 2:
        put("if (");
        some_items();
        put(") { return; }\n");
        break;
    case 3:
        put("for (int i = 0; i < %u; i++) {\n", 2 + below(4));
        indent++;
        put_barrier();
        begin_line();
        put("if (i == %u && ", below(3));
        some_items();
        put(") { break; }\n");
        indent--;
        LINE("}");
        break;
    case 4:
        put("if (");
        some_items();
        put(") { x ^= weir_group_reduce_add(item, y); }\n");
        break;
    case 5:
        put("x ^= weir_group_broadcast(item, y, ");
        some_items();
        put(");\n");
        break;
    case 6:
        put("weir_barrier(item, ");
        some_items();
        put(" ? WEIR_LOCAL : WEIR_GLOBAL);\n");
        break;
    case 7:
        put("if (");
        some_items();
        put(") { weir_local_array(item, uint32_t, 4)[lid & 3] = 0; }\n");
        break;
    case 8:
        put("if (lid == n / 2) { *args->none = x; }\n");
        break;
    default:
        put("weir_assert(item, lid != n - 1);\n");
    }
    if (chance(50)) {
        begin_line();
        put("x = (x & 1) + lid;\n");
        put_barrier();
        LINE("y ^= x;");
    }
}

static void declare_variables(void)
{
    n_vars = 3 + below(8);
    for (unsigned i = 0; i < n_vars; i++) {
        vars[i].type = below(N_TYPES);
        snprintf(vars[i].name, sizeof(vars[i].name), "v%u", i);
        LINE("%s v%u = (%s)%s;", type_names[vars[i].type], i, type_names[vars[i].type],
             chance(50) ? "(lid & 63)" : "1");
    }
    LINE("uint32_t x = args->in[(lid + %u) & 63], y = %u;", below(64), below(99));
    snprintf(vars[n_vars].name, sizeof(vars[0].name), "x");
    vars[n_vars++].type = U32;
    snprintf(vars[n_vars].name, sizeof(vars[0].name), "y");
    vars[n_vars++].type = U32;
    n_uniforms = 1 + below(4);
    for (unsigned i = 0; i < n_uniforms; i++) {
        static const unsigned types[] = { U32, U32, U64, U8, I32 };
        uniforms[i].type = types[below(5)];
        snprintf(uniforms[i].name, sizeof(uniforms[i].name), "u%u", i);
        LINE("%s u%u = %u;", type_names[uniforms[i].type], i, below(9));
    }
    has_q = chance(50);
    has_pack = chance(30);
    has_pun = chance(30);
    has_aligned = chance(20);
    has_pointer = chance(30);
    has_four = chance(15);
    if (has_q) {
        LINE("uint32_t q[8] = { x, y, lid, 4, 5 };");
    }
    if (has_pack) {
        LINE("struct pack pack = { .b = lid }, other = { .e = { 1, 2, 3 } };");
    }
    if (has_pun) {
        LINE("union pun pun = { .q = gid * 77 };");
    }
    if (has_aligned) {
        LINE("_Alignas(32) uint64_t aligned[4] = { 0, lid };");
    }
    if (has_pointer) {
        LINE("uint32_t *pointer = &x;");
    }
    if (has_four) {
        LINE("four vec = { 1, lid, 3, 4 };");
    }
}

static void declare_arrays(void)
{
    n_arrays = bytes = 0;
    for (unsigned i = 1 + below(3); i > 0; i--) {
        declare_array("");
    }
    if (chance(30)) {
        struct array a = { .type = U32,
                           .counters = true,
                           .operation = below(5),
                           .mode = FIRST,
                           .per_item = 1 };
        new_name(a.name, 'c');
        LINE("uint32_t *%s = weir_local_array(item, uint32_t, 4);", a.name);
        LINE("if (lid == 0) { %s[0] = %s[1] = %s[2] = %s[3] = 9; }", a.name, a.name,
             a.name, a.name);
        arrays[n_arrays++] = a;
    }
    if (chance(20)) {
        struct array a
            = { .type = U32, .global = true, .per_item = 2, .blocked = chance(50) };
        new_name(a.name, 'g');
        LINE("uint32_t *%s = args->scratch + (size_t)group * n * 2;", a.name);
        arrays[n_arrays++] = a;
    }
}

/* Returns: whether the kernel is wrong */
static bool kernel(unsigned number, bool is_flat)
{
    n_names = n_statements = 0;
    times = 1;
    left = 8 + below(28);
    bool wrong = below(8) == 0;
    put("WEIR_KERNEL(k%u, fuzz_args)\n{\n", number);
    indent = 1;
    LINE("const uint32_t lid = (uint32_t)%s;",
         is_flat ? "weir_local_id(item, 0)" : "weir_local_linear_id(item)");
    LINE("const uint32_t n = (uint32_t)(weir_local_size(item, 0)%s);",
         is_flat ? "" : " * weir_local_size(item, 1) * weir_local_size(item, 2)");
    LINE("const uint32_t group = (uint32_t)weir_group_linear_id(item);");
    LINE("const size_t gid = %s;",
         is_flat ? "weir_global_id(item, 0)" : "(size_t)group * n + lid");
    LINE("const uint32_t width = weir_sub_group_size(item);");
    LINE("const uint32_t slid = weir_sub_group_local_id(item), sub = lid - slid;");
    LINE("(void)sub, (void)width;");
    declare_variables();
    declare_arrays();
    if (chance(80)) {
        barrier();
    }
    while (left > 0) {
        statements(GROUP, 8);
    }
    if (wrong) {
        mistake();
    }
    put_hash();
    put("}\n\n");
    return wrong;
}

static void put_shape(bool is_flat)
{
    static const unsigned sizes[] = { 1, 2, 7, 8, 16, 17, 63, 64, 65, 128, 256, 300 };
    unsigned dim = is_flat || chance(40) ? 1 : 2 + below(2);
    unsigned local[3] = { 1, 1, 1 }, groups[3] = { 1, 1, 1 };
    if (dim == 1) {
        local[0] = chance(60) ? sizes[below(12)] : 1 + below(MOST_ITEMS);
        groups[0] = 1 + below(4);
    } else {
        for (unsigned d = 0; d < dim; d++) {
            local[d] = 1 + below(dim == 2 ? 17 : 6);
            groups[d] = 1 + below(2);
        }
    }
    put("      { %u, { %u, %u, %u }, { %u, %u, %u }, %u, %u },\n", dim, groups[0],
        groups[1], groups[2], local[0], local[1], local[2], 8u << below(3),
        1 + below(2));
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: stackless-draw SEED KERNELS [ONLY [WITHOUT]]\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 0);
    unsigned n = (unsigned)strtoul(argv[2], NULL, 0);
    unsigned only = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : n;
    read_without(argc > 4 ? argv[4] : "");
    printf("/* stackless-draw");
    for (int i = 1; i < argc; i++) {
        printf(" %s", argv[i]);
    }
    printf(" */\n#include \"stackless.h\"\n\n");
    bool *wrong = calloc(n + 1, sizeof(*wrong));
    for (unsigned i = 0; i < n; i++) {
        state = seed * 1000003 + i;
        muted = only < n && i != only;
        wrong[i] = kernel(i, chance(60));
    }
    printf("const struct fuzz_case fuzz_cases[] = {\n");
    for (unsigned i = 0; i < n; i++) {
        state = seed * 1000003 + i;
        muted = only < n && i != only;
        bool is_flat = chance(60);
        unsigned n_shapes = 2 + below(3);
        put("    { &k%u, %s, %u, {\n", i, wrong[i] ? "true" : "false", n_shapes);
        for (unsigned s = 0; s < n_shapes; s++) {
            put_shape(is_flat);
        }
        put("    } },\n");
    }
    printf(
        "};\nconst size_t fuzz_n_cases = sizeof(fuzz_cases) / sizeof(*fuzz_cases);\n");
    free(wrong);
    return 0;
}
