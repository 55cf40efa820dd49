/* SPDX-License-Identifier: MIT
 *
 * table-name.c: reads the name of an instruction of a table, `st.atom.rel.dv.sc0`:
 * words with dots between them. The first ones are a mnemonic with a row in a table,
 * and each of the others belongs to a part of the row. */
#include "config.h"

#include "litmus/table.h"

#include <string.h>

#define UNSTATED WEIRI_LITMUS_UNSTATED

/* Instructions of both forms. */
#define LOCAL(name, shape, function)                                                   \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_##shape, 0, 0, 0, 0, 0, 0, 0, 0,                      \
            WEIRI_LITMUS_##function                                                    \
    }

static const struct weiri_litmus_mnemonic common[] = {
    LOCAL("mov", MOVE, FIRST),       LOCAL("add", COMPUTE, ADD),
    LOCAL("sub", COMPUTE, SUBTRACT), LOCAL("mul", COMPUTE, MULTIPLY),
    LOCAL("div", COMPUTE, DIVIDE),   LOCAL("and", COMPUTE, AND),
    LOCAL("or", COMPUTE, OR),        LOCAL("xor", COMPUTE, XOR),
    LOCAL("beq", BRANCH, EQUAL),     LOCAL("bne", BRANCH, UNEQUAL),
    LOCAL("blt", BRANCH, LESS),      LOCAL("bgt", BRANCH, GREATER),
    LOCAL("ble", BRANCH, AT_MOST),   LOCAL("bge", BRANCH, AT_LEAST),
    LOCAL("goto", JUMP, FIRST),      { 0 },
};

static const struct weiri_litmus_word functions[] = {
    { "add", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_ADD },
    { "sub", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_SUBTRACT },
    { "mul", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_MULTIPLY },
    { "div", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_DIVIDE },
    { "and", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_AND },
    { "or", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_OR },
    { "xor", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_XOR },
    { "min", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_MIN },
    { "max", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_MAX },
    { "exch", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_EXCHANGE },
    { "cas", WEIRI_LITMUS_PART_FUNCTION, WEIRI_LITMUS_CAS },
    { 0 },
};

/* Words of a name; no instruction has as many. */
enum { MOST_WORDS = 16 };

struct name {
    struct weiri_litmus_token words[MOST_WORDS];
    size_t n;
};

const struct weiri_litmus_dialect *weiri_litmus_dialect(
    const struct weiri_litmus_parser *parser)
{
    return parser->test->form == WEIRI_LITMUS_PTX ? &weiri_litmus_ptx
                                                  : &weiri_litmus_vulkan;
}

/* ---- Words ----------------------------------------------------------------------- */

/* How many words the text, `bar.cta.sync`, has, if the name begins with them; or 0. */
static size_t begins(const struct name *name, size_t from, const char *text)
{
    for (size_t n = 0; from + n < name->n; n++) {
        const struct weiri_litmus_token *word = &name->words[from + n];
        if (strncmp(text, word->text, word->bytes) != 0) {
            return 0;
        }
        text += word->bytes;
        if (*text == '\0') {
            return n + 1;
        }
        if (*text++ != '.') {
            return 0;
        }
    }
    return 0;
}

/* The row whose mnemonic has the most words, and how many. */
static const struct weiri_litmus_mnemonic *find_row(
    const struct weiri_litmus_mnemonic *rows, const struct name *name, size_t *n)
{
    const struct weiri_litmus_mnemonic *found = NULL;
    for (; rows->name != NULL; rows++) {
        size_t words = begins(name, 0, rows->name);
        if (words > *n) {
            *n = words;
            found = rows;
        }
    }
    return found;
}

/* The word at @from with one of the @parts. */
static const struct weiri_litmus_word *find_word(const struct weiri_litmus_word *words,
                                                 const struct name *name, size_t from,
                                                 unsigned parts)
{
    for (; words->text != NULL; words++) {
        if ((parts >> words->part & 1) != 0
            && weiri_litmus_token_is(&name->words[from], words->text)) {
            return words;
        }
    }
    return NULL;
}

/* ---- Refusing a name ------------------------------------------------------------- */

/* How many characters are to be inserted, deleted or replaced. */
static size_t distance(const char *a, size_t a_bytes, const char *b)
{
    enum { MOST = 32 };
    size_t row[MOST + 1], n = strlen(b);
    if (n > MOST || a_bytes > MOST) {
        return MOST;
    }
    for (size_t k = 0; k <= n; k++) {
        row[k] = k;
    }
    for (size_t i = 1; i <= a_bytes; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= n; k++) {
            size_t replaced = corner + (a[i - 1] != b[k - 1]);
            corner = row[k];
            row[k] = MIN(replaced, MIN(row[k], row[k - 1]) + 1);
        }
    }
    return row[n];
}

/* The nearest of two texts. */
static const char *nearer(const struct weiri_litmus_token *to, const char *one,
                          const char *other)
{
    return one == NULL
            || distance(to->text, to->bytes, other) < distance(to->text, to->bytes, one)
        ? other
        : one;
}

