/* SPDX-License-Identifier: MIT
 *
 * module.h: what an object that weir-nvcc has made tells the runtime about its kernels
 * and variables. weir-cuda-cc lays out these structs: their members are scalars. */
#ifndef WEIR_CUDA_MODULE_H
#define WEIR_CUDA_MODULE_H

#include <stddef.h>
#include <stdint.h>

struct weir_kernel;

/** A parameter of a kernel: its place in the block of arguments. */
struct weiri_cuda_parameter {
    size_t offset, bytes;
};

/**
 * weiri_cuda_kernel:
 * @symbol: the mangled name, as the host's code registers it
 * @kernel: its name is for people: "reduce<256u>"
 * @args_bytes: of the block of arguments, which begins with struct weiri_cuda_head
 * @shared_bytes: of static shared memory
 * @max_threads: of a block, by __launch_bounds__; 0: any
 * @cluster: blocks of a cluster, by __cluster_dims__, x first; 0: the launch says
 */
struct weiri_cuda_kernel {
    const char *symbol;
    const struct weir_kernel *kernel;
    size_t args_bytes;
    size_t n_parameters;
    const struct weiri_cuda_parameter *parameters;
    size_t shared_bytes;
    size_t max_threads;
    size_t cluster[3];
};

/** A variable of the device. @name: as the source has it; @file: of its declaration,
 *  with @line; @managed: %NULL, or where the address of a managed variable is, whose
 *  first value is at @address: %NULL there until the runtime sets it */
struct weiri_cuda_variable {
    const char *symbol;
    void *address;
    size_t bytes;
    const char *name, *file;
    size_t line;
    void **managed;
};

/** @id: of the translation unit, as the host's code registers it. The lists end in a
 *  row of zeros. */
struct weiri_cuda_module {
    const char *id;
    const struct weiri_cuda_kernel *kernels;
    const struct weiri_cuda_variable *variables;
};

/** A constructor of each object calls it. */
void weiri_cuda_add_module(const struct weiri_cuda_module *module);

#endif
