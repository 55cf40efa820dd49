/* SPDX-License-Identifier: MIT
 *
 * lanes.c: see lanes.h.
 *
 * Items of a sub-group run independently of each other, and a call names the lanes that
 * it is for. Lanes meet by operation and mask, at any sites: a compiler that inlines or
 * unrolls makes several sites of one call. So several meetings of one sub-group may
 * wait at a time, and a lane waits in at most one.
 *
 * A meeting is complete when all lanes of its mask are there. The last one computes the
 * results of all; the others can then run. A lane that does not come is a divergence,
 * which shows when no item of the group can go on (divergence.c).
 *
 * Which lanes are active at a call is not determined, since nothing keeps lanes
 * together. Here a lane that asks waits until no item of its group can go on, and gets
 * those that are at the same call by then, which are all if all come. A schedule with a
 * seed lets it go on earlier at some calls, with those that are there already. In both
 * cases the lanes of one mask get that mask.
 *
 * Follows shfl.sync, bar.warp.sync, vote.sync, match.sync, redux.sync and activemask of
 * [PTX]. */
#include "config.h"

#include "exec/lanes.h"

#include "base/rng.h"
#include "exec/algo.h"
#include "exec/divergence.h"
#include "exec/item-finding.h"
#include "exec/mode.h"
#include "exec/named.h"
#include "finding/names.h"

/* ---- Results --------------------------------------------------------------------- */

/* The lane whose value @lane receives; PTX's algorithm, which works on the lower five
 * bits. @bounds: see weiri_lanes_meet() */
static inline __attribute__((always_inline)) uint32_t source_lane(
    enum weiri_collective kind, uint32_t lane, uint32_t source, uint32_t bounds)
{
    uint32_t b = source & 31, clamp = bounds & 31, segments = bounds >> 8 & 31;
    uint32_t last = (lane & segments) | (clamp & ~segments);
    uint32_t first = lane & segments;
    switch (kind) {
    case WEIRI_SHIFT_RIGHT:
        return lane >= b && lane - b >= last ? lane - b : lane;
    case WEIRI_SHIFT_LEFT:
        return lane + b <= last ? lane + b : lane;
    case WEIRI_SHUFFLE_XOR:
        return (lane ^ b) <= last ? lane ^ b : lane;
    default:
        b = first | (b & ~segments);
        return b <= last ? b : lane;
    }
}

/* The lane @lane receives a poison value, since its source did not take part. */
static void report_source(struct weiri_worker *worker, struct weiri_group *group,
                          const struct weiri_lanes *lanes,
                          const struct weiri_lane_arrival *at, uint32_t source)
{
    const struct weiri_shape *shape = &group->public.shape;
    if (weiri_report_again(worker->launch->report, WEIR_FINDING_UNSUPPORTED, at->site,
                           NULL, shape->group_linear)) {
        return;
    }
    const struct weir_kernel *kernel = worker->launch->kernel;
    const char *operation
        = weiri_named(at->site, weiri_operation_name(kernel->language, lanes->op));
    worker->inside++;
    g_autofree char *where = weiri_place_text(shape, shape->group);
    char *message = g_strdup_printf(
        "%s in kernel '%s', group %s: lane %u of sub-group %u asks for the value of "
        "lane %u, which does not take part: the mask is 0x%08x; it got a poison value",
        operation, kernel->name, where, at->item - lanes->first,
        lanes->first >> shape->sub_group_shift, source, WEIRI_OP_ARGUMENT(lanes->op));
    weiri_item_finding_add(worker, WEIR_FINDING_UNSUPPORTED, at->site, NULL,
                           WEIR_STATE_RUNNING, at->item, operation, message);
    worker->inside--;
}

/* Moves the values of a sub-group whose lanes all take part. */
static inline __attribute__((always_inline)) void move_values(
    struct weiri_group *group, uint32_t first, enum weiri_collective kind)
{
    union weiri_value *values = group->public.values + first;
    const size_t *sources = group->public.sources + first;
    uint64_t given[WEIRI_MOST_LANES];
    for (uint32_t lane = 0; lane < WEIRI_MOST_LANES; lane++) {
        given[lane] = values[lane].bits;
    }
    for (uint32_t lane = 0; lane < WEIRI_MOST_LANES; lane++) {
        uint64_t asked = sources[lane];
        values[lane].bits
            = given[source_lane(kind, lane, (uint32_t)asked, (uint32_t)(asked >> 32))];
    }
}

