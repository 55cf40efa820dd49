/* SPDX-License-Identifier: MIT
 *
 * found.h: kernels that diverge in one group of several, and what is expected of them
 * under any schedule, in groups of any size: one finding with its form, its parties,
 * their lines and calls. Kernels and their marked lines are in the file that includes
 * this one, which is __BASE_FILE__ here.
 *
 * A wrong kernel is wrong in the group only that its arguments name: with no such group
 * it is its own silent twin. */
#ifndef WEIR_TESTS_FOUND_H
#define WEIR_TESTS_FOUND_H

#include "schedules.h"

typedef struct {
    int32_t *out;        /* one an item: 1 once it is through */
    size_t wrong;        /* the group where items part; SIZE_MAX: none */
    size_t n;            /* items of the range that have work */
    const int32_t *data; /* read by all alike; its elements are 1, 0, 0, … */
} found_args;

/* Lines as kernels mark them: of sites, and of calls to helpers that hold one. */
static _Atomic uint32_t line_a, line_b, call_a, call_b, middle_a, middle_b;

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

TEST_HELPER bool lower_half(size_t i, size_t n)
{
    return i < n / 2;
}

TEST_HELPER bool upper_half(size_t i, size_t n)
{
    return i >= n / 2;
}

TEST_HELPER bool odd(size_t i, size_t n)
{
    (void)n;
    return i % 2 == 1;
}

TEST_HELPER bool even(size_t i, size_t n)
{
    (void)n;
    return i % 2 == 0;
}

TEST_HELPER bool first(size_t i, size_t n)
{
    (void)n;
    return i == 0;
}

TEST_HELPER bool all_but_first(size_t i, size_t n)
{
    (void)n;
    return i != 0;
}

TEST_HELPER bool last(size_t i, size_t n)
{
    return i == n - 1;
}

TEST_HELPER bool all_but_last(size_t i, size_t n)
{
    return i != n - 1;
}

TEST_HELPER bool first_eight_but_first(size_t i, size_t n)
{
    (void)n;
    return i > 0 && i < 8;
}

TEST_HELPER void expect_frame(const struct weir_frame *frame, const char *function,
                              _Atomic uint32_t *line)
{
    ck_assert_ptr_nonnull(frame->file);
    ck_assert_msg(strcmp(frame->file, __BASE_FILE__) == 0, "a call in %s", frame->file);
    ck_assert_uint_eq(frame->line, line_of(line));
    if (function != NULL) {
        ck_assert_str_eq(frame->function, function);
    }
}

TEST_HELPER void expect_path(const struct weir_party *party, const struct place *place,
                             const struct weir_kernel *kernel)
{
    size_t n = (place->call != NULL) + (place->next_call != NULL);
    ck_assert_uint_eq(party->n_path, n);
    if (n == 0) {
        return;
    }
    g_autofree char *body = g_strdup_printf("kernel %s", kernel->name);
    expect_frame(&party->path[0], n == 1 ? body : NULL, place->call);
    if (n == 2) {
        expect_frame(&party->path[1], body, place->next_call);
    }
}

TEST_HELPER void expect_place(const struct weir_finding *finding,
                              const struct place *place, const struct wrong *wrong,
                              size_t local)
{
    g_autofree char *items = ranges_of(place->holds, local);
    const struct weir_party *party = party_of(finding, items);
    ck_assert_str_eq(weir_state_name(party->state), place->state);
    ck_assert_uint_eq(party->phase, place->phase);
    ck_assert_ptr_null(party->groups);
    EXPECT_COORDINATES(party->group, 1, 0, 0);
    EXPECT_COORDINATES(party->item, strtoul(items, NULL, 10), 0, 0);
    if (strcmp(place->state, "waiting") == 0) {
        ck_assert_str_eq(party->file, __BASE_FILE__);
        ck_assert_uint_eq(party->line, line_of(place->line));
        ck_assert_str_eq(party->operation, place->operation);
        if (party->source != NULL) {
            expect_contains(party->source, "MARK(");
        }
        expect_path(party, place, wrong->kernel);
    }
}

