/* SPDX-License-Identifier: MIT
 *
 * names.c: see names.h. Atomics and collectives are named by the tables that declare
 * them, so that a new operation has a name. */
#include "config.h"

#include "exec/names.h"

#include "weir-kernel.h"

#include <glib.h>

static const char *const orders[]
    = { "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst" };

static const char *const scopes[]
    = { "work_item", "sub_group", "work_group", "device", "system" };

static const char *const atomics[] = {
#define X(name, text) "weir_atomic_" text,
    WEIRI_ATOMICS(X)
#undef X
};

/* By enum weiri_collective. */
static const char *const group_operations[] = {
#define X(name, text) [WEIRI_##name] = "weir_group_" text,
    WEIRI_COLLECTIVES(X)
#undef X
};

static const char *const sub_group_operations[] = {
#define X(name, text) [WEIRI_##name] = "weir_sub_group_" text,
    WEIRI_COLLECTIVES(X)
#undef X
};

const char *weiri_order_name(unsigned order)
{
    order &= ~(unsigned)WEIRI_ILLEGAL_ORDER;
    return order < G_N_ELEMENTS(orders) ? orders[order] : "invalid";
}

const char *weiri_scope_name(unsigned scope)
{
    return scope < G_N_ELEMENTS(scopes) ? scopes[scope] : "invalid";
}

const char *weiri_atomic_name(unsigned kind)
{
    return atomics[kind];
}

const char *weiri_operation_name(uint64_t op)
{
    if (WEIRI_OP_LEVEL(op) != WEIRI_LEVEL_GROUP) {
        return sub_group_operations[WEIRI_OP_KIND(op)];
    }
    return WEIRI_OP_KIND(op) == WEIRI_BARRIER ? "weir_barrier"
                                              : group_operations[WEIRI_OP_KIND(op)];
}
