/* SPDX-License-Identifier: MIT
 *
 * lockstep.c: see lockstep.h.
 *
 * An item's *track* is the loops that it is in, as statements of the source, with the
 * number of the iteration of each. Its stops lead from loop to loop, and so do the
 * blocks and the comparisons of its code, where the kernel reports them; these count
 * iterations without a stop.
 *
 * An item that reaches its first operation outside of a loop is masked there. It can
 * run again when no item of its sub-group can run and none is in *that* loop:
 *
 *     while (!try_lock());   <- the others: go round, fruitlessly, and fall asleep
 *     n++;                   <- item 0: masked, as others are in the loop
 *     unlock();              <- what they wait for
 *
 * The loop must be the same one in the same iteration of the loops around it. In
 * `for (turn…) if (lane == turn) { while (!try_lock()); … }` no item waits for another
 * one, since they enter the inner loop in iterations of their own. And the items must
 * have taken the same code: where a compiler unrolls the outer loop it has no
 * iterations to count, but each has an inner loop at an address of its own.
 *
 * Nothing is masked at the end of an iteration, nor where the sides of an `if` meet: a
 * kernel that hangs for these reasons hangs on some hardware only.
 *
 * Where nothing can run but masked items, they are freed, on *trial*. If an item that
 * spins then leaves its loop, the loop was left too late: a hang of lockstep, and it
 * waited for the latest write of the items that were freed. If not, the kernel hangs
 * for another reason, which is reported as ever.
 *
 * Invariant: no decision rests on an address: places are compared, never ordered. */
#include "config.h"

#include "deterministic/lockstep.h"

#include "deterministic/stuck.h"
#include "exec/loops.h"

#include <string.h>

/* Loops that are nested deeper are taken for the one around them. */
enum { MOST_LOOPS = 8 };
/* Places of one iteration, of which the first to come again begins the next one. */
enum { MOST_SEEN = 16 };
/* Operations in a loop that are kept to recognise its code. */
enum { MOST_STOPS = 8 };
/* Steps after which a masked item whose sub-group still runs is looked at: the others
 * may be in a wait that changes memory. */
enum { PATIENCE = 1 << 17 };

/* A loop that an item is in. */
struct level {
    uint32_t loop;
    uint32_t iteration;
    uint32_t n_seen, n_stops;
    const void *seen[MOST_SEEN];   /* in this iteration, in this very loop */
    const void *stops[MOST_STOPS]; /* in any iteration, in inner loops too */
};

struct weiri_lockstep_track {
    struct level levels[MOST_LOOPS]; /* the outermost first */
    uint32_t n;
    struct level left; /* the outermost loop that the item has left since its latest
                          stop, where it did anything there, */
    bool has_left;
    bool has_met;   /* at a rendezvous since: they are together, whichever loops they
                       have left */
    uint32_t depth; /* how many loops were around it, */
    uint32_t above[MOST_LOOPS]; /* and their iterations then */
};

static struct weiri_hub_item *item_of(const struct weiri_lockstep *lockstep,
                                      uint32_t id)
{
    return &weiri_hub_group(lockstep->hub, id)
                ->hub_items[weiri_hub_index(lockstep->hub, id)];
}

/* ---- Tracks -------------------------------------------------------------- */

static void add_once(const void **places, uint32_t *n, uint32_t most, const void *place)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (places[i] == place) {
            return;
        }
    }
    if (*n < most) {
        places[(*n)++] = place;
    }
}

static void see(struct level *level, const void *place)
{
    for (uint32_t i = 0; i < level->n_seen; i++) {
        if (level->seen[i] == place) {
            level->iteration++;
            level->n_seen = 0;
            break;
        }
    }
    if (level->n_seen < MOST_SEEN) {
        level->seen[level->n_seen++] = place;
    }
}

static void leave_level(struct weiri_lockstep_track *track)
{
    const struct level *level = &track->levels[--track->n];
    if (level->n_stops == 0) {
        return;
    }
    track->left = *level;
    track->has_left = true;
    track->depth = track->n;
    for (uint32_t i = 0; i < track->n; i++) {
        track->above[i] = track->levels[i].iteration;
    }
}

/* Whether the loops around @track->left are in the iterations that @levels say. */
static bool is_same_instance(const struct weiri_lockstep_track *track,
                             const struct level *levels)
{
    for (uint32_t i = 0; i < track->depth; i++) {
        if (track->above[i] != levels[i].iteration) {
            return false;
        }
    }
    return true;
}

