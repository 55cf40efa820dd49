/* SPDX-License-Identifier: MIT
 *
 * cat_execution.c: see cat_execution.h. Everything is computed from the events, and
 * nothing by the library's models. The differences from the library's executions:
 *
 * - Initial writes are events, IW, without a thread's program order.
 * - A barrier is one event. Under Vulkan one with an order is a fence, too.
 * - Orders are on halves: the write of an atomic operation can be REL, its read ACQ.
 *
 * The tool chooses co. Under Vulkan it is total, and the library has chosen: it is the
 * order of the positions. Under PTX it is partial, and axioms hold of a larger one only
 * if they hold of a smaller one, so that the least one is tried: that with initial
 * writes first, the morally strong writes, in the order of their positions, and what
 * causality orders. The model says itself what is morally strong and what causes:
 * neither depends on co. */
#include "cat_execution.h"

#include <string.h>

#define TAGS(X)                                                                        \
    X(_)                                                                               \
    X(IW)                                                                              \
    X(M)                                                                               \
    X(R)                                                                               \
    X(W)                                                                               \
    X(F)                                                                               \
    X(RMW)                                                                             \
    X(RLX)                                                                             \
    X(ACQ)                                                                             \
    X(REL)                                                                             \
    X(ACQ_REL)                                                                         \
    X(SC)                                                                              \
    X(GEN)                                                                             \
    X(SUR)                                                                             \
    X(TEX)                                                                             \
    X(CON)                                                                             \
    X(ASYNC)                                                                           \
    X(ALIAS)                                                                           \
    X(RED)                                                                             \
    X(ATOM)                                                                            \
    X(NONPRIV)                                                                         \
    X(SG)                                                                              \
    X(WG)                                                                              \
    X(QF)                                                                              \
    X(DV)                                                                              \
    X(SC0)                                                                             \
    X(SC1)                                                                             \
    X(SC2)                                                                             \
    X(SC3)                                                                             \
    X(SEMSC0)                                                                          \
    X(SEMSC1)                                                                          \
    X(SEMSC2)                                                                          \
    X(SEMSC3)                                                                          \
    X(SEMAV)                                                                           \
    X(SEMVIS)                                                                          \
    X(AVDEVICE)                                                                        \
    X(VISDEVICE)

#define AS_ENUM(name) TAG_##name,
#define AS_TEXT(name) #name,
enum tag { TAGS(AS_ENUM) N_TAGS };
static const char *const tag_names[] = { TAGS(AS_TEXT) };

typedef const struct weiri_execution_event happened;

/* @event: %NULL: an initial write. @exit: of a barrier that the thread has left */
struct item {
    happened *event, *exit;
    uint32_t location;
};

/* @number: of an event of the execution, by its index */
struct view {
    const struct weiri_execution *execution;
    unsigned n;
    struct item items[BRUTE_EVENTS];
    unsigned *number;
    brute_set tags[N_TAGS];
};

/* ---- Events ---------------------------------------------------------------------- */

static bool gather(struct view *v)
{
    const struct weiri_execution *execution = v->execution;
    uint32_t n_locations = execution->program->n_locations;
    if (execution->n_events > CAT_EVENTS || n_locations > BRUTE_EVENTS) {
        return false;
    }
    for (uint32_t l = 0; l < n_locations; l++) {
        v->items[v->n++] = (struct item){ .location = l };
    }
    for (uint32_t e = 0; e < execution->n_events; e++) {
        happened *event = &execution->events[e];
        if (event->kind == WEIRI_EXITS) {
            v->items[v->n - 1].exit = event;
        } else if (v->n == BRUTE_EVENTS) {
            return false;
        } else {
            v->items[v->n++]
                = (struct item){ .event = event, .location = event->location };
        }
        v->number[e] = v->n - 1;
    }
    return true;
}

static void tag(struct view *v, unsigned i, enum tag tag)
{
    v->tags[tag] |= brute_bit(i);
}

