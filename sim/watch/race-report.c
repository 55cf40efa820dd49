/* SPDX-License-Identifier: MIT
 *
 * race-report.c: see race-report.h. The races of two places in the code are one pair,
 * which has the earliest of them and counts the others. */
#include "config.h"

#include "watch/race-report.h"

#include <string.h>

/* The latest rendezvous of a group whose times are kept, to find the phase of an
 * earlier access. */
enum { KEPT_MEETINGS = 64 };
enum { FIRST_PLACES = 64 };

/* A word that two writes race for, before the second has happened. */
struct written {
    struct weiri_explained_pair *pair;
    const char *word; /* in memory */
    unsigned bytes;   /* a mask: which bytes of it both write */
    uint32_t before;  /* what it holds after the first write */
};

struct weiri_race_report_group {
    uint64_t index;
    uint64_t n_meetings; /* of the whole group */
    struct {
        uint32_t times[WEIRI_N_SPACES]; /* after it */
    } meetings[KEPT_MEETINGS];          /* the latest ones, by number */
    struct {
        const struct weir_site
            *site;     /* the latest barrier that did not order the memory; or NULL */
        uint32_t time; /* of the memory, at it */
    } unsuited[WEIRI_N_SPACES];
    uint64_t copies[KEPT_MEETINGS]; /* their phases, of the latest copies by number */
    struct weiri_reading *readings; /* the latest, by item */
};

/* ---- Places ---------------------------------------------------------------------- */

uint32_t weiri_race_report_place_index(struct weiri_race_report *races,
                                       const struct weiri_place *place)
{
    struct weiri_table *places = &races->context.places;
    uint32_t index = weiri_table_find(places, place, sizeof(*place), sizeof(*place));
    return index != 0 ? index
                      : weiri_table_add(places, place, sizeof(*place), sizeof(*place));
}

/* ---- Groups ---------------------------------------------------------------------- */

static void free_group(void *data)
{
    struct weiri_race_report_group *group = data;
    g_free(group->readings);
    g_free(group);
}

static void free_pair(void *data)
{
    struct weiri_explained_pair *pair = data;
    g_free(pair->object);
    g_free(pair);
}

void weiri_race_report_init(struct weiri_race_report *races,
                            const struct weiri_race_rules *rules,
                            const struct weiri_shape *shape)
{
    *races = (struct weiri_race_report){ .context.rules = *rules,
                                         .context.shape = *shape };
    weiri_table_init(&races->context.places, FIRST_PLACES, sizeof(struct weiri_place));
    races->pairs = g_ptr_array_new_with_free_func(free_pair);
    races->by_places = g_hash_table_new(g_int64_hash, g_int64_equal);
    races->groups = g_ptr_array_new_with_free_func(free_group);
    races->written = g_array_new(FALSE, FALSE, sizeof(struct written));
}

void weiri_race_report_clear(struct weiri_race_report *races)
{
    weiri_table_clear(&races->context.places);
    g_hash_table_unref(races->by_places);
    g_ptr_array_unref(races->pairs);
    g_ptr_array_unref(races->groups);
    g_array_unref(races->written);
}

static struct weiri_race_report_group *group_at(struct weiri_race_report *races,
                                                uint64_t index)
{
    if (races->latest != NULL && races->latest->index == index) {
        return races->latest;
    }
    for (guint i = 0; i < races->groups->len; i++) {
        struct weiri_race_report_group *group = g_ptr_array_index(races->groups, i);
        if (group->index == index) {
            races->latest = group;
            return group;
        }
    }
    return NULL;
}

void weiri_race_report_begin_group(struct weiri_race_report *races, uint64_t index)
{
    struct weiri_race_report_group *group = g_new0(struct weiri_race_report_group, 1);
    group->index = index;
    g_ptr_array_add(races->groups, group);
}

void weiri_race_report_end_group(struct weiri_race_report *races, uint64_t index)
{
    struct weiri_race_report_group *group = group_at(races, index);
    races->latest = NULL;
    g_ptr_array_remove_fast(races->groups, group);
}

void weiri_race_report_meet(struct weiri_race_report *races, uint64_t index,
                            const struct weiri_event *event,
                            const uint32_t times[WEIRI_N_SPACES])
{
    static const unsigned flag[WEIRI_N_SPACES] = { WEIR_GLOBAL, WEIR_LOCAL };
    struct weiri_race_report_group *group = group_at(races, index);
    if (WEIRI_OP_LEVEL(event->op) != WEIRI_LEVEL_GROUP) {
        return;
    }
    memcpy(group->meetings[group->n_meetings % KEPT_MEETINGS].times, times,
           sizeof(group->meetings->times));
    group->n_meetings++;
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        if (WEIRI_OP_KIND(event->op) != WEIRI_COPY
            && (WEIRI_OP_FLAGS(event->op) & flag[s]) == 0) {
            group->unsuited[s].site = event->site;
            group->unsuited[s].time = times[s];
        }
    }
}

