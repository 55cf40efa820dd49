/* SPDX-License-Identifier: MIT
 *
 * check_races_memory.c: what two accesses must have in common to race: a byte, of any
 * memory; a write; and that not both are atomic. And kernels in hierarchical form, and
 * of more dimensions than one. */
#include "races.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Atomic and plain ---------------------------------------------------- */

/* expect: mixed-atomic data[0]: add / peek */
WEIR_KERNEL(peek_while_others_add, race_args)
{
    if (GLOBAL_ID(item) == 0) {
        if (args->wrong) {
            args->out[0] = args->data[0]; /* peek */
        } else {
            args->out[0] = LOAD(args->data, RELAXED, DEVICE);
        }
    } else {
        ADD(args->data, 1, RELAXED, DEVICE); /* add */
    }
}

CASE("mixed");

TEST(a_plain_read_races_with_additions)
{
    FOUND(
        peek_while_others_add, ARGS(.wrong = true),
        RACES(RACE("data", 0, READS("peek"),
                   ATOMIC("add", "fetch_add", "relaxed", "device"), "", MIXED_ATOMIC)));
    SILENT(peek_while_others_add, NULL);
}

/* Additions by one item, at one site: the second one takes the shortcut. */
WEIR_KERNEL(additions_of_one_item, race_args)
{
    for (int turn = 0; GLOBAL_ID(item) == 0 && turn < 4; turn++) {
        args->out[turn] = ADD(args->data, turn == 1 ? INT32_MAX : 1, RELAXED, DEVICE);
    }
}

static bool additions_are_right(const race_args *memory)
{
    return memory->out[0] == 0 && memory->out[1] == 1 && memory->out[2] == INT32_MIN
        && memory->out[3] == INT32_MIN + 1 && memory->data[0] == INT32_MIN + 2;
}

TEST(additions_return_what_was_there_and_wrap)
{
    SILENT(additions_of_one_item, additions_are_right);
}

/* Two items add to a word, or each to one of its own, and one reads its own addition.
 * Only where two add may a fast launch put additions off: this race allows it.
 * expect: mixed-atomic data[0]: increase / look */
WEIR_KERNEL(look_after_adding, race_args)
{
    size_t gid = GLOBAL_ID(item);
    int32_t *word = &args->data[args->wrong ? 0 : gid];
    if (gid < 2) {
        weir_atomic_add_explicit(word, 1, RELAXED, DEVICE); /* increase */
    }
    if (gid == 1) {
        args->out[0] = *word; /* look */
    }
}

TEST(a_plain_read_races_with_another_items_addition_and_not_with_its_own)
{
    FOUND(look_after_adding, ARGS(.wrong = true),
          RACES(RACE("data", 0, READS("look"),
                     ATOMIC("increase", "fetch_add", "relaxed", "device"), "",
                     MIXED_ATOMIC)));
    SILENT(look_after_adding, NULL);
}

/* expect: mixed-atomic data[0]: swap / peek, where the exchange is made */
WEIR_KERNEL(peek_beside_a_compare_exchange, race_args)
{
    int32_t expected = args->wrong ? 0 : 7;
    struct weir_atomic_i32 data = weir_atomic_ref(args->data, SEQ_CST, DEVICE);
    if (LOCAL_ID(item) == 0) {
        weir_atomic_compare_exchange_strong(data, &expected, 5); /* swap */
    } else {
        args->out[GLOBAL_ID(item)] = args->data[0]; /* peek */
    }
}

TEST(a_compare_exchange_writes_only_if_it_succeeds)
{
    struct wrong wrong = {
        .kernel = &peek_beside_a_compare_exchange,
        .args = { .wrong = true },
        .races = { RACE("data", 0, READS("peek"),
                        ATOMIC("swap", "compare_exchange", "seq_cst", "device"), "",
                        MIXED_ATOMIC) },
    };
    expect_found(&wrong);
    wrong.args.wrong = false;
    expect_silent(&wrong, NULL);
}

/* Each item has a slot of its own, whichever it is. */
WEIR_KERNEL(slots_by_a_counter, race_args)
{
    int32_t slot = ADD(args->flag, 1, RELAXED, DEVICE);
    args->data[slot] = (int32_t)GLOBAL_ID(item) + 1;
}

