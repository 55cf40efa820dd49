/* SPDX-License-Identifier: MIT
 *
 * table-ptx.c: the instructions of tables of PTX.
 *
 *     ld.relaxed.gpu r0, x    st.weak x, 1    atom.acq_rel.cta.add r0, x, 1
 *     red.relaxed.sys.add x, 1    fence.sc.gpu    fence.proxy.alias
 *     bar.cta.sync 0          barrier.cluster.arrive 0
 *     mbarrier.init b, 2      mbarrier.arrive b      mbarrier.try_wait r0, b
 *
 * An access without an order is weak, and an `atom` without one is relaxed at the scope
 * of the GPU, as in PTX. A volatile access is a relaxed one at the scope of the system.
 *
 * Follows: PTX ISA 9.4, "ld", "st", "atom", "red", "membar/fence", "barrier.cluster";
 * Dat3M, LitmusPTX.g4, for the form, which has no types and state spaces. `async` as a
 * proxy of accesses is Weir's. */
#include "config.h"

#include "litmus/table.h"

#define PART(name) (1u << WEIRI_LITMUS_PART_##name)
#define ORDER(name) (1u << memory_order_##name)
#define WEAK (1u << WEIRI_LITMUS_WEAK)
#define LOADS (WEAK | ORDER(relaxed) | ORDER(acquire))
#define STORES (WEAK | ORDER(relaxed) | ORDER(release))
#define UPDATES (ORDER(relaxed) | ORDER(acquire) | ORDER(release) | ORDER(acq_rel))
#define FENCES (ORDER(acquire) | ORDER(release) | ORDER(acq_rel) | ORDER(seq_cst))
#define ACCESS (PART(ORDER) | PART(SCOPE))
#define UNSTATED WEIRI_LITMUS_UNSTATED

/* Rows of an access, of an update, and of fences of one kind. */
#define READS(name, more, of)                                                          \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_READ, ACCESS | (more), 0, LOADS, WEIRI_LITMUS_WEAK,   \
            UNSTATED, 0, WEIRI_PROXY_##of, 0, 0                                        \
    }
#define WRITES(name, more, of)                                                         \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_WRITE, ACCESS | (more), 0, STORES, WEIRI_LITMUS_WEAK, \
            UNSTATED, 0, WEIRI_PROXY_##of, 0, 0                                        \
    }
#define CHANGES(name, shape, of)                                                       \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_##shape, ACCESS | PART(FUNCTION), PART(FUNCTION),     \
            UPDATES, memory_order_relaxed, memory_scope_device, 0, WEIRI_PROXY_##of,   \
            0, 0                                                                       \
    }
#define MEMBAR(name, at)                                                               \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_FENCE, 0, 0, 0, memory_order_seq_cst,                 \
            memory_scope_##at, 0, 0, 0, 0                                              \
    }
/* Rows of barrier objects. */
#define OBJECT(name, shape, orders, order, flags)                                      \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_##shape, ACCESS, 0, orders, memory_order_##order,     \
            memory_scope_work_group, flags, 0, 0, 0                                    \
    }
#define ARRIVALS (ORDER(relaxed) | ORDER(release))
#define PROXY_FENCE(name)                                                              \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_FENCE, PART(PROXY) | PART(SPACE), PART(PROXY), 0,     \
            memory_order_relaxed, memory_scope_work_item, WEIRI_TRAIT_PROXY_FENCE, 0,  \
            0, 0                                                                       \
    }

