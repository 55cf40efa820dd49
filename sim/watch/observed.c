/* SPDX-License-Identifier: MIT
 *
 * observed.c: see observed.h. A location has a list of observations. One of an item
 * replaces an earlier one at the same time, which knew less. When the list has doubled,
 * those are dropped that nothing happens after any more: their group has ended, and has
 * released nothing since. */
#include "config.h"

#include "watch/observed.h"

#include "base/assert.h"

/* A list this short is never tidied. */
enum { SMALL = 32 };
/* Observations from the end of a list among which an item's earlier one is looked
 * for. */
enum { NEAR = 8 };

/* An observation, by whom and when. */
struct seen {
    uint32_t group, item, time;
    struct weiri_observation writes;
};

struct location {
    uint32_t n;     /* writes */
    uint32_t chain; /* the first of the chain of the latest write */
    uint32_t bytes; /* of the latest write */
    guint kept;     /* observations left after the latest tidy() */
    GArray *observations;
};

static void free_location(void *data)
{
    struct location *location = data;
    g_array_unref(location->observations);
    g_free(location);
}

void weiri_observed_init(struct weiri_observed *observed,
                         struct weiri_happens_before *order)
{
    observed->order = order;
    observed->locations = g_hash_table_new_full(NULL, NULL, NULL, free_location);
}

void weiri_observed_clear(struct weiri_observed *observed)
{
    g_clear_pointer(&observed->locations, g_hash_table_unref);
}

static struct location *location_of(struct weiri_observed *observed,
                                    const struct weiri_message *message)
{
    struct location *location
        = g_hash_table_lookup(observed->locations, (gconstpointer)message);
    if (location == NULL) {
        location = g_new0(struct location, 1);
        location->observations = g_array_new(FALSE, FALSE, sizeof(struct seen));
        g_hash_table_insert(observed->locations, (gpointer)message, location);
    }
    return location;
}

/* Drops observations of groups that have ended and are known to no later access. */
static void tidy(const struct weiri_observed *observed, struct location *location,
                 enum weiri_memory_space space)
{
    guint n = 0;
    for (guint i = 0; i < location->observations->len; i++) {
        const struct seen one = g_array_index(location->observations, struct seen, i);
        if (!weiri_order_is_lost(observed->order, space, one.group, one.time)) {
            g_array_index(location->observations, struct seen, n++) = one;
        }
    }
    g_array_set_size(location->observations, n);
    location->kept = n;
}

struct weiri_observation weiri_observed_by(struct weiri_observed *observed,
                                           const struct weiri_message *message,
                                           const struct weiri_actor *actor,
                                           memory_scope scope, uint32_t bytes)
{
    const struct location *location = location_of(observed, message);
    bool strong = message->written && location->bytes == bytes
        && weiri_order_strong(observed->order, message->group, message->item,
                              (memory_scope)message->scope, actor->group->index,
                              actor->item, scope);
    return strong ? (struct weiri_observation){ location->chain, location->n }
                  : (struct weiri_observation){ 0, 0 };
}

struct weiri_numbered weiri_observed_write(struct weiri_observed *observed,
                                           const struct weiri_message *message,
                                           uint32_t bytes, bool continues)
{
    struct location *location = location_of(observed, message);
    weiri_assert(location->n < UINT32_MAX);
    location->n++;
    location->chain = continues ? location->chain : location->n;
    location->bytes = bytes;
    return (struct weiri_numbered){ location->n, location->chain };
}

void weiri_observed_add(struct weiri_observed *observed,
                        const struct weiri_message *message,
                        const struct weiri_actor *actor, enum weiri_memory_space space,
                        uint32_t time, struct weiri_observation observation)
{
    struct location *location = location_of(observed, message);
    GArray *all = location->observations;
    const struct seen fresh
        = { (uint32_t)actor->group->index, actor->item, time, observation };
    for (guint i = all->len; i-- > 0 && all->len - i <= NEAR;) {
        struct seen *one = &g_array_index(all, struct seen, i);
        if (one->group == fresh.group && one->item == fresh.item && one->time == time
            && one->writes.first == observation.first) {
            one->writes.last = observation.last;
            return;
        }
    }
    if (all->len >= SMALL && all->len >= 2 * location->kept) {
        tidy(observed, location, space);
    }
    g_array_append_val(all, fresh);
}

bool weiri_observed_before(const struct weiri_observed *observed,
                           const struct weiri_message *message,
                           const struct weiri_actor *actor,
                           enum weiri_memory_space space, uint32_t number)
{
    const struct location *location
        = g_hash_table_lookup(observed->locations, (gconstpointer)message);
    if (location == NULL || number == 0) {
        return false;
    }
    for (guint i = location->observations->len; i-- > 0;) {
        const struct seen *one = &g_array_index(location->observations, struct seen, i);
        if (one->writes.first <= number && number <= one->writes.last
            && weiri_order_before(observed->order, actor, space, WEIRI_AS_IS,
                                  one->group, one->item, one->time)) {
            return true;
        }
    }
    return false;
}

void weiri_observed_forget(struct weiri_observed *observed,
                           const struct weiri_message *message)
{
    if (observed->locations != NULL) {
        g_hash_table_remove(observed->locations, (gconstpointer)message);
    }
}
