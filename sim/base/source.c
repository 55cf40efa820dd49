/* SPDX-License-Identifier: MIT
 *
 * source.c: a parser that knows brackets, keywords and semicolons. It has a stack of
 * open statements rather than recursion, as text can nest deeper than a stack allows.
 * Matched brackets inside a simple statement are jumped over, so that each token is
 * looked at a bounded number of times.
 *
 * Invariants: each turn of the main loop takes a token or ends a statement; each token
 * has one owner, the innermost statement that contains it; a parent's bytes contain the
 * bytes of its children.
 *
 * The file is long because the parser and the questions about its tree are one: lines
 * without a statement, calls and blanks are found in the array of tokens and in their
 * owners, which no other file has to know. */
#include "config.h"

#include "base/source.h"

#include "base/token-cpp.h"

#include <string.h>

/* Words that begin no call and that name no macro. */
static const char *const keywords[]
    = { "break",    "case",          "continue", "default", "do",     "else",
        "enum",     "for",           "goto",     "if",      "return", "sizeof",
        "struct",   "switch",        "union",    "while",   "typeof", "__typeof__",
        "_Atomic",  "__attribute__", "_Alignas", "alignas", "asm",    "__asm__",
        "_Alignof", "alignof",       "_Generic", "static",  "extern", "typedef" };

struct weiri_source {
    char *path, *text;
    size_t bytes;
    bool is_cpp, is_cuda;
    struct weiri_tokens tokens;
    GArray *statements; /* struct weiri_statement */
    uint32_t *owners;   /* of each token: its statement */
};

/* Any C++ file may be compiled as CUDA. */
static bool is_in_cuda(const struct weiri_source *source)
{
    static const char *const ends[] = { ".cu", ".cuh" };
    for (size_t i = 0; source->is_cpp && i < G_N_ELEMENTS(ends); i++) {
        if (g_str_has_suffix(source->path, ends[i])) {
            return true;
        }
    }
    return source->is_cpp && strstr(source->text, "__global__") != NULL;
}

/* How far an open statement is. */
enum phase { BEFORE_BODY, AFTER_BODY, AFTER_ELSE };

struct frame {
    uint32_t statement;
    uint32_t last_child;
    uint32_t close; /* of a block: the token of its brace, or their number; of a
                     * statement with lambdas: the token after it */
    enum phase phase;
    bool in_function;
    bool is_do;
};

struct parser {
    struct weiri_source *source;
    const struct weiri_token *tokens;
    uint32_t n, at;
    GArray *frames;
};

static const struct weiri_token *token_at(const struct weiri_source *source, uint32_t i)
{
    return &g_array_index(source->tokens.tokens, struct weiri_token, i);
}

static bool is_word(const struct weiri_source *source, uint32_t i, const char *word)
{
    const struct weiri_token *token = token_at(source, i);
    return token->kind == WEIRI_TOKEN_WORD && strlen(word) == token->end - token->begin
        && memcmp(source->text + token->begin, word, strlen(word)) == 0;
}

static bool is_any(const struct weiri_source *source, uint32_t i,
                   const char *const *words, size_t n)
{
    for (size_t w = 0; w < n; w++) {
        if (is_word(source, i, words[w])) {
            return true;
        }
    }
    return false;
}

static bool is_keyword(const struct weiri_source *source, uint32_t i)
{
    return is_any(source, i, keywords, G_N_ELEMENTS(keywords));
}

/* A word that can name a function. */
static bool is_name(const struct weiri_source *source, uint32_t i)
{
    return token_at(source, i)->kind == WEIRI_TOKEN_WORD && !is_keyword(source, i);
}

/* ---- Looking ahead --------------------------------------------------------------- */

static char kind_at(const struct parser *parser, uint32_t i)
{
    return i < parser->n ? parser->tokens[i].kind : '\0';
}

/* The token after a bracket and all that it holds; after any other token the next. */
static uint32_t skip(const struct parser *parser, uint32_t i)
{
    uint32_t pair = parser->tokens[i].pair;
    return pair == WEIRI_TOKEN_NONE || pair < i ? i + 1 : MIN(pair + 1, parser->n);
}

