/* SPDX-License-Identifier: MIT
 *
 * trace.c: schedules as values, and how one is made smaller: by delta debugging, which
 * tries parts of its switches, and the rest without a part. host/trace-file.c reads and
 * writes them.
 *
 * Follows: [DD] */
#include "config.h"

#include "deterministic/trace.h"

#include <string.h>

/* ---- Values -------------------------------------------------------------- */

struct weiri_traced *weiri_traced_new(void)
{
    struct weiri_traced *traced = g_new0(struct weiri_traced, 1);
    traced->switches = g_array_new(FALSE, FALSE, sizeof(struct weiri_switch));
    return traced;
}

void weiri_traced_free(struct weiri_traced *traced)
{
    if (traced == NULL) {
        return;
    }
    g_free(traced->kernel);
    g_free(traced->identity);
    g_free(traced->device);
    g_free(traced->global);
    g_free(traced->local);
    g_free(traced->schedule);
    g_array_unref(traced->switches);
    g_free(traced);
}

static void free_launch(void *data)
{
    weiri_traced_free(data);
}

struct weir_schedule *weir_schedule_new(void)
{
    struct weir_schedule *schedule = g_new0(struct weir_schedule, 1);
    schedule->keys = g_ptr_array_new_with_free_func(g_free);
    schedule->entries = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    schedule->launches = g_ptr_array_new_with_free_func(free_launch);
    return schedule;
}

void weir_schedule_free(struct weir_schedule *schedule)
{
    if (schedule == NULL) {
        return;
    }
    g_hash_table_unref(schedule->entries);
    g_ptr_array_unref(schedule->keys);
    g_ptr_array_unref(schedule->launches);
    g_free(schedule);
}

void weiri_trace_add(struct weir_schedule *schedule, struct weiri_traced *traced)
{
    g_ptr_array_add(schedule->launches, traced);
}

const struct weiri_traced *weiri_trace_next(struct weir_schedule *schedule)
{
    return schedule->next < schedule->launches->len
        ? g_ptr_array_index(schedule->launches, schedule->next++)
        : NULL;
}

static const struct weiri_traced *launch_at(const struct weir_schedule *schedule,
                                            guint i)
{
    return g_ptr_array_index(schedule->launches, i);
}

size_t weir_schedule_n_launches(const struct weir_schedule *schedule)
{
    g_return_val_if_fail(schedule != NULL, 0);
    return schedule->launches->len;
}

size_t weir_schedule_n_switches(const struct weir_schedule *schedule)
{
    g_return_val_if_fail(schedule != NULL, 0);
    size_t n = 0;
    for (guint i = 0; i < schedule->launches->len; i++) {
        n += launch_at(schedule, i)->switches->len;
    }
    return n;
}

uint64_t weir_schedule_n_decisions(const struct weir_schedule *schedule)
{
    g_return_val_if_fail(schedule != NULL, 0);
    uint64_t n = 0;
    for (guint i = 0; i < schedule->launches->len; i++) {
        n += launch_at(schedule, i)->n_decisions;
    }
    return n;
}

bool weiri_trace_is_key(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!g_ascii_islower(text[i]) && text[i] != '-') {
            return false;
        }
    }
    return length > 0 && (length != 6 || strncmp(text, "launch", 6) != 0)
        && (length != 3 || strncmp(text, "end", 3) != 0);
}

void weir_schedule_set(struct weir_schedule *schedule, const char *key,
                       const char *value)
{
    g_return_if_fail(schedule != NULL && key != NULL
                     && weiri_trace_is_key(key, strlen(key)));
    guint at = 0;
    while (at < schedule->keys->len
           && strcmp(g_ptr_array_index(schedule->keys, at), key) != 0) {
        at++;
    }
    bool known = at < schedule->keys->len;
    if (value != NULL) {
        if (!known) {
            g_ptr_array_add(schedule->keys, g_strdup(key));
        }
        g_hash_table_replace(schedule->entries, g_ptr_array_index(schedule->keys, at),
                             g_strdup(value));
    } else if (known) {
        g_hash_table_remove(schedule->entries, key);
        g_ptr_array_remove_index(schedule->keys, at);
    }
}

const char *weir_schedule_get(const struct weir_schedule *schedule, const char *key)
{
    g_return_val_if_fail(schedule != NULL && key != NULL, NULL);
    return g_hash_table_lookup(schedule->entries, key);
}

