/* SPDX-License-Identifier: MIT
 *
 * exited.c: see exited.h. */
#include "config.h"

#include "exec/exited.h"

#include "exec/cluster.h"
#include "exec/gate.h"
#include "exec/grid.h"
#include "exec/lanes.h"

#include <glib.h>

static void mark(const struct weiri_gate *gate, bool *waits)
{
    for (uint32_t i = 0; i < gate->n_waiting; i++) {
        waits[gate->waiting[i]] = true;
    }
}

/* Sets the items that wait. */
static void mark_all(const struct weiri_group *group, bool *waits)
{
    mark(&group->gate, waits);
    for (uint32_t s = 0; s < group->n_sub_gates; s++) {
        mark(&group->sub_gates[s], waits);
    }
    for (guint i = 0; i < group->strays->len; i++) {
        waits[g_array_index(group->strays, struct weiri_stray, i).item] = true;
    }
    weiri_lanes_mark(group, waits);
}

bool weiri_exited_forget(struct weiri_worker *worker, struct weiri_group *group)
{
    if (group->named != NULL || worker->launch->kernel->hierarchical
        || weiri_grid_waits(worker, group) || weiri_cluster_waits(worker, group)) {
        return false; /* some wait elsewhere, and have not returned */
    }
    g_autofree bool *waits = g_new0(bool, group->items);
    mark_all(group, waits);
    for (uint32_t item = 0; item < group->items; item++) {
        if (!waits[item]) {
            group->returns[item].serial = group->serial;
        }
    }
    for (uint32_t item = 0; item < group->items; item++) {
        if (!waits[item]) {
            weiri_lanes_leave(worker, group, item);
        }
    }
    weiri_gate_set_exited(worker, group, &group->gate, waits);
    for (uint32_t s = 0; s < group->n_sub_gates; s++) {
        weiri_gate_set_exited(worker, group, &group->sub_gates[s], waits);
    }
    return weiri_queue_count(&group->queue) > 0;
}
