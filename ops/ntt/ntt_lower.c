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

/* Splits log_n layers evenly, longer passes first. */
static uint32_t split(uint32_t log_n, uint32_t layers[MAX_PASSES]) {
  uint32_t passes = log_n <= ONE_PASS_LAYERS ? 1 : (log_n + MOST_LAYERS - 1) / MOST_LAYERS;
  if (log_n > ONE_PASS_LAYERS && passes < 2) passes = 2;
  for (uint32_t i = 0; i < passes; i++) layers[i] = log_n / passes + (i < log_n % passes);
  return passes;
}

rp_ntt_job rp_ntt_begin(rp_lower *l) {
  const struct ntt_params *p = rp_lower_params(l);
  rp_ntt_job job = {.in = rp_lower_in(l, 0),
                    .out = rp_lower_out(l, 0),
                    .inverse = p->inverse != 0,
                    .transposed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_NATURAL,
                    .both_natural = p->in_order == RP_ORDER_NATURAL && p->out_order == RP_ORDER_NATURAL,
                    .both_reversed = p->in_order == RP_ORDER_BIT_REVERSED && p->out_order == RP_ORDER_BIT_REVERSED};
  job.work = job.out;
  job.field = rp_lower_field(l, job.in);
  job.type = rp_lower_type(l, job.in);
  job.len = rp_lower_len(l, job.in);
  job.log_n = rp_ntt_log2(job.len / p->batch);
  job.twiddles = rp_ntt_twiddles(l, job.field, p->root, job.log_n);
  job.factored = rp_ntt_factors(l, job.field, p, job.log_n, &job.factors, &job.factor_step);
  return job;
}

void rp_ntt_pass(const rp_ntt_job *job, uint32_t i, uint32_t passes, struct rp_ntt_args *args, rp_bind binds[4]) {
  const bool first = i == 0, last = i + 1 == passes;
  args->factor_step = job->factor_step;
  if (job->transposed) args->flags |= RP_NTT_TRANSPOSED;
  if (job->inverse) args->flags |= RP_NTT_INVERSE;
  if (first && job->both_reversed) args->flags |= RP_NTT_PERMUTE_IN;
  if (last && job->both_natural) args->flags |= RP_NTT_PERMUTE_OUT;
  if (first && job->factored && !job->inverse) args->flags |= RP_NTT_FACTOR_IN;
  if (last && job->factored && job->inverse) args->flags |= RP_NTT_FACTOR_OUT;
  const bool reads_factors = (args->flags & (RP_NTT_FACTOR_IN | RP_NTT_FACTOR_OUT)) != 0;
  const uint32_t in_place = args->flags & (RP_NTT_PERMUTE_IN | RP_NTT_PERMUTE_OUT) ? 0 : RP_IN_PLACE;
  binds[0] = RP_BIND(last ? job->out : job->work, RP_WRITE);
  binds[1] = RP_BIND(first ? job->in : job->work, RP_READ | in_place);
  binds[2] = RP_BIND(job->twiddles, RP_READ);
  binds[3] = rp_bind_optional(reads_factors ? job->factors : RP_NO_VALUE, RP_READ);
}

rp_status rp_ntt_lower_cpu(rp_lower *l) {
  rp_ntt_job job = rp_ntt_begin(l);
  const uint32_t log_n = job.log_n, bytes = job.type->size_bytes;
  uint32_t layers[MAX_PASSES], first[MAX_PASSES] = {0}, passes = split(log_n, layers);

  const uint32_t run = bytes == 4 ? RP_NTT_SMALL_RUN_BYTES : COLUMN_RUN_BYTES, most_columns = rp_ntt_log2(run / bytes);
  /* Two elements of padding per column keep the columns of a tile out of each other's cache sets. On eight lanes a row
   * takes five registers instead of the four words that an element has in memory (ntt_lanes.h). */
  uint32_t tile = ((1u << layers[0]) + 2) << (most_columns < log_n - layers[0] ? most_columns : log_n - layers[0]);
  if (tile >> most_columns) tile = tile / 4 * 5;
  rp_value tiles = rp_lower_scratch(l, "tiles", job.type, (uint64_t)tile * rp_lower_limits(l)->workers);
  if (job.both_natural && passes > 1) job.work = rp_lower_scratch(l, "work", job.type, job.len);

  for (uint32_t i = 1; i < passes; i++) first[i] = first[i - 1] + layers[i - 1];
  for (uint32_t i = 0; i < passes; i++) {
    uint32_t pass = job.transposed ? passes - 1 - i : i, below = log_n - first[pass] - layers[pass];
    uint32_t room = below ? below : first[pass]; /* columns of one block, or of adjacent blocks */
    struct rp_ntt_args args = {.log_n = log_n,
                               .first_layer = first[pass],
                               .layers = layers[pass],
                               .log_columns = most_columns < room ? most_columns : room,
                               .tile_stride = tile};
    rp_bind binds[5] = {[4] = RP_BIND(tiles, RP_READ_WRITE)};
    rp_ntt_pass(&job, i, passes, &args, binds);
    uint32_t log_item = args.layers + args.log_columns;
    rp_lower_items(l, &rp_kernels_ntt_pass[job.field], job.len >> log_item, rp_grain((args.layers * 8 + 8) << log_item),
                   &args, binds);
  }
  return RP_OK;
}
