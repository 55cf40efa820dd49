/* SPDX-License-Identifier: MIT
 *
 * command-holds.c: see command-holds.h. A command that comes after one which waits is
 * not kept: the order of commands has the host wait for both. */
#include "config.h"

#include "watch/command-holds.h"

struct hold {
    uint32_t number;
    struct weiri_command_hold public;
};

/* A command that cannot start. */
struct blocked {
    uint32_t hold;
    uint32_t command;
};

struct weiri_command_holds {
    GArray *holds;   /* of struct hold: the live ones */
    GArray *blocked; /* of struct blocked: none that the host has waited for */
    uint32_t latest; /* number */
};

struct weiri_command_holds *weiri_command_holds_new(void)
{
    struct weiri_command_holds *holds = g_new0(struct weiri_command_holds, 1);
    holds->holds = g_array_new(FALSE, FALSE, sizeof(struct hold));
    holds->blocked = g_array_new(FALSE, FALSE, sizeof(struct blocked));
    return holds;
}

static struct hold *hold_at(const struct weiri_command_holds *holds, guint i)
{
    return &g_array_index(holds->holds, struct hold, i);
}

uint32_t weiri_command_holds_add(struct weiri_command_holds *holds,
                                 const struct weiri_command_hold *hold)
{
    const struct hold added = { ++holds->latest, *hold };
    g_array_append_val(holds->holds, added);
    return added.number;
}

void weiri_command_holds_remove(struct weiri_command_holds *holds, uint32_t number)
{
    for (guint i = 0; i < holds->holds->len; i++) {
        if (hold_at(holds, i)->number == number) {
            g_array_remove_index(holds->holds, i);
            break;
        }
    }
    for (guint i = holds->blocked->len; i-- > 0;) {
        if (g_array_index(holds->blocked, struct blocked, i).hold == number) {
            g_array_remove_index_fast(holds->blocked, i);
        }
    }
}

void weiri_command_holds_begin(struct weiri_command_holds *holds,
                               const struct weiri_command_start *start,
                               uint32_t command)
{
    for (guint i = 0; i < holds->holds->len; i++) {
        const struct hold *hold = hold_at(holds, i);
        bool blocks = false;
        for (size_t k = 0; k < start->n_uses; k++) {
            blocks |= start->uses[k].buffer == hold->public.buffer
                && (start->uses[k].writes || hold->public.writes);
        }
        if (blocks) {
            const struct blocked added = { hold->number, command };
            g_array_append_val(holds->blocked, added);
        }
    }
}

GArray *weiri_command_holds_waited(struct weiri_command_holds *holds,
                                   const struct weiri_command_order *order,
                                   const void *thread)
{
    GArray *stuck = g_array_new(FALSE, FALSE, sizeof(struct weiri_command_stuck));
    for (guint i = holds->blocked->len; i-- > 0;) {
        const struct blocked blocked = g_array_index(holds->blocked, struct blocked, i);
        if (!weiri_command_order_before(order, blocked.command, 0)) {
            continue;
        }
        for (guint k = 0; k < holds->holds->len; k++) {
            const struct hold *hold = hold_at(holds, k);
            if (hold->number == blocked.hold && hold->public.thread == thread) {
                const struct weiri_command_stuck added
                    = { hold->public, blocked.command };
                g_array_append_val(stuck, added);
            }
        }
        g_array_remove_index_fast(holds->blocked, i);
    }
    return stuck;
}