void weiri_trace_move(struct weir_schedule *from, struct weir_schedule *to)
{
    g_ptr_array_extend_and_steal(to->launches, g_steal_pointer(&from->launches));
    from->launches = g_ptr_array_new_with_free_func(free_launch);
}

/* ---- Shrinking ----------------------------------------------------------- */

/* A copy with the switches whose numbers, over all launches, are @kept. */
static struct weir_schedule *with_switches(const struct weir_schedule *schedule,
                                           const GArray *kept)
{
    struct weir_schedule *copy = weir_schedule_new();
    for (guint i = 0; i < schedule->keys->len; i++) {
        const char *key = g_ptr_array_index(schedule->keys, i);
        weir_schedule_set(copy, key, weir_schedule_get(schedule, key));
    }
    uint32_t number = 0;
    guint at = 0;
    for (guint i = 0; i < schedule->launches->len; i++) {
        const struct weiri_traced *from = launch_at(schedule, i);
        struct weiri_traced *to = weiri_traced_new();
        GArray *switches = to->switches;
        *to = *from;
        to->switches = switches;
        to->kernel = g_strdup(from->kernel);
        to->identity = g_strdup(from->identity);
        to->device = g_strdup(from->device);
        to->global = g_strdup(from->global);
        to->local = g_strdup(from->local);
        to->schedule = g_strdup(from->schedule);
        for (guint k = 0; k < from->switches->len; k++, number++) {
            if (at < kept->len && g_array_index(kept, uint32_t, at) == number) {
                g_array_append_vals(
                    switches, &g_array_index(from->switches, struct weiri_switch, k),
                    1);
                at++;
            }
        }
        weiri_trace_add(copy, to);
    }
    return copy;
}

struct search {
    const struct weir_schedule *whole;
    bool (*fails)(struct weir_schedule *candidate, void *user);
    void *user;
    GArray *kept;               /* numbers of switches that still fail */
    struct weir_schedule *best; /* with those switches */
};

/* Tries the switches @from to @to - 1 of @kept alone, or all but them; keeps what
 * fails. */
static bool try_part(struct search *search, guint from, guint to, bool alone)
{
    GArray *part = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const uint32_t *all = (const uint32_t *)(void *)search->kept->data;
    if (alone) {
        g_array_append_vals(part, all + from, to - from);
    } else {
        g_array_append_vals(part, all, from);
        g_array_append_vals(part, all + to, search->kept->len - to);
    }
    struct weir_schedule *candidate = with_switches(search->whole, part);
    if (search->fails(candidate, search->user)) {
        weir_schedule_free(search->best);
        g_array_unref(search->kept);
        search->best = candidate;
        search->kept = part;
        return true;
    }
    weir_schedule_free(candidate);
    g_array_unref(part);
    return false;
}

/* One round at a division into @n parts; the number of parts for the next one, 0 after
 * the last round. */
static guint divide(struct search *search, guint n)
{
    guint length = search->kept->len;
    for (int alone = 1; alone >= 0; alone--) {
        for (guint i = 0; i < n && (alone || n > 2); i++) {
            guint from = (guint)((uint64_t)length * i / n);
            guint to = (guint)((uint64_t)length * (i + 1) / n);
            if (try_part(search, from, to, alone)) {
                return alone ? 2 : MAX(n - 1, 2);
            }
        }
    }
    return n < length ? MIN(2 * n, length) : 0;
}

struct weir_schedule *weir_schedule_shrink(
    const struct weir_schedule *schedule,
    bool (*fails)(struct weir_schedule *candidate, void *user), void *user)
{
    g_return_val_if_fail(schedule != NULL && fails != NULL, NULL);
    struct search search
        = { schedule, fails, user, g_array_new(FALSE, FALSE, sizeof(uint32_t)), NULL };
    for (uint32_t i = 0; i < weir_schedule_n_switches(schedule); i++) {
        g_array_append_val(search.kept, i);
    }
    search.best = with_switches(schedule, search.kept);
    if (search.kept->len > 0 && fails(search.best, user)
        && !try_part(&search, 0, 0, true)) {
        guint n = 2;
        while (n != 0 && search.kept->len > 1) {
            n = divide(&search, n);
        }
    }
    g_array_unref(search.kept);
    search.best->next = 0; /* to be followed from its start */
    return search.best;
}
