/* check: one group makes the table, and the others do not wait for it */
#include "double-check.h"

WEIR_KERNEL(use_table, table_args)
{
    size_t group = weir_group_id(item, 0);
    if (weir_atomic_exchange_explicit(args->ready, 1, memory_order_acq_rel,
                                      memory_scope_device)
        == 0) {
        args->table[0] = args->seed * 3;
        args->table[1] = args->seed + 7;
        args->made[0] += 1;
    }
    args->out[group] = args->table[group % 2];
}