static bool slots_are_taken_once(const race_args *memory)
{
    int32_t sum = 0;
    for (size_t i = 0; i < N; i++) {
        sum += memory->data[i];
    }
    return sum == N * (N + 1) / 2 && memory->data[N] == 0;
}

TEST(slots_that_a_counter_hands_out_do_not_race)
{
    SILENT(slots_by_a_counter, slots_are_taken_once);
}

/* ---- The same value ------------------------------------------------------ */

/* expect: data-race data[0]: raise / raise, of the same value */
WEIR_KERNEL(raise_by_all, race_args)
{
    if (LOCAL_ID(item) == 0) {
        args->data[0] = args->wrong ? (int32_t)GLOBAL_ID(item) + 1 : 1; /* raise */
    }
}

TEST(writes_of_the_same_value_race_or_are_a_note_by_option)
{
    struct wrong wrong = {
        .kernel = &raise_by_all,
        .races = { RACE("data", 0, WRITES("raise"), WRITES("raise"), of_groups) },
    };
    expect_found(&wrong);
    wrong.options.same_value = WEIR_SAME_VALUE_NOTE;
    wrong.races[0].note = true;
    expect_found(&wrong);
    wrong.args.wrong = true; /* values that differ are not a note */
    wrong.races[0].note = false;
    expect_found(&wrong);
}

TEST(the_first_write_of_a_value_that_was_there_is_no_reason_for_a_note)
{
    struct wrong wrong = { .kernel = &raise_by_all,
                           .options = { .same_value = WEIR_SAME_VALUE_NOTE } };
    const struct weir_report *report = report_under(&wrong, &race_orders[0]);
    ck_assert_uint_eq(weir_report_n_findings(report), 1);
    ck_assert_uint_eq(weir_report_n_defects(report), 0);
    expect_contains(weir_report_finding(report, 0)->message,
                    "both write the same value");
    ck_assert_uint_eq(weir_report_finding(report, 0)->count, GROUPS - 1);
}

/* expect: data-race data[0]: first / again, of the same value, whatever item LOCAL
 * writes then. The places of its writes are known when it comes to data[0], in a loop
 * that no compiler can unroll, so that the last one could take a shortcut.
 * @how: whether its value is another one */
WEIR_KERNEL(write_again_after_a_race, race_args)
{
    volatile int32_t *data = args->data;
    if (GLOBAL_ID(item) == 0) {
        data[0] = 1; /* first */
    } else if (GLOBAL_ID(item) == LOCAL) {
        for (int32_t k = args->in[7]; k >= 0; k -= 8) { /* 8 and 0 */
            data[k] = 1;                                /* again */
            data[k] = args->how != 0 ? 2 : 1;
        }
    }
}

TEST(a_write_after_a_race_does_not_hide_its_value)
{
    struct wrong wrong = { .kernel = &write_again_after_a_race,
                           .options = { .same_value = WEIR_SAME_VALUE_NOTE } };
    for (uint32_t how = 0; how < 2; how++) {
        wrong.args.how = how;
        const struct weir_report *report = report_under(&wrong, &race_orders[0]);
        ck_assert_uint_eq(weir_report_n_findings(report), 1);
        ck_assert_uint_eq(weir_report_n_defects(report), 0);
    }
}

/* expect: data-race data[0]: eight bytes, by one item of each group; if @wrong, the
 * values differ in bit @how, which is of one of the two words */
WEIR_KERNEL(raise_two_words, race_args)
{
    if (LOCAL_ID(item) == 0) {
        uint64_t group = args->wrong ? GLOBAL_ID(item) / LOCAL % 2 : 0;
        *(uint64_t *)(void *)args->data = group << args->how % 64;
    }
}

TEST(a_write_of_two_words_has_the_same_value_if_both_words_have)
{
    struct wrong wrong = { .kernel = &raise_two_words,
                           .options = { .same_value = WEIR_SAME_VALUE_NOTE } };
    for (uint32_t bit = 0; bit <= 64; bit++) {
        wrong.args.wrong = bit < 64;
        wrong.args.how = bit;
        const struct weir_report *report = report_under(&wrong, &race_orders[0]);
        ck_assert_uint_eq(weir_report_n_findings(report), 1);
        ck_assert_uint_eq(weir_report_n_defects(report), bit < 64);
    }
}

