/* SPDX-License-Identifier: MIT
 *
 * weir/textures.hpp: functions of textures and surfaces, which are not supported: a
 * call does not compile, and says so. */
#ifndef WEIR_CUDA_TEXTURES_HPP
#define WEIR_CUDA_TEXTURES_HPP

#include <host_defines.h>

#define X_(name)                                                                       \
    template <class T_ = int, class... Arguments>                                      \
    __device__ __attribute__((unavailable(                                             \
        "weir: textures and surfaces are not supported: read memory by a pointer")))   \
    T_                                                                                 \
    name(Arguments...);
X_(tex1D)
X_(tex1Dfetch)
X_(tex1DLayered)
X_(tex1DLod)
X_(tex2D)
X_(tex2DLayered)
X_(tex2DLod)
X_(tex2DGrad)
X_(tex2Dgather)
X_(tex3D)
X_(tex3DLod)
X_(texCubemap)
X_(surf1Dread)
X_(surf1Dwrite)
X_(surf2Dread)
X_(surf2Dwrite)
X_(surf3Dread)
X_(surf3Dwrite)
#undef X_

#endif