/* The token after `word (…)` at @i, or 0. */
static uint32_t after_parentheses(const struct parser *parser, uint32_t i)
{
    return kind_at(parser, i + 1) == '('
            && parser->tokens[i + 1].pair != WEIRI_TOKEN_NONE
        ? parser->tokens[i + 1].pair + 1
        : 0;
}

/* The token after the labels at @i. */
static uint32_t after_labels(const struct parser *parser, uint32_t i)
{
    for (;;) {
        uint32_t colon = i;
        if (kind_at(parser, i) != WEIRI_TOKEN_WORD) {
            return i;
        }
        if (is_word(parser->source, i, "case")) {
            uint32_t questions = 0;
            for (colon = i + 1; colon < parser->n; colon = skip(parser, colon)) {
                char c = kind_at(parser, colon);
                questions += c == '?';
                if ((c == ':' && questions-- == 0) || c == ';' || c == '{'
                    || c == '}') {
                    break;
                }
            }
        } else if (is_name(parser->source, i)
                   || is_word(parser->source, i, "default")) {
            colon = i + 1;
        }
        if (kind_at(parser, colon) != ':' || kind_at(parser, colon + 1) == ':') {
            return i;
        }
        i = colon + 1;
    }
}

/* Whether a name speaks of a loop: `weir_for_each_item`, `FOR_EACH`. */
static bool names_loop(const struct parser *parser, uint32_t i)
{
    const struct weiri_token *token = &parser->tokens[i];
    g_autofree char *name = g_ascii_strdown(parser->source->text + token->begin,
                                            (gssize)(token->end - token->begin));
    return strstr(name, "for") != NULL || strstr(name, "each") != NULL
        || strstr(name, "loop") != NULL || strstr(name, "while") != NULL;
}

/* Whether `name (…)` at @i is the head of the statement at @next, and not the begin of
 * an expression or, as g_autoptr(T) is, of a declaration. */
static bool is_macro_head(const struct parser *parser, uint32_t i, uint32_t next)
{
    static const char *const statements[] = { "break",  "continue", "do",
                                              "for",    "goto",     "if",
                                              "return", "switch",   "while" };
    char c = kind_at(parser, next);
    if (c == '{') {
        return true;
    }
    bool doubled = (c == '+' || c == '-') && kind_at(parser, next + 1) == c;
    if (c == '*' || c == '(' || doubled) {
        return names_loop(parser, i);
    }
    return c == WEIRI_TOKEN_WORD
        && (parser->tokens[next].line > parser->tokens[next - 1].last_line
            || is_any(parser->source, next, statements, G_N_ELEMENTS(statements))
            || names_loop(parser, i));
}

/* The first lambda from token @i to before @end: @brace is where its body begins.
 * Without a lambda it is the token @end. */
static uint32_t next_lambda(const struct parser *parser, uint32_t i, uint32_t end,
                            uint32_t *brace)
{
    for (; parser->source->is_cpp && i < end; i++) {
        *brace = kind_at(parser, i) == '['
            ? weiri_token_cpp_lambda(&parser->source->tokens, parser->source->text, i)
            : WEIRI_TOKEN_NONE;
        if (*brace != WEIRI_TOKEN_NONE && parser->tokens[*brace].pair < end) {
            return i;
        }
    }
    return end;
}

/* The token after `template <…>` at @i, or @i. */
static uint32_t after_template(const struct parser *parser, uint32_t i)
{
    uint32_t after = WEIRI_TOKEN_NONE;
    if (parser->source->is_cpp && is_word(parser->source, i, "template")
        && kind_at(parser, i + 1) == '<') {
        after = weiri_token_cpp_after_angles(&parser->source->tokens, i + 1);
    }
    return after == WEIRI_TOKEN_NONE ? i : after;
}

/* The result of scan(). */
struct scanned {
    enum weiri_statement_kind
        kind;     /* SIMPLE, FUNCTION, or BLOCK outside of functions or of a class */
    uint32_t end; /* the token after it; of others the brace */
};

