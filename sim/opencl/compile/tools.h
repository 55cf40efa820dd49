/* SPDX-License-Identifier: MIT
 *
 * tools.h: the programs and files that building needs, and the cache. */
#ifndef WEIRI_CL_TOOLS_H
#define WEIRI_CL_TOOLS_H

#include <glib.h>
#include <stdbool.h>

/**
 * weiri_cl_tools: all owned
 * @clang: its path
 * @libclc: the path of its bitcode
 * @data: the folder of builtins.c
 * @include: the folder of weir-kernel.h
 * @cc: the path of weir-opencl-cc
 * @stackless: whether stackless entries are to be made
 * @machine: the processor that entries without checks are for, as the compiler's -march
 *           takes it; or %NULL, for any
 * @soname: of the library that this code is in; %NULL where it is in a program
 * @identity: a text that changes when one of these does
 * @cache: the folder of the cache, which exists
 */
struct weiri_cl_tools {
    char *clang;
    char *libclc;
    char *data;
    char *include;
    char *cc;
    bool stackless;
    char *machine;
    char *soname;
    char *identity;
    char *cache;
};

/** Errors: %WEIRI_CL_ERROR_COMPILER, which names the package to install; codes of
 *  GFileError, if no cache can be written */
bool weiri_cl_tools_find(struct weiri_cl_tools *tools, GError **error);

void weiri_cl_tools_clear(struct weiri_cl_tools *tools);

/** The file of the cache for @key with that ending. Returns: (transfer full) */
char *weiri_cl_cache_path(const struct weiri_cl_tools *tools, const char *key,
                          const char *ending);

/** Moves a file into the cache, whole or not at all, in place of an earlier one; and
 *  writes its checksum beside it. */
bool weiri_cl_cache_keep(const char *from, const char *to, GError **error);

/** Whether the cache has the file as it was kept. One that is damaged or of which the
 *  checksum is missing is to be made again. */
bool weiri_cl_cache_has(const char *path);

/** Removes a folder with all that it has. */
void weiri_cl_cache_remove(const char *path);

/** Marks a file as used. Now and then a @fresh one makes the cache delete the files
 *  that were not used for the longest time, where it is too large, and the folders of
 *  builds that ended without removing them. */
void weiri_cl_cache_touch(const struct weiri_cl_tools *tools, const char *path,
                          bool fresh);

#endif
