/* SPDX-License-Identifier: MIT
 *
 * check_ptx.c: the text of inline PTX, the words of its names, and the constraints of
 * asm statements. The expected parts follow from PTX's grammar. */
#include "support.h"

#include "cuda-cc/ptx.h"

static const struct weiri_ptx_statement *statement(const struct weiri_ptx_text *text,
                                                   unsigned i)
{
    ck_assert_msg(text->error == NULL, "%s", text->error);
    ck_assert_uint_gt(text->statements->len, i);
    return g_ptr_array_index(text->statements, i);
}

static const struct weiri_ptx_operand *operand(const struct weiri_ptx_statement *of,
                                               unsigned i)
{
    ck_assert_uint_gt(of->operands->len, i);
    return g_ptr_array_index(of->operands, i);
}

/* ---- Statements ---------------------------------------------------------- */

CASE("statements");

TEST(a_block_has_registers_labels_and_guards)
{
    struct weiri_ptx_text *text
        = weiri_ptx_read("{ .reg .pred p; .reg .b32 r<2>;\n"
                         "setp.ne.b32 p, \001"
                         "1\002, 0; // why\n"
                         "@!p bra $L; /* not this; */ $L: ret; }");
    ck_assert_uint_eq(text->statements->len, 7);
    ck_assert_int_eq(statement(text, 0)->form, WEIRI_PTX_REGISTER);
    ck_assert_str_eq(statement(text, 0)->type, "pred");
    ck_assert_uint_eq(statement(text, 0)->block, 1);
    ck_assert_str_eq(statement(text, 2)->name, "r1");
    ck_assert_int_eq(operand(statement(text, 3), 1)->kind, WEIRI_PTX_ARGUMENT);
    ck_assert_uint_eq(operand(statement(text, 3), 1)->bits, 1);
    ck_assert(statement(text, 4)->guard->negative);
    ck_assert_str_eq(operand(statement(text, 4), 0)->name, "$L");
    ck_assert_int_eq(statement(text, 5)->form, WEIRI_PTX_LABEL);
    ck_assert_uint_eq(statement(text, 6)->operands->len, 0);
    weiri_ptx_free(text);
}

TEST(spaces_with_two_colons_are_no_label)
{
    struct weiri_ptx_text *text
        = weiri_ptx_read("ld.shared::cta.u32 a, [b+-4]; L:st.u32 [8], c;");
    ck_assert_str_eq(statement(text, 0)->name, "ld.shared::cta.u32");
    ck_assert_int_eq(operand(statement(text, 0), 1)->kind, WEIRI_PTX_AT);
    ck_assert_uint_eq(operand(statement(text, 0), 1)->bits, (uint64_t)-4);
    ck_assert_int_eq(statement(text, 1)->form, WEIRI_PTX_LABEL);
    ck_assert_uint_eq(operand(statement(text, 2), 0)->parts->len, 0);
    weiri_ptx_free(text);
}

TEST(numbers_have_bases_and_bits)
{
    struct weiri_ptx_text *text = weiri_ptx_read(
        "x 0x1F, 017, 0b11, 42U, 0f3F800000, 0d4000000000000000, 1.5, -3, _|p, {a, "
        "b};");
    static const uint64_t bits[]
        = { 0x1f, 15, 3, 42, 0x3f800000, 0x4000000000000000, 0x3ff8000000000000, 3 };
    for (unsigned i = 0; i < G_N_ELEMENTS(bits); i++) {
        ck_assert_uint_eq(operand(statement(text, 0), i)->bits, bits[i]);
    }
    ck_assert(operand(statement(text, 0), 7)->negative);
    ck_assert_int_eq(operand(statement(text, 0), 8)->kind, WEIRI_PTX_PAIR);
    ck_assert_uint_eq(operand(statement(text, 0), 9)->parts->len, 2);
    weiri_ptx_free(text);
}

/* ---- Mistakes ------------------------------------------------------------ */

CASE("mistakes");

TEST(mistakes_are_named)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        { "bar.sync 0", "PTX: ';' is missing at the end of the text" },
        { "}", "PTX: a '}' without its '{' at '}'" },
        { "{ ;", "PTX: '}' is missing at the end of the text" },
        { "add.u32 %r, 0f12, 1;", "PTX: 0f needs 8 hexadecimal digits at '0f12, 1;'" },
        { "x [a;", "PTX: ']' is missing at ';'" },
        { ".shared .b32 x;", "PTX: a directive that Weir does not know at ' .b32 x;'" },
        { ".reg u32 x;", "PTX: the type of a register is expected at 'u32 x;'" },
        { "x 12ab;", "PTX: a number is expected at 'ab;'" },
        { "x \001"
          "3\002 y;",
          "PTX: ';' is missing at 'y;'" },
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct weiri_ptx_text *text = weiri_ptx_read(rows[i].text);
        ck_assert_msg(text->error != NULL, "%s", rows[i].text);
        ck_assert_str_eq(text->error, rows[i].error);
        weiri_ptx_free(text);
    }
}