/* A place of code that lies beside its loop may have looked like the end of it. */
static void enter_level(struct weiri_lockstep_track *track, uint32_t loop)
{
    struct level *level = &track->levels[track->n++];
    if (track->has_left && track->depth == track->n - 1 && track->left.loop == loop
        && is_same_instance(track, track->levels)) {
        *level = track->left;
        track->has_left = false;
    } else {
        *level = (struct level){ .loop = loop };
    }
}

/* The item is at @place, which is in @loop. */
static void move(struct weiri_lockstep *lockstep, struct weiri_lockstep_track *track,
                 uint32_t loop, const void *place, bool is_stop)
{
    const struct weiri_loops *loops = lockstep->hub->launch->loops;
    uint32_t chain[MOST_LOOPS], n = 0;
    for (uint32_t at = loop; at != WEIRI_LOOP_NONE;
         at = weiri_loops_around(loops, at)) {
        n++;
    }
    uint32_t depth = n;
    for (uint32_t at = loop; at != WEIRI_LOOP_NONE;
         at = weiri_loops_around(loops, at)) {
        if (--depth < MOST_LOOPS) {
            chain[depth] = at;
        }
    }
    bool whole = n <= MOST_LOOPS;
    n = MIN(n, MOST_LOOPS);
    uint32_t common = 0;
    while (common < MIN(n, track->n) && track->levels[common].loop == chain[common]) {
        common++;
    }
    while (track->n > common) {
        leave_level(track);
    }
    while (track->n < n) {
        enter_level(track, chain[track->n]);
    }
    if (n > 0 && whole) {
        see(&track->levels[n - 1], place);
    }
    for (uint32_t i = 0; is_stop && i < n; i++) {
        add_once(track->levels[i].stops, &track->levels[i].n_stops, MOST_STOPS, place);
    }
}

/* ---- Places -------------------------------------------------------------- */

struct look_up {
    struct weiri_lockstep *lockstep;
    const struct weiri_backtrace *calls;
    bool is_stop;
    uint32_t loop;
};

/* A function reports that it returns before its last block. The first block after a
 * call belongs to the function that was called. */
static bool is_of_callee(struct weiri_lockstep *lockstep,
                         const struct weiri_backtrace *calls)
{
    void *key = GUINT_TO_POINTER(weiri_hub_calls(lockstep->hub) + 1);
    const void *function = weiri_backtrace_function(calls->pc[0]);
    const void *own = g_hash_table_lookup(lockstep->functions, key);
    if (own == NULL) {
        g_hash_table_insert(lockstep->functions, key, (void *)function);
    }
    return own == NULL || own == function;
}

static void look_up(void *data)
{
    struct look_up *one = data;
    one->loop = one->is_stop || is_of_callee(one->lockstep, one->calls)
        ? weiri_loops_at(one->lockstep->hub->launch->loops, one->calls)
        : WEIRI_LOOP_UNKNOWN;
    g_hash_table_insert(one->lockstep->loops,
                        g_memdup2(one->calls, sizeof(*one->calls)),
                        GUINT_TO_POINTER(one->loop));
}

/* The loop that the running item is in at @pc. */
static uint32_t loop_at(struct weiri_lockstep *lockstep, const void *pc, bool is_stop)
{
    struct weiri_hub *hub = lockstep->hub;
    const struct weiri_launch *launch = hub->launch;
    struct weiri_backtrace calls;
    if (hub->calls != NULL && launch->entry == launch->kernel->checked) {
        weiri_call_tree_list(launch->call_tree, weiri_hub_calls(hub), pc, &calls);
    } else {
        weiri_backtrace_capture(&calls, pc, (const void *)(uintptr_t)launch->entry);
    }
    void *loop;
    if (g_hash_table_lookup_extended(lockstep->loops, &calls, NULL, &loop)) {
        return GPOINTER_TO_UINT(loop);
    }
    struct look_up one = { lockstep, &calls, is_stop, WEIRI_LOOP_UNKNOWN };
    weiri_hub_call(hub, look_up, &one);
    return one.loop;
}

