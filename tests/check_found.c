/* SPDX-License-Identifier: MIT
 *
 * check_found.c: barrier divergence is found under every schedule, in groups of any
 * size, and told with its form, its parties, their lines and calls; and kernels that
 * look alike and are right draw nothing, whatever the schedule.
 *
 * Every wrong kernel here is wrong in one group only, which its arguments name: with
 * no such group it is its own silent twin. */
#include "schedules.h"

typedef struct {
    int32_t *out;        /* one an item: 1 once it is through */
    size_t wrong;        /* the group where items part; SIZE_MAX: none */
    size_t n;            /* items of the range that have work */
    const int32_t *data; /* read by all alike; its elements are 1, 0, 0, … */
} found_args;

/* Lines as kernels mark them: of sites, and of calls to helpers that hold one. */
static _Atomic uint32_t line_a, line_b, call_a, call_b, middle_a, middle_b;

/* What follows differs from other code in the compiler's eyes: it merges the ends of
 * two arms that are alike, and a call there would have one place for both. */
#define APART(text) __asm__ volatile("# " text)

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

/* ---- What is expected of a finding --------------------------------------- */

struct place {
    bool (*holds)(size_t i, size_t n); /* the items, by local id */
    const char *state;
    const char *operation;  /* the rest for those that wait only: */
    _Atomic uint32_t *line; /* of the site */
    _Atomic uint32_t *call; /* on the way to it, innermost first; NULL: none */
    _Atomic uint32_t *next_call;
    uint64_t phase;
};

struct wrong {
    const struct weir_kernel *kernel;
    const char *form;
    struct place places[2];
    _Atomic uint32_t *parted; /* NULL: not looked at */
    uint32_t sub_group_size;  /* 0: the group as a whole is meant */
};

static bool lower_half(size_t i, size_t n)
{
    return i < n / 2;
}

static bool upper_half(size_t i, size_t n)
{
    return i >= n / 2;
}

static bool odd(size_t i, size_t n)
{
    (void)n;
    return i % 2 == 1;
}

static bool even(size_t i, size_t n)
{
    (void)n;
    return i % 2 == 0;
}

static bool first(size_t i, size_t n)
{
    (void)n;
    return i == 0;
}

static bool all_but_first(size_t i, size_t n)
{
    (void)n;
    return i != 0;
}

static bool last(size_t i, size_t n)
{
    return i == n - 1;
}

static bool all_but_last(size_t i, size_t n)
{
    return i != n - 1;
}

static bool first_eight_but_first(size_t i, size_t n)
{
    (void)n;
    return i > 0 && i < 8;
}

static void expect_frame(const struct weir_frame *frame, const char *function,
                         _Atomic uint32_t *line)
{
    ck_assert_ptr_nonnull(frame->file);
    ck_assert_msg(g_str_has_suffix(frame->file, "check_found.c"), "a call in %s",
                  frame->file);
    ck_assert_uint_eq(frame->line, line_of(line));
    if (function != NULL) {
        ck_assert_str_eq(frame->function, function);
    }
}

static void expect_path(const struct weir_party *party, const struct place *place,
                        const struct weir_kernel *kernel)
{
    size_t n = (place->call != NULL) + (place->next_call != NULL);
    ck_assert_uint_eq(party->n_path, n);
    if (n == 0) {
        return;
    }
    char *body = g_strdup_printf("kernel %s", kernel->name);
    expect_frame(&party->path[0], n == 1 ? body : NULL, place->call);
    if (n == 2) {
        expect_frame(&party->path[1], body, place->next_call);
    }
    g_free(body);
}

static void expect_place(const struct weir_finding *finding, const struct place *place,
                         const struct wrong *wrong, size_t local)
{
    char *items = ranges_of(place->holds, local);
    const struct weir_party *party = party_of(finding, items);
    ck_assert_str_eq(party->state, place->state);
    ck_assert_uint_eq(party->phase, place->phase);
    ck_assert_ptr_null(party->groups);
    EXPECT_COORDINATES(party->group, 1, 0, 0);
    EXPECT_COORDINATES(party->item, strtoul(items, NULL, 10), 0, 0);
    if (strcmp(place->state, "waiting") == 0) {
        ck_assert_str_eq(party->file, __FILE__);
        ck_assert_uint_eq(party->line, line_of(place->line));
        ck_assert_str_eq(party->operation, place->operation);
        if (party->source != NULL) {
            expect_contains(party->source, "MARK(");
        }
        expect_path(party, place, wrong->kernel);
    }
    g_free(items);
}

