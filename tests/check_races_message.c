/* SPDX-License-Identifier: MIT
 *
 * check_races_message.c: what passes from one item to another through atomics and
 * fences: a number in plain memory, and a flag that says it is there. With the right
 * orders and scopes it is silent; with any one of them missing it races, whatever the
 * reader saw. (It sees the number: a launch is an interleaving of its items' steps, in
 * which no flag overtakes what was written before it. No verdict rests on that.) */
#include "races.h"

/* ---- Atomic to atomic ---------------------------------------------------- */

enum { TO_ANOTHER_GROUP, TO_THE_GROUP };

static bool is_reader(const struct weir_item *item, const race_args *args)
{
    return weir_global_id(item, 0) == (args->how == TO_THE_GROUP ? 1 : LOCAL);
}

/* expect: a race of data[0]: put / get, unless what is released is acquired */
WEIR_KERNEL(message, race_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->data[0] = 42;                                       /* put */
        STORE(args->flag, 1, args->release, args->release_scope); /* raise */
    } else if (is_reader(item, args)) {
        while (LOAD(args->flag, args->acquire, args->acquire_scope) == 0) { /* await */
        }
        args->out[0] = args->data[0]; /* get */
    }
}

static bool message_arrived(const race_args *memory)
{
    return memory->out[0] == 42;
}

/* How the message may be sent wrong. */
static const struct sending {
    memory_order release, acquire;
    memory_scope release_scope, acquire_scope;
    uint32_t how;
    enum weir_finding_kind kind;
    const char *why;
} wrong_sendings[] = {
    { RELAXED, RELAXED, DEVICE, DEVICE, TO_ANOTHER_GROUP, WEIR_FINDING_DATA_RACE,
      "but the write releases nothing and the read acquires nothing" },
    { RELEASE, RELAXED, DEVICE, DEVICE, TO_ANOTHER_GROUP, WEIR_FINDING_DATA_RACE,
      "but the read acquires nothing" },
    { RELAXED, ACQUIRE, DEVICE, DEVICE, TO_ANOTHER_GROUP, WEIR_FINDING_DATA_RACE,
      "but the write releases nothing" },
    { RELAXED, RELAXED, WORK_GROUP, WORK_GROUP, TO_THE_GROUP, WEIR_FINDING_DATA_RACE,
      "but the write releases nothing and the read acquires nothing" },
    { RELEASE, RELAXED, WORK_GROUP, WORK_GROUP, TO_THE_GROUP, WEIR_FINDING_DATA_RACE,
      "but the read acquires nothing" },
    { RELAXED, SEQ_CST, WORK_GROUP, SYSTEM, TO_THE_GROUP, WEIR_FINDING_DATA_RACE,
      "but the write releases nothing" },
};

static struct wrong sending_of(const struct sending *sending)
{
    return (struct wrong){
        .kernel = &message,
        .args = { .release = sending->release,
                  .acquire = sending->acquire,
                  .release_scope = sending->release_scope,
                  .acquire_scope = sending->acquire_scope,
                  .how = sending->how },
        .races = { RACE("data", 0, WRITES("put"), READS("get"), sending->why,
                        .kind = sending->kind) },
    };
}

CASE("flag");

TEST_EACH(a_message_by_a_flag_without_its_orders_races, G_N_ELEMENTS(wrong_sendings))
{
    struct wrong wrong = sending_of(&wrong_sendings[_i]);
    expect_found(&wrong);
}

TEST(a_message_names_its_flag_by_both_lines)
{
    struct wrong wrong = sending_of(&wrong_sendings[0]);
    const struct weir_finding *finding = only_race(&wrong);
    expect_names_line(finding->why, __FILE__, label_line(&message, "raise"));
    expect_names_line(finding->why, __FILE__, label_line(&message, "await"));
    expect_contains(finding->why, "item 0 of group (0,0,0)'s atomic store");
    expect_contains(finding->why, "item 0 of group (1,0,0)'s atomic load");
    EXPECT_COORDINATES(party_that(finding, "write")->group, 0, 0, 0);
    EXPECT_COORDINATES(party_that(finding, "read")->group, 1, 0, 0);
    ck_assert_uint_eq(finding->count, 1);
    ck_assert_int_eq(last_setting.memory.out[0], 42); /* it arrives all the same */
}

/* Scopes of release and acquire, to another group, of which one leaves it out: both the
 * flag and the data are raced for. */
