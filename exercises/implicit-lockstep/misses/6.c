/* answer: atomics do not race, but they do not wait for the round before, either */
#include "implicit-lockstep.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    int32_t *part = weir_local_array(item, int32_t, MOST_ITEMS);
    size_t together = weir_sub_group_size(item);
    part[lid] = args->in[i];
    weir_barrier(item, WEIR_LOCAL);
    size_t half = local / 2;
    for (; half >= together; half /= 2) {
        if (lid < half) {
            part[lid] += part[lid + half];
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    for (; half > 0; half /= 2) {
        if (lid < half) {
            int32_t other = weir_atomic_load_explicit(
                &part[lid + half], memory_order_relaxed, memory_scope_sub_group);
            weir_atomic_fetch_add_explicit(&part[lid], other, memory_order_relaxed,
                                           memory_scope_sub_group);
        }
    }
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = weir_atomic_load_explicit(
            &part[0], memory_order_relaxed, memory_scope_sub_group);
    }
}
