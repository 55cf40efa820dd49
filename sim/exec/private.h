/* SPDX-License-Identifier: MIT
 *
 * private.h: private variables of items, as far as compiled code tells of them: kernels
 * of OpenCL do, by weiri_private_variable() of weir-machinery-shared.h. An observer may
 * then know which of their bytes are unwritten. Such a variable is an object of kind
 * WEIRI_OBJECT_PRIVATE. It begins with garbage in its memory, and ends where another
 * one begins there, or with its item. Accesses to it are events of their own kind,
 * since no other item can make one. */
#ifndef WEIRI_PRIVATE_H
#define WEIRI_PRIVATE_H

#include <stdint.h>

struct weiri_privates;
struct weiri_worker;

void weiri_privates_free(struct weiri_privates *privates);

/** An item begins: the variables of the one before it on this stack have ended. */
void weiri_private_begin_item(struct weiri_worker *worker);

/** The item is about to access its own stack: an event, if a variable is at that place.
 *  @what: see weiri_access_what() */
void weiri_private_access(struct weiri_worker *worker, const volatile void *address,
                          uint64_t what, const void *pc);

#endif
