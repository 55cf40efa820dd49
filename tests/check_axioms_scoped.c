/* SPDX-License-Identifier: MIT
 *
 * check_axioms_scoped.c: what scopes, address spaces and barriers are to the models,
 * and the axioms of OpenCL's; see check_axioms.c. */
#include "scene.h"

/* ---- Scopes ---------------------------------------------------------------------- */

/* A message between threads 0 and @to, of these scopes, where the data is stale. */
static void pass_scoped(uint32_t to, memory_scope release, memory_scope acquire)
{
    begin();
    WRITE(0, A, 0);
    uint32_t flag = write_at(0, Y, 0, memory_order_release, release);
    read_from(to, Y, flag, memory_order_acquire, acquire);
    READ(to, A, WEIRI_INITIAL);
}

CASE("scopes");

TEST(scopes_must_take_in_each_other)
{
    pass_scoped(1, memory_scope_work_group, memory_scope_work_group);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
    EXPECT_BY("opencl", "NARF: sb sw sb rb");
    pass_scoped(1, memory_scope_work_group, memory_scope_system);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
    EXPECT_BY("opencl", "race"); /* unequal ones include nothing there */
    pass_scoped(1, memory_scope_sub_group, memory_scope_work_group);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "race");
    EXPECT_BY("rc11", "COH: sb sw sb rb");
    pass_scoped(2, memory_scope_work_group, memory_scope_device);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "race");
    EXPECT_BY("rc11", "COH: sb sw sb rb");
    pass_scoped(2, memory_scope_device, memory_scope_work_group);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "race");
    pass_scoped(3, memory_scope_device, memory_scope_device);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "race");
    pass_scoped(3, memory_scope_system, memory_scope_system);
    EXPECT_BY_ALL("sycl sycl-split gpu", "COH: sb sw sb rb");
    EXPECT_BY("opencl", "NARF: sb sw sb rb");
}

/* Wide fences around narrow atomics, and narrow ones around wide atomics. */
TEST(both_the_ends_and_the_read_are_strong)
{
    static const struct {
        memory_scope fence, atomic;
        const char *sycl;
    } scopes[] = {
        { memory_scope_device, memory_scope_device, "COH: sb sw sb rb" },
        { memory_scope_device, memory_scope_work_group, "race" },
        { memory_scope_work_group, memory_scope_device, "race" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
        begin();
        WRITE(0, A, 0);
        fence(0, memory_order_release, scopes[i].fence, BOTH);
        uint32_t flag = write_at(0, Y, 0, memory_order_relaxed, scopes[i].atomic);
        read_from(2, Y, flag, memory_order_relaxed, scopes[i].atomic);
        fence(2, memory_order_acquire, scopes[i].fence, BOTH);
        READ(2, A, WEIRI_INITIAL);
        EXPECT_BY_ALL("sycl sycl-split gpu", scopes[i].sycl);
        EXPECT_BY("rc11", "COH: sb sw sb rb");
    }
}

TEST(release_sequences_go_on_through_strong_updates)
{
    for (int narrow = 0; narrow < 2; narrow++) {
        begin();
        WRITE(0, A, 0);
        uint32_t flag = STORE(0, Y, 0, release);
        flag = update(2, Y, flag, 1, memory_order_relaxed);
        if (narrow) {
            events[flag - 1].scope = events[flag].scope = memory_scope_work_group;
        }
        LOAD(2, Y, flag, acquire);
        READ(2, A, WEIRI_INITIAL);
        EXPECT_BY_ALL("sycl sycl-split gpu", narrow ? "race" : "COH: sb sw sb rb");
        EXPECT_BY("rc11", "COH: sb sw sb rb");
    }
}

TEST(atomics_race_where_scopes_leave_each_other_out)
{
    begin();
    write_at(0, X, 0, memory_order_relaxed, memory_scope_work_group);
    write_at(1, X, 1, memory_order_relaxed, memory_scope_work_group);
    EXPECT_BY_ALL(ALL, "");
    begin();
    write_at(0, X, 0, memory_order_relaxed, memory_scope_work_group);
    write_at(2, X, 1, memory_order_relaxed, memory_scope_work_group);
    EXPECT_BY_ALL("rc11 sc", "");
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "race");
    begin(); /* a plain access and an atomic one; two reads */
    WRITE(0, X, 0);
    LOAD(2, X, 0, relaxed);
    EXPECT_BY_ALL(FAMILY, "race");
    EXPECT_BY("opencl", "race");
    begin();
    READ(0, A, WEIRI_INITIAL);
    READ(2, A, WEIRI_INITIAL);
    EXPECT_BY_ALL(ALL, "");
}

