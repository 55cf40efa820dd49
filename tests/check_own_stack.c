/* SPDX-License-Identifier: MIT
 *
 * check_own_stack.c: accesses of a function's own stack through other registers, in the
 * code that compilers write for structures that are passed by value, and in code that
 * differs from it by one instruction. */
#include "config.h"

#include "report/own-stack.h"
#include "report/x86.h"
#include "support.h"

#ifdef __x86_64__

/* Defines a function that nothing calls. */
#define CODE(name, text)                                                               \
    extern const unsigned char name##_code[], name##_end[];                            \
    __asm__(".pushsection .text\n" #name "_code:\n" text "\n" #name                    \
            "_end:\n.popsection")

/* Instructions that access memory which may not be the stack. */
static unsigned count_others(const unsigned char *start, const unsigned char *end)
{
    unsigned n = 0;
    struct weiri_own_stack *stack = weiri_own_stack_new(start, end);
    for (const unsigned char *at = start; at < end;) {
        const struct weiri_instruction in = weiri_decode(at, end);
        ck_assert_uint_gt(in.bytes, 0);
        n += !weiri_own_stack_step(stack, at, &in) && weiri_accesses(&in);
        at += in.bytes;
    }
    weiri_own_stack_free(stack);
    return n;
}

#define EXPECT_OTHERS(name, n)                                                         \
    ck_assert_uint_eq(count_others(name##_code, name##_end), n)

CODE(moves,
     "sub $0x28, %rsp; mov %rsp, %rax; mov -0x40(%rbp), %rcx\n"
     "mov %rcx, (%rax); movups -0x30(%rbp), %xmm0; movups %xmm0, 0x10(%rax)\n"
     "movzbl -0x20(%rbp), %edx; mov %dl, 0x20(%rax); call moves_code");
CODE(repeats,
     "mov %rsp, %rax; mov %rax, %rdi; add $0x28, %rdi\n"
     "lea -0xd8(%rbp), %rsi; mov $0x15, %ecx; rep movsq\n"
     "movzbl (%rsi), %eax; mov %al, (%rdi); call repeats_code");
CODE(preserved,
     "lea 0x38(%rbp), %rbx; lea 0x10(%rbp), %r12; call preserved_code\n"
     "mov (%rbx), %rax; mov 8(%r12), %rcx");
CODE(word,
     "lea 0x10(%rbp), %rax; mov %rax, -0x50(%rbp); lea -0x48(%rbp), %rdi\n"
     "call word_code; mov -0x50(%rbp), %rax; movups (%rax), %xmm0");

TEST(structures_that_are_passed_by_value_are_on_the_own_stack)
{
    EXPECT_OTHERS(moves, 0);
    EXPECT_OTHERS(repeats, 0);
    EXPECT_OTHERS(preserved, 0);
    EXPECT_OTHERS(word, 0);
}

CODE(loaded, "mov %rsp, %rax; mov -0x40(%rbp), %rax; mov %rcx, (%rax)");
CODE(zeroed, "mov %rsp, %rax; xor %eax, %eax; mov %rcx, (%rax)");
CODE(halved, "mov %rsp, %rax; mov %eax, %eax; mov %rcx, (%rax)");
CODE(chosen, "mov %rsp, %rax; cmove %rdi, %rax; mov %rcx, (%rax)");
CODE(called, "mov %rsp, %rax; call called_code; mov %rcx, (%rax)");
CODE(from_memory, "mov %rsp, %rdi; mov %rdx, %rsi; mov $5, %ecx; rep movsq");
CODE(to_memory, "mov %rsp, %rsi; mov %rdx, %rdi; mov $5, %ecx; rep movsq");
CODE(counted,
     "mov %rsp, %rsi; mov %rsp, %rdi; mov %rsp, %rcx; rep movsq; mov (%rcx), %al");
CODE(list,
     "lea -0x10(%rbp), %rax\n1: movl $1, 8(%rax); mov %rdi, %rax\n"
     "dec %ecx; jne 1b");
CODE(table, "lea -0x10(%rbp), %rax; mov %rax, %rcx; movl $1, (%rax); jmp *%rdx");

TEST(a_register_that_may_hold_something_else_is_not_the_stack)
{
    EXPECT_OTHERS(loaded, 1);
    EXPECT_OTHERS(zeroed, 1);
    EXPECT_OTHERS(halved, 1);
    EXPECT_OTHERS(chosen, 1);
    EXPECT_OTHERS(called, 1);
    EXPECT_OTHERS(from_memory, 1);
    EXPECT_OTHERS(to_memory, 1);
    EXPECT_OTHERS(counted, 1);
    EXPECT_OTHERS(list, 1);
    EXPECT_OTHERS(table, 1);
}

CODE(reached,
     "lea 0x10(%rbp), %rax; mov %rax, -0x50(%rbp); lea -0x58(%rbp), %rdi\n"
     "call reached_code; mov -0x50(%rbp), %rax; movups (%rax), %xmm0");
CODE(replaced,
     "lea 0x10(%rbp), %rax; mov %rax, -0x50(%rbp); mov %rdi, -0x50(%rbp)\n"
     "mov -0x50(%rbp), %rax; movups (%rax), %xmm0");
CODE(overlapped,
     "lea 0x10(%rbp), %rax; mov %rax, -0x50(%rbp); movl $0, -0x4c(%rbp)\n"
     "mov -0x50(%rbp), %rax; movups (%rax), %xmm0");

TEST(a_word_that_may_hold_something_else_is_not_the_stack)
{
    EXPECT_OTHERS(reached, 1);
    EXPECT_OTHERS(replaced, 1);
    EXPECT_OTHERS(overlapped, 1);
}

#endif

MAIN("own-stack")
