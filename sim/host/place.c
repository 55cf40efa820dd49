/* SPDX-License-Identifier: MIT
 *
 * host/place.c: see host/place.h. */
#include "config.h"

#include "host/place.h"

#include "base/backtrace.h"
#include "host/check-client.h"
#include "report/symbol.h"

#include <pthread.h>

/* Calls of libraries and headers that are passed over, in steps of WEIRI_MOST_CALLS: in
 * code without optimisation, a buffer's destructor waits below a dozen calls of the
 * standard library. */
enum { MOST_STEPS = 8 };

static bool has_place(const void *pc)
{
    struct weir_frame frame;
    return weiri_symbol_frames(pc, &frame, 1) > 0 && frame.file != NULL;
}

/* Adds the calls after @first that count to @trail. Returns: the last of all calls that
 * were looked at; %NULL: it has no further ones */
static const void *add_calls(struct weiri_trail *trail, const void *first, bool all,
                             bool *found)
{
    struct weiri_backtrace calls;
    (void)weiri_backtrace_capture(&calls, first, NULL);
    uint32_t n = 1;
    for (uint32_t i = 1; i < calls.n && n < WEIRI_MOST_PLACES - 1; i++) {
        *found |= has_place(calls.pc[i]);
        if (*found || all) {
            trail->at[n++] = calls.pc[i];
        }
    }
    return calls.n == WEIRI_MOST_CALLS ? calls.pc[calls.n - 1] : NULL;
}

struct weiri_trail weiri_host_place_trail(const void *pc)
{
    struct weiri_trail trail = { .at = { pc } };
    bool found = has_place(pc);
    const void *first = pc;
    for (uint32_t step = 0; !found && first != NULL && step < MOST_STEPS; step++) {
        first = add_calls(&trail, first, false, &found);
    }
    if (!found) {
        (void)add_calls(&trail, pc, true, &found);
    }
    return trail;
}

const struct weir_site *weiri_host_place_site(const void *pc)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static GHashTable *sites; /* "FILE:LINE:FUNCTION": struct weir_site; lock */
    if (pc == NULL || !weiri_check_client_checks()) {
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