TEST(great_numbers_of_registers_and_brackets_are_refused)
{
    struct weiri_ptx_text *text = weiri_ptx_read(".reg .b32 r<18446744073709551615>;");
    ck_assert(text->error != NULL);
    weiri_ptx_free(text);
    g_autofree char *deep = g_strnfill(100000, '{');
    g_autofree char *vector = g_strconcat("x ", deep, NULL);
    text = weiri_ptx_read(vector);
    ck_assert(text->error != NULL);
    weiri_ptx_free(text);
    text = weiri_ptx_read(deep);
    ck_assert(text->error != NULL);
    weiri_ptx_free(text);
}

/* Texts of random words, and each start of a text, are read to an end. */
TEST(any_text_is_read)
{
    static const char *const words[]
        = { "{",     "}",  ";",  ",",   ":",  "::", "@",    "!",  "-",    "[",
            "]",     "|",  "+",  "<",   ">",  "%",  "$",    ".",  ".reg", ".b32",
            "x",     "r1", "0f", "0d1", "0x", "0b", "9",    "1.", "_",    "\001",
            "7\002", "//", "/*", "*/",  "\n", " ",  "\xff", "\"", "(",    "%0" };
    GRand *random = g_rand_new_with_seed(1);
    for (unsigned round = 0; round < 20000; round++) {
        GString *made = g_string_new(NULL);
        unsigned n = g_rand_int_range(random, 0, 24);
        for (unsigned i = 0; i < n; i++) {
            g_string_append(made,
                            words[g_rand_int_range(random, 0, G_N_ELEMENTS(words))]);
        }
        weiri_ptx_free(weiri_ptx_read(made->str));
        g_string_free(made, TRUE);
    }
    g_rand_free(random);
    static const char whole[]
        = "{ .reg .b64 %r<2>; @!%p st.v2.u32 [%r0+0x10], {a, 0f1}; }";
    for (size_t i = 0; i <= strlen(whole); i++) {
        g_autofree char *start = g_strndup(whole, i);
        weiri_ptx_free(weiri_ptx_read(start));
    }
}

/* ---- Names --------------------------------------------------------------- */

CASE("names");

TEST(words_that_mean_the_same_everywhere_are_not_of_the_key)
{
    struct weiri_ptx_name name;
    weiri_ptx_name_read("ld.acquire.gpu.shared::cta.L1::no_allocate.v4.f32", &name);
    ck_assert_str_eq(name.key, "ld");
    ck_assert_int_eq(name.order, __ATOMIC_ACQUIRE);
    ck_assert_int_eq(name.scope, 3);
    ck_assert_int_eq(name.spaces[0], WEIRI_PTX_SHARED);
    ck_assert_uint_eq(name.vector, 4);
    ck_assert_uint_eq(name.n_types, 1);
    ck_assert_uint_eq(name.types[0]->bits, 32);
    g_free(name.key);
    weiri_ptx_name_read(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", &name);
    ck_assert_str_eq(name.key, "cp.async.bulk.mbarrier::complete_tx::bytes");
    ck_assert_uint_eq(name.n_spaces, 2);
    g_free(name.key);
    weiri_ptx_name_read("a.u8.u8.u8.u8.u8.u8.global.global.global..", &name);
    ck_assert_uint_eq(name.n_types, 4);
    ck_assert_uint_eq(name.n_spaces, 2);
    g_free(name.key);
}

/* ---- Constraints --------------------------------------------------------- */

CASE("constraints");

static void rewrites(const char *from, const char *to)
{
    g_autofree char *source = g_strdup(from);
    weiri_ptx_constraints(source);
    ck_assert_str_eq(source, to);
}

TEST(letters_of_ptx_become_those_of_x86)
{
    rewrites("asm volatile(\"f h\" : \"=f\"(f), \"+h\"(h) : \"h\"(x) : \"memory\");",
             "asm volatile(\"f h\" : \"=x\"(f), \"+r\"(h) : \"r\"(x) : \"memory\");");
    rewrites("__asm__ __volatile__ (\"\" :: [f] \"f\"(f(\"f\")));",
             "__asm__ __volatile__ (\"\" :: [f] \"x\"(f(\"f\")));");
}

TEST(other_strings_stay)
{
    static const char *const texts[] = {
        "masm(\"\" : \"=f\"(f));",
        "\"asm(\" : \"=f\"(x);",
        "// asm(\"\" : \"=f\"(f));\n",
        "/* asm(\"\" : \"=f\"(f)); */",
        "R\"x(asm(\"\" : \"=f\"(f)))x\"",
        "f('\"', 1'000, asm);",
        "asm(\"h:f\" ::: \"f\");",
        "asm(\"a\\\" : \\\"=f\\\"\");",
        "asm(",
        "asm(\"",
        "asm volatile",
        "R\"",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        rewrites(texts[i], texts[i]);
    }
}

MAIN("ptx")
