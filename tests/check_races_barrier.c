/* SPDX-License-Identifier: MIT
 *
 * check_races_barrier.c: what a barrier would have ordered, or does not order: each
 * kernel races without it and is silent with it. */
#include "races.h"

#define SIZE(item) weir_local_size((item), 0)
#define FIRST_OF_GROUP(item) (GLOBAL_ID(item) - LOCAL_ID(item))

/* ---- The tree ------------------------------------------------------------ */

/* expect: data-race part: fill / fetch, and from four items on fold / fetch */
WEIR_KERNEL(tree, race_args)
{
    size_t lid = LOCAL_ID(item), size = SIZE(item);
    int32_t *part = weir_local_array(item, int32_t, size); /* part */
    part[lid] = args->in[GLOBAL_ID(item)];                 /* fill */
    for (size_t active = size; active > 1; active = (active + 1) / 2) {
        size_t half = (active + 1) / 2;
        if (!args->wrong) {
            weir_barrier(item, WEIR_LOCAL);
        }
        if (lid < active - half) {
            int32_t other = OPAQUE(part[lid + half]); /* fetch */
            int32_t mine = OPAQUE(part[lid]);
            part[lid] = mine + other; /* fold */
        }
    }
    if (lid == 0) {
        args->out[weir_group_id(item, 0)] = part[0];
    }
}

static const size_t tree_sizes[] = { 2, 3, 4, 8, 64, 256 };

/* Two groups; @how is their size. */
static bool sums_are_right(const race_args *memory)
{
    size_t local = memory->how;
    for (size_t g = 0; g < 2; g++) {
        size_t least = g * local + 1, most = least + local - 1;
        if ((size_t)memory->out[g] != (least + most) * local / 2) {
            return false;
        }
    }
    return true;
}

static struct wrong tree_of(size_t local)
{
    struct wrong wrong = { .kernel = &tree,
                           .range = weir_nd_range_1d(2 * local, local),
                           .args = { .how = (uint32_t)local } };
    wrong.races[0] = (struct race)RACE("part", local == 2 ? 1 : ANY_INDEX,
                                       WRITES("fill"), READS("fetch"), no_barrier);
    if (local > 3) {
        wrong.races[1] = wrong.races[0];
        wrong.races[1].sides[0].label = "fold";
        /* Not where a byte's race with the write before it was reported first. */
        wrong.races[1].at_times = true;
    }
    return wrong;
}

CASE("tree");

TEST_EACH(a_tree_without_its_barrier_races_in_any_size, G_N_ELEMENTS(tree_sizes))
{
    size_t local = tree_sizes[_i];
    struct wrong wrong = tree_of(local);
    wrong.args.wrong = true;
    if (local < 64) {
        expect_found(&wrong);
        return;
    }
    for (size_t i = 0; i < scaled(4, 1); i++) {
        expect_races(report_under(&wrong, &race_orders[i]), &wrong, &race_orders[i]);
    }
}

TEST_EACH(a_tree_with_its_barrier_is_silent_in_any_size, G_N_ELEMENTS(tree_sizes))
{
    size_t local = tree_sizes[_i];
    struct wrong right = tree_of(local);
    expect_silent_of(&right, sums_are_right, scaled(local < 64 ? 100 : 5, 1));
}

/* ---- Flags --------------------------------------------------------------- */

enum { WITHOUT = 99 };

/* expect: data-race data: put / get, a barrier for the other memory */
WEIR_KERNEL(local_flag_for_global_data, race_args)
{
    size_t lid = LOCAL_ID(item), first = FIRST_OF_GROUP(item);
    args->data[first + lid] = 1; /* put */
    if (args->how != WITHOUT) {
        weir_barrier(item, args->wrong ? (int)args->how : WEIR_GLOBAL); /* barrier */
    }
    args->out[first + lid] = args->data[first + (lid + 1) % LOCAL]; /* get */
}

