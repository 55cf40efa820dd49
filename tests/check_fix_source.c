/* SPDX-License-Identifier: MIT
 *
 * check_fix_source.c: the statements of a C or C++ file are found where its text shows
 * them. */
#include "support.h"

#include "repair/patch.h"

#include <inttypes.h>

static struct weiri_source *parse(const char *text)
{
    return weiri_source_new("a.c", text, strlen(text));
}

static struct weiri_source *parse_cpp(const char *text)
{
    return weiri_source_new("a.cpp", text, strlen(text));
}

/* The text of a range, blanks and newlines made one blank. */
static void append_text(GString *out, const char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!g_ascii_isspace(text[i])) {
            g_string_append_c(out, text[i]);
        } else if (i > begin && !g_ascii_isspace(text[i - 1])) {
            g_string_append_c(out, ' ');
        }
    }
}

/* ---- The tree --------------------------------------------------------------- */

CASE("tree");

/* Statement @first and its siblings: a simple statement is its text; of others, the
 * kind, the head and the statements inside: `loop[for (;;)](a; b;)`, `{a; b;}`. */
static void append_outline(GString *out, const struct weiri_source *source,
                           uint32_t first)
{
    static const char *const kinds[]
        = { "file", "function", "", "if", "loop", "switch", "macro", "lambdas", "" };
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes);
    const char *between = "";
    for (uint32_t i = first; i != WEIRI_STATEMENT_NONE;) {
        const struct weiri_statement *node = weiri_source_at(source, i);
        g_string_append_printf(out, "%s%s%s", between, node->is_else ? "else " : "",
                               kinds[node->kind]);
        if (node->kind == WEIRI_STATEMENT_BLOCK) {
            append_text(out, text, node->begin, node->head_end);
            append_outline(out, source, node->first_child);
            g_string_append_c(out, '}');
        } else if (node->kind == WEIRI_STATEMENT_SIMPLE) {
            ck_assert_uint_eq(node->first_child, WEIRI_STATEMENT_NONE);
            append_text(out, text, node->begin, node->end);
        } else {
            g_string_append_c(out, '[');
            append_text(out, text, node->begin, node->head_end);
            g_string_append(out, "](");
            append_outline(out, source, node->first_child);
            g_string_append_c(out, ')');
        }
        between = " ";
        i = node->next;
    }
}

static void expect_outline_of(struct weiri_source *source, uint32_t parent,
                              const char *expected)
{
    g_autoptr(GString) outline = g_string_new(NULL);
    if (weiri_source_n(source) > parent) {
        append_outline(outline, source, weiri_source_at(source, parent)->first_child);
    }
    ck_assert_msg(strcmp(outline->str, expected) == 0,
                  "of:\n%s\nexpected: %s\nseen: %s", weiri_source_text(source, NULL),
                  expected, outline->str);
    weiri_source_free(source);
}

static void expect_outline(const char *text, uint32_t parent, const char *expected)
{
    expect_outline_of(parse(text), parent, expected);
}