/* ---- Bytes --------------------------------------------------------------- */

/* expect: data-race data[0]: put / put_two, of byte 1, where item 1 writes two */
WEIR_KERNEL(bytes_of_a_word, race_args)
{
    unsigned char *bytes = (unsigned char *)args->data;
    if (GLOBAL_ID(item) == LOCAL && args->wrong) {
        *(uint16_t *)bytes = 0x0101; /* put two */
    } else if (LOCAL_ID(item) == 0) {
        bytes[GLOBAL_ID(item) / LOCAL + 1] = 2; /* put */
    }
}

CASE("bytes");

TEST(bytes_of_a_word_that_are_not_the_same_are_apart)
{
    FOUND(bytes_of_a_word, ARGS(.wrong = true),
          RACES(RACE("data", 0, WRITES("put two"), WRITES("put"), of_groups)));
    SILENT(bytes_of_a_word, NULL);
}

struct record {
    int16_t left;
    int16_t right;
    int32_t whole;
    double real;
};

/* expect: data-race data[2]: left's neighbours: whole / read whole */
WEIR_KERNEL(fields_of_a_record, race_args)
{
    struct record *record = (struct record *)args->data + 1;
    if (GLOBAL_ID(item) == 0) {
        record->left = 1;
    } else if (GLOBAL_ID(item) == LOCAL) {
        record->right = 2;
        record->whole = 3; /* whole */
    } else if (GLOBAL_ID(item) == 2 * LOCAL) {
        record->real = args->wrong ? record->whole : 4; /* read whole */
    }
}

TEST(fields_of_a_record_are_apart)
{
    FOUND(fields_of_a_record, ARGS(.wrong = true),
          RACES(RACE("data",
                     (sizeof(struct record) + offsetof(struct record, whole))
                         / sizeof(int32_t),
                     WRITES("whole"), READS("read whole"), of_groups)));
    SILENT(fields_of_a_record, NULL);
}

/* ---- Ranges -------------------------------------------------------------- */

struct wide {
    int64_t half[2];
};

struct nine {
    int32_t part[9];
};

/* expect: data-race data: copy / poke, of an element in the middle of the copy */
WEIR_KERNEL(copies, race_args)
{
    if (GLOBAL_ID(item) == 0) {
        switch (args->how & 0xff) {
        case 0:
            *(struct wide *)&args->data[4] = *(const struct wide *)args->in; /* wide */
            break;
        case 1:
            *(struct nine *)&args->data[4] = *(const struct nine *)args->in; /* nine */
            break;
        default: {
            size_t n = OPAQUE((size_t)args->how & 0xff);
            memcpy(args->data + 4, args->in, n); /* memcpy */
        }
        }
    } else if (GLOBAL_ID(item) == LOCAL) {
        args->data[args->how >> 8] = 1; /* poke */
    }
}

static const struct copying {
    uint32_t how; /* the element that is poked comes above bit 8 */
    const char *label;
    uint32_t end; /* the first element after what is copied */
} copyings[] = {
    { 0, "wide", 8 },
    { 1, "nine", 13 },
    { 20, "memcpy", 9 },
};

TEST_EACH(a_copy_touches_each_of_its_bytes_and_no_other, G_N_ELEMENTS(copyings))
{
    const struct copying *copying = &copyings[_i];
    const uint32_t inside[] = { 4, copying->end - 1 }, outside[] = { 3, copying->end };
    for (int k = 0; k < 2; k++) {
        FOUND(copies, ARGS(.how = copying->how | inside[k] << 8),
              RACES(RACE("data", inside[k], WRITES(copying->label), WRITES("poke"),
                         of_groups)));
        SILENT(copies, NULL, ARGS(.how = copying->how | outside[k] << 8));
    }
}

/* ---- Statics ------------------------------------------------------------- */

static int32_t n_visits;
static int32_t visits_of[MOST];

