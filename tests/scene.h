/* SPDX-License-Identifier: MIT
 *
 * scene.h: executions made by hand, and what models say of them.
 *
 * A scene is set thread by thread: what is said of a thread comes after all that is
 * said of threads before it. Writes say where they are in modification order, from 0;
 * reads say what they read, a write or %WEIRI_INITIAL. What is expected is a text that
 * names each violated axiom with the edges of its cycle, from the first event on. */
#ifndef WEIR_TESTS_SCENE_H
#define WEIR_TESTS_SCENE_H

#include "support.h"

#include "model/model.h"

enum { MOST_EVENTS = 24, N_THREADS = 4 };

/* Locations: atomic ones and plain ones, of global and of local memory. */
enum { X, Y, Z, A, LA, LX, N_LOCATIONS };
static const struct weiri_program_location scene_locations[] = {
    [X] = { .name = "x", .space = WEIR_GLOBAL, .atomic = true },
    [Y] = { .name = "y", .space = WEIR_GLOBAL, .atomic = true },
    [Z] = { .name = "z", .space = WEIR_GLOBAL, .atomic = true },
    [A] = { .name = "a", .space = WEIR_GLOBAL },
    [LA] = { .name = "la", .space = WEIR_LOCAL },
    [LX] = { .name = "lx", .space = WEIR_LOCAL, .atomic = true },
};

/* Threads 0 and 1 are a group, 2 another one, 3 is on another device. */
static const struct weiri_program_thread scene_threads[N_THREADS]
    = { { .sub_group = 0 },
        { .sub_group = 1 },
        { .sub_group = 2, .group = 1, .cluster = 1 },
        { .sub_group = 3, .group = 2, .cluster = 2, .device = 1 } };
static const struct weiri_program scene_program = { .n_threads = N_THREADS,
                                                    .n_locations = N_LOCATIONS,
                                                    .threads = scene_threads,
                                                    .locations = scene_locations };

static struct weiri_execution_event events[MOST_EVENTS];
static uint32_t n_events;

/* ---- Setting a scene ------------------------------------------------------------- */

TEST_HELPER uint32_t put(uint32_t thread, struct weiri_execution_event event)
{
    ck_assert_uint_lt(n_events, MOST_EVENTS);
    event.thread = thread;
    events[n_events] = event;
    return n_events++;
}

TEST_HELPER uint32_t write_at(uint32_t thread, uint32_t location, uint32_t position,
                              memory_order order, memory_scope scope)
{
    return put(
        thread,
        (struct weiri_execution_event){ .kind = WEIRI_WRITES_MEMORY,
                                        .atomic = scope != memory_scope_work_item,
                                        .order = (uint8_t)order,
                                        .scope = (uint8_t)scope,
                                        .location = location,
                                        .position = position });
}

TEST_HELPER uint32_t read_from(uint32_t thread, uint32_t location, uint32_t from,
                               memory_order order, memory_scope scope)
{
    return put(
        thread,
        (struct weiri_execution_event){ .kind = WEIRI_READS_MEMORY,
                                        .atomic = scope != memory_scope_work_item,
                                        .order = (uint8_t)order,
                                        .scope = (uint8_t)scope,
                                        .location = location,
                                        .from = from });
}