static const struct {
    const char *text, *outline;
} bodies[] = {
    { "", "" },
    { ";", ";" },
    { "a = 1; b();", "a = 1; b();" },
    { "int x, y = f(1, 2);", "int x, y = f(1, 2);" },
    { "{ a; { b; } }", "{a; {b;}}" },
    /* Branches. */
    { "if (a) b;", "if[if (a)](b;)" },
    { "if (a) b; else c; d;", "if[if (a)](b; else c;) d;" },
    { "if (a) { b; } else { c; }", "if[if (a)]({b;} else {c;})" },
    { "if (a) b; else if (c) d; else e;",
      "if[if (a)](b; else if[if (c)](d; else e;))" },
    { "if (a) if (b) c; else d;", "if[if (a)](if[if (b)](c; else d;))" },
    { "if (a) { if (b) c; } else d;", "if[if (a)]({if[if (b)](c;)} else d;)" },
    { "if (a) for (;;) if (b) c; else d;",
      "if[if (a)](loop[for (;;)](if[if (b)](c; else d;)))" },
    { "if ((a) && f(b, (c))) d;", "if[if ((a) && f(b, (c)))](d;)" },
    { "if (a) ; else ;", "if[if (a)](; else ;)" },
    { "else b; c;", "macro[else](b;) c;" },
    /* Loops. */
    { "for (int i = 0; i < n; i++) a[i] = 0; b;",
      "loop[for (int i = 0; i < n; i++)](a[i] = 0;) b;" },
    { "for (;;) for (;;) { a; }", "loop[for (;;)](loop[for (;;)]({a;}))" },
    { "while (a) b; c;", "loop[while (a)](b;) c;" },
    { "while (a);", "loop[while (a)](;)" },
    { "do a; while (b); c;", "loop[do](a;) c;" },
    { "do { a; } while (b); while (c);", "loop[do]({a;}) loop[while (c)](;)" },
    { "do while (a) b; while (c); d;", "loop[do](loop[while (a)](b;)) d;" },
    { "do do a; while (b); while (c); d;", "loop[do](loop[do](a;)) d;" },
    { "do if (a) b; else c; while (d); e;", "loop[do](if[if (a)](b; else c;)) e;" },
    /* Labels. */
    { "switch (a) { case 1: b; break; case 'x': case 2: { c; } default: d; }",
      "switch[switch (a)]({case 1: b; break; case 'x': case 2: {c;} default: d;})" },
    { "switch (a) { case b ? c : d: e; }", "switch[switch (a)]({case b ? c : d: e;})" },
    { "switch (a) { case 1 ... 3: if (b) c; }",
      "switch[switch (a)]({if[case 1 ... 3: if (b)](c;)})" },
    { "switch (a) case 1: b;", "switch[switch (a)](case 1: b;)" },
    { "again: a; goto again;", "again: a; goto again;" },
    { "if (a) goto out; out: }", "if[if (a)](goto out;) out:" },
    { "x = a ? b : c;", "x = a ? b : c;" },
    /* Macros. */
    { "weir_for_each_item(item, group) { a; } b;",
      "macro[weir_for_each_item(item, group)]({a;}) b;" },
    { "weir_for_each_item(item, group) x[item] = 0;",
      "macro[weir_for_each_item(item, group)](x[item] = 0;)" },
    { "weir_for_each_item(item, group) *p = 0;",
      "macro[weir_for_each_item(item, group)](*p = 0;)" },
    { "FOR_EACH(x)\n{\n a;\n}", "macro[FOR_EACH(x)]({a;})" },
    { "REPEAT(3)\n  a = 1;", "macro[REPEAT(3)](a = 1;)" },
    { "REPEAT(3) return;", "macro[REPEAT(3)](return;)" },
    { "forever { a; }", "macro[forever]({a;})" },
    { "g_autoptr(GString) text = f(); a;", "g_autoptr(GString) text = f(); a;" },
    { "_Atomic(int) *x; a;", "_Atomic(int) *x; a;" },
    { "f(a); g(b)->c = 1; h(d) * e;", "f(a); g(b)->c = 1; h(d) * e;" },
    /* Braces of other kinds. */
    { "int a[] = {1,2}; b;", "int a[] = {1,2}; b;" },
    { "struct s s = { .a = { 1 }, .b = 2 }, t = { 0 }; b;",
      "struct s s = { .a = { 1 }, .b = 2 }, t = { 0 }; b;" },
    { "f(&(struct s){ a, b }); c;", "f(&(struct s){ a, b }); c;" },
    { "*p = (struct s){ a; }; c;", "*p = (struct s){ a; }; c;" },
    { "return (struct s){ a, b }; c;", "return (struct s){ a, b }; c;" },
    { "struct s { int a; } x; union { int b; } y; enum { A, B } z; c;",
      "struct s { int a; } x; union { int b; } y; enum { A, B } z; c;" },
    { "x = ({ int y = f(); y; }); c;", "x = ({ int y = f(); y; }); c;" },
    { "int g(int x) { a; } c;", "function[int g(int x)]({a;}) c;" },
    { "asm volatile(\"{\" : : \"r\"(a)); b;", "asm volatile(\"{\" : : \"r\"(a)); b;" },
    /* Text that is not code. */
    { "a; // } {\nb;", "a; b;" },
    { "a; // } \\\n } \nb;", "a; b;" },
    { "a; /* } \n { */ b; /**/ c; /*/ } */ d;", "a; b; c; d;" },
    { "f(\"}\", '}', '\\'', \"\\\"}\"); b;", "f(\"}\", '}', '\\'', \"\\\"}\"); b;" },
    { "f(\"/*\"); b; /* \" */ c; '\"'; d;", "f(\"/*\"); b; c; '\"'; d;" },
    { "f(\"a\\\n}\"); b;", "f(\"a\\ }\"); b;" },
    { "x = 1'000; b; y = 0x1p+3; c;", "x = 1'000; b; y = 0x1p+3; c;" },
    { "a; \\\nb;", "a; b;" },
    { "\n#define X { \\\n { {\na;", "a;" },
    { "\n#define X /* \n } */ { // {\na;", "a;" },
    { "\n  # /**/ pragma {\na;", "a;" },
    { "\n/* */ #if 1\na;\n#else\n{\n#endif\nb;", "a; b;" },
    { "a # if; b;", "a # if; b;" },
    /* Conditionals: one arm. */
    { "\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nc; } d;", "if[if (a)]({c;}) d;" },
    { "\n#ifdef A\na; }\n#elif B\nb; } }\n#else\n}}}\n#endif\n", "a;" },
    { "\n#if A\n#if B\na;\n#else\n{\n#endif\n#else\n#if C\n}}}\n#else\n{\n#endif\n{\n"
      "#endif\nb;",
      "a; b;" },
    { "\n#if 0\n{\n#else\na;\n#endif\nb;", "a; b;" },
    { "\n#if 0 /* never */\n{\n#elif A\na;\n#else\n{\n#endif\nb;", "a; b;" },
    { "\n#if A\na;\n#else\ndon't {\n/*\n#endif\n*/ {\n#endif\nb;", "a; b;" },
    { "\n#if A\na;\n#else\n{", "a;" },
    { "\n#else\na;\n#endif\n#elif\nb;", "a; b;" },
};

