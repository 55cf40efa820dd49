/* check: the fence of the reader comes after the store of its count */
#include "relaxed-queue.h"

WEIR_KERNEL(pass_through, queue_args)
{
    size_t group = weir_group_id(item, 0), pair = group / 2;
    int32_t *queue = &args->queue[PLACES * pair];
    int32_t *written = &args->written[pair], *read = &args->read[pair];
    for (int32_t k = 0; k < args->n; k++) {
        if (group % 2 == 0) {
            while (k
                       - weir_atomic_load_explicit(read, memory_order_acquire,
                                                   memory_scope_device)
                   >= PLACES) {}
            queue[k % PLACES] = args->in[args->n * pair + k];
            weir_atomic_store_explicit(written, k + 1, memory_order_release,
                                       memory_scope_device);
        } else {
            while (weir_atomic_load_explicit(written, memory_order_acquire,
                                             memory_scope_device)
                   <= k) {}
            args->out[args->n * pair + k] = queue[k % PLACES];
            weir_atomic_store_explicit(read, k + 1, memory_order_relaxed,
                                       memory_scope_device);
            weir_atomic_fence(memory_order_release, memory_scope_device);
        }
    }
}