TEST_HELPER size_t count_of(const struct place *place, size_t local)
{
    size_t n = 0;
    for (size_t i = 0; i < local; i++) {
        n += place->holds(i, local);
    }
    return n;
}

TEST_HELPER void expect_finding(const struct weir_report *report,
                                const struct wrong *wrong, const struct order *order,
                                size_t local)
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
        g_autofree char *count = g_strdup_printf(
            "%zu of %zu items", arrived, arrived + count_of(&wrong->places[1], local));
        expect_contains(finding->message, count);
    }
    if (wrong->parted != NULL) {
        expect_names_line(finding->parted, __BASE_FILE__, line_of(wrong->parted));
    }
}

static const size_t sizes[] = { 2, 3, 8, 16, 33, 64, 256, 1024 };

TEST_HELPER size_t n_sizes(void)
{
    return scaled(G_N_ELEMENTS(sizes), 4);
}

TEST_HELPER void forget_lines(void)
{
    _Atomic uint32_t *const lines[]
        = { &line_a, &line_b, &call_a, &call_b, &middle_a, &middle_b };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        atomic_store_explicit(lines[i], 0, memory_order_relaxed);
    }
}

enum { GROUPS = 3 };

TEST_HELPER found_args found_args_new(struct weir_device *device, size_t n)
{
    found_args args = { weir_new(device, int32_t, n, "out"), SIZE_MAX, n,
                        weir_new(device, int32_t, 4, "data") };
    memset((void *)args.data, 0, 4 * sizeof(*args.data));
    ((int32_t *)args.data)[0] = 1;
    return args;
}

/* In every size: found where the second of three groups is wrong, and the other two
 * are right; silent where none is. */
TEST_HELPER void expect_found(const struct wrong *wrong, const struct order *order)
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
        EXPECT_ELEMENTS(args.out, i, n, 1);
        weir_free(device, args.out);
        weir_free(device, (void *)args.data);
    }
    weir_device_free(device);
}

/* In a test with a row for each of the orders: the divergence has this form and these
 * PARTIES(); fields of struct wrong may follow. */
#define FOUND(kernel_, form_, ...)                                                     \
    expect_found(                                                                      \
        &(const struct wrong){ .kernel = &(kernel_), .form = (form_), __VA_ARGS__ },   \
        &orders[_i])
#define PARTIES(one, other) .places = { one, other }
/* Items that wait at the site of a line, and items that have returned: in phase 0, if
 * fields of struct place, which may follow, do not say otherwise. */
#define WAIT(items, operation_, line_, ...)                                            \
    {                                                                                  \
        .holds = (items), .state = "waiting", .operation = (operation_),               \
        .line = (line_), __VA_ARGS__                                                   \
    }
#define RETURNED(items, ...)                                                           \
    {                                                                                  \
        .holds = (items), .state = "returned", __VA_ARGS__                             \
    }

/* Whether the group of this item is the wrong one. */
#define PARTS(item, args) (weir_group_id((item), 0) == (args)->wrong)
/* The last thing that an item does. */
#define THROUGH(item, args) ((args)->out[weir_global_id((item), 0)] = 1)

/* ---- What is expected of a kernel that is right --------------------------- */

TEST_HELPER void expect_right(struct weir_device *device,
                              const struct weir_kernel *kernel,
                              const struct order *order, found_args *args, size_t local,
                              size_t groups)
{
    size_t n = groups * local;
    memset(args->out, 0, n * sizeof(*args->out));
    expect_quiet(LAUNCH(device, kernel, weir_nd_range_1d(n, local), args, UNDER(order)),
                 kernel, order, local);
    EXPECT_ELEMENTS(args->out, i, n, 1);
}

TEST_HELPER void expect_right_under_seeds(const struct weir_kernel *kernel)
{
    g_autoptr(weir_device) device = device_open("default");
    found_args args = found_args_new(device, 2 * 9);
    size_t n_seeds = scaled(1000, 10);
    for (size_t seed = 1; seed <= n_seeds; seed++) {
        struct order order = { "random", seed };
        expect_right(device, kernel, &order, &args, 2 + seed % 8, 2);
    }
}

#endif
