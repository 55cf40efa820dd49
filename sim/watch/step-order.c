/* SPDX-License-Identifier: MIT
 *
 * step-order.c: see step-order.h. Vector clocks of the items of each sub-group, and the
 * step of the latest access to each word by item and place. The detector's own records
 * do not have it: an item has one time there from release to release, and many steps.
 *
 * An earlier access by the same item at the same place comes before the latest one. So
 * the latest one alone never makes a race look ordered. */
#include "config.h"

#include "watch/step-order.h"

#include "base/table.h"

enum { FIRST_ACCESSES = 256 }; /* a power of two */

struct access {
    const void *word; /* the key: up to @place */
    uint32_t item;
    uint32_t place;
    uint64_t step; /* of the item */
};
enum { KEY_BYTES = offsetof(struct access, step) };

struct group {
    uint32_t *known;  /* item * sub-group size + lane: steps of that lane; a lane's own
                         entry is what it has taken itself */
    uint64_t *common; /* by item: the lanes that its latest step has */
    struct weiri_table accesses; /* of struct access */
};

struct weiri_step_order {
    uint32_t n_items, size, shift; /* of a group, of a sub-group, and its logarithm */
    GHashTable *groups;            /* the linear id + 1 -> struct group */
};

static void free_group(void *data)
{
    struct group *group = data;
    weiri_table_clear(&group->accesses);
    g_free(group->known);
    g_free(group->common);
    g_free(group);
}

static struct group *find(const struct weiri_step_order *steps, uint64_t group)
{
    return g_hash_table_lookup(steps->groups, GSIZE_TO_POINTER(group + 1));
}

static struct group *need(struct weiri_step_order *steps, uint64_t index)
{
    struct group *group = find(steps, index);
    if (group == NULL) {
        group = g_new0(struct group, 1);
        group->known = g_new0(uint32_t, (size_t)steps->n_items * steps->size);
        group->common = g_new0(uint64_t, steps->n_items);
        weiri_table_init(&group->accesses, FIRST_ACCESSES, sizeof(struct access));
        g_hash_table_insert(steps->groups, GSIZE_TO_POINTER(index + 1), group);
    }
    return group;
}

/* What the item knows, by lane. */
static uint32_t *known_to(const struct weiri_step_order *steps,
                          const struct group *group, uint32_t item)
{
    return &group->known[(size_t)item * steps->size];
}

void weiri_step_order_step(struct weiri_step_order *steps, uint64_t index,
                           uint32_t item, uint64_t mask)
{
    struct group *group = need(steps, index);
    uint32_t first = item >> steps->shift << steps->shift;
    uint32_t n = MIN(steps->size, steps->n_items - first);
    uint32_t all[64] = { 0 }; /* no sub-group is larger */
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *known = known_to(steps, group, first + i);
        for (uint32_t k = 0; (mask >> i & 1) != 0 && k < n; k++) {
            all[k] = MAX(all[k], known[k]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        all[i] += mask >> i & 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        if ((mask >> i & 1) != 0) {
            memcpy(known_to(steps, group, first + i), all, n * sizeof(*all));
            group->common[first + i] = mask;
        }
    }
}

void weiri_step_order_end_group(struct weiri_step_order *steps, uint64_t group)
{
    g_hash_table_remove(steps->groups, GSIZE_TO_POINTER(group + 1));
}

void weiri_step_order_access(struct weiri_step_order *steps, uint64_t index,
                             uint32_t item, uint32_t place, const void *word)
{
    struct group *group = need(steps, index);
    const struct access access
        = { word, item, place,
            known_to(steps, group, item)[item & ((1u << steps->shift) - 1)] };
    uint32_t at
        = weiri_table_find(&group->accesses, &access, sizeof(access), KEY_BYTES);
    if (at == 0) {
        at = weiri_table_add(&group->accesses, &access, sizeof(access), KEY_BYTES);
    }
    struct access *kept = weiri_table_at(&group->accesses, at, sizeof(access));
    kept->step = access.step;
}

bool weiri_step_order_before(const struct weiri_step_order *steps, uint64_t index,
                             uint32_t first, uint32_t place, const void *word,
                             uint32_t second)
{
    const struct group *group = find(steps, index);
    if (group == NULL || first >> steps->shift != second >> steps->shift) {
        return false;
    }
    const struct access wanted = { word, first, place, 0 };
    uint32_t at
        = weiri_table_find(&group->accesses, &wanted, sizeof(wanted), KEY_BYTES);
    const struct access *access = weiri_table_at(&group->accesses, at, sizeof(*access));
    uint32_t lane = first & ((1u << steps->shift) - 1);
    uint32_t known = known_to(steps, group, second)[lane];
    bool in_common = (group->common[second] >> lane & 1) != 0;
    return at != 0 && (access->step < known || (access->step == known && !in_common));
}

struct weiri_step_order *weiri_step_order_new(const struct weiri_shape *shape)
{
    struct weiri_step_order *steps = g_new0(struct weiri_step_order, 1);
    steps->n_items = (uint32_t)shape->items;
    steps->size = (uint32_t)shape->sub_group_size;
    steps->shift = (uint32_t)shape->sub_group_shift;
    steps->groups = g_hash_table_new_full(NULL, NULL, NULL, free_group);
    return steps;
}

void weiri_step_order_free(struct weiri_step_order *steps)
{
    if (steps != NULL) {
        g_hash_table_unref(steps->groups);
        g_free(steps);
    }
}
