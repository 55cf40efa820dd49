// SPDX-License-Identifier: MIT
//
// ids.cl: ids and sizes: [CL30C] 6.15.1. check_opencl_builtins.c says how the lines
// that begin with the name of a kernel are read.

// sizes 8 4 runs: 1 8 4 2 1 1 1 1 4 0
kernel void sizes(global int *in, global int *out)
{
    if (get_global_id(0) == 5) {
        const int found[] = {
            get_work_dim(),    get_global_size(0), get_local_size(0),
            get_num_groups(0), get_global_size(1), get_local_size(2),
            get_num_groups(7), get_group_id(0),    get_enqueued_local_size(0),
            get_global_id(1)
        };
        for (int i = 0; i < 10; i++)
            out[i] = found[i];
    }
}

// Dimension 0 is the fastest. The item at (3, 1), of group (1, 0), has local id (1, 1).
// planes 4,4 2,2 runs: 3 1 1 0 1 1 7 3 2 2
kernel void planes(global int *in, global int *out)
{
    if (get_global_id(0) == 3 && get_global_id(1) == 1) {
        const int found[] = {
            get_global_id(0), get_global_id(1), get_group_id(0),
            get_group_id(1),  get_local_id(0),  get_local_id(1),
            get_global_linear_id(), get_local_linear_id(),
            get_num_groups(1), get_work_dim()
        };
        for (int i = 0; i < 10; i++)
            out[i] = found[i];
    }
}

// The linear id leaves the offset out.
// offset 4@10 2 runs: 10 0 110 110 2 212
kernel void offset(global int *in, global int *out)
{
    int g = get_global_id(0) - get_global_offset(0);
    if (g == 0) {
        out[0] = get_global_id(0);
        out[1] = get_global_linear_id();
    }
    if (g == 2) {
        out[2] = get_global_offset(0) + 100;
        out[3] = get_group_id(0) * 10 + 100;
        out[4] = get_global_linear_id();
        out[5] = get_global_id(0) + 200;
    }
}

// A group of 20 has a sub-group of 16 and one of 4.
// sub_groups 20 20 runs: 16 16 2 0 3 2 4 16 2 1 1 2
kernel void sub_groups(global int *in, global int *out)
{
    size_t l = get_local_id(0), at = l == 3 ? 0 : 6;
    if (l == 3 || l == 17) {
        out[at] = get_sub_group_size();
        out[at + 1] = get_max_sub_group_size();
        out[at + 2] = get_num_sub_groups();
        out[at + 3] = get_sub_group_id();
        out[at + 4] = get_sub_group_local_id();
        out[at + 5] = get_enqueued_num_sub_groups();
    }
}

// Behind barriers, where the items need no stacks.
// behind 4,4,2@3,2,1 2,2,2 runs: 6 5 2 1 1 1 1 1 0 31 7 3 2 1 4 4 2 2 2 2 0
kernel void behind(global int *in, global int *out)
{
    local int last[8];
    last[get_local_linear_id()] = get_global_linear_id();
    for (int round = 0; round < 2; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_global_linear_id() == last[7] && get_group_id(0) == 1
            && get_group_id(1) == 1) {
            const int found[] = {
                get_global_id(0),     get_global_id(1),       get_global_id(2),
                get_local_id(0),      get_local_id(1),        get_local_id(2),
                get_group_id(0),      get_group_id(1),        get_group_id(2),
                get_global_linear_id(), get_local_linear_id(), get_global_offset(0),
                get_global_offset(1), get_global_offset(2),   get_global_size(0),
                get_global_size(1),   get_global_size(2),     get_local_size(0),
                get_local_size(1),    get_num_groups(1),      get_group_id(3)
            };
            for (int i = 0; i < 21; i++)
                out[i] = found[i];
        }
    }
}
