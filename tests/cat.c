/* SPDX-License-Identifier: MIT
 *
 * cat.c: see cat.h. A model is a list of tokens, and each judgement reads them from the
 * first to the last: expressions are evaluated as they are read. A call of a function
 * binds its parameters, and reads the function's body. */
#include "cat.h"

#include <glib.h>
#include <string.h>

enum { NO_SYMBOL = -1, MOST_PARAMETERS = 4 };

/* @mark: a character of its own, `1` for `^-1`, `a` for a name, `k` for a keyword, `e`
 * at the end. @symbol: of a name or keyword: its number */
struct token {
    char mark;
    int symbol;
    unsigned line;
};

struct cat {
    GArray *tokens;            /* of struct token */
    GPtrArray *names;          /* by symbol; owned */
    struct cat_value *base;    /* by symbol; owned, as are */
    struct cat_value *defined; /* those of the judgement */
    unsigned n, at;
    char *error; /* owned */
    struct cat_answer answer;
};

/* ---- Tokens ---------------------------------------------------------------------- */

static int symbol_of(const struct cat *cat, const char *name)
{
    for (guint i = 0; i < cat->names->len; i++) {
        if (strcmp(cat->names->pdata[i], name) == 0) {
            return (int)i;
        }
    }
    return NO_SYMBOL;
}

static bool is_of_name(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
}

/* Returns: the end of the space and the comments at @at */
static const char *skip(const char *at, unsigned *line)
{
    for (;;) {
        const char *end = NULL;
        if (g_str_has_prefix(at, "(*")) {
            end = strstr(at, "*)");
            end = end == NULL ? at + strlen(at) : end + 2;
        } else if (g_str_has_prefix(at, "//")) {
            end = at + strcspn(at, "\n");
        } else if (g_ascii_isspace(*at)) {
            end = at + 1;
        } else {
            return at;
        }
        for (; at < end; at++) {
            *line += *at == '\n';
        }
    }
}

static void add_name(struct cat *cat, struct token *token, const char *name, size_t n)
{
    static const char *const keywords[]
        = { "let", "acyclic", "irreflexive", "empty", "flag", "as", NULL };
    g_autofree char *copy = g_strndup(name, n);
    token->mark = g_strv_contains(keywords, copy) ? 'k' : 'a';
    token->symbol = symbol_of(cat, copy);
    if (token->symbol == NO_SYMBOL) {
        token->symbol = (int)cat->names->len;
        g_ptr_array_add(cat->names, g_steal_pointer(&copy));
    }
}

struct cat *cat_read(const char *text)
{
    struct cat *cat = g_new0(struct cat, 1);
    cat->tokens = g_array_new(FALSE, FALSE, sizeof(struct token));
    cat->names = g_ptr_array_new_with_free_func(g_free);
    unsigned line = 1;
    for (const char *at = skip(text, &line); *at != '\0'; at = skip(at, &line)) {
        struct token token = { .mark = *at, .symbol = NO_SYMBOL, .line = line };
        size_t n = 1;
        if (g_str_has_prefix(at, "^-1")) {
            token.mark = '1';
            n = 3;
        } else if (is_of_name(*at)) {
            for (n = 0; is_of_name(at[n]); n++) {}
            add_name(cat, &token, at, n);
        }
        g_array_append_val(cat->tokens, token);
        at += n;
    }
    struct token end = { .mark = 'e', .symbol = NO_SYMBOL, .line = line };
    g_array_append_val(cat->tokens, end);
    cat->base = g_new0(struct cat_value, cat->names->len);
    cat->defined = g_new0(struct cat_value, cat->names->len);
    return cat;
}

void cat_free(struct cat *cat)
{
    g_array_unref(cat->tokens);
    g_ptr_array_unref(cat->names);
    g_free(cat->base);
    g_free(cat->defined);
    g_free(cat->error);
    g_free(cat);
}

static const struct token *here(const struct cat *cat)
{
    return &g_array_index(cat->tokens, struct token, cat->at);
}

static const char *word_here(const struct cat *cat)
{
    const struct token *token = here(cat);
    return token->symbol == NO_SYMBOL ? "" : cat->names->pdata[token->symbol];
}

/* Nothing is read after an error. */
static void refuse(struct cat *cat, const char *why)
{
    if (cat->error == NULL) {
        cat->error = g_strdup_printf("line %u: %s", here(cat)->line, why);
    }
    cat->at = cat->tokens->len - 1;
}

