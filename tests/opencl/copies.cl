// SPDX-License-Identifier: MIT
//
// copies.cl: asynchronous copies: [CL30C] 6.15.11. The buffer `in` has 0, 1, 2 …

// waited 8 4 runs: 316 217 118 19 720 621 522 423
kernel void waited(global int *in, global int *out)
{
    local int one[4], two[4];
    size_t base = get_group_id(0) * 4, l = get_local_id(0);
    event_t e = async_work_group_copy(one, in + base, 4, 0);
    e = async_work_group_copy(two, in + base + 16, 4, e);
    wait_group_events(1, &e);
    out[base + l] = one[3 - l] * 100 + two[l];
}

// Columns of three: 0 3 6 9, and 1 4 7 10.
// strided 8 4 runs: 0 3 6 9 1 4 7 10
kernel void strided(global int *in, global int *out)
{
    local int column[4];
    event_t e = async_work_group_strided_copy(column, in + get_group_id(0), 4, 3, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = column[get_local_id(0)];
}

// Two groups write every second element.
// scattered 8 4 runs: 0 100 1 101 2 102 3 103
kernel void scattered(global int *in, global int *out)
{
    local int row[4];
    size_t l = get_local_id(0);
    row[l] = l + get_group_id(0) * 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out + get_group_id(0), row, 4, 2, 0);
    wait_group_events(1, &e);
}

// A vector of 3 elements takes the room of 4.
// vectors 2 2 runs: 4 5 6 0
kernel void vectors(global int3 *in, global int *out)
{
    local int3 pair[2];
    event_t e = async_work_group_copy(pair, in, 2, 0);
    wait_group_events(1, &e);
    if (get_local_id(0) == 0)
        vstore3(pair[1], 0, out);
}

// several 8 4 runs: 1103 1002 901 800 1507 1406 1305 1204
kernel void several(global int *in, global int *out)
{
    local int a[4], b[4];
    size_t l = get_local_id(0), base = get_group_id(0) * 4;
    event_t e[2];
    e[0] = async_work_group_copy(a, in + base, 4, 0);
    e[1] = async_work_group_copy(b, in + base + 8, 4, 0);
    wait_group_events(1, e);
    out[base + l] = a[3 - l];
    wait_group_events(1, e + 1);
    out[base + l] += b[3 - l] * 100;
    wait_group_events(2, e);
}

// hint 1 1 runs: 7
kernel void hint(global int *in, global int *out)
{
    prefetch(in, 4);
    out[0] = in[7];
}

// not_waited 8 4 finds: data-race async_work_group_copy(one,
kernel void not_waited(global int *in, global int *out)
{
    local int one[4];
    size_t base = get_group_id(0) * 4, l = get_local_id(0);
    event_t e = async_work_group_copy(one, in + base, 4, 0);
    out[base + l] = one[3 - l];
    wait_group_events(1, &e);
}

