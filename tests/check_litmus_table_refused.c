/* SPDX-License-Identifier: MIT
 *
 * check_litmus_table_refused.c: texts that are not tables of instructions: each is
 * refused in one line, with line and column; and any bytes, however many, are answered
 * at once. */
#include "litmus_support.h"

#define ONE_PTX "PTX t\n{ x = 1; y = 2; }\nP0@cta 0,gpu 0 ;\n"
/* ---- Refusals -------------------------------------------------------------------- */

#define TWO_PTX "PTX t\n{ x=0; }\nP0@cta 0,gpu 0|P1@cta 1,gpu 0;\n"
#define TWO_VULKAN "VULKAN t\n{ x=0; }\nP0@sg 0,wg 0,qf 0|P1@sg 1,wg 0,qf 0;\n"
#define LD_PARTS                                                                       \
    "volatile, mmio, ca, cg, nc, async, weak, relaxed, acquire, cta, cluster, gpu, sys"
#define NOT_OF_LD " cannot be a part of 'ld': its parts are, in this order, " LD_PARTS

static const struct {
    const char *text, *message;
} malformed[] = {
    /* The frame. */
    { "PTX", "1:4: expected the name of the test" },
    { "PTX t\n{ x=y; }",
      "2:5: found 'y', expected a number: addresses as values are not supported" },
    { "PTX t\n{ x=0; x=1; }", "2:8: 'x' is declared already, at 2:3" },
    { "PTX t\n{ P0:r0=0; 0:r0=1; }", "2:14: 'r0' is declared already, at 2:3" },
    { "PTX t\n{ P0:x=0; }", "2:6: 'x' is not a register: these are r0, r1 and so on" },
    { "PTX t\n{ r0=0; }",
      "2:3: found 'r0', expected the name of a location: a register is written with "
      "its thread, as P0:r0" },
    { "PTX t\n{ s @ host aliases x; }",
      "2:7: found 'host', expected a proxy: generic, surface, texture, constant or "
      "async" },
    { "PTX t\n{ x=0; x aliases y; }", "2:8: 'x' is the name of a location already" },
    { "PTX t\n{ x aliases x; }", "2:3: 'x' is the name of a location already" },
    { "PTX t\n{ y aliases x; y=1; }",
      "2:16: 'y' is another name of a location, which has the initial value" },
    { "VULKAN t\n{ s @ surface aliases x; }",
      "2:5: found '@', expected '=' or 'aliases': proxies are of PTX" },
    { "PTX t\n{}\n{ ssw 0 1; }",
      "3:1: found '{', expected the threads: P0@cta 0,gpu 0" },
    { "VULKAN t\n{}\n{ ssw 0 1; }\nP0@sg 0,wg 0,qf 0;",
      "3:9: the test has no thread P1" },
    { "PTX t\n{}\nP1@cta 0,gpu 0;",
      "3:1: found 'P1', expected P0: threads are numbered from P0 without gaps" },
    { "PTX t\n{}\nP0@cta 0;", "3:9: found ';', expected ',' and gpu" },
    { "PTX t\n{}\nP0@sg 0,wg 0,qf 0;",
      "3:4: found 'sg', expected 'cta' and its number" },
    { "PTX t\n{ 3:r0=1; }\nP0@cta 0,gpu 0;", "2:3: the test has no thread P3" },
    { TWO_PTX "st x, 1;",
      "4:8: a row has a cell for each of the 2 threads, and this one ends after 1: "
      "write '|' before an empty cell, too" },
    { TWO_PTX "st x, 1 | | ;",
      "4:11: the row has more cells than there are threads, which are 2: expected "
      "';'" },
    { TWO_PTX "st x, 1 st x, 2 | ;",
      "4:9: found 'st', expected '|' or ';' after the instruction" },
    { TWO_PTX "goto LC0 | LC0: ;", "4:6: P0 has no label 'LC0'" },
    { TWO_PTX "LC0: | ; LC0: | ;", "4:10: label 'LC0' is defined already, at 4:1" },
    { TWO_PTX "| not: ;", "4:3: 'not' begins the claim: give the label another name" },
    /* Words. */
    { TWO_PTX "lod.weak r0, x | ;",
      "4:1: unknown instruction 'lod.weak' of PTX: did you mean 'ld'?" },
    { TWO_VULKAN "cbarr.wg 0 | ;",
      "4:1: unknown instruction 'cbarr.wg' of VULKAN: did you mean 'cbar'?" },
    { TWO_PTX "ld.relaxed.gpu.u32 r0, x | ;",
      "4:16: found 'u32': all locations have one size, of 64 bits: leave out the "
      "type" },
    { TWO_PTX "tex.2d r0, x | ;",
      "4:1: found 'tex': texture sampling is not supported: 'tld' reads a texture" },
    { TWO_PTX "bar.sync 0 | ;",
      "4:1: found 'bar.sync': the first operand is the instance of the barrier: write "
      "'bar.cta.sync INSTANCE, NUMBER'" },
    { TWO_PTX "mbarrier.inval x | ;",
      "4:1: unknown instruction 'mbarrier.inval' of PTX: did you mean "
      "'mbarrier.init'?" },
    { TWO_PTX "mbarrier.init x, 0 | ;",
      "4:18: found '0', expected how many arrivals complete the object: a number from "
      "1 to 1048575" },
    { TWO_PTX "mbarrier.arrive.expect_tx x | ;",
      "4:29: found '|', expected ',' and a number" },
    { TWO_PTX "mbarrier.try_wait.release.cta r0, x | ;",
      "4:19: 'release' cannot be a part of 'mbarrier.try_wait': its parts are, in this "
      "order, relaxed, acquire, cta, cluster, gpu, sys" },
    { TWO_PTX "fence.proxy.async::generic.acquire.cta | ;",
      "4:13: found 'async::generic': fences between two named proxies are not "
      "supported" },
    { TWO_PTX "ld.weak.gpu r0, x | ;",
      "4:1: a weak access has no scope: write 'ld.relaxed' and the scope, or leave it "
      "out" },
    { TWO_PTX "ld.relaxed r0, x | ;",
      "4:1: the scope is missing: 'cta', 'cluster', 'gpu' or 'sys' after the order" },
    { TWO_PTX "ld.release.gpu r0, x | ;", "4:4: 'release'" NOT_OF_LD },
    { TWO_PTX "ld.relaxed.qf r0, x | ;", "4:12: 'qf'" NOT_OF_LD },
    { TWO_PTX "ld.gpu.relaxed r0, x | ;",
      "4:8: 'relaxed' cannot follow the words before it: the parts of 'ld' are, in "
      "this order, " LD_PARTS },
    { TWO_PTX "ld.weak.weak r0, x | ;",
      "4:9: 'weak' cannot follow the words before it: the parts of 'ld' are, in this "
      "order, " LD_PARTS },
    { TWO_PTX "st.acquire.gpu x, 1 | ;",
      "4:4: 'acquire' cannot be a part of 'st': its parts are, in this order, "
      "volatile, mmio, ca, cg, nc, async, weak, relaxed, release, cta, cluster, gpu, "
      "sys" },
    { TWO_PTX "ld.volatile.sys r0, x | ;",
      "4:1: a volatile access is relaxed, at the scope of the system: it states no "
      "order and no scope" },
    { TWO_PTX "fence.sc | ;",
      "4:1: the scope is missing: the parts of 'fence' are, in this order, acquire, "
      "release, acq_rel, sc, cta, cluster, gpu, sys" },
    { TWO_PTX "membar.gl.sys | ;",
      "4:11: 'sys' cannot be a part of 'membar.gl', which stands alone" },
    { TWO_PTX "ld. r0, x | ;", "4:5: 'r0'" NOT_OF_LD },
    { TWO_PTX "ld\n.\nfoo\n. x | ;", "6:1: 'foo'" NOT_OF_LD },
    { TWO_PTX "fence.proxy.async.shared::\ncta | ;",
      "5:1: found 'cta', expected a word directly after '::'" },
    { TWO_VULKAN "ld r0, x | ;",
      "4:1: the storage class is missing: the parts of 'ld' are, in this order, "
      "nonpriv, av, vis, sg, wg, qf, dv, sc0, sc1, sc2, sc3" },
    { TWO_VULKAN "ld.vis.sc0 r0, x | ;",
      "4:1: the scope is missing: 'sg', 'wg', 'qf' or 'dv' after 'av' or 'vis'" },
    { TWO_VULKAN "ld.dv.sc0 r0, x | ;",
      "4:1: a plain access has a scope after 'av' or 'vis' only" },
    { TWO_VULKAN "st.vis.dv.sc0 x, 1 | ;", "4:1: a write makes available: write 'av'" },
    { TWO_VULKAN "ld.atom.acq.wg.sc0 r0, x | ;",
      "4:1: the order needs the storage classes that it orders: 'semsc0'" },
    { TWO_VULKAN "ld.atom.wg.sc0.semsc0 r0, x | ;",
      "4:1: storage classes of semantics need an order: 'acq', 'rel' or 'acq_rel'" },
    { TWO_VULKAN "membar.acq.wg.semsc0.semav | ;",
      "4:1: 'semav' needs 'rel' or 'acq_rel'" },
    { TWO_VULKAN "membar.rel.wg.semsc0.semvis | ;",
      "4:1: 'semvis' needs 'acq' or 'acq_rel'" },
    { TWO_VULKAN "avhost | ;",
      "4:1: found 'avhost': the host domain is not supported: 'avdevice' and "
      "'visdevice' are" },
    { TWO_VULKAN "st.atom.sc x, 1 | ;",
      "4:9: found 'sc': Vulkan has no sequentially consistent operations" },
    /* Operands. */
    { TWO_PTX "st.weak r0, 1 | ;",
      "4:9: found 'r0', expected the name of a location: addresses in registers are "
      "not supported" },
    { TWO_PTX "st.weak x, y | ;",
      "4:12: found 'y', expected a register (r0) or a number: the name of a location "
      "is an address, not a value" },
    { TWO_PTX "ld.weak x, x | ;", "4:9: found 'x', expected a register: r0" },
    { TWO_PTX "ld.weak P0, x | ;", "4:9: found 'P0', expected a register: r0" },
    { TWO_PTX "st.weak P0, 1 | ;", "4:9: found 'P0', expected the name of a location" },
    { TWO_PTX "red.relaxed.gpu.exch x, 1 | ;",
      "4:1: 'red' has no exchange: 'atom' has" },
    { TWO_PTX "atom.add r0, x | ;",
      "4:16: found '|', expected ',' and another operand" },
    { TWO_PTX "atom.div r0, x, r1 | ;",
      "4:17: an atomic division is by a number other than 0" },
    { TWO_PTX "bar.cta.sync r0 | ;",
      "4:14: found 'r0', expected the number of the barrier's instance" },
    { TWO_PTX "bar.cta.sync 0, 1, 0 | ;",
      "4:20: found '0', expected how many threads make the barrier complete: a number "
      "from 1" },
    { TWO_PTX "barrier.cluster.wait 0, 1 | ;",
      "4:23: found ',', expected '|' or ';' after the instruction" },
    { "PTX t\n{ s @ surface aliases x; }\nP0@cta 0,gpu 0;\nld.weak r0, s;",
      "4:13: 's' is a name for another proxy than that of 'ld'" },
    /* Claims. */
    { TWO_PTX "exists (P0:r0 == 1)", "4:12: P0 has no register 'r0'" },
    { TWO_PTX "exists (x + 1)",
      "4:11: found '+', expected '==', '!=', '<', '<=', '>' or '>='" },
    { TWO_PTX "exists (z == 1)",
      "4:9: unknown location 'z': a register is written with its thread, as 0:r0" },
};