/* Whether the parenthesis before token @i can be of a function's parameters. */
static bool ends_parameters(const struct parser *parser, uint32_t first, uint32_t i)
{
    uint32_t pair
        = i > first && kind_at(parser, i - 1) == ')' && !parser->source->is_cpp
        ? parser->tokens[i - 1].pair
        : WEIRI_TOKEN_NONE;
    return pair != WEIRI_TOKEN_NONE && pair > first + 1
        && is_name(parser->source, pair - 1)
        && !is_word(parser->source, first, "return");
}

/* The statement at @first that no keyword begins. Its braces belong to an initialiser
 * or a type, or else to a function. */
static struct scanned scan(const struct parser *parser, uint32_t first,
                           bool in_function)
{
    static const char *const tags[] = { "struct", "union", "enum", "class" };
    size_t n_tags = G_N_ELEMENTS(tags) - (parser->source->is_cpp ? 0 : 1);
    bool is_class = false;
    bool is_assigned = false, has_parentheses = false, after_attribute = false;
    uint32_t tag = 0; /* 1: after `struct`; 2: after the name */
    for (uint32_t i = after_template(parser, first); i < parser->n;
         i = skip(parser, i)) {
        char c = kind_at(parser, i);
        if (c == ';' || (c == '}' && i == first)) {
            return (struct scanned){ WEIRI_STATEMENT_SIMPLE, i + 1 };
        }
        if (c == '}') {
            return (struct scanned){ WEIRI_STATEMENT_SIMPLE, i };
        }
        if (c == WEIRI_TOKEN_WORD) {
            /* A macro without a semicolon, and a declaration on another line. */
            if (!in_function && i > first && is_name(parser->source, first)
                && i == after_parentheses(parser, first)
                && parser->tokens[i].line > parser->tokens[i - 1].last_line) {
                return (struct scanned){ WEIRI_STATEMENT_SIMPLE, i };
            }
            after_attribute = is_word(parser->source, i, "__attribute__");
            if (is_any(parser->source, i, tags, n_tags)) {
                tag = 1;
                is_class = parser->source->is_cpp && !has_parentheses;
            } else if (tag > 0 && !after_attribute) {
                tag = (tag + 1) % 3;
            }
        } else if (c == '{') {
            if (is_class && !is_assigned && !has_parentheses) {
                return (struct scanned){ WEIRI_STATEMENT_BLOCK, i };
            }
            if (!is_assigned && tag == 0) {
                if (in_function ? ends_parameters(parser, first, i) : has_parentheses) {
                    return (struct scanned){ WEIRI_STATEMENT_FUNCTION, i };
                }
                if (!in_function) {
                    return (struct scanned){ WEIRI_STATEMENT_BLOCK, i };
                }
            }
            tag = 0;
        } else if (c == '(') {
            tag = after_attribute ? tag : 0;
            has_parentheses = has_parentheses || !after_attribute;
        } else if (c == '*') {
            tag = 0;
        } else if (c == '=') {
            is_assigned = true;
        }
    }
    return (struct scanned){ WEIRI_STATEMENT_SIMPLE, parser->n };
}

/* ---- Opening and closing --------------------------------------------------------- */

static struct frame *top_frame(const struct parser *parser)
{
    return &g_array_index(parser->frames, struct frame, parser->frames->len - 1);
}

static struct weiri_statement *statement_of(const struct parser *parser, uint32_t i)
{
    return &g_array_index(parser->source->statements, struct weiri_statement, i);
}

/* The innermost open statement takes the tokens up to @end. */
static void take(struct parser *parser, uint32_t end)
{
    uint32_t owner = top_frame(parser)->statement;
    while (parser->at < end) {
        parser->source->owners[parser->at++] = owner;
    }
}

/* Opens a statement with labels from the token at hand to @start; its head ends before
 * token @head_end. */
