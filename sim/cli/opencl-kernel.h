/* SPDX-License-Identifier: MIT
 *
 * opencl-kernel.h: kernels of OpenCL on the command line, FILE.cl:KERNEL.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_OPENCL_KERNEL_H
#define WEIRI_CLI_OPENCL_KERNEL_H

#include <stdbool.h>

/**
 * weiri_cli_opencl_kernel:
 * @command: "check"
 * @argc: and @argv: of the command; (inout): with a kernel of OpenCL they become the
 *        line that runs weir-opencl as a program; borrowed until the process ends
 * @status: (out): set where the command ends here
 *
 * Builds the kernel and reads its arguments once, so that what is wrong with them is
 * said before the first run.
 *
 * Returns: whether to go on
 */
bool weiri_cli_opencl_kernel(const char *command, int *argc, char ***argv, int *status);

/** `weir list --opencl`: prints what compiles kernels of OpenCL, and what they may use.
 *  Returns: the command's status */
int weiri_cli_opencl_about(bool json);

/** Whether a program is weir-opencl: then what follows its first word is what a user
 *  types. */
bool weiri_cli_is_opencl(char *const *program);

#endif