static const struct weiri_litmus_mnemonic mnemonics[] = {
    READS("ld", PART(FORM), GENERIC),
    READS("tld", 0, TEXTURE),
    READS("suld", 0, SURFACE),
    READS("cold", 0, CONSTANT),
    WRITES("st", PART(FORM), GENERIC),
    WRITES("sust", 0, SURFACE),
    CHANGES("atom", UPDATE, GENERIC),
    CHANGES("suatom", UPDATE, SURFACE),
    CHANGES("red", REDUCE, GENERIC),
    CHANGES("sured", REDUCE, SURFACE),
    { "fence", WEIRI_LITMUS_SHAPE_FENCE, ACCESS, PART(SCOPE), FENCES,
      memory_order_acq_rel, UNSTATED, 0, 0, 0, 0 },
    PROXY_FENCE("fence.proxy"),
    PROXY_FENCE("membar.proxy"),
    MEMBAR("membar.cta", work_group),
    MEMBAR("membar.gl", device),
    MEMBAR("membar.sys", system),
    { "bar.cta.sync", WEIRI_LITMUS_SHAPE_BARRIER, 0, 0, 0, memory_order_relaxed,
      memory_scope_work_group, 0, 0, memory_scope_work_group, 0 },
    { "bar.cta.arrive", WEIRI_LITMUS_SHAPE_BARRIER, 0, 0, 0, memory_order_relaxed,
      memory_scope_work_group, WEIRI_TRAIT_ARRIVES, 0, memory_scope_work_group, 0 },
    { "barrier.cluster.arrive", WEIRI_LITMUS_SHAPE_BARRIER, PART(ORDER), 0,
      ORDER(release) | ORDER(relaxed), memory_order_release, WEIRI_SCOPE_CLUSTER,
      WEIRI_TRAIT_ARRIVES, 0, WEIRI_SCOPE_CLUSTER, 0 },
    { "barrier.cluster.wait", WEIRI_LITMUS_SHAPE_BARRIER, PART(ORDER), 0,
      ORDER(acquire), memory_order_acquire, WEIRI_SCOPE_CLUSTER, WEIRI_TRAIT_AWAITS, 0,
      WEIRI_SCOPE_CLUSTER, 0 },
    { "mbarrier.init", WEIRI_LITMUS_SHAPE_INIT, 0, 0, 0, WEIRI_LITMUS_WEAK, UNSTATED, 0,
      0, 0, 0 },
    OBJECT("mbarrier.arrive", ARRIVE, ARRIVALS, release, WEIRI_TRAIT_RESULT_UNUSED),
    OBJECT("mbarrier.arrive.expect_tx", ARRIVE_EXPECT, ARRIVALS, release,
           WEIRI_TRAIT_RESULT_UNUSED),
    OBJECT("mbarrier.expect_tx", EXPECT, ORDER(relaxed), relaxed,
           WEIRI_TRAIT_RESULT_UNUSED),
    OBJECT("mbarrier.complete_tx", COMPLETE, ARRIVALS, relaxed,
           WEIRI_TRAIT_RESULT_UNUSED),
    OBJECT("mbarrier.try_wait", TRY_WAIT, ORDER(relaxed) | ORDER(acquire), acquire, 0),
    OBJECT("mbarrier.test_wait", TRY_WAIT, ORDER(relaxed) | ORDER(acquire), acquire, 0),
    { 0 },
};

static const struct weiri_litmus_word words[] = {
    { "volatile", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_VOLATILE },
    { "mmio", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_MMIO },
    { "ca", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_CACHED },
    { "cg", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_CACHED },
    { "nc", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_CACHED },
    { "async", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_ASYNC },
    { "weak", WEIRI_LITMUS_PART_ORDER, WEIRI_LITMUS_WEAK },
    { "relaxed", WEIRI_LITMUS_PART_ORDER, memory_order_relaxed },
    { "acquire", WEIRI_LITMUS_PART_ORDER, memory_order_acquire },
    { "release", WEIRI_LITMUS_PART_ORDER, memory_order_release },
    { "acq_rel", WEIRI_LITMUS_PART_ORDER, memory_order_acq_rel },
    { "sc", WEIRI_LITMUS_PART_ORDER, memory_order_seq_cst },
    { "cta", WEIRI_LITMUS_PART_SCOPE, memory_scope_work_group },
    { "cluster", WEIRI_LITMUS_PART_SCOPE, WEIRI_SCOPE_CLUSTER },
    { "gpu", WEIRI_LITMUS_PART_SCOPE, memory_scope_device },
    { "sys", WEIRI_LITMUS_PART_SCOPE, memory_scope_system },
    { "generic", WEIRI_LITMUS_PART_PROXY, WEIRI_PROXY_GENERIC },
    { "surface", WEIRI_LITMUS_PART_PROXY, WEIRI_PROXY_SURFACE },
    { "texture", WEIRI_LITMUS_PART_PROXY, WEIRI_PROXY_TEXTURE },
    { "constant", WEIRI_LITMUS_PART_PROXY, WEIRI_PROXY_CONSTANT },
    { "async", WEIRI_LITMUS_PART_PROXY, WEIRI_PROXY_ASYNC },
    { "alias", WEIRI_LITMUS_PART_PROXY, WEIRI_PROXY_ALIAS },
    { "global", WEIRI_LITMUS_PART_SPACE, 0 },
    { "shared::cta", WEIRI_LITMUS_PART_SPACE, 0 },
    { "shared::cluster", WEIRI_LITMUS_PART_SPACE, 0 },
    { 0 },
};

#define ONE_SIZE "all locations have one size, of 64 bits: leave out the type"
#define ONE_SPACE "state spaces are not stated: leave out the word"
#define OTHER_PROXY "fences between two named proxies are not supported"

