/* The arrival releases the group's sum and acquires the sums of the other groups. */
#include "last-group.h"

WEIR_KERNEL(add_up, sum_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    int32_t sum = weir_group_reduce_add(item, args->in[weir_global_id(item, 0)]);
    int32_t last = 0;
    if (lid == 0) {
        args->partials[group] = sum;
        last = weir_atomic_fetch_add_explicit(args->arrived, 1, memory_order_acq_rel,
                                              memory_scope_device)
            == (int32_t)groups - 1;
    }
    if (weir_group_broadcast(item, last, 0)) {
        int32_t mine = 0;
        for (size_t g = lid; g < groups; g += local) {
            mine += args->partials[g];
        }
        mine = weir_group_reduce_add(item, mine);
        if (lid == 0) {
            *args->total = mine;
        }
    }
}