static const memory_scope narrow_scopes[][2] = {
    { WORK_GROUP, WORK_GROUP }, { WORK_GROUP, DEVICE }, { DEVICE, WORK_GROUP },
    { SUB_GROUP, SYSTEM },      { SYSTEM, SUB_GROUP },
};

static const char *scope_name(memory_scope scope)
{
    static const char *const names[]
        = { "work_item", "sub_group", "work_group", "device", "system" };
    return names[scope];
}

CASE("scope");

TEST_EACH(a_message_to_a_group_that_a_scope_leaves_out_is_a_scope_race,
          G_N_ELEMENTS(narrow_scopes))
{
    const memory_scope *scope = narrow_scopes[_i];
    /* Under the rule "mutual" the wide scope beside a narrow one is not to blame. */
    const char *narrow = scope_name(MIN(scope[0], scope[1]));
    g_autofree char *why = g_strdup_printf("scope %s of", narrow);
    g_autofree char *whose = g_strdup_printf("scope %s of item 0", narrow);
    FOUND(
        message,
        ARGS(.release = RELEASE, .acquire = ACQUIRE, .release_scope = scope[0],
             .acquire_scope = scope[1]),
        RACES(RACE("data", 0, WRITES("put"), READS("get"), why, SCOPE_RACE),
              RACE("flag", 0, ATOMIC("raise", "store", "release", scope_name(scope[0])),
                   ATOMIC("await", "load", "acquire", scope_name(scope[1])), whose,
                   SCOPE_RACE)));
}

static const struct sending right_sendings[] = {
    { .release = RELEASE, ACQUIRE, DEVICE, DEVICE, TO_ANOTHER_GROUP },
    { .release = RELEASE, ACQUIRE, SYSTEM, DEVICE, TO_ANOTHER_GROUP },
    { .release = SEQ_CST, SEQ_CST, DEVICE, SYSTEM, TO_ANOTHER_GROUP },
    { .release = RELEASE, ACQUIRE, WORK_GROUP, WORK_GROUP, TO_THE_GROUP },
    { .release = RELEASE, ACQUIRE, SUB_GROUP, SUB_GROUP, TO_THE_GROUP },
    { .release = RELEASE, ACQUIRE, DEVICE, WORK_GROUP, TO_THE_GROUP },
    { .release = RELEASE, memory_order_consume, DEVICE, DEVICE, TO_ANOTHER_GROUP },
};

CASE("flag");

TEST_EACH(a_message_by_release_and_acquire_is_silent, G_N_ELEMENTS(right_sendings))
{
    struct wrong right = sending_of(&right_sendings[_i]);
    expect_silent(&right, message_arrived);
}

/* ---- Rules of scopes ----------------------------------------------------- */

/* Within one group, scopes that include each other and are not the same. */
static const memory_scope unequal_scopes[][2] = {
    { DEVICE, SYSTEM },     { SYSTEM, DEVICE },    { DEVICE, WORK_GROUP },
    { WORK_GROUP, DEVICE }, { SUB_GROUP, SYSTEM },
};

CASE("scope");

TEST_EACH(unequal_scopes_are_clean_if_mutual_and_race_if_they_must_be_the_same,
          G_N_ELEMENTS(unequal_scopes))
{
    const memory_scope *scope = unequal_scopes[_i];
    /* Each scope includes the other item: that they differ is all that is wrong. */
    static const char differ[] = "under the rule 'same'";
    struct wrong wrong = {
        .kernel = &message,
        .args = { .release = RELEASE,
                  .acquire = ACQUIRE,
                  .release_scope = scope[0],
                  .acquire_scope = scope[1],
                  .how = TO_THE_GROUP },
        .races
        = { RACE("data", 0, WRITES("put"), READS("get"), differ, SCOPE_RACE),
            RACE("flag", 0, ATOMIC("raise", "store", "release", scope_name(scope[0])),
                 ATOMIC("await", "load", "acquire", scope_name(scope[1])), differ,
                 SCOPE_RACE) },
    };
    expect_silent(&wrong, message_arrived);
    wrong.options.scope_rule = WEIR_SCOPE_RULE_SAME;
    expect_found(&wrong);
    wrong.args.acquire_scope = wrong.args.release_scope;
    expect_silent(&wrong, message_arrived);
}

/* ---- Fences -------------------------------------------------------------- */

enum {
    NO_RELEASE_FENCE = 1,
    NO_ACQUIRE_FENCE = 2,
    RELEASE_FENCE_LATE = 4,
    ACQUIRE_FENCE_EARLY = 8,
};