/* Returns: the running item's track, or NULL where it is in no loop and was in none */
static struct weiri_lockstep_track *come(struct weiri_lockstep *lockstep,
                                         const void *pc, bool is_stop)
{
    struct weiri_lockstep_track **track = &lockstep->tracks[lockstep->hub->current];
    uint32_t loop = loop_at(lockstep, pc, is_stop);
    if (*track == NULL && loop != WEIRI_LOOP_NONE && loop != WEIRI_LOOP_UNKNOWN) {
        *track = g_new0(struct weiri_lockstep_track, 1);
    }
    if (*track != NULL && loop != WEIRI_LOOP_UNKNOWN) {
        move(lockstep, *track, loop, pc, is_stop);
        (*track)->has_left &= !(*track)->has_met;
        (*track)->has_met = false;
    }
    return *track;
}

void weiri_lockstep_place(struct weiri_lockstep *lockstep, const void *pc)
{
    come(lockstep, pc, false);
}

bool weiri_lockstep_before(struct weiri_lockstep *lockstep,
                           const struct weiri_stop *stop)
{
    struct weiri_lockstep_track *track = come(lockstep, lockstep->hub->caller, true);
    /* Iterations without a stop count only if the code reports its blocks. */
    bool masked = track != NULL && track->has_left && lockstep->held == NULL
        && (track->depth == 0 || lockstep->hub->blocks)
        && weiri_id_set_has(lockstep->ready, stop->id);
    if (masked) {
        if (lockstep->masked.n == 0) {
            lockstep->patience = lockstep->hub->n_steps + PATIENCE;
        }
        weiri_id_set_add(&lockstep->masked, stop->id);
    }
    return masked;
}

/* ---- Masked items -------------------------------------------------------- */

static bool share_code(const struct level *a, const struct level *b)
{
    for (uint32_t i = 0; i < a->n_stops; i++) {
        for (uint32_t k = 0; k < b->n_stops; k++) {
            if (a->stops[i] == b->stops[k]) {
                return true;
            }
        }
    }
    return false;
}

/* Whether item @id is in the loop that @track has left. */
static bool holds(const struct weiri_lockstep *lockstep, uint32_t id,
                  const struct weiri_lockstep_track *track)
{
    const struct weiri_lockstep_track *other = lockstep->tracks[id];
    return other != NULL && item_of(lockstep, id)->state != WEIRI_ITEM_RETURNED
        && other->n > track->depth
        && other->levels[track->depth].loop == track->left.loop
        && is_same_instance(track, other->levels)
        && share_code(&other->levels[track->depth], &track->left);
}

static bool is_held(const struct weiri_lockstep *lockstep, struct weiri_members members,
                    uint32_t id)
{
    bool held = false;
    for (uint32_t other = members.first; !held && other < members.end; other++) {
        held = other != id && holds(lockstep, other, lockstep->tracks[id]);
    }
    return held;
}

static void unmask(struct weiri_lockstep *lockstep, uint32_t id)
{
    weiri_id_set_remove(&lockstep->masked, id);
    lockstep->tracks[id]->has_left = false;
    lockstep->wake(lockstep->self, id);
}

/* Wakes the masked items of a sub-group that no other one holds. */
static void release(struct weiri_lockstep *lockstep, struct weiri_members members)
{
    for (uint32_t id = members.first; id < members.end; id++) {
        if (weiri_id_set_has(&lockstep->masked, id)
            && !is_held(lockstep, members, id)) {
            unmask(lockstep, id); /* which changes nothing about which item holds
                                   * which */
        }
    }
}

static bool can_run(const struct weiri_lockstep *lockstep, struct weiri_members members)
{
    bool can = false;
    for (uint32_t id = members.first; !can && id < members.end; id++) {
        can = weiri_id_set_has(lockstep->ready, id)
            || (lockstep->paused != NULL && weiri_id_set_has(lockstep->paused, id));
    }
    return can;
}

static void release_all(struct weiri_lockstep *lockstep)
{
    for (uint32_t k = 0; k < lockstep->masked.n_order; k++) {
        const struct weiri_group *group
            = lockstep->hub->slots[lockstep->masked.order[k]];
        uint32_t first = weiri_hub_id(lockstep->hub, group, 0), id = first;
        while (id < first + group->items) {
            struct weiri_members members = weiri_hub_members(lockstep->hub, id);
            release(lockstep, members);
            id = members.end;
        }
    }
    lockstep->patience = lockstep->hub->n_steps + PATIENCE;
}

