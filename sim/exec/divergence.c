/* SPDX-License-Identifier: MIT
 *
 * divergence.c: the report of a rendezvous that cannot be complete: which form of
 * divergence it is, and every place where items are, with the items that are there.
 *
 * In a deterministic launch it can say more: by which calls items reached a site, where
 * items that have returned were last seen, and where their paths parted, which is the
 * last event that all their histories have in common. */
#include "config.h"

#include "exec/divergence.h"

#include "base/assert.h"
#include "exec/cluster.h"
#include "exec/finding.h"
#include "exec/grid.h"
#include "exec/lanes.h"
#include "exec/mode.h"
#include "exec/named.h"
#include "finding/names.h"

/* ---- Places -------------------------------------------------------------- */

/* Items that have returned are at one place if they were last seen at one place. */
static bool same_place(const struct weiri_whereabouts *a,
                       const struct weiri_whereabouts *b)
{
    return a->site == NULL ? b->site == NULL && a->pc == b->pc && a->last == b->last
                           : a->site == b->site && a->op == b->op
            && a->phase == b->phase && a->path == b->path;
}

static void find_waiting(const struct weiri_gate *gate,
                         struct weiri_whereabouts *places)
{
    for (uint32_t i = 0; i < gate->n_waiting; i++) {
        struct weiri_whereabouts *place = &places[gate->waiting[i]];
        place->site = gate->site;
        place->op = gate->op;
        place->phase = gate->phase;
        place->path = gate->path;
    }
}

static void find_places(const struct weiri_worker *worker,
                        const struct weiri_group *group,
                        struct weiri_whereabouts *places)
{
    for (uint32_t i = 0; i < group->items; i++) {
        const struct weiri_return *last = &group->returns[i];
        if (last->serial == group->serial) {
            places[i].phase = last->phase;
        }
    }
    find_waiting(&group->gate, places);
    for (uint32_t s = 0; s < group->n_sub_gates; s++) {
        find_waiting(&group->sub_gates[s], places);
    }
    for (guint i = 0; i < group->strays->len; i++) {
        const struct weiri_stray *stray
            = &g_array_index(group->strays, struct weiri_stray, i);
        places[stray->item] = (struct weiri_whereabouts){ .site = stray->site,
                                                          .op = stray->op,
                                                          .phase = stray->phase,
                                                          .path = stray->path };
    }
    weiri_lanes_find_places(group, places);
    weiri_named_find_places(group, places);
    weiri_grid_find_places(worker, group, places);
    weiri_cluster_find_places(worker, group, places);
    weiri_mode_add_evidence(worker, group, places);
}

/* Parties at one site, which differ in their arguments, calls or phase; the rest of the
 * items there are in the last of them. */
enum { MOST_AT_SITE = 4 };

/* One party for each different place of the gate's members, in order of its least item;
 * those that have returned come last. */
static void add_parties(struct weiri_draft *draft, const struct weiri_group *group,
                        const struct weiri_gate *gate,
                        const struct weiri_whereabouts *places)
{
    g_autofree bool *listed = g_new0(bool, group->items);
    g_autofree uint32_t *items = g_new(uint32_t, group->items);
    uint32_t end = gate->first + gate->n_members;
    g_autoptr(GHashTable) at_site = g_hash_table_new(NULL, NULL); /* how many parties */
    for (int returned = 0; returned < 2; returned++) {
        for (uint32_t i = gate->first; i < end; i++) {
            if (listed[i] || (places[i].site == NULL) != returned) {
                continue;
            }
            size_t n = 0;
            void *site = (void *)places[i].site;
            unsigned here = GPOINTER_TO_UINT(g_hash_table_lookup(at_site, site)) + 1;
            g_hash_table_insert(at_site, site, GUINT_TO_POINTER(here));
            for (uint32_t j = i; j < end; j++) {
                if (same_place(&places[j], &places[i])
                    || (here == MOST_AT_SITE && site != NULL
                        && places[j].site == places[i].site && !listed[j])) {
                    listed[j] = true;
                    items[n++] = j;
                }
            }
            struct weir_party party = weiri_party_new(
                returned ? WEIR_STATE_RETURNED : WEIR_STATE_WAITING,
                &group->public.shape, places[i].site,
                returned ? NULL
                         : weiri_named(places[i].site,
                                       weiri_operation_name(draft->kernel->language,
                                                            places[i].op)),
                places[i].phase, items, n);
            struct weiri_trail trail = { .at = { places[i].pc } };
            if (places[i].pc == NULL && places[i].last != NULL) {
                party.file = places[i].last->file;
                party.function = places[i].last->function;
                party.line = places[i].last->line;
            }
            if (places[i].calls != NULL) {
                trail.calls = *places[i].calls;
            }
            weiri_draft_take(draft, &party, &trail);
        }
    }
}

