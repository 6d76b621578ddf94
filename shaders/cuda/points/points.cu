/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations on points, tree reduction and window multiples (ops/points/points_args.h).
 */
#define RP_CUDA_SMALL_CODE
#include "kernel/kernel.cuh"

#include "points/points_args.h"
#include "arith/affine.cuh"
#include "kernel/block_inverse.cuh"
#include "kernel/fault.cuh"
#include "arith/glv.cuh"
#include "arith/quad.cuh"
#include "arith/scalar.cuh"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern __shared__ uint4 shared[]; /* as much as the dispatch asks for */

static __device__ __noinline__ void acc_add_to(acc *a, const acc *b) { *a = acc_add(*a, *b); }
static __device__ __noinline__ void acc_double(acc *a) { *a = acc_dbl(*a); }

static __device__ acc load(const void *array, uint32_t i, uint32_t affine) {
  return affine ? acc_from_aff(aff_load(array, i)) : acc_load(array, i);
}

extern "C" __global__ void __launch_bounds__(128) point_from_affine(const rp_point_map_args k) {
  const uint32_t i = INDEX;
  if (i < k.n) acc_store(k.out, i, acc_from_aff(aff_load(k.in, i)));
}

extern "C" __global__ void __launch_bounds__(128) point_neg(const rp_point_map_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  if (k.affine)
    aff_store(k.out, i, aff_neg_if(true, aff_load(k.in, i)));
  else
    acc_store(k.out, i, acc_neg(acc_load(k.in, i)));
}

/* The sum of two affine points: acc_add's values with fewer products. */
static __device__ __noinline__ void acc_of_two(acc *sum, const aff *p, const aff *q) {
#if CURVE_EDWARDS
  *sum = acc_add_aff(acc_from_aff(*p), *q);
#else
  const fe u = fe_sub(q->x, p->x), r = fe_sub(q->y, p->y);
  *sum = acc_from_aff(*p);
  if (aff_is_zero(*q)) return;
  if (aff_is_zero(*p)) {
    *sum = acc_from_aff(*q);
  } else if (fe_is_zero(u)) {
    if (fe_is_zero(r))
      acc_dbl_call(sum);
    else
      *sum = acc_zero();
  } else {
    const fe uu = fe_sqr(u), uuu = fe_mul(uu, u), v = fe_mul(p->x, uu);
    sum->x = fe_sub(fe_sub(fe_sqr(r), uuu), fe_dbl(v));
    sum->y = fe_sub(fe_mul(r, fe_sub(v, sum->x)), fe_mul(p->y, uuu));
    sum->zz = uu;
    sum->zzz = uuu;
  }
#endif
}

static __device__ __noinline__ void acc_add_aff_to(acc *a, const aff *b) { *a = acc_add_aff(*a, *b); }

extern "C" __global__ void __launch_bounds__(128) point_add(const rp_point_add_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  const uint32_t at_a = i * k.a_step, at_b = i * k.b_step;
  acc sum;
  if (k.a_affine && k.b_affine) {
    const aff a = aff_load(k.a, at_a), b = aff_load(k.b, at_b);
    acc_of_two(&sum, &a, &b);
  } else if (k.a_affine || k.b_affine) {
    const aff b = k.a_affine ? aff_load(k.a, at_a) : aff_load(k.b, at_b);
    sum = k.a_affine ? acc_load(k.b, at_b) : acc_load(k.a, at_a);
    acc_add_aff_to(&sum, &b);
  } else {
    const acc b = acc_load(k.b, at_b);
    sum = acc_load(k.a, at_a);
    acc_add_to(&sum, &b);
  }
  acc_store(k.out, i, sum);
}

extern "C" __global__ void __launch_bounds__(128) point_to_affine(const rp_point_map_args k) {
  const uint32_t i = INDEX;
  const aff a = warp_to_affine(i < k.n ? acc_load(k.in, i) : acc_zero());
  if (i < k.n) aff_store(k.out, i, a);
}

/* Many: a thread has a chain of points, whose denominators' product is inverted with those of its workgroup
 * (batch_inverse.cu); out[i].x holds the product of the chain before i in between. */