static bool take(struct cat *cat, char mark)
{
    bool is = here(cat)->mark == mark;
    cat->at += is;
    return is;
}

static bool take_word(struct cat *cat, const char *word)
{
    bool is = strcmp(word_here(cat), word) == 0;
    cat->at += is;
    return is;
}

static void expect(struct cat *cat, char mark)
{
    if (!take(cat, mark)) {
        g_autofree char *why = g_strdup_printf("expected `%c`", mark);
        refuse(cat, why);
    }
}

static int expect_name(struct cat *cat)
{
    int symbol = here(cat)->symbol;
    if (!take(cat, 'a')) {
        refuse(cat, "expected a name");
        return 0;
    }
    return symbol;
}

/* ---- Expressions ----------------------------------------------------------------- */

static struct cat_value expression(struct cat *cat);

static struct relation relation_of(struct cat *cat, const struct cat_value *value)
{
    if (value->kind != CAT_RELATION) {
        refuse(cat, "expected a relation");
        return empty(cat->n);
    }
    return value->relation;
}

static struct cat_value of_relation(struct relation relation)
{
    struct cat_value value = { .kind = CAT_RELATION, .relation = relation };
    return value;
}

static brute_set set_of(struct cat *cat, const struct cat_value *value)
{
    if (value->kind != CAT_SET) {
        refuse(cat, "expected a set");
        return 0;
    }
    return value->set;
}

/* The cursor is after the name of the function. */
static struct cat_value call(struct cat *cat, int function)
{
    struct cat_value arguments[MOST_PARAMETERS], hidden[MOST_PARAMETERS];
    int parameters[MOST_PARAMETERS];
    unsigned n = 0;
    expect(cat, '(');
    do {
        arguments[n++] = expression(cat);
    } while (n < MOST_PARAMETERS && take(cat, ','));
    expect(cat, ')');
    unsigned back = cat->at, body = cat->defined[function].body;
    cat->at = cat->error == NULL ? body : back;
    for (unsigned i = 0; i < n; i++) {
        parameters[i] = expect_name(cat);
        hidden[i] = cat->defined[parameters[i]];
        cat->defined[parameters[i]] = arguments[i];
        expect(cat, i + 1 < n ? ',' : ')');
    }
    expect(cat, '=');
    struct cat_value value = expression(cat);
    for (unsigned i = n; i-- > 0;) {
        cat->defined[parameters[i]] = hidden[i];
    }
    cat->at = cat->error == NULL ? back : cat->at;
    return value;
}

static struct cat_value primary(struct cat *cat)
{
    if (take(cat, '(')) {
        struct cat_value value = expression(cat);
        expect(cat, ')');
        return value;
    }
    if (take(cat, '[')) {
        struct cat_value value = expression(cat);
        expect(cat, ']');
        return of_relation(identity(cat->n, set_of(cat, &value)));
    }
    int symbol = expect_name(cat);
    const struct cat_value *found = &cat->defined[symbol];
    if (cat->error == NULL && found->kind == CAT_NOTHING) {
        g_autofree char *why
            = g_strdup_printf("unknown name `%s`", (char *)cat->names->pdata[symbol]);
        refuse(cat, why);
    }
    return found->kind == CAT_FUNCTION ? call(cat, symbol) : *found;
}

/* A star is after its operand, if no other operand follows. */
static bool take_star(struct cat *cat)
{
    unsigned start = cat->at;
    if (take(cat, '*') && strchr("a([", here(cat)->mark) == NULL) {
        return true;
    }
    cat->at = start;
    return false;
}

static struct cat_value postfix(struct cat *cat)
{
    struct cat_value value = primary(cat);
    for (;;) {
        if (take(cat, '?')) {
            value.relation = maybe(relation_of(cat, &value));
        } else if (take(cat, '+')) {
            value.relation = steps(relation_of(cat, &value));
        } else if (take(cat, '1')) {
            value.relation = inverse(relation_of(cat, &value));
        } else if (take_star(cat)) {
            value.relation = maybe(steps(relation_of(cat, &value)));
        } else {
            return value;
        }
    }
}

