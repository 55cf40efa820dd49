/* SPDX-License-Identifier: MIT
 *
 * glue-write.h: the C file of a program's kernels: see glue.inc. */
#ifndef WEIRI_GLUE_WRITE_H
#define WEIRI_GLUE_WRITE_H

#include <glib.h>

/** @kernels: of struct weiri_rewrite_kernel. @version: what weiri_cl_version is to be.
 *  Returns: (transfer full): the text of the file */
char *weiri_glue_write(const GArray *kernels, const char *version);

#endif
