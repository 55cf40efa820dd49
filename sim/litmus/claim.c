/* SPDX-License-Identifier: MIT
 *
 * claim.c: final states of a test: whether a claim holds in one, and a state as text.
 * The caller has the values of terms, and is asked for each. */
#include "config.h"

#include "litmus/litmus.h"

void weiri_litmus_print_term(const struct weiri_litmus *test,
                             struct weiri_litmus_term term, GString *text)
{
    if (term.thread == WEIRI_LITMUS_MEMORY) {
        g_string_append_printf(text, "[%s]", test->locations[term.index].name);
    } else {
        g_string_append_printf(text, "%u:%s", term.thread,
                               test->threads[term.thread].registers[term.index].name);
    }
}

bool weiri_litmus_has_terms(const struct weiri_litmus_condition *condition, bool both)
{
    switch (condition->kind) {
    case WEIRI_LITMUS_ARE:
    case WEIRI_LITMUS_ARE_ORDERED:
        return true;
    case WEIRI_LITMUS_IS:
    case WEIRI_LITMUS_IS_BELOW:
    case WEIRI_LITMUS_IS_ABOVE:
        return !both;
    default:
        return false;
    }
}

bool weiri_litmus_holds(const struct weiri_litmus_condition *claim,
                        weiri_litmus_value_fn *value, const void *user)
{
    const struct weiri_litmus_condition *operand = claim->first;
    switch (claim->kind) {
    case WEIRI_LITMUS_TRUE:
        return true;
    case WEIRI_LITMUS_FALSE:
        return false;
    case WEIRI_LITMUS_IS:
        return value(claim->left, user) == claim->value;
    case WEIRI_LITMUS_ARE:
        return value(claim->left, user) == value(claim->right, user);
    case WEIRI_LITMUS_IS_BELOW:
        return value(claim->left, user) < claim->value;
    case WEIRI_LITMUS_IS_ABOVE:
        return value(claim->left, user) > claim->value;
    case WEIRI_LITMUS_ARE_ORDERED:
        return value(claim->left, user) < value(claim->right, user);
    case WEIRI_LITMUS_IS_NOT:
        return !weiri_litmus_holds(operand, value, user);
    case WEIRI_LITMUS_IMPLIES:
        return !weiri_litmus_holds(operand, value, user)
            || weiri_litmus_holds(operand->next, value, user);
    case WEIRI_LITMUS_ALL:
    case WEIRI_LITMUS_ANY:
        break;
    }
    bool any = claim->kind == WEIRI_LITMUS_ANY;
    while (operand != NULL && weiri_litmus_holds(operand, value, user) != any) {
        operand = operand->next;
    }
    return (operand != NULL) == any;
}

static unsigned outlook_of(bool holds)
{
    return holds ? WEIRI_LITMUS_MAY_HOLD : WEIRI_LITMUS_MAY_FAIL;
}

/* A comparison of a term with a value or with another term. */
static unsigned outlook_of_term(const struct weiri_litmus_condition *claim,
                                weiri_litmus_known_fn *known, const void *user)
{
    bool both = weiri_litmus_has_terms(claim, true);
    struct weiri_symbolic left = known(claim->left, user);
    struct weiri_symbolic right
        = both ? known(claim->right, user) : weiri_symbolic_known(claim->value);
    if (left.unknown != 0 || right.unknown != 0) {
        return WEIRI_LITMUS_MAY_HOLD | WEIRI_LITMUS_MAY_FAIL;
    }
    switch (claim->kind) {
    case WEIRI_LITMUS_IS_BELOW:
    case WEIRI_LITMUS_ARE_ORDERED:
        return outlook_of(left.value < right.value);
    case WEIRI_LITMUS_IS_ABOVE:
        return outlook_of(left.value > right.value);
    default:
        return outlook_of(left.value == right.value);
    }
}

static unsigned negated(unsigned outlook)
{
    return ((outlook & WEIRI_LITMUS_MAY_FAIL) != 0 ? WEIRI_LITMUS_MAY_HOLD : 0)
        | ((outlook & WEIRI_LITMUS_MAY_HOLD) != 0 ? WEIRI_LITMUS_MAY_FAIL : 0);
}

/* The outlook that at least one of two conditions holds. */
static unsigned of_either(unsigned one, unsigned other)
{
    return ((one | other) & WEIRI_LITMUS_MAY_HOLD)
        | (one & other & WEIRI_LITMUS_MAY_FAIL);
}

unsigned weiri_litmus_outlook(const struct weiri_litmus_condition *claim,
                              weiri_litmus_known_fn *known, const void *user)
{
    const struct weiri_litmus_condition *operand = claim->first;
    bool any = claim->kind == WEIRI_LITMUS_ANY;
    unsigned all = outlook_of(!any);
    switch (claim->kind) {
    case WEIRI_LITMUS_TRUE:
    case WEIRI_LITMUS_FALSE:
        return outlook_of(claim->kind == WEIRI_LITMUS_TRUE);
    case WEIRI_LITMUS_IS_NOT:
        return negated(weiri_litmus_outlook(operand, known, user));
    case WEIRI_LITMUS_IMPLIES:
        return of_either(negated(weiri_litmus_outlook(operand, known, user)),
                         weiri_litmus_outlook(operand->next, known, user));
    case WEIRI_LITMUS_ALL:
    case WEIRI_LITMUS_ANY:
        break;
    default:
        return outlook_of_term(claim, known, user);
    }
    for (; operand != NULL; operand = operand->next) {
        unsigned next = weiri_litmus_outlook(operand, known, user);
        all = any ? of_either(all, next)
                  : negated(of_either(negated(all), negated(next)));
    }
    return all;
}

char *weiri_litmus_state(const struct weiri_litmus *test, weiri_litmus_value_fn *value,
                         const void *user)
{
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < test->n_observed; i++) {
        g_string_append(text, i > 0 ? "," : "");
        weiri_litmus_print_term(test, test->observed[i], text);
        g_string_append_printf(text, "=%" G_GINT64_FORMAT,
                               value(test->observed[i], user));
    }
    return g_string_free(text, FALSE);
}
