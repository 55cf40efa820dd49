/* SPDX-License-Identifier: MIT
 *
 * stackless.c: kernels for stackless.sh. Each writes one number for each item.
 *
 *   stackless NAME [stackful]    prints the sum of these numbers, the entry that ran,
 *                                and in how many stacks the items of group 0 were at
 *                                the end
 *
 * With ONLY_TREE the first kernel is the only one: that compiles in a fraction of the
 * time. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <string.h>

enum { LOCAL = 16, N = 64, ROWS = 5 };

typedef struct {
    uint32_t *out;
    uintptr_t *where;
    uint32_t *flag;
    uint32_t *none; /* NULL */
    const uint32_t *in;
    void (*add)(uint32_t *to);
} job_args;

/* 4 KiB is less than the distance of two stacks, and more than a frame. The lowest bit
 * is set in stackless entries. */
#define LEAVE(value)                                                                   \
    do {                                                                               \
        args->out[weir_global_linear_id(item)] = (uint32_t)(value);                    \
        args->where[weir_global_linear_id(item)]                                       \
            = (uintptr_t)__builtin_frame_address(0) >> 12 << 1 | WEIRI_SPLIT;          \
    } while (0)

/* 1: the kernel reads and writes it; 2: it writes it, and other code reads it; 3: other
 * code writes it, and it reads; 4: nothing writes it. */
#if STATIC
static uint32_t calls;
uint32_t elsewhere(uint32_t value);
uint32_t elsewhere(uint32_t value)
{
#if STATIC == 3
    calls = value;
#endif
    return calls + value;
}
#endif

