/* SPDX-License-Identifier: MIT
 *
 * check_races_ptx.c: races by the rules of PTX, which are CUDA's, beside those of SYCL
 * and OpenCL. Each kernel is judged by both, wrong and right. Expectations are from
 * "Memory Consistency Model" of the PTX ISA: volatile operations (8.4.2), morally
 * strong ones (8.7), release and acquire patterns (8.8), causality order (8.9). */
#include "races.h"

#define PTX .options = { .race_model = WEIR_RACE_MODEL_PTX }
#define DATA_RACE .kind = WEIR_FINDING_DATA_RACE

/* ---- What a read has observed ---------------------------------------------------- */

enum { BY_ITSELF, BY_ANOTHER_ITEM, BY_THE_FIRST };

/* The last group to count resets the counter, as in CUDA's threadFenceReduction.
 * expect: by SYCL's rules a race of flag[0]: count / reset. By PTX's none, unless the
 * scope is too narrow, or the first group does it */
WEIR_KERNEL(last_group, race_args)
{
    int32_t *told = weir_local_array(item, int32_t, 1); /* told */
    bool first = LOCAL_ID(item) == 0;
    if (first) {
        int32_t n = ADD(args->flag, 1, RELAXED, args->middle_scope); /* count */
        told[0] = n == (args->how == BY_THE_FIRST ? 0 : GROUPS - 1);
    }
    weir_group_barrier(item);
    if (told[0] && LOCAL_ID(item) == (args->how == BY_ANOTHER_ITEM)) {
        args->flag[0] = args->how == BY_THE_FIRST ? N : 0; /* reset */
        args->out[0] = 1;
    }
}

static bool was_reset(const race_args *memory)
{
    return memory->flag[0] == 0 && memory->out[0] == 1;
}

CASE("observed");

TEST(the_last_group_to_count_resets_the_counter)
{
    SILENT(last_group, was_reset, PTX, ARGS(.middle_scope = DEVICE));
    SILENT(last_group, was_reset, PTX, ARGS(.middle_scope = SYSTEM));
    SILENT(last_group, was_reset, PTX,
           ARGS(.middle_scope = DEVICE, .how = BY_ANOTHER_ITEM));
}

TEST(by_other_rules_the_reset_races_with_the_count)
{
    static const struct weir_launch_options sycl
        = { .race_model = WEIR_RACE_MODEL_SYCL };
    FOUND(last_group, ARGS(.middle_scope = DEVICE),
          RACES(RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "device"),
                     WRITES("reset"), "releases nothing", MIXED_ATOMIC)));
    FOUND(last_group, ARGS(.middle_scope = DEVICE), .options = sycl,
          RACES(RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "device"),
                     WRITES("reset"), "releases nothing", MIXED_ATOMIC)));
}

TEST(a_reset_by_the_first_group_races_with_later_counts)
{
    FOUND(last_group, PTX, ARGS(.middle_scope = DEVICE, .how = BY_THE_FIRST),
          RACES(RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "device"),
                     WRITES("reset"), "the plain write is weak", DATA_RACE)));
}

TEST(counts_of_group_scope_observe_no_other_group)
{
    FOUND(last_group, PTX, ARGS(.middle_scope = WORK_GROUP),
          RACES(RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "work_group"),
                     WRITES("reset"), "", DATA_RACE, .at_times = true),
                RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "work_group"),
                     ATOMIC("count", "fetch_add", "relaxed", "work_group"),
                     "the two are not morally strong", SCOPE_RACE)));
}

/* expect: a race of data: partial / total, unless there are both fences */
WEIR_KERNEL(last_group_sums, race_args)
{
    if (LOCAL_ID(item) != 0) {
        return;
    }
    args->data[weir_group_id(item, 0)] = 1; /* partial */
    if ((args->how & 1) != 0) {
        weir_atomic_fence(SEQ_CST, args->middle_scope);
    }
    if (ADD(args->flag, 1, RELAXED, DEVICE) == GROUPS - 1) {
        if ((args->how & 2) != 0) {
            weir_atomic_fence(SEQ_CST, args->middle_scope);
        }
        for (int i = 0; i < GROUPS; i++) {
            args->out[0] += args->data[i]; /* total */
        }
    }
}

static bool is_total(const race_args *memory)
{
    return memory->out[0] == GROUPS;
}

