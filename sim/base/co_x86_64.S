/* SPDX-License-Identifier: MIT
 *
 * co_x86_64.S: the switch for the System V ABI on x86-64.
 *
 * A context of 64 bytes; the return address lies at its rsp. Each function ends in a
 * jump to it: the processor predicts a jump from where it has gone before, but a return
 * from the latest calls, none of which was on this stack. So a kernel with several
 * barriers does not pay for a misprediction in each switch.
 *
 *   +0   rbx     +8   rbp     +16  r12     +24  r13
 *   +32  r14     +40  r15     +48  rsp     +56  (free)
 *
 * While a stack and its registers do not belong together, the frame has no caller:
 * .cfi_undefined ends here the walk of a signal handler and of a debugger. A coroutine
 * that starts has no caller, either.
 *
 * Prototypes:
 *   void weiri_co_switch_bare(struct weiri_co *save, const struct weiri_co *load);
 *   void weiri_co_start_bare(struct weiri_co *save, const struct weiri_co *load);
 *   _Noreturn void weiri_co_jump_bare(const struct weiri_co *load);
 */
        .text
        .globl  weiri_co_code_begin
        .hidden weiri_co_code_begin
weiri_co_code_begin:

        .globl  weiri_co_switch_bare
        .type   weiri_co_switch_bare, @function
        .p2align 5
weiri_co_switch_bare:
        .cfi_startproc
        movq    %rbx, 0(%rdi)
        movq    %rbp, 8(%rdi)
        movq    %r12, 16(%rdi)
        movq    %r13, 24(%rdi)
        movq    %r14, 32(%rdi)
        movq    %r15, 40(%rdi)
        movq    %rsp, 48(%rdi)
        movq    48(%rsi), %rsp
        .cfi_undefined rip
        movq    0(%rsi), %rbx
        movq    8(%rsi), %rbp
        movq    16(%rsi), %r12
        movq    24(%rsi), %r13
        movq    32(%rsi), %r14
        movq    40(%rsi), %r15
        popq    %rax
        .cfi_adjust_cfa_offset -8
        .cfi_register rip, rax
        jmp     *%rax
        .cfi_endproc
        .size   weiri_co_switch_bare, .-weiri_co_switch_bare

        .globl  weiri_co_start_bare
        .type   weiri_co_start_bare, @function
        .p2align 5
weiri_co_start_bare:
        .cfi_startproc
        movq    %rbx, 0(%rdi)
        movq    %rbp, 8(%rdi)
        movq    %r12, 16(%rdi)
        movq    %r13, 24(%rdi)
        movq    %r14, 32(%rdi)
        movq    %r15, 40(%rdi)
        movq    %rsp, 48(%rdi)
        movq    48(%rsi), %rsp
        .cfi_undefined rip
        movq    8(%rsi), %rbp
        popq    %rax
        .cfi_adjust_cfa_offset -8
        jmp     *%rax
        .cfi_endproc
        .size   weiri_co_start_bare, .-weiri_co_start_bare

        .globl  weiri_co_jump_bare
        .type   weiri_co_jump_bare, @function
        .p2align 5
weiri_co_jump_bare:
        .cfi_startproc
        .cfi_undefined rip
        movq    48(%rdi), %rsp
        movq    0(%rdi), %rbx
        movq    8(%rdi), %rbp
        movq    16(%rdi), %r12
        movq    24(%rdi), %r13
        movq    32(%rdi), %r14
        movq    40(%rdi), %r15
        popq    %rax
        .cfi_adjust_cfa_offset -8
        .cfi_register rip, rax
        jmp     *%rax
        .cfi_endproc
        .size   weiri_co_jump_bare, .-weiri_co_jump_bare

        .globl  weiri_co_code_end
        .hidden weiri_co_code_end
weiri_co_code_end:

        .section .note.GNU-stack, "", @progbits
