/* SPDX-License-Identifier: MIT
 *
 * check_races_lock.c: locks, and what passes data on without one: each is silent as it
 * should be written, and races with one order or one scope of it wrong. */
#include "races.h"

#define SWAP weir_atomic_exchange_explicit
#define SWAP_IF weir_atomic_compare_exchange_strong_explicit

enum { TAKERS = 3 }; /* one of each group */

static bool takes_part(const struct weir_item *item)
{
    return LOCAL_ID(item) == 0;
}

/* ---- Spin locks ---------------------------------------------------------- */

/* expect: a race of data[0]: fetch or store / store, where the lock lacks an order */
WEIR_KERNEL(spin_lock, race_args)
{
    if (takes_part(item)) {
        while (SWAP(args->lock, 1, args->acquire, args->acquire_scope)) { /* take */
        }
        int32_t seen = OPAQUE(args->data[0]);                     /* fetch */
        args->data[0] = seen + 1;                                 /* store */
        STORE(args->lock, 0, args->release, args->release_scope); /* give */
    }
}

static bool counted_all(const race_args *memory)
{
    return memory->data[0] == TAKERS;
}

#define LOCKING(release_, acquire_, release_scope_, acquire_scope_)                    \
    .release = (release_), .acquire = (acquire_), .release_scope = (release_scope_),   \
    .acquire_scope = (acquire_scope_)

CASE("lock");

TEST(a_spin_lock_with_its_orders_is_silent)
{
    SILENT(spin_lock, counted_all, ARGS(LOCKING(RELEASE, ACQUIRE, DEVICE, DEVICE)));
    SILENT(spin_lock, counted_all, ARGS(LOCKING(SEQ_CST, ACQ_REL, SYSTEM, DEVICE)));
}

static struct wrong lock_of(memory_order release, memory_order acquire,
                            memory_scope scope, const char *why)
{
    bool narrow = scope == WORK_GROUP;
    enum weir_finding_kind kind
        = narrow ? WEIR_FINDING_SCOPE_RACE : WEIR_FINDING_DATA_RACE;
    struct wrong wrong = {
        .kernel = &spin_lock,
        .args = { LOCKING(release, acquire, scope, scope) },
        .races = {
            /* A read races with the last write; a write with that or with a read: the
             * first on the byte is reported. */
            RACE("data", 0, WRITES("store"), READS("fetch"), why, .kind = kind),
            RACE("data", 0, WRITES("store"), WRITES("store"), why,
                 .kind = kind),
        },
    };
    return wrong;
}

TEST(a_spin_lock_that_acquires_or_releases_nothing_races)
{
    struct wrong wrong = lock_of(RELEASE, RELAXED, DEVICE, "acquires nothing");
    expect_found(&wrong);
    wrong = lock_of(RELAXED, ACQUIRE, DEVICE, "releases nothing");
    expect_found(&wrong);
}

TEST(a_spin_lock_of_work_group_scope_keeps_groups_apart_by_luck)
{
    struct wrong wrong = lock_of(RELEASE, ACQUIRE, WORK_GROUP, "scope work_group");
    /* The lock itself is raced for. */
    struct side given = ATOMIC("give", "store", "release", "work_group");
    struct race taken
        = RACE("lock", 0, ATOMIC("take", "exchange", "acquire", "work_group"),
               ATOMIC("take", "exchange", "acquire", "work_group"),
               "scope work_group of item", SCOPE_RACE);
    wrong.races[2] = wrong.races[3] = wrong.races[4] = taken;
    wrong.races[3].sides[0] = given;
    wrong.races[4].sides[0] = wrong.races[4].sides[1] = given;
    /* The latest of an item's writes to the lock stands for all. */
    wrong.races[2].at_times = wrong.races[4].at_times = true;
    expect_found(&wrong);
}

TEST(a_spin_lock_of_work_group_scope_is_right_within_a_group)
{
    SILENT(spin_lock, NULL, .range = weir_nd_range_1d(LOCAL, LOCAL),
           ARGS(LOCKING(RELEASE, ACQUIRE, WORK_GROUP, WORK_GROUP)));
}

