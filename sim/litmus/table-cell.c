/* SPDX-License-Identifier: MIT
 *
 * table-cell.c: reads a cell of a table: labels and an instruction. An instruction is a
 * name of words, whose first ones are a mnemonic with a row in a table, and operands,
 * which follow from the shape of the row. */
#include "config.h"

#include "litmus/table.h"

#include <inttypes.h>
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
    struct weiri_litmus_token all = name->words[0];
    all.bytes = (size_t)(name->words[name->n - 1].text - all.text)
        + name->words[name->n - 1].bytes;
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
        if (weiri_litmus_accept(lex, ":")) {
            struct weiri_litmus_token last;
            if (!weiri_litmus_expect(lex, ":", "after ':'")) {
                return false;
            }
            last = lex->token;
            if (last.kind != WEIRI_LITMUS_TOKEN_NAME) {
                return weiri_litmus_unexpected(lex, "a word after '::'");
            }
            word.bytes = (size_t)(last.text - word.text) + last.bytes;
            weiri_litmus_lex_next(lex);
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

static bool read_operation(struct weiri_litmus_parser *parser,
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

/* Whether all needed parts are there. */
static bool has_parts(struct weiri_litmus_parser *parser,
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

/* ---- Operands -------------------------------------------------------------------- */

bool weiri_litmus_is_register(const struct weiri_litmus_token *token)
{
    if (token->kind != WEIRI_LITMUS_TOKEN_NAME || token->bytes < 2
        || token->text[0] != 'r') {
        return false;
    }
    for (size_t i = 1; i < token->bytes; i++) {
        if (!g_ascii_isdigit(token->text[i])) {
            return false;
        }
    }
    return true;
}

static bool read_register(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_thread_draft *thread, uint32_t *slot)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (!weiri_litmus_is_register(&lex->token)) {
        return weiri_litmus_unexpected(lex, "a register: r0");
    }
    weiri_litmus_register_of(parser, thread, &lex->token, slot)->value.type
        = WEIRI_LITMUS_LONG;
    return weiri_litmus_lex_next(lex);
}

/* A register or a number. */
static bool read_value(struct weiri_litmus_parser *parser,
                       struct weiri_litmus_thread_draft *thread,
                       struct weiri_litmus_operand *operand)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    *operand = (struct weiri_litmus_operand){ .slot = WEIRI_LITMUS_NO_SLOT };
    if (weiri_litmus_is_register(&lex->token)) {
        return read_register(parser, thread, &operand->slot);
    }
    if (lex->token.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex,
                                       "a register (r0) or a number: the name of a "
                                       "location is an address, not a value");
    }
    return weiri_litmus_parse_number(parser, &operand->value);
}

/* The name of a location, as the operand of an access. */
static bool read_location(struct weiri_litmus_parser *parser,
                          const struct weiri_litmus_operation *operation,
                          struct weiri_litmus_instruction *to)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (weiri_litmus_is_register(&lex->token)) {
        return weiri_litmus_unexpected(
            lex, "the name of a location: addresses in registers are not supported");
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NAME
        || weiri_litmus_thread_number(&lex->token) >= 0) {
        return weiri_litmus_unexpected(lex, "the name of a location");
    }
    to->traits.reference = weiri_litmus_name_of(parser, &lex->token);
    const struct weiri_litmus_alias_draft *name = &g_array_index(
        parser->aliases, struct weiri_litmus_alias_draft, to->traits.reference);
    uint8_t proxy
        = operation->form == WEIRI_LITMUS_ASYNC ? WEIRI_PROXY_ASYNC : operation->proxy;
    to->location = name->value.location;
    if (name->value.proxy != WEIRI_PROXY_GENERIC && name->value.proxy != proxy) {
        return weiri_litmus_refuse(lex, lex->token.place,
                                   "'%s' is a name for another proxy than that of '%s'",
                                   name->value.name, operation->row->name);
    }
    return weiri_litmus_lex_next(lex);
}

static bool comma(struct weiri_litmus_parser *parser)
{
    return weiri_litmus_expect(&parser->lex, ",", "and another operand");
}

