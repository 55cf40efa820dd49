/* answer: the first item is right, but the element belongs to the transposed matrix */
#include "wrong-dimension.h"

WEIR_KERNEL(row_sums, matrix_args)
{
    size_t row = weir_global_id(item, 0), column = weir_global_id(item, 1);
    size_t rows = weir_global_size(item, 0);
    int32_t sum = weir_group_reduce_add(item, args->in[column * rows + row]);
    if (weir_local_linear_id(item) == 0) {
        weir_atomic_fetch_add_explicit(&args->out[row], sum, memory_order_relaxed,
                                       memory_scope_device);
    }
}
