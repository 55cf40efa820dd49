/* SPDX-License-Identifier: MIT
 *
 * contend-machine.h: the means by which contend-run.c launches kernels: contend-weir.c
 * has those in C, contend-opencl.c those in OpenCL C, and contend-sycl.h, which is C++,
 * those in SYCL. */
#ifndef FUZZ_CONTEND_MACHINE_H
#define FUZZ_CONTEND_MACHINE_H

#include "contend.h"

enum {
    C_PART_OUT,
    C_PART_LOG,
    C_PART_BAG,
    C_PART_LIST,
    C_PART_CI,
    C_PART_CU,
    C_PART_CL,
    C_PART_CF,
    C_PARTS
};

/* The targets of a kernel's pointer arguments, after `in`; in the order of struct
 * contend_args. */
struct contend_part {
    const char *name;
    size_t n, element; /* elements, and bytes of one */
    void *memory;
};

static inline struct contend_args contend_args_of(const uint32_t *in,
                                                  const struct contend_part *parts)
{
    return (struct contend_args){
        in,
        (int64_t *)parts[C_PART_OUT].memory,
        (int64_t *)parts[C_PART_LOG].memory,
        (int64_t *)parts[C_PART_BAG].memory,
        (int64_t *)parts[C_PART_LIST].memory,
        (int32_t *)parts[C_PART_CI].memory,
        (uint32_t *)parts[C_PART_CU].memory,
        (int64_t *)parts[C_PART_CL].memory,
        (float *)parts[C_PART_CF].memory,
    };
}

/* Called once. @source: the file of the kernels, or NULL. Ends the program where there
 * is not a machine. */
void contend_open(const char *source);

bool contend_is_stackless(const struct contend_case *c);

/* Runs the kernel on @parts, which has the result then. Returns: whether there is no
 * finding. Ends the program where the launch fails. */
bool contend_launch(const struct contend_case *c, const struct contend_shape *shape,
                    bool stackful, const uint32_t *in, struct contend_part *parts);

enum contend_answer { CONTEND_ALLOWED, CONTEND_WRONG, CONTEND_NOT_EXPLORED };

/* Launches the kernel in fast mode, with stacks and without, and with one and two
 * workers, so often: is the result a final state of an exploration? Only of machines
 * that can explore. */
enum contend_answer contend_explore(const struct contend_case *c,
                                    const struct contend_shape *shape,
                                    const uint32_t *in, struct contend_part *parts,
                                    unsigned runs) __attribute__((weak));

#endif