static void shuffle_full(struct weiri_group *group, uint32_t first,
                         enum weiri_collective kind)
{
    switch (kind) { /* a loop for each, without the choice */
    case WEIRI_SHIFT_RIGHT:
        move_values(group, first, WEIRI_SHIFT_RIGHT);
        break;
    case WEIRI_SHIFT_LEFT:
        move_values(group, first, WEIRI_SHIFT_LEFT);
        break;
    case WEIRI_SHUFFLE_XOR:
        move_values(group, first, WEIRI_SHUFFLE_XOR);
        break;
    default:
        move_values(group, first, WEIRI_SHUFFLE);
    }
}

/* A shift has lanes without a source at its end, whose results correct kernels leave
 * unused. Other sources outside are mistakes. */
static void shuffle(struct weiri_worker *worker, struct weiri_group *group,
                    const struct weiri_lanes *lanes)
{
    enum weiri_collective kind = WEIRI_OP_KIND(lanes->op);
    if (lanes->arrived == UINT32_MAX) {
        shuffle_full(group, lanes->first, kind);
        return;
    }
    uint64_t given[WEIRI_MOST_LANES];
    for (uint32_t i = 0; i < lanes->n; i++) {
        uint32_t item = lanes->waiting[i].item;
        given[item - lanes->first] = group->public.values[item].bits;
    }
    for (uint32_t i = 0; i < lanes->n; i++) {
        uint32_t item = lanes->waiting[i].item;
        uint64_t asked = group->public.sources[item];
        uint32_t source = source_lane(kind, item - lanes->first, (uint32_t)asked,
                                      (uint32_t)(asked >> 32));
        bool takes_part = (lanes->arrived >> source & 1) != 0;
        group->public.values[item].bits
            = takes_part ? given[source] : WEIRI_ALGO_POISON;
        if (!takes_part && (kind == WEIRI_SHUFFLE || kind == WEIRI_SHUFFLE_XOR)) {
            report_source(worker, group, lanes, &lanes->waiting[i], source);
        }
    }
}

/* The lanes whose value is @value. */
static uint32_t lanes_with(const struct weiri_group *group,
                           const struct weiri_lanes *lanes, uint64_t value)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < lanes->n; i++) {
        uint32_t item = lanes->waiting[i].item;
        mask |= (uint32_t)(group->public.values[item].bits == value)
            << (item - lanes->first);
    }
    return mask;
}

static uint64_t join(enum weiri_collective kind, uint64_t a, uint64_t b)
{
    return kind == WEIRI_REDUCE_AND ? a & b : kind == WEIRI_REDUCE_OR ? a | b : a ^ b;
}

/* One result for all lanes. */
static uint64_t result_of(const struct weiri_group *group,
                          const struct weiri_lanes *lanes)
{
    enum weiri_collective kind = WEIRI_OP_KIND(lanes->op);
    uint64_t one = group->public.values[lanes->waiting[0].item].bits, result = one;
    switch (kind) {
    case WEIRI_BALLOT:
        return lanes_with(group, lanes, 1);
    case WEIRI_UNIFORM:
        return lanes_with(group, lanes, one) == lanes->arrived;
    case WEIRI_MATCH_ALL:
        return lanes_with(group, lanes, one) == lanes->arrived ? lanes->arrived : 0;
    case WEIRI_ACTIVE:
        return lanes->arrived;
    default:
        for (uint32_t i = 1; i < lanes->n; i++) {
            uint32_t item = lanes->waiting[i].item;
            result = join(kind, result, group->public.values[item].bits);
        }
        return result;
    }
}

/* The algorithms that groups have, too: in order of lanes. */
static void compute_as_groups_do(struct weiri_group *group,
                                 const struct weiri_lanes *lanes)
{
    union weiri_value values[WEIRI_MOST_LANES];
    size_t n = 0;
    for (uint32_t lane = 0; lane < WEIRI_MOST_LANES; lane++) {
        if ((lanes->arrived >> lane & 1) != 0) {
            values[n++] = group->public.values[lanes->first + lane];
        }
    }
    (void)weiri_algo(lanes->op, values, NULL, n);
    for (uint32_t i = 0; i < lanes->n; i++) {
        group->public.values[lanes->waiting[i].item] = values[0];
    }
}

