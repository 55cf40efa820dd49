/* SPDX-License-Identifier: MIT
 *
 * histogram_critical.c: every bin is counted up inside a critical section: a lock
 * that is taken by compare-exchange in a loop. One group in all.
 *
 * Source:  "Atomics with SLM", 2.2: OpenMP's critical excludes the threads of one
 *          team only, so the source runs one team.
 * Teaches: what mutual exclusion costs where one atomic add would do: a thousand
 *          times as much on the source's device. The bins themselves are plain
 *          memory; the lock's acquire and release are all that orders them. Its
 *          scope is the work-group, which is why a second group would be a race. */
#include "histogram_common.h"

typedef struct {
    const uint32_t *in;
    uint32_t *bins; /* KERNEL_BINS of them, guarded by lock */
    uint32_t *lock; /* 1 while an item is in the critical section */
    size_t n;       /* elements of in */
} histogram_critical_args;

WEIR_KERNEL(histogram_critical, histogram_critical_args)
{
    for (size_t i = weir_local_id(item, 0); i < args->n;
         i += weir_local_size(item, 0)) {
        uint32_t bin = args->in[i], expected;
        do {
            expected = 0;
            /* acquire: pairs with the release of the item that held the lock before;
             * relaxed on failure: nothing was acquired */
        } while (!weir_atomic_compare_exchange_strong_explicit(
            args->lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
            memory_scope_work_group));
        args->bins[bin]++;
        /* release: pairs with the acquire of the next item */
        weir_atomic_store_explicit(args->lock, 0, memory_order_release,
                                   memory_scope_work_group);
    }
}

static bool run(struct kernel_job *job, GError **error)
{
    uint32_t *lock = weir_try_new(job->device, uint32_t, 1, "lock", error);
    if (lock == NULL) {
        return false;
    }
    *lock = 0;
    histogram_critical_args args = { job->in, job->out, lock, job->n };
    bool done = kernel_launch(job, &histogram_critical, kernel_range(job, job->local),
                              &args, error);
    weir_free(job->device, lock);
    return done;
}

KERNEL_ROW histogram_critical_row = {
    .name = "histogram_critical",
    .family = KERNEL_HISTOGRAM,
    .element = KERNEL_INT32,
    .source = "D",
    .summary = "a lock a bin update (compare-exchange loop); one group only",
    .local = HISTOGRAM_LOCAL,
    .single_group = true,
    .figures
    = (const struct kernel_figure[]){ { "Data Center GPU Max 1100", 10000000, 3647.86 },
                                      { NULL, 0, 0 } },
    .twin = { KERNEL_H200, 10000000, 10706.6738 },
    .run = run,
};