/* ---- Divergence ---------------------------------------------------------- */

/* The gate that waits: the group's own, or the first sub-group's that does; or NULL */
static const struct weiri_gate *waiting_gate(const struct weiri_group *group)
{
    const struct weiri_gate *gate = &group->gate;
    for (uint32_t s = 0; gate->n_waiting == 0 && s < group->n_sub_gates; s++) {
        gate = &group->sub_gates[s];
    }
    return gate->n_waiting > 0 ? gate : NULL;
}

/* Whether items of the group have met at @site before @phase. */
static bool met_before(const struct weiri_group *group, const struct weir_site *site,
                       uint64_t phase)
{
    for (guint i = 0; i < group->met->len; i++) {
        const struct weiri_met *met = &g_array_index(group->met, struct weiri_met, i);
        if (met->site == site) {
            return met->phase < phase;
        }
    }
    return false;
}

/* How one item that is missing at @gate makes it a divergence: a form of struct
 * weir_finding, and the words for it. @counted: arrivals are paired by count, so the
 * site says nothing of how often an item was there. */
static const char *form_of(const struct weiri_group *group,
                           const struct weiri_gate *gate,
                           const struct weiri_whereabouts *place, bool counted,
                           const char **words)
{
    if (place->site == NULL) {
        bool again = !counted && gate == &group->gate
            && met_before(group, gate->site, place->phase);
        *words = again ? "the others have returned, and passed it fewer times"
                       : "the others have returned";
        return again ? "different phase" : "exited item";
    }
    if (WEIRI_OP_KIND(place->op) != WEIRI_OP_KIND(gate->op)
        || WEIRI_OP_LEVEL(place->op) != WEIRI_OP_LEVEL(gate->op)) {
        *words = "others are at a different operation";
        return "different kind";
    }
    if (place->site != gate->site) {
        *words = "others are at a different one";
        return "different barrier";
    }
    if (place->op != gate->op) {
        *words = "their arguments differ";
        return "different arguments";
    }
    if (place->path != gate->path) {
        *words = "others reached it by different calls";
        return "different path";
    }
    *words = "others have reached it a different number of times";
    return "different phase";
}

/* The form of the divergence follows from one missing item: one that waits elsewhere,
 * or else one that has returned. */
static const char *reason(const struct weiri_group *group,
                          const struct weiri_gate *gate,
                          const struct weiri_whereabouts *places, bool counted,
                          const char **words)
{
    struct weiri_whereabouts here = {
        .site = gate->site, .op = gate->op, .phase = gate->phase, .path = gate->path
    };
    const struct weiri_whereabouts *missing = NULL;
    for (uint32_t i = gate->first; i < gate->first + gate->n_members; i++) {
        if (!same_place(&places[i], &here)
            && (missing == NULL || (missing->site == NULL && places[i].site != NULL))) {
            missing = &places[i];
        }
    }
    if (missing == NULL) {
        *words = "no item is missing";
        return "incomplete";
    }
    return form_of(group, gate, missing, counted, words);
}

/* The kind of place where items are, for use after "the". */
static const char *meeting_name(enum weir_language language, uint64_t op)
{
    return WEIRI_OP_KIND(op) != WEIRI_BARRIER ? weiri_operation_name(language, op)
        : WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP
        ? weiri_name(language, WEIRI_NAME_GROUP_BARRIER)
        : weiri_name(language, WEIRI_NAME_SUB_GROUP_BARRIER);
}

