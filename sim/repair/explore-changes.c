/* SPDX-License-Identifier: MIT
 *
 * explore-changes.c: see explore-changes.h. The values of an aspect are numbered so
 * that a weaker one never has a greater number. */
#include "config.h"

#include "repair/explore-changes.h"

#include "finding/names.h"

#include <string.h>

/* ---- Values ---------------------------------------------------------------------- */

/* Two bits, of acquire and of release, and seq_cst. */
enum { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

/* A value, by the word of the option order, and what it is: of memory_order,
 * memory_scope or enum weiri_name. */
struct value {
    const char *word;
    unsigned what, cost;
};

static const struct value orders[] = {
    { "relaxed", memory_order_relaxed, 0 }, { "acquire", memory_order_acquire, 1 },
    { "release", memory_order_release, 1 }, { "acq_rel", memory_order_acq_rel, 2 },
    { "seq_cst", memory_order_seq_cst, 3 },
};

enum { SUB_GROUP, WORK_GROUP, DEVICE };

static const struct value scopes[] = {
    { "sub_group", memory_scope_sub_group, 10 },
    { "work_group", memory_scope_work_group, 11 },
    { "device", memory_scope_device, 12 },
    { "system", memory_scope_system, 13 },
};

static const struct value spaces[] = {
    { "none", WEIRI_NAME_SPACE_NONE, 20 },
    { "local", WEIRI_NAME_SPACE_LOCAL, 21 },
    { "global", WEIRI_NAME_SPACE_GLOBAL, 21 },
    { "local+global", WEIRI_NAME_SPACE_BOTH, 22 },
};

static const struct {
    const struct value *values;
    unsigned n;
} aspects[] = {
    [WEIRI_CLI_ORDER] = { orders, G_N_ELEMENTS(orders) },
    [WEIRI_CLI_FAILURE] = { orders, G_N_ELEMENTS(orders) },
    [WEIRI_CLI_SCOPE] = { scopes, G_N_ELEMENTS(scopes) },
    [WEIRI_CLI_SPACES] = { spaces, G_N_ELEMENTS(spaces) },
};

const char *weiri_cli_value_name(const struct weiri_cli_lever *lever, unsigned value)
{
    enum weir_language language = weiri_name_language(lever->site->operation);
    unsigned what = aspects[lever->aspect].values[value].what;
    switch (lever->aspect) {
    case WEIRI_CLI_SCOPE:
        return weiri_scope_source(language, what);
    case WEIRI_CLI_SPACES:
        return weiri_name(language, (enum weiri_name)what);
    default:
        return weiri_order_source(language, what);
    }
}

bool weiri_cli_is_as_strong(enum weiri_cli_aspect aspect, unsigned one, unsigned other)
{
    switch (aspect) {
    case WEIRI_CLI_SCOPE:
        return one >= other;
    case WEIRI_CLI_SPACES:
        return (one & other) == other;
    default:
        return one == SEQ_CST || (other != SEQ_CST && (one & other) == other);
    }
}

/* ---- Levers ---------------------------------------------------------------------- */

static void add_lever(GArray *levers, const struct weir_explored_site *site,
                      enum weiri_cli_aspect aspect, const char *word)
{
    if (g_strcmp0(word, "consume") == 0) {
        word = "acquire"; /* which it is carried out as */
    }
    for (unsigned i = 0; word != NULL && i < aspects[aspect].n; i++) {
        if (strcmp(word, aspects[aspect].values[i].word) == 0) {
            const struct weiri_cli_lever lever = { site, aspect, i };
            g_array_append_val(levers, lever);
        }
    }
}

GArray *weiri_cli_levers_of(const struct weir_exploration *found)
{
    GArray *levers = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_lever));
    for (size_t i = 0; i < found->n_sites; i++) {
        const struct weir_explored_site *site = &found->sites[i];
        add_lever(levers, site, WEIRI_CLI_ORDER, site->order);
        add_lever(levers, site, WEIRI_CLI_FAILURE, site->failure);
        add_lever(levers, site, WEIRI_CLI_SCOPE, site->scope);
        add_lever(levers, site, WEIRI_CLI_SPACES, site->spaces);
    }
    return levers;
}

/* "fetch_add" of "weir_atomic_fetch_add", and "barrier" of "weir_barrier". */
static const char *short_name(const char *operation)
{
    static const char *const prefixes[]
        = { "weir_atomic_", "weir_", "sycl::atomic_ref::", "sycl::", "atomic_" };
    for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(operation, prefixes[i])) {
            operation += strlen(prefixes[i]);
        }
    }
    return operation;
}

/* Whether the operation may have that value. */
static bool may_have(const struct weiri_cli_lever *lever, unsigned value)
{
    const char *operation = short_name(lever->site->operation);
    bool barrier = lever->site->order == NULL;
    bool only_reads
        = lever->aspect == WEIRI_CLI_FAILURE || strcmp(operation, "load") == 0;
    switch (lever->aspect) {
    case WEIRI_CLI_SCOPE:
        return !barrier || value != SUB_GROUP;
    case WEIRI_CLI_SPACES:
        return true;
    default:
        return only_reads                     ? value != RELEASE && value != ACQ_REL
            : strcmp(operation, "store") == 0 ? value != ACQUIRE && value != ACQ_REL
                                              : true;
    }
}

