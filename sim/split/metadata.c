/* SPDX-License-Identifier: MIT
 *
 * metadata.c: see metadata.h. LLVM trusts metadata: a tag of a type says that accesses
 * to two types never meet, and a group says that a loop's iterations are independent.
 * So a group is a node that equals no other, kept in a list, and a tag hangs below the
 * root of the source's own tags, because types under different roots are assumed to
 * meet. */
#include "config.h"

#include "split/metadata.h"

#include "split/ir.h"

#include <string.h>

unsigned weiri_metadata_kind(const char *name)
{
    return llvm.GetMDKindIDInContext(weiri_ir_context(), name, (unsigned)strlen(name));
}

/* Groups that weiri_metadata_access_group() has made. */
static GPtrArray *groups;

static struct llvm_metadata *string(const char *text)
{
    return llvm.MDStringInContext2(weiri_ir_context(), text, strlen(text));
}

static struct llvm_metadata *node(struct llvm_metadata **of, size_t n)
{
    return llvm.MDNodeInContext2(weiri_ir_context(), of, n);
}

static struct llvm_value *as_value(struct llvm_metadata *metadata)
{
    return llvm.MetadataAsValue(weiri_ir_context(), metadata);
}

/* A node that equals no other has a name for itself in LLVM's text alone: the C API
 * makes none without operands. So an empty module that has one is read. */
struct llvm_value *weiri_metadata_access_group(void)
{
    static const char text[] = "!weiri.group = !{!0}\n!0 = distinct !{}\n";
    struct llvm_module *module;
    char *message = NULL;
    struct llvm_buffer *buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(
        text, sizeof(text) - 1, "group"); /* which owns a terminator, too */
    if (llvm.ParseIRInContext(weiri_ir_context(), buffer, &module, &message) != 0) {
        g_error("LLVM does not read its own text: %s", message);
    }
    struct llvm_value *group;
    llvm.GetNamedMetadataOperands(module, "weiri.group", &group);
    llvm.DisposeModule(module);
    if (groups == NULL) {
        groups = g_ptr_array_new();
    }
    g_ptr_array_add(groups, llvm.ValueAsMetadata(group));
    return group;
}

bool weiri_metadata_is_ours(struct llvm_value *group)
{
    struct llvm_metadata *metadata = llvm.ValueAsMetadata(group);
    return groups != NULL && g_ptr_array_find(groups, metadata, NULL);
}

/* !{ itself, !{ "llvm.loop.parallel_accesses", group } } */
struct llvm_value *weiri_metadata_loop(struct llvm_value *group)
{
    struct llvm_metadata *accesses[]
        = { string("llvm.loop.parallel_accesses"), llvm.ValueAsMetadata(group) };
    struct llvm_metadata *self = llvm.TemporaryMDNode(weiri_ir_context(), NULL, 0);
    struct llvm_metadata *both[] = { self, node(accesses, 2) };
    struct llvm_metadata *loop = node(both, 2);
    struct llvm_value *value = as_value(loop);
    llvm.MetadataReplaceAllUsesWith(self, loop);
    return value;
}

/* The root of the types of an access: only types with the same root are known to
 * differ. A tag has the type second, and a type its parent, up to the root, which has
 * none. */
static struct llvm_value *root_of(struct llvm_value *tag)
{
    struct llvm_value *operands[4], *at = tag;
    for (;;) {
        unsigned n = llvm.GetMDNodeNumOperands(at);
        if (n < 2 || n > G_N_ELEMENTS(operands)) {
            return n == 1 ? at : NULL;
        }
        llvm.GetMDNodeOperands(at, operands);
        if (operands[1] == NULL || llvm.IsAMDNode(operands[1]) == NULL) {
            return NULL;
        }
        at = operands[1];
    }
}

/* The tag of accesses to a type of that name, among the tags of the source. */
static struct llvm_value *tag_of(const char *type_name, struct llvm_value *function)
{
    unsigned tbaa = weiri_metadata_kind("tbaa");
    struct llvm_value *root = NULL;
    for (struct llvm_block *block = llvm.GetFirstBasicBlock(function);
         block != NULL && root == NULL; block = llvm.GetNextBasicBlock(block)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(block);
             v != NULL && root == NULL; v = llvm.GetNextInstruction(v)) {
            struct llvm_value *tag = llvm.GetMetadata(v, tbaa);
            root = tag == NULL ? NULL : root_of(tag);
        }
    }
    struct llvm_metadata *name = string("Simple C/C++ TBAA");
    struct llvm_metadata *zero = llvm.ValueAsMetadata(weiri_ir_constant(64, 0));
    struct llvm_metadata *described[]
        = { string(type_name),
            root == NULL ? node(&name, 1) : llvm.ValueAsMetadata(root), zero };
    struct llvm_metadata *type = node(described, 3);
    struct llvm_metadata *tag[] = { type, type, zero };
    return as_value(node(tag, 3));
}

struct llvm_value *weiri_metadata_frame_tag(struct llvm_value *function)
{
    return tag_of("weiri frame", function);
}

/* The name is clang's, for the type that contains all others. */
struct llvm_value *weiri_metadata_data_tag(struct llvm_value *function)
{
    return tag_of("omnipotent char", function);
}
