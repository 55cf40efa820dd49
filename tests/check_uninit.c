/* SPDX-License-Identifier: MIT
 *
 * check_uninit.c: reads of local and device memory that nobody has written. One is
 * found in a checked launch where its value decides a comparison, an access, or the
 * result, under every schedule, with the array, the index, the item and the line;
 * padding that is copied, and what is read and then not used, draw nothing. What is run
 * again to know that leaves no trace.
 *
 * This file is instrumented, so the kernels are. Each is wrong unless its arguments say
 * that it is right. */
#include "schedules.h"

#include <glib/gstdio.h>

enum { LOCAL = 16, GROUPS = 3, N = GROUPS * LOCAL, LARGE = 70000 };

/* The third of its words is padding. */
struct padded {
    int64_t number;
    int8_t tag;
    int32_t key;
    int32_t hole;
};

/* All of its last word is. */
struct tailed {
    int64_t number;
    int32_t key;
};

typedef struct {
    int32_t *out; /* one an item */
    int32_t *in;  /* N of them */
    int32_t *large;
    struct padded *from, *to;
    struct tailed *tails, *tails_to;
    int32_t zero; /* which no compiler knows */
    bool right;
} uninit_args;

static _Atomic uint32_t line_a, line_b, line_c;
static int32_t gates[N]; /* 0 when a launch begins */

/* The compiler is not to know what it holds. */
#define OPAQUE(value)                                                                  \
    (__extension__({                                                                   \
        __auto_type value_ = (value);                                                  \
        __asm__ volatile("" : "+r"(value_));                                           \
        value_;                                                                        \
    }))
#define ADD_1(to, scope)                                                               \
    weir_atomic_fetch_add_explicit((to), 1, memory_order_relaxed, memory_scope_##scope)
#define LID(item) weir_local_id((item), 0)
#define OUT(item, args) ((args)->out[weir_global_id((item), 0)])

/* ---- Launching ------------------------------------------------------------------- */

#define CHECKED(order_, ...) UNDER(order_, .check = true, __VA_ARGS__)

struct setting {
    struct weir_device *device;
    uninit_args args;
};

static struct setting open_setting(void)
{
    struct setting setting = { device_open("default"), { 0 } };
    weir_device_poison(setting.device, true);
    return setting;
}

/* Memory as a host leaves it that has forgotten what @right says. */
static void renew(struct setting *setting, bool right)
{
    struct weir_device *device = setting->device;
    uninit_args *args = &setting->args;
    weir_free(device, args->out);
    weir_free(device, args->in);
    weir_free(device, args->from);
    weir_free(device, args->to);
    weir_free(device, args->tails);
    weir_free(device, args->tails_to);
    *args = (uninit_args){ .out = weir_new(device, int32_t, N, "out"),
                           .in = weir_new(device, int32_t, N, "in"),
                           .from = weir_new(device, struct padded, N, "from"),
                           .to = weir_new(device, struct padded, N, "to"),
                           .tails = weir_new(device, struct tailed, N, "tails"),
                           .tails_to = weir_new(device, struct tailed, N, "tails_to"),
                           .large = args->large,
                           .right = right };
    memset(gates, 0, sizeof(gates));
    for (int32_t i = 0; i < N; i++) {
        args->tails[i].number = i;
        args->tails[i].key = i;
        if (i != 5 || right) {
            args->in[i] = i;
        }
    }
}

static void close_setting(struct setting *setting)
{
    weir_device_free(setting->device);
}

static struct weir_report *launch(struct setting *setting,
                                  const struct weir_kernel *kernel,
                                  const struct order *order, bool right)
{
    renew(setting, right);
    return LAUNCH(setting->device, kernel, weir_nd_range_1d(N, LOCAL), &setting->args,
                  CHECKED(order));
}

static const struct weir_finding *uninitialized(const struct weir_report *report,
                                                size_t *n)
{
    const struct weir_finding *found = NULL;
    *n = 0;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        if (finding->kind == WEIR_FINDING_UNINITIALIZED_READ) {
            found = *n == 0 ? finding : found;
            ++*n;
        }
    }
    return found;
}

