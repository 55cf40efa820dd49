// SPDX-License-Identifier: MIT
//
// groups.cl: barriers, fences and functions of groups: [CL30C] 6.15.8, 6.15.9 and
// 6.15.16. The buffer `in` has 0, 1, 2 …

// Group 0 has 0 to 3: the sum is 6. Group 1 has 4 to 7: 22.
// reduces 8 4 runs: 300006 300006 300006 300006 704022 704022 704022 704022
kernel void reduces(global int *in, global int *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = work_group_reduce_add(x) + 1000 * work_group_reduce_min(x)
        + 100000 * work_group_reduce_max(x);
}

// Of 1, 2, 3, 4. The exclusive ones begin with what changes nothing.
// scans 4 4 runs: 1 3 6 10 0 1 3 6 2 1 1 1 1 2 3 4 1 1 1 1
kernel void scans(global int *in, global int *out)
{
    int g = get_global_id(0), x = in[g] + 1;
    out[g] = work_group_scan_inclusive_add(x);
    out[g + 4] = work_group_scan_exclusive_add(x);
    out[g + 8] = work_group_scan_inclusive_min(g == 0 ? 2 : 1);
    out[g + 12] = work_group_scan_inclusive_max(x);
    int least = work_group_scan_exclusive_min(x);
    out[g + 16] = g == 0 ? least == INT_MAX : least;
}

// types 4 4 runs: 3 3 3 3 6 6 6 6 1 0 0 1 1 0 1 2
kernel void types(global int *in, global int *out)
{
    int g = get_global_id(0), x = in[g];
    out[g] = (int)work_group_reduce_add((float)x * 0.5f);
    out[g + 4] = (int)(work_group_reduce_add((long)x << 32) >> 32);
    uint least = work_group_scan_exclusive_min((uint)x);
    if (g < 3)
        out[g + 8] = least == UINT_MAX;
    float most = work_group_scan_exclusive_max((float)x);
    if (g == 0)
        out[11] = isinf(most) && most < 0;
    double before = work_group_scan_exclusive_max((double)x);
    out[g + 12] = g == 0 ? 1 : (int)before;
}

// votes 8 4 runs: 0 0 0 0 11 11 11 11 2 2 2 2 6 6 6 6
kernel void votes(global int *in, global int *out)
{
    int g = get_global_id(0), x = in[g];
    out[g] = work_group_all(x > 3) * 10 + work_group_any(x > 3);
    out[g + 8] = work_group_broadcast(x, 2);
}

// The item at (1, 0) of the group has local linear id 1.
// plane 2,2 2,2 runs: 1 1 1 1
kernel void plane(global int *in, global int *out)
{
    int l = get_local_linear_id();
    out[l] = work_group_broadcast(l, 1, 0);
}

// in_sub_groups 20 20 runs: 120 120 0 3 16 16 19 1
kernel void in_sub_groups(global int *in, global int *out)
{
    int l = get_local_id(0), sum = sub_group_reduce_add(l);
    int before = sub_group_scan_exclusive_add(1), first = sub_group_broadcast(l, 0);
    int any = sub_group_any(l == 19), most = sub_group_reduce_max(l);
    if (l == 0 || l == 5) {
        out[l != 0] = sum;
    }
    if (l == 19) {
        out[3] = before;
        out[4] = first;
        out[6] = most;
        out[7] = any;
    }
    if (l == 16)
        out[5] = first;
}

// Sub-groups have 16 items. A value from beyond the end is not used.
// shuffled 32 32 runs: 15 0 46 17
kernel void shuffled(global int *in, global int *out)
{
    int l = get_local_id(0), x = in[l];
    int down = sub_group_shuffle_down(x, 15), up = sub_group_shuffle_up(x, 15);
    int across = sub_group_shuffle_xor(x, 1), one = sub_group_shuffle(x, 1);
    if (l == 0)
        out[0] = down;
    if (l == 15)
        out[1] = up;
    if (l == 31)
        out[2] = across + up;
    if (l == 16)
        out[3] = one;
}

