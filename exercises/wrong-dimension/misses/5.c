/* answer: the number of the group in dimension 1 counts parts of a row */
#include "wrong-dimension.h"

WEIR_KERNEL(row_sums, matrix_args)
{
    size_t row = weir_group_id(item, 1);
    int32_t sum = weir_group_reduce_add(item, args->in[weir_global_linear_id(item)]);
    if (weir_local_linear_id(item) == 0 && row < weir_global_size(item, 0)) {
        weir_atomic_fetch_add_explicit(&args->out[row], sum, memory_order_relaxed,
                                       memory_scope_device);
    }
}
