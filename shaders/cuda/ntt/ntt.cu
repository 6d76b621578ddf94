/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pass of the NTT (ops/ntt/ntt_args.h): a block gathers a tile, does all its layers and writes it back. A thread
 * holds 2^NTT_RADIX elements in registers and does NTT_RADIX layers between two exchanges through shared memory, so
 * that the multiplier limits the pass, and not shared memory.
 */
#include "kernel/kernel.cuh"

#include "ntt/ntt_args.h"
#include "ntt/ntt_tile.h"
#include "arith/field.cuh"

/* Between reading and writing, elements are loose (arith/goldilocks.cuh) where that is cheaper. */
#if FP_MONTGOMERY
#define fe_add_loose fe_add
#define fe_sub_loose fe_sub
static __device__ __forceinline__ fe fe_canonical(const fe &a) { return a; }
#else
#define fe_add_loose fp_add_loose
#define fe_sub_loose fp_sub_loose
#define fe_canonical fp_canonical
#endif

/* A thread's registers hold four elements of eight words, or sixteen of one or two. */
#if FP_N <= 2
#define NTT_RADIX 4
#else
#define NTT_RADIX 2
#endif
#define BLOCKS (FP_N <= 2 ? 4 : FP_N <= 8 ? 3 : 2) /* per multiprocessor, at least */

/* Called once per element and pass, so that inlining it would cost more code than it is worth. */
static __device__ __noinline__ fe mul_call(fe a, fe b) { return fe_mul(a, b); }

/* Where the elements of a thread are: element j has the local index local + (j << local_shift), and the position
 * position + (j << shift) in its transform. */
struct places {
  uint32_t local, position, local_shift, shift;
};

static __device__ __forceinline__ places places_of(const rp_ntt_args &k, const rp_ntt_tile &t, uint32_t local,
                                                   uint32_t shift) {
  return places{local, rp_ntt_position_of(k, t, local), shift, shift - t.x_bits + t.low_bits};
}

/* The position of element j, with its bits reversed if `permute`. For elements of up to two words, whose products are
 * cheap, computing each position anew would cost more than a layer: they follow from that of element 0. */
static __device__ __forceinline__ uint32_t index_of(const rp_ntt_args &k, const rp_ntt_tile &t, const places &p,
                                                    uint32_t j, bool permute) {
  if (FP_N > 2) {
    const uint32_t i = rp_ntt_position_of(k, t, p.local + (j << p.local_shift));
    return permute ? rp_bit_reverse(i, k.log_n) : i;
  }
  if (!permute) return p.position + (j << p.shift);
  return rp_bit_reverse(p.position, k.log_n) | __brev(j) >> (p.shift + 32 - k.log_n);
}

/* Element i of the transform. */
static __device__ fe read_element(const rp_ntt_args &k, const rp_ntt_tile &t, uint32_t i) {
  fe x = fe_load(k.in, ((uint64_t)t.transform << k.log_n) + i);
  return k.flags & RP_NTT_FACTOR_IN ? mul_call(x, fe_load(k.factors, (uint64_t)i * k.factor_step)) : x;
}

static __device__ void write_element(const rp_ntt_args &k, const rp_ntt_tile &t, uint32_t i, fe x) {
  if (k.flags & RP_NTT_FACTOR_OUT) x = mul_call(x, fe_load(k.factors, (uint64_t)i * k.factor_step));
  fe_store(k.out, ((uint64_t)t.transform << k.log_n) + i, fe_canonical(x));
}

/* In shared memory the 16-byte words of an element are far apart, in one plane each, so that neighbouring threads touch
 * neighbouring banks. The places in a plane are shuffled, because where the elements of a thread are neighbours, those
 * of neighbouring threads are a power of two apart. */
