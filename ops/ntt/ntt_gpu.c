/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The NTT on GPUs: passes of as many layers as fit a workgroup's tile, balanced. The networks and tables are those of
 * ntt_lower.c.
 */
#include "lower/gpu.h"
#include "ntt/ntt.h"

#include "kernel_tables.h"

enum {
  VULKAN_TILE_BYTES = 16 << 10, /* for elements of 32 bytes and more */
  MAX_PASSES = 32,
  FEW = 1024,  /* elements per multiprocessor */
  FEW_TILE = 9 /* 2^9 elements: one butterfly per thread */
};

/* [few][transposed]; prime fields only */
static const rp_kernel *const kernels[2][2] = {{rp_kernels_ntt_pass_gpu, rp_kernels_ntt_pass_transposed},
                                               {rp_kernels_ntt_few, rp_kernels_ntt_few_transposed}};

static uint32_t tile_bytes(const rp_lower *l, uint32_t element_bytes) {
  const uint32_t most = rp_lower_limits(l)->shared_bytes;
  if (rp_lower_device(l) != RP_DEVICE_VULKAN) return RP_NTT_TILE_BYTES;
  if (element_bytes > RP_NTT_SMALL_BYTES) return VULKAN_TILE_BYTES;
  return most < RP_NTT_TILE_BYTES ? most : RP_NTT_TILE_BYTES;
}

rp_status rp_ntt_lower_gpu(rp_lower *l) {
  rp_ntt_job job = rp_ntt_begin(l);
  const uint32_t log_n = job.log_n, bytes = job.type->size_bytes, workers = rp_lower_limits(l)->workers;
  uint32_t tile = rp_ntt_log2(tile_bytes(l, bytes) / bytes);

  /* With few elements the latency decides, and they come from the cache, so that whole cache lines are not needed. */
  const bool few = rp_lower_device(l) == RP_DEVICE_CUDA && log_n > 0 && job.len <= (uint64_t)workers * FEW;
  /* Consecutive columns: at least 128 bytes, so that memory is read in whole cache lines. */
  uint32_t columns = rp_ntt_log2(128 / bytes), most = log_n <= tile ? tile : tile - columns;
  if (few) most = tile = FEW_TILE;
  uint32_t first[MAX_PASSES] = {0}, layers[MAX_PASSES];
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a tile has more than 128 bytes */
  uint32_t passes = log_n ? (log_n + most - 1) / most : 1;
  for (uint32_t i = 0; i < passes; i++) layers[i] = log_n / passes + (i < log_n % passes);
  for (uint32_t i = 1; i < passes; i++) first[i] = first[i - 1] + layers[i - 1];
  if (job.both_natural && passes > 1) job.work = rp_lower_scratch(l, "work", job.type, job.len);

  for (uint32_t i = 0; i < passes; i++) {
    uint32_t pass = job.transposed ? passes - 1 - i : i, room = tile - layers[pass];
    struct rp_ntt_args args = {.log_n = log_n,
                               .first_layer = first[pass],
                               .layers = layers[pass],
                               .log_columns = room < log_n - layers[pass] ? room : log_n - layers[pass]};
    rp_bind binds[4];
    /* Small transforms get fewer columns per tile, so that about every other multiprocessor or more has a tile. */
    while (args.log_columns > 0 && job.len >> (args.layers + args.log_columns) < workers / 2) args.log_columns--;
    rp_ntt_pass(&job, i, passes, &args, binds);
    rp_gpu_dispatch(l, &kernels[few][job.transposed][job.field],
                    (uint32_t)(job.len >> (args.layers + args.log_columns)), 1, &args, binds);
  }
  return RP_OK;
}