TEST_EACH(a_body_has_the_statements_that_its_text_shows, G_N_ELEMENTS(bodies))
{
    g_autofree char *text
        = g_strconcat("void f(void)\n{ ", bodies[_i].text, " \n}\n", NULL);
    expect_outline(text, 2, bodies[_i].outline); /* after the function, its block */
}

static const struct {
    const char *text, *outline;
} files[] = {
    { "", "" },
    { "int a; int b[] = { 1, 2 };", "int a; int b[] = { 1, 2 };" },
    { "WEIR_KERNEL(sum, sum_args)\n{ a; }\nint b;",
      "function[WEIR_KERNEL(sum, sum_args)]({a;}) int b;" },
    { "static struct s *f(int a, char *(*b)(void))\n{\n    return a;\n}",
      "function[static struct s *f(int a, char *(*b)(void))]({return a;})" },
    { "struct s f(void) { a; }", "function[struct s f(void)]({a;})" },
    { "struct s { int a; };\nvoid f(void);\nvoid g(void) {}",
      "struct s { int a; }; void f(void); function[void g(void)]({})" },
    { "struct __attribute__((packed)) s { int a; }; int b;",
      "struct __attribute__((packed)) s { int a; }; int b;" },
    { "typedef struct { int a; } s; enum { A, B };",
      "typedef struct { int a; } s; enum { A, B };" },
    { "int a __attribute__((aligned(8))) = { 1 }; int b;",
      "int a __attribute__((aligned(8))) = { 1 }; int b;" },
    { "void f(void) __attribute__((noinline));\n"
      "__attribute__((cold))\nvoid f(void) { a; }",
      "void f(void) __attribute__((noinline)); "
      "function[__attribute__((cold)) void f(void)]({a;})" },
    { "void f(void) COLD { a; }", "function[void f(void) COLD]({a;})" },
    { "G_DEFINE_TYPE(a, b)\nstatic int f(void) { a; }",
      "G_DEFINE_TYPE(a, b) function[static int f(void)]({a;})" },
    { "extern \"C\" {\nvoid f(void) { a; }\nint b; }\nint c;",
      "extern \"C\" {function[void f(void)]({a;}) int b;} int c;" },
    { "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n"
      "#ifdef __cplusplus\n}\n#endif\n",
      "int a;" },
    { "/* { */ int a; // {", "int a;" },
    { "#include \"a{.h\"\n#define F(x) { x }\nF(1)\nint b;", "F(1) int b;" },
    /* Statements that have not ended. */
    { "int a", "int a" },
    { "void f(void", "void f(void" },
    { "void f(void) {", "function[void f(void)]({})" },
    { "void f(void) { if", "function[void f(void)]({if})" },
    { "void f(void) { if (a", "function[void f(void)]({if (a})" },
    { "void f(void) { if (a)", "function[void f(void)]({if[if (a)]()})" },
    { "void f(void) { if (a) }", "function[void f(void)]({if[if (a)]()})" },
    { "void f(void) { if (a) b; else }", "function[void f(void)]({if[if (a)](b;)})" },
    { "void f(void) { do a;", "function[void f(void)]({loop[do](a;)})" },
    { "void f(void) { do a; while (b",
      "function[void f(void)]({loop[do](a;) while (b})" },
    { "void f(void) { for (;;) {", "function[void f(void)]({loop[for (;;)]({})})" },
    { "void f(void) { case", "function[void f(void)]({case})" },
    { "void f(void) { case 1:", "function[void f(void)]({case 1:})" },
    { "void f(void) { a; /* b; }", "function[void f(void)]({a;})" },
    { "void f(void) { a = \"b; }\nc; }", "function[void f(void)]({a = \"b; } c;})" },
    { "void f(void) { a = 'b; }\nc; }", "function[void f(void)]({a = 'b; } c;})" },
    { "void f(void) { x = (a; } int b;", "function[void f(void)]({x = (a;}) int b;" },
    { "} int a; ) ] }", "} int a; ) ] }" },
    { "#", "" },
    { "#if", "" },
    { "\\", "\\" },
    { "\"", "\"" },
    { "'\\", "'\\" },
};

