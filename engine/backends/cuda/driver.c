/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define STRING2(x) #x
#define STRING(x) STRING2(x)

rp_status rp_cuda_driver_load(rp_cuda_driver *driver, char *reason, size_t bytes) {
  memset(driver, 0, sizeof *driver);
  driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver->library) {
    snprintf(reason, bytes,
             "no NVIDIA driver (libcuda.so.1 not found): install the package nvidia-driver, or NVIDIA's "
             "own, " RP_CUDA_MIN_DRIVER " or newer");
    return RP_ERR_UNAVAILABLE;
  }
  const char *missing = NULL;
  /* C has no conversion from void * to a function pointer; POSIX gives both the same representation. */
#define LOAD_OPTIONAL(name)                              \
  {                                                      \
    void *symbol = dlsym(driver->library, STRING(name)); \
    memcpy(&driver->name, &symbol, sizeof symbol);       \
  }
#define LOAD(name)    \
  LOAD_OPTIONAL(name) \
  if (!driver->name && !missing) missing = STRING(name);
  RP_CUDA_FUNCTIONS(LOAD)
  RP_CUDA_OPTIONAL(LOAD_OPTIONAL)
#undef LOAD
#undef LOAD_OPTIONAL
  if (driver->cuDriverGetVersion) driver->cuDriverGetVersion(&driver->version);
  if (missing || driver->version < RP_CUDA_MIN_API) {
    snprintf(reason, bytes,
             "NVIDIA driver is too old: it offers CUDA %d.%d%s%s, needs %d.%d: install driver " RP_CUDA_MIN_DRIVER
             " or newer (package nvidia-driver, or NVIDIA's own)",
             driver->version / 1000, driver->version % 1000 / 10, missing ? " without " : "", missing ? missing : "",
             RP_CUDA_MIN_API / 1000, RP_CUDA_MIN_API % 1000 / 10);
    rp_cuda_driver_unload(driver);
    return RP_ERR_UNAVAILABLE;
  }
  CUresult result = driver->cuInit(0);
  if (result != CUDA_SUCCESS) {
    const char *text = "unknown";
    driver->cuGetErrorString(result, &text);
    snprintf(reason, bytes, "the NVIDIA driver finds no usable GPU (cuInit: %s); nvidia-smi tells more", text);
    rp_cuda_driver_unload(driver);
    return RP_ERR_UNAVAILABLE;
  }
  return RP_OK;
}

void rp_cuda_driver_unload(rp_cuda_driver *driver) {
  if (driver->library) dlclose(driver->library);
  driver->library = NULL;
}