// too_far_down 32 32 finds: unsupported the distance 16 leaves no source for any item
kernel void too_far_down(global int *in, global int *out)
{
    out[get_local_id(0)] = sub_group_shuffle_down(in[get_local_id(0)], 16);
}

// too_far_up 8 8 finds: unsupported sub_group_shuffle_up in kernel 'too_far_up'
kernel void too_far_up(global int *in, global int *out)
{
    out[get_local_id(0)] = sub_group_shuffle_up(in[get_local_id(0)], 8);
}

// The neighbour of a lone item: a program of any size asks for it, and looks before use.
// lone 1 1 runs: 0
kernel void lone(global int *in, global int *out)
{
    int next = sub_group_shuffle_down(in[0], 1);
    out[0] = get_sub_group_local_id() + 1 < get_sub_group_size() ? next : in[0];
}

// some 4 4 finds: barrier-divergence work_group_reduce_max
kernel void some(global int *in, global int *out)
{
    int x = in[get_global_id(0)];
    if (get_local_id(0) != 2)
        x = work_group_reduce_max(x);
    out[get_global_id(0)] = x;
}

// some_of_sub_group 4 4 finds: barrier-divergence sub_group_reduce_max
kernel void some_of_sub_group(global int *in, global int *out)
{
    int x = in[get_global_id(0)];
    if (get_local_id(0) != 2)
        x = sub_group_reduce_max(x);
    out[get_global_id(0)] = x;
}

// A function of the group is not a barrier for memory.
// no_fence 4 4 finds: data-race does not order local memory
kernel void no_fence(global int *in, global int *out)
{
    local int cell[4];
    size_t l = get_local_id(0);
    cell[l] = 1;
    int sum = work_group_reduce_add((int)l);
    out[l] = cell[3 - l] + sum;
}

// flags 4 4 runs: 3 2 1 0
kernel void flags(global int *in, global int *out)
{
    size_t l = get_local_id(0);
    in[l] = l;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    out[l] = in[3 - l];
}

// wrong_flags 4 4 finds: data-race does not order global memory
kernel void wrong_flags(global int *in, global int *out)
{
    size_t l = get_local_id(0);
    in[l] = l;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = in[3 - l];
}

// fenced 2 2 runs: 5
kernel void fenced(global int *in, global int *out, global int *flag)
{
    if (get_global_id(0) == 0) {
        out[0] = 5;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(flag, 1);
    } else if (atomic_or(flag, 0)) {
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        in[1] = out[0];
    }
}

// A fence of OpenCL 1.x is for the items of the group.
// fenced_groups 2 1 finds: scope-race memory_scope_work_group
kernel void fenced_groups(global int *in, global int *out, global int *flag)
{
    if (get_global_id(0) == 0) {
        out[0] = 5;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(flag, 1);
    } else if (atomic_or(flag, 0)) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        in[1] = out[0];
    }
}

// fenced_device 2 1 runs: 5
kernel void fenced_device(global int *in, global int *out, global int *flag)
{
    if (get_global_id(0) == 0) {
        out[0] = 5;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,
                               memory_scope_device);
        atomic_xchg(flag, 1);
    } else if (atomic_or(flag, 0)) {
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire,
                               memory_scope_device);
        in[1] = out[0];
    }
}

// Each item names another root: four lines of the report are enough for them.
// roots 16 16 finds: barrier-divergence items 3-15
kernel void roots(global int *in, global int *out)
{
    out[get_global_id(0)] = work_group_broadcast(in[0], get_local_id(0));
}

// roots_right 16 16 runs: 3 3 3 3
kernel void roots_right(global int *in, global int *out)
{
    out[get_global_id(0)] = work_group_broadcast((int)get_local_id(0), in[3]);
}
