/* SPDX-License-Identifier: MIT
 *
 * mean.cl: each group adds up its part of n numbers in local memory, in a tree. It is wrong
 * on purpose, in two places, which docs/tutorial/more-opencl.md finds and repairs.
 */
__kernel void group_sums(__global const int *numbers, __global int *sums, __local int *part,
                         int n)
{
    int gid = get_global_id(0);
    int lid = get_local_id(0);

    part[lid] = numbers[gid];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
        if (lid < stride) {
            part[lid] += part[lid + stride];
        }
    }

    if (lid == 0) {
        sums[get_group_id(0)] = part[0];
    }
}
