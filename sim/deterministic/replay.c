/* SPDX-License-Identifier: MIT
 *
 * replay.c: a schedule states how a launch differs from the in-order one: a list of
 * switches, each with the step and the stop at which it was made. A recorded list is
 * followed strictly or loosely.
 *
 * Strictly, every switch must find the launch as it was: the same item at the same of
 * its stops at the same step. Loosely, a switch waits until its item reaches that stop,
 * at any step, and is passed over if the item that it names cannot run: so a schedule
 * from which some switches were removed still means something. */
#include "config.h"

#include "deterministic/replay.h"

#include "exec/failure.h"

/* Room for two numbers of 20 digits and one of 10. */
enum { KEY_BYTES = 64 };

struct replay {
    struct weiri_hub *hub;
    const struct weiri_switch *here; /* borrowed from the scheduler */
    size_t next_switch;              /* of the script, where it is followed strictly */
    GHashTable *switches;            /* by key, where it is followed loosely; or NULL */
};

static void key_of_switch(const struct weiri_switch *one, char key[KEY_BYTES])
{
    g_snprintf(key, KEY_BYTES, "%" G_GUINT64_FORMAT ".%u:%" G_GUINT64_FORMAT,
               one->group, one->item, one->stop);
}

/* ---- Recording ----------------------------------------------------------- */

void weiri_replay_note(struct weiri_switch *here, const struct weiri_hub *hub,
                       const struct weiri_stop *stop)
{
    const struct weir_site *site = stop->site;
    const void *pc = stop->pc;
    if (stop->kind == WEIRI_STOP_RETURNED) { /* it is at no place any more */
        site = NULL;
        pc = NULL;
    }
    const struct weiri_group *group = weiri_hub_group(hub, stop->id);
    *here = (struct weiri_switch){ .group = group->public.shape.group_linear,
                                   .item = weiri_hub_index(hub, stop->id),
                                   .stop = stop->ordinal,
                                   .file = site != NULL ? site->file : NULL,
                                   .line = site != NULL ? site->line : 0,
                                   .pc = site != NULL ? NULL : pc };
}

void weiri_replay_record(struct weiri_hub *hub, const struct weiri_switch *here,
                         uint32_t chosen, uint32_t base)
{
    GArray *record = hub->launch->record;
    if (record != NULL && chosen != base) {
        struct weiri_switch one = *here;
        one.step = hub->n_steps;
        one.to_group = weiri_hub_group(hub, chosen)->public.shape.group_linear;
        one.to_item = weiri_hub_index(hub, chosen);
        g_array_append_val(record, one);
    }
}

/* ---- Parting ------------------------------------------------------------- */

static char *describe(const struct weiri_switch *at)
{
    g_autofree char *place = at->file != NULL
        ? g_strdup_printf(", %s:%u", at->file, at->line)
        : g_strdup("");
    return g_strdup_printf("item %u of group %" G_GUINT64_FORMAT
                           " at its stop %" G_GUINT64_FORMAT "%s",
                           at->item, at->group, at->stop, place);
}

/* The launch is not where the script's @one is, or where @can_run is false the item
 * that it names cannot run: an error of the launch. */
static void part(const struct replay *replay, const struct weiri_switch *one,
                 bool can_run)
{
    struct weiri_launch *launch = replay->hub->launch;
    if (can_run) {
        g_autofree char *expected = describe(one);
        g_autofree char *found = describe(replay->here);
        weiri_failure_set(launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule at step %" G_GUINT64_FORMAT
                          " of kernel '%s': the schedule has %s; the launch has %s",
                          replay->hub->n_steps, launch->kernel->name, expected, found);
    } else {
        weiri_failure_set(launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule at step %" G_GUINT64_FORMAT
                          " of kernel '%s': it gives the turn to item %u of group "
                          "%" G_GUINT64_FORMAT ", which cannot run there",
                          replay->hub->n_steps, launch->kernel->name, one->to_item,
                          one->to_group);
    }
}

/* ---- Following ----------------------------------------------------------- */

