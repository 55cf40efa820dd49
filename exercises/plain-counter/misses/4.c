/* check: fences around the increment do not make it one step */
#include "plain-counter.h"

WEIR_KERNEL(count_large, count_args)
{
    if (args->in[weir_global_id(item, 0)] > args->limit) {
        weir_atomic_fence(memory_order_seq_cst, memory_scope_device);
        *args->count += 1;
        weir_atomic_fence(memory_order_seq_cst, memory_scope_device);
    }
}
