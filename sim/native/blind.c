/* SPDX-License-Identifier: MIT
 *
 * blind.c: see blind.h.
 *
 * Whether the result of an atomic operation is used is found by running the item with
 * several results. If it then reaches the same stops in the same private state, with
 * the same values written and compared, it has not used them. One such run goes on
 * through all operations that may be blind. Reads return the current contents of
 * memory, so that one run decides about many operations, as long as reads do return
 * these values. */
#include "config.h"

#include "native/blind.h"

#include "exec/finding.h"
#include "native/history.h"

/* The kind of operations that commute with this one; 0: none do. Values are of
 * integers: additions of others depend on their order. */
static uint8_t blind_kind(const struct weiri_atomic_op *op)
{
    if (op->type == WEIRI_TYPE_f32 || op->type == WEIRI_TYPE_f64) {
        return 0;
    }
    switch (op->kind) {
    case WEIRI_ATOMIC_FETCH_ADD:
    case WEIRI_ATOMIC_FETCH_SUB:
        return WEIRI_ATOMIC_FETCH_ADD;
    case WEIRI_ATOMIC_FETCH_AND:
    case WEIRI_ATOMIC_FETCH_OR:
    case WEIRI_ATOMIC_FETCH_XOR:
        return (uint8_t)op->kind;
    case WEIRI_ATOMIC_FETCH_MIN:
    case WEIRI_ATOMIC_FETCH_MAX:
        return (uint8_t)(op->kind << 3 | op->type);
    default:
        return 0;
    }
}

static bool may_be_blind(const struct weiri_native *native,
                         const struct weiri_request *request)
{
    if (request->kind != WEIRI_REQUEST_ATOMIC || blind_kind(&request->atomic) == 0) {
        return false;
    }
    const struct weiri_native_cell *cell
        = weiri_cell_at(&native->machine.cells, request->cell);
    return !g_hash_table_contains(native->ordered, cell->object)
        && !(native->blind == WEIRI_BLIND_EXACT
             && weiri_step_acquires(request->atomic.order));
}

void weiri_blind_order(struct weiri_native *native, uint32_t cell)
{
    const struct weiri_object *object
        = weiri_cell_at(&native->machine.cells, cell)->object;
    g_hash_table_add(native->ordered, (void *)object);
    native->again = native->program.stopped = true;
}

/* Any result, a different one in each run; in the first run, the value that memory has
 * at the start. */
static int64_t any_result(const struct weiri_native *native, uint32_t cell,
                          unsigned run, uint32_t request)
{
    const struct weiri_native_cell *at = weiri_cell_at(&native->machine.cells, cell);
    uint64_t all = UINT64_MAX >> (64 - 8 * at->bytes);
    uint64_t other = run == 1 ? UINT64_MAX : (request + 1) * 0x9e3779b97f4a7c15;
    return (int64_t)(run == 0 ? (uint64_t)at->initial
                              : ((uint64_t)at->initial ^ (other >> 5)) & all);
}

/* Lets the item go on from where it stands with results of @run, as far as it makes
 * requests whose results it may not use, and reads. Returns: how many requests it has
 * made before one whose result it has used; at most @most */
static uint32_t try_results(struct weiri_native *native, uint32_t thread, unsigned run,
                            uint32_t guesses, uint32_t most)
{
    struct weiri_machine *machine = &native->machine;
    uint32_t latest = 0; /* of those that may be blind */
    for (uint32_t k = 0; k < most; k++) {
        const struct weiri_request *request = weiri_machine_request(machine, thread);
        bool blind = may_be_blind(native, request);
        if (!blind && request->kind > WEIRI_REQUEST_WRITE
            && request->kind != WEIRI_REQUEST_FENCE) {
            return k;
        }
        if (run == 0) {
            int64_t guess = request->kind == WEIRI_REQUEST_READ
                ? weiri_cell_read(weiri_cell_at(&machine->cells, request->cell))
                : 0;
            g_array_append_val(native->guesses, guess);
        }
        latest = blind ? k : latest;
        weiri_machine_answer(machine, thread,
                             blind
                                 ? any_result(native, request->cell, run, k)
                                 : g_array_index(native->guesses, int64_t, guesses + k),
                             false);
        if (machine->trace->differs || weiri_machine_is_over(machine)) {
            return latest;
        }
    }
    return most;
}

/* How many requests from @node on, where the item stands, it makes regardless of the
 * results that it gets; guesses are added. It stands elsewhere afterwards. */
static uint32_t count_known(struct weiri_native *native, uint32_t thread, uint32_t node)
{
    enum { RUNS = 3, MOST = 1 << 14 };
    struct weir_report *report = native->machine.hub.launch->report;
    struct weiri_machine_trace trace
        = { .stops = g_array_new(FALSE, FALSE, sizeof(uint64_t)) };
    uint32_t n = MOST, guesses = native->guesses->len;
    for (unsigned run = 0; run < RUNS && n > 0 && !native->program.stopped; run++) {
        if (run > 0) {
            weiri_history_go_to(native, thread, node);
        }
        trace.compares = run > 0;
        trace.at = 0;
        weiri_report_mute(report, true);
        native->machine.trace = &trace;
        if (!native->program.stopped) {
            n = try_results(native, thread, run, guesses, n);
        }
        native->machine.trace = NULL;
        weiri_report_mute(report, false);
    }
    g_array_unref(trace.stops);
    native->live[thread] = WEIRI_NO_HISTORY;
    return n;
}

void weiri_blind_look(struct weiri_native *native, uint32_t thread, uint32_t at)
{
    const struct weiri_request request = *weiri_history_request(native, at);
    if (!may_be_blind(native, &request)) {
        native->acquires |= request.kind == WEIRI_REQUEST_FENCE
            && weiri_step_acquires(request.atomic.order)
            && weiri_history_node(native, at)->after_blind;
        return;
    }
    native->may_be_blind = true;
    if (native->blind == WEIRI_BLIND_NONE || native->blind == WEIRI_BLIND_NEVER
        || native->program.stopped) {
        return;
    }
    if (weiri_history_node(native, at)->n_known == 0) {
        weiri_history_node(native, at)->guesses = native->guesses->len;
        uint32_t n_known = count_known(native, thread, at);
        weiri_history_node(native, at)->n_known = n_known;
    }
    struct weiri_native_cell *cell
        = weiri_cell_at(&native->machine.cells, request.cell);
    if (weiri_history_node(native, at)->n_known > 0) {
        uint8_t kind = blind_kind(&request.atomic);
        if (cell->blind != 0 && cell->blind != kind) {
            weiri_blind_order(native, request.cell);
            return;
        }
        cell->blind = kind;
        weiri_history_node(native, at)->step.kind = WEIRI_STEP_BLIND;
        native->acquires |= weiri_step_acquires(request.atomic.order);
    }
}
