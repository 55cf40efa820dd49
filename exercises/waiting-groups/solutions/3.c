/* Each group gives its number to all others, and takes none. */
#include "waiting-groups.h"

WEIR_KERNEL(sum_of_others, others_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    for (size_t k = 0; k < groups; k++) {
        if (k != group) {
            weir_atomic_fetch_add_explicit(&args->out[k], args->in[group],
                                           memory_order_relaxed, memory_scope_device);
        }
    }
}
