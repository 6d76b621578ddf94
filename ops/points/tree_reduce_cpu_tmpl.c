/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of blocks of points. Addition of points is associative and commutative, so that with eight lanes each lane sums
 * every eighth point, and the eight sums are added at the end.
 */
#include "points/points_cpu.h"
#include "points/tree_reduce_args.h"
#include "kernel/lanes.h"
#if RP_LANES && !CURVE_EDWARDS
#include "arith/simd8/acc8.h"
#include "arith/simd8/jac8.h"
#define POINT_LANES 1
#else
#define POINT_LANES 0
#endif

typedef struct rp_tree_reduce_args args_t;

static void load(acc *r, const args_t *a, uint64_t i) {
  if (a->affine) {
    acc_from_aff(r, (const aff *)a->in + i);
  } else {
    *r = ((const acc *)a->in)[i];
  }
}

/* The tree in which, for stride 1, 2, 4 and so on, element i + stride is added to element i. The stack holds the sums
 * of the complete subtrees so far, whose heights are the bits of the count. */
static void sum_one_by_one(acc *r, const args_t *a, uint64_t at, uint64_t n) {
  acc stack[33];
  uint32_t depth = 0;
  for (uint64_t i = 0; i < n; i++, depth++) {
    load(&stack[depth], a, at + i);
    for (uint64_t merge = i; merge & 1u; merge >>= 1, depth--)
      pt_add(&stack[depth - 1], &stack[depth - 1], &stack[depth]);
  }
  for (; depth > 1; depth--) pt_add(&stack[depth - 2], &stack[depth - 2], &stack[depth - 1]);
  *r = stack[0];
}

#if POINT_LANES
/* With fewer points, adding up the lanes costs more than they save. */
enum { LEAST_POINTS = 16 };

/* lane[i] = the sum of points at + i, at + i + 8 ...; n is a multiple of eight. */
static void sum_affine8(acc lane[8], const aff *at, uint64_t n) {
  acc *to[8];
  jac8 sum;
  jac8_zero(&sum);
  for (uint64_t k = 0; k < n; k += 8) {
    aff8 p;
    aff8_load(&p, at + k);
    jac8_add_aff(&sum, &sum, &p, 0, 0);
  }
  for (int i = 0; i < 8; i++) to[i] = &lane[i];
  jac8_store(to, &sum);
}

static void sum_accumulators8(acc lane[8], const acc *at, uint64_t n) {
  acc8 sum, p;
  acc8_load(&sum, at);
  for (uint64_t k = 8; k < n; k += 8) {
    acc8_load(&p, at + k);
    acc8_add(&sum, &sum, &p);
  }
  acc8_store(lane, &sum);
}

static void sum_of(acc *r, const args_t *a, uint64_t at, uint64_t n) {
  const uint64_t whole = n / 8 * 8;
  acc lane[8], rest;
  if (n < LEAST_POINTS) {
    sum_one_by_one(r, a, at, n);
    return;
  }
  if (a->affine) {
    sum_affine8(lane, (const aff *)a->in + at, whole);
  } else {
    sum_accumulators8(lane, (const acc *)a->in + at, whole);
  }
  for (int i = 1; i < 8; i++) pt_add(&lane[0], &lane[0], &lane[i]);
  if (whole < n) {
    sum_one_by_one(&rest, a, at + whole, n - whole);
    pt_add(&lane[0], &lane[0], &rest);
  }
  *r = lane[0];
}
#else
#define sum_of sum_one_by_one
#endif

void RP_FN(tree_reduce)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  (void)worker;
  for (uint64_t item = begin; item < end; item++) {
    const uint64_t group = item / a->blocks, first = item % a->blocks * a->block;
    const uint64_t n = a->width - first < a->block ? a->width - first : a->block;
    sum_of((acc *)a->out + item, a, group * a->width + first, n);
  }
}
