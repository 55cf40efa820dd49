/* SPDX-License-Identifier: MIT
 *
 * check_native_ranks.c: launches that several ranks explore together: what they find is
 * what one process finds; and where a rank is late, ends, or does something else, the
 * others do not wait for it and have no wrong result. The ranks are forks of the test,
 * and rank 0 joins their messages; tests/cli/explore-ranks.sh has those of mpirun. */
#include "base/channel.h"
#include "base/exchange.h"
#include "explored.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { MOST_RANKS = 4 };

/* ---- Ranks ----------------------------------------------------------------------- */

static struct {
    unsigned rank, n;
    int sockets[MOST_RANKS]; /* in rank 0: of each other; else the first: of rank 0 */
    pid_t pids[MOST_RANKS];
    unsigned rounds;
    useconds_t pause_us; /* of rank 1, in its first round */
} team;

/* Rank 0: the messages of all, or NULL if one has ended: then all get none from here
 * on. */
static GBytes *join(GBytes *mine)
{
    g_autoptr(GPtrArray) messages
        = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_ptr_array_add(messages, g_bytes_ref(mine));
    for (unsigned i = 1; i < team.n; i++) {
        GBytes *one = team.sockets[i] >= 0 ? weiri_channel_read(team.sockets[i]) : NULL;
        if (one != NULL) {
            g_ptr_array_add(messages, one);
        }
    }
    GBytes *all = messages->len == team.n ? weiri_exchange_pack(messages) : NULL;
    for (unsigned i = 1; i < team.n; i++) {
        if (all == NULL
            || !weiri_channel_send(team.sockets[i], g_bytes_get_data(all, NULL),
                                   g_bytes_get_size(all))) {
            close(team.sockets[i]);
            team.sockets[i] = -1;
        }
    }
    return all;
}

static GBytes *make_round(GBytes *mine)
{
    if (team.rank == 1 && team.rounds == 0) {
        usleep(team.pause_us);
    }
    team.rounds++;
    if (team.rank == 0) {
        return join(mine);
    }
    return weiri_channel_send(team.sockets[0], g_bytes_get_data(mine, NULL),
                              g_bytes_get_size(mine))
        ? weiri_channel_read(team.sockets[0])
        : NULL;
}

/* Forks the other ranks. Returns: in each rank, its number */
static unsigned begin_ranks(unsigned n)
{
    team.n = n;
    team.rank = 0;
    team.rounds = 0;
    for (unsigned i = 1; i < n && team.rank == 0; i++) {
        int pair[2];
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        team.pids[i] = fork();
        ck_assert_int_ge(team.pids[i], 0);
        if (team.pids[i] == 0) {
            for (unsigned k = 1; k < i; k++) {
                close(team.sockets[k]);
            }
            team.rank = i;
        }
        team.sockets[team.rank == 0 ? i : 0] = pair[team.rank == 0 ? 0 : 1];
        close(pair[team.rank == 0 ? 1 : 0]);
    }
    weiri_exchange_set(team.rank, n, make_round);
    return team.rank;
}

/* The other ranks end here, with status 0 if @good; rank 0 waits for them. Returns: in
 * rank 0, whether all were good */
static bool end_ranks(bool good)
{
    weiri_exchange_set(0, 1, NULL);
    if (team.rank > 0) {
        _exit(good ? 0 : 1);
    }
    for (unsigned i = 1; i < team.n; i++) {
        int status;
        if (team.sockets[i] >= 0) {
            close(team.sockets[i]);
        }
        ck_assert_int_eq(waitpid(team.pids[i], &status, 0), team.pids[i]);
        good = good && status == 0;
    }
    return good;
}

/* ---- Launches -------------------------------------------------------------------- */

/* The findings of a launch; or NULL if it could not be explored: *@why. */
static char *explore(struct weir_device *device, const struct weir_kernel *kernel,
                     size_t global, size_t local, const void *args, size_t bytes,
                     const struct weir_launch_options *options, char **why)
{
    struct weir_report *report = NULL;
    *why = NULL;
    if (!weir_launch_sized_with(device, kernel, weir_nd_range_1d(global, local), args,
                                bytes, options, &report, NULL)) {
        *why = g_strdup("the launch fails");
        return NULL;
    }
    const struct weir_exploration *found = weir_report_exploration(report);
    *why = found != NULL ? g_strdup(found->refused) : g_strdup("nothing was explored");
    char *line = *why == NULL ? record_of_report(report) : NULL;
    weir_report_free(report);
    return line;
}

