/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon with alpha = 5, with its arguments in HASH (ops/hash/hash_args.h). A thread keeps a state of width T: loops
 * over the elements rotate them instead of indexing them, so that the code is one product and one row of the matrix.
 * With POSEIDON_LANES there is one thread per element, and the including file defines the permutation.
 */
#ifndef REPRISE_VULKAN_POSEIDON_GLSL
#define REPRISE_VULKAN_POSEIDON_GLSL

#define DOT_N T
#include "arith/field.glsl"

bool is_full(uint round) { return round < HASH.full_rounds / 2 || round >= HASH.full_rounds / 2 + HASH.partial_rounds; }

/* x^5 */
fp sbox(fp x) {
  fp r = x;
  [[dont_unroll]] for (uint i = 0; i < 3; i++) {
    const fp factor = fp_select(i == 2, r, x);
    r = fp_mul(r, factor);
  }
  return r;
}

#ifndef POSEIDON_LANES
/* x without x[0], the others moved down by one, and with `last` appended. */
fp[T] turned(fp x[T], fp last) {
  [[unroll]] for (int i = 0; i + 1 < T; i++) x[i] = x[i + 1];
  x[T - 1] = last;
  return x;
}

fp[T] permute(fp x[T]) {
  const uint rounds = HASH.full_rounds + HASH.partial_rounds;
  [[dont_unroll]] for (uint r = 0; r < rounds; r++) {
    const bool full = is_full(r);
    [[unroll]] for (int i = 0; i < T; i++) x[i] = fp_add(x[i], fe_load(HASH.constants, r * T + i));
    [[dont_unroll]] for (int i = 0; i < (full ? T : 1); i++) {
      x[0] = sbox(x[0]);
      if (full) x = turned(x, x[0]);
    }
    fp y[T] = x;
    [[dont_unroll]] for (int i = 0; i < T; i++) {
      fp row[T];
      [[unroll]] for (int j = 0; j < T; j++) row[j] = fe_load(HASH.constants, (rounds + i) * T + j);
      y = turned(y, fp_dot(row, x));
    }
    x = y;
  }
  return x;
}
#endif

#endif
