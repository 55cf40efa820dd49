/* SPDX-License-Identifier: MIT
 *
 * bounds.h: kernels that access what they may not, and what is expected of the finding.
 * A kernel is wrong in the group only that its arguments name, and right where they
 * name none: then it draws nothing, and all of its items are through. */
#ifndef WEIR_TESTS_BOUNDS_H
#define WEIR_TESTS_BOUNDS_H

#include "accesses.h"

enum { NONE = -1, LOCAL = 24, GROUPS = 3, N = GROUPS * LOCAL };

typedef struct {
    int32_t *out;  /* one an item: 1 once it is through */
    int32_t *in;   /* one an item */
    void *pointer; /* what the test wants */
    void **slots;  /* one a group, for kernels that pass pointers on */
    int32_t *flag;
    long wrong; /* the group that is wrong, or NONE */
} bounds_args;

#define IS_WRONG(item, args) ((long)weir_group_id((item), 0) == (args)->wrong)
#define THROUGH(item, args) (OUT(item, args) = 1)

/* ---- Launching ------------------------------------------------------------------- */

struct setting {
    struct weir_device *device;
    size_t groups;
    bounds_args args;
};

TEST_HELPER struct setting open_setting(struct weir_device *device, size_t groups)
{
    return (struct setting){
        device,
        groups,
        { .out = weir_new(device, int32_t, groups * LOCAL, "out"),
          .in = weir_new(device, int32_t, groups * LOCAL, "in"),
          .slots = weir_new(device, void *, groups, "slots"),
          .flag = weir_new(device, int32_t, 1, "flag"),
          .wrong = NONE },
    };
}

TEST_HELPER struct weir_report *launch(struct setting *setting,
                                       const struct weir_kernel *kernel,
                                       const struct order *order)
{
    size_t n = setting->groups * LOCAL;
    memset(setting->args.out, 0, n * sizeof(int32_t));
    memset(setting->args.in, 0, n * sizeof(int32_t));
    memset(setting->args.slots, 0, setting->groups * sizeof(void *));
    memset(setting->args.flag, 0, sizeof(int32_t));
    return LAUNCH(setting->device, kernel, weir_nd_range_1d(n, LOCAL), &setting->args,
                  CHECKED(order));
}

TEST_HELPER void expect_all_through(const struct setting *setting)
{
    EXPECT_ELEMENTS(setting->args.out, i, setting->groups * LOCAL, 1);
}

/* ---- What is expected ------------------------------------------------------------ */

struct wrong {
    enum weir_finding_kind kind;
    const char *space;  /* or NULL */
    const char *object; /* or NULL; "local" for the local array of line_b */
    int64_t index;
    size_t item; /* of group 1 */
    const char *access;
    const char *says; /* in its message */
};

TEST_HELPER void expect_wrong(const struct weir_report *report,
                              const struct weir_kernel *kernel,
                              const struct wrong *wrong)
{
    const struct weir_finding *finding
        = only_finding(report, wrong->kind, kernel->name);
    ck_assert_pstr_eq(finding->space, wrong->space);
    if (g_strcmp0(wrong->object, "local") == 0) {
        expect_local_array(finding);
    } else {
        ck_assert_pstr_eq(finding->object, wrong->object);
    }
    const struct weir_party *party
        = expect_access(finding, wrong->access, wrong->index);
    EXPECT_COORDINATES(party->item, wrong->item, 0, 0);
    EXPECT_COORDINATES(party->group, 1, 0, 0);
    expect_contains(finding->message, weir_finding_kind_name(wrong->kind));
    expect_contains(finding->message, wrong->says);
}

/* Wrong in the middle group of three: found, and the other groups are through; right in
 * all: silent, and all are. */
TEST_HELPER void expect_found(struct setting *setting, const struct weir_kernel *kernel,
                              const struct order *order, const struct wrong *wrong)
{
    bool goes_on = wrong->kind == WEIR_FINDING_MISALIGNED;
    setting->args.wrong = 1;
    struct weir_report *report = launch(setting, kernel, order);
    expect_wrong(report, kernel, wrong);
    ck_assert_ptr_null(weir_report_incomplete(report));
    for (size_t i = 0; i < N; i++) {
        if (goes_on || i / LOCAL != 1) {
            EXPECT_ELEMENT(setting->args.out, i, 1);
        }
    }
    EXPECT_ELEMENT(setting->args.out, LOCAL + wrong->item, goes_on);
    weir_report_free(report);
    setting->args.wrong = NONE;
    expect_quiet(launch(setting, kernel, order), kernel, order, LOCAL);
    expect_all_through(setting);
}

/* In a device test with a row for each of the orders. */
#define FOUND(kernel, ...)                                                             \
    do {                                                                               \
        struct setting setting_ = open_setting(device, GROUPS);                        \
        expect_found(&setting_, &(kernel), &orders[_i],                                \
                     &(struct wrong){ __VA_ARGS__ });                                  \
    } while (0)

#endif