TEST(what_is_observed_orders_no_other_memory)
{
    static const char *const why[]
        = { "releases nothing", "acquires nothing", "releases nothing" };
    for (uint32_t fences = 0; fences < 3; fences++) {
        FOUND(last_group_sums, PTX, ARGS(.middle_scope = DEVICE, .how = fences),
              RACES(RACE("data", ANY_INDEX, WRITES("partial"), READS("total"),
                         why[fences], DATA_RACE)));
    }
    SILENT(last_group_sums, is_total, PTX, ARGS(.middle_scope = DEVICE, .how = 3));
    SILENT(last_group_sums, is_total, ARGS(.middle_scope = DEVICE, .how = 3));
    FOUND(last_group_sums, PTX, ARGS(.middle_scope = WORK_GROUP, .how = 3),
          RACES(RACE("data", ANY_INDEX, WRITES("partial"), READS("total"), "scope",
                     SCOPE_RACE)));
}

/* expect: a race of flag[0]: store / count, as a store continues nothing: what was
 * counted before it is not observed by those who count after it. */
WEIR_KERNEL(a_store_between, race_args)
{
    size_t gid = GLOBAL_ID(item);
    if (gid == 0) {
        (void)ADD(args->flag, 1, RELAXED, DEVICE); /* count */
        STORE(args->flag + 1, 1, RELAXED, DEVICE);
    } else if (gid == LOCAL) {
        while (LOAD(args->flag + 1, RELAXED, DEVICE) == 0) {}
        if (args->wrong) {
            STORE(args->flag, 5, RELAXED, DEVICE);
        } else {
            (void)ADD(args->flag, 4, RELAXED, DEVICE);
        }
        STORE(args->flag + 1, 2, RELAXED, DEVICE);
    } else if (gid == 2 * LOCAL) {
        while (LOAD(args->flag + 1, RELAXED, DEVICE) != 2) {}
        if (LOAD(args->flag, RELAXED, DEVICE) == 5) {
            args->flag[0] = 0; /* reset */
        }
    }
}

TEST(a_store_ends_what_can_be_observed)
{
    SILENT(a_store_between, NULL, PTX, ARGS(.wrong = false));
    FOUND(a_store_between, PTX, ARGS(.wrong = true),
          RACES(RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "device"),
                     WRITES("reset"), "", DATA_RACE)));
}

/* expect: races of flag[0]: count / reset and look / reset, unless the item that resets
 * has looked itself: nothing tells it in order what another item has observed */
WEIR_KERNEL(observed_by_another, race_args)
{
    size_t gid = GLOBAL_ID(item);
    if (gid == 0) {
        (void)ADD(args->flag, 1, RELAXED, DEVICE); /* count */
    } else if (gid == LOCAL && args->wrong) {
        while (LOAD(args->flag, RELAXED, DEVICE) == 0) {} /* look */
        STORE(args->lock, 1, RELAXED, DEVICE);
    } else if (gid == 2 * LOCAL) {
        while (args->wrong && LOAD(args->lock, RELAXED, DEVICE) == 0) {}
        while (!args->wrong && LOAD(args->flag, RELAXED, DEVICE) == 0) {}
        args->flag[0] = 0; /* reset */
    }
}

TEST(what_another_item_has_observed_is_not_ordered)
{
    SILENT(observed_by_another, NULL, PTX, ARGS(.wrong = false));
    FOUND(observed_by_another, PTX, ARGS(.wrong = true),
          RACES(RACE("flag", 0, ATOMIC("count", "fetch_add", "relaxed", "device"),
                     WRITES("reset"), "", DATA_RACE),
                RACE("flag", 0, ATOMIC("look", "load", "relaxed", "device"),
                     WRITES("reset"), "", DATA_RACE)));
}

/* ---- Volatile accesses ----------------------------------------------------------- */

enum { NO_RELEASE_FENCE = 1, NO_ACQUIRE_FENCE = 2 };

/* A message by a volatile flag, as CUDA programs send it.
 * expect: by SYCL's rules races of data[0] and of flag[0]; by PTX's one of data[0] if a
 * fence is missing */
WEIR_KERNEL(volatile_message, race_args)
{
    volatile int32_t *flag = args->flag;
    if (GLOBAL_ID(item) == 0) {
        args->data[0] = 42; /* put */
        if ((args->how & NO_RELEASE_FENCE) == 0) {
            weir_atomic_fence(SEQ_CST, DEVICE);
        }
        *flag = 1; /* raise */
    } else if (GLOBAL_ID(item) == LOCAL) {
        while (*flag == 0) {} /* await */
        if ((args->how & NO_ACQUIRE_FENCE) == 0) {
            weir_atomic_fence(SEQ_CST, DEVICE);
        }
        args->out[0] = args->data[0]; /* get */
    }
}

