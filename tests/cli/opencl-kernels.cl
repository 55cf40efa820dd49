/* SPDX-License-Identifier: MIT
 *
 * opencl-kernels.cl: kernels of opencl-kernels.c. */

#define SCALE_IT(x) ((x) * SCALE)

typedef struct { int first; float4 rest; } settings;

__kernel void add(__global const int *a, __global const int *b, __global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = a[i] + b[i]; // add
}

__kernel void scale(__global int *out)
{
    out[get_global_id(0)] = SCALE_IT(out[get_global_id(0)]); // scale
}

__kernel void reduce(__global const int *in, __global int *sums, __local int *scratch)
{
    size_t l = get_local_id(0);
    scratch[l] = in[get_global_id(0)];
    for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            scratch[l] += scratch[l + s];
    }
    if (l == 0)
        sums[get_group_id(0)] = scratch[0];
}

__kernel void beyond(__global int *out, int n)
{
    out[get_global_id(0) + n] = 1; // beyond
}

__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void
place(__global int *out, settings given)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = x * 100 + y + given.first + (int)given.rest.w;
}

/* Assignments that every object of the build makes calls of memcpy() for. */
typedef struct { int value[64]; } wide;

__kernel void move(__global wide *out)
{
    __local wide kept[2];
    size_t l = get_local_id(0);
    kept[l] = out[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = kept[1 - l];
}

/* Variables of all kinds, which are kept while items wait. */
__kernel void turn(__global int *out, __local int *part, settings given)
{
    __local int own[8];
    int x[4] = { 0 };
    size_t l = get_local_id(0);
    x[l & 3] = given.first;
    own[l] = x[1] + (int)given.rest.w + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] = own[(l + 1) % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[(l + 3) % 8] + x[2];
}

__kernel void copy(__read_only image2d_t in, __write_only image2d_t out, sampler_t how)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, how, at) * 2.0f);
}

/* Addresses whose memory is not known when the kernel is compiled. */
#if __OPENCL_C_VERSION__ >= 200
global int there;

__kernel void spaces(__global int *out, __local int *given)
{
    __local int own[4];
    int mine = 0, *at = &mine;
    size_t i = get_global_id(0);
    if (i % 4 == 0)
        at = i == 0 ? out : &there;
    else if (i % 4 == 1)
        at = own + i / 4;
    else if (i % 4 == 2)
        at = given;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (to_global(at) == at) + 2 * (to_local(at) == at) + 4 * (to_private(at) == at)
        + 10 * get_fence(at);
}
#endif
