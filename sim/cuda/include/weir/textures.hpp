/* SPDX-License-Identifier: MIT
 *
 * weir/textures.hpp: functions of textures and surfaces, which are not supported: a
 * call does not compile, and says so. */
#ifndef WEIR_CUDA_TEXTURES_HPP
#define WEIR_CUDA_TEXTURES_HPP

#include <host_defines.h>

#define X(name)                                                                        \
    template <class T = int, class... Arguments>                                       \
    __device__ __attribute__((unavailable(                                             \
        "weir: textures and surfaces are not supported: read memory by a pointer"))) T \
    name(Arguments...);
X(tex1D)
X(tex1Dfetch)
X(tex1DLayered)
X(tex1DLod)
X(tex2D)
X(tex2DLayered)
X(tex2DLod)
X(tex2DGrad)
X(tex2Dgather)
X(tex3D)
X(tex3DLod)
X(texCubemap)
X(surf1Dread)
X(surf1Dwrite)
X(surf2Dread)
X(surf2Dwrite)
X(surf3Dread)
X(surf3Dwrite)
#undef X

#endif
