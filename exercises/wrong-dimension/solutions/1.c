/* The first item of a group belongs to the first column. */
#include "wrong-dimension.h"

WEIR_KERNEL(row_sums, matrix_args)
{
    size_t row = weir_global_id(item, 0), column = weir_global_id(item, 1);
    size_t columns = weir_global_size(item, 1);
    int32_t *sum = weir_local_array(item, int32_t, 1);
    if (weir_local_id(item, 1) == 0) {
        *sum = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    weir_atomic_fetch_add_explicit(sum, args->in[row * columns + column],
                                   memory_order_relaxed, memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 1) == 0) {
        weir_atomic_fetch_add_explicit(&args->out[row], *sum, memory_order_relaxed,
                                       memory_scope_device);
    }
}