CASE("refused");

TEST(malformed_tables_are_refused_with_their_place)
{
    for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++) {
        g_autoptr(GError) error = NULL;
        struct weiri_litmus *test = weiri_litmus_parse(
            malformed[i].text, strlen(malformed[i].text), "f", &error);
        ck_assert_msg(test == NULL, "not refused: %s", malformed[i].text);
        g_autofree char *whole = g_strdup_printf("f:%s", malformed[i].message);
        ck_assert_msg(strcmp(error->message, whole) == 0, "%s\nis, not %s\nof: %s",
                      error->message, whole, malformed[i].text);
    }
}

static const char *const samples[] = {
    "PTX t\n\"note\"\n{ x=1; P0:r1=2; s @ surface aliases x; g @ generic aliases x; }\n"
    "P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
    "LC0: ld.acquire.gpu r0, x | sust.weak s, r0 ;\n"
    "bne r0, 1, LC0 | fence.proxy.async.shared::cta ;\n"
    "atom.relaxed.sys.cas r2, g, r0, -1 | bar.cta.sync 1, r0, 2 ;\n"
    "filter (x < 3) exists (P0:r0 >= P1:r0 /\\ 0==0)",
    "VULKAN t\n{ x=1; y aliases x; }\n{ ssw 0 1; }\n"
    "P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;\n"
    "st.av.dv.sc0 x, 1 | rmw.atom.acq_rel.wg.sc0.semsc0.semsc1.semav.semvis.add r0, y, "
    "1 ;\ncbar.exec.qf.acq.dv.semsc0 0 | LC1: goto LC1 ;\n"
    "locations [x;] ~exists (x != [y])",
};

