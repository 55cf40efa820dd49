/* SPDX-License-Identifier: MIT
 *
 * host-place.c: see host-place.h. */
#include "config.h"

#include "host-place.h"

#include "check-client.h"
#include "exec/backtrace.h"
#include "report/symbol.h"

#include <pthread.h>

struct weiri_trail weiri_host_place_trail(const void *pc)
{
    struct weiri_trail trail = { .at = { pc } };
    struct weir_frame frame;
    if (weiri_symbol_frames(pc, &frame, 1) == 0 || frame.file == NULL) {
        struct weiri_backtrace calls;
        (void)weiri_backtrace_capture(&calls, pc, NULL);
        for (uint32_t i = 1; i < MIN(calls.n, WEIRI_MOST_PLACES - 1); i++) {
            trail.at[i] = calls.pc[i];
        }
    }
    return trail;
}

const struct weir_site *weiri_host_place_site(const void *pc)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static GHashTable *sites; /* "FILE:LINE:FUNCTION": struct weir_site; lock */
    if (pc == NULL || !weiri_check_client_judges()) {
        return NULL;
    }
    struct weiri_trail trail = weiri_host_place_trail(pc);
    struct weir_frame frame = { .file = NULL };
    for (size_t i = 0; i < WEIRI_MOST_PLACES && trail.at[i] != NULL; i++) {
        if (weiri_symbol_frames(trail.at[i], &frame, 1) > 0 && frame.file != NULL) {
            break;
        }
        frame.file = NULL;
    }
    if (frame.file == NULL) {
        return NULL;
    }
    g_autofree char *key
        = g_strdup_printf("%s:%u:%s", frame.file, frame.line, frame.function);
    pthread_mutex_lock(&lock);
    if (sites == NULL) {
        sites = g_hash_table_new(g_str_hash, g_str_equal);
    }
    struct weir_site *site = g_hash_table_lookup(sites, key);
    if (site == NULL) {
        site = g_new(struct weir_site, 1);
        *site = (struct weir_site){ g_intern_string(frame.file),
                                    g_intern_string(frame.function), frame.line, NULL };
        g_hash_table_insert(sites, g_steal_pointer(&key), site);
    }
    pthread_mutex_unlock(&lock);
    return site;
}
