/* SPDX-License-Identifier: MIT
 *
 * check_uninit_silent.c: reads of memory that is not written, and what looks like
 * one, of which nothing is reported: padding that is copied, what is read and then not
 * used, what was written unseen, in part, or with the very bytes of the poison. What a
 * race brings is reported as a race.
 *
 * This file is instrumented, so the kernels are. */
#include "uninit.h"

/* ---- What does not matter -------------------------------------------------------- */

/* Member by member: what lies between them stays as it was. */
static void fill(struct padded *element)
{
    element->number = 1;
    element->tag = 2;
    element->key = 3;
    element->hole = 4;
}

WEIR_KERNEL(copies_padding_by_assignment, uninit_args)
{
    struct padded *scratch = weir_local_array(item, struct padded, LOCAL);
    size_t gid = weir_global_id(item, 0);
    struct padded *own = &scratch[LID(item)];
    fill(own);
    args->to[gid] = *own;
    fill(&args->from[gid]);
    weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL);
    args->to[gid] = args->from[gid];
    *own = args->to[gid];
    OUT(item, args) = own->tag;
}

WEIR_KERNEL(copies_padding_by_memcpy, uninit_args)
{
    struct padded *scratch = weir_local_array(item, struct padded, LOCAL);
    size_t gid = weir_global_id(item, 0);
    struct padded *own = &scratch[LID(item)];
    fill(own);
    memcpy(&args->to[gid], own, sizeof(*own));
    weir_barrier(item, WEIR_LOCAL);
    if (LID(item) == 0) {
        memcpy(&args->from[gid], scratch, LOCAL * sizeof(*own));
    }
    OUT(item, args) = args->to[gid].tag;
}

/* A byte of an element of four. */
WEIR_KERNEL(copies_narrow_padding, uninit_args)
{
    struct tagged *scratch = weir_local_array(item, struct tagged, LOCAL);
    scratch[LID(item)].tag = 1;
    scratch[LID(item)].key = 2;
    OUT(item, args) = ((const union both *)&scratch[LID(item)])->whole;
}

/* The third member is not padding, but is not used either. */
WEIR_KERNEL(adds_two_of_three, uninit_args)
{
    struct triple *scratch = weir_local_array(item, struct triple, LOCAL);
    scratch[LID(item)].first = scratch[LID(item)].second = 1;
    struct triple own = scratch[LID(item)];
    __asm__ volatile("" : "+m"(own));
    OUT(item, args) = own.first + own.second;
}

WEIR_KERNEL(copies_members, uninit_args)
{
    struct padded *scratch = weir_local_array(item, struct padded, LOCAL);
    size_t gid = weir_global_id(item, 0);
    struct padded *own = &scratch[LID(item)];
    own->number = 1;
    own->tag = 2;
    own->key = 3;
    args->to[gid].number = own->number;
    args->to[gid].tag = own->tag;
    args->to[gid].key = own->key;
    OUT(item, args) = 0;
}

/* The host has written the members of what is copied, and not its last word. */
WEIR_KERNEL(copies_the_hosts_padding, uninit_args)
{
    size_t gid = weir_global_id(item, 0);
    args->tails_to[gid] = args->tails[gid];
    memcpy(&args->tails_to[gid], &args->tails[gid], sizeof(*args->tails));
    OUT(item, args) = args->tails_to[gid].key;
}

WEIR_KERNEL(reads_and_does_not_use, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    OUT(item, args) = 1;
}

WEIR_KERNEL(multiplies_by_zero, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    OUT(item, args) = scratch[LID(item)] * args->zero;
}

WEIR_KERNEL(reads_and_overwrites, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    int32_t old = OPAQUE(scratch[LID(item)]);
    scratch[LID(item)] = old;
    scratch[LID(item)] = 7;
    OUT(item, args) = scratch[LID(item)];
}

/* In local memory, which ends with the group. */
WEIR_KERNEL(counts_what_nobody_looks_at, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    scratch[LID(item)] += 3;
    ADD_1(&scratch[LID(item)], work_group);
    OUT(item, args) = 1;
}

