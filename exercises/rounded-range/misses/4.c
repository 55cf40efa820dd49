/* answer: a group that is not full does nothing, and its numbers are missing */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t i = weir_global_id(item, 0), local = weir_local_size(item, 0);
    if ((weir_group_id(item, 0) + 1) * local <= args->n) {
        args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
    }
}
