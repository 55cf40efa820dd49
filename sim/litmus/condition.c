/* SPDX-License-Identifier: MIT
 *
 * condition.c: reads claims about final states; claim.c says what they hold of.
 *
 *     locations [x; 0:r0;]
 *     filter (0:r0=1)
 *     exists (1:r1=0 /\ ~(x=2 \/ [y]=[z]))
 *
 * A chain of /\ or of \/ is one node with many operands, so that its length does not
 * count as depth.
 *
 * A register that the thread does not have is refused, though herd reads it as 0: it is
 * a typing error, and the answer Never would hide it. A value that the type cannot have
 * is refused for the same reason. On the right of =, herd takes a name for an address;
 * this is refused, and [y] is the content of y.
 *
 * Follows: herd7, lib/stateParser.mly, its precedences included. */
#include "config.h"

#include "litmus/parser.h"

#include <string.h>

typedef struct weiri_litmus_condition condition;

/* ---- Terms ----------------------------------------------------------------------- */

static enum weiri_litmus_type type_of(const struct weiri_litmus *test,
                                      struct weiri_litmus_term term)
{
    return term.thread == WEIRI_LITMUS_MEMORY
        ? test->locations[term.index].type
        : test->threads[term.thread].registers[term.index].type;
}

/* Reads a term whose name the test has. */
static bool parse_term(struct weiri_litmus_parser *parser,
                       struct weiri_litmus_term *term)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_reference reference;
    weiri_litmus_accept(lex, "*"); /* *x means x */
    if (!weiri_litmus_parse_reference(parser, &reference)) {
        return false;
    }
    g_autofree char *quoted = weiri_litmus_quote(&reference.name);
    if (!reference.is_register) {
        guint known = GPOINTER_TO_UINT(g_hash_table_lookup(
            parser->locations, weiri_litmus_intern(parser, &reference.name)));
        *term = (struct weiri_litmus_term){ WEIRI_LITMUS_MEMORY, known - 1 };
        return known > 0
            || weiri_litmus_refuse(lex, reference.name.place,
                                   "unknown location %s: a register is written with "
                                   "its thread, as 0:r0",
                                   quoted);
    }
    term->thread = reference.thread;
    if (reference.thread >= parser->test->n_threads) {
        return weiri_litmus_refuse(lex, reference.place, "the test has no thread P%u",
                                   reference.thread);
    }
    return weiri_litmus_find(parser, &parser->threads[reference.thread],
                             &reference.name, &term->index)
        == WEIRI_LITMUS_A_REGISTER
        || weiri_litmus_refuse(lex, reference.name.place, "P%u has no register %s",
                               reference.thread, quoted);
}

/* ---- Propositions ---------------------------------------------------------------- */

static condition *make(struct weiri_litmus_parser *parser,
                       enum weiri_litmus_condition_kind kind, const condition *first)
{
    condition *made = weiri_litmus_memory_take(parser->test->memory, sizeof(*made));
    made->kind = kind;
    made->first = first;
    return made;
}

/* A side of a comparison of a table. */
struct side {
    bool is_term;
    struct weiri_litmus_term term;
    int64_t value;
};

static bool parse_side(struct weiri_litmus_parser *parser, struct side *side)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_token next = weiri_litmus_lex_peek(lex);
    bool is_number = weiri_litmus_at(lex, "-")
        || (lex->token.kind == WEIRI_LITMUS_TOKEN_NUMBER
            && !weiri_litmus_token_is(&next, ":"));
    *side = (struct side){ .is_term = !is_number };
    return is_number ? weiri_litmus_parse_number(parser, &side->value)
                     : parse_term(parser, &side->term);
}

/* How a table compares: by @function, or by its opposite. */
static const struct {
    const char *mark;
    enum weiri_litmus_function function;
    bool is_opposite;
} comparisons[] = {
    { "==", WEIRI_LITMUS_EQUAL, false },  { "=", WEIRI_LITMUS_EQUAL, false },
    { "!=", WEIRI_LITMUS_EQUAL, true },   { "<>", WEIRI_LITMUS_EQUAL, true },
    { "<", WEIRI_LITMUS_LESS, false },    { ">=", WEIRI_LITMUS_LESS, true },
    { ">", WEIRI_LITMUS_GREATER, false }, { "<=", WEIRI_LITMUS_GREATER, true },
};

