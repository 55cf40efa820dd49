/* SPDX-License-Identifier: MIT
 *
 * ring.c: see ring.h. On processors other than x86-64 the ring is of Weir's own
 * switch, which makes the comparison easier than it is meant to be. */
#define _GNU_SOURCE
#include "config.h"

#include "ring.h"

#include "base/co.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { STACK_BYTES = 16 * 1024 };
enum { STAGGER_BYTES = 128, STAGGERS = 32 };

#if defined(__x86_64__)
struct frame {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
};

void bench_ring_switch(struct frame *save, const struct frame *load);
__asm__(".text\n"
        ".globl bench_ring_switch\n"
        ".type bench_ring_switch, @function\n"
        "bench_ring_switch:\n"
        "    popq %rax\n" /* the return address travels in the frame */
        "    movq %rbx, 0(%rdi)\n"
        "    movq %rbp, 8(%rdi)\n"
        "    movq %r12, 16(%rdi)\n"
        "    movq %r13, 24(%rdi)\n"
        "    movq %r14, 32(%rdi)\n"
        "    movq %r15, 40(%rdi)\n"
        "    movq %rsp, 48(%rdi)\n"
        "    movq %rax, 56(%rdi)\n"
        "    movq 0(%rsi), %rbx\n"
        "    movq 8(%rsi), %rbp\n"
        "    movq 16(%rsi), %r12\n"
        "    movq 24(%rsi), %r13\n"
        "    movq 32(%rsi), %r14\n"
        "    movq 40(%rsi), %r15\n"
        "    movq 48(%rsi), %rsp\n"
        "    jmp *56(%rsi)\n"
        ".size bench_ring_switch, .-bench_ring_switch\n");

static void start_at(struct frame *frame, char *low, size_t bytes, void (*entry)(void))
{
    uintptr_t top = ((uintptr_t)low + bytes) & ~(uintptr_t)15;
    *frame = (struct frame){ .rsp = top - 8, .rip = (uintptr_t)entry };
}
#else
#define frame weiri_co
#define bench_ring_switch weiri_co_switch
#define start_at weiri_co_init
#endif

static struct frame *frames, host;
static int *numbers;
static size_t n, turn;
static int n_rounds;

static void body(void)
{
    size_t me = turn;
    for (int k = 0; k < n_rounds; k++) {
        numbers[me] += k;
        turn = me + 1 == n ? 0 : me + 1;
        bench_ring_switch(&frames[me], &frames[turn]);
    }
    if (me + 1 < n) {
        turn = me + 1;
        bench_ring_switch(&frames[me], &frames[turn]);
    }
    bench_ring_switch(&frames[me], &host);
    abort();
}

double ring_ns_a_switch(size_t items, int rounds)
{
    n = items;
    n_rounds = rounds;
    turn = 0;
    frames = aligned_alloc(64, n * sizeof(*frames));
    numbers = calloc(n, sizeof(*numbers));
    char *stacks = mmap(NULL, n * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (frames == NULL || numbers == NULL || stacks == MAP_FAILED) {
        abort();
    }
    for (size_t i = 0; i < n; i++) {
        start_at(&frames[i], stacks + i * STACK_BYTES,
                 STACK_BYTES - i % STAGGERS * STAGGER_BYTES, body);
    }
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    bench_ring_switch(&host, &frames[0]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    munmap(stacks, n * STACK_BYTES);
    free(frames);
    free(numbers);
    double ns = (double)(end.tv_sec - start.tv_sec) * 1e9
        + (double)(end.tv_nsec - start.tv_nsec);
    return ns / ((double)n * rounds);
}
