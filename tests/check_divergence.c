/* SPDX-License-Identifier: MIT
 *
 * check_divergence.c: a barrier or collective that only some of the items reach is
 * found and never hangs, the finding states where each item is, and the other groups go
 * on. Every wrong kernel here has a neighbour that differs as little as possible, is
 * right, and draws nothing. */
#include "support.h"

typedef struct {
    int32_t *out;
    size_t n;
    size_t parameter;
} out_args;

/* Lines of the calls, as the kernels mark them. */
_Atomic uint32_t line_a, line_b;

/* A party of a finding: where @items are. Without a call they have returned. */
struct place {
    const char *items;
    _Atomic uint32_t *line;
    const char *operation;
};

static void expect_place(const struct weir_finding *finding, const struct place *place)
{
    const struct weir_party *party = party_of(finding, place->items);
    if (place->operation == NULL) {
        ck_assert_int_eq(party->state, WEIR_STATE_RETURNED);
        return;
    }
    ck_assert_int_eq(party->state, WEIR_STATE_WAITING);
    ck_assert_pstr_eq(party->operation, place->operation);
    if (place->line != NULL) {
        ck_assert_pstr_eq(party->file, __FILE__);
        ck_assert_uint_eq(party->line, line_of(place->line));
    }
}

/* A launch of @kernel over one dimension; the finding lives until the next. */
static const struct weir_finding *divergence(struct weir_device *device,
                                             const struct weir_kernel *kernel, size_t n,
                                             size_t local, out_args args,
                                             const struct weir_launch_options *options)
{
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, kernel,
                         weir_nd_range_1d(n, local), &args, options);
    expect_contains(finding->message, "barrier divergence");
    return finding;
}

static void silent(struct weir_device *device, const struct weir_kernel *kernel,
                   size_t n, size_t local, out_args args,
                   const struct weir_launch_options *options)
{
    LAUNCH_SILENT(device, kernel, weir_nd_range_1d(n, local), &args, options);
}

/* ---- Wrong kernels, and their right neighbours ---------------------------------- */

CASE("divergence");

/* The tail of the last group returns before the barrier. */
WEIR_KERNEL(guarded_barrier, out_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid >= args->n) {
        return;
    }
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    scratch[weir_local_id(item, 0)] = (int32_t)gid;
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    args->out[gid] = scratch[weir_local_id(item, 0) ^ 1];
}

/* The parameter is the group where items part; elsewhere all take one arm. */
WEIR_KERNEL(barrier_in_both_arms, out_args)
{
    bool here = weir_group_id(item, 0) == args->parameter;
    if (here && weir_local_id(item, 0) % 2 == 1) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* A tree whose barrier slipped into the guard. */
WEIR_KERNEL(barrier_inside_the_guard, out_args)
{
    size_t lid = weir_local_id(item, 0);
    for (size_t stride = weir_local_size(item, 0) / 2; stride > 0; stride /= 2) {
        if (lid < stride) {
            MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        }
    }
    args->out[weir_global_id(item, 0)] = 1;
}

WEIR_KERNEL(barrier_beside_the_guard, out_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t worked = 0;
    for (size_t stride = weir_local_size(item, 0) / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid < stride) {
            worked = 1;
        }
    }
    args->out[weir_global_id(item, 0)] = worked;
}

/* Each item waits once more than the one before it. */
WEIR_KERNEL(trip_count_by_item, out_args)
{
    size_t turns
        = weir_group_id(item, 0) == args->parameter ? weir_local_id(item, 0) : 3;
    for (size_t round = 0; round <= turns; round++) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_id(item, 0)] = (int32_t)turns;
}

WEIR_KERNEL(return_after_two_barriers, out_args)
{
    weir_barrier(item, WEIR_LOCAL);
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 3) {
        return;
    }
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    args->out[weir_global_id(item, 0)] = 1;
}

WEIR_KERNEL(flags_by_item, out_args)
{
    bool other = args->parameter != 0 && weir_local_id(item, 0) >= 6;
    MARK(line_a, weir_barrier(item, other ? WEIR_GLOBAL : WEIR_LOCAL));
    args->out[weir_global_id(item, 0)] = 1;
}

WEIR_KERNEL(scope_by_item, out_args)
{
    bool wide = args->parameter != 0 && weir_local_id(item, 0) == 0;
    memory_scope scope = wide ? memory_scope_device : memory_scope_work_group;
    MARK(line_a, weir_group_barrier_scope(item, scope));
    args->out[weir_global_id(item, 0)] = 1;
}

