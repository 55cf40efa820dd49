/* SPDX-License-Identifier: MIT
 *
 * contend-draw.c: draws random kernels whose items change the same words.
 *
 *   contend-draw [--one-scope] [--small] SEED KERNELS [ONLY [WITHOUT]]
 *
 * Prints a file with so many kernels and their table, in the language of contend.h.
 * With --one-scope, which OpenCL C asks for, operations on a word that are not ordered
 * have one scope; else in some kernels only. With --small kernels have few statements.
 * ONLY prints the kernel with that number, from 0; WITHOUT leaves out statements of it:
 * "3,7". A number that can be left out is in a comment before its statement. The same
 * arguments print the same bytes.
 *
 * Each array of words has a *mode*, which says what items may do to it until the next
 * barrier of their group. The kernels of a mode have an answer that can be judged, as
 * contend.h explains. Only what all items of a group run has a barrier; a branch or a
 * loop that has one ends with one, after which all modes are those before it.
 *
 * A kernel has several parts, each with words of its own: compilers take most of their
 * time for the values of each kernel, for any statements.
 *
 * The file is long because it is one grammar, from expressions to kernels. */
#include <string.h>

#include "draw.h"

enum mode {
    LOGGED, /* any operation; its result goes to the log */
    COUNT,  /* one operation, any operands, and no result is used */
    SAME, /* one operation with one operand, from one place; its result is in the bag */
    FLAG, /* one store, from one place, and loads, which are logged */
    QUIET, /* plain loads */
    N_MODES
};

/* Items that may use a word: the scope of an operation must have them all. */
enum reach { OWN, GROUP_WORDS, RANGE };

enum { INT, UINT, LONG, FLOAT, N_TYPES };
static const char *const type_names[] = { "int32_t", "uint32_t", "int64_t", "float" };
static const char type_letters[] = "iulf";

enum { ADD, SUB, EXCHANGE, MIN, MAX, AND, OR, XOR, CAS, N_OPERATIONS };
static const char *const operation_names[]
    = { "add", "sub", "exchange", "min", "max", "and", "or", "xor" };

struct words {
    char name[12];
    unsigned type, count; /* a power of two */
    bool is_local, is_member;
    enum reach reach;
    const char *scope; /* of all operations on it, where one_scope asks for that */
    enum mode mode;
    unsigned operation;
    char operand[40]; /* of SAME */
    bool used;        /* the one place of SAME and of FLAG is drawn */
};

/* A function that applies an operation to a word. */
struct helper {
    unsigned type, operation;
    bool is_logged;
    enum reach reach;
    const char *scope;
};

enum {
    PARTS = 8,
    WORDS_OF_PART = 8,
    MOST_WORDS = PARTS * WORDS_OF_PART,
    HELPERS = 3,
    TICKETS = 10,
    STATIC_LOG = 120,
    DYNAMIC_LOG = 180
};
enum { BAG_OF_RANGE = 20, BAG = 24, LISTS = 6 };

static struct words words[MOST_WORDS];
static bool one_scope; /* operations on a word that are not ordered have one scope */
static const char *scope_now; /* of the word that the statement is about, or NULL */
static unsigned n_words, number;
static unsigned part_begins, part_ends; /* of words[]: what the statements use */
static struct helper helpers[HELPERS];
static unsigned n_helpers, n_tickets, n_lists, n_bags, n_range_bags;
static unsigned n_log, log_left, times, in_loop, item_loops, loop_ids[8];
static bool by_row, plain_is_own, uses_global;
static bool has_array, has_vector, has_pair;
static bool is_simple; /* the kernel has few statements between two barriers */
static bool is_small;  /* it has few statements in all */

/* Whether the kernel has a private array, a vector, a structure. */
static bool has(char letter)
{
    return letter == 'q' ? has_array
        : letter == 'v'  ? has_vector
        : letter == 'p'  ? has_pair
                         : true;
}

/* ---- Expressions --------------------------------------------------------- */

static void put_atom(void)
{
    static const char *const atoms[] = { "x", "y",        "lid",      "gid", "x",  "y",
                                         "z", "q[x & 3]", "v[y & 3]", "p.a", "p.u" };
    if (chance(15)) {
        put("%uu", below(100));
    } else if (chance(10)) {
        put("in[(%s + %u) & 63]", chance(50) ? "lid" : "x", below(64));
    } else {
        unsigned i = below(11);
        put("%s", has(i < 7 ? 0 : i < 8 ? 'q' : i < 9 ? 'v' : 'p') ? atoms[i] : "lid");
    }
}

static void put_integer(unsigned deep)
{
    static const char *const operators[] = { "+", "-", "*", "^", "&", "|" };
    if (deep == 0 || chance(25)) {
        put_atom();
        return;
    }
    put("(");
    put_integer(deep - 1);
    put(" %s ", operators[below(6)]);
    put_integer(deep - 1);
    put(")");
}

/* Values that all items of the group have, and that nothing changes between two
 * barriers. */