#if FP_N % 4 == 0
#define PLANES (FP_N / 4 * FE_DEGREE)
static __device__ __forceinline__ uint32_t shuffled(uint32_t i) { return i ^ (i >> 3 & 7); }
static __device__ void put(uint4 *shared, uint32_t n, uint32_t i, const fe &x) {
#pragma unroll
  for (int p = 0; p < PLANES; p++) shared[p * n + shuffled(i)] = ((const uint4 *)&x)[p];
}
static __device__ fe get(const uint4 *shared, uint32_t n, uint32_t i) {
  fe x;
#pragma unroll
  for (int p = 0; p < PLANES; p++) ((uint4 *)&x)[p] = shared[p * n + shuffled(i)];
  return x;
}
#else
static __device__ __forceinline__ uint32_t shuffled(uint32_t i) { return i ^ (i >> 4 & (FP_N == 1 ? 31 : 15)); }
static __device__ void put(uint4 *shared, uint32_t, uint32_t i, const fe &x) { ((fe *)shared)[shuffled(i)] = x; }
static __device__ fe get(const uint4 *shared, uint32_t, uint32_t i) { return ((const fe *)shared)[shuffled(i)]; }
#endif

/* The twiddle of block b > 0. */
static __device__ __forceinline__ fe twiddle(const rp_ntt_args &k, uint32_t b) {
  const fe w = fe_load(k.twiddles, rp_ntt_twiddle_at(k, b));
  return k.flags & RP_NTT_INVERSE ? fe_neg(w) : w;
}

/* T: the butterfly of the transposed network. Without W the twiddle is 1, as in block 0 of every layer, which saves two
 * layers' worth of products per transform. The operand that is subtracted must not be loose. */
template <bool T, bool W> static __device__ __forceinline__ void butterfly(fe &x, fe &y, const fe &w) {
  const fe t = W && !T ? fe_mul(y, w) : fe_canonical(y), d = fe_sub_loose(x, t);
  x = fe_add_loose(x, t);
  y = W && T ? fe_mul(d, w) : d;
}

/* Layer S of R on 2^R elements. Every index is a constant expression, so that the elements stay in registers. */
template <int R, int S, bool T>
static __device__ __forceinline__ void layer(const rp_ntt_args &k, fe *v, uint32_t block) {
  constexpr int half = 1 << (R - 1 - S);
#pragma unroll
  for (int q = 0; q < 1 << S; q++) {
    const uint32_t b = (block << S) + q;
    fe *x = v + 2 * half * q, *y = x + half;
    if (q || b) {
      const fe w = twiddle(k, b);
#pragma unroll
      for (int j = 0; j < half; j++) butterfly<T, true>(x[j], y[j], w);
    } else {
#pragma unroll
      for (int j = 0; j < half; j++) butterfly<T, false>(x[j], y[j], x[j]);
    }
  }
}

/* R layers; the elements are in block `block` of the first of them. T: from the last layer to the first. */
template <int R, bool T, int S = T ? R - 1 : 0>
static __device__ __forceinline__ void layers(const rp_ntt_args &k, fe *v, uint32_t block) {
  layer<R, S, T>(k, v, block);
  if constexpr (T ? S > 0 : S + 1 < R) layers<R, T, T ? S - 1 : S + 1>(k, v, block);
}

/* R layers of the tile, from layer `first` of the pass on, without an exchange between threads. Elements come from
 * device memory if from_memory, else from shared memory, and go to device memory if to_memory, else to shared
 * memory. */
template <int R, bool T>
static __device__ void step(const rp_ntt_args &k, const rp_ntt_tile &t, uint4 *shared, uint32_t first, bool from_memory,
                            bool to_memory) {
  const uint32_t n = 1u << (k.layers + k.log_columns), shift = t.x_bits + k.layers - first - R;
  /* Elements smaller than a sector of memory go through shared memory where those of a thread are neighbours, so that
   * whole lines are written. */
  const bool gather = sizeof(fe) < 32 && to_memory && shift == 0 && !(k.flags & RP_NTT_PERMUTE_OUT);
  for (uint32_t u = threadIdx.x; u < n >> R; u += blockDim.x) {
    const places p = places_of(k, t, (u >> shift << (shift + R)) | (u & ((1u << shift) - 1)), shift);
    fe v[1 << R];
#pragma unroll
    for (int j = 0; j < 1 << R; j++)
      v[j] = from_memory ? read_element(k, t, index_of(k, t, p, j, k.flags & RP_NTT_PERMUTE_IN))
                         : get(shared, n, p.local + ((uint32_t)j << shift));
    /* The block of layer `first`: that of the pass, and below it the bits of the row that earlier layers have fixed. */
    layers<R, T>(k, v, p.position >> (t.low_bits + k.layers - first));
#pragma unroll
    for (int j = 0; j < 1 << R; j++) {
      if (to_memory && !gather)
        write_element(k, t, index_of(k, t, p, j, k.flags & RP_NTT_PERMUTE_OUT), v[j]);
      else
        put(shared, n, p.local + ((uint32_t)j << shift), v[j]);
    }
  }
  __syncthreads();
  if (gather)
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
      write_element(k, t, rp_ntt_position_of(k, t, i), get(shared, n, i));
}