TEST_EACH(a_file_has_the_functions_that_its_text_shows, G_N_ELEMENTS(files))
{
    expect_outline(files[_i].text, 0, files[_i].outline);
}

/* Statements of a function in C++. */
static const struct {
    const char *text, *outline;
} cpp_bodies[] = {
    { "q.submit([&](handler &h) { a; h.run([=](item i) { b; }); c; }); d;",
      "lambdas[q.submit(](function[[&](handler &h)]({a; "
      "lambdas[h.run(](function[[=](item i)]({b;})) c;})) d;" },
    { "auto f = [] { a; }; f();", "lambdas[auto f =](function[[]]({a;})) f();" },
    { "[&] { a; }();", "lambdas[](function[[&]]({a;}))" },
    { "return [x, &y](int i) mutable -> std::vector<int> { a; };",
      "lambdas[return](function[[x, &y](int i) mutable -> std::vector<int>]({a;}))" },
    { "f([=](item<1> i) [[sycl::reqd_sub_group_size(16)]] { a; }, [] { b; });",
      "lambdas[f(](function[[=](item<1> i) [[sycl::reqd_sub_group_size(16)]]]({a;}) "
      "function[[]]({b;}))" },
    { "f([=]<int N>(group<N> g) noexcept { a; });",
      "lambdas[f(](function[[=]<int N>(group<N> g) noexcept]({a;}))" },
    { "if (a) f([=] { b; }); else c;",
      "if[if (a)](lambdas[f(](function[[=]]({b;})) else c;)" },
    /* No lambdas. */
    { "int x = a[i]; b[j] = { 1 }; c(d)[e] = { 2 };",
      "int x = a[i]; b[j] = { 1 }; c(d)[e] = { 2 };" },
    { "auto [a, b] = f(); int c[] = { 1 }; delete[] d;",
      "auto [a, b] = f(); int c[] = { 1 }; delete[] d;" },
    { "[[maybe_unused]] int x{ 1 }; int y[2]{ 1, 2 };",
      "[[maybe_unused]] int x{ 1 }; int y[2]{ 1, 2 };" },
    { "f([=] { a; ", "lambdas[f(](function[[=]]({a;}))" },
    { "x: [] { a; }();", "lambdas[x: ](function[[]]({a;}))" },
    /* Statements that C has not. */
    { "if constexpr (a) { b; } else c;", "if[if constexpr (a)]({b;} else c;)" },
    { "for (auto &x : y) a;", "loop[for (auto &x : y)](a;)" },
    { "T x = f(a) { b; };", "T x = f(a) { b; };" },
    { "f(R\"(}\" {)\"); a(u8R\"x()\" })x\"); b;",
      "f(R\"(}\" {)\"); a(u8R\"x()\" })x\"); b;" },
    { "struct k { void operator()(item<1> i) const { a; } }; b;",
      "struct k {function[void operator()(item<1> i) const]({a;})} ; b;" },
};

TEST_EACH(a_body_in_cpp_has_its_lambdas, G_N_ELEMENTS(cpp_bodies))
{
    g_autofree char *text
        = g_strconcat("void f()\n{ ", cpp_bodies[_i].text, " \n}\n", NULL);
    expect_outline_of(parse_cpp(text), 2, cpp_bodies[_i].outline);
}

static const struct {
    const char *text, *outline;
} cpp_files[] = {
    { "namespace n { template <class T, int N = 3> class k : public b<T> {\n"
      "public: void operator()(nd_item<1> it) const { a; } T x; }; }",
      "namespace n {template <class T, int N = 3> class k : public b<T> "
      "{function[public: void operator()(nd_item<1> it) const]({a;}) T x;} ;}" },
    { "template <typename T = int> void f(T *p) { a; } enum class e { A, B };",
      "function[template <typename T = int> void f(T *p)]({a;}) "
      "enum class e {A, B} ;" },
    { "auto f = [](int x) { a; };\nint b;",
      "lambdas[auto f =](function[[](int x)]({a;})) int b;" },
    { "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n"
      "#ifdef __cplusplus\n}\n#endif\n",
      "extern \"C\" {int a;}" },
    { "#ifndef __cplusplus\nint c;\n#else\nint a;\n#endif\n", "int a;" },
    { "const char *s = R\"(\nvoid f() {\n)\"; int a;",
      "const char *s = R\"( void f() { )\"; int a;" },
    { "const char *s = R\"(", "const char *s = R\"(" },
};

TEST_EACH(a_file_in_cpp_has_its_functions, G_N_ELEMENTS(cpp_files))
{
    expect_outline_of(parse_cpp(cpp_files[_i].text), 0, cpp_files[_i].outline);
}

/* ---- Lines ------------------------------------------------------------------ */

