/* SPDX-License-Identifier: MIT
 *
 * opencl-fixes.cl: kernels of opencl-fixes.sh. */

kernel void rotate(global const int *in, global int *out)
{
    size_t g = get_global_id(0), first = get_group_id(0) * get_local_size(0);
    out[g] = in[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    int next = out[first + (get_local_id(0) + 1) % get_local_size(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = next;
}

/* With work_group_reduce_max(), which every item calls. */
kernel void largest(global const int *in, global int *out)
{
    int v = in[get_global_id(0)];
#if __OPENCL_C_VERSION__ >= 200
    int m = work_group_reduce_max(v);
    out[get_global_id(0)] = m;
#endif
}

/* No barrier orders items of two groups. */
kernel void neighbours(global const int *in, global int *out)
{
    size_t g = get_global_id(0);
    out[g] = in[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] += out[(g + 8) % 16];
}

/* Floating numbers have no atomic_add(). */
kernel void floats(global const float *in, global float *sum)
{
    *sum += in[get_global_id(0)];
}
