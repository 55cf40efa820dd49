/* SPDX-License-Identifier: MIT
 *
 * program.c: a program for the tests of `weir check -- PROGRAM`. Its first argument
 * says what it does; each is a line of the table at the end. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    uint32_t *words;
    size_t n;
} word_args;

/* Sums 0 to n - 1 in groups; diverges where n is not a multiple of the local size. */
WEIR_KERNEL(tree_sum, word_args)
{
    size_t gid = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, weir_local_size(item, 0));
    if (gid >= args->n) {
        return; /* expect: exited item */
    }
    scratch[lid] = (uint32_t)gid;
    for (size_t stride = weir_local_size(item, 0) / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid < stride) {
            scratch[lid] += scratch[lid + stride];
        }
    }
    if (lid == 0) {
        weir_atomic_fetch_add_explicit(&args->words[0], scratch[0],
                                       memory_order_relaxed, memory_scope_device);
    }
}

/* Diverges in the orders in which item 3 is the first of all to take a ticket, after
 * some work that does not matter. */
WEIR_KERNEL(tickets, word_args)
{
    for (size_t i = 0; i < args->n; i++) {
        weir_atomic_fetch_add_explicit(&args->words[1], 1u, memory_order_relaxed,
                                       memory_scope_device);
    }
    uint32_t ticket = weir_atomic_fetch_add_explicit(
        &args->words[0], 1u, memory_order_relaxed, memory_scope_device);
    if (weir_local_id(item, 0) == 3 && ticket == 0) {
        return;
    }
    weir_barrier(item, WEIR_LOCAL);
}

/* Keeps the id of the last item that comes there. */
WEIR_KERNEL(last_one, word_args)
{
    weir_atomic_store_explicit(&args->words[0], (uint32_t)weir_global_id(item, 0),
                               memory_order_relaxed, memory_scope_device);
}

/* Sums elements that it has not written where n is not a multiple of the local size. */
WEIR_KERNEL(guarded_sum, word_args)
{
    size_t gid = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    size_t local = weir_local_size(item, 0);
    uint32_t *scratch = weir_local_array(item, uint32_t, local);
    if (gid < args->n) {
        scratch[lid] = (uint32_t)gid;
    }
    weir_barrier(item, WEIR_LOCAL);
    for (size_t i = 0; lid == 0 && i < local; i++) {
        uint32_t value = scratch[i]; /* expect: uninitialized-read */
        weir_atomic_fetch_add_explicit(&args->words[0], value, memory_order_relaxed,
                                       memory_scope_device);
    }
}

/* All items write one word. */
WEIR_KERNEL(overlap, word_args)
{
    args->words[0] = (uint32_t)weir_global_id(item, 0);
}

static struct weir_device *device;
static uint32_t *words;

/* Actions of an item that end more than itself. */
enum {
    END_NOT,
    END_ABORT,
    END_ASSERT,
    END_FREE,
    END_EXIT,
    END_EXIT_0,
    END_AT_ONCE,
    END_KILL
};

/* Races, and then the first item of the second group ends as its argument says. */
WEIR_KERNEL(ends, word_args)
{
    args->words[1] = (uint32_t)weir_global_id(item, 0); /* expect: race */
    if (weir_global_id(item, 0) == 4) {
        assert(args->n != END_ASSERT); /* expect: fault assert */
        switch (args->n) {
        case END_ABORT:
            abort(); /* expect: fault abort */
        case END_FREE:
            weir_free(device, words); /* expect: fault free */
            break;
        case END_EXIT:
            exit(3); /* expect: fault exit */
        case END_EXIT_0:
            exit(0);
        case END_AT_ONCE:
            _exit(4);
        case END_KILL:
            raise(SIGKILL);
        default:
            break;
        }
    }
}

