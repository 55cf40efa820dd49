/* SPDX-License-Identifier: MIT
 *
 * check_axioms.c: the axioms of RC11, one by one, of executions made by hand: each is
 * violated by some, for the reason that is given, and its nearest neighbour is allowed.
 * Models that add to RC11 are asked, too; see check_axioms_scoped.c for what they
 * add. */
#include "scene.h"

/* ---- Coherence ------------------------------------------------------------------- */

/* A message: data, then a flag; the flag is seen. */
static void pass_message(memory_order release, memory_order acquire, bool stale)
{
    begin();
    uint32_t data = WRITE(0, A, 0);
    uint32_t flag = write_at(0, Y, 0, release, memory_scope_device);
    read_from(2, Y, flag, acquire, memory_scope_device);
    READ(2, A, stale ? WEIRI_INITIAL : data);
}

CASE("coherence");

TEST(a_message_is_as_its_order_says)
{
    pass_message(memory_order_release, memory_order_acquire, true);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
    EXPECT_BY("opencl", "NARF: sb sw sb rb");
    EXPECT_BY("sc", "SC: sb rf sb rb");
    pass_message(memory_order_release, memory_order_acquire, false);
    EXPECT_BY_ALL(ALL, "");
    pass_message(memory_order_relaxed, memory_order_acquire, true);
    EXPECT_BY_ALL(FAMILY, "race");
    EXPECT_BY("opencl", "race");
    pass_message(memory_order_release, memory_order_relaxed, true);
    EXPECT_BY_ALL(FAMILY, "race");
    pass_message(memory_order_acq_rel, memory_order_seq_cst, true);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
}

TEST(fences_synchronise_with_accesses_around_them)
{
    for (int wrong = 0; wrong < 3; wrong++) {
        begin();
        WRITE(0, A, 0);
        if (wrong != 1) {
            FENCE(0, release);
        }
        uint32_t flag = STORE(0, Y, 0, relaxed);
        LOAD(2, Y, flag, relaxed);
        if (wrong == 2) {
            READ(2, A, WEIRI_INITIAL);
            FENCE(2, acquire);
        } else {
            FENCE(2, acquire);
            READ(2, A, WEIRI_INITIAL);
        }
        EXPECT_BY_ALL(FAMILY, wrong == 0 ? "COH: sb sw sb rb" : "race");
    }
}

/* The four shapes of two accesses to one location, and a second thread where one is
 * needed. */
TEST(a_thread_never_goes_back_at_one_location)
{
    begin();
    STORE(0, X, 1, relaxed);
    STORE(0, X, 0, relaxed);
    EXPECT_BY_ALL(FAMILY, "COH: sb mo");
    EXPECT_BY("opencl", "COH: sb mo");
    EXPECT_BY("sc", "SC: sb mo");

    begin();
    uint32_t one = STORE(0, X, 0, relaxed), two = STORE(0, X, 1, relaxed);
    LOAD(2, X, two, relaxed);
    LOAD(2, X, one, relaxed);
    EXPECT_BY_ALL(FAMILY " opencl", "COH: sb rb rf");

    begin();
    STORE(0, X, 0, relaxed);
    LOAD(0, X, WEIRI_INITIAL, relaxed);
    EXPECT_BY_ALL(FAMILY " opencl", "COH: sb rb");

    begin();
    LOAD(0, X, 1, relaxed);
    STORE(0, X, 0, relaxed);
    EXPECT_BY_ALL(CAUSAL, "COH: sb rf; NTA: sb rf");
    EXPECT_BY("gpu", "COH: sb rf");
    EXPECT_BY("opencl", "RF: sb rf");

    begin(); /* and the neighbours, all in one */
    one = STORE(0, X, 0, relaxed), two = STORE(0, X, 1, relaxed);
    LOAD(0, X, two, relaxed);
    LOAD(2, X, one, relaxed);
    LOAD(2, X, two, relaxed);
    STORE(2, X, 2, relaxed);
    EXPECT_BY_ALL(ALL, "");
}