/* expect: a race of data[0]: put / get, where a fence is missing or out of place */
WEIR_KERNEL(message_by_fences, race_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->data[0] = 42; /* put */
        if ((args->how & (NO_RELEASE_FENCE | RELEASE_FENCE_LATE)) == 0) {
            weir_atomic_fence(memory_order_release, args->release_scope);
        }
        STORE(args->flag, 1, args->release, DEVICE); /* raise */
        if ((args->how & RELEASE_FENCE_LATE) != 0) {
            weir_atomic_fence(memory_order_release, args->release_scope);
        }
    } else if (weir_global_id(item, 0) == LOCAL) {
        if ((args->how & ACQUIRE_FENCE_EARLY) != 0) {
            weir_atomic_fence(memory_order_acquire, args->acquire_scope);
        }
        while (LOAD(args->flag, args->acquire, DEVICE) == 0) { /* await */
        }
        if ((args->how & (NO_ACQUIRE_FENCE | ACQUIRE_FENCE_EARLY)) == 0) {
            weir_atomic_fence(memory_order_acquire, args->acquire_scope);
        }
        args->out[0] = args->data[0]; /* get */
    }
}

CASE("fence");

TEST(a_fence_on_either_side_makes_order_of_a_relaxed_flag)
{
    SILENT(message_by_fences, message_arrived,
           ARGS(.release_scope = DEVICE, .acquire_scope = DEVICE));
    SILENT(message_by_fences, message_arrived,
           ARGS(.release = RELEASE, .acquire_scope = SYSTEM, .how = NO_RELEASE_FENCE));
    SILENT(message_by_fences, message_arrived,
           ARGS(.acquire = ACQUIRE, .release_scope = DEVICE, .how = NO_ACQUIRE_FENCE));
}

static const struct fencing {
    uint32_t how;
    const char *why;
} wrong_fencings[] = {
    { NO_RELEASE_FENCE, "releases nothing" },
    { NO_ACQUIRE_FENCE, "acquires nothing" },
    { NO_RELEASE_FENCE | NO_ACQUIRE_FENCE, "releases nothing" },
    { RELEASE_FENCE_LATE, "releases nothing" },
    { ACQUIRE_FENCE_EARLY, "acquires nothing" },
};

TEST_EACH(a_fence_that_is_missing_or_out_of_place_makes_a_race,
          G_N_ELEMENTS(wrong_fencings))
{
    const struct fencing *fencing = &wrong_fencings[_i];
    FOUND(message_by_fences,
          ARGS(.release_scope = DEVICE, .acquire_scope = DEVICE, .how = fencing->how),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), fencing->why)));
}

static struct wrong narrow_fence_of(memory_scope release, memory_scope acquire)
{
    return (struct wrong){
        .kernel = &message_by_fences,
        .args = { .release_scope = release, .acquire_scope = acquire },
        .races = { RACE("data", 0, WRITES("put"), READS("get"), "scope", SCOPE_RACE) },
    };
}

TEST(a_fence_of_work_group_scope_reaches_no_other_group)
{
    struct wrong wrong = narrow_fence_of(WORK_GROUP, DEVICE);
    expect_found(&wrong);
    wrong = narrow_fence_of(DEVICE, WORK_GROUP);
    expect_found(&wrong);
    wrong = narrow_fence_of(DEVICE, DEVICE);
    expect_silent(&wrong, message_arrived);
}

/* ---- Release sequences --------------------------------------------------- */

enum { BY_ADDING, BY_STORING, BY_ITSELF };

/* expect: data-race data[0]: put / get, where a store comes between */
WEIR_KERNEL(message_passed_on, race_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid == 0) {
        args->data[0] = 42; /* put */
        STORE(args->flag, 1, RELEASE, DEVICE);
        if (args->how == BY_ITSELF) {
            STORE(args->flag, 2, RELAXED, DEVICE);
        }
    } else if (gid == LOCAL && args->how != BY_ITSELF) {
        while (LOAD(args->flag, RELAXED, DEVICE) == 0) {}
        if (args->how == BY_ADDING) {
            ADD(args->flag, 1, RELAXED, args->middle_scope);
        } else {
            STORE(args->flag, 2, RELAXED, DEVICE); /* cut */
        }
    } else if (gid == N - LOCAL) {
        while (LOAD(args->flag, RELAXED, DEVICE) != 2) {} /* lest it acquires the 1 */
        (void)LOAD(args->flag, ACQUIRE, DEVICE);
        args->out[0] = args->data[0]; /* get */
    }
}

