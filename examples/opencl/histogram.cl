/* SPDX-License-Identifier: MIT
 *
 * histogram.cl: counts values in 16 bins: in global memory, and in local memory first,
 * which each group adds to the global bins at its end.
 *
 *     weir check histogram.cl:by_group --global 256 --local 64 --arg 'uint[256]=random' \
 *         --arg 'uint[16]=0' --dump bins
 */
#define BINS 16

kernel void global_bins(global const uint *values, global uint *bins)
{
    atomic_inc(&bins[values[get_global_id(0)] % BINS]);
}

kernel void by_group(global const uint *values, global uint *bins)
{
    local uint mine[BINS];
    for (size_t i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        mine[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&mine[values[get_global_id(0)] % BINS]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        atomic_add(&bins[i], mine[i]);
    }
}
