/* SPDX-License-Identifier: MIT
 *
 * hipcub/hipcub.hpp: the functions of hipCUB for blocks and warps: those of CUB. */
#ifndef WEIR_HIPCUB_HPP
#define WEIR_HIPCUB_HPP

#include <cub/cub.cuh>

namespace hipcub = cub;

#endif