/* A release sequence goes on through one later write of the thread, and updates. */
TEST(release_sequences_go_on)
{
    for (int third = 0; third < 2;
         third++) { /* a second later write ends it, but ... */
        begin();
        WRITE(0, A, 0);
        uint32_t flag = STORE(0, Y, 0, release);
        flag = STORE(0, Y, 1, relaxed);
        if (third) {
            flag = STORE(0, Y, 2, relaxed); /* ... is itself a later one of the first */
        }
        flag = update(1, Y, flag, 2 + (uint32_t)third, memory_order_relaxed);
        LOAD(2, Y, flag, acquire);
        READ(2, A, WEIRI_INITIAL);
        EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
        EXPECT_BY("opencl", "NARF: sb sw sb rb");
    }
    begin(); /* another thread's write ends it */
    WRITE(0, A, 0);
    STORE(0, Y, 0, release);
    uint32_t flag = STORE(1, Y, 1, relaxed);
    LOAD(2, Y, flag, acquire);
    READ(2, A, WEIRI_INITIAL);
    EXPECT_BY_ALL(FAMILY " opencl", "race");

    begin(); /* updates of updates go on */
    WRITE(0, A, 0);
    flag = STORE(0, Y, 0, release);
    flag = update(1, Y, flag, 1, memory_order_relaxed);
    flag = update(1, Y, flag, 2, memory_order_relaxed);
    LOAD(2, Y, flag, acquire);
    READ(2, A, WEIRI_INITIAL);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
    EXPECT_BY("opencl", "NARF: sb sw sb rb");

    begin(); /* one that comes between ends OpenCL's */
    WRITE(0, A, 0);
    STORE(0, Y, 0, release);
    flag = STORE(0, Y, 2, relaxed);
    STORE(1, Y, 1, relaxed);
    LOAD(2, Y, flag, acquire);
    READ(2, A, WEIRI_INITIAL);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
    EXPECT_BY("opencl", "race");
}

/* A plain access to the flag synchronises nothing, with any fences around it. */
TEST(only_atomic_accesses_synchronise)
{
    for (int plain = 0; plain < 3; plain++) {
        begin();
        WRITE(0, A, 0);
        FENCE(0, release);
        uint32_t flag = plain == 1 ? WRITE(0, Y, 0) : STORE(0, Y, 0, relaxed);
        if (plain == 2) {
            READ(2, Y, flag);
        } else {
            LOAD(2, Y, flag, relaxed);
        }
        FENCE(2, acquire);
        READ(2, A, WEIRI_INITIAL);
        EXPECT_BY_ALL(FAMILY, plain == 0 ? "COH: sb sw sb rb" : "race");
    }
    begin(); /* but a release sequence may begin with a plain write */
    WRITE(0, A, 0);
    FENCE(0, release);
    WRITE(0, Y, 0);
    LOAD(2, Y, STORE(0, Y, 1, relaxed), acquire);
    READ(2, A, WEIRI_INITIAL);
    EXPECT_BY_ALL(FAMILY, "COH: sb sw sb rb");
}

/* ---- Atomicity ------------------------------------------------------------------- */

TEST(read_modify_writes_are_atomic)
{
    begin();
    update(0, X, WEIRI_INITIAL, 0, memory_order_relaxed);
    update(2, X, WEIRI_INITIAL, 1, memory_order_relaxed);
    EXPECT_BY_ALL(FAMILY " opencl sc", "ATOM: rb mo rmw^-1");
    begin();
    uint32_t first = update(0, X, WEIRI_INITIAL, 0, memory_order_relaxed);
    update(2, X, first, 1, memory_order_relaxed);
    EXPECT_BY_ALL(ALL, "");
    begin(); /* a read and a write by themselves are not an update */
    LOAD(0, X, WEIRI_INITIAL, relaxed);
    STORE(0, X, 1, relaxed);
    STORE(2, X, 0, relaxed);
    EXPECT_BY_ALL(ALL, "");
    begin(); /* with any scopes nothing is lost */
    first = update(0, X, WEIRI_INITIAL, 0, memory_order_relaxed);
    update(3, X, WEIRI_INITIAL, 1, memory_order_relaxed);
    EXPECT_BY_ALL(FAMILY " opencl", "ATOM: rb mo rmw^-1");
}

/* ---- Sequential consistency ------------------------------------------------------ */

/* Store buffering of threads 0 and @other, with these orders and scopes. */
static void buffer_stores(uint32_t other, memory_order order, memory_order last,
                          memory_scope scope)
{
    begin();
    write_at(0, X, 0, order, scope);
    read_from(0, Y, WEIRI_INITIAL, order, scope);
    write_at(other, Y, 0, order, scope);
    read_from(other, X, WEIRI_INITIAL, last, scope);
}

CASE("sc");

TEST(accesses_that_are_seq_cst_are_in_one_order)
{
    memory_order sc = memory_order_seq_cst, acquire = memory_order_acquire;
    buffer_stores(2, sc, sc, memory_scope_device);
    EXPECT_BY_ALL(FAMILY " opencl sc", "SC: sb rb sb rb");
    buffer_stores(2, sc, acquire, memory_scope_device);
    EXPECT_BY_ALL(FAMILY " opencl", "");
    EXPECT_BY("sc", "SC: sb rb sb rb");
    buffer_stores(1, sc, sc, memory_scope_work_group);
    EXPECT_BY_ALL(FAMILY " opencl", "SC: sb rb sb rb");
    buffer_stores(2, sc, sc, memory_scope_work_group);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "race");
    EXPECT_BY("rc11", "SC: sb rb sb rb");
}