CASE("sequence");

TEST(a_release_goes_on_through_another_items_addition)
{
    SILENT(message_passed_on, message_arrived,
           ARGS(.how = BY_ADDING, .middle_scope = DEVICE));
}

TEST(a_release_goes_on_through_its_own_items_relaxed_store)
{
    SILENT(message_passed_on, message_arrived, ARGS(.how = BY_ITSELF));
}

TEST(another_items_store_cuts_a_release)
{
    FOUND(message_passed_on, ARGS(.how = BY_STORING),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "")));
}

/* expect: a race of data[0]: put / get, unless the last addition releases */
WEIR_KERNEL(message_of_one_site, race_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid == 0) {
        for (int turn = 0; turn < 3; turn++) {
            if (turn == 2) {
                args->data[0] = 42; /* put */
            }
            ADD(args->flag, 1, turn == 2 ? args->release : RELAXED, DEVICE);
        }
    } else if (gid == LOCAL) {
        while (LOAD(args->flag, ACQUIRE, DEVICE) != 3) {}
        args->out[0] = args->data[0]; /* get */
    }
}

TEST(a_site_that_was_relaxed_before_may_release)
{
    SILENT(message_of_one_site, message_arrived, ARGS(.release = RELEASE));
    FOUND(message_of_one_site, ARGS(.release = RELAXED),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "")));
}

/* expect: scope-race data[0]: put / get: the one between has a narrow scope */
WEIR_KERNEL(message_passed_on_narrowly, race_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid == 0) {
        args->data[0] = 42;                    /* put */
        STORE(args->flag, 1, RELEASE, DEVICE); /* raise */
    } else if (gid == LOCAL) {
        while (ADD(args->flag, 0, RELAXED, DEVICE) == 0) {}
        ADD(args->flag, 1, RELAXED, args->middle_scope); /* add */
    } else if (gid == LOCAL + 1) {
        while (LOAD(args->flag, ACQUIRE, WORK_GROUP) != 2) { /* await */
        }
        args->out[0] = args->data[0]; /* get */
    }
}

/* The store races with the addition, and with the last item's loads if these come
 * before the addition. The addition and the load are of one group: their scopes leave
 * out the store. */
TEST(every_link_of_a_release_needs_a_scope_that_includes_the_next)
{
    static const char narrow[] = "scope work_group of item";
    struct side raise = ATOMIC("raise", "store", "release", "device");
    FOUND(message_passed_on_narrowly, ARGS(.middle_scope = WORK_GROUP),
          RACES(RACE("data", 0, WRITES("put"), READS("get"), "scope", SCOPE_RACE),
                RACE("flag", 0, raise,
                     ATOMIC("add", "fetch_add", "relaxed", "work_group"), narrow,
                     SCOPE_RACE),
                RACE("flag", 0, raise, ATOMIC("await", "load", "acquire", "work_group"),
                     narrow, SCOPE_RACE)));
}

/* A message that changes its scope on the way: item 0 to item 1 of its group, item 1 to
 * another group. Happens-before has no scope. */
WEIR_KERNEL(message_by_relay, race_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid == 0) {
        args->data[0] = 42;
        STORE(&args->flag[0], 1, RELEASE, WORK_GROUP);
    } else if (gid == 1) {
        while (LOAD(&args->flag[0], ACQUIRE, WORK_GROUP) == 0) {}
        STORE(&args->flag[1], 1, RELEASE, DEVICE);
    } else if (gid == LOCAL) {
        while (LOAD(&args->flag[1], ACQUIRE, DEVICE) == 0) {}
        args->out[0] = args->data[0];
    }
}

TEST(a_chain_of_messages_may_change_its_scope)
{
    SILENT(message_by_relay, message_arrived);
}

/* ---- Address spaces ------------------------------------------------------ */

enum { FLAG_LOCAL = 1, DATA_LOCAL = 2, FENCES = 4 };

/* expect: data-race data or shared: put / get, where the spaces are OpenCL's and the
 * flag is of the other one */
