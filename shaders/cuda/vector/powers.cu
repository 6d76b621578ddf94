/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Powers of an element (ops/vector/powers.c).
 */
#include "kernel/kernel.cuh"

#include "vector/powers_args.h"
#include "arith/field.cuh"

/* The elements of a thread are THREADS apart: each is the one before times base^THREADS, which is one product. What a
 * block needs to begin, the powers below THREADS and that of its first element, comes from one chain of squarings. */
#define THREADS 256
#define LOG_THREADS 8

struct geometric {
  fe at, step;
};

static __device__ __noinline__ fe power_product(fe a, fe b) { return fe_mul(a, b); }

/* scale * base^(first + thread), first a multiple of THREADS, and base^THREADS. All threads call together. */
static __device__ geometric geometric_from(const void *base_at, const void *scale, uint32_t has_scale, uint32_t first) {
  __shared__ fe small[THREADS], square[2], head, step;
  const uint32_t t = threadIdx.x;
  const int bits = 32 - __clz(first | THREADS);
  if (t == 0) {
    small[0] = fe_one();
    square[0] = fe_load(base_at, 0);
    head = has_scale ? fe_load(scale, 0) : fe_one();
  }
  __syncthreads();
  /* Step i: small[0 .. 2^i) times base^(2^i) gives the next 2^i powers; thread 0 computes the next square, and thread
   * 32 multiplies `head` by this one if bit i of `first` is set. */
#pragma unroll 1
  for (int i = 0; i < bits; i++) {
    const fe s = square[i & 1];
    const uint32_t from = t ^ 1u << i;
    const bool grow = i < LOG_THREADS && t >> i == 1, collect = t == 32 && first >> i & 1, advance = t == 0;
    /* One call for all of these, so that lanes of a warp do not take turns. */
    if (grow || collect || advance) {
      const fe r = power_product(advance ? s : grow ? small[from] : head, s);
      if (advance)
        square[~i & 1] = r;
      else if (grow)
        small[t] = r;
      else
        head = r;
    }
    if (i == LOG_THREADS && t == 64) step = s;
    __syncthreads();
  }
  return geometric{power_product(head, small[t]), step};
}

/* The elements of a block: equally many for each, a multiple of THREADS. */
static __device__ __forceinline__ uint64_t run_of(uint32_t n) {
  const uint32_t strides = (n - 1) / THREADS + 1;
  return ((strides - 1) / gridDim.x + 1) * (uint64_t)THREADS;
}

extern "C" __global__ void __launch_bounds__(THREADS) powers(const rp_powers_args k) {
  const uint64_t run = run_of(k.n), first = blockIdx.x * run, end = first + run < k.n ? first + run : k.n;
  if (first >= k.n) return;
  geometric g = geometric_from(k.base, k.scale, k.has_scale, (uint32_t)first);
  for (uint64_t i = first + threadIdx.x; i < end; i += THREADS) {
    fe_store(k.out, i, g.at);
    g.at = fe_mul(g.at, g.step);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) mul_powers(const rp_mul_powers_args k) {
  const uint64_t run = run_of(k.n), first = blockIdx.x * run, end = first + run < k.n ? first + run : k.n;
  if (first >= k.n) return;
  geometric g = geometric_from(k.base, k.scale, k.has_scale, (uint32_t)first);
  for (uint64_t i = first + threadIdx.x; i < end; i += THREADS) {
    fe_store(k.out, i, fe_mul(fe_load(k.x, i), g.at));
    g.at = fe_mul(g.at, g.step);
  }
}
