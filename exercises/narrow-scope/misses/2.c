/* check: a scope that is narrower still */
#include "narrow-scope.h"

WEIR_KERNEL(find_largest, largest_args)
{
    weir_atomic_fetch_max_explicit(args->out, args->in[weir_global_id(item, 0)],
                                   memory_order_relaxed, memory_scope_sub_group);
}