static void uniform_text(char *text, size_t bytes)
{
    switch (below(in_loop > 0 ? 5 : 4)) {
    case 0:
    case 1:
        snprintf(text, bytes, "%uu", 1 + below(9));
        break;
    case 2:
        snprintf(text, bytes, "in[(group + %u) & 63]", below(64));
        break;
    case 3:
        snprintf(text, bytes, "(n + %u)", below(9));
        break;
    default:
        snprintf(text, bytes, "(k%u + 1)", loop_ids[in_loop - 1]);
    }
}

static void put_uniform(void)
{
    char text[40];
    uniform_text(text, sizeof(text));
    put("%s", text);
}

static void put_condition(void)
{
    switch (below(5)) {
    case 0:
        put("lid %% %u == %u", 2 + below(5), below(2));
        break;
    case 1:
        put("lid < ");
        put_uniform();
        break;
    case 2:
        put("gid + ");
        put_uniform();
        put(" > %u", below(60));
        break;
    default:
        put("((");
        put_integer(1);
        put(") & %u) != 0", 1 + below(7));
    }
}

/* An operand of @type: additions do not overflow, and floats stay integers. */
static void put_operand(unsigned type, unsigned operation, const char *text)
{
    bool adds = operation == ADD || operation == SUB;
    static const char *const masks[2][N_TYPES]
        = { { "0xfffff", "0xffffffff", "0xffffff", "1023" },
            { "1023", "0xffffffff", "0xfffff", "7" } };
    put("(%s)((", type_names[type]);
    if (text != NULL) {
        put("%s", text);
    } else if (chance(30)) {
        put_uniform();
    } else if (chance(15)) {
        put("1u << (lid & 15)");
    } else {
        put_integer(1);
    }
    put(") & %su)", masks[adds][type]);
    if (type == LONG) {
        put(" * 4097");
    }
}

/* ---- Addresses, orders, scopes ------------------------------------------- */

static void put_word(const struct words *w)
{
    put("&%s[", w->name);
    switch (w->reach == OWN ? 3 : below(5)) {
    case 0:
    case 1:
        put("%u", below(w->count));
        break;
    case 2:
        put("(");
        put_uniform();
        put(") & %u", w->count - 1);
        break;
    case 3:
        put(w->reach == OWN ? "C_SHARED + gid" : "lid & %u", w->count - 1);
        break;
    default:
        put("(");
        put_integer(1);
        put(") & %u", w->count - 1);
    }
    put("]");
    if (w->is_member) {
        put(".%c", type_letters[w->type]);
    }
}

static bool is_alike(const struct words *a, const struct words *b)
{
    if (a == b || a->type != b->type || a->is_local == b->is_local || a->reach == OWN
        || b->reach == OWN || a->mode != b->mode
        || (one_scope && strcmp(a->scope, b->scope) != 0)) {
        return false;
    }
    return a->mode == LOGGED || (a->mode == COUNT && a->operation == b->operation);
}

static const char *scope_of(enum reach reach)
{
    static const char *const scopes[]
        = { "work_item", "sub_group", "work_group", "work_group", "device", "system" };
    if (scope_now != NULL) {
        return scope_now;
    }
    unsigned first = reach == OWN ? 0 : reach == GROUP_WORDS ? 2 : 4;
    return scopes[first + below(6 - first)];
}

/* Puts "SPACE, ADDRESS". Returns: the least scope that it needs */
static enum reach put_address(const struct words *w)
{
    scope_now = one_scope ? w->scope : NULL;
    for (unsigned i = part_begins; i < part_ends; i++) {
        if (is_alike(w, &words[i]) && chance(50)) {
            const struct words *other = &words[i];
            put("GENERIC, (");
            put_condition();
            put(" ? (GENERIC %s *)(", type_names[w->type]);
            put_word(w);
            put(") : (GENERIC %s *)(", type_names[w->type]);
            put_word(other);
            put("))");
            return w->reach > other->reach ? w->reach : other->reach;
        }
    }
    put("%s, ", chance(15) ? "GENERIC" : w->is_local ? "LOCAL" : "GLOBAL");
    put_word(w);
    return w->reach;
}

static const char *any_order(void)
{
    static const char *const orders[] = { "relaxed", "relaxed", "relaxed", "acquire",
                                          "release", "acq_rel", "seq_cst" };
    return orders[below(7)];
}

/* Puts "HOW, OPERATION, TYPE" */
static const char *put_how(unsigned operation, unsigned type)
{
    static const char *const defaults[] = { "relaxed", "acq_rel", "seq_cst" };
    bool by_ref = chance(50);
    put("%s, %s, %s, ", by_ref ? "RMW_REF" : "RMW", operation_names[operation],
        type_names[type]);
    return by_ref ? defaults[below(chance(60) ? 1 : 3)] : any_order();
}

/* Returns: whether the scope of @h has all items that may use @w */
static bool suits(const struct helper *h, const struct words *w)
{
    return one_scope ? strcmp(h->scope, w->scope) == 0 : h->reach >= w->reach;
}

