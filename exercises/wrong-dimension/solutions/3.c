/* Every item adds to the sum of its row. */
#include "wrong-dimension.h"

WEIR_KERNEL(row_sums, matrix_args)
{
    size_t row = weir_global_id(item, 0), column = weir_global_id(item, 1);
    weir_atomic_fetch_add_explicit(&args->out[row],
                                   args->in[row * weir_global_size(item, 1) + column],
                                   memory_order_relaxed, memory_scope_device);
}
