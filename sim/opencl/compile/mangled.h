/* SPDX-License-Identifier: MIT
 *
 * mangled.h: names of overloaded functions of OpenCL C, as clang mangles them:
 * "_Z10atomic_addPU3AS1Vii" is atomic_add(volatile global int *, int). */
#ifndef WEIRI_MANGLED_H
#define WEIRI_MANGLED_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * weiri_mangled_type: of a parameter
 * @scalar: "i32", "u8", "f16" … of a number, or of the elements of a vector; else ""
 * @name: of any other type: "ocl_event", "memory_order", "settings"; else ""
 * @elements: of a vector; 1 of a number; 0 of another type
 * @pointer: the other members describe its target
 * @space: of the pointer: 0 private, 1 global, 2 constant, 3 local, 4 generic
 */
struct weiri_mangled_type {
    char scalar[4];
    char name[44];
    uint32_t elements;
    bool pointer;
    uint32_t space;
};

enum { WEIRI_MANGLED_PARAMETERS = 12 };

/**
 * weiri_mangled: a name
 * @name: "atomic_add"
 * @n: the number of parameters, those that are known: 12 at most
 */
struct weiri_mangled {
    char name[64];
    uint32_t n;
    struct weiri_mangled_type types[WEIRI_MANGLED_PARAMETERS];
};

/** Takes @symbol apart, which may begin with "@". Returns: false where it is not
 *  mangled */
bool weiri_mangled_parse(const char *symbol, struct weiri_mangled *mangled);

/** The same function with pointers to private memory. Returns: (transfer full) */
char *weiri_mangled_private(const char *symbol);

/** As a source has it: "atomic_add(global int*, int)". Returns: (transfer full) */
char *weiri_mangled_words(const struct weiri_mangled *mangled);

#endif
