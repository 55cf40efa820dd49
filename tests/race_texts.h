/* SPDX-License-Identifier: MIT
 *
 * race_texts.h: programs of race_program.h that a person judges in one test and that
 * the detector is held to in another, so that both have the same one before them. */
#ifndef WEIR_TESTS_RACE_TEXTS_H
#define WEIR_TESTS_RACE_TEXTS_H

/* Item 0 writes a global word and signals item 1, which signals item 2, which reads it:
 * by flags in local memory and fences of @order, of which that of item 1 is of local
 * memory alone. */
#define HANDED_ON(order)                                                               \
    "groups 1 items 3 sub-groups 1 scopes mutual spaces opencl\n"                      \
    "object a global 8\n"                                                              \
    "object b local 8 of 0\n"                                                          \
    "0.0 write a[0..3]\n"                                                              \
    "0.0 fence " order " work_group both\n"                                            \
    "0.0 store b[0..3] relaxed work_group\n"                                           \
    "0.1 load b[0..3] relaxed work_group\n"                                            \
    "0.1 fence " order " work_group local\n"                                           \
    "0.1 store b[4..7] relaxed work_group\n"                                           \
    "0.2 load b[4..7] relaxed work_group\n"                                            \
    "0.2 fence " order " work_group both\n"                                            \
    "0.2 read a[0..3]\n"

/* The same by one flag, and all that item 1 does is a read-modify-write of it. The
 * first fence reaches that item, of the same sub-group, but not item 2. */
#define HANDED_ON_BY_AN_UPDATE                                                         \
    "groups 1 items 4 sub-groups 2 scopes mutual spaces opencl\n"                      \
    "object a global 8\n"                                                              \
    "object b local 8 of 0\n"                                                          \
    "0.0 write a[0..3]\n"                                                              \
    "0.0 fence seq_cst sub_group both\n"                                               \
    "0.0 store b[0..3] relaxed work_group\n"                                           \
    "0.1 fetch_add b[0..3] seq_cst work_group\n"                                       \
    "0.2 load b[0..3] relaxed work_group\n"                                            \
    "0.2 fence seq_cst work_group both\n"                                              \
    "0.2 read a[0..3]\n"

#endif
