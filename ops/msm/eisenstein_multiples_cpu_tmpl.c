/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of points for digits of Eisenstein integers: from one window to the next by the binary digits of the base,
 * with one inversion for many points.
 */
#include "points/points_cpu.h"
#include "arith/curves/endomorphism.h"
#include "msm/eisenstein_multiples_args.h"

typedef struct rp_eisenstein_multiples_args args_t;
enum { BATCH = 128 };

/* r = base a, for a base of at least 1. Complete: a may be of any order. */
static void multiple(acc *r, const aff *a, uint32_t base) {
  acc_from_aff(r, a);
  for (int bit = 30 - __builtin_clz(base); bit >= 0; bit--) {
    pt_dbl(r, r);
    if (base >> bit & 1) pt_add_aff(r, r, a);
  }
}

/* The multiples of window w of point i, by 1, omega and omega^2. */
static void store(const args_t *a, uint32_t w, uint64_t i, const aff *point) {
  aff p = *point, *out = (aff *)a->out + (uint64_t)w * a->n + i;
  const uint64_t step = (uint64_t)a->windows * a->n;
  out[0] = p;
  fe_mul_beta(&p.x, &p.x);
  out[step] = p;
  fe_mul_beta_again(&p.x, &p.x, &point->x);
  out[2 * step] = p;
}

static void multiples(const args_t *a, uint64_t at, uint32_t n) {
  acc batch[BATCH];
  aff point[BATCH];
  fe products[BATCH];
  memcpy(point, (const aff *)a->in + at, n * sizeof *point);
  for (uint32_t w = 0; w < a->windows; w++) {
    for (uint32_t i = 0; i < n && w; i++) multiple(&batch[i], &point[i], a->base);
    if (w) pt_batch_to_aff(point, batch, n, products);
    for (uint32_t i = 0; i < n; i++) store(a, w, at + i, &point[i]);
  }
}

void RP_FN(eisenstein_multiples)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)worker;
  for (uint64_t at = begin; at < end; at += BATCH) multiples(args, at, end - at < BATCH ? (uint32_t)(end - at) : BATCH);
}