/* ---- What operations are drawn ------------------------------------------- */

static unsigned draw_operation(unsigned type, bool commutes)
{
    static const unsigned all[]
        = { ADD, ADD, ADD, SUB, MIN, MAX, AND, OR, XOR, EXCHANGE };
    for (;;) {
        unsigned operation = all[below(10)];
        if ((type != FLOAT || operation < AND)
            && !(commutes && operation == EXCHANGE)) {
            return operation;
        }
    }
}

static void draw_mode(struct words *w)
{
    static const enum mode modes[]
        = { LOGGED, LOGGED, LOGGED, COUNT, COUNT, SAME, SAME, SAME, FLAG, QUIET };
    w->mode = w->reach == OWN ? LOGGED : modes[below(10)];
    if (w->reach == RANGE && w->mode >= FLAG) {
        w->mode = LOGGED;
    }
    w->used = false;
    w->operation = draw_operation(w->type, w->mode != SAME);
    for (unsigned i = 0; i < n_helpers; i++) {
        if (helpers[i].type == w->type && !helpers[i].is_logged && chance(50)
            && (w->mode == SAME || helpers[i].operation != EXCHANGE)) {
            w->operation = helpers[i].operation;
        }
    }
    if (w->mode == SAME && chance(15)) {
        w->operation = CAS;
    }
    uniform_text(w->operand, sizeof(w->operand));
    if (w->reach == RANGE) {
        snprintf(w->operand, sizeof(w->operand), "%uu", 1 + below(9));
    }
}

static void draw_modes(void)
{
    for (unsigned i = part_begins; i < part_ends; i++) {
        if (words[i].reach != RANGE) {
            draw_mode(&words[i]);
        }
    }
    plain_is_own = chance(60);
}

static void put_barrier(void)
{
    LINE("BARRIER(%s);",
         !uses_global && chance(60) ? "local"
             : chance(50)           ? "both"
                                    : "group");
}

static void barrier(void)
{
    put_barrier();
    draw_modes();
}

/* ---- Statements of an item ----------------------------------------------- */

static void item_statements(unsigned most);

/* Places for @n results in the log. Returns: whether there are so many */
static bool has_log(unsigned n)
{
    return item_loops + in_loop > 0 || n_log + n > STATIC_LOG ? n * times <= log_left
                                                              : true;
}

static void log_place(char *text, unsigned more)
{
    char slot[16];
    if (item_loops + in_loop > 0 || n_log + more >= STATIC_LOG) {
        snprintf(slot, sizeof(slot), "(at + %u)", more);
    } else {
        snprintf(slot, sizeof(slot), "%u", n_log + more);
    }
    snprintf(text, 64, by_row ? "gid * C_LOG + %s" : "%s * items + gid", slot);
}

static void take_log(unsigned n)
{
    if (item_loops + in_loop > 0 || n_log + n > STATIC_LOG) {
        LINE("at += %u;", n);
        log_left -= n * times;
    } else {
        n_log += n;
    }
}

/* The use of a result that is in the log, too. */
static void use_logged(unsigned id)
{
    switch (below(10)) {
    case 0:
        LINE("x = x * 3 + W(t%u);", id);
        break;
    case 1:
        LINE("if (W(t%u) %% %u == %u) {", id, 2 + below(3), below(2));
        indent++;
        item_statements(2);
        indent--;
        LINE("}");
        break;
    case 2:
        LINE(has_array ? "q[W(t%u) & 3] += y;" : "y += W(t%u);", id);
        break;
    case 3:
        LINE("for (uint32_t i = 0; i < (W(t%u) & 3); i++) { x = x * 5 + i; }", id);
        break;
    case 4:
        LINE("z = in[W(t%u) & 63];", id);
        break;
    case 5:
        LINE(has_vector ? "v[W(t%u) & 3] ^= x;" : "x ^= W(t%u);", id);
        break;
    case 6:
        LINE(has_pair ? "p.u = W(t%u), p.a = x;" : "z = y ^ W(t%u);", id);
        break;
    case 7:
        LINE("y ^= t%u > 3 ? x : 5;", id);
        break;
    case 8:
        LINE(plain_is_own ? "w[lid] = W(t%u);" : "z += W(t%u);", id);
        break;
    default:
        break;
    }
}

