/* SPDX-License-Identifier: MIT
 *
 * check_litmus_table.c: tables of instructions of PTX and Vulkan: what is read, what it
 * is as code, and how that runs.
 *
 * The file is long because its tables have a row for each kind of instruction and for
 * each shape of a loop.
 *
 * With WEIR_TABLES_DIR, all tests in the folders below it are read and printed, too. */
#include "litmus_support.h"

#include "litmus/paths.h"
#include "litmus/program.h"

#include <inttypes.h>
#include <stdio.h>

#define PTX "PTX t\n{ x = 1; y = 2; s @ surface aliases x; a @ async aliases x; }\n"
#define ONE_PTX PTX "P0@cta 0,gpu 0 ;\n"
#define VULKAN "VULKAN t\n{ x = 1; y aliases x; }\n"
#define ONE_VULKAN VULKAN "P0@sg 0,wg 0,qf 0 ;\n"

/* A test of one thread, whose lines are separated by ';'. */
static struct weiri_litmus *read_one(const char *head, const char *lines)
{
    g_autofree char *text = g_strdup_printf("%s%s ;", head, lines);
    return litmus_read(text, lines);
}

/* ---- The frame ------------------------------------------------------------------- */

CASE("frame");

TEST(a_table_has_what_its_text_states)
{
    g_autoptr(weiri_litmus) test
        = litmus_read("ptx MP with a name\n"
                      "\"a text of\ntwo lines\"\n"
                      "\"quotes \"in\" quotes\"\n"
                      "Key=value\n"
                      "(* a comment *)\n"
                      "{ x = -1; P1:r3 = 4; // another\n"
                      "  s @ surface aliases z; g @ generic aliases x;\n"
                      "  t @ texture aliases g; }\n"
                      "P0@cta 0, cluster 0,gpu 1 | P1@cta 1,cluster 0, gpu 1 ;\n"
                      "LC00: st . release.gpu x,r1 | ld.acquire.sys r0, y ;\n"
                      " | ; | goto LC1 /* here */ ; ld r2, - 7 | LC1 : ;\n"
                      "locations [x; 1:r0;] filter (1:r0 = 1)\n"
                      "~exists P1:r0 == P1:r3",
                      "t");
    ck_assert_int_eq(test->form, WEIRI_LITMUS_PTX);
    ck_assert(test->scoped && test->placed);
    ck_assert_str_eq(test->name, "MP with a name");
    ck_assert_uint_eq(test->n_notes, 3);
    ck_assert_str_eq(test->notes[1], "\"quotes \"in\" quotes\"");
    static const char *const names[] = { "x", "z", "y", "s", "g", "t" };
    static const uint32_t locations[] = { 0, 1, 2, 1, 0, 0 };
    static const uint32_t addresses[] = { 0, 1, 2, 1, 4, 4 };
    static const uint8_t proxies[]
        = { WEIRI_PROXY_GENERIC, WEIRI_PROXY_GENERIC, WEIRI_PROXY_GENERIC,
            WEIRI_PROXY_SURFACE, WEIRI_PROXY_GENERIC, WEIRI_PROXY_TEXTURE };
    ck_assert_uint_eq(test->n_locations, 3);
    ck_assert_uint_eq(test->n_references, G_N_ELEMENTS(names));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        EXPECT(strcmp(test->references[i].name, names[i]) == 0
                   && test->references[i].location == locations[i]
                   && test->references[i].address == addresses[i]
                   && test->references[i].proxy == proxies[i],
               "reference %zu", i);
    }
    ck_assert_int_eq(test->locations[0].initial, -1);
    ck_assert(test->locations[0].atomic && !test->locations[1].atomic);
    const struct weiri_litmus_thread *first = &test->threads[0];
    const struct weiri_litmus_thread *second = &test->threads[1];
    ck_assert_uint_eq(second->group, 1);
    ck_assert_uint_eq(second->cluster, 0);
    ck_assert_uint_eq(second->device, 1);
    ck_assert_int_eq(second->registers[0].initial, 4);
    ck_assert_int_eq(second->registers[0].type, WEIRI_LITMUS_LONG);
    ck_assert_uint_eq(first->n_lines, 3);
    ck_assert_str_eq(first->lines[0].text, "LC00:");
    ck_assert_str_eq(first->lines[1].text, "st.release.gpu x, r1");
    ck_assert_str_eq(first->lines[2].text, "ld r2, -7");
    ck_assert_uint_eq(first->lines[1].place.line, 11);
    ck_assert_uint_eq(first->lines[1].place.column, 7);
    ck_assert_str_eq(second->lines[2].text, "LC1:");
    litmus_expect_round_trip(test, "t");
}

TEST(vulkan_has_threads_that_come_before_others)
{
    g_autoptr(weiri_litmus) test
        = litmus_read("Vulkan t\n{}\n{ ssw 0 P2; ssw 2 1 };\n"
                      "P0@sg 1,wg 2,qf 3 | P1@sg 0,wg 2,qf 3 | P2@sg 1,wg 2,qf 4 ;\n"
                      "||ld.atom.wg.sc1 r0, x;exists 0==0",
                      "t");
    ck_assert_uint_eq(test->n_thens, 2);
    ck_assert_uint_eq(test->first_threads[0], 0);
    ck_assert_uint_eq(test->then_threads[0], 2);
    ck_assert_uint_eq(test->first_threads[1], 2);
    ck_assert_uint_eq(test->then_threads[1], 1);
    ck_assert_uint_eq(test->threads[2].n_lines, 1);
    ck_assert_uint_eq(test->threads[0].sub_group, 1);
    ck_assert_uint_eq(test->threads[0].group, 2);
    ck_assert_uint_eq(test->threads[0].cluster, 3);
    litmus_expect_round_trip(test, "t");
}

