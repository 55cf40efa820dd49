/* SPDX-License-Identifier: MIT
 *
 * All items of group 0 write a message, and those of group 1 read it. */
#include "program.h"

enum { LOCAL = 4 };

typedef struct {
    uint32_t *box, *flag, *out;
} message_args;

WEIR_KERNEL(message, message_args)
{
    size_t l = weir_local_id(item, 0);
    if (weir_group_id(item, 0) == 0) {
        args->box[l] = (uint32_t)l + 7;
        weir_barrier(item, WEIR_GLOBAL); /* written */
        if (l == 0) {
            weir_atomic_store_explicit(args->flag, 1, memory_order_release,
                                       memory_scope_device); /* send */
        }
    } else {
        if (l == 0) {
            while (weir_atomic_load_explicit(args->flag, memory_order_acquire,
                                             memory_scope_device)
                   == 0) {}
        }
        weir_barrier(item, WEIR_GLOBAL); /* received */
        args->out[l] = args->box[l];
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *box = weir_new(device, uint32_t, LOCAL, "box");
    uint32_t *flag = weir_new(device, uint32_t, 1, "flag");
    uint32_t *out = weir_new(device, uint32_t, LOCAL, "out");
    *flag = 0;
    LAUNCH(device, message, weir_nd_range_1d(2 * LOCAL, LOCAL),
           &(message_args){ box, flag, out });
    for (uint32_t i = 0; i < LOCAL; i++) {
        if (out[i] != i + 7) {
            return 1;
        }
    }
    return 0;
}
