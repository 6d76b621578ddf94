/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket reduction: for each set the sum of (i + 1) * bucket[i]. There are too few buckets to keep a GPU busy with one
 * thread per bucket, so latency determines the time, and each worker is a quad of threads. Worker t goes down `items`
 * buckets with a running sum, which gives their plain sum S_t and their weighted sum W_t; then
 *   sum over workers t of (W_t + t * items * S_t) = sum of W_t + items * (sum over t >= 1 of the suffix sums of S),
 * so that the workgroup needs two trees and log2(items) doublings. A single addition in a loop does all of this.
 */
#include "kernel/kernel.glsl"

#include "msm/bucket_reduce_gpu_args.h"

#ifdef ENTRY_window_reduce
#include "arith/quad.glsl"
RP_ARGS(rp_gpu_window_args)

/* Horner's rule over the windows, by one quad: the chain of doublings is as long as the scalar. */
void main() {
  acc r = acc_load(k.windows, k.n - 1);
  for (uint i = k.n - 1; i-- > 0;) {
    for (uint j = 0; j < k.doublings; j++) r = quad_double(r);
    r = quad_add(r, acc_load(k.windows, i));
  }
  if (THREAD == 0) acc_store(k.result, 0, r);
}
#else
#include "arith/quads.glsl"
RP_ARGS(rp_gpu_reduce_args)

/* Those that share a task; of the fold, which the device may give a smaller group, half of all. */
#ifdef ENTRY_bucket_fold
#define WORKERS (THREADS / 8)
#else
#define WORKERS RP_GPU_REDUCE_WORKERS
#endif
#define WORKER (THREAD / 4)

/* The points of a worker. Because they are an array, drivers keep in registers only what one addition needs, and the
 * rest in memory. */
#define S 0     /* plain sum */
#define W 1     /* weighted sum */
#define T 2     /* what is doubled */
#define GIVEN 3 /* from memory or from another worker, zero if there is nothing */

void main() {
  acc v[4];
  [[unroll]] for (int i = 0; i < 4; i++) v[i] = acc_zero();
#ifdef ENTRY_bucket_fold
  /* Joins the parts of a set: sum of W_p + 2^log_scale * sum of p * S_p. Half of the workers add up the W_p, the other
   * half compute the weighted sum of the S_p, with weights from 0. */
  const bool weighs = WORKER >= WORKERS;
  const uint worker = WORKER % WORKERS, first = worker * k.items, set = GROUP, last_steps = k.log_scale + 1;
#else
  const bool weighs = true;
  const uint worker = WORKER, first = (GROUP * WORKERS + worker) * k.items, set = gl_WorkGroupID.y, last_steps = 0;
#endif
  const uint log_items = findMSB(k.items), log_workers = findMSB(WORKERS);
  const uint suffix = 2 * k.items, doubling = suffix + log_workers, weigh = doubling + log_items, tree = weigh + 1,
             rest = tree + log_workers, end = rest + last_steps;
  for (uint step = 0; step < end; step++) {
    /* v[target] += v[source]. v[GIVEN] is bucket or part `at`, if that is below k.buckets, or v[target] of worker
     * `from`, if `takes`. */
    uint target = S, source = GIVEN, at = k.buckets, from = WORKER;
    bool takes = false;
    if (step < suffix) {
#ifdef ENTRY_bucket_fold
      const bool adds_up = step % 2 == 0;
#else
      const bool adds_up = step % 2 == 1;
#endif
      if (adds_up)
        target = W, source = S;
      else
        at = first + k.items - 1 - step / 2;
      if (!weighs && adds_up) source = GIVEN;
    } else if (step < doubling) {
      const uint d = 1u << (step - suffix);
      takes = worker + d < WORKERS;
      from = WORKER + d;
    } else if (step < weigh) {
      if (step == doubling) v[T] = v[S];
      target = source = T;
    } else if (step == weigh) {
      if (log_items == 0) v[T] = v[S];
      target = W;
      if (weighs && worker != 0) source = T;
    } else if (step < rest) {
      const uint d = WORKERS >> (step - tree + 1);
      target = W;
      takes = worker < d;
      from = WORKER + d;
    } else {
      /* The end of the fold: the weighted sum is doubled, then the plain one is added. */
      target = source = W;
    }
    v[GIVEN] = acc_zero();
    if (at < k.buckets) {
#ifdef ENTRY_bucket_fold
      v[GIVEN] = acc_load(k.in, 2 * (set * k.buckets + at) + (weighs ? 1 : 0));
#else
      v[GIVEN] = acc_load(k.in, set * k.buckets + at);
#endif
    }
    const bool is_end = step >= rest && step + 1 == end;
    if ((step >= suffix && step < doubling) || (step > weigh && step < rest) || is_end) {
      const acc other = acc_of_worker(v[is_end ? S : target], is_end ? 0 : min(from, THREADS / 4 - 1));
      if (takes || is_end) v[GIVEN] = other;
      if (is_end) source = GIVEN;
    }
    v[target] = quads_add(v[target], v[source], target == source);
  }
#ifdef ENTRY_bucket_fold
  if (THREAD == 4 * WORKERS) acc_store(k.out, GROUP, v[W]);
#else
  if (THREAD == 0) {
    const uint part = set * n_groups + GROUP;
    acc_store(k.out, 2 * part, v[W]);
    acc_store(k.out, 2 * part + 1, v[S]);
  }
#endif
}
#endif
