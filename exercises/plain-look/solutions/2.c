/* No look. */
#include "plain-look.h"

WEIR_KERNEL(greatest, greatest_args)
{
    weir_atomic_fetch_max_explicit(args->most, args->in[weir_global_id(item, 0)],
                                   memory_order_relaxed, memory_scope_device);
}
