/* SPDX-License-Identifier: MIT
 *
 * command-report.c: races between commands, and their accesses to memory that does not
 * exist, as findings; see commands.h. If a party is a kernel, it is an item of the
 * kernel, as in races of a launch. A party that is another command, or the host, has no
 * item. */
#include "config.h"

#include "watch/commands.h"

#include "exec/event.h"
#include "exec/object.h"

/* "kernel 'sum'", "memcpy", "the host". Returns: (transfer full) */
static char *commander_text(const struct weiri_commander *commander)
{
    if (commander->kernel != NULL) {
        return g_strdup_printf("kernel '%s'", commander->kernel->name);
    }
    return g_strdup(weiri_commander_is_host(commander) ? "the host" : commander->what);
}

static void add_party(struct weiri_draft *draft, const struct weiri_commands *commands,
                      const struct weiri_commander *commander,
                      const struct weiri_command_access *access)
{
    const struct weiri_command_place *place
        = weiri_commands_place_at(commands, access->place);
    struct weir_party party
        = { .state = WEIR_STATE_HOST, .operation = commander->what };
    if (commander->kernel != NULL) {
        struct weiri_shape shape = commander->shape;
        weiri_group_place(&shape, access->group);
        party = weiri_party_new(WEIR_STATE_RUNNING, &shape, place->trail.site, NULL, 0,
                                &access->item, 1);
    }
    if (place->atomic) {
        weiri_party_set_atomic(&party, place->kind, place->order, place->scope);
    } else {
        weiri_party_set_access(&party, place->reads, place->writes);
    }
    weiri_draft_take(draft, &party, &place->trail);
}

/* A finding about the memory of a race, without parties. */
static struct weiri_draft draft_of(const struct weiri_command_race *race,
                                   struct weiri_objects *objects)
{
    static const struct weir_kernel none = { .name = "" };
    const struct weiri_commander *first = &race->first, *second = &race->second;
    struct weiri_object *object = weiri_objects_find(objects, race->address, NULL);
    const struct weir_kernel *kernel = second->kernel != NULL ? second->kernel
        : first->kernel != NULL                               ? first->kernel
                                                              : &none;
    struct weiri_draft draft
        = { .kernel = kernel, .form = "commands", .count = race->count };
    if (object != NULL) {
        draft.space = weiri_object_space(object);
        draft.object = weiri_object_name(object, race->address);
        draft.index = weiri_object_index(object, race->address);
    }
    weiri_draft_init(&draft);
    return draft;
}

/* "sum[3]"; memory that is not an object has no name. Returns: (transfer full) */
static char *memory_text(const struct weiri_draft *draft)
{
    return draft->object != NULL
        ? g_strdup_printf("%s[%" G_GINT64_FORMAT "]", draft->object, draft->index)
        : g_strdup("memory of the host");
}

void weiri_command_race_report(const struct weiri_commands *commands,
                               const struct weiri_command_race *race,
                               struct weiri_objects *objects,
                               const struct weiri_command_words *words,
                               struct weir_report *report)
{
    const struct weiri_commander *first = &race->first, *second = &race->second;
    const struct weiri_command_order *order = weiri_commands_order(commands);
    bool mixed = weiri_commands_place_at(commands, race->at_first.place)->atomic
        != weiri_commands_place_at(commands, race->at_second.place)->atomic;
    bool one_queue = weiri_command_order_queue_of(order, first->number)
        == weiri_command_order_queue_of(order, second->number);
    struct weiri_draft draft = draft_of(race, objects);
    draft.kind = mixed ? WEIR_FINDING_MIXED_ATOMIC : WEIR_FINDING_DATA_RACE;
    g_autofree char *one = commander_text(first);
    g_autofree char *other = commander_text(second);
    g_autofree char *memory = memory_text(&draft);
    draft.message
        = g_strdup_printf("%s between %s and %s: %s",
                          mixed ? "race of an atomic and a plain access" : "data race",
                          one, other, memory);
    bool host = weiri_commander_is_host(first) || weiri_commander_is_host(second);
    draft.why = g_strdup(host            ? words->host
                             : one_queue ? words->one_queue
                                         : words->two_queues);
    add_party(&draft, commands, first, &race->at_first);
    add_party(&draft, commands, second, &race->at_second);
    weiri_report_add(report, &draft);
}