extern "C" __global__ void __launch_bounds__(RP_GPU_INVERSE_BLOCK)
    point_to_affine_chains(const rp_point_chains_args k) {
  constexpr uint32_t THREADS = RP_GPU_INVERSE_BLOCK;
  const uint32_t begin = blockIdx.x * k.block, n = k.n - begin < k.block ? k.n - begin : k.block, t = threadIdx.x;
  const acc *in = (const acc *)k.in + begin;
  aff *out = (aff *)k.out + begin;
  fe product = fe_one();
  for (uint32_t i = t; i < n; i += THREADS) {
    const fe d = fe_load(&ACC_DENOMINATOR(in[i]), 0);
    if (i != t) fe_store(&out[i].x, 0, product);
    if (!fe_is_zero(d)) product = fe_mul(product, d);
  }
  fe inverse = block_inverse(product);
  if (t >= n) return;
  for (uint32_t i = t + (n - 1 - t) / THREADS * THREADS;; i -= THREADS) {
    const acc p = acc_load(in, i);
    const fe own = i == t ? inverse : fe_mul(inverse, fe_load(&out[i].x, 0));
    if (!fe_is_zero(ACC_DENOMINATOR(p))) inverse = fe_mul(inverse, ACC_DENOMINATOR(p));
    aff_store(out, i, acc_to_aff_with(p, own));
    if (i == t) return;
  }
}

/* r = scalar * p, four bits a step; false if the scalar is not below the order. */
static __device__ bool multiply(acc *r, const uint64_t *scalar, const aff &p) {
  uint32_t s[8];
  if (!scalar_load(s, scalar)) return false;
#if CURVE_GLV
  const half_scalar half[2] = {scalar_half(s, false), scalar_half(s, true)};
  acc table[8];
  table[0] = acc_from_aff(p);
  for (int j = 1; j < 8; j++) {
    table[j] = table[j - 1];
    acc_add_to(&table[j], &table[0]);
  }
  *r = acc_zero();
  for (int digit = GLV_DIGITS - 1; digit >= 0; digit--) {
    for (int j = 0; j < 4 && !acc_is_zero(*r); j++) acc_double(r);
    for (int h = 0; h < 2; h++) {
      const int d = half_digit(half[h], digit);
      if (!d) continue;
      acc q = table[abs(d) - 1];
      if (h) q.x = fe_mul(q.x, curve_beta());
      if (half[h].negative != (d < 0)) q.y = fe_neg(q.y);
      acc_add_to(r, &q);
    }
  }
#else
  acc table[15];
  table[0] = acc_from_aff(p);
  for (int j = 1; j < 15; j++) {
    table[j] = table[j - 1];
    acc_add_to(&table[j], &table[0]);
  }
  *r = acc_zero();
  for (int digit = 63; digit >= 0; digit--) {
    for (int j = 0; j < 4; j++) acc_double(r);
    uint32_t d = s[digit / 8] >> digit % 8 * 4 & 15;
    if (d) acc_add_to(r, &table[d - 1]);
  }
#endif
  return true;
}

/* A scalar that is too large is reported, and counts as zero: what follows reads no memory that nobody wrote. */
extern "C" __global__ void __launch_bounds__(128) scalar_mul(const rp_scalar_mul_args k) {
  const uint32_t i = INDEX;
  if (i >= k.n) return;
  acc r;
  if (!multiply(&r, k.scalars + (uint64_t)i * k.scalar_step * 4, aff_load(k.points, (uint64_t)i * k.point_step))) {
    r = acc_zero();
    rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
  }
  acc_store(k.out, i, r);
}

/* Few products: a quad each, four bits a step. */
extern "C" __global__ void __launch_bounds__(32) scalar_mul_quad(const rp_scalar_mul_args k) {
  const uint32_t i = INDEX / 4;
  if (i >= k.n) return;
  uint32_t s[8];
  if (!scalar_load(s, k.scalars + (uint64_t)i * k.scalar_step * 4)) {
    if ((threadIdx.x & 3) == 0) {
      acc_store(k.out, i, acc_zero());
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    }
    return;
  }
  acc table[15], r = acc_zero();
  table[0] = acc_from_aff(aff_load(k.points, (uint64_t)i * k.point_step));
  for (int j = 1; j < 15; j++) {
    table[j] = table[j - 1];
    quad_add(&table[j], &table[0]);
  }
  for (int digit = 63; digit >= 0; digit--) {
    for (int j = 0; j < 4 && !acc_is_zero(r); j++) quad_double(&r);
    const uint32_t d = s[digit / 8] >> digit % 8 * 4 & 15;
    if (d) quad_add(&r, &table[d - 1]);
  }
  if ((threadIdx.x & 3) == 0) acc_store(k.out, i, r);
}