static void logged(const struct words *w)
{
    unsigned id = n_names++, kind = below(10), type = w->type;
    const char *order;
    char here[64], next[64];
    if (!has_log(2)) {
        LINE("x += %u;", id);
        return;
    }
    log_place(here, 0);
    log_place(next, 1);
    LINE("%s t%u;", type_names[type], id);
    const struct helper *helper = NULL;
    for (unsigned i = 0; i < n_helpers; i++) {
        if (helpers[i].type == type && helpers[i].is_logged && w->reach != OWN
            && suits(&helpers[i], w) && chance(60)) {
            helper = &helpers[i];
        }
    }
    if (helper != NULL) {
        begin_line();
        put("t%u = help%u_%u(", id, number, (unsigned)(helper - helpers));
        put_word(w);
        put(", ");
        put_operand(type, helper->operation, NULL);
        put(", log, %s);\n", here);
        take_log(1);
    } else if (kind == 0) {
        begin_line();
        put("LOG_LOAD(%s, t%u, ", type_names[type], id);
        enum reach reach = put_address(w);
        put(", %s, %s, %s);\n", chance(50) ? "relaxed" : "acquire", scope_of(reach),
            here);
        take_log(1);
    } else if (kind <= 2) {
        LINE("bool ok%u;", id);
        begin_line();
        put("LOG_CAS(%s, %s, t%u, ok%u, ", chance(50) ? "strong" : "weak",
            type_names[type], id, id);
        enum reach reach = put_address(w);
        put(", ");
        put_operand(type, EXCHANGE, chance(70) ? "x & 3" : NULL);
        put(", ");
        put_operand(type, EXCHANGE, chance(50) ? "(y + 1) & 3" : NULL);
        order = any_order();
        put(", %s, relaxed, %s, %s, %s);\n", order, scope_of(reach), here, next);
        LINE("x += ok%u;", id);
        take_log(2);
    } else if (kind == 3) {
        unsigned operation = draw_operation(type, false);
        begin_line();
        put("LOG_LOOP(%s, %s, t%u, ", operation_names[operation], type_names[type], id);
        enum reach reach = put_address(w);
        put(", ");
        put_operand(type, operation, NULL);
        put(", %s, %s, %s);\n", any_order(), scope_of(reach), here);
        take_log(1);
    } else {
        unsigned operation = draw_operation(type, false);
        begin_line();
        put("LOG_RMW(");
        order = put_how(operation, type);
        put("t%u, ", id);
        enum reach reach = put_address(w);
        put(", ");
        put_operand(type, operation, NULL);
        put(", %s, %s, %s);\n", order, scope_of(reach), here);
        take_log(1);
    }
    use_logged(id);
}

/* The operation of @w's mode, as an expression. */
static void put_mode_operation(const struct words *w, const char *operand)
{
    for (unsigned i = 0; i < n_helpers; i++) {
        if (helpers[i].type == w->type && !helpers[i].is_logged
            && helpers[i].operation == w->operation && suits(&helpers[i], w)
            && chance(60)) {
            put("help%u_%u(", number, i);
            put_word(w);
            put(", ");
            put_operand(w->type, w->operation, operand);
            put(")");
            return;
        }
    }
    const char *how = chance(50) ? "RMW" : "RMW_REF";
    static const char *const orders[] = { "relaxed", "relaxed", "acq_rel", "seq_cst" };
    put("%s(%s, %s, ", how, operation_names[w->operation], type_names[w->type]);
    enum reach reach = put_address(w);
    put(", ");
    put_operand(w->type, w->operation, operand);
    put(", %s, %s)", orders[below(4)], scope_of(reach));
}

static void count(const struct words *w)
{
    begin_line();
    put("(void)");
    put_mode_operation(w, NULL);
    put(";\n");
}

/* A place in the bag for results from @w, or -1. */
static int bag_of(const struct words *w)
{
    if (w->reach == RANGE) {
        return n_range_bags < BAG - BAG_OF_RANGE ? BAG_OF_RANGE + (int)n_range_bags++
                                                 : -1;
    }
    return n_bags < BAG_OF_RANGE ? (int)n_bags++ : -1;
}

