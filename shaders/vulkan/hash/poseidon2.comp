/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2 (ops/hash/poseidon2_args.h). If there are many states, each gets one thread. If there are few, as in a
 * transcript or near the root of a tree, there is one thread per element.
 */
#include "kernel/kernel.glsl"
#include "field_params.glsl"

#include "hash/merkle_args.h"
#include "hash/poseidon2_args.h"

#ifdef ENTRY_poseidon2_merkle_shared
RP_ARGS(rp_merkle_args)
#define HASH k.hash
#else
RP_ARGS(rp_hash_args)
#define HASH k
#endif
#ifndef ENTRY_poseidon2_rows
#define POSEIDON2_LANES
#endif
#include "hash/poseidon2.glsl"

/* An element of the rate after that of the row was absorbed. */
fp absorbed(fp state, fp x) {
#if FP_WORD_BYTES == 4
  return x;
#else
  return fp_add(state, x);
#endif
}

#ifdef ENTRY_poseidon2_rows
fp[WIDTH] absorb(addr row) {
  fp x[WIDTH];
  [[unroll]] for (uint j = 0; j < WIDTH; j++) {
    x[j] = fp_zero();
    if (k.row_len == 0 && j < k.width) x[j] = fe_load(row, j);
    if (k.row_len != 0 && j + 1 == k.width) x[j] = capacity();
  }
  /* A state is permuted once, and nothing is added to it. */
  [[dont_unroll]] for (uint done = 0; done < max(k.row_len, 1); done += k.rate) {
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
      if (j < k.rate && done + j < k.row_len) x[j] = absorbed(x[j], fe_load(row, done + j));
    x = permute(x);
  }
  if (k.width == 2 && k.row_len != 0) x[0] = fp_add(x[0], fe_load(row, 0));
  return x;
}

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  fp x[WIDTH] = absorb(at(k.in, i * (k.row_len != 0 ? k.row_len : k.width), FE_BYTES));
  [[dont_unroll]] for (uint done = 0; done < k.out_len; done += k.rate) {
    if (done != 0) x = permute(x);
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
      if (j < k.rate && done + j < k.out_len) fe_store(k.out, i * k.out_len + done + j, x[j]);
  }
}
#endif

#ifdef ENTRY_poseidon2_lanes
/* All threads of the workgroup call together; `there` says whether these threads have a state. */
fp absorb(addr row, uint lane, bool there) {
  fp x = fp_zero();
  if (there && k.row_len == 0 && lane < k.width) x = fe_load(row, lane);
  if (k.row_len != 0 && lane + 1 == k.width) x = capacity();
  [[dont_unroll]] for (uint done = 0; done < max(k.row_len, 1); done += k.rate) {
    if (there && lane < k.rate && done + lane < k.row_len) x = absorbed(x, fe_load(row, done + lane));
    x = permute(x, lane);
  }
  if (there && k.width == 2 && k.row_len != 0 && lane == 0) x = fp_add(x, fe_load(row, 0));
  return x;
}

void main() {
  const uint lane = THREAD % WIDTH, i = INDEX / WIDTH;
  const bool there = i < k.n;
  fp x = absorb(at(k.in, i * (k.row_len != 0 ? k.row_len : k.width), FE_BYTES), lane, there);
  [[dont_unroll]] for (uint done = 0; done < k.out_len; done += k.rate) {
    if (done != 0) x = permute(x, lane);
    if (there && lane < k.rate && done + lane < k.out_len) fe_store(k.out, i * k.out_len + done + lane, x);
  }
}
#endif

#ifdef ENTRY_poseidon2_merkle_shared
/* Elements per digest, and nodes at a time; a pair is absorbed rate by rate. */
#if FP_WORD_BYTES == 4
#define ELEMENTS 8
#define MERKLE_NODES (RP_MERKLE_SHARED_THREADS / RP_MERKLE_POSEIDON2_SMALL_LANES)
#else
#define ELEMENTS 1
#define MERKLE_NODES RP_MERKLE_SHARED_GROUP
#endif
#include "hash/merkle.glsl"

fp join(uint level, uint node, uint lane, bool there) {
  fp x = fp_zero(), first = fp_zero();
  if (lane + 1 == k.hash.width) x = capacity();
  if (there && lane < 2 * ELEMENTS) {
    first = merkle_child(level, node, lane);
    x = absorbed(x, first);
  }
  x = permute(x, lane);
  return k.hash.width == 2 && lane == 0 ? fp_add(x, first) : x;
}

void main() {
  const uint lane = THREAD % WIDTH, states = THREADS / WIDTH;
  [[dont_unroll]] for (uint level = 0; level < k.levels; level++) {
    const uint n = k.group >> level;
    [[dont_unroll]] for (uint first = 0; first < n; first += states) {
      const uint node = first + THREAD / WIDTH;
      const fp x = join(level, node, lane, node < n);
      if (node < n && lane < ELEMENTS) merkle_store(level, node, lane, x);
    }
    barrier();
  }
  merkle_clear_slot_0();
}
#endif
