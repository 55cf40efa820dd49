/* SPDX-License-Identifier: MIT
 *
 * history.c: see history.h. An item cannot be taken back, so it starts again and gets
 * the answers on the way from the root to the node. At each node its request must equal
 * the recorded one; otherwise the item does not depend on its answers alone, and the
 * exploration fails. */
#include "config.h"

#include "native/history.h"

/* Runs of items between two looks at the clock. */
enum { LOOK_EVERY = 64 };

bool weiri_history_same_request(const struct weiri_request *a,
                                const struct weiri_request *b)
{
    return a->kind == b->kind && a->cell == b->cell && a->site == b->site
        && a->pc == b->pc && a->op == b->op && a->argument == b->argument
        && (a->kind != WEIRI_REQUEST_WRITE || a->value == b->value)
        && a->atomic.operand == b->atomic.operand
        && a->atomic.expected == b->atomic.expected;
}

/* Whether the item that has reached @node again stops as it did before. */
static bool does_the_same(struct weiri_native *native, uint32_t thread, uint32_t node)
{
    const struct weiri_request *was = weiri_history_request(native, node);
    const struct weiri_request *is = weiri_machine_request(&native->machine, thread);
    if (native->machine.interrupted || weiri_history_same_request(was, is)) {
        return !native->machine.interrupted;
    }
    native->failure = native->failure != NULL
        ? native->failure
        : g_strdup(
            "an item that reads the same values again behaves differently: it uses the "
            "time, random numbers, or memory that is not the launch's");
    native->program.stopped = true;
    return false;
}

void weiri_history_go_to(struct weiri_native *native, uint32_t thread, uint32_t node)
{
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t root = node;
    while (weiri_history_node(native, root)->parent != WEIRI_NO_HISTORY) {
        g_array_append_val(path, root);
        root = weiri_history_node(native, root)->parent;
    }
    native->n_runs++;
    if (native->ends_us != 0 && native->n_runs % LOOK_EVERY == 0
        && g_get_monotonic_time() >= native->ends_us) {
        native->program.stopped = true;
        return;
    }
    native->machine.prints = false;
    weiri_machine_start(&native->machine, thread);
    bool goes = does_the_same(native, thread, root);
    for (guint i = path->len; i > 0 && goes; i--) {
        uint32_t at = g_array_index(path, uint32_t, i - 1);
        const struct weiri_native_node *to = weiri_history_node(native, at);
        native->machine.prints = i == 1;
        weiri_machine_answer(&native->machine, thread, to->answer, to->fails);
        goes = does_the_same(native, thread, at);
    }
    native->machine.prints = true;
    native->program.stopped |= native->machine.interrupted;
    native->live[thread] = node;
}