static void same(struct words *w)
{
    if (w->used || item_loops > 0 || (w->reach == RANGE && in_loop > 0)) {
        LINE("y += 3;");
        return;
    }
    w->used = true;
    unsigned id = n_names++;
    int bag = bag_of(w);
    if (w->operation == CAS) {
        LINE("%s t%u = (%s)2;", type_names[w->type], id, type_names[w->type]);
        begin_line();
        put("bool ok%u = SAME_CAS(%s, ", id, type_names[w->type]);
        enum reach reach = put_address(w);
        put(", &t%u, (%s)((%s) & 3), %s, relaxed, %s);\n", id, type_names[w->type],
            w->operand, any_order(), scope_of(reach));
        if (bag < 0) {
            LINE("(void)ok%u;", id);
        } else {
            LINE("bag[%d * items + gid] = ok%u ? %u : W(t%u);", bag, id, below(9), id);
        }
        return;
    }
    if (bag < 0 || chance(10)) {
        begin_line();
        put("(void)");
        put_mode_operation(w, w->operand);
        put(";\n");
        return;
    }
    unsigned kind = below(9);
    begin_line();
    if (kind == 0) {
        put("bag[%d * items + gid] = (int64_t)", bag);
        put_mode_operation(w, w->operand);
        put(";\n");
        return;
    }
    if (kind == 1) {
        put("if (");
        put_mode_operation(w, w->operand);
        put(" == %u) { bag[%d * items + gid] = 7; }\n", below(20), bag);
        return;
    }
    put("%s t%u = ", type_names[w->type], id);
    put_mode_operation(w, w->operand);
    put(";\n");
    char to[40];
    snprintf(to, sizeof(to), "bag[%d * items + gid]", bag);
    switch (kind) {
    case 2:
        LINE("%s = t%u == %u ? 100 : 7;", to, id, below(20));
        break;
    case 3:
        LINE("%s = in[W(t%u) & 63];", to, id);
        break;
    case 4:
        LINE("uint32_t s%u = 0;", id);
        LINE("for (uint32_t i = 0; i < (W(t%u) & 15); i++) { s%u = s%u * 3 + in[i]; }",
             id, id, id);
        LINE("%s = s%u;", to, id);
        break;
    case 5:
        LINE("uint32_t r%u[4] = { 3, 5, n, 9 };", id);
        LINE("r%u[W(t%u) & 3] += 100;", id, id);
        LINE("%s = r%u[2] * 1000 + r%u[1];", to, id, id);
        break;
    case 6:
        LINE("if (t%u > %u) { %s = 3; } else { %s = W(t%u); }", id, below(30), to, to,
             id);
        break;
    case 7:
        LINE("struct contend_pair p%u = { .a = W(t%u), .u = 4 };", id, id);
        LINE("p%u.u += p%u.a & 6;", id, id);
        LINE("%s = p%u.u;", to, id);
        break;
    default:
        LINE("%s = (int64_t)t%u * 3 + %u;", to, id, below(9));
    }
}

static void flag(struct words *w)
{
    if (!w->used && item_loops == 0 && depth == 0) {
        scope_now = one_scope ? w->scope : NULL;
        w->used = true;
        begin_line();
        put("if (lid == %u %% n) { LOG_STORE(%s, %s, &%s[0]%s%c, ", below(99),
            type_names[w->type], w->is_local ? "LOCAL" : "GLOBAL", w->name,
            w->is_member ? "." : "", w->is_member ? type_letters[w->type] : ' ');
        put_operand(w->type, EXCHANGE, NULL);
        put(", %s, %s); }\n", chance(50) ? "relaxed" : "release", scope_of(w->reach));
    }
    if (!has_log(1)) {
        return;
    }
    unsigned id = n_names++;
    char here[64];
    log_place(here, 0);
    LINE("%s t%u;", type_names[w->type], id);
    begin_line();
    put("LOG_LOAD(%s, t%u, ", type_names[w->type], id);
    enum reach reach = put_address(w);
    put(", %s, %s, %s);\n", chance(50) ? "relaxed" : "acquire", scope_of(reach), here);
    take_log(1);
    use_logged(id);
}

static void use_words(void)
{
    struct words *w = &words[part_begins + below(part_ends - part_begins)];
    unsigned id = n_names++;
    switch (w->mode) {
    case LOGGED:
        logged(w);
        break;
    case COUNT:
        count(w);
        break;
    case SAME:
        same(w);
        break;
    case FLAG:
        flag(w);
        break;
    default:
        begin_line();
        put("%s g%u = *(", type_names[w->type], id);
        put_word(w);
        put(");\n");
        LINE("x ^= W(g%u);", id);
    }
}

static void assign(void)
{
    static const char *const targets[] = { "x",
                                           "y",
                                           "z",
                                           "q[1]",
                                           "q[x & 3]",
                                           "v[x & 3]",
                                           "v = v * VECTOR(3, 5, lid, 7); v[1]",
                                           "p.a" };
    static const char needs[] = "xyzqqvvp";
    begin_line();
    if (chance(30)) {
        put(plain_is_own ? "w[lid] = " : "x += w[(lid + %u) %% n] ^ ", below(40));
    } else {
        unsigned i = below(8);
        put("%s = ", has(needs[i]) ? targets[i] : "x");
        if (chance(10)) {
            put("far(x, y) + ");
        }
    }
    put_integer(2);
    put(";\n");
}

static void item_statement(void)
{
    unsigned kind = below(depth > 3 || (is_simple && chance(80)) ? 16 : 20);
    LINE("{");
    indent++;
    if (kind < 4) {
        assign();
    } else if (kind < 16) {
        use_words();
    } else if (kind < 18) {
        begin_line();
        put("if (");
        put_condition();
        put(") {\n");
        indent++;
        item_statements(2);
        indent--;
        if (chance(50)) {
            LINE("} else {");
            indent++;
            item_statements(2);
            indent--;
        }
        LINE("}");
    } else {
        unsigned id = n_names++, was = times;
        times *= 3;
        item_loops++;
        LINE("for (uint32_t j%u = 0; j%u < %s; j%u++) {", id, id,
             chance(50) ? "3" : "(x & 3)", id);
        indent++;
        item_statements(2);
        if (chance(30)) {
            begin_line();
            put("if (");
            put_condition();
            put(") { %s; }\n", chance(50) ? "break" : "continue");
            item_statements(1);
        }
        LINE("y += j%u;", id);
        indent--;
        LINE("}");
        item_loops--;
        times = was;
    }
    indent--;
    LINE("}");
}

