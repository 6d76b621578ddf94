/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opens CUDA devices and their contexts.
 */
#include "state.h"

#include <stdio.h>
#include <string.h>

/* Stops at the first failure of the driver: nothing can be planned for a device of unknown size or capability. */
static CUresult describe(const rp_cuda_driver *d, CUdevice device, uint32_t index, rp_device_info *info) {
  int major = 0, minor = 0, sms = 1, threads = 1024, shared = 49152, warp = 32;
  const struct {
    int *value;
    CUdevice_attribute attribute;
  } wanted[] = {{&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
                {&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
                {&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
                {&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
                {&shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
                {&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE}};
  size_t bytes = 0;
  memset(info, 0, sizeof *info);
  info->kind = RP_DEVICE_CUDA;
  info->index = index;
  snprintf(info->name, sizeof info->name, "CUDA");
  snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", d->version / 1000, d->version % 1000 / 10);
  CUresult result = d->cuDeviceGetName(info->name, sizeof info->name, device);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && result == CUDA_SUCCESS; i++)
    result = d->cuDeviceGetAttribute(wanted[i].value, wanted[i].attribute, device);
  if (result == CUDA_SUCCESS) result = d->cuDeviceTotalMem(&bytes, device);
  if (result != CUDA_SUCCESS) return result;
  info->available = major * 10 + minor >= 75;
  if (!info->available)
    snprintf(info->reason, sizeof info->reason, "compute capability %d.%d; needs 7.5 or newer", major, minor);
  info->memory_budget_bytes = bytes / 10 * 9;
  rp_device_limits *l = &info->limits;
  l->workers = (uint32_t)sms;
  l->isa = (uint32_t)(major * 10 + minor);
  l->subgroup = (uint32_t)warp;
  l->max_group = (uint32_t)threads;
  l->shared_bytes = (uint32_t)shared;
  l->max_args_bytes = 4096;
  l->max_groups = 0x7fffffff;
  l->max_allocation_bytes = bytes;
  l->memory_bytes = bytes;
  l->align_bytes = 256;
  l->has_int64 = 1;
  l->host_visible = 0;
  return CUDA_SUCCESS;
}

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  (void)context;
  rp_cuda_driver driver;
  rp_device_info absent;
  memset(&absent, 0, sizeof absent);
  absent.kind = RP_DEVICE_CUDA;
  snprintf(absent.name, sizeof absent.name, "CUDA");
  int n = 0;
  if (rp_cuda_driver_load(&driver, absent.reason, sizeof absent.reason) == RP_OK) {
    driver.cuDeviceGetCount(&n);
    for (int i = 0; i < n && (uint32_t)i < capacity; i++) {
      CUdevice device;
      infos[i] = absent;
      infos[i].index = (uint32_t)i;
      if (driver.cuDeviceGet(&device, i) != CUDA_SUCCESS)
        snprintf(infos[i].reason, sizeof infos[i].reason,
                 "the NVIDIA driver lists this GPU, but gives no access to it");
      else if (describe(&driver, device, (uint32_t)i, &infos[i]) != CUDA_SUCCESS)
        snprintf(infos[i].reason, sizeof infos[i].reason, "the NVIDIA driver gives no description of this GPU");
    }
    if (n == 0) snprintf(absent.reason, sizeof absent.reason, "the NVIDIA driver lists no GPU");
    rp_cuda_driver_unload(&driver);
  }
  if (n <= 0) {
    if (capacity > 0) infos[0] = absent;
    n = 1;
  }
  *count = (uint32_t)n;
  return RP_OK;
}

static rp_status look_at_memory(rp_cuda *cuda, rp_error *err) {
  size_t available = 0, total = 0;
  const rp_status status = RP_CUDA(cuda, err, cuMemGetInfo, &available, &total);
  cuda->free_bytes = available;
  return status;
}

/* The primary context is shared with whatever else in this process uses the device, and may be lost already. */
static rp_status probe(rp_cuda *cuda, rp_error *err) {
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = look_at_memory(cuda, err);
  rp_cuda_leave(cuda);
  if (status != RP_ERR_DEVICE_LOST) return status;
  return rp_fail(err, status, "CUDA device %d was lost earlier in this process; " RP_CUDA_LOST_ADVICE,
                 (int)cuda->device);
}

static rp_status open_context(rp_cuda *cuda, const rp_device_options *o, uint32_t index, rp_error *err) {
  rp_cuda_driver *d = &cuda->driver;
  if (o->native[0]) {
    cuda->cu_context = (CUcontext)o->native[0];
    cuda->caller_stream = (CUstream)o->native[1];
    rp_status status = rp_cuda_enter(cuda, err);
    if (status != RP_OK) return status;
    status = RP_CUDA(cuda, err, cuCtxGetDevice, &cuda->device);
    if (status == RP_OK) status = look_at_memory(cuda, err);
    rp_cuda_leave(cuda);
    return status;
  }
  rp_status status = RP_CUDA(cuda, err, cuDeviceGet, &cuda->device, (int)index);
  if (status != RP_OK) return status;
  status = rp_cuda_check(cuda, d->cuDevicePrimaryCtxRetain(&cuda->cu_context, cuda->device), "cuDevicePrimaryCtxRetain",
                         err);
  cuda->owns_context = status == RP_OK;
  if (status == RP_OK) status = probe(cuda, err);
  return status;
}

static void close_device(void *state) {
  rp_cuda *cuda = state;
  if (!cuda) return;
  if (cuda->cu_context && rp_cuda_enter_to_give_back(cuda)) {
    for (uint32_t i = 0; i < cuda->n_modules; i++) cuda->driver.cuModuleUnload(cuda->modules[i].module);
    rp_cuda_leave(cuda);
  }
  rp_host_free(cuda->context, cuda->modules, cuda->modules_capacity * sizeof *cuda->modules);
  if (cuda->owns_context) cuda->driver.cuDevicePrimaryCtxRelease(cuda->device);
  rp_cuda_ranges_close(cuda->ranges);
  rp_cuda_driver_unload(&cuda->driver);
  pthread_mutex_destroy(&cuda->lock);
  rp_host_free(cuda->context, cuda, sizeof *cuda);
}

static rp_status open_device(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  *state = NULL;
  rp_cuda *cuda = rp_host_alloc(context, sizeof *cuda, _Alignof(rp_cuda));
  if (!cuda) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for a CUDA device");
  memset(cuda, 0, sizeof *cuda);
  cuda->context = context;
  pthread_mutex_init(&cuda->lock, NULL);
  char reason[256];
  rp_status status = rp_cuda_driver_load(&cuda->driver, reason, sizeof reason);
  if (status != RP_OK) {
    pthread_mutex_destroy(&cuda->lock);
    rp_host_free(context, cuda, sizeof *cuda);
    return rp_fail(err, status, "CUDA: %s", reason);
  }
  int n = 0;
  cuda->driver.cuDeviceGetCount(&n);
  if (!options->native[0] && options->index >= (uint32_t)n)
    status =
        rp_fail(err, RP_ERR_UNAVAILABLE, "CUDA device %u was asked for, and the machine has %d", options->index, n);
  if (status == RP_OK) status = open_context(cuda, options, options->index, err);
  if (status == RP_OK) {
    const CUresult result = describe(&cuda->driver, cuda->device, options->index, info);
    status = rp_cuda_check(cuda, result, "describing the device", err);
    cuda->multiprocessors = info->limits.workers;
    if (status == RP_OK && !info->available)
      status = rp_fail(err, RP_ERR_UNAVAILABLE, "%s: %s", info->name, info->reason);
  }
  if (status != RP_OK) {
    close_device(cuda);
    return status;
  }
  cuda->ranges = rp_cuda_ranges_open();
  *state = cuda;
  return RP_OK;
}

static bool is_lost(void *state) { return atomic_load(&((rp_cuda *)state)->lost); }

static uint64_t free_bytes(void *state) { return ((const rp_cuda *)state)->free_bytes; }

const rp_backend rp_backend_cuda = {
    .name = "cuda",
    .kind = RP_DEVICE_CUDA,
    .skips = rp_cuda_skips,
    .enumerate = enumerate,
    .open = open_device,
    .close = close_device,
    .memory_alloc = rp_cuda_memory_alloc,
    .memory_free = rp_cuda_memory_free,
    .memory_wrap = rp_cuda_memory_wrap,
    .memory_lends = rp_cuda_memory_lends,
    .memory_share = rp_cuda_memory_share,
    .memory_import = rp_cuda_memory_import,
    .memory_write = rp_cuda_memory_write,
    .memory_send = rp_cuda_memory_send,
    .memory_read = rp_cuda_memory_read,
    .program_create = rp_cuda_program_create,
    .program_destroy = rp_cuda_program_destroy,
    .program_host_bytes = rp_cuda_program_host_bytes,
    .submit = rp_cuda_submit,
    .submit_runs = rp_cuda_submit_runs,
    .record_into = rp_cuda_record_into,
    .latest_fault = rp_cuda_latest_fault,
    .wait = rp_cuda_wait,
    .cancel = rp_cuda_cancel,
    .wipe = rp_cuda_wipe,
    .counters = rp_cuda_counters,
    .timings = rp_cuda_timings,
    .is_lost = is_lost,
    .reaches = rp_cuda_reaches,
    .await_arrivals = rp_cuda_await_arrivals,
    .free_bytes = free_bytes,
};