static size_t count_of(const struct place *place, size_t local)
{
    size_t n = 0;
    for (size_t i = 0; i < local; i++) {
        n += place->holds(i, local);
    }
    return n;
}

static void expect_finding(const struct weir_report *report, const struct wrong *wrong,
                           const struct order *order, size_t local)
{
    ck_assert_msg(weir_report_n_findings(report) == 1,
                  "kernel '%s' in groups of %zu under %s draws %zu findings",
                  wrong->kernel->name, local, order_name(order),
                  weir_report_n_findings(report));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, wrong->kernel->name);
    ck_assert_uint_eq(weir_report_n_defects(report), 1);
    ck_assert_ptr_null(weir_report_incomplete(report));
    ck_assert(!finding->note);
    ck_assert_uint_eq(finding->count, 1);
    ck_assert_ptr_nonnull(finding->form);
    ck_assert_msg(strcmp(finding->form, wrong->form) == 0,
                  "'%s' in groups of %zu under %s is of form '%s', not '%s'",
                  wrong->kernel->name, local, order_name(order), finding->form,
                  wrong->form);
    ck_assert_uint_eq(finding->n_parties, 2);
    expect_place(finding, &wrong->places[0], wrong, local);
    expect_place(finding, &wrong->places[1], wrong, local);
    expect_contains(finding->message, "group (1,0,0)");
    char *phase = g_strdup_printf("phase %" G_GUINT64_FORMAT, wrong->places[0].phase);
    expect_contains(finding->message, phase);
    g_free(phase);
    if (strcmp(wrong->places[1].state, "returned") == 0) {
        size_t arrived = count_of(&wrong->places[0], local);
        char *count = g_strdup_printf("%zu of %zu items", arrived,
                                      arrived + count_of(&wrong->places[1], local));
        expect_contains(finding->message, count);
        g_free(count);
    }
    if (wrong->parted != NULL) {
        expect_names_line(finding->parted, __FILE__, line_of(wrong->parted));
    }
}

static const size_t sizes[] = { 2, 3, 8, 16, 33, 64, 256, 1024 };

static size_t n_sizes(void)
{
    return scaled(G_N_ELEMENTS(sizes), 4);
}

static void forget_lines(void)
{
    _Atomic uint32_t *const lines[]
        = { &line_a, &line_b, &call_a, &call_b, &middle_a, &middle_b };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        atomic_store_explicit(lines[i], 0, memory_order_relaxed);
    }
}

enum { GROUPS = 3 };

static found_args found_args_new(struct weir_device *device, size_t n)
{
    found_args args = { weir_new(device, int32_t, n, "out"), SIZE_MAX, n,
                        weir_new(device, int32_t, 4, "data") };
    memset((void *)args.data, 0, 4 * sizeof(*args.data));
    ((int32_t *)args.data)[0] = 1;
    return args;
}

/* In every size: found where the second of three groups is wrong, and the other two
 * are right; silent where none is. */
static void expect_found(const struct wrong *wrong, const struct order *order)
{
    struct weir_device *device = device_open("default");
    for (size_t s = 0; s < n_sizes(); s++) {
        size_t local = sizes[s], n = GROUPS * local;
        struct weir_nd_range range = weir_nd_range_1d(n, local);
        found_args args = found_args_new(device, n);
        const struct weir_launch_options *options
            = UNDER(order, .sub_group_size = wrong->sub_group_size);

        args.wrong = 1;
        memset(args.out, 0xff, n * sizeof(*args.out));
        forget_lines();
        struct weir_report *report
            = LAUNCH(device, wrong->kernel, range, &args, options);
        expect_finding(report, wrong, order, local);
        weir_report_free(report);
        for (size_t i = 0; i < n; i++) {
            if (i / local != 1) {
                EXPECT_ELEMENT(args.out, i, 1);
            }
        }

        args.wrong = SIZE_MAX;
        memset(args.out, 0xff, n * sizeof(*args.out));
        expect_quiet(LAUNCH(device, wrong->kernel, range, &args, options),
                     wrong->kernel, order, local);
        for (size_t i = 0; i < n; i++) {
            EXPECT_ELEMENT(args.out, i, 1);
        }
        weir_free(device, args.out);
        weir_free(device, (void *)args.data);
    }
    weir_device_free(device);
}

/* Whether the group of this item is the wrong one. */
#define PARTS(item, args) (weir_group_id((item), 0) == (args)->wrong)
/* The last thing that an item does. */
#define THROUGH(item, args) ((args)->out[weir_global_id((item), 0)] = 1)

