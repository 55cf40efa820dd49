/* SPDX-License-Identifier: MIT
 *
 * table-vulkan.c: the instructions of tables of Vulkan.
 *
 *     st.av.dv.sc0 x, 1                   ld.nonpriv.sc0 r0, x
 *     st.atom.rel.dv.sc0.semsc0 x, 1      rmw.atom.acq.wg.sc0.semsc0.add r0, x, 1
 *     membar.acq_rel.dv.semsc0.semav.semvis    avdevice
 *     cbar.acq_rel.wg.semsc0 0            cbar.exec.sg.wg 0
 *
 * The scope of a control barrier is that of its memory semantics. The threads of a
 * work-group meet there, unless `exec` and another scope follow the mnemonic.
 *
 * Follows: the Vulkan specification, appendix "Memory Model"; Dat3M, LitmusVulkan.g4,
 * for the form. `exec` and `cas` are Weir's. */
#include "config.h"

#include "litmus/table.h"

#define PART(name) (1u << WEIRI_LITMUS_PART_##name)
#define ORDER(name) (1u << memory_order_##name)
#define UNSTATED WEIRI_LITMUS_UNSTATED
#define SEMANTIC (PART(ORDER) | PART(SCOPE) | PART(SEMANTICS) | PART(MAKES))
#define ATOMIC (SEMANTIC | PART(STORAGE))
#define PLAIN (PART(FORM) | PART(SCOPE) | PART(STORAGE))
#define BOTH (ORDER(acquire) | ORDER(release) | ORDER(acq_rel))

#define CONTROL(name, at)                                                              \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_BARRIER, SEMANTIC, PART(SCOPE), BOTH,                 \
            memory_order_relaxed, UNSTATED, 0, 0, at, 0                                \
    }
#define DEVICE(name, trait)                                                            \
    {                                                                                  \
        name, WEIRI_LITMUS_SHAPE_FENCE, 0, 0, 0, memory_order_relaxed,                 \
            memory_scope_device, trait, 0, 0, 0                                        \
    }

static const struct weiri_litmus_mnemonic mnemonics[] = {
    { "ld", WEIRI_LITMUS_SHAPE_READ, PLAIN, PART(STORAGE), 0, WEIRI_LITMUS_WEAK,
      UNSTATED, 0, 0, 0, 0 },
    { "st", WEIRI_LITMUS_SHAPE_WRITE, PLAIN, PART(STORAGE), 0, WEIRI_LITMUS_WEAK,
      UNSTATED, 0, 0, 0, 0 },
    { "ld.atom", WEIRI_LITMUS_SHAPE_READ, ATOMIC, PART(SCOPE) | PART(STORAGE),
      ORDER(acquire), memory_order_relaxed, UNSTATED, 0, 0, 0, 0 },
    { "st.atom", WEIRI_LITMUS_SHAPE_WRITE, ATOMIC, PART(SCOPE) | PART(STORAGE),
      ORDER(release), memory_order_relaxed, UNSTATED, 0, 0, 0, 0 },
    { "rmw.atom", WEIRI_LITMUS_SHAPE_UPDATE, ATOMIC | PART(FUNCTION),
      PART(SCOPE) | PART(STORAGE), BOTH, memory_order_relaxed, UNSTATED, 0, 0, 0, 0 },
    { "membar", WEIRI_LITMUS_SHAPE_FENCE, SEMANTIC, PART(ORDER) | PART(SCOPE), BOTH,
      memory_order_relaxed, UNSTATED, 0, 0, 0, 0 },
    DEVICE("avdevice", WEIRI_TRAIT_AV_DEVICE),
    DEVICE("visdevice", WEIRI_TRAIT_VIS_DEVICE),
    CONTROL("cbar", memory_scope_work_group),
    CONTROL("cbar.exec.sg", memory_scope_sub_group),
    CONTROL("cbar.exec.wg", memory_scope_work_group),
    CONTROL("cbar.exec.qf", WEIRI_SCOPE_CLUSTER),
    CONTROL("cbar.exec.dv", memory_scope_device),
    { 0 },
};

static const struct weiri_litmus_word words[] = {
    { "nonpriv", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_NONPRIVATE },
    { "av", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_AVAILABLE },
    { "vis", WEIRI_LITMUS_PART_FORM, WEIRI_LITMUS_VISIBLE },
    { "acq", WEIRI_LITMUS_PART_ORDER, memory_order_acquire },
    { "rel", WEIRI_LITMUS_PART_ORDER, memory_order_release },
    { "acq_rel", WEIRI_LITMUS_PART_ORDER, memory_order_acq_rel },
    { "sg", WEIRI_LITMUS_PART_SCOPE, memory_scope_sub_group },
    { "wg", WEIRI_LITMUS_PART_SCOPE, memory_scope_work_group },
    { "qf", WEIRI_LITMUS_PART_SCOPE, WEIRI_SCOPE_CLUSTER },
    { "dv", WEIRI_LITMUS_PART_SCOPE, memory_scope_device },
    { "sc0", WEIRI_LITMUS_PART_STORAGE, 0 },
    { "sc1", WEIRI_LITMUS_PART_STORAGE, 1 },
    { "sc2", WEIRI_LITMUS_PART_STORAGE, 2 },
    { "sc3", WEIRI_LITMUS_PART_STORAGE, 3 },
    { "semsc0", WEIRI_LITMUS_PART_SEMANTICS, 0 },
    { "semsc1", WEIRI_LITMUS_PART_SEMANTICS, 1 },
    { "semsc2", WEIRI_LITMUS_PART_SEMANTICS, 2 },
    { "semsc3", WEIRI_LITMUS_PART_SEMANTICS, 3 },
    { "semav", WEIRI_LITMUS_PART_MAKES, WEIRI_TRAIT_SEM_AVAILABLE },
    { "semvis", WEIRI_LITMUS_PART_MAKES, WEIRI_TRAIT_SEM_VISIBLE },
    { 0 },
};

