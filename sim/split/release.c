/* SPDX-License-Identifier: MIT
 *
 * release.c: see release.h. Only loops that the compiler still knows as loops of plain
 * parts count, each with its own blocks: nothing was proved of other loads and
 * stores. */
#include "config.h"

#include "split/release.h"

#include "split/ir.h"
#include "split/mark.h"
#include "split/metadata.h"

#include <string.h>

/* Returns: the node of the loop that ends with this branch whose first operand is
 * @property, or NULL */
static struct llvm_value *property_of(struct llvm_value *branch, const char *property)
{
    struct llvm_value *loop
        = llvm.GetMetadata(branch, weiri_metadata_kind("llvm.loop"));
    unsigned n = loop == NULL ? 0 : llvm.GetMDNodeNumOperands(loop);
    g_autofree struct llvm_value **of = g_new0(struct llvm_value *, n + 1);
    if (n > 0) {
        llvm.GetMDNodeOperands(loop, of);
    }
    for (unsigned i = 1; i < n; i++) { /* the first one is the node itself */
        struct llvm_value *words[2];
        unsigned length;
        if (of[i] == NULL || llvm.IsAMDNode(of[i]) == NULL
            || llvm.GetMDNodeNumOperands(of[i]) != 2) {
            continue;
        }
        llvm.GetMDNodeOperands(of[i], words);
        const char *name = words[0] == NULL || llvm.IsAMDString(words[0]) == NULL
            ? NULL
            : llvm.GetMDString(words[0], &length);
        if (name != NULL && length == strlen(property)
            && memcmp(name, property, length) == 0) {
            return words[1];
        }
    }
    return NULL;
}

static struct llvm_value *group_of(struct llvm_value *branch)
{
    struct llvm_value *group = property_of(branch, "llvm.loop.parallel_accesses");
    return group != NULL && weiri_metadata_is_ours(group) ? group : NULL;
}

/* Adds the blocks that may run after @b without a visit of @without. */
static void reach(const struct weiri_ir *ir, bool *met, uint32_t b, uint32_t without)
{
    if (b == without || met[b]) {
        return;
    }
    met[b] = true;
    for (uint32_t k = 0; k < ir->blocks[b].n_next; k++) {
        reach(ir, met, ir->blocks[b].next[k], without);
    }
}

static void collect(const struct weiri_ir *ir, bool *in, uint32_t b, uint32_t h)
{
    in[b] = true;
    for (uint32_t k = 0; b != h && k < ir->blocks[b].n_before; k++) {
        if (!in[ir->blocks[b].before[k]]) {
            collect(ir, in, ir->blocks[b].before[k], h);
        }
    }
}

/* Returns: the blocks of the loop that block @b ends, or NULL. No way leads to the end
 * of a loop but through its header. */
static bool *blocks_of(const struct weiri_ir *ir, uint32_t b)
{
    for (uint32_t k = 0; k < ir->blocks[b].n_next; k++) {
        uint32_t h = ir->blocks[b].next[k];
        g_autofree bool *met = g_new0(bool, ir->n_blocks);
        reach(ir, met, 0, h);
        if (!met[b]) {
            bool *in = g_new0(bool, ir->n_blocks);
            collect(ir, in, b, h);
            return in;
        }
    }
    return NULL;
}

static void release_loop(const struct weiri_ir *ir, const bool *in,
                         struct llvm_value *group)
{
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        enum weiri_ir_kind kind = weiri_ir_kind(ir->value[i]);
        if (in[ir->block_of[i]] && (kind == WEIRI_IR_LOAD || kind == WEIRI_IR_STORE)) {
            llvm.SetMetadata(ir->value[i], weiri_metadata_kind("llvm.access.group"),
                             group);
        }
    }
}

/* Whether the function has a loop of ours. */
static bool has_loops(struct llvm_value *function)
{
    for (struct llvm_block *block = llvm.GetFirstBasicBlock(function); block != NULL;
         block = llvm.GetNextBasicBlock(block)) {
        if (llvm.GetMetadata(llvm.GetBasicBlockTerminator(block),
                             weiri_metadata_kind("llvm.loop"))
            != NULL) {
            return true;
        }
    }
    return false;
}

void weiri_release(struct llvm_module *module)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (llvm.IsDeclaration(f) || !has_loops(f)) {
            continue;
        }
        struct weiri_ir *ir = weiri_ir_new(f, weiri_mark_resumed());
        for (uint32_t b = 0; b < ir->n_blocks; b++) {
            struct llvm_value *group
                = group_of(llvm.GetBasicBlockTerminator(ir->blocks[b].ref));
            g_autofree bool *in = group == NULL ? NULL : blocks_of(ir, b);
            if (in != NULL) {
                release_loop(ir, in, group);
            }
        }
        weiri_ir_free(ir);
    }
}

/* ---- For reports ---------------------------------------------------------- */

static bool has_vectors(const struct weiri_ir *ir, const bool *in)
{
    for (uint32_t i = ir->n_params; i < ir->n_values; i++) {
        struct llvm_value *value = ir->value[i];
        int opcode = llvm.GetInstructionOpcode(value);
        if (in[ir->block_of[i]] && (opcode == LLVM_STORE || opcode == LLVM_LOAD)) {
            int kind = llvm.GetTypeKind(weiri_ir_accessed(value));
            if (kind == LLVM_VECTOR || kind == LLVM_SCALABLE_VECTOR) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t count_vector_loops(struct llvm_value *function)
{
    struct weiri_ir *ir = weiri_ir_new(function, weiri_mark_resumed());
    uint32_t n = 0;
    for (uint32_t b = 0; b < ir->n_blocks; b++) {
        struct llvm_value *last = llvm.GetBasicBlockTerminator(ir->blocks[b].ref);
        if (property_of(last, "llvm.loop.isvectorized") != NULL) {
            g_autofree bool *in = blocks_of(ir, b);
            n += in != NULL && has_vectors(ir, in);
        }
    }
    weiri_ir_free(ir);
    return n;
}

void weiri_release_count(struct llvm_module *module, GPtrArray *kernels)
{
    for (guint i = 0; i < kernels->len; i++) {
        struct weiri_kernel *kernel = g_ptr_array_index(kernels, i);
        for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
             f = llvm.GetNextFunction(f)) {
            size_t length;
            if (!llvm.IsDeclaration(f)
                && weiri_kernel_has(kernel, llvm.GetValueName2(f, &length),
                                    "split_together")) {
                /* its forms for several instruction sets have as many loops each */
                kernel->n_vector_loops
                    = MAX(kernel->n_vector_loops, count_vector_loops(f));
            }
        }
    }
}
