/* The group finds its largest number; one item compares it with those of others. */
#include "narrow-scope.h"

WEIR_KERNEL(find_largest, largest_args)
{
    int32_t largest = weir_group_reduce_max(item, args->in[weir_global_id(item, 0)]);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_max_explicit(args->out, largest, memory_order_relaxed,
                                       memory_scope_device);
    }
}