void weiri_command_foreign_report(const struct weiri_commands *commands,
                                  const struct weiri_command_race *access,
                                  struct weiri_objects *objects,
                                  struct weir_report *report)
{
    struct weiri_draft draft = draft_of(access, objects);
    draft.kind = WEIR_FINDING_API_ERROR;
    g_autofree char *user = commander_text(&access->first);
    g_autofree char *memory = memory_text(&draft);
    draft.message
        = g_strdup_printf("%s uses %s, which was allocated in another context than the "
                          "context of its queue",
                          user, memory);
    draft.why = g_strdup("memory is allocated for one context: allocate it with the "
                         "queue that uses it, or with the context of that queue");
    add_party(&draft, commands, &access->first, &access->at_first);
    weiri_report_add(report, &draft);
}

void weiri_command_free_report(const struct weiri_commands *commands,
                               const struct weiri_command_race *race,
                               const struct weir_site *site,
                               struct weiri_objects *objects,
                               const struct weiri_command_words *words,
                               struct weir_report *report)
{
    struct weiri_draft draft = draft_of(race, objects);
    draft.kind = WEIR_FINDING_USE_AFTER_FREE;
    g_autofree char *user = commander_text(&race->first);
    g_autofree char *memory = memory_text(&draft);
    draft.message = g_strdup_printf("use after free: %s may use %s after it is freed",
                                    user, memory);
    draft.why = g_strdup(words->host);
    add_party(&draft, commands, &race->first, &race->at_first);
    struct weir_party party = { .state = WEIR_STATE_HOST, .operation = "free" };
    struct weiri_trail trail = { .site = site };
    weiri_draft_take(&draft, &party, &trail);
    weiri_report_add(report, &draft);
}

void weiri_command_stuck_report(const struct weiri_commands *commands,
                                const struct weiri_command_stuck *stuck,
                                const struct weiri_trail *wait, const char *why,
                                struct weiri_objects *objects,
                                struct weir_report *report)
{
    const struct weiri_commander *commander
        = weiri_commands_commander(commands, stuck->command);
    const struct weiri_command_race about
        = { .first = *commander, .address = stuck->hold.buffer, .count = 1 };
    struct weiri_draft draft = draft_of(&about, objects);
    draft.kind = WEIR_FINDING_DEADLOCK;
    draft.index = 0;
    g_autofree char *command = commander_text(commander);
    draft.message = g_strdup_printf(
        "deadlock: the host waits for %s, which waits for the end of a host accessor "
        "of %s that the host still holds",
        command, draft.object != NULL ? draft.object : "its buffer");
    draft.why = g_strdup(why);
    struct weir_party holds
        = { .state = WEIR_STATE_HOST, .operation = "host_accessor" };
    struct weir_party waits = { .state = WEIR_STATE_HOST, .operation = "wait" };
    weiri_draft_take(&draft, &holds, &stuck->hold.trail);
    weiri_draft_take(&draft, &waits, wait);
    weiri_report_add(report, &draft);
}

const struct weiri_object *weiri_command_fault_object(struct weiri_objects *objects,
                                                      const void *address)
{
    struct weiri_object *object = weiri_objects_find(objects, address, NULL);
    if (object == NULL
        && weiri_objects_locate(objects, address, 0, &object) != WEIRI_WHERE_NEAR) {
        return NULL;
    }
    return object->kind == WEIRI_OBJECT_GLOBAL || object->kind == WEIRI_OBJECT_FREED
        ? object
        : NULL;
}

void weiri_command_fault_report(const struct weiri_command_fault *fault,
                                const struct weiri_object *object,
                                struct weir_report *report)
{
    static const struct weir_kernel none = { .name = "" };
    struct weiri_draft draft
        = { .kind = fault->kind, .kernel = &none, .form = "commands", .count = 1 };
    struct weir_party party
        = { .state = WEIR_STATE_HOST, .operation = fault->operation };
    weiri_party_set_access(&party, (fault->what & WEIRI_ACCESS_BIT_READ) != 0,
                           (fault->what & WEIRI_ACCESS_BIT_WRITE) != 0);
    draft.space = weiri_object_space(object);
    draft.object = weiri_object_name(object, fault->address);
    draft.index = weiri_object_index(object, fault->address);
    draft.why = g_strdup(fault->why);
    weiri_draft_init(&draft);
    size_t n = object->whole_bytes / object->element_bytes;
    draft.message = g_strdup_printf(
        "%s %s by %s: %s[%" G_GINT64_FORMAT "] of %zu element%s%s",
        weir_finding_kind_name(fault->kind), weir_access_name(party.access),
        fault->operation != NULL ? fault->operation : "the host", draft.object,
        draft.index, n, n == 1 ? "" : "s", fault->text);
    weiri_draft_take(&draft, &party, &fault->trail);
    weiri_report_add(report, &draft);
}