/* ---- Forms: items that have returned ------------------------------------- */

/* expect: exited item: the upper half never comes to the barrier of the lower */
WEIR_KERNEL(barrier_in_the_guard, found_args)
{
    size_t lid = weir_local_id(item, 0), half = weir_local_size(item, 0) / 2;
    if (!PARTS(item, args) || lid < half) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

static const struct wrong wrong_in_the_guard = {
    &barrier_in_the_guard,
    "exited item",
    { { lower_half, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 },
      { upper_half, "returned", NULL, NULL, NULL, NULL, 0 } },
    NULL,
    0,
};

/* expect: exited item: the tree's last rounds, whose barrier is in its guard */
WEIR_KERNEL(tree_with_its_barrier_in_the_guard, found_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    for (size_t stride = local / 2; stride > 0; stride /= 2) {
        bool works = lid < stride;
        if (works || !PARTS(item, args)) {
            MARK(line_a, weir_barrier(item, WEIR_LOCAL));
        }
    }
    THROUGH(item, args);
}

static const struct wrong wrong_tree = {
    &tree_with_its_barrier_in_the_guard,
    "exited item",
    { { lower_half, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 },
      { upper_half, "returned", NULL, NULL, NULL, NULL, 0 } },
    NULL,
    0,
};

START_TEST(a_barrier_behind_a_guard_waits_for_items_that_exited)
{
    expect_found(&wrong_in_the_guard, &orders[_i]);
    expect_found(&wrong_tree, &orders[_i]);
}
END_TEST

/* expect: exited item: the last one, which has no work, after two common barriers */
WEIR_KERNEL(return_before_the_third_barrier, found_args)
{
    weir_barrier(item, WEIR_LOCAL);
    MARK(line_b, weir_barrier(item, WEIR_GLOBAL));
    if (PARTS(item, args) && weir_local_id(item, 0) == weir_local_size(item, 0) - 1) {
        return;
    }
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    THROUGH(item, args);
}

static const struct wrong wrong_third_barrier = {
    &return_before_the_third_barrier,
    "exited item",
    { { all_but_last, "waiting", "weir_barrier", &line_a, NULL, NULL, 2 },
      { last, "returned", NULL, NULL, NULL, NULL, 2 } },
    &line_b,
    0,
};

START_TEST(an_early_return_names_where_the_items_parted)
{
    expect_found(&wrong_third_barrier, &orders[_i]);
}
END_TEST

/* expect: exited item: the tail of a range that the group size does not divide */
WEIR_KERNEL(return_past_the_end, found_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid >= args->n) {
        return;
    }
    int32_t *scratch = weir_local_array(item, int32_t, weir_local_size(item, 0));
    scratch[weir_local_id(item, 0)] = (int32_t)gid;
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    args->out[gid] = scratch[0] == (int32_t)(gid - weir_local_id(item, 0));
}

START_TEST(a_guard_by_the_range_is_found_where_the_size_does_not_divide)
{
    const struct order *order = &orders[_i];
    struct weir_device *device = device_open("default");
    for (size_t s = 0; s < n_sizes(); s++) {
        size_t local = sizes[s], n = GROUPS * local;
        found_args args = found_args_new(device, n);
        args.n = n - 1;
        struct weir_report *report
            = LAUNCH(device, &return_past_the_end, weir_nd_range_1d(n, local), &args,
                     UNDER(order));
        const struct weir_finding *finding = only_finding(
            report, WEIR_FINDING_BARRIER_DIVERGENCE, "return_past_the_end");
        ck_assert_str_eq(finding->form, "exited item");
        expect_contains(finding->message, "group (2,0,0)");
        char *waiting = ranges_of(all_but_last, local), *gone = ranges_of(last, local);
        ck_assert_str_eq(party_of(finding, waiting)->state, "waiting");
        ck_assert_uint_eq(party_of(finding, waiting)->line, line_of(&line_a));
        ck_assert_str_eq(party_of(finding, gone)->state, "returned");
        EXPECT_COORDINATES(party_of(finding, gone)->group, 2, 0, 0);
        g_free(waiting);
        g_free(gone);
        weir_report_free(report);

        for (size_t groups = 2; groups <= GROUPS; groups++) { /* it divides */
            args.n = groups * local;
            memset(args.out, 0, n * sizeof(*args.out));
            expect_quiet(LAUNCH(device, &return_past_the_end,
                                weir_nd_range_1d(n, local), &args, UNDER(order)),
                         &return_past_the_end, order, local);
            for (size_t i = 0; i < n; i++) {
                EXPECT_ELEMENT(args.out, i, i < args.n);
            }
        }
        weir_free(device, args.out);
        weir_free(device, (void *)args.data);
    }
    weir_device_free(device);
}
END_TEST