/* Two sides of which the left one is a term, or both are numbers. */
static condition *make_comparison(struct weiri_litmus_parser *parser,
                                  enum weiri_litmus_function function, struct side left,
                                  struct side right)
{
    bool turns = function == WEIRI_LITMUS_GREATER && right.is_term;
    bool equal = function == WEIRI_LITMUS_EQUAL, less = function == WEIRI_LITMUS_LESS;
    condition *made = make(parser, WEIRI_LITMUS_TRUE, NULL);
    if (!left.is_term) {
        bool holds = equal ? left.value == right.value
            : less         ? left.value < right.value
                           : left.value > right.value;
        made->kind = holds ? WEIRI_LITMUS_TRUE : WEIRI_LITMUS_FALSE;
        return made;
    }
    made->left = turns ? right.term : left.term;
    made->right = turns ? left.term : right.term;
    made->value = right.value;
    made->kind = right.is_term ? (equal ? WEIRI_LITMUS_ARE : WEIRI_LITMUS_ARE_ORDERED)
        : equal                ? WEIRI_LITMUS_IS
        : less                 ? WEIRI_LITMUS_IS_BELOW
                               : WEIRI_LITMUS_IS_ABOVE;
    return made;
}

/* `x=1`, `0==0`, `0:r0 <= 1:r1`: either side of a comparison of a table may be a
 * number, a register or the name of a location, which means what it holds. */
static condition *parse_comparison_of_table(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct side left, right;
    size_t i = 0;
    if (!parse_side(parser, &left)) {
        return NULL;
    }
    while (i < G_N_ELEMENTS(comparisons)
           && !weiri_litmus_accept(lex, comparisons[i].mark)) {
        i++;
    }
    if (i == G_N_ELEMENTS(comparisons)) {
        return weiri_litmus_unexpected(lex, "'==', '!=', '<', '<=', '>' or '>='");
    }
    if (!parse_side(parser, &right)) {
        return NULL;
    }
    enum weiri_litmus_function function = comparisons[i].function;
    bool turns = !left.is_term && right.is_term;
    if (turns && function != WEIRI_LITMUS_EQUAL) {
        function
            = function == WEIRI_LITMUS_LESS ? WEIRI_LITMUS_GREATER : WEIRI_LITMUS_LESS;
    }
    condition *made
        = make_comparison(parser, function, turns ? right : left, turns ? left : right);
    if (!comparisons[i].is_opposite) {
        return made;
    }
    if (!left.is_term && !right.is_term) {
        made->kind
            = made->kind == WEIRI_LITMUS_TRUE ? WEIRI_LITMUS_FALSE : WEIRI_LITMUS_TRUE;
        return made;
    }
    return make(parser, WEIRI_LITMUS_IS_NOT, made);
}

/* `x=1`, `x!=1`, `x=[y]`. */
static condition *parse_comparison(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_term left;
    if (weiri_litmus_is_table(parser->test->form)) {
        return parse_comparison_of_table(parser);
    }
    if (!parse_term(parser, &left)) {
        return NULL;
    }
    bool not = weiri_litmus_accept(lex, "!=") || weiri_litmus_accept(lex, "<>");
    if (!not &&!weiri_litmus_accept(lex, "=") && !weiri_litmus_accept(lex, "==")) {
        return weiri_litmus_unexpected(lex, "'=' or '!='");
    }
    condition *made = make(parser, WEIRI_LITMUS_IS, NULL);
    made->left = left;
    struct weiri_litmus_token right = lex->token;
    struct weiri_litmus_token behind = weiri_litmus_lex_peek(lex);
    if (weiri_litmus_at(lex, "[") || weiri_litmus_at(lex, "*")
        || weiri_litmus_token_is(&behind, ":")) {
        made->kind = WEIRI_LITMUS_ARE;
        if (!parse_term(parser, &made->right)) {
            return NULL;
        }
    } else if (right.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex,
                                       "a number: a name is an address here, and [x] "
                                       "is what x holds");
    } else {
        g_autoptr(GString) name = g_string_new(NULL);
        weiri_litmus_print_term(parser->test, left, name);
        if (!weiri_litmus_parse_number(parser, &made->value)
            || !weiri_litmus_check_range(parser, right.place,
                                         type_of(parser->test, left), made->value,
                                         name->str)) {
            return NULL;
        }
    }
    return not ? make(parser, WEIRI_LITMUS_IS_NOT, made) : made;
}