WEIR_KERNEL(barrier_or_reduce, out_args)
{
    int32_t sum = 0;
    if (weir_local_id(item, 0) < args->parameter) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL));
    } else {
        sum = MARK(line_b, weir_group_reduce_add(item, 1));
    }
    args->out[weir_global_id(item, 0)] = sum;
}

/* Sub-groups of 8: the second one is where only some take part. */
WEIR_KERNEL(part_of_a_sub_group, out_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t sum = -1;
    if (lid < 8 || lid >= 8 + args->parameter) {
        sum = MARK(line_a, weir_sub_group_reduce_add(item, (int32_t)lid));
    }
    args->out[weir_global_id(item, 0)] = sum;
}

/* Half of each sub-group waits for the sub-group, half for the group. */
WEIR_KERNEL(sub_group_against_group, out_args)
{
    if (weir_local_id(item, 0) % 8 < args->parameter) {
        MARK(line_a, weir_sub_group_barrier(item));
    } else {
        MARK(line_b, weir_group_barrier(item));
    }
    args->out[weir_global_id(item, 0)] = 1;
}

WEIR_GROUP_KERNEL(barrier_inside_the_loop, out_args)
{
    weir_for_each_item(item, group) {
        if (args->parameter != 0 && weir_local_id(item, 0) == 2) {
            MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        }
        args->out[weir_global_id(item, 0)] = 1;
    }
}

WEIR_GROUP_KERNEL(collective_inside_the_loop, out_args)
{
    weir_for_each_item(item, group) {
        int32_t sum = 0;
        if (args->parameter != 0) {
            sum = MARK(line_b, weir_group_reduce_add(item, 1));
        }
        args->out[weir_global_id(item, 0)] = sum;
    }
}

WEIR_GROUP_KERNEL(sub_group_inside_the_loop, out_args)
{
    weir_for_each_item(item, group) {
        int32_t sum = 0;
        if (args->parameter != 0) {
            sum = MARK(line_b, weir_sub_group_shuffle(item, 1, 0));
        }
        args->out[weir_global_id(item, 0)] = sum;
    }
}

WEIR_KERNEL(three_places, out_args)
{
    switch (weir_local_id(item, 0) % 4) {
    case 0:
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        break;
    case 1:
        MARK(line_b, weir_barrier(item, WEIR_GLOBAL));
        break;
    case 2:
        (void)weir_group_any(item, true);
        break;
    default:
        break;
    }
    args->out[weir_global_id(item, 0)] = 1;
}

#define BARRIER(line) &line, "weir_barrier"
#define RETURNED NULL, NULL

struct wrong {
    const struct weir_kernel *kernel;
    size_t n, local, parameter;
    struct place places[4];
    size_t count;              /* groups that diverge */
    size_t group;              /* the first of them */
    size_t n_parties;          /* or 0: others, too */
    size_t phase;              /* of the first party */
    int32_t elsewhere, inside; /* out[], in other groups and in it; -1: anything */
    uint32_t sub_group_size;   /* or 0 */
    const char *says[2];
    size_t n_right, right[2]; /* parameters with which no group diverges */
};

