/* SPDX-License-Identifier: MIT
 *
 * host/linger.c: see host/linger.h. The kernel says which threads are asleep: one that
 * waits for the calling thread, by a join or a lock, is, and then nothing more can
 * come of it. */
#include "config.h"

#include "host/linger.h"

#include "base/statics.h"

#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Looks are so far apart. After QUIET of them in a row at which the other threads are
 * asleep, and after EACH in all, a call ends. TOTAL is for all calls of the process: a
 * thread that spins until the calling one goes on must not cost more. */
enum { LOOK_US = 500, QUIET = 3, EACH = 100, TOTAL = 1000 };

/* Whether a thread is asleep, by the letter after its name in parentheses. *@own: it is
 * one of Weir's, which does what the others wait for. */
static bool is_asleep(const char *thread, bool *own)
{
    g_autofree char *path = g_strdup_printf("/proc/self/task/%s/stat", thread);
    g_autofree char *text = NULL;
    const char *end
        = g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    const char *name = end != NULL ? strchr(text, '(') : NULL;
    *own = name != NULL && g_str_has_prefix(name + 1, WEIRI_THREAD_NAME);
    return end == NULL || strchr("SZXT", end[2]) != NULL;
}

/* Returns: how many other threads of the program there are; *@awake: some of them
 * run */
static unsigned look(bool *awake)
{
    g_autofree char *self = g_strdup_printf("%d", (int)gettid());
    unsigned n = 0;
    GDir *threads = g_dir_open("/proc/self/task", 0, NULL);
    const char *thread;
    *awake = false;
    while (threads != NULL && (thread = g_dir_read_name(threads)) != NULL) {
        bool own;
        if (strcmp(thread, self) != 0) {
            bool asleep = is_asleep(thread, &own);
            n += !own;
            *awake = *awake || (!own && !asleep);
        }
    }
    g_clear_pointer(&threads, g_dir_close);
    return n;
}

/* The C library clears it when the program starts its second thread. */
extern char __libc_single_threaded __attribute__((weak));

/* Whether Weir has started threads; atomic, relaxed: nothing is passed on with it. */
static bool has_own;

void weiri_host_linger_own(void)
{
    __atomic_store_n(&has_own, true, __ATOMIC_RELAXED);
}

bool weiri_host_linger_alone(void)
{
    bool awake;
    return (&__libc_single_threaded != NULL && __libc_single_threaded != 0)
        || (__atomic_load_n(&has_own, __ATOMIC_RELAXED) && look(&awake) == 0);
}

void weiri_host_linger(const bool *until)
{
    static unsigned total; /* looks; atomic, relaxed: nothing is passed on with it */
    bool awake;
    for (unsigned n = 0, quiet = 0; n < EACH && quiet < QUIET
         && !(until != NULL && __atomic_load_n(until, __ATOMIC_RELAXED))
         && look(&awake) > 0
         && __atomic_fetch_add(&total, awake || until != NULL, __ATOMIC_RELAXED)
             < TOTAL;
         n++) {
        quiet = awake ? 0 : quiet + 1;
        g_usleep(LOOK_US);
    }
}