/* Returns: whether the launch succeeded; says why not on standard error. */
static bool launch(const struct weir_kernel *kernel, size_t global, size_t n)
{
    g_autoptr(GError) error = NULL;
    memset(words, 0, 2 * sizeof(*words));
    bool done = weir_launch(device, kernel, weir_nd_range_1d(global, 4),
                            (&(word_args){ words, n }), &error);
    if (!done) {
        fprintf(stderr, "launch: %s\n", error->message);
    }
    return done;
}

static int clean(void)
{
    return !launch(&tree_sum, 8, 8);
}

static int diverge(void)
{
    return !launch(&tree_sum, 8, 7);
}

/* Says nothing of what the sum is, which is none. */
static int garbage(void)
{
    return !launch(&guarded_sum, 8, 7);
}

static int no_garbage(void)
{
    return !launch(&guarded_sum, 8, 8) + (words[0] != 28);
}

/* Memory whose name is not text, and memory that has none. */
static int names(void)
{
    words = weir_new(device, uint32_t, 2, "a\n\033[31m<b> \"caf\xe9\"");
    bool done = launch(&overlap, 8, 0);
    words = weir_new(device, uint32_t, 2, NULL);
    return !(launch(&overlap, 8, 0) && done);
}

static int order(void)
{
    return !launch(&tickets, 8, 10);
}

/* Takes a ticket after more work than there is time for. */
static int order_for_ever(void)
{
    return !launch(&tickets, 8, SIZE_MAX);
}

static int second(void)
{
    return clean() + order();
}

static int nothing(void)
{
    return 0;
}

/* Another size from one time to the next. */
static int changing(void)
{
    const char *size = getenv("CHANGING_SIZE");
    return !launch(&tree_sum, size != NULL ? 12 : 8, 4);
}

static int more(void)
{
    return clean() + (getenv("MORE_LAUNCHES") != NULL ? clean() : 0);
}

static int status(void)
{
    return clean() + 3;
}

/* Fails by itself in some orders only: an answer that depends on the order. */
static int status_by_order(void)
{
    int refused = !launch(&last_one, 8, 0);
    fprintf(stderr, "item %u was the last one\n", words[0]);
    return refused || words[0] == 7 ? 0 : 4;
}

/* Counts by a load and a store, which loses updates, or by one operation. */
WEIR_KERNEL(count_by_two, word_args)
{
    uint32_t before = weir_atomic_load_explicit(&args->words[0], memory_order_relaxed,
                                                memory_scope_device);
    weir_atomic_store_explicit(&args->words[0], before + 1, memory_order_relaxed,
                               memory_scope_device);
}

WEIR_KERNEL(count_by_one, word_args)
{
    weir_atomic_fetch_add_explicit(&args->words[0], 1u, memory_order_relaxed,
                                   memory_scope_device);
}

/* The host finds the count wrong, and the kernel claims nothing. */
static int lost(void)
{
    return !launch(&count_by_two, 8, 0) || words[0] == 8 ? 0 : 5;
}

static int kept(void)
{
    return !launch(&count_by_one, 8, 0) || words[0] == 8 ? 0 : 5;
}

static int by_signal(void)
{
    clean();
    abort();
}

/* Launches, and then does not end; nor does what it has started. */
static int hang(void)
{
    clean();
    if (fork() == 0) {
        sleep(1000);
    }
    sleep(1000);
    return 0;
}

/* Ends, but leaves a process. */
static int leave(void)
{
    if (fork() == 0) {
        sleep(1000);
    }
    return clean();
}

/* A child launches before its parent does. */
static int forks(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        exit(order());
    }
    int child = 0;
    waitpid(pid, &child, 0);
    return child + clean();
}

/* Other programs launch, one after another. */
static int starts(const char *self)
{
    g_autofree char *line
        = g_strdup_printf("'%s' clean && '%s' order && '%s' clean", self, self, self);
    return system(line) != 0 || clean();
}

/* Parent and child take turns; the second launch of the parent is another one. */
static int alternates(void)
{
    int failed = clean(), child = 0;
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            exit(clean() + order());
        }
        waitpid(pid, &child, 0);
        failed += child + order() + clean();
    }
    return failed;
}

