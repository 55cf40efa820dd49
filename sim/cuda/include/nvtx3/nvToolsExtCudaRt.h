/* SPDX-License-Identifier: MIT
 *
 * nvToolsExtCudaRt.h: see nvtx3/nvToolsExt.h. */
#include <nvtx3/nvToolsExt.h>
