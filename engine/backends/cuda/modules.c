/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Modules that a device has loaded, and their kernels.
 */
#include "state.h"

#include <string.h>

static rp_status load_module(rp_cuda *cuda, const void *image, CUmodule *module, rp_error *err) {
  for (uint32_t i = 0; i < cuda->n_modules; i++)
    if (cuda->modules[i].image == image) {
      *module = cuda->modules[i].module;
      return RP_OK;
    }
  if (cuda->n_modules == cuda->modules_capacity) {
    uint32_t capacity = cuda->modules_capacity ? 2 * cuda->modules_capacity : 32;
    rp_cuda_module *grown = rp_host_alloc(cuda->context, capacity * sizeof *grown, _Alignof(rp_cuda_module));
    if (!grown) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for the list of CUDA modules");
    if (cuda->n_modules) memcpy(grown, cuda->modules, cuda->n_modules * sizeof *grown);
    rp_host_free(cuda->context, cuda->modules, cuda->modules_capacity * sizeof *grown);
    cuda->modules = grown;
    cuda->modules_capacity = capacity;
  }
  rp_status status = RP_CUDA(cuda, err, cuModuleLoadData, module, image);
  if (status == RP_OK) cuda->modules[cuda->n_modules++] = (rp_cuda_module){image, *module};
  return status;
}

rp_status rp_cuda_function(rp_cuda *cuda, const void *image, const char *entry, uint32_t dynamic_shared_bytes,
                           CUfunction *function, rp_error *err) {
  CUmodule module;
  pthread_mutex_lock(&cuda->lock);
  rp_status status = load_module(cuda, image, &module, err);
  pthread_mutex_unlock(&cuda->lock);
  if (status != RP_OK) return status;
  CUresult result = cuda->driver.cuModuleGetFunction(function, module, entry);
  if (result == CUDA_ERROR_NOT_FOUND)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "the CUDA image has no kernel named %s", entry);
  status = rp_cuda_check(cuda, result, "cuModuleGetFunction", err);
  if (status == RP_OK && dynamic_shared_bytes > 48 * 1024)
    status = RP_CUDA(cuda, err, cuFuncSetAttribute, *function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                     (int)dynamic_shared_bytes);
  return status;
}
