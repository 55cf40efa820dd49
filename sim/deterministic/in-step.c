/* SPDX-License-Identifier: MIT
 *
 * in-step.c: see in-step.h.
 *
 * An item that stops before an operation or a comparison, or where it enters a block
 * of its code, is *paused*. When no item of a sub-group runs any more, the paused ones
 * that are furthest back take one step each. That is the *step* of the sub-group:
 *
 *     v[i] += v[i + 8];      items 0-31 read v[i + 8], then all read v[i], then all
 *                            write: three steps, which have 32 items each
 *     if (i < 4) f();        items 0-3 come first: their code is further back than
 *     g();                   what follows, where the others are paused
 *
 * Furthest back is the lowest address in the outermost function in which they differ:
 * a block comes after those that lead to it, but for loops. An item that goes round a
 * loop once more is further back than one that has left it, so that all leave it before
 * any goes on, and the sides of an `if` come one after the other. Blocks and
 * comparisons are stops, since an item may have no operation on its way from one
 * iteration to the next: it must not overtake those that have. (The compiler reports a
 * block only if others do not imply it, but the end of a loop mostly compares.)
 *
 * In which order the items of one step run is up to the schedule, and so is the order
 * of the sub-groups: hardware promises neither.
 *
 * Each step is an event, so that the race detector knows what the steps order.
 *
 * Invariants: an item that is paused is not ready. A sub-group that has a paused item
 * has a ready one, too, or @strayed is set. Addresses are compared within one program,
 * so that each run of it has the same order. */
#include "config.h"

#include "deterministic/in-step.h"

/* The code that an item is before. */
struct weiri_step_place {
    const void *pc;
    uint32_t calls;
};

/* ---- Which items take the next step -------------------------------------- */

/* Whether @a is further back than @b. A call is at the place that it returns to. */
static bool is_behind(const struct weiri_in_step *steps,
                      const struct weiri_step_place *a,
                      const struct weiri_step_place *b)
{
    const struct weiri_call_tree *tree = steps->hub->launch->call_tree;
    struct weiri_backtrace one = { 1, { a->pc } }, other = { 1, { b->pc } };
    if (a->calls != b->calls) {
        weiri_call_tree_list(tree, a->calls, a->pc, &one);
        weiri_call_tree_list(tree, b->calls, b->pc, &other);
    }
    while (one.n > 1 && other.n > 1 && one.pc[one.n - 1] == other.pc[other.n - 1]) {
        one.n--;
        other.n--;
    }
    return (uintptr_t)one.pc[one.n - 1] < (uintptr_t)other.pc[other.n - 1];
}

static bool is_one_place(const struct weiri_step_place *a,
                         const struct weiri_step_place *b)
{
    return a->pc == b->pc && a->calls == b->calls;
}

/* The paused items of a sub-group that are furthest back, a bit each from its first. */
static uint64_t next_of(const struct weiri_in_step *steps, struct weiri_members members)
{
    const struct weiri_step_place *best = NULL;
    uint64_t mask = 0;
    for (uint32_t id = members.first; id < members.end; id++) {
        if (!weiri_id_set_has(&steps->paused, id)) {
            continue;
        }
        const struct weiri_step_place *place = &steps->places[id];
        if (best == NULL || is_behind(steps, place, best)) {
            best = place;
            mask = 0;
        }
        mask |= is_one_place(place, best) ? UINT64_C(1) << (id - members.first) : 0;
    }
    return mask;
}

/* ---- Steps ---------------------------------------------------------------- */

/* The items of @mask take a step. */
static void emit(const struct weiri_in_step *steps, uint32_t first, uint64_t mask)
{
    struct weiri_worker *worker = steps->hub->worker;
    struct weiri_group *running = worker->group;
    worker->group = weiri_hub_group(steps->hub, first);
    weiri_worker_emit(worker, WEIRI_EVENT_STEP, weiri_hub_index(steps->hub, first),
                      mask, NULL);
    worker->group = running;
}

void weiri_in_step_alone(struct weiri_in_step *steps, uint32_t id)
{
    struct weiri_members members = weiri_hub_members(steps->hub, id);
    emit(steps, members.first, UINT64_C(1) << (id - members.first));
}

static bool settle(struct weiri_in_step *steps, struct weiri_members members)
{
    for (uint32_t id = members.first; id < members.end; id++) {
        if (weiri_id_set_has(steps->ready, id)) {
            return false;
        }
    }
    uint64_t mask = next_of(steps, members);
    if (mask != 0) {
        emit(steps, members.first, mask);
    }
    for (uint32_t id = members.first; id < members.end; id++) {
        if ((mask >> (id - members.first) & 1) != 0) {
            weiri_id_set_remove(&steps->paused, id);
            steps->wake(steps->self, id);
        }
    }
    return mask != 0;
}

void weiri_in_step_settle(struct weiri_in_step *steps, uint32_t id)
{
    if (steps->strayed) {
        (void)weiri_in_step_settle_all(steps);
    } else if (steps->paused.count[id >> steps->hub->shift] > 0) {
        (void)settle(steps, weiri_hub_members(steps->hub, id));
    }
}

bool weiri_in_step_settle_all(struct weiri_in_step *steps)
{
    bool any = false;
    steps->strayed = false;
    for (uint32_t k = 0; k < steps->paused.n_order; k++) {
        uint32_t slot = steps->paused.order[k];
        const struct weiri_group *group = steps->hub->slots[slot];
        uint32_t first = weiri_hub_id(steps->hub, group, 0), id = first;
        while (steps->paused.count[slot] > 0 && id < first + group->items) {
            struct weiri_members members = weiri_hub_members(steps->hub, id);
            any |= settle(steps, members);
            id = members.end;
        }
    }
    return any;
}

void weiri_in_step_note(struct weiri_in_step *steps, uint32_t id)
{
    steps->places[id]
        = (struct weiri_step_place){ steps->hub->caller, weiri_hub_calls(steps->hub) };
}

void weiri_in_step_pause(struct weiri_in_step *steps, uint32_t id)
{
    weiri_id_set_add(&steps->paused, id);
}

void weiri_in_step_stray(struct weiri_in_step *steps, uint32_t id)
{
    steps->strayed = true;
    weiri_in_step_pause(steps, id);
}

/* ---- Groups and launches --------------------------------------------------- */

void weiri_in_step_admit(struct weiri_in_step *steps, const struct weiri_group *group)
{
    weiri_id_set_admit(&steps->paused, group->slot);
}

void weiri_in_step_dismiss(struct weiri_in_step *steps, const struct weiri_group *group)
{
    weiri_id_set_dismiss(&steps->paused, group->slot);
}

/* Without the hooks of a checked entry an item's accesses are not stops. */
bool weiri_in_step_wanted(const struct weiri_launch *launch)
{
    return launch->in_step && launch->entry == launch->kernel->checked
        && launch->call_tree != NULL;
}

void weiri_in_step_init(struct weiri_in_step *steps, struct weiri_hub *hub,
                        const struct weiri_id_set *ready,
                        void (*wake)(void *self, uint32_t id), void *self)
{
    *steps = (struct weiri_in_step){
        .hub = hub,
        .ready = ready,
        .wake = wake,
        .self = self,
        .places = g_new0(struct weiri_step_place, (size_t)hub->n_slots << hub->shift),
    };
    weiri_id_set_init(&steps->paused, hub->n_slots, 1u << hub->shift);
}

void weiri_in_step_clear(struct weiri_in_step *steps)
{
    weiri_id_set_clear(&steps->paused);
    g_free(steps->places);
}