CASE("lines");

static const char lined[] = "WEIR_KERNEL(k, k_args)\n"      /* 1 */
                            "{\n"                           /* 2 */
                            "    int a = f(1,\n"            /* 3 */
                            "              2), /* two */\n" /* 4 */
                            "\n"                            /* 5 */
                            "        b = 3; c = 4;\n"       /* 6 */
                            "    // a comment\n"            /* 7 */
                            "    for (int i = 0;\n"         /* 8 */
                            "         i < 4; i++) {\n"      /* 9 */
                            "        x[i] = 0; y[i] = 0;\n" /* 10 */
                            "    }\n"                       /* 11 */
                            "    if (a)\n"                  /* 12 */
                            "        return;\n"             /* 13 */
                            "    else {\n"                  /* 14 */
                            "        z = 1;\n"              /* 15 */
                            "    }\n"                       /* 16 */
                            "    do { u; } while (v);\n"    /* 17 */
                            "#if A\n"                       /* 18 */
                            "    p;\n"                      /* 19 */
                            "#else\n"                       /* 20 */
                            "    q;\n"                      /* 21 */
                            "#endif\n"                      /* 22 */
                            "    switch (a) {\n"            /* 23 */
                            "    case 1:\n"                 /* 24 */
                            "        r; }\n"                /* 25 */
                            "}\n";                          /* 26 */

static const struct {
    uint32_t line;
    const char *begins; /* the statement's first bytes, NULL if there is none */
} found[] = {
    { 0, NULL },           { 1, "WEIR_KERNEL" },   { 2, "{\n    int" },
    { 3, "int a" },        { 4, "int a" },         { 5, "int a" },
    { 6, "int a" },        { 7, "{\n    int" },    { 8, "for (" },
    { 9, "for (" },        { 10, "x[i]" },         { 11, "{\n        x" },
    { 12, "if (a)" },      { 13, "return;" },      { 14, "if (a)" },
    { 15, "z = 1;" },      { 16, "{\n        z" }, { 17, "do {" },
    { 18, "{\n    int" },  { 19, "p;" },           { 20, "{\n    int" },
    { 21, NULL },          { 22, "{\n    int" },   { 23, "switch" },
    { 24, "case 1:" },     { 25, "case 1:" },      { 26, "{\n    int" },
    { 27, "WEIR_KERNEL" }, { 28, NULL },
};

TEST_EACH(a_line_belongs_to_its_innermost_statement, G_N_ELEMENTS(found))
{
    struct weiri_source *source = parse(lined);
    uint32_t statement = weiri_source_find(source, found[_i].line);
    if (found[_i].begins == NULL) {
        ck_assert_uint_eq(statement, WEIRI_STATEMENT_NONE);
    } else {
        ck_assert_uint_ne(statement, WEIRI_STATEMENT_NONE);
        const char *begin = lined + weiri_source_at(source, statement)->begin;
        ck_assert_msg(g_str_has_prefix(begin, found[_i].begins), "line %u is of: %.20s",
                      found[_i].line, begin);
    }
    weiri_source_free(source);
}

TEST(a_statement_knows_its_loops_and_its_function)
{
    static const char text[] = "void f(void) {\n"
                               "for (;;)\n"
                               "FOR_EACH(x) {\n"
                               "while (a)\n"
                               "b;\n"
                               "}\n"
                               "c; }\n";
    struct weiri_source *source = parse(text);
    uint32_t b = weiri_source_find(source, 5), c = weiri_source_find(source, 7);
    uint32_t inner = weiri_source_loop(source, b);
    ck_assert_uint_eq(weiri_source_at(source, inner)->first_line, 4);
    uint32_t middle = weiri_source_loop(source, inner);
    ck_assert_int_eq(weiri_source_at(source, middle)->kind, WEIRI_STATEMENT_MACRO);
    uint32_t outer = weiri_source_loop(source, middle);
    ck_assert_uint_eq(weiri_source_at(source, outer)->first_line, 2);
    ck_assert_uint_eq(weiri_source_loop(source, outer), WEIRI_STATEMENT_NONE);
    ck_assert_uint_eq(weiri_source_loop(source, c), WEIRI_STATEMENT_NONE);
    ck_assert_uint_eq(weiri_source_enclosing(source, b, WEIRI_STATEMENT_FUNCTION), 1);
    ck_assert_uint_eq(weiri_source_enclosing(source, b, WEIRI_STATEMENT_SWITCH),
                      WEIRI_STATEMENT_NONE);
    ck_assert_str_eq(weiri_source_path(source), "a.c");
    weiri_source_free(source);
}

static const struct {
    const char *body; /* its second line */
    bool only;
} alone[] = {
    { "    a;", true },        { "a; /* b */ // c", true }, { "a; b;", false },
    { "/* b */ a;", false },   { "a; /* b", false },        { "a; // b \\", false },
    { "a; /* b */ }", false },
};