static void item_statements(unsigned most)
{
    unsigned n = 1 + below(most);
    depth++;
    for (unsigned i = 0; i < n; i++) {
        left -= left > 0;
        item_statement();
    }
    depth--;
}

/* ---- Statements of a group ----------------------------------------------- */

static void put_ticket(unsigned ticket, const char *order)
{
    put(chance(50) ? "RMW_REF(" : "RMW(");
    put("add, int32_t, LOCAL, &ticket[%u], 1, %s, %s)", ticket, order,
        scope_of(GROUP_WORDS));
}

/* The operations that draw tickets, each of which goes to one item. */
static void tickets(void)
{
    unsigned ticket = n_tickets++, id = n_names++, kind = below(5);
    scope_now = one_scope ? "work_group" : NULL;
    const char *order = chance(60) ? "relaxed" : "acq_rel";
    LINE("{");
    indent++;
    begin_line();
    if (kind == 0 && n_lists < LISTS && chance(50)) {
        /* The result is used in another part of the kernel than the operation. */
        put("int32_t t%u = ", id);
        put_ticket(ticket, order);
        put(";\n");
        put_barrier();
        begin_line();
        put("list[(size_t)group * n * C_LIST + %u * n + t%u] = ", n_lists++, id);
        put_integer(1);
        put(";\n");
    } else if (kind == 0 && n_lists < LISTS) {
        put("if (");
        put_condition();
        put(") {\n");
        indent++;
        begin_line();
        put("int32_t t%u = ", id);
        put_ticket(ticket, order);
        put(";\n");
        begin_line();
        put("list[(size_t)group * n * C_LIST + %u * n + t%u] = ", n_lists++, id);
        put_integer(1);
        put(";\n");
        indent--;
        LINE("}");
    } else if (kind == 1 && n_lists < LISTS) {
        put("for (;;) {\n");
        indent++;
        begin_line();
        put("int32_t t%u = ", id);
        put_ticket(ticket, order);
        put(";\n");
        LINE("if (t%u >= (int32_t)n) { break; }", id);
        LINE("list[(size_t)group * n * C_LIST + %u * n + t%u] = (t%u * 7) ^ group;",
             n_lists++, id, id);
        indent--;
        LINE("}");
    } else if (kind == 2 && n_bags < BAG_OF_RANGE) {
        put("w[lid] = ");
        put_integer(1);
        put(";\n");
        begin_line();
        put("int32_t t%u = ", id);
        put_ticket(ticket, "acq_rel");
        put(";\n");
        LINE("if (t%u == (int32_t)n - 1) {", id);
        indent++;
        LINE("uint32_t s%u = 0;", id);
        LINE("for (uint32_t i = 0; i < n; i++) { s%u += w[i] * (i + 1); }", id);
        LINE("bag[%u * items + gid] = s%u;", n_bags++, id);
        indent--;
        LINE("}");
        put_barrier();
    } else if (kind == 3 && n_bags < BAG_OF_RANGE) {
        put("int32_t e%u = 0;\n", id);
        LINE("if (SAME_CAS(int32_t, LOCAL, &ticket[%u], &e%u, 1, %s, relaxed, %s)) {",
             ticket, id, any_order(), scope_of(GROUP_WORDS));
        LINE("    bag[%u * items + gid] = n;", n_bags++);
        LINE("}");
    } else {
        put("(void)");
        put_ticket(ticket, order);
        put(";\n");
        put_barrier();
        LINE("x += (uint32_t)ticket[%u];", ticket);
    }
    indent--;
    LINE("}");
}

static void collective(void)
{
    static const char *const names[] = { "add", "min", "max" };
    begin_line();
    switch (below(4)) {
    case 0:
        put("x += SCAN(uint32_t, ");
        put_integer(1);
        put(");\n");
        break;
    case 1:
        put("y ^= BROADCAST(uint32_t, ");
        put_integer(1);
        put(", (");
        put_uniform();
        put(") %% n);\n");
        break;
    case 2:
        put("if (ANY(");
        put_condition();
        put(")) { x += 5; }\n");
        break;
    default:
        put("%s ^= REDUCE(%s, uint32_t, ", chance(50) ? "x" : "z", names[below(3)]);
        put_integer(1);
        put(");\n");
    }
}

static void group_statements(unsigned most);