static void compute(struct weiri_worker *worker, struct weiri_group *group,
                    const struct weiri_lanes *lanes)
{
    uint64_t results[WEIRI_MOST_LANES];
    switch (WEIRI_OP_KIND(lanes->op)) {
    case WEIRI_BARRIER:
        return;
    case WEIRI_SHUFFLE:
    case WEIRI_SHUFFLE_XOR:
    case WEIRI_SHIFT_LEFT:
    case WEIRI_SHIFT_RIGHT:
        shuffle(worker, group, lanes);
        return;
    case WEIRI_ANY:
    case WEIRI_ALL:
    case WEIRI_REDUCE_ADD:
    case WEIRI_REDUCE_MIN:
    case WEIRI_REDUCE_MAX:
        compute_as_groups_do(group, lanes);
        return;
    case WEIRI_MATCH_ANY:
        for (uint32_t i = 0; i < lanes->n; i++) {
            uint32_t item = lanes->waiting[i].item;
            results[i] = lanes_with(group, lanes, group->public.values[item].bits);
        }
        break;
    default:
        results[0] = result_of(group, lanes);
        for (uint32_t i = 1; i < lanes->n; i++) {
            results[i] = results[0];
        }
    }
    for (uint32_t i = 0; i < lanes->n; i++) {
        group->public.values[lanes->waiting[i].item].bits = results[i];
    }
}

/* ---- Meetings of a group --------------------------------------------------------- */

static struct weiri_lanes *meeting_at(const struct weiri_group *group, guint index)
{
    return &g_array_index(group->lanes, struct weiri_lanes, index);
}

static guint n_meetings(const struct weiri_group *group)
{
    return group->lanes != NULL ? group->lanes->len : 0;
}

/* Lanes of the sub-group that begins with item @first. */
static uint32_t existing_lanes(const struct weiri_group *group, uint32_t first)
{
    uint32_t n
        = group->sub_gates[first >> group->public.shape.sub_group_shift].n_members;
    return n >= WEIRI_MOST_LANES ? UINT32_MAX : (1u << n) - 1;
}

/* The meeting that the lane joins; a new one, if no lane waits there. @site: only of an
 * ACTIVE, whose lanes are at one call */
static guint find_meeting(struct weiri_group *group, uint32_t first, uint64_t op,
                          uint64_t detail, const struct weir_site *site)
{
    for (guint i = 0; i < n_meetings(group); i++) {
        const struct weiri_lanes *one = meeting_at(group, i);
        if (one->first == first && one->op == op && one->detail == detail
            && (WEIRI_OP_KIND(op) != WEIRI_ACTIVE || one->waiting[0].site == site)) {
            return i;
        }
    }
    if (group->lanes == NULL) {
        group->lanes = g_array_new(FALSE, TRUE, sizeof(struct weiri_lanes));
    }
    struct weiri_lanes fresh
        = { .op = op,
            .detail = detail,
            .first = first,
            .members = existing_lanes(group, first) & WEIRI_OP_ARGUMENT(op) };
    g_array_append_val(group->lanes, fresh);
    return group->lanes->len - 1;
}

/* The meeting is over: its results are there, and all of it can run. Returns: whether
 * it can; else the sub-group waits for others at a named barrier */
static bool complete(struct weiri_worker *worker, struct weiri_group *group,
                     guint index)
{
    struct weiri_lanes lanes = *meeting_at(group, index);
    worker->inside++;
    g_array_remove_index_fast(group->lanes, index);
    worker->inside--;
    group->n_meetings++;
    group->idle = 0;
    if (weiri_named_is(lanes.op)) {
        return weiri_named_join(worker, group, &lanes);
    }
    compute(worker, group, &lanes);
    uint32_t items[WEIRI_MOST_LANES];
    for (uint32_t i = 0; i < lanes.n; i++) {
        items[i] = lanes.waiting[i].item;
    }
    if (WEIRI_OP_KIND(lanes.op) != WEIRI_ACTIVE) {
        uint64_t met = (lanes.op & UINT32_MAX) | (uint64_t)lanes.arrived << 32;
        weiri_worker_emit(worker, WEIRI_EVENT_RELEASE, items[lanes.n - 1], met,
                          lanes.waiting[lanes.n - 1].site);
    }
    weiri_mode_release_some(worker, group, items, lanes.n);
    return true;
}

/* A member need not come if it has returned, where the launch says so. Most often the
 * first one that is missing has not: no other is looked at then. */
static bool is_complete(const struct weiri_worker *worker,
                        const struct weiri_group *group,
                        const struct weiri_lanes *lanes)
{
    if (WEIRI_OP_KIND(lanes->op) == WEIRI_ACTIVE) {
        return false;
    }
    uint32_t missing = lanes->members & ~lanes->arrived;
    if (worker->launch->exited != WEIR_EXITED_ALIVE_ONLY) {
        return missing == 0;
    }
    while (missing != 0) {
        uint32_t lane = (uint32_t)__builtin_ctz(missing);
        if (group->returns[lanes->first + lane].serial != group->serial) {
            return false;
        }
        missing &= missing - 1;
    }
    return true;
}

