// SPDX-License-Identifier: MIT
//
// atomics.cl: atomics of OpenCL 1.x and 2.0: [CL30C] 6.15.12.

// Of 0 to 15: the sum is 120, and 1.0f is 1065353216.
// old 16 4 runs: 120 -120 16 -16 -15 15 65535 0 0 120 1065353216
kernel void old(global int *in, global int *out, global uint *u)
{
    int g = get_global_id(0), seen;
    atomic_add(&out[0], g);
    atomic_sub(&out[1], g);
    atomic_inc(&out[2]);
    atomic_dec(&out[3]);
    atomic_min(&out[4], -g);
    atomic_max(&out[5], g);
    atomic_or(&out[6], 1 << g);
    atomic_xor(&out[7], g);
    atomic_and(&out[8], 0);
    do
        seen = atomic_or(&out[9], 0);
    while (atomic_cmpxchg(&out[9], seen, seen + g) != seen);
    atomic_xchg((volatile global float *)&out[10], 1.0f);
    atomic_max(u, 0x80000000u + g);
}

// Sums of 64 bits, and the value before: the items get 0, 1, 2, 3 in some order.
// wide_atomics 4 4 runs: 4 0 6
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void wide_atomics(global int *in, global int *out, global long *sum)
{
    int before = (int)atom_add(&sum[0], 1L);
    atomic_add(&out[2], before);
    atom_add(&sum[1], 1L << 32);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[0] = (int)(atom_add(&sum[1], 0L) >> 32);
}

// atomics_in_local 8 4 runs: 12 20
kernel void atomics_in_local(global int *in, global int *out)
{
    local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, 2);
    atomic_inc(&sum);
    if (get_group_id(0) == 1)
        atomic_add(&sum, 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sum;
}

// Each item gets a value of its own.
// slots 8 8 runs: 1 1 1 1 1 1 1 1 8
kernel void slots(global int *in, global int *out)
{
    local int next, given[8];
    int l = get_local_id(0);
    given[l] = 0;
    if (l == 0)
        next = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    given[atomic_inc(&next)] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = given[l];
    if (l == 0)
        out[8] = next;
}

// The word is local for even items and global for odd ones; the slots are 0 to 3, twice.
// either 8 8 runs: 4 4 12
kernel void either(global int *in, global atomic_int *out)
{
    local atomic_int inside;
    int l = get_local_id(0);
    if (l == 0)
        atomic_init(&inside, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile atomic_int *word = l & 1 ? (volatile atomic_int *)&out[1] : &inside;
    int slot = atomic_fetch_add_explicit(word, 1, memory_order_relaxed,
                                         memory_scope_work_group);
    atomic_fetch_add(&out[2], slot);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        atomic_store(&out[0], atomic_load(&inside));
}

// new_ones 8 4 runs: 28 -28 7 8 -7 255 170 0 8
kernel void new_ones(global atomic_int *in, global atomic_int *out,
                     global atomic_float *sum)
{
    int g = get_global_id(0), seen = 0;
    atomic_fetch_add(&out[0], g);
    atomic_fetch_sub_explicit(&out[1], g, memory_order_relaxed);
    atomic_fetch_max_explicit(&out[2], g, memory_order_relaxed, memory_scope_device);
    while (!atomic_compare_exchange_weak(&out[3], &seen, seen + 1))
        ;
    atomic_fetch_min(&out[4], -g);
    atomic_fetch_or(&out[5], 1 << g);
    atomic_fetch_xor_explicit(&out[6], g & 1 ? 1 << g : 0, memory_order_acq_rel);
    atomic_fetch_and(&out[7], 0);
    float old = atomic_load_explicit(sum, memory_order_relaxed);
    while (!atomic_compare_exchange_strong(sum, &old, old + 1))
        ;
    atomic_fetch_add_explicit(&out[8], 1, memory_order_seq_cst,
                              memory_scope_all_svm_devices);
}

// One item sees the flag clear.
// flag 8 4 runs: 0 1
kernel void flag(global atomic_flag *in, global atomic_int *out)
{
    if (!atomic_flag_test_and_set_explicit(&in[0], memory_order_relaxed))
        atomic_fetch_add(&out[1], 1);
    atomic_flag_clear(&in[40]);
}

// The value that was there comes back. in[3] is 3.
// fails 1 1 runs: 3 1 9
kernel void fails(global atomic_int *in, global int *out)
{
    int expected = 7;
    bool done = atomic_compare_exchange_strong_explicit(
        &in[3], &expected, 8, memory_order_acq_rel, memory_order_acquire,
        memory_scope_device);
    out[0] = expected;
    out[1] = !done;
    done = atomic_compare_exchange_strong_explicit(&in[3], &expected, 9,
                                                   memory_order_relaxed,
                                                   memory_order_relaxed);
    out[2] = done ? atomic_exchange(&in[3], 1) : 0;
}

// init 2 2 runs: 5 5
kernel void init(global int *in, global int *out)
{
    local atomic_int cell;
    if (get_local_id(0) == 0)
        atomic_init(&cell, 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = atomic_load(&cell);
}

// It is a plain write.
// init_late 2 2 finds: mixed-atomic cell
kernel void init_late(global int *in, global int *out)
{
    local atomic_int cell;
    atomic_init(&cell, 5);
    out[get_local_id(0)] = atomic_load(&cell);
}

// publishes 2 1 runs: 42
kernel void publishes(global int *in, global int *out, global atomic_int *flag)
{
    if (get_global_id(0) == 0) {
        out[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {
        in[1] = out[0];
    }
}

// Those of OpenCL 1.x publish nothing.
// relaxed 2 1 finds: data-race atomic_exchange(memory_order_relaxed)
kernel void relaxed(global int *in, global int *out, global int *flag)
{
    if (get_global_id(0) == 0) {
        out[0] = 42;
        atomic_xchg(flag, 1);
    } else if (atomic_add(flag, 0)) {
        in[1] = out[0];
    }
}

// narrow 2 1 finds: scope-race memory_scope_work_group
kernel void narrow(global int *in, global int *out, global atomic_int *flag)
{
    if (get_global_id(0) == 0) {
        out[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
    } else if (atomic_load_explicit(flag, memory_order_acquire,
                                    memory_scope_work_group)) {
        in[1] = out[0];
    }
}

// mixed 2 1 finds: mixed-atomic out[0]
kernel void mixed(global int *in, global int *out)
{
    atomic_inc(out);
    in[get_global_id(0)] = *out;
}
