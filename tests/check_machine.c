/* SPDX-License-Identifier: MIT
 *
 * check_machine.c: the machine from inside: coroutines, stacks, the queue, and
 * the seams that observers and policies plug into. What kernels can see of it
 * is tested through the public headers elsewhere. */
#include "config.h"

#include "base/co.h"
#include "base/rng.h"
#include "base/stack.h"
#include "deterministic/policy.h"
#include "exec/event.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/queue.h"
#include "seam_kernel.h"
#include "support.h"

/* ---- Coroutines and stacks ----------------------------------------------- */

CASE("base");

enum { RING = 5, TURNS = 7 };

static struct weiri_stacks stacks;
static struct weiri_co ring[RING], home;
static int turn, log_length, turn_log[RING * TURNS];
static double sums[RING];

static void ring_body(void)
{
    weiri_co_entered();
    int me = turn;
    double sum = 0; /* lives across switches, as do me and i */
    for (int i = 0; i < TURNS; i++) {
        turn_log[log_length++] = me;
        sum += me + i * 0.5;
        int next = (me + 1) % RING;
        if (i == 0 && next != 0) {
            turn = next; /* starts it */
        }
        if (!(i == TURNS - 1 && me == RING - 1)) {
            weiri_co_switch(&ring[me], &ring[next]);
        }
        sums[me] = sum;
    }
    weiri_co_jump(me == RING - 1 ? &home : &ring[(me + 1) % RING]);
}

TEST(coroutines_keep_their_locals_and_take_turns)
{
    const char *reason;
    ck_assert(weiri_stacks_init(&stacks, 64 * 1024, RING, &reason));
    for (int i = 0; i < RING; i++) {
        size_t bytes;
        uint32_t id = weiri_stacks_acquire(&stacks);
        void *low = weiri_stacks_bounds(&stacks, id, &bytes);
        weiri_co_init(&ring[i], low, bytes, ring_body);
    }
    turn = 0;
    weiri_co_switch(&home, &ring[0]);
    ck_assert_int_eq(log_length, RING * TURNS);
    for (int i = 0; i < log_length; i++) {
        ck_assert_int_eq(turn_log[i], i % RING);
    }
    for (int i = 0; i < RING; i++) {
        /* the last assignment of all but the last coroutine is one turn old */
        int turns = i == RING - 1 ? TURNS : TURNS - 1;
        ck_assert_double_eq_tol(sums[i], turns * i + 0.5 * turns * (turns - 1) / 2,
                                1e-12);
    }
    weiri_stacks_clear(&stacks);
}

TEST(stacks_are_distinct_found_by_address_and_reused)
{
    const char *reason;
    ck_assert(weiri_stacks_init(&stacks, 20000, 3, &reason));
    uint32_t ids[3];
    char *lows[3];
    for (int i = 0; i < 3; i++) {
        size_t bytes;
        bool in_guard;
        ids[i] = weiri_stacks_acquire(&stacks);
        ck_assert_uint_ne(ids[i], WEIRI_NO_STACK);
        lows[i] = weiri_stacks_bounds(&stacks, ids[i], &bytes);
        ck_assert_uint_ge(bytes, 20000);
        memset(lows[i], i + 1, bytes);
        ck_assert_uint_eq(weiri_stacks_find(&stacks, lows[i] + bytes - 1, &in_guard),
                          ids[i]);
        ck_assert(!in_guard);
        ck_assert_uint_eq(weiri_stacks_find(&stacks, lows[i] - 1, &in_guard), ids[i]);
        ck_assert(in_guard);
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(lows[i][0], i + 1);
        ck_assert_int_eq(lows[i][19999], i + 1);
    }
    ck_assert_uint_eq(weiri_stacks_acquire(&stacks), WEIRI_NO_STACK);
    ck_assert_uint_eq(weiri_stacks_find(&stacks, &stacks, NULL), WEIRI_NO_STACK);
    weiri_stacks_release(&stacks, ids[1]);
    ck_assert_uint_eq(weiri_stacks_acquire(&stacks), ids[1]);
    weiri_stacks_clear(&stacks);
}