/* Also in[5], of which the host has written a part: that makes all of it written. */
WEIR_KERNEL(reads_the_hosts, uninit_args)
{
    OUT(item, args) = args->in[weir_global_id(item, 0)];
}

__attribute__((noinline, no_sanitize("thread"))) static void set(int32_t *to)
{
    *to = 1;
}

/* By code without hooks. */
WEIR_KERNEL(is_written_unseen, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    set(&scratch[LID(item)]);
    OUT(item, args) = scratch[LID(item)];
}

/* The process is another one whenever it is run again: that proves nothing. */
WEIR_KERNEL(is_never_the_same, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    (void)OPAQUE(scratch[LID(item)]);
    OUT(item, args) = (int32_t)getpid();
}

static const struct weir_kernel *const clean[] = {
    &copies_padding_by_assignment,
    &copies_padding_by_memcpy,
    &copies_narrow_padding,
    &adds_two_of_three,
    &copies_members,
    &copies_the_hosts_padding,
    &reads_and_does_not_use,
    &multiplies_by_zero,
    &reads_and_overwrites,
    &counts_what_nobody_looks_at,
    &reads_the_hosts,
    &is_written_unseen,
    &is_never_the_same,
};

CASE("silent");

DEVICE_TEST_EACH(a_read_that_does_not_matter_is_silent, G_N_ELEMENTS(clean))
{
    struct setting setting = open_setting(device);
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        renew(&setting, false);
        ((char *)&setting.args.in[5])[3] = 1;
        expect_quiet(LAUNCH(setting.device, clean[_i], weir_nd_range_1d(N, LOCAL),
                            &setting.args, CHECKED(&orders[o])),
                     clean[_i], &orders[o], LOCAL);
    }
}

DEVICE_TEST_EACH(an_exploration_is_silent_of_it_too, G_N_ELEMENTS(clean))
{
    struct setting setting = open_setting(device);
    renew(&setting, false);
    ((char *)&setting.args.in[5])[3] = 1;
    expect_silence(explore_it(&setting, clean[_i]), clean[_i]->name);
}

/* expect: data-race scratch[], and nothing of what a read in a race finds */
WEIR_KERNEL(forgets_the_barrier, uninit_args)
{
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
    scratch[LID(item)] = 1;
    OUT(item, args) = scratch[(LID(item) + 1) % LOCAL];
}

DEVICE_TEST(what_comes_from_a_race_is_told_as_a_race)
{
    struct setting setting = open_setting(device);
    for (size_t o = 0; o < scaled(N_ORDERS, 2); o++) {
        g_autoptr(weir_report) report
            = launch(&setting, &forgets_the_barrier, &orders[o], false);
        (void)only_finding(report, WEIR_FINDING_DATA_RACE, "forgets_the_barrier");
    }
    g_autoptr(weir_report) report = explore(&setting, &forgets_the_barrier, false);
    (void)only_finding(report, WEIR_FINDING_DATA_RACE, "forgets_the_barrier");
}

DEVICE_TEST(a_device_that_does_not_poison_has_written_all)
{
    struct setting setting = open_setting(device);
    struct weir_report *report = launch(&setting, &reads_the_hosts, &orders[0], false);
    (void)only_finding(report, WEIR_FINDING_UNINITIALIZED_READ, "reads_the_hosts");
    weir_report_free(report);
    weir_device_poison(setting.device, false);
    expect_quiet(launch(&setting, &reads_the_hosts, &orders[0], false),
                 &reads_the_hosts, &orders[0], LOCAL);
}

/* ---- Chance ---------------------------------------------------------------------- */

enum { LARGE = 70000 }; /* words: more than MOST_ALONE of watch/uninit.c */

WEIR_KERNEL(sums_a_large_array, uninit_args)
{
    int32_t sum = 0;
    for (size_t i = weir_global_id(item, 0); i < LARGE; i += N) {
        sum += args->more[i];
    }
    OUT(item, args) = sum;
}

CASE("chance");

/* One word of very many may be its poison by chance; two neighbours may not, and the
 * last one may not either. */