static void buffer_with_fences(memory_scope one, memory_scope other, bool late)
{
    begin();
    write_at(0, X, 0, memory_order_relaxed, memory_scope_system);
    fence(0, memory_order_seq_cst, one, BOTH);
    read_from(0, Y, WEIRI_INITIAL, memory_order_relaxed, memory_scope_system);
    write_at(2, Y, 0, memory_order_relaxed, memory_scope_system);
    if (!late) {
        fence(2, memory_order_seq_cst, other, BOTH);
    }
    read_from(2, X, WEIRI_INITIAL, memory_order_relaxed, memory_scope_system);
    if (late) {
        fence(2, memory_order_seq_cst, other, BOTH);
    }
}

TEST(fences_that_are_seq_cst_are_in_one_order)
{
    memory_scope group = memory_scope_work_group, device = memory_scope_device,
                 system = memory_scope_system;
    buffer_with_fences(device, device, false);
    EXPECT_BY_ALL(FAMILY " opencl", "SC: sb rb sb sb rb sb");
    buffer_with_fences(device, device, true);
    EXPECT_BY_ALL(FAMILY " opencl", "");
    buffer_with_fences(device, system, false);
    EXPECT_BY_ALL(FAMILY, "SC: sb rb sb sb rb sb");
    EXPECT_BY("opencl", ""); /* unequal */
    buffer_with_fences(group, group, false);
    EXPECT_BY_ALL("sycl sycl-split gpu opencl", "");
    EXPECT_BY("rc11", "SC: sb rb sb sb rb sb");
}

/* Independent reads of independent writes. */
static void read_independently(memory_order writes, memory_order reads)
{
    begin();
    uint32_t x = write_at(0, X, 0, writes, memory_scope_system), y = 3;
    LOAD(1, X, x, acquire);
    events[n_events - 1].scope = memory_scope_system;
    read_from(1, Y, WEIRI_INITIAL, reads, memory_scope_system);
    write_at(2, Y, 0, writes, memory_scope_system);
    LOAD(3, Y, y, acquire);
    events[n_events - 1].scope = memory_scope_system;
    read_from(3, X, WEIRI_INITIAL, reads, memory_scope_system);
    events[1].order = events[4].order = (uint8_t)reads;
}

TEST(independent_reads_agree_where_all_is_seq_cst)
{
    read_independently(memory_order_seq_cst, memory_order_seq_cst);
    EXPECT_BY_ALL(FAMILY " opencl", "SC: sw sb rb sw sb rb");
    read_independently(memory_order_release, memory_order_acquire);
    EXPECT_BY_ALL(FAMILY " opencl", "");
    EXPECT_BY("sc", "SC: rf sb rb rf sb rb");
    /* Where others are mixed in, RC11 asks for less than C11. */
    read_independently(memory_order_seq_cst, memory_order_seq_cst);
    events[1].order = events[4].order = memory_order_acquire;
    EXPECT_BY_ALL(FAMILY, "");
}

/* psc's other ways: two writes of a location (mo), a way about another thread (hb
 * between accesses to other locations), and what fences see of each other (eco). */
TEST(seq_cst_operations_are_ordered_in_each_way)
{
    begin();
    STORE(0, X, 1, seq_cst);
    STORE(0, Y, 0, seq_cst);
    STORE(2, Y, 1, seq_cst);
    STORE(2, X, 0, seq_cst);
    EXPECT_BY_ALL(FAMILY " opencl", "SC: sb mo sb mo");
    events[3].order = memory_order_release;
    EXPECT_BY_ALL(FAMILY " opencl", "");

    begin(); /* thread 0 reaches thread 1 alone */
    STORE(0, X, 0, seq_cst);
    uint32_t flag = STORE(0, Z, 0, release);
    LOAD(1, Z, flag, acquire);
    LOAD(1, Y, WEIRI_INITIAL, seq_cst);
    STORE(2, Y, 0, seq_cst);
    LOAD(2, X, WEIRI_INITIAL, seq_cst);
    EXPECT_BY_ALL(FAMILY " opencl", "SC: sb sw sb rb sb rb");
    events[2].order = memory_order_relaxed;
    EXPECT_BY_ALL(FAMILY " opencl", "");

    begin(); /* fences with a reader between */
    STORE(0, X, 0, relaxed);
    uint32_t x = 0;
    LOAD(1, X, x, relaxed);
    FENCE(1, seq_cst);
    LOAD(1, Y, WEIRI_INITIAL, relaxed);
    STORE(2, Y, 0, relaxed);
    FENCE(2, seq_cst);
    LOAD(2, X, WEIRI_INITIAL, relaxed);
    EXPECT_BY_ALL(FAMILY, "SC: sb rb sb sb rb rf sb");
    EXPECT_BY("opencl", "");
    events[2].order = memory_order_acq_rel;
    EXPECT_BY_ALL(FAMILY, "");
}

