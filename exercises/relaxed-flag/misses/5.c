/* explore: the data is atomic and does not race; it may still be the old one */
#include "relaxed-flag.h"

WEIR_KERNEL(pass_on, message_args)
{
    size_t group = weir_group_id(item, 0), pair = group / 2;
    int32_t *flag = &args->flag[pair];
    if (group % 2 == 0) {
        weir_atomic_store_explicit(&args->data[pair], args->in[pair],
                                   memory_order_relaxed, memory_scope_device);
        weir_atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (
            weir_atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)
            == 0) {}
        args->out[pair] = weir_atomic_load_explicit(
            &args->data[pair], memory_order_relaxed, memory_scope_device);
    }
}
