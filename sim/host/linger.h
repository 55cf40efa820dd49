/* SPDX-License-Identifier: MIT
 *
 * host/linger.h: accesses that threads of a program make at the same time cannot be
 * ordered. So that such a race shows in every run, and not by chance, a thread whose
 * launch or wait ends goes on a little later, while others may go on if nothing orders
 * them; and so does one that accesses memory which others may be about to use.
 *
 * Threads: any. */
#ifndef WEIRI_HOST_LINGER_H
#define WEIRI_HOST_LINGER_H

#include <stdbool.h>

/** Weir is about to start a thread, with a name that begins with WEIRI_THREAD_NAME, in
 *  a program that may have no other threads. */
void weiri_host_linger_own(void);

/** Whether the process has had no thread but the calling one; or, where Weir has
 *  started some, has no others but these. */
bool weiri_host_linger_alone(void);

/** Returns after a short time; earlier where all other threads are asleep, and as soon
 *  as *@until holds, if that is not %NULL: it is read as a relaxed atomic. */
void weiri_host_linger(const bool *until);

#endif
