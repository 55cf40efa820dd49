/* SPDX-License-Identifier: MIT
 *
 * replay.c: a schedule is what makes a launch differ from the in-order one: switches,
 * each told by the step and by who stopped where. Recorded ones are followed strictly
 * or loosely.
 *
 * Strictly, every switch must find the launch as it was: the same item at the same of
 * its stops at the same step. Loosely, a switch waits for its item to come to that
 * stop, whenever that is, and is passed over where the one it names cannot run: so a
 * schedule from which some switches were taken still means something. */
#include "config.h"

#include "deterministic/replay.h"

#include "exec/failure.h"
#include "exec/launch.h"
#include "exec/worker.h"

/* Room for two numbers of 20 digits and one of 10. */
enum { KEY_BYTES = 64 };

static void key_of_switch(const struct weiri_switch *one, char key[KEY_BYTES])
{
    g_snprintf(key, KEY_BYTES, "%" G_GUINT64_FORMAT ".%u:%" G_GUINT64_FORMAT,
               one->group, one->item, one->stop);
}

/* Whoever stopped last, as the one who is switched from. */
static struct weiri_switch last_stop(const struct weiri_turns *turns)
{
    struct weiri_switch stop = { .step = turns->step };
    if (turns->last_stop != 0) {
        stop.group = turns->last_group;
        stop.item = turns->last_item;
        stop.stop = turns->last_stop;
        if (turns->last_site != NULL) {
            stop.file = turns->last_site->file;
            stop.line = turns->last_site->line;
        } else {
            stop.pc = turns->last_pc;
        }
    }
    return stop;
}

/* The id of an item that the script names, or WEIRI_NO_ITEM. */
static uint32_t find_item(const struct weiri_turns *turns, uint64_t group,
                          uint32_t item)
{
    for (uint32_t i = 0; i < turns->ready.n_order; i++) {
        const struct weiri_group *one = turns->slots[turns->ready.order[i]];
        if (one->public.shape.group_linear == group) {
            return item < one->items ? one->slot << turns->ready.shift | item
                                     : WEIRI_NO_ITEM;
        }
    }
    return WEIRI_NO_ITEM;
}

/* ---- Parting ------------------------------------------------------------- */

static char *describe(uint64_t group, uint32_t item, uint64_t stop, const char *file,
                      uint32_t line)
{
    return file != NULL ? g_strdup_printf("item %u of group %" G_GUINT64_FORMAT
                                          " at its stop %" G_GUINT64_FORMAT ", %s:%u",
                                          item, group, stop, file, line)
                        : g_strdup_printf("item %u of group %" G_GUINT64_FORMAT
                                          " at its stop %" G_GUINT64_FORMAT,
                                          item, group, stop);
}

/* The script's @one does not fit @here, or the item that it names cannot run where
 * @here is NULL: an error of the launch. */
static void part(struct weiri_turns *turns, const struct weiri_switch *one,
                 const struct weiri_switch *here)
{
    if (here != NULL) {
        g_autofree char *expected
            = describe(one->group, one->item, one->stop, one->file, one->line);
        g_autofree char *found
            = describe(here->group, here->item, here->stop, here->file, here->line);
        weiri_failure_set(turns->launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule at step %" G_GUINT64_FORMAT
                          " of kernel '%s': it has %s where %s is",
                          turns->step, turns->launch->kernel->name, expected, found);
    } else {
        weiri_failure_set(turns->launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule at step %" G_GUINT64_FORMAT
                          " of kernel '%s': it gives the turn to item %u of group "
                          "%" G_GUINT64_FORMAT ", which cannot run there",
                          turns->step, turns->launch->kernel->name, one->to_item,
                          one->to_group);
    }
}

/* ---- Following ----------------------------------------------------------- */

/* Whom the script has instead of @base. */
static uint32_t follow_loosely(struct weiri_turns *turns, uint32_t base)
{
    struct weiri_switch here = last_stop(turns);
    char key[KEY_BYTES];
    key_of_switch(&here, key);
    const struct weiri_switch *one = g_hash_table_lookup(turns->switches, key);
    if (one == NULL) {
        return base;
    }
    uint32_t id = find_item(turns, one->to_group, one->to_item);
    return id != WEIRI_NO_ITEM && weiri_id_set_has(&turns->ready, id) ? id : base;
}

static uint32_t follow(struct weiri_turns *turns, uint32_t base)
{
    const struct weiri_script *script = turns->launch->script;
    if (script->loosely) {
        return follow_loosely(turns, base);
    }
    if (turns->next_switch == script->n
        || script->switches[turns->next_switch].step > turns->step) {
        return base;
    }
    const struct weiri_switch *one = &script->switches[turns->next_switch++];
    struct weiri_switch here = last_stop(turns);
    if (one->step != turns->step || one->group != here.group || one->item != here.item
        || one->stop != here.stop) {
        part(turns, one, &here);
        return base;
    }
    uint32_t id = find_item(turns, one->to_group, one->to_item);
    if (id == WEIRI_NO_ITEM || !weiri_id_set_has(&turns->ready, id)) {
        part(turns, one, NULL);
        return base;
    }
    return id;
}

uint32_t weiri_replay_choose(struct weiri_turns *turns, uint32_t current)
{
    struct weiri_launch *launch = turns->launch;
    uint32_t base
        = current != WEIRI_NO_ITEM ? current : weiri_id_set_first(&turns->ready);
    uint32_t chosen = launch->script != NULL
        ? follow(turns, base)
        : turns->policy.pick(turns->policy.self, &turns->ready, current);
    if (chosen != base && launch->record != NULL) {
        struct weiri_switch one = last_stop(turns);
        one.to_group
            = turns->slots[chosen >> turns->ready.shift]->public.shape.group_linear;
        one.to_item = weiri_id_set_item(&turns->ready, chosen);
        g_array_append_val(launch->record, one);
    }
    return chosen;
}

void weiri_replay_init(struct weiri_turns *turns)
{
    const struct weiri_script *script = turns->launch->script;
    if (script == NULL || !script->loosely) {
        return;
    }
    turns->switches = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < script->n; i++) {
        char key[KEY_BYTES];
        key_of_switch(&script->switches[i], key);
        g_hash_table_insert(turns->switches, g_strdup(key),
                            (void *)&script->switches[i]);
    }
}

void weiri_replay_clear(struct weiri_turns *turns)
{
    g_clear_pointer(&turns->switches, g_hash_table_unref);
}

void weiri_replay_end(struct weiri_turns *turns)
{
    struct weiri_launch *launch = turns->launch;
    const struct weiri_script *script = launch->script;
    launch->n_steps = turns->step;
    launch->n_decisions = turns->n_decisions;
    if (script == NULL || script->loosely || launch->stopped != 0) {
        return;
    }
    if (turns->next_switch < script->n) {
        weiri_failure_set(launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule: kernel '%s' ended after "
                          "%" G_GUINT64_FORMAT
                          " steps, and there is a switch at step %" G_GUINT64_FORMAT,
                          launch->kernel->name, turns->step,
                          script->switches[turns->next_switch].step);
    } else if (script->n_steps != turns->step) {
        weiri_failure_set(launch, WEIR_ERROR_SCHEDULE,
                          "parted from the schedule after its last switch: kernel "
                          "'%s' took %" G_GUINT64_FORMAT
                          " steps, and %" G_GUINT64_FORMAT " were recorded",
                          launch->kernel->name, turns->step, script->n_steps);
    }
}