TEST(equal_numbers_of_threads_are_equal_on_all_wider_levels)
{
    g_autoptr(weiri_litmus) ptx = litmus_read(
        "PTX t\n{}\nP0@cta 0,gpu 0|P1@cta 0,gpu 1|P2@cta 1,gpu 0|"
        "P3@cta 0,gpu 0|P4@cta 0,cluster 7,gpu 0|P5@cta 1,cluster 7,gpu 0;",
        "t");
    struct weiri_program *program = weiri_litmus_program(ptx, 8);
    const struct weiri_program_thread *threads = program->threads;
    ck_assert_uint_eq(threads[0].group, threads[3].group);
    ck_assert_uint_ne(threads[0].sub_group, threads[3].sub_group);
    ck_assert_uint_ne(threads[0].group, threads[1].group);
    ck_assert_uint_ne(threads[0].cluster, threads[1].cluster);
    ck_assert_uint_ne(threads[0].cluster, threads[2].cluster); /* each of its own */
    ck_assert_uint_eq(threads[4].cluster, threads[5].cluster);
    ck_assert_uint_ne(threads[4].group, threads[5].group);
    ck_assert_uint_ne(threads[4].group, threads[0].group);
    weiri_litmus_program_free(program);

    g_autoptr(weiri_litmus) vulkan
        = litmus_read("VULKAN t\n{}\nP0@sg 0,wg 0,qf 0|P1@sg 0,wg 0,qf 1|"
                      "P2@sg 0,wg 1,qf 0|P3@sg 0,wg 0,qf 0;",
                      "t");
    program = weiri_litmus_program(vulkan, 8);
    threads = program->threads;
    ck_assert_uint_eq(threads[0].sub_group, threads[3].sub_group);
    ck_assert_uint_ne(threads[0].sub_group, threads[2].sub_group);
    ck_assert_uint_ne(threads[0].group, threads[1].group);
    ck_assert_uint_eq(threads[0].cluster, threads[2].cluster);
    ck_assert_uint_eq(threads[0].device, threads[1].device);
    weiri_litmus_program_free(program);
}

static int64_t number_value(struct weiri_litmus_term term, const void *user)
{
    (void)user;
    return term.thread == WEIRI_LITMUS_MEMORY ? 5 : (int64_t)term.thread;
}

TEST(claims_compare_numbers_registers_and_locations)
{
    static const struct {
        const char *claim;
        bool holds; /* where P0:r0 is 0, P1:r0 is 1 and x is 5 */
    } claims[] = {
        { "exists (P0:r0 == 0 /\\ 1:r0 = 1)", true },
        { "exists P0:r0 != 0", false },
        { "exists (P0:r0 == P1:r0)", false },
        { "exists (P0:r0 < P1:r0)", true },
        { "exists (P1:r0 < P0:r0)", false },
        { "exists (P0:r0 >= P1:r0)", false },
        { "exists (P1:r0 > P0:r0)", true },
        { "exists (P0:r0 <= P0:r0)", true },
        { "exists (P0:r0 < P0:r0)", false },
        { "exists (x < 5)", false },
        { "exists (x <= 5)", true },
        { "exists ([x] >= 5)", true },
        { "exists (x > 5)", false },
        { "exists (x > -6)", true },
        { "exists (4 < x)", true },
        { "exists (5 < x)", false },
        { "exists (5 <= x)", true },
        { "exists (6 > x)", true },
        { "exists (5 == x && 5 != P0:r0)", true },
        { "exists (y == x)", true }, /* y is another name */
        { "exists (0==0)", true },
        { "exists (0!=0)", false },
        { "exists 1 < 0 \\/ 1 >= 2", false },
        { "exists ~(1 <= 1)", false },
        { "exists (not (x == 4) /\\ true)", true },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(claims); i++) {
        g_autofree char *text = g_strdup_printf(
            VULKAN "P0@sg 0,wg 0,qf 0|P1@sg 0,wg 0,qf 0;ld r0, 1|ld r0, 1;\n%s",
            claims[i].claim);
        g_autoptr(weiri_litmus) test = litmus_read(text, claims[i].claim);
        ck_assert_msg(weiri_litmus_holds(test->condition, number_value, NULL)
                          == claims[i].holds,
                      "%s", claims[i].claim);
        litmus_expect_round_trip(test, claims[i].claim);
    }
}

/* ---- Operations ------------------------------------------------------------------ */

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR memory_order_acq_rel
#define SC memory_order_seq_cst
#define ITEM memory_scope_work_item
#define SUB memory_scope_sub_group
#define GROUP memory_scope_work_group
#define CLUSTER WEIRI_SCOPE_CLUSTER
#define DEVICE memory_scope_device
#define SYSTEM memory_scope_system
#define TRAIT(name) WEIRI_TRAIT_##name

struct expected_event {
    const char *text;
    char op; /* of "RWUCFB" */
    bool atomic;
    memory_order order;
    int scope;
    unsigned flags;
    uint8_t proxy;
    enum weiri_litmus_function function;
    unsigned storage, semantics;
};

