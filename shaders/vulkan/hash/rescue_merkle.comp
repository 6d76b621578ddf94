/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Merkle trees of Rescue Prime digests (ops/hash/merkle_args.h): one thread per node of the first level and fewer
 * threads per level above it, or sixteen threads per node.
 */
#include "kernel/kernel.glsl"

#include "hash/merkle_args.h"

RP_ARGS(rp_merkle_args)

#define HASH k.hash
#ifdef ENTRY_rescue_merkle_shared
#define RESCUE_LANES
#define MERKLE_NODES RP_MERKLE_SHARED_GROUP
#else
#define MERKLE_NODES gl_WorkGroupSize.x
#endif
#ifdef ENTRY_rescue_merkle_circulant
#define RESCUE_CIRCULANT
#endif
#include "hash/rescue.glsl"

#define ELEMENTS DIGEST
#include "hash/merkle.glsl"

#ifndef ENTRY_rescue_merkle_shared
void main() {
  [[dont_unroll]] for (uint level = 0; level < k.levels; level++) {
    if ((THREAD & ((1u << level) - 1)) == 0) {
      const uint node = THREAD >> level;
      fp x[WIDTH];
      [[unroll]] for (int j = 0; j < WIDTH; j++) x[j] = fp_of_u32(j == LENGTH_SLOT ? k.hash.row_len : 0);
      [[unroll]] for (int j = 0; j < RATE; j++) x[RATE_FIRST + j] = merkle_child(level, node, j);
      x = permute(x);
      [[unroll]] for (int j = 0; j < DIGEST; j++) merkle_store(level, node, j, x[RATE_FIRST + j]);
    }
    barrier();
  }
  merkle_clear_slot_0();
}
#else
void main() {
  const uint own = THREAD % LANES, lane = min(own, WIDTH - 1), j = lane - k.hash.rate_first; /* as in rescue.comp */
  const uint states = THREADS / LANES, d = own - k.hash.digest_first;
  [[dont_unroll]] for (uint level = 0; level < k.levels; level++) {
    const uint n = k.group >> level;
    [[dont_unroll]] for (uint first = 0; first < n; first += states) {
      const uint node = first + THREAD / LANES;
      fp x = fp_of_u32(lane == k.hash.length_slot ? k.hash.row_len : 0);
      if (node < n && j < RATE) x = merkle_child(level, node, j);
      x = permute(x, lane);
      if (node < n && own < WIDTH && d < DIGEST) merkle_store(level, node, d, x);
    }
    barrier();
  }
  merkle_clear_slot_0();
}
#endif