/* Refuses the name if its words from @from on have a row. Returns: whether it did */
static bool refuse_known(struct weiri_litmus_parser *parser, const struct name *name,
                         size_t from)
{
    const struct weiri_litmus_refusal *row = weiri_litmus_dialect(parser)->refusals;
    while (row->text != NULL && begins(name, from, row->text) == 0) {
        row++;
    }
    if (row->text != NULL) {
        weiri_litmus_refuse(&parser->lex, name->words[from].place, "found '%s': %s",
                            row->text, row->why);
    }
    return row->text != NULL;
}

static bool refuse_mnemonic(struct weiri_litmus_parser *parser, const struct name *name)
{
    const struct weiri_litmus_dialect *dialect = weiri_litmus_dialect(parser);
    const struct weiri_litmus_mnemonic *tables[] = { dialect->mnemonics, common };
    const char *near = NULL;
    if (refuse_known(parser, name, 0)) {
        return false;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < name->n; i++) {
        g_string_append(text, i > 0 ? "." : "");
        g_string_append_len(text, name->words[i].text, (gssize)name->words[i].bytes);
    }
    struct weiri_litmus_token all = name->words[0];
    all.text = text->str;
    all.bytes = text->len;
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        for (const struct weiri_litmus_mnemonic *row = tables[i]; row->name != NULL;
             row++) {
            bool is_long = strchr(row->name, '.') != NULL;
            near = nearer(is_long ? &all : &name->words[0], near, row->name);
        }
    }
    g_autofree char *quoted = weiri_litmus_quote(&all);
    return weiri_litmus_refuse(&parser->lex, all.place,
                               "unknown instruction %s of %s: did you mean '%s'?",
                               quoted, dialect->name, near);
}

/* The words that the row allows at that place and later, for a message. */
static char *allowed_words(const struct weiri_litmus_dialect *dialect,
                           const struct weiri_litmus_mnemonic *row)
{
    const struct weiri_litmus_word *tables[] = { dialect->words, functions };
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        for (const struct weiri_litmus_word *word = tables[i]; word->text != NULL;
             word++) {
            bool ordered = word->part != WEIRI_LITMUS_PART_ORDER
                || (row->orders >> word->value & 1) != 0;
            if ((row->parts >> word->part & 1) != 0 && ordered) {
                g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                       word->text);
            }
        }
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool refuse_word(struct weiri_litmus_parser *parser, const struct name *name,
                        size_t at, const struct weiri_litmus_mnemonic *row)
{
    if (refuse_known(parser, name, at)) {
        return false;
    }
    g_autofree char *quoted = weiri_litmus_quote(&name->words[at]);
    g_autofree char *allowed = allowed_words(weiri_litmus_dialect(parser), row);
    return weiri_litmus_refuse(&parser->lex, name->words[at].place,
                               "%s cannot be a part of '%s'%s%s", quoted, row->name,
                               *allowed != '\0' ? ": its parts are, in this order, "
                                                : ", which stands alone",
                               allowed);
}

/* ---- Names ----------------------------------------------------------------------- */

/* Adds the rest of `shared::cta`, without blanks, to its first part. */
static bool read_rest(struct weiri_litmus_lexer *lex, struct weiri_litmus_token *word)
{
    const char *end = word->text + word->bytes;
    if (!weiri_litmus_expect(lex, ":", "after the word")
        || !weiri_litmus_expect(lex, ":", "after ':'")) {
        return false;
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NAME
        || lex->token.text != end + strlen("::")) {
        return weiri_litmus_unexpected(lex, "a word directly after '::'");
    }
    word->bytes += strlen("::") + lex->token.bytes;
    return weiri_litmus_lex_next(lex);
}

/* Reads words with dots between them; `shared::cta` is one. */
static bool read_words(struct weiri_litmus_parser *parser, struct name *name)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    do {
        struct weiri_litmus_token word = lex->token;
        if (word.kind != WEIRI_LITMUS_TOKEN_NAME) {
            return weiri_litmus_unexpected(
                lex, name->n == 0 ? "an instruction" : "a word after the dot");
        }
        if (name->n == MOST_WORDS) {
            return weiri_litmus_refuse(
                lex, word.place, "an instruction has at most %d words", MOST_WORDS);
        }
        weiri_litmus_lex_next(lex);
        if (weiri_litmus_at(lex, ":") && !read_rest(lex, &word)) {
            return false;
        }
        name->words[name->n++] = word;
        if (name->n == 1 && refuse_known(parser, name, 0)) {
            return false;
        }
    } while (weiri_litmus_accept(lex, "."));
    return !lex->failed;
}

