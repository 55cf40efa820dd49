/* rule: one item clips all numbers */
#include "rounded-range.h"

WEIR_KERNEL(clip, clip_args)
{
    for (size_t i = 0; i < args->n && weir_global_id(item, 0) == 0; i++) {
        args->out[i] = args->in[i] > 0 ? args->in[i] : 0;
    }
}
