/* SPDX-License-Identifier: MIT
 *
 * check_spin.c: items that wait for each other by atomics. Items of a group
 * make progress whichever of them spins, and however; groups do as long as they can be
 * resident together; locks exclude; fences and orders carry plain data.
 *
 * A failure here is mostly a hang, which the test's time limit ends. */
#include "support.h"

#include <pthread.h>

/* ---- Items of one group -------------------------------------------------- */

CASE("items");

/* How an item can wait for a word to change from 0. */
enum way {
    BY_LOAD,
    BY_ACQUIRE_LOAD,
    BY_REF_LOAD,
    BY_FAILING_CAS,
    BY_FAILING_WEAK_CAS,
    BY_EXCHANGE,
    BY_ADDING_0,
    BY_SUBTRACTING_0,
    BY_OR_WITH_0,
    BY_AND_WITH_ALL,
    BY_XOR_WITH_0,
    BY_MIN,
    BY_MAX,
    N_WAYS,
};

/* Tries once. Returns: 0 where the word is 0 */
static inline uint32_t try(uint32_t *flag, enum way way, memory_scope scope)
{
    const memory_order relaxed = memory_order_relaxed, acquire = memory_order_acquire;
    uint32_t expected = 1;
    switch (way) {
    case BY_LOAD:
        return weir_atomic_load_explicit(flag, relaxed, scope);
    case BY_ACQUIRE_LOAD:
        return weir_atomic_load_explicit(flag, acquire, scope);
    case BY_REF_LOAD:
        return weir_atomic_load(weir_atomic_ref(flag, memory_order_seq_cst, scope));
    case BY_FAILING_CAS:
        return weir_atomic_compare_exchange_strong_explicit(
            flag, &expected, 2u, memory_order_acq_rel, acquire, scope);
    case BY_FAILING_WEAK_CAS:
        return weir_atomic_compare_exchange_weak_explicit(flag, &expected, 2u, relaxed,
                                                          relaxed, scope);
    case BY_EXCHANGE:
        return weir_atomic_exchange_explicit(flag, 0u, acquire, scope);
    case BY_ADDING_0:
        return weir_atomic_fetch_add_explicit(flag, 0u, relaxed, scope);
    case BY_SUBTRACTING_0:
        return weir_atomic_fetch_sub_explicit(flag, 0u, relaxed, scope);
    case BY_OR_WITH_0:
        return weir_atomic_fetch_or_explicit(flag, 0u, acquire, scope);
    case BY_AND_WITH_ALL:
        return weir_atomic_fetch_and_explicit(flag, ~0u, memory_order_seq_cst, scope);
    case BY_XOR_WITH_0:
        return weir_atomic_fetch_xor_explicit(flag, 0u, relaxed, scope);
    case BY_MIN:
        return weir_atomic_fetch_min_explicit(flag, 1u, relaxed, scope);
    case BY_MAX:
        return weir_atomic_fetch_max_explicit(flag, 0u, relaxed, scope);
    default:
        return 1;
    }
}

typedef struct {
    uint32_t *flags; /* one an item */
    uint32_t *order; /* how many came before each item */
    uint32_t *count;
    enum way way;
    memory_scope scope;
} chain_args;

/* Each item waits for the next one, so that the last must run first of all. */
WEIR_KERNEL(chain, chain_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    if (lid + 1 < weir_local_size(item, 0)) {
        while (try(&args->flags[i + 1], args->way, args->scope) == 0) {}
    }
    args->order[i] = weir_atomic_fetch_add_explicit(
        &args->count[weir_group_id(item, 0)], 1u, memory_order_relaxed, args->scope);
    weir_atomic_store_explicit(&args->flags[i], 1u, memory_order_release, args->scope);
}

static void expect_chain(struct weir_device *device, memory_scope scope, enum way way,
                         size_t local, size_t groups, size_t workers)
{
    size_t n = local * groups;
    uint32_t *memory = weir_new(device, uint32_t, 2 * n + groups, "memory");
    uint32_t *order = memory + n;
    LAUNCH_SILENT(device, &chain, weir_nd_range_1d(n, local),
                  (&(chain_args){ memory, order, memory + 2 * n, way, scope }),
                  WITH_WORKERS(workers));
    EXPECT_ELEMENTS(order, i, n, local - 1 - i % local);
    weir_free(device, memory);
}

static const memory_scope scopes[]
    = { memory_scope_work_group, memory_scope_device, memory_scope_system };