/* expect: data-race n_visits[0]: look / note, note / note */
WEIR_KERNEL(visits, race_args)
{
    if (args->wrong) {
        int32_t before = OPAQUE(n_visits); /* look */
        n_visits = before + 1;             /* note */
    }
    visits_of[OPAQUE(GLOBAL_ID(item))]++;
}

TEST(statics_are_reported_by_their_names)
{
    FOUND(visits, ARGS(.wrong = true),
          RACES(RACE("n_visits", 0, READS("look"), WRITES("note"), ""),
                RACE("n_visits", 0, WRITES("note"), WRITES("note"), "",
                     .at_times = true)));
    SILENT(visits, NULL);
}

/* ---- In hierarchical form ------------------------------------------------ */

/* A loop comes after the one before it, and code between them after and before both. */
WEIR_GROUP_KERNEL(loops_in_turn, race_args)
{
    int32_t *shared = weir_group_local_array(group, int32_t, LOCAL);
    size_t first = weir_group_index(group, 0) * LOCAL;
    weir_for_each_item(item, group) {
        shared[LOCAL_ID(item)] = 1;
        args->data[GLOBAL_ID(item)] = 1;
    }
    shared[0] += args->data[first + 1]; /* once a group */
    weir_for_each_item(item, group) {
        size_t next = (LOCAL_ID(item) + 1) % LOCAL;
        args->out[GLOBAL_ID(item)] = shared[next] + args->data[first + next];
    }
}

static bool loops_are_right(const race_args *memory)
{
    for (size_t i = 0; i < N; i++) {
        if (memory->out[i] != (i % LOCAL == LOCAL - 1 ? 3 : 2)) {
            return false;
        }
    }
    return true;
}

CASE("loops");

TEST(loops_over_items_are_ordered_by_their_barriers)
{
    SILENT(loops_in_turn, loops_are_right);
}

/* expect: data-race shared: put / get, of two items of one loop */
WEIR_GROUP_KERNEL(neighbours_in_one_loop, race_args)
{
    int32_t *shared = weir_group_local_array(group, int32_t, LOCAL); /* shared */
    weir_for_each_item(item, group) {
        shared[LOCAL_ID(item)] = 1; /* put */
        size_t of = args->wrong ? (LOCAL_ID(item) + 1) % LOCAL : LOCAL_ID(item);
        args->out[GLOBAL_ID(item)] = OPAQUE(shared[of]); /* get */
    }
}

TEST(items_of_one_loop_are_not_ordered)
{
    FOUND(neighbours_in_one_loop, ARGS(.wrong = true),
          RACES(RACE("shared", ANY_INDEX, WRITES("put"), READS("get"),
                     "nothing orders the items of one weir_for_each_item loop")));
    SILENT(neighbours_in_one_loop, NULL);
}

/* expect: data-race data: put / get, of two groups */
WEIR_GROUP_KERNEL(neighbour_groups, race_args)
{
    size_t index = weir_group_index(group, 0);
    weir_for_each_item(item, group) {
        args->data[GLOBAL_ID(item)] = 1; /* put */
    }
    size_t of = args->wrong ? (index + 1) % GROUPS : index;
    args->out[index] = args->data[of * LOCAL]; /* get */
}

TEST(loops_of_two_groups_are_not_ordered)
{
    FOUND(neighbour_groups, ARGS(.wrong = true),
          RACES(RACE("data", ANY_INDEX, WRITES("put"), READS("get"), of_groups)));
    SILENT(neighbour_groups, NULL);
}

/* ---- Ranges of more dimensions ------------------------------------------- */

enum { X = 2, Y = 4, Z = 3 };

/* expect: data-race tile: put / get, of items of one group of X by Y */
WEIR_KERNEL(transpose, race_args)
{
    size_t x = weir_local_id(item, 0), y = weir_local_id(item, 1);
    int32_t *tile = weir_local_array(item, int32_t, X * Y); /* tile */
    tile[x * Y + y] = (int32_t)weir_local_linear_id(item);  /* put */
    if (!args->wrong) {
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_linear_id(item)] = tile[(X - 1 - x) * Y + y]; /* get */
}