/* expect: data-race shared: put / get, a barrier for the other memory */
WEIR_KERNEL(global_flag_for_local_data, race_args)
{
    size_t lid = LOCAL_ID(item);
    int32_t *shared = weir_local_array(item, int32_t, LOCAL);      /* shared */
    shared[lid] = 1;                                               /* put */
    weir_barrier(item, args->wrong ? (int)args->how : WEIR_LOCAL); /* barrier */
    args->out[GLOBAL_ID(item)] = shared[(lid + 1) % LOCAL];        /* get */
}

static bool all_out_are_1(const race_args *memory)
{
    return all_are(memory->out, N, 1);
}

CASE("flags");

TEST(a_barrier_orders_the_memories_of_its_flags_only)
{
    struct wrong wrong = {
        .kernel = &local_flag_for_global_data,
        .args = { .wrong = true, .how = WEIR_LOCAL },
        .races = { RACE("data", ANY_INDEX, WRITES("put"), READS("get"),
                        "does not order global memory") },
    };
    expect_found(&wrong);
    wrong.args.how = 0; /* an execution barrier orders neither */
    expect_found(&wrong);
    wrong.args.how = WITHOUT;
    wrong.races[0].why = no_barrier;
    expect_found(&wrong);
    wrong.args = (race_args){ .wrong = false };
    expect_silent(&wrong, all_out_are_1);

    wrong.kernel = &global_flag_for_local_data;
    wrong.args = (race_args){ .wrong = true, .how = WEIR_GLOBAL };
    wrong.races[0].object = "shared";
    wrong.races[0].why = "does not order local memory";
    expect_found(&wrong);
    wrong.args.how = 0;
    expect_found(&wrong);
    wrong.args.wrong = false;
    expect_silent(&wrong, all_out_are_1);
}

TEST(a_barrier_of_the_wrong_flags_is_named_by_line_and_lies_between_the_two)
{
    struct wrong wrong = { .kernel = &local_flag_for_global_data,
                           .args = { .wrong = true, .how = WEIR_LOCAL } };
    const struct weir_finding *finding = only_race(&wrong);
    expect_names_line(finding->why, __FILE__, label_line(wrong.kernel, "barrier"));
    ck_assert_str_eq(finding->space, "global");
    ck_assert_uint_eq(finding->count, N); /* each item reads what another wrote */
    ck_assert_uint_eq(party_that(finding, "write")->phase, 0);
    ck_assert_uint_eq(party_that(finding, "read")->phase, 1);
}

/* In order, item 0 reads before item 1 writes, and the last one reads after item 0. */
TEST(a_pair_of_places_is_one_finding_whichever_came_first)
{
    struct wrong wrong
        = { .kernel = &local_flag_for_global_data, .args = { .how = WITHOUT } };
    const struct weir_finding *finding = only_race(&wrong);
    ck_assert_uint_eq(finding->count, N);
}

/* ---- Edges --------------------------------------------------------------- */

/* expect: data-race data[8]: put / get, of groups 1 and 2 */
WEIR_KERNEL(neighbour_over_the_edge, race_args)
{
    size_t gid = GLOBAL_ID(item), first = FIRST_OF_GROUP(item);
    size_t next
        = args->wrong ? MIN(gid + 1, N - 1) : first + (LOCAL_ID(item) + 1) % LOCAL;
    args->data[gid] = 1; /* put */
    weir_barrier(item, WEIR_GLOBAL);
    args->out[gid] = OPAQUE(args->data[next]); /* get */
}

CASE("edges");

TEST(a_barrier_orders_no_neighbour_over_the_edge_of_its_group)
{
    FOUND(neighbour_over_the_edge, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, WRITES("put"), READS("get"),
                     "the items are of different groups")));
    SILENT(neighbour_over_the_edge, all_out_are_1);
}

