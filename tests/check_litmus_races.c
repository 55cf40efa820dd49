/* SPDX-License-Identifier: MIT
 *
 * check_litmus_races.c: two parts of Weir say whether an execution has a race: the race
 * detector, which is fed its events one by one, and the graph that the explorer judges.
 * Litmus tests are run in random interleavings, each of which is given to the one and
 * grown as the other; they must agree on every single one. Where a verdict is at hand,
 * no execution of a test without races may have one. */
#include "litmus_support.h"
#include "support.h"

#include "litmus/program.h"
#include "model/explore.h"
#include "watch/race.h"

#include <stdio.h>

enum { MOST_THREADS = 64, MOST_LOCATIONS = 64, SEEDS = 40 };

/* How a model of the explorer is put to the detector. */
struct rules {
    enum weiri_explored model;
    const char *name;
    enum weir_spaces spaces;
    bool scoped;
};

static const struct rules all_rules[]
    = { { WEIRI_EXPLORED_RC11, "rc11", WEIR_SPACES_SYCL, false },
        { WEIRI_EXPLORED_SYCL, "sycl", WEIR_SPACES_SYCL, true },
        { WEIRI_EXPLORED_SYCL_SPLIT, "sycl-split", WEIR_SPACES_OPENCL, true } };

struct scene {
    const struct rules *rules;
    const struct weiri_litmus *test;
    struct weiri_program *program;
    struct weiri_frame frame;
    struct weiri_graph graph;
    struct weiri_race *race;
    struct weir_kernel kernel;
    uint32_t n_groups;
    struct weir_group groups[MOST_THREADS];
    uint32_t group[MOST_THREADS]; /* by thread: an index of these, */
    uint32_t item[MOST_THREADS];  /* and its place in it */
    struct weiri_object objects[MOST_LOCATIONS];
    uint32_t words[MOST_LOCATIONS];
};

/* ---- The detector's side ------------------------------------------------- */

static void emit(struct scene *scene, struct weiri_event *event)
{
    event->kernel = &scene->kernel;
    const struct weiri_observer observers[] = { WEIRI_RACE_OBSERVERS(scene->race) };
    for (size_t i = 0; i < G_N_ELEMENTS(observers); i++) {
        if ((observers[i].kinds >> event->kind & 1) != 0) {
            observers[i].event(observers[i].self, event);
        }
    }
}

/* Places in the code: an operation of a thread has its own. */
static const void *pc_of(const struct weiri_node *node)
{
    return (const void *)(uintptr_t)(0x400000 + 4096 * node->thread + 16 * node->place);
}

static struct weiri_event event_of(struct scene *scene, const struct weiri_node *node)
{
    return (struct weiri_event){ .group = &scene->groups[scene->group[node->thread]],
                                 .item = scene->item[node->thread],
                                 .pc = pc_of(node) };
}

static enum weiri_atomic kind_of(const struct weiri_step *step)
{
    switch (step->kind) {
    case WEIRI_STEP_READ:
        return WEIRI_ATOMIC_LOAD;
    case WEIRI_STEP_WRITE:
        return WEIRI_ATOMIC_STORE;
    case WEIRI_STEP_UPDATE:
        return WEIRI_ATOMIC_COMPARE_EXCHANGE; /* what all others are a case of */
    default:
        return WEIRI_ATOMIC_FENCE;
    }
}

static void tell_atomic(struct scene *scene, const struct weiri_node *node,
                        const struct weiri_step *step, bool stored)
{
    bool fence = step->kind == WEIRI_STEP_FENCE;
    const struct weiri_atomic_op op = {
        .address = fence ? NULL : &scene->words[step->location],
        .pc = pc_of(node),
        .kind = kind_of(step),
        .type = WEIRI_TYPE_u32,
        .bytes = fence ? 0 : sizeof(uint32_t),
        .order = (memory_order)step->order,
        .failure = (memory_order)step->failure,
        .scope = scene->rules->scoped ? (memory_scope)step->scope : memory_scope_system,
        .space = step->spaces,
        .legal = true,
    };
    struct weiri_event event = event_of(scene, node);
    event.kind = WEIRI_EVENT_ATOMIC_DONE;
    event.atomic = &op;
    event.address = op.address;
    event.bytes = op.bytes;
    event.object = fence ? NULL : &scene->objects[step->location];
    event.stored = stored;
    emit(scene, &event);
}

static void tell_plain(struct scene *scene, const struct weiri_node *node,
                       const struct weiri_step *step)
{
    struct weiri_event event = event_of(scene, node);
    event.kind = WEIRI_EVENT_ACCESS;
    event.address = &scene->words[step->location];
    event.bytes = sizeof(uint32_t);
    event.object = &scene->objects[step->location];
    event.access = step->kind == WEIRI_STEP_WRITE ? WEIRI_ACCESS_BIT_WRITE
                                                  : WEIRI_ACCESS_BIT_READ;
    emit(scene, &event);
}