static struct frame *open_statement(struct parser *parser,
                                    enum weiri_statement_kind kind, uint32_t start,
                                    uint32_t head_end)
{
    struct frame *parent = top_frame(parser);
    uint32_t i = parser->source->statements->len;
    const struct weiri_token *first = &parser->tokens[parser->at];
    struct weiri_statement statement
        = { .kind = kind,
            .parent = parent->statement,
            .first_child = WEIRI_STATEMENT_NONE,
            .next = WEIRI_STATEMENT_NONE,
            .begin = first->begin,
            .start = start < parser->n ? parser->tokens[start].begin : first->begin,
            .first_line = first->line,
            .is_else = parent->phase == AFTER_ELSE };
    statement.head_end
        = head_end > start ? parser->tokens[head_end - 1].end : statement.start;
    struct frame frame
        = { .statement = i,
            .last_child = WEIRI_STATEMENT_NONE,
            .in_function = parent->in_function || kind == WEIRI_STATEMENT_FUNCTION };
    if (parent->last_child == WEIRI_STATEMENT_NONE) {
        statement_of(parser, parent->statement)->first_child = i;
    } else {
        statement_of(parser, parent->last_child)->next = i;
    }
    parent->last_child = i;
    g_array_append_val(parser->source->statements, statement);
    g_array_append_val(parser->frames, frame);
    take(parser, head_end);
    return top_frame(parser);
}

static void close_statement(struct parser *parser)
{
    struct weiri_statement *statement
        = statement_of(parser, top_frame(parser)->statement);
    const struct weiri_token *last = &parser->tokens[parser->at - 1];
    statement->end = last->end;
    statement->last_line = last->last_line;
    g_array_set_size(parser->frames, parser->frames->len - 1);
}

static struct frame *open_block(struct parser *parser, uint32_t brace)
{
    struct frame *frame
        = open_statement(parser, WEIRI_STATEMENT_BLOCK, brace, brace + 1);
    /* A labelled brace, or the brace of `extern "C"`, is the last token of the head. */
    frame->close = parser->tokens[brace].pair;
    return frame;
}

/* The kind of the statement whose head is at @i and ends before *@end, or SIMPLE. */
static enum weiri_statement_kind head_at(const struct parser *parser, uint32_t i,
                                         uint32_t *end)
{
    static const struct {
        const char *word;
        enum weiri_statement_kind kind;
        bool has_parentheses;
    } heads[] = {
        { "if", WEIRI_STATEMENT_IF, true },
        { "for", WEIRI_STATEMENT_LOOP, true },
        { "while", WEIRI_STATEMENT_LOOP, true },
        { "switch", WEIRI_STATEMENT_SWITCH, true },
        { "do", WEIRI_STATEMENT_LOOP, false },
        { "else", WEIRI_STATEMENT_MACRO, false }, /* its `if` is not in the text */
    };
    bool is_constexpr = parser->source->is_cpp && is_word(parser->source, i, "if")
        && i + 1 < parser->n && is_word(parser->source, i + 1, "constexpr");
    uint32_t next = after_parentheses(parser, is_constexpr ? i + 1 : i);
    for (size_t h = 0; h < G_N_ELEMENTS(heads); h++) {
        if (is_word(parser->source, i, heads[h].word)
            && (next > 0 || !heads[h].has_parentheses)) {
            *end = heads[h].has_parentheses ? next : i + 1;
            return heads[h].kind;
        }
    }
    if (is_name(parser->source, i)) {
        *end = next > 0 ? next : i + 1;
        if (next > 0 ? is_macro_head(parser, i, next) : kind_at(parser, i + 1) == '{') {
            return WEIRI_STATEMENT_MACRO;
        }
    }
    return WEIRI_STATEMENT_SIMPLE;
}

