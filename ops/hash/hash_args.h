/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the hashes. Constants are the round constants, then the matrix row by row. One item per state or
 * row.
 */
#ifndef REPRISE_ARGS_HASH_H
#define REPRISE_ARGS_HASH_H

struct rp_hash_args {
  RP_ADDR(uint64_t) in;  /* states, or rows of row_len elements */
  RP_ADDR(uint64_t) out; /* states, or digests */
  RP_ADDR(uint64_t) constants;
  uint32_t n, width, row_len;
  uint32_t full_rounds, partial_rounds;           /* Poseidon, Poseidon2 */
  uint32_t rate_first, length_slot, digest_first; /* Rescue */
  uint32_t rate, out_len, alpha, pad;             /* Poseidon2, see poseidon2_args.h */
};
RP_ARGS_SIZE(struct rp_hash_args, 72);
#define RP_HASH_GROUP 128 /* threads per workgroup */

#endif