/* A row, not a field, is a line or a few. */
/* clang-format off */
static const struct wrong wrong[] = {
    { &barrier_in_both_arms, 48, 8, 2,
      { { "0,2,4,6", BARRIER(line_b) }, { "1,3,5,7", BARRIER(line_a) } },
      .count = 1, .group = 2, .n_parties = 2, .elsewhere = 1,
      .n_right = 1, .right = { SIZE_MAX } },
    { &barrier_inside_the_guard, 32, 16, 0,
      { { "0-7", BARRIER(line_a) }, { "8-15", RETURNED } },
      .count = 2, .n_parties = 2, .inside = -1 },
    /* All meet once; then item 0 has returned and the others come again. */
    { &trip_count_by_item, 24, 6, 1, { { "1-5", BARRIER(line_a) }, { "0", RETURNED } },
      .count = 1, .group = 1, .n_parties = 2, .phase = 1, .elsewhere = 3, .inside = -1,
      .says = { "phase 1" }, .n_right = 1, .right = { SIZE_MAX } },
    { &return_after_two_barriers, 8, 8, 0,
      { { "0-2,4-7", BARRIER(line_a) }, { "3", RETURNED } },
      .count = 1, .n_parties = 2, .phase = 2 },
    { &flags_by_item, 8, 8, 1,
      { { "0-5", BARRIER(line_a) }, { "6-7", BARRIER(line_a) } },
      .count = 1, .n_parties = 2, .says = { "arguments differ" },
      .n_right = 1, .right = { 0 } },
    { &scope_by_item, 8, 8, 1, { { "0", BARRIER(line_a) }, { "1-7", BARRIER(line_a) } },
      .count = 1, .n_parties = 2, .n_right = 1, .right = { 0 } },
    { &barrier_or_reduce, 24, 8, 3,
      { { "0-2", BARRIER(line_a) }, { "3-7", &line_b, "weir_group_reduce_add" } },
      .count = 3, .n_parties = 2, .n_right = 2, .right = { 0, 8 } },
    { &part_of_a_sub_group, 24, 24, 3,
      { { "11-15", &line_a, "weir_sub_group_reduce_add" } },
      .count = 1, .inside = -1, .sub_group_size = 8,
      .says = { "sub-group 1", "5 of 8" },
      .n_right = 2, .right = { 8, 0 } },
    { &sub_group_against_group, 16, 16, 5,
      { { "0-4,8-12", &line_a, "weir_sub_group_barrier" },
        { "5-7,13-15", BARRIER(line_b) } },
      .count = 1, .n_parties = 2, .sub_group_size = 8,
      .n_right = 2, .right = { 8, 0 } },
    { &three_places, 12, 12, 0,
      { { "0,4,8", BARRIER(line_a) }, { "1,5,9", BARRIER(line_b) },
        { "2,6,10", NULL, "weir_group_any" }, { "3,7,11", RETURNED } },
      .count = 1, .n_parties = 4, .inside = -1 },
};
/* clang-format on */

WORKERS_TEST_EACH(every_place_where_items_are_is_a_party, G_N_ELEMENTS(wrong))
{
    const struct wrong *row = &wrong[_i];
    const struct weir_launch_options options
        = { .workers = (uint32_t)workers, .sub_group_size = row->sub_group_size };
    int32_t *out = weir_new(device, int32_t, row->n, "out");
    const struct weir_finding *finding
        = divergence(device, row->kernel, row->n, row->local,
                     (out_args){ out, row->n, row->parameter }, &options);
    ck_assert_uint_eq(finding->count, row->count);
    ck_assert(row->n_parties == 0 || finding->n_parties == row->n_parties);
    EXPECT_COORDINATES(finding->parties[0].group, row->group, 0, 0);
    EXPECT_COORDINATES(finding->parties[finding->n_parties - 1].group, row->group, 0,
                       0);
    for (size_t i = 0; i < G_N_ELEMENTS(row->places) && row->places[i].items != NULL;
         i++) {
        expect_place(finding, &row->places[i]);
    }
    ck_assert(row->phase == 0
              || party_of(finding, row->places[0].items)->phase == row->phase);
    for (size_t i = 0; i < G_N_ELEMENTS(row->says) && row->says[i] != NULL; i++) {
        expect_contains(finding->message, row->says[i]);
    }
    for (size_t i = 0; i < row->n; i++) {
        bool here = row->count > 1 || i / row->local == row->group;
        if (!here || row->inside >= 0) {
            EXPECT_ELEMENT(out, i, here ? row->inside : row->elsewhere);
        }
    }
    for (size_t i = 0; i < row->n_right; i++) {
        silent(device, row->kernel, row->n, row->local,
               (out_args){ out, row->n, row->right[i] }, &options);
    }
}

WORKERS_TEST(barrier_names_the_items_that_returned_early)
{
    int32_t *out = weir_new(device, int32_t, 40, "out");
    memset(out, 0xff, 40 * sizeof(*out));
    const struct weir_finding *finding
        = divergence(device, &guarded_barrier, 40, 8, (out_args){ out, 37, 0 },
                     WITH_WORKERS(workers));
    ck_assert_uint_eq(finding->count, 1);
    ck_assert_uint_eq(finding->n_parties, 2);
    expect_place(finding, &(struct place){ "0-4", BARRIER(line_a) });
    expect_place(finding, &(struct place){ "5-7", RETURNED });
    EXPECT_COORDINATES(finding->parties[0].group, 4, 0, 0);
    EXPECT_COORDINATES(party_of(finding, "0-4")->item, 0, 0, 0);
    EXPECT_COORDINATES(party_of(finding, "5-7")->item, 5, 0, 0);
    expect_contains(finding->message, "group (4,0,0)");
    expect_contains(finding->message, "5 of 8 items");
    /* The other groups are right, and in this one no item got past the barrier. */
    EXPECT_ELEMENTS(out, i, 40, i < 32 ? (int)(i ^ 1) : -1);
}