static bool has_come(const race_args *memory)
{
    return memory->out[0] == 42;
}

CASE("volatile");

TEST(a_message_by_a_volatile_flag_and_fences_is_right)
{
    SILENT(volatile_message, has_come, PTX, ARGS(.how = 0));
}

TEST(volatile_makes_nothing_atomic_by_other_rules)
{
    FOUND(volatile_message, ARGS(.how = 0),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "", DATA_RACE),
                RACE("flag", 0, WRITES("raise"), READS("await"),
                     "volatile does not make it atomic", DATA_RACE)));
}

TEST(volatile_accesses_order_nothing_by_themselves)
{
    FOUND(volatile_message, PTX, ARGS(.how = NO_RELEASE_FENCE),
          RACES(RACE("data", 0, WRITES("put"), READS("get"),
                     "wrote, but the write releases nothing", DATA_RACE)));
    FOUND(volatile_message, PTX, ARGS(.how = NO_ACQUIRE_FENCE),
          RACES(RACE("data", 0, WRITES("put"), READS("get"),
                     "wrote, but the read acquires nothing", DATA_RACE)));
    FOUND(volatile_message, PTX, ARGS(.how = NO_RELEASE_FENCE | NO_ACQUIRE_FENCE),
          RACES(RACE("data", 0, WRITES("put"), READS("get"),
                     "but the write releases nothing and the read acquires nothing",
                     DATA_RACE)));
    struct wrong wrong = { .kernel = &volatile_message,
                           PTX,
                           .args = { .how = NO_RELEASE_FENCE | NO_ACQUIRE_FENCE } };
    const struct weir_finding *finding = only_race(&wrong);
    expect_contains(finding->why, "'s volatile read (");
    expect_contains(finding->why, "'s volatile write (");
}

enum { TO_ADD, TO_WRITE_VOLATILE, TO_WRITE };

/* expect: by PTX's rules a race of flag[0] where a write is plain */
WEIR_KERNEL(volatile_beside, race_args)
{
    volatile int32_t *flag = args->flag;
    if (GLOBAL_ID(item) == 0) {
        args->out[0] = *flag; /* look */
    } else if (GLOBAL_ID(item) == LOCAL) {
        if (args->how == TO_ADD) {
            (void)ADD(args->flag, 1, RELAXED, args->middle_scope); /* add */
        } else if (args->how == TO_WRITE_VOLATILE) {
            *flag = 1; /* set */
        } else {
            args->flag[0] = 1; /* write */
        }
    }
}

TEST(volatile_accesses_are_strong_at_system_scope)
{
    SILENT(volatile_beside, NULL, PTX, ARGS(.how = TO_ADD, .middle_scope = DEVICE));
    SILENT(volatile_beside, NULL, PTX, ARGS(.how = TO_WRITE_VOLATILE));
    FOUND(
        volatile_beside, ARGS(.how = TO_ADD, .middle_scope = DEVICE),
        RACES(RACE("flag", 0, READS("look"),
                   ATOMIC("add", "fetch_add", "relaxed", "device"), "", MIXED_ATOMIC)));
}

TEST(a_narrow_atomic_beside_a_volatile_access_is_a_scope_race)
{
    FOUND(volatile_beside, PTX, ARGS(.how = TO_ADD, .middle_scope = WORK_GROUP),
          RACES(RACE("flag", 0, READS("look"),
                     ATOMIC("add", "fetch_add", "relaxed", "work_group"),
                     "scope work_group of", SCOPE_RACE)));
}

TEST(a_plain_write_beside_a_volatile_read_is_a_data_race)
{
    FOUND(volatile_beside, PTX, ARGS(.how = TO_WRITE),
          RACES(RACE("flag", 0, READS("look"), WRITES("write"),
                     "the plain write is weak", DATA_RACE)));
}

/* ---- Patterns -------------------------------------------------------------------- */

/* expect: by SYCL's rules a race of data[0]: put / get: the acquire reads another
 * write. By PTX's none: it follows a strong read of its location. */
WEIR_KERNEL(acquire_later, race_args)
{
    if (GLOBAL_ID(item) == 0) {
        args->data[0] = 42; /* put */
        STORE(args->flag, 1, RELEASE, DEVICE);
    } else if (GLOBAL_ID(item) == LOCAL) {
        while (LOAD(args->flag, RELAXED, DEVICE) == 0) {}
        STORE(args->flag, 2, RELAXED, DEVICE);
        (void)LOAD(args->flag + args->how, ACQUIRE, DEVICE);
        args->out[0] = args->data[0]; /* get */
    }
}