/* ---- What is wrong, and its neighbour that is right ------------------------------ */

/* expect: uninitialized-read scratch[0]: a comparison */
WEIR_KERNEL(branches, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 1;
    }
    int32_t value = MARK(line_a, scratch[LID(item)]);
    OUT(item, args) = 0;
    if (value > 100) {
        OUT(item, args) = 1;
    }
}

/* expect: uninitialized-read of a comparison, whatever follows from it */
WEIR_KERNEL(compares, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 1;
    }
    bool is_more = MARK(line_a, scratch[LID(item)]) > 100;
    (void)OPAQUE(is_more);
    OUT(item, args) = 0;
}

/* expect: uninitialized-read of bins[0] */
WEIR_KERNEL(counts_in_bins, uninit_args)
{
    int32_t *bins = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right) {
        bins[LID(item)] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    MARK(line_a, ADD_1(&bins[LID(item)], work_group));
    weir_barrier(item, WEIR_LOCAL);
    OUT(item, args) = bins[LID(item)];
}

/* expect: uninitialized-read of elements that a guard has left out */
WEIR_KERNEL(sums_too_many, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (LID(item) < LOCAL - 2) {
        scratch[LID(item)] = 1;
    } else if (args->right) {
        scratch[LID(item)] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    OUT(item, args) = 0;
    if (LID(item) == 0) {
        int32_t sum = 0;
        for (size_t i = 0; i < LOCAL; i++) {
            sum += MARK(line_a, scratch[i]);
        }
        OUT(item, args) = sum;
    }
}

/* expect: uninitialized-read of in[5], which the host has left out */
WEIR_KERNEL(reads_the_hosts, uninit_args)
{
    OUT(item, args) = MARK(line_a, args->in[weir_global_id(item, 0)]) * 2;
}

/* expect: uninitialized-read of an element that is copied to the result */
WEIR_KERNEL(copies_an_element, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right || LID(item) != 3) {
        scratch[LID(item)] = 1;
    }
    OUT(item, args) = MARK(line_a, scratch[LID(item)]);
}

/* expect: uninitialized-read of some elements of many that are copied at once */
WEIR_KERNEL(copies_all_elements, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right || LID(item) != 3) {
        scratch[LID(item)] = 1;
    }
    weir_barrier(item, WEIR_LOCAL);
    if (LID(item) == 0) {
        MARK(line_a, memcpy(&OUT(item, args), scratch, LOCAL * sizeof(int32_t)));
    }
}

/* expect: uninitialized-read of a member that is copied to the result */
WEIR_KERNEL(copies_a_member, uninit_args)
{
    struct padded *scratch = MARK(line_b, weir_local_array(item, struct padded, LOCAL));
    scratch[LID(item)].key = 1;
    if (args->right) {
        scratch[LID(item)].hole = 1;
    }
    OUT(item, args) = MARK(line_a, scratch[LID(item)].hole);
}

/* expect: uninitialized-read by an atomic, of a counter that nobody set to zero */
WEIR_KERNEL(counts, uninit_args)
{
    (void)MARK(line_a, ADD_1(&args->in[5], device));
    OUT(item, args) = 1;
}

