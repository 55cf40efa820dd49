/* SPDX-License-Identifier: MIT
 *
 * failure.c: see failure.h. One atomic pointer holds the first error; a later one is
 * dropped, as the first is its cause in most cases. The flag that stops the launch is
 * only a hint to workers, which also end without it. */
#include "config.h"

#include "exec/failure.h"

#include "exec/launch.h"

#include <stdarg.h>

void weiri_failure_set(struct weiri_launch *launch, enum weir_error code,
                       const char *format, ...)
{
    va_list values;
    va_start(values, format);
    GError *error = g_error_new_valist(WEIR_ERROR, (gint)code, format, values);
    va_end(values);
    GError *first = NULL;
    /* release: pairs with the acquire in weiri_failure_propagate() */
    if (!atomic_compare_exchange_strong_explicit(&launch->error, &first, error,
                                                 memory_order_release,
                                                 memory_order_relaxed)) {
        g_error_free(error);
    }
    atomic_store_explicit(&launch->stopped, WEIRI_STOPPED_BY_ERROR,
                          memory_order_relaxed); /* a hint */
}

bool weiri_failure_propagate(struct weiri_launch *launch, GError **error)
{
    /* acquire: pairs with the release in weiri_failure_set() */
    GError *first
        = atomic_exchange_explicit(&launch->error, NULL, memory_order_acquire);
    if (first == NULL) {
        return false;
    }
    g_propagate_error(error, first);
    return true;
}
