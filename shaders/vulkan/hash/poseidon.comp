/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon with alpha = 5 (ops/hash/hash_args.h). Compiled for BN254 Fr alone. Each thread keeps a narrow state; wide
 * states, and states of which there are few, have one thread per element.
 */
#include "kernel/kernel.glsl"

#include "hash/hash_args.h"

RP_ARGS(rp_hash_args)

#if defined(ENTRY_poseidon_permute_2) || defined(ENTRY_poseidon_rows_2)
#define T 2
#elif defined(ENTRY_poseidon_permute_3) || defined(ENTRY_poseidon_rows_3)
#define T 3
#elif defined(ENTRY_poseidon_permute_5) || defined(ENTRY_poseidon_rows_5)
#define T 5
#else
#define T 4 /* with one thread per element: how many products row_product sums at once */
#endif
#define HASH k
#ifdef ENTRY_poseidon_elements
#define POSEIDON_LANES
#endif
#include "hash/poseidon.glsl"

#ifndef ENTRY_poseidon_elements

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  const addr state = at(k.in, i, FE_BYTES * (k.row_len != 0 ? T - 1 : T));
  fp x[T];
  if (k.row_len != 0) {
    x[0] = fp_zero();
    [[unroll]] for (int j = 1; j < T; j++) x[j] = fe_load(state, j - 1);
  } else {
    [[unroll]] for (int j = 0; j < T; j++) x[j] = fe_load(state, j);
  }
  x = permute(x);
  if (k.row_len != 0) {
    fe_store(k.out, i, x[0]);
  } else {
    [[unroll]] for (int j = 0; j < T; j++) fe_store(k.out, i * T + j, x[j]);
  }
}

#else

/* One thread per element, for states of any width: a workgroup has as many whole states as fit. Rounds take turns with
 * the halves of the array. */
shared fp elements[2 * gl_WorkGroupSize.x];

/* Row `lane` of the matrix times the state from elements[first] on. */
fp row_product(addr row, uint first) {
  fp sum = fp_zero();
  [[dont_unroll]] for (uint done = 0; done < k.width; done += T) {
    fp m[T], x[T];
    [[unroll]] for (uint j = 0; j < T; j++) {
      const bool there = done + j < k.width;
      m[j] = fp_zero(), x[j] = fp_zero();
      if (there) m[j] = fe_load(row, done + j), x[j] = elements[first + done + j];
    }
    sum = fp_add(sum, fp_dot(m, x));
  }
  return sum;
}

void main() {
  const uint t = k.width, lane = THREAD % t, local = THREAD / t, states = THREADS / t;
  const uint i = GROUP * states + local, rounds = k.full_rounds + k.partial_rounds;
  const bool valid = local < states && i < k.n;
  const addr row = at(k.constants, (rounds + lane) * t, FE_BYTES);
  fp own = fp_zero();
  if (valid && k.row_len == 0) own = fe_load(k.in, i * t + lane);
  if (valid && k.row_len != 0 && lane != 0) own = fe_load(k.in, i * k.row_len + lane - 1);
  [[dont_unroll]] for (uint r = 0; r < rounds; r++) {
    own = fp_add(own, fe_load(k.constants, r * t + lane));
    if (lane == 0 || is_full(r)) own = sbox(own);
    const uint half_at = (r & 1) * THREADS;
    elements[half_at + THREAD] = own;
    barrier(); /* every thread has arrived here, so none reads the other half any more */
    if (valid) own = row_product(row, half_at + local * t);
  }
  if (!valid) return;
  if (k.row_len == 0)
    fe_store(k.out, i * t + lane, own);
  else if (lane == 0)
    fe_store(k.out, i, own);
}
#endif