/* Runs all threads, which read 0, 1, 2, 0 and so on. */
static void run_threads(const struct weiri_litmus *test)
{
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        g_autofree int64_t *slots = g_new(int64_t, code->n_slots);
        struct weiri_litmus_run run = { .slots = slots };
        weiri_litmus_start(code, &run, NULL);
        for (int64_t n = 0;
             weiri_litmus_next(code, &run, 3, NULL) == WEIRI_LITMUS_EVENT; n++) {
            if (code->instructions[run.at].op == WEIRI_LITMUS_OP_COMPARE) {
                weiri_litmus_resume_compare(code, &run, n % 3, n % 2 == 0, NULL);
            } else {
                weiri_litmus_resume(code, &run, n % 3, NULL);
            }
        }
    }
}

TEST(any_bytes_are_a_table_or_an_error)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(20000, 400); i++) {
        g_autofree char *text = g_strdup(samples[i % G_N_ELEMENTS(samples)]);
        size_t bytes = strlen(text);
        for (size_t k = random_between(&seed, 1, 4); k > 0; k--) {
            static const char marks[] = "(){};:,.=/\\|<>~!@\"01rxLP \n";
            size_t at = random_between(&seed, 6, bytes - 1);
            if (random_between(&seed, 0, 3) == 0) { /* a piece, to another place */
                size_t from = random_between(&seed, 6, bytes - 1);
                size_t n = random_between(&seed, 1, 12);
                n = MIN(n, bytes - MAX(at, from));
                memmove(text + at, text + from, n);
            } else {
                text[at] = i % 4 == 0
                    ? (char)random_next(&seed)
                    : marks[random_between(&seed, 0, sizeof(marks) - 2)];
            }
        }
        bytes = random_between(&seed, 0, 1) == 0 ? bytes
                                                 : random_between(&seed, 0, bytes);
        g_autoptr(GError) error = NULL;
        g_autoptr(weiri_litmus) test = weiri_litmus_parse(text, bytes, "f", &error);
        ck_assert((test != NULL) == (error == NULL));
        if (test != NULL) {
            litmus_expect_round_trip(test, "mutated");
            run_threads(test);
        } else {
            ck_assert_ptr_null(strchr(error->message, '\n'));
            ck_assert(g_utf8_validate(error->message, -1, NULL));
        }
    }
}

