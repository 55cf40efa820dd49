/* SPDX-License-Identifier: MIT
 *
 * 10_explore.c: all executions of a kernel.
 *
 * The sum of 04_last_group.c, with three groups. With a relaxed counter it is almost
 * always right, whichever group is the last one: a launch shows one execution, and the
 * rare ones are the wrong ones. With the option `explore`, every execution that the
 * memory model allows is found before the launch runs, and `post_condition` must hold
 * after each of them.
 *
 * A plain access that races has no meaning in C, so an exploration ends an execution at
 * its first race. `plain_events` goes on, and shows what the race can lead to.
 *
 * The printed execution has one line for each event, and every read comes after the
 * write that it reads. With a relaxed counter, the last group may read a partial sum
 * that is old. With acq_rel it cannot: no other execution exists.
 *
 * `weir explore` does this for the kernels of any program;
 * docs/tutorial/07-last-group.md goes on from here. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 3 };

typedef struct {
    const int32_t *in;  /* GROUPS of them: a group has one item */
    int32_t *partial;   /* GROUPS of them */
    uint32_t *count;    /* groups that have stored their sum */
    int32_t *sum;       /* the answer */
    memory_order order; /* of the counter */
} sum_args;

WEIR_KERNEL(sum, sum_args)
{
    size_t g = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    args->partial[g] = args->in[g];
    uint32_t before = weir_atomic_fetch_add(
        weir_atomic_ref(args->count, args->order, memory_scope_device), 1);
    if (before == groups - 1) {
        int32_t total = 0;
        for (size_t i = 0; i < groups; i++) {
            total += args->partial[i];
        }
        *args->sum = total;
    }
}

static bool is_right(const void *of_launch, void *user)
{
    const sum_args *args = of_launch;
    (void)user;
    return *args->sum == 1 + 2 + 3;
}

static void print_execution(const struct weir_explored_execution *execution)
{
    for (uint64_t step = 0; step < execution->n_events; step++) {
        for (size_t i = 0; i < execution->n_events; i++) {
            const struct weir_explored_event *event = &execution->events[i];
            if (event->step != step) {
                continue;
            }
            printf("    group %zu  %s", execution->items[event->item].group[0],
                   event->text);
            if (event->newest != NULL) {
                printf(", but the newest value is %s", event->newest);
            }
            printf("\n");
        }
    }
}

static void explore(struct weir_device *device, const char *order, const sum_args *args)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.explore = "sycl";
    options.plain_events = true;
    options.post_condition = is_right;
    GError *error = NULL;
    struct weir_report *report = NULL;
    *args->count = 0;
    *args->sum = 0;
    for (int i = 0; i < GROUPS; i++) {
        args->partial[i] = 0;
    }
    if (!weir_launch_with(device, &sum, weir_nd_range_1d(GROUPS, 1), args, &options,
                          &report, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
    const struct weir_exploration *found = weir_report_exploration(report);
    printf("%s: %llu executions%s, %llu with a race, %llu with a wrong sum\n", order,
           (unsigned long long)found->executions, found->complete ? "" : " so far",
           (unsigned long long)found->racy, (unsigned long long)found->negative);
    for (size_t i = 0; i < found->n_states; i++) {
        const struct weir_explored_state *state = &found->states[i];
        printf("  %2llu end with %s%s\n", (unsigned long long)state->executions,
               state->text, state->holds ? "" : "  wrong");
    }
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        if (finding->kind == WEIR_FINDING_WRONG_RESULT && finding->n_executions > 0) {
            printf("  the smallest one with a wrong sum:\n");
            print_execution(&finding->executions[0]);
        }
    }
    weir_report_free(report);
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int32_t *in = weir_new(device, int32_t, GROUPS, "in");
    for (int i = 0; i < GROUPS; i++) {
        in[i] = i + 1;
    }
    sum_args args = { in, weir_new(device, int32_t, GROUPS, "partial"),
                      weir_new(device, uint32_t, 1, "count"),
                      weir_new(device, int32_t, 1, "sum"), memory_order_relaxed };
    explore(device, "relaxed", &args);
    args.order = memory_order_acq_rel;
    explore(device, "acq_rel", &args);
    weir_device_free(device);
    return EXIT_SUCCESS;
}
