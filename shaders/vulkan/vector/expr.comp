/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expressions over columns (ops/vector/expr_args.h): every thread runs the program on its rows, and keeps the top
 * of the stack to itself. An operand that is pushed only to be added or multiplied is used at once and never touches
 * the stack. There is one place for each kind of arithmetic.
 */
#include "kernel/kernel.glsl"

#include "vector/expr_args.h"
#include "arith/field.glsl"

#if defined(ENTRY_expr_8)
RP_ARGS(rp_expr_8_args)
#define ARGS k
#elif defined(ENTRY_expr_32)
RP_ARGS_BY_ADDRESS(rp_expr_32_args)
#define ARGS args.v
#else
RP_ARGS_BY_ADDRESS(rp_expr_256_args)
#define ARGS args.v
#endif

/* Values of rp_expr_op in reprise/ops.h. */
#define COLUMN 0u
#define CONSTANT 1u
#define ADD 2u
#define SUB 3u
#define MUL 4u
#define NEG 5u
#define SQR 6u
#define STORE 7u
#define LOAD 8u
#define PERIODIC 9u

#define SHARED RP_EXPR_SHARED_VULKAN(FE_BYTES)

/* Words of an element are in planes, so that neighbouring threads touch neighbouring banks. */
#if FP_N == 1
#define PLANES 1
shared uint words[SHARED * PLANES * RP_EXPR_GROUP];

void put_part(uint at, fp x) { words[at * RP_EXPR_GROUP + THREAD] = x.v[0]; }
fp get_part(uint at) { return fp_of_word(words[at * RP_EXPR_GROUP + THREAD]); }
#else
#define PLANES (FE_BYTES / 8)
shared uvec2 words[SHARED * PLANES * RP_EXPR_GROUP];

void put_part(uint at, fp x) {
  [[unroll]] for (uint w = 0; w < FP_N / 2; w++)
    words[(at + w) * RP_EXPR_GROUP + THREAD] = uvec2(x.v[2 * w], x.v[2 * w + 1]);
}

fp get_part(uint at) {
  fp x;
  [[unroll]] for (uint w = 0; w < FP_N / 2; w++) {
    const uvec2 word = words[(at + w) * RP_EXPR_GROUP + THREAD];
    x.v[2 * w] = word.x, x.v[2 * w + 1] = word.y;
  }
  return x;
}
#endif

void put(uint slot, fe x) {
  if (slot >= SHARED) {
    fe_store(ARGS.slots, (slot - SHARED) * ARGS.tail.threads + INDEX, x);
    return;
  }
  const uint at = slot * PLANES;
#if FE_DEGREE == 1
  put_part(at, x);
#else
  put_part(at, x.c0);
  put_part(at + FP_N / 2, x.c1);
#endif
}

fe get(uint slot) {
  if (slot >= SHARED) return fe_load(ARGS.slots, (slot - SHARED) * ARGS.tail.threads + INDEX);
  const uint at = slot * PLANES;
#if FE_DEGREE == 1
  return get_part(at);
#else
  return fe(get_part(at), get_part(at + FP_N / 2));
#endif
}

/* Instruction i. After the last one it is a STORE, with which no operand is fused. */
uvec2 instruction(uint i) { return i < ARGS.tail.n_code ? rp_u64(at(ARGS.code, i, 8)).v[0] : uvec2(STORE, 0); }

fe operand(uint op, uint index, uint offset, uint row) {
  if (op == LOAD) return get(ARGS.tail.first_temp + index);
  if (op == CONSTANT || op == PERIODIC) return fe_load(ARGS.constants, index + (row & offset)); /* of a constant: 0 */
  const uint left = ARGS.tail.n - offset;
  return fe_load(ARGS.columns[index], row < left ? row + offset : row - left);
}

fe evaluate(uint row) {
  fe top = fe_zero();
  uint depth = 0; /* elements on the stack; the top is not in its slot */
  for (uint i = 0; i < ARGS.tail.n_code; i++) {
    const uvec2 code = instruction(i);
    const uint op = code.x & 0xffff, index = code.x >> 16;
    uint act = op;
    fe a = top, b = top;
    if (op == COLUMN || op == CONSTANT || op == LOAD || op == PERIODIC) {
      b = operand(op, index, code.y, row);
      act = instruction(i + 1).x & 0xffff;
      if (act < ADD || act > MUL) {
        if (depth != 0) put(depth - 1, top);
        depth++;
        top = b;
        continue;
      }
      i++;
    } else if (op == STORE) {
      put(ARGS.tail.first_temp + index, top);
      depth--;
      if (depth != 0) top = get(depth - 1);
      continue;
    } else if (op == NEG) {
      act = SUB;
      a = fe_zero();
    } else if (op == SQR) {
      act = MUL;
    } else {
      depth--;
      a = get(depth - 1);
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

void main() {
  for (uint row = INDEX; row < ARGS.tail.n; row += ARGS.tail.threads) fe_store(ARGS.out, row, evaluate(row));
}