TEST(a_race_over_an_edge_names_both_groups_and_items)
{
    struct wrong wrong
        = { .kernel = &neighbour_over_the_edge, .args = { .wrong = true } };
    const struct weir_finding *finding = only_race(&wrong);
    ck_assert_int_eq((int)finding->index, LOCAL);
    EXPECT_COORDINATES(party_that(finding, "read")->group, 0, 0, 0);
    EXPECT_COORDINATES(party_that(finding, "read")->item, LOCAL - 1, 0, 0);
    EXPECT_COORDINATES(party_that(finding, "write")->group, 1, 0, 0);
    EXPECT_COORDINATES(party_that(finding, "write")->item, 0, 0, 0);
    ck_assert_uint_eq(finding->count, GROUPS - 1);
    expect_contains(finding->message, "groups (0,0,0) and (1,0,0)");
}

/* expect: data-race data: get / put, the array is shifted in place */
WEIR_KERNEL(shift_in_place, race_args)
{
    size_t lid = LOCAL_ID(item), first = FIRST_OF_GROUP(item);
    int32_t mine = args->data[first + lid];                     /* get */
    weir_barrier(item, args->wrong ? WEIR_LOCAL : WEIR_GLOBAL); /* barrier */
    args->data[first + (lid + 1) % LOCAL] = mine + 1;           /* put */
}

static bool all_data_are_1(const race_args *memory)
{
    return all_are(memory->data, N, 1);
}

TEST(a_local_barrier_does_not_keep_a_global_write_behind_a_read)
{
    FOUND(shift_in_place, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, READS("get"), WRITES("put"),
                     "does not order global memory")));
    SILENT(shift_in_place, all_data_are_1);
}

/* ---- Collectives by hand ------------------------------------------------- */

static int32_t sum_of_group(const struct weir_item *item, int32_t *scratch,
                            int32_t mine, bool trailing)
{
    scratch[LOCAL_ID(item)] = mine; /* deposit */
    weir_barrier(item, WEIR_LOCAL);
    int32_t sum = 0;
    for (size_t i = 0; i < SIZE(item); i++) {
        sum += scratch[i]; /* gather */
    }
    if (trailing) {
        weir_barrier(item, WEIR_LOCAL);
    }
    return sum;
}

/* expect: data-race scratch: gather of one call / deposit of the next */
WEIR_KERNEL(two_sums, race_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, SIZE(item)); /* scratch */
    int32_t one = sum_of_group(item, scratch, 1, !args->wrong);     /* first call */
    int32_t two = sum_of_group(item, scratch, 2, !args->wrong);     /* second call */
    args->out[GLOBAL_ID(item)] = 10 * one + two;
}

static bool two_sums_are_right(const race_args *memory)
{
    return all_are(memory->out, N, 12 * LOCAL);
}

CASE("reused");

TEST(scratch_that_is_used_again_needs_a_barrier_behind_the_first_use)
{
    FOUND(two_sums, ARGS(.wrong = true),
          RACES(RACE("scratch", ANY_INDEX, READS("gather", .call = "first call"),
                     WRITES("deposit", .call = "second call"), no_barrier)));
    SILENT(two_sums, two_sums_are_right);
}

