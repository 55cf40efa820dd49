/* No meeting: the items with an even number add it by an atomic operation. */
#include "collective-in-branch.h"

WEIR_KERNEL(add_even, sum_args)
{
    int32_t number = args->in[weir_global_id(item, 0)];
    if (number % 2 == 0) {
        weir_atomic_fetch_add_explicit(&args->out[weir_group_id(item, 0)], number,
                                       memory_order_relaxed, memory_scope_work_group);
    }
}