/* expect: uninitialized-read of an index */
WEIR_KERNEL(goes_by_an_index, uninit_args)
{
    uint32_t *scratch = MARK(line_b, weir_local_array(item, uint32_t, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 0;
    }
    uint32_t index = MARK(line_a, scratch[LID(item)]) % N;
    OUT(item, args) = args->in[index] * args->zero;
}

/* expect: uninitialized-read of a floating point number, by the branch it decides */
WEIR_KERNEL(branches_on_a_float, uninit_args)
{
    float *scratch = MARK(line_b, weir_local_array(item, float, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 0;
    }
    float value = MARK(line_a, scratch[LID(item)]);
    OUT(item, args) = 0;
    if (value > 0.0f) {
        OUT(item, args) = 1;
    }
}

static int32_t twice(const int32_t *at)
{
    return MARK(line_a, *at) * 2;
}

/* expect: uninitialized-read in a helper */
WEIR_KERNEL(reads_in_a_helper, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    if (args->right) {
        scratch[LID(item)] = 1;
    }
    OUT(item, args) = twice(&scratch[LID(item)]);
}

/* expect: uninitialized-read between the loops */
WEIR_GROUP_KERNEL(reads_in_a_loop, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_group_local_array(group, int32_t, LOCAL));
    if (args->right) {
        weir_for_each_item(item, group) {
            scratch[LID(item)] = 1;
        }
    }
    weir_for_each_item(item, group) {
        OUT(item, args) = MARK(line_a, scratch[LID(item)]);
    }
}

/* expect: uninitialized-read behind a static that the first run has written */
WEIR_KERNEL(passes_a_gate_once, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    OUT(item, args) = 0;
    if (args->right) {
        scratch[LID(item)] = 1;
    }
    if (gates[weir_global_id(item, 0)]++ == 0) {
        OUT(item, args) = MARK(line_a, scratch[LID(item)]);
    }
}

/* expect: uninitialized-read of what an exchange that fails has not written */
WEIR_KERNEL(fails_to_write, uninit_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    int32_t expected = 0;
    if (args->right) {
        scratch[LID(item)] = 1;
    }
    (void)weir_atomic_compare_exchange_strong_explicit(
        &scratch[LID(item)], &expected, 1, memory_order_relaxed, memory_order_relaxed,
        memory_scope_work_group);
    OUT(item, args) = MARK(line_a, scratch[LID(item)]);
}

static const struct wrong {
    const struct weir_kernel *kernel;
    const char *object; /* NULL: the local array of line_b */
    int64_t index;
    size_t group, item;
    const char *access;
    const char *why;
    uint64_t count; /* 0: not looked at */
} wrongs[] = {
    { &branches, NULL, 0, 0, 0, "read", "decides a comparison at ", N },
    { &compares, NULL, 0, 0, 0, "read", "decides a comparison at ", N },
    { &counts_in_bins, NULL, 0, 0, 0, "atomic fetch_add", "what out[0] holds", N },
    { &sums_too_many, NULL, LOCAL - 2, 0, 0, "read", "what out[0] holds", 2 * GROUPS },
    { &reads_the_hosts, "in", 5, 0, 5, "read", "what out[5] holds", 1 },
    { &copies_an_element, NULL, 3, 0, 3, "read", "what out[3] holds", GROUPS },
    { &copies_all_elements, NULL, 3, 0, 0, "read", "what out[3] holds", GROUPS },
    { &copies_a_member, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &counts, "in", 5, 0, -1, "atomic fetch_add", "what in[5] holds", 1 },
    { &goes_by_an_index, NULL, 0, 0, 0, "read", "decides what follows at ", N },
    { &branches_on_a_float, NULL, 0, 0, 0, "read", "its value decides ", N },
    { &reads_in_a_helper, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &passes_a_gate_once, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &fails_to_write, NULL, 0, 0, 0, "read", "what out[0] holds", N },
    { &reads_in_a_loop, NULL, 0, 0, 0, "read", "what out[0] holds", N },
};

static void expect_wrong(const struct weir_report *report, const struct wrong *wrong)
{
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_UNINITIALIZED_READ, wrong->kernel->name);
    ck_assert_ptr_null(weir_report_incomplete(report));
    ck_assert(!finding->note);
    if (wrong->object == NULL) {
        expect_contains(finding->object, "local array of ");
        expect_names_line(finding->object, __FILE__, line_of(&line_b));
        ck_assert_str_eq(finding->space, "local");
        expect_contains(finding->remedy, "weir_local_array()");
    } else {
        ck_assert_str_eq(finding->object, wrong->object);
        ck_assert_str_eq(finding->space, "global");
        expect_contains(finding->remedy, "weir_new()");
    }
    ck_assert_msg(finding->index == wrong->index,
                  "index %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT ": %s",
                  finding->index, wrong->index, finding->message);
    ck_assert_uint_eq(finding->n_parties, 1);
    const struct weir_party *party = finding->parties;
    ck_assert_str_eq(party->access, wrong->access);
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_msg(party->line == line_of(&line_a), "line %u, not %u: %s", party->line,
                  line_of(&line_a), finding->message);
    if (wrong->item != (size_t)-1) {
        EXPECT_COORDINATES(party->item, wrong->item, 0, 0);
        EXPECT_COORDINATES(party->group, wrong->group, 0, 0);
    }
    expect_contains(finding->message, "uninitialized-read in kernel");
    expect_contains(finding->why, wrong->why);
    ck_assert_uint_eq(finding->count, wrong->count);
}

