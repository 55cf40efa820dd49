/* SPDX-License-Identifier: MIT
 *
 * check_step.c: executions that are stepped by choices. All walks over allowed options
 * of a test lead to exactly the executions that the explorer visits; under the models
 * with load buffering, which it does not know, to those of the enumerator in which no
 * read reads from a later write. So do walks over tables of PTX and Vulkan, where also
 * the order of fences must agree with that of steps.
 *
 * With WEIR_TABLES_DIR all tables in that folder are walked, too. */
#include "litmus_support.h"
#include "support.h"

#include "litmus/program.h"
#include "model/axioms.h"
#include "model/explore.h"
#include "model/step.h"

#include <inttypes.h>
#include <stdio.h>

enum { ROUNDS = 8 | WEIRI_LITMUS_STOP_SPINS };

/* Tests with more parts of executions are left out. */
enum { MOST_PARTS = 20000 };

/* All walks over one test. */
struct walk {
    const struct weiri_litmus *test;
    struct weiri_program *program;
    const struct weiri_model *model;
    struct weiri_stepper stepper;
    GArray *path;       /* of struct weiri_choice, to the current part; owned */
    GHashTable *parts;  /* numbers of those that were met; owned, as the following */
    GHashTable *ended;  /* of complete executions */
    GHashTable *stuck;  /* of those that block */
    GHashTable *states; /* texts of final states */
    bool judges;        /* the graph, too, knows what the model allows */
    bool too_many;
};

