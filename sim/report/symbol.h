/* SPDX-License-Identifier: MIT
 *
 * symbol.h: from addresses of this process to its source: which calls an address lies
 * in, which addresses are one place, and the text of a line.
 *
 * Everything that is returned lives as long as the process. Where a program has no
 * debug information, or its source is not there, answers become poorer; nothing fails,
 * and nothing is printed.
 *
 * Threads: any, one at a time inside. Stack: libdw asks for up to a megabyte, so these
 *          are never called on the stack of a coroutine. */
#ifndef WEIRI_SYMBOL_H
#define WEIRI_SYMBOL_H

#include "finding/symbols.h"
#include "weir.h"

/** All of its functions are set. */
extern const struct weiri_symbols weiri_symbols;

/**
 * weiri_symbol_frames:
 * @pc: a return address: the instruction after a call
 * @frames: (out): of which @most are written
 *
 * The function that contains the call, and where it was inlined the callers up to the
 * function that was not: innermost first, each with the file and the line where it
 * is at @pc. The body of kernel K is "kernel K" and the last. Functions of Weir's own
 * headers are left out, and so are the loops of a kernel.
 *
 * Files are named as the compiler was given them, as in `__FILE__`. Without debug
 * information the result is one frame with the name of a symbol, a file of %NULL and
 * line 0, and "kernel K" for all that is inlined into kernel K. If nothing is known, it
 * is empty.
 *
 * Returns: the frames written
 */
size_t weiri_symbol_frames(const void *pc, struct weir_frame *frames, size_t most);

/**
 * weiri_symbol_place:
 * @pc: a return address
 *
 * A compiler that unrolls a loop or threads a jump makes many addresses of one call;
 * one that inlines a helper twice makes many calls of one line. Places distinguish
 * them: two addresses are one place where line, column, function and the whole chain of
 * inlined calls, with their lines and columns, are the same. Without debug information
 * every address is its own place.
 *
 * Returns: a number from 1, in the order of asking: it may be compared, not reported
 */
uint32_t weiri_symbol_place(const void *pc);

/** The result of a function and how it is returned; and its parameters. */
struct weiri_symbol_result {
    size_t bytes;   /* of a structure or union; 0: of another type, or not known */
    bool in_memory; /* its caller gives it the address of the result */
    bool takes;     /* a structure or union is one of its arguments, by value */
};

/** How the function that @pc lies in returns its result, and whether it takes
 *  structures, on x86-64. The first question about a source file reads all of its
 *  functions: ask only where it matters. */
struct weiri_symbol_result weiri_symbol_result(const void *pc);

/** Whether gcc has compiled the function that @pc lies in. */
bool weiri_symbol_gnu(const void *pc);

/**
 * weiri_symbol_object:
 * @address: of data
 * @offset: (out): of it in the variable
 * @element_bytes: (out): of an element of the innermost dimension where the variable is
 *                 an array, else of all of it. Without debug information 1 for what is
 *                 wider than a number
 *
 * Returns: the name of the program's variable of static storage that @address lies in;
 *          or %NULL
 */
const char *weiri_symbol_object(const volatile void *address, size_t *offset,
                                size_t *element_bytes);

/**
 * weiri_symbol_source:
 * @file: as a compiler was given it: relative names are looked for where the compiler
 *        ran, as debug information says, and in the folder where this process is
 * @line: from 1
 *
 * Returns: the line's text as valid UTF-8 without the blanks around it, cut where it is
 *          very long; %NULL if the file or the line does not exist
 */
const char *weiri_symbol_source(const char *file, uint32_t line);

/** Names the kernel of a function that a kernel's body is inlined into, as C++ has no
 *  names of functions for them. @entry: %NULL is allowed */
void weiri_symbol_kernel(void (*entry)(void), const char *name);

/** Functions of the files in the folder of this one, and under it, are Weir's own. */
void weiri_symbol_header(const char *file);

/** The same, and of those in all folders below that folder. */
void weiri_symbol_headers_below(const char *file);

/** All of such a file as it is, @bytes long, or %NULL. */
const char *weiri_symbol_text(const char *file, size_t *bytes);

/** Whether an address or a file was asked for. Until then no object is known by its
 *  addresses, and may be unloaded. */
bool weiri_symbol_used(void);

#endif