static const struct expected_event of_ptx[] = {
    { "ld.weak r0, x", 'R', false, RLX, ITEM, 0, 0, 0, 0, 0 },
    { "ld r0, x", 'R', false, RLX, ITEM, 0, 0, 0, 0, 0 },
    { "ld.cg r0, x", 'R', false, RLX, ITEM, 0, 0, 0, 0, 0 },
    { "ld.relaxed.cta r0, x", 'R', true, RLX, GROUP, 0, 0, 0, 0, 0 },
    { "ld.acquire.cluster r0, x", 'R', true, ACQ, CLUSTER, 0, 0, 0, 0, 0 },
    { "ld.acquire.gpu r0, x", 'R', true, ACQ, DEVICE, 0, 0, 0, 0, 0 },
    { "ld.acquire.sys r0, x", 'R', true, ACQ, SYSTEM, 0, 0, 0, 0, 0 },
    { "ld.volatile r0, x", 'R', true, RLX, SYSTEM, 0, 0, 0, 0, 0 },
    { "ld.mmio.relaxed.sys r0, x", 'R', true, RLX, SYSTEM, 0, 0, 0, 0, 0 },
    { "ld.async r0, a", 'R', false, RLX, ITEM, 0, WEIRI_PROXY_ASYNC, 0, 0, 0 },
    { "tld.weak r0, x", 'R', false, RLX, ITEM, 0, WEIRI_PROXY_TEXTURE, 0, 0, 0 },
    { "cold.weak r0, x", 'R', false, RLX, ITEM, 0, WEIRI_PROXY_CONSTANT, 0, 0, 0 },
    { "suld.weak r0, s", 'R', false, RLX, ITEM, 0, WEIRI_PROXY_SURFACE, 0, 0, 0 },
    { "sust.relaxed.gpu s, 1", 'W', true, RLX, DEVICE, 0, WEIRI_PROXY_SURFACE, 0, 0,
      0 },
    { "st x, 1", 'W', false, RLX, ITEM, 0, 0, 0, 0, 0 },
    { "st.release.gpu x, r1", 'W', true, REL, DEVICE, 0, 0, 0, 0, 0 },
    { "st.volatile x, 1", 'W', true, RLX, SYSTEM, 0, 0, 0, 0, 0 },
    { "st.async a, 1", 'W', false, RLX, ITEM, 0, WEIRI_PROXY_ASYNC, 0, 0, 0 },
    { "atom.acq_rel.gpu.add r0, x, 1", 'U', true, AR, DEVICE, 0, 0, WEIRI_LITMUS_ADD, 0,
      0 },
    { "atom.exch r0, x, 1", 'U', true, RLX, DEVICE, 0, 0, WEIRI_LITMUS_EXCHANGE, 0, 0 },
    { "atom.relaxed.cta.min r0, x, 1", 'U', true, RLX, GROUP, 0, 0, WEIRI_LITMUS_MIN, 0,
      0 },
    { "suatom.acquire.sys.xor r0, s, 1", 'U', true, ACQ, SYSTEM, 0, WEIRI_PROXY_SURFACE,
      WEIRI_LITMUS_XOR, 0, 0 },
    { "red.release.gpu.sub x, 1", 'U', true, REL, DEVICE, TRAIT(RESULT_UNUSED), 0,
      WEIRI_LITMUS_SUBTRACT, 0, 0 },
    { "sured.relaxed.gpu.or s, 1", 'U', true, RLX, DEVICE, TRAIT(RESULT_UNUSED),
      WEIRI_PROXY_SURFACE, WEIRI_LITMUS_OR, 0, 0 },
    { "fence.sc.gpu", 'F', true, SC, DEVICE, 0, 0, 0, 0, 0 },
    { "fence.cta", 'F', true, AR, GROUP, 0, 0, 0, 0, 0 },
    { "fence.acquire.cluster", 'F', true, ACQ, CLUSTER, 0, 0, 0, 0, 0 },
    { "fence.release.sys", 'F', true, REL, SYSTEM, 0, 0, 0, 0, 0 },
    { "membar.cta", 'F', true, SC, GROUP, 0, 0, 0, 0, 0 },
    { "membar.gl", 'F', true, SC, DEVICE, 0, 0, 0, 0, 0 },
    { "membar.sys", 'F', true, SC, SYSTEM, 0, 0, 0, 0, 0 },
    { "fence.proxy.generic", 'F', true, RLX, ITEM, TRAIT(PROXY_FENCE), 0, 0, 0, 0 },
    { "fence.proxy.alias", 'F', true, RLX, ITEM, TRAIT(PROXY_FENCE), WEIRI_PROXY_ALIAS,
      0, 0, 0 },
    { "membar.proxy.surface", 'F', true, RLX, ITEM, TRAIT(PROXY_FENCE),
      WEIRI_PROXY_SURFACE, 0, 0, 0 },
    { "fence.proxy.async.shared::cta", 'F', true, RLX, ITEM, TRAIT(PROXY_FENCE),
      WEIRI_PROXY_ASYNC, 0, 0, 0 },
    { "bar.cta.sync 3", 'B', false, RLX, GROUP, 0, 0, 0, 0, 0 },
    { "bar.cta.sync 3, r0", 'B', false, RLX, GROUP, TRAIT(NUMBERED), 0, 0, 0, 0 },
    { "bar.cta.arrive 3, 0, 2", 'B', false, RLX, GROUP,
      TRAIT(NUMBERED) | TRAIT(ARRIVES), 0, 0, 0, 0 },
    { "barrier.cluster.arrive 0", 'B', false, REL, CLUSTER, TRAIT(ARRIVES), 0, 0, 0,
      0 },
    { "barrier.cluster.arrive.relaxed 0", 'B', false, RLX, CLUSTER, TRAIT(ARRIVES), 0,
      0, 0, 0 },
    { "barrier.cluster.wait.acquire 0", 'B', false, ACQ, CLUSTER, TRAIT(AWAITS), 0, 0,
      0, 0 },
};

