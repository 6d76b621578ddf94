/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One family's pairing (reprise/host.h), compiled with the parameters of its G2.
 */
#include <reprise/host.h>

#include "arith/host/host.h"
#include "arith/pairing/ate.h"
#include "kernel/tmpl.h"

enum { TOGETHER = 4 }; /* pairs whose Miller loops share squarings: bounds the memory on the stack */

typedef struct g1_point {
  fp x, y;
} g1_point;

static int g1_is_zero(const g1_point *p) { return fp_is_zero(&p->x) & fp_is_zero(&p->y); }

static void evaluator_make(evaluator *e, const g1_point *p) {
  fp_inv_var(&e->inv_y, &p->y);
  fp_mul(&e->neg_x_over_y, &p->x, &e->inv_y);
  fp_neg(&e->neg_x_over_y, &e->neg_x_over_y);
}

static void host_prepare(void *r, const void *g2_affine) { pairing_prepare(r, g2_affine); }

/* f := f times the Miller loops of the pairs in hand. */
static void flush(fp12 *f, const evaluator *e, const prepared *const *q, int *n) {
  fp12 t;
  if (!*n) return;
  miller_loop(&t, e, q, *n);
  fp12_mul(f, f, &t);
  *n = 0;
}

static void host_product(void *value, uint32_t n, const void *const *g1_affine, const void *const *g2) {
  evaluator e[TOGETHER];
  const prepared *q[TOGETHER];
  fp12 f;
  int held = 0;
  fp12_one(&f);
  for (uint32_t i = 0; i < n; i++) {
    const g1_point *p = g1_affine[i];
    const prepared *lines = g2[i];
    if (g1_is_zero(p) || lines->infinite) continue;
    evaluator_make(&e[held], p);
    q[held++] = lines;
    if (held == TOGETHER) flush(&f, e, q, &held);
  }
  flush(&f, e, q, &held);
  final_exponentiation(&f);
  memcpy(value, &f, sizeof f);
}

static int host_product_is_one(uint32_t n, const void *const *g1_affine, const void *const *g2_affine) {
  evaluator e[TOGETHER];
  prepared lines[TOGETHER];
  const prepared *q[TOGETHER];
  fp12 f, one;
  int held = 0;
  fp12_one(&f);
  for (uint32_t i = 0; i < n; i++) {
    if (g1_is_zero(g1_affine[i]) || aff_is_zero(g2_affine[i])) continue;
    evaluator_make(&e[held], g1_affine[i]);
    pairing_prepare(&lines[held], g2_affine[i]);
    q[held] = &lines[held];
    if (++held == TOGETHER) flush(&f, e, q, &held);
  }
  flush(&f, e, q, &held);
  final_exponentiation(&f);
  fp12_one(&one);
  return fp12_equal(&f, &one);
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
    .product = host_product,
    .product_is_one = host_product_is_one,
    .one = host_one,
};
