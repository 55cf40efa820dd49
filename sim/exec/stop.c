/* SPDX-License-Identifier: MIT
 *
 * stop.c: where items of a deterministic launch stop, and what is noted of it: what the
 * item is about to do, which its next stop settles, and how it came there.
 *
 * Plain accesses to private memory, and what a kernel's loop does around its body, are
 * no stops: nobody else has to do with them. */
#include "config.h"

#include "exec/stop.h"

#include "exec/event.h"
#include "exec/launch.h"
#include "exec/spin.h"
#include "exec/worker.h"

#include <string.h>

/* Turns that an item takes one after the other while others could run: one that spins
 * in a way that changes memory, taking and putting back, must not keep them waiting. */
enum { LONGEST_STRETCH = 16384 };
/* Each time a little longer, so that it is not always caught with what it took. */
enum { LONGER = 61 };

/* A stop at which the item could go on; its kernel's code does so at @caller. Where
 * nobody would be asked who is next, it goes on. */
static void stop_before_operation(struct weiri_worker *worker,
                                  struct weiri_group *group, uint32_t item,
                                  const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_turn *turn = &group->turn[item];
    turn->n_stops++;
    if (++turns->stretch > LONGEST_STRETCH + turns->n_tired % LONGER
        && turns->ready.n + turns->asleep.n > 1) {
        turns->n_tired++;
        weiri_spin_tire(group, item);
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
        turns->fingerprint = weiri_trails_fingerprint(caller, low + bytes);
    }
    weiri_turns_stop(worker, group, item, WEIRI_CAME_STOPPED);
}

void weiri_stop_atomic(struct weiri_worker *worker, const struct weiri_atomic_op *op,
                       const void *caller)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_group *group = worker->group;
    uint32_t item = weiri_turns_item(worker->turns);
    struct weiri_turn *turn = &group->turn[item];
    weiri_spin_settle(turns, group, item);
    turn->site = op->site;
    turn->pc = op->site == NULL ? op->pc : turn->pc;
    turn->address = op->address;
    turn->bytes = op->bytes;
    turn->operation = (uint8_t)op->kind;
    turn->history = weiri_trails_after(
        &turns->trails, turn->history,
        op->site != NULL ? (const void *)op->site : op->pc, op->site != NULL);
    /* Nobody asks for the effect before this item's next stop. */
    turn->effect = op->kind == WEIRI_ATOMIC_LOAD || op->kind == WEIRI_ATOMIC_FENCE
        ? WEIRI_EFFECT_NONE
        : WEIRI_EFFECT_CHANGED;
    stop_before_operation(worker, group, item, caller);
}

void weiri_stop_did(struct weiri_worker *worker, bool stored, bool changed)
{
    struct weiri_turn *turn = &worker->group->turn[weiri_turns_item(worker->turns)];
    turn->effect = changed ? WEIRI_EFFECT_CHANGED
        : stored           ? WEIRI_EFFECT_NONE
                           : WEIRI_EFFECT_FRUITLESS;
}

void weiri_stop_block(struct weiri_worker *worker, const void *pc)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_turn *turn = &worker->group->turn[weiri_turns_item(worker->turns)];
    if (turns->begun) {
        turn->pc = pc;
        turn->history = weiri_trails_after(&turns->trails, turn->history, pc, false);
    }
}

void weiri_stop_fruitless(struct weiri_worker *worker)
{
    worker->group->turn[weiri_turns_item(worker->turns)].effect
        = WEIRI_EFFECT_FRUITLESS;
}

/* Private memory, which others have no business with, is no reason to stop. */
void weiri_stop_access(struct weiri_worker *worker, const volatile void *address,
                       size_t bytes, unsigned access, const void *pc)
{
    struct weiri_turns *turns = worker->turns;
    struct weiri_group *group = worker->group;
    uint32_t item = weiri_turns_item(worker->turns);
    struct weiri_turn *turn = &group->turn[item];
    if (!turns->begun) {
        return; /* the loop around the kernel's body */
    }
    turn->pc = pc;
    turn->history = weiri_trails_after(&turns->trails, turn->history, pc, false);
    if (weiri_stacks_find(&worker->stacks, (const void *)address, NULL)
        != WEIRI_NO_STACK) {
        return;
    }
    weiri_spin_settle(turns, group, item);
    turn->site = NULL;
    turn->address = address;
    turn->bytes = (uint32_t)bytes;
    bool writes = (access & WEIRI_ACCESS_WRITE) != 0;
    turn->operation = writes ? WEIRI_WRITES : WEIRI_READS;
    turn->effect = writes ? WEIRI_EFFECT_CHANGED : WEIRI_EFFECT_FRUITLESS;
    stop_before_operation(worker, group, item, pc);
}

struct path_call {
    struct weiri_turns *turns;
    const struct weiri_calls *calls;
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
    struct weiri_calls calls;
    weiri_trails_capture(&calls, caller,
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
        weiri_spin_settle(turns, group, item);
    }
    weiri_spin_progress(turns, group, item);
    turn->n_stops++;
    turn->site = site;
    turn->op = op;
    turn->address = NULL;
    turn->operation = WEIRI_MEETS;
    turn->path = in_body(turns, site) ? 0 : path_to(worker, caller);
    return turn->path;
}