/* A branch or a loop of the group. */
static void together(bool is_loop)
{
    struct words before[MOST_WORDS];
    unsigned was = times, id = n_names++;
    for (unsigned i = 0; i < n_words; i++) {
        words[i].used = true;
    }
    bool was_own = plain_is_own;
    memcpy(before, words, sizeof(before));
    begin_line();
    if (is_loop) {
        unsigned trips = 2 + below(2);
        times *= trips;
        loop_ids[in_loop++] = id;
        put("for (uint32_t k%u = 0; k%u < ", id, id);
        put(chance(50) ? "%u" : "1 + in[group & 63] %% %u", trips);
        put("; k%u++) {\n", id);
    } else {
        put("if ((");
        put_uniform();
        put(") & %u) {\n", 1 + below(3));
    }
    indent++;
    group_statements(3);
    in_loop -= is_loop;
    put_barrier();
    indent--;
    memcpy(words, before, sizeof(before));
    plain_is_own = was_own;
    times = was;
    LINE("}");
}

static void group_statement(void)
{
    unsigned kind = below(20);
    if (kind < 3 && !is_simple) {
        barrier();
        return;
    }
    unsigned id = n_statements++;
    LINE("/* %u */", id);
    muted += without[id];
    if (kind < 5) {
        collective();
    } else if (kind < 8 && n_tickets < TICKETS && in_loop == 0 && plain_is_own) {
        tickets();
    } else if (kind < 10 && in_loop < 2 && depth == 0) {
        together(kind == 8 || chance(60));
    } else {
        item_statement();
    }
    muted -= without[id];
}

static void group_statements(unsigned most)
{
    unsigned n = 1 + below(most);
    for (unsigned i = 0; i < n && left > 0; i++) {
        left--;
        group_statement();
    }
}

/* ---- Kernels ------------------------------------------------------------- */

static void draw_helpers(void)
{
    n_helpers = below(HELPERS + 1);
    for (unsigned i = 0; i < n_helpers; i++) {
        struct helper *h = &helpers[i];
        h->type = below(N_TYPES);
        h->is_logged = chance(40);
        h->reach = chance(60) ? GROUP_WORDS : RANGE;
        h->operation = draw_operation(h->type, false);
        const char *type = type_names[h->type], *name = operation_names[h->operation];
        scope_now = NULL;
        h->scope = scope_of(h->reach);
        scope_now = h->scope;
        LINE("%s %s help%u_%u(GENERIC %s *p, %s b%s)", chance(50) ? "INLINE" : "FAR",
             type, number, i, type, type,
             h->is_logged ? ", GLOBAL int64_t *log, size_t slot" : "");
        LINE("{");
        if (h->is_logged) {
            LINE("    %s t;", type);
            LINE("    LOG_RMW(RMW, %s, %s, t, GENERIC, p, b, %s, %s, slot);", name,
                 type, any_order(), scope_of(h->reach));
            LINE("    return t;");
        } else {
            LINE("    return RMW(%s, %s, GENERIC, p, b, %s, %s);", name, type,
                 any_order(), scope_of(h->reach));
        }
        LINE("}\n");
    }
}

static void add_words(const char *name, unsigned type, unsigned count, bool is_local,
                      bool is_member, enum reach reach)
{
    struct words *w = &words[n_words++];
    *w = (struct words){ .type = type,
                         .count = count,
                         .is_local = is_local,
                         .is_member = is_member,
                         .reach = reach };
    scope_now = NULL;
    w->scope = scope_of(reach);
    snprintf(w->name, sizeof(w->name), "%s", name);
    draw_mode(w);
    part_ends = n_words;
}

static void declare_words(bool is_first)
{
    char name[12];
    for (unsigned i = 1 + below(3); i > 0; i--) {
        unsigned type = below(N_TYPES), count = 1u << below(3);
        snprintf(name, sizeof(name), "l%u", n_words);
        LINE("LOCAL_ARRAY(%s, %s, %u);", type_names[type], name, count);
        LINE("if (lid == 0) { for (uint32_t i = 0; i < %u; i++) { %s[i] = (%s)%u; } }",
             count, name, type_names[type], below(20));
        add_words(name, type, count, true, false, GROUP_WORDS);
    }
    if (is_first && chance(25)) {
        LINE("LOCAL_ARRAY(struct contend_pair, s, 2);");
        LINE("if (lid == n - 1) {");
        LINE(
            "    for (uint32_t i = 0; i < 2; i++) { s[i].a = i, s[i].i = 3, s[i].u = 4,"
            " s[i].l = 5, s[i].f = 6; }");
        LINE("}");
        add_words("s", below(N_TYPES), 2, true, true, GROUP_WORDS);
    }
    bool has_global = chance(50);
    uses_global |= has_global;
    for (unsigned i = has_global ? 1 + below(2) : 0; i > 0; i--) {
        unsigned type = (below(2) + 2 * i) % N_TYPES;
        snprintf(name, sizeof(name), "c%c", type_letters[type]);
        add_words(name, type, chance(50) ? 1 : 8, false, false, GROUP_WORDS);
    }
    if (is_first && chance(30)) {
        unsigned type = below(N_TYPES);
        snprintf(name, sizeof(name), "d%c", type_letters[type]);
        add_words(name, type, chance(50) ? 1 : 8, false, false, RANGE);
    }
    if (is_first && chance(20)) {
        unsigned type = below(N_TYPES);
        snprintf(name, sizeof(name), "d%c", type_letters[type]);
        add_words(name, type, 1, false, false, OWN);
    }
}

