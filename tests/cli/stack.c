/* SPDX-License-Identifier: MIT
 *
 * stack.c: a lock-free stack for search.sh: items pop two nodes and push them back.
 * With the argument "tag" its top has a tag that changes with each push. Without one a
 * node that was popped and pushed back looks as if it had never been away (ABA), and
 * two items hold one node: that takes four events in one order.
 *
 * Some launches precede the one that matters, as another word says, and the program
 * prints in each of its parts. STACK_STARTS names a file that gets a line when the
 * program starts; STACK_STATE is something that the process has when it comes to its
 * first launch: a row of the table below. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <weir-kernel.h>
#include <weir.h>

enum { ITEMS = 4, NODES = 2 * ITEMS, ROUNDS = 3 };

typedef struct {
    uint64_t *top; /* tag << 32 | number of a node; 0 is none */
    uint32_t *next;
    uint32_t *owner;
    uint64_t tag; /* that a push adds */
} stack_args;

static uint32_t pop(const stack_args *args)
{
    uint64_t old = weir_atomic_load_explicit(args->top, memory_order_acquire,
                                             memory_scope_device),
             new;
    do {
        if ((uint32_t)old == 0) {
            return 0;
        }
        new = (old & ~0xffffffffull)
            | weir_atomic_load_explicit(&args->next[(uint32_t)old - 1],
                                        memory_order_relaxed, memory_scope_device);
    } while (!weir_atomic_compare_exchange_strong_explicit(
        args->top, &old, new, memory_order_acq_rel, memory_order_acquire,
        memory_scope_device));
    return (uint32_t)old;
}

static void push(const stack_args *args, uint32_t node)
{
    uint64_t old = weir_atomic_load_explicit(args->top, memory_order_relaxed,
                                             memory_scope_device),
             new;
    do {
        weir_atomic_store_explicit(&args->next[node - 1], (uint32_t)old,
                                   memory_order_relaxed, memory_scope_device);
        new = ((old & ~0xffffffffull) + args->tag) | node;
    } while (!weir_atomic_compare_exchange_strong_explicit(
        args->top, &old, new, memory_order_acq_rel, memory_order_relaxed,
        memory_scope_device));
}

WEIR_KERNEL(stack, stack_args)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t nodes[] = { pop(args), pop(args) };
        for (int i = 0; i < 2; i++) {
            if (nodes[i] != 0) {
                weir_assert(item, args->owner[nodes[i] - 1] == 0);
                args->owner[nodes[i] - 1] = 1;
            }
        }
        for (int i = 0; i < 2; i++) {
            if (nodes[i] != 0) {
                args->owner[nodes[i] - 1] = 0;
                push(args, nodes[i]);
            }
        }
    }
}

static void fail(GError *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(3);
}

/* ---- What a process may have ----------------------------------------------------- */

static void *sleep_on(void *unused)
{
    pause();
    return unused;
}

static void have_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_on, NULL) != 0) {
        exit(3);
    }
}

static void have_file(void)
{
    if (open("/dev/zero", O_RDONLY) < 0) {
        exit(3);
    }
}

static void have_child(void)
{
    if (fork() == 0) {
        pause();
    }
}

static void have_shared(void)
{
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        == MAP_FAILED) {
        exit(3);
    }
}

static void have_timer(void)
{
    struct itimerval hour = { .it_value = { .tv_sec = 3600 } };
    if (setitimer(ITIMER_REAL, &hour, NULL) != 0) {
        exit(3);
    }
}

/* A file that is there for one run: the program takes it away at its end. */
static void have_token(void)
{
    fclose(fopen("token", "w"));
}

static const struct {
    const char *name;
    void (*have)(void);
} states[] = {
    { "thread", have_thread }, { "file", have_file },   { "child", have_child },
    { "shared", have_shared }, { "timer", have_timer }, { "token", have_token },
};

static void start(void)
{
    const char *starts = getenv("STACK_STARTS"), *state = getenv("STACK_STATE");
    FILE *file = starts != NULL ? fopen(starts, "a") : NULL;
    if (file != NULL) {
        fputs("start\n", file);
        fclose(file);
    }
    for (size_t i = 0; state != NULL && i < sizeof(states) / sizeof(states[0]); i++) {
        if (strcmp(states[i].name, state) == 0) {
            states[i].have();
        }
    }
}

static int end(void)
{
    const char *state = getenv("STACK_STATE");
    return state != NULL && strcmp(state, "token") == 0 && unlink("token") != 0 ? 4 : 0;
}

int main(int argc, char **argv)
{
    start();
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fail(error);
    }
    stack_args args = { .top = weir_new(device, uint64_t, 1, "top"),
                        .next = weir_new(device, uint32_t, NODES, "next"),
                        .owner = weir_new(device, uint32_t, NODES, "owner"),
                        .tag = strcmp(argv[1], "tag") == 0 ? 1ull << 32 : 0 };
    int launches = argc > 2 ? atoi(argv[2]) : 1;
    for (uint32_t i = 0; i < NODES; i++) {
        args.next[i] = i;
        args.owner[i] = 0;
    }
    *args.top = NODES;
    printf("%s\n", argv[1]);
    for (int i = 1; i <= launches; i++) {
        /* One item alone is right with any stack. */
        size_t items = i == launches ? ITEMS : 1;
        if (!weir_launch(device, &stack, weir_nd_range_1d(items, items), &args,
                         &error)) {
            fail(error);
        }
    }
    printf("%d\n", launches);
    weir_device_free(device);
    return end();
}