WORKERS_TEST(an_early_return_that_no_item_takes_is_silent)
{
    int32_t *out = weir_new(device, int32_t, 40, "out");
    const struct weir_launch_options *options = WITH_WORKERS(workers);
    silent(device, &guarded_barrier, 40, 8, (out_args){ out, 40, 0 }, options);
    EXPECT_ELEMENTS(out, i, 40, i ^ 1);
    silent(device, &guarded_barrier, 40, 8, (out_args){ out, 32, 0 }, options);
}

WORKERS_TEST(a_barrier_in_each_arm_is_silent_in_groups_of_one_item)
{
    int32_t *out = weir_new(device, int32_t, 48, "out");
    silent(device, &barrier_in_both_arms, 48, 1, (out_args){ out, 48, 2 },
           WITH_WORKERS(workers));
}

WORKERS_TEST(a_barrier_beside_the_guard_of_a_tree_is_silent)
{
    int32_t *out = weir_new(device, int32_t, 32, "out");
    silent(device, &barrier_beside_the_guard, 32, 16, (out_args){ out, 32, 0 },
           WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 32, i % 16 < 8);
}

WORKERS_TEST(a_reduction_that_all_items_reach_is_whole)
{
    int32_t *out = weir_new(device, int32_t, 24, "out");
    silent(device, &barrier_or_reduce, 24, 8, (out_args){ out, 24, 0 },
           WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 24, 8);
}

DEVICE_TEST(a_sub_group_operation_that_whole_sub_groups_skip_is_silent)
{
    static const struct weir_launch_options sub_groups_of_8
        = { .workers = 1, .sub_group_size = 8 };
    int32_t *out = weir_new(device, int32_t, 24, "out");
    silent(device, &part_of_a_sub_group, 24, 24, (out_args){ out, 24, 8 },
           &sub_groups_of_8);
    EXPECT_ELEMENTS(out, i, 24, i < 8 ? 28 : i < 16 ? -1 : 156);
    silent(device, &part_of_a_sub_group, 24, 24, (out_args){ out, 24, 0 },
           &sub_groups_of_8);
    EXPECT_ELEMENT(out, 8, 92);
}

/* In a group kernel's loop over items, the items are one call of the body. */
WORKERS_TEST(a_barrier_or_collective_inside_the_items_loop_is_found)
{
    static const struct {
        const struct weir_kernel *kernel;
        const char *items;
        _Atomic uint32_t *line;
        const char *operation;
    } rows[] = {
        { &barrier_inside_the_loop, "2", BARRIER(line_a) },
        { &collective_inside_the_loop, "0", &line_b, "weir_group_reduce_add" },
        { &sub_group_inside_the_loop, "0", &line_b, "weir_sub_group_shuffle" },
    };
    int32_t *out = weir_new(device, int32_t, 24, "out");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const struct weir_finding *finding
            = LAUNCH_FINDING(WEIR_FINDING_BARRIER_DIVERGENCE, device, rows[i].kernel,
                             weir_nd_range_1d(24, 8), (&(out_args){ out, 24, 1 }),
                             WITH_WORKERS(workers));
        ck_assert_uint_eq(finding->count, 3);
        expect_contains(finding->message, "weir_for_each_item");
        const struct weir_party *party = party_of(finding, rows[i].items);
        ck_assert_uint_eq(party->line, line_of(rows[i].line));
        ck_assert_str_eq(party->file, __FILE__);
        ck_assert_str_eq(party->operation, rows[i].operation);
        EXPECT_COORDINATES(party->item, i == 0 ? 2 : 0, 0, 0);
        silent(device, rows[i].kernel, 24, 8, (out_args){ out, 24, 0 },
               WITH_WORKERS(workers));
    }
}

/* ---- What a finding counts and how it names places ----------------------- */

CASE("findings");

