/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The y of many points with given x (rp_point_lift_many of reprise/host.h), compiled for the curves of compressed keys:
 * one by one or, with eight-lane arithmetic, sixteen at a time.
 */
#include <reprise/host.h>
#include <reprise/op.h>

#include "arith/curve.h"
#include "arith/host/host.h"
#include "kernel/lanes.h"
#include "kernel/tmpl.h"

#include <stdbool.h>

static bool is_larger(const fe *y) {
#if FE_DEGREE == 2
  return fp_is_high_var(fp_is_zero(&y->c1) ? &y->c0 : &y->c1);
#else
  return fp_is_high_var(y);
#endif
}

static void lift_one(const rp_lift_args *k, uint64_t i) {
  aff *point = (aff *)k->points + i;
  fe square, y;
  aff_yy(&square, &point->x);
  fe_zero(&point->y);
  k->valid[i] = fe_sqrt_var(&y, &square) != 0;
  if (!k->valid[i]) return;
  if (is_larger(&y) != (k->larger[i] != 0)) fe_neg(&y, &y);
  point->y = y;
}

#if RP_LANES
#if FP_TWO_ADICITY != 1
#error "the square roots need p = 3 mod 4"
#endif

/* Two vectors at a time: neither product of the one has to wait for the other's. */
enum { VECTORS = 2, AT_ONCE = 8 * VECTORS, WINDOW = 4, DIGITS = 16 * FP_LIMBS };

/* r[v] = a[v]^((p - 3) / 4), for tight values. */
FP8_CALL void power_of(fp8 r[VECTORS], const fp8 a[VECTORS]) {
  static const uint64_t exponent[FP_LIMBS] = FP_SQRT_EXPONENT_64; /* (p + 1) / 4, whose lowest word is not 0 */
  fp8 table[1 << WINDOW][VECTORS];
  for (int v = 0; v < VECTORS; v++) {
    fp8_one(&table[0][v]);
    for (int i = 1; i < 1 << WINDOW; i++) fp8_mul(&table[i][v], &table[i - 1][v], &a[v]);
    r[v] = table[0][v];
  }
  for (int i = DIGITS; i-- > 0;) {
    const uint64_t word = exponent[i / 16] - (i / 16 == 0);
    for (int k = 0; k < WINDOW; k++)
      for (int v = 0; v < VECTORS; v++) fp8_sqr(&r[v], &r[v]);
    const unsigned digit = word >> WINDOW * (i % 16) & ((1 << WINDOW) - 1);
    for (int v = 0; v < VECTORS && digit; v++) fp8_mul(&r[v], &r[v], &table[digit][v]);
  }
}

#if FE_DEGREE == 2
/* One of the roots of a[v]; anything where there is none. With s^2 = c0^2 + c1^2, t = (c0 + s) / 2, d = t^((p - 3) / 4)
 * and x = t d: t d^2 is 1 or -1, since its square is t^(p - 1). In the first case x^2 = t and the root is x + c1 d / 2
 * u. In the second x^2 = -t, (c1 d / 2)^2 = (c0 - s) / 2, and the root is c1 d / 2 - x u. If t is 0, c1 is 0 as well,
 * and c0 takes its place. */
static void roots_of(fe8 r[VECTORS], const fe8 a[VECTORS]) {
  fp8 n[VECTORS], d[VECTORS], t[VECTORS], half, one, x, y;
  fp two, of_two;
  fp_set_u32(&two, 2);
  fp_inv_var(&of_two, &two);
  fp8_set1(&half, &of_two);
  fp8_one(&one);
  for (int v = 0; v < VECTORS; v++) {
    fp8_sqr(&x, &a[v].c0);
    fp8_sqr(&y, &a[v].c1);
    fp8_add(&n[v], &x, &y);
  }
  power_of(d, n);
  for (int v = 0; v < VECTORS; v++) {
    fp8_mul(&x, &n[v], &d[v]);
    fp8_add(&t[v], &a[v].c0, &x);
    fp8_mul(&t[v], &t[v], &half);
    fp8_cmov(&t[v], &a[v].c0, fp8_is_zero(&t[v]));
  }
  power_of(d, t);
  for (int v = 0; v < VECTORS; v++) {
    fp8 minus;
    fp8_mul(&x, &t[v], &d[v]);
    fp8_mul(&y, &a[v].c1, &d[v]);
    fp8_mul(&y, &y, &half);
    fp8_mul(&t[v], &x, &d[v]);
    const m8 is_square = fp8_equal(&t[v], &one);
    fp8_neg(&minus, &x);
    r[v].c0 = y, r[v].c1 = minus;
    fp8_cmov(&r[v].c0, &x, is_square);
    fp8_cmov(&r[v].c1, &y, is_square);
  }
}
#else
static void roots_of(fe8 r[VECTORS], const fe8 a[VECTORS]) {
  power_of(r, a);
  for (int v = 0; v < VECTORS; v++) fp8_mul(&r[v], &r[v], &a[v]);
}
#endif

/* At most AT_ONCE points. Lanes without a point have the root of 0. */
static void lift_some(const rp_lift_args *k, uint64_t first, uint32_t n) {
  fe square[AT_ONCE], root[AT_ONCE];
  fe8 a[VECTORS], r[VECTORS], t;
  for (uint32_t i = 0; i < AT_ONCE; i++) {
    if (i < n)
      aff_yy(&square[i], &((const aff *)k->points)[first + i].x);
    else
      fe_zero(&square[i]);
  }
  for (int v = 0; v < VECTORS; v++) fe8_load(&a[v], &square[8 * v]);
  roots_of(r, a);
  uint32_t good = 0;
  for (int v = 0; v < VECTORS; v++) {
    fe8_store(&root[8 * v], &r[v]);
    fe8_sqr(&t, &r[v]);
    good |= (uint32_t)fe8_equal(&t, &a[v]) << 8 * v;
  }
  for (uint32_t i = 0; i < n; i++) {
    aff *point = (aff *)k->points + first + i;
    k->valid[first + i] = good >> i & 1;
    if (!k->valid[first + i])
      fe_zero(&point->y);
    else if (is_larger(&root[i]) != (k->larger[first + i] != 0))
      fe_neg(&point->y, &root[i]);
    else
      point->y = root[i];
  }
}

/* Roots on lanes take twice as long as one root in scalar arithmetic. */
void RP_FN(lift_many)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)worker;
  uint64_t i = begin;
  for (; end - i > 1; i += end - i < AT_ONCE ? end - i : AT_ONCE)
    lift_some(args, i, (uint32_t)(end - i < AT_ONCE ? end - i : AT_ONCE));
  if (i < end) lift_one(args, i);
}
#else
void RP_FN(lift_many)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)worker;
  for (uint64_t i = begin; i < end; i++) lift_one(args, i);
}
#endif
