/* SPDX-License-Identifier: MIT
 *
 * metadata.h: the metadata that weir-split adds. */
#ifndef WEIR_SPLIT_METADATA_H
#define WEIR_SPLIT_METADATA_H

#include "split/llvm.h"

unsigned weiri_metadata_kind(const char *name);

/** A group of accesses that equals no other. */
struct llvm_value *weiri_metadata_access_group(void);
/** Whether @group is one of those. */
bool weiri_metadata_is_ours(struct llvm_value *group);
/** The metadata of a loop whose accesses of that group are independent. */
struct llvm_value *weiri_metadata_loop(struct llvm_value *group);

/** The tag of accesses to frames: a frame has a type of its own, so that stores to the
 *  kernel's data do not change it. @function: has accesses of the source */
struct llvm_value *weiri_metadata_frame_tag(struct llvm_value *function);
/** The tag of accesses to data of the kernel whose type is not known. Such an access
 *  may be to anything but a frame. */
struct llvm_value *weiri_metadata_data_tag(struct llvm_value *function);

#endif