DEVICE_TEST(a_divergence_of_many_groups_is_one_finding_of_the_first)
{
    int32_t *out = weir_new(device, int32_t, 8 * 200, "out");
    g_autofree char *first_text = NULL;
    for (size_t round = 0; round < scaled(20, 3); round++) {
        g_autoptr(weir_report) report
            = LAUNCH(device, &barrier_inside_the_guard, weir_nd_range_1d(8 * 200, 8),
                     (&(out_args){ out, 0, 0 }), WITH_WORKERS(1 + round % 5));
        const struct weir_finding *finding = only_finding(
            report, WEIR_FINDING_BARRIER_DIVERGENCE, "barrier_inside_the_guard");
        ck_assert_uint_eq(finding->count, 200);
        EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        g_autofree char *text = weir_report_to_text(report);
        if (first_text == NULL) {
            first_text = g_strdup(text);
        }
        ck_assert_str_eq(text, first_text);
    }
}

WEIR_KERNEL(one_row_waits, out_args)
{
    if (weir_local_id(item, 1) == 2) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    args->out[weir_global_linear_id(item)] = 1;
}

DEVICE_TEST(parties_have_coordinates_in_three_dimensions)
{
    int32_t *out = weir_new(device, int32_t, 4 * 3 * 2, "out");
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_BARRIER_DIVERGENCE, device, &one_row_waits,
        weir_nd_range_3d(4, 3, 2, 2, 3, 2), (&(out_args){ out, 0, 0 }), NULL);
    ck_assert_uint_eq(finding->count, 2);
    /* linear ids (x * 3 + y) * 2 + z with y = 2 */
    expect_place(finding, &(struct place){ "4-5,10-11", BARRIER(line_a) });
    expect_place(finding, &(struct place){ "0-3,6-9", RETURNED });
    EXPECT_COORDINATES(party_of(finding, "4-5,10-11")->item, 0, 2, 0);
}

WEIR_KERNEL(read_neighbour, out_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, local);
    scratch[lid] = (int32_t)weir_global_id(item, 0);
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = scratch[(lid + 1) % local];
}

/* Stacks and gates of a group that was ended serve the groups that follow. */
DEVICE_TEST(after_many_divergences_the_next_launch_is_right)
{
    int32_t *out = weir_new(device, int32_t, 1024 * 4, "out");
    const size_t local_sizes[] = { 2, 3, 8, 17, 64, 100, 256, 511, 1024 };
    for (size_t round = 0; round < scaled(100, 4); round++) {
        size_t local = local_sizes[round % G_N_ELEMENTS(local_sizes)];
        const struct weir_launch_options *options = WITH_WORKERS(1 + round % 2);
        divergence(device, &trip_count_by_item, local * 4, local,
                   (out_args){ out, 0, round % 4 }, options);
        silent(device, &read_neighbour, local * 4, local, (out_args){ out, 0, 0 },
               options);
        EXPECT_ELEMENTS(out, i, local * 4, i / local * local + (i % local + 1) % local);
    }
}

/* Sub-group s meets s + 1 times; then its first item waits for the group, and the rest
 * of it for that item. */
WEIR_KERNEL(sub_groups_in_phases, out_args)
{
    bool first = weir_sub_group_local_id(item) == 0;
    size_t rounds = weir_sub_group_id(item) + 1;
    for (size_t round = 0; round < rounds; round++) {
        MARK(line_a, weir_sub_group_barrier(item));
    }
    if (!first || args->parameter != 0) {
        MARK(line_a, weir_sub_group_barrier(item));
    }
    MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(sub_groups_that_wait_in_different_phases_are_parties_apart)
{
    int32_t *out = weir_new(device, int32_t, 16, "out");
    const struct weir_launch_options options = { .sub_group_size = 8 };
    const struct weir_finding *finding = divergence(
        device, &sub_groups_in_phases, 16, 16, (out_args){ out, 16, 0 }, &options);
    ck_assert_uint_eq(finding->n_parties, 3);
    ck_assert_uint_eq(party_of(finding, "1-7")->phase, 1);
    ck_assert_uint_eq(party_of(finding, "9-15")->phase, 2);
    expect_place(finding, &(struct place){ "0,8", BARRIER(line_b) });
    silent(device, &sub_groups_in_phases, 16, 16, (out_args){ out, 16, 1 }, &options);
}

MAIN("divergence")