/* A fence is before what happens after it, and after what happens before it. */
TEST(fences_reach_as_far_as_happens_before)
{
    for (int reached = 0; reached < 2; reached++) {
        begin();
        STORE(0, X, 0, relaxed);
        FENCE(0, seq_cst);
        uint32_t flag = STORE(0, Z, 0, release);
        LOAD(1, Z, flag, acquire);
        LOAD(1, Y, WEIRI_INITIAL, relaxed);
        STORE(2, Y, 0, seq_cst);
        LOAD(2, X, WEIRI_INITIAL, seq_cst);
        if (!reached) {
            events[flag + 1].order = memory_order_relaxed;
        }
        EXPECT_BY_ALL(FAMILY, reached ? "SC: sw sb rb sb rb sb" : "");
    }
}

/* If a location has two writes, a thread that sees the later one knows of the earlier
 * one, and yet is not later in the order of seq_cst: RC11 is weaker than C11 here. */
TEST(ways_through_another_thread_leave_the_location)
{
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        begin();
        STORE(0, X, 0, seq_cst);
        uint32_t flag = elsewhere ? STORE(0, Z, 0, release) : STORE(0, X, 1, release);
        LOAD(1, elsewhere ? Z : X, flag, acquire);
        LOAD(1, Y, WEIRI_INITIAL, seq_cst);
        STORE(2, Y, 0, seq_cst);
        LOAD(2, X, WEIRI_INITIAL, seq_cst);
        EXPECT_BY_ALL(FAMILY, elsewhere ? "SC: sb sw sb rb sb rb" : "");
    }
}

/* ---- Thin air -------------------------------------------------------------------- */

/* Load buffering: each thread reads what the other writes after its own read. */
static void buffer_loads(uint64_t data, uint64_t control, uint64_t address)
{
    begin();
    LOAD(0, X, 3, relaxed);
    STORE(0, Y, 0, relaxed);
    LOAD(2, Y, 1, relaxed);
    STORE(2, X, 0, relaxed);
    events[1].data = 1;
    events[3].data = data;
    events[3].control = control;
    events[3].address = address;
}

CASE("thin air");

TEST(load_buffering_needs_dependencies_to_be_forbidden)
{
    buffer_loads(0, 0, 0);
    EXPECT_BY_ALL(CAUSAL, "NTA: sb rf sb rf");
    EXPECT_BY("sc", "SC: sb rf sb rf");
    EXPECT_BY_ALL("gpu opencl", "");
    buffer_loads(1, 0, 0);
    EXPECT_BY("gpu", "NTA: data rf data rf");
    buffer_loads(0, 1, 0);
    EXPECT_BY("gpu", "NTA: data rf ctrl rf");
    EXPECT_BY("opencl", "");
    buffer_loads(0, 0, 1);
    EXPECT_BY("gpu", "NTA: data rf addr rf");
    buffer_loads(2, 2, 2); /* of a second read, which there is not */
    EXPECT_BY("gpu", "");
}

/* 0 reads X and, if that was so, Z, and writes what it read there; or at X itself. */
TEST(control_does_not_forbid_to_read_early)
{
    for (int itself = 0; itself < 2; itself++) {
        begin();
        LOAD(0, X, 4, relaxed);
        LOAD(0, Z, WEIRI_INITIAL, relaxed);
        STORE(0, Y, 0, relaxed);
        LOAD(2, Y, 2, relaxed);
        STORE(2, X, 0, relaxed);
        events[1].control = 1;
        events[2].data = itself ? 1 : 2;
        events[4].data = 1;
        EXPECT_BY("gpu", itself ? "NTA: data rf data rf" : "");
    }
}

TEST(read_modify_writes_pass_on_what_they_read)
{
    begin();
    LOAD(0, X, 4, relaxed);
    STORE(0, Y, 0, relaxed);
    events[1].data = 1;
    uint32_t written = update(1, Y, 1, 1, memory_order_relaxed);
    LOAD(2, Y, written, relaxed);
    ck_assert_uint_eq(n_events, 5);
    STORE(2, X, 0, relaxed);
    events[0].from = 5;
    events[5].data = 1;
    EXPECT_BY("gpu", "NTA: data rf rmw rf data rf");
    events[5].data = 0;
    EXPECT_BY("gpu", "");
}

MAIN("axioms")
