/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomial values by Horner's rule, over LANES interleaved polynomials in point^LANES, which hide a product's
 * latency.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/poly_eval_args.h"

enum { LANES = 4 };

static void value_scalar(const fe *x, uint64_t n, const fe *point, fe *r) {
  fe lane[LANES], ratio, sum;
  for (int j = 0; j < LANES; j++) fe_zero(&lane[j]);
  cpu_fe_pow(&ratio, point, LANES);
  for (uint64_t i = (n + LANES - 1) / LANES * LANES; i > 0; i -= LANES)
    for (uint64_t j = 0; j < LANES; j++) {
      fe_mul(&lane[j], &lane[j], &ratio);
      if (i - LANES + j < n) fe_add(&lane[j], &lane[j], &x[i - LANES + j]);
    }
  sum = lane[LANES - 1];
  for (int j = LANES - 1; j-- > 0;) {
    fe_mul(&sum, &sum, point);
    fe_add(&sum, &sum, &lane[j]);
  }
  *r = sum;
}

#if RP_LANES
enum { STEP8 = 16, LEAST_COEFFICIENTS = 64 };

/* The value of the first n coefficients, n a multiple of STEP8, in chains on eight lanes. Sums stay memory values,
 * because the ratio is a working value. */
static void value_lanes(const fe *x, uint64_t n, const fe *point, fe *r) {
  fe lane[STEP8], ratio;
  fe8 sum[STEP8 / 8], r8, t;
  cpu_fe_pow(&ratio, point, STEP8);
  fe8_set1(&r8, &ratio);
  for (int c = 0; c < STEP8 / 8; c++) fe8_zero(&sum[c]);
  for (uint64_t i = n; i > 0; i -= STEP8)
    for (int c = 0; c < STEP8 / 8; c++) {
      fe8_load_raw(&t, &x[i - STEP8 + 8 * (uint64_t)c]);
      fe8_mul(&sum[c], &sum[c], &r8);
      fe8_add(&sum[c], &sum[c], &t);
    }
  for (int c = 0; c < STEP8 / 8; c++) fe8_store_raw(&lane[8 * c], &sum[c]);
  value_scalar(lane, STEP8, point, r);
}

static void value_at(const fe *x, uint64_t n, const fe *point, fe *r) {
  const uint64_t whole = n / STEP8 * STEP8;
  if (n < LEAST_COEFFICIENTS) {
    value_scalar(x, n, point, r);
    return;
  }
  value_lanes(x, whole, point, r);
  if (whole == n) return;
  fe rest, power;
  value_scalar(x + whole, n - whole, point, &rest);
  cpu_fe_pow(&power, point, whole);
  fe_mul(&rest, &rest, &power);
  fe_add(r, r, &rest);
}
#else
#define value_at value_scalar
#endif

void RP_FN(poly_chunks)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_poly_chunks_args *k = args;
  const fe *x = k->x, *points = k->points;
  fe *partial = k->partial;
  (void)w;
  for (uint64_t item = begin; item < end; item++) {
    uint64_t first = item % k->chunks * k->chunk, last = first + k->chunk;
    if (last > k->n) last = k->n;
    value_at(x + first, last - first, &points[item / k->chunks], &partial[item]);
  }
}

void RP_FN(poly_join)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_poly_join_args *k = args;
  const fe *partial = k->partial, *points = k->points;
  fe *out = k->out, power;
  (void)w;
  for (uint64_t p = begin; p < end; p++) {
    cpu_fe_pow(&power, &points[p], k->chunk);
    value_at(partial + p * k->chunks, k->chunks, &power, &out[p]);
  }
}
