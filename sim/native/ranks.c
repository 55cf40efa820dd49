/* SPDX-License-Identifier: MIT
 *
 * ranks.c: see ranks.h. The ranks learn the same from the same messages, so their next
 * steps are the same, too. Only time is not: so they agree on it after each round.
 *
 * The comparison includes the initial values of memory. The values that items write are
 * compared with their histories (share.c). Either may be an address; so ranks whose
 * memory is elsewhere fail if that matters. */
#include "config.h"

#include "native/ranks.h"

#include "exec/launch.h"

#include <inttypes.h>
#include <string.h>

static const char ENDED[] = "another rank has ended early, or makes other launches";
static const char DIFFERS[]
    = "another rank makes another launch here, or begins with other contents of memory";

static void add_text(GPtrArray *message, char *text)
{
    g_ptr_array_add(message, g_bytes_new_take(text, strlen(text)));
}

static char *text_at(const GPtrArray *message, guint at)
{
    gsize bytes;
    const char *text
        = g_bytes_get_data(g_ptr_array_index((GPtrArray *)message, at), &bytes);
    return g_strndup(text != NULL ? text : "", bytes);
}

/* The messages of all ranks, each in @least parts or more. Returns: (transfer full)
 * (element-type GPtrArray): or NULL with a failure */
static GPtrArray *exchange_parts(const struct weiri_exchange *exchange,
                                 struct weiri_native *native, const GPtrArray *parts,
                                 guint least)
{
    GBytes *mine = weiri_exchange_pack(parts);
    g_autoptr(GPtrArray) packed = weiri_exchange_all(exchange, mine);
    g_bytes_unref(mine);
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; packed != NULL && i < packed->len; i++) {
        GPtrArray *one = weiri_exchange_unpack(g_ptr_array_index(packed, i));
        if (one != NULL && one->len >= least) {
            g_ptr_array_add(all, one);
        } else {
            g_clear_pointer(&one, g_ptr_array_unref);
        }
    }
    if (packed == NULL || all->len < packed->len) {
        g_ptr_array_unref(all);
        if (native->failure == NULL) {
            native->failure = g_strdup(ENDED);
        }
        return NULL;
    }
    return all;
}

/* The first failure is the failure of all ranks. Each message begins with it. */
static void take_failure(struct weiri_native *native, const GPtrArray *all)
{
    for (guint i = 0; i < all->len; i++) {
        char *failure = text_at(g_ptr_array_index((GPtrArray *)all, i), 0);
        if (failure[0] != '\0') {
            g_free(native->failure);
            native->failure = failure;
            return;
        }
        g_free(failure);
    }
}

static GPtrArray *message_of(const struct weiri_native *native, char *text)
{
    GPtrArray *message = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    add_text(message, g_strdup(native->failure != NULL ? native->failure : ""));
    add_text(message, text);
    return message;
}

/* Whether the text of all messages is this rank's. */
static bool same_text(const GPtrArray *all, const GPtrArray *mine)
{
    bool same = true;
    for (guint i = 0; i < all->len; i++) {
        same = same
            && g_bytes_equal(
                   g_ptr_array_index(
                       (GPtrArray *)g_ptr_array_index((GPtrArray *)all, i), 1),
                   g_ptr_array_index((GPtrArray *)mine, 1));
    }
    return same;
}

/* Which launch it is, and what was learned of it: histories can only be of use where
 * this is the same. */
static char *state_of(const struct weiri_native *native)
{
    const struct weiri_launch *launch = native->machine.hub.launch;
    const struct weiri_program *program = &native->program;
    const struct weiri_cells *cells = &native->machine.cells;
    GString *text = g_string_new(launch->kernel->name);
    g_string_append_printf(text, " %zu %u %u %d %d", launch->n_groups,
                           program->n_threads, native->nodes->len, (int)native->blind,
                           program->stopped);
    for (uint32_t l = 0; l < program->n_locations; l++) {
        const struct weiri_native_cell *cell
            = weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, l));
        g_autofree char *name = weiri_object_name(cell->object, cell->address);
        g_string_append_printf(text, " %s[%" PRId64 "]=%" PRId64, name,
                               weiri_object_index(cell->object, cell->address),
                               cell->initial);
    }
    return g_string_free(text, FALSE);
}

GPtrArray *weiri_ranks_gather(const struct weiri_exchange *exchange,
                              struct weiri_native *native, GPtrArray *own)
{
    g_autoptr(GPtrArray) mine = message_of(native, state_of(native));
    g_ptr_array_extend_and_steal(mine, own);
    g_autoptr(GPtrArray) all = exchange_parts(exchange, native, mine, 2);
    if (all == NULL) {
        return NULL;
    }
    take_failure(native, all);
    if (native->failure == NULL && !same_text(all, mine)) {
        native->failure = g_strdup(DIFFERS);
    }
    GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (guint i = 0; i < all->len; i++) {
        GPtrArray *one = g_ptr_array_index(all, i);
        for (guint k = 2; k < one->len; k++) {
            g_ptr_array_add(found, g_bytes_ref(g_ptr_array_index(one, k)));
        }
    }
    if (native->failure != NULL) {
        g_clear_pointer(&found, g_ptr_array_unref);
    }
    return found;
}

bool weiri_ranks_agree(const struct weiri_exchange *exchange,
                       struct weiri_native *native, bool late)
{
    g_autofree char *state = state_of(native);
    char *text = g_strdup_printf("%s %d", state, weiri_native_must_begin_anew(native));
    g_autoptr(GPtrArray) mine = message_of(native, text);
    add_text(mine, g_strdup(late ? "late" : ""));
    g_autoptr(GPtrArray) all = exchange_parts(exchange, native, mine, 3);
    if (all == NULL) {
        return late;
    }
    take_failure(native, all);
    for (guint i = 0; i < all->len; i++) {
        const GPtrArray *one = g_ptr_array_index(all, i);
        late |= g_bytes_get_size(g_ptr_array_index((GPtrArray *)one, 2)) > 0;
    }
    if (!late && native->failure == NULL && !same_text(all, mine)) {
        native->failure = g_strdup(DIFFERS);
    }
    return late;
}