/* Opens the statement at hand; one that is simple is closed as well. */
static void begin_statement(struct parser *parser)
{
    uint32_t first = parser->at, end = first;
    bool in_function = top_frame(parser)->in_function;
    uint32_t start = in_function ? after_labels(parser, first) : first;
    char c = kind_at(parser, start);
    if (start == parser->n || (c == '}' && start > first)) { /* labels alone */
        open_statement(parser, WEIRI_STATEMENT_SIMPLE, first, start);
        close_statement(parser);
        return;
    }
    if (c == '{') {
        open_block(parser, start);
        return;
    }
    enum weiri_statement_kind kind
        = in_function ? head_at(parser, start, &end) : WEIRI_STATEMENT_SIMPLE;
    if (kind != WEIRI_STATEMENT_SIMPLE) {
        struct frame *frame = open_statement(parser, kind, start, end);
        frame->is_do = is_word(parser->source, start, "do");
        return;
    }
    struct scanned scanned = scan(parser, start, in_function);
    if (scanned.kind == WEIRI_STATEMENT_BLOCK) {
        open_block(parser, scanned.end)->in_function = false;
        return;
    }
    uint32_t brace, lambda = next_lambda(parser, start, scanned.end, &brace);
    if (scanned.kind == WEIRI_STATEMENT_SIMPLE && lambda < scanned.end) {
        open_statement(parser, WEIRI_STATEMENT_LAMBDAS, start, lambda)->close
            = scanned.end;
        return;
    }
    open_statement(parser, scanned.kind, start, scanned.end);
    if (scanned.kind == WEIRI_STATEMENT_SIMPLE) {
        close_statement(parser);
    }
}

/* The body of the innermost statement, if there is one: a brace ends what is around. */
static void begin_body(struct parser *parser, enum phase phase)
{
    top_frame(parser)->phase = phase;
    if (parser->at < parser->n && kind_at(parser, parser->at) != '}') {
        begin_statement(parser);
    }
}

/* `while (…);` of a do. */
static void end_do(struct parser *parser)
{
    uint32_t end
        = parser->at < parser->n && is_word(parser->source, parser->at, "while")
        ? after_parentheses(parser, parser->at)
        : 0;
    if (end > 0) {
        take(parser, kind_at(parser, end) == ';' ? end + 1 : end);
    }
}

/* One turn: the innermost open statement goes on, or ends. */
static void turn(struct parser *parser)
{
    struct frame *frame = top_frame(parser);
    switch (statement_of(parser, frame->statement)->kind) {
    case WEIRI_STATEMENT_BLOCK:
        if (parser->at < frame->close) {
            begin_statement(parser);
            return;
        }
        take(parser, MIN(frame->close + 1, parser->n));
        break;
    case WEIRI_STATEMENT_LAMBDAS: {
        uint32_t end = frame->close, brace;
        uint32_t lambda = next_lambda(parser, parser->at, end, &brace);
        take(parser, lambda);
        if (lambda < end) {
            open_statement(parser, WEIRI_STATEMENT_FUNCTION, lambda, brace);
            return;
        }
        break;
    }
    case WEIRI_STATEMENT_IF:
        if (frame->phase == AFTER_BODY && parser->at < parser->n
            && is_word(parser->source, parser->at, "else")) {
            take(parser, parser->at + 1);
            begin_body(parser, AFTER_ELSE);
            return;
        }
        /* fall through */
    default:
        if (frame->phase == BEFORE_BODY) {
            begin_body(parser, AFTER_BODY);
            return;
        }
        if (frame->is_do) {
            end_do(parser);
        }
    }
    close_statement(parser);
}

static void parse(struct weiri_source *source)
{
    GArray *tokens = source->tokens.tokens;
    struct parser parser
        = { .source = source,
            .tokens = (const void *)tokens->data,
            .n = tokens->len,
            .frames = g_array_new(FALSE, FALSE, sizeof(struct frame)) };
    struct weiri_statement file = { .kind = WEIRI_STATEMENT_FILE,
                                    .parent = WEIRI_STATEMENT_NONE,
                                    .first_child = WEIRI_STATEMENT_NONE,
                                    .next = WEIRI_STATEMENT_NONE,
                                    .end = source->bytes,
                                    .first_line = 1,
                                    .last_line = source->tokens.line_begins->len };
    struct frame frame = { .last_child = WEIRI_STATEMENT_NONE };
    g_array_append_val(source->statements, file);
    g_array_append_val(parser.frames, frame);
    while (parser.frames->len > 1 || parser.at < parser.n) {
        if (parser.frames->len > 1) {
            turn(&parser);
        } else {
            begin_statement(&parser);
        }
    }
    g_array_unref(parser.frames);
}

/* ---- The tree -------------------------------------------------------------------- */

