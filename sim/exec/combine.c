/* SPDX-License-Identifier: MIT
 *
 * combine.c: see combine.h.
 *
 * weiri_self.sums is the part of a struct weiri_combiner that kernels' code uses. A
 * place in the table has a @key there as soon as additions to its word may be put off;
 * until then it is here, with the item that was the first to add. weiri_self.asks is
 * set while any place of the table is taken, so that the next atomic or fence
 * publishes. */
#include "config.h"

#include "exec/combine.h"

#include <stdlib.h>

/* Additions put off, and groups that end, until all is published: few enough that a
 * wait for them is short, about a millisecond of additions, and many enough that to
 * publish half a table, whose lines other cores have, costs little in comparison. */
enum { MOST_PUT_OFF = 1 << 18, MOST_GROUPS = 1024 };

/* Additions that are done at once until it is judged whether others are put off: more
 * than a full table begins with. */
enum { TRIAL = 2 * WEIRI_SUMS };

/* The first addition to the word in a place of the table. */
struct first {
    uintptr_t key; /* of the word, or 0: the place is free */
    void *at;      /* the item that added; of an earlier group, another one with its id,
                      which is then taken for the same */
};

struct weiri_combiner {
    struct weiri_sums sums; /* first */
    struct first first[WEIRI_SUMS];
    uint16_t taken[WEIRI_SUMS]; /* places, from the first */
    uint32_t n_taken;
    uint32_t groups;    /* ended since the last publication */
    uint64_t n_at_once; /* additions to words in the table */
    uint64_t n_put_off; /* until the last publication */
};

static struct weiri_combiner *running(void)
{
    return (struct weiri_combiner *)(void *)weiri_self.sums;
}

void weiri_combine_start(struct weiri_worker *worker, bool watched)
{
    const struct weiri_launch *launch = worker->launch;
    weiri_self.asks = weiri_self.watch;
    weiri_self.sums = NULL;
    if (watched || launch->split != NULL || launch->kernel->hierarchical
        || launch->n_workers == 1) {
        return;
    }
    if (worker->combiner == NULL) {
        worker->combiner = g_new0(struct weiri_combiner, 1);
    }
    struct weiri_combiner *combiner = worker->combiner;
    combiner->sums.left = MOST_PUT_OFF;
    combiner->groups = 0;
    combiner->n_at_once = combiner->n_put_off = 0;
    weiri_self.sums = &combiner->sums;
}

/* Adds what is pending in a place, which is free then. */
static void publish(struct weiri_combiner *combiner, uint32_t place)
{
    struct weiri_sum *sum = &combiner->sums.of[place];
    uintptr_t key = sum->key;
    if (sum->pending == 0) {
        ; /* a line that other cores have stays theirs */
    } else if (key % 2 != 0) {
        __atomic_fetch_add((uint64_t *)(key - 1), sum->pending, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_add((uint32_t *)key, (uint32_t)sum->pending, __ATOMIC_RELAXED);
    }
    *sum = (struct weiri_sum){ 0 };
    combiner->first[place] = (struct first){ 0 };
}

void weiri_combine_publish(void)
{
    struct weiri_combiner *combiner = running();
    if (combiner == NULL || combiner->n_taken == 0) {
        return;
    }
    struct weiri_worker *worker = weiri_self.worker;
    worker->inside++;
    for (uint32_t i = 0; i < combiner->n_taken; i++) {
        publish(combiner, combiner->taken[i]);
    }
    combiner->n_put_off += (uint64_t)(MOST_PUT_OFF - combiner->sums.left);
    combiner->sums.left = MOST_PUT_OFF;
    combiner->n_taken = 0;
    combiner->groups = 0;
    weiri_self.asks = weiri_self.watch;
    worker->inside--;
}

uint64_t weiri_combine_old(void *word, uint64_t value, uint32_t bytes)
{
    struct weiri_combiner *combiner = running();
    struct weiri_sum *sum = &combiner->sums.of[weiri_sum_place(word)];
    uint64_t pending = sum->pending;
    struct weiri_worker *worker = weiri_self.worker;
    worker->inside++;
    sum->pending = 0;
    uint64_t old = bytes == sizeof(uint64_t)
        ? __atomic_fetch_add((uint64_t *)word, pending, __ATOMIC_RELAXED)
        : __atomic_fetch_add((uint32_t *)word, (uint32_t)pending, __ATOMIC_RELAXED);
    combiner->sums.left++;
    combiner->n_at_once++;
    worker->inside--;
    weiri_combine_publish();
    return old + pending - value;
}

void weiri_combine_stop(void)
{
    weiri_combine_publish();
    weiri_self.sums = NULL;
}

void weiri_combine_end_group(bool cancelled)
{
    struct weiri_combiner *combiner = running();
    if (combiner != NULL && (cancelled || ++combiner->groups >= MOST_GROUPS)) {
        weiri_combine_publish();
    }
}

/* Memory that is another object's when the item or its group has ended. */
static bool passes_away(const struct weiri_worker *worker, const void *word)
{
    const struct weiri_group *group = worker->group;
    return weiri_worker_owns(worker, word)
        || (uintptr_t)word - (uintptr_t)group->local_memory < group->local_bytes;
}

bool weiri_combine_begin(void *word, uint64_t value, uint32_t bytes)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_combiner *combiner = running();
    uint32_t place = weiri_sum_place(word);
    uintptr_t key = weiri_sum_key(word, bytes);
    struct first *first = &combiner->first[place];
    void *at = worker->group->public.at;
    if (passes_away(worker, word)) {
        return false;
    }
    if (first->key == key && first->at != at) {
        combiner->sums.of[place] = (struct weiri_sum){ key, value };
        combiner->sums.left--;
        return true;
    }
    worker->inside++; /* what follows must not be interrupted */
    uint64_t n_put_off
        = combiner->n_put_off + (uint64_t)(MOST_PUT_OFF - combiner->sums.left);
    if (++combiner->n_at_once >= TRIAL && combiner->n_at_once > n_put_off) {
        weiri_combine_stop();
    } else if (first->key != key) {
        if (first->key == 0) {
            combiner->taken[combiner->n_taken++] = (uint16_t)place;
        } else {
            publish(combiner, place);
        }
        *first = (struct first){ key, at };
        weiri_self.asks = worker;
    }
    worker->inside--;
    return false;
}
