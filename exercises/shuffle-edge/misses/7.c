/* rule: one item of each group does the work of all */
#include "shuffle-edge.h"

WEIR_KERNEL(differences, difference_args)
{
    size_t i = weir_global_id(item, 0), local = weir_local_size(item, 0);
    for (size_t k = 0; weir_local_id(item, 0) == 0 && k + 1 < local; k++) {
        args->data[i + k] = args->data[i + k + 1] - args->data[i + k];
    }
}