static condition *parse_any(struct weiri_litmus_parser *parser);

/* A condition without an operator of two operands on its top level. */
static condition *parse_single(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    condition *made;
    if (!weiri_litmus_enter(lex)) {
        return NULL;
    }
    if (weiri_litmus_accept(lex, "~") || weiri_litmus_accept(lex, "not")) {
        condition *operand = parse_single(parser);
        made = operand != NULL ? make(parser, WEIRI_LITMUS_IS_NOT, operand) : NULL;
    } else if (weiri_litmus_accept(lex, "(")) {
        made = parse_any(parser);
        if (made != NULL && !weiri_litmus_expect(lex, ")", "after the proposition")) {
            return NULL;
        }
    } else if (weiri_litmus_accept(lex, "true")) {
        made = make(parser, WEIRI_LITMUS_TRUE, NULL);
    } else if (weiri_litmus_accept(lex, "false")) {
        made = make(parser, WEIRI_LITMUS_FALSE, NULL);
    } else {
        made = parse_comparison(parser);
    }
    lex->depth--;
    return made;
}

/* `a => b => c` is `a => (b => c)`. */
static condition *parse_implication(struct weiri_litmus_parser *parser)
{
    condition *left = parse_single(parser);
    if (left == NULL || !weiri_litmus_accept(&parser->lex, "=>")) {
        return left;
    }
    if (!weiri_litmus_enter(&parser->lex)) {
        return NULL;
    }
    condition *right = parse_implication(parser);
    parser->lex.depth--;
    if (right == NULL) {
        return NULL;
    }
    /* A node is in the list of operands of one node only. */
    left->next = right;
    return make(parser, WEIRI_LITMUS_IMPLIES, left);
}

/* Operands between @mark or @synonym. */
static condition *parse_chain(struct weiri_litmus_parser *parser, const char *mark,
                              const char *synonym,
                              enum weiri_litmus_condition_kind kind,
                              condition *(*parse)(struct weiri_litmus_parser *parser))
{
    condition *first = parse(parser), *last = first;
    while (last != NULL
           && (weiri_litmus_accept(&parser->lex, mark)
               || weiri_litmus_accept(&parser->lex, synonym))) {
        condition *next = parse(parser);
        last->next = next;
        last = next;
    }
    return last == NULL || last == first ? last : make(parser, kind, first);
}

static condition *parse_all(struct weiri_litmus_parser *parser)
{
    return parse_chain(parser, "/\\", "&&", WEIRI_LITMUS_ALL, parse_implication);
}

static condition *parse_any(struct weiri_litmus_parser *parser)
{
    return parse_chain(parser, "\\/", "||", WEIRI_LITMUS_ANY, parse_all);
}

/* ---- What is observed ------------------------------------------------------------ */

/* A set of terms, in the order in which they were added. */
struct terms {
    GHashTable *seen; /* by number of the term */
    GArray *list;     /* of struct weiri_litmus_term */
};

static void add_term(struct terms *terms, struct weiri_litmus_term term)
{
    /* The number of a thread is small, or WEIRI_LITMUS_MEMORY. */
    uint64_t thread = (term.thread + 1) % (WEIRI_LITMUS_MOST_THREADS + 1);
    if (g_hash_table_add(terms->seen,
                         GSIZE_TO_POINTER((size_t)(thread << 32 | term.index)))) {
        g_array_append_val(terms->list, term);
    }
}

static void add_terms_of(struct terms *terms, const condition *from)
{
    if (weiri_litmus_has_terms(from, false)) {
        add_term(terms, from->left);
    }
    if (weiri_litmus_has_terms(from, true)) {
        add_term(terms, from->right);
    }
    for (const condition *operand = from->first; operand != NULL;
         operand = operand->next) {
        add_terms_of(terms, operand);
    }
}

