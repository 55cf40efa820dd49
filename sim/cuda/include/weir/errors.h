/* SPDX-License-Identifier: MIT
 *
 * errors.h: the errors of CUDA's runtime: X(name, number, text). */
#ifndef WEIR_CUDA_ERRORS_H
#define WEIR_CUDA_ERRORS_H

#define WEIRI_CUDA_ERRORS(X)                                                           \
    X(cudaSuccess, 0, "no error")                                                      \
    X(cudaErrorInvalidValue, 1, "an argument is out of its range")                     \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                   \
    X(cudaErrorInitializationError, 3, "the device could not be initialised")          \
    X(cudaErrorCudartUnloading, 4, "the process ends, and the device is gone")         \
    X(cudaErrorProfilerDisabled, 5, "the profiler is not active")                      \
    X(cudaErrorProfilerNotInitialized, 6, "the profiler was not initialised")          \
    X(cudaErrorProfilerAlreadyStarted, 7, "the profiler runs already")                 \
    X(cudaErrorProfilerAlreadyStopped, 8, "the profiler does not run")                 \
    X(cudaErrorInvalidConfiguration, 9,                                                \
      "the launch has a configuration that the device does not have")                  \
    X(cudaErrorInvalidPitchValue, 12, "a pitch is too large")                          \
    X(cudaErrorInvalidSymbol, 13, "the symbol is not a variable of the device")        \
    X(cudaErrorInvalidHostPointer, 16, "a pointer is not one to memory of the host")   \
    X(cudaErrorInvalidDevicePointer, 17,                                               \
      "a pointer is not one to memory of the device")                                  \
    X(cudaErrorInvalidTexture, 18, "the texture is not valid")                         \
    X(cudaErrorInvalidTextureBinding, 19, "the texture is not bound")                  \
    X(cudaErrorInvalidChannelDescriptor, 20, "the channel descriptor is not valid")    \
    X(cudaErrorInvalidMemcpyDirection, 21,                                             \
      "the direction of a copy is not one of cudaMemcpyKind")                          \
    X(cudaErrorAddressOfConstant, 22, "the address of a constant was taken")           \
    X(cudaErrorTextureFetchFailed, 23, "a texture could not be fetched")               \
    X(cudaErrorTextureNotBound, 24, "the texture is not bound")                        \
    X(cudaErrorSynchronizationError, 25, "a synchronisation failed")                   \
    X(cudaErrorInvalidFilterSetting, 26, "the filter is not valid")                    \
    X(cudaErrorInvalidNormSetting, 27, "the read mode is not valid")                   \
    X(cudaErrorMixedDeviceExecution, 28, "code of device and of emulation were mixed") \
    X(cudaErrorNotYetImplemented, 31, "the function is not implemented")               \
    X(cudaErrorMemoryValueTooLarge, 32, "an address does not fit")                     \
    X(cudaErrorStubLibrary, 34, "the library is a stub")                               \
    X(cudaErrorInsufficientDriver, 35, "the driver is too old")                        \
    X(cudaErrorCallRequiresNewerDriver, 36, "the call needs a newer driver")           \
    X(cudaErrorInvalidSurface, 37, "the surface is not valid")                         \
    X(cudaErrorDuplicateVariableName, 43, "two variables have one name")               \
    X(cudaErrorDuplicateTextureName, 44, "two textures have one name")                 \
    X(cudaErrorDuplicateSurfaceName, 45, "two surfaces have one name")                 \
    X(cudaErrorDevicesUnavailable, 46, "all devices are busy")                         \
    X(cudaErrorIncompatibleDriverContext, 49,                                          \
      "the current context is not the runtime's")                                      \
    X(cudaErrorMissingConfiguration, 52,                                               \
      "a kernel was called without a configuration")                                   \
    X(cudaErrorPriorLaunchFailure, 53, "an earlier launch failed")                     \
    X(cudaErrorLaunchMaxDepthExceeded, 65, "launches are nested too deep")             \
    X(cudaErrorLaunchFileScopedTex, 66, "a nested launch uses a texture of the file")  \
    X(cudaErrorLaunchFileScopedSurf, 67, "a nested launch uses a surface of the file") \
    X(cudaErrorSyncDepthExceeded, 68, "synchronisation is nested too deep")            \
    X(cudaErrorLaunchPendingCountExceeded, 69, "too many launches are pending")        \
    X(cudaErrorInvalidDeviceFunction, 98,                                              \
      "the function is not a kernel of this program")                                  \
    X(cudaErrorNoDevice, 100, "no device was found")                                   \
    X(cudaErrorInvalidDevice, 101, "the device does not exist")                        \
    X(cudaErrorDeviceNotLicensed, 102, "the device has no licence")                    \
    X(cudaErrorSoftwareValidityNotEstablished, 103,                                    \
      "the software could not be validated")                                           \
    X(cudaErrorStartupFailure, 127, "the runtime did not start")                       \
    X(cudaErrorInvalidKernelImage, 200, "the image of the kernels is not valid")       \
    X(cudaErrorDeviceUninitialized, 201, "the device has no context")                  \
    X(cudaErrorMapBufferObjectFailed, 205, "a buffer could not be mapped")             \
    X(cudaErrorUnmapBufferObjectFailed, 206, "a buffer could not be unmapped")         \
    X(cudaErrorArrayIsMapped, 207, "the array is mapped")                              \
    X(cudaErrorAlreadyMapped, 208, "the resource is mapped already")                   \
    X(cudaErrorNoKernelImageForDevice, 209, "the program has no code for the device")  \
    X(cudaErrorAlreadyAcquired, 210, "the resource was acquired already")              \
    X(cudaErrorNotMapped, 211, "the resource is not mapped")                           \
    X(cudaErrorNotMappedAsArray, 212, "the resource is not mapped as an array")        \
    X(cudaErrorNotMappedAsPointer, 213, "the resource is not mapped as a pointer")     \
    X(cudaErrorECCUncorrectable, 214, "memory has an error that cannot be corrected")  \
    X(cudaErrorUnsupportedLimit, 215, "the device does not have this limit")           \
    X(cudaErrorDeviceAlreadyInUse, 216, "the device is used by another thread")        \
    X(cudaErrorPeerAccessUnsupported, 217, "the two devices cannot access each other") \
    X(cudaErrorInvalidPtx, 218, "the PTX is not valid")                                \
    X(cudaErrorInvalidGraphicsContext, 219, "the graphics context is not valid")       \
    X(cudaErrorNvlinkUncorrectable, 220,                                               \
      "a link has an error that cannot be corrected")                                  \
    X(cudaErrorJitCompilerNotFound, 221, "the compiler for PTX was not found")         \
    X(cudaErrorUnsupportedPtxVersion, 222, "the version of the PTX is not supported")  \
    X(cudaErrorJitCompilationDisabled, 223, "compilation at run time is disabled")     \
    X(cudaErrorUnsupportedExecAffinity, 224, "the affinity is not supported")          \
    X(cudaErrorUnsupportedDevSideSync, 225,                                            \
      "synchronisation in device code is not supported")                               \
    X(cudaErrorInvalidSource, 300, "the source of the kernels is not valid")           \
    X(cudaErrorFileNotFound, 301, "the file was not found")                            \
    X(cudaErrorSharedObjectSymbolNotFound, 302,                                        \
      "a symbol of a shared object was not found")                                     \
    X(cudaErrorSharedObjectInitFailed, 303,                                            \
      "a shared object could not be initialised")                                      \
    X(cudaErrorOperatingSystem, 304, "a call of the operating system failed")          \
    X(cudaErrorInvalidResourceHandle, 400,                                             \
      "the handle is not one of a stream, an event or a function that exists")         \
    X(cudaErrorIllegalState, 401, "a resource is in the wrong state")                  \
    X(cudaErrorLossyQuery, 402, "the query would lose information")                    \
    X(cudaErrorSymbolNotFound, 500, "the name was not found")                          \
    X(cudaErrorNotReady, 600, "the work has not ended")                                \
    X(cudaErrorIllegalAddress, 700, "a kernel accessed memory where it may not")       \
    X(cudaErrorLaunchOutOfResources, 701,                                              \
      "the launch needs more resources than the device has")                           \
    X(cudaErrorLaunchTimeout, 702, "a kernel did not end")                             \
    X(cudaErrorLaunchIncompatibleTexturing, 703,                                       \
      "the texture mode of the kernel differs")                                        \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "access to the peer is enabled already") \
    X(cudaErrorPeerAccessNotEnabled, 705, "access to the peer is not enabled")         \
    X(cudaErrorSetOnActiveProcess, 708, "the device is in use already")                \
    X(cudaErrorContextIsDestroyed, 709, "the context is destroyed")                    \
    X(cudaErrorAssert, 710, "an assertion of a kernel failed")                         \
    X(cudaErrorTooManyPeers, 711, "the device has too many peers")                     \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, "the memory is registered already")   \
    X(cudaErrorHostMemoryNotRegistered, 713, "the memory is not registered")           \
    X(cudaErrorHardwareStackError, 714, "a thread used up its stack")                  \
    X(cudaErrorIllegalInstruction, 715, "a kernel reached a trap")                     \
    X(cudaErrorMisalignedAddress, 716,                                                 \
      "a kernel accessed an address that is not aligned")                              \
    X(cudaErrorInvalidAddressSpace, 717,                                               \
      "a kernel accessed memory in the wrong space")                                   \
    X(cudaErrorInvalidPc, 718, "the program counter of a kernel left its code")        \
    X(cudaErrorLaunchFailure, 719, "a kernel failed")                                  \
    X(cudaErrorCooperativeLaunchTooLarge, 720,                                         \
      "the blocks of a cooperative launch do not fit on the device together")          \
    X(cudaErrorNotPermitted, 800, "the call is not permitted here")                    \
    X(cudaErrorNotSupported, 801, "the device does not support the call")              \
    X(cudaErrorSystemNotReady, 802, "the system is not ready")                         \
    X(cudaErrorSystemDriverMismatch, 803, "driver and system do not fit")              \
    X(cudaErrorCompatNotSupportedOnDevice, 804,                                        \
      "the device does not support forward compatibility")                             \
    X(cudaErrorMpsConnectionFailed, 805, "MPS: no connection to the server")           \
    X(cudaErrorMpsRpcFailure, 806, "MPS: a call of the server failed")                 \
    X(cudaErrorMpsServerNotReady, 807, "MPS: the server is not ready")                 \
    X(cudaErrorMpsMaxClientsReached, 808, "MPS: too many clients")                     \
    X(cudaErrorMpsMaxConnectionsReached, 809, "MPS: too many connections")             \
    X(cudaErrorMpsClientTerminated, 810, "MPS: the client was ended")                  \
    X(cudaErrorCdpNotSupported, 811,                                                   \
      "the program has launches in device code, which are not supported")              \
    X(cudaErrorCdpVersionMismatch, 812, "launches in device code have two versions")   \
    X(cudaErrorStreamCaptureUnsupported, 900,                                          \
      "the call is not allowed while a stream is captured")                            \
    X(cudaErrorStreamCaptureInvalidated, 901, "the capture was invalidated")           \
    X(cudaErrorStreamCaptureMerge, 902, "two captures would be joined")                \
    X(cudaErrorStreamCaptureUnmatched, 903, "the capture began in another stream")     \
    X(cudaErrorStreamCaptureUnjoined, 904, "a stream was not joined to the capture")   \
    X(cudaErrorStreamCaptureIsolation, 905,                                            \
      "the capture would wait for work outside of it")                                 \
    X(cudaErrorStreamCaptureImplicit, 906,                                             \
      "the legacy stream would wait for a captured one")                               \
    X(cudaErrorCapturedEvent, 907, "the event was recorded in a capture")              \
    X(cudaErrorStreamCaptureWrongThread, 908, "the capture began in another thread")   \
    X(cudaErrorTimeout, 909, "the wait took too long")                                 \
    X(cudaErrorGraphExecUpdateFailure, 910, "the graph cannot be updated so")          \
    X(cudaErrorExternalDevice, 911, "an external device failed")                       \
    X(cudaErrorInvalidClusterSize, 912, "the size of the cluster is not valid")        \
    X(cudaErrorFunctionNotLoaded, 913, "the function is not loaded")                   \
    X(cudaErrorInvalidResourceType, 914, "the resource has the wrong type")            \
    X(cudaErrorInvalidResourceConfiguration, 915,                                      \
      "the resource is configured wrongly")                                            \
    X(cudaErrorUnknown, 999, "unknown error")

#endif