static struct cat_value combine(struct cat *cat, char op, const struct cat_value *a,
                                const struct cat_value *b)
{
    struct cat_value value = { .kind = op == '*' ? CAT_RELATION : a->kind };
    if (op == '*') {
        value.relation = product(cat->n, set_of(cat, a), set_of(cat, b));
    } else if (op == ';') {
        value.relation = then(relation_of(cat, a), relation_of(cat, b));
    } else if (a->kind == CAT_SET) {
        brute_set other = set_of(cat, b);
        value.set = op == '|' ? a->set | other
            : op == '&'       ? a->set & other
                              : a->set & ~other;
    } else {
        struct relation one = relation_of(cat, a), other = relation_of(cat, b);
        value.relation = op == '|' ? either(one, other)
            : op == '&'            ? both(one, other)
                                   : without(one, other);
    }
    return value;
}

/* Operands of one operator. */
static struct cat_value chain(struct cat *cat)
{
    struct cat_value value = postfix(cat);
    char op = here(cat)->mark;
    while (strchr(";&\\*", op) != NULL && take(cat, op)) {
        struct cat_value other = postfix(cat);
        value = combine(cat, op, &value, &other);
        char next = here(cat)->mark;
        if (strchr(";&\\*", next) != NULL && (next != op || op == '\\' || op == '*')) {
            refuse(cat, "expected parentheses between two operators");
        }
    }
    return value;
}

static struct cat_value expression(struct cat *cat)
{
    struct cat_value value = chain(cat);
    while (take(cat, '|')) {
        struct cat_value other = chain(cat);
        value = combine(cat, '|', &value, &other);
    }
    return value;
}

/* ---- Statements ------------------------------------------------------------------ */

/* A function's body is read as an expression when it is called, here to its end: the
 * next statement. */
static void let_function(struct cat *cat, int symbol)
{
    cat->defined[symbol] = (struct cat_value){ .kind = CAT_FUNCTION, .body = cat->at };
    while (strchr("ke", here(cat)->mark) == NULL) {
        cat->at++;
    }
}

static void let(struct cat *cat)
{
    int symbol = expect_name(cat);
    if (take(cat, '(')) {
        let_function(cat, symbol);
        return;
    }
    expect(cat, '=');
    cat->defined[symbol] = expression(cat);
}

static bool check(struct cat *cat)
{
    bool is_acyclic = take_word(cat, "acyclic");
    bool is_irreflexive = !is_acyclic && take_word(cat, "irreflexive");
    if (!is_acyclic && !is_irreflexive && !take_word(cat, "empty")) {
        refuse(cat, "expected a definition or an axiom");
    }
    struct cat_value value = expression(cat);
    struct relation relation = relation_of(cat, &value);
    return is_acyclic    ? acyclic(relation)
        : is_irreflexive ? irreflexive(relation)
                         : is_empty(relation);
}

static void axiom(struct cat *cat)
{
    bool is_flag = take_word(cat, "flag");
    if (is_flag) {
        expect(cat, '~');
    }
    bool holds = check(cat);
    const char *name = "an axiom without a name";
    if (take_word(cat, "as")) {
        name = cat->names->pdata[expect_name(cat)];
    }
    struct cat_answer *answer = &cat->answer;
    answer->flagged = answer->flagged || (is_flag && !holds);
    if (!is_flag && !holds && answer->n_violated < CAT_AXIOMS) {
        answer->violated[answer->n_violated++] = name;
    }
}

struct cat_answer cat_judge(struct cat *cat, unsigned n)
{
    memcpy(cat->defined, cat->base, cat->names->len * sizeof(*cat->base));
    cat->n = n;
    g_clear_pointer(&cat->error, g_free);
    cat->answer = (struct cat_answer){ .n_violated = 0 };
    cat->at = 0;
    (void)expect_name(cat); /* of the model */
    while (here(cat)->mark != 'e') {
        if (take_word(cat, "let")) {
            let(cat);
        } else {
            axiom(cat);
        }
    }
    cat->answer.error = cat->error;
    return cat->answer;
}

/* ---- Names ----------------------------------------------------------------------- */

void cat_set(struct cat *cat, const char *name, brute_set set)
{
    int symbol = symbol_of(cat, name);
    if (symbol != NO_SYMBOL) {
        cat->base[symbol] = (struct cat_value){ .kind = CAT_SET, .set = set };
    }
}

void cat_relation(struct cat *cat, const char *name, const struct relation *relation)
{
    int symbol = symbol_of(cat, name);
    if (symbol != NO_SYMBOL) {
        cat->base[symbol] = of_relation(*relation);
    }
}

const struct relation *cat_defined(const struct cat *cat, const char *name)
{
    int symbol = symbol_of(cat, name);
    return symbol != NO_SYMBOL && cat->defined[symbol].kind == CAT_RELATION
        ? &cat->defined[symbol].relation
        : NULL;
}