struct named_term {
    struct weiri_litmus_term term;
    char *name;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct named_term *)left)->name,
                  ((const struct named_term *)right)->name);
}

/* Sorts terms by the bytes of their names. */
static void sort_terms(const struct weiri_litmus *test, GArray *terms)
{
    struct named_term *named = g_new(struct named_term, terms->len);
    for (guint i = 0; i < terms->len; i++) {
        GString *name = g_string_new(NULL);
        named[i].term = g_array_index(terms, struct weiri_litmus_term, i);
        weiri_litmus_print_term(test, named[i].term, name);
        named[i].name = g_string_free(name, FALSE);
    }
    if (terms->len > 0) {
        qsort(named, terms->len, sizeof(*named), compare_names);
    }
    for (guint i = 0; i < terms->len; i++) {
        g_array_index(terms, struct weiri_litmus_term, i) = named[i].term;
        g_free(named[i].name);
    }
    g_free(named);
}

/* ---- The end of a test ----------------------------------------------------------- */

/* `locations [...]`, which may be missing. */
static bool parse_list(struct weiri_litmus_parser *parser, struct terms *terms)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_accept(lex, "locations")) {
        return true;
    }
    if (!weiri_litmus_expect(lex, "[", "and what to list")) {
        return false;
    }
    while (!weiri_litmus_at(lex, "]")) {
        struct weiri_litmus_term term;
        if (!parse_term(parser, &term)) {
            return false;
        }
        add_term(terms, term);
        if (!weiri_litmus_at(lex, "]")
            && !weiri_litmus_expect(lex, ";", "or ']' after it")) {
            return false;
        }
    }
    return weiri_litmus_lex_next(lex);
}

/* The quantifier and its proposition. Without them, the claim is one that always
 * holds. */
static bool parse_quantified(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus *test = parser->test;
    if (lex->token.kind == WEIRI_LITMUS_TOKEN_END) {
        test->quantifier = WEIRI_LITMUS_FORALL;
        test->condition = make(parser, WEIRI_LITMUS_TRUE, NULL);
        return true;
    }
    if (weiri_litmus_accept(lex, "forall")) {
        test->quantifier = WEIRI_LITMUS_FORALL;
    } else if (weiri_litmus_accept(lex, "~") || weiri_litmus_accept(lex, "not")) {
        test->quantifier = WEIRI_LITMUS_NOT_EXISTS;
        if (!weiri_litmus_expect(lex, "exists", "after the negation")) {
            return false;
        }
    } else {
        test->quantifier = WEIRI_LITMUS_EXISTS;
        if (!weiri_litmus_accept(lex, "exists") && !weiri_litmus_at(lex, "(")) {
            return weiri_litmus_unexpected(
                lex, "another thread, locations, filter, exists, ~exists or forall");
        }
    }
    test->condition = parse_any(parser);
    weiri_litmus_accept(lex, ";");
    return test->condition != NULL
        && (lex->token.kind == WEIRI_LITMUS_TOKEN_END
            || weiri_litmus_unexpected(lex, "the end of the file"));
}

bool weiri_litmus_parse_claim(struct weiri_litmus_parser *parser)
{
    struct weiri_litmus *test = parser->test;
    struct terms terms
        = { .seen = g_hash_table_new(g_direct_hash, g_direct_equal),
            .list = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_term)) };
    bool sound = parse_list(parser, &terms);
    GArray *listed = g_array_copy(terms.list);
    if (sound && weiri_litmus_accept(&parser->lex, "filter")) {
        test->filter = parse_any(parser);
        sound = test->filter != NULL;
    }
    sound = sound && parse_quantified(parser);
    if (sound) {
        test->n_listed = listed->len;
        test->listed = weiri_litmus_memory_keep(test->memory, listed);
        add_terms_of(&terms, test->condition);
        sort_terms(test, terms.list);
        test->n_observed = terms.list->len;
        test->observed = weiri_litmus_memory_keep(test->memory, terms.list);
    }
    g_array_unref(listed);
    g_array_unref(terms.list);
    g_hash_table_unref(terms.seen);
    return sound;
}