/* expect: data-race data[0]: store / store, where the item of group 1, which is the
 * only one whose lock acquires nothing, comes second. */
WEIR_KERNEL(one_sided_lock, race_args)
{
    if (takes_part(item) && GLOBAL_ID(item) < 2 * LOCAL) {
        memory_order order = weir_group_id(item, 0) == 1 ? args->middle : ACQUIRE;
        while (SWAP(args->lock, 1, order, DEVICE) != 0) {}
        args->data[0] = (int32_t)GLOBAL_ID(item); /* store */
        STORE(args->lock, 0, RELEASE, DEVICE);
    }
}

TEST(a_lock_with_one_wrong_side_shows_where_that_side_comes_second)
{
    struct wrong wrong = {
        .kernel = &one_sided_lock,
        .args = { .middle = RELAXED },
        .races = { RACE("data", 0, WRITES("store"), WRITES("store"), "acquires nothing",
                        .at_times = true) },
    };
    expect_found(&wrong);
    const struct weir_report *report = report_under(&wrong, &race_orders[0]);
    ck_assert_uint_eq(weir_report_n_findings(report), 1);
    report = report_under(&wrong, &race_orders[1]); /* in reverse */
    ck_assert_uint_eq(weir_report_n_findings(report), 0);
    wrong.args.middle = ACQUIRE;
    expect_silent(&wrong, NULL);
}

/* expect: data-race data[0]: again / store: read outside of the lock */
WEIR_KERNEL(read_again_after_release, race_args)
{
    if (takes_part(item)) {
        while (SWAP(args->lock, 1, args->acquire, args->acquire_scope) != 0) {}
        int32_t seen = OPAQUE(args->data[0]) + 1;
        args->data[0] = seen; /* store */
        STORE(args->lock, 0, args->release, args->release_scope);
        args->out[GLOBAL_ID(item)] = args->wrong ? args->data[0] : seen; /* again */
    }
}

TEST(data_of_a_lock_may_not_be_read_again_after_its_release)
{
    FOUND(read_again_after_release,
          ARGS(LOCKING(RELEASE, ACQUIRE, DEVICE, DEVICE), .wrong = true),
          RACES(RACE("data", 0, READS("again"), WRITES("store"), "")));
    SILENT(read_again_after_release, counted_all,
           ARGS(LOCKING(RELEASE, ACQUIRE, DEVICE, DEVICE)));
}

/* Tickets: the turn is what releases and is acquired; the ticket need not be. */
WEIR_KERNEL(ticket_lock, race_args)
{
    int32_t mine = ADD(&args->lock[0], 1, RELAXED, DEVICE);
    while (LOAD(&args->lock[1], args->acquire, DEVICE) != mine) {}
    int32_t seen = OPAQUE(args->data[0]); /* fetch */
    args->data[0] = seen + 1;             /* store */
    STORE(&args->lock[1], mine + 1, RELEASE, DEVICE);
}

static bool counted_n(const race_args *memory)
{
    return memory->data[0] == N;
}

TEST(a_ticket_lock_is_silent_and_races_with_a_relaxed_turn)
{
    SILENT(ticket_lock, counted_n, ARGS(.acquire = ACQUIRE));
    struct wrong wrong = lock_of(RELEASE, RELAXED, DEVICE, "acquires nothing");
    wrong.kernel = &ticket_lock;
    expect_found(&wrong);
}

/* ---- Without read-modify-writes ------------------------------------------ */

/* Peterson's lock of two items, of two groups; flag[0] and flag[1] want in, flag[2] is
 * the one that waits. */