TEST_EACH(a_statement_may_have_its_lines_alone, G_N_ELEMENTS(alone))
{
    g_autofree char *text
        = g_strconcat("void f(void) {\n", alone[_i].body, "\n*/ }\n", NULL);
    struct weiri_source *source = parse(text);
    ck_assert_int_eq(weiri_source_only_on_its_lines(source, 3), alone[_i].only);
    weiri_source_free(source);
}

TEST(a_loop_around_a_lambda_is_not_a_loop_of_its_statements)
{
    struct weiri_source *source = parse_cpp("void f() {\n"
                                            "for (;;)\n"
                                            "q.run([=](item i) {\n"
                                            "a;\n"
                                            "while (b)\n"
                                            "c; });\n"
                                            "}\n");
    uint32_t a = weiri_source_find(source, 4), c = weiri_source_find(source, 6);
    ck_assert_uint_eq(weiri_source_loop(source, a), WEIRI_STATEMENT_NONE);
    uint32_t inner = weiri_source_loop(source, c);
    ck_assert_uint_eq(weiri_source_at(source, inner)->first_line, 5);
    ck_assert_uint_eq(weiri_source_loop(source, inner), WEIRI_STATEMENT_NONE);
    uint32_t kernel = weiri_source_enclosing(source, a, WEIRI_STATEMENT_FUNCTION);
    ck_assert_uint_eq(weiri_source_at(source, kernel)->first_line, 3);
    weiri_source_free(source);
}

/* ---- Calls ------------------------------------------------------------------ */

CASE("calls");

static const struct {
    const char *text, *name;
    uint32_t nth;
    const char *seen; /* the call, and its arguments, each after a bar; or NULL */
} calls[] = {
    { "f(a, b);", "f", 0, "f(a, b)|a|b" },
    { "f();", "f", 0, "f()" },
    { "f ( /* x */ a /* y */ , b );", "f", 0, "f ( /* x */ a /* y */ , b )|a|b" },
    { "f(a,, b);", "f", 0, "f(a,, b)|a||b" },
    { "f(g(a, b), c[d, e], (struct s){ 1, 2 });", "f", 0,
      "f(g(a, b), c[d, e], (struct s){ 1, 2 })|g(a, b)|c[d, e]|(struct s){ 1, 2 }" },
    { "f(g(a, b), c);", "g", 0, "g(a, b)|a|b" },
    { "f(g(a), f(b));", "f", 1, "f(b)|b" },
    { "f(g(a), f(b));", NULL, 1, "g(a)|a" },
    { "if (f(a)) sizeof(b);", NULL, 0, "f(a)|a" },
    { "if (f(a)) sizeof(b);", NULL, 1, NULL },
    { "x = weir_atomic_load(p, \",)\", ')');", "weir_atomic_*", 0,
      "weir_atomic_load(p, \",)\", ')')|p|\",)\"|')'" },
    { "weir_atomi(p); weir_atomic(q);", "weir_atomic*", 0, "weir_atomic(q)|q" },
    { "f(a); ff(b); f;", "f", 1, NULL },
    { "/* f(a) */ \"f(b)\"; f(c)", "f", 0, "f(c)|c" },
    { "f(a", "f", 0, NULL },
};

static const struct {
    const char *text, *name;
    const char *seen; /* as above */
} cpp_calls[] = {
    { "n::f<a, b<c>>(d, e);", "f", "f<a, b<c>>(d, e)|d|e" },
    { "f(g<a, b>(c), d);", "f", "f(g<a, b>(c), d)|g<a, b>(c)|d" },
    { "f(a < b, c);", "f", "f(a < b, c)|a < b|c" },
    { "f<a; g(b);", "f", NULL },
    { "f(p->x, q->y);", "f", "f(p->x, q->y)|p->x|q->y" },
};

static void expect_call(const struct weiri_source *source, const char *name,
                        uint32_t nth, const char *expected)
{
    const char *text = weiri_source_text(source, NULL);
    struct weiri_call call;
    bool is_there
        = weiri_source_call(source, weiri_source_lines(source, 1, 1), name, nth, &call);
    ck_assert_int_eq(is_there, expected != NULL);
    if (is_there) {
        g_autoptr(GString) seen = g_string_new(NULL);
        append_text(seen, text, call.all.begin, call.all.end);
        for (size_t i = 0; i < call.n_arguments; i++) {
            g_string_append_c(seen, '|');
            append_text(seen, text, call.arguments[i].begin, call.arguments[i].end);
        }
        ck_assert_str_eq(seen->str, expected);
        ck_assert_uint_eq(call.name.begin, call.all.begin);
        weiri_call_clear(&call);
    }
}

