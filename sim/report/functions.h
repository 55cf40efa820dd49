/* SPDX-License-Identifier: MIT
 *
 * functions.h: the functions of the program, by their addresses. A program whose table
 * of symbols was removed has them, too, without names: the tables by which exceptions
 * and debuggers unwind a stack have the bounds of each function, and strip keeps them.
 *
 * Threads: one at a time. */
#ifndef WEIRI_FUNCTIONS_H
#define WEIRI_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct weiri_function {
    const unsigned char *start;
    size_t bytes;
    const char *name; /* of the symbol; "": not known */
};

/** Reads the tables of the program, once. */
void weiri_functions_read(void);

/** Returns: (transfer none) (nullable): the function that begins at @start */
const struct weiri_function *weiri_functions_at(const void *start);

/** Adds a function of a library. @name: stays valid */
const struct weiri_function *weiri_functions_add(const void *start, size_t bytes,
                                                 const char *name);

/** Returns: (nullable): the name of the variable of the dynamic linker at @slot, by
 *           which the program calls a function of a library */
const char *weiri_functions_imported(const void *slot);

/** Whether @bytes at @address are code of the program. */
bool weiri_functions_contain(const void *address, size_t bytes);

/** The address as the program's file has it, wherever the program was loaded. */
size_t weiri_functions_offset(const void *address);

#endif