// A barrier is not a wait.
// barrier_only 8 4 finds: data-race async_work_group_copy(one,
kernel void barrier_only(global int *in, global int *out)
{
    local int one[4];
    size_t base = get_group_id(0) * 4, l = get_local_id(0);
    one[l] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(one, in + base, 4, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = one[3 - l];
    wait_group_events(1, &e);
}

// source_changed 8 4 finds: data-race async_work_group_copy(one,
kernel void source_changed(global int *in, global int *out)
{
    local int one[4];
    size_t base = get_group_id(0) * 4, l = get_local_id(0);
    event_t e = async_work_group_copy(one, in + base, 4, 0);
    in[base + l] = 3;
    wait_group_events(1, &e);
    out[base + l] = one[l];
}

// The item that writes is the one that does the copying, or any other.
// source_changed_by_one 4 4 finds: data-race in[0]
kernel void source_changed_by_one(global int *in, global int *out)
{
    local int one[4];
    event_t e = async_work_group_copy(one, in, 4, 0);
    if (get_local_id(0) == 1)
        in[0] = 3;
    wait_group_events(1, &e);
    out[get_local_id(0)] = one[0];
}

// One item is a group, too.
// alone 1 1 finds: data-race async_work_group_copy(one,
kernel void alone(global int *in, global int *out)
{
    local int one[4];
    event_t e = async_work_group_copy(one, in, 4, 0);
    one[0] = 3;
    wait_group_events(1, &e);
    out[0] = one[0];
}

// alone_right 1 1 runs: 3
kernel void alone_right(global int *in, global int *out)
{
    local int one[4];
    one[0] = 9;
    event_t e = async_work_group_copy(one, in, 4, 0);
    wait_group_events(1, &e);
    one[0] += 3;
    e = async_work_group_copy(out, one, 1, 0);
    wait_group_events(1, &e);
}

// A barrier between the write and the wait does not order them.
// barrier_between 4 4 finds: data-race at any moment until wait_group_events()
kernel void barrier_between(global int *in, global int *out)
{
    local int one[4];
    event_t e = async_work_group_copy(one, in, 4, 0);
    if (get_local_id(0) == 3)
        one[1] = 7;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    wait_group_events(1, &e);
    out[get_local_id(0)] = one[0];
}

// Atomics race with it as other accesses do.
// atomic_between 4 4 finds: mixed-atomic out[0]
kernel void atomic_between(global int *in, global int *out)
{
    local int one[4];
    one[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, one, 4, 0);
    atomic_inc(out);
    wait_group_events(1, &e);
}

// The source may be read, and other memory written.
// between 4 4 runs: 3 6 9 12
kernel void between(global int *in, global int *out)
{
    local int one[4], two[4];
    size_t l = get_local_id(0);
    event_t e = async_work_group_copy(one, in, 4, 0);
    two[3 - l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = two[l] + in[l + 1] + in[0];
    wait_group_events(1, &e);
    out[l] = sum - 1 + one[l] * 3 - one[0];
    barrier(CLK_GLOBAL_MEM_FENCE);
    in[l] = one[3 - l];
}

// One target, two copies: both may be last.
// collision 4 4 finds: data-race one[0]
kernel void collision(global int *in, global int *out)
{
    local int one[4];
    event_t e = async_work_group_copy(one, in, 4, 0);
    e = async_work_group_copy(one, in + 4, 4, e);
    wait_group_events(1, &e);
}

// One source, two copies: both are waited for before it changes, or one is.
// shared_source 4 4 runs: 11 11 11 11
kernel void shared_source(global int *in, global int *out)
{
    local int one[4], two[4];
    event_t e = async_work_group_copy(one, in + 4, 4, 0);
    event_t f = async_work_group_copy(two, in + 4, 4, 0);
    wait_group_events(1, &f);
    wait_group_events(1, &e);
    in[4 + get_local_id(0)] = 9;
    out[get_local_id(0)] = one[get_local_id(0)] + two[3 - get_local_id(0)];
}

// shared_too_early 4 4 finds: data-race async_work_group_copy(two,
kernel void shared_too_early(global int *in, global int *out)
{
    local int one[4], two[4];
    event_t e = async_work_group_copy(one, in + 4, 4, 0);
    event_t f = async_work_group_copy(two, in + 4, 4, 0);
    wait_group_events(1, &e);
    in[4 + get_local_id(0)] = 9;
    wait_group_events(1, &f);
}

// The same, the other way round.
// shared_second 4 4 finds: data-race async_work_group_copy(one,
kernel void shared_second(global int *in, global int *out)
{
    local int one[4], two[4];
    event_t e = async_work_group_copy(one, in + 4, 4, 0);
    event_t f = async_work_group_copy(two, in + 4, 4, 0);
    wait_group_events(1, &f);
    in[4 + get_local_id(0)] = 9;
    wait_group_events(1, &e);
}

// Bytes: neighbours in a word are other elements.
// bytes 4 4 runs: 100925952
kernel void bytes(global int *in, global int *out)
{
    local char one[4];
    event_t e = async_work_group_strided_copy(one, (global char *)in, 4, 4, 0);
    wait_group_events(1, &e);
    one[get_local_id(0)] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy((global char *)out, one, 4, 0);
    wait_group_events(1, &e);
}

// bytes_between 4 4 finds: data-race one[2]
kernel void bytes_between(global int *in, global int *out)
{
    local char one[4];
    event_t e = async_work_group_strided_copy(one, (global char *)in, 4, 4, 0);
    if (get_local_id(0) == 3)
        one[2] = 1;
    wait_group_events(1, &e);
    out[get_local_id(0)] = one[0];
}

// Each item knows by a flag that the data is there; so any of them may copy it.
// told_each 8 4 runs: 0 0 0 0 5 6 7 8
kernel void told_each(global int *in, global int *out)
{
    volatile global atomic_int *flag = (volatile global atomic_int *)(in + 64);
    size_t l = get_local_id(0);
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
    local int one[4];
    event_t e = async_work_group_copy(one, in, 4, 0);
    wait_group_events(1, &e);
    out[4 + l] = one[l];
}

// One does not know it, and could be the one that copies in[0].
// told_most 8 4 finds: data-race in[0]
kernel void told_most(global int *in, global int *out)
{
    volatile global atomic_int *flag = (volatile global atomic_int *)(in + 64);
    size_t l = get_local_id(0);
    if (get_group_id(0) == 0) {
        in[l] = 5 + l;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0)
            atomic_store_explicit(flag, 1000, memory_order_release, memory_scope_device);
        return;
    }
    if (l != 0)
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)
               != 1000)
            ;
    local int one[4];
    event_t e = async_work_group_copy(one, in, 4, 0);
    wait_group_events(1, &e);
    out[4 + l] = one[l];
}

// A call orders nothing that comes before it.
// written_before 4 4 finds: data-race async_work_group_copy(out,
kernel void written_before(global int *in, global int *out)
{
    local int one[4];
    one[get_local_id(0)] = 1;
    event_t e = async_work_group_copy(out, one, 4, 0);
    wait_group_events(1, &e);
}

// never 8 4 finds: unsupported without waiting
kernel void never(global int *in, global int *out)
{
    local int one[4];
    async_work_group_copy(one, in, 4, 0);
}

// differ 4 4 finds: barrier-divergence their arguments differ
kernel void differ(global int *in, global int *out)
{
    local int one[4];
    event_t e = async_work_group_copy(one, in, 3 + (get_local_id(0) == 1), 0);
    wait_group_events(1, &e);
}

// one_item 4 4 finds: barrier-divergence async_work_group_copy
kernel void one_item(global int *in, global int *out)
{
    local int one[4];
    if (get_local_id(0) == 0) {
        event_t e = async_work_group_copy(one, in, 4, 0);
        wait_group_events(1, &e);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = one[0];
}

// past 4 4 finds: out-of-bounds in[128] of 128 elements
kernel void past(global int *in, global int *out)
{
    local int one[4];
    event_t e = async_work_group_copy(one, in + 125, 4, 0);
    wait_group_events(1, &e);
    out[get_local_id(0)] = one[0];
}
