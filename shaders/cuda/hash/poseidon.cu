/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon with alpha = 5 (ops/hash/hash_args.h). Compiled for BN254 Fr alone. Each thread keeps a narrow state in its
 * registers: loops over the elements rotate the registers instead of indexing them, so that the code is one S-box and
 * one row of the matrix. Wide states, and states of which there are few, have one thread per element.
 */
#include "kernel/kernel.cuh"

#include "hash/hash_args.h"
#include "arith/dot.cuh"
#include "hash/merkle.cuh"

enum { AT_ONCE = 4 }; /* products that share a reduction */

RP_DEV fp sbox(const fp &x) {
  const fp xx = fp_sqr(x);
  return fp_mul(fp_sqr(xx), x);
}

template <int T> RP_DEV fp dot(const fp *row, const fp *x) {
  fp m[T < AT_ONCE ? T : AT_ONCE];
#pragma unroll
  for (int j = 0; j < T && j < AT_ONCE; j++) m[j] = row[j];
  if constexpr (T <= AT_ONCE)
    return fp_dot<T>(x, m);
  else
    return fp_add(fp_dot<AT_ONCE>(x, m), dot<T - AT_ONCE>(row + AT_ONCE, x + AT_ONCE));
}

/* Drops x[0], moves the others down by one and appends `last`, which is passed by value because it may be x[0]. */
template <int T> RP_DEV void turn(fp *x, fp last) {
#pragma unroll
  for (int i = 0; i + 1 < T; i++) x[i] = x[i + 1];
  x[T - 1] = last;
}

RP_DEV bool is_full(const rp_hash_args &k, uint32_t round) {
  return round < k.full_rounds / 2 || round >= k.full_rounds / 2 + k.partial_rounds;
}

template <int T> RP_DEV void permute(const rp_hash_args &k, fp *x) {
  const uint32_t rounds = k.full_rounds + k.partial_rounds;
  const fp *constants = (const fp *)k.constants, *matrix = constants + rounds * T;
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++, constants += T) {
    const bool full = is_full(k, r);
#pragma unroll
    for (int i = 0; i < T; i++) x[i] = fp_add(x[i], constants[i]);
#pragma unroll 1
    for (int i = 0; i < (full ? T : 1); i++) {
      x[0] = sbox(x[0]);
      if (full) turn<T>(x, x[0]);
    }
    fp y[T];
#pragma unroll
    for (int i = 0; i < T; i++) y[i] = fp_zero();
#pragma unroll 1
    for (int i = 0; i < T; i++) turn<T>(y, dot<T>(matrix + i * T, x));
#pragma unroll
    for (int i = 0; i < T; i++) x[i] = y[i];
  }
}

template <int T> RP_DEV void permute_states(const rp_hash_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= k.n) return;
  fp x[T];
#pragma unroll
  for (int j = 0; j < T; j++) x[j] = ((const fp *)k.in)[(uint64_t)i * T + j];
  permute<T>(k, x);
#pragma unroll
  for (int j = 0; j < T; j++) ((fp *)k.out)[(uint64_t)i * T + j] = x[j];
}

template <int T> RP_DEV fp hash_row(const rp_hash_args &k, const fp *row) {
  fp x[T];
  x[0] = fp_zero();
#pragma unroll
  for (int j = 1; j < T; j++) x[j] = row[j - 1];
  permute<T>(k, x);
  return x[0];
}

template <int T> RP_DEV void hash_rows(const rp_hash_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < k.n) ((fp *)k.out)[i] = hash_row<T>(k, (const fp *)k.in + (uint64_t)i * (T - 1));
}

struct join_in_thread {
  static __device__ __forceinline__ void call(const rp_hash_args &k, const uint64_t *children, uint64_t *node) {
    *(fp *)node = hash_row<3>(k, (const fp *)children);
  }
};

