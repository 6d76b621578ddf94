/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expressions over columns (ops/vector/expr_args.h): every thread runs the program on its rows, with the top of
 * the stack in registers. An operand that is pushed only to be added or multiplied is used at once and never touches
 * the stack. There is one place for each kind of arithmetic, so that the interpreter stays in the instruction cache.
 */
#include "kernel/kernel.cuh"

#include "vector/expr_args.h"
#include "arith/field.cuh"

#define THREADS RP_EXPR_GROUP
#define SHARED RP_EXPR_SHARED(sizeof(fe))

/* Values of rp_expr_op in reprise/ops.h. */
enum { COLUMN, CONSTANT, ADD, SUB, MUL, NEG, SQR, STORE, LOAD, PERIODIC };

/* With small elements, registers are limited so that a multiprocessor holds 1024 threads, whose loads hide the latency
 * of memory. */
#if FE_DEGREE * FP_N <= 8
#define BLOCKS 8
#else
#define BLOCKS 1
#endif

/* Words of an element lie in planes, so that neighbouring threads touch neighbouring banks. */
#if FP_N == 1
typedef uint32_t word;
#else
typedef uint2 word;
#endif
#define PLANES (sizeof(fe) / sizeof(word))

struct slots {
  word *shared;
  fe *others;
  uint32_t threads, thread;
};

static __device__ __forceinline__ void put(const slots &s, uint32_t slot, const fe &x) {
  if (slot < SHARED) {
#pragma unroll
    for (uint32_t w = 0; w < PLANES; w++) s.shared[(slot * PLANES + w) * THREADS + threadIdx.x] = ((const word *)&x)[w];
  } else {
    s.others[(uint64_t)(slot - SHARED) * s.threads + s.thread] = x;
  }
}

static __device__ __forceinline__ fe get(const slots &s, uint32_t slot) {
  if (slot >= SHARED) return s.others[(uint64_t)(slot - SHARED) * s.threads + s.thread];
  fe x;
#pragma unroll
  for (uint32_t w = 0; w < PLANES; w++) ((word *)&x)[w] = s.shared[(slot * PLANES + w) * THREADS + threadIdx.x];
  return x;
}

template <typename ARGS> static __device__ fe evaluate(const ARGS &k, const slots &s, uint64_t row) {
  const uint2 *code = (const uint2 *)k.code;
  const uint2 end = make_uint2(STORE, 0);
  fe top = fe_zero();
  uint32_t depth = 0; /* elements on the stack; the top is not in its slot */
  uint2 next = code[0];
  for (uint32_t i = 1; i <= k.tail.n_code; i++) {
    const uint32_t op = next.x & 0xffff, index = next.x >> 16, offset = next.y;
    next = i < k.tail.n_code ? code[i] : end;
    uint32_t act = op;
    fe a = top, b = top;
    if (op == COLUMN || op == CONSTANT || op == LOAD || op == PERIODIC) {
      if (op == COLUMN) {
        const uint64_t at = row + offset;
        b = fe_load(k.columns[index], at < k.tail.n ? at : at - k.tail.n);
      } else { /* the offset of a constant is 0 */
        b = op == LOAD ? get(s, k.tail.first_temp + index) : fe_load(k.constants, index + (row & offset));
      }
      act = next.x & 0xffff;
      if (act != ADD && act != SUB && act != MUL) {
        if (depth) put(s, depth - 1, top);
        depth++;
        top = b;
        continue;
      }
      i++;
      next = i < k.tail.n_code ? code[i] : end;
    } else if (op == STORE) {
      put(s, k.tail.first_temp + index, top);
      if (--depth) top = get(s, depth - 1);
      continue;
    } else if (op == NEG) {
      act = SUB;
      a = fe_zero();
    } else if (op == SQR) {
      act = MUL;
    } else {
      a = get(s, --depth - 1);
    }
    if (act == MUL)
      top = fe_mul(a, b);
    else if (act == ADD)
      top = fe_add(a, b);
    else
      top = fe_sub(a, b);
  }
  return top;
}

template <typename ARGS> static __device__ void rows(const ARGS &k) {
  __shared__ word shared[SHARED * PLANES * THREADS];
  const uint32_t thread = blockIdx.x * THREADS + threadIdx.x;
  const slots s = {shared, (fe *)k.slots, k.tail.threads, thread};
  for (uint64_t row = thread; row < k.tail.n; row += k.tail.threads) fe_store(k.out, row, evaluate(k, s, row));
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) expr_8(const __grid_constant__ rp_expr_8_args k) {
  rows(k);
}
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) expr_32(const __grid_constant__ rp_expr_32_args k) {
  rows(k);
}
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) expr_256(const __grid_constant__ rp_expr_256_args k) {
  rows(k);
}