TEST(tops_of_neighbouring_stacks_fall_into_different_cache_sets)
{
    const char *reason;
    ck_assert(weiri_stacks_init(&stacks, 64 * 1024, 32, &reason));
    uintptr_t tops[32];
    for (int i = 0; i < 32; i++) {
        size_t bytes;
        char *low = weiri_stacks_bounds(&stacks, weiri_stacks_acquire(&stacks), &bytes);
        tops[i] = (uintptr_t)(low + bytes) / 64 % 64;
        for (int j = 0; j < i; j++) {
            ck_assert_uint_ne(tops[j], tops[i]);
        }
    }
    ck_assert_uint_eq(stacks.stride / 4096 % 2, 1);
    weiri_stacks_clear(&stacks);
}

static volatile char *under_guard;

TEST(the_guard_under_a_stack_faults, .signal = SIGSEGV, .skip = WEIRI_CO_ASAN)
{
    const char *reason;
    size_t bytes;
    ck_assert(weiri_stacks_init(&stacks, 64 * 1024, 2, &reason));
    weiri_stacks_acquire(&stacks);
    under_guard = weiri_stacks_bounds(&stacks, weiri_stacks_acquire(&stacks), &bytes);
    under_guard[-1] = 1;
}

TEST(a_reservation_that_cannot_be_is_refused_with_a_reason)
{
    const char *reason = NULL;
    ck_assert(!weiri_stacks_init(&stacks, (size_t)1 << 46, 16384, &reason));
    ck_assert_ptr_nonnull(reason);
}

/* ---- The queue ----------------------------------------------------------- */

CASE("seams");

TEST(the_queue_wraps)
{
    uint32_t slots[4];
    struct weiri_queue queue = { slots, 3, 0, 0 };
    for (uint32_t i = 0; i < 3; i++) {
        weiri_queue_push(&queue, i);
    }
    ck_assert_uint_eq(weiri_queue_pop(&queue), 0);
    ck_assert_uint_eq(weiri_queue_pop(&queue), 1);
    weiri_queue_push(&queue, 3);
    weiri_queue_push(&queue, 4);
    weiri_queue_push(&queue, 5); /* 2 3 4 5, wrapped */
    for (uint32_t i = 2; i <= 5; i++) {
        ck_assert_uint_eq(weiri_queue_pop(&queue), i);
    }
    ck_assert_uint_eq(weiri_queue_count(&queue), 0);
}

/* ---- Sets and policies --------------------------------------------------- */

/* Against a list of members in the order of the set. */
TEST(a_set_finds_what_a_list_of_its_members_has)
{
    enum { SLOTS = 5, ITEMS = 130 };
    struct weiri_id_set set;
    weiri_id_set_init(&set, SLOTS, ITEMS);
    static const uint32_t admitted[] = { 2, 0, 4, 3 };
    for (size_t i = 0; i < G_N_ELEMENTS(admitted); i++) {
        weiri_id_set_admit(&set, admitted[i]);
    }
    struct weiri_rng rng = { 7 };
    for (int round = 0; round < 200; round++) {
        uint32_t slot = admitted[weiri_rng_below(&rng, G_N_ELEMENTS(admitted))];
        uint32_t id = slot << set.shift | (uint32_t)weiri_rng_below(&rng, ITEMS);
        if (weiri_id_set_has(&set, id)) {
            weiri_id_set_remove(&set, id);
        } else {
            weiri_id_set_add(&set, id);
        }
        uint32_t members[SLOTS * ITEMS], n = 0, after = WEIRI_NO_ITEM;
        bool passed = false;
        for (size_t i = 0; i < G_N_ELEMENTS(admitted); i++) {
            for (uint32_t item = 0; item < ITEMS; item++) {
                uint32_t one = admitted[i] << set.shift | item;
                if (weiri_id_set_has(&set, one)) {
                    members[n++] = one;
                    after = passed && after == WEIRI_NO_ITEM ? one : after;
                }
                passed |= one == id;
            }
        }
        ck_assert_uint_eq(set.n, n);
        for (uint32_t k = 0; k < n; k++) {
            ck_assert_uint_eq(weiri_id_set_nth(&set, k), members[k]);
        }
        if (n > 0) {
            ck_assert_uint_eq(weiri_id_set_first(&set), members[0]);
            ck_assert_uint_eq(weiri_id_set_last(&set), members[n - 1]);
            ck_assert_uint_eq(weiri_id_set_after(&set, id),
                              after != WEIRI_NO_ITEM ? after : members[0]);
        }
    }
    uint32_t n = set.n, there = set.count[4];
    weiri_id_set_dismiss(&set, 4);
    ck_assert_uint_eq(set.n, n - there);
    weiri_id_set_admit(&set, 4);
    ck_assert_uint_eq(set.count[4], 0);
    weiri_id_set_clear(&set);
}

