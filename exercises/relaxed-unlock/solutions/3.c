/* No lock: each total is one word, and an addition is one operation. */
#include "relaxed-unlock.h"

WEIR_KERNEL(add_both, lock_args)
{
    int32_t value = args->in[weir_group_id(item, 0)];
    weir_atomic_fetch_add_explicit(&args->total[0], value, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_add_explicit(&args->total[1], value * value, memory_order_relaxed,
                                   memory_scope_device);
}