#if CURVE_GLV
/* Fewer still: a quad a half. */
extern "C" __global__ void __launch_bounds__(32) scalar_mul_glv(const rp_scalar_mul_args k) {
  const uint32_t i = INDEX / 8;
  if (i >= k.n) return;
  uint32_t s[8];
  if (!scalar_load(s, k.scalars + (uint64_t)i * k.scalar_step * 4)) {
    if ((threadIdx.x & 7) == 0) {
      acc_store(k.out, i, acc_zero());
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
    }
    return;
  }
  const bool second = threadIdx.x & 4;
  const half_scalar half = scalar_half(s, second);
  acc table[8], r = acc_zero();
  table[0] = acc_from_aff(aff_load(k.points, (uint64_t)i * k.point_step));
  if (second) table[0].x = fe_mul(table[0].x, curve_beta());
  if (half.negative) table[0].y = fe_neg(table[0].y);
  for (int j = 1; j < 8; j++) {
    table[j] = table[j & 1 ? j / 2 : j - 1];
    if (j & 1)
      quad_double(&table[j]);
    else
      quad_add(&table[j], &table[0]);
  }
  for (int digit = GLV_DIGITS - 1; digit >= 0; digit--) {
    __syncwarp(); /* quads side by side, though their digits differ */
    for (int j = 0; j < 4 && !acc_is_zero(r); j++) quad_double(&r);
    const int d = half_digit(half, digit);
    if (!d) continue;
    acc q = table[abs(d) - 1];
    if (d < 0) q.y = fe_neg(q.y);
    quad_add(&r, &q);
  }
  acc other;
  __syncwarp();
  for (uint32_t j = 0; j < sizeof(acc) / 4; j++)
    ((uint32_t *)&other)[j] = __shfl_xor_sync(0xffu << (threadIdx.x & 24), ((const uint32_t *)&r)[j], 4);
  quad_add(&r, &other);
  if ((threadIdx.x & 7) == 0) acc_store(k.out, i, r);
}
#endif

/* A workgroup a result: products of few points, then their sum in a tree. */
extern "C" __global__ void __launch_bounds__(128) msm_small(const rp_msm_small_args k) {
  acc *sums = (acc *)shared, sum = acc_zero();
  for (uint32_t i = threadIdx.x; i < k.n; i += blockDim.x) {
    const uint64_t at = (uint64_t)blockIdx.x * k.n + i;
    acc r;
    if (multiply(&r, k.scalars + at * 4, aff_load(k.points, i)))
      acc_add_to(&sum, &r);
    else
      rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, at);
  }
  for (uint32_t d = blockDim.x / 2; d; d /= 2) {
    if (threadIdx.x >= d && threadIdx.x < 2 * d) sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < d) acc_add_to(&sum, &sums[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) acc_store(k.out, blockIdx.x, sum);
}