/* ---- The trial ----------------------------------------------------------- */

/* An item that spins in a loop that others have left, with @depth loops around it. */
struct weiri_lockstep_held {
    uint32_t id, loop, depth;
    struct weiri_stop poll; /* a fruitless operation of the loop */
};

static void end_trial(struct weiri_lockstep *lockstep)
{
    if (lockstep->held != NULL) {
        weiri_draft_clear(&lockstep->draft);
        g_clear_pointer(&lockstep->held, g_array_unref);
        g_clear_pointer(&lockstep->freed, g_array_unref);
    }
}

/* Adds to a trial the items of a sub-group that spin in a loop which others have left,
 * with their stops, and those others. */
static void add_to_trial(struct weiri_lockstep *lockstep, struct weiri_members members,
                         GArray *spinning)
{
    uint64_t is_in = 0;
    for (uint32_t id = members.first; id < members.end; id++) {
        if (!weiri_id_set_has(&lockstep->masked, id)) {
            continue;
        }
        const struct weiri_lockstep_track *track = lockstep->tracks[id];
        bool holding = false;
        for (uint32_t other = members.first; other < members.end; other++) {
            if (!weiri_id_set_has(lockstep->asleep, other)
                || !holds(lockstep, other, track)) {
                continue;
            }
            holding = true;
            if ((is_in >> (other - members.first) & 1) == 0) {
                is_in |= 1ull << (other - members.first);
                const struct weiri_stop *poll = &item_of(lockstep, other)->stop;
                struct weiri_lockstep_held held
                    = { other, track->left.loop, track->depth, *poll };
                g_array_append_val(lockstep->held, held);
                g_array_append_val(spinning, *poll);
            }
        }
        if (holding) {
            g_array_append_val(lockstep->freed, item_of(lockstep, id)->stop);
        }
    }
}

/* Begins the trial of the first sub-group in which items that spin hold others. */
static void begin_trial(struct weiri_lockstep *lockstep)
{
    struct weiri_hub *hub = lockstep->hub;
    g_autoptr(GArray) spinning = g_array_new(FALSE, FALSE, sizeof(struct weiri_stop));
    lockstep->held = g_array_new(FALSE, FALSE, sizeof(struct weiri_lockstep_held));
    lockstep->freed = g_array_new(FALSE, FALSE, sizeof(struct weiri_stop));
    for (uint32_t k = 0; k < lockstep->masked.n_order && spinning->len == 0; k++) {
        const struct weiri_group *group = hub->slots[lockstep->masked.order[k]];
        uint32_t first = weiri_hub_id(hub, group, 0), id = first;
        while (id < first + group->items && spinning->len == 0) {
            struct weiri_members members = weiri_hub_members(hub, id);
            add_to_trial(lockstep, members, spinning);
            id = members.end;
        }
    }
    if (spinning->len > 0) {
        weiri_stuck_begin_lockstep(hub, spinning, &lockstep->draft);
    } else {
        g_clear_pointer(&lockstep->held, g_array_unref);
        g_clear_pointer(&lockstep->freed, g_array_unref);
    }
}

bool weiri_lockstep_try(struct weiri_lockstep *lockstep)
{
    if (lockstep->masked.n == 0) {
        return false;
    }
    begin_trial(lockstep);
    while (lockstep->masked.n > 0) {
        unmask(lockstep, weiri_id_set_first(&lockstep->masked));
    }
    if (lockstep->held != NULL) {
        lockstep->hub->watched = UINT64_MAX;
    }
    return true;
}

static bool is_polled(const struct weiri_lockstep *lockstep,
                      const struct weiri_stop *write)
{
    const volatile char *address = write->address;
    for (guint i = 0; i < lockstep->held->len; i++) {
        const struct weiri_stop *poll
            = &g_array_index(lockstep->held, struct weiri_lockstep_held, i).poll;
        const volatile char *polled = poll->address;
        if (address < polled + poll->bytes && polled < address + write->bytes) {
            return true;
        }
    }
    return false;
}

/* A write of what is polled counts for more than others. */
void weiri_lockstep_changed(struct weiri_lockstep *lockstep,
                            const struct weiri_stop *stop)
{
    for (guint i = 0; lockstep->held != NULL && i < lockstep->freed->len; i++) {
        bool polled = is_polled(lockstep, stop);
        if (g_array_index(lockstep->freed, struct weiri_stop, i).id == stop->id
            && (polled || !lockstep->write_is_polled)) {
            lockstep->write = *stop;
            lockstep->write_is_polled = polled;
        }
    }
}

