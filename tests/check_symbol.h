/* SPDX-License-Identifier: MIT
 *
 * check_symbol.h: a function in a header, which a compiler may find by a name from the
 * root although the file that includes it has a relative one. */
#ifndef WEIR_TESTS_CHECK_SYMBOL_H
#define WEIR_TESTS_CHECK_SYMBOL_H

static const char *file_of_header = __FILE__;
static uint32_t line_of_header;

static NOINLINE void in_a_header(const void **pc)
{
    line_of_header = __LINE__, HERE(*pc);
}

#endif
