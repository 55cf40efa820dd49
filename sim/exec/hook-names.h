/* SPDX-License-Identifier: MIT
 *
 * hook-names.h: the compiler's hooks by address, for programs whose symbols were
 * removed. The linker collects the table from hooks.c, and strip keeps it. */
#ifndef WEIRI_HOOK_NAMES_H
#define WEIRI_HOOK_NAMES_H

struct weiri_hook_name {
    const void *start;
    const char *name; /* as in a table of symbols */
};

/* Set by the linker. Weak: a program without hooked code may have no hooks. */
extern const struct weiri_hook_name weiri_hook_names_start[] __asm__(
    "__start_weiri_hook_names") __attribute__((weak));
extern const struct weiri_hook_name weiri_hook_names_stop[] __asm__(
    "__stop_weiri_hook_names") __attribute__((weak));

#endif
