// SPDX-License-Identifier: MIT
//
// uneven.cl: groups at the end of the range that have fewer items: [CL30API] 5.8,
// [CL30C] 6.15.1. The buffer `in` has 0, 1, 2 …

// uneven_sizes 7,3 4,2 runs: 4200 4201 4202 4203 3200 3201 3202 4204 4205 4206 4207 3203 3204 3205 4100 4101 4102 4103 3100 3101 3102
kernel void uneven_sizes(global int *in, global int *out)
{
    out[get_global_linear_id()] = get_local_size(0) * 1000 + get_local_size(1) * 100
        + get_local_linear_id();
}

// Cubes of 2, of which 3 remain: the last item alone is in a group of its own.
// cube 3,3,3 2,2,2 runs: 0 1 0 2 3 1 0 1 0 4 5 2 6 7 3 2 3 1 0 1 0 2 3 1 0 1 0 222222
kernel void cube(global int *in, global int *out)
{
    size_t g = get_global_id(0) + 3 * get_global_id(1) + 9 * get_global_id(2);
    out[g] = get_local_linear_id();
    if (g == 26)
        out[27] = get_enqueued_local_size(0) + 10 * get_enqueued_local_size(1)
            + 100 * get_enqueued_local_size(2) + 1000 * get_num_groups(0)
            + 10000 * get_num_groups(1) + 100000 * get_num_groups(2);
}

// with_offset 10@100 4 runs: 0 1 2 3 4 5 6 7 8 9
kernel void with_offset(global int *in, global int *out)
{
    out[get_global_linear_id()] = get_global_id(0) - 100;
}

// reversed 10 4 runs: 3 2 1 0 7 6 5 4 9 8
kernel void reversed(global int *in, global int *out)
{
    local int tile[4];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[get_local_size(0) - 1 - l];
}

// Rows of 4 and of 1.
// rows 2,5 2,4 runs: 6 7 4 5 2 3 0 1 8 9
kernel void rows(global int *in, global int *out)
{
    local int tile[8];
    size_t l = get_local_linear_id(), g = get_global_linear_id(), n = get_local_size(1);
    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[(n - 1 - get_local_id(1)) * 2 + get_local_id(0)];
}

// sums 10 4 runs: 6 6 6 6 22 22 22 22 17 17
kernel void sums(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    out[g] = work_group_reduce_add(in[g]);
}

// uneven_scans 10 4 runs: 0 1 3 6 4 9 15 22 8 17
kernel void uneven_scans(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    out[g] = work_group_scan_inclusive_add(in[g]);
}

// The last item of the group sends.
// last 10 4 runs: 3 3 3 3 7 7 7 7 9 9
kernel void last(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    out[g] = work_group_broadcast(in[g], get_local_size(0) - 1);
}

// 64 items are four sub-groups of 16; the other 40 are two of 16 and one of 8.
// parts 104 64 runs: 4 3 4 16 16 15 63 8 103
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void parts(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    int most = sub_group_reduce_max(in[g]);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (g == 0) {
        out[0] = get_num_sub_groups();
        out[3] = get_sub_group_size();
        out[5] = most;
    }
    if (g == 63)
        out[6] = most;
    if (g == 103) {
        out[1] = get_num_sub_groups();
        out[2] = get_enqueued_num_sub_groups();
        out[4] = get_max_sub_group_size();
        out[7] = get_sub_group_size();
        out[8] = most;
    }
}

// counted 10 4 runs: 4 4 4 4 4 4 4 4 2 2
kernel void counted(global int *in, global int *out)
{
    local int n;
    if (get_local_id(0) == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = n;
}

// A loop with a barrier that only the small group leaves early.
// uneven_rounds 10 4 runs: 4 4 4 4 4 4 4 4 2 2
kernel void uneven_rounds(global int *in, global int *out)
{
    int n = 0;
    for (size_t i = 0; i < get_local_size(0); i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        n++;
    }
    out[get_global_id(0)] = n;
}

// copied_unevenly 6 4 runs: 3 2 1 0 5 4
kernel void copied_unevenly(global int *in, global int *out)
{
    local int one[4];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * 4;
    event_t e = async_work_group_copy(one, in + first, n, 0);
    wait_group_events(1, &e);
    out[first + l] = one[n - 1 - l];
}

// Both items of the small group know by a flag that the data is there.
// told 6 4 runs: 0 0 0 0 5 6
kernel void told(global int *in, global int *out)
{
    volatile global atomic_int *flag = (volatile global atomic_int *)(in + 64);
    size_t l = get_local_id(0);
    local int one[4];
    if (get_group_id(0) == 0) {
        in[l] = 5 + l;
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[l] = 0;
        if (l == 0)
            atomic_store_explicit(flag, 1000, memory_order_release, memory_scope_device);
        return;
    }
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != 1000)
        ;
    event_t e = async_work_group_copy(one, in, 2, 0);
    wait_group_events(1, &e);
    out[4 + l] = one[l];
}

// full_group 10 4 finds: uninitialized-read tile
kernel void full_group(global int *in, global int *out)
{
    local int tile[4];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[3 - l];
}

// no_barrier 10 4 finds: data-race group (2,0,0): tile[
kernel void no_barrier(global int *in, global int *out)
{
    local int tile[4];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = in[g];
    if (get_group_id(0) < 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[get_local_size(0) - 1 - l];
}

// one_missing 10 4 finds: barrier-divergence group (2,0,0)
kernel void one_missing(global int *in, global int *out)
{
    if (get_global_id(0) < 9)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}

// stuck 10 4 finds: deadlock group (2,0,0)
kernel void stuck(global int *in, global int *out)
{
    volatile global atomic_int *flag = (volatile global atomic_int *)(in + 64);
    if (get_global_id(0) == 9)
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)
               == 64)
            ;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}

// The coordinates of an item in a small group are its own: 4 columns, then 1.
// at_the_edge 5,2 4,2 finds: out-of-bounds group (1,0,0), item (0,1,0)
kernel void at_the_edge(global int *in, global int *out)
{
    if (get_global_id(0) == 4 && get_global_id(1) == 1)
        out[200] = 1;
}