/* Parent and child launch at the same time: either takes longer than a fork. */
static int together(void)
{
    pid_t pid = fork();
    int child = 0, failed = !launch(&tickets, 8, 20000);
    if (pid == 0) {
        exit(failed);
    }
    waitpid(pid, &child, 0);
    return child + failed;
}

static int many(void)
{
    const char *n = getenv("MANY_LAUNCHES");
    int failed = 0;
    for (int i = n != NULL ? atoi(n) : 0; i > 0; i--) {
        failed += clean();
    }
    return failed;
}

/* The child's launch follows all that the parent has made. */
static int many_forks(void)
{
    int failed = many(), child = 0;
    pid_t pid = fork();
    if (pid == 0) {
        exit(clean());
    }
    waitpid(pid, &child, 0);
    return child + failed;
}

static int not_inside(void)
{
    return !launch(&ends, 8, END_NOT);
}

static int abort_inside(void)
{
    return clean() + !launch(&ends, 8, END_ABORT) + clean();
}

static int assert_inside(void)
{
    return clean() + !launch(&ends, 8, END_ASSERT) + clean();
}

static int free_inside(void)
{
    return clean() + !launch(&ends, 8, END_FREE) + clean();
}

static int exit_inside(void)
{
    return clean() + !launch(&ends, 8, END_EXIT);
}

static int exit_0_inside(void)
{
    return clean() + !launch(&ends, 8, END_EXIT_0);
}

static int at_once_inside(void)
{
    return clean() + !launch(&ends, 8, END_AT_ONCE);
}

static int killed_inside(void)
{
    return !launch(&ends, 8, END_KILL);
}

/* A process that it has started ends inside a launch, and its status is not read. */
static int child_inside(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        exit(killed_inside());
    }
    waitpid(pid, NULL, 0);
    return clean();
}

static int input(void)
{
    int sum = 0, number;
    while (scanf("%d", &number) == 1) {
        sum += number;
    }
    fprintf(stderr, "the input adds up to %d\n", sum);
    return clean() + (sum == 6 ? 0 : 5);
}

static int refused(void)
{
    launch(&tree_sum, 7, 7);
    return 0;
}

/* Returns the last argument's number of bytes; a name may hold anything. */
static int echo(const char *last)
{
    printf("%s\n", last);
    return clean();
}

static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {
    { "clean", clean },
    { "diverge", diverge },
    { "order", order },
    { "order-for-ever", order_for_ever },
    { "second", second },
    { "nothing", nothing },
    { "changing", changing },
    { "more", more },
    { "status", status },
    { "status-by-order", status_by_order },
    { "lost", lost },
    { "kept", kept },
    { "signal", by_signal },
    { "hang", hang },
    { "leave", leave },
    { "forks", forks },
    { "input", input },
    { "refused", refused },
    { "alternates", alternates },
    { "together", together },
    { "many", many },
    { "many-forks", many_forks },
    { "not-inside", not_inside },
    { "abort-inside", abort_inside },
    { "assert-inside", assert_inside },
    { "free-inside", free_inside },
    { "exit-inside", exit_inside },
    { "exit-0-inside", exit_0_inside },
    { "at-once-inside", at_once_inside },
    { "killed-inside", killed_inside },
    { "child-inside", child_inside },
    { "garbage", garbage },
    { "no-garbage", no_garbage },
    { "names", names },
};

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "clean";
    const char *profile = getenv("PROGRAM_DEVICE");
    device = weir_device_new(profile != NULL ? profile : "default", NULL);
    words = weir_new(device, uint32_t, 2, "words");
    printf("mode %s\n", mode);
    fflush(stdout);
    if (strcmp(mode, "starts") == 0) {
        return starts(argv[0]);
    }
    if (strcmp(mode, "echo") == 0) {
        return echo(argv[argc - 1]);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        if (strcmp(modes[i].name, mode) == 0) {
            return modes[i].run();
        }
    }
    fprintf(stderr, "no mode '%s'\n", mode);
    return 99;
}
