/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of blocks of points, as a tree: neighbours first, then their sums, which every device computes with the same
 * coordinates. On eight lanes each sums an eighth of the block, whose sum is a node of that tree.
 */
#include "points/points_cpu.h"
#include "points/tree_reduce_args.h"
#include "kernel/lanes.h"
#if RP_LANES && CURVE_EDWARDS
#include "arith/simd8/edw8.h"
#elif RP_LANES
#include "arith/simd8/acc8.h"
#endif

#include <stdbool.h>

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

#if RP_LANES
enum { LOG_LEAST = 4, LEAST_POINTS = 1 << LOG_LEAST, MOST_TREES = RP_TREE_CPU_LOG - LOG_LEAST + 1 };

#if CURVE_EDWARDS
typedef edw8 acc8;

static void acc8_load_strided(acc8 *r, const acc *memory, size_t stride) {
  const acc *at[8];
  for (size_t i = 0; i < 8; i++) at[i] = memory + i * stride;
  edw8_load_at(r, at);
}

static void acc8_store(acc *memory, const acc8 *a) {
  acc *at[8];
  for (size_t i = 0; i < 8; i++) at[i] = memory + i;
  edw8_store_at(at, a);
}

/* a += b */
static __attribute__((noinline)) void add8(acc8 *a, const acc8 *b) {
  fe8 d;
  edw8_coefficient(&d);
  edw8_add(a, a, b, &d);
}

/* r = the sums of points[i * stride] and points[i * stride + 1] */
static void add_affine8(acc8 *r, const aff *points, size_t stride) {
  const aff *left[8], *right[8];
  acc8 q;
  for (size_t i = 0; i < 8; i++) left[i] = points + i * stride, right[i] = left[i] + 1;
  edw8_load_affine(r, left, 0);
  edw8_load_affine(&q, right, 0);
  add8(r, &q);
}
#else
/* a += b. Not inlined: the code of an addition is larger than its callers. */
static __attribute__((noinline)) void add8(acc8 *a, const acc8 *b) { acc8_add(a, a, b); }

/* r = the sums of points[i * stride] and points[i * stride + 1] */
static void add_affine8(acc8 *r, const aff *points, size_t stride) {
  aff8 p, q;
  aff8_load_strided(&p, points, stride);
  aff8_load_strided(&q, points + 1, stride);
  acc8_add_two(r, &p, &q);
}
#endif

/* Lane i: the sum of points at + i * stride and at + i * stride + 1. */
static void sum_pairs(acc8 *r, const args_t *a, uint64_t at, uint64_t stride) {
  if (a->affine) {
    add_affine8(r, (const aff *)a->in + at, stride);
  } else {
    acc8 q;
    acc8_load_strided(r, (const acc *)a->in + at, stride);
    acc8_load_strided(&q, (const acc *)a->in + at + 1, stride);
    add8(r, &q);
  }
}

/* lane[i] = the sum of the i-th eighth of n points, a power of two from LEAST_POINTS to 2^RP_TREE_CPU_LOG. Each lane
 * has a stack as in sum_one_by_one. */
static void sum_eighths(acc lane[8], const args_t *a, uint64_t at, uint64_t n) {
  acc8 stack[RP_TREE_CPU_LOG - LOG_LEAST + 1];
  uint32_t depth = 0;
  for (uint64_t pair = 0; pair < n / 16; pair++, depth++) {
    sum_pairs(&stack[depth], a, at + 2 * pair, n / 8);
    for (uint64_t merge = pair; merge & 1u; merge >>= 1, depth--) add8(&stack[depth - 1], &stack[depth]);
  }
  acc8_store(lane, &stack[0]);
}

/* Whether adding zeros to points or to sums of them changes no coordinate: not if one is a zero that has others than
 * acc_zero gives, and not on a twisted Edwards curve, where every addition multiplies the denominators. */
static bool can_add_zeros(const args_t *a, uint64_t at, uint64_t n) {
  if (CURVE_EDWARDS) return 0;
  for (uint64_t i = at; i < at + n && !a->affine; i++)
    if (acc_is_zero((const acc *)a->in + i)) return 0;
  return 1;
}

/* The same for fewer than LEAST_POINTS points, to which zeros may be added. */
static void sum_few_eighths(acc lane[8], const args_t *a, uint64_t at, uint64_t n) {
  acc points[LEAST_POINTS] = {0};
  const args_t padded = {.in = (uint64_t *)points, .affine = a->affine};
  if (a->affine)
    memcpy(points, (const aff *)a->in + at, n * sizeof(aff));
  else
    memcpy(points, (const acc *)a->in + at, n * sizeof(acc));
  sum_eighths(lane, &padded, 0, LEAST_POINTS);
}

/* sums[i] = sums[2 i] + sums[2 i + 1] for n pairs */
static void add_neighbours(acc *sums, uint32_t n) {
  uint32_t i = 0;
  for (; i + 8 <= n; i += 8) {
    acc8 left, right;
    acc8_load_strided(&left, sums + 2 * i, 2);
    acc8_load_strided(&right, sums + 2 * i + 1, 2);
    add8(&left, &right);
    acc8_store(sums + i, &left);
  }
  for (; i < n; i++) pt_add(&sums[i], &sums[2 * i], &sums[2 * i + 1]);
}

/* The block's complete subtrees, from the largest on, each by eighths, and what is left of it. All eighths are added up
 * together, and the subtrees from the right. */
static void sum_of(acc *r, const args_t *a, uint64_t at, uint64_t n) {
  acc sums[8 * MOST_TREES];
  uint32_t trees = 0;
  for (uint64_t size = 1u << RP_TREE_CPU_LOG; size >= LEAST_POINTS; size /= 2) {
    if (size > n) continue;
    sum_eighths(&sums[8 * trees++], a, at, size);
    at += size, n -= size;
  }
  if (n > LEAST_POINTS / 2 && can_add_zeros(a, at, n)) {
    sum_few_eighths(&sums[8 * trees++], a, at, n);
    n = 0;
  }
  for (uint32_t pairs = 4 * trees; pairs >= trees && trees; pairs /= 2) add_neighbours(sums, pairs);
  if (n) sum_one_by_one(&sums[trees++], a, at, n);
  for (; trees > 1; trees--) pt_add(&sums[trees - 2], &sums[trees - 2], &sums[trees - 1]);
  *r = sums[0];
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