WEIR_KERNEL(message_over_spaces, race_args)
{
    int32_t *local_flag = weir_local_array(item, int32_t, 1);
    int32_t *shared = weir_local_array(item, int32_t, 1); /* shared */
    int32_t *flag = (args->how & FLAG_LOCAL) != 0 ? local_flag
                                                  : &args->flag[weir_group_id(item, 0)];
    int32_t *data
        = (args->how & DATA_LOCAL) != 0 ? shared : &args->data[weir_group_id(item, 0)];
    bool fences = (args->how & FENCES) != 0;
    unsigned flags = args->middle_scope; /* of the fences */
    if (weir_local_id(item, 0) == 0) {
        STORE(flag, 0, RELAXED, WORK_GROUP);
    }
    weir_group_barrier(item);
    if (weir_local_id(item, 0) == 0) {
        *data = 42; /* put */
        if (fences) {
            weir_work_item_fence(flags, args->middle, WORK_GROUP);
        }
        STORE(flag, 1, args->release, WORK_GROUP); /* raise */
    } else if (weir_local_id(item, 0) == 1) {
        while (LOAD(flag, args->acquire, WORK_GROUP) == 0) { /* await */
        }
        if (fences) {
            weir_work_item_fence(flags, args->middle, WORK_GROUP);
        }
        args->out[weir_group_id(item, 0)] = *data; /* get */
    }
}

static const struct over_spaces {
    uint32_t how;
    memory_order release, acquire, fence;
    unsigned flags;
    bool races; /* where there are two happens-befores */
} over_spaces[] = {
    { FLAG_LOCAL, RELEASE, ACQUIRE, 0, 0, true },
    { DATA_LOCAL, RELEASE, ACQUIRE, 0, 0, true },
    { 0, RELEASE, ACQUIRE, 0, 0, false },
    { FLAG_LOCAL | DATA_LOCAL, RELEASE, ACQUIRE, 0, 0, false },
    /* A local access has no place in the order of global ones, be it seq_cst. */
    { FLAG_LOCAL, SEQ_CST, SEQ_CST, 0, 0, true },
    { DATA_LOCAL, SEQ_CST, SEQ_CST, 0, 0, true },
    /* Fences of both memories order both, those of one do not. */
    { FLAG_LOCAL | FENCES, RELAXED, RELAXED, ACQ_REL, WEIR_LOCAL | WEIR_GLOBAL, false },
    { FLAG_LOCAL | FENCES, RELAXED, RELAXED, ACQ_REL, WEIR_LOCAL, true },
    { FLAG_LOCAL | FENCES, RELAXED, RELAXED, ACQ_REL, WEIR_GLOBAL, true },
    { DATA_LOCAL | FENCES, RELAXED, RELAXED, SEQ_CST, WEIR_LOCAL | WEIR_GLOBAL, false },
    { DATA_LOCAL | FENCES, RELAXED, RELAXED, SEQ_CST, WEIR_GLOBAL, true },
    { FENCES, RELAXED, RELAXED, ACQ_REL, WEIR_GLOBAL, false },
};

CASE("space");

TEST_EACH(a_flag_of_one_memory_orders_the_other_under_sycl_and_not_under_opencl,
          G_N_ELEMENTS(over_spaces))
{
    const struct over_spaces *over = &over_spaces[_i];
    struct wrong wrong = {
        .kernel = &message_over_spaces,
        .args = { .release = over->release,
                  .acquire = over->acquire,
                  .middle = over->fence,
                  .middle_scope = (memory_scope)over->flags,
                  .how = over->how },
        .races = { RACE((over->how & DATA_LOCAL) != 0 ? "shared" : "data",
                        (over->how & DATA_LOCAL) != 0 ? 0 : ANY_INDEX, WRITES("put"),
                        READS("get"), "") },
    };
    expect_silent(&wrong, message_arrived);
    wrong.options.spaces = WEIR_SPACES_OPENCL;
    if (over->races) {
        expect_found(&wrong);
    } else {
        expect_silent(&wrong, message_arrived);
    }
}

/* The orders are right; that the flag is of the other memory is what is wrong. */
TEST(a_race_over_spaces_names_the_memory_that_is_not_ordered)
{
    FOUND(message_over_spaces, .options = { .spaces = WEIR_SPACES_OPENCL },
          ARGS(.release = RELEASE, .acquire = ACQUIRE, .how = FLAG_LOCAL),
          RACES(RACE("data", ANY_INDEX, WRITES("put"), READS("get"), "global memory")));
}

/* ---- C11's atomics ------------------------------------------------------- */

