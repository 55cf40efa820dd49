/* Replaces negative numbers by 0. */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
}