/* reason() for lanes: one that waits elsewhere, or else one that has returned. */
static const char *reason_of_lanes(const struct weiri_lanes *lanes,
                                   const struct weiri_whereabouts *places,
                                   const char **words)
{
    const struct weiri_whereabouts *missing = NULL;
    for (uint32_t lane = 0; lane < WEIRI_MOST_LANES; lane++) {
        if (((lanes->members & ~lanes->arrived) >> lane & 1) == 0) {
            continue;
        }
        const struct weiri_whereabouts *place = &places[lanes->first + lane];
        if (missing == NULL || (missing->site == NULL && place->site != NULL)) {
            missing = place;
        }
    }
    if (missing != NULL && missing->site == NULL) {
        *words = "the others have returned";
        return "exited item";
    }
    if (missing != NULL && WEIRI_OP_LEVEL(missing->op) == WEIRI_LEVEL_LANES
        && WEIRI_OP_KIND(missing->op) == WEIRI_OP_KIND(lanes->op)) {
        *words = "others wait for different lanes";
        return "different arguments";
    }
    *words = "others are at a different operation";
    return "different kind";
}

/* The sub-group as a gate of which the lanes that have arrived wait. @waiting: room for
 * them */
static struct weiri_gate gate_of_lanes(const struct weiri_group *group,
                                       const struct weiri_lanes *lanes,
                                       uint32_t *waiting)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        waiting[i] = lanes->waiting[i].item;
    }
    uint32_t at = lanes->first >> group->public.shape.sub_group_shift;
    return (struct weiri_gate){ .site = lanes->waiting[0].site,
                                .op = lanes->op,
                                .waiting = waiting,
                                .n_waiting = lanes->n,
                                .n_members = group->sub_gates[at].n_members,
                                .first = lanes->first };
}

/* The report where neither a gate nor lanes wait, but a named barrier does. */
static void find_at_named(struct weiri_worker *worker, struct weiri_group *group,
                          const struct weiri_whereabouts *places)
{
    uint32_t id;
    const struct weiri_named_barrier *named = weiri_named_waiting(group, &id);
    weiri_assert(named != NULL);
    const struct weiri_shape *shape = &group->public.shape;
    const struct weir_kernel *kernel = worker->launch->kernel;
    g_autofree char *at = weiri_place_text(shape, shape->group);
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_DEADLOCK,
        .kernel = kernel,
        .group_linear = shape->group_linear,
        .form = "incomplete",
        .message = g_strdup_printf(
            "deadlock in kernel '%s', group %s: barrier %u waits for %u items, and %u "
            "have arrived; no item is left that could arrive",
            kernel->name, at, id, named->expected, named->arrived),
    };
    uint32_t first = g_array_index(named->waiting, struct weiri_named_arrival, 0).item;
    weiri_finding_made(draft.kind,
                       &(struct weiri_maker){ draft.group_linear, first, 0 }, NULL);
    weiri_draft_init(&draft);
    add_parties(&draft, group, &group->gate, places);
    weiri_report_add(worker->launch->report, &draft);
}

/* The report where no gate waits, but lanes do. */
static void find_among_lanes(struct weiri_worker *worker, struct weiri_group *group,
                             const struct weiri_lanes *lanes,
                             const struct weiri_whereabouts *places)
{
    uint32_t waiting[WEIRI_MOST_LANES];
    const struct weiri_gate gate = gate_of_lanes(group, lanes, waiting);
    const struct weiri_shape *shape = &group->public.shape;
    const struct weir_kernel *kernel = worker->launch->kernel;
    const char *words;
    const char *form = reason_of_lanes(lanes, places, &words);
    g_autofree char *at = weiri_place_text(shape, shape->group);
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = kernel,
        .group_linear = shape->group_linear,
        .form = form,
        .message = g_strdup_printf(
            "barrier divergence in kernel '%s', group %s, sub-group %u: %u of the %d "
            "lanes that the mask 0x%08x names %s at %s; %s",
            kernel->name, at, lanes->first >> shape->sub_group_shift, lanes->n,
            __builtin_popcount(lanes->members), WEIRI_OP_ARGUMENT(lanes->op),
            lanes->n == 1 ? "is" : "are",
            weiri_named(places[waiting[0]].site,
                        weiri_operation_name(kernel->language, lanes->op)),
            words),
    };
    weiri_finding_made(
        draft.kind, &(struct weiri_maker){ draft.group_linear, waiting[0], 0 }, NULL);
    weiri_draft_init(&draft);
    add_parties(&draft, group, &gate, places);
    weiri_mode_set_parting(worker, group, &gate, places, &draft);
    weiri_report_add(worker->launch->report, &draft);
}