/* ---- Barriers and address spaces ------------------------------------------------- */

CASE("spaces");

TEST(barriers_order_what_their_flags_name)
{
    static const struct {
        uint32_t location;
        unsigned flags;
        const char *scoped, *opencl;
    } data[] = {
        { A, WEIR_GLOBAL, "COH: sb bar sb rb", "NARF: sb bar sb rb" },
        { LA, WEIR_LOCAL, "COH: sb bar sb rb", "NARF: sb bar sb rb" },
        { LA, BOTH, "COH: sb bar sb rb", "NARF: sb bar sb rb" },
        { A, WEIR_LOCAL, "race", "race" },
        { LA, WEIR_GLOBAL, "race", "race" },
        { A, 0, "race", "race" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(data); i++) {
        begin();
        WRITE(0, data[i].location, 0);
        barrier(0, 0, 0, data[i].flags);
        barrier(1, 0, 0, data[i].flags);
        READ(1, data[i].location, WEIRI_INITIAL);
        EXPECT_BY_ALL("sycl sycl-split gpu", data[i].scoped);
        EXPECT_BY("opencl", data[i].opencl);
        EXPECT_BY("rc11", "COH: sb bar sb rb");
        EXPECT_BY("sc", "SC: sb bar sb rb");
    }
    begin(); /* not the same barrier; not the same time; not the same group */
    WRITE(0, A, 0);
    barrier(0, 0, 0, BOTH);
    barrier(1, 1, 0, BOTH);
    barrier(1, 0, 1, BOTH);
    READ(1, A, WEIRI_INITIAL);
    barrier(2, 0, 0, BOTH);
    READ(2, A, WEIRI_INITIAL);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl rc11", "race");
}

TEST(nothing_comes_back_over_a_rendezvous)
{
    begin();
    READ(0, A, 5);
    barrier(0, 0, 0, 0);
    barrier(1, 0, 0, 0);
    WRITE(1, A, 0);
    EXPECT_BY_ALL("sycl sycl-split", "NTA: sb bar sb rf");
    EXPECT_BY("rc11", "COH: sb bar sb rf; NTA: sb bar sb rf");
    EXPECT_BY("gpu", "race");
    for (uint32_t e = 0; e < n_events; e++) {
        events[e].spaces = WEIR_GLOBAL;
    }
    EXPECT_BY("gpu", "COH: sb bar sb rf");
    EXPECT_BY("opencl", "RF: sb bar sb rf; NARF: rf not hb^-1");
}

/* A flag in local memory that publishes global data, with fences of these spaces. */
static void publish_across(unsigned spaces)
{
    begin();
    WRITE(0, A, 0);
    fence(0, memory_order_release, memory_scope_work_group, spaces);
    uint32_t flag = write_at(0, LX, 0, memory_order_relaxed, memory_scope_work_group);
    read_from(1, LX, flag, memory_order_relaxed, memory_scope_work_group);
    fence(1, memory_order_acquire, memory_scope_work_group, spaces);
    READ(1, A, WEIRI_INITIAL);
}

TEST(spaces_are_apart_where_the_model_says_so)
{
    publish_across(BOTH);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
    EXPECT_BY("opencl", "NARF: sb sw sb rb");
    publish_across(WEIR_LOCAL);
    EXPECT_BY_ALL("sycl gpu rc11", "COH: sb sw sb rb");
    EXPECT_BY_ALL("sycl-split opencl", "race");
    publish_across(WEIR_GLOBAL);
    EXPECT_BY_ALL("sycl-split opencl", "race");

    /* seq_cst accesses order both spaces, and yet not what is before them in the other
     * one: there, program order has nothing between the data and them. */
    for (int sc = 0; sc < 2; sc++) {
        memory_order order = sc ? memory_order_seq_cst : memory_order_acq_rel;
        begin();
        WRITE(0, A, 0);
        uint32_t flag = write_at(0, LX, 0, order, memory_scope_work_group);
        read_from(1, LX, flag, order, memory_scope_work_group);
        READ(1, A, WEIRI_INITIAL);
        EXPECT_BY_ALL("sycl gpu", "COH: sb sw sb rb");
        EXPECT_BY_ALL("sycl-split opencl", "race");
    }
}

/* A fence of the other space does not end what synchronises this one: nothing that is
 * seq_cst is known by it. */
TEST(ends_are_of_the_space)
{
    static const struct {
        unsigned release, acquire;
        const char *split, *opencl;
    } flags[] = { { BOTH, BOTH, "SC: sw sb rb sb rb sb", "SC: sb sw sb rb sb rb" },
                  { WEIR_LOCAL, BOTH, "", "" },
                  { BOTH, WEIR_LOCAL, "", "" } };
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
        begin();
        STORE(0, X, 0, seq_cst);
        fence(0, memory_order_seq_cst, memory_scope_device, flags[i].release);
        uint32_t flag = STORE(0, Z, 0, relaxed);
        LOAD(1, Z, flag, relaxed);
        fence(1, memory_order_seq_cst, memory_scope_device, flags[i].acquire);
        LOAD(1, Y, WEIRI_INITIAL, seq_cst);
        STORE(2, Y, 0, seq_cst);
        LOAD(2, X, WEIRI_INITIAL, seq_cst);
        EXPECT_BY("sycl-split", flags[i].split);
        EXPECT_BY("opencl", flags[i].opencl);
        EXPECT_BY_ALL("sycl gpu rc11", "SC: sw sb rb sb rb sb");
    }
}