static const struct weiri_litmus_refusal refusals[] = {
    { "cp",
      "bulk copies are not supported: a copy is like a thread of its own with "
      "'ld.async' and 'st.async'" },
    { "tex", "texture sampling is not supported: 'tld' reads a texture" },
    { "tld4", "texture sampling is not supported: 'tld' reads a texture" },
    { "bar.sync",
      "the first operand is the instance of the barrier: write "
      "'bar.cta.sync INSTANCE, NUMBER'" },
    { "bar.arrive",
      "the first operand is the instance of the barrier: write "
      "'bar.cta.arrive INSTANCE, NUMBER, QUORUM'" },
    { "barrier.sync", "write 'bar.cta.sync'" },
    { "barrier.cta", "write 'bar.cta.sync' or 'bar.cta.arrive'" },
    { "fence.mbarrier_init", "write 'fence.release.cluster'" },
    { "tensormap::generic", OTHER_PROXY },
    { "async::generic", OTHER_PROXY },
    { "multimem", "operations on several addresses are not supported" },
    { "inc", "it is not supported: 'add' is" },
    { "dec", "it is not supported: 'sub' is" },
    { "b32", ONE_SIZE },
    { "b64", ONE_SIZE },
    { "b128", ONE_SIZE },
    { "u8", ONE_SIZE },
    { "u16", ONE_SIZE },
    { "u32", ONE_SIZE },
    { "u64", ONE_SIZE },
    { "s32", ONE_SIZE },
    { "s64", ONE_SIZE },
    { "f32", ONE_SIZE },
    { "v2", ONE_SIZE },
    { "v4", ONE_SIZE },
    { "global", ONE_SPACE },
    { "shared", ONE_SPACE },
    { "shared::cta", ONE_SPACE },
    { "shared::cluster", ONE_SPACE },
    { "local", ONE_SPACE },
    { 0 },
};

static const struct weiri_litmus_level levels[] = {
    { "cta", offsetof(struct weiri_litmus_thread, group), false },
    { "cluster", offsetof(struct weiri_litmus_thread, cluster), true },
    { "gpu", offsetof(struct weiri_litmus_thread, device), false },
    { 0 },
};

/* ---- Orders and scopes ----------------------------------------------------------- */

/* Applies a word such as `volatile`. Returns: NULL, or why the name is wrong */
static const char *apply_form(struct weiri_litmus_operation *operation)
{
    bool ordered = operation->order != UNSTATED, scoped = operation->scope != UNSTATED;
    switch (operation->form) {
    case WEIRI_LITMUS_VOLATILE:
        operation->order = memory_order_relaxed;
        operation->scope = memory_scope_system;
        return ordered || scoped ? "a volatile access is relaxed, at the scope of the "
                                   "system: it states no order and no scope"
                                 : NULL;
    case WEIRI_LITMUS_MMIO:
        ordered = ordered && operation->order != memory_order_relaxed;
        operation->order = memory_order_relaxed;
        return ordered ? "an access to mapped I/O is relaxed" : NULL;
    case WEIRI_LITMUS_CACHED:
        if (operation->row->shape != WEIRI_LITMUS_SHAPE_READ) {
            return "only reads are of a cache";
        }
        G_GNUC_FALLTHROUGH;
    case WEIRI_LITMUS_ASYNC:
        return ordered && operation->order != WEIRI_LITMUS_WEAK
            ? "this access is a weak one: it states no other order"
            : NULL;
    default:
        return NULL;
    }
}

static bool complete(struct weiri_litmus_parser *parser,
                     const struct weiri_litmus_operation *of,
                     struct weiri_litmus_instruction *to)
{
    struct weiri_litmus_lexer *lex = &parser->lex;
    struct weiri_litmus_operation operation = *of;
    const struct weiri_litmus_mnemonic *row = operation.row;
    const char *wrong = apply_form(&operation);
    int order = operation.order != UNSTATED ? operation.order : row->order;
    int scope = operation.scope != UNSTATED ? operation.scope : row->scope;
    bool weak = order == WEIRI_LITMUS_WEAK;
    if (wrong != NULL) {
        return weiri_litmus_refuse(lex, operation.name.place, "%s", wrong);
    }
    if (weak && operation.scope != UNSTATED) {
        return weiri_litmus_refuse(lex, operation.name.place,
                                   "a weak access has no scope: write '%s.relaxed' and "
                                   "the scope, or leave it out",
                                   row->name);
    }
    if (!weak && scope == UNSTATED) {
        return weiri_litmus_refuse(lex, operation.name.place,
                                   "the scope is missing: 'cta', 'cluster', 'gpu' or "
                                   "'sys' after the order");
    }
    to->atomic = !weak && row->shape != WEIRI_LITMUS_SHAPE_BARRIER;
    to->order = weak ? memory_order_relaxed : (memory_order)order;
    to->scope = weak ? memory_scope_work_item : (memory_scope)scope;
    to->traits.proxy
        = operation.form == WEIRI_LITMUS_ASYNC ? WEIRI_PROXY_ASYNC : operation.proxy;
    to->traits.flags
        |= row->shape == WEIRI_LITMUS_SHAPE_REDUCE ? WEIRI_TRAIT_RESULT_UNUSED : 0;
    to->compares = operation.function == WEIRI_LITMUS_CAS;
    return true;
}

const struct weiri_litmus_dialect weiri_litmus_ptx
    = { "PTX", mnemonics, words, refusals, levels, complete };