/* expect: exited item: the first item is not at the sum of its sub-group */
WEIR_KERNEL(part_of_a_sub_group, found_args)
{
    if (!PARTS(item, args) || weir_local_id(item, 0) != 0) {
        (void)MARK(line_a, weir_sub_group_reduce_add(item, 1));
    }
    THROUGH(item, args);
}

static const struct wrong wrong_sub_group = {
    &part_of_a_sub_group,
    "exited item",
    { { first_eight_but_first, "waiting", "weir_sub_group_reduce_add", &line_a, NULL,
        NULL, 0 },
      { first, "returned", NULL, NULL, NULL, NULL, 0 } },
    NULL,
    8,
};

/* The first sub-group alone is concerned: where there are others, their items have
 * returned too, but nobody waits for them. */
START_TEST(a_part_of_a_sub_group_waits_for_the_rest_of_it)
{
    expect_found(&wrong_sub_group, &orders[_i]);
}
END_TEST

/* ---- Forms: the same site, other phases ---------------------------------- */

/* expect: different phase: all meet once, then the first is through */
WEIR_KERNEL(trip_count_by_item, found_args)
{
    size_t turns = PARTS(item, args) ? weir_local_id(item, 0) : 3;
    for (size_t turn = 0; turn <= turns; turn++) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

static const struct wrong wrong_trip_count = {
    &trip_count_by_item,
    "different phase",
    { { all_but_first, "waiting", "weir_barrier", &line_a, NULL, NULL, 1 },
      { first, "returned", NULL, NULL, NULL, NULL, 1 } },
    &line_a,
    0,
};

/* expect: different phase: the last item breaks out in its third round */
WEIR_KERNEL(break_by_item, found_args)
{
    for (size_t turn = 0; turn < 5; turn++) {
        if (PARTS(item, args) && turn == 2
            && weir_local_id(item, 0) == weir_local_size(item, 0) - 1) {
            break;
        }
        (void)MARK(line_a, weir_group_any(item, true));
    }
    THROUGH(item, args);
}

static const struct wrong wrong_break = {
    &break_by_item,
    "different phase",
    { { all_but_last, "waiting", "weir_group_any", &line_a, NULL, NULL, 2 },
      { last, "returned", NULL, NULL, NULL, NULL, 2 } },
    &line_a,
    0,
};

START_TEST(a_trip_count_by_item_is_a_difference_of_phases)
{
    expect_found(&wrong_trip_count, &orders[_i]);
    expect_found(&wrong_break, &orders[_i]);
}
END_TEST

/* ---- Forms: other barriers ----------------------------------------------- */

/* expect: different barrier: one in each arm of a branch */
WEIR_KERNEL(barrier_in_both_arms, found_args)
{
    size_t half = PARTS(item, args) ? weir_local_size(item, 0) / 2 : 0;
    if (weir_local_id(item, 0) < half) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

static const struct wrong wrong_both_arms = {
    &barrier_in_both_arms,
    "different barrier",
    { { lower_half, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 },
      { upper_half, "waiting", "weir_barrier", &line_b, NULL, NULL, 0 } },
    NULL,
    0,
};

/* expect: different barrier: the guard's, and the one after it */
WEIR_KERNEL(guarded_barrier_before_another, found_args)
{
    weir_barrier(item, WEIR_LOCAL);
    if (!PARTS(item, args) || weir_local_id(item, 0) % 2 == 1) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    THROUGH(item, args);
}

static const struct wrong wrong_before_another = {
    &guarded_barrier_before_another,
    "different barrier",
    { { odd, "waiting", "weir_barrier", &line_a, NULL, NULL, 1 },
      { even, "waiting", "weir_barrier", &line_b, NULL, NULL, 1 } },
    NULL,
    0,
};

START_TEST(a_barrier_in_each_arm_is_two_different_barriers)
{
    expect_found(&wrong_both_arms, &orders[_i]);
    expect_found(&wrong_before_another, &orders[_i]);
}
END_TEST

/* expect: different kind: a barrier against a sum */
WEIR_KERNEL(barrier_against_reduce, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) % 2 == 0) {
        MARK(line_a, weir_group_barrier(item));
    } else {
        (void)MARK(line_b, weir_group_reduce_add(item, 1));
    }
    THROUGH(item, args);
}