/* expect: by SYCL's rules a race of data[0]: put / get: the relaxed store of the flag
 * releases nothing. By PTX's there is a fence before a seq_cst store. */
WEIR_KERNEL(fence_of_seq_cst, race_args)
{
    if (GLOBAL_ID(item) == 0) {
        args->data[0] = 42; /* put */
        STORE(args->lock, 1, args->release, DEVICE);
        STORE(args->flag, 1, RELAXED, DEVICE);
    } else if (GLOBAL_ID(item) == LOCAL) {
        while (LOAD(args->flag, ACQUIRE, DEVICE) == 0) {}
        args->out[0] = args->data[0]; /* get */
    }
}

CASE("patterns");

TEST(an_acquire_takes_what_earlier_reads_of_its_location_saw)
{
    SILENT(acquire_later, has_come, PTX, ARGS(.how = 0));
    FOUND(acquire_later, PTX, ARGS(.how = 1),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "", DATA_RACE)));
    FOUND(acquire_later, ARGS(.how = 0),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "", DATA_RACE)));
}

TEST(a_seq_cst_access_is_a_fence_and_an_access)
{
    SILENT(fence_of_seq_cst, has_come, PTX, ARGS(.release = SEQ_CST));
    FOUND(fence_of_seq_cst, PTX, ARGS(.release = RELEASE),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "", DATA_RACE)));
    FOUND(fence_of_seq_cst, ARGS(.release = SEQ_CST),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "", DATA_RACE)));
}

/* ---- Barriers -------------------------------------------------------------------- */

/* expect: by SYCL's rules a race of data: fill / look, as the barrier orders local
 * memory only. By PTX's a barrier orders all memory. */
WEIR_KERNEL(barrier_of_local, race_args)
{
    size_t id = LOCAL_ID(item), start = GLOBAL_ID(item) - id;
    args->data[start + id] = 1; /* fill */
    if (!args->wrong) {
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[start + id] = args->data[start + (id + 1) % LOCAL]; /* look */
}

static bool all_looked(const race_args *memory)
{
    return all_are(memory->out, N, 1);
}

/* expect: by PTX's rules a race of data: fill / look: shfl.sync orders no memory. */
WEIR_KERNEL(shuffle_between, race_args)
{
    size_t id = LOCAL_ID(item), start = GLOBAL_ID(item) - id;
    args->data[start + id] = 1; /* fill */
    (void)weir_sub_group_broadcast(item, (int32_t)id, 0);
    if (!args->wrong) {
        weir_sub_group_barrier(item);
    }
    args->out[start + id] = args->data[start + (id + 1) % LOCAL]; /* look */
}

/* expect: the same for the lanes that a mask names; a barrier of those orders. */
WEIR_KERNEL(lanes_between, race_args)
{
    size_t id = LOCAL_ID(item), start = GLOBAL_ID(item) - id;
    uint32_t kind = args->wrong ? WEIRI_SHUFFLE : WEIRI_BARRIER, type = WEIRI_TYPE_i32;
    args->data[start + id] = 1; /* fill */
    (void)weiri_lanes_meet(kind, type, UINT32_MAX, id, 0, 31, WEIRI_SITE());
    args->out[start + id] = args->data[start + (id + 1) % LOCAL]; /* look */
}

CASE("barriers");

TEST(a_barrier_orders_all_memory)
{
    SILENT(barrier_of_local, all_looked, PTX, ARGS(.wrong = false));
    FOUND(barrier_of_local, PTX, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, WRITES("fill"), READS("look"), no_barrier,
                     DATA_RACE)));
    FOUND(barrier_of_local, ARGS(.wrong = false),
          RACES(RACE("data", ANY_INDEX, WRITES("fill"), READS("look"),
                     "does not order global memory", DATA_RACE)));
}

TEST(a_shuffle_orders_no_memory)
{
    SILENT(shuffle_between, all_looked, PTX, ARGS(.wrong = false));
    SILENT(shuffle_between, all_looked, ARGS(.wrong = true));
    FOUND(shuffle_between, PTX, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, WRITES("fill"), READS("look"), "", DATA_RACE)));
}

TEST(a_shuffle_of_lanes_orders_no_memory)
{
    SILENT(lanes_between, all_looked, PTX, ARGS(.wrong = false));
    SILENT(lanes_between, all_looked, ARGS(.wrong = true));
    FOUND(lanes_between, PTX, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, WRITES("fill"), READS("look"), "", DATA_RACE)));
}

MAIN("races: PTX")
