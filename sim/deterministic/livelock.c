/* SPDX-License-Identifier: MIT
 *
 * livelock.c: sleeping, waking, and the proof that a spin never ends.
 *
 * An item that spins sleeps until the address of its anchor changes. Where all items
 * that could run are asleep they are woken for some steps each, and looked at: an
 * item's whole private state is its registers and its stack. An item that returns to a
 * state in which it has been, with no change of memory in between, returns to it for
 * ever. Brent's method finds that for any length of the spin's body ("An improved Monte
 * Carlo factorization algorithm", 1980). When it has found a repetition of every item,
 * the launch is stuck.
 *
 * Stores of kernels without instrumentation are not seen. So before the verdict all
 * memory is fingerprinted, every item goes round once more, and memory must be as it
 * was: a wait that counts its tries, in a register or in memory, does not last for
 * ever. */
#include "config.h"

#include "deterministic/livelock.h"

#include "exec/memory.h"

/* ---- Sleeping and waking ------------------------------------------------- */

static struct weiri_spin *spin_of(const struct weiri_livelock *livelock, uint32_t id)
{
    return &weiri_hub_group(livelock->hub, id)
                ->spins[weiri_hub_index(livelock->hub, id)];
}

static struct weiri_hub_item *item_of(const struct weiri_livelock *livelock,
                                      uint32_t id)
{
    return &weiri_hub_group(livelock->hub, id)
                ->hub_items[weiri_hub_index(livelock->hub, id)];
}

static bool sleeps_on(const struct weiri_livelock *livelock, uint32_t id,
                      const struct weiri_stop *by)
{
    const volatile char *address = spin_of(livelock, id)->anchor_address;
    const volatile char *changed = by->address;
    /* an item that is tired of all that it does has no address */
    return address != NULL && address < changed + by->bytes
        && changed < address + item_of(livelock, id)->stop.bytes;
}

static bool is_unproven(const struct weiri_livelock *livelock, uint32_t id,
                        const struct weiri_stop *by)
{
    (void)by;
    return !livelock->proofs[id].proven;
}

/* Wakes the items that @wanted accepts, for the change made at @by if that is not
 * NULL. */
static void wake_those(struct weiri_livelock *livelock,
                       bool (*wanted)(const struct weiri_livelock *livelock,
                                      uint32_t id, const struct weiri_stop *by),
                       const struct weiri_stop *by)
{
    struct weiri_hub *hub = livelock->hub;
    hub->watched = 0;
    for (uint32_t k = 0; k < livelock->asleep.n;) {
        uint32_t id = weiri_id_set_nth(&livelock->asleep, k);
        struct weiri_spin *spin = spin_of(livelock, id);
        if (!wanted(livelock, id, by)) {
            hub->watched |= weiri_hub_watch_bit(spin->anchor_address);
            k++;
            continue;
        }
        weiri_id_set_remove(&livelock->asleep, id);
        livelock->n_proven -= livelock->proofs[id].proven;
        livelock->proofs[id].proven = false;
        livelock->wake(livelock->self, id);
        if (by != NULL) { /* what it waits for may have come: it spins anew */
            item_of(livelock, id)->state = WEIRI_ITEM_RUNS;
            spin->hits = 0;
        }
    }
}

void weiri_livelock_changed(struct weiri_livelock *livelock,
                            const struct weiri_stop *by)
{
    wake_those(livelock, sleeps_on, by);
}

void weiri_livelock_tire(struct weiri_livelock *livelock)
{
    struct weiri_hub *hub = livelock->hub;
    hub->item->state = WEIRI_ITEM_SPINS;
    hub->item->anchored = true;
    *hub->spin = (struct weiri_spin){ .anchor_address = NULL };
    livelock->proofs[hub->current] = (struct weiri_proof){ .power = 0 };
}

void weiri_livelock_rest(struct weiri_livelock *livelock, uint32_t id)
{
    item_of(livelock, id)->anchored = false;
    *spin_of(livelock, id) = (struct weiri_spin){ .anchor_address = NULL };
    livelock->proofs[id] = (struct weiri_proof){ .power = 0 };
    weiri_id_set_add(&livelock->asleep, id);
}

/* ---- The proof ----------------------------------------------------------- */

