/* check: the first look is a plain one */
#include "narrow-scope.h"

WEIR_KERNEL(find_largest, largest_args)
{
    int32_t mine = args->in[weir_global_id(item, 0)];
    if (*args->out < mine) {
        weir_atomic_fetch_max_explicit(args->out, mine, memory_order_relaxed,
                                       memory_scope_device);
    }
}
