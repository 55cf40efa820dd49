/* SPDX-License-Identifier: MIT
 *
 * gdb.h: names the Python script that shows work-items in gdb (sim/gdb/weir-gdb.py).
 *
 * gdb reads the section .debug_gdb_scripts of every program that it opens: entries of a
 * type and a name, here of a Python file. It loads the file if the user allows its
 * folder; see docs/debugging.md. The section is not loaded into memory with the
 * program.
 *
 * Included once, by a file that every program with Weir links. */
#ifndef WEIRI_GDB_H
#define WEIRI_GDB_H

/* The Makefile sets the path, which depends on the installation. The linker merges
 * equal entries of several objects. The byte 1 stands for a Python file. */
#if defined(__ELF__) && defined(WEIRI_GDB_SCRIPT)
__asm__(".pushsection .debug_gdb_scripts, \"MS\",%progbits,1\n"
        ".byte 1\n"
        ".asciz \"" WEIRI_GDB_SCRIPT "\"\n"
        ".popsection\n");
#endif

#endif
