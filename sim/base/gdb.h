/* SPDX-License-Identifier: MIT
 *
 * gdb.h: tells gdb where the script is that knows work-items (sim/gdb/weir-gdb.py).
 *
 * gdb reads the section .debug_gdb_scripts of every program that it opens: entries of
 * a type and a name, here of a Python file. It loads the file where the user allows
 * its folder; see docs/debugging.md. The section is no part of the program in memory.
 *
 * To be included once, by a file that every program with Weir links. */
#ifndef WEIRI_GDB_H
#define WEIRI_GDB_H

/* The path is of the installation, so it comes from the Makefile. The sections of
 * several objects are merged, with equal entries once. 1: a file in Python. */
#if defined(__ELF__) && defined(WEIRI_GDB_SCRIPT)
__asm__(".pushsection .debug_gdb_scripts, \"MS\",%progbits,1\n"
        ".byte 1\n"
        ".asciz \"" WEIRI_GDB_SCRIPT "\"\n"
        ".popsection\n");
#endif

#endif