static bool has(happened *event, unsigned flags)
{
    return (event->traits.flags & flags) != 0;
}

static void tag_proxy(struct view *v, unsigned i, happened *event)
{
    static const enum tag tags[]
        = { [WEIRI_PROXY_GENERIC] = TAG_GEN, [WEIRI_PROXY_SURFACE] = TAG_SUR,
            [WEIRI_PROXY_TEXTURE] = TAG_TEX, [WEIRI_PROXY_CONSTANT] = TAG_CON,
            [WEIRI_PROXY_ASYNC] = TAG_ASYNC, [WEIRI_PROXY_ALIAS] = TAG_ALIAS };
    tag(v, i, tags[event->traits.proxy]);
}

static void tag_scope(struct view *v, unsigned i, happened *event)
{
    switch ((int)event->scope) {
    case memory_scope_sub_group:
        tag(v, i, TAG_SG);
        break;
    case memory_scope_work_group:
        tag(v, i, TAG_WG);
        break;
    case WEIRI_SCOPE_CLUSTER:
        tag(v, i, TAG_QF);
        break;
    default:
        tag(v, i, TAG_DV);
    }
}

/* What the operation releases or acquires, with the classes that it orders. */
static void tag_semantics(struct view *v, unsigned i, happened *event, bool releases,
                          bool acquires)
{
    if (releases) {
        tag(v, i, TAG_REL);
    }
    if (acquires) {
        tag(v, i, TAG_ACQ);
    }
    if (releases && has(event, WEIRI_TRAIT_SEM_AVAILABLE)) {
        tag(v, i, TAG_SEMAV);
    }
    if (acquires && has(event, WEIRI_TRAIT_SEM_VISIBLE)) {
        tag(v, i, TAG_SEMVIS);
    }
    for (unsigned c = 0; c < 4 && (releases || acquires); c++) {
        if ((event->traits.semantics >> c & 1) != 0) {
            tag(v, i, (enum tag)(TAG_SEMSC0 + c));
        }
    }
}

static void tag_ptx_access(struct view *v, unsigned i, happened *event, bool releases,
                           bool acquires)
{
    tag_proxy(v, i, event);
    if (releases || acquires) {
        tag(v, i, releases ? TAG_REL : TAG_ACQ);
    } else if (event->atomic) {
        tag(v, i, TAG_RLX);
    }
    if (has(event, WEIRI_TRAIT_RESULT_UNUSED)) {
        tag(v, i, TAG_RED);
    }
}

static void tag_vulkan_access(struct view *v, unsigned i, happened *event,
                              bool releases, bool acquires)
{
    bool own = event->atomic || has(event, WEIRI_TRAIT_AVAILABLE | WEIRI_TRAIT_VISIBLE);
    tag_semantics(v, i, event, releases, acquires);
    if (own) {
        tag_scope(v, i, event);
    }
    if (own || has(event, WEIRI_TRAIT_NONPRIVATE)) {
        tag(v, i, TAG_NONPRIV);
    }
    if (event->atomic) {
        tag(v, i, TAG_ATOM);
    }
    for (unsigned c = 0; c < 4; c++) {
        if ((event->traits.storage >> c & 1) != 0) {
            tag(v, i, (enum tag)(TAG_SC0 + c));
        }
    }
}

static void tag_access(struct view *v, unsigned i, happened *event, bool is_ptx)
{
    bool writes = event->kind == WEIRI_WRITES_MEMORY;
    bool releases = event->atomic && writes && weiri_step_releases(event->order);
    bool acquires = event->atomic && !writes && weiri_step_acquires(event->order);
    tag(v, i, TAG_M);
    tag(v, i, writes ? TAG_W : TAG_R);
    if (event->update) {
        tag(v, i, TAG_RMW);
    }
    (is_ptx ? tag_ptx_access : tag_vulkan_access)(v, i, event, releases, acquires);
}

