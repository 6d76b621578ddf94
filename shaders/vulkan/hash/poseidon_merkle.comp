/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Merkle trees of Poseidon digests over BN254 Fr (ops/hash/merkle_args.h): one thread per node of the first level and
 * fewer threads per level above it, or four threads per node, of which the last one has no work.
 */
#include "kernel/kernel.glsl"

#include "hash/merkle_args.h"

RP_ARGS(rp_merkle_args)

#define HASH k.hash
#define T 3
#ifdef ENTRY_poseidon_merkle_shared
#define POSEIDON_LANES
#define MERKLE_NODES RP_MERKLE_SHARED_GROUP
#else
#define MERKLE_NODES gl_WorkGroupSize.x
#endif
#include "hash/poseidon.glsl"

#define ELEMENTS 1
#include "hash/merkle.glsl"

#ifndef ENTRY_poseidon_merkle_shared
void main() {
  [[dont_unroll]] for (uint level = 0; level < k.levels; level++) {
    if ((THREAD & ((1u << level) - 1)) == 0) {
      const uint node = THREAD >> level;
      fp x[T];
      x[0] = fp_zero();
      x[1] = merkle_child(level, node, 0);
      x[2] = merkle_child(level, node, 1);
      x = permute(x);
      merkle_store(level, node, 0, x[0]);
    }
    barrier();
  }
  merkle_clear_slot_0();
}
#else

#define LANES RP_MERKLE_POSEIDON_LANES
shared fp elements[2 * gl_WorkGroupSize.x]; /* rounds take turns with its halves */

fp permute(fp own, uint lane) {
  const uint rounds = k.hash.full_rounds + k.hash.partial_rounds;
  fp row[T], x[T];
  [[unroll]] for (int j = 0; j < T; j++) row[j] = fe_load(k.hash.constants, (rounds + lane) * T + j);
  [[dont_unroll]] for (uint r = 0; r < rounds; r++) {
    const uint half_at = (r & 1) * THREADS;
    own = fp_add(own, fe_load(k.hash.constants, r * T + lane));
    if (lane == 0 || is_full(r)) own = sbox(own);
    elements[half_at + THREAD] = own;
    barrier(); /* every thread has arrived here, so none reads the other half any more */
    [[unroll]] for (int j = 0; j < T; j++) x[j] = elements[half_at + THREAD / LANES * LANES + j];
    own = fp_dot(row, x);
  }
  barrier(); /* the next state begins with the same half */
  return own;
}

void main() {
  const uint own = THREAD % LANES, lane = min(own, T - 1), states = THREADS / LANES;
  [[dont_unroll]] for (uint level = 0; level < k.levels; level++) {
    const uint n = k.group >> level;
    [[dont_unroll]] for (uint first = 0; first < n; first += states) {
      const uint node = first + THREAD / LANES;
      fp x = fp_zero();
      if (node < n && lane != 0) x = merkle_child(level, node, lane - 1);
      x = permute(x, lane);
      if (node < n && own == 0) merkle_store(level, node, 0, x);
    }
    barrier();
  }
  merkle_clear_slot_0();
}
#endif
