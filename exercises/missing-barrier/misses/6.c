/* rule: one item of each group does the work of all */
#include "missing-barrier.h"

WEIR_KERNEL(reverse, reverse_args)
{
    size_t i = weir_global_id(item, 0), local = weir_local_size(item, 0);
    for (size_t k = 0; weir_local_id(item, 0) == 0 && k < local; k++) {
        args->out[i + k] = args->in[i + local - 1 - k];
    }
}