START_TEST(what_matters_is_found_and_its_right_neighbour_is_not)
{
    const struct wrong *wrong = &wrongs[_i];
    struct setting setting = open_setting();
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        struct weir_report *report = launch(&setting, wrong->kernel, &orders[o], false);
        expect_wrong(report, wrong);
        weir_report_free(report);
        expect_quiet(launch(&setting, wrong->kernel, &orders[o], true), wrong->kernel,
                     &orders[o], LOCAL);
    }
    close_setting(&setting);
}
END_TEST

START_TEST(the_comparison_is_named_with_its_line)
{
    struct setting setting = open_setting();
    struct weir_report *report = launch(&setting, &compares, &orders[0], false);
    size_t n;
    const struct weir_finding *finding = uninitialized(report, &n);
    ck_assert_uint_eq(n, 1);
    expect_names_line(finding->why, __FILE__, line_of(&line_a));
    weir_report_free(report);
    close_setting(&setting);
}
END_TEST

/* ---- What does not matter -------------------------------------------------------- */

WEIR_KERNEL(copies_padding_by_assignment, uninit_args)
{
    struct padded *scratch = weir_local_array(item, struct padded, LOCAL);
    size_t gid = weir_global_id(item, 0);
    struct padded *own = &scratch[LID(item)];
    own->number = 1;
    own->tag = 2;
    own->key = 3;
    own->hole = 4;
    args->to[gid] = *own;
    args->from[gid].number = 1;
    args->from[gid].tag = 2;
    args->from[gid].key = 3;
    args->from[gid].hole = 4;
    weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL);
    args->to[gid] = args->from[gid];
    *own = args->to[gid];
    OUT(item, args) = own->tag;
}

WEIR_KERNEL(copies_padding_by_memcpy, uninit_args)
{
    struct padded *scratch = weir_local_array(item, struct padded, LOCAL);
    size_t gid = weir_global_id(item, 0);
    struct padded *own = &scratch[LID(item)];
    own->number = 1;
    own->tag = 2;
    own->key = 3;
    own->hole = 4;
    memcpy(&args->to[gid], own, sizeof(*own));
    weir_barrier(item, WEIR_LOCAL);
    if (LID(item) == 0) {
        memcpy(&args->from[gid], scratch, LOCAL * sizeof(*own));
    }
    OUT(item, args) = args->to[gid].tag;
}

WEIR_KERNEL(copies_members, uninit_args)
{
    struct padded *scratch = weir_local_array(item, struct padded, LOCAL);
    size_t gid = weir_global_id(item, 0);
    struct padded *own = &scratch[LID(item)];
    own->number = 1;
    own->tag = 2;
    own->key = 3;
    args->to[gid].number = own->number;
    args->to[gid].tag = own->tag;
    args->to[gid].key = own->key;
    OUT(item, args) = 0;
}

/* The host has written the members of what is copied, and not its last word. */
WEIR_KERNEL(copies_the_hosts_padding, uninit_args)
{
    size_t gid = weir_global_id(item, 0);
    args->tails_to[gid] = args->tails[gid];
    memcpy(&args->tails_to[gid], &args->tails[gid], sizeof(*args->tails));
    OUT(item, args) = args->tails_to[gid].key;
}

WEIR_KERNEL(reads_and_does_not_use, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    OUT(item, args) = 1;
}

WEIR_KERNEL(multiplies_by_zero, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    OUT(item, args) = scratch[LID(item)] * args->zero;
}

