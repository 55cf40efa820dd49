/* SPDX-License-Identifier: MIT
 *
 * co_aarch64.S: the switch for the AAPCS64.
 *
 * A context of 192 bytes:
 *
 *   +0   x19 x20   +16  x21 x22   +32  x23 x24   +48  x25 x26
 *   +64  x27 x28   +80  x29 x30   +96  sp  (free)
 *   +112 d8  d9    +128 d10 d11   +144 d12 d13   +160 d14 d15   +176 (free)
 *
 * x30 is where the coroutine continues.
 *
 * While registers are loaded, stack and registers do not belong together, and the frame
 * has no caller: .cfi_undefined ends here the walk of a signal handler and of a
 * debugger. After the last load, x30 is the return address again.
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

        .globl  weiri_co_start_bare
        .globl  weiri_co_switch_bare
        .type   weiri_co_switch_bare, %function
        .p2align 5
weiri_co_start_bare:
weiri_co_switch_bare:
        .cfi_startproc
        stp     x19, x20, [x0, #0]
        stp     x21, x22, [x0, #16]
        stp     x23, x24, [x0, #32]
        stp     x25, x26, [x0, #48]
        stp     x27, x28, [x0, #64]
        stp     x29, x30, [x0, #80]
        mov     x9, sp
        str     x9, [x0, #96]
        stp     d8, d9, [x0, #112]
        stp     d10, d11, [x0, #128]
        stp     d12, d13, [x0, #144]
        stp     d14, d15, [x0, #160]
        mov     x0, x1
        b       .Lload
        .cfi_endproc
        .size   weiri_co_switch_bare, .-weiri_co_switch_bare

        .globl  weiri_co_jump_bare
        .type   weiri_co_jump_bare, %function
        .p2align 5
weiri_co_jump_bare:
        .cfi_startproc
.Lload:
        .cfi_undefined x30
        ldp     x19, x20, [x0, #0]
        ldp     x21, x22, [x0, #16]
        ldp     x23, x24, [x0, #32]
        ldp     x25, x26, [x0, #48]
        ldp     x27, x28, [x0, #64]
        ldp     x29, x30, [x0, #80]
        ldr     x9, [x0, #96]
        mov     sp, x9
        ldp     d8, d9, [x0, #112]
        ldp     d10, d11, [x0, #128]
        ldp     d12, d13, [x0, #144]
        ldp     d14, d15, [x0, #160]
        .cfi_same_value x30
        ret
        .cfi_endproc
        .size   weiri_co_jump_bare, .-weiri_co_jump_bare

        .globl  weiri_co_code_end
        .hidden weiri_co_code_end
weiri_co_code_end:

        .section .note.GNU-stack, "", %progbits
