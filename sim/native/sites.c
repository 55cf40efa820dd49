/* SPDX-License-Identifier: MIT
 *
 * sites.c: see sites.h. Each request of the tree of histories that has a place in the
 * source is described; descriptions that are equal are one site, since a loop makes
 * many requests of one line. */
#include "config.h"

#include "native/sites.h"

#include "finding/names.h"
#include "finding/symbols.h"

#include <string.h>

static const char *spaces_name(unsigned spaces)
{
    static const char *const names[] = { "none", "local", "global", "local+global" };
    return names[spaces & (WEIR_LOCAL | WEIR_GLOBAL)];
}

static void describe_atomic(enum weir_language language,
                            const struct weiri_atomic_op *op,
                            struct weir_explored_site *site)
{
    site->operation = weiri_named(op->site, weiri_atomic_name(language, op->kind));
    site->order = weiri_order_name(op->order);
    site->failure = op->kind == WEIRI_ATOMIC_COMPARE_EXCHANGE
        ? weiri_order_name(op->failure)
        : NULL;
    /* C11's own atomics have no scope. */
    bool scoped = op->site != NULL || language != WEIR_LANGUAGE_C;
    site->scope = scoped ? weiri_scope_name(op->scope) : NULL;
}

static void describe_barrier(enum weir_language language, uint64_t op,
                             struct weir_explored_site *site)
{
    bool group = WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP;
    site->operation = weiri_operation_name(language, op);
    site->scope = WEIRI_OP_SCOPE(op) > memory_scope_work_group
        ? weiri_scope_name(WEIRI_OP_SCOPE(op))
        : NULL;
    site->spaces = group ? spaces_name(WEIRI_OP_FLAGS(op)) : NULL;
}

/* Returns: whether the request is of an operation that has a place and an order, or
 * memories that it orders */
static bool describe(const struct weiri_launch *launch,
                     const struct weiri_request *request,
                     struct weir_explored_site *site)
{
    bool atomic
        = request->kind == WEIRI_REQUEST_ATOMIC || request->kind == WEIRI_REQUEST_FENCE;
    bool barrier = request->kind == WEIRI_REQUEST_MEET
        && WEIRI_OP_KIND(request->op) == WEIRI_BARRIER;
    *site = (struct weir_explored_site){ .line = 0 };
    if (atomic) {
        describe_atomic(launch->kernel->language, &request->atomic, site);
    } else if (barrier) {
        describe_barrier(launch->kernel->language, request->op, site);
    }
    if (request->site != NULL) {
        site->file = request->site->file;
        site->line = request->site->line;
    } else if (request->pc != NULL && (atomic || barrier)) {
        site->line = launch->symbols->line(request->pc, &site->file);
    }
    return (atomic || barrier) && site->file != NULL;
}

static int compare(const void *a, const void *b)
{
    const struct weir_explored_site *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order != 0 || x->line != y->line) {
        return order != 0 ? order : (x->line > y->line) * 2 - 1;
    }
    const char *const texts[][2] = { { x->operation, y->operation },
                                     { x->order, y->order },
                                     { x->failure, y->failure },
                                     { x->scope, y->scope },
                                     { x->spaces, y->spaces } };
    for (size_t i = 0; i < G_N_ELEMENTS(texts) && order == 0; i++) {
        order = g_strcmp0(texts[i][0], texts[i][1]);
    }
    return order;
}

struct weir_explored_site *weiri_native_sites(const struct weiri_native *native,
                                              size_t *n)
{
    const struct weiri_launch *launch = native->machine.hub.launch;
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(struct weir_explored_site));
    for (guint i = 0; i < native->requests->len; i++) {
        struct weir_explored_site site;
        bool has = describe(
            launch, &g_array_index(native->requests, struct weiri_request, i), &site);
        for (guint k = 0; has && k < sites->len; k++) {
            has = compare(&site, &g_array_index(sites, struct weir_explored_site, k))
                != 0;
        }
        if (has) {
            g_array_append_val(sites, site);
        }
    }
    g_array_sort(sites, compare);
    *n = sites->len;
    return (struct weir_explored_site *)(void *)g_array_free(sites, FALSE);
}