WEIR_KERNEL(reads_and_overwrites, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    int32_t old = OPAQUE(scratch[LID(item)]);
    scratch[LID(item)] = old;
    scratch[LID(item)] = 7;
    OUT(item, args) = scratch[LID(item)];
}

/* In local memory, which ends with the group. */
WEIR_KERNEL(counts_what_nobody_looks_at, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    scratch[LID(item)] += 3;
    ADD_1(&scratch[LID(item)], work_group);
    OUT(item, args) = 1;
}

/* A part of an element that the host has written makes all of it written. */
WEIR_KERNEL(reads_what_the_host_wrote_in_part, uninit_args)
{
    OUT(item, args) = args->in[weir_global_id(item, 0)];
}

__attribute__((noinline, no_sanitize("thread"))) static void set(int32_t *to)
{
    *to = 1;
}

/* By code that no hook tells of. */
WEIR_KERNEL(is_written_unseen, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    set(&scratch[LID(item)]);
    OUT(item, args) = scratch[LID(item)];
}

/* The process is another one whenever it is run again: that proves nothing. */
WEIR_KERNEL(is_never_the_same, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    OUT(item, args) = (int32_t)getpid();
}

static const struct weir_kernel *const clean[] = {
    &copies_padding_by_assignment,
    &copies_padding_by_memcpy,
    &copies_members,
    &copies_the_hosts_padding,
    &reads_and_does_not_use,
    &multiplies_by_zero,
    &reads_and_overwrites,
    &counts_what_nobody_looks_at,
    &reads_what_the_host_wrote_in_part,
    &is_written_unseen,
    &is_never_the_same,
};

START_TEST(what_does_not_matter_is_silent)
{
    struct setting setting = open_setting();
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        renew(&setting, false);
        ((char *)&setting.args.in[5])[3] = 1;
        expect_quiet(LAUNCH(setting.device, clean[_i], weir_nd_range_1d(N, LOCAL),
                            &setting.args, CHECKED(&orders[o])),
                     clean[_i], &orders[o], LOCAL);
    }
    close_setting(&setting);
}
END_TEST

/* ---- Who is to blame ------------------------------------------------------------- */

/* expect: uninitialized-read of the second read only */
WEIR_KERNEL(reads_twice, uninit_args)
{
    volatile int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    OUT(item, args) = MARK(line_a, scratch[LID(item)]);
    (void)OPAQUE(scratch[LID(item)]);
}

/* More places than are tried one by one. */
WEIR_KERNEL(reads_at_many_places, uninit_args)
{
    volatile int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    const size_t i = LID(item);
#define READ (void)OPAQUE(scratch[i]);
    READ READ READ READ READ READ OUT(item, args) = MARK(line_a, scratch[i]);
    READ READ READ READ READ READ if (args->zero)
    {
        OUT(item, args) = MARK(line_b, scratch[i]);
    }
}

/* The one that matters is among those that are tried together. */
WEIR_KERNEL(reads_late_at_many_places, uninit_args)
{
    volatile int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    const size_t i = LID(item);
    READ READ READ READ READ READ READ READ READ READ OUT(item, args) = scratch[i];
}

START_TEST(of_very_many_reads_one_is_told)
{
    struct setting setting = open_setting();
    struct weir_report *report
        = launch(&setting, &reads_late_at_many_places, &orders[0], false);
    const struct weir_finding *finding = only_finding(
        report, WEIR_FINDING_UNINITIALIZED_READ, "reads_late_at_many_places");
    expect_contains(finding->why, "what out[0] holds");
    weir_report_free(report);
    close_setting(&setting);
}
END_TEST

START_TEST(of_reads_of_one_element_the_one_that_matters_is_told)
{
    const struct weir_kernel *kernel = _i == 0 ? &reads_twice : &reads_at_many_places;
    struct setting setting = open_setting();
    struct weir_report *report = launch(&setting, kernel, &orders[0], false);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_UNINITIALIZED_READ, kernel->name);
    ck_assert_uint_eq(finding->parties[0].line, line_of(&line_a));
    weir_report_free(report);
    close_setting(&setting);
}
END_TEST