TEST_EACH(a_call_has_its_arguments, G_N_ELEMENTS(calls))
{
    struct weiri_source *source = parse(calls[_i].text);
    expect_call(source, calls[_i].name, calls[_i].nth, calls[_i].seen);
    weiri_source_free(source);
}

TEST_EACH(a_call_in_cpp_may_have_template_arguments, G_N_ELEMENTS(cpp_calls))
{
    struct weiri_source *source = parse_cpp(cpp_calls[_i].text);
    expect_call(source, cpp_calls[_i].name, 0, cpp_calls[_i].seen);
    weiri_source_free(source);
}

static const struct {
    const char *text;
    uint32_t line, nth;
    const char *seen; /* the call, or NULL */
} parts_of_calls[] = {
    { "void f(void) {\n  g(a,\n    b);\n}", 2, 0, "g(a, b)" },
    { "void f(void) {\n  g(a,\n    b);\n}", 3, 0, "g(a, b)" },
    { "void f(void) {\n  g(a,\n    b);\n}", 1, 0, NULL },
    { "void f(void) {\n  g(a,\n    b);\n}", 4, 0, NULL },
    { "void f(void) {\n  g(a,\n    b);\n}", 3, 1, NULL },
    /* A call that has ended above the line is not of it. */
    { "void f(void) {\n  x = g(a) +\n    g(b);\n}", 3, 0, "g(b)" },
    { "void f(void) {\n  x = g(a) +\n    g(b);\n}", 2, 0, "g(a)" },
    { "void f(void) {\n  g(g(a),\n    b);\n}", 3, 0, "g(g(a), b)" },
    { "void f(void) {\n  g(g(a),\n    b);\n}", 2, 1, "g(a)" },
};

TEST_EACH(a_call_is_found_from_each_of_its_lines, G_N_ELEMENTS(parts_of_calls))
{
    struct weiri_source *source = parse(parts_of_calls[_i].text);
    struct weiri_call call;
    bool is_there = weiri_source_call_at(source, parts_of_calls[_i].line, "g",
                                         parts_of_calls[_i].nth, &call);
    ck_assert_int_eq(is_there, parts_of_calls[_i].seen != NULL);
    if (is_there) {
        g_autoptr(GString) seen = g_string_new(NULL);
        append_text(seen, parts_of_calls[_i].text, call.all.begin, call.all.end);
        ck_assert_str_eq(seen->str, parts_of_calls[_i].seen);
        weiri_call_clear(&call);
    }
    weiri_source_free(source);
}

/* ---- Any bytes -------------------------------------------------------------- */

CASE("robust");

/* Properties of every tree. */
static void expect_sound_of(struct weiri_source *source, uint64_t seed)
{
    size_t bytes;
    const char *text = weiri_source_text(source, &bytes);
    uint32_t n = weiri_source_n(source);
    for (uint32_t i = 1; i < n; i++) {
        const struct weiri_statement *node = weiri_source_at(source, i);
        const struct weiri_statement *parent = weiri_source_at(source, node->parent);
        EXPECT(node->begin < node->end && node->begin <= node->start
                   && node->start < node->end && node->start <= node->head_end
                   && node->head_end <= node->end,
               "seed %" PRIu64 ": offsets of statement %u", seed, i);
        EXPECT(node->parent < i && parent->begin <= node->begin
                   && node->end <= parent->end
                   && parent->kind != WEIRI_STATEMENT_SIMPLE,
               "seed %" PRIu64 ": statement %u and its parent", seed, i);
        EXPECT(node->next == WEIRI_STATEMENT_NONE
                   || (weiri_source_at(source, node->next)->begin >= node->end
                       && weiri_source_at(source, node->next)->parent == node->parent),
               "seed %" PRIu64 ": statement %u and the next", seed, i);
        EXPECT(node->first_line == weiri_source_line_of(source, node->begin)
                   && node->last_line == weiri_source_line_of(source, node->end - 1),
               "seed %" PRIu64 ": lines of statement %u", seed, i);
        EXPECT(weiri_source_loop(source, i) == WEIRI_STATEMENT_NONE
                   || weiri_source_loop(source, i) < i,
               "seed %" PRIu64 ": loop of statement %u", seed, i);
        g_autoptr(GArray) edits = weiri_edits_new();
        weiri_edit_insert_before(edits, source, i, "before();");
        weiri_edit_insert_after(edits, source, i, "after();");
        GError *error = NULL;
        g_autofree char *after = weiri_edits_apply(edits, text, bytes, NULL, &error);
        EXPECT(after != NULL && error == NULL,
               "seed %" PRIu64 ": edits at statement %u", seed, i);
    }
    uint32_t last = weiri_source_at(source, 0)->last_line;
    for (uint32_t line = 0; line <= last + 1; line++) {
        uint32_t statement = weiri_source_find(source, line);
        EXPECT(statement < n || statement == WEIRI_STATEMENT_NONE,
               "seed %" PRIu64 ": line %u", seed, line);
    }
    struct weiri_range all = { 0, bytes };
    struct weiri_call call;
    for (uint32_t i = 0; i < 20 && weiri_source_call(source, all, NULL, i, &call);
         i++) {
        for (size_t a = 0; a < call.n_arguments; a++) {
            EXPECT(call.arguments[a].begin <= call.arguments[a].end
                       && call.arguments[a].begin > call.name.end
                       && call.arguments[a].end < call.all.end,
                   "seed %" PRIu64 ": arguments of call %u", seed, i);
        }
        weiri_call_clear(&call);
    }
    weiri_source_free(source);
}

