/* SPDX-License-Identifier: MIT
 *
 * library.c: functions of the machine that nothing in libweir-opencl.so calls, but the
 * objects of kernels do. The linker takes the objects that this table names from
 * libweir.a; all others come with their callers. tests/arch/opencl-library.sh fails if
 * one is missing. */
#include "config.h"

#include "opencl/device/print.h"
#include "opencl/device/texel.h"
#include "weir-kernel.h"
#include "weir-machinery-split.h"

static void *const kernels_call[] __attribute__((used)) = {
    (void *)weiri_barrier,        (void *)weiri_collect,
    (void *)weiri_loop_barrier,   (void *)weiri_running_group,
    (void *)weiri_running_kernel, (void *)weiri_shuffle_source,
    (void *)weiri_move_outside,   (void *)weiri_split_leave,
    (void *)weiri_split_stop,     (void *)weiri_print_text,
    (void *)weiri_texel_sample,   (void *)weiri_space_of,
};
