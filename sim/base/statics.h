/* SPDX-License-Identifier: MIT
 *
 * statics.h: the writable data of the program itself, and of shared objects of kernels,
 * which kernels may read and write like memory of a device; and the parts of a process
 * that are Weir's and not the program's. */
#ifndef WEIRI_STATICS_H
#define WEIRI_STATICS_H

#include <stddef.h>

/* A variable of Weir whose value depends on the timing of threads. A program that links
 * Weir has it among its own data, and it is left out. */
#define WEIRI_NO_STATIC __attribute__((section("weiri_no_static")))

/* The beginning of the names of Weir's own threads. */
#define WEIRI_THREAD_NAME "weir:"

/** The shared object that @inside is in holds kernels: its data is theirs, too. */
void weiri_statics_include(const void *inside);

/** Takes back one call of weiri_statics_include(), before the object is unloaded. */
void weiri_statics_exclude(const void *inside);

/** How often that was: what is kept about addresses in objects of kernels is void when
 *  it changes. */
unsigned weiri_statics_n_excluded(void);

/** From now on kernels may use no data of the program but the ranges that are named by
 *  such calls; a range of no bytes names nothing. */
void weiri_statics_limit(const void *start, size_t bytes);

/** Calls @add for each range of data that kernels may use; */
void weiri_statics_each_allowed(void (*add)(const char *start, const char *end,
                                            void *data),
                                void *data);

/** and, if that is limited, for each of the program's that is the host's: what is
 *  writable after the program has been loaded. */
void weiri_statics_each_of_host(void (*add)(const char *start, const char *end,
                                            void *data),
                                void *data);

/** Calls @add for each range of that data, in the order of the program's headers. */
void weiri_statics_each(void (*add)(const char *start, const char *end, void *data),
                        void *data);

#endif