/* ---- The same result ------------------------------------------------------------- */

CASE("the same result");

static const struct {
    const struct weir_kernel *kernel;
    size_t global, local;
    struct weir_launch_options options;
} same[] = {
    { &increments, 1, 1, { .explore = "sycl" } },
    { &increments, 6, 1, { .explore = "sycl" } },
    { &increments, 6, 1, { .explore = "sycl", .jobs = 2 } },
    { &writers_and_readers, 4, 1, { .explore = "rc11" } },
    { &message_relaxed, 2, 1, { .explore = "sycl" } },
    { &message_relaxed, 2, 1, { .explore = "sycl", .plain_events = true } },
    { &cas_lock, 4, 1, { .explore = "sycl" } },
    { &peterson_weak, 2, 1, { .explore = "sycl" } },
    { &wait_for_each_other, 2, 1, { .explore = "sycl" } },
    { &skip_a_barrier, 4, 4, { .explore = "sycl" } },
    { &tree, 6, 2, { .explore = "sycl" } },
    { &count_in_a_static, 3, 1, { .explore = "sycl" } },
    /* too many executions unless their additions have no order: nothing is shared */
    { &increments, 2064, 129, { .explore = "sycl" } },
    /* one process must see everything */
    { &increments, 3, 1, { .explore = "sycl", .resident = 2 } },
    { &increments, 3, 1, { .explore = "sycl", .samples = 20, .seed = 3 } },
    { &message_relaxed, 2, 1, { .explore = "sycl", .litmus = true } },
};

/* The same of so many ranks, all of them forks: launches leave something in memory. */
static char *explore_apart(struct weir_device *device, unsigned n, int row)
{
    int pair[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *why;
        words_args args = words_new(device);
        if (n > 1) {
            begin_ranks(n);
        }
        char *found
            = explore(device, same[row].kernel, same[row].global, same[row].local,
                      &args, sizeof(args), &same[row].options, &why);
        bool good = (n == 1 || end_ranks(found != NULL)) && found != NULL;
        const char *text = found != NULL ? found : why;
        good = weiri_channel_send(pair[1], text, strlen(text)) && good;
        _exit(good ? 0 : 1);
    }
    close(pair[1]);
    GBytes *text = weiri_channel_read(pair[0]);
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(status == 0, "%u ranks: %s", n,
                  (const char *)g_bytes_get_data(text, NULL));
    close(pair[0]);
    char *copy = g_strdup(g_bytes_get_data(text, NULL));
    g_bytes_unref(text);
    return copy;
}

DEVICE_TEST_EACH(ranks_find_together_what_one_finds, G_N_ELEMENTS(same))
{
    if (under_valgrind() && same[_i].global > WORDS_ITEMS) {
        return; /* minutes */
    }
    g_autofree char *one = explore_apart(device, 1, _i);
    for (unsigned n = 2; n <= MOST_RANKS; n++) {
        g_autofree char *several = explore_apart(device, n, _i);
        ck_assert_msg(strcmp(one, several) == 0, "%s, %u ranks: another result",
                      same[_i].kernel->name, n);
    }
}

/* The limit is divided among the processes of all, even where there are fewer
 * executions. */
DEVICE_TEST(ranks_share_a_limit_of_executions)
{
    for (uint32_t jobs = 1; jobs <= 3; jobs++) {
        const struct weir_launch_options options
            = { .explore = "sycl", .max_executions = 5, .jobs = jobs };
        char *why;
        words_args args = words_new(device);
        begin_ranks(4);
        g_autofree char *found
            = explore(device, &increments, 5, 1, &args, sizeof(args), &options, &why);
        ck_assert(end_ranks(found != NULL));
        expect_contains(found, "\"executions\":5,");
        expect_contains(found, "\"complete\":false");
    }
}

/* ---- Other results --------------------------------------------------------------- */

CASE("another rank");

static const struct weir_launch_options plainly = { .explore = "sycl" };

/* The time is over in rank 1, when it has the messages of the first round; and the
 * exploration would have to begin anew, or would be complete. */
