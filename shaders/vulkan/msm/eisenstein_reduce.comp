/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reduction of the buckets of Eisenstein digits (msm/eisenstein_reduce_gpu.c), for which latency determines the time:
 * each worker is a quad of threads, as in bucket_reduce.comp. Worker t of a part of a column goes down `items` rows
 * with a running sum, which gives their plain sum S_t and their sum W_t with weights from 0. Row y counts y times:
 *   sum over t of (W_t + (part * WORKERS + t) * items * S_t)
 *     = sum of W_t + items * (sum over t of (part * S + (the suffix sum of S from t on, if t >= 1))).
 * Of the fold, half of the workers add up the first points of the pairs, the other half weigh the second ones with the
 * index of their column. A single addition in a loop does all of this.
 */
#include "kernel/kernel.glsl"

#include "msm/eisenstein_reduce_gpu_args.h"
#include "msm/eisenstein_grid.h"
#include "arith/endomorphism.glsl"
#include "arith/quads.glsl"
RP_ARGS(rp_gpu_eisenstein_args)

#ifdef ENTRY_eisenstein_fold
#define WORKERS (THREADS / 8) /* the device may give the fold a smaller group */
#else
#define WORKERS RP_EISENSTEIN_WORKERS
#endif
#define WORKER (THREAD / 4)

/* The points of a worker. Because they are an array, drivers keep in registers only what one addition needs, and the
 * rest in memory. */
#define S 0     /* plain sum */
#define W 1     /* weighted sum */
#define T 2     /* what is multiplied */
#define ALL 3   /* the plain sum of all workers */
#define GIVEN 4 /* from memory or from another worker, zero if there is nothing */

/* zeta p for a point of the subgroup: zeta = -omega^2. */
acc acc_zeta(acc p) { return acc(fe_mul_beta_again(fe_mul_beta(p.x), p.x), fe_neg(p.y), p.zz, p.zzz); }

/* Bucket `row` of a column, or point `row` - 1 of its pairs in the fold, where row 0 is none; or zero. */
acc given(uint column, uint row) {
  if (column >= k.columns) return acc_zero();
  const uint reach = rp_eisenstein_reach(k.columns, column + 1);
#ifdef ENTRY_eisenstein_fold
  const uint part = row - 1;
  if (row == 0 || part << k.log_part > reach) return acc_zero();
  return acc_load(k.in, 2 * (column * k.parts + part) + (WORKER >= WORKERS ? 1 : 0));
#else
  if (row > reach) return acc_zero();
  return acc_load(k.in, row * k.columns + column);
#endif
}

void main() {
  acc v[5];
  [[unroll]] for (int i = 0; i < 5; i++) v[i] = acc_zero();
#ifdef ENTRY_eisenstein_fold
  const bool weighs = WORKER >= WORKERS;
  const uint worker = WORKER % WORKERS, first = worker * k.items, part = 0, each = k.parts + 1;
  const bool is_empty = false;
#else
  const bool weighs = true;
  const uint worker = WORKER, part = GROUP, first = (part * WORKERS + worker) * k.items, each = 2;
  const bool is_empty = part << k.log_part > rp_eisenstein_reach(k.columns, gl_WorkGroupID.y + 1);
#endif
  /* Each item is one addition of S to W, and then those of what is given to S. */
  const uint log_items = findMSB(k.items), log_workers = findMSB(WORKERS), log_times = part == 0 ? 0 : findMSB(part);
  const uint suffix = each * k.items, times = suffix + log_workers, doubling = times + 2 * log_times + 1,
             tree = doubling + log_items + 1, last = tree + log_workers, end = is_empty ? 0 : last + 1;
  for (uint step = 0; step < end; step++) {
    /* v[target] += v[source] */
    uint target = S, source = GIVEN;
    v[GIVEN] = acc_zero();
    if (step < suffix) {
      const uint item = first + k.items - 1 - step / each, row = step % each;
      if (row == 0) {
        target = W;
        if (weighs) source = S;
      } else {
#ifdef ENTRY_eisenstein_fold
        v[GIVEN] = given(item, row);
#else
        v[GIVEN] = given(gl_WorkGroupID.y, item);
#endif
      }
    } else if (step < times) {
      const uint d = 1u << (step - suffix);
      const acc other = acc_of_worker(v[S], min(WORKER + d, THREADS / 4 - 1));
      if (worker + d < WORKERS) v[GIVEN] = other;
    } else if (step < doubling) {
      /* T becomes the multiple of all, bit by bit, and then gets S. */
      target = T;
      if (step == times && part != 0) v[T] = v[ALL] = acc_of_worker(v[S], 0);
      const uint done = step - times;
      if (done == 2 * log_times) {
        if (weighs && worker != 0) source = S;
      } else if (done % 2 == 0) {
        source = T;
      } else if ((part >> (log_times - 1 - done / 2) & 1) != 0) {
        source = ALL;
      }
    } else if (step + 1 < tree) {
      target = source = T;
    } else if (step < tree) {
      target = W;
      source = T;
    } else if (step < last) {
      const uint d = WORKERS >> (step - tree + 1);
      target = W;
      const acc other = acc_of_worker(v[W], min(WORKER + d, THREADS / 4 - 1));
      if (worker < d) v[GIVEN] = other;
    } else {
      target = W;
#ifdef ENTRY_eisenstein_fold
      source = GIVEN;
      v[GIVEN] = acc_of_worker(v[S], 0);
#else
      source = S;
      v[W] = acc_zeta(v[W]);
#endif
    }
    v[target] = quads_add(v[target], v[source], target == source);
  }
#ifdef ENTRY_eisenstein_fold
  if (THREAD == 4 * WORKERS) acc_store(k.out, 0, v[W]);
#else
  if (THREAD == 0 && !is_empty) {
    const uint pair = 2 * (gl_WorkGroupID.y * k.parts + part);
    acc_store(k.out, pair, v[W]);
    acc_store(k.out, pair + 1, v[S]);
  }
#endif
}