/* expect: data-race scratch[], and nothing of what a read in a race finds */
WEIR_KERNEL(forgets_the_barrier, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    scratch[LID(item)] = 1;
    OUT(item, args) = scratch[(LID(item) + 1) % LOCAL];
}

START_TEST(what_comes_from_a_race_is_told_as_a_race)
{
    struct setting setting = open_setting();
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        struct weir_report *report
            = launch(&setting, &forgets_the_barrier, &orders[o], false);
        (void)only_finding(report, WEIR_FINDING_DATA_RACE, "forgets_the_barrier");
        weir_report_free(report);
    }
    close_setting(&setting);
}
END_TEST

/* expect: uninitialized-read scratch[], and out-of-bounds or a fault */
WEIR_KERNEL(goes_astray, uninit_args)
{
    uint32_t *scratch = weir_local_array(item, uint32_t, LOCAL);
    size_t index = N + MARK(line_a, scratch[LID(item)]) % 1000;
    OUT(item, args) = args->in[index];
}

START_TEST(an_index_that_leads_astray_is_told_beside_where_it_led)
{
    struct setting setting = open_setting();
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        struct weir_report *report = launch(&setting, &goes_astray, &orders[o], false);
        size_t n;
        const struct weir_finding *finding = uninitialized(report, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(finding->parties[0].line, line_of(&line_a));
        ck_assert_uint_eq(weir_report_n_findings(report), 2);
        weir_report_free(report);
    }
    close_setting(&setting);
}
END_TEST

/* ---- No trace -------------------------------------------------------------------- */

static int32_t static_counter;
static int32_t static_numbers[N];

/* expect: uninitialized-read of in[5] */
WEIR_KERNEL(leaves_traces, uninit_args)
{
    int32_t *host = (int32_t *)args->large;
    size_t gid = weir_global_id(item, 0);
    static_numbers[gid]++;
    ADD_1(&static_counter, device);
    host[gid]++;
    args->to[gid].key++;
    if (MARK(line_c, args->in[gid]) > 1000) {
        args->to[gid].hole++;
    }
    OUT(item, args) = args->to[gid].key;
}

/* Runs it with @check, and keeps what it has left. */
static struct weir_report *leave_traces(struct setting *setting, bool check,
                                        int32_t left[4 * N])
{
    static int32_t host[N];
    renew(setting, false);
    setting->args.large = host;
    memset(host, 0, sizeof(host));
    memset(static_numbers, 0, sizeof(static_numbers));
    static_counter = 0;
    memset(setting->args.to, 0, N * sizeof(*setting->args.to));
    struct weir_report *report
        = LAUNCH(setting->device, &leaves_traces, weir_nd_range_1d(N, LOCAL),
                 &setting->args, UNDER(&orders[3], .check = check));
    ck_assert_int_eq(static_counter, N);
    for (size_t i = 0; i < N; i++) {
        left[4 * i] = host[i];
        left[4 * i + 1] = static_numbers[i];
        left[4 * i + 2] = setting->args.to[i].key;
        left[4 * i + 3] = setting->args.out[i];
        ck_assert_int_eq(left[4 * i], 1);
    }
    setting->args.large = NULL;
    return report;
}