WEIR_KERNEL(peterson, race_args)
{
    if (!takes_part(item) || GLOBAL_ID(item) >= 2 * LOCAL) {
        return;
    }
    int32_t me = (int32_t)weir_group_id(item, 0), other = 1 - me;
    for (int round = 0; round < 2; round++) {
        STORE(&args->flag[me], 1, SEQ_CST, DEVICE);
        STORE(&args->flag[2], me, SEQ_CST, DEVICE);
        while (LOAD(&args->flag[other], SEQ_CST, DEVICE) != 0
               && LOAD(&args->flag[2], SEQ_CST, DEVICE) == me) {}
        int32_t seen = OPAQUE(args->data[0]); /* fetch */
        args->data[0] = seen + 1;             /* store */
        STORE(&args->flag[me], 0, args->release, DEVICE);
    }
}

static bool counted_four(const race_args *memory)
{
    return memory->data[0] == 4;
}

CASE("plain");

TEST(petersons_lock_is_silent_and_races_where_it_releases_nothing)
{
    SILENT(peterson, counted_four, ARGS(.release = SEQ_CST));
    SILENT(peterson, counted_four, ARGS(.release = RELEASE));
    struct wrong wrong = lock_of(RELAXED, SEQ_CST, DEVICE, "");
    wrong.kernel = &peterson;
    /* Where the other one sets flag[2] in between, that is the release. */
    wrong.races[0].at_times = wrong.races[1].at_times = true;
    expect_found(&wrong);
}

/* Dekker's way to try: an item that sees no other may enter, and never leaves. */
WEIR_KERNEL(dekker, race_args)
{
    if (!takes_part(item) || GLOBAL_ID(item) >= 2 * LOCAL) {
        return;
    }
    size_t me = weir_group_id(item, 0);
    STORE(&args->flag[me], 1, RELAXED, DEVICE);
    weir_atomic_fence(SEQ_CST, DEVICE);
    if (LOAD(&args->flag[1 - me], RELAXED, DEVICE) == 0) {
        int32_t seen = OPAQUE(args->data[0]);
        args->data[0] = seen + 1;
    }
}

static bool one_at_most(const race_args *memory)
{
    return memory->data[0] <= 1;
}

TEST(dekkers_try_with_fences_is_silent)
{
    SILENT(dekker, one_at_most);
}

/* ---- The last group ------------------------------------------------------ */

enum { WITH_FENCES = 1 };

/* expect: a race of data: part / sum, where counter or fences order too little */
WEIR_KERNEL(last_group, race_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t sum = weir_group_reduce_add(item, args->in[GLOBAL_ID(item)]);
    if (LOCAL_ID(item) != 0) {
        return;
    }
    args->data[group] = sum; /* part */
    if (args->how == WITH_FENCES) {
        weir_atomic_fence(ACQ_REL, args->middle_scope); /* before */
    }
    int32_t before = ADD(args->flag, 1, args->middle, args->acquire_scope); /* count */
    if (args->how == WITH_FENCES) {
        weir_atomic_fence(ACQ_REL, args->middle_scope); /* after */
    }
    if (before == (int32_t)weir_num_groups(item, 0) - 1) {
        int32_t all = 0;
        for (size_t g = 0; g < weir_num_groups(item, 0); g++) {
            all += args->data[g]; /* sum */
        }
        args->out[0] = all;
    }
}

static bool summed(const race_args *memory)
{
    return memory->out[0] == N * (N + 1) / 2;
}

CASE("last");

TEST(the_last_group_needs_an_acq_rel_counter_or_fences)
{
    SILENT(last_group, summed, ARGS(.middle = ACQ_REL, .acquire_scope = DEVICE));
    SILENT(last_group, summed,
           ARGS(.how = WITH_FENCES, .middle_scope = DEVICE, .acquire_scope = DEVICE));
    FOUND(last_group, ARGS(.middle = RELAXED, .acquire_scope = DEVICE),
          RACES(RACE("data", ANY_INDEX, WRITES("part"), READS("sum"),
                     "the write releases nothing and the read acquires nothing")));
    FOUND(last_group, ARGS(.middle = RELEASE, .acquire_scope = DEVICE),
          RACES(RACE("data", ANY_INDEX, WRITES("part"), READS("sum"), "")));
}