static void tell_release(struct scene *scene, const struct weiri_node *node)
{
    unsigned spaces
        = scene->rules->scoped ? node->spaces : (unsigned)(WEIR_LOCAL | WEIR_GLOBAL);
    struct weiri_event event = event_of(scene, node);
    event.kind = WEIRI_EVENT_RELEASE;
    event.op = WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                        memory_scope_work_group, spaces, 0);
    emit(scene, &event);
}

/* ---- An interleaving ----------------------------------------------------- */

/* The thread does what it wants to do next, and sees the latest of everything. */
static void step(struct scene *scene, uint32_t thread)
{
    struct weiri_graph *graph = &scene->graph;
    const struct weiri_step next = *weiri_graph_next(graph, thread);
    const struct weiri_order_of_writes *writes = &graph->writes[next.location];
    uint16_t latest = next.kind <= WEIRI_STEP_UPDATE && writes->n > 0
        ? writes->at[writes->n - 1]
        : WEIRI_NO_EVENT;
    uint32_t event = 0;
    bool stored = next.kind == WEIRI_STEP_WRITE;
    int64_t value;
    switch (next.kind) {
    case WEIRI_STEP_READ:
        event = weiri_graph_read(graph, thread, latest, false);
        break;
    case WEIRI_STEP_WRITE:
        event = weiri_graph_write(graph, thread, writes->n);
        break;
    case WEIRI_STEP_UPDATE:
        stored = scene->program->update(
            scene->program->self, thread, weiri_graph_state(graph, thread),
            weiri_graph_value(graph, next.location, latest), &value);
        event = weiri_graph_read(graph, thread, latest, stored);
        if (stored) {
            event = weiri_graph_update(graph, thread, value);
        }
        break;
    default:
        event = weiri_graph_fence(graph, thread);
        break;
    }
    const struct weiri_node *node = &graph->nodes[event];
    if (next.kind == WEIRI_STEP_FENCE || next.atomic) {
        tell_atomic(scene, node, &next, stored);
    } else {
        tell_plain(scene, node, &next);
    }
}

static void enter(struct scene *scene, uint32_t thread)
{
    struct weiri_graph *graph = &scene->graph;
    uint32_t event = weiri_graph_enter(graph, thread);
    if (!weiri_graph_may_exit(graph, thread)) {
        return;
    }
    tell_release(scene, &graph->nodes[event]);
    for (uint32_t t = 0; t < scene->program->n_threads; t++) {
        if (weiri_graph_may_exit(graph, t)) {
            weiri_graph_exit(graph, t);
        }
    }
}

/* Whether the thread can take a step, other than to leave a barrier. */
static bool can_run(const struct scene *scene, uint32_t thread)
{
    const struct weiri_graph *graph = &scene->graph;
    uint16_t last = graph->last[thread];
    bool inside = last != WEIRI_NO_EVENT && graph->nodes[last].kind == WEIRI_ENTERS;
    return !inside && weiri_graph_next(graph, thread)->kind <= WEIRI_STEP_ENTER;
}

static void run(struct scene *scene, GRand *random)
{
    for (;;) {
        uint32_t ready[MOST_THREADS], n = 0;
        for (uint32_t t = 0; t < scene->program->n_threads; t++) {
            if (can_run(scene, t)) {
                ready[n++] = t;
            }
        }
        if (n == 0) {
            return;
        }
        uint32_t thread = ready[g_rand_int_range(random, 0, (gint32)n)];
        if (weiri_graph_next(&scene->graph, thread)->kind == WEIRI_STEP_ENTER) {
            enter(scene, thread);
        } else {
            step(scene, thread);
        }
    }
}

/* ---- Scenes -------------------------------------------------------------- */

/* Threads become items. */
static struct weiri_shape place_threads(struct scene *scene)
{
    uint32_t most = 0, n_items[MOST_THREADS] = { 0 }, ids[MOST_THREADS];
    for (uint32_t t = 0; t < scene->program->n_threads; t++) {
        uint32_t id = scene->program->threads[t].group;
        uint32_t g = 0;
        while (g < scene->n_groups && ids[g] != id) {
            g++;
        }
        ids[g] = id;
        scene->n_groups = MAX(scene->n_groups, g + 1);
        scene->group[t] = g;
        scene->item[t] = n_items[g]++;
        most = MAX(most, n_items[g]);
    }
    return (struct weiri_shape){ .dim = 1,
                                 .sub_group_size = 1,
                                 .items = most,
                                 .global = { most * scene->n_groups, 1, 1 },
                                 .local = { most, 1, 1 },
                                 .groups = { scene->n_groups, 1, 1 } };
}