/* expect: data-race data[0]: put / get, where the flag is relaxed */
WEIR_KERNEL(message_by_stdatomic, race_args)
{
    _Atomic int32_t *flag = (_Atomic int32_t *)args->flag;
    if (weir_global_id(item, 0) == 0) {
        args->data[0] = 42; /* put */
        if (args->wrong) {
            atomic_store_explicit(flag, 1, memory_order_relaxed); /* raise */
        } else {
            atomic_store_explicit(flag, 1, memory_order_release);
        }
    } else if (weir_global_id(item, 0) == LOCAL) {
        while (atomic_load_explicit(flag, memory_order_acquire) == 0) { /* await */
        }
        args->out[0] = args->data[0]; /* get */
    }
}

CASE("c11");

TEST(atomics_of_c11_have_the_scope_of_the_system)
{
    FOUND(message_by_stdatomic, ARGS(.wrong = true),
          RACES(RACE("data", 0, WRITES("put"), READS("get"),
                     "but the write releases nothing")));
    SILENT(message_by_stdatomic, message_arrived);
}

CASE("ended");

/* expect: data-race data[0]: peek / put. The first group's read is before the write,
 * by the sub-group's barrier and the second item's message, and its group is over when
 * the other group reads. */
WEIR_KERNEL(read_told_by_a_neighbour, race_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid == 0) {
        for (int32_t i = 1; i <= 3; i++) {
            STORE(args->flag + 1, i, RELEASE, DEVICE);
        }
        args->out[0] = args->data[0]; /* look */
    }
    if (gid < LOCAL) {
        weir_sub_group_barrier(item);
    }
    if (gid == 1) {
        STORE(args->flag, 1, RELEASE, DEVICE);
    } else if (gid == LOCAL && args->wrong) {
        args->out[1] = args->data[0]; /* peek */
    } else if (gid == 2 * LOCAL) {
        while (LOAD(args->flag, ACQUIRE, DEVICE) == 0) {}
        args->data[0] = 1; /* put */
    }
}

TEST(a_read_that_a_neighbour_told_of_hides_no_other)
{
    FOUND(read_told_by_a_neighbour, ARGS(.wrong = true),
          RACES({ .sides = { PLAIN("peek", "read"), PLAIN("put", "write") },
                  .object = "data",
                  .why = "" }));
    SILENT(read_told_by_a_neighbour, NULL);
}

CASE("relaxed");

/* expect: data-race data[0]: put / get. The reader's counter was written by items that
 * take no part in the race. */
WEIR_KERNEL(counter_of_third_items, race_args)
{
    size_t gid = weir_global_id(item, 0);
    if (gid == 0) {
        args->data[0] = 42; /* put */
    } else if (gid < LOCAL) {
        ADD(args->flag, 1, RELAXED, DEVICE);
    }
    if (!args->wrong) {
        weir_barrier(item, WEIR_GLOBAL);
    }
    if (gid == LOCAL - 1) {
        args->out[0] = args->data[0]; /* get */
    }
}

TEST(a_counter_of_other_items_is_not_what_should_order_a_group)
{
    FOUND(counter_of_third_items, ARGS(.wrong = true),
          RACES({ .sides = { PLAIN("put", "write"), PLAIN("get", "read") },
                  .object = "data",
                  .why = "no barrier of the group lies between the two" }));
    SILENT(counter_of_third_items, message_arrived);
}

/* In order the message arrives and its scope is what is wrong: of which operation. */
TEST(the_operation_of_the_narrow_scope_is_named)
{
    const struct {
        memory_scope release, acquire;
        const char *says;
    } rows[] = {
        { DEVICE, WORK_GROUP, "scope work_group of the load does not include" },
        { WORK_GROUP, DEVICE, "scope work_group of the store does not include" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct setting setting = setting_open();
        struct wrong wrong = { .kernel = &message,
                               .args = { .release = RELEASE,
                                         .acquire = ACQUIRE,
                                         .release_scope = rows[i].release,
                                         .acquire_scope = rows[i].acquire,
                                         .how = TO_ANOTHER_GROUP } };
        g_autoptr(weir_report) report
            = launch_checked(&setting, &wrong, &race_orders[0]);
        const struct weir_finding *finding = NULL;
        for (size_t f = 0; f < weir_report_n_findings(report); f++) {
            const struct weir_finding *one = weir_report_finding(report, f);
            finding = one->parties[0].access == WEIR_ACCESS_WRITE ? one : finding;
        }
        ck_assert_ptr_nonnull(finding);
        expect_contains(finding->why, rows[i].says);
        weir_device_free(setting.device);
    }
}

MAIN("races: messages")