DEVICE_TEST(a_number_that_is_poison_by_chance_is_none)
{
    static const struct {
        size_t first, n;
        bool found;
    } holes[] = { { 1000, 0, false }, { 1000, 1, false },     { 1000, 2, true },
                  { 1023, 2, true },  { LARGE - 1, 1, true }, { 0, 1, true } };
    for (size_t h = 0; h < scaled(G_N_ELEMENTS(holes), 3); h++) {
        struct setting setting = open_setting(device);
        renew(&setting, true);
        setting.args.more = weir_new(setting.device, int32_t, LARGE, "large");
        for (size_t i = 0; i < LARGE; i++) {
            if (i < holes[h].first || i >= holes[h].first + holes[h].n) {
                setting.args.more[i] = (int32_t)i;
            }
        }
        g_autoptr(weir_report) report
            = LAUNCH(setting.device, &sums_a_large_array, weir_nd_range_1d(N, LOCAL),
                     &setting.args, CHECKED(&orders[0]));
        size_t n;
        const struct weir_finding *finding = uninitialized(report, &n);
        ck_assert_msg(n == holes[h].found, "hole %zu: %zu findings", h, n);
        if (finding != NULL) {
            ck_assert_str_eq(finding->object, "large");
            /* of the first item that reads one of them */
            size_t least = holes[h].first;
            for (size_t i = 0; i < holes[h].n; i++) {
                least
                    = (holes[h].first + i) % N < least % N ? holes[h].first + i : least;
            }
            ck_assert_int_eq(finding->index, (int64_t)least);
            ck_assert_uint_eq(finding->count, holes[h].n);
        }
    }
}

/* One byte of a word is written, and all values of it are: some are what its poison
 * was. */
struct flagged {
    uint8_t flag;
    int64_t number;
};

typedef struct {
    const struct flagged *from;
    int32_t *out;
} flags_args;

WEIR_KERNEL(reads_flags, flags_args)
{
    const struct flagged *mine = &args->from[weir_global_id(item, 0)];
    args->out[weir_global_id(item, 0)] = OPAQUE(mine->flag) > 99 ? 1 : 2;
}

TEST(a_byte_that_is_poison_by_chance_is_none)
{
    enum { FLAGS = 4096 };
    g_autoptr(weir_device) device = device_open("default");
    weir_device_poison(device, true);
    flags_args args = { NULL, weir_new(device, int32_t, FLAGS, "out") };
    struct flagged *from = weir_new(device, struct flagged, FLAGS, "from");
    args.from = from;
    for (size_t written = 0; written < 2; written++) {
        for (size_t i = 0; written > 0 && i < FLAGS; i++) {
            from[i].flag = (uint8_t)(i + i / 256);
            from[i].number = (int64_t)i;
        }
        g_autoptr(weir_report) report
            = LAUNCH(device, &reads_flags, weir_nd_range_1d(FLAGS, 64), &args,
                     CHECKED(&orders[0]));
        ck_assert_uint_eq(weir_report_n_findings(report), written > 0 ? 0 : 1);
    }
}

/* expect: data-race scratch[]. Eight reads find the poison and drop it; the ninth is in
 * the race. */
WEIR_KERNEL(drops_eight_before_a_race, uninit_args)
{
    volatile int32_t *unused = weir_local_array(item, int32_t, LOCAL);
    int32_t *scratch = weir_local_array(item, int32_t, LOCAL);
#define DROP (void)OPAQUE(unused[LID(item)]);
    DROP DROP DROP DROP DROP DROP DROP DROP scratch[LID(item)] = 1;
    OUT(item, args) = scratch[(LID(item) + 1) % LOCAL];
}

DEVICE_TEST(reads_that_do_not_matter_are_not_blamed_for_a_race)
{
    struct setting setting = open_setting(device);
    g_autoptr(weir_report) report
        = launch(&setting, &drops_eight_before_a_race, &orders[0], false);
    (void)only_finding(report, WEIR_FINDING_DATA_RACE, "drops_eight_before_a_race");
}

MAIN("uninitialised reads: silent")
