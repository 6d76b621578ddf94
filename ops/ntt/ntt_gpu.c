/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The NTT on GPUs: passes of as many layers as fit a workgroup's tile, balanced. The networks and tables are those of
 * ntt_lower.c.
 */
#include "lower/gpu.h"
#include "ntt/ntt.h"

#include "ntt/ntt_args.h"
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

static uint32_t log2_floor(uint64_t x) {
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

static uint32_t tile_bytes(const rp_lower *l, uint32_t element_bytes) {
  const uint32_t most = rp_lower_limits(l)->shared_bytes;
  if (rp_lower_device(l) != RP_DEVICE_VULKAN) return RP_NTT_TILE_BYTES;
  if (element_bytes > RP_NTT_SMALL_BYTES) return VULKAN_TILE_BYTES;
  return most < RP_NTT_TILE_BYTES ? most : RP_NTT_TILE_BYTES;
}

rp_status rp_ntt_lower_gpu(rp_lower *l) {
  const struct ntt_params *p = rp_lower_params(l);
  rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0), work = out;
  rp_field field = rp_lower_field(l, in);
  const rp_type *type = rp_lower_type(l, in);
  uint64_t len = rp_lower_len(l, in);
  uint32_t log_n = log2_floor(len / p->batch), tile = log2_floor(tile_bytes(l, type->size_bytes) / type->size_bytes);
  bool transposed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_NATURAL;
  bool both_natural = p->in_order == RP_ORDER_NATURAL && p->out_order == RP_ORDER_NATURAL;
  bool both_reversed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_BIT_REVERSED;

  rp_value twiddles = rp_ntt_twiddles(l, field, p->root, log_n), factors = RP_NO_VALUE;
  uint32_t factor_step = 0;
  bool factored = rp_ntt_factors(l, field, p, log_n, &factors, &factor_step);

  /* With few elements the latency decides, and they come from the cache, so that whole cache lines are not needed. */
  const bool few =
      rp_lower_device(l) == RP_DEVICE_CUDA && log_n > 0 && len <= (uint64_t)rp_lower_limits(l)->workers * FEW;
  /* Consecutive columns: at least 128 bytes, so that memory is read in whole cache lines. */
  uint32_t columns = log2_floor(128 / type->size_bytes), most = log_n <= tile ? tile : tile - columns;
  if (few) most = tile = FEW_TILE;
  uint32_t passes = log_n ? (log_n + most - 1) / most : 1, first[MAX_PASSES] = {0}, layers[MAX_PASSES];
  for (uint32_t i = 0; i < passes; i++) layers[i] = log_n / passes + (i < log_n % passes);
  for (uint32_t i = 1; i < passes; i++) first[i] = first[i - 1] + layers[i - 1];
  if (both_natural && passes > 1) work = rp_lower_scratch(l, "work", type, len);

  for (uint32_t i = 0; i < passes; i++) {
    uint32_t pass = transposed ? passes - 1 - i : i, room = tile - layers[pass];
    struct rp_ntt_args args = {.log_n = log_n,
                               .first_layer = first[pass],
                               .layers = layers[pass],
                               .log_columns = room < log_n - layers[pass] ? room : log_n - layers[pass],
                               .factor_step = factor_step};
    /* Small transforms get fewer columns per tile, so that about every other multiprocessor or more has a tile. */
    while (args.log_columns > 0 && len >> (args.layers + args.log_columns) < rp_lower_limits(l)->workers / 2)
      args.log_columns--;
    if (transposed) args.flags |= RP_NTT_TRANSPOSED;
    if (p->inverse) args.flags |= RP_NTT_INVERSE;
    if (i == 0 && both_reversed) args.flags |= RP_NTT_PERMUTE_IN;
    if (i + 1 == passes && both_natural) args.flags |= RP_NTT_PERMUTE_OUT;
    if (i == 0 && factored && !p->inverse) args.flags |= RP_NTT_FACTOR_IN;
    if (i + 1 == passes && factored && p->inverse) args.flags |= RP_NTT_FACTOR_OUT;
    const bool reads_factors = (args.flags & (RP_NTT_FACTOR_IN | RP_NTT_FACTOR_OUT)) != 0;
    const uint32_t in_place = args.flags & (RP_NTT_PERMUTE_IN | RP_NTT_PERMUTE_OUT) ? 0 : RP_IN_PLACE;
    rp_bind binds[] = {RP_BIND(i + 1 == passes ? out : work, RP_WRITE), RP_BIND(i ? work : in, RP_READ | in_place),
                       RP_BIND(twiddles, RP_READ), rp_bind_optional(reads_factors ? factors : RP_NO_VALUE, RP_READ)};
    rp_gpu_dispatch(l, &kernels[few][transposed][field], (uint32_t)(len >> (args.layers + args.log_columns)), 1, &args,
                    binds);
  }
  return RP_OK;
}
