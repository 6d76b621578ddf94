/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Entering the context of a device, and errors of the driver as statuses.
 */
#include "state.h"

static bool is_sticky(CUresult result) {
  switch (result) {
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_DEINITIALIZED:
  case CUDA_ERROR_UNKNOWN: return 1;
  default: return 0;
  }
}

rp_status rp_cuda_check(rp_cuda *cuda, CUresult result, const char *what, rp_error *err) {
  if (result == CUDA_SUCCESS) return RP_OK;
  const char *name = "unknown error", *text = "";
  cuda->driver.cuGetErrorName(result, &name);
  cuda->driver.cuGetErrorString(result, &text);
  if (is_sticky(result)) {
    atomic_store(&cuda->lost, 1);
    return rp_fail(err, RP_ERR_DEVICE_LOST, "CUDA device lost: %s gave %s (%s); " RP_CUDA_LOST_ADVICE, what, name,
                   text);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return rp_fail(err, RP_ERR_DEVICE_MEMORY,
                   "%s: out of device memory; close other programs or lower the memory budget", what);
  return rp_fail(err, RP_ERR_INTERNAL, "%s gave %s (%s)", what, name, text);
}

rp_status rp_cuda_enter(rp_cuda *cuda, rp_error *err) {
  if (atomic_load(&cuda->lost))
    return rp_fail(err, RP_ERR_DEVICE_LOST, "CUDA device was lost earlier; " RP_CUDA_LOST_ADVICE);
  return RP_CUDA(cuda, err, cuCtxPushCurrent, cuda->cu_context);
}

bool rp_cuda_enter_to_give_back(rp_cuda *cuda) {
  return rp_cuda_enter(cuda, NULL) == RP_OK || rp_cuda_enter(cuda, NULL) == RP_OK;
}

void rp_cuda_leave(rp_cuda *cuda) {
  CUcontext popped;
  cuda->driver.cuCtxPopCurrent(&popped);
}