static const struct expected_event of_vulkan[] = {
    { "ld.sc0 r0, x", 'R', false, RLX, ITEM, 0, 0, 0, 1, 0 },
    { "ld.nonpriv.sc1 r0, x", 'R', false, RLX, ITEM, TRAIT(NONPRIVATE), 0, 0, 2, 0 },
    { "ld.vis.dv.sc0 r0, x", 'R', false, RLX, DEVICE,
      TRAIT(NONPRIVATE) | TRAIT(VISIBLE), 0, 0, 1, 0 },
    { "st.sc3 x, 1", 'W', false, RLX, ITEM, 0, 0, 0, 8, 0 },
    { "st.av.sg.sc0 x, 1", 'W', false, RLX, SUB, TRAIT(NONPRIVATE) | TRAIT(AVAILABLE),
      0, 0, 1, 0 },
    { "ld.atom.qf.sc0 r0, x", 'R', true, RLX, CLUSTER, 0, 0, 0, 1, 0 },
    { "ld.atom.acq.wg.sc0.semsc0.semsc2.semvis r0, x", 'R', true, ACQ, GROUP,
      TRAIT(SEM_VISIBLE), 0, 0, 1, 5 },
    { "st.atom.rel.dv.sc1.semsc0.semav x, r1", 'W', true, REL, DEVICE,
      TRAIT(SEM_AVAILABLE), 0, 0, 2, 1 },
    { "rmw.atom.wg.sc0 r0, x, 1", 'U', true, RLX, GROUP, 0, 0, WEIRI_LITMUS_EXCHANGE, 1,
      0 },
    { "rmw.atom.acq_rel.dv.sc0.semsc0.semav.semvis.add r0, x, 1", 'U', true, AR, DEVICE,
      TRAIT(SEM_AVAILABLE) | TRAIT(SEM_VISIBLE), 0, WEIRI_LITMUS_ADD, 1, 1 },
    { "rmw.atom.acq.wg.sc0.semsc0.cas r0, x, 1, 2", 'C', true, ACQ, GROUP, 0, 0,
      WEIRI_LITMUS_EXCHANGE, 1, 1 },
    { "membar.acq_rel.dv.semsc0.semsc1.semvis.semav", 'F', true, AR, DEVICE,
      TRAIT(SEM_AVAILABLE) | TRAIT(SEM_VISIBLE), 0, 0, 0, 3 },
    { "avdevice", 'F', true, RLX, DEVICE, TRAIT(AV_DEVICE), 0, 0, 0, 0 },
    { "visdevice", 'F', true, RLX, DEVICE, TRAIT(VIS_DEVICE), 0, 0, 0, 0 },
    { "cbar.wg 0", 'B', false, RLX, GROUP, 0, 0, 0, 0, 0 },
    { "cbar.acq.qf.semsc1 0", 'B', false, ACQ, CLUSTER, 0, 0, 0, 0, 2 },
    { "cbar.exec.sg.acq_rel.wg.semsc0.semav 0", 'B', false, AR, GROUP,
      TRAIT(SEM_AVAILABLE), 0, 0, 0, 1 },
};

static void expect_event(const char *head, const struct expected_event *expected)
{
    g_autoptr(weiri_litmus) test = read_one(head, expected->text);
    const struct weiri_litmus_instruction *event = test->threads[0].code->instructions;
    EXPECT("RWUCFB"[event->op] == expected->op && event->atomic == expected->atomic
               && event->order == expected->order
               && (int)event->scope == expected->scope
               && event->function == expected->function,
           "%s: %c, order %d, scope %d", expected->text, "RWUCFB"[event->op],
           event -> order, event -> scope);
    EXPECT(event->traits.flags == (expected->flags | TRAIT(STATED))
               && event->traits.proxy == expected->proxy
               && event->traits.storage == expected->storage
               && event->traits.semantics == expected->semantics,
           "%s: flags %#x, proxy %d", expected->text, event->traits.flags,
           event->traits.proxy);
    ck_assert(event->op == WEIRI_LITMUS_OP_UPDATE
              || (event->result != WEIRI_LITMUS_NO_SLOT)
                  == (event->op == WEIRI_LITMUS_OP_READ
                      || event->op == WEIRI_LITMUS_OP_COMPARE));
    litmus_expect_round_trip(test, expected->text);
}

CASE("operations");

TEST(each_instruction_of_ptx_is_an_event)
{
    for (size_t i = 0; i < G_N_ELEMENTS(of_ptx); i++) {
        expect_event(ONE_PTX, &of_ptx[i]);
    }
}

TEST(each_instruction_of_vulkan_is_an_event)
{
    for (size_t i = 0; i < G_N_ELEMENTS(of_vulkan); i++) {
        expect_event(ONE_VULKAN, &of_vulkan[i]);
    }
}