START_TEST(what_is_run_again_leaves_no_trace)
{
    struct setting setting = open_setting();
    int32_t unchecked[4 * N], checked[4 * N];
    struct weir_report *without = leave_traces(&setting, false, unchecked);
    struct weir_report *with = leave_traces(&setting, true, checked);
    size_t n;
    uninitialized(without, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert_ptr_nonnull(uninitialized(with, &n));
    ck_assert_uint_eq(weir_report_n_steps(with), weir_report_n_steps(without));
    ck_assert(memcmp(unchecked, checked, sizeof(checked)) == 0);
    weir_report_free(without);
    weir_report_free(with);
    close_setting(&setting);
}
END_TEST

START_TEST(the_same_is_found_where_a_schedule_is_followed)
{
    struct setting setting = open_setting();
    const struct wrong *wrong = &wrongs[2];
    struct weir_schedule *record = weir_schedule_new();
    renew(&setting, false);
    struct weir_report *report
        = LAUNCH(setting.device, wrong->kernel, weir_nd_range_1d(N, LOCAL),
                 &setting.args, CHECKED(&orders[3], .record = record));
    uint64_t n_steps = weir_report_n_steps(report);
    expect_wrong(report, wrong);
    weir_report_free(report);
    ck_assert_uint_eq(weir_schedule_n_launches(record), 1);
    renew(&setting, false);
    report = LAUNCH(setting.device, wrong->kernel, weir_nd_range_1d(N, LOCAL),
                    &setting.args,
                    (&(struct weir_launch_options){ .replay = record, .check = true }));
    expect_wrong(report, wrong);
    ck_assert_uint_eq(weir_report_n_steps(report), n_steps);
    weir_report_free(report);
    weir_schedule_free(record);
    close_setting(&setting);
}
END_TEST

/* expect: a limit of steps */
START_TEST(a_limit_of_steps_ends_runs_again_too)
{
    struct setting setting = open_setting();
    for (uint64_t limit = 1; limit < 40; limit++) {
        renew(&setting, false);
        struct weir_report *report
            = LAUNCH(setting.device, &branches, weir_nd_range_1d(N, LOCAL),
                     &setting.args, CHECKED(&orders[3], .step_limit = limit));
        ck_assert_ptr_nonnull(weir_report_incomplete(report));
        expect_contains(weir_report_incomplete(report), "step");
        weir_report_free(report);
    }
    close_setting(&setting);
}
END_TEST

/* Ends in the process of the test only, whose number is in @zero. */
WEIR_KERNEL(ends_once, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    while (getpid() != args->zero) {
        __asm__ volatile("");
    }
    OUT(item, args) = 1;
}

START_TEST(a_limit_of_time_ends_runs_again_too)
{
    struct setting setting = open_setting();
    renew(&setting, false);
    setting.args.zero = getpid();
    struct weir_report *report
        = LAUNCH(setting.device, &ends_once, weir_nd_range_1d(N, LOCAL), &setting.args,
                 CHECKED(&orders[0], .time_limit_ms = 2000));
    size_t n;
    uninitialized(report, &n);
    ck_assert_uint_eq(n, 0);
    ck_assert_ptr_nonnull(weir_report_incomplete(report));
    expect_contains(weir_report_incomplete(report), "run again");
    expect_contains(weir_report_incomplete(report), "limit");
    EXPECT_ELEMENT(setting.args.out, N - 1, 1);
    weir_report_free(report);
    close_setting(&setting);
}
END_TEST

START_TEST(a_device_that_does_not_poison_has_written_all)
{
    struct setting setting = open_setting();
    weir_device_poison(setting.device, false);
    expect_quiet(launch(&setting, &reads_the_hosts, &orders[0], false),
                 &reads_the_hosts, &orders[0], LOCAL);
    close_setting(&setting);
}
END_TEST

/* ---- Chance ---------------------------------------------------------------------- */

WEIR_KERNEL(sums_a_large_array, uninit_args)
{
    int32_t sum = 0;
    for (size_t i = weir_global_id(item, 0); i < LARGE; i += N) {
        sum += args->large[i];
    }
    OUT(item, args) = sum;
}

/* One word of very many may be its poison by chance; two neighbours may not, and the
 * last one may not either. */
START_TEST(a_number_that_is_poison_by_chance_is_none)
{
    static const struct {
        size_t first, n;
        bool found;
    } holes[] = { { 1000, 0, false }, { 1000, 1, false },     { 1000, 2, true },
                  { 1023, 2, true },  { LARGE - 1, 1, true }, { 0, 1, true } };
    for (size_t h = 0; h < scaled(G_N_ELEMENTS(holes), 3); h++) {
        struct setting setting = open_setting();
        renew(&setting, true);
        setting.args.large = weir_new(setting.device, int32_t, LARGE, "large");
        for (size_t i = 0; i < LARGE; i++) {
            if (i < holes[h].first || i >= holes[h].first + holes[h].n) {
                setting.args.large[i] = (int32_t)i;
            }
        }
        struct weir_report *report
            = LAUNCH(setting.device, &sums_a_large_array, weir_nd_range_1d(N, LOCAL),
                     &setting.args, CHECKED(&orders[0]));
        size_t n;
        const struct weir_finding *finding = uninitialized(report, &n);
        ck_assert_msg(n == holes[h].found, "hole %zu: %zu findings", h, n);
        if (finding != NULL) {
            ck_assert_str_eq(finding->object, "large");
            /* of the first item that reads one of them */
            size_t least = holes[h].first;
            for (size_t i = 0; i < holes[h].n; i++) {
                least
                    = (holes[h].first + i) % N < least % N ? holes[h].first + i : least;
            }
            ck_assert_int_eq(finding->index, (int64_t)least);
            ck_assert_uint_eq(finding->count, holes[h].n);
        }
        weir_report_free(report);
        close_setting(&setting);
    }
}
END_TEST

/* One byte of a word is written, and all values of it are: some are what its poison
 * was. */
struct flagged {
    uint8_t flag;
    int64_t number;
};

typedef struct {
    const struct flagged *from;
    int32_t *out;
} flags_args;

WEIR_KERNEL(reads_flags, flags_args)
{
    const struct flagged *mine = &args->from[weir_global_id(item, 0)];
    args->out[weir_global_id(item, 0)] = OPAQUE(mine->flag) > 99 ? 1 : 2;
}

START_TEST(a_byte_that_is_poison_by_chance_is_none)
{
    enum { FLAGS = 4096 };
    struct weir_device *device = device_open("default");
    weir_device_poison(device, true);
    flags_args args = { NULL, weir_new(device, int32_t, FLAGS, "out") };
    struct flagged *from = weir_new(device, struct flagged, FLAGS, "from");
    args.from = from;
    for (size_t written = 0; written < 2; written++) {
        for (size_t i = 0; written > 0 && i < FLAGS; i++) {
            from[i].flag = (uint8_t)(i + i / 256);
            from[i].number = (int64_t)i;
        }
        struct weir_report *report
            = LAUNCH(device, &reads_flags, weir_nd_range_1d(FLAGS, 64), &args,
                     CHECKED(&orders[0]));
        ck_assert_uint_eq(weir_report_n_findings(report), written > 0 ? 0 : 1);
        weir_report_free(report);
    }
    weir_device_free(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("uninitialised reads");
    TCase *found = add_case(suite, "found");
    tcase_add_loop_test(found, what_matters_is_found_and_its_right_neighbour_is_not, 0,
                        G_N_ELEMENTS(wrongs));
    tcase_add_test(found, the_comparison_is_named_with_its_line);
    tcase_add_loop_test(found, of_reads_of_one_element_the_one_that_matters_is_told, 0,
                        2);
    tcase_add_test(found, of_very_many_reads_one_is_told);
    tcase_add_test(found, an_index_that_leads_astray_is_told_beside_where_it_led);
    TCase *silent = add_case(suite, "silent");
    tcase_add_loop_test(silent, what_does_not_matter_is_silent, 0, G_N_ELEMENTS(clean));
    tcase_add_test(silent, what_comes_from_a_race_is_told_as_a_race);
    tcase_add_test(silent, a_device_that_does_not_poison_has_written_all);
    tcase_add_test(silent, a_number_that_is_poison_by_chance_is_none);
    tcase_add_test(silent, a_byte_that_is_poison_by_chance_is_none);
    TCase *trace = add_case(suite, "no trace");
    tcase_add_test(trace, what_is_run_again_leaves_no_trace);
    tcase_add_test(trace, the_same_is_found_where_a_schedule_is_followed);
    tcase_add_test(trace, a_limit_of_steps_ends_runs_again_too);
    tcase_add_test(trace, a_limit_of_time_ends_runs_again_too);
    return run_suite(suite);
}
