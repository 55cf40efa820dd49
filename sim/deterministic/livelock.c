/* SPDX-License-Identifier: MIT
 *
 * livelock.c: spinning, sleeping, and the proof that a spin never ends.
 *
 * An item that does the same fruitless operation at the same address several times in
 * a row goes to sleep. A change of that address wakes it. Where all items that could
 * run are asleep they are woken for a turn each, and looked at: an item's whole private
 * state is its registers and its stack. One that comes to a state in which it has been,
 * while nobody has changed anything in between, will come to it for ever; Brent's
 * method finds that, whatever the length of the spin's body ("An improved Monte Carlo
 * factorization algorithm", 1980). When all of them have, the launch is stuck.
 *
 * Stores of kernels without instrumentation are not seen. So before the verdict all
 * memory is fingerprinted, everybody goes round once more, and it must be as it was: a
 * wait that counts its tries, in a register or in memory, is none that lasts. */
#include "config.h"

#include "deterministic/livelock.h"

#include "base/assert.h"
#include "exec/launch.h"
#include "exec/memory.h"
#include "exec/worker.h"

/* Fruitless atomics before an item sleeps: a kernel that looks at a flag now and then
 * is not held up, and a spin of a thousand items costs some thousand turns. */
enum { PATIENCE = 8 };
/* The same for plain reads, which mostly repeat for better reasons. */
enum { PLAIN_PATIENCE = 1000 };

/* ---- Who wrote what ------------------------------------------------------ */

enum { FIRST_WRITERS = 64 };

void weiri_livelock_init(struct weiri_turns *turns)
{
    turns->writers_mask = FIRST_WRITERS - 1;
    turns->writers = g_new0(struct weiri_writers, FIRST_WRITERS);
}

void weiri_livelock_clear(struct weiri_turns *turns)
{
    for (size_t i = 0; i <= turns->writers_mask; i++) {
        g_free(turns->writers[i].of);
    }
    g_free(turns->writers);
}

/* The entry of a piece, or where it would be. */
static inline struct weiri_writers *find_piece(const struct weiri_turns *turns,
                                               uintptr_t piece)
{
    size_t at = (piece * 0x9e3779b97f4a7c15 >> 32) & turns->writers_mask;
    while (turns->writers[at].piece != piece && turns->writers[at].of != NULL) {
        at = (at + 1) & turns->writers_mask;
    }
    return &turns->writers[at];
}

static void grow(struct weiri_turns *turns)
{
    struct weiri_writers *old = turns->writers;
    size_t n_old = turns->writers_mask + 1;
    turns->writers_mask = 2 * n_old - 1;
    turns->writers = g_new0(struct weiri_writers, 2 * n_old);
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].of != NULL) {
            *find_piece(turns, old[i].piece) = old[i];
        }
    }
    g_free(old);
}

/* The entry of a piece that had none. */
static __attribute__((noinline)) struct weiri_writers *add_piece(
    struct weiri_turns *turns, uintptr_t piece)
{
    if (2 * ++turns->n_writers > turns->writers_mask) {
        grow(turns);
    }
    struct weiri_writers *writers = find_piece(turns, piece);
    writers->piece = piece;
    /* not memset(), a kernel's calls of which are seen: this is done on its stack */
    writers->of = g_new0(struct weiri_writer, WEIRI_WRITERS_BYTES / WEIRI_WRITERS_WORD);
    return writers;
}

static inline struct weiri_writer *word_of(const struct weiri_writers *writers,
                                           uintptr_t address)
{
    return &writers->of[address % WEIRI_WRITERS_BYTES / WEIRI_WRITERS_WORD];
}

void weiri_livelock_note(struct weiri_turns *turns)
{
    const struct weiri_turn *turn = turns->turn;
    uintptr_t address = (uintptr_t)turn->address;
    struct weiri_writers *writers = find_piece(turns, address / WEIRI_WRITERS_BYTES);
    if (__builtin_expect(writers->of == NULL, 0)) {
        writers = add_piece(turns, address / WEIRI_WRITERS_BYTES);
    }
    *word_of(writers, address) = (struct weiri_writer){
        .address = turn->address,
        .place = turn->site != NULL ? (const void *)turn->site : turn->pc,
        .group = turns->worker->group->public.shape.group_linear,
        .item = weiri_turns_item(turns),
        .operation = turn->operation,
        .is_site = turn->site != NULL,
    };
}

const struct weiri_writer *weiri_livelock_writer(const struct weiri_turns *turns,
                                                 const volatile void *address)
{
    const struct weiri_writers *writers
        = find_piece(turns, (uintptr_t)address / WEIRI_WRITERS_BYTES);
    const struct weiri_writer *writer
        = writers->of != NULL ? word_of(writers, (uintptr_t)address) : NULL;
    return writer != NULL && writer->address == address ? writer : NULL;
}

/* ---- Sleeping and waking ------------------------------------------------- */

uint64_t weiri_livelock_filter(const volatile void *address)
{
    /* by words of 8 bytes: what overlaps an aligned access is in its word */
    return 1ull << (((uintptr_t)address / 8 * 0x9e3779b97f4a7c15) >> 58);
}