template <bool T> static __device__ void pass(const rp_ntt_args &k) {
  extern __shared__ uint4 shared[];
  const rp_ntt_tile t = rp_ntt_tile_of(k, blockIdx.x);
  if (k.layers == 0) { /* a transform of one element */
    for (uint32_t i = threadIdx.x; i < 1u << k.log_columns; i += blockDim.x) {
      const uint32_t at = rp_ntt_position_of(k, t, i);
      write_element(k, t, at, read_element(k, t, at));
    }
    return;
  }
  const uint32_t rest = k.layers % NTT_RADIX, steps = k.layers / NTT_RADIX + (rest != 0);
  for (uint32_t i = 0; i < steps; i++) {
    const uint32_t s = T ? steps - 1 - i : i, first = rp_ntt_first_of_step(k.layers, NTT_RADIX, s);
    bool from = i == 0, to = i + 1 == steps;
    if (s || !rest) step<NTT_RADIX, T>(k, t, shared, first, from, to);
#if NTT_RADIX > 2
    else if (rest == 3)
      step<3, T>(k, t, shared, first, from, to);
    else if (rest == 2)
      step<2, T>(k, t, shared, first, from, to);
#endif
    else
      step<1, T>(k, t, shared, first, from, to);
  }
}

/* A pass of few elements has about one tile per multiprocessor. Here a thread does one butterfly per layer, where the
 * passes above have four or sixteen elements per thread: more warps hide latency, and all layers share the code of one
 * product. */
template <bool T> static __device__ void pass_of_few(const rp_ntt_args &k) {
  extern __shared__ uint4 shared[];
  const rp_ntt_tile t = rp_ntt_tile_of(k, blockIdx.x);
  const uint32_t n = 1u << (k.layers + k.log_columns), u = threadIdx.x;
#pragma unroll 1
  for (uint32_t i = 0; i < k.layers; i++) {
    const uint32_t first = T ? k.layers - 1 - i : i, shift = t.x_bits + k.layers - first - 1;
    const places p = places_of(k, t, (u >> shift << (shift + 1)) | (u & ((1u << shift) - 1)), shift);
    const uint32_t block = p.position >> (t.low_bits + k.layers - first);
    fe w, x, y;
    if (u < n / 2 && block) w = twiddle(k, block); /* loaded while other threads reach the barrier */
    if (i) __syncthreads();
    if (u >= n / 2) continue;
    const bool permute_in = k.flags & RP_NTT_PERMUTE_IN, permute_out = k.flags & RP_NTT_PERMUTE_OUT;
    x = i ? get(shared, n, p.local) : read_element(k, t, index_of(k, t, p, 0, permute_in));
    y = i ? get(shared, n, p.local + (1u << shift)) : read_element(k, t, index_of(k, t, p, 1, permute_in));
    if (!T && block) y = fe_mul(y, w);
    butterfly<T, false>(x, y, w);
    if (T && block) y = fe_mul(y, w);
    if (i + 1 < k.layers) {
      put(shared, n, p.local, x);
      put(shared, n, p.local + (1u << shift), y);
    } else {
      write_element(k, t, index_of(k, t, p, 0, permute_out), x);
      write_element(k, t, index_of(k, t, p, 1, permute_out), y);
    }
  }
}

#define KERNEL extern "C" __global__ void __launch_bounds__(256, BLOCKS)
KERNEL ntt_pass(const rp_ntt_args k) { pass<false>(k); }
KERNEL ntt_pass_transposed(const rp_ntt_args k) { pass<true>(k); }
KERNEL ntt_few(const rp_ntt_args k) { pass_of_few<false>(k); }
KERNEL ntt_few_transposed(const rp_ntt_args k) { pass_of_few<true>(k); }
