/* The group's own scan. */
#include "scan-in-place.h"

WEIR_KERNEL(scan, scan_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = weir_group_inclusive_scan_add(item, args->in[i]);
}