/* An ACTIVE that the schedule lets go on before others come: one of four. */
static bool goes_alone(const struct weiri_worker *worker,
                       const struct weiri_group *group, uint32_t item)
{
    const struct weiri_launch *launch = worker->launch;
    if (!weiri_mode_is_alone(worker) || !launch->draws) {
        return false;
    }
    struct weiri_rng rng = { launch->seed };
    rng.state = weiri_rng_next(&rng) ^ group->public.shape.group_linear;
    rng.state = weiri_rng_next(&rng) ^ item;
    rng.state = weiri_rng_next(&rng) ^ weiri_mode_ordinal(worker);
    enum { ONE_OF = 4 };
    return weiri_rng_below(&rng, ONE_OF) == 0;
}

bool weiri_lanes_join(struct weiri_worker *worker, struct weiri_group *group,
                      uint32_t item, uint64_t op, uint64_t detail,
                      const struct weir_site *site)
{
    uint32_t lane = item & (group->public.shape.sub_group_size - 1);
    worker->inside++;
    guint index = find_meeting(group, item - lane, op, detail, site);
    worker->inside--;
    struct weiri_lanes *lanes = meeting_at(group, index);
    lanes->waiting[lanes->n++] = (struct weiri_lane_arrival){ item, site };
    lanes->arrived |= 1u << lane;
    if (WEIRI_OP_KIND(op) != WEIRI_ACTIVE && WEIRI_OP_KIND(op) != WEIRI_NAMED_ARRIVE) {
        weiri_worker_emit(worker, WEIRI_EVENT_ARRIVE, item, op, site);
    }
    bool last = is_complete(worker, group, lanes)
        || (WEIRI_OP_KIND(op) == WEIRI_ACTIVE && goes_alone(worker, group, item));
    return last && complete(worker, group, index);
}

void weiri_lanes_meet_all(struct weiri_worker *worker, struct weiri_group *group,
                          uint64_t op, const struct weir_site *site)
{
    if (WEIRI_OP_KIND(op) == WEIRI_BARRIER) {
        return;
    }
    struct weiri_lanes lanes = { .op = op };
    for (uint32_t i = 0; i < WEIRI_MOST_LANES; i++) {
        lanes.waiting[i].site = site;
    }
    for (uint32_t s = 0; s < group->n_sub_gates; s++) {
        lanes.first = group->sub_gates[s].first;
        lanes.n = group->sub_gates[s].n_members;
        lanes.arrived = lanes.members = existing_lanes(group, lanes.first);
        for (uint32_t i = 0; i < lanes.n; i++) {
            lanes.waiting[i].item = lanes.first + i;
        }
        compute(worker, group, &lanes);
    }
}

bool weiri_lanes_settle(struct weiri_worker *worker, struct weiri_group *group)
{
    bool any = false;
    for (guint i = n_meetings(group); i-- > 0;) {
        if (WEIRI_OP_KIND(meeting_at(group, i)->op) == WEIRI_ACTIVE) {
            (void)complete(worker, group, i);
            any = true;
        }
    }
    return any;
}

const struct weiri_lanes *weiri_lanes_waiting(const struct weiri_group *group)
{
    const struct weiri_lanes *first = NULL;
    for (guint i = 0; i < n_meetings(group); i++) {
        const struct weiri_lanes *one = meeting_at(group, i);
        if (first == NULL || one->first < first->first) {
            first = one;
        }
    }
    return first;
}

void weiri_lanes_find_places(const struct weiri_group *group,
                             struct weiri_whereabouts *places)
{
    for (guint i = 0; i < n_meetings(group); i++) {
        const struct weiri_lanes *one = meeting_at(group, i);
        for (uint32_t k = 0; k < one->n; k++) {
            struct weiri_whereabouts *place = &places[one->waiting[k].item];
            place->site = one->waiting[k].site;
            place->op = one->op;
        }
    }
}

void weiri_lanes_mark(const struct weiri_group *group, bool *waits)
{
    for (guint i = 0; i < n_meetings(group); i++) {
        const struct weiri_lanes *one = meeting_at(group, i);
        for (uint32_t k = 0; k < one->n; k++) {
            waits[one->waiting[k].item] = true;
        }
    }
}

void weiri_lanes_leave(struct weiri_worker *worker, struct weiri_group *group,
                       uint32_t item)
{
    for (guint i = n_meetings(group); i-- > 0;) {
        const struct weiri_lanes *one = meeting_at(group, i);
        if (item - one->first < WEIRI_MOST_LANES && is_complete(worker, group, one)) {
            (void)complete(worker, group, i);
        }
    }
}

void weiri_lanes_release_all(struct weiri_worker *worker, struct weiri_group *group)
{
    while (n_meetings(group) > 0) {
        (void)complete(worker, group, n_meetings(group) - 1);
    }
}