static const struct wrong wrong_kind = {
    &barrier_against_reduce,
    "different kind",
    { { even, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 },
      { odd, "waiting", "weir_group_reduce_add", &line_b, NULL, NULL, 0 } },
    NULL,
    0,
};

START_TEST(a_barrier_against_a_reduction_is_a_difference_of_kinds)
{
    expect_found(&wrong_kind, &orders[_i]);
}
END_TEST

/* expect: different arguments: the memories that one barrier orders */
WEIR_KERNEL(flags_by_item, found_args)
{
    bool other = PARTS(item, args) && weir_local_id(item, 0) == 0;
    MARK(line_a, weir_barrier(item, other ? WEIR_GLOBAL : WEIR_LOCAL));
    THROUGH(item, args);
}

static const struct wrong wrong_flags = {
    &flags_by_item,
    "different arguments",
    { { first, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 },
      { all_but_first, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 } },
    NULL,
    0,
};

/* expect: different arguments: the scope of one barrier */
WEIR_KERNEL(scope_by_item, found_args)
{
    bool wide = PARTS(item, args) && weir_local_id(item, 0) % 2 == 1;
    memory_scope scope = wide ? memory_scope_device : memory_scope_work_group;
    MARK(line_a, weir_group_barrier_scope(item, scope));
    THROUGH(item, args);
}

static const struct wrong wrong_scope = {
    &scope_by_item,
    "different arguments",
    { { even, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 },
      { odd, "waiting", "weir_barrier", &line_a, NULL, NULL, 0 } },
    NULL,
    0,
};

/* expect: different arguments: the item whose value is handed to all */
WEIR_KERNEL(source_by_item, found_args)
{
    size_t source = PARTS(item, args) && weir_local_id(item, 0) == 0;
    (void)MARK(line_a, weir_group_broadcast(item, 7, source));
    THROUGH(item, args);
}

static const struct wrong wrong_source = {
    &source_by_item,
    "different arguments",
    { { first, "waiting", "weir_group_broadcast", &line_a, NULL, NULL, 0 },
      { all_but_first, "waiting", "weir_group_broadcast", &line_a, NULL, NULL, 0 } },
    NULL,
    0,
};

START_TEST(flags_scopes_and_sources_by_item_are_different_arguments)
{
    expect_found(&wrong_flags, &orders[_i]);
    expect_found(&wrong_scope, &orders[_i]);
    expect_found(&wrong_source, &orders[_i]);
}
END_TEST

/* ---- Forms: one barrier in a helper, reached on two paths ---------------- */

static __attribute__((noinline)) void helper_out_of_line(struct weir_item *item)
{
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    APART("after the barrier: not a tail call");
}

static inline __attribute__((always_inline)) void helper_in_line(struct weir_item *item)
{
    MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    APART("after the barrier");
}

static __attribute__((noinline)) void helper_of_helper(struct weir_item *item)
{
    MARK(middle_a, helper_out_of_line(item));
    APART("after the helper");
}

/* expect: different path: a helper called in each arm */
WEIR_KERNEL(helper_in_both_arms, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) == 0) {
        MARK(call_a, helper_out_of_line(item));
        APART("arm a");
    } else {
        MARK(call_b, helper_out_of_line(item));
        APART("arm b");
    }
    THROUGH(item, args);
}

static const struct wrong wrong_helper = {
    &helper_in_both_arms,
    "different path",
    { { first, "waiting", "weir_barrier", &line_a, &call_a, NULL, 0 },
      { all_but_first, "waiting", "weir_barrier", &line_a, &call_b, NULL, 0 } },
    NULL,
    0,
};

START_TEST(a_helper_called_in_each_arm_is_two_paths)
{
    expect_found(&wrong_helper, &orders[_i]);
}
END_TEST

/* expect: different path: a helper that compilers put into each arm */
WEIR_KERNEL(inline_helper_in_both_arms, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) == 0) {
        MARK(call_a, helper_in_line(item));
        APART("arm a");
    } else {
        MARK(call_b, helper_in_line(item));
        APART("arm b");
    }
    THROUGH(item, args);
}

static const struct wrong wrong_inline_helper = {
    &inline_helper_in_both_arms,
    "different path",
    { { first, "waiting", "weir_barrier", &line_a, &call_a, NULL, 0 },
      { all_but_first, "waiting", "weir_barrier", &line_a, &call_b, NULL, 0 } },
    NULL,
    0,
};

