/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2, as the constructors of hash.c and the lowering of Merkle trees use it.
 */
#ifndef REPRISE_OPS_POSEIDON2_H
#define REPRISE_OPS_POSEIDON2_H

#include <stdbool.h>
#include "hash/hash.h"

enum { POSEIDON2_ROW_MOST = 1 << 20, POSEIDON2_SMALL_WIDTH = 16, POSEIDON2_SMALL_RATE = 8 };

static inline bool is_poseidon2(rp_hash hash) {
  return hash >= RP_HASH_POSEIDON2_BN254_T2 && hash <= RP_HASH_POSEIDON2_KOALABEAR;
}
static inline bool is_poseidon2_small(rp_hash hash) {
  return hash == RP_HASH_POSEIDON2_BABYBEAR || hash == RP_HASH_POSEIDON2_KOALABEAR;
}
rp_field rp_poseidon2_field(rp_hash hash);
uint32_t rp_poseidon2_width(rp_hash hash);
static inline uint32_t rp_poseidon2_digest(rp_hash hash) { return is_poseidon2_small(hash) ? POSEIDON2_SMALL_RATE : 1; }

typedef enum poseidon2_mode {
  POSEIDON2_PERMUTE = 0,
  POSEIDON2_SPONGE = 1,
  POSEIDON2_PAIRS = 2, /* two digests to their parent */
} poseidon2_mode;

/* Adds a node. row_len is not looked at unless the mode is SPONGE. */
rp_value rp_poseidon2(rp_graph *g, rp_hash hash, poseidon2_mode mode, rp_value x, uint64_t row_len, uint64_t out_len);

/* Fills in everything but addresses and n; returns what makes the constants. */
rp_poseidon2_params rp_poseidon2_layout(rp_hash hash, poseidon2_mode mode, uint64_t row_len, uint64_t out_len,
                                        struct rp_hash_args *a);
rp_value rp_lower_poseidon2(rp_lower *l, rp_hash hash, const rp_poseidon2_params *p);
uint32_t rp_poseidon2_permutation_ns(rp_hash hash);

#endif
