/* Global memory that the kernel itself initialises with the first number. */
#include "local-garbage.h"

WEIR_KERNEL(greatest, greatest_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t *most = &args->out[weir_group_id(item, 0)];
    if (weir_local_id(item, 0) == 0) {
        *most = args->in[i];
    }
    weir_barrier(item, WEIR_GLOBAL);
    weir_atomic_fetch_max_explicit(most, args->in[i], memory_order_relaxed,
                                   memory_scope_work_group);
}