#define NO_SC "Vulkan has no sequentially consistent operations"
#define NO_HOST "the host domain is not supported: 'avdevice' and 'visdevice' are"
#define NO_INTERLOCK "fragment shader interlock is not supported"

static const struct weiri_litmus_refusal refusals[] = {
    { "sc", NO_SC },
    { "seq_cst", NO_SC },
    { "avhost", NO_HOST },
    { "vishost", NO_HOST },
    { "host", NO_HOST },
    { "interlock", NO_INTERLOCK },
    { "begininterlock", NO_INTERLOCK },
    { "endinterlock", NO_INTERLOCK },
    { "shadercall", "shader calls are not supported" },
    { "image", "images are not supported: an image is like a storage class" },
    { "tex", "images are not supported: an image is like a storage class" },
    { "sys", "Vulkan's widest scope is the device: 'dv'" },
    { "gpu", "Vulkan's scope of the device is 'dv'" },
    { "cta", "Vulkan's scope of the work-group is 'wg'" },
    { "weak", "a plain access states no order" },
    { "relaxed", "an atomic operation without an order is relaxed" },
    { "acquire", "write 'acq'" },
    { "release", "write 'rel'" },
    { "priv", "an access without 'nonpriv' is private" },
    { 0 },
};

static const struct weiri_litmus_level levels[] = {
    { "sg", offsetof(struct weiri_litmus_thread, sub_group), false },
    { "wg", offsetof(struct weiri_litmus_thread, group), false },
    { "qf", offsetof(struct weiri_litmus_thread, cluster), false },
    { 0 },
};

/* ---- Semantics ------------------------------------------------------------------- */

/* Returns: NULL, or why the words do not fit together */
static const char *find_wrong(const struct weiri_litmus_operation *operation, int order)
{
    const struct weiri_litmus_mnemonic *row = operation->row;
    bool is_read = row->shape == WEIRI_LITMUS_SHAPE_READ;
    bool acquires = order == memory_order_acquire || order == memory_order_acq_rel;
    bool releases = order == memory_order_release || order == memory_order_acq_rel;
    bool has_scope = operation->scope != UNSTATED;
    if (operation->form == WEIRI_LITMUS_AVAILABLE && is_read) {
        return "a read makes visible: write 'vis'";
    }
    if (operation->form == WEIRI_LITMUS_VISIBLE && !is_read) {
        return "a write makes available: write 'av'";
    }
    if (order == WEIRI_LITMUS_WEAK
        && has_scope != (operation->form >= WEIRI_LITMUS_AVAILABLE)) {
        return has_scope
            ? "a plain access has a scope after 'av' or 'vis' only"
            : "the scope is missing: 'sg', 'wg', 'qf' or 'dv' after 'av' or "
              "'vis'";
    }
    if ((row->parts & PART(SEMANTICS)) == 0) {
        return NULL;
    }
    if ((acquires || releases) != (operation->semantics != 0)) {
        return operation->semantics != 0
            ? "storage classes of semantics need an order: 'acq', 'rel' or 'acq_rel'"
            : "the order needs the storage classes that it orders: 'semsc0'";
    }
    if ((operation->makes & WEIRI_TRAIT_SEM_AVAILABLE) != 0 && !releases) {
        return "'semav' needs 'rel' or 'acq_rel'";
    }
    return (operation->makes & WEIRI_TRAIT_SEM_VISIBLE) != 0 && !acquires
        ? "'semvis' needs 'acq' or 'acq_rel'"
        : NULL;
}

static bool complete(struct weiri_litmus_parser *parser,
                     const struct weiri_litmus_operation *operation,
                     struct weiri_litmus_instruction *to)
{
    static const uint16_t forms[] = {
        [WEIRI_LITMUS_NONPRIVATE] = WEIRI_TRAIT_NONPRIVATE,
        [WEIRI_LITMUS_AVAILABLE] = WEIRI_TRAIT_NONPRIVATE | WEIRI_TRAIT_AVAILABLE,
        [WEIRI_LITMUS_VISIBLE] = WEIRI_TRAIT_NONPRIVATE | WEIRI_TRAIT_VISIBLE,
    };
    const struct weiri_litmus_mnemonic *row = operation->row;
    int order = operation->order != UNSTATED ? operation->order : row->order;
    int scope = operation->scope != UNSTATED ? operation->scope : row->scope;
    bool plain = order == WEIRI_LITMUS_WEAK;
    const char *wrong = find_wrong(operation, order);
    if (wrong != NULL) {
        return weiri_litmus_refuse(&parser->lex, operation->name.place, "%s", wrong);
    }
    to->atomic = !plain && row->shape != WEIRI_LITMUS_SHAPE_BARRIER;
    to->order = plain ? memory_order_relaxed : (memory_order)order;
    to->failure = order == memory_order_acquire || order == memory_order_acq_rel
        ? memory_order_acquire
        : memory_order_relaxed;
    to->scope = scope == UNSTATED ? memory_scope_work_item : (memory_scope)scope;
    to->traits.flags |= forms[operation->form] | operation->makes;
    to->traits.storage = (uint8_t)operation->storage;
    to->traits.semantics = (uint8_t)operation->semantics;
    return true;
}

const struct weiri_litmus_dialect weiri_litmus_vulkan
    = { "VULKAN", mnemonics, words, refusals, levels, complete };