/* Whether no two items share the wider of two scopes and not the narrower, in a launch
 * of that size. All memory is of one device. */
static bool are_alike(const struct weir_exploration *found, unsigned one,
                      unsigned other)
{
    unsigned narrow = MIN(one, other), wide = MAX(one, other);
    bool splits_groups = narrow == SUB_GROUP && wide > SUB_GROUP;
    bool splits_device = narrow <= WORK_GROUP && wide >= DEVICE;
    return !(splits_groups && found->n_sub_groups > 1)
        && !(splits_device && found->n_groups > 1);
}

/* Vulkan has no sequentially consistent operations. */
static bool is_in_model(const struct weir_exploration *found,
                        const struct weiri_cli_lever *lever, unsigned value)
{
    bool order = lever->aspect == WEIRI_CLI_ORDER || lever->aspect == WEIRI_CLI_FAILURE;
    return !order || value != SEQ_CST || g_strcmp0(found->model, "vulkan") != 0;
}

GArray *weiri_cli_lever_values(const struct weir_exploration *found,
                               const struct weiri_cli_lever *lever, bool stronger,
                               guint *alike)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(unsigned));
    for (unsigned i = 0; i < aspects[lever->aspect].n; i++) {
        bool wanted = i != lever->from && may_have(lever, i)
            && is_in_model(found, lever, i)
            && (stronger ? weiri_cli_is_as_strong(lever->aspect, i, lever->from)
                         : weiri_cli_is_as_strong(lever->aspect, lever->from, i));
        /* From system to device makes no difference in any launch. */
        bool same = lever->aspect == WEIRI_CLI_SCOPE && (stronger || i < DEVICE)
            && are_alike(found, i, lever->from);
        if (wanted && !same) {
            g_array_append_val(values, i);
        } else if (wanted && alike != NULL) {
            *alike += 1;
        }
    }
    return values;
}

/* ---- Changes --------------------------------------------------------------------- */

unsigned weiri_cli_change_cost(const struct weiri_cli_change *change)
{
    return aspects[change->lever.aspect].values[change->to].cost;
}

static const char *word_of(enum weiri_cli_aspect aspect, unsigned value)
{
    return aspects[aspect].values[value].word;
}

/* The word that the changes give an aspect of the site; or NULL if none of them changes
 * that aspect. */
static const char *changed_word(const GArray *changes,
                                const struct weir_explored_site *site,
                                enum weiri_cli_aspect aspect)
{
    const char *word = NULL;
    for (guint i = 0; i < changes->len; i++) {
        const struct weiri_cli_change *change
            = &g_array_index(changes, struct weiri_cli_change, i);
        if (change->lever.site == site && change->lever.aspect == aspect) {
            word = word_of(aspect, change->to);
        }
    }
    return word;
}

static void add_site(GString *text, const GArray *changes,
                     const struct weir_explored_site *site)
{
    const char *order = changed_word(changes, site, WEIRI_CLI_ORDER);
    const char *failure = changed_word(changes, site, WEIRI_CLI_FAILURE);
    const char *scope = changed_word(changes, site, WEIRI_CLI_SCOPE);
    const char *flags = changed_word(changes, site, WEIRI_CLI_SPACES);
    const char *between = "";
    g_string_append_printf(text, "%s%s:%u=", text->len > 0 ? "," : "", site->file,
                           site->line);
    if (order != NULL || failure != NULL) {
        g_string_append(text, order != NULL ? order : site->order);
        if (site->failure != NULL) {
            g_string_append_printf(text, "/%s",
                                   failure != NULL ? failure : site->failure);
        }
        between = "+";
    }
    if (scope != NULL) {
        g_string_append_printf(text, "%s%s", between, scope);
        between = "+";
    }
    if (flags != NULL) {
        g_string_append_printf(text, "%s%s", between, flags);
    }
}

char *weiri_cli_changes_option(const GArray *changes)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < changes->len; i++) {
        const struct weir_explored_site *site
            = g_array_index(changes, struct weiri_cli_change, i).lever.site;
        guint first = 0;
        while (g_array_index(changes, struct weiri_cli_change, first).lever.site
               != site) {
            first++;
        }
        if (first == i) {
            add_site(text, changes, site);
        }
    }
    return g_string_free(text, FALSE);
}

char *weiri_cli_change_title(const struct weiri_cli_change *change)
{
    const struct weiri_cli_lever *lever = &change->lever;
    return g_strdup_printf("%s instead of %s in the %s%s at",
                           weiri_cli_value_name(lever, change->to),
                           weiri_cli_value_name(lever, lever->from),
                           lever->aspect == WEIRI_CLI_FAILURE ? "failing " : "",
                           short_name(lever->site->operation));
}