TEST(accesses_have_the_reference_of_their_name)
{
    static const struct {
        const char *head, *line;
        uint32_t location, reference;
    } accesses[] = {
        { ONE_PTX, "ld r0, y", 1, 1 },
        { ONE_PTX, "suld.weak r0, s", 0, 0 }, /* a virtual address */
        { "PTX t\n{ g @ generic aliases x; t @ texture aliases g; }\nP0@cta 0,gpu 0 ;",
          "tld.weak r0, t", 0, 1 },
        { "PTX t\n{ g @ generic aliases x; }\nP0@cta 0,gpu 0 ;", "st z, 1;ld r0, g", 1,
          1 },
        { "PTX t\n{ g @ generic aliases x; }\nP0@cta 0,gpu 0 ;", "ld r0, g;st z, 1", 0,
          2 },
        { ONE_VULKAN, "ld.sc0 r0, x", 0, 0 },
        { ONE_VULKAN, "ld.sc0 r0, y", 0, 1 }, /* a reference of its own */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(accesses); i++) {
        g_autoptr(weiri_litmus) test = read_one(accesses[i].head, accesses[i].line);
        const struct weiri_litmus_instruction *event
            = test->threads[0].code->instructions;
        EXPECT(event->location == accesses[i].location
                   && event->traits.reference == accesses[i].reference,
               "%s: %u, %u", accesses[i].line, event->location,
               event->traits.reference);
    }
}

/* ---- Running --------------------------------------------------------------------- */

/* Runs P0, whose n-th read has the n-th of @values, a digit each, and then 0. Returns:
 * (transfer full): the events, a letter each with what is written, how the run ended,
 * and the final value of r9 */
static char *run(const struct weiri_litmus *test, const char *values, uint32_t rounds)
{
    static const char *const ends[] = { "", "end", "bound", "spin", "division" };
    const struct weiri_litmus_code *code = test->threads[0].code;
    g_autofree int64_t *slots = g_new(int64_t, code->n_slots);
    struct weiri_litmus_run at = { .slots = slots };
    GString *text = g_string_new(NULL);
    enum weiri_litmus_stop stop;
    weiri_litmus_start(code, &at, NULL);
    while ((stop = weiri_litmus_next(code, &at, rounds, NULL)) == WEIRI_LITMUS_EVENT) {
        const struct weiri_litmus_instruction *event = &code->instructions[at.at];
        int64_t a = weiri_litmus_value(&at, &event->a);
        int64_t b = weiri_litmus_value(&at, &event->b);
        bool reads = event->op == WEIRI_LITMUS_OP_READ
            || event->op == WEIRI_LITMUS_OP_UPDATE
            || event->op == WEIRI_LITMUS_OP_COMPARE;
        int64_t read = reads && *values != '\0' ? *values++ - '0' : 0;
        g_string_append_c(text, "RWUCFB"[event->op]);
        if (event->op == WEIRI_LITMUS_OP_UPDATE) {
            a = weiri_litmus_written(event, read, a, b);
        }
        if (event->op == WEIRI_LITMUS_OP_WRITE || event->op == WEIRI_LITMUS_OP_UPDATE) {
            g_string_append_printf(text, "%" PRIi64, a);
        }
        if (event->op == WEIRI_LITMUS_OP_COMPARE) {
            weiri_litmus_resume_compare(code, &at, read, read == b, NULL);
        } else {
            weiri_litmus_resume(code, &at, read, NULL);
        }
    }
    g_string_append_printf(text, " %s", ends[stop]);
    for (uint32_t i = 0; i < test->threads[0].n_registers; i++) {
        if (strcmp(test->threads[0].registers[i].name, "r9") == 0) {
            g_string_append_printf(text, " %" PRIi64, slots[i]);
        }
    }
    return g_string_free(text, FALSE);
}

#define SPINS WEIRI_LITMUS_STOP_SPINS

CASE("running");