static void place_memory(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->program->n_locations; i++) {
        bool local
            = scene->rules->scoped && scene->program->locations[i].space == WEIR_LOCAL;
        scene->objects[i] = (struct weiri_object){
            .start = (const char *)&scene->words[i],
            .bytes = sizeof(uint32_t),
            .element_bytes = sizeof(uint32_t),
            .kind = local ? WEIRI_OBJECT_LOCAL : WEIRI_OBJECT_GLOBAL,
        };
    }
    for (uint32_t t = 0; t < scene->test->n_threads; t++) {
        const struct weiri_litmus_thread *thread = &scene->test->threads[t];
        for (uint32_t i = 0; i < thread->n_parameters; i++) {
            scene->objects[thread->parameters[i].location].group = scene->group[t];
        }
    }
}

/* Whether the execution that the seed leads to has a race, on which both agree. */
static bool races(const struct weiri_litmus *test, const struct rules *rules,
                  guint32 seed)
{
    struct scene *scene = g_new0(struct scene, 1);
    scene->rules = rules;
    scene->test = test;
    scene->kernel.name = "litmus";
    scene->program = weiri_litmus_program(test, 4);
    weiri_frame_init(&scene->frame, scene->program, rules->model);
    weiri_graph_init(&scene->graph, &scene->frame);
    struct weiri_shape shape = place_threads(scene);
    place_memory(scene);
    const struct weiri_race_rules how = { .spaces = rules->spaces };
    scene->race = weiri_race_new(&how, &shape, scene->n_groups);
    for (uint32_t g = 0; g < scene->n_groups; g++) {
        scene->groups[g].shape = shape;
        scene->groups[g].shape.group[0] = scene->groups[g].shape.group_linear = g;
        emit(scene,
             &(struct weiri_event){ .kind = WEIRI_EVENT_GROUP_BEGIN,
                                    .group = &scene->groups[g] });
    }
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    run(scene, random);
    uint32_t one, other;
    bool graph = weiri_graph_race(&scene->graph, &one, &other);
    bool detector = weiri_race_n_pairs(scene->race) > 0;
    ck_assert_msg(graph == detector,
                  "%s under %s, seed %u: the graph has %s race, the detector finds %zu "
                  "pairs",
                  test->name, rules->name, seed, graph ? "a" : "no",
                  weiri_race_n_pairs(scene->race));
    weiri_race_free(scene->race);
    weiri_graph_clear(&scene->graph);
    weiri_frame_clear(&scene->frame);
    weiri_litmus_program_free(scene->program);
    g_free(scene);
    return graph;
}

/* The simulated machine is one device. */
static bool fits(const struct weiri_litmus *test)
{
    bool one_device = true;
    for (uint32_t t = 1; t < test->n_threads; t++) {
        one_device &= test->threads[t].device == test->threads[0].device;
    }
    return one_device && test->n_threads <= MOST_THREADS
        && test->n_locations <= MOST_LOCATIONS;
}

/* ---- Tests --------------------------------------------------------------- */

static uint64_t n_executions, n_racy;

/* @racy: whether some execution has a race */
static void check_test(const struct weiri_litmus *test, const struct rules *rules,
                       bool racy)
{
    if (!fits(test) || (rules->scoped && !test->placed)) {
        return;
    }
    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        bool race = races(test, rules, seed);
        n_executions++;
        n_racy += race;
        ck_assert_msg(!race || racy, "%s under %s: seed %u races", test->name,
                      rules->name, seed);
    }
}

static void check_verdict(const struct weiri_litmus *test,
                          const struct litmus_verdict *verdict, void *user)
{
    check_test(test, user, verdict->races);
}

static void begin_tally(void)
{
    n_executions = n_racy = 0;
}

static void end_tally(const struct rules *rules)
{
    printf("%s: %" G_GUINT64_FORMAT " executions, %" G_GUINT64_FORMAT " with a race\n",
           rules->name, n_executions, n_racy);
    ck_assert_uint_gt(n_racy, 0);
    ck_assert_uint_lt(n_racy, n_executions);
}

CASE("races", .seconds = 120);

TEST_EACH(the_detector_agrees_with_the_graph_on_the_library, G_N_ELEMENTS(all_rules))
{
    const struct rules *rules = &all_rules[_i];
    g_autoptr(GPtrArray) paths = litmus_list(SAMPLES);
    begin_tally();
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_auto(GStrv) racy = litmus_file_says(path, "race");
        g_autoptr(weiri_litmus) test = litmus_read_file(path);
        check_test(test, rules,
                   g_strv_contains((const char *const *)racy, rules->name));
    }
    end_tally(rules);
}

TEST_EACH(the_detector_agrees_with_the_graph_and_with_verdicts, G_N_ELEMENTS(all_rules))
{
    struct rules rules = all_rules[_i];
    begin_tally();
    if (litmus_each_verdict(rules.name, 1, check_verdict, &rules) > 0) {
        end_tally(&rules);
    }
}

MAIN("litmus-races")
