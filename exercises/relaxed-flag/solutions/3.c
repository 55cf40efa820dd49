/* The flag is the message: one word cannot arrive before itself. */
#include "relaxed-flag.h"

WEIR_KERNEL(pass_on, message_args)
{
    size_t group = weir_group_id(item, 0), pair = group / 2;
    int32_t *flag = &args->flag[pair];
    if (group % 2 == 0) {
        weir_atomic_store_explicit(flag, args->in[pair], memory_order_relaxed,
                                   memory_scope_device);
    } else {
        int32_t value;
        do {
            value = weir_atomic_load_explicit(flag, memory_order_relaxed,
                                              memory_scope_device);
        } while (value == 0);
        args->out[pair] = value;
    }
}
