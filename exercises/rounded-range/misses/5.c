/* check: the number of the item in its group is compared */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t i = weir_global_id(item, 0);
    if (weir_local_id(item, 0) < args->n) {
        args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
    }
}