static GHashTable *numbers_new(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

static GHashTable *texts_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* Returns: whether it is new. In a table the order of fences and entries counts. */
static bool add_number(GHashTable *to, const struct weiri_graph *graph)
{
    uint64_t hash = weiri_graph_hash(graph);
    for (uint32_t e = 0; e < graph->n && graph->frame->program->rendezvous != NULL;
         e++) {
        const struct weiri_node *node = &graph->nodes[e];
        if (node->kind == WEIRI_FENCES || node->kind == WEIRI_ENTERS) {
            hash = (hash ^ (node->thread * 64u + node->index + 1))
                * UINT64_C(0x9e3779b97f4a7c15);
        }
    }
    gint64 number = (gint64)hash;
    return g_hash_table_add(to, g_memdup2(&number, sizeof(number)));
}

struct end {
    const struct weiri_program *program;
    const struct weiri_graph *graph;
};

static int64_t value_of(struct weiri_litmus_term term, const void *user)
{
    const struct end *end = user;
    return term.thread == WEIRI_LITMUS_MEMORY
        ? weiri_graph_memory(end->graph, term.index)
        : weiri_litmus_program_register(
            end->program, weiri_graph_state(end->graph, term.thread), term.index);
}

/* Begins anew and takes the steps of the path. */
static void retrace(struct walk *walk)
{
    weiri_stepper_clear(&walk->stepper);
    weiri_stepper_init(&walk->stepper, walk->program, walk->model, false);
    for (guint i = 0; i < walk->path->len; i++) {
        ck_assert(weiri_stepper_take(
            &walk->stepper, g_array_index(walk->path, struct weiri_choice, i)));
    }
}

/* The graph's answer about an option, which does not use the axioms. */
static bool is_consistent(struct weiri_graph *graph, const struct weiri_option *option)
{
    uint32_t thread = option->choice.thread, place = option->choice.place;
    uint32_t n = graph->n, location = weiri_graph_next(graph, thread)->location;
    const struct weiri_order_of_writes *writes = &graph->writes[location];
    if (place < weiri_graph_floor(graph, thread, location)
        || (option->writes && place < writes->n
            && graph->nodes[writes->at[place]].update)) {
        return false;
    }
    if (option->reads) {
        weiri_graph_read(graph, thread, option->source, option->writes);
    }
    if (option->reads && option->writes) {
        weiri_graph_update(graph, thread, option->written);
    } else if (option->writes) {
        weiri_graph_write(graph, thread, place);
    }
    bool consistent = weiri_graph_is_consistent(graph);
    weiri_graph_cut(graph, n);
    return consistent;
}

static void visit(struct walk *walk);

static void follow(struct walk *walk, struct weiri_choice choice)
{
    uint32_t n = walk->stepper.graph->n;
    bool spins = weiri_stepper_standing(&walk->stepper, choice.thread)
        == WEIRI_STANDS_SPINNING;
    g_array_append_val(walk->path, choice);
    ck_assert(weiri_stepper_take(&walk->stepper, choice));
    visit(walk);
    g_array_set_size(walk->path, walk->path->len - 1);
    if (spins) {
        retrace(walk); /* an iteration was taken out */
    } else {
        weiri_graph_cut(walk->stepper.graph, n);
    }
}

static void visit(struct walk *walk)
{
    if (walk->too_many || !add_number(walk->parts, walk->stepper.graph)) {
        return;
    }
    walk->too_many = g_hash_table_size(walk->parts) > MOST_PARTS;
    const struct end end = { walk->program, walk->stepper.graph };
    switch (weiri_stepper_reached(&walk->stepper)) {
    case WEIRI_REACHED_COMPLETE:
        add_number(walk->ended, end.graph);
        g_hash_table_add(walk->states, weiri_litmus_state(walk->test, value_of, &end));
        break;
    case WEIRI_REACHED_BLOCKED:
        add_number(walk->stuck, end.graph);
        break;
    default:
        break;
    }
    for (uint32_t t = 0; t < walk->program->n_threads; t++) {
        g_autoptr(GArray) options = weiri_stepper_options(&walk->stepper, t);
        for (guint i = 0; i < options->len; i++) {
            const struct weiri_option *option
                = &g_array_index(options, struct weiri_option, i);
            if (walk->judges && (option->reads || option->writes)
                && weiri_stepper_standing(&walk->stepper, t) == WEIRI_STANDS_READY) {
                ck_assert_int_eq(option->allowed,
                                 is_consistent(walk->stepper.graph, option));
            }
            if (option->allowed) {
                follow(walk, option->choice);
            } else {
                ck_assert(!weiri_stepper_take(&walk->stepper, option->choice));
            }
        }
    }
}

/* Visits all parts of executions that allowed options lead to. */
static void walk_all(struct walk *walk, const struct weiri_litmus *test,
                     const struct weiri_model *model)
{
    *walk
        = (struct walk){ .test = test,
                         .program = weiri_litmus_program(test, ROUNDS),
                         .model = model,
                         .judges = !model->buffers,
                         .path = g_array_new(FALSE, FALSE, sizeof(struct weiri_choice)),
                         .parts = numbers_new(),
                         .ended = numbers_new(),
                         .stuck = numbers_new(),
                         .states = texts_new() };
    weiri_stepper_init(&walk->stepper, walk->program, model, false);
    visit(walk);
}

static void walk_clear(struct walk *walk)
{
    weiri_stepper_clear(&walk->stepper);
    weiri_litmus_program_free(walk->program);
    g_array_unref(walk->path);
    g_hash_table_unref(walk->parts);
    g_hash_table_unref(walk->ended);
    g_hash_table_unref(walk->stuck);
    g_hash_table_unref(walk->states);
}

/* The first of @some that @others lacks, or NULL. */
static gpointer lacking(GHashTable *some, GHashTable *others)
{
    GHashTableIter all;
    gpointer key;
    g_hash_table_iter_init(&all, some);
    while (g_hash_table_iter_next(&all, &key, NULL)) {
        if (!g_hash_table_contains(others, key)) {
            return key;
        }
    }
    return NULL;
}

static void expect_same(GHashTable *walked, GHashTable *explored, const char *what,
                        const char *file, const struct weiri_model *model)
{
    ck_assert_msg(
        lacking(walked, explored) == NULL && lacking(explored, walked) == NULL,
        "%s, model %s: walks lead to %u %s, of %u that there are", file, model->name,
        g_hash_table_size(walked), what, g_hash_table_size(explored));
}

/* ---- Against the explorer -------------------------------------------------------- */

static const struct weiri_model *const explored[]
    = { [WEIRI_EXPLORED_SC] = &weiri_model_sc,
        [WEIRI_EXPLORED_RC11] = &weiri_model_rc11,
        [WEIRI_EXPLORED_SYCL] = &weiri_model_sycl,
        [WEIRI_EXPLORED_SYCL_SPLIT] = &weiri_model_sycl_split };

struct visited {
    GHashTable *ended, *stuck;
};

static bool hear(void *user, const struct weiri_graph *graph, bool race)
{
    const struct visited *visited = user;
    (void)race;
    add_number(visited->ended, graph);
    return true;
}

static void hear_stuck(void *user, const struct weiri_graph *graph,
                       enum weiri_execution_end why)
{
    const struct visited *visited = user;
    (void)why;
    add_number(visited->stuck, graph);
}

/* Returns: whether it was compared */
static bool compare(const struct weiri_litmus *test, const char *file,
                    enum weiri_explored model)
{
    struct walk walk;
    walk_all(&walk, test, explored[model]);
    bool compared = !walk.too_many;
    if (compared) {
        struct visited visited = { numbers_new(), numbers_new() };
        struct weiri_program *program = weiri_litmus_program(test, ROUNDS);
        weiri_explore(program,
                      &(struct weiri_explore_options){ .model = model,
                                                       .execution = hear,
                                                       .stuck = hear_stuck,
                                                       .user = &visited });
        expect_same(walk.ended, visited.ended, "executions", file, explored[model]);
        expect_same(walk.stuck, visited.stuck, "executions that block", file,
                    explored[model]);
        weiri_litmus_program_free(program);
        g_hash_table_unref(visited.ended);
        g_hash_table_unref(visited.stuck);
    }
    walk_clear(&walk);
    return compared;
}

/* So many of the included tests at least are small enough. */
enum { FEWEST = 80 };

CASE("walks");

TEST_EACH(walks_lead_to_the_executions_of_the_explorer, G_N_ELEMENTS(explored))
{
    g_autoptr(GPtrArray) paths = litmus_list(SAMPLES);
    unsigned n = 0;
    for (guint i = 0; i < paths->len; i += (guint)scaled(1, 9)) {
        const char *file = g_ptr_array_index(paths, i);
        g_autoptr(weiri_litmus) test = litmus_read_file(file);
        n += compare(test, file, (enum weiri_explored)_i);
    }
    ck_assert_uint_ge(n, scaled(FEWEST, 1));
}

/* Store buffering in which one read is a compare-exchange that fails, as none of the
 * included tests has it: only a failure order seq_cst forbids that both read 0. */
TEST_EACH(a_failed_compare_exchange_has_the_order_of_its_failure,
          G_N_ELEMENTS(explored))
{
    static const char *const failures[] = { "relaxed", "seq_cst" };
    for (size_t f = 0; f < G_N_ELEMENTS(failures); f++) {
        g_autofree char *text = g_strdup_printf(
            "C SB\n{ x = 0; y = 0; a = 5; }\n"
            "P0 (atomic_int* x, atomic_int* y) {\n"
            "  atomic_store_explicit(x, 1, memory_order_seq_cst);\n"
            "  int r0 = atomic_load_explicit(y, memory_order_seq_cst);\n"
            "}\n"
            "P1 (atomic_int* x, atomic_int* y, int* a) {\n"
            "  atomic_store_explicit(y, 1, memory_order_seq_cst);\n"
            "  int r0 = atomic_compare_exchange_strong_explicit(x, a, 2, "
            "memory_order_seq_cst, memory_order_%s);\n"
            "}\n"
            "exists (0:r0=0 /\\ a=0)\n",
            failures[f]);
        g_autoptr(weiri_litmus) test = litmus_read(text, "text");
        struct walk walk;
        walk_all(&walk, test, explored[_i]);
        bool forbidden = _i == WEIRI_EXPLORED_SC || f == 1;
        ck_assert_uint_eq(g_hash_table_size(walk.ended), forbidden ? 3 : 4);
        walk_clear(&walk);
        ck_assert(compare(test, failures[f], (enum weiri_explored)_i));
    }
}

/* ---- Against the enumerator ------------------------------------------------------ */

struct candidates {
    const struct weiri_litmus *test;
    GHashTable *states; /* those without load buffering; owned, as the following */
    uint64_t n_buffering;
};

static bool note(const struct weiri_candidate *candidate, void *user)
{
    struct candidates *all = user;
    if (candidate->end == WEIRI_END_COMPLETE) {
        if (weiri_axioms_nta.holds(candidate->facts, NULL)) {
            g_hash_table_add(all->states,
                             weiri_litmus_state(all->test, weiri_litmus_program_value,
                                                candidate->execution));
        } else {
            all->n_buffering++;
        }
    }
    return true;
}

static const struct weiri_model *const buffering[]
    = { &weiri_model_gpu, &weiri_model_opencl };

/* Candidates beyond which a test is left out. */
enum { MOST_CANDIDATES = 300000 };

TEST_EACH(without_load_buffering_walks_lead_to_the_states_of_the_enumerator,
          G_N_ELEMENTS(buffering))
{
    g_autoptr(GPtrArray) paths = litmus_list(SAMPLES);
    unsigned n = 0;
    uint64_t n_buffering = 0;
    for (guint i = 0; i < paths->len; i += (guint)scaled(1, 9)) {
        const char *file = g_ptr_array_index(paths, i);
        g_autoptr(weiri_litmus) test = litmus_read_file(file);
        struct candidates all = { test, texts_new(), 0 };
        const struct weiri_enumeration seen = weiri_litmus_enumerate(
            test, ROUNDS,
            &(struct weiri_enumerate_options){ .model = buffering[_i],
                                               .most = MOST_CANDIDATES,
                                               .visit = note,
                                               .user = &all });
        struct walk walk;
        walk_all(&walk, test, buffering[_i]);
        if (seen.exhaustive && !walk.too_many) {
            expect_same(walk.states, all.states, "states", file, buffering[_i]);
            n_buffering += all.n_buffering;
            n++;
        }
        walk_clear(&walk);
        g_hash_table_unref(all.states);
    }
    ck_assert_uint_ge(n, scaled(FEWEST, 1));
    ck_assert(n_buffering > 0 || under_valgrind());
}

/* ---- Tables ---------------------------------------------------------------------- */

static const struct weiri_model *const of_tables[]
    = { &weiri_model_ptx,    &weiri_model_ptx_6_0,         &weiri_model_ptx_7_5,
        &weiri_model_vulkan, &weiri_model_vulkan_nochains, &weiri_model_vulkan_prose };

/* Whether the events can be taken one after the other. */
static bool has_order(const struct weiri_facts *f)
{
    struct weiri_algebra *k = f->algebra;
    struct weiri_relation all
        = weiri_relation_union(k, f->sb, weiri_relation_union(k, f->rf, f->bar));
    const struct weiri_program *program = f->execution->program;
    if (f->prepared->form == WEIRI_FORM_PTX) {
        all = weiri_relation_union(k, all, f->chosen[0]);
    }
    for (uint32_t a = 0; a < k->n; a++) {
        for (uint32_t b = 0; b < k->n; b++) {
            for (uint32_t i = 0; i < program->n_thens; i++) {
                if (f->execution->events[a].thread == program->first_threads[i]
                    && f->execution->events[b].thread == program->then_threads[i]) {
                    weiri_relation_add(k, all, a, b);
                }
            }
        }
    }
    return weiri_relation_is_acyclic(k, all);
}

static bool note_table(const struct weiri_candidate *candidate, void *user)
{
    struct candidates *all = user;
    if (candidate->end == WEIRI_END_COMPLETE) {
        if (has_order(candidate->facts)) {
            g_hash_table_add(all->states,
                             weiri_litmus_state(all->test, weiri_litmus_program_value,
                                                candidate->execution));
        } else {
            all->n_buffering++;
        }
    }
    return true;
}

/* Returns: whether they were compared */
static bool compare_table(const char *file, const struct weiri_model *model)
{
    g_autoptr(weiri_litmus) test = litmus_read_file(file);
    enum weiri_litmus_form form
        = model->form == WEIRI_FORM_PTX ? WEIRI_LITMUS_PTX : WEIRI_LITMUS_VULKAN;
    if (test->form != form) {
        return false;
    }
    struct candidates all = { test, texts_new(), 0 };
    const struct weiri_enumeration seen = weiri_litmus_enumerate(
        test, ROUNDS,
        &(struct weiri_enumerate_options){ .model = model,
                                           .most = MOST_CANDIDATES,
                                           .visit = note_table,
                                           .user = &all });
    struct walk walk;
    walk_all(&walk, test, model);
    bool compared = seen.exhaustive && !walk.too_many;
    if (compared) {
        expect_same(walk.states, all.states, "states", file, model);
    }
    walk_clear(&walk);
    g_hash_table_unref(all.states);
    return compared;
}

static unsigned compare_tables(const char *folder, const struct weiri_model *model,
                               size_t by)
{
    g_autoptr(GPtrArray) paths = litmus_list(folder);
    unsigned n = 0;
    for (guint i = 0; i < paths->len; i += (guint)by) {
        n += compare_table(g_ptr_array_index(paths, i), model);
    }
    return n;
}

/* So many of the tables are small enough for each model. */
enum { FEWEST_TABLES = 20 };

CASE("tables");

TEST_EACH(walks_over_tables_lead_to_the_states_of_the_enumerator,
          G_N_ELEMENTS(of_tables))
{
    const char *folder = getenv("WEIR_TABLES_DIR");
    unsigned n = compare_tables(TABLES, of_tables[_i], scaled(1, 9));
    ck_assert_uint_ge(n, scaled(FEWEST_TABLES, 1));
    if (folder != NULL) {
        n = compare_tables(folder, of_tables[_i], 1);
        printf("%s: %u tables of %s\n", of_tables[_i]->name, n, folder);
    }
}

/* ---- Single steps ---------------------------------------------------------------- */

static struct weiri_option option_at(struct weiri_stepper *stepper, uint32_t thread,
                                     uint32_t place)
{
    g_autoptr(GArray) options = weiri_stepper_options(stepper, thread);
    for (guint i = 0; i < options->len; i++) {
        const struct weiri_option *option
            = &g_array_index(options, struct weiri_option, i);
        if (option->choice.place == place) {
            return *option;
        }
    }
    ck_abort_msg("thread %u has no option %u", thread, place);
    return (struct weiri_option){ .allowed = false };
}

static const char MESSAGE[]
    = "C MP\n{ x = 0; y = 0; }\n"
      "P0 (atomic_int* x, atomic_int* y) {\n"
      "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
      "  atomic_store_explicit(y, 1, memory_order_release);\n"
      "}\n"
      "P1 (atomic_int* x, atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
      "  int r1 = atomic_load_explicit(x, memory_order_relaxed);\n"
      "}\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n";

CASE("steps");

/* The old value of x is refused after the flag was read, and not otherwise; and what
 * refuses it is coherence. */
TEST(a_read_of_an_old_value_is_refused_with_its_axiom)
{
    for (uint32_t flag = 0; flag < 2; flag++) {
        g_autoptr(weiri_litmus) test = litmus_read(MESSAGE, "text");
        struct weiri_program *program = weiri_litmus_program(test, ROUNDS);
        struct weiri_stepper stepper;
        weiri_stepper_init(&stepper, program, &weiri_model_rc11, false);
        ck_assert(weiri_stepper_take(&stepper, (struct weiri_choice){ 0, 0, false }));
        ck_assert(weiri_stepper_take(&stepper, (struct weiri_choice){ 0, 0, false }));
        ck_assert(
            weiri_stepper_take(&stepper, (struct weiri_choice){ 1, flag, false }));
        struct weiri_option old = option_at(&stepper, 1, 0);
        ck_assert(option_at(&stepper, 1, 1).allowed);
        ck_assert_int_eq(old.read, 0);
        ck_assert_int_eq(old.allowed, flag == 0);
        struct weiri_execution *with = weiri_stepper_with(&stepper, &old);
        struct weiri_algebra algebra = { 0 };
        struct weiri_facts facts;
        weiri_facts_begin(&facts, &algebra, with);
        weiri_model_read(&weiri_model_rc11, &facts);
        ck_assert_int_eq(weiri_axioms_coh.holds(&facts, NULL), flag == 0);
        ck_assert(weiri_axioms_nta.holds(&facts, NULL));
        weiri_algebra_clear(&algebra);
        weiri_execution_free(with);
        weiri_stepper_clear(&stepper);
        weiri_litmus_program_free(program);
    }
}

/* A thread that has seen no flag repeats its loop, as often as it is chosen, and reads
 * the flag when it is there: the execution has one read of it. */
TEST(a_thread_that_spins_reads_again)
{
    g_autoptr(weiri_litmus) test = litmus_read(
        "C WAIT\n{ x = 0; }\n"
        "P0 (atomic_int* x) {\n"
        "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
        "}\n"
        "P1 (atomic_int* x) {\n"
        "  while (atomic_load_explicit(x, memory_order_relaxed) == 0) {}\n"
        "}\n"
        "exists (x=1)\n",
        "text");
    struct weiri_program *program = weiri_litmus_program(test, ROUNDS);
    struct weiri_stepper stepper;
    const struct weiri_choice old = { 1, 0, false }, new = { 1, 1, false };
    weiri_stepper_init(&stepper, program, &weiri_model_sycl, false);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(!weiri_stepper_take(&stepper, new));
        ck_assert(weiri_stepper_take(&stepper, old));
        ck_assert_int_eq(weiri_stepper_standing(&stepper, 1), WEIRI_STANDS_SPINNING);
        ck_assert_uint_eq(stepper.graph->n, 1);
    }
    ck_assert(weiri_stepper_take(&stepper, (struct weiri_choice){ 0, 0, false }));
    ck_assert_int_eq(weiri_stepper_reached(&stepper), WEIRI_REACHED_PART);
    ck_assert(weiri_stepper_take(&stepper, old));
    ck_assert_int_eq(weiri_stepper_reached(&stepper), WEIRI_REACHED_PART);
    ck_assert(weiri_stepper_take(&stepper, new));
    ck_assert_uint_eq(stepper.graph->n, 2);
    ck_assert_int_eq(weiri_stepper_reached(&stepper), WEIRI_REACHED_COMPLETE);
    weiri_stepper_clear(&stepper);
    weiri_litmus_program_free(program);
}

MAIN("step")