/* `x, v`, or `x, expected, new`. */
static bool read_change(struct weiri_litmus_parser *parser,
                        struct weiri_litmus_thread_draft *thread,
                        const struct weiri_litmus_operation *operation,
                        struct weiri_litmus_instruction *to)
{
    bool compares = operation->function == WEIRI_LITMUS_CAS;
    struct weiri_litmus_token at;
    if (!read_location(parser, operation, to) || !comma(parser)) {
        return false;
    }
    at = parser->lex.token;
    if (!read_value(parser, thread, compares ? &to->b : &to->a)) {
        return false;
    }
    if (operation->function == WEIRI_LITMUS_DIVIDE
        && (to->a.slot != WEIRI_LITMUS_NO_SLOT || to->a.value == 0)) {
        return weiri_litmus_refuse(&parser->lex, at.place,
                                   "an atomic division is by a number other than 0");
    }
    return !compares || (comma(parser) && read_value(parser, thread, &to->a));
}

/* `instance[, number[, quorum]]`. */
static bool read_barrier(struct weiri_litmus_parser *parser,
                         struct weiri_litmus_thread_draft *thread,
                         const struct weiri_litmus_operation *operation,
                         struct weiri_litmus_instruction *to)
{
    static const char *const kinds[] = {
        [memory_scope_work_item] = "",     [memory_scope_sub_group] = "sub-group ",
        [memory_scope_work_group] = "",    [memory_scope_device] = "device ",
        [memory_scope_system] = "system ", [WEIRI_SCOPE_CLUSTER] = "cluster ",
    };
    struct weiri_litmus_lexer *lex = &parser->lex;
    bool takes_more = operation->row->meets != WEIRI_SCOPE_CLUSTER
        || parser->test->form == WEIRI_LITMUS_VULKAN;
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER) {
        return weiri_litmus_unexpected(lex, "the number of the barrier's instance");
    }
    g_autofree char *name
        = g_strdup_printf("%s%" PRIu64, kinds[operation->row->meets], lex->token.value);
    to->label = weiri_litmus_barrier_label(parser, name);
    weiri_litmus_lex_next(lex);
    if (!takes_more || !weiri_litmus_accept(lex, ",")) {
        return !lex->failed;
    }
    to->traits.flags |= WEIRI_TRAIT_NUMBERED;
    if (!read_value(parser, thread, &to->a)) {
        return false;
    }
    if (!weiri_litmus_accept(lex, ",")) {
        return !lex->failed;
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NUMBER || lex->token.value == 0
        || lex->token.value > INT32_MAX) {
        return weiri_litmus_unexpected(
            lex, "how many threads make the barrier complete: a number from 1");
    }
    to->b.value = (int64_t)lex->token.value;
    return weiri_litmus_lex_next(lex);
}

/* `a, b, LABEL`: a comparison and a branch. */
static bool read_branch(struct weiri_litmus_parser *parser,
                        struct weiri_litmus_thread_draft *thread,
                        const struct weiri_litmus_operation *operation,
                        struct weiri_litmus_instruction *to)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    if (operation->row->shape == WEIRI_LITMUS_SHAPE_BRANCH) {
        struct weiri_litmus_instruction compute = weiri_litmus_table_instruction(
            WEIRI_LITMUS_OP_COMPUTE, operation->name.place);
        compute.function = operation->row->function;
        compute.result = WEIRI_LITMUS_SCRATCH;
        if (!read_value(parser, thread, &compute.a) || !comma(parser)
            || !read_value(parser, thread, &compute.b) || !comma(parser)) {
            return false;
        }
        g_array_append_val(thread->code, compute);
        to->a.slot = WEIRI_LITMUS_SCRATCH;
        to->when = true;
    }
    if (lex->token.kind != WEIRI_LITMUS_TOKEN_NAME) {
        return weiri_litmus_unexpected(lex, "a label");
    }
    to->target = weiri_litmus_label_of(parser, thread, &lex->token);
    return weiri_litmus_lex_next(lex);
}

