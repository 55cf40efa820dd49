/* answer: the item reads its own number back */
#include "wrong-flag.h"

WEIR_KERNEL(swap_pairs, swap_args)
{
    size_t i = weir_global_id(item, 0);
    args->spare[i] = 2 * args->in[i];
    weir_barrier(item, WEIR_GLOBAL);
    args->out[i] = args->spare[i];
}
