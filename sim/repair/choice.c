/* SPDX-License-Identifier: MIT
 *
 * choice.c: see choice.h. A statement that is inserted gets a condition, an expression
 * that is replaced becomes a choice of two, and a statement one of two blocks. Whether
 * that compiles, as an order does not where a template takes it, the compiler says. */
#include "config.h"

#include "repair/choice.h"

#include "repair/patch.h"

#include <string.h>

const char *weiri_choice_declaration(const struct weiri_source *source)
{
    return weiri_source_is_cuda(source)
        ? "extern \"C\" { __attribute__((host, device)) int weiri_trial(int); "
          "__attribute__((host, device)) __SIZE_TYPE__ weiri_trial_more(int); }"
        : weiri_source_is_cpp(source)
        ? "extern \"C\" { int weiri_trial(int); __SIZE_TYPE__ weiri_trial_more(int); }"
        : "extern int weiri_trial(int); extern __SIZE_TYPE__ weiri_trial_more(int);";
}

static bool ends_statement(const char *text)
{
    size_t n = strlen(text);
    while (n > 0 && g_ascii_isspace(text[n - 1])) {
        n--;
    }
    return n > 0 && text[n - 1] == ';';
}

/* Whether the line that @offset is in, or one that it continues, is a directive. */
static bool is_in_directive(const char *text, size_t offset)
{
    for (;;) {
        while (offset > 0 && text[offset - 1] != '\n') {
            offset--;
        }
        if (text[offset + strspn(text + offset, " \t")] == '#') {
            return true;
        }
        if (offset < 2 || text[offset - 2] != '\\') {
            return false;
        }
        offset--;
    }
}

/* Returns: (transfer full): or NULL */
static char *chosen_insertion(const struct weiri_fix_candidate *candidate,
                              const char *text, unsigned number)
{
    const char *at = candidate->to != NULL ? strstr(text, candidate->to) : NULL;
    if (at == NULL) {
        return strspn(text, "{} \t\r\n") == strlen(text) ? g_strdup(text) : NULL;
    }
    if (!ends_statement(candidate->to)) {
        return NULL;
    }
    return g_strdup_printf("%.*sif (weiri_trial(%u)) { %s }%s", (int)(at - text), text,
                           number, candidate->to, at + strlen(candidate->to));
}

/* Whether the text is an operator alone, which has no value to choose. */
static bool is_operator(const char *text)
{
    return text[strcspn(text,
                        "_\"'0123456789abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ")]
        == '\0';
}

/* Returns: (transfer full): or NULL */
static char *chosen_replacement(const char *old, const char *new, unsigned number)
{
    bool statement = ends_statement(old);
    if (is_operator(old) || is_operator(new) || statement != ends_statement(new)
        || strstr(old, "//") != NULL || strchr(old, '#') != NULL) {
        return NULL;
    }
    return g_strdup_printf(statement ? "if (weiri_trial(%u)) { %s } else { %s }"
                                     : "(weiri_trial(%u) ? %s : %s)",
                           number, new, old);
}

GArray *weiri_choice_edits(const struct weiri_fix_candidate *candidate,
                           const struct weiri_source *source, unsigned number)
{
    const char *text = weiri_source_text(source, NULL);
    g_autoptr(GArray) edits = weiri_edits_new();
    if (candidate->kind == WEIRI_FIX_ENLARGE) {
        return NULL; /* its first size may be too small */
    }
    for (guint i = 0; i < candidate->edits->len; i++) {
        const struct weiri_edit *edit
            = &g_array_index(candidate->edits, struct weiri_edit, i);
        g_autofree char *old = g_strndup(text + edit->begin, edit->end - edit->begin);
        g_autofree char *chosen = is_in_directive(text, edit->begin) ? NULL
            : edit->begin == edit->end ? chosen_insertion(candidate, edit->text, number)
                                       : chosen_replacement(old, edit->text, number);
        if (chosen == NULL) {
            return NULL;
        }
        weiri_edit_add(edits, edit->begin, edit->end, chosen);
    }
    return edits->len > 0 ? g_steal_pointer(&edits) : NULL;
}

char *weiri_choice_of_weaker(const struct weiri_fix_candidate *candidate,
                             unsigned number)
{
    const char *const *weaker = (const char *const *)candidate->weaker;
    if (candidate->kind != WEIRI_FIX_INSERT_BARRIER || weaker == NULL
        || weaker[0] == NULL || candidate->edits->len != 1) {
        return NULL;
    }
    const struct weiri_edit *edit
        = &g_array_index(candidate->edits, struct weiri_edit, 0);
    const char *at = strstr(edit->text, candidate->to);
    if (at == NULL || edit->begin != edit->end) {
        return NULL;
    }
    return g_strdup_printf("%.*sif (weiri_trial(%u)) { %s; } else { %s }%s",
                           (int)(at - edit->text), edit->text, number, weaker[0],
                           candidate->to, at + strlen(candidate->to));
}

char *weiri_choice_of_size(const struct weiri_fix_candidate *candidate, unsigned size)
{
    return g_strdup_printf("((%s) + weiri_trial_more(%u))", candidate->from, size);
}