/* ---- OpenCL's own ---------------------------------------------------------------- */

CASE("opencl");

TEST(nothing_happens_before_itself)
{
    begin(); /* barriers in opposite orders: no execution of a program, but a cycle */
    barrier(0, 0, 0, WEIR_GLOBAL);
    barrier(0, 1, 0, WEIR_GLOBAL);
    barrier(1, 1, 0, WEIR_GLOBAL);
    barrier(1, 0, 0, WEIR_GLOBAL);
    EXPECT_BY("opencl", "HB: sb bar sb bar");
    EXPECT_BY("gpu", "COH: sb bar sb bar");
    for (uint32_t e = 0; e < n_events; e++) {
        events[e].spaces = e < 2 || e >= 6 ? WEIR_GLOBAL : WEIR_LOCAL;
    }
    EXPECT_BY_ALL("opencl gpu", ""); /* a cycle of both spaces is none of either */
    EXPECT_BY("sycl", "NTA: sb bar sb bar");
}

TEST(plain_locations_are_read_where_a_write_is_visible)
{
    begin();
    uint32_t one = WRITE(0, A, 0), two = WRITE(0, A, 1);
    READ(0, A, one);
    EXPECT_BY("opencl", "NARF: sb sb rf^-1");
    events[2].from = two;
    EXPECT_BY("opencl", "");
    events[2].from = WEIRI_INITIAL;
    EXPECT_BY("opencl", "NARF: sb rb");
    begin(); /* of another thread, that happens not before */
    WRITE(0, A, 0);
    READ(2, A, 0);
    EXPECT_BY("opencl", "NARF: rf not hb^-1");
    EXPECT_BY_ALL(FAMILY, "race");
    events[1].from = WEIRI_INITIAL;
    EXPECT_BY("opencl", "race");
}

TEST(a_plain_location_ends_with_a_last_write)
{
    begin();
    WRITE(0, A, 2);
    WRITE(0, A, 1);
    WRITE(0, A, 0);
    EXPECT_BY("opencl", "FINAL: sb mo");
    events[0].position = 1, events[1].position = 0, events[2].position = 2;
    EXPECT_BY("opencl", ""); /* the order of the others does not matter */
    EXPECT_BY_ALL(FAMILY, "COH: sb mo");
    events[0].position = 0, events[1].position = 1;
    EXPECT_BY_ALL(ALL, "");
}

/* ---- The list -------------------------------------------------------------------- */

CASE("list");

TEST(models_are_found_by_name)
{
    static const char *const names[]
        = { "sycl", "sycl-split", "rc11", "sc", "opencl", "gpu" };
    size_t n = 0;
    for (; weiri_models[n]->form == WEIRI_FORM_C; n++) {
        const struct weiri_model *model = weiri_models[n];
        ck_assert_ptr_eq(weiri_model_find(model->name), model);
        ck_assert(
            g_strv_contains((const char *const[]){ names[n], NULL }, model->name));
        ck_assert_str_ne(model->summary, "");
        ck_assert((model->race == NULL) == (strcmp(model->name, "sc") == 0));
    }
    ck_assert_uint_eq(n, G_N_ELEMENTS(names));
    ck_assert_ptr_null(weiri_model_find("c11"));
    ck_assert_ptr_null(weiri_model_find(""));
}

MAIN("axioms-scoped")
