/* SPDX-License-Identifier: MIT
 *
 * uninit.h: memory that is read before it is written: what kernels are given, as a
 * host leaves it that has, and the findings that come of it. Where it matters, a kernel
 * is wrong unless its arguments say that it is right. */
#ifndef WEIR_TESTS_UNINIT_H
#define WEIR_TESTS_UNINIT_H

#include "accesses.h"

/* A launch whose lines are known writes none of them: of writes by all items an
 * exploration would visit every order. */
#undef MARK
#define MARK(line, call)                                                               \
    (line_of(&(line)) == __LINE__                                                      \
         ? (void)0                                                                     \
         : atomic_store_explicit(&(line), __LINE__, memory_order_relaxed),             \
     (call))

enum { LOCAL = 16, GROUPS = 3, N = GROUPS * LOCAL };

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

struct triple {
    int32_t first, second, third;
};

union halves {
    int64_t whole;
    int32_t half[2];
};

/* The second has a byte of padding. */
struct pair {
    int16_t first, second;
};
struct tagged {
    int8_t tag;
    int16_t key;
};

union both {
    int32_t whole;
    struct pair pair;
    struct tagged tagged;
};

typedef struct {
    int32_t *out;  /* one an item */
    int32_t *in;   /* N of them */
    int32_t *more; /* what the test wants */
    struct padded *from, *to;
    struct tailed *tails, *tails_to;
    int32_t zero; /* which no compiler knows */
    bool right;
} uninit_args;

static int32_t gates[N]; /* 0 when a launch begins */

#define LID(item) weir_local_id((item), 0)

struct setting {
    struct weir_device *device;
    uninit_args args;
};

TEST_HELPER struct setting open_setting(struct weir_device *device)
{
    weir_device_poison(device, true);
    return (struct setting){ device, { 0 } };
}

/* Memory as a host leaves it that has forgotten what @right says. */
TEST_HELPER void renew(struct setting *setting, bool right)
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
                           .more = args->more,
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

TEST_HELPER struct weir_report *launch(struct setting *setting,
                                       const struct weir_kernel *kernel,
                                       const struct order *order, bool right)
{
    renew(setting, right);
    return LAUNCH(setting->device, kernel, weir_nd_range_1d(N, LOCAL), &setting->args,
                  CHECKED(order));
}

TEST_HELPER struct weir_report *explore_it(struct setting *setting,
                                           const struct weir_kernel *kernel)
{
    return LAUNCH(setting->device, kernel, weir_nd_range_1d(N, LOCAL), &setting->args,
                  (&(struct weir_launch_options){ .explore = "sycl" }));
}

TEST_HELPER struct weir_report *explore(struct setting *setting,
                                        const struct weir_kernel *kernel, bool right)
{
    weir_report_free(launch(setting, kernel, &orders[0], right)); /* for its lines */
    renew(setting, right);
    return explore_it(setting, kernel);
}

/* The first finding of that kind, or NULL. @n: (out): how many there are */
TEST_HELPER const struct weir_finding *uninitialized(const struct weir_report *report,
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

#endif