/* expect: data-race data: put / get, of neighbours in the first dimension */
WEIR_KERNEL(cube, race_args)
{
    size_t sx = weir_global_size(item, 0), x = weir_global_id(item, 0);
    size_t plane = weir_global_linear_id(item) - x * Y * Z;
    args->data[x * Y * Z + plane] = 1; /* put */
    weir_barrier(item, WEIR_GLOBAL);
    size_t of = args->wrong ? (x + 1) % sx : x ^ 1; /* groups have two in x */
    args->out[x * Y * Z + plane] = OPAQUE(args->data[of * Y * Z + plane]); /* get */
}

static const struct weir_finding *finding_at(const struct weir_report *report,
                                             int64_t index)
{
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        if (weir_report_finding(report, i)->index == index) {
            return weir_report_finding(report, i);
        }
    }
    ck_abort_msg("no finding of element %d", (int)index);
    return NULL;
}

CASE("ranges");

TEST(items_of_two_dimensions_are_reported_by_their_ids)
{
    struct wrong wrong = {
        .kernel = &transpose,
        .range = weir_nd_range_2d(2 * X, 2 * Y, X, Y),
        .args = { .wrong = true },
        .races = { RACE("tile", ANY_INDEX, WRITES("put"), READS("get"), no_barrier) },
    };
    expect_found(&wrong);
    const struct weir_report *report = report_under(&wrong, &race_orders[0]);
    const struct weir_finding *finding = finding_at(report, Y);
    /* Item (0,0) reads it, and (1,0) writes it. */
    EXPECT_COORDINATES(party_that(finding, "read")->item, 0, 0, 0);
    EXPECT_COORDINATES(party_that(finding, "write")->item, 1, 0, 0);
    ck_assert_str_eq(party_that(finding, "write")->items, "4");
    EXPECT_COORDINATES(party_that(finding, "write")->group, 0, 0, 0);
    wrong.args.wrong = false;
    expect_silent(&wrong, NULL);
}

TEST(groups_of_three_dimensions_are_reported_by_their_ids)
{
    struct wrong wrong = {
        .kernel = &cube,
        .range = weir_nd_range_3d(2 * X, Y, Z, X, Y / 2, 1),
        .args = { .wrong = true },
        .races
        = { RACE("data", ANY_INDEX, WRITES("put"), READS("get"),
                 "the items are of different groups, and nothing synchronises them") },
    };
    expect_found(&wrong);
    const struct weir_report *report = report_under(&wrong, &race_orders[0]);
    const struct weir_finding *finding = weir_report_finding(report, 0);
    const struct weir_party *party = finding->parties;
    /* Groups of neighbours in x differ in x only, as their items do. */
    ck_assert_uint_eq(party[0].group[1], party[1].group[1]);
    ck_assert_uint_eq(party[0].group[2], party[1].group[2]);
    ck_assert_uint_ne(party[0].group[0], party[1].group[0]);
    ck_assert_uint_ne(party[0].item[0], party[1].item[0]);
    ck_assert_uint_eq(party[0].item[1], party[1].item[1]);
    wrong.args.wrong = false;
    expect_silent(&wrong, NULL);
}

CASE("mixed");

/* expect: mixed-atomic data[0]: count / peek, where the reader counts, too */
WEIR_KERNEL(peek_after_counting, race_args)
{
    if (GLOBAL_ID(item) < LOCAL) {           /* all in one moment, before any barrier */
        ADD(args->data, 1, RELAXED, DEVICE); /* count */
    }
    if (GLOBAL_ID(item) == 0) {
        if (args->wrong) {
            args->out[0] = args->data[0]; /* peek */
        } else {
            args->out[0] = LOAD(args->data, RELAXED, DEVICE);
        }
    }
}

TEST(additions_after_a_plain_read_race_with_it)
{
    FOUND(peek_after_counting, ARGS(.wrong = true),
          RACES({ .kind = WEIR_FINDING_MIXED_ATOMIC,
                  .sides = { PLAIN("peek", "read"),
                             ATOMIC("count", "fetch_add", "relaxed", "device") },
                  .object = "data",
                  .why = "" }));
    SILENT(peek_after_counting, NULL);
}