TEST(the_last_group_with_narrow_fences_is_a_scope_race)
{
    FOUND(last_group,
          ARGS(.how = WITH_FENCES, .middle_scope = WORK_GROUP, .acquire_scope = DEVICE),
          RACES(RACE("data", ANY_INDEX, WRITES("part"), READS("sum"), "", SCOPE_RACE)));
}

TEST(the_last_group_with_a_narrow_counter_is_a_scope_race)
{
    FOUND(last_group, ARGS(.middle = ACQ_REL, .acquire_scope = WORK_GROUP),
          RACES(RACE("data", ANY_INDEX, WRITES("part"), READS("sum"),
                     "scope work_group", SCOPE_RACE),
                RACE("flag", 0, ATOMIC("count", "fetch_add", "acq_rel", "work_group"),
                     ATOMIC("count", "fetch_add", "acq_rel", "work_group"),
                     "scope work_group of item 0", SCOPE_RACE)));
}

/* ---- Made once ----------------------------------------------------------- */

/* expect: data-race data[0]: make / use, of an item that saw the flag, relaxed */
WEIR_KERNEL(made_once, race_args)
{
    if (LOAD(args->flag, args->acquire, DEVICE) == 0) { /* look */
        while (SWAP(args->lock, 1, ACQUIRE, DEVICE) != 0) {}
        if (LOAD(args->flag, RELAXED, DEVICE) == 0) {
            args->data[0] = 42; /* make */
            STORE(args->flag, 1, RELEASE, DEVICE);
        }
        STORE(args->lock, 0, RELEASE, DEVICE);
    }
    args->out[GLOBAL_ID(item)] = args->data[0]; /* use */
}

static bool all_saw_it(const race_args *memory)
{
    return all_are(memory->out, N, 42);
}

CASE("passed");

TEST(data_made_once_is_seen_through_an_acquire)
{
    SILENT(made_once, all_saw_it, ARGS(.acquire = ACQUIRE));
    FOUND(made_once, ARGS(.acquire = RELAXED),
          RACES(RACE("data", 0, WRITES("make"), READS("use"),
                     "but the read acquires nothing",
                     .at_times = true /* if an item comes when it is made */)));
}

/* ---- A ring -------------------------------------------------------------- */

enum { SLOTS = 2, PIECES = 5 };

/* expect: data-race data: fill / drain, with a relaxed head, and with a relaxed tail
 * where a slot is used again */
WEIR_KERNEL(ring, race_args)
{
    int32_t *head = &args->flag[0], *tail = &args->flag[1];
    if (GLOBAL_ID(item) == 0) {
        for (int32_t i = 0; i < PIECES; i++) {
            while (i - LOAD(tail, args->acquire, DEVICE) == SLOTS) {}
            args->data[i % SLOTS] = i + 1; /* fill */
            STORE(head, i + 1, args->release, DEVICE);
        }
    } else if (GLOBAL_ID(item) == LOCAL) {
        for (int32_t i = 0; i < PIECES; i++) {
            while (LOAD(head, ACQUIRE, DEVICE) == i) {}
            args->out[i] = args->data[i % SLOTS]; /* drain */
            STORE(tail, i + 1, args->middle, DEVICE);
        }
    }
}

static bool drained(const race_args *memory)
{
    for (int32_t i = 0; i < PIECES; i++) {
        if (memory->out[i] != i + 1) {
            return false;
        }
    }
    return true;
}

TEST(a_ring_releases_full_slots_and_empty_ones)
{
    SILENT(ring, drained,
           ARGS(.release = RELEASE, .acquire = ACQUIRE, .middle = RELEASE));
    struct wrong wrong = {
        .kernel = &ring,
        .args = { .release = RELAXED, .acquire = ACQUIRE, .middle = RELEASE },
        .races = { RACE("data", ANY_INDEX, WRITES("fill"), READS("drain"),
                        "releases nothing") },
    };
    expect_found(&wrong);
    wrong.args.release = RELEASE;
    wrong.args.middle = RELAXED;
    expect_found(&wrong);
    wrong.args.middle = RELEASE;
    wrong.args.acquire = RELAXED;
    wrong.races[0].why = "acquires nothing";
    expect_found(&wrong);
}

