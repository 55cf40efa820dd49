/* SPDX-License-Identifier: MIT
 *
 * sum.cl: each group adds up its part of the input in local memory, in a tree.
 *
 *     weir check sum.cl --global 64 --local 16 --arg 'int[64]=iota' --arg 'int[4]' \
 *         --arg 'local[64]' --dump sums
 */
kernel void tree(global const int *in, global int *sums, local int *part)
{
    size_t lid = get_local_id(0);
    part[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
        if (lid < stride) {
            part[lid] += part[lid + stride];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        sums[get_group_id(0)] = part[0];
    }
}
