/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The pairing of one family (reprise/host.h), compiled with the parameters of its G2.
 */
#include <reprise/host.h>

#include "arith/host/host.h"
#include "arith/pairing/ate.h"
#include "arith/pairing/final_exp.h"
#include "kernel/tmpl.h"
#if defined(RP_PAIRING_LANES)
#include "arith/pairing/ate8.h"

#include <stdlib.h>
#endif

/* How many pairs share the squarings of their Miller loops; fewer where their lines are on the stack. */
enum { TOGETHER = 16, AT_ONCE = 4 };

typedef struct g1_point {
  fp x, y;
} g1_point;

static bool g1_is_zero(const g1_point *p) { return fp_is_zero(&p->x) & fp_is_zero(&p->y); }

static void evaluator_make(evaluator *e, const g1_point *p) {
  fp_inv_var(&e->inv_y, &p->y);
  fp_mul(&e->neg_x_over_y, &p->x, &e->inv_y);
  fp_neg(&e->neg_x_over_y, &e->neg_x_over_y);
}

static bool host_prepare(void *r, const void *g2_affine) { return pairing_prepare(r, g2_affine); }

#if defined(RP_PAIRING_LANES)
/* Eight at a time. At most three remaining points are done one by one, because a walk of eight takes as long as
 * three. */
static bool host_prepare_many(uint32_t n, void *const *r, const void *const *g2_affine, uint8_t *valid) {
  prepare8_memory *memory = NULL;
  prepared rest;
  uint32_t done = 0;
  if (n > 3 && !(memory = aligned_alloc(64, (sizeof *memory + 63) & ~(size_t)63))) return false;
  for (; n - done > 3; done += n - done < 8 ? n - done : 8) {
    prepared *to[8];
    const aff *from[8];
    for (uint32_t i = 0; i < 8; i++) {
      to[i] = done + i < n ? r[done + i] : &rest;
      from[i] = g2_affine[done + i < n ? done + i : done];
    }
    const uint8_t good = pairing_prepare8(to, from, memory);
    for (uint32_t i = 0; i < 8 && done + i < n; i++) valid[done + i] = good >> i & 1;
  }
  for (; done < n; done++) valid[done] = (uint8_t)host_prepare(r[done], g2_affine[done]);
  free(memory);
  return true;
}
#else
static bool host_prepare_many(uint32_t n, void *const *r, const void *const *g2_affine, uint8_t *valid) {
  for (uint32_t i = 0; i < n; i++) valid[i] = (uint8_t)host_prepare(r[i], g2_affine[i]);
  return true;
}
#endif

#if defined(RP_PAIRING_LANES)

/* The product of n Miller loops with shared squarings, in lanes. */
static void loops(gt *f, const evaluator *p, const prepared *const *q, int n) {
  fp8 e[TOGETHER];
  lanes_lines lines[TOGETHER];
  fp12 one;
  fp12_one(&one);
  lanes_load(f, &one);
  for (int k = 0; k < n; k++) lanes_evaluator(&e[k], &p[k].neg_x_over_y, &p[k].inv_y);
  for (int i = 0, l = 0; l < PAIRING_LINES; i++) {
    if (i > 0 && i < PAIRING_LOOP_DOUBLINGS) lanes_sqr(f, f); /* at i = 0, f is still one */
    const int steps = i >= PAIRING_LOOP_DOUBLINGS ? PAIRING_LINES - l : pairing_loop[i] ? 2 : 1;
    for (int s = 0; s < steps; s++, l++)
      for (int k = 0; k < n; k++) {
        if (l % 2 == 0) lanes_evaluate(&lines[k], &q[k]->line[l], &e[k]);
        lanes_mul_line(f, &lines[k], l % 2);
      }
  }
  if (CURVE_X_IS_NEGATIVE) lanes_conjugate(f, f);
}
_Static_assert(sizeof(line) == 4 * sizeof(fp), "the coefficients of two lines stand side by side");

static void gt_one(gt *r) {
  fp12 one;
  fp12_one(&one);
  lanes_load(r, &one);
}

static void finish(fp12 *value, const gt *f) {
  gt m, r;
  lanes_store(value, f);
  easy_part(value);
  lanes_load(&m, value);
  hard_part(&r, &m);
  lanes_store(value, &r);
}

#else

static void loops(gt *f, const evaluator *p, const prepared *const *q, int n) { miller_loop(f, p, q, n); }
static void gt_one(gt *r) { fp12_one(r); }

static void finish(fp12 *value, const gt *f) {
  fp12 m = *f;
  easy_part(&m);
  hard_part(value, &m);
}

#endif

/* f *= the Miller loops of the n pairs that are held; n becomes 0. */
static void flush(gt *f, const evaluator *e, const prepared *const *q, int *n) {
  gt t;
  if (!*n) return;
  loops(&t, e, q, *n);
  gt_mul(f, f, &t);
  *n = 0;
}

static bool host_product(void *value, uint32_t n, const void *const *g1_affine, const void *const *g2) {
  evaluator e[TOGETHER];
  const prepared *q[TOGETHER];
  gt f;
  fp12 r;
  int held = 0;
  gt_one(&f);
  for (uint32_t i = 0; i < n; i++) {
    const g1_point *p = g1_affine[i];
    const prepared *lines = g2[i];
    if (lines->what != PREPARED_LINES && lines->what != PREPARED_INFINITY) return false;
    if (g1_is_zero(p) || lines->what == PREPARED_INFINITY) continue;
    evaluator_make(&e[held], p);
    q[held++] = lines;
    if (held == TOGETHER) flush(&f, e, q, &held);
  }
  flush(&f, e, q, &held);
  finish(&r, &f);
  memcpy(value, &r, sizeof r);
  return true;
}

static bool host_product_is_one(uint32_t n, const void *const *g1_affine, const void *const *g2_affine) {
  evaluator e[AT_ONCE];
  prepared lines[AT_ONCE];
  const prepared *q[AT_ONCE];
  gt f;
  fp12 r, one;
  int held = 0;
  gt_one(&f);
  for (uint32_t i = 0; i < n; i++) {
    if (!pairing_prepare(&lines[held], g2_affine[i])) return false;
    if (g1_is_zero(g1_affine[i]) || lines[held].what == PREPARED_INFINITY) continue;
    evaluator_make(&e[held], g1_affine[i]);
    q[held] = &lines[held];
    if (++held == AT_ONCE) flush(&f, e, q, &held);
  }
  flush(&f, e, q, &held);
  finish(&r, &f);
  fp12_one(&one);
  return fp12_equal(&r, &one);
}

static void host_one(void *value) {
  fp12 one;
  fp12_one(&one);
  memcpy(value, &one, sizeof one);
}

const rp_pairing_host RP_FN(pairing_host) = {
    .prepared_bytes = sizeof(prepared),
    .value_bytes = sizeof(fp12),
    .prepare = host_prepare,
    .prepare_many = host_prepare_many,
    .product = host_product,
    .product_is_one = host_product_is_one,
    .one = host_one,
};