/* Each of 6 orders of 3 items comes up about as often as the others. */
TEST(the_priorities_of_pct_are_a_fair_shuffle)
{
    enum { RUNS = 6000 };
    int of[6] = { 0 };
    const struct weiri_schedule_spec spec
        = { .kind = WEIRI_SCHEDULE_PCT, .changes = 1, .steps = 1000000000 };
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct weiri_policy policy = weiri_policy_new(&spec, seed, 4);
        struct weiri_id_set set;
        weiri_id_set_init(&set, 1, 3);
        weiri_id_set_admit(&set, 0);
        policy.entered(policy.self, 0, 3);
        for (uint32_t id = 0; id < 3; id++) {
            weiri_id_set_add(&set, id);
            policy.added(policy.self, id);
        }
        uint32_t order[3];
        for (int i = 0; i < 3; i++) {
            order[i] = policy.pick(policy.self, &set, WEIRI_NO_ITEM);
            weiri_id_set_remove(&set, order[i]);
            policy.removed(policy.self, order[i]);
        }
        of[order[0] * 2 + (order[1] > order[2])]++;
        weiri_id_set_clear(&set);
        policy.free(policy.self);
    }
    for (int i = 0; i < 6; i++) { /* five standard deviations of 29 */
        ck_assert_int_ge(of[i], RUNS / 6 - 145);
        ck_assert_int_le(of[i], RUNS / 6 + 145);
    }
}

/* ---- Seams of a launch --------------------------------------------------- */

struct tally {
    int of[16];
    size_t items_begun[8];
};

static enum weiri_verdict count(void *self, const struct weiri_event *event)
{
    struct tally *tally = self;
    if (event->kind == WEIRI_EVENT_ITEM_BEGIN) {
        ck_assert_uint_lt(event->item, 4);
        tally->items_begun[event->group->shape.group_linear * 4 + event->item]++;
    }
    if (event->kind == WEIRI_EVENT_RELEASE) {
        ck_assert_int_eq(tally->of[WEIRI_EVENT_ARRIVE] % 4, 0);
    }
    if (event->kind == WEIRI_EVENT_ATOMIC) {
        ck_assert_int_eq(event->atomic->kind, WEIRI_ATOMIC_FETCH_ADD);
        ck_assert_int_eq(event->atomic->scope, memory_scope_device);
        ck_assert_uint_eq(event->atomic->bytes, 4);
    }
    tally->of[event->kind]++;
    return WEIRI_GOES_ON;
}

/* Runs `seam` over two groups of four items, as host/launch.c would. */
static void launch_seam(const struct weiri_observer *observers, const char *schedule,
                        int out[8])
{
    GError *error = NULL;
    g_autoptr(weir_device) device = weir_device_new("default", &error);
    ck_assert_ptr_nonnull(device);
    int n = 0;
    seam_args args = { out, &n };
    struct weiri_launch launch = {
        .kernel = &seam,
        .device = device,
        .entry = seam.checked != NULL && observers != NULL ? seam.checked : seam.fast,
        .shape = { .dim = 1,
                   .sub_group_size = 16,
                   .sub_group_shift = 4,
                   .items = 4,
                   .global = { 8, 1, 1 },
                   .local = { 4, 1, 1 },
                   .groups = { 2, 1, 1 } },
        .args = &args,
        .n_groups = 2,
        .chunk = 2,
        .n_workers = 1,
        .stack_bytes = 64 * 1024,
        .observers = observers,
        .report = weiri_report_new(),
    };
    if (schedule != NULL) {
        launch.deterministic = true;
        ck_assert(weiri_schedule_parse(schedule, &launch.schedule, NULL));
    }
    ck_assert(weiri_launch_run(&launch, &error));
    ck_assert_uint_eq(weir_report_n_findings(launch.report), 0);
    ck_assert_int_eq(n, 8);
    weir_report_free(launch.report);
}

