/* SPDX-License-Identifier: MIT
 *
 * errors.h: the errors of CUDA's runtime: X(name, number, text). */
#ifndef WEIR_CUDA_ERRORS_H
#define WEIR_CUDA_ERRORS_H

#define WEIRI_CUDA_ERRORS(X_)                                                          \
    X_(cudaSuccess, 0, "no error")                                                     \
    X_(cudaErrorInvalidValue, 1, "an argument is out of its range")                    \
    X_(cudaErrorMemoryAllocation, 2, "out of memory")                                  \
    X_(cudaErrorInitializationError, 3, "the device could not be initialised")         \
    X_(cudaErrorCudartUnloading, 4, "the process ends, and the device is gone")        \
    X_(cudaErrorProfilerDisabled, 5, "the profiler is not active")                     \
    X_(cudaErrorProfilerNotInitialized, 6, "the profiler was not initialised")         \
    X_(cudaErrorProfilerAlreadyStarted, 7, "the profiler runs already")                \
    X_(cudaErrorProfilerAlreadyStopped, 8, "the profiler does not run")                \
    X_(cudaErrorInvalidConfiguration, 9,                                               \
       "the launch has a configuration that the device does not have")                 \
    X_(cudaErrorInvalidPitchValue, 12, "a pitch is too large")                         \
    X_(cudaErrorInvalidSymbol, 13, "the symbol is not a variable of the device")       \
    X_(cudaErrorInvalidHostPointer, 16, "a pointer is not one to memory of the host")  \
    X_(cudaErrorInvalidDevicePointer, 17,                                              \
       "a pointer is not one to memory of the device")                                 \
    X_(cudaErrorInvalidTexture, 18, "the texture is not valid")                        \
    X_(cudaErrorInvalidTextureBinding, 19, "the texture is not bound")                 \
    X_(cudaErrorInvalidChannelDescriptor, 20, "the channel descriptor is not valid")   \
    X_(cudaErrorInvalidMemcpyDirection, 21,                                            \
       "the direction of a copy is not one of cudaMemcpyKind")                         \
    X_(cudaErrorAddressOfConstant, 22, "the address of a constant was taken")          \
    X_(cudaErrorTextureFetchFailed, 23, "a texture could not be fetched")              \
    X_(cudaErrorTextureNotBound, 24, "the texture is not bound")                       \
    X_(cudaErrorSynchronizationError, 25, "a synchronisation failed")                  \
    X_(cudaErrorInvalidFilterSetting, 26, "the filter is not valid")                   \
    X_(cudaErrorInvalidNormSetting, 27, "the read mode is not valid")                  \
    X_(cudaErrorMixedDeviceExecution, 28,                                              \
       "code of device and of emulation were mixed")                                   \
    X_(cudaErrorNotYetImplemented, 31, "the function is not implemented")              \
    X_(cudaErrorMemoryValueTooLarge, 32, "an address does not fit")                    \
    X_(cudaErrorStubLibrary, 34, "the library is a stub")                              \
    X_(cudaErrorInsufficientDriver, 35, "the driver is too old")                       \
    X_(cudaErrorCallRequiresNewerDriver, 36, "the call needs a newer driver")          \
    X_(cudaErrorInvalidSurface, 37, "the surface is not valid")                        \
    X_(cudaErrorDuplicateVariableName, 43, "two variables have one name")              \
    X_(cudaErrorDuplicateTextureName, 44, "two textures have one name")                \
    X_(cudaErrorDuplicateSurfaceName, 45, "two surfaces have one name")                \
    X_(cudaErrorDevicesUnavailable, 46, "all devices are busy")                        \
    X_(cudaErrorIncompatibleDriverContext, 49,                                         \
       "the current context is not the runtime's")                                     \
    X_(cudaErrorMissingConfiguration, 52,                                              \
       "a kernel was called without a configuration")                                  \
    X_(cudaErrorPriorLaunchFailure, 53, "an earlier launch failed")                    \
    X_(cudaErrorLaunchMaxDepthExceeded, 65, "launches are nested too deep")            \
    X_(cudaErrorLaunchFileScopedTex, 66, "a nested launch uses a texture of the file") \
    X_(cudaErrorLaunchFileScopedSurf, 67,                                              \
       "a nested launch uses a surface of the file")                                   \
    X_(cudaErrorSyncDepthExceeded, 68, "synchronisation is nested too deep")           \
    X_(cudaErrorLaunchPendingCountExceeded, 69, "too many launches are pending")       \
    X_(cudaErrorInvalidDeviceFunction, 98,                                             \
       "the function is not a kernel of this program")                                 \
    X_(cudaErrorNoDevice, 100, "no device was found")                                  \
    X_(cudaErrorInvalidDevice, 101, "the device does not exist")                       \
    X_(cudaErrorDeviceNotLicensed, 102, "the device has no licence")                   \
    X_(cudaErrorSoftwareValidityNotEstablished, 103,                                   \
       "the software could not be validated")                                          \
    X_(cudaErrorStartupFailure, 127, "the runtime did not start")                      \
    X_(cudaErrorInvalidKernelImage, 200, "the image of the kernels is not valid")      \
    X_(cudaErrorDeviceUninitialized, 201, "the device has no context")                 \
    X_(cudaErrorMapBufferObjectFailed, 205, "a buffer could not be mapped")            \
    X_(cudaErrorUnmapBufferObjectFailed, 206, "a buffer could not be unmapped")        \
    X_(cudaErrorArrayIsMapped, 207, "the array is mapped")                             \
    X_(cudaErrorAlreadyMapped, 208, "the resource is mapped already")                  \
    X_(cudaErrorNoKernelImageForDevice, 209, "the program has no code for the device") \
    X_(cudaErrorAlreadyAcquired, 210, "the resource was acquired already")             \
    X_(cudaErrorNotMapped, 211, "the resource is not mapped")                          \
    X_(cudaErrorNotMappedAsArray, 212, "the resource is not mapped as an array")       \
    X_(cudaErrorNotMappedAsPointer, 213, "the resource is not mapped as a pointer")    \
    X_(cudaErrorECCUncorrectable, 214, "memory has an error that cannot be corrected") \
    X_(cudaErrorUnsupportedLimit, 215, "the device does not have this limit")          \
    X_(cudaErrorDeviceAlreadyInUse, 216, "the device is used by another thread")       \
    X_(cudaErrorPeerAccessUnsupported, 217,                                            \
       "the two devices cannot access each other")                                     \
    X_(cudaErrorInvalidPtx, 218, "the PTX is not valid")                               \
    X_(cudaErrorInvalidGraphicsContext, 219, "the graphics context is not valid")      \
    X_(cudaErrorNvlinkUncorrectable, 220,                                              \
       "a link has an error that cannot be corrected")                                 \
    X_(cudaErrorJitCompilerNotFound, 221, "the compiler for PTX was not found")        \
    X_(cudaErrorUnsupportedPtxVersion, 222, "the version of the PTX is not supported") \
    X_(cudaErrorJitCompilationDisabled, 223, "compilation at run time is disabled")    \
    X_(cudaErrorUnsupportedExecAffinity, 224, "the affinity is not supported")         \
    X_(cudaErrorUnsupportedDevSideSync, 225,                                           \
       "synchronisation in device code is not supported")                              \
    X_(cudaErrorInvalidSource, 300, "the source of the kernels is not valid")          \
    X_(cudaErrorFileNotFound, 301, "the file was not found")                           \
    X_(cudaErrorSharedObjectSymbolNotFound, 302,                                       \
       "a symbol of a shared object was not found")                                    \
    X_(cudaErrorSharedObjectInitFailed, 303,                                           \
       "a shared object could not be initialised")                                     \
    X_(cudaErrorOperatingSystem, 304, "a call of the operating system failed")         \
    X_(cudaErrorInvalidResourceHandle, 400,                                            \
       "the handle is not one of a stream, an event or a function that exists")        \
    X_(cudaErrorIllegalState, 401, "a resource is in the wrong state")                 \
    X_(cudaErrorLossyQuery, 402, "the query would lose information")                   \
    X_(cudaErrorSymbolNotFound, 500, "the name was not found")                         \
    X_(cudaErrorNotReady, 600, "the work has not ended")                               \
    X_(cudaErrorIllegalAddress, 700, "a kernel accessed memory where it may not")      \
    X_(cudaErrorLaunchOutOfResources, 701,                                             \
       "the launch needs more resources than the device has")                          \
    X_(cudaErrorLaunchTimeout, 702, "a kernel did not end")                            \
    X_(cudaErrorLaunchIncompatibleTexturing, 703,                                      \
       "the texture mode of the kernel differs")                                       \
    X_(cudaErrorPeerAccessAlreadyEnabled, 704,                                         \
       "access to the peer is enabled already")                                        \
    X_(cudaErrorPeerAccessNotEnabled, 705, "access to the peer is not enabled")        \
    X_(cudaErrorSetOnActiveProcess, 708, "the device is in use already")               \
    X_(cudaErrorContextIsDestroyed, 709, "the context is destroyed")                   \
    X_(cudaErrorAssert, 710, "an assertion of a kernel failed")                        \
    X_(cudaErrorTooManyPeers, 711, "the device has too many peers")                    \
    X_(cudaErrorHostMemoryAlreadyRegistered, 712, "the memory is registered already")  \
    X_(cudaErrorHostMemoryNotRegistered, 713, "the memory is not registered")          \
    X_(cudaErrorHardwareStackError, 714, "a thread used up its stack")                 \
    X_(cudaErrorIllegalInstruction, 715, "a kernel reached a trap")                    \
    X_(cudaErrorMisalignedAddress, 716,                                                \
       "a kernel accessed an address that is not aligned")                             \
    X_(cudaErrorInvalidAddressSpace, 717,                                              \
       "a kernel accessed memory in the wrong space")                                  \
    X_(cudaErrorInvalidPc, 718, "the program counter of a kernel left its code")       \
    X_(cudaErrorLaunchFailure, 719, "a kernel failed")                                 \
    X_(cudaErrorCooperativeLaunchTooLarge, 720,                                        \
       "the blocks of a cooperative launch do not fit on the device together")         \
    X_(cudaErrorNotPermitted, 800, "the call is not permitted here")                   \
    X_(cudaErrorNotSupported, 801, "the device does not support the call")             \
    X_(cudaErrorSystemNotReady, 802, "the system is not ready")                        \
    X_(cudaErrorSystemDriverMismatch, 803, "driver and system do not fit")             \
    X_(cudaErrorCompatNotSupportedOnDevice, 804,                                       \
       "the device does not support forward compatibility")                            \
    X_(cudaErrorMpsConnectionFailed, 805, "MPS: no connection to the server")          \
    X_(cudaErrorMpsRpcFailure, 806, "MPS: a call of the server failed")                \
    X_(cudaErrorMpsServerNotReady, 807, "MPS: the server is not ready")                \
    X_(cudaErrorMpsMaxClientsReached, 808, "MPS: too many clients")                    \
    X_(cudaErrorMpsMaxConnectionsReached, 809, "MPS: too many connections")            \
    X_(cudaErrorMpsClientTerminated, 810, "MPS: the client was ended")                 \
    X_(cudaErrorCdpNotSupported, 811,                                                  \
       "the program has launches in device code, which are not supported")             \
    X_(cudaErrorCdpVersionMismatch, 812, "launches in device code have two versions")  \
    X_(cudaErrorStreamCaptureUnsupported, 900,                                         \
       "the call is not allowed while a stream is captured")                           \
    X_(cudaErrorStreamCaptureInvalidated, 901, "the capture was invalidated")          \
    X_(cudaErrorStreamCaptureMerge, 902, "two captures would be joined")               \
    X_(cudaErrorStreamCaptureUnmatched, 903, "the capture began in another stream")    \
    X_(cudaErrorStreamCaptureUnjoined, 904, "a stream was not joined to the capture")  \
    X_(cudaErrorStreamCaptureIsolation, 905,                                           \
       "the capture would wait for work outside of it")                                \
    X_(cudaErrorStreamCaptureImplicit, 906,                                            \
       "the legacy stream would wait for a captured one")                              \
    X_(cudaErrorCapturedEvent, 907, "the event was recorded in a capture")             \
    X_(cudaErrorStreamCaptureWrongThread, 908, "the capture began in another thread")  \
    X_(cudaErrorTimeout, 909, "the wait took too long")                                \
    X_(cudaErrorGraphExecUpdateFailure, 910, "the graph cannot be updated so")         \
    X_(cudaErrorExternalDevice, 911, "an external device failed")                      \
    X_(cudaErrorInvalidClusterSize, 912, "the size of the cluster is not valid")       \
    X_(cudaErrorFunctionNotLoaded, 913, "the function is not loaded")                  \
    X_(cudaErrorInvalidResourceType, 914, "the resource has the wrong type")           \
    X_(cudaErrorInvalidResourceConfiguration, 915,                                     \
       "the resource is configured wrongly")                                           \
    X_(cudaErrorUnknown, 999, "unknown error")

#endif