struct weiri_source *weiri_source_new(const char *path, const char *text, size_t bytes)
{
    struct weiri_source *source = g_new0(struct weiri_source, 1);
    source->path = g_strdup(path);
    source->text = g_malloc(bytes + 1);
    source->bytes = bytes;
    if (bytes > 0) {
        memcpy(source->text, text, bytes);
    }
    source->text[bytes] = '\0';
    source->is_cpp = weiri_token_cpp_names(path);
    source->is_cuda = is_in_cuda(source);
    weiri_tokens_init(&source->tokens, source->text, bytes, source->is_cpp);
    source->statements = g_array_new(FALSE, FALSE, sizeof(struct weiri_statement));
    source->owners = g_new(uint32_t, source->tokens.tokens->len);
    parse(source);
    return source;
}

void weiri_source_free(struct weiri_source *source)
{
    if (source != NULL) {
        weiri_tokens_clear(&source->tokens);
        g_array_unref(source->statements);
        g_free(source->owners);
        g_free(source->path);
        g_free(source->text);
        g_free(source);
    }
}

const char *weiri_source_path(const struct weiri_source *source)
{
    return source->path;
}

bool weiri_source_is_cpp(const struct weiri_source *source)
{
    return source->is_cpp;
}

bool weiri_source_is_cuda(const struct weiri_source *source)
{
    return source->is_cuda;
}

bool weiri_source_is_sycl(const struct weiri_source *source)
{
    return source->is_cpp && !source->is_cuda;
}

bool weiri_source_names_opencl(const char *path)
{
    static const char *const ends[] = { ".cl", ".ocl", ".clc" };
    for (size_t i = 0; path != NULL && i < G_N_ELEMENTS(ends); i++) {
        if (g_str_has_suffix(path, ends[i])) {
            return true;
        }
    }
    return false;
}

bool weiri_source_is_opencl(const struct weiri_source *source)
{
    return weiri_source_names_opencl(source->path);
}

const char *weiri_source_text(const struct weiri_source *source, size_t *bytes)
{
    if (bytes != NULL) {
        *bytes = source->bytes;
    }
    return source->text;
}

uint32_t weiri_source_n(const struct weiri_source *source)
{
    return source->statements->len;
}

const struct weiri_statement *weiri_source_at(const struct weiri_source *source,
                                              uint32_t statement)
{
    return &g_array_index(source->statements, struct weiri_statement, statement);
}

/* ---- Lines ----------------------------------------------------------------------- */

size_t weiri_source_line_begin(const struct weiri_source *source, uint32_t line)
{
    const GArray *begins = source->tokens.line_begins;
    return line > begins->len ? source->bytes
                              : g_array_index(begins, size_t, MAX(line, 1) - 1);
}

