/* SPDX-License-Identifier: MIT
 *
 * object.h: facts about objects that weir-cc needs: which names they define and
 * want. */
#ifndef WEIR_SPLIT_OBJECT_H
#define WEIR_SPLIT_OBJECT_H

#include <stdbool.h>

/** Whether an object has a kernel that may get a stackless entry, and calls what waits.
 *  Not so where it cannot be read. */
bool weiri_object_waits(const char *object);

/**
 * weiri_object_names: writes the names by which an object of C++ and its stackless
 * entries know each other
 * @object: the source, whose kernels have fast entries that may be local
 * @half: the stackless entries, which call these
 * @local: gets the names of entries that are local in @object, a line each
 * @both: gets these, and what @half defines for @object
 *
 * The files begin with a line that is not a name, since objcopy takes no empty one.
 *
 * Returns: whether the files are written. Not so if @object lacks an entry.
 */
bool weiri_object_names(const char *object, const char *half, const char *local,
                        const char *both);

#endif