/* A relaxed arrival at a barrier of a cluster. */
static void tag_ptx_barrier(struct view *v, unsigned i, happened *event)
{
    if (event->traits.meets == WEIRI_SCOPE_CLUSTER
        && event->order == memory_order_relaxed) {
        tag(v, i, TAG_RLX);
    }
}

static void tag_ptx_fence(struct view *v, unsigned i, happened *event)
{
    tag(v, i, TAG_F);
    tag_proxy(v, i, event);
    if (!has(event, WEIRI_TRAIT_PROXY_FENCE)) {
        tag(v, i,
            event->order == memory_order_seq_cst       ? TAG_SC
                : event->order == memory_order_acq_rel ? TAG_ACQ_REL
                : event->order == memory_order_acquire ? TAG_ACQ
                                                       : TAG_REL);
    }
}

/* Also a barrier. */
static void tag_vulkan_fence(struct view *v, unsigned i, happened *event)
{
    if (has(event, WEIRI_TRAIT_AV_DEVICE | WEIRI_TRAIT_VIS_DEVICE)) {
        tag(v, i, has(event, WEIRI_TRAIT_AV_DEVICE) ? TAG_AVDEVICE : TAG_VISDEVICE);
        return;
    }
    bool releases = weiri_step_releases(event->order);
    bool acquires = weiri_step_acquires(event->order);
    tag_scope(v, i, event);
    tag_semantics(v, i, event, releases, acquires);
    if (releases || acquires) {
        tag(v, i, TAG_F);
    }
}

static void tag_events(struct view *v, bool is_ptx)
{
    for (unsigned i = 0; i < v->n; i++) {
        happened *event = v->items[i].event;
        tag(v, i, TAG__);
        if (event == NULL) {
            tag(v, i, TAG_IW);
            tag(v, i, TAG_M);
            tag(v, i, TAG_W);
        } else if (weiri_event_is_access(event)) {
            tag_access(v, i, event, is_ptx);
        } else if (!is_ptx) {
            tag_vulkan_fence(v, i, event);
        } else if (event->kind == WEIRI_FENCES) {
            tag_ptx_fence(v, i, event);
        } else {
            tag_ptx_barrier(v, i, event);
        }
    }
}

/* ---- Pairs of events ------------------------------------------------------------- */

static bool are_in_thread(const struct view *v, const struct item *a,
                          const struct item *b)
{
    (void)v;
    return a == b
        || (a->event != NULL && b->event != NULL
            && a->event->thread == b->event->thread);
}

static bool are_in_threads(const struct view *v, const struct item *a,
                           const struct item *b)
{
    return !are_in_thread(v, a, b);
}

static bool is_po(const struct view *v, const struct item *a, const struct item *b)
{
    return are_in_thread(v, a, b) && a < b;
}

static bool is_one(const struct view *v, const struct item *a, const struct item *b)
{
    (void)v;
    return a == b;
}

static bool have_location(const struct view *v, const struct item *a,
                          const struct item *b)
{
    brute_set both
        = brute_bit((unsigned)(a - v->items)) | brute_bit((unsigned)(b - v->items));
    return (v->tags[TAG_M] & both) == both && a->location == b->location;
}

static bool have_name(const struct view *v, const struct item *a, const struct item *b)
{
    return have_location(v, a, b) && a->event != NULL && b->event != NULL
        && a->event->traits.reference == b->event->traits.reference;
}

static const struct weiri_program_thread *place(const struct view *v,
                                                const struct item *item)
{
    return &v->execution->program->threads[item->event->thread];
}

static bool are_in_sub_group(const struct view *v, const struct item *a,
                             const struct item *b)
{
    return a->event != NULL && b->event != NULL
        && place(v, a)->sub_group == place(v, b)->sub_group;
}

static bool are_in_group(const struct view *v, const struct item *a,
                         const struct item *b)
{
    return a->event != NULL && b->event != NULL
        && place(v, a)->group == place(v, b)->group;
}

