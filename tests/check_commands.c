/* SPDX-License-Identifier: MIT
 *
 * check_commands.c: random programs of commands against the definition: an order as a
 * matrix, and all accesses that there were. */
#include "config.h"

#include "base/rng.h"
#include "support.h"
#include "watch/commands.h"

#include <glib.h>
#include <string.h>

enum { MOST = 60, QUEUES = 3, BUFFERS = 2, BYTES = 12, EVENTS = 3 };

struct done {
    uint32_t command; /* 0: the host */
    unsigned byte, bytes;
    bool writes, atomic;
};

/* A program, and what is known of it by the definition. */
struct program {
    struct weiri_rng rng;
    struct weiri_commands *commands;
    struct weiri_command_order *order;
    bool in_order[QUEUES + 1];
    uint32_t n;                      /* commands, numbered from 1 */
    bool before[MOST + 1][MOST + 1]; /* column 0: the host has waited */
    uint32_t queue[MOST + 1];
    bool barrier[MOST + 1];
    unsigned uses[MOST + 1][BUFFERS]; /* 0: none, 1: reads, 2: writes */
    struct done done[8 * MOST];
    unsigned n_done;
    bool raced[BYTES]; /* only the first race of a byte is certain to be found */
    GHashTable *found; /* first << 32 | second, of the races of one access */
};

static unsigned below(struct program *program, unsigned n)
{
    return (unsigned)weiri_rng_below(&program->rng, n);
}

static char memory[BYTES] __attribute__((aligned(4)));
static const char buffers[BUFFERS];

/* @later comes after @earlier and all before it. */
static void put_before(struct program *program, uint32_t earlier, uint32_t later)
{
    program->before[earlier][later] = true;
    for (uint32_t c = 1; c <= program->n; c++) {
        program->before[c][later] |= program->before[c][earlier];
    }
}

/* Whether a command or the host that uses the buffer comes after an earlier one. */
static bool conflict(const struct program *program, uint32_t earlier, unsigned buffer,
                     unsigned use)
{
    unsigned other = program->uses[earlier][buffer];
    return use != 0 && other != 0 && (use == 2 || other == 2);
}

static void submit(struct program *program)
{
    uint32_t events[EVENTS], self = program->n + 1;
    struct weiri_command_use uses[BUFFERS];
    struct weiri_command_start start
        = { .queue = 1 + below(program, QUEUES), .after = events, .uses = uses };
    start.barrier = below(program, 8) == 0;
    program->queue[self] = start.queue;
    program->barrier[self] = start.barrier;
    for (unsigned i = below(program, EVENTS + 1); i > 0 && program->n > 0; i--) {
        events[start.n_after] = 1 + below(program, program->n);
        put_before(program, events[start.n_after++], self);
    }
    for (unsigned b = 0; b < BUFFERS; b++) {
        unsigned use = below(program, 6);
        program->uses[self][b] = use < 3 ? use : 0;
        if (program->uses[self][b] != 0) {
            uses[start.n_uses++] = (struct weiri_command_use){ &buffers[b], use == 2 };
        }
    }
    for (uint32_t c = 1; c < self; c++) {
        bool same = program->queue[c] == start.queue;
        bool after = program->before[c][0]
            || (same
                && (program->in_order[start.queue] || program->barrier[c]
                    || (start.barrier && start.n_after == 0)));
        for (unsigned b = 0; b < BUFFERS; b++) {
            after |= conflict(program, c, b, program->uses[self][b]);
        }
        if (after) {
            put_before(program, c, self);
        }
    }
    ck_assert_uint_eq(weiri_command_order_begin(program->order, &start), self);
    weiri_commands_add(program->commands,
                       &(struct weiri_commander){ .number = self, .what = "" });
    program->n = self;
}

static bool wait_somehow(struct program *program)
{
    unsigned how = below(program, 4), which = 1 + below(program, QUEUES);
    uint32_t command = program->n > 0 ? 1 + below(program, program->n) : 0;
    unsigned buffer = below(program, BUFFERS), use = 1 + below(program, 2);
    for (uint32_t c = 1; c <= program->n; c++) {
        if (how == 0       ? program->queue[c] == which
                : how == 1 ? conflict(program, c, buffer, use)
                           : c == command) {
            put_before(program, c, 0);
        }
    }
    return how == 0 ? weiri_command_order_wait_queue(program->order, which)
        : how == 1
        ? weiri_command_order_wait_buffer(program->order, &buffers[buffer], use == 2)
        : weiri_command_order_wait(program->order, command);
}

static void expect_order(const struct program *program, uint64_t seed)
{
    for (uint32_t a = 1; a <= program->n; a++) {
        for (uint32_t b = 0; b <= program->n; b++) {
            bool forgotten = a < weiri_command_order_first(program->order);
            bool expected = program->before[a][b] || forgotten;
            if (a < b || b == 0) {
                EXPECT(weiri_command_order_before(program->order, a, b) == expected,
                       "seed %" G_GUINT64_FORMAT ": command %u is %sbefore %u", seed, a,
                       expected ? "" : "not ", b);
            }
        }
    }
}

/* ---- Accesses -------------------------------------------------------------------- */

static bool race(const struct program *program, const struct done *a,
                 const struct done *b)
{
    bool overlap = a->byte < b->byte + b->bytes && b->byte < a->byte + a->bytes;
    return overlap && (a->writes || b->writes) && !(a->atomic && b->atomic)
        && a->command != b->command && a->command != 0
        && !program->before[a->command][b->command] && !program->before[a->command][0];
}

