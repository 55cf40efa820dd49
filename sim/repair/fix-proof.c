/* SPDX-License-Identifier: MIT
 *
 * fix-proof.c: whether a fix that was tried can be proved: every execution that the
 * model sycl allows is correct. A program is explored as it is. A built-in kernel is
 * explored at small sizes, of which the first one counts at which the kernel is wrong
 * without the fix: elsewhere it would prove nothing.
 *
 * The exploration is bounded by the steps of a run and by the number of executions,
 * fewer if they are longer. So whether a fix is proved does not depend on how busy the
 * machine is. The limit of time is for explorations that are slower than these bounds
 * allow for. */
#include "config.h"

#include "cli/clock.h"
#include "repair/fixes.h"

#include "engine/explore-run.h"

enum { MOST_SECONDS = 3, MOST_EXECUTIONS = 10000 };

/* The explorer replays an item's history for each of its steps, so the time of an
 * execution grows with the square of the steps. A program with the most steps takes a
 * second or two. */
enum { MOST_STEPS = 16384, FEWEST_EXECUTIONS = 100, STEPS_OF_ALL = 1 << 20 };

/* The options of the check, for the explorer: without what a run alone has. */
static struct weir_launch_options options_of(const struct weiri_cli_check *check)
{
    struct weir_launch_options options = weiri_options_launch(&check->options);
    options.check = options.lockstep = false;
    options.step_limit = 0;
    options.explore = "language";
    options.until_wrong = true;
    options.max_executions = MOST_EXECUTIONS;
    options.time_limit_ms = MOST_SECONDS * 1000;
    return options;
}

static bool is_late(const struct weiri_cli_check *check)
{
    return check->limit.deadline_us != 0
        && weiri_cli_clock_us() + MOST_SECONDS * (int64_t)G_USEC_PER_SEC
        > check->limit.deadline_us;
}

void weiri_cli_fix_prove_kernel(const struct weiri_cli_check *check,
                                const struct kernel_row *row, const char *order,
                                struct weiri_cli_fix *fix)
{
    static const size_t sizes[][2]
        = { { 4, 2 }, { 8, 2 }, { 6, 2 }, { 12, 2 }, { 3, 1 }, { 8, 4 } };
    bool wrong = false;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes) && !wrong && !is_late(check); i++) {
        struct weiri_cli_explored_row explored = { .row = row,
                                                   .device = check->options.device,
                                                   .n = sizes[i][0],
                                                   .local = sizes[i][1],
                                                   .options = options_of(check) };
        uint64_t executions;
        g_autoptr(GPtrArray) without = weiri_cli_explore_row(&explored, NULL);
        wrong = weiri_cli_judge_explored_all(without, &executions) == WEIRI_CLI_WRONG;
        if (wrong) {
            explored.options.order = order;
            g_autoptr(GPtrArray) with = weiri_cli_explore_row(&explored, NULL);
            if (weiri_cli_judge_explored_all(with, &executions) == WEIRI_CLI_PROVED) {
                fix->proved = executions;
                fix->proved_n = explored.n;
                fix->proved_groups = explored.groups;
            }
        }
    }
}

void weiri_cli_fix_prove_program(const struct weiri_cli_check *check,
                                 char *const *program, uint64_t steps,
                                 struct weiri_cli_fix *fix)
{
    if (is_late(check) || steps > MOST_STEPS) {
        return;
    }
    const struct weiri_cli_subject subject = { .program = program };
    const struct weiri_cli_run_options how = { .schedule = "in-order" };
    struct weiri_cli_check explored = *check;
    explored.options.launch = options_of(check);
    explored.options.explore = (char *)explored.options.launch.explore;
    explored.options.launch.max_executions
        = CLAMP(STEPS_OF_ALL / MAX(steps, 1), FEWEST_EXECUTIONS, MOST_EXECUTIONS);
    explored.limit = (struct weiri_cli_limit){
        MOST_SECONDS, weiri_cli_clock_us() + MOST_SECONDS * (int64_t)G_USEC_PER_SEC
    };
    struct weiri_cli_run_result *run = weiri_cli_run_once(&explored, &subject, &how);
    bool only_orders = true;
    for (guint i = 0; i < fix->parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, i);
        only_orders = only_orders && weiri_fix_only_orders(part->kind);
    }
    uint64_t executions;
    if (weiri_cli_judge_explored_all(run->launches, &executions) == WEIRI_CLI_PROVED
        && run->error == NULL && run->failure == NULL && run->incomplete == NULL
        && (only_orders || weiri_cli_has_one_state(run->launches))) {
        fix->proved = executions;
    }
    weiri_cli_run_unref(run);
}
