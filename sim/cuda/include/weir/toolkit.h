/* SPDX-License-Identifier: MIT
 *
 * weir/toolkit.h: included before a source that takes CUB from a CUDA toolkit, whose
 * <cub/cub.cuh> has an iterator over textures: the names that it needs to be compiled.
 * No texture can be made. */
#ifndef WEIR_CUDA_TOOLKIT_H
#define WEIR_CUDA_TOOLKIT_H

#include <weir/cuda.h>

typedef unsigned long long cudaTextureObject_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType { cudaResourceTypeLinear = 2 };

struct cudaChannelFormatDesc {
    int x, y, z, w;
    int f;
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
    } res;
};

struct cudaTextureDesc {
    enum cudaTextureReadMode readMode;
};

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return { (int)sizeof(T) * 8, 0, 0, 0, 0 };
}

static inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *,
                                                  const cudaResourceDesc *,
                                                  const cudaTextureDesc *, const void *)
{
    return cudaErrorNotSupported;
}

static inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t)
{
    return cudaErrorNotSupported;
}

#endif