/* Atomics of the device's scope, and plain accesses. */
#define STORE(t, at, position, o)                                                      \
    write_at(t, at, position, memory_order_##o, memory_scope_device)
#define LOAD(t, at, from, o)                                                           \
    read_from(t, at, from, memory_order_##o, memory_scope_device)
#define WRITE(t, at, position)                                                         \
    write_at(t, at, position, memory_order_relaxed, memory_scope_work_item)
#define READ(t, at, from)                                                              \
    read_from(t, at, from, memory_order_relaxed, memory_scope_work_item)

/* Returns: its write */
TEST_HELPER uint32_t update(uint32_t thread, uint32_t location, uint32_t from,
                            uint32_t position, memory_order order)
{
    uint32_t read = read_from(thread, location, from, order, memory_scope_device);
    uint32_t write = write_at(thread, location, position, order, memory_scope_device);
    events[read].update = events[write].update = true;
    return write;
}

TEST_HELPER uint32_t fence(uint32_t thread, memory_order order, memory_scope scope,
                           unsigned spaces)
{
    return put(thread,
               (struct weiri_execution_event){ .kind = WEIRI_FENCES,
                                               .order = (uint8_t)order,
                                               .scope = (uint8_t)scope,
                                               .spaces = (uint8_t)spaces });
}
enum { BOTH = WEIR_LOCAL | WEIR_GLOBAL };
#define FENCE(t, o) fence(t, memory_order_##o, memory_scope_device, BOTH)

/* The thread's @entry-th time, from 0, at that barrier. */
TEST_HELPER void barrier(uint32_t thread, uint32_t label, uint32_t entry,
                         unsigned spaces)
{
    struct weiri_execution_event event = { .kind = WEIRI_ENTERS,
                                           .scope = memory_scope_work_group,
                                           .spaces = (uint8_t)spaces,
                                           .label = label,
                                           .value = entry };
    put(thread, event);
    event.kind = WEIRI_EXITS;
    put(thread, event);
}

/* ---- Judging it ------------------------------------------------------------------ */

/* Each edge is where the last one ended. */
TEST_HELPER void expect_closed(const struct weiri_cycle *cycle)
{
    ck_assert_uint_gt(cycle->n, 0);
    for (uint32_t i = 0; i < cycle->n; i++) {
        ck_assert_uint_eq(cycle->edges[i].to, cycle->edges[(i + 1) % cycle->n].from);
    }
}

TEST_HELPER void say_violations(const struct weiri_model *model,
                                const struct weiri_facts *facts, GString *text)
{
    for (uint32_t i = 0; i < model->n_axioms; i++) {
        const struct weiri_axiom *axiom = model->axioms[i];
        struct weiri_cycle cycle = { 0 };
        bool holds = axiom->holds(facts, NULL);
        ck_assert(axiom->holds(facts, &cycle) == holds);
        ck_assert_str_ne(axiom->sentence, "");
        if (!holds) {
            expect_closed(&cycle);
            g_string_append_printf(text, "%s%s:", text->len > 0 ? "; " : "",
                                   axiom->name);
            for (uint32_t e = 0; e < cycle.n; e++) {
                g_string_append_printf(text, " %s", cycle.edges[e].name);
            }
        }
        ck_assert(holds == (cycle.n == 0));
        weiri_cycle_clear(&cycle);
    }
}

/* What the model says of the scene: which axioms it violates, or "race", or nothing. */
TEST_HELPER void expect_by(const char *name, const char *expected, int line)
{
    uint32_t first[N_THREADS + 1] = { 0 };
    for (uint32_t t = 0, e = 0; t < N_THREADS; t++) {
        for (first[t] = e; e < n_events && events[e].thread == t; e++) {
            events[e].index = e - first[t];
        }
        first[t + 1] = e;
    }
    ck_assert_uint_eq(first[N_THREADS], n_events); /* threads in their order */
    const struct weiri_execution execution = { .program = &scene_program,
                                               .n_events = n_events,
                                               .events = events,
                                               .first = first };
    const struct weiri_model *model = weiri_model_find(name);
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    weiri_facts_begin(&facts, &algebra, &execution);
    weiri_model_read(model, &facts);
    g_autoptr(GString) text = g_string_new(NULL);
    say_violations(model, &facts, text);
    ck_assert(weiri_model_allows(model, &facts) == (text->len == 0));
    uint32_t one, other;
    if (text->len == 0 && model->race != NULL && model->race(&facts, &one, &other)) {
        g_string_append(text, "race");
        ck_assert(one < other && events[one].thread != events[other].thread
                  && events[one].location == events[other].location);
    }
    EXPECT(strcmp(text->str, expected) == 0, "line %d: %s says '%s', not '%s'", line,
           name, text->str, expected);
    weiri_algebra_clear(&algebra);
}
#define EXPECT_BY(name, expected) expect_by(name, expected, __LINE__)

TEST_HELPER void expect_by_all(const char *names, const char *expected, int line)
{
    g_auto(GStrv) each = g_strsplit(names, " ", 0);
    for (size_t i = 0; each[i] != NULL; i++) {
        expect_by(each[i], expected, line);
    }
}
#define EXPECT_BY_ALL(names, expected) expect_by_all(names, expected, __LINE__)

/* The models of scoped RC11's axioms; those that forbid load buffering; all. */
#define FAMILY "rc11 sycl sycl-split gpu"
#define CAUSAL "rc11 sycl sycl-split"
#define ALL FAMILY " opencl sc"

TEST_HELPER void begin(void)
{
    n_events = 0;
}

#endif