/* ---- Stealing work ------------------------------------------------------- */

enum { TASKS = 4, EMPTY = -1, LOST = -2 };

/* The deque of Chase and Lev with the orders of Le, Pop, Cohen and Zappa Nardelli
 * ("Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP 2013): flag[0]
 * is its top, flag[1] its bottom, lock its buffer. */
static void push(const race_args *args, int32_t task)
{
    int32_t bottom = LOAD(&args->flag[1], RELAXED, DEVICE);
    STORE(&args->lock[bottom % TASKS], task, RELAXED, DEVICE);
    if (!args->wrong) {
        weir_atomic_fence(RELEASE, args->release_scope);
    }
    STORE(&args->flag[1], bottom + 1, RELAXED, DEVICE);
}

static int32_t take(const race_args *args)
{
    int32_t bottom = LOAD(&args->flag[1], RELAXED, DEVICE) - 1;
    STORE(&args->flag[1], bottom, RELAXED, DEVICE);
    weir_atomic_fence(SEQ_CST, DEVICE);
    int32_t top = LOAD(&args->flag[0], RELAXED, DEVICE), task = EMPTY;
    if (top > bottom) {
        STORE(&args->flag[1], bottom + 1, RELAXED, DEVICE);
        return EMPTY;
    }
    task = LOAD(&args->lock[bottom % TASKS], RELAXED, DEVICE);
    if (top == bottom) { /* the last one, for which there may be a thief */
        if (!SWAP_IF(&args->flag[0], &top, top + 1, SEQ_CST, RELAXED, DEVICE)) {
            task = EMPTY;
        }
        STORE(&args->flag[1], bottom + 1, RELAXED, DEVICE);
    }
    return task;
}

static int32_t steal(const race_args *args)
{
    int32_t top = LOAD(&args->flag[0], ACQUIRE, DEVICE);
    weir_atomic_fence(SEQ_CST, DEVICE);
    int32_t bottom = LOAD(&args->flag[1], ACQUIRE, DEVICE); /* bottom */
    if (top >= bottom) {
        return EMPTY;
    }
    int32_t task = LOAD(&args->lock[top % TASKS], RELAXED, DEVICE);
    return SWAP_IF(&args->flag[0], &top, top + 1, SEQ_CST, RELAXED, DEVICE) ? task
                                                                            : LOST;
}

/* expect: a race of data: prepare / run, by a thief, where pushing releases nothing or
 * not to its group */
WEIR_KERNEL(work_stealing, race_args)
{
    if (GLOBAL_ID(item) == 0) {
        for (int32_t task = 0; task < TASKS; task++) {
            args->data[task] = task + 1; /* prepare */
            push(args, task);
        }
        for (int32_t task; (task = take(args)) != EMPTY;) {
            args->out[task] += args->data[task];
        }
    } else if (LOCAL_ID(item) == 0) {
        for (int tries = 0; tries < TASKS; tries++) {
            int32_t task = steal(args);
            if (task >= 0) {
                args->out[task] += args->data[task]; /* run */
            }
        }
    }
}

static bool ran_once(const race_args *memory)
{
    for (int32_t task = 0; task < TASKS; task++) {
        if (memory->out[task] != task + 1) {
            return false;
        }
    }
    return true;
}

TEST(released_work_may_be_stolen)
{
    SILENT(work_stealing, ran_once, ARGS(.release_scope = DEVICE));
    struct wrong wrong = {
        .kernel = &work_stealing,
        .args = { .wrong = true },
        .races = { RACE("data", ANY_INDEX, WRITES("prepare"), READS("run"), "",
                        .at_times = true /* in order, nothing is left to steal */) },
    };
    expect_found(&wrong);
    wrong.args = (race_args){ .release_scope = WORK_GROUP };
    wrong.races[0] SCOPE_RACE;
    expect_found(&wrong);
}

MAIN("races: locks")