#define KERNEL extern "C" __global__ void __launch_bounds__(128)
KERNEL poseidon_permute_2(const rp_hash_args k) { permute_states<2>(k); }
KERNEL poseidon_permute_3(const rp_hash_args k) { permute_states<3>(k); }
KERNEL poseidon_permute_4(const rp_hash_args k) { permute_states<4>(k); }
KERNEL poseidon_permute_5(const rp_hash_args k) { permute_states<5>(k); }
KERNEL poseidon_rows_2(const rp_hash_args k) { hash_rows<2>(k); }
KERNEL poseidon_rows_3(const rp_hash_args k) { hash_rows<3>(k); }
KERNEL poseidon_rows_4(const rp_hash_args k) { hash_rows<4>(k); }
KERNEL poseidon_rows_5(const rp_hash_args k) { hash_rows<5>(k); }
extern "C" __global__ void __launch_bounds__(RP_MERKLE_GROUP_MOST) poseidon_merkle(const rp_merkle_args k) {
  merkle_group<join_in_thread>(k);
}

/* dot() for a width that is known only at run time. */
static __device__ fp dot_of(const fp *row, const fp *x, uint32_t t) {
  fp sum = fp_zero();
#pragma unroll 1
  for (; t > AT_ONCE; t -= AT_ONCE, row += AT_ONCE, x += AT_ONCE) sum = fp_add(sum, dot<AT_ONCE>(row, x));
  if (t == 4) return fp_add(sum, dot<4>(row, x));
  if (t == 3) return fp_add(sum, dot<3>(row, x));
  if (t == 2) return fp_add(sum, dot<2>(row, x));
  return fp_add(sum, dot<1>(row, x));
}

/* One thread per element, for states of any width: a block has as many whole states as fit. */
KERNEL poseidon_elements(const rp_hash_args k) {
  __shared__ fp shared[2][128];
  const uint32_t t = k.width, lane = threadIdx.x % t, local = threadIdx.x / t, states = blockDim.x / t;
  const uint64_t i = (uint64_t)blockIdx.x * states + local;
  const bool valid = local < states && i < k.n;
  const uint32_t rounds = k.full_rounds + k.partial_rounds;
  const fp *constants = (const fp *)k.constants + lane, *row = (const fp *)k.constants + (rounds + lane) * t;
  const fp *in = (const fp *)k.in;
  fp own = fp_zero();
  if (valid && !k.row_len) own = in[i * t + lane];
  if (valid && k.row_len && lane) own = in[i * k.row_len + lane - 1];
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++, constants += t) {
    own = fp_add(own, *constants);
    if (lane == 0 || is_full(k, r)) own = sbox(own);
    shared[r & 1][threadIdx.x] = own;
    __syncthreads(); /* every thread has arrived here, so none reads the other buffer any more */
    if (valid) own = dot_of(row, shared[r & 1] + local * t, t);
  }
  if (!valid) return;
  if (!k.row_len)
    ((fp *)k.out)[i * t + lane] = own;
  else if (lane == 0)
    ((fp *)k.out)[i] = own;
}

/* Four lanes per state of three elements; the fourth repeats the work of the third. */
enum { MERKLE_LANES = RP_MERKLE_POSEIDON_LANES };

RP_DEV fp of_lane(const fp &x, int lane) {
  fp r;
#pragma unroll
  for (int i = 0; i < FP_N; i++) r.v[i] = __shfl_sync(0xffffffffu, x.v[i], lane, MERKLE_LANES);
  return r;
}

struct join_in_lanes {
  static __device__ __forceinline__ void call(const rp_hash_args &k, const uint64_t *children, uint64_t *near,
                                              uint64_t *node) {
    const uint32_t own = threadIdx.x % MERKLE_LANES, lane = own < 3 ? own : 2;
    const uint32_t rounds = k.full_rounds + k.partial_rounds;
    const fp *constants = (const fp *)k.constants + lane, *row = (const fp *)k.constants + (rounds + lane) * 3;
    fp x = fp_zero();
    if (children && lane) x = ((const fp *)children)[lane - 1];
#pragma unroll 1
    for (uint32_t r = 0; r < rounds; r++, constants += 3) {
      x = fp_add(x, *constants);
      if (lane == 0 || is_full(k, r)) x = sbox(x);
      const fp state[3] = {of_lane(x, 0), of_lane(x, 1), of_lane(x, 2)};
      x = dot<3>(row, state);
    }
    if (children && own == 0) *(fp *)near = *(fp *)node = x;
  }
};

extern "C" __global__ void __launch_bounds__(RP_MERKLE_SHARED_THREADS) poseidon_merkle_shared(const rp_merkle_args k) {
  merkle_shared<join_in_lanes, MERKLE_LANES>(k);
}
