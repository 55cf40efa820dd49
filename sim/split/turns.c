/* SPDX-License-Identifier: MIT
 *
 * turns.c: see turns.h. An access whose note is lost, or whose address is not the
 * call's result alone, stays as the source has it: relaxed. */
#include "config.h"

#include "split/turns.h"

#include "split/ir.h"
#include "split/metadata.h"

static unsigned note(void)
{
    return weiri_metadata_kind("weiri.turn");
}

/* Notes the atomic accesses at @address; it may have another type there. */
static void note_accesses(struct llvm_value *address)
{
    struct llvm_value *empty = llvm.MetadataAsValue(
        weiri_ir_context(), llvm.MDNodeInContext2(weiri_ir_context(), NULL, 0));
    for (struct llvm_use *use = llvm.GetFirstUse(address); use != NULL;
         use = llvm.GetNextUse(use)) {
        struct llvm_value *user = llvm.GetUser(use);
        switch (llvm.GetInstructionOpcode(user)) {
        case LLVM_BITCAST:
            note_accesses(user);
            break;
        case LLVM_LOAD:
        case LLVM_STORE:
            if (weiri_ir_address(user) == address && !llvm.GetVolatile(user)
                && llvm.GetOrdering(user) == LLVM_MONOTONIC) {
                llvm.SetMetadata(user, note(), empty);
            }
            break;
        default:
            break;
        }
    }
}

void weiri_turns_note(struct llvm_module *module)
{
    struct llvm_value *turn = llvm.GetNamedFunction(module, "weiri_split_turn");
    struct llvm_use *next = turn == NULL ? NULL : llvm.GetFirstUse(turn);
    while (next != NULL) {
        struct llvm_value *call = llvm.GetUser(next);
        next = llvm.GetNextUse(next);
        note_accesses(call);
        llvm.ReplaceAllUsesWith(call, llvm.GetOperand(call, 0));
        llvm.InstructionEraseFromParent(call);
    }
}

static void weaken(struct llvm_value *access, struct llvm_value *tag)
{
    llvm.SetMetadata(access, note(), NULL);
    llvm.SetOrdering(access, LLVM_UNORDERED);
    llvm.SetMetadata(access, weiri_metadata_kind("tbaa"), tag);
}

void weiri_turns_end(struct llvm_module *module)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        struct llvm_value *tag = NULL;
        for (struct llvm_block *block = llvm.GetFirstBasicBlock(f); block != NULL;
             block = llvm.GetNextBasicBlock(block)) {
            for (struct llvm_value *v = llvm.GetFirstInstruction(block); v != NULL;
                 v = llvm.GetNextInstruction(v)) {
                if (llvm.GetMetadata(v, note()) != NULL) {
                    tag = tag != NULL ? tag : weiri_metadata_data_tag(f);
                    weaken(v, tag);
                }
            }
        }
    }
}
