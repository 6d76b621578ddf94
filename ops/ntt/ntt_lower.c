/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The NTT on the CPU: passes over memory whose sub-transforms fit the L1 cache.
 *
 * Plain network (natural input, bit-reversed output): layer s splits x^m - c^2 into (x^(m/2) - c)(x^(m/2) + c), so that
 * each block has one twiddle. The transposed network takes bit-reversed input to natural output with the same twiddles.
 * If input and output have the same order, the first or last pass of the plain network permutes.
 */
#include "ntt/ntt.h"

#include "ntt/ntt_args.h"
#include "kernel_tables.h"

enum {
  ONE_PASS_LAYERS = 9,    /* 512 elements of 32 bytes: 16 KiB, half of a usual L1 cache */
  MOST_LAYERS = 10,       /* 32 KiB */
  COLUMN_RUN_BYTES = 256, /* contiguous bytes read per row: four cache lines keep the prefetcher going */
  MAX_PASSES = 4
};

static uint32_t log2_floor(uint64_t x) {
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

/* Splits log_n layers evenly, longer passes first. */
static uint32_t split(uint32_t log_n, uint32_t layers[MAX_PASSES]) {
  uint32_t passes = log_n <= ONE_PASS_LAYERS ? 1 : (log_n + MOST_LAYERS - 1) / MOST_LAYERS;
  if (log_n > ONE_PASS_LAYERS && passes < 2) passes = 2;
  for (uint32_t i = 0; i < passes; i++) layers[i] = log_n / passes + (i < log_n % passes);
  return passes;
}

rp_status rp_ntt_lower_cpu(rp_lower *l) {
  const struct ntt_params *p = rp_lower_params(l);
  rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0), work = out;
  rp_field field = rp_lower_field(l, in);
  const rp_type *type = rp_lower_type(l, in);
  uint64_t len = rp_lower_len(l, in);
  uint32_t log_n = log2_floor(len / p->batch), layers[MAX_PASSES], passes = split(log_n, layers);
  bool transposed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_NATURAL;
  bool both_natural = p->in_order == RP_ORDER_NATURAL && p->out_order == RP_ORDER_NATURAL;
  bool both_reversed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_BIT_REVERSED;

  rp_value twiddles = rp_ntt_twiddles(l, field, p->root, log_n), factors = RP_NO_VALUE;
  uint32_t factor_step = 0;
  bool factored = rp_ntt_factors(l, field, p, log_n, &factors, &factor_step);

  const uint32_t run = type->size_bytes == 4 ? RP_NTT_SMALL_RUN_BYTES : COLUMN_RUN_BYTES;
  uint32_t most_columns = log2_floor(run / type->size_bytes);
  /* Two elements of padding per column keep the columns of a tile out of each other's cache sets. On eight lanes a row
   * takes five registers instead of the four words that an element has in memory (ntt_lanes.h). */
  uint32_t tile = ((1u << layers[0]) + 2) << (most_columns < log_n - layers[0] ? most_columns : log_n - layers[0]);
  if (tile >> most_columns) tile = tile / 4 * 5;
  rp_value tiles = rp_lower_scratch(l, "tiles", type, (uint64_t)tile * rp_lower_limits(l)->workers);
  if (both_natural && passes > 1) work = rp_lower_scratch(l, "work", type, len);

  uint32_t first[MAX_PASSES] = {0};
  for (uint32_t i = 1; i < passes; i++) first[i] = first[i - 1] + layers[i - 1];
  for (uint32_t i = 0; i < passes; i++) {
    uint32_t pass = transposed ? passes - 1 - i : i, below = log_n - first[pass] - layers[pass];
    uint32_t room = below ? below : first[pass]; /* columns of one block, or of adjacent blocks */
    struct rp_ntt_args args = {.log_n = log_n,
                               .first_layer = first[pass],
                               .layers = layers[pass],
                               .log_columns = most_columns < room ? most_columns : room,
                               .factor_step = factor_step,
                               .tile_stride = tile};
    if (transposed) args.flags |= RP_NTT_TRANSPOSED;
    if (p->inverse) args.flags |= RP_NTT_INVERSE;
    if (i == 0 && both_reversed) args.flags |= RP_NTT_PERMUTE_IN;
    if (i + 1 == passes && both_natural) args.flags |= RP_NTT_PERMUTE_OUT;
    if (i == 0 && factored && !p->inverse) args.flags |= RP_NTT_FACTOR_IN;
    if (i + 1 == passes && factored && p->inverse) args.flags |= RP_NTT_FACTOR_OUT;
    const bool reads_factors = (args.flags & (RP_NTT_FACTOR_IN | RP_NTT_FACTOR_OUT)) != 0;
    const uint32_t in_place = args.flags & (RP_NTT_PERMUTE_IN | RP_NTT_PERMUTE_OUT) ? 0 : RP_IN_PLACE;
    rp_bind binds[] = {RP_BIND(i + 1 == passes ? out : work, RP_WRITE), RP_BIND(i ? work : in, RP_READ | in_place),
                       RP_BIND(twiddles, RP_READ), rp_bind_optional(reads_factors ? factors : RP_NO_VALUE, RP_READ),
                       RP_BIND(tiles, RP_READ_WRITE)};
    uint32_t log_item = args.layers + args.log_columns;
    rp_lower_items(l, &rp_kernels_ntt_pass[field], len >> log_item, rp_grain((args.layers * 8 + 8) << log_item), &args,
                   binds);
  }
  return RP_OK;
}
