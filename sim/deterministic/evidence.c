/* SPDX-License-Identifier: MIT
 *
 * evidence.c: see evidence.h. Items were last together at the last event that the
 * histories of all of them have in common. */
#include "config.h"

#include "deterministic/evidence.h"

/* Where an item was last in its kernel: the address after it is in the loop around the
 * body. */
static const void *find_last_pc(const struct weiri_hub *hub, uint32_t history)
{
    const struct weiri_launch *launch = hub->launch;
    const struct weiri_history *nodes = hub->histories.nodes;
    if (launch->symbols == NULL) {
        return NULL;
    }
    for (; history > WEIRI_HISTORY_LOST; history = nodes[history].parent) {
        const struct weiri_history *node = &nodes[history];
        if (!node->is_site && launch->symbols->in_kernel(node->place)) {
            return node->place;
        }
        if (node->last != NULL && !node->last_is_site
            && launch->symbols->in_kernel(node->last)) {
            return node->last;
        }
    }
    return NULL;
}

/* Gives items that returned from one line one return address: the conditions of one
 * `if` are several branches. */
static void join_returned(const struct weiri_launch *launch,
                          const struct weiri_group *group,
                          struct weiri_whereabouts *places)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new(); /* an address of each line */
    for (uint32_t i = 0; launch->symbols != NULL && i < group->items; i++) {
        const void *pc = places[i].pc;
        guint line = 0;
        while (pc != NULL && line < lines->len && pc != lines->pdata[line]
               && !launch->symbols->same_line(pc, lines->pdata[line])) {
            line++;
        }
        if (pc != NULL && line == lines->len) {
            g_ptr_array_add(lines, (void *)(uintptr_t)pc);
        }
        places[i].pc = pc != NULL ? lines->pdata[line] : NULL;
    }
}

void weiri_evidence_add(const struct weiri_hub *hub, const struct weiri_group *group,
                        struct weiri_whereabouts *places)
{
    for (uint32_t i = 0; i < group->items; i++) {
        const struct weiri_hub_item *item = &group->hub_items[i];
        places[i].history = item->history;
        if (places[i].site == NULL) {
            places[i].pc = find_last_pc(hub, item->history);
            places[i].last = item->stop.site;
            continue;
        }
        /* the gate does not know these where items were paired by count */
        places[i].site = item->stop.site;
        places[i].op = item->stop.op;
        places[i].path = item->stop.path;
        if (item->stop.path != 0) {
            places[i].calls = weiri_history_calls(&hub->histories, item->stop.path);
        }
    }
    join_returned(hub->launch, group, places);
}

void weiri_evidence_set_parting(const struct weiri_hub *hub,
                                const struct weiri_group *group,
                                const struct weiri_gate *gate,
                                const struct weiri_whereabouts *places,
                                struct weiri_draft *draft)
{
    const struct weiri_histories *histories = &hub->histories;
    uint32_t end = gate->first + gate->n_members;
    uint32_t common = places[gate->first].history;
    for (uint32_t i = gate->first; i < end; i++) {
        common = weiri_history_common(histories, common, places[i].history);
    }
    uint32_t after = common; /* of an item that went on from there */
    for (uint32_t i = gate->first; after == common && i < end; i++) {
        after = places[i].history;
    }
    bool is_site;
    const void *place = common != WEIRI_HISTORY_LOST && after != WEIRI_HISTORY_LOST
        ? weiri_history_parting(histories, common, after, &is_site)
        : NULL;
    if (place != NULL) {
        draft->parted_site = is_site ? place : NULL;
        draft->parted_pc = is_site ? NULL : place;
    } else if (common == WEIRI_HISTORY_START) {
        draft->parted_site = group->last_met;
    }
}
