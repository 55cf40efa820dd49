/* check: the smaller group has the same rule: its items with odd numbers are missing */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    if (number % 2 == 0) {
        int32_t sum = weir_sub_group_reduce_add(item, number);
        weir_atomic_fetch_add_explicit(&args->out[weir_group_id(item, 0)], sum,
                                       memory_order_relaxed, memory_scope_work_group);
    }
}
