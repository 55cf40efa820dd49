/* SPDX-License-Identifier: MIT
 *
 * finding/kinds.c: the names of weir.h's enumerations of a finding, and back. */
#include "config.h"

#include "finding/kinds.h"

#include <string.h>

static const char *const kinds[] = {
#define X(name, text) text,
    WEIR_FINDING_KINDS(X)
#undef X
};
static const char *const states[] = {
#define X(name, text) text,
    WEIR_STATES(X)
#undef X
};
static const char *const accesses[] = {
#define X(name, text) text,
    WEIR_ACCESSES(X)
#undef X
};

/* Returns: the index of @name, or -1 */
static int index_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; name != NULL && i < n; i++) {
        if (g_strcmp0(names[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

const char *weir_finding_kind_name(enum weir_finding_kind kind)
{
    return (size_t)kind < G_N_ELEMENTS(kinds) ? kinds[kind] : "?";
}

const char *weir_state_name(enum weir_state state)
{
    return (size_t)state < G_N_ELEMENTS(states) ? states[state] : "?";
}

const char *weir_access_name(enum weir_access access)
{
    return (size_t)access < G_N_ELEMENTS(accesses) ? accesses[access] : "?";
}

int weiri_finding_kind_named(const char *name)
{
    return index_of(name, kinds, G_N_ELEMENTS(kinds));
}

enum weir_state weiri_finding_state_named(const char *name)
{
    return (enum weir_state)MAX(index_of(name, states, G_N_ELEMENTS(states)), 0);
}

enum weir_access weiri_finding_access_named(const char *name)
{
    return (enum weir_access)MAX(index_of(name, accesses, G_N_ELEMENTS(accesses)), 0);
}