DEVICE_TEST(a_rank_that_is_late_makes_the_launch_incomplete)
{
    static const struct weir_kernel *const kernels[]
        = { &count_in_a_static, &cas_lock };
    for (size_t i = 0; i < G_N_ELEMENTS(kernels); i++) {
        char *why;
        words_args args = words_new(device);
        struct weir_launch_options options = plainly;
        team.pause_us = 400 * 1000;
        unsigned rank = begin_ranks(3);
        options.time_limit_ms = rank == 1 ? 400 : 0;
        g_autofree char *found
            = explore(device, kernels[i], 3, 1, &args, sizeof(args), &options, &why);
        team.pause_us = 0;
        ck_assert(end_ranks(rank > 0 || (why == NULL && found != NULL)));
        g_free(why);
    }
}

/* Rank 1 makes no launch, the first one, or one more. */
DEVICE_TEST(a_rank_that_ends_early_is_not_waited_for)
{
    for (unsigned launches = 0; launches <= 3; launches++) {
        words_args args = words_new(device);
        unsigned rank = begin_ranks(3);
        bool good = true;
        for (unsigned i = 0; i < (rank == 1 ? launches : 2); i++) {
            char *why;
            g_autofree char *found = explore(device, &increments, 3, 1, &args,
                                             sizeof(args), &plainly, &why);
            if (rank == 0) {
                good = good && (why == NULL) == (i < launches);
            }
            if (rank == 0 && why != NULL) {
                good = good && strstr(why, "another rank has ended early") != NULL;
            }
            g_free(why);
        }
        ck_assert_msg(end_ranks(good), "%u launches", launches);
    }
}

/* Returns: in rank 0, why a launch could not be explored in which rank 1 has other
 * arguments, to be freed */
static char *refusal(struct weir_device *device, const struct weir_kernel *kernel,
                     size_t global, const void *args, size_t bytes)
{
    char *why;
    g_free(explore(device, kernel, global, 1, args, bytes, &plainly, &why));
    ck_assert(end_ranks(why != NULL));
    return why;
}

DEVICE_TEST(a_rank_with_other_memory_is_noticed)
{
    for (unsigned what = 0; what < 4; what++) {
        words_args args = words_new(device);
        unsigned rank = begin_ranks(2);
        if (rank == 1 && what == 0) {
            args.x[0] = 1;
        } else if (rank == 1 && what == 1) {
            args.x++;
        } else if (rank == 1 && what == 2) {
            args.x = args.y;
        }
        g_autofree char *why = refusal(
            device, &increments, rank == 1 && what == 3 ? 4 : 3, &args, sizeof(args));
        expect_contains(why, "another rank makes another launch");
    }
}

/* The behaviour of the items of rank 1 is in memory that they only read. */
DEVICE_TEST(a_rank_whose_items_do_something_else_is_noticed)
{
    static const uint8_t others[][2] = { { STEP_MAX, 0 }, { STEP_ADD_RELEASE, 0 } };
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        uint8_t *steps = weir_new(device, uint8_t, 2 * STEPS * STEP_ITEMS, "steps");
        words_args words = words_new(device);
        const interpreted_args args = { words.x, words.y, words.out, steps, 0 };
        memset(steps, STEP_ADD, 2 * STEPS * STEP_ITEMS);
        if (begin_ranks(2) == 1) {
            memcpy(steps, others[i], sizeof(others[i]));
        }
        g_autofree char *why = refusal(device, &interpreted, 3, &args, sizeof(args));
        expect_contains(why, "behave differently in another process");
    }
}

/* A post-condition that ends the process that asks, which is a fork of rank 1. */
static bool ends_the_process(const void *args, void *user)
{
    (void)args;
    (void)user;
    kill(getpid(), SIGKILL);
    return true;
}

DEVICE_TEST(a_process_of_another_rank_that_ends_leaves_no_result)
{
    char *why;
    words_args args = words_new(device);
    struct weir_launch_options options = plainly;
    options.post_condition = begin_ranks(3) == 1 ? ends_the_process : NULL;
    g_free(explore(device, &increments, 3, 1, &args, sizeof(args), &options, &why));
    ck_assert(end_ranks(why != NULL));
    expect_contains(why, "was ended by signal 9");
    g_free(why);
}

MAIN("native: ranks")