void weiri_race_report_copy(struct weiri_race_report *races, uint64_t index,
                            uint32_t time)
{
    struct weiri_race_report_group *group = group_at(races, index);
    group->copies[(time - WEIRI_ORDER_PENDING) % KEPT_MEETINGS] = group->n_meetings;
}

struct weiri_reading *weiri_race_report_reading(struct weiri_race_report *races,
                                                uint64_t index, uint32_t item)
{
    struct weiri_race_report_group *group = group_at(races, index);
    if (group->readings == NULL) {
        group->readings = g_new0(struct weiri_reading, races->context.shape.items);
    }
    return &group->readings[item];
}

void weiri_race_report_fence(struct weiri_race_report *races, uint64_t index,
                             uint32_t item, memory_scope scope, bool narrow)
{
    struct weiri_race_report_group *group = group_at(races, index);
    struct weiri_reading *reading
        = group->readings != NULL ? &group->readings[item] : NULL;
    if (reading != NULL) {
        reading->acquired = true;
    }
    if (reading != NULL && narrow) {
        reading->narrow = true;
        reading->by_fence = true;
        reading->fence = scope;
    }
}

/* How many rendezvous the item had passed at that time. One that does not order the
 * memory does not change its time; then it is the least number. */
static uint64_t phase_of(struct weiri_race_report *races, enum weiri_memory_space space,
                         const struct weiri_race_point *point)
{
    const struct weiri_race_report_group *group = group_at(races, point->group);
    if (group == NULL) {
        return 0;
    }
    if (point->time >= WEIRI_ORDER_PENDING) {
        return group->copies[(point->time - WEIRI_ORDER_PENDING) % KEPT_MEETINGS];
    }
    uint64_t n = group->n_meetings;
    uint64_t oldest = n > KEPT_MEETINGS ? n - KEPT_MEETINGS : 0, phase = oldest;
    uint32_t before = 1;
    for (uint64_t i = oldest; i < n; i++) {
        uint32_t after = group->meetings[i % KEPT_MEETINGS].times[space];
        if (after > before && after <= point->time) {
            phase = i + 1;
        }
        before = after;
    }
    return phase;
}

/* ---- Races ----------------------------------------------------------------------- */

/* The latest atomic read of the second item. Without one, another item may have read,
 * for its whole group, a value that an item of the first group wrote. */
static struct weiri_reading reading_of(const struct weiri_race_report *races,
                                       const struct weiri_race_report_group *group,
                                       const struct weiri_race_point *first,
                                       const struct weiri_race_point *second)
{
    struct weiri_reading own = group->readings[second->item];
    for (size_t i = 0; own.place == 0 && first->group != second->group
         && i < races->context.shape.items;
         i++) {
        if (group->readings[i].writer_group == first->group) {
            own = group->readings[i];
        }
    }
    return own;
}

/* Records why nothing orders the pair, as far as that is known. */
static void keep_reasons(struct weiri_race_report *races,
                         struct weiri_explained_pair *pair,
                         const struct weiri_race_instance *instance)
{
    const struct weiri_race_point *first = &instance->first,
                                  *second = &instance->second;
    const struct weiri_race_report_group *group = group_at(races, second->group);
    if (group->readings != NULL) {
        pair->reading = reading_of(races, group, first, second);
        pair->of_first = pair->reading.writer_group == first->group
            && pair->reading.writer_item == first->item;
    }
    pair->pending = first->time >= WEIRI_ORDER_PENDING;
    if (first->group == second->group
        && group->unsuited[instance->space].time >= first->time) {
        pair->unsuited = group->unsuited[instance->space].site;
    }
}

struct weiri_race_access weiri_race_report_access(const struct weiri_race_report *races,
                                                  const struct weiri_race_point *point)
{
    const struct weiri_place *place = weiri_pair_place(&races->context, point->place);
    bool atomic = weiri_place_is_atomic(place);
    return (struct weiri_race_access){
        .site = place->site,
        .pc = place->pc,
        .calls = place->calls,
        .group = point->group,
        .item = point->item,
        .writes = (weiri_place_access(place) & WEIRI_ACCESS_BIT_WRITE) != 0,
        .reads = (weiri_place_access(place) & WEIRI_ACCESS_BIT_READ) != 0,
        .atomic = atomic,
        .is_volatile = weiri_place_is_volatile(place),
        .kind = atomic ? weiri_place_kind(place) : WEIRI_ATOMIC_LOAD,
        .order = weiri_place_order(place),
        .scope = weiri_place_scope(place),
        .bytes = atomic ? weiri_place_bytes(place) : 0,
    };
}

