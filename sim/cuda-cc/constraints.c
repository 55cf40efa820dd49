/* SPDX-License-Identifier: MIT
 *
 * constraints.c: the constraints of asm statements, in a preprocessed source, as clang
 * takes them for this machine. PTX's letters for registers are r, l, h, f and d. For
 * x86, "h" does not exist, and "f" is not for an output: they become "r" and "x",
 * which stand for as many characters. The types of the operands say what is meant:
 * ptx.c looks at these alone.
 *
 *     asm volatile("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
 *
 * The constraints are the strings outside inner parentheses between the first and the
 * third colon. */
#include "config.h"

#include "cuda-cc/ptx.h"

#include <string.h>

static bool is_of_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* After the quotation mark that ends the text which starts here. */
static char *after_quoted(char *at)
{
    char mark = *at++;
    while (*at != '\0' && *at != mark && *at != '\n') {
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    }
    return at + (*at == mark);
}

/* After R"x(...)x", if it starts here with the mark. */
static char *after_raw(char *at)
{
    char *open = strchr(at, '(');
    if (open == NULL) {
        return at + strlen(at);
    }
    g_autofree char *delimiter = g_strndup(at + 1, (gsize)(open - at - 1));
    g_autofree char *end = g_strdup_printf(")%s\"", delimiter);
    char *found = strstr(open, end);
    return found != NULL ? found + strlen(end) : at + strlen(at);
}

static char *after_comment(char *at)
{
    char *end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
    return end == NULL ? at + strlen(at) : end + (at[1] == '/' ? 1 : 2);
}

static bool is_raw_prefix(const char *word, const char *end)
{
    return end > word && end[-1] == 'R' && *end == '"' && end - word <= 3;
}

/* After a token that is not a word, or after one character. */
static char *after_token(char *at)
{
    if (*at == '"' || *at == '\'') {
        return after_quoted(at);
    }
    return at[0] == '/' && (at[1] == '/' || at[1] == '*') ? after_comment(at) : at + 1;
}

/* After a word, or a number, in which "'" separates digits. */
static char *after_word(char *at)
{
    bool number = g_ascii_isdigit(*at);
    char *end = at;
    while (is_of_word(*end) || (number && *end == '\'' && is_of_word(end[1]))) {
        end++;
    }
    return is_raw_prefix(at, end) ? after_raw(end) : end;
}

static bool is_word(const char *at, const char *end, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strlen(*list) == (size_t)(end - at)
            && strncmp(*list, at, (size_t)(end - at)) == 0) {
            return true;
        }
    }
    return false;
}

static void rewrite(char *from, const char *end)
{
    for (; from < end; from++) {
        *from = *from == 'h' ? 'r' : *from == 'f' ? 'x' : *from;
    }
}

/* After the parenthesis that ends the statement which starts here. */
static char *rewrite_statement(char *at)
{
    unsigned depth = 0, colons = 0;
    while (*at != '\0') {
        char *end = is_of_word(*at) ? after_word(at) : after_token(at);
        if (*at == '(' || *at == '[' || *at == '{') {
            depth++;
        } else if (*at == ')' || *at == ']' || *at == '}') {
            if (--depth == 0) {
                return end;
            }
        } else if (depth == 1 && *at == ':') {
            colons++;
        } else if (depth == 1 && *at == '"' && (colons == 1 || colons == 2)) {
            rewrite(at, end);
        }
        at = end;
    }
    return at;
}

static char *skip_space(char *at)
{
    while (g_ascii_isspace(*at)) {
        at++;
    }
    return at;
}

/* After "volatile" and its like; the statement starts there if it is a "(". */
static char *after_qualifiers(char *at)
{
    static const char *const words[]
        = { "volatile", "__volatile__", "__volatile", "inline", "goto", NULL };
    at = skip_space(at);
    while (is_of_word(*at) && is_word(at, after_word(at), words)) {
        at = skip_space(after_word(at));
    }
    return at;
}

void weiri_ptx_constraints(char *source)
{
    static const char *const words[] = { "asm", "__asm__", "__asm", NULL };
    char *at = source;
    while (*at != '\0') {
        char *end = is_of_word(*at) ? after_word(at) : after_token(at);
        if (is_of_word(*at) && is_word(at, end, words)) {
            end = after_qualifiers(end);
            end = *end == '(' ? rewrite_statement(end) : end;
        }
        at = end;
    }
}