/* Groups of up to a block's points in shared memory, the stride doubling from one: the canonical order. */
extern "C" __global__ void __launch_bounds__(128) tree_reduce(const rp_tree_reduce_args k) {
  acc *points = (acc *)shared;
  const uint32_t group = blockIdx.x / k.blocks, first = blockIdx.x % k.blocks * k.block;
  const uint32_t n = k.width - first < k.block ? k.width - first : k.block;
  acc sum = acc_zero();
  if (threadIdx.x < n) sum = load(k.in, group * k.width + first + threadIdx.x, k.affine);
  for (uint32_t d = 1; d < n; d *= 2) {
    if ((threadIdx.x & (2 * d - 1)) == d) points[threadIdx.x] = sum;
    __syncthreads();
    if ((threadIdx.x & (2 * d - 1)) == 0 && threadIdx.x + d < n) acc_add_to(&sum, &points[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) acc_store(k.out, blockIdx.x, sum);
}

/* The same for groups of up to SHARE times as many points, all levels in one dispatch: a thread joins its SHARE
 * neighbours before threads join. With SHARE and all bounds fixed, a group of exactly 128 * SHARE. */
template <uint32_t SHARE, bool FIXED> static __device__ void tree_of_shares(const rp_tree_reduce_args &k) {
  acc *points = (acc *)shared;
  constexpr uint32_t threads = 128;
  const uint32_t n = FIXED ? threads * SHARE : k.width, share = FIXED ? SHARE : (n + threads - 1) / threads;
  const uint32_t step = FIXED       ? SHARE
                        : share > 4 ? 8
                        : share > 2 ? 4
                                    : 2; /* a power of two, so that trees are aligned */
  const uint32_t first = threadIdx.x * step, live = (n + step - 1) / step;
  acc own[SHARE];
#pragma unroll 1
  for (uint32_t i = 0; i < step && first + i < n; i++) own[i] = load(k.in, blockIdx.x * n + first + i, k.affine);
#pragma unroll 1
  for (uint32_t d = 1; d < step; d *= 2)
#pragma unroll 1
    for (uint32_t i = 0; i + d < step && first + i + d < n; i += 2 * d) acc_add_to(&own[i], &own[i + d]);
  for (uint32_t d = 1; d < (FIXED ? threads : live); d *= 2) {
    if ((threadIdx.x & (2 * d - 1)) == d) points[threadIdx.x] = own[0];
    __syncthreads();
    if ((threadIdx.x & (2 * d - 1)) == 0 && (FIXED || threadIdx.x + d < live))
      acc_add_to(&own[0], &points[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) acc_store(k.out, blockIdx.x, own[0]);
}
extern "C" __global__ void __launch_bounds__(128) tree_reduce_wide(const rp_tree_reduce_args k) {
  tree_of_shares<8, false>(k);
}
extern "C" __global__ void __launch_bounds__(128) tree_reduce_w256(const rp_tree_reduce_args k) {
  tree_of_shares<2, true>(k);
}

static __device__ acc sum_of_pair(const rp_tree_reduce_args &k, uint32_t at, bool alone) {
  if (alone) return load(k.in, at, k.affine);
  acc sum;
  if (k.affine) {
    const aff a = aff_load(k.in, at), b = aff_load(k.in, at + 1);
    acc_of_two(&sum, &a, &b);
  } else {
    const acc a = acc_load(k.in, at + 1);
    sum = acc_load(k.in, at);
    acc_add_to(&sum, &a);
  }
  return sum;
}

/* n neighbours, 1 to 16, joined as a tree; own[l] is the sum of 2^(l + 1) that waits for as many more. */
static __device__ acc sum_of_share(const rp_tree_reduce_args &k, uint32_t at, uint32_t n) {
  acc own[4], sum;
  uint32_t pairs = (n + 1) / 2;
#pragma unroll 1
  for (uint32_t i = 0; i < pairs; i++) {
    uint32_t level = 0;
    sum = sum_of_pair(k, at + 2 * i, 2 * i + 1 == n);
#pragma unroll 1
    for (; i >> level & 1; level++) {
      acc_add_to(&own[level], &sum);
      sum = own[level];
    }
    own[level] = sum;
  }
  sum = own[__ffs(pairs) - 1];
#pragma unroll 1
  while (pairs &= pairs - 1) { /* a tree with less than all leaves */
    const uint32_t level = __ffs(pairs) - 1;
    acc_add_to(&own[level], &sum);
    sum = own[level];
  }
  return sum;
}

/* A long tree: blocks of up to 4096 points, the same tree. A thread sums a share of neighbours, at most 16; then sums
 * are in slots 0 to m - 1, and slot s is the node whose first leaf is s with its bits reversed, so that slots s and s +
 * m / 2 are neighbours and no lane idles among busy ones. The upper levels have fewer sums than lanes, and quads make
 * them: four products deep in place of fourteen. */
#define QUADS_THREADS 256
extern "C" __global__ void __launch_bounds__(QUADS_THREADS) tree_reduce_quads(const rp_tree_reduce_args k) {
  acc *points = (acc *)shared; /* half as many as threads */
  const uint32_t first = blockIdx.x % k.blocks * k.block, at = blockIdx.x / k.blocks * k.width + first;
  const uint32_t n = k.width - first < k.block ? k.width - first : k.block;
  const uint32_t t = threadIdx.x, quad = t / 4, shift = n > 2 ? __clz(n - 1) : 31, leaf = __brev(t) >> shift;
  uint32_t m = 0x80000000u >> shift; /* sums of the level */
  if (m > QUADS_THREADS / 4) {
    const uint32_t share = m > QUADS_THREADS ? m / (QUADS_THREADS / 2) : 2;
    acc sum = acc_zero();
    if (m > QUADS_THREADS) m = QUADS_THREADS;
    if (t < m && leaf < n) sum = sum_of_share(k, at + leaf, n - leaf < share ? n - leaf : share);
    if (m == QUADS_THREADS) {
      m /= 2;
      if (t >= m) points[t - m] = sum;
      __syncthreads();
      if (t < m && __brev(t + m) >> shift < n) acc_add_to(&sum, &points[t]);
    }
    if (t < m) points[t] = sum;
    m /= 2;
  } else if (t < 2 * m && leaf < n) {
    points[t] = load(k.in, at + leaf, k.affine);
  }
  for (; m; m /= 2) {
    __syncthreads();
    if (quad < m && __brev(quad + m) >> shift < n) quad_add_shared(&points[quad], &points[quad + m]);
  }
  if (t == 0) acc_store(k.out, blockIdx.x, points[0]);
}

/* out[j * n + i] = 2^(doublings * j) * in[i], affine: one inversion a warp and multiple. */
extern "C" __global__ void __launch_bounds__(128) window_multiples(const rp_window_multiples_args k) {
  const uint32_t i = INDEX;
  acc p = i < k.n ? acc_from_aff(aff_load(k.in, i)) : acc_zero();
  for (uint32_t j = 0;; j++) {
    const aff a = warp_to_affine(p);
    if (i < k.n) aff_store(k.out, (uint64_t)j * k.n + i, a);
    if (j + 1 == k.merged) return;
    p = acc_from_aff(a);
    for (uint32_t d = 0; d < k.doublings; d++) acc_double(&p);
  }
}
