/* SPDX-License-Identifier: MIT
 *
 * print.h: printf() of OpenCL C. Work-items' texts are kept until the command ends. */
#ifndef WEIRI_PRINT_H
#define WEIRI_PRINT_H

struct weir_site;

/**
 * weiri_print_text: one call of printf() by a work-item
 * @format: of OpenCL C: conversions may have a vector specifier, "%v4hlf"
 * @types: of the arguments, separated by blanks: i8, i16, i32, i64, f16, f32, f64, p;
 *         4xf32 for a vector
 * @block: the arguments, one after another, each aligned to its size; a vector of 3 has
 *         the size of 4
 * @site: of the call, or %NULL
 *
 * Returns:  0; or -1 where the format is wrong, or the arguments do not suffice: the
 *           text before that is printed, and weiri_print_flush() names the rest
 * Source:   [CL30C] 6.15.14
 */
int weiri_print_text(const char *format, const char *types, const void *block,
                     const struct weir_site *site);

/** Writes what work-items have printed to standard output, and forgets it. Texts that
 *  were not printed whole are findings of `weir check`, and are named on standard error
 *  without it, once for a place. */
void weiri_print_flush(void);

#endif
