/* No counts: a place is free if it holds 0, and the number itself is the message. */
#include "relaxed-queue.h"

WEIR_KERNEL(pass_through, queue_args)
{
    size_t group = weir_group_id(item, 0), pair = group / 2;
    for (int32_t k = 0; k < args->n; k++) {
        int32_t *place = &args->queue[PLACES * pair + k % PLACES], number;
        if (group % 2 == 0) {
            while (weir_atomic_load_explicit(place, memory_order_relaxed,
                                             memory_scope_device)
                   != 0) {}
            weir_atomic_store_explicit(place, args->in[args->n * pair + k],
                                       memory_order_relaxed, memory_scope_device);
        } else {
            do {
                number = weir_atomic_load_explicit(place, memory_order_relaxed,
                                                   memory_scope_device);
            } while (number == 0);
            weir_atomic_store_explicit(place, 0, memory_order_relaxed,
                                       memory_scope_device);
            args->out[args->n * pair + k] = number;
        }
    }
}
