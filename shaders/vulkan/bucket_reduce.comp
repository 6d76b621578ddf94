/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket reduction: per set the sum of (i + 1) * bucket[i]. A thread is a worker, and runs down a few buckets with a running
 * sum; then
 *   sum over workers t of (W_t + t * items * S_t) = sum of W_t + items * (sum over t >= 1 of the suffix sums of S),
 * so that the workgroup needs two trees and log2(items) doublings. All additions are those of one place, in a loop.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernel.glsl"

#include "args/gpu_buckets.h"

#ifdef ENTRY_window_reduce
#include "quad.glsl"
RP_ARGS(rp_gpu_window_args)

/* Horner's rule over the windows; the chain of doublings is as long as the scalar. */
void main() {
  acc r = acc_load(k.windows, k.n - 1);
  for (uint i = k.n - 1; i-- > 0;) {
    for (uint j = 0; j < k.doublings; j++) r = quad_double(r);
    r = quad_add(r, acc_load(k.windows, i));
  }
  if (THREAD == 0) acc_store(k.result, 0, r);
}
#else
#include "curve.glsl"
RP_ARGS(rp_gpu_reduce_args)

#define WORKERS RP_GPU_REDUCE_WORKERS
#define LOG_WORKERS 5
#if WORKERS != 1 << LOG_WORKERS
#error "LOG_WORKERS is not that of the workers"
#endif

shared acc slots[gl_WorkGroupSize.x];

/* What `p` has added to it next. */
#define TO_S 0
#define TO_W 1
#define TO_T 2 /* doublings */

void main() {
  acc s = acc_zero(), w = acc_zero(), t = acc_zero();
#ifdef ENTRY_bucket_fold
  /* Parts of a set: sum of W_p + 2^log_scale * sum of p * S_p. One half of the workers add up the W, the other weighs the
   * S, counting from 0. */
  const bool weighs = THREAD >= WORKERS;
  const uint worker = THREAD % WORKERS, first = worker * k.items, last_steps = k.log_scale + 1;
#else
  const bool weighs = true;
  const uint worker = THREAD, first = (GROUP * WORKERS + worker) * k.items, last_steps = 0;
#endif
  const uint base = THREAD - worker, log_items = findMSB(k.items);
  const uint suffix = 2 * k.items, doubling = suffix + LOG_WORKERS, weigh = doubling + log_items, tree = weigh + 1,
             rest = tree + LOG_WORKERS;
  for (uint step = 0; step < rest + last_steps; step++) {
    uint target = TO_S;
    acc q = acc_zero();
    if (step < suffix) {
      const uint j = first + k.items - 1 - step / 2;
#ifdef ENTRY_bucket_fold
      if (step % 2 == 0) {
        target = TO_W;
        if (weighs) q = s;
      } else if (j < k.buckets) {
        q = acc_load(k.in + uint64_t(8 * FE_BYTES) * (uint64_t(GROUP) * k.buckets + j), weighs ? 1 : 0);
      }
#else
      if (step % 2 == 0) {
        if (j < k.buckets) q = acc_load(k.in + uint64_t(4 * FE_BYTES) * (uint64_t(gl_WorkGroupID.y) * k.buckets + j), 0);
      } else {
        target = TO_W;
        q = s;
      }
#endif
    } else if (step < doubling) {
      const uint d = 1u << (step - suffix);
      slots[THREAD] = s;
      barrier();
      if (worker + d < WORKERS) q = slots[THREAD + d];
      barrier();
    } else if (step < weigh) {
      if (step == doubling) t = s;
      target = TO_T;
      q = t;
    } else if (step == weigh) {
      if (log_items == 0) t = s;
      target = TO_W;
      if (weighs && worker != 0) q = t;
    } else if (step < rest) {
      const uint d = WORKERS >> (step - tree + 1);
      slots[THREAD] = w;
      barrier();
      if (worker < d) q = slots[THREAD + d];
      barrier();
      target = TO_W;
    } else {
      /* The fold's end: the weighed sum is doubled, then the plain one is added. */
      target = TO_W;
      q = w;
      if (step + 1 == rest + last_steps) {
        slots[THREAD] = s;
        barrier();
        q = slots[0];
      }
    }
    acc p = s;
    if (target == TO_W) p = w;
    if (target == TO_T) p = t;
    p = acc_add(p, q);
    if (target == TO_S) s = p;
    else if (target == TO_W) w = p;
    else t = p;
  }
#ifdef ENTRY_bucket_fold
  if (THREAD == WORKERS) acc_store(k.out, GROUP, w);
#else
  if (THREAD == 0) {
    const uint64_t at = k.out + uint64_t(8 * FE_BYTES) * (uint64_t(gl_WorkGroupID.y) * n_groups + GROUP);
    acc_store(at, 0, w);
    acc_store(at, 1, s);
  }
#endif
}
#endif