static struct weiri_group *group_of(const struct weiri_turns *turns, uint32_t id)
{
    return turns->slots[id >> turns->asleep.shift];
}

/* Wakes the items that @wanted accepts, for the change that @by made where it is not
 * NULL. */
static void wake_those(struct weiri_turns *turns,
                       bool (*wanted)(const struct weiri_group *group, uint32_t item,
                                      const struct weiri_turn *by),
                       const struct weiri_turn *by)
{
    uint32_t n = turns->asleep.n;
    turns->sleep_filter = 0;
    for (uint32_t k = 0; k < n;) {
        uint32_t id = weiri_id_set_nth(&turns->asleep, k);
        struct weiri_group *group = group_of(turns, id);
        uint32_t item = weiri_id_set_item(&turns->asleep, id);
        if (wanted(group, item, by)) {
            weiri_turns_wake(turns, id);
            if (by != NULL) { /* what it waits for may have come: it spins anew */
                group->turn[item].state = WEIRI_ITEM_RUNS;
                group->spin[item].hits = 0;
            }
            n--;
        } else {
            turns->sleep_filter
                |= weiri_livelock_filter(group->spin[item].anchor_address);
            k++;
        }
    }
}

static bool sleeps_on(const struct weiri_group *group, uint32_t item,
                      const struct weiri_turn *by)
{
    const volatile char *address = group->spin[item].anchor_address;
    const volatile char *changed = by->address;
    /* an item that is tired of all that it does has no address */
    return address != NULL && address < changed + by->bytes
        && changed < address + group->turn[item].bytes;
}

static bool is_unproven(const struct weiri_group *group, uint32_t item,
                        const struct weiri_turn *by)
{
    (void)by;
    return !group->spin[item].proven;
}

void weiri_livelock_tire(struct weiri_group *group, uint32_t item)
{
    struct weiri_turn *turn = &group->turn[item];
    turn->state = WEIRI_ITEM_SPINS;
    turn->anchored = true;
    group->spin[item] = (struct weiri_spin){ .anchor_address = NULL };
}

void weiri_livelock_count(struct weiri_turn *turn, struct weiri_spin *spin)
{
    const void *site = turn->site != NULL ? (const void *)turn->site : turn->pc;
    if (spin->hits > 0 && turn->address == spin->anchor_address
        && site == spin->anchor_site) {
        spin->misses = 0;
        spin->hits++;
        if (spin->hits >= (turn->operation < WEIRI_READS ? PATIENCE : PLAIN_PATIENCE)) {
            turn->state = WEIRI_ITEM_SPINS;
        }
    } else if (spin->hits == 0 || ++spin->misses > WEIRI_LIVELOCK_MOST_MISSES) {
        spin->anchor_address = turn->address;
        spin->anchor_site = site;
        spin->misses = 0;
        spin->hits = 1;
        turn->anchored = true;
    }
}

void weiri_livelock_stir(struct weiri_turns *turns, const struct weiri_turn *turn)
{
    if (turn->bytes > sizeof(uint64_t)
        || (turns->sleep_filter & weiri_livelock_filter(turn->address)) != 0) {
        wake_those(turns, sleeps_on, turn);
    }
}

/* ---- The proof ----------------------------------------------------------- */

bool weiri_livelock_repeats(const struct weiri_turns *turns, struct weiri_spin *spin,
                            uint64_t fingerprint)
{
    if (spin->power == 0 || spin->epoch != turns->epoch) {
        spin->epoch = turns->epoch;
        spin->fingerprint = fingerprint;
        spin->power = 1;
        spin->lambda = 0;
        return false;
    }
    if (spin->fingerprint == fingerprint) {
        return true;
    }
    if (++spin->lambda == spin->power) {
        spin->fingerprint = fingerprint;
        spin->power *= 2;
        spin->lambda = 0;
    }
    return false;
}

static uint64_t fingerprint_memory(const struct weiri_turns *turns)
{
    uint64_t hash = weiri_memory_fingerprint(turns->launch->device);
    for (uint32_t i = 0; i < turns->ready.n_order; i++) {
        const struct weiri_group *group = turns->slots[turns->ready.order[i]];
        hash = weiri_fingerprint(hash, group->local_memory, group->local_bytes_used);
    }
    return hash;
}

static void unprove_all(struct weiri_turns *turns)
{
    for (uint32_t k = 0; k < turns->asleep.n; k++) {
        uint32_t id = weiri_id_set_nth(&turns->asleep, k);
        struct weiri_spin *spin
            = &group_of(turns, id)->spin[weiri_id_set_item(&turns->asleep, id)];
        spin->proven = false;
        spin->power = 0;
    }
    turns->n_proven = 0;
}

bool weiri_livelock_wake(struct weiri_turns *turns)
{
    if (turns->asleep.n == 0) {
        return false;
    }
    if (turns->n_proven == turns->asleep.n) {
        uint64_t memory = fingerprint_memory(turns);
        if (turns->confirming && memory == turns->memory_fingerprint) {
            return false;
        }
        turns->confirming = true;
        turns->memory_fingerprint = memory;
        unprove_all(turns);
    }
    wake_those(turns, is_unproven, NULL);
    return true;
}
