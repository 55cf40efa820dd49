/* SPDX-License-Identifier: MIT
 *
 * last_group.cl: the group that comes last adds up the sums of all groups. An atomic
 * with release and acquire orders these sums before it reads them.
 *
 *     weir check last_group.cl --cl-options -cl-std=CL2.0 --global 64 --local 16 \
 *         --arg 'int[64]=iota' --arg 'int[4]' --arg 'uint[1]=0' --arg 'int[1]=0' --dump sum
 */
kernel void sum(global const int *in, global int *partial, global atomic_uint *n_done,
                global int *sum)
{
    local bool is_last;
    int mine = work_group_reduce_add(in[get_global_id(0)]);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = mine;
        uint before = atomic_fetch_add_explicit(n_done, 1, memory_order_acq_rel,
                                                memory_scope_device);
        is_last = before == get_num_groups(0) - 1;
        if (is_last) {
            int total = 0;
            for (size_t i = 0; i < get_num_groups(0); i++) {
                total += partial[i];
            }
            *sum = total;
        }
    }
}