TEST(an_observer_sees_every_event_of_a_launch)
{
    struct tally tally = { 0 };
    struct weiri_observer observers[] = { { count, &tally, 0 }, { NULL, NULL, 0 } };
    int out[8];
    launch_seam(observers, NULL, out);
    ck_assert_int_eq(tally.of[WEIRI_EVENT_GROUP_BEGIN], 2);
    ck_assert_int_eq(tally.of[WEIRI_EVENT_GROUP_END], 2);
    ck_assert_int_eq(tally.of[WEIRI_EVENT_ARRIVE], 8);
    ck_assert_int_eq(tally.of[WEIRI_EVENT_RELEASE], 2);
    ck_assert_int_eq(tally.of[WEIRI_EVENT_ATOMIC], 8);
    ck_assert_int_eq(tally.of[WEIRI_EVENT_LOCAL_ARRAY], 8);
    if (seam.checked == NULL) {
        return; /* this compiler does not instrument */
    }
    ck_assert_int_eq(tally.of[WEIRI_EVENT_ITEM_BEGIN], 8);
    for (int i = 0; i < 8; i++) {
        ck_assert_uint_eq(tally.items_begun[i], 1);
    }
    /* at least: the store to scratch, the load from it, the store to out */
    ck_assert_int_ge(tally.of[WEIRI_EVENT_ACCESS], 3 * 8);
}

TEST(observers_are_independent_and_all_see_the_event)
{
    struct tally first = { 0 }, second = { 0 };
    struct weiri_observer observers[]
        = { { count, &first, 0 }, { count, &second, 0 }, { NULL, NULL, 0 } };
    int out[8];
    launch_seam(observers, NULL, out);
    ck_assert_mem_eq(&first, &second, sizeof(first));
    ck_assert_int_eq(first.of[WEIRI_EVENT_ARRIVE], 8);
}

TEST(without_a_policy_items_run_in_order)
{
    int out[8];
    launch_seam(NULL, NULL, out);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(out[i], i % 4);
    }
}

TEST(a_policy_decides_who_runs_next)
{
    int out[8];
    launch_seam(NULL, "reverse", out);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(out[i], 3 - i % 4);
    }
}

/* A thread that finds nothing left to run may be the first to see that time is up. */
TEST(an_end_with_a_place_replaces_one_without)
{
    g_autoptr(weir_report) report = weiri_report_new();
    const struct weiri_shape shape = { .dim = 1,
                                       .sub_group_size = 16,
                                       .sub_group_shift = 4,
                                       .items = 4,
                                       .global = { 8, 1, 1 },
                                       .local = { 4, 1, 1 },
                                       .groups = { 2, 1, 1 } };
    const struct weiri_trail trail = { .at = { NULL } };
    for (uint32_t item = 2; item <= 3; item++) {
        struct weir_party party
            = weiri_party_new(WEIR_STATE_RUNNING, &shape, NULL, NULL, 0, &item, 1);
        weiri_report_cut_short(report, g_strdup("nowhere"), NULL, NULL);
        if (item == 2) {
            ck_assert_str_eq(weir_report_incomplete(report), "nowhere");
        }
        weiri_report_cut_short(report, g_strdup(item == 2 ? "first" : "later"), &party,
                               &trail);
        ck_assert_str_eq(weir_report_incomplete(report), "first");
    }
}

MAIN("machine")