START_TEST(an_inlined_helper_in_each_arm_is_two_paths)
{
    expect_found(&wrong_inline_helper, &orders[_i]);
}
END_TEST

/* expect: different path: the two part two calls above the barrier */
WEIR_KERNEL(deep_helper_in_both_arms, found_args)
{
    if (PARTS(item, args) && weir_local_id(item, 0) % 2 == 0) {
        MARK(call_a, helper_of_helper(item));
        APART("arm a");
    } else {
        MARK(call_b, helper_of_helper(item));
        APART("arm b");
    }
    THROUGH(item, args);
}

static const struct wrong wrong_deep_helper = {
    &deep_helper_in_both_arms,
    "different path",
    { { even, "waiting", "weir_barrier", &line_a, &middle_a, &call_a, 0 },
      { odd, "waiting", "weir_barrier", &line_a, &middle_a, &call_b, 0 } },
    NULL,
    0,
};

START_TEST(paths_may_part_more_than_one_call_above_the_barrier)
{
    expect_found(&wrong_deep_helper, &orders[_i]);
}
END_TEST

/* ---- What must stay silent ----------------------------------------------- */

WEIR_KERNEL(a_whole_group_returns_early, found_args)
{
    THROUGH(item, args);
    if (weir_group_id(item, 0) % 2 == 1) {
        return;
    }
    weir_barrier(item, WEIR_LOCAL);
}

WEIR_KERNEL(trip_count_by_group, found_args)
{
    for (size_t turn = 0; turn <= weir_group_id(item, 0); turn++) {
        weir_barrier(item, WEIR_LOCAL);
    }
    THROUGH(item, args);
}

WEIR_KERNEL(barrier_behind_uniform_data, found_args)
{
    for (size_t i = 0; i < 4; i++) {
        if (args->data[i] != 0) {
            weir_barrier(item, WEIR_LOCAL);
        } else {
            weir_barrier(item, WEIR_GLOBAL);
        }
    }
    THROUGH(item, args);
}

/* Each item leaves in a round of its own; nobody ever comes to the barrier. */
WEIR_KERNEL(leave_before_the_barrier, found_args)
{
    for (size_t turn = 0;; turn++) {
        if (turn == weir_local_id(item, 0) % 5) {
            break;
        }
        if (args->data[1] != 0) {
            weir_barrier(item, WEIR_LOCAL);
        }
    }
    weir_barrier(item, WEIR_LOCAL);
    THROUGH(item, args);
}