uint32_t weiri_source_line_of(const struct weiri_source *source, size_t offset)
{
    uint32_t low = 1, high = source->tokens.line_begins->len;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (weiri_source_line_begin(source, middle) <= offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

struct weiri_range weiri_source_lines(const struct weiri_source *source, uint32_t first,
                                      uint32_t last)
{
    size_t begin = weiri_source_line_begin(source, first);
    size_t end = weiri_source_line_begin(source, last + 1);
    return (struct weiri_range){ begin, MAX(begin, end) };
}

/* The first token that begins at @offset or after it. */
static uint32_t token_from(const struct weiri_source *source, size_t offset)
{
    uint32_t low = 0, high = source->tokens.tokens->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (token_at(source, middle)->begin < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_in_gap(const struct weiri_source *source, uint32_t line)
{
    for (uint32_t i = 0; i < source->tokens.gaps->len; i++) {
        const struct weiri_token_gap *gap
            = &g_array_index(source->tokens.gaps, struct weiri_token_gap, i);
        if (line >= gap->first_line && line <= gap->last_line) {
            return true;
        }
    }
    return false;
}

uint32_t weiri_source_find(const struct weiri_source *source, uint32_t line)
{
    if (line == 0 || line > source->tokens.line_begins->len
        || is_in_gap(source, line)) {
        return WEIRI_STATEMENT_NONE;
    }
    struct weiri_range range = weiri_source_lines(source, line, line);
    uint32_t first = token_from(source, range.begin);
    uint32_t end = token_from(source, range.end);
    for (uint32_t i = first; i < end; i++) {
        if (weiri_source_at(source, source->owners[i])->kind != WEIRI_STATEMENT_BLOCK) {
            return source->owners[i];
        }
    }
    if (first < end) {
        return source->owners[first];
    }
    uint32_t around = first > 0 ? source->owners[first - 1] : 0;
    while (weiri_source_at(source, around)->last_line < line) {
        around = weiri_source_at(source, around)->parent;
    }
    return around;
}

uint32_t weiri_source_enclosing(const struct weiri_source *source, uint32_t statement,
                                enum weiri_statement_kind kind)
{
    do {
        statement = weiri_source_at(source, statement)->parent;
    } while (statement != WEIRI_STATEMENT_NONE
             && weiri_source_at(source, statement)->kind != kind);
    return statement;
}

uint32_t weiri_source_loop(const struct weiri_source *source, uint32_t statement)
{
    uint32_t loop = weiri_source_enclosing(source, statement, WEIRI_STATEMENT_LOOP);
    uint32_t macro = weiri_source_enclosing(source, statement, WEIRI_STATEMENT_MACRO);
    uint32_t function
        = weiri_source_enclosing(source, statement, WEIRI_STATEMENT_FUNCTION);
    /* A statement has a smaller number than those inside of it. */
    uint32_t inner = loop == WEIRI_STATEMENT_NONE ? macro
        : macro == WEIRI_STATEMENT_NONE           ? loop
                                                  : MAX(loop, macro);
    return function != WEIRI_STATEMENT_NONE && inner < function ? WEIRI_STATEMENT_NONE
                                                                : inner;
}

/* ---- Calls ----------------------------------------------------------------------- */

/* The token after the template arguments that may be at @i. */
static uint32_t after_angles(const struct weiri_source *source, uint32_t i)
{
    uint32_t after = source->is_cpp && i < source->tokens.tokens->len
            && token_at(source, i)->kind == '<'
        ? weiri_token_cpp_after_angles(&source->tokens, i)
        : WEIRI_TOKEN_NONE;
    return after == WEIRI_TOKEN_NONE ? i : after;
}

static bool is_called(const struct weiri_source *source, uint32_t i, const char *name)
{
    const struct weiri_token *token = token_at(source, i);
    if (!is_name(source, i)) {
        return false;
    }
    uint32_t open = after_angles(source, i + 1);
    if (open >= source->tokens.tokens->len || token_at(source, open)->kind != '('
        || token_at(source, open)->pair == WEIRI_TOKEN_NONE) {
        return false;
    }
    size_t bytes = name != NULL ? strlen(name) : 0;
    if (bytes == 0 || name[bytes - 1] != '*') {
        return bytes == 0 || is_word(source, i, name);
    }
    return token->end - token->begin >= bytes - 1
        && memcmp(source->text + token->begin, name, bytes - 1) == 0;
}

/* The tokens from @first to before @end, without what is around them. */
static struct weiri_range argument(const struct weiri_source *source, uint32_t first,
                                   uint32_t end)
{
    size_t begin = token_at(source, first > 0 ? first - 1 : 0)->end;
    return first == end ? (struct weiri_range){ begin, begin }
                        : (struct weiri_range){ token_at(source, first)->begin,
                                                token_at(source, end - 1)->end };
}

/* The parts between the tokens @open and @close that commas separate. */
static void read_call(const struct weiri_source *source, uint32_t name, uint32_t open,
                      uint32_t close, struct weiri_call *call)
{
    uint32_t from = open + 1;
    GArray *arguments = g_array_new(FALSE, FALSE, sizeof(struct weiri_range));
    for (uint32_t at = from; from <= close && close > open + 1; at++) {
        const struct weiri_token *token = token_at(source, at);
        if (at == close || token->kind == ',') {
            struct weiri_range range = argument(source, from, at);
            g_array_append_val(arguments, range);
            from = at + 1;
        } else if (after_angles(source, at) > at) {
            at = after_angles(source, at) - 1;
        } else if (token->pair != WEIRI_TOKEN_NONE && token->pair > at) {
            at = token->pair;
        }
    }
    const struct weiri_token *first = token_at(source, name);
    *call = (struct weiri_call){ .all = { first->begin, token_at(source, close)->end },
                                 .name = { first->begin, first->end },
                                 .n_arguments = arguments->len };
    call->arguments = (struct weiri_range *)(void *)g_array_free(arguments, FALSE);
}

bool weiri_source_call(const struct weiri_source *source, struct weiri_range within,
                       const char *name, uint32_t nth, struct weiri_call *call)
{
    uint32_t end = token_from(source, within.end);
    for (uint32_t i = token_from(source, within.begin); i < end; i++) {
        if (is_called(source, i, name) && nth-- == 0) {
            uint32_t open = after_angles(source, i + 1);
            read_call(source, i, open, token_at(source, open)->pair, call);
            return true;
        }
    }
    return false;
}

bool weiri_source_template(const struct weiri_source *source, struct weiri_range within,
                           const char *name, uint32_t nth, struct weiri_call *call)
{
    uint32_t end = token_from(source, within.end);
    for (uint32_t i = token_from(source, within.begin); i < end; i++) {
        uint32_t after = i + 1;
        if (is_word(source, i, name) && (after = after_angles(source, i + 1)) > i + 1
            && nth-- == 0) {
            read_call(source, i, i + 1, after - 1, call);
            return true;
        }
    }
    return false;
}

bool weiri_source_call_at(const struct weiri_source *source, uint32_t line,
                          const char *name, uint32_t nth, struct weiri_call *call)
{
    struct weiri_range within = weiri_source_lines(source, line, line);
    uint32_t statement = weiri_source_find(source, line);
    if (statement != WEIRI_STATEMENT_NONE) {
        within.begin = MIN(within.begin, weiri_source_at(source, statement)->start);
    }
    for (uint32_t i = 0; weiri_source_call(source, within, name, i, call); i++) {
        if (weiri_source_line_of(source, call->all.end) >= line && nth-- == 0) {
            return true;
        }
        weiri_call_clear(call);
    }
    return false;
}

void weiri_call_clear(struct weiri_call *call)
{
    g_clear_pointer(&call->arguments, g_free);
    call->n_arguments = 0;
}

/* ---- Blanks ---------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

char *weiri_source_indent(const struct weiri_source *source, size_t offset)
{
    const char *begin = source->text
        + weiri_source_line_begin(source, weiri_source_line_of(source, offset));
    return g_strndup(begin, strspn(begin, " \t"));
}

size_t weiri_source_end_before(const struct weiri_source *source, size_t offset)
{
    uint32_t i = token_from(source, offset);
    return i == 0 ? 0 : token_at(source, i - 1)->end;
}

bool weiri_source_begins_line(const struct weiri_source *source, size_t offset)
{
    while (offset > 0 && is_blank(source->text[offset - 1])) {
        offset--;
    }
    return offset == 0 || source->text[offset - 1] == '\n';
}

bool weiri_source_ends_line(const struct weiri_source *source, size_t offset)
{
    const char *at = source->text + offset, *end = source->text + source->bytes;
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    line_end = line_end != NULL ? line_end : end;
    while (at < line_end) {
        if (is_blank(*at)) {
            at++;
        } else if (g_str_has_prefix(at, "//")) {
            const char *last = line_end[-1] == '\r' ? line_end - 2 : line_end - 1;
            return *last != '\\'; /* the comment goes on, on the next line */
        } else if (g_str_has_prefix(at, "/*")) {
            const char *close = g_strstr_len(at + 2, line_end - at - 2, "*/");
            if (close == NULL) {
                return false;
            }
            at = close + 2;
        } else {
            return false;
        }
    }
    return true;
}

bool weiri_source_only_on_its_lines(const struct weiri_source *source,
                                    uint32_t statement)
{
    const struct weiri_statement *node = weiri_source_at(source, statement);
    return weiri_source_begins_line(source, node->begin)
        && weiri_source_ends_line(source, node->end);
}
