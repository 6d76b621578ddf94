/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The CUDA driver API, loaded at run time: no CUDA library is linked, and programs also run where there is no driver.
 * Types come from the toolkit's cuda.h, whose macros map each name to the version of the symbol that the types fit.
 */
#ifndef REPRISE_CUDA_DRIVER_H
#define REPRISE_CUDA_DRIVER_H

#include <cuda.h>

#include "backend.h"

/* The oldest driver that is supported. The API below is complete from CUDA 12.0 on, and a driver loads what an nvcc of
 * its own major version compiled (CUDA Compatibility, "minor version compatibility"), so that the toolkit's version
 * decides. */
#if CUDA_VERSION >= 13000
#define RP_CUDA_MIN_API 13000
#define RP_CUDA_MIN_DRIVER "580.65"
#else
#define RP_CUDA_MIN_API 12000
#define RP_CUDA_MIN_DRIVER "525.60"
#endif

/* cuda.h maps this name from 12.8 on to a second version, which older drivers lack; the first does what is needed. */
#undef cuEventElapsedTime
CUresult CUDAAPI cuEventElapsedTime(float *ms, CUevent begin, CUevent end);

/* clang-format off */
#define RP_CUDA_FUNCTIONS(X)                                                                                         \
  X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString)                                              \
  X(cuDeviceGetCount) X(cuDeviceGet) X(cuDeviceGetName) X(cuDeviceGetAttribute) X(cuDeviceTotalMem)                  \
  X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxRelease) X(cuCtxPushCurrent) X(cuCtxPopCurrent)                    \
  X(cuCtxGetDevice) X(cuMemGetInfo) X(cuPointerGetAttributes) X(cuDeviceCanAccessPeer) X(cuCtxEnablePeerAccess)      \
  X(cuMemcpyHtoDAsync) X(cuMemcpyPeerAsync)                                                                          \
  X(cuMemAlloc) X(cuMemFree) X(cuMemHostAlloc) X(cuMemFreeHost) X(cuMemcpyHtoD) X(cuMemcpyDtoH) X(cuMemsetD8Async)   \
  X(cuModuleLoadData) X(cuModuleUnload) X(cuModuleGetFunction) X(cuFuncSetAttribute)                                 \
  X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamSynchronize) X(cuStreamWaitEvent)                                   \
  X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventQuery) X(cuEventSynchronize) X(cuEventElapsedTime)    \
  X(cuGraphCreate) X(cuGraphDestroy) X(cuGraphAddKernelNode)                                                         \
  X(cuGraphAddMemcpyNode) X(cuGraphAddEventRecordNode) X(cuGraphInstantiate) X(cuGraphExecDestroy)                   \
  X(cuGraphLaunch) X(cuGraphExecKernelNodeSetParams) X(cuGraphExecMemcpyNodeSetParams)                               \
  X(cuGraphKernelNodeSetParams) X(cuGraphAddChildGraphNode) X(cuStreamGetCaptureInfo)                                \
  X(cuStreamUpdateCaptureDependencies) X(cuThreadExchangeStreamCaptureMode)                                          \
  X(cuDeviceGetUuid) X(cuMemGetAllocationGranularity) X(cuMemCreate) X(cuMemRelease) X(cuMemAddressReserve)          \
  X(cuMemAddressFree) X(cuMemMap) X(cuMemUnmap) X(cuMemSetAccess) X(cuMemExportToShareableHandle)                    \
  X(cuMemImportFromShareableHandle) X(cuImportExternalMemory) X(cuExternalMemoryGetMappedBuffer)                     \
  X(cuDestroyExternalMemory)

/* NULL if the driver has none. Conditional nodes of graphs, from CUDA 12.4 on. */
#if CUDA_VERSION >= 12040
#define RP_CUDA_OPTIONAL(X) X(cuGraphConditionalHandleCreate) X(cuGraphAddNode)
#else
#define RP_CUDA_OPTIONAL(X)
#endif
/* clang-format on */

typedef struct rp_cuda_driver {
  void *library;
  int version; /* of the API that the driver offers, 12040 is 12.4 */
#define RP_CUDA_MEMBER(name) __typeof__(&name) name;
  RP_CUDA_FUNCTIONS(RP_CUDA_MEMBER) RP_CUDA_OPTIONAL(RP_CUDA_MEMBER)
#undef RP_CUDA_MEMBER
} rp_cuda_driver;

/* Loads and initialises the driver. On failure `reason` (of `bytes`) says what is missing and what is needed. */
rp_status rp_cuda_driver_load(rp_cuda_driver *driver, char *reason, size_t bytes);
void rp_cuda_driver_unload(rp_cuda_driver *driver);

#endif
