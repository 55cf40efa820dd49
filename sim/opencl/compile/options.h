/* SPDX-License-Identifier: MIT
 *
 * options.h: the options of clBuildProgram() and its like. */
#ifndef WEIRI_CL_OPTIONS_H
#define WEIRI_CL_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

/**
 * weiri_cl_options:
 * @words: for the compiler's front end; owned
 * @optimize: false with -cl-opt-disable and -O0
 * @includes: there is an -include, whose file is part of the program
 */
struct weiri_cl_options {
    GPtrArray *words;
    bool optimize;
    bool includes;
};

/** Reads options, which are separated by blanks and quoted as in a shell; %NULL: none.
 *  Errors: %WEIRI_CL_ERROR_OPTIONS, which names the option */
bool weiri_cl_options_read(struct weiri_cl_options *options, const char *text,
                           GError **error);

void weiri_cl_options_clear(struct weiri_cl_options *options);

#endif