TEST(threads_compute_branch_and_loop)
{
    static const struct {
        const char *lines, *values;
        uint32_t rounds;
        const char *run;
    } runs[] = {
        { "ld r1, 6; mul r1, r1, -7; mov r9, r1", "", 8, " end -42" },
        { "add r9, 1, 2; sub r9, r9, 5; and r9, r9, 7; or r9, r9, 8; xor r9, r9, 1", "",
          8, " end 15" },
        { "ld r1, 7; div r9, r1, -2", "", 8, " end -3" },
        { "div r9, 1, r1", "", 8, " division 0" },
        { "ld r9, 4294967296; add r9, r9, 1", "", 8, " end 4294967297" },
        { "ld r9, 1; beq r9, 1, LC0; ld r9, 2; LC0:", "", 8, " end 1" },
        { "ld r9, 1; bne r9, 1, LC0; ld r9, 2; LC0:", "", 8, " end 2" },
        { "ld r9, 1; blt 1, 2, LC0; ld r9, 2; LC0:", "", 8, " end 1" },
        { "ld r9, 1; bgt 1, 2, LC0; ld r9, 2; LC0:", "", 8, " end 2" },
        { "ld r9, 1; ble 2, 2, LC0; ld r9, 2; LC0:", "", 8, " end 1" },
        { "ld r9, 1; bge 1, 2, LC0; ld r9, 2; LC0:", "", 8, " end 2" },
        { "goto LC1; LC0: ; ld r9, 1; goto LC2; LC1:; goto LC0; LC2:; add r9, r9, 2",
          "", 8, " end 3" },
        /* Bodies of loops, of which as many run as there are rounds. */
        { "LC0:; add r9, r9, 1; blt r9, 5, LC0", "", 8, " end 5" },
        { "LC0:; add r9, r9, 1; blt r9, 5, LC0", "", 5, " end 5" },
        { "LC0:; add r9, r9, 1; blt r9, 5, LC0", "", 4, " bound 4" },
        { "LC0:; add r9, r9, 1; goto LC0", "", 1, " bound 1" },
        { "LC0:; ld.weak r1, x; bne r1, 1, LC0; st x, 3", "001", 8, "RRRW3 end" },
        { "LC0:; ld.weak r1, x; beq r1, 1, LC1; goto LC0; LC1:; st x, 3", "001", 8,
          "RRRW3 end" },
        /* Two jumps back to one label, and a loop that is entered in its middle. */
        { "LC0:; add r9, r9, 1; beq r9, 1, LC0; beq r9, 2, LC0; blt r9, 5, LC0", "", 5,
          " end 5" },
        { "goto LC1; LC0:; add r9, r9, 1; LC1:; add r9, r9, 10; blt r9, 30, LC0", "", 8,
          " end 32" },
        { "goto LC1; LC0:; add r9, r9, 1; LC1:; add r9, r9, 10; blt r9, 30, LC0", "", 1,
          " bound 21" },
        /* An inner loop counts its rounds each time that it is entered. */
        { "LC0:; ld r1, 0; LC1:; add r1, r1, 1; add r9, r9, 1; blt r1, 3, LC1;"
          "add r2, r2, 1; blt r2, 3, LC0",
          "", 3, " end 9" },
        { "LC0:; ld r1, 0; LC1:; add r1, r1, 1; add r9, r9, 1; blt r1, 3, LC1;"
          "add r2, r2, 1; blt r2, 3, LC0",
          "", 2, " bound 2" },
        /* Two labels of one loop. */
        { "LC0: LC1: add r9, r9, 1; beq r9, 1, LC0; blt r9, 3, LC1", "", 3, " end 3" },
        /* Each way around passes a head. */
        { "LC0:; goto LC1; LC2:; goto LC0; LC1:; goto LC2", "", 8, " bound" },
        { "LC0:; goto LC0", "", 8, " bound" },
        { "LC0:; goto LC0", "", 8 | SPINS, " spin" },
        { "goto LC9; LC0:; st x, 1; goto LC0; LC9:", "", 8, " end" },
        /* Rounds that change nothing. */
        { "LC0:; ld.acquire.gpu r1, x; bne r1, 1, LC0; st x, r1", "0", 8 | SPINS,
          "R spin" },
        { "LC0:; ld.acquire.gpu r1, x; bne r1, 1, LC0; st y, r1", "01", 8 | SPINS,
          "R spin" },
        { "LC0:; ld.weak r1, x; beq r1, 1, LC1; goto LC0; LC1:", "0", 8 | SPINS,
          "R spin" },
        { "LC0:; ld.weak r9, x; bne r9, 1, LC0; st x, 3", "2", 8 | SPINS, "R spin 2" },
        { "LC0:; atom.cas r1, x, 0, 1; bne r1, 0, LC0", "5", 8 | SPINS, "U5 spin" },
        { "LC0:; atom.exch r1, x, 1; bne r1, 0, LC0", "1", 8 | SPINS, "U1 spin" },
        { "LC0:; atom.cas r2, x, r1, 7; add r1, r1, 1; bne r2, 4, LC0", "9994",
          8 | SPINS, "U9U9U9U4 end" }, /* it compares with another value each time */
        { "LC0:; atom.exch r1, x, 1; bne r1, 0, LC0", "20", 8 | SPINS, "U1U1 end" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(runs); i++) {
        g_autoptr(weiri_litmus) test = read_one(ONE_PTX, runs[i].lines);
        g_autofree char *said = run(test, runs[i].values, runs[i].rounds);
        EXPECT(strcmp(said, runs[i].run) == 0, "%s: '%s', not '%s'", runs[i].lines,
               said, runs[i].run);
        litmus_expect_round_trip(test, runs[i].lines);
    }
}

TEST(a_round_that_may_be_part_of_a_race_is_not_left_out)
{
    static const struct {
        const char *text, *run;
    } runs[] = {
        /* There are no races in PTX. */
        { "PTX t\n{}\nP0@cta 0,gpu 0|P1@cta 1,gpu 0;LC0:|st.weak x, 1;"
          "ld.weak r1, x|;bne r1, 1, LC0|;",
          "R spin" },
        { "VULKAN t\n{}\nP0@sg 0,wg 0,qf 0|P1@sg 1,wg 0,qf 0;LC0:|st.nonpriv.sc0 x, 1;"
          "ld.nonpriv.sc0 r1, x|;bne r1, 1, LC0|;",
          "RRRR bound" },
        { "VULKAN t\n{}\nP0@sg 0,wg 0,qf 0|P1@sg 1,wg 0,qf 0;LC0:|st.atom.wg.sc0 x, 1;"
          "ld.atom.wg.sc0 r1, x|;bne r1, 1, LC0|;",
          "R spin" },
        { "VULKAN t\n{}\nP0@sg 0,wg 0,qf 0|P1@sg 0,wg 1,qf 0;LC0:|st.atom.wg.sc0 x, 1;"
          "ld.atom.wg.sc0 r1, x|;bne r1, 1, LC0|;",
          "RRRR bound" }, /* out of scope */
        { "VULKAN t\n{ y aliases x; }\nP0@sg 0,wg 0,qf 0|P1@sg 1,wg 0,qf 0;"
          "LC0:|st.atom.wg.sc0 y, 1;ld.atom.wg.sc0 r1, x|;bne r1, 1, LC0|;",
          "RRRR bound" }, /* through another reference */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(runs); i++) {
        g_autoptr(weiri_litmus) test = litmus_read(runs[i].text, runs[i].text);
        g_autofree char *said = run(test, "", 4 | SPINS);
        EXPECT(strcmp(said, runs[i].run) == 0, "%s: '%s', not '%s'", runs[i].text, said,
               runs[i].run);
    }
}

TEST(a_failed_compare_exchange_of_vulkan_keeps_the_acquire)
{
    static const struct {
        const char *line;
        memory_order failure;
    } rows[] = {
        { "rmw.atom.wg.sc0.cas r0, x, 1, 2", RLX },
        { "rmw.atom.acq.wg.sc0.semsc0.cas r0, x, 1, 2", ACQ },
        { "rmw.atom.rel.wg.sc0.semsc0.cas r0, x, 1, 2", RLX },
        { "rmw.atom.acq_rel.wg.sc0.semsc0.cas r0, x, 1, 2", ACQ },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(weiri_litmus) test = read_one(ONE_VULKAN, rows[i].line);
        ck_assert_msg(test->threads[0].code->instructions->failure == rows[i].failure,
                      "%s", rows[i].line);
    }
}

TEST(a_compare_exchange_of_ptx_writes_in_any_case)
{
    static const struct {
        const char *head, *lines, *values, *run;
    } runs[] = {
        { ONE_PTX, "atom.relaxed.gpu.cas r9, x, 3, 4", "3", "U4 end 3" },
        { ONE_PTX, "atom.relaxed.gpu.cas r9, x, 3, 4", "5", "U5 end 5" },
        { ONE_PTX, "ld r1, 5; atom.cas r9, x, r1, r1", "5", "U5 end 5" },
        { ONE_VULKAN, "rmw.atom.wg.sc0.cas r9, x, 3, 4", "3", "C end 3" },
        { ONE_VULKAN, "rmw.atom.wg.sc0.cas r9, x, 3, 4", "5", "C end 5" },
        { ONE_PTX, "atom.relaxed.gpu.mul r9, x, 3", "5", "U15 end 5" },
        { ONE_PTX, "atom.relaxed.gpu.div r9, x, 2", "5", "U2 end 5" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(runs); i++) {
        g_autoptr(weiri_litmus) test = read_one(runs[i].head, runs[i].lines);
        g_autofree char *said = run(test, runs[i].values, 8);
        EXPECT(strcmp(said, runs[i].run) == 0, "%s: '%s', not '%s'", runs[i].lines,
               said, runs[i].run);
    }
}

/* ---- Dependencies and paths ------------------------------------------------------ */

CASE("dependencies");

TEST(all_that_follows_a_branch_depends_on_it)
{
    static const struct {
        const char *lines;
        uint64_t data, control; /* of the last event: bit n is read n */
    } flows[] = {
        { "ld r1, x; ld r2, y; st x, r1", 1, 0 },
        { "ld r1, x; bne r1, 0, LC0; LC0:; st y, 1", 0, 1 },
        { "ld r1, x; bne r1, 0, LC0; LC0:; ld r2, y; beq r2, 5, LC1; LC1:; st x, 1", 0,
          3 },
        { "ld r1, x; goto LC0; LC0:; st y, r1", 1, 0 },
        /* What it writes is computed of what it reads, except by an exchange. */
        { "ld r1, x; ld r2, y; atom.cas r3, x, r1, r2", 7, 0 },
        { "ld r1, x; atom.add r2, x, r1", 3, 0 },
        { "ld r1, x; atom.exch r2, x, r1", 1, 0 },
        { "ld r1, x; mov r1, 4; st y, r1", 0, 0 },
        { "ld r1, x; LC0:; add r2, r2, 1; blt r2, 2, LC0; add r3, r1, r2; st y, r3", 1,
          0 },
        { "ld r1, x; add r2, 0, r1; LC0:; add r2, r2, 1; blt r2, 2, LC0; st y, 1", 0,
          1 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(flows); i++) {
        g_autoptr(weiri_litmus) test = read_one(ONE_PTX, flows[i].lines);
        const struct weiri_litmus_code *code = test->threads[0].code;
        struct weiri_paths paths = weiri_litmus_paths_find(code, NULL, 8, false);
        g_autofree struct weiri_symbolic *slots
            = g_new0(struct weiri_symbolic, code->n_slots);
        bool found = false;
        for (uint32_t p = 0; p < paths.n; p++) {
            struct weiri_path *path = &paths.paths[p];
            g_autofree struct weiri_symbolic *values
                = g_new0(struct weiri_symbolic, path->n_events); /* all reads are 0 */
            if (path->end == WEIRI_END_COMPLETE
                && weiri_litmus_paths_follow(path, code, false, slots, values)) {
                ck_assert(!found);
                found = true;
                weiri_litmus_paths_depend(path, code, 8, values);
                const struct weiri_execution_event *last
                    = &path->events[path->n_events - 1];
                EXPECT(last->data == flows[i].data && last->control == flows[i].control,
                       "%s: data %#" PRIx64 ", control %#" PRIx64, flows[i].lines,
                       last->data, last->control);
                ck_assert_uint_eq(last->traits.flags & TRAIT(STATED), TRAIT(STATED));
            }
            g_free(path->events);
            g_free(path->steps);
        }
        g_free(paths.paths);
        EXPECT(found, "%s: no path", flows[i].lines);
    }
}

/* The paths of P0, a word each: events, and B for one that waits for ever. */
static char *paths_of(const struct weiri_litmus *test)
{
    struct weiri_paths paths
        = weiri_litmus_paths_find(test->threads[0].code, NULL, 8, false);
    GString *text = g_string_new(NULL);
    for (uint32_t p = 0; p < paths.n; p++) {
        struct weiri_path *path = &paths.paths[p];
        g_string_append(text, p > 0 ? " " : "");
        for (uint32_t i = 0; i < path->n_events; i++) {
            const struct weiri_execution_event *event = &path->events[i];
            g_string_append_c(text,
                              event->kind == WEIRI_ENTERS      ? '<'
                                  : event->kind == WEIRI_EXITS ? '>'
                                                               : '.');
            if (event->kind == WEIRI_ENTERS || event->kind == WEIRI_EXITS) {
                g_string_append_printf(text, "%d%" PRIi64, event->order, event->value);
            }
        }
        g_string_append(text, path->end == WEIRI_END_BARRIER ? "B" : "");
        g_free(path->events);
        g_free(path->steps);
    }
    g_free(paths.paths);
    return g_string_free(text, FALSE);
}

TEST(barriers_are_entries_and_exits_with_the_stated_order)
{
    static const struct {
        const char *head, *lines, *paths;
    } rows[] = {
        { ONE_PTX, "bar.cta.sync 0; st x, 1", "<00>00. <00B" },
        { ONE_PTX, "bar.cta.sync 0, 7; st x, 1", "<07>07. <07B" },
        { ONE_PTX, "bar.cta.arrive 0, r1, 2; st x, 1", "<00. <00B" },
        { ONE_PTX, "barrier.cluster.arrive 0; barrier.cluster.wait 0",
          "<30<20>20 <30<20B <30B" },
        { ONE_VULKAN, "cbar.acq_rel.dv.semsc0 0", "<40>40 <40B" },
        { ONE_VULKAN, "cbar.wg 0", "<00>00 <00B" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(weiri_litmus) test = read_one(rows[i].head, rows[i].lines);
        g_autofree char *said = paths_of(test);
        EXPECT(strcmp(said, rows[i].paths) == 0, "%s: '%s', not '%s'", rows[i].lines,
               said, rows[i].paths);
    }
}

TEST(following_a_path_sets_the_number_of_a_barrier)
{
    g_autoptr(weiri_litmus) test
        = read_one(ONE_PTX, "ld r1, x; add r1, r1, 1; bar.cta.sync 0, r1");
    const struct weiri_litmus_code *code = test->threads[0].code;
    struct weiri_paths paths = weiri_litmus_paths_find(code, NULL, 8, false);
    ck_assert_uint_eq(paths.n, 2); /* through the barrier, and waiting there */
    for (uint32_t p = 0; p < paths.n; p++) {
        struct weiri_symbolic values[3] = { weiri_symbolic_known(4) };
        struct weiri_symbolic slots[8];
        ck_assert_uint_le(code->n_slots, G_N_ELEMENTS(slots));
        ck_assert(
            weiri_litmus_paths_follow(&paths.paths[p], code, false, slots, values));
        ck_assert(values[1].unknown == 0 && values[1].value == 5);
        g_free(paths.paths[p].events);
        g_free(paths.paths[p].steps);
    }
    g_free(paths.paths);
}

TEST(following_a_path_sets_what_a_compare_exchange_writes)
{
    static const struct {
        int64_t read, written;
    } rows[] = { { 3, 4 }, { 5, 5 } };
    g_autoptr(weiri_litmus) test = read_one(ONE_PTX, "atom.cas r1, x, 3, 4");
    const struct weiri_litmus_code *code = test->threads[0].code;
    struct weiri_paths paths = weiri_litmus_paths_find(code, NULL, 8, false);
    struct weiri_symbolic slots[4];
    ck_assert_uint_le(code->n_slots, G_N_ELEMENTS(slots));
    ck_assert_uint_eq(paths.n, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct weiri_symbolic values[2] = { weiri_symbolic_known(rows[i].read) };
        ck_assert(
            weiri_litmus_paths_follow(&paths.paths[0], code, false, slots, values));
        ck_assert(values[1].unknown == 0 && values[1].value == rows[i].written);
    }
    struct weiri_symbolic values[2] = { { .unknown = 1, .type = WEIRI_LITMUS_LONG } };
    ck_assert(weiri_litmus_paths_follow(&paths.paths[0], code, false, slots, values));
    ck_assert_uint_ne(values[1].unknown, 0);
    ck_assert_uint_ne(values[1].unknown, 1);
    g_free(paths.paths[0].events);
    g_free(paths.paths[0].steps);
    g_free(paths.paths);
}

/* ---- A folder -------------------------------------------------------------------- */

static size_t read_folder(const char *folder)
{
    size_t n = 0;
    g_autoptr(GPtrArray) paths = litmus_list(folder);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (guint i = 0; i < paths->len; i++, n++) {
        g_autoptr(weiri_litmus) test = litmus_read_file(paths->pdata[i]);
        ck_assert(weiri_litmus_is_table(test->form));
        litmus_expect_round_trip(test, paths->pdata[i]);
    }
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *inner = g_build_filename(folder, name, NULL);
        n += g_file_test(inner, G_FILE_TEST_IS_DIR) ? read_folder(inner) : 0;
    }
    return n;
}

CASE("folder");

TEST(the_tests_of_a_folder_are_read)
{
    const char *folder = getenv("WEIR_TABLES_DIR");
    if (folder == NULL) {
        puts("WEIR_TABLES_DIR is not set: no folder of tables is read");
        return;
    }
    EXPECT(read_folder(folder) > 0, "%s: no *.litmus there", folder);
}

MAIN("litmus-table")