WEIR_KERNEL(tree, job_args)
{
    size_t lid = weir_local_id(item, 0), n = weir_local_size(item, 0);
    uint32_t *part = weir_local_array(item, uint32_t, n);
    part[lid] = (uint32_t)weir_global_id(item, 0);
#if STATIC == 1
    calls++;
#elif STATIC == 2
    calls = 1;
#elif STATIC > 2
    part[lid] += calls;
#endif
    weir_barrier(item, WEIR_LOCAL);
    for (size_t stride = n / 2; stride > 0; stride /= 2) {
        if (lid < stride) {
            part[lid] += part[lid + stride];
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    LEAVE(part[0] + lid);
}

static void add_one(uint32_t *to)
{
    weir_atomic_add_explicit(to, 1, memory_order_relaxed, memory_scope_device);
}

#ifndef ONLY_TREE
WEIR_KERNEL(none, job_args)
{
    LEAVE(weir_global_id(item, 0));
}

/* Each item has more values after a barrier than there are registers, and stops at
 * more places than the entry has loops. */
WEIR_KERNEL(many, job_args)
{
    uint32_t v[12], sum = 0;
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    size_t lid = weir_local_id(item, 0);
#define ROUND(k)                                                                       \
    part[lid] = (uint32_t)lid * (k) + 1;                                               \
    weir_barrier(item, WEIR_LOCAL);                                                    \
    v[k] = part[(lid + (k)) % LOCAL] * (k + 3);                                        \
    weir_barrier(item, WEIR_LOCAL)
    ROUND(0);
    ROUND(1);
    ROUND(2);
    ROUND(3);
    ROUND(4);
    ROUND(5);
    ROUND(6);
    ROUND(7);
    ROUND(8);
    ROUND(9);
    ROUND(10);
    ROUND(11);
    for (int k = 0; k < 12; k++) {
        sum = sum * 31 + v[k];
    }
    LEAVE(sum % 1000);
}

/* Values of other items, by all kinds of group algorithms, in two dimensions. */
WEIR_KERNEL(values, job_args)
{
    uint32_t own = (uint32_t)weir_global_linear_id(item) * 7 % 13;
    uint32_t sum = weir_group_reduce_add(item, own);
    uint32_t scan = weir_group_exclusive_scan_add(item, own);
    uint32_t one = weir_group_broadcast(item, own, 3);
    uint32_t lane
        = weir_sub_group_shuffle(item, own, weir_sub_group_local_id(item) ^ 1);
    double most = weir_sub_group_reduce_max(item, (double)own);
    LEAVE(sum + 2 * scan + 3 * one + 5 * lane + (uint32_t)most);
}

/* Waits in a function of its own. */
static __attribute__((noinline)) uint32_t apart(struct weir_item *item, uint32_t *part)
{
    size_t lid = weir_local_id(item, 0);
    part[lid] = (uint32_t)lid + 1;
    weir_barrier(item, WEIR_LOCAL);
    return part[LOCAL - 1 - lid];
}

WEIR_KERNEL(helper, job_args)
{
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint32_t mine = apart(item, part) * 3;
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(mine + apart(item, part));
}

/* Item 0 waits for a write of the last item, which all then pass a barrier with. */
WEIR_KERNEL(spins, job_args)
{
    size_t lid = weir_local_id(item, 0);
    uint32_t *flag = args->flag + weir_group_id(item, 0);
    if (lid == 0) {
        while (weir_atomic_load_explicit(flag, memory_order_acquire,
                                         memory_scope_work_group)
               == 0) {}
    }
    if (lid == LOCAL - 1) {
        weir_atomic_store_explicit(flag, 5, memory_order_release,
                                   memory_scope_work_group);
    }
    weir_barrier(item, WEIR_GLOBAL);
    uint32_t got = *flag;
    weir_barrier(item, WEIR_GLOBAL);
    LEAVE(got + lid);
}

/* Items part and meet again: those of the second sub-group exchange values of their own
 * between two barriers. */
WEIR_KERNEL(parts, job_args)
{
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    size_t lid = weir_local_id(item, 0);
    part[lid] = (uint32_t)lid;
    weir_barrier(item, WEIR_LOCAL);
    if (weir_sub_group_id(item) == 1) {
        part[lid] = weir_sub_group_reduce_add(item, part[lid]);
    }
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(part[(lid + LOCAL / 2) % LOCAL]);
}

/* Items leave the inner loop at different times, and all come to its barrier: how often
 * they have left it is not the same for all. */
WEIR_KERNEL(turns, job_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint32_t k = 0, turns = 0;
    for (;;) {
        turns++;
        do {
            part[lid] = k * lid;
            part[lid] = part[lid] / (k + 1) + part[lid] % (lid + 1);
            weir_barrier(item, WEIR_LOCAL);
            if (++k > 4) {
                goto out;
            }
        } while ((lid + k) % 3 != 0);
    }
out:
    part[lid] = turns;
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(part[lid]);
}

/* The same with a barrier that the compiler copies. */
WEIR_KERNEL(copied, job_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    uint32_t k = 0, turns = 0;
    for (;;) {
        turns += 3;
        for (;;) {
            weir_barrier(item, WEIR_GLOBAL);
            if (++k > 4) {
                goto out;
            }
            if (lid % 6 == 0) {
                break;
            }
            args->flag[weir_global_id(item, 0)]++;
        }
    }
out:
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(turns);
}

/* A value that differs between items comes from an addition of vectors. */
WEIR_KERNEL(vectors, job_args)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    four all = ((four){ lid, lid * 3, lid / 3, lid + 7 } ^ 5) + 1;
    size_t group = weir_group_id(item, 0);
    uint32_t one = all[group & 3], other = all[(group + 1) & 3];
    part[lid] = one * other;
    weir_barrier(item, WEIR_LOCAL);
    part[lid] += one - other / 3;
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(part[lid]);
}

/* A variable that the compiler keeps in memory: items write it at different times, each
 * time a value that is the same for all. */
WEIR_KERNEL(keeps, job_args)
{
    size_t gid = weir_global_id(item, 0);
    volatile uint32_t mine;
    for (uint32_t k = 0; k < LOCAL; k++) {
        if (k * 5 % LOCAL == weir_local_id(item, 0)) {
            mine = k * 3;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    uint32_t got = mine;
    weir_barrier(item, WEIR_LOCAL);
    args->flag[gid] = got;
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(args->flag[gid]);
}

/* Items leave a loop over neighbouring elements, with soft stops, at different times,
 * and all reach the barrier after it: how often they have run it is not the same for
 * all. */
WEIR_KERNEL(leaves, job_args)
{
    size_t gid = weir_global_id(item, 0);
    uint32_t k = 0;
    for (size_t at = gid; args->in[at] != at; at += N) {
        k++;
    }
    weir_barrier(item, WEIR_LOCAL);
    args->flag[gid] = k;
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(args->flag[gid]);
}

/* Soft stops alone. The index of an element is used twice: else clang 19 adds to the
 * address in two steps, in which weir-split does not find neighbours. */
#define COLUMNS                                                                        \
    size_t first = weir_group_linear_id(item) * LOCAL + weir_local_linear_id(item);    \
    uint32_t sum = 0;                                                                  \
    for (uint32_t k = 0; k < weir_num_groups(item, 0); k++) {                          \
        size_t at = k * N + first;                                                     \
        sum = sum * 3 + (args->in[at] ^ (uint32_t)at);                                 \
    }                                                                                  \
    LEAVE(sum)

WEIR_KERNEL(columns, job_args)
{
    COLUMNS;
}

/* The same in two dimensions, where passes could only be scalar. */
WEIR_KERNEL(wide, job_args)
{
    COLUMNS;
}

/* Its stack grows by more than is known when the body begins. The other kernels of the
 * file have stackless entries all the same. */
WEIR_KERNEL(grows, job_args)
{
    size_t lid = weir_local_id(item, 0), id = weir_global_id(item, 0);
    size_t n = args->in[weir_group_id(item, 0)] % 7 + 3;
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint32_t own[n];
    for (size_t i = 0; i < n; i++) {
        own[i] = args->in[id + i];
    }
    part[lid] = own[n - 1];
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(own[lid % n] + 3 * part[(lid + 1) % LOCAL]);
}

/* Optimisation removes the array, but not what puts the stack back. */
WEIR_KERNEL(shrinks, job_args)
{
    size_t lid = weir_local_id(item, 0), id = weir_global_id(item, 0);
    size_t n = args->in[weir_group_id(item, 0)] % 7 + 3;
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t own[n];
        own[0] = args->in[id + i];
        part[lid] = own[0];
        weir_barrier(item, WEIR_LOCAL);
        sum += own[0] + part[(lid + 1) % LOCAL];
        weir_barrier(item, WEIR_LOCAL);
    }
    LEAVE(sum);
}

/* Adds by a function of the half with stacks, whose additions may be put off. */
WEIR_KERNEL(adds, job_args)
{
    uint32_t *sum = args->flag + weir_group_id(item, 0);
    args->add(sum);
    weir_barrier(item, WEIR_GLOBAL);
    LEAVE(*sum + weir_local_id(item, 0));
}

/* All items of the group change one word, at a scope for which they take turns: by
 * additions with and without a use of the result, an exchange, a compare-exchange, and
 * a maximum of floats. */
WEIR_KERNEL(tickets, job_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    uint32_t *word = weir_local_array(item, uint32_t, 4);
    float *greatest = weir_local_array(item, float, 1);
    uint32_t *of_group = args->flag + weir_group_id(item, 0);
    if (lid == 0) {
        memset(word, 0, 4 * sizeof(*word));
        *greatest = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    uint32_t *slot = args->out + weir_global_id(item, 0);
    *slot = weir_atomic_fetch_add_explicit(word, 1, memory_order_relaxed,
                                           memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    uint32_t ticket = *slot;
    weir_atomic_fetch_add_explicit(word + 1 + lid % 2, lid, memory_order_acq_rel,
                                   memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    uint32_t before = weir_atomic_exchange_explicit(
        word + 3, lid + 1, memory_order_relaxed, memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    uint32_t seen = ticket;
    weir_atomic_compare_exchange_strong_explicit(
        of_group, &seen, ticket + 1, memory_order_seq_cst, memory_order_seq_cst,
        memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    weir_atomic_fetch_max_explicit(greatest, (float)lid, memory_order_relaxed,
                                   memory_scope_sub_group);
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(ticket + 7 * word[0] + 11 * word[1] + 13 * word[2] + 17 * before
          + 19 * (seen == ticket) + 23 * *of_group + (uint32_t)*greatest);
}

static __attribute__((noinline)) uint32_t take(uint32_t *from)
{
    return weir_atomic_fetch_add_explicit(from, 1, memory_order_relaxed,
                                          memory_scope_work_group);
}

/* What an atomic of the compiler and a function return is not the same for all,
 * although what they are given is. */
WEIR_KERNEL(results, job_args)
{
    size_t lid = weir_local_id(item, 0);
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint32_t *of_group = args->flag + weir_group_id(item, 0);
    uint32_t first = __atomic_fetch_add(of_group, 1, __ATOMIC_RELAXED);
    weir_barrier(item, WEIR_GLOBAL);
    uint32_t second = take(of_group + N / 2);
    weir_barrier(item, WEIR_GLOBAL);
    part[lid] = first * 3 + second;
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(part[lid] + first * 7 + second * 11);
}

/* Neighbours differ by two or by three, which depends on the group; and by one in a
 * value that wraps before it is widened. */
WEIR_KERNEL(strides, job_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0), far;
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint64_t wide = lid - 5;
    if (weir_group_id(item, 0) % 2 == 1) {
        far = lid * 2;
        weir_barrier(item, WEIR_LOCAL);
    } else {
        far = lid * 3;
        weir_barrier(item, WEIR_GLOBAL);
    }
    weir_barrier(item, WEIR_LOCAL);
    part[lid] = far;
    for (uint32_t k = 0; k < args->in[5]; k++) {
        weir_barrier(item, WEIR_LOCAL);
        part[lid] += (uint32_t)(wide >> 16);
        wide += 3;
    }
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(part[lid] + far + (uint32_t)(wide >> 7) + (uint32_t)(wide >> 32));
}

/* Each item computes an address in local memory before a barrier, and uses it after. */
WEIR_KERNEL(addresses, job_args)
{
    size_t lid = weir_local_id(item, 0);
    uint32_t *part = weir_local_array(item, uint32_t, LOCAL);
    uint32_t *to = part + lid * 3 % LOCAL;
    part[lid] = 1;
    weir_barrier(item, WEIR_LOCAL);
    for (uint32_t k = 0; k < args->in[5]; k++) {
        *to += k;
        weir_barrier(item, WEIR_LOCAL);
        to = part + ((size_t)(to - part) * 5 + k) % LOCAL;
        weir_barrier(item, WEIR_LOCAL);
    }
    LEAVE(part[lid] + (uint32_t)(to - part));
}

/* Wrong: half of the items return before the second barrier. */
WEIR_KERNEL(diverges, job_args)
{
    size_t lid = weir_local_id(item, 0);
    weir_barrier(item, WEIR_LOCAL);
    LEAVE(lid);
    if (lid % 2 == 1) {
        return;
    }
    weir_barrier(item, WEIR_LOCAL);
}

/* Wrong: an item in the middle of a group writes to no memory, in two dimensions. */
WEIR_KERNEL(faults_plainly, job_args)
{
    weir_barrier(item, WEIR_LOCAL);
    if (weir_global_linear_id(item) == N / 2 + 5) {
        *args->none = 1;
    }
    weir_barrier(item, WEIR_LOCAL);
}

/* Wrong: the last item writes to no memory, by an atomic, with which passes are
 * scalar. */
WEIR_KERNEL(faults, job_args)
{
    weir_barrier(item, WEIR_LOCAL);
    uint32_t *to = weir_global_id(item, 0) == N - 1 ? args->none : args->out;
    __atomic_fetch_add(to + weir_global_id(item, 0), 1, __ATOMIC_RELAXED);
    weir_barrier(item, WEIR_LOCAL);
}

/* Wrong: its items meet again and again. */
WEIR_KERNEL(endless, job_args)
{
    do {
        weir_barrier(item, WEIR_LOCAL);
    } while (args->out != NULL);
}

#endif

static bool is(const struct weir_kernel *kernel, const char *name)
{
    return strcmp(kernel->name, name) == 0;
}

static size_t n_stacks(const uintptr_t *where)
{
    size_t n = 0;
    for (size_t i = 0; i < LOCAL; i++) {
        size_t j = 0;
        while (j < i && where[j] != where[i]) {
            j++;
        }
        n += j == i;
    }
    return n;
}

int main(int argc, char **argv)
{
    static const struct weir_kernel *const kernels[]
        = { &tree,
#ifndef ONLY_TREE
            &none,  &many,    &values,   &helper,  &spins,          &parts,
            &turns, &copied,  &vectors,  &keeps,   &leaves,         &columns,
            &wide,  &adds,    &tickets,  &results, &strides,        &addresses,
            &grows, &shrinks, &diverges, &faults,  &faults_plainly, &endless
#endif
          };
    size_t k = 0;
    while (argc > 1 && k + 1 < sizeof(kernels) / sizeof(*kernels)
           && !is(kernels[k], argv[1])) {
        k++;
    }
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.stackful = argc > 2;
    options.sub_group_size = 8;
    options.time_limit_ms = is(kernels[k], "endless") ? 500 : 10000;
    options.workers = 2;
    struct weir_device *device = weir_device_new("default", NULL);
    uint32_t *in = weir_new(device, uint32_t, ROWS * N, "in");
    job_args args = { weir_new(device, uint32_t, N, "out"),
                      weir_new(device, uintptr_t, N, "where"),
                      weir_new(device, uint32_t, N, "flag"),
                      NULL,
                      in,
                      add_one };
    memset(args.flag, 0, N * sizeof(*args.flag));
    for (uint32_t i = 0; i < ROWS * N; i++) {
        in[i] = i / N < i % ROWS ? 0 : i;
    }
    struct weir_nd_range range = is(kernels[k], "values") || is(kernels[k], "wide")
            || is(kernels[k], "faults_plainly")
        ? weir_nd_range_2d(N / 2, 2, LOCAL / 2, 2)
        : weir_nd_range_1d(N, LOCAL);
    GError *error = NULL;
    if (!weir_launch_with(device, kernels[k], range, &args, &options, NULL, &error)) {
        printf("%s\n", error->message);
        return 1;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < N; i++) {
        sum = sum * 3 + args.out[i];
    }
    printf("%llu %s %zu\n", (unsigned long long)sum,
           args.where[0] & 1 ? "stackless" : "stackful", n_stacks(args.where));
    weir_device_free(device);
    return 0;
}