CASE("libc");

static int by_bytes(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

enum { N_WRITERS = 8, N_READERS = 8 };

/* Calls one of the functions that write @text, then of those that read it. */
static int call_libc(uint32_t which, char *text, char *own)
{
    switch (which) {
    case 0:
        return strcpy(text, "ab") == text;
    case 1:
        return strncpy(text, "ab", 4) == text;
    case 2:
        return strcat(text, "ab") == text;
    case 3:
        return strncat(text, "abc", 2) == text;
    case 4:
        return stpcpy(text, "ab") == text;
    case 5:
        return sprintf(text, "%d", 12);
    case 6:
        return snprintf(text, 3, "%s", "abcd");
    case 7:
        qsort(text, 4, 1, by_bytes);
        return 0;
    case 8:
        return (int)strlen(text);
    case 9:
        return strcmp(text, "ab");
    case 10:
        return memcmp(text, "ab", 3);
    case 11:
        return memchr(text, 'b', 4) != NULL;
    case 12:
        return strchr(text, 'b') != NULL;
    case 13:
        return strstr(text, "b") != NULL;
    case 14:
        return strcpy(own, text) == own;
    default:
        return sprintf(own, "%ld%s", 1L, text);
    }
}

/* expect: data-race data[0]: one of these functions / a plain access */
WEIR_KERNEL(use_libc, race_args)
{
    char *text = (char *)args->data, own[16];
    bool writes = args->how < N_WRITERS;
    if (GLOBAL_ID(item) == 0) {
        if (writes) {
            (void)call_libc(args->how, text, own);
        } else {
            args->data[0] = 'a' | 'b' << 8;
        }
    }
    if (!args->wrong) {
        weir_barrier(item, WEIR_GLOBAL);
    }
    if (GLOBAL_ID(item) == 1) {
        args->out[0] = writes ? args->data[0] : call_libc(args->how, text, own);
    } else if (GLOBAL_ID(item) == 2) {
        text[4] = 'c'; /* after what they read and write */
    }
}

TEST(functions_of_libc_read_and_write)
{
    struct wrong wrong = { .kernel = &use_libc };
    for (uint32_t how = 0; how < N_WRITERS + N_READERS; how++) {
        for (unsigned k = 0; k < 2; k++) {
            wrong.args.how = how;
            wrong.args.wrong = k == 0;
            const struct weir_report *report = report_under(&wrong, &race_orders[0]);
            EXPECT((weir_report_n_defects(report) > 0) == wrong.args.wrong,
                   "function %u: %zu defects", how, weir_report_n_defects(report));
        }
    }
}

CASE("sizes");

/* expect: data-race data[@how]: wide / narrow, which share four bytes. Both are atomic
 * to operations of their own size, and to those on other bytes. */
WEIR_KERNEL(count_in_two_sizes, race_args)
{
    int64_t *wide = (int64_t *)(void *)args->data;
    if (GLOBAL_ID(item) == 0) {
        ADD(wide, 1, RELAXED, DEVICE); /* wide */
    }
    if (!args->wrong) {
        weir_barrier(item, WEIR_GLOBAL);
    }
    if (GLOBAL_ID(item) == 1) {
        ADD(args->data + args->how, 1, RELAXED, DEVICE); /* narrow */
    } else if (LOCAL_ID(item) == 2) {
        ADD(wide + 1, 1, RELAXED, DEVICE);
        ADD(args->data + 4 + GLOBAL_ID(item) / LOCAL % 2, 1, RELAXED, DEVICE);
    }
}

TEST(atomics_of_two_sizes_race_where_nothing_orders_them)
{
    for (uint32_t half = 0; half < 2; half++) {
        FOUND(count_in_two_sizes, ARGS(.wrong = true, .how = half),
              RACES(RACE("data", half, ATOMIC("wide", "fetch_add", "relaxed", "device"),
                         ATOMIC("narrow", "fetch_add", "relaxed", "device"),
                         "not atomic to each other")));
        SILENT(count_in_two_sizes, NULL, ARGS(.how = half));
    }
}

MAIN("races: memory")