DEVICE_TEST_EACH(an_item_may_wait_for_the_next_one_in_every_way, N_WAYS)
{
    enum way way = (enum way)_i;
    for (size_t s = 0; s < G_N_ELEMENTS(scopes); s++) {
        expect_chain(device, scopes[s], way, 2, 3, 1);
        expect_chain(device, scopes[s], way, 2, 3, 2);
        expect_chain(device, scopes[s], way, scaled(33, 4), 2, 1);
        expect_chain(device, scopes[s], way, scaled(33, 4), 4, 2);
    }
}

/* A thousand items spin while one makes progress. */
DEVICE_TEST(the_largest_group_may_be_one_chain)
{
    size_t local = scaled(UNDER_ASAN || !OPTIMIZED ? 128 : 1024, 16);
    expect_chain(device, memory_scope_work_group, BY_LOAD, local, 1, 1);
    expect_chain(device, memory_scope_device, BY_FAILING_CAS, local, 2, 2);
}

typedef struct {
    uint32_t *flag;
    int32_t *out;
} late_args;

/* The first item is a coroutine that has waited before; the last sets the flag
 * between two barriers that the others are not at. */
WEIR_KERNEL(wait_between_barriers, late_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    uint32_t *flag = &args->flag[weir_group_id(item, 0)];
    int32_t *scratch = weir_local_array(item, int32_t, local);
    scratch[lid] = (int32_t)lid;
    weir_barrier(item, WEIR_LOCAL);
    if (lid == local - 1) {
        scratch[lid] = 1000;
        weir_atomic_store_explicit(flag, 1u, memory_order_release,
                                   memory_scope_work_group);
    } else {
        while (weir_atomic_load_explicit(flag, memory_order_acquire,
                                         memory_scope_work_group)
               == 0) {}
        scratch[lid] += scratch[local - 1];
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = scratch[(lid + 1) % local];
}

WORKERS_TEST(items_may_wait_between_barriers)
{
    enum { LOCAL = 20, N = 5 * LOCAL };
    late_args args = { weir_new(device, uint32_t, 5, "flag"),
                       weir_new(device, int32_t, N, "out") };
    LAUNCH_SILENT(device, &wait_between_barriers, weir_nd_range_1d(N, LOCAL), &args,
                  WITH_WORKERS(workers));
    for (size_t i = 0; i < N; i++) {
        size_t next = (i + 1) % LOCAL;
        EXPECT_ELEMENT(args.out, i, next == LOCAL - 1 ? 1000 : 1000 + (int)next);
    }
}

/* A flag in local memory, two-dimensional ids that must survive the wait. */
typedef struct {
    size_t *out;
} id_args;

WEIR_KERNEL(wait_in_two_dimensions, id_args)
{
    uint32_t *flag = weir_local_array(item, uint32_t, 1);
    size_t lid = weir_local_linear_id(item);
    if (lid == 0) {
        *flag = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    while (
        weir_atomic_load_explicit(flag, memory_order_relaxed, memory_scope_work_group)
        != weir_local_size(item, 0) * weir_local_size(item, 1) - 1 - lid) {}
    weir_atomic_fetch_add_explicit(flag, 1u, memory_order_relaxed,
                                   memory_scope_work_group);
    args->out[weir_global_linear_id(item)]
        = weir_global_id(item, 0) * 100 + weir_global_id(item, 1);
}

WORKERS_TEST(an_item_that_waited_still_knows_its_ids)
{
    size_t *out = weir_new(device, size_t, 12 * 10, "out");
    LAUNCH_SILENT(device, &wait_in_two_dimensions, weir_nd_range_2d(12, 10, 4, 5),
                  &(id_args){ out }, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 12 * 10, i / 10 * 100 + i % 10);
}

/* ---- Locks --------------------------------------------------------------- */

CASE("locks");

enum lock { SPIN_LOCK, EXCHANGE_LOCK, TICKET_LOCK, N_LOCKS };

typedef struct {
    uint32_t *lock;   /* or the next ticket, and the one that is served */
    uint64_t *shared; /* plain: guarded by the lock */
    uint32_t rounds;
    enum lock how;
    memory_scope scope; /* work_group: each group has a lock of its own */
} lock_args;

/* Reads, waits a little, writes: two at once would lose an update. */
static inline void update(uint64_t *shared)
{
    volatile uint64_t *word = shared;
    uint64_t value = *word;
    for (volatile int i = 0; i < 3; i++) {}
    *word = value + 1;
}

static inline void acquire_lock(uint32_t *lock, enum lock how, memory_scope scope)
{
    uint32_t expected, ticket;
    switch (how) {
    case SPIN_LOCK:
        while (expected = 0,
               !weir_atomic_compare_exchange_weak_explicit(
                   lock, &expected, 1u, memory_order_acquire, memory_order_relaxed,
                   scope)) {}
        break;
    case EXCHANGE_LOCK:
        while (weir_atomic_exchange_explicit(lock, 1u, memory_order_acquire, scope)
               == 1) {}
        break;
    default:
        ticket = weir_atomic_fetch_add_explicit(lock, 1u, memory_order_relaxed, scope);
        while (weir_atomic_load_explicit(lock + 1, memory_order_acquire, scope)
               != ticket) {}
    }
}

WEIR_KERNEL(update_under_a_lock, lock_args)
{
    size_t place = args->scope == memory_scope_work_group ? weir_group_id(item, 0) : 0;
    uint32_t *lock = args->lock + 2 * place;
    for (uint32_t round = 0; round < args->rounds; round++) {
        acquire_lock(lock, args->how, args->scope);
        update(args->shared + place);
        if (args->how == TICKET_LOCK) { /* none but the holder writes what is served */
            weir_atomic_store_explicit(lock + 1, lock[1] + 1, memory_order_release,
                                       args->scope);
        } else {
            weir_atomic_store_explicit(lock, 0u, memory_order_release, args->scope);
        }
    }
}

WORKERS_TEST_EACH(a_lock_excludes_the_items_of_its_group, N_LOCKS)
{
    enum { GROUPS = 4 };
    uint32_t local = (uint32_t)scaled(32, 4), rounds = 20;
    lock_args args = { weir_new(device, uint32_t, 2 * GROUPS, "lock"),
                       weir_new(device, uint64_t, GROUPS, "shared"), rounds,
                       (enum lock)_i, memory_scope_work_group };
    LAUNCH_SILENT(device, &update_under_a_lock, weir_nd_range_1d(GROUPS * local, local),
                  &args, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(args.shared, g, GROUPS, local * rounds);
}

WORKERS_TEST_EACH(a_lock_excludes_the_items_of_all_groups, 2 * N_LOCKS)
{
    uint32_t local = (uint32_t)scaled(8, 2), groups = 4,
             rounds = (uint32_t)scaled(50, 5);
    lock_args args
        = { weir_new(device, uint32_t, 2, "lock"),
            weir_new(device, uint64_t, 1, "shared"), rounds, (enum lock)(_i % N_LOCKS),
            _i < N_LOCKS ? memory_scope_device : memory_scope_system };
    *args.shared = 0;
    LAUNCH_SILENT(device, &update_under_a_lock, weir_nd_range_1d(groups * local, local),
                  &args, WITH_WORKERS(workers));
    ck_assert_uint_eq(*args.shared, groups * local * rounds);
}

/* ---- Groups that wait for each other ------------------------------------- */

CASE("groups");

typedef struct {
    uint32_t *flags; /* one a group */
    int32_t *out;
    int32_t *data; /* one a group, plain: written before its flag */
} groups_args;

/* The value of the next group, once its flag is up; 0 for the last group. */
static inline int32_t await_next(const groups_args *args, size_t group, size_t groups)
{
    if (group + 1 == groups) {
        return 0;
    }
    while (LOAD_ACQUIRE(&args->flags[group + 1]) == 0) {}
    return args->data[group + 1];
}

static inline void publish(const groups_args *args, size_t group, int32_t next)
{
    args->data[group] = next + 1;
    STORE_RELEASE(&args->flags[group], 1u);
}

/* Group g waits for group g + 1. Its local memory stays its own. */
WEIR_KERNEL(wait_for_the_next_group, groups_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *mine = weir_local_array(item, int32_t, local);
    mine[lid] = (int32_t)(group * 1000 + lid);
    weir_barrier(item, WEIR_LOCAL);
    int32_t next = await_next(args, group, groups);
    weir_barrier(item, WEIR_LOCAL);
    if (lid == 0) {
        publish(args, group, next);
    }
    args->out[weir_global_id(item, 0)] = mine[(lid + 1) % local];
}

/* Only item 0 waits; the others are at the barrier meanwhile. */
WEIR_KERNEL(one_item_waits_for_the_next_group, groups_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *mine = weir_local_array(item, int32_t, local);
    mine[lid] = (int32_t)(group * 1000 + lid);
    if (lid == 0) {
        publish(args, group, await_next(args, group, groups));
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = mine[(lid + 1) % local];
}

/* No item waits: all of them go from barrier to barrier until the first has seen it. */
WEIR_KERNEL(barriers_until_the_next_group_is_there, groups_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    int32_t *mine = weir_local_array(item, int32_t, local);
    uint32_t *seen = weir_local_array(item, uint32_t, 1);
    mine[lid] = (int32_t)(group * 1000 + lid);
    uint32_t up;
    do {
        if (lid == 0) {
            *seen = group + 1 == groups
                || weir_atomic_fetch_add_explicit(&args->flags[group + 1], 0u,
                                                  memory_order_acquire,
                                                  memory_scope_device)
                    == 1;
        }
        weir_barrier(item, WEIR_LOCAL);
        up = *seen;
        weir_barrier(item, WEIR_LOCAL);
    } while (up == 0);
    if (lid == 0) {
        publish(args, group, await_next(args, group, groups));
    }
    args->out[weir_global_id(item, 0)] = mine[(lid + 1) % local];
}

WEIR_GROUP_KERNEL(hierarchical_waits_for_the_next_group, groups_args)
{
    size_t me = weir_group_index(group, 0), groups = weir_group_range(group, 0);
    size_t local = weir_group_size(group, 0);
    int32_t *mine = weir_group_local_array(group, int32_t, local);
    weir_for_each_item(item, group) {
        mine[weir_local_id(item, 0)] = (int32_t)(me * 1000 + weir_local_id(item, 0));
    }
    publish(args, me, await_next(args, me, groups));
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        args->out[weir_global_id(item, 0)] = mine[(lid + 1) % local];
    }
}

/* The wait is inside the loop over the items, in the middle of it. */
WEIR_GROUP_KERNEL(a_loop_waits_for_the_next_group, groups_args)
{
    size_t me = weir_group_index(group, 0), groups = weir_group_range(group, 0);
    size_t local = weir_group_size(group, 0);
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        if (lid == local / 2) {
            publish(args, me, await_next(args, me, groups));
        }
        args->out[weir_global_id(item, 0)] = (int32_t)(me * 1000 + (lid + 1) % local);
    }
}

static const struct weir_kernel *const group_chains[]
    = { &wait_for_the_next_group, &one_item_waits_for_the_next_group,
        &barriers_until_the_next_group_is_there, &hierarchical_waits_for_the_next_group,
        &a_loop_waits_for_the_next_group };

static void expect_group_chain(struct weir_device *device,
                               const struct weir_kernel *kernel, size_t local,
                               size_t groups, const struct weir_launch_options *options)
{
    groups_args args = { weir_new(device, uint32_t, groups, "flags"),
                         weir_new(device, int32_t, groups * local, "out"),
                         weir_new(device, int32_t, groups, "data") };
    LAUNCH_SILENT(device, kernel, weir_nd_range_1d(groups * local, local), &args,
                  options);
    EXPECT_ELEMENTS(args.data, g, groups, groups - g);
    EXPECT_ELEMENTS(args.out, i, groups * local,
                    i / local * 1000 + (i % local + 1) % local);
    weir_free(device, args.flags);
    weir_free(device, args.out);
    weir_free(device, args.data);
}

WORKERS_TEST_EACH(groups_that_can_be_resident_together_may_wait_for_each_other,
                  G_N_ELEMENTS(group_chains))
{
    const struct weir_kernel *kernel = group_chains[_i];
    size_t units = weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS);
    expect_group_chain(device, kernel, 1, 2, WITH_WORKERS(workers));
    expect_group_chain(device, kernel, scaled(8, 2), 2, WITH_WORKERS(workers));
    expect_group_chain(device, kernel, scaled(8, 2), 3, WITH_WORKERS(workers));
    expect_group_chain(device, kernel, scaled(16, 2), scaled(units, 4),
                       WITH_WORKERS(workers));
}

/* One schedule starts with the groups that wait, the other does not. */
DEVICE_TEST(groups_may_wait_for_each_other_under_every_schedule)
{
    static const char *const schedules[] = { "in-order", "reverse" };
    for (size_t s = 0; s < G_N_ELEMENTS(schedules); s++) {
        for (size_t k = 0; k < G_N_ELEMENTS(group_chains); k++) {
            expect_group_chain(
                device, group_chains[k], 4, 3,
                &(struct weir_launch_options){ .schedule = schedules[s] });
        }
    }
}

/* A window of as many groups as the device holds walks over a longer range:
 * each group waits for the one before it, which is always resident or over. */
WEIR_KERNEL(wait_for_the_group_before, groups_args)
{
    size_t group = weir_group_id(item, 0);
    if (weir_local_id(item, 0) == weir_local_size(item, 0) - 1) {
        int32_t before = 0;
        if (group > 0) {
            while (LOAD_ACQUIRE(&args->flags[group - 1]) == 0) {}
            before = args->data[group - 1];
        }
        args->data[group] = before + 1;
        STORE_RELEASE(&args->flags[group], 1u);
    }
}

WORKERS_TEST(a_range_of_any_length_may_wait_for_groups_before)
{
    size_t groups = scaled(3000, 50);
    groups_args args = { weir_new(device, uint32_t, groups, "flags"), NULL,
                         weir_new(device, int32_t, groups, "data") };
    LAUNCH_SILENT(device, &wait_for_the_group_before, weir_nd_range_1d(groups * 4, 4),
                  &args, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(args.data, g, groups, g + 1);
}

/* A barrier of all groups, made of a counter: as many as the device has units. */
typedef struct {
    uint32_t *arrived;
    int32_t *data;
    int32_t *out;
    uint32_t phases;
} device_barrier_args;

WEIR_KERNEL(device_wide_barrier, device_barrier_args)
{
    size_t group = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    bool leader = weir_local_id(item, 0) == 0;
    for (uint32_t phase = 0; phase < args->phases; phase++) {
        if (leader) {
            args->data[group] = (int32_t)(phase * 100 + group);
        }
        weir_barrier(item, WEIR_GLOBAL);
        if (leader) {
            weir_atomic_fetch_add_explicit(args->arrived, 1u, memory_order_acq_rel,
                                           memory_scope_device);
        }
        while (LOAD_ACQUIRE(args->arrived) < (2 * phase + 1) * groups) {}
        args->out[weir_global_id(item, 0)] += args->data[(group + 1) % groups];
        weir_barrier(item, WEIR_GLOBAL);
        if (leader) {
            weir_atomic_fetch_add_explicit(args->arrived, 1u, memory_order_acq_rel,
                                           memory_scope_device);
        }
        while (LOAD_ACQUIRE(args->arrived) < (2 * phase + 2) * groups) {}
    }
}

WORKERS_TEST(a_barrier_of_all_resident_groups_can_be_built_of_atomics)
{
    size_t groups = scaled(weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS), 3);
    enum { LOCAL = 4, PHASES = 10 };
    device_barrier_args args
        = { weir_new(device, uint32_t, 1, "arrived"),
            weir_new(device, int32_t, groups, "data"),
            weir_new(device, int32_t, groups * LOCAL, "out"), PHASES };
    *args.arrived = 0;
    LAUNCH_SILENT(device, &device_wide_barrier, weir_nd_range_1d(groups * LOCAL, LOCAL),
                  &args, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(args.out, i, groups * LOCAL,
                    PHASES * (PHASES - 1) / 2 * 100
                        + PHASES * ((i / LOCAL + 1) % groups));
}

/* ---- The host ------------------------------------------------------------ */

typedef struct {
    uint32_t *flag;
    uint32_t *answer;
} host_args;

WEIR_KERNEL(wait_for_the_host, host_args)
{
    while (
        weir_atomic_load_explicit(args->flag, memory_order_acquire, memory_scope_system)
        == 0) {}
    ADD_RELAXED(args->answer, 1u);
}

static void *set_flag_later(void *flag)
{
    g_usleep(20000);
    __atomic_store_n((uint32_t *)flag, 1, __ATOMIC_RELEASE);
    return NULL;
}

WORKERS_TEST(items_may_wait_for_a_thread_of_the_host)
{
    uint32_t *words = weir_new(device, uint32_t, 2, "words");
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, set_flag_later, &words[0]), 0);
    LAUNCH_SILENT(device, &wait_for_the_host, weir_nd_range_1d(40, 8),
                  (&(host_args){ &words[0], &words[1] }), WITH_WORKERS(workers));
    pthread_join(thread, NULL);
    ck_assert_uint_eq(words[1], 40);
}

MAIN("spin")