static void take_races(struct program *program)
{
    g_autoptr(GArray) races = weiri_commands_take_races(program->commands);
    for (guint i = 0; i < races->len; i++) {
        const struct weiri_command_race *one
            = &g_array_index(races, struct weiri_command_race, i);
        uint64_t key = (uint64_t)one->first.number << 32 | one->second.number;
        g_hash_table_add(program->found, g_memdup2(&key, sizeof(key)));
    }
}

/* An access, whose races are those of the definition: no other is found, and of bytes
 * without a race before, one is. */
static void touch(struct program *program, uint32_t command, uint64_t seed)
{
    struct done now = { .command = command, .byte = below(program, BYTES) };
    now.bytes = 1 + below(program, MIN(BYTES - now.byte, 6));
    now.writes = below(program, 3) == 0;
    now.atomic = command != 0 && below(program, 3) == 0;
    struct weiri_command_place place
        = { .reads = !now.writes, .writes = now.writes, .atomic = now.atomic };
    const struct weiri_command_access access
        = { .place = weiri_commands_place(program->commands, &place) };
    weiri_commands_touch_range(program->commands, command, memory + now.byte, now.bytes,
                               &access);
    g_hash_table_remove_all(program->found);
    take_races(program);
    bool found = g_hash_table_size(program->found) > 0;
    bool expected = false, raced[BYTES] = { false };
    for (unsigned i = 0; i < program->n_done; i++) {
        const struct done *old = &program->done[i];
        uint64_t key = (uint64_t)old->command << 32 | command;
        if (!race(program, old, &now)) {
            continue;
        }
        for (unsigned b = MAX(old->byte, now.byte);
             b < MIN(old->byte + old->bytes, now.byte + now.bytes); b++) {
            expected |= !program->raced[b];
            raced[b] = true;
        }
        g_hash_table_remove(program->found, &key);
    }
    EXPECT(g_hash_table_size(program->found) == 0,
           "seed %" G_GUINT64_FORMAT ": a race that is none", seed);
    EXPECT(found || !expected, "seed %" G_GUINT64_FORMAT ": a race is not found", seed);
    for (unsigned b = 0; b < BYTES; b++) {
        program->raced[b] |= raced[b];
    }
    program->done[program->n_done++] = now;
}

TEST_EACH(orders_and_races_are_those_of_the_definition, 300)
{
    uint64_t seed = (uint64_t)_i;
    static struct program program;
    program = (struct program){ .rng = { seed }, .commands = weiri_commands_new() };
    program.order = weiri_commands_order(program.commands);
    program.found = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (unsigned q = 1; q <= QUEUES; q++) {
        program.in_order[q] = below(&program, 2) == 0;
        weiri_command_order_queue(program.order, program.in_order[q]);
    }
    while (program.n < MOST && program.n_done < G_N_ELEMENTS(program.done) - 8) {
        if (below(&program, 6) == 0) {
            if (wait_somehow(&program)) {
                weiri_commands_forget_all(program.commands);
            }
            touch(&program, 0, seed);
        } else {
            submit(&program);
            for (unsigned i = below(&program, 5); i > 0; i--) {
                touch(&program, program.n, seed);
            }
        }
        if (program.n % 10 == 9) {
            expect_order(&program, seed);
        }
    }
    expect_order(&program, seed);
    g_hash_table_unref(program.found);
    weiri_commands_free(program.commands);
}

/* Commands one after another are one chain, in any queue. */
TEST(a_wait_for_the_last_of_a_chain_is_a_wait_for_all)
{
    struct weiri_command_order *order = weiri_command_order_new();
    uint32_t queue = weiri_command_order_queue(order, false), last = 0;
    for (uint32_t i = 1; i <= 1000; i++) {
        const struct weiri_command_start start
            = { .queue = queue, .after = &last, .n_after = 1 };
        last = weiri_command_order_begin(order, &start);
        ck_assert_uint_eq(last, i);
    }
    ck_assert(!weiri_command_order_before(order, 1, 0));
    ck_assert(!weiri_command_order_wait(order, 999));
    ck_assert(weiri_command_order_before(order, 1, 0));
    ck_assert(!weiri_command_order_before(order, 1000, 0));
    ck_assert(weiri_command_order_wait(order, 1000));
    ck_assert(weiri_command_order_before(order, 1000, 0));
    weiri_command_order_free(order);
}

/* Memory that is freed is used by commands that the host has not waited for. */
TEST(freed_memory_is_still_used_by_what_was_not_waited_for)
{
    struct weiri_commands *commands = weiri_commands_new();
    struct weiri_command_order *order = weiri_commands_order(commands);
    const struct weiri_command_start start
        = { .queue = weiri_command_order_queue(order, false) };
    uint32_t number = weiri_command_order_begin(order, &start);
    weiri_commands_add(commands,
                       &(struct weiri_commander){ .number = number, .what = "copy" });
    const struct weiri_command_access access
        = { .place = weiri_commands_place(
                commands, &(struct weiri_command_place){ .reads = true }) };
    weiri_commands_touch_range(commands, number, memory + 4, 2, &access);
    ck_assert(!weiri_commands_hold(commands, memory, 4));
    ck_assert(weiri_commands_hold(commands, memory, 5));
    ck_assert_ptr_null(weiri_commands_unwaited(commands, memory + 8, 4));
    ck_assert_uint_eq(weiri_commands_unwaited(commands, memory, 8)->first.number,
                      number);
    weiri_commands_forget(commands, memory, 8);
    ck_assert_ptr_null(weiri_commands_unwaited(commands, memory, 12));
    weiri_commands_free(commands);
}

MAIN("commands")
