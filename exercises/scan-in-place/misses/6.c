/* rule: item 0 adds up all numbers of the group */
#include "scan-in-place.h"

WEIR_KERNEL(scan, scan_args)
{
    size_t i = weir_global_id(item, 0), local = weir_local_size(item, 0);
    if (weir_local_id(item, 0) == 0) {
        int32_t sum = 0;
        for (size_t k = 0; k < local; k++) {
            sum += args->in[i + k];
            args->out[i + k] = sum;
        }
    }
}