TEST(a_large_table_is_read_or_refused)
{
    size_t n = UNDER_ASAN ? 1 << 16 : scaled(1 << 19, 1 << 13);
    static const struct {
        const char *head, *part;
        bool sound;
    } large[] = {
        { ONE_PTX, ";", true },
        { ONE_PTX, "st x, 1;", true },
        { ONE_PTX, "LC0: goto LC0;", false },
        { ONE_PTX "LC0:;", "bne r0, 1, LC0;", true },
        { ONE_PTX "LC0:", ";goto LC1", false },
        { ONE_PTX, "bar.cta.sync 0, 1, 1;", true },
        { ONE_PTX, "ld", false },
        { ONE_PTX "ld", ".weak", false },
        { ONE_PTX, "|", false },
        { "PTX t\n{", "s aliases x;", false },
        { "PTX t\n", "\"a\" b\n", false },
        { "VULKAN t\n{}\n{", "ssw 0 0;", false },
        { ONE_PTX "exists 0==0", "/\\1<2", true },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(large); i++) {
        g_autoptr(GString) text = g_string_new(large[i].head);
        while (text->len < n) {
            g_string_append(text, large[i].part);
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(weiri_litmus) test
            = weiri_litmus_parse(text->str, text->len, "f", &error);
        ck_assert_msg((test != NULL) == large[i].sound, "%s: %s", large[i].part,
                      error != NULL ? error->message : "not refused");
    }
}

MAIN("litmus-table-refused")
