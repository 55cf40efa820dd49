/* SPDX-License-Identifier: MIT
 *
 * stop.c: where items of a deterministic launch stop, and what is noted of it: what the
 * item is about to do, which its next stop settles, and how it came there.
 *
 * Plain accesses to private memory, and what a kernel's loop does around its body, are
 * no stops: nobody else has to do with them. */
#include "config.h"

#include "deterministic/stop.h"

#include "deterministic/livelock.h"
#include "exec/event.h"
#include "exec/launch.h"
#include "exec/worker.h"

#include <string.h>

/* Turns that an item takes one after the other while others could run: one that spins
 * in a way that changes memory, taking and putting back, must not keep them waiting. */
enum { LONGEST_STRETCH = 16384 };
/* Each time a little longer, so that it is not always caught with what it took. */
enum { LONGER = 61 };

void weiri_stop_init(struct weiri_turns *turns)
{
    turns->longest = turns->asks ? 0 : LONGEST_STRETCH;
}

/* Where nobody would be asked who is next, it goes on. */
void weiri_stop_slowly(struct weiri_worker *worker, const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_turn *turn = turns->turn;
    struct weiri_group *group = worker->group;
    uint32_t item = weiri_turns_item(turns);
    if (turns->stretch > LONGEST_STRETCH + turns->n_tired % LONGER
        && turns->ready.n + turns->asleep.n > 1) {
        turns->n_tired++;
        turns->longest = turns->asks ? 0 : LONGEST_STRETCH + turns->n_tired % LONGER;
        weiri_livelock_tire(group, item);
    }
    if (!turns->asks && turn->state != WEIRI_ITEM_SPINS
        && !weiri_turns_must_end(turns)) {
        turns->n_decisions += turns->ready.n > 1;
        turns->step++;
        return;
    }
    if (turn->state == WEIRI_ITEM_SPINS) {
        size_t bytes;
        const char *low
            = weiri_stacks_bounds(&worker->stacks, group->stack[item], &bytes);
        turns->fingerprint = weiri_backtrace_fingerprint(caller, low + bytes);
    }
    weiri_turns_stop(worker, group, item, WEIRI_CAME_STOPPED);
}

void weiri_stop_atomic(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                       const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_turn *turn = turns->turn;
    weiri_livelock_settle(turns);
    turn->site = op->site;
    turn->pc = op->site == NULL ? op->pc : NULL;
    turn->address = op->address;
    turn->bytes = op->bytes;
    turn->operation = (uint8_t)op->kind;
    if (!turns->blocks) {
        turn->history
            = weiri_trails_after(&turns->trails, turn->history,
                                 op->site != NULL ? (const void *)op->site : op->pc,
                                 op->site != NULL, NULL, false);
    }
    /* Nobody asks for the effect before this item's next stop. */
    turn->effect = op->kind == WEIRI_ATOMIC_LOAD || op->kind == WEIRI_ATOMIC_FENCE
        ? WEIRI_EFFECT_NONE
        : WEIRI_EFFECT_CHANGED;
    weiri_stop_before(worker, caller);
}

/* What the item has done in the block that it is in, which is pending: it joins the
 * history with the next block, since only what was done last is near to where items
 * part. Or NULL. */
static const void *pending(const struct weiri_turns *turns,
                           const struct weiri_turn *turn, bool *is_site)
{
    *is_site = turn->pc == NULL;
    if (*is_site) {
        return turn->site;
    }
    return turn->pc != turns->trails.nodes[turn->history].place ? turn->pc : NULL;
}

void weiri_stop_new_block(struct weiri_turns *turns, const void *pc)
{
    struct weiri_turn *turn = turns->turn;
    turns->blocks = true;
    if (turns->begun) {
        bool is_site;
        const void *last = pending(turns, turn, &is_site);
        turn->history = weiri_trails_after(&turns->trails, turn->history, pc, false,
                                           last, is_site);
        turn->pc = pc;
    }
}

void weiri_stop_return(struct weiri_turns *turns, struct weiri_turn *turn)
{
    bool is_site;
    const void *last = pending(turns, turn, &is_site);
    if (last != NULL && !is_site) {
        turn->history = weiri_trails_after(&turns->trails, turn->history, last, false,
                                           NULL, false);
    }
}

void weiri_stop_fruitless(struct weiri_worker *worker)
{
    worker->turns->turn->effect = WEIRI_EFFECT_FRUITLESS;
}

struct path_call {
    struct weiri_turns *turns;
    const struct weiri_backtrace *calls;
    uint32_t path;
};

static void find_path(void *data)
{
    struct path_call *call = data;
    call->path = weiri_trails_path(&call->turns->trails, call->calls,
                                   call->turns->launch->place_of);
}

/* A site in a function of its own: by which calls the item came there. */
static __attribute__((noinline)) uint32_t path_to(struct weiri_worker *worker,
                                                  const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_backtrace calls;
    weiri_backtrace_capture(&calls, caller,
                            (const void *)(uintptr_t)worker->launch->entry);
    struct path_call call
        = { turns, &calls, weiri_trails_known(&turns->trails, &calls) };
    if (call.path == UINT32_MAX) {
        weiri_turns_on_hub(worker, find_path, &call);
    }
    return call.path;
}

/* Whether @site lies in the kernel's own body, called K__body for kernel K. */
static bool in_body(struct weiri_turns *turns, const struct weir_site *site)
{
    if (site == turns->body_site) {
        return true;
    }
    const char *kernel = turns->launch->kernel->name;
    size_t length = strlen(kernel);
    if (strncmp(site->function, kernel, length) != 0
        || strcmp(site->function + length, "__body") != 0) {
        return false;
    }
    turns->body_site = site;
    return true;
}

uint32_t weiri_stop_arrive(struct weiri_worker *worker, uint64_t op,
                           const struct weir_site *site, const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_group *group = worker->group;
    uint32_t item = weiri_turns_item(worker->turns);
    struct weiri_turn *turn = &group->turn[item];
    if (turn->effect != WEIRI_EFFECT_NONE) {
        weiri_livelock_settle(turns);
    }
    weiri_livelock_progress(turns);
    turn->n_stops++;
    turn->site = site;
    turn->pc = NULL;
    turn->op = op;
    turn->address = NULL;
    turn->operation = WEIRI_MEETS;
    turn->path = in_body(turns, site) ? 0 : path_to(worker, caller);
    return turn->path;
}