static bool are_in_cluster(const struct view *v, const struct item *a,
                           const struct item *b)
{
    return a->event != NULL && b->event != NULL
        && place(v, a)->cluster == place(v, b)->cluster;
}

/* Whether the scope of @a includes the thread of @b. */
static bool reaches(const struct view *v, const struct item *a, const struct item *b)
{
    switch ((int)a->event->scope) {
    case memory_scope_work_item:
        return false;
    case memory_scope_work_group:
        return are_in_group(v, a, b);
    case WEIRI_SCOPE_CLUSTER:
        return are_in_cluster(v, a, b);
    case memory_scope_device:
        return place(v, a)->device == place(v, b)->device;
    default:
        return true;
    }
}

static bool are_in_scope(const struct view *v, const struct item *a,
                         const struct item *b)
{
    return a->event != NULL && b->event != NULL && reaches(v, a, b) && reaches(v, b, a);
}

/* Whether the barrier of @a is for the thread of @b, too. */
static bool gathers(const struct view *v, const struct item *a, const struct item *b)
{
    switch ((int)a->event->traits.meets) {
    case memory_scope_sub_group:
        return are_in_sub_group(v, a, b);
    case WEIRI_SCOPE_CLUSTER:
        return are_in_cluster(v, a, b);
    case memory_scope_device:
        return place(v, a)->device == place(v, b)->device;
    case memory_scope_system:
        return true;
    default:
        return are_in_group(v, a, b);
    }
}

/* A barrier gives to those that it lets go on, itself included. */
static bool gives(const struct view *v, const struct item *a, const struct item *b)
{
    happened *one = a->event, *other = b->event;
    if (one == NULL || other == NULL || one->kind != WEIRI_ENTERS || b->exit == NULL
        || other->kind != WEIRI_ENTERS || has(one, WEIRI_TRAIT_LATE)) {
        return false;
    }
    return gathers(v, a, b) && one->label == other->label && one->value == other->value
        && one->position == other->position;
}

static bool is_ssw(const struct view *v, const struct item *a, const struct item *b)
{
    const struct weiri_program *program = v->execution->program;
    bool is = false;
    for (uint32_t i = 0; i < program->n_thens && a->event && b->event; i++) {
        is = is
            || (program->first_threads[i] == a->event->thread
                && program->then_threads[i] == b->event->thread);
    }
    return is;
}

/* Whether the first comes first in the order that such events have. */
static bool is_placed(const struct view *v, const struct item *a, const struct item *b)
{
    if (a->event == NULL || b->event == NULL) {
        return a->event == NULL && b->event != NULL;
    }
    return are_in_thread(v, a, b) ? a < b : a->event->position < b->event->position;
}

static struct relation pairs(const struct view *v,
                             bool (*are)(const struct view *, const struct item *,
                                         const struct item *))
{
    struct relation made = empty(v->n);
    for (unsigned a = 0; a < v->n; a++) {
        for (unsigned b = 0; b < v->n; b++) {
            if (are(v, &v->items[a], &v->items[b])) {
                relate(&made, a, b);
            }
        }
    }
    return made;
}

static struct relation within(struct relation relation, brute_set set)
{
    return to(from(set, relation), set);
}

/* ---- What is read, and what depends on it ---------------------------------------- */

static void relate_reads(const struct view *v, struct relation *rf,
                         struct relation *rmw)
{
    *rf = *rmw = empty(v->n);
    for (unsigned i = 0; i < v->n; i++) {
        happened *event = v->items[i].event;
        if (event == NULL || event->kind != WEIRI_READS_MEMORY) {
            continue;
        }
        relate(rf,
               event->from == WEIRI_INITIAL ? event->location : v->number[event->from],
               i);
        if (event->update) {
            relate(rmw, i, i + 1);
        }
    }
}