/* `r, x`; or `r, 1`, which becomes a move. */
static bool read_read(struct weiri_litmus_parser *parser,
                      struct weiri_litmus_thread_draft *thread,
                      const struct weiri_litmus_operation *operation,
                      struct weiri_litmus_instruction *to)
{
    if (!read_register(parser, thread, &to->result) || !comma(parser)) {
        return false;
    }
    if (parser->lex.token.kind == WEIRI_LITMUS_TOKEN_NAME) {
        return read_location(parser, operation, to);
    }
    to->op = WEIRI_LITMUS_OP_COMPUTE;
    to->function = WEIRI_LITMUS_FIRST;
    return read_value(parser, thread, &to->a);
}

static bool read_operands(struct weiri_litmus_parser *parser,
                          struct weiri_litmus_thread_draft *thread,
                          const struct weiri_litmus_operation *operation,
                          struct weiri_litmus_instruction *to)
{
    switch (operation->row->shape) {
    case WEIRI_LITMUS_SHAPE_READ:
        return read_read(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_WRITE:
    case WEIRI_LITMUS_SHAPE_REDUCE:
        return read_change(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_UPDATE:
        return read_register(parser, thread, &to->result) && comma(parser)
            && read_change(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_FENCE:
        return true;
    case WEIRI_LITMUS_SHAPE_BARRIER:
        return read_barrier(parser, thread, operation, to);
    case WEIRI_LITMUS_SHAPE_MOVE:
        return read_register(parser, thread, &to->result) && comma(parser)
            && read_value(parser, thread, &to->a);
    case WEIRI_LITMUS_SHAPE_COMPUTE:
        return read_register(parser, thread, &to->result) && comma(parser)
            && read_value(parser, thread, &to->a) && comma(parser)
            && read_value(parser, thread, &to->b);
    case WEIRI_LITMUS_SHAPE_BRANCH:
    case WEIRI_LITMUS_SHAPE_JUMP:
        return read_branch(parser, thread, operation, to);
    }
    g_assert_not_reached();
}

/* ---- Instructions ---------------------------------------------------------------- */

static const enum weiri_litmus_op ops[] = {
    [WEIRI_LITMUS_SHAPE_READ] = WEIRI_LITMUS_OP_READ,
    [WEIRI_LITMUS_SHAPE_WRITE] = WEIRI_LITMUS_OP_WRITE,
    [WEIRI_LITMUS_SHAPE_UPDATE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_REDUCE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_SHAPE_FENCE] = WEIRI_LITMUS_OP_FENCE,
    [WEIRI_LITMUS_SHAPE_BARRIER] = WEIRI_LITMUS_OP_BARRIER,
    [WEIRI_LITMUS_SHAPE_MOVE] = WEIRI_LITMUS_OP_COMPUTE,
    [WEIRI_LITMUS_SHAPE_COMPUTE] = WEIRI_LITMUS_OP_COMPUTE,
    [WEIRI_LITMUS_SHAPE_BRANCH] = WEIRI_LITMUS_OP_BRANCH,
    [WEIRI_LITMUS_SHAPE_JUMP] = WEIRI_LITMUS_OP_JUMP,
};

/* Begins the instruction that the name states. */
static struct weiri_litmus_instruction begin(
    const struct weiri_litmus_operation *operation)
{
    const struct weiri_litmus_mnemonic *row = operation->row;
    struct weiri_litmus_instruction made
        = weiri_litmus_table_instruction(ops[row->shape], operation->name.place);
    made.function = row->function;
    if (made.op == WEIRI_LITMUS_OP_UPDATE) {
        bool has_function = operation->function != UNSTATED
            && operation->function != WEIRI_LITMUS_CAS;
        made.function = has_function ? (enum weiri_litmus_function)operation->function
                                     : WEIRI_LITMUS_EXCHANGE;
    }
    if (made.op < WEIRI_LITMUS_OP_COMPUTE) {
        made.traits.flags = WEIRI_TRAIT_STATED | row->flags;
        made.traits.meets = row->meets;
        made.spaces = made.op >= WEIRI_LITMUS_OP_FENCE ? WEIR_LOCAL | WEIR_GLOBAL : 0;
    }
    return made;
}

/* Vulkan's compare-exchange does not write on failure. */
static void make_compare(const struct weiri_litmus_operation *operation,
                         struct weiri_litmus_instruction *to)
{
    if (operation->function == WEIRI_LITMUS_CAS && !to->compares) {
        to->op = WEIRI_LITMUS_OP_COMPARE;
        to->old = to->result;
        to->result = WEIRI_LITMUS_SCRATCH;
    }
}

static bool parse_instruction(struct weiri_litmus_parser *parser,
                              struct weiri_litmus_thread_draft *thread)
{
    struct weiri_litmus_operation operation;
    if (!read_operation(parser, &operation)) {
        return false;
    }
    if (operation.row->shape == WEIRI_LITMUS_SHAPE_REDUCE
        && (operation.function == WEIRI_LITMUS_EXCHANGE
            || operation.function == WEIRI_LITMUS_CAS)) {
        return weiri_litmus_refuse(&parser->lex, operation.name.place,
                                   "'%s' has no exchange: 'atom' has",
                                   operation.row->name);
    }
    struct weiri_litmus_instruction made = begin(&operation);
    if (!read_operands(parser, thread, &operation, &made)) {
        return false;
    }
    if (made.op < WEIRI_LITMUS_OP_COMPUTE) {
        if (!has_parts(parser, &operation)
            || !weiri_litmus_dialect(parser)->complete(parser, &operation, &made)) {
            return false;
        }
        make_compare(&operation, &made);
    }
    g_array_append_val(thread->code, made);
    return true;
}

/* ---- Cells ----------------------------------------------------------------------- */

/* Keeps the text from @start to the next token, with single blanks. */
static void keep_line(struct weiri_litmus_parser *parser,
                      struct weiri_litmus_thread_draft *thread,
                      const struct weiri_litmus_token *start)
{
    struct weiri_litmus_lexer lex = parser->lex;
    g_autoptr(GString) text = g_string_new(NULL);
    bool was_word = false;
    lex.at = start->text;
    lex.end = parser->lex.token.text;
    lex.error = NULL;
    while (weiri_litmus_lex_next(&lex) && lex.token.kind != WEIRI_LITMUS_TOKEN_END) {
        bool is_mark = lex.token.kind == WEIRI_LITMUS_TOKEN_MARK;
        bool is_word
            = !is_mark || weiri_litmus_at(&lex, "-") || weiri_litmus_at(&lex, "+");
        g_string_append(text, was_word && is_word ? " " : "");
        g_string_append_len(text, lex.token.text, (gssize)lex.token.bytes);
        g_string_append(text, weiri_litmus_at(&lex, ",") ? " " : "");
        was_word = !is_mark;
    }
    const struct weiri_litmus_token whole
        = { .kind = WEIRI_LITMUS_TOKEN_NAME, .text = text->str, .bytes = text->len };
    const struct weiri_litmus_line line
        = { weiri_litmus_intern(parser, &whole), start->place };
    g_array_append_val(thread->lines, line);
}

/* Whether the next tokens are `LC00:`. */
static bool at_label(const struct weiri_litmus_lexer *lex)
{
    struct weiri_litmus_token next = weiri_litmus_lex_peek(lex);
    return lex->token.kind == WEIRI_LITMUS_TOKEN_NAME
        && weiri_litmus_token_is(&next, ":");
}

static bool at_end(const struct weiri_litmus_lexer *lex)
{
    return weiri_litmus_at(lex, "|") || weiri_litmus_at(lex, "||")
        || weiri_litmus_at(lex, ";");
}

bool weiri_litmus_parse_cell(struct weiri_litmus_parser *parser,
                             struct weiri_litmus_thread_draft *thread)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    while (!at_end(lex) && at_label(lex)) {
        struct weiri_litmus_token name = lex->token;
        if (!weiri_litmus_put_label(parser, thread, &name)) {
            return false;
        }
        weiri_litmus_lex_next(lex);
        weiri_litmus_lex_next(lex);
        keep_line(parser, thread, &name);
    }
    if (at_end(lex)) {
        return !lex->failed;
    }
    struct weiri_litmus_token start = lex->token;
    if (!parse_instruction(parser, thread) || lex->failed) {
        return false;
    }
    keep_line(parser, thread, &start);
    return at_end(lex)
        || weiri_litmus_unexpected(lex, "'|' or ';' after the instruction");
}
