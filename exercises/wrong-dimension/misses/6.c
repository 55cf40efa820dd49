/* check: a plain sum is right only where a row is one group */
#include "wrong-dimension.h"

WEIR_KERNEL(row_sums, matrix_args)
{
    size_t row = weir_global_id(item, 0);
    int32_t sum = weir_group_reduce_add(item, args->in[weir_global_linear_id(item)]);
    if (weir_local_linear_id(item) == 0) {
        args->out[row] += sum;
    }
}