enum dependency { ADDRESS, DATA, CONTROL };

static struct relation depend(const struct view *v, enum dependency on)
{
    struct relation made = empty(v->n);
    const struct weiri_execution *execution = v->execution;
    for (uint32_t t = 0; t < execution->program->n_threads; t++) {
        unsigned reads[64], n = 0;
        for (uint32_t e = execution->first[t]; e < execution->first[t + 1]; e++) {
            happened *event = &execution->events[e];
            uint64_t mask = on == ADDRESS ? event->address
                : on == DATA              ? event->data
                                          : event->control;
            for (unsigned r = 0; r < n; r++) {
                if ((mask >> r & 1) != 0) {
                    relate(&made, reads[r], v->number[e]);
                }
            }
            if (event->kind == WEIRI_READS_MEMORY && n < 64) {
                reads[n++] = v->number[e];
            }
        }
    }
    return made;
}

/* ---- Judging --------------------------------------------------------------------- */

static void bind(struct cat *cat, const char *name, struct relation relation)
{
    cat_relation(cat, name, &relation);
}

static void bind_all(struct cat *cat, const struct view *v)
{
    static const struct {
        const char *name;
        bool (*are)(const struct view *, const struct item *, const struct item *);
    } of_pairs[] = { { "id", is_one },
                     { "po", is_po },
                     { "int", are_in_thread },
                     { "ext", are_in_threads },
                     { "loc", have_location },
                     { "vloc", have_name },
                     { "sr", are_in_scope },
                     { "scta", are_in_group },
                     { "ssg", are_in_sub_group },
                     { "swg", are_in_group },
                     { "sqf", are_in_cluster },
                     { "ssw", is_ssw },
                     { "syncbar", gives } };
    for (unsigned t = 0; t < N_TAGS; t++) {
        cat_set(cat, tag_names[t], v->tags[t]);
    }
    for (size_t i = 0; i < sizeof(of_pairs) / sizeof(of_pairs[0]); i++) {
        bind(cat, of_pairs[i].name, pairs(v, of_pairs[i].are));
    }
    struct relation rf, rmw;
    relate_reads(v, &rf, &rmw);
    bind(cat, "rf", rf);
    bind(cat, "rmw", rmw);
    bind(cat, "addr", depend(v, ADDRESS));
    bind(cat, "data", depend(v, DATA));
    bind(cat, "ctrl", depend(v, CONTROL));
    bind(cat, "sync_fence",
         both(within(pairs(v, is_placed), v->tags[TAG_F] & v->tags[TAG_SC]),
              pairs(v, are_in_scope)));
}

/* The least co of PTX; the names are those of the models. */
static struct relation least_order(struct cat *cat, const struct view *v,
                                   struct relation all)
{
    bind(cat, "co", from(v->tags[TAG_IW], all));
    (void)cat_judge(cat, v->n);
    const struct relation *ms = cat_defined(cat, "ms");
    const struct relation *cause = cat_defined(cat, "cause");
    struct relation co = from(v->tags[TAG_IW], all);
    if (ms != NULL && cause != NULL) {
        struct relation location = pairs(v, have_location);
        co = either(co, both(*ms, all));
        co = either(co, both(within(*cause, v->tags[TAG_W]), location));
    }
    return steps(co);
}

bool cat_judge_execution(struct cat *cat, const struct weiri_execution *execution,
                         bool is_ptx, struct cat_answer *answer, unsigned *numbers)
{
    struct view v = { .execution = execution, .number = numbers };
    if (!gather(&v)) {
        return false;
    }
    tag_events(&v, is_ptx);
    bind_all(cat, &v);
    struct relation placed
        = both(within(pairs(&v, is_placed), v.tags[TAG_W]), pairs(&v, have_location));
    bind(cat, "co", is_ptx ? least_order(cat, &v, placed) : placed);
    *answer = cat_judge(cat, v.n);
    return true;
}
