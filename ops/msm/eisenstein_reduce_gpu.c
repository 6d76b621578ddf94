/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reduction of the buckets of Eisenstein digits on GPUs. Column r of the buckets, counted from 0, adds W_r + r S_r to
 * the result: S_r is its plain sum, and W_r = S_r + zeta * (sum over y of y * bucket[y]). The workgroups of
 * eisenstein_columns reduce a part of a column each to such a pair, and eisenstein_fold joins the pairs. On CUDA, if
 * there are many buckets, each thread of eisenstein_runs first sums a run of neighbouring buckets of a row, and these
 * runs take the place of columns.
 *
 * kernel bucket_accumulate:eisenstein_runs gpu_eisenstein/2 ids:bn254_g1,bn254_g2,bls12_381_g1,bls12_381_g2
 *        cuda:RP_EISENSTEIN_RUNS_BLOCK products:bucket_sums
 * kernel eisenstein_columns gpu_eisenstein/2 ids:bn254_g1,bn254_g2,bls12_381_g1,bls12_381_g2
 *        cuda:4*RP_EISENSTEIN_WORKERS,RP_EISENSTEIN_WORKERS*ACC
 *        vulkan:4*RP_EISENSTEIN_WORKERS int64 products:bucket_sums
 * kernel eisenstein_fold gpu_eisenstein/2 ids:bn254_g1,bn254_g2,bls12_381_g1,bls12_381_g2
 *        cuda:8*RP_EISENSTEIN_WORKERS,2*RP_EISENSTEIN_WORKERS*ACC
 *        vulkan:8*RP_EISENSTEIN_WORKERS int64 products:fold
 */
#include "msm/eisenstein_reduce.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/eisenstein_grid.h"
#include "kernel_tables.h"

/* Runs are of 2^log_run columns; without runs log_run is 0. eisenstein_runs makes pairs [run][row] of buckets
 * [row][column]: (sum of (i + 1) * bucket[i], sum of bucket[i]), where i is the index within the run.
 * eisenstein_columns makes pairs [column][part] of those or, without runs, of buckets [row][column]; one block per part
 * and column. Parts and runs that lie outside the buckets that digits have are neither written nor read. */
struct rp_gpu_eisenstein_args {
  RP_ADDR(const void) in;
  RP_ADDR(void) out;
  uint32_t columns; /* of the buckets; there is one row more */
  uint32_t log_run;
  uint32_t items;    /* rows per worker; of the fold, columns per worker; a power of two */
  uint32_t log_part; /* log2 of the rows of a part */
  uint32_t parts;    /* per column */
  uint32_t pad;
};
RP_ARGS_SIZE(struct rp_gpu_eisenstein_args, 40);
#define RP_EISENSTEIN_RUNS_BLOCK 128 /* threads */
#define RP_EISENSTEIN_WORKERS 32     /* per block; the fold has twice as many, in Vulkan at most */

static uint32_t log2_of(uint32_t x) {
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

/* Buckets per run, or 0 if there are too few buckets to give each thread a run, or on devices without that kernel.
 * Fewer threads than three quarters of a workgroup per multiprocessor take longer than quads without runs. Runs of more
 * than eight pay when there are more threads than a multiprocessor holds (docs/notes/cuda-msm.md). */
static uint32_t run_items(const rp_lower *l, uint64_t buckets) {
  enum { LEAST = 4, USUAL = 8, MOST = 32 };
  const uint64_t workers = rp_lower_limits(l)->workers;
  const uint64_t enough = workers * 3 * RP_EISENSTEIN_RUNS_BLOCK / 4, many = workers * 4 * RP_EISENSTEIN_RUNS_BLOCK;
  if (rp_lower_device(l) != RP_DEVICE_CUDA || buckets / LEAST < enough) return 0;
  uint32_t items = buckets / USUAL < enough ? LEAST : USUAL;
  while (items < MOST && buckets / items > many) items *= 2;
  return items;
}

rp_status rp_lower_eisenstein_gpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value result, uint32_t columns) {
  enum { WORKERS = RP_EISENSTEIN_WORKERS, WORKERS_AT_ONCE = 48, MOST = 32 };
  const rp_type *acc = rp_type_accumulator(curve);
  const uint32_t rows = columns + 1;
  const uint64_t base = 2 * (uint64_t)columns + 1, buckets = base * base / 6 + 1; /* that digits have */
  const uint32_t run = run_items(l, buckets), runs = rp_gpu_groups(columns, run ? run : 1);
  struct rp_gpu_eisenstein_args a = {.columns = columns, .log_run = run ? log2_of(run) : 0, .items = 1};
  if (run) {
    const rp_value pairs = rp_lower_scratch(l, "runs", acc, (uint64_t)rows * runs * 2);
    rp_gpu_dispatch(l, &rp_kernels_eisenstein_runs[curve], rp_gpu_groups(rows, RP_EISENSTEIN_RUNS_BLOCK), runs, &a,
                    (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(pairs, RP_WRITE)});
    sums = pairs;
  }
  const uint64_t enough = (uint64_t)rp_lower_limits(l)->workers * WORKERS_AT_ONCE, each = run ? run : 1;
  while (a.items < MOST && WORKERS * a.items < rows && buckets / each / (2 * a.items) >= enough) a.items *= 2;
  a.log_part = log2_of(WORKERS * a.items), a.parts = rp_gpu_groups(rows, WORKERS * a.items);
  const rp_value partials = rp_lower_scratch(l, "partials", acc, (uint64_t)runs * a.parts * 2);
  rp_gpu_dispatch(l, &rp_kernels_eisenstein_columns[curve], a.parts, runs, &a,
                  (rp_bind[]){RP_BIND(sums, RP_READ), RP_BIND(partials, RP_WRITE)});
  /* Half of the workers of the fold: each is four threads. */
  const uint32_t fold_workers = rp_lower_group(l, &rp_kernels_eisenstein_fold[curve]) / 8;
  for (a.items = 1; a.items * fold_workers < runs;) a.items *= 2;
  rp_gpu_dispatch(l, &rp_kernels_eisenstein_fold[curve], 1, 1, &a,
                  (rp_bind[]){RP_BIND(partials, RP_READ), RP_BIND(result, RP_WRITE)});
  return RP_OK;
}
