/* SPDX-License-Identifier: MIT
 *
 * turns.h: the accesses of atomic operations that items do in turns.
 *
 * The kernel's source calls weiri_split_turn() for the address of each. They are atomic
 * while it is decided which parts run for all items at once, so that no such part has
 * one. In the end all are done by one thread, item after item: LLVM may then keep other
 * values in registers across them. */
#ifndef WEIR_SPLIT_TURNS_H
#define WEIR_SPLIT_TURNS_H

#include "split/llvm.h"

/** Takes out the calls of weiri_split_turn(), and notes the accesses there. */
void weiri_turns_note(struct llvm_module *module);

/** Takes the order from the accesses that were noted: each stays one access. They are
 *  in no loop whose accesses are declared independent. */
void weiri_turns_end(struct llvm_module *module);

#endif
