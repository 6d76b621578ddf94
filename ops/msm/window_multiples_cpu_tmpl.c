/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for merged windows: doublings, with a conversion to affine form after each window that shares one
 * inversion among many points.
 */
#include "points/points_cpu.h"
#include "msm/window_multiples_args.h"
#include "kernel/lanes.h"
#if RP_LANES && !CURVE_EDWARDS
#include "arith/simd8/jac8.h"
#define POINT_LANES 1
#else
#define POINT_LANES 0
#endif

typedef struct rp_window_multiples_args args_t;

#if POINT_LANES
enum { GROUPS = 8, BATCH = 8 * GROUPS };

/* Points at to at + n - 1, with n at most BATCH. Spare lanes hold the last point again. */
static void multiples(const args_t *a, uint64_t at, uint32_t n) {
  const aff *in = (const aff *)a->in + at;
  const uint32_t groups = (n + 7) / 8;
  jac8 point[GROUPS];
  fe8 inverse[GROUPS], scratch[GROUPS];
  aff last[8];
  aff8 p;
  memcpy((aff *)a->out + at, in, n * sizeof *in);
  for (uint32_t i = 0; i < 8; i++) last[i] = in[8 * (groups - 1) + i < n ? 8 * (groups - 1) + i : n - 1];
  for (uint32_t g = 0; g < groups; g++) {
    aff8_load(&p, g == groups - 1 ? last : &in[8 * (uint64_t)g]);
    jac8_from_aff(&point[g], &p, 0);
  }
  for (uint32_t j = 1; j < a->merged; j++) {
    aff *out = (aff *)a->out + (uint64_t)j * a->n + at;
    for (uint32_t g = 0; g < groups; g++) {
      for (uint32_t d = 0; d < a->doublings; d++) jac8_dbl(&point[g], &point[g]);
      inverse[g] = point[g].z;
    }
    fe8_batch_inv_var(inverse, scratch, groups);
    for (uint32_t g = 0; g < groups; g++) {
      jac8_scale(&p, &point[g], &inverse[g]);
      aff8_store(g == groups - 1 ? last : &out[8 * (uint64_t)g], &p);
    }
    memcpy(&out[8 * (uint64_t)(groups - 1)], last, (n - 8 * (groups - 1)) * sizeof *last);
  }
}
#else
enum { BATCH = 128 };

static void multiples(const args_t *a, uint64_t at, uint32_t n) {
  acc batch[BATCH];
  aff out[BATCH];
  fe products[BATCH];
  for (uint32_t i = 0; i < n; i++) {
    const aff *p = (const aff *)a->in + at + i;
    acc_from_aff(&batch[i], p);
    ((aff *)a->out)[at + i] = *p;
  }
  for (uint32_t j = 1; j < a->merged; j++) {
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t d = 0; d < a->doublings; d++) pt_dbl(&batch[i], &batch[i]);
    }
    pt_batch_to_aff(out, batch, n, products);
    for (uint32_t i = 0; i < n; i++) ((aff *)a->out)[(uint64_t)j * a->n + at + i] = out[i];
  }
}
#endif

void RP_FN(window_multiples)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)worker;
  for (uint64_t at = begin; at < end; at += BATCH) multiples(args, at, end - at < BATCH ? (uint32_t)(end - at) : BATCH);
}