bool weiri_divergence_is_of_groups(const struct weiri_worker *worker,
                                   const struct weiri_group *group)
{
    uint32_t id;
    return (weiri_grid_waits(worker, group) || weiri_cluster_waits(worker, group))
        && waiting_gate(group) == NULL && weiri_lanes_waiting(group) == NULL
        && weiri_named_waiting(group, &id) == NULL;
}

void weiri_divergence_find(struct weiri_worker *worker, struct weiri_group *group)
{
    g_autofree struct weiri_whereabouts *places
        = g_new0(struct weiri_whereabouts, group->items);
    find_places(worker, group, places);
    const struct weiri_gate *gate = waiting_gate(group);
    const struct weiri_lanes *lanes = weiri_lanes_waiting(group);
    if (gate == NULL && lanes != NULL) {
        find_among_lanes(worker, group, lanes, places);
        return;
    }
    if (gate == NULL) {
        find_at_named(worker, group, places);
        return;
    }
    const struct weiri_shape *shape = &group->public.shape;
    const struct weir_kernel *kernel = worker->launch->kernel;
    bool sub_group = gate != &group->gate;
    g_autofree char *where = sub_group
        ? g_strdup_printf(", sub-group %u", gate->first / shape->sub_group_size)
        : g_strdup("");
    const char *words;
    bool counted = worker->launch->pairing == WEIR_PAIRING_COUNT;
    const char *form = reason(group, gate, places, counted, &words);
    g_autofree char *at = weiri_place_text(shape, shape->group);
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = kernel,
        .group_linear = shape->group_linear,
        .form = form,
        .message
        = g_strdup_printf("barrier divergence in kernel '%s', group %s%s, phase "
                          "%" G_GUINT64_FORMAT ": %u of %u items %s at the %s; %s",
                          kernel->name, at, where, gate->phase, gate->n_waiting,
                          gate->n_members, gate->n_waiting == 1 ? "is" : "are",
                          meeting_name(kernel->language, gate->op), words),
    };
    weiri_finding_made(draft.kind,
                       &(struct weiri_maker){ draft.group_linear, gate->waiting[0], 0 },
                       NULL);
    weiri_draft_init(&draft);
    add_parties(&draft, group, gate, places);
    weiri_mode_set_parting(worker, group, gate, places, &draft);
    weiri_report_add(worker->launch->report, &draft);
}

/* ---- Lenience ------------------------------------------------------------ */

static void add_note(struct weiri_worker *worker, struct weiri_group *group,
                     const struct weiri_gate *gate)
{
    const struct weiri_shape *shape = &group->public.shape;
    g_autofree struct weiri_whereabouts *places
        = g_new0(struct weiri_whereabouts, group->items);
    find_places(worker, group, places);
    struct weiri_draft draft = { .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
                                 .kernel = worker->launch->kernel,
                                 .group_linear = shape->group_linear,
                                 .note = true };
    g_autofree char *at = weiri_place_text(shape, shape->group);
    const char *words = NULL;
    const char *what = gate->mixed
        ? "items at different barriers were released together, because arrivals are "
          "counted; where calls are paired by site, as in OpenCL C and SYCL, this is a "
          "divergence"
        : "a barrier was complete without the items that had returned; OpenCL C and "
          "SYCL 2020 leave that undefined, so it is not portable";
    draft.form
        = gate->mixed ? reason(group, gate, places, true, &words) : "exited item";
    draft.message
        = g_strdup_printf("kernel '%s', group %s, phase %" G_GUINT64_FORMAT ": %s",
                          worker->launch->kernel->name, at, gate->phase, what);
    weiri_draft_init(&draft);
    add_parties(&draft, group, gate, places);
    weiri_report_add(worker->launch->report, &draft);
}

struct note {
    struct weiri_worker *worker;
    struct weiri_group *group;
    const struct weiri_gate *gate;
};

static void make_note(void *data)
{
    const struct note *note = data;
    add_note(note->worker, note->group, note->gate);
}

/* The last item to come makes a rendezvous complete, or the hub when one returns;
 * places in the code are looked up on the hub's stack. */
void weiri_divergence_note(struct weiri_worker *worker, struct weiri_group *group,
                           const struct weiri_gate *gate)
{
    struct note note = { worker, group, gate };
    weiri_mode_call(worker, make_note, &note);
}