static enum weir_finding_kind kind_of(const struct weiri_race_report *races,
                                      const struct weiri_race_instance *instance,
                                      const struct weiri_place *first,
                                      const struct weiri_place *second)
{
    bool mixed = weiri_place_is_atomic(first) != weiri_place_is_atomic(second);
    bool atomic = weiri_place_is_atomic(first) && !mixed;
    if (mixed && !races->context.rules.ptx) {
        return WEIR_FINDING_MIXED_ATOMIC;
    }
    if (atomic && races->context.rules.polls
        && (weiri_place_is_volatile(first) || weiri_place_is_volatile(second))) {
        return WEIR_FINDING_DATA_RACE; /* see is_luck() in race.c */
    }
    bool one_object = atomic && weiri_place_bytes(first) == weiri_place_bytes(second);
    return one_object || instance->ordered_if_wide ? WEIR_FINDING_SCOPE_RACE
                                                   : WEIR_FINDING_DATA_RACE;
}

static struct weiri_maker maker_of(const struct weiri_race_access *access)
{
    return (struct weiri_maker){ access->group, access->item,
                                 access->atomic && !access->is_volatile
                                     ? weiri_access_of_atomic(access->kind)
                                     : weiri_access_of(access->reads, access->writes) };
}

static struct weiri_explained_pair *new_pair(struct weiri_race_report *races,
                                             const struct weiri_race_instance *instance,
                                             enum weir_finding_kind kind)
{
    struct weiri_explained_pair *pair = g_new0(struct weiri_explained_pair, 1);
    pair->public.kind = kind;
    pair->public.first = weiri_race_report_access(races, &instance->first);
    pair->public.second = weiri_race_report_access(races, &instance->second);
    pair->public.object = instance->object;
    pair->public.offset = instance->offset;
    pair->public.same_value = true;
    pair->places[0] = instance->first.place;
    pair->places[1] = instance->second.place;
    pair->space = instance->space;
    pair->in_step = instance->in_step;
    pair->object = weiri_object_name(instance->object,
                                     instance->object->start + instance->offset);
    pair->index = weiri_object_index(instance->object,
                                     instance->object->start + instance->offset);
    pair->phases[0] = phase_of(races, instance->space, &instance->first);
    pair->phases[1] = group_at(races, instance->second.group)->n_meetings;
    keep_reasons(races, pair, instance);
    g_ptr_array_add(races->pairs, pair);
    if (!pair->in_step) {
        const struct weiri_maker first = maker_of(&pair->public.first);
        const struct weiri_maker second = maker_of(&pair->public.second);
        weiri_finding_made(kind, &second, &first);
    }
    return pair;
}

void weiri_race_report_add(struct weiri_race_report *races,
                           const struct weiri_race_instance *instance)
{
    const struct weiri_place *first
        = weiri_pair_place(&races->context, instance->first.place);
    const struct weiri_place *second
        = weiri_pair_place(&races->context, instance->second.place);
    enum weir_finding_kind kind = kind_of(races, instance, first, second);
    uint64_t key = (uint64_t)instance->first.place << 32 | instance->second.place;
    key = key * 4 + (kind == WEIR_FINDING_DATA_RACE ? 0 : 1)
        + (instance->in_step ? 2 : 0);
    struct weiri_explained_pair *pair = g_hash_table_lookup(races->by_places, &key);
    if (pair == NULL) {
        pair = new_pair(races, instance, kind);
        pair->key = key;
        g_hash_table_insert(races->by_places, &pair->key, pair);
    }
    pair->public.count++;
    bool pending = instance->first.time >= WEIRI_ORDER_PENDING
        || instance->second.time >= WEIRI_ORDER_PENDING; /* it writes later */
    bool writes = kind == WEIR_FINDING_DATA_RACE && !pending
        && !weiri_place_is_atomic(first)
        && !weiri_place_is_atomic(second) /* it has happened */
        && (weiri_place_access(first) & WEIRI_ACCESS_BIT_READ) == 0
        && (weiri_place_access(second) & WEIRI_ACCESS_BIT_READ) == 0;
    pair->public.same_value &= writes;
    if (pair->public.same_value) {
        struct written written = { pair, instance->word, instance->bytes, 0 };
        memcpy(&written.before, instance->word, sizeof(written.before));
        g_array_append_val(races->written, written);
        races->writing = true;
    }
}

void weiri_race_report_settle_write(struct weiri_race_report *races)
{
    for (guint w = 0; w < races->written->len; w++) {
        const struct written *written
            = &g_array_index(races->written, struct written, w);
        uint32_t after;
        memcpy(&after, written->word, sizeof(after));
        const unsigned char *one = (const unsigned char *)&written->before;
        const unsigned char *other = (const unsigned char *)&after;
        for (unsigned i = 0; i < sizeof(after); i++) {
            if ((written->bytes >> i & 1) != 0 && one[i] != other[i]) {
                written->pair->public.same_value = false;
            }
        }
    }
    g_array_set_size(races->written, 0);
    races->writing = false;
}

size_t weiri_race_report_n_pairs(const struct weiri_race_report *races)
{
    return races->pairs->len;
}

const struct weiri_race_pair *weiri_race_report_pair(
    const struct weiri_race_report *races, size_t index)
{
    const struct weiri_explained_pair *pair = g_ptr_array_index(races->pairs, index);
    return &pair->public;
}