/* Whether the item at @stop has left the loop in which it held others. */
static void watch_trial(struct weiri_lockstep *lockstep, const struct weiri_stop *stop)
{
    lockstep->hub->watched = UINT64_MAX; /* each change is reported */
    const struct weiri_lockstep_track *track = lockstep->tracks[stop->id];
    for (guint i = 0; i < lockstep->held->len; i++) {
        const struct weiri_lockstep_held *held
            = &g_array_index(lockstep->held, struct weiri_lockstep_held, i);
        lockstep->found |= held->id == stop->id
            && (stop->kind == WEIRI_STOP_RETURNED || track->n <= held->depth
                || track->levels[held->depth].loop != held->loop);
    }
}

void weiri_lockstep_report(struct weiri_lockstep *lockstep)
{
    const struct weiri_stop *write
        = lockstep->write.kind != WEIRI_STOP_NONE ? &lockstep->write : NULL;
    weiri_stuck_end_lockstep(lockstep->hub, &lockstep->draft, lockstep->freed, write);
    end_trial(lockstep);
}

/* ---- Steps --------------------------------------------------------------- */

void weiri_lockstep_settle(struct weiri_lockstep *lockstep,
                           const struct weiri_stop *stop)
{
    struct weiri_lockstep_track *track = lockstep->tracks[stop->id];
    if (lockstep->held != NULL) {
        watch_trial(lockstep, stop);
    }
    if (track != NULL
        && (stop->kind == WEIRI_STOP_WAITS || stop->kind == WEIRI_STOP_COMPLETES)) {
        track->has_met = true;
    }
    if (lockstep->masked.n == 0) {
        return;
    }
    struct weiri_members members = weiri_hub_members(lockstep->hub, stop->id);
    if (lockstep->hub->n_steps >= lockstep->patience) {
        release_all(lockstep);
    } else if (!can_run(lockstep, members)) {
        release(lockstep, members);
    }
}

/* ---- Groups -------------------------------------------------------------- */

bool weiri_lockstep_wanted(const struct weiri_launch *launch)
{
    return launch->loops != NULL && !launch->kernel->hierarchical
        && launch->shape.sub_group_size > 1;
}

void weiri_lockstep_admit(struct weiri_lockstep *lockstep,
                          const struct weiri_group *group)
{
    weiri_id_set_admit(&lockstep->masked, group->slot);
}

void weiri_lockstep_dismiss(struct weiri_lockstep *lockstep,
                            const struct weiri_group *group)
{
    weiri_id_set_dismiss(&lockstep->masked, group->slot);
    uint32_t first = weiri_hub_id(lockstep->hub, group, 0);
    for (uint32_t id = first; id < first + group->items; id++) {
        g_clear_pointer(&lockstep->tracks[id], g_free);
    }
}

void weiri_lockstep_init(struct weiri_lockstep *lockstep, struct weiri_hub *hub,
                         const struct weiri_id_set *ready,
                         const struct weiri_id_set *asleep,
                         const struct weiri_id_set *paused,
                         void (*wake)(void *self, uint32_t id), void *self)
{
    *lockstep = (struct weiri_lockstep){
        .hub = hub,
        .ready = ready,
        .asleep = asleep,
        .paused = paused,
        .wake = wake,
        .self = self,
        .tracks = g_new0(struct weiri_lockstep_track *, hub->n_slots << hub->shift),
        .functions = g_hash_table_new(NULL, NULL),
        .loops = g_hash_table_new_full(weiri_backtrace_hash, weiri_backtrace_equal,
                                       g_free, NULL),
    };
    weiri_id_set_init(&lockstep->masked, hub->n_slots, 1u << hub->shift);
}

void weiri_lockstep_clear(struct weiri_lockstep *lockstep)
{
    end_trial(lockstep);
    for (uint32_t id = 0; id < lockstep->hub->n_slots << lockstep->hub->shift; id++) {
        g_free(lockstep->tracks[id]);
    }
    g_free(lockstep->tracks);
    g_hash_table_unref(lockstep->loops);
    g_hash_table_unref(lockstep->functions);
    weiri_id_set_clear(&lockstep->masked);
}
