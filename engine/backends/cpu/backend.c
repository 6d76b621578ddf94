/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The CPU as a device: always there.
 */
#include "cpu.h"

#include <stdio.h>
#include <string.h>

#define MAX_THREADS 1024u
#define MAX_ARGS_BYTES 4096u

static void describe(rp_device_info *info, uint32_t workers, uint32_t isa) {
  char sets[64];
  memset(info, 0, sizeof *info);
  info->kind = RP_DEVICE_CPU;
  info->available = 1;
  cpu_model(info->name, sizeof info->name);
  cpu_isa_names(isa, sets, sizeof sets);
  snprintf(info->driver, sizeof info->driver, "%u thread%s, instruction sets: %s", workers, workers == 1 ? "" : "s",
           sets);
  uint64_t memory = cpu_memory_bytes();
  info->memory_budget_bytes = memory / 10 * 9;
  info->limits = (rp_device_limits){.workers = workers,
                                    .isa = isa,
                                    .subgroup = 1,
                                    .max_group = 1,
                                    .max_args_bytes = MAX_ARGS_BYTES,
                                    .max_groups = UINT64_MAX / 4,
                                    .max_allocation_bytes = memory,
                                    .memory_bytes = memory,
                                    .align_bytes = 64,
                                    .has_int64 = 1,
                                    .host_visible = 1};
}

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  (void)context;
  *count = 1;
  if (capacity) describe(&infos[0], cpu_count(), cpu_isa_detect());
  return RP_OK;
}

static rp_status open_device(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  const rp_executor *executor = options ? options->executor : NULL;
  uint32_t isa, workers = options ? options->cpu_threads : 0;
  *state = NULL;
  if (options && options->index != 0)
    return rp_fail(err, RP_ERR_UNAVAILABLE, "cpu:%u does not exist; there is one CPU device", options->index);
  if (executor) {
    if (!executor->parallel || executor->workers == 0)
      return rp_fail(err, RP_ERR_ARGUMENT, "an executor needs `parallel` and at least one worker");
    workers = executor->workers;
  }
  if (workers == 0) workers = cpu_count();
  if (workers > MAX_THREADS)
    return rp_fail(err, RP_ERR_ARGUMENT, "%u threads were asked for; at most %u are possible", workers, MAX_THREADS);
  rp_status status = cpu_isa_select(options ? options->cpu_isa : NULL, &isa, err);
  if (status != RP_OK) return status;

  cpu_device *device = rp_host_alloc(context, sizeof *device, 64);
  if (!device) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for a device");
  memset(device, 0, sizeof *device);
  device->context = context;
  describe(&device->info, workers, isa);
  status = cpu_pool_open(&device->pool, context, workers, executor, err);
  if (status != RP_OK) {
    rp_host_free(context, device, sizeof *device);
    return status;
  }
  *info = device->info;
  *state = device;
  return RP_OK;
}

static void close_device(void *state) {
  cpu_device *device = state;
  if (!device) return;
  cpu_pool_close(&device->pool);
  rp_host_free(device->context, device, sizeof *device);
}

static bool is_lost(void *state) {
  (void)state;
  return 0;
}

static uint64_t free_bytes(void *state) {
  (void)state;
  return cpu_free_bytes();
}

static bool skips(const void *state) {
  (void)state;
  return true;
}

const rp_backend rp_backend_cpu = {
    .name = "cpu",
    .kind = RP_DEVICE_CPU,
    .host_only = 1,
    .skips = skips,
    .enumerate = enumerate,
    .open = open_device,
    .close = close_device,
    .memory_alloc = cpu_memory_alloc,
    .memory_free = cpu_memory_free,
    .memory_wrap = cpu_memory_wrap,
    .memory_lends = cpu_memory_lends,
    .memory_share = cpu_memory_share,
    .memory_import = cpu_memory_import,
    .memory_write = cpu_memory_write,
    .memory_read = cpu_memory_read,
    .program_create = cpu_program_create,
    .program_destroy = cpu_program_destroy,
    .program_host_bytes = cpu_program_host_bytes,
    .submit = cpu_submit,
    .submit_runs = cpu_submit_runs,
    .wait = cpu_wait,
    .cancel = cpu_cancel,
    .wipe = cpu_wipe_program,
    .counters = cpu_counters,
    .progress = cpu_progress,
    .timings = cpu_timings,
    .is_lost = is_lost,
    .free_bytes = free_bytes,
};