/* Takes a word into the operation. */
static void apply_word(struct weiri_litmus_operation *operation,
                       const struct weiri_litmus_word *word)
{
    switch (word->part) {
    case WEIRI_LITMUS_PART_FORM:
        operation->form = (enum weiri_litmus_form_word)word->value;
        break;
    case WEIRI_LITMUS_PART_ORDER:
        operation->order = word->value;
        break;
    case WEIRI_LITMUS_PART_SCOPE:
        operation->scope = word->value;
        break;
    case WEIRI_LITMUS_PART_STORAGE:
        operation->storage = 1u << word->value;
        break;
    case WEIRI_LITMUS_PART_SEMANTICS:
        operation->semantics |= 1u << word->value;
        break;
    case WEIRI_LITMUS_PART_MAKES:
        operation->makes |= (unsigned)word->value;
        break;
    case WEIRI_LITMUS_PART_PROXY:
        operation->proxy = (uint8_t)word->value;
        operation->has_proxy = true;
        break;
    case WEIRI_LITMUS_PART_FUNCTION:
        operation->function = word->value;
        break;
    default:
        break;
    }
}

/* Whether the part may be stated again, by another word. */
static bool repeats(const struct weiri_litmus_operation *operation,
                    const struct weiri_litmus_word *word)
{
    return (word->part == WEIRI_LITMUS_PART_SEMANTICS
            && (operation->semantics >> word->value & 1) == 0)
        || (word->part == WEIRI_LITMUS_PART_MAKES
            && (operation->makes & (unsigned)word->value) == 0);
}

/* Reads the parts after the mnemonic, which has @from words. */
static bool take_parts(struct weiri_litmus_parser *parser, const struct name *name,
                       size_t from, struct weiri_litmus_operation *operation)
{
    const struct weiri_litmus_mnemonic *row = operation->row;
    int last = -1; /* the part of the word before */
    for (size_t at = from; at < name->n; at++) {
        const struct weiri_litmus_word *word
            = find_word(weiri_litmus_dialect(parser)->words, name, at, row->parts);
        word = word != NULL ? word : find_word(functions, name, at, row->parts);
        bool ordered = word != NULL
            && (word->part != WEIRI_LITMUS_PART_ORDER
                || (row->orders >> word->value & 1) != 0);
        if (!ordered) {
            return refuse_word(parser, name, at, row);
        }
        if ((int)word->part < last
            || ((int)word->part == last && !repeats(operation, word))) {
            g_autofree char *allowed = allowed_words(weiri_litmus_dialect(parser), row);
            return weiri_litmus_refuse(&parser->lex, name->words[at].place,
                                       "'%s' cannot follow the words before it: the "
                                       "parts of '%s' are, in this order, %s",
                                       word->text, row->name, allowed);
        }
        last = (int)word->part;
        apply_word(operation, word);
    }
    return true;
}

static const struct weiri_litmus_mnemonic *row_of(struct weiri_litmus_parser *parser,
                                                  const struct name *name, size_t *n)
{
    const struct weiri_litmus_mnemonic *row
        = find_row(weiri_litmus_dialect(parser)->mnemonics, name, n);
    return row != NULL ? row : find_row(common, name, n);
}

bool weiri_litmus_read_operation(struct weiri_litmus_parser *parser,
                                 struct weiri_litmus_operation *operation)
{
    struct name name = { .n = 0 };
    size_t n = 0;
    if (!read_words(parser, &name)) {
        return false;
    }
    const struct weiri_litmus_mnemonic *row = row_of(parser, &name, &n);
    *operation = (struct weiri_litmus_operation){ .row = row,
                                                  .name = name.words[0],
                                                  .order = UNSTATED,
                                                  .scope = UNSTATED,
                                                  .function = UNSTATED };
    if (row == NULL || refuse_known(parser, &name, 0)) {
        return row == NULL && refuse_mnemonic(parser, &name);
    }
    operation->proxy = row->proxy;
    return take_parts(parser, &name, n, operation);
}

bool weiri_litmus_has_parts(struct weiri_litmus_parser *parser,
                            const struct weiri_litmus_operation *operation)
{
    static const struct {
        enum weiri_litmus_part part;
        const char *what;
    } parts[] = {
        { WEIRI_LITMUS_PART_ORDER, "the order" },
        { WEIRI_LITMUS_PART_SCOPE, "the scope" },
        { WEIRI_LITMUS_PART_STORAGE, "the storage class" },
        { WEIRI_LITMUS_PART_PROXY, "the proxy" },
        { WEIRI_LITMUS_PART_FUNCTION, "the function" },
    };
    const struct weiri_litmus_mnemonic *row = operation->row;
    const bool is_there[WEIRI_LITMUS_N_PARTS] = {
        [WEIRI_LITMUS_PART_ORDER] = operation->order != UNSTATED,
        [WEIRI_LITMUS_PART_SCOPE] = operation->scope != UNSTATED,
        [WEIRI_LITMUS_PART_STORAGE] = operation->storage != 0,
        [WEIRI_LITMUS_PART_FUNCTION] = operation->function != UNSTATED,
        [WEIRI_LITMUS_PART_PROXY] = operation->has_proxy,
    };
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if ((row->needs >> parts[i].part & 1) != 0 && !is_there[parts[i].part]) {
            g_autofree char *allowed = allowed_words(weiri_litmus_dialect(parser), row);
            return weiri_litmus_refuse(&parser->lex, operation->name.place,
                                       "%s is missing: the parts of '%s' are, in this "
                                       "order, %s",
                                       parts[i].what, row->name, allowed);
        }
    }
    return true;
}