static void expect_sound(const char *text, size_t bytes, uint64_t seed)
{
    expect_sound_of(weiri_source_new(NULL, text, bytes), seed);
    expect_sound_of(weiri_source_new("a.cpp", text, bytes), seed);
}

static const char *const pieces[] = { "if (a)",
                                      "else",
                                      "for (;;)",
                                      "while (b)",
                                      "do",
                                      "switch (c)",
                                      "case 1:",
                                      "x:",
                                      "{",
                                      "}",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      ";",
                                      ",",
                                      "=",
                                      "f",
                                      "struct",
                                      "\"",
                                      "'",
                                      "/*",
                                      "*/",
                                      "//",
                                      "\n",
                                      "\\\n",
                                      "\r\n",
                                      "\n#if A\n",
                                      "?",
                                      ":",
                                      "\n#else\n",
                                      "\n#endif\n",
                                      "weir_for_each_item(i, g)",
                                      "return",
                                      "\t",
                                      " ",
                                      "\n#if 0\n",
                                      "<",
                                      ">",
                                      "[=]",
                                      "[&](item i)",
                                      "R\"(",
                                      "class k",
                                      "template <class T>",
                                      "if constexpr (a)" };

TEST(any_pieces_make_a_sound_tree)
{
    for (uint64_t seed = 0; seed < scaled(3000, 100); seed++) {
        uint64_t state = seed;
        g_autoptr(GString) text = g_string_new(seed % 2 == 0 ? "void f(void) {" : "");
        for (size_t n = random_between(&state, 1, 60); n > 0; n--) {
            g_string_append(
                text, pieces[random_between(&state, 0, G_N_ELEMENTS(pieces) - 1)]);
            g_string_append(text, random_next(&state) % 2 == 0 ? " " : "");
        }
        expect_sound(text->str, text->len, seed);
    }
}

TEST(any_bytes_make_a_sound_tree)
{
    for (uint64_t seed = 0; seed < scaled(1000, 50); seed++) {
        uint64_t state = seed;
        char text[200];
        size_t bytes = random_between(&state, 0, sizeof(text));
        for (size_t i = 0; i < bytes; i++) {
            text[i] = (char)random_next(&state);
        }
        expect_sound(text, bytes, seed);
    }
}

TEST(a_file_with_changed_bytes_makes_a_sound_tree)
{
    g_autofree char *text = NULL;
    size_t bytes;
    ck_assert(g_file_get_contents(SAMPLE, &text, &bytes, NULL));
    for (uint64_t seed = 0; seed < scaled(300, 5); seed++) {
        uint64_t state = seed;
        size_t begin = random_between(&state, 0, bytes - 1);
        size_t part = random_between(&state, 1, MIN(bytes - begin, 5000));
        g_autofree char *changed = g_malloc(part);
        memcpy(changed, text + begin, part);
        for (size_t n = random_between(&state, 0, 10); n > 0; n--) {
            changed[random_between(&state, 0, part - 1)]
                = "{}();\"'/*\n#\\:"[random_between(&state, 0, 12)];
        }
        expect_sound(changed, part, seed);
    }
}

TEST(a_deep_tree_needs_no_deep_stack)
{
    static const char *const opens[]
        = { "{",          "if (a) ", "do ",    "a: ",  "(",     "else ", "f(",
            "for (;;) {", "case ",   "f(\n) ", "[] {", "f([](", "a<",    "f<a>(" };
    for (size_t o = 0; o < G_N_ELEMENTS(opens); o++) {
        g_autoptr(GString) text = g_string_new("void f(void) {");
        for (size_t i = 0; i < scaled(200000, 2000); i++) {
            g_string_append(text, opens[o]);
        }
        for (int cpp = 0; cpp < 2; cpp++) {
            struct weiri_source *source
                = weiri_source_new(cpp ? "a.cpp" : NULL, text->str, text->len);
            ck_assert_uint_ge(weiri_source_n(source), 3);
            weiri_source_free(source);
        }
    }
}

MAIN("fix-source")