/* Rounds have other numbers in each item, but there are as many of them. */
WEIR_KERNEL(leave_in_rounds_of_other_numbers, found_args)
{
    size_t lid = weir_local_id(item, 0);
    for (size_t turn = lid;; turn++) {
        if (turn == lid + 4) {
            break;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    THROUGH(item, args);
}

WEIR_KERNEL(a_helper_from_four_places_in_turn, found_args)
{
    helper_out_of_line(item);
    helper_in_line(item);
    helper_out_of_line(item);
    helper_of_helper(item);
    helper_in_line(item);
    helper_out_of_line(item);
    helper_in_line(item);
    helper_out_of_line(item);
    helper_in_line(item);
    THROUGH(item, args);
}

/* Work that items skip one by one, around a barrier that none does. */
WEIR_KERNEL(continue_inside_a_round, found_args)
{
    int32_t sum = 0;
    for (int32_t round = 0; round < 4; round++) {
        for (int32_t k = 0; k < 6; k++) {
            if (k % 3 == (int32_t)weir_local_id(item, 0) % 3) {
                continue;
            }
            sum += k;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = sum > 0;
}

/* One barrier in the source, which each item skips in every other round. */
WEIR_KERNEL(continue_around_one_barrier, found_args)
{
    for (size_t round = 0; round < 8; round++) {
        if (round % 2 == weir_local_id(item, 0) % 2) {
            continue;
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    THROUGH(item, args);
}

/* The compiler has a copy of the barrier for each round, and items of odd and even
 * ids are at different ones. */
WEIR_KERNEL(an_unrolled_loop, found_args)
{
    UNROLLED
    for (size_t round = 0; round < 8; round++) {
        if (round % 2 == weir_local_id(item, 0) % 2) {
            continue;
        }
        helper_out_of_line(item);
        helper_in_line(item);
    }
    THROUGH(item, args);
}

/* One call in the source, of which a compiler may make two: the second branch is
 * decided by the first. */
WEIR_KERNEL(a_call_between_two_branches, found_args)
{
    bool odd_item = weir_local_id(item, 0) % 2 == 1;
    int32_t through;
    if (odd_item) {
        APART("before, odd");
        through = 3;
    } else {
        APART("before, even");
        through = 2;
    }
    helper_out_of_line(item);
    helper_in_line(item);
    weir_barrier(item, WEIR_LOCAL);
    if (odd_item) {
        APART("after, odd");
        through -= 2;
    } else {
        APART("after, even");
        through -= 1;
    }
    args->out[weir_global_id(item, 0)] = through;
}

static const struct weir_kernel *const silent[] = {
    &a_whole_group_returns_early,
    &trip_count_by_group,
    &barrier_behind_uniform_data,
    &leave_before_the_barrier,
    &leave_in_rounds_of_other_numbers,
    &a_helper_from_four_places_in_turn,
    &continue_inside_a_round,
    &continue_around_one_barrier,
    &an_unrolled_loop,
    &a_call_between_two_branches,
};

/* All kernels that have a silent twin by their arguments. */
static const struct weir_kernel *const twins[] = {
    &barrier_in_the_guard,
    &tree_with_its_barrier_in_the_guard,
    &return_before_the_third_barrier,
    &part_of_a_sub_group,
    &trip_count_by_item,
    &break_by_item,
    &barrier_in_both_arms,
    &guarded_barrier_before_another,
    &barrier_against_reduce,
    &flags_by_item,
    &scope_by_item,
    &source_by_item,
    &helper_in_both_arms,
    &inline_helper_in_both_arms,
    &deep_helper_in_both_arms,
};

static void expect_right(struct weir_device *device, const struct weir_kernel *kernel,
                         const struct order *order, found_args *args, size_t local,
                         size_t groups)
{
    size_t n = groups * local;
    memset(args->out, 0, n * sizeof(*args->out));
    expect_quiet(LAUNCH(device, kernel, weir_nd_range_1d(n, local), args, UNDER(order)),
                 kernel, order, local);
    for (size_t i = 0; i < n; i++) {
        EXPECT_ELEMENT(args->out, i, 1);
    }
}

START_TEST(a_kernel_that_only_looks_divergent_is_silent)
{
    struct weir_device *device = device_open("default");
    found_args args = found_args_new(device, GROUPS * 1024);
    for (size_t s = 0; s < n_sizes(); s++) {
        for (size_t o = 0; o < N_ORDERS; o++) {
            expect_right(device, silent[_i], &orders[o], &args, sizes[s], GROUPS);
        }
    }
    weir_device_free(device);
}
END_TEST

static void expect_right_under_seeds(const struct weir_kernel *kernel)
{
    struct weir_device *device = device_open("default");
    found_args args = found_args_new(device, 2 * 9);
    size_t n_seeds = scaled(1000, 10);
    for (size_t seed = 1; seed <= n_seeds; seed++) {
        struct order order = { "random", seed };
        expect_right(device, kernel, &order, &args, 2 + seed % 8, 2);
    }
    weir_device_free(device);
}

START_TEST(a_kernel_that_only_looks_divergent_is_silent_under_any_seed)
{
    expect_right_under_seeds(silent[_i]);
}
END_TEST

START_TEST(a_wrong_kernel_s_right_twin_is_silent_under_any_seed)
{
    expect_right_under_seeds(twins[_i]);
}
END_TEST

/* ---- Many groups --------------------------------------------------------- */

/* All groups but the first two are wrong. */
WEIR_KERNEL(most_groups_part, found_args)
{
    if (weir_group_id(item, 0) < 2 || weir_local_id(item, 0) != 1) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

START_TEST(a_divergence_of_many_groups_is_told_once_of_the_first)
{
    struct weir_device *device = device_open("default");
    const struct order *order = &orders[_i];
    enum { N_GROUPS = 50 };
    found_args args = found_args_new(device, N_GROUPS * 4);
    struct weir_report *report
        = LAUNCH(device, &most_groups_part, weir_nd_range_1d(N_GROUPS * 4, 4), &args,
                 UNDER(order));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, "most_groups_part");
    ck_assert_str_eq(finding->form, "exited item");
    ck_assert_uint_eq(finding->count, N_GROUPS - 2);
    expect_contains(finding->message, "group (2,0,0)");
    ck_assert_str_eq(party_of(finding, "0,2-3")->state, "waiting");
    ck_assert_str_eq(party_of(finding, "1")->state, "returned");
    EXPECT_COORDINATES(finding->parties[0].group, 2, 0, 0);
    weir_report_free(report);
    weir_device_free(device);
}
END_TEST

/* ---- The branch barrier of the books ------------------------------------- */

/* expect: different barrier: items 0-4 at the first, 5 and above at the second */
WEIR_KERNEL(branch_barrier, found_args)
{
    if (weir_local_id(item, 0) < 5) {
        MARK(line_a, weir_barrier(item, WEIR_LOCAL));
    } else {
        MARK(line_b, weir_barrier(item, WEIR_LOCAL));
    }
    THROUGH(item, args);
}

START_TEST(the_branch_barrier_stalls_where_a_group_has_more_than_five_items)
{
    struct weir_device *device = device_open("default");
    const struct order *order = &orders[_i];
    found_args args = found_args_new(device, 16);
    struct weir_report *report = LAUNCH(device, &branch_barrier,
                                        weir_nd_range_1d(16, 16), &args, UNDER(order));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, "branch_barrier");
    ck_assert_str_eq(finding->form, "different barrier");
    ck_assert_uint_eq(party_of(finding, "0-4")->line, line_of(&line_a));
    ck_assert_uint_eq(party_of(finding, "5-15")->line, line_of(&line_b));
    if (g_file_test(__FILE__, G_FILE_TEST_EXISTS)) {
        const char *source = party_of(finding, "5-15")->source;
        ck_assert_ptr_nonnull(source);
        ck_assert_str_eq(source, "MARK(line_b, weir_barrier(item, WEIR_LOCAL));");
    }
    char *text = weir_report_to_text(report);
    expect_contains(text, "branch_barrier");
    expect_contains(text, "0-4");
    expect_contains(text, "5-15");
    expect_names_line(text, __FILE__, line_of(&line_a));
    expect_names_line(text, __FILE__, line_of(&line_b));
    g_free(text);
    weir_report_free(report);
    for (size_t local = 1; local <= 5; local++) {
        expect_right(device, &branch_barrier, order, &args, local, 3);
    }
    weir_device_free(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("found");

    TCase *forms = add_case(suite, "forms");
    tcase_add_loop_test(forms, a_barrier_behind_a_guard_waits_for_items_that_exited, 0,
                        N_ORDERS);
    tcase_add_loop_test(forms, an_early_return_names_where_the_items_parted, 0,
                        N_ORDERS);
    tcase_add_loop_test(forms,
                        a_guard_by_the_range_is_found_where_the_size_does_not_divide, 0,
                        N_ORDERS);
    tcase_add_loop_test(forms, a_part_of_a_sub_group_waits_for_the_rest_of_it, 0,
                        N_ORDERS);
    tcase_add_loop_test(forms, a_trip_count_by_item_is_a_difference_of_phases, 0,
                        N_ORDERS);
    tcase_add_loop_test(forms, a_barrier_in_each_arm_is_two_different_barriers, 0,
                        N_ORDERS);
    tcase_add_loop_test(forms, a_barrier_against_a_reduction_is_a_difference_of_kinds,
                        0, N_ORDERS);
    tcase_add_loop_test(forms, flags_scopes_and_sources_by_item_are_different_arguments,
                        0, N_ORDERS);

    TCase *paths = add_case(suite, "paths");
    tcase_add_loop_test(paths, a_helper_called_in_each_arm_is_two_paths, 0, N_ORDERS);
    tcase_add_loop_test(paths, an_inlined_helper_in_each_arm_is_two_paths, 0, N_ORDERS);
    tcase_add_loop_test(paths, paths_may_part_more_than_one_call_above_the_barrier, 0,
                        N_ORDERS);

    TCase *groups = add_case(suite, "groups");
    tcase_add_loop_test(groups, a_divergence_of_many_groups_is_told_once_of_the_first,
                        0, N_ORDERS);
    tcase_add_loop_test(
        groups, the_branch_barrier_stalls_where_a_group_has_more_than_five_items, 0,
        N_ORDERS);

    TCase *silence = add_case(suite, "silence");
    tcase_add_loop_test(silence, a_kernel_that_only_looks_divergent_is_silent, 0,
                        G_N_ELEMENTS(silent));
    tcase_add_loop_test(silence,
                        a_kernel_that_only_looks_divergent_is_silent_under_any_seed, 0,
                        G_N_ELEMENTS(silent));
    tcase_add_loop_test(silence, a_wrong_kernel_s_right_twin_is_silent_under_any_seed,
                        0, G_N_ELEMENTS(twins));

    return run_suite(suite);
}