/* Whether the item is in a state in which it has been before, with nothing but
 * fruitless operations of any item in between. */
static bool repeats(const struct weiri_livelock *livelock, struct weiri_proof *proof,
                    uint64_t fingerprint)
{
    if (proof->power == 0 || proof->epoch != livelock->hub->n_changes) {
        proof->epoch = livelock->hub->n_changes;
        proof->fingerprint = fingerprint;
        proof->power = 1;
        proof->lambda = 0;
        return false;
    }
    if (proof->fingerprint == fingerprint) {
        return true;
    }
    if (++proof->lambda == proof->power) {
        proof->fingerprint = fingerprint;
        proof->power *= 2;
        proof->lambda = 0;
    }
    return false;
}

void weiri_livelock_sleep(struct weiri_livelock *livelock, uint32_t id,
                          uint64_t fingerprint)
{
    struct weiri_proof *proof = &livelock->proofs[id];
    weiri_id_set_add(&livelock->asleep, id);
    livelock->hub->watched
        |= weiri_hub_watch_bit(spin_of(livelock, id)->anchor_address);
    proof->proven = repeats(livelock, proof, fingerprint);
    livelock->n_proven += proof->proven;
}

static uint64_t fingerprint_memory(const struct weiri_livelock *livelock)
{
    const struct weiri_id_set *asleep = &livelock->asleep;
    uint64_t hash = weiri_memory_fingerprint(livelock->hub->launch->device);
    for (uint32_t i = 0; i < asleep->n_order; i++) {
        const struct weiri_group *group = livelock->hub->slots[asleep->order[i]];
        hash = weiri_fingerprint(hash, group->local_memory, group->local_bytes_used);
    }
    return hash;
}

static void unprove_all(struct weiri_livelock *livelock)
{
    for (uint32_t k = 0; k < livelock->asleep.n; k++) {
        struct weiri_proof *proof
            = &livelock->proofs[weiri_id_set_nth(&livelock->asleep, k)];
        proof->proven = false;
        proof->power = 0;
    }
    livelock->n_proven = 0;
}

bool weiri_livelock_wake(struct weiri_livelock *livelock)
{
    if (livelock->asleep.n == 0) {
        return false;
    }
    if (livelock->n_proven == livelock->asleep.n) {
        uint64_t memory = fingerprint_memory(livelock);
        if (livelock->confirming == livelock->hub->n_changes
            && memory == livelock->memory) {
            return false;
        }
        livelock->confirming = livelock->hub->n_changes;
        livelock->memory = memory;
        unprove_all(livelock);
    }
    wake_those(livelock, is_unproven, NULL);
    return true;
}

void weiri_livelock_again(struct weiri_livelock *livelock)
{
    unprove_all(livelock);
    livelock->confirming = UINT64_MAX;
}

/* ---- Groups -------------------------------------------------------------- */

void weiri_livelock_admit(struct weiri_livelock *livelock,
                          const struct weiri_group *group)
{
    weiri_id_set_admit(&livelock->asleep, group->slot);
    for (uint32_t i = 0; i < group->items; i++) {
        livelock->proofs[weiri_hub_id(livelock->hub, group, i)]
            = (struct weiri_proof){ .power = 0 };
    }
}

void weiri_livelock_dismiss(struct weiri_livelock *livelock,
                            const struct weiri_group *group)
{
    for (uint32_t i = 0; i < group->items; i++) {
        livelock->n_proven
            -= livelock->proofs[weiri_hub_id(livelock->hub, group, i)].proven;
    }
    weiri_id_set_dismiss(&livelock->asleep, group->slot);
}

void weiri_livelock_init(struct weiri_livelock *livelock, struct weiri_hub *hub,
                         void (*wake)(void *self, uint32_t id), void *self)
{
    *livelock = (struct weiri_livelock){
        .hub = hub, .confirming = UINT64_MAX, .wake = wake, .self = self
    };
    weiri_id_set_init(&livelock->asleep, hub->n_slots, 1u << hub->shift);
    livelock->proofs = g_new0(struct weiri_proof, hub->n_slots << hub->shift);
}

void weiri_livelock_clear(struct weiri_livelock *livelock)
{
    weiri_id_set_clear(&livelock->asleep);
    g_free(livelock->proofs);
}