/* expect: data-race scratch: fetch / store, of one round of the scan */
WEIR_KERNEL(scan_in_place, race_args)
{
    size_t lid = LOCAL_ID(item);
    int32_t *scratch = weir_local_array(item, int32_t, SIZE(item)); /* scratch */
    scratch[lid] = 1;
    weir_barrier(item, WEIR_LOCAL);
    int32_t sum = 1;
    for (size_t step = 1; step < SIZE(item); step *= 2) {
        int32_t other = lid >= step ? scratch[lid - step] : 0; /* fetch */
        if (!args->wrong) {
            weir_barrier(item, WEIR_LOCAL);
        }
        sum += OPAQUE(other);
        scratch[lid] = sum; /* store */
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[GLOBAL_ID(item)] = sum;
}

static bool scan_is_right(const race_args *memory)
{
    for (size_t i = 0; i < N; i++) {
        if (memory->out[i] != (int32_t)(i % LOCAL) + 1) {
            return false;
        }
    }
    return true;
}

TEST(a_scan_in_place_needs_a_barrier_between_its_read_and_its_write)
{
    FOUND(
        scan_in_place, ARGS(.wrong = true),
        RACES(RACE("scratch", ANY_INDEX, READS("fetch"), WRITES("store"), no_barrier)));
    SILENT(scan_in_place, scan_is_right);
}

/* ---- The histogram ------------------------------------------------------- */

enum { BINS = 4 };

/* expect: mixed-atomic bins: clear / count, count / merge; bits of how leave out the
 * barrier before and after counting */
WEIR_KERNEL(histogram, race_args)
{
    size_t lid = LOCAL_ID(item);
    int32_t *bins = weir_local_array(item, int32_t, BINS); /* bins */
    bins[lid] = 0;                                         /* clear */
    if ((args->how & 1) == 0) {
        weir_barrier(item, WEIR_LOCAL);
    }
    struct weir_atomic_i32 bin = weir_atomic_ref(
        &bins[(3 * lid + 1) % BINS], memory_order_relaxed, memory_scope_work_group);
    weir_atomic_fetch_add(bin, 1); /* count */
    if ((args->how & 2) == 0) {
        weir_barrier(item, WEIR_LOCAL);
    }
    int32_t mine = bins[lid]; /* merge */
    weir_atomic_fetch_add(
        weir_atomic_ref(&args->out[lid], memory_order_relaxed, memory_scope_device),
        mine);
}

static bool histogram_is_right(const race_args *memory)
{
    return all_are(memory->out, BINS, GROUPS);
}

TEST(a_histogram_needs_a_barrier_before_its_merge_and_after_its_clearing)
{
    struct race cleared = RACE("bins", ANY_INDEX, WRITES("clear"),
                               ATOMIC("count", "fetch_add", "relaxed", "work_group"),
                               no_barrier, MIXED_ATOMIC);
    struct race merged = cleared;
    merged.sides[0] = (struct side)PLAIN("merge", "read");
    FOUND(histogram, ARGS(.how = 1), RACES(cleared));
    FOUND(histogram, ARGS(.how = 2), RACES(merged));
    SILENT(histogram, histogram_is_right);
}

/* ---- Sub-groups ---------------------------------------------------------- */

enum { SUB = 8, TWO_SUBS = 16 };

/* expect: data-race shared: put / get, of two sub-groups of one group */
WEIR_KERNEL(sub_group_exchange, race_args)
{
    size_t lid = LOCAL_ID(item);
    int32_t *shared = weir_local_array(item, int32_t, TWO_SUBS); /* shared */
    size_t of = args->wrong ? lid ^ SUB : lid ^ 1;
    shared[lid] = (int32_t)lid; /* put */
    if (args->how == 0) {
        weir_sub_group_barrier(item);
    } else if (args->how == 1) {
        (void)weir_sub_group_reduce_add(item, 1);
    } else {
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[GLOBAL_ID(item)] = shared[of] == (int32_t)of; /* get */
}

static bool exchanged(const race_args *memory)
{
    return all_are(memory->out, 2 * TWO_SUBS, 1);
}

CASE("other");

TEST(a_sub_group_barrier_orders_its_sub_group_and_not_the_group)
{
    struct wrong wrong = {
        .kernel = &sub_group_exchange,
        .range = weir_nd_range_1d(2 * TWO_SUBS, TWO_SUBS),
        .options = { .sub_group_size = SUB },
        .races = { RACE("shared", ANY_INDEX, WRITES("put"), READS("get"), no_barrier) },
    };
    for (uint32_t how = 0; how < 2; how++) {
        wrong.args = (race_args){ .wrong = true, .how = how };
        expect_found(&wrong);
        wrong.args.wrong = false;
        expect_silent(&wrong, exchanged);
    }
    wrong.args = (race_args){ .wrong = true, .how = 2 }; /* with a barrier of all */
    expect_silent(&wrong, exchanged);
}

/* ---- Group functions ----------------------------------------------------- */

/* A group function orders both memories, between the items of its group. */
WEIR_KERNEL(around_a_group_function, race_args)
{
    size_t lid = LOCAL_ID(item), first = FIRST_OF_GROUP(item);
    size_t of = (lid + 1) % LOCAL;
    int32_t *shared = weir_local_array(item, int32_t, LOCAL);
    shared[lid] = 1;
    args->data[first + lid] = 1;
    int32_t sum = args->how == 0 ? weir_group_reduce_add(item, 1)
        : args->how == 1         ? weir_group_inclusive_scan_add(item, 1)
                                 : weir_group_broadcast(item, 1, 0);
    args->out[first + lid] = sum > 0 && shared[of] == 1 && args->data[first + of] == 1;
}

TEST(a_group_function_orders_both_memories)
{
    for (uint32_t how = 0; how < 3; how++) {
        SILENT(around_a_group_function, all_out_are_1, ARGS(.how = how));
    }
}

/* ---- Barriers wider than their group ------------------------------------- */

/* expect: data-race data: put / get, of two groups; a relaxed flag between */
WEIR_KERNEL(flag_behind_a_barrier, race_args)
{
    size_t lid = LOCAL_ID(item), group = weir_group_id(item, 0);
    struct weir_atomic_i32 flag
        = weir_atomic_ref(args->flag, memory_order_relaxed, memory_scope_device);
    if (group == 0) {
        args->data[lid] = 1; /* put */
        if (args->wrong) {
            weir_group_barrier(item);
        } else {
            weir_group_barrier_scope(item, memory_scope_device);
        }
        if (lid == 0) {
            weir_atomic_store(flag, 1); /* raise */
        }
        return;
    }
    if (lid == 0) {
        while (weir_atomic_load(flag) == 0) { /* await */
        }
    }
    weir_group_barrier_scope(item, memory_scope_device);
    args->out[(group - 1) * LOCAL + lid] = args->data[(lid + 1) % LOCAL]; /* get */
}

static bool all_of_two_groups_are_1(const race_args *memory)
{
    return all_are(memory->out, (GROUPS - 1) * LOCAL, 1);
}

TEST(a_barrier_of_device_scope_is_a_fence_as_well)
{
    SILENT(flag_behind_a_barrier, all_of_two_groups_are_1);
    FOUND(flag_behind_a_barrier, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, WRITES("put"), READS("get"),
                     "wrote, but the write releases nothing")));
}

/* expect: data-race data[0]: put / get, both after the first barrier */
WEIR_KERNEL(race_behind_a_barrier, race_args)
{
    weir_barrier(item, WEIR_GLOBAL);
    if (weir_global_id(item, 0) == 0) {
        args->data[0] = 1; /* put */
    }
    if (!args->wrong) {
        weir_barrier(item, WEIR_GLOBAL);
    }
    if (weir_global_id(item, 0) == 1) {
        args->out[0] = args->data[0]; /* get */
    }
}

TEST(accesses_behind_a_barrier_are_of_the_phase_after_it)
{
    struct setting setting = setting_open();
    struct wrong wrong
        = { .kernel = &race_behind_a_barrier, .args = { .wrong = true } };
    struct weir_report *report = launch_checked(&setting, &wrong, &race_orders[0]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_DATA_RACE, wrong.kernel->name);
    ck_assert_uint_eq(party_that(finding, "write")->phase, 1);
    ck_assert_uint_eq(party_that(finding, "read")->phase, 1);
    weir_report_free(report);
    weir_device_free(setting.device);
    SILENT(race_behind_a_barrier, NULL);
}

MAIN("races: barriers")
