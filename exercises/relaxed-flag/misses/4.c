/* check: the fence of the writer comes after the flag */
#include "relaxed-flag.h"

WEIR_KERNEL(pass_on, message_args)
{
    size_t group = weir_group_id(item, 0), pair = group / 2;
    int32_t *flag = &args->flag[pair];
    if (group % 2 == 0) {
        args->data[pair] = args->in[pair];
        weir_atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
        weir_atomic_fence(memory_order_release, memory_scope_device);
    } else {
        while (
            weir_atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)
            == 0) {}
        args->out[pair] = args->data[pair];
    }
}