/* The id of the item that a switch names; WEIRI_NO_ITEM where it cannot run. */
static uint32_t target(const struct replay *replay, const struct weiri_switch *one,
                       const struct weiri_id_set *ready)
{
    const struct weiri_hub *hub = replay->hub;
    for (uint32_t slot = 0; slot < hub->n_slots; slot++) {
        const struct weiri_group *group = hub->slots[slot];
        if (group != NULL && group->public.shape.group_linear == one->to_group
            && one->to_item < group->items) {
            uint32_t id = weiri_hub_id(hub, group, one->to_item);
            return weiri_id_set_has(ready, id) ? id : WEIRI_NO_ITEM;
        }
    }
    return WEIRI_NO_ITEM;
}

static uint32_t pick_loosely(void *self, const struct weiri_id_set *ready,
                             uint32_t current)
{
    const struct replay *replay = self;
    uint32_t base = current != WEIRI_NO_ITEM ? current : weiri_id_set_first(ready);
    char key[KEY_BYTES];
    key_of_switch(replay->here, key);
    const struct weiri_switch *one = g_hash_table_lookup(replay->switches, key);
    uint32_t id = one != NULL ? target(replay, one, ready) : WEIRI_NO_ITEM;
    return id != WEIRI_NO_ITEM ? id : base;
}

static uint32_t pick_strictly(void *self, const struct weiri_id_set *ready,
                              uint32_t current)
{
    struct replay *replay = self;
    const struct weiri_switch *here = replay->here;
    const struct weiri_script *script = replay->hub->launch->script;
    uint64_t step = replay->hub->n_steps;
    uint32_t base = current != WEIRI_NO_ITEM ? current : weiri_id_set_first(ready);
    if (replay->next_switch == script->n
        || script->switches[replay->next_switch].step > step) {
        return base;
    }
    const struct weiri_switch *one = &script->switches[replay->next_switch++];
    if (one->step != step || one->group != here->group || one->item != here->item
        || one->stop != here->stop) {
        part(replay, one, true);
        return base;
    }
    uint32_t id = target(replay, one, ready);
    if (id == WEIRI_NO_ITEM) {
        part(replay, one, false);
        return base;
    }
    return id;
}

static void free_replay(void *self)
{
    struct replay *replay = self;
    g_clear_pointer(&replay->switches, g_hash_table_unref);
    g_free(replay);
}

struct weiri_policy weiri_replay_policy(struct weiri_hub *hub,
                                        const struct weiri_switch *here)
{
    const struct weiri_script *script = hub->launch->script;
    struct replay *replay = g_new(struct replay, 1);
    *replay = (struct replay){ .hub = hub, .here = here };
    if (script->loosely) {
        replay->switches = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        for (size_t i = 0; i < script->n; i++) {
            char key[KEY_BYTES];
            key_of_switch(&script->switches[i], key);
            g_hash_table_insert(replay->switches, g_strdup(key),
                                (void *)&script->switches[i]);
        }
    }
    return (struct weiri_policy){ .pick
                                  = script->loosely ? pick_loosely : pick_strictly,
                                  .free = free_replay,
                                  .preemptive = true,
                                  .self = replay };
}

void weiri_replay_end(const struct weiri_policy *policy)
{
    const struct replay *replay = policy->self;
    struct weiri_launch *launch = replay->hub->launch;
    const struct weiri_script *script = launch->script;
    uint64_t n_steps = replay->hub->n_steps;
    if (script->loosely || launch->stopped != WEIRI_RUNS_ON) {
        return;
    }
    if (replay->next_switch < script->n) {
        weiri_failure_set(launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule: kernel '%s' ended after "
                          "%" G_GUINT64_FORMAT
                          " steps, and there is a switch at step %" G_GUINT64_FORMAT,
                          launch->kernel->name, n_steps,
                          script->switches[replay->next_switch].step);
    } else if (script->n_steps != n_steps) {
        weiri_failure_set(launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule after its last switch: kernel "
                          "'%s' took %" G_GUINT64_FORMAT
                          " steps, and %" G_GUINT64_FORMAT " were recorded",
                          launch->kernel->name, n_steps, script->n_steps);
    }
}