static void kernel(void)
{
    n_names = n_statements = n_tickets = n_lists = n_bags = n_range_bags = n_log = 0;
    log_left = DYNAMIC_LOG;
    times = 1;
    in_loop = item_loops = depth = 0;
    by_row = chance(50);
    plain_is_own = true;
    indent = 0;
    draw_helpers();
    put("KERNEL(k%u)\n{\n", number);
    indent = 1;
    LINE("BEGIN;");
    LINE("LOCAL_ARRAY(uint32_t, w, C_ITEMS);");
    LINE("LOCAL_ARRAY(int32_t, ticket, %u);", TICKETS);
    unsigned n_parts = is_small ? 1 : 1 + below(PARTS), begins[PARTS + 1] = { 0 };
    n_words = 0;
    uses_global = false;
    for (unsigned i = 0; i < n_parts; i++) {
        declare_words(i == 0);
        begins[i + 1] = n_words;
    }
    LINE("if (lid == 0) { for (uint32_t i = 0; i < %u; i++) { ticket[i] = 0; } }",
         TICKETS);
    LINE("uint32_t x = in[lid & 63], y = %u, z = %u;", below(50), below(9));
    has_array = chance(30);
    has_vector = chance(20);
    has_pair = chance(20);
    if (has_array) {
        LINE("uint32_t q[4] = { 1, 2, lid, 4 };");
    }
    if (has_vector) {
        LINE("contend_four v = VECTOR(1, lid, 3, 4);");
    }
    if (has_pair) {
        LINE("struct contend_pair p = { .a = lid, .u = 2 };");
    }
    LINE("w[lid] = x;");
    for (unsigned i = 0; i < n_parts; i++) {
        part_begins = begins[i];
        part_ends = begins[i + 1];
        is_simple = chance(60);
        left = is_simple || is_small ? 1 + below(4) : 4 + below(8);
        barrier();
        while (left > 0) {
            group_statements(is_simple ? 1 : 6);
            if (is_simple && chance(80)) {
                barrier();
            }
        }
    }
    if (chance(30)) {
        begin_line();
        put("if (");
        put_condition();
        put(") { out[gid * C_OUT] = x; return; }\n");
        item_statements(2);
    }
    LINE("out[gid * C_OUT] = x ^ (int64_t)y << 32;");
    if (has_array) {
        LINE("out[gid * C_OUT + 1] = q[0] ^ q[1] * 3 ^ q[2] * 5 ^ q[3] * 7;");
    }
    if (has_vector) {
        LINE("out[gid * C_OUT + 2] = v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7;");
    }
    LINE("out[gid * C_OUT + 3] = z%s;",
         has_pair ? " ^ (int64_t)(p.u + p.a) << 24" : "");
    put("}\n\n");
}

int main(int argc, char **argv)
{
    bool always = false;
    for (; argc > 1 && argv[1][0] == '-'; argv++, argc--) {
        always |= strcmp(argv[1], "--one-scope") == 0;
        is_small |= strcmp(argv[1], "--small") == 0;
    }
    if (argc < 3) {
        fprintf(stderr,
                "usage: contend-draw [--one-scope] [--small] SEED KERNELS "
                "[ONLY [WITHOUT]]\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 0);
    unsigned n = (unsigned)strtoul(argv[2], NULL, 0);
    unsigned only = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : n;
    read_without(argc > 4 ? argv[4] : "");
    printf("/* contend-draw%s%s", always ? " --one-scope" : "",
           is_small ? " --small" : "");
    for (int i = 1; i < argc; i++) {
        printf(" %s", argv[i]);
    }
    printf(" */\n#include \"contend.h\"\n\n");
    for (number = 0; number < n; number++) {
        state = seed * 1000003 + number;
        muted = only < n && number != only;
        one_scope = chance(40) || always;
        kernel();
    }
    printf("#ifdef CONTEND_REFERENCE\n");
    for (number = 0; number < n; number++) {
        muted = only < n && number != only;
        put("CONTEND_DECLARE(k%u)\n", number);
    }
    printf("const struct contend_case contend_cases[] = {\n");
    for (number = 0; number < n; number++) {
        static const unsigned sizes[] = { 1, 7, 16, 64, 256, 16, 64, 16 };
        state = seed * 1000003 + number;
        muted = only < n && number != only;
        put("    { \"k%u\", CONTEND_KERNEL(k%u), k%u_reference,\n      {", number,
            number, number);
        unsigned first = below(3);
        for (unsigned s = 0; s < 3; s++) {
            put(" { %u, %u, %u },", s == 0 ? sizes[below(2) + 2] : sizes[below(8)],
                1 + below(3), 1 + (s + first) % 2);
        }
        put(" } },\n");
    }
    printf("};\nconst size_t contend_n_cases = sizeof(contend_cases) / "
           "sizeof(*contend_cases);\n#endif\n");
    return 0;
}
