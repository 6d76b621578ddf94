/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The NTT on GPUs: passes of as many layers as fit a workgroup's tile, balanced; the networks and tables of
 * ntt_lower.c.
 */
#include "lower/gpu.h"
#include "ntt/ntt.h"

#include "ntt/ntt_args.h"

enum {
  BLOCK = 256,
  TILE_BYTES = 32 << 10,
  MAX_PASSES = 32,
  FEW = 1024,  /* elements a multiprocessor */
  FEW_TILE = 9 /* 2^9 elements: a butterfly a thread */
};

/* Vulkan's kernels of elements of 32 bytes and more: smaller tiles, so that more workgroups are at different steps at
 * once. shaders/vulkan/ntt/ntt.comp has that memory; of the small elements' it has what the device has, up to
 * TILE_BYTES. */
enum { VULKAN_BLOCK = 128, VULKAN_TILE_BYTES = 16 << 10, SMALL_ELEMENT = 8 };

/* Prime fields only. */
#define DECLARE(NAME, id, bytes, limbs, degree) DECLARE_##degree(id)
#define DECLARE_1(id) RP_CUDA_DECLARE(ntt_##id)
#define DECLARE_2(id)
RP_FIELD_LIST(DECLARE)
#define VULKAN_GROUP(bytes) ((bytes) <= SMALL_ELEMENT ? BLOCK : VULKAN_BLOCK)
#define PLAIN(NAME, id, bytes, limbs, degree) PLAIN_##degree(NAME, id, bytes)
#define PLAIN_1(NAME, id, bytes) \
  [RP_FIELD_##NAME] =            \
      RP_GPU_KERNEL_SHARED(ntt, id, ntt_pass, struct rp_ntt_args, 5, BLOCK, TILE_BYTES, VULKAN_GROUP(bytes)),
#define PLAIN_2(NAME, id, bytes)
#define TRANSPOSED(NAME, id, bytes, limbs, degree) TRANSPOSED_##degree(NAME, id, bytes)
#define TRANSPOSED_1(NAME, id, bytes)                                                                              \
  [RP_FIELD_##NAME] = RP_GPU_KERNEL_SHARED(ntt, id, ntt_pass_transposed, struct rp_ntt_args, 5, BLOCK, TILE_BYTES, \
                                           VULKAN_GROUP(bytes)),
#define TRANSPOSED_2(NAME, id, bytes)
#define SHORT(NAME, id, bytes, limbs, degree) SHORT_##degree(NAME, id)
#define SHORT_1(NAME, id) \
  [RP_FIELD_##NAME] = RP_CUDA_KERNEL_OF(ntt, id, ntt_few, struct rp_ntt_args, 5, BLOCK, TILE_BYTES),
#define SHORT_2(NAME, id)
#define SHORT_TRANSPOSED(NAME, id, bytes, limbs, degree) SHORT_TRANSPOSED_##degree(NAME, id)
#define SHORT_TRANSPOSED_1(NAME, id) \
  [RP_FIELD_##NAME] = RP_CUDA_KERNEL_OF(ntt, id, ntt_few_transposed, struct rp_ntt_args, 5, BLOCK, TILE_BYTES),
#define SHORT_TRANSPOSED_2(NAME, id)
/* [few][transposed] */
static const rp_kernel kernels[2][2][RP_FIELD_COUNT] = {{{RP_FIELD_LIST(PLAIN)}, {RP_FIELD_LIST(TRANSPOSED)}},
                                                        {{RP_FIELD_LIST(SHORT)}, {RP_FIELD_LIST(SHORT_TRANSPOSED)}}};

static uint32_t log2_floor(uint64_t x) {
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

static uint32_t tile_bytes(const rp_lower *l, uint32_t element_bytes) {
  const uint32_t most = rp_lower_limits(l)->shared_bytes;
  if (rp_lower_device(l) != RP_DEVICE_VULKAN) return TILE_BYTES;
  if (element_bytes > SMALL_ELEMENT) return VULKAN_TILE_BYTES;
  return most < TILE_BYTES ? most : TILE_BYTES;
}

rp_status rp_ntt_lower_gpu(rp_lower *l) {
  const struct ntt_params *p = rp_lower_params(l);
  rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0), work = out;
  rp_field field = rp_lower_field(l, in);
  const rp_type *type = rp_lower_type(l, in);
  uint64_t len = rp_lower_len(l, in);
  uint32_t log_n = log2_floor(len / p->batch), tile = log2_floor(tile_bytes(l, type->size_bytes) / type->size_bytes);
  int transposed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_NATURAL;
  int both_natural = p->in_order == RP_ORDER_NATURAL && p->out_order == RP_ORDER_NATURAL;
  int both_reversed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_BIT_REVERSED;

  rp_value twiddles = rp_ntt_twiddles(l, field, p->root, log_n), factors = twiddles;
  uint32_t factor_step = 0;
  int factored = rp_ntt_factors(l, field, p, log_n, &factors, &factor_step);

  /* With few elements latency decides, and they come from the cache: no need for whole lines. */
  const int few =
      rp_lower_device(l) == RP_DEVICE_CUDA && log_n > 0 && len <= (uint64_t)rp_lower_limits(l)->workers * FEW;
  /* Columns: a run of at least 128 bytes keeps the memory busy with whole lines. */
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
    /* Small transforms: fewer columns, so that every multiprocessor has a tile. */
    while (args.log_columns > 0 && len >> (args.layers + args.log_columns) < rp_lower_limits(l)->workers / 2)
      args.log_columns--;
    if (transposed) args.flags |= RP_NTT_TRANSPOSED;
    if (p->inverse) args.flags |= RP_NTT_INVERSE;
    if (i == 0 && both_reversed) args.flags |= RP_NTT_PERMUTE_IN;
    if (i + 1 == passes && both_natural) args.flags |= RP_NTT_PERMUTE_OUT;
    if (i == 0 && factored && !p->inverse) args.flags |= RP_NTT_FACTOR_IN;
    if (i + 1 == passes && factored && p->inverse) args.flags |= RP_NTT_FACTOR_OUT;
    rp_bind binds[] = {RP_BIND(i + 1 == passes ? out : work, RP_WRITE), RP_BIND(i ? work : in, RP_READ),
                       RP_BIND(twiddles, RP_READ), RP_BIND(factors, RP_READ), RP_BIND(twiddles, RP_READ)};
    rp_gpu_dispatch(l, &kernels[few][transposed][field], (uint32_t)(len >> (args.layers + args.log_columns)), 1, &args,
                    binds);
  }
  return RP_OK;
}
